"""The last turn of a way slid back along its leg: the sooner a mover turns to its goal, the shorter the way.

A search finds ways that turn at places on a mesh, or where a turn to a limit leads to the goal. Where something stands
beside the way, the best place to turn at is where the last leg just clears it, between those. It is closed in on from
a place where the way is known: where it just passes what stops it, or else by parts.
"""

from __future__ import annotations

import numpy as np

from simulator.geometry.convex import IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import TOUCH
from simulator.pathing.columns import pick
from simulator.pathing.posed.clearings import Passing
from simulator.pathing.posed.last_legs import LastLegs, LastTurns
from simulator.pathing.posed.legs import CastLegs
from simulator.pathing.posed.rays import Rays, aimed, cross, legs_between
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates, Turned
from simulator.pathing.posed.turn_tolls import met_by_turns, spent_by_turns

#: What lies between two places is cut into so many parts, so often.
_PARTS, ROUNDS = 8, 8
#: Turns are slid no nearer to the turn before: a leg of `TOUCH` or less is none, and the turns beside it may be one.
APART = 2 * TOUCH


def legs_to(space: PoseSpace, before: PoseStates, states: PoseStates, beyond: float = 0.0) -> CastLegs:
    """Return the legs that ended in some states, each from the state before, as legs that may be shorter.

    Where nothing bars it, they go on `beyond` by so many inches.
    """
    space = space.way
    spent = states.travelled - before.travelled
    toll, tolls = met_by_turns(space, before.place, before.heading, states.heading - before.heading, before.tolls)
    paid = states.price - spent + toll
    tolls = spent_by_turns(space, before.place, paid - toll - before.price, tolls)
    turns = Turned(
        states.parent,
        states.heading,
        paid,
        states.free,
        states.group._replace(inches=states.group.inches - states.inches),
        states.used,
        states.since - states.inches,
        toll,
        tolls,
        before.covered,
    )
    inches = states.inches + beyond
    rays = Rays.cast(space, before.place, states.heading, states.mode, inches, tolls)
    return CastLegs(turns, states.mode, before.travelled + toll, rays, inches)


class Slide:
    """Ways to goals of which the last turn is slid back, one row each; the goals lie at `places`.

    The space of `passing` is asked by these rows.
    """

    def __init__(
        self,
        passing: Passing,
        before: PoseStates,
        states: PoseStates,
        ways: LastLegs,
        places: FloatArray,
        mesh: float,
    ) -> None:
        self._passing, self._places = passing, places
        self._legs = legs_to(passing.space, before, states)
        self._ways, self._angle = ways, ways.turns.heading - states.heading
        #: The way is known from here, and not known to be any better from there; what is tried next.
        self._known = states.inches
        self._tried = np.minimum(np.maximum(states.inches - mesh, APART), states.inches)
        self._next = self._tried.copy()
        #: Whether nothing before the next place can be better; and the rows that are not done.
        self._exact, self._left = np.ones(len(ways.goal), np.bool_), np.arange(len(ways.goal))

    def candidates(self) -> LastTurns:
        """Return the next ways to try, of those that are not done."""
        exact, rest = self._left[self._exact[self._left]], self._left[~self._exact[self._left]]
        share = np.arange(1, _PARTS) / _PARTS
        between = self._tried[rest, None] + share * (self._known[rest] - self._tried[rest])[:, None]
        row, at = np.r_[exact, np.repeat(rest, _PARTS - 1)], np.r_[self._next[exact], between.ravel()]
        away = self._places[row] - self._legs.rays.places(row, at)
        bearing = np.degrees(np.arctan2(away[:, 1], away[:, 0]))
        headings, modes = self._legs.turns.heading[row], self._ways.mode[row]
        angle, mode = aimed(self._passing.space, headings, self._angle[row], modes, bearing)
        inches = np.hypot(away[:, 0], away[:, 1])
        none = np.zeros(len(row))
        return LastTurns(self._ways.goal[row], row, at, angle, mode, inches, none, none)

    def states(self, some: LastTurns) -> PoseStates:
        """Return the states that the ways turn in."""
        return self._legs.states(some.source, some.at)

    def close_in(self, some: LastTurns, better: IntArray) -> None:
        """Go on before the ways that were better, one a row at most, and behind those that are not."""
        row = some.source[better]
        self._known[row] = some.at[better]
        done = np.zeros(len(self._known), np.bool_)
        done[row] = self._exact[row]
        worse = np.flatnonzero(some.at < self._known[some.source])
        np.maximum.at(self._tried, some.source[worse], some.at[worse])
        first = self._exact[some.source]
        self._exact[self._left] = False
        self._pass_beside(pick(some, np.setdiff1d(np.flatnonzero(first), better)))
        done |= self._known - self._tried <= TOUCH
        self._left = self._left[~done[self._left]]

    def _pass_beside(self, stopped: LastTurns) -> None:
        """Where something stops the last leg, go on where it just passes that, on the side that it is known to."""
        row = stopped.source
        places, goals = self._legs.rays.places(row, stopped.at), self._places[row]
        headings = self._legs.turns.heading[row] + stopped.angle
        passing = self._passing.by(self._passing.space.by_rows(row))
        thing = passing.met_by(legs_between(places, goals, headings)).which
        met = np.flatnonzero(thing >= 0)
        row, thing, goals = row[met], thing[met], goals[met]
        known = goals - self._legs.rays.places(row, self._known[row])
        known /= np.hypot(known[:, 0], known[:, 1])[:, None]
        toward = self._passing.directions(thing, stopped.mode[met], goals, known, headings[met])
        ahead, away = self._legs.rays.ahead[row], goals - self._legs.rays.starts[row]
        with np.errstate(divide="ignore", invalid="ignore"):
            at = cross(away, toward) / cross(ahead, toward)
            between = (at > self._tried[row] + TOUCH) & (at < self._known[row])
        self._next[row[between]], self._exact[row[between]] = at[between], True
