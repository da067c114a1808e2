"""Dodges: who may dodge, at what price, where to, and what is left of the attack."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
import shapely

from simulator.engine.clauses import clause
from simulator.engine.ranges import Within
from simulator.engine.state import Unit
from simulator.geometry.angles import unit_vector
from simulator.geometry.convex import BoolArray
from simulator.geometry.paths import Path, Paths, Straight
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.tolerances import TOLERANCE
from simulator.rulesets.skirmish.movement import legal_stop
from simulator.rulesets.skirmish.obstruction import barred_at, features_of, may_end
from simulator.rulesets.skirmish.rolls import LEVELS, rank_of
from simulator.rulesets.skirmish.units import SkirmishTable, ap_of_activation, can_suffer, radius_of

#: The choice of a dodge straight away from the source of the attack.
AWAY = "away"
#: Every whole degree.
_RING = np.arange(360.0)
#: A millionth of a degree is less than the precision of places.
_DECIMALS = 6
#: Directions closer together than this are one, in degrees.
_SAME = 1e-3
#: Halvings of a degree until the last free direction is known to well within the tolerance of places.
_HALVINGS = 24


@clause("SK-38", "SK-39", "SK-40", role="rule")
def price_of_dodge(table: SkirmishTable, soldier: Unit) -> str:
    """Return the price of a dodge now: "AP" before its activation, "Threshold" after; "" if the soldier cannot pay.

    A soldier that is activating counts as activated.
    """
    if soldier["status"] == "not_activated":
        return "AP" if ap_of_activation(table, soldier) >= int(table.tables["cost.dodge"]) else ""
    return "Threshold" if can_suffer(soldier) else ""


# --- where to ---


@clause("SK-41", role="rule")
def line_of_dodge(table: SkirmishTable, soldier: Unit, source: XY, heading: Any = AWAY) -> Path:
    """Return the way of a dodge: straight away from the source, or along a chosen heading."""
    x, y = float(soldier.place[0]), float(soldier.place[1])
    inches = float(table.tables["dodge.inches"])
    if heading == AWAY:
        apart = math.dist(source, (x, y))
        along, across = (x - source[0]) / apart, (y - source[1]) / apart
    else:
        along, across = unit_vector(float(heading))
    return Path((x, y), (Straight((x, y), (x + along * inches, y + across * inches)),))


@clause("SK-41", "SK-56", role="rule")
def end_of_dodge(table: SkirmishTable, soldier: Unit, line: Path) -> float:
    """Compute how many inches of a dodge the soldier covers: to the last legal place before whatever is in the way."""
    free = float(barred_at(table, soldier, line.arrays)[0])
    return legal_stop(table, soldier, line, min(free, line.length))


@clause("SK-41", role="rule")
def is_under(soldier: Unit, source: XY) -> bool:
    """Whether an attack comes from right under a soldier, so that every direction leads away equally."""
    return math.dist(soldier.place, source) < TOLERANCE


@clause("SK-41", role="rule")
def dodge_directions(table: SkirmishTable, soldier: Unit, source: XY) -> tuple[str | Within, ...]:
    """Return the directions from which a player may choose where the rules leave that open.

    These are `away`, and any number of degrees that leads away. A source under the soldier leaves all directions open.
    They are represented, the straightest first, by the whole degrees and the exact ones that matter, along the faces of
    obstacles close by, and the last ones that still allow the full way.
    """
    inches, (x, y) = float(table.tables["dodge.inches"]), soldier.place
    faces = _faces_near(table, soldier, inches)
    faces = faces[_is_free(table, soldier, faces, inches)]
    last = _last_free(table, soldier, inches)
    # Along a face that the base touches, the last free direction is that of the face, up to the tolerance.
    apart = np.abs((last[:, None] - faces[None, :] + 180.0) % 360.0 - 180.0)
    last = last[np.all(apart > _SAME, axis=1)]
    marks = np.unique(np.round(np.concatenate([faces, last]), _DECIMALS) % 360.0)
    degrees = partial(Within, unit="degrees", wraps=360, every=1)
    if is_under(soldier, source):
        return (degrees(0, 360, open_high=True, marks=marks.tolist(), near=0),)
    away = math.degrees(math.atan2(y - source[1], x - source[0]))
    marks = marks[np.abs((marks - away + 180.0) % 360.0 - 180.0) < 90.0 - TOLERANCE]
    right, left = (round(away + side, _DECIMALS) for side in (-90.0, 90.0))
    return AWAY, degrees(right, left, open_low=True, open_high=True, marks=marks.tolist(), near=away)


def _is_free(table: SkirmishTable, soldier: Unit, headings: FloatArray, inches: float) -> BoolArray:
    """Return which directions allow the full way and a legal end."""
    turns = np.radians(headings)
    starts = np.broadcast_to(np.asarray(soldier.place, np.float64), (len(headings), 2))
    ends = starts + inches * np.column_stack([np.cos(turns), np.sin(turns)])
    ways = Paths.of_lines(np.stack([starts, ends], axis=1))
    return np.isinf(barred_at(table, soldier, ways)) & may_end(table, soldier, ends)


def _last_free(table: SkirmishTable, soldier: Unit, inches: float) -> FloatArray:
    """Return the last free direction between neighbouring degrees of which only one is free."""
    is_free = _is_free(table, soldier, _RING, inches)
    after = np.roll(is_free, -1)
    free = np.concatenate([_RING[is_free & ~after], _RING[~is_free & after] + 1.0])
    step = np.repeat([1.0, -1.0], [np.count_nonzero(is_free & ~after), np.count_nonzero(~is_free & after)])
    for _ in range(_HALVINGS):
        step = step / 2.0
        free = np.where(_is_free(table, soldier, free + step, inches), free + step, free)
    # Rounded to few digits, on the free side.
    scale = 10.0**_DECIMALS
    return np.where(step > 0.0, np.floor(free * scale), np.ceil(free * scale)) / scale


def _faces_near(table: SkirmishTable, soldier: Unit, inches: float) -> FloatArray:
    """Return the directions along the faces of obstacles that a dodge can reach."""
    edges = features_of(table).obstacles.edges
    faces = shapely.linestrings(edges.reshape(-1, 2, 2))
    near = shapely.distance(faces, shapely.Point(soldier.place)) <= radius_of(soldier) + inches
    along = edges[near, 2:] - edges[near, :2]
    headings = np.degrees(np.arctan2(along[:, 1], along[:, 0]))
    return np.concatenate([headings, headings + 180.0])


# --- what is left of the attack ---


@clause("SK-44", role="rule")
def levels_off(table: SkirmishTable, level: str) -> int:
    """Compute by how many levels a successful dodge reduces the attack: one for each level above Poor."""
    return rank_of(table, level) - rank_of(table, "poor")


@clause("SK-44", "SK-45", role="rule")
def level_left(table: SkirmishTable, base: str, made: str, off: int) -> str:
    """Return the level at which an attack still works, "" if it misses: pushed below its own base level."""
    left = rank_of(table, made) - off
    if left < rank_of(table, base):
        return ""
    return max((level for level in LEVELS if rank_of(table, level) <= left), key=lambda level: rank_of(table, level))
