"""Climbs after something else: where a unit ends that does one thing in the first movement phase, then climbs.

What it does first leaves it at the foot of elevated terrain, in contact with an edge; from there it is placed straight
across. So each place on top has its place at the foot, and the ways that the unit may face there are those of the first
action, turned for nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from simulator.engine.errors import Breach
from simulator.engine.orders import Order
from simulator.engine.posed_orders import move_elements
from simulator.engine.state import Unit
from simulator.engine.table_reach import TableReach
from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.poses import Heading, Level, Pose
from simulator.geometry.shapes import together
from simulator.pathing.ends import HeadingRange, cheapest_ranges
from simulator.pathing.posed import Rotate
from simulator.pathing.posed.contact_lines import parts_that_end
from simulator.pathing.traces import NoRoute
from simulator.rulesets.mecha.climb_facings import ClimbFacing
from simulator.rulesets.mecha.climbing import Climb, against_climb, climbs, no_climber
from simulator.rulesets.mecha.contact import in_contact_with
from simulator.rulesets.mecha.declaring import undeclarable
from simulator.rulesets.mecha.elevated import Top, drop_class, top_named, tops_on
from simulator.rulesets.mecha.landing import room_on
from simulator.rulesets.mecha.options import MechaOptions
from simulator.rulesets.mecha.phase_ends import passing
from simulator.rulesets.mecha.turning import free_turn_of
from simulator.rulesets.mecha.units import MechaTable

#: Places that are nearer to each other are one.
_SAME = 4e-6
#: Headings that are nearer to each other are one.
_SAME_HEADING = 1e-9


class AtTheFoot(NamedTuple):
    """Where a climb begins, on which level, the climb, and how the unit may face there."""

    place: XY
    level: Level
    climb: Climb
    ranges: Sequence[HeadingRange]


class _ClimbedSide(NamedTuple):
    """A side of elevated terrain, from one corner to the next, and the direction straight out of it."""

    top: Top
    start: FloatArray
    end: FloatArray
    out: FloatArray


class ClimbsAfter(TableReach[MechaOptions]):
    """Where a unit ends that climbs in the second movement phase, after what it did in the first."""

    unit = "mp"

    def __init__(
        self, table: MechaTable, mover: Unit, first: TableReach[MechaOptions], later: tuple[MechaTable, Unit]
    ) -> None:
        """Store what it does first, and the table and the unit of the second phase."""
        super().__init__(table, mover, f"{first.action}, then climb", first.most)
        self.first, self.later = first, later
        self.barred = tuple(_barred(*later))

    # --- sides of elevated terrain ---

    @cached_property
    def _climbed(self) -> list[tuple[Top, Level]]:
        """The terrain that it can climb, each from which levels."""
        setting, unit = self.table.setting, self.mover
        most = int(unit["size_class"]) + int(self.table.tables["climb.size_classes_above"])
        found = []
        for level in () if self.barred else self.first.known_levels:
            here = top_named(setting, str(level))
            for top in tops_on(setting):
                higher = here is None or here.height < top.height
                if higher and drop_class(setting, top, here) <= most:
                    found.append((top, level))
        return found

    @property
    def known_levels(self) -> Sequence[Level]:
        """The tops that it can climb."""
        return list(dict.fromkeys(top.name for top, _ in self._climbed))

    @cached_property
    def _sides(self) -> list[_ClimbedSide]:
        tops = dict.fromkeys(top for top, _ in self._climbed)
        return [side for top in tops for side in _sides_of(top)]

    # --- what leads to a place on top ---

    def feet_of(self, places: FloatArray, level: Level) -> list[list[AtTheFoot]]:
        """Return for each of many places on top from where climbs lead there."""
        found: list[list[AtTheFoot]] = [[] for _ in range(len(places))]
        by_level: dict[Level, list[tuple[int, XY]]] = {}
        for number in self._near(places).tolist():
            x, y = places[number].tolist()
            for here, below in self._across((x, y), level):
                by_level.setdefault(below, []).append((number, here))
        for below, feet in by_level.items():
            rows = np.array([here for _, here in feet], np.float64)
            ends = np.flatnonzero(np.isfinite(self.first.costs_in(rows, None, below)))
            for row, ranges in zip(ends.tolist(), self.first.headings_in_each(rows[ends], below), strict=True):
                number, here = feet[row]
                x, y = places[number].tolist()
                found[number] += self._climbs_to((x, y), level, here, below, ranges) if ranges else ()
        return found

    def _climbs_to(
        self, place: XY, level: Level, here: XY, below: Level, ranges: Sequence[HeadingRange]
    ) -> Iterator[AtTheFoot]:
        """Yield the climbs from a place at the foot that lead to one on top."""
        table, unit = self.later
        there = unit.put(place=here, level=str(below))
        if in_contact_with(table, there):
            return
        for top, from_level in self._climbed:
            if from_level != below or level not in (None, top.name):
                continue
            for climb in climbs(table, there, top):
                leads = math.dist(climb.place, place) <= _SAME
                if leads and not any(against_climb(table, there, climb, facing=False)):
                    yield AtTheFoot(here, below, climb, ranges)

    def _across(self, place: XY, level: Level) -> Iterator[tuple[XY, Level]]:
        """Yield the places on the other side of the edges that a base at a place touches, each with its levels."""
        reach = float(self.mover["base"])
        for side in self._sides:
            if level not in (None, side.top.name):
                continue
            along = side.end - side.start
            at = float((np.array(place) - side.start) @ along) / float(along @ along)
            inside = float((side.start - np.array(place)) @ side.out)
            slack = float(self.table.options.contact_tolerance) if side.top.is_round else _SAME
            if -_SAME <= at <= 1 + _SAME and -_SAME <= inside - reach <= slack:
                x, y = (side.start + at * along + reach * side.out).tolist()
                yield from (((x, y), below) for top, below in self._climbed if top is side.top)

    def _facing(self, climb: Climb) -> ClimbFacing:
        table, unit = self.later
        free = float(free_turn_of(table, unit)) if table.options.free_turn_per == "phase" else 0.0
        tolerance = float(table.options.facing_tolerance_deg)
        return ClimbFacing(climb.toward, tolerance, free, bool(table.options.free_turn_split))

    # --- answers ---

    def costs_of(self, places: FloatArray) -> FloatArray:
        """Compute the least cost of each place."""
        return self.costs_in(places, None, None)

    def costs_in(self, places: FloatArray, heading: Heading, level: Level) -> FloatArray:
        """Compute the least costs of ending at many places with a heading, on a level, or both; None is any."""
        ranges = self.headings_in_each(places, level)
        return np.array(
            [
                min((float(one.cost) for one in some if heading is None or _has(one, float(heading))), default=np.inf)
                for some in ranges
            ],
            np.float64,
        )

    def headings_in_each(self, places: FloatArray, level: Level) -> list[Sequence[HeadingRange]]:
        """Return the headings in which it can end at each of many places on a level."""
        return [
            cheapest_ranges(one for foot in feet for one in self._facing(foot.climb).ends(foot.ranges))
            for feet in self.feet_of(places, level)
        ]

    def _climbable(self, places: FloatArray, level: Level) -> BoolArray:
        """Find the places to which a climb leads: from most feet the unit may face the edge straight on."""
        found = np.zeros(len(places), np.bool_)
        for below in dict.fromkeys(below for _, below in self._climbed):
            for number, here, toward in self._straight_on(places, level, below):
                left = ~found[number]
                if left.any():
                    ends = np.isfinite(self.first.costs_in(here[left], toward, below))
                    found[number[left][ends]] = True
        table, unit = self.later
        for row in np.flatnonzero(found).tolist():
            x, y = places[row].tolist()
            feet = [foot for foot, below in self._across((x, y), level)]
            levels = [below for _, below in self._across((x, y), level)]
            clear = [
                not in_contact_with(table, unit.put(place=a, level=str(b))) for a, b in zip(feet, levels, strict=True)
            ]
            found[row] = len(clear) == 1 and clear[0]
        others = np.flatnonzero(~found)
        found[others] = np.isfinite(self.costs_in(places[others], None, level))
        return found

    def _straight_on(
        self, places: FloatArray, level: Level, below: Level
    ) -> Iterator[tuple[IntArray, FloatArray, float]]:
        """Yield the rows of places that have feet at one side, the feet, and the heading straight at that side."""
        by_toward: dict[float, list[tuple[int, XY]]] = {}
        for number in self._near(places).tolist():
            x, y = places[number].tolist()
            for here, from_level in self._across((x, y), level):
                if from_level == below:
                    toward = round(math.degrees(math.atan2(y - here[1], x - here[0])) % 360.0, 6)
                    by_toward.setdefault(toward, []).append((number, here))
        for toward, feet in by_toward.items():
            yield np.array([one for one, _ in feet]), np.array([here for _, here in feet]), toward

    def _near(self, places: FloatArray) -> Any:
        """The numbers of the places at which a base may touch an edge from inside."""
        lines = shapely.union_all([top.polygon.boundary for top, _ in self._climbed])
        if lines.is_empty or not len(places):
            return np.zeros(0, np.intp)
        away = shapely.distance(lines, shapely.points(places)) - float(self.mover["base"])
        return np.flatnonzero(np.abs(away) <= float(self.table.options.contact_tolerance) + _SAME)

    def within(self, cost: Any) -> BaseGeometry:
        """Return where it can end for at most a cost."""
        return self.within_in(cost, None, None)

    def within_in(self, cost: Any, heading: Heading, level: Level) -> BaseGeometry:
        """Return where it can end with a heading, on a level, or both, for at most a cost: lines along the edges."""
        reach = float(self.mover["base"])
        parts: list[BaseGeometry] = []
        for side in self._sides:
            if level not in (None, side.top.name):
                continue
            name, room = side.top.name, room_on(*self.later, side.top)

            def ends(places: FloatArray, name: str = name, room: Any = room) -> Any:
                fits = room.has(places)
                if heading is None and cost >= self.most:
                    fits[fits] = self._climbable(places[fits], name)
                else:
                    fits[fits] = self.costs_in(places[fits], heading, name) <= float(cost) + _SAME
                return fits

            if side.top.is_round:
                middle = ((side.start + side.end) / 2 - reach * side.out)[None, :]
                parts += [shapely.Point(middle[0])] if ends(middle)[0] else []
                continue
            line = shapely.LineString([side.start - reach * side.out, side.end - reach * side.out])
            parts += parts_that_end(line, ends, np.zeros((0, 2)))
        return together([], parts)

    def against(self, place: XY) -> tuple[Sequence[Breach], str]:
        """Return the reasons why a place is out of reach."""
        return self.against_pose(Pose(place))

    def against_pose(self, pose: Pose) -> tuple[Sequence[Breach], str]:
        """Return the reasons why a pose is out of reach."""
        if self.barred:
            return self.barred, ""
        if any(self.feet_of(np.array([pose.place], np.float64), pose.level)):
            return [Breach("ME-55", "it does not get there facing that way", place=pose.place)], ""
        return [Breach("ME-56", "no climb from within reach leads there", place=pose.place)], ""

    # --- orders ---

    def orders_to(self, place: Any) -> list[Order]:
        """Return the orders of both phases that lead to a place or pose."""
        pose = self.pose_of(place)
        heading = None if pose.heading is None else float(pose.heading)
        for foot in self.feet_of(np.array([pose.place], np.float64), pose.level)[0]:
            turns = self._facing(foot.climb).turned(foot.ranges, heading)
            if turns is None:
                continue
            first = self.first.orders_to(Pose(foot.place, turns.start, foot.level))
            args = {"terrain": foot.climb.terrain.name, "at": foot.climb.contact.place}
            climb = Order(self.mover.id, "climb", [], args=args)
            return [
                *first,
                *passing(self.table, self.mover, first),
                *self._turn(turns.before),
                climb,
                *self._turn(turns.after),
            ]
        raise NoRoute(f"{self.mover.id} does not climb to {pose}")

    def _turn(self, degrees: float) -> list[Order]:
        if abs(degrees) <= _SAME_HEADING:
            return []
        return [Order(self.mover.id, "free_turn", move_elements([Rotate(degrees)]))]


def _barred(table: MechaTable, unit: Unit) -> Iterator[Breach]:
    """Why it cannot climb in the second phase, wherever it is by then."""
    yield from (found for found in undeclarable(table, unit, "climb") if found.clause != "ME-8")
    yield from no_climber(table, unit)


def _has(one: HeadingRange, heading: float) -> bool:
    """Whether a range has a heading, with one that is hardly outside."""
    wider = HeadingRange(one.first - _SAME_HEADING, one.last + _SAME_HEADING, one.cost)
    return heading in one or heading in wider


def _sides_of(top: Top) -> Iterator[_ClimbedSide]:
    for ring in (top.polygon.exterior, *top.polygon.interiors):
        corners = shapely.get_coordinates(ring)
        sign = 1.0 if ring.is_ccw == bool(ring.equals(top.polygon.exterior)) else -1.0
        for start, end in pairwise(corners):
            x, y = (end - start) / np.hypot(*(end - start))
            yield _ClimbedSide(top, start, end, sign * np.array([y, -x]))
