"""The judge: every reason why an order is forbidden here. It judges the order as written and searches nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from simulator.engine.clauses import clause
from simulator.engine.drafts import AgainstDraft
from simulator.engine.errors import Breach
from simulator.engine.orders import Order
from simulator.engine.ruleset import register_order
from simulator.engine.state import Unit
from simulator.rulesets.mecha.attacking import against_attack
from simulator.rulesets.mecha.capacity import misloaded
from simulator.rulesets.mecha.charging import no_target
from simulator.rulesets.mecha.climbing import of_climb
from simulator.rulesets.mecha.declaring import unable_to_turn, undeclarable, unskilled
from simulator.rulesets.mecha.destroying import of_destruction
from simulator.rulesets.mecha.elevated import faults_of_terrain, top_named
from simulator.rulesets.mecha.entering import against_entering, of_entering
from simulator.rulesets.mecha.exiting import against_leaving, of_exiting
from simulator.rulesets.mecha.falling import of_straighten_up
from simulator.rulesets.mecha.jump_judge import no_jump, no_leap, of_jump
from simulator.rulesets.mecha.move_judge import against_path, moves_for, of_free_degrees, of_move, of_standing
from simulator.rulesets.mecha.pushing import of_push
from simulator.rulesets.mecha.units import GROUND, MechaTable
from simulator.rulesets.mecha.unloading import nobody_aboard, of_unloading
from simulator.rulesets.mecha.vocabulary import degrees_of

Breaches = Iterator[Breach]


def breaches(table: MechaTable, order: Order) -> list[Breach]:
    """Return every reason why an order is forbidden, in the order of the register."""
    unit = table.unit(order.unit)
    found = _JUDGES[order.action](table, unit, order)
    once = {(breach.clause, breach.message): breach for breach in found}
    return sorted(once.values(), key=lambda breach: register_order(breach.clause))


def against_draft(table: MechaTable, order: Order) -> AgainstDraft:
    """Return what is wrong with a draft: whether it may be declared comes first, then its price, then the way."""
    unit, action = table.unit(order.unit), order.action
    if never := list(_NEVER[action](table, unit, order)) if action in _NEVER else []:
        return AgainstDraft(never)
    if action in _WHEREVER:
        for reason in _WHEREVER[action](table, unit, order):
            # Others are drawn to be named: one reason is enough.
            return AgainstDraft([reason], stays=True)
    if action not in _MOVES:
        return AgainstDraft(breaches(table, order))
    declared = [] if action in _WHEREVER else list(undeclarable(table, unit, action))
    moves, written = moves_for(table, unit, order) if unit.place is not None else (None, [])
    if at_once := [*declared, *of_free_degrees(table, unit, written)]:
        # All else that could be wrong is wrong somewhere on the way.
        return AgainstDraft(at_once, stays=True)
    assert moves is not None
    return against_path(unit, moves, written)


@clause("ME-70")
def _of_manoeuvre(table: MechaTable, unit: Unit, order: Order) -> Breaches:
    yield from unskilled(unit)
    yield from of_move(table, unit, order)


def _of_charge(table: MechaTable, unit: Unit, order: Order) -> Breaches:
    if any(no_target(table, unit, order["target"])):
        yield from _against_charging(table, unit, order)
        return
    yield from of_move(table, unit, order)


def _against_charging(table: MechaTable, unit: Unit, order: Order) -> Breaches:
    """Object to charging somebody, wherever that leads."""
    yield from undeclarable(table, unit, "charge")
    yield from no_target(table, unit, order["target"])


def _of_free_turn(table: MechaTable, unit: Unit, order: Order) -> Breaches:
    yield from unable_to_turn(table, unit)
    yield from of_free_degrees(table, unit, list(degrees_of(order.elements)))


_JUDGES: Mapping[str, Callable[[MechaTable, Unit, Order], Iterable[Breach]]] = {
    **dict.fromkeys(("standard", "run", "break_away"), of_move),
    "manoeuvre": _of_manoeuvre,
    "charge": _of_charge,
    "free_turn": _of_free_turn,
    "enter_unit": of_entering,
    "exit_unit": of_exiting,
    "unload": of_unloading,
    "attack": against_attack,
    "jump": of_jump,
    "climb": of_climb,
    "straighten_up": of_straighten_up,
    "pushed": of_push,
    "destroyed": of_destruction,
}


#: The actions that are nothing but a move.
_MOVES = ("standard", "run", "break_away", "manoeuvre", "charge")
_Reasons = Callable[[MechaTable, Unit, Order], Iterable[Breach]]
#: Why units do not take some actions, whatever the lengths and angles of their orders.
_NEVER: Mapping[str, _Reasons] = {
    "manoeuvre": lambda _, unit, __: unskilled(unit),
    "unload": lambda table, unit, _: nobody_aboard(table, unit),
    "jump": lambda table, unit, order: [*no_jump(table, unit), *no_leap(order)],
}
#: Why actions that name somebody or a place cannot be declared like that, wherever their legs lead.
_WHEREVER: Mapping[str, _Reasons] = {
    "charge": _against_charging,
    "enter_unit": against_entering,
    "exit_unit": against_leaving,
}


# --- positions ---


@clause("ME-15", "ME-43", "ME-106")
def faults(table: MechaTable) -> Breaches:
    """Yield all faults of a position: incomplete terrain, and units where they may not be."""
    yield from faults_of_terrain(table.setting)
    for unit in table.state.standing:
        if unit["level"] != GROUND and top_named(table.setting, unit["level"]) is None:
            message = f"{unit.id}: no elevated terrain has the name {unit['level']!r}"
            yield Breach("ME-106", message, blocker=unit.id, place=unit.place)
            continue
        yield from misloaded(table, unit)
        for found in of_standing(table, unit):
            yield replace(found, message=f"{unit.id}: {found.message}", blocker=unit.id, place=unit.place)
