"""Spending more than a way costs, where a move has to: going back and forth at its start.

A move that has to spend more than so much may end near by all the same, if it has room to waste what is missing: half
an inch ahead and back again, as often as it takes. That leads to the very pose that it started in, so whatever way the
mover goes on by costs what it would cost without.

>>> from simulator.geometry.footprints import Round
>>> from simulator.pathing.posed.ground import even_ground
>>> from simulator.pathing.posed.turn_prices import TurnPrices
>>> modes = Mode("forward"), Mode("reverse", aside=180, factor=Fraction(2))
>>> start, halves = PoseStart((0, 0), Fraction(0)), replace(even_ground(Fraction(1)), grain=Fraction(1, 2))
>>> space = PoseSpace(Round(1), (start,), Fraction(12), halves, modes, TurnPrices.flat(1), more_than=Fraction(6))
>>> ahead, *_ = detours_at(space, start)
>>> ahead.totals(np.array([2.0, 6.0]), 6.0).tolist()
[6.5, 7.5]
>>> print(*ahead.moves(2.0, 6.0)[:2], sep=", ")
0.5 inches forward, 0.5 inches reverse
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from simulator.geometry.convex import IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import SLACK
from simulator.pathing.posed.directions import Directions
from simulator.pathing.posed.judge import judged
from simulator.pathing.posed.moves import Mode, Move, Travel
from simulator.pathing.posed.space import PoseSpace, PoseStart

#: Where an inch costs an inch however few there are, more is wasted than is missing by so much.
_MORE = 10 * SLACK
#: A detour is an inch long at most, and halved so often at most until there is room for it on ground of one price.
_LONGEST, _HALVINGS = Fraction(1), 8
#: The directions in which detours lead obliquely.
_OBLIQUELY = (45.0, 135.0, 225.0, 315.0)


@dataclass(frozen=True)
class Detour:
    """Inches in one direction of travel and back again from a start, and what they cost."""

    there: Mode
    back: Mode
    inches: Fraction
    price: Fraction
    whole: bool  #: whether it cannot be shorter, since begun pieces are paid for

    def totals(self, costs: FloatArray, floor: float) -> FloatArray:
        """Compute what ways of some costs amount to with just as much wasted as makes them cost more than the floor."""
        if not self.whole:
            return np.full(len(costs), floor + _MORE)
        return costs + self._counts(costs, floor) * float(self.price)

    def moves(self, cost: float, floor: float) -> tuple[Move, ...]:
        """Return the moves that waste what a way of some cost is short of."""
        count, inches = int(self._counts(np.array([cost]), floor)[0]), self.inches
        if not self.whole:
            inches = self.inches * Fraction(floor + _MORE - cost) / (count * self.price)
        return (Travel(self.there, inches), Travel(self.back, inches)) * count

    def _counts(self, costs: FloatArray, floor: float) -> FloatArray:
        """How often it is made."""
        missing = floor + SLACK - np.where(np.isfinite(costs), costs, floor)
        return np.asarray(np.floor(missing / float(self.price)) + 1.0)


def detours_at(space: PoseSpace, start: PoseStart) -> tuple[Detour, ...]:
    """Return the detours that a mover can make at a start, the cheapest first.

    After turns that the next one may be priced together with there are none: travelling parts those.
    """
    if space.turns.separation is not None and start.group.sense:
        return ()
    found = (_detour(space, start, *modes) for modes in _opposite(space.directions))
    return tuple(sorted((one for one in found if one is not None), key=lambda one: one.price / one.inches))


def _opposite(directions: Directions) -> Iterator[tuple[Mode, Mode]]:
    """Yield pairs of modes that lead there and back again."""
    directed = list(zip(directions.directed, directions.asides.tolist(), strict=True))
    yield from (
        (there, back) for there, aside in directed for back, other in directed if (aside - other) % 360.0 == 180.0
    )
    if directions.oblique is not None:
        for aside in [*directions.asides.tolist(), *_OBLIQUELY]:
            there, back = directions.in_direction(aside), directions.in_direction(aside + 180.0)
            if there is not None and back is not None and (there.bound or back.bound):
                yield there, back


def near_space(space: PoseSpace, start: PoseStart, detours: tuple[Detour, ...]) -> PoseSpace:
    """Return the space of the ways from a start that cost too little, and leave enough to waste the rest."""
    assert space.more_than is not None
    most = space.most_travelled
    if most is not None:
        # All that is wasted is travelled: the floor at most, and one detour.
        most -= space.more_than + max(one.price for one in detours)
    inches = space.most_inches
    if inches is not None:
        wasted = space.more_than + max(one.price for one in detours)
        inches -= wasted * max(2 * one.inches / one.price for one in detours)
    budget = min(space.more_than, space.budget)
    return replace(space, starts=(start,), budget=budget, more_than=None, most_travelled=most, most_inches=inches)


def always_enough(space: PoseSpace, detours: tuple[Detour, ...]) -> bool:
    """Whether the budget pays for a detour whatever a way costs that costs too little."""
    assert space.more_than is not None
    return space.more_than + min(one.price if one.whole else Fraction(_MORE) for one in detours) <= space.budget


def _detour(space: PoseSpace, start: PoseStart, there: Mode, back: Mode) -> Detour | None:
    """The longest detour in two directions of travel for which there is room on ground of one price."""
    grain = space.on(start.level).ground.grain
    inches, halvings = (_LONGEST, _HALVINGS) if grain is None else (grain, 0)
    for _ in range(halvings + 1):
        found = judged(space, start, [Travel(there, inches), Travel(back, inches)])
        rates = [charge.rate for charge in found.charges]
        free = all(one.what in ("end", "touch", "near", "least") for one in found.objections)
        if free and len(rates) == 2 and all(charge.what == "leg" for charge in found.charges):
            price = sum((charge.price for charge in found.charges), Fraction(0))
            return Detour(there, back, inches, price, grain is not None)
        inches /= 2
    return None


def cheapest_detours(
    detours: tuple[Detour, ...], costs: FloatArray, floor: float, budget: float
) -> tuple[FloatArray, IntArray]:
    """Compute what ways amount to with the detour that makes each the cheapest, and the number of that detour.

    inf where a way costs too much even so.
    """
    totals = np.stack([one.totals(costs, floor) for one in detours])
    which = np.argmin(totals, axis=0)
    found = totals[which, np.arange(len(costs))]
    return np.where(np.isfinite(costs) & (found <= budget + SLACK), found, math.inf), which
