"""Masks over lattices as short SVG paths: runs of cells and runs of edges are drawn in one stroke each."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from simulator.views.svg import Sheet, number


def runs(mask: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return the runs of True in each row as (row, first column, column behind the last), [run, 3].

    >>> runs(np.array([[True, True, False], [False, False, True]])).tolist()
    [[0, 0, 2], [1, 2, 3]]
    """
    padded = np.zeros((mask.shape[0], mask.shape[1] + 2), np.int8)
    padded[:, 1:-1] = mask
    change = np.diff(padded, axis=1)
    rows, starts = np.nonzero(change == 1)
    ends = np.nonzero(change == -1)[1]
    return np.stack([rows, starts, ends], axis=1)


def cells_path(sheet: Sheet, mask: NDArray[np.bool_], height: float) -> str:
    """Fill the squares of a mask: one rectangle for each run of a row."""
    size = sheet.pixels
    path = []
    for row, start, end in runs(mask).tolist():
        x, y = sheet.at(start, height - row)
        path.append(
            f"M{number(x)} {number(y)}h{number((end - start) * size)}v{number(size)}h{number((start - end) * size)}Z"
        )
    return "".join(path)


def edges_path(sheet: Sheet, east: NDArray[np.bool_], south: NDArray[np.bool_], height: float) -> str:
    """Draw the edges of squares: `east` marks right-hand borders, `south` lower ones."""
    size = sheet.pixels
    path = []
    for row, start, end in runs(south).tolist():
        x, y = sheet.at(start, height - row - 1)
        path.append(f"M{number(x)} {number(y)}h{number((end - start) * size)}")
    for column, start, end in runs(east.T).tolist():
        x, y = sheet.at(column + 1, height - start)
        path.append(f"M{number(x)} {number(y)}v{number((end - start) * size)}")
    return "".join(path)
