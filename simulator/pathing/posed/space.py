"""What a unit can do on an inch table where ground has prices and turning costs: `PoseSpace`.

A ruleset compiles a unit, the table and what stands around it into this form, which names no rules: the planner
searches it, and `judge` prices a written move by it. States are poses; ends are poses that are legal to end in.

A table may have several levels: altitudes, floors, roofs. Each has ground and things of its own, and links lead from
one to another. `PoseSpace.on` returns the space as it is on one level, which is what most of the planner works with:
a `SpaceOnLevel`, which keeps what only the whole space knows.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import cached_property, partial
from typing import ClassVar, NamedTuple

import numpy as np

from simulator.contents import contents_of
from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.footprints import Base, Round
from simulator.geometry.pieces import XY, FloatArray, Solid
from simulator.geometry.standing import Solids, Standing
from simulator.geometry.standing_room import Box
from simulator.geometry.tolerances import SLACK, TOLERANCE
from simulator.pathing.posed.directions import Directions
from simulator.pathing.posed.edges import Link, OffTheEdge
from simulator.pathing.posed.far_from import FarFrom
from simulator.pathing.posed.ground import NOTHING, PricedGround
from simulator.pathing.posed.how_far import HowFar
from simulator.pathing.posed.limits import NONE_BINDS, Binding
from simulator.pathing.posed.links import PoseLink
from simulator.pathing.posed.moves import Mode
from simulator.pathing.posed.only_ends import OnlyEnds
from simulator.pathing.posed.phases import EarlierPhase
from simulator.pathing.posed.placings import Placing
from simulator.pathing.posed.stops import Leavable, Stop, barred_from, require_stops
from simulator.pathing.posed.toll_table import TollTable
from simulator.pathing.posed.tolls import NO_TOLLS_SO_FAR, Toll, TollsSoFar, require_levels, require_tolls
from simulator.pathing.posed.touch import Touch, require_touch
from simulator.pathing.posed.turn_prices import NO_GROUP, TurnGroup, TurnPrices

_POINT = Round(0.0)
#: What is farther off than so many inches is not close.
_CLOSE = 0.1


class Extent(NamedTuple):
    """A part of a table: the least x and y, and the greatest."""

    left: float
    bottom: float
    right: float
    top: float

    def grid(self, cell: float, place: XY) -> tuple[FloatArray, IntArray]:
        """Return the corner and the shape of a grid that covers it, with a place of it in the middle of a cell."""
        middle = np.array(place)
        before = np.maximum(np.ceil((middle - (self.left, self.bottom)) / cell - 0.5), 0.0)
        after = np.maximum(np.ceil(((self.right, self.top) - middle) / cell - 0.5), 0.0)
        return middle - (before + 0.5) * cell, (before + after + 1).astype(np.intp)


@dataclass(frozen=True, slots=True)
class PoseStart:
    """A pose to start from, and what has been paid by then."""

    place: XY
    heading: Fraction
    paid: Fraction = Fraction(0)
    travelled: Fraction = Fraction(0)  #: the part of it that was paid for legs
    group: TurnGroup = NO_GROUP
    free: Fraction | None = None  #: the degrees still free; None: as many as the prices of turns say
    level: int = 0
    tolls: TollsSoFar = NO_TOLLS_SO_FAR  #: besides those that it stands on, which are touched
    since_link: Fraction = Fraction(0)  #: inches of legs since the last link, for one that is slanting
    covered: Fraction = Fraction(0)  #: the inches of legs and links by then, where those are limited

    def suits(self, placing: Placing) -> bool:
        """Whether it is one of the starts that a placing stands for, with as much paid as there at least."""
        paid = placing.paid_at(self.place, float(self.heading)) if self.level == placing.level else None
        if paid is None or self.paid < paid - Fraction(TOLERANCE) or self.travelled < placing.travelled:
            return False
        if self.covered < placing.covered:
            return False
        return self.group == NO_GROUP and self.free is None and self.tolls == NO_TOLLS_SO_FAR


def price_of_row(links: Sequence[Link]) -> Fraction:
    """Return what links cost that are followed one after the other, but for a slanting first one.

    What that costs depends on the legs before it.
    """
    return sum((link.price for link in _after_slanting(links)), Fraction(0))


def _after_slanting(links: Sequence[Link]) -> Sequence[Link]:
    return links[bool(links) and links[0].slanting :]


@dataclass(frozen=True, eq=False)
class TableLevel:
    """A level above the first one of a table: an altitude, a floor, a roof; see `PoseSpace` for the fields."""

    ground: PricedGround
    bars: Sequence[Solid] = ()
    no_end: Sequence[Solid] = ()
    box: Box | None = None


@dataclass(frozen=True, eq=False)
class PoseSpace:
    """A mover, from where it starts or may be placed, what it may spend, and what stands in its way."""

    base: Base
    starts: tuple[PoseStart, ...]
    budget: Fraction
    ground: PricedGround
    modes: tuple[Mode, ...]
    turns: TurnPrices
    #: What no part of the base may enter, moving or turning.
    bars: Sequence[Solid] = ()
    #: What the base may pass over, and not end on.
    no_end: Sequence[Solid] = ()
    #: The table; None: there is no edge.
    box: Box | None = None
    #: Whether all of the base has to be on the table, or its reference point alone.
    whole_base_on_table: bool = True
    #: The move has to spend more than this; None: it need not spend anything.
    more_than: Fraction | None = None
    #: The most that may be spent on legs; None: as much as on everything.
    most_travelled: Fraction | None = None
    #: The most inches that legs and links may cover; None: as many as can be paid for.
    most_inches: Fraction | None = None
    #: The levels above the first, which is the one described so far; they are numbered from 1.
    above: tuple[TableLevel, ...] = ()
    links: tuple[Link, ...] = ()
    #: What gives way for a price; most stands on the first level.
    tolls: Sequence[Toll] = ()
    #: What the mover has to touch where it ends, all of it.
    touch: Sequence[Touch] = ()
    #: What ends the move once the mover comes to touch it, see `stops`.
    stops: Sequence[Touch] = ()
    #: For planners, see `StoppedReach`: the stops that a last leg ends in touch with, which other legs keep off.
    met: Sequence[Stop] = ()
    #: Of the bars, those that a leg may lead out of, and none may lead into.
    leavable: Sequence[Leavable] = ()
    #: What the mover has to end far from, on whichever level.
    far_from: Sequence[FarFrom] = ()
    #: The only poses that it may end in; None: any.
    ends: OnlyEnds | None = None
    #: The phases before the last one, which is the one described so far; the first one first.
    earlier: tuple[EarlierPhase, ...] = ()
    #: Where it may begin besides, see `Placing`.
    placings: tuple[Placing, ...] = ()

    #: Whether there is a start; on a level there may be none.
    _starts_somewhere: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not self.starts and not self.placings and self._starts_somewhere:
            raise ValueError("a mover has at least one start, or a placing")
        levels = range(self.level_count)
        for link in self.links:
            if link.origin not in levels or link.target not in levels or link.price < 0:
                raise ValueError(f"{link.name!r} leads between levels from 0 to {levels[-1]}, for 0 inches or more")
            if isinstance(link, OffTheEdge):
                self._require_edge(link)
            elif link.slanting:
                self._require_slanting(link)
        begins = [start.level for start in self.starts]
        if self._starts_somewhere:
            begins += [placing.level for placing in self.placings]
        if any(level not in levels for level in begins):
            raise ValueError(f"starts are on levels from 0 to {levels[-1]}")
        if self.turns.separation is not None and any(start.free for start in self.starts):
            raise ValueError("turns that are priced together with those before have no free degrees at a start")
        if self.earlier and self.more_than is not None:
            raise ValueError("a move of several phases need not spend anything in its last one")
        if self.earlier and self.placings:
            raise ValueError("a mover that is placed moves in one phase")
        if self.earlier and any(isinstance(link, OffTheEdge) and not link.ends for link in self.links):
            raise ValueError("moves of several phases end where they leap off an edge")
        if self.most_inches is not None and any(isinstance(link, OffTheEdge) for link in self.links):
            raise ValueError("what a leap off an edge covers is not counted: inches are not limited then")
        self._require_directions()
        require_tolls(self.tolls)
        if self._starts_somewhere:
            require_levels(self.tolls, {self.floor_of(level) for level in levels})
            require_touch(self.touch, self.base, levels)
            require_stops(self.stops, self.base, levels)

    def _require_directions(self) -> None:
        """Raise ValueError unless oblique travel is planned for with all else that there is."""
        if self.directions.oblique is None:
            return
        if any(isinstance(link, OffTheEdge) for link in self.links):
            raise ValueError("movers that travel obliquely do not leap off edges")
        if self.earlier:
            raise ValueError("movers that travel obliquely move in one phase")

    def _require_edge(self, edge: OffTheEdge) -> None:
        """Raise ValueError unless a mover of this space may leap off an edge."""
        if edge.base != self.base:
            raise ValueError(f"{edge.name!r} is for another base than that of the mover")
        if self._starts_somewhere and any(self.floor_of(edge.origin) in toll.levels for toll in self.tolls):
            raise ValueError(f"{edge.name!r} leads off a level where things stand that give way")

    def _require_slanting(self, link: PoseLink) -> None:
        """Raise ValueError unless a longer leg before a slanting link never makes a move cheaper."""
        ground = (self.ground, *(level.ground for level in self.above))[link.origin]
        if any(ground.least * mode.factor < 1 for mode in self.modes):
            raise ValueError(f"{link.name!r} is slanting: on the level before it no inch of a leg costs less than 1")
        if self.more_than is not None:
            raise ValueError(f"{link.name!r} is slanting: no move has to spend more than some price then")

    @cached_property
    def contents(self) -> Hashable:
        """What the space is known by: another one with the same contents has the same answers."""
        return contents_of(self)

    @cached_property
    def near(self) -> PoseSpace:
        """The space without the things that are too far off to matter to any move: it has the same answers.

        So what was found for a mover holds as long as nobody moves near it. Things have other numbers here.
        """
        if self.leavable or self.met:
            return self
        # What touches a base that moves, or comes close to it, is no farther from its place.
        within = self.base.reach + max([_CLOSE, *(one.within for one in self.stops)])
        near = partial(self.how_far.near, within=within)
        stops = self.how_far.may_come_near([one.thing for one in self.stops], within)
        found = replace(
            self,
            bars=near(self.bars),
            no_end=near(self.no_end),
            above=tuple(replace(level, bars=near(level.bars), no_end=near(level.no_end)) for level in self.above),
            stops=tuple(one for one, is_near in zip(self.stops, stops, strict=True) if is_near),
            earlier=tuple(replace(phase, no_end=near(phase.no_end)) for phase in self.earlier),
        )
        # It begins in the same places, and may spend as much on the same ground.
        vars(found).update(near=found, how_far=self.how_far)
        return found

    # --- levels ---

    @property
    def level_count(self) -> int:
        """How many levels there are."""
        return 1 + len(self.above)

    def floor_of(self, level: int) -> int:
        """Return the number by which tolls, and what has to be touched, stand on a level: its own."""
        return level

    @cached_property
    def _toll_tables(self) -> Mapping[int, TollTable]:
        """The tolls as a search takes them, by the number by which they stand on a level."""
        grounds = [self.ground, *(level.ground for level in self.above)]
        return TollTable.by_level(self.tolls, {self.floor_of(level): ground for level, ground in enumerate(grounds)})

    @cached_property
    def _as_level(self) -> SpaceOnLevel:
        """The whole space as one level; its window holds on each."""
        return SpaceOnLevel(
            **{one.name: getattr(self, one.name) for one in fields(PoseSpace)},
            extent=self.window,
            laid_from=self.middle,
            binding=self.binding,
        )

    @cached_property
    def _known_levels(self) -> dict[int, SpaceOnLevel]:
        return {}

    def _level(self, number: int) -> SpaceOnLevel:
        """Return the space on a level: a judge asks for few of many."""
        found = self._known_levels.get(number)
        # Of two threads that make it at once both go on with the same one.
        return found if found is not None else self._known_levels.setdefault(number, self._made_level(number))

    def _made_level(self, number: int) -> SpaceOnLevel:
        level = self.above[number - 1] if number else TableLevel(self.ground, self.bars, self.no_end, self.box)
        floor = self.floor_of(number)
        return replace(
            self._as_level,
            starts=tuple(replace(start, level=0) for start in self.starts if start.level == number),
            ground=level.ground,
            bars=level.bars,
            no_end=level.no_end,
            box=level.box,
            above=(),
            links=(),
            tolls=self.tolls if len(self._toll_tables[floor].here) else (),
            tolls_here=self._toll_tables[floor],
            touch=tuple(replace(one, level=one.level - floor) for one in self.touch),
            met=tuple(one.from_level(floor) for one in self.met),
            # Their level stays that of the table: it is that of who begins there.
            placings=tuple(placing for placing in self.placings if placing.level == number),
        )

    def on(self, level: int) -> PoseSpace:
        """Return the space as it is on one level, without links; raise ValueError if there is no such level."""
        if not 0 <= level < self.level_count:
            raise ValueError(f"levels are numbered from 0 to {self.level_count - 1}, not {level}")
        return self._level(level) if self.above or self.links else self

    def ground_on(self, level: int) -> PricedGround:
        """Return the ground of a level; by itself it is sooner there than all of the level."""
        return self.above[level - 1].ground if level else self.ground

    def followed_by(self, links: Sequence[Link]) -> PoseSpace:
        """Return the space on the level where links begin, one after the other, that the mover follows at its end."""
        price = price_of_row(links)
        inches = sum((link.length_after(Fraction(0)) for link in _after_slanting(links)), Fraction(0))
        here, *after = (self._level(level) for level in (links[0].origin, *(link.target for link in links)))
        return replace(
            here,
            no_end=after[-1].no_end,
            touch=after[-1].touch,
            # Turns are made before other links: what is touched behind those stops nobody.
            met=after[-1].met if isinstance(links[0], OffTheEdge) else (),
            passes=tuple(after),
            leap=links[0] if isinstance(links[0], OffTheEdge) else None,
            slant=links[0] if isinstance(links[0], PoseLink) and links[0].slanting else None,
            budget=self.budget - price,
            more_than=None if self.more_than is None else self.more_than - price,
            most_travelled=None if self.most_travelled is None else self.most_travelled - price,
            most_inches=None if self.most_inches is None else self.most_inches - inches,
        )

    @property
    def passes(self) -> tuple[PoseSpace, ...]:
        """Levels on which the mover has to have room where it ends, since links lead it there, in order."""
        return ()

    @property
    def leap(self) -> OffTheEdge | None:
        """The edge that the mover leaps off at the end of its last leg, onto the level that it passes; None: none."""
        return None

    @property
    def slant(self) -> PoseLink | None:
        """The slanting link that the mover follows after its last leg; None: it follows none."""
        return None

    @property
    def at_the_end(self) -> PoseSpace:
        """The space on the level where the mover makes its last turn."""
        return self if self.leap is None else self.passes[0]

    def on_the_way(self) -> PoseSpace:
        """Return the space without what matters at the end of a move alone."""
        return replace(self, no_end=(), touch=(), far_from=(), more_than=None, ends=None)

    # --- what stops a move ---

    @property
    def way(self) -> PoseSpace:
        """The space of all legs but the last one: they keep off what that may end in touch with."""
        # A space that is asked by rows is no other one, and keeps nothing of what it was asked before.
        return self._way if self.met else self

    @cached_property
    def _way(self) -> PoseSpace:
        here = [one for one in self.met if not one.touch.level]
        bars = (*self.bars, *(one.bar for one in here))
        leavable = [Leavable(len(self.bars) + number, one.touch) for number, one in enumerate(here) if one.begins]
        above = tuple(
            replace(level, bars=(*level.bars, *(one.bar for one in self.met if one.touch.level == number)))
            for number, level in enumerate(self.above, start=1)
        )
        return replace(self, bars=bars, leavable=(*self.leavable, *leavable), above=above, met=())

    @property
    def barred_for_good(self) -> PoseSpace:
        """The space without the bars that a leg may lead out of."""
        return self._barred_for_good if self.leavable else self

    @cached_property
    def _barred_for_good(self) -> PoseSpace:
        gone = {one.bar for one in self.leavable}
        bars = [bar for number, bar in enumerate(self.bars) if number not in gone]
        return replace(self, bars=bars, leavable=())

    def meets_from(self, places: FloatArray) -> BoolArray | None:
        """Return which of the bars bar the legs that begin at places, an array [leg, bar]; None: all of them do."""
        meets = self.meets
        if not self.leavable:
            return meets
        found = barred_from(self.leavable, self.base, places, len(self.bars))
        return found if meets is None else found & meets

    @property
    def base_on_table(self) -> Base:
        """What of the base has to be on the table."""
        return self.base if self.whole_base_on_table else _POINT

    # --- phases ---

    @cached_property
    def before_last(self) -> PoseSpace:
        """The space of all phases but the last one, of which there have to be some."""
        *earlier, last = self.earlier
        return replace(
            self.way,
            budget=last.budget,
            most_travelled=last.most_travelled,
            most_inches=last.most_inches,
            touch=(),
            far_from=(),
            ends=last.ends,
            no_end=(*self.way.no_end, *last.no_end) if last.no_end else self.way.no_end,
            # Leaps end the move, and so are made in its last phase.
            links=tuple(link for link in self.links if not isinstance(link, OffTheEdge)),
            earlier=tuple(earlier),
            turns=replace(self.turns, free_at_end=Fraction(0)),
        )

    @property
    def in_all(self) -> Fraction:
        """What may be spent in all phases together."""
        return self.budget + self.paid_before

    @property
    def paid_before(self) -> Fraction:
        """What may be spent in the phases before the last one."""
        return sum((phase.budget for phase in self.earlier), Fraction(0))

    # --- prices ---

    @cached_property
    def directions(self) -> Directions:
        """The directions of the modes."""
        return Directions(self.modes)

    @property
    def asides(self) -> FloatArray:
        """By mode with a direction of its own, how far left of the heading its legs lead."""
        return self.directions.asides

    def asides_of(self, modes: IntArray) -> FloatArray:
        """Return how far left of the heading legs lead, by the numbers of their modes."""
        return self.directions.asides_of(modes)

    def factors_of(self, modes: IntArray) -> FloatArray:
        """Return how many times the price of the ground legs cost, by the numbers of their modes."""
        return self.directions.factors_of(modes)

    @cached_property
    def least_factor(self) -> float:
        """The factor of the cheapest mode."""
        return min((float(mode.factor) for mode in self.modes), default=1.0)

    @cached_property
    def least_rate(self) -> float:
        """No inch of a leg costs less, on any ground in any mode."""
        least = min(ground.least for ground in (self.ground, *(level.ground for level in self.above)))
        return float(least) * self.least_factor

    @cached_property
    def least_turning(self) -> float:
        """What turns are multiplied by at least, on any ground of the level."""
        return float(self.ground.least) if self.turns.times_rate else 1.0

    @cached_property
    def across(self) -> float:
        """No leg is longer: across all of the table that the mover may get to."""
        window = self.window
        return math.hypot(window.right - window.left, window.top - window.bottom) + 1.0

    def can_pay(self, prices: FloatArray) -> BoolArray:
        """Find which prices of whole moves the budget pays for."""
        return np.asarray(prices <= float(self.budget) + SLACK)

    def may_travel(self, travelled: FloatArray) -> BoolArray:
        """Find what may be spent on the legs of whole moves."""
        if self.most_travelled is None:
            return np.ones(len(travelled), np.bool_)
        return np.asarray(travelled <= float(self.most_travelled) + SLACK)

    def longest_legs(self, left: FloatArray, mode: IntArray, covered: FloatArray) -> FloatArray:
        """Compute how long legs may be at most for what is left, on the cheapest ground, after so many inches."""
        longest = np.minimum(self.inches_on_cheapest(left, mode), self.across)
        return np.asarray(np.minimum(longest, self.inches_left(covered)))

    def inches_on_cheapest(self, left: FloatArray, mode: IntArray) -> FloatArray:
        """Compute how many inches on the cheapest ground may be paid with what is left; 0 for no leg at all."""
        rate = float(self.ground.least) * self.factors_of(mode)
        return np.asarray(np.divide(left, rate, out=np.zeros(len(rate)), where=rate > 0.0))

    def left_for_legs(self, paid: FloatArray, travelled: FloatArray) -> FloatArray:
        """Compute what may still be spent on a leg; `travelled` is the part of what was paid that legs cost."""
        left = float(self.budget) - paid
        if self.most_travelled is not None:
            left = np.minimum(left, float(self.most_travelled) - travelled)
        return np.asarray(np.maximum(left, 0.0))

    def inches_left(self, covered: FloatArray) -> FloatArray:
        """Compute how many inches may still be covered; inf where the budget ends every move before."""
        if self.most_inches is None or not self.inches_bind:
            return np.full(len(covered), np.inf)
        return np.asarray(np.maximum(float(self.most_inches) - covered, 0.0))

    def may_cover(self, inches: FloatArray) -> BoolArray:
        """Find which inches of whole moves are no more than may be covered."""
        if self.most_inches is None or not self.inches_bind:
            return np.ones(len(inches), np.bool_)
        return np.asarray(inches <= float(self.most_inches) + SLACK)

    @property
    def inches_bind(self) -> bool:
        """Whether a move that the budget pays for may cover more inches than it may."""
        return self.binding.inches is not None

    @cached_property
    def binding(self) -> Binding:
        """The limits besides the budget that may end a move which the budget pays for."""
        legs, inches = self.most_travelled, self.most_inches
        if legs is not None and not self._may_use_more(legs, self._travelled_first, 1.0):
            legs = None
        if inches is not None and not self._may_use_more(inches, self._covered_first, self._least_of_inches):
            inches = None
        return Binding(
            None if legs is None else float(legs),
            None if inches is None else float(inches),
            0.0 if inches is None else self._least_of_inches,
        )

    def _may_use_more(self, limit: Fraction, used_first: Sequence[Fraction], least: float) -> bool:
        """Whether the budget pays for more than a limit, by what is used at the starts; each costs so much at least."""
        first = zip(self.paid_first, used_first, strict=True)
        # In a phase that follows another nothing is used yet.
        left = [(self.budget, Fraction(0))] if self.earlier else [(self.budget - paid, used) for paid, used in first]
        return least <= 0.0 or any(float(used) + float(more) / least > float(limit) for more, used in left)

    @cached_property
    def _least_of_inches(self) -> float:
        """No inch of a leg or a link costs less, on any level."""
        inches = [(float(link.price), float(link.length_after(Fraction(0)))) for link in self.links]
        return min([self.least_rate, *(price / length for price, length in inches if length > 0.0)])

    @property
    def paid_first(self) -> list[Fraction]:
        """What has been paid at each start, and at each placing at least."""
        return [*(start.paid for start in self.starts), *(placing.least for placing in self.placings)]

    @property
    def _travelled_first(self) -> list[Fraction]:
        """What has been paid for legs at each start, and at each placing."""
        return [*(start.travelled for start in self.starts), *(placing.travelled for placing in self.placings)]

    @property
    def _covered_first(self) -> list[Fraction]:
        """The inches covered at each start, and at each placing."""
        return [*(start.covered for start in self.starts), *(placing.covered for placing in self.placings)]

    @cached_property
    def farthest(self) -> float:
        """How many inches a move may lead at most from where it begins, or goes on after a link."""
        return self.how_far.inches

    @cached_property
    def how_far(self) -> HowFar:
        """How far moves may lead at most, and which things they may come near to."""
        grounds = [self.ground, *(level.ground for level in self.above)]
        most = math.inf
        if self.most_inches is not None and not self.earlier:
            most = float(self.most_inches - min(self._covered_first))
        return HowFar(
            self.begun_in,
            max(float(self.in_all - paid) for paid in self.paid_first),
            self.least_rate,
            min(float(ground.least_over(NOTHING)) for ground in grounds) * self.least_factor,
            [area for ground in grounds for area in ground.cheap_areas],
            max(0.0 if ground.base is None else ground.base.reach for ground in grounds),
            most,
        )

    @cached_property
    def begun_in(self) -> FloatArray:
        """Boxes in which moves begin, or go on after links that lead there: rows min x, min y, max x, max y."""
        links = [link.far_ends for link in self.links if link.far_ends]
        ends = [(*np.min(corners, axis=0), *np.max(corners, axis=0)) for corners in links]
        return np.array([*(2 * start.place for start in self.starts), *(one.bounds for one in self.placings), *ends])

    def may_get_to(self, places: FloatArray) -> BoolArray:
        """Find the places that are no farther off, as the crow flies, than a move may lead."""
        low, high = self.begun_in[:, None, :2], self.begun_in[:, None, 2:]
        off = np.maximum(np.maximum(low - places, places - high), 0.0)
        return np.asarray((np.hypot(off[..., 0], off[..., 1]) <= self.farthest + TOLERANCE).any(axis=0))

    @cached_property
    def window(self) -> Extent:
        """The part of the table that the mover may get to."""
        # Who has nothing left to spend, or owes something, stays where it begins.
        far = max(self.farthest, 0.0)
        least, most = self.begun_in.min(axis=0)[:2] - far, self.begun_in.max(axis=0)[2:] + far
        boxes = [self.box, *(level.box for level in self.above)]
        known = np.array([box for box in boxes if box is not None])
        if len(known) == len(boxes):
            least, most = np.maximum(least, known[:, :2].min(axis=0)), np.minimum(most, known[:, 2:].max(axis=0))
        most = np.maximum(least, most)
        return Extent(*least.tolist(), *most.tolist())

    @cached_property
    def middle(self) -> XY:
        """The place that grids are laid from: of several starts that one for which least was paid.

        Since it is a start, a mover that gets farther is searched on the same grid, and one on a shifted table on a
        shifted one. The order of the starts does not matter.
        """
        ends = [(line.paid, line.place(0.0)) for placing in self.placings for line in placing.lines]
        return min([*((start.paid, start.place) for start in self.starts), *ends])[1]

    @cached_property
    def bars_standing(self) -> Standing:
        """What bars the way, as the judge of paths takes it."""
        return Solids.standing_of(self.bars)

    @property
    def meets(self) -> BoolArray | None:
        """Which of the bars bar the legs that are asked about, an array [leg, bar]; None: all of them do."""
        return None

    @property
    def meets_at_ends(self) -> BoolArray | None:
        """Which of what bars ends alone bars those that are asked about, an array [end, thing]; None: all of it."""
        return None

    def by_rows(self, rows: IntArray) -> PoseSpace:
        """Return the space for questions about some of the rows that are asked about; for one mover it is the same."""
        del rows
        return self

    def kind_of_rows(self, count: int) -> IntArray:
        """Return for so many rows by which number of a mover they are asked about: that of the only one."""
        return np.zeros(count, np.intp)

    @cached_property
    def no_end_standing(self) -> Standing:
        """What bars ends alone."""
        return Solids.standing_of(self.no_end)

    @cached_property
    def tolls_standing(self) -> Standing:
        """The things of all tolls, as the judge of paths takes them."""
        return Standing.of([toll.thing for toll in self.tolls])

    @cached_property
    def toll_table(self) -> TollTable:
        """The tolls on the first level as a search takes them."""
        return self._toll_tables[0]


@dataclass(frozen=True, eq=False)
class SpaceOnLevel(PoseSpace):
    """A space as it is on one level, made by `PoseSpace.on` and `PoseSpace.followed_by` alone."""

    passes: tuple[PoseSpace, ...] = ()
    leap: OffTheEdge | None = None
    slant: PoseLink | None = None
    extent: Extent | None = None  #: the window of the whole space
    laid_from: XY | None = None  #: the middle of the whole space
    binding: Binding = NONE_BINDS  #: of the whole space
    tolls_here: TollTable | None = None  #: the tolls of the whole space, as those see them who are on the level

    _starts_somewhere: ClassVar[bool] = False

    @property
    def window(self) -> Extent:
        """The part of the table that the mover may get to, on any level."""
        assert self.extent is not None
        return self.extent

    @property
    def middle(self) -> XY:
        """The place that grids are laid from, on any level."""
        assert self.laid_from is not None
        return self.laid_from

    def floor_of(self, level: int) -> int:
        """Return the number by which tolls stand on the level; it has no other."""
        del level
        return self.toll_table.level

    @property
    def toll_table(self) -> TollTable:
        """The tolls on the level as a search takes them."""
        assert self.tolls_here is not None
        return self.tolls_here

    def on_the_way(self) -> PoseSpace:
        """Return the space without what matters at the end of a move alone, the levels that it passes among it."""
        return replace(self, no_end=(), touch=(), far_from=(), more_than=None, ends=None, passes=())
