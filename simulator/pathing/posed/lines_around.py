"""The lines on which a base touches things, exactly: where it fits between two of them, or hardly, it stands on these.

Areas are drawn with few corners and a little inside of where a base fits. What is as wide as the base, or a single
place, is in none of them.

>>> from simulator.geometry.footprints import Round
>>> from simulator.geometry.pieces import rectangle
>>> walls = rectangle((0, 2), (4, 2)), rectangle((0, -2), (4, 2))
>>> lines = [line for wall in walls for line in lines_around(wall, Round(1.0))]
>>> lane = parts_where(lines, lambda places: (abs(places[:, 1]) < 1e-6) & (places[:, 0] > -1.0), np.zeros((0, 2)))
>>> round(next(lane).length, 6)
3.0
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import shapely
from shapely.geometry.polygon import orient

from simulator.geometry.convex import BoolArray, IntArray, radius_of
from simulator.geometry.footprints import Base, Round
from simulator.geometry.pieces import XY, FloatArray, Solid
from simulator.geometry.sums import sum_of
from simulator.pathing.posed.begins import Arc, Line, Segment

#: Lines are looked at in places so many inches apart, and where a part of one ends is found by so many halvings.
_APART, _HALVINGS = 0.25, 40
#: Sides of fewer inches are none.
_NO_SIDE = 1e-9
#: The sides of an arc as it is drawn.
_SIDES = 16


def lines_around(thing: Solid, base: Base, heading: float = 0.0) -> Iterator[Line]:
    """Yield the lines on which the reference point of a base is that touches a thing, facing a heading.

    Parts of them may be where it overlaps the same thing, or others.
    """
    radius = radius_of(thing)
    if isinstance(base, Round):
        if radius is None:
            yield from _beside(thing.polygon, base.radius)
        else:
            yield _circle(thing.parts[0][0], base.radius + radius)
        return
    for part in base.at(0.0, 0.0, heading).parts:
        if radius is not None:
            yield from _beside(shapely.convex_hull(shapely.MultiPoint(thing.parts[0][0] - part)), radius)
        elif thing.polygon.area:
            yield from _beside(sum_of(thing.polygon, -part), 0.0)
        else:
            for one in thing.parts:
                yield from _beside(shapely.convex_hull(shapely.MultiPoint((one[:, None] - part).reshape(-1, 2))), 0.0)


def _circle(middle: FloatArray, radius: float) -> Line:
    x, y = middle.tolist()
    return Arc((x, y), radius, 0.0, 360.0) if radius > 0.0 else Segment((x, y), (x, y))


def _beside(shape: shapely.Geometry, far: float) -> Iterator[Line]:
    """The lines so far from a shape, which has straight sides."""
    for part in shapely.get_parts(shape).tolist():
        if not part.area:
            yield from _beside_line(shapely.get_coordinates(part), far)
            continue
        for ring in (orient(part).exterior, *orient(part).interiors):
            yield from _beside_ring(shapely.get_coordinates(ring)[:-1], far)


def _beside_ring(corners: FloatArray, far: float) -> Iterator[Line]:
    """The lines to the right of a ring, and round those of its corners that stick out."""
    corners = corners[np.hypot(*(corners - np.roll(corners, -1, axis=0)).T) > _NO_SIDE]
    ahead = np.roll(corners, -1, axis=0) - corners
    bearing = np.degrees(np.arctan2(ahead[:, 1], ahead[:, 0]))
    off = far * np.stack([ahead[:, 1], -ahead[:, 0]], axis=1) / np.hypot(*ahead.T)[:, None]
    for number, (x, y) in enumerate(corners.tolist()):
        yield _segment(corners[number] + off[number], corners[number] + ahead[number] + off[number])
        turned = (bearing[number] - bearing[number - 1] + 180.0) % 360.0 - 180.0
        if far and turned > 0.0:
            first = float(bearing[number - 1]) - 90.0
            yield Arc((x, y), far, first, first + float(turned))


def _beside_line(corners: FloatArray, far: float) -> Iterator[Line]:
    """The lines on both sides of a line, and round its corners."""
    for begin, end in pairwise(corners):
        ahead = (end - begin) / max(float(np.hypot(*(end - begin))), _NO_SIDE)
        off = far * np.array([-ahead[1], ahead[0]])
        yield from (_segment(begin + side, end + side) for side in ((off, -off) if far else (off,)))
    yield from (_circle(corner, far) for corner in (corners if far or len(corners) == 1 else ()))


def _segment(begin: FloatArray, end: FloatArray) -> Segment:
    (x, y), (there_x, there_y) = begin.tolist(), end.tolist()
    return Segment((x, y), (there_x, there_y))


def marks_of(lines: Sequence[Line]) -> FloatArray:
    """Return the middles of arcs and the ends of segments: where another line touches an arc or a segment is nearest.

    >>> marks_of([Arc((1, 2), 3, 0, 90)]).tolist()
    [[1.0, 2.0]]
    """
    places = [(line.middle,) if isinstance(line, Arc) else (line.begin, line.end) for line in lines]
    return np.array([place for some in places for place in some], np.float64).reshape(-1, 2)


# --- parts of lines ---


def parts_where(lines: Sequence[Line], holds: Callable[[FloatArray], BoolArray], near: FloatArray) -> Iterator[Line]:
    """Yield the parts of lines, or single places, where something holds, which is asked about places, rows x, y.

    Short parts are found where lines come nearest to some places, rows x, y.
    """
    if not lines:
        return
    feet = _Feet(lines)
    looked_at = [feet.looked_at(number, near) for number in range(len(lines))]
    owner = np.repeat(np.arange(len(lines)), [len(one) for one in looked_at])
    share = np.concatenate(looked_at)
    known = holds(feet.places(owner, share))
    turns = np.flatnonzero((known[1:] != known[:-1]) & (owner[1:] == owner[:-1]))
    good, bad, of_turn = share[turns + known[turns + 1]], share[turns + known[turns]], owner[turns]
    for _ in range(_HALVINGS if len(turns) else 0):
        middle = (good + bad) / 2
        found = holds(feet.places(of_turn, middle))
        good, bad = np.where(found, middle, good), np.where(found, bad, middle)
    for number, line in enumerate(lines):
        mine = np.flatnonzero(owner == number)
        first, last = mine[[0, -1]]
        borders = np.sort(np.r_[share[[first]][known[[first]]], good[of_turn == number], share[[last]][known[[last]]]])
        for begin, end in borders.reshape(-1, 2).tolist():
            yield part_of(line, begin, end)


def part_of(line: Line, begin: float, end: float) -> Line:
    """Return the part of a line from one share of its length to another."""
    if isinstance(line, Arc) and end > begin:
        wide = line.last - line.first
        return replace(line, first=line.first + begin * wide, last=line.first + end * wide)
    ends = [line.place(share * line.length) for share in (begin, end)]
    return Segment(ends[0], ends[1], line.paid)


class _Feet:
    """Lines as arrays: places after shares of their length, and the shares at which they come nearest to places."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.round = np.array([isinstance(line, Arc) for line in lines], np.bool_)
        ends = [(line.middle, line.middle) if isinstance(line, Arc) else (line.begin, line.end) for line in lines]
        self.begin, self.end = np.array(ends, np.float64).transpose(1, 0, 2)
        arcs = [(line.radius, line.first, line.last) if isinstance(line, Arc) else (0.0, 0.0, 0.0) for line in lines]
        self.radius, self.first, self.last = np.array(arcs, np.float64).T
        self.length = np.array([line.length for line in lines])

    def places(self, line: IntArray, share: FloatArray) -> FloatArray:
        """Return the places after shares of lines."""
        straight = self.begin[line] + share[:, None] * (self.end - self.begin)[line]
        bearing = np.radians(self.first + 0.0)[line] + share * np.radians(self.last - self.first)[line]
        around = self.radius[line, None] * np.stack([np.cos(bearing), np.sin(bearing)], axis=1)
        return np.asarray(straight + around)

    def looked_at(self, line: int, near: FloatArray) -> FloatArray:
        """Return the shares at which a line is looked at: evenly, nearest to some places, and between all of these."""
        count = max(int(np.ceil(self.length[line] / _APART)), 1)
        some = np.unique(np.r_[np.linspace(0.0, 1.0, count + 1), self._nearest(line, near)])
        return np.unique(np.r_[some, (some[1:] + some[:-1]) / 2])

    def _nearest(self, line: int, near: FloatArray) -> FloatArray:
        away = near - self.begin[line]
        if not self.round[line]:
            ahead = self.end[line] - self.begin[line]
            share = away @ ahead / max(float(ahead @ ahead), _NO_SIDE**2)
        else:
            bearing = np.degrees(np.arctan2(away[:, 1], away[:, 0]))
            wide = max(float(self.last[line] - self.first[line]), _NO_SIDE)
            share = np.mod(bearing - self.first[line], 360.0) / wide
        return np.asarray(np.unique(share[(share > 0.0) & (share < 1.0)]))


def drawn(line: Line) -> shapely.LineString:
    """Return a line as it is looked up by place: an arc with few corners."""
    count = _SIDES if isinstance(line, Arc) else 1
    places: list[XY] = [line.place(share * line.length) for share in np.linspace(0.0, 1.0, count + 1).tolist()]
    return shapely.LineString(places)
