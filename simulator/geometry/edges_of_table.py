"""Spans in which moving bases extend beyond a box, the table: closed forms for lines, arcs and turns on the spot."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simulator.geometry.convex import IntArray
from simulator.geometry.movers import MovingBase
from simulator.geometry.paths import Paths
from simulator.geometry.pieces import FloatArray
from simulator.geometry.spans import NO_SPANS, Spans, between_cuts, joined, middles, turned_at, turned_to, within_bounds
from simulator.geometry.tolerances import ROUNDING

#: For each side: its direction in quarter turns from +x, its axis, and its sign along the axis.
_QUARTERS = np.array([2, 3, 0, 1])
_AXES = np.array([0, 1, 0, 1])
_SIGNS = np.array([-1.0, -1.0, 1.0, 1.0])


def over_sides(paths: Paths, mover: MovingBase, box: FloatArray, margin: float) -> Spans:
    """Find where bases extend farther than a margin over a side of a box; rows are `piece * 4 + side`.

    Sides are numbered 0 the least x, 1 the least y, 2 the greatest x, 3 the greatest y.
    """
    rows = np.flatnonzero(_SIGNS * (paths.boxes - box) + mover.reach >= -ROUNDING)
    if not len(rows):
        return NO_SPANS
    is_turn = paths.is_turn & (not mover.is_round)
    piece, side = rows // 4, rows % 4
    pairs = _SidePairs(paths, mover, piece, side, (_SIGNS * box + margin)[side])
    motion = np.where(paths.is_arc, 1, np.where(is_turn, 2, 0))[piece]
    found = []
    for number, over in enumerate((_lines_over, _arcs_over, _turns_over)):
        some = np.flatnonzero(motion == number)
        if len(some):
            found.append(over(pairs.of(some)).renumbered(rows[some]))
    return joined(found)


def sides_as_segments(box: FloatArray) -> FloatArray:
    """Return the sides of a box in the order of their numbers, as rows x1, y1, x2, y2.

    >>> sides_as_segments(np.array([0.0, 0.0, 3.0, 2.0])).tolist()[0]
    [0.0, 2.0, 0.0, 0.0]
    """
    left, bottom, right, top = box
    corners = np.array([(left, top), (left, bottom), (right, bottom), (right, top)])
    return np.hstack([corners, np.roll(corners, -1, axis=0)])


class _SidePairs(NamedTuple):
    """Pairs of a piece and a side, and the distance of each side."""

    paths: Paths
    mover: MovingBase
    piece: IntArray
    side: IntArray
    limit: FloatArray

    def of(self, rows: IntArray) -> _SidePairs:
        """Return some of the rows."""
        return self._replace(piece=self.piece[rows], side=self.side[rows], limit=self.limit[rows])

    def along(self, points: FloatArray) -> FloatArray:
        """Return the coordinate of a point towards each side."""
        return np.asarray(_SIGNS[self.side] * points[np.arange(len(points)), _AXES[self.side]])

    @property
    def room(self) -> FloatArray:
        """The greatest coordinate of the reference point while the base keeps its heading."""
        reach = self.mover.extents(self.paths.heading[self.piece])
        return np.asarray(self.limit - reach[np.arange(len(self.piece)), _QUARTERS[self.side]])

    @property
    def direction(self) -> FloatArray:
        """The direction of each side, in radians."""
        return np.asarray(_QUARTERS[self.side] * np.pi / 2)


def _lines_over(pairs: _SidePairs) -> Spans:
    room = pairs.room
    before, after = (pairs.along(ends[pairs.piece]) - room for ends in (pairs.paths.start, pairs.paths.end))
    rate = after - before
    still = np.abs(rate) <= ROUNDING
    share = -before / np.where(still, 1.0, rate)
    first = np.where(still, np.where(before > 0.0, -np.inf, np.inf), np.where(rate > 0.0, share, -np.inf))
    return within_bounds(first, np.where(~still & (rate < 0.0), share, np.inf))


def _arcs_over(pairs: _SidePairs) -> Spans:
    rings = pairs.paths.rings(pairs.piece)
    level = pairs.room - pairs.along(rings.centre)
    turned = turned_at(rings.turning, [(pairs.direction, level / rings.radius)])
    ahead = rings.radius[:, None] * np.cos(middles(rings.turning, turned) - pairs.direction[:, None])
    return between_cuts(turned, ahead > level[:, None])


def _turns_over(pairs: _SidePairs) -> Spans:
    """Find where turns extend over sides: corners run on rings, an oval extends sqrt((a cos)**2 + (b sin)**2) ahead."""
    turning, direction, mover = pairs.paths.turnings(pairs.piece), pairs.direction, pairs.mover
    level = pairs.limit - pairs.along(pairs.paths.start[pairs.piece])
    if not mover.parts:
        along, across = mover.axes
        square = (level**2 - across**2) / (along**2 - across**2)
        there = (square >= 0.0) & (square <= 1.0)
        apart = np.where(there, np.arccos(np.sqrt(np.clip(square, 0.0, 1.0))), np.nan)
        turned = turned_to(turning, [direction + half + side * apart for half in (0.0, np.pi) for side in (-1.0, 1.0)])
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
