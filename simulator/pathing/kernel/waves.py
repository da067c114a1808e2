"""Searches in waves: only the states that have just become cheaper are looked at, the cheapest of them first.

A level search goes through the whole window at every level, and relaxation through the whole board in every round.
Where a search takes long and each of its fronts is short, that is nearly all in vain. Here a round costs some twenty
calls of numpy and what the front itself takes. States of about the same cost go together: a wave is as wide as the
cheapest step, so hardly any state is looked at twice.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from simulator.pathing.kernel.legal import arrivals, never_reached
from simulator.pathing.move_space import MoveSpace

Ints: TypeAlias = NDArray[Any]
#: From states: where their steps lead, and the prices of these; both of one shape, the states along the last axis.
Steps: TypeAlias = Callable[[Ints], tuple[Ints, Ints]]

#: Up to so many states go together whatever they cost: a call of numpy costs more than to look at one of them twice.
_TOGETHER = 128


def flood(costs: Ints, reached: Ints, steps: Steps, width: int) -> None:
    """Lower the costs of all states until no step makes one cheaper; `reached` are those to begin with.

    A step to a state that costs no more than what is offered is not made, so what may not be exceeded stands in `costs`.
    """
    waiting = reached
    number = np.empty(len(costs), np.int32)  # where a state stands among those waiting: at its last place
    while len(waiting):
        here, later, paid = waiting, waiting[:0], costs.take(waiting)
        if len(waiting) > _TOGETHER:
            soon = paid < int(paid.min()) + width
            chosen = np.flatnonzero(soon)
            here, later, paid = waiting.take(chosen), waiting.take(np.flatnonzero(~soon)), paid.take(chosen)
        there, offered = steps(here)
        offered += paid
        cheaper = np.flatnonzero(offered < costs.take(there))
        there, offered = there.ravel().take(cheaper), offered.ravel().take(cheaper)
        np.minimum.at(costs, there, offered)
        waiting = np.concatenate((later, there))
        places = np.arange(len(waiting), dtype=np.int32)
        number[waiting] = places
        waiting = waiting[number.take(waiting) == places]


class Lattice:
    """The steps of a move space as waves take them: offsets on a board with a margin, and prices by arrival.

    A state is a number: layer after layer, each a board with blocked cells around it.
    """

    def __init__(self, space: MoveSpace, tick: int) -> None:
        self.shape, self.layers = space.shape, space.layers
        rows, cols = space.shape
        steps = [step for step in space.steps if abs(step.d_row) < rows and abs(step.d_col) < cols]
        self.margin = max((max(abs(step.d_row), abs(step.d_col)) for step in steps), default=0)
        self.width = cols + self.margin
        #: The number of cells of a layer, those around the board included.
        self.size = (rows + 2 * self.margin) * self.width + self.margin
        prices = [np.where(legal, price // tick, -1) for step in steps for price, legal in [arrivals(space, step)]]
        self.unreached = never_reached(space, tick)
        self.dtype = np.dtype(np.int32 if self.unreached < 2**31 else np.int64)
        planes = np.full((len(steps) + 1, self.size), self.unreached, self.dtype)
        for plane, price in zip(planes, prices, strict=False):
            np.copyto(self.inside(plane), price, where=price >= 0, casting="unsafe")
        #: The least price of a step that is not free, in ticks.
        self.least = min((int(price[price > 0].min(initial=self.unreached)) for price in prices), default=1)
        self._prices = planes.reshape(-1)
        by_layer: list[list[tuple[int, int]]] = [[] for _ in range(self.layers)]
        for number, step in enumerate(steps):
            here = space.layer_of(step.from_heading, step.from_phase)
            there = space.layer_of(step.to_heading, step.to_phase)
            far = (there - here) * self.size + step.d_row * self.width + step.d_col
            by_layer[here].append((far, (number - there) * self.size))
        # A layer with fewer steps than others stays where it is at a price that nobody can pay: the last plane.
        most = max(map(len, by_layer))
        lines = [
            some + [(0, (len(steps) - layer) * self.size)] * (most - len(some)) for layer, some in enumerate(by_layer)
        ]
        table = np.array(lines, np.intp).reshape(self.layers, most, 2)
        #: By step and layer: how far it leads, and how far its price is from the state that it leads to.
        self._far, self._price = (np.ascontiguousarray(table[:, :, one].T) for one in range(2))

    @property
    def byte_count(self) -> int:
        """The memory of the prices."""
        return self._prices.nbytes

    def inside(self, padded: Ints) -> Ints:
        """Return the board without what is around it, of an array of one layer or of several."""
        rows, cols = self.shape
        first = self.margin * self.width + self.margin
        body = padded[..., first : first + rows * self.width - self.margin]
        strides = (*body.strides[:-1], self.width * body.itemsize, body.itemsize)
        return np.lib.stride_tricks.as_strided(body, (*body.shape[:-1], rows, cols), strides)

    def numbers(self, layers: Ints, rows: Ints, cols: Ints) -> Ints:
        """Return the numbers of states."""
        numbers: Ints = layers * self.size + (rows + self.margin) * self.width + cols + self.margin
        return numbers

    def untouched(self, unreached: int) -> Ints:
        """Return the costs of all states before a search."""
        return np.full(self.layers * self.size, unreached, self.dtype)

    def steps(self, states: Ints) -> tuple[Ints, Ints]:
        """Return where the steps of some states lead, and their prices: (step, state)."""
        if self.layers == 1:
            there = states + self._far
            return there, self._prices.take(there + self._price)
        layers = states // self.size
        there = states + self._far.take(layers, axis=1)
        return there, self._prices.take(there + self._price.take(layers, axis=1))
