"""Reach by one of several plans: each an answer of its own, at a price that is the same wherever it leads.

A rulebook with actions that cost action points, two of them in a turn perhaps, makes a plan of each: the answer tells
where it can end, and the plan what that costs. Of the plans that lead to an end the one of the lowest price counts, and
of those of one price the first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from simulator.byte_cache import ByteCache
from simulator.engine.amounts import plain
from simulator.engine.errors import Breach
from simulator.engine.nearest_end import likely_end
from simulator.engine.options import OptionsT
from simulator.engine.orders import Order
from simulator.engine.state import Unit
from simulator.engine.table import Table
from simulator.engine.table_reach import TableReach, box_around
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.poses import Heading, Level, Pose
from simulator.geometry.shapes import joined, polygons_of
from simulator.geometry.standing_room import Box
from simulator.pathing.ends import HeadingRange, cheapest_ranges
from simulator.pathing.traces import NoRoute

#: To so many digits it is known how much of a figure is missing.
_DIGITS = 6
#: How many bytes of what plans add to known ground are kept.
_MOST_BYTES = 1 << 20
#: The degrees of a circle, less what is lost as they are added up.
_ROUND = 360.0 - 1e-9


class Plan(NamedTuple):
    """A way to act: its name, its price, and where it ends."""

    name: str
    price: Fraction
    answer: TableReach[Any]
    #: The name of a plan that leads to all of its places, but perhaps not to all of its headings there.
    covered_by: str = ""


class PlansReach(TableReach[OptionsT]):
    """Where a unit can end by one of several plans."""

    def __init__(self, table: Table[OptionsT], mover: Unit, action: str, plans: Sequence[Plan], unit: str) -> None:
        """Store the question and the plans; `unit` is that of their prices."""
        super().__init__(table, mover, action, max((plan.price for plan in plans), default=Fraction(0)))
        self.plans = tuple(sorted(plans, key=lambda plan: plan.price))
        self.unit = unit
        self.tolerance = max((plan.answer.tolerance for plan in plans), default=self.tolerance)

    @property
    def levels(self) -> Iterable[Any]:
        """The prices of plans, the lowest first."""
        return dict.fromkeys(plain(plan.price) for plan in self.plans)

    def as_cost(self, cost: float) -> Any:
        """Return a price as it is written."""
        return plain(Fraction(cost))

    @property
    def known_levels(self) -> Sequence[Level]:
        """The levels of all plans."""
        return list(dict.fromkeys(level for plan in self.plans for level in plan.answer.known_levels))

    def _adding(self, plans: Sequence[Plan], heading: Heading, most: Fraction | None = None) -> list[Plan]:
        """Those of some plans that may add ends facing a heading, or any way, to those of other plans among them.

        Which lead there for a price at `most`; by default, for no more than their own.
        """
        if heading is not None:
            return list(plans)
        prices = {plan.name: plan.price for plan in plans}
        return [
            plan
            for plan in plans
            if plan.covered_by not in prices or prices[plan.covered_by] > (plan.price if most is None else most)
        ]

    # --- prices ---

    def costs_of(self, places: FloatArray) -> FloatArray:
        """Compute the lowest price of each place, facing any way on any level."""
        return self.costs_in(places, None, None)

    def costs_in(self, places: FloatArray, heading: Heading, level: Level) -> FloatArray:
        """Compute the lowest prices of ending at many places with a heading, on a level, or both; None is any."""
        costs = np.full(len(places), np.inf)
        for plan in self._adding(self.plans, heading):
            left = np.flatnonzero(np.isinf(costs))
            if len(left):
                ends = _ends(plan, places[left], heading, level)
                costs[left[ends]] = float(plan.price)
        return costs

    def headings_in(self, place: XY, level: Level) -> Sequence[HeadingRange]:
        """Return the headings in which it can end at a place on a level (None is any), each at its lowest price."""
        return self.headings_in_each(np.array([place], np.float64), level)[0]

    def headings_in_each(self, places: FloatArray, level: Level) -> list[Sequence[HeadingRange]]:
        """Return the same for each of many places."""
        found: list[list[HeadingRange]] = [[] for _ in range(len(places))]
        for plan in self.plans:
            # A plan that costs no less adds nothing where there is a range for every heading.
            left = np.flatnonzero([sum(one.width for one in cheapest_ranges(some)) < _ROUND for some in found])
            if not len(left) or (level is not None and level not in plan.answer.known_levels):
                continue
            for row, ranges in zip(left.tolist(), plan.answer.headings_in_each(places[left], level), strict=True):
                found[row].extend(replace(some, cost=plain(plan.price)) for some in ranges)
        return [cheapest_ranges(one) for one in found]

    # --- areas ---

    def ground_within(self, cost: Any) -> BaseGeometry:
        """Return where it can end for at most a price."""
        return self.within_in(cost, None, None)

    def within_in(self, cost: Any, heading: Heading, level: Level) -> BaseGeometry:
        """Return where it can end with a heading, on a level, or both, for at most a price; None is any."""
        return self.within_besides(cost, None, heading=heading, level=level)

    def within_besides(
        self, cost: Any, ground: BaseGeometry | None, *, heading: Heading = None, level: Level = None
    ) -> BaseGeometry:
        """Return the ends for at most a price for who has some ground anyhow: of the ends in it some may be missing."""
        paid = [plan for plan in self.plans if plan.price <= cost]
        found: BaseGeometry = shapely.GeometryCollection()
        # The dearest lead farthest; the others are looked at only beside what those lead to.
        for plan in reversed(self._adding(paid, heading, Fraction(cost))):
            answer = plan.answer
            if level is None or level in answer.known_levels:
                known = polygons_of(found) if ground is None else joined([polygons_of(found), ground])
                # Where dearer plans lead nowhere, the same is asked about a lower price.
                asked = partial(answer.within_besides, answer.most, known, heading=heading, level=level)
                found = joined([found, self._added.get((plan.name, known.wkb, heading, level), asked)])
        return found

    @cached_property
    def _added(self) -> ByteCache[BaseGeometry]:
        """What plans add to known ground, by name and ground."""
        return ByteCache(_MOST_BYTES)

    def box_within(self, cost: Any) -> Box | None:
        """Return a box around all ends for at most a price; None: it is not known."""
        return box_around(plan.answer.box_within(plan.answer.most) for plan in self.plans if plan.price <= cost)

    def end_near(self, place: XY, level: Level) -> shapely.Point | None:
        """Return an end hardly farther from a place than the nearest; None: none is known before all are drawn."""
        some = [plan.answer for plan in self.plans if level is None or level in plan.answer.known_levels]
        return likely_end(some, place, level)

    # --- how ---

    def plan_to(self, place: Any) -> Plan:
        """Return the plan by which it ends at a place or in a pose; raise NoRoute if none does."""
        pose = self.pose_of(place)
        places = np.array([pose.place], np.float64)
        for plan in self._adding(self.plans, pose.heading):
            if _ends(plan, places, pose.heading, pose.level)[0]:
                return plan
        raise NoRoute(f"{self.mover.id} cannot end at {pose}")

    def orders_to(self, place: Any) -> list[Order]:
        """Return the orders of the plan that leads to a place or pose."""
        return self.plan_to(place).answer.orders_to(self.pose_of(place))

    # --- why not ---

    def against(self, place: XY) -> tuple[Sequence[Breach], str]:
        """Return the reasons why a place is out of reach, and what would do."""
        return self.against_pose(Pose(place))

    def against_pose(self, pose: Pose) -> tuple[Sequence[Breach], str]:
        """Return the same for a pose: those against the plan that comes nearest to it."""
        plans = [plan for plan in self.plans if pose.level is None or pose.level in plan.answer.known_levels]
        places = np.array([pose.place], np.float64)
        # Who gets to the place facing another way is nearer than who does not get there at all.
        there = [plan for plan in plans if pose.heading is not None and _ends(plan, places, None, pose.level)[0]]
        # What covers a plan comes as near to each place.
        return _least_against(there or self._adding(plans, pose.heading, self.most) or self.plans, pose)


def _least_against(plans: Sequence[Plan], pose: Pose) -> tuple[Sequence[Breach], str]:
    """The reasons against that one of some plans by which the least is missing; of equals the first."""
    best: tuple[Sequence[Breach], str] = ((), "")
    least: tuple[float, float] = (np.inf, np.inf)
    # The dearest lead farthest; of the others it matters only whether they come nearer.
    for plan in reversed(plans):
        others, missing = least
        answer = plan.answer
        found = answer.against_pose(pose) if others else answer.less_against(pose, missing)
        if (short := shortage(found[0])) <= least:
            best, least = found, short
    return best


def _ends(plan: Plan, places: FloatArray, heading: Heading, level: Level) -> Any:
    """Find the places at which a plan can end so."""
    if level is not None and level not in plan.answer.known_levels:
        return np.zeros(len(places), np.bool_)
    if heading is None and level is None:
        return np.isfinite(plan.answer.costs_of(places))
    return np.isfinite(plan.answer.costs_in(places, heading, level))


def shortage(reasons: Sequence[Breach]) -> tuple[int, float]:
    """Return how much is missing: what no figure describes counts for more than any figure."""
    numbers = [
        float(reason.needed) - float(reason.available)
        for reason in reasons
        if _is_number(reason.needed) and _is_number(reason.available)
    ]
    return len(reasons) - len(numbers), round(sum(numbers), _DIGITS)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | Fraction)
