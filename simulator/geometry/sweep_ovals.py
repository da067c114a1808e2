"""Spans in which a moving oval overlaps a standing disc or oval, for many pairs.

Two such things overlap if the vector from one centre to the other is inside the sum of both. The sum has no closed
form, but each direction has one point of its border that lies farthest out. Turning the direction moves that point
monotonically round the border, so halving finds where a line leaves the sum, and the distance of the border on the ray
through a point: the point's `gauge`, below 1 inside.

While an oval is shifted along an arc, or turns, the gauge is the greatest of many smooth functions, one for each
direction, with a known bound of their downward curvature. So between two places where the gauge and its slope are
known it stays between two bounds, and halving the interval misses no crossing (`where_below_zero`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.spans import Spans, Turning, joined, merged, within_bounds
from simulator.geometry.sweeps import MovingPoints, Rings, Sweep, line_in_swept_oval
from simulator.geometry.tolerances import ROUNDING

_HALVINGS = 54
#: The gauge is greatest at the direction sought: an error of the direction counts squared.
_GAUGE_HALVINGS = 32
_FIRST_PARTS = 4


class Ovals(NamedTuple):
    """Ellipses by their half axes and headings in radians, one per row; their centres are kept elsewhere."""

    along: FloatArray
    across: FloatArray
    heading: FloatArray

    def of(self, rows: IntArray) -> Ovals:
        """Return some of the rows."""
        return Ovals(self.along[rows], self.across[rows], self.heading[rows])

    def squares(self, heading: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the matrix of each ellipse times its transpose: the entries xx, xy, yy."""
        cos, sin = np.cos(heading), np.sin(heading)
        a, b = self.along**2, self.across**2
        return a * cos**2 + b * sin**2, (a - b) * cos * sin, a * sin**2 + b * cos**2


