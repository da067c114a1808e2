"""Stretches of many motions: the row, and the shares of it at which each begins and ends.

Along an arc or a turn a condition can change only at certain angles, its cuts. Between two neighbouring cuts one place
decides for all, so a condition is determined by its cuts and one test in between; superfluous cuts do no harm.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import FloatArray

_TWO_PI = 2.0 * np.pi
#: Parts of an arc or turn shorter than this, in radians, are rounding.
_NO_ANGLE = 1e-10


class Spans(NamedTuple):
    """Stretches as rows: the number of the motion, and the shares of it (0 to 1) at which it begins and ends."""

    row: IntArray
    begin: FloatArray
    end: FloatArray

    def of(self, which: IntArray | BoolArray) -> Spans:
        """Return some of the stretches."""
        return Spans(self.row[which], self.begin[which], self.end[which])

    def renumbered(self, rows: IntArray) -> Spans:
        """Return the same stretches of motions with other numbers."""
        return Spans(rows[self.row], self.begin, self.end)


def joined(parts: Sequence[Spans]) -> Spans:
    """Return several lists of stretches as one."""
    return Spans(*(np.concatenate(columns) for columns in zip(NO_SPANS, *parts, strict=True)))


NO_SPANS = Spans(np.zeros(0, np.intp), np.zeros(0), np.zeros(0))


def merged(spans: Spans, slack: float = 0.0) -> Spans:
    """Merge the stretches of each motion that are no farther apart than `slack`; sort by motion and place.

    >>> rows = Spans(np.array([7, 7, 2]), np.array([0.5, 0.1, 0.0]), np.array([0.9, 0.6, 1.0]))
    >>> [column.tolist() for column in merged(rows)]
    [[2, 7], [0.0, 0.1], [1.0, 0.9]]
    """
    if not (spans.row[1:] > spans.row[:-1]).all():
        spans = spans.of(np.argsort(spans.row, kind="stable"))
    again = spans.row[1:] == spans.row[:-1]
    if not again.any():
        return spans
    row, begin, end = spans.of(np.lexsort((spans.end, spans.begin, spans.row)))
    opens = np.concatenate([[True], row[1:] != row[:-1]])
    # The farthest end so far, motion by motion: integer ranks keep the comparison exact.
    rank = np.empty(len(end), np.int64)
    rank[np.argsort(end, kind="stable")] = np.arange(len(end))
    band = np.cumsum(opens) * np.int64(len(end))
    by_rank = np.empty(len(end))
    by_rank[rank] = end
    farthest = by_rank[np.maximum.accumulate(rank + band) - band]
    fresh = opens.copy()
    fresh[1:] |= begin[1:] > farthest[:-1] + slack
    last = np.flatnonzero(np.concatenate([fresh[1:], [True]]))
    return Spans(row[fresh], begin[fresh], farthest[last])


def between(spans: Spans, rows: IntArray, low: float = -np.inf, high: float = np.inf) -> Spans:
    """Return what merged stretches leave of some motions, from a share to another, each once; it may be empty.

    >>> rows = Spans(np.array([3, 3]), np.array([0.1, 0.6]), np.array([0.2, 0.7]))
    >>> [column.tolist() for column in between(rows, np.array([3, 4]), 0.0, 1.0)]
    [[3, 3, 3, 4], [0.0, 0.2, 0.7, 0.0], [0.1, 0.6, 1.0, 1.0]]
    """
    row = np.r_[spans.row, rows]
    begin, end = np.r_[spans.end, np.full(len(rows), low)], np.r_[spans.begin, np.full(len(rows), high)]
    first, last = np.lexsort((begin, row)), np.lexsort((end, row))
    return Spans(row[first], begin[first], end[last])


def within_bounds(first: FloatArray, last: FloatArray) -> Spans:
    """Return one stretch for each motion that has one, cut to its beginning and end."""
    met = np.flatnonzero((first < last) & (first < 1.0) & (last > 0.0))
    return Spans(met, np.clip(first[met], 0.0, 1.0), np.clip(last[met], 0.0, 1.0))


class Turning(NamedTuple):
    """Changing angles: the beginning of each and its extent, left positive; in radians."""

    begin: FloatArray
    sweep: FloatArray

    def of(self, rows: IntArray) -> Turning:
        """Return some of the rows."""
        return Turning(self.begin[rows], self.sweep[rows])

    def ahead(self, angle: FloatArray | float) -> Turning:
        """Return the same turns begun farther on."""
        return Turning(self.begin + angle, self.sweep)

    def reversed(self) -> Turning:
        """Return the apparent turn of surroundings: in the other direction, from the opposite angle."""
        return Turning(-self.begin, -self.sweep)


Cuts = Sequence[tuple[FloatArray, FloatArray]]


def turned_at(turning: Turning, cuts: Cuts) -> FloatArray:
    """Compute the parts of turns at which angles differ from directions by angles with certain cosines.

    `cuts` are pairs of directions and cosines, one for each row; a cosine beyond 1 is never met. Return rows of
    angles turned, sorted, including 0 and the whole.
    """
    return turned_to(
        turning,
        [
            np.where(np.abs(cosine) <= 1.0, direction + side * np.arccos(np.clip(cosine, -1.0, 1.0)), np.nan)
            for direction, cosine in cuts
            for side in (-1.0, 1.0)
        ],
    )


def turned_to(turning: Turning, angles: Sequence[FloatArray]) -> FloatArray:
    """Compute the parts of turns at which angles pass others (nan: none); sorted, including 0 and the whole."""
    begin, sweep = turning
    whole = np.abs(sweep)
    turns = [np.zeros(len(begin)), whole]
    rounds = int(np.max(whole, initial=0.0) // _TWO_PI) + 1
    for angle in angles:
        turn = np.mod(np.sign(sweep) * (angle - begin), _TWO_PI)
        for number in range(rounds):
            here = turn + number * _TWO_PI
            turns.append(np.where(here < whole, here, whole))  # nan becomes the end, which is a cut already
    return np.sort(np.stack(turns, axis=1), axis=1)


def middles(turning: Turning, turned: FloatArray) -> FloatArray:
    """Return the angles half way between neighbouring cuts."""
    half = (turned[:, 1:] + turned[:, :-1]) / 2
    return np.asarray(turning.begin[:, None] + np.sign(turning.sweep)[:, None] * half)


def between_cuts(turned: FloatArray, inside: BoolArray) -> Spans:
    """Return the stretches between cuts where a condition is true, merging those that meet at a cut.

    For a motion that does not turn, the condition at its place counts for the whole.
    """
    whole = turned[:, -1:]
    still = whole[:, 0] <= 0.0
    met = inside & (turned[:, 1:] - turned[:, :-1] > _NO_ANGLE)
    # A part too short to decide counts as the one before it.
    tiny = ~still[:, None] & (turned[:, 1:] - turned[:, :-1] <= _NO_ANGLE)
    before = np.where(tiny, -1, np.arange(met.shape[1]))
    before = np.maximum(np.maximum.accumulate(before, axis=1), 0)
    met = np.take_along_axis(met, before, axis=1)
    met[still] = False
    met[still, 0] = inside[still, 0]
    edge = np.diff(np.pad(met.astype(np.int8), ((0, 0), (1, 1))), axis=1)
    row, opens = np.nonzero(edge == 1)
    _, closes = np.nonzero(edge == -1)
    scale = np.where(still, 1.0, whole[:, 0])[row]
    end = np.where(still[row], 1.0, turned[row, closes] / scale)
    return Spans(row, turned[row, opens] / scale, end)
