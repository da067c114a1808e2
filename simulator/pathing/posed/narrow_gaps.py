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
from simulator.pathing.columns import join, pairs_of_equal_rows, pairs_of_equals, pick, rows_once
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
#: With round bases, ways are tried from no farther along the leg before than so many meshes.
MESHES = 2
#: Where there is room to turn, a way is tried from so far into it: where it begins and ends the angle may not fit.
_INTO = np.array([0.0, 0.125, 0.5, 0.875, 1.0])
#: From there the goal is seen in other directions, for which the room begins and ends elsewhere: that alone is new.
_ENDS = np.array([0.0, 1.0])
#: Places on a leg are equal if they are after rounding to so many digits.
_DIGITS = 9


class _Spots(NamedTuple):
    """Places on the legs before the last ones: which way, and after how many inches."""

    row: IntArray
    at: FloatArray


def from_beside_starts(
    passing: Passing,
    legs: CastLegs,
    every: NumberedStates,
    barred: LastTurns,
    states: PoseStates,
    places: FloatArray,
    mesh: float,
) -> tuple[LastTurns, PoseStates]:
    """Return barred ways from starts as ways from legs that begin there, from as near the start as a leg may end.

    The goals of the ways lie at `places`. Where a round base has no gap to try within a mesh of the start, none leads.
    """
    first = np.flatnonzero(states.parent < 0)
    starts = every.rows(legs.turns.state)
    row = np.flatnonzero((starts.parent < 0) & ~are_oblique(legs.mode))
    columns = [np.column_stack([some.place, some.heading]) for some in (pick(states, first), pick(starts, row))]
    here, leg = pairs_of_equal_rows(*columns)
    if isinstance(passing.space.base, Round):
        ways = pick((barred, states, places), first)
        near = _have_gaps_near(passing.by(passing.space.by_rows(first)), *ways, here, legs.rays.ahead[row[leg]], mesh)
        here, leg = here[near], leg[near]
    way, leg = first[here], row[leg]
    return pick(barred, way), legs.states(leg, np.minimum(legs.inches[leg], APART))


