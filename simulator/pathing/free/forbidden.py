"""The ground where a centre may not stand, drawn as polygons: slightly too large, slightly too small, or in between."""

from __future__ import annotations

from typing import Literal

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from simulator.geometry.tolerances import GRID
from simulator.pathing.free.obstacles import Floats
from simulator.pathing.free.prepared import PreparedTable, Terrain

Side = Literal["inner", "nearest", "outer"]
#: Corners off a straight line by no more than this are left out, in inches.
_SAME = 2e-6


def corners_of_circle(radius: float, error: float) -> int:
    """Return the number of corners, a multiple of four, that keeps a polygon within an error of a circle."""
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

    def draw() -> NDArray[np.object_]:
        lines = terrain.edge_lines[: terrain.walls_alone].tolist()
        bodies: NDArray[np.object_] = np.array([*terrain.polygons, *lines], np.object_)
        if radius <= 0.0:
            return bodies[: len(terrain.polygons)]
        # Straight sides move out with the corners: so they do only where they must, and by a quarter of the error.
        count = corners_of_circle(radius, error / 4)
        reach = radius / np.cos(np.pi / count) if side == "inner" else radius
        # A corner's arc is drawn with a whole number of sides, rounded: each may be half as long again as was wanted.
        return np.asarray(shapely.buffer(bodies, reach, quad_segs=-(-3 * count // 8)))

    return terrain.drawings.get((radius, error, side), draw)


class Forbidden:
    """The drawings of where the base may not stand, for the areas of one or many queries within a box.

    `no_end` are more discs, rows x, y, radius, for one question or another.
    """

    def __init__(self, table: PreparedTable, box: BaseGeometry, error: float, side: Side) -> None:
        self._table, self._error, self._side = table, error, side
        drawn = [_drawn_terrain(table.terrain, table.radius, error, side), self._discs(table.obstacles.disc_rows)]
        parts = np.concatenate(drawn)
        parts = parts[shapely.intersects(parts, box)]
        self._parts = parts
        self._whole = shapely.union_all(parts)
        self._cores = shapely.get_coordinates(shapely.point_on_surface(parts))
        border = table.terrain.border
        self._border = None if border is None else _box_or_nothing(border)

    def _discs(self, discs: Floats) -> NDArray[np.object_]:
        grown = discs.reshape(-1, 3) + np.array([0.0, 0.0, self._table.radius])
        return draw_discs(grown[grown[:, 2] > 0.0], self._error, around=_AROUND[self._side])

    def taken_from(self, drawn: NDArray[np.object_], middles: Floats, no_end: Floats) -> BaseGeometry:
        """Unite drawings of reached ground and take away what is forbidden.

        `middles` are places inside the drawings. Overlays on a grid are safe and slow. Without one GEOS is known to
        lose whole polygons, if very rarely: so the quick result is believed only if it has the middles that nothing
        forbids, and has no place in the midst of what is forbidden.
        """
        # Fewer corners first: thin drawings have corners so close that what GEOS mends of them is broken again.
        drawn = shapely.simplify(drawn, _SAME)
        broken = ~shapely.is_valid(drawn)
        drawn[broken] = shapely.make_valid(drawn[broken], method="structure", keep_collapsed=False)
        friends = self._discs(no_end)
        area = self._quick(drawn, middles, friends)
        if area is None:
            ground = shapely.union_all(drawn, grid_size=GRID)
            area = self._less(ground, shapely.union_all(self._parts, grid_size=GRID), friends, GRID)
        # Along a wall lie the ends of hundreds of drawings, each off by a last digit: one line will do.
        simple: BaseGeometry = shapely.simplify(area, _SAME)
        return simple if simple.is_valid else area

    def _quick(self, drawn: NDArray[np.object_], middles: Floats, friends: NDArray[np.object_]) -> BaseGeometry | None:
        """Return the same without a grid, unless something is amiss with it."""
        try:
            quick = self._less(shapely.union_all(drawn), self._whole, friends, None)
        except shapely.errors.GEOSException:  # it says itself that it lost its way among last digits
            return None
        shapely.prepare(quick)
        free = self._clear_of_all(middles, friends)
        has_all = shapely.contains_xy(quick, *middles[free].T).all()
        has_more = shapely.contains_xy(quick, *self._cores.T).any()
        return quick if has_all and not has_more and quick.is_valid else None

    def _less(
        self, ground: BaseGeometry, forbidden: BaseGeometry, friends: NDArray[np.object_], grid: float | None
    ) -> BaseGeometry:
        area = shapely.difference(ground, forbidden, grid_size=grid)
        if len(friends):
            area = shapely.difference(area, shapely.union_all(friends, grid_size=grid), grid_size=grid)
        if self._border is not None:
            area = shapely.intersection(area, self._border, grid_size=grid)
        # What is drawn beyond the edge and touches it leaves a line of no length there, which is no ground.
        return shapely.union_all(_grounds_of(area)) if area.geom_type == "GeometryCollection" else area

    def _clear_of_all(self, places: Floats, friends: NDArray[np.object_]) -> NDArray[np.bool_]:
        clear = np.ones(len(places), np.bool_)
        tree = shapely.STRtree(np.concatenate([self._parts, friends]))
        clear[tree.query(shapely.points(places), predicate="dwithin", distance=2 * self._error)[0]] = False
        if self._border is not None:
            clear &= shapely.contains_xy(shapely.buffer(self._border, -self._error), *places.T)
        return clear


def _grounds_of(mixed: BaseGeometry) -> NDArray[np.object_]:
    parts = shapely.get_parts(mixed)
    return np.asarray(parts[shapely.area(parts) > 0.0])


def _box_or_nothing(border: tuple[float, float, float, float]) -> BaseGeometry:
    min_x, min_y, max_x, max_y = border
    return shapely.box(*border) if min_x <= max_x and min_y <= max_y else shapely.Polygon()
