"""Everything but movement: jet packs on and off, mounting, switching, getting up, arcs, standard fire."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.events import Event, change_unit
from simulator.engine.ledger import LedgerLine
from simulator.engine.orders import Order
from simulator.engine.ruleset import Action
from simulator.engine.state import Unit
from simulator.geometry.hex_lattice import Dot, distance
from simulator.geometry.poses import place_text
from simulator.rulesets.dot_trooper.aiming import (
    against_shooting,
    hand_weapons_of,
    mounted_arc,
    open_dots,
    range_to,
)
from simulator.rulesets.dot_trooper.damage import wipe_out
from simulator.rulesets.dot_trooper.fire import resolve
from simulator.rulesets.dot_trooper.foot import against_spending, paid
from simulator.rulesets.dot_trooper.surroundings import DotSurroundings, dots_of_vehicle, rear_of, steps_apart
from simulator.rulesets.dot_trooper.terrain import CLOSED
from simulator.rulesets.dot_trooper.units import (
    DTTable,
    class_figure,
    driver_of,
    mounted_weapons,
    mounts,
    riders,
    supports,
    weapons_work,
)
from simulator.rulesets.dot_trooper.weapons import (
    attack_roll,
    attacker_modifiers,
    base_tn,
    fire_ap,
    target_modifiers,
    weapon,
)
from simulator.wording import with_article

Breaches = Iterator[Breach]
ON_FOOT = ("standing", "prone")


def ap_of(table: DTTable, action: str) -> int:
    """Return the AP of an activity."""
    place = "activity" if "jet_pack" in action else "vehicle_activity"
    return int(table.tables[f"{place}.{action}"])


def _against_price(table: DTTable, trooper: Unit, action: str) -> Breaches:
    yield from against_spending(table, trooper, ap_of(table, action), 0)


def _done(table: DTTable, trooper: Unit, action: str, rule: str, *also: Any, **fields: Any) -> Event:
    ap = ap_of(table, action)
    changes = [change_unit(trooper.id, **fields, **paid(trooper, ap)), *also]
    return Event(action, trooper.id, changes, rule, trooper.place, [LedgerLine(action, 1, ap, "AP", rule)])


# --- jet packs ---


@clause("DT-25", "DT-27", role="judge")
def against_jet_pack(table: DTTable, order: Order) -> Breaches:
    """Yield why a pack cannot be changed: a worn one is taken off, a carried one put on, on foot."""
    trooper = table.unit(order.unit)
    state = "worn" if order.action == "remove_jet_pack" else "carried"
    if trooper["jet_pack"] != state:
        yield Breach("DT-25", f"the jet pack of {trooper.id} is not {state}", state, trooper["jet_pack"])
    if trooper["posture"] not in ON_FOOT:
        yield Breach("DT-25", f"{trooper.id} is {trooper['posture']}", ON_FOOT, trooper["posture"])
    yield from _against_price(table, trooper, order.action)


@clause("DT-6", "DT-25")
def change_jet_pack(table: DTTable, order: Order) -> Action:
    """Put a jet pack on or take it off; the AP of wearing it change at once."""
    trooper = table.unit(order.unit)
    worn = "carried" if order.action == "remove_jet_pack" else "worn"
    yield _done(table, trooper, order.action, "DT-25", jet_pack=worn)


@clause("DT-26", "DT-27", role="judge")
def against_exchange(table: DTTable, order: Order) -> Breaches:
    """Yield why a pack cannot be passed on: it goes from worn to worn, between adjacent friends on one level.

    Whoever takes it has no other, not even one that is carried.
    """
    giver, taker = _pair(table, order)
    other = table.unit(order["partner"])
    if other.type != "trooper" or other.side != table.unit(order.unit).side or other.id == order.unit:
        yield Breach("DT-26", f"{other.id} is not a friendly trooper", blocker=other.id)
        return
    for one in (giver, taker):
        if one["posture"] not in ON_FOOT:
            yield Breach("DT-26", f"{one.id} is {one['posture']}", ON_FOOT, one["posture"], one.id)
            return
    if giver["jet_pack"] != "worn" or taker["jet_pack"] != "none":
        yield Breach("DT-26", "one of the two has to wear a jet pack, the other to have none")
    if distance(giver.place, taker.place) != 1 or giver["level"] != taker["level"]:
        yield Breach("DT-26", f"{giver.id} and {taker.id} are not next to each other on one level", blocker=other.id)
    for payer in _payers(table, order):
        yield from _against_price(table, payer, "exchange_jet_pack")


def _pair(table: DTTable, order: Order) -> tuple[Unit, Unit]:
    acting, partner = table.unit(order.unit), table.unit(order["partner"])
    return (acting, partner) if acting["jet_pack"] == "worn" else (partner, acting)


@clause("DT-26", role="rule")
def _payers(table: DTTable, order: Order) -> list[Unit]:
    acting, partner = table.unit(order.unit), table.unit(order["partner"])
    who = table.options.exchange_payer
    if who == "both":
        return [acting, partner]
    if who == "either" and order.get("payer") == partner.id:
        return [partner]
    return [acting]


@clause("DT-10", "DT-26")
def exchange(table: DTTable, order: Order) -> Action:
    """Pass a jet pack on; whether it was used this turn goes with it."""
    giver, taker = _pair(table, order)
    payers = {payer.id for payer in _payers(table, order)}
    ap = ap_of(table, "exchange_jet_pack")

    def new(unit: Unit, **fields: Any) -> Any:
        return change_unit(unit.id, **fields, **(paid(unit, ap) if unit.id in payers else {}))

    changes = [
        new(giver, jet_pack="none", jet_pack_used=False),
        new(taker, jet_pack="worn", jet_pack_used=giver["jet_pack_used"]),
    ]
    price = [LedgerLine("exchange_jet_pack", len(payers), ap, "AP", "DT-26")]
    yield Event("exchange_jet_pack", order.unit, changes, "DT-26", table.unit(order.unit).place, price)


# --- mounting and switching ---


@clause("DT-57", "DT-58", "DT-172", role="judge")
def against_mounting(table: DTTable, order: Order) -> Breaches:
    """Yield why a vehicle cannot be mounted: at full stop, upright, from or next to its rear dot, into a free seat."""
    trooper, vehicle = table.unit(order.unit), table.unit(order["vehicle"])
    if vehicle.type != "vehicle":
        yield Breach("DT-58", f"{vehicle.id} is not a vehicle", blocker=vehicle.id)
        return
    if trooper["posture"] != "standing":
        yield Breach("DT-58", f"{trooper.id} is {trooper['posture']}", "standing", trooper["posture"])
    yield from _against_unrest(vehicle)
    if trooper.place is not None and not can_mount_from(table, vehicle, trooper.place, trooper["level"]):
        yield Breach("DT-58", f"{trooper.id} is not next to the rear of {vehicle.id}", place=trooper.place)
    if free_seat(table, vehicle) is None:
        seats = 1 + class_figure(table, vehicle, "passengers")
        yield Breach("DT-172", f"{vehicle.id} has {seats} seats, all taken", 1, 0, vehicle.id)
    if any(rider.side != trooper.side for rider in riders(table, vehicle)):
        yield Breach("DT-58", f"an enemy rides {vehicle.id}", blocker=vehicle.id)
    yield from _against_price(table, trooper, "mount")


@clause("DT-57", "DT-58", role="judge")
def _against_unrest(vehicle: Unit) -> Breaches:
    """Yield why a vehicle cannot be mounted or switched now: it has to be upright and at full stop."""
    if vehicle["posture"] != "upright" or vehicle["motion"] != "stopped":
        yield Breach("DT-58", f"{vehicle.id} is {vehicle['posture']} and {vehicle['motion']}", blocker=vehicle.id)


@clause("DT-58", role="rule")
def can_mount_from(table: DTTable, vehicle: Unit, dot: Dot, level: int) -> bool:
    """Whether a vehicle can be mounted from a dot: the rear dot or next to it, by option either dot."""
    front, rear = dots_of_vehicle(vehicle)
    dots = (front, rear) if table.options.mount_reach == "either_dot" else (rear,)
    near = (own for own in dots if distance(dot, own) <= 1)
    ground = DotSurroundings.of(table, vehicle)
    return level == vehicle["level"] and any(ground.barrier_at(dot, own, level) not in CLOSED for own in near)


@clause("DT-172", role="rule")
def free_seat(table: DTTable, vehicle: Unit) -> str | None:
    """Return the seat of the next trooper to mount, the driver's first, None if all are taken."""
    if driver_of(table, vehicle) is None:
        return "driver"
    passengers = len(riders(table, vehicle)) - 1
    return "passenger" if passengers < class_figure(table, vehicle, "passengers") else None


