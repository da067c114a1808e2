"""One cheapest route to a state where few states lie on such routes: looked for state by state, without arrays.

Most orders lead a few cells far. A handful of states is looked at sooner one by one than by operations on arrays, each
of which takes as long for three states as for three hundred; where it turns out to be more, `cones` does it. The route
is the one that `traces` defines.
"""

from __future__ import annotations

from typing import NamedTuple

from simulator.pathing.move_space import UNREACHED, At, Mask, MoveSpace, Plane

#: Up to this many states are looked at one by one.
MOST_STATES = 250
#: The last step of a cheapest route: the state it leaves, and its number in the table of the space.
LastStep = tuple[int, int]


class _Step(NamedTuple):
    """A step into a layer, with all that its price depends on: planes and a gate, and where each is read."""

    number: int
    d_row: int
    d_col: int
    from_layer: int
    cost: int
    factor: Plane | None
    factor_at: At
    more: Plane | None
    more_at: At
    gate: Mask | None
    gate_at: At

    def price(self, row: int, col: int) -> int:
        """Return the price of arriving at a cell, as `MoveSpace.prices` has it; less than 0 where it is blocked."""
        price = self.cost
        if self.gate is not None:
            away = self.gate_at == "departure"
            if not self.gate[row - self.d_row if away else row, col - self.d_col if away else col]:
                return -1
        if self.factor is not None:
            away = self.factor_at == "departure"
            factor = int(self.factor[row - self.d_row if away else row, col - self.d_col if away else col])
            if factor < 0:
                return -1
            price *= factor
        if self.more is not None:
            away = self.more_at == "departure"
            more = int(self.more[row - self.d_row if away else row, col - self.d_col if away else col])
            if more < 0:
                return -1
            price += more
        return price


class ShortCones:
    """The routes to single states of what a search has found: `costs` in a window of the board, from a corner on.

    States are numbered as in `costs`. `is_start` are those that may be left though nobody passes them, `roots` those
    where routes begin.
    """

    def __init__(
        self, space: MoveSpace, costs: Plane, corner: tuple[int, int], starts: frozenset[int], roots: frozenset[int]
    ) -> None:
        self._space, self._shape, self._corner = space, costs.shape, corner
        self._cost = costs.reshape(-1)
        self._starts, self._roots = starts, roots
        by_state = (space.holds(name, 0) is not None for name in ("pass_", "leave", "enter"))
        self._has_pass, self._has_leave, self._has_enter = by_state

    def last_steps(self, goal: int) -> dict[int, LastStep] | None:
        """Return the last step of the route to each state on the way to a goal; None if it takes too many states."""
        into: dict[int, list[LastStep]] = {}
        waiting = [goal]
        while waiting:
            target = waiting.pop()
            if target in into:
                continue
            if len(into) == MOST_STATES:
                return None
            into[target] = [] if target in self._roots else self._into(target)
            waiting += [source for source, _ in into[target]]
        return _chosen(self._space, into, self._cost)

    def _into(self, target: int) -> list[LastStep]:
        """Return the steps with which cheapest routes arrive at a state."""
        _, height, width = self._shape
        (top, left), (rows, cols) = self._corner, self._space.shape
        layer, cell = divmod(target, height * width)
        row, col = divmod(cell, width)
        row, col = row + top, col + left
        if self._has_enter and not _holds(self._space.holds("enter", layer), row, col):
            return []
        cost = self._cost.item(target)
        first_row, last_row = max(top, 0), min(top + height, rows)
        first_col, last_col = max(left, 0), min(left + width, cols)
        found: list[LastStep] = []
        for step in _steps_into(self._space, layer):
            from_row, from_col = row - step.d_row, col - step.d_col
            if not (first_row <= from_row < last_row and first_col <= from_col < last_col):
                continue
            source = (step.from_layer * height + from_row - top) * width + from_col - left
            left_over = cost - self._cost.item(source)
            # What the states cost rules out most steps, before anything is read from the board.
            if left_over < 0 or step.price(row, col) != left_over:
                continue
            if self._may_leave(source, step.from_layer, from_row, from_col):
                found.append((source, step.number))
        return found

    def _may_leave(self, source: int, layer: int, row: int, col: int) -> bool:
        """Whether a state may be left; a start may be though nobody passes it."""
        if self._has_leave and not _holds(self._space.holds("leave", layer), row, col):
            return False
        return not self._has_pass or source in self._starts or _holds(self._space.holds("pass_", layer), row, col)


def _chosen(space: MoveSpace, into: dict[int, list[LastStep]], costs: Plane) -> dict[int, LastStep]:
    """Choose among the steps into each state: the least effort counts, then the first step in the table."""
    # The effort of a route beside its cost: changes of heading first, then steps, in one number.
    a_turn = len(into) + 1
    takes = {number: 1 + a_turn * space.steps[number].turns for steps in into.values() for _, number in steps}
    effort = {state: UNREACHED if steps else 0 for state, steps in into.items()}
    chosen: dict[int, LastStep] = {}
    by_cost = sorted((state for state, steps in into.items() if steps), key=costs.item)
    is_settled = False
    while not is_settled:  # steps that cost nothing lead back to states looked at before
        is_settled = True
        for state in by_cost:
            least, number, source = min(
                (effort[source] + takes[number], number, source) for source, number in into[state]
            )
            if least < effort[state]:
                effort[state], is_settled = least, False
            chosen[state] = source, number
    return chosen


def _steps_into(space: MoveSpace, layer: int) -> tuple[_Step, ...]:
    """Return the steps of a space that lead to a layer: once for all spaces with the same steps and ground."""
    known: dict[int, tuple[_Step, ...]] = space.shared.setdefault("steps into", {})
    if layer not in known:
        heading, phase = space.layer_labels[layer]
        known[layer] = tuple(
            _Step(
                number,
                step.d_row,
                step.d_col,
                space.layer_of(step.from_heading, step.from_phase),
                step.cost,
                None if step.plane is None else space.planes[step.plane],
                step.plane_at,
                None if step.surcharge is None else space.planes[step.surcharge],
                step.surcharge_at,
                None if step.gate is None else space.gates[step.gate],
                step.gate_at,
            )
            for number, step in enumerate(space.steps)
            if step.to_heading == heading and step.to_phase == phase
        )
    return known[layer]


def _holds(mask: Mask | None, row: int, col: int) -> bool:
    return mask is None or bool(mask[row, col])
