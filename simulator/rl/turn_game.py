"""A scenario as a game of PettingZoo, in which agents act one after the other: one agent for each side.

The agent to act is the side of the first unit that may be ordered. The dice are those of the seed of `reset`. Other
questions are answered as the scenario says, and else by the first answer.

A side that has won gets 1, the others -1, and all get 0 in a draw and before the end. A game is truncated after
`most_orders` orders.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv

from simulator.engine.answers import InTurn, Policy
from simulator.engine.game import Game
from simulator.engine.orders import Order
from simulator.engine.playthrough import BEGIN
from simulator.formats.scenario import Scenario
from simulator.rl.area_actions import AreaActions
from simulator.rl.listed_actions import ListedActions
from simulator.rl.observations import Observer

#: The largest seed that is drawn for a game without one.
_SEEDS = 2**31 - 1


class ScenarioGames:
    """The games of one scenario, with their observations and actions: what both environments share."""

    def __init__(self, scenario: Scenario, most_actions: int) -> None:
        self.scenario = scenario
        self.sides = tuple(dict.fromkeys(unit.side for unit in scenario.units))
        self.observer = Observer(scenario)
        is_listed = scenario.set_up().ruleset.lists_orders
        self.actions = ListedActions(most_actions) if is_listed else AreaActions(scenario.set_up())

    def begun(self, seed: int) -> Game[Any]:
        """Return a game that has begun, with the dice of a seed."""
        seeded = self.scenario.with_seed(seed)
        answers = InTurn([*seeded.answerer().answerers, Policy("default", "first")])
        game = Game(seeded.setting, seeded.opening(), answers)
        game.do(BEGIN)
        return game

    def observation_space(self) -> spaces.Dict:
        """Return the space of observations: what is seen, and the mask of actions where they are listed."""
        mask = self.actions.mask_space()
        parts: dict[str, spaces.Space[Any]] = {"observation": self.observer.space}
        return spaces.Dict(parts if mask is None else {**parts, "action_mask": mask})

    def observed(self, game: Game[Any], side: str) -> dict[str, Any]:
        """Return the observation of a side."""
        found: dict[str, Any] = {"observation": self.observer.seen(game, side)}
        if isinstance(self.actions, ListedActions):
            found["action_mask"] = self.actions.mask(game, side)
        return found

    def info(self, game: Game[Any], side: str) -> dict[str, Any]:
        """Return what else an agent may want to know."""
        if isinstance(self.actions, ListedActions):
            return {"left_out": self.actions.left_out(game, side)}
        return {}

    def order(self, game: Game[Any], side: str, action: Any) -> Order | None:
        """Return the order of an action; None if it stands for none now."""
        return self.actions.order(game, side, action)


class TurnGame(AECEnv):  # type: ignore[misc]  # pettingzoo ships no types
    """The environment; `game` is the game in progress, for everything that an agent may want to ask it."""

    metadata: Mapping[str, Any] = {"name": "turn_game_v0", "render_modes": ["svg"], "is_parallelizable": False}

    def __init__(
        self,
        scenario: Scenario,
        *,
        most_actions: int = 512,
        most_orders: int = 500,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.games, self.most_orders, self.render_mode = ScenarioGames(scenario, most_actions), most_orders, render_mode
        self.possible_agents = list(self.games.sides)
        self.observation_spaces = {side: self.games.observation_space() for side in self.possible_agents}
        self.action_spaces = {side: self.games.actions.space() for side in self.possible_agents}
        self._random, _ = seeding.np_random()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a game, with the dice of a seed; without one with other dice each time."""
        del options
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        self.game = self.games.begun(int(self._random.integers(_SEEDS)))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {side: {} for side in self.agents}
        self._orders = 0
        self._turn_to_next()

    def _turn_to_next(self) -> None:
        """Let the side act whose go it is; when the game is over, each in turn."""
        self.agent_selection = self.game.side_to_move or self.agents[0]
        self.infos[self.agent_selection] = self.games.info(self.game, self.agent_selection)

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent sees; the mask is empty unless it is the one to act."""
        return self.games.observed(self.game, agent)

    def step(self, action: Any) -> None:
        """Play the order of an action; raise ValueError for one that the mask excludes."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        order = self.games.order(self.game, agent, action)
        if order is None:
            raise ValueError(f"action {action} stands for no order of {agent} now: choose one by the action mask")
        self._cumulative_rewards[agent] = 0.0
        _, done, score = self.game.step(order)
        self._orders += 1
        if done:
            self.terminations = dict.fromkeys(self.agents, True)
            self.rewards = {side: float(score.result_of(side)) for side in self.agents}
        elif self._orders >= self.most_orders:
            self.truncations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self._turn_to_next()

    def render(self) -> str | None:
        """Return the board and its units as SVG."""
        return self.game._repr_svg_() if self.render_mode == "svg" else None

    def close(self) -> None:
        """Nothing is open."""
