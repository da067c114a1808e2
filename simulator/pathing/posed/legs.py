"""Legs that a search cast: after which turn, in which mode, and what every length of them costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from simulator.geometry.convex import IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import SLACK, TOUCH
from simulator.pathing.columns import join, pick
from simulator.pathing.posed.rays import Rays, units
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates, Turned
from simulator.pathing.posed.toll_table import no_tolls


@dataclass(frozen=True, eq=False)
class CastLegs:
    """Legs, one row each, as long as they are free: shorter ones are legs as well."""

    turns: Turned
    mode: IntArray
    travelled: FloatArray  #: by the states that they start from, the part of the price that legs cost
    rays: Rays
    inches: FloatArray  #: as long as they are free and can be paid
    level: int = 0  #: of all of them

    @classmethod
    def joined(cls, parts: Sequence[CastLegs]) -> CastLegs:
        """Return several lots of legs on one level as one."""
        columns = join([(part.mode, part.travelled, part.inches) for part in parts])
        mode, travelled, inches = columns
        return cls(
            join([part.turns for part in parts]),
            mode,
            travelled,
            Rays.joined([part.rays for part in parts]),
            inches,
            parts[0].level,
        )

    def some(self, rows: IntArray) -> CastLegs:
        """Return some of the legs, ascending."""
        turns, mode, travelled, inches = pick((self.turns, self.mode, self.travelled, self.inches), rows)
        return CastLegs(turns, mode, travelled, self.rays.some(rows), inches, self.level)

    def up_to(self, space: PoseSpace) -> CastLegs | None:
        """Return the legs as far as they can be paid in a space with a smaller budget; None: none can."""
        left = space.left_for_legs(self.turns.price, self.travelled)
        inches = np.minimum(self.inches, self.rays.lengths_for(left))
        row = np.flatnonzero(space.can_pay(self.turns.price) & (inches > TOUCH))
        return replace(self.some(row), inches=inches[row]) if len(row) else None

    def states(self, row: IntArray, inches: FloatArray) -> PoseStates:
        """Return the states that some legs end in after so many inches."""
        return self._states(row, inches, self.rays.prices(row, inches))

    def states_at_edges(self, row: IntArray, inches: FloatArray) -> PoseStates:
        """Return the same where legs may lead nowhere, since the ground is closed ahead: those cost nothing."""
        price, moved = np.zeros(len(row)), inches > TOUCH
        if moved.any():
            price[moved] = self.rays.prices(row[moved], inches[moved])
        return self._states(row, inches, price)

    def _states(self, row: IntArray, inches: FloatArray, price: FloatArray) -> PoseStates:
        turns = pick(self.turns, row)
        return PoseStates(
            place=self.rays.places(row, inches),
            heading=turns.heading,
            price=turns.price + price,
            travelled=self.travelled[row] + price,
            free=turns.free,
            group=turns.group._replace(inches=turns.group.inches + inches),
            level=np.full(len(row), self.level),
            parent=turns.state,
            mode=self.mode[row],
            inches=inches,
            since=turns.since + inches,
            used=turns.used,
            link=np.full(len(row), -1),
            tolls=self.rays.after(row, inches, turns.tolls),
            covered=turns.covered + inches,
        )


def moved_to(space: PoseSpace, states: PoseStates, inches: FloatArray) -> PoseStates:
    """Return the states with the places after so many inches of the legs that ended in them, and all else as it is."""
    ahead = units(states.heading + space.asides_of(states.mode))
    starts = states.place - states.inches[:, None] * ahead
    return states._replace(place=starts + inches[:, None] * ahead)


def ended_after(space: PoseSpace, states: PoseStates, inches: FloatArray) -> tuple[PoseStates, IntArray]:
    """Return the states had the legs that ended in them been so many inches long, of those that may be; and which.

    Before these legs no toll was met.
    """
    ahead = units(states.heading + space.asides_of(states.mode))
    starts = states.place - states.inches[:, None] * ahead
    rays = Rays.cast(space, starts, states.heading, states.mode, np.maximum(inches, states.inches))
    every = np.arange(len(inches))
    spent = rays.prices(every, states.inches)
    turns = Turned(
        states.parent,
        states.heading,
        states.price - spent,
        states.free,
        states.group._replace(inches=states.group.inches - states.inches),
        states.used,
        states.since - states.inches,
        np.zeros(len(inches)),
        no_tolls(len(inches)),
        states.covered - states.inches,
    )
    legs = CastLegs(turns, states.mode, states.travelled - spent, rays, states.inches)
    left = space.left_for_legs(turns.price, legs.travelled)
    row = np.flatnonzero(
        (rays.length >= inches - TOUCH)
        & (rays.prices(every, inches) <= left + SLACK)
        & space.may_cover(turns.covered + inches)
    )
    return legs.states(row, inches[row])._replace(level=states.level[row]), row
