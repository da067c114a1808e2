"""Attacks as they happen: shots out of arcs at moving units, blasts, and their damage."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from simulator.engine.actions import passes
from simulator.engine.clauses import clause
from simulator.engine.events import Event, change_data
from simulator.engine.questions import React, Roll
from simulator.engine.state import Unit
from simulator.engine.values import Fields
from simulator.geometry.hex_lattice import Dot, distance
from simulator.rulesets.dot_trooper.aiming import fires_in_the_saddle, in_fire, range_to, targets_of
from simulator.rulesets.dot_trooper.damage import Rule, Verdict, fate, hurt_one, is_shot_down, with_later_fate
from simulator.rulesets.dot_trooper.units import DTTable, driver_of, mounted_weapons, riders, weapons_work
from simulator.rulesets.dot_trooper.weapons import attack_roll, attacker_modifiers, base_tn, target_modifiers, weapon


@clause("DT-45", "DT-107", "DT-110", "DT-112", "DT-113")
def hurt(table: DTTable, target: str, points: int, kind: str, cause: str) -> Rule:
    """Damage a target by its kind: a vehicle hit by explosives passes the damage on to its riders."""
    unit = table.state.units.get(target)
    if unit is None:
        return
    passed_on = unit.type == "vehicle" and kind in ("explosive", "incendiary")
    aboard = [rider.id for rider in riders(table, unit)] if passed_on else []
    for one in (target, *aboard):
        yield from hurt_one(table, one, points, kind, cause)


def resolve(table: DTTable, roll: Roll, name: str, target: str) -> Verdict:
    """Roll an attack and deal its damage; return whether it hit."""
    if not (yield from passes(roll)):
        yield Event("misses", roll.who, clause=roll.clause, place=roll.place, detail={"target": target})
        return False
    data = weapon(table, name)
    yield Event("hits", roll.who, clause=roll.clause, place=roll.place, detail={"target": target, "weapon": name})
    yield from with_later_fate(table, hurt(table, target, int(data["damage"]), data["kind"], roll.who))
    return True


# --- arcs ---


@clause("DT-97", "DT-149", "DT-158", "DT-169")
def arcs_of(table: DTTable, unit: Unit) -> Iterable[tuple[str, tuple[Dot, ...], Unit | None]]:
    """Return every arc in which a trooper fires: that of the weapon in hand, and those of mounted ones it serves."""
    if unit.type != "trooper" or unit.place is None or unit["posture"] in ("dead", "under_vehicle"):
        return
    if unit["arc"] and fires_in_the_saddle(table, unit):
        yield unit["weapon"], unit["arc"], None
    vehicle = table.state.carrier_of(unit)
    if vehicle is None or not weapons_work(table, vehicle):
        return
    # With a passenger aboard the weapons are theirs to serve; the driver's hands are full.
    server = next((rider.id for rider in reversed(riders(table, vehicle))), "")
    for number, arc in enumerate(vehicle["arcs"]):
        if arc and server == unit.id:
            yield mounted_weapons(table, vehicle)[number]["weapon"], arc, vehicle


@clause("DT-97", "DT-99", "DT-100", "DT-101", "DT-102", "DT-103", "DT-105", "DT-106")
def shots_at_vehicle(table: DTTable, name: str, allowed: int, fired: tuple[str, ...], rule: str = "DT-97") -> Any:
    """Let the enemy fire at a vehicle or its riders in its current pose; return who has fired, old and new.

    At most `allowed` attacks fall on the segment, in all or from each firing unit; none follows one that wipes it out.
    """
    side = _side_of(table, name)
    for enemy in [unit.id for unit in table.units(other_than=side) if unit.type == "trooper"]:
        while (vehicle := _still_upright(table, name)) is not None:
            each = table.options.attack_cap == "per_firing_unit"
            if (fired.count(enemy) if each else len(fired)) >= allowed:
                break
            targets = [name, *(rider.id for rider in riders(table, vehicle))]
            chosen = yield from _shot(table, enemy, targets, vehicle, rule)
            if not chosen:
                break
            fired = (*fired, enemy)
    return fired


@clause("DT-108", "DT-118")
def _still_upright(table: DTTable, name: str) -> Unit | None:
    """Return a vehicle, unless the last attack has brought it down or is about to."""
    vehicle = table.state.units.get(name)
    return None if vehicle is None or vehicle["posture"] != "upright" or fate(table, name) else vehicle


def _side_of(table: DTTable, name: str) -> str:
    vehicle = table.unit(name)
    driver = driver_of(table, vehicle)
    return driver.side if driver is not None else vehicle.side


@clause("DT-97", "DT-100")
def _shot(table: DTTable, enemy: str, targets: list[str], vehicle: Unit | None, rule: str) -> Verdict:
    """Offer a unit a shot at one of several targets, by a clause, and resolve it; return whether it fired."""
    firer = table.unit(enemy)
    for name, arc, mount in arcs_of(table, firer):
        open_: dict[str, tuple[Dot, ...]] = {}
        for target in targets:
            dots = in_fire(table, firer, arc, table.unit(target), vehicle)
            if dots and base_tn(table, name, range_to(firer.place, dots)) is not None:
                open_[target] = dots
        if not open_:
            continue
        where = next(iter(open_.values()))[0]
        chosen = yield React("fire", who=enemy, options=tuple(open_), clause=rule, place=where, detail={"weapon": name})
        if chosen is None:
            continue
        dots = open_[chosen]
        tn = base_tn(table, name, range_to(firer.place, dots)) or 0
        target_unit = table.unit(chosen)
        modifiers = attacker_modifiers(table, firer, mount) + target_modifiers(table, target_unit)
        cited = _clause_of_attack(target_unit, vehicle)
        yield from resolve(
            table, attack_roll(table, firer, name, tn, modifiers, cited, dots[0], target=chosen), name, chosen
        )
        return True
    return False


@clause("DT-18", "DT-97", "DT-101", "DT-107", role="rule")
def _clause_of_attack(target: Unit, vehicle: Unit | None) -> str:
    """Return the clause of an attack: on a vehicle, a rider, a flyer, or a unit on foot."""
    if target.type == "vehicle":
        return "DT-107"
    if vehicle is not None:
        return "DT-101"
    return "DT-18" if target["posture"] == "flying" else "DT-97"


@clause("DT-17", "DT-19", "DT-20")
def shots_at_flyer(table: DTTable, name: str, fired: tuple[str, ...]) -> Any:
    """Let the enemy fire at a flyer over its current dot, until one brings it down; return who has fired so far."""
    flyer = table.unit(name)
    for enemy in [unit.id for unit in table.units(other_than=flyer.side) if unit.type == "trooper"]:
        if table.options.flight_attacks == "once_per_unit_per_flight" and enemy in fired:
            continue
        if is_shot_down(table, flyer, name):
            break
        if (yield from _shot(table, enemy, [name], None, "DT-17")):
            fired = (*fired, enemy)
    return fired


@clause("DT-97", "DT-158")
def shots_at_walker(table: DTTable, name: str, fired: tuple[str, ...] = ()) -> Any:
    """Let the enemy fire at a trooper on foot that moves into an arc; each unit once for each move."""
    walker = table.unit(name)
    for enemy in [unit.id for unit in table.units(other_than=walker.side) if unit.type == "trooper"]:
        if enemy in fired or table.unit(name)["posture"] in ("dead", "under_vehicle"):
            continue
        if (yield from _shot(table, enemy, [name], None, "DT-97")):
            fired = (*fired, enemy)
    return fired


# --- explosives ---


@clause("DT-24", "DT-153", role="rule")
def set_off_later(table: DTTable, thrower: Unit, name: str, dot: Dot, tn: int) -> Event:
    """Store an explosive that takes effect once the whole side has moved."""
    charge = Fields({"by": thrower.id, "side": thrower.side, "at": dot, "weapon": name, "tn": tn})
    pending = (*table.data["explosives"], charge)
    detail = {"weapon": name, "tn": tn}
    return Event("explosive thrown", thrower.id, [change_data(explosives=pending)], "DT-153", dot, detail=detail)


@clause("DT-24", "DT-110", "DT-111", "DT-153", "DT-168")
def explosives_go_off(table: DTTable, side: str) -> Rule:
    """Resolve the explosives that a side has thrown on the move, in the order in which they were thrown."""
    mine = [charge for charge in table.data["explosives"] if charge["side"] == side]
    for charge in mine:
        left = tuple(other for other in table.data["explosives"] if other is not charge)
        roll = Roll(
            f"attack with {charge['weapon']}",
            who=charge["by"],
            dice=str(table.tables["test.dice"]),
            target=charge["tn"],
            clause="DT-24",
            place=charge["at"],
        )
        hit = yield from passes(roll)
        kind = "explosion" if hit else "dud"
        yield Event(kind, charge["by"], [change_data(explosives=left)], "DT-24", charge["at"])
        if hit:
            damage = blast(table, charge["at"], charge["weapon"], charge["by"])
            yield from with_later_fate(table, damage)


@clause("DT-110", "DT-111", "DT-157")
def blast(table: DTTable, centre: Dot, name: str, cause: str) -> Rule:
    """Damage all around a centre: a vehicle by its nearest dot, each trooper by their own (aboard: the rear)."""
    data = weapon(table, name)
    near: list[tuple[str, int]] = []
    for unit in table.state:
        if unit.place is not None:
            dots = min(distance(centre, dot) for dot in targets_of(unit))
            if dots < len(data["blast"]):
                near.append((unit.id, int(data["blast"][dots])))
    for name_hit, points in near:
        hit = table.state.units.get(name_hit)
        if hit is None or hit.place is None:
            continue
        yield from hurt_one(table, name_hit, points, "explosive", cause)
