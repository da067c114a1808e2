"""The cost of the engine itself, without rules.   python -m benchmarks.bench_engine   (best of 5)

The rules played here do almost nothing: a unit drifts from square to square, each step one event with a price. So
the figures are those of the engine: applying and pricing events, answering questions, branching, hashing, logging and
replaying. Every answer is checked before it is timed. Peaks are what Python held more than before while a whole game
was played and logged once more, and while its log was read and replayed.
"""

# ruff: noqa: ARG001, ARG002 - methods of a ruleset need not use all of their arguments

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.peaks import peak_of, peak_text
from simulator.engine.answers import DiceBag
from simulator.engine.clauses import clause
from simulator.engine.clock import Phase
from simulator.engine.errors import Breach
from simulator.engine.events import Event, change_unit
from simulator.engine.game import Game
from simulator.engine.ledger import LedgerLine
from simulator.engine.log import Header, LogWriter, read_log, replay
from simulator.engine.options import Options
from simulator.engine.orders import ActionForm, Arg, Order, Vocabulary, whole_number
from simulator.engine.questions import Roll
from simulator.engine.ruleset import Action, Ruleset
from simulator.engine.state import State
from simulator.engine.table import Setting, Table
from simulator.engine.turns import TurnClock
from simulator.engine.unit_types import FieldSpec, UnitType
from simulator.geometry.squares import SquareGrid

CROWDS = {"skirmish": 10, "battle": 50, "horde": 300}
STEPS = 50
ORDERS = 200


@clause("BE-1", role="play")
def drift(table: Table[Options], order: Order) -> Action:
    """One event for each step: there and back again."""
    for step in range(order["steps"]):
        there = (1 + step % 2, table.unit(order.unit).place[1])
        price = [LedgerLine("a step", 1, 2, "mp", "BE-1")]
        yield Event("step", order.unit, [change_unit(order.unit, place=there, spent=step)], "BE-1", there, price)


@clause("BE-2", role="play")
def gamble(table: Table[Options], order: Order) -> Action:
    """One question for each roll."""
    for _ in range(order["rolls"]):
        yield Roll("a gamble", who=order.unit, dice="2D6", target=7, clause="BE-2")


class AnyOrder(TurnClock):
    """Every unit continues its go forever."""

    phases = (Phase("play", "any"),)

    def has_more(self, table: Table[Any], unit: Any) -> bool:
        return True


class Drifters(Ruleset[Options, Any]):
    """A minimal rulebook."""

    name = "drifters"
    options = Options
    unit_types = {"drifter": UnitType("drifter", {name: FieldSpec(0) for name in ("spent", "ap", "hp", "armour")})}  # noqa: RUF012
    vocabulary = Vocabulary(
        actions=[
            ActionForm("drift", [Arg("steps", whole_number())]),
            ActionForm("gamble", [Arg("rolls", whole_number())]),
        ]
    )
    clock = AnyOrder()
    actions = {"drift": drift, "gamble": gamble}  # noqa: RUF012

    def breaches(self, table: Table[Options], order: Order) -> Iterable[Breach]:
        return ()


def new_game(units: int, log: LogWriter | None = None) -> Game[Options]:
    """Set up a number of drifters, one in each row."""
    ruleset = Drifters()
    setting = Setting.of(ruleset, SquareGrid.open(3, units))
    side = ("red", "blue")
    state = State.of(ruleset.make_unit(f"u{n}", "drifter", side[n % 2], (1, n), 0) for n in range(units))
    game = Game(setting, state, DiceBag.of(1), log)
    game.do("all begin")
    return game


def best(work: Callable[[], object], times: int = 5) -> float:
    """Return the best time of a few runs, in seconds."""
    found = []
    for _ in range(times):
        begun = perf_counter()
        work()
        found.append(perf_counter() - begun)
    return min(found)


def row(crowd: str) -> list[str]:
    """Measure one crowd."""
    units = CROWDS[crowd]
    game = new_game(units)
    text = f"u0 drift {STEPS}"
    assert len(game.branch().do(text).events) == STEPS + 1
    assert len(game.branch().do(f"u0 gamble {STEPS}").answered) == STEPS
    events = best(lambda: [game.branch().do(text) for _ in range(20)]) / 20 / STEPS
    questions = best(lambda: [game.branch().do(f"u0 gamble {STEPS}") for _ in range(20)]) / 20 / STEPS

    played = new_game(units)
    for number in range(100):
        played.do(f"u{number % units} drift 1")
    assert played.branch().undo() == played.happened
    branch = best(lambda: [played.branch() for _ in range(1000)]) / 1000

    def one_step_and_hash() -> str:
        twin = played.branch()
        twin.do("u1 drift 1")
        return twin.state.hash

    assert one_step_and_hash() != played.state.hash
    hashed = best(lambda: [one_step_and_hash() for _ in range(20)]) / 20

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log.jsonl"

        def whole_game(log: bool) -> Game[Options]:
            fresh = new_game(units)
            fresh.undo()
            header = Header.of(fresh.setting, fresh.state, 1)
            with LogWriter.create(path, header) as writer:
                fresh.log = writer if log else None
                fresh.do("all begin")
                for number in range(ORDERS):
                    fresh.do(f"u{number % units} drift 10")
            return fresh

        finished = whole_game(log=True)
        log = read_log(path)
        assert replay(log, finished.setting, verify=True).state == finished.state
        count = len(finished.events)

        def replayed() -> object:
            return replay(read_log(path), finished.setting, verify=True)

        plain, logged = best(lambda: whole_game(False), 3), best(lambda: whole_game(True), 3)
        verified = best(replayed, 3)
        peaks = peak_of(lambda: whole_game(True)), peak_of(replayed)
    return [
        crowd,
        f"{units}",
        f"{1 / events:,.0f}",
        f"{1 / questions:,.0f}",
        f"{branch * 1e6:.2f}",
        f"{hashed * 1e6:.0f}",
        f"{max(logged - plain, 0) / count * 1e6:.1f}",
        f"{count / verified:,.0f}",
        peak_text(*peaks),
    ]


HEAD = ["crowd", "units", "events/s", "questions/s", "branch us", "order+hash us", "log us/event", "verified events/s"]
HEAD += ["peaks, MB: game / replay"]


def main() -> None:
    """Print the table."""
    rows = [HEAD, *(row(crowd) for crowd in CROWDS)]
    widths = [max(len(line[column]) for line in rows) for column in range(len(HEAD))]
    for line in rows:
        print("  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)))


if __name__ == "__main__":
    main()
