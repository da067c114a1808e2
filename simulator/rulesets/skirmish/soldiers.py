"""Soldiers on round bases: what they are, what they have left, who is whose enemy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np

from simulator.engine.clauses import clause
from simulator.engine.errors import OptionError
from simulator.engine.ruleset import FieldSpec, Table, UnitType
from simulator.engine.state import Unit
from simulator.engine.values import NO_FIELDS, Fields, freeze, show
from simulator.geometry.pieces import FloatArray
from simulator.rulesets.skirmish.options import SkirmishOptions

SkirmishTable: TypeAlias = Table[SkirmishOptions]

STANCES = ("standing", "crouching", "prone")
STATUSES = ("not_activated", "activating", "activated")
#: Limits are inclusive to within this.
TOLERANCE = 1e-6

#: No base is larger, and nothing that is counted comes to more: such figures are slips of the pen.
_MOST_INCHES, _MOST_COUNTED = 100, 1000
_COUNTED = ("psq", "ins", "attack", "incoming_fire", "health", "ap", "ap_owed", "threshold_left")


class SoldierType(UnitType):
    """The type of all units here: its figures are checked as they are given."""

    def filled(self, given: Mapping[str, Any], path: str = "") -> Fields:
        """Give all fields of a soldier; raises OptionError with every fault."""
        found, faults = NO_FIELDS, list[str]()
        try:
            found = super().filled(given, path)
        except OptionError as error:
            faults = error.message.splitlines()
        faulty = {line.partition(":")[0] for line in faults}
        sound = {name: show(freeze(value)) for name, value in given.items() if name not in faulty}
        for name in (*_COUNTED, "ap_per_activation"):
            is_left_open = name == "ap_per_activation" and given.get(name) is None
            if name in sound and not (_is_count(given[name]) or is_left_open):
                faults.append(f"{name}: wants a whole number from 0 to {_MOST_COUNTED}, not {sound[name]}")
        if "radius" in sound and not _is_radius(given["radius"]):
            wants = f"wants a number of inches above 0 and up to {_MOST_INCHES}"
            faults.append(f"radius: {wants}, not {sound['radius']} (SK-63)")
        if faults:
            raise OptionError("\n".join(faults), path)
        return found


def _is_radius(value: Any) -> bool:
    is_length = isinstance(value, (int, float, Fraction)) and not isinstance(value, bool)
    return is_length and 0 < value <= _MOST_INCHES


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MOST_COUNTED


SOLDIER = SoldierType(
    "soldier",
    {
        # What it is.
        "radius": FieldSpec(0.5, clause="SK-63", says="the radius of its base in inches"),
        "psq": FieldSpec(6, clause="SK-58", says="Physique, for Terrain rolls"),
        "ins": FieldSpec(6, clause="SK-58", says="Instinct, for Traverse and dodge rolls"),
        "attack": FieldSpec(6, clause="SK-67", says="what its LOS actions are rolled on, where they are rolled here"),
        "ap_per_activation": FieldSpec(None, clause="SK-61", says="its AP, where they differ from the option"),
        # How it is.
        "stance": FieldSpec("standing", STANCES, "SK-2"),
        "incoming_fire": FieldSpec(0, clause="SK-59", says="penalty in levels"),
        "health": FieldSpec(0, clause="SK-59", says="penalty in levels"),
        "running": FieldSpec(False, (False, True), "SK-31"),
        # What it has left: kept by the rules.
        "ap": FieldSpec(0, clause="SK-61"),
        "ap_owed": FieldSpec(0, clause="SK-39", says="AP of its coming activation spent on dodges"),
        "threshold_left": FieldSpec(3, clause="SK-62"),
        "status": FieldSpec("not_activated", STATUSES, "SK-65"),
        "has_run": FieldSpec(False, (False, True), "SK-33", says="whether it ran in this activation"),
        "has_traversed": FieldSpec(False, (False, True), "SK-33", says="whether it traversed in this activation"),
    },
    says="One soldier, or something larger, on a round base.",
)


def radius_of(unit: Unit) -> float:
    """Give the radius of a base."""
    return float(unit["radius"])


def is_enemy(one: Unit, other: Unit) -> bool:
    """Whether two soldiers stand on different sides."""
    return one.side != other.side


def standing(table: SkirmishTable, unit: Unit) -> Iterator[Unit]:
    """Give everybody else on the table."""
    return (other for other in table.state if other.place is not None and other.id != unit.id)


def enemies(table: SkirmishTable, unit: Unit) -> list[Unit]:
    """Give the enemies of a soldier that are on the table."""
    return [other for other in standing(table, unit) if is_enemy(unit, other)]


def friends(table: SkirmishTable, unit: Unit) -> list[Unit]:
    """Give the friends of a soldier that are on the table."""
    return [other for other in standing(table, unit) if not is_enemy(unit, other)]


def bases_of(units: list[Unit]) -> FloatArray:
    """Give bases as rows x, y, radius."""
    return np.array([(*unit.place, radius_of(unit)) for unit in units], np.float64).reshape(-1, 3)


@clause("SK-61")
def allotment(table: SkirmishTable, unit: Unit) -> int:
    """Give the AP of a whole activation."""
    own = unit["ap_per_activation"]
    return int(table.options.ap_per_activation if own is None else own)


@clause("SK-39", "SK-61")
def ap_of_activation(table: SkirmishTable, unit: Unit) -> int:
    """Give the AP with which an activation begins: what dodges took is gone."""
    return max(0, allotment(table, unit) - int(unit["ap_owed"]))


@clause("SK-62")
def can_suffer(unit: Unit) -> bool:
    """Whether a soldier can suffer Threshold."""
    return int(unit["threshold_left"]) >= 1
