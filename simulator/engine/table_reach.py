"""What every answer of reach on an inch table has in common, whatever the rulebook: a `ReachAnswer` to derive from.

A ruleset says where a unit can end for how much: single places by `costs_at`, ground by `within`, for each of its
`levels`; by which `orders_to`; and `against` a place what the rules have to say. Areas, bands, the nearest end and
GeoJSON are here. Where dice decide it says `certain_area`, `chance_at` and `chance_bands`, too.

Areas may fall short of the last end by up to `tolerance`, and never hold a place that is no end.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property
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
from simulator.engine.reach import WhyNot, searched_chance_bands
from simulator.engine.state import Unit
from simulator.engine.table import Table
from simulator.errors import NoPlace
from simulator.geometry.board import Board
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.shapes import less
from simulator.geometry.table import inch_place
from simulator.pathing.traces import NoRoute
from simulator.wording import measure

#: Places are told in so many digits where hundredths of an inch will not do.
_DIGITS = 4
#: Hundredths of an inch around one: outlines are exact to one of them, and telling rounds by half of one.
_AROUND = np.stack(np.meshgrid(np.arange(-3, 4), np.arange(-3, 4)), -1).reshape(-1, 2) / 100
#: Corners of areas in GeoJSON are told to this, in inches.
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
        """Return a cost as it is told: a whole number, unless the rules count otherwise."""
        return int(cost)

    def within(self, cost: Any) -> BaseGeometry:
        """Return where the unit can end for so much at most: places of its base's centre. Each is asked for once."""
        raise NotImplementedError(f"{type(self).__name__} does not say what {cost} {self.unit} lead to")

    def costs_at(self, places: ArrayLike) -> FloatArray:
        """Compute for each of many places (rows x, y) the least cost of ending there; inf where it can not."""
        raise NotImplementedError(f"{type(self).__name__} does not say what it costs to end somewhere")

    def orders_to(self, place: Any) -> list[Order]:
        """Return the orders that take the unit to a place at `cost_at`; raises NoRoute where there are none."""
        x, y = inch_place(place)
        raise NoRoute(f"{self.mover.id} can not end at {x:g},{y:g}")

    def against(self, place: XY) -> tuple[Sequence[Breach], str]:
        """Return the reasons why a place is out of reach, the first one first, and what would help.

        Why the unit can not do at all what is asked about is a reason, too.
        """
        raise NotImplementedError(f"{type(self).__name__} does not say why {place} is out of reach")

    @property
    def certain_area(self) -> BaseGeometry:
        """Where it ends whatever the dice: all of the area, unless the rules have rolls."""
        return self.area

    def chance_at(self, place: Any) -> Fraction:
        """Return the best chance of ending at a place: 0 where the unit can not, 1 where no dice come between."""
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
        wanted = list(self.levels) if levels is None else [self.as_cost(level) for level in levels]
        found: list[tuple[Any, BaseGeometry]] = []
        taken: BaseGeometry = shapely.Polygon()
        for level in wanted:
            whole = self._within(min(level, self.most))
            rest = less(whole, taken)
            if not rest.is_empty:
                found.append((level, rest))
            taken = whole
        return found

    # --- at what cost ---

    def cost_at(self, place: Any) -> Any:
        """Return the least cost of ending at a place, all rolls made; None where it can not."""
        cost = float(self.costs_at([inch_place(place)])[0])
        return None if np.isinf(cost) else self.as_cost(cost)

    def __contains__(self, place: Any) -> bool:
        """Whether it can possibly end at a place; what is no place is in no reach."""
        try:
            return self.cost_at(place) is not None
        except NoPlace:
            return False

    # --- why not there ---

    def why_not(self, place: Any) -> WhyNot:
        """Explain why the unit can not end at a place; the answer holds no reason where it can. Raises NoPlace."""
        spot = inch_place(place)
        cost = self.cost_at(spot)
        if cost is not None:
            return WhyNot(spot, (), spot, cost, self.unit)
        reasons, remedy = self.against(spot)
        nearest = self.nearest_to(spot)
        price = None if nearest is None else self.cost_at(nearest)
        return WhyNot(spot, tuple(reasons), nearest, price, self.unit, remedy)

    def nearest_to(self, place: XY) -> XY | None:
        """Return the end nearest to a place, the cheapest of those as near; None where it can not end anywhere.

        It is one that can be said in hundredths of an inch wherever there is one, and else as it is told: so it can be
        ordered.
        """
        if self.area.is_empty:
            return self.start if self.cost_at(self.start) is not None else None
        there = shapely.Point(place)
        away = self.area.distance(there) + self.tolerance
        band = next(band for _, band in self.bands() if band.distance(there) <= away)
        found, _ = nearest_points(band, there)
        spots = np.round((found.x, found.y), 2) + _AROUND
        costs = self.costs_at(spots)
        far = np.hypot(*(spots - place).T)
        far[~np.isfinite(costs)] = np.inf
        first = np.lexsort((costs, far.round(6)))[0]
        if np.isfinite(far[first]):
            x, y = np.round(spots[first], 2).tolist()
            return x, y
        finer = np.round((found.x, found.y), _DIGITS) + _AROUND / 100
        # Where ends are lines, as where a run has to be of one length, only their corners may be exact ends.
        for spots in (finer, np.array([(found.x, found.y)]), shapely.get_coordinates(band)):
            ends = spots[np.isfinite(self.costs_at(spots))]
            if len(ends):
                x, y = ends[np.hypot(*(ends - place).T).argmin()].tolist()
                told = round(x, _DIGITS), round(y, _DIGITS)
                return told if self.cost_at(told) is not None else (x, y)
        return None

    # --- shown ---

    def to_geojson(self) -> dict[str, Any]:
        """Return the area, what of it is certain, and its bands by cost and by chance, as a feature collection."""
        chances, limit = searched_chance_bands(self)
        features = [
            geojson.feature(_told(self.area), "area", unit=self.unit),
            geojson.feature(_told(self.certain_area), "certain"),
            *(geojson.band(_told(region), level, self.unit) for level, region in with_ground(self.bands())),
            *(geojson.chance_band(_told(region), level) for level, region in with_ground(chances)),
        ]
        missing = {"chances_not_searched": limit} if limit else {}
        return geojson.collection(self, features, **self.about(), tolerance=self.tolerance, **missing)

    def __repr__(self) -> str:
        return f"<Reach of {self.mover.id} with {measure(self.most, self.unit)} ({self.action}) on {self.board!r}>"

    def _repr_svg_(self) -> str | None:
        return pictures.picture_of(self)


def _told(shape: BaseGeometry) -> BaseGeometry:
    return shapely.set_precision(shape, _TOLD)
