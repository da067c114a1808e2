"""How a movement phase ends after some orders of a unit: somebody has to let it pass while it goes on."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import takewhile

from simulator.engine.clauses import clause
from simulator.engine.orders import Order
from simulator.engine.state import Unit
from simulator.rulesets.mecha.clock import PhaseClock
from simulator.rulesets.mecha.declaring import ACTED, MOVE_ACTIONS
from simulator.rulesets.mecha.turning import free_degrees
from simulator.rulesets.mecha.units import MechaTable


def passing(table: MechaTable, unit: Unit, orders: Sequence[Order]) -> list[Order]:
    """Return the orders by which everybody lets the phase pass after some orders of a unit, and what waits after it.

    There are none if it is over then, and the next movement phase follows.
    """
    return [Order("all", "done")] * (_goes_on(table, unit, orders) + _phases_between(table))


@clause("ME-1")
def _phases_between(table: MechaTable) -> int:
    """How many phases wait between this one and the next movement phase."""
    clock = table.clock
    behind = takewhile(lambda phase: phase.name not in ACTED, clock.phases[clock.number + 1 :])
    return sum(phase.order != "nobody" for phase in behind)


def _goes_on(table: MechaTable, unit: Unit, orders: Sequence[Order]) -> bool:
    """Whether somebody else has not had a go yet, or the unit has more of its own after these orders of it."""
    if set(PhaseClock().waiting(table)) - {unit.id}:
        return True
    if not any(order.action in MOVE_ACTIONS for order in orders):
        return True
    return _free_after(table, unit, orders) > 0


def _free_after(table: MechaTable, unit: Unit, orders: Sequence[Order]) -> Fraction:
    """How many degrees of its free turn a unit has left after some orders."""
    used = Fraction(0)
    for order in orders:
        freely = "angle" if order.action == "free_turn" else "free"
        used += sum((Fraction(one.get(freely) or 0) for one in order.elements), Fraction(0))
    if used and not table.options.free_turn_split:
        return Fraction(0)
    return max(free_degrees(table, unit) - used, Fraction(0))
