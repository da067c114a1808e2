"""The places of a board as arrays [row, column]: the cells of a lattice, or the middles of squares laid over a table.

>>> from simulator.geometry.table import InchTable
>>> yard = Raster.of(InchTable("Yard", 3, 2.5), spacing=1)
>>> yard.x[0].tolist(), yard.y[:, 0].tolist(), yard.sizes[:, 0].tolist()
([0.5, 1.5, 2.5], [2.25, 1.5, 0.5], [0.5, 1.0, 1.0])
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from simulator.geometry.board import Board, Lattice
from simulator.geometry.table import InchTable

#: Places on tables have so many decimals, as those in orders.
_DECIMALS = 4


@dataclass(frozen=True, eq=False)
class Raster:
    """Places in rows, each with the size of the ground that it stands for."""

    #: The places, [row, column]: whole numbers on a lattice.
    x: NDArray[Any]
    y: NDArray[Any]
    #: Which of them are on the board.
    present: NDArray[np.bool_]
    #: The ground of each: one place of a lattice, or square inches.
    sizes: NDArray[np.float64]

    @classmethod
    def of(cls, board: Board[Any], spacing: float = 1.0) -> Self:
        """Return the cells of a lattice, or the middles of squares of a width in inches, the top row first."""
        if isinstance(board, Lattice):
            rows, columns = np.indices(board.shape)
            present = board.terrain_array.codes >= 0
            return cls(columns + board.first[0], rows + board.first[1], present, present.astype(np.float64))
        assert isinstance(board, InchTable), "a board is a lattice or a table"
        across, down = board.lattice(spacing)
        x, y = np.meshgrid(across.round(_DECIMALS), down.round(_DECIMALS))
        bounds = board.bounds
        # The edge of the table may cut the last column and the top row.
        widths, heights = np.full(len(across), float(spacing)), np.full(len(down), float(spacing))
        widths[-1] = bounds.width - spacing * (len(across) - 1)
        heights[0] = bounds.height - spacing * (len(down) - 1)
        return cls(x, y, np.ones(x.shape, np.bool_), heights[:, None] * widths)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        rows, columns = self.present.shape
        return int(rows), int(columns)

    @property
    def places(self) -> NDArray[Any]:
        """The places on the board as rows x, y, cell by cell."""
        return np.column_stack([self.x[self.present], self.y[self.present]])

    def place(self, cell: int) -> tuple[Any, Any]:
        """Return the place of a cell, counted row by row."""
        return self.x.flat[cell].item(), self.y.flat[cell].item()

    def cells(self, first: int, last: int) -> Iterator[int]:
        """Yield the cells of a range that are on the board."""
        yield from (first + np.flatnonzero(self.present.ravel()[first:last])).tolist()
