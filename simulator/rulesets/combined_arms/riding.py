"""Rides: where a piece can be with a transport at the end of this turn or the next. It walks, boards, rides, gets off
and walks on, as far as the clocks of both allow.

The answer is a chain: the last link is a move of the passenger from wherever it may be set down, once for each clock
that the transport can leave; or of the transport, for who stays aboard.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from simulator.engine.chain import Chain, ChainReach, LinkStart, ask
from simulator.engine.errors import Breach, TableError
from simulator.engine.orders import Order
from simulator.engine.reach import WhyNot
from simulator.engine.state import Unit
from simulator.geometry.convex import IntArray
from simulator.geometry.footprints import Round
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.poses import Heading, Level, Pose
from simulator.geometry.shapes import joined, less, shrunk
from simulator.pathing.posed import Inside
from simulator.pathing.posed.beside_ends import BesideEnds
from simulator.pathing.posed.phased_reach import can_begin
from simulator.pathing.posed.planner import PosePlanner
from simulator.pathing.posed.rays import units
from simulator.pathing.traces import NoRoute
from simulator.pathing.weighted import planner_for
from simulator.rulesets.combined_arms.aboard import AboardReach
from simulator.rulesets.combined_arms.beside_hull import placed_on
from simulator.rulesets.combined_arms.boarding import cheapest_boarding, storeys_beside
from simulator.rulesets.combined_arms.boarding_later import begins, boarding_later
from simulator.rulesets.combined_arms.drives import (
    Drive,
    Journey,
    Stand,
    as_played,
    budget_for_boarding,
    can_follow,
    drives_before_getting_off,
    with_fewer_corners,
)
from simulator.rulesets.combined_arms.fetching import Pickup
from simulator.rulesets.combined_arms.getting_off import Passenger
from simulator.rulesets.combined_arms.movement import ArmsMoves, compiled
from simulator.rulesets.combined_arms.reach import ArmsReach, climbs_of, reach_of
from simulator.rulesets.combined_arms.storeys import Storey
from simulator.rulesets.combined_arms.transport import THIRDS, boarding
from simulator.rulesets.combined_arms.units import ArmsTable
from simulator.rulesets.combined_arms.walking_on import two_walks, walks_on

#: Where the passenger can be at the end.
ENDS = ("on_foot", "aboard")
#: The spacing in inches of the places where missing ground is looked for.
_APART = 0.5
#: What lies no farther beyond what is known is left out.
_HARDLY = 0.03
#: So much inside of where it can be set down those begin who walk on: outlines with few corners are soon searched.
_WITHIN = 0.02
#: Parts of fewer square inches are not looked at.
_SMALL = 0.01
#: The number of headings for which the cost of a stop to fetch somebody is looked up.
_HEADINGS = np.arange(0.0, 360.0, 5.0)


class RideReach(ArmsReach):
    """Where a passenger can end that gets off after a drive: from any pose of it, or from one."""

    drive: Drive
    pose: Stand | None = None
    #: Where the transport may stand, in one pose or another, for the reference point of the passenger.
    under: BaseGeometry = shapely.Polygon()
    #: Where it can be set down.
    ground: BaseGeometry = shapely.Polygon()

    def _costs_on(self, level: int, places: FloatArray, heading: Heading) -> FloatArray:
        """The costs on a level by number; nobody ends where the transport may stand."""
        costs = super()._costs_on(level, places, heading)
        if self.under.is_empty or not self.drive.meets(self.moves, level):
            return costs
        return np.where(shapely.contains_xy(self.under, *places.T), np.inf, costs)

    @property
    def in_the_way(self) -> BaseGeometry:
        """Where its transport may stand once it has got off, in one pose or another."""
        return self.drive.covered if self.pose is None else shapely.Polygon()

    def within_in(self, cost: Any, heading: Heading, level: Level) -> BaseGeometry:
        """Return where it can end with a heading, on a level, or both, for at most a cost; None is any."""
        if self.pose is None and self.space.placings and self.space.budget <= 0:
            here = {placing.level for placing in self.space.placings}
            if heading is not None and not isinstance(self.space.base, Round):
                return super().within_in(cost, heading, level)
            return self.ground if here & set(self.numbers_of(level)) else shapely.Polygon()
        parts = []
        for number in self.numbers_of(level):
            ground = super().within_in(cost, heading, self.level_names[number])
            parts.append(less(ground, self.under) if self.drive.meets(self.moves, number) else ground)
        return joined(parts)

    def orders_to(self, place: Any) -> list[Order]:
        """Return the orders of all turns: those that lead aboard, the drive, and the passenger's own."""
        return as_played(self.drive.journey.tables, self.turns_to(place))

    def turns_to(self, place: Any) -> list[list[Order]]:
        """Return the same turn by turn, without those by which others pass."""
        own, end = super().orders_to(place), self.pose_of(place)
        pose = self.pose
        if pose is None:
            beside = self.drive.meets(self.moves, self._cheapest_level(end) or 0)
            off, *on = own[0].elements
            # Where it is set down it is clear of its transport.
            pose = self.drive.pose_for(off["at"], end.place if beside and on else None, off["heading"])
            if pose is None:
                raise NoRoute(f"{self.drive.transport} has no way to where {self.mover.id} would get off")
        return self.drive.by_turn(pose, own)

    def orders_before(self, place: XY, own: Order) -> list[Order] | None:
        """Return the orders of its only turn in which it is set down at a place and does something; None: none."""
        pose = self.pose or self.drive.pose_for(place, None, own.elements[0]["heading"])
        return None if pose is None else self.drive.by_turn(pose, [own])[-1]


