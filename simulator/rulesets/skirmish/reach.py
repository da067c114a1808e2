"""Reach: where a soldier can end with so many AP, possibly, certainly, and with what chance.

Areas are built lot by lot, one AP at a time, each with its own legal ends. Where nothing but distance counts, one
question with the whole budget answers for all lots. Otherwise the next lot starts from ends set `SPACING` apart on the
outline of the last: every place in such an area is reached, and none that the rules allow lies farther than `SPACING`
outside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple, cast

import numpy as np
import shapely
from shapely.geometry import Polygon
from shapely.geometry.base import BaseGeometry

from simulator.engine.clauses import clause
from simulator.engine.errors import TableError
from simulator.engine.orders import Element, Order
from simulator.engine.state import Unit
from simulator.engine.values import show
from simulator.errors import NoPlace
from simulator.geometry.courses import Courses
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.snapping import union
from simulator.pathing.continuous import (
    Arc,
    Obstacles,
    PreparedTable,
    Reach,
    Segment,
    Way,
    plan,
    prepare,
    straight_reach,
)
from simulator.rulesets.skirmish.ground import (
    barred_at,
    crosses_rough,
    edges_of,
    features_of,
    may_end,
    room_of,
    rough_stretches,
)
from simulator.rulesets.skirmish.movement import (
    LineOfMovement,
    before_running,
    elements_of,
    inches_of,
    legal_stop,
    lengths_to_circle,
)
from simulator.rulesets.skirmish.rolls import terrain_roll, traverse_roll
from simulator.rulesets.skirmish.soldiers import SkirmishTable, bases_of, enemies, friends, radius_of
from simulator.rulesets.skirmish.traverses import Traverse, in_reach
from simulator.rulesets.skirmish.why import WhyNot, why_not

#: How far apart the ends are set from which the next lot starts, in inches.
SPACING = 0.2
#: Bases are taken so much smaller where their outlines are drawn as obstacles, so that an exact fit stays open.
_SHAVE = 2e-7


#: Options under which the areas below would be wrong: rather no answer than a wrong one.
_UNANSWERED = {
    "measure": "front_point",
    "path_shape": "straight_per_ap",
    "pool_ap": True,
    "run_min_inches": 9,
    "traverse_ap": 0,
}


class _Step(NamedTuple):
    """How a start of a lot was come to: by a traverse from a place, or by the lot before."""

    place: XY
    traverse: Traverse | None


@dataclass(eq=False)
class _Layer:
    """All ends after some lots."""

    area: BaseGeometry
    reaches: list[Reach] = field(default_factory=list)
    #: Starts on the far side of obstacles, and where they were traversed from.
    over: dict[XY, _Step] = field(default_factory=dict)


@clause("SK-16", "SK-17", "SK-49", "SK-53", "SK-63")
def prepared(table: SkirmishTable, unit: Unit, without_obstacles: bool = False) -> PreparedTable:
    """Give the table as the planner wants it, with all that bars a soldier's way."""
    found = features_of(table)
    low_x, low_y, high_x, high_y = table.board.bounds
    box = (low_x, low_y, high_x, high_y)
    pieces = () if without_obstacles else found.obstacles
    areas = [piece.shape.polygon for piece in pieces if isinstance(piece.shape.polygon, Polygon)]
    walls = [edges_of(piece) for piece in pieces if not isinstance(piece.shape.polygon, Polygon)]
    foes = bases_of(enemies(table, unit))
    if table.options.enemy_block == "line_only":
        foes[:, 2] = np.maximum(foes[:, 2] - radius_of(unit), 0.0)
    obstacles = Obstacles(foes, np.concatenate([np.zeros((0, 4)), *walls]), areas, box)
    return prepare(obstacles, radius_of(unit), exact_fit=bool(table.options.exact_fit_passes))


