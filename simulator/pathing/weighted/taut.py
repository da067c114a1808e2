"""Ways drawn taut: round rims along tangents and arcs, over borders where they are cheapest.

What a search found leads round the corners of polygons. Each lot of corners becomes a wrap of its rim; where a way that
was drawn taut then cuts another rim, it is wrapped round that as well, and where a wrap turns back it is none.
"""

from __future__ import annotations

import numpy as np

from simulator.geometry.convex import IntArray
from simulator.geometry.pieces import FloatArray
from simulator.pathing.columns import join, pick
from simulator.pathing.weighted.polish import polished
from simulator.pathing.weighted.setting import Setting
from simulator.pathing.weighted.ways import Bends, deepest, is_none, legs_of, middles, tangents, turns_at, wrapped

#: Ways are mended so often at most.
_ROUNDS = 6


def taut(setting: Setting, bends: Bends) -> Bends:
    """Draw ways taut; whether each is legal, and cheaper than before, is for the caller to find out."""
    bends = wrapped(setting, bends)
    for _ in range(_ROUNDS):
        bends = polished(setting, bends)
        loose = _loose(setting, bends)
        if len(loose):
            bends = pick(bends, np.setdiff1d(np.arange(len(bends.way)), loose))
            continue
        mended = _mended(setting, bends)
        if len(mended.way) == len(bends.way):
            break
        bends = mended
    return bends


def _loose(setting: Setting, bends: Bends) -> IntArray:
    """Find the wraps that turn back."""
    wraps = np.flatnonzero(bends.sense != 0.0)
    centre, radius = middles(setting, bends)

    def ahead(here: IntArray, there: IntArray) -> FloatArray:
        return tangents(centre[there] - centre[here], radius[there] - radius[here])[1]

    turn = turns_at(bends.sense[wraps], ahead(wraps - 1, wraps), ahead(wraps, wraps + 1))
    return wraps[is_none(turn)]


def _mended(setting: Setting, bends: Bends) -> Bends:
    """Wrap ways round the rims that they cut."""
    here = np.flatnonzero(~bends.is_last)
    legs = legs_of(setting, bends)
    plain = np.r_[setting.regions.gauges.is_plain, False, False][legs.region]
    cut = np.flatnonzero(setting.barred(legs.segment) & plain)
    if not len(cut):
        return bends
    circle, side = deepest(setting, legs.segment[cut])
    # A rim that the leg begins or ends on is wrapped there already.
    other = (circle != bends.circle[here[cut]]) & (circle != bends.circle[here[cut] + 1])
    kept = (circle >= 0) & (other | (bends.sense[here[cut]] == 0.0) & (bends.sense[here[cut] + 1] == 0.0))
    cut, circle, side = cut[kept], circle[kept], side[kept]
    fresh = pick(bends, here[cut])
    none = np.full(len(cut), -1)
    fresh = fresh._replace(
        place=setting.circles[circle, :2], piece=none, circle=circle, sense=side, at=np.zeros(len(cut))
    )
    both = join([bends, fresh])
    order = np.argsort(np.r_[np.arange(len(bends.way)), here[cut] + 0.5], kind="stable")
    return pick(both, order)
