"""Why a mover cannot end at a place or in a pose: what stands there, how much is missing, which headings would do.

>>> from simulator.pathing.posed import Mode, PoseReach, PoseStart, TurnPrices, even_ground
>>> start, forward = PoseStart((0, 0), Fraction(0)), Mode("forward")
>>> even, turns = even_ground(Fraction(1)), TurnPrices.flat(4)
>>> reach = PoseReach(PoseSpace(Round(1), (start,), Fraction(12), even, (forward,), turns))
>>> found, room = shortfalls(reach, (10, 0), heading=90)
>>> [(short.what, short.needed, short.available) for short in found], room
([('budget', 14.0, 12.0)], ((0.0, 360.0),))
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property, partial
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from simulator.freed_memory import give_back
from simulator.geometry.convex import BoolArray
from simulator.geometry.footprints import Round
from simulator.geometry.path_judge import first_contacts, first_lengths, first_off
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.tolerances import TOLERANCE
from simulator.pathing.posed.crow_flies import least_to
from simulator.pathing.posed.enclosed import are_apart, barred_by
from simulator.pathing.posed.far_from import too_near
from simulator.pathing.posed.goals import Goals
from simulator.pathing.posed.judge import judged
from simulator.pathing.posed.planner import PosePlanner
from simulator.pathing.posed.rays import has_room, legs_between
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.stopped_reach import StoppedReach
from simulator.pathing.posed.touch import out_of_touch
from simulator.pathing.posed.turn_tolls import under_bases
from simulator.pathing.posed.ways import Way

#: Headings are tried so many degrees apart.
_APART = 2.5
#: The ends of a range of headings are closed in on by so many halvings.
_ROUNDS = 20
#: What a move needs is looked for with so many times the budget, a little more each time: a search with twice as much
#: takes several times as long.
_AS_MUCH = [Fraction(4, 3), Fraction(16, 9), Fraction(64, 27), Fraction(256, 81), Fraction(4)]
#: By so many inches on the cheapest ground, and then so many, a way that is found soon may cost too little.
_ROUGHLY = (0, 2)
#: The fewest inches that a way covers are closed in on by so many halvings.
_SHORTER = 5

#: The ranges of headings in which a mover would have room, each from the first to the last.
Room: TypeAlias = tuple[tuple[float, float], ...]
_Missing: TypeAlias = (
    Literal["bars", "end", "edge", "ground", "budget", "legs", "inches", "least"]
    | Literal["way", "touch", "near", "only", "stops"]
)


class PoseShortfall(NamedTuple):
    """One reason why a move cannot end somewhere."""

    #: Something bars the place, bars ends there, the table ends, the ground is closed; the budget, what may be spent on
    #: legs, how many inches may be covered, or what has to be spent at least is missed; no way leads there; something
    #: is not touched or is too near; it is none of the only ends; something stops the move before.
    what: _Missing
    #: The number of what bars the place, the end or all ways there, is not touched or too near; or of a side.
    thing: int | None = None
    needed: float | None = None
    available: float | None = None
    toll: int | None = None  #: the number of a toll that bars the end as long as it is not crossed
    at: XY | None = None  #: where on all ways there the thing bars them
    way: Way | None = None  #: one that could be made, were the budget as large as it takes


#: What keeps a mover from ending somewhere, and the headings in which it would have room there.
Reasons: TypeAlias = tuple[tuple[PoseShortfall, ...], Room]


def shortfalls(
    reach: PosePlanner, place: XY, heading: float | None = None, level: int = 0
) -> tuple[list[PoseShortfall], Room]:
    """Return what keeps a mover from ending at a place, and the headings in which it would have room there.

    Headings are ranges, counter-clockwise from the first to the last; 0 to 360 is the whole circle. An end that is
    possible has no shortfalls.
    """
    _, found, room = least_shortfalls(reach, place, heading, [level])
    return found, room


def least_shortfalls(
    reach: PosePlanner,
    place: XY,
    heading: float | None,
    levels: Sequence[int],
    whole: PoseSpace | None = None,
    most_missing: float | None = None,
) -> tuple[int, list[PoseShortfall], Room]:
    """Return the same on the one of some levels where the least is missing, with its number; of equals the first.

    Searches with larger budgets are made once for all of them: in the `whole` space, whose things have the numbers that
    are returned, if the reach knows but of what is near. Where more than `most_missing` of the budget is missing, it is
    not found out how much more: that no way leads there is returned instead.
    """
    if not np.isfinite([*place, heading or 0.0]).all():
        raise ValueError(f"a place is two finite numbers, and a heading one: not {place}, {heading}")
    space = reach.space if whole is None else whole
    level, found, room = reach.known_reasons.get(
        (space.contents, *place, heading, tuple(levels), most_missing),
        partial(_least_shortfalls, reach, space, place, heading, levels, most_missing),
    )
    give_back()
    return level, list(found), room


def missing(found: Sequence[PoseShortfall]) -> tuple[int, float]:
    """Return how much is missing: what stands there counts for more than any price."""
    figures = sum((short.needed or 0.0) - (short.available or 0.0) for short in found)
    return sum(short.needed is None for short in found), figures


def _least_shortfalls(
    reach: PosePlanner,
    space: PoseSpace,
    place: XY,
    heading: float | None,
    levels: Sequence[int],
    most_missing: float | None,
) -> tuple[int, Sequence[PoseShortfall], Room]:
    wider, best = _Wider(reach, space, place), None
    most = None
    if most_missing is not None:
        most = min(space.budget + Fraction(most_missing) + Fraction(TOLERANCE), _with_most(space).budget)
    for level in levels:
        found, room = _shortfalls(reach, wider, place, heading, level, most)
        if best is None or missing(found) < missing(best[1]):
            best = level, found, room
            # Where more than that is missing it does not matter how much more.
            if [short.what for short in found] == ["budget"] and found[0].needed is not None:
                most = Fraction(found[0].needed) + Fraction(TOLERANCE)
    assert best is not None  # there is a level to ask about
    return best


class _Wider:
    """Planners for ways to a place without limits but a larger budget, each made once."""

    def __init__(self, reach: PosePlanner, limited: PoseSpace, place: XY) -> None:
        self._reach, self._place = reach, place
        self.limited = limited  #: the space with its limits
        self.space = replace(limited, more_than=None, most_travelled=None, most_inches=None)
        self._known: dict[tuple[Fraction, bool], PosePlanner] = {}

    def planner(self, budget: Fraction, *, roughly: bool = False) -> PosePlanner:
        """Return that for a budget."""
        key = budget, roughly
        if key not in self._known:
            space = replace(self.space, budget=budget)
            self._known[key] = self._widest.toward(space, self._place, roughly=roughly)
        return self._known[key]

    @cached_property
    def least(self) -> float:
        """What ways there cost at least, on whichever level they end."""
        return self._widest.least_to_goal()

    @cached_property
    def _widest(self) -> PosePlanner:
        """That for the largest budget that is tried: what ways cost there at least they do with a smaller one."""
        # Farther off there may be what stops it, though the reach knows of nothing near that does.
        knows = isinstance(self._reach, StoppedReach) or not self.space.stops
        reach = self._reach if knows else StoppedReach(self.space)
        return reach.toward(_with_most(self.space), self._place)


def _shortfalls(
    reach: PosePlanner, wider: _Wider, place: XY, heading: float | None, level: int, most: Fraction | None
) -> Reasons:
    """Find what is missing on a level; if it takes more than the `most` that counts, there is no way."""
    space = wider.limited.on(level)
    room = room_at(space, place)
    headings = np.array([heading]) if heading is not None else np.arange(0.0, 360.0, _APART)
    apart = [PoseShortfall("touch", number) for number in out_of_touch(space.touch, space.base, place)]
    apart += [
        PoseShortfall("near", number, float(space.far_from[number].inches), away)
        for number, away in too_near(space.far_from, place)
    ]
    fits = not apart and bool(_has_room_to_end(space, place, headings).any())
    goal = Goals(np.array([place], np.float64), None if heading is None else headings)
    if (fits or goal.are_starts(space)[0]) and np.isfinite(_cost(reach, place, heading, level)):
        return (), room
    if not fits:
        return (*_against_standing(space, place, float(headings[0])), *apart), room
    return tuple(_against_way(reach, wider, place, heading, level, most)), room


def room_at(space: PoseSpace, place: XY) -> Room:
    """Return the headings in which a mover would have room to end at a place on one level, as ranges."""
    if isinstance(space.base, Round):
        return ((0.0, 360.0),) if _has_room_to_end(space, place, np.zeros(1))[0] else ()
    headings = np.arange(0.0, 360.0 + _APART, _APART)
    fits = _has_room_to_end(space, place, headings)
    if fits.all():
        return ((0.0, 360.0),)
    turns = np.flatnonzero(fits[1:] != fits[:-1])
    known, other = headings[turns + fits[turns + 1]], headings[turns + fits[turns]]
    for _ in range(_ROUNDS):
        middle = (known + other) / 2
        good = _has_room_to_end(space, place, middle)
        known, other = np.where(good, middle, known), np.where(good, other, middle)
    borders = known.tolist()
    # The first range may go through 0 degrees.
    if fits[0]:
        borders = borders[1:] + borders[:1]
    return tuple(zip(borders[::2], borders[1::2], strict=True))


def _has_room_to_end(space: PoseSpace, place: XY, headings: FloatArray) -> BoolArray:
    places = np.tile(np.asarray(place, np.float64), (len(headings), 1))
    free = has_room(space, places, headings)
    stands = legs_between(places, places, np.mod(headings, 360.0))
    free &= np.isinf(first_lengths(stands, space.base, space.no_end_standing))
    return np.asarray(free if space.ends is None else free & space.ends.has(places, headings))


def _against_standing(space: PoseSpace, place: XY, heading: float) -> Iterator[PoseShortfall]:
    at = np.array([place], np.float64)
    stands = legs_between(at, at, np.array([heading % 360.0]))
    if space.box is not None:
        off = int(first_off(stands, space.base_on_table, space.box).which[0])
        if off >= 0:
            yield PoseShortfall("edge", off)
    thing = int(first_contacts(stands, space.base, space.bars_standing).which[0])
    if thing >= 0:
        yield PoseShortfall("bars", thing)
    if np.isinf(space.ground.rates_at(at, np.array([heading % 360.0]))[0]):
        yield PoseShortfall("ground")
    thing = int(first_contacts(stands, space.base, space.no_end_standing).which[0])
    if thing >= 0:
        yield PoseShortfall("end", thing)
    if space.ends is not None and not space.ends.has(at, np.array([heading]))[0]:
        yield PoseShortfall("only")


def _against_way(
    reach: PosePlanner, wider: _Wider, place: XY, heading: float | None, level: int, most: Fraction | None
) -> Iterator[PoseShortfall]:
    """Find what a move that ends there would need, were there no limits but a larger budget."""
    found, space = _with_enough(wider, place, heading, level, most), wider.limited
    if found is None and most is not None:
        # More is missing here than elsewhere.
        yield PoseShortfall("way")
        return
    if found is None and (stopped := _stopped(reach, space, place, heading, level)) is not None:
        yield stopped
        return
    if found is None:
        tolls = list(_against_tolls(space.on(level), place, heading))
        yield from tolls or [_without_way(_with_most(space), place)]
        return
    finds, cost = found
    missed = list(_missed(space, cost, lambda: _travelled(finds, place, heading, level)))
    if missed and missed[0].what == "budget":
        needed = _enough(finds.space, wider, cost, place, heading, level)
        way = finds.way_to(place, heading, level)
        missed[0] = missed[0]._replace(needed=needed, way=way)
    elif missed and missed[0].what == "inches":
        missed[0] = _fewer_inches(reach, missed[0], place, heading, level)
    yield from missed or [PoseShortfall("way")]


def _stopped(
    reach: PosePlanner, space: PoseSpace, place: XY, heading: float | None, level: int
) -> PoseShortfall | None:
    """Find what stops a move on the way there, or makes it turn no more, if without that there is a way."""
    if not space.stops:
        return None
    free = reach.toward(replace(_with_most(space), stops=(), more_than=None), place)
    if not np.isfinite(_cost(free, place, heading, level)):
        return None
    start, moves = free.way_to(place, heading, level)
    verdict = judged(space, start, moves)
    stops = (one for one in verdict.objections if one.what == "stops")
    return next((PoseShortfall("stops", one.thing, at=verdict.path.at(one.inches)) for one in stops), None)


def _without_way(space: PoseSpace, place: XY) -> PoseShortfall:
    """No way leads to a place: name what parts it from where the mover begins, if something does."""
    found = barred_by(space, place)
    return PoseShortfall("way") if found is None else PoseShortfall("way", found.thing, at=found.place)


def _with_most(space: PoseSpace) -> PoseSpace:
    """The space with the largest budget that is tried, so with all the ground that a way may lead over."""
    return replace(space, budget=space.budget * _AS_MUCH[-1])


def _with_enough(
    wider: _Wider, place: XY, heading: float | None, level: int, most: Fraction | None
) -> tuple[PosePlanner, float] | None:
    """Return a planner that finds an end with a larger budget, and what that costs; None: so much is not enough.

    The budget is no larger than the `most` that counts, or than what is tried.
    """
    space = _with_most(wider.space) if most is None else replace(wider.space, budget=most)
    # As the crow flies is known sooner than by cells.
    least = least_to(space, place, level)
    if least > space.budget + Fraction(TOLERANCE) or are_apart(space, place):
        return None
    least = max(least, wider.least)
    if least > space.budget + Fraction(TOLERANCE):
        return None
    for budget in _budgets(wider, place, heading, level, least) if most is None else [most]:
        finds = wider.planner(budget)
        cost = _cost(finds, place, heading, level)
        if np.isfinite(cost):
            return finds, cost
    return None


def _budgets(wider: _Wider, place: XY, heading: float | None, level: int, least: float) -> Iterator[Fraction]:
    """Yield budgets that may be enough: by the price of a way that is found soon, then the most that is tried."""
    space = wider.space
    for times in _AS_MUCH:
        if space.budget * times + Fraction(TOLERANCE) < least:
            continue
        cost = _cost(wider.planner(space.budget * times, roughly=True), place, heading, level)
        if np.isfinite(cost):
            # A closer search may take a little more for it.
            yield from (Fraction(cost) + Fraction(TOLERANCE) + more * space.ground.least for more in _ROUGHLY)
            break
    yield _with_most(space).budget


def _against_tolls(space: PoseSpace, place: XY, heading: float | None) -> Iterator[PoseShortfall]:
    """Find what would have to be crossed and left before a mover can end at a place."""
    if space.tolls:
        bits = int(under_bases(space, np.array([place], np.float64), np.array([heading or 0.0]))[0])
        for number in np.flatnonzero(space.toll_table.is_run_over).tolist():
            if bits >> number & 1:
                yield PoseShortfall("end", toll=number)


def _enough(space: PoseSpace, wider: _Wider, cost: float, place: XY, heading: float | None, level: int) -> float:
    """A budget that the end is found with: the cost, or more where it takes that of a space to find the way."""
    if space.budget - Fraction(cost) <= 2 * Fraction(TOLERANCE):
        return cost
    for more in (0, 1, 2, 4):
        budget = Fraction(cost) + Fraction(TOLERANCE) + more * space.ground.least
        if budget < space.budget and np.isfinite(_cost(wider.planner(budget), place, heading, level)):
            return cost + more * float(space.ground.least)
    return float(space.budget)


def _fewer_inches(
    reach: PosePlanner, short: PoseShortfall, place: XY, heading: float | None, level: int
) -> PoseShortfall:
    """Return the shortfall of a way that covers fewer inches than the cheapest one, if any can be paid."""
    assert short.needed is not None
    assert short.available is not None
    few, enough = short.available, short.needed
    for _ in range(_SHORTER):
        middle = (few + enough) / 2
        longer = replace(reach, space=replace(reach.space, most_inches=Fraction(middle)))
        if np.isinf(_cost(longer, place, heading, level)):
            few = middle
        else:
            enough = middle
    return short._replace(needed=enough)


def _missed(space: PoseSpace, cost: float, amounts: Callable[[], tuple[Fraction, Fraction]]) -> Iterator[PoseShortfall]:
    """The limits that a move misses; what it spends on legs and how far it goes is computed where those are limited."""
    if cost > space.budget:
        yield PoseShortfall("budget", None, cost, float(space.budget))
    if space.most_travelled is not None or space.most_inches is not None:
        travelled, covered = amounts()
        if space.most_travelled is not None and travelled > space.most_travelled:
            yield PoseShortfall("legs", None, float(travelled), float(space.most_travelled))
        if space.most_inches is not None and covered > space.most_inches:
            yield PoseShortfall("inches", None, float(covered), float(space.most_inches))
    if space.more_than is not None and cost <= space.more_than:
        yield PoseShortfall("least", None, float(space.more_than), cost)


def _travelled(reach: PosePlanner, place: XY, heading: float | None, level: int) -> tuple[Fraction, Fraction]:
    """What legs and links cost of the cheapest way, and how many inches they cover."""
    start, moves = reach.way_to(place, heading, level)
    found = judged(reach.space, start, moves)
    return start.travelled + found.travelled, start.covered + found.covered


def _cost(reach: PosePlanner, place: XY, heading: float | None, level: int) -> float:
    costs = reach.costs_at([place], level) if heading is None else reach.costs_in([place], [heading], level)
    return float(costs[0])
