"""Questions of reach and their answers: drives, walks, flights, and turns that combine them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from simulator.engine.chain import Moment
from simulator.engine.clauses import clause
from simulator.engine.errors import Breach, TableError
from simulator.engine.orders import Order, unit_id, whole_number, word
from simulator.engine.reach_questions import Ask
from simulator.engine.state import Unit
from simulator.geometry.hex_lattice import Dot, step
from simulator.pathing.move_space import UNREACHED
from simulator.pathing.search import Engine
from simulator.rulesets.dot_trooper.flight import against_activating
from simulator.rulesets.dot_trooper.foot import POSTURES, against_afoot, paid
from simulator.rulesets.dot_trooper.judge.drive import against_mode, against_setting_out, vehicle_of
from simulator.rulesets.dot_trooper.movement import RideQuestion, movement_ap, ride_question
from simulator.rulesets.dot_trooper.other_actions import (
    against_mounting,
    against_switching,
    can_mount_from,
    free_seat,
    mount,
    switch,
)
from simulator.rulesets.dot_trooper.reach.answer import DotReach, nowhere
from simulator.rulesets.dot_trooper.reach.drive import Approach, DriveEnd, DriveReach, drive_reach
from simulator.rulesets.dot_trooper.reach.foot import FootReach, foot_reach, orders_of
from simulator.rulesets.dot_trooper.riding import MODES
from simulator.rulesets.dot_trooper.surroundings import dots_of_vehicle
from simulator.rulesets.dot_trooper.units import DTTable, driver_of, movement_left

#: The actions with an answer of reach; the first is the default.
REACHES: Mapping[str, str] = {
    "turn": "all a trooper can do in a turn: on foot with one flight; in the saddle the drive in every mode",
    "drive": "every pose that a drive ends in, in one `mode` or in all that can be selected",
    "foot_move": "every dot and level on foot",
    "activate_jet_pack": "every landing of one flight from here",
    "mount_and_drive": "every pose of a `vehicle` after a walk to it, mounting, switching on and a drive",
}
#: The keywords of a question.
ASKS: Mapping[str, Ask] = {
    "mode": Ask(word(*MODES), ("turn", "drive", "mount_and_drive")),
    "engine": Ask(word(*get_args(Engine))),
    "vehicle": Ask(unit_id("a vehicle"), ("mount_and_drive",)),
    "ap": Ask(whole_number("the AP of movement, 1 or more", 1, 99), ("drive",)),
}


@clause("DT-28", "DT-59", "DT-64")
def reach_of(table: DTTable, unit: Unit, action: str, engine: Engine = "numpy", **question: Any) -> DotReach:
    """Compute where a unit can end with an action; see `REACHES`. A vehicle is moved by its driver."""
    rider = unit if unit.type == "trooper" else driver_of(table, unit)
    if rider is None:
        return nowhere(table, unit, action, [Breach("DT-55", f"nobody drives {unit.id}", blocker=unit.id)])
    if action == "drive" or (action == "turn" and vehicle_of(table, rider) is not None):
        return _drive(table, rider, action, engine, **question)
    if action == "mount_and_drive":
        return _mount_and_drive(table, rider, engine, **question)
    if question:
        raise TableError(f"{rider.id} does not drive anything: it has no mode to choose")
    walks, flies = action != "activate_jet_pack", action != "foot_move"
    if refused := list(against_afoot(rider) if walks else against_activating(table, rider)):
        return nowhere(table, rider, action, refused)
    return foot_reach(table, rider, walks=walks, flies=flies, engine=engine, action=action)


def required_ride_question(table: DTTable, unit: Unit, mode: str = "", ap: int | None = None) -> RideQuestion:
    """Return the question of a drive; raises TableError if no mode can be selected."""
    vehicle = vehicle_of(table, unit)
    ride = None if vehicle is None else ride_question(table, vehicle, unit, mode, ap)
    if ride is None:
        raise TableError(f"{unit.id} can select no mode of a vehicle here")
    return ride


def _drive(
    table: DTTable, driver: Unit, action: str, engine: Engine, mode: str = "", ap: int | None = None
) -> DotReach:
    vehicle = vehicle_of(table, driver)
    if vehicle is None or driver["posture"] != "mounted":
        return nowhere(table, driver, action, [Breach("DT-55", f"{driver.id} does not drive anything")])
    ride = ride_question(table, vehicle, driver, mode, ap)
    refused = list(against_setting_out(vehicle))
    if ride is None:
        refused += against_mode(table, vehicle, driver, mode or MODES[0], ap)
    if refused or ride is None:
        return nowhere(table, vehicle, action, refused)
    return drive_reach(ride, engine, action)


# --- from the ground into the saddle ---


@clause("DT-58", "DT-60", "DT-64")
def _mount_and_drive(table: DTTable, trooper: Unit, engine: Engine, vehicle: str = "", mode: str = "") -> DotReach:
    """Walk, mount, switch on, drive: a drive uses the cheapest way into the saddle that leaves enough for it."""
    bike = table.unit(vehicle) if vehicle else _only_vehicle(table, trooper)
    if bike.type != "vehicle":
        raise TableError(f"{bike.id} is not a vehicle")
    saddles = _saddles(table, trooper, bike)
    # What the one that leaves most for movement cannot do, none can.
    last = saddles[-1]
    there, rider, bike = last.table, last.table.unit(trooper.id), last.table.unit(bike.id)
    refused = list(last.refused) or list(against_setting_out(bike))
    ride = None if refused else ride_question(there, bike, rider, mode, paid=_paid(last, trooper))
    if ride is None:
        refused = refused or list(against_mode(there, bike, rider, mode or MODES[0]))
        return nowhere(table, bike, "mount_and_drive", refused)
    approaches = [Approach(one.orders, _paid(one, trooper), _left(one, trooper)) for one in saddles]
    return drive_reach(ride, engine, "mount_and_drive", approaches)


def _paid(moment: Moment, trooper: Unit) -> int:
    """Return the AP that a trooper has spent up to a moment."""
    return int(moment.table.unit(trooper.id)["ap_spent"] - trooper["ap_spent"])


def _left(moment: Moment, trooper: Unit) -> int:
    """Return the AP of movement that a trooper has left at a moment."""
    return movement_left(moment.table, moment.table.unit(trooper.id))


def _only_vehicle(table: DTTable, trooper: Unit) -> Unit:
    """Return the vehicle of a question that names none: the one ridden, or the only one of the side."""
    if own := vehicle_of(table, trooper):
        return own
    vehicles = [unit for unit in table.units(trooper.side) if unit.type == "vehicle"]
    if len(vehicles) != 1:
        known = ", ".join(unit.id for unit in table.state if unit.type == "vehicle") or "there is none"
        raise TableError(f"specify which vehicle {trooper.id} mounts: vehicle=... ({known})")
    return vehicles[0]


@clause("DT-55", "DT-58", "DT-64", "DT-172")
def _saddles(table: DTTable, trooper: Unit, bike: Unit) -> list[Moment]:
    """Return the ways into a saddle, the cheapest first, each further one with more AP left for movement.

    There are several only where a way that takes more AP takes less movement: a change of posture is no movement.
    """
    here = Moment(table)
    own = vehicle_of(table, trooper)
    if own is not None and own.id == bike.id:
        return [_switched_on(here, trooper, bike)]
    foot = foot_reach(table, trooper, action="mount_and_drive")
    front, rear = dots_of_vehicle(bike)
    near = sorted({front, rear, *(step(dot, way) for dot in (front, rear) for way in range(6))})
    ways = sorted(
        (ap, moved, dot, layer)
        for dot in near
        if dot in table.board and can_mount_from(table, bike, dot, bike["level"])
        for ap, moved, layer in foot.ways_to_stand(dot, bike["level"])
    )
    if not ways:
        message = f"{trooper.id} does not get next to the rear of {bike.id} this turn"
        reasons = [*foot.why_not(rear).reasons] if trooper["posture"] not in POSTURES else []
        return [Moment(table, refused=(*reasons, Breach("DT-58", message, blocker=bike.id, place=rear)))]
    found: list[Moment] = []
    least = UNREACHED
    for ap, moved, dot, layer in ways:
        if moved >= least:
            continue
        least = moved
        walked = _walked(here, trooper, dot, bike["level"], foot.orders_to_stand(dot, layer), ap)
        saddle = _switched_on(_mounted(walked, trooper, bike), trooper, bike)
        if not found or (not saddle.refused and _left(saddle, trooper) > _left(found[-1], trooper)):
            found.append(saddle)
        if saddle.refused:
            break
    return found


@clause("DT-64", "DT-164")
def _walked(here: Moment, trooper: Unit, dot: Dot, level: int, orders: list[Order], ap: int) -> Moment:
    """Return the moment after a walk or flight; a change of posture takes AP but is no movement."""
    postures = sum(element.name in ("lie_down", "stand_up") for order in orders for element in order.elements)
    spent = paid(trooper, ap, movement_ap(here.table, ap, postures))
    return here.put(trooper.put({"place": dot, "level": level, "posture": "standing"} | spent), orders=orders)


@clause("DT-55", "DT-58", "DT-172")
def _mounted(walked: Moment, trooper: Unit, bike: Unit) -> Moment:
    """Mount a vehicle within reach."""
    order = Order(trooper.id, "mount", args={"vehicle": bike.id})
    against = list(against_mounting(walked.table, order))
    if not against and free_seat(walked.table, bike) != "driver":
        against = [Breach("DT-172", f"the driver's seat of {bike.id} is taken", blocker=bike.id)]
    return walked.then(order, against, mount)


@clause("DT-56", "DT-58")
def _switched_on(mounted: Moment, trooper: Unit, bike: Unit) -> Moment:
    """Switch a vehicle on, if need be."""
    order = Order(trooper.id, "turn_on")
    return mounted if bike["on"] else mounted.then(order, against_switching(mounted.table, order), switch)


__all__ = [
    "REACHES",
    "DotReach",
    "DriveEnd",
    "DriveReach",
    "FootReach",
    "foot_reach",
    "orders_of",
    "reach_of",
    "required_ride_question",
]
