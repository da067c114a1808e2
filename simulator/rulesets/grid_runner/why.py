"""Why not there: the first clause in the way of a square, the blocker, the shortfall, and the nearest legal end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from simulator.engine.errors import Breach
from simulator.engine.state import Unit
from simulator.geometry.squares import Square
from simulator.pathing.move_space import UNREACHED
from simulator.pathing.search import Searcher
from simulator.rulesets.grid_runner.characters import GridTable, bars_stopping, closed_by, grid_of, others_at
from simulator.rulesets.grid_runner.movement import too_far
from simulator.rulesets.grid_runner.ranges import counted_distances

if TYPE_CHECKING:
    from simulator.rulesets.grid_runner.reach import GridReach


@dataclass(frozen=True, slots=True)
class WhyNot:
    """The answer to "why can it not end there?": every reason, the first one first; none means that it can."""

    place: Square
    reasons: tuple[Breach, ...]
    #: None where there is no legal end at all.
    nearest: Square | None
    nearest_cost: int

    def __bool__(self) -> bool:
        return bool(self.reasons)

    def __str__(self) -> str:
        at = f"{self.place[0]},{self.place[1]}"
        if not self.reasons:
            return f"{at} can be reached: it costs {self.nearest_cost}"
        lines = [f"{at} can not be reached", *(f"  {reason}" for reason in self.reasons)]
        if self.nearest is not None:
            lines.append(f"  nearest legal end: {self.nearest[0]},{self.nearest[1]}, for {self.nearest_cost}")
        return "\n".join(lines)


def why_not(reach: GridReach, place: Square) -> WhyNot:
    """Say why a character can not end on a square; raises NoPlace where there is no such square."""
    board = grid_of(reach.table)
    row, column = board.index(place)
    if reach.mask[row, column]:
        return WhyNot(place, (), place, int(reach.cheapest[row, column]))
    nearest = _nearest(reach, place) if reach.mask.any() else None
    cost = int(reach.cheapest[board.index(nearest)]) if nearest else 0
    return WhyNot(place, tuple(_reasons(reach, place)), nearest, cost)


def _nearest(reach: GridReach, place: Square) -> Square:
    rows, columns = np.nonzero(reach.mask)
    away = counted_distances("diagonal_121", columns - place[0], rows - place[1])
    first = np.lexsort((columns, rows, reach.cheapest[rows, columns], away))[0]
    return int(columns[first]), int(rows[first])


def _reasons(reach: GridReach, place: Square) -> list[Breach]:
    table, unit, board = reach.table, reach.unit_now, grid_of(reach.table)
    if reach.refused:
        return list(reach.refused)
    tumbling = reach.action == "tumble"
    cell = board.index(place)
    at = f"{place[0]},{place[1]}"
    if board.walls[cell]:
        return [Breach("GR-26", f"{at} is a wall", blocker="wall", place=place)]
    found: list[Breach] = []
    for other in others_at(table, place, unit):
        if barred := bars_stopping(table, unit, other, tumbling):
            told = f"{other.id} stands on {at}: nobody stops there"
            found.append(Breach(barred, told, blocker=other.id, place=place))
    needed = _cost_without_limit(reach.searcher, reach, cell)
    if needed is None:
        return found + _enclosed(reach, table, unit, place)
    if needed > reach.budget:
        found.append(too_far(table, unit, needed, reach.budget, place))
        if reach.action == "one_square_move":
            found[-1] = Breach("GR-55", f"a One-Square-Move is one step; {at} costs {needed}", needed, 1, place=place)
    return found


def _cost_without_limit(searcher: Searcher, reach: GridReach, cell: tuple[int, int]) -> int | None:
    cost = searcher.search([reach.start], None).at(*cell)
    return None if cost == UNREACHED else cost


def _enclosed(reach: GridReach, table: GridTable, unit: Unit, place: Square) -> list[Breach]:
    """Name who closes the cheapest way there is without others, or the walls where there is no way at all."""
    board = grid_of(table)
    at = f"{place[0]},{place[1]}"
    alone = reach.searcher.with_masks(enter=~board.walls)
    costs = alone.search([reach.start], None)
    cell = board.index(place)
    if costs.at(*cell) == UNREACHED:
        return [Breach("GR-26", f"walls close every way to {at}", blocker="wall", place=place)]
    for state in costs.trace(costs.cheapest_state(*cell)).states[1:]:
        square = (state.col, state.row)
        for other in others_at(table, square, unit):
            if closed := closed_by(table, unit, other, reach.action == "tumble"):
                told = f"{other.id} on {square[0]},{square[1]} closes the way to {at}, and there is no other"
                return [Breach(closed, told, blocker=other.id, place=square)]
    return []
