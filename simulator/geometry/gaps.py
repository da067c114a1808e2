"""Gaps on the inch table: the throats between things, within one thing, and between things and the table's edge.

A throat is the narrowest part of a gap: a straight line between two borders, through open ground, that does not get
shorter by moving either end a little. Between two things there may be several, as between two combs; one concave piece
may have throats of its own, such as a door. If both borders are parallel the throat may be anywhere along them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import ArrayLike

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.nearest import nearest_points
from simulator.geometry.pieces import XY, FloatArray, Solid
from simulator.geometry.standing import Standing

#: The number of the table's edge among the things.
EDGE = -1
#: Widths that differ by no more than this are equal; narrower gaps are none: there the things touch.
_AS_WIDE = 1e-6
_SEGMENTS_AT_ONCE = 500


class Throat(NamedTuple):
    """One throat: its width, its ends, and the things on both sides; `EDGE` is the table's edge."""

    width: float
    one: XY
    other: XY
    between: tuple[int, int]
    slide: XY = (0.0, 0.0)  #: it may be anywhere from here to this offset

    @property
    def middle(self) -> XY:
        """The place half way across."""
        return (self.one[0] + self.other[0]) / 2, (self.one[1] + self.other[1]) / 2

    @property
    def through(self) -> XY:
        """The direction straight through it; the opposite one leads through it, too."""
        return (self.one[1] - self.other[1]) / self.width, (self.other[0] - self.one[0]) / self.width

    def near(self, place: XY) -> Throat:
        """Return the same throat as near to a place as possible.

        >>> Throat(1, (0, 0), (0, 1), (0, 1), slide=(4, 0)).near((3, 9)).one
        (3.0, 0.0)
        """
        if self.slide == (0.0, 0.0):
            return self
        return _slid(self, float(shares_of_slides([self.middle], [self.slide], [place])[0]))

    def distance(self, place: XY) -> float:
        """Return the distance of a place from the nearest point of the throat."""
        at = self.near(place)
        return float(shapely.distance(shapely.LineString([at.one, at.other]), shapely.Point(place)))


def shares_of_slides(middles: ArrayLike, slides: ArrayLike, places: ArrayLike) -> FloatArray:
    """Return the share of its slide that brings each throat nearest to its own place; 0 for those without a slide.

    >>> shares_of_slides([(0, 0), (0, 0)], [(4, 0), (0, 0)], [(3, 9), (3, 9)])
    array([0.75, 0.  ])
    """
    slide = np.asarray(slides, np.float64)
    square = np.sum(slide**2, axis=1)
    ahead = np.sum((np.asarray(places, np.float64) - np.asarray(middles, np.float64)) * slide, axis=1)
    return np.asarray(np.clip(ahead / np.where(square > 0.0, square, 1.0), 0.0, 1.0))


def throats(solids: Sequence[Solid], widest: float, box: ArrayLike | None = None) -> list[Throat]:
    """Return all throats up to a width, the narrowest first.

    Between two things, within one (then both numbers are the same), and, with the table as a `box` (min x, min y,
    max x, max y), between a thing and its edge. Things that touch or overlap have no throat. For an oval only the
    narrowest throat with each other thing is returned.

    >>> from simulator.geometry.pieces import rectangle
    >>> one, other = rectangle((0, 0), (2, 2)), rectangle((3, 0.5), (2, 2))
    >>> throats([one, other], 1.5)
    [Throat(width=1.0, one=(1.0, -0.5), other=(2.0, -0.5), between=(0, 1), slide=(0.0, 1.5))]
    """
    things = Standing.of(solids)
    borders = _borders(things, box)
    open_ones = _in_the_open(_with_slides(_short_lines(borders, widest)), things)
    return sorted(open_ones + _of_ovals(solids, things, widest))


def narrowest(solids: Sequence[Solid], near: XY | None = None, box: ArrayLike | None = None) -> Throat | None:
    """Return the narrowest throat of some things, None if there is none; of several as wide, the nearest to a place.

    >>> from simulator.geometry.pieces import rectangle
    >>> narrowest([rectangle((0, 0), (2, 2)), rectangle((3, 0.5), (2, 2))], near=(1.5, 9)).middle
    (1.5, 1.0)
    """
    bodies = [solid.polygon for solid in solids] + ([] if box is None else [shapely.box(*np.asarray(box, np.float64))])
    if not bodies:
        return None
    low_x, low_y, high_x, high_y = shapely.total_bounds(bodies)
    found = throats(solids, math.hypot(high_x - low_x, high_y - low_y), box)
    tied = [one for one in found if one.width <= found[0].width + _AS_WIDE]
    if near is None or not tied:
        return tied[0] if tied else None
    return min(tied, key=lambda one: one.distance(near)).near(near)


