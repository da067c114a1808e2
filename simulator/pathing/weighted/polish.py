"""The last polish: bends on borders are slid, and wraps drawn taut, until the price of their ways stops falling.

For a given row of borders and rims the price is a convex function of where the borders are crossed; Newton's method
finds its least value, for all ways at once. On slopes a price has kinks, so there each bend is slid by itself, too.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import ROUNDING, TOUCH
from simulator.pathing.weighted.closeness import Closeness
from simulator.pathing.weighted.setting import WeightedSetting
from simulator.pathing.weighted.spread import ALONG
from simulator.pathing.weighted.ways import Bends, is_none, middles, tangents, turns_at

#: Newton's steps, and the greatest length of one in inches.
_STEPS, _LONGEST = 16, 1.0
#: A step is taken whole, or else in part, if that makes its way cheaper.
_SHARES = (1.0, 0.5, 0.2, 0.04)
#: A way is left alone when a step would make it cheaper by no more than this, in inches.
_NO_FALL = 1e-11
#: Bends are slid by so much either way at most, in inches.
_SLIDE = 0.6
#: A bend so near to an end of its piece, in inches, lies there.
_AT_END = 1e-6
#: Rounds end where a way got cheaper by no more than this, in inches.
_LITTLE = 1e-8
_GOLDEN = (5**0.5 - 1) / 2


@dataclass(frozen=True, eq=False)
class _Ways:
    """Ways as arrays [way, bend], as wide as the longest; shorter ones stay where they end."""

    setting: WeightedSetting
    centre: FloatArray
    radius: FloatArray  #: signed
    sense: FloatArray
    piece: IntArray
    at: FloatArray
    rate: FloatArray  #: of the leg after the bend; nan: by its region
    region: IntArray

    @classmethod
    def of(
        cls, setting: WeightedSetting, bends: Bends, row: IntArray, column: IntArray, shape: tuple[int, int]
    ) -> _Ways:
        """Lay out bends by way."""
        centre, radius = middles(setting, bends)
        gauges, borders = setting.regions.gauges, setting.borders
        rate = np.zeros(len(bends.way))
        inner = bends.region >= 0
        rate[inner] = np.where(gauges.is_plain[bends.region[inner]], gauges.rate[bends.region[inner]], np.nan)
        along = np.flatnonzero(bends.region == ALONG)
        here = np.where(bends.piece[along] >= 0, bends.piece[along], bends.piece[np.minimum(along + 1, len(rate) - 1)])
        x, y = (bends.place[np.minimum(along + 1, len(rate) - 1)] - bends.place[along]).T
        sides = [gauges.straight_prices(side[here], x, y) for side in (borders.left, borders.right)]
        rate[along] = np.where(here >= 0, np.minimum(*sides) / np.maximum(np.hypot(x, y), TOUCH), 0.0)

        def laid(values: FloatArray | IntArray, fill: float) -> FloatArray:
            found = np.full((*shape, *values.shape[1:]), fill, values.dtype)
            found[row, column] = values
            return found

        places = laid(centre, 0.0)
        ends = np.zeros(shape[0], np.intp)
        np.maximum.at(ends, row, column)
        beyond = np.arange(shape[1]) > ends[:, None]
        places[beyond] = places[np.arange(shape[0]), ends][np.nonzero(beyond)[0]]
        # A bend that nothing is known of on one side of an `ALONG` leg stays where it is.
        return cls(
            setting,
            places,
            laid(radius, 0.0),
            laid(bends.sense, 0.0),
            laid(bends.piece, -1).astype(np.intp),
            laid(bends.at, 0.0),
            laid(rate, 0.0),
            laid(np.maximum(bends.region, 0), 0).astype(np.intp),
        )

    def some(self, rows: IntArray | BoolArray, columns: slice = slice(None)) -> _Ways:
        """Return some of the ways, or some of their bends in a row."""
        names = ("centre", "radius", "sense", "piece", "at", "rate", "region")
        return replace(self, **{name: getattr(self, name)[rows, columns] for name in names})

    def places(self, at: FloatArray) -> FloatArray:
        """Return the centres of bends when those on borders are slid."""
        slid = self.piece >= 0
        found = self.centre.copy()
        found[slid] = self.setting.borders.places(self.piece[slid], at[slid])
        return found

    def costs(self, at: FloatArray) -> FloatArray:
        """Compute what the ways cost."""
        places = self.places(at)
        step, rise = np.diff(places, axis=1), np.diff(self.radius, axis=1)
        length, ahead = tangents(step, rise)
        rate = self.rate[:, :-1]
        sloped = np.isnan(rate)
        price = np.where(sloped, 0.0, rate) * length
        if sloped.any():
            x, y = step[sloped].T
            price[sloped] = self.setting.regions.gauges.prices(self.region[:, :-1][sloped], x, y)
        turn = turns_at(self.sense[:, 1:-1], ahead[:, :-1], ahead[:, 1:])
        turn = np.where(is_none(turn) | (self.sense[:, 1:-1] == 0.0), 0.0, turn)
        arcs = np.nan_to_num(self.rate[:, 1:-1]) * np.abs(self.radius[:, 1:-1]) * turn
        return np.asarray(price.sum(axis=1) + arcs.sum(axis=1))

    def steps(self, at: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Compute Newton's steps: how far each bend is slid, and about how much cheaper that makes each way."""
        places = self.places(at)
        step, rise = np.diff(places, axis=1), np.diff(self.radius, axis=1)
        length, ahead = tangents(step, rise)
        rate = self.rate[:, :-1]
        sloped = np.isnan(rate)
        push = np.where(sloped, 0.0, rate)[..., None] * ahead
        firm = np.where(sloped, 0.0, rate) / np.maximum(length, 1e-6)
        if sloped.any():
            x, y = step[sloped].T
            pushed, held = self.setting.regions.gauges.slopes_of(self.region[:, :-1][sloped], x, y)
            push[sloped] = pushed
            firm[sloped] = np.maximum(held, 0.1) / np.maximum(length[sloped], 1e-6)
        slid = self.piece >= 0
        along = np.zeros_like(places)
        along[slid] = self.setting.borders.tangents(self.piece[slid], at[slid])
        aside = np.stack([-ahead[..., 1], ahead[..., 0]], axis=-1)
        out = np.sum(along[:, :-1] * aside, axis=2)
        into = np.sum(along[:, 1:] * aside, axis=2)
        slope, bend = np.zeros(at.shape), np.zeros(at.shape)
        slope[:, :-1] -= np.sum(along[:, :-1] * push, axis=2)
        slope[:, 1:] += np.sum(along[:, 1:] * push, axis=2)
        bend[:, :-1] += firm * out**2
        bend[:, 1:] += firm * into**2
        between = np.where((self.radius[:, 1:] == 0.0) & (self.radius[:, :-1] == 0.0), -firm * out * into, 0.0)
        low, high = at <= TOUCH, at >= self.longest - TOUCH
        still = ~slid | (low & (slope > 0.0)) | (high & (slope < 0.0))
        slope[still], bend[still] = 0.0, 1.0
        between[still[:, 1:] | still[:, :-1]] = 0.0
        found = np.clip(_solved(bend + 1e-6, between, -slope), -_LONGEST, _LONGEST)
        return found, -np.sum(slope * found, axis=1)

    @cached_property
    def longest(self) -> FloatArray:
        """How long the pieces are that bends lie on; 0 for those that lie on none."""
        if not len(self.setting.borders.length):
            return np.zeros(self.piece.shape)
        return np.where(self.piece >= 0, self.setting.borders.length[self.piece], 0.0)

    def held(self, at: FloatArray) -> FloatArray:
        """Keep bends on their pieces."""
        return np.where(self.piece >= 0, np.clip(at, 0.0, self.longest), self.at)


