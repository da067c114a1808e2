"""The cheapest ways to goals: candidates are tried, those that promise most first, until no other can cost less."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.tolerances import SLACK
from simulator.pathing.columns import join, pick
from simulator.pathing.posed.last_legs import Goals, LastLegs, LastTurns, least_of_turns, tried
from simulator.pathing.posed.lower_prices import LowerPrices
from simulator.pathing.posed.rays import units
from simulator.pathing.posed.slides import ROUNDS, Slide
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates

#: So many last legs of a goal are tried at once to begin with, those that promise most; then twice as many.
_AT_ONCE = 8


class CheapestWays:
    """The cheapest ways to goals of all that were offered."""

    def __init__(self, space: PoseSpace, lower: LowerPrices, goals: Goals) -> None:
        self._space, self._lower, self._goals = space, lower, goals
        self.cost = np.full(len(goals.places), np.inf)
        self._lot, self._row = np.zeros(len(self.cost), np.intp), np.zeros(len(self.cost), np.intp)
        self._lots: list[tuple[int, PoseStates, LastLegs]] = []
        self._search = 0

    def next_search(self) -> None:
        """Go on to the candidates of another search, which have to be better than those before."""
        self._search += 1

    def offer(
        self, candidates: LastTurns, states_of: Callable[[LastTurns], PoseStates], at_once: int = _AT_ONCE
    ) -> None:
        """Try candidates, those that promise most first, until no other can cost less."""
        for some in self._in_batches(candidates, at_once):
            states = states_of(some)
            kept = np.flatnonzero(self._may_be_better(some, states))
            if len(kept):
                self._try(pick(some, kept), pick(states, kept))

    def _may_be_better(self, some: LastTurns, states: PoseStates) -> BoolArray:
        """Find which candidates could cost less than what is known, by a closer look at the ground on their legs."""
        aside, factor = self._space.asides[some.mode], self._space.factors[some.mode]
        leg = self._lower.along(states.place, units(states.heading + some.angle + aside), some.inches) * factor
        turn = least_of_turns(self._space, states.free, some.angle)
        if self._space.turns.times_rate:
            turn *= self._lower.rates_at(states.place)
        paid = np.maximum(states.price + turn + leg, some.bound)
        return np.asarray((paid < self.cost[some.goal] - SLACK) & (paid <= float(self._space.budget) + SLACK))

    def slide(self, states: PoseStates, mesh: float, rounds: int = ROUNDS) -> None:
        """Slide the last turns of the ways back along their legs, to within a mesh that is halved so often."""
        found = self._of_this_search()
        if not found:
            return
        ends, ways = join(found)
        some = np.flatnonzero((ends.parent >= 0) & (ways.inches > 0.0))
        if not len(some):
            return
        ends, ways = pick(ends, some), pick(ways, some)
        sliding = Slide(self._space, pick(states, ends.parent), ends, ways, mesh)
        for _ in range(rounds):
            tries = sliding.candidates(self._goals)
            better = self._try(tries, sliding.states(tries))
            sliding.close_in(tries.at, np.flatnonzero(np.isin(tries.goal, better)))

    def _try(self, some: LastTurns, states: PoseStates) -> IntArray:
        """Try candidates, and return the goals to which one of them is a better way than was known."""
        legs = tried(self._space, states, some, self._goals)
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

    def way(self, goal: int) -> tuple[int, PoseStates, LastLegs]:
        """Return the last leg to a goal, the state that it starts from, tables of one row, and of which search."""
        search, states, legs = self._lots[self._lot[goal]]
        row = np.array([self._row[goal]])
        return search, pick(states, row), pick(legs, row)

    def last_legs(self, goals: IntArray) -> tuple[PoseStates, LastLegs]:
        """Return the last legs to some goals, in their order, and the states they start from; ways have to be known."""
        first = np.cumsum([0, *(len(legs.goal) for _, _, legs in self._lots)])
        states, legs = join([(states, legs) for _, states, legs in self._lots])
        rows = first[self._lot[goals]] + self._row[goals]
        return pick(states, rows), pick(legs, rows)

    def _in_batches(self, candidates: LastTurns, many: int) -> Iterator[LastTurns]:
        rest = pick(candidates, np.lexsort((candidates.bound, candidates.goal)))
        while len(rest.goal):
            rest = pick(rest, np.flatnonzero(rest.bound < self.cost[rest.goal] - SLACK))
            rank = np.arange(len(rest.goal)) - np.searchsorted(rest.goal, rest.goal, side="left")
            some = pick(rest, np.flatnonzero(rank < many))
            if len(some.goal):
                yield some
            rest, many = pick(rest, np.flatnonzero(rank >= many)), 2 * many
