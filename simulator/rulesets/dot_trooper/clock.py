"""The turn: each side moves, then its explosives go off; after both sides comes standard fire."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from simulator.engine.clauses import clause
from simulator.engine.clock import Phase
from simulator.engine.errors import Breach
from simulator.engine.events import Event, change_unit
from simulator.engine.state import Unit
from simulator.engine.table import Table
from simulator.engine.turns import Hook, TurnClock
from simulator.rulesets.dot_trooper.damage import wipe_out
from simulator.rulesets.dot_trooper.fire import explosives_go_off, shots_at_vehicle
from simulator.rulesets.dot_trooper.judge.drive import vehicle_of
from simulator.rulesets.dot_trooper.movement import has_way
from simulator.rulesets.dot_trooper.other_actions import has_arcs_to_give
from simulator.rulesets.dot_trooper.units import ap_left, driver_of, has_to_move, is_usable, selectable_modes

FIRE = "standard_fire"


class DotTrooperClock(TurnClock):
    """One side after the other through movement and explosives, then all through standard fire."""

    @clause("DT-24", "DT-168", role="search")
    def turn_phases(self, table: Table[Any]) -> tuple[Phase, ...]:
        """Return the phases of a turn: two for each side, and standard fire."""
        sides = super().sides(table, Phase(FIRE))
        own = [
            Phase(f"{kind} of {side}", order, "DT-168")
            for side in sides
            for kind, order in (("movement", "sides"), ("explosives", "nobody"))
        ]
        return (*own, Phase(FIRE, "sides", "DT-159"))

    def sides(self, table: Table[Any], phase: Phase) -> tuple[str, ...]:
        """Return the side whose phase it is."""
        own = phase.name.partition(" of ")[2]
        return (own,) if own else super().sides(table, phase)

    @clause("DT-168", role="rule")
    def can_act(self, table: Table[Any], unit: Unit) -> bool:
        """Whether a trooper acts in this phase: alive, and of the side whose phase it is."""
        phase = table.clock.phase
        own = phase.name.partition(" of ")[2] if phase else ""
        return unit.type == "trooper" and unit.place is not None and own in ("", unit.side)

    @clause("DT-158", role="rule")
    def has_more(self, table: Table[Any], unit: Unit) -> bool:
        """Whether a trooper has AP left, or mounted weapons still without arcs, which cost none."""
        phase = table.clock.phase
        moves = phase is not None and phase.name != FIRE
        return ap_left(table, unit) > 0 or (moves and has_arcs_to_give(table, unit))

    @clause("DT-10", "DT-66", "DT-162")
    def turn_begins(self, table: Table[Any]) -> Hook:
        """Restore all AP and jet packs; a vehicle keeps only whether it moves."""
        for unit in list(table.state):
            if unit.type == "trooper":
                fresh: dict[str, Any] = {"ap_spent": 0, "movement_spent": 0, "jet_pack_used": False}
                worn = unit["jet_pack"] == "worn"
                yield Event(
                    "fresh AP",
                    unit.id,
                    [change_unit(unit.id, has_flown=False, wore_pack=worn, **fresh)],
                    "DT-162",
                )
            else:
                last = unit["mode"] or unit["last_mode"]
                changes = [change_unit(unit.id, mode="", mode_ap=0, driven=False, rammed=(), last_mode=last)]
                yield Event("new turn", unit.id, changes, "DT-66")

    def phase_begins(self, table: Table[Any], phase: Phase) -> Hook:
        """Set off the explosives of a side once all of it has moved."""
        if phase.name.startswith("explosives of "):
            yield from explosives_go_off(table, phase.name.partition(" of ")[2])

    @clause("DT-59", "DT-68", "DT-105", "DT-118")
    def phase_ends(self, table: Table[Any], phase: Phase) -> Hook:
        """End a side's movement: a moving vehicle that nobody could drive is out of control, one at rest is shot at."""
        side = phase.name.partition("movement of ")[2]
        for name in [unit.id for unit in table.state if unit.type == "vehicle"]:
            vehicle = table.unit(name)
            driver = driver_of(table, vehicle)
            if driver is None or driver.side != side:
                continue
            if has_to_move(vehicle):
                if not is_usable(vehicle) or not selectable_modes(table, vehicle, driver):
                    yield from wipe_out(table, name, "insufficient_ap")
            elif driver["ap_spent"] > 0 and vehicle["posture"] == "upright" and not vehicle["driven"]:
                yield from shots_at_vehicle(table, name, 1, (), "DT-105")

    @clause("DT-59", "DT-61", "DT-68", role="judge")
    def breaches(self, table: Table[Any], who: str, action: str) -> Generator[Breach, None, None]:
        """Yield why a go cannot end: a moving vehicle that can be driven has not been."""
        yield from super().breaches(table, who, action)
        for name in self._ending(table, who, action):
            driver = table.unit(name)
            vehicle = vehicle_of(table, driver)
            if vehicle is None or not is_usable(vehicle):
                continue
            at_rest_too = table.options.mode_required == "always" and not vehicle["driven"]
            modes = selectable_modes(table, vehicle, driver)
            if modes and (at_rest_too or has_to_move(vehicle)) and not self._may_stay(table, vehicle, driver):
                yield Breach(
                    "DT-59", f"{vehicle.id} has to be driven: {driver.id} can select {', '.join(modes)}", modes
                )

    def _may_stay(self, table: Table[Any], vehicle: Unit, driver: Unit) -> bool:
        """Whether a vehicle stays where it is for want of a way: one at rest, by option also one that is moving."""
        if vehicle["motion"] == "moving" and table.options.boxed_in != "stay":
            return False
        return not has_way(table, driver)

    def _ending(self, table: Table[Any], who: str, action: str) -> tuple[str, ...]:
        """Return the troopers whose go an order would end or skip."""
        phase = table.clock.phase
        if phase is None or not phase.name.startswith("movement"):
            return ()
        now = table.clock.unit
        # The open go ends before any order to another unit, even its own end.
        left = (now,) if who in table.state.units and now not in ("", who) else ()
        if action != "done":
            return left
        waiting = self.waiting(table)
        return left + tuple(name for name in waiting if who in (name, "all", table.unit(name).side))

    # Named last: in the lines above the word is the decorator.
    clause = "DT-168"