@clause("SK-6", "SK-8")
def prepared_clean(table: SkirmishTable, unit: Unit) -> PreparedTable:
    """Give the table with rough terrain closed to the centre of the base.

    The planner knows one radius only, so the base is taken as a point and everything else grows by its radius: an edge
    to a rectangle with two discs at its ends, a base to a larger disc.
    """
    found, radius = features_of(table), radius_of(unit) - _SHAVE
    foes = bases_of(enemies(table, unit))
    if table.options.enemy_block == "swept_base":
        foes[:, 2] += radius
    edges = found.edges
    areas = [cast(Polygon, piece.shape.polygon) for piece in found.areas]
    along = (edges[:, 2:] - edges[:, :2]) / np.hypot(*(edges[:, 2:] - edges[:, :2]).T)[:, None]
    across = radius * np.column_stack([-along[:, 1], along[:, 0]])
    for edge, off in zip(edges, across, strict=True):
        areas.append(Polygon([edge[:2] - off, edge[2:] - off, edge[2:] + off, edge[:2] + off]))
    corners = np.unique(edges.reshape(-1, 2), axis=0)
    discs = [foes, np.column_stack([corners, np.full(len(corners), radius)])]
    if table.options.rough_test == "swept_base":
        rough_edges = np.concatenate([np.zeros((0, 4)), *[area.edges for area in found.rough_areas]])
        spots = np.unique(rough_edges.reshape(-1, 2), axis=0)
        discs.append(np.column_stack([spots, np.full(len(spots), radius)]))
        areas += [Polygon(area.polygon.buffer(radius, quad_segs=64).exterior) for area in found.rough_areas]
    areas += [cast(Polygon, area.polygon) for area in found.rough_areas]
    return prepare(Obstacles(np.concatenate(discs), (), areas, room_of(table, unit)), 0.0)


