"""Damage: what a hit does to a piece, also in mid-move, and falling out of the sky."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from simulator.engine.amounts import PLACE_DIGITS, plain
from simulator.engine.clauses import clause
from simulator.engine.events import Change, Event, change_unit, remove_unit
from simulator.engine.state import Unit
from simulator.geometry.pieces import XY
from simulator.rulesets.combined_arms.movement import compiled
from simulator.rulesets.combined_arms.nearest_room import nearest_room
from simulator.rulesets.combined_arms.rates import current_rate, original_rate
from simulator.rulesets.combined_arms.units import ArmsTable, crew_of

#: One level of damage takes one part in this many of the original rate.
_LEVELS = 3


@clause("CA-18", "CA-87", "CA-91", "CA-93")
def lowered(table: ArmsTable, unit: Unit, levels: int = 1) -> Unit | None:
    """Return a piece after a number of hits, or None if it is destroyed."""
    if unit.type == "infantry":
        return None if levels else unit
    if unit.type == "crew_weapon":
        return unit.put(crew_present=max(crew_of(unit) - levels, 0))
    if unit["rate_current"] is not None:
        left = Fraction(unit["rate_current"]) - levels * original_rate(table, unit) / _LEVELS
        return unit.put(rate_current=plain(max(left, Fraction(0))))
    return unit.put(damage_level=unit["damage_level"] + levels)


@clause("CA-92")
def slows_later(table: ArmsTable, unit: Unit) -> bool:
    """Whether a hit in mid-move slows a piece only when the turn is over: by option, but a lost man is gone at once."""
    return bool(table.options.mid_move_damage == "next_turn" and "damage_to_come" in unit.fields)


@clause("CA-92")
def lowered_in_mid_move(table: ArmsTable, unit: Unit, levels: int = 1) -> Unit | None:
    """Return a piece after a number of hits in mid-move, or None if it is destroyed."""
    if slows_later(table, unit):
        return unit.put(damage_to_come=unit["damage_to_come"] + levels)
    return lowered(table, unit, levels)


@clause("CA-87", "CA-92", "CA-93")
def hit(table: ArmsTable, name: str, by: str, *, in_mid_move: bool) -> Iterator[Event]:
    """Hit a piece: infantry is gone, a crewed weapon loses a man, others are slower, by option only next turn."""
    unit = table.unit(name)
    later = in_mid_move and slows_later(table, unit)
    after = lowered_in_mid_move(table, unit) if in_mid_move else lowered(table, unit)
    detail = {"by": by}
    if after is None:
        yield Event("is destroyed", name, [remove_unit(name)], "CA-93", unit.place, detail=detail)
        return
    if unit.type == "crew_weapon":
        yield Event("loses a crew member", name, [_changed(unit, after)], "CA-18", unit.place, detail=detail)
    elif later:
        yield Event("is damaged for later", name, [_changed(unit, after)], "CA-92", unit.place, detail=detail)
    else:
        yield Event("is damaged", name, [_changed(unit, after)], "CA-87", unit.place, detail=detail)
    yield from fallen(table, name)


def _changed(before: Unit, after: Unit) -> Change:
    """The change of the fields that differ."""
    return change_unit(before.id, **{key: after[key] for key in after.fields if after[key] != before[key]})


@clause("CA-87")
def fallen(table: ArmsTable, name: str) -> Iterator[Event]:
    """Bring a piece down that is immobile aloft: where it is, or at the nearest place where it may stand."""
    unit = table.unit(name)
    if unit["altitude"] and not current_rate(table, unit):
        place = place_below(table, unit, Fraction(0))
        yield Event("falls", name, [change_unit(name, altitude=0, place=place)], "CA-87", place)


@clause("CA-87", "CA-92")
def place_below(table: ArmsTable, unit: Unit, altitude: Fraction) -> XY:
    """Return where a piece comes down to an altitude: where it is, or the nearest place where it may be there."""
    below = unit.put(altitude=plain(altitude))
    there = nearest_room(compiled(type(table)(table.setting, table.state.with_unit(below)), below)) or unit.place
    x, y = (round(number, PLACE_DIGITS) for number in there)
    return x, y
