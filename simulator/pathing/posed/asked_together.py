"""Movers that are asked about the same places together: the ways of all of them are found in one go.

>>> from fractions import Fraction
>>> from simulator.geometry.footprints import Round
>>> from simulator.pathing.posed import Mode, PoseSpace, PoseStart, TurnPrices, even_ground
>>> even, forward, turns = even_ground(Fraction(1)), Mode("forward"), TurnPrices.flat(4)
>>> starts = [PoseStart((0, 0), Fraction(0)), PoseStart((5, 0), Fraction(0))]
>>> spaces = [PoseSpace(Round(1), (start,), Fraction(9), even, (forward,), turns) for start in starts]
>>> reaches = [ReachTogether(space) for space in spaces]
>>> know_together(reaches, [(8, 0), (3, 4)])
>>> [reach.costs_at([(8, 0), (3, 4)]).tolist() for reach in reaches]
[[8.0, 9.0], [3.0, 8.47213595499958]]
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from simulator.geometry.table import inch_places
from simulator.pathing.posed.cheapest import CheapestWays
from simulator.pathing.posed.cheapest_together import AskingMover, WaysOfSeveral
from simulator.pathing.posed.goals import Goals
from simulator.pathing.posed.planner import KEPT, PosePlanner
from simulator.pathing.posed.reach import PoseReach, with_slack
from simulator.pathing.posed.search import MESH
from simulator.pathing.posed.turned_ends import TurnedEnds
from simulator.pathing.posed.ways import LastLinks


class _Told(NamedTuple):
    """The cheapest ways to goals by the last links of a move, which were found together with those of others."""

    last: LastLinks
    goals: Goals
    ways: CheapestWays


class ReachTogether(PoseReach):
    """The reach of a mover that is asked together with others."""

    @cached_property
    def _told(self) -> list[_Told]:
        return []

    def askings(self, level: int) -> Iterator[tuple[LastLinks, AskingMover]]:
        """Yield the mover as it is at each end of a move on a level, with the links after it."""
        for last in self._last_links[level]:
            known = self.lower[last.level], self._found_on(last.level)
            yield last, AskingMover(with_slack(last), *known, float(last.space.budget))

    def tell(self, last: LastLinks, goals: Goals, ways: CheapestWays) -> None:
        """Take ways that were found together with those of others, until `know`."""
        ways.drop_above(float(last.space.budget))
        self._told.append(_Told(last, goals, ways))

    def know(self, goals: Goals, level: int) -> None:
        """Know the ways to goals, those that were told among them."""
        self._ways_to_few(goals, level)
        self._told.clear()

    def _goes_on_by(self, last: LastLinks, goals: Goals) -> list[CheapestWays | TurnedEnds]:
        return super()._goes_on_by(last, goals) if self._told_of(last, goals) is None else []

    def _cheapest(self, last: LastLinks, goals: Goals) -> CheapestWays:
        told = self._told_of(last, goals)
        return super()._cheapest(last, goals) if told is None else told

    def _told_of(self, last: LastLinks, goals: Goals) -> CheapestWays | None:
        """The ways that were told for goals and an end; None: none were."""
        return next((one.ways for one in self._told if one.last is last and one.goals is goals), None)


def know_together(
    reaches: Iterable[PosePlanner], places: ArrayLike, headings: ArrayLike | None = None, level: int = 0
) -> None:
    """Find the cheapest ways of several movers to the same places on a level, perhaps with headings in degrees.

    Each of them answers at once when it is asked about those next. Of more places than are kept at once nothing is
    found, and by planners of another kind neither.
    """
    rows = inch_places(places)
    if not 0 < len(rows) <= KEPT:
        return
    facing = None if headings is None else np.array(np.broadcast_to(headings, (len(rows),)), np.float64)
    goals = Goals(rows, facing)
    alike = defaultdict[Hashable, list[tuple[ReachTogether, LastLinks, AskingMover]]](list)
    asked = [reach for reach in reaches if isinstance(reach, ReachTogether)]
    for reach in asked:
        for last, mover in reach.askings(level):
            alike[mover.kind].append((reach, last, mover))
    for kind, some in alike.items():
        if kind is None or len(some) == 1:
            continue
        ways = WaysOfSeveral([mover for _, _, mover in some], goals)
        ways.find(MESH)
        for number, (reach, last, _) in enumerate(some):
            reach.tell(last, goals, ways.of_mover(number))
    for reach in asked:
        reach.know(goals, level)
