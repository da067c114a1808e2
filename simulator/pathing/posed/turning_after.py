"""Ways of several phases in the last of which the mover only turns, where the phase before has brought it.

Both phases may turn there: the one before at the end of its move, for what it has left, and then the last one. So
that is asked of the phase before as a move whose last turn is free by as many degrees as the last phase pays for.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from simulator.geometry.footprints import Round
from simulator.geometry.pieces import FloatArray
from simulator.geometry.shapes import less
from simulator.geometry.tolerances import GRID, SLACK
from simulator.pathing.posed.goals import Goals
from simulator.pathing.posed.moves import EndPhase, Move, Rotate
from simulator.pathing.posed.planner import WaysToGoals
from simulator.pathing.posed.reach import PoseReach
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.turn_prices import HALF_TURN
from simulator.pathing.posed.ways import Way

#: Areas are grown by a base with arcs of so many segments to a quarter, drawn outside of those.
_ROUND = 16


class TurnAfter(NamedTuple):
    """A turn in the last phase: its price on ground of rate 1, the degrees that are free, and those paid for."""

    price: Fraction
    free: Fraction
    paid: Fraction
    before: PoseReach  #: the reach of the phases before, with so many degrees free at the end

    @property
    def degrees(self) -> Fraction:
        """How many degrees it sweeps at most."""
        return self.free + self.paid


def turns_after(space: PoseSpace, before: PoseReach) -> tuple[TurnAfter, ...]:
    """Return the turns that the last phase of a space may pay for on the cheapest ground, the narrowest first."""
    turns = space.turns
    can_end_anywhere = not (space.touch or space.far_from) and space.ends is None
    if turns.separation is not None or not isinstance(space.base, Round) or not can_end_anywhere:
        return ()
    # Degrees that one phase leaves to the next are as well turned at the end of that.
    free = turns.most_free if space.earlier[-1].refreshes else turns.free_at_end
    found = list[TurnAfter]()
    for limit in (Fraction(0), *(limit for limit, _ in turns.brackets)):
        degrees, price = free + limit, turns.price(limit)
        if not degrees or float(price) * space.least_turning > float(space.budget) + SLACK:
            continue
        free_at_end = replace(before.space.turns, free_at_end=degrees)
        known = type(before).known(replace(before.space, turns=free_at_end), before)
        found.append(TurnAfter(price, free, limit, known))
        if degrees >= HALF_TURN:
            break
    return tuple(found)


class TurnedAfter:
    """The cheapest of such ways to goals with headings on a level."""

    def __init__(
        self, space: PoseSpace, turns: Sequence[TurnAfter], goals: Goals, level: int, known: FloatArray
    ) -> None:
        """Find those that are cheaper than what is known."""
        self._turns, count = turns, len(goals.places)
        self.cost = np.full(count, np.inf)
        self._which = np.full(count, -1, np.intp)
        self._ways: list[tuple[dict[int, int], WaysToGoals]] = []
        if goals.facing is None:
            return
        rates = _rates(space, level, goals)
        for number, one in enumerate(turns):
            price = float(one.price) * rates if one.price else np.zeros(count)
            cheaper = price < np.minimum(known, self.cost) - SLACK
            left = np.flatnonzero(cheaper & space.can_pay(price))
            ways = one.before._ways_to(goals.some(left), level)
            ends = np.flatnonzero(np.isfinite(ways.cost))
            self.cost[left[ends]], self._which[left[ends]] = price[left[ends]], number
            self._ways.append(({int(goal): row for row, goal in enumerate(left.tolist())}, ways))

    def way(self, goal: int) -> Way | None:
        """Return the way to a goal: the turn at its end is made in both phases."""
        if self._which[goal] < 0:
            return None
        rows, ways = self._ways[self._which[goal]]
        way = ways.way(rows[goal])
        assert way is not None
        turn = self._turns[self._which[goal]]
        first, later = parted(way.moves, turn.free, turn.paid)
        return Way(way.start, (*first, EndPhase(), *later))


def _rates(space: PoseSpace, level: int, goals: Goals) -> FloatArray:
    """What turns are multiplied by at goals; inf where the ground is closed."""
    assert goals.facing is not None
    if not space.turns.times_rate:
        return np.ones(len(goals.places))
    return space.on(level).ground.rates_at(goals.places, np.mod(goals.facing, 360.0))


def parted(moves: Sequence[Move], free: Fraction, paid: Fraction = Fraction(0)) -> tuple[list[Move], list[Move]]:
    """Part the turn at the end of a move in two phases: as much of it as is free or paid for in the later is made then.

    >>> first, later = parted([Rotate(100, 40)], Fraction(30))
    >>> [str(one) for one in (*first, *later)], first[0].free, later[0].free
    (['70 degrees to the left', '30 degrees to the left'], Fraction(10, 1), Fraction(30, 1))
    """
    last = moves[-1] if moves else None
    if not isinstance(last, Rotate):
        return list(moves), []
    whole, sense = abs(Fraction(last.degrees)), 1 if last.degrees > 0 else -1
    later = min(whole, free + paid)
    first = list(moves[:-1])
    if whole > later:
        freely = max(abs(Fraction(last.free)) - later, Fraction(0))
        first.append(Rotate(sense * (whole - later), sense * min(freely, whole - later)))
    return first, [Rotate(sense * later, sense * min(later, free))]


def clear_ground(space: PoseSpace, ground: BaseGeometry) -> BaseGeometry:
    """Return the part of some ground on which a mover is on none of the areas that have prices of their own."""
    areas = [area.polygon for area in space.ground.areas]
    if not areas:
        return ground
    wide = 0.0 if space.ground.base is None else space.base.reach + GRID
    return less(ground, shapely.union_all(areas).buffer(wide / math.cos(math.pi / (4 * _ROUND)), quad_segs=_ROUND))
