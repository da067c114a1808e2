"""The fewest AP that could lead to a place, known without a search: whatever bars the way, and whatever can be climbed.

A traverse begins near what it crosses and comes down beside it. So a soldier gets from where it stands to the place
along a chain of things that it crosses, with a lot of moves from each to the next; what stands in the way of the moves,
and whether it could come down there, is not asked.
"""

from __future__ import annotations

import math

import numpy as np
import shapely
from numpy.typing import ArrayLike

from simulator.engine.clauses import clause
from simulator.geometry.pieces import XY, FloatArray
from simulator.rulesets.skirmish.reach.spends import Spending
from simulator.rulesets.skirmish.traverse.rules import Climber, max_depth, to_traverse
from simulator.rulesets.skirmish.units import radius_of

#: More inches than all tolerances and roundings together.
_MARGIN = 1e-3


@clause("SK-2", "SK-3", "SK-18", "SK-30")
def least_ap(spending: Spending, place: XY) -> float:
    """Return a number of AP without which no soldier gets to a place, perhaps with a fraction; inf: none ever does."""
    unit, start = spending.unit, (float(spending.unit.place[0]), float(spending.unit.place[1]))
    inches = _inches_of_one_ap(spending)
    best = _moves(math.dist(start, place), 0.0, inches).item()
    things = to_traverse(spending.table, unit) if spending.may_traverse else []
    if not things:
        return best
    climber = Climber(spending.table, unit)
    before, after = climber.within, _behind(climber)
    shapes, goal = np.array(things, object), shapely.Point(place)
    #: With how many AP each thing may have been crossed: of those that are no longer open that is the least.
    crossed = _moves(shapely.distance(shapes, shapely.Point(start)), before, inches) + spending.traverse_ap
    onward, open_ = _moves(shapely.distance(shapes, goal), after, inches), np.ones(len(shapes), np.bool_)
    while open_.any():
        nearest = int(np.argmin(np.where(open_, crossed, np.inf)))
        if crossed[nearest] >= best:
            break
        open_[nearest] = False
        best = min(best, float(crossed[nearest] + onward[nearest]))
        between = _moves(shapely.distance(shapes, shapes[nearest]), before + after, inches)
        np.minimum(crossed, crossed[nearest] + between + spending.traverse_ap, out=crossed)
    return best


def _moves(apart: ArrayLike, crossing: float, inches: float) -> FloatArray:
    """Return how many AP are spent at least on moves between things so far apart, but for what crossings lead over."""
    left = np.maximum(np.asarray(apart, np.float64) - crossing - _MARGIN, 0.0)
    return np.where(left > 0.0, np.inf, 0.0) if inches <= 0.0 else left / inches


@clause("SK-2", "SK-3", "SK-30")
def _inches_of_one_ap(spending: Spending) -> float:
    """Return how far an AP leads at most; measured from front to front, the centre gets farther by turning round."""
    inches = spending.farthest(spending.ap) / max(spending.ap, 1)
    return inches + 2 * radius_of(spending.unit) if spending.is_by_front and inches else inches


@clause("SK-24", "SK-50")
def _behind(climber: Climber) -> float:
    """Return how far from what is crossed a traverse may come down: beside an obstacle, beyond the throat of a gap."""
    radius = radius_of(climber.soldier)
    return max_depth(climber.table) + 2 * radius if climber.gaps else radius
