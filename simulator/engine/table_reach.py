"""What every answer of reach on an inch table has in common, whatever the rulebook: a `ReachAnswer` to derive from.

A ruleset says where a unit can end for how much: single places by `costs_of`, ground by `within`, for each of its
`levels`; by which `orders_to`; and `against` a place what the rules have to say. Areas, bands, the nearest end and
GeoJSON are here. Where dice decide it says `certain_area`, `chance_at` and `chance_bands`, too.

Where ends have headings or levels, `reach_headings` or `reach_levels` of the ruleset says so, and the answer says the
same of single poses: `costs_in`, `within_in`, `headings_in` or `known_levels`, and `against_pose`.

Areas may fall short of the last end by up to `tolerance`, and never hold a place that is no end.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from operator import attrgetter
from typing import Any, Generic

import numpy as np
import shapely
from numpy.typing import ArrayLike
from shapely.geometry.base import BaseGeometry
from shapely.ops import nearest_points

from simulator import pictures
from simulator.engine import geojson
from simulator.engine.areas import with_ground
from simulator.engine.errors import Breach
from simulator.engine.options import OptionsT
from simulator.engine.orders import Order
from simulator.engine.reach import WhyNot, against_unknown, searched_chance_bands
from simulator.engine.state import Unit
from simulator.engine.table import Table
from simulator.errors import NoPlace
from simulator.geometry.board import Board
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.poses import Heading, Level, Pose, known_pose
from simulator.geometry.shapes import less
from simulator.geometry.table import inch_place, inch_places
from simulator.pathing.ends import End, HeadingRange, costs_of_poses
from simulator.pathing.traces import NoRoute
from simulator.wording import measure

#: Places are written in so many digits where hundredths of an inch will not do.
_DIGITS = 4
#: Hundredths of an inch around one: outlines are exact to one of them, and telling rounds by half of one.
_AROUND = np.stack(np.meshgrid(np.arange(-3, 4), np.arange(-3, 4)), -1).reshape(-1, 2) / 100
#: Corners of areas in GeoJSON are written to this, in inches.
_TOLD = 1e-6


class TableReach(Generic[OptionsT]):
    """Where a unit can legally end on an inch table, and at what cost."""

    #: What the costs count.
    unit: str = "AP"
    #: Nothing that the rules allow lies farther outside an area than this, in inches.
    tolerance: float = 0.01

    def __init__(self, table: Table[OptionsT], mover: Unit, action: str, most: Any) -> None:
        """Take the question: who moves on what table, by which action, for at most how much."""
        self.table, self.mover, self.action, self.most = table, mover, action, most

    # --- what a ruleset says ---

    @property
    def levels(self) -> Iterable[Any]:
        """The costs that bands are drawn by, the least first: whole ones, unless the rules count otherwise."""
        return range(int(self.most) + 1)

    def as_cost(self, cost: float) -> Any:
        """Return a cost as it is written: a whole number, unless the rules count otherwise."""
        return int(cost)

    def within(self, cost: Any) -> BaseGeometry:
        """Return where the unit can end for so much at most: places of its base's centre. Each is asked for once."""
        raise NotImplementedError(f"{type(self).__name__} does not say what {cost} {self.unit} lead to")

    def costs_of(self, places: FloatArray) -> FloatArray:
        """Compute for each of many places (rows x, y) the least cost of ending there; inf where it cannot."""
        raise NotImplementedError(f"{type(self).__name__} does not say what it costs to end somewhere")

    def orders_to(self, place: Any) -> list[Order]:
        """Return the orders that take the unit to a place at `cost_at`; raises NoRoute where there are none."""
        raise NoRoute(f"{self.mover.id} cannot end at {self.pose_of(place)}")

    def against(self, place: XY) -> tuple[Sequence[Breach], str]:
        """Return the reasons why a place is out of reach, the first one first, and what would help.

        Why the unit cannot do at all what is asked about is a reason, too.
        """
        raise NotImplementedError(f"{type(self).__name__} does not explain why {place} is out of reach")

    # --- what a ruleset says of headings and levels ---

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
        """The levels that ends may have here, that of the ground among them, the lowest first."""
        if self.knows_levels:
            raise NotImplementedError(f"{type(self).__name__} does not say which levels there are")
        return (None,)

    def costs_in(self, places: FloatArray, heading: Heading, level: Level) -> FloatArray:
        """Compute for many places the least costs of ending with a heading, on a level, or both; None is any."""
        state = Pose((), heading, level).state_text
        raise NotImplementedError(
            f"{type(self).__name__} does not say what it costs to end{state}, at {len(places)} places"
        )

    def within_in(self, cost: Any, heading: Heading, level: Level) -> BaseGeometry:
        """Return where the unit can end with a heading, on a level, or both, for so much at most; None is any."""
        state = Pose((), heading, level).state_text
        raise NotImplementedError(f"{type(self).__name__} does not say where it can end{state} for {cost} {self.unit}")

    def headings_in(self, place: XY, level: Level) -> Sequence[HeadingRange]:
        """Return the headings in which the unit can end at a place on a level, None is any, each at its least cost.

        Where headings are known this has to be said.
        """
        if self.knows_headings:
            raise NotImplementedError(f"{type(self).__name__} does not say in which headings it can end")
        cost = self.cost_at(Pose(place, level=level))
        return () if cost is None else (HeadingRange.whole(cost),)

    def against_pose(self, pose: Pose) -> tuple[Sequence[Breach], str]:
        """Return the same for a pose that names a heading or a level: what closes the place comes first."""
        if self.cost_at(pose.place) is not None:
            raise NotImplementedError(f"{type(self).__name__} does not explain why {pose} is out of reach")
        return self.against(pose.place)

    # --- what else a ruleset may say ---

    @property
    def certain_area(self) -> BaseGeometry:
        """Where it ends whatever the dice: all of the area, unless the rules have rolls."""
        return self.area

    def chance_at(self, place: Any) -> Fraction:
        """Return the best chance of ending at a place: 0 where the unit cannot, 1 where no dice come between."""
        return Fraction(int(place in self))

    def chance_bands(self, levels: Sequence[Fraction] | None = None) -> list[tuple[Fraction, BaseGeometry]]:
        """Return the area by chance, disjoint, the surest first: for each level what has at least that chance."""
        found = [(Fraction(1), self.area)] if levels is None else [(level, self.area) for level in levels[:1]]
        return [(level, area) for level, area in found if not area.is_empty]

    def about(self) -> dict[str, Any]:
        """Return what a GeoJSON of the answer says of the question besides the mover, the action and the unit."""
        return {}

    # --- where ---

    @property
    def board(self) -> Board[Any]:
        """The table it stands on."""
        return self.table.board

    @cached_property
    def start(self) -> XY:
        """Where it stands."""
        return float(self.mover.place[0]), float(self.mover.place[1])

    @cached_property
    def area(self) -> BaseGeometry:
        """Where it can end if every roll succeeds that can: places of the base's centre.

        Polygons, and lines where only a line can be reached.
        """
        return self._within(self.most)

    @cached_property
    def _areas(self) -> dict[Any, BaseGeometry]:
        return {}

    def _within(self, cost: Any) -> BaseGeometry:
        if cost not in self._areas:
            self._areas[cost] = self.within(cost)
        return self._areas[cost]

    @property
    def outer_area(self) -> BaseGeometry:
        """The area grown by its tolerance: nothing that the rules allow lies outside it."""
        return self.area.buffer(self.tolerance, quad_segs=16)

    def bands(self, levels: Sequence[Any] | None = None) -> list[tuple[Any, BaseGeometry]]:
        """Return the area by cost, disjoint, the cheapest first."""
        limits = list(self.levels) if levels is None else [self.as_cost(level) for level in levels]
        found: list[tuple[Any, BaseGeometry]] = []
        taken: BaseGeometry = shapely.Polygon()
        for level in limits:
            whole = self._within(min(level, self.most))
            rest = less(whole, taken)
            if not rest.is_empty:
                found.append((level, rest))
            taken = whole
        return found

    def area_of(self, *, heading: Heading = None, level: Level = None) -> BaseGeometry:
        """Return the places of the ends with a heading, or on a level; of all of them it is `area`."""
        named = self._known(Pose((), heading, level))
        return self.area if named.is_place else self.within_in(self.most, named.heading, named.level)

    # --- at what cost ---

    @property
    def whose(self) -> str:
        """Whose headings and levels these are, as errors say it."""
        return f"{self.action.replace('_', ' ')} of {self.table.setting.ruleset.name}"

    def pose_of(self, place: Any) -> Pose:
        """Return a place or pose that is asked about as a pose.

        Raises NoPlace for what is no place on a table, and NoPose for a heading or level where ends have none.
        """
        pose = self._known(place)
        return replace(pose, place=inch_place(pose.place))

    def _known(self, place: Any) -> Pose:
        return known_pose(place, self.whose, headings=self.knows_headings, levels=self.knows_levels)

    def costs_at(self, places: ArrayLike | Sequence[Pose]) -> FloatArray:
        """Compute for many places (rows x, y) or poses the least cost of ending there each; inf where it cannot."""
        return costs_of_poses(places, self.pose_of, self._costs)

    def _costs(self, places: ArrayLike, heading: Heading = None, level: Level = None) -> FloatArray:
        rows = inch_places(places)
        return self.costs_of(rows) if heading is None and level is None else self.costs_in(rows, heading, level)

    def cost_at(self, place: Any) -> Any:
        """Return the least cost of ending at a place or in a pose, all rolls made; None where it cannot."""
        pose = self.pose_of(place)
        cost = float(self._costs([pose.place], pose.heading, pose.level)[0])
        return None if np.isinf(cost) else self.as_cost(cost)

    def headings_at(self, place: Any) -> tuple[HeadingRange, ...]:
        """Return the headings in which it can end at a place, or of a pose on its level, in ranges of one cost."""
        pose = self.pose_of(place)
        found = self.headings_in(pose.place, pose.level)
        return tuple(one for one in found if pose.heading is None or pose.heading in one)

    def ends_at(self, place: Any) -> tuple[End, ...]:
        """Return the ends at a place, or of a pose those that it means, the cheapest first.

        The middle of a range of headings stands for all of it; `headings_at` has it whole.
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
        """Whether it can possibly end at a place; what is no place is in no reach."""
        try:
            return self.cost_at(place) is not None
        except NoPlace:
            return False

    # --- why not there ---

    def why_not(self, place: Any) -> WhyNot:
        """Explain why the unit cannot end at a place; the answer holds no reason where it can. Raises NoPlace."""
        pose = self.pose_of(place)
        spot, named = pose.place, None if pose.is_place else pose
        cost = self.cost_at(pose)
        if cost is not None:
            return WhyNot(spot, (), spot, cost, self.unit, pose=named, nearest_pose=named)
        reasons, remedy = self.against(spot) if named is None else self._against_named(named)
        nearest = self.nearest_to(spot)
        price = None if nearest is None else self.cost_at(nearest)
        end = None if nearest is None or named is None else self.ends_at(nearest)[0].pose
        return WhyNot(spot, tuple(reasons), nearest, price, self.unit, remedy, named, end)

    def _against_named(self, pose: Pose) -> tuple[Sequence[Breach], str]:
        unknown = against_unknown(pose, (), self.known_levels if self.knows_levels else ())
        return (unknown, "") if unknown else self.against_pose(pose)

    def nearest_to(self, place: XY) -> XY | None:
        """Return the end nearest to a place, the cheapest of those as near; None where it cannot end anywhere.

        It is one that can be said in hundredths of an inch wherever there is one, and else as it is written: so it can
        be ordered.
        """
        if self.area.is_empty:
            return self.start if self.cost_at(self.start) is not None else None
        there = shapely.Point(place)
        away = self.area.distance(there) + self.tolerance
        band = next(band for _, band in self.bands() if band.distance(there) <= away)
        found, _ = nearest_points(band, there)
        spots = np.round((found.x, found.y), 2) + _AROUND
        costs = self._costs(spots)
        far = np.hypot(*(spots - place).T)
        far[~np.isfinite(costs)] = np.inf
        first = np.lexsort((costs, far.round(6)))[0]
        if np.isfinite(far[first]):
            x, y = np.round(spots[first], 2).tolist()
            return x, y
        finer = np.round((found.x, found.y), _DIGITS) + _AROUND / 100
        # Where ends are lines, as where a run has to be of one length, only their corners may be exact ends.
        for spots in (finer, np.array([(found.x, found.y)]), shapely.get_coordinates(band)):
            ends = spots[np.isfinite(self._costs(spots))]
            if len(ends):
                x, y = ends[np.hypot(*(ends - place).T).argmin()].tolist()
                rounded = round(x, _DIGITS), round(y, _DIGITS)
                return rounded if self.cost_at(rounded) is not None else (x, y)
        return None

    # --- shown ---

    def to_geojson(self) -> dict[str, Any]:
        """Return the area, what of it is certain, and its bands by cost and by chance, as a feature collection."""
        chances, limit = searched_chance_bands(self)
        features = [
            geojson.feature(_told(self.area), "area", unit=self.unit),
            geojson.feature(_told(self.certain_area), "certain"),
            *(geojson.feature(_told(area), "level", level=level) for level, area in self._by_level()),
            *(geojson.band(_told(region), level, self.unit) for level, region in with_ground(self.bands())),
            *(geojson.chance_band(_told(region), level) for level, region in with_ground(chances)),
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


def _told(shape: BaseGeometry) -> BaseGeometry:
    return shapely.set_precision(shape, _TOLD)
