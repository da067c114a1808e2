"""Rounds: the sides alternate, one soldier each, until all have been activated."""

# ruff: noqa: ARG002 - the hooks of a clock need not use all their arguments

from __future__ import annotations

from typing import Any

from simulator.engine.clauses import clause
from simulator.engine.clock import Phase
from simulator.engine.events import Event, change_unit
from simulator.engine.state import Unit
from simulator.engine.table import Table
from simulator.engine.turns import Hook, TurnClock
from simulator.rulesets.skirmish.units import ap_of_activation


@clause("SK-65")
class RoundClock(TurnClock):
    """A turn is a round, with one phase in which each soldier has one activation."""

    phases = (Phase("round", "alternate", "SK-65"),)
    clause = "SK-65"

    def has_more(self, table: Table[Any], unit: Unit) -> bool:
        """Whether an activation continues: while there are AP."""
        return int(unit["ap"]) > 0 or (table.options.traverse_ap == 0 and unit["status"] == "activating")

    def go_begins(self, table: Table[Any], unit: Unit) -> Hook:
        """Begin an activation: restore the AP, less those of dodges, and remove the Running token."""
        changes: dict[str, Any] = {"ap": ap_of_activation(table, unit), "ap_owed": 0, "status": "activating"}
        changes |= {"has_run": False, "has_traversed": False}
        if table.options.running_until == "next_activation":
            changes["running"] = False
        yield Event("activated", unit.id, [change_unit(unit.id, **changes)], "SK-61", unit.place)

    def go_ends(self, table: Table[Any], unit: Unit) -> Hook:
        """End an activation: AP that are left are lost."""
        yield Event("has acted", unit.id, [change_unit(unit.id, ap=0, status="activated")], "SK-65", unit.place)

    def turn_ends(self, table: Table[Any]) -> Hook:
        """Reset the statuses at the end of the round."""
        running = {"running": False} if table.options.running_until == "round_end" else {}
        for unit in list(table.state):
            lost = {"ap_owed": 0}
            changes = [change_unit(unit.id, status="not_activated", **lost, **running)]
            yield Event("round over", unit.id, changes, "SK-31" if running and unit["running"] else "SK-65")