def _solved(bend: FloatArray, between: FloatArray, right: FloatArray) -> FloatArray:
    """Solve systems of equations with three diagonals, one in each row."""
    bend, right = bend.copy(), right.copy()
    for k in range(1, bend.shape[1]):
        share = between[:, k - 1] / bend[:, k - 1]
        bend[:, k] = np.maximum(bend[:, k] - share * between[:, k - 1], 1e-9)
        right[:, k] -= share * right[:, k - 1]
    found = right / bend
    for k in range(bend.shape[1] - 2, -1, -1):
        found[:, k] -= between[:, k] / bend[:, k] * found[:, k + 1]
    return found


def polished(setting: WeightedSetting, bends: Bends, closeness: Closeness) -> Bends:
    """Slide the bends of ways along their borders until the ways stop getting cheaper."""
    if not (bends.piece >= 0).any():
        return bends
    count = np.bincount(bends.way)
    row = bends.way
    column = np.arange(len(row)) - (np.cumsum(count) - count)[row]
    ways = _Ways.of(setting, bends, row, column, (len(count), int(count.max())))
    at = ways.at.copy()
    _stepped(ways, at, np.flatnonzero((ways.piece >= 0).any(axis=1)))
    sloped = np.flatnonzero(np.isnan(ways.rate).any(axis=1) & (ways.piece >= 0).any(axis=1))
    for _ in range(closeness.rounds):
        if not len(sloped):
            break
        some, there = ways.some(sloped), at[sloped]
        before = some.costs(there)
        _slid(some, there, closeness.sections)
        _stepped(some, there, np.arange(len(sloped)))
        at[sloped] = there
        sloped = sloped[some.costs(there) < before - _LITTLE]
    at = at[row, column]
    slid = np.flatnonzero(bends.piece >= 0)
    place = bends.place.copy()
    place[slid] = setting.borders.places(bends.piece[slid], at[slid])
    return bends._replace(place=place, at=at)


