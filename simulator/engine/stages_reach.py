"""Reach on an inch table by `Stages`: areas, costs and orders come from the stages, for costs in inches.

A ruleset sets `stages` and describes how a link is ordered (`element_of`) and why a place is out of reach (`against`).
"""

from __future__ import annotations

from typing import Any

from shapely.geometry.base import BaseGeometry

from simulator.engine.line_orders import elements_of
from simulator.engine.options import OptionsT
from simulator.engine.orders import Element, Order
from simulator.engine.table_reach import TableReach
from simulator.geometry.pieces import FloatArray
from simulator.pathing.links import Link
from simulator.pathing.stages import TOLERANCE_OF_STAGES, Stages

#: The digits of an inch to which costs are written.
_DIGITS = 4


class StagesReach(TableReach[OptionsT]):
    """Where a unit can end by one of several `Stages`."""

    unit = "inches"
    #: The tolerance of a stage that begins after links, or on the outline of another.
    tolerance = 2 * TOLERANCE_OF_STAGES
    stages: Stages

    def element_of(self, link: Link) -> Element:
        """Return the element of an order that uses a link; required if the stages have links."""
        raise NotImplementedError(f"{type(self).__name__} does not define how {link.over} is ordered")

    def as_cost(self, cost: float) -> Any:
        """Round a cost to the digits in which costs are written."""
        return round(float(cost), _DIGITS)

    def ground_within(self, cost: Any) -> BaseGeometry:
        """Return the ends of all stages within a number of inches."""
        return self.stages.area(cost)

    def costs_of(self, places: FloatArray) -> FloatArray:
        """Compute the least cost of each place over all stages."""
        return self.stages.costs_at(places)

    def orders_to(self, place: Any) -> list[Order]:
        """Return the one order that leads to a place, by lines and links; none if the unit stands there.

        Raise NoRoute if it cannot end there.
        """
        elements: list[Element] = []
        for step in self.stages.steps_to(self.pose_of(place).place):
            elements += [self.element_of(step)] if isinstance(step, Link) else elements_of(step.pieces)
        return [Order(self.mover.id, self.action, elements)] if elements else []
