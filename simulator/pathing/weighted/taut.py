"""Ways drawn taut: round rims along tangents and arcs, over borders where they are cheapest.

What a search found leads round the corners of polygons, over borders at places half an inch apart. Each lot of corners
becomes a wrap of its rim, and bends are slid. Then a way may have to be mended, see `mending`, and is slid again.
"""

from __future__ import annotations

import numpy as np

from simulator.geometry.convex import BoolArray
from simulator.pathing.columns import join, pick
from simulator.pathing.weighted.mending import mended
from simulator.pathing.weighted.places import Joints
from simulator.pathing.weighted.polish import polished
from simulator.pathing.weighted.setting import Setting
from simulator.pathing.weighted.ways import Bends, wrapped

#: Ways are mended so often at most.
_ROUNDS = 8


def taut(setting: Setting, joints: Joints, bends: Bends) -> Bends:
    """Draw ways taut; whether each is legal, and cheaper than before, is for the caller to find out."""
    if not len(bends.way):
        return bends
    number = np.arange(int(bends.way[-1]) + 1)
    bends = wrapped(setting, bends)
    done: list[Bends] = []
    for _ in range(_ROUNDS):
        bends = polished(setting, bends)
        before, bends = bends, mended(setting, joints, bends)
        # Ways that need no more mending are done.
        same = _same(before, bends, len(number))
        kept = pick(before, same[before.way])
        done.append(kept._replace(way=number[kept.way]))
        bends = pick(bends, ~same[bends.way])
        number = number[~same]
        bends = bends._replace(way=np.unique(bends.way, return_inverse=True)[1])
        if not len(number):
            break
    else:
        bends = polished(setting, bends)
        done.append(bends._replace(way=number[bends.way]))
    every = join(done)
    return pick(every, np.argsort(every.way, kind="stable"))


def _same(before: Bends, after: Bends, count: int) -> BoolArray:
    """Find the ways that have the same bends."""
    one, other = (np.bincount(bends.way, minlength=count) for bends in (before, after))
    same = one == other
    first, second = pick(before, same[before.way]), pick(after, same[after.way])
    unlike = (first.piece != second.piece) | (first.circle != second.circle) | (first.knot != second.knot)
    same[first.way[unlike]] = False
    return np.asarray(same)
