"""The search: what it costs at least to get to each place, by straight legs within one region and along borders.

Prices spread in waves from the starts. A leg is looked at only while it would make its end cheaper, and the cheapest
legs to each end first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import SLACK
from simulator.pathing.columns import join, nth_of_equals, pick
from simulator.pathing.weighted.closeness import Closeness
from simulator.pathing.weighted.places import BendPlaces, PlaceMap, region_towards
from simulator.pathing.weighted.setting import WeightedSetting

#: The region of a leg that runs along a border.
ALONG = -2
#: The depth of a wave in inches of movement.
_DEEP = 4.0
#: How many pairs of places are examined at once, and how many legs to each place at first.
_PAIRS, _AT_ONCE = 1 << 19, 4


class Offers(NamedTuple):
    """Legs from known places, with what the whole way costs by then."""

    source: IntArray
    target: IntArray
    cost: FloatArray
    region: IntArray  #: -1: not known
    how: IntArray  #: 0: one straight leg; else the number of a staircase


@dataclass(eq=False)
class Spread:
    """What it costs to get to places, and the last leg to each."""

    cost: FloatArray
    before: IntArray  #: the number of the place before; -1: a start
    region: IntArray  #: of that leg
    how: IntArray

    @classmethod
    def none(cls, count: int) -> Spread:
        """Return a record in which nothing is known of a number of places."""
        return cls(np.full(count, np.inf), np.full(count, -1), np.full(count, -1), np.zeros(count, np.intp))

    def take(self, offers: Offers) -> IntArray:
        """Take the offers that are cheaper than what is known, and return their targets."""
        order = np.lexsort((offers.cost, offers.target))
        offers = pick(offers, order)
        first = np.r_[True, offers.target[1:] != offers.target[:-1]][: len(order)]
        best = pick(offers, first)
        best = pick(best, best.cost < self.cost[best.target] - SLACK)
        self.cost[best.target], self.before[best.target] = best.cost, best.source
        self.region[best.target], self.how[best.target] = best.region, best.how
        return best.target


class _Chain(NamedTuple):
    """Legs along borders, both ways."""

    source: IntArray
    target: IntArray
    price: FloatArray
    region: IntArray
    how: IntArray


def spread(setting: WeightedSetting, places: PlaceMap, starts: IntArray, paid: FloatArray, limit: float) -> Spread:
    """Compute the least costs of all places from some of them, no more than a limit."""
    known = Spread.none(len(places.places.place))
    known.cost[starts] = paid
    chain = _chain(setting, places)
    waiting = np.zeros(len(known.cost), np.bool_)
    waiting[starts] = True
    deep, new = _DEEP * setting.space.least_rate, waiting.copy()
    while waiting.any():
        # Legs along borders cost little to look at: a wave sets out from all that they lead to.
        waiting |= _spread_along(known, chain, new, limit)
        new = np.zeros(len(known.cost), np.bool_)
        level = known.cost[waiting].min() + deep
        wave = np.flatnonzero(waiting & (known.cost <= level))
        waiting[wave] = False
        for free in legs_to(setting, places.places, known.cost, wave, places.places, known.cost, limit):
            new[known.take(free)] = True
        waiting |= new
    return known


def _spread_along(known: Spread, chain: _Chain, new: BoolArray, limit: float) -> BoolArray:
    """Spread costs along borders from new places as far as it makes any cheaper, and return where it did."""
    found = np.zeros(len(new), np.bool_)
    while new.any():
        leg = np.flatnonzero(new[chain.source])
        cost = known.cost[chain.source[leg]] + chain.price[leg]
        kept = cost < np.minimum(known.cost[chain.target[leg]] - SLACK, limit + SLACK)
        some = pick(chain, leg[kept])
        target = known.take(Offers(some.source, some.target, cost[kept], some.region, some.how))
        new = np.zeros(len(new), np.bool_)
        new[target] = True
        found |= new
    return found


def _chain(setting: WeightedSetting, places: PlaceMap) -> _Chain:
    """The legs along borders: at the price of the better side, or by stairs on one of its sides."""
    found = []
    for source, target in (places.along.T, places.along.T[::-1]):
        segments = np.hstack([places.places.place[source], places.places.place[target]])
        x, y = (segments[:, 2:] - segments[:, :2]).T
        sides = [setting.borders.left[places.along_piece], setting.borders.right[places.along_piece]]
        curved = setting.borders.radius[places.along_piece] > 0.0
        gauges = setting.regions.gauges
        straight = [gauges.straight_prices(side, x, y) for side in sides]
        # A chord of an arc lies within its disc.
        price = np.where(curved, straight[0], np.minimum(*straight))
        region, how = np.where(curved, sides[0], ALONG), np.zeros(len(x), np.intp)
        if not gauges.is_plain.all():
            for side in sides:
                code, stairs = setting.stairs(segments, side)
                better = np.flatnonzero((stairs < price - SLACK) & (code > 0))
                price[better], region[better], how[better] = stairs[better], side[better], code[better]
        found.append(_Chain(source, target, price, region, how))
    return join(found)


def legs_to(
    setting: WeightedSetting,
    origin: BendPlaces,
    costs: FloatArray,
    sources: IntArray,
    goals: BendPlaces,
    best: FloatArray,
    limit: float,
) -> Iterator[Offers]:
    """Yield free legs from sources to goals, while they are cheaper than the best costs that are known by then."""
    chunk = max(_PAIRS // max(len(goals.place), 1), 1)
    for first in range(0, len(sources), chunk):
        some = sources[first : first + chunk]
        rest, many = _pairs(setting, origin, costs, some, goals, best, limit), _AT_ONCE
        while len(rest.source):
            rest = pick(rest, np.flatnonzero(rest.cost < best[rest.target] - SLACK))
            rank = nth_of_equals(rest.target)
            free = _free(setting, origin, costs, goals, pick(rest, rank < many), best)
            if len(free.source):
                yield free
            rest, many = pick(rest, rank >= many), 2 * many


def last_legs(
    setting: WeightedSetting,
    origin: BendPlaces,
    costs: FloatArray,
    whose: IntArray,
    goals: BendPlaces,
    limit: float,
    closeness: Closeness,
) -> Offers:
    """Return the cheapest free legs to goals, from several borders each: which way is best shows when it is taut.

    Each place may be for one goal alone, the one that it is `whose`; -1: for all.
    """
    sources = np.flatnonzero(np.isfinite(costs) & (whose < 0))
    own = np.flatnonzero(np.isfinite(costs) & (whose >= 0))
    chunk = max(_PAIRS // max(len(goals.place), 1), 1)
    beyond = limit + closeness.dearer  # Drawn taut, a way may still be short enough.
    best = np.full(len(goals.place), np.inf)
    lots = [
        _pairs(setting, origin, costs, sources[first : first + chunk], goals, best, beyond)
        for first in range(0, max(len(sources), 1), chunk)
    ]
    lots.append(_worthwhile(setting, origin, costs, own, goals, whose[own], best, beyond))
    rest, many, found = join(lots), 2 * _AT_ONCE, list[Offers]()
    rest = pick(rest, _by_goal(rest))
    # A place on a border stands for all of it, others for themselves.
    border = np.where(origin.piece >= 0, origin.piece, len(origin.piece) + np.arange(len(origin.piece)))
    count = np.zeros(len(goals.place), np.intp)
    known = np.zeros(0, np.intp)
    # Ways to a goal on a border come from either side.
    most = np.where(goals.left < 0, closeness.last_legs_to_borders, closeness.last_legs)
    while len(rest.source):
        rank = nth_of_equals(rest.target)
        free = _free(setting, origin, costs, goals, pick(rest, rank < many), np.full(len(best), np.inf))
        free = pick(free, _by_goal(free))
        key = free.target * (2 * len(border)) + border[free.source]
        first = np.sort(np.unique(key, return_index=True)[1])
        free = pick(free, first[~np.isin(key[first], known)])
        known = np.concatenate([known, key[first]])
        found.append(free)
        np.minimum.at(best, free.target, free.cost)
        np.add.at(count, free.target, 1)
        rest, many = pick(rest, rank >= many), 2 * many
        key = rest.target * (2 * len(border)) + border[rest.source]
        wanted = (count[rest.target] < most[rest.target]) & (rest.cost <= best[rest.target] + closeness.dearer)
        rest = pick(rest, wanted & ~np.isin(key, known))
    every = join(found) if found else rest
    every = pick(every, _by_goal(every))
    rank = nth_of_equals(every.target)
    return pick(every, (rank < most[every.target]) & (every.cost <= best[every.target] + closeness.dearer))


def _pairs(
    setting: WeightedSetting,
    origin: BendPlaces,
    costs: FloatArray,
    sources: IntArray,
    goals: BendPlaces,
    best: FloatArray,
    limit: float,
) -> Offers:
    """The legs that may be worth looking at, by goal, the cheapest first."""
    some = _goals_near(setting, origin, costs, sources, goals, np.minimum(best, limit) + SLACK)
    x = goals.place[some, 0] - origin.place[sources, :1]
    y = goals.place[some, 1] - origin.place[sources, 1:]
    room = np.maximum((np.minimum(best[some], limit) + SLACK) - costs[sources, None], 0.0)
    # A leg lies in a region that both its ends are in or beside, so it costs no less than the better side of either.
    rates = _least_rates(setting, pick(goals, some))
    row, goal = np.nonzero(x * x + y * y <= room * room / (rates * rates))
    source, goal = sources[row], some[goal]
    kept = np.flatnonzero(_may_share(origin, source, goals, goal))
    return _worthwhile(setting, origin, costs, source[kept], goals, goal[kept], best, limit)


def _goals_near(
    setting: WeightedSetting,
    origin: BendPlaces,
    costs: FloatArray,
    sources: IntArray,
    goals: BendPlaces,
    most: FloatArray,
) -> IntArray:
    """Find the goals that some source might be near enough to for a leg to cost no more in all than so much each."""
    if not len(sources):
        return np.zeros(0, np.intp)
    places = origin.place[sources]
    # What costs less than every source gets no cheaper.
    room = (most - costs[sources].min()) / _least_rates(setting, goals)
    off = np.maximum(np.maximum(places.min(axis=0) - goals.place, goals.place - places.max(axis=0)), 0.0)
    return np.flatnonzero((room > 0.0) & (np.square(off).sum(axis=1) <= room * room))


def _worthwhile(
    setting: WeightedSetting,
    origin: BendPlaces,
    costs: FloatArray,
    source: IntArray,
    goals: BendPlaces,
    goal: IntArray,
    best: FloatArray,
    limit: float,
) -> Offers:
    """Of the legs from sources to goals those that may be worth looking at, by goal, the cheapest first."""
    x, y = (goals.place[goal] - origin.place[source]).T
    here = region_towards(origin, source, x, y)
    there = region_towards(goals, goal, -x, -y)
    kept = np.flatnonzero((here == there) | (here < 0) | (there < 0))
    source, goal, here, there, x, y = source[kept], goal[kept], here[kept], there[kept], x[kept], y[kept]
    region = np.where(here >= 0, here, there)
    known = region >= 0
    if known.all():
        price = setting.regions.gauges.prices(region, x, y)
    else:
        price = setting.space.least_rate * np.hypot(x, y)
        price[known] = setting.regions.gauges.prices(region[known], x[known], y[known])
    cost = costs[source] + price
    kept = np.flatnonzero((cost < best[goal] - SLACK) & (cost <= limit + SLACK))
    found = Offers(source[kept], goal[kept], cost[kept], region[kept], np.zeros(len(kept), np.intp))
    return pick(found, _by_goal(found))


def _by_goal(offers: Offers) -> IntArray:
    """The order by goal, and then by cost: one key for both is quicker to sort by than two."""
    step = 2.0 ** np.ceil(np.log2(float(np.max(offers.cost, initial=1.0)) + 1.0))
    return np.argsort(offers.target * step + offers.cost, kind="stable")


def _least_rates(setting: WeightedSetting, places: BendPlaces) -> FloatArray:
    """Compute what an inch costs at least that leads from or to places."""
    rates = np.append(setting.regions.gauges.rate, setting.space.least_rate)  # the last one for -1
    return np.asarray(np.minimum(rates[places.left], rates[places.right]))


def _may_share(places: BendPlaces, which: IntArray, goals: BendPlaces, goal: IntArray) -> BoolArray:
    """Find the pairs of places that may have a region in common."""
    left, right = places.left[which], places.right[which]
    goal_left, goal_right = goals.left[goal], goals.right[goal]
    found = (left < 0) | (goal_left < 0) | (left == goal_left) | (left == goal_right)
    return np.asarray(found | (right == goal_left) | (right == goal_right))


def _free(
    setting: WeightedSetting, origin: BendPlaces, costs: FloatArray, goals: BendPlaces, some: Offers, best: FloatArray
) -> Offers:
    """Of some legs those that are free, with their exact prices."""
    segments = np.hstack([origin.place[some.source], goals.place[some.target]])
    free = np.flatnonzero(~setting.shut(segments))
    some, segments = pick(some, free), segments[free]
    unknown = np.flatnonzero(some.region < 0)
    if len(unknown):
        some.region[unknown] = setting.regions.at((segments[unknown, :2] + segments[unknown, 2:]) / 2)
    how, price = setting.stairs(segments, some.region)
    unknown = unknown[setting.through_corners(segments[unknown])]
    if len(unknown):
        # Through a knot a leg may run along several borders: then it costs what the ground says.
        exact = setting.prices(segments[unknown])
        along = (how[unknown] == 0) & ~np.isclose(exact, price[unknown], rtol=0.0, atol=SLACK)
        some.region[unknown[along]], price[unknown[along]] = ALONG, exact[along]
    found = some._replace(cost=costs[some.source] + price, how=how)
    return pick(found, np.flatnonzero(found.cost < best[found.target] - SLACK))
