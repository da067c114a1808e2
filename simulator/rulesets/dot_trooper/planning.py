"""Orders by goal, and the list of a trooper's orders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach, IllegalOrder
from simulator.engine.order_lists import OrderList, OrderPart
from simulator.engine.orders import Element, Goal, Order
from simulator.engine.state import Unit
from simulator.geometry.hex_lattice import Dot, step
from simulator.geometry.poses import Pose, place_text
from simulator.pathing.exposed import weighed_by
from simulator.pathing.move_space import UNREACHED, MoveState
from simulator.pathing.queries import route as route_by
from simulator.pathing.route import route_of
from simulator.pathing.search import prepared
from simulator.pathing.traces import NoRoute
from simulator.rulesets.dot_trooper.exposure import exposure_on_foot
from simulator.rulesets.dot_trooper.foot import level_of_phase
from simulator.rulesets.dot_trooper.judge.drive import against_crashing, vehicle_of
from simulator.rulesets.dot_trooper.judge.orders import against_phase
from simulator.rulesets.dot_trooper.landings import Skies
from simulator.rulesets.dot_trooper.movement import has_way, within_cap
from simulator.rulesets.dot_trooper.odds import RideState
from simulator.rulesets.dot_trooper.reach.drive import DriveReach
from simulator.rulesets.dot_trooper.reach.foot import FootReach, orders_of
from simulator.rulesets.dot_trooper.reach.questions import reach_of
from simulator.rulesets.dot_trooper.riding import MODES
from simulator.rulesets.dot_trooper.surroundings import map_of, rear_of
from simulator.rulesets.dot_trooper.units import DTTable, mounted_weapons

#: The actions that move a unit, as named in `reach`.
MOVEMENTS = ("drive", "foot_move", "activate_jet_pack")


# --- goals ---


@clause("DT-59", "DT-60")
def planned(table: DTTable, order: Order) -> Order:
    """Turn an order with a goal into one with elements; raises IllegalOrder, which reports what is in the way.

    A drive takes the least AP, in the mode of the order or in the one these AP need, and is the surest of those. A walk
    and a flight take the least AP. All pass through their waypoints in order.
    """
    goal = order.goal
    if goal is None:
        return order
    text = f"{order.unit} {order.action} to {goal.pose}"
    board = map_of(table)
    off = [dot for dot in (goal.place, *goal.via) if dot not in board]
    if off:
        raise IllegalOrder(text, [Breach("DT-167", f"{place_text(dot)} is off the map", place=dot) for dot in off])
    unit = table.unit(order.unit)
    if unit.type != "trooper":
        raise IllegalOrder(text, [Breach("DT-65", f"{unit.id} is a vehicle: its driver acts", blocker=unit.id)])
    if order.action == "drive":
        return _drive(table, unit, order, text)
    return _walk_or_flight(table, unit, order, text)


def _drive(table: DTTable, unit: Unit, order: Order, text: str) -> Order:
    goal = order.goal
    assert goal is not None
    motion = order.get("motion", "")
    reach = reach_of(table, unit, "drive", mode=order.get("mode", ""))
    if not isinstance(reach, DriveReach):
        raise IllegalOrder(text, reach.refused)
    if why := reach.why_not(goal.pose, motion=motion):
        raise IllegalOrder(text, why.reasons)
    try:
        (plan,) = reach.orders_to(goal.pose, motion=motion, via=goal.via)
    except NoRoute:
        raise IllegalOrder(text, [_no_way_by(goal.via)]) from None
    return Order(order.unit, "drive", plan.elements, {**plan.args, **({"motion": motion} if motion else {})})


def _no_way_by(via: Sequence[Dot]) -> Breach:
    return Breach("DT-68", f"no plan with these AP passes {', '.join(map(place_text, via))}", place=via[0])


def _walk_or_flight(table: DTTable, unit: Unit, order: Order, text: str) -> Order:
    goal = order.goal
    assert goal is not None
    pose = _on_foot(goal, order.get("level"), text)
    reach = reach_of(table, unit, order.action)
    if not isinstance(reach, FootReach):
        raise IllegalOrder(text, reach.refused)
    if why := reach.why_not(pose):
        raise IllegalOrder(text, why.reasons)
    orders = _by_way_of(table, reach, pose, goal.via) if goal.via else reach.orders_to(pose)
    if not orders:
        raise NoRoute(f"{unit.id} already stands on {place_text(goal.place)}")
    if len(orders) > 1 or orders[0].action != order.action:
        raise IllegalOrder(text, [_no_way_by(goal.via)])
    return Order(order.unit, order.action, orders[0].elements, order.args)


@clause("DT-164")
def _on_foot(goal: Goal, level: int | None, text: str) -> Pose:
    """Return where a walk or a flight is to end; the level is that of the action or of the goal."""
    if goal.heading is not None:
        message = f"a trooper on foot has no facing: leave out{Pose((), goal.heading).state_text}"
        raise IllegalOrder(text, [Breach("DT-164", message, place=goal.place)])
    if level is not None and goal.level not in (None, level):
        message = f"level {level} and level {goal.level} of {place_text(goal.place)} are two places: specify one"
        raise IllegalOrder(text, [Breach("DT-164", message, place=goal.place)])
    return Pose(goal.place, level=goal.level if level is None else level)


def _by_way_of(table: DTTable, reach: FootReach, pose: Pose, via: tuple[Dot, ...]) -> list[Order]:
    """Return the cheapest walk or flight through some dots; an empty list if there is none.

    Of walks and flights of the same price it is the one with the fewest moments at which the enemy can fire.
    """
    unit = reach.mover
    place: Dot = pose.place[0], pose.place[1]
    if reach.flights is not None:
        skies = Skies(table, reach.flights.ground, unit.place, unit["level"], via, reach.exposed)
        way = skies.way_to(place)
        if way is None:
            raise IllegalOrder(f"{unit.id} flies to {place_text(place)}", [_no_way_by(via)])
        flight = Element("fly", {"dots": way})
        return [Order(unit.id, "activate_jet_pack", [flight])]
    space, weight = reach.costs.space, 1
    if reach.exposed.any():
        space, weight = weighed_by(space, lambda step: exposure_on_foot(reach.exposed, step), legs=len(via) + 1)
    searcher, cell = prepared(space), reach.board.index(place)
    goals = [
        MoveState(*cell, *label)
        for label in space.layer_labels
        if label[1].startswith("level ") and pose.level in (None, level_of_phase(label[1]))
    ]
    found = []
    for goal in goals:
        try:
            trace = route_by(searcher, [goal], via=[reach.board.index(dot) for dot in via])
        except NoRoute:
            continue
        price = np.full((space.layers, 1, 1), UNREACHED)
        price[space.layer_of(goal.heading, goal.phase)] = trace.cost // weight
        if within_cap(table, unit, space, price).min() < UNREACHED:
            found.append(trace)
    if not found:
        raise IllegalOrder(f"{unit.id} goes to {place_text(place)}", [_no_way_by(via)])
    return orders_of(route_of(reach.board, min(found, key=lambda trace: trace.cost), "AP"), unit.id)


# --- all orders ---


def orders_of_trooper(table: DTTable, unit: Unit) -> OrderList:
    """List the legal orders of a trooper: for movements one way to each legal end, otherwise every order.

    Each end of a drive, a pose with a total of AP, is listed once, with its surest plan; plans contain no attacks on
    the way.
    """
    if unit.type != "trooper":
        return OrderList()
    judge = table.setting.ruleset.breaches
    # What reach lists is legal, provided that it is the phase for it.
    movements = {
        action: _movements(table, unit, action)
        for action in MOVEMENTS
        if not any(against_phase(table, Order(unit.id, action)))
        and (action == "drive" or vehicle_of(table, unit) is None)
    }
    drives = "drive" in movements and movements["drive"].count > 0
    # Only one sort is open in each phase: orders of the other are not even made.
    sorts = {"mount": _other_orders(table, unit, drives), "standard_fire": _shots(table, unit)}
    open_ = (some for action, some in sorts.items() if not any(against_phase(table, Order(unit.id, action))))
    others = OrderPart.of(order for some in open_ for order in some if not any(judge(table, order)))
    return OrderList([*movements.values(), others])


def _movements(table: DTTable, unit: Unit, action: str) -> OrderPart:
    reach: Any = reach_of(table, unit, action)
    if isinstance(reach, DriveReach):
        states = reach.end_states
        return OrderPart(len(states), lambda number: reach.order_for(RideState(*states[number].tolist())))
    if not isinstance(reach, FootReach):
        return OrderPart.of(())
    found = reach.touched
    ends = [
        (layer, (row + found.row, column + found.column))
        for layer, row, column in np.argwhere(found.ends < UNREACHED).tolist()
    ]
    if reach.flights is None:
        # The way to where the trooper is already consists of no order.
        space = reach.costs.space
        starts = {(space.layer_of(start.heading, start.phase), (start.row, start.col)) for start in space.starts}
        ends = [end for end in ends if end not in starts]

    def order_to(number: int) -> Order:
        (order,) = reach.orders_in(*ends[number])
        return order

    return OrderPart(len(ends), order_to)


def _other_orders(table: DTTable, unit: Unit, drives: bool) -> Iterator[Order]:
    """Yield the orders without movement or fire, legal or not; `drives` means that the unit has a legal drive."""
    name = unit.id
    for action in ("remove_jet_pack", "equip_jet_pack", "turn_on", "turn_off", "give_arcs"):
        yield Order(name, action)
    for posture in ("standing", "prone"):
        yield Order(name, "crawl_out", args={"posture": posture})
    crashes = [Order(name, "crash", args={"mode": mode}) for mode in MODES]
    # What else forbids a crash is sooner known than that there is no way (DT-68), which holds for all modes.
    able = [order for order in crashes if not any(against_crashing(table, order, has_plan=False))]
    if able and not drives and not has_way(table, unit):
        yield from able
    either = table.options.exchange_payer == "either"
    for other in table.state:
        if other.type == "vehicle":
            yield Order(name, "mount", args={"vehicle": other.id})
            yield Order(name, "lift_vehicle", args={"vehicle": other.id})
        elif other.side == unit.side and other.id != name:
            yield Order(name, "exchange_jet_pack", args={"partner": other.id})
            if either:
                yield Order(name, "exchange_jet_pack", args={"partner": other.id, "payer": other.id})
    vehicle = table.state.carrier_of(unit)
    if vehicle is not None:
        rear = rear_of(vehicle.place, vehicle.heading)
        yield from (Order(name, "dismount", args={"to": step(rear, way)}) for way in range(6))


def _shots(table: DTTable, unit: Unit) -> Iterator[Order]:
    """Yield the orders of standard fire, legal or not."""
    vehicle, weapons = table.state.carrier_of(unit), [unit["weapon"]]
    if vehicle is not None:
        weapons += [data["weapon"] for data in mounted_weapons(table, vehicle)]
    for enemy in table.units(other_than=unit.side):
        for weapon in dict.fromkeys(weapons):
            yield Order(unit.id, "standard_fire", args={"target": enemy.id, "weapon": weapon})