class SkirmishReach:
    """Where a soldier can end with up to so many AP, and how surely.

    `threshold` is how much Threshold its player is willing to suffer. `running` allows runs, `traversing` traverses.
    """

    def __init__(
        self,
        table: SkirmishTable,
        unit: Unit,
        ap: int,
        *,
        threshold: int = 0,
        moving: bool = True,
        running: bool = True,
        traversing: bool = True,
    ) -> None:
        if unanswered := [name for name, value in _UNANSWERED.items() if getattr(table.options, name) == value]:
            told = ", ".join(f"{name}={show(_UNANSWERED[name])}" for name in unanswered)
            raise TableError(f"skirmish judges and plays orders with {told}, but does not answer reach with it")
        self.table, self.unit, self.ap = table, unit, ap
        self.threshold = min(threshold, int(unit["threshold_left"]))
        self.start: XY = (float(unit.place[0]), float(unit.place[1]))
        self.inches = inches_of(table, unit)
        self._moving = moving
        self._traversing = traversing
        cost = int(table.tables["cost.run.ap"])
        self._runs = running and ap >= cost and not any(before_running(table, unit))
        self.no_end = bases_of(friends(table, unit))
        self.terrain_chance = terrain_roll(table, unit).chance

    # --- areas ---

    @cached_property
    def ground(self) -> PreparedTable:
        """What bars the way of this soldier, made ready for the planner."""
        return prepared(self.table, self.unit)

    @cached_property
    def _has_rough(self) -> bool:
        return bool(features_of(self.table).rough_areas)

    @cached_property
    def _clean(self) -> PreparedTable:
        return prepared_clean(self.table, self.unit) if self._has_rough else self.ground

    def _no_end(self, clean: bool) -> FloatArray:
        grown = self.no_end.copy()
        if clean and self._has_rough:
            grown[:, 2] += radius_of(self.unit)
        return grown

    def _lot(self, starts: Sequence[XY], inches: float, clean: bool = False) -> Reach:
        ground = self._clean if clean else self.ground
        return plan(ground, np.array(starts), inches, no_end=self._no_end(clean))

    @cached_property
    def _is_plain(self) -> bool:
        """Whether nothing but distance counts: no friends to end on, nothing in reach to traverse."""
        if len(self.no_end):
            return False
        far = self.ap * self.inches + radius_of(self.unit) + 1.0
        spot = shapely.Point(self.start)
        obstacles = features_of(self.table).obstacles
        return not (self._traversing and any(shapely.distance(piece.shape.polygon, spot) <= far for piece in obstacles))

    @cached_property
    def _possible(self) -> list[_Layer]:
        """The ends after 0, 1, 2 ... AP if all rolls succeed that can."""
        layers = [_Layer(shapely.Point(self.start))]
        for ap in range(1, self.ap + 1):
            if self._is_plain and self._moving:
                reach = self._lot([self.start], ap * self.inches)
                layers.append(_Layer(reach.area(side="inner"), [reach]))
                continue
            starts = self._outline(layers[-1], first=ap == 1)
            reaches = [self._lot(starts, self.inches)] if self._moving else []
            over: dict[XY, _Step] = {}
            if self._traversing:
                over = self._traverses(starts, layers[-1])
            before = layers[-1]
            areas = [before.area, *[reach.area(side="inner") for reach in reaches]]
            area = union([one for one in areas if one.area]) if any(one.area for one in areas) else areas[0]
            layers.append(_Layer(area, reaches, over))
        return layers

    def _outline(self, layer: _Layer, first: bool) -> list[XY]:
        """The ends from which the next lot starts: along the outline, and behind obstacles."""
        found: list[XY] = [self.start] if first else []
        if layer.area.area:
            edge: Any = layer.area.boundary
            count = max(int(edge.length / SPACING), 8)
            points = shapely.get_coordinates(shapely.line_interpolate_point(edge, np.linspace(0, edge.length, count)))
            kept = [shapely.get_coordinates(edge), points] if len(layer.over) + count < 40 else [points]
            rows = np.concatenate(kept)
            ends = np.zeros(len(rows), np.bool_)
            for reach in layer.reaches:
                ends |= reach.ends(rows)
            found += [(float(x), float(y)) for x, y in rows[ends & may_end(self.table, self.unit, rows)]]
        return found + list(layer.over)

    @clause("SK-18", "SK-23", "SK-26")
    def _traverses(self, starts: Sequence[XY], layer: _Layer) -> dict[XY, _Step]:
        """The far sides of all that can be traversed after a layer, from places along the obstacles."""
        spots = list(starts)
        within = float(self.table.tables["traverse.within"])
        for piece in features_of(self.table).obstacles:
            around = piece.shape.polygon.buffer(radius_of(self.unit) + within / 2, quad_segs=4)
            ring = around.intersection(layer.area) if layer.area.area else shapely.Point()
            edge: Any = ring.boundary
            if not edge.is_empty and edge.length:
                steps = np.linspace(0, edge.length, max(int(edge.length / SPACING), 2))
                spots += [tuple(row) for row in shapely.get_coordinates(shapely.line_interpolate_point(edge, steps))]
        rows = np.array(spots).reshape(-1, 2)
        ends = np.zeros(len(rows), np.bool_)
        ends[: len(starts)] = True
        for reach in layer.reaches:
            ends |= reach.ends(rows)
        found: dict[XY, _Step] = {}
        for place in rows[ends].tolist():
            there = self.unit.put(place=tuple(place))
            for way in in_reach(self.table, there):
                if traverse_roll(self.table, there, way.difficulty).chance > 0:
                    found.setdefault(way.far, _Step((place[0], place[1]), way))
        return found

    @cached_property
    def _run_area(self) -> BaseGeometry:
        return self._run_reach(float(self.table.tables["run.inches"])).area(side="inner")

    @clause("SK-29", "SK-30", "SK-37")
    def _run_reach(self, inches: float, clean: bool = False) -> Reach:
        ground = self._clean if clean else self.ground
        return straight_reach(ground, self.start, inches, no_end=self._no_end(clean))

    @cached_property
    def area(self) -> BaseGeometry:
        """Where it can end if every roll succeeds that can, as polygons of the base's centre."""
        found = [layer.area for layer in self._possible if layer.area.area]
        if self._runs:
            found.append(self._run_area)
        return union(found) if found else shapely.Polygon()

    @property
    def covered(self) -> BaseGeometry:
        """The ground that the base can come to cover."""
        return self.area.buffer(radius_of(self.unit), quad_segs=32)

    @cached_property
    def certain_area(self) -> BaseGeometry:
        """Where it ends whatever the dice, as polygons: an inch less for each lot through rough ground."""
        if not self._has_rough and not self.threshold and self._is_plain:
            return self.area
        lost = 0.0 if self.terrain_chance == 1 else float(self.table.tables["terrain.lost_inches"])
        fronts: dict[int, _Layer] = {0: _Layer(shapely.Point(self.start))}
        for ap in range(1, self.ap + 1):
            grown: dict[int, list[_Layer]] = {}
            for paid, layer in fronts.items():
                starts = self._outline(layer, first=ap == 1)
                if not starts or not self._moving:
                    continue
                lots = [self._lot(starts, self.inches, clean=True)]
                if self._has_rough:
                    lots.append(self._lot(starts, max(self.inches - lost, 0.0)))
                over: dict[XY, _Step] = {}
                areas = [layer.area, *[lot.area(side="inner") for lot in lots]]
                grown.setdefault(paid, []).append(_Layer(_united(areas), lots, over))
                if paid < self.threshold:
                    lot = self._lot(starts, self.inches)
                    behind = self._traverses(starts, layer) if self._traversing else {}
                    grown.setdefault(paid + 1, []).append(_Layer(lot.area(side="inner"), [lot], behind))
            fronts = {paid: _merged(layers) for paid, layers in grown.items()}
        found = [layer.area for layer in fronts.values()]
        if self._runs:
            clear = float(self.table.tables["run.failed.inches"]) if self._has_rough else self.run_inches
            found += [
                self._run_reach(clear).area(side="inner"),
                self._run_reach(self.run_inches, True).area(side="inner"),
            ]
        return _united(found)

    @property
    def run_inches(self) -> float:
        """How far a run goes."""
        return float(self.table.tables["run.inches"])

    # --- places ---

    def cost_at(self, place: XY) -> float:
        """Give the fewest AP with which a soldier can end at a place, all rolls made; inf where none do."""
        for ap, layer in enumerate(self._possible):
            if (ap == 0 and place == self.start) or self._in_layer(layer, place):
                return float(ap)
        if self._runs and place in self._run_reach(self.run_inches):
            return float(self.table.tables["cost.run.ap"])
        return float("inf")

    def _in_layer(self, layer: _Layer, place: XY) -> bool:
        near = any(np.hypot(place[0] - x, place[1] - y) <= 1e-6 for x, y in layer.over)
        return near or any(place in reach for reach in layer.reaches)

    def __contains__(self, place: XY) -> bool:
        """Whether a soldier can possibly end at a place."""
        return bool(np.isfinite(self.cost_at(place)))

    def orders_to(self, place: XY) -> list[Order]:
        """Give the orders, one for each spend, that take a soldier to a place if its rolls succeed."""
        cost = self.cost_at(place)
        if not np.isfinite(cost):
            raise NoPlace(f"{self.unit.id} can not end at {place[0]:g},{place[1]:g} with {self.ap} AP")
        if not any(self._in_layer(layer, place) for layer in self._possible) and place != self.start:
            return [Order(self.unit.id, "run", [Element("to", {"place": place})])]
        orders: list[Order] = []
        for ap in range(int(cost), 0, -1):
            layer = self._possible[ap]
            if not self._in_layer(layer, place):
                continue  # a start that stood still for a lot
            step = next((one for far, one in layer.over.items() if np.allclose(far, place, atol=1e-6)), None)
            if step is not None and step.traverse is not None:
                over = step.traverse.over
                args = {"obstacle": over[0], **({"other": over[1]} if len(over) == 2 else {})}
                orders.append(Order(self.unit.id, "traverse", (), args))
                place = step.place
                continue
            way = min((r.route_to(place) for r in layer.reaches if place in r), key=lambda one: one.length)
            lots = cut(way, self.inches) if self._is_plain else [way.pieces]
            orders += [Order(self.unit.id, "move", elements_of(pieces)) for pieces in reversed(lots)]
            place = way.start
            if self._is_plain:
                break
        return orders[::-1]

    def why_not(self, place: XY) -> WhyNot:
        """Say why a soldier can not end at a place: every reason, and the nearest legal end."""
        return why_not(self, place)

    # --- chances ---

    @clause("SK-5", "SK-12", "SK-22", "SK-34", "SK-35")
    def chance_at(self, place: XY) -> Fraction:
        """Give the chance to end at a place by the best way, planned anew after each roll.

        The ways tried lead along the shortest way through rough ground, the shortest way round it, and over obstacles
        on the straight way; lots end where allowances, edges of rough ground or obstacles say.
        """
        return _Policy(self, place).value(self.start, self.ap, self.threshold)

    def is_certain(self, place: XY) -> bool:
        """Whether a soldier ends at a place whatever the dice, with the Threshold it may suffer."""
        return self.chance_at(place) == 1


