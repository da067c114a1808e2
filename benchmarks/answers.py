"""How soon the questions of all scenarios are answered: `python -m benchmarks.answers RULEBOOK... --seconds 10`.

Every unit of every scenario that comes along is asked every question of reach that its rulebook declares, at the
opening and after half of the orders. Each answer is asked what users ask of it: its costs, why not to the nearest other
place, the way to the farthest end and who could interrupt that way; then its area, its bands of cost, and those of
chance. Each side is asked for its threats. All as users call it, through `Game`.

A question is asked in a process of its own in which nothing has been asked yet, which is `cold`; and then again, three
times or more, which is `warm`: what depends on the board, the unit and the position has been prepared. Figures are
milliseconds of processor time. What takes longer than the limit counts as that long, and is marked. Memory is the most
that this whole process has held by the time it has answered, all modules and what it was asked before included; a
table shows the median and the most.
"""

from __future__ import annotations

import argparse
import os
import pickle
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import product
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

import numpy as np

from benchmarks.peaks import process_peak
from simulator.cli.terminal import bar
from simulator.engine.game import Game
from simulator.errors import SimulatorError
from simulator.formats.scenarios import load_scenario
from simulator.geometry.table import InchTable
from simulator.rulesets import OURS
from simulator.threads import on_one_core

SCENARIOS = Path(__file__).resolve().parent.parent / "scenarios"
KINDS = ("reach", "cost", "why_not", "path", "exposed", "area", "bands", "chance_bands", "threats")
#: How often a question is asked again at least; and for how many milliseconds, as the clock may be coarse.
WARM, WARM_MS = 3, 40
#: Inches between the places of a table whose costs are asked.
_STEP = 2.0


@dataclass(frozen=True)
class Asked:
    """A question: a position, a unit (or a side, for its threats), an action and further values."""

    scenario: Path
    after: int
    who: str
    action: str
    values: tuple[tuple[str, Any], ...] = ()
    of_side: bool = False

    def game(self) -> Game[Any]:
        """Return the game in that position."""
        return position(self.scenario, self.after)

    def __str__(self) -> str:
        values = "".join(f" {name}={value}" for name, value in self.values)
        moment = f" after {self.after}" if self.after else ""
        return f"{self.scenario.parent.name}/{self.scenario.stem}{moment}: {self.who} {self.action}{values}"


@dataclass(frozen=True)
class Taken:
    """The milliseconds of a question, asked first and asked again; `cut` if the limit ended it.

    `held` are the most MB that the process has held so far.
    """

    what: str
    asked: str
    cold: float
    warm: float
    held: float
    cut: bool = False


class TimeUp(BaseException):
    """The limit of a question is reached; nothing that handles errors may stop it."""


def position(path: Path, after: int) -> Game[Any]:
    """Return the game of a scenario after some of its orders."""
    scenario = load_scenario(path)
    game = scenario.start()
    script = [step for turn in scenario.turns for step in turn if step.order]
    for step in script[:after]:
        try:
            game.do(step.order)
        except SimulatorError:  # an order that is to be refused, or a question that is left open
            break
    return game if game.state.pending is None else scenario.start()


