"""Areas of what searches over poses have found: fans and strips of legs, and what lies beside them.

Areas for several budgets are drawn together, and an area may be asked for in parts, while it grows.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from simulator.cores import on_every_core_by_rows
from simulator.geometry.convex import BoolArray
from simulator.geometry.footprints import Round
from simulator.geometry.pieces import FloatArray
from simulator.geometry.shapes import ground_of_all, joined, together
from simulator.geometry.tolerances import SLACK
from simulator.pathing.columns import join, pick
from simulator.pathing.generators import result_of
from simulator.pathing.posed.area import DrawnArea, sample_places, standing
from simulator.pathing.posed.as_kept import are_rigid
from simulator.pathing.posed.cheapest import CheapestWays
from simulator.pathing.posed.contact_lines import contact_lines
from simulator.pathing.posed.drawings import Drawing, PaidFor, draw
from simulator.pathing.posed.edges import OffTheEdge
from simulator.pathing.posed.follow import legs_of_none
from simulator.pathing.posed.goals import Goals
from simulator.pathing.posed.landing_lines import LandingLine, landed, landings
from simulator.pathing.posed.legs import CastLegs
from simulator.pathing.posed.lower_prices import LowerPrices
from simulator.pathing.posed.passages import Passages
from simulator.pathing.posed.placed_area import add_placed
from simulator.pathing.posed.placed_lines import PlacedLines, stations
from simulator.pathing.posed.planner import PosePlanner
from simulator.pathing.posed.pockets import Pockets, both, pockets, rest, turned_pockets
from simulator.pathing.posed.search import MESH, FoundOnLevel, Searched
from simulator.pathing.posed.states import PoseStates, starting
from simulator.pathing.posed.tolls import RunOver
from simulator.pathing.posed.touch import Touch
from simulator.pathing.posed.turned_ends import headings_decide
from simulator.pathing.posed.waste import Detour, always_enough
from simulator.pathing.posed.ways import LastLinks

#: Headings of legs are the same if they are after rounding to so many digits.
_DIGITS = 9
#: Where an area is asked for in parts, so many places beside it are looked at between two of them.
_AT_ONCE = 160
#: Otherwise as many at once as make so many pairs with the states and legs that ways to them may start from: what is
#: held for a moment grows with those.
_PAIRS_AT_ONCE = 1 << 24
#: Of fewer places to find the ends among it takes longer to share them out to processes.
ENDS_WORTH_A_PROCESS = 24
#: What keeps off things by so many inches more than it has to is not beside them.
_BESIDE = 0.1
#: Ground of fewer square inches is not worth looking for.
_NO_GROUND = 1e-4


@dataclass(frozen=True, eq=False)
class DrawnReach(PosePlanner):
    """A planner that draws areas from what its searches have found."""

    # --- what a planner fills in ---

    @property
    @abstractmethod
    def searched(self) -> tuple[Searched, ...]:
        """The poses that the mover may turn at and the legs between them, as each search found them."""

    @property
    @abstractmethod
    def lower(self) -> tuple[LowerPrices, ...]:
        """What legs cost at least, by level."""

    @property
    @abstractmethod
    def _found(self) -> tuple[tuple[FoundOnLevel, ...], ...]:
        """What each search found, by level."""

    @property
    @abstractmethod
    def _last_links(self) -> tuple[tuple[LastLinks, ...], ...]:
        """How moves can end, by level."""

    @property
    @abstractmethod
    def _near(self) -> Sequence[tuple[PosePlanner, tuple[Detour, ...]]]:
        """The reaches of ways that cost too little by themselves, with the detours at their starts."""

    @abstractmethod
    def _cheapest(self, last: LastLinks, goals: Goals) -> CheapestWays:
        """Find the cheapest ways to goals on a level that end in one way."""

    def _found_on(self, level: int) -> list[FoundOnLevel]:
        return [levels[level] for levels in self._found]

    # --- areas ---

    def ends_of_legs(self, level: int = 0) -> FloatArray:
        """Return the places on a level that legs lead to which the searches have cast; most of them are ends."""
        every = [legs for _, _, legs, _ in self._found_on(level) if legs is not None]
        ends = [legs.rays.places(np.arange(len(legs.mode)), legs.inches) for legs in every]
        return np.concatenate([np.zeros((0, 2)), *ends])

    def _drawn_in_parts(self, error: float, levels: Sequence[int]) -> Iterator[Callable[[], BaseGeometry]]:
        endings = [last for last in self._endings_on(levels) if last.space.budget >= 0]
        if self.space.touch or self._near or not endings:
            yield from super()._drawn_in_parts(error, levels)
            return
        done = list[BaseGeometry]()

        def drawn(areas: Callable[[], list[BaseGeometry]]) -> BaseGeometry:
            parts = [*done, *areas()]
            return parts[0] if len(parts) == 1 else joined(parts)

        for last in endings:
            known = ground_of_all(done)
            if (besides := self._besides(last, levels, [known])) is None:
                continue
            for areas in self._areas_in_parts(last, [last.space.budget], error, None, besides, at_once=_AT_ONCE):
                yield partial(drawn, areas)
            done += areas()
        yield lambda: drawn(list)

    def _drawn(self, error: float, heading: float | None, level: int, besides: BaseGeometry | None) -> BaseGeometry:
        return self._drawn_on([level], error, heading, besides)

    def _drawn_on(
        self, levels: Sequence[int], error: float, heading: float | None, besides: BaseGeometry | None
    ) -> BaseGeometry:
        if self.space.touch:
            lines = [area_in_touch(self, self.space.on(level).touch, heading, level, besides) for level in levels]
            return lines[0] if len(lines) == 1 else joined(lines)
        (parts,) = result_of(self._parts_within([self.space.budget], error, heading, levels, besides))
        parts += [
            reach.area(error, heading, levels, besides=besides)
            for reach, detours in self._near
            if always_enough(self.space, detours)
        ]
        return parts[0] if len(parts) == 1 else joined(parts)

    def _drawn_within(
        self,
        budgets: Sequence[Fraction],
        error: float,
        levels: Sequence[int],
        besides: BaseGeometry | None,
        *,
        in_parts: bool = False,
    ) -> Generator[object, None, list[BaseGeometry]]:
        space = self.space
        leaps = any(last.space.leap is not None for last in self._endings_on(levels))
        if leaps or space.earlier or space.placings or space.touch or space.more_than is not None:
            return (yield from super()._drawn_within(budgets, error, levels, besides, in_parts=in_parts))
        at_once = _AT_ONCE if in_parts else None
        parts = yield from self._parts_within(budgets, error, None, levels, besides, at_once=at_once)
        return [some[0] if len(some) == 1 else joined(some) for some in parts]

    def _parts_within(
        self,
        budgets: Sequence[Fraction],
        error: float,
        heading: float | None,
        levels: Sequence[int],
        besides: BaseGeometry | None,
        *,
        at_once: int | None = None,
    ) -> Generator[object, None, list[list[BaseGeometry]]]:
        """Draw for each of some budgets the ground of some levels: a part for each way that moves may end with.

        Each is drawn where those before it have no ground. Yield whenever something is done.
        """
        parts: list[list[BaseGeometry]] = [[] for _ in budgets]
        for last in self._endings_on(levels):
            left = [last.space.budget - (self.space.budget - budget) for budget in budgets]
            some = [number for number, budget in enumerate(left) if budget >= 0]
            if not some:
                continue
            anyhow = [] if besides is None else [besides]
            known = self._besides(last, levels, [ground_of_all([*parts[number], *anyhow]) for number in some])
            if known is None:
                continue
            lots = [left[number] for number in some]
            for areas in self._areas_in_parts(last, lots, error, heading, known, at_once=at_once):
                yield areas
            for number, area in zip(some, areas(), strict=True):
                parts[number].append(area)
        return parts

    # --- on several levels ---

    def _endings_on(self, levels: Sequence[int]) -> Iterator[LastLinks]:
        """Yield how moves can end on some levels: those that end by links come last.

        From where the mover begins most of its ends are found.
        """
        begun = {start.level for start in self.space.starts}
        endings = [last for level in levels for last in self._last_links[level]]
        yield from sorted(endings, key=lambda last: (bool(last.links), last.level not in begun))

    def _besides(
        self, last: LastLinks, levels: Sequence[int], known: Sequence[BaseGeometry | None]
    ) -> Sequence[BaseGeometry | None] | None:
        """Return the ground in which ends need not be looked for that come of some last links; None: there is no need.

        For each of some budgets ground is known. Who may end on a level need not go on by links that lead straight up
        or down to end at the same place on another one: of those only ends beside what bars it from ending are new.
        """
        space, here = self.space, self.space.on(last.level)
        binds = space.touch or space.met or space.earlier or space.more_than is not None
        if not last.links or last.level not in levels or binds or last.space.leap is not None:
            return known
        things = shapely.union_all([one.polygon for one in here.no_end])
        window = shapely.box(*last.space.window)
        beside = shapely.intersection(shapely.buffer(things, space.base.reach + _BESIDE), window)
        new = [beside if ground is None else shapely.difference(beside, ground) for ground in known]
        if max(one.area for one in new) <= _NO_GROUND:
            return None
        elsewhere = shapely.difference(window, shapely.union_all(new))
        return [elsewhere if ground is None else shapely.union(ground, elsewhere) for ground in known]

    def _areas_in_parts(
        self,
        last: LastLinks,
        budgets: Sequence[Fraction],
        error: float,
        heading: float | None,
        besides: Sequence[BaseGeometry | None],
        *,
        at_once: int | None = None,
    ) -> Iterator[Callable[[], list[BaseGeometry]]]:
        """Draw for some budgets the ground that is ended on by last turns and legs on one level, and the links after.

        Yield what draws it as far as it is known, at the end all of it; no more than so many places are looked at
        between. What the mover may end on is not drawn in the ground that is known `besides`, for each budget.
        """
        space = last.space
        if space.leap is not None:
            (known,) = besides  # for several budgets, each is drawn by a planner of its own
            landed_on = self._area_beyond(last, space.leap, error, heading, known)
            yield lambda: [landed_on]
            return
        stands = np.array([start.place for start in space.starts], np.float64).reshape(-1, 2)
        costs = self._cheapest(last, Goals(stands, None if heading is None else np.full(len(stands), heading))).cost
        stayed = [stands[costs <= float(budget) + SLACK] for budget in budgets]
        if not space.modes and not space.placings:
            yield lambda: [together([], map(shapely.Point, some.tolist())) for some in stayed]
            return
        lots = [self._paid_by(last, budget) for budget in budgets]
        # Most of many levels are not got to for little, or at all.
        open_ = [number for number, lot in enumerate(lots) if self._may_end_by(lot)]
        if not open_:
            yield lambda: [together([], []) for _ in budgets]
            return
        samples, passages = standing(space, sample_places(space)), Passages.of(space).place
        drawings = []
        for number in open_:
            known = besides[number]
            near = replace(self.space, budget=lots[number].last.space.budget).may_get_to(samples)
            area = self._begun(lots[number], error, heading, samples[near], known)
            places = self._beside(lots[number], area, heading, passages)
            if known is not None:
                places = np.concatenate([area.beside_ground(known), places])
            budget = float(lots[number].last.space.budget)
            looks_around = heading is not None and bool(space.modes)
            area.add_places(stayed[number])
            drawings.append(Drawing(area, budget, places, known, looks_around=looks_around))

        def drawn() -> list[BaseGeometry]:
            areas = {number: drawing.area.drawn() for number, drawing in zip(open_, drawings, strict=True)}
            return [areas.get(number, together([], [])) for number in range(len(budgets))]

        def pockets(places: FloatArray, most: FloatArray) -> Pockets | None:
            return self._pockets(last, places, most, heading)

        def hidden(places: FloatArray, most: FloatArray) -> Pockets | None:
            return self._pockets(last, places, most, heading, turning_on_legs=True)

        yield drawn
        at_once = at_once or max(_PAIRS_AT_ONCE // max(_sources(self._found_on(last.level)), 1), 1)
        for _ in draw(drawings, pockets, None if heading is None else hidden, at_once):
            yield drawn

    def _paid_by(self, last: LastLinks, budget: Fraction) -> PaidFor:
        """What the searches found on a level, as far as a budget pays for it."""
        found = self._found_on(last.level)
        if budget == last.space.budget:
            return PaidFor(last, found)
        space = replace(last.space, budget=budget)
        return PaidFor(last._replace(space=space), [some.up_to(space) for some in found])

    def _may_end_by(self, lot: PaidFor) -> bool:
        """Whether any end may come of what was found."""
        return bool(lot.last.space.placings) or any(len(some.states.price) for some in lot.found)

    def _begun(
        self, lot: PaidFor, error: float, heading: float | None, samples: FloatArray, besides: BaseGeometry | None
    ) -> DrawnArea:
        """Begin to draw with what was found."""
        last, found = lot
        area = DrawnArea(last.space, self._first_fans(last), error, heading, samples, besides)
        if last.space.placings:
            add_placed(area, last.space, heading, self._ends_by(last, heading))
        if last.space.modes:
            self._draw_before(area, last, heading)
        if heading is None:
            for (_, _, legs, every), searched in zip(found, self.searched, strict=True):
                if legs is not None:
                    area.cover_ends(every, legs, searched.placed)
        return area

    def _beside(self, lot: PaidFor, area: DrawnArea, heading: float | None, passages: FloatArray) -> FloatArray:
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

        def ends(places: FloatArray) -> list[bool]:
            goals = Goals(places, None if heading is None else np.full(len(places), heading), any_way=True)
            found = self._straight_on(last, goals)
            found[~found] = np.isfinite(self._cheapest(last, goals.some(~found)).cost)
            return list(found.tolist())

        def shared(places: FloatArray) -> BoolArray:
            found = on_every_core_by_rows(lambda part: ends(places[part]), len(places), ENDS_WORTH_A_PROCESS)
            return np.array(found, np.bool_)

        return shared

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

    def _area_beyond(
        self, last: LastLinks, edge: OffTheEdge, error: float, heading: float | None, besides: BaseGeometry | None
    ) -> BaseGeometry:
        """Draw where leaps off an edge land: lines beside its outline, on which base and outline touch.

        Where they lie in ground that is known `besides`, they are left out.
        """
        legs = list(self._legs_before(last, edge))

        def lines(turned: float, facing: float | None) -> BaseGeometry:
            whole = LandingLine(edge, turned, error)
            line = whole if besides is None else whole.beyond(besides)
            if line is None:
                return shapely.GeometryCollection()
            ends, near = self._ends_by(last, facing), landings(edge, legs)
            if besides is not None:
                near = near[~shapely.intersects_xy(besides, near[:, 0], near[:, 1])]
            drawn = line.drawn(ends, near)
            # Who has no choice lands at a single place, which need not be one that a line is drawn through.
            single = near if drawn.is_empty else near[shapely.distance(drawn, shapely.points(near)) > error]
            return together([], [drawn, *map(shapely.Point, single[ends(single)].tolist())])

        if heading is not None or isinstance(self.space.base, Round):
            return lines(heading or 0.0, heading)
        headings = np.unique(np.round(np.concatenate([np.mod(one.turns.heading, 360.0) for one in legs]), _DIGITS))
        return together([], [lines(one, one) for one in headings.tolist()])

    def _legs_before(self, last: LastLinks, edge: OffTheEdge) -> Iterator[CastLegs]:
        """Yield the legs on a level that were cast, and those of no inches from where the mover stands at the edge."""
        for _, _, legs, every in self._found_on(last.level):
            if legs is not None:
                yield legs
            stands = np.flatnonzero((every.level == last.level) & are_rigid(every))
            at_once = legs_of_none(last.space, [edge], last.level, pick(every, stands), stands)
            if at_once is not None:
                yield at_once

    def landing_places(self, level: int, apart: float, heading: float = 0.0) -> FloatArray:
        """Return places on a level along the lines on which leaps may land, one after the other, no farther apart.

        That is with a heading; whether any leap leads there is not asked.
        """
        edges = [last.space.leap for last in self._last_links[level] if last.space.leap is not None]
        lines = [LandingLine(edge, heading, apart).places(apart) for edge in edges]
        return np.concatenate([np.zeros((0, 2)), *lines])

    def landed(self, level: int) -> PoseStates:
        """Return states on a level in which leaps land straight after legs, cast or of no inches: some of the ends.

        Where leaps meet tolls, that is not known: then there are none.
        """
        found = [pick(starting(self.space), slice(0))]
        for last in self._last_links[level]:
            edge = last.space.leap
            if edge is not None and not last.space.at_the_end.tolls:
                found += [landed(last.space, legs) for legs in self._legs_before(last, edge)]
        return join(found)


def _sources(found: Sequence[FoundOnLevel]) -> int:
    """How many states and legs ways to ends may start from."""
    return sum(len(states.price) + (0 if legs is None else len(legs.mode)) for states, _, legs, _ in found)


def area_in_touch(
    reach: PosePlanner, touch: Sequence[Touch], heading: float | None, level: int, besides: BaseGeometry | None
) -> BaseGeometry:
    """Draw the places at which a mover touches all of some things, as they are seen from a level, and can end.

    Those in ground that is known `besides` are left out.
    """
    if any(one.level for one in touch):
        return shapely.GeometryCollection()
    space = reach.space

    def ends(places: FloatArray) -> BoolArray:
        return reach.are_ends(places, None if heading is None else np.full(len(places), heading), level)

    lines = PlacedLines.of(space.placings)
    starts = np.array([start.place for start in space.starts], np.float64).reshape(-1, 2)
    near = np.concatenate([starts, lines.places(stations(lines, MESH))])
    here = space.on(level)
    return contact_lines(touch, space.base.reach, ends, near, [*here.bars, *here.no_end], besides)
