"""Poses on legs near those that a phase has to end in, from which turns by any angle may lead to one of them."""

from __future__ import annotations

import numpy as np

from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import TOUCH
from simulator.pathing.columns import pick, rows_once
from simulator.pathing.posed.legs import CastLegs
from simulator.pathing.posed.only_ends import OnlyEnds, last_on_legs
from simulator.pathing.posed.states import PoseStates

#: Legs are looked at so many inches apart, and of poses so near each other, in inches and degrees, the cheapest is
#: taken.
_APART, _NEAR, _LIKE = 0.5, 0.25, 3.0


def poses_near_ends(ends: OnlyEnds, legs: CastLegs) -> PoseStates:
    """Return poses on legs near those that the phase has to end in, one of alike ones, and where on each leg the first
    and the last of them lie."""
    every = np.arange(len(legs.inches))
    count = np.floor(legs.inches / _APART).astype(np.intp)
    row = np.repeat(every, count)
    marks = (np.arange(len(row)) - np.repeat(np.cumsum(count) - count, count) + 1) * _APART
    is_mark = np.repeat([1.0, 0.0], [len(row), 2 * len(every)])
    row, at = np.concatenate([row, every, every]), np.concatenate([marks, *ends_along(ends, legs)])
    row, at, is_mark = pick((row, at, is_mark), at > TOUCH)
    states = legs.states(row, at)
    some = np.flatnonzero(ends.near(states.place))
    order = some[np.argsort(states.price[some], kind="stable")]
    where = np.floor(states.place[order] / _NEAR)
    facing = np.floor(np.mod(states.heading[order], 360.0) / _LIKE)
    first, _ = rows_once(np.column_stack([where, facing, is_mark[order]]))
    return pick(states, order[np.sort(first)])


def ends_along(ends: OnlyEnds, legs: CastLegs) -> tuple[FloatArray, FloatArray]:
    """Return how far along legs the last of the poses lies that a phase has to end in, and the first."""
    rays, heading = legs.rays, legs.turns.heading
    last = last_on_legs(ends, rays.starts, rays.ahead, legs.inches, heading)
    # The first of them is the last one on the way back.
    back = last_on_legs(ends, rays.places(np.arange(len(last)), last), -rays.ahead, last, heading)
    return last, last - back
