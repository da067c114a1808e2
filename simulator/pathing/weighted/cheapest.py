"""The cheapest ways to goals, as costs and as written moves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from simulator.geometry.convex import IntArray
from simulator.geometry.pieces import XY, FloatArray
from simulator.pathing.columns import pick
from simulator.pathing.posed.ways import Way
from simulator.pathing.weighted.setting import WeightedSetting
from simulator.pathing.weighted.ways import Legs
from simulator.pathing.weighted.written import moves_along, places_of


class CheapWays(NamedTuple):
    """The cheapest way to each of many goals: what it costs, inf where there is none, and its legs."""

    cost: FloatArray
    start: IntArray  #: the number of the start; -1: none
    way: IntArray  #: its number among the ways of its search
    search: IntArray
    legs: tuple[Legs, ...]  #: by search

    @classmethod
    def none(cls, count: int) -> CheapWays:
        """Return a record with no path to any of a number of goals."""
        return cls(np.full(count, np.inf), np.full(count, -1), np.full(count, -1), np.full(count, -1), ())


@dataclass(frozen=True, eq=False)
class WeightedWays:
    """The cheapest ways to some goals, perhaps with a heading at the end of each: turning to it costs nothing."""

    setting: WeightedSetting
    facing: FloatArray | None
    found: CheapWays

    @property
    def cost(self) -> FloatArray:
        """The least cost of each goal; inf where no move ends."""
        return self.found.cost

    def way(self, goal: int) -> Way | None:
        """Return the way to a goal; None if there is none."""
        found = self.found
        if not np.isfinite(found.cost[goal]):
            return None
        start = self.setting.space.starts[int(found.start[goal])]
        places: list[XY] = []
        if found.search[goal] >= 0:
            legs = found.legs[int(found.search[goal])]
            places = places_of(self.setting, pick(legs, legs.way == found.way[goal]))
        facing = None if self.facing is None else float(self.facing[goal])
        return Way(start, moves_along(start.place, start.heading, places, self.setting.mode, facing))
