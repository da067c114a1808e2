"""Weapons and attack rolls: the data of the base game, and the modifiers this rulebook adds to them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.questions import Roll
from simulator.engine.state import Unit
from simulator.engine.values import Fields
from simulator.geometry.hex_lattice import Dot, distance, in_cone
from simulator.rulesets.dot_trooper.cards import (
    DTTable,
    class_figure,
    mounted_weapons,
    trooper_modifier,
    vehicle_modifier,
)
from simulator.rulesets.dot_trooper.ground import dots_of_vehicle, map_of, rear_of

#: What a driver may fire on the move beside mounted weapons (DT-149).
ON_THE_MOVE = ("smg", "secondary", "satchel_charge", "grenade")
#: What goes off later (DT-153).
THROWN = ("grenade", "satchel_charge")


@clause("DT-173")
def weapon(table: DTTable, name: str) -> Fields:
    """Give the data of a weapon."""
    found: Fields = table.tables[f"weapon.{name}"]
    return found


def known_weapons(table: DTTable) -> tuple[str, ...]:
    """Give the names of all weapons."""
    return tuple(table.tables["weapon"])


@clause("DT-171")
def fire_ap(table: DTTable, name: str) -> int:
    """Give the AP of an attack with a weapon."""
    return int(weapon(table, name)["fire_ap"])


def base_tn(table: DTTable, name: str, dots: int) -> int | None:
    """Give the TN of a weapon at a distance, or None beyond its range."""
    data = weapon(table, name)
    return next((tn for reach, tn in zip(data["range"], data["tn"], strict=True) if dots <= reach), None)


# --- who is shot at, and where ---


@clause("DT-51", "DT-52", "DT-53")
def targets_of(unit: Unit) -> tuple[Dot, ...]:
    """Give the dots at which a unit can be attacked: both of a vehicle, the rear dot of a rider (its place)."""
    return dots_of_vehicle(unit) if unit.type == "vehicle" else (unit.place,)


@clause("DT-169")
def sees(firer: Unit, dot: Dot) -> bool:
    """Whether a unit has a line of sight to a dot: all but those it is said not to see."""
    return dot not in firer["unseen"]


@clause("DT-97", "DT-98", "DT-101")
def in_fire(table: DTTable, firer: Unit, arc: tuple[Dot, ...], target: Unit, vehicle: Unit | None) -> tuple[Dot, ...]:
    """Give the dots at which a target can be shot out of an arc now.

    With `vehicle` the target is that vehicle or somebody on it, and an option says which dot has to lie in the arc.
    """
    dots = targets_of(target)
    reference = table.options.arc_reference
    if vehicle is not None and reference != "targeted_dot":
        front, rear = dots_of_vehicle(vehicle)
        if (front if reference == "front" else rear) not in arc:
            return ()
        return tuple(dot for dot in dots if sees(firer, dot))
    return tuple(dot for dot in dots if dot in arc and sees(firer, dot))


@clause("DT-170")
def mounted_arc(table: DTTable, vehicle: Unit, number: int) -> tuple[Dot, ...]:
    """Give the dots of the arc of a mounted weapon: a cone from the rear dot along the weapon's direction."""
    direction = (vehicle.heading + mounted_weapons(table, vehicle)[number]["direction"]) / 60
    apex = rear_of(vehicle.place, vehicle.heading)
    board = map_of(table)
    rows, columns = np.nonzero(board.present)
    q, r = columns + board.first[0], rows + board.first[1]
    inside = in_cone(q - apex[0], r - apex[1], direction, table.options.mounted_arc_half_angle)
    return tuple((int(a), int(b)) for a, b in zip(q[inside], r[inside], strict=True))


# --- attack rolls ---


@clause("DT-39", "DT-159")
def attacker_modifiers(table: DTTable, attacker: Unit, mount: Unit | None) -> list[tuple[str, int]]:
    """Give what the attacker's own state adds: its damage, and for a mounted weapon that of the vehicle."""
    found = [("trooper damage", trooper_modifier(table, attacker))]
    if mount is not None:
        found.append(("vehicle damage", vehicle_modifier(table, mount)))
    return found


@clause("DT-150", "DT-151", "DT-155")
def on_the_move(table: DTTable, attacker: Unit, mount: Unit | None) -> list[tuple[str, int]]:
    """Give the modifiers of movement fire: less for a passenger; the vehicle's damage only for mounted weapons."""
    mounted = mount if table.options.mounted_movement_fire_vehicle_mod else None
    figure = "passenger_fire" if attacker["seat"] == "passenger" else "movement_fire"
    moving = ("movement fire", int(table.tables[f"attack.{figure}"]))
    return [moving, *attacker_modifiers(table, attacker, mounted)]


@clause("DT-18", "DT-45", "DT-107")
def target_modifiers(table: DTTable, target: Unit) -> list[tuple[str, int]]:
    """Give what the target adds: a vehicle its signature, a flyer that it flies, a rider nothing."""
    if target.type == "vehicle":
        return [("signature", int(class_figure(table, target, "signature")))]
    if target["posture"] == "flying":
        return [("defender flying", int(table.tables["attack.defender_flying"]))]
    return []


@clause("DT-160")
def attack_roll(
    attacker: Unit, name: str, tn: int, modifiers: list[tuple[str, int]], rule: str, place: Dot, **detail: Any
) -> Roll:
    """Give the roll of an attack."""
    return Roll(
        f"attack with {name}",
        who=attacker.id,
        dice="2D6",
        target=tn,
        modifiers=[(label, number) for label, number in modifiers if number],
        clause=rule,
        place=place,
        detail=detail,
    )


def range_to(origin: Dot, dots: tuple[Dot, ...]) -> int:
    """Give the distance to the nearest of some dots."""
    return min(distance(origin, dot) for dot in dots)


@clause("DT-53", "DT-173")
def against_shooting(table: DTTable, origin: Dot, name: str, target: Unit) -> Iterator[Breach]:
    """Give why a shot can not be fired: no such weapon, nobody there, out of range."""
    if name not in known_weapons(table):
        yield Breach("DT-173", f"there is no weapon {name}", needed=known_weapons(table), available=name)
        return
    if target.place is None:
        yield Breach("DT-173", f"{target.id} is not on the map", blocker=target.id)
        return
    dots = range_to(origin, targets_of(target))
    if base_tn(table, name, dots) is None:
        reach = weapon(table, name)["range"][-1]
        yield Breach("DT-173", f"{target.id} is {dots} dots away, {name} reaches {reach}", reach, dots, target.id)
