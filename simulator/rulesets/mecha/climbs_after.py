"""Climbs after something else: where a unit ends that does one thing in the first movement phase, then climbs.

What it does first leaves it at the foot of elevated terrain, in contact with an edge; from there it is placed straight
across. So each place on top has its place at the foot, and the ways that the unit may face there are those of the first
action, turned for nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from simulator.engine.errors import Breach
from simulator.engine.orders import Order
from simulator.engine.posed_orders import move_elements
from simulator.engine.posed_reach import PosedReach
from simulator.engine.state import Unit
from simulator.engine.table_reach import TableReach
from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.poses import Heading, Level, Pose
from simulator.geometry.shapes import together
from simulator.geometry.standing_room import Box
from simulator.pathing.ends import HeadingRange, cheapest_ranges
from simulator.pathing.posed import Rotate
from simulator.pathing.posed.contact_lines import parts_that_end
from simulator.pathing.traces import NoRoute
from simulator.rulesets.mecha.climb_facings import ClimbFacing, well_inside
from simulator.rulesets.mecha.climbed_sides import SAME, ClimbedSides
from simulator.rulesets.mecha.climbing import Climb, against_climb, climbs, no_climber
from simulator.rulesets.mecha.contact import in_contact_with
from simulator.rulesets.mecha.declaring import undeclarable
from simulator.rulesets.mecha.elevated import Top, drop_class, top_named, tops_on
from simulator.rulesets.mecha.landing import room_on
from simulator.rulesets.mecha.options import MechaOptions
from simulator.rulesets.mecha.phase_ends import passing
from simulator.rulesets.mecha.plans import free_afterwards
from simulator.rulesets.mecha.units import MechaTable

#: The spacing of places on sides, in inches; wider after jumps, where each place takes long.
_APART, _APART_AFTER_JUMPS = 0.1, 0.25
#: The share of the widest turn that is not lost by rounding.
_JUST_INSIDE = 1.0 - 1e-9
#: Headings that are nearer to each other are one.
_SAME_HEADING = 1e-9


class AtTheFoot(NamedTuple):
    """Where a climb begins, on which level, the climb, and how the unit may face there."""

    place: XY
    level: Level
    climb: Climb
    ranges: Sequence[HeadingRange]


class ClimbsAfter(TableReach[MechaOptions]):
    """Where a unit ends that climbs in the second movement phase, after what it did in the first."""

    unit = "mp"

    def __init__(
        self, table: MechaTable, mover: Unit, first: PosedReach[MechaOptions], later: tuple[MechaTable, Unit]
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
    def _sides(self) -> ClimbedSides:
        tops = dict.fromkeys(top for top, _ in self._climbed)
        return ClimbedSides(tops, float(self.mover["base"]), float(self.table.options.contact_tolerance))

    def _from(self, below: Level) -> BoolArray:
        """Find the sides that it can climb from a level."""
        tops = {top.name for top, level in self._climbed if level == below}
        return np.array([name in tops for name in self._sides.names], np.bool_)

    @cached_property
    def _levels_below(self) -> list[Level]:
        return list(dict.fromkeys(below for _, below in self._climbed))

    # --- what leads to a place on top ---

    def feet_of(self, places: FloatArray, level: Level) -> list[list[AtTheFoot]]:
        """Return for each of many places on top from where climbs lead there."""
        found: list[list[AtTheFoot]] = [[] for _ in range(len(places))]
        feet = self._sides.feet_of(places, level)
        for below in self._levels_below:
            of_level = np.flatnonzero(self._from(below)[feet.side])
            ends = of_level[self.first.are_ends(feet.here[of_level], None, below)]
            for foot, ranges in zip(ends.tolist(), self.first.headings_in_each(feet.here[ends], below), strict=True):
                number, (x, y) = int(feet.row[foot]), feet.here[foot].tolist()
                on_top = places[number].tolist()
                found[number] += self._climbs_to(on_top, level, (x, y), below, ranges) if ranges else ()
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
                leads = math.dist(climb.place, place) <= SAME
                if leads and not any(against_climb(table, there, climb, facing=False)):
                    yield AtTheFoot(here, below, climb, ranges)

    @cached_property
    def _free(self) -> float:
        """The degrees of the free turn that the second phase allows, whatever the first one does."""
        return float(free_afterwards(*self.later))

    @cached_property
    def _asides(self) -> FloatArray:
        """By how many degrees it may face aside of an edge and climb: straight on, just so, and some in between."""
        most = min(float(self.table.options.facing_tolerance_deg) + self._free, 180.0) * _JUST_INSIDE
        return most * np.array([0.0, 1.0, -1.0, 0.5, -0.5, 0.75, -0.75, 0.25, -0.25])

    def _facing(self, climb: Climb) -> ClimbFacing:
        options = self.table.options
        tolerance = float(options.facing_tolerance_deg)
        return ClimbFacing(climb.toward, tolerance, self._free, bool(options.free_turn_split))

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
        """Find the places to which a climb leads: at most feet the unit may face one of a few ways that allow it."""
        feet = self._sides.feet_of(places, level)
        levels = [(below, self._from(below)[feet.side]) for below in self._levels_below]
        # What touches several sides, or is touched there, is looked at closely.
        of_any = np.any([of_level for _, of_level in levels], axis=0) if levels else np.zeros(len(feet.row), np.bool_)
        only = np.bincount(feet.row[of_any], minlength=len(places)) == 1
        table, unit = self.later
        found, got_to = np.zeros(len(places), np.bool_), np.zeros(len(places), np.bool_)
        for below, of_level in levels:
            here = np.flatnonzero(of_level)
            here = here[self.first.are_ends(feet.here[here], None, below)]
            got_to[feet.row[here]] = True
            faced = np.zeros(len(feet.row), np.bool_)
            left = here[only[feet.row[here]]]
            # Nearly all face straight on or in none of the ways, so all the others are asked about together.
            for asides in (self._asides[:1], self._asides[1:]):
                row = np.repeat(left, len(asides))
                heading = self._sides.inward[feet.side[row]] + np.tile(asides, len(left))
                ends = self.first.are_ends(feet.here[row], heading, below)
                faced[left] = ends.reshape(len(left), len(asides)).any(axis=1)
                left = left[~faced[left]]
            for foot in np.flatnonzero(faced).tolist():
                x, y = feet.here[foot].tolist()
                found[feet.row[foot]] = not in_contact_with(table, unit.put(place=(x, y), level=str(below)))
        others = np.flatnonzero(got_to & ~found)
        found[others] = np.isfinite(self.costs_in(places[others], None, level))
        return found

    def ground_within(self, cost: Any) -> BaseGeometry:
        """Return where it can end for at most a cost."""
        return self.within_in(cost, None, None)

    def within_in(self, cost: Any, heading: Heading, level: Level) -> BaseGeometry:
        """Return where it can end with a heading, on a level, or both, for at most a cost: lines along the edges."""
        return self.within_besides(cost, None, heading=heading, level=level)

    def within_besides(
        self, cost: Any, ground: BaseGeometry | None, *, heading: Heading = None, level: Level = None
    ) -> BaseGeometry:
        """Return the same for who has some ground anyhow: lines are left out where they lie in it."""
        sides = self._sides
        asked = [number for number, name in enumerate(sides.names) if level in (None, name)]
        rooms = {top.name: room_on(*self.later, top) for top in dict.fromkeys(sides.tops)}

        def ends(side: IntArray, places: FloatArray) -> BoolArray:
            found = np.zeros(len(places), np.bool_)
            names = np.array(sides.names)[side]
            for name in np.unique(names).tolist():
                fits = np.flatnonzero(names == name)
                fits = fits[rooms[name].has(places[fits])]
                if heading is None and cost >= self.most:
                    found[fits] = self._climbable(places[fits], name)
                else:
                    found[fits] = self.costs_in(places[fits], heading, name) <= float(cost) + SAME
            return found

        straight = np.array([number for number in asked if not sides.tops[number].is_round], np.intp)
        round_ = np.array([number for number in asked if sides.tops[number].is_round], np.intp)
        middles = sides.on_top(0.5)[round_]
        begins, stops = sides.on_top(0.0), sides.on_top(1.0)
        apart = _APART_AFTER_JUMPS if self.first.action == "jump" else _APART
        edges: Any = shapely.linestrings(np.stack([begins[straight], stops[straight]], axis=1))
        if ground is not None:
            edges = shapely.difference(edges, ground)
            beside = ~shapely.intersects_xy(ground, *middles.T)
            round_, middles = round_[beside], middles[beside]
        edges, which = shapely.get_parts(edges, return_index=True)
        kept = np.flatnonzero(shapely.length(edges) > 0.0)
        lines, straight = edges[kept].tolist(), straight[which[kept]]
        parts = parts_that_end(lines, lambda line, places: ends(straight[line], places), np.zeros((0, 2)), apart)
        return together([], [*map(shapely.Point, middles[ends(round_, middles)].tolist()), *parts])

    def box_within(self, cost: Any) -> Box | None:
        """Return a box around all ends for at most a cost: straight across an edge from where it gets to."""
        around = self.first.box_within(cost)
        if around is None:
            return None
        across = 2 * self._sides.radius + self._sides.contact_tolerance
        left, bottom, right, top = around
        return left - across, bottom - across, right + across, top + across

    def against(self, place: XY) -> tuple[Sequence[Breach], str]:
        """Return the reasons why a place is out of reach."""
        return self.against_pose(Pose(place))

    def against_pose(self, pose: Pose) -> tuple[Sequence[Breach], str]:
        """Return the reasons why a pose is out of reach."""
        if self.barred:
            return self.barred, ""
        if any(self.feet_of(np.array([pose.place], np.float64), pose.level)):
            return [Breach("ME-55", "it cannot get there with that heading", place=pose.place)], ""
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
            first = self._orders_before(foot, turns.start)
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

    def _orders_before(self, foot: AtTheFoot, heading: float) -> list[Order]:
        """The orders that lead to the foot; where rounding keeps it from the very end of a range, just inside of it."""
        pose = Pose(foot.place, heading, foot.level)
        if self.first.cost_at(pose) is None:
            pose = replace(pose, heading=well_inside(foot.ranges, heading))
        return self.first.orders_to(pose)

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
