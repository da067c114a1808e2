"""The best odds of a ride: for every pose the highest chance of arriving there, with all checks on the way passed.

Apart from free turns under an option, a ride never returns to an earlier state, so one pass over the steps in the
order of the rides is enough. Chances are integers: the number of results of a check's dice, 36 for 2D6, to the power of
the most checks a ride can have. They are exact.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulator.engine.clauses import clause
from simulator.geometry.arrays import shifted
from simulator.geometry.hex_lattice import DIRECTIONS
from simulator.pathing.move_space import MoveSpace, Start
from simulator.rulesets.dot_trooper.drive_states import HEADINGS, gate_name
from simulator.rulesets.dot_trooper.poses import heading_after
from simulator.rulesets.dot_trooper.riding import SEGMENTS, Check, Gear, Ride, Rides, RideStep, check_of_end

#: The chance of a check by its cause and angle.
Chances = Mapping[Check, Fraction]
#: The largest integer that 64 bits hold.
_LARGEST = 2**63 - 1
#: Under `once_per_move` free turns lead back to the same ride: after five of them every heading has been tried.
_COME_ROUND = 5

Planes = NDArray[Any]
#: More moments to fire than any way has.
_NEVER = 2**30
#: Up to this many states are looked at one by one; then exposures are computed for all of them.
_FEW = 1500


class RideState(NamedTuple):
    """A ride by its number, a heading by its number, and a cell."""

    ride: int
    heading: int
    row: int
    column: int


class RideOdds:
    """The best chance of every end of a ride space: `array` in the shape of its states, in units of 1 / `whole`.

    With `via` only ways through these cells, in their order, count. `exposed` counts for each pose (heading, row,
    column) how often it can be fired at: of the ways with the best chance, one with the fewest such moments is chosen.
    """

    def __init__(
        self,
        space: MoveSpace,
        start: Start,
        rides: Rides,
        gear: Gear,
        chances: Chances,
        rolls: int,
        via: Sequence[tuple[int, int]] = (),
        exposed: NDArray[np.int64] | None = None,
    ) -> None:
        self.space, self.rides, self.gear, self.exposed = space, rides, gear, exposed
        #: The number of equally likely results of the dice of a check.
        self.rolls = rolls
        self._ways = {check: int(share * rolls) for check, share in chances.items()}
        self._number = {ride: place for place, ride in enumerate(rides.rides)}
        self._onward = _Onward(space)
        self._into: dict[int, list[RideStep]] = {}
        for leg in rides.legs:
            self._into.setdefault(self._number[leg.after], []).append(leg)
        self._is_cyclic = any(leg.before == leg.after for leg in rides.legs)
        #: The exposures that were asked for one by one, by the part of the way and the state.
        self._least_known: dict[tuple[int, RideState], int] = {}
        checks = self._most_checks()
        self.whole = rolls**checks
        begun = np.zeros(
            (len(space.phases), len(HEADINGS), *space.shape), np.int64 if self.whole * rolls <= _LARGEST else object
        )
        begun[space.phases.index(start.phase), HEADINGS.index(int(start.heading or 0)), start.row, start.col] = (
            self.whole
        )
        #: For each part of the way, between the waypoints: its chances at the beginning and those it leads to.
        self._parts = [(begun, self._spread(begun))]
        for row, column in via:
            begun = np.zeros_like(begun)
            begun[..., row, column] = self._parts[-1][1][..., row, column]
            self._parts.append((begun, self._spread(begun)))
        self._due = [self._ways_of(check_of_end(gear, ride)) for ride in rides.rides]
        self.array = self._ended(self._parts[-1][1])

    def _share(self, chance: Planes, ways: int) -> Planes:
        """Return the chances left after a check that `ways` results of its dice pass."""
        return chance if ways == self.rolls else chance * ways // self.rolls

    def _ways_of(self, check: Check | None) -> int:
        return self.rolls if check is None else self._ways[check]

    def _most_checks(self) -> int:
        """Return the most checks that can fail in one ride, including the one at its end."""
        risky = {
            leg.before for leg in self.rides.legs if leg.before == leg.after and self._ways_of(leg.check) < self.rolls
        }
        most = {ride: _COME_ROUND * (ride in risky) for ride in self.rides.rides}
        for leg in self.rides.legs:
            if leg.before != leg.after:
                checks = most[leg.before] + (self._ways_of(leg.check) < self.rolls) + _COME_ROUND * (leg.after in risky)
                most[leg.after] = max(most[leg.after], checks)
        return max(most.values(), default=0) + 1

    @clause("DT-86", "DT-91", "DT-93", "DT-94")
    def _spread(self, begun: Planes) -> Planes:
        best = begun.copy()
        for leg in self._legs_in_turn():
            self._lead(best, leg, self._ways_of(leg.check), self._number[leg.before], self._number[leg.after])
        return best

    def _legs_in_turn(self) -> Iterator[RideStep]:
        """Yield the steps in an order in which each leads on, cyclic ones as often as they can matter."""
        for same, legs in groupby(self.rides.legs, key=lambda leg: leg.before if leg.before == leg.after else None):
            together = list(legs)
            for _ in range(1 if same is None else _COME_ROUND):
                yield from together

    def _lead(self, best: Planes, leg: RideStep, ways: int, before: int, after: int) -> None:
        if not best[before].any():
            return
        arriving = self._share(self._onward.after(leg, best[before], 0), ways)
        np.maximum(best[after], arriving, out=best[after])

    @clause("DT-93")
    def _ended(self, best: Planes) -> Planes:
        """Return the chances at the end of a ride: a stop without a turn still has its check to pass."""
        ends = np.zeros(best.shape, np.bool_) if self.space.end is None else self.space.end
        found = np.where(ends, best, 0)
        for place, ways in enumerate(self._due):
            found[place] = self._share(found[place], ways)
        return found

    # --- under fire ---

    @cached_property
    def _exposures(self) -> list[tuple[Planes, Planes]]:
        """For each part of the way the fewest moments to fire before it, and before each state with its best chance."""
        found: list[tuple[Planes, Planes]] = []
        for begun, best in self._parts:
            before = found[-1][1] if found else np.zeros(begun.shape, np.int32)
            before = np.where(begun > 0, before, _NEVER).astype(np.int32)
            found.append((before, self._least_exposed(before, best)))
        return found

    def exposure(self, end: RideState) -> int:
        """Return the fewest moments to fire on the way to an end with the chance in `array`."""
        if self.exposed is None:
            return 0
        # A segment that is cut short ends where the movement does.
        cut_short = int(self.exposed[end[1:]]) if self._is_cut_short(self.rides.rides[end.ride]) else 0
        return self._least(len(self._parts) - 1, end) + cut_short

    def _least(self, part: int, state: RideState) -> int:
        """Return the fewest moments to fire before a state with its best chance."""
        if self._is_cyclic or "_exposures" in vars(self) or len(self._least_known) > _FEW:
            return int(self._exposures[part][1][state])
        if (part, state) not in self._least_known:
            self._least_known[part, state] = self._least_of_few(part, state)
        return self._least_known[part, state]

    def _least_of_few(self, part: int, state: RideState) -> int:
        """Compute that from the states before, as `_least_exposed` does for all of them."""
        best = self._parts[part][1]
        least = self._least_at_first(part, state)
        if best[state] > 0:
            for leg in self._into.get(state.ride, ()):
                before = self._before(best, state, leg)
                if before is not None:
                    least = min(least, self._least(part, before) + self._more(leg, before, state))
        return least

    def _least_at_first(self, part: int, state: RideState) -> int:
        """Return the fewest moments to fire before a part of the way that begins in a state."""
        if not self._parts[part][0][state] > 0:
            return _NEVER
        return self._least(part - 1, state) if part else 0

    def _more(self, leg: RideStep, before: RideState, state: RideState) -> int:
        """Return how often a step from one state to another can be fired at."""
        assert self.exposed is not None
        return int(self._begins(leg) * self.exposed[before[1:]] + self._completes(leg) * self.exposed[state[1:]])

    @clause("DT-98", "DT-104", "DT-106")
    def _least_exposed(self, begun: Planes, best: Planes) -> Planes:
        found = begun.copy()
        for leg in self._legs_in_turn():
            self._expose(found, best, leg, self._number[leg.before], self._number[leg.after])
        return found

    def _expose(self, found: Planes, best: Planes, leg: RideStep, before: int, after: int) -> None:
        """Pass on the exposure of the states from which a step leads on, where it yields the best chance."""
        if not best[before].any():
            return
        arriving = self._share(self._onward.after(leg, best[before], 0), self._ways_of(leg.check))
        here = self._onward.after(leg, found[before] + self._set_out(leg), _NEVER) + self._arrived(leg)
        tight = (arriving > 0) & (arriving == best[after])
        np.minimum(found[after], here, out=found[after], where=tight, casting="same_kind")

    def _set_out(self, leg: RideStep) -> Planes | int:
        """Return how often each pose can be fired at in which a step begins a segment, 0 if it begins none."""
        times = self._begins(leg)
        return 0 if self.exposed is None or not times else np.asarray(self.exposed * times)

    def _begins(self, leg: RideStep) -> int:
        """Return how often the pose counts in which a step begins a segment, 0 if it begins none.

        If the segment before was cut short, it ends in that pose too.
        """
        if leg.angle or leg.name not in SEGMENTS:
            return 0
        return 2 if self._is_cut_short(leg.before) else 1

    @clause("DT-72", "DT-98")
    def _is_cut_short(self, ride: Ride) -> bool:
        """Whether the current segment has dots left, so that its end is still to come."""
        return bool(ride.segment) and ride.dots < self.gear.dots_of(ride.segment)

    def _arrived(self, leg: RideStep) -> Planes | int:
        """Return how often each pose can be fired at in which a step ends a segment, 0 if it ends none."""
        return 0 if self.exposed is None or not self._completes(leg) else self.exposed

    def _completes(self, leg: RideStep) -> bool:
        """Whether a step ends a segment."""
        return not leg.angle and not self._is_cut_short(leg.after)

    # --- the ways with these odds ---

    def ways_to(self, end: RideState) -> list[RideStep]:
        """Return the steps of a ride that ends in a state with the chance in `array`, in order."""
        steps: list[RideStep] = []
        for part in reversed(range(len(self._parts))):
            found, end = self._back(part, end)
            steps += found
        return steps[::-1]

    def _back(self, part: int, end: RideState) -> tuple[list[RideStep], RideState]:
        """Trace a ride back to the beginning of its part of the way: the last step first."""
        begun, best = self._parts[part]
        steps: list[RideStep] = []
        while begun[end] != best[end] or not self._is_least(part, end):
            found, end = self._step_back(part, end)
            steps += found
        return steps, end

    def _is_least(self, part: int, state: RideState) -> bool:
        """Whether the beginning of a part of the way is least exposed with nothing before it there."""
        return self.exposed is None or self._least_at_first(part, state) == self._least(part, state)

    def _step_back(self, part: int, end: RideState) -> tuple[list[RideStep], RideState]:
        """Step back to an earlier ride, past free turns that lead from a ride to itself."""
        begun, best = self._parts[part]
        waiting: deque[tuple[RideState, list[RideStep]]] = deque([(end, [])])
        been = {end}
        while waiting:
            state, steps = waiting.popleft()
            if begun[state] == best[state] and self._is_least(part, state):
                return steps, state
            for leg in self._into.get(state.ride, ()):
                before = self._before(best, state, leg)
                if before is None or before in been or not self._exposes(part, before, leg, state):
                    continue
                if leg.before != leg.after:
                    return [*steps, leg], before
                been.add(before)
                waiting.append((before, [*steps, leg]))
        raise AssertionError("no step leads to this chance")

    def _exposes(self, part: int, before: RideState, leg: RideStep, state: RideState) -> bool:
        """Whether a step is the last of a way to a state with the fewest moments to fire."""
        if self.exposed is None:
            return True
        return self._least(part, before) + self._more(leg, before, state) == self._least(part, state)

    def _before(self, best: Planes, state: RideState, leg: RideStep) -> RideState | None:
        """Return the state that a step came from, None if it did not yield this chance."""
        heading, row, column = HEADINGS[state.heading], state.row, state.column
        if leg.angle:
            heading = heading_after(heading, "right" if leg.name == "left" else "left", leg.angle)
        else:
            across, down = DIRECTIONS[heading // 60]
            row, column = row - down, column - across
        rows, columns = self.space.shape
        if not (0 <= row < rows and 0 <= column < columns):
            return None
        if not self.space.gates[gate_name(heading, leg.name, leg.angle)][row, column]:
            return None
        found = RideState(self._number[leg.before], HEADINGS.index(heading), row, column)
        arriving = int(best[found]) * self._ways_of(leg.check) // self.rolls
        return found if arriving == best[state] else None


class _Onward:
    """Where steps lead from every heading and cell at once: arrays [heading, row, column]."""

    def __init__(self, space: MoveSpace) -> None:
        self._space = space
        self._gates: dict[tuple[str, int], NDArray[np.bool_]] = {}
        self._turns: dict[tuple[str, int], list[int]] = {}

    def after(self, leg: RideStep, before: Planes, nothing: int) -> Planes:
        """Return for each pose the value of the one from which a step leads there, `nothing` where none does."""
        here = np.where(self._gate(leg), before, nothing)
        if leg.angle:
            return np.asarray(here[self._turned_from(leg)])
        return np.append(here, nothing)[self._ahead_from]

    def _gate(self, leg: RideStep) -> NDArray[np.bool_]:
        name = (leg.name, leg.angle) if leg.angle else ("", 0)
        if name not in self._gates:
            self._gates[name] = np.stack([self._space.gates[gate_name(heading, *name)] for heading in HEADINGS])
        return self._gates[name]

    def _turned_from(self, leg: RideStep) -> list[int]:
        """For each heading the number of the one that a turn leads to it from."""
        name = leg.name, leg.angle
        if name not in self._turns:
            after = [HEADINGS.index(heading_after(heading, *name)) for heading in HEADINGS]
            self._turns[name] = [after.index(number) for number in range(len(HEADINGS))]
        return self._turns[name]

    @cached_property
    def _ahead_from(self) -> NDArray[np.intp]:
        """For each pose the number of the one a dot behind it; beyond the cells the number after the last one."""
        cells = np.arange(len(HEADINGS) * math.prod(self._space.shape)).reshape(len(HEADINGS), *self._space.shape)
        steps = [DIRECTIONS[heading // 60] for heading in HEADINGS]
        return np.stack(
            [shifted(plane, -down, -across, cells.size) for plane, (across, down) in zip(cells, steps, strict=True)]
        )
