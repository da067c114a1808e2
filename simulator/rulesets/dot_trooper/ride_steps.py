"""The steps between rides as arrays: which can be taken together, and to which poses they lead."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulator.byte_cache import kept
from simulator.engine.clauses import clause
from simulator.geometry.arrays import shifted
from simulator.geometry.hex_lattice import DIRECTIONS
from simulator.pathing.columns import nth_rows
from simulator.pathing.move_space import MoveSpace
from simulator.rulesets.dot_trooper.drive_states import HEADINGS, gate_name
from simulator.rulesets.dot_trooper.poses import heading_after
from simulator.rulesets.dot_trooper.riding import (
    ANGLES,
    CUT_SHORT,
    SEGMENTS,
    SIDES,
    Check,
    Gear,
    Ride,
    Rides,
    RideStep,
    check_of_end,
)

Numbers = NDArray[np.intp]
#: What a step does to a pose, by its number: a dot ahead, or a turn.
_AHEAD = ("", 0)
_KINDS = (_AHEAD, *product(SIDES, ANGLES))
#: Bytes of a step in all columns.
_BYTES = 72


@dataclass(frozen=True, eq=False)
class RideSteps:
    """The steps of `Rides.legs` in columns, by their numbers; rides by theirs.

    Steps are taken in stages: first those from the first ride, then those from rides one step from there, and so on.
    Free turns that lead from a ride to itself are a stage of their own, before what leads on from it.
    """

    before: Numbers
    after: Numbers
    kind: Numbers
    #: The check of each step and that at the end of each ride, by its place in `checks`.
    check: Numbers
    check_of_end: Numbers
    checks: tuple[Check | None, ...]
    #: How often the pose counts in which a step sets out, and that in which it arrives, if it can be fired at.
    begins: Numbers
    completes: Numbers
    #: Of each ride, whether its end cuts a segment short.
    is_cut_short: NDArray[np.bool_]

    @property
    def byte_count(self) -> int:
        """The number of bytes of the columns."""
        return _BYTES * len(self.before)

    @cached_property
    def stage(self) -> Numbers:
        """The stage of each step; stages of turns from rides to themselves have even numbers."""
        depth = [0] * len(self.check_of_end)
        # The steps are in an order in which each leads on.
        for here, there in zip(self.before.tolist(), self.after.tolist(), strict=True):
            if here != there:
                depth[there] = max(depth[there], depth[here] + 1)
        return np.asarray(2 * np.array(depth, np.intp)[self.before] + (self.before != self.after))

    @cached_property
    def in_turn(self) -> Numbers:
        """The numbers of the steps, stage by stage."""
        return np.argsort(self.stage, kind="stable")

    def most_checks(self, risky: NDArray[np.bool_], come_round: int) -> int:
        """Return the most checks that can fail in one ride, the one at its end included.

        `risky` tells of each check whether it may fail; a free turn is made at most so many times.
        """
        may_fail = risky[self.check].tolist()
        steps = list(zip(self.before.tolist(), self.after.tolist(), may_fail, strict=True))
        turning = {before for before, after, fails in steps if before == after and fails}
        most = [come_round * (ride in turning) for ride in range(len(self.check_of_end))]
        for before, after, fails in steps:
            if before != after:
                most[after] = max(most[after], most[before] + fails + come_round * (after in turning))
        return max(most, default=0) + 1


@kept(megabytes=16)
def ride_steps(gear: Gear, rides: Rides) -> RideSteps:
    """Return the steps of all rides in columns; they do not depend on the map."""
    number = {ride: place for place, ride in enumerate(rides.rides)}
    due = [check_of_end(gear, ride) for ride in rides.rides]
    checks = tuple(dict.fromkeys([None, *(leg.check for leg in rides.legs), *due]))
    cut_short = {ride: _is_cut_short(gear, ride) for ride in rides.rides}

    def column(values: Iterable[Any]) -> Numbers:
        return np.array(list(values), np.intp)

    return RideSteps(
        before=column(number[leg.before] for leg in rides.legs),
        after=column(number[leg.after] for leg in rides.legs),
        kind=column(_KINDS.index((leg.name, leg.angle) if leg.angle else _AHEAD) for leg in rides.legs),
        check=column(checks.index(leg.check) for leg in rides.legs),
        check_of_end=column(map(checks.index, due)),
        checks=checks,
        begins=column(_begins(leg, cut_short[leg.before]) for leg in rides.legs),
        completes=column(not leg.angle and not cut_short[leg.after] for leg in rides.legs),
        is_cut_short=np.array(list(cut_short.values()), np.bool_),
    )


@clause("DT-72", "DT-98", role="odds")
def _is_cut_short(gear: Gear, ride: Ride) -> bool:
    """Whether the current segment has dots left and its end is still to come."""
    return bool(ride.segment) and ride.dots < gear.dots_of(ride.segment) and ride.rest != CUT_SHORT


def _begins(leg: RideStep, cuts_short: bool) -> int:
    """Return how often the pose counts in which a step begins a segment, 0 if it begins none.

    If the segment before was cut short, it ends in that pose too; it ends where a turn comes after it.
    """
    if leg.angle:
        return int(leg.after.rest == CUT_SHORT and not leg.before.rest)
    return 0 if leg.name not in SEGMENTS else 1 + cuts_short


# --- on a map ---


class RideLinks(NamedTuple):
    """Steps from state to state, stage by stage; states by their places among those that are reached."""

    before: Numbers
    after: Numbers
    step: Numbers

    def of(self, rows: NDArray[Any]) -> RideLinks:
        """Return some of them."""
        return RideLinks(*(column[rows] for column in self))

    def stages(self, steps: RideSteps) -> Iterator[tuple[bool, slice]]:
        """Yield the rows of each stage, and whether its steps are turns that lead from rides to themselves."""
        stage = steps.stage[self.step]
        ends = np.flatnonzero(np.diff(stage, append=-1)) + 1
        for first, end in pairwise([0, *ends.tolist()]):
            yield bool(stage[first] % 2 == 0), slice(first, end)


def links_between(steps: RideSteps, space: MoveSpace, ride: Numbers, pose: Numbers) -> RideLinks:
    """Return where steps lead on a map, between the states that are reached: rides in order, and poses."""
    rides, targets = len(steps.check_of_end), _targets(space)
    first = np.searchsorted(ride, np.arange(rides + 1))
    before = steps.before[steps.in_turn]
    row, number = nth_rows(first[before + 1] - first[before])
    state, step = first[before][row] + number, steps.in_turn[row]
    there = targets[steps.kind[step], pose[state]]
    place = np.full((rides, targets.shape[1]), -1)
    place[ride, pose] = np.arange(len(ride))
    after = np.where(there >= 0, place[steps.after[step], there], -1)
    return RideLinks(state, after, step).of(np.flatnonzero(after >= 0))


def _targets(space: MoveSpace) -> Numbers:
    """For each kind of step the pose that it leads to from each pose, -1 where there is none or its gate is shut."""
    gates: Mapping[str, NDArray[np.bool_]] = space.gates
    open_ = np.stack([gates[gate_name(heading, *kind)] for kind in _KINDS for heading in HEADINGS])
    anywhere = _targets_anywhere(space.shape)
    return np.where(open_.reshape(anywhere.shape), anywhere, -1)


@kept(megabytes=16)
def _targets_anywhere(shape: tuple[int, int]) -> Numbers:
    poses = np.arange(len(HEADINGS) * math.prod(shape)).reshape(len(HEADINGS), *shape)
    found = np.empty((len(_KINDS), *poses.shape), np.intp)
    for number, (side, angle) in enumerate(_KINDS):
        for heading, plane in zip(HEADINGS, found[number], strict=True):
            if angle:
                plane[:] = poses[HEADINGS.index(heading_after(heading, side, angle))]
            else:
                across, down = DIRECTIONS[heading // 60]
                plane[:] = shifted(poses[HEADINGS.index(heading)], down, across, -1)
    return found.reshape(len(_KINDS), -1)
