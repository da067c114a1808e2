"""The search over poses: from where a mover may turn next, at what price, wave by wave of equal price.

States are poses at which a leg may end and a turn may follow. They are exact, never moved to a grid; only which of
them are kept goes by bins. From each state rays are cast in the headings that the limits of turn prices lead to, in
every mode, and each ray is a family of legs: states lie `mesh` inches apart along it, and at its end; see
`lane_search`.

Many movers are searched for in one pass: on each level a mover has a lane of its own, and lanes of one kind are worked
on together, see `as_one`. What is found for a mover does not depend on the others.

The last turn and leg of an answer are no matter of this search: `reach` has them exactly, for any heading and length.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import XY, FloatArray
from simulator.pathing.columns import join, nth_of_equals, pick
from simulator.pathing.posed.aims import Aim
from simulator.pathing.posed.alike import first_alike
from simulator.pathing.posed.edges import Link, OffTheEdge
from simulator.pathing.posed.follow import Gate, followed, leapt, legs_at_edges
from simulator.pathing.posed.lane_search import LaneSearch
from simulator.pathing.posed.lanes import Lane, lanes_by_kind
from simulator.pathing.posed.legs import CastLegs
from simulator.pathing.posed.links import PoseLink
from simulator.pathing.posed.lower_prices import LowerPrices
from simulator.pathing.posed.placed_starts import placed_starts
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates, rates_of, starting
from simulator.pathing.posed.waves import Waves

#: So many steps of the cheapest leg make a wave: states of one wave may lead to each other, and few do.
_WAVE = 4
#: How far apart states lie along a ray, and how wide their bins are, in inches.
MESH = 1.0


class Searched(NamedTuple):
    """What a search found: the poses that the mover may turn at, the starts first, and the legs between, by level."""

    states: PoseStates
    legs: tuple[CastLegs | None, ...]
    placed: IntArray  #: the numbers of the states in which the mover is placed: it does not turn there

    def on(self, space: PoseSpace, level: int) -> FoundOnLevel:
        """Return what was found on one level of a space."""
        here = self.states.level == level
        here[self.placed] = False
        states = pick(self.states, here)
        return FoundOnLevel(states, rates_of(space.on(level), states), self.legs[level], self.states)

    def on_alike_levels(self, first: Sequence[int]) -> Searched:
        """Return the same with what was found on some levels on others as well, each by the level that it is like."""
        states, legs, placed = [self.states], list(self.legs), [self.placed]
        count = len(self.states.price)
        for level, like in enumerate(first):
            if level == like:
                continue
            rows = np.flatnonzero(self.states.level == like)
            number = np.full(len(self.states.price) + 1, -1)  # the last one is that of no state
            number[rows] = count + np.arange(len(rows))
            some = pick(self.states, rows)
            states.append(some._replace(level=np.full(len(rows), level), parent=number[some.parent]))
            placed.append(number[self.placed[self.states.level[self.placed] == like]])
            cast = self.legs[like]
            if cast is not None:
                turns = cast.turns._replace(state=number[cast.turns.state])
                legs[level] = replace(cast, turns=turns, level=level)
            count += len(rows)
        return Searched(join(states), tuple(legs), np.concatenate(placed))


class FoundOnLevel(NamedTuple):
    """What a search found on one level."""

    states: PoseStates
    rates: FloatArray  #: what turns are multiplied by, by state
    legs: CastLegs | None
    every: PoseStates  #: the states of all levels, by their numbers

    def up_to(self, space: PoseSpace) -> FoundOnLevel:
        """Return what can be paid of it in a space with a smaller budget."""
        row = np.flatnonzero(space.can_pay(self.states.price))
        legs = None if self.legs is None else self.legs.up_to(space)
        return FoundOnLevel(pick(self.states, row), self.rates[row], legs, self.every)


def search(
    space: PoseSpace,
    lower: Sequence[LowerPrices],
    mesh: float = MESH,
    begins: PoseStates | None = None,
    aim: Aim | None = None,
) -> Searched:
    """Find the poses that a mover may turn at, cheapest first by waves; `lower` are the prices by level.

    It `begins` in some states; None: at the starts of the space. With an `aim` it only looks for ways there.
    """
    return _PoseSearch([(space, lower)], mesh, aim).run([starting(space) if begins is None else begins])[0]


def search_many(movers: Sequence[tuple[PoseSpace, Sequence[LowerPrices]]], mesh: float = MESH) -> list[Searched]:
    """Find the same for many movers in one pass, each with its prices by level."""
    return _PoseSearch(movers, mesh).run([starting(space) for space, _ in movers])


class _PoseSearch:
    """The search in all lanes: on all levels, for all movers."""

    def __init__(
        self, movers: Sequence[tuple[PoseSpace, Sequence[LowerPrices]]], mesh: float, aim: Aim | None = None
    ) -> None:
        self.spaces = [space for space, _ in movers]
        counts = [space.level_count for space in self.spaces]
        #: By mover, the number of its first lane; by lane, the number of its mover.
        self.first, self.mover = np.cumsum([0, *counts]), np.repeat(np.arange(len(movers)), counts)
        lanes = [
            Lane(space.on(level), lower[level], level) for space, lower in movers for level in range(space.level_count)
        ]
        widths = np.array([_WAVE * space.least_rate * mesh for space in self.spaces])[self.mover]
        self.waves = Waves(widths, self.mover)
        self.searches = [LaneSearch(some, mesh, self.waves, aim) for some in lanes_by_kind(lanes, mesh)]
        self.gates = [_gates(space, mesh) for space in self.spaces]
        #: The movers that may leap off edges and go on.
        self.leapers = [mover for mover, space in enumerate(self.spaces) if any(map(_goes_on_beyond, space.links))]
        self.kept = [pick(starting(self.spaces[0]), slice(0))]
        self.count = np.zeros(len(movers), np.intp)
        self.placed = list[tuple[IntArray, IntArray]]()  #: the movers and the numbers of states
        self.mesh = mesh
        #: By mover and level, the first level on which as much is found: the others are not searched.
        self.first_alike = [first_alike(space, MESH) for space in self.spaces]

    def run(self, begins: Sequence[PoseStates]) -> list[Searched]:
        self._add(join([self._in_lanes(self._once(some, mover), mover) for mover, some in enumerate(begins)]))
        if any(space.placings for space in self.spaces):
            self._place()
        while self.waves:
            due = self.waves.next()
            for some in self.searches:
                for states in some.lots_of(due):
                    numbers, cast = self._keep(states), len(some.legs)
                    some.expand(states, numbers, self._number)
                    self._leap_at_once(states, numbers)
                    for legs, lanes in some.legs[cast:] if self.leapers else ():
                        self._leap(legs, lanes)
                    self._go_to_gates(states, numbers)
        return self._by_mover()

    def _place(self) -> None:
        """Begin where movers may be placed."""
        found = [
            placed_starts(space, self.mesh, sorted(set(alike)))
            for space, alike in zip(self.spaces, self.first_alike, strict=True)
        ]
        straight, turning = (
            join([self._in_lanes(some, mover) for mover, some in enumerate(part)]) for part in zip(*found, strict=True)
        )
        for some in self.searches:
            for states in some.lots_of_placed(straight):
                numbers = self._keep(states)
                self.placed.append((self.mover[states.level], numbers))
                some.expand(states, numbers, self._number, straight_on=True)
                self._go_to_gates(states, numbers)
        self._add(turning)

    def _once(self, states: PoseStates, mover: int) -> PoseStates:
        """Those of the states of a mover that are on levels which are searched."""
        alike = np.array(self.first_alike[mover])
        return pick(states, alike[states.level] == states.level)

    def _in_lanes(self, states: PoseStates, mover: int) -> PoseStates:
        """States of a mover, each with its lane instead of its level."""
        return states._replace(level=states.level + self.first[mover])

    def _keep(self, states: PoseStates) -> IntArray:
        """Number states, and follow the links that begin there."""
        numbers = self._number(states)
        for mover, some, first in self._by_movers_with(states, numbers, [len(space.links) for space in self.spaces]):
            for arrivals in followed(self.spaces[mover], some, first):
                self._add(self._in_lanes(arrivals, mover))
        return numbers

    def _leap_at_once(self, states: PoseStates, numbers: IntArray) -> None:
        """Add the states that leaps lead to from states which touch an edge, after a turn at most."""
        counts = [mover in self.leapers for mover in range(len(self.spaces))]
        for mover, some, first in self._by_movers_with(states, numbers, counts):
            for level in np.unique(some.level).tolist():
                row = np.flatnonzero(some.level == level)
                legs = legs_at_edges(self.spaces[mover], level, pick(some, row), first + row)
                if legs is not None:
                    self._leap(legs, np.full(len(legs.mode), self.first[mover] + level))

    def _leap(self, legs: CastLegs, lanes: IntArray) -> None:
        """Add the states that leaps off edges lead to from legs in some lanes, where they are of use."""
        for mover in self.leapers:
            first = self.first[mover]
            for level in sorted({link.origin for link in self.spaces[mover].links if _goes_on_beyond(link)}):
                lane = first + level
                rows = np.flatnonzero(lanes == lane)
                if not len(rows):
                    continue
                some = replace(legs.some(rows), level=level)
                for touching, landed in leapt(self.spaces[mover], some):
                    landed = self._in_lanes(landed, mover)
                    landed = pick(landed, self._are_worth(landed))
                    before = self._in_lanes(pick(touching, landed.parent), mover)
                    self._add(landed._replace(parent=self._number(before)))

    def _are_worth(self, states: PoseStates) -> BoolArray:
        return np.asarray(np.logical_or.reduce([some.are_worth(states) for some in self.searches]))

    def _number(self, states: PoseStates) -> IntArray:
        """Return the numbers of states among those of their movers."""
        whose = self.mover[states.level]
        order = np.argsort(whose, kind="stable")
        numbers = np.empty(len(order), np.intp)
        numbers[order] = self.count[whose[order]] + nth_of_equals(whose[order])
        self.kept.append(states)
        self.count += np.bincount(whose, minlength=len(self.count))
        return numbers

    def _go_to_gates(self, states: PoseStates, numbers: IntArray) -> None:
        for mover, some, first in self._by_movers_with(states, numbers, [len(gates) for gates in self.gates]):
            for gate in self.gates[mover]:
                if gate.level == some.level[0]:
                    there = gate.arrivals(some, first)
                    numbered = self._keep(self._in_lanes(there, mover))
                    if len(numbered):
                        self._keep(self._in_lanes(gate.turned(there, int(numbered[0])), mover))

    def _by_movers_with(
        self, states: PoseStates, numbers: IntArray, counts: Sequence[int]
    ) -> Iterator[tuple[int, PoseStates, int]]:
        """Yield of each mover that has some of something its states, on their levels, and the number of the first."""
        whose = self.mover[states.level]
        for mover, count in enumerate(counts):
            rows = np.flatnonzero((whose == mover) & (count > 0))
            if len(rows):
                some = pick(states, rows)
                yield mover, some._replace(level=some.level - self.first[mover]), int(numbers[rows[0]])

    def _add(self, states: PoseStates) -> None:
        for some in self.searches:
            some.add(states)

    def _by_mover(self) -> list[Searched]:
        kept = join(self.kept)
        whose = self.mover[kept.level]
        legs = dict(found for some in self.searches for found in some.legs_by_lane())
        found = []
        for mover, (first, last) in enumerate(zip(self.first[:-1].tolist(), self.first[1:].tolist(), strict=True)):
            states = pick(kept, whose == mover)
            states = states._replace(level=states.level - first)
            placed = [numbers[of == mover] for of, numbers in self.placed]
            placed_ = np.concatenate([np.zeros(0, np.intp), *placed])
            searched = Searched(states, tuple(legs[lane] for lane in range(first, last)), placed_)
            found.append(searched.on_alike_levels(self.first_alike[mover]))
        return found


def _gates(space: PoseSpace, mesh: float) -> list[Gate]:
    begins = defaultdict[tuple[int, XY], bool](bool)
    for link in space.links:
        if isinstance(link, PoseLink) and link.places is not None:
            turns_there = link.walked > 0 or bool(link.bars) or space.turns.separation is None
            begins[link.origin, link.places[0]] |= turns_there
    return [Gate(space.on(level), level, place, mesh, parts=begins[level, place]) for level, place in sorted(begins)]


def _goes_on_beyond(link: Link) -> bool:
    """Whether a link leads off an edge, and the move may go on where it lands."""
    return isinstance(link, OffTheEdge) and not link.ends
