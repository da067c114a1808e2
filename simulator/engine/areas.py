"""The size of areas: places of a lattice, counted; square inches of a table, measured.

Reach answers return areas in the plane, on a lattice as whole cells. Here they become places and arrays again.

>>> from simulator.geometry.squares import SquareGrid
>>> board = SquareGrid.open(4, 3)
>>> area = board.region([(1, 0), (2, 0)])
>>> extent_text(board, extent(board, area)), places_in(board, area)
('2 places', ((1, 0), (2, 0)))
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from simulator.geometry.board import Board, Lattice
from simulator.geometry.dots import DotMap
from simulator.geometry.hex_lattice import ROW_HEIGHT
from simulator.geometry.snapping import difference, intersection
from simulator.later import Later
from simulator.wording import measure

if TYPE_CHECKING:
    import shapely
    from shapely.geometry.base import BaseGeometry
else:
    shapely = Later("shapely")

Level = TypeVar("Level")

#: The tolerance of outlines, in units of the plane. A strip between two outlines that is nowhere wider than both
#: tolerances together is a sliver and not counted as ground.
OUTLINE = 0.01


def middles(board: Lattice) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return x and y of the middle of every cell, as arrays [row, column]."""
    return _middles(board, *np.indices(board.shape, np.float64))


def _middles(
    board: Lattice, rows: NDArray[np.float64], columns: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    if isinstance(board, DotMap):
        q, r = columns + board.first[0], rows + board.first[1]
        return q + r / 2, -r * ROW_HEIGHT
    return columns + 0.5, board.shape[0] - rows - 0.5


def cells_in(board: Lattice, area: BaseGeometry) -> NDArray[np.bool_]:
    """Return the cells whose middles lie in an area, as an array [row, column]."""
    found = np.zeros(board.shape, np.bool_)
    window, cells = cells_around(board, area)
    found[window] = cells
    return found


def cells_around(board: Lattice, area: BaseGeometry) -> tuple[tuple[slice, slice], NDArray[np.bool_]]:
    """Return the rows and columns of a lattice that contain an area, and which cells there have their middles in it.

    >>> from simulator.geometry.squares import SquareGrid
    >>> board = SquareGrid.open(400, 300)
    >>> (rows, columns), cells = cells_around(board, board.region([(1, 0), (2, 0)]))
    >>> int(cells.sum()), rows.stop - rows.start < 5, columns.stop - columns.start < 6
    (2, True, True)
    """
    rows, columns = window = _window(board, area)
    there = np.mgrid[rows, columns].astype(np.float64)
    present = board.terrain_array.codes[window] >= 0
    return window, np.asarray(shapely.contains_xy(area, *_middles(board, there[0], there[1])) & present)


def _window(board: Lattice, area: BaseGeometry) -> tuple[slice, slice]:
    """Return the rows and columns whose middles may lie in an area, one more on each side."""
    height, width = board.shape
    if area.is_empty:
        return slice(0, 0), slice(0, 0)
    low_x, low_y, high_x, high_y = area.bounds
    if isinstance(board, DotMap):
        low_r, high_r = -high_y / ROW_HEIGHT, -low_y / ROW_HEIGHT
        columns = low_x - high_r / 2 - board.first[0], high_x - low_r / 2 - board.first[0]
        rows = low_r - board.first[1], high_r - board.first[1]
    else:
        rows, columns = (height - high_y - 0.5, height - low_y - 0.5), (low_x - 0.5, high_x - 0.5)
    return _span(*rows, height), _span(*columns, width)


def _span(low: float, high: float, size: int) -> slice:
    first = min(max(math.floor(low) - 1, 0), size)
    return slice(first, max(first, min(math.ceil(high) + 2, size)))


def places_in(board: Lattice, area: BaseGeometry) -> tuple[tuple[int, int], ...]:
    """Return the places of a lattice that an area covers, row by row."""
    return tuple(board.place_at(row, column) for row, column in np.argwhere(cells_in(board, area)).tolist())


def ground(area: BaseGeometry) -> BaseGeometry:
    """Return only the polygons of an area: overlays of touching areas leave lines and points behind."""
    parts = shapely.get_parts(shapely.get_parts(area))
    return shapely.MultiPolygon(parts[shapely.get_type_id(parts) == shapely.GeometryType.POLYGON].tolist())


def common(one: BaseGeometry, other: BaseGeometry) -> BaseGeometry:
    """Return the ground that two areas share, without slivers, which are noise."""
    return solid(intersection(ground(one), ground(other)))


def without(one: BaseGeometry, other: BaseGeometry) -> BaseGeometry:
    """Return the ground of one area that is not in another, without slivers, which are noise."""
    return solid(difference(ground(one), ground(other)))


def seen(area: BaseGeometry) -> BaseGeometry:
    """Return an area as it is drawn: without slivers, and without holes that are slivers, which are noise of outlines.

    Lines and points, which have no width, stay.

    >>> sliver, wall = shapely.box(5, 0, 5.01, 4), shapely.LineString([(9, 0), (9, 2)])
    >>> [part.geom_type for part in seen(shapely.GeometryCollection([shapely.box(0, 0, 2, 1), sliver, wall])).geoms]
    ['Polygon', 'LineString']
    >>> seen(shapely.difference(shapely.box(4, -1, 6, 5), sliver)).area
    12.0
    """
    area = _without_slivers(area)
    rings, part = shapely.get_rings(shapely.get_parts(shapely.get_parts(area)), return_index=True)
    holes = shapely.polygons(rings[1:][np.diff(part) == 0])
    cracks = holes[_are_slivers(holes)]
    return shapely.union_all([area, *cracks]) if len(cracks) else area


def _are_slivers(shapes: NDArray[Any]) -> NDArray[np.bool_]:
    return np.asarray((shapely.get_dimensions(shapes) == 2) & shapely.is_empty(shapely.buffer(shapes, -OUTLINE)))


def _without_slivers(area: BaseGeometry) -> BaseGeometry:
    parts = shapely.get_parts(shapely.get_parts(area))
    slivers = _are_slivers(parts)
    return shapely.GeometryCollection(parts[~slivers].tolist()) if slivers.any() else area


def solid(area: BaseGeometry) -> BaseGeometry:
    """Return the visible ground of an area: its polygons without slivers, which are noise.

    >>> solid(shapely.box(0, 0, 2, 1).union(shapely.box(5, 0, 5.01, 4))).area
    2.0
    """
    return ground(_without_slivers(area))


def with_ground(bands: Iterable[tuple[Level, BaseGeometry]]) -> list[tuple[Level, BaseGeometry]]:
    """Return the bands that contain ground, unchanged; those that are only noise of outlines are left out.

    Lines alone count, since they are the far sides of walls; lines beside slivers are left behind by overlays.
    """
    return [(level, area) for level, area in bands if not (solid(area).is_empty if area.area else area.is_empty)]


def extent(board: Board[Any], area: BaseGeometry) -> float:
    """Compute the size of an area: a number of places, or of square inches on a table."""
    if isinstance(board, Lattice):
        return float(np.count_nonzero(cells_in(board, area)))
    return float(area.area)


def measured(board: Board[Any], area: BaseGeometry) -> dict[str, float]:
    """Measure an area as plain data: its extent and, for lines and points on a table, their length and number.

    >>> from simulator.geometry.table import InchTable
    >>> yard, line = InchTable("Yard", 10, 10), shapely.LineString([(0, 0), (0, 3)])
    >>> measured(yard, shapely.box(0, 0, 2, 1)), measured(yard, line)
    ({'extent': 2.0}, {'extent': 0.0, 'length': 3.0, 'points': 0})
    """
    found = {"extent": extent(board, area)}
    if isinstance(board, Lattice) or area.area or area.is_empty:
        return found
    return found | {"length": float(area.length), "points": _points(area)}


def extent_text(board: Board[Any], amount: float) -> str:
    """Return the text of an amount of ground."""
    if isinstance(board, Lattice):
        return measure(int(amount), "place")
    return measure(float(f"{amount:.4g}"), f"square {board.scale[1]}")


def ground_text(board: Board[Any], area: BaseGeometry) -> str:
    """Return the text of an area's size: without width, its lines and points; empty if it is noise.

    >>> from simulator.geometry.table import InchTable
    >>> yard, point, line = InchTable("Yard", 10, 10), shapely.Point(2, 1), shapely.LineString([(0, 0), (0, 3)])
    >>> ground_text(yard, shapely.box(0, 0, 2, 1)), ground_text(yard, line), ground_text(yard, line.union(point))
    ('2 square inches', 'lines of 3 inches', 'lines of 3 inches and 1 point')
    """
    if isinstance(board, Lattice):
        amount = extent(board, area)
        return extent_text(board, amount) if amount else ""
    wide = solid(area)
    if not wide.is_empty:
        return extent_text(board, area.area)
    if area.area:
        return ""
    points = _points(area)
    length = measure(float(f"{area.length:.4g}"), board.scale[1])
    parts = [f"lines of {length}"] * bool(area.length) + [measure(points, "point")] * bool(points)
    return " and ".join(parts)


def _points(area: BaseGeometry) -> int:
    parts = shapely.get_parts(shapely.get_parts(area))
    return int(np.count_nonzero(shapely.get_type_id(parts) == shapely.GeometryType.POINT))
