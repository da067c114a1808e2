"""The points at which bases touch obstacles, for many contacts."""

from __future__ import annotations

import numpy as np

from simulator.geometry.convex import IntArray
from simulator.geometry.movers import MovingBase
from simulator.geometry.paths import Paths
from simulator.geometry.pieces import FloatArray
from simulator.geometry.standing import Standing
from simulator.geometry.sweep_ovals import Ovals, facing_point
from simulator.geometry.sweeps import MovingPoints, line_in_convex, planes_of, turned_back
from simulator.geometry.tolerances import ROUNDING


def contact_places(
    paths: Paths, mover: MovingBase, standing: Standing, piece: IntArray, share: FloatArray, feature: IntArray
) -> FloatArray:
    """Return the place of each contact, on the obstacle; a base inside an area touches it at its own place.

    Most paths meet nothing, and halving towards the place on an oval takes as long for none as for one.
    """
    if not len(piece):
        return np.empty((0, 2))
    here, heading = paths.points(piece, share), np.radians(paths.headings(piece, share))
    place = here + turned_back(np.broadcast_to(mover.anchor, here.shape), -heading)
    first_disc = len(standing.segments)
    first_oval = first_disc + len(standing.discs)
    lines = np.flatnonzero((feature >= 0) & (feature < first_disc))
    place[lines] = _on_segments(mover, here[lines], heading[lines], standing.segments[feature[lines]])
    rounds = np.flatnonzero((feature >= first_disc) & (feature < first_oval))
    discs = standing.discs[feature[rounds] - first_disc]
    none = np.zeros(len(rounds))
    place[rounds] = _on_ovals(mover, here[rounds], heading[rounds], np.column_stack([discs, discs[:, 2], none]))
    ovals = np.flatnonzero(feature >= first_oval)
    place[ovals] = _on_ovals(mover, here[ovals], heading[ovals], standing.ovals[feature[ovals] - first_oval])
    return place


def foremost(paths: Paths, mover: MovingBase, piece: IntArray, share: FloatArray, side: IntArray) -> FloatArray:
    """Return the point of a base that lies farthest towards a side: 0 the least x, 1 the least y, then the greatest."""
    here, heading = paths.points(piece, share), np.radians(paths.headings(piece, share))
    ahead = np.array([(-1.0, 0.0), (0.0, -1.0), (1.0, 0.0), (0.0, 1.0)])[side]
    seen = turned_back(ahead, heading)
    if mover.parts:
        corners = np.concatenate(mover.parts)
        out = corners[np.argmax(seen @ corners.T, axis=1)]
    else:
        pull = seen * mover.axes
        long = np.hypot(*pull.T)
        out = pull * mover.axes / np.where(long > 0.0, long, 1.0)[:, None]
    return here + turned_back(out, -heading)


def _on_segments(mover: MovingBase, here: FloatArray, heading: FloatArray, segments: FloatArray) -> FloatArray:
    """Return the points of segments that are nearest to bases."""
    if not len(here):
        return here
    ends = turned_back(segments.reshape(-1, 2, 2) - here[:, None], heading[:, None])
    one, step = ends[:, 0], ends[:, 1] - ends[:, 0]
    if not mover.parts:
        scale = np.array(mover.axes) if min(mover.axes) > 0.0 else np.ones(2)
        found = scale * _nearest(one / scale, step / scale, np.zeros_like(one))
    else:
        tries = [
            (_nearest(one, step, np.broadcast_to(c, one.shape)), np.broadcast_to(c, one.shape)) for c in _corners(mover)
        ]
        for part in mover.parts:
            for corner, after in zip(part, np.roll(part, -1, axis=0), strict=True):
                side = np.broadcast_to(corner, one.shape), np.broadcast_to(after - corner, one.shape)
                tries += [(end, _nearest(*side, end)) for end in (one, one + step)]
        found = _least(tries)
        for part in mover.parts:
            # A segment that enters the part: from there on it is common to both.
            inside = line_in_convex(MovingPoints(one, step), planes_of(part, len(one)), 0.0)
            found[inside.row] = one[inside.row] + inside.begin[:, None] * step[inside.row]
    return here + turned_back(found, -heading)


def _on_ovals(mover: MovingBase, here: FloatArray, heading: FloatArray, ovals: FloatArray) -> FloatArray:
    """Return the points of discs and ovals that are nearest to bases that touch them."""
    if not len(here):
        return here
    middle, (along, across, facing) = ovals[:, :2], ovals[:, 2:].T
    if not mover.parts:
        if mover.is_point:
            return here
        own = Ovals(np.full(len(here), mover.axes[0]), np.full(len(here), mover.axes[1]), heading)
        return here + facing_point(own, Ovals(along, across, facing), middle - here)
    # Where the oval is the unit disc, the nearest of all sides is the one that it touches.
    scale = np.column_stack([along, across])
    shift = turned_back(here - middle, facing)
    tries = []
    for part in mover.parts:
        ends = turned_back(np.broadcast_to(part[None], (len(here), *part.shape)), (facing - heading)[:, None])
        seen = (ends + shift[:, None]) / scale[:, None]
        for k in range(len(part)):
            one, after = seen[:, k - 1], seen[:, k]
            near = _nearest(one, after - one, np.zeros_like(one))
            tries.append((near, np.zeros_like(near)))
    found = _least(tries)
    found[np.hypot(*found.T) > 1.0 + ROUNDING**0.5] = 0.0  # no side is in it: it lies wholly inside the base
    return middle + turned_back(found * scale, -facing)


def _corners(mover: MovingBase) -> list[FloatArray]:
    return [corner for part in mover.parts for corner in part]


def _nearest(one: FloatArray, step: FloatArray, point: FloatArray) -> FloatArray:
    """Return the points of segments that are nearest to points."""
    square = np.sum(step * step, axis=1)
    lead = np.sum((point - one) * step, axis=1) / np.where(square > 0.0, square, 1.0)
    return np.asarray(one + np.clip(lead, 0.0, 1.0)[:, None] * step)


def _least(tries: list[tuple[FloatArray, FloatArray]]) -> FloatArray:
    """Of several pairs of points for each row, the first of the pair that is least apart."""
    points = np.stack([one for one, _ in tries], axis=1)
    apart = np.stack([np.hypot(*(one - other).T) for one, other in tries], axis=1)
    best: FloatArray = points[np.arange(len(points)), apart.argmin(axis=1)]
    return best
