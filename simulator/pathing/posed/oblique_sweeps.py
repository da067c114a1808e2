"""Fans of oblique legs: the heading is kept, and the direction of travel is what is swept.

To end with a heading, who travels obliquely turns when the leg is done, or before it.
"""

from __future__ import annotations

import numpy as np

from simulator.geometry.convex import IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import ROUNDING_OF_ANGLES
from simulator.pathing.columns import join
from simulator.pathing.posed.rays import may_turn, shorter
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates, rates_of
from simulator.pathing.posed.sweeps_of_rays import Aims, FromOnePlace, Outset, bearings_past, cheaper_turns

#: Degrees between the first rays of a fan; with an aim, a part of it goes on so far on either side.
_APART = 30.0
#: A ray in the direction of another mode is one just beside that is oblique.
_BESIDE = 4 * ROUNDING_OF_ANGLES


class ObliqueFans(FromOnePlace):
    """Oblique legs from states; the parameter is how far left of the heading they lead, in degrees."""

    def __init__(
        self, space: PoseSpace, states: PoseStates, facing: float | None = None, aims: Aims | None = None
    ) -> None:
        self._space, count = space, len(states.price)
        none = np.zeros(count)
        self._states, self._facing, self._turn = states, facing, none
        if facing is not None:
            self._states, self._turn = join([states, states]), np.r_[none, shorter(facing - states.heading)]
        self._rates = rates_of(space, self._states)
        if aims is None:
            self._state = np.arange(len(self._turn))
            evenly = np.arange(-180.0, 180.0 + _APART, _APART)
            family, column = (axis.ravel() for axis in np.indices((len(self._state), len(evenly))))
            self._first = family, evenly[column]
        else:
            self._state = aims.state if facing is None else np.r_[aims.state, aims.state + count]
            every = np.arange(len(self._state))
            at = self.meeting(every, aims.place if facing is None else np.tile(aims.place, (2, 1)), none[:1])
            self._state, which = np.unique(self._state, return_inverse=True)
            beside = np.array([-_APART, 0.0, _APART])
            # A fan is swept once round at most, from straight back to straight back.
            # Who aims at the place where it is already may face any way.
            rays = np.clip(np.nan_to_num(at)[:, None] + beside, -180.0, 180.0)
            self._first = np.repeat(which.reshape(-1), 3), rays.ravel()
        self.modes = space.directions.toward(np.full(len(self._state), 45.0))

    def first(self) -> tuple[IntArray, FloatArray]:
        """Return rays evenly apart, or those through aims and beside."""
        return self._first

    def modes_at(self, family: IntArray, at: FloatArray) -> IntArray:
        """Return the modes of travel of rays, all of them oblique."""
        del family
        beside = np.abs(shorter(at[:, None] - self._space.asides)) <= _BESIDE
        return self._space.directions.toward(np.where(beside.any(axis=1), at + 2 * _BESIDE, at))

    def outset(self, family: IntArray, at: FloatArray) -> Outset:
        """Make the turn, if there is one."""
        del at
        state, states = self._state[family], self._states
        angle = self._turn[state]
        turns = cheaper_turns(self._space, states, self._rates, state, angle, self._facing)
        free = may_turn(self._space, states.place[state], states.heading[state], angle)
        return Outset(states.place[state], states.heading[state], turns, states.travelled[state] + turns.toll, free)

    def meeting(self, family: IntArray, place: FloatArray, left: FloatArray) -> FloatArray:
        """Compute the directions."""
        state = self._state[family]
        toward = bearings_past(place - self._states.place[state], left)
        return shorter(toward - self._turn[state] - self._states.heading[state])
