"""Whose base may be passed, and who stands where it could be in the way."""

from __future__ import annotations

from collections.abc import Iterator

from simulator.engine.clauses import clause
from simulator.engine.state import Unit
from simulator.geometry.footprints import Placed, Round
from simulator.rulesets.mecha.elevated import is_low_for, top_named
from simulator.rulesets.mecha.features import Obstacle
from simulator.rulesets.mecha.units import GROUND, MechaTable, is_enemy, mobility_of, others


@clause("ME-42")
def may_pass(table: MechaTable, mover: Unit, other: Unit) -> bool:
    """Whether a unit may move through the base of another."""
    if is_enemy(mover, other):
        return False
    if abs(mover["size_class"] - other["size_class"]) < table.tables["pass.size_classes"]:
        return False
    whose = {"obstacle": (other,), "mover": (mover,), "both": (mover, other)}[table.options.pass_type_of]
    return all(mobility_of(one) in table.tables["pass.types"] for one in whose)


@clause("ME-105")
def on_one_level(table: MechaTable, unit: Unit, other: Unit) -> bool:
    """Whether two units can be in each other's way, or touch: on one level, or with one on a top that is low for it.

    A unit for which a top is only very difficult ground stands on the ground there, and meets those on the top.
    """
    if unit["level"] == other["level"]:
        return True
    for one, on_top in ((unit, other), (other, unit)):
        top = top_named(table.setting, on_top["level"])
        if one["level"] == GROUND and top is not None and is_low_for(table.tables, one, top):
            return True
    return False


def near_by(table: MechaTable, unit: Unit) -> Iterator[Unit]:
    """Yield everybody else who can be in the way of a unit."""
    return (other for other in others(table, unit) if on_one_level(table, unit, other))


@clause("ME-43")
def shrunk(table: MechaTable, other: Unit) -> Placed:
    """Return the base of a unit as an obstacle: overlaps that count as contact are none."""
    x, y = other.place
    radius = max(float(other["base"]) - float(table.options.contact_tolerance), 0.0)
    return Round(radius).at(float(x), float(y))


@clause("ME-41", "ME-43")
def bases_in_the_way(table: MechaTable, unit: Unit) -> tuple[list[Obstacle], list[Obstacle]]:
    """Return the bases that bar the way of a unit, and those that it may pass, and not end on."""
    bars, no_end = [], []
    for other in near_by(table, unit):
        if may_pass(table, unit, other):
            no_end.append(Obstacle(shrunk(table, other), other.id, "ME-43"))
        else:
            bars.append(Obstacle(shrunk(table, other), other.id, "ME-41"))
    return bars, no_end
