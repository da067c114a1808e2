"""The ground beside a transport that a passenger is set down on, and its hull, as convex parts that turn with it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry
from shapely.geometry.polygon import orient

from simulator.engine.clauses import clause
from simulator.engine.state import Unit
from simulator.geometry.pieces import FloatArray
from simulator.pathing.posed.rays import units
from simulator.rulesets.combined_arms.units import ArmsTable, base_of

#: Circles are drawn with so many corners to a quarter, from inside: 3 thousandths of an inch of a radius are missed.
_ROUND = 10
#: Round things are kept clear of on one side of so many tangents.
_TANGENTS = 32
#: Parts of fewer square inches are none.
_NO_PART = 1e-6
_FAR = 1e3


@clause("CA-119")
def ground_beside(table: ArmsTable, unit: Unit, carrier: Unit) -> list[FloatArray]:
    """Return where a passenger may be set down, around the reference point of a transport that faces along +x.

    That is near a door, or near the hull if it lists none, and where the bases do not overlap.
    """
    base, hull = base_of(unit), base_of(carrier).at(0.0, 0.0, 0.0)
    near = float(table.options.door_radius) + base.inner_radius
    doors = [shapely.Point(float(ahead), float(left)) for ahead, left in carrier["doors"]]
    around = [shapely.buffer(one, near, quad_segs=_ROUND) for one in doors or _shapes(hull.parts, hull.polygon)]
    if not base_of(carrier).reach and not base.reach:
        return [_corners(one) for one in around]
    corners = np.zeros((1, 2)) if not base_of(carrier).reach else _corners(shapely.convex_hull(hull.polygon))
    found = []
    for x, y in _tangents(corners, clear=base.reach > 0.0):
        beyond = float((corners @ (x, y)).max()) + base.reach
        cut = shapely.intersection(around, _half_plane(x, y, beyond))
        found += [_corners(one) for one in cut.tolist() if one.area > _NO_PART]
    return found


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


def _tangents(corners: FloatArray, *, clear: bool) -> Iterator[tuple[float, float]]:
    """The directions in which a convex outline is left behind: across its sides, and round its corners."""
    ahead = np.roll(corners, -1, axis=0) - corners
    sides = np.degrees(np.arctan2(-ahead[:, 0], ahead[:, 1]))[np.hypot(*ahead.T) > 0.0]
    if clear or len(sides) > _TANGENTS:
        evenly = np.arange(0.0, 360.0, 360.0 / _TANGENTS)
        sides = np.r_[sides, evenly] if len(sides) <= _TANGENTS else evenly
    for degrees in np.unique(np.round(np.mod(sides, 360.0), 6)).tolist():
        yield math.cos(math.radians(degrees)), math.sin(math.radians(degrees))


def _half_plane(x: float, y: float, beyond: float) -> BaseGeometry:
    """All that lies beyond so many inches in a direction, as far as it matters."""
    here, aside = np.array([x, y]) * beyond, np.array([-y, x]) * _FAR
    return shapely.Polygon(
        [here - aside, here - aside + np.array([x, y]) * _FAR, here + aside + np.array([x, y]) * _FAR, here + aside]
    )


def _corners(polygon: Any) -> FloatArray:
    return np.asarray(shapely.get_coordinates(orient(polygon).exterior)[:-1])
