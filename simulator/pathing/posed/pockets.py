"""Ends that an area lacks: of some places, which can be ended on, and from which pose a leg leads there.

That is less than the cheapest way to each: any way will do that can be paid. Turns on a leg are slid back along it,
since the sooner they are made, the more of a pocket they lead into.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import NamedTuple

import numpy as np

from simulator.geometry.convex import IntArray
from simulator.geometry.footprints import Round
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import ROUNDING_OF_ANGLES, SLACK
from simulator.pathing.columns import join, pick
from simulator.pathing.posed.cheapest import CheapestWays
from simulator.pathing.posed.goals import Goals
from simulator.pathing.posed.last_legs import LastLegs
from simulator.pathing.posed.legs import CastLegs
from simulator.pathing.posed.lower_prices import LowerPrices
from simulator.pathing.posed.numbered_states import NumberedStates
from simulator.pathing.posed.rays import Rays, shorter
from simulator.pathing.posed.search import MESH, FoundOnLevel
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates
from simulator.pathing.posed.turned_ends import headings_with_room

#: A turn is slid back in so many rounds.
_ROUNDS = 2
#: What the slide may save at most, in inches on the cheapest ground.
_SLID = Fraction(MESH) / 2
#: Most places beside an area are no ends, of which all last legs have to be tried: so many at once.
_AT_ONCE = 128
#: No more last turns in the middle of legs are tried for a place. Where legs are priced by whole pieces, nearly all of
#: many thousands would have to be, and hardly ever does one of the later ones lead anywhere.
_MOST = 4096
#: Of ways of a long base that something bars, no more are tried from beside for a place.
_GAPS = 128


class Pockets(NamedTuple):
    """Places that can be ended on, and for each the pose from which the last leg leads there, and that leg."""

    row: IntArray  #: the numbers of the places among those that were asked about
    places: FloatArray
    sources: PoseStates
    #: From where the leg started that ended in the source; the source itself if there was none. Where a phase begins in
    #: the source, the state of the phase before in which its last turn was made.
    before: PoseStates
    heading: FloatArray  #: on the last leg
    mode: IntArray


def pockets(
    space: PoseSpace,
    lower: LowerPrices,
    searched: Sequence[FoundOnLevel],
    places: FloatArray,
    most: FloatArray,
    facing: float | None,
    *,
    turning_on_legs: bool = False,
) -> Pockets | None:
    """Find which of some places can be ended on for at most so much, with a heading if one is named; None: none.

    Ways may cost a little too much before their last turns are slid back. They may be those alone that turn in the
    middle of legs that were cast.
    """
    goals = Goals(places, None if facing is None else np.full(len(places), facing))
    found = list[Pockets]()
    for ways, ends, row in _in_turns(space, lower, searched, goals, most, turning_on_legs):
        sources, legs = ways.last_legs(ends)
        before = before_them(sources, ways.states_of(0))
        found.append(Pockets(row, places[row], sources, before, legs.turns.heading, legs.mode))
    return join(found) if found else None


def turned_pockets(
    space: PoseSpace, lower: LowerPrices, searched: Sequence[FoundOnLevel], places: FloatArray, most: FloatArray
) -> Pockets | None:
    """Find which of some places can be ended on with a turn there, to a heading at which there just is room.

    That is a turn before a last leg of no length.
    """
    of, heading = headings_with_room(space, places)
    found = list[Pockets]()
    goals = Goals(places[of], heading)
    for ways, ends, goal in _in_turns(space, lower, searched, goals, most[of], turning_on_legs=False):
        row, facing = of[goal], heading[goal]
        sources, legs = ways.last_legs(ends)
        turning = np.abs(shorter(facing - legs.turns.heading)) > ROUNDING_OF_ANGLES
        # Who arrives with the heading need not turn.
        straight, moved = np.flatnonzero(~turning & (legs.mode >= 0)), np.flatnonzero(turning & (legs.mode >= 0))
        stays = np.flatnonzero(legs.mode < 0)
        if len(straight):
            some, last = pick(sources, straight), pick(legs, straight)
            before = before_them(some, ways.states_of(0))
            place = places[row[straight]]
            found.append(Pockets(row[straight], place, some, before, last.turns.heading, last.mode))
        if len(stays):
            some = pick(sources, stays)
            before = before_them(some, ways.states_of(0))
            found.append(_turned_there(row[stays], places[row[stays]], some, before, facing[stays]))
        if len(moved):
            some = pick(sources, moved)
            there = _after(space, ways, some, pick(legs, moved))
            found.append(_turned_there(row[moved], places[row[moved]], there, some, facing[moved]))
    return join(found) if found else None


def _turned_there(
    row: IntArray, places: FloatArray, there: PoseStates, before: PoseStates, facing: FloatArray
) -> Pockets:
    """Return places that are reached already when the mover turns to headings, as last legs of no length."""
    heading = there.heading + shorter(facing - there.heading)
    return Pockets(row, places, there, before, heading, np.zeros(len(places), np.intp))


def _after(space: PoseSpace, ways: CheapestWays, sources: PoseStates, legs: LastLegs) -> PoseStates:
    """Return the states after last legs from some states, which are numbered then."""
    turns = legs.turns._replace(state=ways.states_of(0).add(sources))
    rays = Rays.cast(space, sources.place, turns.heading, legs.mode, legs.inches, turns.tolls)
    cast = CastLegs(turns, legs.mode, sources.travelled + turns.toll, rays, legs.inches)
    return cast.states(np.arange(len(legs.mode)), legs.inches)


def rest(found: Pockets | None, count: int) -> IntArray:
    """Return the numbers of the places, of so many, that are not among those that were found."""
    every = np.arange(count)
    return every if found is None else np.delete(every, found.row)


def both(one: Pockets | None, other: Pockets | None) -> Pockets | None:
    """Return what was found in two lots."""
    found = [lot for lot in (one, other) if lot is not None]
    return join(found) if found else None


def _in_turns(
    space: PoseSpace,
    lower: LowerPrices,
    searched: Sequence[FoundOnLevel],
    goals: Goals,
    most: FloatArray,
    turning_on_legs: bool,
) -> Iterator[tuple[CheapestWays, IntArray, IntArray]]:
    """Yield ways, the numbers of those that cost no more than they may, and the goals that these lead to."""
    slid = _SLID * space.ground.least
    wide, left = replace(space, budget=space.budget + slid), np.arange(len(goals.places))
    for states, rates, legs, every in searched:
        if not len(left) or (turning_on_legs and legs is None):
            continue
        some, limits, count = goals.some(left), most[left], len(left)
        # A way straight from a state may hide one that turns in the middle of a leg and can be slid farther: each goal
        # is looked for twice, first in the one way and then in the other.
        times = 1 if turning_on_legs or legs is None else 2
        number, limits, fits = np.tile(left, times), np.tile(limits, times), np.tile(some.have_room(wide), times)
        ways = CheapestWays(wide, lower, goals.some(number), fits, limits + float(slid) + 2 * SLACK)
        ways.begin(every)
        straight = np.arange(len(number)) < (0 if turning_on_legs else count)
        if not turning_on_legs:
            ways.ask_about(straight)
            ways.offer_straight(states, rates, _AT_ONCE)
            ways.offer_facing(every, MESH, _AT_ONCE)
        if legs is not None:
            for offer in (
                partial(ways.offer_turning, legs, _AT_ONCE, _MOST),
                partial(ways.offer_whole_pieces, legs, _AT_ONCE),
            ):
                paid = (ways.cost <= limits + SLACK).reshape(times, count).any(axis=0)
                ways.ask_about(~straight & ~np.tile(paid, times))
                offer()
        ways.ask_about(None)
        if legs is not None:
            ways.try_gaps([legs], MESH, None if isinstance(space.base, Round) else _GAPS)
        ways.swing(limits)
        ways.slide(MESH, _ROUNDS)
        ways.bend(MESH)
        ways.shift(MESH)
        ways.drop_above(limits)
        found = np.isfinite(ways.cost).reshape(times, count)
        some_way = found.any(axis=0)
        ends = np.flatnonzero(some_way)
        if len(ends):
            yield ways, ends + count * np.argmax(found[:, ends], axis=0), left[ends]
        left = left[~some_way]


def before_them(some: PoseStates, states: NumberedStates) -> PoseStates:
    """Return the states, of all, from which the legs started that ended in some; those themselves if none did."""
    first = some.mode < 0
    before = join([pick(some, first), states.rows(some.parent[~first])])
    return pick(before, np.argsort(np.argsort(~first, kind="stable"), kind="stable"))
