"""Turns at a start after which a leg just passes something.

Where the first leg begins is given, so of all headings that lead through a gap those at its sides are the best, and
turns to the limits of brackets may all miss it. Later turns may be made sooner or later instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import FloatArray
from simulator.pathing.columns import join, pick, rows_once
from simulator.pathing.posed.rays import Rays
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates, starting
from simulator.pathing.posed.sweeps_of_rays import PoseFans
from simulator.pathing.posed.tangents import Touching
from simulator.pathing.posed.toll_table import TollBits

#: Turns are the same if they are after rounding to so many digits.
_DIGITS = 9
#: A leg that passes something gets so many inches farther than one that meets it, at least.
_FARTHER = 0.1


class FirstTurns(NamedTuple):
    """Turns from states, each for legs in one mode."""

    state: IntArray
    angle: FloatArray
    mode: IntArray
    met: FloatArray  #: inches of the leg up to just beside what it passes

    @classmethod
    def none(cls) -> FirstTurns:
        """Return a table without rows."""
        return cls(np.zeros(0, np.intp), np.zeros(0), np.zeros(0, np.intp), np.zeros(0))


def are_starts(space: PoseSpace, states: PoseStates) -> BoolArray:
    """Find the states that are starts of a space, rather than poses that the mover is placed in."""
    starts = starting(space)
    same = (states.place[:, None] == starts.place).all(axis=2) & (states.heading[:, None] == starts.heading)
    return np.asarray((states.parent == -1) & same.any(axis=1))


class PassingTurns(NamedTuple):
    """Turns at starts after which a leg just passes something, and in as many rows those beside, which meet it."""

    state: IntArray
    turn: FloatArray  #: in degrees
    mode: IntArray
    near: FloatArray  #: inches of the leg before what it passes at least
    met: FloatArray  #: inches of the leg up to just beside that
    heading: FloatArray
    left: FloatArray  #: what may be spent on the leg; 0 where the turn is barred
    tolls: TollBits
    covered: FloatArray  #: the inches of legs and links before


def passing_turns(space: PoseSpace, states: PoseStates) -> PassingTurns:
    """Return the turns from starts that pass something, and after them those beside."""
    fans = PoseFans(space, states)
    family = np.arange(len(fans.modes))
    left = space.left_for_legs(states.price, states.travelled)
    longest = space.longest_legs(left[fans.state_of], fans.modes, states.covered[fans.state_of])
    places = states.place[fans.state_of]
    found = Touching(space).tangents(fans, family, places, longest, np.zeros(len(family)))
    family, turn = np.tile(found.family, 2), np.concatenate([found.at, found.beside])
    outset = fans.outset(family, turn)
    left = np.where(outset.free, space.left_for_legs(outset.turns.price, outset.travelled), 0.0)
    state, near, met, made = fans.state_of[family], np.tile(found.near, 2), np.tile(found.met, 2), outset.turns
    return PassingTurns(state, turn, fans.modes[family], near, met, made.heading, left, made.tolls, made.covered)


def farther(states: PoseStates, found: Sequence[PassingTurns], space_of: Callable[[IntArray], PoseSpace]) -> FirstTurns:
    """Return the turns of several lots after which a leg gets farther than one beside, which meets what it passes.

    `space_of` returns the space for questions about rows of the states.
    """
    halves = [np.split(np.arange(len(lot.turn)), 2) for lot in found]
    parts = [[pick(lot, rows[side]) for lot, rows in zip(found, halves, strict=True)] for side in (0, 1)]
    every: PassingTurns = join([join(parts[0]), join(parts[1])])
    row = np.flatnonzero(every.left > 0.0)
    some = pick(every, row)
    space = space_of(some.state)
    longest = space.longest_legs(some.left, some.mode, some.covered)
    rays = Rays.cast(space, states.place[some.state], some.heading, some.mode, longest, some.tolls)
    inches = np.zeros(len(every.left))
    inches[row] = np.maximum(rays.lengths_for(some.left), 0.0)
    passing, beside = np.split(inches, 2)
    some = pick(every, np.flatnonzero(passing > np.maximum(beside, every.near[: len(passing)]) + _FARTHER))
    rows = np.column_stack([some.state, some.mode, np.round(some.turn, _DIGITS)])
    some = pick(some, rows_once(rows)[0])
    return FirstTurns(some.state, some.turn, some.mode, some.met)


def turns_past_things(space: PoseSpace, states: PoseStates) -> FirstTurns:
    """Return the turns from starts after which a leg just passes something, and gets farther than one that meets it."""
    return farther(states, [passing_turns(space, states)], lambda _: space)
