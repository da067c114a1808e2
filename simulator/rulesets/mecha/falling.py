"""Falls: where a unit lies that fell, the dice for it, what its pilot is asked; and getting up again."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np

from simulator.engine.amounts import PLACE_DIGITS
from simulator.engine.clauses import clause
from simulator.engine.dice import Dice
from simulator.engine.errors import Breach
from simulator.engine.events import Event, change_unit
from simulator.engine.orders import Order
from simulator.engine.questions import Choose, Roll
from simulator.engine.ruleset import Action
from simulator.engine.state import Unit
from simulator.geometry.convex import BoolArray
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.poses import Pose
from simulator.rulesets.mecha.declaring import undeclarable
from simulator.rulesets.mecha.destroying import gone_with
from simulator.rulesets.mecha.elevated import Top, drop_class
from simulator.rulesets.mecha.landing import Below, room_on
from simulator.rulesets.mecha.nearest_places import ALIKE, Room
from simulator.rulesets.mecha.playing import declared
from simulator.rulesets.mecha.units import GROUND, MechaTable

#: The answers about an Endurance test.
PASSED, FAILED = "passed", "failed"


class Fall(NamedTuple):
    """Where a fall ends, on a top or on the ground, None; and the size class of the drop."""

    place: XY
    top: Top | None
    drop: int

    @property
    def level(self) -> str:
        """The name of the level."""
        return _named(self.top)

    @property
    def pose(self) -> Pose:
        """Where the unit lies."""
        x, y = self.place
        return Pose((round(x, PLACE_DIGITS), round(y, PLACE_DIGITS)), None, self.level)


# --- where ---


@dataclass(frozen=True, eq=False)
class FallPlaces:
    """Where a unit lies that falls off a top."""

    table: MechaTable
    below: Below

    @cached_property
    def _rooms(self) -> list[tuple[Top | None, Room]]:
        """The levels below, the highest first, and where the unit has room on them."""
        levels = (*self.below.lower, None)
        return [(top, room_on(self.table, self.below.unit, top, is_put=True)) for top in levels]

    def borders_near(self, level: str, place: XY) -> list[XY]:
        """Return directions straight away from what keeps the unit from being nearer to it than at a place."""
        return [ahead for top, room in self._rooms if _named(top) == level for ahead in room.away_from_borders(place)]

    def has_room(self, places: FloatArray) -> BoolArray:
        """Find the places, rows x, y, at which a unit that comes down there can lie."""
        landings = self.below.landings(places)
        found = np.array([landing.fits for landing in landings], np.bool_)
        for top, room in self._rooms:
            here = np.flatnonzero([landing.on is top for landing in landings])
            found[here] &= room.has(places[here])
        return found

    @clause("ME-97")
    def of(self, place: XY) -> list[Fall]:
        """Return where the unit may lie that comes down at a place: there, or else the nearest places with room."""
        landing = self.below.landing_at(place)
        if self.has_room(np.array([place]))[0]:
            return [Fall(place, landing.on, landing.drop)]
        found: list[tuple[XY, Top | None]] = []
        least = math.inf
        for top, room in reversed(self._rooms):  # the ground first: it is seldom far, and nothing farther matters
            spots = room.nearest(place, least)
            found = [*((spot, top) for spot in spots), *found]
            least = min([least, *(math.dist(spot, place) for spot in spots)])
        kept: list[Fall] = []
        for spot, top in found:
            # On one place it lies on the highest top that it fits on.
            if math.dist(spot, place) <= least + ALIKE and all(math.dist(spot, one.place) > ALIKE for one in kept):
                kept.append(Fall(spot, top, drop_to(self.below, spot, top)))
        return kept


def _named(top: Top | None) -> str:
    return GROUND if top is None else top.name


def drop_to(below: Below, place: XY, top: Top | None) -> int:
    """Return the size class of the drop to a place on a level."""
    landing = below.landing_at(place)
    return landing.drop if landing.on is top else drop_class(below.setting, below.top, top)


# --- what it does ---


@clause("ME-92")
def damage_dice(table: MechaTable, drop: int) -> Dice | None:
    """Return the dice for the damage of a fall; None: it does none.

    They are rolled once for each size class of the drop.
    """
    one = Dice.of(table.tables["fall.dice"])
    return Dice(one.count * drop, one.sides, one.plus * drop) if drop > 0 else None


@clause("ME-96")
def endurance_target(table: MechaTable, unit: Unit, drop: int) -> int:
    """Return the target of the pilot's Endurance test; 0 or less: it is passed without one."""
    target = math.ceil(Fraction(drop - int(unit["size_class"]), 2)) + 1
    least = table.options.endurance_min
    return target if least is None else max(target, int(least))


