"""Drives of a transport with a passenger aboard, and where that can get off at their ends.

What the passenger has left depends on the clock of the transport alone (CA-121). So the ends of all drives that leave
the same clock are one area, beside whatever pose the transport ends in, and the passenger begins anywhere in it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from simulator.engine.amounts import plain
from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.orders import Element, Order
from simulator.engine.posed_orders import move_elements
from simulator.engine.state import Unit
from simulator.geometry.footprints import Round
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.shapes import polygons_of
from simulator.pathing.posed import EarlierPhase, EndPhase, Move, PoseSpace, judged
from simulator.pathing.posed.beside_ends import BesideEnds, CutOff
from simulator.pathing.posed.phased_reach import reach_of as planned_reach
from simulator.pathing.posed.reach import PoseReach
from simulator.rulesets.combined_arms.beside_faced import BesideFaced
from simulator.rulesets.combined_arms.beside_hull import farthest_beside, ground_beside, ground_in_poses, hull_of
from simulator.rulesets.combined_arms.clock import FRESH, MoveClock
from simulator.rulesets.combined_arms.fetching import Pickup
from simulator.rulesets.combined_arms.getting_off import Passenger
from simulator.rulesets.combined_arms.heights import HowHigh
from simulator.rulesets.combined_arms.movement import ArmsMoves, MoveLimits, compiled, meets, spending
from simulator.rulesets.combined_arms.storeys import GROUND, Storey, is_beside
from simulator.rulesets.combined_arms.transport import THIRDS, clock_of, most_before
from simulator.rulesets.combined_arms.units import ArmsTable, base_of
from simulator.rulesets.combined_arms.vocabulary import TURNS

#: Where clocks run exactly, drives are distinguished by this many parts of a third.
_PARTS = 4
#: Outlines are drawn so much inside of the ground beside a transport, and outside of its hull, with fewer corners.
_WITHIN = 0.004
#: Rotations by so few degrees are none.
_NO_TURN = 1e-9


class Stand(NamedTuple):
    """Where a transport ends a drive, and facing which way."""

    place: XY
    heading: float

    def is_like(self, other: Stand) -> bool:
        """Whether another pose is the same but for rounding."""
        turned = abs((self.heading - other.heading + 180.0) % 360.0 - 180.0)
        return max(math.dist(self.place, other.place), turned) <= _NO_TURN


@dataclass(frozen=True, eq=False)
class Journey:
    """How a passenger comes to be aboard, and the transport into the turn in which it gets off."""

    table: ArmsTable  #: when that turn begins; or now, once the passenger is aboard
    origin: ArmsTable  #: before any order
    before: tuple[Order, ...] = ()  #: the orders by which it boards
    earlier: ArmsTable | None = None  #: at the drive of the turn before; None: there is no such turn
    can_drive: bool = True  #: whether the transport has its go of that turn still to come
    pickup: Pickup | None = None  #: where that drive has to end for the passenger to board; None: it is aboard by then

    def next_turn(self) -> Journey:
        """Return the same in the next turn, with a drive in this one."""
        state = self.table.state
        for unit in self.table.state:
            state = state.with_unit(unit.put({name: value for name, value in FRESH.items() if name in unit.fields}))
        clock = state.clock.put({"turn": state.clock.turn + 1})
        fresh = type(self.table)(self.table.setting, replace(state, clock=clock))
        return replace(self, table=fresh, earlier=self.table)

    @property
    def tables(self) -> list[ArmsTable]:
        """The tables with which its turns begin, the first one as it is now."""
        return [self.origin] if self.earlier is None else [self.origin, self.table]

    @property
    def _first(self) -> ArmsTable:
        """At the first drive."""
        return self.table if self.earlier is None else self.earlier

    def earlier_phases(self, transport: str) -> tuple[EarlierPhase, ...]:
        """Return what the transport can do in the turn before."""
        if self.earlier is None or not self.can_drive:
            return ()
        carrier = self.earlier.unit(transport)
        if carrier["has_moved"]:
            return ()
        if self.pickup is not None:
            return (EarlierPhase(budget_for_boarding(self.earlier, carrier), ends=self.pickup),)
        return (EarlierPhase(spending(self.earlier, carrier).budget),)

    def played(self, transport: str, space: PoseSpace, moves: Sequence[Move], own: Sequence[Order] = ()) -> list[Order]:
        """Return all orders: those that lead aboard, the moves of the transport, and the passenger's own at the end."""
        return as_played(self.tables, self.by_turn(transport, space, moves, own))

    def by_turn(
        self, transport: str, space: PoseSpace, moves: Sequence[Move], own: Sequence[Order] = ()
    ) -> list[list[Order]]:
        """Return the same turn by turn, without those by which others pass."""
        phases = list(by_phase(moves, len(space.earlier) + 1))
        orders = [[Order(transport, "move", elements)] if (elements := elements_of(some)) else [] for some in phases]
        if self.earlier is not None and not space.earlier:
            orders = [[], *orders]
        orders[0] = [*self.before, *orders[0]]
        if self.pickup is not None:
            orders[0] = [*orders[0], self.pickup.order(self._stopped(transport, space, phases[0]))]
        orders[-1] = [*orders[-1], *own]
        return orders

    def _stopped(self, transport: str, space: PoseSpace, moves: Sequence[Move]) -> Unit:
        """The transport where it has stopped for its passenger."""
        carrier = self._first.unit(transport)
        if not moves:
            return carrier
        before = space.before_last if space.earlier else space
        verdict = judged(before, before.starts[0], moves)
        there = compiled(self._first, carrier).unit_after(carrier, verdict)
        return after_drive(self._first, there, verdict.total, Fraction(self._first.tables["transport.latest"]))


