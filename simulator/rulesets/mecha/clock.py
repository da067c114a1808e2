"""Turns of two movement phases; in each the units go in any order, as the players like."""

# ruff: noqa: ARG002 - the hooks of a clock need not use all their arguments

from __future__ import annotations

from typing import Any

from simulator.engine.clauses import clause
from simulator.engine.clock import Phase
from simulator.engine.events import Event, change_unit
from simulator.engine.state import Unit
from simulator.engine.table import Table
from simulator.engine.turns import Hook, TurnClock
from simulator.rulesets.mecha.declaring import ACTED, movement_phase
from simulator.rulesets.mecha.turning import free_degrees

#: What is forgotten when a turn ends.
FRESH = {
    "acted_1": "",
    "acted_2": "",
    "ap_spent": 0,
    "free_turned": 0,
    "pinned": False,
    "fell_this_turn": False,
    "no_weapons_this_turn": False,
    "used_weapons": False,
    "lock": "",
}


@clause("ME-1", "ME-2", "ME-34", "ME-61", "ME-76", "ME-90")
class PhaseClock(TurnClock):
    """A turn has the phases of the option phase_list; units act in the two movement phases."""

    clause = "ME-1"

    def turn_phases(self, table: Table[Any]) -> tuple[Phase, ...]:
        """Return the phases of the turn; in those that are no movement phases nobody moves.

        They are over at once, or by option wait until everybody lets them pass: what happens in them is ordered aside.
        """
        others = "any" if table.options.attack_phases == "played" else "nobody"
        return tuple(Phase(name, "any" if name in ACTED else others, "ME-1") for name in table.options.phase_list)

    def can_act(self, table: Table[Any], unit: Unit) -> bool:
        """Whether a unit has a go: one that is aboard a carrier may exit."""
        return unit.place is not None or bool(unit.carrier)

    def has_more(self, table: Table[Any], unit: Unit) -> bool:
        """Whether the go of a unit continues: its Move Action, or its free turn, is still to come."""
        phase = movement_phase(table)
        if unit["fell_this_turn"] or not phase:
            return False
        return not unit[ACTED[phase]] or bool(free_degrees(table, unit) and unit.place is not None)

    def phase_ends(self, table: Table[Any], phase: Phase) -> Hook:
        """Let free turns come back, and carriers act again."""
        fresh: dict[str, Any] = {}
        if phase.name in ACTED and table.options.free_turn_per == "phase":
            fresh["free_turned"] = 0
        if phase.name in ACTED and table.options.carrier_lock_scope == "phase":
            fresh["lock"] = ""
        yield from _forgotten(table, "phase over", fresh)

    def turn_ends(self, table: Table[Any]) -> Hook:
        """Forget what each unit did in the turn."""
        expired = {"charge_target": ""} if table.options.charge_expiry == "end_of_turn" else {}
        yield from _forgotten(table, "turn over", FRESH | expired)


def _forgotten(table: Table[Any], kind: str, fresh: dict[str, Any]) -> Hook:
    for unit in list(table.state):
        changes = {name: value for name, value in fresh.items() if unit[name] != value}
        if changes:
            cited = "ME-1" if kind == "turn over" else "ME-34" if "free_turned" in changes else "ME-76"
            yield Event(kind, unit.id, [change_unit(unit.id, **changes)], cited)
