"""Destroyed units, as ordered by the game master: they are removed, and with them the units that they carry.

The game master may spare some of those, and states where they stand.
"""

from __future__ import annotations

from collections.abc import Iterator

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.events import Change, Event, change_unit, remove_unit
from simulator.engine.orders import Order
from simulator.engine.ruleset import Action
from simulator.engine.state import Unit
from simulator.rulesets.mecha.setting_down import beside, no_room, with_unit
from simulator.rulesets.mecha.units import MechaTable


@clause("ME-79", "ME-81", "ME-86", role="judge")
def of_destruction(table: MechaTable, unit: Unit, order: Order) -> Iterator[Breach]:
    """Object to whom a unit that is destroyed spares: to others than its passengers, and where there is no room."""
    after = type(table)(table.setting, table.state.with_unit(unit.put(place=None)))
    spared = set[str]()
    for element in order.elements:
        rider = table.state.units[element["unit"]]
        if rider.carrier != unit.id:
            yield Breach("ME-86", f"{rider.id} is not aboard {unit.id}", blocker=rider.id)
        elif unit.place is None:
            yield Breach("ME-86", f"{unit.id} is not on the table: nobody is set down", blocker=unit.id)
        elif rider.id in spared:
            yield Breach("ME-86", f"{rider.id} has been set down already", blocker=rider.id)
        else:
            spared.add(rider.id)
            there = beside(after, rider, unit, element["at"], element.get("heading"))
            after = with_unit(after, there)
            yield from no_room(after, there)


@clause("ME-86", role="play")
def destroyed(table: MechaTable, order: Order) -> Action:
    """Take a unit off the table for good, and with it whom it carries, but for those who are spared."""
    unit = table.unit(order.unit)
    for element in order.elements:
        there = beside(table, table.unit(element["unit"]), unit, element["at"], element.get("heading"))
        changes = {"place": there.place, "heading": there.heading, "level": there["level"], "carrier": ""}
        off = change_unit(there.id, **changes)
        yield Event("is spared", there.id, [off], "ME-86", there.place, (), {"carrier": unit.id})
    yield Event("is lost", unit.id, gone_with(table, unit), "ME-86", unit.place)


def gone_with(table: MechaTable, unit: Unit) -> list[Change]:
    """Return what changes when a unit is destroyed: those aboard are destroyed with it."""
    return [remove_unit(one.id) for one in (*table.state.everybody_aboard(unit.id), unit)]