# -- small parts ----------------------------------------------------------------------------------------------


class _Borders(NamedTuple):
    """Borders as segments, discs as their centres; by thing."""

    segments: FloatArray
    owner: IntArray
    radius: FloatArray
    #: The directions in which the border continues from both ends of each segment: [segment, end, number, xy].
    onward: FloatArray
    #: A mask of the segments of things without throats of their own: convex ones, or the edge.
    alone: BoolArray

    @property
    def ends(self) -> FloatArray:
        """Both ends of each segment, [segment, end, xy]."""
        return self.segments.reshape(-1, 2, 2)


class _GapLines(NamedTuple):
    """Lines between borders: their ends, the segments there, the things, and their widths."""

    one: FloatArray
    other: FloatArray
    segments: IntArray  #: rows of two
    between: IntArray  #: rows of two
    width: FloatArray

    def of(self, rows: IntArray | BoolArray) -> _GapLines:
        """Return some of the lines."""
        return _GapLines(self.one[rows], self.other[rows], self.segments[rows], self.between[rows], self.width[rows])


def _borders(things: Standing, box: ArrayLike | None) -> _Borders:
    spots = things.discs[:, [0, 1, 0, 1]]
    parts, owners = [things.segments, spots], [things.segment_owner, things.disc_owner]
    if box is not None:
        low_x, low_y, high_x, high_y = np.asarray(box, np.float64).tolist()
        ring = [(low_x, low_y), (high_x, low_y), (high_x, high_y), (low_x, high_y)]
        parts.append(np.array([[*a, *b] for a, b in zip(ring, ring[1:] + ring[:1], strict=True)]))
        owners.append(np.full(4, EDGE))
    segments, owner = np.concatenate(parts), np.concatenate(owners)
    radius = np.concatenate([np.zeros(len(things.segments)), things.discs[:, 2], np.zeros(len(segments))])
    # Corners by thing and place; the continuation from each, as the way to the other end of each segment there.
    ends = segments.reshape(-1, 2)
    _, corner = np.unique(np.column_stack([np.repeat(owner, 2), ends]), axis=0, return_inverse=True)
    corner = corner.reshape(-1)
    ahead = np.stack([segments[:, 2:] - segments[:, :2], segments[:, :2] - segments[:, 2:]], axis=1).reshape(-1, 2)
    order = np.argsort(corner, kind="stable")
    nth = np.arange(len(order)) - np.searchsorted(corner[order], corner[order])
    onward = np.zeros((int(corner.max(initial=-1)) + 1, int(nth.max(initial=0)) + 1, 2))
    onward[corner[order], nth] = ahead[order]
    alone = np.isin(owner, [EDGE, *things.area_owner[_are_convex(things)].tolist()])
    by_end = onward[corner].reshape(len(segments), 2, onward.shape[1], 2)
    return _Borders(segments, owner, radius[: len(segments)], by_end, alone)


def _are_convex(things: Standing) -> BoolArray:
    areas = np.array(things.areas, object)
    return np.asarray(shapely.area(areas) >= shapely.area(shapely.convex_hull(areas)) * (1.0 - 1e-12), np.bool_)


