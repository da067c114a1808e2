"""Turns at a start after which a leg just passes something, or a corner of ground where what it costs changes.

Where the first leg begins is given, so of all headings that lead through a gap those at its sides are the best, and of
those that lead onto a bridge the one past its corner. Turns to the limits of brackets may all miss it. Later turns may
be made sooner or later instead.
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
from simulator.pathing.posed.tangents import PassingRays, Touching
from simulator.pathing.posed.toll_table import TollBits

#: Turns are the same if they are after rounding to so many digits.
_DIGITS = 9
#: A leg that passes something gets so many inches farther than one that meets it, at least.
_FARTHER = 0.1
#: A leg past a corner is compared with those that pass it so many inches to the right and to the left, up to so many
#: beyond it; and those have to cost so much more, in the mean.
_ASIDE, _BEYOND, _KINK = 0.1, 3.0, 0.02


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
    found = _tangents(space, states, fans, Touching(space))
    return _made(space, fans, found, [found.at, found.beside])


def cornering_turns(space: PoseSpace, states: PoseStates) -> PassingTurns:
    """Return the turns from starts that pass corners of the ground, then those a little to the right and the left."""
    fans = PoseFans(space, states)
    found = _tangents(space, states, fans, Touching(space, ground_alone=True))
    aside = np.degrees(_ASIDE / np.maximum(found.met, 1.0))
    return _made(space, fans, found, [found.at, found.at - aside, found.at + aside])


def _tangents(space: PoseSpace, states: PoseStates, fans: PoseFans, touching: Touching) -> PassingRays:
    """The rays of fans that just pass something."""
    family = np.arange(len(fans.modes))
    left = space.left_for_legs(states.price, states.travelled)
    longest = space.longest_legs(left[fans.state_of], fans.modes, states.covered[fans.state_of])
    return touching.tangents(fans, family, states.place[fans.state_of], longest, np.zeros(len(family)))


def _made(space: PoseSpace, fans: PoseFans, found: PassingRays, turns: Sequence[FloatArray]) -> PassingTurns:
    """Make turns of several kinds for each ray that was found, one kind after the other."""
    family, turn = np.tile(found.family, len(turns)), np.concatenate(turns)
    outset = fans.outset(family, turn)
    left = np.where(outset.free, space.left_for_legs(outset.turns.price, outset.travelled), 0.0)
    near, met = np.tile(found.near, len(turns)), np.tile(found.met, len(turns))
    state, made = fans.state_of[family], outset.turns
    return PassingTurns(state, turn, fans.modes[family], near, met, made.heading, left, made.tolls, made.covered)


def farther(states: PoseStates, found: Sequence[PassingTurns], space_of: Callable[[IntArray], PoseSpace]) -> FirstTurns:
    """Return the turns of several lots after which a leg gets farther than one beside, which meets what it passes.

    `space_of` returns the space for questions about rows of the states.
    """
    every, rays, left = _cast(states, found, space_of, 2)
    passing, beside = np.split(np.maximum(rays.lengths_for(left), 0.0), 2)
    return _once(pick(every, np.flatnonzero(passing > np.maximum(beside, every.near) + _FARTHER)))


def at_corners(
    states: PoseStates, found: Sequence[PassingTurns], space_of: Callable[[IntArray], PoseSpace]
) -> FirstTurns:
    """Return the turns of several lots after which a leg past a corner costs less than both beside lead one to expect.

    What a leg costs changes there, so of all headings about it this one may be the best.
    """
    every, rays, left = _cast(states, found, space_of, 3)
    there = np.maximum(every.met, every.near)
    as_far = np.min(np.split(rays.lengths_for(left), 3), axis=0)
    row = np.flatnonzero(as_far > there)
    inches = np.minimum(as_far[row], there[row] + _BEYOND)
    cost, right, beside = (rays.prices(row + kind * len(there), inches) for kind in range(3))
    return _once(pick(every, row[cost < (right + beside) / 2 - _KINK]))


def _cast(
    states: PoseStates, found: Sequence[PassingTurns], space_of: Callable[[IntArray], PoseSpace], kinds: int
) -> tuple[PassingTurns, Rays, FloatArray]:
    """The turns of the first kind of several lots; the legs after those of all kinds, and what may be spent on each."""
    parts = [np.split(np.arange(len(lot.turn)), kinds) for lot in found]
    lots = [join([pick(lot, rows[kind]) for lot, rows in zip(found, parts, strict=True)]) for kind in range(kinds)]
    every: PassingTurns = join(lots)
    space = space_of(every.state)
    longest = np.where(every.left > 0.0, space.longest_legs(every.left, every.mode, every.covered), 0.0)
    rays = Rays.cast(space, states.place[every.state], every.heading, every.mode, longest, every.tolls)
    return lots[0], rays, every.left


def _once(some: PassingTurns) -> FirstTurns:
    rows = np.column_stack([some.state, some.mode, np.round(some.turn, _DIGITS)])
    some = pick(some, rows_once(rows)[0])
    return FirstTurns(some.state, some.turn, some.mode, some.met)


def turns_past_things(space: PoseSpace, states: PoseStates) -> FirstTurns:
    """Return the turns from starts after which a leg just passes something, and gets farther than one that meets it.

    And those after which it passes a corner of the ground, and what it costs changes there.
    """
    past = farther(states, [passing_turns(space, states)], lambda _: space)
    return join([past, at_corners(states, [cornering_turns(space, states)], lambda _: space)])
