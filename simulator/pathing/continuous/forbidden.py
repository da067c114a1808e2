"""Where a centre may not stand, drawn as polygons: a little too large, a little too small, or in between."""

from __future__ import annotations

from typing import Literal

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from simulator.pathing.continuous.obstacles import Floats
from simulator.pathing.continuous.prepared import PreparedTable, Terrain

Side = Literal["inner", "nearest", "outer"]
#: The grid that overlays work on; without one GEOS can lose a whole polygon.
GRID = 1e-6
_KEPT_DRAWINGS = 8


def corners_of_circle(radius: float, error: float) -> int:
    """How many corners keep a polygon within an error of a circle, as a multiple of four."""
    if radius <= error:
        return 8
    half = np.arccos(1.0 - error / radius)
    return max(8, 4 * int(np.ceil(np.pi / half / 4)))


def draw_discs(discs: Floats, error: float, *, around: float) -> NDArray[np.object_]:
    """Draw discs, rows x, y, radius, as polygons: inside the circle with `around` 0, around it with 1."""
    drawn = np.empty(len(discs), np.object_)
    for radius in np.unique(discs[:, 2]).tolist():
        some = np.flatnonzero(discs[:, 2] == radius)
        count = corners_of_circle(radius, 0.9 * error)
        angles = 2.0 * np.pi * np.arange(count) / count
        reach = radius * (1.0 + around * (1.0 / np.cos(np.pi / count) - 1.0))
        ring = reach * np.stack([np.cos(angles), np.sin(angles)], axis=1)
        drawn[some] = shapely.polygons(discs[some, None, :2] + ring)
    return drawn


#: How much a forbidden disc is drawn around its circle so that what is left is an inner, nearest or outer area.
_AROUND: dict[Side, float] = {"inner": 1.0, "nearest": 0.5, "outer": 0.0}


def _drawn_terrain(terrain: Terrain, radius: float, error: float, side: Side) -> NDArray[np.object_]:
    """Draw where each wall and polygon bars a centre."""
    key = (radius, error, side)
    if key not in terrain.drawings:
        while len(terrain.drawings) >= _KEPT_DRAWINGS:
            del terrain.drawings[next(iter(terrain.drawings))]
        lines = terrain.edge_lines[: terrain.walls_alone].tolist()
        bodies: NDArray[np.object_] = np.array([*terrain.polygons, *lines], np.object_)
        if radius > 0.0:
            # Straight sides move out with the corners: so they do only where they must, and by a quarter of the error.
            count = corners_of_circle(radius, error / 4)
            reach = radius / np.cos(np.pi / count) if side == "inner" else radius
            bodies = np.asarray(shapely.buffer(bodies, reach, quad_segs=count // 4))
        else:
            bodies = bodies[: len(terrain.polygons)]
        terrain.drawings[key] = bodies
    return terrain.drawings[key]


def legal_area(
    drawn: NDArray[np.object_],
    middles: Floats,
    table: PreparedTable,
    no_end: Floats,
    error: float,
    side: Side,
) -> BaseGeometry:
    """Unite drawings of reached ground and take away where the base may not stand.

    `no_end` are more discs, rows x, y, radius. `middles` are places inside the drawings, to check the result with.
    """
    broken = ~shapely.is_valid(drawn)
    drawn[broken] = shapely.make_valid(drawn[broken], method="structure", keep_collapsed=False)
    discs = np.concatenate([table.obstacles.disc_rows, no_end.reshape(-1, 3)]) + np.array([0.0, 0.0, table.radius])
    forbidden = np.concatenate(
        [
            _drawn_terrain(table.terrain, table.radius, error, side),
            draw_discs(discs[discs[:, 2] > 0.0], error, around=_AROUND[side]),
        ]
    )
    near = shapely.box(*shapely.total_bounds(drawn)) if len(drawn) else shapely.Polygon()
    forbidden = forbidden[shapely.intersects(forbidden, near)]
    kept = np.ones(len(middles), np.bool_)
    for at in shapely.STRtree(forbidden).query(shapely.points(middles), predicate="dwithin", distance=2 * error)[0]:
        kept[at] = False
    if table.terrain.border is not None:
        box = shapely.box(*table.terrain.border)
        kept &= shapely.contains_xy(shapely.buffer(box, -error), middles[:, 0], middles[:, 1])
    # Overlays on a grid are safe and slow. Without one GEOS is known to lose whole polygons, if very rarely:
    # so the quick result is believed only if it has what it must have and lacks what it must lack.
    cores = shapely.get_coordinates(shapely.point_on_surface(forbidden))
    quick = _less(drawn, forbidden, table, None)
    shapely.prepare(quick)
    has = shapely.contains_xy(quick, *middles[kept].T).all() and not shapely.contains_xy(quick, *cores.T).any()
    return quick if has and quick.is_valid else _less(drawn, forbidden, table, GRID)


def _less(
    drawn: NDArray[np.object_], forbidden: NDArray[np.object_], table: PreparedTable, grid: float | None
) -> BaseGeometry:
    """All of the drawn ground on the table, less all of the forbidden."""
    area = shapely.difference(
        shapely.union_all(drawn, grid_size=grid), shapely.union_all(forbidden, grid_size=grid), grid_size=grid
    )
    if table.terrain.border is None:
        return area
    min_x, min_y, max_x, max_y = table.terrain.border
    if min_x > max_x or min_y > max_y:
        return shapely.Polygon()
    return shapely.intersection(area, shapely.box(min_x, min_y, max_x, max_y), grid_size=grid)