def _have_gaps_near(
    passing: Passing,
    barred: LastTurns,
    starts: PoseStates,
    places: FloatArray,
    way: IntArray,
    ahead: FloatArray,
    mesh: float,
) -> IntArray:
    """Find the legs, each ahead from where a barred way starts, from which within a mesh a goal is seen past a thing.

    The thing is that which stops the way at its start.
    """
    headings = starts.heading + barred.angle
    thing = passing.met_by(legs_between(starts.place, places, headings)).which
    met = np.flatnonzero(thing >= 0)
    toward = np.full((2, len(thing), 2), np.nan)
    for side, found in zip(
        toward, passing.beside(thing[met], barred.mode[met], places[met], headings[met]), strict=True
    ):
        side[met] = found
    away, near = (places - starts.place)[way], np.zeros(len(way), np.bool_)
    for side in toward:
        with np.errstate(divide="ignore", invalid="ignore"):
            at = cross(away, side[way]) / cross(ahead, side[way])
            near |= (at >= -APART) & (at <= mesh + 2 * APART)
    return np.flatnonzero(near)


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
        self._before, self._states, self._mesh = before, states, mesh
        self._starts, self._heading = before.place, states.heading
        self._ahead = units(states.heading + self._space.asides_of(states.mode))
        #: The legs that were cast, of the rows that something may be tried from, and by row the number of its leg.
        self._legs: CastLegs | None = None
        self._leg_of = np.full(len(states.inches), -1)
        self._aside = self._space.asides_of(barred.mode)
        self._oblique = are_oblique(barred.mode)
        self._low = np.maximum(states.inches - mesh, APART)
        self._high = states.inches + mesh
        self._goals, self._goal_of = np.unique(barred.goal, return_index=True)
        self._limits = FacingLimits.at(self._space.by_rows(self._goal_of), places[self._goal_of])
        self._spots = _Spots(np.arange(len(states.inches)), states.inches)
        self._tried = pick(self._spots, slice(0))

    def candidates(self) -> LastTurns:
        """Return the ways to try from beside where they are known to be barred."""
        row, at = self._spots
        away = self._away(row, at)
        angle, mode = self._aimed(row, away)
        legs = legs_between(self._places[row] - away, self._places[row], self._heading[row] + angle)
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
        found = self._anew(pick(found, np.flatnonzero(inside)))
        self._cast(found.row)
        row, at = pick(found, np.flatnonzero(found.at <= self._high[found.row]))
        away = self._away(row, at)
        inches, none = np.hypot(away[:, 0], away[:, 1]), np.zeros(len(row))
        some = LastTurns(self._barred.goal[row], row, at, *self._aimed(row, away), inches, none, none)
        return pick(some, np.flatnonzero(inches > TOUCH))

    def _anew(self, found: _Spots) -> _Spots:
        """Return each spot once, but for those that were tried in an earlier round.

        What is tried follows from the way and the place alone. Windows for the turns of one way, each aimed a little
        differently, mostly begin and end at the same few places: without this their number grows severalfold by round.
        """
        before = len(self._tried.row)
        every = join([self._tried, found])
        once, _ = rows_once(np.column_stack([every.row, np.round(every.at, _DIGITS)]))
        once = np.sort(once)
        self._tried = pick(every, once)
        return pick(every, once[once >= before])

    def states(self, some: LastTurns) -> PoseStates:
        """Return the states that the ways turn in."""
        if self._legs is None:
            return pick(self._states, some.source)
        return self._legs.states(self._leg_of[some.source], some.at)

    def _cast(self, rows: IntArray) -> None:
        """Cast the legs before the last ones of some rows, as far as nothing bars them: what is tried lies no farther.

        Most of thousands have nothing to try.
        """
        rows = np.unique(rows[self._leg_of[rows] < 0])
        if not len(rows):
            return
        legs = legs_to(self._space.by_rows(rows), *pick((self._before, self._states), rows), self._mesh)
        first = 0 if self._legs is None else len(self._legs.mode)
        self._leg_of[rows] = first + np.arange(len(rows))
        self._high[rows] = np.minimum(self._high[rows], legs.rays.length)
        self._legs = legs if self._legs is None else CastLegs.joined([self._legs, legs])

    def _away(self, row: IntArray, at: FloatArray) -> FloatArray:
        """How far it is from places on the legs to the goals, rows x, y."""
        return np.asarray(self._places[row] - self._starts[row] - at[:, None] * self._ahead[row])

    def go_on(self, barred: LastTurns) -> None:
        """Go on from where ways are barred as well."""
        self._spots = _Spots(barred.source, barred.at)

    def _aimed(self, row: IntArray, away: FloatArray) -> tuple[FloatArray, IntArray]:
        """The turns from the legs to last legs that lead so far, and the modes of those."""
        bearing = np.degrees(np.arctan2(away[:, 1], away[:, 0]))
        headings, modes = self._heading[row], self._barred.mode[row]
        return aimed(self._space, headings, self._barred.angle[row], modes, bearing)

    def _past_things(self, row: IntArray, thing: IntArray, angle: FloatArray, mode: IntArray) -> _Spots:
        """Where last legs after turns just pass things, on either side."""
        headings = self._heading[row] + angle
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
        ahead, away = self._ahead[row], self._places[row] - self._starts[row]
        with np.errstate(divide="ignore", invalid="ignore"):
            at = cross(away, toward) / cross(ahead, toward)
        known = np.flatnonzero(np.isfinite(at))
        onward = away[known] - at[known, None] * ahead[known]
        known = known[np.sum(onward * toward[known], axis=1) > 0.0]
        return _Spots(row[known], at[known])

    def _with_room(self, row: IntArray, angle: FloatArray) -> _Spots:
        """Where there is room for turns by angles, between the places beside."""
        if isinstance(self._space.base, Round) or not len(row):
            return _Spots(row[:0], angle[:0])
        self._cast(row)
        low, high = self._low[row], self._high[row]
        begin, end = (self._places[row] - self._away(row, at) for at in (low, high))
        windows = turn_windows(self._space.by_rows(row), begin, end, self._heading[row], angle)
        windows = windows.of(windows.end - windows.begin < 1.0)
        into = _ENDS if len(self._tried.row) else _INTO
        share = windows.begin[:, None] + (windows.end - windows.begin)[:, None] * into
        of = np.repeat(windows.row, len(into))
        return _Spots(row[of], low[of] + share.ravel() * (high - low)[of])
