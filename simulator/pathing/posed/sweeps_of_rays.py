"""Families of rays: what one parameter sweeps, be it the angle of a turn or the place on a leg where it is made.

A fan turns at one pose to any heading. A strip turns anywhere on a leg to one heading, so that its rays are parallel.
Either way a ray is where a leg may lead after the turn, and neighbours differ only by what stands between them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.footprints import Round
from simulator.geometry.path_judge import first_contacts, first_off
from simulator.geometry.paths import Paths
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import ROUNDING_OF_ANGLES, TOLERANCE
from simulator.pathing.columns import join, nth_rows, pick
from simulator.pathing.posed.legs import CastLegs
from simulator.pathing.posed.rays import may_turn, shorter, units
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates, Turned, at_rates, rates_of, turned

#: Degrees between the first rays of a fan.
_APART = 30.0
#: Inches between the first rays of a strip.
_STEP = 1.0
#: A part of a fan goes on to so many of its first rays on either side of an aim.
_AROUND = 1
#: Angles that differ by less are the same.
_SAME = 1e-9
#: So many inches beyond a whole piece of a leg one more has begun.
_JUST_BEYOND = 1e-6
#: Just beyond the limit of a bracket.
BEYOND = 3 * ROUNDING_OF_ANGLES


class Outset(NamedTuple):
    """What rays start with: the place and heading before the turn, the turn, and the part of its price legs cost."""

    start: FloatArray
    before: FloatArray
    turns: Turned
    travelled: FloatArray
    free: BoolArray  #: whether nothing bars the turn


class Aims(NamedTuple):
    """Places that rays are cast through, each from one of the states of fans, or from one of the legs of strips."""

    state: IntArray
    mode: IntArray
    place: FloatArray


class RaySweep(Protocol):
    """Families of rays, numbered; `at` is the parameter of a ray."""

    modes: IntArray  #: the mode of travel of each family, or one of those of its rays

    def modes_at(self, family: IntArray, at: FloatArray) -> IntArray:
        """Return the modes of travel of rays."""
        del at
        return self.modes[family]

    def first(self) -> tuple[IntArray, FloatArray]:
        """Return the rays to begin with: pairs of a family and where it begins, ends, and changes."""

    def outset(self, family: IntArray, at: FloatArray) -> Outset:
        """Return what rays start with."""

    def meeting(self, family: IntArray, place: FloatArray, left: FloatArray) -> FloatArray:
        """Compute which rays pass places at so many inches to their right: the places lie left of them; nan: none."""

    def gaps(self, family: IntArray, apart: FloatArray, inches: FloatArray) -> FloatArray:
        """Compute how far apart rays are at their ends."""

    def step(self, inches: FloatArray, error: float) -> FloatArray:
        """Compute how far apart rays of one length may be for a straight line between their ends to be true enough."""

    def nearer(self, family: IntArray) -> FloatArray:
        """Return the sign by which the parameter changes for places to the left of the rays to come nearer."""


def bearings_past(away: FloatArray, left: FloatArray) -> FloatArray:
    """Return the directions of rays to places so far away, and so many inches to their left; nan: there is none."""
    x, y = away.T
    far = np.hypot(x, y)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.degrees(np.arctan2(y, x) - np.arcsin(np.where(np.abs(left) <= far, left / far, np.nan))))


class FromOnePlace(RaySweep):
    """Rays of which those of a family start at one place; the parameter is an angle in degrees."""

    def gaps(self, family: IntArray, apart: FloatArray, inches: FloatArray) -> FloatArray:
        """Compute the lengths of arcs."""
        del family
        return np.asarray(np.radians(apart) * inches)

    def step(self, inches: FloatArray, error: float) -> FloatArray:
        """Compute the angle of which the chord misses its arc by the error."""
        return np.asarray(np.degrees(2.0 * np.arccos(np.maximum(1.0 - error / np.maximum(inches, error), 0.5))))

    def nearer(self, family: IntArray) -> FloatArray:
        """Return 1: places to the left come nearer to the ray as its angle grows."""
        return np.ones(len(family))


class PoseFans(FromOnePlace):
    """Turns by any angle from states, each in one mode of travel; the parameter is the angle in degrees.

    With aims a family is a part of a fan: from a ray where something changes to one behind the aim.
    """

    def __init__(
        self, space: PoseSpace, states: PoseStates, facing: float | None = None, aims: Aims | None = None
    ) -> None:
        self._space, self._states, self._facing = space, states, facing
        self._rates = rates_of(space, states)
        self._turns = tuple(free_turns(space, states.place, states.heading, sense) for sense in (-1.0, 1.0))
        self._marks = self._all_marks()
        if aims is None:
            count, modes = len(states.price), len(space.asides)
            self.modes, self.state_of = np.tile(np.arange(modes), count), np.repeat(np.arange(count), modes)
            family, column = np.nonzero(np.isfinite(self._marks[self.state_of]))
            self._first = family, self._marks[self.state_of[family], column]
        else:
            self._aim(aims)

    def first(self) -> tuple[IntArray, FloatArray]:
        """Return rays evenly apart, and those where the price of a turn changes; and those through aims."""
        return self._first

    def _all_marks(self) -> FloatArray:
        """The angles of the first rays of each state, a row each, ascending; inf where there is none."""
        evenly = np.arange(-180.0, 180.0 + _APART, _APART)
        angles = np.concatenate([np.tile(evenly, (len(self._states.price), 1)), self._changes()], axis=1)
        angles = np.sort(np.where(np.abs(angles) <= 180.0, angles, np.inf), axis=1)
        with np.errstate(invalid="ignore"):
            angles[:, 1:][np.diff(angles, axis=1) == 0.0] = np.inf
        return np.sort(angles, axis=1)

    def _aim(self, aims: Aims) -> None:
        """Cut out the parts of fans that lead to aims, those that meet as one family."""
        self.modes, self.state_of = aims.mode, aims.state
        at = self.meeting(np.arange(len(aims.mode)), aims.place, np.zeros(len(aims.mode)))
        marks = self._marks[aims.state]
        known = np.isfinite(marks).sum(axis=1)
        low = np.maximum((marks < at[:, None] - _SAME).sum(axis=1) - _AROUND, 0)
        high = np.minimum((marks <= at[:, None] + _SAME).sum(axis=1) + _AROUND - 1, known - 1)
        parts = _parts(aims.state * len(self._space.asides) + aims.mode, low, high)
        self.modes, self.state_of = aims.mode[parts.row], aims.state[parts.row]
        family, column = parts.marks()
        self._first = join([(family, self._marks[self.state_of[family], column]), _known(parts.family, at)])

    def _changes(self) -> FloatArray:
        """The angles at which the price of a turn changes, a row for each state; nan where there is none."""
        limits = self._space.turns.limits
        free, group = self._states.free[:, None], self._states.group
        ends = [np.zeros_like(free), np.tile(limits, (len(free), 1))]
        if np.any(free > 0.0):
            ends += [np.where(free > 0.0, free, np.nan), np.where(free > 0.0, free + limits, np.nan)]
        both = [*ends, *(-end for end in ends)]
        if np.any(group.sense):
            swept = np.where(group.sense != 0.0, group.swept, np.nan)[:, None]
            both.append(np.mod(np.r_[limits, 180.0] - swept, 180.0) * group.sense[:, None])
        found = np.concatenate(both, axis=1)
        found = np.concatenate([found, found + BEYOND * np.where(found < 0.0, -1.0, 1.0)], axis=1)
        parts = [found, np.full((len(free), 1), -BEYOND)]
        for sense, turns in zip((-1.0, 1.0), self._turns, strict=True):
            most = np.where(turns < 180.0, turns, np.nan)[:, None] * sense
            parts += [most, most + BEYOND * sense]
        if self._facing is not None:
            toward = shorter(self._facing + np.r_[0.0, limits, -limits, 180.0] - self._states.heading[:, None])
            parts += [toward, toward + BEYOND, toward - BEYOND]
        return np.concatenate(parts, axis=1)

    def outset(self, family: IntArray, at: FloatArray) -> Outset:
        """Make the turns; where degrees are free, the cheaper way."""
        state = self.state_of[family]
        turns = cheaper_turns(self._space, self._states, self._rates, state, shorter(at), self._facing)
        right, left = self._turns
        free = (at <= left[state]) & (at >= -right[state])
        states = self._states
        return Outset(states.place[state], states.heading[state], turns, states.travelled[state] + turns.toll, free)

    def meeting(self, family: IntArray, place: FloatArray, left: FloatArray) -> FloatArray:
        """Compute the angles."""
        state = self.state_of[family]
        toward = bearings_past(place - self._states.place[state], left)
        return shorter(toward - self._space.asides_of(self.modes[family]) - self._states.heading[state])


class LegStrips(RaySweep):
    """Turns by one angle each, anywhere on legs that were cast; the parameter is how far along the leg.

    A family is a part of a leg, some inches before and behind aims.
    """

    def __init__(self, space: PoseSpace, legs: CastLegs, heading: FloatArray, mode: IntArray, aims: Aims) -> None:
        self._space, self._all = space, legs
        self._headings, self._modes = heading, mode
        self._use(np.arange(len(mode)))
        at = self.meeting(aims.state, aims.place, np.zeros(len(aims.state)))
        aimed = np.flatnonzero(~np.isnan(at))
        leg, at = aims.state[aimed], at[aimed]
        low, high = np.ceil(at / _STEP - _SAME) - _AROUND, np.floor(at / _STEP + _SAME) + _AROUND
        last = np.ceil(legs.inches[leg] / _STEP)
        parts = _parts(leg, np.clip(low, 0, last).astype(np.intp), np.clip(high, 0, last).astype(np.intp))
        self._use(leg[parts.row])
        self._parts, self._aimed = parts, (parts.family, at)

    def _use(self, leg: IntArray) -> None:
        """Take a leg for each family."""
        self.leg_of, self.modes = leg, self._modes[leg]
        self._angle = shorter(self._headings[leg] - self._all.turns.heading[leg])
        self._along = self._all.rays.ahead[leg]
        self._ahead = units(self._headings[leg] + self._space.asides_of(self.modes))
        self._inches = self._all.inches[leg]

    def first(self) -> tuple[IntArray, FloatArray]:
        """Return rays some inches apart, those from the ends, those where turns stop being grouped, and the aims."""
        family, number = self._parts.marks()
        rays = [(family, np.minimum(number * _STEP, self._inches[family])), self._aimed]
        if self._space.turns.separation:
            apart = float(self._space.turns.separation) - self._all.turns.group.inches[self.leg_of]
            begin, end = (np.minimum(mark * _STEP, self._inches) for mark in self._parts.limits())
            beyond = np.flatnonzero((apart > begin) & (apart < end))
            rays += [(beyond, apart[beyond]), (beyond, np.maximum(apart[beyond] - 1e-6, 0.0))]
        if self._space.ground.grain is not None:
            rays += self._at_whole_pieces(float(self._space.ground.grain))
        return join(rays)

    def _at_whole_pieces(self, grain: float) -> Iterator[tuple[IntArray, FloatArray]]:
        """Yield the rays where a whole piece of a leg ends, and those just beyond, where one more is paid for."""
        begin, end = (np.minimum(mark * _STEP, self._inches) for mark in self._parts.limits())
        first = np.ceil(begin / grain - _SAME).astype(np.intp)
        family, nth = nth_rows(np.maximum(np.floor(end / grain + _SAME).astype(np.intp) - first + 1, 0))
        at = (first[family] + nth) * grain
        for rays in (at, at + _JUST_BEYOND):
            yield pick((family, rays), rays <= self._inches[family])

    def outset(self, family: IntArray, at: FloatArray) -> Outset:
        """Turn on the legs; where degrees are free, the cheaper way."""
        states = self._all.states(self.leg_of[family], at)
        rates = rates_of(self._space, states)
        turns = cheaper_turns(self._space, states, rates, np.arange(len(family)), self._angle[family])
        free = may_turn(self._space, states.place, states.heading, turns.heading - states.heading)
        return Outset(states.place, states.heading, turns, states.travelled + turns.toll, free)

    def meeting(self, family: IntArray, place: FloatArray, left: FloatArray) -> FloatArray:
        """Compute how far along the legs."""
        away = place - self._all.rays.starts[self.leg_of[family]]
        ahead = self._ahead[family]
        with np.errstate(divide="ignore", invalid="ignore"):
            at = (cross(ahead, away) - left) / self._turned_off(family)
            inside = (at >= 0.0) & (at <= self._inches[family])
        return np.where(inside, at, np.nan)

    def gaps(self, family: IntArray, apart: FloatArray, inches: FloatArray) -> FloatArray:
        """Compute the distances between parallel rays."""
        del inches
        return np.asarray(apart * np.abs(self._turned_off(family)))

    def step(self, inches: FloatArray, error: float) -> FloatArray:
        """Return infinity: the ends of parallel rays of one length lie on a line."""
        del error
        return np.full(len(inches), np.inf)

    def nearer(self, family: IntArray) -> FloatArray:
        """Return 1 where places to the left come nearer the farther along the leg it turns, or else -1."""
        return np.sign(self._turned_off(family))

    def _turned_off(self, family: IntArray) -> FloatArray:
        off = cross(self._ahead[family], self._along[family])
        return np.where(np.abs(off) > TOLERANCE, off, 0.0)


class _Parts(NamedTuple):
    """Parts of rows of marks, one family each: which of each aim, the first aim of each, and their marks."""

    family: IntArray
    row: IntArray
    begin: IntArray
    marked: IntArray

    def marks(self) -> tuple[IntArray, IntArray]:
        """Return all marks, as the family and the number of each."""
        family = np.repeat(np.arange(len(self.row)), self.marked)
        return family, np.arange(len(family)) - np.repeat(np.cumsum(self.marked) - self.marked, self.marked) + (
            self.begin[family]
        )

    def limits(self) -> tuple[IntArray, IntArray]:
        """Return the first mark and the last one of each family."""
        return self.begin, self.begin + self.marked - 1


def _parts(of: IntArray, low: IntArray, high: IntArray) -> _Parts:
    """Join the parts of some rows of marks, from a mark to another, that meet."""
    order = np.lexsort((low, of))
    of, low, high = of[order], low[order], high[order]
    other = np.r_[True, of[1:] != of[:-1]][: len(of)]
    # The farthest mark so far; ranks by what the parts are of keep it from passing on to the next.
    rank = np.cumsum(other) * (int(high.max(initial=0)) + 2)
    until = np.maximum.accumulate(rank + high)
    opens = other | np.r_[True, (rank + low)[1:] > until[:-1]][: len(of)]
    first = np.flatnonzero(opens)
    family = np.empty(len(of), np.intp)
    family[order] = np.cumsum(opens) - 1
    last = np.r_[first[1:], len(opens)][: len(first)] - 1
    return _Parts(family, order[first], low[first], (until - rank)[last] - low[first] + 1)


def _known(family: IntArray, at: FloatArray) -> tuple[IntArray, FloatArray]:
    return pick((family, at), ~np.isnan(at))


def cheaper_turns(
    space: PoseSpace,
    states: PoseStates,
    rates: FloatArray,
    state: IntArray,
    angle: FloatArray,
    facing: float | None = None,
) -> Turned:
    """Make a turn from a state in each row; with degrees that are free, in the way that is cheapest.

    With a heading to end with that is the way that leaves most for a last turn there.
    """
    turns = turned(space, states, rates, state, angle)
    if len(turns.state) == len(state):
        return turns
    used = space.turns.portions(states.free[state], np.abs(angle))
    row = np.concatenate([np.arange(len(state)), *(rows for rows, _ in used)])
    paid = turns.price
    if facing is not None and space.turns.free_in_portions:
        last = space.turns.last_turns(turns.group, turns.free, shorter(facing - turns.heading))
        paid = paid + at_rates(last, rates[turns.state])
    order = np.lexsort((paid, row))
    return pick(turns, order[np.unique(row[order], return_index=True)[1]])


def free_turns(space: PoseSpace, places: FloatArray, headings: FloatArray, sense: float) -> FloatArray:
    """Compute how many degrees, at most 180, a mover may turn on the spot in one sense before something bars it."""
    most = np.full(len(places), 180.0)
    if isinstance(space.base, Round):
        return most
    none = np.zeros(len(places))
    turn, rows, zeros = np.full(len(places), 180.0 * sense), np.arange(len(places)), np.zeros_like(places)
    ways = Paths(rows, places, places, zeros, none, none, none, np.mod(headings, 360.0), turn, len(places))
    met = [first_contacts(ways, space.base, space.bars_standing)]
    if space.box is not None and space.whole_base_on_table:
        met.append(first_off(ways, space.base, space.box))
    for contacts in met:
        barred = contacts.which >= 0
        most[barred] = np.minimum(most[barred], 180.0 * contacts.share[barred])
    return most


def cross(one: FloatArray, other: FloatArray) -> FloatArray:
    """Compute the cross products of rows x, y."""
    return np.asarray(one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0])
