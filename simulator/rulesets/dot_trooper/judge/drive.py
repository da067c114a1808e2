"""The judge of a drive: follow its elements step by step and report every reason against them.

It is independent of the compiler: it knows no phases and no arrays of gates, only the vehicle, one pose after another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.orders import Element, Order
from simulator.engine.state import Unit
from simulator.geometry.hex_lattice import Dot, distance, step
from simulator.rulesets.dot_trooper.aiming import (
    against_shooting,
    against_throwing,
    hand_weapons_of,
    mounts_on,
    sees,
    targets_of,
    unseen,
)
from simulator.rulesets.dot_trooper.poses import (
    against_rolling,
    against_staying,
    against_swinging,
    heading_after,
)
from simulator.rulesets.dot_trooper.riding import (
    MODES,
    SEGMENTS,
    Gear,
    Ride,
    against_ending,
    against_opening,
    against_turning,
    one_dot_on,
    opened,
    turned,
)
from simulator.rulesets.dot_trooper.surroundings import DotSurroundings, dots_of_vehicle, places_of, rear_of
from simulator.rulesets.dot_trooper.units import (
    DTTable,
    ap_left,
    cap_left,
    class_figure,
    driver_of,
    gear_of,
    is_usable,
    max_mode,
    mode_range,
    mounted_weapons,
    mounts,
    movement_left,
    supports,
)
from simulator.rulesets.dot_trooper.weapons import THROWN, fire_ap, weapon
from simulator.wording import with_article

#: The attacks made in the middle of a drive.
ATTACKS = ("ram", "strike", "fire", "throw")


@dataclass
class Course:
    """A vehicle on its way through an order."""

    table: DTTable
    ground: DotSurroundings
    gear: Gear
    driver: Unit
    vehicle: Unit
    front: Dot
    heading: int
    ride: Ride
    #: The AP of movement of the whole order.
    planned: int = 0
    fire_spent: dict[str, int] = field(default_factory=dict)
    #: By weapon and rider, or by weapon alone where it is mounted: for each shot the mounts that can fire it.
    shots: dict[tuple[str, str], list[tuple[int, ...]]] = field(default_factory=dict)
    rammed: list[str] = field(default_factory=list)

    @property
    def rear(self) -> Dot:
        """The rear dot."""
        return rear_of(self.front, self.heading)

    @property
    def posed(self) -> Unit:
        """The vehicle as it is now: on the move its weapons have no arcs of their own (DT-158)."""
        return self.vehicle.put(place=self.front, heading=self.heading, arcs=())

    def aboard(self, name: str) -> Unit:
        """Return a rider where the vehicle has taken it."""
        return self.table.unit(name).put(place=self.rear)

    def go(self, dots: int) -> Iterator[Breach]:
        """Move ahead within the segment, up to the first thing in the way."""
        for _ in range(dots):
            faults = list(against_rolling(self.ground, self.front, self.heading))
            yield from faults
            if faults:
                return
            self.front = step(self.front, self.heading // 60)
            self.ride = one_dot_on(self.ride)

    def turn(self, side: str, angle: int) -> Iterator[Breach]:
        """Turn about the front dot."""
        yield from against_turning(self.gear, self.ride, angle, self.planned)
        yield from against_swinging(self.ground, self.front, self.heading, side, angle)
        self.heading = heading_after(self.heading, side, angle)
        self.ride = turned(self.gear, self.ride, angle)


def vehicle_of(table: DTTable, trooper: Unit) -> Unit | None:
    """Return the vehicle that a trooper drives, if any."""
    vehicle = table.state.carrier_of(trooper)
    return vehicle if vehicle is not None and trooper["seat"] == "driver" else None


@clause("DT-55", "DT-59", "DT-60", "DT-61", "DT-68")
def against_driving(table: DTTable, order: Order) -> Iterator[Breach]:
    """Yield every reason why an order to drive is forbidden."""
    driver = table.unit(order.unit)
    vehicle = vehicle_of(table, driver)
    if vehicle is None or driver["posture"] != "mounted":
        yield Breach("DT-55", f"{driver.id} does not drive anything")
        return
    yield from against_setting_out(vehicle)
    mode = order.get("mode")
    if mode is None:
        yield Breach("DT-59", f"a mode has to be selected before the vehicle moves: {', '.join(MODES)}", MODES)
        return
    yield from against_mode(table, vehicle, driver, mode)
    if not supports(table, vehicle, mode):
        return
    gear = gear_of(table, vehicle, driver, mode)
    ground = DotSurroundings.of(table, vehicle)
    ride = Ride(vehicle["motion"] == "stopped")
    planned = _ap_of(gear, order)
    course = Course(table, ground, gear, driver, vehicle, vehicle.place, vehicle.heading, ride, planned)
    for element in order.elements:
        faults = list(_against_element(course, element))
        yield from faults
        if faults:
            # What follows an impossible step is not judged: the vehicle is not there.
            return
    yield from against_ending(gear, course.ride)
    if order.get("motion", course.ride.motion) != course.ride.motion:
        motion = order["motion"]
        yield Breach("DT-75", f"it ends {course.ride.motion}, not {motion}", motion, course.ride.motion)
    yield from against_staying(ground, course.front, course.heading)
    yield from _against_spending(course)


@clause("DT-63", role="rule")
def _ap_of(gear: Gear, order: Order) -> int:
    """Return the AP of all segments and turns of an order."""
    segments = sum(gear.segment_cost(element.name) for element in order.elements if element.name in SEGMENTS)
    return segments + sum(gear.turn_cost(int(one["angle"])) for one in order.elements if one.name in ("left", "right"))


@clause("DT-55", "DT-59")
def against_setting_out(vehicle: Unit) -> Iterator[Breach]:
    """Yield why a vehicle cannot be driven: it has to be upright and on, and not to have moved this turn."""
    yield from against_using(vehicle)
    if vehicle["driven"]:
        yield Breach("DT-59", f"{vehicle.id} has moved this turn", blocker=vehicle.id)


@clause("DT-55")
def against_using(vehicle: Unit) -> Iterator[Breach]:
    """Yield why a vehicle cannot be used: it has to be upright and switched on."""
    if vehicle["posture"] != "upright":
        yield Breach("DT-55", f"{vehicle.id} is {vehicle['posture']}", "upright", vehicle["posture"], vehicle.id)
    if not vehicle["on"]:
        yield Breach("DT-55", f"{vehicle.id} is switched off", blocker=vehicle.id)


@clause("DT-36", "DT-60")
def against_mode(table: DTTable, vehicle: Unit, driver: Unit, mode: str, ap: int | None = None) -> Iterator[Breach]:
    """Yield why a mode cannot be used: the card has to support it, and its lower figure to be within the AP."""
    if not supports(table, vehicle, mode):
        highest = max_mode(table, vehicle)
        yield Breach("DT-60", f"{vehicle.id} can use {highest} at most", mode, highest, vehicle.id)
    least = mode_range(table, mode)[0]
    left = movement_left(table, driver) if ap is None else ap
    if left < least:
        yield Breach("DT-60", f"{mode} takes {least} AP, {driver.id} has {left}", least, left)


def _against_element(course: Course, element: Element) -> Iterator[Breach]:
    if element.name in SEGMENTS:
        yield from against_opening(course.gear, course.ride, element.name, course.planned)
        course.ride = opened(course.gear, course.ride, element.name)
        yield from _against_dots(course, element)
    elif element.name == "on":
        if not course.ride.segment or course.ride.dots >= course.gear.dots_of(course.ride.segment):
            yield Breach("DT-72", "there is no open segment to continue")
            return
        yield from _against_dots(course, element)
    elif element.name in ("left", "right"):
        yield from course.turn(element.name, int(element["angle"]))
    elif element.name in ATTACKS:
        yield from _against_attack(course, element)


def _against_dots(course: Course, element: Element) -> Iterator[Breach]:
    whole = course.gear.dots_of(course.ride.segment)
    left = whole - course.ride.dots
    dots = element.get("dots", left)
    if dots > left:
        yield Breach("DT-72", f"the {course.ride.segment} has {left} dots left", dots, left)
        dots = left
    yield from course.go(dots)


# --- attacks on the way ---


@clause("DT-136", "DT-137")
def _against_attack(course: Course, element: Element) -> Iterator[Breach]:
    if not course.ride.segment:
        yield Breach("DT-137", "attacks are made after at least one dot of movement", 1, 0)
    if element.name == "ram":
        yield from _against_ramming(course, course.table.unit(element["target"]))
    elif element.name == "strike":
        yield from _against_striking(course, course.table.unit(element["target"]))
    else:
        yield from _against_fire(course, element)


def to_ram(course: Course, target: Unit) -> list[Dot]:
    """Return the dots of a unit that the front of a vehicle can ram (DT-138): next to it, by option ahead of it."""
    near = [dot for dot in places_of(target) if distance(course.front, dot) == 1]
    if course.table.options.ram_direction == "ahead_only":
        near = [dot for dot in near if dot == step(course.front, course.heading // 60)]
    return near


@clause("DT-138", "DT-139", "DT-169")
def _against_ramming(course: Course, target: Unit) -> Iterator[Breach]:
    if target.side == course.driver.side:
        yield Breach("DT-138", f"{target.id} is not an enemy", blocker=target.id)
    if target.carrier:
        yield Breach("DT-139", f"{target.id} rides {target.carrier}, which can be rammed", blocker=target.id)
    near = to_ram(course, target)
    if not near:
        yield Breach("DT-138", f"{target.id} is not next to the front", blocker=target.id, place=course.front)
    elif not any(sees(course.driver, dot) for dot in near):
        yield unseen(course.driver, target)
    limit = course.table.options.ram_limit
    before = [*course.vehicle["rammed"], *course.rammed]
    if (limit == "once_per_target" and target.id in before) or (limit == "once_per_turn" and before):
        yield Breach("DT-138", f"{course.vehicle.id} has rammed {before[-1]} this turn", blocker=target.id)
    course.rammed.append(target.id)


@clause("DT-51", "DT-144")
def to_strike(rear: Dot, target: Unit) -> list[Dot]:
    """Return the dots of a unit next to the rear of a vehicle, at which its rider can strike: a rider has one, too."""
    return [] if target.place is None else [dot for dot in targets_of(target) if distance(rear, dot) == 1]


@clause("DT-144", "DT-169", "DT-171")
def _against_striking(course: Course, target: Unit) -> Iterator[Breach]:
    name = course.driver["weapon"]
    if weapon(course.table, name)["class"] != "melee":
        yield Breach("DT-144", f"{course.driver.id} has {with_article(name)} in hand, no melee weapon", "melee", name)
    if target.side == course.driver.side:
        yield Breach("DT-144", f"{target.id} is not an enemy", blocker=target.id)
    near = to_strike(course.rear, target)
    if not near:
        yield Breach("DT-144", f"{target.id} is not next to the rear", blocker=target.id, place=course.rear)
    elif not any(sees(course.driver, dot) for dot in near):
        yield unseen(course.driver, target)
    _pay_for_fire(course, course.driver.id, fire_ap(course.table, name))


@clause("DT-47", "DT-148", "DT-149", "DT-152", "DT-154", "DT-156", "DT-171")
def _against_fire(course: Course, element: Element) -> Iterator[Breach]:
    table = course.table
    shooter = table.unit(element.get("by", course.driver.id))
    if shooter.carrier != course.vehicle.id:
        yield Breach("DT-148", f"{shooter.id} is not aboard {course.vehicle.id}", blocker=shooter.id)
        return
    shooter = course.aboard(shooter.id)
    name = element.get("weapon", shooter["weapon"])
    mount = course.posed if mounts(table, course.vehicle, name) else None
    if mount is None and name != shooter["weapon"]:
        yield Breach("DT-148", f"{shooter.id} has {with_article(shooter['weapon'])} in hand, not {with_article(name)}")
        return
    kind, allowed = weapon(table, name)["class"], hand_weapons_of(shooter, on_the_move=True)
    if mount is None and kind not in allowed:
        rule = "DT-156" if kind == "primary" else "DT-149"
        yield Breach(rule, f"{with_article(kind)} weapon cannot be fired on the move from there", allowed, kind)
    yield from _against_firing_again(course, element, shooter, name, mount)
    if element.name == "throw":
        if kind not in THROWN:
            yield Breach("DT-153", f"{with_article(name)} is not thrown")
        else:
            yield from against_throwing(table, shooter, name, mount, element["at"])
    else:
        target = table.unit(element["target"])
        if target.side == course.driver.side:
            yield Breach("DT-148", f"{target.id} is not an enemy", blocker=target.id)
        yield from against_shooting(table, shooter, name, mount, target)
    _pay_for_fire(course, shooter.id, fire_ap(table, name))


@clause("DT-152")
def _against_firing_again(
    course: Course, element: Element, shooter: Unit, name: str, mount: Unit | None
) -> Iterator[Breach]:
    """Yield why a weapon fires no more: unless it fires bursts, each rider's own and each mounted one fires once."""
    if weapon(course.table, name)["burst"]:
        return
    shots = course.shots.setdefault((name, shooter.id if mount is None else ""), [])
    shots.append((0,) if mount is None else _bearing(course.table, element, shooter, name, mount))
    if (able := fired_once_each(shots)) < len(shots):
        yield Breach("DT-152", f"{with_article(name)} fires once in a movement", len(shots), able)


