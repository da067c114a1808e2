"""Where a mover can end, at a place or in a pose, at what price, by which moves: the answer of the planner over poses.

The poses to turn at are searched; the last turns and the last leg are exact: any heading, any length, whatever the
mesh. So each end that is reported has a move that the judge accepts at that price, and what may be missing are ends
that need an earlier turn at just one place.

>>> from fractions import Fraction
>>> from simulator.geometry.footprints import Round
>>> from simulator.pathing.posed import Mode, PoseSpace, PoseStart, PricedGround, TurnPrices
>>> sixths = TurnPrices.of([(45, 6), (90, 12), (135, 24), (180, 30)], separation=1)
>>> ground = PricedGround((), lambda under, climbed: Fraction(1))
>>> space = PoseSpace(Round(1), (PoseStart((0, 0), Fraction(0)),), Fraction(36), ground, (Mode("forward"),), sixths)
>>> reach = PoseReach(space)
>>> reach.costs_at([(36, 0), (0, 24), (0, 24.1)]).round(6).tolist()
[36.0, 36.0, inf]
>>> for move in reach.moves_to((0, 24)):
...     print(move)
90 degrees to the left
24 inches forward
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.tolerances import SLACK, TOUCH
from simulator.pathing.posed.columns import joined, rows_of
from simulator.pathing.posed.last_legs import Candidates, Goals, LastLegs, from_legs, from_states, shorter, tried
from simulator.pathing.posed.moves import Move, Rotate, Travel
from simulator.pathing.posed.search import MESH, Searched, angles_of, search
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates, rates_of
from simulator.pathing.traces import NoRoute

#: So many last legs of a goal are tried at once to begin with, those that promise most; then twice as many.
_AT_ONCE = 8


@dataclass(frozen=True, eq=False)
class PoseReach:
    """The ends of a space: costs are floats, exact but for rounding; moves are exact, and priced by the judge."""

    space: PoseSpace
    mesh: float = MESH

    @cached_property
    def searched(self) -> Searched:
        """The poses that the mover may turn at, and the legs between them."""
        return search(self.space, self.mesh)

    @cached_property
    def _rates(self) -> FloatArray:
        return rates_of(self.space, self.searched.states)

    # --- costs ---

    def costs_at(self, places: ArrayLike) -> FloatArray:
        """Compute the least cost of ending at each of many places (rows x, y), facing any way; inf where it cannot."""
        return self._cheapest(Goals(np.asarray(places, np.float64).reshape(-1, 2), None)).cost

    def costs_in(self, places: ArrayLike, headings: ArrayLike) -> FloatArray:
        """Compute the least cost of ending at each of many places with a heading in degrees."""
        rows = np.asarray(places, np.float64).reshape(-1, 2)
        return self._cheapest(Goals(rows, np.broadcast_to(np.asarray(headings, np.float64), (len(rows),)))).cost

    def moves_to(self, place: XY, heading: float | None = None) -> tuple[Move, ...]:
        """Return the moves that end at a place at the least cost, with a heading if one is named; raises NoRoute."""
        facing = None if heading is None else np.array([float(heading)])
        found = self._cheapest(Goals(np.array([place], np.float64), facing))
        if not np.isfinite(found.cost[0]):
            raise NoRoute(f"no move ends at {place[0]:g},{place[1]:g}")
        states, legs = found.way(0)
        moves = self._moves_before(states)
        moves += _turn(float(states.heading[0]), float(legs.turns.heading[0]), float(legs.turns.used[0]))
        if legs.inches[0] > TOUCH:
            moves.append(Travel(self.space.modes[int(legs.mode[0])], Fraction(float(legs.inches[0]))))
        if heading is not None:
            turn = float(shorter(np.array([heading - float(legs.turns.heading[0])]))[0])
            moves += [Rotate(Fraction(turn))] if turn else []
        return tuple(moves)

    def _moves_before(self, state: PoseStates) -> list[Move]:
        """The moves that lead to a state, a table of one row."""
        moves = list[Move]()
        while state.parent[0] >= 0:
            before = rows_of(self.searched.states, state.parent)
            leg = Travel(self.space.modes[int(state.mode[0])], Fraction(float(state.inches[0])))
            moves = [*_turn(float(before.heading[0]), float(state.heading[0]), float(state.used[0])), leg, *moves]
            state = before
        return moves

    # --- the cheapest ways ---

    def _cheapest(self, goals: Goals) -> _Cheapest:
        space, (states, legs) = self.space, self.searched
        found = _Cheapest(space, goals)
        straight = joined(list(from_states(space, states, self._rates, goals)))
        found.offer(straight, lambda some: rows_of(states, some.source))
        if legs is not None:
            angles = angles_of(space)
            turning = joined(list(from_legs(space, legs, angles, goals, found.cost)))
            found.offer(turning, lambda some: legs.states(some.source, some.at))
        return found


class _Cheapest:
    """The cheapest ways to goals of all that were offered."""

    def __init__(self, space: PoseSpace, goals: Goals) -> None:
        self._space, self._goals = space, goals
        self.cost = np.full(len(goals.places), np.inf)
        self._lot, self._row = np.zeros(len(self.cost), np.intp), np.zeros(len(self.cost), np.intp)
        self._lots: list[tuple[PoseStates, LastLegs]] = []

    def offer(self, candidates: Candidates, states_of: Callable[[Candidates], PoseStates]) -> None:
        """Try candidates, those that promise most first, until no other can cost less."""
        for some in self._in_batches(candidates):
            states = states_of(some)
            legs = tried(self._space, states, some, self._goals)
            order = np.lexsort((legs.cost, legs.goal))
            goal, first = np.unique(legs.goal[order], return_index=True)
            row = order[first]
            better = legs.cost[row] < self.cost[goal] - SLACK
            goal, row = goal[better], row[better]
            self.cost[goal], self._lot[goal], self._row[goal] = legs.cost[row], len(self._lots), np.arange(len(row))
            chosen = rows_of(legs, row)
            turns = chosen.turns._replace(state=np.arange(len(row)))
            self._lots.append((rows_of(states, chosen.turns.state), chosen._replace(turns=turns)))

    def way(self, goal: int) -> tuple[PoseStates, LastLegs]:
        """Return the last leg to a goal, and the state that it starts from, tables of one row."""
        states, legs = self._lots[self._lot[goal]]
        row = np.array([self._row[goal]])
        return rows_of(states, row), rows_of(legs, row)

    def _in_batches(self, candidates: Candidates) -> Iterator[Candidates]:
        rest, many = rows_of(candidates, np.lexsort((candidates.bound, candidates.goal))), _AT_ONCE
        while len(rest.goal):
            rest = rows_of(rest, np.flatnonzero(rest.bound < self.cost[rest.goal] - SLACK))
            rank = np.arange(len(rest.goal)) - np.searchsorted(rest.goal, rest.goal, side="left")
            some = rows_of(rest, np.flatnonzero(rank < many))
            if len(some.goal):
                yield some
            rest, many = rows_of(rest, np.flatnonzero(rank >= many)), 2 * many


def _turn(before: float, after: float, used: float) -> list[Move]:
    """The turn from one heading to another, none where they are the same."""
    degrees = Fraction(after) - Fraction(before)
    return [Rotate(degrees, Fraction(used))] if degrees else []
