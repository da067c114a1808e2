"""What can be attacked from where a unit is: arcs, lines of sight, ranges, and the hand weapons of riders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.state import Unit
from simulator.geometry.hex_lattice import Dot, distance, in_cone
from simulator.geometry.poses import place_text
from simulator.rulesets.dot_trooper.surroundings import dots_of_vehicle, map_of, rear_of
from simulator.rulesets.dot_trooper.units import DTTable, mounted_weapons
from simulator.rulesets.dot_trooper.weapons import ABOARD, base_tn, farthest_range, weapon
from simulator.wording import with_article

# --- dots ---


@clause("DT-51", "DT-52", "DT-53")
def targets_of(unit: Unit) -> tuple[Dot, ...]:
    """Return the dots at which a unit can be attacked: both of a vehicle, the rear dot of a rider (its place)."""
    return dots_of_vehicle(unit) if unit.type == "vehicle" else (unit.place,)


@clause("DT-169")
def sees(attacker: Unit, dot: Dot) -> bool:
    """Whether a unit has a line of sight to a dot: to all dots except those listed as unseen."""
    return dot not in attacker["unseen"]


@clause("DT-97", "DT-98", "DT-101")
def in_fire(table: DTTable, firer: Unit, arc: tuple[Dot, ...], target: Unit, vehicle: Unit | None) -> tuple[Dot, ...]:
    """Return the dots at which a target can be shot out of an arc now.

    With `vehicle` the target is that vehicle or one of its riders; an option decides which dot has to lie in the arc.
    """
    dots = targets_of(target)
    reference = table.options.arc_reference
    if vehicle is not None and reference != "targeted_dot":
        front, rear = dots_of_vehicle(vehicle)
        if (front if reference == "front" else rear) not in arc:
            return ()
        return tuple(dot for dot in dots if sees(firer, dot))
    return tuple(dot for dot in dots if dot in arc and sees(firer, dot))


def range_to(origin: Dot, dots: tuple[Dot, ...]) -> int:
    """Return the distance to the nearest of several dots."""
    return min(distance(origin, dot) for dot in dots)


# --- mounted weapons ---


@clause("DT-47", "DT-170")
def _in_cone(table: DTTable, vehicle: Unit, number: int, q: NDArray[Any], r: NDArray[Any]) -> NDArray[np.bool_]:
    """Return which dots lie in the cone of a mounted weapon: from the rear dot along the weapon's direction."""
    direction = (vehicle.heading + mounted_weapons(table, vehicle)[number]["direction"]) / 60
    apex = rear_of(vehicle.place, vehicle.heading)
    return in_cone(q - apex[0], r - apex[1], direction, table.options.mounted_arc_half_angle)


@clause("DT-158", "DT-170")
def mounted_arc(table: DTTable, vehicle: Unit, number: int) -> tuple[Dot, ...]:
    """Return the dots of the map in the arc of a mounted weapon."""
    board = map_of(table)
    rows, columns = np.nonzero(board.present)
    q, r = columns + board.first[0], rows + board.first[1]
    inside = _in_cone(table, vehicle, number, q, r)
    return tuple((int(a), int(b)) for a, b in zip(q[inside], r[inside], strict=True))


@clause("DT-47", "DT-158")
def _bears_on(table: DTTable, vehicle: Unit, number: int, dot: Dot) -> bool:
    """Whether a mounted weapon bears on a dot: within the arc it was set, or else in the direction it points."""
    arcs = vehicle["arcs"]
    if arcs and arcs[number]:
        return dot in arcs[number]
    return bool(_in_cone(table, vehicle, number, np.array([dot[0]]), np.array([dot[1]]))[0])


@clause("DT-47")
def mounts_on(table: DTTable, name: str, mount: Unit, dot: Dot) -> tuple[int, ...]:
    """Return the numbers of a vehicle's mounted weapons of a name that bear on a dot."""
    numbers = [number for number, data in enumerate(mounted_weapons(table, mount)) if data["weapon"] == name]
    fixed = table.options.mounted_orientation != "ignored"
    return tuple(number for number in numbers if not fixed or _bears_on(table, mount, number, dot))


