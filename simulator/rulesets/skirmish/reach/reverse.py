"""Reverse reach: from where a soldier could get to a place with one move or run.

A line of movement is as long, crosses as much rough ground and is barred by as much one way as the other, and wherever
a soldier may end it may begin. So these are the ends of the same spend begun at the place.
"""

from __future__ import annotations

from typing import Any

from simulator.engine.clauses import clause
from simulator.engine.errors import WrongQuestion
from simulator.engine.state import Unit
from simulator.geometry.pieces import XY
from simulator.rulesets.skirmish.obstruction import standing_breaches
from simulator.rulesets.skirmish.reach.answer import SkirmishReach, reach_of
from simulator.rulesets.skirmish.units import SkirmishTable


@clause("SK-1", "SK-4", "SK-28", "SK-29")
def starts_to(
    table: SkirmishTable, unit: Unit, place: XY, action: str, token: bool | None = None, **question: Any
) -> SkirmishReach | None:
    """Return from where a place can be reached by a spend; None if the soldier cannot end there at all."""
    if action not in ("move", "run"):
        message = "changes of stance and traverses are not the same backward"
        raise WrongQuestion(f"there is a reverse reach of a move or a run, not of a {action}: {message}")
    if table.options.measure == "front_point":
        raise WrongQuestion("there is no reverse reach under measure: front_point: the facing counts at both ends")
    if token is not None:
        raise WrongQuestion("token: reverse reach ignores whether it ends with the token")
    if any(standing_breaches(table, unit, place)):
        return None
    there = type(table)(table.setting, table.state.with_unit(unit.put(place=place)))
    return reach_of(there, there.unit(unit.id), action, **question)
