"""Chances: the best plan to a place, revised after each roll, by dynamic programming over decision places.

A plan stops and decides somewhere after each spend. The best places for that lie on few curves: as far as a lot goes,
with all its inches or one less, on clean ground or through rough; edges of rough ground; rims of friends; places at
obstacles and behind them; and on the shortest ways to the goal as far from either end as whole lots go. Places are set
along these curves, the exact ones for the goal are added, and the distances between all of them are the planner's, so
every chance is that of a plan that can be played. With `MORE_INCHES` more for each lot the same calculation yields an
upper bound: what falls between two places of a curve is less than that away.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from simulator.cores import on_every_core
from simulator.engine.clauses import clause
from simulator.engine.orders import Order
from simulator.freed_memory import give_back
from simulator.geometry.paths import Path, Straight
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.shapes import joined, less, lines_of, polygons_of
from simulator.geometry.snapping import intersection, union
from simulator.geometry.tolerances import TOLERANCE
from simulator.pathing.free import PreparedTable, plan
from simulator.pathing.links import Link
from simulator.rulesets.skirmish.any_direction.far_sides import towards
from simulator.rulesets.skirmish.front_point.odds import Replans
from simulator.rulesets.skirmish.movement import line_of
from simulator.rulesets.skirmish.obstruction import features_of, may_end
from simulator.rulesets.skirmish.odds.apart import ALMOST
from simulator.rulesets.skirmish.odds.decision_places import (
    MORE_INCHES,
    MOST_FOR_BANDS,
    SPACING,
    Links,
    Nodes,
    require_few,
    thinned,
)
from simulator.rulesets.skirmish.odds.plans import BestPlan
from simulator.rulesets.skirmish.planner_tables import grown
from simulator.rulesets.skirmish.reach.front import Front
from simulator.rulesets.skirmish.reach.fronts import TOLERANCE_OF_AREAS, Fronts
from simulator.rulesets.skirmish.reach.orders import Places

#: The spacing of the places that bands sample, in inches.
SQUARE = 0.25
_SQUARE_BY_FRONT = 1.0
#: No place is farther from one with the chance of its band, in inches: the diagonal of a square, plus the error of
#: outlines.
TOLERANCE_OF_BANDS = SQUARE * math.sqrt(2.0) + TOLERANCE_OF_AREAS
#: With more patches of rough ground than this not each is tried open and closed: the nearest ways decide which matter.
_MOST_PATCHES = 4
#: Lines of far sides that end this close to each other end at one place.
_SAME_FAR = 0.01
#: Places of squares that have a corner in common are nearer to each other than this.
_BESIDE = 1.5 * SQUARE
#: How many places with decision places of their own are processed together.
_AT_ONCE = 8


class Chances:
    """The chances of one question of reach."""

    def __init__(self, fronts: Fronts) -> None:
        self.fronts, self.grounds, self.spending = fronts, fronts.grounds, fronts.spending
        self._links, self._stops = Links(fronts), fronts.stops
        self._known: dict[tuple[XY, float], Fraction] = {}
        #: The ground of each chance, once it has been drawn.
        self._by_chance: list[tuple[Fraction, BaseGeometry]] | None = None

    def at(self, goal: XY, orders: Sequence[Order], slack: float = 0.0) -> Fraction:
        """Return the best chance of ending at a place; `orders` lead there if all rolls succeed."""
        if (goal, slack) not in self._known:
            self._known[goal, slack] = self._at(goal, orders, slack)
        return self._known[goal, slack]

    def _at(self, goal: XY, orders: Sequence[Order], slack: float) -> Fraction:
        if not may_end(self.grounds.table, self.grounds.unit, [goal])[0]:
            return Fraction(0)
        spot = np.array([goal])
        certain = self.fronts.certain(self.spending.ap)
        if any(front.ends(spot)[0] for front in certain):
            return Fraction(1)
        if not self.fronts.can_fail:
            return Fraction(bool(orders))
        if self.spending.is_by_front:
            return Replans(self.fronts, goal).chance(orders) if orders else Fraction(0)
        own, aimed = self._for_goal(goal, orders), list[Link]()
        if self._is_aimed:
            aimed = towards(self.fronts.jumps, goal, np.concatenate([self._nodes.places, own]))
        nodes = self._links.added(self._nodes, own, aimed)
        value = BestPlan(self._links, nodes, spot, slack).value
        return self._exact(float(value[0]))

    def _exact(self, value: float) -> Fraction:
        """Return a chance as the product of rolls that it is: rounding errors in the last digits are removed."""
        return Fraction(value).limit_denominator(10**9)

    # --- decision places ---

    @cached_property
    def _nodes(self) -> Nodes:
        """The decision places that all goals share, and how far they lie apart."""
        return self._links.linked(*self._shared)

    @cached_property
    def _shared(self) -> tuple[list[Link], FloatArray]:
        """The decision places that all goals share, and what can be traversed from them."""
        rows = [np.array([self.fronts.start])]
        for spent in range(1, self.spending.ap):
            rows += self._after(spent)
        exact = [self._stops.to_edges, self._stops.on_edges([self.fronts.start]), *self._after_short_runs(rows)]
        exact += self._to_the_hair
        # The start comes first; what is exact comes before what is a hair beside it.
        some, spots = thinned(np.concatenate(rows)), self._stops.legal(np.concatenate(exact))
        return self._links.joined(np.concatenate([some[:1], spots, some[1:]]), self._known_jumps)

    @property
    @clause("SK-18", "SK-49")
    def _to_the_hair(self) -> list[FloatArray]:
        """Return the places in line with gaps of exact fit, and those at which a traverse is just possible.

        Both for the lucky and for the sure.
        """
        fronts = dict.fromkeys(
            front
            for spent in range(1, self.spending.ap)
            for front in (*self._fronts_at(spent), *self._fronts_at(spent, is_lucky=False))
        )
        found = [front.on_axes for front in fronts] if len(self.grounds.axes) else []
        return found + [self.fronts.touches.of(front) for front in fronts if self.fronts.has_traverses]

    def _after(self, spent: int) -> list[FloatArray]:
        fronts = self.fronts
        whole = self._fronts_at(spent)
        if not whole:
            return []
        shapes = [front.area for front in whole]
        shapes += [front.area for paid in range(spent) for front in self._fronts_at(spent, paid, is_lucky=False)]
        if self.grounds.has_rough:
            shapes += self._shortened(spent)
        lines = [shapely.boundary(shape) for shape in shapes if shape.area]
        if self.grounds.has_rough:
            ground = union([front.area for front in whole]).buffer(2 * MORE_INCHES)
            edges = [shapely.boundary(area.polygon) for area in features_of(self.grounds.table).rough.areas]
            lines += [shapely.intersection(edge, ground) for edge in edges]
        lines += [line for front in whole for line in front.lines]
        found = [shapely.get_coordinates(shapely.segmentize(line, SPACING)) for line in lines if not line.is_empty]
        found += [front.on_rims for front in whole if front.area.area]
        rows = np.concatenate([np.zeros((0, 2)), *found])
        return [rows[may_end(fronts.grounds.table, fronts.grounds.unit, rows)]]

    @clause("SK-35")
    def _after_short_runs(self, rows: Sequence[FloatArray]) -> list[FloatArray]:
        """Return where runs to some places end that are cut short, if there are AP left to continue."""
        run = self.spending.run
        if run is None or self.spending.ap <= run.ap or not self.grounds.has_rough:
            return []
        onward = thinned(np.concatenate(rows)) - self.fronts.start
        far = np.hypot(*onward.T)
        long = far > run.failed
        return [self.fronts.start + run.failed * onward[long] / far[long, None]]

    def _fronts_at(self, spent: int, paid: int = 0, *, is_lucky: bool = True) -> list[Front]:
        """Return all fronts of a number of AP, by luck or with Threshold, whether or not they count as ends."""
        fronts = self.fronts
        crossed = (False, True) if self.spending.is_exclusive and fronts.has_traverses else (False,)
        stages = [
            fronts.stage(
                spent,
                paid=fronts.threshold if is_lucky else paid,
                is_lucky=is_lucky,
                stance=stance,
                ran=ran,
                crossed=cross,
            )
            for cross in crossed
            for ran in (False, True)
            for stance in self.spending.stances
        ]
        return [front for front in map(fronts.front, dict.fromkeys(stages)) if not front.is_empty]

    def _shortened(self, spent: int) -> list[BaseGeometry]:
        """Return how far soldiers get whose last roll has failed."""
        found = []
        for lot in self.spending.moves:
            for front in self._fronts_at(spent - lot.ap) if lot.ap <= spent and lot.failed > 0.0 else []:
                ground = self.grounds.open
                starts = thinned(front.sources)
                found.append(plan(ground, starts, lot.failed, no_end=self.grounds.no_end(ground)).area(0.005, "inner"))
        return found

    def _for_goal(self, goal: XY, orders: Sequence[Order]) -> FloatArray:
        """Return the decision places of a single goal: on the ways to it, as far from either end as lots go."""
        rows: list[XY] = []
        here = self.grounds.unit
        for order in orders:
            if order.action == "change_stance":
                continue
            if order.action == "traverse":
                jump = self.fronts.jumps.ordered((float(here.place[0]), float(here.place[1])), order)
                assert jump is not None  # such orders have been planned
                rows += [jump.near]
                there = jump.far
            else:
                there = line_of(here, order.elements).end
            rows.append(there)
            here = here.put(place=there)
        rows += self._stops.along([*self._ways_to(goal), *self._straight_out(goal)])
        spots = np.concatenate([np.array(rows, np.float64).reshape(-1, 2), self._stops.on_edges([goal])])
        return self._stops.legal(np.unique(np.round(spots, 9), axis=0))

    def _straight_out(self, goal: XY) -> list[Path]:
        """Return the straight lines from a goal to the nearest edges of rough ground: ways through it pass them."""
        if not self.grounds.has_rough or self.spending.is_by_front:
            return []
        edges = [shapely.boundary(area.polygon) for area in features_of(self.grounds.table).rough.areas]
        found = shapely.shortest_line(shapely.Point(goal), edges)
        lengths = shapely.length(found)
        near = found[(lengths > TOLERANCE) & (lengths <= self._stops.farthest)]
        ends = [(float(x), float(y)) for x, y in shapely.get_coordinates(near)[1::2]]
        return [Path(goal, (Straight(goal, end),)) for end in ends]

    @property
    def _is_aimed(self) -> bool:
        """Whether traverses may go in any direction, so that those straight across are not all there are."""
        in_any = self.grounds.table.options.traverse_direction == "any_direction"
        return bool(in_any and self.fronts.has_traverses)

    @cached_property
    def _known_jumps(self) -> list[Link]:
        """Return the traverses behind the areas: all that are aimed, of others some along each line.

        The first to come down at a place suffices: later ones have no more AP left.
        """
        found: dict[Link, None] = {}
        taken: set[tuple[object, ...]] = set()
        for spent in range(1, self.spending.ap + 1) if self.fronts.has_traverses else ():
            for landing in [one for front in self._fronts_at(spent) for one, _ in front.landings]:
                if self._is_aimed:
                    found |= dict.fromkeys(landing.links)
                    continue
                ends = landing.links[0], landing.links[-1]
                for jump in (*ends, *landing.links[1:-1]):
                    width = _SAME_FAR if jump in ends else SPACING
                    cell = (jump.over, width, math.floor(jump.far[0] / width), math.floor(jump.far[1] / width))
                    if cell not in taken:
                        taken.add(cell)
                        found[jump] = None
        return list(found)

    def _ways_to(self, goal: XY) -> list[Path]:
        """Return the shortest ways to a goal: with each choice of nearby patches of rough ground closed."""
        if self.spending.is_by_front or not self.spending.moves:
            return []
        budget = self._stops.farthest + 2 * MORE_INCHES
        found = []
        for ground in (self.grounds.open, self.grounds.clean, *self._partly_closed):
            reach = plan(ground, self.fronts.start, budget)
            if goal in reach:
                found.append(reach.route_to(goal))
            if self.grounds.clean is self.grounds.open:
                break
        return found

    @cached_property
    def _partly_closed(self) -> list[PreparedTable]:
        """The grounds on which some patches of rough ground are closed and others open."""
        table, unit = self.grounds.table, self.grounds.unit
        spot = shapely.Point(self.fronts.start)
        far = self._stops.farthest
        patches = [piece for piece in features_of(table).rough if shapely.distance(piece.shape.polygon, spot) < far]
        if not self.grounds.has_rough or not 1 < len(patches) <= _MOST_PATCHES:
            return []
        chosen = range(1, 2 ** len(patches) - 1)
        return [
            grown(table, unit, rough_is_closed=True, only=[p.id for bit, p in enumerate(patches) if number >> bit & 1])
            for number in chosen
        ]

    # --- bands ---

    def bands(
        self, area: BaseGeometry, certain: BaseGeometry, levels: Sequence[Fraction] | None
    ) -> list[tuple[Fraction, BaseGeometry]]:
        """Return the area by chance: exact where all is certain, between that and the area's outline by squares.

        Each square of `SQUARE` inches has the chance of a place in it; where moves are measured from front to front, of
        an inch.
        """
        found = [(Fraction(1), certain)]
        if levels is None or any(level < 1 for level in levels):
            if self._by_chance is None:
                self._by_chance = self._drawn(area, certain)
            found = self._by_chance
        if levels is None:
            return [(chance, shape) for chance, shape in found if not shape.is_empty]
        banded: list[tuple[Fraction, BaseGeometry]] = []
        for level in sorted(levels, reverse=True):
            upper = banded[-1][0] if banded else Fraction(2)
            inside = [shape for chance, shape in found if level <= chance < upper]
            banded.append((level, joined(inside)))
        return banded

    def _drawn(self, area: BaseGeometry, certain: BaseGeometry) -> list[tuple[Fraction, BaseGeometry]]:
        """Draw the ground of each chance, the surest first."""
        parts, rest = {Fraction(1): certain}, less(area, certain)
        if self.fronts.can_fail and not (rest.is_empty or self.spending.is_by_front):
            require_few(self._shared[1], MOST_FOR_BANDS)
        for chance, shape in [*self._squares(polygons_of(rest)), *self._along(lines_of(rest))]:
            parts[chance] = shape if chance not in parts else joined([parts[chance], shape])
        give_back()
        return sorted(parts.items(), reverse=True)

    def _squares(self, rest: BaseGeometry) -> list[tuple[Fraction, BaseGeometry]]:
        if rest.is_empty:
            return []
        if not self.fronts.can_fail:
            return [(Fraction(1), rest)]
        side = _SQUARE_BY_FRONT if self.spending.is_by_front else SQUARE
        low_x, low_y, high_x, high_y = rest.bounds
        x, y = (
            np.arange(math.floor(a / side), math.ceil(b / side)) * side for a, b in ((low_x, high_x), (low_y, high_y))
        )
        corners = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
        squares, goals = _met(shapely.box(*corners.T, *(corners + side).T), rest)
        value = self._each(goals) if self.spending.is_by_front else self._about(goals)
        levels = np.unique(np.round(value, 12)).tolist()
        return [(self._exact(one), _inside(squares[np.abs(value - one) < 1e-9], rest)) for one in levels]

    def _each(self, goals: FloatArray) -> FloatArray:
        """Return the chances of places, each computed by itself."""
        places = Places(self.fronts)
        spots = [(x, y) for x, y in goals.tolist()]
        found = zip(spots, places.orders_to_each(spots), strict=True)
        value = np.array([float(self.at(goal, ways[1])) if ways else 0.0 for goal, ways in found])
        return _with_those_beside(value, np.asarray(shapely.points(goals)))

    def _about(self, goals: FloatArray) -> FloatArray:
        """Return the chances of places: by the shared decision places, if a little more for each lot changes nothing.

        Where it does, a border is near: it is drawn where a plan can surely be played, if there is ground of that
        chance beside it. Otherwise, and where no plan is known, places have decision places of their own.
        """
        shared = BestPlan(self._links, self._nodes, goals, 0.0)
        value = shared.value
        open_ = (shared.with_slack(MORE_INCHES / 2).value > value + ALMOST) | (value <= ALMOST)
        spots = np.asarray(shapely.points(goals))
        one, other = shapely.STRtree(spots).query(spots[open_], predicate="dwithin", distance=_BESIDE)
        one = np.flatnonzero(open_)[one]
        open_[one[~open_[other] & (np.abs(value[one] - value[other]) <= ALMOST)]] = False
        with_own = np.flatnonzero(open_)
        lots = np.array_split(with_own, len(with_own) // _AT_ONCE + 1)
        for lot, found in zip(lots, on_every_core(lambda some: self._with_own(goals[some]), lots), strict=True):
            value[lot] = found
        return _with_those_beside(value, spots)

    def _with_own(self, goals: FloatArray) -> FloatArray:
        """Return the chances of a few places, with the decision places that each has of its own."""
        nodes = self._links.added(self._nodes, np.concatenate([np.zeros((0, 2)), *self._own_of(goals)]))
        return BestPlan(self._links, nodes, goals, 0.0).value

    def _own_of(self, goals: FloatArray) -> list[FloatArray]:
        """Return the decision places that each of some places has of its own; none where no orders lead."""
        spots = [(x, y) for x, y in goals.tolist()]
        found = zip(spots, Places(self.fronts).orders_to_each(spots), strict=True)
        return [np.zeros((0, 2)) if ways is None else self._for_goal(goal, ways[1]) for goal, ways in found]

    def _along(self, lines: BaseGeometry) -> list[tuple[Fraction, BaseGeometry]]:
        """Return the lines of an area, cut into pieces of `SQUARE`, each with the chance of the nearest known far side.

        A remainder of a line without one nearby has the chance of a place in its middle.
        """
        if lines.is_empty:
            return []
        by_front = self.spending.is_by_front
        spots = np.zeros((0, 2)) if by_front else self._nodes.places[np.unique(self._nodes.far)]
        found: dict[Fraction, list[BaseGeometry]] = {}
        pieces = [_pieces_of(line) for line in shapely.get_parts(lines)]
        tree, every = shapely.STRtree(np.asarray(shapely.points(spots))), np.concatenate(pieces)
        at, nearest = tree.query_nearest(every, max_distance=SQUARE, all_matches=False)
        used, number = np.unique(nearest, return_inverse=True)
        value = self._about(spots[used]) if len(used) else np.zeros(0)
        for piece, which in zip(at.tolist(), number.tolist(), strict=True):
            found.setdefault(self._exact(float(value[which])), []).append(every[piece])
        places, first = Places(self.fronts), 0
        for some in pieces:
            left = np.setdiff1d(np.arange(first, first + len(some)), at)
            first += len(some)
            for x, y in shapely.get_coordinates(shapely.centroid(every[left[len(left) // 2 :]])).tolist():
                orders = places.orders((x, y))
                if orders is not None:
                    found.setdefault(self.at((x, y), orders[1]), []).extend(every[left].tolist())
                    break
        return [(chance, joined(some)) for chance, some in found.items()]


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
