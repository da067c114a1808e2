"""Why not there: every reason against a square, what would help, and the nearest legal end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np

from simulator.engine.errors import Breach
from simulator.engine.state import Unit
from simulator.geometry.squares import Square
from simulator.pathing.move_space import BLOCKED, UNREACHED, MoveSpace, Start
from simulator.pathing.reach import route as cheapest_route
from simulator.pathing.route import Route
from simulator.pathing.search import Searcher, prepared
from simulator.pathing.traces import NoRoute
from simulator.rulesets.grid_runner.allotments import squares_left
from simulator.rulesets.grid_runner.movement import (
    at,
    corners_of,
    is_wall,
    not_through,
    prepared_board,
    standing_masks,
    stopping_breaches,
    too_far,
)
from simulator.rulesets.grid_runner.reach.paces import at_pace
from simulator.rulesets.grid_runner.units import GridTable, bars_stopping, closed_by, grid_of, others_at
from simulator.wording import measure

#: The weight of a character in the way against that of a step: first as few characters as possible, then as few steps.
_IN_THE_WAY = 1000


def in_the_square(table: GridTable, unit: Unit, place: Square, tumbling: bool = False) -> list[Breach]:
    """Return what forbids stopping on a square, however one gets there: a wall, or those who stand on it."""
    if grid_of(table).walls[grid_of(table).index(place)]:
        return [is_wall(place)]
    return list(stopping_breaches(table, unit, place, tumbling))


class Movement(Protocol):
    """The movement of a reach, as it was searched."""

    table: GridTable
    mover: Unit
    action: str
    start: Start
    budget: int

    @property
    def searcher(self) -> Searcher:
        """The board as it is for the character, prepared."""

    def bars(self, table: GridTable, unit: Unit) -> Iterable[Breach]:
        """Return why the character could not begin such a movement, as it stands on a table."""


def against(reach: Movement, place: Square) -> tuple[list[Breach], str]:
    """Explain why a character cannot end on a square that is out of reach, and what would help."""
    cell = grid_of(reach.table).index(place)
    table, unit, tumbling = reach.table, reach.mover, reach.action == "tumble"
    found = in_the_square(table, unit, place, tumbling)
    if found and found[0].blocker == "wall":
        return found, ""
    needed = _cost(reach.searcher, reach, cell)
    if needed is None:
        found += _enclosed(reach, place, cell)
    elif needed > reach.budget:
        found.append(_too_dear(reach, place, needed))
    return found, _remedy(reach, place, cell)


def against_way(reach: Movement, place: Square, via: Sequence[Square]) -> list[Breach]:
    """Explain why no way through other squares leads to a square in reach: who closes one of them, or the squares.

    A square that is only passed may be one on which nobody can stop.
    """
    space = replace(reach.searcher.space, starts=(reach.start,), budget=None)
    try:
        way: Route[Square] = cheapest_route(grid_of(reach.table), prepared(space), [place], via=via, unit="square")
    except NoRoute as error:
        closed = place if error.waypoint is None else via[error.waypoint]
        cell = grid_of(reach.table).index(closed)
        return [is_wall(closed)] if grid_of(reach.table).walls[cell] else _enclosed(reach, closed, cell)
    return [_too_dear(reach, place, int(way.cost), " by that way")]


def _too_dear(reach: Movement, place: Square, needed: int, by: str = "") -> Breach:
    """Report by how many squares a movement falls short; a One-Square-Move is one step, if there is any."""
    if reach.action == "one_square_move" and reach.budget:
        return Breach("GR-55", f"a One-Square-Move is one step; {at(place)} costs {needed}{by}", needed, 1, place=place)
    return too_far(reach.table, reach.mover, needed, reach.budget, place)


def _cost(searcher: Searcher, reach: Movement, cell: tuple[int, int]) -> int | None:
    """Return the cost of a square without a limit, None if there is no way."""
    cost = searcher.search([reach.start], None).at(*cell)
    return None if cost == UNREACHED else cost


def _enclosed(reach: Movement, place: Square, cell: tuple[int, int]) -> list[Breach]:
    """Name who closes the cheapest way there would be without others, or the walls if there is no way at all."""
    table, unit = reach.table, reach.mover
    there = at(place)
    costs = reach.searcher.with_masks(enter=~grid_of(table).walls).search([reach.start], None)
    if costs.at(*cell) == UNREACHED:
        return [Breach("GR-26", f"walls close every path to {there}", blocker="wall", place=place)]
    for state in costs.trace(costs.cheapest_state(*cell)).states[1:]:
        square = (state.col, state.row)
        for other in others_at(table, square, unit):
            if closed := closed_by(table, unit, other, reach.action == "tumble"):
                if square == place:
                    return [not_through(unit, other, closed)]
                message = f"{other.id} on {at(square)} closes the way to {there}, and there is no other"
                return [Breach(closed, message, blocker=other.id, place=square)]
    return []


# --- what would help ---


def _remedy(reach: Movement, place: Square, cell: tuple[int, int]) -> str:
    """Describe what would get the character there: who would have to go, how many squares more; "" if nothing does."""
    table, unit, tumbling = reach.table, reach.mover, reach.action == "tumble"
    gone = in_the_way(reach, place)
    if gone is None:
        return ""
    state = table.state
    for name in gone:
        state = state.without_unit(name)
    enter, _ = standing_masks(type(table)(table.setting, state), unit, tumbling)
    needed = _cost(reach.searcher.with_masks(enter=enter), reach, cell)
    without = without_them(gone)
    if needed is None or needed <= reach.budget:
        return without
    if reach.action == "one_square_move":
        return ""
    more = f"{measure(needed - reach.budget, 'square')} more"
    if would_run(reach, needed):
        more += ", or to run"
    return ", and ".join(filter(None, [without, more]))


def would_run(reach: Movement, needed: int) -> bool:
    """Whether the character could start to run now and would then have enough squares."""
    if reach.mover["mode"] == "run":
        return False
    running = at_pace(reach.table, reach.mover, "run")
    runner = running.table.unit(reach.mover.id)
    if running.refused or any(reach.bars(running.table, runner)):
        return False
    return squares_left(running.table, runner) >= needed


def without_them(names: Sequence[str]) -> str:
    """Report that it would work without these characters, "" if there are none."""
    if not names:
        return ""
    *most, last = names
    return f"without {', '.join(most)} and {last}" if most else f"without {last}"


def in_the_way(reach: Movement, place: Square) -> list[str] | None:
    """Return the fewest characters that would have to be gone, in the order of the way; None if walls close it."""
    cell = grid_of(reach.table).index(place)
    table, unit, tumbling = reach.table, reach.mover, reach.action == "tumble"
    barring = [other.id for other in others_at(table, place, unit) if bars_stopping(table, unit, other, tumbling)]
    closing: dict[Square, list[str]] = {}
    for other in table.state:
        if other.id != unit.id and other.place is not None and closed_by(table, unit, other, tumbling):
            closing.setdefault(other.place, []).append(other.id)
    weight = np.ones(grid_of(table).shape, np.int64)
    for square, names in closing.items():
        weight[grid_of(table).index(square)] += _IN_THE_WAY * len(names)
    base = prepared_board(grid_of(table), corners_of(table)).space
    open_ = np.where(grid_of(table).walls, BLOCKED, weight)
    planes = {"": open_} | {name: np.where(way == BLOCKED, BLOCKED, open_) for name, way in base.planes.items()}
    steps = {
        step.name: replace(step, cost=1, plane=step.plane or "", from_phase="", to_phase="") for step in base.steps
    }
    start = reach.start._replace(phase="")
    space = MoveSpace(base.shape, tuple(steps.values()), planes=planes, starts=(start,))
    costs = prepared(space).search()
    if costs.at(*cell) == UNREACHED:
        return None
    way = [(state.col, state.row) for state in costs.trace(costs.cheapest_state(*cell)).states[1:]]
    return list(dict.fromkeys([name for square in way for name in closing.get(square, ())] + barring))
