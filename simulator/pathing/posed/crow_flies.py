"""What a move to a place costs at least: as the crow flies, from link to link, over the cheapest ground there is.

It takes no search, and says of many a place that no budget which is tried is enough for it.

>>> from fractions import Fraction
>>> from simulator.geometry.footprints import Round
>>> from simulator.pathing.posed import Mode, PoseLink, PoseSpace, PoseStart, PricedGround, TableLevel, TurnPrices
>>> ground, start = PricedGround((), lambda under, climbed: Fraction(1)), PoseStart((0, 0), Fraction(0))
>>> stairs = PoseLink("stairs", 0, 1, Fraction(5), places=((3, 4), (3, 8)))
>>> above = (TableLevel(ground), TableLevel(ground))
>>> space = PoseSpace(
...     Round(1), (start,), Fraction(20), ground, (Mode("forward"),), TurnPrices.flat(4), above=above, links=(stairs,)
... )
>>> least_to(space, (6, 8)), least_to(space, (6, 8), level=1), least_to(space, (6, 8), level=2)
(10.0, 13.0, inf)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from simulator.geometry.convex import IntArray
from simulator.geometry.pieces import XY, FloatArray
from simulator.pathing.posed.edges import OffTheEdge
from simulator.pathing.posed.links import PoseLink
from simulator.pathing.posed.space import PoseSpace


def least_to(space: PoseSpace, place: XY, level: int = 0) -> float:
    """Return what a move that ends at a place costs at least; inf: links do not lead to its level.

    Of places to begin at anywhere, and of leaps from anywhere on an edge, no more is known than that. Phases before the
    last one pay for all that they can.
    """
    if not _leads_to(space, level):
        return np.inf
    if space.placings or any(isinstance(link, OffTheEdge) for link in space.links):
        return 0.0
    storey = _storeys(space)
    stairs = [link for link in space.links if isinstance(link, PoseLink) and link.places is not None]
    rates = _rates(space, storey)
    starts = _SpotsOnStoreys.of(
        [start.place for start in space.starts], storey[[start.level for start in space.starts]]
    )
    begins = _SpotsOnStoreys.of([_places(link)[0] for link in stairs], storey[[link.origin for link in stairs]])
    ends = _SpotsOnStoreys.of([_places(link)[1] for link in stairs], storey[[link.target for link in stairs]])
    goal = _SpotsOnStoreys.of([place], storey[[level]])
    prices = np.array([float(link.price) for link in stairs])
    paid = np.array([float(start.paid) for start in space.starts])[:, None]
    cost = np.min(paid + starts.to(begins, rates), axis=0, initial=np.inf) + prices
    between = ends.to(begins, rates)
    while len(stairs) and np.any((less := np.min(cost[:, None] + between, axis=0) + prices) < cost):
        cost = np.minimum(cost, less)
    ways = [paid + starts.to(goal, rates), cost[:, None] + ends.to(goal, rates)]
    return max(float(np.min(np.concatenate(ways), initial=np.inf)) - float(space.paid_before), 0.0)


class _SpotsOnStoreys(NamedTuple):
    """Places, rows x and y, and the storeys that they are on."""

    place: FloatArray
    storey: IntArray

    @classmethod
    def of(cls, places: Sequence[XY], storeys: IntArray) -> _SpotsOnStoreys:
        return cls(np.array(places, np.float64).reshape(-1, 2), storeys)

    def to(self, others: _SpotsOnStoreys, rates: FloatArray) -> FloatArray:
        """Compute what straight ways to other spots cost at least: a row for each; inf to other storeys."""
        away = self.place[:, None] - others.place
        least = np.hypot(away[..., 0], away[..., 1]) * rates[self.storey][:, None]
        return np.where(self.storey[:, None] == others.storey, least, np.inf)


def _places(link: PoseLink) -> tuple[XY, XY]:
    assert link.places is not None
    return link.places


def _storeys(space: PoseSpace) -> IntArray:
    """Number the levels so that those have the same number between which a mover rises and sinks anywhere."""
    storey = np.arange(space.level_count)
    for link in space.links:
        if isinstance(link, PoseLink) and link.places is None:
            storey[storey == storey[link.target]] = storey[link.origin]
    return storey


def _rates(space: PoseSpace, storey: IntArray) -> FloatArray:
    """What an inch costs at least on each storey."""
    rates = np.full(space.level_count, np.inf)
    grounds = [space.on(level).ground.least for level in range(space.level_count)]
    np.minimum.at(rates, storey, np.array([float(least) for least in grounds]) * space.least_factor)
    return rates


def _leads_to(space: PoseSpace, level: int) -> bool:
    """Whether links lead to a level from one that the mover begins on."""
    known = {start.level for start in space.starts} | {placing.level for placing in space.placings}
    while more := {link.target for link in space.links if link.origin in known} - known:
        known |= more
    return level in known
