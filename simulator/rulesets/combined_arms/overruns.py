"""Overruns: who may drive over whom, and what that costs."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.state import Unit
from simulator.geometry.footprints import Placed, Round
from simulator.pathing.posed import RunOver
from simulator.rulesets.combined_arms.units import ArmsTable, is_enemy, placed, size_of


@clause("CA-103", "CA-104", "CA-111", role="judge")
def overrun_breaches(table: ArmsTable, unit: Unit, target: Unit, altitude: Fraction) -> Iterator[Breach]:
    """Yield the reasons why a piece at an altitude may not overrun another."""
    if unit.type != "vehicle" or not unit["armored"]:
        yield Breach("CA-103", f"{unit.id} is no armored vehicle", blocker=target.id)
    if not is_enemy(unit, target):
        yield Breach("CA-103", f"{target.id} is no enemy", blocker=target.id)
    is_vehicle = target.type in ("vehicle", "aircraft")
    if table.options.overrun_targets == "listed_only" and is_vehicle and not target["armored"]:
        yield Breach("CA-103", f"{target.id} is an unarmored vehicle", blocker=target.id)
    if unit.type == "vehicle" and (table.options.overrun_size_scope == "all_targets" or is_vehicle):
        most = size_of(table, unit) - int(table.tables["overrun.size_classes"])
        if (size := size_of(table, target)) > most:
            yield Breach(
                "CA-104", f"{target.id} is of size {size}, {most} at most can be overrun", size, most, target.id
            )
    if altitude > 0 or target["altitude"] > 0:
        aloft = unit if altitude > 0 else target
        yield Breach("CA-111", f"{aloft.id} is not on the ground", blocker=target.id)


@clause("CA-105")
def ground_of(table: ArmsTable, target: Unit) -> Placed:
    """Return the base of a target; one without a base counts as a round one."""
    if target["base"] is not None:
        return placed(target)
    x, y = target.place
    return Round(float(table.options.overrun_default_stretch) / 2).at(float(x), float(y))


@clause("CA-105", "CA-106", "CA-107")
def overrun_toll(table: ArmsTable, target: Unit) -> RunOver:
    """Return what it takes to overrun a target: three times the price of the ground over its base, road or not."""
    return RunOver(ground_of(table, target), Fraction(table.tables["overrun.factor"]))