def _stepped(ways: _Ways, at: FloatArray, alive: IntArray) -> None:
    """Slide the bends of some ways by Newton's method."""
    best = ways.costs(at)
    for _ in range(_STEPS):
        step, fall = ways.some(alive).steps(at[alive])
        worth = fall > _NO_FALL
        alive, step = alive[worth], step[worth]
        some, fell = ways.some(alive), np.zeros(len(alive), np.bool_)
        for share in _SHARES:
            rest = np.flatnonzero(~fell)
            tried = some.held(at[alive] + share * step)[rest]
            costs = some.some(rest).costs(tried)
            better = costs < best[alive[rest]] - ROUNDING
            fell[rest[better]] = True
            at[alive[rest[better]]], best[alive[rest[better]]] = tried[better], costs[better]
            if fell.all():
                break
        alive = alive[fell]
        if not len(alive):
            break


def _slid(ways: _Ways, at: FloatArray, sections: int) -> None:
    """Slide the bends of ways, one after the other, to where their ways are cheapest."""
    for column in np.flatnonzero((ways.piece >= 0).any(axis=0)).tolist():
        _slid_in(ways, at, np.flatnonzero(ways.piece[:, column] >= 0), column, sections)


def _slid_in(ways: _Ways, at: FloatArray, rows: IntArray, column: int, sections: int) -> None:
    """Slide one bend of some ways by golden sections."""
    # Beyond the next two bends on either side nothing changes.
    first = max(column - 2, 0)
    some, there = ways.some(rows, slice(first, column + 3)), at[rows, first : column + 3]
    here, own = there[:, column - first].copy(), column - first

    def costs(inches: FloatArray) -> FloatArray:
        there[:, own] = inches
        return some.costs(there)

    before, longest = costs(here), ways.longest[rows, column]
    low, high = np.maximum(here - _SLIDE, 0.0), np.minimum(here + _SLIDE, longest)
    one, other = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    at_one, at_other = costs(one), costs(other)
    for _ in range(sections):
        left = at_one < at_other
        low, high = np.where(left, low, one), np.where(left, other, high)
        new = np.where(left, high - _GOLDEN * (high - low), low + _GOLDEN * (high - low))
        at_new = costs(new)
        one, other = np.where(left, new, other), np.where(left, one, new)
        at_one, at_other = np.where(left, at_new, at_other), np.where(left, at_one, at_new)
    middle = (low + high) / 2
    # Bends at the end of a piece may be handed on to the next one.
    middle = np.where(middle < _AT_END, 0.0, np.where(middle > longest - _AT_END, longest, middle))
    better = costs(middle) < before - ROUNDING
    at[rows[better], column] = middle[better]