class FetchedReach(AboardReach):
    """Where a transport can end a drive so that a piece boards it there: in one of several headings perhaps."""

    def _costs_on(self, level: int, places: FloatArray, heading: Heading) -> FloatArray:
        """The costs on a level by number; who faces any way may turn at the end for the piece to board."""
        costs = super()._costs_on(level, places, heading)
        if heading is None:
            row, _, found = self._turned(self.planner, places, level)
            np.minimum.at(costs, row, found)
        return costs

    def orders_to(self, place: Any) -> list[Order]:
        """Return the orders of all turns; who turns at the end does so where that is cheaper, or leads there alone."""
        pose = self.pose_of(place)
        if pose.heading is None:
            level = self.space.starts[0].level
            places = np.array([pose.place], np.float64)
            _, headings, costs = self._turned(self.planner, places, level)
            if costs.min(initial=np.inf) < self.planner.costs_at(places, level)[0]:
                pose = replace(pose, heading=float(headings[costs.argmin()]))
        return super().orders_to(pose)

    def _turned(self, planner: PosePlanner, places: FloatArray, level: int) -> tuple[IntArray, FloatArray, FloatArray]:
        """Poses at places in which the piece can board, by the row of the place, with headings and costs."""
        ends = self.space.ends
        assert ends is not None
        row = np.flatnonzero(ends.near(places))
        row, facing = np.repeat(row, len(_HEADINGS)), np.tile(_HEADINGS, len(row))
        some = ends.has(places[row], facing)
        row, facing = row[some], facing[some]
        return row, facing, planner.costs_in(places[row], facing, level)

    def within_in(self, cost: Any, heading: Heading, level: Level) -> BaseGeometry:
        """Return where it can end with a heading, on a level, or both, for at most a cost; None is any."""
        found = super().within_in(cost, heading, level)
        ends = self.space.ends
        if heading is not None or ends is None:
            return found
        planner = planner_for(replace(self.space, budget=min(Fraction(cost), self.space.budget)))
        for number in self.numbers_of(level):
            found = self._turned_beside(planner, number, found)
        return found

    def against_pose(self, pose: Pose) -> tuple[Sequence[Breach], str]:
        """Return the reasons why no drive ends there, or why the piece does not get aboard where one does."""
        free = ArmsReach(self.table, self.mover, "move", replace(self.moves, space=replace(self.space, ends=None)), ())
        if free.cost_at(pose) is None:
            return free.against_pose(pose)
        assert self.journey.pickup is not None
        return [self.journey.pickup.too_far(self.mover, pose.place)], ""

    def _turned_beside(self, planner: PosePlanner, level: int, known: BaseGeometry) -> BaseGeometry:
        """Add to the ground on which a drive ends without a turn that on which it ends with one."""
        assert self.space.ends is not None
        places = _places_in(shapely.difference(shapely.box(*self.space.ends.bounds), known))
        row, facing, costs = self._turned(planner, places, level)
        row, facing = row[np.isfinite(costs)], facing[np.isfinite(costs)]
        while len(row):
            headings, count = np.unique(facing, return_counts=True)
            heading = float(headings[count.argmax()])
            known = joined([known, planner.area(heading=heading, level=level)])
            left = (facing != heading) & (shapely.distance(known, shapely.points(places[row])) > _HARDLY)
            row, facing = row[left], facing[left]
        return known


