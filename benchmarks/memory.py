"""The memory of a long run: `python -m benchmarks.memory [--questions 10000] [--boards 100]`.

One process has many games of all rulebooks open and is asked about one after the other in random order, as a server or
a bot would be: what places cost, for a way to an end, why not to another place, now and then for an area, and now and
then a unit is moved. The tables show how much the process holds as questions go by, and by kinds of question what they
took. With more than the bar the command fails.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from benchmarks.made_up_games import game_of
from benchmarks.peaks import process_peak
from simulator.cli.terminal import bar
from simulator.errors import SimulatorError
from simulator.freed_memory import held
from simulator.geometry.board import Lattice
from simulator.rulesets import OURS
from simulator.threads import on_one_core

#: The most that the process may hold, in MB.
BAR = 600
#: So many places are asked about at once.
_PLACES = 12
#: A line for each of so many parts of the run.
_PARTS = 10
#: Questions by their share of all; those that take long are asked less often.
SHARES = {"costs": 0.55, "way": 0.2, "headings": 0.1, "area": 0.05, "why_not": 0.05, "moved": 0.05}


class Asking:
    """A game that is open, and what is asked about it."""

    def __init__(self, rulebook: str, number: int) -> None:
        self.rulebook, self.game = rulebook, game_of(rulebook, number)
        #: Whole turns and chains of actions take many seconds on tables of mecha.
        self.action = "standard" if rulebook == "mecha" else next(iter(self.game.ruleset.reaches))

    def ask(self, what: str, dice: np.random.Generator) -> None:
        """Ask one question about anybody who stands there."""
        units = [unit.id for unit in self.game.state if unit.place is not None]
        answer = self.game.reach(units[int(dice.integers(len(units)))], self.action)
        places = self._places(answer, dice)
        if what == "area":
            assert answer.area is not None
            return
        costs = np.asarray(answer.costs_at(places), np.float64)
        known = np.isfinite(costs)
        if what == "why_not" and not known.all():
            answer.why_not(places[int(np.argmin(known))])
        if what in ("way", "headings", "moved") and known.any():
            end = places[int(np.argmax(known))]
            if what == "headings":
                answer.ends_at(end)
            else:
                orders = answer.orders_to(end)
                if what == "moved" and orders:
                    self._play(orders[0])

    def _places(self, answer: Any, dice: np.random.Generator) -> Sequence[tuple[Any, ...]]:
        """Some places around the mover."""
        board, here = self.game.board, np.array(answer.mover.place[:2])
        if isinstance(board, Lattice):
            near = [place for place in board.places() if np.abs(np.array(place) - here).max() <= 8]
            return [near[at] for at in dice.permutation(len(near))[:_PLACES]]
        return [tuple(place) for place in np.round(here + dice.uniform(-6, 6, (_PLACES, 2)), 2).tolist()]

    def _play(self, order: Any) -> None:
        """Move the unit; whoever is asked something on the way is not answered, and the move is taken back."""
        self.game.do(order)
        while self.game.question is not None:
            self.game.undo()


def run(questions: int, boards: int, done: Callable[[int], object]) -> tuple[list[str], dict[str, list[float]], int]:
    """Ask so many questions; return a line for each part of the run, the seconds by kind, and how many were refused."""
    dice, opened = np.random.default_rng(8), [Asking(tuple(OURS)[n % len(OURS)], n) for n in range(boards)]
    lines, taken, refused = (
        [f"| 0 | {held() / 1e6:.0f} | {process_peak():.0f} | 0 |"],
        defaultdict[str, list[float]](list),
        0,
    )
    begun = time.process_time()
    for number in range(1, questions + 1):
        one = opened[int(dice.integers(boards))]
        what = str(dice.choice(list(SHARES), p=list(SHARES.values())))
        before = time.process_time()
        try:
            one.ask(what, dice)
        except SimulatorError:
            refused += 1
        taken[f"{one.rulebook}: {what}"].append(time.process_time() - before)
        if number % max(1, questions // _PARTS) == 0:
            lines.append(
                f"| {number} | {held() / 1e6:.0f} | {process_peak():.0f} | {time.process_time() - begun:.0f} |"
            )
        done(number)
    return lines, taken, refused


@on_one_core()
def main() -> int:
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("--questions", type=int, default=10_000)
    reader.add_argument("--boards", type=int, default=100)
    chosen = reader.parse_args()
    with bar("questions", chosen.questions) as update:
        lines, taken, refused = run(chosen.questions, chosen.boards, update)
    print(f"{chosen.questions} questions about {chosen.boards} boards of {len(OURS)} rulebooks in random order, in one")
    print(f"process that keeps all games open; {refused} questions were refused by the rules.\n")
    print("| questions | held, MB | at most, MB | seconds of processor time |\n|---:|---:|---:|---:|")
    print("\n".join(lines))
    print("\n| question | asked | median, ms | 95 %, ms |\n|---|---:|---:|---:|")
    for what, seconds in sorted(taken.items()):
        median, late = 1e3 * np.percentile(seconds, [50, 95])
        print(f"| {what} | {len(seconds)} | {median:.1f} | {late:.0f} |")
    holds = process_peak() <= BAR
    print(f"\nThe bar is {BAR} MB: {'kept' if holds else 'MISSED'}.")
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
