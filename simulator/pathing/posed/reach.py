"""Where a mover can end, at a place or in a pose, at what price, by which moves: the answer of the planner over poses.

The poses to turn at are searched; the last turn and the last leg are exact: any heading, any length, whatever the
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

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.path_judge import first_contacts
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.tolerances import SLACK, TOLERANCE, TOUCH
from simulator.pathing.posed.moves import Move, Rotate, Travel
from simulator.pathing.posed.rays import Rays, legs_between, may_turn
from simulator.pathing.posed.search import MESH, PoseStates, Turned, rates_of, search, turned
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.turn_prices import TurnGroups
from simulator.pathing.traces import NoRoute

#: So many last legs of a place are tried at once, those that promise most.
_AT_ONCE = 24
#: So many pairs of a state and a place are looked at in one go.
_PAIRS = 1 << 20


class _LastLegs(NamedTuple):
    """Last turns and legs: to which of the places, by which turn, in which mode, how long; and a price they reach."""

    goal: IntArray
    turns: Turned
    mode: IntArray
    inches: FloatArray
    after: FloatArray  #: the price of the turn that follows
    bound: FloatArray  #: no less do they cost in all

    def of(self, rows: IntArray | BoolArray) -> _LastLegs:
        return _LastLegs(
            self.goal[rows], self.turns.of(rows), self.mode[rows], self.inches[rows], self.after[rows], self.bound[rows]
        )


@dataclass(frozen=True, eq=False)
class PoseReach:
    """The ends of a space: costs are floats, exact but for rounding; moves are exact, and priced by the judge."""

    space: PoseSpace
    mesh: float = MESH

    @cached_property
    def states(self) -> PoseStates:
        """The poses that the mover may turn at."""
        return search(self.space, self.mesh)

    @cached_property
    def _rates(self) -> FloatArray:
        return rates_of(self.space, self.states)

    # --- costs ---

    def costs_at(self, places: ArrayLike) -> FloatArray:
        """Compute the least cost of ending at each of many places (rows x, y), facing any way; inf where it cannot."""
        return self._cheapest(np.asarray(places, np.float64).reshape(-1, 2), None)[0]

    def costs_in(self, places: ArrayLike, headings: ArrayLike) -> FloatArray:
        """Compute the least cost of ending at each of many places with a heading in degrees."""
        rows = np.asarray(places, np.float64).reshape(-1, 2)
        facing = np.broadcast_to(np.asarray(headings, np.float64), (len(rows),))
        return self._cheapest(rows, facing)[0]

    def moves_to(self, place: XY, heading: float | None = None) -> tuple[Move, ...]:
        """Return the moves that end at a place at the least cost, with a heading if one is named; raises NoRoute."""
        facing = None if heading is None else np.array([float(heading)])
        costs, found = self._cheapest(np.array([place], np.float64), facing)
        if not np.isfinite(costs[0]) or found is None:
            raise NoRoute(f"no move ends at {place[0]:g},{place[1]:g}")
        legs, row = found
        leg = legs.of(np.array([row[0]]))
        moves = list(self._moves_before(int(leg.turns.state[0])))
        moves += self._step(float(self.states.heading[leg.turns.state[0]]), leg.turns.heading[0], leg.turns.used[0])
        if leg.inches[0] > TOUCH:
            moves.append(Travel(self.space.modes[int(leg.mode[0])], Fraction(float(leg.inches[0]))))
        if heading is not None:
            turn = _shorter(np.array([heading - float(leg.turns.heading[0])]))[0]
            moves += [Rotate(Fraction(float(turn)))] if turn else []
        return tuple(moves)

    # --- the cheapest last legs ---

    def _cheapest(
        self, places: FloatArray, facing: FloatArray | None
    ) -> tuple[FloatArray, tuple[_LastLegs, IntArray] | None]:
        """The least costs of places, and the last legs tried with the row of the best of each place."""
        best = np.full(len(places), np.inf)
        row = np.full(len(places), -1)
        lots: list[_LastLegs] = []
        count = 0
        open_ = np.arange(len(places))
        chunk = max(_PAIRS // max(len(self.states.price) * len(self.space.modes), 1), 1)
        for begin in range(0, len(open_), chunk):
            goals = open_[begin : begin + chunk]
            legs = self._last_legs(places, goals, facing)
            legs = legs.of(np.lexsort((legs.bound, legs.goal)))
            rank = np.arange(len(legs.goal)) - np.searchsorted(legs.goal, legs.goal, side="left")
            for first in range(0, int(rank.max(initial=-1)) + 1, _AT_ONCE):
                some = (rank >= first) & (rank < first + _AT_ONCE) & (legs.bound < best[legs.goal] - SLACK)
                tried = legs.of(some)
                if not len(tried.goal):
                    break
                costs = self._tried(tried, places, facing)
                order = np.lexsort((costs, tried.goal))
                goal, at = np.unique(tried.goal[order], return_index=True)
                chosen = order[at]
                better = costs[chosen] < best[goal]
                best[goal[better]] = costs[chosen[better]]
                row[goal[better]] = count + chosen[better]
                lots.append(tried)
                count += len(tried.goal)
        return best, (_joined(lots), row) if lots else None

    def _last_legs(self, places: FloatArray, goals: IntArray, facing: FloatArray | None) -> _LastLegs:
        """All last legs to some places that may be affordable, each with a lower bound of its cost."""
        space, states = self.space, self.states
        budget = float(space.budget) + TOLERANCE
        away = places[goals][:, None] - states.place
        inches = np.hypot(away[..., 0], away[..., 1])
        least = float(space.ground.least)
        factors = np.array([float(mode.factor) for mode in space.modes])
        goal, state = np.nonzero(states.price + inches * least * factors.min() <= budget)
        bearing = np.degrees(np.arctan2(away[goal, state, 1], away[goal, state, 0]))
        inches = inches[goal, state]
        lots = []
        for number, mode in enumerate(space.modes):
            stays = inches <= TOUCH
            kept = ~stays if number else np.ones(len(goal), np.bool_)
            angle = np.where(stays, 0.0, _shorter(bearing - mode.aside - states.heading[state]))[kept]
            turns = turned(space, states, self._rates, state[kept], angle)
            again = np.arange(int(np.count_nonzero(kept)))
            # Turns with free degrees follow those without, in their order.
            again = np.concatenate([again, again[(states.free[state[kept]] > 0.0) & (np.abs(angle) > 0.0)]])
            whose, far = goals[goal[kept]][again], inches[kept][again]
            far = np.where(far <= TOUCH, 0.0, far)
            after = (
                np.zeros(len(whose)) if facing is None else self._last_turn(turns, far, facing[whose], places[whose])
            )
            bound = turns.price + far * least * factors[number] + after
            cheap = bound <= budget
            lots.append(
                _LastLegs(
                    whose[cheap],
                    turns.of(cheap),
                    np.full(int(cheap.sum()), number),
                    far[cheap],
                    after[cheap],
                    bound[cheap],
                )
            )
        return _joined(lots)

    def _last_turn(self, turns: Turned, far: FloatArray, facing: FloatArray, places: FloatArray) -> FloatArray:
        """The price of turning to a heading at the end; turns on one spot count with the one before."""
        group = turns.group._replace(inches=turns.group.inches + far)
        angle = _shorter(facing - turns.heading)
        price, _ = self.space.turns.turns(group, angle)
        if self.space.turns.times_rate:
            price = price * self.space.ground.rates_at(places, np.mod(turns.heading, 360.0))
        return price

    def _tried(self, legs: _LastLegs, places: FloatArray, facing: FloatArray | None) -> FloatArray:
        """What last legs cost in all; inf where they are barred or not affordable."""
        space = self.space
        starts = self.states.place[legs.turns.state]
        costs = legs.turns.price + legs.after
        travelled = self.states.travelled[legs.turns.state]
        moving = np.flatnonzero(legs.inches > 0.0)
        if len(moving):
            rays = Rays.cast(space, starts[moving], legs.turns.heading[moving], legs.mode[moving], legs.inches[moving])
            free = rays.length >= legs.inches[moving] - TOUCH
            price = rays.prices(np.arange(len(moving)), legs.inches[moving])
            costs[moving] += np.where(free, price, np.inf)
            travelled = travelled.copy()
            travelled[moving] += price
        before = self.states.heading[legs.turns.state]
        legal = (costs <= float(space.budget) + SLACK) & may_turn(space, starts, before, legs.turns.heading - before)
        if facing is not None:
            turn = _shorter(facing[legs.goal] - legs.turns.heading)
            legal &= may_turn(space, places[legs.goal], legs.turns.heading, turn)
        if space.most_travelled is not None:
            legal &= travelled <= float(space.most_travelled) + SLACK
        if space.more_than is not None:
            legal &= costs > float(space.more_than) + SLACK
        if space.no_end:
            rows = np.flatnonzero(legal)
            headings = legs.turns.heading[rows] if facing is None else facing[legs.goal[rows]]
            stands = legs_between(places[legs.goal[rows]], places[legs.goal[rows]], np.mod(headings, 360.0))
            legal[rows] = first_contacts(stands, space.base, space.no_end_standing).which < 0
        return np.where(legal, costs, np.inf)

    # --- how ---

    def _moves_before(self, state: int) -> list[Move]:
        """The moves that lead to a state."""
        states, moves = self.states, list[Move]()
        while states.parent[state] >= 0:
            before = int(states.parent[state])
            leg = Travel(self.space.modes[int(states.mode[state])], Fraction(float(states.inches[state])))
            turn = self._step(float(states.heading[before]), states.heading[state], states.used[state])
            moves = [*turn, leg, *moves]
            state = before
        return moves

    @staticmethod
    def _step(before: float, after: float, used: float) -> list[Move]:
        """The turn from one heading to another, none where they are the same."""
        degrees = Fraction(float(after)) - Fraction(float(before))
        return [Rotate(degrees, Fraction(float(used)))] if degrees else []


def _shorter(degrees: FloatArray) -> FloatArray:
    """Turns the shorter way, in (-180, 180]."""
    return np.asarray(180.0 - np.mod(180.0 - degrees, 360.0))


def _joined(lots: list[_LastLegs]) -> _LastLegs:
    turns = [lot.turns for lot in lots]
    return _LastLegs(
        np.concatenate([lot.goal for lot in lots]),
        Turned(
            np.concatenate([one.state for one in turns]),
            np.concatenate([one.heading for one in turns]),
            np.concatenate([one.price for one in turns]),
            np.concatenate([one.free for one in turns]),
            TurnGroups(*(np.concatenate(column) for column in zip(*(one.group for one in turns), strict=True))),
            np.concatenate([one.used for one in turns]),
        ),
        np.concatenate([lot.mode for lot in lots]),
        np.concatenate([lot.inches for lot in lots]),
        np.concatenate([lot.after for lot in lots]),
        np.concatenate([lot.bound for lot in lots]),
    )
