"""One search for many characters: the same squares are closed to a whole side."""

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
    """A character about to move: the table when its go has begun, and the squares it may use."""

    table: GridTable
    unit: Unit
    budget: int


class SharedSearch:
    """The least costs of many characters by square: those to whom the same squares are closed are searched together."""

    def __init__(self, movers: Sequence[AboutToMove], action: str) -> None:
        #: The board as it is for the characters, prepared: one search covers all of them, at m2 one for each side.
        self.searchers: list[Prepared] = []
        self._found: dict[int, Callable[[], Plane]] = {}
        together: dict[tuple[int, str], list[int]] = {}
        positions = _positions([mover.table for mover in movers])
        for number, (mover, position) in enumerate(zip(movers, positions, strict=True)):
            # The side of a character matters to the search only at m2 and when tumbling.
            sided = mover.table.options.scale == "m2" or action == "tumble"
            together.setdefault((position, mover.unit.side if sided else ""), []).append(number)
        for numbers in together.values():
            self._search(movers, numbers, action)

    def costs_of(self, number: int) -> Callable[[], Plane]:
        """Return a function that computes the costs of one of them by square, `UNREACHED` where it cannot end."""
        return self._found[number]

    @clause("GR-35", "GR-36", "GR-38", "GR-70")
    def _search(self, movers: Sequence[AboutToMove], numbers: Sequence[int], action: str) -> None:
        table, withdraws = movers[numbers[0]].table, action == "withdrawal"
        # A stand-in of that side who is not on the board: all characters are others to it. That also closes each
        # character's own square. Nobody gets anywhere sooner by returning to where it started, so the least costs are
        # right; but not all their states, since a return can change the count of diagonals.
        nobody = replace(movers[numbers[0]].unit, id=f"{movers[numbers[0]].unit.id} ")
        enter, end = standing_masks(table, nobody, action == "tumble")
        board = prepared_board(grid_of(table), corners_of(table), withdraws).with_masks(enter=enter, end=end)
        self.searchers.append(board)
        batch_movers = [movers[number] for number in numbers]
        queries = [Query((start_of(one.table, one.unit, withdraws),), one.budget) for one in batch_movers]
        batch = board.search_many(queries)
        for place, (number, mover) in enumerate(zip(numbers, batch_movers, strict=True)):
            # Each mover's squares are stored apart from those of the others, so that no answer keeps all of them alive.
            self._found[number] = partial(_on_board, *batch.cells(place), end, grid_of(table).index(mover.unit.place))


def _positions(tables: Iterable[GridTable]) -> list[int]:
    """Return for each table the number of its position: those on which everybody stands alike share one."""
    known: list[GridTable] = []
    found: list[int] = []
    for table in tables:
        alike = (number for number, other in enumerate(known) if _stands_alike(table, other))
        found.append(next(alike, len(known)))
        if found[-1] == len(known):
            known.append(table)
    return found


def _stands_alike(table: GridTable, other: GridTable) -> bool:
    """Whether everybody stands on two tables alike; units that are the same object are not compared."""
    if table.setting is not other.setting or tuple(table.state.units) != tuple(other.state.units):
        return False
    mine, theirs = table.state.units.values(), other.state.units.values()
    different = compress(zip(mine, theirs, strict=True), map(is_not, mine, theirs))
    return all((one.side, one.place) == (twin.side, twin.place) for one, twin in different)


def _on_board(window: Window, costs: Plane, end: Mask, own: tuple[int, int]) -> Plane:
    """Return the costs of a window as those of the whole board, for squares where a movement may end."""
    found = np.full(end.shape, UNREACHED)
    top, left = max(window.row, 0), max(window.col, 0)
    part = costs[top - window.row :, left - window.col :][: end.shape[0] - top, : end.shape[1] - left]
    found[top : top + part.shape[0], left : left + part.shape[1]] = part
    found[~end] = UNREACHED
    found[own] = 0
    return found
