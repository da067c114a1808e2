"""Weapons and attack rolls: the data of the base game, and the modifiers this rulebook adds."""

from __future__ import annotations

from typing import Any

from simulator.engine.clauses import clause
from simulator.engine.questions import Roll
from simulator.engine.state import Unit
from simulator.engine.values import Fields
from simulator.geometry.hex_lattice import Dot
from simulator.rulesets.dot_trooper.units import (
    DTTable,
    class_figure,
    trooper_modifier,
    vehicle_modifier,
)

#: What a rider may fire besides mounted weapons (DT-149).
ABOARD = ("smg", "secondary", "satchel_charge", "grenade")
#: Weapons that go off later (DT-153).
THROWN = ("grenade", "satchel_charge")


@clause("DT-173")
def weapon(table: DTTable, name: str) -> Fields:
    """Return the data of a weapon."""
    found: Fields = table.tables[f"weapon.{name}"]
    return found


def known_weapons(table: DTTable) -> tuple[str, ...]:
    """Return the names of all weapons."""
    return tuple(table.tables["weapon"])


@clause("DT-171")
def fire_ap(table: DTTable, name: str) -> int:
    """Return the AP of an attack with a weapon."""
    return int(weapon(table, name)["fire_ap"])


@clause("DT-173")
def farthest_range(table: DTTable, name: str) -> int:
    """Return the greatest distance at which a weapon has a TN."""
    return int(weapon(table, name)["range"][-1])


def base_tn(table: DTTable, name: str, dots: int) -> int | None:
    """Return the TN of a weapon at a distance, None beyond its range."""
    data = weapon(table, name)
    return next((tn for reach, tn in zip(data["range"], data["tn"], strict=True) if dots <= reach), None)


# --- attack rolls ---


@clause("DT-39", "DT-159")
def attacker_modifiers(table: DTTable, attacker: Unit, mount: Unit | None) -> list[tuple[str, int]]:
    """Return the modifiers of the attacker's own state: its damage, and for a mounted weapon that of the vehicle."""
    found = [("trooper damage", trooper_modifier(table, attacker))]
    if mount is not None:
        found.append(("vehicle damage", vehicle_modifier(table, mount)))
    return found


@clause("DT-150", "DT-151", "DT-155")
def on_the_move(table: DTTable, attacker: Unit, mount: Unit | None) -> list[tuple[str, int]]:
    """Return the modifiers of movement fire: less for a passenger; the vehicle's damage only for mounted weapons."""
    mounted = mount if table.options.mounted_movement_fire_vehicle_mod else None
    figure = "passenger_fire" if attacker["seat"] == "passenger" else "movement_fire"
    moving = ("movement fire", int(table.tables[f"attack.{figure}"]))
    return [moving, *attacker_modifiers(table, attacker, mounted)]


@clause("DT-18", "DT-45", "DT-107")
def target_modifiers(table: DTTable, target: Unit) -> list[tuple[str, int]]:
    """Return the modifiers of the target: the signature of a vehicle, flying for a flyer, none for a rider."""
    if target.type == "vehicle":
        return [("signature", int(class_figure(table, target, "signature")))]
    if target["posture"] == "flying":
        return [("defender flying", int(table.tables["attack.defender_flying"]))]
    return []


@clause("DT-160")
def attack_roll(
    table: DTTable,
    attacker: Unit,
    name: str,
    tn: int,
    modifiers: list[tuple[str, int]],
    rule: str,
    place: Dot,
    **detail: Any,
) -> Roll:
    """Return the roll of an attack."""
    return Roll(
        f"attack with {name}",
        who=attacker.id,
        dice=str(table.tables["test.dice"]),
        target=tn,
        modifiers=[(label, number) for label, number in modifiers if number],
        clause=rule,
        place=place,
        detail=detail,
    )