@dataclass(frozen=True, eq=False)
class Drive:
    """All drives of a transport on which it spends no more than it may for its passenger to get off then."""

    journey: Journey
    passenger: str
    transport: str
    start: Fraction  #: the thirds of the turn that are gone when the passenger gets off
    within: BaseGeometry | None = None  #: where it matters that the passenger can be set down; None: anywhere
    storey: Storey | None = None  #: on which that is; None: the ground, or the air above it

    @property
    def _table(self) -> ArmsTable:
        return self.journey.table

    @property
    def _carrier(self) -> Unit:
        return self._table.unit(self.transport)

    @cached_property
    def budget(self) -> Fraction:
        """What the transport may spend in the turn."""
        if self._carrier["has_moved"]:
            return Fraction(0)
        if self.start >= THIRDS:
            return spending(self._table, self._carrier).budget
        return min(most_before(self._table, self._carrier, self.start), spending(self._table, self._carrier).budget)

    @cached_property
    def reach(self) -> PoseReach:
        """Where the transport can end."""
        space = compiled(self._table, self._carrier, limits=MoveLimits(max(self.budget, Fraction(0)))).space
        return planned_reach(replace(space, earlier=self.journey.earlier_phases(self.transport)))

    @cached_property
    def faced(self) -> BesideFaced | None:
        """The ground beside it for each way that its passenger faces; None: the base of that is round."""
        unit = self._table.unit(self.passenger)
        return None if isinstance(base_of(unit), Round) else BesideFaced(self._table, unit, self._carrier)

    @cached_property
    def beside(self) -> BesideEnds:
        """The ground beside it at its ends, whichever way its passenger faces."""
        table, level = self._table, self.reach.space.starts[0].level
        unit, carrier = table.unit(self.passenger), self._carrier
        there = self.passengers()
        moves = compiled(there.table, there.unit)
        on = self.level_in(moves)
        closed = shapely.union_all([one.solid.polygon for one in moves.levels[on].bars])

        def ground_at(places: FloatArray, headings: FloatArray) -> NDArray[Any]:
            return ground_in_poses(table, unit, carrier, closed, places, headings)

        cut_off = CutOff(closed, farthest_beside(table, unit, carrier), ground_at)
        window, far = self.reach.space.window, farthest_beside(table, unit, carrier)
        legal = there.legal(shapely.buffer(shapely.box(*window), far, join_style="mitre"), moves, on, some_way=True)
        within = legal if self.within is None else shapely.intersection(legal, self.within)
        parts = ground_beside(table, unit, carrier) if self.faced is None else self.faced.every
        return BesideEnds(self.reach, parts, level, cut_off, within)

    def level_in(self, moves: ArmsMoves) -> int:
        """Return the number of the level on which its passenger is set down."""
        altitude = Fraction(self._carrier["altitude"])
        return moves.level_at(HowHigh(altitude, self.storey or GROUND))

    @cached_property
    def hull(self) -> list[Any]:
        """Its hull, for the reference point of the passenger."""
        return hull_of(self._table.unit(self.passenger), self._carrier)

    @property
    def stands(self) -> Stand:
        """Where the transport stands when the turn begins, or now."""
        (x, y), heading = self._carrier.place, float(self._carrier.heading)
        return Stand((float(x), float(y)), heading)

    # --- the passenger ---

    def at(self, pose: Stand | None = None) -> ArmsTable:
        """Return the table when the transport has made its move, to a pose or to any of those that it can end in."""
        carrier, spent = self._carrier, self.budget
        if pose is not None and self.stands.is_like(pose) and self.journey.earlier is None:
            return self._table
        if pose is not None:
            spent = Fraction(self._cost(pose))
            carrier = carrier.put(place=pose.place, heading=pose.heading)
        if spent > 0:
            carrier = after_drive(self._table, carrier, spent, self.start)
        return type(self._table)(self._table.setting, self._table.state.with_unit(carrier))

    def _cost(self, pose: Stand) -> float:
        return float(self.reach.costs_in([pose.place], [pose.heading], self.reach.space.starts[0].level)[0])

    def passengers(self) -> Passenger:
        """Return the passenger once it has got off, wherever that is; the transport is out of the way."""
        after = self.at()
        there = Passenger.of(after, after.unit(self.passenger))
        gone = there.table.state.with_unit(there.carrier.put(place=None))
        return there._replace(table=type(after)(after.setting, gone))

    def breaches(self) -> list[Breach]:
        """Return the reasons why the passenger cannot get off at all."""
        after = self.at()
        return list(Passenger.of(after, after.unit(self.passenger)).breaches(after))

    @cached_property
    def ground(self) -> BaseGeometry:
        """Where the passenger can be set down, as far as the transport goes, facing any way."""
        if self.faced is None:
            return with_fewer_corners(self.beside.ground, -_WITHIN)
        parts = self.beside.swept_by(self.faced.turned(None)), self.beside.cut_off_ground
        return with_fewer_corners(shapely.union_all(parts), -_WITHIN)

    @cached_property
    def ground_facing(self) -> dict[float, BaseGeometry]:
        """The same by which way it faces, where its base is not round and that matters."""
        faced = self.faced
        if faced is None:
            return {}
        grounds = {heading: self.beside.swept_by(faced.turned(heading)) for heading in faced.headings}
        return {heading: with_fewer_corners(ground, -_WITHIN) for heading, ground in grounds.items()}

    @cached_property
    def covered(self) -> BaseGeometry:
        """Where its hull can stand, for the reference point of the passenger."""
        return with_fewer_corners(self.beside.covered(self.hull), _WITHIN) if self.hull else shapely.Polygon()

    def meets(self, moves: ArmsMoves, level: int) -> bool:
        """Whether it may be in the way of who ends on a level."""
        there = moves.levels[level]
        if not is_beside(self._table.setting, self._carrier, there.storey):
            return False
        return meets(self._table, there.altitude, Fraction(self._carrier["altitude"]))

    # --- orders ---

    def pose_for(self, place: XY, end: XY | None = None, heading: Any = None) -> Stand | None:
        """Return a pose of the transport beside a place, clear of another one; None: there is none.

        The passenger faces a heading there, which does not matter to a round base.
        """
        faced = self.faced
        ways = [None] if faced is None else [faced.turned(None), faced.turned(float(heading))]
        found = (self.beside.pose_beside(place, end, self.hull, way) for way in ways)
        return next((Stand(*one) for one in found if one is not None), None)

    def played(self, pose: Stand, own: Sequence[Order]) -> list[Order]:
        """Return all orders: those that lead aboard, the drive to a pose, and the passenger's own."""
        return as_played(self.journey.tables, self.by_turn(pose, own))

    def by_turn(self, pose: Stand, own: Sequence[Order]) -> list[list[Order]]:
        """Return the same turn by turn, without those by which others pass."""
        space = self.reach.space
        stays = self.stands.is_like(pose) and self.journey.pickup is None
        moves = () if stays else self.reach.moves_to(pose.place, pose.heading, space.starts[0].level)
        return self.journey.by_turn(self.transport, space, moves, own)


