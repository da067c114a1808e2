"""Lines and areas that a mover may begin on, with what has been paid there.

>>> line = Segment((0, 0), (12, 0), Fraction(0), Fraction(6))
>>> line.along((4, 0)), float(paid_on(line, 4.0)), line.along((4, 1))
(4.0, 2.0, None)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TypeAlias

import numpy as np
import shapely

from simulator.geometry.convex import BoolArray, radius_of
from simulator.geometry.pieces import XY, FloatArray, Solid
from simulator.geometry.tolerances import TOLERANCE


@dataclass(frozen=True, slots=True)
class Segment:
    """Places on a straight line; what has been paid there changes evenly from its one end to the other."""

    begin: XY
    end: XY
    paid: Fraction = Fraction(0)
    paid_at_end: Fraction | None = None  #: None: the same as where it begins

    def __post_init__(self) -> None:
        _require_numbers("a segment", *self.begin, *self.end)

    @property
    def length(self) -> float:
        """How long it is, in inches."""
        return math.dist(self.begin, self.end)

    def place(self, along: float) -> XY:
        """Return the place after so many inches of it."""
        share = along / self.length if self.length else 0.0
        (x, y), (there_x, there_y) = self.begin, self.end
        return float(x + share * (there_x - x)), float(y + share * (there_y - y))

    def normal(self, along: float) -> float:
        """Return the direction to the left of it, in degrees."""
        del along
        (x, y), (there_x, there_y) = self.begin, self.end
        return math.degrees(math.atan2(there_y - y, there_x - x)) + 90.0

    def along(self, place: XY) -> float | None:
        """Return after how many inches it comes to a place; None if it does not."""
        length = self.length
        away = np.subtract(place, self.begin)
        if not length:
            return 0.0 if math.hypot(*away) <= TOLERANCE else None
        ahead = np.subtract(self.end, self.begin) / length
        inches = min(max(float(away @ ahead), 0.0), length)
        return inches if math.hypot(*(away - inches * ahead)) <= TOLERANCE else None

    def outline(self) -> tuple[Segment | Arc, ...]:
        """Return the lines that it is made of."""
        return (self,)


@dataclass(frozen=True, slots=True)
class Arc:
    """Places on an arc, counter-clockwise from one bearing to another; its normal leads to its middle."""

    middle: XY
    radius: float
    first: float
    last: float
    paid: Fraction = Fraction(0)
    paid_at_end: Fraction | None = None  #: None: the same as where it begins

    def __post_init__(self) -> None:
        _require_numbers("an arc", *self.middle, self.radius, self.first, self.last)
        if self.radius <= 0.0:
            raise ValueError(f"an arc has a radius above 0, not {self.radius}")
        if not 0.0 <= self.last - self.first <= 360.0:
            raise ValueError(f"an arc leads counter-clockwise, by 360 degrees at most, not {self.first} to {self.last}")

    @property
    def length(self) -> float:
        """How long it is, in inches."""
        return math.radians(self.last - self.first) * self.radius

    def place(self, along: float) -> XY:
        """Return the place after so many inches of it."""
        bearing = math.radians(self.first) + along / self.radius
        (x, y), far = self.middle, self.radius
        return x + far * math.cos(bearing), y + far * math.sin(bearing)

    def normal(self, along: float) -> float:
        """Return the direction from a place on it to its middle, in degrees."""
        return self.first + math.degrees(along / self.radius) + 180.0

    def along(self, place: XY) -> float | None:
        """Return after how many inches it comes to a place; None if it does not."""
        x, y = place[0] - self.middle[0], place[1] - self.middle[1]
        if abs(math.hypot(x, y) - self.radius) > TOLERANCE:
            return None
        rounded = math.degrees(TOLERANCE / self.radius)
        turned = (math.degrees(math.atan2(y, x)) - self.first + rounded) % 360.0 - rounded
        if turned > self.last - self.first + rounded:
            return None
        return min(max(math.radians(turned) * self.radius, 0.0), self.length)

    def outline(self) -> tuple[Segment | Arc, ...]:
        """Return the lines that it is made of."""
        return (self,)


@dataclass(frozen=True, eq=False)
class Inside:
    """Places of the reference point anywhere in an area, its border among them, at one price."""

    area: Solid
    paid: Fraction = Fraction(0)

    paid_at_end: None = None

    @property
    def length(self) -> float:
        """Return 0: it is no line."""
        return 0.0

    def along(self, place: XY) -> float | None:
        """Return 0 for a place in it; None if it is outside."""
        radius = radius_of(self.area)
        if radius is not None:
            away = math.dist(self.area.parts[0][0].tolist(), place) - radius
        else:
            away = float(shapely.distance(self.area.polygon, shapely.Point(place)))
        return 0.0 if away <= TOLERANCE else None

    def holds(self, places: FloatArray) -> BoolArray:
        """Find the places that are in it, rows x, y."""
        radius = radius_of(self.area)
        if radius is not None:
            return np.asarray(np.hypot(*(places - self.area.parts[0][0]).T) <= radius)
        return np.asarray(shapely.intersects_xy(self.area.polygon, places[:, 0], places[:, 1]))

    def outline(self) -> tuple[Segment | Arc, ...]:
        """Return the lines around it: who leaves it anywhere may as well begin on them."""
        radius = radius_of(self.area)
        if radius is not None:
            x, y = self.area.parts[0][0].tolist()
            return (Arc((x, y), radius, 0.0, 360.0, self.paid),) if radius else (Segment((x, y), (x, y), self.paid),)
        rings = [ring for part in shapely.get_parts(self.area.polygon) for ring in (part.exterior, *part.interiors)]
        corners = [shapely.get_coordinates(ring).tolist() for ring in rings]
        return tuple(
            Segment((one[0], one[1]), (other[0], other[1]), self.paid)
            for ring in corners
            for one, other in pairwise(ring)
        )


Line: TypeAlias = Segment | Arc
Begins: TypeAlias = Segment | Arc | Inside


def corners_of(line: Line) -> tuple[XY, XY]:
    """Return two corners of a box around a line."""
    if isinstance(line, Segment):
        return line.begin, line.end
    (x, y), far = line.middle, line.radius
    return (x - far, y - far), (x + far, y + far)


def paid_on(piece: Begins, along: float) -> Fraction:
    """Return what has been paid after so many inches of a line, or in an area."""
    if piece.paid_at_end is None or piece.paid_at_end == piece.paid or not piece.length:
        return piece.paid
    return piece.paid + (piece.paid_at_end - piece.paid) * Fraction(along / piece.length)


def _require_numbers(what: str, *numbers: float) -> None:
    if not np.isfinite(numbers).all():
        raise ValueError(f"{what} is written in finite numbers")
