"""Ways drawn taut: round rims along tangents and arcs, over borders where they are cheapest.

What a search found leads round the corners of polygons, over borders at places half an inch apart. Each lot of corners
becomes a wrap of its rim, and bends are slid. Then a way may have to be mended, see `mending`, and is slid again.
"""

from __future__ import annotations

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray
from simulator.pathing.columns import join, pick
from simulator.pathing.weighted.mending import mended
from simulator.pathing.weighted.places import Joints
from simulator.pathing.weighted.polish import polished
from simulator.pathing.weighted.setting import WeightedSetting
from simulator.pathing.weighted.ways import Bends, wrapped

#: Ways are mended so often at most.
_ROUNDS = 8


def taut(setting: WeightedSetting, joints: Joints, bends: Bends) -> tuple[Bends, IntArray]:
    """Draw ways taut. Which are legal, and cheaper than before, is for the caller to find out.

    A way that was mended is there as it was before, as well. The second answer is of which of the ways each is one.
    """
    if not len(bends.way):
        return bends, np.zeros(0, np.intp)
    number = np.arange(int(bends.way[-1]) + 1)
    bends = wrapped(setting, bends)
    done, whose, count = list[Bends](), list[IntArray](), 0
    for _ in range(_ROUNDS):
        bends = polished(setting, bends)
        done.append(bends._replace(way=bends.way + count))
        whose.append(number)
        count += len(number)
        before, bends = bends, mended(setting, joints, bends)
        fresh = ~_same(before, bends, len(number))
        bends = pick(bends, fresh[bends.way])
        number = number[fresh]
        if not len(number):
            break
        bends = bends._replace(way=np.unique(bends.way, return_inverse=True)[1])
    return join(done), np.concatenate(whose)


def _same(before: Bends, after: Bends, count: int) -> BoolArray:
    """Find the ways that have the same bends."""
    one, other = (np.bincount(bends.way, minlength=count) for bends in (before, after))
    same = one == other
    first, second = pick(before, same[before.way]), pick(after, same[after.way])
    unlike = (first.piece != second.piece) | (first.circle != second.circle) | (first.knot != second.knot)
    same[first.way[unlike]] = False
    return np.asarray(same)