@clause("ME-91", "ME-94", "ME-97", role="play")
def fallen(table: MechaTable, name: str, top: Top, place: XY) -> Action:
    """Let a unit fall off a top, down at a place or near it."""
    unit = table.unit(name)
    falls = FallPlaces(table, Below(table.setting, unit, top)).of(place)
    fall = falls[0] if falls else Fall(unit.place, top, 0)
    if len(falls) > 1:
        known = {str(one.pose): one for one in falls}
        chosen = yield Choose("where it comes to lie", who=name, options=tuple(known), clause="ME-97", place=place)
        fall = known[chosen]
    changes = {"place": fall.pose.place, "level": fall.level, "fallen": True, "fell_this_turn": True}
    detail = {"from": top.name, "drop": fall.drop, "level": fall.level}
    yield Event("falls", name, [change_unit(name, **changes)], "ME-91", fall.pose.place, detail=detail)
    yield from _hurt(table, name, fall)
    yield from _endured(table, name, fall)


@clause("ME-92", "ME-93", role="play")
def _hurt(table: MechaTable, name: str, fall: Fall) -> Action:
    """Roll for the damage; shields are of no use."""
    dice = damage_dice(table, fall.drop)
    if dice is None:
        return
    damage = yield Roll("damage of the fall", who=name, dice=str(dice), clause="ME-92", place=fall.pose.place)
    yield Event("is hurt", name, [], "ME-92", fall.pose.place, detail={"damage": damage, "shields": False})


@clause("ME-96", role="play")
def _endured(table: MechaTable, name: str, fall: Fall) -> Action:
    """Let the pilot make the Endurance test: as an event alone, or by somebody's word."""
    target = endurance_target(table, table.unit(name), fall.drop)
    if target <= 0:
        yield Event("needs no test", name, [], "ME-96", fall.pose.place, detail={"target": target})
        return
    yield Event("is tested", name, [], "ME-96", fall.pose.place, detail={"target": target})
    if table.options.endurance_test != "asked":
        return
    question = f"the Endurance {target} test of its pilot"
    outcome = yield Choose(question, who=name, options=(PASSED, FAILED), clause="ME-96", place=fall.pose.place)
    yield Event("ends its test", name, [], "ME-96", fall.pose.place, detail={"outcome": outcome})
    if outcome == FAILED and table.options.endurance_fail_effect == "destroyed":
        yield Event(
            "is destroyed",
            name,
            gone_with(table, table.unit(name)),
            "ME-96",
            fall.pose.place,
            detail={"by": "the fall"},
        )


# --- getting up ---


def of_straighten_up(table: MechaTable, unit: Unit, order: Order) -> Iterator[Breach]:
    """Object to getting up."""
    yield from undeclarable(table, unit, order.action)


@clause("ME-95", role="play")
def straighten_up(table: MechaTable, order: Order) -> Action:
    """Get up after a fall of a turn before: that takes a Move Action."""
    yield declared(table, order.unit, order.action)
    place = table.unit(order.unit).place
    yield Event("gets up", order.unit, [change_unit(order.unit, fallen=False)], "ME-95", place)
