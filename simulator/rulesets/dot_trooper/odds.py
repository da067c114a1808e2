"""The best odds of a ride: for every pose the highest chance of arriving there, with all checks on the way passed.

Apart from free turns under an option, a ride never returns to an earlier state, so one pass over the steps in the
order of the rides is enough: over those between states that the search has reached. Chances are integers: the number of
results of a check's dice, 36 for 2D6, to the power of the most checks a ride can have. They are exact.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulator.engine.clauses import clause
from simulator.pathing.costs import Costs
from simulator.pathing.move_space import Start
from simulator.rulesets.dot_trooper.drive_states import HEADINGS
from simulator.rulesets.dot_trooper.ride_steps import Numbers, RideLinks, links_between, ride_steps
from simulator.rulesets.dot_trooper.riding import Check, Gear, Rides, RideStep

#: The chance of a check by its cause and angle.
Chances = Mapping[Check, Fraction]
#: The largest integer that 64 bits hold.
_LARGEST = 2**63 - 1
#: Under `once_per_move` free turns lead back to the same ride: after five of them every heading has been tried.
_COME_ROUND = 5

Planes = NDArray[Any]
#: More moments to fire than any way has.
_NEVER = 2**30


class RideState(NamedTuple):
    """A ride by its number, a heading by its number, and a cell."""

    ride: int
    heading: int
    row: int
    column: int


class _BetweenWaypoints(NamedTuple):
    """The way between two waypoints, state by state."""

    #: The chances with which it begins, and those it leads to.
    begun: Planes
    best: Planes
    #: The steps that yield the best chances.
    yielding: RideLinks


class RideOdds:
    """The best chance of every end of a search of rides, in units of 1 / `whole`.

    With `via` only ways through these cells, in their order, count. `exposed` counts for each pose (heading, row,
    column) how often it can be fired at: of the ways with the best chance, one with the fewest such moments is chosen.
    """

    def __init__(
        self,
        costs: Costs,
        start: Start,
        rides: Rides,
        gear: Gear,
        chances: Chances,
        rolls: int,
        via: Sequence[tuple[int, int]] = (),
        exposed: NDArray[np.int64] | None = None,
    ) -> None:
        space = costs.space
        self.rides = rides
        #: The number of equally likely results of the dice of a check.
        self.rolls = rolls
        self._shape = (len(space.phases), len(HEADINGS), *space.shape)
        #: The number of poses: headings times cells.
        self.poses = math.prod(self._shape[1:])
        self._steps = ride_steps(gear, rides)
        self._exposed = None if exposed is None else exposed.ravel()
        ways = [rolls if check is None else int(chances[check] * rolls) for check in self._steps.checks]
        self.whole = rolls ** self._steps.most_checks(np.array(ways) < rolls, _COME_ROUND)
        self._kind = np.int64 if self.whole * rolls <= _LARGEST else object
        self._ways = np.array(ways, self._kind)
        reached = costs.on_board(costs.ticks < costs.unreached_tick, False).ravel()
        #: The states that are reached, by their rides, in order, and their poses; below they go by their places here.
        self._states = np.flatnonzero(reached)
        self._ride, self._pose = np.divmod(self._states, self.poses)
        self._links = links_between(self._steps, space, self._ride, self._pose)
        begun = np.zeros(len(self._states), self._kind)
        first = space.phases.index(start.phase), HEADINGS.index(int(start.heading or 0)), start.row, start.col
        begun[self._place_of(RideState(*first))] = self.whole
        self._parts = [self._part(begun)]
        for row, column in via:
            is_there = self._pose % math.prod(space.shape) == row * space.shape[1] + column
            self._parts.append(self._part(np.where(is_there, self._parts[-1].best, 0)))
        assert space.end is not None, "rides end in some of their states alone"
        may_end = space.end.ravel()[self._states]
        #: The rides and poses in which a drive may end, and the chance of each.
        self.ride, self.pose = self._ride[may_end], self._pose[may_end]
        self.chance = self._ended(self._parts[-1].best[may_end])

    @cached_property
    def array(self) -> Planes:
        """The chance of every end in the shape of the states."""
        array = np.zeros(self._shape, self._kind)
        array.reshape(len(array), -1)[self.ride, self.pose] = self.chance
        return array

    @clause("DT-86", "DT-91", "DT-93", "DT-94")
    def _part(self, begun: Planes) -> _BetweenWaypoints:
        best, links = begun.copy(), self._links
        ways = self._ways[self._steps.check[links.step]]
        for turns, rows in links.stages(self._steps):
            before, after, passed = links.before[rows], links.after[rows], ways[rows]
            for _ in range(_COME_ROUND if turns else 1):
                np.maximum.at(best, after, best[before] * passed // self.rolls)
        arriving = best[links.before] * ways // self.rolls
        return _BetweenWaypoints(begun, best, links.of((arriving > 0) & (arriving == best[links.after])))

    @clause("DT-93")
    def _ended(self, best: Planes) -> Planes:
        """Return the chances at the end of a ride: a stop without a turn still has its check to pass."""
        return np.asarray(best * self._ways[self._steps.check_of_end[self.ride]] // self.rolls)

    # --- under fire ---

    @cached_property
    @clause("DT-98", "DT-104", "DT-106")
    def _exposures(self) -> list[tuple[Planes, Planes]]:
        """For each part of the way the fewest moments to fire before it, and before each state with its best chance."""
        found: list[tuple[Planes, Planes]] = []
        for part in self._parts:
            before = found[-1][1] if found else np.zeros(len(part.begun), np.int32)
            before = np.where(part.begun > 0, before, _NEVER).astype(np.int32)
            least, links = before.copy(), part.yielding
            more = self._more(links)
            for turns, rows in links.stages(self._steps):
                here, there, fire = links.before[rows], links.after[rows], more[rows]
                for _ in range(_COME_ROUND if turns else 1):
                    np.minimum.at(least, there, least[here] + fire)
            found.append((before, least))
        return found

    def exposure(self, end: RideState) -> int:
        """Return the fewest moments to fire on the way to an end with the chance in `array`."""
        if self._exposed is None:
            return 0
        state = self._place_of(end)
        # A segment that is cut short ends where the movement does.
        cut_short = self._exposed[self._pose[state]] if self._steps.is_cut_short[end.ride] else 0
        return int(self._exposures[-1][1][state] + cut_short)

    def _more(self, links: RideLinks) -> Planes:
        """Return how often steps can be fired at, where they set out and where they arrive."""
        assert self._exposed is not None
        begins, completes = self._steps.begins[links.step], self._steps.completes[links.step]
        before, after = (self._exposed[self._pose[state]] for state in (links.before, links.after))
        return np.asarray(begins * before + completes * after, np.int32)

    # --- the ways with these odds ---

    def ways_to(self, end: RideState) -> list[RideStep]:
        """Return the steps of a ride that ends in a state with the chance in `array`, in order."""
        steps: list[RideStep] = []
        state = self._place_of(end)
        for part in reversed(range(len(self._parts))):
            while not self._is_first(part, state):
                found, state = self._step_back(part, state)
                steps += [self.rides.legs[step] for step in found]
        return steps[::-1]

    def states(self, ride: Numbers, pose: Numbers) -> Numbers:
        """Return states in rows as `RideState`."""
        return np.stack([ride, *np.unravel_index(pose, self._shape[1:])], axis=1)

    def _place_of(self, state: RideState) -> int:
        return int(np.searchsorted(self._states, np.ravel_multi_index(state, self._shape)))

    def _is_first(self, part: int, state: int) -> bool:
        """Whether a part of the way begins in a state that has its best chance there, and is least exposed."""
        begun, best, _ = self._parts[part]
        if begun[state] != best[state]:
            return False
        return self._exposed is None or bool(np.equal(*(least[state] for least in self._exposures[part])))

    def _step_back(self, part: int, end: int) -> tuple[list[int], int]:
        """Step back to an earlier ride, past free turns that lead from a ride to itself."""
        steps = self._steps
        waiting: deque[tuple[int, list[int]]] = deque([(end, [])])
        been = {end}
        while waiting:
            state, taken = waiting.popleft()
            if self._is_first(part, state):
                return taken, state
            for step, before in self._leading_to(part, state):
                if before in been:
                    continue
                if steps.before[step] != steps.after[step]:
                    return [*taken, step], before
                been.add(before)
                waiting.append((before, [*taken, step]))
        raise AssertionError("no step leads to this chance")

    def _leading_to(self, part: int, state: int) -> list[tuple[int, int]]:
        """Return the last steps of the surest and least exposed ways to a state, and where they set out."""
        links = self._least_exposed[part]
        found = np.flatnonzero(links.after == state)
        return sorted(zip(links.step[found].tolist(), links.before[found].tolist(), strict=True))

    @cached_property
    def _least_exposed(self) -> list[RideLinks]:
        """Of each part the steps that ways with the best chance and the fewest moments to fire can take."""
        if self._exposed is None:
            return [part.yielding for part in self._parts]
        return [
            links.of(least[links.before] + self._more(links) == least[links.after])
            for (_, _, links), (_, least) in zip(self._parts, self._exposures, strict=True)
        ]
