"""The leg before the last one of a way made anew: by another turn before it and of another length, both at once.

A search finds ways that turn at places on a mesh with headings some degrees apart. To slide the last turn along its
leg, or to swing that leg round, changes one of the two at a time. Where something stands beside the way, or a turn
comes to the limit of a bracket, neither may be better alone, though both together are. They are closed in on by parts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simulator.geometry.convex import IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import SLACK, TOUCH
from simulator.pathing.columns import pick
from simulator.pathing.posed.last_legs import LastLegs, LastTurns
from simulator.pathing.posed.legs import CastLegs
from simulator.pathing.posed.rays import Rays, aimed, may_turn
from simulator.pathing.posed.slides import APART
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates, rates_of, turned

#: Both are closed in on so often.
ROUNDS = 9
#: The first leg is turned by so many degrees more or less to begin with; then by half of that.
_DEGREES = 8.0
#: The steps to either side of what is known, as shares of the longest.
_SHARES = np.linspace(-1.0, 1.0, 5)


class RecastWays(NamedTuple):
    """Ways made anew, one row each: which, with what first turn and how long a leg, and their last legs."""

    row: IntArray
    angle: FloatArray
    inches: FloatArray
    states: PoseStates  #: where the last turn is made
    last: LastTurns  #: from those states


class Recast:
    """Ways to goals at `places`, one row each: from the states `before` to `states`, and on by `ways`.

    The space is asked by these rows.
    """

    def __init__(
        self,
        space: PoseSpace,
        before: PoseStates,
        states: PoseStates,
        ways: LastLegs,
        places: FloatArray,
        mesh: float,
    ) -> None:
        self._space, self._before, self._states, self._ways, self._places = space, before, states, ways, places
        self._rates = rates_of(space, before)
        self._angle, self._inches = states.heading - before.heading, states.inches.copy()
        self._degrees, self._mesh = _DEGREES, mesh

    def made(self, limits: FloatArray) -> RecastWays:
        """Make the next ways to try, but for their last legs; those of which it is clear that they cost too much go."""
        turn, longer = (one.ravel() for one in np.meshgrid(_SHARES, _SHARES))
        beside = (turn != 0.0) | (longer != 0.0)
        turn, longer = turn[beside], longer[beside]
        row = np.repeat(np.arange(len(self._angle)), len(turn))
        angle = self._angle[row] + np.tile(turn, len(self._angle)) * self._degrees
        inches = self._inches[row] + np.tile(longer, len(self._angle)) * self._mesh
        some = np.flatnonzero((inches > APART) & (np.abs(angle) <= 180.0))
        return self._of(row[some], angle[some], inches[some], limits)

    def _of(self, row: IntArray, angle: FloatArray, inches: FloatArray, limits: FloatArray) -> RecastWays:
        space, before = self._space.by_rows(row), pick(self._before, row)
        some = np.flatnonzero(may_turn(space, before.place, before.heading, angle))
        row, angle, inches, before = pick((row, angle, inches, before), some)
        space = space.by_rows(some)
        turns = turned(space, before, self._rates[row], np.arange(len(row)), angle)
        of, mode = turns.state, self._states.mode[row][turns.state]
        least = space.ground.least_prices(inches[of]) * space.factors_of(mode)
        kept = np.flatnonzero(np.isfinite(turns.price) & (turns.price + least < limits[row[of]] - SLACK))
        turns, of, mode = pick(turns, kept), of[kept], mode[kept]
        row, angle, inches, before, space = row[of], angle[of], inches[of], pick(before, of), space.by_rows(of)
        turns = turns._replace(state=self._states.parent[row])
        rays = Rays.cast(space.way, before.place, turns.heading, mode, inches, turns.tolls)
        legs = CastLegs(turns, mode, before.travelled + turns.toll, rays, inches)
        through = np.flatnonzero(rays.length >= inches - TOUCH)
        ends = legs.states(through, inches[through])._replace(level=self._states.level[row[through]])
        row, angle, inches, space = row[through], angle[through], inches[through], space.by_rows(through)
        away = self._places[row] - ends.place
        bearing, far = np.degrees(np.arctan2(away[:, 1], away[:, 0])), np.hypot(away[:, 0], away[:, 1])
        after = self._ways.turns.heading[row] - self._states.heading[row]
        onward, modes = aimed(space, ends.heading, after, self._ways.mode[row], bearing)
        none = np.zeros(len(row))
        last = LastTurns(self._ways.goal[row], np.arange(len(row)), none, onward, modes, far, none, none)
        moves = np.flatnonzero(far > TOUCH)
        last = pick(last, moves)._replace(source=np.arange(len(moves)))
        return RecastWays(row[moves], angle[moves], inches[moves], pick(ends, moves), last)

    def go_on(self, made: RecastWays, better: IntArray) -> None:
        """Go on around the best ways, of the rows that have better ones, in smaller steps."""
        row = made.row[better]
        self._angle[row], self._inches[row] = made.angle[better], made.inches[better]
        self._degrees, self._mesh = self._degrees / 2, self._mesh / 2
