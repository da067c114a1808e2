"""Overruns: who may drive over whom, and what that costs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

import shapely

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.state import Unit
from simulator.geometry.footprints import Placed, Round
from simulator.geometry.pieces import PolygonShape, Solid
from simulator.pathing.posed import RunOver
from simulator.rulesets.combined_arms.figures import share
from simulator.rulesets.combined_arms.rates import current_rate
from simulator.rulesets.combined_arms.units import ArmsTable, is_enemy, is_vehicle, placed, size_of


@clause("CA-103", "CA-104", "CA-111", role="judge")
def overrun_breaches(table: ArmsTable, unit: Unit, target: Unit, altitude: Fraction) -> Iterator[Breach]:
    """Yield the reasons why a piece at an altitude may not overrun another."""
    if unit.type != "vehicle" or not unit["armored"]:
        yield Breach("CA-103", f"{unit.id} is not an armored vehicle", blocker=target.id)
    if not is_enemy(unit, target):
        yield Breach("CA-103", f"{target.id} is not an enemy", blocker=target.id)
    if table.options.overrun_targets == "listed_only" and is_vehicle(target) and not target.get("armored"):
        yield Breach("CA-103", f"{target.id} is an unarmored vehicle", blocker=target.id)
    if unit.type == "vehicle" and (table.options.overrun_size_scope == "all_targets" or is_vehicle(target)):
        most = size_of(table, unit) - int(table.tables["overrun.size_classes"])
        if (size := size_of(table, target)) > most:
            yield Breach(
                "CA-104", f"{target.id} is of size {size}, {most} at most can be overrun", size, most, target.id
            )
    if target["floor"]:
        yield Breach("CA-111", f"{target.id} is on floor {target['floor']}", target["floor"], 0, target.id)
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


@clause("CA-105", "CA-106", "CA-107", "CA-108", "CA-109")
def overrun_toll(table: ArmsTable, unit: Unit, target: Unit) -> RunOver:
    """Return what it takes to overrun a target: three times the price of the ground over its base, road or not.

    Over those in a foxhole it is as much as destroys them, if it can; whom that saves are there for each crossing.
    """
    factor, least = Fraction(table.tables["overrun.factor"]), Fraction(0)
    is_saved = not destroyed_with(table, unit, target)
    if target.get("in_foxhole") and not is_saved:
        least = share(table.tables["foxhole.share"]) * current_rate(table, unit)
    return RunOver(position_of(table, target), factor, least, stays=is_saved)


# --- foxholes ---


@clause("CA-108")
def together_with(table: ArmsTable, target: Unit) -> list[Unit]:
    """Return a target and those in the same foxhole."""
    hole = target.get("in_foxhole")
    return [
        other for other in table.state.standing if other.id == target.id or (hole and other.get("in_foxhole") == hole)
    ]


@clause("CA-108")
def position_of(table: ArmsTable, target: Unit) -> Solid:
    """Return the ground that has to be crossed: the base of a target, or all of its foxhole."""
    grounds = [ground_of(table, one) for one in together_with(table, target)]
    if len(grounds) == 1:
        return grounds[0]
    hull = shapely.convex_hull(shapely.union_all([ground.polygon for ground in grounds]))
    return PolygonShape([(float(x), float(y)) for x, y in shapely.get_coordinates(hull)])


@clause("CA-108")
def destroys_foxholes(unit: Unit) -> bool:
    """Whether a piece destroys those in a foxhole that it grinds over: one with tracks alone, or a walker."""
    if unit.type != "vehicle" or unit["mobility"] not in ("tracked", "walker"):
        return False
    return unit["mobility"] == "walker" or unit["fully_tracked"] is not False


@clause("CA-108", "CA-109", "CA-110")
def destroyed_with(table: ArmsTable, unit: Unit, target: Unit) -> list[Unit]:
    """Return those that are destroyed where a piece has crossed a target; nobody, if a foxhole saves them."""
    everybody = together_with(table, target)
    return everybody if not target.get("in_foxhole") or destroys_foxholes(unit) else []


def overrun_by(table: ArmsTable, unit: Unit, names: Iterable[str]) -> set[str]:
    """Return those who are gone where a piece has crossed some targets, with all aboard and in the same foxholes."""
    gone = {
        one.id for name in names if name in table.state.units for one in destroyed_with(table, unit, table.unit(name))
    }
    return gone | {rider.id for name in gone for rider in table.state.everybody_aboard(name)}
