"""Turns: each piece makes one move, the sides one piece at a time, or in the order that the table was given."""

# ruff: noqa: ARG002 - the hooks of a clock need not use all their arguments

from __future__ import annotations

from typing import Any

from simulator.engine.clauses import clause
from simulator.engine.clock import Phase
from simulator.engine.events import Event, change_unit
from simulator.engine.state import Unit
from simulator.engine.table import Table
from simulator.engine.turns import Hook, TurnClock
from simulator.rulesets.combined_arms.bands import by_distance
from simulator.rulesets.combined_arms.damage import fallen, lowered
from simulator.rulesets.combined_arms.entering import first_turn, is_waiting

_ALTERNATE, _LISTED = Phase("turn", "alternate", "CA-7"), Phase("turn", "listed", "CA-7")
#: What is forgotten when a turn ends: allowance that is left is lost.
FRESH = {
    "has_moved": False,
    "spent_translation": 0,
    "spent_rotation": 0,
    "declared_band": "",
    "has_fired": False,
    "busy_until": 0,
    "transferred": "",
    "moved_until": 0,
    "widest_rotation": 0,
}
#: The same where bands measure the distance covered.
_FRESH_BY_DISTANCE = FRESH | {"inches_covered": 0, "dearest_rotation": 0}


@clause("CA-2", "CA-7", "CA-92", "CA-102", "CA-129")
class MoveClock(TurnClock):
    """A turn has one phase, in which each piece has the initiative once."""

    phases = (_ALTERNATE,)
    clause = "CA-7"

    def turn_phases(self, table: Table[Any]) -> tuple[Phase, ...]:
        """Return the phase of a turn: by sides, or in the order of initiative that the table was given."""
        return (_LISTED,) if table.data["initiative"] else self.phases

    def line(self, table: Table[Any], phase: Phase) -> tuple[str, ...]:
        """Return the order of initiative; pieces that it does not name come last."""
        named = tuple(table.data["initiative"])
        return (*named, *(name for name in table.state.units if name not in named))

    def can_act(self, table: Table[Any], unit: Unit) -> bool:
        """Whether a piece can act: those who are aboard a transport may get off, those who are due come on."""
        if unit.carrier:
            return table.unit(unit.carrier).place is not None
        return unit.place is not None or (is_waiting(unit) and first_turn(table, unit) <= table.clock.turn)

    def turn_ends(self, table: Table[Any]) -> Hook:
        """Forget what each piece did in the turn."""
        forgotten = _FRESH_BY_DISTANCE if by_distance(table) else FRESH
        for unit in list(table.state):
            fresh = {name: value for name, value in forgotten.items() if name in unit.fields}
            if unit.get("damage_to_come"):
                after = lowered(table, unit, unit["damage_to_come"])
                assert after is not None  # infantry is gone at once
                fresh |= {name: after[name] for name in ("damage_level", "rate_current")} | {"damage_to_come": 0}
            if any(unit[name] != value for name, value in fresh.items()):
                yield Event("turn over", unit.id, [change_unit(unit.id, **fresh)], "CA-2")
            yield from fallen(table, unit.id)
