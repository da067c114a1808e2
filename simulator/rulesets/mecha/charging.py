"""Charges: whom they may be declared against."""

from __future__ import annotations

from collections.abc import Iterator

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.state import Unit
from simulator.rulesets.mecha.passing import on_one_level
from simulator.rulesets.mecha.units import MechaTable, is_enemy


@clause("ME-88")
def no_target(table: MechaTable, unit: Unit, name: str) -> Iterator[Breach]:
    """Yield why a unit cannot charge another: it is no opposing unit on the table, or stands on another level."""
    target = table.state.units.get(name)
    if target is None or target.place is None:
        yield Breach("ME-88", f"{name} is not on the table: it cannot be charged", blocker=name)
    elif not is_enemy(unit, target):
        yield Breach("ME-88", f"{name} is no opposing unit", blocker=name)
    elif unit.place is not None and not on_one_level(table, unit, target):
        yield Breach("ME-88", f"{name} is on another level: no charge ends in contact with it", blocker=name)