def questions(rulebook: str) -> Iterator[Asked]:
    """Yield every question about the scenarios of a rulebook."""
    for path in sorted((SCENARIOS / rulebook).glob("*.yaml")):
        orders = load_scenario(path).orders
        for after in sorted({0, orders // 2}):
            game = position(path, after)
            ruleset = game.ruleset
            units = [unit.id for unit in game.state if unit.place is not None]
            for unit, action in product(units, ruleset.reaches):
                yield Asked(path, after, unit, action)
                for name, ask in ruleset.asks.items():
                    if name != "engine" and ask.goes_with(action):
                        yield from (Asked(path, after, unit, action, ((name, word),)) for word in ask.kind.words)
            sides = sorted({game.state.unit(unit).side for unit in units})
            yield from (
                Asked(path, after, side, action, of_side=True) for side, action in product(sides, ruleset.reaches)
            )


def spent(call: Callable[[], Any], times: int = 1, at_least: float = 0.0) -> tuple[float, Any]:
    """Return the mean milliseconds of a call that is repeated some times and for some milliseconds; and its answer."""
    answer, calls, begun, taken = None, 0, time.process_time(), 0.0
    while calls < times or (taken < at_least and calls < 1000):
        answer = call()
        calls += 1
        taken = 1000 * (time.process_time() - begun)
    return taken / calls, answer


class Measured:
    """The answers to one question, timed one after the other."""

    def __init__(self, asked: Asked, game: Game[Any], seconds: float) -> None:
        self.asked, self.game, self.seconds = asked, game, seconds
        self.taken: list[Taken] = []

    def all(self) -> list[Taken]:
        """Ask everything; what the rulebook refuses is left out, and after a limit nothing more is asked."""
        asked = self.asked
        values = dict(asked.values)
        try:
            if asked.of_side:
                self._time("threats", lambda: self.game.threats(asked.who, asked.action).at_least)
                return self.taken
            answer = self._time("reach", lambda: self.game.reach(asked.who, asked.action, **values))
            if answer is not None:
                self._of(answer)
        except TimeUp:
            pass
        return self.taken

    def _of(self, answer: Any) -> None:
        self._of_places(answer)
        self._time("area", lambda: answer.area)
        self._time("bands", answer.bands)
        self._time("chance_bands", answer.chance_bands)

    def _of_places(self, answer: Any) -> None:
        """Ask about places, before all of the ground has been asked for: who points at one need not wait for that."""
        places = self.places()
        costs = self._time("cost", lambda: np.asarray(answer.costs_at(places), np.float64))
        if costs is None:
            return
        there, known = np.array(places, np.float64), np.isfinite(costs)
        here = np.array(answer.mover.place[:2], np.float64)
        if not known.all():
            other = np.where(known, np.inf, np.hypot(*(there - here).T)).argmin()
            self._time("why_not", lambda: str(answer.why_not(places[other])))
        if known.any():
            far = places[int(np.where(known, costs, -1).argmax())]
            orders = self._time("path", lambda: answer.orders_to(far))
            if orders:
                self._time("exposed", lambda: self.game.foresee(orders).interruptions)

    def places(self) -> Sequence[tuple[Any, ...]]:
        """Return the places whose costs are asked."""
        board = self.game.board
        if not isinstance(board, InchTable):
            return list(board.places())
        x, y = (np.arange(_STEP / 2, size, _STEP).tolist() for size in (board.width, board.height))
        return list(product(x, y))

    def _time(self, what: str, call: Callable[[], Any]) -> Any:
        signal.setitimer(signal.ITIMER_PROF, self.seconds)
        try:
            cold, answer = spent(call)
            warm, answer = spent(call, WARM, WARM_MS)
        except TimeUp:
            most = 1000 * self.seconds
            self.taken.append(Taken(what, str(self.asked), most, most, process_peak(), cut=True))
            raise
        except SimulatorError:
            return None
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        self.taken.append(Taken(what, str(self.asked), cold, warm, process_peak()))
        return answer


def measured(asked: Asked, seconds: float) -> list[Taken]:
    """Ask in a process of its own, in which no question has been asked."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGPROF, _time_up)
        taken = Measured(asked, asked.game(), seconds).all()
        with os.fdopen(writing, "wb") as file:
            pickle.dump(taken, file)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as file:
        told = file.read()
    os.waitpid(child, 0)
    if not told:
        raise RuntimeError(f"{asked}: no answer")
    found: list[Taken] = pickle.loads(told)
    return found


def _time_up(*_: object) -> None:
    raise TimeUp


def load_all(rulebook: str) -> None:
    """Import all modules of a rulebook, and of the rooms below: importing is measured by `bench_start`."""
    for name in (f"simulator.rulesets.{rulebook}", "simulator.engine", "simulator.pathing", "simulator.geometry"):
        package = import_module(name)
        for module in walk_packages(package.__path__, f"{name}."):
            import_module(module.name)
    np.ma.masked  # noqa: B018 - numpy imports it when it is first used


def lines_of(rulebook: str, taken: Sequence[Taken], slowest: int) -> Iterator[str]:
    """Yield the table of a rulebook, and its slowest answers."""
    cut = sum(one.cut for one in taken)
    yield f"\n**{rulebook}**, {len(taken)} answers{f', {cut} of them cut short at the limit' if cut else ''}\n"
    heads = ["question", "count", "cold median", "cold 95 %", "warm median", "warm 95 %", "warm slowest"]
    yield f"| {' | '.join([*heads, 'most held, MB', 'which'])} |"
    yield "|---|---:|---:|---:|---:|---:|---:|---:|---|"
    for what in KINDS:
        some = [one for one in taken if one.what == what]
        if some:
            worst = max(some, key=lambda one: one.warm)
            cold, warm = np.array([one.cold for one in some]), np.array([one.warm for one in some])
            figures = (np.median(cold), np.percentile(cold, 95), np.median(warm), np.percentile(warm, 95), worst.warm)
            shown = " | ".join(f"{figure:.1f}" for figure in figures)
            held = [one.held for one in some]
            memory = f"{np.median(held):.0f} / {max(held):.0f}"
            yield f"| {what} | {len(some)} | {shown}{'+' if worst.cut else ''} | {memory} | {worst.asked} |"
    yield "\nThe slowest, cold / warm, in ms:\n"
    for one in sorted(taken, key=lambda one: -one.warm)[:slowest]:
        yield f"- {one.cold:.0f} / {one.warm:.0f}{'+' if one.cut else ''} {one.what}: {one.asked}"


@on_one_core()
def main(words: Sequence[str] | None = None) -> int:
    reader = argparse.ArgumentParser(description="How soon the questions of all scenarios are answered.")
    reader.add_argument("rulebooks", nargs="*", choices=[[], *OURS], help="by default all")
    reader.add_argument("--seconds", type=float, default=10.0, help="the limit of a question, in processor time")
    reader.add_argument("--only", default="", metavar="WORD", help="only questions whose name has this word")
    reader.add_argument("--sample", type=int, default=1, metavar="N", help="only every N-th question")
    reader.add_argument("--slowest", type=int, default=10, metavar="N", help="how many of the slowest are listed")
    chosen = reader.parse_args(words)
    print(f"Milliseconds of processor time; the limit of a question is {chosen.seconds:g} s. Most held: the median and")
    print("the most of what whole processes have held until they had answered, all that was asked before included.")
    for rulebook in chosen.rulebooks or OURS:
        load_all(rulebook)
        asked = [one for one in questions(rulebook) if chosen.only in str(one)][:: chosen.sample]
        taken: list[Taken] = []
        with bar(rulebook, len(asked)) as update:
            for number, one in enumerate(asked):
                update(number)
                taken += measured(one, chosen.seconds)
        print("\n".join(lines_of(rulebook, taken, chosen.slowest)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
