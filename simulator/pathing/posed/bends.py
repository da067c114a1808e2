"""The last legs of ways that lead obliquely, begun sooner or later: where a way bends.

An oblique leg leads anywhere without a turn, so it may leave the leg before anywhere. Where the ground is even and
nothing stands in the way it is known where that is best; elsewhere it is closed in on by parts.
"""

from __future__ import annotations

import numpy as np

from simulator.geometry.convex import IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import TOUCH
from simulator.pathing.columns import pick
from simulator.pathing.posed.closing_in import ClosingIn
from simulator.pathing.posed.last_legs import LastLegs, LastTurns
from simulator.pathing.posed.rays import aimed
from simulator.pathing.posed.slides import APART, legs_to
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates

#: Bends are closed in on so often.
ROUNDS = 4


class LegBend:
    """Ways to goals at `places` of which the last legs are oblique, one row each, from `before` by `states`."""

    def __init__(
        self, space: PoseSpace, before: PoseStates, states: PoseStates, ways: LastLegs, places: FloatArray, mesh: float
    ) -> None:
        self._space, self._ways, self._places = space, ways, places
        self._legs, self._inches = legs_to(space, before, states, mesh), states.inches
        self._angle = ways.turns.heading - states.heading
        low = np.maximum(states.inches - mesh, APART) - states.inches
        high = np.minimum(states.inches + mesh, self._legs.rays.length) - states.inches
        self.closing = ClosingIn(np.minimum(low, 0.0), np.maximum(high, 0.0), TOUCH)

    def made(self, row: IntArray, farther: FloatArray) -> tuple[PoseStates, LastTurns]:
        """Make ways that bend so much farther along their legs: the states they bend in, and their last legs."""
        at = self._inches[row] + farther
        states = self._legs.states(row, at)
        away = self._places[row] - states.place
        bearing, inches = np.degrees(np.arctan2(away[:, 1], away[:, 0])), np.hypot(away[:, 0], away[:, 1])
        angle, mode = aimed(self._space, states.heading, self._angle[row], self._ways.mode[row], bearing)
        every, none = np.arange(len(row)), np.zeros(len(row))
        last = LastTurns(self._ways.goal[row], every, none, angle, mode, inches, none, none)
        return states, pick(last, np.flatnonzero(inches > TOUCH))
