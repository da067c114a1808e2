"""Skirmish: its reach queries and its judge, on a small, a usual and a crowded table.

    python -m benchmarks.bench_skirmish [--rounds 5]

Before anything is timed, ways of the planner are judged, and all have to be accepted.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import numpy as np
import shapely

from simulator.engine.game import Game
from simulator.geometry.courses import Courses
from simulator.geometry.pieces import Piece, rectangle
from simulator.geometry.table import InchTable
from simulator.pathing.continuous import plan
from simulator.rulesets.skirmish import RULESET, make_soldier
from simulator.rulesets.skirmish.ground import barred_at
from simulator.rulesets.skirmish.grounds import prepared

#: Obstacles, bases.
TABLES = {"small": (4, 4), "usual": (25, 16), "crowded": (80, 40)}


def game_on(pieces: int, bases: int) -> Game:
    """A table of 48 inches with blocks and soldiers of two sides, the mover in the middle."""
    dice = np.random.default_rng(5)
    middles = dice.uniform(2, 46, (pieces, 2))
    middles = middles[np.hypot(*(middles - 24).T) > 3]
    sizes = dice.uniform(0.5, 2, (pieces, 2))
    blocks = [
        Piece(f"b{k}", "obstacle", rectangle(tuple(middle), tuple(sizes[k])), "obstacle", 6.0)
        for k, middle in enumerate(middles.tolist())
    ]
    solid = shapely.union_all([block.shape.polygon for block in blocks])
    units = [make_soldier("A1", "red", (24, 24))]
    for k, (x, y) in enumerate(dice.uniform(1, 47, (8 * bases, 2)).tolist()):
        free = shapely.distance(solid, shapely.Point(x, y)) >= 0.5
        if len(units) < bases and free and all(np.hypot(x - u.place[0], y - u.place[1]) >= 1 for u in units):
            units.append(make_soldier(f"U{k}", "blue" if len(units) % 2 else "red", (x, y)))
    return Game.new(RULESET, InchTable("Bench", 48, 48, pieces=tuple(blocks)), units)


def milliseconds(work: Callable[[], object], rounds: int) -> float:
    """The median time of a piece of work."""
    taken = []
    for _ in range(rounds):
        begun = time.perf_counter()
        work()
        taken.append(time.perf_counter() - begun)
    return 1000 * statistics.median(taken)


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    print(f"{'table':<10}{'move, area':>14}{'3 AP, area':>14}{'10 000 ways judged':>22}   ms, medians of {rounds}")
    for name, (pieces, bases) in TABLES.items():
        game = game_on(pieces, bases)
        table = game.ready_table("A1")
        unit = table.unit("A1")
        reach = plan(prepared(table, unit), unit.place, 9)
        places = np.random.default_rng(2).uniform(16, 32, (400, 2))
        ways = [reach.route_to(tuple(place)).pieces for place in places[reach.ends(places)].tolist()]
        courses = Courses.of_pieces((ways * (10_000 // len(ways) + 1))[:10_000])
        if np.isfinite(barred_at(table, unit, courses)).any():
            raise AssertionError("the judge refuses a way of the planner")
        one = milliseconds(lambda g=game: g.reach("A1", "move").area, rounds)
        three = milliseconds(lambda g=game: g.reach("A1", ap=3).area, rounds)
        judged = milliseconds(lambda t=table, u=unit, c=courses: barred_at(t, u, c), rounds)
        print(f"{name:<10}{one:>14.1f}{three:>14.1f}{judged:>22.1f}")


if __name__ == "__main__":
    main()
