"""A movement from anywhere: where a character may set out, and its moves from all squares at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator.engine.clauses import clause
from simulator.engine.state import Unit
from simulator.pathing.departures import Departures
from simulator.pathing.kernel.prepared import Prepared
from simulator.pathing.move_space import Mask, MoveSpace, Start
from simulator.rulesets.grid_runner.movement import standing_masks
from simulator.rulesets.grid_runner.reach.answer import GridReach
from simulator.rulesets.grid_runner.reach.questions import reach_of
from simulator.rulesets.grid_runner.units import GridTable, grid_of


def departures_of(table: GridTable, unit: Unit, action: str, **question: Any) -> Departures | None:
    """Return the moves from all squares; None for several passes, and for charges, whose starts depend on a target.

    The next diagonal costs what it would cost the character now, wherever it sets out.
    """
    if action == "charge_attack" or question.get("passes", 1) != 1:
        return None
    here = reach_of(table, unit, action, **question)
    if not isinstance(here, GridReach) or not isinstance(here.searcher, Prepared):
        return None
    begins = may_set_out(table, unit, here.searcher.space, here.start)
    return Departures(here.searcher, begins, here.budget, unit="square")


@clause("GR-37", "GR-39", "GR-41", "GR-76")
def may_set_out(table: GridTable, unit: Unit, space: MoveSpace, start: Start) -> Mask:
    """Mark the states in which a character may set out: where it may stand, at the parity that it has."""
    standing = standing_masks(table, unit)[1]
    if unit["grappling"]:  # grapplers share a square
        standing = np.zeros_like(standing)
        standing[grid_of(table).index(table.unit(unit["grappling"]).place)] = True
    begins = np.zeros((len(space.phases), 1, *space.shape), np.bool_)
    begins[space.phases.index(start.phase), 0] = standing
    return begins
