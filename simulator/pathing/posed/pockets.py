"""Ends that an area lacks: of some places, which can be ended on, and from which pose a leg leads there.

That is less than the cheapest way to each: any way will do that can be paid. Turns on a leg are slid back along it,
since the sooner they are made, the more of a pocket they lead into.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from simulator.geometry.convex import IntArray
from simulator.geometry.pieces import FloatArray
from simulator.pathing.columns import join, pick
from simulator.pathing.posed.cheapest import CheapestWays
from simulator.pathing.posed.goals import Goals
from simulator.pathing.posed.lower_prices import LowerPrices
from simulator.pathing.posed.numbered_states import NumberedStates
from simulator.pathing.posed.search import MESH, FoundOnLevel
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates

#: A turn is slid back in so many rounds.
_ROUNDS = 2
#: What the slide may save at most, in inches on the cheapest ground.
_SLID = Fraction(MESH) / 2
#: Most places beside an area are no ends, of which all last legs have to be tried: so many at once.
_AT_ONCE = 128
#: No more last turns in the middle of legs are tried for a place. Where legs are priced by whole pieces, nearly all of
#: thousands would have to be, and hardly ever does one of the later ones lead anywhere.
_MOST = 4096


class Pockets(NamedTuple):
    """Places that can be ended on, and for each the pose from which the last leg leads there, and that leg."""

    places: FloatArray
    sources: PoseStates
    before: PoseStates  #: from where the leg started that ended in the source; the source itself if there was none
    heading: FloatArray  #: on the last leg
    mode: IntArray


def pockets(
    space: PoseSpace,
    lower: LowerPrices,
    searched: Sequence[FoundOnLevel],
    places: FloatArray,
    facing: float | None,
    *,
    turning_on_legs: bool = False,
) -> Pockets | None:
    """Find which of some places can be ended on, with a heading if one is named; None: none of them.

    Ways may cost a little too much before their last turns are slid back. They may be those alone that turn in the
    middle of legs that were cast.
    """
    found: list[Pockets] = []
    wide = replace(space, budget=space.budget + _SLID * space.ground.least)
    for states, rates, legs, every in searched:
        for on_legs in (True,) if turning_on_legs else (False, True):
            if not len(places) or (on_legs and legs is None):
                continue
            ways = CheapestWays(wide, lower, Goals(places, None if facing is None else np.full(len(places), facing)))
            ways.begin(every)
            if on_legs:
                assert legs is not None
                ways.offer_turning(legs, _AT_ONCE, _MOST)
            else:
                ways.offer_straight(states, rates, _AT_ONCE)
                ways.offer_facing(every, MESH, _AT_ONCE)
            ways.swing(float(space.budget))
            ways.slide(MESH, _ROUNDS)
            ways.bend(MESH)
            ways.shift(MESH)
            ways.drop_above(float(space.budget))
            places = _taken(ways, places, found)
    return join(found) if found else None


def _taken(ways: CheapestWays, places: FloatArray, found: list[Pockets]) -> FloatArray:
    """Add the places that there are ways to, and return the others."""
    ends: IntArray = np.flatnonzero(np.isfinite(ways.cost))
    if len(ends):
        sources, legs = ways.last_legs(ends)
        before = before_them(sources, ways.states_of(0))
        found.append(Pockets(places[ends], sources, before, legs.turns.heading, legs.mode))
    return np.asarray(places[np.isinf(ways.cost)])


def before_them(some: PoseStates, states: NumberedStates) -> PoseStates:
    """Return the states, of all, from which the legs started that ended in some; those themselves if none did."""
    first = some.mode < 0
    before = join([pick(some, first), states.rows(some.parent[~first])])
    return pick(before, np.argsort(np.argsort(~first, kind="stable"), kind="stable"))
