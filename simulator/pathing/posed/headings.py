"""The headings in which a mover can end at a place, as ranges with their costs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from simulator.geometry.pieces import FloatArray
from simulator.pathing.ends import HeadingRange

#: Degrees between the headings that are tried to begin with.
_APART = 5.0
#: A border between ranges is closed in on to so many degrees.
_FINEST = 1e-4
#: Into so many parts what lies between two headings is cut at once.
_PARTS = 6


def heading_ranges(
    costs_of: Callable[[FloatArray], FloatArray], special: FloatArray, step: float
) -> tuple[HeadingRange, ...]:
    """Return the headings, counter-clockwise from 0 to 360, that have costs; `special` ones are tried in any case.

    The headings tried of a range cost the same but for a step; its cost is the highest of theirs.
    """
    headings = np.unique(np.r_[np.arange(0.0, 360.0 + _APART, _APART), np.mod(special, 360.0)])
    costs = costs_of(headings)
    while len(wanting := np.flatnonzero(_wanting(headings, costs, step))):
        shares = np.arange(1, _PARTS) / _PARTS
        between = (headings[wanting, None] + shares * np.diff(headings)[wanting, None]).ravel()
        order = np.argsort(np.r_[headings, between], kind="stable")
        headings, costs = np.r_[headings, between][order], np.r_[costs, costs_of(between)][order]
    return tuple(_ranges(headings.tolist(), costs.tolist(), step))


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
