"""The ground beside the doors of a transport: a transfer leads through no wall and through no enemy."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.state import Unit
from simulator.geometry.convex import radius_of
from simulator.geometry.tolerances import TOLERANCE
from simulator.rulesets.combined_arms.movement import AtAltitude, InTheWay, compiled
from simulator.rulesets.combined_arms.transport import distance_to_doors, door_places
from simulator.rulesets.combined_arms.units import ArmsTable, base_of, placed

#: The corners to a quarter of a circle that is drawn from outside.
FINE = 64
#: At a door, not a distance from it, whoever is as near: some of what a judge tolerates is left to rounding.
INSIDE = TOLERANCE / 4


@clause("CA-119")
def beside_doors(table: ArmsTable, carrier: Unit, level: AtAltitude, corners: int, *, outside: bool) -> BaseGeometry:
    """Return the ground as near a door, or the hull of a transport without, as pieces board and get off.

    What bars a passenger on its level cuts off all behind it, but within the hull nothing is in its way. Circles have
    a number of corners to a quarter, and are drawn from inside or from outside.
    """
    least, drawn_out = (TOLERANCE, math.cos(math.pi / (4 * corners))) if outside else (INSIDE, 1.0)
    hull = placed(carrier).polygon
    if outside and (radius := radius_of(placed(carrier))):
        hull = shapely.buffer(shapely.Point(carrier.place), radius / drawn_out, quad_segs=corners)
    doors: list[Any] = [shapely.Point(place) for place in door_places(carrier)] or [hull]
    closed = shapely.union_all([one.solid.polygon for one in level.bars])
    near = max(float(table.options.door_radius), least) / drawn_out
    hulls = np.array([hull], object)
    found: BaseGeometry = open_beside(np.array([doors], object), hulls, closed, near, corners)[0]
    return found


@clause("CA-119")
def open_beside(
    doors: NDArray[Any],
    hulls: NDArray[Any],
    closed: BaseGeometry,
    near: float,
    corners: int,
    grid: float | None = None,
) -> NDArray[Any]:
    """Return the ground so near to doors, a row for each pose of a hull, that nothing closed cuts off from them.

    Shapes are overlaid on a grid if one is named.
    """
    around = shapely.buffer(doors, near, quad_segs=corners)
    closed_near = shapely.intersection(around, closed, grid_size=grid)
    shut = shapely.difference(closed_near, hulls[:, None], grid_size=grid)
    open_near = shapely.difference(around, shut, grid_size=grid)
    parts, number = shapely.get_parts(open_near.ravel(), return_index=True)
    some = shapely.dwithin(parts, doors.ravel()[number], TOLERANCE)
    parts, pose = parts[some], number[some] // doors.shape[1]
    found = np.full(len(doors), shapely.Polygon(), object)
    if len(pose):
        some_ground, row = np.unique(pose, return_inverse=True)
        together: Any = shapely.multipolygons(parts, indices=row)
        found[some_ground] = shapely.union_all(together[:, None], axis=1, grid_size=grid)
    return found


@clause("CA-119", role="judge")
def way_breaches(table: ArmsTable, unit: Unit, carrier: Unit, level: AtAltitude | None = None) -> Iterator[Breach]:
    """Yield what is between a piece near the doors of a transport and those, on the level on which it is."""
    if "doors" not in carrier.fields or carrier.place is None:
        return
    if distance_to_doors(unit, carrier) > float(table.options.door_radius) + TOLERANCE:
        return
    if level is None:
        moves = compiled(table, unit)
        level = moves.levels[moves.space.starts[0].level]
    here, middle = placed(unit).polygon, shapely.Point(unit.place)
    if not level.bars or any(shapely.contains_properly(one.solid.polygon, middle) for one in level.bars):
        return  # nothing is in the way, or it may not stand there at all
    ground = beside_doors(table, carrier, level, FINE, outside=True)
    reach = base_of(unit).inner_radius + TOLERANCE
    if shapely.dwithin(ground, middle, reach) or shapely.dwithin(ground, here, TOLERANCE):
        return
    where = "the doors" if carrier["doors"] else "the hull"
    name = _between(level, unit, carrier)
    message = f"{name} is between {unit.id} and {where} of {carrier.id}"
    yield Breach("CA-119", message, blocker=name, place=unit.place)


def _between(level: AtAltitude, unit: Unit, carrier: Unit) -> str:
    """The name of what is nearest to the line from the nearest door to a piece."""
    door = min(door_places(carrier) or [carrier.place], key=lambda place: math.dist(place, unit.place))
    line = shapely.LineString([door, unit.place])
    nearest: InTheWay = min(level.bars, key=lambda one: float(shapely.distance(one.solid.polygon, line)))
    return nearest.name if nearest.barrier is None else nearest.barrier.at(unit.place).id
