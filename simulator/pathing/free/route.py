"""A way as straight lines and arcs, with its exact length."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from simulator.pathing.free.obstacles import Floats

XY = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Segment:
    """A straight piece of a way.

    >>> Segment((0, 0), (3, 4)).length
    5.0
    """

    start: XY
    end: XY

    @property
    def length(self) -> float:
        """How long it is."""
        return math.dist(self.start, self.end)

    def points(self, error: float) -> Floats:
        """Both its ends: a straight piece is drawn without error, whatever is asked for."""
        del error
        return np.array([self.start, self.end], np.float64)


@dataclass(frozen=True, slots=True)
class Arc:
    """A piece of a circle: `begin` is an angle in radians, `sweep` how far it turns, left positive.

    >>> quarter = Arc((0, 0), 2.0, begin=0.0, sweep=math.pi / 2)
    >>> quarter.start, round(quarter.length, 6)
    ((2.0, 0.0), 3.141593)
    """

    centre: XY
    radius: float
    begin: float
    sweep: float

    @property
    def length(self) -> float:
        """How long it is."""
        return self.radius * abs(self.sweep)

    @property
    def start(self) -> XY:
        """Where it begins."""
        return self._at(self.begin)

    @property
    def end(self) -> XY:
        """Where it ends."""
        return self._at(self.begin + self.sweep)

    def _at(self, angle: float) -> XY:
        return self.centre[0] + self.radius * math.cos(angle), self.centre[1] + self.radius * math.sin(angle)

    def points(self, error: float) -> Floats:
        """Points on the arc, so dense that straight lines between them keep within an error of it."""
        step = 2.0 * math.acos(max(1.0 - error / self.radius, 0.0)) if self.radius > error else math.pi / 2
        count = max(math.ceil(abs(self.sweep) / step), 1) + 1
        angles = self.begin + np.linspace(0.0, self.sweep, count)
        return np.stack(
            [self.centre[0] + self.radius * np.cos(angles), self.centre[1] + self.radius * np.sin(angles)], axis=1
        )


@dataclass(frozen=True, slots=True)
class Way:
    """A whole way: its pieces in order, and where it begins and ends. A way that stays where it is has no pieces."""

    start: XY
    end: XY
    pieces: tuple[Segment | Arc, ...]

    @property
    def length(self) -> float:
        """How long it is."""
        return math.fsum(piece.length for piece in self.pieces)

    def points(self, error: float = 0.01) -> Floats:
        """The way as one line with bends that keeps within an error of it, rows x, y."""
        drawn = [np.array([self.start]), *(piece.points(error) for piece in self.pieces), np.array([self.end])]
        rows = np.concatenate(drawn)
        kept: Floats = rows[np.r_[True, np.any(np.abs(np.diff(rows, axis=0)) > 1e-9, axis=1)]]
        return kept

    def at(self, length: float) -> XY:
        """The place after so much of the way.

        >>> Way((0, 0), (3, 4), (Segment((0, 0), (3, 4)),)).at(2.5)
        (1.5, 2.0)
        """
        if length <= 0.0:
            return self.start
        for piece in self.pieces:
            if length <= piece.length and piece.length > 0.0:
                share = length / piece.length
                if isinstance(piece, Arc):
                    return Arc(piece.centre, piece.radius, piece.begin, piece.sweep * share).end
                (x1, y1), (x2, y2) = piece.start, piece.end
                return x1 + share * (x2 - x1), y1 + share * (y2 - y1)
            length -= piece.length
        return self.end
