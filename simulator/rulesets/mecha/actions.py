"""The actions, each with the rule that plays it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from simulator.engine.amounts import plain, tidy
from simulator.engine.clauses import clause
from simulator.engine.events import Event, change_unit
from simulator.engine.orders import Order
from simulator.engine.ruleset import Action, ActionRule
from simulator.rulesets.mecha.attacking import attack
from simulator.rulesets.mecha.breaking_away import break_away
from simulator.rulesets.mecha.climbing import climb
from simulator.rulesets.mecha.destroying import destroyed
from simulator.rulesets.mecha.elevated import top_of
from simulator.rulesets.mecha.entering import enter_unit
from simulator.rulesets.mecha.exiting import exit_unit
from simulator.rulesets.mecha.falling import fallen, straighten_up
from simulator.rulesets.mecha.jumping import JUMP_OFF, falls_from
from simulator.rulesets.mecha.playing import declared, moved
from simulator.rulesets.mecha.pushing import pushed
from simulator.rulesets.mecha.turning import used_freely
from simulator.rulesets.mecha.units import MechaTable
from simulator.rulesets.mecha.unloading import unload
from simulator.rulesets.mecha.vocabulary import degrees_of


def moving(table: MechaTable, order: Order) -> Action:
    """Make a Move Action that is nothing but a move."""
    changes = {"charge_target": order["target"]} if order.action == "charge" else {}
    yield declared(table, order.unit, order.action, **changes)
    yield from moved(table, order)


@clause("ME-66", "ME-68")
def jumping(table: MechaTable, order: Order) -> Action:
    """Jump off a top: a move over the edge, and down; or a fall, where that is too high."""
    yield declared(table, order.unit, order.action)
    unit = table.unit(order.unit)
    place, top = falls_from(table, unit, order.elements), top_of(table.setting, unit)
    if place is None or top is None:
        yield from moved(table, order)
        return
    yield from moved(table, replace(order, elements=[one for one in order.elements if one.name != JUMP_OFF]))
    yield from fallen(table, order.unit, top, place)


@clause("ME-35", "ME-36", "ME-37")
def free_turn(table: MechaTable, order: Order) -> Action:
    """Turn for nothing, without a Move Action."""
    unit = table.unit(order.unit)
    turns = list(degrees_of(order.elements))
    heading = Fraction(unit.heading) + sum(Fraction(turn.degrees) for turn in turns)
    used = Fraction(unit["free_turned"]) + used_freely(turns)
    changes = {"heading": tidy(heading % 360), "free_turned": plain(used)}
    yield Event("turns freely", unit.id, [change_unit(unit.id, **changes)], "ME-35", unit.place)


ACTIONS: Mapping[str, ActionRule] = {
    **dict.fromkeys(("standard", "run", "manoeuvre", "charge"), moving),
    "break_away": break_away,
    "free_turn": free_turn,
    "enter_unit": enter_unit,
    "exit_unit": exit_unit,
    "unload": unload,
    "attack": attack,
    "jump": jumping,
    "climb": climb,
    "straighten_up": straighten_up,
    "pushed": pushed,
    "destroyed": destroyed,
}