def _united(areas: Sequence[BaseGeometry]) -> BaseGeometry:
    found = [area for area in areas if area.area]
    return union(found) if found else areas[0]


def _merged(layers: Sequence[_Layer]) -> _Layer:
    over = {place: step for layer in layers for place, step in layer.over.items()}
    return _Layer(_united([one.area for one in layers]), [r for one in layers for r in one.reaches], over)


def cut(way: Way, inches: float) -> list[tuple[Segment | Arc, ...]]:
    """Cut a way into lots of so many inches, each a line of its own."""
    lots: list[list[Segment | Arc]] = [[]]
    left = inches
    for piece in way.pieces:
        rest: Segment | Arc = piece
        while rest.length > left + 1e-9:
            share = left / rest.length
            if isinstance(rest, Arc):
                first: Segment | Arc = Arc(rest.centre, rest.radius, rest.begin, rest.sweep * share)
                rest = Arc(rest.centre, rest.radius, rest.begin + rest.sweep * share, rest.sweep * (1 - share))
            else:
                (x1, y1), (x2, y2) = rest.start, rest.end
                middle = (x1 + share * (x2 - x1), y1 + share * (y2 - y1))
                first, rest = Segment(rest.start, middle), Segment(middle, rest.end)
            lots[-1].append(first)
            lots.append([])
            left = inches
        if rest.length > 1e-9:
            lots[-1].append(rest)
            left -= rest.length
    return [tuple(lot) for lot in lots if lot]


