"""Soldiers on round bases: their fields, what they have left, and who is whose enemy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np

from simulator.engine.clauses import clause
from simulator.engine.constraints import number_value, or_nothing, whole_value
from simulator.engine.state import Unit
from simulator.engine.table import Table
from simulator.engine.unit_types import FieldSpec, UnitType
from simulator.geometry.pieces import FloatArray
from simulator.rulesets.skirmish.options import SkirmishOptions

SkirmishTable: TypeAlias = Table[SkirmishOptions]

STANCES = ("standing", "crouching", "prone")
STATUSES = ("not_activated", "activating", "activated")

#: The largest base and the largest count: anything beyond is a typing error.
_RADIUS = number_value("a number of inches", above=0, most=100)
_COUNT = whole_value(0, 1000)


SOLDIER = UnitType(
    "soldier",
    {
        # What it is.
        "radius": FieldSpec(0.5, clause="SK-63", about="the radius of its base in inches", wants=_RADIUS),
        "psq": FieldSpec(6, clause="SK-58", about="Physique, for Terrain rolls", wants=_COUNT),
        "ins": FieldSpec(6, clause="SK-58", about="Instinct, for Traverse and dodge rolls", wants=_COUNT),
        "attack": FieldSpec(
            6, clause="SK-67", about="the attribute of its LOS actions, if they are rolled here", wants=_COUNT
        ),
        "ap_per_activation": FieldSpec(
            None, clause="SK-61", about="its AP, if they differ from the option", wants=or_nothing(_COUNT)
        ),
        # How it is.
        "stance": FieldSpec("standing", STANCES, "SK-2"),
        "incoming_fire": FieldSpec(0, clause="SK-59", about="penalty in levels", wants=_COUNT),
        "health": FieldSpec(0, clause="SK-59", about="penalty in levels", wants=_COUNT),
        "running": FieldSpec(False, (False, True), "SK-31"),
        # What it has left: kept by the rules.
        "ap": FieldSpec(0, clause="SK-61", wants=_COUNT),
        "ap_owed": FieldSpec(0, clause="SK-39", about="AP of its coming activation spent on dodges", wants=_COUNT),
        "threshold_left": FieldSpec(3, clause="SK-62", wants=_COUNT),
        "status": FieldSpec("not_activated", STATUSES, "SK-65"),
        "has_run": FieldSpec(False, (False, True), "SK-33", about="whether it ran in this activation"),
        "has_traversed": FieldSpec(False, (False, True), "SK-33", about="whether it traversed in this activation"),
    },
    about="One soldier, or something larger, on a round base.",
)


def radius_of(unit: Unit) -> float:
    """Return the radius of a base."""
    return float(unit["radius"])


def is_enemy(one: Unit, other: Unit) -> bool:
    """Whether two soldiers stand on different sides."""
    return one.side != other.side


def standing(table: SkirmishTable, unit: Unit) -> Iterator[Unit]:
    """Yield everybody else on the table."""
    return (other for other in table.state if other.place is not None and other.id != unit.id)


def enemies(table: SkirmishTable, unit: Unit) -> list[Unit]:
    """Return the enemies of a soldier that are on the table."""
    return [other for other in standing(table, unit) if is_enemy(unit, other)]


def friends(table: SkirmishTable, unit: Unit) -> list[Unit]:
    """Return the friends of a soldier that are on the table."""
    return [other for other in standing(table, unit) if not is_enemy(unit, other)]


def bases_of(units: list[Unit]) -> FloatArray:
    """Return bases as rows x, y, radius."""
    return np.array([(*unit.place, radius_of(unit)) for unit in units], np.float64).reshape(-1, 3)


@clause("SK-61")
def allotment(table: SkirmishTable, unit: Unit) -> int:
    """Return the AP of a whole activation."""
    own = unit["ap_per_activation"]
    return int(table.options.ap_per_activation if own is None else own)


@clause("SK-39", "SK-61")
def ap_of_activation(table: SkirmishTable, unit: Unit) -> int:
    """Return the AP with which an activation begins: what dodges took is gone."""
    return max(0, allotment(table, unit) - int(unit["ap_owed"]))


@clause("SK-62")
def can_suffer(unit: Unit) -> bool:
    """Whether a soldier can suffer Threshold."""
    return int(unit["threshold_left"]) >= 1
