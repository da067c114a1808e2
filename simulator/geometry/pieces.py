"""Shapes on an inch table, and pieces of terrain made of them.

Shapes are plain frozen values. Their coordinates are snapped to the grid of `snapping` once, when they are built.
An invalid shape (a bow-tie, a hole outside its shell) is refused, and the error names the place.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry

from simulator.errors import BoardError
from simulator.geometry.angles import normalise, unit_vector
from simulator.geometry.snapping import MAX_COORDINATE, difference, snap
from simulator.wording import did_you_mean

XY = tuple[float, float]
FloatArray = NDArray[np.float64]

#: From the ground up: a later layer lies on an earlier one.
LAYERS = ("ground", "replacing", "modifier", "cover", "obstacle", "elevated")
MAX_VERTICES = 10_000
#: Corners in a quarter of a drawn circle, all on the circle: sides are within 8e-5 radii of it.
QUARTER_CORNERS = 64

_WORD = re.compile(r"[a-z][a-z0-9_]*")
_FAULT = re.compile(r".*\[(\S+) (\S+)\]")


class Solid(Protocol):
    """The interface of things for measures: shapes on the table and footprints of units.

    A thing is a union of convex polygons; or, if `spread` is not zero, an ellipse: the image of the unit disc under
    that matrix, around the single point in `parts`.
    """

    @property
    def polygon(self) -> BaseGeometry:
        """The ground it covers, for display and, if it has no curves, for exact computations."""

    @property
    def parts(self) -> tuple[FloatArray, ...]:
        """Its convex parts, each an array of corners, counter-clockwise; one point, two, or more."""

    @property
    def part_bounds(self) -> FloatArray:
        """The box around each of its parts, one row min_x, min_y, max_x, max_y each."""

    @property
    def edges(self) -> FloatArray:
        """Its border as segments, one row x1, y1, x2, y2 each; a point is a segment of no length."""

    @property
    def spread(self) -> FloatArray:
        """The matrix of its ellipse; all zeros for a thing with straight sides."""


class _SentAsGiven:
    """A dataclass of which its fields alone are pickled: what is worked out from them is not."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    def __getstate__(self) -> dict[str, Any]:
        return {one.name: getattr(self, one.name) for one in fields(self)}


class _StraightSided(_SentAsGiven):
    """A shape without curves: parts and edges come from its polygon."""

    @cached_property
    def parts(self) -> tuple[FloatArray, ...]:
        """Its convex parts, each an array of corners, counter-clockwise."""
        return convex_parts(self.polygon)

    @cached_property
    def part_bounds(self) -> FloatArray:
        """The box around each of its parts, one row min_x, min_y, max_x, max_y each."""
        return bounds_of(self.parts)

    @cached_property
    def edges(self) -> FloatArray:
        """Its border as segments, one row x1, y1, x2, y2 each."""
        return border_of(self.polygon)

    @cached_property
    def polygon(self) -> BaseGeometry:
        """The ground it covers."""
        raise NotImplementedError

    @property
    def spread(self) -> FloatArray:
        """All zeros, without curves."""
        return NO_SPREAD


@dataclass(frozen=True)
class PolygonShape(_StraightSided):
    """An area with straight sides, perhaps with holes. Rings may be closed or open, in either direction.

    >>> PolygonShape([(0, 0), (4, 0), (4, 3)]).polygon.area
    6.0
    >>> PolygonShape([(0, 0), (2, 2), (2, 0), (0, 2)])
    Traceback (most recent call last):
    simulator.errors.BoardError: shell: crosses or touches itself at (1, 1)
    """

    shell: Sequence[XY]
    holes: Sequence[Sequence[XY]] = ()

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "shell", _ring(self.shell, "shell"))
        put(self, "holes", tuple(_ring(hole, f"holes[{k}]") for k, hole in enumerate(self.holes)))
        corners = len(self.shell) + sum(len(hole) for hole in self.holes)
        if corners > MAX_VERTICES:
            raise BoardError(f"has {corners} corners with its holes, at most {MAX_VERTICES} are allowed", "holes")
        shell = Polygon(self.shell)
        for k, hole in enumerate(self.holes):
            outside = difference(Polygon(hole), shell)
            if outside.area > 0.0:
                whole = "lies" if outside.area >= Polygon(hole).area else "reaches"
                raise BoardError(
                    f"{whole} outside the shell, at {_place(outside.representative_point())}", f"holes[{k}]"
                )
        fault = _fault_of(self.polygon)
        if fault:
            raise BoardError(f"cross or share an edge with one another or the shell{fault}", "holes")

    @cached_property
    def polygon(self) -> BaseGeometry:
        """The ground it covers, exactly."""
        polygon = Polygon(self.shell, self.holes)
        shapely.prepare(polygon)
        return polygon


