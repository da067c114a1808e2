"""What a unit does in the second movement phase that has jumped in the first: it moves on, or jumps once more.

It begins where it has landed, in any of many poses that jumps end in: by the legs over the edge that the search for
jumps has cast, and by the ways to places all along the lines on which jumps end.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from simulator.engine.clauses import clause
from simulator.engine.orders import Order
from simulator.engine.plans_reach import Plan
from simulator.engine.state import Unit
from simulator.geometry.convex import BoolArray
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.poses import Level, Pose
from simulator.pathing.columns import join, pick, rows_once
from simulator.pathing.posed import Headings, Placing, PoseStart, Rotate, TurnPrices
from simulator.pathing.posed.planner import PosePlanner
from simulator.pathing.posed.reach import PoseReach
from simulator.pathing.posed.stopped_reach import StoppedReach
from simulator.pathing.posed.stops import touched
from simulator.rulesets.mecha.contact import end_touching, opponents_near
from simulator.rulesets.mecha.declaring import undeclarable
from simulator.rulesets.mecha.jump_judge import no_jump
from simulator.rulesets.mecha.jump_reach import JumpReach
from simulator.rulesets.mecha.jumping import jump_moves
from simulator.rulesets.mecha.jumps_in_turns import JUMP
from simulator.rulesets.mecha.movement import MechaMoves, compiled_anywhere
from simulator.rulesets.mecha.onward import Onward
from simulator.rulesets.mecha.phase_ends import second_phase
from simulator.rulesets.mecha.plans import Deeds, priced
from simulator.rulesets.mecha.turning import free_degrees
from simulator.rulesets.mecha.units import MechaTable, base_of

#: What may come after a jump.
_AFTER = ("standard", "break_away", JUMP)
#: The width of a cell and the range of headings in degrees within which one pose is enough to begin in.
_CELL, _ALIKE = 0.25, 15.0
#: How often the stretch between the last place in which a jump ends and the next along a line is halved.
_HALVED = 6
#: The share of a free turn that is not lost by rounding.
_JUST_INSIDE = 1.0 - 1e-9


class Landed(NamedTuple):
    """Poses on a level in which jumps end, and how many degrees each may turn freely after that."""

    place: FloatArray
    heading: FloatArray
    free: FloatArray


class JumpThen(Onward):
    """Where a unit ends that jumps in the first movement phase, and moves from where it has landed in the second."""

    def __init__(self, jump: JumpReach, landed_on: Level, second: str, moves: MechaMoves) -> None:
        """Store the jump, where it landed, and the moves of the second phase."""
        super().__init__(jump.table, jump.mover, Deeds(JUMP, second), moves)
        self.jump, self.landed_on = jump, landed_on

    def orders_before(self, start: PoseStart) -> list[Order]:
        """Return the jump that lands where the second phase begins."""
        return self.jump.orders_to(Pose(start.place, float(start.heading), self.landed_on))


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
            yield priced(table, Deeds(JUMP, second), JumpThen(jump, level, second, begun))


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
    searched = _searched(jump.planner)
    states, places = searched.landed(number), searched.landing_places(number, _CELL)
    found = join([_along_lines(places, jump, number), Landed(states.place, states.heading, states.free)])
    # Who may turn most comes first.
    found = pick(found, np.argsort(-found.free, kind="stable"))
    cells = np.column_stack([found.place / _CELL, np.mod(found.heading, 360.0) / _ALIKE])
    first, _ = rows_once(np.round(cells))
    return pick(found, np.sort(first))


def _searched(planner: PosePlanner) -> PoseReach:
    """Return the search for jumps; where contact stops moves, that for those which land in contact with nobody."""
    if isinstance(planner, StoppedReach):
        planner = planner.part(())
    assert isinstance(planner, PoseReach)
    return planner


def _along_lines(places: FloatArray, jump: JumpReach, number: int) -> Landed:
    """Return the poses of the ways to places all along the lines on which jumps may end."""
    planner = jump.planner
    ways = planner.moves_to_each(places, level=number)
    last = _last_ones(planner, places, np.array([moves is not None for moves in ways]), number)
    places, ways = np.concatenate([places, last]), [*ways, *planner.moves_to_each(last, level=number)]
    full, found = jump.space.starts[0].free or Fraction(0), list[tuple[XY, Fraction, Fraction]]()
    for place, moves in zip(places.tolist(), ways, strict=True):
        if moves is not None:
            turned = [Fraction(move.degrees) for move in moves if isinstance(move, Rotate)]
            found.append((place, sum(turned, Fraction(jump.mover.heading)), Fraction(0) if turned else full))
    columns = [np.array(column, np.float64) for column in zip(*found, strict=True)] or [np.zeros(0)] * 3
    return Landed(columns[0].reshape(-1, 2), columns[1], columns[2])


def _last_ones(planner: PosePlanner, places: FloatArray, end: BoolArray, number: int) -> FloatArray:
    """Return the last places in which jumps end, between those along lines of which that is known and others."""
    near = np.hypot(*(places[1:] - places[:-1]).T) <= 2 * _CELL
    change = np.flatnonzero((end[1:] != end[:-1]) & near)
    inside, outside = (places[np.where(end[change] == is_end, change, change + 1)] for is_end in (True, False))
    for _ in range(_HALVED if len(change) else 0):
        middle = (inside + outside) / 2
        found = planner.are_ends(middle, None, number)[:, None]
        inside, outside = np.where(found, middle, inside), np.where(found, outside, middle)
    return inside


def _in_contact(table: MechaTable, unit: Unit, landed: Landed) -> BoolArray:
    """Find the poses in which a unit is in contact with somebody: then it breaks away."""
    touch = [end_touching(table, unit, other) for other in opponents_near(table, unit)]
    return np.asarray(touched(touch, base_of(unit), landed.place).any(axis=1))
