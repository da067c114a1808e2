"""Grazes: lines that just pass something and may not bend, so that their ends depend on their exact starts.

A line from the outline of an area that grazes a corner or a base has a different end for each start, and none of these
ends is reached from anywhere else: a start farther aside sees more, but gets less far. Between two places on the
outline such ends move by more than the distance of the places, so more places are inserted between them.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from simulator.geometry.convex import IntArray
from simulator.geometry.pieces import FloatArray
from simulator.pathing.free.prepared import PreparedTable

#: How far an area may fall short between the ends of two lines that graze the same thing, in inches.
_SHORT = 0.004
#: So many more places are set between two at most.
_MOST = 40
#: Lines are looked at without so much of their end.
_END = 1e-6


def between_grazes(
    begins: FloatArray, ends: FloatArray, ground: PreparedTable, lengths: Collection[float]
) -> FloatArray:
    """Return places between the two ends of each stretch of an outline, rows x, y, for lines of some lengths.

    Stretches are rows x, y of where they begin and where they end. No place is added where nothing is grazed.

    >>> from simulator.pathing.free import Obstacles, prepare
    >>> post = prepare(Obstacles(discs=[(4, 1, 0.5)]), radius=0.5)
    >>> stretch = np.array([[0.0, -0.5]]), np.array([[0.0, 0.0]])
    >>> len(between_grazes(*stretch, post, [8.0])), len(between_grazes(*stretch, post, [2.0]))
    (7, 0)
    """
    count = np.ones(len(begins), np.intp)
    for length in lengths:
        count = np.maximum(count, _counts(begins, ends, ground, length))
    row = np.repeat(np.arange(len(count)), count - 1)
    number = np.arange(len(row)) - np.searchsorted(row, row) + 1
    share = (number / count[row])[:, None]
    return np.asarray(begins[row] * (1.0 - share) + ends[row] * share)


def _counts(begins: FloatArray, ends: FloatArray, ground: PreparedTable, length: float) -> IntArray:
    """Into how many parts each stretch is to be cut for lines of one length."""
    circles = ground.circles
    middles, radius = np.stack([circles.x, circles.y], axis=1), circles.measured
    off = np.hypot(*(middles[None] - (begins[:, None] + ends[:, None]) / 2).transpose(2, 0, 1))
    half = np.hypot(*(ends - begins).T)[:, None] / 2
    stretch, circle = np.nonzero((off - half <= length + radius) & (off - half > radius))
    count = np.ones(len(begins), np.intp)
    for side in (1.0, -1.0):
        first, last = (
            _grazing(places[stretch], middles[circle], radius[circle], side, length) for places in (begins, ends)
        )
        along = first + last
        along /= np.maximum(np.hypot(*along.T), 1e-12)[:, None]
        slip = ends[stretch] + length * last - begins[stretch] - length * first
        onward = np.sum(slip * along, axis=1)
        aside = side * (slip[:, 0] * along[:, 1] - slip[:, 1] * along[:, 0])
        # A start that sees more and also gets farther leaves nothing out.
        short = np.where(onward * aside < 0.0, np.abs(onward * aside) / np.maximum(np.hypot(onward, aside), 1e-12), 0.0)
        kept = np.flatnonzero(short > _SHORT)
        free = np.zeros(len(kept), np.bool_)
        for places, towards in ((begins, first), (ends, last)):
            starts = places[stretch[kept]]
            free |= ~ground.barred(np.hstack([starts, starts + (length - _END) * towards[kept]]), from_contact=True)
        counts = np.minimum(np.ceil(short[kept] / _SHORT), _MOST).astype(np.intp)
        np.maximum.at(count, stretch[kept][free], counts[free])
    return count


def _grazing(places: FloatArray, middles: FloatArray, radius: FloatArray, side: float, length: float) -> FloatArray:
    """Return the directions from places in which lines graze circles on one side; nan where they end before."""
    onward = middles - places
    away = np.hypot(*onward.T)
    with np.errstate(invalid="ignore"):
        angle = np.arctan2(onward[:, 1], onward[:, 0]) + side * np.arcsin(radius / away)
        angle[away**2 - radius**2 > length**2] = np.nan
    return np.stack([np.cos(angle), np.sin(angle)], axis=1)
