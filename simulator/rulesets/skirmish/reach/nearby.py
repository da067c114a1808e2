"""The part of a table that a soldier can come to touch: reach is searched there, however much stands elsewhere.

Everything that decides where a soldier gets lies within the inches its spends cover, the width of its base, and what a
traverse reaches across. What lies farther off bars no way, offers no foothold and occupies no place that could be an
end. So it makes no difference to an answer.
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import cast

from simulator.engine.clauses import clause
from simulator.engine.state import Unit
from simulator.engine.table import Table
from simulator.errors import TooMuchAsked
from simulator.geometry.table import InchTable
from simulator.geometry.table_parts import breadth_of, part_with, pieces_within
from simulator.rulesets.skirmish.obstruction import features_of
from simulator.rulesets.skirmish.reach.spends import Spending
from simulator.rulesets.skirmish.traverse.rules import traverse_within
from simulator.rulesets.skirmish.units import SkirmishTable, radius_of

#: A table with no more pieces and soldiers than this is searched whole: all soldiers then share its preparation.
WHOLE = 60
#: The most corners within reach. Ways lead round each, and traverses begin where ways round one pass another, so time
#: and memory grow with their square.
MOST_CORNERS = 1_000
#: More inches than all tolerances, roundings and the slack of chances together.
_MARGIN = 1.0


def nearby(table: SkirmishTable, unit: Unit, spending: Spending) -> SkirmishTable:
    """Return the table with only what a soldier can come to touch; a sparse table unchanged.

    Raises TooMuchAsked if that has more corners than can be searched.
    """
    near = _nearby(table, unit, spending)
    found = features_of(near)
    corners = sum(len(piece.shape.edges) for piece in (*found.obstacles.straight_sided, *found.rough))
    if corners > MOST_CORNERS:
        message = f"the obstacles and rough ground that {unit.id} can come near have {corners:,} corners"
        raise TooMuchAsked(f"{message}, at most {MOST_CORNERS:,} are searched: draw them with fewer corners")
    return near


def _nearby(table: SkirmishTable, unit: Unit, spending: Spending) -> SkirmishTable:
    board = cast(InchTable, table.board)
    if len(board.pieces) + len(table.state.units) <= WHOLE:
        return table
    far = _farthest(board, unit, spending)
    if far is None:
        return table
    x, y = float(unit.place[0]), float(unit.place[1])
    near = {other.id: other for other in table.state if other.id == unit.id or _is_within(other, x, y, far)}
    part = part_with(board, tuple(pieces_within(board, x, y, far)))
    if part is board and len(near) == len(table.state.units):
        return table
    return Table(replace(table.setting, board=part), table.state.put(units=MappingProxyType(near)))


@clause("SK-2", "SK-5", "SK-18", "SK-23", "SK-30", "SK-48")
def _farthest(board: InchTable, unit: Unit, spending: Spending) -> float | None:
    """Compute how far from its centre anything can matter; None if traverses are free and so unlimited.

    A traverse takes the place of moves. It begins near an obstacle and comes down beside it, so it leads no farther
    than to its other side.
    """
    (x, y), base = unit.place, 4.0 * radius_of(unit) + traverse_within(spending.table)
    far = spending.farthest(spending.ap) + _MARGIN
    if spending.may_traverse:
        if not spending.traverse_ap:
            return None
        walked = spending.farthest(spending.ap) / max(spending.ap, 1) * spending.traverse_ap
        for _ in range(spending.ap // spending.traverse_ap):
            widest = max((breadth_of(board, number) for number in pieces_within(board, x, y, far + base)), default=0.0)
            far += max(widest + base - walked, 0.0)
    return far + base


def _is_within(other: Unit, x: float, y: float, far: float) -> bool:
    """Whether a base comes within a distance; never if it is not on the table."""
    if other.place is None:
        return False
    wide = far + radius_of(other)
    dx, dy = other.place[0] - x, other.place[1] - y
    return bool(dx * dx + dy * dy <= wide * wide)
