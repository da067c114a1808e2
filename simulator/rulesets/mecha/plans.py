"""What a unit can do in a movement phase, or in both of a turn, as plans: Move Actions one after the other.

What the first action leaves a unit to do is asked of `declaring`, on the table of the second movement phase. Who ends
the first one in contact with an opposing unit breaks away in the second (ME-8), for the same budget. What other
actions add to those of one phase is in `phase_plans`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.orders import Order
from simulator.engine.plans_reach import Plan
from simulator.engine.posed_orders import move_elements
from simulator.engine.state import Unit
from simulator.engine.table_reach import TableReach
from simulator.geometry.poses import Pose
from simulator.pathing.posed import EarlierPhase, EndPhase, Headings, Move, Placing, PoseStart, Rotate
from simulator.pathing.posed.turning_after import parted
from simulator.pathing.posed.ways import Way
from simulator.rulesets.mecha.contact import in_contact_with
from simulator.rulesets.mecha.declaring import (
    ap_of,
    ap_taken,
    movement_phase,
    unable_to_turn,
    undeclarable,
)
from simulator.rulesets.mecha.move_reach import MechaReach
from simulator.rulesets.mecha.movement import MechaMoves, compiled, compiled_turning
from simulator.rulesets.mecha.options import MOVEMENT_1, MechaOptions
from simulator.rulesets.mecha.phase_ends import GETS_UP, NOTHING, STAYS, once_made, passing, second_phase
from simulator.rulesets.mecha.turning import free_degrees, free_turn_of
from simulator.rulesets.mecha.units import MechaTable, budget_of

#: The Move Actions that plans are made of.
_MOVES = ("standard", "break_away", "run")


#: In the name of a plan: what stands for nothing but a free turn, and between what is done in each phase.
_TURNS, _THEN = "free_turn", ", then "


class Deeds(NamedTuple):
    """What a unit does in each movement phase: a Move Action, or nothing but a free turn.

    >>> str(Deeds("standard", NOTHING)), Deeds.named("standard, then climb").second
    ('standard, then free_turn', 'climb')
    """

    first: str
    second: str

    def __str__(self) -> str:
        return _THEN.join(name or _TURNS for name in self)

    @classmethod
    def named(cls, plan: str) -> Deeds:
        """Return the deeds of a plan by its name; one for a single phase has nothing after it."""
        first, _, second = plan.partition(_THEN)
        return cls(*(NOTHING if name == _TURNS else name for name in (first, second)))


class PlannedReach(MechaReach):
    """Where a unit ends that does something in one movement phase and then in another."""

    def __init__(self, table: MechaTable, mover: Unit, deeds: Deeds, moves: MechaMoves) -> None:
        """Store the plan; `moves` are those of all of it."""
        super().__init__(table, mover, str(deeds), moves)
        self.deeds = deeds

    def orders_to(self, place: Any) -> list[Order]:
        """Return the orders of both phases, and between them that by which everybody else lets the first one pass."""
        way = self.way_to(place)
        first, second = self._parted(way)
        before = self._orders(self.deeds.first, first)
        after = self._orders(self._after(way, second), second)
        return [*before, *passing(self.table, self.mover, before), *after] if after else before

    def less_against(self, pose: Pose, missing: float) -> tuple[Sequence[Breach], str]:
        """Return the reasons why a pose is out of reach if no more than so much is missing, or else some reason."""
        return self._reasons(pose, missing)

    def _parted(self, way: Way) -> tuple[list[Move], list[Move]]:
        """The moves of each phase."""
        moves = list(way.moves)
        if self.space.earlier:
            number = next(number for number, move in enumerate(moves) if isinstance(move, EndPhase))
            return moves[:number], moves[number + 1 :]
        if self.deeds.first in STAYS and self.deeds.second != NOTHING:
            turned = self._turned(way.start)
            return ([Rotate(turned, turned)] if turned else []), moves
        free = self.space.turns.free_at_end
        return parted(moves, free) if free else (moves, [])

    def _turned(self, start: PoseStart) -> Fraction:
        """By how many degrees it has turned freely before it begins; the limit is not passed by rounding."""
        free = turns_between(*once_made(self.table, self.mover, self.deeds.first))
        turned = (start.heading - Fraction(self.mover.heading) + 180) % 360 - 180
        return min(max(turned, -free), free)

    def _orders(self, action: str, moves: Sequence[Move]) -> list[Order]:
        """The orders of a phase; none where nothing is done."""
        if action not in STAYS:
            idle = not moves and action in _MOVES
            return [] if idle else [Order(self.mover.id, action, move_elements(moves))]
        found = [Order(self.mover.id, action)] if action == GETS_UP else []
        if turns := [Rotate(move.degrees) for move in moves if isinstance(move, Rotate)]:
            found.append(Order(self.mover.id, "free_turn", move_elements(turns)))
        return found

    def _after(self, way: Way, second: Sequence[Move]) -> str:
        """What it declares in the second phase: it breaks away where it is in contact by then."""
        if self.deeds.second != "standard" or not second:
            return self.deeds.second
        done = way.moves[: len(way.moves) - len(second)]
        found = self.moves.judged(done, way.start)
        there = self.moves.unit_after(self.mover, found)
        return "break_away" if in_contact_with(self.table, there) else "standard"


# --- plans ---


@clause("ME-1", "ME-34", "ME-48", "ME-49", role="search")
def plans_of_turn(table: MechaTable, unit: Unit) -> Iterator[Plan]:
    """Yield what a unit can do in the rest of the turn, each with the action points that it takes."""
    if movement_phase(table) != MOVEMENT_1:
        yield from plans_of_phase(table, unit)
        return
    onward = _onward(*second_phase(table, unit, "standard")) if "standard" in _declarable(table, unit) else []
    for first in _declarable(table, unit):
        later = second_phase(table, unit, first)
        yield _plan(table, unit, Deeds(first, NOTHING), later, covered_by=_as_well(table, unit, first, onward))
        for second in _declarable(*later) if first in STAYS else _onward(*later):
            if second == NOTHING or (first == NOTHING and not is_worth_waiting(table, unit, second)):
                continue
            # Who moves no inch in the first phase, but turns, does as well as who makes no move there.
            stays = first == NOTHING and second == "standard" and "standard" in onward
            as_well = Deeds(second, second) if stays else None
            yield _plan(table, unit, Deeds(first, second), later, covered_by=as_well)


def is_worth_waiting(table: MechaTable, unit: Unit, action: str) -> bool:
    """Whether a Move Action in the second phase, after nothing but a free turn, leads farther than one in the first."""
    if turns_between(table, unit) or any(undeclarable(table, unit, action)):
        return True
    return free_degrees(*second_phase(table, unit, NOTHING)) > free_degrees(table, unit)


def _as_well(table: MechaTable, unit: Unit, first: str, onward: Sequence[str]) -> Deeds | None:
    """What leads a unit to all places that it gets to by doing something in the first phase alone; None: nothing does.

    In the second phase it may do the same after a free turn, or go on, by no inch if need be.
    """
    waits = first != NOTHING and turns_between(table, unit)
    if waits and first in _declarable(*second_phase(table, unit, NOTHING)):
        return Deeds(NOTHING, first)
    return Deeds(first, "standard") if first == "standard" and "standard" in onward else None


@clause("ME-2", role="search")
def plans_of_phase(table: MechaTable, unit: Unit) -> Iterator[Plan]:
    """Yield what a unit can do in this movement phase, each with the action points that it takes."""
    for action in _declarable(table, unit):
        deeds = Deeds(action, NOTHING)
        yield priced(table, deeds, PlannedReach(table, unit, deeds, _moves_of(table, unit, action)))


def turns_between(table: MechaTable, unit: Unit) -> Fraction:
    """Return how many degrees a unit may turn freely in the first phase without losing them in the second."""
    if table.options.free_turn_per != "phase" or any(unable_to_turn(table, unit)):
        return Fraction(0)
    return free_degrees(table, unit)


def free_afterwards(table: MechaTable, unit: Unit) -> Fraction:
    """Return how many degrees a unit may turn freely in the second phase, however it turned in the first."""
    if table.options.free_turn_per != "phase" or any(unable_to_turn(table, unit)):
        return Fraction(0)
    return free_turn_of(table, unit)


def _declarable(table: MechaTable, unit: Unit) -> list[str]:
    """What a unit can do in a phase: nothing at least."""
    return [NOTHING, *(action for action in (GETS_UP, *_MOVES) if unit.place and is_worth_it(table, unit, action))]


def is_worth_it(table: MechaTable, unit: Unit, action: str) -> bool:
    """Whether a unit can make a Move Action, and not as well a standard move in the place of a Break Away.

    Out of contact a Break Away leads no farther than that, unless its figures are others.
    """
    if any(undeclarable(table, unit, action)):
        return False
    if action != "break_away" or any(undeclarable(table, unit, "standard")):
        return True
    dear = ap_of(table, action) >= ap_of(table, "standard")
    return not dear or budget_of(table, unit, action) > budget_of(table, unit, "standard")


@clause("ME-8", role="search")
def _onward(table: MechaTable, unit: Unit) -> list[str]:
    """What a unit can do in the second phase after a move: what bars it in contact depends on where that ends."""
    return ["standard"] if all(found.clause == "ME-8" for found in undeclarable(table, unit, "standard")) else []


def _plan(
    table: MechaTable, unit: Unit, deeds: Deeds, later: tuple[MechaTable, Unit], *, covered_by: Deeds | None = None
) -> Plan:
    """What a unit does in both phases."""
    fresh = bool(table.options.free_turn_per == "phase")
    if deeds.second == NOTHING:
        moves = _moves_of(table, unit, deeds.first)
        moves = moves.put(turns=replace(moves.space.turns, free_at_end=free_afterwards(*later)))
    elif deeds.first in STAYS:
        moves = turned_first(_moves_of(*later, deeds.second), *once_made(table, unit, deeds.first))
    else:
        first = compiled(table, unit, deeds.first).space
        earlier = EarlierPhase(first.budget, refreshes=fresh)
        moves = compiled(*later, deeds.second).put(earlier=(earlier,), starts=first.starts)
    return priced(table, deeds, PlannedReach(table, unit, deeds, moves), covered_by=covered_by)


def _moves_of(table: MechaTable, unit: Unit, action: str) -> MechaMoves:
    """The moves of a Move Action, or of the free turn alone."""
    return turning_only(*once_made(table, unit, action)) if action in STAYS else compiled(table, unit, action)


def stays(plan: Plan) -> bool:
    """Whether by a plan a unit stays where it is, but for its free turns."""
    return isinstance(plan.answer, PlannedReach) and all(deed in STAYS for deed in plan.answer.deeds)


def turned_first(moves: MechaMoves, table: MechaTable, unit: Unit) -> MechaMoves:
    """Return the moves of a unit that may have turned freely in the phase before."""
    free = turns_between(table, unit)
    if not free:
        return moves
    heading, place = float(unit.heading), (float(unit.place[0]), float(unit.place[1]))
    placing = Placing.at(place, Headings(heading - float(free), heading + float(free)))
    return moves.put(starts=(), placings=(placing,))


def turning_only(table: MechaTable, unit: Unit) -> MechaMoves:
    """The moves of a unit that makes no Move Action."""
    moves = compiled_turning(table, unit)
    if any(unable_to_turn(table, unit)):
        return moves.put(turns=replace(moves.space.turns, free=Fraction(0), free_in_portions=False))
    return moves


def priced(
    table: MechaTable, deeds: Deeds, answer: TableReach[MechaOptions], *, covered_by: Deeds | None = None
) -> Plan:
    """Return a plan with the action points that its actions take."""
    price = sum(ap_taken(table, action) for action in deeds if action != NOTHING)
    return Plan(str(deeds), Fraction(price), answer, "" if covered_by is None else str(covered_by))
