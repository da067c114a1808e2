"""The result of a search: `Costs`, the cheapest cost of every state in a window of the board.

The engines count in *ticks*: the greatest unit that divides every price. `Costs` keeps their compact arrays
and computes costs in the unit of the move space on demand.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulator.geometry.poses import Heading
from simulator.pathing.cones import Cones
from simulator.pathing.move_space import UNREACHED, Mask, MoveSpace, MoveState, Plane
from simulator.pathing.seeds import Seeds
from simulator.pathing.traces import Forest, NoRoute, Trace, moved_along

#: Up to this many different costs are looked up in a table, which is faster than arithmetic.
_MOST_LOOKED_UP = 1 << 12
#: Up to so many routes are looked for one at a time.
_FEW = 4


class Window(NamedTuple):
    """A part of the board with everything a search can touch; it may extend beyond the edge of the board."""

    row: int
    col: int
    height: int
    width: int


#: The window of a search without starts.
NO_WINDOW = Window(0, 0, 1, 1)


def costs_of(ticks: NDArray[Any], unreached: int, tick: int, paid: int) -> Plane:
    """Convert ticks to costs: `paid` plus a multiple of `tick`; `unreached` becomes `UNREACHED`."""
    if unreached > _MOST_LOOKED_UP:
        counted = ticks.astype(np.int64, copy=False)
        counted = counted if tick == 1 else counted * tick
        return np.where(ticks < unreached, counted + paid if paid else counted, UNREACHED)
    cost = np.arange(unreached + 1) * tick + paid
    cost[-1] = UNREACHED
    # Numbers that need neither be converted nor checked on the way are looked up in half the time.
    return cost.take(ticks.astype(np.intp), mode="clip")


class Costs:
    """The cheapest cost of every state in a window of the board; nothing outside it is reached.

    `array` holds costs in the shape (layers, height, width), `UNREACHED` where nothing arrives within the
    budget. `window` is its position on the board; beyond the edge of the board nothing is reached.
    """

    def __init__(
        self,
        space: MoveSpace,
        seeds: Seeds,
        window: Window,
        ticks: NDArray[Any],
        unreached: int,
        tick: int = 1,
        paid: int = 0,
        method: str = "",
    ) -> None:
        self.space = space
        self.seeds = seeds
        self.window = window
        #: Costs above `paid` in units of `tick`, in the engine's compact type; `unreached_tick` is not reached.
        self.ticks = ticks
        self.unreached_tick = unreached
        self.tick = tick
        self.paid = paid
        #: What found the answer: "networkx", an executor of the kernel ("wide", "waves", ...), or "" without starts.
        self.method = method

    @classmethod
    def nowhere(cls, space: MoveSpace, seeds: Seeds) -> Costs:
        """Return the result of a search without starts: nothing is reached."""
        return cls(space, seeds, NO_WINDOW, np.zeros((space.layers, 1, 1), np.uint8), 0)

    @cached_property
    def array(self) -> Plane:
        """Costs in the shape (layers, height, width), in the unit of the space."""
        return costs_of(self.ticks, self.unreached_tick, self.tick, self.paid)

    @cached_property
    def cells(self) -> Plane:
        """Costs in the shape (height, width): the least over headings and phases."""
        return costs_of(self.ticks.min(axis=0), self.unreached_tick, self.tick, self.paid)

    def at(self, row: int, col: int, *label: Heading | str) -> int:
        """Return the cost of a state, or of a cell at its cheapest: `at(3, 4, 90, "even")` or `at(3, 4)`.

        A cell beyond the window, or beyond the board, is `UNREACHED`.
        """
        layer = self.space.layer_of(label[0], str(label[1])) if label else None
        top, left, height, width = self.window
        if not (0 <= row - top < height and 0 <= col - left < width):
            return UNREACHED
        return int(self.cells[row - top, col - left] if layer is None else self.array[layer, row - top, col - left])

    def full(self) -> Plane:
        """Return costs for the whole board, in the shape (layers, rows, columns)."""
        return self.on_board(self.array, UNREACHED)

    def on_board(self, values: NDArray[Any], beyond: int | bool) -> NDArray[Any]:
        """Return an array of the window as one of the whole board, with `beyond` outside the window."""
        whole = np.full((*values.shape[:-2], *self.space.shape), beyond, values.dtype)
        board, inside = self.overlap
        whole[..., board[0], board[1]] = values[..., inside[0], inside[1]]
        return whole

    @cached_property
    def overlap(self) -> tuple[tuple[slice, slice], tuple[slice, slice]]:
        """The overlap of window and board, as rows and columns of the board, and of the window."""
        top, left, height, width = self.window
        rows, cols = self.space.shape
        board = slice(max(top, 0), min(top + height, rows)), slice(max(left, 0), min(left + width, cols))
        inside = (
            slice(board[0].start - top, board[0].stop - top),
            slice(board[1].start - left, board[1].stop - left),
        )
        return board, inside

    @cached_property
    def ends(self) -> Mask:
        """Whether each state of the window is an end, in the shape of `array`."""
        return self._found_ends()

    def _found_ends(self) -> Mask:
        ends = self.ticks < self.unreached_tick
        board, inside = self.overlap
        if (may_end := self.space.end) is not None:
            by_layer = may_end.reshape(-1, *self.space.shape)  # one for all layers, or one for each
            ends[(slice(None), *inside)] &= by_layer[(slice(None), *board)]
        if self.space.start_is_end:
            layers, rows, cols, _ = self.seeds.arrays
            ends[layers, rows - self.window.row, cols - self.window.col] = True
        return ends

    # --- routes ---

    @cached_property
    def _cones(self) -> Cones:
        return Cones(self.space, self.seeds, self.array, self.window[:2])

    @cached_property
    def _forest(self) -> Forest:
        (rows, cols), inside = self.overlap
        layers, start_rows, start_cols, paid = self.seeds.arrays
        part = self.space.part(rows, cols)
        moved = Seeds([axis.tolist() for axis in (layers, start_rows - rows.start, start_cols - cols.start, paid)])
        return Forest(part, moved, self.array[:, inside[0], inside[1]])

    def trace(self, state: MoveState) -> Trace:
        """Return a cheapest route to a state (`traces` defines which one). Raise NoRoute if it is not reached."""
        if self.at(*state) == UNREACHED:
            raise NoRoute(f"no route to {tuple(state)} within the budget")
        layer = self.space.layer_of(state.heading, state.phase)
        # Whoever asks for many routes soon asks for all of them, which takes as long as some of them.
        if self._cones.traced < _FEW and "_forest" not in vars(self):
            return self._cones.trace(layer, state.row, state.col)
        (rows, cols), _ = self.overlap
        trace = self._forest.trace(layer, state.row - rows.start, state.col - cols.start)
        return moved_along(trace, rows.start, cols.start)

    def cheapest_state(self, row: int, col: int) -> MoveState:
        """Return the state in which a cell is reached most cheaply, the first layer of several."""
        if self.at(row, col) == UNREACHED:
            raise NoRoute(f"no route to ({row}, {col}) within the budget")
        layer = int(self.array[:, row - self.window.row, col - self.window.col].argmin())
        return self.space.state_at(layer, row, col)

    # --- ends ---

    def least_end_costs(self) -> Plane:
        """Return the least cost of ending in each cell of `overlap`, over all states; the result is not cached."""
        inside = self.overlap[1]
        least = np.where(self._found_ends(), self.ticks, self.unreached_tick).min(axis=0)[inside]
        return costs_of(least, self.unreached_tick, self.tick, self.paid)

    def end_cells(self) -> Mask:
        """Return a mask of the cells of the board with an end in any state."""
        return self.on_board(np.asarray(self.ends.any(axis=0)), False)

    def end_costs(self) -> Plane:
        """Return the cost of every end of the board, `UNREACHED` elsewhere: (layers, rows, columns)."""
        return self.on_board(np.where(self.ends, self.array, UNREACHED), UNREACHED)
