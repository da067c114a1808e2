"""One game of a sweep, from its coordinates to its rows: it is played, measured, and kept if it failed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import dist
from random import Random
from typing import Any

from simulator.engine.actions import Happened
from simulator.engine.answers import InTurn, Policy
from simulator.engine.errors import MissingAnswer, TableError
from simulator.engine.game import Game
from simulator.engine.orders import Order
from simulator.engine.playthrough import BEGIN
from simulator.engine.values import to_plain, write_plain
from simulator.formats.accounts import Account, Played
from simulator.formats.play import ALL_DONE, Play
from simulator.formats.scenario import Scenario
from simulator.formats.scenario_text import written_scenario
from simulator.formats.so_far import SoFar
from simulator.sweeps.agents import SCRIPT, agent_named, end_of_go
from simulator.sweeps.plan import Casting, Coordinates, PlayLimits, SweepPlan
from simulator.sweeps.time_limit import TimeIsUp, within

#: How a game can end, as in the column `outcome`.
OVER, FINISHED, ORDER_LIMIT, TIME_LIMIT, ERROR = "over", "finished", "order limit", "time limit", "error"
#: Actions that are no orders of a player: they begin and end goes.
_OF_THE_CLOCK = ("begin", "done")
#: The longest error that a row holds; its file has all of it.
_LONGEST = 500


class GameStopped(Exception):
    """A limit of the plan was reached; `outcome` names it."""

    def __init__(self, outcome: str) -> None:
        super().__init__(outcome)
        self.outcome = outcome


class _Sitting:
    """A game while it is played: its table, its limits, and the order that is being played."""

    def __init__(self, scenario: Scenario, cast: Casting, seed: int, limits: PlayLimits) -> None:
        self.scenario, self.cast, self.seed, self.limits = scenario, cast, seed, limits
        self.game: Game[Any] | None = None
        self.account: Account | None = None
        self.refused = 0
        self.orders = 0
        #: The order that is being played; what fails, fails with it.
        self.order = ""

    def play(self) -> str:
        """Play to the end and return how it ended."""
        return self._scripted() if self.cast.label == SCRIPT else self._by_agents()

    def _check_limits(self) -> None:
        if self.orders >= self.limits.orders:
            raise GameStopped(ORDER_LIMIT)

    def _scripted(self) -> str:
        play = Play(self.scenario.with_seed(self.seed), watch=self._watch)
        self.game = play.game
        self.account = play.account()
        return OVER if self.game.state.clock.over else FINISHED

    def _watch(self, played: Played) -> None:
        self.refused += played.error is not None and not played.unsaid
        self.orders += not played.unsaid and bool(played.order)
        self._check_limits()

    def _by_agents(self) -> str:
        game = self.game = self.scenario.set_up(self.seed)
        # Nobody is asked: where a question has no default answer, the first one is taken.
        game.answers = InTurn([game.answers, Policy(choices="first")])
        agents = {side: agent_named(name) for side, name in self.cast.agents.items()}
        chances: dict[str, Random] = {}
        turns = self.limits.turns or max(1, len(self.scenario.turns))
        self._do(BEGIN)
        while not game.state.clock.over and game.state.clock.turn <= turns:
            units = game.ruleset.clock.may_go(game.table)
            if not units:
                self._do(ALL_DONE)
                continue
            self._check_limits()
            side = game.state.unit(units[0]).side
            own = [name for name in units if game.state.unit(name).side == side]
            agent = agents.get(side, agents.get(""))
            assert agent is not None
            rng = chances.setdefault(side, Random(f"{self.seed} {side}"))
            self.order = ""
            self._do(agent(game, own, rng) or end_of_go(game, own, rng))
            self.orders += 1
        return OVER if game.state.clock.over else FINISHED

    def _do(self, order: str | Order) -> None:
        assert self.game is not None
        self.order = order if isinstance(order, str) else self.game.write(order)
        happened = self.game.do(order)
        if happened.question is not None:
            raise MissingAnswer(f"nobody answers: {happened.question}")


def play_game(plan: SweepPlan, at: Coordinates) -> dict[str, Any]:
    """Play one game and return its rows: `game`, `units`, and the text of its `file` if it failed or was stopped."""
    sitting = _Sitting(plan.staged(at.staging, at.settings), at.cast, at.seed, plan.limits)
    error = ""
    try:
        outcome = within(plan.limits.seconds, sitting.play)
    except TimeIsUp:
        outcome = TIME_LIMIT
    except GameStopped as stopped:
        outcome = stopped.outcome
    except Exception as failure:  # a rulebook or an agent of anybody's: the other games go on
        outcome, error = ERROR, f"{type(failure).__name__}: {failure}"
    head = {
        "run": at.run,
        "scenario": at.staging.label,
        "ruleset": at.staging.scenario.setting.ruleset.name,
        "agent": at.cast.label,
        "number": at.number,
        "seed": at.seed,
        **{f"{one.kind}.{one.name}": one.texts[index] for one, index in zip(plan.varied, at.settings, strict=True)},
    }
    file = _kept(sitting, outcome, error) if outcome in (ERROR, ORDER_LIMIT, TIME_LIMIT) else ""
    shown = error if len(error) <= _LONGEST else f"{error[: _LONGEST - 1]}…"
    units = list(_units(sitting, outcome))
    measured = _measured(sitting, outcome, units)
    row = {**head, "outcome": outcome, "error": shown, "file": f"stopped/{at.run}.yaml" if file else "", **measured}
    return {"game": row, "units": [{**head, **unit} for unit in units], "file": file}


def _kept(sitting: _Sitting, outcome: str, error: str) -> str:
    """Return the game so far as a scenario that replays it, the order that failed last; empty if it has not begun."""
    game = sitting.game
    if game is None:
        return ""
    if game.question is not None:
        game.undo()
    name = f"{sitting.scenario.name}: {outcome}"
    try:
        return written_scenario(game, name, error or f"stopped at its {outcome}", sitting.order if error else "")
    except TableError:
        return ""


# --- measures ---

#: The measures of a game: a game that has reached its time limit has none, since they would depend on the machine.
MEASURES = (
    *("turns", "orders", "refused", "events", "rolls", "choices", "expected", "met", "units", "gone", "moved"),
    *("spent", "nearest", "state"),
)


def _measured(sitting: _Sitting, outcome: str, units: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    game = sitting.game
    if game is None or outcome == TIME_LIMIT:
        return dict.fromkeys(MEASURES)
    state, account = game.state, sitting.account
    checks = None if account is None else account.checks
    return {
        "turns": state.clock.turn,
        "orders": sum(happened.order.action not in _OF_THE_CLOCK for happened in game.history),
        "refused": sitting.refused,
        "events": len(game.events),
        "rolls": state.rolls,
        "choices": state.choices,
        "expected": None if checks is None else len(checks),
        "met": None if checks is None else sum(check.met for check in checks),
        "units": len(game.opening.units),
        "gone": sum(not unit["on_table"] for unit in units),
        "moved": sum(unit["moved"] for unit in units),
        "spent": _sum(unit["spent"] for unit in units),
        "nearest": _nearest(game),
        "state": state.hash,
    }


def _sum(spent: Iterable[Mapping[str, float]]) -> dict[str, float]:
    found: dict[str, float] = {}
    for one in spent:
        for currency, amount in one.items():
            found[currency] = found.get(currency, 0.0) + amount
    return dict(sorted(found.items()))


def _nearest(game: Game[Any]) -> float | None:
    """Return the least distance between two units of different sides."""
    standing = [(unit.side, game.board.centre(unit.place)) for unit in game.state.standing]
    return min(
        (dist(a, b) for n, (side, a) in enumerate(standing) for other, b in standing[:n] if side != other), default=None
    )


def _units(sitting: _Sitting, outcome: str) -> Iterator[dict[str, Any]]:
    """Yield what each unit of the opening did, and how it ended."""
    game = sitting.game
    if game is None or outcome == TIME_LIMIT:
        return
    so_far, moved = SoFar(), dict.fromkeys(game.opening.units, 0.0)
    before = game.opening
    orders = dict.fromkeys(game.opening.units, 0)
    for happened in game.history:
        so_far.add(happened)
        _add_orders(orders, happened)
        for name in moved:
            old, new = before.units.get(name), happened.state.units.get(name)
            if old is not new and old and new and old.place is not None and new.place is not None:
                moved[name] += dist(game.board.centre(old.place), game.board.centre(new.place))
        before = happened.state
    for number, (name, start) in enumerate(game.opening.units.items()):
        end = game.state.units.get(name)
        yield {
            "unit": name,
            "place_in_file": number,
            "type": start.type,
            "side": start.side,
            **_where("start", game, start.place),
            **_where("end", game, None if end is None else end.place),
            "end_heading": None if end is None or end.heading is None else float(end.heading),
            "on_table": end is not None and end.place is not None,
            "orders": orders[name],
            "moved": moved[name],
            "spent": {currency: float(amount) for currency, amount in sorted(so_far.spent(name).items())},
            "fields": None if end is None else write_plain(to_plain(end.fields)),
        }


def _add_orders(orders: dict[str, int], happened: Happened) -> None:
    order = happened.order
    if order.unit in orders and order.action not in _OF_THE_CLOCK:
        orders[order.unit] += 1


def _where(when: str, game: Game[Any], place: Any) -> dict[str, float | None]:
    x, y = (None, None) if place is None else map(float, game.board.centre(place))
    return {f"{when}_x": x, f"{when}_y": y}
