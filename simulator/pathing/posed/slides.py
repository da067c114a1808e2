"""The last turn of a way slid back along its leg: the sooner a mover turns to its goal, the shorter the way.

A search finds ways that turn at places on a mesh, or where a turn to a limit leads to the goal. Where something stands
beside the way, the best place to turn at is where the last leg just clears it, between those. It is closed in on from
a place where the way is known, by halves.
"""

from __future__ import annotations

import numpy as np

from simulator.geometry.convex import IntArray
from simulator.geometry.pieces import FloatArray
from simulator.pathing.posed.last_legs import Goals, LastLegs, LastTurns, shorter
from simulator.pathing.posed.legs import CastLegs
from simulator.pathing.posed.rays import Rays
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates, Turned

#: A mesh is halved so often.
ROUNDS = 22


def legs_to(space: PoseSpace, before: PoseStates, states: PoseStates) -> CastLegs:
    """Return the legs that ended in some states, each from the state before, as legs that may be shorter."""
    spent = states.travelled - before.travelled
    turns = Turned(
        states.parent,
        states.heading,
        states.price - spent,
        states.free,
        states.group._replace(inches=states.group.inches - states.inches),
        states.used,
    )
    rays = Rays.cast(space, before.place, states.heading, states.mode, states.inches)
    return CastLegs(turns, states.mode, before.travelled, rays, states.inches)


class Slide:
    """Ways to goals of which the last turn is slid back, one row each."""

    def __init__(self, space: PoseSpace, before: PoseStates, states: PoseStates, ways: LastLegs, mesh: float) -> None:
        self._legs = legs_to(space, before, states)
        self._ways, self._aside = ways, space.asides[ways.mode]
        #: The way is known from here, and not known to be any better from there.
        self._known, self._tried = states.inches, np.maximum(states.inches - mesh, 0.0)

    def candidates(self, goals: Goals) -> LastTurns:
        """Return the ways that turn half-way between."""
        at = (self._known + self._tried) / 2
        row = np.arange(len(at))
        away = goals.places[self._ways.goal] - self._legs.rays.places(row, at)
        bearing = np.degrees(np.arctan2(away[:, 1], away[:, 0])) - self._aside
        angle = shorter(bearing - self._legs.turns.heading)
        inches = np.hypot(away[:, 0], away[:, 1])
        return LastTurns(self._ways.goal, row, at, angle, self._ways.mode, inches, np.zeros(len(row)))

    def states(self, some: LastTurns) -> PoseStates:
        """Return the states that the ways turn in."""
        return self._legs.states(some.source, some.at)

    def close_in(self, at: FloatArray, better: IntArray) -> None:
        """Go on before the places of the ways that were better, and behind those of the others."""
        self._tried[np.setdiff1d(np.arange(len(at)), better)] = np.delete(at, better)
        self._known[better] = at[better]