class _Policy:
    """The best way to one goal, planned anew after each roll: ways are read backwards from the goal."""

    def __init__(self, reach: SkirmishReach, goal: XY) -> None:
        self.reach, self.goal = reach, goal
        self.table, self.unit = reach.table, reach.unit
        budget = reach.ap * reach.inches
        self.known: dict[tuple[float, float, int, int], Fraction] = {}
        self.legal = bool(may_end(self.table, self.unit, [goal])[0])
        self.through = plan(reach.ground, goal, budget)
        self.clean = plan(reach._clean, goal, budget) if reach._has_rough else self.through
        far = budget + 4.0
        self.straight = (
            plan(prepared(self.table, self.unit, without_obstacles=True), goal, far) if reach._traversing else None
        )

    def value(self, place: XY, ap: int, threshold: int) -> Fraction:
        """The chance from a place with so many AP and so much Threshold left to suffer."""
        if not self.legal:
            return Fraction(0)
        if np.hypot(place[0] - self.goal[0], place[1] - self.goal[1]) <= 1e-6:
            return Fraction(1)
        if ap == 0:
            return Fraction(0)
        key = (round(place[0], 6), round(place[1], 6), ap, threshold)
        if key not in self.known:
            self.known[key] = Fraction(0)  # a way that comes back to where it was gains nothing
            self.known[key] = self._best(place, ap, threshold)
        return self.known[key]

    def _best(self, place: XY, ap: int, threshold: int) -> Fraction:
        best = self._run(place, ap)
        for field_ in [self.clean] if self.clean is self.through else [self.clean, self.through]:
            if best < 1 and self.reach._moving and place in field_:
                best = max(best, self._along(_reversed(field_.route_to(place)), ap, threshold))
        if best < 1 and self.reach._traversing and features_of(self.table).obstacles:
            best = max(best, self._over(place, ap, threshold))
        return best

    def _run(self, place: XY, ap: int) -> Fraction:
        if not self.reach._runs or place != self.reach.start or ap < int(self.table.tables["cost.run.ap"]):
            return Fraction(0)
        length = float(np.hypot(place[0] - self.goal[0], place[1] - self.goal[1]))
        course = Courses.of_lines([[place, self.goal]])
        if length > self.reach.run_inches + 1e-6 or np.isfinite(barred_at(self.table, self.unit, course)[0]):
            return Fraction(0)
        short = length <= float(self.table.tables["run.failed.inches"]) + 1e-6
        return Fraction(1) if short or not crosses_rough(self.table, self.unit, course) else self.reach.terrain_chance

    def _along(self, way: Way, ap: int, threshold: int) -> Fraction:
        """The best first lot along a way, and what follows."""
        inches, length = self.reach.inches, way.length
        lost = float(self.table.tables["terrain.lost_inches"])
        if length > ap * inches + 1e-6:
            return Fraction(0)
        ends = {min(inches, length), inches - lost}
        ends |= {length - lots * inches + back * lost for lots in range(1, ap + 1) for back in range(ap)}
        whole = Courses.of_pieces([way.pieces])
        ends |= {end for span in rough_stretches(self.table, whole) for end in span}
        for x, y, radius in self.reach.no_end:
            line = LineOfMovement(way.start, way.pieces)
            ends |= set(lengths_to_circle(line, (float(x), float(y)), float(radius) + radius_of(self.unit)))
        best = Fraction(0)
        for end in sorted((end for end in ends if 1e-6 < end <= min(inches, length) + 1e-9), reverse=True):
            best = max(best, self._lot(way, end, ap, threshold))
            if best == 1:
                break
        return best

    def _lot(self, way: Way, end: float, ap: int, threshold: int) -> Fraction:
        """One lot along a way, declared up to `end`."""
        there = way.at(end)
        if not may_end(self.table, self.unit, [there])[0]:
            return Fraction(0)
        pieces = cut(way, end)[0]
        made = self.value(there, ap - 1, threshold)
        if not crosses_rough(self.table, self.unit, Courses.of_pieces([pieces])):
            return made
        kept = self.reach.inches - float(self.table.tables["terrain.lost_inches"])
        if end <= kept + 1e-6:
            return made
        line = LineOfMovement(way.start, pieces)
        failed = self.value(line.at(legal_stop(self.table, self.unit, line, kept)), ap - 1, threshold)
        if threshold:
            failed = max(failed, self.value(there, ap - 1, threshold - 1))
        chance = self.reach.terrain_chance
        return chance * made + (1 - chance) * failed

    def _over(self, place: XY, ap: int, threshold: int) -> Fraction:
        """Traverses from here, and lots that lead up to an obstacle on the straight way."""
        there = self.unit.put(place=place)
        best, left = Fraction(0), ap - int(self.table.options.traverse_ap)
        for way in in_reach(self.table, there):
            chance = traverse_roll(self.table, there, way.difficulty).chance
            far, near = self.value(way.far, left, threshold), Fraction(0)
            if way.far == way.near or far == 0:
                continue
            if chance < 1:
                near = self.value(way.near, left, threshold) if left else Fraction(0)
                if threshold:
                    near = max(near, self.value(way.far, left, threshold - 1))
            best = max(best, chance * far + (1 - chance) * near)
        if self.straight is None or place not in self.straight or not self.reach._moving:
            return best
        way_over = _reversed(self.straight.route_to(place))
        contact = float(barred_at(self.table, self.unit, Courses.of_pieces([way_over.pieces]))[0])
        if 1e-6 < contact < way_over.length:
            within = float(self.table.tables["traverse.within"])
            for end in {min(contact, self.reach.inches), contact - within, contact - within / 2}:
                if 1e-6 < end <= self.reach.inches + 1e-9:
                    best = max(best, self._lot(way_over, end, ap, threshold))
        return best


