"""The cheapest ways to goals: candidates are tried, those that promise most first, until no other can cost less."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import SLACK
from simulator.pathing.columns import join, pick
from simulator.pathing.posed.last_legs import Goals, LastLegs, LastTurns, least_of_turns, tried
from simulator.pathing.posed.lower_prices import LowerPrices
from simulator.pathing.posed.rays import units
from simulator.pathing.posed.slides import ROUNDS, Slide
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates, rates_of

#: So many last legs of a goal are tried at once to begin with, those that promise most; then twice as many.
_AT_ONCE = 8


class CheapestWays:
    """The cheapest ways to goals of all that were offered."""

    def __init__(self, space: PoseSpace, lower: LowerPrices, goals: Goals) -> None:
        self._space, self._lower, self._goals = space, lower, goals
        self.cost = np.full(len(goals.places), np.inf)
        self._fits = goals.have_room(space)
        self._lot, self._row = np.zeros(len(self.cost), np.intp), np.zeros(len(self.cost), np.intp)
        self._lots: list[tuple[int, PoseStates, LastLegs]] = []
        self._search = 0

    @property
    def to_beat(self) -> FloatArray:
        """What a way to each goal has to cost less than; -inf where the mover has no room to end."""
        return np.where(self._fits, self.cost, -np.inf)

    def next_search(self) -> None:
        """Go on to the candidates of another search, which have to be better than those before."""
        self._search += 1

    def offer(
        self,
        candidates: LastTurns,
        states_of: Callable[[LastTurns], PoseStates],
        rates: Callable[[LastTurns, PoseStates], FloatArray],
    ) -> None:
        """Try candidates, those that promise most first, until no other can cost less.

        `states_of` returns the states that they turn in, and `rates` what turns there are multiplied by.
        """
        for some in self._in_batches(candidates):
            states = states_of(some)
            kept = np.flatnonzero(self._may_be_better(some, states))
            if len(kept):
                some, states = pick(some, kept), pick(states, kept)
                self._try(some, states, rates(some, states))

    def _may_be_better(self, some: LastTurns, states: PoseStates) -> BoolArray:
        """Find which candidates could cost less than what is known, by a closer look at the ground on their legs."""
        aside, factor = self._space.asides[some.mode], self._space.factors[some.mode]
        leg = self._lower.along(states.place, units(states.heading + some.angle + aside), some.inches) * factor
        turn = least_of_turns(self._space, states.free, some.angle)
        if self._space.turns.times_rate:
            turn *= self._lower.rates_at(states.place)
        paid = np.maximum(states.price + turn + leg, some.bound)
        return np.asarray((paid < self.cost[some.goal] - SLACK) & (paid <= float(self._space.budget) + SLACK))

    def slide(self, states: PoseStates, mesh: float) -> None:
        """Slide the last turns of the ways back along their legs."""
        found = self._of_this_search()
        if not found:
            return
        ends, ways = join(found)
        some = np.flatnonzero((ends.mode >= 0) & (ways.inches > 0.0))
        if not len(some):
            return
        ends, ways = pick(ends, some), pick(ways, some)
        sliding = Slide(self._space, pick(states, ends.parent), ends, ways, mesh)
        for _ in range(ROUNDS):
            tries = sliding.candidates(self._goals)
            turning = sliding.states(tries)
            better = self._try(tries, turning, rates_of(self._space, turning))
            sliding.close_in(tries.at, np.flatnonzero(np.isin(tries.goal, better)))

    def _try(self, some: LastTurns, states: PoseStates, rates: FloatArray) -> IntArray:
        """Try candidates, and return the goals to which one of them is a better way than was known."""
        legs = tried(self._space, states, rates, some, self._goals)
        order = np.lexsort((legs.cost, legs.goal))
        goal, first = np.unique(legs.goal[order], return_index=True)
        row = order[first]
        better = legs.cost[row] < self.cost[goal] - SLACK
        goal, row = goal[better], row[better]
        self.cost[goal], self._lot[goal], self._row[goal] = legs.cost[row], len(self._lots), np.arange(len(row))
        chosen = pick(legs, row)
        turns = chosen.turns._replace(state=np.arange(len(row)))
        self._lots.append((self._search, pick(states, chosen.turns.state), chosen._replace(turns=turns)))
        return goal

    def _of_this_search(self) -> list[tuple[PoseStates, LastLegs]]:
        """The best ways that came of the candidates of this search, with the states that their last legs start from."""
        found = []
        for number, (search, states, legs) in enumerate(self._lots):
            row = self._row[(self._lot == number) & np.isfinite(self.cost)]
            if search == self._search and len(row):
                found.append((pick(states, row), pick(legs, row)))
        return found

    def drop_above(self, budget: float) -> None:
        """Forget the ways that cost more."""
        self.cost[self.cost > budget + SLACK] = np.inf

    def way(self, goal: int) -> tuple[int, PoseStates, LastLegs]:
        """Return the last leg to a goal, the state that it starts from, tables of one row, and of which search."""
        search, states, legs = self._lots[self._lot[goal]]
        row = np.array([self._row[goal]])
        return search, pick(states, row), pick(legs, row)

    def turning_points(self, goals: IntArray) -> PoseStates:
        """Return the states that the last legs to some goals start from, in their order; ways have to be known."""
        first = np.cumsum([0, *(len(legs.goal) for _, _, legs in self._lots)])
        return pick(join([states for _, states, _ in self._lots]), first[self._lot[goals]] + self._row[goals])

    def _in_batches(self, candidates: LastTurns) -> Iterator[LastTurns]:
        rest, many = pick(candidates, np.lexsort((candidates.bound, candidates.goal))), _AT_ONCE
        while len(rest.goal):
            rest = pick(rest, np.flatnonzero(rest.bound < self.to_beat[rest.goal] - SLACK))
            rank = np.arange(len(rest.goal)) - np.searchsorted(rest.goal, rest.goal, side="left")
            some = pick(rest, np.flatnonzero(rank < many))
            if len(some.goal):
                yield some
            rest, many = pick(rest, np.flatnonzero(rank >= many)), 2 * many
