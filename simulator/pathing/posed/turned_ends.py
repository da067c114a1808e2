"""Turns at the end of a move that are needed there, whichever way it is to face: to have room, or to spend enough.

A long base that may pass over something and not end on it has room beside it only in some headings, and so has one that
a link takes down between walls. The cheapest way there may arrive with another heading, and turn on the spot. Headings
to turn to are those at which the base just has room. Who has to spend more than a way costs may spend it on a turn to
the limit of a bracket.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from simulator.geometry.convex import IntArray
from simulator.geometry.footprints import Round
from simulator.geometry.path_judge import overlaps_along
from simulator.geometry.paths import Paths
from simulator.geometry.pieces import FloatArray
from simulator.geometry.spans import Spans, between, joined, merged
from simulator.geometry.standing import Standing
from simulator.pathing.posed.cheapest import CheapestWays
from simulator.pathing.posed.last_legs import LastLegs
from simulator.pathing.posed.numbered_states import NumberedStates
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates

#: A heading at which the base just has room is moved into the room by so many degrees, against rounding.
_INTO = 1e-7
#: The two turns that a mover makes all round, of so many degrees each.
_HALF = 180.0


def headings_decide(space: PoseSpace) -> bool:
    """Return whether the way a mover faces may decide whether it can end at a place that it may pass."""
    return not isinstance(space.base, Round) and bool(space.no_end or space.passes)


def headings_with_room(space: PoseSpace, places: FloatArray) -> tuple[IntArray, FloatArray]:
    """Return headings at which a mover just has room to end, of places where it has none in others: rows, degrees.

    What bars it from ending alone decides which places these are; what bars its way narrows the headings. Round bases
    have none.
    """
    if not headings_decide(space):
        return np.zeros(0, np.intp), np.zeros(0)
    at_the_end = [space.no_end_standing, *(level.bars_standing for level in space.passes)]
    over = merged(joined([_over(space, places, standing) for standing in at_the_end]))
    some = np.unique(over.row)
    barred = _over(space, places[some], space.bars_standing)
    room = between(merged(joined([over, barred._replace(row=some[barred.row])])), some)
    inward = np.minimum(_INTO, (room.end - room.begin) * 180.0)
    # What is free before the first stretch and after the last is one: no base just has room at a share of 0 or 1.
    row, share = np.concatenate([room.row, room.row]), np.concatenate([room.begin, room.end])
    kept = np.flatnonzero((share > 0.0) & (share < 1.0))
    return row[kept], share[kept] * 360.0 + np.concatenate([inward, -inward])[kept]


def turned_to_limits(space: PoseSpace, headings: FloatArray) -> tuple[IntArray, FloatArray]:
    """Return the headings after turns to limits of brackets either way from others: rows of those, degrees."""
    limits = space.turns.limits + float(space.turns.free_at_end)
    turns = np.concatenate([limits, [_HALF], -limits])
    return np.repeat(np.arange(len(headings)), len(turns)), (headings[:, None] + turns).ravel()


def _over(space: PoseSpace, places: FloatArray, standing: Standing) -> Spans:
    """Return the headings at places, in shares of the circle, at which the base overlaps things."""
    twice = np.repeat(places, 2, axis=0)
    count = len(twice)
    none, zeros, begin = np.zeros(count), np.zeros_like(twice), np.tile([0.0, _HALF], len(places))
    rows = np.arange(count)
    turns = Paths(rows, twice, twice, zeros, none, none, none, begin, np.full(count, _HALF), count)
    found = overlaps_along(turns, standing, space.base)
    first = found.path % 2 / 2
    return Spans(found.path // 2, first + found.begin / 2, first + found.end / 2)


@dataclass(frozen=True, eq=False)
class TurnedEnds:
    """Ways to some goals, perhaps with turns to several headings at each: the cheapest of each goal."""

    cost: FloatArray
    _ways: CheapestWays  #: to some goals, perhaps with headings
    _number: IntArray  #: which of them is the cheapest, by goal; -1 where there is none

    @classmethod
    def of(cls, count: int, ways: CheapestWays, row: IntArray) -> TurnedEnds:
        """Return the cheapest ways to so many goals; `row` says which goal each of those that are known leads to."""
        cost, number = np.full(count, np.inf), np.full(count, -1)
        order = np.lexsort((np.arange(len(row)), ways.cost, row))
        goals, first = np.unique(row[order], return_index=True)
        number[goals] = order[first]
        cost[goals] = ways.cost[order[first]]
        return cls(cost, ways, number)

    def way(self, goal: int) -> tuple[int, PoseStates, LastLegs]:
        """Return the last leg to a goal, the state that it starts from, tables of one row, and of which search."""
        return self._ways.way(int(self._number[goal]))

    def facing_at(self, goal: int) -> float | None:
        """Return the heading that the mover turns to at a goal."""
        return self._ways.facing_at(int(self._number[goal]))

    def states_of(self, search: int) -> NumberedStates:
        """Return the states of a search by their numbers, with those that were made besides."""
        return self._ways.states_of(search)