class Sums(NamedTuple):
    """Sums of two ellipses around (0, 0)."""

    one: tuple[FloatArray, FloatArray, FloatArray]
    other: tuple[FloatArray, FloatArray, FloatArray]

    def border(self, x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the point of each border that lies farthest out in a direction."""
        at_x, at_y = np.zeros_like(x), np.zeros_like(y)
        for xx, xy, yy in (self.one, self.other):
            pull_x, pull_y = xx * x + xy * y, xy * x + yy * y
            long = np.sqrt(x * pull_x + y * pull_y)
            at_x, at_y = at_x + pull_x / long, at_y + pull_y / long
        return at_x, at_y


def _looking(sums: Sums, ux: FloatArray, uy: FloatArray, level: FloatArray, halvings: int) -> tuple[FloatArray, ...]:
    """Return the normal of the border where a line along (ux, uy), `level` to the left, leaves each sum.

    From its right to its left extreme the border lies ever farther to the left.
    """
    right, left = (uy, -ux), (-uy, ux)
    x, y = ux, uy
    for _ in range(halvings):
        at_x, at_y = sums.border(x, y)
        low = ux * at_y - uy * at_x < level
        right = np.where(low, x, right[0]), np.where(low, y, right[1])
        left = np.where(low, left[0], x), np.where(low, left[1], y)
        x, y = right[0] + left[0], right[1] + left[1]
        long = np.hypot(x, y)
        x, y = x / long, y / long
    return x, y


def line_in_sum(lines: MovingPoints, mover: Ovals, standing: Ovals, shrunk: FloatArray) -> Spans:
    """Find where points on lines lie inside sums of ellipses made smaller by factors. Found by halving; see above."""
    sums = Sums(mover.squares(mover.heading), standing.squares(standing.heading))
    far = np.hypot(*lines.step.T)
    still = far <= ROUNDING
    scale = np.where(still, 1.0, far)
    ux, uy = np.where(still, 1.0, lines.step[:, 0] / scale), np.where(still, 0.0, lines.step[:, 1] / scale)
    px, py = lines.start.T / shrunk
    ahead, aside = ux * px + uy * py, ux * py - uy * px
    top_x, top_y = sums.border(-uy, ux)
    widest = ux * top_y - uy * top_x
    met = np.abs(aside) < widest
    level = np.where(met, aside, 0.0)
    ends = []
    for side in (level, -level):
        x, y = _looking(sums, ux, uy, side, _HALVINGS)
        at_x, at_y = sums.border(x, y)
        ends.append(ux * at_x + uy * at_y)
    first, last = (-ends[1] - ahead) * shrunk, (ends[0] - ahead) * shrunk
    inside = (first < 0.0) & (last > 0.0)
    first = np.where(still, np.where(inside, -np.inf, np.inf), first / scale)
    last = np.where(still, np.where(inside, np.inf, -np.inf), last / scale)
    return within_bounds(np.where(met, first, np.inf), np.where(met, last, -np.inf))


def ring_in_sum(rings: Rings, mover: Ovals, standing: Ovals, shrunk: FloatArray) -> Spans:
    """Find where points on rings lie inside sums of ellipses made smaller by factors."""
    sums = Sums(mover.squares(mover.heading), standing.squares(standing.heading))
    turning, sign = rings.turning, np.sign(rings.turning.sweep)
    least = np.minimum(mover.along, mover.across) + np.minimum(standing.along, standing.across)

    def gauge(row: IntArray, turned: FloatArray) -> tuple[FloatArray, FloatArray]:
        angle = turning.begin[row] + sign[row] * turned
        cos, sin = np.cos(angle), np.sin(angle)
        radius = rings.radius[row]
        x, y = rings.centre[row, 0] + radius * cos, rings.centre[row, 1] + radius * sin
        value, nx, ny, reach = _gauge(_rows_of(sums, row), x, y)
        slope = sign[row] * radius * (ny * cos - nx * sin) / reach
        return value / shrunk[row] - 1.0, slope / shrunk[row]

    return where_below_zero(gauge, rings.radius / least / shrunk, np.abs(turning.sweep))


def turn_in_sum(places: FloatArray, mover: Ovals, turning: Turning, standing: Ovals, shrunk: FloatArray) -> Spans:
    """Find where ovals that turn about their middles overlap standing ones, with middles at places relative to them."""
    theirs = standing.squares(standing.heading)
    sign = np.sign(turning.sweep)
    bulge = mover.along**2 - mover.across**2
    narrow = np.minimum(mover.along, mover.across)
    least = narrow + np.minimum(standing.along, standing.across)

    def gauge(row: IntArray, turned: FloatArray) -> tuple[FloatArray, FloatArray]:
        heading = turning.begin[row] + sign[row] * turned
        one = mover.of(row).squares(heading)
        sums = Sums(one, (theirs[0][row], theirs[1][row], theirs[2][row]))
        value, nx, ny, reach = _gauge(sums, *places[row].T)
        ahead, aside = nx * np.cos(heading) + ny * np.sin(heading), ny * np.cos(heading) - nx * np.sin(heading)
        support = np.sqrt(one[0] * nx**2 + 2.0 * one[1] * nx * ny + one[2] * ny**2)
        slope = -value / reach * sign[row] * bulge[row] * ahead * aside / support
        return value / shrunk[row] - 1.0, slope / shrunk[row]

    bend = np.hypot(*places.T) * np.abs(bulge) / (narrow * least**2) / shrunk
    return where_below_zero(gauge, bend, np.abs(turning.sweep))


def in_swept_oval(path: Sweep, segments: FloatArray, axes: tuple[FloatArray, FloatArray]) -> Spans:
    """Find where ellipses, their axes along x and y and their middles on a path, overlap segments.

    In the plane where the ellipse is the unit disc, its middle comes nearer than 1 to the segment. The way there is a
    line, solved in closed form, or part of an ellipse, on which the downward curvature of the distance is bounded.
    """
    if isinstance(path, MovingPoints):
        return line_in_swept_oval(path, segments, axes)
    scale = np.stack(axes, axis=1)
    one, step = segments[:, :2] / scale, (segments[:, 2:] - segments[:, :2]) / scale
    square = np.sum(step * step, axis=1)
    square[square == 0.0] = 1.0
    turning, sign = path.turning, np.sign(path.turning.sweep)

    def beyond(row: IntArray, turned: FloatArray) -> tuple[FloatArray, FloatArray]:
        angle = turning.begin[row] + sign[row] * turned
        ahead = np.column_stack([np.cos(angle), np.sin(angle)]) * path.radius[row, None]
        seen = (path.centre[row] + ahead) / scale[row]
        lead = np.clip(np.sum((seen - one[row]) * step[row], axis=1) / square[row], 0.0, 1.0)
        off = seen - one[row] - lead[:, None] * step[row]
        far = np.hypot(*off.T)
        pace = (off[:, 1] * ahead[:, 0] / scale[row, 1] - off[:, 0] * ahead[:, 1] / scale[row, 0]) * sign[row]
        return far - 1.0, np.where(far > 0.0, pace / np.where(far > 0.0, far, 1.0), 0.0)

    return where_below_zero(beyond, path.radius / np.minimum(*axes), np.abs(turning.sweep))


def _rows_of(sums: Sums, row: IntArray) -> Sums:
    one, other = ((xx[row], xy[row], yy[row]) for xx, xy, yy in sums)
    return Sums(one, other)


def _gauge(sums: Sums, x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return the gauge of points, 1 on the border; the normal of the border there, and its distance that way."""
    far = np.hypot(x, y)
    scale = np.where(far > 0.0, far, 1.0)
    ux, uy = np.where(far > 0.0, x / scale, 1.0), np.where(far > 0.0, y / scale, 0.0)
    nx, ny = _looking(sums, ux, uy, np.zeros_like(x), _GAUGE_HALVINGS)
    at_x, at_y = sums.border(nx, ny)
    reach = nx * at_x + ny * at_y
    return (nx * x + ny * y) / reach, nx, ny, reach


def where_below_zero(
    value: Callable[[IntArray, FloatArray], tuple[FloatArray, FloatArray]], bend: FloatArray, whole: FloatArray
) -> Spans:
    """Find all stretches, from 0 to a whole for each row, where a value is below 0.

    `value` returns values and slopes for rows and places. The second derivative may not be below minus `bend`: then
    between two places the value stays above the parabolas through their tangents, and exceeds the chord by at most the
    bulge of one. Parts that neither bound decides are halved, down to rounding.
    """
    still = whole <= 0.0
    rows = np.arange(len(whole))
    at_rest = rows[still][value(rows[still], np.zeros(np.count_nonzero(still)))[0] < 0.0]
    moves = rows[~still]
    places = [whole[moves] * share for share in np.linspace(0.0, 1.0, _FIRST_PARTS + 1)]
    looked = [value(moves, place) for place in places]
    row = np.tile(moves, _FIRST_PARTS)
    low, high = np.concatenate(places[:-1]), np.concatenate(places[1:])
    at_low, slope_low = (np.concatenate(columns) for columns in zip(*looked[:-1], strict=True))
    at_high, slope_high = (np.concatenate(columns) for columns in zip(*looked[1:], strict=True))
    found = [Spans(at_rest, np.zeros(len(at_rest)), np.ones(len(at_rest)))]
    while len(row):
        width, curve = high - low, bend[row]
        # The parabolas meet where the tangents of value + bend / 2 * place ** 2 do.
        closing = slope_high - slope_low + curve * width
        meet = at_high - at_low - slope_high * width - curve * width**2 / 2
        lead = np.clip(-meet / np.where(closing > 0.0, closing, 1.0), 0.0, width)
        floor = at_low + slope_low * lead - curve * lead**2 / 2
        floor = np.minimum(floor, np.minimum(at_low, at_high))
        ceiling = np.maximum(at_low, at_high) + curve * width**2 / 8
        flat = (np.maximum(np.abs(at_low), np.abs(at_high)) < 1e-12) & (curve * width**2 < 1e-13)
        tiny = flat | (width <= 1e-12 * whole[row])
        inside = (ceiling < 0.0) & ~tiny
        found.append(Spans(row[inside], low[inside], high[inside]))
        # Where the slope cannot change its sign there is only one crossing, which is found faster.
        leaves = (at_low < 0.0) & (at_high >= 0.0) & (slope_low > curve * width)
        enters = (at_low >= 0.0) & (at_high < 0.0) & (-slope_high > curve * width)
        once = np.flatnonzero((leaves | enters) & ~tiny)
        crossing = _crossing(value, row[once], low[once], high[once], leaves[once])
        begin, end = np.where(leaves[once], low[once], crossing), np.where(leaves[once], crossing, high[once])
        found.append(Spans(row[once], begin, end))
        split = np.flatnonzero((floor < 0.0) & ~inside & ~tiny & ~leaves & ~enters)
        middle = (low[split] + high[split]) / 2
        at_middle, slope = value(row[split], middle)
        row = np.concatenate([row[split], row[split]])
        at_low, at_high = np.concatenate([at_low[split], at_middle]), np.concatenate([at_middle, at_high[split]])
        slope_low, slope_high = np.concatenate([slope_low[split], slope]), np.concatenate([slope, slope_high[split]])
        low, high = np.concatenate([low[split], middle]), np.concatenate([middle, high[split]])
    rest, *parts = found
    moving = joined(parts)
    scale = whole[moving.row]
    return merged(joined([rest, Spans(moving.row, moving.begin / scale, moving.end / scale)]), slack=1e-10)


def _crossing(
    value: Callable[[IntArray, FloatArray], tuple[FloatArray, FloatArray]],
    row: IntArray,
    low: FloatArray,
    high: FloatArray,
    rises: BoolArray,
) -> FloatArray:
    """Return the place between two where a value passes 0: Newton steps, or halving if these lead outside."""
    place, low, high = (low + high) / 2, low.copy(), high.copy()
    open_ = np.arange(len(row))
    for _ in range(_HALVINGS):
        if not len(open_):
            break
        here = place[open_]
        at, slope = value(row[open_], here)
        below = (at < 0.0) == rises[open_]
        low[open_] = np.where(below, here, low[open_])
        high[open_] = np.where(below, high[open_], here)
        ahead = here - at / np.where(slope != 0.0, slope, 1.0)
        good = (slope != 0.0) & (ahead >= low[open_]) & (ahead <= high[open_])
        place[open_] = np.where(good, ahead, (low[open_] + high[open_]) / 2)
        open_ = open_[np.abs(place[open_] - here) > 1e-13 * (1.0 + np.abs(here))]
    return place


def facing_point(mover: Ovals, standing: Ovals, between: FloatArray) -> FloatArray:
    """Return the common point of ovals that touch, relative to the first; `between` leads to the middles of the others.

    For those that overlap, return a point of both: on the line between their middles, divided as in the sum.
    """
    one, other = mover.squares(mover.heading), standing.squares(standing.heading)
    _, nx, ny, reach = _gauge(Sums(one, other), *between.T)
    xx, xy, yy = one
    pull_x, pull_y = xx * nx + xy * ny, xy * nx + yy * ny
    long = np.sqrt(nx * pull_x + ny * pull_y)
    lead = (nx * between[:, 0] + ny * between[:, 1]) / reach
    return np.column_stack([pull_x, pull_y]) * (np.minimum(lead, 1.0) / long)[:, None]
