"""The order in which a search goes on from states: by waves of about equal price, each mover by its own."""

from __future__ import annotations

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
        self._states: list[PoseStates] = []

    def __bool__(self) -> bool:
        return bool(self._states)

    def add(self, states: PoseStates) -> None:
        """Put states off."""
        self._states.append(states)

    def next(self) -> PoseStates:
        """Take the states of the cheapest wave of each mover, on the first of its levels that has some.

        Movers need not be at the same wave: the more of them go on at once, the fewer turns it takes.
        """
        states = join(self._states)
        lanes = len(self._mover)
        turn = np.floor(states.price / self._widths[states.level]).astype(np.intp) * lanes + states.level
        first = np.full(lanes, np.iinfo(np.intp).max)
        whose = self._mover[states.level]
        np.minimum.at(first, whose, turn)
        due = turn == first[whose]
        self._states = [] if due.all() else [pick(states, ~due)]
        return pick(states, due)
