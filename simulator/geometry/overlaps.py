"""The stretches of paths on which a base overlaps things: each kind of base with each kind of feature, in closed form.

| base           | segments | discs   | ovals   |
|----------------|----------|---------|---------|
| round          | closed   | closed  | halving |
| oval           | closed*  | halving | halving |
| straight sides | closed   | closed  | closed* |

Closed: on lines by the crossings of straight sides and circles; on arcs and turns by the angles at which sums of sines
pass a value, up to quartics. *On arcs: halving. Halving: bounds between the places evaluated ensure that nothing is
missed; see `sweep_ovals`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simulator.geometry.convex import IntArray
from simulator.geometry.movers import MovingBase
from simulator.geometry.paths import Paths
from simulator.geometry.pieces import FloatArray
from simulator.geometry.spans import NO_SPANS, Spans, joined, merged
from simulator.geometry.standing import Standing
from simulator.geometry.sweep_ovals import Ovals, in_swept_oval, line_in_sum, ring_in_sum, turn_in_sum
from simulator.geometry.sweeps import (
    MovingPoints,
    Sweep,
    across,
    around_pivot,
    box_of_sweep,
    far_from_origin,
    in_convex,
    in_strip,
    planes_of,
    segments_in_oval,
    sum_with_segments,
    turn_of_convex,
    turn_of_oval,
    turned_back,
)

#: How many pairs of a piece and a feature are worked on at once.
_PAIRS_AT_ONCE = 100_000


class Pairs(NamedTuple):
    """Pairs of a piece of a path and a feature of an obstacle."""

    piece: IntArray
    feature: IntArray

    def of(self, which: IntArray) -> Pairs:
        """Return some of the pairs."""
        return Pairs(self.piece[which], self.feature[which])


def near_pairs(paths: Paths, mover: MovingBase, standing: Standing, pieces: IntArray | None = None) -> Pairs:
    """Return the pairs of a piece, of some or all, and a feature that a circle around the base comes near."""
    rows = np.arange(len(paths.path)) if pieces is None else pieces
    reach = mover.reach
    at, feature = standing.features_near(paths.boxes[rows] + np.array([-reach, -reach, reach, reach]))
    piece = rows[at]
    near = paths.distances(piece, standing.middles[feature]) <= standing.reaches[feature] + reach
    return Pairs(piece[near], feature[near])


def overlap_spans(paths: Paths, mover: MovingBase, standing: Standing, pairs: Pairs, margin: float) -> Spans:
    """Find where a base overlaps the other half of each pair deeper than a margin; rows are the numbers of the pairs.

    Segments are bare lines here, border or not: a base wholly inside an area overlaps none of its features.
    """
    if not len(pairs.piece):
        return NO_SPANS
    first_disc = len(standing.segments)
    first_oval = first_disc + len(standing.discs)
    kind = np.searchsorted([first_disc, first_oval], pairs.feature, side="right")
    motion = np.where(paths.is_arc[pairs.piece], 1, np.where(paths.is_turn[pairs.piece], 2, 0))
    both = kind * 3 + motion
    found = []
    for case in np.flatnonzero(np.bincount(both)).tolist():
        number, way = divmod(case, 3)
        first, features = (
            (0, standing.segments),
            (first_disc, standing.discs),
            (first_oval, standing.ovals),
        )[number]
        rows = np.flatnonzero(both == case)
        for begin in range(0, len(rows), _PAIRS_AT_ONCE):
            some = rows[begin : begin + _PAIRS_AT_ONCE]
            meet = _Meeting(paths, pairs.piece[some], mover, margin, is_turn=way == 2)
            meets = (meet.segments, meet.discs, meet.ovals)[number]
            found.append(meets(features[pairs.feature[some] - first]).renumbered(some))
    return merged(joined(found), slack=1e-10)


class _Meeting:
    """One base on pieces of one kind of motion, and features one to one."""

    def __init__(self, paths: Paths, piece: IntArray, mover: MovingBase, margin: float, *, is_turn: bool) -> None:
        self.mover, self.margin, self.count = mover, margin, len(piece)
        self.turning = paths.turnings(piece)
        self.heading = np.zeros(self.count) if mover.is_round else self.turning.begin
        self.is_turn = is_turn and not mover.is_round
        is_arc = bool(paths.is_arc[piece[0]])
        self.path: Sweep = paths.rings(piece) if is_arc else paths.lines(piece)
        #: The places of turns.
        self.place = paths.start[piece]

    def _shrunk(self, length: FloatArray) -> FloatArray:
        """Return the factor by which an ellipse is made smaller, so that no more than the margin is lost anywhere."""
        return np.maximum(1.0 - self.margin / length, 1e-9)

    def _shrunk_axes(self, along: FloatArray, across_: FloatArray) -> tuple[FloatArray, FloatArray]:
        factor = self._shrunk(np.maximum(along, across_))
        return along * factor, across_ * factor

    def _oval(self) -> Ovals:
        along, across = self.mover.axes
        return Ovals(np.full(self.count, along), np.full(self.count, across), self.heading)

    def _seen_from_base(self, places: FloatArray) -> Sweep:
        """Return the motion of places as seen from the base."""
        if self.is_turn:
            return around_pivot(places - self.place, self.turning.reversed())
        return self.path.seen(places, self.heading).opposite()

    # -- features ------------------------------------------------------------------------------------------

    def segments(self, segments: FloatArray) -> Spans:
        """Find where the base overlaps segments."""
        mover, margin = self.mover, self.margin
        if mover.is_point:
            return across(self.path, segments, margin)
        if mover.is_round:
            return in_strip(self.path, np.full(self.count, mover.axes[0] - margin), segments)
        found = []
        if not mover.parts:
            axes = self._shrunk_axes(*(np.full(self.count, axis) for axis in mover.axes))
            if self.is_turn:
                return turn_of_oval(axes, self.turning, segments - np.tile(self.place, 2))
            path = self.path.seen(np.zeros((self.count, 2)), self.heading)
            return in_swept_oval(path, self._turned_back(segments), axes)
        if self.is_turn:
            here = segments - np.tile(self.place, 2)
            for part in mover.parts:
                rows = np.flatnonzero(far_from_origin(here[:, :2], here[:, 2:]) < np.hypot(*part.T).max())
                spans = turn_of_convex(part, self.turning.of(rows), here[rows], margin)
                found.append(spans.renumbered(rows))
            return joined(found)
        path = self.path.seen(np.zeros((self.count, 2)), self.heading)
        seen = self._turned_back(segments)
        boxes = box_of_sweep(path)
        low, high = np.minimum(seen[:, :2], seen[:, 2:]), np.maximum(seen[:, :2], seen[:, 2:])
        for part in mover.parts:
            over = (boxes[:, :2] + part.min(axis=0) < high) & (boxes[:, 2:] + part.max(axis=0) > low)
            rows = np.flatnonzero(over.all(axis=1))
            spans = in_convex(path.of(rows), sum_with_segments(part, seen[rows]), margin)
            found.append(spans.renumbered(rows))
        return joined(found)

    def _turned_back(self, segments: FloatArray) -> FloatArray:
        return turned_back(segments.reshape(-1, 2, 2), self.heading[:, None]).reshape(-1, 4)

    def discs(self, discs: FloatArray) -> Spans:
        """Find where the base overlaps discs."""
        mover, radius = self.mover, discs[:, 2]
        if mover.is_round:
            return in_strip(self.path, mover.axes[0] + radius - self.margin, discs[:, [0, 1, 0, 1]])
        if not mover.parts:
            return self._oval_meets(discs[:, :2], Ovals(radius, radius, np.zeros(self.count)))
        path = self._seen_from_base(discs[:, :2])
        found = [self._middle_in_parts(path, np.maximum(self.margin - radius, 0.0))]
        rho = radius - self.margin
        return joined([*found, *(in_strip(path, rho, np.broadcast_to(side, (self.count, 4))) for side in mover.sides)])

    def ovals(self, ovals: FloatArray) -> Spans:
        """Find where the base overlaps ovals."""
        mover, places, (along, across_, facing) = self.mover, ovals[:, :2], ovals[:, 2:].T
        axes = self._shrunk_axes(along, across_)
        if mover.is_point:
            seen_point = self.path.seen(places, facing).opposite()
            return in_swept_oval(seen_point, np.zeros((self.count, 4)), axes)
        if not mover.parts:
            return self._oval_meets(places, Ovals(along, across_, facing))
        found = [self._middle_in_parts(self._seen_from_base(places), 0.0)]
        for side in mover.sides:
            if self.is_turn:
                pivot = turned_back(self.place - places, facing)
                first, second = (
                    around_pivot(np.broadcast_to(side[k : k + 2], (self.count, 2)), self.turning.ahead(-facing))
                    for k in (0, 2)
                )
                found.append(segments_in_oval(first.beside(pivot), second.beside(pivot), axes))
            else:
                ends = np.broadcast_to(side.reshape(2, 2), (self.count, 2, 2))
                seen = turned_back(ends, (facing - self.heading)[:, None]).reshape(-1, 4)
                found.append(in_swept_oval(self.path.seen(places, facing).opposite(), seen, axes))
        return joined(found)

    # -- small parts ---------------------------------------------------------------------------------------

    def _middle_in_parts(self, path: Sweep, margin: FloatArray | float) -> Spans:
        return joined([in_convex(path, planes_of(part, self.count), margin) for part in self.mover.parts])

    def _oval_meets(self, places: FloatArray, standing: Ovals) -> Spans:
        own = self._oval()
        shrunk = self._shrunk(np.maximum(own.along, own.across) + np.maximum(standing.along, standing.across))
        if self.is_turn:
            return turn_in_sum(places - self.place, own, self.turning, standing, shrunk)
        path = self.path.seen(places, np.zeros(self.count))
        if isinstance(path, MovingPoints):
            return line_in_sum(path, own, standing, shrunk)
        return ring_in_sum(path, own, standing, shrunk)
