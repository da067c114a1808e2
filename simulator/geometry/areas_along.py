"""Which areas lie under straight lines, stretch by stretch, on either side: exact for many lines and areas at once.

A line that runs along the border of an area has it on one side only; everywhere else both sides are alike. So a rule
for borders can look at both. What lies under a base is a matter of `path_judge.stretches_over`.

>>> from simulator.geometry.pieces import rectangle
>>> strip = Standing.of([rectangle((2, 0), (2, 4))])
>>> found = areas_along(MovingPoints(np.array([[0.0, 0.0], [0.0, 2.0]]), np.array([[4.0, 0.0], [4.0, 0.0]])), strip)
>>> found.line.tolist(), found.begin.tolist(), found.end.tolist()
([0, 0, 0, 1, 1, 1], [0.0, 1.0, 3.0, 0.0, 1.0, 3.0], [1.0, 3.0, 4.0, 1.0, 3.0, 4.0])
>>> found.left[:, 0].tolist(), found.right[:, 0].tolist()
([False, True, False, False, False, False], [False, True, False, False, True, False])
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import shapely

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.standing import Standing
from simulator.geometry.sweeps import MovingPoints, box_of_sweep
from simulator.geometry.tolerances import CONTACT, ROUNDING, TOUCH

#: What lies beside a box is near it.
_BESIDE = np.array([-CONTACT, -CONTACT, CONTACT, CONTACT])


class AreasAlong(NamedTuple):
    """Stretches of lines, in order, and for each the areas on its left and on its right: arrays [stretch, area]."""

    line: IntArray
    begin: FloatArray  #: inches from the start of the line
    end: FloatArray
    left: BoolArray
    right: BoolArray


def areas_along(lines: MovingPoints, standing: Standing) -> AreasAlong:
    """Find the stretches of many straight lines and the areas on both sides; a line without length has one stretch.

    Areas are numbered as the things are. A line as near to a border as `CONTACT` runs along it.
    """
    far = np.hypot(*lines.step.T)
    along = np.where(far[:, None] > ROUNDING, lines.step, (1.0, 0.0)) / np.where(far > ROUNDING, far, 1.0)[:, None]
    line, at = cuts_apart(*_cuts(lines.start, along, far, standing))
    same = np.flatnonzero(line[1:] == line[:-1])
    line, begin, end = line[same], at[same], at[same + 1]
    middles = lines.start[line] + ((begin + end) / 2)[:, None] * along[line]
    aside = CONTACT * np.stack([-along[line, 1], along[line, 0]], axis=1)
    near = _areas_near(box_of_sweep(lines) + _BESIDE, standing)
    place, which = np.nonzero(near[line]) if standing.areas else (line[:0], line[:0])
    left, right = (_over(middles + side * aside, place, which, standing) for side in (1.0, -1.0))
    return AreasAlong(line, begin, end, left, right)


def cuts_apart(line: IntArray, at: FloatArray) -> tuple[IntArray, FloatArray]:
    """Of cuts of lines, sorted by line and inches, leave out those too near to one before, but never a line's last."""
    if not len(line):
        return line, at
    opens, ends = np.r_[True, line[1:] != line[:-1]], np.r_[line[1:] != line[:-1], True]
    kept = opens | np.r_[True, np.diff(at) > TOUCH]
    # What lies just before the last cut of a line gives way to it, but for the first.
    kept[:-1] &= opens[:-1] | ~ends[1:] | (np.diff(at) > TOUCH)
    kept |= ends
    return line[kept], at[kept]


