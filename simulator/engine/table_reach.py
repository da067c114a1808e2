"""The common part of reach answers on inch tables for all rulebooks: a `ReachAnswer` to derive from.

A ruleset implements where a unit can end at which cost: places by `costs_of`, ground by `ground_within`, for each of
its `levels`; the orders by `orders_to`; and the reasons against a place by `against`. Areas, bands, the nearest end and
GeoJSON are here. If dice decide, it also implements `certain_area`, `chance_at` and `chance_bands`.

If ends have headings or levels (`reach_headings` or `reach_levels` of the ruleset), the answer also implements the same
for poses: `costs_in`, `within_in`, `headings_in` or `known_levels`, and `against_pose`.

Areas may fall short of the last end by up to `tolerance`, but never contain a place that is not an end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from operator import attrgetter
from typing import Any, Generic

import numpy as np
import shapely
from numpy.typing import ArrayLike
from shapely.geometry.base import BaseGeometry

from simulator import pictures
from simulator.cores import on_every_core
from simulator.engine import geojson
from simulator.engine.areas import with_ground
from simulator.engine.errors import Breach
from simulator.engine.given import chances_given, point_given
from simulator.engine.nearest_end import likely_end, nearest_end
from simulator.engine.options import OptionsT
from simulator.engine.orders import Order
from simulator.engine.reach import ReachAnswer, WhyNot, against_unknown, searched_chance_bands
from simulator.engine.state import Unit
from simulator.engine.table import Table
from simulator.errors import NoPlace, NoPose, listed, shortened
from simulator.geometry.board import Board
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.poses import Heading, Level, Pose, known_pose
from simulator.geometry.shapes import less
from simulator.geometry.standing_room import Box
from simulator.geometry.table import inch_place, inch_places
from simulator.pathing.costs_given import cost_given, costs_given
from simulator.pathing.ends import End, HeadingRange, costs_of_poses
from simulator.pathing.traces import NoRoute
from simulator.wording import measure

#: The precision of corners of areas in GeoJSON, in inches.
_PRECISION = 1e-6


def box_around(boxes: Iterable[Box | None]) -> Box | None:
    """Return a box around all of some boxes; None where one is not known, or there is none."""
    some = list(boxes)
    known = [box for box in some if box is not None]
    if not known or len(known) < len(some):
        return None
    left, bottom, right, top = zip(*known, strict=True)
    return min(left), min(bottom), max(right), max(top)


class TableReach(Generic[OptionsT]):
    """Where a unit can legally end on an inch table, and at what cost."""

    #: The unit of the costs.
    unit: str = "AP"
    #: No legal end lies farther outside an area than this, in inches.
    tolerance: float = 0.01

    def __init__(self, table: Table[OptionsT], mover: Unit, action: str, most: Any) -> None:
        """Store the question: the table, the mover, the action, and the largest cost."""
        self.table, self.mover, self.action, self.most = table, mover, action, most

    # --- for rulesets to implement ---

    @property
    def levels(self) -> Iterable[Any]:
        """The costs at which bands end, the least first: whole ones, unless the rules count differently."""
        return range(int(self.most) + 1)

    def as_cost(self, cost: float) -> Any:
        """Return a cost as it is written: a whole number, unless the rules count differently."""
        return int(cost)

    def ground_within(self, cost: Any) -> BaseGeometry:
        """Compute where the unit can end for at most a cost: places of its base's centre. Results are cached."""
        raise NotImplementedError(f"{type(self).__name__} does not define where it can end for {cost} {self.unit}")

    def costs_of(self, places: FloatArray) -> FloatArray:
        """Compute the least cost of ending at each of many places (rows x, y); inf where it cannot."""
        raise NotImplementedError(f"{type(self).__name__} does not define the costs of ends")

    def orders_to(self, place: Any) -> list[Order]:
        """Return the orders that take the unit to a place at `cost_at`; raise NoRoute without any."""
        raise NoRoute(f"{self.mover.id} cannot end at {self.pose_of(place)}")

    def against(self, place: XY) -> tuple[Sequence[Breach], str]:
        """Return the reasons why a place is out of reach, the first one first, and a remedy.

        They include reasons why the unit cannot perform the action at all.
        """
        raise NotImplementedError(f"{type(self).__name__} does not explain why {place} is out of reach")

    # --- for rulesets with headings or levels to implement ---

    @property
    def knows_headings(self) -> bool:
        """Whether ends have headings."""
        return self.table.setting.ruleset.reach_headings

    @property
    def knows_levels(self) -> bool:
        """Whether ends have levels."""
        return self.table.setting.ruleset.reach_levels

    @property
    def known_levels(self) -> Sequence[Level]:
        """The levels of ends here, with that of the ground, the lowest first."""
        if self.knows_levels:
            raise NotImplementedError(f"{type(self).__name__} does not define the known levels")
        return (None,)

    def costs_in(self, places: FloatArray, heading: Heading, level: Level) -> FloatArray:
        """Compute the least costs of ending at many places with a heading, on a level, or both; None is any."""
        state = Pose((), heading, level).state_text
        raise NotImplementedError(
            f"{type(self).__name__} does not define the costs of ends{state}, at {len(places)} places"
        )

    def within_in(self, cost: Any, heading: Heading, level: Level) -> BaseGeometry:
        """Return where the unit can end with a heading, on a level, or both, for at most a cost; None is any."""
        state = Pose((), heading, level).state_text
        raise NotImplementedError(
            f"{type(self).__name__} does not define where it can end{state} for {cost} {self.unit}"
        )

    def headings_in(self, place: XY, level: Level) -> Sequence[HeadingRange]:
        """Return the headings in which the unit can end at a place on a level (None is any), each at its least cost.

        Required if the ruleset has headings.
        """
        if self.knows_headings:
            raise NotImplementedError(f"{type(self).__name__} does not define in which headings it can end")
        cost = self.cost_at(Pose(place, level=level))
        return () if cost is None else (HeadingRange.whole(cost),)

    def headings_in_each(self, places: FloatArray, level: Level) -> list[Sequence[HeadingRange]]:
        """Return the same for each of many places; a ruleset may look at all of them together."""
        return [self.headings_in((x, y), level) for x, y in places.tolist()]

    def against_pose(self, pose: Pose) -> tuple[Sequence[Breach], str]:
        """Return the same for a pose with a heading or a level: reasons against the place come first."""
        if self.cost_at(pose.place) is not None:
            raise NotImplementedError(f"{type(self).__name__} does not explain why {pose} is out of reach")
        return self.against(pose.place)

    # --- for rulesets to override ---

    def less_against(self, pose: Pose, missing: float) -> tuple[Sequence[Breach], str]:
        """Return the same if no more than so much is missing; if it is more, some reason by which it is out of reach.

        How much more it is may take long to compute.
        """
        del missing
        return self.against_pose(pose)

    def box_within(self, cost: Any) -> Box | None:
        """Return a box (min x, min y, max x, max y) around all ends for at most a cost; None: it is not known."""
        del cost
        return None

    @property
    def certain_area(self) -> BaseGeometry:
        """The ends that do not depend on dice: all of the area, unless the rules have rolls."""
        return self.area

    def chance_at(self, place: Any) -> Fraction:
        """Return the best chance of ending at a place: 0 if the unit cannot, 1 without dice."""
        return Fraction(int(self.cost_at(place) is not None))

    def chance_bands(self, levels: Sequence[Fraction] | None = None) -> list[tuple[Fraction, BaseGeometry]]:
        """Return the area by chance, disjoint, the surest first: for each level the area with at least that chance."""
        least = [Fraction(1)] if levels is None else chances_given(levels)
        return [(level, self.area) for level in least[:1] if not self.area.is_empty]

    @property
    def has_chances(self) -> bool:
        """Whether an end may depend on dice: only if the ruleset says how chances are computed."""
        return type(self).chance_bands is not TableReach.chance_bands

    def about(self) -> dict[str, Any]:
        """Return properties for GeoJSON besides the mover, the action and the unit."""
        return {}

    # --- areas ---

    @property
    def board(self) -> Board[Any]:
        """The board."""
        return self.table.board

    @cached_property
    def start(self) -> XY:
        """The place of the mover."""
        return float(self.mover.place[0]), float(self.mover.place[1])

    @cached_property
    def area(self) -> BaseGeometry:
        """Where it can end if every roll that can succeed does: places of the base's centre.

        It consists of polygons, and of lines where only a line can be reached.
        """
        return self._within(self.most)

    def ground_for_area(self) -> BaseGeometry:
        """Compute what the area is made of: by default the area."""
        return self.area

    def know_area_of(self, ground: BaseGeometry) -> None:
        """Take what the area is made of from a copy of this process, which has computed it."""
        self._areas[self.most] = ground

    @property
    def knows_area(self) -> bool:
        """Whether the area has been computed."""
        return self.most in self._areas

    def area_in_parts(self) -> Iterator[Callable[[], BaseGeometry]]:
        """Yield what draws more and more of the area: the last one draws all of it. By default there is that alone."""
        area = self.area
        yield lambda: area

    def room(self) -> BaseGeometry:
        """Return ground outside of which it cannot end, which is known at once: by default all of the table."""
        return shapely.box(*self.table.board.bounds)

    @cached_property
    def _areas(self) -> dict[Any, BaseGeometry]:
        return {}

    def _within(self, cost: Any) -> BaseGeometry:
        if cost not in self._areas:
            self._areas[cost] = self.ground_within(cost)
        return self._areas[cost]

    def within(self, cost: Any) -> BaseGeometry:
        """Return where the unit can end for at most a cost: `area` if that is all that it can spend.

        Raise WrongValue for anything but a finite number, 0 or more.
        """
        return self._within(min(self.as_cost(cost_given(cost)), self.most))

    @property
    def outer_area(self) -> BaseGeometry:
        """The area grown by its tolerance: no legal end lies outside it."""
        return self.area.buffer(self.tolerance, quad_segs=16)

    def bands(self, levels: Sequence[Any] | None = None) -> list[tuple[Any, BaseGeometry]]:
        """Return the area by cost, disjoint, the cheapest first."""
        limits = list(self.levels) if levels is None else [self.as_cost(level) for level in costs_given(levels)]
        found: list[tuple[Any, BaseGeometry]] = []
        taken: BaseGeometry = shapely.Polygon()
        for level in limits:
            whole = self._within(min(level, self.most))
            rest = less(whole, taken)
            if not rest.is_empty:
                found.append((level, rest))
            taken = whole
        return found

    def bands_in_parts(self) -> Iterator[object]:
        """Draw part by part what bands are made of: after the last one they are known. By default there is one."""
        yield self.bands()

    def area_of(self, *, heading: Heading = None, level: Level = None) -> BaseGeometry:
        """Return the places of the ends with a heading or on a level; without either it equals `area`."""
        named = self._known(Pose((), heading, level))
        return self.area if named.is_place else self.within_in(self.most, named.heading, named.level)

    def within_besides(
        self, cost: Any, ground: BaseGeometry | None, *, heading: Heading = None, level: Level = None
    ) -> BaseGeometry:
        """Return the ends for at most a cost for who has some ground anyhow: of the ends in it some may be missing."""
        del ground
        if heading is None and level is None:
            return self._within(cost)
        return self.within_in(cost, heading, level)

    def end_near(self, place: XY, level: Level) -> shapely.Point | None:
        """Return an end hardly farther from a place than the nearest; None: none is known before all are drawn."""
        return likely_end([self], place, level)

    def likely_ends(self, level: Level) -> FloatArray:
        """Return places, most of which it can end at on a level (None is any), if they are known without an area."""
        del level
        return np.zeros((0, 2))

    # --- costs ---

    @property
    def whose(self) -> str:
        """The owner of the headings and levels, as named in errors."""
        return f"{self.action.replace('_', ' ')} of {self.table.setting.ruleset.name}"

    def pose_of(self, place: Any) -> Pose:
        """Return a place or pose as a pose.

        Raise NoPlace for anything but a place on a table, and NoPose for a heading or level if ends have none.
        """
        pose = self._known(place)
        return replace(pose, place=inch_place(pose.place))

    def _known(self, place: Any) -> Pose:
        pose = known_pose(place, self.whose, headings=self.knows_headings, levels=self.knows_levels)
        if isinstance(pose.heading, str):
            raise NoPose(f"a heading on a table is a number of degrees, such as 90, not {shortened(pose.heading)}")
        return pose

    def costs_at(self, places: ArrayLike | Sequence[Pose]) -> FloatArray:
        """Compute the least cost of ending at each of many places (rows x, y) or poses; inf where it cannot."""
        return costs_of_poses(places, self.pose_of, self._costs)

    def _costs(self, places: ArrayLike, heading: Heading = None, level: Level = None) -> FloatArray:
        rows = inch_places(places)
        return self.costs_of(rows) if heading is None and level is None else self.costs_in(rows, heading, level)

    def cost_at(self, place: Any) -> Any:
        """Return the least cost of ending at a place or in a pose if all rolls pass; None if it cannot."""
        pose = self.pose_of(place)
        cost = float(self._costs([pose.place], pose.heading, pose.level)[0])
        return None if np.isinf(cost) else self.as_cost(cost)

    def headings_at(self, place: Any) -> tuple[HeadingRange, ...]:
        """Return the headings in which it can end at a place, or for a pose on its level, as ranges of one cost."""
        return self.headings_at_each([place])[0]

    def headings_at_each(self, places: Sequence[Any]) -> list[tuple[HeadingRange, ...]]:
        """Return the same for each of many places or poses, which are looked at together."""
        poses = [self.pose_of(place) for place in listed("places", places, "place", Pose)]
        found: list[tuple[HeadingRange, ...]] = [()] * len(poses)
        for level in dict.fromkeys(pose.level for pose in poses):
            rows = [row for row, pose in enumerate(poses) if pose.level == level]
            some = self.headings_in_each(np.array([poses[row].place for row in rows], np.float64), level)
            for row, ranges in zip(rows, some, strict=True):
                heading = poses[row].heading
                found[row] = tuple(one for one in ranges if heading is None or heading in one)
        return found

    def ends_at(self, place: Any) -> tuple[End, ...]:
        """Return the ends at a place, or those that match a pose, the cheapest first.

        The middle of a range of headings represents it; `headings_at` returns the whole range.
        """
        pose = self.pose_of(place)
        levels = self.known_levels if pose.level is None else (pose.level,)
        found = [
            End(Pose(pose.place, one.middle if pose.heading is None else pose.heading, level), one.cost)
            for level in levels
            for one in self.headings_at(replace(pose, level=level))
        ]
        return tuple(sorted(found, key=attrgetter("cost")))

    def __contains__(self, place: Any) -> bool:
        """Whether it can possibly end at a place; False for anything that is not a place."""
        try:
            return self.cost_at(place) is not None
        except NoPlace:
            return False

    # --- why not there ---

    def why_not(self, place: Any) -> WhyNot:
        """Explain why the unit cannot end at a place; without reasons if it can. Raise NoPlace for a wrong place."""
        pose = self.pose_of(place)
        spot, named = pose.place, None if pose.is_place else pose
        cost = self.cost_at(pose)
        if cost is not None:
            return WhyNot(spot, (), spot, cost, self.unit, pose=named, nearest_pose=named)
        reasons, remedy = self._against(pose)
        nearest = self.nearest_to(spot)
        price = None if nearest is None else self.cost_at(nearest)
        # A way that only a turn at just one place leads along has a cost, but may be missing among the headings.
        ends = () if nearest is None or named is None else self.ends_at(nearest)
        end = ends[0].pose if ends else None
        why = WhyNot(spot, tuple(reasons), nearest, price, self.unit, remedy, named, end)
        alike = None if named is None else self.nearest_to(spot, heading=named.heading, level=named.level)
        if named is None or alike is None:
            return why
        as_asked = replace(named, place=alike)
        return replace(why, nearest_alike=as_asked, alike_cost=self.cost_at(as_asked))

    def refusals(self, place: Any) -> Sequence[Breach]:
        """Return the reasons of `why_not` alone, which take less time than the nearest end besides."""
        pose = self.pose_of(place)
        return () if self.cost_at(pose) is not None else tuple(self._against(pose)[0])

    def _against(self, pose: Pose) -> tuple[Sequence[Breach], str]:
        if pose.is_place:
            return self.against(pose.place)
        unknown = against_unknown(pose, (), self.known_levels if self.knows_levels else ())
        return (unknown, "") if unknown else self.against_pose(pose)

    def nearest_to(self, place: XY, *, heading: Heading = None, level: Level = None) -> XY | None:
        """Return the end nearest to a place, the cheapest of equally near ones; None if it cannot end anywhere.

        With a heading or a level it is the nearest of those ends. It can be ordered as it is written.
        """
        named = self._known(Pose((), heading, level))
        return nearest_end(self, point_given(place), heading=named.heading, level=named.level)

    # --- output ---

    def to_geojson(self) -> dict[str, Any]:
        """Return the area, its certain part, and its bands by cost and by chance, as a feature collection."""
        chances, limit = searched_chance_bands(self)
        features = [
            geojson.feature(_rounded(self.area), "area", unit=self.unit),
            geojson.feature(_rounded(self.certain_area), "certain"),
            *(geojson.feature(_rounded(area), "level", level=level) for level, area in self._by_level()),
            *(geojson.band(_rounded(region), level, self.unit) for level, region in with_ground(self.bands())),
            *(geojson.chance_band(_rounded(region), level) for level, region in with_ground(chances)),
        ]
        missing = {"chances_not_searched": limit} if limit else {}
        return geojson.collection(self, features, **self.about(), tolerance=self.tolerance, **missing)

    def _by_level(self) -> list[tuple[Level, BaseGeometry]]:
        levels = self.known_levels if self.knows_levels else ()
        return with_ground((level, self.area_of(level=level)) for level in levels)

    def __repr__(self) -> str:
        return f"<Reach of {self.mover.id} with {measure(self.most, self.unit)} ({self.action}) on {self.board!r}>"

    def _repr_svg_(self) -> str | None:
        return pictures.picture_of(self)


def _rounded(shape: BaseGeometry) -> BaseGeometry:
    return shapely.set_precision(shape, _PRECISION)


def know_areas(answers: Iterable[ReachAnswer]) -> None:
    """Compute the areas of several answers on tables, several processes at once."""
    new = [answer for answer in answers if isinstance(answer, TableReach) and not answer.knows_area]
    # Begun last, what takes longest would keep all but one process waiting.
    new.sort(key=lambda one: float(one.most), reverse=True)
    for answer, ground in zip(new, on_every_core(lambda one: one.ground_for_area(), new), strict=True):
        answer.know_area_of(ground)
