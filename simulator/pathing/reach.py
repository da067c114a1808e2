"""Reach as an answer: every place where a unit may legally end, at what cost, looking where, and by which way.

States that share a place are told apart in `ends` and in `route_to`; only pictures and areas show them as one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import floor
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from shapely.geometry import mapping
from shapely.geometry.base import BaseGeometry

from simulator import pictures
from simulator.geometry.board import Lattice
from simulator.pathing import queries
from simulator.pathing.costs import Costs
from simulator.pathing.kernel.prepared import Query
from simulator.pathing.move_space import UNREACHED, Heading, MoveSpace
from simulator.pathing.route import Route, told
from simulator.pathing.search import Engine, Searcher, search
from simulator.pathing.traces import NoRoute, Trace, moved_along

Place = tuple[int, int]


class _Any:
    def __repr__(self) -> str:
        return "any"


ANY: Any = _Any()


@dataclass(frozen=True, slots=True)
class End:
    """One legal end of a move: where, looking which way, in which phase, at which least cost."""

    place: Place
    heading: Heading
    phase: str
    cost: Fraction


class Touched(NamedTuple):
    """A part of a board, by the row and column of its first cell: costs of ending there, [layer, row, column]."""

    row: int
    column: int
    ends: NDArray[np.int64]

    @property
    def cells(self) -> tuple[slice, slice]:
        """The rows and columns of the board that it covers."""
        _, rows, columns = self.ends.shape
        return slice(self.row, self.row + rows), slice(self.column, self.column + columns)

    def at(self, row: int, column: int) -> NDArray[np.int64]:
        """Return the costs of all layers at a cell of the board, none of them reached beyond the part."""
        layers, rows, columns = self.ends.shape
        down, across = row - self.row, column - self.column
        if 0 <= down < rows and 0 <= across < columns:
            costs: NDArray[np.int64] = self.ends[:, down, across]
            return costs
        return np.full(layers, UNREACHED)


class Reach:
    """The legal ends of one query on a lattice board.

    `per_unit` integers of the search make one of `unit` (2 where half inches are counted and inches are meant). Where
    only the part of the board was searched that the budget can touch, `corner` is the row and column of its first cell.
    Costs that are not searched yet come as a function, which is called where somebody asks for more than is known.
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
        """The costs that were searched, of every state."""
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

        `UNREACHED` (the largest int64) where the unit can not end. Layers are those of the move space. It holds the
        whole board as often as there are layers; `touched` holds what the search could touch.
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
        """The least costs of ending in the cells that the search could touch."""
        return self.costs.least_end_costs()

    @cached_property
    def mask(self) -> NDArray[np.bool_]:
        """For numpy: where the unit may end, [row, column]."""
        return np.asarray(self.cheapest < UNREACHED)

    def __contains__(self, place: object) -> bool:
        return place in self.board and bool(self.mask[self.board.index(cast(Place, place))])

    def __len__(self) -> int:
        return int(np.count_nonzero(self.mask))

    def __iter__(self) -> Iterator[Place]:
        """All places where the unit may end, in the order of the board."""
        return iter(self.places)

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """All places where the unit may end, row by row."""
        return tuple(self.board.place_at(row, column) for row, column in np.argwhere(self.mask).tolist())

    @cached_property
    def ends(self) -> tuple[End, ...]:
        """All ends, each state of its own, row by row, by cost."""
        found = self.touched.ends
        layers, rows, columns = np.nonzero(found < UNREACHED)
        prices = found[layers, rows, columns]
        rows, columns = rows + self.touched.row, columns + self.touched.column
        order = np.lexsort((layers, prices, columns, rows))
        labels = self.costs.space.layer_labels
        return tuple(
            End(self.board.place_at(row, column), labels[layer][0], labels[layer][1], Fraction(price, self.per_unit))
            for layer, row, column, price in np.stack([layers, rows, columns, prices], 1)[order].tolist()
        )

    def ends_at(self, place: Place) -> tuple[End, ...]:
        """The ends at one place: each heading and phase in which the unit may stand there, the cheapest first."""
        return tuple(end for end in self.ends if end.place == place)

    def cost_at(self, place: Place, heading: Heading = ANY, phase: str = ANY) -> Fraction | None:
        """The least cost of ending at a place, in any state or in one; None where the unit can not."""
        cost = self._cheapest_end(place, heading, phase)[1]
        return None if cost == UNREACHED else Fraction(cost, self.per_unit)

    def costs_at(self, places: ArrayLike) -> NDArray[np.float64]:
        """For numpy: the least cost of ending at each of many places, an array of pairs; inf where the unit can not."""
        rows, columns, here = self.board.cells(places)
        costs = self.cheapest[rows, columns]
        return np.where(here & (costs < UNREACHED), costs / self.per_unit, np.inf)

    def _cheapest_end(self, place: Place, heading: Heading, phase: str) -> tuple[int, int]:
        row, column = self.board.index(place)
        prices = self.touched.at(row, column).copy()
        for layer, label in enumerate(self.costs.space.layer_labels):
            if (heading is not ANY and label[0] != heading) or (phase is not ANY and label[1] != phase):
                prices[layer] = UNREACHED
        layer = int(prices.argmin())
        return layer, int(prices[layer])

    def route_to(self, place: Place, heading: Heading = ANY, phase: str = ANY) -> Route[Place]:
        """The cheapest way to end at a place, the same among equals every time; raises NoRoute if there is none."""
        layer, cost = self._cheapest_end(place, heading, phase)
        if cost == UNREACHED:
            wanted = "" if heading is ANY and phase is ANY else f" in the state asked for ({heading}, {phase})"
            raise NoRoute(f"{place} can not be reached{wanted} within the budget")
        return told(self.board, self.trace(layer, self.board.index(place)), self.unit, self.per_unit)

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

    def contours(self, levels: Sequence[Fraction | int] | None = None) -> list[tuple[Fraction, BaseGeometry]]:
        """The ground that can be reached for each cost or less; without `levels`, at up to six even steps."""
        if levels is None:
            levels = self.even_levels()
        return [(Fraction(level), self.board.region_of(self._within(level))) for level in levels]

    def bands(self, levels: Sequence[Fraction | int] | None = None) -> list[tuple[Fraction, BaseGeometry]]:
        """The ground by cost, disjoint: for each level what costs that much or less, but more than the level before."""
        levels = self.even_levels() if levels is None else levels
        before = np.zeros_like(self.mask)
        found = []
        for level in levels:
            within = self._within(level)
            found.append((Fraction(level), self.board.region_of(within & ~before)))
            before = within
        return found

    def _within(self, level: Fraction | int) -> NDArray[np.bool_]:
        return np.asarray(self.mask & (self.cheapest <= floor(level * self.per_unit)))

    def counts(self) -> list[tuple[Fraction, int]]:
        """How many places cost how much, the cheapest first."""
        prices, counts = np.unique(self.cheapest[self.mask], return_counts=True)
        return [
            (Fraction(price, self.per_unit), count)
            for price, count in zip(prices.tolist(), counts.tolist(), strict=True)
        ]

    def even_levels(self, most: int = 6) -> list[Fraction]:
        """Costs at up to `most` even steps, from the cheapest end to the dearest."""
        if not self.mask.any():
            return []
        prices = np.unique(self.cheapest[self.mask])
        return [Fraction(int(prices[number]), self.per_unit) for number in spread(len(prices), most)]

    def to_geojson(self) -> dict[str, Any]:
        """Return the area and every end as a GeoJSON feature collection in plane coordinates."""
        features: list[dict[str, Any]] = [
            {
                "type": "Feature",
                "geometry": mapping(self.area),
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
                    "phase": end.phase,
                    "cost": str(end.cost),
                },
            }
            for end in self.ends
        ]
        return {"type": "FeatureCollection", "features": features}

    def __repr__(self) -> str:
        return f"<Reach of {len(self)} places on {self.board!r}, found by {self.costs.method}>"

    def _repr_svg_(self) -> str | None:
        return pictures.picture_of(self)


