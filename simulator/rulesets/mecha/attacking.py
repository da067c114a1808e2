"""Attacks, as far as movement notices them: what a charge adds to them, which weapons are used, what AP are left.

Whether an attack hits, and with what effect, is not in the source: the game master orders it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.events import Event, change_unit
from simulator.engine.ledger import LedgerLine
from simulator.engine.orders import Order
from simulator.engine.ruleset import Action
from simulator.engine.state import Unit
from simulator.rulesets.mecha.charging import modifiers_of
from simulator.rulesets.mecha.declaring import ap_left
from simulator.rulesets.mecha.units import MechaTable, is_enemy, mobility_of

#: The ways to attack that take no weapon.
_UNARMED = ("ram",)


@clause("ME-7", "ME-53", "ME-86", "ME-94", "ME-95", role="judge")
def against_attack(table: MechaTable, unit: Unit, order: Order) -> Iterator[Breach]:
    """Yield every reason why a unit cannot make an attack now."""
    if unit.place is None or unit.carrier:
        yield Breach("ME-86", f"{unit.id} is not on the table: it attacks nobody", blocker=unit.carrier)
    yield from unable_to_attack(unit, order["how"])
    left, needed = ap_left(table, unit), order.get("ap")
    if needed is not None and left is not None and needed > left:
        yield Breach("ME-7", f"the attack costs {needed} AP, {unit.id} has {left} left", needed, left)
    target = table.state.units.get(order.get("target") or "")
    if target is not None and (target.place is None or not is_enemy(unit, target)):
        why = "not on the table" if target.place is None else "not an opposing unit"
        yield Breach("ME-89", f"{target.id} is {why}", blocker=target.id, place=target.place)


@clause("ME-53", "ME-94", "ME-95")
def unable_to_attack(unit: Unit, way: str) -> Iterator[Breach]:
    """Yield why the state that a unit is in keeps it from an attack."""
    if unit["fell_this_turn"]:
        yield Breach("ME-94", f"{unit.id} has fallen: it can do nothing more this turn")
    elif unit["fallen"]:
        yield Breach("ME-95", f"{unit.id} has fallen: it has to straighten up first")
    if unit["no_weapons_this_turn"] and way not in _UNARMED:
        yield Breach("ME-53", f"{unit.id} has climbed: it uses no weapons this turn")


@clause("ME-25", role="rule")
def defence_told(target: Unit | None) -> Mapping[str, str]:
    """Return what is reported about the defence of a target: static units get no bonus from their pilot."""
    if target is None or mobility_of(target) != "static":
        return {}
    return {"defence": "no bonus of its pilot"}


def attack(table: MechaTable, order: Order) -> Action:
    """Record an attack that somebody has made."""
    yield attacked(table, order.unit, order.get("target") or "", order["how"], order.get("ap") or 0)


@clause("ME-53", "ME-89", "ME-90", role="play")
def attacked(
    table: MechaTable, name: str, target: str, way: str, ap: int, *, kind: str = "attacks", cited: str = "ME-53"
) -> Event:
    """Return the event of an attack: the modifiers of a charge that it uses up, weapons, and AP.

    It cites the clause of its modifiers, if it has any.
    """
    unit = table.unit(name)
    modifiers = modifiers_of(table, unit, target, way)
    changes: dict[str, object] = {"charge_target": ""} if modifiers else {}
    if way not in _UNARMED:
        changes["used_weapons"] = True
    price = []
    if ap and ap_left(table, unit) is not None:
        changes["ap_spent"] = unit["ap_spent"] + ap
        # Those of an Attack of Opportunity are no part of what the Break Away costs.
        currency = "ap" if kind == "attacks" else f"ap of {name}"
        price = [LedgerLine(way, ap, 1, currency, "ME-7")]
    if modifiers:
        cited = "ME-90" if min(modifiers.values()) < 0 else "ME-89"
    told = ", ".join(f"{number:+d} to its {value} attack value" for value, number in modifiers.items())
    detail = {"with": way, "target": target or "nobody", "modifiers": f": {told}" if told else "", **modifiers}
    detail |= defence_told(table.state.units.get(target))
    return Event(kind, name, [change_unit(name, **changes)] if changes else [], cited, unit.place, price, detail)
