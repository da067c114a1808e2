"""The range of a spot on an inch table: anywhere within a region."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from simulator.engine.answer_range import AnswerRange
from simulator.engine.constraints import is_number
from simulator.engine.number_ranges import MOST_SAMPLES
from simulator.engine.orders import place
from simulator.engine.values import Fields, Number, Value, freeze, show
from simulator.geometry.tolerances import TOLERANCE
from simulator.later import Later

if TYPE_CHECKING:
    import shapely
    from shapely.geometry.base import BaseGeometry
else:
    shapely = Later("shapely")

#: Outlines of a region: for each polygon its own and those of its holes.
Rings = tuple[tuple[tuple[tuple[float, float], ...], ...], ...]


class SpotPiece(NamedTuple):
    """A piece of a region, and the spot that represents it."""

    area: BaseGeometry
    sample: Value


@dataclass(frozen=True)
class SpotIn(AnswerRange):
    """A spot x,y on an inch table within a region: polygons, each its outline and the outlines of its holes.

    The region may also be an area of shapely. Its outline belongs to it, within the tolerance of places. Answers are
    floats, like all places of a table. Samples are the marks of the rule, then the middle of each polygon and its
    corners farthest to each side.

    If parts of the region differ, as within a blast or on soft ground, `zones` are the areas of those parts: the region
    is cut at their outlines, and one spot represents each piece. Curved zones are as exact as their polygons. If the
    rule cannot name the parts, `every` also cuts the region into squares of that many inches; the results are then
    accurate to about that size.
    """

    kind: ClassVar[str] = "spot"
    region: Any
    marks: Sequence[tuple[Number, Number]] = ()
    zones: Sequence[Any] = ()
    every: Number | None = None

    def __post_init__(self) -> None:
        region = rings_of(self.region)
        object.__setattr__(self, "region", region)
        object.__setattr__(self, "marks", tuple(_spot(mark) for mark in self.marks))
        object.__setattr__(self, "zones", tuple(map(rings_of, self.zones)))
        if not region or self.area.is_empty or not self.area.is_valid:
            raise ValueError("a region of spots is made of polygons that do not cross themselves or each other")
        for zone in self.zones:
            if not zone or not _area_of(zone).is_valid:
                raise ValueError("a zone of spots is made of polygons that do not cross themselves or each other")
        for mark in self.marks:
            self.plain(mark)
        if self.every is not None:
            self._check_squares(self.every)

    def _check_squares(self, every: Number) -> None:
        if not is_number(every) or every <= 0:
            raise ValueError(f"every: a number above 0, not {show(every)}")
        left, bottom, right, top = self.area.bounds
        if (right - left) * (top - bottom) > MOST_SAMPLES * float(every) ** 2:
            raise ValueError(f"a region cut at every {show(every)} inches has more than {MOST_SAMPLES} samples")

    @cached_property
    def area(self) -> BaseGeometry:
        """The region as an area."""
        area = _area_of(self.region)
        shapely.prepare(area)
        return area

    @cached_property
    def pieces(self) -> tuple[SpotPiece, ...]:
        """The region in pieces, each with the sample that represents it; together they cover it.

        Without zones and squares each sample represents the spots that are nearer to it than to any other.
        """
        if not self.zones and self.every is None:
            return tuple(self._nearest_to_samples())
        return tuple(SpotPiece(part, _inside(part)) for part in self._cut())

    def _nearest_to_samples(self) -> Iterator[SpotPiece]:
        samples = [shapely.Point(*_spot(sample)) for sample in self._own_samples]
        if len(samples) == 1:
            yield SpotPiece(self.area, self._own_samples[0])
            return
        cells = shapely.get_parts(
            shapely.voronoi_polygons(shapely.MultiPoint(samples), extend_to=shapely.envelope(self.area), ordered=True)
        )
        for sample, cell in zip(self._own_samples, cells, strict=True):
            yield SpotPiece(shapely.union_all(_polygons(shapely.intersection(cell, self.area))), sample)

    def _cut(self) -> Iterator[BaseGeometry]:
        """Yield the parts of the region between the outlines of zones and squares, from left to right."""
        lines = [self.area.boundary, *(_area_of(zone).boundary for zone in self.zones), *self._sides_of_squares()]
        faces = shapely.get_parts(shapely.polygonize([shapely.node(shapely.union_all(lines))]))
        inside = shapely.covers(self.area, shapely.point_on_surface(faces))
        # No spot fits into a face thinner than the tolerance of places.
        wide = ~shapely.is_empty(shapely.buffer(faces, -TOLERANCE))
        yield from sorted(faces[inside & wide], key=lambda face: (face.bounds, face.area))

    def _sides_of_squares(self) -> list[BaseGeometry]:
        if self.every is None:
            return []
        left, bottom, right, top = self.area.bounds
        side = float(self.every)
        across = np.arange(np.floor(left / side) + 1, np.ceil(right / side)) * side
        up = np.arange(np.floor(bottom / side) + 1, np.ceil(top / side)) * side
        return [
            *(shapely.linestrings([[x, bottom], [x, top]]) for x in across),
            *(shapely.linestrings([[left, y], [right, y]]) for y in up),
        ]

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
        """The marks, then the middle and the farthest corners of each polygon, then a spot of each piece."""
        pieces = () if not self.zones and self.every is None else self.pieces
        return tuple(dict.fromkeys((*self._own_samples, *(piece.sample for piece in pieces))))

    @cached_property
    def _own_samples(self) -> tuple[Value, ...]:
        """The marks, then the middle and the farthest corners of each polygon."""
        found: list[Value] = list(self.marks)
        for (outer, *_), part in zip(self.region, shapely.get_parts(self.area), strict=True):
            lowest, highest = min(outer, key=_upright), max(outer, key=_upright)
            found += [_inside(part), min(outer), lowest, max(outer), highest]
        return tuple(dict.fromkeys(found))

    def to_fields(self) -> Fields:
        """Return the range as plain data."""
        more = {"marks": self.marks, "zones": self.zones, "every": self.every}
        known = {"range": self.kind, "region": self.region}
        return Fields(known | {name: value for name, value in more.items() if value})

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
        raise TypeError(f"expected a spot x,y, not {show(found)}")
    x, y = found
    if not (is_number(x) and is_number(y)):
        raise TypeError(f"expected a spot of two numbers, not {show(found)}")
    return float(x), float(y)


def _upright(spot: tuple[float, float]) -> tuple[float, float]:
    return spot[1], -spot[0]


def rings_of(area: Any) -> Rings:
    """Return the outlines of an area, which may be outlines or an area of shapely."""
    rings = _outlines(area) if isinstance(area, shapely.geometry.base.BaseGeometry) else area
    return tuple(tuple(tuple(_spot(point) for point in ring) for ring in polygon) for polygon in rings)


def _area_of(rings: Rings) -> BaseGeometry:
    try:
        parts = [shapely.Polygon(outer, holes) for outer, *holes in rings]
    except (ValueError, shapely.errors.ShapelyError) as error:
        raise ValueError(f"not the outline of a region: {error}") from None
    return parts[0] if len(parts) == 1 else shapely.MultiPolygon(parts)


def _polygons(area: BaseGeometry) -> list[BaseGeometry]:
    """Return the polygons of an area, without lines and points where parts only touch."""
    return [part for part in shapely.get_parts(area) if part.geom_type == "Polygon"]


def _inside(part: BaseGeometry) -> tuple[float, float]:
    """Return the middle of a polygon, or another spot in it if the middle lies outside."""
    middle = shapely.centroid(part)
    inside = middle if shapely.covers(part, middle) else shapely.point_on_surface(part)
    return _spot((inside.x, inside.y))


def _outlines(area: BaseGeometry) -> list[list[list[tuple[float, float]]]]:
    parts = shapely.get_parts(area)
    if any(part.geom_type != "Polygon" for part in parts):
        raise ValueError("a region of spots is made of polygons")
    return [[list(ring.coords)[:-1] for ring in (part.exterior, *part.interiors)] for part in parts]
