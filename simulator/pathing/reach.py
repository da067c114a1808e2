"""Reach as an answer: every place where a unit may legally end, with its cost, heading and way.

States that share a place are distinct in `ends` and in `route_to`; only pictures and areas show them as one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from math import floor
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simulator import pictures
from simulator.errors import WrongValue, shortened, text_given
from simulator.geometry.board import Lattice, as_lattice
from simulator.geometry.poses import Heading, Level, Pose, known_pose, place_text
from simulator.later import Later
from simulator.pathing import queries
from simulator.pathing.costs import Costs
from simulator.pathing.costs_given import costs_given
from simulator.pathing.ends import End, HeadingRange, costs_of_poses
from simulator.pathing.kernel.prepared import Query
from simulator.pathing.move_space import UNREACHED, Mask, MoveSpace
from simulator.pathing.route import Route, route_of
from simulator.pathing.search import Engine, Searcher, search
from simulator.pathing.traces import NoRoute, Trace, moved_along
from simulator.wording import figure

if TYPE_CHECKING:
    import shapely
    from shapely.geometry.base import BaseGeometry
else:
    shapely = Later("shapely")

Place = tuple[int, int]


class Touched(NamedTuple):
    """A part of a board: the row and column of its first cell, and the costs of ending there, [layer, row, column]."""

    row: int
    column: int
    ends: NDArray[np.int64]

    @property
    def cells(self) -> tuple[slice, slice]:
        """The rows and columns of the board that it covers."""
        _, rows, columns = self.ends.shape
        return slice(self.row, self.row + rows), slice(self.column, self.column + columns)

    def at(self, row: int, column: int) -> NDArray[np.int64]:
        """Return the costs of all layers at a cell of the board, `UNREACHED` outside the part."""
        layers, rows, columns = self.ends.shape
        down, across = row - self.row, column - self.column
        if 0 <= down < rows and 0 <= across < columns:
            costs: NDArray[np.int64] = self.ends[:, down, across]
            return costs
        return np.full(layers, UNREACHED)


class Reach:
    """The legal ends of one query on a lattice board.

    `per_unit` integers of the search make one `unit` (2 if the search counts half inches and the unit is inches). If
    only the part of the board within the budget was searched, `corner` is the row and column of its first cell. Costs
    not searched yet are passed as a function, which is called when they are needed.
    """

    def __init__(
        self,
        board: Lattice,
        costs: Costs | Callable[[], Costs],
        *,
        unit: str | None = None,
        per_unit: int = 1,
        corner: tuple[int, int] = (0, 0),
    ) -> None:
        self.board = board
        self._costs = costs
        self.corner = corner
        self.unit = unit or self.costs.space.unit
        self.per_unit = per_unit

    # -- questions ------------------------------------------------------------------------------------------------

    @cached_property
    def costs(self) -> Costs:
        """The costs of every state searched."""
        return self._costs if isinstance(self._costs, Costs) else self._costs()

    @cached_property
    def touched(self) -> Touched:
        """The part of the board that the search could touch, with the least cost of ending in each of its states."""
        costs = self.costs
        (rows, columns), inside = costs.overlap
        ends = np.where(costs.ends, costs.array, UNREACHED)[:, inside[0], inside[1]]
        return Touched(rows.start + self.corner[0], columns.start + self.corner[1], ends)

    @cached_property
    def array(self) -> NDArray[np.int64]:
        """For numpy: the least cost of ending in each state [layer, row, column], in the search's integers.

        `UNREACHED` (the largest int64) where the unit cannot end. Layers are those of the move space. The array covers
        the whole board in each layer; `touched` only the part that the search could touch.
        """
        array = np.full((len(self.touched.ends), *self.board.shape), UNREACHED)
        array[:, *self.touched.cells] = self.touched.ends
        array.setflags(write=False)
        return array

    @cached_property
    def cheapest(self) -> NDArray[np.int64]:
        """For numpy: the least of `array` over headings and phases, [row, column]."""
        (rows, columns), _ = self.costs.overlap
        row, column = self.corner
        cheapest = np.full(self.board.shape, UNREACHED)
        part = cheapest[row + rows.start : row + rows.stop, column + columns.start : column + columns.stop]
        part[:] = self._cheapest_ends()
        return cheapest

    def _cheapest_ends(self) -> NDArray[np.int64]:
        """Return the least costs of ending in the cells that the search could touch."""
        return self.costs.least_end_costs()

    @cached_property
    def mask(self) -> NDArray[np.bool_]:
        """For numpy: a mask of where the unit may end, [row, column]."""
        return np.asarray(self.cheapest < UNREACHED)

    def __contains__(self, place: Any) -> bool:
        """Whether the unit may end at a place or in a pose; False for anything that is not a place."""
        if type(place) is not Pose:
            place = self.board.own_place(place if type(place) is tuple else Pose.of(place).place)
            return place in self.board and bool(self.mask[self.board.index(place)])
        if self.board.own_place(place.place) not in self.board:
            return False
        return self._cheapest_end(self.pose_of(place), None)[1] < UNREACHED

    def __len__(self) -> int:
        return int(np.count_nonzero(self.mask))

    def __iter__(self) -> Iterator[Place]:
        """Yield all places where the unit may end, in the order of the board."""
        return iter(self.places)

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """All places where the unit may end, row by row."""
        return tuple(self.board.place_at(row, column) for row, column in np.argwhere(self.mask).tolist())

    @cached_property
    def ends(self) -> tuple[End, ...]:
        """All ends, one for each state, row by row, by cost."""
        found = self.touched.ends
        layers, rows, columns = np.nonzero(found < UNREACHED)
        prices = found[layers, rows, columns]
        rows, columns = rows + self.touched.row, columns + self.touched.column
        order = np.lexsort((layers, prices, columns, rows))
        labels, levels = self.costs.space.layer_labels, self.end_levels
        return tuple(
            self._end(layer, row, column, price, labels, levels)
            for layer, row, column, price in np.stack([layers, rows, columns, prices], 1)[order].tolist()
        )

    def _end(
        self, layer: int, row: int, column: int, price: int, labels: Sequence[tuple[Heading, str]], levels: Any
    ) -> End:
        heading, phase = labels[layer]
        level = None if levels is None else _at_cell(levels[min(layer, len(levels) - 1), None], row, column).item()
        return End(Pose(self.board.place_at(row, column), heading, level), Fraction(price, self.per_unit), phase)

    # -- places and poses -----------------------------------------------------------------------------------------

    @property
    def knows_headings(self) -> bool:
        """Whether ends have headings."""
        return self.costs.space.headings != (None,)

    @property
    def knows_levels(self) -> bool:
        """Whether ends have levels."""
        return self.end_levels is not None

    @property
    def end_levels(self) -> NDArray[Any] | None:
        """For numpy: the level of each state [layer, row, column], with axes of length 1 where all are equal.

        None if there are no levels.
        """
        return None

    @property
    def whose(self) -> str:
        """The owner of headings and levels, for error messages."""
        return "this reach"

    def pose_of(self, place: Place | Pose) -> Pose:
        """Return a place or pose as a pose; raise NoPose for a heading or level if ends have none."""
        pose = known_pose(place, self.whose, headings=self.knows_headings, levels=self.knows_levels)
        own = self.board.own_place(pose.place)
        return pose if own is pose.place else replace(pose, place=own)

    @cached_property
    def _labels(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """The headings and the phases of the layers."""
        labels = self.costs.space.layer_labels
        return np.array([heading for heading, _ in labels], object), np.array([phase for _, phase in labels], object)

    def _fitting(self, heading: Heading, phase: str | None) -> Mask:
        """Return a mask of the layers with a heading and a phase."""
        headings, phases = self._labels
        fits = np.ones(len(headings), np.bool_)
        if heading is not None:
            fits &= headings == heading
        if phase is not None:
            fits &= phases == text_given("a phase", phase)
        return fits

    def _layers(self, pose: Pose, phase: str | None = None) -> Mask:
        """Return a mask of the layers of a pose at its place."""
        fits, levels = self._fitting(pose.heading, phase), self.end_levels
        if pose.level is None or levels is None:
            return fits
        return np.asarray(fits & (_at_cell(levels, *self.board.index(pose.place)) == pose.level))

    def cheapest_in(self, heading: Heading, level: Level) -> NDArray[np.int64]:
        """For numpy: the least costs of ending with a heading and on a level, [row, column]; None is any."""
        if heading is None and level is None:
            return self.cheapest
        fits, levels = self._fitting(heading, None)[:, None, None], self.end_levels
        if level is not None and levels is not None:
            fits = fits & (_at_cells(levels, *self.touched.cells) == level)
        found = np.full(self.board.shape, UNREACHED)
        found[self.touched.cells] = np.where(fits, self.touched.ends, UNREACHED).min(axis=0)
        return found

    def ends_at(self, place: Place | Pose) -> tuple[End, ...]:
        """Return the ends at one place, or in one pose there: each heading, level and phase, the cheapest first."""
        pose = self.pose_of(place)
        row, column = self.board.index(pose.place)
        prices = np.where(self._layers(pose), self.touched.at(row, column), UNREACHED)
        labels, levels = self.costs.space.layer_labels, self.end_levels
        order = np.argsort(prices, kind="stable")[: np.count_nonzero(prices < UNREACHED)]
        return tuple(self._end(layer, row, column, int(prices[layer]), labels, levels) for layer in order.tolist())

    def headings_at(self, place: Place | Pose) -> tuple[HeadingRange, ...]:
        """Return the headings in which the unit may end at a place with their least costs; without headings, all."""
        if not self.knows_headings:
            cost = self.cost_at(place)
            return () if cost is None else (HeadingRange.whole(cost),)
        least: dict[Heading, Fraction] = {}
        for end in self.ends_at(place):
            least.setdefault(end.heading, end.cost)
        known = [heading for heading in self.costs.space.headings if heading in least]
        return tuple(HeadingRange(heading, heading, least[heading]) for heading in known)

    def cost_at(self, place: Place | Pose, phase: str | None = None) -> Fraction | None:
        """Return the least cost of ending at a place or in a pose, in any phase or in one; None if the unit cannot."""
        cost = self._cheapest_end(self.pose_of(place), phase)[1]
        return None if cost == UNREACHED else Fraction(cost, self.per_unit)

    def costs_at(self, places: ArrayLike | Sequence[Pose]) -> NDArray[np.float64]:
        """For numpy: return the least cost of ending at each of many places, an array of pairs; inf where it cannot.

        A list may also contain poses.
        """
        return costs_of_poses(places, self.pose_of, self._costs_in)

    def _costs_in(self, places: ArrayLike, heading: Heading, level: Level) -> NDArray[np.float64]:
        rows, columns, here = self.board.cells(places)
        costs = self.cheapest_in(heading, level)[rows, columns]
        return np.where(here & (costs < UNREACHED), costs / self.per_unit, np.inf)

    def _cheapest_end(self, pose: Pose, phase: str | None) -> tuple[int, int]:
        prices = np.where(self._layers(pose, phase), self.touched.at(*self.board.index(pose.place)), UNREACHED)
        layer = int(prices.argmin())
        return layer, int(prices[layer])

    def route_to(self, place: Place | Pose, phase: str | None = None) -> Route[Place]:
        """Return the cheapest way to a place or pose, chosen deterministically; raise NoRoute if there is none."""
        pose = self.pose_of(place)
        layer, cost = self._cheapest_end(pose, phase)
        if cost == UNREACHED:
            state = "" if phase is None else f" in the phase {phase!r}"
            raise NoRoute(f"{pose} cannot be reached{state} within the budget")
        return route_of(self.board, self.trace(layer, self.board.index(pose.place)), self.unit, self.per_unit)

    def trace(self, layer: int, cell: tuple[int, int]) -> Trace:
        """Return a cheapest way to a layer of a cell, in rows and columns of the board."""
        row, column = self.corner
        state = self.costs.space.state_at(layer, cell[0] - row, cell[1] - column)
        return moved_along(self.costs.trace(state), row, column)

    # -- areas and pictures ---------------------------------------------------------------------------------------

    @cached_property
    def area(self) -> BaseGeometry:
        """The ground that all ends cover together, in the plane."""
        return self.board.region_of(self.mask)

    def area_of(self, *, heading: Heading = None, level: Level = None) -> BaseGeometry:
        """Return the ground of the ends with a heading, or on a level; `area` is that of all ends."""
        named = known_pose(Pose((), heading, level), self.whose, headings=self.knows_headings, levels=self.knows_levels)
        return self.board.region_of(self.cheapest_in(named.heading, named.level) < UNREACHED)

    def contours(self, levels: Sequence[Fraction | int] | None = None) -> list[tuple[Fraction, BaseGeometry]]:
        """Return the ground that can be reached for each cost or less; by default at up to six even steps."""
        limits = self.even_levels() if levels is None else costs_given(levels)
        return [(Fraction(level), self.board.region_of(self._within(level))) for level in limits]

    def bands(self, levels: Sequence[Fraction | int] | None = None) -> list[tuple[Fraction, BaseGeometry]]:
        """Return the ground by cost, disjoint: for each level, the ground above the level before and up to this one."""
        limits = self.even_levels() if levels is None else costs_given(levels)
        before = np.zeros_like(self.mask)
        found = []
        for level in limits:
            within = self._within(level)
            found.append((Fraction(level), self.board.region_of(within & ~before)))
            before = within
        return found

    def _within(self, level: Fraction | int) -> NDArray[np.bool_]:
        return np.asarray(self.mask & (self.cheapest <= floor(level * self.per_unit)))

    def counts(self) -> list[tuple[Fraction, int]]:
        """Return the number of places for each cost, the cheapest first."""
        prices, counts = np.unique(self.cheapest[self.mask], return_counts=True)
        return [
            (Fraction(price, self.per_unit), count)
            for price, count in zip(prices.tolist(), counts.tolist(), strict=True)
        ]

    def even_levels(self, most: int = 6) -> list[Fraction]:
        """Return costs at up to `most` even steps, from the cheapest end to the dearest."""
        if not self.mask.any():
            return []
        prices = np.unique(self.cheapest[self.mask])
        return [Fraction(int(prices[number]), self.per_unit) for number in spread(len(prices), most)]

    def to_geojson(self) -> dict[str, Any]:
        """Return the area and every end as a GeoJSON feature collection in plane coordinates."""
        features: list[dict[str, Any]] = [
            {
                "type": "Feature",
                "geometry": shapely.geometry.mapping(self.area),
                "properties": {"what": "area", "places": len(self), "unit": self.unit},
            }
        ]
        features += [
            {
                "type": "Feature",
                "geometry": {"type": "Point", "coordinates": list(self.board.centre(end.place))},
                "properties": {
                    "what": "end",
                    "place": list(end.place),
                    "heading": end.heading,
                    **({"level": end.level} if self.knows_levels else {}),
                    "phase": end.phase,
                    "cost": figure(end.cost),
                },
            }
            for end in self.ends
        ]
        return {"type": "FeatureCollection", "features": features}

    def __repr__(self) -> str:
        return f"<Reach of {len(self)} places on {self.board!r}, found by {self.costs.method}>"

    def _repr_svg_(self) -> str | None:
        return pictures.picture_of(self)


def _at_cell(states: NDArray[Any], row: int, column: int) -> NDArray[Any]:
    """Return all layers at a cell, of an array with axes of length 1 where all cells are equal."""
    found: NDArray[Any] = states[:, min(row, states.shape[1] - 1), min(column, states.shape[2] - 1)]
    return found


def _at_cells(states: NDArray[Any], rows: slice, columns: slice) -> NDArray[Any]:
    """Return all layers of a part of such an array."""
    found: NDArray[Any] = states[:, rows if states.shape[1] > 1 else slice(None)]
    return found[:, :, columns if states.shape[2] > 1 else slice(None)]


def spread(count: int, most: int = 6) -> list[int]:
    """Return at most `most` evenly spaced indexes of a row of things, including the first and the last.

    >>> spread(4), spread(11), spread(0)
    ([0, 1, 2, 3], [0, 2, 4, 6, 8, 10], [])
    """
    return [int(number) for number in np.linspace(0, count - 1, min(most, count)).round()]


def reach(
    board: Lattice, space: MoveSpace, *, engine: Engine = "numpy", unit: str | None = None, per_unit: int = 1
) -> Reach:
    """Compute where a unit may end, by searching the move space of its movement with one of the engines.

    >>> from simulator.geometry.squares import SquareGrid
    >>> from simulator.pathing.plain import plain_space
    >>> board = SquareGrid.from_text(". . # .\\n. . . .")
    >>> answer = reach(board, plain_space(board, starts=[(0, 0)], budget=3))
    >>> len(answer), (3, 0) in answer, answer.cost_at((3, 1))
    (6, False, Fraction(3, 1))
    """
    lattice = as_lattice(board, "a move space")
    if not isinstance(space, MoveSpace):
        raise WrongValue(f"what is searched is a MoveSpace, such as plain_space(board, ...), not {shortened(space)}")
    return Reach(lattice, search(space, engine), unit=unit, per_unit=per_unit)


def reach_many(
    board: Lattice, searcher: Searcher, queries: Sequence[Query], *, unit: str | None = None, per_unit: int = 1
) -> list[Reach]:
    """Compute the reach of many units or starts in one batch of the searcher."""
    answers = searcher.search_many(queries, by_state=True)
    return [Reach(board, costs, unit=unit, per_unit=per_unit) for costs in answers]


def route(
    board: Lattice,
    searcher: Searcher,
    goals: Sequence[Place],
    *,
    via: Sequence[Place] = (),
    unit: str | None = None,
    per_unit: int = 1,
) -> Route[Place]:
    """Find the cheapest way to any of several places, through others in their order; raise NoRoute if there is none.

    Heading and phase are kept through every waypoint, so the parity of diagonals is never lost there.

    >>> from simulator.geometry.squares import SquareGrid
    >>> from simulator.pathing.plain import plain_space
    >>> from simulator.pathing.search import prepared
    >>> board = SquareGrid.open(5, 5)
    >>> walker = prepared(plain_space(board, starts=[(0, 0)], budget=9))
    >>> route(board, walker, [(2, 2)], via=[(1, 1)]).cost
    Fraction(3, 1)
    """
    cells = [board.index(place) for place in goals]
    try:
        found = queries.route(searcher, cells, via=[board.index(place) for place in via])
    except NoRoute as error:  # it names rows and columns
        number = error.waypoint
        if number is None:
            raise queries.no_way_to([place_text(goal) for goal in goals]) from None
        raise queries.no_way_by(number, place_text(via[number])) from None
    return route_of(board, found, unit or searcher.space.unit, per_unit)
