"""Open ground: where nothing bars a way all directions are alike, and an area grows evenly by the inches of a spend."""

from __future__ import annotations

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from simulator.geometry.tolerances import CONTACT, GRID
from simulator.pathing.free.obstacles import Floats
from simulator.pathing.free.prepared import PreparedTable
from simulator.pathing.free.reach import FreeReach

#: How many corners a quarter of a circle is drawn with: within a thousandth of an inch up to 18 inches.
_ROUND = 48


def is_open(ground: PreparedTable, area: BaseGeometry, inches: float) -> bool:
    """Return whether nothing bars a path of a given length from an area; the table's edge bars no path within it.

    >>> from simulator.pathing.free import Obstacles, prepare
    >>> post = prepare(Obstacles(discs=[(4, 0, 0.5)]), radius=0.5)
    >>> is_open(post, shapely.box(-1, -1, 1, 1), 1.9), is_open(post, shapely.box(-1, -1, 1, 1), 2.1)
    (True, False)
    """
    circles, far = ground.circles, inches + 2 * CONTACT
    if np.any(shapely.distance(shapely.points(circles.x, circles.y), area) <= far + circles.radius):
        return False
    return not np.any(shapely.distance(ground.terrain.edge_lines, area) <= far + ground.terrain.room)


def grown(area: BaseGeometry, places: Floats, inches: float) -> BaseGeometry:
    """Return an area and places (rows x, y) grown by a number of inches: what is reached where nothing is in the way.

    >>> round(grown(shapely.Polygon(), np.array([[0.0, 0.0]]), 2.0).area, 2)
    12.56
    """
    starts = shapely.union_all([area, shapely.MultiPoint(places)])
    drawn: BaseGeometry = starts.buffer(inches, quad_segs=_ROUND)
    return drawn


def kept_off(drawn: BaseGeometry, reach: FreeReach) -> BaseGeometry:
    """Return ground without what is off the table, and without the bases of a reach that nobody ends on.

    >>> from simulator.pathing.free import Obstacles, plan, prepare
    >>> reach = plan(prepare(Obstacles(border=(0, 0, 9, 9)), 0.5), (2, 2), 3.0, no_end=[(4, 2, 0.5)])
    >>> round(kept_off(shapely.box(-1, -1, 10, 10), reach).area, 1)
    60.9
    """
    if reach.table.terrain.border is not None:
        drawn = shapely.intersection(drawn, shapely.box(*reach.table.terrain.border))
    x, y, radius = reach.no_end.T
    wide = (radius + reach.table.radius) / np.cos(np.pi / (4 * _ROUND))
    taken = shapely.union_all(shapely.buffer(shapely.points(x, y), wide, quad_segs=_ROUND))
    return shapely.difference(drawn, taken, grid_size=GRID)
