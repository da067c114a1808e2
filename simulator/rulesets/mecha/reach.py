"""Reach: where a unit can legally end a Move Action, at which level, facing which way, and at what price."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from simulator.engine.clauses import clause
from simulator.engine.errors import TableError
from simulator.engine.orders import heading, place, unit_id
from simulator.engine.plans_reach import PlansReach
from simulator.engine.reach_questions import Ask
from simulator.engine.state import Unit
from simulator.rulesets.mecha.carrier_reach import enter_reach, exit_reach
from simulator.rulesets.mecha.charging import no_target
from simulator.rulesets.mecha.declaring import unable_to_turn, undeclarable, unskilled
from simulator.rulesets.mecha.move_reach import MechaReach
from simulator.rulesets.mecha.movement import compiled
from simulator.rulesets.mecha.options import MechaOptions
from simulator.rulesets.mecha.plans import plans_of_phase, plans_of_turn
from simulator.rulesets.mecha.units import MechaTable
from simulator.rulesets.mecha.unload_reach import SetDownReach, unloading_reach

#: The actions with an answer of reach.
REACHES = {
    "standard": "where a standard move ends",
    "run": "where a run ends",
    "break_away": "where a Break Away ends, whatever the attacks of opportunity do",
    "manoeuvre": "where a manoeuvre ends, in contact with whom it was before",
    "charge": "where a charge ends, in contact with its target",
    "enter_unit": "from where it can enter a carrier: the poses in which it touches that, and is aboard then",
    "exit_unit": "where it ends that leaves its carrier: anywhere at its rear, and half a move from there",
    "unload": "where a carrier ends that unloads; for who is aboard, where it can be set down",
    "free_turn": "which ways it can face after its free turn alone",
    "phase": "where it can be when this movement phase is over, by the action points that takes",
    "turn": "where it can be when the turn is over, by the action points that takes",
}
#: The keywords of a question.
ASKS = {
    "target": Ask(unit_id("the opposing unit to charge"), ("charge",)),
    "carrier": Ask(unit_id("the carrier to enter"), ("enter_unit",)),
    "at": Ask(place("where the carrier stops, for whom it sets down"), ("unload",)),
    "facing": Ask(heading("which way the carrier faces there"), ("unload",)),
}


#: Where a unit can end an action, or one of several plans.
MechaAnswer: TypeAlias = MechaReach | PlansReach[MechaOptions] | SetDownReach
#: What answers over a phase and over a turn are made of.
_PLANS = {"phase": plans_of_phase, "turn": plans_of_turn}
#: Those about carriers and who is aboard.
_OF_CARRIERS: Mapping[str, Callable[..., MechaAnswer]] = {
    "enter_unit": enter_reach,
    "exit_unit": exit_reach,
    "unload": unloading_reach,
}


def reach_of(table: MechaTable, unit: Unit, action: str, **question: Any) -> MechaAnswer:
    """Compute where a unit can end a Move Action, a phase or a turn."""
    if action in _OF_CARRIERS:
        return _OF_CARRIERS[action](table, unit, **question)
    if unit.place is None:
        raise TableError(f"{unit.id} is not on the table")
    if action in _PLANS:
        return PlansReach(table, unit, action, list(_PLANS[action](table, unit)), "AP")
    return _reach_of_action(table, unit, action, **question)


@clause("ME-10", "ME-46", "ME-47", "ME-58", "ME-63", "ME-69", "ME-87")
def _reach_of_action(table: MechaTable, unit: Unit, action: str, target: str | None = None) -> MechaReach:
    """Where a Move Action of a unit ends."""
    if action == "free_turn":
        moves = compiled(table, unit, "straighten_up")  # which has no budget either
        return MechaReach(table, unit, action, moves, list(unable_to_turn(table, unit)))
    barred = list(undeclarable(table, unit, action))
    named: dict[str, str] = {}
    if action == "charge":
        if target is None:
            raise TableError("charge needs a target: name the opposing unit to charge")
        barred += no_target(table, unit, target)
        named = {"target": target}
    if action == "manoeuvre":
        barred += unskilled(unit)
    known = {name: value for name, value in named.items() if table.state.units[value].place is not None}
    moves = compiled(table, unit, action if known or not named else "standard", **known)
    return MechaReach(table, unit, action, moves, barred, named)
