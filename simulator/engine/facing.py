"""Valid headings of units: one that exists on a board of this kind, and one at all if the type of unit needs it.

On dots the headings are the six directions, on squares the eight, on a table any degrees; a ruleset may have `headings`
of its own. Types of units that always have a heading declare it: `UnitType("tank", fields, faces=True)`.
"""

from __future__ import annotations

from typing import Any

from simulator.engine.errors import either
from simulator.engine.orders import Vocabulary
from simulator.engine.ruleset import Ruleset
from simulator.engine.state import Unit
from simulator.engine.values import show
from simulator.geometry.board import Board


def facing_fault(ruleset: Ruleset[Any, Any], vocabulary: Vocabulary, board: Board[Any], unit: Unit) -> str:
    """Report the fault in the heading of a unit; "" without one."""
    kind = ruleset.unit_types.get(unit.type)
    known = ruleset.headings or board.headings
    if unit.heading is None:
        missing = kind is not None and kind.faces and unit.place is not None
        wanted = f"a heading: {either(list(map(show, known)))}" if known else vocabulary.goal_heading.about
        return f"is missing: expected {wanted}" if missing else ""
    if not known or unit.heading in known:
        return ""
    where = "" if ruleset.headings else f" on {board.kind}"
    return f"{show(unit.heading)} is not a heading{where}: expected {either(list(map(show, known)))}"
