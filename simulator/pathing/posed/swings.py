"""Ways of two legs from a start, swung round: the turn at the start by another angle, with the turn after it kept.

A search leaves its starts with headings some degrees apart. Where the turn after the first leg is one to the limit of a
bracket, the best first turn may be by any angle: so that a leg just passes something, or a turn is made at the border
of dear ground. It is closed in on by parts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simulator.geometry.convex import IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import SLACK, TOLERANCE, TOUCH
from simulator.pathing.columns import pick
from simulator.pathing.posed.directions import are_oblique
from simulator.pathing.posed.last_legs import LastLegs, LastTurns
from simulator.pathing.posed.legs import CastLegs
from simulator.pathing.posed.rays import Rays, cross, may_turn, shorter, units
from simulator.pathing.posed.slides import APART
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates, rates_of, turned

#: First turns are closed in on so often.
ROUNDS = 3
#: Angles as near are the same.
LEAST = 1e-6


class SwungWays(NamedTuple):
    """Ways that were swung, one row each: which, by how many degrees, and their last legs."""

    row: IntArray
    angle: FloatArray
    states: PoseStates  #: where the last turn is made
    last: LastTurns  #: from those states


class Swing:
    """Ways of two legs to goals at `places`, one row each, from `starts` to `states` and on by `ways`.

    The space is asked by these rows.
    """

    def __init__(
        self, space: PoseSpace, starts: PoseStates, states: PoseStates, ways: LastLegs, places: FloatArray
    ) -> None:
        self._space, self._starts, self._states, self._ways, self._places = space, starts, states, ways, places
        self._rates = rates_of(space, starts)
        self._angle = ways.turns.heading - states.heading

    def made(self, row: IntArray, angle: FloatArray, limits: FloatArray) -> SwungWays:
        """Make ways swung by angles, but for their last legs; those on which something bars the first leg go.

        So do those of which it is clear that they cost more than limits.
        """
        last = self._ways.mode[row]
        space = self._space.by_rows(row)
        heading, mode = self._swung(row, angle)
        ahead = units(heading + space.asides_of(mode))
        onward = units(heading + self._angle[row] + space.asides_of(last))
        away, aside = self._places[row] - self._starts.place[row], cross(ahead, onward)
        with np.errstate(divide="ignore", invalid="ignore"):
            inches, rest = cross(away, onward) / aside, cross(ahead, away) / aside
        some = np.flatnonzero((np.abs(aside) > TOLERANCE) & (inches > APART) & (rest > TOUCH))
        row, angle, mode, heading, inches, rest = pick((row, angle, mode, heading, inches, rest), some)
        starts, space = pick(self._starts, row), space.by_rows(some)
        first = shorter(heading - starts.heading)
        some = np.flatnonzero(may_turn(space, starts.place, starts.heading, first))
        row, angle, mode, first, inches, rest, starts = pick((row, angle, mode, first, inches, rest, starts), some)
        space = space.by_rows(some)
        every = np.arange(len(row))
        # Turns with free degrees follow those without: they are made as before, or not at all.
        turns = pick(turned(space, starts, self._rates[row], every, first), every)
        turns = turns._replace(state=self._states.parent[row])
        least = self._space.ground.least_prices(inches) * space.factors_of(mode)
        least += self._space.ground.least_prices(rest) * space.factors_of(self._ways.mode[row])
        some = np.flatnonzero(turns.price + least < limits[row] - SLACK)
        row, angle, mode, inches, rest = pick((row, angle, mode, inches, rest), some)
        starts, turns, space = pick(starts, some), pick(turns, some), space.by_rows(some)
        every, none = np.arange(len(row)), np.zeros(len(row))
        rays = Rays.cast(space.way, starts.place, turns.heading, mode, inches, turns.tolls)
        legs = CastLegs(turns, mode, starts.travelled + turns.toll, rays, inches)
        through = np.flatnonzero((rays.length >= inches - TOUCH) & np.isfinite(turns.price))
        ends = legs.states(through, inches[through])._replace(level=self._states.level[row[through]])
        turning = LastTurns(self._ways.goal[row], every, none, self._angle[row], self._ways.mode[row], rest, none, none)
        turning = pick(turning, through)._replace(source=np.arange(len(through)))
        return SwungWays(row[through], angle[through], ends, turning)

    def _swung(self, row: IntArray, angle: FloatArray) -> tuple[FloatArray, IntArray]:
        """The headings and modes of first legs that lead elsewhere by angles; oblique ones do after the same turn."""
        space, heading, mode = self._space, self._states.heading[row], self._states.mode[row]
        if space.directions.oblique is None:
            return heading + angle, mode
        oblique = are_oblique(mode)
        aside = space.asides_of(mode) + angle
        return np.where(oblique, heading, heading + angle), np.where(oblique, space.directions.toward(aside), mode)