def after_drive(table: ArmsTable, carrier: Unit, spent: Fraction, latest: Fraction) -> Unit:
    """Return a transport that has made its move for a price; by rounding its clock is no later than it may be."""
    ended = Fraction(carrier["busy_until"]) + clock_of(table, carrier, spent)
    known = {"spent_translation": plain(spent), "moved_until": plain(min(ended, latest))}
    return carrier.put(has_moved=True, **known)


def budget_for_boarding(table: ArmsTable, carrier: Unit) -> Fraction:
    """Return what a transport may spend before a piece boards it: a transfer begins after two thirds at the latest."""
    latest = Fraction(table.tables["transport.latest"])
    return max(min(most_before(table, carrier, latest), spending(table, carrier).budget), Fraction(0))


def elements_of(moves: Sequence[Move]) -> list[Element]:
    """Return moves as elements of an order; a rotation by hardly anything, as computed headings need, is none."""
    return [one for one in move_elements(moves) if one.name not in TURNS or one["angle"] > _NO_TURN]


def by_phase(moves: Iterable[Move], count: int) -> Iterator[list[Move]]:
    """Yield moves phase by phase, as many as there are."""
    phases: list[list[Move]] = [[]]
    for move in moves:
        if isinstance(move, EndPhase):
            phases.append([])
        else:
            phases[-1].append(move)
    yield from phases
    yield from ([] for _ in range(count - len(phases)))


