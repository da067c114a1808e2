"""Units set down by their carrier: where on its rear, facing which way, and what keeps them from standing there."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.state import Unit
from simulator.geometry.angles import turn_between
from simulator.geometry.convex import radius_of
from simulator.geometry.pieces import XY, Solid
from simulator.geometry.tolerances import TOLERANCE
from simulator.pathing.posed import Arc, Headings
from simulator.rulesets.mecha.contact import gap_between, touches
from simulator.rulesets.mecha.move_judge import of_standing
from simulator.rulesets.mecha.units import MechaTable
from simulator.wording import measure

Breaches = Iterator[Breach]

#: What is wrong with a place that other clauses forbid units to end on as well.
_OF_ROOM = ("ME-15", "ME-19", "ME-41", "ME-43")


@clause("ME-79", "ME-83")
def arc_of(table: MechaTable, carrier: Unit, *, exits: bool) -> tuple[float, float]:
    """Return straight behind a carrier, in degrees, and how far to either side of that units are set down.

    Around some carriers those who exit by themselves are placed anywhere.
    """
    behind = float(carrier.heading) + 180.0
    wide = 360.0 if exits and carrier["exits_anywhere"] else float(table.options.rear_arc_deg)
    return behind, wide / 2


def apart(unit: Unit, carrier: Unit) -> float:
    """Return how far the centres of two units are apart that touch each other."""
    return float(unit["base"]) + float(carrier["base"])


def leeway(table: MechaTable, unit: Unit, carrier: Unit) -> float:
    """Return by how many degrees places may be off: on the rear, as far as bases may be that are in contact."""
    return math.degrees(float(table.options.contact_tolerance) / apart(unit, carrier))


def rear_of(table: MechaTable, unit: Unit, carrier: Unit, *, exits: bool) -> Arc:
    """Return the places of a unit that touches the rear of its carrier."""
    behind, aside = arc_of(table, carrier, exits=exits)
    aside = min(aside + leeway(table, unit, carrier), 180.0)
    x, y = carrier.place
    return Arc((float(x), float(y)), apart(unit, carrier), behind - aside, behind + aside)


@clause("ME-79")
def headings_of(table: MechaTable, carrier: Unit) -> Headings:
    """Return the headings in which units are set down; those that lead away are relative to the normal of the rear."""
    if table.options.placement_heading == "away":
        return Headings(180.0, 180.0, from_normal=True)
    if table.options.placement_heading == "same":
        return Headings(float(carrier.heading), float(carrier.heading))
    return Headings(0.0, 360.0)


def usual_heading(table: MechaTable, carrier: Unit, place: XY) -> Fraction:
    """Return the heading of a unit set down at a place by an order that names none."""
    if table.options.placement_heading == "away":
        return Fraction(_bearing(carrier, place))
    return Fraction(carrier.heading)


def _bearing(carrier: Unit, place: XY) -> float:
    """The direction from a carrier to a place, in degrees."""
    x, y = float(place[0]) - float(carrier.place[0]), float(place[1]) - float(carrier.place[1])
    return math.degrees(math.atan2(y, x)) % 360.0


@clause("ME-79", "ME-81", "ME-86")
def beside(table: MechaTable, unit: Unit, carrier: Unit, place: Any, heading: Any = None) -> Unit:
    """Return a passenger as it is once it has been set down somewhere, on the level of its carrier."""
    facing = usual_heading(table, carrier, place) if heading is None else heading
    return unit.put(place=place, heading=facing, level=carrier["level"], carrier="")


def with_unit(table: MechaTable, *units: Unit) -> MechaTable:
    """Return a table with some units as they are then."""
    state = table.state
    for unit in units:
        state = state.with_unit(unit)
    return type(table)(table.setting, state)


# --- where there is room ---


@clause("ME-43", "ME-79", role="search")
def free_arcs(rear: Arc, closed: Sequence[Solid], base: float) -> Iterator[Arc]:
    """Yield the parts of the rear of a carrier on which a base overlaps none of some others, which are round."""
    first, wide = rear.first, rear.last - rear.first
    free = [(0.0, wide)]
    for one in closed:
        ((x, y),), radius = one.parts[0].tolist(), radius_of(one)
        assert radius is not None
        away = math.dist((x, y), rear.middle)
        far = base + radius - TOLERANCE
        if away >= rear.radius + far or away <= abs(rear.radius - far):
            if away <= far - rear.radius:
                return
            continue
        half = math.degrees(math.acos((rear.radius**2 + away**2 - far**2) / (2.0 * rear.radius * away)))
        toward = math.degrees(math.atan2(y - rear.middle[1], x - rear.middle[0]))
        begin = (toward - half - first) % 360.0
        for shut in ((begin, begin + 2.0 * half), (begin - 360.0, begin + 2.0 * half - 360.0)):
            free = [part for span in free for part in _without(span, shut)]
    for low, high in free:
        yield replace(rear, first=first + low, last=first + high)


def _without(span: tuple[float, float], shut: tuple[float, float]) -> Iterator[tuple[float, float]]:
    """The parts of a span of degrees outside another."""
    if shut[1] <= span[0] or shut[0] >= span[1]:
        yield span
        return
    if shut[0] >= span[0]:
        yield span[0], shut[0]
    if shut[1] <= span[1]:
        yield shut[1], span[1]


# --- why not there ---


@clause("ME-79", "ME-83", role="judge")
def not_at_rear(table: MechaTable, there: Unit, carrier: Unit, *, exits: bool) -> Breaches:
    """Object to a unit that has been set down: it does not touch the rear of its carrier, or faces a wrong way."""
    cited = "ME-83" if exits else "ME-79"
    if not touches(table, there, carrier):
        gap = gap_between(there, carrier)
        told = f"{measure(round(gap, 4), 'inch')} from" if gap > 0 else "on"
        message = f"{there.id} would be {told} {carrier.id}: it is placed in base contact"
        yield Breach(cited, message, 0, gap, carrier.id, there.place)
    behind, aside = arc_of(table, carrier, exits=exits)
    slack = leeway(table, there, carrier)
    off = abs(turn_between(behind, _bearing(carrier, there.place)))
    if off > aside + slack + math.degrees(TOLERANCE):
        message = f"{there.id} would be {off:.4g}° off straight behind {carrier.id}, and at most {aside:g}° is allowed"
        yield Breach(cited, message, aside, off, carrier.id, there.place)
    if table.options.placement_heading != "any":
        wanted = float(usual_heading(table, carrier, there.place))
        wrong = abs(turn_between(wanted, float(there.heading)))
        if wrong > (slack if table.options.placement_heading == "away" else TOLERANCE):
            way = "away from" if table.options.placement_heading == "away" else "as"
            message = f"{there.id} is set down facing {way} {carrier.id}, {wanted:.4g}°"
            yield Breach("ME-79", message, wanted, float(there.heading), carrier.id, there.place)


@clause("ME-79", "ME-81", role="judge")
def no_room(table: MechaTable, there: Unit) -> Breaches:
    """Object to a unit that has been set down where it may not stand; the table is the one with it there."""
    for found in of_standing(table, there):
        cited = "ME-79" if found.clause in _OF_ROOM else found.clause
        yield replace(found, clause=cited, message=f"{there.id}: {found.message}", place=there.place)


def placed_breaches(table: MechaTable, there: Unit, carrier: Unit, *, exits: bool) -> Breaches:
    """Yield all that forbids to set a unit down; the table is the one with its carrier where that is then."""
    yield from not_at_rear(table, there, carrier, exits=exits)
    yield from no_room(with_unit(table, there), there)
