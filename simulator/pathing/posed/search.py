"""The search over poses: from where a mover may turn next, at what price, wave by wave of equal price.

States are poses at which a leg may end and a turn may follow. They are exact, never moved to a grid; only which of
them are kept goes by bins. From each state rays are cast in the headings that the limits of turn prices lead to, in
every mode, and each ray is a family of legs: states lie `mesh` inches apart along it, and at its end. A ray is cast
only as far as it might lead to something better than what is known, were all the ground as cheap as any.

Many movers are searched for in one pass: on each level a mover has a lane of its own, and lanes of one kind are worked
on together, see `as_one`. What is found for a mover does not depend on the others.

The last turn and leg of an answer are no matter of this search: `reach` has them exactly, for any heading and length.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import TOUCH
from simulator.pathing.columns import join, nth_of_equals, pick
from simulator.pathing.posed.bins import sectors
from simulator.pathing.posed.follow import Gate, followed
from simulator.pathing.posed.lanes import Lane, Lanes, lanes_by_kind
from simulator.pathing.posed.legs import CastLegs
from simulator.pathing.posed.lower_prices import LowerPrices
from simulator.pathing.posed.rays import Rays, may_turn, units
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates, Turned, rates_of, starting, turned
from simulator.pathing.posed.waves import Waves

#: No more legs are cast in one go.
_MOST_LEGS = 1 << 14
#: From no more states legs are cast in one go, unless they are in one lane.
_MOST_STATES = 2048
#: So many steps of the cheapest leg make a wave: states of one wave may lead to each other, and few do.
_WAVE = 4
#: How far apart states lie along a ray, and how wide their bins are, in inches.
MESH = 1.0


def angles_of(space: PoseSpace) -> FloatArray:
    """Return the turns that a search makes: none, and those to the limits of brackets, either way."""
    limits = space.turns.limits
    return np.concatenate([[0.0], limits, [180.0], -limits])


class Searched(NamedTuple):
    """What a search found: the poses that the mover may turn at, the starts first, and the legs between, by level."""

    states: PoseStates
    legs: tuple[CastLegs | None, ...]

    def on(self, space: PoseSpace, level: int) -> FoundOnLevel:
        """Return what was found on one level of a space."""
        states = pick(self.states, self.states.level == level)
        return FoundOnLevel(states, rates_of(space.on(level), states), self.legs[level], self.states)


class FoundOnLevel(NamedTuple):
    """What a search found on one level."""

    states: PoseStates
    rates: FloatArray  #: what turns are multiplied by, by state
    legs: CastLegs | None
    every: PoseStates  #: the states of all levels, by their numbers


def search(space: PoseSpace, lower: Sequence[LowerPrices], mesh: float = MESH) -> Searched:
    """Find the poses that a mover may turn at, cheapest first by waves; `lower` are the prices by level."""
    return search_many([(space, lower)], mesh)[0]


def search_many(movers: Sequence[tuple[PoseSpace, Sequence[LowerPrices]]], mesh: float = MESH) -> list[Searched]:
    """Find the same for many movers in one pass, each with its prices by level."""
    return _PoseSearch(movers, mesh).run()


class _PoseSearch:
    """The search in all lanes: on all levels, for all movers."""

    def __init__(self, movers: Sequence[tuple[PoseSpace, Sequence[LowerPrices]]], mesh: float) -> None:
        self.spaces = [space for space, _ in movers]
        counts = [space.level_count for space in self.spaces]
        #: By mover, the number of its first lane; by lane, the number of its mover.
        self.first, self.mover = np.cumsum([0, *counts]), np.repeat(np.arange(len(movers)), counts)
        lanes = [
            Lane(space.on(level), lower[level], level) for space, lower in movers for level in range(space.level_count)
        ]
        widths = np.array([_WAVE * space.least_rate * mesh for space in self.spaces])[self.mover]
        self.waves = Waves(widths, self.mover)
        self.searches = [_LaneSearch(some, mesh, self.waves) for some in lanes_by_kind(lanes, mesh)]
        self.gates = [_gates(space, mesh) for space in self.spaces]
        self.kept: list[PoseStates] = []
        self.count = np.zeros(len(movers), np.intp)

    def run(self) -> list[Searched]:
        starts = [starting(space) for space in self.spaces]
        self._add(join([self._in_lanes(some, mover) for mover, some in enumerate(starts)]))
        while self.waves:
            due = self.waves.next()
            for some in self.searches:
                for states in some.lots_of(due):
                    numbers = self._keep(states)
                    some.expand(states, numbers)
                    self._go_to_gates(states, numbers)
        return self._by_mover()

    def _in_lanes(self, states: PoseStates, mover: int) -> PoseStates:
        """States of a mover, each with its lane instead of its level."""
        return states._replace(level=states.level + self.first[mover])

    def _keep(self, states: PoseStates) -> IntArray:
        """Return the numbers of states among those of their movers, and follow the links that begin there."""
        whose = self.mover[states.level]
        order = np.argsort(whose, kind="stable")
        numbers = np.empty(len(order), np.intp)
        numbers[order] = self.count[whose[order]] + nth_of_equals(whose[order])
        self.kept.append(states)
        self.count += np.bincount(whose, minlength=len(self.count))
        for mover, some, first in self._by_movers_with(states, numbers, [len(space.links) for space in self.spaces]):
            for arrivals in followed(self.spaces[mover], some, first):
                self._add(self._in_lanes(arrivals, mover))
        return numbers

    def _go_to_gates(self, states: PoseStates, numbers: IntArray) -> None:
        for mover, some, first in self._by_movers_with(states, numbers, [len(gates) for gates in self.gates]):
            for gate in self.gates[mover]:
                if gate.level == some.level[0]:
                    self._keep(self._in_lanes(gate.arrivals(some, first), mover))

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
            found.append(Searched(states, tuple(legs[lane] for lane in range(first, last))))
        return found


def _gates(space: PoseSpace, mesh: float) -> list[Gate]:
    begins = sorted({(link.origin, link.places[0]) for link in space.links if link.places is not None})
    return [Gate(space.on(level), level, place, mesh) for level, place in begins]


class _Fan(NamedTuple):
    """Legs that may follow turns: which turn, in which mode, and how long at most."""

    turn: IntArray
    mode: IntArray
    longest: FloatArray


class _LaneSearch:
    """The search in lanes of one kind."""

    def __init__(self, lanes: Lanes, mesh: float, waves: Waves) -> None:
        self.lanes, self.mesh, self.waves = lanes, mesh, waves
        self.space = lanes.space
        self.angles = angles_of(self.space)
        self.legs: list[tuple[CastLegs, IntArray]] = []  #: with the lane of each

    def legs_by_lane(self) -> Iterator[tuple[int, CastLegs | None]]:
        """Yield each lane with all legs that were cast in it; None if none was."""
        legs = CastLegs.joined([legs for legs, _ in self.legs]) if self.legs else None
        lane = np.concatenate([lane for _, lane in self.legs]) if self.legs else np.zeros(0, np.intp)
        for number, level in self.lanes.numbers.items():
            rows = np.flatnonzero(lane == number)
            if legs is None or not len(rows):
                yield number, None
            else:
                yield number, replace(legs if len(rows) == len(lane) else legs.some(rows), level=level)

    def lots_of(self, states: PoseStates) -> Iterator[PoseStates]:
        """Yield those of some states that lie in these lanes, and that nothing better came after, not too many at once.

        All states of one lane are in one lot.
        """
        states = pick(states, self.lanes.has(states.level))
        held = self.lanes.holds(states.level, states.place, sectors(states.heading), states.free > 0.0, states.price)
        states = pick(states, held)
        yield from self.lanes.lots(states, _MOST_STATES)

    def add(self, states: PoseStates) -> None:
        """Keep of some states those in these lanes that are worth it, and put them off."""
        states = pick(states, self.lanes.has(states.level))
        states = pick(states, np.lexsort((states.heading, states.place[:, 1], states.place[:, 0], states.price)))
        kept = self.lanes.take(states.level, states.place, sectors(states.heading), states.free > 0.0, states.price)
        if len(kept):
            self.waves.add(pick(states, kept))

    def expand(self, states: PoseStates, numbers: IntArray) -> None:
        """Cast legs from states with these numbers, and add the states on them."""
        count = len(states.price)
        state = np.repeat(np.arange(count), len(self.angles))
        rates = rates_of(self.lanes.space_by(states.level), states)
        turns = turned(self.space, states, rates, state, np.tile(self.angles, count))
        turns = pick(turns, self.lanes.space_by(states.level[turns.state]).can_pay(turns.price))
        fan = self._fan(states, turns)
        fan = pick(fan, np.lexsort((fan.turn, turns.price[fan.turn])))
        while len(fan.turn):
            # The cheapest first: what they lead to leaves less of the others to try.
            fan = self._promising(states, turns, fan)
            first = _first_of_each(states.level[turns.state[fan.turn]], _MOST_LEGS)
            if len(fan.turn):
                self._cast(states, turns, pick(fan, first), numbers)
            fan = pick(fan, ~first)

    def _fan(self, states: PoseStates, turns: Turned) -> _Fan:
        """All legs that may follow some turns, as long as the cheapest ground would let them be."""
        turn = np.repeat(np.arange(len(turns.state)), len(self.space.factors))
        mode = np.tile(np.arange(len(self.space.factors)), len(turns.state))
        # Straight on in the mode of the last leg is no new ray: that one goes on by itself.
        onward = (turns.heading[turn] == states.heading[turns.state[turn]]) & (mode == states.mode[turns.state[turn]])
        turn, mode = turn[~onward], mode[~onward]
        space = self.lanes.space_by(states.level[turns.state[turn]])
        left = space.left_for_legs(turns.price[turn], states.travelled[turns.state[turn]])
        return _Fan(turn, mode, space.longest_legs(left, mode))

    def _promising(self, states: PoseStates, turns: Turned, fan: _Fan) -> _Fan:
        """Legs as far as states on them could be worth keeping, were all ground as cheap as any; the others go."""
        leg, inches = self._marks(fan.longest)
        turn = fan.turn[leg]
        lanes = states.level[turns.state[fan.turn]]
        starts = states.place[turns.state[fan.turn]]
        ahead = units(turns.heading[fan.turn] + self.space.asides[fan.mode])
        lower = self.lanes.lower_by(lanes)
        least = lower.at_marks(starts, ahead, np.bincount(leg, minlength=len(fan.turn)), self.mesh)
        price = (
            turns.price[turn]
            + np.maximum(least, self.space.ground.least_prices(inches)) * self.space.factors[fan.mode][leg]
        )
        place = starts[leg] + inches[:, None] * ahead[leg]
        worth = self.lanes.worth(lanes[leg], place, sectors(turns.heading)[turn], turns.free[turn] > 0.0, price)
        worth &= self.lanes.space_by(lanes[leg]).can_pay(price)
        longest = np.zeros(len(fan.turn))
        np.maximum.at(longest, leg[worth], inches[worth])
        return pick(fan._replace(longest=longest), np.flatnonzero(longest > TOUCH))

    def _marks(self, lengths: FloatArray) -> tuple[IntArray, FloatArray]:
        """The places along legs where states lie: which leg, and after how many inches."""
        count = np.floor(lengths / self.mesh + TOUCH).astype(np.intp)
        total = count + ((lengths - count * self.mesh > TOUCH) & (lengths > self.mesh / 4))
        leg = np.repeat(np.arange(len(total)), total)
        place = np.arange(len(leg)) - np.repeat(np.cumsum(total) - total, total)
        return leg, np.minimum((place + 1) * self.mesh, lengths[leg])

    def _cast(self, states: PoseStates, turns: Turned, fan: _Fan, numbers: IntArray) -> None:
        """Cast legs, and add the states on them."""
        used, which = np.unique(fan.turn, return_inverse=True)
        of = turns.state[used]
        before = states.heading[of]
        space = self.lanes.space_by(states.level[of])
        free = may_turn(space, states.place[of], before, turns.heading[used] - before)
        fan = pick(fan, free[which.reshape(-1)])
        turns = pick(turns, fan.turn)
        if not len(fan.turn):
            return
        travelled, lanes = states.travelled[turns.state], states.level[turns.state]
        space = self.lanes.space_by(lanes)
        rays = Rays.cast(space, states.place[turns.state], turns.heading, fan.mode, fan.longest)
        inches = rays.lengths_for(space.left_for_legs(turns.price, travelled))
        legs = CastLegs(turns._replace(state=numbers[turns.state]), fan.mode, travelled, rays, inches)
        self.legs.append((legs, lanes))
        row, after = self._marks(inches)
        self.add(legs.states(row, after)._replace(level=lanes[row]))


def _first_of_each(groups: IntArray, most: int) -> BoolArray:
    """Find the first rows of each group, no more than so many."""
    if len(groups) <= most:
        return np.ones(len(groups), np.bool_)
    order = np.argsort(groups, kind="stable")
    first = np.empty(len(groups), np.bool_)
    first[order] = nth_of_equals(groups[order]) < most
    return first
