"""Ways as tables of bends: from the last legs of a search, to straight legs and arcs, to what they cost exactly.

A bend is a fixed place, a place on a border that may be slid along it, or a wrap round a rim, which a way meets and
leaves along tangents. Signed radii make all three alike: 0 for places, above 0 where a rim is on the left.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import CONTACT, SLACK, TOUCH
from simulator.pathing.columns import pick
from simulator.pathing.weighted.gauges import TWO_PI
from simulator.pathing.weighted.places import PlaceMap, RimPieces
from simulator.pathing.weighted.setting import WeightedSetting
from simulator.pathing.weighted.spread import ALONG, Offers, Spread

#: A wrap that turns almost all the way round turns back, rather: it is none.
_BACK = 0.9 * TWO_PI
#: The radians by which arcs may exceed the ends of their rim, through rounding errors.
_BEYOND = 1e-7


class Bends(NamedTuple):
    """The bends of many ways, in order, the starts and the goals among them; each with the leg after it."""

    way: IntArray
    place: FloatArray  #: of a wrap, the corner that it began as
    piece: IntArray  #: the border piece that it may be slid along; -1: none
    at: FloatArray  #: after how many inches of it
    circle: IntArray  #: the rim that is wrapped; -1: none
    sense: FloatArray  #: 1: it lies on the left, -1: on the right, 0: there is none
    knot: IntArray  #: of borders, that it lies in; -1: none
    region: IntArray  #: of the leg after it
    how: IntArray

    @property
    def is_last(self) -> BoolArray:
        """Which bends are the ends of their ways."""
        return np.asarray(np.r_[self.way[1:] != self.way[:-1], np.ones(min(len(self.way), 1), np.bool_)])


class Legs(NamedTuple):
    """Straight legs, and the arc at the end of each, if it ends on a rim."""

    way: IntArray
    segment: FloatArray  #: rows x1, y1, x2, y2
    region: IntArray
    how: IntArray
    circle: IntArray  #: the rim that it ends on; -1: none
    begin: FloatArray  #: the angle at which the arc begins, in radians seen from the centre
    turn: FloatArray  #: how far it turns, left positive


def bends_of(known: Spread, places: PlaceMap, goals: FloatArray, last: Offers) -> Bends:
    """Return the bends of the ways to goals, by the last leg of each; ways are numbered like the last legs."""
    ways = np.arange(len(last.target))
    none = np.full(len(ways), -1)
    columns = [(ways, none, none, np.zeros(len(ways), np.intp))]
    node, region, how = last.source, last.region, last.how
    alive = ways
    while len(alive):
        columns.append((alive, node, region, how))
        before = known.before[node]
        region, how = known.region[node], known.how[node]
        going = before >= 0
        alive, node, region, how = alive[going], before[going], region[going], how[going]
    depth = np.repeat(np.arange(len(columns)), [len(column[0]) for column in columns])
    way, node, region, how = (np.concatenate(column) for column in zip(*columns, strict=True))
    order = np.lexsort((-depth, way))
    way, node, region, how = way[order], node[order], region[order], how[order]
    is_goal = node < 0
    some = pick(places.places, np.where(is_goal, 0, node))
    place = np.where(is_goal[:, None], goals[last.target[way]], some.place)
    piece = np.where(is_goal, -1, some.piece)
    fixed = is_goal | (known.before[np.where(is_goal, 0, node)] < 0)
    rim = np.where(fixed, -1, some.rim)
    circle = np.where(rim >= 0, places.rims.circle[rim] if len(places.rims.circle) else -1, -1)
    knot = np.where(fixed, -1, places.knot[np.where(fixed, 0, node)])
    found = Bends(way, place, piece, some.at, circle, np.zeros(len(way)), knot, region, how)
    # Along a border a way is straight: only where it gets onto it and leaves it are bends.
    within = (found.piece >= 0) & (found.region == ALONG) & (np.r_[-1, found.region[:-1]] == ALONG)
    return pick(found, ~within)


def wrapped(setting: WeightedSetting, bends: Bends) -> Bends:
    """Return bends with the corners round each rim as one wrap, where the ground costs the same all round."""
    plain = np.r_[setting.regions.gauges.is_plain, False, False]  # the last ones for -1 and along borders
    before = np.r_[-1, bends.region[:-1]]
    wraps = (bends.circle >= 0) & (before == bends.region) & plain[bends.region]
    fresh = np.r_[True, (bends.circle[1:] != bends.circle[:-1]) | (bends.way[1:] != bends.way[:-1])]
    run = np.cumsum(fresh | ~wraps | ~np.r_[False, wraps[:-1]]) - 1
    first = np.flatnonzero(np.r_[True, run[1:] != run[:-1]])
    last = np.r_[first[1:], len(run)] - 1
    wraps = wraps[first]
    # The rim lies where its centre does, seen from the corner on the way past it.
    low, high = np.maximum(first - 1, 0), np.minimum(last + 1, len(run) - 1)
    ahead = bends.place[high] - bends.place[low]
    middle = bends.place[(first + last) // 2]
    centre = setting.circles[np.maximum(bends.circle[first], 0), :2] if len(setting.circles) else middle
    away = centre - middle
    side = np.where(ahead[:, 0] * away[:, 1] - ahead[:, 1] * away[:, 0] > 0.0, 1.0, -1.0)
    kept = pick(bends, first)
    return kept._replace(
        circle=np.where(wraps, kept.circle, -1),
        sense=np.where(wraps, side, 0.0),
        region=bends.region[last],
        how=bends.how[last],
    )


def middles(setting: WeightedSetting, bends: Bends) -> tuple[FloatArray, FloatArray]:
    """Return the centres of bends, their own places where they wrap nothing, and their signed radii."""
    wraps = bends.sense != 0.0
    if not wraps.any():
        return bends.place, np.zeros(len(bends.way))
    rows = setting.circles[np.where(wraps, bends.circle, 0)]
    return np.where(wraps[:, None], rows[:, :2], bends.place), bends.sense * rows[:, 2]


def tangents(step: FloatArray, rise: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the lengths of tangents between rims, and their directions; rows or arrays of any one shape.

    `step` leads from one centre to the next, `rise` is by how much the signed radius grows.
    """
    square = np.sum(step**2, axis=-1)
    length = np.sqrt(np.maximum(square - rise**2, 0.0))
    aside = np.stack([-step[..., 1], step[..., 0]], axis=-1)
    ahead = length[..., None] * step - rise[..., None] * aside
    return length, ahead / np.maximum(np.hypot(ahead[..., 0], ahead[..., 1]), 1e-300)[..., None]


