"""Heat maps: a number for each cell of a board, drawn in bands over its picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from math import floor
from typing import Any

import shapely
from shapely.geometry.base import BaseGeometry

from simulator.geometry.board import Board, Lattice
from simulator.views.board_picture import draw
from simulator.views.overlays import Band, Overlays
from simulator.wording import measure

#: The most bands of a map: more shades could not be told apart.
_MOST_BANDS = 6
#: The side of the squares that a table is divided into, in inches.
_TABLE_CELL = 1.0

Cell = tuple[int, int]


def counted_cells(centres: Iterable[tuple[float, float]]) -> dict[Cell, float]:
    """Count points of a table by its square inches."""
    return dict(Counter((floor(x / _TABLE_CELL), floor(y / _TABLE_CELL)) for x, y in centres))


def heat_map(board: Board[Any], values: Mapping[Cell, float], *, title: str, heading: str, unit: str) -> str:
    """Draw a number for each cell, as the text of an SVG file: cells of a lattice, or square inches of a table."""
    cells = list(values)

    def region(numbers: list[int]) -> BaseGeometry:
        ground: BaseGeometry = _region(board, [cells[number] for number in numbers])
        return ground

    return shaded(board, list(values.values()), region, title=title, heading=heading, unit=unit)


def shaded(
    board: Board[Any],
    amounts: Sequence[float],
    region: Callable[[list[int]], BaseGeometry],
    *,
    title: str,
    heading: str,
    unit: str,
) -> str:
    """Draw amounts in bands; `region` returns the ground of some of them, by their numbers."""
    bands = []
    levels = _levels(sorted(set(amounts)))
    for number, (low, high) in enumerate(levels):
        chosen = [place for place, amount in enumerate(amounts) if low <= amount <= high]
        label = measure(low, unit) if low == high else f"{_shown(low)} to {measure(high, unit)}"
        bands.append(Band(region(chosen), label, share=number / max(1, len(levels) - 1)))
    return draw(board, Overlays(bands, heading=heading), title=title)


def _shown(amount: float) -> str:
    return measure(amount, "")


def _levels(values: list[float]) -> list[tuple[float, float]]:
    """Divide the different values into a few bands, each with as many of them as any other."""
    count = min(_MOST_BANDS, len(values))
    cuts = [round(len(values) * number / count) for number in range(count + 1)] if count else []
    return [(values[first], values[last - 1]) for first, last in pairwise(cuts)]


def _region(board: Board[Any], cells: list[Cell]) -> Any:
    if isinstance(board, Lattice):
        return board.region(cells)
    squares = [shapely.box(x, y, x + 1, y + 1) for x, y in cells]
    bounds = board.bounds
    table = shapely.box(bounds.min_x, bounds.min_y, bounds.max_x, bounds.max_y)
    return shapely.intersection(shapely.union_all(squares), table)
