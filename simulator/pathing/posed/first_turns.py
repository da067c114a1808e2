"""Turns at a start after which a leg just passes something.

Where the first leg begins is given, so of all headings that lead through a gap those at its sides are the best, and
turns to the limits of brackets may all miss it. Later turns may be made sooner or later instead.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import FloatArray
from simulator.pathing.columns import pick, rows_once
from simulator.pathing.posed.ray_ends import cast
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates, starting
from simulator.pathing.posed.sweeps_of_rays import PoseFans
from simulator.pathing.posed.tangents import Touching

#: Turns are the same if they are after rounding to so many digits.
_DIGITS = 9
#: A leg that passes something gets so many inches farther than one that meets it, at least.
_FARTHER = 0.1


class FirstTurns(NamedTuple):
    """Turns from states, each for legs in one mode."""

    state: IntArray
    angle: FloatArray
    mode: IntArray


def are_starts(space: PoseSpace, states: PoseStates) -> BoolArray:
    """Find the states that are starts of a space, rather than poses that the mover is placed in."""
    starts = starting(space)
    same = (states.place[:, None] == starts.place).all(axis=2) & (states.heading[:, None] == starts.heading)
    return np.asarray((states.parent == -1) & same.any(axis=1))


def turns_past_things(space: PoseSpace, states: PoseStates) -> FirstTurns:
    """Return the turns from starts after which a leg just passes something, and gets farther than one that meets it."""
    fans = PoseFans(space, states)
    family = np.arange(len(fans.modes))
    left = space.left_for_legs(states.price, states.travelled)
    longest = space.longest_legs(left[fans.state_of], fans.modes)
    places = states.place[fans.state_of]
    found = Touching(space).tangents(fans, family, places, longest, np.zeros(len(family)))
    passing, beside = (cast(space, fans, found.family, at, None)[0].inches for at in (found.at, found.beside))
    family, at = pick((found.family, found.at), passing > np.maximum(beside, found.near) + _FARTHER)
    once, _ = rows_once(np.column_stack([family, np.round(at, _DIGITS)]))
    return FirstTurns(fans.state_of[family[once]], at[once], fans.modes[family[once]])
