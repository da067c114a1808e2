"""Questions built from searches: routes by way of waypoints, several turns, threats, the k cheapest ends.

The plain ones need no function here: several starts in one search give the least cost from any of them, a
budget of None gives the field of the whole board, and `reverse.reversed_space` gives what is still to be
paid to a goal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import EllipsisType
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from simulator.pathing.costs import Costs
from simulator.pathing.kernel.prepared import Query
from simulator.pathing.move_space import UNREACHED, Mask, MoveSpaceError, MoveState, Plane, Start
from simulator.pathing.search import Searcher
from simulator.pathing.seeds import Seeds
from simulator.pathing.traces import NoRoute, Trace

#: A cell in any heading and phase, or one state.
Place: TypeAlias = MoveState | tuple[int, int]


# --- the cheapest ends ---


def cheapest_ends(costs: Costs, count: int, *, by_cell: bool = True) -> list[tuple[MoveState, int]]:
    """Return the cheapest different ends with their costs: different cells, or different states.

    Of equal costs the first row comes first, then the first column, then the first layer.
    """
    priced = costs.end_costs()
    layers, rows, cols = np.nonzero(priced < UNREACHED)
    price = priced[layers, rows, cols]
    order = np.lexsort((layers, cols, rows, price))
    found: list[tuple[MoveState, int]] = []
    taken: set[tuple[int, int]] = set()
    for i in order.tolist():
        cell = (int(rows[i]), int(cols[i]))
        if len(found) == count:
            break
        if not by_cell or cell not in taken:
            taken.add(cell)
            found.append((costs.space.state_at(int(layers[i]), *cell), int(price[i])))
    return found


# --- routes to a place ---


def route(
    prepared: Searcher,
    goals: Iterable[Place],
    *,
    via: Sequence[Place] = (),
    starts: Iterable[Start] | None = None,
    budget: int | EllipsisType | None = ...,
) -> Trace:
    """Return the cheapest route to any of the goals, by way of the waypoints in their order.

    Every state a waypoint can be reached in is carried on, with its cost, so heading, phase and parity are
    never lost there and the whole route is the cheapest. A waypoint is passed, not ended on; only the goal
    must be an end. Of equally cheap goals the first is taken. Raises NoRoute where the budget covers none.
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
    """Return the same board with the starts passable: a later leg may lead through them too."""
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
    """Name which states of the board are ends; after waypoints only the first starts are ends as starts."""
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


# --- several turns ---


@dataclass(frozen=True)
class Turns:
    """What is reached over several turns: `turns[0]` is the first; `earliest` counts from 1, 0 is never."""

    turns: tuple[Costs, ...]
    phase_after: Mapping[str, str]
    #: The first turn at whose close each state is an end, in the shape (layers, rows, columns).
    earliest: NDArray[np.int64]

    def trace(self, state: MoveState) -> list[Trace]:
        """Return a route to an end, turn by turn, that gets there in the earliest turn."""
        layer = self.turns[0].space.layer_of(state.heading, state.phase)
        last = int(self.earliest[layer, state.row, state.col])
        if last == 0:
            raise NoRoute(f"no route to {tuple(state)} within {len(self.turns)} turns")
        found: list[Trace] = []
        for costs in reversed(self.turns[:last]):
            found.append(costs.trace(state))
            state = self._end_before(found[-1].start.state, last - len(found))
        return found[::-1]

    def _end_before(self, start: MoveState, turn: int) -> MoveState:
        """Return the end of the turn before that this start came from, in the same phase if there is one."""
        if turn == 0:
            return start
        phases = [phase for phase in self.turns[0].space.phases if self.phase_after.get(phase, phase) == start.phase]
        phases.sort(key=lambda phase: phase != start.phase)
        before = self.turns[turn - 1]
        ends = before.on_board(before.ends, False)
        candidates = (start._replace(phase=phase) for phase in phases)
        space = before.space
        return next(
            state for state in candidates if ends[space.layer_of(state.heading, state.phase), state.row, state.col]
        )


def over_turns(
    prepared: Searcher,
    turns: int,
    *,
    phase_after: Mapping[str, str] | None = None,
    starts: Iterable[Start] | None = None,
    budget: int | EllipsisType | None = ...,
) -> Turns:
    """Search turn after turn: every end of a turn is a start of the next, nothing being paid for it any more.

    `phase_after` says in which phase the next turn begins; a phase it does not name is kept, as the heading
    is.
    """
    if turns < 1:
        raise MoveSpaceError(f"wants at least one turn, not {turns}", "turns")
    space = prepared.space
    budget = space.budget if budget is ... else budget
    phase_after = dict(phase_after or {})
    new_layer = [space.layer_of(heading, phase_after.get(phase, phase)) for heading, phase in space.layer_labels]
    answers = [prepared.search(starts, budget)]
    earliest = np.zeros((space.layers, *space.shape), np.int64)
    for turn in range(1, turns + 1):
        ends = answers[-1].on_board(answers[-1].ends, False)
        earliest[ends & (earliest == 0)] = turn
        if turn < turns:
            begun = np.full(earliest.shape, UNREACHED)
            for layer, carried in enumerate(new_layer):
                begun[carried][ends[layer]] = 0
            answers.append(prepared.search_seeds(Seeds.of_costs(begun), budget))
    return Turns(tuple(answers), phase_after, earliest)


# --- threats ---


class Mover(NamedTuple):
    """A unit that may come: its space made ready, where it stands, and what it may spend in a turn."""

    prepared: Searcher
    starts: Sequence[Start]
    budget: int | None


@dataclass(frozen=True)
class Threats:
    """For each cell how many movers can end there, and the earliest turn in which one can (0: never)."""

    count: NDArray[np.int64]
    earliest: NDArray[np.int64]


def threats(movers: Sequence[Mover], *, turns: int = 1, phase_after: Mapping[str, str] | None = None) -> Threats:
    """Count for each cell how many movers can end there within some turns, and when the first one can.

    Movers that share a prepared space are searched side by side when only one turn is asked for.
    """
    if not movers:
        raise MoveSpaceError("wants at least one mover", "movers")
    shape = movers[0].prepared.space.shape
    arrival: list[NDArray[np.int64]] = []
    if turns == 1:
        for prepared in {id(mover.prepared): mover.prepared for mover in movers}.values():
            asked = [Query(mover.starts, mover.budget) for mover in movers if mover.prepared is prepared]
            answers = prepared.search_many(asked, by_state=True)
            ends = [np.any(costs.on_board(costs.ends, False), axis=0) for costs in answers]
            arrival += [np.where(cells, 1, 0) for cells in ends]
    else:
        for mover in movers:
            found = over_turns(mover.prepared, turns, phase_after=phase_after, starts=mover.starts, budget=mover.budget)
            first = np.where(found.earliest > 0, found.earliest, turns + 1).min(axis=0)
            arrival.append(np.where(first > turns, 0, first))
    count = np.zeros(shape, np.int64)
    earliest = np.full(shape, turns + 1)
    for turn in arrival:
        count += turn > 0
        np.minimum(earliest, turn, out=earliest, where=turn > 0)
    return Threats(count, np.where(earliest > turns, 0, earliest))
