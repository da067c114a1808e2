"""Starts as columns of numbers: `Seeds` for one query, `SeedTable` for many."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulator.pathing.move_space import UNREACHED, MoveSpace, Plane, Start

Column = NDArray[np.int64]


class Seeds:
    """The starts of one query: layer, row, column and price, each state once."""

    def __init__(self, columns: Iterable[list[int]]) -> None:
        self.layer, self.row, self.col, self.price = columns

    @classmethod
    def of(cls, space: MoveSpace, starts: Iterable[Start], budget: int | None) -> Seeds:
        """Convert starts to columns: a repeated state at its lower price, without those beyond the budget."""
        starts = tuple(starts)
        if len(starts) == 1:  # as nearly always, and then there is nothing to compare
            row, col, heading, phase, paid = starts[0]
            if budget is None or paid <= budget:
                return cls(([space.layer_of(heading, phase)], [row], [col], [paid]))
        cheapest: dict[tuple[int, int, int], int] = {}
        for row, col, heading, phase, paid in starts:
            if budget is None or paid <= budget:
                key = (space.layer_of(heading, phase), row, col)
                cheapest[key] = min(paid, cheapest.get(key, paid))
        layers, rows, cols = ([key[i] for key in cheapest] for i in range(3))
        return cls((layers, rows, cols, list(cheapest.values())))

    @classmethod
    def of_costs(cls, costs: Plane) -> Seeds:
        """Convert costs of a board (layers, rows, columns) to starts: every state reached, at its cost."""
        states = np.nonzero(costs < UNREACHED)
        return cls([*(axis.tolist() for axis in states), costs[states].tolist()])

    def __len__(self) -> int:
        return len(self.price)

    def counted_in(self, tick: int, least: int) -> Seeds:
        """Return the same starts with prices in ticks above the least one."""
        if tick == 1 and not least:
            return self
        return Seeds((self.layer, self.row, self.col, [(paid - least) // tick for paid in self.price]))

    def shifted(self, rows: int, cols: int) -> Seeds:
        """Return the same starts that many rows and columns further."""
        if not rows and not cols:
            return self
        return Seeds((self.layer, [row + rows for row in self.row], [col + cols for col in self.col], self.price))

    @cached_property
    def box(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """The first and last row, and the first and last column, of any start."""
        return (min(self.row), max(self.row)), (min(self.col), max(self.col))

    @cached_property
    def arrays(self) -> tuple[Column, Column, Column, Column]:
        """The four columns as arrays: layers, rows, columns, prices."""
        table = np.array([self.layer, self.row, self.col, self.price], np.int64).reshape(4, -1)
        return table[0], table[1], table[2], table[3]


@dataclass(frozen=True)
class SeedTable:
    """The starts of many queries, query by query. To be searched, every query needs at least one."""

    query: Column
    layer: Column
    row: Column
    col: Column
    price: Column

    @classmethod
    def of(cls, seeds: Sequence[Seeds]) -> SeedTable:
        """Put the starts of several queries together, numbered in their order."""
        query = np.repeat(np.arange(len(seeds)), [len(some) for some in seeds])
        return cls(
            query,
            *(
                np.array([number for some in seeds for number in getattr(some, column)], np.int64)
                for column in ("layer", "row", "col", "price")
            ),
        )

    @classmethod
    def of_starts(cls, space: MoveSpace, starts: Sequence[Sequence[Start]], budgets: Sequence[int | None]) -> SeedTable:
        """Convert the starts of many queries to columns, as `Seeds.of` does for one."""
        layer_of = space.layer_of
        lines = [
            (number, layer_of(heading, phase), row, col, paid)
            for number, some in enumerate(starts)
            for row, col, heading, phase, paid in some
            if (budget := budgets[number]) is None or paid <= budget
        ]
        table = np.array(lines, np.int64).reshape(-1, 5)
        rows, cols = space.shape
        lost = (table[:, 2:] < 0).any(axis=1) | (table[:, 2] >= rows) | (table[:, 3] >= cols)
        if lost.any():
            space.checked_starts(starts[int(table[lost][0, 0])])  # raises the error
        if (table[1:, 0] == table[:-1, 0]).any():
            table = table[np.lexsort(table.T[::-1])]  # by query, layer, row, column, price: the cheapest comes first
            again = np.zeros(len(table), bool)
            again[1:] = (table[1:, :4] == table[:-1, :4]).all(axis=1)
            table = table[~again]
        return cls(*np.ascontiguousarray(table.T))

    def __len__(self) -> int:
        return int(self.query[-1]) + 1 if self.query.size else 0

    def of_query(self, query: int) -> Seeds:
        """Return the starts of one query."""
        chosen = self.query == query
        return Seeds([column[chosen].tolist() for column in (self.layer, self.row, self.col, self.price)])

    @cached_property
    def _first(self) -> Column:
        return np.searchsorted(self.query, np.arange(len(self)))

    @cached_property
    def least(self) -> Column:
        """The least price in each query."""
        return np.minimum.reduceat(self.price, self._first)

    @cached_property
    def boxes(self) -> tuple[Column, Column, Column, Column]:
        """The first row, last row, first column and last column of the starts of each query."""
        least, most = np.minimum.reduceat, np.maximum.reduceat
        first = self._first
        return least(self.row, first), most(self.row, first), least(self.col, first), most(self.col, first)

    @property
    def spans(self) -> tuple[int, int]:
        """The largest distance, in rows and in columns, between starts of a query."""
        top, bottom, left, right = self.boxes
        return int((bottom - top).max()), int((right - left).max())

    def priced(self, prices: Column) -> SeedTable:
        """Return the same starts at other prices."""
        other = replace(self, price=prices)
        vars(other).update(_first=self._first, boxes=self.boxes)  # their positions are unchanged
        return other

    def part(self, first: int, count: int) -> SeedTable:
        """Return some of the queries, padded by repeating the last one."""
        last = min(first + count, len(self))
        begin, end = (int(i) for i in np.searchsorted(self.query, (first, last)))
        rows: Any = slice(begin, end)
        query = self.query[rows] - first
        missing = count - (last - first)
        if missing:
            again = np.flatnonzero(self.query == last - 1)
            rows = np.concatenate([np.arange(begin, end), np.tile(again, missing)])
            filled = np.repeat(np.arange(last - first, count), len(again))
            query = np.concatenate([query, filled])
        return SeedTable(query, self.layer[rows], self.row[rows], self.col[rows], self.price[rows])
