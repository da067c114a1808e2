"""Dial's bucket queue, compiled by numba: a hand-written search in a fast language, with the same steps.

It serves the movers of `boards`: prices are `base`, or `base` times the ground at arrival.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from simulator.pathing.move_space import MoveSpace

_FAR = np.int32(2**30)
#: The number for no budget.
_ENDLESS = 2**29


@numba.njit(boundscheck=False)
def _flood(ground, steps, first_step, cost, source, budget, buckets, filled, touched):
    """Fill `cost` from a source. Return the number of touched states, which have to be reset."""
    cells = ground.size
    ring = buckets.shape[0]
    cost[source] = 0
    touched[0] = source
    count = 1
    buckets[0, 0] = source
    filled[0] = 1
    waiting = 1
    level = 0
    while waiting > 0 and level <= budget:
        slot = level % ring
        for i in range(filled[slot]):
            state = buckets[slot, i]
            if cost[state] != level:
                continue
            layer = state // cells
            cell = state - layer * cells
            for s in range(first_step[layer], first_step[layer + 1]):
                to_layer, offset, base, scaled = steps[s]
                there = cell + offset
                factor = ground[there]
                if factor < 0:
                    continue
                arrived = level + (base * factor if scaled else base)
                target = to_layer * cells + there
                before = cost[target]
                if arrived <= budget and arrived < before:
                    if before == _FAR:
                        touched[count] = target
                        count += 1
                    cost[target] = arrived
                    bucket = arrived % ring
                    buckets[bucket, filled[bucket]] = target
                    filled[bucket] += 1
                    waiting += 1
        waiting -= filled[slot]
        filled[slot] = 0
        level += 1
    filled[:] = 0
    return count


@numba.njit(boundscheck=False)
def _flood_many(ground, steps, first_step, cost, sources, budget, buckets, filled, touched, width, windows, corners):
    """Answer many sources, each with a window of least costs by cell that begins at its corner."""
    cells = ground.size
    for q in range(sources.size):
        count = _flood(ground, steps, first_step, cost, sources[q], budget, buckets, filled, touched)
        top, left = corners[q]
        for i in range(count):
            state = touched[i]
            cell = state % cells
            row, col = cell // width - top, cell % width - left
            if cost[state] < windows[q, row, col]:
                windows[q, row, col] = cost[state]
            cost[state] = _FAR


class Dial:
    """A move space laid out for the bucket queue."""

    def __init__(self, space: MoveSpace) -> None:
        ground = space.planes["ground"]
        self.space = space
        self.ground = np.pad(ground, 1, constant_values=-1).astype(np.int32)
        self.width = self.ground.shape[1]
        table = sorted(
            (
                space.layer_of(step.from_heading, step.from_phase),
                space.layer_of(step.to_heading, step.to_phase),
                step.d_row * self.width + step.d_col,
                step.cost,
                int(step.plane is not None),
            )
            for step in space.steps
        )
        self.steps = np.array([line[1:] for line in table], np.int32)
        self.first_step = np.searchsorted([line[0] for line in table], np.arange(space.layers + 1))
        dearest = max(step.cost * (int(ground.max()) if step.plane else 1) for step in space.steps)
        states = space.layers * self.ground.size
        self.cost = np.full(states, _FAR, np.int32)
        self.touched = np.empty(states, np.int32)
        self.buckets = np.empty((dearest + 1, max(states // 4, 4096)), np.int32)
        self.filled = np.zeros(dearest + 1, np.int64)
        self.reach = max(step.d_row for step in space.steps)

    def search(self, layer: int, row: int, col: int, budget: int | None) -> Any:
        """Answer one source."""
        return self.search_many(np.array([[layer, row, col]]), budget)

    def search_many(self, starts: NDArray[np.int64], budget: int | None) -> Any:
        """Answer many sources in one compiled loop: windows of costs, and their corners."""
        rows, cols = self.ground.shape
        cheapest = min(step.cost for step in self.space.steps if step.d_row or step.d_col)
        far = max(rows, cols) if budget is None else budget // cheapest
        height, width = min(2 * far + 1, rows), min(2 * far + 1, cols)
        corners = np.stack(
            [
                np.clip(starts[:, 1] + 1 - far, 0, rows - height),
                np.clip(starts[:, 2] + 1 - far, 0, cols - width),
            ],
            axis=1,
        )
        windows = np.full((len(starts), height, width), _FAR, np.int32)
        sources = starts[:, 0] * self.ground.size + (starts[:, 1] + 1) * self.width + starts[:, 2] + 1
        _flood_many(
            self.ground.reshape(-1),
            self.steps,
            self.first_step,
            self.cost,
            sources,
            _ENDLESS if budget is None else budget,
            self.buckets,
            self.filled,
            self.touched,
            self.width,
            windows,
            corners,
        )
        return windows, corners

    def on_board(self, window: NDArray[np.int32], corner: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return a window as a whole board, infinite where nothing is reached."""
        board = np.full(self.ground.shape, np.inf)
        top, left = corner
        board[top : top + window.shape[0], left : left + window.shape[1]] = np.where(window == _FAR, np.inf, window)
        return board[1:-1, 1:-1]
