"""Ways that end by links straight up or down: what leads to where those begin is the same, whichever of them follow.

Who flies at an altitude may go on from there to any other one when it arrives. Of nine altitudes that makes 81 ways to
end at a place, and nine flights.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from simulator.geometry.convex import BoolArray
from simulator.geometry.footprints import Round
from simulator.pathing.posed.cheapest import CheapestWays
from simulator.pathing.posed.goals import Goals
from simulator.pathing.posed.rays import has_room
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.turn_tolls import under_bases
from simulator.pathing.posed.ways import LastLinks

#: Flights to no more goals are kept while it is asked about one level after the other.
GOALS_KEPT = 512


class Flights:
    """The ways to some goals by the levels of their last turns and legs, and on which levels a mover may end there.

    That is kept while it is asked about one level after the other. It is for round bases, which fit facing any way.
    """

    def __init__(self, space: PoseSpace, goals: Goals) -> None:
        self._space, self._goals = space, goals
        self._facing = np.zeros(len(goals.places)) if goals.facing is None else goals.facing
        # By level: the ways, where there is room, where a move may end, and where nothing is to be paid for.
        self._ways = dict[int, CheapestWays]()
        self._room, self._free, self._bare = dict[int, BoolArray](), dict[int, BoolArray](), dict[int, BoolArray]()

    def ways(self, level: int, cheapest: Callable[[LastLinks], CheapestWays]) -> CheapestWays:
        """Return the cheapest ways that end on a level, or go on from there by links."""
        if level not in self._ways:
            self._ways[level] = cheapest(LastLinks(level, (), self._space.on(level).on_the_way()))
        return self._ways[level]

    def fit(self, last: LastLinks) -> BoolArray:
        """Find the goals at which the last links lead to where there is room, and the move may end."""
        levels = [link.target for link in last.links]
        rooms = [_known(self._room, level, self._has_room) for level in levels]
        may_end = _known(self._free, [last.level, *levels][-1], self._may_end)
        return np.asarray(np.all([may_end, *rooms], axis=0))

    def meet_nothing(self, last: LastLinks) -> BoolArray:
        """Find the goals at which nothing that is to be paid for stands where the last links lead."""
        bare = [_known(self._bare, link.target, self._is_bare) for link in last.links]
        return np.asarray(np.all([np.ones(len(self._goals.places), np.bool_), *bare], axis=0))

    def _has_room(self, level: int) -> BoolArray:
        return has_room(self._space.on(level), self._goals.places, self._facing)

    def _may_end(self, level: int) -> BoolArray:
        return self._goals.may_stop(self._space.on(level))

    def _is_bare(self, level: int) -> BoolArray:
        return np.asarray(under_bases(self._space.on(level), self._goals.places, self._facing) == 0)


def _known(known: dict[int, BoolArray], level: int, find: Callable[[int], BoolArray]) -> BoolArray:
    """Return what is known of a level, or find it."""
    if level not in known:
        known[level] = find(level)
    return known[level]


def may_go_on(last: LastLinks) -> bool:
    """Whether ways are those to where their last links begin, as far as the budget pays for both.

    What else matters at the end follows from the place alone.
    """
    space = last.space
    limits = space.more_than, space.most_travelled, space.most_inches
    alone = isinstance(space.base, Round) and all(limit is None for limit in limits)
    contents = space.touch or space.met or space.placings or space.earlier
    ends = space.ends, space.leap, space.slant
    return alone and not contents and ends == (None, None, None)
