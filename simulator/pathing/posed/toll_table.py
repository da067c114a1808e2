"""The tolls of a space as a search takes them: bits of numbers, and prices by the ground at each of them.

There is a table for each level; numbers and bits are the same in all of them, since what is gone is gone everywhere.
What is asked by rows is asked of several movers as well, each with numbers of its own, see `tolls_as_one`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import chain, combinations
from typing import NamedTuple

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.footprints import Base, Round
from simulator.geometry.path_judge import Stretches, overlaps_along, stretches_over, things_over
from simulator.geometry.paths import Paths
from simulator.geometry.pieces import FloatArray, Solid
from simulator.geometry.standing import Standing
from simulator.geometry.tolerances import TOLERANCE
from simulator.pathing.columns import distinct_rows, pick
from simulator.pathing.posed.ground import PricedGround, Under
from simulator.pathing.posed.tolls import KnockDown, RunOver, Toll, middle_of, stays_when_crossed

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

    @property
    def count(self) -> int:
        """How many numbers there are."""
        return len(self.tolls)

    def by_rows(self, rows: IntArray) -> TollTable:
        """Return the table for questions about some of the rows that are asked about; for one mover it is the same."""
        del rows
        return self

    def numbers_of(self, row: IntArray, thing: IntArray) -> IntArray:
        """Return the numbers of things among those `standing`, for the movers of rows; -1: there is none for it."""
        del row
        return self.here[thing]

    def bits_by_row(self, count: int) -> IntArray:
        """Return the bits of the things `standing` for so many rows, an array [row, thing]; 0: there is none for it."""
        return np.broadcast_to(np.left_shift(1, self.here), (count, len(self.here)))

    def overlaps_along(self, ways: Paths, base: Base) -> Stretches:
        """Find where a base overlaps things on the way, to the tolerance of the judge; tolls go by their numbers."""
        return self._numbered(overlaps_along(ways, self.standing, base))

    def stretches_over(self, ways: Paths, base: Base | None = None, *, tolerance: float = TOLERANCE) -> Stretches:
        """Find the inches of ways on which a base is over things; tolls go by their numbers."""
        return self._numbered(stretches_over(ways, self.standing, base, tolerance=tolerance))

    def _numbered(self, found: Stretches) -> Stretches:
        number = self.numbers_of(found.path, found.which)
        return pick(found._replace(which=number), np.flatnonzero(number >= 0))

    def under(self, stands: Paths, base: Base) -> tuple[IntArray, IntArray]:
        """Find what bases stand on: pairs of a row and the number of a toll."""
        row, which = things_over(stands, self.standing, base)
        number = self.numbers_of(row, which)
        return row[number >= 0], number[number >= 0]

    def with_least_under(self, stands: Paths) -> tuple[IntArray, IntArray]:
        """Find what has a least price and lies under reference points: pairs of a row and the number of a toll."""
        row, which = things_over(stands, self.standing_with_least, Round(0.0))
        number = self.numbers_of(row, self.with_least[which])
        kept = np.flatnonzero(number >= 0)
        kept = kept[self.least_of(row[kept], number[kept]) > 0.0]
        return row[kept], number[kept]

    @cached_property
    def circles(self) -> tuple[FloatArray, FloatArray]:
        """The middles and radii of circles around the things on the level."""
        return circles_around(self.tolls[number].thing for number in self.here.tolist())

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
        """Which of those `standing` have a least price."""
        return np.flatnonzero(self.least[self.here] > 0.0)

    @cached_property
    def standing_with_least(self) -> Standing:
        """Those with a least price as the judge of paths takes them; `with_least` says which they are."""
        return Standing.of(self.tolls[number].thing for number in self.here[self.with_least].tolist())

    @cached_property
    def _bits_run_over(self) -> int:
        return bits_of(np.flatnonzero(self.is_run_over).tolist())

    @property
    def run_over(self) -> int | IntArray:
        """The bits of those that are run over, or of several movers by the rows that are asked about."""
        return self._bits_run_over

    def runs_over(self, row: IntArray, toll: IntArray) -> BoolArray:
        """Find which tolls are run over by the movers of rows."""
        del row
        return self.is_run_over[toll]

    @cached_property
    def stays(self) -> BoolArray:
        """Which of them are still there when they have been crossed."""
        return np.array([stays_when_crossed(toll) for toll in self.tolls], np.bool_)

    @cached_property
    def _bits_staying(self) -> int:
        return bits_of(np.flatnonzero(self.stays).tolist())

    @property
    def staying(self) -> int | IntArray:
        """The bits of those that are still there then, or of several movers by the rows that are asked about."""
        return self._bits_staying

    def stay(self, row: IntArray, toll: IntArray) -> BoolArray:
        """Find which tolls are still there when the movers of rows have crossed them."""
        del row
        return self.stays[toll]

    def extra_of(self, row: IntArray, toll: IntArray) -> FloatArray:
        """Return how many times the price of a stretch over tolls is added to it for the movers of rows."""
        del row
        return self.extra[toll]

    def least_of(self, row: IntArray, toll: IntArray) -> FloatArray:
        """Return what has to be spent over tolls by the movers of rows."""
        del row
        return self.least[toll]

    # --- prices of what is knocked down ---

    @cached_property
    def sides(self) -> tuple[BoolArray, BoolArray]:
        """The areas that the middles of tolls lie in, arrays [toll, area]; on a border those on either side of it."""
        return self.ground.sides_at(np.array([middle_of(toll.thing) for toll in self.tolls]))

    @cached_property
    def _known(self) -> dict[tuple[int, Under], float]:
        return {}

    def prices(self, row: IntArray, toll: IntArray, climbed: BoolArray) -> FloatArray:
        """Compute what tolls cost on legs of rows, by the slopes those lead up; inf where one bars the way.

        The slopes are an array [toll, area], like the tolls.
        """
        del row
        left, right = self.sides
        return prices_of_each(toll, climbed & (left | right)[toll], self.count, self.price)

    def price(self, number: int, climbed: Under) -> float:
        """Return what one costs; on a border the better side counts."""
        if (number, climbed) not in self._known:
            toll = self.tolls[number]
            assert isinstance(toll, KnockDown)
            sides = self.ground.open_sides({frozenset(np.flatnonzero(side[number]).tolist()) for side in self.sides})
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
                set(np.flatnonzero(self.sides[0][number] | self.sides[1][number])) & set(self.ground.slopes)
            )
            if isinstance(self.tolls[number], RunOver) or len(slopes) > _MOST_SLOPES:
                found[number] = math.inf
                continue
            climbed = chain.from_iterable(combinations(slopes, count) for count in range(len(slopes) + 1))
            found[number] = max(self.price(number, frozenset(map(int, some))) for some in climbed)
        return found

    @cached_property
    def dearest(self) -> FloatArray:
        """What sets of tolls cost at most, on whichever level: an array [byte of their bits, value of that]."""
        return _by_bytes(np.max([table._dearest_here for table in self.every or [self]], axis=0))

    def most_paid(self, bits: IntArray) -> FloatArray:
        """Compute what passing sets of tolls may cost at most, apart from the ground."""
        return _sums(self.dearest, bits)

    # --- where links end ---

    @cached_property
    def _at_links(self) -> FloatArray:
        """What sets of tolls cost where links end on them, by the values of each byte of their bits."""
        found = np.zeros(len(self.tolls))
        for number in self.here.tolist():
            toll = self.tolls[number]
            gives_way = isinstance(toll, KnockDown) and toll.by_links
            found[number] = self.price(number, frozenset()) if gives_way else math.inf
        return _by_bytes(found)

    def prices_at_links(self, bits: IntArray) -> FloatArray:
        """Compute what sets of tolls cost where links end on them; inf where one bars that."""
        return _sums(self._at_links, bits)

    def has(self, bits: IntArray, toll: IntArray) -> BoolArray:
        """Find which of some sets of tolls have a toll each."""
        return np.asarray((bits >> toll) & 1 == 1)


def circles_around(things: Iterable[Solid]) -> tuple[FloatArray, FloatArray]:
    """Return the middles and radii of circles around things."""
    bounds = np.array([thing.polygon.bounds for thing in things]).reshape(-1, 2, 2)
    return bounds.mean(axis=1), np.hypot(*(bounds[:, 1] - bounds[:, 0]).T) / 2


def prices_of_each(
    number: IntArray, climbed: BoolArray, count: int, price: Callable[[int, Under], float]
) -> FloatArray:
    """Ask for the price of each number below a count, once with each lot of slopes that matter there [row, area]."""
    rows, which = distinct_rows(np.hstack([climbed, number[:, None] == np.arange(count)]))
    areas = climbed.shape[1]
    found = [price(int(np.argmax(row[areas:])), frozenset(np.flatnonzero(row[:areas]).tolist())) for row in rows]
    return np.array(found, np.float64)[which]


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