@clause("DT-55", "DT-58")
def mount(table: DTTable, order: Order) -> Action:
    """Mount; a rider's place is the rear dot."""
    trooper, vehicle = table.unit(order.unit), table.unit(order["vehicle"])
    rear = rear_of(vehicle.place, vehicle.heading)
    seat = free_seat(table, vehicle)
    yield _done(
        table,
        trooper,
        "mount",
        "DT-58",
        place=rear,
        level=vehicle["level"],
        posture="mounted",
        aboard=vehicle.id,
        seat=seat,
    )


def _in_the_saddle(table: DTTable, trooper: Unit) -> Unit | None:
    """Return the vehicle that a trooper sits on; None on foot, or for one who lies under it."""
    return table.state.carrier_of(trooper) if trooper["posture"] == "mounted" else None


@clause("DT-57", "DT-58", role="judge")
def against_dismounting(table: DTTable, order: Order) -> Breaches:
    """Yield why a trooper cannot dismount: at full stop (by option also moving), to a free dot next to the rear."""
    trooper = table.unit(order.unit)
    vehicle = _in_the_saddle(table, trooper)
    if vehicle is None:
        yield Breach("DT-58", f"{trooper.id} is not mounted")
        return
    if vehicle["motion"] != "stopped" and not table.options.dismount_moving:
        yield Breach("DT-58", f"{vehicle.id} is moving", "stopped", "moving", vehicle.id)
    ground = DotSurroundings.of(table, trooper)
    dot, rear = order["to"], rear_of(vehicle.place, vehicle.heading)
    if distance(dot, rear) != 1:
        message = f"{place_text(dot)} is not next to the rear of {vehicle.id}"
        yield Breach("DT-58", message, *steps_apart(rear, dot), place=dot)
    elif not ground.at(ground.walkable(trooper["level"], passing=False), dot):
        blocker = ground.blocker(dot, trooper["level"])
        yield Breach("DT-58", f"{place_text(dot)} is not free: {blocker}", blocker=blocker, place=dot)
    elif ground.barrier_at(rear, dot, trooper["level"]) in CLOSED:
        yield Breach("DT-5", f"a wall or window is in the way to {place_text(dot)}", blocker="wall", place=dot)
    yield from _against_price(table, trooper, "dismount")


