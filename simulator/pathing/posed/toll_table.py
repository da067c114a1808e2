"""The tolls of a space as a search takes them: bits of numbers, and prices by the ground at each of them.

There is a table for each level; numbers and bits are the same in all of them, since what is gone is gone everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import chain, combinations
from typing import NamedTuple

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.footprints import Base
from simulator.geometry.path_judge import Stretches, overlaps_along, stretches_over, things_over
from simulator.geometry.paths import Paths
from simulator.geometry.pieces import FloatArray
from simulator.geometry.standing import Standing
from simulator.geometry.tolerances import TOLERANCE
from simulator.pathing.columns import distinct_rows
from simulator.pathing.posed.ground import PricedGround, Under
from simulator.pathing.posed.tolls import KnockDown, RunOver, Toll, middle_of

#: Of more slopes under a toll not every way to climb some of them is priced.
_MOST_SLOPES = 4


class TollBits(NamedTuple):
    """What movers have made of tolls, one row each; see `TollsSoFar`. Toll number n is the bit of 2 to the n."""

    gone: IntArray
    touched: IntArray
    ahead: FloatArray  #: the direction of the last leg, rows x, y of length 1; 0, 0 where there was none
    spent_over: FloatArray

    @property
    def rows(self) -> FloatArray:
        """All of it as rows of numbers: bits of 62 tolls are no exact floats, their halves are."""
        halves = [half for column in (self.gone, self.touched) for half in (column >> 31, column & ((1 << 31) - 1))]
        return np.column_stack([*halves, self.ahead, self.spent_over]).astype(np.float64)


def no_tolls(count: int) -> TollBits:
    """Return so many rows that have met nothing."""
    none = np.zeros(count, np.intp)
    return TollBits(none, none, np.zeros((count, 2)), np.zeros(count))


@dataclass(frozen=True, eq=False)
class TollTable:
    """The tolls of a space on the ground of one of its levels."""

    tolls: Sequence[Toll]
    ground: PricedGround
    level: int = 0
    #: The tables of all levels, this one among them; none: there is no other.
    every: list[TollTable] = field(default_factory=list, repr=False)

    @classmethod
    def by_level(cls, tolls: Sequence[Toll], grounds: Mapping[int, PricedGround]) -> dict[int, TollTable]:
        """Return the tables of levels, each with its ground."""
        every = list[TollTable]()
        every += [cls(tolls, ground, level, every) for level, ground in grounds.items()]
        return {table.level: table for table in every}

    # --- what stands on the level ---

    @cached_property
    def here(self) -> IntArray:
        """The numbers of those that stand on the level, ascending."""
        return np.array([number for number, toll in enumerate(self.tolls) if self.level in toll.levels], np.intp)

    @cached_property
    def bits_here(self) -> int:
        """The bits of those that stand on the level."""
        return bits_of(self.here.tolist())

    @cached_property
    def standing(self) -> Standing:
        """The things on the level as the judge of paths takes them; `here` has their numbers."""
        return Standing.of(self.tolls[number].thing for number in self.here.tolist())

    def overlaps_along(self, ways: Paths, base: Base) -> Stretches:
        """Find where a base overlaps things on the way, to the tolerance of the judge; tolls go by their numbers."""
        found = overlaps_along(ways, self.standing, base)
        return found._replace(which=self.here[found.which])

    def stretches_over(self, ways: Paths, base: Base | None = None, *, tolerance: float = TOLERANCE) -> Stretches:
        """Find the inches of ways on which a base is over things; tolls go by their numbers."""
        found = stretches_over(ways, self.standing, base, tolerance=tolerance)
        return found._replace(which=self.here[found.which])

    def under(self, stands: Paths, base: Base) -> tuple[IntArray, IntArray]:
        """Find what bases stand on: pairs of a row and the number of a toll."""
        row, which = things_over(stands, self.standing, base)
        return row, self.here[which]

    @cached_property
    def circles(self) -> tuple[FloatArray, FloatArray]:
        """The middles and radii of circles around the things on the level."""
        bounds = np.array([self.tolls[number].thing.polygon.bounds for number in self.here.tolist()])
        bounds = bounds.reshape(-1, 2, 2)
        return bounds.mean(axis=1), np.hypot(*(bounds[:, 1] - bounds[:, 0]).T) / 2

    # --- what is run over ---

    @cached_property
    def is_run_over(self) -> BoolArray:
        """Which of them are run over; the others are knocked down."""
        return np.array([isinstance(toll, RunOver) for toll in self.tolls], np.bool_)

    @cached_property
    def extra(self) -> FloatArray:
        """How many times the price of a stretch over each is added to it."""
        return np.array([float(toll.factor - 1) if isinstance(toll, RunOver) else 0.0 for toll in self.tolls])

    @cached_property
    def least(self) -> FloatArray:
        """What has to be spent over each."""
        return np.array([float(toll.least) if isinstance(toll, RunOver) else 0.0 for toll in self.tolls])

    @cached_property
    def with_least(self) -> IntArray:
        """The numbers of those on the level with a least price."""
        return self.here[self.least[self.here] > 0.0]

    @cached_property
    def standing_with_least(self) -> Standing:
        """Those with a least price as the judge of paths takes them; `with_least` has their numbers."""
        return Standing.of(self.tolls[number].thing for number in self.with_least.tolist())

    @cached_property
    def run_over(self) -> int:
        """The bits of those that are run over."""
        return bits_of(np.flatnonzero(self.is_run_over).tolist())

    # --- prices of what is knocked down ---

    @cached_property
    def _sides(self) -> tuple[BoolArray, BoolArray]:
        return self.ground.sides_at(np.array([middle_of(toll.thing) for toll in self.tolls]))

    @cached_property
    def _known(self) -> dict[tuple[int, Under], float]:
        return {}

    def prices(self, toll: IntArray, climbed: BoolArray) -> FloatArray:
        """Compute what tolls cost on legs, by the slopes those lead up [row, area]; inf where one bars the way."""
        left, right = self._sides
        matters = climbed & (left | right)[toll]
        rows, which = distinct_rows(np.hstack([matters, toll[:, None] == np.arange(len(self.tolls))]))
        areas = matters.shape[1]
        found = [
            self._price(int(np.argmax(row[areas:])), frozenset(np.flatnonzero(row[:areas]).tolist())) for row in rows
        ]
        return np.array(found, np.float64)[which]

    def _price(self, number: int, climbed: Under) -> float:
        """What one costs; on a border the better side counts."""
        if (number, climbed) not in self._known:
            toll = self.tolls[number]
            assert isinstance(toll, KnockDown)
            sides = {frozenset(np.flatnonzero(side[number]).tolist()) for side in self._sides}
            rule = toll.prices[self.level]
            prices = [rule(under, under & climbed) for under in sides]
            if any(price is not None and price < 0 for price in prices):
                raise ValueError(f"toll {number} costs 0 or more, not {prices}")
            self._known[number, climbed] = min((_as_float(price) for price in prices), default=math.inf)
        return self._known[number, climbed]

    # --- what those may cost that are not gone yet ---

    @cached_property
    def _dearest_here(self) -> FloatArray:
        """What each costs at most on the level; inf for what is run over, since that may bar a way altogether."""
        found = np.zeros(len(self.tolls))
        for number in self.here.tolist():
            slopes = sorted(
                set(np.flatnonzero(self._sides[0][number] | self._sides[1][number])) & set(self.ground.slopes)
            )
            if isinstance(self.tolls[number], RunOver) or len(slopes) > _MOST_SLOPES:
                found[number] = math.inf
                continue
            climbed = chain.from_iterable(combinations(slopes, count) for count in range(len(slopes) + 1))
            found[number] = max(self._price(number, frozenset(map(int, some))) for some in climbed)
        return found

    @cached_property
    def _dearest(self) -> FloatArray:
        """What sets of tolls cost at most, on whichever level, by the values of each byte of their bits."""
        return _by_bytes(np.max([table._dearest_here for table in self.every or [self]], axis=0))

    def most_paid(self, bits: IntArray) -> FloatArray:
        """Compute what passing sets of tolls may cost at most, apart from the ground."""
        return _sums(self._dearest, bits)

    # --- where links end ---

    @cached_property
    def _at_links(self) -> FloatArray:
        """What sets of tolls cost where links end on them, by the values of each byte of their bits."""
        found = np.zeros(len(self.tolls))
        for number in self.here.tolist():
            toll = self.tolls[number]
            gives_way = isinstance(toll, KnockDown) and toll.by_links
            found[number] = self._price(number, frozenset()) if gives_way else math.inf
        return _by_bytes(found)

    def prices_at_links(self, bits: IntArray) -> FloatArray:
        """Compute what sets of tolls cost where links end on them; inf where one bars that."""
        return _sums(self._at_links, bits)

    def has(self, bits: IntArray, toll: IntArray) -> BoolArray:
        """Find which of some sets of tolls have a toll each."""
        return np.asarray((bits >> toll) & 1 == 1)


def bits_of(tolls: Iterable[int]) -> int:
    """Return the bits of some tolls."""
    return sum(1 << number for number in tolls)


def _by_bytes(prices: FloatArray) -> FloatArray:
    """Sums of prices of tolls, by the values of each byte of the bits of a set of them."""
    count = -(-len(prices) // 8)
    whole = np.zeros(8 * count)
    whole[: len(prices)] = prices
    has = (np.arange(256)[:, None] >> np.arange(8)) & 1 == 1
    return np.asarray(np.where(has, whole.reshape(count, 1, 8), 0.0).sum(axis=2))


def _sums(by_bytes: FloatArray, bits: IntArray) -> FloatArray:
    """The sums of sets of tolls."""
    values = [prices[(bits >> (8 * number)) & 255] for number, prices in enumerate(by_bytes)]
    return np.asarray(np.sum(values, axis=0))


def _as_float(price: Fraction | None) -> float:
    return math.inf if price is None else float(price)