def _cuts(start: FloatArray, along: FloatArray, far: FloatArray, standing: Standing) -> tuple[IntArray, FloatArray]:
    """Where lines cross borders, or begin and cease to run along them, their starts and ends among them, in order."""
    ends = start + far[:, None] * along
    row, feature = standing.features_near(np.hstack([np.minimum(start, ends), np.maximum(start, ends)]) + _BESIDE)
    lines, places = list[IntArray](), list[FloatArray]()
    on_edge = np.flatnonzero(feature < len(standing.segments))
    edge_row, edge = row[on_edge], feature[on_edge]
    here, course = (np.ascontiguousarray(columns.T).take(edge_row, axis=1) for columns in (start, along))
    first, second = (
        _seen(corner.take(edge, axis=1) - here, course) for corner in standing.segments.T.reshape(2, 2, -1).copy()
    )
    crossed = np.flatnonzero(first.off * second.off < 0.0)
    (off, ahead), (other_off, other_ahead) = ([column[crossed] for column in seen] for seen in (first, second))
    lines.append(edge_row[crossed])
    places.append(ahead + (other_ahead - ahead) * (off / (off - other_off)))
    for seen in (first, second):
        met = np.flatnonzero(np.abs(seen.off) <= CONTACT)
        lines.append(edge_row[met])
        places.append(seen.ahead[met])
    disc = feature - len(standing.segments)
    on_disc = (disc >= 0) & (disc < len(standing.discs))
    disc_row, rounds = row[on_disc], standing.discs[disc[on_disc]]
    away = rounds[:, :2] - start[disc_row]
    ux, uy = along[disc_row].T
    ahead, off = ux * away[:, 0] + uy * away[:, 1], ux * away[:, 1] - uy * away[:, 0]
    # A line that just passes a disc runs along its border for a while.
    off = np.where(np.abs(off) < rounds[:, 2], off, np.maximum(np.abs(off) - CONTACT, 0.0))
    half = np.sqrt(np.maximum(rounds[:, 2] ** 2 - off**2, 0.0))
    for place in (ahead - half, ahead + half):
        met = np.abs(off) < rounds[:, 2]
        lines.append(disc_row[met])
        places.append(place[met])
    line, at = np.concatenate(lines), np.concatenate(places)
    inner = (at >= 0.0) & (at <= far[line])
    line, at = line[inner], at[inner]
    order = np.lexsort((at, line))
    return _with_ends(line[order], at[order], far)


class _Seen(NamedTuple):
    """Places as lines lead past them: how far to the left, and how far ahead."""

    off: FloatArray
    ahead: FloatArray


def _seen(away: FloatArray, course: FloatArray) -> _Seen:
    """Return how lines lead past places; columns by place."""
    (x, y), (ux, uy) = away, course
    return _Seen(ux * y - uy * x, ux * x + uy * y)


def _with_ends(line: IntArray, at: FloatArray, far: FloatArray) -> tuple[IntArray, FloatArray]:
    """Add to sorted cuts of lines, all of them between the ends, the starts and ends of all lines."""
    count = np.bincount(line, minlength=len(far)) + 2
    last = np.cumsum(count) - 1
    places = np.zeros(int(count.sum()))
    places[last] = far
    places[np.arange(len(line)) + 2 * line + 1] = at
    return np.repeat(np.arange(len(far)), count), places


def _areas_near(boxes: FloatArray, standing: Standing) -> BoolArray:
    """Which areas each box meets, an array [box, area]."""
    near = np.zeros((len(boxes), len(standing.areas)), np.bool_)
    near[standing.areas_near(boxes)] = True
    return near


def _over(places: FloatArray, place: IntArray, which: IntArray, standing: Standing) -> BoolArray:
    """Which places lie in which areas, of pairs of both."""
    found = np.zeros((len(places), standing.count), np.bool_)
    if standing.areas:
        inside = shapely.contains_xy(standing.prepared.polygons[which], *places[place].T)
        found[place[inside], standing.area_owner[which[inside]]] = True
    if len(standing.discs):
        x, y, radius = standing.discs.T
        apart = np.hypot(places[:, :1] - x, places[:, 1:] - y)
        place, disc = np.nonzero(apart < radius)
        found[place, standing.disc_owner[disc]] = True
    return found
