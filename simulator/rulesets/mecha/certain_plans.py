"""What is certain of plans in which a unit breaks away: attacks may hit, and then pin it, and the action may fail."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import shapely
from shapely.geometry.base import BaseGeometry

from simulator.engine.clauses import clause
from simulator.engine.plans_reach import Plan
from simulator.engine.state import Unit
from simulator.geometry.shapes import joined
from simulator.rulesets.mecha.breaking_away import HALF_MOVE, NO_MORE_MOVES, SUCCEEDS, attackers, budget_when_hit
from simulator.rulesets.mecha.contact import bars_of_contact, opponents_near
from simulator.rulesets.mecha.phase_ends import STAYS
from simulator.rulesets.mecha.plans import Deeds, PlannedReach
from simulator.rulesets.mecha.units import MechaTable


@clause("ME-61", "ME-62", role="odds")
def certain_of(table: MechaTable, unit: Unit, plans: Sequence[Plan]) -> BaseGeometry:
    """Return where some plans of a unit certainly lead, whichever attacks hit and whether or not actions succeed."""
    return joined(_certain(table, unit, plan) for plan in plans)


def _certain(table: MechaTable, unit: Unit, plan: Plan) -> BaseGeometry:
    """The same of one plan: where it may stay, at least."""
    first, second = Deeds.named(plan.name)
    may_fail = table.options.action_test != SUCCEEDS
    if second == "break_away" or (first == "break_away" and second in STAYS):
        if may_fail:
            return _where_it_is(unit)
        return plan.answer.ground_within(budget_when_hit(table, unit)) if attackers(table, unit) else plan.answer.area
    if first == "break_away" and (may_fail or attackers(table, unit)):
        if may_fail or table.options.pinning_effect == NO_MORE_MOVES:
            return _where_it_is(unit)
    elif not _may_break_away_then(table, unit, first, second):
        return plan.answer.area
    answer = plan.answer
    if not isinstance(answer, PlannedReach):
        return _where_it_is(unit)
    return joined(one.area for one in _unhit(answer, table, unit))


def _where_it_is(unit: Unit) -> BaseGeometry:
    return shapely.Point(float(unit.place[0]), float(unit.place[1]))


@clause("ME-8", role="odds")
def _may_break_away_then(table: MechaTable, unit: Unit, first: str, second: str) -> bool:
    """Whether a unit may come to be in contact in the first phase, so that its move in the second is a Break Away."""
    matters = table.options.action_test != SUCCEEDS or table.options.pinning_effect == HALF_MOVE
    return matters and second == "standard" and first not in STAYS and any(opponents_near(table, unit))


def _unhit(answer: PlannedReach, table: MechaTable, unit: Unit) -> Iterator[PlannedReach]:
    """Yield the same two moves with what is left to a unit that is hit in the first, and no Break Away in the second.

    Together they lead wherever such moves do.
    """
    (earlier,) = answer.space.earlier
    first, second = answer.deeds
    budget = min(earlier.budget, budget_when_hit(table, unit)) if first == "break_away" else earlier.budget
    manners = bars_of_contact(table, unit) if _may_break_away_then(table, unit, first, second) else [()]
    for apart in manners:
        sure = replace(earlier, budget=budget, no_end=(*earlier.no_end, *apart))
        yield PlannedReach(table, unit, answer.deeds, answer.moves.put(earlier=(sure,)))
