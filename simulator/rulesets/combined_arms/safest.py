"""The safest way to an end under fire: of the cheapest one, and of those out of sight of some enemies or of all."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple, Protocol

from simulator.engine.orders import Order
from simulator.engine.state import Unit
from simulator.geometry.poses import Pose
from simulator.rulesets.combined_arms.fire import interceptors
from simulator.rulesets.combined_arms.odds import chance_of
from simulator.rulesets.combined_arms.units import ArmsTable


class WaysToEnds(Protocol):
    """What an answer of reach says of an end."""

    def pose_of(self, place: Any) -> Pose:
        """Return what was asked about as a pose."""

    def cost_at(self, place: Any) -> Any:
        """Return what an end costs; None where there is none."""

    def orders_to(self, place: Any) -> list[Order]:
        """Return the orders that lead to an end for that."""


class WaysUnderFire(NamedTuple):
    """How a piece gets somewhere while enemies may fire at it."""

    table: ArmsTable  #: on which its move begins
    mover: Unit
    hidden_from: Callable[[Sequence[Unit]], WaysToEnds]  #: the ways on which some enemies never see it

    def safest(self, cheapest: WaysToEnds, place: Any) -> list[Order]:
        """Return the orders that lead to an end with the best chance, and for the least price of those.

        Enemies fire at the worst moments. Looked at are the cheapest way, and the cheapest out of sight of all who may
        fire, of all but one of them, and of each alone. Raise NoRoute where the piece cannot end, and TooMuchAsked
        where more would have to be played than `chance_of` plays.
        """
        best = cheapest.orders_to(place)
        most = self._chance(best, cheapest.pose_of(place))
        for enemies in self._hidden_from():
            if most == 1:
                break
            ways = self.hidden_from(enemies)
            if ways.cost_at(place) is not None:
                orders = ways.orders_to(place)
                chance = self._chance(orders, ways.pose_of(place))
                if chance > most:
                    best, most = orders, chance
        return best

    def _hidden_from(self) -> Iterator[tuple[Unit, ...]]:
        """The enemies that it may keep out of sight of: first of as many as can be."""
        enemies = interceptors(self.table, self.mover)
        for count in sorted({len(enemies), len(enemies) - 1, 1} - {0, -1}, reverse=True):
            if count <= len(enemies):
                yield from combinations(enemies, count)

    def _chance(self, orders: Sequence[Order], pose: Pose) -> Any:
        facing = pose.heading is not None
        return math.prod(chance_of(self.table, order, facing=facing) for order in orders)
