"""The cheapest ways that spend enough: those that cost more than has to be spent, and cheaper ones with a detour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from simulator.geometry.convex import IntArray
from simulator.geometry.pieces import FloatArray
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.waste import Detour, cheapest_detours
from simulator.pathing.posed.ways import Way, Ways


@dataclass(frozen=True, eq=False)
class EnoughWays:
    """The cheapest ways to some goals, for a mover that has to spend more than so much."""

    space: PoseSpace
    ways: Ways  #: that spend enough by themselves
    near: Sequence[tuple[Ways, tuple[Detour, ...]]]  #: that do not, with the detours at the start of each

    @cached_property
    def _costs(self) -> tuple[FloatArray, IntArray]:
        """The costs with detours, by ways, and the number of the detour."""
        found = [with_detours(self.space, detours, ways.cost) for ways, detours in self.near]
        none = np.zeros((0, len(self.ways.cost)))
        return np.array([cost for cost, _ in found] or none), np.array([which for _, which in found] or none, np.intp)

    @cached_property
    def cost(self) -> FloatArray:
        """The least cost of each goal; inf where no move ends."""
        return np.asarray(np.minimum(self.ways.cost, self._costs[0].min(axis=0, initial=np.inf)))

    def arrival(self, goal: int) -> float:
        """Return the heading of the last leg of a way."""
        return self._best(goal)[0].arrival(goal)

    def way(self, goal: int) -> Way | None:
        """Return the way to a goal; None if there is none."""
        ways, detour = self._best(goal)
        way = ways.way(goal)
        if way is None or detour is None:
            return way
        assert self.space.more_than is not None
        return way._replace(moves=(*detour.moves(float(ways.cost[goal]), float(self.space.more_than)), *way.moves))

    def _best(self, goal: int) -> tuple[Ways, Detour | None]:
        """The ways that are the cheapest to a goal, and the detour before them."""
        if not len(self.near) or self.ways.cost[goal] <= self.cost[goal]:
            return self.ways, None
        costs, which = self._costs
        number = int(costs[:, goal].argmin())
        ways, detours = self.near[number]
        return ways, detours[which[number, goal]]


def with_detours(space: PoseSpace, detours: tuple[Detour, ...], costs: FloatArray) -> tuple[FloatArray, IntArray]:
    """Compute what ways of some costs amount to with the detour that makes each the cheapest, and which that is."""
    assert space.more_than is not None
    return cheapest_detours(detours, costs, float(space.more_than), float(space.budget))
