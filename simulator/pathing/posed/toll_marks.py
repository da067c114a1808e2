"""Tolls that legs may meet, by circles around them: enough to know which legs a search had better look at closely."""

from __future__ import annotations

import numpy as np

from simulator.geometry.convex import IntArray
from simulator.geometry.pieces import FloatArray
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.toll_table import TollBits, no_tolls


def tolls_at_marks(
    space: PoseSpace, starts: FloatArray, ahead: FloatArray, before: TollBits, leg: IntArray, inches: FloatArray
) -> TollBits:
    """Return what may be gone after lengths of legs, each from a place in a direction; nothing is touched any more.

    All that the leg may have met counts as gone, and all that was touched before it; nothing where there are no tolls.
    """
    if not space.tolls:
        return no_tolls(len(leg))
    middles, reaches = space.toll_table.circles
    away = middles - starts[:, None]
    along = np.sum(away * ahead[:, None], axis=2)
    off = away[..., 0] * ahead[:, None, 1] - away[..., 1] * ahead[:, None, 0]
    reach = reaches + space.base.reach
    half = np.sqrt(np.maximum(reach**2 - off**2, 0.0))
    near = np.where((np.abs(off) < reach) & (along + half > 0.0), along - half, np.inf)
    gone, bits = (before.gone | before.touched)[leg], space.toll_table.bits_by_row(len(starts))
    # Most legs come near nothing.
    meets = np.isfinite(near)
    some = np.flatnonzero(np.any(meets, axis=1)[leg])
    legs, so_far, met = leg[some], inches[some], gone[some]
    for thing in np.flatnonzero(np.any(meets, axis=0)).tolist():
        met |= np.where(so_far > near[:, thing][legs], bits[:, thing][legs], 0)
    gone[some] = met
    return TollBits(gone, np.zeros_like(gone), ahead[leg], np.zeros(len(gone)))
