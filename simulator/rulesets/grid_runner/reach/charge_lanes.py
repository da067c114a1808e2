"""Charge lanes: where a character can stand at the end of a charge at a target, and the ways that count as one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach, TableError
from simulator.engine.orders import Order
from simulator.engine.state import Unit
from simulator.geometry.poses import Pose
from simulator.geometry.squares import STEPS, Square
from simulator.pathing.move_space import UNREACHED, Mask, MoveSpace, MoveStep, shifted
from simulator.pathing.route import Route
from simulator.pathing.search import Engine, Searcher, prepared
from simulator.rulesets.grid_runner.charging import (
    distance_breaches,
    free_squares_needed,
    pace_breaches,
    squares_apart,
    striking_distance,
)
from simulator.rulesets.grid_runner.clock import action_breaches, kind_of
from simulator.rulesets.grid_runner.judge import before_moving, enemy_breaches
from simulator.rulesets.grid_runner.movement import (
    DIRECTIONS,
    PARITIES,
    at,
    corners_of,
    prepared_board,
    standing_masks,
    start_of,
    too_far,
)
from simulator.rulesets.grid_runner.reach.answer import GridReach
from simulator.rulesets.grid_runner.units import GridTable, grid_of
from simulator.rulesets.grid_runner.why import in_the_square, would_run
from simulator.wording import measure


class ChargeReach(GridReach):
    """Where a character can end a movement so that its attack on a target is a charge."""

    def __init__(self, table: GridTable, unit: Unit, searcher: Searcher, target: Unit, **arguments: Any) -> None:
        super().__init__(table, unit, "charge_attack", searcher, **arguments)
        self.target = target

    def order_of(self, route: Route[Square]) -> Order:
        """Return the order that takes the character along a way."""
        return replace(super().order_of(route), action="move")

    def orders_to(self, place: Square | Pose, safest: bool = False) -> list[Order]:
        """Return the orders that take the character to a square, and the attack there."""
        attack = Order(self.mover.id, "charge_attack", args={"target": self.target.id})
        return [*super().orders_to(place, safest), attack]

    def bars(self, table: GridTable, unit: Unit) -> Iterable[Breach]:
        """Return why the character could not begin such a charge, as it stands on a table."""
        return [*before_moving(table, unit, "move"), *_before_charging(table, unit, self.target)]

    def against(self, place: Square) -> tuple[Sequence[Breach], str]:
        """Explain why the character cannot charge from a square; squares in reach have to make it a charge."""
        if place == self.mover.place and not self.mask.any():
            return self._no_charge_at_all()
        standing = in_the_square(self.table, self.mover, place)
        if standing and standing[0].blocker == "wall":
            return standing, ""
        against, remedy = self._no_charge(place, grid_of(self.table).index(place))
        return [*standing, *against], "" if standing else remedy

    @clause("GR-74")
    def _no_charge_at_all(self) -> tuple[list[Breach], str]:
        """Explain why there is no charge from the character's square: no way is one, or the nearest is too long."""
        target = self.target
        costs = self.searcher.search([self.start], None).end_costs().min(axis=0)
        needed = int(costs.min())
        if needed < UNREACHED:
            row, column = np.argwhere(costs == needed)[0].tolist()
            return self._too_far(grid_of(self.table).place_at(row, column), needed)[0], ""
        where = "its square" if self.table.options.scale == "m5" else "a square beside it"
        message = f"no way to {where} {self._condition(target)}"
        return [Breach("GR-74", f"{target.id}: {message}", blocker=target.id, place=target.place)], ""

    def _condition(self, target: Unit) -> str:
        if self.table.options.charge_path == "direct":
            return f"takes only empty, unimpeded squares and leads nearer to {target.id} at each step"
        return f"leads through {free_squares_needed(self.table)} empty, unimpeded squares"

    def _too_far(self, place: Square, needed: int) -> tuple[list[Breach], str]:
        more = measure(needed - self.budget, "square")
        run = ", or to run" if would_run(self, needed) else ""
        return [too_far(self.table, self.mover, needed, self.budget, place)], f"{more} more{run}"

    @clause("GR-74", "GR-75")
    def _no_charge(self, place: Square, cell: tuple[int, int]) -> tuple[list[Breach], str]:
        table, target, there = self.table, self.target, at(place)
        if squares_apart(place, target.place) != striking_distance(table.options.scale):
            where = "in one square with it" if table.options.scale == "m5" else "beside it"
            message = f"{there} is not {where}: a charge ends where {target.id} can be struck"
            return [Breach("GR-75", message, blocker=target.id, place=place)], ""
        needed = int(self.searcher.search([self.start], None).end_costs()[:, *cell].min())
        if needed < UNREACHED:
            return self._too_far(place, needed)
        return [Breach("GR-74", f"no way to {there} {self._condition(target)}", blocker=target.id, place=place)], ""


