"""Base contact: which units touch each other, and which elevated terrain a unit touches."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from simulator.engine.clauses import clause
from simulator.engine.state import Unit
from simulator.geometry.pieces import Solid
from simulator.geometry.tolerances import TOLERANCE
from simulator.pathing.posed import Touch
from simulator.pathing.posed.stops import kept_off
from simulator.rulesets.mecha.passing import beneath, can_touch
from simulator.rulesets.mecha.units import MechaTable, is_enemy, others, placed


def gap_between(one: Unit, other: Unit) -> float:
    """Return how far the bases of two units are apart; below 0 they overlap by so much."""
    return math.dist(one.place, other.place) - float(one["base"]) - float(other["base"])


@clause("ME-44", "ME-45")
def touches(table: MechaTable, one: Unit, other: Unit) -> bool:
    """Whether two units are in base contact: on one level, or while the base of one overlaps the top of the other."""
    if abs(gap_between(one, other)) > float(table.options.contact_tolerance) + 2 * TOLERANCE:
        return False
    if one["level"] == other["level"]:
        return True
    found = beneath(table, one, other)
    return found is not None and found.is_there


def opponents_near(table: MechaTable, unit: Unit) -> Iterator[Unit]:
    """Yield the opposing units that a unit may come into contact with from its level."""
    return (other for other in others(table, unit) if is_enemy(unit, other) and can_touch(table, unit, other))


@clause("ME-86")
def in_contact_with(table: MechaTable, unit: Unit) -> list[Unit]:
    """Return the opposing units that a unit is in base contact with; one that is carried is in contact with nobody."""
    if unit.place is None or unit.carrier:
        return []
    return [other for other in opponents_near(table, unit) if touches(table, unit, other)]


@clause("ME-8")
def stops_of(table: MechaTable, unit: Unit) -> list[Unit]:
    """Return the opposing units at which a move of a unit ends that comes into contact with them."""
    if not table.options.contact_stops_move:
        return []
    return list(opponents_near(table, unit))


def touch_of(table: MechaTable, other: Unit) -> Touch:
    """Return a unit as something that is in contact with whoever is near enough to it."""
    return Touch(placed(other), float(table.options.contact_tolerance))


@clause("ME-44", "ME-105", role="search")
def end_touching(table: MechaTable, mover: Unit, other: Unit) -> Touch:
    """Return a unit as something that a move of another has to end in contact with.

    Who stands beside a low top touches those on it where its base overlaps the outline.
    """
    found = beneath(table, mover, other)
    over = found.top.outline if found is not None and found.unit.id == mover.id else None
    return replace(touch_of(table, other), over=over)


@clause("ME-8")
def bars_of_contact(table: MechaTable, unit: Unit) -> list[tuple[Solid, ...]]:
    """Return what a base overlaps that is in contact with an opposing unit: who ends a phase so only breaks away.

    That is said in one manner, or in two: who overlaps none of either is out of contact.
    """
    found = [end_touching(table, unit, other) for other in opponents_near(table, unit)]
    manners = (False, True) if any(one.over is not None for one in found) else (False,)
    return [tuple(kept_off(one, beside=beside) for one in found) for beside in manners]
