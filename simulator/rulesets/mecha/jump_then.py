"""What a unit does in the second movement phase that has jumped in the first: it moves on, or jumps once more.

It begins where it has landed, in any of many poses that jumps end in: by the legs over the edge that the search for
jumps has cast, and by the ways to places all along the lines on which jumps end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import shapely

from simulator.engine.clauses import clause
from simulator.engine.orders import Order
from simulator.engine.plans_reach import Plan
from simulator.engine.posed_orders import move_elements
from simulator.engine.state import Unit
from simulator.geometry.convex import BoolArray
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.poses import Level, Pose
from simulator.pathing.columns import join, pick, rows_once
from simulator.pathing.posed import Headings, Placing, Rotate, TurnPrices
from simulator.pathing.posed.reach import PoseReach
from simulator.rulesets.mecha.contact import in_contact_with
from simulator.rulesets.mecha.declaring import undeclarable
from simulator.rulesets.mecha.jump_judge import no_jump
from simulator.rulesets.mecha.jump_reach import JumpReach, as_ordered
from simulator.rulesets.mecha.jumping import jump_moves
from simulator.rulesets.mecha.jumps_in_turns import JUMP
from simulator.rulesets.mecha.move_reach import MechaReach
from simulator.rulesets.mecha.movement import MechaMoves, compiled_anywhere
from simulator.rulesets.mecha.phase_ends import passing
from simulator.rulesets.mecha.plans import Deeds, priced, second_phase
from simulator.rulesets.mecha.turning import free_degrees
from simulator.rulesets.mecha.units import MechaTable

#: What may come after a jump.
_AFTER = ("standard", "break_away", JUMP)
#: Of poses in one cell so wide, that face the same way but for so many degrees, one is enough to begin in.
_CELL, _ALIKE = 0.25, 15.0
#: The share of a free turn that is not lost by rounding.
_JUST_INSIDE = 1.0 - 1e-9


class Landed(NamedTuple):
    """Poses on a level in which jumps end, and how many degrees each may turn freely after that."""

    place: FloatArray
    heading: FloatArray
    free: FloatArray


class JumpThen(MechaReach):
    """Where a unit ends that jumps in the first movement phase, and moves from where it has landed in the second."""

    def __init__(
        self, table: MechaTable, mover: Unit, jump: JumpReach, landed_on: Level, second: str, moves: MechaMoves
    ) -> None:
        """Store the jump, where it landed, and the moves of the second phase."""
        super().__init__(table, mover, f"jump, then {second}", moves)
        self.jump, self.landed_on, self.second = jump, landed_on, second

    @property
    def known_levels(self) -> Sequence[Level]:
        """The levels on which it ends."""
        return [self.level_names[number] for number in self.numbers_of(None)]

    def numbers_of(self, level: Level) -> Sequence[int]:
        """Return the numbers of the levels on which it ends: jumps do not end on the top that they leave."""
        return [number for number in super().numbers_of(level) if number or self.second != JUMP]

    def orders_to(self, place: Any) -> list[Order]:
        """Return the orders of both phases that lead to a place or pose."""
        way = self.way_to(place)
        first = self.jump.orders_to(Pose(way.start.place, float(way.start.heading), self.landed_on))
        if not way.moves:
            return first
        then = Order(self.mover.id, self.second, list(as_ordered(move_elements(way.moves))))
        return [*first, *passing(self.table, self.mover, first), then]


# --- plans ---


@clause("ME-34", "ME-64", role="search")
def after_jump(table: MechaTable, unit: Unit) -> Iterator[Plan]:
    """Yield what a unit can do in the rest of the turn that jumps in this phase and moves in the next.

    Where it has one free turn in all, that is for the jump, or else for the next phase.
    """
    jump = JumpReach(table, unit)
    if jump.barred:
        return
    if table.options.free_turn_per == "phase":
        yield from _after(jump, turns=True)
        return
    yield from _after(jump, turns=False)
    if free_degrees(table, unit):
        yield from _after(_Unturned(table, unit), turns=True)


class _Unturned(JumpReach):
    """Where the jumps of a unit end that keeps its free turn for later."""

    def __init__(self, table: MechaTable, mover: Unit) -> None:
        """Store the question."""
        super().__init__(table, mover)
        space = self.moves.space
        starts = tuple(replace(start, free=Fraction(0)) for start in space.starts)
        self.moves = self.moves.put(turns=_without_free(space.turns), starts=starts)
        self.space = self.moves.space


def _without_free(turns: TurnPrices) -> TurnPrices:
    return replace(turns, free=Fraction(0), free_in_portions=False)


def _after(jump: JumpReach, *, turns: bool) -> Iterator[Plan]:
    """Yield what a unit does after jumps, with a free turn or none."""
    table, unit = jump.table, jump.mover
    later, there = second_phase(table, unit, JUMP)
    for number in jump.numbers_of(None):
        level = jump.level_names[number]
        landed = _landed(jump, number)
        touches = _in_contact(later, there.put(level=level), landed)
        for second in _AFTER:
            some = pick(landed, np.flatnonzero(touches == (second == "break_away")))
            if not len(some.free):
                continue
            begins = there.put(place=tuple(some.place[0].tolist()), level=level)
            if any(undeclarable(later, begins, second)) or (second == JUMP and any(no_jump(later, begins))):
                continue
            moves = jump_moves(later, begins) if second == JUMP else compiled_anywhere(later, begins, second)
            begun = moves.put(starts=(), placings=_placings(some))
            if not turns:
                begun = begun.put(turns=_without_free(begun.space.turns))
            yield priced(table, Deeds(JUMP, second), JumpThen(table, unit, jump, level, second, begun))


def _placings(landed: Landed) -> tuple[Placing, ...]:
    """Return where a mover begins that turns freely where it has landed."""
    return tuple(
        Placing.at((x, y), Headings(heading - free, heading + free))
        for (x, y), heading, free in zip(
            landed.place.tolist(), landed.heading.tolist(), (landed.free * _JUST_INSIDE).tolist(), strict=True
        )
    )


# --- where jumps end ---


def _landed(jump: JumpReach, number: int) -> Landed:
    """Return poses in which jumps end on a level by its number: of those that are much alike, one."""
    assert isinstance(jump.planner, PoseReach)
    states = jump.planner.landed(number)
    found = join([_along_lines(jump, number), Landed(states.place, states.heading, states.free)])
    # Who may turn most comes first.
    found = pick(found, np.argsort(-found.free, kind="stable"))
    cells = np.column_stack([found.place / _CELL, np.mod(found.heading, 360.0) / _ALIKE])
    first, _ = rows_once(np.round(cells))
    return pick(found, np.sort(first))


def _along_lines(jump: JumpReach, number: int) -> Landed:
    """Return the poses of the ways to places all along the lines on which jumps end."""
    lines = jump.within_in(jump.most, None, jump.level_names[number])
    places = np.unique(shapely.get_coordinates(shapely.segmentize(lines, _CELL)), axis=0)
    full, found = jump.space.starts[0].free or Fraction(0), list[tuple[XY, Fraction, Fraction]]()
    for place, moves in zip(places.tolist(), jump.planner.moves_to_each(places, level=number), strict=True):
        if moves is not None:
            turned = [Fraction(move.degrees) for move in moves if isinstance(move, Rotate)]
            found.append((place, sum(turned, Fraction(jump.mover.heading)), Fraction(0) if turned else full))
    columns = [np.array(column, np.float64) for column in zip(*found, strict=True)] or [np.zeros(0)] * 3
    return Landed(columns[0].reshape(-1, 2), columns[1], columns[2])


def _in_contact(table: MechaTable, unit: Unit, landed: Landed) -> BoolArray:
    """Find the poses in which a unit is in contact with somebody: then it breaks away."""
    touches = [bool(in_contact_with(table, unit.put(place=tuple(place)))) for place in landed.place.tolist()]
    return np.array(touches, np.bool_)
