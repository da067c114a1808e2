"""Queries about one prepared table, one at a time or many in one call.

A start may touch anything. One that overlaps things deeper than a millionth may leave them in any direction: they bar
none of its ways, but still no way may end in them. One off the table may come back to it.

A move in several spends, each with a legal end of its own, is a chain of queries: the reach of the first spend, then
from there that of the second. If nothing forbids an end on the way (`no_end`), one query with the whole budget is
equivalent. If friends stand in the way, run that query, check where its ways are cut (`Path.at`), and for places whose
ways are cut on a friend start another query from the ends next to it: from several starts on its rim, each with the
cost paid so far. Starts at a distance of h make such an answer at most h / 2 too expensive.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from shapely.geometry.base import BaseGeometry

from simulator.errors import BoardError
from simulator.pathing.columns import join
from simulator.pathing.free.forbidden import Side
from simulator.pathing.free.obstacles import Floats
from simulator.pathing.free.prepared import PreparedTable, prepare
from simulator.pathing.free.reach import FreeReach, areas
from simulator.pathing.free.search import search, starts_of


@dataclass(frozen=True, eq=False)
class TravelQuery:
    """A query for the reach of a unit from one start or several, each with its cost so far, within a budget.

    `no_end` are discs, rows x, y, radius, that may be passed but not ended on.
    """

    starts: ArrayLike
    budget: float
    paid: ArrayLike = 0.0
    no_end: ArrayLike = ()


def plan(
    table: PreparedTable, start: ArrayLike, budget: float, *, paid: ArrayLike = 0.0, no_end: ArrayLike = ()
) -> FreeReach:
    """Answer one query.

    >>> from simulator.pathing.free import Obstacles
    >>> table = prepare(Obstacles(discs=[(3, 0, 0.5)]), radius=0.5)
    >>> reach = plan(table, (0, 0), budget=7)
    >>> round(reach.cost_at((6, 0)), 4)
    6.3365
    >>> [type(piece).__name__ for piece in reach.route_to((6, 0)).pieces]
    ['Straight', 'Bend', 'Straight']
    """
    return plan_many(table, [TravelQuery(start, budget, paid, no_end)])[0]


def plan_many(table: PreparedTable, questions: Sequence[TravelQuery]) -> list[FreeReach]:
    """Answer many queries about one table in one search."""
    reaches: list[FreeReach | None] = [None] * len(questions)
    ways = _ways_out(table, [np.asarray(question.starts, np.float64).reshape(-1, 2) for question in questions])
    groups: dict[int, list[int]] = {}
    for number, way in enumerate(ways):
        groups.setdefault(id(way), []).append(number)
    for numbers in groups.values():
        own = ways[numbers[0]]
        packed = [starts_of(questions[at].starts, questions[at].paid, row) for row, at in enumerate(numbers)]
        starts = join(packed)
        budgets = np.array([_budget(questions[at].budget) for at in numbers])
        found = search(own, starts, budgets)
        for row, at in enumerate(numbers):
            no_end = np.asarray(questions[at].no_end, np.float64).reshape(-1, 3)
            reaches[at] = FreeReach(own, table, found, row, float(budgets[row]), no_end)
    return [reach for reach in reaches if reach is not None]


def areas_of(reaches: Sequence[FreeReach], error: float = 0.01, side: Side = "nearest") -> list[BaseGeometry]:
    """Return the areas of many reaches; those of one search cast their rays together."""
    drawn: list[BaseGeometry | None] = [None] * len(reaches)
    groups: dict[int, list[int]] = {}
    for number, reach in enumerate(reaches):
        groups.setdefault(id(reach.found), []).append(number)
    for numbers in groups.values():
        some = [reaches[at] for at in numbers]
        for at, area in zip(numbers, areas(some, error=error, side=side, budgets=[None] * len(some)), strict=True):
            drawn[at] = area
    return [area for area in drawn if area is not None]


def straight_reach(table: PreparedTable, start: ArrayLike, length: float, *, no_end: ArrayLike = ()) -> FreeReach:
    """Answer where one straight move of at most a length may end: what is seen straight from the start."""
    reach = plan(table, start, length, no_end=no_end)
    return FreeReach(reach.table, reach.standing, reach.found, 0, reach.budget, reach.no_end, straight_only=True)


def _budget(budget: float) -> float:
    if not 0.0 <= budget <= 1e6:
        raise BoardError(f"is 0 or more and finite, not {budget}", "budget")
    return float(budget)


def _ways_out(table: PreparedTable, starts: Sequence[Floats]) -> list[PreparedTable]:
    """Return the table for each question, without what its starts overlap: who stands in something may leave it."""
    found = [table] * len(starts)
    rows = np.concatenate([np.zeros((0, 2)), *starts])
    whose = np.repeat(np.arange(len(starts)), [len(some) for some in starts])
    deep = table.depths(rows) > 0.0
    for number in np.unique(whose[deep]).tolist():
        places = rows[deep & (whose == number)].tolist()
        things = sorted({thing for x, y in places for thing in table.overlapped((x, y))})
        if things:
            found[number] = prepare(table.obstacles.without(things), table.radius, exact_fit=table.exact_fit)
    return found