@dataclass(frozen=True)
class LineShape(_StraightSided):
    """A line with bends; one with a width covers a strip, cut off square at its ends and mitred at its bends.

    >>> LineShape([(0, 0), (10, 0)], width=0.5).polygon.bounds
    (0.0, -0.25, 10.0, 0.25)
    """

    points: Sequence[XY]
    width: float = 0.0

    def __post_init__(self) -> None:
        points = _without_repeats(_points(self.points, "points"))
        if len(points) < 2:
            raise BoardError("expected at least 2 different points", "points")
        put = object.__setattr__
        put(self, "points", points)
        put(self, "width", _number(self.width, "width", at_least=0.0))

    @cached_property
    def polygon(self) -> BaseGeometry:
        """The strip it covers; the bare line if it has no width."""
        covered: BaseGeometry = LineString(self.points)
        if self.width > 0.0:
            covered = covered.buffer(self.width / 2, cap_style="flat", join_style="mitre")
        shapely.prepare(covered)
        return covered


@dataclass(frozen=True)
class PointShape(_StraightSided):
    """A single point, such as a single tree."""

    x: float
    y: float

    def __post_init__(self) -> None:
        ((x, y),) = _points([(self.x, self.y)], "")
        put = object.__setattr__
        put(self, "x", x)
        put(self, "y", y)

    @cached_property
    def polygon(self) -> BaseGeometry:
        """The point itself."""
        return Point(self.x, self.y)


@dataclass(frozen=True)
class CircleShape(_SentAsGiven):
    """A disc. All measures treat it as the true circle; only its `polygon` has corners."""

    x: float
    y: float
    radius: float

    def __post_init__(self) -> None:
        ((x, y),) = _points([(self.x, self.y)], "")
        put = object.__setattr__
        put(self, "x", x)
        put(self, "y", y)
        put(self, "radius", _number(self.radius, "radius", above=0.0))

    @cached_property
    def polygon(self) -> BaseGeometry:
        """A drawing of it: 256 corners on the circle."""
        return Point(self.x, self.y).buffer(self.radius, quad_segs=QUARTER_CORNERS)

    @cached_property
    def parts(self) -> tuple[FloatArray, ...]:
        """Its centre."""
        return (_frozen([[self.x, self.y]]),)

    @cached_property
    def part_bounds(self) -> FloatArray:
        """The box around its centre, of no size."""
        return bounds_of(self.parts)

    @property
    def edges(self) -> FloatArray:
        """None: its border is a curve."""
        return NO_EDGES

    @cached_property
    def spread(self) -> FloatArray:
        """The circle as a matrix."""
        return _frozen([[self.radius, 0.0], [0.0, self.radius]])


Shape = PolygonShape | LineShape | PointShape | CircleShape


def rectangle(centre: XY, size: XY, turned: float = 0.0) -> PolygonShape:
    """Build a rectangle around its centre: `size` along x and y, then turned to the left by `turned` degrees.

    >>> rectangle((5, 5), (4, 2), turned=90).polygon.bounds
    (4.0, 3.0, 6.0, 7.0)
    """
    ((x, y),) = _points([centre], "centre")
    along, across = (_number(side, f"size[{k}]", above=0.0) / 2 for k, side in enumerate(size))
    (cos, sin) = unit_vector(_heading(turned, "turned"))
    corners = ((-along, -across), (along, -across), (along, across), (-along, across))
    return PolygonShape([(x + u * cos - v * sin, y + u * sin + v * cos) for u, v in corners])


