"""Which Move Actions a unit may declare: by phase, by what it has done this turn, and by what is left of its AP.

Judge and reach ask the same conditions. Those of single actions are in the modules of these actions.
"""

from __future__ import annotations

from collections.abc import Iterator

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.state import Unit
from simulator.rulesets.mecha.contact import in_contact_with
from simulator.rulesets.mecha.elevated import top_of
from simulator.rulesets.mecha.features import ground_for
from simulator.rulesets.mecha.options import MOVEMENT_1, MOVEMENT_2
from simulator.rulesets.mecha.units import COMBAT_MANOEUVRES, MechaTable, mobility_of
from simulator.wording import with_article

Breaches = Iterator[Breach]

#: The Move Actions.
MOVE_ACTIONS = (
    *("standard", "run", "climb", "break_away", "jump", "manoeuvre", "enter_unit", "unload", "exit_unit", "charge"),
    "straighten_up",
)
#: Those that run: they take the Move Actions of both movement phases.
RUNS = ("run", "charge")
#: Those that contact with an opposing unit does not bar; a carried unit is in contact with nobody.
_IN_CONTACT = ("break_away", "manoeuvre", "straighten_up", "exit_unit")
#: Those that a unit may declare which never moves.
_STILL = ("standard", "break_away", "unload", "straighten_up")
#: By movement phase, the field that keeps what a unit did in it.
ACTED = {MOVEMENT_1: "acted_1", MOVEMENT_2: "acted_2"}


def movement_phase(table: MechaTable) -> str:
    """Return the movement phase of the moment; "" in any other phase."""
    phase = table.clock.phase
    return phase.name if phase is not None and phase.name in ACTED else ""


@clause("ME-7")
def ap_left(table: MechaTable, unit: Unit) -> int | None:
    """Return the action points that a unit has left this turn; None: they are not tracked."""
    if table.options.ap_per_turn is None:
        return None
    whole = table.options.ap_per_turn if unit["ap"] is None else unit["ap"]
    return int(whole - unit["ap_spent"])


def ap_of(table: MechaTable, action: str) -> int:
    """Return the action points that a Move Action costs (ME-6)."""
    return int(table.tables[f"action.{action}.ap"])


@clause("ME-7")
def ap_taken(table: MechaTable, action: str) -> int:
    """Return the action points that are taken for a Move Action: none where they are not tracked."""
    return 0 if table.options.ap_per_turn is None else ap_of(table, action)


def undeclarable(table: MechaTable, unit: Unit, action: str) -> Breaches:
    """Yield every reason why a unit cannot declare a Move Action now, as far as that holds for all of them."""
    yield from _of_place(unit, action)
    yield from _of_falls(unit, action)
    yield from _of_phase(table, unit, action)
    yield from _of_lock(unit, action)
    yield from _of_ap(table, unit, action)
    if unit.place is not None:
        yield from _of_contact(table, unit, action)
    yield from _of_still(table, unit, action)


@clause("ME-86")
def _of_place(unit: Unit, action: str) -> Breaches:
    if unit.carrier and action != "exit_unit":
        yield Breach("ME-86", f"{unit.id} is aboard {unit.carrier}: it can only exit", blocker=unit.carrier)
    elif not unit.carrier and unit.place is None:
        yield Breach("ME-3", f"{unit.id} is not on the table", blocker=unit.id)


@clause("ME-61", "ME-94", "ME-95")
def _of_falls(unit: Unit, action: str) -> Breaches:
    if unit["fell_this_turn"]:
        yield Breach("ME-94", f"{unit.id} has fallen: it can do nothing more this turn")
    elif unit["fallen"] and action != "straighten_up":
        yield Breach("ME-95", f"{unit.id} has fallen: it has to straighten up first")
    elif action == "straighten_up" and not unit["fallen"]:
        yield Breach("ME-95", f"{unit.id} has not fallen")


