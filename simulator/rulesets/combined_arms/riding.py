"""Rides: where a piece can be with a transport at the end of this turn or the next. It walks, boards, rides, gets off
and walks on, as far as the clocks of both allow.

The answer is a chain: the last link is a move of the passenger from wherever it may be set down, once for each clock
that the transport can leave; or of the transport, for who stays aboard.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from simulator.engine.chain import Chain, ChainReach, LinkStart, ask
from simulator.engine.clauses import clause
from simulator.engine.errors import Breach, TableError
from simulator.engine.orders import Order
from simulator.engine.posed_orders import move_elements
from simulator.engine.reach import WhyNot
from simulator.engine.state import Unit
from simulator.pathing.posed.beside_ends import BesideEnds
from simulator.pathing.posed.rays import units
from simulator.rulesets.combined_arms.bands import own_amount
from simulator.rulesets.combined_arms.beside_hull import placed_on
from simulator.rulesets.combined_arms.boarding import cheapest_boarding
from simulator.rulesets.combined_arms.drives import (
    Drive,
    Journey,
    Pose,
    as_played,
    by_phase,
    can_follow,
    drives_before_getting_off,
)
from simulator.rulesets.combined_arms.getting_off import Passenger
from simulator.rulesets.combined_arms.movement import ArmsMoves, MoveLimits, compiled
from simulator.rulesets.combined_arms.reach import ArmsReach, climbs_of, reach_of
from simulator.rulesets.combined_arms.transport import THIRDS
from simulator.rulesets.combined_arms.units import ArmsTable

#: Where the passenger can be at the end.
ENDS = ("on_foot", "aboard")
#: Ground that may be missing is looked at in places so many inches apart.
_APART = 0.5
#: Ends that cost so many inches more than they would in the best case are looked at once more.
_DEARER = 0.1
#: Parts of fewer square inches are not looked at.
_SMALL = 0.01


class RideReach(ArmsReach):
    """Where a passenger can end that gets off after a drive: from any pose of it, or from one."""

    drive: Drive
    pose: Pose | None = None

    def orders_to(self, place: Any) -> list[Order]:
        """Return the orders of all turns: those that lead aboard, the drive, and the passenger's own."""
        own = super().orders_to(place)
        pose = self.pose
        if pose is None:
            pose = self.drive.pose_for(own[0].elements[0]["at"])
            assert pose is not None  # it was set down beside one
        return self.drive.played(pose, own)


class AboardReach(ArmsReach):
    """Where a transport can end with a passenger aboard."""

    journey: Journey

    def orders_to(self, place: Any) -> list[Order]:
        """Return the orders of all turns."""
        pose = self.pose_of(place)
        heading = None if pose.heading is None else float(pose.heading)
        moves = self.planner.moves_to(pose.place, heading, self.space.starts[0].level)
        turns = list(by_phase(moves, len(self.space.earlier) + 1))
        turns = [*([[]] if not self.space.earlier and self.journey.earlier is not None else []), *turns]
        orders = [[Order(self.mover.id, "move", move_elements(some))] if some else [] for some in turns]
        return as_played(self.journey.tables, [[*self.journey.before, *orders[0]], *orders[1:]])


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
    failed = None if answers else WhyNot((), tuple(against))
    return ChainReach(table, unit, chain, answers, failed)


def _transport(table: ArmsTable, unit: Unit, carrier: str | None) -> Unit:
    name = carrier or unit.carrier
    if not name:
        raise TableError(f"{unit.id} is aboard nothing: name the transport that it rides with by carrier=...")
    transport = table.unit(name)
    if "doors" not in transport.fields or transport.side != unit.side:
        raise TableError(f"{name} is no transport of {unit.side}")
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
    is_aboard = unit.carrier == transport.id
    if turns == 1 and end == ENDS[0] and not is_aboard:
        yield from _on_its_own(table, unit, transport, climbing)
        return
    if is_aboard:
        begun, paid = Journey(table, table), Fraction(0)
    else:
        found = cheapest_boarding(table, unit, transport)
        against += found.against
        if found.order is None:
            return
        paid, begun = found.paid, Journey(found.table, table, (found.order,))
    link = LinkStart(table.state, paid={ArmsReach.unit: paid})
    can_drive = is_aboard or can_follow(table, unit.id, transport.id)
    begun = begun.next_turn(can_drive=can_drive) if turns == 2 else replace(begun, can_drive=can_drive)
    if end != ENDS[0]:
        yield link, _aboard(begun, transport.id)
        return
    for one in _getting_off(begun, unit.id, transport.id, climbing, against):
        yield link, one


