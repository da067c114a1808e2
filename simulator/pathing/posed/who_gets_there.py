"""Which of many movers can end at one place or in one pose, and from where a mover can: at what cost.

The answers are those of `PoseReach` for each mover alone. Those for whom the place is too far off, or has no room, are
ruled out before any search; the others are searched for together.

>>> from fractions import Fraction
>>> from simulator.geometry.footprints import Round
>>> from simulator.pathing.posed import Mode, PoseSpace, PoseStart, TurnPrices, even_ground
>>> even, start, forward = even_ground(Fraction(1)), PoseStart((0, 0), Fraction(0)), Mode("forward")
>>> tank = PoseSpace(Round(1), (start,), Fraction(12), even, (forward,), TurnPrices.flat(4))
>>> costs_of_many(started_from(tank, [(0, 0), (10, 10), (10, -9), (24, 0)]), (10, 0)).tolist()
[10.0, inf, inf, inf]
>>> costs_of_many(started_from(tank, [(0, 0), (10, 8), (10, -8)], heading=90), (10, 0), heading=90).tolist()
[inf, inf, 8.0]
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.table import inch_places
from simulator.geometry.tolerances import ROUNDING_OF_ANGLES, TOLERANCE
from simulator.pathing.posed.goals import Goals
from simulator.pathing.posed.rays import shorter
from simulator.pathing.posed.space import PoseSpace, PoseStart
from simulator.pathing.posed.together import reach_many

#: So many movers are searched for in one pass: more take more memory, and hardly less time.
_AT_ONCE = 32


def started_from(space: PoseSpace, places: Iterable[XY], heading: float | None = None) -> Iterator[PoseSpace]:
    """Yield the space of a mover as it would be from other places, facing as it does at its first start or elsewhere.

    What bars its way stays where it is.
    """
    if not space.starts:
        raise ValueError("a mover that is placed has no start that could be elsewhere")
    first = space.starts[0]
    facing = first.heading if heading is None else Fraction(heading)
    for place in places:
        yield replace(space, starts=(replace(first, place=place, heading=facing),), placings=())


def may_end(space: PoseSpace, place: XY, heading: float | None = None, level: int = 0) -> bool:
    """Whether a mover might end at a place on a level, as far as can be said without a search."""
    goals = Goals(inch_places([place]), None if heading is None else np.array([float(heading)]))
    # What is left of a phase is lost, and free degrees may be free again in the next.
    if not space.earlier and least_cost(space, place, heading) > float(space.budget) + TOLERANCE:
        return False
    if not space.earlier and space.most_inches is not None and least_inches(space, place) > space.most_inches:
        return False
    return bool(goals.have_room(space.on(level))[0])


def least_cost(space: PoseSpace, place: XY, heading: float | None = None) -> float:
    """Compute what a mover pays at least to end somewhere, for the straight line and for the turns to a heading.

    Links with places may be shorter than any line.
    """
    leaps = any(link.far_ends for link in space.links)
    costs = [
        float(start.paid) + (0.0 if leaps else _least_leg(space, start, place)) + _least_turns(space, start, heading)
        for start in space.starts
    ]
    for placing in space.placings:
        away = 0.0 if leaps else placing.inches_from(place)
        costs.append(float(placing.least) + away * space.least_rate)
    return min(costs)


def least_inches(space: PoseSpace, place: XY) -> float:
    """Compute how many inches a mover covers at least to end somewhere, whichever way; less what a judge allows."""
    if any(link.far_ends for link in space.links):
        return 0.0
    far = [float(start.covered) + math.dist(start.place, place) for start in space.starts]
    far += [float(placing.covered) + placing.inches_from(place) for placing in space.placings]
    return min(far) - TOLERANCE


def _least_leg(space: PoseSpace, start: PoseStart, place: XY) -> float:
    return float(np.hypot(*np.subtract(place, start.place))) * space.least_rate


def _least_turns(space: PoseSpace, start: PoseStart, heading: float | None) -> float:
    """The least price of turns that lead to a heading in all, wherever they are made."""
    if heading is None:
        return 0.0
    free = float((space.turns.free if start.free is None else start.free) + space.turns.free_at_end)
    off = abs(float(shorter(np.array([heading - float(start.heading)]))[0])) - free
    least = float(min(one.least for one in (space.ground, *(level.ground for level in space.above))))
    return cheapest_turns(space.turns.brackets, off) * (least if space.turns.times_rate else 1.0)


def cheapest_turns(brackets: Sequence[tuple[Fraction, Fraction]], degrees: float) -> float:
    """Return the least that turns by so many degrees in all cost, in one turn or in many.

    >>> brackets = [(Fraction(45), Fraction(6)), (Fraction(90), Fraction(10)), (Fraction(180), Fraction(30))]
    >>> cheapest_turns(brackets, 45), cheapest_turns(brackets, 46), cheapest_turns(brackets, 170)
    (6.0, 10.0, 20.0)
    """
    paid = {max(degrees - TOLERANCE, 0.0): 0.0}  # by the degrees that are left
    while (left := max(paid)) > 0.0:
        cost = paid.pop(left)
        for limit, price in brackets:
            after = max(left - float(limit) - ROUNDING_OF_ANGLES, 0.0)
            paid[after] = min(cost + float(price), paid.get(after, math.inf))
    return paid[0.0]


def costs_of_many(
    spaces: Iterable[PoseSpace], place: XY, heading: float | None = None, level: int = 0, finer: int = 0
) -> FloatArray:
    """Compute the least cost of ending at a place, or in a pose, for each of many movers; inf for those who cannot."""
    movers = list(spaces)
    near = [number for number, space in enumerate(movers) if may_end(space, place, heading, level)]
    costs = np.full(len(movers), np.inf)
    for some in _lots(near):
        for number, reach in zip(some, reach_many([movers[number] for number in some], finer), strict=True):
            found = reach.costs_at([place], level) if heading is None else reach.costs_in([place], [heading], level)
            costs[number] = found[0]
    return costs


def _lots(numbers: Sequence[int]) -> Iterator[Sequence[int]]:
    for first in range(0, len(numbers), _AT_ONCE):
        yield numbers[first : first + _AT_ONCE]