def ride_reach(
    table: ArmsTable,
    unit: Unit,
    carrier: str | None = None,
    end: str = ENDS[0],
    turns: int = 1,
    climbing: bool = False,
) -> ChainReach:
    """Compute where a piece can be after a turn or two in which it walks, boards a transport, rides and gets off."""
    transport = _transport(table, unit, carrier)
    links = [ask("move", unit=transport.id), ask("move") if end == ENDS[0] else ask("move", unit=transport.id)]
    chain = Chain(links[:1] if end != ENDS[0] and turns == 1 else links)
    against: list[Breach] = []
    answers = list(_answers(table, unit, transport, end, turns, climbing, against))
    remedy = f"{transport.id} nearer" if _too_far(against) else ""
    failed = None if answers else WhyNot((), tuple(against), remedy=remedy)
    return ChainReach(table, unit, chain, answers, failed)


def _too_far(against: Sequence[Breach]) -> bool:
    """Whether a piece cannot board because of the way to its transport."""
    return any(breach.clause in ("CA-119", "CA-125") for breach in against)


def _transport(table: ArmsTable, unit: Unit, carrier: str | None) -> Unit:
    name = carrier or unit.carrier
    if not name:
        raise TableError(f"{unit.id} is aboard nothing: name the transport that it rides with by carrier=...")
    transport = table.unit(name)
    if "doors" not in transport.fields or transport.side != unit.side:
        raise TableError(f"{name} is not a transport of {unit.side}")
    if transport.place is None:
        raise TableError(f"{name} is not on the table")
    if unit.carrier not in ("", name):
        raise TableError(f"{unit.id} is aboard {unit.carrier}: it gets off that first")
    if not unit.carrier and unit.place is None:
        raise TableError(f"{unit.id} is not on the table")
    return transport


def _answers(
    table: ArmsTable, unit: Unit, transport: Unit, end: str, turns: int, climbing: bool, against: list[Breach]
) -> Iterator[tuple[LinkStart, ArmsReach]]:
    if turns == 1 and end == ENDS[0] and unit.carrier != transport.id:
        yield from _on_its_own(table, unit, transport, climbing)
        return
    link, known, boarded = LinkStart(table.state), list[BaseGeometry](), bool(unit.carrier)
    for begun in _begun(table, unit, transport, against):
        journey = begun.next_turn() if turns == 2 else begun
        if end != ENDS[0]:
            found = _aboard(journey, transport.id)
            if can_begin(found.planner):
                boarded = True
                yield link, found
            continue
        for one in _getting_off(journey, unit.id, transport.id, climbing, against):
            yield link, one
            known += [one.area] if turns == 2 and unit.carrier else []
    if end != ENDS[0] and turns == 2 and not boarded:
        yield from ((link, later) for later in boarding_later(table, unit, transport) if begins(later))
    if end == ENDS[0] and turns == 2:
        for two in _walking_on(table, unit, transport, climbing, joined(known)):
            yield link, two