@clause("DT-47", "DT-152")
def _bearing(table: DTTable, element: Element, shooter: Unit, name: str, mount: Unit) -> tuple[int, ...]:
    """Return the numbers of the mounted weapons that can fire a shot; any of them if none bears on its target."""
    target = table.unit(element["target"]) if element.name == "fire" else None
    dots = (element["at"],) if target is None else () if target.place is None else targets_of(target)
    numbers = [number for dot in dots if sees(shooter, dot) for number in mounts_on(table, name, mount, dot)]
    every = [number for number, data in enumerate(mounted_weapons(table, mount)) if data["weapon"] == name]
    return tuple(numbers or every)


@clause("DT-152")
def fired_once_each(shots: Sequence[Sequence[int]]) -> int:
    """Compute how many of some shots can be fired if each weapon fires once; a shot names the weapons that can.

    >>> fired_once_each([(0, 1), (0,)]), fired_once_each([(0, 1), (0, 1), (0, 1)]), fired_once_each([(0,), (0,)])
    (2, 2, 1)
    """
    fires: dict[int, int] = {}

    def finds_one(shot: int, tried: set[int]) -> bool:
        for weapon_ in shots[shot]:
            if weapon_ not in tried:
                tried.add(weapon_)
                if weapon_ not in fires or finds_one(fires[weapon_], tried):
                    fires[weapon_] = shot
                    return True
        return False

    return sum(finds_one(shot, set()) for shot in range(len(shots)))


