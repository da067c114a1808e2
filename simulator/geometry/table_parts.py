"""Parts of a table: the pieces near a place, and the table with only some of its pieces.

Pieces far from a mover do not affect its answer; a search without them only pays for those nearby. The same part of
the same table is the same object, so everything cached for it is reused.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import shapely

from simulator.byte_cache import kept
from simulator.geometry.table import InchTable

#: The bytes of a piece in the tree, and of a part of a table without its pieces.
_BYTES_OF_PIECE, _BYTES_OF_PART = 400, 4_000


@kept(16, lambda tree: _BYTES_OF_PIECE * len(tree.geometries))
def _tree(board: InchTable) -> shapely.STRtree:
    return shapely.STRtree([piece.shape.polygon for piece in board.pieces])


def pieces_within(board: InchTable, x: float, y: float, far: float) -> list[int]:
    """Return the numbers of the pieces within `far` inches of a place, in the order of the table.

    >>> from simulator.geometry.pieces import Piece, rectangle
    >>> sheds = [Piece(f"shed{at}", "building", rectangle((at, 5), (2, 2))) for at in (3, 9)]
    >>> pieces_within(InchTable("Yard", 20, 10, pieces=sheds), 0, 5, 2)
    [0]
    """
    if not board.pieces:
        return []
    found = _tree(board).query(shapely.Point(x, y), predicate="dwithin", distance=far)
    return [int(number) for number in np.sort(found)]


def breadth_of(board: InchTable, number: int) -> float:
    """Return the diagonal of the box around a piece, in inches: no crossing of it leads farther."""
    low_x, low_y, high_x, high_y = board.pieces[number].shape.polygon.bounds
    return float(np.hypot(high_x - low_x, high_y - low_y))


@kept(16, lambda part: _BYTES_OF_PART + _BYTES_OF_PIECE * len(part.pieces))
def part_with(board: InchTable, numbers: tuple[int, ...]) -> InchTable:
    """Return the table with some of its pieces and those they stand on; the same object for the same pieces."""
    if len(numbers) == len(board.pieces):
        return board
    chosen = set(numbers)
    for number in numbers:
        chosen |= set(_below(board, number))
    return replace(board, pieces=tuple(board.pieces[number] for number in sorted(chosen)))


def _below(board: InchTable, number: int) -> Iterator[int]:
    """Yield the pieces under a piece, from the top down."""
    while on := board.pieces[number].on:
        number = next(at for at, piece in enumerate(board.pieces) if piece.id == on)
        yield number
