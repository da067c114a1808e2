"""Reach on an inch table by a `PoseSpace`: for rules with headings, prices of ground and of turns, and levels.

A ruleset compiles a unit into a space, and describes in `MoveWords` how it names what is wrong with a move. Areas,
costs, headings, orders and reasons come from the planner.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property, partial
from typing import Any

import numpy as np
from shapely.geometry.base import BaseGeometry

from simulator.engine.errors import Breach
from simulator.engine.options import OptionsT
from simulator.engine.orders import Order
from simulator.engine.posed_orders import MoveWords, move_elements
from simulator.engine.state import Unit
from simulator.engine.table import Table
from simulator.engine.table_reach import TableReach
from simulator.geometry.convex import BoolArray
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.poses import Heading, Level, Pose
from simulator.geometry.shapes import joined
from simulator.geometry.standing_room import Box
from simulator.pathing.ends import HeadingRange
from simulator.pathing.posed import PoseSpace
from simulator.pathing.posed.flown import GOALS_KEPT
from simulator.pathing.posed.planner import PosePlanner
from simulator.pathing.posed.room import room_of
from simulator.pathing.posed.shortfalls import PoseShortfall, least_shortfalls
from simulator.pathing.posed.ways import Way
from simulator.pathing.traces import NoRoute
from simulator.pathing.weighted import planner_for

#: The digits of an inch to which costs are written.
_DIGITS = 4
#: So many bands of cost are drawn.
_BANDS = 6


class PosedReach(TableReach[OptionsT]):
    """Where a unit can end in a `PoseSpace`."""

    unit = "inches"
    #: How far outside an area the farthest end may be.
    tolerance = 0.1
    #: Headings whose costs differ by no more than this are reported as one range.
    step_of_headings = 0.5
    #: The names of the levels of the space, the first one first.
    level_names: Sequence[Level] = (None,)

    def __init__(self, table: Table[OptionsT], mover: Unit, action: str, space: PoseSpace, words: MoveWords) -> None:
        """Store the question, the space that answers it, and how the rulebook words what is wrong."""
        super().__init__(table, mover, action, space.budget)
        self.space, self.words = space, words

    @cached_property
    def planner(self) -> PosePlanner:
        """The planner of the space: of free directions where turning costs nothing, see `planner_for`."""
        return planner_for(self.space)

    @property
    def is_searched(self) -> bool:
        """Whether the planner is known."""
        return "planner" in vars(self)

    def use(self, planner: PosePlanner) -> None:
        """Answer by a planner that has been made together with others, of a space with the same contents near it."""
        if planner.space is not self.space and planner.space.contents != self.space.near.contents:
            raise ValueError("the planner of an answer must be for its own space")
        vars(self)["planner"] = planner

    def as_cost(self, cost: float) -> Any:
        """Round a cost to the digits in which costs are written."""
        return round(float(cost), _DIGITS)

    @property
    def levels(self) -> Iterable[Any]:
        """The costs at which bands end: sixths of all that can be spent."""
        return [self.as_cost(self.most * Fraction(band, _BANDS)) for band in range(1, _BANDS + 1)]

    @property
    def known_levels(self) -> Sequence[Level]:
        """The levels of the space."""
        return self.level_names

    def numbers_of(self, level: Level) -> Sequence[int]:
        """Return the number of a level in the space, or of all for None; none for one that it does not have."""
        return [number for number, name in enumerate(self.level_names) if level is None or name == level]

    # --- costs ---

    def costs_of(self, places: FloatArray) -> FloatArray:
        """Compute the least cost of each place, facing any way on any level."""
        return self.costs_in(places, None, None)

    def costs_in(self, places: FloatArray, heading: Heading, level: Level) -> FloatArray:
        """Compute the least costs of ending at many places with a heading, on a level, or both; None is any."""
        numbers = self.numbers_of(level)
        if not len(numbers):
            return np.full(len(places), np.inf)
        return np.asarray(np.min(self._costs_by_level(numbers, places, heading), axis=0))

    def _costs_by_level(self, numbers: Sequence[int], places: FloatArray, heading: Heading) -> FloatArray:
        """The least costs of ending at places on levels by their numbers, a row for each level."""
        # What is found on one level is known for the next if there are not too many places.
        lots = np.array_split(places, len(places) // GOALS_KEPT + 1) if len(numbers) > 1 else [places]
        return np.hstack([[self._costs_on(number, some, heading) for number in numbers] for some in lots])

    def _costs_on(self, level: int, places: FloatArray, heading: Heading) -> FloatArray:
        if heading is None:
            return self.planner.costs_at(places, level)
        return self.planner.costs_in(places, float(heading), level)

    def are_ends(self, places: FloatArray, headings: FloatArray | None, level: Level) -> BoolArray:
        """Find the places, each with a heading of its own or facing any way, in which it can end on a level or any."""
        found = np.zeros(len(places), np.bool_)
        for number in self.numbers_of(level):
            left = np.flatnonzero(~found)
            found[left] = self.planner.are_ends(places[left], None if headings is None else headings[left], number)
        return found

    def headings_in(self, place: XY, level: Level) -> Sequence[HeadingRange]:
        """Return the headings in which it can end at a place on a level, or on the one where that costs least."""
        return self.headings_in_each(np.array([place], np.float64), level)[0]

    def headings_in_each(self, places: FloatArray, level: Level) -> list[Sequence[HeadingRange]]:
        """Return the same for each of many places, which are looked at together."""
        found: list[Sequence[HeadingRange]] = [()] * len(places)
        numbers = self.numbers_of(level)
        costs = self._costs_by_level(numbers, places, None) if len(numbers) > 1 else np.zeros((1, 1))
        cheapest = np.broadcast_to(np.argmin(costs, axis=0), (len(places),))
        for which, number in enumerate(numbers):
            rows = np.flatnonzero(cheapest == which)
            step = self.step_of_headings
            ranges = self.planner.headings_at_each(places[rows], step, number) if len(rows) else []
            for row, some in zip(rows.tolist(), ranges, strict=True):
                found[row] = [replace(one, cost=self.as_cost(one.cost)) for one in some]
        return found

    def _cheapest_level(self, pose: Pose) -> int | None:
        places, numbers = np.array([pose.place], np.float64), self.numbers_of(pose.level)
        costs = [float(self._costs_on(number, places, pose.heading)[0]) for number in numbers]
        return numbers[int(np.argmin(costs))] if np.isfinite(costs).any() else None

    # --- areas ---

    def ground_within(self, cost: Any) -> BaseGeometry:
        """Return where it can end for at most a cost, on any level."""
        return self.within_in(cost, None, None)

    def within_in(self, cost: Any, heading: Heading, level: Level) -> BaseGeometry:
        """Return where it can end with a heading, on a level, or both, for at most a cost; None is any."""
        return self._kept(self._ground_within(cost, heading, level))

    def _kept(self, area: BaseGeometry) -> BaseGeometry:
        """The part of the ground that the mover gets to on which a move may end: all of it, unless the rules differ."""
        return area

    def _ground_within(self, cost: Any, heading: Heading, level: Level) -> BaseGeometry:
        numbers, budget = self.numbers_of(level), Fraction(cost)
        if budget < self.most and heading is None:
            return self._area_on(numbers, budget)
        planner = self.planner if budget >= self.most else planner_for(replace(self.space, budget=budget))
        return planner.area(heading=None if heading is None else float(heading), level=numbers)

    def ground_for_area(self) -> BaseGeometry:
        """Draw all ground that the mover gets to."""
        return self._ground_within(self.most, None, None) if self._is_of_the_space else super().ground_for_area()

    def know_area_of(self, ground: BaseGeometry) -> None:
        """Take that ground: the planner knows it then, for other answers to the same question, too."""
        if self._is_of_the_space:
            self.planner.know_area(ground, level=self.numbers_of(None))
        else:
            super().know_area_of(ground)

    def within_besides(
        self, cost: Any, ground: BaseGeometry | None, *, heading: Heading = None, level: Level = None
    ) -> BaseGeometry:
        """Return the ends for at most a cost for who has some ground anyhow: of the ends in it some may be missing."""
        budget = Fraction(cost)
        if ground is None or not self._is_of_the_space or (budget < self.most and heading is not None):
            return super().within_besides(cost, ground, heading=heading, level=level)
        numbers = self.numbers_of(level)
        if budget < self.most:
            return self._kept(self.planner.areas_within([budget], level=numbers, besides=ground)[0])
        facing = None if heading is None else float(heading)
        return self._kept(self.planner.area(heading=facing, level=numbers, besides=ground))

    def likely_ends(self, level: Level) -> FloatArray:
        """Return the places on a level that legs lead to."""
        if not self._is_of_the_space:
            return super().likely_ends(level)
        return np.concatenate([np.zeros((0, 2)), *map(self.planner.ends_of_legs, self.numbers_of(level))])

    def area_in_parts(self) -> Iterator[Callable[[], BaseGeometry]]:
        """Yield what draws more and more of the area: the last one draws all of it."""
        if not self._is_of_the_space or self.most in self._areas:
            yield from super().area_in_parts()
            return
        every = range(self.space.level_count)
        for drawn in self.planner.area_in_parts(level=every):
            yield partial(self._kept_of, drawn)
        # The same is not drawn again for who asks for the area.
        whole = self._areas.setdefault(self.most, self._kept(self.planner.area(level=every)))
        yield lambda: whole

    def bands_in_parts(self) -> Iterator[object]:
        """Draw part by part what bands are made of: after the last one they are known."""
        if self._is_of_the_space:
            yield from self.planner.areas_within_in_parts(self._smaller, level=self.numbers_of(None))
        yield from super().bands_in_parts()

    def _kept_of(self, drawn: Callable[[], BaseGeometry]) -> BaseGeometry:
        return self._kept(drawn())

    def room(self) -> BaseGeometry:
        """Return ground outside of which it cannot end: all of the table if rules add ends to those of the space."""
        if not self._is_of_the_space:
            return super().room()
        return joined([room_of(self.space, level) for level in range(self.space.level_count)])

    @property
    def _is_of_the_space(self) -> bool:
        """Whether the ends are those of the space, or some of them, and no others."""
        return type(self).within_in is PosedReach.within_in

    def _area_on(self, levels: Sequence[int], budget: Fraction) -> BaseGeometry:
        """Where it can end on some levels of the space for less than it can spend."""
        if budget not in self._smaller:
            return self.planner.areas_within([budget], level=levels)[0]
        # Who asks for one band asks for the others, too: they are drawn together, and kept by the planner.
        return self.planner.areas_within(self._smaller, level=levels)[self._smaller.index(budget)]

    @property
    def _smaller(self) -> list[Fraction]:
        """The costs at which bands end, but for all that can be spent."""
        return [Fraction(cost) for cost in self.levels if Fraction(cost) < self.most]

    def box_within(self, cost: Any) -> Box | None:
        """Return a box around all ends for at most a cost: the part of the table that the mover may get to.

        None: it is not known, since rules add ends to those of the space.
        """
        if not self._is_of_the_space:
            return None
        return replace(self.space, budget=min(Fraction(cost), self.space.budget)).window

    # --- how ---

    def way_to(self, place: Any) -> Way:
        """Return the cheapest way to a place or pose, on the level where it costs least; raise NoRoute without any."""
        pose = self.pose_of(place)
        level = self._cheapest_level(pose)
        if level is None:
            raise NoRoute(f"{self.mover.id} cannot end at {pose}")
        return self.planner.way_to(pose.place, None if pose.heading is None else float(pose.heading), level)

    def orders_to(self, place: Any) -> list[Order]:
        """Return the one order that leads to a place or pose; none if the unit stands there already."""
        moves = self.way_to(place).moves
        return [Order(self.mover.id, self.action, move_elements(moves))] if moves else []

    # --- why not ---

    def against(self, place: XY) -> tuple[Sequence[Breach], str]:
        """Return the reasons why a place is out of reach, and what would do."""
        return self.against_pose(Pose(place))

    def against_pose(self, pose: Pose) -> tuple[Sequence[Breach], str]:
        """Return the same for a pose, on the level where the least is missing."""
        heading = None if pose.heading is None else float(pose.heading)
        _, found, room = least_shortfalls(self.planner, pose.place, heading, self.numbers_of(pose.level), self.space)
        return self.words.breaches_at(found, pose.place), self._remedy(pose, found, room)

    def _remedy(self, pose: Pose, found: Sequence[PoseShortfall], room: Sequence[tuple[float, float]]) -> str:
        """The smallest change that would do, in words."""
        for short in found:
            if short.what == "budget" and short.needed is not None and short.available is not None:
                return f"{self.as_cost(short.needed - short.available):g} more {self.unit}"
        if pose.heading is None or not room or not {"bars", "edge", "end"} & {short.what for short in found}:
            return ""
        ends = self.headings_in(pose.place, pose.level)
        ranges = " or ".join(str(one) for one in ends) or " or ".join(
            f"{first:.4g} to {last:.4g}" for first, last in room
        )
        return f"facing {ranges}" + ("" if ends else ", where it would have room")
