"""Ways from a start to a pose by two legs, one of which is a number of whole pieces long.

Where legs are priced by begun pieces, those that end with a heading, and can be paid, may begin in few directions: the
first leg leads to where the last one is just short of one more piece, or takes all that its own pieces are worth. They
lie between the directions of a search. Of each such stretch one end is a leg of whole pieces.
"""

from __future__ import annotations

import numpy as np

from simulator.geometry.convex import IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import SLACK, TOLERANCE, TOUCH
from simulator.pathing.columns import join, pick
from simulator.pathing.posed.first_turns import are_starts
from simulator.pathing.posed.goals import Goals
from simulator.pathing.posed.last_legs import LastTurns
from simulator.pathing.posed.legs import CastLegs
from simulator.pathing.posed.rays import Rays, cross, may_turn, shorter, units
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates, rates_of, turned
from simulator.pathing.posed.turns_aside import least_turns


class FacingPieces:
    """Such ways from the starts among all states of a search, to goals with headings."""

    def __init__(self, space: PoseSpace, every: PoseStates, goals: Goals) -> None:
        self._space, self._goals = space, goals
        self._numbers = np.flatnonzero(are_starts(space, every))
        self._starts = pick(every, self._numbers)
        #: By candidate: which start, the angle of the turn there, the mode of the first leg, and how long that is.
        self._start, self._angle = np.zeros(0, np.intp), np.zeros(0)
        self._mode, self._at = np.zeros(0, np.intp), np.zeros(0)

    def candidates(self, best: FloatArray) -> LastTurns:
        """Return the last legs that could cost less than the best that is known, by their numbers as sources."""
        limits = np.minimum(best - SLACK, float(self._space.budget) + TOLERANCE)
        goal = np.flatnonzero(limits > -np.inf)
        found = [(LastTurns.none(), self._start, self._angle, self._mode, self._at)]
        for start in range(len(self._numbers)) if len(goal) else ():
            for last in range(len(self._space.asides)):
                row, inches = self._whole(start, goal, last)
                modes = range(len(self._space.asides))
                found += [self._by_modes(start, goal[row], first, last, inches, limits) for first in modes]
        some, self._start, self._angle, self._mode, self._at = join(found)
        return some._replace(source=np.arange(len(some.goal)))

    def _whole(self, start: int, goal: IntArray, last: int) -> tuple[IntArray, FloatArray]:
        """How long last legs to goals are that are of whole pieces, or that follow legs of whole pieces, by rows."""
        space, facing = self._space, self._goals.facing
        assert facing is not None
        assert space.ground.grain is not None
        grain = float(space.ground.grain)
        longest = float(space.budget - min(space.paid_first)) / space.least_rate
        whole = np.arange(1, int(longest / grain) + 2) * grain
        ahead = units(facing[goal] + space.asides[last])
        away = self._goals.places[goal] - self._starts.place[start]
        along, across = np.sum(ahead * away, axis=1)[:, None], cross(ahead, away)[:, None]
        with np.errstate(invalid="ignore"):
            beside = np.sqrt(whole**2 - across**2)
        inches = np.hstack([np.broadcast_to(whole, beside.shape), along - beside, along + beside])
        # Both legs in one line, there and back, are detours: those waste whole pieces, and no less by rounding.
        bends = np.abs(across) > TOLERANCE
        row, column = np.nonzero((inches > TOUCH) & (inches < longest + TOUCH) & bends)
        return row, inches[row, column]

    def _by_modes(
        self, start: int, goal: IntArray, first: int, last: int, inches: FloatArray, limits: FloatArray
    ) -> tuple[LastTurns, IntArray, FloatArray, IntArray, FloatArray]:
        """The candidates with last legs of some lengths, by the modes of both legs."""
        space, facing, start_ = self._space, self._goals.facing, pick(self._starts, slice(start, start + 1))
        assert facing is not None
        ahead = units(facing[goal] + space.asides[last])
        away = self._goals.places[goal] - inches[:, None] * ahead - start_.place
        at = np.hypot(away[:, 0], away[:, 1])
        heading = np.degrees(np.arctan2(away[:, 1], away[:, 0])) - space.asides[first]
        angle, then = shorter(heading - start_.heading), shorter(facing[goal] - heading)
        free, least = np.full(len(goal), float(start_.free[0])), space.ground.least_prices
        # The free degrees serve one of the turns: together they cost no less than the dearer one, in part free.
        turn = least_turns(space, free, np.maximum(np.abs(angle), np.abs(then)))
        factors = space.directions.factors
        bound = start_.price + turn + least(at) * float(factors[first]) + least(inches) * float(factors[last])
        kept = np.flatnonzero((at > TOUCH) & (bound <= limits[goal]))
        modes, none = np.full(len(goal), last), np.zeros(len(goal))
        some = LastTurns(goal, modes, none, then, modes, inches, bound, bound)
        return pick((some, np.full(len(goal), start), angle, np.full(len(goal), first), at), kept)

    def made(self, some: LastTurns) -> tuple[LastTurns, PoseStates]:
        """Make candidates, those on which nothing bars the first leg: their last legs, and the states before those."""
        space = self._space
        start, angle, mode, at = pick((self._start, self._angle, self._mode, self._at), some.source)
        starts = pick(self._starts, start)
        row = np.flatnonzero(may_turn(space, starts.place, starts.heading, angle))
        some, start, angle, mode, at, starts = pick((some, start, angle, mode, at, starts), row)
        turns = turned(space, starts, rates_of(space, starts), np.arange(len(row)), angle)
        turns = pick(turns, np.flatnonzero(np.isfinite(turns.price)))
        of = turns.state
        some, start, mode, at, starts = pick((some, start, mode, at, starts), of)
        turns = turns._replace(state=self._numbers[start])
        rays = Rays.cast(space.way, starts.place, turns.heading, mode, at, turns.tolls)
        travelled = starts.travelled + turns.toll
        inches = rays.lengths_for(space.left_for_legs(turns.price, travelled))
        row = np.flatnonzero(inches >= at - TOUCH)
        states = CastLegs(turns, mode, travelled, rays, inches).states(row, at[row])
        return pick(some, row), states._replace(level=starts.level[row])
