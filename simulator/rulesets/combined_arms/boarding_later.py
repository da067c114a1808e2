"""Boarding in the second of two turns: a piece walks in the first, and boards where its transport stands or comes to.

The transport drives in the first turn and waits there, and goes on once they are aboard; or it drives in both, and they
board at its end. Who has boarded in a turn does not get off in it (CA-129), so such rides end aboard.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import shapely

from simulator.engine.orders import Element, Order
from simulator.engine.state import Unit
from simulator.geometry.bitmaps import Bitmap
from simulator.geometry.convex import BoolArray
from simulator.geometry.pieces import FloatArray
from simulator.pathing.posed import EarlierPhase, Move, Travel, judged
from simulator.pathing.posed.phased_reach import can_begin
from simulator.pathing.posed.rays import units
from simulator.pathing.traces import NoRoute
from simulator.rulesets.combined_arms.aboard import AboardReach
from simulator.rulesets.combined_arms.beside_hull import hull_of
from simulator.rulesets.combined_arms.boarding import WalkToBoard, places_to_board, storeys_beside
from simulator.rulesets.combined_arms.drives import (
    Journey,
    after_drive,
    as_played,
    budget_for_boarding,
    by_phase,
    can_follow,
    elements_of,
)
from simulator.rulesets.combined_arms.fetching import Pickup
from simulator.rulesets.combined_arms.judge import breaches
from simulator.rulesets.combined_arms.movement import ArmsMoves, compiled, spending
from simulator.rulesets.combined_arms.storeys import Storey
from simulator.rulesets.combined_arms.transport import THIRDS, boarding, most_on_foot
from simulator.rulesets.combined_arms.units import ArmsTable
from simulator.rulesets.combined_arms.walking_on import TwoWalksReach, two_walks

#: The spacing in inches of places on a hull, and the least width of cells where the first turn may end.
_APART, _CELL, _CELLS = 0.2, 0.05, 1_000_000
#: How many inches sooner the first turn of a walk may end where its transport would otherwise stand in the way.
_SOONER = (0.25, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0)
#: So many places to board at are tried.
_TRIED = 24


@dataclass(frozen=True, eq=False)
class LaterPickup(Pickup):
    """The poses of a transport in which a piece can board it that has walked in the turn before, and walks on."""

    settled: Pickup | None = None  #: the same of who need not walk on; None: this one
    makes_way: bool = False  #: whether the piece has left the place where it began

    @cached_property
    def _hull(self) -> FloatArray:
        """Places on the hull, for the reference point of the piece; around 0,0, facing along +x."""
        parts = hull_of(self.unit, self.carrier)
        if not parts:
            return np.zeros((0, 2))
        hull = shapely.union_all([shapely.Polygon(part) for part in parts])
        left, bottom, right, top = hull.bounds
        x, y = np.meshgrid(np.arange(left, right, _APART), np.arange(bottom, top, _APART))
        inside = np.column_stack([x.ravel(), y.ravel()])
        around = shapely.get_coordinates(shapely.segmentize(shapely.boundary(hull), _APART))
        return np.concatenate([inside[shapely.contains_xy(hull, *inside.T)], around])

    @cached_property
    def may_stand(self) -> Bitmap:
        """Cells in which it may stand to board, or beside them."""
        left, bottom, right, top = self.walked.area.bounds
        cell = max(_CELL, float(np.sqrt((right - left) * (top - bottom) / _CELLS)))
        grown = shapely.buffer(self.walked.area, cell + _APART / 2, quad_segs=2)
        return Bitmap.of(grown, grown.bounds, cell)

    def has(self, places: FloatArray, headings: FloatArray) -> BoolArray:
        """Find the poses of the transport in which the piece can board it.

        Where it could end its first turn on the hull, it has to get there in that turn, not to be in the way.
        """
        found = super().has(places, headings)
        if self.settled is None or not len(self._hull):
            return found
        row = np.flatnonzero(found)
        row = row[self._is_met(places[row], headings[row])]
        found[row] = self.settled.has(places[row], headings[row])
        return found

    def _is_met(self, places: FloatArray, headings: FloatArray) -> BoolArray:
        """Find the poses in which the hull covers ground on which the first turn may end."""
        assert isinstance(self.settled, LaterPickup)
        cos, sin = units(headings).T
        x, y = self._hull.T
        on = np.stack([np.outer(cos, x) - np.outer(sin, y), np.outer(sin, x) + np.outer(cos, y)], axis=2)
        return np.asarray(self.settled.may_stand.has(on + places[:, None]).any(axis=1))

    def _is_clear(self, places: FloatArray, headings: FloatArray) -> BoolArray:
        return np.ones(len(places), np.bool_) if self.makes_way else super()._is_clear(places, headings)


class LaterReach(AboardReach):
    """Where a transport can end with a passenger that has boarded it in the second turn."""

    def __init__(self, journey: Journey, mover: Unit, moves: ArmsMoves, pickup: LaterPickup, *, waits: bool) -> None:
        """Store how it boards, and whether the transport waits for that before it drives in the second turn."""
        super().__init__(journey, mover, moves)
        self.pickup, self.waits = pickup, waits

    def orders_to(self, place: Any) -> list[Order]:
        """Return the orders of both turns."""
        drives = list(by_phase(self.moves_to(place), len(self.space.earlier) + 1))
        for turns in self._tried(drives if self.space.earlier else [[], *drives]):
            return as_played(Journey(self.journey.origin, self.journey.origin).next_turn().tables, turns)
        raise NoRoute(self.pickup.too_far(self.mover, self.pose_of(place).place).message)

    def _tried(self, drives: Sequence[Sequence[Move]]) -> Iterator[list[list[Order]]]:
        """The orders of both turns that are legal one after the other, the cheapest walks first."""
        origin = self.journey.origin
        rider, transport = self.pickup.unit.id, self.mover.id
        stands = self.journey.table
        for moves in drives[: 1 if self.waits else 2]:
            stands = _Played(stands).moved(transport, moves).table
        carrier = stands.unit(transport)
        for walks in self._walks(stands, carrier):
            for first in _who_first(origin, transport, rider):
                played = _Played(origin)
                for name in first:
                    played = played.then(name, walks[0] if name == rider else drives[0])
                later = _Played(Journey(played.table, origin).next_turn().table, (), played.is_legal)
                for name in (rider, transport) if self.waits else (transport, rider):
                    later = later.then(
                        name, walks[1] if name == rider else drives[1], transport if name == rider else ""
                    )
                if later.is_legal:
                    yield [list(played.orders), list(later.orders)]

    def _walks(self, table: ArmsTable, carrier: Unit) -> Iterator[tuple[list[Move], list[Move]]]:
        """Walks to places at which the piece may board, in two turns, parted between those in one way or another."""
        walk = replace(self.pickup.approach, carrier=carrier)
        here = np.array([self.pickup.unit.place], np.float64)
        lots = [here, *(some for some, _ in places_to_board(walk, table, self.pickup.unit, carrier))]
        for places in lots:
            costs = walk.costs_of(places)
            order = np.argsort(costs, kind="stable")[: int(np.isfinite(costs).sum())]
            for number in order[:: max(len(order) // _TRIED, 1)].tolist():
                moves = walk.moves_to((float(places[number, 0]), float(places[number, 1])))
                count = len(self.pickup.walked.space.earlier) + 1
                phases: list[list[Move]] = [[], *by_phase(moves, count)]
                first, second = phases[-2:]
                yield first, second
                if count > 1 and (first or second):
                    yield [*first, *second], []
                    yield from (_sooner(first, second, inches) for inches in _SOONER)


@dataclass(frozen=True)
class _Played:
    """A table after some moves of a turn, their orders, and whether those were legal."""

    table: ArmsTable
    orders: tuple[Order, ...] = ()
    is_legal: bool = True

    def then(self, name: str, moves: Sequence[Move], boards: str = "") -> _Played:
        """Make the move of a piece, which may board a transport at its end."""
        load = [Element("load", {"carrier": boards})] if boards else []
        elements = [*elements_of(moves), *load]
        if not elements or not self.is_legal:
            return self
        order = Order(name, "move", elements)
        if list(breaches(self.table, order)):
            return replace(self, is_legal=False)
        return replace(self.moved(name, moves, boards), orders=(*self.orders, order))

    def moved(self, name: str, moves: Sequence[Move], boards: str = "") -> _Played:
        """Make the same move, whether it is legal or not."""
        table, unit = self.table, self.table.unit(name)
        able = compiled(table, unit)
        verdict = judged(able.space, able.space.starts[0], moves)
        after = able.unit_after(unit, verdict) if moves else unit
        if "doors" in unit.fields and moves:
            after = after_drive(table, after, verdict.total, Fraction(THIRDS))
        state = table.state.with_unit(after)
        if boards:
            carrier = table.unit(boards)
            aboard, taking = boarding(table, after, carrier, verdict.total)
            state = state.with_unit(after.put(has_moved=True, **aboard)).with_unit(carrier.put(**taking))
        return replace(self, table=type(table)(table.setting, state))


def _sooner(first: Sequence[Move], second: Sequence[Move], inches: float) -> tuple[list[Move], list[Move]]:
    """Divide a walk a number of inches sooner."""
    head, tail, left = list(first), list(second), Fraction(inches)
    while head and left > 0:
        last = head.pop()
        if isinstance(last, Travel) and Fraction(last.inches) > left:
            head.append(replace(last, inches=Fraction(last.inches) - left))
            last = replace(last, inches=left)
        tail.insert(0, last)
        left -= Fraction(last.inches) if isinstance(last, Travel) else 0
    return head, tail


def _who_first(table: ArmsTable, transport: str, rider: str) -> Iterator[tuple[str, str]]:
    """In which order both may go in the first turn."""
    for order in ((transport, rider), (rider, transport)):
        if can_follow(table, *order):
            yield order


def boarding_later(table: ArmsTable, unit: Unit, transport: Unit) -> Iterator[LaterReach]:
    """Yield where a transport can end that a piece boards in the second turn, after a walk in the first or in both.

    It waits for that where it has come to by then, for a third or two of the second turn or none; or it drives first.
    """
    if any(compiled(table, one).space.directions.oblique is not None for one in (unit, transport)):
        return
    for storey in storeys_beside(table, compiled(table, unit), transport):
        yield from _boarding_on(storey, table, unit, transport)


def _boarding_on(storey: Storey | None, table: ArmsTable, unit: Unit, transport: Unit) -> Iterator[LaterReach]:
    """The same from one storey, or from the ground."""
    journey = Journey(_without(table, unit.id), table).next_turn()
    carrier = journey.table.unit(transport.id)
    before = Fraction(0) if transport["has_moved"] else max(spending(table, transport).budget, Fraction(0))
    latest = int(table.tables["transport.latest"])
    settled = _pickup(storey, table, unit, carrier, 0, None)
    if settled.breaches():
        return
    comes = can_follow(table, transport.id, unit.id)
    for start in range(latest + 1 - comes) if can_follow(table, unit.id, transport.id) else ():
        boarded = carrier.put(busy_until=start + 1)
        there = type(table)(table.setting, journey.table.state.with_unit(boarded))
        moves = compiled(there, boarded)
        budget = max(moves.space.budget, Fraction(0))
        pickup = settled if not start else _pickup(storey, table, unit, carrier, start, settled)
        space = replace(moves.space, budget=budget, earlier=(EarlierPhase(before, ends=pickup),))
        yield LaterReach(journey, carrier, replace(moves, space=space), pickup, waits=True)
    if comes:
        moves, pickup = compiled(journey.table, carrier), _pickup(storey, table, unit, carrier, latest, settled)
        pickup = replace(pickup, makes_way=True)
        earlier = (EarlierPhase(before),) if before > 0 else ()
        budget = budget_for_boarding(journey.table, carrier)
        space = replace(moves.space, budget=budget, ends=pickup, earlier=earlier)
        yield LaterReach(journey, carrier, replace(moves, space=space), pickup, waits=False)


def _pickup(
    storey: Storey | None, table: ArmsTable, unit: Unit, carrier: Unit, start: int, settled: Pickup | None
) -> LaterPickup:
    """Where a piece that arrives after a number of thirds of the second turn can board."""
    gone = _without(table, carrier.id)
    turns = Journey(gone, gone).next_turn()
    walked = two_walks(turns, unit, climbing=False)
    there = turns.table.unit(unit.id)
    budget = min(walked.space.budget, most_on_foot(turns.table, there, start))
    moves = replace(walked.moves, space=replace(walked.space, budget=budget))
    approach = WalkToBoard(TwoWalksReach(turns, there, moves), carrier, storey)
    return LaterPickup(turns.table, there, carrier, approach, settled)


def _without(table: ArmsTable, name: str) -> ArmsTable:
    """The table without a piece, which is in nobody's way."""
    return type(table)(table.setting, table.state.with_unit(table.unit(name).put(place=None)))


def begins(answer: LaterReach) -> bool:
    """Whether the transport has anywhere to be boarded."""
    return can_begin(answer.planner)
