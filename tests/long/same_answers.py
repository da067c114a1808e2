"""Every answer about every scenario, and about positions made up, before and after a change: they are equal.

    python tests/long/same_answers.py keep before.json grid_runner dot_trooper       at the commit before
    python tests/long/same_answers.py compare before.json                            after the change

A hash is kept of each question of `benchmarks.answers` and, with `--made-up 500`, of one about each of so many games of
`benchmarks.made_up_games`: of all costs, of headings and chances and their bands, of areas on inch tables, of the ways
to ends near and far with what is foreseen of them, and of why not to places near and far. What cannot be answered
within the limit is left out, and named.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import signal
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import Progress

from benchmarks.answers import Asked, Measured, TimeUp, questions
from benchmarks.made_up_games import game_of
from simulator.engine.game import Game
from simulator.errors import SimulatorError
from simulator.geometry.board import Lattice
from simulator.rulesets import shelf

#: How many ways, and how many reasons, are asked of each answer.
_WAYS = 4
#: What stands between the rulebook of a game made up and its number.
_MADE_UP = "/made up "
#: Of how many ends on an inch table the headings and chances are asked.
_ENDS = 24


@dataclass(frozen=True)
class MadeUp(Asked):
    """A question about a game made up from a number, which stands in `after`; the path names its rulebook."""

    def game(self) -> Game[Any]:
        """Make up the game."""
        return game_of(self.scenario.name, self.after)

    def __str__(self) -> str:
        return f"{self.scenario.name}{_MADE_UP}{self.after}: {self.who} {self.action}"


def made_up(rulebook: str, count: int) -> Iterator[MadeUp]:
    """Yield questions about so many games, of all that can be asked about A in turn."""
    actions = list(shelf()[rulebook].reaches)
    for number in range(count):
        yield MadeUp(Path(rulebook), number, "A", actions[number % len(actions)])


def asked_about(rulebook: str, count: int, before: Iterable[str]) -> Iterator[Asked]:
    """Yield all questions about a rulebook: those about so many games made up, and as many as were asked before."""
    yield from questions(rulebook)
    known = [name.removeprefix(f"{rulebook}{_MADE_UP}") for name in before if name.startswith(f"{rulebook}{_MADE_UP}")]
    yield from made_up(rulebook, max([count, *(int(name.partition(":")[0]) + 1 for name in known)]))


def lines_of(asked: Asked, game: Game[Any]) -> Iterator[str]:
    """Yield all that is answered to a question."""
    if asked.of_side:
        yield str([shape.normalize().wkt for shape in game.threats(asked.who, asked.action).at_least])
        return
    answer = game.reach(asked.who, asked.action, **dict(asked.values))
    places = Measured(asked, game, 0.0).places()
    costs = np.asarray(answer.costs_at(places), np.float64)
    yield hashlib.sha256(costs.tobytes()).hexdigest()
    yield str(answer).partition(", found by ")[0]  # whichever executor found it
    known = np.isfinite(costs)
    ends = [places[number] for number in np.flatnonzero(known)[np.argsort(costs[known], kind="stable")]]
    others = [places[number] for number in np.flatnonzero(~known)]
    if not isinstance(answer.board, Lattice):
        yield answer.area.normalize().wkt
    for place in ends if isinstance(answer.board, Lattice) else spread(ends, _ENDS):
        yield f"{place} {answer.ends_at(place)} {answer.chance_at(place)}"
    for place in spread(ends):
        orders = answer.orders_to(place)
        yield f"{place}: {[str(order) for order in orders]}"
        foreseen = game.foresee(orders) if orders else None
        yield f"{foreseen and (foreseen.ledger, foreseen.interruptions, foreseen.chance)}"
    for place in spread(others):
        yield f"{place}: {answer.why_not(place)}"
    for level, band in answer.chance_bands():
        yield f"{level} {band.normalize().wkt}"


def spread(things: Sequence[Any], most: int = _WAYS) -> list[Any]:
    """Return a few of many things, the first and the last among them."""
    return [things[int(number)] for number in np.linspace(0, len(things) - 1, min(most, len(things)))]


def digest(asked: Asked, seconds: float) -> str:
    """Return a hash of all answers to a question; empty if the limit ended it."""
    told = hashlib.sha256()
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        for line in lines_of(asked, asked.game()):
            told.update(f"{line}\n".encode())
    except SimulatorError as error:
        told.update(f"{type(error).__name__}: {error}".encode())
    except TimeUp:
        return ""
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return told.hexdigest()


def _time_up(*_: object) -> None:
    raise TimeUp


def main() -> int:
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("what", choices=("keep", "compare"))
    reader.add_argument("file", type=Path)
    reader.add_argument("rulebooks", nargs="*", help="those whose answers are kept")
    reader.add_argument("--seconds", type=float, default=20.0, help="the limit of a question, in processor time")
    reader.add_argument("--made-up", type=int, default=0, metavar="N", help="ask about so many games of each, too")
    reader.add_argument("--sample", type=int, default=1, metavar="N", help="keep only every N-th question")
    chosen = reader.parse_args()
    signal.signal(signal.SIGPROF, _time_up)
    before = {} if chosen.what == "keep" else json.loads(chosen.file.read_text())
    rulebooks = chosen.rulebooks or sorted({name.partition("/")[0] for name in before})
    asked = [one for rulebook in rulebooks for one in asked_about(rulebook, chosen.made_up, before)]
    asked = [one for one in asked if str(one) in before] if before else asked[:: chosen.sample]
    found: dict[str, str] = {}
    with Progress(console=Console(stderr=True), transient=True) as progress:
        for one in progress.track(asked, description="questions"):
            found[str(one)] = digest(one, chosen.seconds)
    long = [name for name, told in found.items() if not told or not before.get(name, "kept")]
    other = [name for name, told in found.items() if before and name not in long and told != before[name]]
    if chosen.what == "keep":
        chosen.file.write_text(json.dumps(found, indent=1))
    for name in long:
        print(f"too long: {name}")
    for name in other:
        print(f"another answer: {name}")
    print(f"{len(found)} questions, {len(long)} too long, {len(other)} answered otherwise")
    return 1 if other else 0


if __name__ == "__main__":
    sys.exit(main())
