"""The cheapest ways to goals on a level, as costs and as written moves, with the links that are followed at the end."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np

from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import TOLERANCE, TOUCH
from simulator.pathing.posed.cheapest import CheapestWays
from simulator.pathing.posed.edges import Link, OffTheEdge
from simulator.pathing.posed.goals import Goals
from simulator.pathing.posed.links import PoseLink
from simulator.pathing.posed.moves import Follow, Move, Rotate, Travel
from simulator.pathing.posed.numbered_states import NumberedStates
from simulator.pathing.posed.rays import shorter
from simulator.pathing.posed.search import Searched
from simulator.pathing.posed.space import PoseSpace, PoseStart, price_of_row
from simulator.pathing.posed.states import PoseStates
from simulator.pathing.posed.turned_ends import TurnedEnds


class LastLinks(NamedTuple):
    """How a move ends: on which level its last turn and leg are, and the links after them.

    They lead straight up or down; or the one is an edge, which the mover leaps off with its last leg.
    """

    level: int
    links: tuple[Link, ...]
    space: PoseSpace  #: on that level, with what the links leave of the budget

    @property
    def price(self) -> Fraction:
        """What the links cost, but for a slanting one just after the last leg, which is paid for with that."""
        return price_of_row(self.links)


def last_links(space: PoseSpace, level: int) -> tuple[LastLinks, ...]:
    """Return how moves can end on a level: there, by links that come to no level twice, or by a leap off an edge."""
    rows = [*_rows_of_links(space, level, frozenset({level}))]
    rows += [(link,) for link in space.links if isinstance(link, OffTheEdge) and link.target == level]
    return tuple(
        LastLinks(links[0].origin, links, space.followed_by(links)) if links else LastLinks(level, (), space.on(level))
        for links in rows
    )


def _rows_of_links(space: PoseSpace, level: int, seen: frozenset[int]) -> Iterator[tuple[Link, ...]]:
    yield ()
    for link in space.links:
        if isinstance(link, PoseLink) and link.places is None and link.target == level and link.origin not in seen:
            for before in _rows_of_links(space, link.origin, seen | {link.origin}):
                yield (*before, link)


class Way(NamedTuple):
    """How a mover gets to a goal: from which start, by which moves."""

    start: PoseStart
    moves: tuple[Move, ...]


@dataclass(frozen=True, eq=False)
class Ways:
    """The cheapest ways to some goals on one level."""

    space: PoseSpace
    goals: Goals
    searched: tuple[Searched, ...]
    last_links: tuple[LastLinks, ...]
    found: tuple[CheapestWays | TurnedEnds, ...]  #: by last links

    @cached_property
    def _costs(self) -> FloatArray:
        """The costs by last links."""
        return np.stack([ways.cost + float(one.price) for one, ways in zip(self.last_links, self.found, strict=True)])

    @cached_property
    def cost(self) -> FloatArray:
        """The least cost of each goal; inf where no move ends."""
        return np.asarray(self._costs.min(axis=0, initial=np.inf))

    def arrival(self, goal: int) -> float:
        """Return the heading of the last leg of a way."""
        _, ways = self._best(goal)
        return float(ways.way(goal)[2].turns.heading[0])

    def way(self, goal: int) -> Way | None:
        """Return the way to a goal; None if there is none."""
        if not np.isfinite(self.cost[goal]):
            return None
        last, ways = self._best(goal)
        search, state, legs = ways.way(goal)
        arrival = float(legs.turns.heading[0])
        first, moves = self._before(ways, search, state)
        moves += _turn(float(state.heading[0]), arrival, float(legs.turns.used[0]))
        leaps = last.space.leap is not None
        moves += _leg(self.space, legs.mode, legs.inches, of_none=leaps)
        turns, links = list[Move](), [Follow(link) for link in last.links]
        facing = ways.facing_at(goal)
        if facing is not None:
            turn, free = float(shorter(np.array([facing - arrival]))[0]), float(legs.turns.free[0])
            free += float(self.space.turns.free_at_end)
            turns = _turn(arrival, arrival + turn, math.copysign(min(free, abs(turn)), turn))
        return Way(_start_of(self.space, first), (*moves, *links, *turns) if leaps else (*moves, *turns, *links))

    def _before(self, ways: CheapestWays | TurnedEnds, search: int, state: PoseStates) -> tuple[PoseStates, list[Move]]:
        """The start that a state of a search, a table of one row, comes from, and the moves from there to it."""
        return moves_before(self.space, ways.states_of(search), state)

    def _best(self, goal: int) -> tuple[LastLinks, CheapestWays | TurnedEnds]:
        number = int(self._costs[:, goal].argmin())
        return self.last_links[number], self.found[number]


def _start_of(space: PoseSpace, state: PoseStates) -> PoseStart:
    """The start that a state without a parent, a table of one row, is."""
    level, heading, paid = int(state.level[0]), float(state.heading[0]), float(state.price[0])
    x, y = state.place[0].tolist()
    known = (level, heading, paid, x, y)
    for start in space.starts:
        if (start.level, float(start.heading), float(start.paid), *map(float, start.place)) == known:
            return start
    for placing in space.placings:
        exact = placing.paid_at((x, y), heading) if placing.level == level else None
        if exact is not None and abs(float(exact) - paid) <= TOLERANCE:
            paid_by_then = exact if float(exact) == paid else Fraction(paid)
            return PoseStart(
                (x, y), Fraction(heading), paid_by_then, placing.travelled, level=level, covered=placing.covered
            )
    raise AssertionError("each way begins at a start or a placing")


def moves_before(space: PoseSpace, states: NumberedStates, state: PoseStates) -> tuple[PoseStates, list[Move]]:
    """The state that a state, a table of one row, comes from at last, and the moves that lead from there to it."""
    parts = list[list[Move]]()
    leaps = False
    while state.parent[0] >= 0:
        before = states.rows(state.parent)
        if state.link[0] >= 0:
            link = space.links[int(state.link[0])]
            parts.append([Follow(link)])
            leaps = isinstance(link, OffTheEdge)
        else:
            parts.append(turn_and_leg(space, before, state, of_none=leaps))
            leaps = False
        state = before
    return state, [move for part in reversed(parts) for move in part]


def turn_and_leg(space: PoseSpace, before: PoseStates, state: PoseStates, *, of_none: bool = False) -> list[Move]:
    """Return the turn and the leg from one state to another, tables of one row; `of_none` as for a leg alone."""
    turn = _turn(float(before.heading[0]), float(state.heading[0]), float(state.used[0]))
    return [*turn, *_leg(space, state.mode, state.inches, of_none=of_none)]


def _leg(space: PoseSpace, mode: np.ndarray, inches: FloatArray, *, of_none: bool) -> list[Move]:
    """The leg of one row; where it has no length there is none, unless a leap follows in its direction."""
    if inches[0] <= TOUCH and not of_none:
        return []
    return [Travel(space.directions.numbered(int(mode[0])), Fraction(float(inches[0])))]


def _turn(before: float, after: float, used: float) -> list[Move]:
    """The turn from one heading to another, none where they are the same."""
    degrees = Fraction(after) - Fraction(before)
    return [Rotate(degrees, Fraction(used))] if degrees else []
