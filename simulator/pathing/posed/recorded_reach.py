"""Where a mover can end, and by what: with or without flagged links, and how surely.

>>> from fractions import Fraction
>>> from simulator.geometry.footprints import Round
>>> from simulator.pathing.posed import Mode, PoseLink, PoseSpace, PoseStart, TurnPrices, even_ground
>>> from simulator.geometry.pieces import rectangle
>>> vault = PoseLink("vault", 0, 0, Fraction(1), ((4.0, 0.0), (6.0, 0.0)), Fraction(2, 3), frozenset({"jump"}))
>>> start, even = PoseStart((0, 0), Fraction(0)), even_ground(Fraction(1))
>>> ditch = rectangle((5, 0), (1, 6))
>>> ahead, turns = (Mode("forward"),), TurnPrices.flat(1)
>>> space = PoseSpace(Round(0.5), (start,), Fraction(20), even, ahead, turns, [ditch], links=(vault,))
>>> reach = RecordedReach(space)
>>> for end in reach.endings_at((8, 0)):
...     print(round(end.cost, 2), end.record.chance, sorted(end.record.flags))
7.0 2/3 ['jump']
13.86 1 []
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from shapely.geometry.base import BaseGeometry

from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.tolerances import SLACK
from simulator.pathing.posed.moves import Follow, Move
from simulator.pathing.posed.reach import PoseReach
from simulator.pathing.posed.records import Record, SpaceOfRecords, recorded
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.traces import NoRoute


class RecordedEnd(NamedTuple):
    """A way to end somewhere: at what cost, and what is followed on it."""

    cost: float
    record: Record


class Wanted(NamedTuple):
    """Which moves count: with all of some flags, with none of some others, with a chance as good as that."""

    flags: Collection[str] = ()
    without: Collection[str] = ()
    chance: Fraction = Fraction(0)


#: All of them.
ANY_MOVE = Wanted()


@dataclass(frozen=True, eq=False)
class RecordedReach:
    """The ends of a space by what moves follow on their way; questions name which moves count."""

    space: PoseSpace
    finer: int = 0

    @cached_property
    def by_record(self) -> PoseReach:
        """The reach of the space in which levels tell records apart, see `recorded`."""
        return PoseReach(self._recorded, self.finer)

    @cached_property
    def _recorded(self) -> SpaceOfRecords:
        return recorded(self.space)

    @property
    def records(self) -> tuple[Record, ...]:
        """The records that moves may have."""
        return self._recorded.records

    def _levels(self, level: int, wanted: Wanted) -> list[int]:
        """The levels of the ends that are wanted on a level of the table."""
        self.space.on(level)
        floors = self.space.level_count
        return [number * floors + level for number, record in enumerate(self.records) if record.has(*wanted)]

    def costs_at(self, places: ArrayLike, level: int = 0, wanted: Wanted = ANY_MOVE) -> FloatArray:
        """Compute the least cost of ending at each of many places by a move that counts; inf where none does."""
        return self._costs(places, None, level, wanted)

    def costs_in(self, places: ArrayLike, headings: ArrayLike, level: int = 0, wanted: Wanted = ANY_MOVE) -> FloatArray:
        """Compute the same with a heading in degrees at each place."""
        return self._costs(places, headings, level, wanted)

    def _costs(self, places: ArrayLike, headings: ArrayLike | None, level: int, wanted: Wanted) -> FloatArray:
        count = np.asarray(places, np.float64).reshape(-1, 2).shape[0]
        costs = [np.full(count, np.inf)]
        for one in self._levels(level, wanted):
            if headings is None:
                costs.append(self.by_record.costs_at(places, one))
            else:
                costs.append(self.by_record.costs_in(places, headings, one))
        return np.asarray(np.min(costs, axis=0))

    def chances_at(self, places: ArrayLike, level: int = 0, wanted: Wanted = ANY_MOVE) -> FloatArray:
        """Compute the best chance of ending at each of many places; 0 where no move that counts ends."""
        floors = self.space.level_count
        found = [np.zeros(np.asarray(places, np.float64).reshape(-1, 2).shape[0])]
        for one in self._levels(level, wanted):
            ends = np.isfinite(self.by_record.costs_at(places, one))
            found.append(ends * float(self.records[one // floors].chance))
        return np.asarray(np.max(found, axis=0))

    def endings_at(
        self, place: XY, heading: float | None = None, level: int = 0, wanted: Wanted = ANY_MOVE
    ) -> tuple[RecordedEnd, ...]:
        """Return how a move can end at a place, the cheapest first: of the same flags none is cheaper and as sure."""
        floors = self.space.level_count
        found = [(self._cost(place, heading, one), one // floors) for one in self._levels(level, wanted)]
        ends = [RecordedEnd(cost, self.records[number]) for cost, number in found if np.isfinite(cost)]
        ends.sort(key=lambda end: (end.cost, -end.record.chance, sorted(end.record.flags)))
        return tuple(end for at, end in enumerate(ends) if not any(_as_good(one, end) for one in ends[:at]))

    def _cost(self, place: XY, heading: float | None, level: int) -> float:
        if heading is None:
            return float(self.by_record.costs_at([place], level)[0])
        return float(self.by_record.costs_in([place], [heading], level)[0])

    def moves_to(
        self, place: XY, heading: float | None = None, level: int = 0, wanted: Wanted = ANY_MOVE
    ) -> tuple[Move, ...]:
        """Return the moves that end at a place at the least cost, of those that count; raise NoRoute if none do."""
        levels = self._levels(level, wanted)
        costs = [self._cost(place, heading, one) for one in levels]
        if not levels or not np.isfinite(min(costs)):
            raise NoRoute(f"no move that counts ends at {place[0]:g},{place[1]:g}")
        moves = self.by_record.moves_to(place, heading, levels[int(np.argmin(costs))])
        links = self._recorded.links_followed
        return tuple(Follow(links[move.link]) if isinstance(move, Follow) else move for move in moves)

    def area(
        self, error: float = 0.05, heading: float | None = None, level: int = 0, wanted: Wanted = ANY_MOVE
    ) -> BaseGeometry:
        """Draw the ground of a level that moves which count can end on; see `PoseReach.area`."""
        return self.by_record.area(error, heading, self._levels(level, wanted))


def _as_good(one: RecordedEnd, other: RecordedEnd) -> bool:
    """Whether a way costs no more than another with the same flags, and is as sure."""
    same = one.record.flags == other.record.flags
    return same and one.cost <= other.cost + SLACK and one.record.chance >= other.record.chance
