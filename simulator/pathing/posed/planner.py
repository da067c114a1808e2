"""What every planner of a `PoseSpace` answers, whichever way it finds its ways: one set of questions and of errors.

A planner fills in how the cheapest ways to goals are found, what an end costs by its heading, and how areas are drawn.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from typing import Any, Protocol, TypeAlias

import numpy as np
import shapely
from numpy.typing import ArrayLike
from shapely.geometry.base import BaseGeometry

from simulator.byte_cache import ByteCache
from simulator.geometry.convex import BoolArray
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.shapes import ground_of_all, joined
from simulator.geometry.table import inch_places
from simulator.pathing.ends import HeadingRange
from simulator.pathing.generators import result_of
from simulator.pathing.posed.far_from import beyond
from simulator.pathing.posed.goals import Goals
from simulator.pathing.posed.moves import Move
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.ways import Way
from simulator.pathing.traces import NoRoute

#: The number of a level, or of several.
Levels: TypeAlias = int | Sequence[int]

#: The ways to no more goals are kept until others are asked about.
KEPT = 64
#: What is kept of areas, and of why there are no ways to goals.
_MOST_BYTES_OF_AREAS, _MOST_BYTES_OF_REASONS = 4 * 2**20, 2**18
_BYTES_OF_A_CORNER = 16


class WaysToGoals(Protocol):
    """The cheapest ways to some goals."""

    @property
    def cost(self) -> FloatArray:
        """The least cost of each goal; inf where no move ends."""

    def way(self, goal: int) -> Way | None:
        """Return the way to a goal; None if there is none."""


@dataclass(frozen=True, eq=False)
class PosePlanner(ABC):
    """Where a mover can end in a space, at what price, and by which moves.

    Places that are not two finite numbers, headings that are not finite and levels that the space does not have raise
    ValueError, whatever is asked about them.
    """

    space: PoseSpace

    # --- what a planner fills in ---

    @abstractmethod
    def _ways_to(self, goals: Goals, level: int) -> WaysToGoals:
        """Find the cheapest ways to goals on a level."""

    @abstractmethod
    def _headings_at_each(self, places: FloatArray, step: float, level: int) -> list[tuple[HeadingRange, ...]]:
        """Return for each of many places the headings in which the mover can end there."""

    @abstractmethod
    def _costs_facing(self, place: XY, headings: FloatArray, level: int) -> FloatArray:
        """Compute the least cost of ending at one place with each of many headings."""

    @abstractmethod
    def _drawn(self, error: float, heading: float | None, level: int, besides: BaseGeometry | None) -> BaseGeometry:
        """Draw the ground of a level that the mover can end on; what it ends on in some other ground may be missing."""

    def _drawn_on(
        self, levels: Sequence[int], error: float, heading: float | None, besides: BaseGeometry | None
    ) -> BaseGeometry:
        """Draw the same on any of some levels; by default level by level, each where those before have no ground."""
        found = list[BaseGeometry]()
        for level in levels:
            known = [*found, *([] if besides is None else [besides])]
            found.append(self._drawn(error, heading, level, ground_of_all(known)))
        return found[0] if len(found) == 1 else joined(found)

    def toward(self, space: PoseSpace, place: XY, *, roughly: bool = False) -> PosePlanner:
        """Return the same for another space, of which no other place is asked about.

        Roughly, ways there may be longer than they need be, or missing; but they are found soon.
        """
        del place, roughly
        return replace(self, space=space)

    def least_to_goal(self) -> float:
        """Return what ways to the only place that is asked about cost at least, as far as that is soon known."""
        return 0.0

    # --- costs ---

    def costs_at(self, places: ArrayLike, level: int = 0) -> FloatArray:
        """Compute the least cost of ending at each of many places (rows x, y), facing any way; inf where it cannot."""
        return self._ways(places, None, level).cost.copy()

    def costs_in(self, places: ArrayLike, headings: ArrayLike, level: int = 0) -> FloatArray:
        """Compute the least cost of ending at each of many places with a heading in degrees."""
        return self._ways(places, headings, level).cost.copy()

    def are_ends(self, places: ArrayLike, headings: ArrayLike | None = None, level: int = 0) -> BoolArray:
        """Find the places, or the poses with headings in degrees, that the mover can end in, for whatever it costs.

        That is faster than to compute what they cost.
        """
        rows = self._require(places, level)
        return self._are_ends(rows, None if headings is None else np.broadcast_to(_degrees(headings), len(rows)), level)

    def _are_ends(self, places: FloatArray, headings: FloatArray | None, level: int) -> BoolArray:
        return np.isfinite(self._ways(places, headings, level, any_way=self._takes_any_way).cost)

    @property
    def _takes_any_way(self) -> bool:
        """Whether a search can be content with any way to each goal."""
        return False

    def headings_at(self, place: XY, step: float = 0.5, level: int = 0) -> tuple[HeadingRange, ...]:
        """Return the headings in which the mover can end at a place, as ranges, each with the cost of its dearest.

        Where turns have prices, headings are tried 5 degrees apart, at the limits of brackets, and where costs rise by
        more than a step between.
        """
        return self.headings_at_each([place], step, level)[0]

    def headings_at_each(self, places: ArrayLike, step: float = 0.5, level: int = 0) -> list[tuple[HeadingRange, ...]]:
        """Return the same for each of many places (rows x, y), which are looked at together: that is much faster."""
        return self._headings_at_each(self._require(places, level), step, level)

    def costs_facing(self, place: XY, headings: ArrayLike, level: int = 0) -> FloatArray:
        """Compute the least cost of ending at one place with each of many headings, as `costs_in` does, but faster."""
        self._require([place], level)
        return self._costs_facing(place, _degrees(headings).ravel(), level)

    # --- areas ---

    def area(
        self,
        error: float = 0.05,
        heading: float | None = None,
        level: Levels = 0,
        *,
        besides: BaseGeometry | None = None,
    ) -> BaseGeometry:
        """Draw the ground of a level that the mover can end on, facing any way, or with a heading in degrees.

        Polygons, and lines and points where ends have no ground. Each place has a move that leads there. Outlines fall
        short of true ones by the error; farther out, ends that a way just so leads to may be missing. So may ends in
        ground that somebody asks for ends `besides`: that is faster. So it is to ask where the mover can end on any of
        some levels than to ask level by level.
        """
        if error <= 0.0:
            raise ValueError(f"an outline is true to an error above 0, not {error}")
        levels, besides = self._levels_of(level), _if_any(besides)
        if heading is not None:
            _degrees(heading)

        if besides is not None and besides.covers(shapely.box(*self.space.window)):
            return shapely.GeometryCollection()

        def drawn() -> tuple[BaseGeometry]:
            return (beyond(self.space.far_from, self._drawn_on(levels, error, heading, besides)),)

        # Ground that is known besides is hardly ever the same twice.
        return (drawn() if besides is not None else self._areas.get((error, heading, levels), drawn))[0]

    def know_area(self, area: BaseGeometry, error: float = 0.05, level: Levels = 0) -> None:
        """Keep what `area` returns facing any way, which a copy of this planner has drawn."""
        self._areas.get((error, None, self._levels_of(level)), lambda: (area,))

    def area_in_parts(self, error: float = 0.05, level: Levels = 0) -> Iterator[Callable[[], BaseGeometry]]:
        """Yield what draws more and more of the area of a level, or of several: the last one draws what `area` does."""
        levels = self._levels_of(level)
        key = error, None, levels
        known = self._areas.find(key)
        if known is not None:
            yield lambda: known[0]
            return
        for draw in self._drawn_in_parts(error, levels):
            kept = partial(self._less_near, draw)
            yield kept
        self._areas.get(key, lambda: (kept(),))

    def _less_near(self, draw: Callable[[], BaseGeometry]) -> BaseGeometry:
        """Draw ground without what is too near to something."""
        return beyond(self.space.far_from, draw())

    def _drawn_in_parts(self, error: float, levels: Sequence[int]) -> Iterator[Callable[[], BaseGeometry]]:
        """Yield the same with ground that is too near to something; by default there is one part."""
        area = self._drawn_on(levels, error, None, None)
        yield lambda: area

    def areas_within(
        self,
        budgets: Sequence[Fraction],
        error: float = 0.05,
        level: Levels = 0,
        *,
        besides: BaseGeometry | None = None,
    ) -> list[BaseGeometry]:
        """Draw the ground of a level that the mover can end on, facing any way, for no more than each of some budgets.

        They are no more than the budget of the space. To draw them together is faster than one by one. Ends in ground
        that somebody asks for ends `besides` may be missing. Of several levels it may end on any.
        """
        if any(budget > self.space.budget for budget in budgets):
            raise ValueError(f"no more can be spent than {self.space.budget}")
        levels, besides = self._levels_of(level), _if_any(besides)

        def drawn() -> tuple[BaseGeometry, ...]:
            return self._far_enough(result_of(self._drawn_within(budgets, error, levels, besides)))

        return list(drawn() if besides is not None else self._areas.get((error, tuple(budgets), levels), drawn))

    def areas_within_in_parts(
        self, budgets: Sequence[Fraction], error: float = 0.05, level: Levels = 0
    ) -> Iterator[object]:
        """Draw part by part what `areas_within` returns; it is known after the last one, and kept."""
        levels = self._levels_of(level)
        key = error, tuple(budgets), levels
        if self._areas.find(key) is None:
            areas = yield from self._drawn_within(budgets, error, levels, None, in_parts=True)
            self._areas.get(key, lambda: self._far_enough(areas))

    def _far_enough(self, areas: Sequence[BaseGeometry]) -> tuple[BaseGeometry, ...]:
        return tuple(beyond(self.space.far_from, area) for area in areas)

    def _drawn_within(
        self,
        budgets: Sequence[Fraction],
        error: float,
        levels: Sequence[int],
        besides: BaseGeometry | None,
        *,
        in_parts: bool = False,
    ) -> Generator[object, None, list[BaseGeometry]]:
        """Draw the same with ground that is too near to something; yield whenever something is done.

        That is more often `in_parts`, for who asks for no ground `besides`.
        """
        found = list[BaseGeometry]()
        for budget in budgets:
            planner = replace(self, space=replace(self.space, budget=budget))
            if in_parts:
                yield from planner.area_in_parts(error, levels)
            found.append(planner.area(error, level=levels, besides=besides))
            yield found
        return found

    def _levels_of(self, level: Levels) -> tuple[int, ...]:
        """Take a level, or several; raise ValueError if there is no such level."""
        levels = tuple(level) if isinstance(level, Sequence) else (level,)
        for one in levels:
            self.space.on(one)
        return levels

    def ends_of_legs(self, level: int = 0) -> FloatArray:
        """Return the places on a level that legs lead to which a search has cast; most of them are ends.

        By default none are known.
        """
        self.space.on(level)
        return np.zeros((0, 2))

    @cached_property
    def _areas(self) -> ByteCache[tuple[BaseGeometry, ...]]:
        """The areas that were drawn, by what they were drawn for."""
        return ByteCache(_MOST_BYTES_OF_AREAS, _bytes_of_areas)

    # --- how ---

    def moves_to(self, place: XY, heading: float | None = None, level: int = 0) -> tuple[Move, ...]:
        """Return the moves that end at a place at the least cost, with a heading if one is named; raises NoRoute."""
        return self.way_to(place, heading, level).moves

    def way_to(self, place: XY, heading: float | None = None, level: int = 0) -> Way:
        """Return the same with the start that the moves lead from."""
        way = self._ways([place], None if heading is None else [heading], level).way(0)
        if way is None:
            raise NoRoute(f"no move ends at {place[0]:g},{place[1]:g}")
        return way

    def moves_to_each(
        self, places: ArrayLike, headings: ArrayLike | None = None, level: int = 0
    ) -> list[tuple[Move, ...] | None]:
        """Return for each of many places, or poses, the moves that end there at the least cost; None: no move does."""
        ways = self._ways(places, headings, level)
        found = (ways.way(goal) for goal in range(len(ways.cost)))
        return [None if way is None else way.moves for way in found]

    # --- why not ---

    @cached_property
    def known_reasons(self) -> ByteCache[Any]:
        """What keeps the mover from ending in poses that were asked about, see `shortfalls`."""
        return ByteCache(_MOST_BYTES_OF_REASONS)

    # --- what may be asked about ---

    def _ways(self, places: ArrayLike, headings: ArrayLike | None, level: int, *, any_way: bool = False) -> WaysToGoals:
        rows = self._require(places, level)
        facing = None if headings is None else np.broadcast_to(_degrees(headings), (len(rows),))
        goals = Goals(rows, facing, any_way)
        return self._ways_to(goals, level) if any_way or len(rows) > KEPT else self._ways_to_few(goals, level)

    def _ways_to_few(self, goals: Goals, level: int) -> WaysToGoals:
        """Find the cheapest ways to goals, or know them: who asks what ends cost asks next how to get there."""
        by_level = self._last_asked.get(goals.key)
        if by_level is None:
            by_level = {}
            self._last_asked.clear()
            self._last_asked[goals.key] = by_level
        if level not in by_level:
            by_level[level] = self._ways_to(goals, level)
        return by_level[level]

    @cached_property
    def _last_asked(self) -> dict[tuple[bytes, bytes | None], dict[int, WaysToGoals]]:
        """The ways to the goals that were asked about last, by level."""
        return {}

    def _require(self, places: ArrayLike, level: int) -> FloatArray:
        """Take places on a level, as rows; raise ValueError if there are no such places."""
        self.space.on(level)
        return inch_places(places if np.size(places) else np.zeros((0, 2)))


def _if_any(ground: BaseGeometry | None) -> BaseGeometry | None:
    """Take ground; that which is empty is none."""
    return None if ground is None or ground.is_empty else ground


def _bytes_of_areas(areas: Sequence[BaseGeometry]) -> int:
    return _BYTES_OF_A_CORNER * int(np.sum(shapely.get_num_coordinates(np.array(areas, object))))


def _degrees(headings: ArrayLike) -> FloatArray:
    """Take headings in degrees; raise ValueError unless they are finite."""
    found = np.asarray(headings, np.float64)
    if not np.isfinite(found).all():
        raise ValueError("headings are finite numbers of degrees")
    return found
