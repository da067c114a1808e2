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

from simulator.pathing.kernel.legal import arrivals, cost_type
from simulator.pathing.move_space import MoveSpace, MoveStep, landing

Ints: TypeAlias = NDArray[Any]
#: From states: where their steps lead, and the prices of these; states along the last axis.
Steps: TypeAlias = Callable[[Ints], tuple[Ints, Ints]]

#: How many states go together whatever they cost: a call of numpy costs more than to look at one of them twice.
_TOGETHER = 128


def flood(costs: Ints, reached: Ints, steps: Steps, width: int) -> None:
    """Lower the costs of all states until no step makes one cheaper; `reached` are those to begin with.

    No state gets a cost that is not below what `costs` holds for it, so that is also the bound of the search.
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
        cheaper = np.flatnonzero(offered < costs.take(there, mode="clip"))
        there, offered = there.ravel().take(cheaper), offered.ravel().take(cheaper)
        np.minimum.at(costs, there, offered)
        waiting = np.concatenate((later, there))
        places = np.arange(len(waiting), dtype=np.int32)
        number[waiting] = places
        waiting = waiting[number.take(waiting) == places]


class WaveBoard:
    """The steps of a move space as waves take them: the prices of the steps of each state.

    A state is a number: layer after layer, row after row.
    """

    def __init__(self, space: MoveSpace, tick: int, unreached: int) -> None:
        self.layers = space.layers
        self._cells = space.shape[0] * space.shape[1]
        self.unreached = unreached
        self.dtype = cost_type(unreached)
        by_layer: list[list[MoveStep]] = [[] for _ in range(space.layers)]
        for step in space.steps:
            by_layer[space.layer_of(step.from_heading, step.from_phase)].append(step)
        most = max(map(len, by_layer))
        #: How many layers, rows and columns further the steps of each layer lead: (layer, step, axis).
        self.leads = np.zeros((space.layers, most, 3), np.int64)
        # A step that may not be made costs more than anyone can pay, wherever it leads.
        prices = np.full((most, space.layers, *space.shape), self.unreached, self.dtype)
        #: The least price of a step that is not free, in ticks.
        self.least = self.unreached
        for here, steps in enumerate(by_layer):
            for number, step in enumerate(steps):
                there = space.layer_of(step.to_heading, step.to_phase)
                self.leads[here, number] = there - here, step.d_row, step.d_col
                price, legal = arrivals(space, step)
                ticks = np.where(legal, price // tick, self.unreached)
                self.least = min(self.least, int(ticks.min(initial=self.least, where=ticks > 0)))
                before = landing(space.shape, -step.d_row, -step.d_col)
                prices[number, here, *before] = ticks[landing(space.shape, step.d_row, step.d_col)]
        self.prices = prices.reshape(most, -1)
        #: How much higher the number of the state is to which they lead: (step, layer).
        self.far = np.ascontiguousarray((self.leads @ (self._cells, space.shape[1], 1)).T)

    @property
    def byte_count(self) -> int:
        """The memory of the prices."""
        return self.prices.nbytes

    def steps(self, states: Ints) -> tuple[Ints, Ints]:
        """Return where the steps of some states lead, and their prices: (step, state)."""
        far = self.far if self.layers == 1 else self.far.take(states // self._cells, axis=1)
        return states + far, self.prices.take(states, axis=1)
