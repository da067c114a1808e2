"""Charges: whom they may be declared against, and what they do to the next attack."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.state import Unit
from simulator.rulesets.mecha.passing import can_touch
from simulator.rulesets.mecha.units import MechaTable, is_enemy, others

#: The two attack values.
MELEE, RANGED = "melee", "ranged"
#: The ways to attack; those that earn the bonus of a charge.
WAYS = ("melee", "ram", "shooting")
_CLOSE = ("melee", "ram")


@clause("ME-88")
def no_target(table: MechaTable, unit: Unit, name: str) -> Iterator[Breach]:
    """Yield why a unit cannot charge another: it is not an opposing unit on the table, or stands on another level."""
    target = table.state.units.get(name)
    if target is None or target.place is None:
        yield Breach("ME-88", f"{name} is not on the table: it cannot be charged", blocker=name)
    elif not is_enemy(unit, target):
        yield Breach("ME-88", f"{name} is not an opposing unit", blocker=name)
    elif unit.place is not None and not can_touch(table, unit, target):
        yield Breach("ME-88", f"{name} is on another level: no charge ends in contact with it", blocker=name)


def targets(table: MechaTable, unit: Unit) -> list[str]:
    """Return the units that a unit may name as targets, whether it gets there or not."""
    return [other.id for other in others(table, unit) if not any(no_target(table, unit, other.id))]


@clause("ME-89", "ME-90")
def modifiers_of(table: MechaTable, unit: Unit, target: str, way: str) -> Mapping[str, int]:
    """Return what the last charge of a unit adds to the attack values of an attack now; nothing if it is used up."""
    if not unit["charge_target"]:
        return {}
    if target == unit["charge_target"] and way in _CLOSE:
        return {MELEE: int(table.tables["charge.bonus"])}
    return dict.fromkeys((MELEE, RANGED), int(table.tables["charge.penalty"]))
