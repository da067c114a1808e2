"""Bands of chance: the area of a question, cut where the chance of the best plan changes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from simulator.cores import Meanwhile, on_every_core
from simulator.freed_memory import give_back
from simulator.geometry.convex import IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.shapes import joined, less, lines_of, polygons_of
from simulator.geometry.snapping import intersection
from simulator.rulesets.skirmish.odds.chances import Chances, exact
from simulator.rulesets.skirmish.odds.decision_places import MORE_INCHES, MOST_FOR_BANDS, Nodes, require_few
from simulator.rulesets.skirmish.odds.plans import BestPlan
from simulator.rulesets.skirmish.odds.ranked import ALMOST
from simulator.rulesets.skirmish.reach.fronts import TOLERANCE_OF_AREAS
from simulator.rulesets.skirmish.reach.orders import Places

#: The spacing of the places that bands sample, in inches.
SQUARE = 0.25
_SQUARE_BY_FRONT = 1.0
#: No place is farther from one with the chance of its band, in inches: the diagonal of a square, plus the error of
#: outlines.
TOLERANCE_OF_BANDS = SQUARE * math.sqrt(2.0) + TOLERANCE_OF_AREAS
#: Places of squares that have a corner in common are nearer to each other than this.
_BESIDE = 1.5 * SQUARE
#: The values of so many goals fit into the processor's cache: more at once take up to twice as long.
_GOALS_AT_ONCE = 200
#: How many places with decision places of their own are processed together.
_AT_ONCE = 8


class ChanceBands:
    """The bands of one question of reach."""

    def __init__(self, chances: Chances) -> None:
        self._chances, self._fronts = chances, chances.fronts
        self._by_front = chances.spending.is_by_front
        #: The ground of each chance, once it has been drawn.
        self._by_chance: list[tuple[Fraction, BaseGeometry]] | None = None

    def of(
        self, area: BaseGeometry, certain: Callable[[], BaseGeometry], levels: Sequence[Fraction] | None
    ) -> list[tuple[Fraction, BaseGeometry]]:
        """Return the area by chance: exact where all is certain, between that and the area's outline by squares.

        Each square of `SQUARE` inches has the chance of a place in it; where moves are measured from front to front, of
        an inch.
        """
        if levels is None or any(level < 1 for level in levels):
            if self._by_chance is None:
                self._by_chance = self._drawn(area, certain)
            found = self._by_chance
        else:
            found = [(Fraction(1), certain())]
        if levels is None:
            return [(chance, shape) for chance, shape in found if not shape.is_empty]
        banded: list[tuple[Fraction, BaseGeometry]] = []
        for level in sorted(levels, reverse=True):
            upper = banded[-1][0] if banded else Fraction(2)
            inside = [shape for chance, shape in found if level <= chance < upper]
            banded.append((level, joined(inside)))
        return banded

    def _drawn(self, area: BaseGeometry, certain: Callable[[], BaseGeometry]) -> list[tuple[Fraction, BaseGeometry]]:
        """Draw the ground of each chance, the surest first."""
        by_plans = self._fronts.can_fail and not self._by_front
        with Meanwhile(self._measured) if by_plans else nullcontext() as measured:
            parts = {Fraction(1): certain()}
            rest = less(area, parts[Fraction(1)])
            if measured is not None and not rest.is_empty:
                self._chances.nodes = measured.result()
        for chance, shape in self._by_places(rest):
            parts[chance] = shape if chance not in parts else joined([parts[chance], shape])
        give_back()
        return sorted(parts.items(), reverse=True)

    def _measured(self) -> Nodes:
        """Return the decision places that all share, and how far they lie apart."""
        _, places = self._chances.shared
        require_few(places, MOST_FOR_BANDS)
        return self._chances.nodes

    def _by_places(self, rest: BaseGeometry) -> list[tuple[Fraction, BaseGeometry]]:
        """Return ground that is not certain, by the chances of places on it."""
        ground, lines = polygons_of(rest), shapely.get_parts(lines_of(rest))
        squares, goals = self._squares(ground)
        pieces = _CutLines.of(lines, np.zeros((0, 2)) if self._by_front or not len(lines) else self._far_sides)
        if self._by_front:
            values, of_pieces = self._each(goals), np.zeros(0)
        else:
            values, of_pieces = self._about([goals, pieces.spots])
        levels = np.unique(np.round(values, 12)).tolist()
        found = [(exact(one), _inside(squares[np.abs(values - one) < 1e-9], ground)) for one in levels]
        if not (self._fronts.can_fail or ground.is_empty):
            found = [(Fraction(1), ground)]
        return found + self._along(pieces, of_pieces)

    def _squares(self, ground: BaseGeometry) -> tuple[NDArray[np.object_], FloatArray]:
        """Return the squares that some ground is cut into, and a place in each; none where nothing can fail."""
        if ground.is_empty or not self._fronts.can_fail:
            return np.zeros(0, np.object_), np.zeros((0, 2))
        side = _SQUARE_BY_FRONT if self._by_front else SQUARE
        low_x, low_y, high_x, high_y = ground.bounds
        x, y = (
            np.arange(math.floor(a / side), math.ceil(b / side)) * side for a, b in ((low_x, high_x), (low_y, high_y))
        )
        corners = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
        return _met(shapely.box(*corners.T, *(corners + side).T), ground)

    def _each(self, goals: FloatArray) -> FloatArray:
        """Return the chances of places, each computed by itself."""
        places = Places(self._fronts)
        spots = [(x, y) for x, y in goals.tolist()]
        found = zip(spots, places.orders_to_each(spots), strict=True)
        value = np.array([float(self._chances.at(goal, ways[1])) if ways else 0.0 for goal, ways in found])
        return _with_those_beside(value, np.asarray(shapely.points(goals)))

    def _about(self, groups: Sequence[FloatArray]) -> list[FloatArray]:
        """Return the chances of places: by the shared decision places, if a little more for each lot changes nothing.

        Where it does, a border is near: it is drawn where a plan can surely be played, if there is ground of that
        chance beside it. Otherwise, and where no plan is known, places have decision places of their own.
        """
        parts = [(number, some) for number, goals in enumerate(groups) for some in self._parts(len(goals))]
        found = on_every_core(lambda part: self._by_shared(groups[part[0]][part[1]]), parts)
        values, more = ([np.zeros(len(goals)) for goals in groups] for _ in range(2))
        for (number, some), both in zip(parts, found, strict=True):
            values[number][some], more[number][some] = both
        lots: list[tuple[int, IntArray]] = []
        for number, goals in enumerate(groups):
            near_border = _near_borders(values[number], more[number], goals)
            split = np.array_split(near_border, len(near_border) // _AT_ONCE + 1)
            lots += [(number, lot) for lot in split if len(lot)]
        own = on_every_core(lambda lot: self._with_own(groups[lot[0]][lot[1]]), lots)
        for (number, lot), value in zip(lots, own, strict=True):
            values[number][lot] = value
        return [
            _with_those_beside(value, np.asarray(shapely.points(goals)))
            for value, goals in zip(values, groups, strict=True)
        ]

    def _parts(self, count: int) -> list[IntArray]:
        """Return which of so many goals are looked at together; straight lines that are cut short are found for all."""
        parts = 1 if self._chances.spending.is_straight else -(-count // _GOALS_AT_ONCE)
        return np.array_split(np.arange(count), parts) if count else []

    def _by_shared(self, goals: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the chances of places by the shared decision places, and those with a little more for each lot."""
        plan = BestPlan(self._chances.links, self._chances.nodes, goals, 0.0)
        return plan.value, plan.with_slack(MORE_INCHES / 2).value

    def _with_own(self, goals: FloatArray) -> FloatArray:
        """Return the chances of a few places, with the decision places that each has of its own."""
        links, nodes = self._chances.links, self._chances.nodes
        nodes = links.added(nodes, np.concatenate([np.zeros((0, 2)), *self._chances.own_of(goals)]))
        return BestPlan(links, nodes, goals, 0.0).value

    @property
    def _far_sides(self) -> FloatArray:
        """The known places where traverses come down."""
        nodes = self._chances.nodes
        return nodes.places[np.unique(nodes.far)]

    def _along(self, pieces: _CutLines, values: FloatArray) -> list[tuple[Fraction, BaseGeometry]]:
        """Return the lines of an area, cut into pieces of `SQUARE`, each with the chance of the nearest known far side.

        A remainder of a line without one nearby has the chance of a place in its middle.
        """
        found: dict[Fraction, list[BaseGeometry]] = {}
        for piece, which in zip(pieces.near.tolist(), pieces.spot.tolist(), strict=True):
            found.setdefault(exact(float(values[which])), []).append(pieces.lines[piece])
        places = Places(self._fronts)
        for first, behind in pairwise(pieces.first.tolist()):
            left = np.setdiff1d(np.arange(first, behind), pieces.near)
            for x, y in shapely.get_coordinates(shapely.centroid(pieces.lines[left[len(left) // 2 :]])).tolist():
                orders = places.orders((x, y))
                if orders is not None:
                    chance = self._chances.at((x, y), orders[1])
                    found.setdefault(chance, []).extend(pieces.lines[left].tolist())
                    break
        return [(chance, joined(some)) for chance, some in found.items()]


class _CutLines(NamedTuple):
    """The pieces that lines are cut into, and the spots near them."""

    lines: NDArray[np.object_]
    #: The number of the first piece of each line, and that of all pieces.
    first: IntArray
    #: The pieces that have a spot near them, and which of the spots.
    near: IntArray
    spot: IntArray
    spots: FloatArray

    @classmethod
    def of(cls, lines: Sequence[BaseGeometry] | NDArray[np.object_], spots: FloatArray) -> _CutLines:
        """Cut lines into pieces no longer than `SQUARE`."""
        parts = [_pieces_of(line) for line in lines]
        first = np.cumsum([0, *map(len, parts)])
        every = np.concatenate([np.zeros(0, np.object_), *parts])
        tree = shapely.STRtree(np.asarray(shapely.points(spots)))
        near, nearest = tree.query_nearest(every, max_distance=SQUARE, all_matches=False)
        used, spot = np.unique(nearest, return_inverse=True)
        return cls(every, first, near, spot, spots[used])


def _near_borders(value: FloatArray, more: FloatArray, goals: FloatArray) -> IntArray:
    """Return which places need decision places of their own: those of no chance, and those near a border.

    With `more` for each lot the latter have a higher chance; where a place beside has the same chance for sure, the
    border is drawn between the two.
    """
    open_ = (more > value + ALMOST) | (value <= ALMOST)
    spots = np.asarray(shapely.points(goals))
    one, other = shapely.STRtree(spots).query(spots[open_], predicate="dwithin", distance=_BESIDE)
    one = np.flatnonzero(open_)[one]
    open_[one[~open_[other] & (np.abs(value[one] - value[other]) <= ALMOST)]] = False
    return np.flatnonzero(open_)


def _with_those_beside(value: FloatArray, spots: NDArray[np.object_]) -> FloatArray:
    """Return the chances of places; those without a plan, on the outline of an area, get that of the nearest."""
    known = np.flatnonzero(value > ALMOST)
    if len(known) in (0, len(value)):
        return value
    left = np.flatnonzero(value <= ALMOST)
    at, nearest = shapely.STRtree(spots[known]).query_nearest(spots[left], all_matches=False)
    value[left[at]] = value[known[nearest]]
    return value


def _pieces_of(line: BaseGeometry) -> NDArray[np.object_]:
    """Cut a line into pieces no longer than `SQUARE`; a point is a piece of its own."""
    corners = shapely.get_coordinates(shapely.segmentize(line, SQUARE))
    if len(corners) < 2:
        return np.array([line], np.object_)
    return np.asarray(shapely.linestrings(np.stack([corners[:-1], corners[1:]], axis=1)))


def _met(squares: NDArray[np.object_], ground: BaseGeometry) -> tuple[NDArray[np.object_], FloatArray]:
    """Return the squares that meet some ground, and a place on it in each."""
    shapely.prepare(ground)
    squares = squares[shapely.intersects(ground, squares)]
    cut = squares.copy()
    edge = ~shapely.covers(ground, squares)
    cut[edge] = shapely.intersection(squares[edge], ground, grid_size=1e-6)
    kept = shapely.area(cut) > 0.0
    return squares[kept], shapely.get_coordinates(shapely.point_on_surface(cut[kept]))


def _inside(squares: NDArray[np.object_], ground: BaseGeometry) -> BaseGeometry:
    """Return the part of some ground in squares that have whole sides in common."""
    return intersection(shapely.coverage_union_all(squares), ground)
