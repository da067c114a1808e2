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
import shapely
from shapely.geometry.base import BaseGeometry

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.footprints import Round
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.shapes import joined, together
from simulator.geometry.tolerances import SLACK
from simulator.pathing.columns import join, pick
from simulator.pathing.ends import HeadingRange
from simulator.pathing.posed.aims import Aim, aim_at
from simulator.pathing.posed.alike import lower_by_level
from simulator.pathing.posed.area import DrawnArea, sample_places, standing
from simulator.pathing.posed.arrivals import ArrivingWays
from simulator.pathing.posed.cheapest import CheapestWays
from simulator.pathing.posed.contact_lines import contact_lines
from simulator.pathing.posed.drawings import Drawing, Lot, draw
from simulator.pathing.posed.edges import OffTheEdge
from simulator.pathing.posed.enough import EnoughWays, with_detours
from simulator.pathing.posed.goals import Goals
from simulator.pathing.posed.headings import CostsByHeading, Facing, cheapest_of, heading_ranges, without_limits
from simulator.pathing.posed.landing_lines import LandingLine, landed, landings
from simulator.pathing.posed.lane_search import angles_of
from simulator.pathing.posed.lower_prices import LowerPrices
from simulator.pathing.posed.passages import Passages
from simulator.pathing.posed.placed_area import add_placed
from simulator.pathing.posed.placed_lines import PlacedLines, stations
from simulator.pathing.posed.planner import PosePlanner
from simulator.pathing.posed.pockets import Pockets, both, pockets, rest, turned_pockets
from simulator.pathing.posed.search import MESH, FoundOnLevel, Searched, search
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates, starting
from simulator.pathing.posed.tolls import RunOver
from simulator.pathing.posed.touch import Touch
from simulator.pathing.posed.turned_ends import TurnedEnds, headings_decide, headings_with_room, turned_to_limits
from simulator.pathing.posed.waste import Detour, always_enough, detours_at, near_space
from simulator.pathing.posed.ways import LastLinks, Ways, last_links

#: So many inches, on the cheapest ground, a way is shortened at most that costs too much before its turn is slid.
_SLID = Fraction(MESH) / 2
#: How far apart states lie of a search that only has to find some way.
ROUGH = 3 * MESH
#: Headings of legs are the same if they are after rounding to so many digits.
_DIGITS = 9


