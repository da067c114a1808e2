"""The headings in which a mover can end at places, as ranges with their costs.

Most ranges end where the last turn comes to the limit of a bracket. That is known from the way that is cheapest beside,
and tried at once; other borders are closed in on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

import numpy as np

from simulator.geometry.convex import IntArray
from simulator.geometry.pieces import FloatArray
from simulator.pathing.columns import join, pick
from simulator.pathing.ends import HeadingRange
from simulator.pathing.posed.turn_prices import TurnPrices


class Facing(NamedTuple):
    """What it costs to end in some poses, by rows."""

    cost: FloatArray
    #: The headings at which the price of the last turn of the cheapest way changes, degrees; NaN: none, or not known.
    limits: FloatArray


def without_limits(cost: FloatArray, turns: TurnPrices) -> Facing:
    """Return costs of which no limits are known."""
    return Facing(cost, np.full((len(cost), 2 * len(turns.limits)), np.nan))


def cheapest_of(lots: Sequence[Facing]) -> Facing:
    """Return what is the cheapest of several lots in each pose."""
    best = np.argmin([some.cost for some in lots], axis=0)
    row = np.arange(len(best))
    cost, limits = (np.stack(columns)[best, row] for columns in zip(*lots, strict=True))
    return Facing(cost, limits)


#: Computes what it costs to end at places, each by its number, with headings in degrees.
CostsByHeading: TypeAlias = Callable[[IntArray, FloatArray], Facing]

#: Degrees between the headings that are tried to begin with.
_APART = 5.0
#: A border between ranges is closed in on to so many degrees.
_FINEST = 1e-4
#: In so many rounds limits are tried: those of ways that turn to a limit move along with the heading.
_AT_LIMITS = 4
#: Into so many parts what lies between two headings is cut at once, and into so many where that is done for few.
_PARTS, _PARTS_OF_FEW, _FEW = 6, 15, 3


def heading_ranges(
    costs_of: CostsByHeading, special: Sequence[FloatArray], step: float
) -> list[tuple[HeadingRange, ...]]:
    """Return for each place the headings, counter-clockwise from 0 to 360, that have costs.

    `special` are headings of each place that are tried in any case. The headings tried of a range cost the same but for
    a step; its cost is the highest of theirs. Those of all places are tried together, round by round.
    """
    apart = np.arange(0.0, 360.0 + _APART, _APART)
    headings = [np.unique(np.r_[apart, np.mod(some, 360.0)]) for some in special]
    found = _by_place(costs_of, dict(enumerate(headings)))
    left, rounds = list(range(len(headings))), 0
    while left:
        between = {}
        for place in left:
            row = np.flatnonzero(_wanting(headings[place], found[place].cost, step))
            if len(row):
                between[place] = _between(headings[place], found[place].limits, row, rounds)
        rounds += 1
        left = list(between)
        for (place, more), of_more in zip(between.items(), _by_place(costs_of, between), strict=True):
            order = np.argsort(np.r_[headings[place], more], kind="stable")
            headings[place] = np.r_[headings[place], more][order]
            found[place] = pick(join([found[place], of_more]), order)
    return [tuple(_ranges(some.tolist(), of.cost.tolist(), step)) for some, of in zip(headings, found, strict=True)]


def _between(headings: FloatArray, limits: FloatArray, row: IntArray, rounds: int) -> FloatArray:
    """Return what to try between the headings of some rows and the next ones, in one of several rounds.

    That is beside them where limits are, and on either side of limits between them; where there are none, all over.
    """
    ends = np.stack([headings[row], headings[row + 1]], axis=1)
    known = np.mod(np.hstack([limits[row], limits[row + 1]]), 360.0)
    at, which = np.nonzero((np.abs(known[:, None] - ends[:, :, None]) <= _FINEST).any(axis=2) | (not rounds))
    beside = ends[at, which] + np.array([0.5, -0.5])[which] * _FINEST
    inside = (known > ends[:, :1] + _FINEST) & (known < ends[:, 1:] - _FINEST)
    at, which = np.nonzero(inside & (rounds < _AT_LIMITS))
    around = (known[at, which][:, None] + np.array([-0.5, 0.0, 0.5]) * _FINEST).ravel()
    rest = np.delete(np.arange(len(row)), at) if rounds else np.arange(len(row))
    parts = _PARTS if len(rest) > _FEW else _PARTS_OF_FEW
    all_over = ends[rest, :1] + np.arange(1, parts) / parts * np.diff(ends[rest], axis=1)
    return np.unique(np.r_[beside, around, all_over.ravel()])


def _by_place(costs_of: CostsByHeading, headings: Mapping[int, FloatArray]) -> list[Facing]:
    """What some headings cost at each of several places, by their numbers."""
    if not headings:
        return []
    last = np.cumsum([len(some) for some in headings.values()]).tolist()
    places = np.repeat(list(headings), np.diff(last, prepend=0))
    found = costs_of(places, np.concatenate(list(headings.values())))
    return [pick(found, slice(*ends)) for ends in pairwise([0, *last])]


def _wanting(headings: FloatArray, costs: FloatArray, step: float) -> FloatArray:
    """Find the headings between which and the next another one has to be tried."""
    known = np.isfinite(costs)
    rise = np.abs(np.diff(np.where(known, costs, 0.0)))
    unlike = (known[1:] != known[:-1]) | (rise > step)
    return np.asarray(unlike & (np.diff(headings) > _FINEST))


def _ranges(headings: list[float], costs: list[float], step: float) -> list[HeadingRange]:
    found: list[HeadingRange] = []
    before, low = np.inf, np.inf  # the cost of the heading before, and the least of its range
    for heading, cost in zip(headings, costs, strict=True):
        if np.isfinite(cost) and not np.isfinite(before):
            found.append(HeadingRange(heading, heading, cost))
            low = cost
        elif np.isfinite(cost):
            last = found[-1]
            if max(last.cost, cost) - min(low, cost) <= step:
                found[-1], low = HeadingRange(last.first, heading, max(last.cost, cost)), min(low, cost)
            else:
                # Two ranges meet where the cheaper one ends.
                if cost < before:
                    found[-1] = HeadingRange(last.first, heading, last.cost)
                found.append(HeadingRange(last.last if cost > before else heading, heading, cost))
                low = cost
        before = cost
    return _closed(found, step)


def _closed(found: list[HeadingRange], step: float) -> list[HeadingRange]:
    """Join the ranges that meet at 0 degrees."""
    if len(found) < 2 or found[0].first != 0.0 or found[-1].last != 360.0:
        return found
    first, last = found[0], found[-1]
    if abs(first.cost - last.cost) > step:
        return found
    joined = HeadingRange(last.first % 360.0, first.last, max(first.cost, last.cost))
    return [joined, *found[1:-1]]
