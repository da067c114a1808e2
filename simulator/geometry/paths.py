"""Paths on the inch table: straight pieces, bends and turns on the spot.

A `Path` is one path, made of pieces, for planners, orders, judges and pictures. `Paths` are many, as flat arrays.

>>> path = Path((0, 0), (Straight((0, 0), (3, 0)), Bend((3, 1), 1.0, -math.pi / 2, math.pi / 2)))
>>> round(path.length, 6), path.end
(4.570796, (4.0, 1.0))
>>> path.at(2.0), path.part(1.0, 3.0).pieces
((2.0, 0.0), (Straight(start=(1.0, 0.0), end=(3.0, 0.0), heading=0.0),))
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from simulator.errors import BoardError
from simulator.geometry.angles import Degrees
from simulator.geometry.convex import BoolArray, IntArray, as_points
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.spans import Turning
from simulator.geometry.sweeps import MovingPoints, Rings, box_of_sweep
from simulator.geometry.tolerances import ROUNDING

#: Pieces shorter than this, in inches, are dropped.
_NONE = 1e-9
#: The centre, radius, begin and sweep of a piece that is not a bend.
_NO_BEND = (0.0,) * 5


@dataclass(frozen=True, slots=True)
class Straight:
    """A base is shifted straight, ahead or not, and keeps its heading.

    >>> Straight((0, 0), (3, 4)).length
    5.0
    """

    start: XY
    end: XY
    heading: Degrees = 0.0

    @property
    def length(self) -> float:
        """How long it is."""
        return math.dist(self.start, self.end)

    def at(self, share: float) -> XY:
        """Return the place after a share of it."""
        (x1, y1), (x2, y2) = self.start, self.end
        return x1 + share * (x2 - x1), y1 + share * (y2 - y1)

    def heading_at(self, share: float) -> Degrees:
        """Return its heading, which is the same all along."""
        del share
        return self.heading

    def part(self, begin: float, end: float) -> Straight:
        """Return the part between two shares of it."""
        return replace(self, start=self.at(begin), end=self.at(end))

    def reversed(self) -> Straight:
        """Return the same piece from its end to its start."""
        return replace(self, start=self.end, end=self.start)

    def points(self, error: float) -> FloatArray:
        """Return both its ends: a straight piece is drawn without error."""
        del error
        return np.array([self.start, self.end], np.float64)


@dataclass(frozen=True, slots=True)
class Bend:
    """A base is shifted along an arc and keeps its heading. Angles in radians seen from the centre, left positive.

    >>> quarter = Bend((0, 0), 2.0, begin=0.0, sweep=math.pi / 2)
    >>> quarter.start, round(quarter.length, 6)
    ((2.0, 0.0), 3.141593)
    """

    centre: XY
    radius: float
    begin: float
    sweep: float
    heading: Degrees = 0.0

    @property
    def length(self) -> float:
        """How long it is."""
        return self.radius * abs(self.sweep)

    @property
    def start(self) -> XY:
        """Where it begins."""
        return self.at(0.0)

    @property
    def end(self) -> XY:
        """Where it ends."""
        return self.at(1.0)

    def at(self, share: float) -> XY:
        """Return the place after a share of it."""
        angle = self.begin + share * self.sweep
        return self.centre[0] + self.radius * math.cos(angle), self.centre[1] + self.radius * math.sin(angle)

    def heading_at(self, share: float) -> Degrees:
        """Return its heading, which is the same all along."""
        del share
        return self.heading

    def part(self, begin: float, end: float) -> Bend:
        """Return the part between two shares of it."""
        return replace(self, begin=self.begin + begin * self.sweep, sweep=(end - begin) * self.sweep)

    def reversed(self) -> Bend:
        """Return the same piece from its end to its start."""
        return replace(self, begin=self.begin + self.sweep, sweep=-self.sweep)

    def points(self, error: float) -> FloatArray:
        """Return points on the arc, so dense that straight lines between them keep within an error of it."""
        # A chord over an angle a misses its arc by radius * (1 - cos(a / 2)).
        step = 2.0 * math.acos(max(1.0 - error / self.radius, 0.0)) if self.radius > error else math.pi / 2
        count = max(math.ceil(abs(self.sweep) / step), 1) + 1
        angles = self.begin + np.linspace(0.0, self.sweep, count)
        return np.stack(
            [self.centre[0] + self.radius * np.cos(angles), self.centre[1] + self.radius * np.sin(angles)], axis=1
        )


@dataclass(frozen=True, slots=True)
class Turn:
    """A base turns about its reference point, by an angle in degrees, left positive.

    >>> Turn((3, 0), heading=0, turn=90).reversed()
    Turn(place=(3, 0), heading=90, turn=-90)
    """

    place: XY
    heading: Degrees
    turn: float

    @property
    def length(self) -> float:
        """A turn on the spot has no length."""
        return 0.0

    @property
    def start(self) -> XY:
        """Its place, where it begins."""
        return self.place

    @property
    def end(self) -> XY:
        """Its place, where it ends."""
        return self.place

    def at(self, share: float) -> XY:
        """Return its place."""
        del share
        return self.place

    def heading_at(self, share: float) -> Degrees:
        """Return the heading after a share of it.

        >>> Turn((3, 0), heading=0, turn=90).heading_at(0.5)
        45.0
        """
        return self.heading + share * self.turn

    def part(self, begin: float, end: float) -> Turn:
        """Return the part between two shares of it."""
        return replace(self, heading=self.heading + begin * self.turn, turn=(end - begin) * self.turn)

    def reversed(self) -> Turn:
        """Return the same piece from its end to its start."""
        return replace(self, heading=self.heading + self.turn, turn=-self.turn)

    def points(self, error: float) -> FloatArray:
        """Return its place."""
        del error
        return np.array([self.place], np.float64)


PathPiece: TypeAlias = Straight | Bend | Turn
_KINDS: Mapping[str, type[PathPiece]] = {"straight": Straight, "bend": Bend, "turn": Turn}


@dataclass(frozen=True)
class Path:
    """The path of a base: its pieces in order, each beginning where the last one ends. A base that stays has none."""

    start: XY
    pieces: tuple[PathPiece, ...] = ()

    @cached_property
    def arrays(self) -> Paths:
        """The path as `Paths`, for the judge."""
        return Paths.of_pieces([self.pieces])

    @property
    def end(self) -> XY:
        """Where it ends."""
        return self.pieces[-1].end if self.pieces else self.start

    @property
    def length(self) -> float:
        """How long it is."""
        return float(self.arrays.lengths[0])

    @property
    def is_straight(self) -> bool:
        """Whether it is a single straight line, apart from turns on the spot."""
        moves = [piece for piece in self.pieces if not isinstance(piece, Turn)]
        return len(moves) <= 1 and not any(isinstance(piece, Bend) for piece in moves)

    def at(self, length: float) -> XY:
        """Return the place after a length of the path.

        >>> Path((0, 0), (Straight((0, 0), (3, 4)),)).at(2.5)
        (1.5, 2.0)
        """
        for number, piece in enumerate(self.pieces):
            before, long = float(self.arrays.before[number]), piece.length
            if length <= before + long and long > 0.0:
                share = max(length - before, 0.0) / long
                # On an arc numpy may differ from `math` in the last digit, and the judge works with its arrays.
                return self.arrays.point(number, share) if isinstance(piece, Bend) else piece.at(share)
        return self.end

    def points(self, error: float = 0.01) -> FloatArray:
        """Return the path as one line with corners that keeps within an error of it, rows x, y."""
        drawn = [np.array([self.start]), *(piece.points(error) for piece in self.pieces), np.array([self.end])]
        rows = np.concatenate(drawn)
        kept: FloatArray = rows[np.r_[True, np.any(np.abs(np.diff(rows, axis=0)) > _NONE, axis=1)]]
        return kept

    def part(self, begin: float, end: float) -> Path:
        """Return the part between two lengths; turns on the spot between them are part of it."""
        found: list[PathPiece] = []
        first = begin
        for piece in self.pieces:
            low, high = max(begin, 0.0), min(end, piece.length)
            if isinstance(piece, Turn):
                if begin <= _NONE and end >= -_NONE:
                    found.append(piece)
            elif high - low > _NONE:
                found.append(piece.part(low / piece.length, high / piece.length))
            begin, end = begin - piece.length, end - piece.length
        return Path(found[0].start if found else self.at(first), tuple(found))

    def reversed(self) -> Path:
        """Return the same path from its end to its start."""
        return Path(self.end, tuple(piece.reversed() for piece in self.pieces[::-1]))

    def to_fields(self) -> dict[str, Any]:
        """Return it as plain data.

        >>> path = Path((0, 0), (Straight((0, 0), (3, 0)), Turn((3, 0), heading=0, turn=90)))
        >>> path.to_fields()["pieces"][1], Path.from_fields(path.to_fields()) == path
        ({'piece': 'turn', 'place': (3, 0), 'heading': 0, 'turn': 90}, True)
        """
        names = {kind: name for name, kind in _KINDS.items()}
        pieces = tuple({"piece": names[type(piece)], **asdict(piece)} for piece in self.pieces)
        return {"start": self.start, "pieces": pieces}

    @classmethod
    def from_fields(cls, fields: Mapping[str, Any]) -> Path:
        """Rebuild the path from its data."""
        pieces = [dict(piece) for piece in fields["pieces"]]
        return cls(tuple(fields["start"]), tuple(_KINDS[piece.pop("piece")](**piece) for piece in pieces))

    def lengthened(self, inches: float) -> Path:
        """Return the path with its last piece longer by `inches`, or shorter if negative.

        >>> Path((0, 0), (Straight((0, 0), (3, 4)),)).lengthened(5).end
        (6.0, 8.0)
        """
        *before, last = self.pieces
        if isinstance(last, Turn):
            raise BoardError("a turn on the spot has no length to change", "path")
        longer = last.part(0.0, 1.0 + inches / last.length)
        return Path(self.start, (*before, longer))


@dataclass(frozen=True, eq=False)
class Paths:
    """Many paths as flat arrays, one row for each piece. A piece with a `radius` of 0 is straight, others are arcs.

    Arcs begin at an angle in radians seen from their centre and turn by `sweep`, left positive. A base has one heading
    along a whole piece; a piece with a `turn` is a turn on the spot from that heading, in degrees.
    """

    path: IntArray  #: the number of the path of each piece, in order
    start: FloatArray
    end: FloatArray
    centre: FloatArray
    radius: FloatArray
    begin: FloatArray
    sweep: FloatArray
    heading: FloatArray
    turn: FloatArray
    count: int  #: the number of paths, including those without pieces

    @classmethod
    def of_lines(cls, lines: Sequence[ArrayLike] | FloatArray, headings: float | Sequence[ArrayLike] = 0.0) -> Paths:
        """Convert polylines, each a list of points; with one heading for all, or one for each leg of each line.

        Lines of equally many points may come as one array.

        >>> Paths.of_lines([[(0, 0), (4, 0), (4, 2)], [(0, 1), (0, 3)]], headings=[[0, 90], [45]]).heading
        array([ 0., 90., 45.])
        """
        if isinstance(lines, np.ndarray) and lines.ndim == 3:
            path = np.repeat(np.arange(len(lines)), max(lines.shape[1] - 1, 0))
            start, end = (np.reshape(ends, (-1, 2)) for ends in (lines[:, :-1], lines[:, 1:]))
        else:
            points = [np.asarray(line, np.float64).reshape(-1, 2) for line in lines]
            path = np.repeat(np.arange(len(points)), [max(len(line) - 1, 0) for line in points])
            none = np.zeros((0, 2))
            start = np.concatenate([none, *[line[:-1] for line in points]])
            end = np.concatenate([none, *[line[1:] for line in points]])
        if isinstance(headings, float | int):
            facing = np.full(len(path), float(headings))
        else:
            facing = np.concatenate([np.zeros(0), *[np.ravel(np.asarray(one, np.float64)) for one in headings]])
        if len(facing) != len(path) or not np.all(np.isfinite(facing)):
            raise BoardError(f"expected one finite heading for each of {len(path)} legs", "headings")
        zeros = np.zeros(len(path))
        flat = np.zeros((len(path), 2)), zeros, zeros, zeros, facing, zeros
        return cls(path, as_points(start), as_points(end), *flat, len(lines))

    @classmethod
    def of_pieces(cls, paths: Sequence[Iterable[PathPiece]]) -> Paths:
        """Convert paths from their pieces."""
        rows: list[tuple[float, ...]] = []
        numbers: list[int] = []
        for number, pieces in enumerate(paths):
            for piece in pieces:
                bend = (*piece.centre, piece.radius, piece.begin, piece.sweep) if isinstance(piece, Bend) else _NO_BEND
                turn = piece.turn if isinstance(piece, Turn) else 0.0
                rows.append((*piece.start, *piece.end, *bend, piece.heading, turn))
                numbers.append(number)
        table = np.array(rows, np.float64).reshape(-1, 11)
        if not np.all(np.isfinite(table)):
            raise BoardError("expected paths of finite numbers")
        path = np.array(numbers, np.intp)
        ends = table[:, :2], table[:, 2:4], table[:, 4:6]
        radius, begin, sweep, heading, turn = table[:, 6:].T
        return cls(path, *ends, radius, begin, sweep, heading, turn, len(paths))

    @classmethod
    def of_legs(cls, starts: FloatArray, ends: FloatArray, headings: FloatArray) -> Paths:
        """Return straight legs from place to place as paths of one piece each."""
        none, rows = np.zeros(len(starts)), np.arange(len(starts))
        return cls(rows, starts, ends, np.zeros_like(starts), none, none, none, headings, none, len(starts))

    def some(self, paths: Sequence[int] | IntArray) -> Paths:
        """Return some of the paths, in ascending order of their numbers."""
        chosen = np.unique(np.asarray(paths, np.intp))
        rows = np.flatnonzero(np.isin(self.path, chosen))
        return Paths(
            np.searchsorted(chosen, self.path[rows]),
            self.start[rows],
            self.end[rows],
            self.centre[rows],
            self.radius[rows],
            self.begin[rows],
            self.sweep[rows],
            self.heading[rows],
            self.turn[rows],
            len(chosen),
        )

    # -- lengths -------------------------------------------------------------------------------------------

    @cached_property
    def is_arc(self) -> BoolArray:
        """A mask of the pieces that are arcs."""
        return np.asarray(self.radius > 0.0)

    @cached_property
    def is_turn(self) -> BoolArray:
        """A mask of the pieces that are turns on the spot."""
        return np.asarray(self.turn != 0.0)

    @cached_property
    def piece_lengths(self) -> FloatArray:
        """The length of each piece; a turn on the spot has none."""
        return np.where(self.is_arc, self.radius * np.abs(self.sweep), np.hypot(*(self.end - self.start).T))

    @cached_property
    def before(self) -> FloatArray:
        """The length of its path before each piece."""
        before = np.zeros(len(self.path))
        # Summed path by path, so that a path measures the same alone and among others.
        if self.count == 1:
            before[1:] = np.cumsum(self.piece_lengths[:-1])
            return before
        for nth in range(1, int(self.ordinal.max(initial=0)) + 1):
            rows = np.flatnonzero(self.ordinal == nth)
            before[rows] = before[rows - 1] + self.piece_lengths[rows - 1]
        return before

    @cached_property
    def ordinal(self) -> IntArray:
        """The position of each piece in its path, from 0."""
        return np.asarray(np.arange(len(self.path)) - np.searchsorted(self.path, self.path))

    @cached_property
    def lengths(self) -> FloatArray:
        """The length of each path."""
        return np.asarray(np.bincount(self.path, self.piece_lengths, minlength=self.count), np.float64)

    # -- places --------------------------------------------------------------------------------------------

    def point(self, piece: int, share: float) -> tuple[float, float]:
        """Return the place after a share of a piece."""
        ((x, y),) = self.points(np.array([piece]), np.array([share])).tolist()
        return x, y

    def points(self, pieces: IntArray, shares: FloatArray) -> FloatArray:
        """Return the places after shares of pieces, rows x, y."""
        angle = self.begin[pieces] + shares * self.sweep[pieces]
        ahead = self.radius[pieces, None] * np.column_stack([np.cos(angle), np.sin(angle)])
        straight = self.start[pieces] + shares[:, None] * (self.end[pieces] - self.start[pieces])
        return np.where(self.is_arc[pieces, None], self.centre[pieces] + ahead, straight)

    def headings(self, pieces: IntArray, shares: FloatArray) -> FloatArray:
        """Return the headings after shares of pieces, in degrees."""
        return np.asarray(self.heading[pieces] + shares * self.turn[pieces])

    @cached_property
    def boxes(self) -> FloatArray:
        """The box around the line of the reference point along each piece, rows min x, min y, max x, max y."""
        boxes = box_of_sweep(self.lines(np.arange(len(self.path))))
        arcs = np.flatnonzero(self.is_arc)
        if len(arcs):
            boxes[arcs] = box_of_sweep(self.rings(arcs))
        return boxes

    def lines(self, pieces: IntArray) -> MovingPoints:
        """Return straight pieces, and turns, as lines of the reference point."""
        return MovingPoints(self.start[pieces], self.end[pieces] - self.start[pieces])

    def rings(self, pieces: IntArray) -> Rings:
        """Return arcs as rings of the reference point."""
        return Rings(self.centre[pieces], self.radius[pieces], Turning(self.begin[pieces], self.sweep[pieces]))

    def turnings(self, pieces: IntArray) -> Turning:
        """Return the ranges of headings in pieces, in radians."""
        return Turning(np.radians(self.heading[pieces]), np.radians(self.turn[pieces]))

    def distances(self, pieces: IntArray, points: FloatArray) -> FloatArray:
        """Return the least distance of the reference point from a point on each piece."""
        step_x, step_y = (self.end - self.start).T
        square = step_x**2 + step_y**2
        square = np.where(square > ROUNDING**2, square, 1.0)
        # Column by column: that is several times as fast as rows of two.
        away_x, away_y = (points[:, axis] - self.start[:, axis].take(pieces) for axis in (0, 1))
        step_x, step_y = step_x.take(pieces), step_y.take(pieces)
        share = np.clip((away_x * step_x + away_y * step_y) / square.take(pieces), 0.0, 1.0)
        apart = np.hypot(away_x - share * step_x, away_y - share * step_y)
        arcs = np.flatnonzero(self.is_arc[pieces])
        if len(arcs):
            rows = pieces[arcs]
            away = points[arcs] - self.centre[rows]
            turn = np.sign(self.sweep[rows]) * (np.arctan2(away[:, 1], away[:, 0]) - self.begin[rows])
            beside = np.mod(turn, 2.0 * np.pi) <= np.abs(self.sweep[rows])
            ends = [np.hypot(*(points[arcs] - end[rows]).T) for end in (self.start, self.end)]
            on_ring = np.abs(np.hypot(*away.T) - self.radius[rows])
            apart[arcs] = np.where(beside, on_ring, np.minimum(*ends))
        return np.asarray(apart)
