"""All ways to arrive at one place, and what it costs to face somewhere there.

A mover faces where its last leg ends, or turns on the spot. So the ways that arrive with any heading are found once,
and what they cost with a heading is the price of one more turn. Turns in the middle of a leg to just the heading that
is asked for are looked for besides. Of ways that cost the same the one is taken that `CheapestWays` takes, and slid as
there, so that both return the same costs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.tolerances import ROUNDING_OF_ANGLES, SLACK, TOUCH
from simulator.pathing.columns import join, nth_of_equals, pick
from simulator.pathing.posed.as_kept import are_rigid, at_limit, leeway
from simulator.pathing.posed.cheapest import EQUALS, MANY, CheapestWays, first_of_cheapest, in_order, least_costs
from simulator.pathing.posed.directions import are_oblique
from simulator.pathing.posed.goals import Goals
from simulator.pathing.posed.last_legs import LastLegs, LastTurns, may_turn_after, tried
from simulator.pathing.posed.leaps import legs_from_legs, legs_from_states, legs_onto_headings
from simulator.pathing.posed.legs import CastLegs
from simulator.pathing.posed.lower_prices import LowerPrices
from simulator.pathing.posed.outdone import Outdone
from simulator.pathing.posed.rays import shorter
from simulator.pathing.posed.search import MESH, FoundOnLevel
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates
from simulator.pathing.posed.stops import come_to_touch
from simulator.pathing.posed.sweeps_of_rays import free_turns
from simulator.pathing.posed.turn_tolls import LastTurnTolls, under_bases
from simulator.pathing.posed.whole_pieces import before_whole_pieces

#: So many ways to arrive are tried at once to begin with, those that promise most; then twice as many.
_AT_ONCE = 64
#: The same of ways that turn to one of many headings in the middle of a leg.
_FEW = 8


class _WaysIn(NamedTuple):
    """Ways to arrive, in the order in which they are tried for a place, each with the state that it turns in."""

    states: PoseStates
    legs: LastLegs
    bound: FloatArray
    number: IntArray  #: of the last turn and leg among those that were offered

    @classmethod
    def of(
        cls,
        space: PoseSpace,
        states: PoseStates,
        rates: FloatArray,
        some: LastTurns,
        goals: Goals,
        number: IntArray,
    ) -> _WaysIn:
        """Try last turns and legs from states, one for each, and keep what is legal."""
        legs = tried(space, states, rates, some, goals)
        row = np.flatnonzero(np.isfinite(legs.cost))
        legs = pick(legs, row)
        source = legs.turns.state
        legs = legs._replace(turns=legs.turns._replace(state=np.arange(len(row))))
        return cls(pick(states, source), legs, some.bound[source], number[source])

    @classmethod
    def joined(cls, parts: Sequence[_WaysIn]) -> _WaysIn:
        """Return ways that were tried one lot after the other in the order in which all are tried."""
        every = join(parts)
        return pick(every, np.lexsort((every.number, *in_order(every.legs.inches, every.bound))))


class _ArrivingAt:
    """The ways to arrive at one place that searches found."""

    def __init__(self, space: PoseSpace, lower: LowerPrices, searched: Sequence[FoundOnLevel], place: XY) -> None:
        self._space, self._lower = space, lower
        # What may not be ended on, and what has to be spent, matter when the last turn has been made.
        self._on_the_way = _as_it_arrives(space)
        self._goals, any_cost = Goals(np.array([place], np.float64), None), np.array([np.inf])
        #: By search, those whose last leg leads straight from a state, those that turn in the middle of a leg, and
        #: those of them that whole pieces follow alone.
        self.by_search = list[tuple[_Arrivals, ...]]()
        outdone = Outdone(space, place)
        for states, rates, legs, _ in searched:
            some = legs_from_states(space, lower, states, rates, self._goals, any_cost)
            straight = self._tried(some, pick(states, some.source), rates[some.source], outdone)
            turning = [pick(straight, slice(0))] * 2
            if legs is not None:
                for number, turns_in in enumerate((legs_from_legs, before_whole_pieces)):
                    some = turns_in(space, lower, legs, self._goals, any_cost)
                    if len(some.goal):
                        turning[number] = self._tried(some, legs.states(some.source, some.at), None, outdone)
            self.by_search.append(tuple(_Arrivals(space, ways, place) for ways in (straight, *turning)))

    def _tried(self, some: LastTurns, states: PoseStates, rates: FloatArray | None, outdone: Outdone) -> _WaysIn:
        """Try ways to arrive from states, the cheapest first, without those that are outdone by others.

        `rates` are what turns at the states are multiplied by; None: that is not known yet.
        """
        least = self._least(some, states)
        heading, left = states.heading + some.angle, np.argsort(least, kind="stable")
        left = left[least[left] <= float(self._space.budget) + SLACK]
        found, many = list[_WaysIn](), _AT_ONCE
        while True:
            left = left[outdone.leaves(heading[left], least[left])]
            if found and not len(left):
                return _WaysIn.joined(found)
            now, left, many = left[:many], left[many:], 2 * many
            at = pick(states, now)
            there = self._lower.rates_of(self._space, at) if rates is None else rates[now]
            ways = _WaysIn.of(self._on_the_way, at, there, pick(some, now), self._goals, now)
            outdone.add(ways.legs)
            found.append(ways)

    def _least(self, some: LastTurns, states: PoseStates) -> FloatArray:
        """What ways cost at least; where they are many, by a closer look at those that are not too dear."""
        least = least_costs(self._space, self._lower, some, states, self._goals)
        row = np.flatnonzero(least <= float(self._space.budget) + SLACK)
        if len(row) >= MANY:
            closer = self._lower.closer
            least[row] = least_costs(self._space, closer, pick(some, row), pick(states, row), self._goals)
        return least


def _as_it_arrives(space: PoseSpace) -> PoseSpace:
    """The space without what matters when the last turn has been made; a leap still lands on the level that it has."""
    if space.leap is None:
        return space.on_the_way()
    return replace(space, no_end=(), touch=(), far_from=(), more_than=None, ends=None)


class ArrivingWays:
    """The ways to arrive at places that searches found; `lower` are the least prices of the ground."""

    def __init__(
        self,
        space: PoseSpace,
        lower: LowerPrices,
        searched: Sequence[FoundOnLevel],
        places: FloatArray,
        most: float,
    ) -> None:
        """Take a space in which a little more may be spent than the `most` that may in the end."""
        self._space, self._lower, self._searched, self._places = space, lower, searched, places
        self._most = most
        self._at = [_ArrivingAt(space, lower, searched, (x, y)) for x, y in places.tolist()]

    def ways_in(self, which: IntArray, headings: FloatArray) -> CheapestWays:
        """Find the cheapest ways that end at places, by their numbers, with headings in degrees."""
        goals = Goals(self._places[which], headings)
        rows = [np.flatnonzero(which == number) for number in range(len(self._places))]
        found = CheapestWays(self._space, self._lower, goals)
        found.offer_placed()
        for number, (states, rates, legs, every) in enumerate(self._searched):
            found.begin(every)
            straight, turning, whole = (self._with_headings(number, lot, rows, headings) for lot in range(3))
            found.take(*_cheapest(straight))
            if self._space.directions.oblique is not None:
                found.offer_straight(states, rates, facing_alone=True)
            found.offer_facing(every, MESH)
            if legs is not None:
                found.take(*_cheapest(join([turning, self._onto(legs, goals, which, found.to_beat, turning)])))
                found.take(*_cheapest(whole))
            found.pass_corners(states, rates, self._most, MESH)
            found.refine(MESH, self._most)
        return found

    def _with_headings(self, search: int, lot: int, rows: Sequence[IntArray], headings: FloatArray) -> _WaysIn:
        """The cheapest ways that turn to headings at the end, at each place to those of some rows, which are goals."""
        found = []
        for at, row in zip(self._at, rows, strict=True):
            ways = at.by_search[search][lot].with_headings(headings[row])
            found.append(ways._replace(legs=ways.legs._replace(goal=row[ways.legs.goal])))
        return join(found)

    def _onto(self, legs: CastLegs, goals: Goals, which: IntArray, best: FloatArray, known: _WaysIn) -> _WaysIn:
        """The ways that turn to the headings in the middle of legs, those that may be better than known ones.

        Of ways that cost the same the one is better that is tried first.
        """
        cost, bound = np.full((2, len(best)), np.inf)
        cost[known.legs.goal], bound[known.legs.goal] = known.legs.cost, known.bound
        limits = np.minimum(best, cost + 2 * SLACK)
        some = legs_onto_headings(self._space, self._lower, legs, self._places, which, goals, limits)
        left, many, found = np.lexsort((*in_order(some.inches, some.bound), some.goal)), _FEW, [pick(known, slice(0))]
        least = some.least.copy()
        while len(left := left[_may_win(least[left], some.bound[left], *pick((cost, bound), some.goal[left]))]):
            first = nth_of_equals(some.goal[left]) < many
            now, left, many = left[first], left[~first], 2 * many
            at = legs.states(some.source[now], some.at[now])
            for prices in (self._lower, self._lower.closer) if len(now) >= MANY else (self._lower,):
                least[now] = least_costs(self._space, prices, pick(some, now), at, goals)
                row = np.flatnonzero(_may_win(least[now], some.bound[now], *pick((cost, bound), some.goal[now])))
                now, at = now[row], pick(at, row)
            tries = _WaysIn.of(self._space, at, self._lower.rates_of(self._space, at), pick(some, now), goals, now)
            found.append(tries)
            row = first_of_cheapest(tries.legs.goal, tries.legs.cost, tries.bound)
            goal = tries.legs.goal[row]
            row = row[tries.legs.cost[row] < cost[goal] + SLACK]
            goal = tries.legs.goal[row]
            lower = tries.legs.cost[row] < cost[goal] - SLACK
            bound[goal] = np.where(lower, tries.bound[row], np.minimum(bound[goal], tries.bound[row]))
            cost[goal] = np.minimum(cost[goal], tries.legs.cost[row])
        return join(found)


def _may_win(least: FloatArray, bound: FloatArray, cost: FloatArray, best_bound: FloatArray) -> BoolArray:
    """Find which ways may cost less than others, or as much and be tried before them."""
    return np.asarray((least < cost - SLACK) | ((least <= cost + SLACK) & (bound <= best_bound + SLACK)))


def _cheapest(ways: _WaysIn) -> tuple[PoseStates, LastLegs]:
    """The cheapest way to each goal, of equals the one that is tried first."""
    order = np.empty(len(ways.bound), np.intp)
    order[np.lexsort(in_order(ways.legs.inches, ways.bound))] = np.arange(len(order))
    row = first_of_cheapest(ways.legs.goal, ways.legs.cost, order)
    return pick(ways.states, row), pick(ways.legs, row)


class _Arrivals:
    """Ways to arrive at a place, and the turns that are free there."""

    def __init__(self, space: PoseSpace, ways: _WaysIn, place: XY) -> None:
        self._space, self._ways, ending = space, ways, space.at_the_end
        self._place = np.array([place], np.float64)
        places, headings = np.tile(place, (len(ways.bound), 1)), ways.legs.turns.heading
        self._right, self._left = (free_turns(ending, places, headings, sense) for sense in (-1.0, 1.0))
        self._tolls = LastTurnTolls.of(ending, places, headings, ways.legs.tolls)
        #: Whether what the last leg comes to touch stops it: then it turns no more, but for nothing.
        self._stopped = come_to_touch(space.met, space.base, ways.states.place, elsewhere=space.leap is not None)
        #: The ways that lead straight from where the mover stands, and how far they may lead beside the place.
        self._straight, self._within = _straight_ways(space, ways, self._place)
        self._rates = np.ones(len(headings))
        if len(headings) and space.turns.times_rate:
            self._rates = ending.ground.rates_at(places, np.mod(headings, 360.0))

    def with_headings(self, headings: FloatArray) -> _WaysIn:
        """The cheapest ways that turn to headings at the end, and are legal then; the headings are their goals."""
        legs, space = self._ways.legs, self._space
        if not len(legs.cost):
            return self._ways
        toward = shorter(headings[:, None] - legs.turns.heading)
        angle = self._as_kept(toward)
        group = legs.turns.group._replace(inches=legs.turns.group.inches + legs.inches)
        turns = space.turns.last_turns(group, legs.turns.free, angle) * self._rates
        turning = turns + self._tolls.prices(angle)
        paid = legs.cost + turning
        if space.leap is None:
            paid += self._met_by_links(headings, angle)
        barred = (angle > self._left) | (angle < -self._right) | (paid > float(space.budget) + SLACK)
        barred |= self._stopped & (turns > SLACK)
        if space.leap is not None:
            barred |= ~may_turn_after(space.leap, turning, angle)
        if space.more_than is not None:
            barred |= paid <= float(space.more_than) + SLACK
        # Ways stand in the order in which they are tried: of equals the first is taken.
        row = np.argmin(np.where(barred, np.inf, np.round(paid, EQUALS)), axis=1)
        goal = np.flatnonzero(~barred[np.arange(len(headings)), row])
        row = row[goal]
        found = pick(self._ways, row)
        turned = found.legs.turns
        # Where the last turn is made by a little less the one before is made by a little more.
        turned = turned._replace(heading=turned.heading + (toward - angle)[goal, row])
        return found._replace(legs=found.legs._replace(goal=goal, cost=paid[goal, row], turns=turned))

    def _as_kept(self, angles: FloatArray) -> FloatArray:
        """Turns at the end by angles [heading, way] as they are made, see `TurnsAsKept`."""
        some, turns = self._straight, self._space.turns
        if not len(some):
            return angles
        free = self._ways.legs.turns.free[some] + float(turns.free_at_end)
        made = angles.copy()
        made[:, some] = at_limit(turns, angles[:, some], self._within, free)
        return made

    def _met_by_links(self, headings: FloatArray, angle: FloatArray) -> FloatArray:
        """What is paid for tolls where links lead after turns by angles [heading, way] to headings."""
        before, paid = self._ways.legs.tolls, np.zeros(angle.shape)
        if not any(level.tolls for level in self._space.passes):
            return paid
        places, kept = np.repeat(self._place, len(headings), axis=0), before.touched
        gone = before.gone | self._tolls.gone(angle)
        for level in self._space.passes:
            kept = kept & level.toll_table.bits_here
            met = under_bases(level, places, headings)[:, None] & ~(gone | kept)
            paid += level.toll_table.prices_at_links(met)
            gone |= met
        return paid


def _straight_ways(space: PoseSpace, ways: _WaysIn, place: FloatArray) -> tuple[IntArray, FloatArray]:
    """Return the ways of which both turns may be made as for a place as it is kept, and by how many degrees.

    They lead straight there, from where no leg led to; what has been turned to a limit leads there as it is.
    """
    legs, away = ways.legs, place - ways.states.place
    course = legs.turns.heading + space.asides_of(legs.mode)
    off = np.abs(shorter(np.degrees(np.arctan2(away[:, 1], away[:, 0])) - course))
    leads = (legs.inches > TOUCH) & ~are_oblique(legs.mode) & (off <= ROUNDING_OF_ANGLES)
    row = np.flatnonzero(are_rigid(ways.states) & leads)
    return row, leeway(np.hypot(away[row, 0], away[row, 1]))
