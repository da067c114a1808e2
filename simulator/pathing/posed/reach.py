"""Where a mover can end, at a place or in a pose, at what price, by which moves: the answer of the planner over poses.

The poses to turn at are searched; the last turns and the last leg are exact: any heading, any length, whatever the
mesh. So each end that is reported has a move that the judge accepts at that price, and what may be missing are ends
that need several turns at just one place each.

>>> from fractions import Fraction
>>> from simulator.geometry.footprints import Round
>>> from simulator.pathing.posed import Mode, PoseSpace, PoseStart, PricedGround, TurnPrices
>>> sixths = TurnPrices.of([(45, 6), (90, 12), (135, 24), (180, 30)], separation=1)
>>> ground = PricedGround((), lambda under, climbed: Fraction(1))
>>> space = PoseSpace(Round(1), (PoseStart((0, 0), Fraction(0)),), Fraction(36), ground, (Mode("forward"),), sixths)
>>> reach = PoseReach(space)
>>> reach.costs_at([(36, 0), (0, 24), (0, 24.1)]).round(6).tolist()
[36.0, 36.0, inf]
>>> for move in reach.moves_to((0, 24)):
...     print(move)
90 degrees to the left
24 inches forward
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np

from simulator.cores import on_every_core_by_rows
from simulator.freed_memory import give_back
from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.tolerances import SLACK
from simulator.pathing.ends import HeadingRange
from simulator.pathing.posed.aims import Aim, aim_at
from simulator.pathing.posed.alike import lower_by_level
from simulator.pathing.posed.arrivals import ArrivingWays
from simulator.pathing.posed.cheapest import CheapestWays
from simulator.pathing.posed.drawn_reach import ENDS_WORTH_A_PROCESS, DrawnReach
from simulator.pathing.posed.enough import EnoughWays, with_detours
from simulator.pathing.posed.flown import GOALS_KEPT, Flights, may_go_on
from simulator.pathing.posed.goals import Goals
from simulator.pathing.posed.headings import CostsByHeading, Facing, cheapest_of, heading_ranges, without_limits
from simulator.pathing.posed.lane_search import angles_of
from simulator.pathing.posed.links import PoseLink
from simulator.pathing.posed.lower_prices import LowerPrices
from simulator.pathing.posed.search import MESH, FoundOnLevel, Searched, search
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import starting
from simulator.pathing.posed.turned_ends import TurnedEnds, headings_decide, headings_with_room, turned_to_limits
from simulator.pathing.posed.waste import Detour, detours_at, near_space
from simulator.pathing.posed.ways import LastLinks, Ways, last_links

#: So many inches, on the cheapest ground, a way is shortened at most that costs too much before its turn is slid.
_SLID = Fraction(MESH)
#: How far apart states lie of a search that only has to find some way.
ROUGH = 3 * MESH
#: Of fewer places to find headings at it takes longer to share them out to processes.
_PLACES_WORTH_A_PROCESS = 8
#: Headings of legs are the same if they are after rounding to so many digits.
_DIGITS = 9


@dataclass(frozen=True, eq=False)
class PoseReach(DrawnReach):
    """The ends of a space: costs are floats, exact but for rounding; moves are exact, and priced by the judge.

    `finer` is how often the mesh of the search is halved: what was an end stays one, and costs no more.
    """

    finer: int = 0
    #: The only place that is asked about; None: any may be.
    goal: XY | None = None
    mesh: float = MESH  #: of the first search

    def __post_init__(self) -> None:
        if self.space.earlier and type(self) is PoseReach:
            raise ValueError("PhasedReach plans for moves of several phases")
        if self.space.stops:
            raise ValueError("StoppedReach plans for moves that end where they touch something")
        if self.finer < 0:
            raise ValueError(f"a mesh is halved 0 times or more, not {self.finer}")

    @classmethod
    def found(
        cls, space: PoseSpace, finer: int, lower: tuple[LowerPrices, ...], searched: tuple[Searched, ...]
    ) -> PoseReach:
        """Return a reach with what its searches have found already, and the prices by level that they looked at."""
        found = cls(space, finer)
        vars(found).update(lower=lower, searched=searched)
        return found

    @classmethod
    def known(cls, space: PoseSpace, other: PoseReach) -> PoseReach:
        """Return the reach of a space for which a search finds what it found for another one."""
        return cls.found(space, other.finer, other.lower, other.searched)

    @cached_property
    def searched(self) -> tuple[Searched, ...]:
        """The poses that the mover may turn at and the legs between them, as each search found them."""
        meshes = [self.mesh / 2**level for level in range(self.finer + 1)]
        found = tuple(search(self.space.way, self.lower, mesh, aim=self._aim) for mesh in meshes)
        give_back()
        return found

    @cached_property
    def _aim(self) -> Aim | None:
        return None if self.goal is None else aim_at(self.space, self.goal, self.lower)

    def least_to_goal(self) -> float:
        """Return what ways to the only place that is asked about cost at least, as far as that is soon known."""
        # Where it is placed is not counted in the way.
        if self._aim is None or self.space.placings:
            return 0.0
        starts = starting(self.space)
        least = float(np.min(starts.price + self._aim.least(starts.place, 0.0)))
        return max(least - float(self.space.paid_before), 0.0)

    def toward(self, space: PoseSpace, place: XY, *, roughly: bool = False) -> PoseReach:
        """Return the same for another space, of which no other place is asked about: it may leave out what lies off."""
        found = replace(self, space=space, goal=place, mesh=ROUGH if roughly else MESH)
        widest = replace(space, budget=self.space.budget)
        if self.goal == place and space.budget <= widest.budget and widest.contents == self.space.contents:
            # What ways cost at least that may spend more, these do, too.
            vars(found)["_aim"] = self._aim
        return found

    @cached_property
    def lower(self) -> tuple[LowerPrices, ...]:
        """What legs cost at least, by level."""
        return lower_by_level(self.space.barred_for_good, MESH)

    @cached_property
    def _found(self) -> tuple[tuple[FoundOnLevel, ...], ...]:
        """What each search found, by level."""
        levels = range(self.space.level_count)
        return tuple(tuple(searched.on(self.space, level) for level in levels) for searched in self.searched)

    @cached_property
    def _last_links(self) -> tuple[tuple[LastLinks, ...], ...]:
        return tuple(last_links(self.space, level) for level in range(self.space.level_count))

    # --- costs ---

    @cached_property
    def _near(self) -> tuple[tuple[PoseReach, tuple[Detour, ...]], ...]:
        """The reaches of ways that cost too little by themselves, by start and mesh, with the detours at the start."""
        if self.space.more_than is None:
            return ()
        by_start = [(start, detours_at(self.space.way, start)) for start in self.space.starts]
        return tuple(
            (PoseReach(near_space(self.space, start, detours), finer), detours)
            for start, detours in by_start
            if detours
            for finer in range(self.finer + 1)
        )

    def share(self, known: Callable[[PoseReach], PoseReach]) -> None:
        """Look at its other spaces by what `known` returns for their reaches, of which nothing has been asked."""
        vars(self)["_near"] = tuple((known(reach), detours) for reach, detours in self._near)

    def _ways_to(self, goals: Goals, level: int) -> Ways | EnoughWays:
        found = self._direct_ways(goals, level)
        if self.space.more_than is None:
            return found
        near = [(reach._direct_ways(goals, level), detours) for reach, detours in self._near]
        return EnoughWays(self.space, found, near)

    @property
    def _takes_any_way(self) -> bool:
        # How much a detour may waste depends on what the way costs without it.
        return self.space.more_than is None

    def _direct_ways(self, goals: Goals, level: int) -> Ways:
        """The cheapest ways without detours."""
        return Ways(self.space, goals, self.searched, *self._endings(goals, level))

    def _endings(self, goals: Goals, level: int) -> tuple[tuple[LastLinks, ...], tuple[CheapestWays | TurnedEnds, ...]]:
        """The ways that moves may end with on a level, and the cheapest ways to goals by each of them."""
        links, found = list[LastLinks](), list[CheapestWays | TurnedEnds]()
        for last in self._last_links[level]:
            ways = self._goes_on_by(last, goals)
            if not ways:
                direct = self._cheapest(last, goals)
                ways = [direct, *self._turned(last, goals, direct)]
            found += ways
            links += [last] * len(ways)
        return tuple(links), tuple(found)

    def _are_ends(self, places: FloatArray, headings: FloatArray | None, level: int) -> BoolArray:
        def ends(part: slice) -> list[bool]:
            found = super(PoseReach, self)._are_ends(places[part], None if headings is None else headings[part], level)
            return list(found.tolist())

        return np.array(on_every_core_by_rows(ends, len(places), ENDS_WORTH_A_PROCESS), np.bool_)

    def _headings_at_each(self, places: FloatArray, step: float, level: int) -> list[tuple[HeadingRange, ...]]:
        return on_every_core_by_rows(
            lambda part: self._headings_at_some(places[part], step, level), len(places), _PLACES_WORTH_A_PROCESS
        )

    def _headings_at_some(self, places: FloatArray, step: float, level: int) -> list[tuple[HeadingRange, ...]]:
        ways = self._ways(places, None, level)
        assert isinstance(ways, Ways | EnoughWays)
        ends = np.flatnonzero(np.isfinite(ways.cost))
        special = [ways.arrival(goal) + angles_of(self.space) for goal in ends.tolist()]
        found = dict(zip(ends.tolist(), self._ranges_at(places[ends], special, step, level), strict=True))
        return [found.get(number, ()) for number in range(len(places))]

    def _ranges_at(
        self, places: FloatArray, special: Sequence[FloatArray], step: float, level: int
    ) -> list[tuple[HeadingRange, ...]]:
        return heading_ranges(self._costs_by_heading(places, level), special, step) if len(places) else []

    def _costs_facing(self, place: XY, headings: FloatArray, level: int) -> FloatArray:
        costs_of = self._costs_by_heading(np.array([place], np.float64), level)
        return costs_of(np.zeros(len(headings), np.intp), headings).cost

    def _costs_by_heading(self, places: FloatArray, level: int) -> CostsByHeading:
        every = np.arange(len(places))
        endings = list[tuple[LastLinks, IntArray, ArrivingWays]]()
        for last in self._last_links[level]:
            leap = last.space.leap
            some = every if leap is None else np.flatnonzero(leap.may_land(places))
            if len(some):
                known = self.lower[last.level], self._found_on(last.level)
                endings.append(
                    (last, some, ArrivingWays(with_slack(last), *known, places[some], float(last.space.budget)))
                )
        near = [(reach._costs_by_heading(places, level), detours) for reach, detours in self._near]

        def costs_of(which: IntArray, headings: FloatArray) -> Facing:
            none = np.full(len(headings), np.inf)
            lots = [without_limits(none, self.space.turns)]
            for last, some, arriving in endings:
                row = np.flatnonzero(np.isin(which, some))
                found = arriving.ways_in(np.searchsorted(some, which[row]), headings[row])
                found.drop_above(float(last.space.budget))
                lot = without_limits(none.copy(), self.space.turns)
                lot.cost[row], lot.limits[row] = found.cost + float(last.price), found.limits_of_last_turns()
                lots.append(lot)
            for near_costs, detours in near:
                near_by = near_costs(which, headings)
                lots.append(near_by._replace(cost=with_detours(self.space, detours, near_by.cost)[0]))
            return cheapest_of(lots)

        return costs_of

    # --- the cheapest ways ---

    def _goes_on_by(self, last: LastLinks, goals: Goals) -> list[CheapestWays | TurnedEnds]:
        """Find the cheapest ways that end in one way by those that end on its level, if others go on there as well.

        None are returned if they have to be looked for by themselves.
        """
        climbs = any(isinstance(link, PoseLink) and link.places is None for link in self.space.links)
        once = climbs and len(self._found) == 1 and len(goals.places) <= GOALS_KEPT and not goals.any_way
        if not once or not may_go_on(last):
            return []
        space, flights, (on_level,) = last.space, self._flights(goals), self._found_on(last.level)
        # What is met at the end may have been met before on one way, and not on another.
        alike = flights.meet_nothing(last)
        ways = flights.ways(last.level, lambda anywhere: self._cheapest(anywhere, goals))
        ways = ways.ended_by(with_slack(last), self.lower[last.level], flights.fit(last) & alike)
        if len(on_level.states.price):
            ways.pass_corners(on_level.states, on_level.rates, float(space.budget), MESH)
            ways.recast(MESH, float(space.budget))
        ways.drop_above(float(space.budget))
        if alike.all():
            return [ways]
        row = np.flatnonzero(~alike)
        return [ways, TurnedEnds.of(len(goals.places), self._cheapest(last, goals.some(row)), row)]

    def _flights(self, goals: Goals) -> Flights:
        """Return what is known of goals by level, if they were asked about last."""
        found = self._last_flights.get(goals.key)
        if found is None:
            self._last_flights.clear()
            found = self._last_flights[goals.key] = Flights(self.space, goals)
        return found

    @cached_property
    def _last_flights(self) -> dict[tuple[bytes, bytes | None], Flights]:
        """What is known by level of the goals that were asked about last."""
        return {}

    def _cheapest(self, last: LastLinks, goals: Goals) -> CheapestWays:
        enough = float(last.space.budget) if goals.any_way else None
        found = CheapestWays(with_slack(last), self.lower[last.level], goals, enough=enough)
        if not np.any(found.to_beat > -np.inf):
            return found
        found.offer_placed()
        for number, levels in enumerate(self._found):
            states, rates, legs, every = levels[last.level]
            found.begin(every)
            self._offer_before(found, goals, number, last)
            if len(states.price):
                found.offer_straight(states, rates)
                found.offer_facing(every, MESH)
                if legs is not None:
                    found.offer_turning(legs)
                    found.offer_whole_pieces(legs)
                    found.try_gaps([legs], MESH)
                found.pass_corners(states, rates, float(last.space.budget), MESH)
                found.refine(MESH, float(last.space.budget))
        found.drop_above(float(last.space.budget))
        return found

    def _turned(self, last: LastLinks, goals: Goals, known: CheapestWays) -> list[TurnedEnds]:
        """Find ways that end with a turn which is needed there: to where there is room, or to spend enough."""
        space = last.space
        # Detours spend just as much as is missing, but for begun pieces.
        spends = space.more_than is not None and (space.ground.grain is not None or not self._near)
        if goals.facing is not None or not (spends or headings_decide(space)):
            return []
        row, heading = headings_with_room(space, goals.places)
        if space.leap is None:
            some = np.arange(len(goals.places)) if spends else np.unique(row)
            anyhow = self._cheapest(last._replace(space=space.on_the_way()), goals.some(some))
            dearer = anyhow.cost < known.cost[some] - SLACK
            kept = np.isin(row, some[dearer])
            row, heading = row[kept], heading[kept]
            if spends and len(arriving := np.flatnonzero(dearer)):
                of, turned = turned_to_limits(space, anyhow.last_legs(arriving)[1].turns.heading)
                row, heading = np.r_[row, some[arriving[of]]], np.r_[heading, turned]
        if not len(row):
            return []
        turned_to = replace(goals.some(row), facing=heading)
        return [TurnedEnds.of(len(goals.places), self._cheapest(last, turned_to), row)]

    def _offer_before(self, found: CheapestWays, goals: Goals, number: int, last: LastLinks) -> None:
        """Offer the last legs that begin before all that a search, by its number, has found: of one phase, none."""


def with_slack(last: LastLinks) -> PoseSpace:
    """The space in which ways are looked for: they may cost a little too much before their last turns are slid."""
    space = last.space
    inches = space.most_inches if space.inches_bind else None
    return replace(space, budget=space.budget + _SLID * space.ground.least, most_inches=inches)
