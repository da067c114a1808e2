"""The leg before the last shifted sideways: the turn before it is made sooner or later, and the one after it fits that.

A search makes all turns but the last two at places on a mesh. With the headings kept, the last three legs of a way may
grow and shrink together in one way only. What they cost grows evenly with that, so the best is where one of them gets
as short as it may: no length at all, or just long enough for the turns beside it not to be priced together. Where
something stands beside the way, it is closed in on by parts.
"""

from __future__ import annotations

from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np

from simulator.geometry.convex import IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import ROUNDING_OF_ANGLES, SLACK, TOLERANCE, TOUCH
from simulator.pathing.columns import pick
from simulator.pathing.posed.closing_in import ClosingIn
from simulator.pathing.posed.last_legs import LastLegs, LastTurns
from simulator.pathing.posed.legs import CastLegs
from simulator.pathing.posed.rays import Rays, aimed, cross, may_turn, shorter, units
from simulator.pathing.posed.slides import legs_to
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates, rates_of, turned

#: Legs get no shorter: one of `TOUCH` or less is none.
_LEAST = 2 * TOUCH


class ShiftedWays(NamedTuple):
    """Ways that were shifted, one row each: which, by how much, and their last two legs."""

    row: IntArray
    shift: FloatArray
    before: PoseStates  #: where the turn before the last two is made
    states: PoseStates  #: where the last turn but one is made; their parents are the rows of `before`
    last: LastTurns  #: from those states


class LegShift:
    """Ways to goals of which the leg before the last is shifted, one row each; the goals lie at `places`.

    The space is asked by these rows. They lead from the states `first` to those `before`, from there to `states`, and
    on by `ways`.
    """

    #: Shifts are closed in on so often.
    rounds: ClassVar[int] = 4

    def __init__(
        self, space: PoseSpace, first: PoseStates, before: PoseStates, states: PoseStates, ways: LastLegs, mesh: float
    ) -> None:
        self._space, self._states, self._ways = space, states, ways
        self._legs = legs_to(space, first, before, mesh)
        ahead = [
            self._legs.rays.ahead,
            units(states.heading + space.asides_of(states.mode)),
            units(ways.turns.heading + space.asides_of(ways.mode)),
        ]
        self._inches = np.stack([before.inches, states.inches, ways.inches], axis=1)
        grows = np.stack([cross(ahead[1], ahead[2]), cross(ahead[2], ahead[0]), cross(ahead[0], ahead[1])], axis=1)
        most = np.max(np.abs(grows), axis=1)
        #: By how much each leg grows with the shift; legs in one line are not shifted.
        self._grows = np.where((most > TOLERANCE)[:, None], grows / np.maximum(most, TOLERANCE)[:, None], 0.0)
        self.closing = ClosingIn(*self._limits(mesh), TOUCH)

    def _limits(self, mesh: float) -> tuple[FloatArray, FloatArray]:
        """How far ways may be shifted: by a mesh on the first leg, and until some leg is as short as may be."""
        with np.errstate(divide="ignore", invalid="ignore"):
            ends = (_LEAST - self._inches) / self._grows
            by_mesh = mesh / np.abs(self._grows[:, 0])
        low = np.max(np.where(self._grows > 0.0, ends, -np.inf), axis=1)
        high = np.min(np.where(self._grows < 0.0, ends, np.inf), axis=1)
        low, high = np.maximum(low, -by_mesh), np.minimum(high, by_mesh)
        stays = ~np.isfinite(low) | ~np.isfinite(high)
        return np.where(stays, 0.0, np.minimum(low, 0.0)), np.where(stays, 0.0, np.maximum(high, 0.0))

    def first(self) -> tuple[IntArray, FloatArray]:
        """Return the shifts to begin with: those at which a leg is as short as it may be."""
        low, high = self.closing.low, self.closing.high
        shifts = [low, high]
        if self._space.turns.separation:
            apart = float(self._space.turns.separation) + SLACK
            already = np.zeros_like(self._inches)
            already[:, 0] = self._legs.turns.group.inches
            with np.errstate(divide="ignore", invalid="ignore"):
                shifts += list(((apart - already - self._inches) / self._grows).T)
        found = np.stack(shifts, axis=1)
        inside = (found >= low[:, None]) & (found <= high[:, None]) & (np.abs(found) > TOUCH)
        row, column = np.nonzero(inside)
        return row, found[row, column]

    def _lengths(self, row: IntArray, shift: FloatArray) -> FloatArray:
        """The lengths of the last three legs, columns, after shifts."""
        return np.asarray(self._inches[row] + shift[:, None] * self._grows[row])

    def _turn_before_last(self, row: IntArray, ends: PoseStates) -> tuple[FloatArray, IntArray]:
        """The angles of the last turns, and the modes of the legs after them."""
        del ends
        return self._ways.turns.heading[row] - self._states.heading[row], self._ways.mode[row]

    def made(self, row: IntArray, shift: FloatArray, limits: FloatArray) -> ShiftedWays:
        """Make shifted ways, but for their last legs; those of which it is clear that they cost more than limits go."""
        row, shift = self._in_time(row, shift, limits)
        space, states = self._space.by_rows(row), self._states
        inches = self._lengths(row, shift)
        before = self._legs.states(row, inches[:, 0])
        angle = states.heading[row] - before.heading
        turns = turned(space, before, rates_of(space, before), np.arange(len(row)), angle)
        # Those with free degrees follow; they are made as before, or not at all.
        turns = pick(turns, np.arange(len(row)))
        free = np.flatnonzero(may_turn(space, before.place, before.heading, angle) & np.isfinite(turns.price))
        row, shift, inches, before, turns = pick((row, shift, inches, before, turns), free)
        space = space.by_rows(free)
        turns = turns._replace(state=np.arange(len(row)))
        rays = Rays.cast(space.way, before.place, turns.heading, states.mode[row], inches[:, 1], turns.tolls)
        legs = CastLegs(turns, states.mode[row], before.travelled + turns.toll, rays, inches[:, 1])
        through = np.flatnonzero(rays.length >= inches[:, 1] - TOUCH)
        row, shift, inches = row[through], shift[through], inches[through]
        ends = legs.states(through, inches[:, 1])._replace(level=states.level[row])
        (angle, mode), none, number = self._turn_before_last(row, ends), np.zeros(len(row)), np.arange(len(row))
        last = LastTurns(self._ways.goal[row], number, none, angle, mode, inches[:, 2], none, none)
        return ShiftedWays(row, shift, before, ends, last)

    def _in_time(self, row: IntArray, shift: FloatArray, limits: FloatArray) -> tuple[IntArray, FloatArray]:
        """The shifts that the first leg leaves room for, and that may cost less than limits."""
        inches = self._lengths(row, shift)
        room = (inches[:, 0] <= self._legs.rays.length[row]) & np.all(inches >= TOUCH, axis=1)
        row, shift, inches = row[room], shift[room], inches[room]
        space = self._space
        price = self._legs.turns.price[row] + self._legs.rays.prices(row, inches[:, 0])
        for mode, leg in ((self._states.mode, inches[:, 1]), (self._ways.mode, inches[:, 2])):
            price += space.ground.least_prices(leg) * space.factors_of(mode[row])
        kept = price < limits[row] - SLACK
        return row[kept], shift[kept]


