"""Which ways to arrive at a place are no use: one that is known costs less, whichever heading is asked for.

A mover turns at the end of its way to the heading it is to face. By how much more such a turn may cost after one way
than after another depends on how far apart they arrive. Where turns may be barred or have other prices, or degrees may
be left that are free, nothing is ruled out.
"""

from __future__ import annotations

import math

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.footprints import Round
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.tolerances import ROUNDING_OF_ANGLES, TOLERANCE
from simulator.pathing.posed.last_legs import LastLegs
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.sweeps_of_rays import free_turns
from simulator.pathing.posed.turn_prices import TurnPrices

#: Into so many parts the circle is divided to compare headings.
_PARTS = 720
#: Headings are the same if they are after rounding to so many digits.
_DIGITS = 9


class Outdone:
    """What the ways that are known leave to others that arrive at a place."""

    def __init__(self, space: PoseSpace, place: XY) -> None:
        self._turns = space.turns
        self._rate = _rate_of_turns(space, np.array([place], np.float64))
        #: By part of the circle that others arrive in, and by very headings in ascending order: what ways cost at most
        #: that are of use.
        self._by_part = np.full(_PARTS, np.inf)
        self._headings, self._costs = np.zeros(0), np.zeros(0)
        self._more = None if self._rate is None else self._rate * dearer_turns(space.turns)

    def add(self, legs: LastLegs) -> None:
        """Note ways that arrive."""
        if self._more is None:
            return
        group = legs.turns.group
        apart = 0.0 if self._turns.separation is None else float(self._turns.separation)
        alone = (group.sense == 0.0) | (group.inches + legs.inches >= max(apart, TOLERANCE))
        headings, cost = np.mod(legs.turns.heading, 360.0)[alone], legs.cost[alone]
        parts = np.floor(headings * (_PARTS / 360.0)).astype(np.intp) % _PARTS
        best = np.full(_PARTS, np.inf)
        np.minimum.at(best, parts, cost)
        of = np.flatnonzero(np.isfinite(best))
        if len(of):
            away = (np.arange(_PARTS)[:, None] - of) % _PARTS
            np.minimum(self._by_part, np.min(best[of] + self._more[away], axis=1), out=self._by_part)
        headings = np.concatenate([self._headings, np.round(headings, _DIGITS)])
        costs = np.concatenate([self._costs, cost])
        cheapest = np.lexsort((costs, headings))
        headings, costs = headings[cheapest], costs[cheapest]
        first = np.diff(headings, prepend=-1.0) > 0.0
        self._headings, self._costs = headings[first], costs[first]

    def leaves(self, headings: FloatArray, least: FloatArray) -> BoolArray:
        """Find which ways are not ruled out, by the headings that they arrive with and what they cost at least."""
        if self._more is None:
            return np.ones(len(least), np.bool_)
        facing = np.mod(headings, 360.0)
        parts: IntArray = np.floor(facing * (_PARTS / 360.0)).astype(np.intp) % _PARTS
        at_most = self._by_part[parts]
        if len(self._headings):
            exact = np.round(facing, _DIGITS)
            near = np.minimum(np.searchsorted(self._headings, exact), len(self._headings) - 1)
            at_most = np.minimum(at_most, np.where(self._headings[near] == exact, self._costs[near], np.inf))
        return np.asarray(least <= at_most + TOLERANCE)


def _rate_of_turns(space: PoseSpace, place: FloatArray) -> float | None:
    """What turns at a place are multiplied by; None where ways there cannot be compared by their headings."""
    prices = [price for _, price in space.turns.brackets]
    # A round base meets nothing more while it turns.
    tolls = (space.tolls and not isinstance(space.base, Round)) or any(level.tolls for level in space.passes)
    if tolls or space.more_than is not None or space.turns.free or prices != sorted(prices):
        return None
    none = np.zeros(1)
    if any(free_turns(space, place, none, sense)[0] < 180.0 for sense in (-1.0, 1.0)):
        return None
    if not space.turns.times_rate:
        return 1.0
    if not isinstance(space.ground.base, Round | None):
        return None
    rate = float(space.ground.rates_at(place, none)[0])
    return rate if math.isfinite(rate) else None


def dearer_turns(turns: TurnPrices) -> FloatArray:
    """Compute by how much turns to any heading may cost more from one heading than from another, by parts between.

    >>> dearer = dearer_turns(TurnPrices.of([(45, 6), (90, 12), (135, 24), (180, 30)]))
    >>> dearer[0], dearer[80], dearer[100], dearer[360]
    (np.float64(12.0), np.float64(12.0), np.float64(18.0), np.float64(30.0))
    """
    ends = np.arange(_PARTS + 1) * (360.0 / _PARTS)
    low, high = (np.minimum(side, 360.0 - side) for side in (ends[:-1], ends[1:]))
    beyond = 4 * ROUNDING_OF_ANGLES
    most = turns.prices(np.minimum(np.maximum(low, high) + beyond, 180.0))
    least = turns.prices(np.maximum(np.minimum(low, high) - beyond, 0.0))
    # Each of two headings lies anywhere in its part, so what is between them reaches over three.
    around = (np.arange(_PARTS)[:, None] + np.arange(_PARTS)) % _PARTS
    dearest = np.maximum(np.maximum(np.roll(most, 1), most), np.roll(most, -1))
    return np.asarray(np.max(dearest[around] - least, axis=1))
