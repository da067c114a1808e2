"""The poses in which a mover can end, as straight lines of places with one heading each.

What can be set down beside a mover depends on how it stands at its end, and it may end in poses without number. A last
turn and a last leg make a line of them, so some thousand lines are all there is: last turns to headings a few degrees
apart, and to those at which prices change, from wherever it may turn. Each pose of a line is an end.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.path_judge import first_lengths
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import SLACK, TOUCH
from simulator.pathing.columns import join, pick
from simulator.pathing.posed.phased_reach import PhasedReach
from simulator.pathing.posed.ray_ends import cast
from simulator.pathing.posed.rays import legs_between, shorter, units
from simulator.pathing.posed.reach import PoseReach
from simulator.pathing.posed.search import FoundOnLevel
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates
from simulator.pathing.posed.sweeps_of_rays import PoseFans

#: Last turns lead to headings so many degrees apart, at first and then.
_STEPS = (30.0, 5.0)
#: Where legs are long, headings are so much closer that their ends lie no farther apart than so many inches.
_BETWEEN = 0.6
#: Places to turn at are so many inches apart on legs.
_APART = 0.25
#: Of poses to turn at that are so near each other, in inches and degrees, the cheapest is taken; if there are more than
#: so many, of those that are farther from each other.
_NEAR, _LIKE, _MOST, _FARTHER = 0.2, 2.0, 30_000, 1.5
#: Legs are looked at after such shares of their length.
_SHARES = (1.0, 0.5, 0.0, 0.75, 0.25)
#: So many poses to turn at are gone on from at once.
_AT_ONCE = 1024


class PoseLines(NamedTuple):
    """Lines of poses, one row each."""

    heading: FloatArray
    begin: FloatArray  #: rows x, y
    end: FloatArray

    @classmethod
    def at(cls, place: FloatArray, heading: FloatArray) -> PoseLines:
        """Return single poses, rows x, y and headings."""
        return cls(heading, place, place)

    def places(self, row: IntArray, share: FloatArray) -> FloatArray:
        """Return the places after some shares of lines."""
        return np.asarray(self.begin[row] + share[:, None] * (self.end[row] - self.begin[row]))


class WantedPoses(Protocol):
    """What poses are looked for."""

    def around(self, places: FloatArray, inches: FloatArray) -> BoolArray:
        """Find the places, rows x, y, around which poses so many inches off may be of use."""

    def poses(self, places: FloatArray) -> BoolArray:
        """Find the places in which poses may be of use, whichever way they face."""

    def lines(self, lines: PoseLines) -> BoolArray:
        """Find the lines that may be of use, or parts of them."""


def pose_lines(reach: PoseReach, level: int, wanted: WantedPoses) -> Iterator[PoseLines]:
    """Yield the poses of a level in which a mover can end, lot by lot, after its last phase or one before it.

    What is wanted is asked before it is known how long lines are, and may change from lot to lot.
    """
    # Who stays where a phase ends may still not end its move there.
    if isinstance(reach, PhasedReach) and reach.space.ends is None:
        yield from pose_lines(reach.before, level, wanted)
    space = reach.space.on(level)
    for searched in reach.searched:
        found = searched.on(reach.space, level)
        for states, step in ((found.states, _STEPS[0]), (_to_turn_at(space, found), _STEPS[1])):
            # Those for whom little is left lie farthest off: their poses hide most of the others.
            order = np.argsort(-states.price, kind="stable")
            for first in range(0, len(order), _AT_ONCE):
                some = pick(states, order[first : first + _AT_ONCE])
                far = (float(space.budget) - some.price) / space.least_rate
                some = pick(some, wanted.around(some.place, far))
                if len(some.price):
                    yield _from_states(space, some, step, wanted)


def _from_states(space: PoseSpace, states: PoseStates, step: float, wanted: WantedPoses) -> PoseLines:
    fans = PoseFans(space, states)
    family, at = join([fans.first(), *_evenly(space, fans, states, step)])
    some = _promising(space, fans, states, family, at, wanted)
    family, at = family[some], at[some]
    outset = fans.outset(family, at)
    paid = outset.free & (outset.turns.price <= float(space.budget) + SLACK)
    family, at, outset = family[paid], at[paid], pick(outset, paid)
    heading, mode = outset.turns.heading, fans.modes[family]
    left = space.left_for_legs(outset.turns.price, outset.travelled)
    ahead = units(heading + space.asides[mode]) * space.longest_legs(left, mode, outset.turns.covered)[:, None]
    useful = wanted.lines(PoseLines(heading, outset.start, outset.start + ahead))
    legs = np.flatnonzero(useful & (left > 0.0))
    swept, ends = cast(space, fans, family[legs], at[legs], None)
    moved = PoseLines(heading[legs][ends.ray], swept.places(ends.ray, ends.near), swept.places(ends.ray, ends.far))
    # A leg that begins over something and may not end there has no part that is an end, but its outset is told as one.
    at_once = np.hypot(*(moved.end - moved.begin).T) <= TOUCH
    at_once[at_once] = ~_may_end(space, pick(moved, at_once))
    moved = pick(moved, ~at_once)
    # Who spends the rest on a turn has no leg left.
    stay = np.flatnonzero(useful & (left <= 0.0) & (mode == 0))
    stays = PoseLines.at(outset.start[stay], heading[stay])
    return join([moved, pick(stays, _may_end(space, stays))])


def _promising(
    space: PoseSpace, fans: PoseFans, states: PoseStates, family: IntArray, at: FloatArray, wanted: WantedPoses
) -> IntArray:
    """The turns after which legs may lead to poses of use, as if the ground were the cheapest and turns ungrouped."""
    state = fans.state_of[family]
    price = space.turns.prices(np.maximum(np.abs(at) - states.free[state], 0.0))
    paid = states.price[state] + (0.0 if space.turns.times_rate else price)
    # Most turns are too dear where little is left, and no more is asked of those.
    rest = np.flatnonzero(paid <= float(space.budget) + SLACK)
    state, at, mode = state[rest], at[rest], fans.modes[family[rest]]
    left = space.left_for_legs(paid[rest], states.travelled[state])
    longest = space.longest_legs(left, mode, states.covered[state])
    leg = units(states.heading[state] + at + space.asides[mode]) * longest[:, None]
    place, row, found = states.place[state], np.arange(len(rest)), []
    for share in _SHARES:
        some = wanted.poses(place[row] + share * leg[row])
        found.append(rest[row[some]])
        row = row[~some]
    return np.sort(np.concatenate(found))


def _evenly(space: PoseSpace, fans: PoseFans, states: PoseStates, step: float) -> Iterator[tuple[IntArray, FloatArray]]:
    """Turns from each state to the same headings, so far apart, or closer by halves where legs may be long."""
    state = fans.state_of
    left = space.left_for_legs(states.price, states.travelled)[state]
    longest = space.longest_legs(left, fans.modes, states.covered[state])
    halved = np.ceil(np.log2(np.maximum(np.radians(step) * longest / _BETWEEN, 1.0))).astype(np.intp)
    for times in np.unique(halved).tolist() if step < _STEPS[0] else [0]:
        some = np.flatnonzero(halved == times) if step < _STEPS[0] else np.arange(len(state))
        evenly = np.arange(0.0, 360.0, step / 2**times)
        family = np.repeat(some, len(evenly))
        yield family, shorter(np.tile(evenly, len(some)) - states.heading[state[family]])


def _may_end(space: PoseSpace, poses: PoseLines) -> BoolArray:
    stands = legs_between(poses.begin, poses.begin, np.mod(poses.heading, 360.0))
    found = np.isinf(first_lengths(stands, space.base, space.no_end_standing))
    return np.asarray(found if space.ends is None else found & space.ends.has(poses.begin, poses.heading))


def _to_turn_at(space: PoseSpace, found: FoundOnLevel) -> PoseStates:
    """The poses that a search found, and others on its legs: some apart, and the last at which turns are paid for."""
    parts = [found.states]
    if found.legs is not None:
        row, inches = join(list(_along(space, found)))
        parts.append(found.legs.states(row, inches))
    states, times = join(parts), 1.0
    order = np.argsort(states.price, kind="stable")
    while True:
        x, y = np.floor(states.place[order] / (times * _NEAR)).astype(np.int64).T
        like = np.floor(np.mod(states.heading[order], 360.0) / (times * _LIKE)).astype(np.int64)
        _, first = np.unique((x << 40) + (y << 16) + like, return_index=True)
        if len(first) <= _MOST:
            return pick(states, order[np.sort(first)])
        times *= _FARTHER


def _along(space: PoseSpace, found: FoundOnLevel) -> Iterator[tuple[IntArray, FloatArray]]:
    legs = found.legs
    assert legs is not None
    count = np.floor(legs.inches / _APART).astype(np.intp)
    row = np.repeat(np.arange(len(count)), count)
    number = np.arange(len(row)) - np.repeat(np.cumsum(count) - count, count) + 1
    yield row, np.asarray(number * _APART, np.float64)
    every = np.arange(len(count))
    rates = space.ground.rates_at(legs.rays.places(every, legs.inches), np.mod(legs.turns.heading, 360.0))
    for _, price in space.turns.brackets:
        paid = np.full(len(count), float(price)) * (rates if space.turns.times_rate else 1.0)
        left = space.left_for_legs(legs.turns.price + paid, legs.travelled)
        inches = np.minimum(legs.rays.lengths_for(np.maximum(left, 0.0)), legs.inches)
        some = np.flatnonzero((left > 0.0) & (inches > TOUCH))
        yield some, inches[some]
