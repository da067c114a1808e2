"""All ways to arrive at one place, and what it costs to face somewhere there.

A mover faces where its last leg ends, or turns on the spot. So the ways that arrive with any heading are found once,
and what they cost with a heading is the price of one more turn. Turns in the middle of a leg to just the heading that
is asked for are looked for besides. Of ways that cost the same the one is taken that `CheapestWays` takes, and slid as
there, so that both return the same costs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.tolerances import SLACK
from simulator.pathing.columns import join, pick
from simulator.pathing.posed.cheapest import EQUALS, CheapestWays, first_of_cheapest, in_order
from simulator.pathing.posed.lane_search import angles_of
from simulator.pathing.posed.last_legs import Goals, LastLegs, LastTurns, from_legs, from_states, onto_headings, tried
from simulator.pathing.posed.legs import CastLegs
from simulator.pathing.posed.lower_prices import LowerPrices
from simulator.pathing.posed.rays import shorter
from simulator.pathing.posed.search import MESH, FoundOnLevel
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates, rates_of
from simulator.pathing.posed.sweeps_of_rays import free_turns
from simulator.pathing.posed.turn_tolls import LastTurnTolls


class _WaysIn(NamedTuple):
    """Ways to arrive, in the order in which they are tried for a place, each with the state that it turns in."""

    states: PoseStates
    legs: LastLegs
    bound: FloatArray

    @classmethod
    def of(cls, space: PoseSpace, states: PoseStates, rates: FloatArray, some: LastTurns, goals: Goals) -> _WaysIn:
        """Try last turns and legs from states, one for each, and keep what is legal."""
        legs = tried(space, states, rates, some, goals)
        row = np.flatnonzero(np.isfinite(legs.cost))
        source = legs.turns.state[row]
        row = row[np.lexsort((row, source, *in_order(some.inches[source], some.bound[source])))]
        legs = pick(legs, row)
        source = legs.turns.state
        legs = legs._replace(turns=legs.turns._replace(state=np.arange(len(row))))
        return cls(pick(states, source), legs, some.bound[source])


class ArrivingWays:
    """The ways to arrive at a place that searches found; `lower` are the least prices of the ground."""

    def __init__(self, space: PoseSpace, lower: LowerPrices, searched: Sequence[FoundOnLevel], place: XY) -> None:
        self._space, self._lower, self._searched = space, lower, searched
        self._place = np.array([place], np.float64)
        # What may not be ended on, and what has to be spent, matter when the last turn has been made.
        on_the_way = space.on_the_way()
        goals, any_cost = Goals(self._place, None), np.array([np.inf])
        self._ways = list[tuple[_Arrivals, _Arrivals]]()
        for states, rates, legs, _ in searched:
            some = join(list(from_states(space, states, rates, goals, any_cost)))
            straight = _WaysIn.of(on_the_way, pick(states, some.source), rates[some.source], some, goals)
            turning = pick(straight, slice(0))
            if legs is not None:
                some = join(list(from_legs(space, legs, angles_of(space), goals, any_cost)))
                at = legs.states(some.source, some.at)
                turning = _WaysIn.of(on_the_way, at, rates_of(space, at), some, goals)
            self._ways.append((_Arrivals(space, straight, place), _Arrivals(space, turning, place)))

    def ways_in(self, headings: FloatArray) -> CheapestWays:
        """Find the cheapest ways that end with headings in degrees."""
        goals = Goals(np.repeat(self._place, len(headings), axis=0), headings)
        found = CheapestWays(self._space, self._lower, goals)
        for (straight, turning), (_, _, legs, every) in zip(self._ways, self._searched, strict=True):
            found.take(*_cheapest(straight.with_headings(headings)))
            if legs is not None:
                onto = self._onto(legs, headings, found.to_beat)
                found.take(*_cheapest(join([turning.with_headings(headings), onto])))
            found.slide(every, MESH)
            found.next_search()
        return found

    def _onto(self, legs: CastLegs, headings: FloatArray, best: FloatArray) -> _WaysIn:
        """The ways that turn to the headings in the middle of legs."""
        some = onto_headings(self._space, legs, self._place[0], headings, best)
        goals = Goals(np.repeat(self._place, len(headings), axis=0), headings)
        at = legs.states(some.source, some.at)
        return _WaysIn.of(self._space, at, rates_of(self._space, at), some, goals)


def _cheapest(ways: _WaysIn) -> tuple[PoseStates, LastLegs]:
    """The cheapest way to each goal, of equals the one that is tried first."""
    order = np.empty(len(ways.bound), np.intp)
    order[np.lexsort(in_order(ways.legs.inches, ways.bound))] = np.arange(len(order))
    row = first_of_cheapest(ways.legs.goal, ways.legs.cost, order)
    return pick(ways.states, row), pick(ways.legs, row)


class _Arrivals:
    """Ways to arrive at a place, and the turns that are free there."""

    def __init__(self, space: PoseSpace, ways: _WaysIn, place: XY) -> None:
        self._space, self._ways = space, ways
        places, headings = np.tile(place, (len(ways.bound), 1)), ways.legs.turns.heading
        self._right, self._left = (free_turns(space, places, headings, sense) for sense in (-1.0, 1.0))
        self._tolls = LastTurnTolls.of(space, places, headings, ways.legs.tolls)
        self._rates = np.ones(len(headings))
        if len(headings) and space.turns.times_rate:
            self._rates = space.ground.rates_at(places, np.mod(headings, 360.0))

    def with_headings(self, headings: FloatArray) -> _WaysIn:
        """The cheapest ways that turn to headings at the end, and are legal then; the headings are their goals."""
        legs, space = self._ways.legs, self._space
        count = len(legs.cost)
        if not count:
            return self._ways
        angle = shorter(headings[:, None] - legs.turns.heading)
        group = legs.turns.group._replace(inches=legs.turns.group.inches + legs.inches)
        ways = np.tile(np.arange(count), len(headings))
        price = space.turns.last_turns(pick(group, ways), legs.turns.free[ways], angle.ravel())
        paid = legs.cost + price.reshape(angle.shape) * self._rates + self._tolls.prices(angle)
        barred = (angle > self._left) | (angle < -self._right) | (paid > float(space.budget) + SLACK)
        if space.more_than is not None:
            barred |= paid <= float(space.more_than) + SLACK
        # Ways stand in the order in which they are tried: of equals the first is taken.
        row = np.argmin(np.where(barred, np.inf, np.round(paid, EQUALS)), axis=1)
        goal = np.flatnonzero(~barred[np.arange(len(headings)), row])
        row = row[goal]
        found = pick(self._ways, row)
        return found._replace(legs=found.legs._replace(goal=goal, cost=paid[goal, row]))
