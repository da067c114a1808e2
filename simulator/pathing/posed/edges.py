"""Ways off the edge of a roof: a mover leaps over the outline, and lands where its base just clears it.

The last leg leads to where the base touches the outline from inside, and its direction is that of the leap. What lies
between there and the landing costs nothing but the price of the link.

>>> from simulator.geometry.pieces import rectangle
>>> leap = OffTheEdge("leap", rectangle((0, 0), (8, 8)), Round(1), 1, 0)
>>> leap.end_from((3.0, 1.0), course=0.0), leap.begins_at((2.9, 1.0), course=0.0)
((5.0, 1.0), False)
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import ClassVar, TypeAlias

import numpy as np
import shapely

from simulator.geometry.angles import Degrees, unit_vector
from simulator.geometry.convex import BoolArray, is_curved
from simulator.geometry.footprints import Base, Round
from simulator.geometry.over_borders import first_over_border
from simulator.geometry.path_judge import first_lengths, stretches_over
from simulator.geometry.paths import Paths
from simulator.geometry.pieces import XY, FloatArray, PolygonShape, Solid
from simulator.geometry.spans import Spans, merged
from simulator.geometry.standing import Standing
from simulator.geometry.sweeps import MovingPoints
from simulator.geometry.tolerances import TOLERANCE
from simulator.pathing.posed.links import PoseLink

#: A line is followed so far beyond a place, to find whether it leads over an outline just there.
_BEYOND = 1e-3


@dataclass(frozen=True)
class OffTheEdge:
    """A way from anywhere on the edge of a level to another one: straight on, in the direction of the last leg.

    It is followed right after a leg, which may be one of no inches. On the way over the edge nothing may be in the way
    that bars legs on the level which is left, and the base has to be on the table of the one where it lands.
    """

    name: str
    outline: Solid  #: straight-sided; what keeps the mover on it is the ground, or the table, of its level
    base: Base  #: of the mover
    origin: int
    target: int
    price: Fraction = Fraction(0)
    #: What questions about ends tell moves apart by that follow it: "jump", "fall".
    flags: frozenset[str] = frozenset()
    #: Whether the move ends where it lands, but for a turn that costs nothing.
    ends: bool = False
    #: Whether such a turn may follow where the move ends.
    turn_after: bool = True

    chance: ClassVar[Fraction] = Fraction(1)  #: it always succeeds
    slanting: ClassVar[bool] = False
    walked: ClassVar[Fraction] = Fraction(0)  #: what is leapt over is no path

    def __post_init__(self) -> None:
        if is_curved(self.outline) or self.outline.polygon.geom_type != "Polygon":
            raise ValueError(f"{self.name!r} leads off an area of one piece with straight sides")

    # --- one leap ---

    def price_after(self, inches: Fraction) -> Fraction:
        """Return what it costs, however many inches the legs since the last link were long."""
        del inches
        return self.price

    def length_after(self, inches: Fraction) -> Fraction:
        """Return no inches: those of a leap are not counted."""
        del inches
        return Fraction(0)

    def end_from(self, place: XY, heading: Degrees = 0.0, course: Degrees | None = None) -> XY:
        """Return where it ends for a base that follows it after a leg along a course; where it cannot, the place."""
        inches = self._length(place, heading, course)
        if course is None or np.isnan(inches):
            return place
        x, y = unit_vector(course)
        return place[0] + inches * x, place[1] + inches * y

    def begins_at(self, place: XY, heading: Degrees = 0.0, course: Degrees | None = None) -> bool:
        """Whether a base at a place can follow it after a leg along a course; None: no leg is just before."""
        return not np.isnan(self._length(place, heading, course))

    def _length(self, place: XY, heading: Degrees, course: Degrees | None) -> float:
        if course is None:
            return np.nan
        ahead = np.array([unit_vector(course)])
        return float(self.lengths(np.array([place], np.float64), np.array([heading], np.float64), ahead)[0])

    # --- many ---

    @property
    def polygon(self) -> shapely.Polygon:
        """The outline as a polygon."""
        polygon = self.outline.polygon
        assert isinstance(polygon, shapely.Polygon)
        return polygon

    @cached_property
    def _roof(self) -> Standing:
        return Standing.of([self.outline])

    @cached_property
    def _around(self) -> Standing:
        """What the base does not overlap as long as it is on the outline: all around it, and its holes."""
        polygon = self.polygon
        left, bottom, right, top = polygon.bounds
        far = 2 * self.longest + 1.0
        frame = [(left - far, bottom - far), (right + far, bottom - far), (right + far, top + far)]
        around = PolygonShape([*frame, (left - far, top + far)], [_corners(polygon.exterior)])
        return Standing.of([around, *(PolygonShape(_corners(ring)) for ring in polygon.interiors)])

    @cached_property
    def longest(self) -> float:
        """No passage over the edge is longer: the base overlaps the outline all the way."""
        left, bottom, right, top = self.outline.polygon.bounds
        return float(np.hypot(right - left, top - bottom)) + 2 * self.base.reach

    @cached_property
    def far_ends(self) -> tuple[XY, ...]:
        """Corners of the part of the table that it may lead to from afar."""
        left, bottom, right, top = self.outline.polygon.bounds
        reach = self.base.reach
        return (left - reach, bottom - reach), (right + reach, top + reach)

    def lengths(self, places: FloatArray, headings: FloatArray, ahead: FloatArray) -> FloatArray:
        """Compute how far leaps lead from places, in directions of length 1; nan where none begins.

        The base has to touch the outline from inside, in that direction.
        """
        legs = _legs(places, places + (self.longest + _BEYOND) * ahead, headings)
        begins = np.isinf(first_lengths(_legs(places, places, headings), self.base, self._around))
        begins &= self._first(legs, self._around)[0] <= TOLERANCE
        over, clear = self._first(legs, self._roof)
        # A point is clear of the outline as soon as it is on it.
        return np.where(begins, np.where(over <= TOLERANCE, clear, 0.0), np.nan)

    def exits(self, starts: FloatArray, headings: FloatArray, ahead: FloatArray, inches: FloatArray) -> FloatArray:
        """Compute after how much of legs on the outline the base first touches it ahead; inf where it never does."""
        leaves, _ = self._first(_legs(starts, starts + (inches + _BEYOND)[:, None] * ahead, headings), self._around)
        return np.where(leaves <= inches + TOLERANCE, np.minimum(leaves, inches), np.inf)

    def passages(self, places: FloatArray, headings: FloatArray, ahead: FloatArray) -> FloatArray:
        """Compute how far before places, in directions of length 1, leaps begin that land there; nan: none does."""
        if isinstance(self.base, Round) and self.base.radius > 0:
            return self._passages_of_disc(places, ahead)
        return self._passages_of_base(places, headings, ahead)

    def _passages_of_base(self, places: FloatArray, headings: FloatArray, ahead: FloatArray) -> FloatArray:
        """The same for any base."""
        legs = _legs(places + _BEYOND * ahead, places - (self.longest + _BEYOND) * ahead, headings)
        begin, end = self._first(legs, self._roof)
        around, inside = self._first(legs, self._around)
        lands = (np.abs(begin - _BEYOND) <= TOLERANCE) & (around <= TOLERANCE)
        lands &= (inside <= end + TOLERANCE) & (inside < legs.lengths - TOLERANCE)
        return np.where(lands, inside - _BEYOND, np.nan)

    def _passages_of_disc(self, places: FloatArray, ahead: FloatArray) -> FloatArray:
        """The same for a round base in closed form: a turn of somebody who jumps asks for millions."""
        far = self.longest + 2 * _BEYOND
        back = MovingPoints(places + _BEYOND * ahead, -far * ahead)
        over = first_over_border(back, float(self.base.reach), self._roof.segments, self.polygon)
        lands = (np.abs(over.begin - _BEYOND) <= TOLERANCE) & over.inside
        return np.where(lands, over.end - _BEYOND, np.nan)

    def touch(self, places: FloatArray) -> BoolArray:
        """Find the places at which the base may touch the border of the outline, whichever way it faces."""
        off = np.asarray(shapely.distance(self.outline.polygon.boundary, shapely.points(places)))
        return self._may_touch(off)

    def may_land(self, places: FloatArray) -> BoolArray:
        """Find the places at which the base may touch the outline from outside, whichever way it faces."""
        off = np.asarray(shapely.distance(self.outline.polygon, shapely.points(places)))
        return self._may_touch(off)

    def _may_touch(self, off: FloatArray) -> BoolArray:
        return np.asarray((off >= self.base.inner_radius - 2 * TOLERANCE) & (off <= self.base.reach + 2 * TOLERANCE))

    def _first(self, legs: Paths, standing: Standing) -> tuple[FloatArray, FloatArray]:
        """From how many inches to how many each leg is over something for the first time; inf: never."""
        found = stretches_over(legs, standing, self.base)
        spans = merged(Spans(found.path, found.begin, found.end), slack=TOLERANCE)
        path, first = np.unique(spans.row, return_index=True)
        begin, end = np.full(legs.count, np.inf), np.full(legs.count, np.inf)
        begin[path], end[path] = spans.begin[first], spans.end[first]
        return begin, end


Link: TypeAlias = PoseLink | OffTheEdge


def _corners(ring: shapely.LinearRing) -> list[XY]:
    return [(x, y) for x, y in shapely.get_coordinates(ring).tolist()]


def _legs(starts: FloatArray, ends: FloatArray, headings: FloatArray) -> Paths:
    return Paths.of_legs(starts, ends, np.mod(headings, 360.0))
