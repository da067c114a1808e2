"""The any-angle planner beside a plain visibility graph of shapely and networkx.

    python -m benchmarks.bench_planner [--rounds 5]

Every round makes everything ready anew. The planner answers 60 distances and the reach area as polygons; the graph
answers the distances alone, with circles drawn by 16 corners and only those pairs tested that may lie on a shortest
way, which is to its advantage. Distances are compared before anything is timed: those of the planner have to lie
between those of graphs with circles drawn too small and too large.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import shapely

from simulator.pathing.continuous import Obstacles, Question, areas_of, plan, plan_many, prepare
from simulator.pathing.continuous.prepared import forget

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "pathing_continuous"))
from visibility_reference import VisibilityGraph

WIDTH, HEIGHT = 72.0, 48.0
RADIUS = 0.5
ROUNDS_DRAWN = 16
#: Pieces, bases, budget; the most of the graph's time that the planner may take, and the aim in milliseconds.
CASES = ((10, 10, 12.0, None, None), (60, 30, 12.0, 0.1, 40.0), (200, 60, 24.0, 0.05, 600.0))
UNITS = 8
LEAST_GAIN = 1.5


def crowded_table(pieces: int, bases: int, seed: int) -> Obstacles:
    """Convex pieces about two to three inches across, and bases of an inch, anywhere on the table."""
    dice = np.random.default_rng(seed)
    polygons = []
    while len(polygons) < pieces:
        corners = int(dice.integers(4, 8))
        angles, reach = dice.uniform(0, 2 * np.pi, corners), dice.uniform(0.7, 1.6, corners)
        middle = dice.uniform((0, 0), (WIDTH, HEIGHT))
        ring = middle + reach[:, None] * np.stack([np.cos(angles), np.sin(angles)], axis=1)
        hull = shapely.convex_hull(shapely.MultiPoint(np.round(ring, 6)))
        if hull.area > 0.5:
            polygons.append(hull)
    places = np.round(dice.uniform((1, 1), (WIDTH - 1, HEIGHT - 1), (bases, 2)), 6)
    return Obstacles(np.column_stack([places, np.full(bases, 0.5)]), (), polygons, (0, 0, WIDTH, HEIGHT))


def starts_on(obstacles: Obstacles, count: int) -> np.ndarray:
    """Legal places around the middle of the table."""
    dice = np.random.default_rng(7)
    places = np.round(dice.uniform((24, 14), (48, 34), (400, 2)), 6)
    return places[prepare(obstacles, RADIUS).legal(places)][:count]


def milliseconds(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return 1e3 * (time.perf_counter() - begin)


def planner_answers(obstacles: Obstacles, start: np.ndarray, goals: np.ndarray, budget: float) -> None:
    forget()
    reach = plan(prepare(obstacles, RADIUS), start, budget)
    reach.cost_at(goals)
    reach.area()


def graph_answers(
    obstacles: Obstacles, start: np.ndarray, goals: np.ndarray, budget: float, around: bool = False
) -> np.ndarray:
    graph = VisibilityGraph(obstacles, RADIUS, start, goals, around=around, budget=budget, rounds=ROUNDS_DRAWN)
    return np.asarray(graph.lengths())


def check_answers(obstacles: Obstacles, start: np.ndarray, goals: np.ndarray, budget: float) -> None:
    costs = plan(prepare(obstacles, RADIUS), start, budget).cost_at(goals)
    short = graph_answers(obstacles, start, goals, budget)
    long = graph_answers(obstacles, start, goals, budget, around=True)
    if not (np.all(costs >= short - 1e-6) and np.all((costs <= long + 1e-6) | np.isinf(long))):
        raise SystemExit("planner and graph disagree")


def one_unit(rounds: int) -> list[str]:
    lines = ["| pieces | bases | budget | planner, ms | plain graph, ms | ratio | bar | aim, ms |", "|" + "---|" * 8]
    for pieces, bases, budget, bar, aim in CASES:
        obstacles = crowded_table(pieces, bases, seed=1)
        (start,) = starts_on(obstacles, 1)
        goals = start + np.random.default_rng(2).uniform(-budget, budget, (200, 2)) / np.sqrt(2)
        goals = goals[prepare(obstacles, RADIUS).legal(goals)][:60]
        check_answers(obstacles, start, goals, budget)
        ours, theirs = [], []
        for _ in range(rounds):
            ours.append(milliseconds(lambda: planner_answers(obstacles, start, goals, budget)))
            theirs.append(milliseconds(lambda: graph_answers(obstacles, start, goals, budget)))
        ratio = statistics.median(one / other for one, other in zip(ours, theirs, strict=True))
        lines.append(
            f"| {pieces} | {bases} | {budget:g} | {statistics.median(ours):.1f} | {statistics.median(theirs):.0f} "
            f"| 1/{1 / ratio:.0f} | {f'1/{1 / bar:.0f}' if bar else '-'} | {aim or '-'} |"
        )
    return lines


def several_units(rounds: int) -> list[str]:
    lines = ["| eight units on | one by one, ms | together, ms | gain | bar |", "|---|---|---|---|---|"]
    for pieces, bases, budget, _, _ in CASES[1:]:
        obstacles = crowded_table(pieces, bases, seed=1)
        starts = starts_on(obstacles, UNITS)
        questions = [Question(start, budget) for start in starts]
        together = areas_of(plan_many(prepare(obstacles, RADIUS), questions))
        for start, area in zip(starts, together, strict=True):
            alone = plan(prepare(obstacles, RADIUS), start, budget).area()
            if not area.equals_exact(alone, 1e-6):
                raise SystemExit("areas asked for together differ from those asked for alone")

        def alone_each() -> None:
            for start in starts:
                forget()
                plan(prepare(obstacles, RADIUS), start, budget).area()

        def shared_each() -> None:
            forget()
            for start in starts:
                plan(prepare(obstacles, RADIUS), start, budget).area()

        def at_once() -> None:
            forget()
            areas_of(plan_many(prepare(obstacles, RADIUS), questions))

        timed = [[milliseconds(work) for work in (alone_each, shared_each, at_once)] for _ in range(rounds)]
        alone_ms, shared_ms, once_ms = (statistics.median(column) for column in zip(*timed, strict=True))
        for name, place, one in (("each its own table", 0, alone_ms), ("all one table", 1, shared_ms)):
            gain = statistics.median(row[place] / row[2] for row in timed)
            name = f"{pieces} pieces, {bases} bases, budget {budget:g}; one by one: {name}"
            lines.append(f"| {name} | {one:.0f} | {once_ms:.0f} | {gain:.2f} | {LEAST_GAIN} |")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    print("\n".join([*one_unit(rounds), "", *several_units(rounds)]))


if __name__ == "__main__":
    main()
