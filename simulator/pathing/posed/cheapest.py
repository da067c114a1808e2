"""The cheapest ways to goals: candidates are tried, those that promise most first, until no other can cost less."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.footprints import Round
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import ROUNDING_OF_ANGLES, SLACK
from simulator.pathing.columns import among_first, in_lots, join, lots_of, nth_of_equals, pick
from simulator.pathing.posed.bends import ROUNDS as BENT
from simulator.pathing.posed.bends import LegBend
from simulator.pathing.posed.clearings import Passing
from simulator.pathing.posed.closer_prices import CloserPrices
from simulator.pathing.posed.closing_in import ClosingIn
from simulator.pathing.posed.corner_turns import CornerTurns, LegsBefore, straight_on, that_ended
from simulator.pathing.posed.dear_ends import dearer_of, with_dear_ends
from simulator.pathing.posed.directions import are_oblique
from simulator.pathing.posed.facing_bends import FacingBends
from simulator.pathing.posed.facing_pieces import FacingPieces
from simulator.pathing.posed.goals import Goals
from simulator.pathing.posed.lane_search import FAN
from simulator.pathing.posed.last_legs import (
    LastLegs,
    LastTurns,
    from_states,
    tried,
)
from simulator.pathing.posed.leaps import cut_at_edges, legs_from_legs, legs_from_states
from simulator.pathing.posed.legs import CastLegs
from simulator.pathing.posed.lower_prices import LowerPrices
from simulator.pathing.posed.narrow_gaps import MESHES, NarrowGaps, from_beside_starts
from simulator.pathing.posed.narrow_gaps import ROUNDS as GAPS
from simulator.pathing.posed.numbered_states import NumberedStates
from simulator.pathing.posed.placed_legs import PlacedLegs
from simulator.pathing.posed.raster_cells import shut_over
from simulator.pathing.posed.rays import has_room, shorter, units
from simulator.pathing.posed.recasts import ROUNDS as RECAST
from simulator.pathing.posed.recasts import Recast
from simulator.pathing.posed.shifts import LegCarried, LegShift
from simulator.pathing.posed.slides import ROUNDS, Slide
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates, turned
from simulator.pathing.posed.swings import LEAST, Swing
from simulator.pathing.posed.swings import ROUNDS as SWUNG
from simulator.pathing.posed.tangents import Touching
from simulator.pathing.posed.turns_aside import least_of_last_turns, least_of_turns
from simulator.pathing.posed.whole_pieces import before_whole_pieces

#: So many last legs of a goal are tried at once to begin with, those that promise most; then twice as many.
_AT_ONCE = 8
#: When so many candidates are left to be tried, narrower cells are worth filling.
MANY = 1000
#: Ways to some goals are looked at before those to others, so many at once or all to one goal.
_LOOKED_AT_ONCE = 1 << 14
#: So many ways to each goal that are too dear for the ground that they lead over are tried from beside.
_TOO_DEAR = 8
#: Costs are equal if they are after rounding to so many digits.
EQUALS = 9


def first_of_cheapest(goal: IntArray, cost: FloatArray, order: FloatArray | IntArray) -> IntArray:
    """Return the cheapest row of each goal; of rows that cost the same, but for rounding, the first in an order."""
    rows = np.lexsort((order, np.round(cost, EQUALS), goal))
    return np.asarray(rows[np.unique(goal[rows], return_index=True)[1]])


def in_order(inches: FloatArray, bound: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the keys of the order in which candidates are tried, the last first: the bound, then who turns sooner.

    `inches` are those of the last leg. So it does not matter whether a table is mirrored.
    """
    return -inches, np.round(bound, EQUALS)


def least_costs(
    space: PoseSpace, prices: LowerPrices | CloserPrices, some: LastTurns, states: PoseStates, goals: Goals
) -> FloatArray:
    """Compute what ways cost at least that end with last turns and legs, each from a state, by prices of the ground."""
    aside, factor = space.asides_of(some.mode), space.factors_of(some.mode)
    heading = states.heading + some.angle
    dearer = None if goals.dearer is None else dearer_of(goals, some.goal, some.inches)
    leg = prices.along(states.place, units(heading + aside), some.inches, dearer) * factor
    turn = least_of_turns(space, states.free, some.angle)
    if space.turns.times_rate:
        turn *= prices.rates_at(states.place)
    if goals.facing is not None:
        last = least_of_last_turns(space, states.free, shorter(goals.facing[some.goal] - heading))
        if space.turns.times_rate:
            # The prices are those of the level where the leg is.
            least = float(space.at_the_end.ground.least)
            last *= prices.rates_at(goals.places[some.goal]) if space.leap is None else least
        turn += last
    return np.asarray(np.maximum(states.price + turn + leg, some.least))


