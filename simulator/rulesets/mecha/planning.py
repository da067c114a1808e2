"""Orders by goal: the cheapest way to a place, a heading and a level."""

from __future__ import annotations

from dataclasses import replace

from simulator.engine.clauses import clause
from simulator.engine.errors import IllegalOrder, TableError
from simulator.engine.orders import Order
from simulator.engine.reading import write_order
from simulator.pathing.traces import NoRoute
from simulator.rulesets.mecha.reach import reach_of
from simulator.rulesets.mecha.units import MechaTable
from simulator.rulesets.mecha.vocabulary import VOCABULARY, named_in


@clause("ME-3")
def planned(table: MechaTable, order: Order) -> Order:
    """Return an order with a goal as one with elements, for whom or what it names."""
    goal = order.goal
    if goal is None:
        return order
    if goal.via:
        raise TableError("mecha does not plan paths through waypoints: list the elements one by one")
    pose, unit = goal.pose, table.unit(order.unit)
    answer = reach_of(table, unit, order.action, **named_in(order.args.items()))
    if reasons := answer.refusals(pose):
        raise IllegalOrder(write_order(order, VOCABULARY), reasons)
    orders = answer.orders_to(pose)
    if not orders:
        raise NoRoute(f"{order.unit} is at {pose} already")
    (found,) = orders
    return replace(order, elements=found.elements, args={**found.args, **order.args}, goal=None)
