"""Last legs that something bars, tried again from beside: through gaps between two places of a mesh.

A search finds ways that turn at places on a mesh, or where a turn to a limit leads to the goal. Where things stand
close, the base may be able to turn to the goal, or to pass beside them, on a short stretch of the leg before alone.
Such a stretch begins and ends where the last leg just passes what stops it, where the base just has room at the goal,
or where it just has room to turn. Those places are computed for the direction from where the way is barred, and once
more from there if it still is, since the goal is seen in another direction.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simulator.geometry.convex import IntArray
from simulator.geometry.footprints import Round
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import TOUCH
from simulator.pathing.columns import join, pairs_of_equal_rows, pairs_of_equals, pick
from simulator.pathing.posed.clearings import Passing
from simulator.pathing.posed.directions import are_oblique
from simulator.pathing.posed.facing_limits import FacingLimits
from simulator.pathing.posed.last_legs import LastTurns
from simulator.pathing.posed.legs import CastLegs
from simulator.pathing.posed.numbered_states import NumberedStates
from simulator.pathing.posed.rays import aimed, cross, legs_between, units
from simulator.pathing.posed.slides import APART, legs_to
from simulator.pathing.posed.states import PoseStates
from simulator.pathing.posed.turn_windows import turn_windows

#: So often ways are tried from beside where they were barred.
ROUNDS = 3
#: Where there is room to turn, a way is tried from so far into it: where it begins and ends the angle may not fit.
_INTO = np.array([0.0, 0.125, 0.5, 0.875, 1.0])


class _Spots(NamedTuple):
    """Places on the legs before the last ones: which way, and after how many inches."""

    row: IntArray
    at: FloatArray


def from_beside_starts(
    legs: CastLegs, every: NumberedStates, barred: LastTurns, states: PoseStates
) -> tuple[LastTurns, PoseStates]:
    """Return barred ways from starts as ways from legs that begin there, from as near the start as a leg may end."""
    first = np.flatnonzero(states.parent < 0)
    starts = every.rows(legs.turns.state)
    row = np.flatnonzero((starts.parent < 0) & ~are_oblique(legs.mode))
    columns = [np.column_stack([some.place, some.heading]) for some in (pick(states, first), pick(starts, row))]
    here, leg = pairs_of_equal_rows(*columns)
    way, leg = first[here], row[leg]
    return pick(barred, way), legs.states(leg, np.minimum(legs.inches[leg], APART))


class NarrowGaps:
    """Barred ways to goals, one row each, from the states that they turn in last; the goals lie at `places`.

    The space is asked by these rows. They are tried again from no farther along the leg before than a mesh, or as
    little before.
    """

    def __init__(
        self,
        passing: Passing,
        before: PoseStates,
        states: PoseStates,
        barred: LastTurns,
        places: FloatArray,
        mesh: float,
    ) -> None:
        self._passing, self._space, self._barred, self._places = passing, passing.space, barred, places
        self._legs = legs_to(self._space, before, states, mesh)
        self._aside = self._space.asides_of(barred.mode)
        self._oblique = are_oblique(barred.mode)
        self._low = np.maximum(states.inches - mesh, APART)
        self._high = np.minimum(states.inches + mesh, self._legs.rays.length)
        self._goals, self._goal_of = np.unique(barred.goal, return_index=True)
        self._limits = FacingLimits.at(self._space.by_rows(self._goal_of), places[self._goal_of])
        self._spots = _Spots(np.arange(len(states.inches)), states.inches)

    def candidates(self) -> LastTurns:
        """Return the ways to try from beside where they are known to be barred."""
        row, at = self._spots
        away = self._places[row] - self._legs.rays.places(row, at)
        angle, mode = self._aimed(row, away)
        legs = legs_between(self._places[row] - away, self._places[row], self._legs.turns.heading[row] + angle)
        stopped = self._passing.by(self._space.by_rows(row)).met_by(legs)
        met, moved = stopped.which >= 0, stopped.inches > TOUCH
        found = join(
            [
                self._past_things(row[met], stopped.which[met], angle[met], mode[met]),
                self._with_room_at_goals(row[met]),
                self._with_room(row[~(met & moved)], angle[~(met & moved)]),
            ]
        )
        inside = (found.at >= self._low[found.row]) & (found.at <= self._high[found.row])
        row, at = pick(found, np.flatnonzero(inside))
        away = self._places[row] - self._legs.rays.places(row, at)
        inches, none = np.hypot(away[:, 0], away[:, 1]), np.zeros(len(row))
        some = LastTurns(self._barred.goal[row], row, at, *self._aimed(row, away), inches, none, none)
        return pick(some, np.flatnonzero(inches > TOUCH))

    def states(self, some: LastTurns) -> PoseStates:
        """Return the states that the ways turn in."""
        return self._legs.states(some.source, some.at)

    def go_on(self, barred: LastTurns) -> None:
        """Go on from where ways are barred as well."""
        self._spots = _Spots(barred.source, barred.at)

    def _aimed(self, row: IntArray, away: FloatArray) -> tuple[FloatArray, IntArray]:
        """The turns from the legs to last legs that lead so far, and the modes of those."""
        bearing = np.degrees(np.arctan2(away[:, 1], away[:, 0]))
        headings, modes = self._legs.turns.heading[row], self._barred.mode[row]
        return aimed(self._space, headings, self._barred.angle[row], modes, bearing)

    def _past_things(self, row: IntArray, thing: IntArray, angle: FloatArray, mode: IntArray) -> _Spots:
        """Where last legs after turns just pass things, on either side."""
        headings = self._legs.turns.heading[row] + angle
        both = self._passing.beside(thing, mode, self._places[row], headings)
        return join([self._toward(row, toward) for toward in both])

    def _with_room_at_goals(self, row: IntArray) -> _Spots:
        """Where last legs lead to their goals with headings at which there just is room there."""
        row = row[~self._oblique[row]]
        goal = np.searchsorted(self._goals, self._barred.goal[row])
        which, limit = pairs_of_equals(goal, self._limits.place)
        return self._toward(row[which], units(self._limits.heading[limit] + self._aside[row[which]]))

    def _toward(self, row: IntArray, toward: FloatArray) -> _Spots:
        """Where last legs lead to their goals in directions, rows x, y."""
        ahead, away = self._legs.rays.ahead[row], self._places[row] - self._legs.rays.starts[row]
        with np.errstate(divide="ignore", invalid="ignore"):
            at = cross(away, toward) / cross(ahead, toward)
        known = np.flatnonzero(np.isfinite(at))
        onward = away[known] - at[known, None] * ahead[known]
        known = known[np.sum(onward * toward[known], axis=1) > 0.0]
        return _Spots(row[known], at[known])

    def _with_room(self, row: IntArray, angle: FloatArray) -> _Spots:
        """Where there is room for turns by angles, between the places beside."""
        legs, base = self._legs.rays, self._space.base
        if isinstance(base, Round) or not len(row):
            return _Spots(row[:0], angle[:0])
        low, high = self._low[row], self._high[row]
        windows = turn_windows(
            self._space.by_rows(row),
            legs.places(row, low),
            legs.places(row, high),
            self._legs.turns.heading[row],
            angle,
        )
        windows = windows.of(windows.end - windows.begin < 1.0)
        share = windows.begin[:, None] + (windows.end - windows.begin)[:, None] * _INTO
        of = np.repeat(windows.row, len(_INTO))
        return _Spots(row[of], low[of] + share.ravel() * (high - low)[of])
