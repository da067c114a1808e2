"""Tolls that legs may meet, by circles around them: enough to know which legs a search had better look at closely."""

from __future__ import annotations

import numpy as np

from simulator.geometry.convex import IntArray
from simulator.geometry.pieces import FloatArray
from simulator.pathing.columns import nth_rows
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.toll_table import TollBits, no_tolls


def tolls_at_marks(
    space: PoseSpace, starts: FloatArray, ahead: FloatArray, before: TollBits, leg: IntArray, inches: FloatArray
) -> TollBits:
    """Return what may be gone after lengths of legs, those of one leg after the other; nothing is touched any more.

    All that the leg may have met counts as gone, and all that was touched before it; nothing where there are no tolls.
    """
    if not space.tolls:
        return no_tolls(len(leg))
    found, gone = no_tolls(len(leg)), (before.gone | before.touched).take(leg)
    middles, reaches = space.toll_table.circles
    (x, y), (ahead_x, ahead_y) = starts.T.copy(), ahead.T.copy()
    count = np.bincount(leg, minlength=len(starts))
    first = np.cumsum(count) - count
    longest = np.zeros(len(starts))
    np.maximum.at(longest, leg, inches)
    bits = space.toll_table.bits_by_row(len(starts))
    for thing, ((middle_x, middle_y), reach) in enumerate(zip(middles, reaches + space.base.reach, strict=True)):
        away_x, away_y = middle_x - x, middle_y - y
        off = away_x * ahead_y - away_y * ahead_x
        along = away_x * ahead_x + away_y * ahead_y
        # Most legs come near nothing.
        some = np.flatnonzero((np.abs(off) < reach) & (along + reach > 0.0) & (along - reach < longest))
        if not len(some):
            continue
        along = along[some]
        half = np.sqrt(np.maximum(reach**2 - off[some] ** 2, 0.0))
        near = np.where(along + half > 0.0, along - half, np.inf)
        of, nth = nth_rows(count[some])
        row = first[some][of] + nth
        gone[row] |= np.where(inches[row] > near[of], bits[some, thing][of], 0)
    return found._replace(gone=gone)
