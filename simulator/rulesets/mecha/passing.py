"""Whose base may be passed, and who stands where it could be in the way."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

import shapely

from simulator.engine.clauses import clause
from simulator.engine.state import Unit
from simulator.geometry.footprints import Placed, Round
from simulator.geometry.tolerances import TOLERANCE
from simulator.rulesets.mecha.elevated import Top, is_low_for, top_named
from simulator.rulesets.mecha.features import Obstacle
from simulator.rulesets.mecha.rates import rate_in
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
    return unit["level"] == other["level"] or beneath(table, unit, other) is not None


class Beneath(NamedTuple):
    """A unit on the ground, and a top with somebody on it that is very difficult ground for that unit."""

    unit: Unit
    top: Top

    @property
    def is_there(self) -> bool:
        """Whether the base of the unit overlaps the outline: touching it is no overlap."""
        x, y = self.unit.place
        away = float(shapely.distance(self.top.polygon, shapely.Point(float(x), float(y))))
        return away < float(self.unit["base"]) - 2 * TOLERANCE


@clause("ME-15", "ME-105")
def beneath(table: MechaTable, unit: Unit, other: Unit) -> Beneath | None:
    """Return which of two units can meet the other one from the ground on a low top; None: neither of them can.

    Those to whom very difficult ground is closed never overlap its outline.
    """
    for one, on_top in ((unit, other), (other, unit)):
        top = top_named(table.setting, on_top["level"])
        if one["level"] == GROUND and top is not None and is_low_for(table.tables, one, top):
            return None if rate_in(table.tables, one, "very_difficult") is None else Beneath(one, top)
    return None


@clause("ME-105")
def can_touch(table: MechaTable, mover: Unit, other: Unit) -> bool:
    """Whether a unit may come into contact with another: not from a top with one that stands beside that."""
    if mover["level"] == other["level"]:
        return True
    found = beneath(table, mover, other)
    return found is not None and (found.unit.id == mover.id or found.is_there)


def near_by(table: MechaTable, unit: Unit) -> Iterator[Unit]:
    """Yield everybody else who can be in the way of a unit."""
    return (other for other in others(table, unit) if on_one_level(table, unit, other))


@clause("ME-43")
def shrunk(table: MechaTable, other: Unit) -> Placed:
    """Return the base of a unit as an obstacle: overlaps that count as contact are none."""
    x, y = other.place
    radius = max(float(other["base"]) - float(table.options.contact_tolerance), 0.0)
    return Round(radius).at(float(x), float(y))


@clause("ME-43", "ME-44")
def _never_too_deep(table: MechaTable, unit: Unit, other: Unit) -> bool:
    """Whether no overlap of two bases is more than contact: both together are no wider than its tolerance."""
    return Fraction(unit["base"]) + Fraction(other["base"]) <= Fraction(table.options.contact_tolerance)


@clause("ME-41", "ME-43")
def bases_in_the_way(table: MechaTable, unit: Unit) -> tuple[list[Obstacle], list[Obstacle]]:
    """Return the bases that bar the way of a unit, and those that it may pass, and not end on."""
    bars, no_end = [], []
    for other in near_by(table, unit):
        if _never_too_deep(table, unit, other):
            continue
        if may_pass(table, unit, other):
            no_end.append(Obstacle(shrunk(table, other), other.id, "ME-43"))
        else:
            bars.append(Obstacle(shrunk(table, other), other.id, "ME-41"))
    return bars, no_end
