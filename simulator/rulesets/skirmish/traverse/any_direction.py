"""Traverses in any direction: the shore of an obstacle, and who comes down on it from where.

The other side is the first place behind an obstacle at which the base no longer overlaps it (SK-23): there it touches.
So whatever is aimed at, far sides lie on one line, the outline of the obstacle grown by the base's radius. It is
followed like the rows of traverses straight across, only backwards: who can come down at this place?

Who comes down anywhere can do so from the outline of the ground that it can stand on: going back along the ray either
that ground ends, or the base touches the obstacle, and there it ends too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import shapely
from shapely import Point
from shapely.geometry.base import BaseGeometry

from simulator.engine.clauses import clause
from simulator.geometry.convex import IntArray
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.tolerances import TOLERANCE
from simulator.rulesets.skirmish.obstruction import edges_of, features_of
from simulator.rulesets.skirmish.traverse.jumps import CLOSE, Jump, Jumps
from simulator.rulesets.skirmish.traverse.rules import are_legal, over_obstacles
from simulator.rulesets.skirmish.traverse.traced import AT_ONCE, Followed, Named, Tries
from simulator.rulesets.skirmish.units import radius_of

#: A shore is drawn with so many corners to a quarter circle.
_ROUND = 32


class Shore(Followed):
    """A line around an obstacle on which those come down who traverse it, and the places where they may begin."""

    def __init__(self, jumps: Jumps, number: int, ring: BaseGeometry, starts: FloatArray) -> None:
        super().__init__(float(ring.length))
        self.jumps, self.number, self.ring, self.starts = jumps, number, ring, starts
        self.edges = edges_of(features_of(jumps.climber.table).obstacles[number])

    def alike(self, some: Named, others: Named) -> bool:
        """Whether somebody comes down at both or at none: the line between is the shore."""
        return some.keys() == others.keys()

    def places_at(self, shares: Sequence[float]) -> FloatArray:
        """The places at shares."""
        spots = shapely.line_interpolate_point([self.ring], list(shares), normalized=True)
        return np.asarray(shapely.get_coordinates(spots))

    @clause("SK-23")
    def tries_at(self, places: FloatArray) -> Tries:
        """The traverses across the obstacle, from all places where they may begin, towards places of the shore."""
        parts = np.array_split(places, len(places) * len(self.starts) // AT_ONCE + 1)
        before = np.cumsum([0, *map(len, parts)])
        place, starts, aims = zip(*map(self._aims, parts), strict=True)
        number = np.concatenate([one + first for one, first in zip(place, before, strict=False)])
        return Tries(places, self.number, number, np.concatenate(starts), np.concatenate(aims))

    def _aims(self, places: FloatArray) -> tuple[IntArray, FloatArray, FloatArray]:
        """Where rays to places first meet the obstacle, near enough: which place, from where, where."""
        step = places[:, None] - self.starts
        begin, along = self.edges[:, :2], self.edges[:, 2:] - self.edges[:, :2]
        away = begin - self.starts[:, None]
        turn = step[..., 0, None] * along[:, 1] - step[..., 1, None] * along[:, 0]
        still = np.abs(turn) < 1e-12
        turn = np.where(still, 1.0, turn)
        share = (away[..., 0] * along[:, 1] - away[..., 1] * along[:, 0]) / turn
        on_edge = (away[None, ..., 0] * step[..., 1, None] - away[None, ..., 1] * step[..., 0, None]) / turn
        met = ~still & (share > 0.0) & (share < 1.0) & (on_edge >= -1e-9) & (on_edge <= 1.0 + 1e-9)
        first = np.where(met, share, np.inf).min(axis=2)
        reach = np.where(np.isfinite(first), first, 0.0) * np.hypot(step[..., 0], step[..., 1])
        climber = self.jumps.climber
        within = float(climber.table.tables["traverse.within"]) + radius_of(climber.soldier) + TOLERANCE
        place, start = np.nonzero(np.isfinite(first) & (reach <= within))
        order = np.lexsort((reach[place, start], place))
        place, start = place[order], start[order]
        aims = self.starts[start] + first[place, start, None] * step[place, start]
        return place, self.starts[start], aims


@clause("SK-18", "SK-23")
def towards(jumps: Jumps, place: XY, starts: FloatArray) -> list[Jump]:
    """Return every legal traverse from some places that comes down at one, aimed in whatever direction leads there."""
    radius, spot = radius_of(jumps.climber.soldier), Point(place)
    found: list[Jump] = []
    for number, piece in enumerate(features_of(jumps.climber.table).obstacles):
        if not jumps.climber.is_possible[number] or abs(piece.shape.polygon.distance(spot) - radius) > CLOSE:
            continue
        tries = Shore(jumps, number, spot, starts).tries_at(np.array([place]))
        what = np.full(len(tries.place), number)
        ways = over_obstacles(jumps.climber, tries.place, what, tries.starts, tries.aims, tries.aims)
        ways = ways.of(np.hypot(*(ways.far - place).T) <= CLOSE)
        found += jumps.told(ways.of(are_legal(ways)))
    return found


@clause("SK-18", "SK-23")
def shores(jumps: Jumps, starts: FloatArray) -> Iterator[Shore]:
    """Yield the shores of all obstacles that can be traversed from some places."""
    radius, spots = radius_of(jumps.climber.soldier), shapely.points(starts)
    within = radius + float(jumps.climber.table.tables["traverse.within"]) + TOLERANCE
    for number, piece in enumerate(features_of(jumps.climber.table).obstacles):
        near = starts[shapely.distance(piece.shape.polygon, spots) <= within]
        if len(near) and jumps.climber.is_possible[number]:
            grown = shapely.buffer(piece.shape.polygon, radius, quad_segs=_ROUND)
            for ring in shapely.get_rings(shapely.get_parts(grown)):
                yield Shore(jumps, number, ring, near)
