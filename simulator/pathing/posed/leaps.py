"""Last legs that lead over an edge to goals beyond it: which do, and how much of them is paid for.

A leap leads straight on. So the last leg leads straight for the goal, and ends where the base touches the outline from
inside, if it is the goal where the base just clears it.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np

from simulator.geometry.convex import IntArray
from simulator.geometry.footprints import Round
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import TOLERANCE, TOUCH
from simulator.pathing.columns import pick, rows_once
from simulator.pathing.posed.edges import OffTheEdge
from simulator.pathing.posed.goals import Goals
from simulator.pathing.posed.lane_search import angles_of
from simulator.pathing.posed.last_legs import LastTurns, from_legs, from_states, onto_headings
from simulator.pathing.posed.legs import CastLegs
from simulator.pathing.posed.lower_prices import LowerPrices
from simulator.pathing.posed.rays import units
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates

#: Directions are the same if they are after rounding to so many digits.
_DIGITS = 12


def before_leaps(space: PoseSpace) -> PoseSpace:
    """Return a space in which last legs are looked for as if the way over the edge had to be paid for as well."""
    assert space.leap is not None
    more = Fraction(space.leap.longest) + (space.ground.grain or 0)
    dearest = max((mode.factor for mode in space.modes), default=Fraction(1))
    return replace(space, budget=space.budget + more * space.ground.least * dearest)


def price_beyond(space: PoseSpace) -> float:
    """What the way over the edge costs at most where it is looked at as if it had to be paid for."""
    return 0.0 if space.leap is None else float(before_leaps(space).budget - space.budget)


def cut_at_edges(space: PoseSpace, goals: Goals, some: LastTurns, headings: FloatArray) -> tuple[IntArray, LastTurns]:
    """Return the last turns and legs to goals that leaps lead to, the legs cut where they touch the outline; and which.

    `headings` are those of the legs.
    """
    edge = space.leap
    assert edge is not None
    row = np.flatnonzero(some.mode >= 0)
    some, headings = pick(some, row), headings[row]
    course = headings + space.asides_of(some.mode)
    passage = _passages(edge, goals.places, some.goal, headings, course)
    inches = some.inches - passage
    # Who stands at the edge touches it as the judge sees it: aslant, it seems farther on for a place that is rounded.
    kept = np.flatnonzero(inches >= -TOLERANCE)
    some, before = pick(some, kept), some.inches[kept]
    inches = np.where(inches[kept] <= TOUCH, 0.0, inches[kept])
    least = space.ground.least_prices
    saved = (least(before) - least(inches)) * space.factors_of(some.mode)
    bound = some.bound - saved
    return row[kept], some._replace(inches=inches, bound=bound, least=bound)


def _passages(
    edge: OffTheEdge, places: FloatArray, goal: IntArray, headings: FloatArray, course: FloatArray
) -> FloatArray:
    """How far before goals leaps begin that land there, in the directions of legs; nan: none does."""
    # Legs to one place lead over the edge alike, whichever heading is asked for there.
    directions = [course] if isinstance(edge.base, Round) else [course, headings]
    columns = [np.round(np.mod(one, 360.0), _DIGITS) for one in directions]
    once, which = rows_once(np.column_stack([rows_once(places)[1][goal], *columns]))
    return np.asarray(edge.passages(places[goal[once]], headings[once], units(course[once]))[which])


# --- last legs, over an edge or none ---


def legs_from_states(
    space: PoseSpace, lower: LowerPrices, states: PoseStates, rates: FloatArray, goals: Goals, best: FloatArray
) -> LastTurns:
    """Return the last turns and legs straight from states, those of a leap cut at the edge; see `from_states`."""
    if space.leap is None:
        return from_states(space, lower, states, rates, goals, best)
    beyond = price_beyond(space)
    some = from_states(before_leaps(space), lower, states, rates, goals, best + beyond, beyond=beyond)
    return cut_at_edges(space, goals, some, states.heading[some.source] + some.angle)[1]


def legs_from_legs(space: PoseSpace, lower: LowerPrices, legs: CastLegs, goals: Goals, best: FloatArray) -> LastTurns:
    """Return the last turns and legs from the middle of legs, those of a leap cut at the edge; see `from_legs`."""
    angles = angles_of(space)
    if space.leap is None:
        return from_legs(space, lower, legs, angles, goals, best)
    beyond = price_beyond(space)
    some = from_legs(before_leaps(space), lower, legs, angles, goals, best + beyond, beyond=beyond)
    return cut_at_edges(space, goals, some, legs.turns.heading[some.source] + some.angle)[1]


def legs_onto_headings(
    space: PoseSpace,
    lower: LowerPrices,
    legs: CastLegs,
    places: FloatArray,
    which: IntArray,
    goals: Goals,
    best: FloatArray,
) -> LastTurns:
    """Return the turns in the middle of legs to the headings of goals, cut at the edge; see `onto_headings`."""
    assert goals.facing is not None
    if space.leap is None:
        return onto_headings(space, lower, legs, places, which, goals.facing, best)
    some = onto_headings(before_leaps(space), lower, legs, places, which, goals.facing, best + price_beyond(space))
    return cut_at_edges(space, goals, some, legs.turns.heading[some.source] + some.angle)[1]
