"""Poses that a move, or a phase of one, has to end in: those in which somebody can board the mover, for instance."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.spans import Spans, between, merged
from simulator.geometry.tolerances import TOUCH

#: Legs are looked at so many inches apart, and where poses begin or cease to be ends in so many halvings.
_APART, _HALVINGS = 0.25, 8
#: So many places of each leg are looked at in one pass.
_AT_ONCE = 8


class OnlyEnds(Protocol):
    """Poses in which alone something may end."""

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """The least x and y of all their places, and the greatest."""

    def near(self, places: FloatArray) -> BoolArray:
        """Find the places, rows x, y, in which the mover may be in one of them, as far as can be said soon."""

    def has(self, places: FloatArray, headings: FloatArray) -> BoolArray:
        """Find the poses, rows x, y and headings, that are among them."""


def last_on_legs(
    ends: OnlyEnds, starts: FloatArray, ahead: FloatArray, inches: FloatArray, headings: FloatArray
) -> FloatArray:
    """Return how far along legs the last end lies, no farther than so many inches; 0 where there is none."""
    first, last = _within_bounds(ends, starts, ahead, inches)
    found, beyond = np.zeros(len(inches)), last.copy()
    left = np.flatnonzero(last > first)
    number = 0
    while len(left):
        # From the far end of each leg on: the first place that will do is the last one.
        at = last[left, None] - _APART * (number + np.arange(_AT_ONCE))
        row, column = np.nonzero(at >= first[left, None] - _APART)
        at = np.maximum(at, first[left, None])
        is_end = np.zeros(at.shape, np.bool_)
        is_end[row, column] = _are_ends(ends, starts, ahead, headings, left[row], at[row, column])
        some = is_end.any(axis=1)
        which = is_end.argmax(axis=1)
        found[left[some]] = at[some, which[some]]
        beyond[left[some]] = np.minimum(at[some, which[some]] + _APART, last[left[some]])
        number += _AT_ONCE
        left = left[~some & (last[left] - _APART * (number - 1) > first[left])]
    row = np.flatnonzero((found > 0.0) & (beyond > found))
    found[row] = _last_one(ends, starts, ahead, headings, row, found[row], beyond[row])
    return found


def off_ends_on_legs(
    ends: OnlyEnds, starts: FloatArray, ahead: FloatArray, inches: FloatArray, headings: FloatArray
) -> Spans:
    """Return the stretches of legs, in inches, that are no ends; merged, and of each leg."""
    first, last = _within_bounds(ends, starts, ahead, inches)
    count = np.where(last >= first, np.ceil((last - first) / _APART) + 1, 0).astype(np.intp)
    row = np.repeat(np.arange(len(count)), count)
    number = np.arange(len(row)) - np.repeat(np.cumsum(count) - count, count)
    at = np.minimum(first[row] + number * _APART, last[row])
    some = _are_ends(ends, starts, ahead, headings, row, at)
    same = np.r_[row[1:] == row[:-1], False]
    after = np.r_[some[1:] & same[:-1], False]
    # From end to end, and between an end and what is none as far as it goes.
    both = np.flatnonzero(some & after)
    leaves, enters = np.flatnonzero(some & same & ~after), np.flatnonzero(~some & after)
    out = _last_one(ends, starts, ahead, headings, row[leaves], at[leaves], at[leaves + 1])
    into = _last_one(ends, starts, ahead, headings, row[enters], at[enters + 1], at[enters])
    alone = np.flatnonzero(some)
    known = Spans(
        np.concatenate([row[both], row[leaves], row[enters], row[alone]]),
        np.concatenate([at[both], at[leaves], into, at[alone]]),
        np.concatenate([at[both + 1], out, at[enters + 1], at[alone]]),
    )
    return between(merged(known), np.arange(len(inches)))


def _within_bounds(
    ends: OnlyEnds, starts: FloatArray, ahead: FloatArray, inches: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """From where on legs to where they are in the box around all ends."""
    low, high = np.array(ends.bounds[:2]), np.array(ends.bounds[2:])
    with np.errstate(divide="ignore", invalid="ignore"):
        one, other = (low - starts) / ahead, (high - starts) / ahead
    level = ahead == 0.0
    outside = (level & ((starts < low) | (starts > high))).any(axis=1)
    enters = np.where(level, -np.inf, np.minimum(one, other)).max(axis=1)
    leaves = np.where(level, np.inf, np.maximum(one, other)).min(axis=1)
    first, last = np.maximum(enters, 0.0), np.minimum(leaves, inches)
    return first, np.where(outside | (last <= TOUCH), -1.0, last)


def _are_ends(
    ends: OnlyEnds, starts: FloatArray, ahead: FloatArray, headings: FloatArray, row: IntArray, at: FloatArray
) -> BoolArray:
    return ends.has(starts[row] + at[:, None] * ahead[row], headings[row])


def _last_one(
    ends: OnlyEnds,
    starts: FloatArray,
    ahead: FloatArray,
    headings: FloatArray,
    row: IntArray,
    known: FloatArray,
    beyond: FloatArray,
) -> FloatArray:
    """Return how far along legs the last end lies from one that is known toward what is none."""
    for _ in range(_HALVINGS):
        middle = (known + beyond) / 2
        some = _are_ends(ends, starts, ahead, headings, row, middle)
        known, beyond = np.where(some, middle, known), np.where(some, beyond, middle)
    return known
