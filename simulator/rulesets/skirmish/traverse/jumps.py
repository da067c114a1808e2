"""Traverses as steps of a plan: from where to where, with what chance, each place asked about once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from simulator.engine.orders import Order
from simulator.engine.state import Unit
from simulator.geometry.pieces import XY
from simulator.rulesets.skirmish.rolls import LEVELS, traverse_roll
from simulator.rulesets.skirmish.traverse.rules import Climber, Traverses, from_places, traverse_of
from simulator.rulesets.skirmish.units import SkirmishTable

#: Places this near to each other are one.
CLOSE = 1e-6


class Jump(NamedTuple):
    """One traverse, from where it begins: what of, where it comes down and stays, its chance, and where it is aimed."""

    start: XY
    over: tuple[str, ...]
    near: XY
    far: XY
    chance: Fraction
    towards: XY | None = None

    def order(self, soldier: str) -> Order:
        """The order to traverse."""
        args: dict[str, object] = {"obstacle": self.over[0]}
        if len(self.over) == 2:
            args["other"] = self.over[1]
        if self.towards is not None:
            args["towards"] = self.towards
        return Order(soldier, "traverse", (), args)


class Jumps:
    """The traverses of one soldier, each place asked about once."""

    def __init__(self, table: SkirmishTable, unit: Unit) -> None:
        self.climber = Climber(table, unit)
        chances = {level: traverse_roll(table, unit, level).chance for level in LEVELS}
        self.chances = [chances.get(level, Fraction(0)) for level in self.climber.levels]
        self._known: dict[XY, list[Jump]] = {}

    def from_place(self, place: XY) -> list[Jump]:
        """Return the traverses straight across from a place."""
        return self.from_places([place])[0]

    def from_places(self, places: Sequence[XY]) -> list[list[Jump]]:
        """Return the traverses straight across from each of many places."""
        fresh = [place for place in dict.fromkeys(places) if place not in self._known]
        if fresh:
            found: dict[XY, list[Jump]] = {place: [] for place in fresh}
            ways = from_places(self.climber, fresh)
            for origin, jump in zip(ways.origin.tolist(), self.told(ways), strict=True):
                found[fresh[origin]].append(jump)
            # Whole, or not at all: another thread may be reading.
            self._known.update(found)
        return [self._known[place] for place in places]

    def ordered(self, place: XY, order: Order) -> Jump | None:
        """Return the traverse that an order means at a place; None where there is nothing so called."""
        soldier = self.climber.soldier.put(place=place)
        meant = traverse_of(self.climber.table, soldier, order)
        if meant is None:
            return None
        chance = traverse_roll(self.climber.table, soldier, meant.difficulty).chance
        return Jump(place, meant.over, meant.near, meant.far, chance, meant.towards)

    def told(self, ways: Traverses) -> Iterator[Jump]:
        """Yield traverses one by one."""
        names, aimed = self.climber.names, np.isfinite(ways.towards[:, 0]).tolist()
        columns = (ways.start, ways.near, ways.far, ways.towards)
        rows = zip(ways.what.tolist(), aimed, *(map(tuple, column.tolist()) for column in columns), strict=True)
        for what, is_aimed, start, near, far, towards in rows:
            yield Jump(start, names[what], near, far, self.chances[what], towards if is_aimed else None)
