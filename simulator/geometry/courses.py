"""The judge of given ways on the inch table: many ways of straight lines and arcs at once, exact and in closed form.

A way is judged as it stands. Nothing is searched, nothing is sampled: where a round base first overlaps something is
solved for, piece by piece, for all pieces and all obstacles together.

>>> ways = Courses.of_lines([[(0, 0), (9, 0)], [(0, 3), (9, 3)]])
>>> ways.lengths
array([9., 9.])
>>> first_overlaps(ways, 0.5, edges=[(2, -1, 2, 1)]).inches
array([1.5, inf])
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import shapely
from numpy.typing import ArrayLike
from shapely.geometry.base import BaseGeometry

from simulator.geometry.contacts import first_contacts_round
from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.measures import intervals_inside
from simulator.geometry.pieces import FloatArray, PolygonShape

_TWO_PI = 2.0 * np.pi
#: How many pairs of an arc and an obstacle are worked on at once.
_PAIRS_AT_ONCE = 200_000


@dataclass(frozen=True, eq=False)
class Courses:
    """Many ways as flat arrays, one row for each piece. A piece with a `radius` of 0 is straight, else an arc.

    Arcs begin at an angle in radians seen from their centre and turn by `sweep`, left positive.
    """

    way: IntArray  #: which way a piece belongs to, in order
    start: FloatArray
    end: FloatArray
    centre: FloatArray
    radius: FloatArray
    begin: FloatArray
    sweep: FloatArray
    count: int  #: how many ways there are, those without pieces included

    @classmethod
    def of_lines(cls, lines: Sequence[ArrayLike]) -> Courses:
        """Take lines with bends, each a list of points."""
        points = [np.asarray(line, np.float64).reshape(-1, 2) for line in lines]
        legs = [max(len(line) - 1, 0) for line in points]
        way = np.repeat(np.arange(len(points)), legs)
        none = np.zeros((0, 2))
        start = np.concatenate([none, *[line[:-1] for line in points]])
        end = np.concatenate([none, *[line[1:] for line in points]])
        zeros = np.zeros(len(way))
        return cls(way, start, end, np.zeros((len(way), 2)), zeros, zeros, zeros, len(points))

    @classmethod
    def of_pieces(cls, ways: Sequence[Iterable[Any]]) -> Courses:
        """Take ways as pieces: what has a `centre`, `radius`, `begin` and `sweep` is an arc; all have start and end."""
        rows: list[tuple[float, ...]] = []
        numbers: list[int] = []
        for number, pieces in enumerate(ways):
            for piece in pieces:
                arc = (*piece.centre, piece.radius, piece.begin, piece.sweep) if hasattr(piece, "sweep") else (0.0,) * 5
                rows.append((*piece.start, *piece.end, *arc))
                numbers.append(number)
        table = np.array(rows, np.float64).reshape(-1, 9)
        x = [table[:, column] for column in range(9)]
        way = np.array(numbers, np.intp)
        return cls(way, table[:, :2], table[:, 2:4], table[:, 4:6], x[6], x[7], x[8], len(ways))

    @cached_property
    def is_arc(self) -> BoolArray:
        """Which pieces are arcs."""
        return np.asarray(self.radius > 0.0)

    @cached_property
    def piece_lengths(self) -> FloatArray:
        """How long each piece is."""
        return np.where(self.is_arc, self.radius * np.abs(self.sweep), np.hypot(*(self.end - self.start).T))

    @cached_property
    def before(self) -> FloatArray:
        """How much of its way lies before each piece."""
        total = np.cumsum(self.piece_lengths) - self.piece_lengths
        firsts = np.concatenate([[True], self.way[1:] != self.way[:-1]])[: len(self.way)]
        base = np.maximum.accumulate(np.where(firsts, np.arange(len(self.way)), 0)) if len(self.way) else self.way
        return np.asarray(total - total[base])

    @cached_property
    def lengths(self) -> FloatArray:
        """How long each way is."""
        return np.asarray(np.bincount(self.way, self.piece_lengths, minlength=self.count), np.float64)

    def point(self, piece: int, share: float) -> tuple[float, float]:
        """Give the place after a share of a piece."""
        if self.is_arc[piece]:
            angle = self.begin[piece] + share * self.sweep[piece]
            x, y = self.centre[piece] + self.radius[piece] * np.array([np.cos(angle), np.sin(angle)])
        else:
            x, y = self.start[piece] + share * (self.end[piece] - self.start[piece])
        return float(x), float(y)


class Overlaps(NamedTuple):
    """Where each way first overlaps something: after how many inches (inf: nowhere), and what (-1: nothing)."""

    inches: FloatArray
    which: IntArray


def first_overlaps(
    courses: Courses, radius: float, edges: ArrayLike = (), discs: ArrayLike = (), tolerance: float = 1e-6
) -> Overlaps:
    """Find where a round base first overlaps a segment or disc deeper than a tolerance, on each of many ways.

    `edges` has rows x1, y1, x2, y2, `discs` rows x, y, radius. Obstacles are numbered edges first, then discs.

    >>> way = Courses.of_lines([[(0, 0), (4, 0)]])
    >>> first_overlaps(way, 0.5, discs=[(3, 0, 0.5)])
    Overlaps(inches=array([2.]), which=array([0]))
    >>> first_overlaps(way, 0.5, discs=[(3, 1, 0.5)])
    Overlaps(inches=array([inf]), which=array([-1]))
    """
    walls = np.asarray(edges, np.float64).reshape(-1, 4)
    rounds = np.asarray(discs, np.float64).reshape(-1, 3)
    at = np.full(len(courses.way), np.inf)
    which = np.full(len(courses.way), -1, np.intp)
    straight = np.flatnonzero(~courses.is_arc)
    if len(straight):
        steps = courses.end[straight] - courses.start[straight]
        share, met = first_contacts_round(courses.start[straight], steps, radius, walls, rounds, tolerance=tolerance)
        at[straight] = np.where(met >= 0, share, np.inf) * np.where(met >= 0, courses.piece_lengths[straight], 1.0)
        which[straight] = met
    arcs = np.flatnonzero(courses.is_arc)
    if len(arcs):
        capsules = np.concatenate([walls, rounds[:, [0, 1, 0, 1]]])
        reach = np.concatenate([np.full(len(walls), radius), radius + rounds[:, 2]]) - tolerance
        at[arcs], which[arcs] = _arcs_overlap(courses, arcs, capsules, reach)
    return _first_of_way(courses, at, which)


def first_beyond(courses: Courses, box: ArrayLike, tolerance: float = 1e-6) -> FloatArray:
    """Find after how many inches each way first leaves a box (min x, min y, max x, max y); inf if it does not.

    >>> first_beyond(Courses.of_lines([[(1, 5), (-1, 5)]]), (0.5, 0.5, 9.5, 9.5)).tolist()
    [0.5]
    """
    low_x, low_y, high_x, high_y = (float(side) for side in np.asarray(box, np.float64))
    sides = [(0, -1.0, -low_x), (0, 1.0, high_x), (1, -1.0, -low_y), (1, 1.0, high_y)]
    at = np.full(len(courses.way), np.inf)
    for axis, sign, limit in sides:
        begin, end = sign * courses.start[:, axis] - limit, sign * courses.end[:, axis] - limit
        rise = np.where(end > begin, end - begin, 1.0)
        share = np.where(begin > tolerance, 0.0, np.where(end > tolerance, -begin / rise, np.inf))
        inches = np.where(np.isfinite(share), np.clip(share, 0.0, 1.0) * courses.piece_lengths, np.inf)
        for piece in np.flatnonzero(courses.is_arc).tolist():
            inches[piece] = _arc_beyond(courses, piece, axis, sign, limit, tolerance)
        at = np.minimum(at, inches)
    return _first_of_way(courses, at, np.zeros(len(at), np.intp)).inches


def stretches_in(courses: Courses, way: int, shape: PolygonShape, tolerance: float = 1e-6) -> list[tuple[float, float]]:
    """Give from where to where, in inches along one way, it lies inside an area; its border does not count.

    >>> strip = PolygonShape([(2, -9), (3, -9), (3, 9), (2, 9)])
    >>> stretches_in(Courses.of_lines([[(0, 0), (5, 0)]]), 0, strip)
    [(2.0, 3.0)]
    """
    found: list[tuple[float, float]] = []
    for piece in np.flatnonzero(courses.way == way).tolist():
        length, before = float(courses.piece_lengths[piece]), float(courses.before[piece])
        if length <= 1e-12:
            continue
        if courses.is_arc[piece]:
            spans = _arc_inside(courses, piece, shape.polygon, shape.edges, tolerance)
        else:
            start, end = courses.start[piece], courses.end[piece]
            spans = intervals_inside((start[0], start[1]), (end[0], end[1]), shape).tolist()
        found += [(before + length * a, before + length * b) for a, b in spans if (b - a) * length > tolerance]
    joined: list[tuple[float, float]] = []
    for a, b in found:
        if joined and a <= joined[-1][1] + tolerance:
            joined[-1] = (joined[-1][0], b)
        else:
            joined.append((a, b))
    return joined


def _first_of_way(courses: Courses, at: FloatArray, which: IntArray) -> Overlaps:
    inches = np.full(courses.count, np.inf)
    what = np.full(courses.count, -1, np.intp)
    met = np.flatnonzero(np.isfinite(at))
    met = met[np.argsort(courses.way[met], kind="stable")]
    ways, first = np.unique(courses.way[met], return_index=True)
    inches[ways] = (at + courses.before)[met[first]]
    what[ways] = which[met[first]]
    return Overlaps(inches, what)


# -- arcs ---------------------------------------------------------------------------------------------------


def _arcs_overlap(
    courses: Courses, arcs: IntArray, walls: FloatArray, reach: FloatArray
) -> tuple[FloatArray, IntArray]:
    """For each arc the inches until its centre is nearer to a segment than that segment's reach, and which."""
    inches, which = np.full(len(arcs), np.inf), np.full(len(arcs), -1, np.intp)
    middles, halves = (walls[:, :2] + walls[:, 2:]) / 2, np.hypot(*(walls[:, 2:] - walls[:, :2]).T) / 2
    for some in np.array_split(np.arange(len(arcs)), len(arcs) * len(walls) // _PAIRS_AT_ONCE + 1):
        rows = arcs[some]
        away = np.hypot(*(courses.centre[rows][:, None] - middles[None]).transpose(2, 0, 1))
        arc, wall = np.nonzero(np.abs(away) <= courses.radius[rows][:, None] + halves + reach)
        first = _arc_meets(courses, rows[arc], walls[wall], reach[wall])
        order = np.lexsort((wall, first, arc))
        order = order[np.isfinite(first[order])]
        met, where = np.unique(arc[order], return_index=True)
        inches[some[met]], which[some[met]] = first[order][where], wall[order][where]
    return inches, which


def _arc_meets(courses: Courses, arc: IntArray, wall: FloatArray, reach: FloatArray) -> FloatArray:
    """One to one: the inches along an arc until it is nearer to a segment than `reach`.

    The distance passes `reach` only where the arc crosses the outline of the disc-ended strip around the segment, so
    between two such places one point speaks for all.
    """
    centre, radius = courses.centre[arc], courses.radius[arc]
    length = np.hypot(*(wall[:, 2:] - wall[:, :2]).T)
    scale = np.where(length > 0.0, length, 1.0)[:, None]
    along = np.where(length[:, None] > 0.0, (wall[:, 2:] - wall[:, :2]) / scale, [1.0, 0.0])
    across = np.column_stack([-along[:, 1], along[:, 0]])
    cuts = []
    for corner in (wall[:, :2], wall[:, 2:]):
        gap = corner - centre
        apart = np.hypot(*gap.T)
        cosine = (radius**2 + apart**2 - reach**2) / np.where(apart > 0.0, 2.0 * radius * apart, 1.0)
        cuts.append((np.arctan2(gap[:, 1], gap[:, 0]), np.where(apart > 0.0, cosine, 2.0)))
    for normal, levels in ((across, (-reach, reach)), (along, (np.zeros_like(length), length))):
        offset = np.sum(normal * (centre - wall[:, :2]), axis=1)
        cuts += [(np.arctan2(normal[:, 1], normal[:, 0]), (level - offset) / radius) for level in levels]
    turns = _turns_at(courses, arc, cuts)
    middle = (turns[:, 1:] + turns[:, :-1]) / 2
    angle = courses.begin[arc][:, None] + np.sign(courses.sweep[arc])[:, None] * middle
    point = centre[:, None] + radius[:, None, None] * np.stack([np.cos(angle), np.sin(angle)], axis=2)
    lead = np.clip(np.sum((point - wall[:, None, :2]) * along[:, None], axis=2), 0.0, length[:, None])
    off = point - wall[:, None, :2] - lead[:, :, None] * along[:, None]
    inside = (np.hypot(off[..., 0], off[..., 1]) < reach[:, None]) & (turns[:, 1:] - turns[:, :-1] > 1e-9)
    first = np.argmax(inside, axis=1)
    return np.where(inside.any(axis=1), radius * turns[np.arange(len(arc)), first], np.inf)


def _turns_at(courses: Courses, arc: IntArray, cuts: Sequence[tuple[FloatArray, FloatArray]]) -> FloatArray:
    """How far arcs have turned where the cosine of the angle from a direction has a value; sorted, both ends added."""
    sweep = courses.sweep[arc]
    turns = [np.zeros(len(arc)), np.abs(sweep)]
    for direction, cosine in cuts:
        there = np.abs(cosine) <= 1.0
        apart = np.arccos(np.clip(cosine, -1.0, 1.0))
        for angle in (direction - apart, direction + apart):
            turn = np.mod(np.sign(sweep) * (angle - courses.begin[arc]), _TWO_PI)
            turns.append(np.where(there & (turn < np.abs(sweep)), turn, np.abs(sweep)))
    return np.sort(np.stack(turns, axis=1), axis=1)


def _arc_beyond(courses: Courses, piece: int, axis: int, sign: float, limit: float, tolerance: float) -> float:
    """The inches along an arc until a coordinate passes a limit."""
    row = np.array([piece])
    direction = np.array([np.pi / 2 * axis + (np.pi if sign < 0 else 0.0)])
    level = limit - sign * courses.centre[piece, axis]
    turns = _turns_at(courses, row, [(direction, (level + tolerance) / courses.radius[row])])[0]
    middles = courses.begin[piece] + np.sign(courses.sweep[piece]) * (turns[1:] + turns[:-1]) / 2
    beyond = courses.radius[piece] * np.cos(middles - direction) > level + tolerance
    beyond &= turns[1:] - turns[:-1] > 1e-9
    return float(courses.radius[piece] * turns[np.argmax(beyond)]) if beyond.any() else float("inf")


def _arc_inside(
    courses: Courses, piece: int, area: BaseGeometry, edges: FloatArray, tolerance: float
) -> list[tuple[float, float]]:
    """The stretches of an arc inside an area, as shares of it."""
    along = edges[:, 2:] - edges[:, :2]
    normal = np.column_stack([-along[:, 1], along[:, 0]]) / np.hypot(*along.T)[:, None]
    offset = np.sum(normal * (courses.centre[piece] - edges[:, :2]), axis=1)
    radius = courses.radius[piece]
    cuts = [
        (np.array([np.arctan2(y, x)]), np.array([-off / radius]))
        for (x, y), off in zip(normal.tolist(), offset.tolist(), strict=True)
    ]
    turns = _turns_at(courses, np.array([piece]), cuts)[0]
    angle = courses.begin[piece] + np.sign(courses.sweep[piece]) * (turns[1:] + turns[:-1]) / 2
    points = courses.centre[piece] + radius * np.column_stack([np.cos(angle), np.sin(angle)])
    inside = shapely.contains_xy(area, points[:, 0], points[:, 1]) & (turns[1:] - turns[:-1] > 1e-9)
    inside &= shapely.distance(shapely.boundary(area), shapely.points(points)) > tolerance
    whole = abs(float(courses.sweep[piece]))
    return [(float(turns[k] / whole), float(turns[k + 1] / whole)) for k in np.flatnonzero(inside)]