def _most_promising(some: LastTurns, most: int | None) -> LastTurns:
    """Return so many candidates of each goal, those that promise most; None: all of them."""
    if most is None:
        return some
    some = pick(some, np.lexsort((some.bound, some.goal)))
    return pick(some, np.flatnonzero(nth_of_equals(some.goal) < most))


def too_dear(space: PoseSpace, states: PoseStates, rates: FloatArray, goals: Goals, best: FloatArray) -> LastTurns:
    """Return the last turns and legs from states that could cost less than the best on the cheapest ground, a few each.

    To each goal they are those that would cost least there.
    """
    if not np.any(best > -np.inf):
        return LastTurns.none()
    some = from_states(space, None, states, rates, replace(goals, dearer=None), best)
    some = pick(some, np.flatnonzero(some.inches > 0.0))
    some = pick(some, np.lexsort((*in_order(some.inches, some.bound), some.goal)))
    return pick(some, np.flatnonzero(nth_of_equals(some.goal) < _TOO_DEAR))


def _some_goals_first(some: LastTurns) -> Iterator[LastTurns]:
    """Yield the candidates to some goals before those to others."""
    if len(some.goal) <= _LOOKED_AT_ONCE:
        yield some
        return
    for row in in_lots(some.goal, _LOOKED_AT_ONCE):
        yield pick(some, row)


class _Tried(NamedTuple):
    """What came of candidates, by their rows."""

    better: IntArray  #: those that are better ways than were known, one to a goal at most
    barred: IntArray  #: those that are no legal ways


