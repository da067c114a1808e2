"""The range of a spot on an inch table: anywhere within a region."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import shapely
from shapely.geometry.base import BaseGeometry

from simulator.engine.answer_range import AnswerRange
from simulator.engine.constraints import is_number
from simulator.engine.orders import place
from simulator.engine.values import Fields, Number, Value, freeze, show
from simulator.geometry.tolerances import TOLERANCE


@dataclass(frozen=True)
class SpotIn(AnswerRange):
    """A spot x,y on an inch table within a region: polygons, each its outline and the outlines of its holes.

    The region is given like that or as an area of shapely. Its outline belongs to it, to within the tolerance of
    places. Answers are floats, as all places of a table. Samples are what the rule marks, then of each polygon its
    middle and its corners farthest to each side.
    """

    kind: ClassVar[str] = "spot"
    region: Any
    marks: Sequence[tuple[Number, Number]] = ()

    def __post_init__(self) -> None:
        rings = _rings_of(self.region) if isinstance(self.region, BaseGeometry) else self.region
        region = tuple(tuple(tuple(_spot(point) for point in ring) for ring in polygon) for polygon in rings)
        object.__setattr__(self, "region", region)
        object.__setattr__(self, "marks", tuple(_spot(mark) for mark in self.marks))
        if not region or self.area.is_empty or not self.area.is_valid:
            raise ValueError("a region of spots is made of polygons that do not cross themselves or each other")
        for mark in self.marks:
            self.plain(mark)

    @cached_property
    def area(self) -> BaseGeometry:
        """The region as an area."""
        try:
            parts = [shapely.Polygon(outer, holes) for outer, *holes in self.region]
        except (ValueError, shapely.errors.ShapelyError) as error:
            raise ValueError(f"this is no outline of a region: {error}") from None
        area = parts[0] if len(parts) == 1 else shapely.MultiPolygon(parts)
        shapely.prepare(area)
        return area

    def plain(self, answer: Any) -> Value:
        """Return a spot as it is recorded: two floats."""
        spot = _spot(answer)
        if shapely.distance(self.area, shapely.Point(spot)) > TOLERANCE:
            raise ValueError(f"{show(spot)} is not {self}")
        return spot

    def read(self, text: str) -> Value:
        """Return the spot that a text means: `6.5,3`."""
        return freeze(place().read(text.strip()))

    @cached_property
    def samples(self) -> tuple[Value, ...]:
        """The marks, then the middle and the farthest corners of each polygon."""
        found: list[Value] = list(self.marks)
        for (outer, *_), part in zip(self.region, shapely.get_parts(self.area), strict=True):
            middle = shapely.centroid(part)
            inside = middle if shapely.covers(part, middle) else shapely.point_on_surface(part)
            lowest, highest = min(outer, key=_upright), max(outer, key=_upright)
            found += [_spot((inside.x, inside.y)), min(outer), lowest, max(outer), highest]
        return tuple(dict.fromkeys(found))

    def to_fields(self) -> Fields:
        """Return the range as plain data."""
        return Fields({"range": self.kind, "region": self.region, **({"marks": self.marks} if self.marks else {})})

    @classmethod
    def from_fields(cls, fields: Mapping[str, Any]) -> SpotIn:
        """Rebuild the range from its data."""
        return cls(**fields)

    def __str__(self) -> str:
        left, bottom, right, top = (show(float(bound)) for bound in self.area.bounds)
        return f"a spot such as {show(self.samples[0])}, in the region from {left},{bottom} to {right},{top}"


def _spot(spot: Any) -> tuple[float, float]:
    found = freeze(spot)
    if not isinstance(found, tuple) or len(found) != 2:
        raise TypeError(f"wants a spot x,y, not {show(found)}")
    x, y = found
    if not (is_number(x) and is_number(y)):
        raise TypeError(f"wants a spot of two numbers, not {show(found)}")
    return float(x), float(y)


def _upright(spot: tuple[float, float]) -> tuple[float, float]:
    return spot[1], -spot[0]


def _rings_of(area: BaseGeometry) -> list[list[list[tuple[float, float]]]]:
    parts = shapely.get_parts(area)
    if any(part.geom_type != "Polygon" for part in parts):
        raise ValueError("a region of spots is made of polygons")
    return [[list(ring.coords)[:-1] for ring in (part.exterior, *part.interiors)] for part in parts]
