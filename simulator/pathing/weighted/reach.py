"""Where a mover can end, at what price, by which moves: directions are free, and ground has prices.

Ways bend on the borders between prices and round what stands in the way; a search over places there finds the row of
borders that is cheapest, and the bends of each way are then slid until its price stops falling.

>>> from fractions import Fraction
>>> from simulator.geometry.footprints import Round
>>> from simulator.geometry.pieces import rectangle
>>> from simulator.pathing.posed import Mode, PoseSpace, PoseStart, PricedGround, TurnPrices
>>> from simulator.pathing.weighted import WeightedReach
>>> swamp = PricedGround([rectangle((5, 0), (4, 20))], lambda under, climbed: Fraction(2 if under else 1))
>>> here = PoseStart((0, 0), Fraction(0))
>>> space = PoseSpace(Round(0.5), (here,), Fraction(12), swamp, (Mode("forward"),), TurnPrices.flat(0))
>>> reach = WeightedReach(space)
>>> reach.costs_at([(3, 0), (6, 0), (9, 0)]).round(6).tolist()
[3.0, 9.0, inf]
>>> [str(move) for move in reach.moves_to((6, 0))]
['6 inches forward']
"""

# ruff: noqa: ARG002 - the questions name headings and levels: headings cost nothing here, and there is one level

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.path_judge import first_lengths
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.tolerances import SLACK, TOUCH
from simulator.pathing.columns import join, pick
from simulator.pathing.ends import HeadingRange
from simulator.pathing.posed.far_from import far_enough
from simulator.pathing.posed.goals import Goals
from simulator.pathing.posed.planner import PosePlanner
from simulator.pathing.posed.rays import legs_between
from simulator.pathing.weighted.area import LastBends, drawn_area
from simulator.pathing.weighted.cheapest import CheapWays, WeightedWays
from simulator.pathing.weighted.closeness import EXACT, ROUGH, Closeness
from simulator.pathing.weighted.feet import feet_of_starts, with_feet
from simulator.pathing.weighted.movers import why_headings_count
from simulator.pathing.weighted.places import BendPlaces, PlaceMap, place_map, region_of
from simulator.pathing.weighted.setting import WeightedSetting
from simulator.pathing.weighted.spread import Spread, last_legs, spread
from simulator.pathing.weighted.taut import taut
from simulator.pathing.weighted.ways import Legs, bends_of, exact_costs, legs_of, straight_parts


class _Searched(NamedTuple):
    """What a search from the starts with one limit found."""

    limit: float
    starts: IntArray  #: their numbers in the space
    map: PlaceMap  #: the starts come last
    known: Spread


