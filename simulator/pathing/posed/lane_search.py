"""What a search over poses does in lanes of one kind: cast legs from states, and keep the states on them.

From each state rays are cast in the headings that the limits of turn prices lead to, and in those that the ground
favours, in every mode. States lie `mesh` inches apart along a ray, at its end, and where it enters or leaves cheap
ground. A ray is cast only as far as it might lead to something better than what is known, were all the ground as
cheap as any. Where something stops a ray, or makes it dearer, rays that just pass it are cast from beside. Where a
base has no room to turn, it turns at the nearest places along the leg before that have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import TOUCH
from simulator.pathing.columns import (
    join,
    nth_of_equals,
    nth_rows,
    pairs_of_equal_rows,
    pairs_of_equals,
    pick,
    rows_once,
)
from simulator.pathing.posed.aims import Aim
from simulator.pathing.posed.bins import sectors
from simulator.pathing.posed.clearings import Passing
from simulator.pathing.posed.directions import are_oblique
from simulator.pathing.posed.first_turns import FirstTurns
from simulator.pathing.posed.lanes import Lanes
from simulator.pathing.posed.legs import CastLegs, ended_after, moved_to
from simulator.pathing.posed.oblique_legs import beyond_things, oblique_asides
from simulator.pathing.posed.rays import Rays, may_turn, shorter, units
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates, Turned, turned
from simulator.pathing.posed.toll_marks import tolls_at_marks
from simulator.pathing.posed.turn_windows import turning_places
from simulator.pathing.posed.turns_aside import least_turns
from simulator.pathing.posed.waves import Waves

#: Where brackets are wider, turns are made so many degrees apart.
_WIDEST = 45.0
#: Legs for last turns alone leave starts so many degrees apart; after turns that are made for nothing, so many.
FAN, _FREE_FAN = 2.0, 4
#: Past so many things, one after the other, oblique legs from starts lead round just beside.
_ROUND = 3
#: No more legs are cast in one go.
_MOST_LEGS = 1 << 14
#: Of so many marks together it is first looked at whether any of them could be worth it.
_PART = 4
#: From no more states legs are cast in one go, unless they are in one lane.
_MOST_STATES = 8192
#: Numbers of rows are equal if they are after rounding to so many digits.
_DIGITS = 9


def angles_of(space: PoseSpace) -> FloatArray:
    """Return the turns that a search makes: none, those to the limits of brackets and some in wide ones, either way."""
    limits = np.concatenate([[0.0], space.turns.limits, [180.0]])
    parts = np.ceil(np.diff(limits) / _WIDEST - TOUCH).astype(np.intp)
    between = [
        np.linspace(low, high, count, endpoint=False)[1:]
        for low, high, count in zip(limits[:-1], limits[1:], parts.tolist(), strict=True)
    ]
    found = np.sort(np.concatenate([space.turns.limits, *between]))
    return np.concatenate([[0.0], found, [180.0], -found])


class _Fan(NamedTuple):
    """Legs that may follow turns: which turn, in which mode, and how long at most."""

    turn: IntArray
    mode: IntArray
    longest: FloatArray


class _Courses(NamedTuple):
    """Where legs begin, and in which directions, rows x, y of length 1."""

    starts: FloatArray
    ahead: FloatArray

    def after(self, leg: IntArray, inches: FloatArray) -> FloatArray:
        """Return the places after so many inches of legs, rows x, y."""
        found = np.empty((2, len(leg)))
        for axis, along in enumerate(found):
            np.take(self.ahead[:, axis].copy(), leg, out=along)
            along *= inches
            along += self.starts[:, axis].take(leg)
        return found.T


class LaneSearch:
    """The search in lanes of one kind."""

    def __init__(self, lanes: Lanes, mesh: float, waves: Waves, aim: Aim | None = None) -> None:
        self.lanes, self.mesh, self.waves, self.aim = lanes, mesh, waves, aim
        self.space = lanes.space
        self.angles, self.passing = angles_of(self.space), Passing(self.space)
        directions = self.space.directions
        #: The modes of oblique legs that leave any pose; None: there is no such travel.
        self._oblique = None if directions.oblique is None else directions.toward(oblique_asides(self.space))
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
        states = pick(states, self.lanes.holds(states))
        yield from self.lanes.lots(states, _MOST_STATES)

    def are_worth(self, states: PoseStates) -> BoolArray:
        """Find which of some states lie in these lanes, and cost less than what is known near them."""
        found = self.lanes.has(states.level)
        some = pick(states, found)
        layer = self.lanes.layers_of(some)
        found[found] = self.lanes.worth(some.level, some.place, sectors(some.heading), layer, some.price, some.tolls)
        return found

    def add(self, states: PoseStates) -> None:
        """Keep of some states those in these lanes that are worth it, and put them off."""
        states = pick(states, self.lanes.has(states.level))
        if self.aim is not None:
            states = pick(states, self._is_in_time(self.aim, states.level, states.place, states.price))
        kept = self.lanes.take(states)
        if len(kept.price):
            self.waves.add(kept)

    def lots_of_placed(self, states: PoseStates) -> Iterator[PoseStates]:
        """Yield those of some states that lie in these lanes, whatever else is known, not too many at once."""
        yield from self.lanes.lots(pick(states, self.lanes.has(states.level)), _MOST_STATES)

    def expand(
        self,
        states: PoseStates,
        numbers: IntArray,
        number: Callable[[PoseStates], IntArray],
        *,
        straight_on: bool = False,
    ) -> None:
        """Cast legs from states with these numbers, and add the states on them; `number` numbers further ones.

        Straight on there is no turn before them.
        """
        count = len(states.price)
        if straight_on:
            self._expand_by(np.arange(count), np.zeros(count), None, states, numbers, number)
            return
        state, heading = self.lanes.favoured(states)
        angles = np.r_[np.tile(self.angles, count), shorter(heading - states.heading[state])]
        state = np.r_[np.repeat(np.arange(count), len(self.angles)), state]
        self._expand_by(state, angles, None, states, numbers, number)
        self._expand_obliquely(states, numbers, number)
        first = self.lanes.first_turns(states)
        if len(first.state):
            self._expand_by(first.state, first.angle, first.mode, states, numbers, number)
        self._through_passages(states, number)
        self._cast_all_round(states, numbers)

    def _cast_all_round(self, states: PoseStates, numbers: IntArray) -> None:
        """Cast legs from starts in a fan, for last turns alone."""
        state, angles = self.lanes.at_starts(states), self._fan_of_turns
        if not len(state) or not len(angles):
            return
        state, angles = np.repeat(state, len(angles)), np.tile(angles, len(state))
        turns = self._turned(states, state, angles)
        turn, mode = (axis.ravel() for axis in np.indices((len(turns.state), len(self.space.asides))))
        fan = self._fan(states, turns, turn, mode)
        self._cast(states, turns, pick(fan, self._may_turn(states, turns, fan)), numbers, keeps=False)

    @cached_property
    def _fan_of_turns(self) -> FloatArray:
        """Turns of which many cost the same: all of them where brackets are wide, or those made for nothing."""
        prices = self.space.turns
        if prices.widest >= _WIDEST:
            return np.arange(FAN - 180.0, 180.0 + FAN / 2, FAN)
        most = int(prices.free / _FREE_FAN) if prices.free >= _WIDEST else -1
        return np.arange(-most, most + 1, dtype=np.float64) * _FREE_FAN

    def _expand_by(
        self,
        state: IntArray,
        angles: FloatArray,
        mode: IntArray | None,
        states: PoseStates,
        numbers: IntArray,
        number: Callable[[PoseStates], IntArray],
    ) -> None:
        """Cast legs after turns by angles, each from a state, in one mode or in all, and add the states on them."""
        turns = self._turned(states, state, angles)
        if mode is None:
            modes = np.arange(len(self.space.asides))
            pairs = np.repeat(np.arange(len(turns.state)), len(modes)), np.tile(modes, len(turns.state))
        else:
            turn, row = pairs_of_equal_rows(
                np.column_stack([turns.state, turns.heading]), np.column_stack([state, states.heading[state] + angles])
            )
            pairs = turn, mode[row]
        self._cast_fan(states, turns, self._fan(states, turns, *pairs), numbers, number)

    def _expand_obliquely(
        self, states: PoseStates, numbers: IntArray, number: Callable[[PoseStates], IntArray]
    ) -> None:
        """Cast oblique legs from states as they face, and add the states on them."""
        if self._oblique is None:
            return
        state, mode = self.lanes.oblique_legs(states, self._oblique)
        turns = self._no_turns(states)
        self._cast_fan(states, turns, self._fan(states, turns, state, mode), numbers, number)
        start, all_round = self.lanes.at_starts(states), np.arange(0.0, 360.0, FAN)
        mode = np.tile(self.space.directions.toward(all_round), len(start))
        fan = self._fan(states, turns, np.repeat(start, len(all_round)), mode)
        self._cast(states, turns, pick(fan, are_oblique(fan.mode)), numbers, keeps=False)
        self._round_things(pick(states, start), numbers[start], number)

    def _no_turns(self, states: PoseStates) -> Turned:
        """States as if turns of no angle had been made in them."""
        every = np.arange(len(states.price))
        return self._made(states, every, np.zeros(len(every)))

    def _made(self, states: PoseStates, state: IntArray, angles: FloatArray) -> Turned:
        """Make turns by angles, each from a state."""
        return turned(self.lanes.space_by(states.level), states, self.lanes.rates_of(states), state, angles)

    def _round_things(self, states: PoseStates, numbers: IntArray, number: Callable[[PoseStates], IntArray]) -> None:
        """Cast oblique legs from starts that just pass things, and from just beside those once more."""
        for _ in range(_ROUND):
            legs = self.lanes.past_things(states)
            legs = pick(legs, np.flatnonzero(are_oblique(legs.mode)))
            if not len(legs.state):
                return
            turns = self._no_turns(states)
            self._cast_fan(states, turns, self._fan(states, turns, legs.state, legs.mode), numbers, number)
            states = self._beside_things(states, pick(turns, legs.state), legs, numbers)
            numbers = number(states)

    def _beside_things(self, states: PoseStates, turns: Turned, legs: FirstTurns, numbers: IntArray) -> PoseStates:
        """Return the states in which legs are beside what they pass, the cheapest at each place.

        That is just beside a corner for a point, and for a round base where it may go on by a bend of some degrees.
        """
        beyond = beyond_things(self.space)
        row, after = (axis.ravel() for axis in np.indices((len(legs.met), len(beyond))))
        turns, mode, at = pick(turns, row), legs.mode[row], legs.met[row] + beyond[after]
        lanes, travelled = states.level[turns.state], states.travelled[turns.state] + turns.toll
        space = self.lanes.space_by(lanes)
        rays = Rays.cast(space, states.place[turns.state], turns.heading, mode, at, turns.tolls)
        inches = rays.lengths_for(space.left_for_legs(turns.price, travelled))
        cast = CastLegs(turns._replace(state=numbers[turns.state]), mode, travelled, rays, inches)
        row = np.flatnonzero((inches >= at - TOUCH) & (at > TOUCH))
        found = cast.states(row, at[row])._replace(level=lanes[row])
        found = pick(found, np.argsort(found.price, kind="stable"))
        return pick(found, np.unique(_numbered(found.place, found.heading, found.level), return_index=True)[1])

    def _cast_fan(
        self, states: PoseStates, turns: Turned, fan: _Fan, numbers: IntArray, number: Callable[[PoseStates], IntArray]
    ) -> None:
        """Cast legs that follow turns, the cheapest first, and add the states on them."""
        fan = pick(fan, np.lexsort((fan.turn, turns.price[fan.turn])))
        while len(fan.turn):
            # The cheapest first: what they lead to leaves less of the others to try.
            fan = self._promising(states, turns, fan)
            first = _first_of_each(states.level[turns.state[fan.turn]], _MOST_LEGS)
            if len(fan.turn):
                self._cast_all(states, turns, pick(fan, first), numbers, number)
            fan = pick(fan, ~first)

    def _turned(self, states: PoseStates, state: IntArray, angles: FloatArray) -> Turned:
        """Make turns by angles, each from a state, those that can be paid for."""
        least = states.price[state] + least_turns(self.space, states.free[state], angles) - TOUCH
        row = np.flatnonzero(self.lanes.space_by(states.level[state]).can_pay(least))
        turns = self._made(states, state[row], angles[row])
        return pick(turns, self.lanes.space_by(states.level[turns.state]).can_pay(turns.price))

    def _fan(self, states: PoseStates, turns: Turned, turn: IntArray, mode: IntArray) -> _Fan:
        """Legs that may follow turns, each in a mode, as long as the cheapest ground would let them be."""
        # Straight on in the mode of the last leg is no new ray: that one goes on by itself.
        onward = (turns.heading[turn] == states.heading[turns.state[turn]]) & (mode == states.mode[turns.state[turn]])
        turn, mode = turn[~onward], mode[~onward]
        space = self.lanes.space_by(states.level[turns.state[turn]])
        left = space.left_for_legs(turns.price[turn], states.travelled[turns.state[turn]] + turns.toll[turn])
        return _Fan(turn, mode, space.longest_legs(left, mode, turns.covered[turn]))

    def _promising(self, states: PoseStates, turns: Turned, fan: _Fan) -> _Fan:
        """Legs as far as states on them could be worth keeping; the others go.

        Most go at a first look, which takes little time, and by which all ground is as cheap as any.
        """
        courses = self._courses(states, turns, fan)
        fan, row = self._worth(states, turns, fan, courses, *self._hopeful_marks(states, turns, fan, courses))
        courses = pick(courses, row)
        leg, inches = self._marks(fan.longest)
        lower = self.lanes.lower_by(states.level[turns.state[fan.turn]])
        least = lower.at_marks(*courses, np.bincount(leg, minlength=len(fan.turn)), self.mesh)
        return self._worth(states, turns, fan, courses, leg, inches, least)[0]

    def _courses(self, states: PoseStates, turns: Turned, fan: _Fan) -> _Courses:
        """Where legs begin, and in which directions."""
        ahead = units(turns.heading[fan.turn] + self.space.asides_of(fan.mode))
        return _Courses(states.place[turns.state[fan.turn]], ahead)

    def _hopeful_marks(
        self, states: PoseStates, turns: Turned, fan: _Fan, courses: _Courses
    ) -> tuple[IntArray, FloatArray]:
        """The marks along legs at which states may be worth keeping, by the dearest that is known around parts."""
        around = self.lanes.around(int(fan.longest.sum() / self.mesh))
        if around is None:
            return self._marks(fan.longest)
        starts, ahead = courses
        count = self._count_marks(fan.longest)
        leg, part = nth_rows(-(-count // _PART))
        place = starts[leg] + ((part + 0.5) * _PART + 0.5)[:, None] * self.mesh * ahead[leg]
        inches = np.minimum((part * _PART + 1) * self.mesh, fan.longest[leg])
        least = self.space.ground.least_prices(inches) * self.space.factors_of(fan.mode)[leg]
        # No state on the part has more left of anything than the first of them.
        facing, layer = sectors(turns.heading)[fan.turn], self._layers_on(states, turns, fan, leg, inches, least)
        dearest = around.at(place, facing[leg], layer)
        hopeful = np.flatnonzero(dearest > turns.price[fan.turn][leg] + least + TOUCH)
        leg, first = leg[hopeful], part[hopeful] * _PART
        row, number = nth_rows(np.minimum(count[leg] - first, _PART))
        leg = leg[row]
        return leg, np.minimum((first[row] + number + 1) * self.mesh, fan.longest[leg])

    def _worth(
        self,
        states: PoseStates,
        turns: Turned,
        fan: _Fan,
        courses: _Courses,
        leg: IntArray,
        inches: FloatArray,
        least: FloatArray | None = None,
    ) -> tuple[_Fan, IntArray]:
        """Legs as far as states on them, after so many inches, could be worth keeping, and their rows; the others go.

        `least` is what they cost at least by the ground on the way, if that has been looked at.
        """
        cheapest = self.space.ground.least_prices(inches)
        least = cheapest if least is None else np.maximum(least, cheapest)
        least = least * self.space.factors_of(fan.mode).take(leg)
        price = turns.price.take(fan.turn).take(leg) + least
        lanes, place = states.level[turns.state[fan.turn]], courses.after(leg, inches)
        if self.aim is not None:
            # Most are too far off to lead there in time, and that is sooner known than whether they are worth keeping.
            in_time = np.flatnonzero(self._is_in_time(self.aim, lanes.take(leg), place, price))
            leg, inches, least, price, place = pick((leg, inches, least, price, place), in_time)
        tolls = tolls_at_marks(self.lanes.space_by(lanes), *courses, pick(turns.tolls, fan.turn), leg, inches)
        facing, layer = sectors(turns.heading)[fan.turn], self._layers_on(states, turns, fan, leg, inches, least)
        row = np.flatnonzero(self.lanes.worth(lanes.take(leg), place, facing.take(leg), layer, price, tolls))
        row = row[self.lanes.space_by(lanes[leg[row]]).can_pay(price[row])]
        longest = np.zeros(len(fan.turn))
        np.maximum.at(longest, leg[row], inches[row])
        kept = np.flatnonzero(longest > TOUCH)
        return pick(fan._replace(longest=longest), kept), kept

    def _layers_on(
        self, states: PoseStates, turns: Turned, fan: _Fan, leg: IntArray, inches: FloatArray, least: FloatArray
    ) -> IntArray:
        """The layers of states on legs, after so many inches that cost so much at least."""
        layers = self.lanes.layers
        if not layers.by_limits:
            return layers.turns.layers(turns.free).take(fan.turn).take(leg)
        turn = fan.turn[leg]
        state = turns.state[turn]
        travelled = states.travelled[state] + turns.toll[turn] + least
        paid = turns.price[turn] + least, travelled, turns.covered[turn] + inches
        return layers.numbers(self.lanes.space_by(states.level[state]), turns.free[turn], *paid)

    def _is_in_time(self, aim: Aim, lanes: IntArray, place: FloatArray, price: FloatArray) -> BoolArray:
        """Find which prices can be paid together with what it costs at least to get from there to the aim."""
        return self.lanes.space_by(lanes).can_pay(price + aim.least(place, self.mesh))

    def _marks(self, lengths: FloatArray) -> tuple[IntArray, FloatArray]:
        """The places along legs where states lie: which leg, and after how many inches."""
        leg, number = nth_rows(self._count_marks(lengths))
        return leg, np.minimum((number + 1) * self.mesh, lengths[leg])

    def _count_marks(self, lengths: FloatArray) -> IntArray:
        """How many such places there are along legs: so far apart, and the end."""
        count = np.floor(lengths / self.mesh + TOUCH).astype(np.intp)
        return np.asarray(count + ((lengths - count * self.mesh > TOUCH) & (lengths > self.mesh / 4)))

    def _cast_all(
        self, states: PoseStates, turns: Turned, fan: _Fan, numbers: IntArray, number: Callable[[PoseStates], IntArray]
    ) -> None:
        """Cast legs, those from beside and from where there is room to turn, and add the states on them."""
        free = self._may_turn(states, turns, fan)
        barred, fan = pick(fan, ~free), pick(fan, free)
        legs, at = self._in_windows(states, turns, barred)
        rays = self._cast(states, turns, fan, numbers)
        if rays is not None:
            beside, there = self._beside(states, turns, fan, rays)
            legs, at = join([beside, legs]), np.r_[there, at]
        self._cast_elsewhere(self._turns_at(states, turns, legs, at), number)

    def _cast_elsewhere(
        self, made: tuple[PoseStates, Turned, _Fan] | None, number: Callable[[PoseStates], IntArray]
    ) -> None:
        """Cast legs after turns that were made elsewhere; None: there are none."""
        if made is not None:
            turning, turns, fan = made
            self._cast(turning, turns, pick(fan, self._may_turn(turning, turns, fan)), number(turning))

    def _through_passages(self, states: PoseStates, number: Callable[[PoseStates], IntArray]) -> None:
        """Cast legs through narrow passages, from where the legs that ended in states cross the lines through them."""
        state, at, heading, mode = self.lanes.crossings(states, self.mesh)
        if not len(state):
            return
        angle = shorter(heading - states.heading[state])
        after = self._most_after(states, state, at)
        price = states.price[state] - after + least_turns(self.space, states.free[state], angle) - TOUCH
        row = np.flatnonzero(self.lanes.space_by(states.level[state]).can_pay(price))
        state, at, angle, mode, price, after = pick((state, at, angle, mode, price, after), row)
        # Turns with free degrees follow those without; they are made once more where they are made.
        turns = pick(self._made(states, state, angle), slice(len(row)))
        row = self._may_lead_on(pick(states, state), turns, at, mode, price, after)
        fan = _Fan(row, mode[row], np.zeros(len(row)))
        self._cast_elsewhere(self._turns_at(states, turns, fan, at[row]), number)

    def _most_after(self, states: PoseStates, state: IntArray, at: FloatArray) -> FloatArray:
        """What the legs that ended in states cost at most after so many of their inches."""
        after = self.space.ground.most_prices(np.maximum(states.inches[state] - at, 0.0))
        after = after * self.space.factors_of(states.mode[state])
        # Nothing is known of what tolls add to a leg, nor of legs of an earlier phase.
        return np.where((states.parent[state] >= 0) & (not self.space.tolls), after, np.inf)

    def _may_lead_on(
        self,
        states: PoseStates,
        turns: Turned,
        at: FloatArray,
        mode: IntArray,
        price: FloatArray,
        after: FloatArray,
    ) -> IntArray:
        """Return the turns that may lead to something better, were their prices no more than that.

        They are made after so many inches of the legs that ended in the states; what follows of those costs so much
        at most.
        """
        row, covered = np.arange(len(mode)), states.covered - states.inches + at
        turning = moved_to(self.space, states._replace(travelled=np.maximum(states.travelled - after, 0.0)), at)
        turns = turns._replace(state=row, price=price, covered=covered, toll=np.zeros(len(row)))
        space = self.lanes.space_by(turning.level)
        left = space.left_for_legs(price, turning.travelled)
        return self._promising(turning, turns, _Fan(row, mode, space.longest_legs(left, mode, covered))).turn

    def _may_turn(self, states: PoseStates, turns: Turned, fan: _Fan) -> BoolArray:
        """Find the legs before which the mover has room to turn."""
        used, which = np.unique(fan.turn, return_inverse=True)
        of = turns.state[used]
        before = states.heading[of]
        space = self.lanes.space_by(states.level[of])
        free = may_turn(space, states.place[of], before, turns.heading[used] - before)
        return np.asarray(free[which.reshape(-1)])

    def _cast(
        self, states: PoseStates, turns: Turned, fan: _Fan, numbers: IntArray, *, keeps: bool = True
    ) -> Rays | None:
        """Cast legs, and add the states on them if they are to be kept; return the rays, if there are any."""
        turns = pick(turns, fan.turn)
        if not len(fan.turn):
            return None
        travelled, lanes = states.travelled[turns.state] + turns.toll, states.level[turns.state]
        space = self.lanes.space_by(lanes)
        rays = Rays.cast(space, states.place[turns.state], turns.heading, fan.mode, fan.longest, turns.tolls)
        inches = rays.lengths_for(space.left_for_legs(turns.price, travelled))
        legs = CastLegs(turns._replace(state=numbers[turns.state]), fan.mode, travelled, rays, inches)
        self.legs.append((legs, lanes))
        if not keeps:
            return rays
        row, after = self._marks(inches)
        border, there = self.lanes.borders(lanes, rays, inches)
        row, after = np.r_[row, border], np.r_[after, there]
        if rays.tolls is not None:
            crossed, over = rays.tolls.crossings(inches)
            row, after = np.r_[row, crossed], np.r_[after, over]
        self.add(legs.states(row, after)._replace(level=lanes[row]))
        return rays

    def _beside(self, states: PoseStates, turns: Turned, fan: _Fan, rays: Rays) -> tuple[_Fan, FloatArray]:
        """Return legs that just pass what stopped rays or made them dearer, and after how much of the leg before."""
        turns = pick(turns, fan.turn)
        passing = self.passing.by(self.lanes.space_by(states.level[turns.state]))
        leg, at = passing.clearings(states, turns, fan.mode, fan.longest, rays, self.mesh)
        return pick(fan, leg), at

    def _in_windows(self, states: PoseStates, turns: Turned, fan: _Fan) -> tuple[_Fan, FloatArray]:
        """Return legs after turns that are barred in their states, and how far along the leg before there is room."""
        if not len(fan.turn):
            return fan, np.zeros(0)
        used, which = np.unique(fan.turn, return_inverse=True)
        of = turns.state[used]
        angles = turns.heading[used] - states.heading[of]
        places = turning_places(self.lanes.space_by(states.level[of]), states, of, angles, self.mesh)
        # Each leg from each place of its turn.
        leg, row = pairs_of_equals(which.reshape(-1), places.row)
        return pick(fan, leg), places.at[row]

    def _turns_at(
        self, states: PoseStates, turns: Turned, legs: _Fan, at: FloatArray
    ) -> tuple[PoseStates, Turned, _Fan] | None:
        """Make the turns before legs elsewhere, after so many inches of the legs that ended in their states.

        Return the poses to turn in, the turns and the legs that may be worth it; None if none is.
        """
        turn, mode, _ = legs
        state = turns.state[turn]
        # Where the leg before has met something, what there was before it is not known any more.
        clear = (states.tolls.gone | states.tolls.touched)[state] == 0
        turn, at, mode, state = turn[clear], at[clear], mode[clear], state[clear]
        # Several states on one leg lead to one place of it.
        place = _numbered(*pick((states.level, states.parent, states.mode, states.heading, states.used), state), at)
        once = np.unique(_numbered(place, turns.heading[turn], mode), return_index=True)[1]
        turn, at, mode, state, place = turn[once], at[once], mode[once], state[once], place[once]
        if not len(turn):
            return None
        turning, row = ended_after(self.lanes.space_by(states.level[state]), pick(states, state), at)
        turn, mode, place = turn[row], mode[row], place[row]
        made = self._made(turning, np.arange(len(turn)), turns.heading[turn] - turning.heading)
        made = pick(made, self.lanes.space_by(turning.level[made.state]).can_pay(made.price))
        mode, space = mode[made.state], self.lanes.space_by(turning.level[made.state])
        left = space.left_for_legs(made.price, turning.travelled[made.state] + made.toll)
        longest = space.longest_legs(left, mode, made.covered)
        fan = self._promising(turning, made, _Fan(np.arange(len(mode)), mode, longest))
        if not len(fan.turn):
            return None
        _, kept, which = np.unique(place[made.state[fan.turn]], return_index=True, return_inverse=True)
        kept, made = made.state[fan.turn[kept]], pick(made, fan.turn)._replace(state=which.reshape(-1))
        return pick(turning, kept), made, fan._replace(turn=np.arange(len(fan.turn)))


def _numbered(*columns: FloatArray | IntArray) -> IntArray:
    """Return a number for each row of some columns, the same for rows that are equal but for rounding."""
    rows: FloatArray = np.column_stack(columns).astype(np.float64)
    return rows_once(np.round(rows, _DIGITS))[1]


def _first_of_each(groups: IntArray, most: int) -> BoolArray:
    """Find the first rows of each group, no more than so many."""
    if len(groups) <= most:
        return np.ones(len(groups), np.bool_)
    order = np.argsort(groups, kind="stable")
    first = np.empty(len(groups), np.bool_)
    first[order] = nth_of_equals(groups[order]) < most
    return first