class LegCarried(LegShift):
    """Ways of which the leg before the last is carried along the one before it, as long as it is.

    It may be just long enough for the turns beside it not to be priced together, and then allows no other shift. The
    last leg is aimed anew: the best is where the turn before it is to a limit of its bracket, or on the way there.
    """

    rounds = 2

    def _limits(self, mesh: float) -> tuple[FloatArray, FloatArray]:
        """How far legs may be carried: by a mesh, and as far back as the first leg goes."""
        low = np.maximum(_LEAST - self._inches[:, 0], -mesh)
        return np.minimum(low, 0.0), np.full(len(low), mesh)

    def first(self) -> tuple[IntArray, FloatArray]:
        """Return the shifts to begin with: as far back as may be, and to where the last turn is to a limit."""
        limits = np.r_[0.0, self._space.turns.limits, 180.0]
        above = np.clip(np.searchsorted(limits, np.abs(self._turn) - ROUNDING_OF_ANGLES), 1, len(limits) - 1)
        off = self._goals - self._states.place
        low, high = self.closing.low, self.closing.high
        found = [low]
        for angle in (limits[above], limits[above - 1]):
            heading = self._states.heading + np.sign(self._turn) * angle
            last = units(heading + self._space.asides_of(self._ways.mode))
            with np.errstate(divide="ignore", invalid="ignore"):
                found.append(cross(off, last) / cross(self._legs.rays.ahead, last))
        shifts = np.stack(found, axis=1)
        inside = (shifts >= low[:, None]) & (shifts <= high[:, None]) & (np.abs(shifts) > TOUCH)
        row, column = np.nonzero(inside)
        return row, shifts[row, column]

    @cached_property
    def _turn(self) -> FloatArray:
        """The angles of the last turns as they are."""
        return shorter(self._ways.turns.heading - self._states.heading)

    @cached_property
    def _goals(self) -> FloatArray:
        """Where the last legs lead."""
        last = units(self._ways.turns.heading + self._space.asides_of(self._ways.mode))
        return np.asarray(self._states.place + self._ways.inches[:, None] * last)

    def _lengths(self, row: IntArray, shift: FloatArray) -> FloatArray:
        away = self._goals[row] - self._states.place[row] - shift[:, None] * self._legs.rays.ahead[row]
        first = self._inches[row, 0] + shift
        return np.stack([first, self._inches[row, 1], np.hypot(away[:, 0], away[:, 1])], axis=1)

    def _turn_before_last(self, row: IntArray, ends: PoseStates) -> tuple[FloatArray, IntArray]:
        away = self._goals[row] - ends.place
        bearing = np.degrees(np.arctan2(away[:, 1], away[:, 0]))
        return aimed(self._space.by_rows(row), ends.heading, self._turn[row], self._ways.mode[row], bearing)
