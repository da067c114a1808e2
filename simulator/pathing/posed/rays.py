"""Rays: straight legs cast from many poses as far as they are free, and what each length of them costs.

A leg is cast once. All its shorter parts are free as well, so one ray stands for a whole family of legs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.footprints import Base, Round
from simulator.geometry.path_judge import first_beyond, first_lengths, first_met
from simulator.geometry.paths import Paths
from simulator.geometry.pieces import FloatArray
from simulator.geometry.spans import Spans
from simulator.geometry.tolerances import SLACK, TOUCH
from simulator.pathing.columns import join, pick, rows_once, sums_before
from simulator.pathing.posed.directions import are_oblique
from simulator.pathing.posed.ground import RatedStretches
from simulator.pathing.posed.price_steps import PriceSteps, Steps
from simulator.pathing.posed.ray_tolls import RayTolls, stretches_left, tolls_along
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.toll_table import TollBits, no_tolls

#: The signs of a step along x and y, by quarter of the circle.
_SIGNS = np.array([(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)])


def units(degrees: FloatArray) -> FloatArray:
    """Return steps of length 1 along headings, rows x, y, exact on the axes."""
    quarter, rest = np.divmod(np.mod(degrees, 360.0), 90.0)
    which, rest = quarter.astype(np.intp) % 4, np.radians(rest)
    cos, sin, turned = np.cos(rest), np.sin(rest), which % 2 == 1
    found = np.empty((len(rest), 2))
    found[:, 0], found[:, 1] = np.where(turned, sin, cos), np.where(turned, cos, sin)
    found *= _SIGNS.take(which, axis=0)
    return found


def shorter(degrees: FloatArray) -> FloatArray:
    """Return turns the shorter way, in (-180, 180]."""
    return np.asarray(180.0 - np.mod(180.0 - degrees, 360.0))


def aimed(
    space: PoseSpace, headings: FloatArray, angles: FloatArray, modes: IntArray, bearings: FloatArray
) -> tuple[FloatArray, IntArray]:
    """Return the turns from headings before legs in other directions, and the modes of those legs.

    The legs are like some that followed turns by angles: who travels obliquely does so another way after the same turn.
    """
    turns = shorter(bearings - space.asides_of(modes) - headings)
    if space.directions.oblique is None:
        return turns, modes
    free = are_oblique(modes)
    aside = bearings - headings - angles
    return np.where(free, angles, turns), np.where(free, space.directions.toward(aside), modes)


def cross(one: FloatArray, other: FloatArray) -> FloatArray:
    """Compute the cross products of rows x, y."""
    return np.asarray(one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0])


def legs_between(starts: FloatArray, ends: FloatArray, headings: FloatArray) -> Paths:
    """Return straight legs from place to place as paths of one piece each."""
    return Paths.of_legs(starts, ends, headings)


def free_lengths(space: PoseSpace, legs: Paths) -> FloatArray:
    """Compute how far a mover gets along each leg before something bars it or the table ends."""
    return _free_lengths(space, legs)[0]


def _free_lengths(space: PoseSpace, legs: Paths) -> tuple[FloatArray, IntArray]:
    """The same with the first thing that bars each leg, -1: none does; the table may end before."""
    met = first_met(legs, space.base, space.bars_standing, meets=space.meets_from(legs.start))
    free = np.minimum(legs.lengths, met.inches)
    if space.box is not None:
        free = np.minimum(free, first_beyond(legs, space.box, base=space.base_on_table))
    return np.asarray(free), met.which


def may_turn(space: PoseSpace, places: FloatArray, headings: FloatArray, turns: FloatArray) -> BoolArray:
    """Find which turns on the spot, in degrees from a heading, sweep nothing that bars them; round bases always may."""
    free: BoolArray = np.ones(len(places), np.bool_)
    if isinstance(space.base, Round):
        return free
    swept = np.flatnonzero(turns)
    meets = None if space.meets is None else space.meets[swept]
    free[swept] = turns_freely(space, space.base, places[swept], headings[swept], turns[swept], meets)
    return free


def turns_freely(
    space: PoseSpace,
    base: Base,
    places: FloatArray,
    headings: FloatArray,
    turns: FloatArray,
    meets: BoolArray | None = None,
) -> BoolArray:
    """Find where a base that need not be the mover's stands free and sweeps nothing that bars it while it turns."""
    rows, none, zeros = np.arange(len(places)), np.zeros(len(places)), np.zeros_like(places)
    ways = Paths(rows, places, places, zeros, none, none, none, np.mod(headings, 360.0), turns, len(places))
    free: BoolArray = np.isinf(first_lengths(ways, base, space.bars_standing, meets=meets))
    if space.box is not None and space.whole_base_on_table:
        free &= np.isinf(first_beyond(ways, space.box, base=base))
    return free


