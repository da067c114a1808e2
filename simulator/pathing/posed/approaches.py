"""What straight last legs to places cost at least, by where they come from: looked up once for each of many directions.

Thousands of last legs may lead to a place, most of them through something that bars the way or over dear ground. So the
raster is looked through outward from the place, in directions so close that whatever leads there between two of them
passes the same cells, or those beside them. Legs that something bars may have a gap beside them: what is known holds
for legs that start a little way off, too.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simulator.geometry.convex import IntArray
from simulator.geometry.pieces import FloatArray
from simulator.pathing.posed.closer_prices import CloserPrices
from simulator.pathing.posed.edges import OffTheEdge

#: A leg is never farther off the nearest direction than so much of a cell, so that it stays within a cell of what is
#: looked up half a cell before or behind it.
_OFF = 0.8
#: No farther from a place than so many cells is looked: what lies beyond counts as the cheapest ground.
_FARTHEST = 64
#: What is known holds for legs that start so many inches beside, too.
BESIDE = 0.25
#: Sums are rounded by less than this share.
_ROUNDING = 1e-5
#: For so many legs to a place, or more, it is worth looking around it.
WORTH = 600

_Prices = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Approaches:
    """The least prices of legs to places, by length in cells, place and direction."""

    apart: float
    least: float  #: what an inch costs at least beyond what was looked at
    number: IntArray  #: of each place, that under which its prices are known
    prices: _Prices  #: [cells, number, direction]

    @classmethod
    def to(
        cls,
        closer: CloserPrices,
        places: FloatArray,
        some: IntArray,
        longest: float,
        leap: OffTheEdge | None = None,
    ) -> Approaches:
        """Look around some of the places for legs no longer than so many inches.

        What lies beyond the edge that a leap leads over costs nothing.
        """
        number = np.zeros(len(places), np.intp)
        number[some] = np.arange(len(some))
        apart = closer.cells.apart
        steps = max(min(math.ceil(longest / apart), _FARTHEST), 1)
        count = max(math.ceil(math.pi * steps / _OFF), 8)
        angle = 2.0 * math.pi / count * np.arange(count)
        at = (np.arange(steps) + 0.5) * apart
        away = at[:, None, None] * np.column_stack([np.cos(angle), np.sin(angle)])
        rates = closer.rates_around(places[some], away)
        if leap is not None:
            on_top = closer.inside_around(leap.polygon, leap.base.reach, places[some], away)
            rates *= np.logical_or.accumulate(on_top, axis=0)
        prices = np.zeros((steps + 1, len(some), count), np.float32)
        np.cumsum(rates, axis=0, out=prices[1:])
        prices *= apart * (1.0 - _ROUNDING)
        for step in range(1, steps + 1):
            aside = math.asin(BESIDE / (step * apart + BESIDE))
            prices[step] = _least_beside(prices[step], math.ceil(aside * count / (2.0 * math.pi)))
        # The way over an edge may be longer than is looked.
        least = float(closer.space.ground.least) if leap is None else 0.0
        return cls(apart, least, number, prices)

    def least_of(self, place: IntArray, bearing: FloatArray, inches: FloatArray) -> FloatArray:
        """Compute what legs cost at least that lead to places in directions, in degrees; places by their numbers."""
        steps, places, count = self.prices.shape
        direction = np.rint((bearing + 180.0) * (count / 360.0)).astype(np.intp) % count
        inches = np.maximum(inches - BESIDE, 0.0)
        whole = np.minimum((inches / self.apart).astype(np.intp), steps - 1)
        known = self.prices.ravel()[(whole * places + self.number[place]) * count + direction]
        return np.asarray(known + (inches - whole * self.apart) * self.least)


def _least_beside(prices: _Prices, many: int) -> _Prices:
    """The least prices of each direction and of so many on either side of it."""
    if 2 * many >= prices.shape[1]:
        return np.broadcast_to(prices.min(axis=1, keepdims=True), prices.shape)
    found = np.concatenate([prices[:, -many:], prices, prices[:, :many]], axis=1)
    wide = 1
    while wide <= 2 * many:
        more = min(wide, 2 * many + 1 - wide)
        found = np.minimum(found[:, :-more], found[:, more:])
        wide += more
    return found
