"""Areas that may hold lines as well as ground: put together, taken apart, one less another."""

from __future__ import annotations

from collections.abc import Iterable

import shapely
from shapely.geometry.base import BaseGeometry

from simulator.geometry.snapping import GRID, union


def ground_of(area: BaseGeometry) -> BaseGeometry:
    """Give the polygons of an area.

    >>> mixed = shapely.GeometryCollection([shapely.box(0, 0, 1, 1), shapely.LineString([(2, 0), (3, 0)])])
    >>> ground_of(mixed).area, lines_of(mixed).length
    (1.0, 1.0)
    """
    return union([part for part in _parts(area) if part.area])


def lines_of(area: BaseGeometry) -> BaseGeometry:
    """Give what of an area is no ground: lines and single places."""
    return shapely.GeometryCollection([part for part in _parts(area) if not part.area])


def _parts(area: BaseGeometry) -> list[BaseGeometry]:
    return [part for whole in shapely.get_parts(area) for part in shapely.get_parts(whole) if not part.is_empty]


def together(ground: Iterable[BaseGeometry], lines: Iterable[BaseGeometry]) -> BaseGeometry:
    """Give ground and lines as one area: all ground united, and what of the lines stands out of it."""
    polygons = [shape for shape in ground if shape.area]
    whole = union(polygons) if polygons else shapely.Polygon()
    edge = whole.buffer(GRID)
    rest = [shapely.difference(part, edge) for line in lines for part in _parts(line)]
    rest = [line for line in rest if not line.is_empty]
    joined = shapely.union_all(rest, grid_size=GRID)
    parts = [*_parts(whole), *_parts(joined)]
    if not parts or not rest:
        return whole
    return parts[0] if len(parts) == 1 else shapely.GeometryCollection(parts)


def joined(areas: Iterable[BaseGeometry]) -> BaseGeometry:
    """Give several areas as one."""
    several = list(areas)
    return together(map(ground_of, several), map(lines_of, several))


def less(area: BaseGeometry, other: BaseGeometry) -> BaseGeometry:
    """Give what of an area is not in another."""
    taken, lines = ground_of(other), lines_of(other)
    ground = shapely.difference(ground_of(area), taken.buffer(GRID), grid_size=GRID)
    ground = union([part for part in shapely.get_parts(ground) if part.area > GRID])
    rest = [shapely.difference(part, taken.buffer(GRID)) for part in _parts(lines_of(area))]
    near = shapely.buffer(lines, 10 * GRID)
    return together([ground], [shapely.difference(line, near) for line in rest])
