"""Fire: who may fire at whom from where, also at a piece that moves, and the roll to hit.

The source only refers to the tables of fire: a piece whose data name a range for its weapon fires by the figures that
are assumed here, and what the shots of all others do is left to the players.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.questions import React, Roll
from simulator.engine.ranges import Along, Span
from simulator.engine.state import Unit
from simulator.geometry.paths import Path
from simulator.geometry.tolerances import TOLERANCE
from simulator.rulesets.combined_arms.bands import Moved, own_band, target_band
from simulator.rulesets.combined_arms.sight import SightSpots, sight_lines, spans_in_sight
from simulator.rulesets.combined_arms.storeys import building_of, height_of_floor
from simulator.rulesets.combined_arms.units import ArmsTable, crew_of, is_enemy, others
from simulator.wording import measure

#: When a piece fires at another that does something at one go: rotates, takes stairs, a ladder or a door.
BEFORE, AFTER = "before", "after"


# --- who may fire ---


@clause("CA-97", "CA-98", role="rule")
def can_fire(unit: Unit) -> bool:
    """Whether a piece on the table still has its shot of the turn, and somebody to fire it."""
    manned = unit.type != "crew_weapon" or crew_of(unit) > 0
    return bool(unit.place is not None and manned and not unit["has_fired"])


@clause("CA-102", "CA-116", role="rule")
def interceptors(table: ArmsTable, mover: Unit) -> list[Unit]:
    """Return the enemies that may fire at a piece while it moves, if they see it: once a turn, who has not fired."""
    return [
        other
        for other in others(table, mover)
        if is_enemy(mover, other) and other["weapon_range"] is not None and can_fire(other)
    ]


def eye_of(table: ArmsTable, unit: Unit) -> SightSpots:
    """Return from where a piece looks: from its altitude, or as high as its floor."""
    building = building_of(table.setting, unit)
    up = 0 if building is None else height_of_floor(building, int(unit["floor"]))
    return _spot(unit.place, float(unit["altitude"]) + float(up))


def _spot(place: Sequence[Any], altitude: Any) -> SightSpots:
    x, y = place
    return SightSpots(np.array([[float(x), float(y)]]), np.array([float(altitude)]))


@clause("CA-8", "CA-97", role="judge")
def shot_breaches(table: ArmsTable, unit: Unit, target: Unit) -> Iterator[Breach]:
    """Yield the reasons why a piece, where it is, may not fire at another."""
    if not is_enemy(unit, target) or target.place is None:
        why = "not on the table" if target.place is None else "not an enemy"
        yield Breach("CA-97", f"{target.id} is {why}", blocker=target.id)
    elif unit["weapon_range"] is not None:
        here, there = eye_of(table, unit), eye_of(table, target)
        far = math.hypot(*(here.place[0] - there.place[0]).tolist(), float(here.altitude[0] - there.altitude[0]))
        most = unit["weapon_range"]
        if far > float(most) + TOLERANCE:
            yield Breach("CA-97", f"{target.id} is {measure(far, 'inch')} off", far, most, target.id, unit.place)
        if not sight_lines(table.setting).sees(eye_of(table, unit), eye_of(table, target))[0]:
            yield Breach("CA-97", f"{unit.id} does not see {target.id}", blocker=target.id, place=unit.place)


# --- fire at a piece that moves ---


@clause("CA-102", "CA-116", "CA-148", "CA-150")
def shot_on_a_way(
    table: ArmsTable,
    firer: Unit,
    mover: Unit,
    path: Path,
    altitudes: tuple[float, float],
    marks: Sequence[Fraction],
    before: Fraction | None = None,
) -> React | None:
    """Return the question where on a straight way a piece fires at the mover; None: it sees it nowhere.

    Marked is where something else changes, in inches of the way. It may be able to fire only `before` some of those.
    """
    lines, within = sight_lines(table.setting), float(firer["weapon_range"])
    spans = spans_in_sight(lines, eye_of(table, firer), path, altitudes, within)
    parts = [Span(begin, end) for begin, end in spans]
    if before is not None:
        low = float(before)
        parts = [part if part.high < low else Span(part.low, low, open_high=True) for part in parts if part.low < low]
    if not parts:
        return None
    known = [mark for mark in marks if any(part.low < mark < part.high for part in parts)]
    way = Along(parts, marks=known, path=path if path.length else None)
    return _question(firer, mover, (way,))


@clause("CA-102")
def shot_beside(table: ArmsTable, firer: Unit, before: Unit, after: Unit) -> React | None:
    """Return the question whether a piece fires at the mover before what that does at one go, or after it, by sight.

    None: it can do neither. The mover is given as it is before and after.
    """
    movers = {BEFORE: before, AFTER: after}
    options = [when for when, mover in movers.items() if not list(shot_breaches(table, firer, mover))]
    return _question(firer, before, options) if options else None


def _question(firer: Unit, mover: Unit, options: Sequence[Any]) -> React:
    detail = {"at": mover.id}
    return React("interceptive fire", who=firer.id, options=options, clause="CA-102", place=mover.place, detail=detail)


# --- bands and rolls ---


@clause("CA-97", "CA-98", role="rule")
def band_of_firer(table: ArmsTable, unit: Unit) -> str:
    """Return the band of a piece that fires, by what it has done so far; "" where it may choose how far it goes on."""
    known = unit["declared_band"]
    if unit["has_moved"] or table.options.own_fire_band == "so_far":
        return own_band(table, unit, Moved.of(unit))
    return str(known)


@clause("CA-94", "CA-97", "CA-99", "CA-101", "CA-102")
def roll_to_hit(table: ArmsTable, firer: Unit, target: Unit, band: str) -> Roll:
    """Return the roll of a shot, of which the bands of both and cover make the result lower."""
    towards = target_band(table, target)
    factors = [
        (f"it is {band}", -int(table.tables[f"firer_factor.{band}"])),
        (f"{target.id} is {towards}", -int(table.tables[f"target_factor.{towards}"])),
        ("cover", int(target["cover"])),
    ]
    return Roll(
        "hit",
        who=firer.id,
        dice=str(table.tables["hit.dice"]),
        target=int(table.tables["hit.needed"]),
        modifiers=[factor for factor in factors if factor[1]],
        clause="CA-97",
        place=target.place,
        detail={"at": target.id},
    )
