"""Places on the outline of an area, from which the next spend starts: every way out of an area crosses its outline.

Any place reached from inside an area is reached from its outline with more left to spend. So it is enough to start at
places along it; at a distance of `SPACING` the area falls short by the sagitta of an arc, `SPACING**2 / 8` over the
inches of the spend, which is 0.003 for one inch.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import FloatArray
from simulator.pathing.columns import nth_rows

#: The distance between places on an outline, or on a line of ends, in inches.
SPACING = 0.15
#: The distance to an obstacle within which an outline runs along it, in inches.
AS_DRAWN = 0.003
#: The least turn of an outline that is a corner, in radians: well above the turn between chords of a drawn arc.
_SHARP = 0.35
#: Lines nearer to each other than this are one, in inches.
SAME = 1e-3
#: Limits are closed in on at so many places between two at once, and so often: an interval as long as the spacing
#: shrinks to below a hundred-millionth of an inch.
_BETWEEN = np.arange(1, 8) / 8
_ROUNDS = 8

#: Returns a mask of the places (rows x, y) at which a mover may end.
Ends = Callable[[FloatArray], BoolArray]


def rings_of(area: BaseGeometry, spacing: float = SPACING) -> list[FloatArray]:
    """Return places along each ring of an area, corners among them, no farther apart than a spacing; rows x, y.

    >>> [len(ring) for ring in rings_of(shapely.box(0, 0, 3, 1), 1.0)]
    [8]
    """
    rings = shapely.get_parts(shapely.get_rings(shapely.segmentize(shapely.get_parts(area), spacing)))
    return [shapely.get_coordinates(ring)[:-1] for ring in rings]


def open_corners(ring: FloatArray, touched: Callable[[FloatArray], BoolArray]) -> BoolArray:
    """Return a mask of the places of a ring with open ground beyond, not obstacles all along.

    `touched` returns a mask of the places where something bars the way. Sharp corners always count: between two things
    an outline may have no other end.

    >>> ring = rings_of(shapely.box(0, 0, 3, 3), 1.0)[0]
    >>> beside_a_wall = open_corners(ring, lambda places: places[:, 0] > 2.99)
    >>> sorted(map(tuple, ring[~beside_a_wall].tolist()))
    [(3.0, 1.0), (3.0, 2.0)]
    """
    after = np.roll(ring, -1, axis=0)
    touch = touched(np.concatenate([ring, (ring + after) / 2]))
    at, ahead = touch[: len(ring)], touch[len(ring) :]
    barred = at & ahead & np.roll(ahead, 1) & np.roll(at, 1) & np.roll(at, -1)
    step = after - ring
    came = np.roll(step, 1, axis=0)
    turn = np.arctan2(came[:, 0] * step[:, 1] - came[:, 1] * step[:, 0], np.sum(came * step, axis=1))
    return np.asarray(~barred | (np.abs(turn) > _SHARP))


def spread_over(line: BaseGeometry) -> FloatArray:
    """Return places all along a line, exactly on it, including its essential corners; rows x, y.

    >>> spread_over(shapely.LineString([(0, 0), (0.1, 0), (0.2, 0)])).tolist()
    [[0.0, 0.0], [0.1, 0.0], [0.2, 0.0]]
    """
    places = shapely.points(shapely.get_coordinates(shapely.segmentize(shapely.simplify(line, SAME), SPACING)))
    return shapely.get_coordinates(shapely.shortest_line(line, places))[::2]


def thinned(line: FloatArray) -> IntArray:
    """Return the indexes of the places along a line to keep, including both ends.

    Neighbours are within `SPACING` wherever the line has such places.

    >>> thinned(np.column_stack([np.linspace(0, 0.6, 13), np.zeros(13)])).tolist()
    [0, 3, 6, 9, 12]
    """
    along = np.append(0.0, np.cumsum(np.hypot(*np.diff(line, axis=0).T)))
    kept = np.unique(np.append(np.searchsorted(along, np.arange(0.0, along[-1], SPACING), side="right") - 1, 0))
    return np.unique(np.append(kept, len(line) - 1))


def ends_along(
    at: Callable[[IntArray, FloatArray], FloatArray],
    curve: IntArray,
    shares: FloatArray,
    ends: Ends,
    kept_back: FloatArray | float,
) -> FloatArray:
    """Return the ends on curves at given shares, and the limits of stretches of ends between these, curve by curve.

    `curve` is the number of the curve of each share; the last share of a curve is that of its end, which is left out.
    `at` converts numbers and shares to rows x, y. Limits are closed in on, and a stretch is shortened by `kept_back`
    (in shares, by row or the same for all): otherwise each spend would begin slightly beyond the reach of the one
    before.

    >>> def at(curve, shares):
    ...     return np.column_stack([shares, curve])
    >>> rows = ends_along(at, np.zeros(5, int), np.arange(5.0), lambda places: places[:, 0] <= 2.25, 1e-6)
    >>> rows[:, 0].round(5).tolist()
    [0.0, 1.0, 2.0, 2.25]
    """
    there = ends(at(curve, shares))
    goes_on = curve[1:] == curve[:-1]
    change = np.flatnonzero((there[1:] != there[:-1]) & goes_on)
    inside = np.where(there[change], shares[change], shares[change + 1])
    outside = np.where(there[change], shares[change + 1], shares[change])
    of, every = curve[change], np.arange(len(change))
    # To ask about a few places takes hardly longer than about one.
    for _ in range(_ROUNDS if len(change) else 0):
        between = inside[:, None] + (outside - inside)[:, None] * _BETWEEN
        found = ends(at(np.repeat(of, len(_BETWEEN)), between.ravel())).reshape(between.shape)
        first = np.argmin(np.column_stack([found, np.zeros(len(of), np.bool_)]), axis=1)
        steps = np.column_stack([inside, between, outside])
        inside, outside = steps[every, first], steps[every, first + 1]
    back = np.broadcast_to(kept_back, shares.shape)[change]
    within = inside - np.copysign(back, outside - inside)
    limits = at(of, np.where(ends(at(of, within)), within, inside))
    kept = np.flatnonzero(there[:-1] & goes_on)
    order = np.argsort(np.concatenate([curve[kept], of]), kind="stable")
    return np.asarray(np.concatenate([at(curve[kept], shares[kept]), limits])[order])


def ends_on_circles(circles: FloatArray, area: BaseGeometry, ends: Ends, kept_back: float) -> FloatArray:
    """Return the ends on circles (rows x, y, radius) near an area, found as by `ends_along`.

    Ends on the circle around a base that may be passed but not ended on are in contact with it.

    >>> circle = np.array([[0.0, 0.0, 1.0]])
    >>> rows = ends_on_circles(circle, shapely.box(-2, 0, 2, 2), lambda places: places[:, 1] >= 0, 1e-6)
    >>> len(rows), bool(0 <= rows[:, 1].min() < 1e-5)
    (44, True)
    """
    near = shapely.distance(shapely.points(circles[:, :2]), area) <= circles[:, 2] + SPACING
    x, y, radius = circles[near].T

    def at(circle: IntArray, angles: FloatArray) -> FloatArray:
        away = radius[circle]
        return np.stack([x[circle] + away * np.cos(angles), y[circle] + away * np.sin(angles)], axis=1)

    counts = np.maximum((2.0 * np.pi * radius / (SPACING / 2)).astype(np.intp), 24)
    circle, nth = nth_rows(counts + 1)
    return ends_along(at, circle, 2.0 * np.pi * nth / counts[circle], ends, kept_back / radius[circle])


def ends_on_lines(lines: FloatArray, about: FloatArray, far: float, ends: Ends, kept_back: float) -> FloatArray:
    """Return the ends on straight lines (rows x, y of a place and a direction), within `far` of a foot.

    The foot is that of the place `about` on each line.

    >>> rows = ends_on_lines(
    ...     np.array([[0.0, 0.0, 1.0, 0.0]]), np.array([1.0, 5.0]), 0.3, lambda places: places[:, 0] > 0.8, 1e-6
    ... )
    >>> rows[:, 0].round(3).tolist()
    [0.85, 1.0, 1.15, 0.8]
    """
    ways = lines[:, 2:]
    feet = np.sum((about - lines[:, :2]) * ways, axis=1)

    def at(line: IntArray, shares: FloatArray) -> FloatArray:
        return lines[line, :2] + shares[:, None] * ways[line]

    steps = np.arange(-far, far + SPACING, SPACING)
    line = np.repeat(np.arange(len(lines)), len(steps))
    return ends_along(at, line, feet[line] + np.tile(steps, len(lines)), ends, kept_back)
