"""The order in which a search goes on from states: by waves of about equal price, for many movers at a time."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from simulator.geometry.convex import IntArray
from simulator.geometry.pieces import FloatArray
from simulator.pathing.columns import join, pick
from simulator.pathing.posed.states import PoseStates


class Waves:
    """States put off until it is the turn of their wave, those of equal price of a mover."""

    def __init__(self, widths: FloatArray, mover: IntArray) -> None:
        """Set by lane how wide its waves are, and whose it is."""
        self._widths, self._mover = widths, mover
        self._states: defaultdict[int, list[PoseStates]] = defaultdict(list)

    def __bool__(self) -> bool:
        return bool(self._states)

    def add(self, states: PoseStates) -> None:
        """Put states off."""
        waves = np.floor(states.price / self._widths[states.level]).astype(np.intp)
        order = np.argsort(waves, kind="stable")
        numbers, first = np.unique(waves[order], return_index=True)
        for number, rows in zip(numbers.tolist(), np.split(order, first[1:]), strict=True):
            self._states[number].append(pick(states, rows))

    def next(self) -> PoseStates:
        """Take the states of the cheapest wave, of each mover on the first of its levels that has some."""
        number = min(self._states)
        states = join(self._states.pop(number))
        first = np.full(len(self._mover), len(self._mover))
        whose = self._mover[states.level]
        np.minimum.at(first, whose, states.level)
        due = states.level == first[whose]
        if not due.all():
            self._states[number].append(pick(states, ~due))
        return pick(states, due)
