"""The last turn and the last leg of a way to a goal: which there are, and what the whole way costs.

They start from a state of the search, straight for the goal, or in the middle of a leg that the search cast, where a
turn leads to the goal: a turn to the limit of a bracket, or to the very heading that the goal is to be reached with. So
the last two turns of a way are made where they have to be, not on a mesh.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.footprints import Round
from simulator.geometry.path_judge import first_lengths
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import ROUNDING_OF_ANGLES, SLACK, TOLERANCE, TOUCH
from simulator.pathing.columns import join, nth_rows, pick, rows_once, sorted_once
from simulator.pathing.posed.approaches import WORTH, Approaches
from simulator.pathing.posed.as_kept import TurnsAsKept
from simulator.pathing.posed.dear_ends import dearer_of
from simulator.pathing.posed.directions import are_oblique
from simulator.pathing.posed.edges import OffTheEdge
from simulator.pathing.posed.goals import Goals
from simulator.pathing.posed.in_time import PairsInTime, Sources
from simulator.pathing.posed.legs import CastLegs
from simulator.pathing.posed.lower_prices import Leasts, LowerPrices
from simulator.pathing.posed.rays import Rays, cross, has_room, legs_between, may_turn, passes_freely, shorter, units
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates, Turned, at_rates, turned
from simulator.pathing.posed.stops import come_to_touch
from simulator.pathing.posed.toll_table import TollBits
from simulator.pathing.posed.turn_tolls import TollsMet, met_by_links, met_by_turns
from simulator.pathing.posed.turns_aside import TurnsAside, least_of_last_turns, least_of_turns, least_turns

#: The mode of a last leg that is none: the goal is reached already.
NO_LEG = -1
#: Degrees by which directions may be wrong by rounding.
_BESIDE = 1e-5
#: More degrees than twice round the circle.
_ROUND_AND_MORE = 1000.0
#: Goals of which nothing is known.
_ANY_GROUND = Goals(np.zeros((0, 2)), None)


class LastTurns(NamedTuple):
    """Last turns and legs that may be worth trying."""

    goal: IntArray
    source: IntArray  #: the number of the state, or of the cast leg, that they start from
    at: FloatArray  #: after how many inches of that leg; 0 for states
    angle: FloatArray  #: of the turn
    mode: IntArray
    inches: FloatArray
    bound: FloatArray  #: the whole way costs no less; those that promise most are tried first
    least: FloatArray  #: nor less than this, by a closer look

    @classmethod
    def none(cls) -> LastTurns:
        """Return a table without rows."""
        whole, real = np.zeros(0, np.intp), np.zeros(0)
        return cls(whole, whole, real, real, whole, real, real, real)


class LastLegs(NamedTuple):
    """Last turns and legs, with what they cost."""

    goal: IntArray
    turns: Turned
    mode: IntArray
    inches: FloatArray
    cost: FloatArray  #: of the whole way; inf where it is barred or cannot be paid
    tolls: TollBits  #: after the leg


# --- candidates ---


def from_states(
    space: PoseSpace,
    lower: LowerPrices | None,
    states: PoseStates,
    rates: FloatArray,
    goals: Goals,
    best: FloatArray,
    *,
    facing_alone: bool = False,
    free_again: float = 0.0,
    beyond: float = 0.0,
) -> LastTurns:
    """Return the last turns and legs that lead from states straight to goals, and those of goals that are reached.

    They could cost less than the best that is known, by the `lower` prices of the ground if those are known. They may
    be oblique legs alone on which the mover faces as it is to in the end. So many degrees may be free again at the end.
    Legs before leaps are looked for as far as the goals: no more than so much of that lies `beyond` the edge.
    """
    found = [LastTurns.none()]
    sources, limits = Sources.of_states(space, _on_the_way(space, lower), goals, states), most_of_ways(space, best)
    for pairs in sources.in_time(limits):
        goal, state, inches, limit = pairs.goal, pairs.source, pairs.inches, pairs.limit
        stays = np.flatnonzero(inches <= TOUCH)
        none = np.zeros(len(stays))
        price = states.price[state[stays]]
        found.append(LastTurns(goal[stays], state[stays], none, none, np.full(len(stays), NO_LEG), none, price, price))
        bearing = np.degrees(np.arctan2(pairs.away[:, 1], pairs.away[:, 0]))
        none, dearer = np.zeros(len(goal)), dearer_of(goals, goal, inches)
        facing = None if goals.facing is None else goals.facing[goal]
        ways = _as_it_is_to_face if facing_alone else _straight_on
        moved, paid = [LastTurns.none()], [none[:0]]
        as_kept = TurnsAsKept(space, states, state, inches, facing)
        for angle, modes, factor in ways(space, states.heading[state], bearing, facing, as_kept):
            turn = at_rates(least_of_turns(space, states.free[state], angle), rates[state])
            before = states.price[state] + turn
            bound = before + (space.ground.least_prices(inches) + dearer) * factor
            closer = np.maximum(bound, before + pairs.least * factor)
            kept = np.flatnonzero(
                (closer <= limit) & (inches > TOUCH) & space.may_cover(states.covered[state] + inches)
            )
            moved.append(pick(LastTurns(goal, state, none, angle, modes, inches, bound, closer), kept))
            paid.append(before[kept])
        some, before = join(moved), np.concatenate(paid)
        heading, free = states.heading[some.source], np.maximum(states.free[some.source], free_again)
        row = may_face(space, goals, some, heading, free, limits)
        some, before = pick(some, row), before[row]
        around = _approaches(space, lower, goals, some.goal, some.inches)
        if around is not None:
            some = _by_approach(space, around, some, heading[row], before, limits - beyond)
        found.append(some)
    return join(found)


def may_face(
    space: PoseSpace, goals: Goals, some: LastTurns, headings: FloatArray, free: FloatArray, limits: FloatArray
) -> IntArray:
    """Find the last turns from headings after which the turn at the goal costs no more than limits, or may be made.

    No more degrees are free by then.
    """
    if goals.facing is None:
        return np.arange(len(some.goal))
    angle = shorter(goals.facing[some.goal] - headings - some.angle)
    if space.leap is not None:
        # The prices there are those of another level.
        return np.flatnonzero(may_turn_after(space.leap, least_of_last_turns(space, free, angle), angle))
    last = least_of_last_turns(space, free, angle) * space.least_turning
    return np.flatnonzero(some.bound + last <= limits[some.goal])


def _by_approach(
    space: PoseSpace,
    around: Approaches,
    some: LastTurns,
    headings: FloatArray,
    paid: FloatArray,
    limits: FloatArray,
) -> LastTurns:
    """Return the last turns after which legs cost no more than limits by what lies around the goals.

    They turn from headings, and so much is paid for at least before the last legs.
    """
    bearing = headings + some.angle + space.asides_of(some.mode)
    last = around.least_of(some.goal, bearing, some.inches) * space.factors_of(some.mode)
    row = np.flatnonzero(paid + last <= limits[some.goal])
    return pick(some, row)._replace(least=np.maximum(some.least, paid + last)[row])


def _on_the_way(space: PoseSpace, lower: LowerPrices | None) -> LowerPrices | None:
    """The prices of all ground that straight ways to goals lead over; None: beyond an edge there is nothing to pay."""
    return lower if space.leap is None else None


def _approaches(
    space: PoseSpace, lower: LowerPrices | None, goals: Goals, goal: IntArray, inches: FloatArray
) -> Approaches | None:
    """Look around the goals of legs of some lengths, if many lead to each; None: that is not worth it."""
    some = sorted_once(goal) if type(lower) is LowerPrices and len(goal) >= WORTH else goal[:0]
    if not len(some) or len(goal) < WORTH * len(some):
        return None
    assert lower is not None
    return Approaches.to(lower.closer, goals.places, some, float(inches.max()), space.leap)


def _straight_on(
    space: PoseSpace, headings: FloatArray, bearing: FloatArray, facing: FloatArray | None, as_kept: TurnsAsKept
) -> Iterator[tuple[FloatArray, IntArray, FloatArray | float]]:
    """Yield the ways to travel in directions from headings: the turns, the modes after them, and their factors.

    Who travels obliquely does so as it faces, or as it is to face in the end.
    """
    for number, aside in enumerate(space.asides.tolist()):
        turn, factor = as_kept.made(shorter(bearing - aside - headings)), float(space.directions.factors[number])
        yield turn, np.full(len(bearing), number), factor
    if space.directions.oblique is not None:
        modes = space.directions.toward(bearing - headings)
        yield np.zeros(len(bearing)), modes, space.factors_of(modes)
    yield from _as_it_is_to_face(space, headings, bearing, facing, as_kept)


def _as_it_is_to_face(
    space: PoseSpace, headings: FloatArray, bearing: FloatArray, facing: FloatArray | None, as_kept: TurnsAsKept
) -> Iterator[tuple[FloatArray, IntArray, FloatArray | float]]:
    """Yield the way to travel obliquely in directions from headings by those to end with."""
    del as_kept  # Turns are just so wide already.
    if space.directions.oblique is not None and facing is not None:
        turn = shorter(facing - headings)
        modes = space.directions.toward(bearing - headings - turn)
        yield turn, modes, space.factors_of(modes)


def most_of_ways(space: PoseSpace, best: FloatArray) -> FloatArray:
    """What ways to goals may cost: less than the best that is known, and no more than the budget."""
    return np.asarray(np.minimum(best - SLACK, float(space.budget) + TOLERANCE))


def from_legs(
    space: PoseSpace,
    lower: LowerPrices | None,
    legs: CastLegs,
    angles: FloatArray,
    goals: Goals,
    best: FloatArray,
    *,
    free_again: float = 0.0,
    beyond: float = 0.0,
) -> LastTurns:
    """Return last turns and legs that start in the middle of legs and could cost less than the best that is known.

    Where legs are priced by whole pieces, they also start where those end. So many degrees may be free again at the
    end, and so much of the price may be that of what lies beyond an edge; see `from_states`.
    """
    limits = most_of_ways(space, best)
    sources = Sources(space, _on_the_way(space, lower), goals, legs.rays.starts, legs.turns.price)
    turns = TurnsAside(space, legs, angles)
    every = [LastTurns.none()]
    for in_time in sources.in_time(limits):
        # Each pair stands for several legs where those may start after any whole piece.
        whole = space.ground.grain is not None
        around = _approaches(space, lower, goals, in_time.goal, in_time.inches) if whole else None
        pairs = _Pairs.of(space, legs, in_time, goals, around, beyond)
        row, turn = turns.meeting(pairs.leg, pairs.away, pairs.limit)
        some = pairs.some(row)
        angle, mode = turns.angle[turn], turns.mode[turn]
        found = [some.meetings(units(legs.turns.heading[some.leg] + angle + space.asides_of(mode)), angle, mode)]
        if space.directions.oblique is not None:
            found.append(pairs.bends(float(space.directions.oblique.factor)))
        if space.ground.grain is not None:
            found += pairs.after_whole_pieces(float(space.ground.grain))
        if goals.facing is not None:
            facing = goals.facing[pairs.goal]
            for number, aside in enumerate(space.asides.tolist()):
                # A turn to the heading that the goal is to be reached with.
                angle = shorter(facing - legs.turns.heading[pairs.leg])
                found.append(pairs.meetings(units(facing + aside), angle, np.full(len(angle), number)))
        last = join(found)
        heading, free = legs.turns.heading[last.source], legs.turns.free[last.source]
        last = pick(last, may_face(space, goals, last, heading, np.maximum(free, free_again), limits))
        around = around or _approaches(space, lower, goals, last.goal, last.inches)
        if around is not None:
            heading, free = legs.turns.heading[last.source], legs.turns.free[last.source]
            leg = space.ground.least_prices(last.at) * space.factors_of(legs.mode[last.source])
            paid = legs.turns.price[last.source] + leg + least_turns(space, free, last.angle)
            last = _by_approach(space, around, last, heading, paid, limits - beyond)
        every.append(in_reach(space, sources.leasts, legs, last, limits))
    return join(every)


def in_reach(
    space: PoseSpace,
    leasts: Leasts,
    legs: CastLegs,
    some: LastTurns,
    limits: FloatArray,
    place_of: IntArray | None = None,
) -> LastTurns:
    """Return the ways that turn in the middle of legs and cost no more than limits, by the ground that legs lead over.

    The `leasts` know the goals by other numbers, if those are named: by `place_of`.
    """
    inches = legs.turns.covered[some.source] + some.at + some.inches
    some = pick(some, np.flatnonzero(space.may_cover(inches)))
    place = legs.rays.places(some.source, some.at)
    aim = some.goal if place_of is None else place_of[some.goal]
    last = leasts.from_places(place, aim, some.inches) * space.factors_of(some.mode)
    turn = least_of_turns(space, legs.turns.free[some.source], some.angle)
    # What the legs before the turns cost takes longest to look up: those that cost too much anyhow come first.
    leg = space.ground.least_prices(some.at) * space.factors_of(legs.mode[some.source])
    before, limit = legs.turns.price[some.source], limits[some.goal]
    least = np.maximum(some.bound, before + leg + turn * space.least_turning + last)
    row = np.flatnonzero(least <= limit)
    some, place, last, turn, before, limit = pick((some, place, last, turn, before, limit), row)
    if space.turns.times_rate:
        turn *= leasts.rates_at(place)
    least = np.maximum(some.least, before + legs.rays.prices(some.source, some.at) + turn + last)
    row = np.flatnonzero(least <= limit)
    return pick(some, row)._replace(least=least[row])


def onto_headings(
    space: PoseSpace,
    lower: LowerPrices,
    legs: CastLegs,
    places: FloatArray,
    which: IntArray,
    facing: FloatArray,
    best: FloatArray,
) -> LastTurns:
    """Return the turns in the middle of legs that lead to places with headings: each place has many, the goals."""
    limits, by_place = most_of_ways(space, best), np.full(len(places), -np.inf)
    np.maximum.at(by_place, which, limits)
    sources = Sources(space, _on_the_way(space, lower), Goals(places, None), legs.rays.starts, legs.turns.price)
    windows, found = _Windows(which, facing), [LastTurns.none()]
    for in_time in sources.in_time(by_place):
        near = _Pairs.of(space, legs, in_time, _ANY_GROUND)
        # From along a leg the place is seen in all directions between those from where it starts and where it ends.
        ends = near.away - legs.inches[near.leg, None] * legs.rays.ahead[near.leg]
        first, last = (np.degrees(np.arctan2(away[:, 1], away[:, 0])) for away in (near.away, ends))
        turned = shorter(last - first)
        low, wide = np.where(turned < 0.0, last, first) - _BESIDE, np.abs(turned) + 2 * _BESIDE
        before, free = legs.turns.heading[near.leg], legs.turns.free[near.leg]
        for number, aside in enumerate(space.asides.tolist()):
            # Most turns into such a window cost too much, whichever heading in it is asked for.
            least = np.maximum(np.abs(shorter(low + wide / 2 - aside - before)) - wide / 2 - free, 0.0)
            price = space.turns.least_beyond(least) * space.least_turning
            some = np.flatnonzero(near.bound + price <= near.limit + SLACK)
            row, goals = windows.inside(near.goal[some], low[some] - aside, wide[some])
            row = some[row]
            angles = shorter(facing[goals] - before[row])
            least = near.bound[row] + least_turns(space, free[row], angles)
            kept = np.flatnonzero(least <= limits[goals] + SLACK)
            row, goals, angles = row[kept], goals[kept], angles[kept]
            columns = near.leg[row], near.away[row], limits[goals], near.bound[row]
            pairs = _Pairs(space, legs, _ANY_GROUND, goals, *columns)
            toward = units(facing + aside)[pairs.goal]
            found.append(pairs.meetings(toward, angles, np.full(len(angles), number)))
    return in_reach(space, sources.leasts, legs, join(found), limits, which)


class _Windows:
    """Headings at places, each by its number, in ascending order round the circle and once more round."""

    def __init__(self, which: IntArray, facing: FloatArray) -> None:
        once = which * _ROUND_AND_MORE + np.mod(facing, 360.0)
        keys = np.r_[once, once + 360.0]
        order = np.argsort(keys, kind="stable")
        self._keys, self._number = keys[order], order % max(len(once), 1)

    def inside(self, place: IntArray, begin: FloatArray, wide: FloatArray) -> tuple[IntArray, IntArray]:
        """Return pairs of a window, a place with directions so wide from where it begins, and of a heading in it."""
        first = place * _ROUND_AND_MORE + np.mod(begin, 360.0)
        row = np.searchsorted(self._keys, first, side="left")
        of, nth = nth_rows(np.searchsorted(self._keys, first + wide, side="right") - row)
        return of, self._number[row[of] + nth]


@dataclass(frozen=True, eq=False)
class _Pairs:
    """Pairs of a goal and a leg in the middle of which a turn might lead to the goal in time."""

    space: PoseSpace
    legs: CastLegs
    goals: Goals
    goal: IntArray
    leg: IntArray
    away: FloatArray  #: from where the leg starts to the goal
    limit: FloatArray  #: the way has to cost no more
    bound: FloatArray  #: as it does at least, turn apart
    around: Approaches | None = None
    beyond: float = 0.0  #: so much of it may be what lies beyond an edge, which `around` does not count

    @classmethod
    def of(
        cls,
        space: PoseSpace,
        legs: CastLegs,
        pairs: PairsInTime,
        goals: Goals,
        around: Approaches | None = None,
        beyond: float = 0.0,
    ) -> _Pairs:
        """Return the pairs of which the straight line is short enough."""
        bound = legs.turns.price[pairs.source] + pairs.inches * space.least_rate
        return cls(space, legs, goals, pairs.goal, pairs.source, pairs.away, pairs.limit, bound, around, beyond)

    def some(self, rows: IntArray) -> _Pairs:
        columns = pick((self.goal, self.leg, self.away, self.limit, self.bound), rows)
        return _Pairs(self.space, self.legs, self.goals, *columns, self.around, self.beyond)

    def meetings(self, toward: FloatArray, angles: FloatArray, mode: IntArray) -> LastTurns:
        """Turn by angles where the legs meet the lines that lead in directions, rows x, y, to the goals."""
        rays, (x, y) = self.legs.rays, self.away.T
        ahead_x, ahead_y = rays.ahead[self.leg].T
        toward_x, toward_y = toward.T
        off = ahead_x * toward_y - ahead_y * toward_x
        off = np.where(np.abs(off) > TOLERANCE, off, np.nan)  # Parallel lines never meet.
        at, inches = (x * toward_y - y * toward_x) / off, (y * ahead_x - x * ahead_y) / off
        row = np.flatnonzero((at > TOUCH) & (at <= self.legs.inches[self.leg]) & (inches > TOUCH))
        return self._made(row, at[row], angles[row], mode[row], inches[row])

    def bends(self, factor: float) -> LastTurns:
        """Leave legs obliquely, without a turn, where that is cheapest on even ground, at their ends at the latest."""
        rays, space = self.legs.rays, self.space
        ahead, modes = rays.ahead[self.leg], self.legs.mode[self.leg]
        share = space.factors_of(modes) / factor
        row = np.flatnonzero((share < 1.0) & ~are_oblique(modes))
        ahead, away, share = ahead[row], self.away[row], share[row]
        along, across = np.sum(ahead * away, axis=1), np.abs(cross(ahead, away))
        at = np.minimum(along - across * share / np.sqrt(1.0 - share**2), self.legs.inches[self.leg[row]])
        onward = away - at[:, None] * ahead
        inches = np.hypot(onward[:, 0], onward[:, 1])
        kept = np.flatnonzero((at > TOUCH) & (inches > TOUCH))
        bearing = np.degrees(np.arctan2(onward[kept, 1], onward[kept, 0]))
        mode = space.directions.toward(bearing - self.legs.turns.heading[self.leg[row[kept]]])
        return self._made(row[kept], at[kept], np.zeros(len(kept)), mode, inches[kept])

    def after_whole_pieces(self, grain: float) -> Iterator[LastTurns]:
        """Turn where pieces of the legs end, and straight at the goals: what has begun is paid for."""
        legs, space, least_prices = self.legs, self.space, self.space.ground.least_prices
        inches, ahead, factors = legs.inches[self.leg], legs.rays.ahead[self.leg], space.factors_of(legs.mode[self.leg])
        before, along = legs.turns.price[self.leg], np.sum(ahead * self.away, axis=1)
        # Beyond where the leg is nearest to a goal it leads away from it, and has to turn farther round.
        count = np.minimum(np.floor(inches / grain + TOUCH), np.ceil(along / grain))
        paid_for = np.floor((self.limit - before) / (float(least_prices(np.array([grain]))[0]) * factors) + TOUCH)
        row, nth = nth_rows(np.maximum(np.minimum(count, paid_for), 0.0).astype(np.intp))
        at = np.minimum((nth + 1) * grain, inches[row])
        away = self.away[row] - at[:, None] * ahead[row]
        onward, least = np.hypot(away[:, 0], away[:, 1]), before[row] + least_prices(at) * factors[row]
        last = onward * space.least_rate + dearer_of(self.goals, self.goal[row], onward) * space.least_factor
        kept = np.flatnonzero((onward > TOUCH) & (least + last <= self.limit[row]))
        row, at, away, onward, least = row[kept], at[kept], away[kept], onward[kept], least[kept]
        bearing = np.degrees(np.arctan2(away[:, 1], away[:, 0]))
        if self.around is not None:
            last = self.around.least_of(self.goal[row], bearing, onward) * space.least_factor
            kept = np.flatnonzero(least + last <= self.limit[row] - self.beyond)
            row, at, onward, bearing = row[kept], at[kept], onward[kept], bearing[kept]
        bearing -= legs.turns.heading[self.leg[row]]
        for mode, aside in enumerate(space.asides.tolist()):
            yield self._made(row, at, shorter(bearing - aside), np.full(len(row), mode), onward)

    def _made(self, row: IntArray, at: FloatArray, angle: FloatArray, mode: IntArray, inches: FloatArray) -> LastTurns:
        """Turns at places on the legs of some pairs, of those that may be in time."""
        goal, leg = self.goal[row], self.leg[row]
        least, space = self.space.ground.least_prices, self.space
        last = least(inches) + dearer_of(self.goals, goal, inches)
        far = least(at) * space.factors_of(self.legs.mode[leg]) + last * space.factors_of(mode)
        bound = self.legs.turns.price[leg] + far + least_turns(space, self.legs.turns.free[leg], angle)
        found = LastTurns(goal, leg, at, angle, mode, inches, bound, bound)
        return pick(found, np.flatnonzero(bound <= self.limit[row]))


# --- what they cost ---


def tried(space: PoseSpace, states: PoseStates, rates: FloatArray, some: LastTurns, goals: Goals) -> LastLegs:
    """Make last turns and legs, each from the state of its row, and compute what the ways cost.

    The space is asked by these rows. The rates are what turns at the states are multiplied by.
    """
    every = np.arange(len(some.goal))
    turns = turned(space, states, rates, every, some.angle)
    # Turns with free degrees follow those without.
    some = pick(some, turns.state)
    tolls = pick(turns.tolls, np.arange(len(some.goal)))
    legs = LastLegs(some.goal, turns, some.mode, some.inches, turns.price.copy(), tolls)
    legal = _legal(space.by_rows(turns.state), states, legs, goals)
    return legs._replace(cost=np.where(legal, legs.cost, np.inf))


def _legal(space: PoseSpace, states: PoseStates, legs: LastLegs, goals: Goals) -> np.ndarray:
    """Find which last legs are legal, and add to their costs what the legs and the turns after them cost.

    What they make of tolls is written down as well. The space is asked by the rows of the legs.
    """
    starts, turns = states.place[legs.turns.state], legs.turns
    travelled, covered = states.travelled[turns.state] + turns.toll, turns.covered + legs.inches
    legal = ~_go_straight_on(space, states, legs)
    moving = np.flatnonzero(legal & (legs.inches > 0.0))
    if len(moving):
        bits = pick(turns.tolls, moving)
        legs_of = turns.heading[moving], legs.mode[moving], legs.inches[moving]
        whose = space.kind_of_rows(len(legs.goal))[moving]
        once, which = rows_once(np.column_stack([starts[moving], *legs_of, bits.rows, whose]))
        some, bits = moving[once], pick(bits, once)
        here, inches = space.by_rows(some), legs.inches[some]
        # Most are barred: for those it does not matter over which ground they lead.
        open_, rays = Rays.cast_whole(here, starts[some], turns.heading[some], legs.mode[some], inches, bits)
        inches, ray = inches[open_], np.full(len(some), -1)
        free = np.flatnonzero(rays.length >= inches - TOUCH)
        ray[open_[free]] = free
        ray = ray[which]
        legal[moving] = ray >= 0
        moved, ray = moving[ray >= 0], ray[ray >= 0]
        every = np.arange(len(open_))
        price = rays.prices(every, inches)[ray]
        legs.cost[moved] += price
        travelled[moved] += price
        after = pick(rays.after(every, inches, pick(bits, open_)), ray)
        for column, new in zip(legs.tolls, after, strict=True):
            column[moved] = new
    if space.slant is not None:
        slanted = space.slant.prices_after(turns.since + legs.inches)
        legs.cost[:] += slanted
        travelled += slanted
        covered += slanted
    if space.tolls:
        legal &= legs.tolls.touched & space.toll_table.run_over == 0
    places, headings, ending = goals.places[legs.goal], turns.heading, space.at_the_end
    tolls = pick(legs.tolls, np.arange(len(legs.goal)))
    if space.leap is not None:
        _land(ending, legs, tolls, travelled, places, headings, np.flatnonzero(legal), straight=False)
    if goals.facing is not None:
        headings = goals.facing[legs.goal]
        row = np.flatnonzero(legal)
        last = pick(legs._replace(tolls=tolls), row)
        price, met = _last_turn(ending.by_rows(row), last, headings[row], places[row])
        _note(tolls, row, met.tolls)
        legs.cost[row] += price + met.price
        travelled[row] += met.price
        if space.leap is not None:
            legal[row] &= may_turn_after(space.leap, price + met.price, shorter(headings[row] - last.turns.heading))
        if space.met:
            stopped = come_to_touch(space.met, space.base, starts[row], elsewhere=space.leap is not None)
            legal[row] &= ~stopped | (price <= SLACK)
    legal &= _within_limits(space, legs.cost, travelled) & space.may_cover(covered)
    if space.ends is not None:
        rows = np.flatnonzero(legal)
        legal[rows] = space.ends.has(places[rows], headings[rows])
    if space.no_end:
        rows = np.flatnonzero(legal)
        stands = legs_between(places[rows], places[rows], np.mod(headings[rows], 360.0))
        meets = space.by_rows(rows).meets_at_ends
        legal[rows] = np.isinf(first_lengths(stands, space.base, space.no_end_standing, meets=meets))
    # What takes longest comes last: turns, of those that are left.
    before = states.heading[turns.state]
    rows = np.flatnonzero(legal)
    legal[rows] = may_turn(space.by_rows(rows), starts[rows], before[rows], (turns.heading - before)[rows])
    if goals.facing is not None:
        rows = np.flatnonzero(legal)
        angles = shorter(headings[rows] - turns.heading[rows])
        legal[rows] = may_turn(ending.by_rows(rows), places[rows], turns.heading[rows], angles)
    if space.leap is not None:
        rows = np.flatnonzero(legal)
        ahead = units(turns.heading[rows] + space.asides_of(legs.mode[rows]))
        begins = starts[rows] + legs.inches[rows, None] * ahead
        legal[rows] = passes_freely(space, ending, begins, places[rows], turns.heading[rows])
    for level in space.passes:
        rows = np.flatnonzero(legal)
        legal[rows] = has_room(level, places[rows], headings[rows])
        if space.leap is None:
            _land(level, legs, tolls, travelled, places, headings, np.flatnonzero(legal), straight=True)
    legal &= _within_limits(space, legs.cost, travelled)
    if space.more_than is not None:
        legal &= legs.cost > float(space.more_than) + SLACK
    return legal


def _go_straight_on(space: PoseSpace, states: PoseStates, legs: LastLegs) -> BoolArray:
    """Find the last legs that are one leg with that before: where begun pieces are paid for, that costs something else.

    It is looked at as a whole, from where it began.
    """
    if space.ground.grain is None:
        return np.zeros(len(legs.goal), np.bool_)
    before = pick(states, legs.turns.state)
    straight = np.abs(legs.turns.heading - before.heading) <= ROUNDING_OF_ANGLES
    # What a phase begins with has no parent in it: the leg that led there belongs to the phase before.
    within = (before.inches > TOUCH) & (before.link < 0) & (before.parent >= 0)
    return np.asarray(straight & (legs.mode == before.mode) & within)


def _within_limits(space: PoseSpace, cost: FloatArray, travelled: FloatArray) -> BoolArray:
    """Find the ways that the budget pays for, and what may be spent on legs."""
    return space.can_pay(cost) & space.may_travel(travelled)


def _land(
    there: PoseSpace,
    legs: LastLegs,
    tolls: TollBits,
    travelled: FloatArray,
    places: FloatArray,
    headings: FloatArray,
    rows: IntArray,
    *,
    straight: bool,
) -> None:
    """Add what is met where links lead to some costs, and to what was travelled; write down what becomes of tolls."""
    met = met_by_links(there, places[rows], headings[rows], pick(tolls, rows), straight=straight)
    legs.cost[rows] += met.price
    travelled[rows] += met.price
    _note(tolls, rows, met.tolls)


def _note(tolls: TollBits, rows: IntArray, after: TollBits) -> None:
    """Write down what some have made of tolls."""
    for column, new in zip(tolls, after, strict=True):
        column[rows] = new


def may_turn_after(edge: OffTheEdge, prices: FloatArray, angles: FloatArray) -> BoolArray:
    """Find which turns, at such prices, may be made where a leap has landed."""
    if not edge.ends:
        return np.ones(prices.shape, np.bool_)
    return np.asarray(prices <= SLACK if edge.turn_after else np.abs(angles) <= ROUNDING_OF_ANGLES)


def _last_turn(space: PoseSpace, legs: LastLegs, facing: FloatArray, places: FloatArray) -> tuple[FloatArray, TollsMet]:
    """The price of turning to a heading at the end, and what the turn meets, with what it is to be paid for that.

    Turns on one spot count with the one before.
    """
    angles = shorter(facing - legs.turns.heading)
    group = legs.turns.group._replace(inches=legs.turns.group.inches + legs.inches)
    price = space.turns.last_turns(group, legs.turns.free, angles)
    if space.turns.times_rate:
        price = price * _rates_at(space, places, np.mod(legs.turns.heading, 360.0))
    met = met_by_turns(space, places, legs.turns.heading, angles, legs.tolls)
    bound = met.tolls.touched & ~legs.tolls.touched != 0
    return price, met._replace(price=np.where(bound, np.inf, met.price))


def _rates_at(space: PoseSpace, places: FloatArray, headings: FloatArray) -> FloatArray:
    """What an inch costs at places with headings, computed once for each place where headings do not matter."""
    if not isinstance(space.ground.base, Round | None):
        return space.ground.rates_at(places, headings)
    once, which = rows_once(np.column_stack([places, space.kind_of_rows(len(places))]))
    return np.asarray(space.by_rows(once).ground.rates_at(places[once], headings[once])[which])
