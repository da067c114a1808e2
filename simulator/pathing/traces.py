"""Cheapest routes: the best predecessor of each state, and a route line by line.

Of equally cheap routes one with the fewest changes of heading is returned, of those one with the fewest steps; if
several steps could still come last, the first in the table. Steps that cost nothing cannot run in a circle, since
each step counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulator.errors import SimulatorError
from simulator.pathing.move_space import UNREACHED, MoveSpace, MoveState, MoveStep, Plane, Start, shifted
from simulator.pathing.seeds import Seeds

#: Stands in for a state that cannot be left: added to a price it is never the cost of a state.
_NEVER = -(2**62)


class NoRoute(SimulatorError, LookupError):
    """A valid query without a result: no route leads there within the budget."""

    #: The number of the waypoint that cannot be passed, from 0 on; None where there is none, or it is not the reason.
    waypoint: int | None = None


class RouteStep(NamedTuple):
    """One step of a route: the step, the state it leads to, its price, and the cost of the route so far."""

    step: MoveStep
    state: MoveState
    price: int
    cost: int


@dataclass(frozen=True)
class Trace:
    """A cheapest route, line by line, from its start."""

    start: Start
    lines: tuple[RouteStep, ...]

    @property
    def state(self) -> MoveState:
        """The state the route ends in."""
        return self.lines[-1].state if self.lines else self.start.state

    @property
    def cost(self) -> int:
        """The cost of the route, including the cost paid for its start."""
        return self.lines[-1].cost if self.lines else self.start.paid

    @property
    def states(self) -> tuple[MoveState, ...]:
        """All states of the route, the start first."""
        return (self.start.state, *(line.state for line in self.lines))

    def then(self, onward: Trace) -> Trace:
        """Return this route followed by one that starts where it ends."""
        return Trace(self.start, self.lines + onward.lines)


class Edges(NamedTuple):
    """Legal steps as columns: flat indexes of the states, index of the step, and its price."""

    source: NDArray[np.int64]
    target: NDArray[np.int64]
    step: NDArray[np.int64]
    price: NDArray[np.int64]

    def chosen(self, which: NDArray[np.bool_] | NDArray[np.int64]) -> Edges:
        """Return some of the steps."""
        return Edges(*(column[which] for column in self))


def exits(space: MoveSpace, seeds: Seeds, layer: int) -> NDArray[np.bool_]:
    """Return a mask of the cells of a layer that may be left: those of starts even if they are not passable."""
    may_leave = np.ones(space.shape, bool)
    passable = space.holds("pass_", layer)
    if passable is not None:
        may_leave &= passable
        layers, rows, cols, _ = seeds.arrays
        here = layers == layer
        may_leave[rows[here], cols[here]] = True
    leave = space.holds("leave", layer)
    return may_leave if leave is None else may_leave & leave


def edges(space: MoveSpace, seeds: Seeds, costs: Plane | None = None) -> Edges:
    """Return all legal steps of a space; with costs, only those that a cheapest route can take."""
    cells = space.shape[0] * space.shape[1]
    place = np.arange(cells).reshape(space.shape)
    found = []
    # What all steps out of a layer have in common is computed once.
    leaving: dict[int, NDArray[np.bool_]] = {}
    paid: dict[int, Plane] = {}
    for number, step in enumerate(space.steps):
        here, there = (
            space.layer_of(step.from_heading, step.from_phase),
            space.layer_of(step.to_heading, step.to_phase),
        )
        offset = (step.d_row, step.d_col)
        price = space.prices(step)
        if here not in leaving:
            leaving[here] = exits(space, seeds, here)
            if costs is not None:
                paid[here] = np.where(costs[here] < UNREACHED, costs[here], _NEVER)
        legal = (price >= 0) & shifted(leaving[here], *offset, False)
        enter = space.holds("enter", there)
        if enter is not None:
            legal &= enter
        if costs is not None:
            legal &= shifted(paid[here], *offset, _NEVER) + price == costs[there]
        target = place[legal]
        source = target - (step.d_row * space.shape[1] + step.d_col)
        found.append((source + here * cells, target + there * cells, np.full(len(target), number), price[legal]))
    columns = (np.concatenate(column) for column in zip(*found, strict=True)) if found else 4 * [np.zeros(0, np.int64)]
    return Edges(*columns)


class Forest:
    """The last step on the way to every state reached."""

    def __init__(self, space: MoveSpace, seeds: Seeds, costs: Plane) -> None:
        self.space, self.costs = space, costs
        layers, rows, cols, paid = seeds.arrays
        flat = costs.reshape(-1)
        roots = np.ravel_multi_index((layers, rows, cols), costs.shape)
        tight = edges(space, seeds, costs)
        self._source, self._step = last_steps(space, tight, flat, roots[flat[roots] == paid])

    def trace(self, layer: int, row: int, col: int) -> Trace:
        """Return the route to a state that is reached."""
        lines: list[RouteStep] = []
        number = int(np.ravel_multi_index((layer, row, col), self.costs.shape))
        while (source := int(self._source[number])) >= 0:
            cost, before = int(self.costs.flat[number]), int(self.costs.flat[source])
            lines.append(RouteStep(self.space.steps[self._step[number]], self._state(number), cost - before, cost))
            number = source
        return Trace(Start(*self._state(number), int(self.costs.flat[number])), tuple(reversed(lines)))

    def _state(self, number: int) -> MoveState:
        layer, row, col = np.unravel_index(number, self.costs.shape)
        return self.space.state_at(int(layer), int(row), int(col))


def last_steps(
    space: MoveSpace, tight: Edges, costs: NDArray[np.int64], roots: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the state before each state on its route, and the step from there; -1 where a route begins.

    States are numbers with costs. `roots` are those where routes may begin, `tight` the steps of cheapest routes.
    """
    tight = tight.chosen(np.lexsort((tight.price > 0, costs[tight.target])))  # by cost, free steps first
    # The effort of a route beside its cost: changes of heading first, then steps, in one number.
    effort = np.full(costs.shape, UNREACHED)
    effort[roots] = 0
    a_turn = costs.size + 1
    takes = 1 + a_turn * np.array([step.turns for step in space.steps], np.int64)[tight.step]
    level = costs[tight.target]
    bounds = np.flatnonzero(np.diff(level, prepend=-1, append=UNREACHED)).tolist()
    for first, last in pairwise(bounds):
        paid_from = first + int(np.searchsorted(tight.price[first:last], 0, side="right"))
        _lower(effort, tight, takes, slice(paid_from, last))
        while paid_from > first and _lower(effort, tight, takes, slice(first, paid_from)):
            pass
    tight = tight.chosen((effort[tight.target] == effort[tight.source] + takes) & (effort[tight.target] > 0))
    # Where several are left, the first step is written last.
    tight = tight.chosen(np.argsort(-tight.step, kind="stable"))
    source, step = np.full(costs.shape, -1), np.full(costs.shape, -1)
    source[tight.target], step[tight.target] = tight.source, tight.step
    return source, step


def _lower(effort: NDArray[np.int64], tight: Edges, takes: NDArray[np.int64], part: slice) -> bool:
    """Lower the effort of states by some of the steps; return whether any became less."""
    target = tight.target[part]
    source = effort[tight.source[part]]
    before = effort[target]
    offered = np.where(source < UNREACHED, source + takes[part], UNREACHED)
    np.minimum.at(effort, target, offered)
    return bool((effort[target] < before).any())


def moved_along(trace: Trace, row: int, col: int) -> Trace:
    """Return a route on a part of a board in the coordinates of the whole."""
    start = trace.start._replace(row=trace.start.row + row, col=trace.start.col + col)
    lines: Sequence[RouteStep] = [
        line._replace(state=line.state._replace(row=line.state.row + row, col=line.state.col + col))
        for line in trace.lines
    ]
    return Trace(start, tuple(lines))
