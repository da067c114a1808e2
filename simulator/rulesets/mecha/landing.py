"""What lies below a top for a unit that leaves it over the edge: on which level its base comes down, and how deep.

Jumps, falls and climbs down share it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.state import Unit
from simulator.geometry.paths import Paths
from simulator.geometry.pieces import XY, FloatArray, Solid
from simulator.pathing.posed import PricedGround, Under
from simulator.rulesets.mecha.elevated import MechaSetting, Top, drop_class, is_low_for, tops_on
from simulator.rulesets.mecha.features import MechaGround, Obstacle, off_the_top, walls
from simulator.rulesets.mecha.movement import OnLevel
from simulator.rulesets.mecha.nearest_places import Room
from simulator.rulesets.mecha.passing import bases_in_the_way
from simulator.rulesets.mecha.units import GROUND, MechaTable, base_of


class Landing(NamedTuple):
    """How a base comes down somewhere: on which top, None for the ground; whether it fits there; the class of the drop.

    `over` is the highest lower top that it overlaps, by which the drop is reckoned.
    """

    on: Top | None
    over: Top | None
    fits: bool
    drop: int

    @property
    def level(self) -> str:
        """The name of its level."""
        return GROUND if self.on is None else self.on.name


class _Area(NamedTuple):
    """A top near the start, and the numbers of its outline and of what is off it among the areas looked at."""

    top: Top
    outline: int
    off: Under


@dataclass(frozen=True, eq=False)
class Below:
    """The ground and the lower tops below a top, for one unit."""

    setting: MechaSetting
    unit: Unit
    top: Top

    @cached_property
    def lower(self) -> tuple[Top, ...]:
        """The lower tops, the highest first."""
        found = [one for one in tops_on(self.setting) if one.height < self.top.height]
        return tuple(sorted(found, key=lambda one: -one.height))

    @cached_property
    def _areas(self) -> tuple[tuple[_Area, ...], tuple[Solid, ...]]:
        """The tops that matter, the highest first: all lower ones, and others that are as high."""
        shapes: list[Solid] = []
        areas = []
        level_with = [one for one in tops_on(self.setting) if one.height == self.top.height and one is not self.top]
        for one in (*level_with, *self.lower):
            off = list(off_the_top(self.unit, one))
            areas.append(_Area(one, len(shapes), frozenset(range(len(shapes) + 1, len(shapes) + 1 + len(off)))))
            shapes += [one.outline, *off]
        return tuple(areas), tuple(shapes)

    @clause("ME-67", "ME-105")
    def landing(self, under: Under) -> Landing:
        """Return how a base comes down that overlaps some areas.

        The highest lower top under it serves as the ground if the base fits on it. One that is very difficult ground
        for the unit is the ground otherwise. No top as high as the start serves.
        """
        areas, _ = self._areas
        known = [area for area in areas if area.outline in under]
        on_level_with = any(area.top.height == self.top.height and not area.off & under for area in known)
        lower = [area for area in known if area.top.height < self.top.height]
        if not lower:
            return Landing(None, None, not on_level_with, drop_class(self.setting, self.top, None))
        highest = [area for area in lower if area.top.height == lower[0].top.height]
        held = next((area for area in highest if not area.off & under), None)
        over = (held or highest[0]).top
        drop = drop_class(self.setting, self.top, over)
        if held is not None:
            return Landing(over, over, not on_level_with, drop)
        if all(is_low_for(self.setting.tables, self.unit, area.top) for area in highest):
            return Landing(None, over, not on_level_with, drop)
        return Landing(over, over, fits=False, drop=drop)

    def landing_at(self, place: XY) -> Landing:
        """Return how the base comes down at a place."""
        found = self._anywhere.rate_at(*place)
        assert found is not None
        return self.landing(found.under)

    def landings(self, places: FloatArray) -> list[Landing]:
        """Return the same for many places, rows x, y."""
        if not len(places):
            return []
        found = self._anywhere.stretches(Paths.of_legs(places, places, np.zeros(len(places))))
        kinds = {which: self.landing(self._anywhere.combination(which)[0]) for which in np.unique(found.which).tolist()}
        _, first = np.unique(found.leg, return_index=True)
        return [kinds[which] for which in found.which[first].tolist()]

    @cached_property
    def _anywhere(self) -> PricedGround:
        return self.where(bool)

    def where(self, serves: Callable[[Landing], bool]) -> PricedGround:
        """Return the ground of a level that a base comes down on where its landing serves."""

        def rate_of(under: Under, climbed: Under) -> Fraction | None:
            del climbed
            return Fraction(1) if serves(self.landing(under)) else None

        return PricedGround(self._areas[1], rate_of, base=base_of(self.unit))


@clause("ME-15", "ME-16")
def standing_on(table: MechaTable, unit: Unit, top: Top | None, *, is_put: bool = False) -> OnLevel:
    """Return what bars a unit from standing on a level; there is nothing that it may pass over, and not end on.

    Who is put there, by a fall or a push, makes no move onto it: ground on which it never moves does not bar it.
    """
    ground = MechaGround(table.setting, unit, top)
    there = unit.put(level=GROUND if top is None else top.name)
    bases, passable = bases_in_the_way(table, there)
    bars = [*bases, *passable, *walls(table.setting, unit, top), *ground.closed()]
    if not is_put:
        bars += ground.still
    return OnLevel(there["level"], tuple(Obstacle(one.solid, one.name, _cited(one)) for one in bars), ())


def room_on(table: MechaTable, unit: Unit, top: Top | None, *, is_put: bool = False) -> Room:
    """Return where the base of a unit has room on a level, that moves there or is put there."""
    shut = [one.solid for one in standing_on(table, unit, top, is_put=is_put).bars]
    off = () if top is None else off_the_top(unit, top)
    return Room(base_of(unit), [*shut, *off], table.board.bounds)


def no_room(
    table: MechaTable, unit: Unit, top: Top | None, place: XY, cited: str = "", *, is_put: bool = False
) -> Iterator[Breach]:
    """Yield why a unit cannot end somewhere on a level; by a clause that wants room, or those of what bars it."""
    spot, base, box = np.array([place]), base_of(unit), table.board.bounds
    if not Room(base, (), box).has(spot)[0]:
        yield Breach(cited or "ME-15", "the base would leave the table", place=place)
    if top is not None and not Room(base, list(off_the_top(unit, top)), box).has(spot)[0]:
        yield Breach(cited or "ME-106", f"the base does not fit on {top.name} there", blocker=top.name, place=place)
    for one in standing_on(table, unit, top, is_put=is_put).bars:
        if not Room(base, [one.solid], (-np.inf, -np.inf, np.inf, np.inf)).has(spot)[0]:
            yield Breach(cited or one.clause, f"{one.name} is in the way there", blocker=one.name, place=place)


def _cited(one: Obstacle) -> str:
    """Units that may not be ended on bar the landing by the clause of ends."""
    return "ME-43" if one.clause == "ME-41" else one.clause
