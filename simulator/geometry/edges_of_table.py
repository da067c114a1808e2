"""Where moving bases reach out of a box, the table: closed forms for lines, arcs and turns on the spot."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simulator.geometry.convex import ROUNDING, IntArray
from simulator.geometry.movers import Mover
from simulator.geometry.pieces import FloatArray
from simulator.geometry.spans import Spans, between_cuts, joined, middles, turned_at, turned_to, within_bounds
from simulator.geometry.ways import Courses


class _Side(NamedTuple):
    """One side of the box: which way it looks, in quarter turns, and how far out it lies that way."""

    quarter: int
    limit: float

    def along(self, points: FloatArray) -> FloatArray:
        """How far out points lie towards the side."""
        axis, sign = self.quarter % 2, 1.0 if self.quarter < 2 else -1.0
        return np.asarray(sign * points[..., axis])


def over_sides(courses: Courses, mover: Mover, box: FloatArray, margin: float) -> Spans:
    """Where bases reach farther than a margin over a side of a box; rows are `piece * 4 + side`.

    Sides are numbered 0 the least x, 1 the least y, 2 the greatest x, 3 the greatest y.
    """
    low_x, low_y, high_x, high_y = box.tolist()
    sides = (_Side(2, -low_x), _Side(3, -low_y), _Side(0, high_x), _Side(1, high_y))
    turns = courses.is_turn & (not mover.is_round)
    straight, arcs = np.flatnonzero(~courses.is_arc & ~turns), np.flatnonzero(courses.is_arc)
    extents = mover.extents(courses.heading)
    found = []
    for number, side in enumerate(sides):
        room = side.limit + margin - extents[:, side.quarter]
        for rows, spans in (
            (straight, _lines_over(courses, straight, side, room[straight])),
            (arcs, _arcs_over(courses, arcs, side, room[arcs])),
            (np.flatnonzero(turns), _turns_over(courses, np.flatnonzero(turns), mover, side, margin)),
        ):
            found.append(spans.renumbered(rows * 4 + number))
    return joined(found)


def _lines_over(courses: Courses, rows: IntArray, side: _Side, room: FloatArray) -> Spans:
    before, after = side.along(courses.start[rows]) - room, side.along(courses.end[rows]) - room
    rate = after - before
    still = np.abs(rate) <= ROUNDING
    share = -before / np.where(still, 1.0, rate)
    first = np.where(still, np.where(before > 0.0, -np.inf, np.inf), np.where(rate > 0.0, share, -np.inf))
    return within_bounds(first, np.where(~still & (rate < 0.0), share, np.inf))


def _arcs_over(courses: Courses, rows: IntArray, side: _Side, room: FloatArray) -> Spans:
    rings = courses.rings(rows)
    direction = np.full(len(rows), side.quarter * np.pi / 2)
    level = room - side.along(rings.centre)
    turned = turned_at(rings.turning, [(direction, level / np.where(rings.radius > 0.0, rings.radius, 1.0))])
    ahead = rings.radius[:, None] * np.cos(middles(rings.turning, turned) - direction[:, None])
    return between_cuts(turned, ahead > level[:, None])


def _turns_over(courses: Courses, rows: IntArray, mover: Mover, side: _Side, margin: float) -> Spans:
    """A corner that turns runs round a ring; an oval reaches sqrt((a cos)**2 + (b sin)**2) ahead."""
    turning = courses.turnings(rows)
    direction = np.full(len(rows), side.quarter * np.pi / 2)
    level = side.limit + margin - side.along(courses.start[rows])
    if not mover.parts:
        along, across = mover.axes
        square = (level**2 - across**2) / (along**2 - across**2)
        there = (square >= 0.0) & (square <= 1.0)
        apart = np.where(there, np.arccos(np.sqrt(np.clip(square, 0.0, 1.0))), np.nan)
        turned = turned_to(turning, [direction + half + way * apart for half in (0.0, np.pi) for way in (-1.0, 1.0)])
        angles = middles(turning, turned) - direction[:, None]
        return between_cuts(turned, np.hypot(along * np.cos(angles), across * np.sin(angles)) > level[:, None])
    corners = np.concatenate(mover.parts)
    reach, bearing = np.hypot(*corners.T), np.arctan2(corners[:, 1], corners[:, 0])
    kept = reach > 0.0
    ahead = list(zip(reach[kept].tolist(), bearing[kept].tolist(), strict=True))
    turned = turned_at(turning, [(direction - angle, level / length) for length, angle in ahead])
    angles = middles(turning, turned) - direction[:, None]
    farthest = np.max([length * np.cos(angles + angle) for length, angle in ahead], axis=0)
    return between_cuts(turned, farthest > level[:, None])
