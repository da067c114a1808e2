"""A drive as it is played: segment by segment, with fire, checks and attacks where they fall."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from simulator.engine.actions import passes
from simulator.engine.carrying import change_with_riders
from simulator.engine.clauses import clause
from simulator.engine.events import Event, change_unit
from simulator.engine.ledger import LedgerLine
from simulator.engine.orders import Element, Order
from simulator.engine.ruleset import Action
from simulator.engine.state import Unit
from simulator.geometry.hex_lattice import distance, step
from simulator.rulesets.dot_trooper.aiming import against_shooting, open_dots, range_to
from simulator.rulesets.dot_trooper.checks import control_check
from simulator.rulesets.dot_trooper.damage import (
    Verdict,
    crash,
    fate,
    hurt_one,
    hurt_trooper,
    hurt_vehicle,
    wipe_out,
    with_later_fate,
)
from simulator.rulesets.dot_trooper.fire import resolve, set_off_later, shots_at_vehicle
from simulator.rulesets.dot_trooper.judge.drive import ATTACKS, to_strike, vehicle_of
from simulator.rulesets.dot_trooper.poses import against_rolling, heading_after
from simulator.rulesets.dot_trooper.riding import (
    SEGMENTS,
    Gear,
    Ride,
    check_of_end,
    check_of_stop,
    check_of_turn,
    one_dot_on,
    opened,
    turned,
)
from simulator.rulesets.dot_trooper.skids import last_free_pose, skid_ground
from simulator.rulesets.dot_trooper.surroundings import DotSurroundings, ground_level, places_of, rear_of
from simulator.rulesets.dot_trooper.units import (
    DTTable,
    ap_left,
    armor_left,
    gear_of,
    mode_range,
    mounts,
    riders,
)
from simulator.rulesets.dot_trooper.weapons import (
    attack_roll,
    attacker_modifiers,
    base_tn,
    fire_ap,
    on_the_move,
    target_modifiers,
)


class _Drive:
    """One drive in progress. Every step returns whether the vehicle still goes on after it."""

    def __init__(self, table: DTTable, order: Order) -> None:
        driver = table.unit(order.unit)
        vehicle = vehicle_of(table, driver)
        assert vehicle is not None
        self.table, self.order = table, order
        self.driver_name, self.name, self.mode = driver.id, vehicle.id, order["mode"]
        self.gear: Gear = gear_of(table, vehicle, driver, self.mode)
        self.ride = Ride(vehicle["motion"] == "stopped")
        #: Whether the end of the current segment has still to be judged.
        self.unfinished = False
        #: Whether the check of the current stop was rolled before its first dot (DT-96).
        self.stop_checked = False
        #: Every pose so far, by front dot and heading.
        self.poses = [(vehicle.place, vehicle.heading)]
        #: Attacks that may still fall on this segment, and who has made them.
        self.allowed, self.fired = 1, ()

    @property
    def vehicle(self) -> Unit:
        """The vehicle as it is now."""
        return self.table.unit(self.name)

    @property
    def driver(self) -> Unit:
        """The driver as they are now."""
        return self.table.unit(self.driver_name)

    def rolls_on(self) -> Verdict:
        """Wipe out if damage makes the mode impossible; return whether the vehicle goes on (DT-108, DT-109)."""
        vehicle = self.table.state.units.get(self.name)
        if vehicle is None or vehicle["posture"] != "upright":
            return False
        if cause := fate(self.table, self.name):
            yield from wipe_out(self.table, self.name, cause)
            return False
        return True

    def under_fire(self) -> Verdict:
        """Let the enemy fire in this pose, within the limit of the segment."""
        self.fired = yield from shots_at_vehicle(self.table, self.name, self.allowed, self.fired)
        return (yield from self.rolls_on())

    def check(self, cause: str, angle: int, side: str = "") -> Verdict:
        """Roll a control check, if its cause needs one; a failure is a wipe-out (DT-87, DT-92)."""
        roll = control_check(self.table, self.vehicle, self.driver, cause, angle)
        if roll is None or (yield from passes(roll)):
            return True
        yield from wipe_out(self.table, self.name, "failed_check", side, angle if side else 0)
        return False

    # --- steps ---

    @clause("DT-97", "DT-104", "DT-106", "DT-109")
    def open(self, segment: str) -> Verdict:
        """Begin a segment: the enemy may fire at the pose it begins in, then it is paid for."""
        if not (yield from self.end_segment()):
            return False
        cost = self.gear.segment_cost(segment)
        self.allowed, self.fired = cost if self.table.options.segment_per == "ap" else 1, ()
        if not (yield from self.under_fire()):
            return False
        if cost > ap_left(self.table, self.driver):
            return (yield from self.roll_out(begun=True))
        yield self._paid_segment(segment)
        return True

    def _paid_segment(self, segment: str) -> Event:
        cost = self.gear.segment_cost(segment)
        self.ride, self.unfinished = opened(self.gear, self.ride, segment), True
        changes = [*self._paid(cost), change_unit(self.name, motion="moving", mode_ap=self.ride.ap)]
        price = [LedgerLine(segment, 1, cost, "AP", f"DT-{ {'start': 69, 'stop': 70, 'move': 71}[segment] }")]
        return Event(segment, self.name, changes, price[0].clause, self.vehicle.place, price)

    @clause("DT-72", "DT-98")
    def end_segment(self) -> Verdict:
        """Let the enemy fire at the pose in which a segment ends, even one that was cut short."""
        if not self.unfinished:
            return True
        self.unfinished = False
        return (yield from self.under_fire())

    def _paid(self, ap: int) -> list[Any]:
        driver = self.driver
        spent = {"ap_spent": driver["ap_spent"] + ap, "movement_spent": driver["movement_spent"] + ap}
        return [change_unit(self.driver_name, **spent)]

    @clause("DT-72", "DT-166")
    def go(self, dots: int) -> Verdict:
        """Move ahead; after the last dot of the segment the enemy may fire at the pose it ends in."""
        for _ in range(dots):
            front = step(self.vehicle.place, self.vehicle.heading // 60)
            yield Event("dot", self.name, self._posed(front, self.vehicle.heading), "DT-72", front)
            self.ride = one_dot_on(self.ride)
        if self.ride.dots == self.gear.dots_of(self.ride.segment):
            return (yield from self.end_segment())
        return True

    def _posed(self, front: Any, heading: int) -> list[Any]:
        self.poses.append((front, heading))
        level = ground_level(self.table, front)
        aboard, crew = {"place": rear_of(front, heading), "level": level}, riders(self.table, self.vehicle)
        posed = {"place": front, "heading": heading, "level": level}
        return change_with_riders(self.table.state, self.name, aboard=aboard, riders=crew, **posed)

    @clause("DT-80", "DT-82", "DT-84", "DT-86", "DT-87", "DT-94", "DT-96")
    def turn(self, side: str, angle: int) -> Verdict:
        """Turn; the check is rolled at the moment of the turn, and a stop's turn takes the stop's own check."""
        cost = self.gear.turn_cost(angle)
        check = None if self.stop_checked else check_of_turn(self.gear, self.ride, angle)
        before = self.vehicle
        self.ride = turned(self.gear, self.ride, angle)
        price = [LedgerLine(f"turn {angle}", 1, cost, "AP", "DT-84")]
        if self.table.options.segment_per == "ap":
            self.allowed += cost
        paid = [*self._paid(cost), change_unit(self.name, mode_ap=self.ride.ap)]
        yield Event("turns", self.name, paid, "DT-82", before.place, price, {"side": side, "angle": angle})
        if check is not None and not (yield from self.check(*check, side)):
            return False
        heading = heading_after(before.heading, side, angle)
        yield Event("swings", self.name, self._posed(before.place, heading), "DT-83", before.place)
        return True

    @clause("DT-96")
    def check_at_start_of_stop(self, later: Sequence[Element]) -> Verdict:
        """Roll the check of a stop before its first dot, for the turn planned in it; the turn itself comes later."""
        angle = next((int(element["angle"]) for element in later if element.name in ("left", "right")), 0)
        self.stop_checked = True
        check = check_of_stop(self.gear, self.ride, angle)
        return True if check is None else (yield from self.check(*check))

    @clause("DT-75", "DT-93")
    def come_to_rest(self) -> Verdict:
        """End the movement: roll the check of a stop without a turn, and set the motion that is left."""
        if not (yield from self.end_segment()):
            return False
        check = None if self.stop_checked else check_of_end(self.gear, self.ride)
        if check is not None and not (yield from self.check(*check)):
            return False
        motion = self.ride.motion
        yield Event("ends", self.name, [change_unit(self.name, motion=motion)], "DT-75", self.vehicle.place)
        return True

    # --- fewer AP than planned ---

    @clause("DT-109", role="rule")
    def can_turn(self, element: Element) -> bool:
        """Whether the driver still has the AP of a turn: a hit may have taken some."""
        return self.gear.turn_cost(int(element["angle"])) <= ap_left(self.table, self.driver)

    @clause("DT-67", "DT-109")
    def roll_out(self, begun: bool = False) -> Verdict:
        """Use the remaining AP straight ahead when the plan can no longer be paid. The plan is over.

        The current segment is finished, followed by as many as the mode still requires; a vehicle that cannot even do
        that wipes out. `begun` states whether the enemy has already fired at the beginning of the next one.
        """
        least = mode_range(self.table, self.mode)[0]
        while self.unfinished or (self.ride.ap < least and self.ride.segment != "stop"):
            if not self.unfinished:
                segment = "start" if self.ride.standing and not self.ride.segment else "move"
                if not begun and not (yield from self.open(segment)):
                    return False
                if begun:
                    yield self._paid_segment(segment)
                begun = False
            for _ in range(self.gear.dots_of(self.ride.segment) - self.ride.dots):
                if self.is_blocked():
                    yield from wipe_out(self.table, self.name, "insufficient_ap")
                    return False
                if not (yield from self.go(1)):
                    return False
        yield from self.come_to_rest()
        return False

    @clause("DT-165", role="play")
    def back_off(self) -> Action:
        """Take a vehicle that came to rest on the dot of a friend back to the last pose in which it may stay."""
        vehicle = self.vehicle
        upright = vehicle["posture"] == "upright"
        # A slide may end beside those who are not solid to it (DT-128).
        ground = DotSurroundings.of(self.table, vehicle) if upright else skid_ground(self.table, vehicle)
        rest = vehicle.place, int(vehicle.heading)
        pose = last_free_pose(ground, rest, self.poses)
        if pose != rest:
            yield Event("backs off", self.name, self._posed(*pose), "DT-165", pose[0])

    def is_blocked(self) -> bool:
        """Whether something is straight ahead of the vehicle."""
        ground = DotSurroundings.of(self.table, self.vehicle)
        return any(against_rolling(ground, self.vehicle.place, self.vehicle.heading))

    # --- attacks on the way ---

    def is_pointless(self, element: Element) -> bool:
        """Whether an attack has lost its target, its attacker, or the AP it takes."""
        if element.name not in ATTACKS:
            return False
        units = self.table.state.units
        shooter = units.get(element.get("by", self.driver_name))
        target = units.get(element.get("target", ""))
        if shooter is None or shooter.place is None:
            return True
        if element.name != "throw" and (target is None or not self.is_still_there(element, shooter, target)):
            return True
        name = element.get("weapon", shooter["weapon"])
        return element.name != "ram" and fire_ap(self.table, name) > ap_left(self.table, shooter)

    def is_still_there(self, element: Element, shooter: Unit, target: Unit) -> bool:
        """Whether a target can be attacked where it is now: earlier attacks may have moved it."""
        if target.place is None or target["posture"] == "wrecked":
            return False
        if element.name == "ram":
            return any(distance(self.vehicle.place, dot) == 1 for dot in places_of(target))
        if element.name == "strike":
            return bool(to_strike(rear_of(self.vehicle.place, self.vehicle.heading), target))
        name = element.get("weapon", shooter["weapon"])
        return not any(against_shooting(self.table, shooter, name, self._mount_of(name), target))

    @clause("DT-138", "DT-140", "DT-141", "DT-142", "DT-143")
    def ram(self, target_name: str) -> Verdict:
        """Ram: damage the target first, the vehicle itself only without armor, then roll the check."""
        points = int(self.table.tables[f"mode.{self.mode}.ramming_damage"])
        rammed = change_unit(self.name, rammed=(*self.vehicle["rammed"], target_name))
        yield Event("rams", self.name, [rammed], "DT-138", self.vehicle.place, detail={"target": target_name})
        yield from with_later_fate(self.table, hurt_one(self.table, target_name, points, "lethal", self.name))
        if armor_left(self.table, self.vehicle) == 0:
            yield from hurt_vehicle(self.table, self.name, points, "lethal", "ramming")
        if not (yield from self.rolls_on()):
            return False
        return (yield from self.check("ramming", 0))

    @clause("DT-144", "DT-145", "DT-146", "DT-147")
    def strike(self, target_name: str) -> Verdict:
        """Strike in passing: a melee attack, with more damage the faster the vehicle is, then the check."""
        driver, target = self.driver, self.table.unit(target_name)
        name = driver["weapon"]
        yield self._fired(driver, name, "strikes", target_name)
        tn = base_tn(self.table, name, 1) or 0
        moving = ("on the move", int(self.table.tables["attack.melee_on_the_move"]))
        modifiers = [moving, *attacker_modifiers(self.table, driver, None), *target_modifiers(self.table, target)]
        roll = attack_roll(self.table, driver, name, tn, modifiers, "DT-145", target.place, target=target_name)
        hit = yield from resolve(self.table, roll, name, target_name)
        struck = self.table.state.units.get(target_name)
        if hit and struck is not None and struck.type == "trooper":
            extra = int(self.table.tables[f"mode.{self.mode}.melee_damage"])
            yield from hurt_trooper(self.table, target_name, extra, "lethal", self.name)
        if not (yield from self.rolls_on()):
            return False
        return (yield from self.check("melee", 0))

    @clause("DT-148", "DT-150", "DT-152", "DT-171")
    def fire(self, element: Element) -> Verdict:
        """Fire on the move, at a unit now or with an explosive that goes off later."""
        shooter = self.table.unit(element.get("by", self.driver_name))
        name = element.get("weapon", shooter["weapon"])
        mount = self._mount_of(name)
        modifiers = on_the_move(self.table, shooter, mount)
        yield self._fired(shooter, name, "fires", element.get("target", ""))
        if element.name == "throw":
            tn = (base_tn(self.table, name, distance(shooter.place, element["at"])) or 0) + sum(n for _, n in modifiers)
            yield set_off_later(self.table, shooter, name, element["at"], tn)
        else:
            target = self.table.unit(element["target"])
            dots = open_dots(self.table, shooter, name, mount, target)
            tn = base_tn(self.table, name, range_to(shooter.place, dots)) or 0
            modifiers += target_modifiers(self.table, target)
            roll = attack_roll(self.table, shooter, name, tn, modifiers, "DT-150", target.place, target=target.id)
            yield from resolve(self.table, roll, name, target.id)
        return (yield from self.rolls_on())

    @clause("DT-47", role="rule")
    def _mount_of(self, name: str) -> Unit | None:
        """Return the vehicle if a weapon is mounted on it."""
        return self.vehicle if mounts(self.table, self.vehicle, name) else None

    def _fired(self, shooter: Unit, name: str, kind: str, target: str) -> Event:
        ap = fire_ap(self.table, name)
        spent = [change_unit(shooter.id, ap_spent=shooter["ap_spent"] + ap)]
        price = [LedgerLine(f"attack with {name}", 1, ap, "fire AP", "DT-171")]
        return Event(kind, shooter.id, spent, "DT-171", shooter.place, price, {"target": target, "weapon": name})

    def play(self, element: Element, later: Sequence[Element]) -> Verdict:
        """Play one element."""
        if element.name in SEGMENTS:
            if not (yield from self.open(element.name)):
                return False
            early = element.name == "stop" and self.table.options.stop_check_at == "start_of_stop"
            if early and not (yield from self.check_at_start_of_stop(later)):
                return False
        if element.name in (*SEGMENTS, "on"):
            left = self.gear.dots_of(self.ride.segment) - self.ride.dots
            return (yield from self.go(element.get("dots", left)))
        if element.name in ("left", "right"):
            return (yield from self.turn(element.name, int(element["angle"])))
        if element.name == "ram":
            return (yield from self.ram(element["target"]))
        if element.name == "strike":
            return (yield from self.strike(element["target"]))
        return (yield from self.fire(element))


@clause("DT-72", "DT-98")
def is_cut_short(later: Sequence[Element]) -> bool:
    """Whether no dot of the current segment is among the elements to come: then a turn now comes after its end."""
    return next((element.name for element in later if element.name in (*SEGMENTS, "on")), "") != "on"


@clause("DT-59", "DT-65", "DT-66", "DT-97", "DT-130", "DT-158")
def drive(table: DTTable, order: Order) -> Action:
    """Drive in a mode: select it, then play the plan until it ends or the vehicle wipes out. Arcs end as it begins."""
    course = _Drive(table, order)
    chosen = change_unit(course.name, mode=course.mode, mode_ap=0, driving=True, driven=True, arcs=())
    yield Event("mode", course.name, [chosen], "DT-59", course.vehicle.place, detail={"mode": course.mode})
    for number, element in enumerate(order.elements):
        if course.is_pointless(element):
            continue
        later = order.elements[number + 1 :]
        if element.name in ("left", "right"):
            if is_cut_short(later) and not (yield from course.end_segment()):
                break
            if not course.can_turn(element):
                yield from course.roll_out()
                break
        if not (yield from course.play(element, later)):
            break
    else:
        yield from course.come_to_rest()
    vehicle = table.state.units.get(course.name)
    if vehicle is not None:
        yield from course.back_off()
        done = change_unit(course.name, driving=False)
        yield Event("movement over", course.name, [done], "DT-130", vehicle.place)


@clause("DT-68")
def crash_boxed_in(table: DTTable, order: Order) -> Action:
    """Crash a vehicle that has nowhere to go."""
    vehicle = vehicle_of(table, table.unit(order.unit))
    assert vehicle is not None
    chosen = change_unit(vehicle.id, mode=order["mode"], driven=True)
    yield Event("mode", vehicle.id, [chosen], "DT-68", vehicle.place, detail={"mode": order["mode"]})
    yield from crash(table, vehicle.id, order["mode"])
