"""Traverses in any direction: the shore of an obstacle, and who comes down on it from where.

The other side is the first place behind an obstacle at which the base no longer overlaps it (SK-23): there it touches.
So whatever is aimed at, far sides lie on one line, the outline of the obstacle grown by the base's radius. It is
followed like the rows of traverses straight across, only backwards: who can come down at this place?

Who comes down anywhere can do so from the outline of the ground that it can stand on: going back along the ray either
that ground ends, or the base touches the obstacle, and there it ends too.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from simulator.engine.clauses import clause
from simulator.geometry.convex import IntArray
from simulator.geometry.pieces import FloatArray
from simulator.rulesets.skirmish.ground import edges_of, features_of
from simulator.rulesets.skirmish.jumps import CLOSE, Jump, Jumps
from simulator.rulesets.skirmish.landings import Followed, Named
from simulator.rulesets.skirmish.soldiers import TOLERANCE, radius_of
from simulator.rulesets.skirmish.traverses import are_legal, over_obstacles

#: A shore is drawn with so many corners to a quarter circle; who comes down this near to a place of it will do.
_ROUND = 32
_ASHORE = 0.003
#: So many pairs of a start and a place are looked at together.
_AT_ONCE = 20_000
#: So many starts are tried for each place at first, then more, then all.
_TRIES = (0, 3, 12, 1_000_000)


class Shore(Followed):
    """A line around an obstacle on which those come down who traverse it, and the places where they may begin."""

    step = 0.1

    def __init__(self, jumps: Jumps, number: int, ring: BaseGeometry, starts: FloatArray) -> None:
        super().__init__(float(ring.length))
        self.jumps, self.number, self.ring, self.starts = jumps, number, ring, starts
        self.edges = edges_of(features_of(jumps.climber.table).obstacles[number])

    def alike(self, some: Named, others: Named) -> bool:
        """Whether somebody comes down at both or at none: the line between is the shore."""
        return some.keys() == others.keys()

    def found_at(self, shares: Sequence[float]) -> list[Named]:
        """Give the traverse that comes down at each share."""
        places = shapely.get_coordinates(shapely.line_interpolate_point([self.ring], list(shares), normalized=True))
        return [{jump.over: jump} if jump else {} for jump in self._coming_down(places, _ASHORE)]

    def exactly_at(self, places: FloatArray) -> list[Jump | None]:
        """Give the traverse that comes down at each of some places."""
        return self._coming_down(places, CLOSE)

    @clause("SK-23")
    def _coming_down(self, places: FloatArray, error: float) -> list[Jump | None]:
        found: list[Jump | None] = []
        for some in np.array_split(places, len(places) * len(self.starts) // _AT_ONCE + 1):
            found += self._first_of(some, *self._aims(some), error)
        return found

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

    def _first_of(
        self, places: FloatArray, place: IntArray, starts: FloatArray, aims: FloatArray, error: float
    ) -> list[Jump | None]:
        """The first legal traverse to each place, the most direct ones tried first."""
        found: list[Jump | None] = [None] * len(places)
        rank = np.arange(len(place)) - np.searchsorted(place, place)
        open_ = np.ones(len(places), np.bool_)
        for low, high in itertools.pairwise(_TRIES):
            rows = np.flatnonzero(open_[place] & (rank >= low) & (rank < high))
            what = np.full(len(rows), self.number)
            ways = over_obstacles(self.jumps.climber, place[rows], what, starts[rows], aims[rows], aims[rows])
            ways = ways.of(np.hypot(*(ways.far - places[place[rows]]).T) <= error)
            ways = ways.of(are_legal(ways))
            at, first = np.unique(ways.origin, return_index=True)
            for number, jump in zip(at.tolist(), self.jumps.told(ways.of(first)), strict=True):
                found[number] = jump
            open_[at] = False
        return found


@clause("SK-18", "SK-23")
def shores(jumps: Jumps, starts: FloatArray) -> Iterator[Shore]:
    """Give the shores of all obstacles that can be traversed from some places."""
    radius, spots = radius_of(jumps.climber.soldier), shapely.points(starts)
    within = radius + float(jumps.climber.table.tables["traverse.within"]) + TOLERANCE
    for number, piece in enumerate(features_of(jumps.climber.table).obstacles):
        near = starts[shapely.distance(piece.shape.polygon, spots) <= within]
        if len(near) and jumps.climber.is_possible[number]:
            grown = shapely.buffer(piece.shape.polygon, radius, quad_segs=_ROUND)
            for ring in shapely.get_rings(shapely.get_parts(grown)):
                yield Shore(jumps, number, ring, near)
