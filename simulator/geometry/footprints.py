"""The bases of units, and bases placed on the table with a heading.

A base lies around its reference point, facing along +x; placing it turns it to a heading (0 along +x,
counter-clockwise) and moves it to a place. All measures treat round and oval bases as true curves.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from simulator.errors import BoardError
from simulator.geometry.angles import Degrees, normalise, unit_vector
from simulator.geometry.pieces import XY, CircleShape, FloatArray, PointShape, PolygonShape, Shape, bounds_of
from simulator.geometry.snapping import MAX_COORDINATE

#: The outlines of round bases that are kept: units of one kind have the same.
_MOST_OUTLINES = 64

_UNIT_DISC = CircleShape(0.0, 0.0, 1.0)
_UNIT_SQUARE = PolygonShape([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])


@dataclass(frozen=True, slots=True)
class Base:
    """The base of a unit, of any kind: an outline that is stretched, turned and placed."""

    def at(self, x: float, y: float, heading: Degrees = 0.0) -> Placed:
        """Place the base with its reference point at (x, y), facing along a heading."""
        return Placed(self, float(x), float(y), heading)

    @property
    def outline(self) -> Shape:
        """Its outline around (0, 0) before it is stretched."""
        raise NotImplementedError

    @property
    def inner_radius(self) -> float:
        """The radius of the largest disc round the reference point that is part of it; 0 if none is.

        >>> Rectangle(4, 2).inner_radius, Round(0.5).inner_radius
        (1.0, 0.5)
        """
        outline, origin = self.at(0.0, 0.0).polygon, shapely.Point(0.0, 0.0)
        inside = bool(outline.area) and shapely.contains(outline, origin)
        return float(shapely.distance(shapely.boundary(outline), origin)) if inside else 0.0

    @property
    def stretch(self) -> XY:
        """The factors by which the outline is stretched along and across the heading."""
        return 1.0, 1.0

    @property
    def reach(self) -> float:
        """The distance of its farthest point from its reference point."""
        raise NotImplementedError


@lru_cache(maxsize=_MOST_OUTLINES)
def _round_outline(radius: float) -> Shape:
    """The circle around (0, 0); the point there for radius 0."""
    return CircleShape(0.0, 0.0, radius) if radius else PointShape(0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Round(Base):
    """A round base; radius 0 is a point.

    >>> Round(0.5).at(3, 4).support((0, 1))
    (3.0, 4.5)
    """

    radius: float

    def __post_init__(self) -> None:
        if not 0.0 <= self.radius <= MAX_COORDINATE:
            raise BoardError(f"must be 0 or more and finite, but is {self.radius}", "radius")

    @property
    def outline(self) -> Shape:
        """The circle; the point (0, 0) for radius 0."""
        return _round_outline(self.radius)

    @property
    def reach(self) -> float:
        """Its radius."""
        return self.radius

    @property
    def inner_radius(self) -> float:
        """Its radius."""
        return self.radius


@dataclass(frozen=True, slots=True)
class _Sided(Base):
    """A base with a length along its heading and a width across."""

    length: float
    width: float

    def __post_init__(self) -> None:
        _require_sides(self.length, self.width)


@dataclass(frozen=True, slots=True)
class Oval(_Sided):
    """An elliptical base, `length` along its heading and `width` across.

    >>> Oval(4, 2).at(0, 0, heading=90).support((0, 1))
    (0.0, 2.0)
    """

    @property
    def outline(self) -> Shape:
        """The unit circle."""
        return _UNIT_DISC

    @property
    def stretch(self) -> XY:
        """Its two half axes."""
        return self.length / 2, self.width / 2

    @property
    def reach(self) -> float:
        """Half its greater axis."""
        return max(self.length, self.width) / 2


@dataclass(frozen=True, slots=True)
class Rectangle(_Sided):
    """A rectangular base, `length` along its heading and `width` across.

    >>> Rectangle(4, 2).at(10, 10, heading=90).polygon.bounds
    (9.0, 8.0, 11.0, 12.0)
    """

    @property
    def outline(self) -> Shape:
        """The unit square."""
        return _UNIT_SQUARE

    @property
    def stretch(self) -> XY:
        """Its length and width."""
        return self.length, self.width

    @property
    def reach(self) -> float:
        """Half its diagonal."""
        return math.hypot(self.length, self.width) / 2


@dataclass(frozen=True, slots=True)
class PolygonBase(Base):
    """A base with any straight-sided outline, convex or not, around its reference point (0, 0).

    >>> PolygonBase([(-1, -1), (2, 0), (-1, 1)]).at(0, 0).support((1, 0))
    (2.0, 0.0)
    """

    points: Sequence[XY]
    outline: PolygonShape = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        try:
            shape = PolygonShape(self.points)
        except BoardError as fault:
            raise BoardError(fault.message, fault.path.replace("shell", "points")) from None
        object.__setattr__(self, "points", shape.shell)
        object.__setattr__(self, "outline", shape)

    @property
    def reach(self) -> float:
        """The distance of its farthest corner from its reference point."""
        return max(math.hypot(x, y) for x, y in self.points)


@dataclass(frozen=True)
class Placed:
    """A base at a place. It is a `Solid`, so all measures accept it."""

    base: Base
    x: float
    y: float
    heading: Degrees = 0.0

    def __post_init__(self) -> None:
        if not (abs(self.x) <= MAX_COORDINATE and abs(self.y) <= MAX_COORDINATE):
            raise BoardError(f"a base stands at finite coordinates up to a million, not ({self.x}, {self.y})")
        if not math.isfinite(self.heading):
            raise BoardError(f"a heading is a finite number of degrees, not {self.heading}")
        object.__setattr__(self, "heading", normalise(self.heading))

    @property
    def centre(self) -> XY:
        """Its reference point."""
        return self.x, self.y

    @property
    def reach(self) -> float:
        """The radius of the circle around its reference point that contains it."""
        return self.base.reach

    def moved(self, dx: float, dy: float) -> Placed:
        """Return the same base, shifted without turning."""
        return replace(self, x=self.x + dx, y=self.y + dy)

    def turned(self, angle: float) -> Placed:
        """Return the same base, turned on the spot by an angle, left positive."""
        return replace(self, heading=self.heading + angle)

    def support(self, direction: XY) -> XY:
        """Return the point of the base that lies farthest along a direction; any of them if there are several."""
        along = np.array(direction, np.float64)
        if not np.any(along) or not np.all(np.isfinite(along)):
            raise BoardError(f"a direction has a finite length above 0, not {direction}")
        corners = np.concatenate(self.parts)
        farthest = corners[np.argmax(corners @ along)]
        pull = self.spread.T @ along
        if np.any(pull):
            farthest = farthest + self.spread @ pull / np.hypot(*pull)
        return float(farthest[0]), float(farthest[1])

    @cached_property
    def polygon(self) -> BaseGeometry:
        """The ground it covers: exact with straight sides, else drawn with 256 corners on its border."""
        return shapely.transform(self.base.outline.polygon, self._place)

    @cached_property
    def parts(self) -> tuple[FloatArray, ...]:
        """Its convex parts, each an array of corners, counter-clockwise."""
        return tuple(self._place(part) for part in self.base.outline.parts)

    @cached_property
    def part_bounds(self) -> FloatArray:
        """The box around each of its parts, one row min_x, min_y, max_x, max_y each."""
        return bounds_of(self.parts)

    @cached_property
    def edges(self) -> FloatArray:
        """Its border as segments, one row x1, y1, x2, y2 each; none for round and oval bases."""
        return self._place(self.base.outline.edges.reshape(-1, 2)).reshape(-1, 4)

    @cached_property
    def spread(self) -> FloatArray:
        """The ellipse of a round or oval base as a matrix, else zeros."""
        return self._turning @ self.base.outline.spread

    @cached_property
    def _turning(self) -> FloatArray:
        along, across = self.base.stretch
        if along == across and isinstance(self.base.outline, CircleShape):
            return np.diag([along, across])  # a circle is exactly the same for every heading
        cos, sin = unit_vector(self.heading)
        return np.array([[cos, -sin], [sin, cos]]) * (along, across)

    def _place(self, corners: FloatArray) -> FloatArray:
        placed: FloatArray = corners @ self._turning.T + (self.x, self.y)
        return placed


def _require_sides(length: float, width: float) -> None:
    for side, value in (("length", length), ("width", width)):
        if not 0.0 < value <= MAX_COORDINATE:
            raise BoardError(f"must be above 0 and finite, but is {value}", side)