# --- without getting off ---


@clause("CA-129", "CA-7")
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


def _out_of_the_way(away: Drive) -> Iterator[Pose]:
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
        yield Pose((x, y), float(headings[best]))
        left = left[~free[best]]


def _aboard(begun: Journey, transport: str) -> AboardReach:
    """A transport as far as it goes, in a turn or in two."""
    carrier = begun.table.unit(transport)
    stays = carrier["has_moved"] or (begun.earlier is None and not begun.can_drive)
    moves = compiled(begun.table, carrier, limits=MoveLimits(own_amount(carrier)) if stays else None)
    moves = replace(moves, space=replace(moves.space, earlier=begun.earlier_phases(transport)))
    found = AboardReach(begun.table, carrier, "move", moves, ())
    found.journey = begun
    return found


# --- getting off ---


@clause("CA-119", "CA-121", "CA-126", "CA-127", "CA-128")
def _getting_off(
    begun: Journey, unit: str, transport: str, climbing: bool, against: list[Breach]
) -> Iterator[RideReach]:
    """By the clock that the transport leaves: set down and no more, on from there, and from single poses."""
    if begun.earlier is None:
        stands = Drive(begun, unit, transport, Fraction(0))
        against += stands.breaches()
        if not stands.breaches():
            yield _from_pose(stands, unit, stands.stands, climbing)
    if begun.earlier is None and not can_follow(begun.table, transport, unit):
        return
    before: Drive | None = None
    for drive in drives_before_getting_off(begun, unit, transport):
        yield from _after(drive, before, climbing)
        before = drive


def _after(drive: Drive, before: Drive | None, climbing: bool) -> Iterator[RideReach]:
    there = drive.passengers()
    moves = _compiled(there, climbing)
    if drive.ground.is_empty:
        return
    beginning = there.beginning_on(drive.ground, moves)
    parts = [_ridden(drive, there, replace(beginning, space=replace(beginning.space, budget=_nothing(beginning))))]
    if beginning.space.budget > 0 and beginning.space.placings:
        parts.append(_ridden(drive, there, drive.not_under_it(beginning)))
        yield from parts
        most = beginning if before is None else _with_budget(beginning, _compiled(before.passengers(), climbing))
        yield from _from_poses(drive, _ridden(drive, there, most), parts, climbing)
    else:
        yield from parts


def _with_budget(moves: ArmsMoves, other: ArmsMoves) -> ArmsMoves:
    return replace(moves, space=replace(moves.space, budget=other.space.budget))


def _nothing(moves: ArmsMoves) -> Fraction:
    return min(moves.space.budget, Fraction(0))


def _compiled(there: Passenger, climbing: bool) -> ArmsMoves:
    altitudes, climbs = climbs_of(there.table, there.unit, climbing=climbing)
    return compiled(there.table, there.unit, altitudes, climbs)


def _ridden(drive: Drive, there: Passenger, moves: ArmsMoves, pose: Pose | None = None) -> RideReach:
    found = RideReach(there.table, there.unit, "move", moves, (), (), there.written)
    found.drive, found.pose = drive, pose
    return found


def _from_pose(drive: Drive, unit: str, pose: Pose, climbing: bool) -> RideReach:
    """The passenger from a transport in one pose, with what the way there leaves it."""
    table = drive.at(pose)
    there = Passenger.of(table, table.unit(unit))
    return _ridden(drive, there, there.beginning(_compiled(there, climbing), barred=False), pose)


def _from_poses(drive: Drive, most: RideReach, known: Sequence[RideReach], climbing: bool) -> Iterator[RideReach]:
    """Poses for ends that all poses together do not allow for: where the transport might stand in another of them."""
    far = float(most.space.budget) / most.space.least_rate
    around = drive.covered if most.space.budget == known[-1].space.budget else shapely.buffer(drive.ground, far)
    left = _places_in(shapely.difference(around, drive.ground))
    costs = most.costs_of(left)
    for one in known:
        costs = np.where(one.costs_of(left) <= costs + _DEARER, np.inf, costs)
    left, costs = left[np.isfinite(costs)], costs[np.isfinite(costs)]
    while len(left):
        end = (float(left[0, 0]), float(left[0, 1]))
        pose = drive.pose_for(most.planner.way_to(end).start.place, end)
        if pose is None:
            left, costs = left[1:], costs[1:]
            continue
        yield (found := _from_pose(drive, drive.passenger, pose, climbing))
        rest = found.costs_of(left) > costs + _DEARER
        rest[0] = False
        left, costs = left[rest], costs[rest]


def _places_in(area: BaseGeometry) -> Any:
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
