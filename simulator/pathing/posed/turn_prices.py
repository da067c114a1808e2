"""What turns on the spot cost: by the angle swept, in brackets, each turn by itself or grouped with the one before.

A rulebook fills in data alone. Brackets are pairs of an upper limit in degrees, which belongs to its bracket, and a
price; started steps, a flat price and free turns are brackets as well.

>>> sixths = TurnPrices.of([(45, 6), (90, 12), (135, 24), (180, 30)])
>>> [str(sixths.price(angle)) for angle in (0, 45, 63, 180)]
['0', '6', '12', '30']
>>> half_steps = TurnPrices.in_steps(Fraction(45, 2), Fraction(1, 2))
>>> [str(half_steps.price(angle)) for angle in (22.5, 23, 180)]
['1/2', '1', '4']

Turns that follow each other closely may be priced together, see `TurnGroup`: two left turns of 90 degrees on one spot
are one of 180, unless an inch is gone between them.

>>> grouped = TurnPrices.of([(45, 6), (90, 12), (135, 24), (180, 30)], separation=1)
>>> first, group = grouped.turn(NO_GROUP, 90)
>>> again, _ = grouped.turn(group, 90)
>>> onward, _ = grouped.turn(group.after(1), 90)
>>> str(first), str(again), str(onward)
('12', '18', '12')
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from simulator.geometry.convex import IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import ROUNDING_OF_ANGLES

Rational: TypeAlias = int | float | Fraction
#: No single turn sweeps more degrees.
HALF_TURN = Fraction(180)
_ROUNDING = Fraction(ROUNDING_OF_ANGLES)


class TurnGroups(NamedTuple):
    """The groups of many movers, as arrays; see `TurnGroup`."""

    sense: FloatArray
    swept: FloatArray
    paid: FloatArray
    inches: FloatArray


class TurnGroup(NamedTuple):
    """The turns of one sense that later ones may be priced together with; sense 0 is none."""

    sense: int = 0  #: 1 left, -1 right
    swept: Fraction = Fraction(0)  #: the degrees of all of them
    paid: Fraction = Fraction(0)
    inches: Fraction = Fraction(0)  #: travelled since the last one

    def after(self, inches: Rational) -> TurnGroup:
        """Return the group when so many more inches have been travelled."""
        return self if not self.sense else self._replace(inches=self.inches + Fraction(inches))


NO_GROUP = TurnGroup()


@dataclass(frozen=True)
class TurnPrices:
    """The prices of turns on the spot. With `times_rate` they count inches, and cost what inches cost there."""

    brackets: tuple[tuple[Fraction, Fraction], ...]
    times_rate: bool = False
    #: Turns of one sense with fewer inches between them are grouped, 0: only those on one spot. None: none are.
    separation: Fraction | None = None
    #: The degrees that may be turned for nothing: by one turn, so that what it leaves of them is lost, or in portions.
    free: Fraction = Fraction(0)
    free_in_portions: bool = False
    #: The degrees that the turn which ends the move may sweep for nothing besides: a free turn of a later phase.
    free_at_end: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        limits = [limit for limit, _ in self.brackets]
        if not limits or limits != sorted(set(limits)) or limits[0] <= 0 or limits[-1] < HALF_TURN:
            raise ValueError("the limits of brackets ascend from above 0 to 180 degrees or more")
        if any(price < 0 for _, price in self.brackets) or self.free < 0 or (self.separation or 0) < 0:
            raise ValueError("prices, free degrees and the separation of turns are 0 or more")
        if (self.free or self.free_at_end) and self.separation is not None:
            raise ValueError("turns have free degrees or are priced together with those before, not both")
        if self.free_in_portions and not self.free:
            raise ValueError("turns without free degrees have none to be used in portions")

    @classmethod
    def of(
        cls,
        brackets: Iterable[tuple[Rational, Rational]],
        *,
        times_rate: bool = False,
        separation: Rational | None = None,
        free: Rational = 0,
        free_in_portions: bool = False,
    ) -> TurnPrices:
        """Take brackets of any numbers."""
        exact = tuple((Fraction(limit), Fraction(price)) for limit, price in brackets)
        apart = None if separation is None else Fraction(separation)
        return cls(exact, times_rate, apart, Fraction(free), free_in_portions)

    @classmethod
    def in_steps(
        cls,
        step: Rational,
        price: Rational,
        *,
        times_rate: bool = False,
        free: Rational = 0,
        free_in_portions: bool = False,
    ) -> TurnPrices:
        """Price each step of so many degrees that is begun."""
        count = math.ceil(HALF_TURN / Fraction(step))
        brackets = [(number * Fraction(step), number * Fraction(price)) for number in range(1, count + 1)]
        return cls.of(brackets, times_rate=times_rate, free=free, free_in_portions=free_in_portions)

    @classmethod
    def flat(cls, price: Rational) -> TurnPrices:
        """Price every turn alike, whatever the angle."""
        return cls.of([(HALF_TURN, price)])

    @property
    def most_free(self) -> Fraction:
        """The most degrees that the turn at the end of a move sweeps for nothing."""
        return self.free + self.free_at_end

    @cached_property
    def _limits(self) -> FloatArray:
        """What is no turn at all, and the limits of brackets."""
        return np.array([0.0, *(float(limit) for limit, _ in self.brackets)]) + ROUNDING_OF_ANGLES

    @cached_property
    def _prices(self) -> FloatArray:
        return np.array([0.0, *(float(price) for _, price in self.brackets)])

    @cached_property
    def limits(self) -> FloatArray:
        """The limits of brackets below 180 degrees, ascending."""
        return np.array([float(limit) for limit, _ in self.brackets if limit < HALF_TURN])

    @property
    def widest(self) -> float:
        """How many degrees the widest bracket spans."""
        return float(np.max(np.diff([0.0, *self.limits, float(HALF_TURN)])))

    # --- single turns ---

    def price(self, angle: Rational) -> Fraction:
        """Return the price of sweeping an angle, either way; beyond 180 degrees those and the rest are added up."""
        swept = abs(Fraction(angle))
        if swept <= _ROUNDING:
            return Fraction(0)
        if swept > HALF_TURN + _ROUNDING:
            return self.price(HALF_TURN) + self.price(swept - HALF_TURN)
        return next(price for most, price in self._rounded_brackets if swept <= most)

    @cached_property
    def _rounded_brackets(self) -> Sequence[tuple[Fraction, Fraction]]:
        """The brackets with limits by which angles may be off."""
        return [(limit + _ROUNDING, price) for limit, price in self.brackets]

    def prices(self, angles: ArrayLike) -> FloatArray:
        """Compute the prices of many angles of at most 180 degrees."""
        swept = np.abs(np.asarray(angles, np.float64))
        return np.asarray(self._prices[np.searchsorted(self._limits, swept, side="left")])

    @cached_property
    def _least_prices(self) -> FloatArray:
        """By bracket, the least price of it and those beyond."""
        return np.asarray(np.minimum.accumulate(self._prices[::-1])[::-1])

    def least_beyond(self, angles: FloatArray) -> FloatArray:
        """Compute what turns cost at least that are no narrower than angles of at most 180 degrees."""
        return np.asarray(self._least_prices[np.searchsorted(self._limits, angles, side="left")])

    # --- one after the other ---

    def turn(self, group: TurnGroup, angle: Rational) -> tuple[Fraction, TurnGroup]:
        """Return the price of a turn that follows a group of turns, and the group it leaves behind."""
        swept = abs(Fraction(angle))
        if swept <= _ROUNDING:
            return Fraction(0), group
        sense, own = (1 if angle > 0 else -1), self.price(swept)
        if self.separation is None:
            return own, NO_GROUP
        if group.sense != sense or not (group.inches < self.separation or group.inches == 0):
            return own, TurnGroup(sense, swept, own)
        whole = group.swept + swept
        price = max(own, self.price(whole) - group.paid)
        return price, TurnGroup(sense, whole, group.paid + price)

    def turns(self, groups: TurnGroups, angles: FloatArray) -> tuple[FloatArray, TurnGroups]:
        """Compute for many movers what `turn` does for one."""
        price, none = self.prices(angles), np.abs(angles) <= ROUNDING_OF_ANGLES
        if self.separation is None:
            return price, TurnGroups(*(np.zeros(len(angles)) for _ in groups))
        whole, (row, together) = np.abs(angles), self._together(groups, angles)
        price[row] = np.maximum(price[row], together)
        paid = price.copy()
        whole[row] += groups.swept[row]
        paid[row] += groups.paid[row]
        after = TurnGroups(np.sign(angles), whole, paid, np.zeros(len(angles)))
        return price, TurnGroups(*(np.where(none, old, new) for old, new in zip(groups, after, strict=True)))

    def last_turns(self, groups: TurnGroups, free: FloatArray, angles: FloatArray) -> FloatArray:
        """Compute the prices of turns that end moves: what is still free of them is made for nothing.

        Angles may have several rows, each of one angle a mover.
        """
        if self.separation is None:
            return self.prices(np.maximum(np.abs(angles) - free - float(self.free_at_end), 0.0))
        price = self.prices(angles)
        row, together = self._together(groups, angles)
        flat = price.reshape(-1)
        flat[row] = np.maximum(flat[row], together)
        return price

    def _together(self, groups: TurnGroups, angles: FloatArray) -> tuple[IntArray, FloatArray]:
        """Find the angles, by their number, that count with turns before, and what is to be paid for both."""
        assert self.separation is not None
        near = (groups.sense != 0.0) & ((groups.inches < float(self.separation)) | (groups.inches == 0.0))
        if not near.any():
            return np.zeros(0, np.intp), np.zeros(0)
        turns = np.abs(angles) > ROUNDING_OF_ANGLES
        row = np.flatnonzero(near & (groups.sense == np.sign(angles)) & turns)
        mover = row % len(near)
        halves, rest = np.divmod(groups.swept[mover] + np.abs(angles).reshape(-1)[row], 180.0)
        return row, halves * float(self.price(HALF_TURN)) + self.prices(rest) - groups.paid[mover]

    # --- free degrees ---

    @cached_property
    def _marks(self) -> FloatArray:
        """The amounts of free degrees that make a difference where they are used in portions, ascending."""
        return np.unique([*self.limits[self.limits < float(self.free)], float(self.free)])

    def portions(self, free: FloatArray, swept: FloatArray) -> list[tuple[IntArray, FloatArray]]:
        """Return how turns of so many degrees may use those that are free: lots of rows, each with the degrees used.

        All that are free are used, or in portions no more than make the rest cheaper.
        """
        most = np.minimum(free, swept)
        found = [np.where(most > 0.0, most, np.nan)]
        if self.free_in_portions:
            rest = swept[:, None] - self.limits
            less = (rest > ROUNDING_OF_ANGLES) & (rest < most[:, None] - ROUNDING_OF_ANGLES)
            found += list(np.where(less, rest, np.nan).T)
        rows = [np.flatnonzero(~np.isnan(used)) for used in found]
        return [(row, used[row]) for row, used in zip(rows, found, strict=True) if len(row)]

    def left_of(self, free: FloatArray, used: FloatArray) -> FloatArray:
        """Compute how many degrees are still free after turns that used some of them."""
        return np.maximum(free - used, 0.0) if self.free_in_portions else np.zeros(len(free))

    def left(self, free: Fraction, used: Fraction) -> Fraction:
        """Return how many degrees are still free after a turn that used some of them, or none."""
        if not used:
            return free
        return free - used if self.free_in_portions else Fraction(0)

    @property
    def layer_count(self) -> int:
        """How many layers there are."""
        return len(self._marks) + 2 if self.free_in_portions else 2

    def layers(self, free: FloatArray) -> IntArray:
        """Number the layers of amounts of free degrees: 0 is none, and whoever is in a higher one has more."""
        some = (free > 0.0).astype(np.intp)
        if not self.free_in_portions:
            return some
        return np.asarray(some + np.searchsorted(self._marks, free + ROUNDING_OF_ANGLES, side="right"))

    def at_most(self, free: FloatArray) -> FloatArray:
        """Return amounts of free degrees rounded up to a few different ones."""
        if not self.free_in_portions:
            return free
        some = np.r_[0.0, self._marks]
        return np.asarray(some[np.searchsorted(some[:-1] + ROUNDING_OF_ANGLES, free, side="left")])

    def net(self, angles: Sequence[Rational], freely: Rational = 0, at_end: Rational = 0) -> Fraction:
        """Return the price of turns on one spot as one turn of the net angle, less what of it was turned for nothing.

        The net angle is the change of heading, the shorter way round; `at_end` is what is free there besides.

        >>> str(TurnPrices.in_steps(22.5, 0.5, free=90).net([30, 90], freely=90))
        '1'
        """
        used = min(abs(Fraction(freely)), self.free) + Fraction(at_end)
        return self.price(max(self.swept(angles) - used, Fraction(0)))

    @staticmethod
    def swept(angles: Sequence[Rational]) -> Fraction:
        """Return the net angle of turns on one spot."""
        turned = sum((Fraction(angle) for angle in angles), Fraction(0)) % (2 * HALF_TURN)
        return min(turned, 2 * HALF_TURN - turned)

    def scaled(self, factor: Rational) -> TurnPrices:
        """Return the same brackets at prices so many times as high."""
        return replace(self, brackets=tuple((limit, price * Fraction(factor)) for limit, price in self.brackets))
