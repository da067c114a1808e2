"""The search over poses: from where a mover may turn next, at what price, wave by wave of equal price.

PoseStates are poses at which a leg may end and a turn may follow. They are exact, never moved to a grid; only which of
them are kept goes by bins. From each state rays are cast in the headings that the limits of turn prices lead to, in
every mode, and each ray is a family of legs: states lie `mesh` inches apart along it, and at its end. The last turn
and leg of an answer are no matter of this search: `ends` has them exactly, for any heading and length.

A state is kept if no other in its bin is as good whatever turn comes next: headings are compared by how much more
the turns may cost that follow from one of them.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import SLACK, TOUCH
from simulator.pathing.posed.rays import MOST_RAYS, Rays, may_turn
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.turn_prices import NO_GROUP, TurnGroups

#: How far apart states lie along a ray, and how wide their bins are, in inches, unless a question says otherwise.
MESH = 0.5
#: Into so many sectors bins divide the circle.
_SECTORS = 32


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


@dataclass
class _Bins:
    """The prices at which each bin was reached, and what states with other headings would have to cost less than."""

    mesh: float
    worse: FloatArray  #: by sectors apart, how much more turns may cost that follow
    best: dict[tuple[int, int, bool], FloatArray] = field(default_factory=dict)

    def take(self, states: PoseStates, rows: IntArray) -> list[int]:
        """Keep of some states, the cheapest first, those that nothing in their bins is as good as."""
        cells = np.floor(states.place[rows] / self.mesh).astype(np.int64).tolist()
        sectors = np.round(np.mod(states.heading[rows], 360.0) * (_SECTORS / 360.0)).astype(np.int64) % _SECTORS
        kept = []
        facts = zip(rows.tolist(), cells, sectors.tolist(), states.price[rows].tolist(), strict=True)
        for row, (across, down), sector, price in facts:
            free = bool(states.free[row] > 0.0)
            key = across, down, free
            known = self.best.get(key)
            if known is not None and known[sector] <= price + TOUCH:
                continue
            if not free:
                better = self.best.get((across, down, True))
                if better is not None and better[sector] <= price + TOUCH:
                    continue
            reached = price + np.roll(self.worse, sector)
            self.best[key] = reached if known is None else np.minimum(known, reached)
            kept.append(row)
        return kept


def _worse(space: PoseSpace) -> FloatArray:
    """By how much turns may cost more that follow from a heading so many sectors off: a group open counts as none."""
    apart = np.arange(_SECTORS) * (360.0 / _SECTORS)
    angles = np.linspace(-180.0, 180.0, 721)

    def price(turn: FloatArray) -> FloatArray:
        return space.turns.prices(180.0 - np.abs(np.mod(turn, 360.0) - 180.0))

    return np.array([float(np.max(price(angles + off) - price(angles))) for off in apart.tolist()])


def search(space: PoseSpace, mesh: float = MESH) -> PoseStates:
    """Find the poses that a mover may turn at, cheapest first by waves; the starts come first."""
    return _PoseSearch(space, mesh).run()


class _PoseSearch:
    def __init__(self, space: PoseSpace, mesh: float) -> None:
        self.space, self.mesh = space, mesh
        limits = sorted({float(limit) for limit, _ in space.turns.brackets if limit < 180} | {180.0})
        self.angles = np.array([0.0, *limits, *(-limit for limit in limits if limit < 180.0)])
        least = min((mode.factor for mode in space.modes), default=Fraction(1)) * space.ground.least
        #: No leg between two states costs less, so that states of one wave never lead to each other.
        self.wave = float(least) * mesh
        self.bins = _Bins(mesh, _worse(space))
        self.waves: defaultdict[int, list[PoseStates]] = defaultdict(list)
        self.kept: list[PoseStates] = []
        self.count = 0

    def run(self) -> PoseStates:
        self._add(starting(self.space))
        while self.waves:
            number = min(self.waves)
            states = joined(self.waves.pop(number))
            order = np.lexsort((states.heading, states.place[:, 1], states.place[:, 0], states.price))
            rows = np.array(self.bins.take(states, order), np.intp)
            if len(rows):
                self._expand(states.of(rows))
        return joined(self.kept)

    def _add(self, states: PoseStates) -> None:
        waves = np.floor(states.price / self.wave + TOUCH).astype(np.intp)
        for number in np.unique(waves).tolist():
            self.waves[number].append(states.of(np.flatnonzero(waves == number)))

    def _expand(self, states: PoseStates) -> None:
        first, count = self.count, len(states.price)
        self.kept.append(states)
        self.count += count
        state = np.repeat(np.arange(count), len(self.angles))
        turns = turned(self.space, states, rates_of(self.space, states), state, np.tile(self.angles, count))
        budget = float(self.space.budget)
        turns = turns.of(turns.price + self.wave <= budget + SLACK)
        before = states.heading[turns.state]
        turns = turns.of(may_turn(self.space, states.place[turns.state], before, turns.heading - before))
        ray = np.repeat(np.arange(len(turns.state)), len(self.space.modes))
        mode = np.tile(np.arange(len(self.space.modes)), len(turns.state))
        # Straight on in the mode of the last leg is no new ray: that one goes on by itself.
        onward = (turns.heading[ray] == states.heading[turns.state[ray]]) & (mode == states.mode[turns.state[ray]])
        ray, mode = ray[~onward], mode[~onward]
        for begin in range(0, len(ray), MOST_RAYS):
            some = slice(begin, begin + MOST_RAYS)
            self._cast(states, turns.of(ray[some]), mode[some], first)

    def _cast(self, states: PoseStates, turns: Turned, mode: IntArray, first: int) -> None:
        space = self.space
        factor = np.array([float(one.factor) for one in space.modes])[mode]
        travelled = states.travelled[turns.state]
        left = float(space.budget) - turns.price
        if space.most_travelled is not None:
            left = np.minimum(left, float(space.most_travelled) - travelled)
        left = np.maximum(left, 0.0)
        longest = left / (float(space.ground.least) * factor)
        starts = states.place[turns.state]
        rays = Rays.cast(space, starts, turns.heading, mode, np.maximum(longest, TOUCH))
        inches = rays.lengths_for(left)
        count = np.floor(inches / self.mesh + TOUCH).astype(np.intp)
        more = (inches - count * self.mesh > TOUCH) & (inches > self.mesh)
        total = count + more
        ray = np.repeat(np.arange(len(total)), total)
        place = np.arange(len(ray)) - np.repeat(np.cumsum(total) - total, total)
        length = np.minimum((place + 1) * self.mesh, inches[ray])
        price = rays.prices(ray, length)
        of = turns.state[ray]
        group = turns.group.of(ray)
        self._add(
            PoseStates(
                rays.places(ray, length),
                turns.heading[ray],
                turns.price[ray] + price,
                travelled[ray] + price,
                turns.free[ray],
                group._replace(inches=group.inches + length),
                of + first,
                mode[ray],
                length,
                turns.used[ray],
            )
        )