# -- attributes ----------------------------------------------------------------------------------------------


class AttributeKind(NamedTuple):
    """An attribute of pieces: a description of its values, and a reader that raises ValueError."""

    wants: str
    read: Callable[[Any], Any]


def _read_bool(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError
    return value


def _read_whole(least: int | None = None) -> Callable[[Any], int]:
    def read(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or (least is not None and value < least):
            raise ValueError
        return value

    return read


def _read_number(*, zero: bool) -> Callable[[Any], float]:
    def read(value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ValueError
        if not (0.0 <= value <= MAX_COORDINATE) or (value == 0 and not zero):
            raise ValueError
        return float(value)

    return read


def _read_heading(value: Any) -> float:
    return _heading(value, "")


def _read_points(value: Any) -> tuple[XY, ...]:
    return _points(value, "")


def _read_floors(value: Any) -> tuple[int, ...]:
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise ValueError
    return tuple(sorted({_read_whole()(floor) for floor in value}))


def _read_two_floors(value: Any) -> tuple[int, int]:
    floors = _read_floors(value)
    if len(floors) != 2:
        raise ValueError
    return floors[0], floors[1]


def _read_word(value: Any) -> str:
    if not isinstance(value, str) or not _WORD.fullmatch(value):
        raise ValueError
    return value


_YES_OR_NO = AttributeKind("true or false", _read_bool)
_WORDLIKE = AttributeKind("a word in lower_snake case", _read_word)
#: The attributes of a piece other than its shape and layer. Their meaning is up to the rules.
ATTRIBUTES: Mapping[str, AttributeKind] = MappingProxyType(
    {
        "cover": _WORDLIKE,
        "doors": AttributeKind("a list of points (x, y)", _read_points),
        "floor_height": AttributeKind("a number of inches above 0", _read_number(zero=False)),
        "floors": AttributeKind("a whole number from 1", _read_whole(1)),
        "joins": AttributeKind("two different floors, whole numbers", _read_two_floors),
        "paved": _YES_OR_NO,
        "run": AttributeKind("a number of inches above 0", _read_number(zero=False)),
        "size_class": AttributeKind("a whole number from 0", _read_whole(0)),
        "top": _WORDLIKE,
        "tree_cost": AttributeKind("a number of inches, 0 or more", _read_number(zero=True)),
        "uphill": AttributeKind("a heading in degrees", _read_heading),
        "vehicle_entry": _YES_OR_NO,
        "vehicle_floors": AttributeKind("a list of floors, whole numbers", _read_floors),
        "vehicle_ok": _YES_OR_NO,
        "wet": _YES_OR_NO,
    }
)


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of terrain. `height` is its own height; `on` names the elevated piece that it stands on, if any.

    >>> hill = Piece("hill", "slope", rectangle((10, 10), (6, 6)), "modifier", attributes={"uphill": -90})
    >>> hill.attributes["uphill"]
    270.0
    >>> Piece("tower", "building", rectangle((10, 10), (6, 6)), attributes={"floors": 0})
    Traceback (most recent call last):
    simulator.errors.BoardError: attributes.floors: expected a whole number from 1, not 0
    """

    id: str
    kind: str
    shape: Shape
    layer: str = "ground"
    height: float = 0.0
    on: str = ""
    attributes: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        if not self.id or self.id != self.id.strip():
            raise BoardError(f"expected a name without blanks around it, not {self.id!r}", "id")
        if not _WORD.fullmatch(self.kind):
            raise BoardError(f"expected a word in lower_snake case, not {self.kind!r}", "kind")
        if self.layer not in LAYERS:
            raise BoardError(f"no such layer{hint(self.layer, LAYERS)} (known: {', '.join(LAYERS)})", "layer")
        put = object.__setattr__
        put(self, "height", _number(self.height, "height", at_least=0.0))
        put(self, "attributes", _read_attributes(self.attributes))
        if self.layer == "elevated" and not self.shape.polygon.area:
            raise BoardError(
                "is elevated and needs a top to stand on: a line without width or a point has none", "shape"
            )

    def __reduce__(self) -> tuple[Any, ...]:  # a read-only mapping cannot be pickled
        return type(self), (
            self.id,
            self.kind,
            self.shape,
            self.layer,
            self.height,
            self.on,
            dict(self.attributes),
        )


def _read_attributes(values: Mapping[str, Any]) -> Mapping[str, Any]:
    read: dict[str, Any] = {}
    for name in sorted(values, key=str):
        path = f"attributes.{name}"
        if name not in ATTRIBUTES:
            raise BoardError(f"no such attribute{hint(name, ATTRIBUTES)} (known: {', '.join(ATTRIBUTES)})", path)
        try:
            read[name] = ATTRIBUTES[name].read(values[name])
        except ValueError:  # a BoardError from a coordinate is one too
            raise BoardError(f"expected {ATTRIBUTES[name].wants}, not {values[name]!r}", path) from None
    return MappingProxyType(read)


def hint(word: Any, known: Iterable[str]) -> str:
    """Return the end of a message about an unknown word: a suggestion, or nothing."""
    meant = did_you_mean(str(word), known, listed=False)
    return f", {meant}" if meant else ""


# -- reading numbers and points ------------------------------------------------------------------------------


def _number(value: Any, path: str, *, at_least: float = -math.inf, above: float = -math.inf) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | np.number):
        raise BoardError(f"expected a number, not {value!r}", path)
    number = float(value)
    if not abs(number) <= MAX_COORDINATE:
        raise BoardError(f"expected a finite number up to {MAX_COORDINATE:.0f}, not {value}", path)
    if number < at_least:
        raise BoardError(f"may not be below {at_least:g}, but is {value}", path)
    if number <= above:
        raise BoardError(f"must be above {above:g}, but is {value}", path)
    return number + 0.0


def _heading(value: Any, path: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not math.isfinite(value):
        raise BoardError(f"expected a finite number of degrees, not {value!r}", path)
    return normalise(float(value))


def _points(values: Any, path: str) -> tuple[XY, ...]:
    """Read pairs of numbers and snap them to the grid; the path of a fault names the point."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise BoardError(f"expected a list of points (x, y), not {values!r}", path)
    pairs = [pair.tolist() if isinstance(pair, np.ndarray) else pair for pair in values]
    for k, pair in enumerate(pairs):
        if not _is_point(pair):
            where = f"{path}[{k}]" if path else ""
            raise BoardError(f"expected two finite numbers (x, y) up to {MAX_COORDINATE:.0f}, not {pair!r}", where)
    return tuple((x, y) for x, y in snap(np.array(pairs, np.float64).reshape(-1, 2)).tolist())


def _is_point(pair: Any) -> bool:
    match pair:
        case (bool(), _) | (_, bool()):
            return False
        case (int() | float() | np.number(), int() | float() | np.number()):
            return all(abs(float(number)) <= MAX_COORDINATE for number in pair)  # false for nan
        case _:
            return False


def _without_repeats(points: tuple[XY, ...]) -> tuple[XY, ...]:
    """Return the points without immediate repetitions, which are frequent in files."""
    return tuple(point for k, point in enumerate(points) if k == 0 or point != points[k - 1])


def _ring(values: Any, path: str) -> tuple[XY, ...]:
    """Read the corners of a ring that neither crosses nor touches itself; a closing point is dropped."""
    points = _without_repeats(_points(values, path))
    if len(points) > 1 and points[0] == points[-1]:
        points = points[:-1]
    if len(points) > MAX_VERTICES:
        raise BoardError(f"has {len(points)} corners, at most {MAX_VERTICES} are allowed", path)
    if len(set(points)) < 3:
        raise BoardError(f"expected at least 3 different points, has {len(set(points))}", path)
    arms = np.array(points) - points[0]
    widest = arms[np.argmax(np.hypot(arms[:, 0], arms[:, 1]))]
    if not np.any(widest[0] * arms[:, 1] - widest[1] * arms[:, 0]):
        raise BoardError("has no area: all its points lie on one straight line", path)
    fault = _fault_of(Polygon(points))
    if fault:
        raise BoardError(f"crosses or touches itself{fault}", path)
    return points


def _fault_of(polygon: BaseGeometry) -> str:
    """Return the place of a polygon's fault, as ' at (x, y)'; empty if it is valid."""
    if polygon.is_valid:
        return ""
    reason = shapely.is_valid_reason(polygon)
    found = _FAULT.fullmatch(reason)
    return f" at {_place(Point(float(found[1]), float(found[2])))}" if found else f" ({reason})"


def _place(point: Point) -> str:
    return f"({point.x:g}, {point.y:g})"


# -- taking polygons apart -----------------------------------------------------------------------------------


def _frozen(values: Any) -> FloatArray:
    array = np.array(values, dtype=np.float64)
    array.setflags(write=False)
    return array


NO_EDGES = _frozen(np.empty((0, 4)))
NO_SPREAD = _frozen(np.zeros((2, 2)))


def border_of(geometry: BaseGeometry) -> FloatArray:
    """Return the border of an area, the whole of a line, or a point, as segments x1, y1, x2, y2.

    >>> border_of(LineString([(0, 0), (1, 0), (1, 2)]))
    array([[0., 0., 1., 0.],
           [1., 0., 1., 2.]])
    """
    if isinstance(geometry, Point):
        return _frozen([[geometry.x, geometry.y] * 2])
    lines = shapely.get_parts(geometry.boundary if geometry.area else geometry)
    corners = [shapely.get_coordinates(line) for line in lines]
    return _frozen(np.concatenate([np.hstack([line[:-1], line[1:]]) for line in corners]))


def bounds_of(parts: Sequence[FloatArray]) -> FloatArray:
    """Return the box around each of several point sets, one row min_x, min_y, max_x, max_y each."""
    return _frozen([[*part.min(axis=0), *part.max(axis=0)] for part in parts])


def convex_parts(geometry: BaseGeometry) -> tuple[FloatArray, ...]:
    """Cut a geometry into convex polygons, segments or points; convex parts stay whole.

    >>> [len(part) for part in convex_parts(Polygon([(0, 0), (2, 0), (2, 2), (1, 1)]))]
    [4]
    >>> [len(part) for part in convex_parts(Polygon([(0, 0), (4, 0), (2, 1), (2, 4)]))]
    [3, 3]
    """
    if not geometry.area:
        segments = border_of(geometry).reshape(-1, 2, 2)
        return tuple(_frozen(ends[:1] if (ends[0] == ends[1]).all() else ends) for ends in segments)
    parts: list[FloatArray] = []
    for polygon in shapely.get_parts(geometry):
        corners = _counter_clockwise(polygon.exterior)
        if not polygon.interiors and _is_convex(corners):
            parts.append(corners)
        else:
            triangles = shapely.get_parts(shapely.constrained_delaunay_triangles(polygon))
            parts += [_counter_clockwise(triangle.exterior) for triangle in triangles]
    return tuple(parts)


def _counter_clockwise(ring: Any) -> FloatArray:
    corners = shapely.get_coordinates(ring)[:-1]
    return _frozen(corners if shapely.is_ccw(ring) else corners[::-1])


def _is_convex(corners: FloatArray) -> bool:
    """Return whether a counter-clockwise ring that does not cross itself never bends to the right."""
    sides = np.roll(corners, -1, axis=0) - corners
    after = np.roll(sides, -1, axis=0)
    return bool(np.all(sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0] >= 0.0))
