"""States by their numbers: those that a search kept, and others that are added as they come up."""

from __future__ import annotations

import numpy as np

from simulator.geometry.convex import IntArray
from simulator.pathing.columns import join, pick
from simulator.pathing.posed.states import PoseStates


class NumberedStates:
    """The states of a search by their numbers, and those that were added."""

    def __init__(self, states: PoseStates) -> None:
        self._lots, self._first = [states], [0, len(states.price)]

    def add(self, states: PoseStates) -> IntArray:
        """Add states, and return their numbers."""
        first = self._first[-1]
        self._lots.append(states)
        self._first.append(first + len(states.price))
        return np.arange(first, self._first[-1])

    def rows(self, numbers: IntArray) -> PoseStates:
        """Return some of them."""
        lot = np.searchsorted(self._first, numbers, side="right") - 1
        order = np.argsort(lot, kind="stable")
        parts = [
            pick(self._lots[one], numbers[lot == one] - self._first[one]) for one in np.unique(lot).tolist() or [0]
        ]
        found: PoseStates = pick(join(parts), np.argsort(order, kind="stable"))
        return found
