"""Backward search: from where a place can be reached, and the remaining cost from there.

The transpose of a move space has every step reversed. States entered are now left, so `enter` and
`leave` are swapped, and so are arrival and departure in planes, surcharges and gates. The cost of a state
in the answer is the cost of the cheapest route from that state to a goal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from simulator.geometry.board import Lattice
from simulator.pathing.move_space import At, Mask, MoveSpace, MoveState, MoveStep, Start
from simulator.pathing.reach import Reach, Touched
from simulator.pathing.search import search

_OTHER: dict[At, At] = {"arrival": "departure", "departure": "arrival"}


def reversed_space(space: MoveSpace, goals: Iterable[MoveState]) -> MoveSpace:
    """Return the transpose of a space, which starts at those goals that are ends of it.

    >>> space = MoveSpace((1, 4), [MoveStep("east", 0, 1, cost=2)], budget=5)
    >>> back = reversed_space(space, [MoveState(0, 3)])
    >>> back.steps[0].d_col, back.starts
    (-1, (Start(row=0, col=3, heading=None, phase='', paid=0),))
    """
    ends = []
    for goal in goals:
        mask = space.holds("end", space.layer_of(goal.heading, goal.phase))
        if mask is None or mask[goal.row, goal.col]:
            ends.append(Start(*goal))
    steps = tuple(_turned_about(step) for step in space.steps)
    return replace(
        space,
        steps=steps,
        enter=space.leave,
        leave=space.enter,
        end=None,
        starts=tuple(ends),
        start_is_end=True,
    )


def _turned_about(step: MoveStep) -> MoveStep:
    return replace(
        step,
        d_row=-step.d_row,
        d_col=-step.d_col,
        from_heading=step.to_heading,
        to_heading=step.from_heading,
        from_phase=step.to_phase,
        to_phase=step.from_phase,
        plane_at=_OTHER[step.plane_at],
        surcharge_at=_OTHER[step.surcharge_at],
        gate_at=_OTHER[step.gate_at],
    )


def reach_to(
    board: Lattice,
    space: MoveSpace,
    cell: tuple[int, int],
    begins: Mask,
    *,
    per_unit: int = 1,
    corner: tuple[int, int] = (0, 0),
) -> Reach:
    """Compute from which states a cell can be reached, by searching backward from all ends there.

    `begins` is a mask of the states in which the unit may start; the starts of the space itself are ignored. Costs are
    those of getting to the cell.

    >>> import numpy as np
    >>> from simulator.geometry.squares import SquareGrid
    >>> from simulator.pathing.plain import plain_space
    >>> board = SquareGrid.from_text(". . # .\\n. . . .")
    >>> answer = reach_to(board, plain_space(board, starts=[], budget=2), (1, 2), ~board.walls)
    >>> len(answer), answer.cost_at((1, 0))
    (7, Fraction(2, 1))
    """
    back = reversed_space(space, [space.state_at(layer, *cell) for layer in range(space.layers)])
    searched = replace(back, end=begins, start_is_end=False)
    stays = _stays(searched, cell, {start.state for start in back.starts}) if space.start_is_end else []
    costs = search(searched)
    found = Reach(board, costs, unit=space.unit, per_unit=per_unit, corner=corner)
    for layer in stays:
        found = _WithCost(found, space.state_at(layer, *cell), 0)
    return found


def _stays(back: MoveSpace, cell: tuple[int, int], ends: set[MoveState]) -> list[int]:
    """Return the layers in which a unit that begins in the cell ends there, though others could not enter it."""
    layers = range(back.layers)
    begins = ((layer, back.holds("end", layer)) for layer in layers if back.state_at(layer, *cell) not in ends)
    return [layer for layer, mask in begins if mask is None or mask[cell]]


def cheapest_of(several: Sequence[Reach]) -> Reach:
    """Merge several answers about one space into one with the least cost of each state."""
    return several[0] if len(several) == 1 else _CheapestOf(several)


class _CheapestOf(Reach):
    """Several answers about one space, merged by the least cost of each state."""

    def __init__(self, several: Sequence[Reach]) -> None:
        first = several[0]
        super().__init__(first.board, first.costs, unit=first.unit, per_unit=first.per_unit, corner=first.corner)
        self._several = several

    @cached_property
    def touched(self) -> Touched:
        """The least cost from each state of the whole board."""
        return Touched(0, 0, np.min([one.array for one in self._several], axis=0))

    @cached_property
    def cheapest(self) -> NDArray[np.int64]:
        """The least cost from each cell."""
        return np.asarray(self.touched.ends.min(axis=0))


def with_own(found: Reach, begins: Mask, own: MoveState, cost: Callable[[], int | None]) -> Reach:
    """Return an answer that includes the unit's present state, even if it is not one in which it might begin.

    Two units can share a place for one, if the rules have put them there. Its cost is that of a forward search.
    """
    space = found.costs.space
    if begins[space.phases.index(own.phase), space.headings.index(own.heading), own.row, own.col]:
        return found
    price = cost()
    return found if price is None else _WithCost(found, own, price)


class _WithCost(Reach):
    """An answer with another cost for one of its states."""

    def __init__(self, found: Reach, state: MoveState, cost: int) -> None:
        super().__init__(found.board, found.costs, unit=found.unit, per_unit=found.per_unit, corner=found.corner)
        self._found, self._state, self._cost = found, state, cost

    @cached_property
    def touched(self) -> Touched:
        """The least cost from each state of the whole board."""
        costs, state = self._found.array.copy(), self._state
        layer = self.costs.space.layer_of(state.heading, state.phase)
        costs[layer, state.row + self.corner[0], state.col + self.corner[1]] = self._cost
        return Touched(0, 0, costs)

    @cached_property
    def cheapest(self) -> NDArray[np.int64]:
        """The least cost from each cell."""
        return np.asarray(self.touched.ends.min(axis=0))
