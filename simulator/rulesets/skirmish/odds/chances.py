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
from shapely.geometry.base import BaseGeometry

from simulator.engine.clauses import clause
from simulator.engine.orders import Order
from simulator.geometry.paths import Path, Straight
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.snapping import union
from simulator.geometry.tolerances import TOLERANCE
from simulator.pathing.free import FreeReach, PreparedTable, plan
from simulator.pathing.links import Link
from simulator.rulesets.skirmish.any_direction.far_sides import towards
from simulator.rulesets.skirmish.front_point.odds import Replans
from simulator.rulesets.skirmish.movement import line_of
from simulator.rulesets.skirmish.obstruction import features_of, may_end, rough_areas
from simulator.rulesets.skirmish.odds.decision_places import (
    MORE_INCHES,
    SPACING,
    Links,
    Nodes,
    thinned,
)
from simulator.rulesets.skirmish.odds.plans import BestPlan
from simulator.rulesets.skirmish.planner_tables import grown
from simulator.rulesets.skirmish.reach.front import Front
from simulator.rulesets.skirmish.reach.fronts import Fronts
from simulator.rulesets.skirmish.reach.orders import Places

#: With more patches of rough ground than this not each is tried open and closed: the nearest ways decide which matter.
_MOST_PATCHES = 4
#: Lines of far sides that end this close to each other end at one place.
_SAME_FAR = 0.01


class Chances:
    """The chances of one question of reach."""

    def __init__(self, fronts: Fronts) -> None:
        self.fronts, self.grounds, self.spending = fronts, fronts.grounds, fronts.spending
        self.links, self._stops = Links(fronts), fronts.stops
        self._known: dict[tuple[XY, float], Fraction] = {}

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
            return Replans(self.fronts, goal).best(orders)
        own, aimed = self._for_goal(goal, orders), list[Link]()
        if self._is_aimed:
            aimed = towards(self.fronts.jumps, goal, np.concatenate([self.nodes.places, own]))
        nodes = self.links.added(self.nodes, own, aimed)
        value = BestPlan(self.links, nodes, spot, slack).value
        return exact(float(value[0]))

    # --- decision places ---

    @cached_property
    def nodes(self) -> Nodes:
        """The decision places that all goals share, and how far they lie apart."""
        return self.links.linked(*self.shared)

    @cached_property
    def shared(self) -> tuple[list[Link], FloatArray]:
        """The decision places that all goals share, and what can be traversed from them."""
        rows = [np.array([self.fronts.start])]
        for spent in range(1, self.spending.ap):
            rows += self._after(spent)
        exact = [self._stops.to_edges, self._stops.on_edges([self.fronts.start]), *self._after_short_runs(rows)]
        exact += self._to_the_hair
        # The start comes first; what is exact comes before what is a hair beside it.
        some, spots = thinned(np.concatenate(rows)), self._stops.legal(np.concatenate(exact))
        return self.links.joined(np.concatenate([some[:1], spots, some[1:]]), self._known_jumps)

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
            edges = [shapely.boundary(area.polygon) for area in rough_areas(self.grounds.table)]
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
        edges = [shapely.boundary(area.polygon) for area in rough_areas(self.grounds.table)]
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
        return [reach.route_to(goal) for reach in self._reaches if goal in reach]

    @cached_property
    def _reaches(self) -> list[FreeReach]:
        """How far ways lead from the start: with each choice of nearby patches of rough ground closed."""
        grounds = [self.grounds.open]
        if self.grounds.clean is not self.grounds.open:
            grounds += [self.grounds.clean, *self._partly_closed]
        return [plan(ground, self.fronts.start, self._stops.farthest + 2 * MORE_INCHES) for ground in grounds]

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

    def own_of(self, goals: FloatArray) -> list[FloatArray]:
        """Return the decision places that each of some places has of its own; none where no orders lead."""
        spots = [(x, y) for x, y in goals.tolist()]
        found = zip(spots, Places(self.fronts).orders_to_each(spots), strict=True)
        return [np.zeros((0, 2)) if ways is None else self._for_goal(goal, ways[1]) for goal, ways in found]


def exact(value: float) -> Fraction:
    """Return a chance as the product of rolls that it is: rounding errors in the last digits are removed."""
    return Fraction(value).limit_denominator(10**9)