def _short_lines(borders: _Borders, widest: float) -> _GapLines:
    """Return the locally shortest lines from an end of a segment to the nearest point of another."""
    if not len(borders.segments):
        none = np.zeros((0, 2))
        return _GapLines(none, none, none.astype(np.intp), none.astype(np.intp), np.zeros(0))
    drawn = np.asarray(shapely.linestrings(borders.ends))
    is_spot = (borders.segments[:, :2] == borders.segments[:, 2:]).all(axis=1)
    drawn[is_spot] = shapely.points(borders.segments[is_spot, :2])
    tree, reach = shapely.STRtree(drawn), widest + 2.0 * float(borders.radius.max(initial=0.0)) + _AS_WIDE
    found = []
    for some in np.array_split(np.arange(len(drawn)), len(drawn) // _SEGMENTS_AT_ONCE + 1):
        at, of = tree.query(drawn[some], predicate="dwithin", distance=reach)
        at = some[at]
        apart = (at != of) & ~((borders.owner[at] == borders.owner[of]) & borders.alone[at])
        found += _lines_of_pairs(borders, at[apart], of[apart], widest)
    lines = _GapLines(*(np.concatenate(columns) for columns in zip(*found, strict=True)))
    # Lines begin at the thing with the lower number, the edge last; within one thing at the lower left.
    key = np.where(lines.between == EDGE, np.iinfo(np.intp).max, lines.between)
    (x1, y1), (x2, y2) = lines.one.T, lines.other.T
    back = (key[:, 0] > key[:, 1]) | ((key[:, 0] == key[:, 1]) & ((x1 > x2) | ((x1 == x2) & (y1 > y2))))
    turned = back[:, None]
    return _GapLines(
        np.where(turned, lines.other, lines.one),
        np.where(turned, lines.one, lines.other),
        np.where(turned, lines.segments[:, ::-1], lines.segments),
        np.where(turned, lines.between[:, ::-1], lines.between),
        lines.width,
    )


def _lines_of_pairs(borders: _Borders, at: IntArray, of: IntArray, widest: float) -> list[_GapLines]:
    found = []
    for end in (0, 1):
        start, step = borders.ends[of, 0], borders.ends[of, 1] - borders.ends[of, 0]
        one = borders.ends[at, end]
        square = np.sum(step**2, axis=1)
        share = np.clip(np.sum((one - start) * step, axis=1) / np.where(square > 0.0, square, 1.0), 0.0, 1.0)
        other = np.where(share[:, None] == 1.0, borders.ends[of, 1], start + share[:, None] * step)
        long = np.hypot(*(other - one).T)
        width = long - borders.radius[at] - borders.radius[of]
        unit = (other - one) / np.where(long > 0.0, long, 1.0)[:, None]
        kept = (width > _AS_WIDE) & (width <= widest + _AS_WIDE)
        kept &= ~_shortens(borders.onward[at, end], unit)
        for other_end, there in ((0, share == 0.0), (1, share == 1.0)):
            kept &= ~(there & _shortens(borders.onward[of, other_end], -unit))
        # Discs reach out from their middles.
        one, other = one + borders.radius[at, None] * unit, other - borders.radius[of, None] * unit
        pair = np.column_stack([at, of])
        found.append(_GapLines(one, other, pair, borders.owner[pair], width).of(kept))
    return found + _beside_each_other(borders, at, of, widest)


def _beside_each_other(borders: _Borders, at: IntArray, of: IntArray, widest: float) -> list[_GapLines]:
    """Return the lines at both ends of the stretch where two sides are parallel."""
    (start, after), (one, other) = (np.moveaxis(borders.ends[side], 1, 0) for side in (at, of))
    step = after - start
    long = np.hypot(*step.T)
    unit = step / np.where(long > 0.0, long, 1.0)[:, None]
    first, last = np.sum((one - start) * unit, axis=1), np.sum((other - start) * unit, axis=1)
    low, high = np.maximum(np.minimum(first, last), 0.0), np.minimum(np.maximum(first, last), long)
    rows = np.flatnonzero((high - low > 10 * _AS_WIDE) & (at < of))
    ends = []
    for along in (low[rows], high[rows]):
        share = (along - first[rows]) / (last - first)[rows]
        here = start[rows] + along[:, None] * unit[rows]
        there = one[rows] + share[:, None] * (other - one)[rows]
        ends.append((here, there, np.hypot(*(there - here).T)))
    level = np.abs(ends[0][2] - ends[1][2]) <= 2 * _AS_WIDE
    level &= (ends[0][2] > _AS_WIDE) & (ends[0][2] <= widest + _AS_WIDE)
    pair = np.column_stack([at[rows], of[rows]])
    return [_GapLines(here, there, pair, borders.owner[pair], width).of(level) for here, there, width in ends]


def _shortens(onward: FloatArray, unit: FloatArray) -> BoolArray:
    """Return whether a line gets shorter if its end moves on along the border, by more than between parallel sides."""
    return np.asarray(np.any(np.einsum("rnk,rk->rn", onward, unit) > 2 * _AS_WIDE, axis=1))


def _in_the_open(passages: list[Throat], things: Standing) -> list[Throat]:
    """Return the throats through open ground. One that slides is checked near both its ends and half way.

    If something stands in one of these places it does not slide, and the other places are throats of their own.
    """
    tried: list[list[Throat]] = []
    for throat in passages:
        long = math.hypot(*throat.slide)
        # At its very end a throat may run along a third side, as at the bottom of a bay.
        shares = (min(1e-5 / long, 0.25), 0.5, 1.0 - min(1e-5 / long, 0.25)) if long else (0.0,)
        tried.append([_slid(throat, share) for share in shares])
    clear = iter(_clear([line for lines in tried for line in lines], things).tolist())
    found = []
    for throat, lines in zip(passages, tried, strict=True):
        free = [line for line in lines if next(clear)]
        found += [throat] if len(free) == len(lines) else free
    return found


def _slid(throat: Throat, share: float) -> Throat:
    dx, dy = share * throat.slide[0], share * throat.slide[1]
    (x1, y1), (x2, y2) = throat.one, throat.other
    return Throat(throat.width, (x1 + dx, y1 + dy), (x2 + dx, y2 + dy), throat.between)


def _clear(lines: list[Throat], things: Standing) -> BoolArray:
    """Return a mask of the lines through open ground: through no area, across no line, and over no disc."""
    ends = np.array([(line.one, line.other) for line in lines], np.float64).reshape(-1, 2, 2)
    step = ends[:, 1] - ends[:, 0]
    trim = np.minimum(1e-7 / np.hypot(*step.T), 0.25)[:, None] * step
    drawn = np.asarray(shapely.linestrings(np.stack([ends[:, 0] + trim, ends[:, 1] - trim], axis=1)), object)
    walls = shapely.linestrings(things.segments.reshape(-1, 2, 2))
    clear = np.ones(len(lines), np.bool_)
    for bodies in (np.array(things.areas, object), np.asarray(walls)):
        if len(bodies):
            clear[shapely.STRtree(bodies).query(drawn, predicate="intersects")[0]] = False
    if len(things.discs):
        spots = np.asarray(shapely.points(things.discs[:, :2]), object)
        gaps = shapely.distance(drawn[:, None], spots[None])
        clear &= np.all(gaps > things.discs[:, 2], axis=1)
    return clear


def _with_slides(lines: _GapLines) -> list[Throat]:
    """Return each throat once; those at both ends of parallel sides as one that may slide."""
    by_sides: dict[tuple[tuple[int, int], ...], list[int]] = {}
    for row, (pair, between) in enumerate(zip(lines.segments.tolist(), lines.between.tolist(), strict=True)):
        by_sides.setdefault((tuple(sorted(pair)), tuple(between)), []).append(row)
    longest: dict[tuple[float, ...], Throat] = {}
    slid: set[tuple[float, ...]] = set()
    for (_, between), rows in sorted(by_sides.items()):
        ends = sorted((*lines.one[row].tolist(), *lines.other[row].tolist(), float(lines.width[row])) for row in rows)
        first, last = ends[0], ends[-1]
        shift = last[0] - first[0], last[1] - first[1]
        one, other = (first[0], first[1]), (first[2], first[3])
        if math.hypot(last[2] - first[2] - shift[0], last[3] - first[3] - shift[1]) > 4 * _AS_WIDE:
            shift = 0.0, 0.0  # two lines that cross: no parallel sides
        if math.hypot(*shift) > _AS_WIDE:
            slid |= {_place(first), _place(last)}
            longest[(*_place(first), *_place(last))] = Throat(min(first[4], last[4]), one, other, between[:2], shift)
        else:
            longest.setdefault(_place(first), Throat(first[4], one, other, between[:2]))
    return [throat for place, throat in longest.items() if place not in slid]


def _place(line: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(round(number, 6) + 0.0 for number in line[:4])


def _of_ovals(solids: Sequence[Solid], things: Standing, widest: float) -> list[Throat]:
    ovals = things.oval_owner.tolist()
    found = []
    for oval in ovals:
        for number, solid in enumerate(solids):
            if number == oval or (number in ovals and number < oval):
                continue
            (a, first), (b, second) = sorted([(oval, solids[oval]), (number, solid)], key=lambda one: one[0])
            one, other = nearest_points(first, second)
            width = math.dist(one, other)
            if _AS_WIDE < width <= widest:
                found.append(Throat(width, one, other, (a, b)))
    return found
