"""Coordinates on a fine grid, and overlays that keep to it.

GEOS can lose a whole polygon when the corners of two neighbours differ in the last bit. So coordinates are
put on a grid of a millionth once, when a piece is built, and every overlay works on that grid too.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, overload

import numpy as np
import shapely
from numpy.typing import ArrayLike, NDArray
from shapely.geometry.base import BaseGeometry

from simulator.errors import BoardError

#: The grid that all coordinates lie on, in units of the table.
GRID = 1e-6
#: The largest coordinate that is taken: well beyond, a float has no room left for the grid.
MAX_COORDINATE = 1e6

_PER_UNIT = round(1.0 / GRID)


@overload
def snap(values: float) -> float: ...
@overload
def snap(values: NDArray[Any] | list[Any] | tuple[Any, ...]) -> NDArray[np.float64]: ...
def snap(values: ArrayLike) -> float | NDArray[np.float64]:
    """Put a number, or each number of an array, on the grid; snapping twice changes nothing.

    >>> snap(0.1 + 0.2), snap(-1e-9)
    (0.3, 0.0)
    >>> snap([1 / 3, 2.5])
    array([0.333333, 2.5     ])
    """
    given = np.asarray(values, dtype=np.float64)
    if not np.all(np.abs(given) <= MAX_COORDINATE):  # also false for nan
        worst = given[~(np.abs(given) <= MAX_COORDINATE)].flat[0]
        raise BoardError(f"wants finite numbers from -{MAX_COORDINATE:.0f} to {MAX_COORDINATE:.0f}, not {worst}")
    snapped = np.rint(given * _PER_UNIT) / _PER_UNIT + 0.0  # adding 0.0 turns -0.0 into 0.0
    return float(snapped) if snapped.ndim == 0 else snapped


def union(shapes: Iterable[BaseGeometry]) -> BaseGeometry:
    """The ground that any of the shapes covers, inner borders dissolved.

    >>> union([shapely.box(0, 0, 1, 1), shapely.box(1, 0, 2, 1)]).area
    2.0
    """
    return shapely.union_all(list(shapes), grid_size=GRID)


def intersection(one: BaseGeometry, other: BaseGeometry) -> BaseGeometry:
    """The ground that both shapes cover."""
    return shapely.intersection(one, other, grid_size=GRID)


def difference(one: BaseGeometry, other: BaseGeometry) -> BaseGeometry:
    """The ground that the first shape covers and the other does not."""
    return shapely.difference(one, other, grid_size=GRID)
