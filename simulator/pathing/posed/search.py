"""The search over poses: from where a mover may turn next, at what price, wave by wave of equal price.

States are poses at which a leg may end and a turn may follow. They are exact, never moved to a grid; only which of
them are kept goes by bins. From each state rays are cast in the headings that the limits of turn prices lead to, in
every mode, and each ray is a family of legs: states lie `mesh` inches apart along it, and at its end. A ray is cast
only as far as it might lead to something better than what is known, were all the ground as cheap as any.

The last turn and leg of an answer are no matter of this search: `reach` has them exactly, for any heading and length.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from simulator.geometry.convex import IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import SLACK, TOUCH
from simulator.pathing.columns import join, pick
from simulator.pathing.posed.bins import PoseBins, sectors
from simulator.pathing.posed.follow import Gate, followed
from simulator.pathing.posed.legs import CastLegs
from simulator.pathing.posed.lower_prices import LowerPrices
from simulator.pathing.posed.rays import Rays, may_turn, units
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates, Turned, rates_of, starting, turned

#: No more legs are cast in one go.
_MOST_LEGS = 1 << 14
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
    return _PoseSearch(space, lower, mesh).run()


class _PoseSearch:
    """The search on all levels together."""

    def __init__(self, space: PoseSpace, lower: Sequence[LowerPrices], mesh: float) -> None:
        self.space, wave = space, _WAVE * space.least_rate * mesh
        self.levels = [
            _LevelSearch(space.on(level), level, lower[level], mesh, wave) for level in range(space.level_count)
        ]
        begins = sorted({(link.origin, link.places[0]) for link in space.links if link.places is not None})
        self.gates = [Gate(space.on(level), level, place, mesh) for level, place in begins]
        self.kept: list[PoseStates] = []
        self.count = 0

    def run(self) -> Searched:
        self._add(starting(self.space))
        while level := min((one for one in self.levels if one.waves), key=lambda one: min(one.waves), default=None):
            states = level.next_wave()
            if len(states.price):
                first = self._keep(states)
                level.expand(states, first)
                for gate in self.gates:
                    if gate.level == level.level:
                        self._keep(gate.arrivals(states, first))
        return Searched(join(self.kept), tuple(level.all_legs for level in self.levels))

    def _keep(self, states: PoseStates) -> int:
        """Number states, the first of them as returned, and follow the links that begin there."""
        first = self.count
        self.kept.append(states)
        self.count += len(states.price)
        for arrivals in followed(self.space, states, first):
            self._add(arrivals)
        return first

    def _add(self, states: PoseStates) -> None:
        for number, level in enumerate(self.levels):
            level.add(pick(states, states.level == number))


class _Fan(NamedTuple):
    """Legs that may follow turns: which turn, in which mode, and how long at most."""

    turn: IntArray
    mode: IntArray
    longest: FloatArray


class _LevelSearch:
    """The search on one level."""

    def __init__(self, space: PoseSpace, level: int, lower: LowerPrices, mesh: float, wave: float) -> None:
        self.space, self.level, self.lower, self.mesh, self.wave = space, level, lower, mesh, wave
        self.angles = angles_of(space)
        self.bins = PoseBins(mesh, space.turns, space.window, space.middle)
        self.waves: defaultdict[int, list[PoseStates]] = defaultdict(list)
        self.legs: list[CastLegs] = []

    @property
    def all_legs(self) -> CastLegs | None:
        """All legs that were cast; None if none was."""
        return CastLegs.joined(self.legs) if self.legs else None

    def next_wave(self) -> PoseStates:
        """Take the states of the cheapest wave that nothing better came after."""
        states = join(self.waves.pop(min(self.waves)))
        return pick(states, self.bins.holds(states.place, sectors(states.heading), states.free > 0.0, states.price))

    def add(self, states: PoseStates) -> None:
        """Keep the states that are worth it, and put them off until it is the turn of their wave."""
        states = pick(states, np.lexsort((states.heading, states.place[:, 1], states.place[:, 0], states.price)))
        states = pick(states, self.bins.take(states.place, sectors(states.heading), states.free > 0.0, states.price))
        if not len(states.price):
            return
        waves = np.floor(states.price / self.wave).astype(np.intp)
        order = np.argsort(waves, kind="stable")
        numbers, first = np.unique(waves[order], return_index=True)
        for number, rows in zip(numbers.tolist(), np.split(order, first[1:]), strict=True):
            self.waves[number].append(pick(states, rows))

    def expand(self, states: PoseStates, first: int) -> None:
        """Cast legs from states that are numbered from `first`, and add the states on them."""
        count = len(states.price)
        state = np.repeat(np.arange(count), len(self.angles))
        turns = turned(self.space, states, rates_of(self.space, states), state, np.tile(self.angles, count))
        turns = pick(turns, turns.price <= float(self.space.budget) + SLACK)
        fan = self._fan(states, turns)
        fan = pick(fan, np.lexsort((fan.turn, turns.price[fan.turn])))
        while len(fan.turn):
            # The cheapest first: what they lead to leaves less of the others to try.
            fan = self._promising(states, turns, fan)
            if len(fan.turn):
                self._cast(states, turns, pick(fan, slice(_MOST_LEGS)), first)
            fan = pick(fan, slice(_MOST_LEGS, None))

    def _fan(self, states: PoseStates, turns: Turned) -> _Fan:
        """All legs that may follow some turns, as long as the cheapest ground would let them be."""
        turn = np.repeat(np.arange(len(turns.state)), len(self.space.factors))
        mode = np.tile(np.arange(len(self.space.factors)), len(turns.state))
        # Straight on in the mode of the last leg is no new ray: that one goes on by itself.
        onward = (turns.heading[turn] == states.heading[turns.state[turn]]) & (mode == states.mode[turns.state[turn]])
        turn, mode = turn[~onward], mode[~onward]
        left = self.space.left_for_legs(turns.price[turn], states.travelled[turns.state[turn]])
        return _Fan(turn, mode, self.space.longest_legs(left, mode))

    def _promising(self, states: PoseStates, turns: Turned, fan: _Fan) -> _Fan:
        """Legs as far as states on them could be worth keeping, were all ground as cheap as any; the others go."""
        leg, inches = self._marks(fan.longest)
        turn = fan.turn[leg]
        starts = states.place[turns.state[fan.turn]]
        ahead = units(turns.heading[fan.turn] + self.space.asides[fan.mode])
        least = self.lower.at_marks(starts, ahead, np.bincount(leg, minlength=len(fan.turn)), self.mesh)
        price = (
            turns.price[turn]
            + np.maximum(least, self.space.ground.least_prices(inches)) * self.space.factors[fan.mode][leg]
        )
        place = starts[leg] + inches[:, None] * ahead[leg]
        worth = self.bins.worth(place, sectors(turns.heading)[turn], turns.free[turn] > 0.0, price)
        worth &= price <= float(self.space.budget) + SLACK
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

    def _cast(self, states: PoseStates, turns: Turned, fan: _Fan, first: int) -> None:
        """Cast legs, and add the states on them."""
        used, which = np.unique(fan.turn, return_inverse=True)
        before = states.heading[turns.state[used]]
        free = may_turn(self.space, states.place[turns.state[used]], before, turns.heading[used] - before)
        fan = pick(fan, free[which.reshape(-1)])
        turns = pick(turns, fan.turn)
        if not len(fan.turn):
            return
        travelled = states.travelled[turns.state]
        rays = Rays.cast(self.space, states.place[turns.state], turns.heading, fan.mode, fan.longest)
        inches = rays.lengths_for(self.space.left_for_legs(turns.price, travelled))
        legs = CastLegs(turns._replace(state=turns.state + first), fan.mode, travelled, rays, inches, self.level)
        self.legs.append(legs)
        self.add(legs.states(*self._marks(inches)))