def _pay_for_fire(course: Course, shooter: str, ap: int) -> None:
    course.fire_spent[shooter] = course.fire_spent.get(shooter, 0) + ap


@clause("DT-154", "DT-171")
def _against_spending(course: Course) -> Iterator[Breach]:
    for shooter, fire in course.fire_spent.items():
        drives = course.ride.ap if shooter == course.driver.id else 0
        left = ap_left(course.table, course.table.unit(shooter))
        if fire + drives > left:
            yield Breach("DT-154", f"{fire} AP of attacks and {drives} of movement, {left} left", fire + drives, left)
        cap = cap_left(course.table, course.table.unit(shooter))
        if course.table.options.cap_counts == "all_activities" and fire + drives > cap:
            yield Breach("DT-64", f"{fire + drives} AP of activities, the cap leaves {cap}", fire + drives, cap)


# --- boxed in ---


@clause("DT-68")
def against_crashing(table: DTTable, order: Order, has_plan: bool) -> Iterator[Breach]:
    """Yield why a vehicle cannot crash: it has to be moving, without a legal plan in any mode that can be selected."""
    driver = table.unit(order.unit)
    vehicle = vehicle_of(table, driver)
    if vehicle is None or driver_of(table, vehicle) is None:
        yield Breach("DT-68", f"{driver.id} does not drive anything")
        return
    if table.options.boxed_in == "stay":
        yield Breach("DT-68", "under the option boxed_in a vehicle with no legal drive stays where it is")
    if vehicle["motion"] != "moving" or not is_usable(vehicle):
        yield Breach("DT-68", f"{vehicle.id} is not moving")
    if vehicle["driven"]:
        yield Breach("DT-68", f"{vehicle.id} has moved this turn")
    if has_plan:
        yield Breach("DT-68", f"{vehicle.id} has a legal drive")
    yield from against_mode(table, vehicle, driver, order["mode"])


__all__ = ["against_crashing", "against_driving", "class_figure", "dots_of_vehicle", "vehicle_of"]
