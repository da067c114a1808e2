"""Units: mecha, vehicles, infantry and emplacements, each one model on a round base."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import TypeAlias

from simulator.engine.carrying import carried
from simulator.engine.clauses import clause
from simulator.engine.constraints import WORD, WORDS, number_value, or_nothing, whole_value
from simulator.engine.state import Unit
from simulator.engine.table import Table
from simulator.engine.unit_types import FieldSpec, UnitType
from simulator.geometry.footprints import Placed, Round
from simulator.rulesets.mecha.options import MOBILITIES, MechaOptions

MechaTable: TypeAlias = Table[MechaOptions]

KINDS = ("mecha", "vehicle", "infantry", "emplacement")
#: The level of units that stand on no elevated terrain.
GROUND = "ground"
COMBAT_MANOEUVRES = "combat_manoeuvres"
#: What locks a carrier: that a unit has entered or left it.
LOCKS = ("", "entered", "exited")

_TRUTH = (False, True)
_NUMBER = number_value(least=0, most=1000)
_COUNT = whole_value(0, 1000)


#: What is known of a unit; the defaults of `mobility` and `free_hands` go by its kind.
_FIELDS = {
    "mobility": FieldSpec(
        values=MOBILITIES, clause="ME-11", about="how it moves: its column in the table of rates", wants=WORD
    ),
    "size_class": FieldSpec(clause="ME-42", about="its size class", wants=whole_value(0, 99)),
    "move": FieldSpec(clause="ME-6", about="its Move value", wants=_NUMBER),
    "base": FieldSpec(
        Fraction(1, 2),
        clause="ME-44",
        about="the radius of its base",
        wants=number_value(above=0, most=50),
    ),
    "free_hands": FieldSpec(clause="ME-52", about="its free hands and claws", wants=whole_value(0, 99)),
    "skills": FieldSpec((), clause="ME-70", about="the skills of its pilot", wants=WORDS),
    "ap": FieldSpec(
        None,
        clause="ME-7",
        about="its AP in each turn; by default ap_per_turn",
        wants=or_nothing(_COUNT),
    ),
    "melee_ap_cost": FieldSpec(1, clause="ME-59", about="the action points of its melee attack", wants=_COUNT),
    "slots": FieldSpec(0, clause="ME-74", about="how many units it carries; 0: it is not a carrier", wants=_NUMBER),
    "accepts": FieldSpec(KINDS, clause="ME-74", about="the kinds of units that it carries", wants=WORDS),
    "exits_anywhere": FieldSpec(
        False, _TRUTH, "ME-83", "whether units that leave it are placed anywhere around it, not only at its rear"
    ),
    **carried("ME-74", "the carrier that it is aboard"),
    "level": FieldSpec(
        GROUND, clause="ME-106", about="the elevated terrain on whose top it stands, or ground", wants=WORD
    ),
    # What it has done: kept by the rules.
    "acted_1": FieldSpec("", clause="ME-2", about="its Move Action of movement_1 this turn", wants=WORD),
    "acted_2": FieldSpec("", clause="ME-2", about="its Move Action of movement_2 this turn", wants=WORD),
    "ap_spent": FieldSpec(0, clause="ME-7", about="the action points that it has spent this turn", wants=_COUNT),
    "free_turned": FieldSpec(
        0, clause="ME-34", about="the degrees of its free turn that are used", wants=number_value(least=0, most=180)
    ),
    "pinned": FieldSpec(False, _TRUTH, "ME-61", "whether it is pinned until the end of the turn"),
    "fallen": FieldSpec(False, _TRUTH, "ME-94", "whether it has fallen and not straightened up yet"),
    "fell_this_turn": FieldSpec(False, _TRUTH, "ME-94", "whether it fell this turn, in which it can do nothing more"),
    "charge_target": FieldSpec("", clause="ME-89", about="the unit that it charged, until its next attack", wants=WORD),
    "no_weapons_this_turn": FieldSpec(False, _TRUTH, "ME-53", "whether it has climbed this turn"),
    "used_weapons": FieldSpec(False, _TRUTH, "ME-53", "whether it has used a weapon or equipment this turn"),
    "lock": FieldSpec("", LOCKS, "ME-76", "what has happened to it as a carrier, which restricts its actions"),
}


_ABOUT = {
    "mecha": "a mecha",
    "vehicle": "a vehicle",
    "infantry": "a stand of infantry",
    "emplacement": "an emplacement, which does not move",
}
_MOBILITY = {"mecha": "walker", "vehicle": "track", "infantry": "infantry", "emplacement": "static"}
_FREE_HANDS = {"mecha": 2, "vehicle": 0, "infantry": 2, "emplacement": 0}
UNIT_TYPES = {
    kind: UnitType(
        kind,
        _FIELDS
        | {
            "mobility": replace(_FIELDS["mobility"], default=_MOBILITY[kind]),
            "free_hands": replace(_FIELDS["free_hands"], default=_FREE_HANDS[kind]),
        },
        _ABOUT[kind],
        faces=True,
    )
    for kind in KINDS
}


# --- what follows from the data ---


def mobility_of(unit: Unit) -> str:
    """Return the mobility type of a unit."""
    return str(unit["mobility"])


@clause("ME-9", "ME-46", "ME-47", "ME-69")
def budget_of(table: MechaTable, unit: Unit, action: str) -> Fraction:
    """Return how many movement points a unit has for a Move Action; halves are kept."""
    return Fraction(table.tables[f"action.{action}.moves"]) * Fraction(unit["move"])


def base_of(unit: Unit) -> Round:
    """Return the base of a unit."""
    return Round(float(unit["base"]))


def placed(unit: Unit) -> Placed:
    """Return the base of a unit where it stands."""
    x, y = unit.place
    return base_of(unit).at(float(x), float(y), float(unit.heading))


def others(table: MechaTable, unit: Unit) -> Iterator[Unit]:
    """Yield everybody else who stands on the table."""
    return (other for other in table.state.standing if other.id != unit.id)


def is_enemy(one: Unit, other: Unit) -> bool:
    """Whether two units are on different sides."""
    return one.side != other.side
