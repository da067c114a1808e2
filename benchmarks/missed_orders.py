"""What reach of combined_arms misses: random legal moves that end where it knows no end, or for less than it reports.

    python -m benchmarks.missed_orders [--movers tracked,grav] [--tables 20] [--moves 20000] [--seed 0]

All six movers take hours: `python -m benchmarks missed_orders` runs it and saves what it prints.

The movers go over generated tables with terrain of every kind. Of their moves one in 25 is made by the judge alone, the
others go on from those by thousands at once; of every 40 one is written as an order, which the rulebook has to accept
at the same price. Those that float or fly climb, too; the tank overruns and fells trees. Ends are compared with
`costs_at` on their altitude, one in five with `costs_in`, and all with the area drawn to an error of 0.05 inches.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import shapely
from rich.console import Console
from rich.progress import Progress

from benchmarks.arms_tables import MOVERS, game_with
from benchmarks.missed_moves import AREA_ERROR, POSES, SPARE, Compared, Shortfall
from benchmarks.random_orders import RandomMove, many_moves
from simulator.engine.game import Game
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
_ORDERS = 40
LEGEND = f"""\
Ends that reach does not know, and those of them with more than {SPARE:g} inches of the allowance left; by how much
moves were cheaper than reported, in the mean of the ends that are known, in 95 % of them, and at most; the same of
poses, one in {POSES} of the moves; how many ends lie more than {SPARE:g} inches from the area, and the farthest.
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


def compared(reach: ArmsReach, moves: Sequence[RandomMove]) -> Compared:
    """Compare moves with an answer of reach."""
    place = np.array([move.end.place for move in moves])
    heading = np.array([float(move.end.heading) for move in moves])
    price = np.array([float(move.end.paid) for move in moves])
    level = np.array([move.end.level for move in moves])
    costs, facing, outside = (np.zeros(len(moves)) for _ in range(3))
    some = np.arange(len(moves)) % POSES == 0
    for number in range(reach.space.level_count):
        here = level == number
        costs[here] = reach.planner.costs_at(place[here], number)
        facing[here & some] = reach.planner.costs_in(place[here & some], heading[here & some], number)
        outside[here] = _outside(reach, place[here], number)
    spare = float(reach.space.budget) - price
    return Compared(Shortfall(spare, costs - price), Shortfall(spare[some], (facing - price)[some]), outside)


def _outside(reach: ArmsReach, place: FloatArray, level: int) -> FloatArray:
    """How far places lie from the area on a level."""
    if not len(place):
        return np.zeros(0)
    return np.asarray(shapely.distance(reach.planner.area(AREA_ERROR, level=level), shapely.points(place)))


def table_of(names: Sequence[str], tables: int, count: int, seed: int, done: Callable[[], object]) -> Iterator[str]:
    """Yield the lines of the table."""
    titles = ["missed", f"with {SPARE:g} to spare", "cheaper: mean", "95 %", "worst"]
    poses = ["poses missed", *titles[1:]]
    yield "| mover | moves | " + " | ".join([*titles, *poses, f"over {SPARE:g} from the area", "farthest"]) + " |"
    yield "|" + "---|" * (4 + len(titles) + len(poses))
    for name in names:
        parts = []
        for number in range(tables):
            game, dice = game_with(name, seed + number, _PIECES, _BASES), np.random.default_rng([seed, number])
            reach: Any = game.reach("A", **question_of(name))
            moves = many_moves(reach.space, dice, count // tables)
            check_orders(game, reach, moves[::_ORDERS])
            parts.append(compared(reach, moves))
            done()
        found = join(parts)
        yield f"| {name} | {len(found.outside)} | " + " | ".join(found.figures()) + " |"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--movers", default=",".join(MOVERS), help="names, with commas between")
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--moves", type=int, default=20_000, help="of each mover, on all tables together")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    names = asked.movers.split(",")
    if unknown := sorted(set(names) - set(MOVERS)):
        parser.error(f"no such mover: {', '.join(unknown)} (known: {', '.join(MOVERS)})")
    print(f"{asked.moves} random legal moves of each mover, on {asked.tables} generated tables.")
    print(LEGEND, flush=True)
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("tables", total=len(names) * asked.tables)
        for line in table_of(names, asked.tables, asked.moves, asked.seed, lambda: progress.advance(task)):
            print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
