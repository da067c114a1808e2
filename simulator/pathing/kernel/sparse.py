"""Searches of single states, not of sets: in waves, by shortcuts of a contracted board, or in buckets (compiled code).

They serve what is long and thin, such as mazes and caves, and prices too fine for levels. Contracting a board takes as
long as several searches of it, so that is only done after several.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulator.pathing.costs import Window
from simulator.pathing.kernel import shortcuts, waves
from simulator.pathing.kernel.contraction import Contraction, contracted
from simulator.pathing.kernel.fast_buckets import BucketBoard
from simulator.pathing.kernel.legal import FirstSteps, cost_type, first_steps, searched_from
from simulator.pathing.kernel.waves import WaveBoard
from simulator.pathing.move_space import MoveSpace
from simulator.pathing.seeds import Seeds

#: The most bytes of a contraction; a board that needs more is searched in waves.
CONTRACTION_BYTES = 128 * 1024 * 1024
#: So few starts are sooner looked at one by one.
_FEW = 8
#: How many times as wide as the cheapest step a wave is: half the waves for few states looked at twice.
_WIDTH = 2


class Sparse:
    """A board made ready for searches of single states; all costs are counted in ticks."""

    def __init__(self, space: MoveSpace, tick: int, never: int) -> None:
        self.space, self.tick, self.never = space, tick, never

    @cached_property
    def lattice(self) -> WaveBoard:
        """The board for waves."""
        return WaveBoard(self.space, self.tick, self.never)

    @cached_property
    def contraction(self) -> Contraction | None:
        """The board contracted; None if it is not thin."""
        return contracted(self.space, self.tick, self.never, CONTRACTION_BYTES)

    @cached_property
    def queued(self) -> BucketBoard:
        """The board for buckets."""
        return BucketBoard(self.space, self.tick, self.never)

    def in_waves(self, seeds: Seeds, limit: int | None) -> tuple[NDArray[Any], int]:
        """Return the costs of all states, (layers, rows, columns), and the number for "not reached"."""
        lattice = self.lattice

        def flood(costs: NDArray[Any], begun: NDArray[Any], _: int) -> None:
            waves.flood(costs, np.unique(begun), lattice.steps, lattice.least * _WIDTH)

        return self._flooded(seeds, limit, Window(0, 0, *self.space.shape), flood)

    def in_buckets(self, seeds: Seeds, limit: int | None, window: Window) -> tuple[NDArray[Any], int]:
        """Return the same of a window that holds all that can be reached, by compiled code."""
        return self._flooded(seeds, limit, window, partial(self.queued.flood, window=window))

    def _flooded(
        self, seeds: Seeds, limit: int | None, window: Window, flood: Callable[[NDArray[Any], NDArray[Any], int], None]
    ) -> tuple[NDArray[Any], int]:
        unreached = self.never if limit is None else min(limit + 1, self.never)
        top, left, height, width = window
        dtype = cost_type(self.never)

        def search(begun: Seeds) -> NDArray[Any]:
            costs = np.empty(self.space.layers * height * width, dtype)
            costs.fill(unreached)
            if len(begun) <= _FEW:
                columns = zip(begun.layer, begun.row, begun.col, begun.price, strict=True)
                some = [((layer * height + row) * width + col, paid) for layer, row, col, paid in columns]
                for state, paid in some:
                    if paid < costs[state]:
                        costs[state] = paid
                states = np.array([state for state, paid in some if paid < unreached], np.int64)
            else:
                layers, rows, cols, paid_for = begun.arrays
                payable = paid_for < unreached
                states = ((layers * height + rows) * width + cols)[payable]
                np.minimum.at(costs, states, paid_for[payable].astype(dtype))
            flood(costs, states, unreached)
            return costs.reshape(-1, height, width)

        first = first_steps(self.space, seeds, self.tick, self._passable)
        if first is not None:
            rows, cols = first.row - top, first.col - left
            # A step out of the window costs more than the budget, from wherever its start is reached.
            inside = (rows >= 0) & (rows < height) & (cols >= 0) & (cols < width)
            moved = first._replace(row=rows, col=cols)
            first = FirstSteps(*(column[inside] for column in moved))
        return searched_from(seeds.shifted(-top, -left), first, search), unreached

    def by_shortcuts(self, seeds: Seeds, limit: int | None) -> tuple[NDArray[Any], int]:
        """Return the same of a board that is contracted."""
        board = self.contraction
        if board is None:
            return self.in_waves(seeds, limit)
        shape = (self.space.layers, *self.space.shape)
        places = board.place

        def search(begun: Seeds) -> NDArray[Any]:
            layers, rows, cols, paid = begun.arrays
            layer, group = divmod(np.ravel_multi_index((layers, rows, cols), shape), len(places))
            costs = shortcuts.searched(board, layer, places[group], paid).take(places, axis=1).reshape(shape)
            np.minimum.at(costs, (layers, rows, cols), paid.astype(costs.dtype))  # a start may lie outside the graph
            return costs

        def like_any(layer: int, row: int, col: int) -> bool:
            group = int(np.ravel_multi_index((layer, row, col), shape)) % len(places)
            return bool(places[group] < board.size) and self._passable(layer, row, col)

        costs = searched_from(seeds, first_steps(self.space, seeds, self.tick, like_any), search)
        if limit is None or limit + 1 >= board.unreached:
            return costs, board.unreached
        return np.minimum(costs, limit + 1, out=costs), limit + 1

    def _passable(self, layer: int, row: int, col: int) -> bool:
        mask = self.space.holds("pass_", layer)
        return mask is None or bool(mask[row, col])
