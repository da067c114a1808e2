"""Where jumps end, and where those above the limit do, which are falls."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from simulator.engine.dice import Dice
from simulator.engine.errors import Breach
from simulator.engine.orders import Element, Order
from simulator.engine.posed_orders import move_elements
from simulator.engine.state import Unit
from simulator.geometry.pieces import FloatArray
from simulator.geometry.poses import Heading, Level, Pose
from simulator.geometry.shapes import joined
from simulator.geometry.tolerances import SLACK
from simulator.pathing.ends import HeadingRange, cheapest_ranges
from simulator.pathing.traces import NoRoute
from simulator.rulesets.mecha.declaring import undeclarable
from simulator.rulesets.mecha.elevated import top_named, top_of
from simulator.rulesets.mecha.fall_ends import BesideFalls
from simulator.rulesets.mecha.falling import FallPlaces, damage_dice, drop_to, endurance_target
from simulator.rulesets.mecha.jump_judge import against_landing, no_jump
from simulator.rulesets.mecha.jumping import FALLS, FALLS_ANYWHERE, JUMP_OFF, LANDS, JumpMoves, jump_moves
from simulator.rulesets.mecha.move_reach import MechaReach
from simulator.rulesets.mecha.movement import compiled
from simulator.rulesets.mecha.units import MechaTable


class EndsBelow(MechaReach):
    """Where a unit ends that leaves the top which it is on: not there."""

    @property
    def known_levels(self) -> Sequence[Level]:
        """The levels below."""
        return [self.level_names[number] for number in self.numbers_of(None)]

    def numbers_of(self, level: Level) -> Sequence[int]:
        """Return the numbers of the levels on which jumps end."""
        return [number for number in super().numbers_of(level) if number]


class JumpReach(EndsBelow):
    """Where the jumps of a unit end: on the ground, and on lower tops; not on the top that it leaves."""

    def __init__(self, table: MechaTable, mover: Unit, *, falls: bool = False) -> None:
        """Store the question: about jumps, or about those that are falls."""
        barred = [*undeclarable(table, mover, "jump"), *no_jump(table, mover)]
        on_top = top_of(table.setting, mover) is not None
        moves = jump_moves(table, mover, FALLS if falls else LANDS) if on_top else compiled(table, mover, "standard")
        super().__init__(table, mover, "jump", moves, barred)
        self.falls = falls

    @property
    def flags(self) -> Collection[str]:
        """What all its ends are: `falls`, or nothing of note."""
        return (FALLS,) if self.falls else ()

    def orders_to(self, place: Any) -> list[Order]:
        """Return the order that leads to a place or pose; raise NoRoute if there is none."""
        if not self.numbers_of(None):
            raise NoRoute(f"{self.mover.id} does not stand on elevated terrain")
        return [replace(order, elements=list(as_ordered(order.elements))) for order in super().orders_to(place)]

    def against_pose(self, pose: Pose) -> tuple[Sequence[Breach], str]:
        """Return the reasons why a pose is out of reach: first of all how a jump would come down there."""
        found, remedy = super().against_pose(pose)
        if self.barred or not isinstance(self.moves, JumpMoves):
            return found, remedy
        return list(against_landing(self.table, self.mover, self.moves, pose, falls=self.falls)) or found, remedy


class FallReach(JumpReach):
    """Where a unit lies after jumps from above its limit: at the foot, or beside what leaves it no room there."""

    def __init__(self, table: MechaTable, mover: Unit) -> None:
        """Store the question."""
        super().__init__(table, mover, falls=True)

    @cached_property
    def _beside(self) -> BesideFalls | None:
        """Where it lies that has no room where it comes down; None: it never falls."""
        if self.barred or not isinstance(self.moves, JumpMoves) or self.moves.below is None:
            return None
        moves = jump_moves(self.table, self.mover, FALLS_ANYWHERE)
        return BesideFalls(moves, FallPlaces(self.table, self.moves.below))

    def costs_in(self, places: FloatArray, heading: Heading, level: Level) -> FloatArray:
        """Compute the least costs of ending at many places with a heading, on a level, or both; None is any."""
        costs = super().costs_in(places, heading, level)
        if self._beside is not None:
            costs = np.minimum(costs, self._beside.costs_in(places, heading, level))
        return costs

    def headings_in_each(self, places: FloatArray, level: Level) -> list[Sequence[HeadingRange]]:
        """Return the headings in which it can end at each of many places."""
        found = super().headings_in_each(places, level)
        if self._beside is None:
            return found
        beside = [self._beside.headings_at((x, y), level) for x, y in places.tolist()]
        return [
            cheapest_ranges([*one, *(replace(some, cost=self.as_cost(some.cost)) for some in more)]) if more else one
            for one, more in zip(found, beside, strict=True)
        ]

    def within_in(self, cost: Any, heading: Heading, level: Level) -> BaseGeometry:
        """Return where it can end with a heading, on a level, or both, for at most a cost; None is any."""
        area = super().within_in(cost, heading, level)
        if self._beside is None:
            return area
        lines = self._beside.lines(level)
        parts = [part for part in shapely.get_parts(lines) if self._is_within(part, cost, heading, level)]
        return joined([area, *parts]) if parts else area

    def _is_within(self, part: BaseGeometry, cost: Any, heading: Heading, level: Level) -> bool:
        """Whether both ends of a drawn part cost no more than that."""
        assert self._beside is not None
        ends = np.unique(shapely.get_coordinates(part), axis=0)
        return bool(np.all(self._beside.costs_in(ends, heading, level) <= float(cost) + SLACK))

    def orders_to(self, place: Any) -> list[Order]:
        """Return the order after which it lies at a place or in a pose; raise NoRoute if there is none."""
        pose = self.pose_of(place)
        ways = [] if self._beside is None else self._beside.ways_to(pose.place, pose.heading, pose.level)
        direct = float(super().costs_in(np.array([pose.place]), pose.heading, pose.level)[0])
        if not ways or self._beside is None or direct <= ways[0].cost:
            return super().orders_to(place)
        heading = None if pose.heading is None else float(pose.heading)
        moves = self._beside.planner.moves_to(ways[0].place, heading, 1)
        return [Order(self.mover.id, self.action, list(as_ordered(move_elements(moves))))]

    # --- what happens ---

    def dice_at(self, place: Any) -> Dice | None:
        """Return the dice for the damage of a fall to a place; None: no damage."""
        return damage_dice(self.table, self._drop_at(place))

    def endurance_at(self, place: Any) -> int:
        """Return the target of the Endurance test after a fall to a place."""
        return endurance_target(self.table, self.mover, self._drop_at(place))

    def _drop_at(self, place: Any) -> int:
        pose = self.pose_of(place)
        if not isinstance(self.moves, JumpMoves) or self.moves.below is None:
            raise NoRoute(f"{self.mover.id} does not fall")
        landing = self.moves.below.landing_at(pose.place)
        level = landing.level if pose.level is None else str(pose.level)
        return drop_to(self.moves.below, pose.place, top_named(self.table.setting, level))


def as_ordered(elements: Sequence[Element]) -> Iterator[Element]:
    """Yield elements with the link over the edge as it is ordered."""
    for element in elements:
        yield Element(JUMP_OFF, {}) if element.name == "follow" else element


def jumping(table: MechaTable, unit: Unit, *, falls: bool = False) -> JumpReach:
    """Compute where the jumps of a unit end, or those that are falls."""
    return FallReach(table, unit) if falls else JumpReach(table, unit)
