"""Dodges: who may, at what price, where to, and what is left of the attack."""

from __future__ import annotations

import math

from simulator.engine.clauses import clause
from simulator.engine.state import Unit
from simulator.geometry.pieces import XY
from simulator.pathing.continuous import Segment
from simulator.rulesets.skirmish.ground import barred_at
from simulator.rulesets.skirmish.movement import LineOfMovement, legal_stop
from simulator.rulesets.skirmish.rolls import LEVELS, rank_of
from simulator.rulesets.skirmish.soldiers import SkirmishTable, ap_of_activation, can_suffer


@clause("SK-38", "SK-39", "SK-40")
def price_of_dodge(table: SkirmishTable, soldier: Unit) -> str:
    """Give what a dodge costs a soldier now: "AP" before its activation, "Threshold" after; "" if it can not pay.

    A soldier that is activating counts as activated.
    """
    if soldier["status"] == "not_activated":
        return "AP" if ap_of_activation(table, soldier) >= int(table.tables["cost.dodge"]) else ""
    return "Threshold" if can_suffer(soldier) else ""


@clause("SK-41")
def line_of_dodge(table: SkirmishTable, soldier: Unit, source: XY, heading: float | None = None) -> LineOfMovement:
    """Give the way of a dodge: 1 inch directly away from the source, or in a direction that is chosen."""
    (x, y), inches = soldier.place, float(table.tables["dodge.inches"])
    away = math.atan2(y - source[1], x - source[0]) if heading is None else math.radians(heading)
    start: XY = (float(x), float(y))
    apart = math.dist(source, start)
    if heading is None:
        step = ((x - source[0]) / apart * inches, (y - source[1]) / apart * inches)
    else:
        step = (math.cos(away) * inches, math.sin(away) * inches)
    return LineOfMovement(start, (Segment(start, (x + step[0], y + step[1])),))


@clause("SK-41", "SK-56")
def end_of_dodge(table: SkirmishTable, soldier: Unit, line: LineOfMovement) -> float:
    """Give how many inches of a dodge the soldier gets: to the last legal place before whatever is in the way."""
    free = float(barred_at(table, soldier, line.course)[0])
    return legal_stop(table, soldier, line, min(free, line.length))


@clause("SK-44")
def levels_off(table: SkirmishTable, level: str) -> int:
    """Give how many levels a made dodge takes off the attack: one for each above Poor."""
    return rank_of(table, level) - rank_of(table, "poor")


@clause("SK-44", "SK-45")
def level_left(table: SkirmishTable, base: str, made: str, off: int) -> str:
    """Give the level at which an attack still works, or "" where it misses: pushed below its own base level."""
    left = rank_of(table, made) - off
    if left < rank_of(table, base):
        return ""
    return next(level for level in LEVELS if rank_of(table, level) == left)
