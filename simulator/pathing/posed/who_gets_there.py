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

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.table import inch_places
from simulator.geometry.tolerances import TOLERANCE
from simulator.pathing.posed.last_legs import Goals
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.together import reach_many

#: So many movers are searched for in one pass: more take more memory, and hardly less time.
_AT_ONCE = 32


def started_from(space: PoseSpace, places: Iterable[XY], heading: float | None = None) -> Iterator[PoseSpace]:
    """Yield the space of a mover as it would be from other places, facing as it does at its first start or elsewhere.

    What bars its way stays where it is.
    """
    first = space.starts[0]
    facing = first.heading if heading is None else Fraction(heading)
    for place in places:
        yield replace(space, starts=(replace(first, place=place, heading=facing),), laid_from=None)


def may_end(space: PoseSpace, place: XY, heading: float | None = None, level: int = 0) -> bool:
    """Whether a mover might end at a place on a level, as far as a straight line and the room there can say."""
    here = space.on(level)
    goals = Goals(inch_places([place]), None if heading is None else np.array([float(heading)]))
    return least_cost(space, place) <= float(space.budget) + TOLERANCE and bool(goals.have_room(here)[0])


def least_cost(space: PoseSpace, place: XY) -> float:
    """Compute what a mover pays at least to get to a place, by the straight line; links with places may be shorter."""
    leaps = any(link.places is not None for link in space.links)
    return min(
        float(start.paid) + (0.0 if leaps else float(np.hypot(*np.subtract(place, start.place))) * space.least_rate)
        for start in space.starts
    )


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
