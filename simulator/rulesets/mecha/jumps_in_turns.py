"""Jumps in a turn: after something else, or before the free turn of the second movement phase."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from simulator.engine.clauses import clause
from simulator.engine.orders import Order
from simulator.engine.plans_reach import Plan
from simulator.engine.posed_orders import move_elements
from simulator.engine.state import Unit
from simulator.pathing.posed import EarlierPhase, Move
from simulator.pathing.posed.turning_after import parted
from simulator.rulesets.mecha.contact import bars_of_contact
from simulator.rulesets.mecha.declaring import undeclarable
from simulator.rulesets.mecha.jump_judge import no_jump
from simulator.rulesets.mecha.jump_reach import EndsBelow, JumpReach, as_ordered
from simulator.rulesets.mecha.jumping import jump_moves
from simulator.rulesets.mecha.movement import compiled
from simulator.rulesets.mecha.phase_ends import STAYS, once_made, passing, second_phase
from simulator.rulesets.mecha.plans import Deeds, PlannedReach, priced, turned_first
from simulator.rulesets.mecha.units import MechaTable

JUMP = "jump"


class MoveThenJump(EndsBelow, PlannedReach):
    """Where a unit ends that jumps in the second movement phase, after what it did in the first."""

    def _orders(self, action: str, moves: Sequence[Move]) -> list[Order]:
        """The order of a phase; none where nothing is done."""
        found = super()._orders(action, moves)
        return [replace(order, elements=list(as_ordered(order.elements))) for order in found]


class JumpThenTurn(JumpReach):
    """Where a unit ends that jumps in the first movement phase, and makes its free turn in the second."""

    def __init__(self, table: MechaTable, mover: Unit, free: Fraction) -> None:
        """Store the question, with the additional free degrees of the turn that ends the jump."""
        super().__init__(table, mover)
        self.moves = self.moves.put(turns=replace(self.moves.space.turns, free_at_end=free))
        self.space = self.moves.space

    def orders_to(self, place: Any) -> list[Order]:
        """Return the orders of both phases that lead to a place or pose."""
        free = self.space.turns.free_at_end
        if not free:
            return super().orders_to(place)
        first, second = parted(self.way_to(place).moves, free)
        found = [Order(self.mover.id, JUMP, list(as_ordered(move_elements(first))))]
        if not second:
            return found
        turn = Order(self.mover.id, "free_turn", move_elements(second))
        return [*found, *passing(self.table, self.mover, found), turn]


@clause("ME-64", role="search")
def jumps_after(table: MechaTable, unit: Unit, first: str) -> Iterator[Plan]:
    """Yield the jump of a unit in the second phase, after a move, or a free turn alone, in the first."""
    later = second_phase(table, unit, first)
    # Who ends the first phase in contact does not jump: see below.
    barred = [found for found in undeclarable(*later, JUMP) if found.clause != "ME-8"]
    if barred or any(no_jump(*later)):
        return
    moves, deeds = jump_moves(*later), Deeds(first, JUMP)
    if first in STAYS:
        if not any(undeclarable(*later, JUMP)):
            begun = turned_first(moves, *once_made(table, unit, first))
            yield priced(table, deeds, MoveThenJump(table, unit, deeds, begun))
        return
    before = compiled(table, unit, first).space
    fresh = bool(table.options.free_turn_per == "phase")
    for apart in bars_of_contact(table, unit):
        earlier = EarlierPhase(before.budget, refreshes=fresh, no_end=apart)
        begun = moves.put(earlier=(earlier,), starts=before.starts)
        yield priced(table, deeds, MoveThenJump(table, unit, deeds, begun))