@clause("DT-58", "DT-118", "DT-134")
def dismount(table: DTTable, order: Order) -> Action:
    """Dismount. A moving vehicle without its driver is out of control and wipes out; its driver rode it last."""
    trooper = table.unit(order.unit)
    name = trooper.carrier
    jumps = trooper["seat"] == "driver" and table.unit(name)["motion"] == "moving"
    rode = [change_unit(name, former_riders=(trooper.id,))] if jumps else []
    yield _done(table, trooper, "dismount", "DT-58", *rode, place=order["to"], posture="standing", aboard="", seat="")
    if jumps:
        yield from wipe_out(table, name, "driver_dead")


@clause("DT-55", "DT-56", "DT-57", "DT-58", role="judge")
def against_switching(table: DTTable, order: Order) -> Breaches:
    """Yield why a vehicle cannot be switched: at full stop, from the saddle."""
    trooper = table.unit(order.unit)
    vehicle = _in_the_saddle(table, trooper)
    if vehicle is None:
        yield Breach("DT-58", f"{trooper.id} is not mounted")
        return
    if vehicle["on"] == (order.action == "turn_on"):
        yield Breach("DT-58", f"{vehicle.id} is {'on' if vehicle['on'] else 'off'} already", blocker=vehicle.id)
    yield from _against_unrest(vehicle)
    yield from _against_price(table, trooper, order.action)


