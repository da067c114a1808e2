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
from simulator.pathing.move_space import UNREACHED, Mask, MoveSpaceError, MoveState, Plane, Start
from simulator.pathing.search import Searcher
from simulator.pathing.seeds import Seeds
from simulator.pathing.traces import NoRoute, Trace

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
    budget = space.budget if budget is ... else budget
    onward = _start_stays_open(prepared, begun) if via else prepared
    legs = [prepared.search(begun, budget)]
    for number, place in enumerate(via):
        here = _only(legs[-1], place, _passable(onward))
        if not (here < UNREACHED).any():
            raise NoRoute(f"no route by way of waypoint {number + 1}, {tuple(place)}, within the budget")
        legs.append(onward.search_seeds(Seeds.of_costs(here), budget))
    best: tuple[int, MoveState] | None = None
    goals = list(goals)
    for goal in goals:
        here = _only(legs[-1], goal, _ends(legs[-1], begun if via else ()))
        cost = int(here.min())
        if cost < UNREACHED and (best is None or cost < best[0]):
            layer, row, col = np.unravel_index(int(here.argmin()), here.shape)
            best = cost, space.state_at(int(layer), int(row), int(col))
    if best is None:
        raise NoRoute(f"no route to any of {[tuple(goal) for goal in goals]} within the budget")
    found = legs[-1].trace(best[1])
    for leg in reversed(legs[:-1]):
        found = leg.trace(found.start.state).then(found)
    return found


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
