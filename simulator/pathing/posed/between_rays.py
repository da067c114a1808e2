"""The ground between neighbouring rays, as polygons, and lines where a ray goes farther than both its neighbours."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import shapely
from numpy.typing import NDArray

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import SLACK
from simulator.pathing.columns import pick
from simulator.pathing.posed.ray_ends import RayEnds, SweptRays

Shapes: TypeAlias = NDArray[Any]
#: Computes how far apart rays of families are at their ends, by what their parameters differ and how long they are.
Widths: TypeAlias = Callable[[IntArray, FloatArray, FloatArray], FloatArray]


class SideBySide(NamedTuple):
    """Parts of neighbouring rays, and from where to where there is ground beside each towards the other."""

    one: IntArray
    other: IntArray
    near: FloatArray
    far: FloatArray
    near_other: FloatArray
    far_other: FloatArray


def neighbours(rays: SweptRays, ends: RayEnds, widths: Widths, settled: BoolArray, error: float) -> SideBySide:
    """Return parts of neighbouring rays that lie beside each other, each as far as both go if they are unlike.

    `widths` computes how far apart rays are, and `settled` is known of the gap behind each ray: a straight line between
    the ends of its two sides is true.
    """
    count = np.bincount(ends.ray, minlength=len(rays.at))
    first = np.cumsum(count) - count
    following = np.r_[rays.family[1:] == rays.family[:-1], False]
    number = np.where(following, np.r_[count[1:], 0], 0)[ends.ray]
    one = np.repeat(np.arange(len(ends.ray)), number)
    nth = np.arange(len(one)) - np.repeat(np.cumsum(number) - number, number)
    other = first[ends.ray[one] + 1] + nth
    beside = np.minimum(ends.far[one], ends.far[other]) > np.maximum(ends.near[one], ends.near[other])
    one, other = one[beside], other[beside]
    left = ends.ray[one]
    apart = rays.at[left + 1] - rays.at[left]
    longest = np.maximum(ends.far[one], ends.far[other])
    gap = widths(rays.family[left], apart, longest)
    found = [one, other]
    for part, both in ((ends.near, np.maximum), (ends.far, np.minimum)):
        here, there = part[one], part[other]
        unlike = ~settled[left] & ((np.abs(here - there) > gap) | (gap > error))
        found += [np.where(unlike, both(here, there), here), np.where(unlike, both(here, there), there)]
    one, other, near, near_other, far, far_other = found
    return SideBySide(one, other, near, far, near_other, far_other)


def lines_beyond(rays: SweptRays, ends: RayEnds, pairs: SideBySide) -> Shapes:
    """Draw lines where a ray goes farther than there is ground on either side of it."""
    covered = ends.near.copy()
    np.maximum.at(covered, pairs.one, pairs.far)
    np.maximum.at(covered, pairs.other, pairs.far_other)
    bare = np.flatnonzero(ends.far > covered + SLACK)
    sides = [rays.places(ends.ray[bare], inches[bare]) for inches in (covered, ends.far)]
    return np.asarray(shapely.linestrings(np.stack(sides, axis=1)))


def polygons_between(rays: SweptRays, ends: RayEnds, pairs: SideBySide) -> Shapes:
    """Draw a polygon for each run of neighbours that continue each other."""
    if not len(pairs.one):
        return np.zeros(0, object)
    pairs = pick(pairs, np.lexsort((pairs.other, pairs.one)))
    parts = len(ends.ray)
    single = (np.bincount(pairs.one, minlength=parts) == 1) & (np.bincount(pairs.other, minlength=parts) <= 1)
    before = np.full(parts, -1)
    before[pairs.other] = np.arange(len(pairs.one))
    alone = np.bincount(pairs.other, minlength=parts) == 1
    # A pair continues the one before it if its part is the other one of that, and neither branches.
    follows = np.where(single[pairs.one] & alone[pairs.one], before[pairs.one], -1)
    run = _runs(follows)
    order = np.lexsort((np.arange(len(run)), run))
    pairs, run = pick(pairs, order), run[order]
    one, other = ends.ray[pairs.one], ends.ray[pairs.other]
    place = np.concatenate(
        [
            rays.places(one, pairs.far),
            rays.places(other, pairs.far_other),
            rays.places(one, pairs.near),
            rays.places(other, pairs.near_other),
        ]
    )
    count, number = len(run), np.arange(len(run))
    rank = np.concatenate([2 * number, 2 * number + 1, 4 * count - 2 * number, 4 * count - 2 * number - 1])
    ring = np.tile(run, 4)
    order = np.lexsort((rank, ring))
    place, ring = place[order], ring[order]
    new = np.r_[True, (ring[1:] != ring[:-1]) | np.any(np.abs(np.diff(place, axis=0)) > SLACK, axis=1)]
    place, ring = place[new], ring[new]
    size = np.bincount(ring)
    place, ring = place[size[ring] > 2], ring[size[ring] > 2]
    if not len(ring):
        return np.zeros(0, object)
    rings: Any = shapely.linearrings(place, indices=np.unique(ring, return_inverse=True)[1])
    drawn = shapely.polygons(rings)
    return np.asarray(drawn[shapely.area(drawn) > 0.0])


def _runs(follows: IntArray) -> IntArray:
    """Number the runs of rows that follow each other; -1 follows none. Rows come after those that they follow."""
    run = np.arange(len(follows))
    first = np.where(follows >= 0, follows, run)
    while np.any(first[first] != first):
        first = first[first]
    return np.unique(first, return_inverse=True)[1].reshape(-1)
