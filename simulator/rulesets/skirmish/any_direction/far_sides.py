"""Traverses in any direction: the far sides of an obstacle, and which starts lead to them.

The other side is the first place behind an obstacle at which the base no longer overlaps it (SK-23): there it touches.
So whatever the aim, far sides lie on one line, the outline of the obstacle grown by the base's radius. It is followed
like the rows of traverses straight across, only backwards: from where can a soldier come down at this place?

A soldier that comes down anywhere can also start from the outline of the ground where it can stand: going back along
the ray either that ground ends, or the base touches the obstacle, and there it ends too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import shapely
from shapely import Point
from shapely.geometry.base import BaseGeometry

from simulator.engine.clauses import clause
from simulator.geometry.convex import IntArray
from simulator.geometry.outlines import first_crossings, offset_rings, places_along
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.tolerances import TOLERANCE
from simulator.pathing.links import CLOSE, Link, TracedCurve, Tries
from simulator.pathing.links.curves import Named
from simulator.rulesets.skirmish.obstruction import features_of
from simulator.rulesets.skirmish.traverse.jumps import Jumps
from simulator.rulesets.skirmish.units import radius_of

#: How many pairs of a start and a place are processed together.
_AT_ONCE = 20_000


class FarSides(TracedCurve):
    """A line around an obstacle on which its traverses come down, and the places where they may begin."""

    def __init__(self, jumps: Jumps, number: int, ring: BaseGeometry, starts: FloatArray) -> None:
        super().__init__(float(ring.length))
        self.jumps, self.number, self.ring, self.starts = jumps, number, ring, starts
        self.edges = np.asarray(features_of(jumps.climber.table).obstacles[number].shape.edges)

    def alike(self, some: Named, others: Named) -> bool:
        """Whether traverses come down at both or at neither: the line between is all far sides."""
        return some.keys() == others.keys()

    def places_at(self, shares: Sequence[float]) -> FloatArray:
        """Return the places at shares of the line."""
        return places_along(self.ring, shares)

    @clause("SK-23")
    def tries_at(self, places: FloatArray) -> Tries:
        """Return the traverses across the obstacle from all possible starts, towards places of the offset outline."""
        parts = np.array_split(places, len(places) * len(self.starts) // _AT_ONCE + 1)
        before = np.cumsum([0, *map(len, parts)])
        place, starts, aims = zip(*map(self._aims, parts), strict=True)
        number = np.concatenate([one + first for one, first in zip(place, before, strict=False)])
        what = np.full(len(number), self.number, np.intp)
        return Tries(places, number, what, np.concatenate(starts), np.concatenate(aims))

    def _aims(self, places: FloatArray) -> tuple[IntArray, FloatArray, FloatArray]:
        """Compute where rays to places first meet the obstacle, near enough: which place, from where, where."""
        step = places[:, None] - self.starts
        first = first_crossings(self.edges, self.starts, places)
        reach = np.where(np.isfinite(first), first, 0.0) * np.hypot(step[..., 0], step[..., 1])
        place, start = np.nonzero(np.isfinite(first) & (reach <= self.jumps.climber.within + TOLERANCE))
        order = np.lexsort((reach[place, start], place))
        place, start = place[order], start[order]
        aims = self.starts[start] + first[place, start, None] * step[place, start]
        return place, self.starts[start], aims


@clause("SK-18", "SK-23")
def towards(jumps: Jumps, place: XY, starts: FloatArray) -> list[Link]:
    """Return every legal traverse from some places that comes down at one, in whatever direction leads there."""
    radius, spot = radius_of(jumps.climber.soldier), Point(place)
    found: list[Link] = []
    for number, piece in enumerate(features_of(jumps.climber.table).obstacles):
        if not jumps.climber.is_possible[number] or abs(piece.shape.polygon.distance(spot) - radius) > CLOSE:
            continue
        tries = FarSides(jumps, number, spot, starts).tries_at(np.array([place]))
        found += jumps.links_of(jumps.legal_of(tries, CLOSE))
    return found


@clause("SK-18", "SK-23")
def far_sides_of(jumps: Jumps, starts: FloatArray) -> Iterator[FarSides]:
    """Yield the far sides of all obstacles that can be traversed from some places."""
    radius, spots = radius_of(jumps.climber.soldier), shapely.points(starts)
    within = jumps.climber.within + TOLERANCE
    for number, piece in enumerate(features_of(jumps.climber.table).obstacles):
        near = starts[shapely.distance(piece.shape.polygon, spots) <= within]
        if len(near) and jumps.climber.is_possible[number]:
            for ring in offset_rings(piece.shape.polygon, radius):
                yield FarSides(jumps, number, ring, near)
