"""Where a phase ends and the next one begins, on one level: what a leg pays for of each, and where it may end.

The next phase begins with nothing paid, whatever is left of the one before. A state that it begins with has for a
parent a state of the phase before, where the last turn of that one is made: see `from_before`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.path_judge import first_lengths, stretches_over
from simulator.geometry.pieces import FloatArray
from simulator.geometry.spans import Spans, joined, merged
from simulator.geometry.tolerances import TOUCH
from simulator.pathing.columns import pick
from simulator.pathing.posed.links import PoseLink
from simulator.pathing.posed.numbered_states import NumberedStates
from simulator.pathing.posed.only_ends import OnlyEnds, last_on_legs
from simulator.pathing.posed.poses_near_ends import poses_near_ends
from simulator.pathing.posed.rays import Rays, legs_between, may_turn
from simulator.pathing.posed.search import FoundOnLevel
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates, Turned, turned
from simulator.pathing.posed.sweeps_of_rays import cheaper_turns
from simulator.pathing.posed.toll_table import TollBits
from simulator.pathing.posed.turn_prices import TurnGroups


def from_before(numbers: IntArray) -> IntArray:
    """Return the parents by which states name states of the phase before, or the numbers of those by the parents."""
    return -2 - numbers


@dataclass(frozen=True, eq=False)
class Handover:
    """The end of a phase and the beginning of the next on one level, by what one search found of the first."""

    space: PoseSpace  #: in the phase that ends
    next_space: PoseSpace
    found: FoundOnLevel
    earlier: NumberedStates
    level: int
    refreshes: bool
    links: Sequence[PoseLink] = ()  #: that begin on the level

    @cached_property
    def numbers(self) -> IntArray:
        """The numbers of the states that were found on the level."""
        return np.flatnonzero(self.found.every.level == self.level)

    @cached_property
    def farthest(self) -> float:
        """No leg of the phase is longer, in inches."""
        return float(self.space.budget) / self.space.least_rate

    @property
    def ends(self) -> OnlyEnds | None:
        """The only poses in which the phase may end; None: it may end in any."""
        return self.space.ends

    @cached_property
    def near_ends(self) -> PoseStates:
        """Poses on legs of the phase near those that it has to end in, if there are such."""
        if self.ends is None or self.found.legs is None:
            return pick(self.found.states, slice(0))
        return poses_near_ends(self.ends, self.found.legs)

    @cached_property
    def near_ends_numbers(self) -> IntArray:
        """The numbers of those poses as states of the phase."""
        return self.earlier.add(self.near_ends)

    def states_before(self, begun: PoseStates) -> PoseStates:
        """Return the states of the phase in which its last turns were made, of some that the next begins with."""
        return self.earlier.rows(from_before(begun.parent))

    # --- turns and legs ---

    def turned(self, states: PoseStates, rates: FloatArray, angles: FloatArray) -> Turned:
        """Make the last turns of the phase, one from each state; those that can be paid and are not barred.

        Free degrees that are lost at its end are used wherever they make a turn cheaper.
        """
        every = np.arange(len(angles))
        turns = (cheaper_turns if self.refreshes else turned)(self.space, states, rates, every, angles)
        turns = pick(turns, self.space.can_pay(turns.price))
        heading = states.heading[turns.state]
        return pick(turns, may_turn(self.space, states.place[turns.state], heading, turns.heading - heading))

    def legs(
        self, turns: Turned, states: PoseStates, mode: IntArray, inches: FloatArray
    ) -> tuple[FloatArray, FloatArray, TollBits]:
        """Go on after turns as far as the phase pays for, and the mover may end: how far, where that is, and tolls.

        A row has so many inches to go at most.
        """
        places = states.place[turns.state]
        inches = np.minimum(inches, self.space.inches_left(turns.covered))
        moving = np.flatnonzero(inches > TOUCH)
        at, tolls = np.zeros(len(inches)), pick(turns.tolls, np.arange(len(inches)))
        if len(moving):
            some, bits = pick(turns, moving), pick(turns.tolls, moving)
            rays = Rays.cast(self.space, places[moving], some.heading, mode[moving], inches[moving], bits)
            left = self.space.left_for_legs(some.price, states.travelled[some.state] + some.toll)
            paid = np.minimum(rays.lengths_for(left), inches[moving])
            at[moving] = self._last_of(rays, self.last_ends(rays, paid, some.heading), some.heading)
            gone = np.flatnonzero(at[moving] > TOUCH)
            after = rays.after(gone, at[moving][gone], pick(bits, gone))
            for column, new in zip(tolls, after, strict=True):
                column[moving[gone]] = new
            at[moving] = np.where(at[moving] > TOUCH, at[moving], 0.0)
            places = places.copy()
            places[moving] = rays.places(np.arange(len(moving)), at[moving])
        return at, places, tolls

    def last_ends(self, rays: Rays, inches: FloatArray, headings: FloatArray) -> FloatArray:
        """Return how far along rays, no farther than so many inches, the mover gets and may end."""
        every = np.arange(len(inches))
        spans = []
        if self.space.no_end:
            legs = legs_between(rays.starts, rays.places(every, rays.length), np.mod(headings, 360.0))
            over = stretches_over(legs, self.space.no_end_standing, self.space.base)
            spans.append(Spans(over.path, over.begin, over.end))
        if rays.tolls is not None:
            spans.append(rays.tolls.bound)
        row, begin, end = merged(joined(spans))
        barred = np.flatnonzero((inches[row] > begin) & (inches[row] < end))
        found = inches.copy()
        found[row[barred]] = begin[barred]
        return found

    def _last_of(self, rays: Rays, inches: FloatArray, headings: FloatArray) -> FloatArray:
        """Return how far along rays the last pose lies that the phase has to end in one of, if there are such."""
        if self.ends is None:
            return inches
        # Where the last of them is barred, those before it are as well but for what is passed over.
        return self.last_ends(rays, last_on_legs(self.ends, rays.starts, rays.ahead, inches, headings), headings)

    def may_end(self, places: FloatArray, headings: FloatArray, tolls: TollBits) -> BoolArray:
        """Find the poses that the phase may end in."""
        found = np.ones(len(places), np.bool_) if self.ends is None else self.ends.has(places, headings)
        if self.space.tolls:
            found &= tolls.touched & self.space.toll_table.run_over == 0
        if self.space.no_end:
            stands = legs_between(places, places, np.mod(headings, 360.0))
            found &= np.isinf(first_lengths(stands, self.space.base, self.space.no_end_standing))
        return found

    # --- what the next phase begins with ---

    def begun(
        self,
        turns: Turned,
        numbers: IntArray,
        places: FloatArray,
        mode: IntArray,
        inches: FloatArray,
        tolls: TollBits,
    ) -> PoseStates:
        """Return what the next phase begins with after turns from states with numbers, and legs."""
        count = len(inches)
        none = np.zeros(count)
        free = np.full(count, float(self.next_space.turns.free)) if self.refreshes else turns.free
        return PoseStates(
            place=places,
            heading=turns.heading,
            price=none,
            travelled=none,
            free=free,
            group=TurnGroups(none, none, none, none),
            level=np.full(count, self.level),
            parent=from_before(numbers),
            mode=np.where(inches > 0.0, mode, -1),
            inches=inches,
            used=turns.used,
            since=none,
            link=np.full(count, -1),
            tolls=tolls,
            covered=none,
        )
