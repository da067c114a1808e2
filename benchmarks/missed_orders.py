"""What reach of combined_arms misses: random legal moves that end where it knows no end, or for less than it reports.

    python -m benchmarks.missed_orders [--movers tracked,grav] [--tables 20] [--moves 20000] [--seed 0] [--areas]

All six movers take hours: `python -m benchmarks missed_orders` runs it and saves what it prints. With `--areas` ends
are compared with areas alone, which takes minutes a mover.

The movers go over generated tables with terrain of every kind. Of their moves one in 100 is made by the judge alone,
the others go on from those by thousands at once; of every 400 one is written as an order, which the rulebook has to
accept at the same price. Those that float or fly climb, too; the tank overruns and fells trees. Ends are compared with
`costs_at` on their altitude, one in five with `costs_in`, and all with the area drawn to an error of 0.05 inches.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import shapely
from rich.console import Console
from rich.progress import Progress

from benchmarks.arms_tables import MOVERS, game_with
from benchmarks.missed_moves import AREA_ERROR, POSES, SPARE, Compared, Shortfall
from benchmarks.random_orders import RandomMove, many_moves
from simulator.engine.game import Game
from simulator.engine.orders import Order
from simulator.engine.posed_reach import PosedReach
from simulator.geometry.pieces import FloatArray
from simulator.pathing.columns import join
from simulator.pathing.posed import judged
from simulator.rulesets.combined_arms.judge import moves_for
from simulator.rulesets.combined_arms.reach import ArmsReach

#: Pieces and bases of a table.
_PIECES, _BASES = 30, 16
_ASKED: dict[str, dict[str, Any]] = {
    "grav": {"climbing": True},
    "tracked": {"overrunning": True},
    "jetpack": {"climbing": True},
    "helicopter": {"climbing": True},
}
#: One in so many moves is judged as an order, too.
_ORDERS = 400
LEGEND = f"""\
Ends that reach does not know, and those of them with more than {SPARE:g} inches of the allowance left; by how much
moves were cheaper than reported, in the mean of the ends that are known, in 95 % of them, and at most; the same of
poses, one in {POSES} of the moves; how many ends lie more than {SPARE:g} inches from the area, and the farthest.
"""
LEGEND_OF_AREAS = f"""\
How many ends lie more than {SPARE:g} inches from the area on their altitude, and how far the farthest does.
"""


def check_orders(game: Game[Any], reach: ArmsReach, moves: Sequence[RandomMove]) -> None:
    """Raise AssertionError unless the rulebook accepts moves as orders, at their prices."""
    for move in moves:
        order = move.order(reach)
        assert game.breaches(order) == [], (game.write(order), game.breaches(order))
        space, written = moves_for(game.table, game.table.unit(reach.mover.id), order)
        total = judged(space.space, space.space.starts[0], written).total
        assert abs(total - move.end.paid) < 1e-9, (game.write(order), total, move.end.paid)


def question_of(mover: str) -> dict[str, Any]:
    """What is asked of a mover besides: those that float or fly climb, the tank overruns."""
    return _ASKED.get(mover, {})


def compared(reach: PosedReach[Any], moves: Sequence[RandomMove]) -> Compared:
    """Compare moves with an answer of reach."""
    place = np.array([move.end.place for move in moves])
    heading = np.array([float(move.end.heading) for move in moves])
    price = np.array([float(move.end.paid) for move in moves])
    level = np.array([move.end.level for move in moves])
    costs, facing = np.zeros(len(moves)), np.zeros(len(moves))
    some = np.arange(len(moves)) % POSES == 0
    for number in range(reach.space.level_count):
        here = level == number
        costs[here] = reach.planner.costs_at(place[here], number)
        facing[here & some] = reach.planner.costs_in(place[here & some], heading[here & some], number)
    spare, outside = float(reach.space.budget) - price, beside_areas(reach, moves)
    return Compared(Shortfall(spare, costs - price), Shortfall(spare[some], (facing - price)[some]), outside)


def beside_areas(reach: PosedReach[Any], moves: Sequence[RandomMove]) -> FloatArray:
    """How far the ends of moves lie from the area on their level."""
    place, level = np.array([move.end.place for move in moves]), np.array([move.end.level for move in moves])
    outside = np.zeros(len(moves))
    for number in np.unique(level).tolist():
        outside[level == number] = _outside(reach, place[level == number], number)
    return outside


def _outside(reach: PosedReach[Any], place: FloatArray, level: int) -> FloatArray:
    """How far places lie from the area on a level."""
    return np.asarray(shapely.distance(reach.planner.area(AREA_ERROR, level=level), shapely.points(place)))


class Beside(NamedTuple):
    """Moves compared with areas alone."""

    outside: FloatArray  #: how far each end lies from the area

    def figures(self) -> list[str]:
        """The figures of a row."""
        return [f"{np.sum(self.outside > SPARE)}", f"{self.outside.max():.3f}"]


class Subject(NamedTuple):
    """A rulebook whose reach is measured: its movers, their tables and questions, how moves are made and checked."""

    movers: Mapping[str, Any]
    game_with: Callable[[str, int, int, int], Game[Any]]
    question_of: Callable[[str], dict[str, Any]]
    made: Callable[[Any, np.random.Generator, int], Sequence[RandomMove]]
    checked: Callable[[Game[Any], Any, Sequence[RandomMove]], None]
    written: Callable[[Any, RandomMove], Order]
    #: Pieces and bases of a table.
    pieces: int = _PIECES
    bases: int = _BASES
    orders: int = _ORDERS  #: one in so many moves is judged as an order, too


def _written(reach: ArmsReach, move: RandomMove) -> Order:
    return move.order(reach)


ARMS = Subject(MOVERS, game_with, question_of, many_moves, check_orders, _written)


def fallen_short(found: Compared | Beside) -> Iterator[tuple[int, str]]:
    """Yield the moves, by number, of which an answer falls short by more than is spared, and what it says of them."""
    for number in np.flatnonzero(found.outside > SPARE).tolist():
        yield number, f"it ends {found.outside[number]:.3f} inches from the area"
    if isinstance(found, Beside):
        return
    for number in np.flatnonzero(found.at.cheaper > SPARE).tolist():
        yield number, f"its place is said to cost {found.at.cheaper[number]:g} more"
    for number in np.flatnonzero(found.poses.cheaper > SPARE).tolist():
        yield number * POSES, f"its pose is said to cost {found.poses.cheaper[number]:g} more"


def table_of(
    subject: Subject,
    names: Sequence[str],
    tables: int,
    count: int,
    seed: int,
    done: Callable[[], object],
    told: Callable[[str], object] | None = None,
    *,
    areas_alone: bool = False,
) -> Iterator[str]:
    """Yield the lines of the table; moves of which an answer falls short are told one by one."""
    titles = ["missed", f"with {SPARE:g} to spare", "cheaper: mean", "95 %", "worst"]
    prices = [] if areas_alone else [*titles, "poses missed", *titles[1:]]
    columns = [*prices, f"over {SPARE:g} from the area", "farthest"]
    yield f"| mover | moves | {' | '.join(columns)} |"
    yield "|" + "---|" * (2 + len(columns))
    for name in names:
        parts: list[Any] = []
        for number in range(tables):
            game = subject.game_with(name, seed + number, subject.pieces, subject.bases)
            dice = np.random.default_rng([seed, number])
            reach: Any = game.reach("A", **subject.question_of(name))
            moves = subject.made(reach.space, dice, count // tables)
            subject.checked(game, reach, moves[:: subject.orders])
            parts.append(Beside(beside_areas(reach, moves)) if areas_alone else compared(reach, moves))
            for row, short in fallen_short(parts[-1]) if told else ():
                order = game.write(subject.written(reach, moves[row]))
                told(f"table {seed + number}, {name}: {order}, for {float(moves[row].end.paid):g}: {short}")
            done()
        found = join(parts)
        yield f"| {name} | {len(found.outside)} | " + " | ".join(found.figures()) + " |"


def measured(subject: Subject, about: str, legend: str) -> int:
    """Measure what the command line asks about a rulebook, and print the table."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--movers", default=",".join(subject.movers), help="names, with commas between")
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--moves", type=int, default=20_000, help="of each mover, on all tables together")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--areas", action="store_true", help="compare with areas alone, not with what places cost")
    parser.add_argument("--tell", action="store_true", help="tell the moves of which reach falls short, as orders")
    asked = parser.parse_args()
    names = asked.movers.split(",")
    if unknown := sorted(set(names) - set(subject.movers)):
        parser.error(f"no such mover: {', '.join(unknown)} (known: {', '.join(subject.movers)})")
    print(f"{asked.moves} random legal moves of each mover, on {asked.tables} generated tables.")
    print(LEGEND_OF_AREAS if asked.areas else legend, flush=True)
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("tables", total=len(names) * asked.tables)
        said = progress.console.print if asked.tell else None
        how = asked.tables, asked.moves, asked.seed
        lines = table_of(subject, names, *how, lambda: progress.advance(task), said, areas_alone=asked.areas)
        for line in lines:
            print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(measured(ARMS, __doc__, LEGEND))
