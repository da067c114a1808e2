"""Reach queries on an inch table, compared with a plain visibility graph of shapely and networkx."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from simulator.cli.contenders import Contender, ratio_lines, timed

if TYPE_CHECKING:
    from simulator.geometry.table import InchTable

#: The number of places that each query finds ways to.
_GOALS = 20
#: The number of queries that the visibility graph answers; its time is scaled up.
_FEW = 2
#: A base touches nothing farther away than its radius, up to rounding.
_ROOM = 0.01


def on_table(board: InchTable, queries: int, budget: float, radius: float, seed: int) -> Iterator[str]:
    """Compare, measure and report queries for the exact lengths to places around random starts."""
    import numpy as np

    from simulator.pathing.free import TravelQuery, plan, plan_many, prepare
    from simulator.pathing.free.reference import VisibilityGraph
    from simulator.pathing.free.solids import obstacles_on
    from simulator.wording import measure

    low_x, low_y, high_x, high_y = board.bounds
    obstacles = obstacles_on(board)
    dice = np.random.default_rng(seed)
    places = np.round(dice.uniform((low_x, low_y), (high_x, high_y), (200 + 20 * queries, 2)), 6)
    starts = places[prepare(obstacles.near(places, radius + _ROOM), radius).legal(places)][:queries]
    if len(starts) < queries:
        raise click.UsageError(f"a base of radius {radius:g} finds no room for {queries} starts on {board.name}")
    goals = np.round(starts[:, None] + dice.uniform(-budget, budget, (queries, _GOALS, 2)), 6)
    goals = np.clip(goals, (low_x + radius, low_y + radius), (high_x - radius, high_y - radius))
    few = min(_FEW, queries)
    # All contenders get only the pieces that ways of this length can touch: a small part of a full table.
    obstacles = obstacles.near(starts, budget + radius + _ROOM)
    table = prepare(obstacles, radius)

    def together() -> list[Any]:
        batch = [TravelQuery(start, budget) for start in starts]
        reaches = plan_many(table, batch)
        return [reach.cost_at(some) for reach, some in zip(reaches, goals, strict=True)]

    def one_by_one() -> list[Any]:
        return [plan(table, start, budget).cost_at(some) for start, some in zip(starts, goals, strict=True)]

    def graphs(around: bool = False) -> list[Any]:
        return [
            VisibilityGraph(obstacles, radius, start, some, around=around, budget=budget).lengths()
            for start, some in zip(starts[:few], goals[:few], strict=True)
        ]

    for found, short, long in zip(one_by_one(), graphs(), graphs(around=True), strict=False):
        legal = np.isfinite(found)
        if not (np.all(found[legal] >= short[legal] - 1e-6) and np.all(found[legal] <= long[legal] + 1e-6)):
            raise AssertionError("the planner's lengths do not lie between those of the visibility graphs")
    taken = timed(
        [
            Contender("simulator, all together", together),
            Contender("simulator, one by one", one_by_one),
            Contender("shapely and networkx", graphs, queries / few),
        ]
    )
    counted = f"{measure(queries, 'query')} of {measure(budget, 'inch')}"
    yield f"{board.name}: {counted}, each to {_GOALS} places, base of radius {radius:g}"
    yield from ratio_lines(taken, queries)
    answered = f"answered {few} of the queries, scaled up; it " if queries > few else ""
    yield f"The visibility graph {answered}finds lengths alone, no areas."