@dataclass(frozen=True, eq=False)
class PoseReach(PosePlanner):
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
        return tuple(search(self.space.way, self.lower, mesh, aim=self._aim) for mesh in meshes)

    @property
    def _aim(self) -> Aim | None:
        return None if self.goal is None else aim_at(self.space, self.goal)

    def toward(self, space: PoseSpace, place: XY, *, roughly: bool = False) -> PoseReach:
        """Return the same for another space, of which no other place is asked about: it may leave out what lies off."""
        return replace(self, space=space, goal=place, mesh=ROUGH if roughly else MESH)

    @cached_property
    def lower(self) -> tuple[LowerPrices, ...]:
        """What legs cost at least, by level."""
        return lower_by_level(self.space.barred_for_good, MESH)

    @cached_property
    def _found(self) -> tuple[tuple[FoundOnLevel, ...], ...]:
        """What each search found, by level."""
        levels = range(self.space.level_count)
        return tuple(tuple(searched.on(self.space, level) for level in levels) for searched in self.searched)

    def _found_on(self, level: int) -> list[FoundOnLevel]:
        return [levels[level] for levels in self._found]

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

    def _ways_to(self, goals: Goals, level: int) -> Ways | EnoughWays:
        found = self._direct_ways(goals, level)
        if self.space.more_than is None:
            return found
        near = [(reach._direct_ways(goals, level), detours) for reach, detours in self._near]
        return EnoughWays(self.space, found, near)

    def _direct_ways(self, goals: Goals, level: int) -> Ways:
        """The cheapest ways without detours."""
        return Ways(self.space, goals, self.searched, *self._endings(goals, level))

    def _endings(self, goals: Goals, level: int) -> tuple[tuple[LastLinks, ...], tuple[CheapestWays | TurnedEnds, ...]]:
        """The ways that moves may end with on a level, and the cheapest ways to goals by each of them."""
        links, found = list[LastLinks](), list[CheapestWays | TurnedEnds]()
        for last in self._last_links[level]:
            ways = self._cheapest(last, goals)
            turned = self._turned(last, goals, ways)
            found += [ways, *turned]
            links += [last] * (1 + len(turned))
        return tuple(links), tuple(found)

    def _headings_at_each(self, places: FloatArray, step: float, level: int) -> list[tuple[HeadingRange, ...]]:
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
                endings.append((last, some, ArrivingWays(with_slack(last), *known, places[some])))
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

    # --- areas ---

    def _drawn(self, error: float, heading: float | None, level: int, besides: BaseGeometry | None) -> BaseGeometry:
        if self.space.touch:
            return area_in_touch(self, self.space.on(level).touch, heading, level)
        parts = self._parts_within([self.space.budget], error, heading, level, besides)[0]
        parts += [
            reach.area(error, heading, level, besides=besides)
            for reach, detours in self._near
            if always_enough(self.space, detours)
        ]
        return parts[0] if len(parts) == 1 else joined(parts)

    def _drawn_within(self, budgets: Sequence[Fraction], error: float, level: int) -> list[BaseGeometry]:
        space = self.space
        leaps = any(last.space.leap is not None for last in self._last_links[level])
        if leaps or space.earlier or space.placings or space.touch or space.more_than is not None:
            return super()._drawn_within(budgets, error, level)
        parts = self._parts_within(budgets, error, None, level, None)
        return [some[0] if len(some) == 1 else joined(some) for some in parts]

    def _parts_within(
        self,
        budgets: Sequence[Fraction],
        error: float,
        heading: float | None,
        level: int,
        besides: BaseGeometry | None,
    ) -> list[list[BaseGeometry]]:
        """Draw for each of some budgets the ground of a level: a part for each way that moves may end with."""
        parts: list[list[BaseGeometry]] = [[] for _ in budgets]
        for last in self._last_links[level]:
            left = [last.space.budget - (self.space.budget - budget) for budget in budgets]
            some = [number for number, budget in enumerate(left) if budget >= 0]
            areas = self._areas_by(last, [left[number] for number in some], error, heading, besides) if some else []
            for number, area in zip(some, areas, strict=True):
                parts[number].append(area)
        return parts

    def _areas_by(
        self,
        last: LastLinks,
        budgets: Sequence[Fraction],
        error: float,
        heading: float | None,
        besides: BaseGeometry | None,
    ) -> list[BaseGeometry]:
        """Draw for some budgets the ground that is ended on by last turns and legs on one level, and the links after.

        What the mover may end on beside the ends of legs is not looked for in the ground besides.
        """
        space = last.space
        if space.leap is not None:
            return [self._area_beyond(last, space.leap, error, heading) for _ in budgets]
        stands = np.array([start.place for start in space.starts], np.float64).reshape(-1, 2)
        costs = self._cheapest(last, Goals(stands, None if heading is None else np.full(len(stands), heading))).cost
        stayed = [stands[costs <= float(budget) + SLACK] for budget in budgets]
        if not space.modes and not space.placings:
            return [together([], map(shapely.Point, some.tolist())) for some in stayed]
        lots = [self._paid_by(last, budget) for budget in budgets]
        # Most of many levels are not got to for little, or at all.
        open_ = [number for number, lot in enumerate(lots) if self._may_end_by(lot)]
        areas = [together([], []) for _ in budgets]
        if not open_:
            return areas
        samples, passages = standing(space, sample_places(space)), Passages.of(space).place
        drawings = []
        for number in open_:
            area = self._begun(lots[number], error, heading, samples)
            places = self._beside(lots[number], area, heading, passages)
            if besides is not None:
                places = np.concatenate([area.beside_ground(besides), places])
            budget = float(lots[number].last.space.budget)
            looks_around = heading is not None and bool(space.modes)
            drawings.append(Drawing(area, budget, places, besides, looks_around=looks_around))
        draw(
            drawings,
            lambda places, most: self._pockets(last, places, most, heading),
            None
            if heading is None
            else lambda places, most: self._pockets(last, places, most, heading, turning_on_legs=True),
        )
        for number, drawing in zip(open_, drawings, strict=True):
            drawing.area.add_places(stayed[number])
            areas[number] = drawing.area.drawn()
        return areas

    def _paid_by(self, last: LastLinks, budget: Fraction) -> Lot:
        """What the searches found on a level, as far as a budget pays for it."""
        found = self._found_on(last.level)
        if budget == last.space.budget:
            return Lot(last, found)
        space = replace(last.space, budget=budget)
        return Lot(last._replace(space=space), [some.up_to(space) for some in found])

    def _may_end_by(self, lot: Lot) -> bool:
        """Whether any end may come of what was found."""
        return bool(lot.last.space.placings) or any(len(some.states.price) for some in lot.found)

    def _begun(self, lot: Lot, error: float, heading: float | None, samples: FloatArray) -> DrawnArea:
        """Begin to draw with what was found."""
        last, found = lot
        area = DrawnArea(last.space, self._first_fans(last), error, heading, samples)
        if last.space.placings:
            add_placed(area, last.space, heading, self._ends_by(last, heading))
        if last.space.modes:
            self._draw_before(area, last, heading)
        if heading is None:
            for (_, _, legs, every), searched in zip(found, self.searched, strict=True):
                if legs is not None:
                    area.cover_ends(every, legs, searched.placed)
        return area

    def _beside(self, lot: Lot, area: DrawnArea, heading: float | None, passages: FloatArray) -> FloatArray:
        """The places to look at first for more ends than those in an area."""
        space = lot.last.space
        if not space.modes:
            return np.zeros((0, 2))
        # Where an end depends on more than the place and what there is to pay, the area need not hang together.
        hangs_together = heading is None and space.more_than is None and not (space.passes or space.earlier)
        hangs_together &= space.ends is None
        hangs_together &= isinstance(space.base, Round) or not space.no_end
        hangs_together &= not self.space.links and not any(isinstance(toll, RunOver) for toll in space.tolls)
        places = [area.missing(passages)]
        if not hangs_together:
            places.append(area.missing_samples())
        elif space.no_end:
            places.append(area.beyond_no_end())
        return np.concatenate([*places, area.beside()])

    def _pockets(
        self,
        last: LastLinks,
        places: FloatArray,
        most: FloatArray,
        heading: float | None,
        *,
        turning_on_legs: bool = False,
    ) -> Pockets | None:
        """Find which of some places are ends that cost no more than so much each; None: none of them."""
        known = last.space, self.lower[last.level], self._found_on(last.level)
        found = pockets(*known, places, most, heading, turning_on_legs=turning_on_legs)
        if heading is not None or not headings_decide(last.space):
            return found
        left = rest(found, len(places))
        turned = turned_pockets(*known, places[left], most[left])
        return both(found, None if turned is None else turned._replace(row=left[turned.row]))

    def _ends_by(self, last: LastLinks, heading: float | None) -> Callable[[FloatArray], BoolArray]:
        """Return what finds places that are ended on by last turns and legs on one level, and the links after them."""

        def ends(places: FloatArray) -> BoolArray:
            goals = Goals(places, None if heading is None else np.full(len(places), heading))
            found = self._straight_on(last, goals)
            found[~found] = np.isfinite(self._cheapest(last, goals.some(~found)).cost)
            return found

        return ends

    def _straight_on(self, last: LastLinks, goals: Goals) -> BoolArray:
        """Find goals to which last turns and legs lead from poses that the searches found: that is soon known."""
        found = np.zeros(len(goals.places), np.bool_)
        for levels in self._found:
            states, rates, _, every = levels[last.level]
            left = np.flatnonzero(~found)
            if len(left) and len(states.price):
                ways = CheapestWays(last.space, self.lower[last.level], goals.some(left))
                ways.begin(every)
                ways.offer_straight(states, rates)
                ways.drop_above(float(last.space.budget))
                found[left] = np.isfinite(ways.cost)
        return found

    def _first_fans(self, last: LastLinks) -> PoseStates:
        """The states of which the fans are drawn first."""
        return starting(last.space)

    def _draw_before(self, area: DrawnArea, last: LastLinks, heading: float | None) -> None:
        """Draw what is ended on by last legs that begin before all that the searches found: of one phase, none."""

    def _area_beyond(self, last: LastLinks, edge: OffTheEdge, error: float, heading: float | None) -> BaseGeometry:
        """Draw where leaps off an edge land: lines beside its outline, on which base and outline touch."""
        legs = [legs for _, _, legs, _ in self._found_on(last.level) if legs is not None]

        def lines(turned: float, facing: float | None) -> BaseGeometry:
            return LandingLine(edge, turned, error).drawn(self._ends_by(last, facing), landings(edge, legs))

        if heading is not None or isinstance(self.space.base, Round):
            return lines(heading or 0.0, heading)
        headings = np.unique(np.round(np.concatenate([np.mod(one.turns.heading, 360.0) for one in legs]), _DIGITS))
        return together([], [lines(one, one) for one in headings.tolist()])

    def landing_places(self, level: int, apart: float, heading: float = 0.0) -> FloatArray:
        """Return places on a level along the lines on which leaps may land, one after the other, no farther apart.

        That is with a heading; whether any leap leads there is not asked.
        """
        edges = [last.space.leap for last in self._last_links[level] if last.space.leap is not None]
        lines = [LandingLine(edge, heading, apart).places(apart) for edge in edges]
        return np.concatenate([np.zeros((0, 2)), *lines])

    def landed(self, level: int) -> PoseStates:
        """Return states on a level in which leaps land straight after legs that were cast: some of all ends there.

        Where leaps meet tolls, that is not known: then there are none.
        """
        found = [pick(starting(self.space), slice(0))]
        for last in self._last_links[level]:
            if last.space.leap is not None and not last.space.at_the_end.tolls:
                found += [landed(last.space, legs) for _, _, legs, _ in self._found_on(last.level) if legs is not None]
        return join(found)

    # --- the cheapest ways ---

    def _cheapest(self, last: LastLinks, goals: Goals) -> CheapestWays:
        found = CheapestWays(with_slack(last), self.lower[last.level], goals)
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
                    found.try_gaps([legs], MESH)
                found.swing()
                found.slide(MESH)
                found.bend(MESH)
                found.shift(MESH)
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
        return [TurnedEnds.of(len(goals.places), self._cheapest(last, Goals(goals.places[row], heading)), row)]

    def _offer_before(self, found: CheapestWays, goals: Goals, number: int, last: LastLinks) -> None:
        """Offer the last legs that begin before all that a search, by its number, has found: of one phase, none."""


def area_in_touch(reach: PosePlanner, touch: Sequence[Touch], heading: float | None, level: int) -> BaseGeometry:
    """Draw the places at which a mover touches all of some things, as they are seen from a level, and can end."""
    if any(one.level for one in touch):
        return shapely.GeometryCollection()
    space = reach.space

    def ends(places: FloatArray) -> BoolArray:
        facing = None if heading is None else np.full(len(places), heading)
        return np.isfinite(reach.costs_at(places, level) if facing is None else reach.costs_in(places, facing, level))

    lines = PlacedLines.of(space.placings)
    starts = np.array([start.place for start in space.starts], np.float64).reshape(-1, 2)
    near = np.concatenate([starts, lines.places(stations(lines, MESH))])
    here = space.on(level)
    return contact_lines(touch, space.base.reach, ends, near, [*here.bars, *here.no_end])


def with_slack(last: LastLinks) -> PoseSpace:
    """The space in which ways are looked for: they may cost a little too much before their last turns are slid."""
    space = last.space
    inches = space.most_inches if space.inches_bind else None
    return replace(space, budget=space.budget + _SLID * space.ground.least, most_inches=inches)
