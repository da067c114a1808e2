"""Relaxation: the costs themselves, lowered until nothing changes. For prices so fine that bits need many levels.

The number of rounds is that of the steps of the longest cheapest route, whatever the steps cost. Costs lie in a flat
array in the order (row, column, query), like the words of `words`: a step is an offset, and blocked columns beside
the board keep it from running over the end of a row.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulator.pathing.costs import Window
from simulator.pathing.move_space import Mask, MoveSpace
from simulator.pathing.plan import Plan, Shift
from simulator.pathing.seeds import SeedTable


class Relief:
    """A board as relaxation sees it: the price of every spread at every cell, and where each exit is open."""

    def __init__(self, space: MoveSpace, plan: Plan) -> None:
        self.space, self.plan = space, plan
        #: In ticks; -1 where the spread can not arrive.
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
        """Say where an exit is open to a start, which need not be passable."""
        return self._door(layer, gate, False)


class _Frame:
    """Windows of one size, one for each query, on a board with blocked cells around it."""

    def __init__(self, relief: Relief, seeds: SeedTable, ticks: int | None) -> None:
        self.board = relief.space.shape
        plan, (rows, cols) = relief.plan, self.board
        far_rows, far_cols = plan.reach(ticks, relief.space.shape)
        span_rows, span_cols = seeds.spans
        self.height, self.width = span_rows + 2 * far_rows + 1, span_cols + 2 * far_cols + 1
        first_row, _, first_col, _ = seeds.boxes
        self.tops, self.lefts = first_row - far_rows, first_col - far_cols
        if self.height >= rows:
            self.height, self.tops = rows, np.zeros_like(self.tops)
        if self.width >= cols + plan.widest:
            self.width, self.lefts = cols + plan.widest, np.zeros_like(self.lefts)
        count = len(seeds)
        self.shape = (self.height, self.width, count)
        self.row, self.column = self.width * count, count
        self.size = self.height * self.row
        self.margin = plan.longest * self.row + plan.widest * self.column

    def window(self, query: int) -> Window:
        """Give the window of a query in the coordinates of the board."""
        return Window(int(self.tops[query]), int(self.lefts[query]), self.height, self.width)

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
) -> tuple[Callable[[int], Window], NDArray[Any], int]:
    """Find the cost of all that each query reaches within a budget, prices being `finer` times those of the plan.

    Gives the window of each query, costs in the shape (layers, height, width, queries), and the number for "not reached".
    """
    space, plan = relief.space, relief.plan
    frame = _Frame(relief, seeds, None if ticks is None else -(-ticks // finer))
    dearest = max(0, *(int(price.max()) for price in relief.prices)) * finer
    longest = dearest * space.layers * space.shape[0] * space.shape[1]
    unreached = (int(seeds.price.max()) + longest if ticks is None else ticks) + 1
    dtype = next(t for t in (np.uint8, np.uint16, np.uint32, np.uint64) if 2 * unreached <= np.iinfo(t).max)

    # Blocked cells and shut doors cost as much as never arriving, so no sum of two leaves the type.
    def price_in(price: NDArray[np.int64]) -> NDArray[Any]:
        here = frame.cut(price, -1).reshape(-1)
        return np.where((here < 0) | (here > unreached // finer), unreached, here * finer).astype(dtype)

    prices = [price_in(price) for price in relief.prices]
    arena = np.full((plan.layers, frame.margin + frame.size + frame.margin), unreached, dtype)
    costs = arena[:, frame.margin : frame.margin + frame.size]
    by_place = costs.reshape(plan.layers, *frame.shape)
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
        doors.append((costs[layer], shut.reshape(-1), _inside(pieces[-1], frame)))
    combined: list[tuple[Sequence[NDArray[Any]], NDArray[Any]]] = []
    for shifts in plan.combined:
        pieces.append(np.full_like(arena[0], unreached))
        combined.append(([_moved(pieces, shift, frame) for shift in shifts], _inside(pieces[-1], frame)))
    spreads = [
        ([_moved(pieces, shift, frame) for shift in shifts], price, costs[line.to_layer])
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
    return frame.window, by_place, unreached


def _inside(piece: NDArray[Any], frame: _Frame) -> NDArray[Any]:
    return piece[frame.margin : frame.margin + frame.size]


def _moved(pieces: Sequence[NDArray[Any]], shift: Shift, frame: _Frame) -> NDArray[Any]:
    """Give a piece moved along by an offset."""
    first = frame.margin - shift.d_row * frame.row - shift.d_col * frame.column
    return pieces[shift.piece][first : first + frame.size]


def _least(sources: Sequence[NDArray[Any]], out: NDArray[Any]) -> None:
    """Write the least of several arrays of costs."""
    if len(sources) == 1:
        np.copyto(out, sources[0])
    else:
        np.minimum(sources[0], sources[1], out=out)
        for source in sources[2:]:
            np.minimum(out, source, out=out)
