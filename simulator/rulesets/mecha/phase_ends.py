"""Whether a movement phase goes on after some orders of a unit, so that somebody has to let it pass."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from simulator.engine.orders import Order
from simulator.engine.state import Unit
from simulator.rulesets.mecha.clock import PhaseClock
from simulator.rulesets.mecha.declaring import MOVE_ACTIONS
from simulator.rulesets.mecha.turning import free_degrees
from simulator.rulesets.mecha.units import MechaTable


def goes_on(table: MechaTable, unit: Unit, orders: Sequence[Order]) -> bool:
    """Whether somebody else has not had a go yet, or the unit has more of its own after these orders of it."""
    if set(PhaseClock().waiting(table)) - {unit.id}:
        return True
    if not any(order.action in MOVE_ACTIONS for order in orders):
        return True
    return free_after(table, unit, orders) > 0


def free_after(table: MechaTable, unit: Unit, orders: Sequence[Order]) -> Fraction:
    """Return how many degrees of its free turn a unit has left after some orders."""
    left = free_degrees(table, unit)
    name = "angle", "free"
    turned = [Fraction(one.get(name[order.action != "free_turn"]) or 0) for order in orders for one in order.elements]
    used = sum(turned, Fraction(0))
    if used and not table.options.free_turn_split:
        return Fraction(0)
    return max(left - used, Fraction(0))
