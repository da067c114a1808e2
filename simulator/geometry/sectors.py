"""Where sectors that move straight come over segments and discs: closed forms, pair by pair.

A corner of a base that turns on the spot sweeps a sector around the reference point. A sector of at most half a circle
is convex, as are segments and discs, so where one moves past the other they overlap on one stretch of the way.

>>> lines = MovingPoints(np.array([[0.0, 0.0]]), np.array([[10.0, 0.0]]))
>>> quarter = Sectors.swept(np.array([2.0]), np.array([0.0]), np.array([np.pi / 2]))
>>> first, last = over_segments(lines, quarter, np.array([[5.0, 1.0, 5.0, 9.0]]))
>>> first.round(4).tolist(), last.round(4).tolist()
([0.3268], [0.5])
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simulator.geometry.convex import IntArray, Interval, band, both, disc_interval
from simulator.geometry.pieces import FloatArray
from simulator.geometry.sweeps import MovingPoints, strip_interval, turned_back
from simulator.geometry.tolerances import ROUNDING

#: The number of sides of the outline around an ellipse.
_SIDES = 48


class Sectors(NamedTuple):
    """Sectors around (0, 0): radii, and the angles in radians from which they extend to the left, by how much."""

    radius: FloatArray
    begin: FloatArray
    wide: FloatArray  #: at most half a circle

    @classmethod
    def swept(cls, radius: FloatArray, begin: FloatArray, sweep: FloatArray) -> Sectors:
        """Return the sectors that points sweep which turn about (0, 0), left positive."""
        return cls(radius, begin + np.minimum(sweep, 0.0), np.abs(sweep))

    def of(self, rows: IntArray) -> Sectors:
        """Return some of the rows."""
        return Sectors(self.radius[rows], self.begin[rows], self.wide[rows])

    @property
    def ends(self) -> tuple[FloatArray, FloatArray]:
        """The corners on the arc, seen from a frame that each sector begins in."""
        none = np.zeros_like(self.radius)
        last = self.radius[:, None] * np.stack([np.cos(self.wide), np.sin(self.wide)], axis=1)
        return np.stack([self.radius, none], axis=1), last

    def interval(self, points: MovingPoints, farther: FloatArray | float = 0.0) -> Interval:
        """Return the interval of each line, in shares, in a sector of a radius that is greater by so much."""
        (x, y), (step_x, step_y) = points.start.T, points.step.T
        far = np.hypot(step_x, step_y)
        scale = np.where(far > ROUNDING, far, 1.0)
        first, last = disc_interval(x, y, step_x / scale, step_y / scale, self.radius + farther)
        cos, sin = np.cos(self.wide), np.sin(self.wide)
        found = both((first / scale, last / scale), band(y, step_y, 0.0, np.inf))
        return both(found, band(x * sin - y * cos, step_x * sin - step_y * cos, 0.0, np.inf))


def over_segments(lines: MovingPoints, sectors: Sectors, segments: FloatArray) -> Interval:
    """Return the interval of each line, in shares, on which a sector around its point touches a segment."""
    first, second = (_seen(lines, sectors, segments[:, k : k + 2]) for k in (0, 2))
    found = _hull(sectors.interval(first), sectors.interval(second))
    # Besides at the ends of the segment, both begin to touch where a corner or the arc meets its inside.
    along, step = second.start - first.start, first.step
    long, pace = np.sum(along * along, axis=1), along[:, 0] * step[:, 1] - along[:, 1] * step[:, 0]
    flat = (np.abs(pace) <= ROUNDING) | (long <= ROUNDING)
    pace, long = np.where(flat, 1.0, pace), np.where(flat, 1.0, long)
    square = np.stack([-along[:, 1], along[:, 0]], axis=1) / np.sqrt(long)[:, None]
    bearing = np.mod(np.arctan2(square[:, 1], square[:, 0]), 2.0 * np.pi)
    arc = sectors.radius[:, None] * square
    on_arc = bearing <= sectors.wide, np.mod(bearing + np.pi, 2.0 * np.pi) <= sectors.wide
    for corner, there in (
        (np.zeros_like(arc), ~flat),
        *((end, ~flat) for end in sectors.ends),
        (arc, ~flat & on_arc[0]),
        (-arc, ~flat & on_arc[1]),
    ):
        away = corner - first.start
        share = (along[:, 0] * away[:, 1] - along[:, 1] * away[:, 0]) / pace
        foot = np.sum((away - share[:, None] * step) * along, axis=1) / long
        met = there & (foot >= 0.0) & (foot <= 1.0)
        found = _hull(found, (np.where(met, share, np.inf), np.where(met, share, -np.inf)))
    return found


def over_discs(lines: MovingPoints, sectors: Sectors, discs: FloatArray) -> Interval:
    """Return the interval of each line, in shares, on which a sector around its point touches a disc."""
    radius, none = discs[:, 2], np.zeros((len(discs), 2))
    seen = _seen(lines, sectors, discs[:, :2])
    found = sectors.interval(seen, radius)
    for end in sectors.ends:
        found = _hull(found, strip_interval(seen, radius, np.hstack([none, end])))
    return found


def over_ovals(lines: MovingPoints, sectors: Sectors, ovals: FloatArray) -> Interval:
    """Return the interval of each line, in shares, on which a sector around its point touches an oval.

    It is drawn around with straight sides, so the interval is a little too long, by a thousandth of the oval's size.
    """
    count = len(ovals)
    angles = np.arange(_SIDES) * (2.0 * np.pi / _SIDES)
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=1) / np.cos(np.pi / _SIDES)
    corners = turned_back(circle * ovals[:, None, 2:4], -ovals[:, 4, None]) + ovals[:, None, :2]
    sides = np.concatenate([corners, np.roll(corners, -1, axis=1)], axis=2).reshape(-1, 4)
    row = np.repeat(np.arange(count), _SIDES)
    first, last = (bound.reshape(count, _SIDES) for bound in over_segments(lines.of(row), sectors.of(row), sides))
    return first.min(axis=1, initial=np.inf), last.max(axis=1, initial=-np.inf)


def _seen(lines: MovingPoints, sectors: Sectors, points: FloatArray) -> MovingPoints:
    """Points that stand still as they are seen from the moving sectors, in the frame that each begins in."""
    return MovingPoints(turned_back(points - lines.start, sectors.begin), turned_back(-lines.step, sectors.begin))


def _hull(one: Interval, other: Interval) -> Interval:
    """The interval that begins with the first of two and ends with the last."""
    return np.minimum(one[0], other[0]), np.maximum(one[1], other[1])
