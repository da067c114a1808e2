"""The legal steps of a space as the searches of single states need them, and the first steps of its starts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulator.pathing.move_space import Mask, MoveSpace, MoveStep, Plane, shifted
from simulator.pathing.seeds import Column, Seeds
from simulator.pathing.traces import edges, exits

#: The starts of none of the queries: nothing is passable because it is a start.
NO_SEEDS = Seeds([[], [], [], []])


def arrivals(space: MoveSpace, step: MoveStep) -> tuple[Plane, Mask]:
    """Return the price of arriving at each cell by a step, and where that is legal for a unit on its way."""
    price = space.prices(step)
    here, there = space.layer_of(step.from_heading, step.from_phase), space.layer_of(step.to_heading, step.to_phase)
    legal = (price >= 0) & shifted(exits(space, NO_SEEDS, here), step.d_row, step.d_col, False)
    enter = space.holds("enter", there)
    return price, legal if enter is None else legal & enter


def never_reached(space: MoveSpace, tick: int) -> int:
    """Return a cost in ticks above that of every way; twice that fits a type of 32 or 64 bits."""
    longest = (space.dearest // tick + 1) * space.layers * space.shape[0] * space.shape[1]
    return 2**30 - 1 if longest < 2**29 else 2**62 - 1


def cost_type(unreached: int) -> np.dtype[Any]:
    """Return the type of costs in ticks up to twice one that is never reached."""
    return np.dtype(np.int32 if unreached < 2**31 else np.int64)


def most_paid(unreached: int) -> int:
    """Return the most that may be paid for a start, so that no way from it costs as much as one never reached."""
    return unreached // 2


class FirstSteps(NamedTuple):
    """The steps from starts that nobody else may leave: the number of the start, where it leads, and its price."""

    seed: Column
    layer: Column
    row: Column
    col: Column
    price: Column


def first_steps(
    space: MoveSpace, seeds: Seeds, tick: int, leaves: Callable[[int, int, int], bool]
) -> FirstSteps | None:
    """Return the first steps of the starts that are not left like any other state, by `leaves`; None: all are."""
    alone = [
        number for number, state in enumerate(zip(seeds.layer, seeds.row, seeds.col, strict=True)) if not leaves(*state)
    ]
    if not alone:
        return None
    rows, cols = space.shape
    down = max((abs(step.d_row) for step in space.steps), default=0)
    across = max((abs(step.d_col) for step in space.steps), default=0)
    found = []
    for number in alone:
        layer, row, col = seeds.layer[number], seeds.row[number], seeds.col[number]
        top, left = max(row - down, 0), max(col - across, 0)
        near = space.part(slice(top, min(row + down + 1, rows)), slice(left, min(col + across + 1, cols)))
        steps = edges(near, Seeds([[layer], [row - top], [col - left], [0]]))
        mine = steps.chosen(steps.source == np.ravel_multi_index((layer, row - top, col - left), _states(near)))
        layers, to_rows, to_cols = np.unravel_index(mine.target, _states(near))
        found.append((np.full(len(layers), number), layers, to_rows + top, to_cols + left, mine.price // tick))
    return FirstSteps(*(np.concatenate(column) for column in zip(*found, strict=True)))


def _states(space: MoveSpace) -> tuple[int, int, int]:
    return (space.layers, *space.shape)


def searched_from(seeds: Seeds, first: FirstSteps | None, search: Callable[[Seeds], NDArray[Any]]) -> NDArray[Any]:
    """Search from starts and from where their first steps lead; `search` returns the costs of all states of the board.

    A start can be reached from another one for less than was paid for it; then its first steps are cheaper, too.
    """
    if first is None:
        return search(seeds)
    layers, rows, cols, paid = seeds.arrays
    while True:
        further = (first.layer, first.row, first.col, paid[first.seed] + first.price)
        begun = zip((layers, rows, cols, paid), further, strict=True)
        costs = search(Seeds([np.concatenate(pair).tolist() for pair in begun]))
        found = costs[layers, rows, cols]
        if (found == paid).all():
            return costs
        paid = found
