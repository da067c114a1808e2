"""All ways to arrive at one place, and what it costs to face somewhere there.

A mover faces where its last leg ends, or turns on the spot. So the ways that arrive with any heading are found once,
and what they cost with a heading is the price of one more turn. Turns in the middle of a leg to just the heading that
is asked for are looked for besides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from simulator.geometry.convex import BoolArray
from simulator.geometry.path_judge import first_lengths
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.tolerances import SLACK
from simulator.pathing.columns import join, pick
from simulator.pathing.posed.last_legs import (
    Goals,
    LastLegs,
    LastTurns,
    from_legs,
    from_states,
    onto_headings,
    shorter,
    tried,
)
from simulator.pathing.posed.legs import CastLegs
from simulator.pathing.posed.rays import has_room, legs_between
from simulator.pathing.posed.search import FoundOnLevel, angles_of
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates, rates_of
from simulator.pathing.posed.sweeps_of_rays import free_turns


class ArrivingWays:
    """The ways to arrive at a place that a search found."""

    def __init__(self, space: PoseSpace, searched: Sequence[FoundOnLevel], place: XY) -> None:
        self._space, self._place = space, np.array([place], np.float64)
        self._legs = [found.legs for found in searched if found.legs is not None]
        # What may not be ended on, and what has to be spent, matter when the last turn has been made.
        self._any = replace(space, no_end=(), passes=(), more_than=None)
        goals = Goals(self._place, None)
        found: list[LastLegs] = []
        any_cost = np.array([np.inf])
        for states, rates, legs, _ in searched:
            straight = join(list(from_states(space, states, rates, goals, any_cost)))
            found.append(self._tried(pick(states, straight.source), rates[straight.source], straight, goals))
            if legs is not None:
                turning = join(list(from_legs(space, legs, angles_of(space), goals, any_cost)))
                at = legs.states(turning.source, turning.at)
                found.append(self._tried(at, rates_of(space, at), turning, goals))
        self._ways = join(found)
        count = len(self._ways.cost)
        places, headings = np.repeat(self._place, count, axis=0), self._ways.turns.heading
        self._right, self._left = (free_turns(space, places, headings, sense) for sense in (-1.0, 1.0))
        self._rates = np.ones(count)
        if count and space.turns.times_rate:
            self._rates = space.ground.rates_at(places, np.mod(headings, 360.0))

    def _tried(self, states: PoseStates, rates: FloatArray, some: LastTurns, goals: Goals) -> LastLegs:
        legs = tried(self._any, states, rates, some, goals)
        return pick(legs, np.flatnonzero(np.isfinite(legs.cost)))

    @property
    def least(self) -> float:
        """What the cheapest way costs that arrives, facing any way; inf without any."""
        return float(self._ways.cost.min(initial=np.inf))

    @property
    def heading(self) -> float | None:
        """The heading in which the cheapest way arrives; None: there is no way."""
        if not len(self._ways.cost):
            return None
        return float(self._ways.turns.heading[np.argmin(self._ways.cost)])

    def costs_in(self, headings: FloatArray) -> FloatArray:
        """Compute what it costs to end with headings in degrees; inf where it cannot."""
        costs = self._turned_to(headings)
        legal = np.flatnonzero(self._may_stand(headings))
        for legs in self._legs:
            costs[legal] = np.minimum(costs[legal], self._onto(legs, headings[legal], costs[legal]))
        costs[~np.isin(np.arange(len(headings)), legal)] = np.inf
        return costs

    def _turned_to(self, headings: FloatArray) -> FloatArray:
        """What a turn at the end costs, of all ways the cheapest."""
        ways, count = self._ways, len(self._ways.cost)
        if not count:
            return np.full(len(headings), np.inf)
        angle = shorter(headings[:, None] - ways.turns.heading)
        group = ways.turns.group._replace(inches=ways.turns.group.inches + ways.inches)
        price, _ = self._space.turns.turns(pick(group, np.tile(np.arange(count), len(headings))), angle.ravel())
        paid = ways.cost + price.reshape(angle.shape) * self._rates
        barred = (angle > self._left) | (angle < -self._right) | (paid > float(self._space.budget) + SLACK)
        if self._space.more_than is not None:
            barred |= paid <= float(self._space.more_than) + SLACK
        return np.asarray(np.where(barred, np.inf, paid).min(axis=1))

    def _onto(self, legs: CastLegs, headings: FloatArray, best: FloatArray) -> FloatArray:
        """What ways cost that turn to the headings in the middle of legs."""
        some = onto_headings(self._space, legs, self._place[0], headings, best)
        goals = Goals(np.repeat(self._place, len(headings), axis=0), headings)
        at = legs.states(some.source, some.at)
        ways = tried(self._space, at, rates_of(self._space, at), some, goals)
        costs = np.full(len(headings), np.inf)
        np.minimum.at(costs, ways.goal, ways.cost)
        return costs

    def _may_stand(self, headings: FloatArray) -> BoolArray:
        """Find the headings in which nothing bars ends."""
        places = np.repeat(self._place, len(headings), axis=0)
        stands = legs_between(places, places, np.mod(headings, 360.0))
        free = np.isinf(first_lengths(stands, self._space.base, self._space.no_end_standing))
        for level in self._space.passes:
            free &= has_room(level, places, headings)
        return free
