"""Where a carrier ends that unloads, and where it can set somebody down: behind one of its poses, or behind any.

Where a unit is set down does not depend on how the carrier got there, and nothing is between two that touch. So
the places are those that the rear sweeps as the carrier ends in all its poses, less those without room.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry
from shapely.ops import substring

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach, TableError
from simulator.engine.orders import Element, Order
from simulator.engine.state import Unit
from simulator.engine.table_reach import TableReach
from simulator.geometry.convex import BoolArray
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.poses import Heading, Level, Pose
from simulator.geometry.shapes import joined, less, shrunk
from simulator.geometry.tolerances import TOLERANCE
from simulator.pathing.ends import HeadingRange
from simulator.pathing.posed import PoseReach, PoseSpace
from simulator.pathing.posed.area import grown
from simulator.pathing.posed.beside_ends import BesideEnds
from simulator.pathing.posed.rays import has_room, units
from simulator.pathing.posed.stopped_reach import StoppedReach
from simulator.pathing.traces import NoRoute
from simulator.rulesets.mecha.declaring import undeclarable
from simulator.rulesets.mecha.move_reach import MechaReach
from simulator.rulesets.mecha.movement import compiled, compiled_standing
from simulator.rulesets.mecha.options import MechaOptions
from simulator.rulesets.mecha.setting_down import apart, arc_of, beside, leeway, no_room, with_unit
from simulator.rulesets.mecha.units import MechaTable
from simulator.rulesets.mecha.unload_limits import UnloadDrive, drive_for
from simulator.rulesets.mecha.unloading import nobody_aboard
from simulator.rulesets.mecha.vocabulary import SET_DOWN

#: The spacing of headings in degrees where they depend on the pose of the carrier.
_STEP = 5.0
#: Poses of the carrier are rather looked for so far inside of where it ends, in inches.
_RIM = 0.05
#: Of the tolerance of contact, how far a unit that is set down is tried to stand off its carrier.
_SHARES = (0.0, 0.5, -0.5, 0.95, -0.95)
_WHOLE = 360.0


class UnloadReach(MechaReach):
    """Where a carrier ends that unloads."""

    @property
    def riders(self) -> tuple[str, ...]:
        """Whom it can set down."""
        riders = self.table.state.riders(self.mover.id)
        return tuple(rider.id for rider in riders if not drive_for(self.table, rider, self).barred)

    def set_down(self, rider: str, at: Any = None) -> SetDownReach:
        """Return where it can set somebody down: behind one pose of its own, or behind any."""
        unit = self.table.unit(rider)
        if unit.carrier != self.mover.id:
            raise TableError(f"{rider} is not aboard {self.mover.id}")
        return SetDownReach.of(self.table, unit, self, None if at is None else self.pose_of(at))


class SetDownReach(TableReach[MechaOptions]):
    """Where a unit can stand that its carrier sets down; that costs it nothing, whatever the carrier spends."""

    unit = "mp"
    tolerance = 0.1

    def __init__(
        self, table: MechaTable, there: Unit, carrier: Unit, drive: UnloadDrive, barred: Sequence[Breach]
    ) -> None:
        """Store the question: the unit as if it had been set down, and where its carrier can end."""
        super().__init__(table, there, "unload", 0)
        self.carrier, self.drive, self.barred = carrier, drive.reach, tuple(barred)
        self._whole, self._limits = drive.whole, tuple(drive.limits)

    @classmethod
    def of(cls, table: MechaTable, unit: Unit, whole: MechaReach, at: Pose | None = None) -> SetDownReach:
        """Return where a unit can be set down, behind one pose of its carrier or behind all."""
        carrier, drive = table.unit(unit.carrier), drive_for(table, unit, whole)
        there = beside(table, unit, carrier, carrier.place, carrier.heading)
        if at is None:
            found: SetDownReach = cls(with_unit(table, there), there, carrier, drive, drive.barred)
            return found
        pose = at if at.heading is not None else replace(at, heading=float(carrier.heading))
        barred = drive.barred
        if not barred and drive.reach.cost_at(pose) is None:
            barred = drive.limits if whole.cost_at(pose) is not None else whole.why_not(pose).reasons
        return _BehindPose(with_unit(table, there), there, carrier, drive, barred, pose)

    # --- the rear of the carrier ---

    @property
    def _arc(self) -> tuple[float, float]:
        """Straight behind a carrier that faces along +x, and how far to either side units are set down."""
        return arc_of(self.table, self.carrier.put(heading=0), exits=False)

    @cached_property
    @clause("ME-79", role="search")
    def rear(self) -> Sequence[FloatArray]:
        """The rear of a carrier at 0,0 that faces along +x, as convex parts: all that counts as contact."""
        far, tolerance = apart(self.mover, self.carrier), float(self.table.options.contact_tolerance)
        behind, aside = self._arc
        aside = min(aside + leeway(self.table, self.mover, self.carrier), 180.0)
        widest = math.degrees(2.0 * math.sqrt(tolerance / far))
        count = math.ceil(2.0 * aside / widest)
        return _parts(far, tolerance, np.linspace(behind - aside, behind + aside, count + 1))

    @cached_property
    def _without_carrier(self) -> MechaTable:
        return with_unit(self.table, self.carrier.put(place=None))

    @cached_property
    def _space(self) -> PoseSpace:
        """The unit with all that it may not stand on; its carrier stands beside it then, wherever it is now."""
        space = compiled_standing(self._without_carrier, self.mover).space
        return replace(space, bars=[*space.bars, *space.no_end])

    @clause("ME-79", "ME-81", role="search")
    def _has_room(self, places: FloatArray) -> BoolArray:
        return has_room(self._space, places, np.zeros(len(places)))

    def _roomy(self, area: BaseGeometry) -> BaseGeometry:
        """The part of an area where it has room."""
        space, reach = self._space, self._space.base.reach
        if space.box is not None:
            left, bottom, right, top = space.box
            inset = shapely.box(left + reach, bottom + reach, right - reach, top - reach)
            area = shapely.intersection(area, inset)
        closed = [
            one
            for number, one in enumerate(space.ground.areas)
            if space.ground.rate(frozenset({number}), frozenset()) is None
        ]
        return less(area, grown([*space.bars, *closed], reach))

    # --- where it can be set down ---

    @cached_property
    def _beside(self) -> BesideEnds:
        planner = self.drive.planner
        if isinstance(planner, StoppedReach):
            # Legs that end in contact get no farther than those that end just before.
            planner = planner.part(())
        assert isinstance(planner, PoseReach)
        left, bottom, right, top = self.drive.space.window
        far = apart(self.mover, self.carrier) + 1.0
        around = shapely.box(left - far, bottom - far, right + far, top + far)
        return BesideEnds(planner, self.rear, within=self._roomy(around))

    @cached_property
    def ground(self) -> BaseGeometry:
        """The places behind the carrier in one of its poses, whether there is room or not."""
        return shapely.Polygon() if self.barred else self._beside.ground

    @cached_property
    def _by_heading(self) -> dict[float, BaseGeometry]:
        return {}

    def _ground_facing(self, heading: float) -> BaseGeometry:
        """The places where it can be set down facing a way, whether there is room or not."""
        option = self.table.options.placement_heading
        if option == "any" or self.barred:
            return self.ground
        heading = heading % _WHOLE
        if heading not in self._by_heading:
            found = self._set_down_alike(heading) if option == "same" else self._set_down_away(heading)
            self._by_heading[heading] = found
        return self._by_heading[heading]

    @clause("ME-79", role="search")
    def _set_down_alike(self, heading: float) -> BaseGeometry:
        """The places behind the carrier as it faces one way."""
        return shapely.union_all(
            [swept_by(self.drive.area_of(heading=heading), turned(part, heading)) for part in self.rear]
        )

    @clause("ME-79", role="search")
    def _set_down_away(self, heading: float) -> BaseGeometry:
        """The places to one side of the carrier as it faces any way that has them at its rear."""
        behind, aside = self._arc
        facing = np.arange(heading - behind - aside, heading - behind + aside + _STEP / 2, _STEP)
        facing = np.unique(np.r_[np.minimum(facing, heading - behind + aside), float(self.carrier.heading)])
        off = (heading - facing - behind + 180.0) % _WHOLE - 180.0
        facing = facing[np.abs(off) <= aside + TOLERANCE]
        stands = joined([self.drive.area_of(heading=float(one) % _WHOLE) for one in facing])
        (far,), tolerance = [apart(self.mover, self.carrier)], float(self.table.options.contact_tolerance)
        (away,) = units(np.array([heading]))
        line = np.array([away * (far - tolerance), away * (far + tolerance)])
        return swept_by(stands, line)

    def costs_of(self, places: FloatArray) -> FloatArray:
        """Compute the least cost of each place."""
        return self.costs_in(places, None, None)

    def costs_in(self, places: FloatArray, heading: Heading, level: Level) -> FloatArray:
        """Compute the costs of being set down at many places: 0, or inf where that is not possible."""
        costs = np.full(len(places), np.inf)
        if level not in (None, self.mover["level"]):
            return costs
        ground = self.ground if heading is None else self._ground_facing(float(heading))
        shapely.prepare(ground)
        some = np.flatnonzero(shapely.dwithin(ground, shapely.points(places), TOLERANCE))
        some = some[self._has_room(places[some])]
        costs[some[self._has_poses(places[some], heading)]] = 0.0
        return costs

    def _has_poses(self, places: FloatArray, heading: Heading) -> BoolArray:
        """Find the places that are at the rear of a pose: where a heading binds that, what is drawn does not say it."""
        if heading is None or self.table.options.placement_heading == "any":
            return np.ones(len(places), np.bool_)
        return np.array([self.pose_for((x, y), heading) is not None for x, y in places.tolist()], np.bool_)

    def ground_within(self, cost: Any) -> BaseGeometry:
        """Return where it can be set down."""
        return self.within_in(cost, None, None)

    def within_in(self, cost: Any, heading: Heading, level: Level) -> BaseGeometry:
        """Return where it can be set down with a heading, on a level, or both; None is any."""
        del cost
        if level not in (None, self.mover["level"]):
            return shapely.Polygon()
        return self._roomy(self.ground if heading is None else self._ground_facing(float(heading)))

    @property
    def known_levels(self) -> Sequence[Level]:
        """The level of its carrier."""
        return (self.mover["level"],)

    def headings_in(self, place: XY, level: Level) -> Sequence[HeadingRange]:
        """Return the headings in which it can be set down at a place."""
        spot = np.array([place], np.float64)
        if not np.isfinite(self.costs_in(spot, None, level)[0]):
            return ()
        if self.table.options.placement_heading == "any":
            return (HeadingRange.whole(0),)
        headings = np.unique(np.r_[np.arange(0.0, _WHOLE, _STEP), self._exact_headings(place)])
        found = [bool(np.isfinite(self.costs_in(spot, float(one), level)[0])) for one in headings.tolist()]
        return tuple(_ranges(headings, np.array(found)))

    def _exact_headings(self, place: XY) -> FloatArray:
        """Headings between those that are looked at, in which it is known that the unit can be set down."""
        pose = self.pose_for(place, None)
        return np.array([] if pose is None else [self.facing(place, pose)])

    # --- how ---

    def pose_for(self, place: XY, heading: Heading) -> Pose | None:
        """Return a pose of the carrier that has a place at its rear, for a unit that faces some way there."""
        option = self.table.options.placement_heading
        if heading is None or option == "any":
            found = self._beside.pose_beside(place)
            return None if found is None else Pose(*found)
        known = self._alike(place, float(heading)) if option == "same" else self._away(place, float(heading))
        return next((pose for pose in known if self.drive.cost_at(pose) is not None), None)

    def _alike(self, place: XY, heading: float) -> Iterator[Pose]:
        """Yield poses of the carrier that have a place at its rear, and face one way."""
        stands = self.drive.area_of(heading=heading)
        for part in self.rear:
            fits = shapely.Polygon(np.array(place) - turned(part, heading))
            for some in (_well_inside(stands), stands):
                for x, y in _middles(shapely.intersection(some, fits)):
                    yield Pose((x, y), heading)

    def _away(self, place: XY, heading: float) -> Iterator[Pose]:
        """Yield poses of the carrier that have a place at its rear, one way from it."""
        (away,) = units(np.array([heading]))
        behind, aside = self._arc
        wanted, tolerance = heading - behind, float(self.table.options.contact_tolerance)
        for share in _SHARES:
            x, y = (np.array(place) - away * (apart(self.mover, self.carrier) + share * tolerance)).tolist()
            for one in self.drive.headings_at((x, y)):
                facing = _nearest_in(one, wanted)
                if abs((facing - wanted + 180.0) % _WHOLE - 180.0) <= aside + TOLERANCE:
                    yield Pose((x, y), facing)

    def facing(self, place: XY, pose: Pose) -> float:
        """Return which way a unit faces that is set down at a place by a carrier in a pose, unless it may choose."""
        if self.table.options.placement_heading == "away":
            x, y = place[0] - float(pose.place[0]), place[1] - float(pose.place[1])
            return math.degrees(math.atan2(y, x)) % _WHOLE
        assert pose.heading is not None
        return float(pose.heading) % _WHOLE

    def orders_to(self, place: Any) -> list[Order]:
        """Return the order of the carrier: its way, and whom it sets down."""
        pose = self.pose_of(place)
        stands = self.pose_for(pose.place, pose.heading) if self.cost_at(pose) is not None else None
        if stands is None:
            raise NoRoute(f"{self.mover.id} cannot be set down at {pose}")
        moves = [element for order in self.drive.orders_to(stands) for element in order.elements]
        heading = float(pose.heading) if pose.heading is not None else self.facing(pose.place, stands)
        down = {"unit": self.mover.id, "at": pose.place, "heading": heading}
        return [Order(self.carrier.id, "unload", [*moves, Element(SET_DOWN, down)])]

    # --- why not ---

    def against(self, place: XY) -> tuple[Sequence[Breach], str]:
        """Return the reasons why it cannot be set down at a place."""
        return self.against_pose(Pose(place))

    def against_pose(self, pose: Pose) -> tuple[Sequence[Breach], str]:
        """Return the same for a pose."""
        if self.barred:
            return self.barred, ""
        if self._limits and self._if_unlimited.cost_at(pose) is not None:
            return self._limits, ""
        there = self.mover.put(place=pose.place, heading=Fraction(pose.heading or 0))
        found = list(no_room(with_unit(self._without_carrier, there), there))
        ground = self.ground if pose.heading is None else self._ground_facing(float(pose.heading))
        far = float(shapely.distance(ground, shapely.Point(pose.place)))
        if math.isnan(far) or far > TOLERANCE:
            message = f"{self.carrier.id} ends nowhere where it has that place at its rear"
            if pose.heading is not None and shapely.dwithin(self.ground, shapely.Point(pose.place), TOLERANCE):
                message = f"{self.carrier.id} can set {self.mover.id} down there with another heading"
            away = None if math.isnan(far) else round(far, 4)
            found.append(Breach("ME-79", message, None if away is None else 0, away, self.carrier.id, pose.place))
        return found, ""

    @cached_property
    def _if_unlimited(self) -> SetDownReach:
        """Where it could be set down if its carrier unloaded as many whether it moves or not."""
        return SetDownReach(self.table, self.mover, self.carrier, UnloadDrive(self._whole, (), self._whole), ())


class _BehindPose(SetDownReach):
    """Where a unit can stand that is set down behind one pose of its carrier."""

    def __init__(
        self, table: MechaTable, there: Unit, carrier: Unit, drive: UnloadDrive, barred: Sequence[Breach], pose: Pose
    ) -> None:
        """Store the question, and the pose."""
        super().__init__(table, there, carrier, drive, barred)
        self.stands = pose

    @cached_property
    def ground(self) -> BaseGeometry:
        """The places behind the carrier in this pose, whether there is room or not."""
        return shapely.Polygon() if self.barred else shapely.union_all(self._rear_now)

    @property
    def _rear_now(self) -> NDArray[Any]:
        assert self.stands.heading is not None
        rear = [
            turned(part, float(self.stands.heading)) + np.array(self.stands.place, np.float64) for part in self.rear
        ]
        return np.array([shapely.convex_hull(shapely.MultiPoint(part)) for part in rear], object)

    def _set_down_alike(self, heading: float) -> BaseGeometry:
        """All places, as the carrier faces."""
        assert self.stands.heading is not None
        return self.ground if (heading - float(self.stands.heading)) % _WHOLE < TOLERANCE else shapely.Polygon()

    def _set_down_away(self, heading: float) -> BaseGeometry:
        """The place to one side of the carrier."""
        (away,) = units(np.array([heading]))
        here, far = np.array(self.stands.place, np.float64), apart(self.mover, self.carrier)
        tolerance = float(self.table.options.contact_tolerance)
        line = shapely.LineString([here + away * (far - tolerance), here + away * (far + tolerance)])
        return shapely.intersection(line, shapely.buffer(self.ground, TOLERANCE))

    def pose_for(self, place: XY, heading: Heading) -> Pose | None:
        """Return the pose, whichever way the unit faces."""
        del place, heading
        return self.stands

    def headings_in(self, place: XY, level: Level) -> Sequence[HeadingRange]:
        """Return the headings in which it can be set down at a place: all, or the one that the place leaves to it."""
        if self.table.options.placement_heading == "any" or self.cost_at(Pose(place, level=level)) is None:
            return super().headings_in(place, level)
        only = self.facing(place, self.stands)
        return (HeadingRange(only, only, 0),)


# --- questions ---


@clause("ME-77", "ME-79", role="search")
def unloading_reach(
    table: MechaTable, unit: Unit, at: XY | None = None, facing: float | None = None
) -> UnloadReach | SetDownReach:
    """Compute where a carrier can end that unloads, or for a passenger where it can be set down.

    That is behind any pose of its carrier, or behind one.
    """
    carrier = table.state.carrier_of(unit)
    if carrier is not None:
        if carrier.place is None:
            raise TableError(f"{carrier.id} is not on the table")
        return _of_carrier(table, carrier).set_down(unit.id, None if at is None else Pose(at, facing))
    if unit.place is None:
        raise TableError(f"{unit.id} is not on the table")
    if at is not None:
        raise TableError(f"{unit.id} is aboard nothing: where its carrier stops is asked for whom that sets down")
    return _of_carrier(table, unit)


def _of_carrier(table: MechaTable, unit: Unit) -> UnloadReach:
    barred = [*undeclarable(table, unit, "unload"), *nobody_aboard(table, unit)]
    return UnloadReach(table, unit, "unload", compiled(table, unit, "unload"), barred)


# --- shapes ---


def _parts(far: float, tolerance: float, bearings: FloatArray) -> list[FloatArray]:
    """The places so far off, within a tolerance, between bearings: a part for each two of them."""
    half = math.radians(float(bearings[1] - bearings[0])) / 2
    near, beyond = max(far - tolerance, 0.0) / math.cos(half), far + tolerance
    rays = units(bearings)
    return [np.array([one * near, one * beyond, other * beyond, other * near]) for one, other in pairwise(rays)]


def turned(part: FloatArray, heading: float) -> FloatArray:
    """Return the corners of a part as they lie with a heading."""
    ((cos, sin),) = units(np.array([heading])).tolist()
    return np.asarray(part @ np.array([[cos, sin], [-sin, cos]]))


def swept_by(area: BaseGeometry, part: FloatArray) -> BaseGeometry:
    """Return what a convex part covers that is carried with its 0,0 all over an area: over ground, lines and points."""
    if area.is_empty:
        return shapely.Polygon()
    pieces = shapely.get_parts(area)
    ground = pieces[shapely.get_dimensions(pieces) == 2]
    rings = shapely.get_rings(ground)
    lines = np.concatenate([rings, pieces[shapely.get_dimensions(pieces) == 1]])
    points = pieces[shapely.get_dimensions(pieces) == 0]
    found: list[Any] = [shapely.transform(one, lambda corners: corners + part[0]) for one in ground]
    corners, line = shapely.get_coordinates(lines, return_index=True)
    same = np.flatnonzero(line[1:] == line[:-1])
    both = np.concatenate([corners[same, None] + part, corners[same + 1, None] + part], axis=1)
    alone = shapely.get_coordinates(points)[:, None] + part
    for rows in (both, alone):
        found += list(shapely.convex_hull(shapely.multipoints(list(rows)))) if len(rows) else []
    return shapely.union_all(found)


def _well_inside(area: BaseGeometry) -> BaseGeometry:
    """The ground and the lines of an area, but for their rims and their ends."""
    parts = shapely.get_parts(area)
    lines = parts[shapely.get_dimensions(parts) == 1]
    shortened = [substring(one, _RIM, one.length - _RIM) for one in lines.tolist() if one.length > 2 * _RIM]
    ground = [shrunk(one, _RIM, join_style="mitre") for one in parts[shapely.get_dimensions(parts) == 2].tolist()]
    return shapely.GeometryCollection([*shapely.get_parts(ground).tolist(), *shortened])


def _middles(area: BaseGeometry) -> Iterator[XY]:
    """Yield a place in the middle of each part of an area, which may be ground, lines and points; large parts first."""
    parts = shapely.get_parts(area)
    parts = parts[~shapely.is_empty(parts)]
    parts = parts[np.lexsort((-shapely.length(parts), -shapely.area(parts)))]
    for part in parts.tolist():
        middle = part.interpolate(0.5, normalized=True) if part.geom_type == "LineString" else part.point_on_surface()
        yield middle.x, middle.y


def _nearest_in(one: HeadingRange, wanted: float) -> float:
    """The heading of a range that is nearest to another."""
    if wanted in one:
        return wanted % _WHOLE
    ends = (float(one.first) % _WHOLE, float(one.last) % _WHOLE)
    return min(ends, key=lambda heading: abs((heading - wanted + 180.0) % _WHOLE - 180.0))


def _ranges(headings: FloatArray, found: BoolArray) -> Iterator[HeadingRange]:
    """The stretches of headings that were found one after the other."""
    first: float | None = None
    last = 0.0
    for heading, is_one in zip(headings.tolist(), found.tolist(), strict=True):
        if is_one:
            first, last = heading if first is None else first, heading
        elif first is not None:
            yield HeadingRange(first, last, 0)
            first = None
    if first is not None:
        yield HeadingRange(first, last, 0)
