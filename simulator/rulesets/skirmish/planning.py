"""Orders by goal: the shortest way of one spend."""

from __future__ import annotations

from simulator.engine.line_orders import elements_of
from simulator.engine.orders import Element, Order
from simulator.engine.state import Unit
from simulator.errors import NoPlace
from simulator.geometry.pieces import XY
from simulator.pathing.free import plan
from simulator.rulesets.skirmish.planner_tables import prepared
from simulator.rulesets.skirmish.units import SkirmishTable


def planned(table: SkirmishTable, unit: Unit, order: Order) -> Order:
    """Return an order with a goal as one with a line: the shortest way there, or straight for a run."""
    assert order.goal is not None  # only such orders are planned
    goal: XY = order.goal.place
    if order.action == "run" or table.options.path_shape == "straight_per_ap":
        elements = [Element("to", {"place": goal})]
    else:
        reach = plan(prepared(table, unit), unit.place, 1e3)
        try:
            elements = elements_of(reach.route_to(goal).pieces)
        except NoPlace:
            # The judge reports what bars the straight way.
            elements = [Element("to", {"place": goal})]
    if order.goal.heading is not None:
        elements.append(Element("facing", {"heading": order.goal.heading}))
    return Order(unit.id, order.action, elements, order.args)