@clause("DT-56", "DT-58")
def switch(table: DTTable, order: Order) -> Action:
    """Switch a vehicle on or off; it stays so."""
    trooper = table.unit(order.unit)
    on = change_unit(trooper.carrier, on=order.action == "turn_on")
    yield _done(table, trooper, order.action, "DT-58", on)


# --- getting up ---


@clause("DT-131", "DT-133", role="judge")
def against_crawling(table: DTTable, order: Order) -> Breaches:
    """Yield why a trooper cannot crawl out: it has to lie under a vehicle."""
    trooper = table.unit(order.unit)
    if trooper["posture"] != "under_vehicle":
        yield Breach("DT-131", f"{trooper.id} is not under a vehicle", "under_vehicle", trooper["posture"])
    yield from _against_price(table, trooper, "crawl_out")


@clause("DT-131", "DT-133", "DT-135")
def crawl_out(table: DTTable, order: Order) -> Action:
    """Crawl out, prone or standing, on the rear dot; the trooper is no longer mounted."""
    trooper = table.unit(order.unit)
    yield _done(table, trooper, "crawl_out", "DT-131", posture=order.get("posture", "standing"), aboard="", seat="")


@clause("DT-132", "DT-134", role="judge")
def against_lifting(table: DTTable, order: Order) -> Breaches:
    """Yield why a vehicle cannot be lifted: by a standing friend next to it; nobody under it, and no wreck."""
    trooper, vehicle = table.unit(order.unit), table.unit(order["vehicle"])
    if vehicle.type != "vehicle" or vehicle["posture"] != "prone":
        shown = vehicle["posture"]
        yield Breach("DT-132", f"{vehicle.id} is not a vehicle that lies prone", "prone", shown, vehicle.id)
        return
    if trooper["posture"] != "standing":
        yield Breach("DT-134", f"{trooper.id} is {trooper['posture']}", "standing", trooper["posture"])
    elif all(distance(trooper.place, dot) > 1 for dot in dots_of_vehicle(vehicle)):
        yield Breach("DT-134", f"{trooper.id} is not next to {vehicle.id}", place=trooper.place)
    if vehicle.side != trooper.side:
        yield Breach("DT-134", f"{vehicle.id} is not of {trooper.side}", trooper.side, vehicle.side, vehicle.id)
    rode = vehicle["former_riders"]
    if table.options.lift_by == "former_rider" and trooper.id not in rode:
        yield Breach("DT-134", f"{' and '.join(rode) or 'nobody'} rode {vehicle.id}", blocker=vehicle.id)
    if under := [rider.id for rider in riders(table, vehicle)]:
        yield Breach("DT-134", f"{under[0]} still lies under {vehicle.id}", blocker=under[0])
    yield from _against_price(table, trooper, "lift_vehicle")


@clause("DT-132", "DT-135")
def lift(table: DTTable, order: Order) -> Action:
    """Lift a vehicle: it keeps pose and switch, stands still, and has to be mounted again."""
    trooper = table.unit(order.unit)
    upright = change_unit(order["vehicle"], posture="upright", motion="stopped", former_riders=())
    yield _done(table, trooper, "lift_vehicle", "DT-132", upright)


# --- arcs and standard fire ---


@clause("DT-158", role="judge")
def against_arcs(table: DTTable, order: Order) -> Breaches:
    """Yield why arcs cannot be assigned: mounted weapons have to work, and movement to be over."""
    trooper = table.unit(order.unit)
    vehicle = _in_the_saddle(table, trooper)
    if vehicle is None:
        yield Breach("DT-158", f"{trooper.id} is not mounted")
        return
    if not mounted_weapons(table, vehicle):
        yield Breach("DT-158", f"{vehicle.id} has no mounted weapons", blocker=vehicle.id)
    if not supports(table, vehicle, "minimum"):
        yield Breach("DT-35", f"the weapons of {vehicle.id} do not work at this HP", blocker=vehicle.id)
    if vehicle["motion"] == "moving" and not vehicle["driven"]:
        yield Breach("DT-158", f"{vehicle.id} has still to move", blocker=vehicle.id)


