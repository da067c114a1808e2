"""What turns on the spot cost, and what of them is free."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from simulator.engine.clauses import clause
from simulator.engine.state import Unit
from simulator.pathing.posed import Rotate, TurnPrices
from simulator.rulesets.mecha.units import MechaTable, mobility_of

#: Of so many kinds of units the prices of turns are kept.
_KINDS = 32


@clause("ME-34", "ME-35", "ME-38")
def free_turn_of(table: MechaTable, unit: Unit) -> Fraction:
    """Return the degrees of the free turn of a unit, used or not; 0: it has none."""
    return Fraction(table.tables["free_turn"].get(mobility_of(unit), 0))


@clause("ME-34", "ME-35")
def free_degrees(table: MechaTable, unit: Unit) -> Fraction:
    """Return how many degrees of its free turn a unit has left."""
    used = Fraction(unit["free_turned"])
    if used and not table.options.free_turn_split:
        return Fraction(0)
    return max(free_turn_of(table, unit) - used, Fraction(0))


@clause("ME-29")
def used_freely(turns: Sequence[Rotate]) -> Fraction:
    """Return the degrees of the free turn that turns on one spot use: those turned as free, net, if no more are net."""
    freely = abs(sum((Fraction(turn.free) for turn in turns), Fraction(0)))
    return min(freely, TurnPrices.swept([turn.degrees for turn in turns]))


@clause("ME-28", "ME-29", "ME-31", "ME-32", "ME-33", "ME-35")
def turn_prices(table: MechaTable, unit: Unit) -> TurnPrices:
    """Return what turns cost: every begun step as much as some inches of the ground where the unit stands."""
    row = table.tables["turn.infantry" if unit.type == "infantry" else "turn.usual"]
    free = free_turn_of(table, unit)
    split = bool(table.options.free_turn_split and free)
    return _in_steps(Fraction(row["step"]), Fraction(row["inches"]), free, split)


@lru_cache(maxsize=_KINDS)
def _in_steps(step: Fraction, inches: Fraction, free: Fraction, split: bool) -> TurnPrices:
    return TurnPrices.in_steps(step, inches, times_rate=True, free=free, free_in_portions=split)


@clause("ME-39")
def may_turn(unit: Unit) -> bool:
    """Whether a unit may turn at all."""
    return mobility_of(unit) != "static"