def with_fewer_corners(area: BaseGeometry, by: float) -> BaseGeometry:
    """Return an area with fewer corners that is larger, or smaller, by at most a number of inches."""
    grown = shapely.buffer(area, by, quad_segs=2)
    return polygons_of(shapely.simplify(grown, abs(by)))


def drives_before_getting_off(
    journey: Journey, passenger: str, transport: str, storey: Storey | None
) -> Iterator[Drive]:
    """Yield drives by the clock that they leave, the shortest first; of no drive none."""
    table = journey.table
    latest = int(table.tables["transport.latest"])
    parts = _PARTS if table.options.transport_clock == "exact" else 1
    done = Fraction(0) if journey.earlier is None else Fraction(-1)
    for number in range(parts * latest + 1):
        one = Drive(journey, passenger, transport, Fraction(number, parts), storey=storey)
        if one.budget > done and not one.breaches():
            done = one.budget
            yield one


# --- who goes when ---


@clause("CA-7")
def as_played(tables: Sequence[ArmsTable], turns: Sequence[Sequence[Order]]) -> list[Order]:
    """Return orders of one side, turn by turn, with those by which all others let their goes pass.

    `tables` are those with which the turns begin, the first one as it is now.
    """
    played: list[Order] = []
    for number, (table, orders) in enumerate(zip(tables, turns, strict=True)):
        waiting = _able(table) if number else list(MoveClock().waiting(table))
        for order in orders:
            passes = list(_passing(table, waiting, order, is_first=not number and order is orders[0]))
            gone = {one.unit for one in passes}
            waiting = [name for name in waiting if name not in gone and table.unit(name).side not in gone]
            waiting = [name for name in waiting if name != order.unit]
            played += [*passes, order]
        # A turn that nobody has a go left in is over.
        if number + 1 < len(turns) and waiting:
            played.append(Order("all", "done"))
    return played


def _able(table: ArmsTable) -> list[str]:
    """The pieces that have a go in a turn, in their order."""
    clock = MoveClock()
    return [name for name in clock.line(table, clock.turn_phases(table)[0]) if clock.can_act(table, table.unit(name))]


def _passing(table: ArmsTable, waiting: Sequence[str], order: Order, *, is_first: bool) -> Iterator[Order]:
    """The orders by which others pass before an order: those before it in the line, or all of the other sides."""
    side = table.unit(order.unit).side
    if table.data["initiative"]:
        yield from (Order(name, "done") for name in waiting[: waiting.index(order.unit)])
        return
    sides = dict.fromkeys(table.unit(name).side for name in table.state.units if name in waiting)
    # A turn begins with the side that comes first; afterwards all others have to pass only once.
    if not is_first and (next(iter(sides)) != side or len(waiting) < len(_able(table))):
        yield from (Order(other, "done") for other in sides if other != side)


@clause("CA-7")
def can_follow(table: ArmsTable, first: str, second: str) -> bool:
    """Whether one piece may go before another in a turn."""
    clock = MoveClock()
    if not table.data["initiative"]:
        return True
    line = clock.line(table, clock.turn_phases(table)[0])
    return line.index(first) < line.index(second)
