"""The ground that a mover can end on: the fans of poses to turn at, all together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.footprints import Round
from simulator.geometry.pieces import FloatArray, Solid
from simulator.pathing.columns import pick
from simulator.pathing.posed.fans import fans
from simulator.pathing.posed.legs import CastLegs
from simulator.pathing.posed.search import MESH
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates

#: So many fans are added at once: the next are those of ends that are still missing.
_AT_ONCE = 24
#: An outline is looked at so many inches outside of it, at places so far apart.
_BESIDE, _APART = 0.1, 0.5
#: How many corners a quarter of a circle is drawn with.
_ROUND = 32


def sample_places(space: PoseSpace, apart: float = MESH) -> FloatArray:
    """Return places all over the part of the table that a mover may get to."""
    left, bottom, right, top = space.window[:4]
    x, y = np.meshgrid(np.arange(left, right + apart, apart), np.arange(bottom, top + apart, apart))
    return np.stack([np.minimum(x, right).ravel(), np.minimum(y, top).ravel()], axis=1)


class DrawnArea:
    """The area of the fans that were added so far."""

    def __init__(self, space: PoseSpace, states: PoseStates, error: float) -> None:
        self._space, self._error = space, error
        self._seen = np.zeros(0, np.intp)  #: cells of a grid in which places beside the outline were returned
        self._area: BaseGeometry = shapely.union_all(fans(space, states, error))

    def cover_ends(self, states: PoseStates, legs: CastLegs) -> None:
        """Add the fans of states until the ends of all legs that start from them are in the area."""
        self.cover(legs.rays.places(np.arange(len(legs.mode)), legs.inches), states, legs.turns.state)

    def cover(self, ends: FloatArray, states: PoseStates, source: IntArray) -> None:
        """Add the fans of the states that ends have as their source, until no end is missing."""
        left = np.flatnonzero(self.is_missing(ends))
        while len(left):
            # Those first that most of the missing ends come from.
            sources, count = np.unique(source[left], return_counts=True)
            some = sources[np.argsort(-count, kind="stable")][:_AT_ONCE]
            drawn = fans(self._space, pick(states, some), self._error)
            self._area = shapely.union_all([self._area, *drawn])
            left = left[~np.isin(source[left], some)]
            left = left[self.is_missing(ends[left])]

    def is_missing(self, places: FloatArray) -> BoolArray:
        """Find the places that are not in the area."""
        near = shapely.buffer(self._area, self._error / 2, quad_segs=2)
        shapely.prepare(near)
        return ~np.asarray(shapely.intersects_xy(near, places[:, 0], places[:, 1]))

    def missing(self, places: FloatArray) -> FloatArray:
        """Return the places that are not in the area."""
        return places[self.is_missing(places)]

    def beside(self) -> FloatArray:
        """Return places just outside the outline, all along it, on the table; one in each cell of a grid, once."""
        grown = shapely.buffer(self._area, _BESIDE, quad_segs=2)
        outlines = shapely.boundary(shapely.get_parts(grown))
        lines = shapely.get_parts(outlines)
        lengths = shapely.length(lines)
        count = np.ceil(lengths / _APART).astype(np.intp)
        line = np.repeat(np.arange(len(lines)), count)
        number = np.arange(len(line)) - np.repeat(np.cumsum(count) - count, count)
        places = shapely.get_coordinates(shapely.line_interpolate_point(lines[line], number * (lengths / count)[line]))
        left, bottom, right, top = self._space.window[:4]
        places = places[(places >= (left, bottom)).all(axis=1) & (places <= (right, top)).all(axis=1)]
        cells = np.round(places / _APART * 2).astype(np.intp) @ np.array([1 << 24, 1])
        places = places[np.unique(cells, return_index=True)[1]]
        cells = np.unique(cells)
        new = ~np.isin(cells, self._seen)
        self._seen = np.concatenate([self._seen, cells[new]])
        return places[new]

    def drawn(self) -> BaseGeometry:
        """Return the area less the places where the mover may not stand.

        Between two rays a fan is straight, and may cut off a corner of what stands there. Beside things that it may
        pass over and not end on, a base that is not round counts as the disc around it: no end too many, some too few.
        """
        space = self._space
        inner = space.base.radius if isinstance(space.base, Round) else 0.0
        kept_off = [_grown(space.bars, inner), _grown(space.no_end, space.base.reach)]
        return shapely.difference(self._area, shapely.union_all(kept_off))


def _grown(things: Sequence[Solid], inches: float) -> BaseGeometry:
    return shapely.union_all(
        shapely.buffer(np.array([thing.polygon for thing in things], object), inches, quad_segs=_ROUND)
    )