@dataclass(frozen=True, eq=False)
class WeightedReach(PosePlanner):
    """The ends of a mover that turns for nothing; raises ValueError for others. All headings cost the same."""

    def __post_init__(self) -> None:
        reason = why_headings_count(self.space)
        if reason is not None:
            raise ValueError(reason)

    @cached_property
    def _setting(self) -> WeightedSetting:
        return WeightedSetting(self.space)

    @cached_property
    def _searches(self) -> tuple[_Searched, ...]:
        """One search for each limit: starts with the same limit are searched from together."""
        setting = self._setting
        places = np.array([start.place for start in self.space.starts], np.float64)
        paid = np.array([float(start.paid) for start in self.space.starts])
        longest = float(np.max(setting.limits - paid)) / self.space.least_rate
        free = setting.fits(places) & (paid <= setting.limits + SLACK)
        beside = feet_of_starts(setting.borders, places[free])
        map_ = place_map(setting, places[free], longest, beside)
        found = []
        for limit in np.unique(setting.limits[free]).tolist():
            rows = np.flatnonzero(free & (setting.limits == limit))
            count = len(map_.places.place)
            own = BendPlaces.inside(places[rows], region_of(setting, places[rows]))
            knot = np.r_[map_.knot, np.full(len(rows), -1)]
            with_starts = map_._replace(places=join([map_.places, own]), knot=knot)
            known = spread(setting, with_starts, count + np.arange(len(rows)), paid[rows], limit)
            found.append(_Searched(limit, rows, with_starts, known))
        return tuple(found)

    # --- costs ---

    def _ways_to(self, goals: Goals, level: int) -> WeightedWays:
        return WeightedWays(self._setting, goals.facing, self._cheapest(goals.places))

    def _headings_at_each(self, places: FloatArray, step: float, level: int) -> list[tuple[HeadingRange, ...]]:
        costs = self.costs_at(places).tolist()
        return [(HeadingRange.whole(cost),) if np.isfinite(cost) else () for cost in costs]

    def _costs_facing(self, place: XY, headings: FloatArray, level: int) -> FloatArray:
        return np.full(len(headings), self.costs_at([place])[0])

    # --- the cheapest ways ---

    def _cheapest(self, goals: FloatArray, closeness: Closeness = EXACT, *, any_spend: bool = False) -> CheapWays:
        count = len(goals)
        found = CheapWays.none(count)
        if not count:
            return found
        open_ = np.flatnonzero(self._may_end(goals))
        self._stay(goals, found)
        legs: list[Legs] = []
        for number, searched in enumerate(self._searches if len(open_) else ()):
            cost, start, own = self._from(searched, goals[open_], closeness)
            legs.append(own)
            better = cost < found.cost[open_] - SLACK
            if self.space.more_than is not None and not any_spend:
                better &= cost > float(self.space.more_than) + SLACK
            rows = open_[better]
            found.cost[rows], found.start[rows] = cost[better], start[better]
            found.way[rows], found.search[rows] = np.flatnonzero(better), number
        return found._replace(legs=tuple(legs))

    def _stay(self, goals: FloatArray, found: CheapWays) -> None:
        """Ends where a move begins: not to move is legal wherever a base stands."""
        more = -np.inf if self.space.more_than is None else float(self.space.more_than) + SLACK
        for number, start in enumerate(self.space.starts):
            paid = float(start.paid)
            here = np.hypot(*(goals - start.place).T) <= TOUCH
            here &= (paid < found.cost) & (paid > more) & (paid <= float(self.space.budget) + SLACK)
            here[here] = self._clear(goals[here])
            found.cost[here], found.start[here], found.search[here] = paid, number, -1

    def _may_end(self, goals: FloatArray) -> BoolArray:
        fits = self._setting.fits(goals)
        fits[fits] = self._clear(goals[fits])
        return fits

    def _clear(self, goals: FloatArray) -> BoolArray:
        """Find the goals that nothing bars ends at, and that are far enough from where that matters."""
        far = far_enough(self.space.far_from, goals)
        if not self.space.no_end or not len(goals):
            return far
        stands = legs_between(goals, goals, np.zeros(len(goals)))
        return far & np.isinf(first_lengths(stands, self.space.base, self.space.no_end_standing))

    def _from(self, searched: _Searched, goals: FloatArray, closeness: Closeness) -> tuple[FloatArray, IntArray, Legs]:
        """The cheapest ways of one search to goals: costs, starts and legs."""
        setting = self._setting
        first_start = len(searched.known.cost) - len(searched.starts)
        map_, known, whose = with_feet(setting, searched.map, searched.known, goals, searched.limit)
        ends = BendPlaces.inside(goals, region_of(setting, goals))
        offers = last_legs(setting, map_.places, known.cost, whose, ends, searched.limit, closeness)
        rows = np.arange(len(offers.target))
        raw = bends_of(known, map_, goals, offers)
        drawn, of = taut(setting, searched.map.joints, raw, closeness)
        paid = np.array([float(start.paid) for start in self.space.starts])[searched.starts]
        first = _first_of(known, offers.source) - first_start
        rims, count = searched.map.rims, len(of)
        costs, legs = exact_costs(setting, rims, legs_of(setting, drawn), count)
        best = np.full(len(rows), np.inf)
        np.minimum.at(best, of, costs)
        rough = np.flatnonzero(best + paid[first] > offers.cost + SLACK)
        if len(rough):
            # What was drawn taut is barred or no cheaper: the way of the search stays.
            some = pick(raw, np.isin(raw.way, rough))
            some = some._replace(way=np.searchsorted(rough, some.way))
            more, more_legs = exact_costs(setting, rims, legs_of(setting, some), len(rough))
            costs, of = np.concatenate([costs, more]), np.concatenate([of, rough])
            legs = join([legs, more_legs._replace(way=more_legs.way + count)])
        costs, target = costs + paid[first[of]], offers.target[of]
        order = np.lexsort((costs, target))
        chosen = order[np.unique(target[order], return_index=True)[1]]
        chosen = chosen[costs[chosen] <= searched.limit + SLACK]
        cost, start = np.full(len(goals), np.inf), np.full(len(goals), -1)
        cost[target[chosen]], start[target[chosen]] = costs[chosen], searched.starts[first[of[chosen]]]
        legs = pick(legs, np.isin(legs.way, chosen))
        legs = legs._replace(way=target[legs.way])
        return cost, start, pick(legs, np.argsort(legs.way, kind="stable"))

    # --- areas ---

    def _drawn(self, error: float, heading: float | None, level: int, besides: BaseGeometry | None) -> BaseGeometry:
        known = [searched.map.places.place[np.isfinite(searched.known.cost)] for searched in self._searches]
        area = drawn_area(self._setting, np.concatenate([np.zeros((0, 2)), *known]), self._last_bends, error)
        if self.space.more_than is None:
            return area
        # Ends that a cheaper way leads to spend too little.
        near = replace(self.space, budget=min(self.space.more_than, self.space.budget), more_than=None)
        return shapely.difference(area, WeightedReach(near).area(error))

    def _last_bends(self, places: FloatArray) -> LastBends:
        """The ends among places, whatever has to be spent, and where the ways to them bend at last."""
        found = self._cheapest(places, ROUGH, any_spend=True)
        lots = []
        for number, legs in enumerate(found.legs):
            leg, segments = straight_parts(self._setting, legs)
            way = legs.way[leg]
            last = np.flatnonzero(np.r_[way[1:] != way[:-1], np.ones(min(len(way), 1), np.bool_)])
            mine = np.flatnonzero(found.search == number)
            row = last[np.searchsorted(way[last], found.way[mine])]
            goal, segments = mine, segments[row]
            price = found.cost[goal] - self._setting.prices(segments)
            lots.append(LastBends(places[goal], segments[:, :2], price, found.start[goal]))
        none = np.zeros((0, 2))
        return join([LastBends(none, none, none[:, 0], np.zeros(0, np.intp)), *lots])


def _first_of(known: Spread, node: IntArray) -> IntArray:
    """The places that the ways to some places begin at."""
    while np.any(known.before[node] >= 0):
        node = np.where(known.before[node] >= 0, known.before[node], node)
    return node
