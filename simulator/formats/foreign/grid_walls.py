"""Lines of a foreign map as walls on the edges between squares."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from simulator.formats.foreign.report import Report

XY = tuple[float, float]

#: How far off a grid line a wall may be drawn, in squares: programs write 2.9999 for 3.
_OFF = 0.01


class GridWalls:
    """The walls between the squares of a grid. Lines are given in squares, x to the right and y down from the top.

    An edge is walled if lines cover all of it: a wall and a closed door may share one.
    """

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        #: How much of each edge is covered, [row, column] of the square to the left or above.
        self._east: NDArray[np.float64] = np.zeros((height, width))
        self._south: NDArray[np.float64] = np.zeros((height, width))

    def draw(self, points: Sequence[XY]) -> int:
        """Draw a line, and return how many of its stretches follow no grid line and are left out.

        What runs along the rim of the grid or beyond it walls nothing off.
        """
        left_out = 0
        for (x, y), (to_x, to_y) in pairwise((_snapped(x), _snapped(y)) for x, y in points):
            if x == to_x and x.is_integer():
                if 0 < x < self.width:
                    _cover(self._east[:, int(x) - 1], y, to_y)
            elif y == to_y and y.is_integer():
                if 0 < y < self.height:
                    _cover(self._south[int(y) - 1], x, to_x)
            else:
                left_out += 1
        return left_out

    def finished(self, report: Report) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return the walls east and south of each square; count the edges that are covered only in part."""
        for covered in (self._east, self._south):
            if part := int(np.count_nonzero((covered > _OFF) & (covered < 1 - _OFF))):
                report.lose("edge that is walled in part, and left open", count=part)
        return self._east >= 1 - _OFF, self._south >= 1 - _OFF


def _snapped(value: float) -> float:
    return float(round(value)) if abs(value - round(value)) <= _OFF else value


def _cover(edges: NDArray[np.float64], one: float, other: float) -> None:
    """Add what a stretch covers to a row of edges."""
    low, high = max(min(one, other), 0.0), min(max(one, other), float(len(edges)))
    for at in range(math.floor(low), math.ceil(high)):
        edges[at] += min(high, at + 1) - max(low, at)
