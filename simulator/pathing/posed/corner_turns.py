"""The last turn of a way made where the last leg passes a corner of the ground.

What the ground costs changes along the borders of its areas, so of all places of a leg to turn at, the best is often
the one from which the last leg passes a corner: of a bridge, of a road, of a patch of mud. Slides that close in on the
best place by parts may end at another one that is only better than those beside it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from simulator.geometry.convex import IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import TOUCH
from simulator.pathing.columns import pick, rows_once
from simulator.pathing.posed.last_legs import LastTurns
from simulator.pathing.posed.legs import CastLegs
from simulator.pathing.posed.rays import Rays, cross, shorter
from simulator.pathing.posed.slides import APART, legs_to
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates, rates_of, turned
from simulator.pathing.posed.tangents import Touching

#: Places on a leg are equal if they are after rounding to so many digits.
_DIGITS = 9


class LegsBefore(NamedTuple):
    """The legs before the last ones of some ways, and after how many inches of them those turn."""

    way: IntArray  #: the row of the way
    legs: CastLegs
    at: FloatArray


def that_ended(space: PoseSpace, before: PoseStates, states: PoseStates, mesh: float) -> LegsBefore:
    """Return the legs from states `before` that ended in some states, where ways turn; a mesh longer if they are free.

    The space is asked by these rows.
    """
    legs = legs_to(space, before, states, mesh)
    inches = np.minimum(legs.rays.length, legs.rays.lengths_for(space.left_for_legs(legs.turns.price, legs.travelled)))
    return LegsBefore(np.arange(len(inches)), replace(legs, inches=inches), states.inches)


def straight_on(space: PoseSpace, starts: PoseStates, numbers: IntArray, mesh: float) -> LegsBefore:
    """Return the legs, a mesh long, that lead straight on from starts with these numbers, where ways turn at once.

    The space is asked by these rows.
    """
    modes = len(space.asides)
    way, mode = np.repeat(np.arange(len(numbers)), modes), np.tile(np.arange(modes), len(numbers))
    space, starts = space.by_rows(way), pick(starts, way)
    every = np.arange(len(way))
    turns = pick(turned(space, starts, rates_of(space, starts), every, np.zeros(len(way))), every)
    turns = turns._replace(state=numbers[way])
    rays = Rays.cast(space.way, starts.place, turns.heading, mode, np.full(len(way), mesh), turns.tolls)
    travelled = starts.travelled + turns.toll
    inches = rays.lengths_for(space.left_for_legs(turns.price, travelled))
    return LegsBefore(way, CastLegs(turns, mode, travelled, rays, inches), np.zeros(len(way)))


class CornerTurns:
    """Ways to goals at `places` that turn elsewhere on the legs before their last ones, one row each.

    The last legs lead `aside` of their headings by so many degrees.
    """

    def __init__(self, before: LegsBefore, aside: FloatArray, places: FloatArray, mesh: float) -> None:
        self._before, self._aside, self._places, self._mesh = before, aside, places, mesh

    def candidates(self, corners: Touching, goal: IntArray, mode: IntArray) -> LastTurns:
        """Return the ways that turn where their last legs pass corners: to goals by their numbers, in modes."""
        leg, at = self._spots(corners, mode)
        way, legs = self._before.way[leg], self._before.legs
        away = self._places[way] - legs.rays.places(leg, at)
        bearing = np.degrees(np.arctan2(away[:, 1], away[:, 0]))
        angle = shorter(bearing - self._aside[way] - legs.turns.heading[leg])
        inches, none = np.hypot(away[:, 0], away[:, 1]), np.zeros(len(leg))
        found = LastTurns(goal[way], leg, at, angle, mode[way], inches, none, none)
        return pick(found, np.flatnonzero(inches > TOUCH))

    def states(self, some: LastTurns) -> PoseStates:
        """Return the states that the ways turn in."""
        return self._before.legs.states(some.source, some.at)

    def _spots(self, corners: Touching, mode: IntArray) -> tuple[IntArray, FloatArray]:
        """The places to turn at: on which leg, after how many inches, no farther from where it turns than a mesh."""
        way, legs, turned_at = self._before
        rays, goals = legs.rays, self._places[way]
        turns = rays.places(np.arange(len(way)), turned_at)
        leg, toward = corners.lines_to(goals, turns, mode[way], self._mesh)
        away = goals[leg] - rays.starts[leg]
        with np.errstate(divide="ignore", invalid="ignore"):
            at = cross(away, toward) / cross(rays.ahead[leg], toward)
        low = np.maximum(turned_at - self._mesh, APART)
        high = np.minimum(turned_at + self._mesh, legs.inches)
        inside = (at >= low[leg]) & (at <= high[leg])
        leg, at = leg[inside], at[inside]
        once = np.sort(rows_once(np.column_stack([leg, np.round(at, _DIGITS)]))[0])
        return leg[once], at[once]
