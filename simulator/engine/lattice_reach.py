"""The common part of reach answers on squares and dots for all rulebooks: a `ReachAnswer` to derive from.

A ruleset searches the move space of a unit and implements what only it knows: `orders_to` and `against`, and if dice
decide `chance_at`, `known_chances` and `surely`. Areas, bands, the nearest end and GeoJSON are here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from simulator.engine import geojson
from simulator.engine.areas import middles, with_ground
from simulator.engine.errors import Breach
from simulator.engine.given import chances_given, point_given
from simulator.engine.orders import Order
from simulator.engine.reach import WhyNot, against_unknown
from simulator.engine.state import Unit
from simulator.engine.table import Table
from simulator.geometry.board import Lattice
from simulator.geometry.poses import Heading, Level, Pose, known_pose
from simulator.later import Later
from simulator.pathing.costs import Costs
from simulator.pathing.move_space import UNREACHED, Mask
from simulator.pathing.reach import Reach, spread
from simulator.pathing.traces import NoRoute
from simulator.wording import figure

if TYPE_CHECKING:
    import shapely
    from shapely.geometry.base import BaseGeometry
else:
    shapely = Later("shapely")

Cell = tuple[int, int]


class LatticeReach(Reach):
    """Where a unit can legally end on squares or dots. `refused` lists why it cannot move this way at all, if so."""

    def __init__(
        self,
        table: Table[Any],
        costs: Costs | Callable[[], Costs],
        mover: Unit,
        action: str,
        *,
        unit: str | None = None,
        per_unit: int = 1,
        refused: Sequence[Breach] = (),
        corner: tuple[int, int] = (0, 0),
    ) -> None:
        super().__init__(cast(Lattice, table.board), costs, unit=unit, per_unit=per_unit, corner=corner)
        self.table, self.mover, self.action, self.refused = table, mover, action, tuple(refused)

    @property
    def whose(self) -> str:
        """The owner of the headings and levels, as named in errors."""
        return f"{self.action.replace('_', ' ')} of {self.table.setting.ruleset.name}"

    # --- for rulesets to implement ---

    def orders_to(self, place: Any) -> list[Order]:
        """Return the orders that take the unit to a place at `cost_at`; raise NoRoute without any."""
        raise NoRoute(f"{self.mover.id} cannot end at {self.pose_of(place)}")

    def against(self, place: Any) -> tuple[Sequence[Breach], str]:
        """Return the reasons why a place on the board is out of reach, the first one first, and a remedy."""
        raise NotImplementedError(f"{type(self).__name__} does not explain why {place} is out of reach")

    def against_pose(self, pose: Pose) -> tuple[Sequence[Breach], str]:
        """Return the same for a pose with a heading or a level: reasons against the place come first."""
        if self.mask[self.board.index(pose.place)]:
            raise NotImplementedError(f"{type(self).__name__} does not explain why {pose} is out of reach")
        return self.against(pose.place)

    def chance_at(self, place: Any) -> Fraction:
        """Return the best chance of ending at a place: 0 if the unit cannot, 1 without dice."""
        return Fraction(int(self.cost_at(place) is not None))

    @property
    def known_chances(self) -> Sequence[Fraction]:
        """The different chances of ends, in order."""
        return [Fraction(1)] if self.mask.any() else []

    def surely(self, chance: Fraction) -> Mask:
        """Return the cells in which the unit can end with at least a chance; only those in `mask` count."""
        return self.mask if chance <= 1 else np.zeros_like(self.mask)

    def distances_to(self, place: Cell, columns: NDArray[np.int64], rows: NDArray[np.int64]) -> NDArray[Any]:
        """Compute the distances of cells from a place: in the plane, unless the rules count differently."""
        x, y = middles(self.board)
        to_x, to_y = self.board.centre(place)
        return np.hypot(x[rows, columns] - to_x, y[rows, columns] - to_y)

    # --- why not there ---

    def why_not(self, place: Any) -> WhyNot:
        """Explain why the unit cannot end at a place; without reasons if it can. Raise NoPlace for a wrong place."""
        pose = self.pose_of(place)
        if (cost := self.cost_at(pose)) is not None:
            return self.reached(pose, cost)
        if self.refused:
            return self.explained(pose, self.refused)
        if unknown := against_unknown(pose, *self._known_of_poses):
            return self.explained(pose, unknown)
        return self.explained(pose, *(self.against(pose.place) if pose.is_place else self.against_pose(pose)))

    @cached_property
    def _known_of_poses(self) -> tuple[list[Any], list[Any]]:
        """The headings, and the levels that have names."""
        headings = [heading for heading in self.costs.space.headings if heading is not None]
        levels = [] if self.end_levels is None else list(dict.fromkeys(self.end_levels.ravel().tolist()))
        named = [level for level in levels if isinstance(level, str)]
        return headings, named

    def reached(self, pose: Pose, cost: Any) -> WhyNot:
        """Return the answer for a place or pose without reasons against it: it is the nearest end itself."""
        named = None if pose.is_place else pose
        return WhyNot(pose.place, (), pose.place, cost, self.unit, pose=named, nearest_pose=named)

    def explained(self, pose: Pose, reasons: Sequence[Breach], remedy: str = "") -> WhyNot:
        """Return the answer with the reasons, a remedy, and the nearest legal end."""
        named, nearest = None if pose.is_place else pose, self.nearest_to(pose.place)
        if nearest is None:
            return WhyNot(pose.place, tuple(reasons), unit=self.unit, remedy=remedy, pose=named)
        end = self.ends_at(nearest)[0]
        why = WhyNot(pose.place, tuple(reasons), nearest, end.cost, self.unit, remedy, named)
        if named is None:
            return why
        alike = self.nearest_to(pose.place, heading=pose.heading, level=pose.level)
        as_asked = None if alike is None else replace(pose, place=alike)
        return replace(
            why,
            nearest_pose=end.pose,
            nearest_alike=as_asked,
            alike_cost=None if as_asked is None else self.cost_at(as_asked),
        )

    def nearest_to(self, place: Any, *, heading: Heading = None, level: Level = None) -> Cell | None:
        """Return the legal end nearest to a place, the cheapest of several; None if there are no ends.

        With a heading or a level it is the nearest of those ends.
        """
        named = known_pose(Pose((), heading, level), self.whose, headings=self.knows_headings, levels=self.knows_levels)
        cheapest = self.cheapest_in(named.heading, named.level)
        mask = self.mask & (cheapest < UNREACHED)
        place = point_given(place)
        return nearest_end(self.board, mask, cheapest, partial(self.distances_to, place))

    # --- areas ---

    def chance_bands(self, levels: Sequence[Fraction] | None = None) -> list[tuple[Fraction, BaseGeometry]]:
        """Return the area by chance, disjoint, the surest first: for each level the area with at least that chance.

        Without levels there is a band for each chance, six at most.
        """
        return bands_of_chance(self.board, self.mask, self.known_chances, self.surely, levels)

    def end_fields(self) -> list[dict[str, Any]]:
        """Return every end as plain data: its place, state, cost and chance."""
        return [
            {"place": list(end.place), "heading": end.heading, **({"level": end.level} if self.knows_levels else {})}
            | {"phase": end.phase, "cost": figure(end.cost), "chance": figure(self.chance_at(end.pose))}
            for end in self.ends
        ]

    def to_geojson(self) -> dict[str, Any]:
        """Return the area, its bands by cost and by chance, and every end as a feature collection in the plane."""
        features = [
            geojson.feature(self.area, "area", places=len(self), unit=self.unit),
            *(geojson.band(region, level, self.unit) for level, region in with_ground(self.bands())),
            *(geojson.chance_band(region, level) for level, region in with_ground(self.chance_bands())),
            *(
                geojson.feature(shapely.Point(*self.board.centre((end["place"][0], end["place"][1]))), "end", **end)
                for end in self.end_fields()
            ),
        ]
        return geojson.collection(self, features)

    def __repr__(self) -> str:
        text = f"{len(self)} places, found by {self.costs.method or 'nobody'}"
        return f"<Reach of {self.mover.id} by {self.action}: {text}>"


def nearest_end(
    board: Lattice,
    mask: Mask,
    costs: NDArray[np.int64],
    distances: Callable[[NDArray[np.int64], NDArray[np.int64]], NDArray[Any]],
) -> Cell | None:
    """Return the place of a mask with the least distance, the cheapest of several; None if the mask is empty.

    `distances` receives columns and rows of the arrays.
    """
    rows, columns = np.nonzero(mask)
    if not len(rows):
        return None
    first = np.lexsort((columns, rows, costs[rows, columns], distances(columns, rows)))[0]
    return board.place_at(int(rows[first]), int(columns[first]))


def bands_of_chance(
    board: Lattice,
    mask: Mask,
    known: Sequence[Fraction],
    surely: Callable[[Fraction], Mask],
    levels: Sequence[Fraction] | None = None,
) -> list[tuple[Fraction, BaseGeometry]]:
    """Cut the ends of a mask into bands by chance, the surest first; `surely` returns the cells with at least a chance.

    Without levels there is a band for each known chance, six at most.
    """
    limits = [known[number] for number in spread(len(known))] if levels is None else chances_given(levels)
    taken = np.zeros_like(mask)
    found: list[tuple[Fraction, BaseGeometry]] = []
    for level in sorted(limits, reverse=True):
        within = mask & surely(Fraction(level))
        found.append((Fraction(level), board.region_of(within & ~taken)))
        taken |= within
    return found
