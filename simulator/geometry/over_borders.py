"""Where discs that move straight are first over the border of a polygon, and whether they are inside it after that.

Near each of its sides the way of a disc leads through one stretch, in closed form; those that hang together are one.
That is far less work than to look for all that lies along a way, and as exact.

>>> from simulator.geometry.pieces import rectangle
>>> lines = MovingPoints(np.array([[-3.0, 0.0], [-3.0, 4.0]]), np.array([[9.0, 0.0], [9.0, 0.0]]))
>>> roof = rectangle((4, 0), (8, 8))
>>> first_over_border(lines, 1.0, roof.edges, roof.polygon)
OverBorder(begin=array([2., 2.]), end=array([4., 9.]), inside=array([ True, False]))
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import ArrayLike

from simulator.geometry.convex import BoolArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.sweeps import MovingPoints, strip_interval
from simulator.geometry.tolerances import TOLERANCE


class OverBorder(NamedTuple):
    """After how many inches each disc comes over the border, and leaves it; inf where it never does, or not again."""

    begin: FloatArray
    end: FloatArray
    inside: BoolArray  #: whether it is inside the polygon by then


def first_over_border(
    lines: MovingPoints, radius: float, sides: ArrayLike, polygon: shapely.Polygon, tolerance: float = TOLERANCE
) -> OverBorder:
    """Find the first stretch of each line on which a disc is over the sides of a polygon, x1, y1, x2, y2 each.

    It counts where it is deeper over one of them than a tolerance somewhere; stretches nearer than that are one.
    """
    count, segments = len(lines.start), np.asarray(sides, np.float64)
    far = np.hypot(*lines.step.T)
    begins, ends = np.full((len(segments), count), np.inf), np.full((len(segments), count), -np.inf)
    for number, segment in enumerate(segments):
        begin, end = _within(lines, far, radius, segment)
        met = np.flatnonzero(begin < end)
        begin, end = begin[met], end[met]
        deep, deepest = _within(lines.of(met), far[met], radius - tolerance, segment)
        counts = deep < deepest
        begins[number, met[counts]], ends[number, met[counts]] = begin[counts], end[counts]
    first = begins.min(axis=0, initial=np.inf)
    last = np.where(begins <= first + tolerance, ends, -np.inf).max(axis=0, initial=-np.inf)
    while True:
        longer = np.where(begins <= last + tolerance, ends, -np.inf).max(axis=0, initial=-np.inf)
        if not np.any(longer > last):
            break
        last = np.maximum(last, longer)
    met = np.flatnonzero(last >= first)
    end = np.full(count, np.inf)
    end[met] = last[met]
    inside = np.zeros(count, np.bool_)
    x, y = (lines.start[met] + (last[met] / far[met])[:, None] * lines.step[met]).T
    shapely.prepare(polygon)
    inside[met] = shapely.contains_xy(polygon, x, y)
    return OverBorder(first, end, inside)


def _within(lines: MovingPoints, far: FloatArray, radius: float, segment: FloatArray) -> tuple[FloatArray, FloatArray]:
    """From how many inches to how many each line, so long, is nearer to a segment than a radius; empty: nowhere."""
    count = len(far)
    first, last = strip_interval(lines, np.full(count, radius), np.broadcast_to(segment, (count, 4)))
    return np.clip(first, 0.0, 1.0) * far, np.clip(last, 0.0, 1.0) * far
