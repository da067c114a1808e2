"""Where a unit can end an action that names another unit, whichever of several it names: their answers as one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from shapely.geometry.base import BaseGeometry

from simulator.engine.errors import Breach
from simulator.engine.orders import Order
from simulator.engine.state import Unit
from simulator.engine.table_reach import TableReach, box_around
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.poses import Heading, Level, Pose
from simulator.geometry.shapes import joined
from simulator.geometry.standing_room import Box
from simulator.pathing.ends import HeadingRange, cheapest_ranges
from simulator.pathing.traces import NoRoute
from simulator.rulesets.mecha.move_reach import MechaReach
from simulator.rulesets.mecha.options import MechaOptions
from simulator.rulesets.mecha.units import MechaTable, budget_of


class AnyOfReach(TableReach[MechaOptions]):
    """Where a unit can end an action, whichever unit that names."""

    unit = "mp"
    tolerance = MechaReach.tolerance

    def __init__(
        self,
        table: MechaTable,
        mover: Unit,
        action: str,
        barred: Sequence[Breach],
        by_name: Mapping[str, MechaReach],
        nobody: Breach,
    ) -> None:
        """Store the question, what bars it for any unit, the answers by name, and what is wrong if there are none."""
        super().__init__(table, mover, action, budget_of(table, mover, action))
        self.barred, self.by_name, self.nobody = tuple(barred), by_name, nobody

    @property
    def areas(self) -> dict[str, BaseGeometry]:
        """Those whom it gets to, each with the places at which it ends: lines and points round them."""
        found = {name: one.area for name, one in self.by_name.items()}
        return {name: area for name, area in found.items() if not area.is_empty}

    def box_within(self, cost: Any) -> Box | None:
        """Return a box around all ends for at most a cost; None: it is not known."""
        return box_around(one.box_within(cost) for one in self.by_name.values())

    # --- costs ---

    def as_cost(self, cost: float) -> Any:
        """Round a cost as each of the answers does."""
        return round(float(cost), 4)

    @property
    def levels(self) -> Iterable[Any]:
        """The costs at which bands end, those of each of the answers."""
        return next((one.levels for one in self.by_name.values()), [self.as_cost(self.most)])

    @property
    def known_levels(self) -> Sequence[Level]:
        """The level that the unit is on."""
        return [self.mover["level"]]

    def costs_of(self, places: FloatArray) -> FloatArray:
        """Compute the least cost of each place."""
        return self.costs_in(places, None, None)

    def costs_in(self, places: FloatArray, heading: Heading, level: Level) -> FloatArray:
        """Compute the least costs of ending at many places with a heading, on a level, or both; None is any."""
        costs = [np.full(len(places), np.inf)]
        costs += [one.costs_in(places, heading, level) for one in self.by_name.values()]
        return np.asarray(np.min(costs, axis=0))

    def headings_in(self, place: XY, level: Level) -> Sequence[HeadingRange]:
        """Return the headings in which it can end at a place, whomever it names."""
        return self.headings_in_each(np.array([place], np.float64), level)[0]

    def headings_in_each(self, places: FloatArray, level: Level) -> list[Sequence[HeadingRange]]:
        """Return the same for each of many places."""
        found: list[Sequence[HeadingRange]] = [()] * len(places)
        for one in self.by_name.values():
            for row, ranges in enumerate(one.headings_in_each(places, level)):
                if ranges:
                    found[row] = cheapest_ranges([*found[row], *ranges]) if found[row] else ranges
        return found

    def ground_within(self, cost: Any) -> BaseGeometry:
        """Return where it can end for at most a cost."""
        return self.within_in(cost, None, None)

    def within_in(self, cost: Any, heading: Heading, level: Level) -> BaseGeometry:
        """Return where it can end with a heading, on a level, or both, for at most a cost; None is any."""
        return joined(one.within_in(Fraction(cost), heading, level) for one in self.by_name.values())

    def within_besides(
        self, cost: Any, ground: BaseGeometry | None, *, heading: Heading = None, level: Level = None
    ) -> BaseGeometry:
        """Return the ends for at most a cost for who has some ground anyhow: of the ends in it some may be missing."""
        if ground is None:
            return super().within_besides(cost, ground, heading=heading, level=level)
        return joined(one.within_besides(cost, ground, heading=heading, level=level) for one in self.by_name.values())

    # --- how, and why not ---

    def named_at(self, place: Any) -> str | None:
        """Return whom the cheapest action names that ends at a place; None: none ends there."""
        pose = self.pose_of(place)
        costs = {name: one.cost_at(pose) for name, one in self.by_name.items()}
        known = [name for name, cost in costs.items() if cost is not None]
        return min(known, key=lambda name: costs[name]) if known else None

    def orders_to(self, place: Any) -> list[Order]:
        """Return the order that ends at a place or in a pose at the least cost."""
        name = self.named_at(place)
        if name is None:
            raise NoRoute(f"{self.mover.id} cannot end at {self.pose_of(place)}")
        return self.by_name[name].orders_to(place)

    def against(self, place: XY) -> tuple[Sequence[Breach], str]:
        """Return the reasons why it does not end at a place."""
        return self.against_pose(Pose(place))

    def against_pose(self, pose: Pose) -> tuple[Sequence[Breach], str]:
        """Return the same for a pose: what keeps it from the action at all, or from who is nearest to there."""
        if self.barred:
            return self.barred, ""
        if not self.by_name:
            return [self.nobody], ""
        nearest = min(self.by_name, key=lambda name: _gap(self.table.unit(name), pose.place))
        return self.by_name[nearest].against_pose(pose)


def _gap(unit: Unit, place: XY) -> float:
    """How far a place is from the base of a unit."""
    x, y = (float(one) - float(here) for one, here in zip(place, unit.place, strict=True))
    return float(np.hypot(x, y)) - float(unit["base"])
