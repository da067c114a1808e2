"""Masks of the cells of a board: of given places, and of the cells beside them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from simulator.geometry.board import Lattice, as_lattice


def mask_of(board: Lattice, places: Iterable[tuple[int, int]]) -> NDArray[np.bool_]:
    """Return a mask, [row, column], that is true at these places; raise NoPlace off the board.

    >>> from simulator.geometry.squares import SquareGrid
    >>> mask_of(SquareGrid.open(3, 2), [(1, 0), (2, 1)]).astype(int).tolist()
    [[0, 1, 0], [0, 0, 1]]
    """
    mask = np.zeros(as_lattice(board, "a mask of places").shape, np.bool_)
    for place in places:
        mask[board.index(place)] = True
    return mask


def zone(board: Lattice, places: Iterable[tuple[int, int]]) -> NDArray[np.bool_]:
    """Return a mask of the cells that are one open step from any of these places: walls end a zone of control.

    The places themselves are in it only beside another of them.

    >>> from simulator.geometry.squares import SquareGrid
    >>> zone(SquareGrid.from_text(". . # .\\n. . . ."), [(1, 1)]).astype(int).tolist()
    [[1, 1, 0, 0], [1, 0, 1, 0]]
    """
    as_lattice(board, "a zone of control")
    return mask_of(board, {beside for place in places for beside in board.neighbours(place)})
