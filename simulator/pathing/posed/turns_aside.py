"""Turns to the limits of brackets in the middle of legs: which of them lead to a goal, for many legs and goals.

Seen along a leg, a turn leads the same way wherever the goal lies. It leads to the goal if the goal lies aside of the
leg, less far round than the turn leads, and the leg is long enough. What leg, turn and last leg cost then grows evenly
with how far ahead and aside the goal lies.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import TOLERANCE
from simulator.pathing.posed.directions import are_oblique
from simulator.pathing.posed.legs import CastLegs
from simulator.pathing.posed.rays import cross, shorter
from simulator.pathing.posed.space import PoseSpace

#: So much too late, or beyond the end of a leg, a way may be: those that are left are computed once more.
_ROUNDING = 1e-6
#: So many pairs of a turn with a leg and a goal are looked at in one go, and more turn by turn.
_TOGETHER = 1 << 17
#: Turns lead the same way if they do after rounding to so many digits.
_DIGITS = 9


def least_turns(space: PoseSpace, free: FloatArray, angles: FloatArray) -> FloatArray:
    """What turns cost at least, on the cheapest ground."""
    return least_of_turns(space, free, angles) * space.least_turning


def least_of_turns(space: PoseSpace, free: FloatArray, angles: FloatArray) -> FloatArray:
    """What turns cost at least, before any rate: none costs less for the turns before it, but for free degrees."""
    return space.turns.prices(np.maximum(np.abs(angles) - free, 0.0))


def least_of_last_turns(space: PoseSpace, free: FloatArray, angles: FloatArray) -> FloatArray:
    """The same for turns that end moves."""
    return least_of_turns(space, free + float(space.turns.free_at_end), angles)


class _FromLegs(NamedTuple):
    """Pairs of a leg and a goal as they are seen along the leg, rows."""

    aside: FloatArray  #: how far the goal lies aside of the leg
    before: FloatArray  #: how far ahead it lies
    after: FloatArray  #: and how far beyond the end of the leg
    room: FloatArray  #: what the way may cost besides an inch of the leg for each that the goal lies ahead

    def meet(self, cotangent: FloatArray | float) -> BoolArray:
        """Find where last legs so far off the legs start somewhere on these."""
        back = self.aside * cotangent
        return np.asarray((back < self.before) & (back >= self.after))


class _TurnsToSide(NamedTuple):
    """Turns to one side of legs of a kind, a row each, those that lead the same way one after the other."""

    kind: int
    least: float  #: what an inch of the legs costs at least
    side: float  #: 1: to the left, -1: to the right
    turn: IntArray  #: their numbers
    cotangent: FloatArray  #: of how far off the leg they lead
    slope: FloatArray  #: what leg and last leg cost at least for each inch that the goal lies aside
    price: FloatArray  #: what they cost at least

    def in_time(self, seen: _FromLegs) -> tuple[IntArray, IntArray]:
        """Return which of them lead from legs to goals in time: pairs of a row and the number of the turn."""
        if len(seen.aside) * len(self.turn) > _TOGETHER:
            return self._one_by_one(seen)
        rows = _FromLegs(*(column[:, None] for column in seen))
        row, nth = np.nonzero(rows.meet(self.cotangent) & (rows.aside * self.slope <= rows.room - self.price))
        return row, self.turn[nth]

    def _one_by_one(self, seen: _FromLegs) -> tuple[IntArray, IntArray]:
        """The same way by way, and turn by turn: those of each may lead from few legs to few goals."""
        rows, turns = [np.zeros(0, np.intp)], [np.zeros(0, np.intp)]
        courses, first = np.unique(-self.cotangent, return_index=True)
        for course, begin, end in zip((-courses).tolist(), first, [*first[1:], len(self.turn)], strict=True):
            met = np.flatnonzero(seen.meet(course))
            aside, room = seen.aside[met], seen.room[met]
            columns = (self.turn[begin:end], self.slope[begin:end], self.price[begin:end])
            for turn, slope, price in zip(*(column.tolist() for column in columns), strict=True):
                in_time = met[aside * slope <= room - price]
                rows.append(in_time)
                turns.append(np.full(len(in_time), turn))
        return np.concatenate(rows), np.concatenate(turns)


class TurnsAside:
    """Turns by some angles in the middle of legs, each with a mode to go on in: the angles of the first mode first."""

    def __init__(self, space: PoseSpace, legs: CastLegs, angles: FloatArray) -> None:
        self._legs = legs
        self.mode = np.repeat(np.arange(len(space.asides)), len(angles))
        self.angle = np.tile(angles, len(space.asides))
        directed = np.flatnonzero(~are_oblique(legs.mode))
        free, number = np.unique(space.turns.at_most(legs.turns.free[directed]), return_inverse=True)
        kinds, which = np.unique(legs.mode[directed] * len(free) + number.reshape(-1), return_inverse=True)
        self._kind = np.full(len(legs.mode), -1)
        self._kind[directed] = which.reshape(-1)
        self._from_oblique = TurnsFromOblique(space, legs, self.angle, self.mode)
        #: By kind of leg, which is its mode and the degrees that are free after it, and by side.
        self._sides = [
            self._to_side(space, number, kind // len(free), free[kind % len(free)], side)
            for number, kind in enumerate(kinds.tolist())
            for side in (1.0, -1.0)
        ]

    def _to_side(self, space: PoseSpace, kind: int, mode: int, free: float, side: float) -> _TurnsToSide:
        """The turns to one side of legs of a kind."""
        off = np.radians(shorter(self.angle + space.asides_of(self.mode) - space.asides[mode])) * side
        course = np.round(off, _DIGITS)
        # Legs in one line never meet.
        turns = np.flatnonzero((off > TOLERANCE) & (off < np.pi - TOLERANCE))
        turns = turns[np.argsort(course[turns], kind="stable")]
        course, factors = course[turns], float(space.ground.least) * space.directions.factors
        slope = (factors[self.mode[turns]] - factors[mode] * np.cos(course)) / np.sin(course)
        price = least_turns(space, np.full(len(turns), free), self.angle[turns])
        return _TurnsToSide(kind, float(factors[mode]), side, turns, np.cos(course) / np.sin(course), slope, price)

    def meeting(self, leg: IntArray, away: FloatArray, limit: FloatArray) -> tuple[IntArray, IntArray]:
        """Return which turns lead from legs to goals in time: pairs of a row and the number of the turn.

        The goals lie `away` from where the legs start, rows x, y, and the ways there have to cost no more than limits.
        They are sorted by turns, then by rows. Some may lead there a little too late.
        """
        ahead_x, ahead_y = self._legs.rays.ahead[leg].T
        along, aside = away[:, 0] * ahead_x + away[:, 1] * ahead_y, away[:, 1] * ahead_x - away[:, 0] * ahead_y
        left, kind = limit - self._legs.turns.price[leg] + _ROUNDING, self._kind[leg]
        beyond = along - self._legs.inches[leg] - _ROUNDING
        rows, turns = [np.zeros(0, np.intp)], [np.zeros(0, np.intp)]
        for one in self._sides:
            some = np.flatnonzero((kind == one.kind) & (aside * one.side > 0.0))
            if len(some):
                room = left[some] - along[some] * one.least
                seen = _FromLegs(aside[some] * one.side, along[some] + _ROUNDING, beyond[some], room)
                row, turn = one.in_time(seen)
                rows.append(some[row])
                turns.append(turn)
        some = np.flatnonzero(kind < 0)
        if len(some):
            found = self._from_oblique.meeting(leg[some], away[some], limit[some])
            rows, turns = [*rows, some[found[0]]], [*turns, found[1]]
        row, turn_ = np.concatenate(rows), np.concatenate(turns)
        order = np.argsort(turn_ * max(len(leg), 1) + row, kind="stable")
        return row[order], turn_[order]


class TurnsFromOblique:
    """The same turns in the middle of oblique legs, each of which leads another way from where the mover faces."""

    def __init__(self, space: PoseSpace, legs: CastLegs, angles: FloatArray, modes: IntArray) -> None:
        self._space, self._legs = space, legs
        self._angles, self._modes = angles, modes
        #: The courses after turns, from the heading before, each with the numbers of the turns that lead there.
        courses = np.round(np.mod(angles + space.asides[modes], 360.0), _DIGITS)
        self._courses = [(course, np.flatnonzero(courses == course).tolist()) for course in np.unique(courses).tolist()]

    def meeting(self, leg: IntArray, away: FloatArray, limit: FloatArray) -> tuple[IntArray, IntArray]:
        """Return which turns lead from legs to goals in time: pairs of a row and the number of the turn."""
        legs, least = self._legs, float(self._space.ground.least)
        ahead, facing = legs.rays.ahead[leg], np.radians(legs.turns.heading)
        (cos, sin) = np.cos(facing)[leg], np.sin(facing)[leg]
        left, most = limit - legs.turns.price[leg] + _ROUNDING, legs.inches[leg] + _ROUNDING
        per_inch = self._space.factors_of(legs.mode[leg]) * least
        rows, turns = [np.zeros(0, np.intp)], [np.zeros(0, np.intp)]
        for course, numbers in self._courses:
            x, y = math.cos(math.radians(course)), math.sin(math.radians(course))
            toward = np.stack([cos * x - sin * y, sin * x + cos * y], axis=1)
            off = cross(ahead, toward)
            with np.errstate(divide="ignore", invalid="ignore"):
                at, onward = cross(away, toward) / off, cross(ahead, away) / off
            met = np.flatnonzero((np.abs(off) > TOLERANCE) & (at > 0.0) & (at <= most) & (onward > 0.0))
            room = left[met] - at[met] * per_inch[met]
            for turn in numbers:
                factor = float(self._space.directions.factors[self._modes[turn]]) * least
                price = least_turns(self._space, legs.turns.free[leg[met]], self._angles[turn : turn + 1])
                in_time = met[onward[met] * factor + price <= room]
                rows.append(in_time)
                turns.append(np.full(len(in_time), turn))
        return np.concatenate(rows), np.concatenate(turns)
