"""The headings in which a mover can end at places, as ranges with their costs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from simulator.geometry.convex import IntArray
from simulator.geometry.pieces import FloatArray
from simulator.pathing.ends import HeadingRange

#: Computes what it costs to end at places, each by its number, with headings in degrees.
CostsByHeading: TypeAlias = Callable[[IntArray, FloatArray], FloatArray]

#: Degrees between the headings that are tried to begin with.
_APART = 5.0
#: A border between ranges is closed in on to so many degrees.
_FINEST = 1e-4
#: Into so many parts what lies between two headings is cut at once.
_PARTS = 6


def heading_ranges(
    costs_of: CostsByHeading, special: Sequence[FloatArray], step: float
) -> list[tuple[HeadingRange, ...]]:
    """Return for each place the headings, counter-clockwise from 0 to 360, that have costs.

    `special` are headings of each place that are tried in any case. The headings tried of a range cost the same but for
    a step; its cost is the highest of theirs. Those of all places are tried together, round by round.
    """
    apart = np.arange(0.0, 360.0 + _APART, _APART)
    headings = [np.unique(np.r_[apart, np.mod(some, 360.0)]) for some in special]
    costs = _by_place(costs_of, dict(enumerate(headings)))
    shares = np.arange(1, _PARTS) / _PARTS
    left = list(range(len(headings)))
    while left:
        between = {}
        for place in left:
            row = np.flatnonzero(_wanting(headings[place], costs[place], step))
            if len(row):
                between[place] = (headings[place][row, None] + shares * np.diff(headings[place])[row, None]).ravel()
        left = list(between)
        for (place, more), paid in zip(between.items(), _by_place(costs_of, between), strict=True):
            order = np.argsort(np.r_[headings[place], more], kind="stable")
            headings[place], costs[place] = np.r_[headings[place], more][order], np.r_[costs[place], paid][order]
    return [tuple(_ranges(some.tolist(), paid.tolist(), step)) for some, paid in zip(headings, costs, strict=True)]


def _by_place(costs_of: CostsByHeading, headings: Mapping[int, FloatArray]) -> list[FloatArray]:
    """The costs of some headings at each of several places, by their numbers."""
    if not headings:
        return []
    counts = [len(some) for some in headings.values()]
    costs = costs_of(np.repeat(list(headings), counts), np.concatenate(list(headings.values())))
    return np.split(costs, np.cumsum(counts)[:-1])


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
