"""Ends: where a soldier can end with some AP, at what cost, and with what chance.

Areas come from `fronts`, single places and the orders that lead there from `orders`, chances from `odds`. Areas never
contain a place that the rules forbid, and fall short by at most `TOLERANCE_OF_AREAS`. `answer` adds the reasons why
not.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

from shapely.geometry.base import BaseGeometry

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.given import chances_given
from simulator.engine.orders import Order
from simulator.engine.state import Unit
from simulator.engine.table_reach import TableReach
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.shapes import shrunk, together
from simulator.geometry.tolerances import GRID
from simulator.pathing.traces import NoRoute
from simulator.rulesets.skirmish.movement import before_moving, before_running
from simulator.rulesets.skirmish.odds.bands import ChanceBands
from simulator.rulesets.skirmish.odds.chances import Chances
from simulator.rulesets.skirmish.odds.decision_places import MORE_INCHES
from simulator.rulesets.skirmish.options import SkirmishOptions
from simulator.rulesets.skirmish.planner_tables import Grounds
from simulator.rulesets.skirmish.reach.front import Front
from simulator.rulesets.skirmish.reach.fronts import TOLERANCE_OF_AREAS, Fronts
from simulator.rulesets.skirmish.reach.least_ap import LeastAp
from simulator.rulesets.skirmish.reach.nearby import nearby
from simulator.rulesets.skirmish.reach.orders import Places
from simulator.rulesets.skirmish.reach.spends import Spending
from simulator.rulesets.skirmish.traverse.rules import before_traversing
from simulator.rulesets.skirmish.units import SkirmishTable

#: How far inside areas are drawn, in inches: a drawn border may lie that far outside the true one.
_INSIDE = 10 * GRID


class SkirmishEnds(TableReach[SkirmishOptions]):
    """Where a soldier can end with a number of AP, and how surely.

    `threshold` is how much Threshold its player is willing to suffer. `running` allows runs, `traversing` traverses.
    `token` selects ends with the Running token (True), without it (False), or all (None). `changing` allows changes of
    stance on the way. `aim` is the one place that is asked about, if nothing else is.
    """

    tolerance = TOLERANCE_OF_AREAS

    def __init__(
        self,
        table: SkirmishTable,
        mover: Unit,
        ap: int,
        *,
        action: str = "turn",
        threshold: int = 0,
        token: bool | None = None,
        moving: bool = True,
        running: bool = True,
        traversing: bool = True,
        changing: bool = False,
        aim: XY | None = None,
    ) -> None:
        super().__init__(table, mover, action, ap)
        self.ap = ap
        self.threshold, self.token = min(threshold, int(mover["threshold_left"])), token
        self.spending = Spending(table, mover, ap, moving, running, traversing, changing)
        self.grounds = Grounds(nearby(table, mover, self.spending), mover)
        least = None if aim is None else LeastAp(self.spending, aim)
        self.fronts = Fronts(self.grounds, self.spending, self.threshold, token, least)
        self._places = Places(self.fronts)

    @property
    @clause("SK-1", "SK-18", "SK-27", "SK-28", "SK-33")
    def refused(self) -> tuple[Breach, ...]:
        """Why the soldier cannot make the movement of the question, if that is one spend; empty if it can."""
        table, mover = self.table, self.mover
        if self.action == "run":
            return tuple(before_running(table, mover))
        if self.action == "traverse":
            return tuple(before_traversing(table, mover))
        return tuple(before_moving(table, mover)) if self.action == "move" else ()

    # --- areas ---

    @property
    @clause("SK-18")
    def levels(self) -> range:
        """The AP at which more ground is reached. The far sides of traverses are free where traverses are."""
        return range(min(self.spending.traverse_ap, 1), self.ap + 1)

    def ground_within(self, cost: int) -> BaseGeometry:
        """Return where it can end with `cost` AP if every roll succeeds that can.

        Polygons, and lines where only a line can be reached: the far sides of a last traverse.
        """
        return _together(self.fronts.possible(cost))

    @cached_property
    @clause("SK-12", "SK-22")
    def certain_area(self) -> BaseGeometry:
        """Where it ends whatever the dice show, with the Threshold it may suffer: places of the base's centre."""
        return _together(self.fronts.certain(self.ap))

    def chance_bands(self, levels: Sequence[Fraction] | None = None) -> list[tuple[Fraction, BaseGeometry]]:
        """Return the area by chance, disjoint, the surest first: for each level what has at least that chance.

        The surest and the least sure borders are those of the areas. Between them each band has the chance of places in
        it, sampled in squares: borders are right to within `bands.TOLERANCE_OF_BANDS`.
        """
        known = None if levels is None else chances_given(levels)
        return self._bands.of(self.area, lambda: self.certain_area, known)

    # --- places ---

    def costs_of(self, places: FloatArray) -> FloatArray:
        """Compute for each of many places (rows x, y) the fewest AP that lead there; inf where none do."""
        return self._places.costs(places)

    def orders_to(self, place: Any, safest: bool = False) -> list[Order]:
        """Return the orders, one for each spend, that take a soldier to a place if its rolls succeed.

        They take the fewest AP; among such orders those that lead there whatever the dice show are preferred. With
        `safest` those are taken even if they cost more. Raises NoRoute if there are none.
        """
        x, y = spot = self.pose_of(place).place
        found = self._places.orders(spot, safest)
        if found is None:
            raise NoRoute(f"{self.mover.id} cannot end at {x:g},{y:g} with {self.ap} AP")
        return list(found[1])

    # --- chances ---

    @cached_property
    def _chances(self) -> Chances:
        return Chances(self.fronts)

    @cached_property
    def _bands(self) -> ChanceBands:
        return ChanceBands(self._chances)

    def chance_at(self, place: Any) -> Fraction:
        """Return the chance of ending at a place by the best plan, revised after each roll.

        Where it has to end without the token, or a run has to go farther than one that fails, a run whose roll fails
        may lead to places outside the area.
        """
        spot = self.pose_of(place).place
        found = self._places.orders(spot)
        if found is None and not self._may_end_by_failure:
            return Fraction(0)
        return self._chances.at(spot, found[1] if found is not None else [])

    @property
    @clause("SK-30", "SK-35", "SK-36")
    def _may_end_by_failure(self) -> bool:
        """Whether a run that fails can end as required where none does that succeeds: without the token, or nearer."""
        run = self.spending.run
        if run is None or not self.grounds.has_rough:
            return False
        return self.token is False or (self.token is None and run.is_shorter_failed)

    def chance_bounds(self, place: Any) -> tuple[Fraction, Fraction]:
        """Return the chance of the plan found, and of the best one with `MORE_INCHES` more for each lot."""
        spot = self.pose_of(place).place
        found = self._places.orders(spot)
        orders = [] if found is None else found[1]
        return self.chance_at(spot), self._chances.at(spot, orders, slack=MORE_INCHES)

    def is_certain(self, place: Any) -> bool:
        """Whether a soldier ends at a place whatever the dice show, with the Threshold it may suffer."""
        return self.chance_at(place) == 1


def _together(fronts: Sequence[Front]) -> BaseGeometry:
    """Return the ends of several fronts as one shape.

    Corners are rounded to the grid and rays are drawn to within the planner's tolerance, so a drawn corner may lie a
    hair beyond the last end. The ground is therefore drawn that much inside: whatever lies in it is an end.
    """
    areas = [shrunk(front.area, _INSIDE, join_style="mitre") for front in fronts]
    return together(areas, [line for front in fronts for line in front.lines])
