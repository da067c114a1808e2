"""Chances: the best plan to a place, made anew after each roll, by dynamic programming over decision places.

A plan stops and decides somewhere after each spend. Where that may best be lies on few curves: as far as a lot goes,
with all its inches or one less, on clean ground or through rough; edges of rough ground; rims of friends; places at
obstacles and behind them; and on the shortest ways to the goal as far from either end as whole lots go. Places are set
along these curves, the exact ones for the goal are added to them, and between all of them distances are the planner's,
so a chance that is given is that of a plan that can be played. With `SLACK` inches more for each lot the same
calculation gives a bound from above: what falls between two places of a curve is less than that away.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from simulator.engine.clauses import clause
from simulator.engine.orders import Order
from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.snapping import union
from simulator.pathing.continuous import PreparedTable, Question, Way, plan, plan_many
from simulator.rulesets.skirmish.fronts import ANY, Front, Fronts
from simulator.rulesets.skirmish.ground import crosses_rough, features_of, may_end, rough_stretches
from simulator.rulesets.skirmish.grounds import Grounds, grown
from simulator.rulesets.skirmish.landings import Jump
from simulator.rulesets.skirmish.movement import LineOfMovement, allowance_after_failure, legal_stop, line_of, measured
from simulator.rulesets.skirmish.shapes import ground_of, joined, less, lines_of
from simulator.rulesets.skirmish.soldiers import TOLERANCE
from simulator.rulesets.skirmish.spends import Lot
from simulator.rulesets.skirmish.ways import Places

#: How far apart decision places are set, in inches.
SPACING = 0.25
#: How many inches more for each lot the bound from above allows.
SLACK = 0.05
#: How far apart the places are for which bands ask, in inches.
GRID = 0.25
#: More patches of rough ground than this are not each taken as open or closed: the nearest ways say which matter.
_MOST_PATCHES = 4
_ALMOST = 1e-12

Values = NDArray[np.float64]


class Flags(NamedTuple):
    """What of the past decides what may follow: whether it has the Running token, whether it traversed, or ran."""

    token: bool
    crossed: bool
    ran: bool


@dataclass(frozen=True, eq=False)
class Nodes:
    """Decision places, how far they lie apart, and what can be traversed from them."""

    places: FloatArray
    #: Shortest ways: open to all, and on which no roll is due; inf where they are too long to matter.
    open: FloatArray
    clean: FloatArray
    #: Straight lines, the same.
    straight: FloatArray
    straight_clean: FloatArray
    #: The jumps, and the numbers of the places where they begin, come down and stay.
    jumps: tuple[Jump, ...]
    begin: IntArray
    far: IntArray
    near: IntArray


class Chances:
    """The chances of one question of reach."""

    def __init__(self, fronts: Fronts) -> None:
        self.fronts, self.grounds, self.spending = fronts, fronts.grounds, fronts.spending
        self._known: dict[tuple[XY, float], Fraction] = {}

    @cached_property
    def _longest(self) -> float:
        return max([lot.inches for lot in self.spending.moves], default=0.0)

    def at(self, goal: XY, orders: Sequence[Order], slack: float = 0.0) -> Fraction:
        """Give the best chance to end at a place; `orders` lead there if all rolls succeed."""
        if (goal, slack) not in self._known:
            self._known[goal, slack] = self._at(goal, orders, slack)
        return self._known[goal, slack]

    def _at(self, goal: XY, orders: Sequence[Order], slack: float) -> Fraction:
        if not may_end(self.grounds.table, self.grounds.unit, [goal])[0]:
            return Fraction(0)
        spot = np.array([goal])
        certain = self.fronts.fronts_after(self.spending.ap, self.fronts.threshold)
        if any(front.ends(spot)[0] for front in certain):
            return Fraction(1)
        if not self.fronts.can_fail:
            return Fraction(bool(orders))
        if self.spending.is_by_front:
            return self._if_all_go_well(orders)
        own = self._for_goal(goal, orders)
        nodes = self._with(self._nodes, own)
        value = _Plan(self, nodes, spot, slack).value
        return self._exact(float(value[0]))

    def _exact(self, value: float) -> Fraction:
        """A chance as the product of rolls that it is: what was lost in the last digits is put back."""
        return Fraction(value).limit_denominator(10**9)

    @clause("SK-3", "SK-11", "SK-21")
    def _if_all_go_well(self, orders: Sequence[Order]) -> Fraction:
        """The chance that orders, as they are, lead where they should, with the Threshold there is.

        Measured from front to front, this is what is told: no other plan is looked for.
        """
        table, here = self.grounds.table, self.grounds.unit
        chances: list[Fraction] = []
        for order in orders:
            if order.action == "traverse":
                jump = self._jumps_of(order, here.place)[0]
                chances.append(jump.chance)
                here = here.put(place=jump.far)
                continue
            line = line_of(here, order.elements)
            is_short = measured(table, here, line) <= allowance_after_failure(table, here, order) + TOLERANCE
            if crosses_rough(table, here, line.course) and not is_short:
                chances.append(self.spending.terrain_chance)
            here = here.put(place=line.end, heading=here.heading if line.facing is None else line.facing)
        worth = [Fraction(1)] + [Fraction(0)] * self.fronts.threshold
        for chance in chances:  # by how much Threshold has been suffered
            lost = [Fraction(0), *worth[:-1]]
            worth = [chance * kept + (1 - chance) * paid for kept, paid in zip(worth, lost, strict=True)]
        return sum(worth, Fraction(0)) if orders else Fraction(0)

    # --- decision places ---

    @cached_property
    def _nodes(self) -> Nodes:
        """The decision places that all goals share."""
        rows = [np.array([self.fronts.start])]
        for spent in range(1, self.spending.ap):
            rows += self._after(spent)
        exact = self._on_edges([self.fronts.start])
        exact = exact[may_end(self.grounds.table, self.grounds.unit, exact)]
        return self._linked(np.concatenate([_thinned(np.concatenate(rows)), exact]))

    def _after(self, spent: int) -> list[FloatArray]:
        fronts = self.fronts
        whole = self._fronts_at(spent, ANY)
        if not whole:
            return []
        shapes = [front.area for front in whole]
        shapes += [front.area for unsafe in range(spent) for front in self._fronts_at(spent, unsafe)]
        if self.grounds.has_rough:
            shapes += self._shortened(spent)
        lines = [shapely.boundary(shape) for shape in shapes if shape.area]
        if self.grounds.has_rough:
            ground = union([front.area for front in whole]).buffer(2 * SLACK)
            edges = [shapely.boundary(area.polygon) for area in features_of(self.grounds.table).rough_areas]
            lines += [shapely.intersection(edge, ground) for edge in edges]
        lines += [line for front in whole for line in front.lines]
        found = [shapely.get_coordinates(shapely.segmentize(line, SPACING)) for line in lines if not line.is_empty]
        found += [front.on_rims for front in whole if front.area.area]
        rows = np.concatenate([np.zeros((0, 2)), *found])
        return [rows[may_end(fronts.grounds.table, fronts.grounds.unit, rows)]]

    def _fronts_at(self, spent: int, unsafe: int) -> list[Front]:
        fronts = self.fronts
        found = [fronts.front(fronts.stage(spent, unsafe, ran, False)) for ran in (False, True)]
        if self.spending.is_exclusive and fronts.has_traverses:
            found += [fronts.front(fronts.stage(spent, unsafe, ran, True)) for ran in (False, True)]
        return [front for front in found if not front.is_empty]

    def _shortened(self, spent: int) -> list[BaseGeometry]:
        """As far as soldiers get whose last roll has failed."""
        found = []
        for lot in self.spending.moves:
            for front in self._fronts_at(spent - lot.ap, ANY) if lot.ap <= spent and lot.failed > 0.0 else []:
                ground = self.grounds.open
                starts = _thinned(front.sources)
                found.append(plan(ground, starts, lot.failed, no_end=self.grounds.no_end(ground)).area(0.005, "inner"))
        return found

    def _for_goal(self, goal: XY, orders: Sequence[Order]) -> FloatArray:
        """The decision places that a goal has of its own: on the ways to it, as far from either end as lots go."""
        rows: list[XY] = []
        here = self.grounds.unit
        for order in orders:
            if order.action == "traverse":
                rows += [
                    place for jump in self.fronts.jumps.from_place(tuple(here.place)) for place in (jump.near, jump.far)
                ]
                there = next((jump.far for jump in self._jumps_of(order, here.place)), here.place)
            else:
                there = line_of(here, order.elements).end
            rows.append(there)
            here = here.put(place=there)
        for way in self._ways_to(goal):
            line = LineOfMovement(way.start, way.pieces)
            rows += [line.at(length) for length in self._lengths(line)]
        spots = np.concatenate([np.array(rows, np.float64).reshape(-1, 2), self._on_edges([self.fronts.start, goal])])
        spots = np.unique(np.round(spots, 9), axis=0)
        return spots[may_end(self.grounds.table, self.grounds.unit, spots)] if len(spots) else spots

    def _jumps_of(self, order: Order, place: XY) -> list[Jump]:
        return [
            jump
            for jump in self.fronts.jumps.from_place((float(place[0]), float(place[1])))
            if jump.order(order.unit) == order
        ]

    def _ways_to(self, goal: XY) -> list[Way]:
        """The shortest ways to a goal: with each choice of nearby patches of rough ground closed."""
        if self.spending.is_by_front or not self.spending.moves:
            return []
        budget = self.spending.ap * self._longest + 2 * SLACK
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
        far = self.spending.ap * self._longest
        patches = [piece for piece in features_of(table).rough if shapely.distance(piece.shape.polygon, spot) < far]
        if not self.grounds.has_rough or not 1 < len(patches) <= _MOST_PATCHES:
            return []
        chosen = range(1, 2 ** len(patches) - 1)
        return [
            grown(table, unit, rough_is_closed=True, only=[p.id for bit, p in enumerate(patches) if number >> bit & 1])
            for number in chosen
        ]

    @cached_property
    def _sums(self) -> list[float]:
        """The inches of so many lots, whole and shortened ones in any mixture."""
        steps = sorted({step for lot in self.spending.moves for step in (lot.inches, lot.failed) if step > 0.0})
        sums = {0.0}
        for _ in range(self.spending.ap):
            sums |= {round(one + step, 9) for one in sums for step in steps}
        return sorted(one for one in sums if one <= self.spending.ap * self._longest)

    def _on_edges(self, middles: Sequence[XY]) -> FloatArray:
        """The places on edges of rough ground that are nearest to some places, or whole lots away from them."""
        found = [np.zeros((0, 2))]
        if not self.grounds.has_rough:
            return found[0]
        edges = np.concatenate([area.edges for area in features_of(self.grounds.table).rough_areas])
        begin, along = edges[:, :2], edges[:, 2:] - edges[:, :2]
        length = np.hypot(*along.T)
        along = along / length[:, None]
        for middle in middles:
            foot = np.sum((np.array(middle) - begin) * along, axis=1)
            off = np.hypot(*(begin + foot[:, None] * along - middle).T)
            for far in (0.0, *self._sums):
                half = np.sqrt(np.maximum(far**2 - off**2, 0.0))
                for at in (foot - half, foot + half):
                    kept = (at >= 0.0) & (at <= length) & ((far >= off) | (far == 0.0))
                    found.append((begin + at[:, None] * along)[kept])
        rows = np.concatenate(found)
        return np.asarray(rows[np.hypot(*(rows - self.fronts.start).T) <= self.spending.ap * self._longest])

    def _lengths(self, line: LineOfMovement) -> list[float]:
        """At which lengths of a way a plan may stop: whole and shortened lots from either end, edges of rough."""
        table, unit = self.grounds.table, self.grounds.unit
        length, found, sums = line.length, set[float](), self._sums
        edges = {0.0} | {end for span in rough_stretches(table, line.course) for end in span}
        found |= {edge + total for edge in edges for total in sums}
        found |= {length - total for total in sums} | {edge - total for edge in edges for total in sums}
        kept = {round(one, 9) for one in found if 1e-6 < one < length}
        return sorted(kept | {legal_stop(table, unit, line, one) for one in kept})

    # --- what links them ---

    def _linked(self, places: FloatArray) -> Nodes:
        """Measure how far places lie apart, and find what can be traversed from them."""
        jumps, places = self._with_jumps(places)
        none = np.full((len(places), len(places)), np.inf)
        np.fill_diagonal(none, 0.0)
        return self._measured(places, jumps, Nodes(places[:0], *(none[:0, :0],) * 4, (), *(np.zeros(0, np.intp),) * 3))

    def _with(self, nodes: Nodes, own: FloatArray) -> Nodes:
        """Add the places of a goal to those shared by all."""
        if not len(own):
            return nodes
        apart = np.hypot(own[:, None, 0] - nodes.places[:, 0], own[:, None, 1] - nodes.places[:, 1])
        own = own[apart.min(axis=1) > 1e-7]
        jumps, own = self._with_jumps(own)
        return self._measured(np.concatenate([nodes.places, own]), [*nodes.jumps, *jumps], nodes)

    def _with_jumps(self, places: FloatArray) -> tuple[list[Jump], FloatArray]:
        """Find the traverses from places, and from where those lead to; both sides of them become places, too."""
        if not self.fronts.has_traverses:
            return [], places
        table, unit = self.grounds.table, self.grounds.unit
        within = self.grounds.radius + float(table.tables["traverse.within"]) + TOLERANCE
        solids = shapely.union_all([piece.shape.polygon for piece in features_of(table).obstacles])
        found: list[Jump] = []
        fresh, every = places, places
        for _ in range(self.spending.ap):
            near = fresh[shapely.distance(solids, shapely.points(fresh)) <= within]
            jumps = [
                jump
                for x, y in near.tolist()
                for jump in self.fronts.jumps.from_place((x, y))
                if jump.chance > 0 or self.fronts.threshold
            ]
            found += jumps
            sides = np.array([place for jump in jumps for place in (jump.near, jump.far)]).reshape(-1, 2)
            sides = np.unique(np.round(sides, 9), axis=0)
            sides = sides[may_end(table, unit, sides)] if len(sides) else sides
            if not len(sides):
                break
            apart = np.hypot(sides[:, None, 0] - every[:, 0], sides[:, None, 1] - every[:, 1]).min(axis=1)
            fresh = sides[apart > 1e-6]
            every = np.concatenate([every, fresh])
            if not len(fresh):
                break
        return found, every

    def _measured(self, places: FloatArray, jumps: Sequence[Jump], known: Nodes) -> Nodes:
        old, count = len(known.places), len(places)
        fresh = np.arange(old, count)
        kinds: list[tuple[FloatArray, FloatArray]] = []
        ways = seen = np.zeros((0, 0))
        for ground, before, seen_before in (
            (self.grounds.open, known.open, known.straight),
            (self.grounds.clean, known.clean, known.straight_clean),
        ):
            if ground is self.grounds.open or self.grounds.clean is not self.grounds.open:
                ways, seen = self._apart(ground, places, fresh)
            kinds.append((_grown(before, ways, fresh), _grown(seen_before, seen, fresh)))
        begin, far, near = (
            _numbers(places, [getattr(jump, name) for jump in jumps]) for name in ("start", "far", "near")
        )
        kept = np.flatnonzero(far >= 0)
        jumps = tuple(jumps[at] for at in kept.tolist())
        (open_, straight), (clean, straight_clean) = kinds
        return Nodes(places, open_, clean, straight, straight_clean, jumps, begin[kept], far[kept], near[kept])

    def _apart(self, ground: PreparedTable, places: FloatArray, rows: IntArray) -> tuple[FloatArray, FloatArray]:
        """How far some places are from all: by the shortest way, and straight."""
        far = self._longest + SLACK
        run = self.spending.run.inches + SLACK if self.spending.run else 0.0
        fit = np.ones(len(places), np.bool_)
        if ground is not self.grounds.open:
            fit = self.grounds.off_rough(places)
        apart = np.hypot(places[rows, None, 0] - places[:, 0], places[rows, None, 1] - places[:, 1])
        near = (apart <= max(far, run)) & fit[rows][:, None] & fit
        one, other = np.nonzero(near)
        straight = np.full(apart.shape, np.inf)
        barred = ground.barred(np.hstack([places[rows[one]], places[other]]), from_contact=True)
        straight[one[~barred], other[~barred]] = apart[one[~barred], other[~barred]]
        ways = np.where(straight <= far, straight, np.inf)
        if not self.spending.is_straight:
            bent = near & (apart <= far) & np.isinf(straight)
            bent &= self._past_corners(ground, places, rows, far, bent)
            some = np.flatnonzero(bent.any(axis=1))
            reaches = plan_many(ground, [Question(places[rows[row]], far) for row in some.tolist()])
            for row, reach in zip(some.tolist(), reaches, strict=True):
                targets = np.flatnonzero(bent[row])
                ways[row, targets] = reach.cost_at(places[targets])
        return ways, straight

    def _past_corners(
        self, ground: PreparedTable, places: FloatArray, rows: IntArray, far: float, bent: BoolArray
    ) -> BoolArray:
        """Between which places a way can lead past some corner or base without being too long."""
        found = np.zeros((len(rows), len(places)), np.bool_)
        if not bent.any():
            return found
        circles = ground.circles
        x, y = places.T
        for cx, cy, radius in zip(circles.x, circles.y, circles.measured, strict=True):
            away = np.maximum(np.hypot(x - cx, y - cy) - radius, 0.0)
            some, others = np.flatnonzero(away[rows] <= far), np.flatnonzero(away <= far)
            if len(some) and len(others):
                found[np.ix_(some, others)] |= away[rows[some]][:, None] + away[others] <= far
        return found

    # --- bands ---

    def bands(
        self, area: BaseGeometry, certain: BaseGeometry, levels: Sequence[Fraction] | None
    ) -> list[tuple[Fraction, BaseGeometry]]:
        """Give the area by chance: exact where all is certain, between that and the area's outline by squares.

        Each square of `GRID` inches that a border goes through has the chance of its middle.
        """
        parts = {Fraction(1): certain}
        if levels is None or any(level < 1 for level in levels):
            rest = less(area, certain)
            for chance, shape in [*self._squares(ground_of(rest)), *self._along(lines_of(rest))]:
                parts[chance] = shape if chance not in parts else joined([parts[chance], shape])
        found = sorted(parts.items(), reverse=True)
        if levels is None:
            return [(chance, shape) for chance, shape in found if not shape.is_empty]
        banded: list[tuple[Fraction, BaseGeometry]] = []
        for level in sorted(levels, reverse=True):
            upper = banded[-1][0] if banded else Fraction(2)
            inside = [shape for chance, shape in found if level <= chance < upper]
            banded.append((level, joined(inside)))
        return banded

    def _squares(self, rest: BaseGeometry) -> list[tuple[Fraction, BaseGeometry]]:
        if rest.is_empty:
            return []
        if not self.fronts.can_fail:
            return [(Fraction(1), rest)]
        low_x, low_y, high_x, high_y = rest.bounds
        x, y = (
            np.arange(math.floor(a / GRID), math.ceil(b / GRID)) * GRID for a, b in ((low_x, high_x), (low_y, high_y))
        )
        corners = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
        cells = shapely.intersection(shapely.box(*corners.T, *(corners + GRID).T), rest, grid_size=1e-6)
        kept = np.flatnonzero(~shapely.is_empty(cells))
        cells = cells[kept]
        goals = shapely.get_coordinates(shapely.point_on_surface(cells))
        exact = _Plan(self, self._nodes, goals, 0.0).value
        value = _Plan(self, self._nodes, goals, SLACK / 2).value
        value = np.where(value >= 1.0 - _ALMOST, exact, value)  # what is certain has an exact border of its own
        value = np.where(value <= _ALMOST, self._least, value)
        levels = np.unique(np.round(value, 12)).tolist()
        return [(self._exact(one), union(cells[np.abs(value - one) < 1e-9].tolist())) for one in levels]

    def _along(self, lines: BaseGeometry) -> list[tuple[Fraction, BaseGeometry]]:
        """The lines of an area, each with the chance of a place on it."""
        places, found = Places(self.fronts), []
        for line in shapely.get_parts(lines):
            corners = shapely.get_coordinates(line)
            for x, y in corners[len(corners) // 2 :].tolist():
                orders = places.orders((x, y))
                if orders is not None:
                    found.append((self.at((x, y), orders[1]), line))
                    break
        return found

    @property
    def _least(self) -> float:
        """The chance of a plan in which every roll has to succeed, and is the hardest there is."""
        chances = [jump.chance for jump in self._nodes.jumps if jump.chance > 0]
        chances += [self.spending.terrain_chance] if self.grounds.has_rough else []
        return float(min(chances, default=Fraction(1)) ** self.spending.ap)


def _thinned(rows: FloatArray) -> FloatArray:
    """Of places nearer to each other than about the spacing, keep one; the first row stays."""
    if not len(rows):
        return rows.reshape(-1, 2)
    _, first = np.unique(np.floor(rows / (0.7 * SPACING)), axis=0, return_index=True)
    return np.asarray(rows[np.unique(np.append(first, 0))])


def _grown(before: FloatArray, rows: FloatArray, fresh: IntArray) -> FloatArray:
    """A square of distances with the rows of new places added, on both sides."""
    count = rows.shape[1]
    whole = np.full((count, count), np.inf)
    old = len(before)
    whole[:old, :old] = before
    whole[fresh] = rows
    whole[:, fresh] = rows.T
    return whole


def _numbers(places: FloatArray, wanted: Sequence[XY]) -> IntArray:
    """Which places these are; -1 for those that are none."""
    if not wanted:
        return np.zeros(0, np.intp)
    tree = shapely.STRtree([shapely.Point(place) for place in places])
    spots = shapely.points(np.array(wanted))
    found = np.full(len(wanted), -1, np.intp)
    at, place = tree.query_nearest(spots, max_distance=2e-6, all_matches=False)
    found[at] = place
    return found


class _Plan:
    """The best plan for some goals at once: a value for each decision place, with so many AP and so much Threshold."""

    def __init__(self, chances: Chances, nodes: Nodes, goals: FloatArray, slack: float) -> None:
        self.chances, self.nodes, self.goals = chances, nodes, goals
        self.fronts, self.spending = chances.fronts, chances.spending
        self.slack = slack + TOLERANCE
        self.chance = float(self.spending.terrain_chance)
        self._known: dict[tuple[int, int, Flags], Values] = {}
        self._measure_goals()

    def _measure_goals(self) -> None:
        """How far the goals are from all decision places."""
        places, goals = self.nodes.places, self.goals
        every = np.concatenate([places, goals])
        rows = np.arange(len(places), len(every))
        self.open, self.straight = (
            found[:, : len(places)].T for found in self.chances._apart(self._grounds.open, every, rows)
        )
        self.clean, self.straight_clean = self.open, self.straight
        if self._grounds.clean is not self._grounds.open:
            found = self.chances._apart(self._grounds.clean, every, rows)
            self.clean, self.straight_clean = (one[:, : len(places)].T for one in found)
        legal = may_end(self._grounds.table, self._grounds.unit, goals)
        for ways in (self.open, self.clean, self.straight, self.straight_clean):
            ways[:, ~legal] = np.inf

    @property
    def _grounds(self) -> Grounds:
        return self.fronts.grounds

    @cached_property
    def value(self) -> Values:
        """The chance from the start, for each goal."""
        unit = self._grounds.unit
        flags = Flags(bool(unit["running"]), bool(unit["has_traversed"]), bool(unit["has_run"]))
        return np.asarray(self.after(self.spending.ap, self.fronts.threshold, flags)[0])

    def after(self, ap: int, threshold: int, flags: Flags) -> Values:
        """The chances from all places with so many AP left and so much Threshold to suffer: places by goals."""
        key = (ap, threshold, flags)
        if key not in self._known:
            self._known[key] = self._stay(flags)
            best = self._known[key]
            for lot in self.spending.moves:
                if lot.ap <= ap:
                    best = np.maximum(best, self._lot(lot, ap - lot.ap, threshold, flags))
            run = self.spending.run
            if run is not None and run.ap <= ap and not (self.spending.is_exclusive and flags.crossed):
                best = np.maximum(best, self._run(run, ap - run.ap, threshold, flags))
            if len(self.nodes.jumps) and not (self.spending.is_exclusive and flags.ran):
                best = self._over(best, ap, threshold, flags)
            self._known[key] = best
        return self._known[key]

    def _wanted(self, flags: Flags) -> float:
        """What an end is worth: all, unless it should have the token and has not, or the other way round."""
        return float(self.fronts.token in (None, flags.token))

    def _stay(self, flags: Flags) -> Values:
        at_goal = self.open <= TOLERANCE
        return np.where(at_goal, self._wanted(flags), 0.0)

    # --- lots ---

    @clause("SK-5", "SK-11", "SK-12", "SK-13")
    def _lot(self, lot: Lot, ap: int, threshold: int, flags: Flags) -> Values:
        """The best that a lot leads to."""
        nodes, inches, failed = self.nodes, lot.inches + self.slack, lot.failed + self.slack
        after, wanted = self.after(ap, threshold, flags), self._wanted(flags)
        best: Values = np.maximum(_best(nodes.clean <= inches, after), wanted * (self.clean <= inches))
        if not self._grounds.has_rough:
            return best
        best = np.maximum(best, _best(nodes.open <= failed, after))
        best = np.maximum(best, wanted * (self.open <= failed))
        paid = self.after(ap, threshold - 1, flags) if threshold else np.zeros_like(after)
        saved = self.chance * after + (1 - self.chance) * paid
        best = np.maximum(best, _best(nodes.open <= inches, saved))
        at_goal = wanted * (self.chance + (1 - self.chance) * bool(threshold))
        best = np.maximum(best, at_goal * (self.open <= inches))
        if self.spending.is_straight:
            best[0] = np.maximum(best[0], self._straight_gamble(lot, after))
            return best
        # Gambles: the stop after a failure, and as far again as the roll would take away. A line may bend, so that it
        # measures just so much where it is cut short.
        lost = lot.inches - lot.failed + self.slack
        ahead = np.maximum(_best(nodes.open <= lost, after), wanted * (self.open <= lost))
        gamble = self.chance * ahead + (1 - self.chance) * after
        gambled = _best(nodes.open <= failed, np.where(ahead > after, gamble, 0.0))
        return np.maximum(best, gambled)

    @clause("SK-4", "SK-13")
    def _straight_gamble(self, lot: Lot, after: Values) -> Values:
        """The best that one straight line through rough ground leads to from the start, cut short where it must be."""
        nodes, start = self.nodes, np.array(self.fronts.start)
        places = np.concatenate([nodes.places, self.goals])
        away = np.hypot(*(places - start).T)
        reached = np.concatenate([nodes.straight[0], self.straight[0]])
        ends = np.flatnonzero((reached <= lot.inches + self.slack) & (away > lot.failed + self.slack))
        stops = start + lot.failed * (places[ends] - start) / away[ends, None]
        near = np.hypot(stops[:, None, 0] - nodes.places[:, 0], stops[:, None, 1] - nodes.places[:, 1])
        missed = _best(near <= max(self.slack, 1e-5), after)
        worth = np.concatenate([after, self._wanted_at_goals(len(self.goals))])[ends]
        gains = self.chance * worth + (1 - self.chance) * missed
        return np.asarray(gains.max(axis=0)) if len(ends) else np.zeros(after.shape[1])

    def _wanted_at_goals(self, count: int) -> Values:
        return np.eye(count) * self._wanted(Flags(False, False, False))

    @clause("SK-29", "SK-30", "SK-34", "SK-35", "SK-36")
    def _run(self, run: Lot, ap: int, threshold: int, flags: Flags) -> Values:
        """The best that a run leads to."""
        nodes = self.nodes
        inches, failed, least = run.inches + self.slack, run.failed + self.slack, run.least - self.slack
        with_token, without = flags._replace(token=True, ran=True), flags._replace(ran=True)
        saves = threshold and self._grounds.table.options.run_threshold
        worth = []
        for ways, straight_clean, value in (
            (nodes.straight, nodes.straight_clean, lambda one, left: self.after(ap, left, one)),
            (self.straight, self.straight_clean, lambda one, _left: self._wanted(one)),
        ):
            made, missed = value(with_token, threshold), value(without, threshold)
            after_failure = np.maximum(missed, value(with_token, threshold - 1)) if saves else missed
            saved = value(with_token, threshold - 1) if saves else np.zeros_like(np.asarray(made))
            for mask, gain in (
                ((straight_clean <= inches) & (straight_clean >= least), made),
                ((ways <= failed) & (ways >= least), self.chance * made + (1 - self.chance) * after_failure),
                ((ways <= inches) & (ways >= least), self.chance * made + (1 - self.chance) * saved),
            ):
                worth.append(_best(mask, np.asarray(gain)) if ways is nodes.straight else mask * np.asarray(gain))
        return np.asarray(np.maximum.reduce(worth))

    # --- traverses ---

    @clause("SK-21", "SK-22", "SK-26")
    def _over(self, best: Values, ap: int, threshold: int, flags: Flags) -> Values:
        """The best with traverses; those that cost nothing are tried until they succeed."""
        nodes, cost = self.nodes, self.spending.traverse_ap
        after = flags._replace(crossed=True)
        chance = np.array([float(jump.chance) for jump in nodes.jumps])[:, None]
        if not cost:
            if after != flags:
                self._known[ap, threshold, flags] = best
                return np.maximum(best, self._spread(self.after(ap, threshold, after), chance))
            while True:
                better = np.maximum(best, self._spread(best, chance))
                if np.array_equal(better, best):
                    return best
                best = better
        if cost > ap:
            return best
        value = self.after(ap - cost, threshold, after)
        stayed = np.where((nodes.near >= 0)[:, None], value[np.maximum(nodes.near, 0)], 0.0)
        if threshold:
            stayed = np.maximum(stayed, self.after(ap - cost, threshold - 1, after)[nodes.far])
        gain = chance * value[nodes.far] + (1 - chance) * stayed
        found = best.copy()
        np.maximum.at(found, nodes.begin, gain)
        return found

    def _spread(self, value: Values, chance: FloatArray) -> Values:
        found = np.zeros_like(value)
        np.maximum.at(found, self.nodes.begin, np.where(chance > 0.0, value[self.nodes.far], 0.0))
        return found


def _best(mask: BoolArray, values: Values) -> Values:
    """For each place the best value among those that its mask allows, for each goal."""
    found = np.zeros((len(mask), values.shape[1]))
    links = mask.astype(np.float32)
    for level in np.unique(np.round(values[values > _ALMOST], 12))[::-1].tolist():
        there = links @ (values >= level - _ALMOST).astype(np.float32) > 0.5
        found = np.where(there & (found == 0.0), level, found)
    return found