def turns_at(sense: FloatArray, before: FloatArray, after: FloatArray) -> FloatArray:
    """Return how far wraps turn, in radians from 0, in their own sense; beyond `_BACK` they would turn back."""
    cross = before[..., 0] * after[..., 1] - before[..., 1] * after[..., 0]
    dot = before[..., 0] * after[..., 0] + before[..., 1] * after[..., 1]
    return np.asarray(np.mod(sense * np.arctan2(cross, dot), TWO_PI))


def is_none(turn: FloatArray) -> BoolArray:
    """Find the turns of wraps that are none: a way there leads past the rim."""
    return np.asarray(turn > _BACK)


def legs_of(setting: WeightedSetting, bends: Bends) -> Legs:
    """Return the legs of ways."""
    centre, radius = middles(setting, bends)
    here = np.flatnonzero(~bends.is_last)
    there = here + 1
    _, ahead = tangents(centre[there] - centre[here], radius[there] - radius[here])
    aside = np.stack([-ahead[:, 1], ahead[:, 0]], axis=1)
    begin, end = centre[here] - radius[here, None] * aside, centre[there] - radius[there, None] * aside
    wraps = bends.sense[there] != 0.0
    sense = bends.sense[there]
    after = np.concatenate([ahead[1:], ahead[-1:]])  # of a wrap: the leg in the next row
    turn = turns_at(sense, ahead, after)
    turn = np.where(wraps & ~is_none(turn), sense * turn, 0.0)
    # The rim is met where its centre is square to the leg.
    seen = -sense[:, None] * aside
    return Legs(
        bends.way[here],
        np.hstack([begin, end]),
        bends.region[here],
        bends.how[here],
        np.where(wraps, bends.circle[there], -1),
        np.arctan2(seen[:, 1], seen[:, 0]),
        turn,
    )


