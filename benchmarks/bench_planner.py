"""The any-angle planner beside a plain visibility graph of shapely and networkx.

    python -m benchmarks.bench_planner [--rounds 5]

Every round prepares everything from scratch. The planner computes 60 distances and the reach area as polygons.
The graph draws circles with 64 corners. It is timed plain, with every pair of corners, for the distances alone and with
the area (the ground in sight of each reached corner along 64 rays); and with tangents only, without the pairs that no
shortest way can use, for the distances alone. Distances are compared before anything is timed: those of the planner
have to lie between those of graphs with circles drawn too small and too large. Peaks are what Python and numpy held
more than before while a work was done once more; the geometries of shapely are not counted.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from benchmarks.peaks import peak_of, peak_text
from simulator.pathing.free import Obstacles, TravelQuery, areas_of, plan, plan_many, prepare
from simulator.pathing.free.prepared import forget
from simulator.pathing.free.reference import VisibilityGraph

WIDTH, HEIGHT = 72.0, 48.0
RADIUS = 0.5
#: Pieces, bases, budget; the required speedup of the planner over the plain graph, the aim in milliseconds, and
#: whether the table is so large that the plain graph is timed only once and without the area, which takes minutes.
CASES = ((60, 30, 12.0, 10, 40.0, False), (200, 60, 24.0, 20, 600.0, True))
UNITS = 8
LEAST_GAIN = 1.5


def crowded_table(pieces: int, bases: int, seed: int) -> Obstacles:
    """Convex pieces two to three inches across, and bases of an inch, anywhere on the table."""
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


class Case(NamedTuple):
    obstacles: Obstacles
    start: np.ndarray
    goals: np.ndarray
    budget: float


def case_of(pieces: int, bases: int, budget: float) -> Case:
    """A table, a start near its middle, and sixty legal goals within the budget as the crow flies."""
    obstacles = crowded_table(pieces, bases, seed=1)
    (start,) = starts_on(obstacles, 1)
    goals = start + np.random.default_rng(2).uniform(-budget, budget, (300, 2)) / np.sqrt(2)
    goals = goals[prepare(obstacles, RADIUS).legal(goals)][:60]
    return Case(obstacles, start, goals, budget)


def planner_answers(case: Case) -> None:
    forget()
    reach = plan(prepare(case.obstacles, RADIUS), case.start, case.budget)
    reach.cost_at(case.goals)
    reach.area()


def graph_answers(case: Case, *, around: bool = False) -> np.ndarray:
    graph = VisibilityGraph(case.obstacles, RADIUS, case.start, case.goals, around=around, budget=case.budget)
    return np.asarray(graph.lengths())


def check_answers(case: Case) -> None:
    costs = plan(prepare(case.obstacles, RADIUS), case.start, case.budget).cost_at(case.goals)
    short, long = graph_answers(case), graph_answers(case, around=True)
    if not (np.all(costs >= short - 1e-6) and np.all((costs <= long + 1e-6) | np.isinf(long))):
        raise SystemExit("planner and graph disagree")


def plain_answers(case: Case, *, area: bool) -> None:
    graph = VisibilityGraph(case.obstacles, RADIUS, case.start, case.goals, budget=case.budget, every_pair=True)
    graph.lengths()
    if area:
        graph.area()


def one_unit(rounds: int) -> list[str]:
    lines = [
        "| pieces | bases | budget | planner, ms | aim, ms | plain, distances alone, ms | planner / plain | bar "
        "| plain, with area, ms | tangents, distances alone, ms | planner / tangents "
        "| peaks, MB: planner / plain / with area / tangents |",
        "|" + "---|" * 12,
    ]
    for pieces, bases, budget, bar, aim, large in CASES:
        case = case_of(pieces, bases, budget)
        check_answers(case)
        planner, graph = partial(planner_answers, case), partial(graph_answers, case)
        plainly, whole = partial(plain_answers, case, area=False), partial(plain_answers, case, area=True)
        works = [planner, graph] if large else [planner, graph, plainly]
        timed = [[milliseconds(work) for work in works] for _ in range(rounds)]
        ours, tangents, *plain = (statistics.median(column) for column in zip(*timed, strict=True))
        distances = milliseconds(plainly) if large else plain[0]
        with_area = "-" if large else f"{milliseconds(whole):.0f}"
        peaks = [peak_of(planner), peak_of(plainly), None if large else peak_of(whole), peak_of(graph)]
        lines.append(
            f"| {pieces} | {bases} | {budget:g} | {ours:.1f} | {aim:g} | {distances:.0f} | 1/{distances / ours:.0f} "
            f"| 1/{bar} | {with_area} | {tangents:.0f} | 1/{tangents / ours:.1f} | {peak_text(*peaks)} |"
        )
    return lines


def each_its_own_table(case: Case, starts: np.ndarray) -> list[BaseGeometry]:
    areas = []
    for start in starts:
        forget()
        areas.append(plan(prepare(case.obstacles, RADIUS), start, case.budget).area())
    return areas


def one_by_one(case: Case, starts: np.ndarray) -> list[BaseGeometry]:
    forget()
    return [plan(prepare(case.obstacles, RADIUS), start, case.budget).area() for start in starts]


def together(case: Case, starts: np.ndarray) -> list[BaseGeometry]:
    forget()
    return areas_of(plan_many(prepare(case.obstacles, RADIUS), [TravelQuery(start, case.budget) for start in starts]))


def several_units(rounds: int) -> list[str]:
    lines = [
        "| eight units on | each its own table, ms | one by one on one table, ms | together, ms "
        "| peaks, MB: own / one by one / together | gain on own tables | gain on one table | bar |",
        "|" + "---|" * 8,
    ]
    for pieces, bases, budget, *_ in CASES:
        case = case_of(pieces, bases, budget)
        starts = starts_on(case.obstacles, UNITS)
        works = [partial(work, case, starts) for work in (each_its_own_table, one_by_one, together)]
        for one, other in zip(works[1](), works[2](), strict=True):
            if one.symmetric_difference(other).area > 1e-6:
                raise SystemExit("areas computed together differ from those computed one by one")
        timed = [[milliseconds(work) for work in works] for _ in range(rounds)]
        own, shared, once = (statistics.median(column) for column in zip(*timed, strict=True))
        on_own = statistics.median(row[0] / row[2] for row in timed)
        on_one = statistics.median(row[1] / row[2] for row in timed)
        lines.append(
            f"| {pieces} pieces, {bases} bases, budget {budget:g} | {own:.0f} | {shared:.0f} | {once:.0f} "
            f"| {peak_text(*map(peak_of, works))} | {on_own:.2f} | {on_one:.2f} | {LEAST_GAIN} |"
        )
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    print("\n".join([*one_unit(rounds), "", *several_units(rounds)]))


if __name__ == "__main__":
    main()
