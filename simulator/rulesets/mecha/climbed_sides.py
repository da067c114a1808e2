"""The sides of elevated terrain that a unit may climb, and from which places at the foot climbs lead to those on top.

A climb is a placement straight across an edge: the base touches a side from outside, then the same side from inside.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import shapely

from simulator.geometry.convex import IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.poses import Level
from simulator.rulesets.mecha.elevated import Top

#: Places that are nearer to each other are one.
SAME = 4e-6


class Feet(NamedTuple):
    """Places at the foot of sides: each with the row of the place on top and its side."""

    row: IntArray
    side: IntArray
    here: FloatArray


class ClimbedSides:
    """The sides of some tops for a base of a radius: each from one corner to the next."""

    def __init__(self, tops: Iterable[Top], radius: float, contact_tolerance: float) -> None:
        """List the sides; on round terrain the base may be off its drawn side by the tolerance of contact."""
        self.radius, self.contact_tolerance = radius, contact_tolerance
        self.tops: list[Top] = []
        rows = [np.zeros((0, 6))]
        for top in tops:
            found = _sides_of(top)
            rows.append(found)
            self.tops += [top] * len(found)
        #: Where sides begin and end, and the direction straight out of each.
        self.start, self.end, self.out = np.split(np.concatenate(rows), 3, axis=1)

    @cached_property
    def _slack(self) -> FloatArray:
        return np.array([self.contact_tolerance if top.is_round else SAME for top in self.tops], np.float64)

    @cached_property
    def inward(self) -> FloatArray:
        """The heading straight at each side."""
        return np.asarray(np.round(np.degrees(np.arctan2(-self.out[:, 1], -self.out[:, 0])) % 360.0, 6))

    @cached_property
    def names(self) -> list[str]:
        """The names of the levels to which sides lead."""
        return [top.name for top in self.tops]

    @cached_property
    def _outlines(self) -> shapely.Geometry:
        lines = shapely.union_all([top.polygon.boundary for top in dict.fromkeys(self.tops)])
        shapely.prepare(lines)
        return lines

    def on_top(self, share: float) -> FloatArray:
        """Return where the base touches each side from inside, a share along it."""
        return np.asarray(self.start + share * (self.end - self.start) - self.radius * self.out)

    def feet_of(self, places: FloatArray, level: Level) -> Feet:
        """Return the places across the sides of a level that a base touches at each of many places on top."""
        near = self._near(places)
        of_level = np.flatnonzero([level in (None, name) for name in self.names])
        start, out = self.start[of_level], self.out[of_level]
        along = self.end[of_level] - start
        away = places[near][:, None] - start
        at = (away * along).sum(axis=2) / (along * along).sum(axis=1)
        beyond = -(away * out).sum(axis=2) - self.radius
        touches = (at >= -SAME) & (at <= 1 + SAME) & (beyond >= -SAME) & (beyond <= self._slack[of_level])
        row, side = np.nonzero(touches)
        here = start[side] + at[row, side, None] * along[side] + self.radius * out[side]
        return Feet(near[row], of_level[side], here)

    def _near(self, places: FloatArray) -> IntArray:
        """The rows of the places at which a base may touch an edge from inside."""
        if not len(self.tops) or not len(places):
            return np.zeros(0, np.intp)
        away = shapely.distance(self._outlines, shapely.points(places)) - self.radius
        return np.flatnonzero(np.abs(away) <= self.contact_tolerance + SAME)


def _sides_of(top: Top) -> FloatArray:
    """The sides of a top: rows with the corners at which they begin and end, and the direction straight out."""
    rows = []
    for ring in (top.polygon.exterior, *top.polygon.interiors):
        corners = shapely.get_coordinates(ring)
        sign = 1.0 if ring.is_ccw == bool(ring.equals(top.polygon.exterior)) else -1.0
        for start, end in pairwise(corners):
            x, y = (end - start) / np.hypot(*(end - start))
            rows.append([*start, *end, sign * y, -sign * x])
    return np.array(rows, np.float64)
