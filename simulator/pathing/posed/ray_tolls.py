"""Tolls along rays: where a mover meets each, where it is past it, and what that adds to the price of every length.

What a mover overlaps is measured to the tolerance of the judge, so that both find the same tolls on the same leg.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.footprints import Base
from simulator.geometry.path_judge import Stretches
from simulator.geometry.paths import Paths
from simulator.geometry.pieces import FloatArray
from simulator.geometry.spans import Spans
from simulator.geometry.tolerances import HAIR, TOLERANCE, TOUCH
from simulator.pathing.columns import join, pairs_of_equals, pick, sums_before
from simulator.pathing.posed.price_steps import PriceSteps, Steps
from simulator.pathing.posed.toll_table import TollBits, TollTable
from simulator.pathing.posed.tolls import BACKWARD

#: A line is followed so far beyond the end of its leg, to find whether it leaves a thing just there.
_BEYOND = 1.0


class Meets(NamedTuple):
    """Which ray meets which toll, sorted by rays: from how many inches on it counts as touched, and as gone."""

    ray: IntArray
    toll: IntArray
    touched: FloatArray
    gone: FloatArray  #: inf: not on this ray
    price: FloatArray  #: paid there, of what is knocked down
    runs: BoolArray  #: whether it is run over; the others are knocked down


class Crossed(NamedTuple):
    """The stretches of rays over what is run over, sorted by rays."""

    ray: IntArray
    begin: FloatArray
    end: FloatArray
    toll: IntArray
    leaves: BoolArray  #: whether the thing is crossed at its end
    spent: FloatArray  #: what has been spent over it before the ray
    extra: FloatArray  #: how many times the price of the stretch is added to it
    least: FloatArray  #: what has to be spent over the thing


@dataclass(frozen=True, eq=False)
class RayTolls:
    """The tolls that some rays meet."""

    meets: Meets
    crossed: Crossed
    until: FloatArray  #: by ray, the inches after which a toll bars it; inf: none does

    @classmethod
    def joined(cls, parts: Sequence[RayTolls], counts: Sequence[int]) -> RayTolls:
        """Return those of several lots of so many rays as one."""
        first = np.cumsum([0, *counts]).tolist()
        meets = [part.meets._replace(ray=part.meets.ray + of) for part, of in zip(parts, first, strict=False)]
        crossed = [part.crossed._replace(ray=part.crossed.ray + of) for part, of in zip(parts, first, strict=False)]
        return cls(join(meets), join(crossed), np.concatenate([part.until for part in parts]))

    def some(self, rows: IntArray) -> RayTolls:
        """Return those of some of the rays, ascending."""
        number = np.full(len(self.until), -1)
        number[rows] = np.arange(len(rows))
        meets, crossed = (
            pick(self.meets, number[self.meets.ray] >= 0),
            pick(self.crossed, number[self.crossed.ray] >= 0),
        )
        return RayTolls(
            meets._replace(ray=number[meets.ray]), crossed._replace(ray=number[crossed.ray]), self.until[rows]
        )

    def after(
        self, ray: IntArray, inches: FloatArray, before: TollBits, ahead: FloatArray, even: PriceSteps
    ) -> TollBits:
        """Return what movers have made of tolls after lengths of rays, by what they had before, row by row.

        `even` are the prices of rays by the ground, whatever its grain.
        """
        row, which = pairs_of_equals(ray, self.meets.ray)
        some, at = pick(self.meets, which), inches[row]
        bit, past = np.left_shift(1, some.toll), at >= some.gone
        gone, touched = before.gone.copy(), np.zeros_like(before.touched)
        np.bitwise_or.at(gone, row[past], bit[past])
        bound = (at > some.touched) & ~past
        np.bitwise_or.at(touched, row[bound], bit[bound])
        return TollBits(gone, touched, ahead, self._spent_over(ray, inches, even))

    def _spent_over(self, ray: IntArray, inches: FloatArray, even: PriceSteps) -> FloatArray:
        """What has been spent over a thing with a least price that lengths of rays end on; such things lie apart."""
        found = np.zeros(len(ray))
        some = pick(self.crossed, self.crossed.least > 0.0)
        row, which = pairs_of_equals(ray, some.ray)
        end = some.end[which] - np.where(some.leaves[which], TOUCH / 2, 0.0)
        on = np.flatnonzero((inches[row] > some.begin[which]) & (inches[row] < end))
        row, stretch = row[on], pick(some, which[on])
        found[row] = self._spent_on(stretch._replace(end=inches[row]), even)
        return found

    def _spent_on(self, some: Crossed, even: PriceSteps) -> FloatArray:
        """What has been spent over things by the ends of stretches."""
        paid = even.prices(some.ray, some.end) - even.prices(some.ray, np.maximum(some.begin, 0.0))
        return np.asarray(some.spent + (1.0 + some.extra) * paid)

    def _left_to_pay(self, even: PriceSteps) -> tuple[IntArray, FloatArray, FloatArray]:
        """What of least prices is paid where rays leave things: which ray, after how many inches, and how much.

        It is paid a hair before, so that whoever has just crossed a thing has paid.
        """
        some = pick(self.crossed, self.crossed.leaves & (self.crossed.least > 0.0))
        left = np.maximum(some.least - self._spent_on(some, even), 0.0)
        some, left = pick((some, left), left > 0.0)
        return some.ray, some.end - HAIR / 2, left

    def crossings(self, inches: FloatArray) -> tuple[IntArray, FloatArray]:
        """Return the rays of such lengths that have crossed something, and after how many inches each had just done."""
        some = pick(self.meets, self.meets.runs)
        some = pick(some, some.gone <= inches[some.ray])
        return some.ray, np.minimum(some.gone + TOUCH / 2, inches[some.ray])

    @cached_property
    def bound(self) -> Spans:
        """The stretches of rays on which a mover is bound to cross something, and cannot end."""
        some = pick(self.meets, self.meets.runs)
        return Spans(some.ray, some.touched, some.gone)

    def near(self, table: TollTable, legs: Paths, base: Base, before: TollBits) -> Spans:
        """Find where a base on the rays, as legs, is over tolls of a level that are not gone."""
        ray, toll, begin, end = stretches_left(table, legs, base, before)
        key, count = ray * table.count + toll, table.count
        known = self.meets.ray * count + self.meets.toll
        order = np.argsort(known)
        at = np.searchsorted(known[order], key)
        at[at == len(known)] = 0
        meets = order[at] if len(known) else at
        found = known[meets] == key if len(known) else np.zeros(len(key), np.bool_)
        end[found] = np.minimum(end[found], self.meets.gone[meets[found]])
        return Spans(ray, begin, end).of(end > begin)

    # --- prices ---

    def added_to(self, ground: PriceSteps, even: PriceSteps) -> PriceSteps:
        """Return the prices of rays with the tolls added to those by the ground; `even`: whatever its grain."""
        rays = np.unique(np.concatenate([self.meets.ray, self.crossed.ray]))
        if not len(rays):
            return ground
        steps, over, down = ground.steps, even.steps, pick(self.meets, np.flatnonzero(self.meets.price > 0.0))
        left, leaving, left_to_pay = self._left_to_pay(even)
        jumps = np.r_[down.ray, left], np.maximum(np.r_[down.touched, leaving], 0.0)
        own, whole = np.isin(steps.ray, rays), np.isin(over.ray, rays)
        ray = np.concatenate([steps.ray[own], over.ray[whole], jumps[0], self.crossed.ray, self.crossed.ray])
        at = np.concatenate([steps.begin[own], over.begin[whole], jumps[1], self.crossed.begin, self.crossed.end])
        ray, at = _once(ray, np.maximum(at, 0.0))
        if not len(ray):
            return ground
        keys = ground.key_of(ray, at)
        slope = self._extra(keys, ground) * even.prices_at(ray, at)[1]
        jump = np.zeros(len(at))
        np.add.at(jump, np.searchsorted(keys, ground.key_of(*jumps)), np.r_[down.price, left_to_pay])
        # What tolls add by the beginning of each step, what is met there included.
        grows = np.r_[np.diff(at), 0.0] * np.r_[ray[1:] == ray[:-1], False] * slope
        added = sums_before(ray, grows) + (sums_before(ray, jump) + jump)
        price, by_inch = ground.prices_at(ray, at)
        found = Steps(ray, at, price + added, by_inch + slope, jump > 0.0)
        both = join([pick(steps, ~own), found])
        return replace(ground, steps=pick(both, np.lexsort((both.begin, both.ray))))

    def _extra(self, keys: FloatArray, ground: PriceSteps) -> FloatArray:
        """How many times the price of the ground is added to it, from some places of rays on."""
        change, extra = np.zeros(len(keys) + 1), self.crossed.extra
        for at, more in ((self.crossed.begin, extra), (self.crossed.end, -extra)):
            np.add.at(change, np.searchsorted(keys, ground.key_of(self.crossed.ray, np.maximum(at, 0.0))), more)
        return np.asarray(np.round(np.cumsum(change)[:-1], 12))


def stretches_left(table: TollTable, legs: Paths, base: Base, before: TollBits) -> Stretches:
    """Find where a base on legs is over tolls of a level that are not gone before them: leg, toll, and inches."""
    over = table.stretches_over(legs, base)
    return pick(over, np.flatnonzero(~table.has(before.gone[over.path], over.which)))


def tolls_along(table: TollTable, base: Base, legs: Paths, ahead: FloatArray, before: TollBits) -> RayTolls:
    """Find what legs, each along a direction, meet of the tolls that are not gone before them."""
    count, lengths = table.count, legs.lengths
    over = table.overlaps_along(legs, base)
    passed = table.has(before.gone[over.path], over.which)
    until = _until_met_again(table, legs, pick(over, np.flatnonzero(passed & table.stay(over.path, over.which))))
    over = pick(over, np.flatnonzero(~passed))
    key, first = np.unique(over.path * count + over.which, return_index=True)
    begin, end = (share[first] * lengths[over.path[first]] for share in (over.begin, over.end))
    # What has been touched before is still there, whether the base has lost touch with it or not.
    some = np.flatnonzero(before.touched)
    which, toll = np.nonzero(table.has(before.touched[some][:, None], np.arange(count)))
    known = some[which] * count + toll
    keys = np.union1d(key, known)
    row, touched = np.searchsorted(keys, key), np.isin(keys, known)
    near, far = np.zeros(len(keys)), np.zeros(len(keys))
    near[row], far[row] = begin, end
    far[touched & (near > TOUCH)] = 0.0
    leg, toll = np.divmod(keys, count)
    run = table.runs_over(leg, toll)
    gone, crossed = _crossed(table, legs, ahead, before, _Over(leg, toll, far, touched))
    lost = run & np.isinf(gone)
    np.minimum.at(until, leg[lost], far[lost])
    met, price = np.where(touched, -1.0, near - HAIR / 2), np.zeros(len(keys))
    down = np.flatnonzero(~run)
    price[down] = table.prices(leg[down], toll[down], table.ground.climbed(legs)[leg[down]])
    shut = np.isinf(price)
    np.minimum.at(until, leg[shut], np.maximum(near[shut] - HAIR, 0.0))
    price[shut] = 0.0
    return RayTolls(Meets(leg, toll, met, np.where(run, gone, met), price, run), crossed, until)


def _until_met_again(table: TollTable, legs: Paths, over: Stretches) -> FloatArray:
    """After how many inches each leg comes again to what it has crossed and what is still there; inf where it does not.

    That is where its base overlaps it anew, or where the reference point leads back over what the base is still on.
    """
    until = np.full(legs.count, np.inf)
    if not len(over.path):
        return until
    near = over.begin * legs.lengths[over.path]
    anew = near > TOUCH
    np.minimum.at(until, over.path[anew], near[anew])
    some = np.unique(over.path[~anew])
    found = table.by_rows(some).stretches_over(legs.some(some), tolerance=TOUCH)
    keys = over.path[~anew] * table.count + over.which[~anew]
    back = (found.end > TOUCH) & np.isin(some[found.path] * table.count + found.which, keys)
    np.minimum.at(until, some[found.path[back]], found.begin[back])
    return until


class _Over(NamedTuple):
    """A leg and a toll each, until where its base overlaps it first, and whether it has done so before the leg."""

    leg: IntArray
    toll: IntArray
    far: FloatArray
    touched: BoolArray


def _crossed(
    table: TollTable, legs: Paths, ahead: FloatArray, before: TollBits, over: _Over
) -> tuple[FloatArray, Crossed]:
    """Find after how many inches each leg has crossed its toll, inf if it does not, and the stretches paid for."""
    gone, none = np.full(len(over.leg), np.inf), np.zeros(0)
    run = np.flatnonzero(table.runs_over(over.leg, over.toll))
    if not len(run):
        number = np.zeros(0, np.intp)
        return gone, Crossed(number, none, none, number, np.zeros(0, np.bool_), none, none, none)
    some = np.unique(over.leg[run])
    lines = legs.some(some)
    lines = replace(lines, end=lines.end + _BEYOND * ahead[some])
    found = table.by_rows(some).stretches_over(lines, tolerance=TOUCH)
    count = table.count
    keys, key = over.leg * count + over.toll, some[found.path] * count + found.which
    row = np.minimum(np.searchsorted(keys, key), len(keys) - 1)
    kept = (
        (keys[row] == key) & table.runs_over(some[found.path], found.which) & (found.begin <= over.far[row] + TOLERANCE)
    )
    row, begin, end = row[kept], found.begin[kept], found.end[kept]
    leg = over.leg[row]
    back = over.touched[row] & (begin <= TOUCH) & (np.sum(ahead[leg] * before.ahead[leg], axis=1) < -BACKWARD)
    np.minimum.at(gone, row[~back], end[~back] - TOUCH / 2)
    spent = np.where(begin <= TOUCH, before.spent_over[leg], 0.0)
    toll = over.toll[row]
    leaves, extra, least = ~back & (end - TOUCH / 2 <= gone[row]), table.extra_of(leg, toll), table.least_of(leg, toll)
    crossed = Crossed(leg, begin, end, toll, leaves, spent, extra, least)
    crossed = pick(crossed, np.flatnonzero(begin < gone[row]))
    return gone, pick(crossed, np.argsort(crossed.ray, kind="stable"))


def _once(ray: IntArray, at: FloatArray) -> tuple[IntArray, FloatArray]:
    """Places of rays in order, each once."""
    order = np.lexsort((at, ray))
    ray, at = ray[order], at[order]
    new = np.r_[True, (ray[1:] != ray[:-1]) | (at[1:] > at[:-1])][: len(ray)]
    return ray[new], at[new]
