"""Ends: where a soldier can end with some AP, for how many, and with what chance.

Areas come from `fronts`, single places and the orders that lead there from `orders`, chances from `odds`. Areas never
hold a place that the rules forbid, and fall short by at most `TOLERANCE_OF_AREAS`. `answer` adds the reasons why not.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import shapely
from numpy.typing import ArrayLike
from shapely.geometry.base import BaseGeometry

from simulator import pictures
from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.orders import Order
from simulator.engine.state import Unit
from simulator.errors import NoPlace
from simulator.geometry.board import Board
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.shapes import less, together
from simulator.geometry.snapping import GRID
from simulator.geometry.table import inch_place, inch_places
from simulator.pathing.traces import NoRoute
from simulator.rulesets.skirmish.movement import before_moving, before_running
from simulator.rulesets.skirmish.odds.chances import Chances
from simulator.rulesets.skirmish.odds.decision_places import SLACK
from simulator.rulesets.skirmish.planner_tables import Grounds
from simulator.rulesets.skirmish.reach.fronts import TOLERANCE_OF_AREAS, Front, Fronts
from simulator.rulesets.skirmish.reach.nearby import nearby
from simulator.rulesets.skirmish.reach.orders import Places
from simulator.rulesets.skirmish.reach.spends import Spending
from simulator.rulesets.skirmish.traverse.rules import before_traversing
from simulator.rulesets.skirmish.units import SkirmishTable, radius_of
from simulator.wording import measure

#: How far inside areas are drawn, in inches: a drawn border may lie so far outside the true one.
_INSIDE = 10 * GRID


class SkirmishEnds:
    """Where a soldier can end with up to so many AP, and how surely.

    `threshold` is how much Threshold its player is willing to suffer. `running` allows runs, `traversing` traverses.
    `token` asks for ends with the Running token (True), without it (False), or does not care. `changing` allows changes
    of stance on the way.
    """

    unit = "AP"

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
    ) -> None:
        self.table, self.mover, self.action, self.ap = table, mover, action, ap
        self.threshold, self.token = min(threshold, int(mover["threshold_left"])), token
        self.spending = Spending(table, mover, ap, moving, running, traversing, changing)
        self.grounds = Grounds(nearby(table, mover, self.spending), mover)
        self.fronts = Fronts(self.grounds, self.spending, self.threshold, token)
        self._places = Places(self.fronts)

    @property
    @clause("SK-1", "SK-18", "SK-27", "SK-28", "SK-33")
    def refused(self) -> tuple[Breach, ...]:
        """Why the soldier can not do at all what is asked about, if that is one spend; nothing where it can."""
        table, mover = self.table, self.mover
        if self.action == "run":
            return tuple(before_running(table, mover))
        if self.action == "traverse":
            return tuple(before_traversing(table, mover))
        return tuple(before_moving(table, mover)) if self.action == "move" else ()

    @property
    def start(self) -> XY:
        """Where it stands."""
        return self.fronts.start

    @property
    def board(self) -> Board[Any]:
        """The table it stands on."""
        return self.table.board

    # --- areas ---

    @cached_property
    def area(self) -> BaseGeometry:
        """Where it can end if every roll succeeds that can: places of the base's centre.

        Polygons, and lines where only a line can be reached: the far sides of a last traverse.
        """
        return self._possible(self.ap)

    def _possible(self, ap: int) -> BaseGeometry:
        if ap not in self._areas:
            self._areas[ap] = _together(self.fronts.possible(ap))
        return self._areas[ap]

    @cached_property
    def _areas(self) -> dict[int, BaseGeometry]:
        return {}

    @cached_property
    @clause("SK-12", "SK-22")
    def certain_area(self) -> BaseGeometry:
        """Where it ends whatever the dice, with the Threshold it may suffer: places of the base's centre."""
        return _together(self.fronts.certain(self.ap))

    @property
    def covered(self) -> BaseGeometry:
        """The ground that the base can come to cover."""
        return self.area.buffer(radius_of(self.mover), quad_segs=32)

    @property
    def outer_area(self) -> BaseGeometry:
        """The area grown by its tolerance: nothing that the rules allow lies outside it."""
        return self.area.buffer(TOLERANCE_OF_AREAS, quad_segs=16)

    def bands(self, levels: Sequence[Any] | None = None) -> list[tuple[Any, BaseGeometry]]:
        """The area by AP, disjoint, the cheapest first."""
        # Where traverses cost nothing, what they alone lead to costs nothing either (SK-18).
        least = min(self.spending.traverse_ap, 1)
        wanted = range(least, self.ap + 1) if levels is None else [int(level) for level in levels]
        found: list[tuple[Any, BaseGeometry]] = []
        taken: BaseGeometry = shapely.Polygon()
        for level in wanted:
            whole = self._possible(min(level, self.ap))
            rest = less(whole, taken)
            if not rest.is_empty:
                found.append((level, rest))
            taken = whole
        return found

    def chance_bands(self, levels: Sequence[Fraction] | None = None) -> list[tuple[Fraction, BaseGeometry]]:
        """The area by chance, disjoint, the surest first: for each level what has at least that chance.

        The surest and the least sure borders are those of the areas. Between them each band has the chance of places
        in it, asked for in squares: borders are right to within `chances.TOLERANCE_OF_BANDS`.
        """
        return self._chances.bands(self.area, self.certain_area, levels)

    # --- places ---

    def cost_at(self, place: Any) -> int | None:
        """Return the fewest AP with which a soldier can end at a place, all rolls made; None where none do."""
        cost = float(self._places.costs(np.array([inch_place(place)]))[0])
        return None if np.isinf(cost) else int(cost)

    def costs_at(self, places: ArrayLike) -> FloatArray:
        """Compute for each of many places (rows x, y) the fewest AP that lead there; inf where none do."""
        return self._places.costs(inch_places(places))

    def __contains__(self, place: Any) -> bool:
        """Whether a soldier can possibly end at a place; what is no place is in no reach."""
        try:
            return self.cost_at(place) is not None
        except NoPlace:
            return False

    def orders_to(self, place: Any, safest: bool = False) -> list[Order]:
        """Return the orders, one for each spend, that take a soldier to a place if its rolls succeed.

        They take the fewest AP, and of such orders those that lead there whatever the dice, where there are any; with
        `safest` these are taken though they cost more. Raises NoRoute where there are none.
        """
        found = self._places.orders(inch_place(place), safest)
        if found is None:
            x, y = inch_place(place)
            raise NoRoute(f"{self.mover.id} can not end at {x:g},{y:g} with {self.ap} AP")
        return list(found[1])

    # --- chances ---

    @cached_property
    def _chances(self) -> Chances:
        return Chances(self.fronts)

    def chance_at(self, place: Any) -> Fraction:
        """Return the chance to end at a place by the best plan, revised after each roll.

        Where it is to end without the token, a run whose roll fails may lead to places outside the area.
        """
        spot = inch_place(place)
        found = self._places.orders(spot)
        if found is None and not self._may_lose_token:
            return Fraction(0)
        return self._chances.at(spot, found[1] if found is not None else [])

    @property
    @clause("SK-35", "SK-36")
    def _may_lose_token(self) -> bool:
        """Whether a run can fail and so end as is asked: without the token."""
        return self.token is False and self.grounds.has_rough and self.spending.run is not None

    def chance_bounds(self, place: Any) -> tuple[Fraction, Fraction]:
        """Return the chance of the plan that was found, and of the best one with `SLACK` inches more for each lot."""
        spot = inch_place(place)
        found = self._places.orders(spot)
        orders = [] if found is None else found[1]
        return self.chance_at(spot), self._chances.at(spot, orders, slack=SLACK)

    def is_certain(self, place: Any) -> bool:
        """Whether a soldier ends at a place whatever the dice, with the Threshold it may suffer."""
        return self.chance_at(place) == 1

    def __repr__(self) -> str:
        return f"<Reach of {self.mover.id} with {measure(self.ap, self.unit)} ({self.action}) on {self.board!r}>"

    def _repr_svg_(self) -> str | None:
        return pictures.picture_of(self)


def _together(fronts: Sequence[Front]) -> BaseGeometry:
    """The ends of several fronts as one shape.

    Corners are rounded to the grid and rays are drawn to within the planner's tolerance, so a drawn corner may lie a
    hair beyond the last end. The ground is therefore drawn that much inside: whatever lies in it is an end.
    """
    areas = [front.area.buffer(-_INSIDE, join_style="mitre") for front in fronts]
    return together(areas, [line for front in fronts for line in front.lines])
