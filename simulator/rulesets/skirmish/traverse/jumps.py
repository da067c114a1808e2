"""Traverses as steps of a plan: from where to where, with what chance, each place computed once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np

from simulator.engine.clauses import clause
from simulator.engine.orders import Order
from simulator.engine.state import Unit
from simulator.geometry.pieces import XY
from simulator.pathing.links import Link, Tries
from simulator.rulesets.skirmish.rolls import LEVELS, traverse_roll
from simulator.rulesets.skirmish.traverse.rules import (
    Climber,
    Traverses,
    are_legal,
    from_places,
    over_obstacles,
    traverse_of,
)
from simulator.rulesets.skirmish.units import SkirmishTable


@clause("SK-18", "SK-23", "SK-50")
def traverse_order(jump: Link, soldier: str) -> Order:
    """Return the order to traverse."""
    args: dict[str, object] = {"obstacle": jump.over[0]}
    if len(jump.over) == 2:
        args["other"] = jump.over[1]
    if jump.towards is not None:
        args["towards"] = jump.towards
    return Order(soldier, "traverse", (), args)


class Jumps:
    """The traverses of one soldier, each place computed once."""

    def __init__(self, table: SkirmishTable, unit: Unit) -> None:
        self.climber = Climber(table, unit)
        chances = {level: traverse_roll(table, unit, level).chance for level in LEVELS}
        self.chances = [chances.get(level, Fraction(0)) for level in self.climber.levels]
        self._known: dict[XY, list[Link]] = {}

    def from_place(self, place: XY) -> list[Link]:
        """Return the traverses straight across from a place."""
        return self.from_places([place])[0]

    def from_places(self, places: Sequence[XY]) -> list[list[Link]]:
        """Return the traverses straight across from each of many places."""
        fresh = [place for place in dict.fromkeys(places) if place not in self._known]
        if fresh:
            found: dict[XY, list[Link]] = {place: [] for place in fresh}
            ways = from_places(self.climber, fresh)
            for origin, jump in zip(ways.origin.tolist(), self.links_of(ways), strict=True):
                found[fresh[origin]].append(jump)
            # Whole, or not at all: another thread may be reading.
            self._known.update(found)
        return [self._known[place] for place in places]

    @clause("SK-23")
    def try_out(self, tries: Tries, error: float) -> Iterator[tuple[int, Link]]:
        """Yield for places of some tries the most direct legal traverse that comes down there, within an error."""
        ways = self.legal_of(tries, error)
        at, first = np.unique(ways.origin, return_index=True)
        yield from zip(at.tolist(), self.links_of(ways.of(first)), strict=True)

    def legal_of(self, tries: Tries, error: float) -> Traverses:
        """Return those tries that are legal and come down at their places to within an error."""
        ways = over_obstacles(self.climber, tries.place, tries.what, tries.starts, tries.aims, tries.aims)
        ways = ways.of(np.hypot(*(ways.far - tries.places[ways.origin]).T) <= error)
        return ways.of(are_legal(ways))

    def ordered(self, place: XY, order: Order) -> Link | None:
        """Return the traverse that an order describes at a place, None if there is no such obstacle or gap."""
        soldier = self.climber.soldier.put(place=place)
        meant = traverse_of(self.climber.table, soldier, order)
        if meant is None:
            return None
        chance = traverse_roll(self.climber.table, soldier, meant.difficulty).chance
        return Link(place, meant.over, meant.near, meant.far, chance, meant.towards)

    def links_of(self, ways: Traverses) -> Iterator[Link]:
        """Yield traverses one by one."""
        names, aimed = self.climber.names, np.isfinite(ways.towards[:, 0]).tolist()
        columns = (ways.start, ways.near, ways.far, ways.towards)
        rows = zip(ways.what.tolist(), aimed, *(map(tuple, column.tolist()) for column in columns), strict=True)
        for what, is_aimed, start, near, far, towards in rows:
            yield Link(start, names[what], near, far, self.chances[what], towards if is_aimed else None)
