"""The pace of a question: the table as it would be if a character first started or stopped running."""

from __future__ import annotations

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.orders import Order
from simulator.engine.state import Unit
from simulator.rulesets.grid_runner.actions import start_run, stop_run
from simulator.rulesets.grid_runner.clock import start_run_breaches, stop_run_breaches
from simulator.rulesets.grid_runner.units import GridTable


@clause("GR-28", "GR-29", "GR-30")
def at_pace(table: GridTable, unit: Unit, mode: str) -> tuple[GridTable, Unit, list[Breach], list[Order]]:
    """Return the table after a character has changed to a pace, why it can not, and the order to do so.

    Nothing is to be done where it has that pace already, or none is asked for.
    """
    if mode in ("", unit["mode"]):
        return table, unit, [], []
    starts = mode == "run"
    breaches = list(start_run_breaches(table, unit) if starts else stop_run_breaches(unit))
    if breaches:
        return table, unit, breaches, []
    rule, order = (start_run, Order(unit.id, "start_run")) if starts else (stop_run, Order(unit.id, "stop_run"))
    after = type(table)(table.setting, table.state)
    after.play(rule(after, order))
    return after, after.unit(unit.id), [], [order]
