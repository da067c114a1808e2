"""What is seen straight from places: the ends of straight lines, with and without those that cross rough ground."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from simulator.engine.clauses import clause
from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import FloatArray
from simulator.pathing.free import PreparedTable, TravelQuery, areas_of, plan_many
from simulator.pathing.free.forbidden import Side
from simulator.rulesets.skirmish.planner_tables import Grounds

#: How far the corners of what is drawn are from the true outline, in inches.
DRAWN = 0.005
#: How many pairs of an eye and a place are processed together, and how many eyes are tried at first, then more, then
#: all.
_AT_ONCE = 1 << 21
_TRIES = (0, 1, 4, 16, 64, 1 << 60)


def seen_from(
    ground: PreparedTable, spots: FloatArray, far: FloatArray, no_end: FloatArray, side: Side = "inner"
) -> NDArray[Any]:
    """Return for each of some places the ground on which straight lines of so many inches at most may end."""
    batch = [TravelQuery(eye, inches, 0.0, no_end) for eye, inches in zip(spots.tolist(), far.tolist(), strict=True)]
    seen = [replace(reach, straight_only=True) for reach in plan_many(ground, batch)]
    return np.array(areas_of(seen, DRAWN, side), object)


@clause("SK-8")
def seen_off_rough(grounds: Grounds, spots: FloatArray, far: FloatArray) -> NDArray[Any]:
    """Return for each of some places the ground to which straight lines lead on which no Terrain roll is due."""
    found = np.full(len(spots), shapely.Polygon(), object)
    off = np.flatnonzero(grounds.off_rough(spots))
    found[off] = seen_from(grounds.clean, spots[off], far[off], np.zeros((0, 3)), "outer")
    return found


def cheapest_open(
    places: FloatArray,
    eyes: FloatArray,
    prices: Callable[[FloatArray], FloatArray],
    are_barred: Callable[[FloatArray, FloatArray], BoolArray],
) -> IntArray:
    """Return for each place the cheapest of several eyes with an open line to it; -1 if there is none.

    Places are rows that begin with x, y. `prices` of some of them has a row for each and a column for each eye, inf for
    pairs that are out of the question; `are_barred` returns which lines from eyes to places are barred.
    """
    found = np.full(len(places), -1, np.intp)
    _, same = np.unique(eyes, axis=0, return_inverse=True)
    portions = len(places) * len(eyes) // _AT_ONCE + 1
    for some in np.array_split(np.arange(len(places)), portions) if len(eyes) else ():
        priced = prices(places[some])
        row, eye = np.nonzero(np.isfinite(priced))
        order = np.lexsort((priced[row, eye], row))
        row, eye = row[order], eye[order]
        # Several eyes at one place have the same line.
        _, first = np.unique(row * len(eyes) + same.ravel()[eye], return_index=True)
        row, eye = row[np.sort(first)], eye[np.sort(first)]
        rank = np.arange(len(row)) - np.searchsorted(row, row)
        for low, high in itertools.pairwise(_TRIES):
            left = np.flatnonzero((found[some[row]] < 0) & (rank >= low) & (rank < high))
            free = left[~are_barred(eyes[eye[left]], places[some[row[left]], :2])]
            at, which = np.unique(row[free], return_index=True)
            found[some[at]] = eye[free[which]]
    return found