def _begun(table: ArmsTable, unit: Unit, transport: Unit, against: list[Breach]) -> Iterator[Journey]:
    """How it is aboard this turn: as it is already, by boarding where the transport stands, or once that has come."""
    if unit.carrier == transport.id:
        yield Journey(table, table)
        return
    found = cheapest_boarding(table, unit, transport)
    against += found.against
    if found.order is not None:
        yield Journey(found.table, table, (found.order,), can_drive=can_follow(table, unit.id, transport.id))
    if unit["has_moved"] or transport["has_moved"] or not can_follow(table, transport.id, unit.id):
        return
    for pickup in Pickup.all_of(table, unit, transport) if budget_for_boarding(table, transport) > 0 else ():
        if not pickup.breaches():
            aboard, _ = boarding(table, unit, transport, Fraction(0))
            after = type(table)(table.setting, table.state.with_unit(unit.put(aboard)))
            yield Journey(after, table, pickup=pickup)


# --- without getting off ---


def _on_its_own(table: ArmsTable, unit: Unit, transport: Unit, climbing: bool) -> Iterator[tuple[LinkStart, ArmsReach]]:
    """A piece on foot by itself; where the transport stands now, too, if that goes away before."""
    yield LinkStart(table.state), reach_of(table, unit, "move", climbing=climbing)
    if transport["has_moved"] or not can_follow(table, transport.id, unit.id):
        return
    away = Drive(Journey(table, table), unit.id, transport.id, Fraction(THIRDS))
    for pose in _out_of_the_way(away):
        there = away.at(pose)
        moved = reach_of(there, there.unit(unit.id), "move", climbing=climbing)
        found = RideReach(there, there.unit(unit.id), "move", moved.moves, ())
        found.drive, found.pose = away, pose
        yield LinkStart(table.state), found


def _out_of_the_way(away: Drive) -> Iterator[Stand]:
    """Poses of a transport that leave free where it stands: few, but each place that one of all leaves free."""
    if not away.hull:
        return
    ends = BesideEnds(away.reach, away.hull, away.reach.space.starts[0].level)
    places = np.concatenate([ends.lines.end, ends.lines.begin])
    headings = np.tile(ends.lines.heading, 2)
    hull = shapely.union_all([shapely.Polygon(part) for part in away.hull])
    left = _places_in(shapely.union_all([placed_on(part, *away.stands) for part in away.hull]))
    while len(left) and len(places):
        away_by = left[None] - places[:, None]
        cos, sin = (column[:, None] for column in units(headings).T)
        x, y = away_by[..., 0], away_by[..., 1]
        free = ~shapely.contains_xy(hull, cos * x + sin * y, cos * y - sin * x)
        best = int(free.sum(axis=1).argmax())
        if not free[best].any():
            return
        x, y = places[best].tolist()
        yield Stand((x, y), float(headings[best]))
        left = left[~free[best]]


def _aboard(journey: Journey, transport: str) -> AboardReach:
    """A transport as far as it goes, in a turn or in two."""
    carrier = journey.table.unit(transport)
    moves = compiled(journey.table, carrier)
    if journey.pickup is not None and journey.earlier is None:
        budget = budget_for_boarding(journey.table, carrier)
        return FetchedReach(
            journey, carrier, replace(moves, space=replace(moves.space, budget=budget, ends=journey.pickup))
        )
    if carrier["has_moved"] or (journey.earlier is None and not journey.can_drive):
        # What it has spent by now is no part of the price.
        starts = [replace(one, paid=Fraction(0), travelled=Fraction(0)) for one in moves.space.starts]
        moves = replace(moves, space=replace(moves.space, starts=tuple(starts), budget=Fraction(0)))
    moves = replace(moves, space=replace(moves.space, earlier=journey.earlier_phases(transport)))
    return AboardReach(journey, carrier, moves)


def _walking_on(
    table: ArmsTable, unit: Unit, transport: Unit, climbing: bool, known: BaseGeometry
) -> Iterator[ArmsReach]:
    """Who walks in the second turn: it has got off in the first, or has walked then as well."""
    if unit.carrier:
        first = list(_getting_off(Journey(table, table), unit.id, transport.id, climbing, []))
        # Single poses are of use only where a transport would else be in the way.
        some = [one for one in first if one.pose is None or one.pose == one.drive.stands]
        yield from walks_on(some, table, known, climbing=climbing)
        return
    if compiled(table, unit).space.directions.oblique is not None:
        raise TableError(
            f"with direction_model {table.options.direction_model} it is not known where {unit.id} can walk in two "
            "turns: ask about one, or about end=aboard"
        )
    yield two_walks(Journey(table, table).next_turn(), unit, climbing=climbing)
    if transport["has_moved"] or not can_follow(table, transport.id, unit.id):
        return
    away = Drive(Journey(table, table), unit.id, transport.id, Fraction(THIRDS))
    for pose in _out_of_the_way(away):
        (before,) = away.by_turn(pose, [])
        yield two_walks(Journey(away.at(pose), table, tuple(before)).next_turn(), unit, climbing=climbing)


