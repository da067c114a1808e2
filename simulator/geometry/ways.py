"""Ways on the inch table: many at once, made of straight pieces, arcs and turns on the spot."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from simulator.errors import BoardError
from simulator.geometry.angles import Degrees
from simulator.geometry.convex import BoolArray, IntArray, as_points
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.spans import Turning
from simulator.geometry.sweeps import MovingPoints, Rings, box_of_path
from simulator.geometry.tolerances import ROUNDING


@dataclass(frozen=True, slots=True)
class Straight:
    """A base is shifted straight, ahead or not, and keeps its heading."""

    start: XY
    end: XY
    heading: Degrees = 0.0


@dataclass(frozen=True, slots=True)
class Bend:
    """A base is shifted along an arc and keeps its heading. Angles in radians seen from the centre, left positive.

    >>> Bend((0, 0), 2.0, 0.0, math.pi / 2).end
    (0.0, 2.0)
    """

    centre: XY
    radius: float
    begin: float
    sweep: float
    heading: Degrees = 0.0

    @property
    def start(self) -> XY:
        """Where it begins."""
        return self._at(self.begin)

    @property
    def end(self) -> XY:
        """Where it ends."""
        return self._at(self.begin + self.sweep)

    def _at(self, angle: float) -> XY:
        x, y = self.centre[0] + self.radius * math.cos(angle), self.centre[1] + self.radius * math.sin(angle)
        return round(x, 12), round(y, 12)


@dataclass(frozen=True, slots=True)
class Turn:
    """A base turns about its reference point, by so many degrees, left positive."""

    place: XY
    heading: Degrees
    turn: float

    @property
    def start(self) -> XY:
        """Where it begins: its place."""
        return self.place

    @property
    def end(self) -> XY:
        """Where it ends: its place."""
        return self.place


@dataclass(frozen=True, eq=False)
class Courses:
    """Many ways as flat arrays, one row for each piece. A piece with a `radius` of 0 is straight, else an arc.

    Arcs begin at an angle in radians seen from their centre and turn by `sweep`, left positive. A base has one heading
    all along a piece; a piece with a `turn` is a turn on the spot from that heading, in degrees.
    """

    way: IntArray  #: which way a piece belongs to, in order
    start: FloatArray
    end: FloatArray
    centre: FloatArray
    radius: FloatArray
    begin: FloatArray
    sweep: FloatArray
    heading: FloatArray
    turn: FloatArray
    count: int  #: how many ways there are, those without pieces included

    @classmethod
    def of_lines(cls, lines: Sequence[ArrayLike], headings: float | Sequence[ArrayLike] = 0.0) -> Courses:
        """Take lines with bends, each a list of points; with one heading for all, or one for each leg of each line.

        >>> Courses.of_lines([[(0, 0), (4, 0), (4, 2)], [(0, 1), (0, 3)]], headings=[[0, 90], [45]]).heading
        array([ 0., 90., 45.])
        """
        points = [np.asarray(line, np.float64).reshape(-1, 2) for line in lines]
        legs = [max(len(line) - 1, 0) for line in points]
        way = np.repeat(np.arange(len(points)), legs)
        none = np.zeros((0, 2))
        start = np.concatenate([none, *[line[:-1] for line in points]])
        end = np.concatenate([none, *[line[1:] for line in points]])
        if isinstance(headings, float | int):
            facing = np.full(len(way), float(headings))
        else:
            facing = np.concatenate([np.zeros(0), *[np.ravel(np.asarray(one, np.float64)) for one in headings]])
        if len(facing) != len(way) or not np.all(np.isfinite(facing)):
            raise BoardError(f"wants one finite heading for each of {len(way)} legs", "headings")
        zeros = np.zeros(len(way))
        flat = np.zeros((len(way), 2)), zeros, zeros, zeros, facing, zeros
        return cls(way, as_points(start), as_points(end), *flat, len(points))

    @classmethod
    def of_pieces(cls, ways: Sequence[Iterable[Any]]) -> Courses:
        """Take ways as pieces, such as `Straight`, `Bend` and `Turn`.

        What has a `centre`, `radius`, `begin` and `sweep` is an arc, what has a `turn` a turn on the spot; all have
        `start` and `end`, and may have a `heading`.
        """
        rows: list[tuple[float, ...]] = []
        numbers: list[int] = []
        for number, pieces in enumerate(ways):
            for piece in pieces:
                arc = (*piece.centre, piece.radius, piece.begin, piece.sweep) if hasattr(piece, "sweep") else (0.0,) * 5
                facing = getattr(piece, "heading", 0.0), getattr(piece, "turn", 0.0)
                rows.append((*piece.start, *piece.end, *arc, *facing))
                numbers.append(number)
        table = np.array(rows, np.float64).reshape(-1, 11)
        if not np.all(np.isfinite(table)):
            raise BoardError("wants ways of finite numbers")
        way = np.array(numbers, np.intp)
        radius, begin, sweep, heading, turn = table[:, 6:].T
        ends = table[:, :2], table[:, 2:4], table[:, 4:6]
        return cls(way, *ends, radius, begin, sweep, heading, turn, len(ways))

    def some(self, ways: Sequence[int] | IntArray) -> Courses:
        """Return some of the ways, in ascending order of their numbers."""
        wanted = np.unique(np.asarray(ways, np.intp))
        rows = np.flatnonzero(np.isin(self.way, wanted))
        return Courses(
            np.searchsorted(wanted, self.way[rows]),
            self.start[rows],
            self.end[rows],
            self.centre[rows],
            self.radius[rows],
            self.begin[rows],
            self.sweep[rows],
            self.heading[rows],
            self.turn[rows],
            len(wanted),
        )

    # -- lengths -------------------------------------------------------------------------------------------

    @cached_property
    def is_arc(self) -> BoolArray:
        """Which pieces are arcs."""
        return np.asarray(self.radius > 0.0)

    @cached_property
    def is_turn(self) -> BoolArray:
        """Which pieces are turns on the spot."""
        return np.asarray(self.turn != 0.0)

    @cached_property
    def piece_lengths(self) -> FloatArray:
        """How long each piece is; a turn on the spot has no length."""
        return np.where(self.is_arc, self.radius * np.abs(self.sweep), np.hypot(*(self.end - self.start).T))

    @cached_property
    def before(self) -> FloatArray:
        """How much of its way lies before each piece."""
        before = np.zeros(len(self.way))
        # Summed way by way, so that a way measures the same alone and among others.
        for nth in range(1, int(self.ordinal.max(initial=0)) + 1):
            rows = np.flatnonzero(self.ordinal == nth)
            before[rows] = before[rows - 1] + self.piece_lengths[rows - 1]
        return before

    @cached_property
    def ordinal(self) -> IntArray:
        """The how manieth of its way each piece is, from 0."""
        return np.asarray(np.arange(len(self.way)) - np.searchsorted(self.way, self.way))

    @cached_property
    def lengths(self) -> FloatArray:
        """How long each way is."""
        return np.asarray(np.bincount(self.way, self.piece_lengths, minlength=self.count), np.float64)

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
        """The box around the way of the reference point along each piece, rows min x, min y, max x, max y."""
        boxes = box_of_path(self.lines(np.arange(len(self.way))))
        arcs = np.flatnonzero(self.is_arc)
        boxes[arcs] = box_of_path(self.rings(arcs))
        return boxes

    def lines(self, pieces: IntArray) -> MovingPoints:
        """Return straight pieces, and turns, as lines of the reference point."""
        return MovingPoints(self.start[pieces], self.end[pieces] - self.start[pieces])

    def rings(self, pieces: IntArray) -> Rings:
        """Return arcs as rings of the reference point."""
        return Rings(self.centre[pieces], self.radius[pieces], Turning(self.begin[pieces], self.sweep[pieces]))

    def turnings(self, pieces: IntArray) -> Turning:
        """Return the headings that pieces run through, in radians."""
        return Turning(np.radians(self.heading[pieces]), np.radians(self.turn[pieces]))

    def distances(self, pieces: IntArray, points: FloatArray) -> FloatArray:
        """Compute how near the reference point comes to a point on each piece."""
        lines = self.lines(pieces)
        square = np.sum(lines.step**2, axis=1)
        ahead = np.sum((points - lines.start) * lines.step, axis=1)
        share = np.clip(ahead / np.where(square > ROUNDING**2, square, 1.0), 0.0, 1.0)
        apart = np.hypot(*(points - lines.start - share[:, None] * lines.step).T)
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
