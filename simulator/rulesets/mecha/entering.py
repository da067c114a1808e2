"""Entering a carrier: up to half a move that ends in contact with it, and then aboard."""

from __future__ import annotations

from collections.abc import Iterator

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.events import Event, change_unit
from simulator.engine.orders import Order
from simulator.engine.ruleset import Action
from simulator.engine.state import Unit
from simulator.rulesets.mecha.capacity import cannot_enter
from simulator.rulesets.mecha.declaring import undeclarable
from simulator.rulesets.mecha.move_judge import moves_for, of_path
from simulator.rulesets.mecha.playing import declared, moved
from simulator.rulesets.mecha.units import GROUND, MechaTable


@clause("ME-73", role="judge")
def of_entering(table: MechaTable, unit: Unit, order: Order) -> Iterator[Breach]:
    """Object to an order to enter a carrier."""
    against = list(against_entering(table, unit, order))
    yield from against
    if unit.place is not None and not any(breach.clause in ("ME-73", "ME-74") for breach in against):
        yield from of_path(table, unit, *moves_for(table, unit, order))


@clause("ME-73", role="judge")
def against_entering(table: MechaTable, unit: Unit, order: Order) -> Iterator[Breach]:
    """Object to entering a carrier, wherever the way to it leads."""
    yield from undeclarable(table, unit, "enter_unit")
    yield from cannot_enter(table, unit, order["carrier"])


@clause("ME-73", "ME-76", "ME-86", role="play")
def enter_unit(table: MechaTable, order: Order) -> Action:
    """Move into contact with a carrier, and go aboard."""
    name = order["carrier"]
    yield declared(table, order.unit, "enter_unit")
    yield from moved(table, order)
    where = table.unit(order.unit).place
    aboard = change_unit(order.unit, place=None, carrier=name, level=GROUND)
    yield Event(
        "enters", order.unit, [aboard, change_unit(name, lock="entered")], "ME-73", where, (), {"carrier": name}
    )
