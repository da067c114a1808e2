"""Routes through waypoints, built from searches.

Other queries need no function here: a search with several starts finds the least cost from any of them, one with
a budget of None covers the whole board, and one of `reverse.reversed_space` finds the remaining cost to a goal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import EllipsisType
from typing import TypeAlias

import numpy as np

from simulator.pathing.costs import Costs
from simulator.pathing.move_space import (
    HIGHEST_COST,
    UNREACHED,
    Mask,
    MoveSpace,
    MoveSpaceError,
    MoveState,
    Plane,
    Start,
    checked_budget,
)
from simulator.pathing.search import Searcher
from simulator.pathing.seeds import Seeds
from simulator.pathing.traces import NoRoute, Trace

#: How much more is tried when a budget has not led to the goal.
_FARTHER = 3

#: A cell in any heading and phase, or one state.
Place: TypeAlias = MoveState | tuple[int, int]


def route(
    prepared: Searcher,
    goals: Iterable[Place],
    *,
    via: Sequence[Place] = (),
    starts: Iterable[Start] | None = None,
    budget: int | EllipsisType | None = ...,
) -> Trace:
    """Return the cheapest route to any of the goals, through the waypoints in their order.

    Every state in which a waypoint can be reached is continued, with its cost, so heading, phase and parity are
    never lost there and the whole route is the cheapest. A waypoint is passed, not ended on; only the goal
    must be an end. Of equally cheap goals the first is taken. Raise NoRoute if the budget covers none.
    """
    space = prepared.space
    begun = space.starts if starts is None else space.checked_starts(starts)
    budget = space.budget if budget is ... else checked_budget(budget)
    onward = _start_stays_open(prepared, begun) if via else prepared
    goals = list(goals)
    if not via:
        return _straight_to(prepared, goals, begun, budget)
    legs = [prepared.search(begun, budget)]
    for number, place in enumerate(via):
        here = _only(legs[-1], place, _passable(onward))
        if not (here < UNREACHED).any():
            raise no_way_by(number, str(tuple(place)))
        legs.append(onward.search_seeds(Seeds.of_costs(here), budget))
    found = _traced_to(legs[-1], goals, begun)
    if found is None:
        raise no_way_to([str(tuple(goal)) for goal in goals])
    for leg in reversed(legs[:-1]):
        found = leg.trace(found.start.state).then(found)
    return found


def _straight_to(prepared: Searcher, goals: Sequence[Place], starts: Sequence[Start], budget: int | None) -> Trace:
    """Return the cheapest route to any of the goals, searched no farther than about twice as far as it is.

    A search with a budget is exact for all that the budget covers, and much cheaper where that is little. So it is
    tried with small budgets first.
    """
    space = prepared.space
    most = HIGHEST_COST if budget is None else budget
    first = _first_budget(space, goals, starts)
    while True:
        tried = min(first, most)
        costs = prepared.search(starts, tried)
        found = _traced_to(costs, goals, ())
        if found is not None:
            return found
        reached = costs.array[costs.array < UNREACHED]
        # Nothing more can be reached where even the dearest step from everywhere was covered.
        if tried == most or not reached.size or int(reached.max()) + space.dearest <= tried:
            raise no_way_to([str(tuple(goal)) for goal in goals])
        first *= _FARTHER


def _first_budget(space: MoveSpace, goals: Sequence[Place], starts: Sequence[Start]) -> int:
    """Return twice the cost of the way from the nearest start to a goal, if each step were as cheap as one can be."""
    apart = min(
        (max(abs(goal[0] - start.row), abs(goal[1] - start.col)) for goal in goals for start in starts), default=0
    )
    longest = max((max(abs(step.d_row), abs(step.d_col)) for step in space.steps), default=1)
    costs = [step.cost for step in space.steps if step.cost and (step.d_row or step.d_col)]
    paid = max((start.paid for start in starts), default=0)
    return paid + max(2 * min(costs, default=1) * -(-apart // max(longest, 1)), 1)


def no_way_by(number: int, place: str) -> NoRoute:
    """Return the error for a waypoint, counted from 0, that cannot be passed."""
    error = NoRoute(f"no route by way of waypoint {number + 1}, {place}, within the budget")
    error.waypoint = number
    return error


def no_way_to(goals: Sequence[str]) -> NoRoute:
    """Return the error for goals none of which can be reached."""
    among = "any of " if len(goals) > 1 else ""
    return NoRoute(f"no route to {among}{' or '.join(goals)} within the budget")


def _traced_to(costs: Costs, goals: Sequence[Place], begun: Sequence[Start]) -> Trace | None:
    """Return the route to the cheapest goal, the first of several; None if no goal is reached."""
    best: tuple[int, MoveState] | None = None
    for goal in goals:
        here = _only(costs, goal, _ends(costs, begun))
        cost = int(here.min())
        if cost < UNREACHED and (best is None or cost < best[0]):
            layer, row, col = np.unravel_index(int(here.argmin()), here.shape)
            best = cost, costs.space.state_at(int(layer), int(row), int(col))
    return None if best is None else costs.trace(best[1])


def _only(costs: Costs, place: Place, allowed: Mask) -> Plane:
    """Return the costs of the whole board at one place, UNREACHED elsewhere and where not allowed."""
    kept = np.full((costs.space.layers, *costs.space.shape), UNREACHED)
    if isinstance(place, MoveState):
        layers = [costs.space.layer_of(place.heading, place.phase)]
    else:
        layers = list(range(costs.space.layers))
    rows, cols = costs.space.shape
    row, col = place[0], place[1]
    if not (0 <= row < rows and 0 <= col < cols):
        raise MoveSpaceError(f"({row}, {col}) is not on the board of {rows} rows and {cols} columns", "place")
    for layer in layers:
        if allowed[layer, row, col]:
            kept[layer, row, col] = costs.at(row, col, *costs.space.layer_labels[layer])
    return kept


def _start_stays_open(prepared: Searcher, starts: Sequence[Start]) -> Searcher:
    """Return the same board with the starts passable: a later leg may pass through them too."""
    space = prepared.space
    if space.pass_ is None:
        return prepared
    passable = _passable(prepared)
    for start in starts:
        passable[space.layer_of(start.heading, start.phase), start.row, start.col] = True
    return prepared.with_masks(pass_=passable.reshape(len(space.phases), len(space.headings), *space.shape))


def _passable(prepared: Searcher) -> Mask:
    space = prepared.space
    passable = np.ones((space.layers, *space.shape), bool)
    for layer in range(space.layers):
        mask = space.holds("pass_", layer)
        if mask is not None:
            passable[layer] = mask
    return passable


def _ends(costs: Costs, begun: Sequence[Start]) -> Mask:
    """Return a mask of the ends of the board; after waypoints only the first starts are ends as starts."""
    if not begun:
        return costs.on_board(costs.ends, False)
    space = costs.space
    ends = costs.full() < UNREACHED
    for layer in range(space.layers):
        mask = space.holds("end", layer)
        if mask is not None:
            ends[layer] &= mask
    for start in begun if space.start_is_end else ():
        if costs.at(*start.state) < UNREACHED:
            ends[space.layer_of(start.heading, start.phase), start.row, start.col] = True
    return ends