def _reversed(way: Way) -> Way:
    """The same way, gone from its end to its start."""
    pieces = [
        Arc(piece.centre, piece.radius, piece.begin + piece.sweep, -piece.sweep)
        if isinstance(piece, Arc)
        else Segment(piece.end, piece.start)
        for piece in way.pieces[::-1]
    ]
    return Way(way.end, way.start, tuple(pieces))


# --- the questions that can be asked ---


def reach_of(table: SkirmishTable, unit: Unit, action: str, ap: int | None = None, threshold: int = 0) -> SkirmishReach:
    """Answer where a soldier can end: with one `move`, a `run` or a `traverse`; with `ap`, in so many AP altogether."""
    if ap is not None:
        return SkirmishReach(table, unit, min(ap, int(unit["ap"])), threshold=threshold)
    left = int(unit["ap"])
    if action == "run":
        cost = int(table.tables["cost.run.ap"])
        return SkirmishReach(table, unit, min(left, cost), threshold=threshold, moving=False, traversing=False)
    is_traverse = action == "traverse"
    return SkirmishReach(
        table,
        unit,
        min(left, 1),
        threshold=threshold,
        moving=not is_traverse,
        running=False,
        traversing=is_traverse,
    )


def planned(table: SkirmishTable, unit: Unit, order: Order) -> Order:
    """Give an order with a goal as one with a line: the shortest way there, or straight for a run."""
    assert order.goal is not None  # only such orders are planned
    goal: XY = order.goal.place
    if order.action == "run":
        elements = [Element("to", {"place": goal})]
    else:
        reach = plan(prepared(table, unit), unit.place, 1e3)
        try:
            elements = elements_of(reach.route_to(goal).pieces)
        except NoPlace:
            # The judge says what bars the straight way.
            elements = [Element("to", {"place": goal})]
    if order.goal.heading is not None:
        elements.append(Element("facing", {"heading": order.goal.heading}))
    return Order(unit.id, order.action, elements, order.args)