def has_room(space: PoseSpace, places: FloatArray, headings: FloatArray) -> BoolArray:
    """Find the poses on one level that nothing bars, on the table, on ground that is not closed to the mover."""
    facing = np.mod(headings, 360.0)
    stands = legs_between(places, places, facing)
    meets = space.meets_from(places) if space.leavable else None
    free = np.isinf(first_lengths(stands, space.base, space.bars_standing, meets=meets))
    if space.box is not None:
        free &= np.isinf(first_beyond(stands, space.box, base=space.base_on_table))
    return np.asarray(free & np.isfinite(space.ground.rates_at(places, facing)))


def may_stand(space: PoseSpace, places: FloatArray, headings: FloatArray) -> BoolArray:
    """Find the poses on one level that nothing bars, and in which nothing bars an end either."""
    stands = legs_between(places, places, np.mod(headings, 360.0))
    return has_room(space, places, headings) & np.isinf(first_lengths(stands, space.base, space.no_end_standing))


def passes_freely(
    space: PoseSpace, below: PoseSpace, begins: FloatArray, ends: FloatArray, headings: FloatArray
) -> BoolArray:
    """Find the ways over an edge that nothing bars on the level that is left, on the table of the one below."""
    ways = legs_between(begins, ends, np.mod(headings, 360.0))
    free: BoolArray = np.isinf(first_lengths(ways, space.base, space.bars_standing))
    if below.box is not None:
        free &= np.isinf(first_beyond(ways, below.box, base=below.base_on_table))
    return free


