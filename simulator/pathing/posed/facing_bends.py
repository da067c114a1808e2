"""Ways from a start to a pose by two legs: as it is to face in the end, and on from there obliquely.

A search turns to limits, and not to the headings that goals are to be reached with. Who travels obliquely may turn to
such a heading at once and keep it: it goes ahead, back or aside first, and leaves that leg where it is best.
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


class FacingBends:
    """Such ways from the starts among all states of a search, to goals with headings."""

    def __init__(self, space: PoseSpace, every: PoseStates, goals: Goals, mesh: float) -> None:
        self._space, self._goals, self._mesh = space, goals, mesh
        self._numbers = np.flatnonzero(are_starts(space, every))
        self._starts = pick(every, self._numbers)
        #: By candidate: which start, the mode of the first leg, and how long that is.
        self._start, self._mode, self._at = np.zeros(0, np.intp), np.zeros(0, np.intp), np.zeros(0)

    def candidates(self, best: FloatArray) -> LastTurns:
        """Return the last legs that could cost less than the best that is known, by their numbers as sources."""
        space, oblique = self._space, self._space.directions.oblique
        assert oblique is not None
        limits = np.minimum(best - SLACK, float(space.budget) + TOLERANCE)
        found = [(LastTurns.none(), self._start, self._mode, self._at)]
        for start in range(len(self._numbers)):
            for mode, factor in enumerate(space.directions.factors.tolist()):
                share = factor / float(oblique.factor)
                if share < 1.0:
                    found.append(self._by_one_mode(start, mode, share, limits))
        some, self._start, self._mode, self._at = join(found)
        return some._replace(source=np.arange(len(some.goal)))

    def _by_one_mode(
        self, start: int, mode: int, share: float, limits: FloatArray
    ) -> tuple[LastTurns, IntArray, IntArray, FloatArray]:
        """The candidates of which the first leg from a start is in a mode that costs a share of oblique legs.

        It is left a mesh apart, and where that is best on even ground.
        """
        space, facing, start_ = self._space, self._goals.facing, pick(self._starts, slice(start, start + 1))
        assert facing is not None
        goal = np.flatnonzero(limits > -np.inf)
        ahead = units(facing[goal] + space.asides[mode])
        away = self._goals.places[goal] - start_.place
        along, across = np.sum(ahead * away, axis=1), np.abs(cross(ahead, away))
        count = np.floor(np.maximum(along, 0.0) / self._mesh).astype(np.intp)
        row = np.r_[np.arange(len(goal)), np.repeat(np.arange(len(goal)), count)]
        number = np.arange(len(row) - len(goal)) - np.repeat(np.cumsum(count) - count, count) + 1
        at = np.r_[along - across * share / np.sqrt(1.0 - share**2), number * self._mesh]
        goal, ahead, away = goal[row], ahead[row], away[row]
        onward = away - at[:, None] * ahead
        inches = np.hypot(onward[:, 0], onward[:, 1])
        free, least = np.full(len(goal), float(start_.free[0])), space.ground.least_prices
        turn = least_turns(space, free, shorter(facing[goal] - start_.heading))
        modes = np.full(len(goal), mode)
        toward = space.directions.toward(np.degrees(np.arctan2(onward[:, 1], onward[:, 0])) - facing[goal])
        far = least(np.maximum(at, 0.0)) * space.factors_of(modes) + least(inches) * space.factors_of(toward)
        bound, none = start_.price + turn + far, np.zeros(len(goal))
        kept = np.flatnonzero((at > TOUCH) & (inches > TOUCH) & (bound <= limits[goal]))
        some = LastTurns(goal, modes, none, none, toward, inches, bound, bound)
        return pick((some, np.full(len(goal), start), modes, at), kept)

    def made(self, some: LastTurns) -> tuple[LastTurns, PoseStates]:
        """Make candidates, those on which nothing bars the first leg: their last legs, and the states before those."""
        space, facing = self._space, self._goals.facing
        assert facing is not None
        start, mode, at = pick((self._start, self._mode, self._at), some.source)
        starts, every = pick(self._starts, start), np.arange(len(start))
        angle = shorter(facing[some.goal] - starts.heading)
        turns = pick(turned(space, starts, rates_of(space, starts), every, angle), every)
        free = may_turn(space, starts.place, starts.heading, angle) & np.isfinite(turns.price)
        turns = turns._replace(state=self._numbers[start])
        rays = Rays.cast(space.way, starts.place, turns.heading, mode, at, turns.tolls)
        travelled = starts.travelled + turns.toll
        inches = rays.lengths_for(space.left_for_legs(np.where(free, turns.price, np.inf), travelled))
        row = np.flatnonzero(free & (inches >= at - TOUCH))
        states = CastLegs(turns, mode, travelled, rays, inches).states(row, at[row])
        return pick(some, row), states._replace(level=starts.level[row])
