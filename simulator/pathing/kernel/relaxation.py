"""Relaxation: the costs themselves, lowered until nothing changes. For prices too fine for bits.

The number of rounds is that of the steps of the longest cheapest route, whatever the steps cost. Costs lie
in a flat array in the order (row, column, query), like the words of `batch_words`: a step is an offset, and
blocked columns beside the board keep it from running over the end of a row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulator.pathing.kernel.compile import LevelProgram, Shift
from simulator.pathing.move_space import Mask, MoveSpace
from simulator.pathing.seeds import SeedTable

#: The most queries that are relaxed side by side, and the most cells: more would not fit the cache.
TOGETHER = 128
CELLS = 1 << 19


class Relief:
    """A board as relaxation sees it: the price of every spread at every cell, and where each exit is open."""

    def __init__(self, space: MoveSpace, plan: LevelProgram) -> None:
        self.space, self.plan = space, plan
        #: In ticks; -1 where the spread cannot arrive.
        self.prices = []
        for price in plan.prices:
            plane = np.ones(space.shape, np.int64) if price.plane is None else price.plane
            enter = space.holds("enter", price.to_layer)
            blocked = plane < 0 if enter is None else (plane < 0) | ~enter
            self.prices.append(np.where(blocked, -1, plane * price.base // plan.tick))
        self.doors = [self._door(layer, gate, True) for layer, gate in plan.exits]

    def _door(self, layer: int, gate: int | None, with_pass: bool) -> Mask | None:
        masks = [None if gate is None else self.plan.gates[gate], self.space.holds("leave", layer)]
        if with_pass:
            masks.append(self.space.holds("pass_", layer))
        there = [mask for mask in masks if mask is not None]
        return reduce(np.logical_and, there) if there else None

    def start_door(self, layer: int, gate: int | None) -> Mask | None:
        """Describe where an exit is open to a start, which need not be passable."""
        return self._door(layer, gate, False)


@dataclass(frozen=True)
class _Frame:
    """Windows of one size, one for each query, on a board with blocked cells around it."""

    board: tuple[int, int]
    tops: NDArray[np.int64]
    lefts: NDArray[np.int64]
    height: int
    width: int

    @classmethod
    def around(cls, relief: Relief, seeds: SeedTable, ticks: int | None) -> _Frame:
        """Return windows that hold all that the queries can touch for that many ticks."""
        plan, (rows, cols) = relief.plan, relief.space.shape
        far_rows, far_cols = plan.reach(ticks, relief.space.shape)
        span_rows, span_cols = seeds.spans
        height, width = span_rows + 2 * far_rows + 1, span_cols + 2 * far_cols + 1
        first_row, _, first_col, _ = seeds.boxes
        tops, lefts = first_row - far_rows, first_col - far_cols
        if height >= rows:
            height, tops = rows, np.zeros_like(tops)
        if width >= cols + plan.widest:
            width, lefts = cols + plan.widest, np.zeros_like(lefts)
        return cls(relief.space.shape, tops, lefts, height, width)

    @property
    def column(self) -> int:
        """How far apart neighbours in a row lie in a flat array: as many places as there are queries."""
        return len(self.tops)

    @property
    def row(self) -> int:
        """How far apart neighbours in a column lie in a flat array."""
        return self.width * self.column

    @property
    def size(self) -> int:
        """The length of a flat array."""
        return self.height * self.row

    def part(self, first: int, last: int) -> _Frame:
        """Return the windows of some of the queries."""
        return replace(self, tops=self.tops[first:last], lefts=self.lefts[first:last])

    def cut(self, values: NDArray[Any], beyond: int | bool) -> NDArray[Any]:
        """Cut an array of the board out for all queries: (rows, columns, queries)."""
        cut: NDArray[Any] = np.where(self._on_board, values[self._places], beyond)
        return cut

    @cached_property
    def _on_board(self) -> Mask:
        row, col = self._cells
        rows, cols = self.board
        return (row >= 0) & (row < rows) & (col >= 0) & (col < cols)

    @cached_property
    def _places(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The cells of the board under the windows, those beyond it brought to its edge."""
        (row, col), (rows, cols) = self._cells, self.board
        return row.clip(0, rows - 1), col.clip(0, cols - 1)

    @cached_property
    def _cells(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return self.tops + np.arange(self.height)[:, None, None], self.lefts + np.arange(self.width)[:, None]


def search_relax(
    relief: Relief, seeds: SeedTable, ticks: int | None, finer: int = 1
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[Any], int]:
    """Find the cost of all that each query reaches, prices being `finer` times those of the plan.

    Return the first row and column of the window of each query, costs (queries, layers, height, width), and the number
    for "not reached".
    """
    space = relief.space
    frame = _Frame.around(relief, seeds, None if ticks is None else -(-ticks // finer))
    dearest = max(0, *(int(price.max()) for price in relief.prices)) * finer
    longest = dearest * space.layers * space.shape[0] * space.shape[1]
    unreached = (int(seeds.price.max()) + longest if ticks is None else ticks) + 1
    dtype = next(t for t in (np.uint8, np.uint16, np.uint32, np.uint64) if 2 * unreached <= np.iinfo(t).max)
    count = len(seeds)
    costs = np.empty((count, space.layers, frame.height, frame.width), dtype)
    step = max(1, min(TOGETHER, CELLS // (frame.height * frame.width)))
    for first in range(0, count, step):
        last = min(first + step, count)
        chosen = seeds.part(first, last - first)
        lowered = _lowered(relief, frame.part(first, last), chosen, finer, unreached, dtype)
        costs[first:last] = np.moveaxis(lowered, -1, 0)
    return frame.tops, frame.lefts, costs, unreached


def _lowered(
    relief: Relief,
    frame: _Frame,
    seeds: SeedTable,
    finer: int,
    unreached: int,
    dtype: type[np.unsignedinteger[Any]],
) -> NDArray[Any]:
    """Lower the costs of some queries until nothing changes: (layers, height, width, queries)."""
    plan = relief.plan
    margin = plan.longest * frame.row + plan.widest * frame.column

    # Blocked cells and shut doors cost as much as never arriving, so no sum of two leaves the type.
    def price_in(price: NDArray[np.int64]) -> NDArray[Any]:
        here = frame.cut(price, -1).reshape(-1)
        return np.where((here < 0) | (here > unreached // finer), unreached, here * finer).astype(dtype)

    def inside(array: NDArray[Any]) -> NDArray[Any]:
        return array[margin : margin + frame.size]

    def moved(shift: Shift) -> NDArray[Any]:
        first = margin - shift.d_row * frame.row - shift.d_col * frame.column
        return pieces[shift.piece][first : first + frame.size]

    prices = [price_in(price) for price in relief.prices]
    arena = np.full((plan.layers, margin + frame.size + margin), unreached, dtype)
    costs = [inside(layer) for layer in arena]
    by_place = arena[:, margin : margin + frame.size].reshape(plan.layers, frame.height, frame.width, -1)
    query = seeds.query
    start_rows, start_cols = seeds.row - frame.tops[query], seeds.col - frame.lefts[query]
    by_place[seeds.layer, start_rows, start_cols, query] = seeds.price

    pieces: list[NDArray[Any]] = []
    doors: list[tuple[NDArray[Any], NDArray[Any], NDArray[Any]]] = []
    for (layer, gate), door in zip(plan.exits, relief.doors, strict=True):
        if door is None:
            pieces.append(arena[layer])
            continue
        shut = np.where(frame.cut(door, False), dtype(0), dtype(unreached))
        opened = relief.start_door(layer, gate)
        here = seeds.layer == layer
        if opened is not None:
            here &= opened[seeds.row, seeds.col]
        shut[start_rows[here], start_cols[here], query[here]] = 0
        pieces.append(np.full_like(arena[0], unreached))
        doors.append((costs[layer], shut.reshape(-1), inside(pieces[-1])))
    combined: list[tuple[Sequence[NDArray[Any]], NDArray[Any]]] = []
    for shifts in plan.combined:
        pieces.append(np.full_like(arena[0], unreached))
        combined.append(([moved(shift) for shift in shifts], inside(pieces[-1])))
    spreads = [
        ([moved(shift) for shift in shifts], price, costs[line.to_layer])
        for shifts, price, line in zip(plan.spreads, prices, plan.prices, strict=True)
    ]
    arrival = np.empty(frame.size, dtype)
    before = np.empty_like(arena)
    while True:
        np.copyto(before, arena)
        for layer_costs, shut, piece in doors:
            np.maximum(layer_costs, shut, out=piece)
        for sources, piece in combined:
            _least(sources, piece)
        for sources, price, target in spreads:
            _least(sources, arrival)
            np.add(arrival, price, out=arrival)
            np.minimum(target, arrival, out=target)
        if np.array_equal(before, arena):
            break
    return by_place


def _least(sources: Sequence[NDArray[Any]], out: NDArray[Any]) -> None:
    """Write the least of several arrays of costs."""
    if len(sources) == 1:
        np.copyto(out, sources[0])
    else:
        np.minimum(sources[0], sources[1], out=out)
        for source in sources[2:]:
            np.minimum(out, source, out=out)
