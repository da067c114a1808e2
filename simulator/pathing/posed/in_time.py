"""Pairs of a goal and a source, a state or a leg, between which the straight way is cheap enough.

Sources that lie in one cell of a grid, and face about the same way, are looked at together first: where a way would be
too dear from the cheapest of them, the nearest corner of the cell and the heading that serves best, no pair of theirs
is looked at by itself.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import AS_KEPT, ROUNDING_OF_ANGLES, TOLERANCE
from simulator.pathing.columns import nth_rows
from simulator.pathing.posed.goals import Goals
from simulator.pathing.posed.lower_prices import Leasts, LowerPrices
from simulator.pathing.posed.rays import shorter
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates

#: About so many sources share a cell.
_IN_A_CELL = 32
#: Into so many sectors headings are divided in each cell.
_SECTORS = 8
#: Of so many pairs those are looked at in one go that may be in time.
_PAIRS = 1 << 18
#: Fewer pairs are looked at one by one.
_FEW = 1 << 14


class PairsInTime(NamedTuple):
    """Pairs of which the way may be cheap enough, by goals; those of a goal always in the same order."""

    goal: IntArray
    source: IntArray
    away: FloatArray  #: from the source to the goal
    inches: FloatArray
    least: FloatArray  #: what the straight way costs at least, whatever the mode
    limit: FloatArray  #: what the whole way may cost


class Sources:
    """Where ways to goals start, and what has been paid there, in groups of those that lie close together."""

    def __init__(
        self,
        space: PoseSpace,
        lower: LowerPrices | None,
        goals: Goals,
        places: FloatArray,
        price: FloatArray,
        headings: FloatArray | None = None,
    ) -> None:
        """Take places and prices, and headings if ways start with turns that lead straight to the goals."""
        self._space, self._goals = space, goals
        group = _cells(places)
        if headings is not None:
            group = group * _SECTORS + _sectors(headings)
        # In one order, however many goals there are: of ways that cost the same the same one is taken.
        self._order = np.argsort(group, kind="stable")
        self._places, self._price = places[self._order], price[self._order]
        pairs = len(goals.places) * len(price)
        self.leasts = Leasts.of(space, lower, pairs, goals, self._places)
        group = group[self._order]
        self._first = np.flatnonzero(np.diff(group, prepend=-1))
        self._facing: FloatArray | None = None  #: by group, the middle of the headings
        if pairs < _FEW:
            self._first = np.arange(min(len(group), 1))
        elif headings is not None and space.directions.oblique is None:
            middle = np.mod(group, _SECTORS) * (360.0 / _SECTORS)
            off = np.abs(shorter(headings[self._order] - middle))
            self._facing, self._off = middle[self._first], np.maximum.reduceat(off, self._first)
        # From one place at one price ways are equally far and equally dear, whichever way they lead.
        self._spot = np.flatnonzero(_differ(group) | _differ(self._price) | _differ(*self._places.T))
        self._in_spot = np.diff(self._spot, append=len(group))
        self._first_spot = np.searchsorted(self._spot, self._first)
        self._spots = np.diff(self._first_spot, append=len(self._spot))
        if len(self._first) > 1:
            self._least_price = np.minimum.reduceat(self._price, self._first)
            self._low, self._high = (of.reduceat(self._places, self._first) for of in (np.minimum, np.maximum))
            self._leasts = self.leasts.by_group(self._first)

    @classmethod
    def of_states(cls, space: PoseSpace, lower: LowerPrices | None, goals: Goals, states: PoseStates) -> Sources:
        """Take states, at which the mover may turn."""
        return cls(space, lower, goals, states.place, states.price, states.heading)

    def in_time(self, limits: FloatArray) -> Iterator[PairsInTime]:
        """Yield the pairs of which the way may cost no more than the limit of the goal, those of some goals at once.

        Most places that are asked for may be in the middle of something: nothing leads there, and their limit is -inf.
        """
        open_ = np.flatnonzero(limits > -np.inf)
        many = max(_PAIRS // max(len(self._price), 1), 1)
        for first in range(0, len(open_), many):
            yield self._of_some(open_[first : first + many], limits)

    def _of_some(self, goals: IntArray, limits: FloatArray) -> PairsInTime:
        goal, group = self._groups_in_time(goals, limits)
        of, nth = nth_rows(self._spots[group])
        spot = self._first_spot[group][of] + nth
        row, goal = self._spot[spot], goal[of]
        away = [self._goals.places[:, axis][goal] - self._places[:, axis][row] for axis in (0, 1)]
        inches = np.hypot(*away)
        least = self.leasts.of_legs(goal, row, inches)
        kept = np.flatnonzero(self._price[row] + least * self._space.least_factor <= limits[goal])
        of, nth = nth_rows(self._in_spot[spot[kept]])
        of, row = kept[of], row[kept][of] + nth
        goal = goal[of]
        columns = np.column_stack([one[of] for one in away])
        return PairsInTime(goal, self._order[row], columns, inches[of], least[of], limits[goal])

    def _groups_in_time(self, goals: IntArray, limits: FloatArray) -> tuple[IntArray, IntArray]:
        """Pairs of a goal and a group that a source may be of from which there is a way in time."""
        if len(self._first) <= 1:
            return np.repeat(goals, len(self._first)), np.zeros(len(goals) * len(self._first), np.intp)
        places = self._goals.places[goals, None]
        off = np.maximum(np.maximum(self._low - places, places - self._high), 0.0)
        inches = np.hypot(off[..., 0], off[..., 1])
        number, group = np.nonzero(self._least_price + inches * self._space.least_rate <= limits[goals, None])
        goal = goals[number]
        least = self._leasts.of_legs(goal, group, inches[number, group])
        left = limits[goal] - self._least_price[group]
        kept = np.flatnonzero(least * self._space.least_factor <= left)
        kept = kept[self._turn_in_time(goal[kept], group[kept], least[kept], left[kept])]
        return goal[kept], group[kept]

    def _turn_in_time(self, goal: IntArray, group: IntArray, least: FloatArray, left: FloatArray) -> BoolArray:
        """Find the pairs of which a turn toward the goal and the leg after it may cost no more than what is left."""
        if self._facing is None:
            return np.ones(len(goal), np.bool_)
        space = self._space
        low, high = self._low[group], self._high[group]
        away = self._goals.places[goal] - (low + high) / 2.0
        far, half = np.hypot(away[:, 0], away[:, 1]), np.hypot(*(high - low).T) / 2.0
        # From anywhere in the cell the goal is seen in directions no farther off than that.
        seen = np.degrees(np.arcsin(np.minimum((half + AS_KEPT) / np.maximum(far, TOLERANCE), 1.0)))
        seen = np.where(half < far, seen, 180.0) + self._off[group] + ROUNDING_OF_ANGLES
        bearing = np.degrees(np.arctan2(away[:, 1], away[:, 0])) - self._facing[group]
        found = np.zeros(len(goal), np.bool_)
        for number, aside in enumerate(space.asides.tolist()):
            turn = np.abs(shorter(bearing - aside)) - seen - float(space.turns.free)
            price = space.turns.least_beyond(np.maximum(turn, 0.0)) * space.least_turning
            found |= price + least * float(space.directions.factors[number]) <= left
        return found


def _differ(*columns: IntArray | FloatArray) -> BoolArray:
    """Find the rows that are unlike the ones before in any column."""
    found = np.zeros(len(columns[0]), np.bool_)
    found[:1] = True
    for column in columns:
        found[1:] |= column[1:] != column[:-1]
    return found


def _cells(places: FloatArray) -> IntArray:
    """Number the cells that places lie in, so wide that each holds a good many."""
    if not len(places):
        return np.zeros(0, np.intp)
    low, high = places.min(axis=0), places.max(axis=0)
    across = max(float(np.prod(high - low)), TOLERANCE)
    width = math.sqrt(across * _IN_A_CELL / len(places))
    cell = np.floor((places - low) / width).astype(np.intp)
    return np.asarray(cell[:, 0] * (int(cell[:, 1].max()) + 1) + cell[:, 1])


def _sectors(headings: FloatArray) -> IntArray:
    """Number the sectors that headings lie in, each with a multiple of its width in the middle."""
    return np.asarray(np.round(np.mod(headings, 360.0) * (_SECTORS / 360.0)).astype(np.intp) % _SECTORS)
