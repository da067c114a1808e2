"""Walks of two turns: a piece gets off its transport in the first and walks on in the second, or walks in both.

The second turn begins wherever the first may end. Who has turned by then, or begins by turning, faces as it likes; who
does neither goes straight on, as far as both turns pay for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Protocol

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from simulator.engine.orders import Element, Order
from simulator.engine.posed_orders import move_elements
from simulator.engine.state import Unit
from simulator.geometry.pieces import XY, FloatArray, PolygonShape
from simulator.geometry.poses import Heading, Level, Pose
from simulator.geometry.shapes import joined, less, polygons_of, shrunk
from simulator.geometry.tolerances import TOLERANCE
from simulator.pathing.posed import (
    EarlierPhase,
    Inside,
    Move,
    Placing,
    PoseSpace,
    PoseStart,
    Rotate,
    Travel,
    TurnPrices,
    judged,
)
from simulator.rulesets.combined_arms.drives import Journey, as_played, by_phase, elements_of
from simulator.rulesets.combined_arms.getting_off import rings_of
from simulator.rulesets.combined_arms.movement import ArmsMoves, compiled, spending
from simulator.rulesets.combined_arms.reach import ArmsReach, climbs_of
from simulator.rulesets.combined_arms.units import ArmsTable

#: So much inside of where the first turn may end the second one begins.
_WITHIN = 0.01
#: What lies no farther beyond what is known is left out.
_HARDLY = 0.03
#: The number of halvings that find where a leg is divided between turns.
_HALVINGS = 40


class FirstTurn(Protocol):
    """An answer about the first turn: where a piece can end that gets off its transport."""

    table: ArmsTable
    moves: ArmsMoves
    space: PoseSpace
    mover: Unit

    @property
    def level_names(self) -> Sequence[Level]:
        """The names of the levels."""

    @property
    def in_the_way(self) -> BaseGeometry:
        """Where its transport may stand, in one pose or another, for the reference point of the piece."""

    def within_in(self, cost: Any, heading: Heading, level: Level) -> BaseGeometry:
        """Return where it can end for at most a cost."""

    def turns_to(self, place: Any) -> list[list[Order]]:
        """Return the orders that lead to a place or pose, in one turn."""

    def orders_before(self, place: XY, own: Order) -> list[Order] | None:
        """Return those by which it is set down at a place, and does something."""


class WalkOnReach(ArmsReach):
    """Where a piece can end that has got off in the turn before."""

    def __init__(self, table: ArmsTable, unit: Unit, moves: ArmsMoves, first: FirstTurn, origin: ArmsTable) -> None:
        """Store what the second turn begins with: the answer of the first one, and the table before it."""
        super().__init__(table, unit, "move", moves, ())
        self.first, self.tables = first, (origin, table)
        #: What has been spent at the beginning by who turns before anything else.
        self.turning = moves.space.placings[0].least

    def _costs_on(self, level: int, places: FloatArray, heading: Heading) -> FloatArray:
        """The costs on a level by number; nobody ends where the transport may stand."""
        costs = super()._costs_on(level, places, heading)
        if heading is None:
            # Who does not move on makes no turn either.
            costs = np.where(np.abs(costs - float(self.turning)) <= TOLERANCE, 0.0, costs)
        return np.where(shapely.contains_xy(self.first.in_the_way, *places.T), np.inf, costs)

    def within_in(self, cost: Any, heading: Heading, level: Level) -> BaseGeometry:
        """Return where it can end with a heading, on a level, or both, for at most a cost; None is any."""
        return less(super().within_in(cost, heading, level), self.first.in_the_way)

    def orders_to(self, place: Any) -> list[Order]:
        """Return the orders of both turns."""
        pose = self.pose_of(place)
        level = self._cheapest_level(pose) or 0
        way = self.planner.way_to(pose.place, None if pose.heading is None else float(pose.heading), level)
        return self._by_way(way.start, way.moves, turned=pose.heading is not None)

    def _by_way(self, start: PoseStart, moves: Sequence[Move], *, turned: bool) -> list[Order]:
        here: Any = Pose(start.place, None, self.level_names[start.level])
        if not self.turning:
            here = replace(here, heading=start.heading)
        before = self.first.turns_to(here)
        turns: list[Move] = []
        if self.turning:
            off = Fraction(start.heading) - self._facing(before[-1][-1])
            off = (off + 180) % 360 - 180
            turns = [Rotate(off)] if off and (moves or turned) else []
        return self._played(before[-1], elements_of([*turns, *moves]))

    def _played(self, before: list[Order], elements: list[Element]) -> list[Order]:
        own = [self._written(Order(self.mover.id, "move", elements))] if elements else []
        return as_played(self.tables, [before, own])

    @staticmethod
    def _facing(order: Order) -> Fraction:
        """Which way a piece faces after an order by which it gets off."""
        first, *rest = order.elements
        turned = sum((_turn_of(one) for one in rest), Fraction(0))
        return Fraction(first["heading"]) + turned


class StraightOnReach(WalkOnReach):
    """Where a piece can end that goes straight on from where it is set down, without a turn in either."""

    def __init__(self, table: ArmsTable, unit: Unit, moves: ArmsMoves, first: FirstTurn, origin: ArmsTable) -> None:
        """Store the same; what the first turn pays for is no part of the price."""
        super().__init__(table, unit, moves, first, origin)
        self.before = first.space.budget
        self.most = moves.space.budget - self.before

    def _costs_on(self, level: int, places: FloatArray, heading: Heading) -> FloatArray:
        """The costs on a level by number: what the second turn has to pay for."""
        return np.maximum(super()._costs_on(level, places, heading) - float(self.before), 0.0)

    def within_in(self, cost: Any, heading: Heading, level: Level) -> BaseGeometry:
        """Return where it can end with a heading, on a level, or both, for at most a cost; None is any."""
        return super().within_in(Fraction(cost) + self.before, heading, level)

    def _by_way(self, start: PoseStart, moves: Sequence[Move], *, turned: bool) -> list[Order]:
        del turned
        begin, rest = self._parted(start, moves)
        off = Element("unload", {"at": start.place, "heading": float(start.heading)})
        order = self._written(Order(self.mover.id, "move", [off, *elements_of(begin)]))
        before = self.first.orders_before(start.place, order)
        return self._played(before or [], elements_of(rest))

    def _parted(self, start: PoseStart, moves: Sequence[Move]) -> tuple[list[Move], list[Move]]:
        """Part legs where the first turn pays for no more."""
        space = replace(self.space, budget=self.space.budget + 1)
        begin: list[Move] = []
        for number, move in enumerate(moves):
            if judged(space, start, [*begin, move]).total <= self.before:
                begin.append(move)
                continue
            assert isinstance(move, Travel)
            low, high = Fraction(0), Fraction(move.inches)
            for _ in range(_HALVINGS):
                middle = (low + high) / 2
                paid = judged(space, start, [*begin, replace(move, inches=middle)]).total
                low, high = (middle, high) if paid <= self.before else (low, middle)
            parts = [replace(move, inches=inches) for inches in (low, Fraction(move.inches) - low)]
            return [*begin, *parts[:1]], [*parts[1:], *moves[number + 1 :]]
        return begin, []


def _turn_of(element: Element) -> Fraction:
    if element.name not in ("turn_left", "turn_right"):
        return Fraction(0)
    return Fraction(element["angle"]) * (1 if element.name == "turn_left" else -1)


def walks_on(
    firsts: Iterable[FirstTurn], origin: ArmsTable, known: BaseGeometry, *, climbing: bool
) -> Iterator[WalkOnReach]:
    """Yield where a piece can be after the second turn that gets off in the first one, beyond what is known."""
    for first in firsts:
        journey = Journey(first.table, origin).next_turn()
        table, unit = journey.table, journey.table.unit(first.mover.id)
        altitudes, climbs = climbs_of(table, unit, climbing=climbing)
        moves = compiled(table, unit, altitudes, climbs)
        before = first.space.budget
        half_turn = max((price for _, price in moves.space.turns.brackets), default=Fraction(0))
        if before > 0 and moves.space.level_count == 1 and half_turn:
            found = StraightOnReach(table, unit, _straight_on(first, moves), first, origin)
            if _leads_beyond(found, known):
                yield found
                known = joined([known, found.area])
        # Who has not turned and spends nothing is set down facing any way.
        ways = [(before, half_turn), (before - half_turn, Fraction(0))] if before > 0 else [(Fraction(0), Fraction(0))]
        for cost, paid in ways:
            some = _beginning(first, moves, cost, paid) if cost >= 0 else None
            if some is not None and _leads_beyond(one := WalkOnReach(table, unit, some, first, origin), known):
                yield one
                known = joined([known, one.area])


def _leads_beyond(one: WalkOnReach, known: BaseGeometry) -> bool:
    """Whether a piece might end on ground that is not known."""
    space = one.space
    if space.level_count > 1:
        return True
    far = float(space.budget - one.turning) / space.least_rate
    pieces = [piece for placing in space.placings for piece in placing.pieces]
    ground = shapely.union_all([piece.area.polygon for piece in pieces if isinstance(piece, Inside)])
    window = shapely.box(*space.window)
    left = shapely.difference(shapely.intersection(shapely.buffer(ground, far), window), shapely.buffer(known, _HARDLY))
    left = less(left, one.first.in_the_way)
    left = less(left, shapely.union_all([solid.polygon for solid in (*space.bars, *space.no_end)]))
    return not shapely.buffer(left, -_HARDLY).is_empty


def _beginning(first: FirstTurn, moves: ArmsMoves, cost: Fraction, paid: Fraction) -> ArmsMoves | None:
    """What it can do from wherever the first turn may end for a cost, facing any way, with so much paid for that."""
    placings = []
    for number, name in enumerate(first.level_names):
        ground = shrunk(polygons_of(first.within_in(cost, None, name)), _WITHIN)
        ground = shapely.simplify(ground, _WITHIN / 2)
        pieces = [Inside(PolygonShape(*rings_of(part)), paid) for part in shapely.get_parts(polygons_of(ground))]
        if pieces:
            placings.append(Placing(tuple(pieces), level=_like(first, number, moves)))
    if not placings:
        return None
    return replace(moves, space=replace(moves.space, starts=(), placings=tuple(placings)))


def _like(first: FirstTurn, number: int, moves: ArmsMoves) -> int:
    """The number of a level in the second turn by that in the first."""
    known = first.moves.levels[number]
    same = ((one.altitude, one.storey) == (known.altitude, known.storey) for one in moves.levels)
    return next(other for other, is_same in enumerate(same) if is_same)


def _straight_on(first: FirstTurn, moves: ArmsMoves) -> ArmsMoves:
    """Legs without a turn for what both turns pay for; the first one has to end where the piece may stand."""
    space, before = moves.space, first.space
    far = float(before.budget) / space.least_rate + space.base.reach
    ground = shapely.union_all(
        [one.area.polygon for placing in before.placings for one in placing.pieces if isinstance(one, Inside)]
    )
    near = [one for one in space.no_end if shapely.dwithin(one.polygon, ground, far)]
    budget = space.budget + before.budget
    return replace(
        moves,
        space=replace(
            space,
            starts=(),
            placings=before.placings,
            budget=budget,
            turns=TurnPrices.flat(budget + 1),
            bars=[*space.bars, *near],
        ),
    )


# --- on foot in both turns ---


class TwoWalksReach(ArmsReach):
    """Where a piece can end that walks in both turns."""

    def __init__(self, journey: Journey, unit: Unit, moves: ArmsMoves) -> None:
        """Store the journey, which says with which tables its turns begin and what comes before."""
        super().__init__(journey.table, unit, "move", moves, ())
        self.journey = journey

    def orders_to(self, place: Any) -> list[Order]:
        """Return the orders of both turns."""
        pose = self.pose_of(place)
        level = self._cheapest_level(pose) or 0
        moves = self.planner.moves_to(pose.place, None if pose.heading is None else float(pose.heading), level)
        turns = [
            [self._written(Order(self.mover.id, "move", move_elements(some)))] if some else []
            for some in by_phase(moves, len(self.space.earlier) + 1)
        ]
        turns = turns if self.space.earlier else [[], *turns]
        turns[0] = [*self.journey.before, *turns[0]]
        return as_played(self.journey.tables, turns)


def two_walks(journey: Journey, unit: Unit, *, climbing: bool) -> TwoWalksReach:
    """Return where a piece can be that walks in the turn before that of a journey and in that turn."""
    assert journey.earlier is not None
    there = journey.table.unit(unit.id)
    altitudes, climbs = climbs_of(journey.table, there, climbing=climbing)
    moves = compiled(journey.table, there, altitudes, climbs)
    now = journey.earlier.unit(unit.id)
    earlier = () if now["has_moved"] else (_phase(journey.earlier, now),)
    return TwoWalksReach(journey, there, replace(moves, space=replace(moves.space, earlier=earlier)))


def _phase(table: ArmsTable, unit: Unit) -> EarlierPhase:
    limits = spending(table, unit)
    return EarlierPhase(max(limits.budget, Fraction(0)), limits.travelled, limits.covered)
