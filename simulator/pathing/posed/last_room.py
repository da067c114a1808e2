"""Where on rays a long base has room to turn to a heading at the end: closed in on by bases that are larger or smaller.

If a larger base may turn in the middle of a stretch, larger by half the stretch, the base may turn all along it. If a
smaller one may not, the base may turn nowhere on it. What neither settles is halved.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import shapely

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.footprints import Base, Oval, PolygonBase, Rectangle, Round
from simulator.geometry.pieces import FloatArray
from simulator.pathing.posed.rays import turns_freely
from simulator.pathing.posed.space import PoseSpace

#: Stretches are no longer to begin with, and are not halved below.
_LONGEST, _SHORTEST = 0.2, 0.05


class Closely(NamedTuple):
    """How to look for room: with a margin of so many inches around the base, at what places to look for it."""

    margin: float
    lacks: Callable[[FloatArray], BoolArray]


def room_to_turn(
    space: PoseSpace, stretches: tuple[FloatArray, FloatArray], headings: FloatArray, turns: FloatArray, how: Closely
) -> tuple[IntArray, FloatArray, FloatArray]:
    """Find the parts of straight stretches, rows x, y of both ends, on which the base may turn everywhere.

    The base turns from a heading by some degrees. Parts are returned as the stretch of each, and which shares of it
    they begin and end at.
    """
    margin = how.margin
    start, end = stretches
    long = np.hypot(*(end - start).T)
    count = np.maximum(np.ceil(long / _LONGEST), 1).astype(np.intp)
    row = np.repeat(np.arange(len(long)), count)
    low = (np.arange(len(row)) - np.repeat(np.cumsum(count) - count, count)) / count[row]
    high = low + 1.0 / count[row]
    sides = (start[row] + (end - start)[row] * share[:, None] for share in (low, (low + high) / 2, high))
    wanted = np.any([how.lacks(places) for places in sides], axis=0)
    row, low, high = row[wanted], low[wanted], high[wanted]
    found = [(row[:0], low[:0], high[:0])]
    while len(row):
        half = float(np.max((high - low) * long[row], initial=0.0)) / 2
        middle = start[row] + (end - start)[row] * ((low + high) / 2)[:, None]
        grown = larger(space.base, half + margin)
        assert grown is not None
        free = turns_freely(space, grown, middle, headings[row], turns[row])
        found.append((row[free], low[free], high[free]))
        row, low, high, middle = row[~free], low[~free], high[~free], middle[~free]
        if half <= _SHORTEST / 2:
            break
        smaller = larger(space.base, margin - half)
        if smaller is not None:
            some = turns_freely(space, smaller, middle, headings[row], turns[row])
            row, low, high = row[some], low[some], high[some]
        middle_share = (low + high) / 2
        row = np.concatenate([row, row])
        low, high = np.concatenate([low, middle_share]), np.concatenate([middle_share, high])
    parts = [np.concatenate(columns) for columns in zip(*found, strict=True)]
    return parts[0], parts[1], parts[2]


def larger(base: Base, inches: float) -> Base | None:
    """Return a base with all places nearer than so many inches; below 0, one from which they are in it; None: none is.

    >>> larger(Rectangle(3, 1), 0.25)
    Rectangle(length=3.5, width=1.5)
    >>> oval = larger(Oval(4, 2), 0.5)
    >>> round(oval.length, 3), round(oval.width, 3)
    (6.0, 3.0)
    >>> larger(Rectangle(3, 1), -0.5) is None
    True
    """
    if inches < 0.0 and base.inner_radius + inches <= 0.0:
        return None
    if isinstance(base, Rectangle):
        return Rectangle(base.length + 2 * inches, base.width + 2 * inches)
    if isinstance(base, Oval):
        # The curve at a distance from an ellipse is none: it lies within one that is larger in proportion.
        times = 1.0 + inches / base.inner_radius
        return Oval(base.length * times, base.width * times)
    if inches < 0.0:
        return Round(base.inner_radius + inches)
    grown = shapely.buffer(base.at(0.0, 0.0).polygon, inches, join_style="mitre")
    return PolygonBase(shapely.get_coordinates(grown.exterior)[:-1].tolist())
