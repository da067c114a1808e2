"""The pace of a question: the table as it would be if a character first started or stopped running."""

from __future__ import annotations

from simulator.engine.chain import Moment
from simulator.engine.clauses import clause
from simulator.engine.orders import Order
from simulator.engine.state import Unit
from simulator.rulesets.grid_runner.actions import start_run, stop_run
from simulator.rulesets.grid_runner.clock import start_run_breaches, stop_run_breaches
from simulator.rulesets.grid_runner.units import GridTable


@clause("GR-28", "GR-29", "GR-30")
def at_pace(table: GridTable, unit: Unit, mode: str) -> Moment:
    """Return the moment at which a character has changed to a pace, or why it cannot.

    Nothing happens if it already has that pace, or none is specified.
    """
    here = Moment(table)
    if mode in ("", unit["mode"]):
        return here
    if mode == "run":
        return here.then(Order(unit.id, "start_run"), start_run_breaches(table, unit), start_run)
    return here.then(Order(unit.id, "stop_run"), stop_run_breaches(unit), stop_run)
