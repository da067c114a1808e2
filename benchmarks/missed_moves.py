"""What the planner over poses misses: random legal moves that end where it knows no end, or for less than it reports.

    python -m benchmarks.missed_moves [--movers disc,tank] [--tables 20] [--moves 100000] [--seed 0]

All ten movers take hours: `python -m benchmarks missed` runs it and saves what it prints.

The movers go over generated tables; a sample of the moves of every batch is judged. The moves of a mover are shared out
among the tables. Ends of moves are compared with `costs_at`, one in five of them with `costs_in`, too, and all of them
with the area drawn to an error of 0.05 inches. Movers that turn for nothing are planned for by both planners.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import shapely
from rich.console import Console
from rich.progress import Progress

from benchmarks.many_movers import KINDS, OBLIQUE_KINDS, mover
from benchmarks.random_moves import RandomMoves, random_moves
from simulator.geometry.pieces import FloatArray
from simulator.pathing.columns import join, pick
from simulator.pathing.posed import PoseReach, PoseSpace
from simulator.pathing.weighted import WeightedReach

#: An outline is drawn to this error, and an end that costs nearly all of the budget, by as much, is hard to find.
AREA_ERROR, SPARE = 0.05, 0.1
#: So many moves are compared at once, and of so many one is compared with its heading, too.
_AT_ONCE, POSES = 500, 5
LEGEND = f"""\
Ends that the planner does not know, and those of them with more than {SPARE:g} inches of the budget left; by how much
moves were cheaper than reported, in the mean of the ends that are known, in 95 % of them, and at most; the same of
poses, one in {POSES} of the moves; how many ends lie more than {SPARE:g} inches from the area, and the farthest. Movers
that turn for nothing are planned for in free directions, too; their row with turns is what the other planner misses.
"""
Planner = type[PoseReach] | type[WeightedReach]


class Shortfall(NamedTuple):
    """By how much the planner fell short of moves, by move."""

    spare: FloatArray  #: what the move leaves of the budget
    cheaper: FloatArray  #: by how much it is cheaper than reported; inf where its end is missed

    @property
    def missed(self) -> float:
        """The share of ends that are missed."""
        return float(np.mean(np.isinf(self.cheaper)))

    @property
    def missed_with_spare(self) -> float:
        """The share of ends that are missed although some of the budget is left."""
        return float(np.mean(np.isinf(self.cheaper) & (self.spare > SPARE)))

    @property
    def known(self) -> FloatArray:
        """By how much moves are cheaper whose ends are known; those that are dearer count as 0."""
        return np.asarray(np.maximum(self.cheaper[np.isfinite(self.cheaper)], 0.0))

    def figures(self) -> list[str]:
        """The figures of a row."""
        known = self.known
        mean, most, worst = known.mean(), np.quantile(known, 0.95), known.max()
        return [f"{self.missed:.2%}", f"{self.missed_with_spare:.2%}", f"{mean:.4f}", f"{most:.3f}", f"{worst:.2f}"]


class Compared(NamedTuple):
    """Moves compared with answers: at places, in poses, and with the area."""

    at: Shortfall
    poses: Shortfall
    outside: FloatArray  #: how far each end lies from the area

    def figures(self) -> list[str]:
        """The figures of a row."""
        far = np.mean(self.outside > SPARE)
        return [*self.at.figures(), *self.poses.figures(), f"{far:.2%}", f"{self.outside.max():.2f}"]


def compared(space: PoseSpace, moves: RandomMoves, planner: Planner = PoseReach) -> Compared:
    """Compare moves with what a planner answers about a space."""
    reach = planner(space)
    spare = float(space.budget) - moves.price
    costs = _in_lots(reach.costs_at, moves.place)
    some = pick(moves, slice(None, None, POSES))
    facing = _in_lots(reach.costs_in, some.place, some.heading)
    outside = shapely.distance(reach.area(AREA_ERROR), shapely.points(moves.place))
    poses = Shortfall(spare[::POSES], facing - some.price)
    return Compared(Shortfall(spare, costs - moves.price), poses, np.asarray(outside))


def _in_lots(answer: Callable[..., FloatArray], *columns: FloatArray) -> FloatArray:
    lots = range(0, len(columns[0]), _AT_ONCE)
    return np.concatenate([answer(*(column[first : first + _AT_ONCE] for column in columns)) for first in lots])


def contenders(names: Sequence[str]) -> Iterator[tuple[str, str, Planner]]:
    """Yield the movers with the planners that can plan for them: label, name and planner."""
    for name in names:
        yield name, name, PoseReach
        if name in KINDS and not any(price for _, price in KINDS[name].turns.brackets):
            yield f"{name}, free directions", name, WeightedReach


def table_of(names: Sequence[str], tables: int, count: int, seed: int, done: Callable[[], object]) -> Iterator[str]:
    """Yield the lines of the table."""
    titles = ["missed", f"with {SPARE:g} to spare", "cheaper: mean", "95 %", "worst"]
    poses = ["poses missed", *titles[1:]]
    yield "| mover | moves | " + " | ".join([*titles, *poses, f"over {SPARE:g} from the area", "farthest"]) + " |"
    yield "|" + "---|" * (4 + len(titles) + len(poses))
    for label, name, planner in contenders(names):
        parts = []
        for number in range(tables):
            space, dice = mover(name, seed + number), np.random.default_rng([seed, number])
            parts.append(compared(space, random_moves(space, dice, count // tables), planner))
            done()
        found = join(parts)
        yield f"| {label} | {len(found.outside)} | " + " | ".join(found.figures()) + " |"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--movers", default=",".join(KINDS), help="names, with commas between")
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--moves", type=int, default=100_000, help="of each mover, on all tables together")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    names = asked.movers.split(",")
    known = {**KINDS, **OBLIQUE_KINDS}
    if unknown := sorted(set(names) - set(known)):
        parser.error(f"no such mover: {', '.join(unknown)} (known: {', '.join(known)})")
    print(f"{asked.moves} random legal moves of each mover, on {asked.tables} generated tables.")
    print(LEGEND, flush=True)
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("tables", total=len(list(contenders(names))) * asked.tables)
        for line in table_of(names, asked.tables, asked.moves, asked.seed, lambda: progress.advance(task)):
            print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