@clause("DT-158", "DT-170")
def give_arcs(table: DTTable, order: Order) -> Action:
    """Assign every mounted weapon its arc, at no AP."""
    vehicle = table.unit(table.unit(order.unit).carrier)
    arcs = tuple(mounted_arc(table, vehicle, number) for number in range(len(mounted_weapons(table, vehicle))))
    price = [LedgerLine("arcs", len(arcs), 0, "AP", "DT-158")]
    yield Event("arcs", vehicle.id, [change_unit(vehicle.id, arcs=arcs)], "DT-158", vehicle.place, price)


@clause("DT-158", role="rule")
def has_arcs_to_give(table: DTTable, trooper: Unit) -> bool:
    """Whether a rider has mounted weapons still without arcs; assigning them costs no AP."""
    vehicle = _in_the_saddle(table, trooper)
    if vehicle is None or vehicle["arcs"]:
        return False
    return not any(against_arcs(table, Order(trooper.id, "give_arcs")))


@clause("DT-47", "DT-159", role="rule")
def _mount_of(table: DTTable, trooper: Unit, name: str) -> Unit | None:
    """Return the vehicle on which a trooper fires a mounted weapon, None for the weapon in hand."""
    vehicle = table.state.carrier_of(trooper)
    return vehicle if vehicle is not None and mounts(table, vehicle, name) else None


@clause("DT-136", "DT-149", "DT-159", role="judge")
def against_standard_fire(table: DTTable, order: Order) -> Breaches:
    """Yield why a trooper cannot fire by the base game, after movement, with the weapon in hand or a mounted one."""
    trooper, target = table.unit(order.unit), table.unit(order["target"])
    if trooper.place is None:
        yield Breach("DT-159", f"{trooper.id} is not on the map", blocker=trooper.id)
        return
    if trooper["posture"] == "under_vehicle":
        yield Breach("DT-159", f"{trooper.id} lies under a vehicle")
    name = order.get("weapon", trooper["weapon"])
    mount = _mount_of(table, trooper, name)
    if mount is not None:
        if not weapons_work(table, mount):
            yield Breach("DT-35", f"the weapons of {mount.id} do not work", blocker=mount.id)
    elif name != trooper["weapon"]:
        yield Breach("DT-159", f"{trooper.id} has {with_article(trooper['weapon'])} in hand, not {with_article(name)}")
        return
    elif trooper["posture"] == "mounted" and weapon(table, name)["class"] not in hand_weapons_of(trooper):
        kind = weapon(table, name)["class"]
        message = f"a {kind.replace('_', ' ')} weapon cannot be fired from the saddle"
        yield Breach("DT-149", message, hand_weapons_of(trooper), kind)
    if target.side == trooper.side:
        yield Breach("DT-159", f"{target.id} is not an enemy", blocker=target.id)
    yield from against_shooting(table, trooper, name, mount, target)
    yield from against_spending(table, trooper, fire_ap(table, name), 0)


@clause("DT-39", "DT-159")
def standard_fire(table: DTTable, order: Order) -> Action:
    """Fire after movement; mounted weapons take the vehicle's damage modifier."""
    trooper, target = table.unit(order.unit), table.unit(order["target"])
    name = order.get("weapon", trooper["weapon"])
    mount = _mount_of(table, trooper, name)
    ap = fire_ap(table, name)
    price = [LedgerLine(f"attack with {name}", 1, ap, "fire AP", "DT-171")]
    yield Event("fires", trooper.id, [change_unit(trooper.id, **paid(trooper, ap))], "DT-159", trooper.place, price)
    tn = base_tn(table, name, range_to(trooper.place, open_dots(table, trooper, name, mount, target))) or 0
    modifiers = attacker_modifiers(table, trooper, mount) + target_modifiers(table, target)
    roll = attack_roll(table, trooper, name, tn, modifiers, "DT-159", target.place, target=target.id)
    yield from resolve(table, roll, name, target.id)