@clause("DT-47")
def under_the_gun(table: DTTable, name: str, mount: Unit | None, dots: Iterable[Dot]) -> tuple[Dot, ...]:
    """Return the dots that a weapon can be aimed at; a vehicle's mounted weapon points in a fixed direction."""
    return tuple(dot for dot in dots if mount is None or mounts_on(table, name, mount, dot))


@clause("DT-47", "DT-53", "DT-169")
def open_dots(table: DTTable, attacker: Unit, name: str, mount: Unit | None, target: Unit) -> tuple[Dot, ...]:
    """Return the dots at which a target can be attacked in its attacker's go: seen, and in a mounted weapon's arc."""
    return tuple(dot for dot in under_the_gun(table, name, mount, targets_of(target)) if sees(attacker, dot))


# --- what forbids an attack ---


@clause("DT-47", "DT-53", "DT-169", "DT-173", role="judge")
def against_shooting(table: DTTable, attacker: Unit, name: str, mount: Unit | None, target: Unit) -> Iterator[Breach]:
    """Yield why a shot cannot be fired: no target, out of its arc, unseen, out of range.

    The attacker stands where it fires from, as does `mount`, the vehicle of a mounted weapon.
    """
    if target.place is None:
        yield Breach("DT-173", f"{target.id} is not on the map", blocker=target.id)
        return
    aimed = under_the_gun(table, name, mount, targets_of(target))
    if not aimed:
        yield Breach("DT-47", f"{target.id} is outside the arc of the {name}", blocker=target.id, place=target.place)
    if not any(sees(attacker, dot) for dot in aimed or targets_of(target)):
        yield unseen(attacker, target)
    dots = range_to(attacker.place, open_dots(table, attacker, name, mount, target) or targets_of(target))
    if base_tn(table, name, dots) is None:
        reach = farthest_range(table, name)
        yield Breach("DT-173", f"{target.id} is {dots} dots away, {name} reaches {reach}", dots, reach, target.id)


@clause("DT-169", role="judge")
def unseen(attacker: Unit, target: Unit) -> Breach:
    """Report that an attacker does not see its target."""
    return Breach("DT-169", f"{attacker.id} does not see {target.id}", blocker=target.id, place=target.place)


@clause("DT-47", "DT-153", "DT-169", "DT-173", role="judge")
def against_throwing(table: DTTable, attacker: Unit, name: str, mount: Unit | None, dot: Dot) -> Iterator[Breach]:
    """Yield why an explosive cannot be thrown at a dot: off the map, out of range, unseen, out of the arc."""
    if dot not in table.board or base_tn(table, name, distance(attacker.place, dot)) is None:
        yield Breach("DT-173", f"{place_text(dot)} is out of reach of {with_article(name)}", place=dot)
    if not under_the_gun(table, name, mount, (dot,)):
        yield Breach("DT-47", f"{place_text(dot)} is outside the arc of the {name}", place=dot)
    if not sees(attacker, dot):
        yield Breach("DT-169", f"{attacker.id} does not see {place_text(dot)}", place=dot)


@clause("DT-149", "DT-156")
def hand_weapons_of(rider: Unit, on_the_move: bool = False) -> tuple[str, ...]:
    """Return the classes of hand weapons that a rider can fire; only on the move may passengers use more."""
    return (*ABOARD, "primary") if on_the_move and rider["seat"] == "passenger" else ABOARD


@clause("DT-149")
def fires_in_the_saddle(table: DTTable, rider: Unit) -> bool:
    """Whether a weapon in hand can be fired in the saddle without movement of one's own."""
    return rider["posture"] != "mounted" or weapon(table, rider["weapon"])["class"] in hand_weapons_of(rider)
