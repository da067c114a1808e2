"""Plans with climbs and jumps: alone, one of them after something else, and moves and jumps after one of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from simulator.engine.clauses import clause
from simulator.engine.orders import Order
from simulator.engine.plans_reach import Plan
from simulator.engine.posed_reach import PosedReach
from simulator.engine.state import Unit
from simulator.geometry.poses import Pose
from simulator.pathing.posed import Headings, Placing, PoseStart
from simulator.rulesets.mecha.climb_reach import ClimbReach, TurnedClimb
from simulator.rulesets.mecha.climbs_after import ClimbsAfter
from simulator.rulesets.mecha.declaring import ap_taken, movement_phase
from simulator.rulesets.mecha.jump_judge import no_jump
from simulator.rulesets.mecha.jump_reach import JumpReach
from simulator.rulesets.mecha.jump_then import after_jump
from simulator.rulesets.mecha.jumping import jump_moves
from simulator.rulesets.mecha.jumps_in_turns import JUMP, JumpThenTurn, jumps_after
from simulator.rulesets.mecha.move_reach import MechaReach
from simulator.rulesets.mecha.movement import MechaMoves, compiled
from simulator.rulesets.mecha.onward import Onward
from simulator.rulesets.mecha.options import MOVEMENT_1, MechaOptions
from simulator.rulesets.mecha.phase_ends import GETS_UP, NOTHING, STAYS, once_made, second_phase
from simulator.rulesets.mecha.plans import (
    Deeds,
    PlannedReach,
    free_afterwards,
    is_worth_it,
    is_worth_waiting,
    priced,
    turning_only,
)
from simulator.rulesets.mecha.units import MechaTable

#: What may come before a climb, and after one.
_BEFORE = (*STAYS, "standard", "break_away", "jump", "climb")
_AFTER = ("standard", "break_away", "jump")


class OnTop(NamedTuple):
    """A climb in the first phase, and the table and the unit of the second, placed on top."""

    first: ClimbReach
    way: TurnedClimb
    table: MechaTable
    unit: Unit


class ClimbThen(Onward):
    """Where a unit ends that climbs in the first movement phase, and then moves on top, or jumps off."""

    def __init__(self, table: MechaTable, mover: Unit, climbed: OnTop, second: str, moves: MechaMoves) -> None:
        """Store the climb, and the moves of the second phase."""
        super().__init__(table, mover, Deeds("climb", second), moves)
        self.climbed = climbed

    def orders_before(self, start: PoseStart) -> list[Order]:
        """Return the climb, and its free turn, that end where the second phase begins."""
        climb = self.climbed.way.climb
        at_the_top = Pose(climb.place, float(start.heading), climb.level)
        return list(self.climbed.first.orders_by(self.climbed.way, at_the_top))


# --- plans ---


@clause("ME-64", role="search")
def height_plans_of_phase(table: MechaTable, unit: Unit) -> Iterator[Plan]:
    """Yield the jump of a unit, and its climbs from where it is."""
    for name, answer in (("jump", JumpReach(table, unit)), ("climb", ClimbReach(table, unit))):
        if not answer.barred:
            yield Plan(name, Fraction(ap_taken(table, name)), answer)


@clause("ME-51", role="search")
def height_plans_of_turn(table: MechaTable, unit: Unit) -> Iterator[Plan]:
    """Yield what a unit can do in the rest of the turn that has a climb or a jump in it."""
    if movement_phase(table) != MOVEMENT_1:
        yield from height_plans_of_phase(table, unit)
        return
    free = free_afterwards(table, unit)
    for name, alone in ((JUMP, JumpThenTurn(table, unit, free)), ("climb", ClimbReach(table, unit, free))):
        if not alone.barred:
            yield Plan(name, Fraction(ap_taken(table, name)), alone)
    for name in (*STAYS, "standard", "break_away"):
        if is_worth_waiting(table, unit, JUMP) if name == NOTHING else is_worth_it(table, unit, name):
            yield from jumps_after(table, unit, name)
    yield from after_jump(table, unit)
    for name, first in _firsts(table, unit):
        answer = ClimbsAfter(table, unit, first, second_phase(table, unit, name))
        if answer.known_levels:
            yield priced(table, Deeds(name, "climb"), answer)
    for climbed in _climbed(table, unit):
        for second in _AFTER:
            yield from _after_climb(table, unit, climbed, second)


def _firsts(table: MechaTable, unit: Unit) -> Iterator[tuple[str, PosedReach[MechaOptions]]]:
    """Yield what a unit can do in the first phase before it climbs in the second."""
    for name in _BEFORE:
        if name == NOTHING or (name == GETS_UP and is_worth_it(table, unit, name)):
            moves = turning_only(*once_made(table, unit, name))
            yield name, PlannedReach(table, unit, Deeds(name, NOTHING), moves)
        elif name in ("jump", "climb"):
            answer = JumpReach(table, unit) if name == "jump" else ClimbReach(table, unit)
            if not answer.barred:
                yield name, answer
        elif name not in STAYS and is_worth_it(table, unit, name):
            yield name, MechaReach(table, unit, name, compiled(table, unit, name))


def _climbed(table: MechaTable, unit: Unit) -> Iterator[OnTop]:
    """Yield the climbs that a unit can make in the first phase, with what it is like in the second."""
    first = ClimbReach(table, unit)
    for way in () if first.barred else first.ways:
        later, there = second_phase(table, unit, "climb")
        above = there.put(place=way.climb.place, level=way.climb.level)
        yield OnTop(first, way, type(table)(later.setting, later.state.with_unit(above)), above)


def _after_climb(table: MechaTable, unit: Unit, climbed: OnTop, second: str) -> Iterator[Plan]:
    """Yield a move or a jump after a climb."""
    if not is_worth_it(climbed.table, climbed.unit, second):
        return
    if second == "jump" and any(no_jump(climbed.table, climbed.unit)):
        return
    begins = climbed.table, climbed.unit
    moves = jump_moves(*begins) if second == "jump" else compiled(*begins, second)
    for begun in _begun(table, unit, climbed, moves):
        yield priced(table, Deeds("climb", second), ClimbThen(table, unit, climbed, second, begun))


def _begun(table: MechaTable, unit: Unit, climbed: OnTop, moves: MechaMoves) -> Iterator[MechaMoves]:
    """Yield moves that begin where a climb ends, facing the ways that it may: for a free turn a turn, turned or not."""
    heading, way = float(unit.heading), climbed.way

    def facing(first: float, last: float, *, free: bool) -> MechaMoves:
        placing = Placing.at(way.climb.place, Headings(heading + first, heading + last))
        turns = moves.space.turns
        if not free:
            turns = replace(turns, free=Fraction(0), free_in_portions=False)
        return moves.put(starts=(), placings=(placing,), turns=turns)

    if table.options.free_turn_per == "phase":
        yield facing(way.first, way.last, free=True)
        return
    if not way.before:
        yield facing(0.0, 0.0, free=True)
    yield facing(way.first, way.last, free=False)
