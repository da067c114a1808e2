"""Sweeps that begin in an earlier phase and are drawn as far as the next one pays for.

Fans turn at a pose where the earlier phase ends and go straight on. Strips turn anywhere on a leg of the earlier phase,
once at its end, and perhaps once more when the next one begins.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import FloatArray
from simulator.pathing.columns import join, pick
from simulator.pathing.posed.handovers import Handover
from simulator.pathing.posed.pockets import Pockets
from simulator.pathing.posed.rays import may_turn, shorter
from simulator.pathing.posed.states import PoseStates, rates_of
from simulator.pathing.posed.sweeps_of_rays import Aims, LegStrips, Outset, PoseFans, cheaper_turns
from simulator.pathing.posed.whole_legs import alike_legs, whole_legs

#: Turns by less are none.
_NO_TURN = 1e-9


class SpanningFans(PoseFans):
    """Turns by any angle from states of a phase, and legs as far as it pays for: where the next one goes on ahead."""

    def __init__(self, handover: Handover, states: PoseStates, facing: float | None = None) -> None:
        super().__init__(handover.space, states, facing)
        self._handover, self._before = handover, states

    def outset(self, family: IntArray, at: FloatArray) -> Outset:
        """Turn and go on in the earlier phase; where that may not end there is no ray."""
        found = super().outset(family, at)
        every = np.ones(len(at), np.bool_)
        return _handed_over(self._handover, self._before, found, self.modes[family], every)

    def gaps(self, family: IntArray, apart: FloatArray, inches: FloatArray) -> FloatArray:
        """Compute the lengths of arcs, which are those of longer rays."""
        return super().gaps(family, apart, inches + self._handover.farthest)

    def step(self, inches: FloatArray, error: float) -> FloatArray:
        """Compute the angle of which the chord of longer rays misses its arc by the error."""
        return super().step(inches + self._handover.farthest, error)


class SpanningStrips(LegStrips):
    """Turns anywhere on legs of a phase at its end, by one angle each, and turns of the next phase by another."""

    def __init__(self, handover: Handover, found: Pockets) -> None:
        """Take pockets of which the sources are where the next phase begins, on legs of this one."""
        states = _turned_last(handover, found)
        before = pick(handover.found.every, states.parent)
        last = shorter(found.sources.heading - states.heading)
        legs, (family, first) = whole_legs(handover.space, before, states, last, found.heading, found.mode)
        self._handover, self._last = handover, last[first]
        self._next = shorter(found.heading - found.sources.heading)[first]
        aims = Aims(family, found.mode, found.places)
        super().__init__(handover.space, legs, found.heading[first], found.mode[first], aims)

    def outset(self, family: IntArray, at: FloatArray) -> Outset:
        """Turn on the legs, end the phase, and turn once more; who makes no second turn goes on before it ends."""
        handover, leg, none = self._handover, self.leg_of[family], np.zeros(len(at))
        states = self._all.states(leg, at)
        turns = cheaper_turns(
            handover.space, states, rates_of(handover.space, states), np.arange(len(at)), self._last[leg]
        )
        outset = Outset(states.place, states.heading, turns, states.travelled + turns.toll, np.ones(len(at), np.bool_))
        straight = np.abs(self._next[leg]) <= _NO_TURN
        found = _handed_over(handover, states, outset, self.modes[family], straight)
        turning = np.flatnonzero(~straight)
        if not len(turning):
            return found
        space = handover.next_space
        begun = handover.begun(
            found.turns, none.astype(np.intp), found.start, np.full(len(at), -1), none, found.turns.tolls
        )
        angle = np.where(straight, 0.0, self._next[leg])
        turns = cheaper_turns(space, begun, rates_of(space, begun), np.arange(len(at)), angle)
        free = found.free & may_turn(space, begun.place, begun.heading, turns.heading - begun.heading)
        return Outset(found.start, begun.heading, turns, begun.travelled + turns.toll, free)


@dataclass(frozen=True, eq=False)
class StripsBefore:
    """The strips of a phase that lead to what is missing of the area of the next."""

    handover: Handover

    def with_states_before(self, found: Pockets) -> Pockets:
        """Return pockets with the states of this phase that they come from, where the last leg begins the next one."""
        row = np.flatnonzero(_begin(found))
        if not len(row):
            return found
        rest = np.delete(np.arange(len(found.mode)), row)
        before = join([self.handover.states_before(pick(found.sources, row)), pick(found.before, rest)])
        return found._replace(before=pick(before, np.argsort(np.r_[row, rest])))

    def lead_to(self, found: Pockets) -> BoolArray:
        """Find the pockets that are reached from where the next phase begins on a leg of this one."""
        begin = _begin(found)
        begin[begin] = _turned_last(self.handover, pick(found, begin)).mode >= 0
        return begin

    def numbers(self, found: Pockets) -> IntArray:
        """Number the strips that lead to such pockets; those of one are alike."""
        states = _turned_last(self.handover, found)
        before = pick(self.handover.found.every, states.parent)
        return alike_legs(before, states, found.sources.heading - states.heading, found.heading, found.mode)[1]

    def sweep(self, found: Pockets) -> SpanningStrips:
        """Return the strips that lead to such pockets."""
        return SpanningStrips(self.handover, found)


def _begin(found: Pockets) -> BoolArray:
    """Find the pockets of which the last leg starts from where a phase begins."""
    return np.asarray(found.sources.parent < -1)


def _turned_last(handover: Handover, found: Pockets) -> PoseStates:
    """Return the states of a phase in which the last turns were made before pockets, or before those of the next phase.

    Where a leg leads straight on from phase to phase that is where it begins.
    """
    states = found.before
    turns = np.abs(shorter(found.heading - found.sources.heading))
    turns += np.abs(shorter(found.sources.heading - states.heading))
    ahead = (turns <= _NO_TURN) & (states.mode == found.mode) & (states.parent >= 0)
    row = np.r_[np.flatnonzero(~ahead), np.flatnonzero(ahead)]
    every = join([pick(states, ~ahead), pick(handover.found.every, states.parent[ahead])])
    turned: PoseStates = pick(every, np.argsort(row))
    return turned


def _handed_over(handover: Handover, states: PoseStates, outset: Outset, mode: IntArray, goes_on: BoolArray) -> Outset:
    """Go on after the last turns of a phase as far as it pays for, where that is wanted, and begin the next."""
    turns = outset.turns
    paid = handover.space.can_pay(turns.price) & outset.free
    left = handover.space.left_for_legs(turns.price, outset.travelled)
    longest = np.where(paid & goes_on, handover.space.longest_legs(left, mode, turns.covered), 0.0)
    inches, places, tolls = handover.legs(turns, states, mode, longest)
    begun = handover.begun(turns, turns.state, places, mode, inches, tolls)
    free = paid & may_turn(handover.space, outset.start, outset.before, turns.heading - outset.before)
    free &= handover.may_end(places, turns.heading, tolls)
    turns = turns._replace(price=begun.price, free=begun.free, group=begun.group, toll=begun.price, tolls=tolls)
    turns = turns._replace(since=begun.since, covered=begun.covered)
    return Outset(places, turns.heading, turns, begun.travelled, free)
