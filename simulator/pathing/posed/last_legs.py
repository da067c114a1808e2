"""The last turn and the last leg of a way to a goal: which there are, and what the whole way costs.

They start from a state of the search, straight for the goal, or in the middle of a leg that the search cast, where a
turn leads to the goal: a turn to the limit of a bracket, or to the very heading that the goal is to be reached with. So
the last two turns of a way are made where they have to be, not on a mesh.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from simulator.geometry.convex import IntArray
from simulator.geometry.path_judge import first_lengths
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import SLACK, TOLERANCE, TOUCH
from simulator.pathing.posed.columns import rows_of
from simulator.pathing.posed.legs import CastLegs
from simulator.pathing.posed.rays import Rays, legs_between, may_turn, units
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates, Turned, rates_of, turned

#: So many pairs of a goal and a leg are looked at in one go.
_PAIRS = 1 << 18


@dataclass(frozen=True, eq=False)
class Goals:
    """Places to end at, and the headings in degrees to end with; None: any."""

    places: FloatArray
    facing: FloatArray | None

    def some(self, rows: slice) -> Goals:
        """Return some of the goals."""
        return Goals(self.places[rows], None if self.facing is None else self.facing[rows])


class Candidates(NamedTuple):
    """Last turns and legs that may be worth trying."""

    goal: IntArray
    source: IntArray  #: the number of the state, or of the cast leg, that they start from
    at: FloatArray  #: after how many inches of that leg; 0 for states
    angle: FloatArray  #: of the turn
    mode: IntArray
    inches: FloatArray
    bound: FloatArray  #: the whole way costs no less


class LastLegs(NamedTuple):
    """Last turns and legs, with what they cost."""

    goal: IntArray
    turns: Turned
    mode: IntArray
    inches: FloatArray
    cost: FloatArray  #: of the whole way; inf where it is barred or cannot be paid


# --- candidates ---


def from_states(space: PoseSpace, states: PoseStates, rates: FloatArray, goals: Goals) -> Iterator[Candidates]:
    """Yield the last turns and legs that lead from states straight to goals, and those of goals that are reached."""
    budget = float(space.budget) + TOLERANCE
    least, chunk = float(space.ground.least), max(_PAIRS // max(len(states.price), 1), 1)
    cheapest = least * min((float(mode.factor) for mode in space.modes), default=1.0)
    for first in range(0, len(goals.places), chunk):
        away = goals.places[first : first + chunk, None] - states.place
        inches = np.hypot(away[..., 0], away[..., 1])
        goal, state = np.nonzero(states.price + inches * cheapest <= budget)
        bearing = np.degrees(np.arctan2(away[goal, state, 1], away[goal, state, 0]))
        inches = inches[goal, state]
        stays = inches <= TOUCH
        for number, mode in enumerate(space.modes):
            angle = np.where(stays, 0.0, shorter(bearing - mode.aside - states.heading[state]))
            turn = _least_of_turns(space, states.free[state], angle) * rates[state]
            far = np.where(stays, 0.0, inches)
            bound = states.price[state] + turn + far * least * float(mode.factor)
            kept = np.flatnonzero((bound <= budget) & ~(stays & (number > 0)))
            yield rows_of(
                Candidates(goal + first, state, np.zeros(len(goal)), angle, np.full(len(goal), number), far, bound),
                kept,
            )


def from_legs(
    space: PoseSpace, legs: CastLegs, angles: FloatArray, goals: Goals, best: FloatArray
) -> Iterator[Candidates]:
    """Yield last turns and legs that start in the middle of legs and could cost less than the best that is known."""
    chunk = max(_PAIRS // max(len(legs.mode), 1), 1)
    for first in range(0, len(goals.places), chunk):
        some = slice(first, first + chunk)
        there = goals.some(some)
        for number, mode in enumerate(space.modes):
            # A turn to a limit, the same way of travel from each leg, wherever the goal lies.
            for angle in angles.tolist():
                toward = units(legs.turns.heading + angle + mode.aside)[None, :, :]
                yield _meetings(space, legs, there.places, toward, np.float64(angle), number, best[some], first)
            if there.facing is not None:
                # A turn to the heading that the goal is to be reached with.
                toward = units(there.facing + mode.aside)[:, None, :]
                angle_of = shorter(there.facing[:, None] - legs.turns.heading[None, :])
                yield _meetings(space, legs, there.places, toward, angle_of, number, best[some], first)


def _meetings(
    space: PoseSpace,
    legs: CastLegs,
    places: FloatArray,
    toward: FloatArray,
    angles: FloatArray | np.float64,
    mode: int,
    best: FloatArray,
    first: int,
) -> Candidates:
    """Where the legs meet lines that lead to places: turns by some angles there, and the rest of the way straight."""
    starts, ahead = legs.rays.starts, legs.rays.ahead
    away_x = places[:, 0, None] - starts[None, :, 0]
    away_y = places[:, 1, None] - starts[None, :, 1]
    cross = ahead[:, 0] * toward[..., 1] - ahead[:, 1] * toward[..., 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        at = (away_x * toward[..., 1] - away_y * toward[..., 0]) / cross
        inches = (away_y * ahead[:, 0] - away_x * ahead[:, 1]) / cross
    least = float(space.ground.least)
    factors = np.array([float(one.factor) for one in space.modes])
    limit = np.minimum(best - SLACK, float(space.budget) + TOLERANCE)[:, None]
    price = legs.turns.price + at * (least * factors[legs.mode]) + inches * (least * factors[mode])
    found = (at > TOUCH) & (at <= legs.inches) & (inches > TOUCH) & (np.abs(cross) > TOLERANCE) & (price <= limit)
    goal, leg = np.nonzero(found)
    angle = np.broadcast_to(angles, found.shape)[goal, leg]
    turn = _least_of_turns(space, legs.turns.free[leg], angle) * (least if space.turns.times_rate else 1.0)
    bound = price[goal, leg] + turn
    kept = np.flatnonzero(bound <= limit[goal, 0])
    goal, leg = goal[kept], leg[kept]
    return Candidates(
        goal + first,
        leg,
        at[goal, leg],
        angle[kept],
        np.full(len(kept), mode),
        inches[goal, leg],
        bound[kept],
    )


def _least_of_turns(space: PoseSpace, free: FloatArray, angles: FloatArray) -> FloatArray:
    """What turns cost at least, before any rate: none costs less for the turns before it, but for free degrees."""
    return space.turns.prices(np.maximum(np.abs(angles) - free, 0.0))


# --- what they cost ---


def tried(space: PoseSpace, states: PoseStates, some: Candidates, goals: Goals) -> LastLegs:
    """Make last turns and legs, each from the state of its row, and compute what the ways cost."""
    rates = rates_of(space, states)
    every = np.arange(len(some.goal))
    turns = turned(space, states, rates, every, some.angle)
    # Turns with free degrees follow those without.
    some = rows_of(some, turns.state)
    legs = LastLegs(some.goal, turns, some.mode, some.inches, turns.price.copy())
    return legs._replace(cost=np.where(_legal(space, states, legs, goals), legs.cost, np.inf))


def _legal(space: PoseSpace, states: PoseStates, legs: LastLegs, goals: Goals) -> np.ndarray:
    """Find which last legs are legal, and add to their costs what the legs and the turns after them cost."""
    starts, turns = states.place[legs.turns.state], legs.turns
    travelled = states.travelled[turns.state]
    before = states.heading[turns.state]
    legal = may_turn(space, starts, before, turns.heading - before)
    moving = np.flatnonzero((legs.inches > 0.0) & legal)
    if len(moving):
        rays = Rays.cast(space, starts[moving], turns.heading[moving], legs.mode[moving], legs.inches[moving])
        legal[moving] &= rays.length >= legs.inches[moving] - TOUCH
        price = rays.prices(np.arange(len(moving)), legs.inches[moving])
        legs.cost[moving] += price
        travelled[moving] += price
    places, headings = goals.places[legs.goal], turns.heading
    if goals.facing is not None:
        facing = goals.facing[legs.goal]
        legs.cost[:] += _last_turn(space, legs, facing, places)
        legal &= may_turn(space, places, turns.heading, shorter(facing - turns.heading))
        headings = facing
    legal &= legs.cost <= float(space.budget) + SLACK
    if space.most_travelled is not None:
        legal &= travelled <= float(space.most_travelled) + SLACK
    if space.more_than is not None:
        legal &= legs.cost > float(space.more_than) + SLACK
    if space.no_end:
        rows = np.flatnonzero(legal)
        stands = legs_between(places[rows], places[rows], np.mod(headings[rows], 360.0))
        legal[rows] = np.isinf(first_lengths(stands, space.base, space.no_end_standing))
    return legal


def _last_turn(space: PoseSpace, legs: LastLegs, facing: FloatArray, places: FloatArray) -> FloatArray:
    """The price of turning to a heading at the end; turns on one spot count with the one before."""
    group = legs.turns.group._replace(inches=legs.turns.group.inches + legs.inches)
    price, _ = space.turns.turns(group, shorter(facing - legs.turns.heading))
    if space.turns.times_rate:
        price = price * space.ground.rates_at(places, np.mod(legs.turns.heading, 360.0))
    return price


def shorter(degrees: FloatArray) -> FloatArray:
    """Return turns the shorter way, in (-180, 180]."""
    return np.asarray(180.0 - np.mod(180.0 - degrees, 360.0))