class CheapestWays:
    """The cheapest ways to goals of all that were offered."""

    def __init__(
        self,
        space: PoseSpace,
        lower: LowerPrices,
        goals: Goals,
        fits: BoolArray | None = None,
        limits: FloatArray | None = None,
        enough: float | None = None,
    ) -> None:
        """Take a space and prices, both asked by the rows of the goals; which have room may be known already.

        Ways to each goal cost less than its limit, if there are limits besides the budget. Where one costs no more than
        is good `enough`, no better one is looked for; None: the cheapest is.
        """
        self._space, self._lower, self._goals = space, lower, with_dear_ends(space, goals)
        self._limits, self._enough = limits, enough
        self._asked: BoolArray | None = None
        self.cost = np.full(len(goals.places), np.inf)
        self._fits = goals.have_room(space) if fits is None else fits
        self._lot, self._row = np.zeros(len(self.cost), np.intp), np.zeros(len(self.cost), np.intp)
        self._lots: list[tuple[int, PoseStates, LastLegs]] = []
        self._search = -1
        self._numbered: list[NumberedStates] = []  #: by search
        #: Ways of this search that something may bar, each with the state that it turns in.
        self._barred: list[tuple[LastTurns, PoseStates]] = []
        #: By mover, how many candidates were left after the first look.
        self._left = np.zeros(int(self._whose(np.arange(len(self.cost))).max(initial=0)) + 1, np.intp)

    @property
    def to_beat(self) -> FloatArray:
        """What a way to each goal has to cost less than; -inf where none is looked for: there is no room to end."""
        best = self.cost if self._limits is None else np.minimum(self.cost, self._limits)
        looked_for = self._fits if self._asked is None else self._fits & self._asked
        if self._enough is not None:
            looked_for = looked_for & (self.cost > self._enough + SLACK)
        return np.where(looked_for, best, -np.inf)

    def ask_about(self, goals: BoolArray | None) -> None:
        """Look for better ways to some goals alone from now on; None: to all."""
        self._asked = goals

    def _whose(self, goal: IntArray) -> IntArray:
        """The numbers of the movers that are to get to goals."""
        return self._space.by_rows(goal).kind_of_rows(len(goal))

    def begin(self, states: PoseStates) -> None:
        """Go on to the candidates of another search, of all its states, which have to be better than those before."""
        self._search += 1
        self._barred = []
        self._numbered.append(NumberedStates(states))

    def states_of(self, search: int) -> NumberedStates:
        """Return the states of a search by their numbers, with those that were made besides."""
        return self._numbered[search]

    def offer_straight(
        self, states: PoseStates, rates: FloatArray, at_once: int = _AT_ONCE, *, facing_alone: bool = False
    ) -> None:
        """Offer the last turns and legs straight from states, with what turns there are multiplied by."""
        if facing_alone:
            some = from_states(
                self._space, self._lower, states, rates, self._goals, self.to_beat, facing_alone=facing_alone
            )
        else:
            some = legs_from_states(self._space, self._lower, states, rates, self._goals, self.to_beat)
        self._offer_straight(some, states, rates, at_once)

    def _offer_straight(self, some: LastTurns, states: PoseStates, rates: FloatArray, at_once: int = _AT_ONCE) -> None:
        """Offer last turns and legs from states."""
        self._offer(some, lambda some: pick(states, some.source), lambda some, _: rates[some.source], at_once)

    def offer_turning(self, legs: CastLegs, at_once: int = _AT_ONCE, most: int | None = None) -> None:
        """Offer last turns in the middle of legs: all, or so many to each goal, those that promise most."""
        some = legs_from_legs(self._space, self._lower, legs, self._goals, self.to_beat)
        self._offer_turning(_most_promising(some, most), lambda some: legs.states(some.source, some.at), at_once)

    def offer_whole_pieces(self, legs: CastLegs, at_once: int = _AT_ONCE) -> None:
        """Offer last turns in the middle of first legs after which whole pieces alone are left to the goals."""
        some = before_whole_pieces(self._space, self._lower, legs, self._goals, self.to_beat)
        self._offer_turning(some, lambda some: legs.states(some.source, some.at), at_once)

    def _offer_turning(
        self, some: LastTurns, states_of: Callable[[LastTurns], PoseStates], at_once: int = _AT_ONCE
    ) -> None:
        """Offer last turns in the middle of legs, in the states that those lead to."""
        self._offer(some, states_of, self._rates, at_once)

    def _rates(self, some: LastTurns, states: PoseStates) -> FloatArray:
        """What last turns are multiplied by that are made in states."""
        return self._lower.by_rows(some.goal).rates_of(self._space.by_rows(some.goal), states)

    def offer_facing(self, every: PoseStates, mesh: float, at_once: int = _AT_ONCE) -> None:
        """Offer ways of two legs from the starts among all states to goals that are to be faced.

        Those who travel obliquely face at once as they are to in the end; of others one leg is of whole pieces.
        """
        space = self._space
        if self._goals.facing is None:
            return
        if space.directions.oblique is not None:
            bends = FacingBends(space, every, self._goals, mesh)
            self.offer_made(bends.candidates(self.to_beat), bends.made, at_once)
        elif space.ground.grain is not None and space.leap is None:
            pieces = FacingPieces(space, every, self._goals)
            self.offer_made(pieces.candidates(self.to_beat), pieces.made, at_once)

    def offer_placed(self, at_once: int = _AT_ONCE) -> None:
        """Offer the ways that lead straight from where the mover may be placed."""
        space = self._space
        if not space.placings:
            return
        placed = PlacedLegs(space, self._goals)
        best = self.to_beat
        for offered in placed.rounds(best):
            for some in self._in_batches(offered.ways, at_once):
                states = pick(offered.states, some.source)
                kept = self._may_be_better(some, states)
                kept = kept[has_room(space, states.place[kept], states.heading[kept])]
                if len(kept):
                    some, states = pick(some, kept), pick(states, kept)
                    better = self._try(some, states, self._rates(some, states)).better
                    placed.note(offered, pick(some, better))
            np.copyto(best, self.to_beat)

    def _offer(
        self,
        candidates: LastTurns,
        states_of: Callable[[LastTurns], PoseStates],
        rates: Callable[[LastTurns, PoseStates], FloatArray],
        at_once: int,
    ) -> None:
        """Try candidates, those that promise most first, until no other can cost less.

        `states_of` returns the states that they turn in, and `rates` what turns there are multiplied by.
        """
        for some in self._in_batches(candidates, at_once):
            for lot in _some_goals_first(some):
                self._try_better(lot, states_of(lot), rates)

    def offer_made(
        self,
        candidates: LastTurns,
        made: Callable[[LastTurns], tuple[LastTurns, PoseStates]],
        at_once: int = _AT_ONCE,
        most: int | None = None,
    ) -> None:
        """Offer candidates of which the last legs, and the states they start from, are only made to be tried."""
        for some in self._in_batches(_most_promising(candidates, most), at_once):
            for lot in _some_goals_first(some):
                self._try_better(*made(lot), self._rates)

    def _try_better(
        self, some: LastTurns, states: PoseStates, rates: Callable[[LastTurns, PoseStates], FloatArray]
    ) -> None:
        """Try those of some candidates that could cost less than what is known."""
        least = self._least(some, states)
        self._barred.append(pick((some, states), np.flatnonzero(least > self._shut_over(some.goal))))
        kept = self._below(some, least)
        if len(kept):
            some, states = pick(some, kept), pick(states, kept)
            barred = self._try(some, states, rates(some, states)).barred
            self._barred.append(pick((some, states), barred))

    def _may_be_better(self, some: LastTurns, states: PoseStates) -> IntArray:
        """Return the candidates that could cost less than what is known, by the ground on their legs."""
        return self._below(some, self._least(some, states))

    def _least(self, some: LastTurns, states: PoseStates) -> FloatArray:
        """What candidates cost at least by the ground on their legs, more than the budget where something bars them.

        Where many are left that could cost less than what is known, those are looked at by narrower cells.
        """
        here = self._space.by_rows(some.goal), self._lower.by_rows(some.goal)
        least = least_costs(*here, some, states, self._goals)
        row = self._below(some, least)
        whose = self._whose(some.goal[row])
        self._left += np.bincount(whose, minlength=len(self._left))
        closely = row[self._left[whose] >= MANY]
        if len(closely):
            least[closely] = self._least_closely(*pick((some, states), closely))
        return least

    def _least_closely(self, some: LastTurns, states: PoseStates, *, of_ground: bool = False) -> FloatArray:
        """The same by narrower cells, for the ground alone as if nothing barred the way."""
        found, whose = np.zeros(len(some.goal)), self._whose(some.goal)
        for number in np.unique(whose).tolist():
            row = np.flatnonzero(whose == number)
            space, closer = self._space_of(number), self._lower_of(number).closer
            prices = closer.of_ground if of_ground else closer
            found[row] = least_costs(space, prices, pick(some, row), pick(states, row), self._goals)
        return found

    def _space_of(self, number: int) -> PoseSpace:
        """The space of a mover."""
        del number
        return self._space

    def _lower_of(self, number: int) -> LowerPrices:
        """The prices that a mover pays at least."""
        del number
        return self._lower

    def _shut_over(self, goal: IntArray) -> FloatArray | float:
        """What ways to goals cost more than that lead through a shut cell."""
        del goal
        return shut_over(self._space)

    def _below(self, some: LastTurns, least: FloatArray) -> IntArray:
        """Return the candidates that, by what they cost at least, could cost less than what is known."""
        return np.flatnonzero((least < self.to_beat[some.goal] - SLACK) & self._space.by_rows(some.goal).can_pay(least))

    def try_gaps(self, legs: Sequence[CastLegs | None], mesh: float, most: int | None = None) -> None:
        """Try barred ways from beside: from no farther along the leg before than a mesh or two, or as little before.

        The legs are those that were cast for each mover. No more than so many ways are tried to each goal, those that
        promise most.
        """
        if not self._barred or self._space.leap is not None:
            return
        best, barred = self.to_beat, self._barred
        self._barred = []
        rows = [np.flatnonzero(some.least < best[some.goal] - SLACK) for some, _ in barred]
        # There may be hundreds of thousands: those to some goals come after those to others.
        goals = [some.goal[row] for (some, _), row in zip(barred, rows, strict=True)]
        lots = lots_of(np.sum([np.bincount(one, minlength=len(best)) for one in goals], axis=0), _LOOKED_AT_ONCE)
        for number in np.unique(np.concatenate([lots[one] for one in goals])).tolist():
            of_goals = zip(barred, rows, goals, strict=True)
            lot = join([pick(one, row[lots[goal] == number]) for one, row, goal in of_goals])
            self._try_gaps_of(*lot, legs, mesh, most)

    def _try_gaps_of(
        self,
        some: LastTurns,
        states: PoseStates,
        legs: Sequence[CastLegs | None],
        mesh: float,
        most: int | None,
    ) -> None:
        """Try some of the barred ways from beside, all those that lead to their goals."""
        # Long bases take longest to look for gaps, and most ways with round ones have none beside them.
        is_long = not isinstance(self._space.base, Round)
        mesh *= 1 if is_long else MESHES
        moved = pick((some, states), np.flatnonzero((states.mode >= 0) & (states.parent >= 0)))
        some, states = join([moved, self._beside_starts(legs, some, states, mesh)])
        if not len(some.goal):
            return
        if is_long:
            some, states = pick((some, states), self._worth_gaps(some, states, most))
        before, places = self._numbered[-1].rows(states.parent), self._goals.places[some.goal]
        gaps = NarrowGaps(self._passing(some.goal), before, states, some, places, mesh)
        tries = gaps.candidates()
        if not is_long:
            row = np.unique(tries.source)
            row = row[self._worth_gaps(*pick((some, states), row), most)]
            tries = pick(tries, np.flatnonzero(np.isin(tries.source, row)))
        for number in range(GAPS):
            if number:
                tries = gaps.candidates()
            turning = gaps.states(tries)
            kept = self._may_be_better(tries, turning)
            if not len(kept):
                break
            tries, turning = pick(tries, kept), pick(turning, kept)
            gaps.go_on(pick(tries, self._try(tries, turning, self._rates(tries, turning)).barred))

    def _worth_gaps(self, some: LastTurns, states: PoseStates, most: int | None) -> IntArray:
        """Find the barred ways that could cost less than what is known, so many to each goal.

        That is by the closest look at the ground, so that it does not matter what others were asked about besides.
        """
        least = self._least_closely(some, states, of_ground=True)
        row = self._below(some, least)
        if most is None:
            return row
        order = row[np.lexsort((*in_order(some.inches[row], least[row]), some.goal[row]))]
        return np.sort(order[nth_of_equals(some.goal[order]) < most])

    def _beside_starts(
        self, legs: Sequence[CastLegs | None], some: LastTurns, states: PoseStates, mesh: float
    ) -> tuple[LastTurns, PoseStates]:
        """Barred ways from starts among some as ways from legs that begin there, of one mover after the other."""
        found, whose = [(pick(some, slice(0)), pick(states, slice(0)))], self._whose(some.goal)
        for number, cast in enumerate(legs):
            row = np.flatnonzero(whose == number)
            if cast is not None and len(row):
                barred, starts = pick((some, states), row)
                passing, places = self._passing(barred.goal), self._goals.places[barred.goal]
                found.append(from_beside_starts(passing, cast, self._numbered[-1], barred, starts, places, mesh))
        return join(found)

    def _passing(self, goal: IntArray) -> Passing:
        """How what stands on the table is passed on ways to goals."""
        return self._passing_any.by(self._space.by_rows(goal))

    @cached_property
    def _passing_any(self) -> Passing:
        return Passing(self._space)

    def slide(self, mesh: float, rounds: int = ROUNDS) -> None:
        """Slide the last turns of the ways along their legs, by a mesh at most: to where their last legs pass corners.

        And then back, in so many rounds.
        """
        if ways_so_far := self._of_this_search():
            self._turn_at_corners(*join(ways_so_far), mesh)
        found = self._with_two_legs()
        if found is None:
            return
        ends, ways = found
        before, places = self._numbered[-1].rows(ends.parent), self._goals.places[ways.goal]
        sliding = Slide(self._passing(ways.goal), before, ends, ways, places, mesh)
        for _ in range(rounds):
            tries = sliding.candidates()
            if not len(tries.goal):
                break
            turning = sliding.states(tries)
            row, some = np.arange(len(tries.goal)), tries
            if self._space.leap is not None:
                row, some = cut_at_edges(self._space, self._goals, tries, turning.heading + tries.angle)
            kept = self._may_be_better(some, pick(turning, row))
            row, some = row[kept], pick(some, kept)
            turning = pick(turning, row)
            better = self._try(some, turning, self._rates(some, turning)).better
            sliding.close_in(tries, row[better])

    def pass_corners(self, states: PoseStates, rates: FloatArray, above: float, mesh: float) -> None:
        """Try ways from beside that dear ground makes too dear, to goals to which all that are known cost more."""
        if self._passes_corners:
            some = too_dear(self._space, states, rates, self._goals, self._to_beat_above(above))
            self._pass_corners(some, pick(states, some.source), rates[some.source], mesh)

    @property
    def _passes_corners(self) -> bool:
        """Whether there are corners of the ground to pass."""
        return self._space.leap is None and not self._corners.is_empty

    def _to_beat_above(self, above: FloatArray | float) -> FloatArray:
        """What ways have to cost less than to goals to which all that are known cost more than so much; -inf others."""
        return np.where(self.cost > above + SLACK, self.to_beat, -np.inf)

    def _pass_corners(self, some: LastTurns, states: PoseStates, rates: FloatArray, mesh: float) -> None:
        """Try ways from beside, each from the state of its row."""
        if not len(some.goal):
            return
        every = np.arange(len(some.goal))
        # Turns with free degrees follow those without: here only the places to turn at matter.
        turns = pick(turned(self._space.by_rows(some.goal), states, rates, every, some.angle), every)
        ways = LastLegs(some.goal, turns, some.mode, some.inches, turns.price, turns.tolls)
        self._turn_at_corners(states, ways, mesh)

    def refine(self, mesh: float, above: FloatArray | float) -> None:
        """Make the last turns and legs of ways elsewhere, by a mesh at most; more of those that cost more than so much.

        That is what may be spent: the best of the ways that cost a little more may be one that does not.
        """
        self.swing()
        self.slide(mesh)
        self.bend(mesh)
        self.shift(mesh)
        self.recast(mesh, above)

    def _turn_at_corners(self, ends: PoseStates, ways: LastLegs, mesh: float) -> None:
        """Make the last turns of ways where their last legs pass corners of the ground; those at starts later."""
        if not self._passes_corners:
            return
        for row, before in self._legs_before(ends, ways, mesh):
            goal, mode = ways.goal[row], ways.mode[row]
            turns = CornerTurns(before, self._space.asides_of(mode), self._goals.places[goal], mesh)
            tries = turns.candidates(self._corners, goal, mode)
            turning = turns.states(tries)
            kept = self._may_be_better(tries, turning)
            tries, turning = pick(tries, kept), pick(turning, kept)
            self._try(tries, turning, self._rates(tries, turning))

    def _legs_before(self, ends: PoseStates, ways: LastLegs, mesh: float) -> Iterator[tuple[IntArray, LegsBefore]]:
        """Yield ways by their rows with the legs that they turn on: the last ones but one, or ahead from the start."""
        every, moves = self._numbered[-1], (ways.inches > 0.0) & ~are_oblique(ways.mode)
        row = np.flatnonzero(moves & (ends.mode >= 0) & (ends.parent >= 0))
        if len(row):
            states = pick(ends, row)
            yield row, that_ended(self._space.by_rows(ways.goal[row]), every.rows(states.parent), states, mesh)
        row = np.flatnonzero(moves & (ends.parent < 0) & (ways.turns.heading != ends.heading))
        if len(row):
            starts = pick(ends, row)
            yield row, straight_on(self._space.by_rows(ways.goal[row]), starts, every.add(starts), mesh)

    @cached_property
    def _corners(self) -> Touching:
        """The corners of the ground."""
        return Touching(self._space, ground_alone=True)

    def bend(self, mesh: float) -> None:
        """Begin the last legs of ways sooner or later that lead obliquely, by a mesh at most."""
        found = self._with_two_legs() if self._space.directions.oblique is not None else None
        if found is None:
            return
        ends, ways = found
        ends, ways = pick((ends, ways), np.flatnonzero(are_oblique(ways.mode)))
        if not len(ways.goal):
            return
        before, places = self._numbered[-1].rows(ends.parent), self._goals.places[ways.goal]
        bending = LegBend(self._space, before, ends, ways, places, mesh)
        for _ in range(BENT):
            row, farther = bending.closing.between()
            states, some = bending.made(row, farther)
            turning = pick(states, some.source)
            kept = self._may_be_better(some, turning)
            some, turning = pick(some, kept), pick(turning, kept)
            better = self._try(some, turning, self._rates(some, turning)).better
            best = some.source[better]
            bending.closing.go_on(row, farther, row[best], farther[best])

    def shift(self, mesh: float) -> None:
        """Shift the legs before the last ones of the ways sideways, and carry them along the ones before, by a mesh."""
        # By whole pieces prices do not grow evenly with a shift.
        if self._space.leap is None and self._space.ground.grain is None:
            self._shift_by(LegShift, mesh)
            self._shift_by(LegCarried, mesh)

    def _shift_by(self, kind: type[LegShift], mesh: float) -> None:
        """Shift legs in one way, by a mesh at most."""
        found = self._with_two_legs()
        if found is None:
            return
        ends, ways = found
        states = self._numbered[-1]
        before = states.rows(ends.parent)
        moved = np.flatnonzero((before.mode >= 0) & (before.parent >= 0) & (ends.used == 0.0))
        if not len(moved):
            return
        ends, ways, before = pick((ends, ways, before), moved)
        shifting = kind(self._space.by_rows(ways.goal), states.rows(before.parent), before, ends, ways, mesh)
        for number in range(kind.rounds):
            row, shift = shifting.closing.between() if number else shifting.first()
            made = shifting.made(row, shift, self.to_beat[ways.goal])
            kept = self._may_be_better(made.last, made.states)
            turning = pick(made.states, kept)
            turning = turning._replace(parent=states.add(pick(made.before, turning.parent)))
            last = pick(made.last, kept)
            better = kept[self._try(last, turning, self._rates(last, turning)).better]
            shifting.closing.go_on(row, shift, made.row[better], made.shift[better])

    def swing(self, above: FloatArray | None = None) -> None:
        """Swing ways of two legs from starts round, between first turns of a fan; those to goals that cost more."""
        found = self._with_two_legs()
        if found is None or self._space.leap is not None:
            return
        ends, ways = found
        states = self._numbered[-1]
        starts = states.rows(ends.parent)
        dear = np.ones(len(ways.goal), np.bool_) if above is None else ways.cost > above[ways.goal] + SLACK
        row = np.flatnonzero((starts.parent < 0) & (ends.used == 0.0) & dear)
        if not len(row):
            return
        ends, ways, starts = pick((ends, ways, starts), row)
        swinging = Swing(self._space.by_rows(ways.goal), starts, ends, ways, self._goals.places[ways.goal])
        closing = ClosingIn(np.full(len(row), -FAN), np.full(len(row), FAN), LEAST)
        for _ in range(SWUNG):
            row, angle = closing.between()
            made = swinging.made(row, angle, self.to_beat[ways.goal])
            kept = self._may_be_better(made.last, made.states)
            last, turning = pick((made.last, made.states), kept)
            better = kept[self._try(last, turning, self._rates(last, turning)).better]
            closing.go_on(row, angle, made.row[better], made.angle[better])

    def recast(self, mesh: float, above: FloatArray | float) -> None:
        """Make the legs before the last ones of ways anew, by a mesh at most: of those that cost more than so much."""
        found = self._with_two_legs()
        if found is None or self._space.leap is not None:
            return
        ends, ways = found
        dear = self._to_beat_above(above) > -np.inf
        row = np.flatnonzero(dear[ways.goal] & ~are_oblique(ends.mode))
        if not len(row):
            return
        ends, ways = pick((ends, ways), row)
        before = self._numbered[-1].rows(ends.parent)
        recast = Recast(self._space.by_rows(ways.goal), before, ends, ways, self._goals.places[ways.goal], mesh)
        for _ in range(RECAST):
            made = recast.made(self.to_beat[ways.goal])
            kept = self._may_be_better(made.last, made.states)
            last, turning = pick((made.last, made.states), kept)
            recast.go_on(made, kept[self._try(last, turning, self._rates(last, turning)).better])

    def _with_two_legs(self) -> tuple[PoseStates, LastLegs] | None:
        """The best ways of this search that end with a leg after another one, from the states between; None: none."""
        found = self._of_this_search()
        if not found:
            return None
        ends, ways = join(found)
        row = np.flatnonzero((ends.mode >= 0) & (ends.parent >= 0) & (ways.inches > 0.0))
        return pick((ends, ways), row) if len(row) else None

    def _try(self, some: LastTurns, states: PoseStates, rates: FloatArray) -> _Tried:
        """Try candidates, and take those that are better ways than were known."""
        legs = tried(self._space.by_rows(some.goal), states, rates, some, self._goals)
        chosen = pick(legs, first_of_cheapest(legs.goal, legs.cost, legs.turns.state))
        taken = self.take(pick(states, chosen.turns.state), chosen)
        barred = np.ones(len(some.goal), np.bool_)
        barred[legs.turns.state[np.isfinite(legs.cost)]] = False
        return _Tried(chosen.turns.state[taken], np.flatnonzero(barred))

    def take(self, states: PoseStates, legs: LastLegs) -> IntArray:
        """Take ways that cost less than is known, at most one a goal, each from the state of its row; return which."""
        row = np.flatnonzero(legs.cost < self.to_beat[legs.goal] - SLACK)
        legs, goal = pick(legs, row), legs.goal[row]
        self.cost[goal], self._lot[goal], self._row[goal] = legs.cost, len(self._lots), np.arange(len(row))
        turns = legs.turns._replace(state=np.arange(len(row)))
        self._lots.append((self._search, pick(states, row), legs._replace(turns=turns)))
        return row

    def _of_this_search(self) -> list[tuple[PoseStates, LastLegs]]:
        """The best ways that came of the candidates of this search, with the states that their last legs start from.

        They are those to goals to which a better way is looked for.
        """
        found, better = [], np.isfinite(self.cost) & (self.to_beat > -np.inf)
        for number, (search, states, legs) in enumerate(self._lots):
            row = self._row[(self._lot == number) & better]
            if search == self._search and len(row):
                found.append((pick(states, row), pick(legs, row)))
        return found

    def to_some(self, space: PoseSpace, lower: LowerPrices, goals: Goals, rows: IntArray) -> CheapestWays:
        """Return the ways to some of the goals by their rows: to all `goals` of one mover."""
        found = CheapestWays(space, lower, goals, self._fits[rows])
        found.cost, found._lot, found._row = pick((self.cost, self._lot, self._row), rows)
        found._lots, found._numbered, found._search = self._lots, self._numbered, self._search
        return found

    def ended_by(self, space: PoseSpace, lower: LowerPrices, fits: BoolArray) -> CheapestWays:
        """Return the same ways for a mover that goes on by links where they end, to the goals at which it may do so.

        What the links cost is not counted; the `space` is what they leave of it.
        """
        found = self.to_some(space, lower, self._goals, np.arange(len(self.cost)))
        found._fits = self._fits & fits
        vars(found)["_corners"] = self._corners
        found.cost[~found._fits] = np.inf
        found.drop_above(float(space.budget))
        return found

    def drop_above(self, budget: FloatArray | float) -> None:
        """Forget the ways that cost more."""
        self.cost[self.cost > budget + SLACK] = np.inf

    def way(self, goal: int) -> tuple[int, PoseStates, LastLegs]:
        """Return the last leg to a goal, the state that it starts from, tables of one row, and of which search."""
        search, states, legs = self._lots[self._lot[goal]]
        row = np.array([self._row[goal]])
        return search, pick(states, row), pick(legs, row)

    def facing_at(self, goal: int) -> float | None:
        """Return the heading that is to be turned to at a goal; None: it may be any."""
        return None if self._goals.facing is None else float(self._goals.facing[goal])

    def limits_of_last_turns(self) -> FloatArray:
        """Return by goal, which is to be faced somehow, the headings at which the price of the last turn changes.

        Where the mover does not turn at the end, that is the turn before the last leg. NaN without a way.
        """
        turns, ends = self._space.turns, np.flatnonzero(np.isfinite(self.cost))
        found = np.full((len(self.cost), 2 * len(turns.limits)), np.nan)
        if len(ends):
            assert self._goals.facing is not None
            states, legs = self.last_legs(ends)
            turned = np.abs(shorter(self._goals.facing[ends] - legs.turns.heading)) > ROUNDING_OF_ANGLES
            found[ends] = np.where(turned, legs.turns.heading, states.heading)[:, None]
            free = np.where(turned, legs.turns.free, states.free)[:, None]
            found[ends] += np.hstack([turns.limits + free, -turns.limits - free])
        return found

    def last_legs(self, goals: IntArray) -> tuple[PoseStates, LastLegs]:
        """Return the last legs to some goals, in their order, and the states they start from; ways have to be known."""
        first = np.cumsum([0, *(len(legs.goal) for _, _, legs in self._lots)])
        states, legs = join([(states, legs) for _, states, legs in self._lots])
        rows = first[self._lot[goals]] + self._row[goals]
        return pick(states, rows), pick(legs, rows)

    def _in_batches(self, candidates: LastTurns, many: int) -> Iterator[LastTurns]:
        """Yield so many candidates of each goal, those that promise most, then twice as many, while any promises to."""
        left = np.arange(len(candidates.goal))
        while True:
            left = left[candidates.least[left] < self.to_beat[candidates.goal[left]] - SLACK]
            if not len(left):
                return
            # There may be millions, of which the first batch rules out nearly all: those alone are put in order.
            first = among_first(candidates.goal[left], np.round(candidates.bound[left], EQUALS), many)
            some = pick(candidates, left[first])
            order = np.lexsort((*in_order(some.inches, some.bound), some.goal))
            now = order[nth_of_equals(some.goal[order]) < many]
            yield pick(some, now)
            left, many = np.delete(left, first[now]), 2 * many