# --- getting off ---


def _getting_off(
    begun: Journey, unit: str, transport: str, climbing: bool, against: list[Breach]
) -> Iterator[RideReach]:
    """Set down where the longest drive leads to, for nothing; and farther on from drives that leave time for that."""
    moves, carrier = _Moves(unit, climbing), begun.table.unit(transport)
    aboard = Passenger.of(begun.table, begun.table.unit(unit))
    for storey in storeys_beside(begun.table, moves.compiled(aboard), carrier):
        yield from _getting_off_on(storey, begun, moves, carrier, against)


def _getting_off_on(
    storey: Storey | None, begun: Journey, moves: _Moves, carrier: Unit, against: list[Breach]
) -> Iterator[RideReach]:
    """The same on one storey, or on the ground."""
    unit, transport = moves.unit, carrier.id
    stands = None
    if begun.earlier is None:
        stands = Drive(begun, unit, transport, Fraction(0), storey=storey)
        against += (reasons := stands.breaches())
        stands = None if reasons else stands
    can_drive = begun.earlier is not None or can_follow(begun.table, transport, unit)
    drives = list(drives_before_getting_off(begun, unit, transport, storey)) if can_drive else []
    if drives and drives[-1].reach.space.directions.oblique is not None:
        raise TableError(
            f"with direction_model {begun.table.options.direction_model} it is not known where {transport} can end a "
            "drive in every direction: ask move, or ride with end=aboard"
        )
    if not drives:
        if stands is not None:
            yield moves.from_pose(stands, stands.stands)
        return
    set_down = moves.set_down(drives[-1])
    if set_down is not None:
        yield set_down
    known = _KnownEnds(shapely.Polygon() if set_down is None else set_down.area)
    if stands is not None:
        yield from moves.walk_on(stands, known, pose=stands.stands)
    for drive in reversed(drives):
        yield from moves.walk_on(drive, known)


class _KnownEnds:
    """The ground on which the passenger ends for nothing, and the places that are known to be ends besides."""

    def __init__(self, ground: BaseGeometry) -> None:
        self.ground = ground
        self.near = shapely.buffer(ground, _HARDLY, quad_segs=2)

    def beyond(self, legal: BaseGeometry) -> BaseGeometry:
        """Return the part of an area that is not known, but for what lies hardly farther out."""
        return shrunk(shapely.difference(legal, self.near), _HARDLY)