def exact_costs(setting: WeightedSetting, rims: RimPieces, legs: Legs, count: int) -> tuple[FloatArray, Legs]:
    """Compute what ways cost, inf where something bars one; and their legs, those on slopes with their staircases."""
    region = legs.region
    gauges = setting.regions.gauges
    slopes = (region >= 0) & ~gauges.is_plain[region]
    how = np.where(slopes, 0, legs.how)
    if slopes.any():
        rows = np.flatnonzero(slopes)
        how[rows], _ = setting.stairs(legs.segment[rows], region[rows])
    legs = legs._replace(how=how)
    leg, segments = straight_parts(setting, legs)
    price = setting.prices(segments)
    cost = np.zeros(count)
    np.add.at(cost, legs.way[leg], price)
    cost[legs.way[leg[setting.barred(segments)]]] = np.inf
    arcs = np.flatnonzero((legs.circle >= 0) & (np.abs(legs.turn) > 0.0))
    if len(arcs):
        some = pick(legs, arcs)
        radius = setting.circles[some.circle, 2]
        rate, fits = _arc_rates(rims, some, setting)
        np.add.at(cost, some.way, np.where(fits, rate * radius * np.abs(some.turn), np.inf))
    return cost, legs


def straight_parts(setting: WeightedSetting, legs: Legs) -> tuple[IntArray, FloatArray]:
    """Return the straight parts of legs, several of a staircase: whose they are, and rows x1, y1, x2, y2."""
    whose, segments, order = [], [], []
    for code in np.unique(legs.how).tolist():
        rows = np.flatnonzero(legs.how == code)
        if code == 0:
            corners = legs.segment[rows].reshape(-1, 2, 2)
        else:
            corners = setting.bends(legs.segment[rows], legs.region[rows], code)
        parts = np.concatenate([corners[:, :-1], corners[:, 1:]], axis=2)
        whose.append(np.repeat(rows, parts.shape[1]))
        order.append(np.tile(np.arange(parts.shape[1]), len(rows)))
        segments.append(parts.reshape(-1, 4))
    if not whose:
        return np.zeros(0, np.intp), np.zeros((0, 4))
    leg = np.concatenate(whose)
    sort = np.lexsort((np.concatenate(order), leg))
    return leg[sort], np.concatenate(segments)[sort]


def _arc_rates(rims: RimPieces, arcs: Legs, setting: WeightedSetting) -> tuple[FloatArray, BoolArray]:
    """What an inch of arcs costs, and which of them lie on one rim piece."""
    order = np.argsort(rims.circle, kind="stable")
    circle = rims.circle[order]
    low, high = np.searchsorted(circle, arcs.circle, "left"), np.searchsorted(circle, arcs.circle, "right")
    row = np.repeat(np.arange(len(low)), high - low)
    number = np.arange(len(row)) - np.repeat(np.cumsum(high - low) - (high - low), high - low)
    rim = order[low[row] + number]
    begin = np.where(arcs.turn > 0.0, arcs.begin, arcs.begin + arcs.turn)[row]
    off = np.mod(begin - rims.begin[rim] + _BEYOND, TWO_PI) - _BEYOND
    whole = rims.extent[rim] > TWO_PI - TOUCH
    inside = whole | (off + np.abs(arcs.turn[row]) <= rims.extent[rim] + _BEYOND)
    rate, fits = np.full(len(low), np.inf), np.zeros(len(low), np.bool_)
    np.minimum.at(rate, row[inside], setting.regions.gauges.rate[rims.region[rim[inside]]])
    fits[row[inside]] = True
    return rate, fits & np.isfinite(rate)


def deepest(setting: WeightedSetting, segments: FloatArray) -> tuple[IntArray, FloatArray]:
    """Find for legs which rim they cut deepest, -1: none, and on which side its centre lies, 1: on the left."""
    rows = setting.circles[: len(setting.table.circles.x)]
    if not len(rows) or not len(segments):
        return np.full(len(segments), -1), np.zeros(len(segments))
    start, step = segments[:, :2], segments[:, 2:] - segments[:, :2]
    away = rows[:, :2] - start[:, None]
    square = np.maximum(np.sum(step**2, axis=1), TOUCH**2)[:, None]
    share = np.clip(np.sum(away * step[:, None], axis=2) / square, 0.0, 1.0)
    off = away - share[..., None] * step[:, None]
    depth = rows[:, 2] - np.hypot(off[..., 0], off[..., 1])
    # Ends that touch a rim are no cuts.
    which = np.argmax(depth, axis=1)
    every = np.arange(len(segments))
    side = np.sign(step[:, 0] * away[every, which, 1] - step[:, 1] * away[every, which, 0])
    cut = (depth[every, which] > max(SLACK, CONTACT / 100)) & (side != 0.0)
    return np.where(cut, which, -1), side
