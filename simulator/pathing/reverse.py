"""Backward search: from where a place can be reached, and the remaining cost from there.

The transpose of a move space has every step reversed. States entered are now left, so `enter` and
`leave` are swapped, and so are arrival and departure in planes, surcharges and gates. The cost of a state
in the answer is the cost of the cheapest route from that state to a goal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulator.geometry.board import Lattice
from simulator.geometry.poses import Heading
from simulator.pathing.costs import Costs
from simulator.pathing.move_space import UNREACHED, At, Mask, MoveSpace, MoveState, MoveStep, Start
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


class StartStates(Reach):
    """The states to set out from, with what it costs from there: a `Reach` whose ends are starts.

    `levels` says on which level each state stands, as `Reach.end_levels` does. `of_states` computes the costs of the
    whole board where they are not those of the search alone.
    """

    def __init__(
        self,
        board: Lattice,
        costs: Costs,
        *,
        unit: str | None = None,
        per_unit: int = 1,
        corner: tuple[int, int] = (0, 0),
        levels: NDArray[Any] | None = None,
        of_states: Callable[[], NDArray[np.int64]] | None = None,
    ) -> None:
        super().__init__(board, costs, unit=unit, per_unit=per_unit, corner=corner)
        self._levels, self._of_states = levels, of_states

    def with_costs(self, of_states: Callable[[], NDArray[np.int64]]) -> StartStates:
        """Return the same states with other costs, of the whole board."""
        return StartStates(
            *(self.board, self.costs),
            unit=self.unit,
            per_unit=self.per_unit,
            corner=self.corner,
            levels=self._levels,
            of_states=of_states,
        )

    @property
    def end_levels(self) -> NDArray[Any] | None:
        """For numpy: on which level each state stands; None where there are no levels."""
        return self._levels

    @property
    def whose(self) -> str:
        """Whose headings and levels these are, as errors say it."""
        return "what sets out"

    @cached_property
    def touched(self) -> Touched:
        """The least cost from each state of what the search could touch, or of the whole board."""
        return super().touched if self._of_states is None else Touched(0, 0, self._of_states())

    def _cheapest_ends(self) -> NDArray[np.int64]:
        return super()._cheapest_ends() if self._of_states is None else np.asarray(self.touched.ends.min(axis=0))

    @cached_property
    def cheapest(self) -> NDArray[np.int64]:
        """The least cost from each cell."""
        return super().cheapest if self._of_states is None else self._cheapest_ends()


def reach_to(
    board: Lattice,
    space: MoveSpace,
    cell: tuple[int, int],
    begins: Mask,
    *,
    per_unit: int = 1,
    corner: tuple[int, int] = (0, 0),
    goals: Mask | None = None,
    levels: NDArray[Any] | None = None,
) -> StartStates:
    """Compute from which states a cell can be reached, by searching backward from all ends there.

    `begins` is a mask of the states in which the unit may start; the starts of the space itself are ignored. Costs are
    those of getting to the cell. Of the states in the cell `goals` marks the layers that count, such as those of one
    heading; without it all do. `levels` holds the level of each state of the board.

    >>> import numpy as np
    >>> from simulator.geometry.squares import SquareGrid
    >>> from simulator.pathing.plain import plain_space
    >>> board = SquareGrid.from_text(". . # .\\n. . . .")
    >>> answer = reach_to(board, plain_space(board, starts=[], budget=2), (1, 2), ~board.walls)
    >>> len(answer), answer.cost_at((1, 0))
    (7, Fraction(2, 1))
    """
    meant = range(space.layers) if goals is None else np.flatnonzero(goals).tolist()
    back = reversed_space(space, [space.state_at(layer, *cell) for layer in meant])
    searched = replace(back, end=begins, start_is_end=False)
    stays = _stays(searched, cell, {start.state for start in back.starts}, meant) if space.start_is_end else []
    found = StartStates(board, search(searched), unit=space.unit, per_unit=per_unit, corner=corner, levels=levels)
    for layer in stays:
        found = _with_cost(found, space.state_at(layer, *cell), 0)
    return found


def _stays(back: MoveSpace, cell: tuple[int, int], ends: set[MoveState], meant: Iterable[int]) -> list[int]:
    """Return the layers in which a unit that begins in the cell ends there, though others could not enter it."""
    begins = ((layer, back.holds("end", layer)) for layer in meant if back.state_at(layer, *cell) not in ends)
    return [layer for layer, mask in begins if mask is None or mask[cell]]


def cheapest_of(several: Sequence[StartStates]) -> StartStates:
    """Merge several answers about one space into one with the least cost of each state."""
    if len(several) == 1:
        return several[0]
    return several[0].with_costs(lambda: np.asarray(np.min([one.array for one in several], axis=0)))


def facing(found: StartStates, heading: Heading) -> StartStates:
    """Return an answer without the states that have another heading."""
    others = np.array([label != heading for label, _ in found.costs.space.layer_labels])

    def of_states() -> NDArray[np.int64]:
        costs = found.array.copy()
        costs[others] = UNREACHED
        return costs

    return found.with_costs(of_states)


def with_own(found: StartStates, begins: Mask, own: MoveState, cost: Callable[[], int | None]) -> StartStates:
    """Return an answer that includes the unit's present state, even if it is not one in which it might begin.

    Two units can share a place for one, if the rules have put them there. Its cost is that of a forward search.
    """
    space = found.costs.space
    if begins[space.phases.index(own.phase), space.headings.index(own.heading), own.row, own.col]:
        return found
    price = cost()
    return found if price is None else _with_cost(found, own, price)


def _with_cost(found: StartStates, state: MoveState, cost: int) -> StartStates:
    """Return an answer with another cost of one state of what was searched."""

    def of_states() -> NDArray[np.int64]:
        costs = found.array.copy()
        layer = found.costs.space.layer_of(state.heading, state.phase)
        costs[layer, state.row + found.corner[0], state.col + found.corner[1]] = cost
        return costs

    return found.with_costs(of_states)
