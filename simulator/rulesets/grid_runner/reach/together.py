"""One search for many characters: who stands where closes the same squares to all of a side."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import compress
from operator import is_not

import numpy as np

from simulator.engine.clauses import clause
from simulator.engine.state import Unit
from simulator.pathing.costs import Window
from simulator.pathing.kernel.prepared import Prepared, Query
from simulator.pathing.move_space import UNREACHED, Mask, Plane
from simulator.rulesets.grid_runner.movement import corners_of, prepared_board, standing_masks, start_of
from simulator.rulesets.grid_runner.units import GridTable, grid_of


@dataclass(frozen=True)
class AboutToMove:
    """A character that is about to move: the table when its go has begun, and the squares it may use."""

    table: GridTable
    unit: Unit
    budget: int


class SharedSearch:
    """The least costs of many characters by square: those to whom the same squares are closed are searched together."""

    def __init__(self, movers: Sequence[AboutToMove], action: str) -> None:
        #: The board as the characters find it, made ready: one search answers all of them, at m2 one for each side.
        self.searchers: list[Prepared] = []
        self._found: dict[int, Callable[[], Plane]] = {}
        together: dict[tuple[int, str], list[int]] = {}
        positions = _positions([mover.table for mover in movers])
        for number, (mover, position) in enumerate(zip(movers, positions, strict=True)):
            # Only at m2, and of who tumbles, does it matter to the search whose side a character is on.
            sided = mover.table.options.scale == "m2" or action == "tumble"
            together.setdefault((position, mover.unit.side if sided else ""), []).append(number)
        for numbers in together.values():
            self._ask(movers, numbers, action)

    def costs_of(self, number: int) -> Callable[[], Plane]:
        """Return what computes the costs of one of them by square, `UNREACHED` where it can not end."""
        return self._found[number]

    @clause("GR-35", "GR-36", "GR-38", "GR-70")
    def _ask(self, movers: Sequence[AboutToMove], numbers: Sequence[int], action: str) -> None:
        table, withdraws = movers[numbers[0]].table, action == "withdrawal"
        # Somebody of that side who stands nowhere: to them all characters are others. That closes each character's
        # own square too. Nobody gets anywhere sooner by coming back to where it started, so the least costs are right;
        # but not all states of them, since one can come back with another count of diagonals.
        nobody = replace(movers[numbers[0]].unit, id=f"{movers[numbers[0]].unit.id} ")
        enter, end = standing_masks(table, nobody, action == "tumble")
        board = prepared_board(grid_of(table), corners_of(table), withdraws).with_masks(enter=enter, end=end)
        self.searchers.append(board)
        asked = [movers[number] for number in numbers]
        batch = board.search_many([Query((start_of(one.table, one.unit, withdraws),), one.budget) for one in asked])
        for place, (number, mover) in enumerate(zip(numbers, asked, strict=True)):
            # The squares of one are kept apart from those of the others, so that nobody's answer holds on to all.
            self._found[number] = partial(_on_board, *batch.cells(place), end, grid_of(table).index(mover.unit.place))


def _positions(tables: Iterable[GridTable]) -> list[int]:
    """Return for each table the number of its position: those on which everybody stands alike have the same."""
    known: list[GridTable] = []
    found: list[int] = []
    for table in tables:
        alike = (number for number, other in enumerate(known) if _stands_alike(table, other))
        found.append(next(alike, len(known)))
        if found[-1] == len(known):
            known.append(table)
    return found


def _stands_alike(table: GridTable, other: GridTable) -> bool:
    """Whether everybody stands on two tables alike; most units are the same, and those are looked at no further."""
    if table.setting is not other.setting or tuple(table.state.units) != tuple(other.state.units):
        return False
    mine, theirs = table.state.units.values(), other.state.units.values()
    different = compress(zip(mine, theirs, strict=True), map(is_not, mine, theirs))
    return all((one.side, one.place) == (twin.side, twin.place) for one, twin in different)


def _on_board(window: Window, costs: Plane, end: Mask, own: tuple[int, int]) -> Plane:
    """Return the costs of a window as those of the whole board, of squares where a movement may end."""
    found = np.full(end.shape, UNREACHED)
    top, left = max(window.row, 0), max(window.col, 0)
    part = costs[top - window.row :, left - window.col :][: end.shape[0] - top, : end.shape[1] - left]
    found[top : top + part.shape[0], left : left + part.shape[1]] = part
    found[~end] = UNREACHED
    found[own] = 0
    return found
