"""Reverse reach: from where a character could get to a square."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from simulator.engine.errors import WrongQuestion
from simulator.engine.state import Unit
from simulator.geometry.squares import Square
from simulator.pathing.reach import Reach
from simulator.pathing.reverse import reach_to, with_own
from simulator.rulesets.grid_runner.reach.answer import GridReach
from simulator.rulesets.grid_runner.reach.departures import may_set_out
from simulator.rulesets.grid_runner.reach.questions import reach_of
from simulator.rulesets.grid_runner.units import GridTable, grid_of


def starts_to(table: GridTable, unit: Unit, place: Square, action: str, passes: int = 1, **question: Any) -> Reach:
    """Return the squares from which a movement can reach a square, and its cost from each.

    The next diagonal costs what it would cost the character now, wherever it sets out.
    """
    if action == "charge_attack":
        raise WrongQuestion("the reach of charge_attack already lists where it starts: query that, not the reverse")
    if passes != 1:
        raise WrongQuestion("reverse reach covers one pass, not several")
    here = reach_of(table, unit, action, **question)
    if not isinstance(here, GridReach):
        raise WrongQuestion(f"there is no reverse reach of {action}")
    space = replace(here.searcher.space, starts=(here.start,), budget=here.budget)
    begins = may_set_out(table, unit, space, here.start)
    found = reach_to(grid_of(table), space, grid_of(table).index(place), begins)

    def forward() -> int | None:
        cost = here.cost_at(place)
        return None if cost is None else int(cost)

    return with_own(found, begins, here.start.state, forward)
