"""Leaving a carrier by oneself: placed at its rear, and then up to half a move from there."""

from __future__ import annotations

from collections.abc import Iterator

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.events import Event, change_unit
from simulator.engine.orders import Order
from simulator.engine.ruleset import Action
from simulator.engine.state import Unit
from simulator.rulesets.mecha.capacity import cannot_leave
from simulator.rulesets.mecha.declaring import undeclarable
from simulator.rulesets.mecha.move_judge import moves_for, of_path
from simulator.rulesets.mecha.playing import declared, moved
from simulator.rulesets.mecha.setting_down import beside, placed_breaches, with_unit
from simulator.rulesets.mecha.units import MechaTable


@clause("ME-82", "ME-83", role="judge")
def of_exiting(table: MechaTable, unit: Unit, order: Order) -> Iterator[Breach]:
    """Object to an order to leave a carrier."""
    yield from against_leaving(table, unit, order)
    carrier = table.state.carrier_of(unit)
    if order.elements and carrier is not None and carrier.place is not None:
        there = beside(table, unit, carrier, order["at"], order.get("heading"))
        after = with_unit(table, there)
        yield from of_path(after, there, *moves_for(after, there, order))


@clause("ME-82", "ME-83", role="judge")
def against_leaving(table: MechaTable, unit: Unit, order: Order) -> Iterator[Breach]:
    """Object to leaving a carrier as it is ordered, wherever that leads from there."""
    yield from undeclarable(table, unit, "exit_unit")
    yield from cannot_leave(table, unit)
    carrier = table.state.carrier_of(unit)
    if carrier is not None and carrier.place is not None:
        there = beside(table, unit, carrier, order["at"], order.get("heading"))
        yield from placed_breaches(table, there, carrier, exits=True)


@clause("ME-82", "ME-83", "ME-85", role="play")
def exit_unit(table: MechaTable, order: Order) -> Action:
    """Leave a carrier at its rear, and move on."""
    unit = table.unit(order.unit)
    carrier = table.unit(unit.carrier)
    yield declared(table, order.unit, "exit_unit")
    there = beside(table, unit, carrier, order["at"], order.get("heading"))
    off = change_unit(unit.id, place=there.place, heading=there.heading, level=there["level"], carrier="")
    left = [off, change_unit(carrier.id, lock="exited")]
    yield Event("exits", unit.id, left, "ME-83", there.place, (), {"carrier": carrier.id})
    yield from moved(table, order)
