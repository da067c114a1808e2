"""Coordinates on a fine grid, and overlays on the same grid.

GEOS can lose a whole polygon when the corners of two neighbours differ in the last bit. So coordinates are
snapped to a grid of a millionth once, when a piece is built, and every overlay works on that grid too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simulator.errors import BoardError
from simulator.geometry.tolerances import GRID
from simulator.later import Later

if TYPE_CHECKING:
    import shapely
    from shapely.geometry.base import BaseGeometry
else:
    shapely = Later("shapely")

#: The largest coordinate accepted: far beyond it a float cannot resolve the grid.
MAX_COORDINATE = 1e6

_PER_UNIT = round(1.0 / GRID)


@overload
def snap(values: float) -> float: ...
@overload
def snap(values: NDArray[Any] | list[Any] | tuple[Any, ...]) -> NDArray[np.float64]: ...
def snap(values: ArrayLike) -> float | NDArray[np.float64]:
    """Snap a number, or each number of an array, to the grid; snapping twice changes nothing.

    >>> snap(0.1 + 0.2), snap(-1e-9)
    (0.3, 0.0)
    >>> snap([1 / 3, 2.5])
    array([0.333333, 2.5     ])
    """
    numbers = np.asarray(values, dtype=np.float64)
    if not np.all(np.abs(numbers) <= MAX_COORDINATE):  # also false for nan
        worst = numbers[~(np.abs(numbers) <= MAX_COORDINATE)].flat[0]
        raise BoardError(f"expected finite numbers from -{MAX_COORDINATE:.0f} to {MAX_COORDINATE:.0f}, not {worst}")
    snapped = np.rint(numbers * _PER_UNIT) / _PER_UNIT + 0.0  # adding 0.0 turns -0.0 into 0.0
    return float(snapped) if snapped.ndim == 0 else snapped


def union(shapes: Iterable[BaseGeometry]) -> BaseGeometry:
    """Return the ground that any of the shapes covers, inner borders dissolved.

    Lines and points are kept where no polygon covers them.

    >>> union([shapely.box(0, 0, 1, 1), shapely.box(1, 0, 2, 1)]).area
    2.0
    """
    numbers = list(shapes)
    if not any(map(_is_mixed, numbers)) and len(set(shapely.get_dimensions(numbers).tolist())) <= 1:
        return shapely.union_all(numbers, grid_size=GRID)
    points, lines, grounds = _by_dimension(shapely.GeometryCollection(numbers))
    return _together([difference(points, lines), difference(lines, grounds), grounds])


def intersection(one: BaseGeometry, other: BaseGeometry) -> BaseGeometry:
    """Return the ground that both shapes cover."""
    if not _is_mixed(one) and not _is_mixed(other):
        return shapely.intersection(one, other, grid_size=GRID)
    pairs = product(_by_dimension(one), _by_dimension(other))
    return union(shapely.intersection(a, b, grid_size=GRID) for a, b in pairs)


def difference(one: BaseGeometry, other: BaseGeometry) -> BaseGeometry:
    """Return the ground that the first shape covers and the other does not."""
    if not _is_mixed(one) and not _is_mixed(other):
        return shapely.difference(one, other, grid_size=GRID)
    kept = []
    for dimension, rest in enumerate(_by_dimension(one)):
        for part in _by_dimension(other)[dimension:]:
            rest = shapely.difference(rest, part, grid_size=GRID)
        kept.append(rest)
    return _together(kept)


def _is_mixed(shape: BaseGeometry) -> bool:
    return shape.geom_type == "GeometryCollection"


def _by_dimension(shape: BaseGeometry) -> list[BaseGeometry]:
    """Return the points, the lines and the polygons of a shape: GEOS overlays only one of them at a time."""
    parts = shapely.get_parts(shapely.get_parts(shape))
    while any(_is_mixed(part) for part in parts):
        parts = shapely.get_parts(parts)
    dimensions = shapely.get_dimensions(parts)
    return [shapely.union_all(parts[dimensions == dimension], grid_size=GRID) for dimension in range(3)]


def _together(parts: Sequence[BaseGeometry]) -> BaseGeometry:
    """Return shapes of several dimensions as one collection."""
    there = [part for part in parts if not part.is_empty]
    if len(there) == 1:
        return there[0]
    return shapely.GeometryCollection([part for one in there for part in shapely.get_parts(one)])
