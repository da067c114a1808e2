"""Places that a mover may begin at, anywhere along lines or in areas, with a heading that is free or within a range.

A unit that leaves a carrier is set down touching its rear, facing as it likes; one that comes onto the table begins
anywhere on its edge. Where such a mover begins is part of its move, so a planner chooses place and heading as well.

>>> rear = Placing((Arc((0, 0), 2, 135, 225),))
>>> rear.admits_at((-2, 0), 17), rear.admits_at((2, 0), 17)
(True, False)

The price may rise along a line, for who comes from afar. Headings are those of the table, or relative to the normal of
a line, which is on its left: an edge from left to right has the table above it.

>>> inward = Headings(-90, 90, from_normal=True)
>>> edge = Placing((Segment((0, 0), (12, 0), Fraction(0), Fraction(6)),), inward)
>>> edge.admits_at((4, 0), 30), edge.admits_at((4, 0), 200), float(edge.paid_at((4, 0)))
(True, False, 2.0)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import shapely

from simulator.geometry.pieces import XY
from simulator.geometry.tolerances import ROUNDING_OF_ANGLES
from simulator.pathing.posed.begins import Arc, Begins, Inside, Line, Segment, corners_of, paid_on

#: Degrees by which a heading may be off that was computed from places.
_ROUNDED = 1e3 * ROUNDING_OF_ANGLES


@dataclass(frozen=True, slots=True)
class Headings:
    """Headings in degrees, counter-clockwise from the first to the last: of the table, or from the normal of a line."""

    first: float
    last: float
    from_normal: bool = False

    def __post_init__(self) -> None:
        if not (math.isfinite(self.first) and math.isfinite(self.last) and self.last >= self.first):
            raise ValueError(
                f"headings lead counter-clockwise from one to another, not from {self.first} to {self.last}"
            )

    @property
    def wide(self) -> float:
        """How many degrees they span, 360 at most."""
        return min(self.last - self.first, 360.0)

    def have(self, heading: float, normal: float) -> bool:
        """Whether a heading of the table is one of them, where the normal is so."""
        beyond = heading - self.first - (normal if self.from_normal else 0.0)
        return (beyond + _ROUNDED) % 360.0 <= self.wide + 2.0 * _ROUNDED


#: Any heading.
ANY_HEADING = Headings(0.0, 360.0)


@dataclass(frozen=True)
class Placing:
    """Where a mover may begin: on lines and in areas of one level, facing one of some headings.

    Only where it has room: nothing that bars its way, closed ground or the edge of the table. Turns before are none of
    its move, so it begins with all its free degrees, and with no turn that later ones are priced together with.
    """

    pieces: tuple[Begins, ...]
    headings: Headings = ANY_HEADING
    level: int = 0
    travelled: Fraction = Fraction(0)  #: the part of what has been paid that was paid for legs
    covered: Fraction = Fraction(0)  #: the inches covered by then, where those are limited

    def __post_init__(self) -> None:
        if not self.pieces:
            raise ValueError("a placing has at least one line or area")
        for piece in self.pieces:
            if not isinstance(piece, Segment | Arc | Inside):
                raise TypeError(f"a mover is placed on a Segment or an Arc, or Inside an area, not on {piece!r}")
            if self.headings.from_normal and (isinstance(piece, Inside) or not piece.length):
                raise ValueError("headings are relative to the normal of a line; areas and points have none")
            if min(piece.paid, piece.paid if piece.paid_at_end is None else piece.paid_at_end) < 0:
                raise ValueError("what has been paid at a placing is 0 or more")

    @classmethod
    def at(cls, place: XY, headings: Headings = ANY_HEADING, paid: Fraction = Fraction(0), level: int = 0) -> Placing:
        """Return one place to begin at, with a heading that is free or within a range."""
        return cls((Segment(place, place, paid),), headings, level)

    def paid_at(self, place: XY, heading: float | None = None) -> Fraction | None:
        """Return what has been paid at a place, facing a heading if one is named; None if it is no place of it."""
        found = [
            paid_on(piece, along)
            for piece in self.pieces
            if (along := piece.along(place)) is not None and (heading is None or self._faces(piece, along, heading))
        ]
        return min(found, default=None)

    def _faces(self, piece: Begins, along: float, heading: float) -> bool:
        return self.headings.have(heading, 0.0 if isinstance(piece, Inside) else piece.normal(along))

    def admits_at(self, place: XY, heading: float) -> bool:
        """Whether a mover may begin at a place with a heading, as far as the placing goes."""
        return self.paid_at(place, heading) is not None

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lines that it is made of, those around areas among them."""
        return tuple(line for piece in self.pieces for line in piece.outline())

    @property
    def least(self) -> Fraction:
        """No place of it has cost less."""
        ends = (piece.paid if piece.paid_at_end is None else piece.paid_at_end for piece in self.pieces)
        return min(min(piece.paid for piece in self.pieces), *ends)

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """The least x and y of all its places, and the greatest."""
        corners = np.array([corner for line in self.lines for corner in corners_of(line)])
        (left, bottom), (right, top) = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
        return left, bottom, right, top

    def inches_from(self, place: XY) -> float:
        """Return so many inches that no place of it is nearer."""
        return float(shapely.distance(shapely.box(*self.bounds), shapely.Point(place)))