def spread(count: int, most: int = 6) -> list[int]:
    """Choose at most so many of a row of things, evenly, the first and the last among them: their numbers.

    >>> spread(4), spread(11), spread(0)
    ([0, 1, 2, 3], [0, 2, 4, 6, 8, 10], [])
    """
    return [int(number) for number in np.linspace(0, count - 1, min(most, count)).round()]


def reach(
    board: Lattice, space: MoveSpace, *, engine: Engine = "numpy", unit: str | None = None, per_unit: int = 1
) -> Reach:
    """Compute where a unit may end: the move space of its movement on a board, searched by one of the engines.

    >>> from simulator.geometry.squares import SquareGrid
    >>> from simulator.pathing.plain import plain_space
    >>> board = SquareGrid.from_text(". . # .\\n. . . .")
    >>> answer = reach(board, plain_space(board, starts=[(0, 0)], budget=3))
    >>> len(answer), (3, 0) in answer, answer.cost_at((3, 1))
    (6, False, Fraction(3, 1))
    """
    return Reach(board, search(space, engine), unit=unit, per_unit=per_unit)


def reach_many(
    board: Lattice, searcher: Searcher, asked: Sequence[Query], *, unit: str | None = None, per_unit: int = 1
) -> list[Reach]:
    """Compute many units or starts at once: the searcher answers them side by side."""
    answers = searcher.search_many(asked, by_state=True)
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
    """Find the cheapest way to any of several places, by way of others in their order; raises NoRoute if there is none.

    Heading and phase are carried through every waypoint, so the parity of diagonals is never lost there.

    >>> from simulator.geometry.squares import SquareGrid
    >>> from simulator.pathing.plain import plain_space
    >>> from simulator.pathing.search import prepared
    >>> board = SquareGrid.open(5, 5)
    >>> walker = prepared(plain_space(board, starts=[(0, 0)], budget=9))
    >>> route(board, walker, [(2, 2)], via=[(1, 1)]).cost
    Fraction(3, 1)
    """
    cells = [board.index(place) for place in goals]
    found = queries.route(searcher, cells, via=[board.index(place) for place in via])
    return told(board, found, unit or searcher.space.unit, per_unit)
