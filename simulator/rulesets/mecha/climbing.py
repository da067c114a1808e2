"""Climbs: who climbs what, from which place of contact, and where that leads."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import shapely

from simulator.engine.amounts import PLACE_DIGITS
from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.events import Event, change_unit
from simulator.engine.orders import Order
from simulator.engine.ruleset import Action
from simulator.engine.state import Unit
from simulator.geometry.angles import turn_between
from simulator.geometry.pieces import XY
from simulator.geometry.poses import place_text
from simulator.geometry.tolerances import TOLERANCE, TOUCH
from simulator.rulesets.mecha.declaring import undeclarable
from simulator.rulesets.mecha.elevated import Top, drop_class, low_tops, top_named, top_of, tops_on
from simulator.rulesets.mecha.landing import Below, no_room
from simulator.rulesets.mecha.playing import declared
from simulator.rulesets.mecha.units import GROUND, MechaTable

Breaches = Iterator[Breach]

_CLIMBERS = ("mecha", "infantry")
#: Degrees by which directions are off that are computed from places on the grid.
_ROUNDED = 1e-4


class Contact(NamedTuple):
    """Where a base touches an outline, and the direction straight across the edge; None at a corner."""

    place: XY
    across: XY | None


@dataclass(frozen=True)
class Climb:
    """A climb from a contact: where it leads, on which level, None for the ground, and the class of the height."""

    terrain: Top
    contact: Contact
    toward: float  #: the direction from the centre of the base to the contact
    place: XY
    target: Top | None
    height: int
    fits: bool = True  #: whether the base may come down there; one that climbs up needs room and nothing else

    @property
    def level(self) -> str:
        """The name of the level to which it leads."""
        return GROUND if self.target is None else self.target.name

    @property
    def is_up(self) -> bool:
        """Whether it leads up onto the terrain rather than down from it."""
        return self.target is not None and self.target.name == self.terrain.name


# --- contact ---


@clause("ME-55", "ME-56")
def contacts(table: MechaTable, unit: Unit, top: Top, *, inside: bool = False) -> list[Contact]:
    """Return where the base of a unit touches the outline of a top: from outside, or from inside.

    There are several where the outline has a concave corner. Crossing an outline has no tolerance.
    """
    here, reach = (float(unit.place[0]), float(unit.place[1])), float(unit["base"])
    if shapely.Point(here).within(top.polygon) != inside:
        return []
    most = reach + float(table.options.contact_tolerance) + 2 * TOLERANCE
    away = shapely.distance(top.polygon.boundary, shapely.Point(here))
    if not reach - 2 * TOLERANCE <= away <= most:
        return []
    found = [one for ring in (top.polygon.exterior, *top.polygon.interiors) for one in _on_ring(ring, here, most, top)]
    kept: list[Contact] = []
    for one in sorted(found, key=lambda contact: contact.across is None):
        if all(not _alike(one, other) for other in kept):
            kept.append(one)
    return [Contact(one.place, _turned(one.across, inside)) for one in kept]


def _turned(across: XY | None, inside: bool) -> XY | None:
    """The direction across an edge for who comes from inside."""
    return (-across[0], -across[1]) if across is not None and inside else across


def _alike(one: Contact, other: Contact) -> bool:
    """Whether contacts are one: at one place, across the same edge, or at a corner where an edge is known."""
    if math.dist(one.place, other.place) > TOLERANCE:
        return False
    return one.across is None or other.across is None or math.dist(one.across, other.across) <= TOLERANCE


def _on_ring(ring: shapely.LinearRing, here: XY, most: float, top: Top) -> Iterator[Contact]:
    """Yield where a ring is nearest to a place, edge by edge, and at corners that lie ahead of both their edges."""
    corners = shapely.get_coordinates(ring)[:-1]
    after = np.roll(corners, -1, axis=0)
    along = after - corners
    length = np.hypot(*along.T)
    ahead = along / length[:, None]
    at = ((np.array(here) - corners) * ahead).sum(axis=1)
    for number in np.flatnonzero((at >= -TOUCH) & (at <= length + TOUCH)).tolist():
        foot = corners[number] + at[number] * ahead[number]
        if math.dist(foot, here) <= most:
            x, y = ahead[number].tolist()
            # The area lies left of its outer ring as that is drawn here, and right of the others.
            yield Contact((float(foot[0]), float(foot[1])), (-y, x) if ring.is_ccw == _outer(ring, top) else (y, -x))
    before = np.roll(at - length, 1)
    for number in np.flatnonzero((before > TOUCH) & (at < -TOUCH)).tolist():
        x, y = corners[number].tolist()
        if math.dist((x, y), here) <= most:
            yield Contact((x, y), _through_corner((x, y), here, top))


def _outer(ring: shapely.LinearRing, top: Top) -> bool:
    return bool(ring.equals(top.polygon.exterior))


def _through_corner(corner: XY, here: XY, top: Top) -> XY | None:
    """The direction straight across a corner that is none, since the terrain is round."""
    away = math.dist(corner, here)
    if not top.is_round or away <= TOUCH:
        return None
    ahead = ((corner[0] - here[0]) / away, (corner[1] - here[1]) / away)
    return ahead if not shapely.Point(here).within(top.polygon) else (-ahead[0], -ahead[1])


# --- where climbs lead ---


@clause("ME-51", "ME-54", "ME-56", "ME-57")
def climbs(table: MechaTable, unit: Unit, top: Top) -> list[Climb]:
    """Return the climbs of a unit from where it touches a top: up onto it, or by option down from it."""
    here = top_of(table.setting, unit)
    down = here is not None and here.name == top.name
    if down and not table.options.climb_down:
        return []
    if not down and here is not None and here.height >= top.height:
        return []
    return [_climb(table, unit, top, here, one, down=down) for one in contacts(table, unit, top, inside=down)]


def _climb(table: MechaTable, unit: Unit, top: Top, here: Top | None, contact: Contact, *, down: bool) -> Climb:
    (x, y), (foot_x, foot_y) = unit.place, contact.place
    toward = math.degrees(math.atan2(foot_y - float(y), foot_x - float(x)))
    place = _across(contact, float(unit["base"]), top, inside=not down)
    if not down:
        return Climb(top, contact, toward, place, top, drop_class(table.setting, top, here))
    landing = Below(table.setting, unit, top).landing_at(place)
    return Climb(top, contact, toward, place, landing.on, landing.drop, landing.fits)


def _across(contact: Contact, reach: float, top: Top, *, inside: bool) -> XY:
    """Where the base is that touches the edge from the other side; on round terrain it clears the drawn corners."""
    (x, y), across = contact.place, contact.across
    if across is None:
        return x, y
    inches = reach
    for _ in range(3 if top.is_round and inside else 0):
        place = x + inches * across[0], y + inches * across[1]
        inches += max(reach - float(shapely.distance(top.polygon.boundary, shapely.Point(place))), 0.0)
    return x + inches * across[0], y + inches * across[1]


# --- what forbids them ---


@clause("ME-52", "ME-53")
def no_climber(table: MechaTable, unit: Unit) -> Breaches:
    """Yield why a unit cannot climb anything now."""
    needed = table.tables["climb.free_hands"]
    if unit.type not in _CLIMBERS:
        yield Breach("ME-52", f"{unit.id} is neither a mecha nor infantry: it cannot climb")
    elif unit["free_hands"] < needed:
        hands = "hand or claw" if unit["free_hands"] == 1 else "hands or claws"
        message = f"{unit.id} has {unit['free_hands']} free {hands}: climbing takes {needed}"
        yield Breach("ME-52", message, needed, unit["free_hands"])
    if unit["used_weapons"]:
        yield Breach("ME-53", f"{unit.id} has used a weapon or equipment this turn: it cannot climb")


@clause("ME-51", "ME-55", "ME-57", role="why")
def out_of_touch(table: MechaTable, unit: Unit, top: Top) -> Breaches:
    """Yield why a unit cannot climb a top from where it stands: it is above it, or too low or too far off."""
    here = top_of(table.setting, unit)
    place = unit.place
    if here is not None and here.name == top.name:
        if not table.options.climb_down:
            yield Breach("ME-57", f"{unit.id} is on top of {top.name}: there is no climbing down", place=place)
            return
    elif here is not None and here.height >= top.height:
        yield Breach("ME-51", f"{top.name} is no higher than {here.name}, where {unit.id} stands", place=place)
        return
    else:
        yield from _too_high(table, unit, top, drop_class(table.setting, top, here), place)
    away = float(shapely.distance(top.polygon.boundary, shapely.Point(place))) - float(unit["base"])
    most = Fraction(table.options.contact_tolerance)
    message = f"{unit.id} does not touch {top.name}"
    yield Breach("ME-55", message, most, Fraction(round(away, 4)), blocker=top.name, place=place)


@clause("ME-54")
def _too_high(table: MechaTable, unit: Unit, top: Top, height: int, place: XY) -> Breaches:
    """Yield that a height is more than a unit climbs."""
    most = int(unit["size_class"]) + int(table.tables["climb.size_classes_above"])
    if height > most:
        message = f"the height of {top.name} is of size class {height}: {unit.id} climbs up to {most}"
        yield Breach("ME-54", message, height, most, blocker=top.name, place=place)


@clause("ME-55", "ME-56")
def against_climb(table: MechaTable, unit: Unit, climb: Climb, *, facing: bool = True) -> Breaches:
    """Yield why a unit cannot make a climb: too high, not facing it, no room above."""
    name, place = climb.terrain.name, climb.contact.place
    yield from _too_high(table, unit, climb.terrain, climb.height, place)
    aside = abs(turn_between(float(unit.heading), climb.toward))
    tolerance = float(table.options.facing_tolerance_deg)
    if facing and aside > tolerance + _ROUNDED:
        turned = f"{aside:.4g}° off its heading, and at most {tolerance:g}° is allowed"
        message = f"{unit.id} does not face {name}: that is {turned}"
        yield Breach("ME-55", message, tolerance, round(aside, 4), blocker=name, place=place)
    if climb.contact.across is None:
        yield Breach("ME-56", f"at a corner of {name} its base never fits", blocker=name, place=place)
    else:
        yield from no_room(table, unit, climb.target, climb.place, "ME-56")
        if not climb.is_up:
            yield from _no_way_down(table, unit, climb)


@clause("ME-57", "ME-105", "ME-106", role="judge")
def _no_way_down(table: MechaTable, unit: Unit, climb: Climb) -> Breaches:
    """Yield why a climb leads nowhere down: the base would be over terrain that is no lower.

    Such terrain does not serve as the ground, and is very difficult ground for those alone who come from the ground.
    """
    if climb.target is None and not climb.fits:
        message = f"the base would be on terrain as high as {climb.terrain.name}: only a lower top serves as the ground"
        yield Breach("ME-106", message, blocker=climb.terrain.name, place=climb.place)
    most = float(unit["base"]) - 2 * TOLERANCE
    for top in low_tops(table.setting, unit):
        if top.height > climb.terrain.height and shapely.distance(top.polygon, shapely.Point(climb.place)) < most:
            yield Breach("ME-106", f"{top.name} is in the way there", blocker=top.name, place=climb.place)


@clause("ME-51", role="judge")
def of_climb(table: MechaTable, unit: Unit, order: Order) -> Breaches:
    """Object to a climb that is ordered."""
    yield from undeclarable(table, unit, "climb")
    yield from no_climber(table, unit)
    top = top_named(table.setting, order["terrain"])
    if top is None:
        yield Breach("ME-51", f"{order['terrain']} is not elevated terrain", blocker=order["terrain"])
    elif unit.place is not None:
        yield from chosen_climb(table, unit, top, order.args.get("at"))[1]


def chosen_climb(table: MechaTable, unit: Unit, top: Top, at: XY | None) -> tuple[Climb | None, Sequence[Breach]]:
    """Return the climb that an order means, the only one that is possible if it names no contact; and what forbids it.

    Where several are possible the order has to name one.
    """
    known = climbs(table, unit, top)
    if not known:
        return None, list(out_of_touch(table, unit, top))
    if at is not None:
        near = min(known, key=lambda one: math.dist(one.contact.place, at))
        away = math.dist(near.contact.place, at)
        most = float(table.options.contact_tolerance)
        if away > most + TOLERANCE:
            message = f"{unit.id} does not touch {top.name} at {place_text(at)}: {_told(known)}"
            return None, [Breach("ME-55", message, most, round(away, 4), blocker=top.name, place=at)]
        return near, list(against_climb(table, unit, near))
    against = [(one, list(against_climb(table, unit, one))) for one in known]
    possible = [one for one, breaches in against if not breaches]
    if len(possible) > 1:
        message = f"{unit.id} touches {top.name} in several places: the climb has to name one, {_told(possible)}"
        return None, [Breach("ME-56", message, 1, len(possible), blocker=top.name, place=unit.place)]
    return min(against, key=lambda pair: len(pair[1]))


def _told(known: Sequence[Climb]) -> str:
    return " or ".join(f"at {place_text(one.contact.place)}" for one in known)


# --- play ---


@clause("ME-53", "ME-56", role="play")
def climb(table: MechaTable, order: Order) -> Action:
    """Climb: a placement, after which no weapon is used this turn."""
    unit = table.unit(order.unit)
    top = top_named(table.setting, order["terrain"])
    assert top is not None
    found, _ = chosen_climb(table, unit, top, order.args.get("at"))
    assert found is not None
    yield declared(table, order.unit, order.action)
    place = tuple(round(number, PLACE_DIGITS) for number in found.place)
    changes = {"place": place, "level": found.level, "no_weapons_this_turn": True}
    yield Event(
        "climbs", order.unit, [change_unit(order.unit, **changes)], "ME-51", place, detail={"terrain": top.name}
    )


def all_climbs(table: MechaTable, unit: Unit) -> list[Climb]:
    """Return the climbs of a unit from every place in which it touches elevated terrain."""
    return [one for top in tops_on(table.setting) for one in climbs(table, unit, top)]
