"""The fewest AP that could lead to a place, known without a search: whatever bars the way, and whatever can be climbed.

A traverse begins near what it crosses and comes down beside it. So a soldier gets from where it stands to the place
along a chain of things that it crosses, with moves of whole AP from each to the next; what stands in the way of the
moves, and whether it could come down there, is not asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import shapely
from numpy.typing import ArrayLike, NDArray
from shapely.geometry.base import BaseGeometry

from simulator.engine.clauses import clause
from simulator.geometry.convex import BoolArray
from simulator.geometry.pieces import XY, FloatArray
from simulator.rulesets.skirmish.reach.spends import Spending
from simulator.rulesets.skirmish.traverse.rules import Climber, through_gaps
from simulator.rulesets.skirmish.units import radius_of

#: More inches than all tolerances and roundings together.
_MARGIN = 1e-3


@clause("SK-2", "SK-3", "SK-18", "SK-30")
def least_ap(spending: Spending, place: XY) -> float:
    """Return a number of AP without which no soldier gets to a place; inf: none ever does."""
    x, y = spending.unit.place
    return float(LeastAp(spending, place).from_shapes([shapely.Point(x, y)])[0])


class LeastAp:
    """The fewest AP that could lead to one place from others, with the spends of a question."""

    def __init__(self, spending: Spending, place: XY) -> None:
        self._spending, self._goal = spending, shapely.Point(place)
        self._inches = _inches_of_one_ap(spending)
        climber = Climber(spending.table, spending.unit)
        open_ = climber.is_possible & spending.may_traverse
        self._things: NDArray[Any] = np.array(climber.things, object)[open_]
        self._before, self._after = climber.within, _behind(climber)[open_]
        self._onward = self._from_things()

    @clause("SK-18")
    def _from_things(self) -> FloatArray:
        """Return how many AP lead to the place at least from where each thing has just been crossed."""
        found = self._moves(shapely.distance(self._things, self._goal), self._after)
        open_ = np.isfinite(found)
        while open_.any():
            nearest = int(np.argmin(np.where(open_, found, np.inf)))
            open_[nearest] = False
            far = np.isinf(found)
            between = self._moves(shapely.distance(self._things, self._things[nearest]), self._before + self._after)
            np.minimum(found, between + self._spending.traverse_ap + found[nearest], out=found)
            open_ |= far & np.isfinite(found)
        return found

    def from_shapes(self, shapes: Sequence[BaseGeometry] | NDArray[Any]) -> FloatArray:
        """Return how many AP lead to the place at least from anywhere in each of some shapes."""
        rows = np.asarray(shapes, object)
        return np.minimum(self._moves(shapely.distance(rows, self._goal), 0.0), self.over_things(rows))

    def over_things(self, shapes: Sequence[BaseGeometry] | NDArray[Any], beside: float = 0.0) -> FloatArray:
        """Return the same for ways over at least one thing, from so many inches beside each shape at most."""
        rows = np.asarray(shapes, object)
        if not len(self._things):
            return np.full(len(rows), np.inf)
        apart = self._moves(shapely.distance(rows[:, None], self._things), self._before + beside)
        return np.asarray(np.min(apart + self._onward, axis=1) + self._spending.traverse_ap)

    def _moves(self, apart: ArrayLike, crossing: ArrayLike) -> FloatArray:
        """Return how many AP, whole ones, moves over some inches take at least, but for what crossings lead over."""
        left = np.maximum(np.subtract(apart, crossing) - _MARGIN, 0.0)
        return np.where(left > 0.0, np.inf, 0.0) if self._inches <= 0.0 else np.ceil(left / self._inches)

    # --- what may lead on ---

    def lead_on(self, places: FloatArray, spent: int) -> BoolArray:
        """Return from which places, rows x, y, after so many AP the others may lead to the place."""
        return self._are_enough(self.from_shapes(np.asarray(shapely.points(places))), spent)

    def leads_on(self, shape: BaseGeometry, spent: int) -> bool:
        """Return whether that may be from anywhere in a shape."""
        return bool(self._are_enough(self.from_shapes([shape]), spent)[0])

    def are_worth_crossing_from(self, places: FloatArray, spent: int) -> BoolArray:
        """Return from which places traverses may lead on after so many AP."""
        return self._are_enough(self.over_things(np.asarray(shapely.points(places))), spent)

    def is_worth_crossing(self, shape: BaseGeometry, beside: float, *, spent: int) -> bool:
        """Return whether traverses from a shape, or so many inches beside it, may lead on after so many AP."""
        return bool(self._are_enough(self.over_things([shape], beside), spent)[0])

    def _are_enough(self, needed: FloatArray, spent: int) -> BoolArray:
        return np.asarray(spent + needed <= self._spending.ap)


@clause("SK-2", "SK-3", "SK-30")
def _inches_of_one_ap(spending: Spending) -> float:
    """Return how far an AP leads at most; measured from front to front, the centre gets farther by turning round."""
    inches = spending.farthest(spending.ap) / max(spending.ap, 1)
    return inches + 2 * radius_of(spending.unit) if spending.is_by_front and inches else inches


@clause("SK-23", "SK-50")
def _behind(climber: Climber) -> FloatArray:
    """Return how far from each thing a traverse may come down: beside an obstacle, beyond the throat of a gap."""
    beside, gaps = np.full(climber.obstacles, radius_of(climber.soldier)), np.arange(len(climber.gaps))
    ways = through_gaps(climber, gaps, gaps, climber.throats[:, :2])
    passages = np.array(climber.passages, object)
    sides = [shapely.distance(passages, shapely.points(places)) for places in (ways.foot, ways.far)]
    return np.concatenate([beside, np.maximum(*sides)])
