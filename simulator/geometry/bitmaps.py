"""Areas as bitmaps: whether places lie in one, for very many places at once, to a cell.

>>> square = Bitmap.of(shapely.box(0, 0, 1, 1), (-1.0, -1.0, 2.0, 2.0), 0.1)
>>> square.has(np.array([[0.5, 0.5], [1.5, 0.5], [9.0, 9.0]])).tolist()
[True, False, False]
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from simulator.geometry.convex import BoolArray
from simulator.geometry.pieces import FloatArray


class Bitmap(NamedTuple):
    """The cells of a grid whose middles lie in an area."""

    corner: FloatArray  #: the least x and y of the grid
    apart: float
    cells: NDArray[np.bool_]  #: by row and column

    @classmethod
    def of(cls, area: BaseGeometry, bounds: tuple[float, float, float, float], apart: float) -> Bitmap:
        """Draw polygons on a grid over some bounds: left, bottom, right, top."""
        corner = np.array(bounds[:2])
        columns, rows = np.maximum(np.ceil((np.array(bounds[2:]) - corner) / apart), 1).astype(np.intp).tolist()
        begin, end = (((side - corner) / apart) - 0.5 for side in _sides(area))
        # A row of middles crosses the sides that lead from below it to above it, or the other way round.
        low, high = np.minimum(begin[:, 1], end[:, 1]), np.maximum(begin[:, 1], end[:, 1])
        first = np.clip(np.ceil(low), 0, rows).astype(np.intp)
        last = np.clip(np.ceil(high), 0, rows).astype(np.intp)
        count = np.maximum(last - first, 0)
        side = np.repeat(np.arange(len(count)), count)
        row = np.arange(len(side)) - np.repeat(np.cumsum(count) - count, count) + first[side]
        (x, y), (across, up) = begin[side].T, (end - begin)[side].T
        column = np.clip(np.ceil(x + (row - y) / up * across), 0, columns).astype(np.intp)
        crossed = np.bincount(row * (columns + 1) + column, minlength=rows * (columns + 1))
        inside = np.cumsum(crossed.reshape(rows, columns + 1), axis=1) % 2 == 1
        return cls(corner, apart, inside[:, :columns])

    def has(self, places: FloatArray) -> BoolArray:
        """Find the places, an array whose last axis is x, y, in cells of the area; none lies outside of the grid."""
        rows, columns = self.cells.shape
        x = ((places[..., 0] - self.corner[0]) / self.apart).astype(np.int32)
        y = ((places[..., 1] - self.corner[1]) / self.apart).astype(np.int32)
        # What is cut off leads toward 0: places up to a cell before the first cells count as theirs.
        known = (x >= 0) & (x < columns) & (y >= 0) & (y < rows)
        return np.asarray(known & self.cells.ravel().take(np.where(known, y * np.int32(columns) + x, 0)))

    def without(self, other: Bitmap) -> Bitmap:
        """Return the cells that are not in another area on the same grid."""
        return self._replace(cells=self.cells & ~other.cells)

    def coarser(self, times: int) -> Bitmap:
        """Return cells that are a number of times as wide, those that contain a cell of the area."""
        rows, columns = (-(-count // times) for count in self.cells.shape)
        cells = np.zeros((rows * times, columns * times), np.bool_)
        cells[: self.cells.shape[0], : self.cells.shape[1]] = self.cells
        wide: NDArray[np.bool_] = np.asarray(cells.reshape(rows, times, columns, times).any(axis=(1, 3)))
        return Bitmap(self.corner, self.apart * times, wide)

    def grown(self, inches: float) -> Bitmap:
        """Return the cells from which a place in a cell of the area may be so near along both axes."""
        reach = math.ceil(inches / self.apart)
        cells: NDArray[np.bool_] = self.cells
        for _ in range(2):
            grown = cells.copy()
            for off in range(1, reach + 1):
                grown[off:] |= cells[:-off]
                grown[:-off] |= cells[off:]
            cells = grown.T.copy()
        return self._replace(cells=cells)


def _sides(area: BaseGeometry) -> tuple[FloatArray, FloatArray]:
    """The sides of all rings of an area: where each begins and ends."""
    rings = shapely.get_rings(shapely.get_parts(area))
    corners, ring = shapely.get_coordinates(rings, return_index=True)
    same = ring[1:] == ring[:-1]
    return corners[:-1][same], corners[1:][same]
