"""Orders by goal: the cheapest way to a place, a heading and an altitude."""

from __future__ import annotations

from dataclasses import replace

from simulator.engine.clauses import clause
from simulator.engine.errors import IllegalOrder, TableError
from simulator.engine.orders import Order
from simulator.pathing.traces import NoRoute
from simulator.rulesets.combined_arms.entering import is_waiting
from simulator.rulesets.combined_arms.reach import reach_of
from simulator.rulesets.combined_arms.units import ArmsTable


@clause("CA-3")
def planned(table: ArmsTable, order: Order) -> Order:
    """Return an order with a goal as one with elements; it climbs only if the goal names an altitude."""
    goal = order.goal
    if goal is None:
        return order
    if goal.via:
        raise TableError("combined_arms does not plan paths through waypoints: list the elements one by one")
    pose, unit = goal.pose, table.unit(order.unit)
    if unit.place is None and not unit.carrier and not is_waiting(unit):
        raise TableError(f"{unit.id} is not on the table")
    answer = reach_of(table, unit, order.action, climbing=pose.level is not None)
    if reasons := answer.refusals(pose):
        raise IllegalOrder(f"{order.unit} {order.action} to {pose}", reasons)
    orders = answer.orders_to(pose)
    if not orders:
        raise NoRoute(f"{order.unit} is at {pose} already")
    return replace(order, elements=orders[0].elements, goal=None)
