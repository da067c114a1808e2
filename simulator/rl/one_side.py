"""One side of a scenario for Gymnasium, against a policy that plays all others.

An action that stands for no order now is refused: nothing happens and the reward is `refused_reward`, since Gymnasium
knows no masks. Agents that know them find the mask in the observation and in `action_masks()`.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import gymnasium

from simulator.engine.game import Game
from simulator.engine.orders import Order
from simulator.formats.scenario import Scenario
from simulator.rl.listed_actions import ListedActions, Mask
from simulator.rl.turn_game import ScenarioGames

#: Chooses an order of the side to move: a function of the game, with a source of chance that belongs to it.
Opponent = Callable[[Game[Any], Random], Order]

_SEEDS = 2**31 - 1


def random_opponent(game: Game[Any], rng: Random) -> Order:
    """Choose any legal order."""
    return game.legal().sample(rng)


class OneSide(gymnasium.Env[dict[str, Any], Any]):
    """The environment; `game` is the game in progress."""

    metadata: dict[str, Any] = {"render_modes": ["svg"]}  # noqa: RUF012

    def __init__(
        self,
        scenario: Scenario,
        side: str,
        opponent: Opponent = random_opponent,
        *,
        most_actions: int = 512,
        most_orders: int = 500,
        refused_reward: float = -0.1,
        render_mode: str | None = None,
    ) -> None:
        self.games, self.most_orders, self.refused_reward = (
            ScenarioGames(scenario, most_actions),
            most_orders,
            refused_reward,
        )
        if side not in self.games.sides:
            raise ValueError(f"there is no side {side!r}; known: {', '.join(self.games.sides)}")
        self.side, self.opponent, self.render_mode = side, opponent, render_mode
        self.observation_space = self.games.observation_space()
        self.action_space = self.games.actions.space()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a game, and let the opponent play until it is this side's go."""
        super().reset(seed=seed, options=options)
        drawn = int(self.np_random.integers(_SEEDS))
        self.game, self._rng, self._orders = self.games.begun(drawn), Random(drawn), 0
        self._let_others_play()
        return self.games.observed(self.game, self.side), self._info()

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Play the order of an action, and let the opponent play until it is this side's go again."""
        order = None if self.game.is_over else self.games.order(self.game, self.side, action)
        self._orders += 1
        if order is not None:
            self.game.step(order)
            self._let_others_play()
        is_over = self.game.is_over
        reward = float(self.game.score.result_of(self.side)) if is_over else 0.0 if order else self.refused_reward
        is_cut = not is_over and self._orders >= self.most_orders
        info = {**self._info(), "refused": order is None}
        return self.games.observed(self.game, self.side), reward, is_over, is_cut, info

    def _let_others_play(self) -> None:
        while not self.game.is_over and self.game.side_to_move != self.side and self._orders < self.most_orders:
            self.game.step(self.opponent(self.game, self._rng))
            self._orders += 1

    def _info(self) -> dict[str, Any]:
        return self.games.info(self.game, self.side)

    def action_masks(self) -> Mask:
        """Return the mask of actions; raise ValueError where every action stands for an order."""
        if not isinstance(self.games.actions, ListedActions):
            raise ValueError("on inch tables every action stands for an order: there is no mask")
        return self.games.actions.mask(self.game, self.side)

    def render(self) -> str | None:
        """Return the board and its units as SVG."""
        return self.game._repr_svg_() if self.render_mode == "svg" else None
