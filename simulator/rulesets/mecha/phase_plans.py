"""What a unit can do in a movement phase besides moves, climbs and jumps: actions that others do not do as well.

Charges, manoeuvres, entering and unloading lead nowhere that a run, a Break Away or a standard move does not lead to
for the same action points, unless that is barred, or figures and options say otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import TypeAlias

from simulator.engine.plans_reach import Plan
from simulator.engine.state import Unit
from simulator.rulesets.mecha.any_of_reach import AnyOfReach
from simulator.rulesets.mecha.carrier_reach import ExitReach, ExitsReach, enter_reach, exit_reach
from simulator.rulesets.mecha.charges_reach import charging
from simulator.rulesets.mecha.declaring import ap_of, ap_taken, undeclarable, unskilled
from simulator.rulesets.mecha.move_reach import MechaReach
from simulator.rulesets.mecha.movement import compiled, minimum_of
from simulator.rulesets.mecha.units import MechaTable, budget_of
from simulator.rulesets.mecha.unload_reach import SetDownReach, unloading_reach

_Answer: TypeAlias = MechaReach | AnyOfReach | SetDownReach


def manoeuvring(table: MechaTable, unit: Unit) -> MechaReach:
    """Compute where a manoeuvre ends."""
    barred = [*undeclarable(table, unit, "manoeuvre"), *unskilled(unit)]
    return MechaReach(table, unit, "manoeuvre", compiled(table, unit, "manoeuvre"), barred)


#: The actions, and what else may do as well.
_ANSWERS: Mapping[str, Callable[[MechaTable, Unit], _Answer]] = {
    "manoeuvre": manoeuvring,
    "charge": charging,
    "enter_unit": enter_reach,
    "unload": unloading_reach,
}
_AS_WELL = ("standard", "break_away", "run")


def other_plans_of_phase(table: MechaTable, unit: Unit) -> Iterator[Plan]:
    """Yield the other actions of a unit on the table that lead farther, or there for fewer action points."""
    for action, answer_of in _ANSWERS.items():
        barred = any(undeclarable(table, unit, action))
        if barred or any(_does_as_well(table, unit, other, action) for other in _AS_WELL):
            continue
        answer = answer_of(table, unit)
        if not answer.barred:
            yield _plan(table, action, answer)


def plans_aboard(table: MechaTable, unit: Unit) -> tuple[ExitReach | ExitsReach, list[Plan]]:
    """Return where a unit aboard a carrier ends that exits, and that as the only plan it has, if it may do so."""
    answer = exit_reach(table, unit)
    return answer, [] if answer.barred else [_plan(table, "exit_unit", answer)]


def _plan(table: MechaTable, action: str, answer: _Answer) -> Plan:
    return Plan(action, Fraction(ap_taken(table, action)), answer)


def _does_as_well(table: MechaTable, unit: Unit, other: str, action: str) -> bool:
    """Whether another action, which need not end in contact, leads wherever an action does for no more."""
    if any(undeclarable(table, unit, other)):
        return False
    is_as_cheap = ap_of(table, other) <= ap_of(table, action)
    is_as_free = minimum_of(table, other) in ("none", minimum_of(table, action))
    return is_as_cheap and is_as_free and budget_of(table, unit, other) >= budget_of(table, unit, action)