@dataclass(frozen=True, eq=False)
class Rays:
    """Rays from places along directions, each with a factor on the price of the ground, and how far it is free."""

    starts: FloatArray
    ahead: FloatArray  #: rows x, y of length 1
    factor: FloatArray
    length: FloatArray
    stretches: RatedStretches
    grain: float | None
    tolls: RayTolls | None = None  #: None: there is none on the level
    #: The thing that is the first to bar what would be the ray were it free, -1: none; of rays as they were cast.
    barred_by: IntArray | None = None

    @classmethod
    def cast(
        cls,
        space: PoseSpace,
        starts: FloatArray,
        headings: FloatArray,
        modes: IntArray,
        longest: FloatArray,
        before: TollBits | None = None,
    ) -> Rays:
        """Cast rays of some lengths at most, from places with headings, each in one of the space's modes.

        `before` is what the movers have made of tolls so far; None: nothing.
        """
        return cls._cast(space, starts, headings, modes, longest, before, whole=False)[1]

    @classmethod
    def cast_whole(
        cls,
        space: PoseSpace,
        starts: FloatArray,
        headings: FloatArray,
        modes: IntArray,
        longest: FloatArray,
        before: TollBits | None = None,
    ) -> tuple[IntArray, Rays]:
        """Cast the rays that nothing bars before their ends, and return which those are; see `cast`.

        Closed ground and tolls may bar them all the same.
        """
        return cls._cast(space, starts, headings, modes, longest, before, whole=True)

    @classmethod
    def _cast(
        cls,
        space: PoseSpace,
        starts: FloatArray,
        headings: FloatArray,
        modes: IntArray,
        longest: FloatArray,
        before: TollBits | None,
        *,
        whole: bool,
    ) -> tuple[IntArray, Rays]:
        ahead, factors = units(headings + space.asides_of(modes)), space.factors_of(modes)
        if space.tolls or not (isinstance(space.base, Round) and isinstance(space.ground.base, Round | None)):
            return cls._cast_each(space, starts, headings, ahead, factors, longest, before, whole=whole)
        # A round base goes the same way whichever way it faces: rays of several modes are one.
        once, which = rows_once(np.column_stack([starts, ahead, longest, space.kind_of_rows(len(starts))]))
        columns = starts[once], headings[once], ahead[once], np.ones(len(once)), longest[once]
        row, rays = cls._cast_each(space.by_rows(once), *columns, None, whole=whole)
        number = np.full(len(once), -1)
        number[row] = np.arange(len(row))
        ray = number[which]
        found = np.flatnonzero(ray >= 0)
        return found, rays._each(ray[found], factors[found])

    @classmethod
    def _cast_each(
        cls,
        space: PoseSpace,
        starts: FloatArray,
        headings: FloatArray,
        ahead: FloatArray,
        factors: FloatArray,
        longest: FloatArray,
        before: TollBits | None,
        *,
        whole: bool,
    ) -> tuple[IntArray, Rays]:
        legs = legs_between(starts, starts + longest[:, None] * ahead, headings)
        free, barred_by = _free_lengths(space, legs)
        if not whole:
            return np.arange(len(starts)), cls._rated(space, legs, ahead, factors, free, barred_by, before)
        row = np.flatnonzero(free >= longest - TOUCH)
        bits = None if before is None else pick(before, row)
        columns = ahead[row], factors[row], free[row], barred_by[row]
        return row, cls._rated(space.by_rows(row), legs.some(row), *columns, bits)

    @classmethod
    def _rated(
        cls,
        space: PoseSpace,
        legs: Paths,
        ahead: FloatArray,
        factors: FloatArray,
        free: FloatArray,
        barred_by: IntArray,
        before: TollBits | None,
    ) -> Rays:
        """Rate the ground that rays lead over, and find the tolls on them; they are so far free as legs."""
        stretches = space.ground.stretches(legs)
        shut = np.isinf(stretches.rate) & (stretches.end - stretches.begin > TOUCH)
        np.minimum.at(free, stretches.leg[shut], stretches.begin[shut])
        open_ = pick(stretches, np.flatnonzero(~np.isinf(stretches.rate)))
        grain = None if space.ground.grain is None else float(space.ground.grain)
        tolls = None
        if space.tolls:
            bits = no_tolls(legs.count) if before is None else before
            tolls = tolls_along(space.toll_table, space.base, legs, ahead, bits)
            free = np.minimum(free, tolls.until)
        return cls(legs.start, ahead, factors, free, open_, grain, tolls, barred_by)

    def _each(self, which: IntArray, factors: FloatArray) -> Rays:
        """The rays of these numbers, with their factors; there are no tolls."""
        first = np.searchsorted(self.stretches.leg, np.arange(len(self.length) + 1))
        count = np.diff(first)[which]
        leg = np.repeat(np.arange(len(which)), count)
        row = np.arange(len(leg)) + np.repeat(first[which] - (np.cumsum(count) - count), count)
        assert self.barred_by is not None
        starts, ahead, length, barred_by = pick((self.starts, self.ahead, self.length, self.barred_by), which)
        stretches = pick(self.stretches, row)._replace(leg=leg)
        return Rays(starts, ahead, factors, length, stretches, self.grain, None, barred_by)

    @classmethod
    def joined(cls, parts: Sequence[Rays]) -> Rays:
        """Return several lots of rays of one space as one."""
        counts = [len(part.length) for part in parts]
        first = np.cumsum([0, *counts]).tolist()
        stretches = join(
            [part.stretches._replace(leg=part.stretches.leg + of) for part, of in zip(parts, first, strict=False)]
        )
        starts, ahead, factor, length = join([(part.starts, part.ahead, part.factor, part.length) for part in parts])
        tolls = [part.tolls for part in parts if part.tolls is not None]
        both = RayTolls.joined(tolls, counts) if tolls else None
        return cls(starts, ahead, factor, length, stretches, parts[0].grain, both)

    def some(self, rows: IntArray) -> Rays:
        """Return some of the rays, ascending."""
        number = np.full(len(self.length), -1)
        number[rows] = np.arange(len(rows))
        stretches = pick(self.stretches, number[self.stretches.leg] >= 0)
        columns = pick((self.starts, self.ahead, self.factor, self.length), rows)
        tolls = None if self.tolls is None else self.tolls.some(rows)
        return Rays(*columns, stretches._replace(leg=number[stretches.leg]), self.grain, tolls)

    # --- prices ---

    @cached_property
    def _priced(self) -> PriceSteps:
        longest = float(np.max(self.stretches.end, initial=1.0))
        ground = PriceSteps(self._steps, longest, self.grain is not None)
        if self.tolls is None:
            return ground
        return self.tolls.added_to(ground, self._even)

    @cached_property
    def _even(self) -> PriceSteps:
        """The prices by the ground, whatever its grain."""
        leg, begin, end, rate = self.stretches[:4]
        rate = rate * self.factor[leg]
        steps = Steps(leg, begin, sums_before(leg, (end - begin) * rate), rate, np.zeros(len(leg), np.bool_))
        return PriceSteps(steps, float(np.max(end, initial=1.0)), False)

    @property
    def _steps(self) -> Steps:
        """The prices by the ground: its stretches, cut at each piece of the grain.

        With a grain what is paid is the price of all pieces before, and the dearest of the piece so far.
        """
        if self.grain is None:
            return self._even.steps
        leg, begin, end, rate = self.stretches[:4]
        rate, grain = rate * self.factor[leg], self.grain
        low = np.floor((begin + SLACK) / grain).astype(np.intp)
        high = np.maximum(np.ceil((end - SLACK) / grain).astype(np.intp), low + 1)
        row = np.repeat(np.arange(len(leg)), high - low)
        piece = np.arange(len(row)) - np.repeat(np.cumsum(high - low) - high, high - low)
        which, start = leg[row], np.maximum(begin[row], piece * grain)
        # The dearest so far in each piece: ranks by piece keep the running maximum from passing on to the next.
        new = np.r_[True, (which[1:] != which[:-1]) | (piece[1:] != piece[:-1])][: len(row)]
        group = np.cumsum(new) - 1
        values, rank = np.unique(rate[row], return_inverse=True)
        dearest = values[np.maximum.accumulate(group * len(values) + rank) - group * len(values)]
        last = np.r_[group[1:] != group[:-1], True][: len(group)]
        by_then = sums_before(which[last], grain * dearest[last])[group]
        return Steps(which, start, by_then + grain * dearest, np.zeros(len(row)), np.zeros(len(row), np.bool_))

    def prices(self, ray: IntArray, inches: FloatArray) -> FloatArray:
        """Compute what lengths of rays cost."""
        return self._priced.prices(ray, inches)

    def lengths_for(self, prices: FloatArray) -> FloatArray:
        """Compute how much of each ray its price pays for, no more than is free."""
        return self._priced.lengths_for(prices, self.length)

    def borders(self, lengths: FloatArray, plain: FloatArray) -> tuple[IntArray, FloatArray]:
        """Return where rays enter or leave ground cheaper than `plain`, by ray: which, and after how many inches."""
        ray, begin, rate = self.stretches.leg, self.stretches.begin, self.stretches.rate
        cheap = rate < plain[ray]
        changes = np.flatnonzero((ray[1:] == ray[:-1]) & (cheap[1:] != cheap[:-1])) + 1
        row = changes[(begin[changes] > TOUCH) & (begin[changes] < lengths[ray[changes]] - TOUCH)]
        return ray[row], begin[row]

    def places(self, ray: IntArray, inches: FloatArray) -> FloatArray:
        """Return the places after lengths of rays."""
        return np.asarray(self.starts[ray] + inches[:, None] * self.ahead[ray])

    def near_tolls(self, level: PoseSpace, legs: Paths, before: TollBits) -> Spans:
        """Find where the base on the rays, as legs, would be over tolls of another level that are not gone by then."""
        if self.tolls is not None:
            return self.tolls.near(level.toll_table, legs, level.base, before)
        over = stretches_left(level.toll_table, legs, level.base, before)
        return Spans(over.path, over.begin, over.end)

    def after(self, ray: IntArray, inches: FloatArray, before: TollBits) -> TollBits:
        """Return what movers have made of tolls after lengths of rays, by what they had made of them before."""
        if self.tolls is None:
            return before._replace(ahead=self.ahead[ray])
        return self.tolls.after(ray, inches, before, self.ahead[ray], self._even)
