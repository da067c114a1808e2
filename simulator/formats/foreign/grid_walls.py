"""Lines of a foreign map as walls on the edges between squares."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

#: How far off a grid line a wall may be drawn, in squares: programs write 2.9999 for 3.
_OFF = 0.01


class GridWalls:
    """The walls between the squares of a grid. Lines are given in squares, x to the right and y down from the top."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.east: NDArray[np.bool_] = np.zeros((height, width), np.bool_)
        self.south: NDArray[np.bool_] = np.zeros((height, width), np.bool_)

    def draw(self, points: Sequence[tuple[float, float]]) -> bool:
        """Draw a wall along grid lines; return False, and draw nothing, if a part of it follows none.

        What runs along the rim of the grid or beyond walls nothing off.
        """
        corners = [(round(x), round(y)) for x, y in points]
        on_grid = all(
            abs(x - column) <= _OFF and abs(y - row) <= _OFF
            for (x, y), (column, row) in zip(points, corners, strict=True)
        )
        if not on_grid or any(one[0] != other[0] and one[1] != other[1] for one, other in pairwise(corners)):
            return False
        for (column, row), (to_column, to_row) in pairwise(corners):
            left, right = sorted((max(0, min(column, self.width)), max(0, min(to_column, self.width))))
            top, bottom = sorted((max(0, min(row, self.height)), max(0, min(to_row, self.height))))
            if row == to_row and 0 < row < self.height:
                self.south[row - 1, left:right] = True
            elif column == to_column and 0 < column < self.width:
                self.east[top:bottom, column - 1] = True
        return True
