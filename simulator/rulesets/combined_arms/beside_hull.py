"""The ground beside a transport that a passenger is set down on, and its hull, as convex parts that turn with it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry
from shapely.geometry.polygon import orient

from simulator.engine.clauses import clause
from simulator.engine.state import Unit
from simulator.geometry.footprints import Base, Round
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import GRID, TOLERANCE
from simulator.pathing.posed.rays import units
from simulator.rulesets.combined_arms.beside_doors import open_beside
from simulator.rulesets.combined_arms.units import ArmsTable, base_of

#: The corners to a quarter of a circle, drawn from inside: 3 thousandths of an inch of a radius are missed.
_ROUND = 10
#: The number of tangents on one side of which round things are kept clear of.
_TANGENTS = 32
#: Parts of fewer square inches are none, and strips that are not twice as wide as this are left out.
_NO_PART, _SLIVER = 1e-6, 0.025
_FAR = 1e3


@clause("CA-119")
def ground_beside(table: ArmsTable, unit: Unit, carrier: Unit, facing: float | None = None) -> list[FloatArray]:
    """Return where a passenger may be set down, around the reference point of a transport that faces along +x.

    That is near a door, or near the hull if it lists none, and where the bases do not overlap: whichever way it faces,
    or for one direction.
    """
    hull, radius = base_of(carrier).at(0.0, 0.0, 0.0), float(table.options.door_radius)
    doors = [shapely.Point(float(ahead), float(left)) for ahead, left in carrier["doors"]]
    beside, own = doors or _shapes(hull.parts, hull.polygon), _outline(base_of(unit), facing)
    near = shapely.buffer(beside, radius + own.inner, quad_segs=_ROUND).tolist()
    around = [_summed(one, part) for one in near for part in own.parts]
    if not base_of(carrier).reach and not base_of(unit).reach:
        return [_corners(one) for one in around]
    corners = np.zeros((1, 2)) if not base_of(carrier).reach else _corners(shapely.convex_hull(hull.polygon))
    found = []
    for x, y in _tangents(corners, own.sides, clear=own.outer > 0.0):
        beyond = float((corners @ (x, y)).max() + (own.corners @ (x, y)).max()) + own.outer
        cut = shapely.intersection(around, _half_plane(x, y, beyond))
        found += [one for one in cut.tolist() if one.area > _NO_PART]
    return list(without_slivers(found))


class _Outline(NamedTuple):
    """The base of a passenger as its reference point has to keep it beside a hull."""

    parts: list[FloatArray]  #: convex; mirrored in the reference point
    inner: float  #: a disc so wide is added to them where it has to touch something,
    outer: float  #: and one so wide where it has to be clear

    @property
    def corners(self) -> FloatArray:
        """The corners of all its parts."""
        return np.concatenate(self.parts)

    @property
    def sides(self) -> FloatArray:
        """The corners of its convex hull, counter-clockwise; none of a point."""
        whole = shapely.convex_hull(shapely.MultiPoint(self.corners))
        return _corners(whole) if whole.area else np.zeros((0, 2))


def _outline(base: Base, facing: float | None) -> _Outline:
    """A base that faces a direction; None: any, as if it were as long each way."""
    if facing is None or isinstance(base, Round):
        return _Outline([np.zeros((1, 2))], base.inner_radius, base.reach)
    return _Outline([-part for part in base.at(0.0, 0.0, facing).parts], 0.0, 0.0)


def _summed(shape: BaseGeometry, part: FloatArray) -> BaseGeometry:
    """The sum of two convex shapes."""
    if len(part) == 1:
        return shape
    places = (shapely.get_coordinates(shape)[:, None] + part).reshape(-1, 2)
    return shapely.convex_hull(shapely.MultiPoint(places))


@clause("CA-119")
def ground_in_poses(
    table: ArmsTable, unit: Unit, carrier: Unit, closed: BaseGeometry, places: FloatArray, headings: FloatArray
) -> NDArray[Any]:
    """Return where a passenger may be set down beside a transport in some poses, where something may be in its way."""
    try:
        return _in_poses(table, unit, carrier, closed, places, headings, None)
    except shapely.GEOSException:
        # Hardly ever do outlines that run together defeat an overlay; on the grid none does, which takes longer.
        some, others = np.array_split(np.arange(len(places)), 2)
        if not len(others):
            return _in_poses(table, unit, carrier, closed, places, headings, GRID)
        parts = [ground_in_poses(table, unit, carrier, closed, places[one], headings[one]) for one in (some, others)]
        return np.concatenate(parts)


def _in_poses(
    table: ArmsTable,
    unit: Unit,
    carrier: Unit,
    closed: BaseGeometry,
    places: FloatArray,
    headings: FloatArray,
    grid: float | None,
) -> NDArray[Any]:
    base, hull = base_of(unit), base_of(carrier).at(0.0, 0.0, 0.0).polygon
    hulls = _placed_each(hull, places, headings)
    doors: list[Any] = [shapely.Point(float(ahead), float(left)) for ahead, left in carrier["doors"]] or [hull]
    around = np.stack([_placed_each(door, places, headings) for door in doors], axis=1)
    near = max(float(table.options.door_radius), TOLERANCE)
    ground = open_beside(around, hulls, closed, near, _ROUND, grid)
    ground = shapely.buffer(ground, base.inner_radius, quad_segs=_ROUND)
    if not base_of(carrier).reach and not base.reach:
        return np.asarray(ground, object)
    over = shapely.buffer(hulls, base.reach / math.cos(math.pi / (4 * _ROUND)), quad_segs=_ROUND)
    return np.asarray(shapely.difference(ground, over, grid_size=grid), object)


def _placed_each(shape: BaseGeometry, places: FloatArray, headings: FloatArray) -> NDArray[Any]:
    """A shape where its transport stands in each of some poses, and as it faces."""
    corners, count = shapely.get_coordinates(shape), len(places)
    cos, sin = (column[:, None] for column in units(headings).T)
    x, y = corners.T
    turned = np.stack([cos * x - sin * y, sin * x + cos * y], axis=2) + places[:, None]
    copies = np.full(count, shape, object)
    return np.asarray(shapely.set_coordinates(copies, turned.reshape(-1, 2)), object)


def farthest_beside(table: ArmsTable, unit: Unit, carrier: Unit) -> float:
    """Return from how far a transport what is in the way of its passenger can matter."""
    doors = [math.hypot(float(ahead), float(left)) for ahead, left in carrier["doors"]]
    return max(doors, default=base_of(carrier).reach) + float(table.options.door_radius) + base_of(unit).reach


def without_slivers(parts: Sequence[BaseGeometry]) -> Iterator[FloatArray]:
    """Yield the parts that together are true enough, the largest first."""
    known: BaseGeometry = shapely.Polygon()
    for one in sorted(parts, key=lambda part: -float(part.area)):
        if not shapely.buffer(shapely.difference(one, known), -_SLIVER, quad_segs=2).is_empty:
            known = shapely.union(known, one)
            yield _corners(one)


def hull_of(unit: Unit, carrier: Unit) -> list[FloatArray]:
    """Return where the reference point of a passenger would stand on a transport, as if its base were round."""
    hull = base_of(carrier).at(0.0, 0.0, 0.0)
    if not base_of(carrier).reach:
        return []
    reach = base_of(unit).reach
    shapes = [shapely.MultiPoint(part) for part in hull.parts] if _is_sided(hull.parts) else [hull.polygon]
    return [_corners(shapely.buffer(shapely.convex_hull(one), reach, quad_segs=_ROUND)) for one in shapes]


def placed_on(part: FloatArray, place: tuple[float, float], heading: float) -> BaseGeometry:
    """Return a convex part where its transport stands, and as it faces."""
    (cos, sin), *_ = units(np.array([heading]))
    return shapely.Polygon(part @ np.array([[cos, sin], [-sin, cos]]) + np.array(place))


def _is_sided(parts: tuple[FloatArray, ...]) -> bool:
    return all(len(part) > 2 for part in parts)


def _shapes(parts: tuple[FloatArray, ...], polygon: BaseGeometry) -> list[BaseGeometry]:
    if polygon.is_empty or not polygon.area:
        return [shapely.Point(0.0, 0.0)]
    return [shapely.convex_hull(shapely.MultiPoint(part)) for part in parts] if _is_sided(parts) else [polygon]


def _tangents(corners: FloatArray, others: FloatArray, *, clear: bool) -> Iterator[tuple[float, float]]:
    """The directions in which a convex outline is left behind: across its sides and others, and round its corners."""
    ahead = np.concatenate([np.roll(one, -1, axis=0) - one for one in (corners, others)])
    sides = np.degrees(np.arctan2(-ahead[:, 0], ahead[:, 1]))[np.hypot(*ahead.T) > 0.0]
    if clear or len(sides) > _TANGENTS:
        evenly = np.arange(0.0, 360.0, 360.0 / _TANGENTS)
        sides = np.r_[sides, evenly] if len(sides) <= _TANGENTS else evenly
    for degrees in np.unique(np.round(np.mod(sides, 360.0), 6)).tolist():
        yield math.cos(math.radians(degrees)), math.sin(math.radians(degrees))


def _half_plane(x: float, y: float, beyond: float) -> BaseGeometry:
    """Everything beyond a number of inches in a direction, as far as it matters."""
    here, aside = np.array([x, y]) * beyond, np.array([-y, x]) * _FAR
    return shapely.Polygon(
        [here - aside, here - aside + np.array([x, y]) * _FAR, here + aside + np.array([x, y]) * _FAR, here + aside]
    )


def _corners(polygon: Any) -> FloatArray:
    return np.asarray(shapely.get_coordinates(orient(polygon).exterior)[:-1])
