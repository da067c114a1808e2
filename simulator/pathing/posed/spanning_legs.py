"""Last legs of ways of several phases that an earlier phase begins: straight on into the next one, or to a turn there.

The last turn of the earlier phase is made at one of its states, or in the middle of one of its legs, straight for the
goal: the leg is paid for in that phase as far as it goes, and the rest, its pieces counted afresh, in the next. Or the
phase ends in the middle of a leg, where a turn of the next leads to the goal. Either way what is left to pay for is a
last leg of the next phase, from a state that is made for it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import TypeAlias

import numpy as np

from simulator.geometry.convex import IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import TOUCH
from simulator.pathing.columns import join, pick
from simulator.pathing.posed.cheapest import MANY, least_costs
from simulator.pathing.posed.goals import Goals
from simulator.pathing.posed.ground import RatedStretches
from simulator.pathing.posed.handovers import Handover
from simulator.pathing.posed.lane_search import angles_of
from simulator.pathing.posed.last_legs import NO_LEG, LastTurns, from_legs, from_states
from simulator.pathing.posed.leaps import before_leaps, cut_at_edges, price_beyond
from simulator.pathing.posed.legs import CastLegs
from simulator.pathing.posed.lower_prices import LowerPrices
from simulator.pathing.posed.phase_starts import LegsOfPhase
from simulator.pathing.posed.rays import Rays
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates, Turned, at_rates, rates_of
from simulator.pathing.posed.toll_table import no_tolls
from simulator.pathing.posed.turn_prices import TurnGroups
from simulator.pathing.posed.turns_aside import least_of_turns

#: Turns to poses that a phase has to end in, in degrees.
_EVENLY = np.arange(-175.0, 180.0, 5.0)

#: Last legs of the next phase, and the states they start from, which are made for them.
Made: TypeAlias = tuple[LastTurns, PoseStates]


class SpanningLegs:
    """The last legs to goals that begin in an earlier phase; the ways may cost so much in the next one."""

    def __init__(self, handover: Handover, space: PoseSpace, lower: LowerPrices, goals: Goals) -> None:
        """Take the space of the next phase in which ways are looked for."""
        self._handover, self._lower, self._goals = handover, lower, goals
        self._paid = float(handover.space.budget)
        #: Both phases as one, but for what is lost between: no way costs less.
        self._as_one = replace(space, budget=space.budget + handover.space.budget, most_inches=None)
        #: Degrees that are free again when the next phase begins.
        self._free_again = float(space.turns.free) if handover.refreshes else 0.0

    # --- legs that lead over an edge ---

    @property
    def _leaps(self) -> bool:
        return self._as_one.leap is not None

    def _aim(self, space: PoseSpace) -> PoseSpace:
        """The space in which last legs are looked for."""
        return before_leaps(space) if self._leaps else space

    def _most(self, to_beat: FloatArray) -> FloatArray:
        """What ways to goals may cost at most in both phases, by what is known of the last one."""
        return to_beat + self._paid + self._beyond

    @cached_property
    def _beyond(self) -> float:
        return price_beyond(self._as_one)

    def _cut(self, some: LastTurns, headings: FloatArray) -> LastTurns:
        """Last legs with headings, cut where they lead over an edge if there is a leap."""
        return cut_at_edges(self._as_one, self._goals, some, headings)[1] if self._leaps else some

    # --- straight on from the phase before ---

    def straight(self, to_beat: FloatArray) -> tuple[LastTurns, Callable[[LastTurns], Made]]:
        """Return last legs from the states of the phase, and how they are made; `to_beat` is what is known by goal."""
        handover = self._handover
        states = join([handover.found.states, handover.near_ends])
        numbers = np.concatenate([handover.numbers, handover.near_ends_numbers])
        rates = np.concatenate([handover.found.rates, rates_of(handover.space, handover.near_ends)])
        some = from_states(
            self._aim(self._as_one),
            self._lower,
            states,
            rates,
            self._goals,
            self._most(to_beat),
            free_again=self._free_again,
            beyond=self._beyond,
        )
        some = self._cut(some, states.heading[some.source] + some.angle)
        turn = least_of_turns(handover.space, states.free[some.source], some.angle)
        turn = at_rates(turn, rates[some.source])
        some = pick(some, handover.space.can_pay(states.price[some.source] + turn))

        def made(some: LastTurns) -> Made:
            row = self._in_time(some, pick(states, some.source), to_beat)
            some = pick(some, row)
            return self._spanned(some, pick(states, some.source), rates[some.source], numbers[some.source])

        return self._of_next(some), made

    def turning(self, to_beat: FloatArray) -> tuple[LastTurns, Callable[[LastTurns], Made]]:
        """Return the same in the middle of legs of the phase, also where pieces of those end."""
        handover, legs = self._handover, self._handover.found.legs
        assert legs is not None
        space = self._as_one
        angles = angles_of(space)
        if handover.ends is not None:
            # Where a phase ends in some poses alone, the best turn to one of them may be by any angle.
            angles = np.unique(np.r_[angles, _EVENLY])
        some = from_legs(
            self._aim(space),
            self._lower,
            legs,
            angles,
            self._goals,
            self._most(to_beat),
            free_again=self._free_again,
            beyond=self._beyond,
        )
        some = self._cut(some, legs.turns.heading[some.source] + some.angle)
        turning = legs.turns.price[some.source] + legs.rays.prices(some.source, some.at)
        some = pick(some, handover.space.can_pay(turning))

        def made(some: LastTurns) -> Made:
            states = legs.states(some.source, some.at)
            some, states = pick((some, states), self._in_time(some, states, to_beat))
            return self._spanned(some, states, rates_of(handover.space, states), handover.earlier.add(states))

        return self._of_next(some), made

    def _of_next(self, some: LastTurns) -> LastTurns:
        """Last legs with what they cost at least in the next phase."""
        bound, least = (np.maximum(price - self._paid, 0.0) for price in (some.bound, some.least))
        return some._replace(bound=bound, least=least)

    def _in_time(self, some: LastTurns, states: PoseStates, to_beat: FloatArray) -> IntArray:
        """Find the last legs that may cost less than is known by the narrow cells that they lead over in both phases.

        Where something bars one of thousands, or the ground is too dear, it need not be found out how far each phase
        pays for it.
        """
        space, before = self._as_one, self._handover.space
        if len(some.goal) < MANY or space.bars != before.bars or space.ground is not before.ground:
            return np.arange(len(some.goal))
        # How the mover turns at the end, with degrees that are free again by then, does not matter here.
        least = least_costs(space, self._lower.closer.by_inch, some, states, replace(self._goals, facing=None))
        return np.flatnonzero(least <= self._most(to_beat)[some.goal])

    def _spanned(self, some: LastTurns, states: PoseStates, rates: FloatArray, numbers: IntArray) -> Made:
        """Make the turns and go on as far as the phase pays for; return what is left."""
        handover = self._handover
        turns = handover.turned(states, rates, some.angle)
        some, numbers = pick(some, turns.state), numbers[turns.state]
        at, places, tolls = handover.legs(turns, states, some.mode, some.inches)
        begun = handover.begun(turns, numbers, places, some.mode, at, tolls)
        left = some.inches - at
        some = self._ahead(some, np.where(left > TOUCH, left, 0.0))
        legal = np.flatnonzero(handover.may_end(places, begun.heading, tolls))
        return pick(some, legal), pick(begun, legal)

    def _ahead(self, some: LastTurns, inches: FloatArray) -> LastTurns:
        """Last legs straight ahead of where their states face, so many inches long; before a leap also of none."""
        none = np.zeros(len(inches))
        mode = some.mode if self._leaps else np.where(inches > 0.0, some.mode, NO_LEG)
        return some._replace(at=none, angle=none, inches=inches, mode=mode)

    # --- a turn of the next phase on a leg of the one before ---

    def aside(self, on: LegsOfPhase, to_beat: FloatArray) -> tuple[LastTurns, Callable[[LastTurns], Made]]:
        """Return last turns of the next phase in the middle of legs of this one, and how they are made."""
        handover, legs = self._handover, self._handover.found.legs
        assert legs is not None
        space = replace(self._as_one, budget=self._as_one.budget - handover.space.budget)
        angles = np.unique(np.r_[angles_of(space), 90.0, -90.0])
        # Legs are paid back by what inches cost at least anywhere: by no more they may be ruled out.
        unpriced, most = _unpriced(handover, legs, on), self._most(to_beat) - self._paid
        some = from_legs(self._aim(space), None, unpriced, angles, self._goals, most, free_again=self._free_again)
        some = self._cut(some, unpriced.turns.heading[some.source] + some.angle)

        def made(some: LastTurns) -> Made:
            leg, angle = on.leg[some.source], on.angle[some.source]
            states = legs.states(leg, some.at)
            turns = handover.turned(states, rates_of(handover.space, states), angle)
            turns = pick(turns, handover.may_end(states.place[turns.state], turns.heading, turns.tolls))
            row, none = turns.state, np.zeros(len(turns.state))
            numbers = handover.earlier.add(states)[row]
            begun = handover.begun(turns, numbers, states.place[row], np.full(len(row), NO_LEG), none, turns.tolls)
            return pick(some, row), begun

        kept = np.flatnonzero(some.at > TOUCH)
        return pick(some, kept), made


def _unpriced(handover: Handover, legs: CastLegs, on: LegsOfPhase) -> CastLegs:
    """Legs on which a phase may end, as legs of the next one that cost nothing, after the turns that end the phase.

    Since candidates are ruled out by the least that inches cost, legs are paid back beforehand.
    """
    leg, count = on.leg, len(on.leg)
    none = np.zeros(count)
    turns = handover.next_space.turns
    # What a turn uses up of them is found out when it is made.
    free = np.full(count, float(turns.free)) if handover.refreshes else legs.turns.free[leg]
    factors = handover.space.factors_of(legs.mode[leg])
    price = -on.inches * factors * float(handover.space.ground.least)
    heading = legs.turns.heading[leg] + on.angle
    groups = TurnGroups(none, none, none, none)
    turned = Turned(legs.turns.state[leg], heading, price, free, groups, none, none, none, no_tolls(count), none)
    whole = np.zeros(count, np.intp)
    stretches = RatedStretches(np.arange(count), none, on.inches, none, whole)
    rays = Rays(legs.rays.starts[leg], legs.rays.ahead[leg], np.ones(count), on.inches, stretches, None)
    return CastLegs(turned, legs.mode[leg], none, rays, on.inches, legs.level)
