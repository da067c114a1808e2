"""Ways drawn taut: round rims along tangents and arcs, over borders where they are cheapest.

What a search found leads round the corners of polygons, over borders at places half an inch apart. Each lot of corners
becomes a wrap of its rim, and bends are slid. Then a way may have to be mended, see `mending`, and is slid again.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from simulator.geometry.convex import IntArray
from simulator.pathing.columns import join, pick
from simulator.pathing.weighted.closeness import Closeness
from simulator.pathing.weighted.mending import mended
from simulator.pathing.weighted.places import Joints
from simulator.pathing.weighted.polish import polished
from simulator.pathing.weighted.setting import WeightedSetting
from simulator.pathing.weighted.ways import Bends, wrapped

Marks: TypeAlias = NDArray[np.uint64]
#: Ways are mended so often at most.
_ROUNDS = 8
#: Odd numbers of 64 bits without a pattern: what is multiplied by them is spread out.
_ODD = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93], np.uint64)


def taut(setting: WeightedSetting, joints: Joints, bends: Bends, closeness: Closeness) -> tuple[Bends, IntArray]:
    """Draw ways taut. Which are legal, and cheaper than before, is for the caller to find out.

    A way that was mended is there as it was before, as well. The second answer is of which of the ways each is one.
    """
    if not len(bends.way):
        return bends, np.zeros(0, np.intp)
    number = np.arange(int(bends.way[-1]) + 1)
    bends = wrapped(setting, bends)
    done, whose, count, seen = list[Bends](), list[IntArray](), 0, _marks(bends, number)
    for _ in range(_ROUNDS):
        bends = polished(setting, bends, closeness)
        done.append(bends._replace(way=bends.way + count))
        whose.append(number)
        count += len(number)
        bends = mended(setting, joints, bends)
        marks = _marks(bends, number)
        # What has been slid before would slide to the same place.
        fresh = ~np.isin(marks, seen)
        seen = np.concatenate([seen, marks])
        bends = pick(bends, fresh[bends.way])
        number = number[fresh]
        if not len(number):
            break
        bends = bends._replace(way=np.unique(bends.way, return_inverse=True)[1])
    return join(done), np.concatenate(whose)


def _marks(bends: Bends, number: IntArray) -> Marks:
    """Return a number for each way, the same for two if they are one way over the same borders, rims and knots."""
    first = np.flatnonzero(np.r_[True, bends.way[1:] != bends.way[:-1]])
    nth = np.arange(len(bends.way)) - first[bends.way]
    columns = (nth, bends.piece, bends.circle, bends.knot)
    found = np.zeros(len(bends.way), np.uint64)
    for column, odd in zip(columns, _ODD, strict=True):
        found = (found ^ (column + 2).astype(np.uint64)) * odd
        found ^= found >> np.uint64(29)
    return np.asarray(np.add.reduceat(found, first) * _ODD[0] ^ number.astype(np.uint64))
