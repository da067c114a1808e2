"""One cheapest route at a time: only the states are looked at from which a cheapest route leads to its end.

That is much less than all that a search has reached, and most of those who ask for a route ask for one or two. The
route is the one that `traces` defines. Few states are looked at one by one (`short_cones`), many as arrays.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulator.pathing.columns import join
from simulator.pathing.move_space import BLOCKED, UNREACHED, At, Mask, MoveSpace, MoveState, Plane, Start
from simulator.pathing.seeds import Seeds
from simulator.pathing.short_cones import LastStep, ShortCones
from simulator.pathing.traces import Edges, RouteStep, Trace, last_steps

IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]


class _Steps(NamedTuple):
    """The steps of a space that lead to one layer, as columns."""

    number: IntArray
    d_row: IntArray
    d_col: IntArray
    source_layer: IntArray


class _Cells(NamedTuple):
    """Steps between cells of the board: the row of each in `_Steps` of the layer, and where it leaves and arrives."""

    step: IntArray  #: by its number in the table of the space
    source_layer: IntArray
    leaves: tuple[IntArray, IntArray]
    arrives: tuple[IntArray, IntArray]

    def at(self, where: At) -> tuple[IntArray, IntArray]:
        """Return the rows and columns of one of their ends."""
        return self.arrives if where == "arrival" else self.leaves


class Cones:
    """The routes to single states of what a search has found: costs in a window of the board, from some corner on."""

    def __init__(self, space: MoveSpace, seeds: Seeds, costs: Plane, corner: tuple[int, int]) -> None:
        self._space, self._costs, self._corner = space, costs, corner
        layers, rows, cols, paid = seeds.arrays
        starts = self._numbers(layers, rows, cols)
        begun = costs.reshape(-1)[starts] == paid
        #: The states that may be left though nobody passes them, and those where routes begin.
        self._starts, self._roots = frozenset(starts.tolist()), frozenset(starts[begun].tolist())
        self._short = ShortCones(space, costs, corner, self._starts, self._roots)
        self._into: dict[int, _Steps] = {}
        #: How many routes were asked for.
        self.traced = 0

    def trace(self, layer: int, row: int, col: int) -> Trace:
        """Return the route to a state that is reached."""
        self.traced += 1
        goal = self._number(layer, row, col)
        if goal in self._roots:
            return Trace(Start(*self._state(goal), self._cost(goal)), ())
        few = self._short.last_steps(goal)
        chosen = self._last_steps(goal) if few is None else few
        lines, at = list[RouteStep](), goal
        while at not in self._roots:
            before, step = chosen[at]
            cost, paid = self._cost(at), self._cost(before)
            lines.append(RouteStep(self._space.steps[step], self._state(at), cost - paid, cost))
            at = before
        return Trace(Start(*self._state(at), self._cost(at)), tuple(reversed(lines)))

    def _last_steps(self, goal: int) -> dict[int, LastStep]:
        """Return the last step of the route to each state on the way to a goal."""
        tight = join(list(self._tight_to(np.array([goal]))))
        states = np.unique(np.concatenate([tight.source, tight.target]))
        here = tight._replace(
            source=np.searchsorted(states, tight.source), target=np.searchsorted(states, tight.target)
        )
        roots = np.flatnonzero(self._is_root[states])
        sources, steps = last_steps(self._space, here, self._costs.reshape(-1)[states], roots)
        found = zip(states.tolist(), states[sources].tolist(), steps.tolist(), strict=True)
        return {state: (source, step) for state, source, step in found}

    # --- states by number ---

    def _number(self, layer: int, row: int, col: int) -> int:
        height, width = self._costs.shape[-2:]
        number: int = (layer * height + row - self._corner[0]) * width + col - self._corner[1]
        return number

    def _cost(self, number: int) -> int:
        cost: int = self._costs.item(number)
        return cost

    @cached_property
    def _is_start(self) -> BoolArray:
        return self._marked(self._starts)

    @cached_property
    def _is_root(self) -> BoolArray:
        return self._marked(self._roots)

    def _marked(self, states: Collection[int]) -> BoolArray:
        marked = np.zeros(self._costs.size, np.bool_)
        marked[list(states)] = True
        return marked

    def _numbers(self, layer: IntArray | int, row: IntArray | int, col: IntArray | int) -> IntArray:
        (_, height, width), (top, left) = self._costs.shape, self._corner
        return np.asarray((np.asarray(layer) * height + np.asarray(row) - top) * width + np.asarray(col) - left)

    def _cells(self, numbers: IntArray) -> tuple[IntArray, IntArray, IntArray]:
        layer, row, col = np.unravel_index(numbers, self._costs.shape)
        return layer, row + self._corner[0], col + self._corner[1]

    def _state(self, number: int) -> MoveState:
        _, height, width = self._costs.shape
        layer, cell = divmod(number, height * width)
        row, col = divmod(cell, width)
        return self._space.state_at(layer, row + self._corner[0], col + self._corner[1])

    # --- the steps of cheapest routes ---

    def _tight_to(self, frontier: IntArray) -> Iterator[Edges]:
        """Yield the steps of cheapest routes that lead to some states, then those that lead to where these begin."""
        seen = self._is_root.copy()
        while len(frontier):
            seen[frontier] = True
            found = self._into_states(frontier)
            yield found
            frontier = np.unique(found.source[~seen[found.source]])

    def _into_states(self, targets: IntArray) -> Edges:
        """Return the steps with which cheapest routes arrive at some states."""
        layer, row, col = self._cells(targets)
        lots = []
        for one in np.unique(layer).tolist():
            some = np.flatnonzero(layer == one)
            lots.append(self._into_cells(one, targets[some], row[some], col[some]))
        return join(lots)

    def _into_cells(self, layer: int, targets: IntArray, row: IntArray, col: IntArray) -> Edges:
        """Return the same for cells of one layer."""
        into = self._steps_into(layer)
        from_row, from_col = row[:, None] - into.d_row, col[:, None] - into.d_col
        (rows, cols), (_, height, width), (top, left) = self._space.shape, self._costs.shape, self._corner
        inside = (from_row >= max(top, 0)) & (from_row < min(top + height, rows))
        inside &= (from_col >= max(left, 0)) & (from_col < min(left + width, cols))
        here, k = np.nonzero(inside)
        cells = _Cells(
            into.number[k], into.source_layer[k], (from_row[here, k], from_col[here, k]), (row[here], col[here])
        )
        sources = self._numbers(cells.source_layer, *cells.leaves)
        flat = self._costs.reshape(-1)
        # Most steps are ruled out by what the states cost, before anything is read from the board.
        left_over = flat[targets[here]] - flat[sources]
        able = (flat[sources] < UNREACHED) & (left_over >= 0)
        price = np.full(len(k), BLOCKED)
        some = np.flatnonzero(able)
        cells = _Cells(cells.step[some], cells.source_layer[some], *((r[some], c[some]) for r, c in cells[2:]))
        price[some] = self._prices(cells)
        kept = some[(price[some] == left_over[some]) & self._may_go(cells, layer, sources[some])]
        return Edges(sources[kept], targets[here[kept]], into.number[k[kept]], price[kept])

    def _steps_into(self, layer: int) -> _Steps:
        if layer not in self._into:
            space = self._space
            heading, phase = space.layer_labels[layer]
            steps = [
                (number, step.d_row, step.d_col, space.layer_of(step.from_heading, step.from_phase))
                for number, step in enumerate(space.steps)
                if step.to_heading == heading and step.to_phase == phase
            ]
            self._into[layer] = _Steps(*np.array(steps, np.int64).reshape(-1, 4).T)
        return self._into[layer]

    def _prices(self, cells: _Cells) -> IntArray:
        """Return the price of each step, as `MoveSpace.prices` has it."""
        price = np.zeros(len(cells.step), np.int64)
        for number in np.unique(cells.step).tolist():
            step, some = self._space.steps[number], np.flatnonzero(cells.step == number)
            price[some] = step.cost
            if step.plane is not None:
                factor = self._read(self._space.planes[step.plane], cells, step.plane_at, some)
                price[some] = np.where(factor < 0, BLOCKED, price[some] * factor)
            if step.surcharge is not None:
                more = self._read(self._space.planes[step.surcharge], cells, step.surcharge_at, some)
                price[some] = np.where((price[some] < 0) | (more < 0), BLOCKED, price[some] + more)
            if step.gate is not None:
                is_open = self._read(self._space.gates[step.gate], cells, step.gate_at, some)
                price[some] = np.where(is_open, price[some], BLOCKED)
        return price

    @staticmethod
    def _read(plane: NDArray[Any], cells: _Cells, where: At, some: IntArray) -> NDArray[Any]:
        row, col = cells.at(where)
        return plane[row[some], col[some]]

    def _may_go(self, cells: _Cells, layer: int, sources: IntArray) -> BoolArray:
        """Whether each step may leave its cell and enter the other one; a start may be left though nobody passes it."""
        passed = self._holds(self._space.pass_, cells.source_layer, cells.leaves) | self._is_start[sources]
        may_leave = self._holds(self._space.leave, cells.source_layer, cells.leaves)
        return np.asarray(passed & may_leave & self._holds(self._space.enter, layer, cells.arrives))

    def _holds(self, mask: Mask | None, layer: IntArray | int, at: tuple[IntArray, IntArray]) -> BoolArray:
        if mask is None:
            return np.ones(len(at[0]), np.bool_)
        return mask.reshape(self._space.layers, *self._space.shape)[layer, *at] if mask.ndim == 4 else mask[at]
