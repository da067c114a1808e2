"""Where climbs end: a place for each contact, and the ways that the unit can face there after its free turn."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

import shapely

from simulator.engine.amounts import PLACE_DIGITS
from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.orders import Element, Order
from simulator.engine.posed_orders import move_elements
from simulator.engine.state import Unit
from simulator.geometry.angles import turn_between
from simulator.geometry.pieces import XY
from simulator.geometry.poses import Pose, place_text
from simulator.pathing.posed import Placing, PoseSpace, Rotate, TableLevel
from simulator.pathing.posed.placings import Headings
from simulator.pathing.traces import NoRoute
from simulator.rulesets.mecha.climbing import Climb, against_climb, all_climbs, no_climber, out_of_touch
from simulator.rulesets.mecha.declaring import unable_to_turn, undeclarable
from simulator.rulesets.mecha.elevated import top_named, tops_on
from simulator.rulesets.mecha.features import MechaGround
from simulator.rulesets.mecha.landing import standing_on
from simulator.rulesets.mecha.move_reach import MechaReach
from simulator.rulesets.mecha.movement import MechaMoves, OnLevel, compiled
from simulator.rulesets.mecha.phase_ends import passing
from simulator.rulesets.mecha.turning import free_degrees
from simulator.rulesets.mecha.units import MechaTable

#: Places that are nearer to each other are one.
_SAME = 4e-6


class TurnedClimb(NamedTuple):
    """How a climb goes: the degrees of the turn before it, and how far it can be turned in all, right and left."""

    climb: Climb
    before: float
    first: float
    last: float


@clause("ME-35", "ME-55", role="search")
def ways_to_climb(table: MechaTable, unit: Unit, climb: Climb) -> Iterator[TurnedClimb]:
    """Yield how a unit can make a climb that its facing alone may forbid: the free turn may come before or after it."""
    free = 0.0 if any(unable_to_turn(table, unit)) else float(free_degrees(table, unit))
    tolerance = float(table.options.facing_tolerance_deg)
    toward = turn_between(float(unit.heading), climb.toward)
    split = bool(table.options.free_turn_split)
    if abs(toward) <= tolerance:
        yield TurnedClimb(climb, 0.0, -free, free)
    for side in (1, -1):
        # Round by one side or the other until it faces the contact.
        round_to = toward % 360.0 if side == 1 else -toward % 360.0
        least, most = max(round_to - tolerance, 0.0), min(round_to + tolerance, free)
        if least > most or abs(toward) <= tolerance:
            continue
        left = free - least if split else 0.0
        ends = sorted((side * (least - left), side * (free if split else most)))
        yield TurnedClimb(climb, side * least, *ends)


class ClimbReach(MechaReach):
    """Where the climbs of a unit end, from where it is."""

    def __init__(self, table: MechaTable, mover: Unit, free_after: Fraction = Fraction(0)) -> None:
        """Store the question, and every climb that is possible after the free turn.

        So many degrees are free after it, in the phase that follows.
        """
        self.free_after = float(free_after)
        barred = [*undeclarable(table, mover, "climb"), *no_climber(table, mover)]
        known = all_climbs(table, mover)
        self.ways = [
            way
            for one in known
            if not any(against_climb(table, mover, one, facing=False))
            for way in ways_to_climb(table, mover, one)
        ]
        self.known = known
        if not self.ways and not barred:
            barred = list(self._nowhere(table, mover))
        turned = [self._turned_after(way) for way in self.ways]
        moves = _placed(table, mover, turned) if self.ways and not barred else compiled(table, mover, "climb")
        super().__init__(table, mover, "climb", moves, barred)

    def _turned_after(self, way: TurnedClimb) -> TurnedClimb:
        """A climb with what can be turned in the phase that follows."""
        return way._replace(first=way.first - self.free_after, last=way.last + self.free_after)

    def _nowhere(self, table: MechaTable, mover: Unit) -> Iterator[Breach]:
        """Why no climb is possible from where the unit is."""
        for one in self.known:
            yield from against_climb(table, mover, one)
        tops = tops_on(table.setting)
        if not tops:
            yield Breach("ME-51", "there is no elevated terrain", place=mover.place)
        elif not self.known:
            # Of a whole town the nearest building will do.
            spot = shapely.Point(mover.place)
            nearest = min(tops, key=lambda top: float(shapely.distance(top.polygon.boundary, spot)))
            yield from out_of_touch(table, mover, nearest)

    def orders_to(self, place: Any) -> list[Order]:
        """Return the free turn and the climb that lead to a place or pose."""
        pose = self.pose_of(place)
        for way in self.ways if not self.barred else ():
            if self._leads_to(way, pose):
                return self._with_turn_after(way, pose)
        raise NoRoute(f"{self.mover.id} does not climb to {pose}")

    def against_pose(self, pose: Pose) -> tuple[Sequence[Breach], str]:
        """Return the reasons why a pose is out of reach: the climbs there are lead elsewhere, or face other ways."""
        if self.barred:
            return self.barred, ""
        near = [way for way in self.ways if _is_at(way.climb, pose)]
        if near:
            turns = " or ".join(f"{way.first:.4g}° to {way.last:.4g}°" for way in near)
            return [Breach("ME-35", f"its free turn takes it from its heading {turns} left", place=pose.place)], ""
        against = [
            breach for one in self.known if _is_at(one, pose) for breach in against_climb(self.table, self.mover, one)
        ]
        places = " or ".join(dict.fromkeys(place_text(_tidy(way.climb.place)) for way in self.ways))
        elsewhere = Breach("ME-56", f"climbs lead straight across the edge: to {places}", place=pose.place)
        return against or [elsewhere], ""

    def _with_turn_after(self, way: TurnedClimb, pose: Pose) -> list[Order]:
        """The orders of a climb, and those that turn it in the phase that follows as far as this one does not."""
        if pose.heading is None:
            return list(self.orders_by(way, pose))
        whole = self._turn_to(self._turned_after(way), float(pose.heading))
        assert whole is not None
        turn = min(max(whole, way.first), way.last)
        first = list(self.orders_by(way, replace(pose, heading=float(self.mover.heading) + turn)))
        if whole == turn:
            return first
        return [*first, *passing(self.table, self.mover, first), self._free_turn(whole - turn)]

    def _leads_to(self, way: TurnedClimb, pose: Pose) -> bool:
        if not _is_at(way.climb, pose):
            return False
        return pose.heading is None or self._turn_to(self._turned_after(way), float(pose.heading)) is not None

    def _turn_to(self, way: TurnedClimb, heading: float) -> float | None:
        """The turn in all by which a way faces a heading at its end; None: it cannot."""
        turn = turn_between(float(self.mover.heading), heading)
        known = [one for one in (turn, turn + 360.0, turn - 360.0) if way.first - 1e-9 <= one <= way.last + 1e-9]
        best = min(known, key=abs, default=None)
        return None if best is None else min(max(best, way.first), way.last)

    def orders_by(self, way: TurnedClimb, pose: Pose) -> Iterator[Order]:
        """Yield the orders of a climb that faces the heading of a pose after it."""
        split = bool(self.table.options.free_turn_split)
        whole = way.before if pose.heading is None else self._turn_to(way, float(pose.heading))
        assert whole is not None
        before = way.before if split or not way.before else whole
        after = whole - before
        if before:
            yield self._free_turn(before)
        args: dict[str, Any] = {"terrain": way.climb.terrain.name, "at": way.climb.contact.place}
        yield Order(self.mover.id, "climb", [], args=args)
        if after:
            yield self._free_turn(after)

    def _free_turn(self, degrees: float) -> Order:
        return Order(self.mover.id, "free_turn", _turn(degrees))


def _is_at(climb: Climb, pose: Pose) -> bool:
    """Whether a climb leads to the place and the level of a pose."""
    return pose.level in (None, climb.level) and math.dist(pose.place, climb.place) <= _SAME


def _tidy(place: XY) -> XY:
    return round(place[0], PLACE_DIGITS), round(place[1], PLACE_DIGITS)


def _turn(degrees: float) -> list[Element]:
    return move_elements([Rotate(degrees)])


@clause("ME-56", role="search")
def _placed(table: MechaTable, unit: Unit, ways: Sequence[TurnedClimb]) -> MechaMoves:
    """Compile climbs for the planner: as placings without any move after them."""
    moves = compiled(table, unit, "climb")
    names = list(dict.fromkeys(way.climb.level for way in ways))
    levels = [standing_on(table, unit, top_named(table.setting, name)) for name in names]
    heading = float(unit.heading)
    placings = tuple(
        Placing.at(
            way.climb.place,
            Headings(heading + way.first, heading + way.last),
            level=names.index(way.climb.level),
        )
        for way in ways
    )
    (first, *above) = [_level(table, unit, level) for level in levels]
    space: PoseSpace = replace(
        moves.space,
        starts=(),
        placings=placings,
        budget=Fraction(0),
        turns=replace(moves.space.turns, free=Fraction(0), free_in_portions=False),
        ground=first.ground,
        bars=first.bars,
        no_end=(),
        above=tuple(above),
    )
    return MechaMoves(space, tuple(levels))


def _level(table: MechaTable, unit: Unit, level: OnLevel) -> TableLevel:
    ground = MechaGround(table.setting, unit, top_named(table.setting, level.name)).priced()
    return TableLevel(ground, [one.solid for one in level.bars], (), table.board.bounds)
