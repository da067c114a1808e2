"""Areas that may contain lines as well as ground: union, parts, difference."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from simulator.geometry.snapping import union
from simulator.geometry.tolerances import GRID

Shapes = NDArray[Any]


def polygons_of(area: BaseGeometry) -> BaseGeometry:
    """Return the polygons of an area.

    >>> mixed = shapely.GeometryCollection([shapely.box(0, 0, 1, 1), shapely.LineString([(2, 0), (3, 0)])])
    >>> polygons_of(mixed).area, lines_of(mixed).length
    (1.0, 1.0)
    """
    parts = _parts([area])
    return union(parts[shapely.area(parts) > 0.0])


def lines_of(area: BaseGeometry) -> BaseGeometry:
    """Return the parts of an area that are not ground: lines and single places."""
    return shapely.GeometryCollection(_lines([area]).tolist())


def _lines(areas: Iterable[BaseGeometry]) -> Shapes:
    parts = _parts(areas)
    return np.asarray(parts[shapely.area(parts) == 0.0])


def _parts(areas: Iterable[BaseGeometry]) -> Shapes:
    parts = shapely.get_parts(shapely.get_parts(np.array([*areas], object)))
    return np.asarray(parts[~shapely.is_empty(parts)])


def _beyond(lines: Shapes, ground: BaseGeometry) -> Shapes:
    """Return the parts of lines outside some ground."""
    shapely.prepare(ground)
    rest = lines[~shapely.covers(ground, lines)]
    met = shapely.intersects(ground, rest)
    rest[met] = shapely.difference(rest[met], ground)
    return _parts(rest)


def together(ground: Iterable[BaseGeometry], lines: Iterable[BaseGeometry]) -> BaseGeometry:
    """Return ground and lines as one area: the union of the ground, and the parts of the lines outside it."""
    polygons = [shape for shape in ground if shape.area]
    whole = union(polygons) if polygons else shapely.Polygon()
    parts = _parts(lines)
    rest = _beyond(parts, whole.buffer(GRID)) if len(parts) else parts
    if not len(rest):
        return whole
    found = [*_parts([whole]), *_parts([shapely.union_all(rest, grid_size=GRID)])]
    return found[0] if len(found) == 1 else shapely.GeometryCollection(found)


def joined(areas: Iterable[BaseGeometry]) -> BaseGeometry:
    """Return several areas as one."""
    several = list(areas)
    return together(map(polygons_of, several), map(lines_of, several))


def ground_of_all(areas: Iterable[BaseGeometry]) -> BaseGeometry | None:
    """Return the ground of several areas as one; None: there are none."""
    ground = [polygons_of(area) for area in areas]
    return shapely.union_all(ground) if ground else None


def less(area: BaseGeometry, other: BaseGeometry) -> BaseGeometry:
    """Return the part of an area that is not in another."""
    taken = polygons_of(other).buffer(GRID)
    ground = shapely.get_parts(shapely.difference(polygons_of(area), taken, grid_size=GRID))
    near = shapely.union_all(shapely.buffer(_lines([other]), 10 * GRID))
    return together([union(ground[shapely.area(ground) > GRID])], _beyond(_beyond(_lines([area]), taken), near))


def shrunk(
    ground: BaseGeometry, inches: float, *, quad_segs: int = 2, join_style: Literal["round", "mitre"] = "round"
) -> BaseGeometry:
    """Return ground without all that is nearer to its border than a number of inches.

    Beside a notch that is narrower than that GEOS draws borders that cross themselves; these are put right.

    >>> shrunk(shapely.box(0, 0, 4, 2), 0.5).bounds
    (0.5, 0.5, 3.5, 1.5)
    """
    drawn: BaseGeometry = shapely.buffer(ground, -inches, quad_segs=quad_segs, join_style=join_style)
    if drawn.is_valid:
        return drawn
    return shapely.make_valid(drawn, method="structure", keep_collapsed=False)


def where_wide(ground: BaseGeometry, inches: float) -> BaseGeometry:
    """Return ground without its parts that are narrower than twice a number of inches, and as many inches around it.

    >>> comb = shapely.union(shapely.box(0, 0, 1, 1), shapely.box(1, 0, 2, 0.001))
    >>> [round(bound, 2) for bound in where_wide(comb, 0.01).bounds]
    [-0.01, -0.01, 1.01, 1.01]
    """
    inner = shrunk(ground, inches, quad_segs=1)
    drawn = shapely.buffer(inner, 2 * inches, quad_segs=1)
    return shapely.make_valid(drawn, method="structure", keep_collapsed=False)
