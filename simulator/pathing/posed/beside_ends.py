"""Where something can be set down beside a mover, in whichever pose that ends.

The ground beside the mover is made of convex parts, which turn and travel with it. Along a line of poses such a part
sweeps the convex hull of where it begins and where it ends, and a place in that belongs to a pose in closed form. So no
pose stands for others: each place of the ground has one, which `pose_beside` names.

Where something cuts off a part of that ground, poses along a line differ, and are looked at one by one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from simulator.geometry.bitmaps import Bitmap
from simulator.geometry.convex import BoolArray
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.shapes import shrunk
from simulator.geometry.tolerances import TOLERANCE
from simulator.pathing.columns import join, pick
from simulator.pathing.posed.pose_lines import PoseLines, pose_lines
from simulator.pathing.posed.rays import units
from simulator.pathing.posed.reach import PoseReach
from simulator.pathing.posed.space import Extent

#: A line is of use if it adds places farther than this from those that are known.
_FARTHER = 0.03
#: So many places around all parts are looked at, in so many poses of a line: those at its ends, and between.
_AROUND, _ALONG = 12, 7
#: Ground that is thinner than this, such as an arc that something has to touch, hides hardly any gaps: what it sweeps
#: is looked at in places so far apart.
_THIN, _CLOSE = 0.2, 0.1
#: What is known is drawn in cells at least so wide, and no more than so many; and for a first look in others, so many
#: times as wide.
_CELL, _CELLS, _WIDE = 0.04, 1_500_000, 10
#: Corners of the ground lie on a grid so fine.
_GRID = 1e-4
#: How far a mover may still get is told apart by so many doublings.
_STEP = 0.5
#: So many lines are added at once, of those that are of use: most of the others are of none then.
_AT_ONCE = 64
#: Poses that are looked at one by one lie so many inches apart on a line, and not nearer to each other than so many
#: inches and degrees.
_APART, _NEAR, _LIKE = 0.1, 0.05, 1.0
#: So many poses that a place lies beside are tried at once.
_TRIED = 16


class CutOff(NamedTuple):
    """What may cut off a part of the ground beside a mover."""

    by: BaseGeometry
    reach: float  #: nothing farther from the reference point matters
    #: Returns the ground beside the mover in some poses, by their places, rows x, y, and headings.
    ground_at: Callable[[FloatArray, FloatArray], NDArray[Any]]


#: Returns parts around the reference point of a mover that faces along +x, by the heading that it has.
PartsFacing: TypeAlias = Callable[[float], Sequence[FloatArray]]


class _Found(NamedTuple):
    lines: PoseLines  #: on which the parts are swept
    poses: PoseLines  #: one by one
    beside: NDArray[Any]  #: the ground beside each of those
    ground: BaseGeometry


@dataclass(frozen=True, eq=False)
class BesideEnds:
    """The ground beside a mover at its ends on a level: convex parts around its reference point, facing along +x."""

    reach: PoseReach
    parts: Sequence[FloatArray]  #: corners counter-clockwise, rows x, y
    level: int = 0
    cut_off: CutOff | None = None
    within: BaseGeometry | None = None  #: only what is beside the mover in here matters; None: all of it

    @cached_property
    def _found(self) -> _Found:
        none = PoseLines.at(np.zeros((0, 2)), np.zeros(0))
        lots, poses, beside = [none], [none], [np.zeros(0, object)]
        known = _KnownBeside(self.parts, self.reach.space.window, self.within)
        asked = _Asked()
        for lines in pose_lines(self.reach, self.level, known) if self.parts else ():
            some, cut = self._parted(pick(lines, known.lines(lines)))
            while len(some.heading):
                now = np.arange(len(some.heading)) % -(-len(some.heading) // _AT_ONCE) == 0
                lots.append(pick(some, now))
                known.add(_swept(lots[-1], self.parts))
                some = pick(some, ~now)
                some = pick(some, known.lines(some))
            if len(cut.heading):
                cut = asked.anew(_one_by_one(cut))
                cut = pick(cut, known.lines(cut))
            while len(cut.heading):
                now = np.arange(len(cut.heading)) % -(-len(cut.heading) // _AT_ONCE) == 0
                poses.append(pick(cut, now))
                beside.append(self._ground_at(poses[-1]))
                known.add(beside[-1])
                cut = pick(cut, ~now)
                cut = pick(cut, known.lines(cut))
        return _Found(join(lots), join(poses), np.concatenate(beside), known.ground)

    def _ground_at(self, poses: PoseLines) -> NDArray[Any]:
        assert self.cut_off is not None
        return self.cut_off.ground_at(poses.begin, poses.heading)

    def _parted(self, lines: PoseLines) -> tuple[PoseLines, PoseLines]:
        """Part lines into those along which nothing cuts off any ground, and others."""
        if self.cut_off is None or self.cut_off.by.is_empty or not len(lines.heading):
            return lines, pick(lines, slice(0))
        shapely.prepare(self.cut_off.by)
        tracks = shapely.linestrings(np.stack([lines.begin, lines.end], axis=1))
        near: BoolArray = np.asarray(shapely.dwithin(tracks, self.cut_off.by, self.cut_off.reach))
        return pick(lines, ~near), pick(lines, near)

    @property
    def lines(self) -> PoseLines:
        """The poses of the mover; those that add nothing to the ground are left out."""
        return join([self._found.lines, self._found.poses])

    @property
    def ground(self) -> BaseGeometry:
        """All places beside the mover in one of its poses."""
        return self._found.ground

    def swept_by(self, parts: PartsFacing) -> BaseGeometry:
        """Return what other parts sweep, which may differ by its heading, where nothing cuts off any ground."""
        found = [_swept(some, parts(heading)) for heading, some in _by_heading(self._found.lines)]
        whole = shapely.union_all(np.concatenate([np.zeros(0, object), *found]), grid_size=_GRID)
        return shrunk(whole, _GRID, join_style="mitre")

    @property
    def cut_off_ground(self) -> BaseGeometry:
        """All places beside the mover in one of those of its poses in which something may cut off some ground."""
        return shapely.union_all(self._found.beside, grid_size=_GRID)

    def covered(self, parts: Sequence[FloatArray]) -> BaseGeometry:
        """Return what other convex parts, such as those of its base, cover in one of its poses."""
        return shapely.union_all(_swept(self.lines, parts), grid_size=_GRID)

    def pose_beside(
        self,
        place: XY,
        clear_of: XY | None = None,
        base: Sequence[FloatArray] = (),
        parts: PartsFacing | None = None,
    ) -> tuple[XY, float] | None:
        """Return a pose of the mover that a place lies beside, as place and heading; None: there is none.

        In it no part of its `base` may have another place inside it. Of all that it can end in, it is the one with the
        most room for that. Other parts may be named, which differ by the heading of the mover.
        """
        found, room = self._poses_beside(place, clear_of, base, parts)
        order = np.argsort(-room, kind="stable")
        # By rounding, single poses at the ends of what is paid for have no way.
        for first in range(0, len(order), _TRIED):
            some = pick(found, order[first : first + _TRIED])
            ends = np.flatnonzero(np.isfinite(self.reach.costs_in(some.begin, some.heading, self.level)))
            if len(ends):
                x, y = some.begin[ends[0]].tolist()
                return (x, y), float(some.heading[ends[0]])
        return None

    def _poses_beside(
        self, place: XY, clear_of: XY | None, base: Sequence[FloatArray], parts: PartsFacing | None
    ) -> tuple[PoseLines, FloatArray]:
        """Poses that a place lies beside, one in the middle of each span of them, and how long those are."""
        lots, rooms = [PoseLines.at(np.zeros((0, 2)), np.zeros(0))], [np.zeros(0)]
        for lines, spans in self._spans_beside(place, parts):
            if clear_of is not None:
                spans = _clear(lines, spans, base, clear_of)
            for begin, end in spans:
                row = np.flatnonzero(end >= begin)
                lots.append(PoseLines.at(lines.places(row, (begin[row] + end[row]) / 2), lines.heading[row]))
                rooms.append(end[row] - begin[row])
        return join(lots), np.concatenate(rooms)

    def _spans_beside(
        self, place: XY, parts: PartsFacing | None
    ) -> Iterator[tuple[PoseLines, list[tuple[FloatArray, FloatArray]]]]:
        """From which share of each line to which a place lies beside the mover."""
        lines, poses, beside, _ = self._found
        named = [(lines, self.parts)] if parts is None else [(one, parts(c)) for c, one in _by_heading(lines)]
        for some, there in named:
            yield from ((some, [_shares(some, part, place, TOLERANCE)]) for part in there)
        near = shapely.intersects_xy(beside, *place)
        yield pick(poses, near), [(np.zeros(int(near.sum())), np.ones(int(near.sum())))]


def _clear(
    lines: PoseLines, spans: list[tuple[FloatArray, FloatArray]], base: Sequence[FloatArray], place: XY
) -> list[tuple[FloatArray, FloatArray]]:
    """The parts of spans of lines in which a place is in no part of a base."""
    for one in base:
        enters, leaves = _shares(lines, one, place, -TOLERANCE)
        inside = enters < leaves
        enters, leaves = np.where(inside, enters, np.inf), np.where(inside, leaves, np.inf)
        spans = [
            span
            for begin, end in spans
            for span in (
                (begin, np.minimum(end, enters)),
                (np.where(inside, np.maximum(begin, leaves), np.inf), end),
            )
        ]
    return spans


def _one_by_one(lines: PoseLines) -> PoseLines:
    """Poses along lines, so far apart."""
    inches = np.hypot(*(lines.end - lines.begin).T)
    count = np.maximum(np.ceil(inches / _APART), 1).astype(np.intp) + 1
    row = np.repeat(np.arange(len(count)), count)
    number = np.arange(len(row)) - np.repeat(np.cumsum(count) - count, count)
    return PoseLines.at(lines.places(row, number / (count - 1)[row]), lines.heading[row])


class _Asked:
    """Which poses have been looked at."""

    def __init__(self) -> None:
        self._keys = np.zeros((0, 3), np.int64)

    def anew(self, poses: PoseLines) -> PoseLines:
        """Return those that are not like one that has been looked at."""
        key = np.column_stack([poses.begin / _NEAR, np.mod(poses.heading, 360.0) / _LIKE])
        both = np.concatenate([self._keys, np.rint(key).astype(np.int64)])
        self._keys, first = np.unique(both, axis=0, return_index=True)
        return pick(poses, np.sort(first[first >= len(both) - len(key)] - (len(both) - len(key))))


class _KnownBeside:
    """The ground that is known, and what would add to it."""

    def __init__(self, parts: Sequence[FloatArray], window: Extent, within: BaseGeometry | None) -> None:
        self._reach = max((float(np.hypot(*part.T).max()) for part in parts), default=0.0)
        whole = shapely.union_all([shapely.Polygon(part) for part in parts])
        around: Any = shapely.boundary(whole)
        self._is_thin = bool(whole.area < _THIN * whole.length / 2)
        count = max(math.ceil(around.length / _CLOSE), _AROUND) if self._is_thin else _AROUND
        places = shapely.line_interpolate_point(around, np.arange(count) / count, normalized=True)
        self._around = shapely.get_coordinates(places)
        grown = np.array([-1.0, -1.0, 1.0, 1.0]) * (self._reach + 1.0)
        left, bottom, right, top = (np.array(window) + grown).tolist()
        self._bounds = left, bottom, right, top
        everywhere = shapely.box(*self._bounds)
        wanted = everywhere if within is None else shapely.intersection(within, everywhere)
        self._cell = max(_CELL, math.sqrt((right - left) * (top - bottom) / _CELLS))
        self._lots: list[BaseGeometry] = []
        self._lacks = Bitmap.of(wanted, self._bounds, self._cell)
        self._look()

    @property
    def ground(self) -> BaseGeometry:
        """All of it, but for a rim as narrow as its corners may have been moved: no place of it lies outside."""
        whole = shapely.union_all(self._lots, grid_size=_GRID)
        return shrunk(whole, _GRID, join_style="mitre")

    def add(self, shapes: NDArray[Any]) -> None:
        """Add shapes to the ground."""
        self._lots.append(shapely.union_all(shapes, grid_size=_GRID))
        known = shapely.buffer(self._lots[-1], max(_FARTHER, 0.75 * self._cell), quad_segs=2)
        self._lacks = self._lacks.without(Bitmap.of(known, self._bounds, self._cell))
        self._look()

    def _look(self) -> None:
        """See around which places some ground is not known."""
        self._wide = self._lacks.coarser(_WIDE)
        self._lacks_near = self._wide.grown(self._reach)
        self._within = dict[int, Bitmap]()

    def around(self, places: FloatArray, inches: FloatArray) -> BoolArray:
        """Find the places around which some ground is not known."""
        found: BoolArray = np.zeros(len(places), np.bool_)
        steps = np.maximum(np.ceil(np.log2(np.maximum(inches, 1.0)) / _STEP), 0).astype(np.intp)
        for step in np.unique(steps).tolist():
            some = np.flatnonzero(steps == step)
            if step not in self._within:
                self._within[step] = self._wide.grown(2.0 ** (step * _STEP) + self._reach)
            found[some] = self._within[step].has(places[some])
        return found

    def poses(self, places: FloatArray) -> BoolArray:
        """Find the places near which some ground is not known."""
        return self._lacks_near.has(places)

    def lines(self, lines: PoseLines) -> BoolArray:
        """Find the lines that add something, in one of some poses on them."""
        found: BoolArray = np.zeros(len(lines.heading), np.bool_)
        for share in np.linspace(1.0, 0.0, self._count_along(lines)):
            left = np.flatnonzero(~found)
            places = lines.places(left, np.full(len(left), share))
            near = self._lacks_near.has(places)
            left, places = left[near], places[near]
            around = places[:, None] + _turned(self._around, lines.heading[left])
            found[left] = self._lacks.has(around).any(axis=1)
        return found

    def _count_along(self, lines: PoseLines) -> int:
        """In how many poses of each line the ground is looked at."""
        longest = float(np.hypot(*(lines.end - lines.begin).T).max(initial=0.0))
        return max(math.ceil(longest / _CLOSE) + 1, _ALONG) if self._is_thin else _ALONG


def _swept(lines: PoseLines, parts: Sequence[FloatArray]) -> NDArray[Any]:
    """What parts sweep along lines."""
    found = [np.zeros(0, object)]
    for part in parts:
        turned = _turned(part, lines.heading)
        corners = np.concatenate([lines.begin[:, None] + turned, lines.end[:, None] + turned], axis=1)
        found.append(np.asarray(shapely.convex_hull(shapely.linestrings(corners)), object))
    return np.concatenate(found)


def _by_heading(lines: PoseLines) -> Iterator[tuple[float, PoseLines]]:
    """Lines together with those of the same heading."""
    headings, row = np.unique(np.mod(lines.heading, 360.0), return_inverse=True)
    for number, heading in enumerate(headings.tolist()):
        yield heading, pick(lines, row == number)


def _turned(corners: FloatArray, headings: FloatArray) -> FloatArray:
    """Corners as they lie with each heading, an array of rows x, y for each."""
    cos, sin = units(headings).T
    x, y = corners.T
    return np.stack([np.outer(cos, x) - np.outer(sin, y), np.outer(sin, x) + np.outer(cos, y)], axis=2)


def _shares(lines: PoseLines, part: FloatArray, place: XY, slack: float) -> tuple[FloatArray, FloatArray]:
    """From which share of each line to which a place is in a convex part; the other way round where it never is."""
    ahead = np.roll(part, -1, axis=0) - part
    normals = np.column_stack([ahead[:, 1], -ahead[:, 0]]) / np.hypot(*ahead.T)[:, None]
    limits = (normals * part).sum(axis=1) + slack
    cos, sin = units(lines.heading).T
    turned = np.stack(
        [
            np.outer(cos, normals[:, 0]) - np.outer(sin, normals[:, 1]),
            np.outer(sin, normals[:, 0]) + np.outer(cos, normals[:, 1]),
        ],
        axis=2,
    )
    beyond = (turned * (np.asarray(place) - lines.begin)[:, None]).sum(axis=2) - limits
    along = (turned * (lines.end - lines.begin)[:, None]).sum(axis=2)
    with np.errstate(divide="ignore", invalid="ignore"):
        at = beyond / along
    low = np.where(along > 0.0, at, np.where((along == 0.0) & (beyond > 0.0), np.inf, -np.inf)).max(axis=1)
    high = np.where(along < 0.0, at, np.inf).min(axis=1)
    return np.maximum(low, 0.0), np.minimum(high, 1.0)