@clause("GR-74", "GR-75")
def lanes_to(
    table: GridTable,
    unit: Unit,
    target: Unit,
    refused: Sequence[Breach] = (),
    chances: Mapping[str, Fraction] | None = None,
    engine: Engine = "numpy",
    before: Sequence[Order] = (),
) -> ChargeReach:
    """Compute where a character can end a movement so that its attack on the target is a charge."""
    if target.place is None:
        raise TableError(f"{target.id} is not on the board: nobody can charge it (GR-41)")
    refused = [*refused, *before_moving(table, unit, "move"), *_before_charging(table, unit, target)]
    counting = table.options.charge_path == "any"
    space = (_counting_lanes if counting else _direct_lanes)(table, unit, target)
    start = start_of(table, unit)
    if counting:
        start = start._replace(phase=_clear_phase(start.phase, 0))
    # Staying put is no charge.
    end = np.zeros(space.shape, np.bool_) if refused else space.end
    searcher: Searcher = prepared(replace(space, start_is_end=False, end=end), engine)
    return ChargeReach(table, unit, searcher, target, refused=refused, chances=chances, start=start, before=before)


def _before_charging(table: GridTable, unit: Unit, target: Unit) -> list[Breach]:
    found = list(action_breaches(table, unit, kind_of(table, "charge_attack")))
    if unit["acted_this_pass"]:
        found.append(Breach("GR-75", f"{unit.id} has acted: a charging attack is made right after the movement"))
    found += [*enemy_breaches(unit, target), *pace_breaches(table, unit)]
    if table.options.charge_path == "direct":
        found += distance_breaches(table, unit, target, unit.place, "lie")
    return found


def _away_from(table: GridTable, place: Square) -> NDArray[np.int64]:
    """Return the larger offset of every square from a place [row, column]."""
    rows, columns = grid_of(table).shape
    return np.maximum(np.abs(np.arange(columns)[None, :] - place[0]), np.abs(np.arange(rows)[:, None] - place[1]))


@clause("GR-74")
def _clear_squares(table: GridTable, unit: Unit) -> Mask:
    """Return the squares that are empty and unimpeded."""
    board = grid_of(table)
    clear = ~board.walls & ~board.impeded
    for other in table.state:
        if other.id != unit.id and other.place is not None:
            clear[board.index(other.place)] = False
    return clear


def _direct_lanes(table: GridTable, unit: Unit, target: Unit) -> MoveSpace:
    """Build the space of direct lanes: each step enters a clear square one nearer, at m5 the last the target's."""
    board = grid_of(table)
    away = _away_from(table, target.place)
    base = prepared_board(board, corners_of(table)).space
    open_ = board.step_gates(corners_of(table))
    gates = {}
    for direction, name in enumerate(DIRECTIONS):
        across, down = STEPS[direction]
        gates[name] = open_[direction] & (shifted(away, -down, -across, -9) == away - 1)
    enter = _clear_squares(table, unit)
    if table.options.scale == "m5":
        enter[board.index(target.place)] = True
    steps = tuple(replace(step, gate=step.name) for step in base.steps)
    end = enter & (away == striking_distance(table.options.scale))
    end[board.index(unit.place)] = False
    return replace(base, steps=steps, gates=gates, enter=enter, end=end)


def _clear_phase(phase: str, number: int) -> str:
    return f"{phase}, {number} free squares"


def _counting_lanes(table: GridTable, unit: Unit, target: Unit) -> MoveSpace:
    """Build the space in which any way counts that has enough clear squares; the phases count them."""
    # Where none is needed any step will do, but there has to be one.
    least = free_squares_needed(table)
    needed = max(least, 1)
    base: MoveSpace = prepared_board(grid_of(table), corners_of(table)).space
    enter, end = standing_masks(table, unit)
    clear = _clear_squares(table, unit)
    open_ = grid_of(table).step_gates(corners_of(table))
    gates: dict[str, Mask] = {}
    steps: list[MoveStep] = []
    for step in base.steps:
        for counts, onto in ((True, clear), (False, ~clear)):
            gate = f"{step.name}, {'free' if counts else 'taken'}"
            gates[gate] = open_[DIRECTIONS.index(step.name)] & shifted(onto, -step.d_row, -step.d_col, False)
            for number in range(needed + 1):
                after = min(number + (counts or not least), needed)
                here, there = _clear_phase(step.from_phase, number), _clear_phase(step.to_phase, after)
                steps.append(replace(step, gate=gate, from_phase=here, to_phase=there))
    beside = _away_from(table, target.place) == striking_distance(table.options.scale)
    enough = [(end & beside) if number == needed else np.zeros_like(end) for number in range(needed + 1)]
    by_state = np.stack([mask for mask in enough for _ in PARITIES])[:, None]
    phases = tuple(_clear_phase(phase, number) for number in range(needed + 1) for phase in PARITIES)
    return MoveSpace(
        base.shape,
        tuple(steps),
        phases=phases,
        planes=base.planes,
        gates=gates,
        enter=enter,
        end=by_state,
        unit="square",
    )