class _Moves(NamedTuple):
    """What a passenger does once it has got off."""

    unit: str
    climbing: bool

    def compiled(self, there: Passenger) -> ArmsMoves:
        altitudes, climbs = climbs_of(there.table, there.unit, climbing=self.climbing)
        return compiled(there.table, there.unit, altitudes, climbs)

    def set_down(self, drive: Drive) -> RideReach | None:
        """Getting off after a drive, and no more."""
        there = drive.passengers()
        moves = self.compiled(there)
        moves = replace(moves, space=replace(moves.space, budget=min(moves.space.budget, Fraction(0))))
        level = drive.level_in(moves)
        moves = there.beginning_on(drive.ground, moves, level, drive.ground_facing)
        if not moves.space.placings:
            return None
        found = self._ridden(drive, there, moves)
        pieces = [piece for placing in moves.space.placings for piece in placing.pieces]
        found.ground = shapely.union_all([one.area.polygon for one in pieces if isinstance(one, Inside)])
        return found

    def from_pose(self, drive: Drive, pose: Stand, near: BaseGeometry | None = None) -> RideReach:
        """Getting off one pose of a transport, and on from there; with what the way there leaves it."""
        there, moves = self._in_pose(drive, pose)
        moves = there.beginning_beside(near, moves, drive.level_in(moves))
        return self._ridden(drive, there, moves, pose)

    def _in_pose(self, drive: Drive, pose: Stand) -> tuple[Passenger, ArmsMoves]:
        table = drive.at(pose)
        there = Passenger.of(table, table.unit(self.unit))
        return there, self.compiled(there)

    def walk_on(self, drive: Drive, known: _KnownEnds, pose: Stand | None = None) -> Iterator[RideReach]:
        """Getting off after a drive, or in one pose, and walking on to what is not known by then."""
        there, moves = (drive.passengers(), None) if pose is None else self._in_pose(drive, pose)
        moves = self.compiled(there) if moves is None else moves
        if moves.space.budget <= 0:
            return
        far, level = float(moves.space.budget) / moves.space.least_rate, drive.level_in(moves)
        beyond = None
        # What is legal facing some ways alone is not looked for.
        if moves.space.level_count == 1 and isinstance(moves.space.base, Round):
            left, bottom, right, top = shapely.union(known.ground, there.near(moves, level)).bounds
            window = shapely.box(left - far, bottom - far, right + far, top + far)
            beyond = known.beyond(there.legal(window, moves, level))
        if pose is not None:
            near = there.near(moves, level)
            if beyond is None or shapely.dwithin(near, beyond, far):
                yield self.from_pose(drive, pose, None if beyond is None else shapely.buffer(beyond, far))
            return
        drive = drive if beyond is None else replace(drive, within=shapely.buffer(beyond, far))
        if drive.ground.is_empty and not drive.ground_facing:
            return
        around = shapely.buffer(shapely.union_all([drive.ground, *drive.ground_facing.values()]), far)
        ground = with_fewer_corners(drive.ground, -_WITHIN)
        if beyond is not None:
            beyond = shapely.intersection(beyond, around)
            ground = shapely.intersection(ground, shapely.buffer(beyond, far))
        facing = {heading: with_fewer_corners(one, -_WITHIN) for heading, one in drive.ground_facing.items()}
        some = there.beginning_on(ground, moves, level, facing)
        if not some.space.placings:
            return
        found = self._ridden(drive, there, some)
        found.under = drive.covered
        yield found
        if found.under.is_empty or not drive.meets(found.moves, found.space.placings[0].level):
            return
        # Where the transport may stand, a pose of its own is looked for.
        under = shapely.intersection(found.under, around if beyond is None else beyond)
        yield from self._from_poses(drive, self._ridden(drive, there, some), known.beyond(under))

    def _from_poses(self, drive: Drive, anywhere: RideReach, left: BaseGeometry) -> Iterator[RideReach]:
        """Poses for ends where the transport might stand in another of them."""
        places = _places_in(left)
        places, known = places[np.isfinite(anywhere.costs_of(places))], set[Stand]()
        while len(places):
            end = (float(places[0, 0]), float(places[0, 1]))
            start = anywhere.way_to(end).start
            pose = drive.pose_for(start.place, end, start.heading)
            if pose is None or pose in known:
                places = places[1:]
                continue
            known.add(pose)
            yield (found := self.from_pose(drive, pose))
            rest = ~np.isfinite(found.costs_of(places))
            rest[0] = False
            places = places[rest]

    @staticmethod
    def _ridden(drive: Drive, there: Passenger, moves: ArmsMoves, pose: Stand | None = None) -> RideReach:
        found = RideReach(there.table, there.unit, "move", moves, (), (), there.written)
        found.drive, found.pose = drive, pose
        return found


def _places_in(area: BaseGeometry) -> FloatArray:
    """Places of an area, on a grid and within each of its parts."""
    if area.is_empty:
        return np.zeros((0, 2))
    left, bottom, right, top = area.bounds
    x, y = np.meshgrid(np.arange(left, right, _APART), np.arange(bottom, top, _APART))
    places = np.column_stack([x.ravel(), y.ravel()])
    places = places[shapely.contains_xy(area, *places.T)]
    parts = shapely.get_parts(area)
    inside = shapely.get_coordinates(shapely.point_on_surface(parts[shapely.area(parts) > _SMALL]))
    return np.concatenate([inside, places])
