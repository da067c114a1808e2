"""Damage to vehicles and troopers, and the wipe-out with all its consequences."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from simulator.engine.carrying import change_with_riders
from simulator.engine.clauses import clause
from simulator.engine.events import Change, Event, change_unit, remove_unit
from simulator.engine.questions import Question, Roll
from simulator.engine.state import Unit
from simulator.rulesets.dot_trooper.skids import skid_ground, skid_length, slide
from simulator.rulesets.dot_trooper.surroundings import DotSurroundings, ground_level, map_of, rear_of
from simulator.rulesets.dot_trooper.units import (
    TROOPER_TOP,
    VEHICLE_TOP,
    DTTable,
    ap_left,
    armor_left,
    card_ap,
    crossed_out,
    current_hp,
    driver_of,
    mode_range,
    riders,
    speed_multiplier,
    supports,
    trooper_hp,
    vehicle_hp,
)

Rule = Generator[Event | Question, Any, None]
#: A rule that returns a yes or no.
Verdict = Generator[Event | Question, Any, bool]


# --- vehicles ---


@clause("DT-33", "DT-41", "DT-42", "DT-112", "DT-113", "DT-114", "DT-115", "DT-117", "DT-129")
def hurt_vehicle(table: DTTable, name: str, points: int, kind: str, cause: str) -> Rule:
    """Damage a vehicle by one attack: armor first, the rest from a cell that dice choose; clubs and fire do nothing."""
    vehicle = table.unit(name)
    if points <= 0 or kind in ("bludgeoning", "incendiary") or vehicle["posture"] == "wrecked":
        return
    armor = armor_left(table, vehicle)
    absorbed = min(armor, points)
    if absorbed:
        yield Event(
            "armor lost",
            name,
            [change_unit(name, armor=armor - absorbed)],
            "DT-114",
            vehicle.place,
            detail={"points": absorbed, "left": armor - absorbed, "by": cause},
        )
    if points == absorbed:
        return
    if vehicle_hp(vehicle) >= 0:
        cell = yield Roll(
            "damage cell", who=name, dice=str(table.tables["damage_cell.dice"]), clause="DT-115", place=vehicle.place
        )
        crossed = crossed_out(vehicle["crossed"], cell, points - absorbed, 0)
        hp = current_hp(crossed, VEHICLE_TOP)
        row = f"HP {hp}" if hp >= 0 else "no HP cell left"
        detail = {"points": points - absorbed, "hp": hp, "row": row, "by": cause}
        yield Event("damaged", name, [change_unit(name, crossed=crossed)], "DT-116", vehicle.place, detail=detail)
    if not wipes_out_without_mode(table, vehicle):
        yield from _wreck_if_used_up(table, name)


@clause("DT-35")
def _wreck_if_used_up(table: DTTable, name: str) -> Rule:
    """Wreck a vehicle whose cell 0 is crossed: it lies prone, its riders under it."""
    vehicle = table.state.units.get(name)
    if vehicle is None or vehicle["posture"] == "wrecked" or vehicle_hp(vehicle) >= 0:
        return
    removed = table.options.wreck_removed
    changes: list[Change] = [
        change_unit(rider.id, **(_thrown_off() if removed else {"posture": "under_vehicle"}))
        for rider in riders(table, vehicle)
    ]
    gone = remove_unit(name) if removed else change_unit(name, posture="wrecked", motion="stopped", driving=False)
    yield Event("wrecked", name, [*changes, gone], "DT-35", vehicle.place)


def _thrown_off() -> dict[str, Any]:
    return {"posture": "prone", "aboard": "", "seat": ""}


# --- troopers ---


@clause("DT-19", "DT-20", "DT-112", "DT-118", "DT-163")
def hurt_trooper(table: DTTable, name: str, points: int, kind: str, cause: str) -> Rule:
    """Damage a trooper: lethal, explosive and incendiary damage lowers HP one for one, bludgeoning does not."""
    trooper = table.unit(name)
    if points <= 0 or trooper["posture"] == "dead":
        return
    if kind == "bludgeoning":
        yield Event("bruised", name, clause="DT-163", place=trooper.place, detail={"points": points, "by": cause})
        return
    first = trooper_hp(trooper)
    if table.options.trooper_hit_location == "random_cell":
        shown = yield Roll(
            "damage cell", who=name, dice=str(table.tables["damage_cell.dice"]), clause="DT-163", place=trooper.place
        )
        first = min(shown, TROOPER_TOP)
    crossed = crossed_out(trooper["crossed"], first, points, 1)
    detail = {"points": points, "hp": current_hp(crossed, TROOPER_TOP), "by": cause}
    yield Event("hurt", name, [change_unit(name, crossed=crossed)], "DT-163", trooper.place, detail=detail)
    if trooper_hp(table.unit(name)) <= 0:
        yield from _death(table, name)


@clause("DT-118", "DT-161")
def _death(table: DTTable, name: str) -> Rule:
    """Let a trooper die; a vehicle that loses its driver wipes out at once."""
    trooper = table.unit(name)
    vehicle = table.state.carrier_of(trooper)
    was_driver = trooper["seat"] == "driver" and trooper["posture"] == "mounted"
    dead = change_unit(name, posture="dead", place=None, aboard="", seat="", arc=())
    yield Event("dies", name, [dead], "DT-161", trooper.place)
    if vehicle is not None and was_driver and vehicle["posture"] == "upright":
        yield from wipe_out(table, vehicle.id, "driver_dead")


def hurt_one(table: DTTable, name: str, points: int, kind: str, cause: str) -> Rule:
    """Damage a vehicle or a trooper, whichever it is, and nobody else."""
    hurt = hurt_vehicle if table.unit(name).type == "vehicle" else hurt_trooper
    yield from hurt(table, name, points, kind, cause)


# --- wiping out ---


@clause("DT-67", "DT-108", "DT-109", "DT-118", "DT-130", role="rule")
def fate(table: DTTable, name: str) -> str:
    """Explain why a vehicle in the middle of its movement wipes out now, "" if it carries on."""
    vehicle = table.state.units.get(name)
    if vehicle is None or not vehicle["driving"] or vehicle["posture"] != "upright":
        return ""
    driver = driver_of(table, vehicle)
    if driver is None:
        return "driver_dead"
    if not supports(table, vehicle, vehicle["mode"]):
        return "mode_invalid"
    lacking = mode_range(table, vehicle["mode"])[0] - vehicle["mode_ap"]
    return "insufficient_ap" if ap_left(table, driver) < lacking else ""


def mode_in_use(vehicle: Unit) -> str:
    """Return the mode that counts for a vehicle: that of this turn, or that of the turn before until one is chosen."""
    return str(vehicle["mode"] or vehicle["last_mode"])


@clause("DT-108", "DT-118", role="rule")
def wipes_out_without_mode(table: DTTable, vehicle: Unit) -> bool:
    """Whether a vehicle wipes out if damage now makes its mode impossible; a wreck has none, like a vehicle of HP 0.

    In the middle of its movement it does; afterwards, by option, if it is moving in a mode that its card still shows.
    """
    if vehicle["posture"] != "upright":
        return False
    if vehicle["driving"]:
        return True
    moves_on = table.options.mode_check_after_movement and vehicle["motion"] == "moving"
    return moves_on and supports(table, vehicle, mode_in_use(vehicle))


@clause("DT-108")
def with_later_fate(table: DTTable, damage: Rule) -> Rule:
    """Deal damage; by option it also wipes out vehicles that are not in the middle of their movement.

    Those are the vehicles that keep moving and whose mode the damage has made impossible. One in the middle of its
    movement is judged by `fate`.
    """
    vehicles = (unit for unit in table.state if unit.type == "vehicle" and not unit["driving"])
    at_risk = [one.id for one in vehicles if wipes_out_without_mode(table, one)]
    yield from damage
    for name in at_risk:
        vehicle = table.state.units.get(name)
        still = vehicle is not None and vehicle["posture"] == "upright"
        if vehicle is not None and still and not supports(table, vehicle, mode_in_use(vehicle)):
            yield from wipe_out(table, name, "mode_invalid")


@clause("DT-87", "DT-92", "DT-118", "DT-119", "DT-125", "DT-126", "DT-127", "DT-128", "DT-130", "DT-140")
def wipe_out(table: DTTable, name: str, cause: str, side: str = "", angle: int = 0) -> Rule:
    """Let a vehicle wipe out: it slides, lies prone over its riders, and all of them are damaged.

    One that wipes out because no cell of its HP row is left lies there as a wreck.
    """
    vehicle = table.unit(name)
    stays_upright = table.options.stopped_driver_death == "stay_upright"
    if not (vehicle["motion"] == "stopped" and cause == "driver_dead" and stays_upright):
        yield from _tip_over(table, vehicle, cause, side, angle)
    yield from _wreck_if_used_up(table, name)


def _tip_over(table: DTTable, vehicle: Unit, cause: str, side: str, angle: int) -> Rule:
    name, at_rest = vehicle.id, vehicle["motion"] == "stopped"
    mode = mode_in_use(vehicle)
    length = 0 if at_rest else skid_length(table, mode, speed_multiplier(table, vehicle))
    skid = slide(skid_ground(table, vehicle), vehicle.place, vehicle.heading, length, side, angle)
    detail = {"cause": cause, "mode": mode, "from": vehicle.place, "dots": skid.dots, "hit": skid.hit}
    yield Event(
        "wipes out", name, _laid_down(table, vehicle, skid.front, skid.heading), "DT-118", skid.front, (), detail
    )
    if not at_rest:
        yield from _crash_damage(table, name, mode, skid.hit)


@clause("DT-134", "DT-157")
def _laid_down(table: DTTable, vehicle: Unit, front: Any, heading: int) -> list[Change]:
    level = ground_level(table, front)
    aboard = riders(table, vehicle)
    return change_with_riders(
        table.state,
        vehicle.id,
        aboard={"place": rear_of(front, heading), "level": level, "posture": "under_vehicle"},
        riders=aboard,
        place=front,
        heading=heading,
        level=level,
        posture="prone",
        motion="stopped",
        driving=False,
        arcs=(),
        former_riders=(*vehicle["former_riders"], *(rider.id for rider in aboard)),
    )


@clause("DT-110", "DT-126", "DT-127", "DT-128", "DT-129", "DT-157")
def _crash_damage(table: DTTable, name: str, mode: str, hit: str) -> Rule:
    """Deal the damage of a wipe-out to the vehicle and everybody aboard; that of a ram if an obstacle was hit."""
    figure = "ramming_damage" if hit else "wipe_out_damage"
    points = int(table.tables[f"mode.{mode}.{figure}"])
    soft = not hit and table.options.wipeout_damage_kind == "bludgeoning_to_trooper"
    aboard = [rider.id for rider in riders(table, table.unit(name))]
    yield from hurt_vehicle(table, name, points, "lethal", "wipe-out")
    for rider in aboard:
        yield from hurt_trooper(table, rider, points, "bludgeoning" if soft else "lethal", "wipe-out")


@clause("DT-68")
def crash(table: DTTable, name: str, mode: str) -> Rule:
    """Crash a boxed-in vehicle: it rolls straight on to the last free pose and rams what stops it."""
    vehicle = table.unit(name)
    ahead = slide(DotSurroundings.of(table, vehicle), vehicle.place, vehicle.heading, sum(map_of(table).shape))
    detail = {"cause": "boxed_in", "mode": mode, "from": vehicle.place, "dots": ahead.dots, "hit": ahead.hit}
    yield Event(
        "crashes", name, _laid_down(table, vehicle, ahead.front, vehicle.heading), "DT-68", ahead.front, (), detail
    )
    yield from _crash_damage(table, name, mode, ahead.hit or "the edge of the map")


@clause("DT-19", "DT-20")
def is_shot_down(table: DTTable, before: Unit, name: str) -> bool:
    """Whether a flyer is dead, or its card shows fewer AP than before."""
    flyer = table.unit(name)
    return flyer["posture"] == "dead" or card_ap(table, flyer) < card_ap(table, before)
