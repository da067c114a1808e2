"""Reach of a bike, side by side with scipy and networkx on the same states: `python benchmarks/bench_dot_trooper.py`.

First the answers have to agree. Then the contenders take turns, in one process; a ratio is the median over the rounds
of our time through theirs. The map is prepared beforehand for all of them. With `--check` a missed bar is an error.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import dijkstra

from simulator.engine.game import Game
from simulator.geometry.dots import DotKind, DotMap
from simulator.pathing.move_space import UNREACHED, Start
from simulator.pathing.ordered import Ordered
from simulator.pathing.reference import search_graph
from simulator.pathing.routes import edges
from simulator.pathing.seeds import Seeds
from simulator.rulesets.dot_trooper import RULESET
from simulator.rulesets.dot_trooper.driving import HEADINGS, prepared_ride, ride_start
from simulator.rulesets.dot_trooper.movement import ride_question

ROUNDS = 7
#: Bars on the usual board: one query, and a batch.
BAR_ONE, BAR_BATCH = 0.6, 0.15
#: A step of no AP still weighs this much for scipy, which takes 0 for no edge; no drive has so many steps.
_WEIGHT = 1000


def map_of(size: int, share: float) -> DotMap:
    """A map of so many columns and rows, a share of it impassable, the middle open."""
    dice = np.random.default_rng(7)
    codes = (dice.random((size, size)) < share).astype(np.intp)
    middle = slice(size // 2 - 3, size // 2 + 4)
    codes[middle, middle] = 0
    return DotMap.from_kinds((DotKind(), DotKind(impassable=True)), codes)


def game_on(board: DotMap, crowd: int) -> Game[Any]:
    """A bike in the middle, moving, and a crowd around it."""
    rows, columns = board.present.shape
    front = (board.first[0] + columns // 2, board.first[1] + rows // 2)
    units = [
        RULESET.make_unit("bike", "vehicle", "red", front, 0, on=True, motion="moving"),
        RULESET.make_unit("A1", "trooper", "red", (front[0] - 1, front[1]), aboard="bike"),
    ]
    dice = random.Random(7)
    near = {(front[0] + q, front[1] + r) for q in range(-3, 4) for r in range(-3, 4)}
    free = [dot for dot in board.places() if dot not in near and not board.impassable[board.index(dot)]]
    units += [RULESET.make_unit(f"B{i}", "trooper", "blue", dot) for i, dot in enumerate(dice.sample(free, crowd))]
    return Game.new(RULESET, board, units)


class Scipy:
    """Dijkstra of scipy.csgraph on the same graph of states."""

    def __init__(self, prepared: Ordered) -> None:
        space = prepared.space
        legal = edges(space, Seeds.of(space, (), None))
        states = space.layers * space.shape[0] * space.shape[1]
        self.space = space
        # A half turn to the left leads to the same pose as one to the right; scipy would add the two up.
        _, first = np.unique(legal.source * states + legal.target, return_index=True)
        legal = legal.chosen(first)
        self.graph = csr_matrix((legal.price * _WEIGHT + 1.0, (legal.source, legal.target)), (states, states))

    def number(self, start: Start) -> int:
        layer = self.space.layer_of(start.heading, start.phase)
        return int(np.ravel_multi_index((layer, start.row, start.col), (self.space.layers, *self.space.shape)))

    def costs(self, start: Start, budget: int) -> Any:
        return dijkstra(self.graph, indices=self.number(start), limit=budget * _WEIGHT + _WEIGHT - 1)


def ratio(ours: Callable[[], Any], theirs: Callable[[], Any], rounds: int) -> tuple[float, float, float]:
    """Give the median ratio, and the medians of both in milliseconds."""
    taken: list[tuple[float, float]] = []
    for _ in range(rounds):
        pair = []
        for one in (ours, theirs):
            begun = time.perf_counter()
            one()
            pair.append(1000 * (time.perf_counter() - begun))
        taken.append((pair[0], pair[1]))
    return (
        statistics.median(a / b for a, b in taken),
        statistics.median(a for a, _ in taken),
        statistics.median(b for _, b in taken),
    )


def bench(name: str, board: DotMap, crowd: int, mode: str, rounds: int, batch: int) -> list[tuple[str, float]]:
    """Check and time one board; give the ratios to scipy."""
    table = game_on(board, crowd).table
    vehicle, driver = table.unit("bike"), table.unit("A1")
    question = ride_question(table, vehicle, driver, mode)
    assert question is not None
    prepared = prepared_ride(question.ground, question.gear, question.standing)
    assert isinstance(prepared, Ordered)
    scipy, start, budget = Scipy(prepared), question.start, question.gear.highest
    costs = prepared.search((start,), budget)
    found = scipy.costs(start, budget)
    theirs = np.full(found.shape, UNREACHED)
    theirs[np.isfinite(found)] = found[np.isfinite(found)] // _WEIGHT
    assert (costs.full().ravel() == theirs).all(), "scipy finds other costs"
    one = ratio(lambda: prepared.search((start,), budget).array, lambda: scipy.costs(start, budget), rounds)
    q, r = vehicle.place
    starts = [
        ride_start(question.ground, question.gear, (q + i % 8 - 4, r + i // 8 - 4), HEADINGS[i % 6], False)
        for i in range(batch)
    ]
    queries = [(begun,) for begun in starts]
    together = prepared.cells_of_many(queries, budget)
    for number in (0, batch - 1):
        assert (together[number] == prepared.search(queries[number], budget).full().min(axis=0)).all()
    few = max(1, batch // 16)
    many = ratio(
        lambda: prepared.cells_of_many(queries, budget),
        lambda: [scipy.costs(begun, budget) for begun in starts[:few]],
        max(2, rounds // 2),
    )
    shared = many[0] * few / batch
    order = "A1 drive max: move, left 60, move, right 60, move, move, stop"
    game = game_on(board, crowd)
    begun = time.perf_counter()
    for _ in range(50):
        game.breaches(order)
    judged = 20 * (time.perf_counter() - begun)
    print(f"{name:<10} one {one[1]:7.1f} ms, scipy {one[2]:7.1f} ms, ratio {one[0]:.3f};", end=" ")
    print(f"batch of {batch} {many[1]:7.1f} ms, ratio {shared:.3f}; judge {judged:.2f} ms")
    return [("one", one[0]), ("batch", shared)]


def against_networkx() -> None:
    """The reference on a small board: the same costs, and how long it takes."""
    table = game_on(map_of(8, 0.0), 2).table
    question = ride_question(table, table.unit("bike"), table.unit("A1"), "cruise")
    assert question is not None
    begun = time.perf_counter()
    slow = search_graph(question.space())
    middle = time.perf_counter()
    fast = question.costs()
    taken = time.perf_counter() - middle
    assert (slow.full() == fast.full()).all(), "networkx finds other costs"
    print(f"networkx on 8 x 8: {1000 * (middle - begun):.0f} ms, ours from scratch {1000 * taken:.0f} ms")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail where a bar is missed")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    asked = parser.parse_args()
    against_networkx()
    bench("small", map_of(20, 0.1), 4, "max", asked.rounds, 64)
    usual = bench("usual", map_of(60, 0.0), 0, "max", asked.rounds, 64)
    bench("crowded", map_of(60, 0.15), 80, "max", asked.rounds, 64)
    missed = [name for (name, got), bar in zip(usual, (BAR_ONE, BAR_BATCH), strict=True) if got > bar]
    for name in missed:
        print(f"the bar of {name} is missed", file=sys.stderr)
    return 1 if missed and asked.check else 0


if __name__ == "__main__":
    sys.exit(main())
