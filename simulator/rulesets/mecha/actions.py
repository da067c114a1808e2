"""The actions, each with the rule that plays it."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from simulator.engine.amounts import plain, tidy
from simulator.engine.clauses import clause
from simulator.engine.events import Event, change_unit
from simulator.engine.orders import Order
from simulator.engine.ruleset import Action, ActionRule
from simulator.rulesets.mecha.entering import enter_unit
from simulator.rulesets.mecha.exiting import exit_unit
from simulator.rulesets.mecha.playing import declared, moved
from simulator.rulesets.mecha.units import MechaTable
from simulator.rulesets.mecha.unloading import unload


def moving(table: MechaTable, order: Order) -> Action:
    """Make a Move Action that is nothing but a move."""
    changes = {"charge_target": order["target"]} if order.action == "charge" else {}
    yield declared(table, order.unit, order.action, **changes)
    yield from moved(table, order)


@clause("ME-35", "ME-36", "ME-37")
def free_turn(table: MechaTable, order: Order) -> Action:
    """Turn for nothing, without a Move Action."""
    unit = table.unit(order.unit)
    heading, swept = Fraction(unit.heading), Fraction(0)
    for element in order.elements:
        sense = 1 if element.name == "turn_left" else -1
        heading += sense * Fraction(element["angle"])
        swept += sense * Fraction(element["angle"])
    changes = {"heading": tidy(heading % 360), "free_turned": plain(Fraction(unit["free_turned"]) + abs(swept))}
    yield Event("turns freely", unit.id, [change_unit(unit.id, **changes)], "ME-35", unit.place)


ACTIONS: Mapping[str, ActionRule] = {
    **dict.fromkeys(("standard", "run", "break_away", "manoeuvre", "charge"), moving),
    "free_turn": free_turn,
    "enter_unit": enter_unit,
    "exit_unit": exit_unit,
    "unload": unload,
}
