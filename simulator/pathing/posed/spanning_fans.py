"""Fans of an earlier phase as far as the next one pays for: what is drawn of legs straight on from phase to phase."""

from __future__ import annotations

import numpy as np

from simulator.geometry.convex import IntArray
from simulator.geometry.pieces import FloatArray
from simulator.pathing.posed.handovers import Handover
from simulator.pathing.posed.rays import may_turn
from simulator.pathing.posed.states import PoseStates
from simulator.pathing.posed.sweeps_of_rays import Outset, PoseFans


class SpanningFans(PoseFans):
    """Turns by any angle from states of a phase, and legs as far as it pays for: where the next one goes on ahead."""

    def __init__(self, handover: Handover, states: PoseStates, facing: float | None = None) -> None:
        super().__init__(handover.space, states, facing)
        self._handover, self._before = handover, states
        #: No ray of the next phase starts farther off.
        self._off = float(handover.space.budget) / handover.space.least_rate

    def outset(self, family: IntArray, at: FloatArray) -> Outset:
        """Turn and go on in the earlier phase; where that may not end there is no ray."""
        found = super().outset(family, at)
        handover, turns, mode = self._handover, found.turns, self.modes[family]
        paid = handover.space.can_pay(turns.price) & found.free
        left = handover.space.left_for_legs(turns.price, found.travelled)
        longest = np.where(paid, handover.space.longest_legs(left, mode), 0.0)
        inches, places, tolls = handover.legs(turns, self._before, mode, longest)
        begun = handover.begun(turns, turns.state, places, mode, inches, tolls)
        heading = found.before
        free = paid & may_turn(handover.space, found.start, heading, turns.heading - heading)
        free &= handover.may_end(places, turns.heading, tolls)
        turns = turns._replace(price=begun.price, free=begun.free, group=begun.group, toll=begun.price, tolls=tolls)
        turns = turns._replace(since=begun.since)
        return Outset(places, turns.heading, turns, begun.travelled, free)

    def gaps(self, family: IntArray, apart: FloatArray, inches: FloatArray) -> FloatArray:
        """Compute the lengths of arcs, which are those of longer rays."""
        return super().gaps(family, apart, inches + self._off)

    def step(self, inches: FloatArray, error: float) -> FloatArray:
        """Compute the angle of which the chord of longer rays misses its arc by the error."""
        return super().step(inches + self._off, error)
