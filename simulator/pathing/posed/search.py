"""The search over poses: from where a mover may turn next, at what price, wave by wave of equal price.

PoseStates are poses at which a leg may end and a turn may follow. They are exact, never moved to a grid; only which of
them are kept goes by bins. From each state rays are cast in the headings that the limits of turn prices lead to, in
every mode, and each ray is a family of legs: states lie `mesh` inches apart along it, and at its end. A ray is cast
only as far as it might lead to something better than what is known, were all the ground as cheap as any.

The last turn and leg of an answer are no matter of this search: `reach` has them exactly, for any heading and length.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import SLACK, TOUCH
from simulator.pathing.posed.bins import PoseBins, Window, sectors
from simulator.pathing.posed.rays import Rays, may_turn, units
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.turn_prices import NO_GROUP, TurnGroups

#: No more legs are cast in one go.
_MOST_LEGS = 1 << 14
#: So many steps of the cheapest leg make a wave: states of one wave may lead to each other, and few do.
_WAVE = 4
#: How far apart states lie along a ray, and how wide their bins are, in inches, unless a question says otherwise.
MESH = 0.5


class PoseStates(NamedTuple):
    """Poses to turn at, one row each; see `search`."""

    place: FloatArray
    heading: FloatArray  #: degrees, sums of what was turned, not brought into one circle
    price: FloatArray
    travelled: FloatArray  #: the part of the price that legs cost
    free: FloatArray  #: the degrees that may still be turned for nothing
    group: TurnGroups
    parent: IntArray  #: the state before; -1 at a start
    mode: IntArray  #: of the leg that ended here; -1 at a start
    inches: FloatArray  #: how long that leg was
    used: FloatArray  #: the degrees that were turned for nothing before that leg

    def of(self, rows: IntArray | BoolArray) -> PoseStates:
        """Return some of the states."""
        group = TurnGroups(*(column[rows] for column in self.group))
        return self._replace(
            place=self.place[rows],
            heading=self.heading[rows],
            price=self.price[rows],
            travelled=self.travelled[rows],
            free=self.free[rows],
            group=group,
            parent=self.parent[rows],
            mode=self.mode[rows],
            inches=self.inches[rows],
            used=self.used[rows],
        )


def joined(parts: list[PoseStates]) -> PoseStates:
    """Return several lots of states as one."""

    def column(name: str) -> FloatArray:
        return np.concatenate([getattr(part, name) for part in parts])

    return PoseStates(
        place=column("place"),
        heading=column("heading"),
        price=column("price"),
        travelled=column("travelled"),
        free=column("free"),
        group=_groups([part.group for part in parts]),
        parent=np.concatenate([part.parent for part in parts]),
        mode=np.concatenate([part.mode for part in parts]),
        inches=column("inches"),
        used=column("used"),
    )


def _groups(parts: list[TurnGroups]) -> TurnGroups:
    return TurnGroups(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def starting(space: PoseSpace) -> PoseStates:
    """Return the states that a space starts with."""
    starts = space.starts
    groups = np.array([[float(value) for value in start.group] for start in starts]).reshape(-1, len(NO_GROUP))
    free = [space.turns.free if start.free is None else start.free for start in starts]
    none = np.zeros(len(starts))
    numbers = np.full(len(starts), -1)
    return PoseStates(
        np.array([start.place for start in starts], np.float64).reshape(-1, 2),
        np.array([float(start.heading) for start in starts]),
        np.array([float(start.paid) for start in starts]),
        np.array([float(start.travelled) for start in starts]),
        np.array([float(degrees) for degrees in free]),
        TurnGroups(*groups.T),
        numbers,
        numbers,
        none,
        none,
    )


class Turned(NamedTuple):
    """Turns made from states: which state, the heading after, all that is paid, and what the turn leaves behind."""

    state: IntArray
    heading: FloatArray
    price: FloatArray
    free: FloatArray
    group: TurnGroups
    used: FloatArray

    def of(self, rows: IntArray | BoolArray) -> Turned:
        """Return some of the turns."""
        group = TurnGroups(*(column[rows] for column in self.group))
        return Turned(self.state[rows], self.heading[rows], self.price[rows], self.free[rows], group, self.used[rows])


def turned(space: PoseSpace, states: PoseStates, rates: FloatArray, state: IntArray, angles: FloatArray) -> Turned:
    """Make turns by angles of at most 180 degrees, each from a state; where degrees are free, with and without them."""
    turns, group = space.turns, states.group.of(state)
    price, after = turns.turns(group, angles)
    price = price * rates[state]
    swept, none = np.abs(angles), np.zeros(len(angles))
    found = [
        Turned(state, states.heading[state] + angles, states.price[state] + price, states.free[state], after, none)
    ]
    freely = np.flatnonzero((states.free[state] > 0.0) & (swept > 0.0))
    if len(freely):
        of, angle = state[freely], angles[freely]
        used = np.minimum(states.free[of], swept[freely])
        price = turns.prices(swept[freely] - used) * rates[of]
        found.append(
            Turned(
                of,
                states.heading[of] + angle,
                states.price[of] + price,
                np.zeros(len(of)),
                after.of(freely),
                np.copysign(used, angle),
            )
        )
    return Turned(
        state=np.concatenate([part.state for part in found]),
        heading=np.concatenate([part.heading for part in found]),
        price=np.concatenate([part.price for part in found]),
        free=np.concatenate([part.free for part in found]),
        group=_groups([part.group for part in found]),
        used=np.concatenate([part.used for part in found]),
    )


def rates_of(space: PoseSpace, states: PoseStates) -> FloatArray:
    """Compute what turns are multiplied by at states: the rate of the ground there, where it counts."""
    if not space.turns.times_rate:
        return np.ones(len(states.price))
    return space.ground.rates_at(states.place, np.mod(states.heading, 360.0))


def search(space: PoseSpace, mesh: float = MESH) -> PoseStates:
    """Find the poses that a mover may turn at, cheapest first by waves; the starts come first."""
    return _PoseSearch(space, mesh).run()


class _Fan(NamedTuple):
    """Legs that may follow turns: which turn, in which mode, and how long at most."""

    turn: IntArray
    mode: IntArray
    longest: FloatArray

    def of(self, rows: IntArray | BoolArray | slice) -> _Fan:
        return _Fan(self.turn[rows], self.mode[rows], self.longest[rows])


class _PoseSearch:
    def __init__(self, space: PoseSpace, mesh: float) -> None:
        self.space, self.mesh = space, mesh
        limits = sorted({float(limit) for limit, _ in space.turns.brackets if limit < 180} | {180.0})
        self.angles = np.array([0.0, *limits, *(-limit for limit in limits if limit < 180.0)])
        self.factor = np.array([float(mode.factor) for mode in space.modes])
        self.aside = np.array([mode.aside for mode in space.modes])
        self.least = float(space.ground.least)
        #: No leg between two states costs less.
        self.step = self.least * float(self.factor.min(initial=1.0)) * mesh
        self.wave = _WAVE * self.step
        self.bins = PoseBins(mesh, space.turns, _window(space))
        self.waves: defaultdict[int, list[PoseStates]] = defaultdict(list)
        self.kept: list[PoseStates] = []
        self.count = 0

    def run(self) -> PoseStates:
        self._add(starting(self.space))
        while self.waves:
            number = min(self.waves)
            states = joined(self.waves.pop(number))
            states = states.of(self.bins.holds(states.place, sectors(states.heading), states.free > 0.0, states.price))
            if len(states.price):
                self._expand(states)
        return joined(self.kept)

    def _add(self, states: PoseStates) -> None:
        """Keep the states that are worth it, and put them off until it is the turn of their wave."""
        states = states.of(np.lexsort((states.heading, states.place[:, 1], states.place[:, 0], states.price)))
        states = states.of(self.bins.take(states.place, sectors(states.heading), states.free > 0.0, states.price))
        if not len(states.price):
            return
        waves = np.floor(states.price / self.wave).astype(np.intp)
        order = np.argsort(waves, kind="stable")
        numbers, first = np.unique(waves[order], return_index=True)
        for number, rows in zip(numbers.tolist(), np.split(order, first[1:]), strict=True):
            self.waves[number].append(states.of(rows))

    def _expand(self, states: PoseStates) -> None:
        first, count = self.count, len(states.price)
        self.kept.append(states)
        self.count += count
        state = np.repeat(np.arange(count), len(self.angles))
        turns = turned(self.space, states, rates_of(self.space, states), state, np.tile(self.angles, count))
        turns = turns.of(turns.price + self.step <= float(self.space.budget) + SLACK)
        fan = self._fan(states, turns)
        fan = fan.of(np.lexsort((fan.turn, turns.price[fan.turn])))
        while len(fan.turn):
            # The cheapest first: what they lead to leaves less of the others to try.
            fan = self._promising(states, turns, fan)
            if len(fan.turn):
                self._cast(states, turns, fan.of(slice(_MOST_LEGS)), first)
            fan = fan.of(slice(_MOST_LEGS, None))

    def _fan(self, states: PoseStates, turns: Turned) -> _Fan:
        """All legs that may follow some turns, as long as the cheapest ground would let them be."""
        turn = np.repeat(np.arange(len(turns.state)), len(self.factor))
        mode = np.tile(np.arange(len(self.factor)), len(turns.state))
        # Straight on in the mode of the last leg is no new ray: that one goes on by itself.
        onward = (turns.heading[turn] == states.heading[turns.state[turn]]) & (mode == states.mode[turns.state[turn]])
        turn, mode = turn[~onward], mode[~onward]
        left = self._left(turns.price[turn], states.travelled[turns.state[turn]])
        return _Fan(turn, mode, left / (self.least * self.factor[mode]))

    def _left(self, paid: FloatArray, travelled: FloatArray) -> FloatArray:
        """What may still be spent on a leg."""
        left = float(self.space.budget) - paid
        if self.space.most_travelled is not None:
            left = np.minimum(left, float(self.space.most_travelled) - travelled)
        return np.asarray(np.maximum(left, 0.0))

    def _promising(self, states: PoseStates, turns: Turned, fan: _Fan) -> _Fan:
        """Legs as far as states on them could be worth keeping, were all ground as cheap as any; the others go."""
        leg, inches = self._marks(fan.longest)
        turn = fan.turn[leg]
        ahead = units(turns.heading[fan.turn] + self.aside[fan.mode])
        place = states.place[turns.state[turn]] + inches[:, None] * ahead[leg]
        price = turns.price[turn] + inches * (self.least * self.factor[fan.mode])[leg]
        worth = self.bins.worth(place, sectors(turns.heading)[turn], turns.free[turn] > 0.0, price)
        longest = np.zeros(len(fan.turn))
        np.maximum.at(longest, leg[worth], inches[worth])
        return fan._replace(longest=longest).of(np.flatnonzero(longest > TOUCH))

    def _marks(self, lengths: FloatArray) -> tuple[IntArray, FloatArray]:
        """The places along legs where states lie: which leg, and after how many inches."""
        count = np.floor(lengths / self.mesh + TOUCH).astype(np.intp)
        total = count + ((lengths - count * self.mesh > TOUCH) & (lengths > self.mesh))
        leg = np.repeat(np.arange(len(total)), total)
        place = np.arange(len(leg)) - np.repeat(np.cumsum(total) - total, total)
        return leg, np.minimum((place + 1) * self.mesh, lengths[leg])

    def _cast(self, states: PoseStates, turns: Turned, fan: _Fan, first: int) -> None:
        """Cast legs, and add the states on them."""
        used, which = np.unique(fan.turn, return_inverse=True)
        before = states.heading[turns.state[used]]
        free = may_turn(self.space, states.place[turns.state[used]], before, turns.heading[used] - before)
        fan = fan.of(free[which.reshape(-1)])
        turns = turns.of(fan.turn)
        if not len(fan.turn):
            return
        travelled = states.travelled[turns.state]
        rays = Rays.cast(self.space, states.place[turns.state], turns.heading, fan.mode, fan.longest)
        ray, length = self._marks(rays.lengths_for(self._left(turns.price, travelled)))
        leg = rays.prices(ray, length)
        place, price = rays.places(ray, length), turns.price[ray] + leg
        group = turns.group.of(ray)
        self._add(
            PoseStates(
                place,
                turns.heading[ray],
                price,
                travelled[ray] + leg,
                turns.free[ray],
                group._replace(inches=group.inches + length),
                turns.state[ray] + first,
                fan.mode[ray],
                length,
                turns.used[ray],
            )
        )


def _window(space: PoseSpace) -> Window:
    """The part of the table that a space's movers may get to."""
    least = space.ground.least * min((mode.factor for mode in space.modes), default=Fraction(1))
    far = max(float((space.budget - start.paid) / least) for start in space.starts)
    places = np.array([start.place for start in space.starts])
    (left, bottom), (right, top) = places.min(axis=0) - far, places.max(axis=0) + far
    if space.box is None:
        return Window(left, bottom, right, top)
    return Window(*np.maximum((left, bottom), space.box[:2]), *np.minimum((right, top), space.box[2:]))
