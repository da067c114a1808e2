"""Regions of one price: which gauge counts at a place, by the areas that lie there.

Areas with the same prices are one region, whatever their numbers: a border between two of them changes nothing.
"""

from __future__ import annotations

import numpy as np
import shapely
from numpy.typing import NDArray

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import FloatArray
from simulator.pathing.columns import distinct_rows
from simulator.pathing.posed.ground import PricedGround
from simulator.pathing.weighted.gauges import Gauges, GaugeShape, gauge_shape


class Regions:
    """The gauges of a ground, numbered as they are met; prices are times a factor."""

    def __init__(self, ground: PricedGround, factor: float) -> None:
        self.ground, self._factor = ground, factor
        self._numbers: dict[GaugeShape, int] = {}
        self._by_areas: dict[bytes, int] = {}
        self._gauges = Gauges.of([])

    @property
    def gauges(self) -> Gauges:
        """The gauges met so far."""
        if len(self._gauges.rate) < len(self._numbers):
            self._gauges = Gauges.of(list(self._numbers))
        return self._gauges

    def numbers(self, under: BoolArray) -> IntArray:
        """Return the numbers of the gauges of rows of areas."""
        rows, which = np.unique(np.packbits(under, axis=1), axis=0, return_inverse=True)
        return np.array([self._number(row, under.shape[1]) for row in rows], np.intp)[which.reshape(-1)]

    def _number(self, packed: NDArray[np.uint8], count: int) -> int:
        key = packed.tobytes()
        if key not in self._by_areas:
            under = frozenset(np.flatnonzero(np.unpackbits(packed, count=count)).tolist())
            shape = gauge_shape(self.ground, under, self._factor)
            self._by_areas[key] = self._numbers.setdefault(shape, len(self._numbers))
        return self._by_areas[key]

    def beside(self, left: BoolArray, right: BoolArray) -> tuple[IntArray, IntArray]:
        """Return the numbers of the gauges on both sides of borders, by rows of areas.

        A side on which bars stand is as the other one: it is no better side to go along.
        """
        numbers, other = self.numbers(left), self.numbers(right)
        barred, beyond = self._barred(left), self._barred(right)
        return np.where(barred & ~beyond, other, numbers), np.where(beyond & ~barred, numbers, other)

    def _barred(self, under: BoolArray) -> BoolArray:
        """On which rows of areas bars stand."""
        rows, which = distinct_rows(under)
        return np.array([self.ground.is_barred(frozenset(np.flatnonzero(row).tolist())) for row in rows], np.bool_)[
            which
        ]

    def at(self, places: FloatArray) -> IntArray:
        """Return the numbers of the gauges at places; on a border that of either side."""
        return self.numbers(self.under(places))

    def under(self, places: FloatArray) -> BoolArray:
        """Return the areas that places lie in, as rows of flags; on a border those on either side."""
        standing = self.ground.standing
        under = np.zeros((len(places), standing.count), np.bool_)
        if standing.areas:
            place, area = standing.areas_near(np.hstack([places, places]))
            inside = shapely.contains_xy(standing.prepared.polygons[area], *places[place].T)
            under[place[inside], standing.area_owner[area[inside]]] = True
        if len(standing.discs):
            x, y, radius = standing.discs.T
            place, disc = np.nonzero(np.hypot(places[:, :1] - x, places[:, 1:] - y) < radius)
            under[place, standing.disc_owner[disc]] = True
        return under