@clause("ME-2", "ME-48", "ME-49", "ME-61", "ME-80", "ME-88")
def _of_phase(table: MechaTable, unit: Unit, action: str) -> Breaches:
    phase = movement_phase(table)
    if not phase:
        yield Breach("ME-2", "Move Actions are made in the movement phases")
        return
    done = unit[ACTED[phase]]
    if done:
        cited, what = ("ME-80", "been unloaded") if done == "unloaded" else ("ME-2", f"made {with_article(done)}")
        yield Breach(cited, f"{unit.id} has {what} in {phase}: only one is allowed in a phase", 2, 1)
    if unit["pinned"] and table.options.pinning_effect == "no_more_moves":
        yield Breach("ME-61", f"{unit.id} is pinned: it cannot make a Move Action for the rest of the turn")
    if phase != MOVEMENT_2:
        return
    before = unit["acted_1"]
    if before in RUNS:
        cited = "ME-48" if before == "run" else "ME-88"
        did = f"{unit.id} made {with_article(before)} in {MOVEMENT_1}"
        yield Breach(cited, f"{did}: it cannot make a Move Action in {MOVEMENT_2}")
    elif before and action in RUNS:
        cited = "ME-80" if before == "unloaded" else "ME-49" if action == "run" else "ME-88"
        did = "was unloaded" if before == "unloaded" else f"made {with_article(before)}"
        yield Breach(cited, f"{unit.id} {did} in {MOVEMENT_1}: it cannot {action} in {MOVEMENT_2}")


@clause("ME-76", "ME-85")
def _of_lock(unit: Unit, action: str) -> Breaches:
    if unit["lock"] and action != "unload":
        cited, what = ("ME-76", "been entered") if unit["lock"] == "entered" else ("ME-85", "been left")
        yield Breach(cited, f"{unit.id} has {what}: it can only unload", blocker=unit.id)


def _of_ap(table: MechaTable, unit: Unit, action: str) -> Breaches:
    left, needed = ap_left(table, unit), ap_of(table, action)
    if left is not None and needed > left:
        yield Breach("ME-7", f"{action} costs {needed} AP, {unit.id} has {left} left", needed, left)


@clause("ME-8", "ME-40", "ME-57", "ME-86")
def _of_contact(table: MechaTable, unit: Unit, action: str) -> Breaches:
    if action in _IN_CONTACT:
        return
    cited = "ME-86" if action == "unload" else "ME-8"
    for other in in_contact_with(table, unit):
        message = f"{unit.id} is in base contact with {other.id}: it can only break_away or manoeuvre"
        yield Breach(cited, message, blocker=other.id, place=other.place)


@clause("ME-16", "ME-26")
def _of_still(table: MechaTable, unit: Unit, action: str) -> Breaches:
    if action in _STILL:
        return
    if mobility_of(unit) == "static":
        yield Breach("ME-26", f"{unit.id} is static: it cannot move")
    elif unit.place is not None and ground_for(table.setting, unit, top_of(table.setting, unit)).holds(unit):
        yield Breach("ME-16", f"{unit.id} stands where it never moves")


@clause("ME-70")
def unskilled(unit: Unit) -> Breaches:
    """Yield why a unit cannot manoeuvre: its pilot lacks the skill."""
    if COMBAT_MANOEUVRES not in unit["skills"]:
        yield Breach("ME-70", f"the pilot of {unit.id} does not have the skill {COMBAT_MANOEUVRES}")


def unable_to_turn(table: MechaTable, unit: Unit) -> Breaches:
    """Yield every reason why a unit cannot make its free turn now."""
    if unit.place is None or unit.carrier:
        yield Breach("ME-35", f"{unit.id} is not on the table: it cannot make a free turn", blocker=unit.carrier)
    if unit["fallen"] or unit["fell_this_turn"]:
        yield Breach(
            "ME-94" if unit["fell_this_turn"] else "ME-35", f"{unit.id} has fallen: it cannot make a free turn"
        )
    if not movement_phase(table):
        yield Breach("ME-35", "free turns are made in the movement phases")
