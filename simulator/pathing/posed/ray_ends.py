"""Where legs along rays may end: what is paid by then, the turn at the end, and what bars ends there."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.footprints import Round
from simulator.geometry.path_judge import stretches_over
from simulator.geometry.pieces import FloatArray
from simulator.geometry.spans import NO_SPANS, Spans, between, joined, merged
from simulator.geometry.tolerances import SLACK, TOUCH
from simulator.pathing.columns import join, pick
from simulator.pathing.posed.last_room import Closely, room_to_turn
from simulator.pathing.posed.only_ends import off_ends_on_legs
from simulator.pathing.posed.rays import Rays, legs_between, shorter, units
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.sweeps_of_rays import Outset, RaySweep
from simulator.pathing.posed.toll_table import TollBits

#: How much of a ray is paid for with a slanting link is closed in on by so many halvings.
_HALVINGS = 40


class SweptRays(NamedTuple):
    """Rays of families, and the far end of what is free and paid for on them."""

    family: IntArray
    at: FloatArray
    start: FloatArray
    ahead: FloatArray
    inches: FloatArray
    longest: FloatArray  #: as far as it could be paid for on the cheapest ground
    stopped: BoolArray  #: whether something ends the ray before what may be paid does

    def places(self, ray: IntArray, inches: FloatArray) -> FloatArray:
        """Return the places after lengths of rays."""
        return np.asarray(self.start[ray] + inches[:, None] * self.ahead[ray])


class RayEnds(NamedTuple):
    """The parts of rays that are ends: which ray, from how many inches to how many."""

    ray: IntArray
    near: FloatArray
    far: FloatArray


def cast(
    space: PoseSpace,
    sweep: RaySweep,
    family: IntArray,
    at: FloatArray,
    facing: float | None,
    how: Closely | None = None,
) -> tuple[SweptRays, RayEnds]:
    """Cast rays of a sweep, and find the parts of them that are ends, with a heading in degrees if one is named.

    A long base makes its last turn where the disc around it is free, or, looked at closely, wherever it has room.
    """
    outset, mode = sweep.outset(family, at), sweep.modes_at(family, at)
    turns, start = outset.turns, outset.start
    left = space.left_for_legs(turns.price, outset.travelled)
    longest = space.longest_legs(left, mode, turns.covered)
    none = np.zeros(len(at))
    found = SweptRays(
        family, at, start, units(turns.heading + space.asides_of(mode)), none, longest, np.zeros(len(at), np.bool_)
    )
    paid = np.flatnonzero((left > 0.0) & outset.free)
    if not len(paid):
        return found, RayEnds(paid, none[paid], none[paid])
    outset, mode, left, longest = pick((outset, mode, left, longest), paid)
    rays = Rays.cast(space, outset.start, outset.turns.heading, mode, longest, outset.turns.tolls)
    inches = _lengths_for(space, rays, outset, left)
    found.stopped[paid] = (rays.length < longest - TOUCH) & (inches >= rays.length - TOUCH)
    if rays.tolls is not None:
        found.stopped[paid] &= rays.length < rays.tolls.until
    if facing is None:
        ends = _paid(space, rays, outset.turns.price, left, inches)
        found.inches[paid] = np.maximum(inches, 0.0)
    else:
        ends = _turned_at_the_end(space, rays, outset, facing, how)
        np.maximum.at(found.inches, paid[ends.ray], ends.far)
    if space.no_end or space.passes:
        headings = outset.turns.heading if facing is None else np.full(len(paid), facing)
        ends = _less(ends, _over(space, rays, np.mod(headings, 360.0), outset.turns.tolls))
    if rays.tolls is not None:
        ends = _less(ends, merged(rays.tolls.bound))
    if space.ends is not None:
        headings = outset.turns.heading if facing is None else np.full(len(paid), facing)
        ends = _less(ends, off_ends_on_legs(space.ends, rays.starts, rays.ahead, rays.length, headings))
    return found, ends._replace(ray=paid[ends.ray])


def _lengths_for(space: PoseSpace, rays: Rays, outset: Outset, left: FloatArray) -> FloatArray:
    """How much of rays is paid for, with the slanting link after it; less than nothing where none of it is.

    A longer leg makes such a link cheaper, but never by more than it costs itself.
    """
    if space.slant is None:
        return rays.lengths_for(left)
    since, covered, every = outset.turns.since, outset.turns.covered, np.arange(len(left))
    paid, longest = np.zeros(len(left)), rays.lengths_for(left)
    for _ in range(_HALVINGS):
        middle = (paid + longest) / 2
        price = space.slant.prices_after(since + middle)
        moved = np.flatnonzero(middle > TOUCH)
        if len(moved):
            price[moved] += rays.prices(every[moved], middle[moved])
        enough = (price <= left) & space.may_cover(covered + middle + space.slant.lengths_after(since + middle))
        paid, longest = np.where(enough, middle, paid), np.where(enough, longest, middle)
    slanted = space.slant.prices_after(since)
    return np.where((slanted <= left + SLACK) & space.may_cover(covered + slanted), paid, -1.0)


def _paid(space: PoseSpace, rays: Rays, price: FloatArray, left: FloatArray, inches: FloatArray) -> RayEnds:
    """The parts of rays that are paid for, and spend what has to be spent."""
    short = np.zeros(len(inches))
    if space.more_than is not None:
        short = rays.lengths_for(np.maximum(float(space.more_than) - price, 0.0)) * (price <= float(space.more_than))
    ray = np.flatnonzero((left > 0.0) & (short <= inches))
    if space.more_than is not None:
        ray = ray[price[ray] + rays.prices(ray, inches[ray]) > float(space.more_than) + SLACK]
    return RayEnds(ray, short[ray], inches[ray])


def _turned_at_the_end(space: PoseSpace, rays: Rays, outset: Outset, facing: float, how: Closely | None) -> RayEnds:
    """The parts of rays at the end of which a turn to a heading is paid for as well.

    It may be grouped with the turn before as long as the leg is short, so there are two parts of a ray.
    """
    turns = outset.turns
    last = shorter(facing - turns.heading)
    apart = 0.0 if space.turns.separation is None else float(space.turns.separation)
    until = np.where(turns.group.sense != 0.0, np.maximum(apart - turns.group.inches, 0.0), 0.0)
    found = []
    for inches, near, far in ((apart / 2, 0.0, until), (apart + 1.0, until, np.full(len(last), np.inf))):
        group = turns.group._replace(inches=np.full(len(last), inches))
        price = space.turns.last_turns(group, turns.free, last)
        low = np.broadcast_to(near, far.shape)
        if space.turns.times_rate and np.any(price):
            found.append(_at_rates(space, rays, outset, price, low, far))
        else:
            left = space.left_for_legs(turns.price + price, outset.travelled)
            paid = _paid(space, rays, turns.price + price, left, _lengths_for(space, rays, outset, left))
            found.append(RayEnds(paid.ray, np.maximum(paid.near, low[paid.ray]), np.minimum(paid.far, far[paid.ray])))
    ends = join(found)
    ends = pick(ends, np.flatnonzero(ends.far >= ends.near))
    if not isinstance(space.base, Round):
        ends = _free_to_turn(space, rays, ends, outset, last, how)
    return _as_one(ends)


def _at_rates(
    space: PoseSpace, rays: Rays, outset: Outset, price: FloatArray, near: FloatArray, far: FloatArray
) -> RayEnds:
    """The same where a turn costs what the ground does at its place, stretch by stretch of the ground."""
    leg, begin, end = rays.stretches[:3]
    headings = np.mod(outset.turns.heading, 360.0)[leg]
    rates = space.ground.rates_at(rays.places(leg, (begin + end) / 2), headings)
    found = []
    for rate in np.unique(rates[np.isfinite(rates)]).tolist():
        turn = price * rate
        left = space.left_for_legs(outset.turns.price + turn, outset.travelled)
        paid = _paid(space, rays, outset.turns.price + turn, left, _lengths_for(space, rays, outset, left))
        spans = RayEnds(*(column[rates == rate] for column in (leg, begin, end)))
        part = np.searchsorted(paid.ray, spans.ray)
        known = np.flatnonzero(np.r_[paid.ray, -1][part] == spans.ray)
        spans, part = pick(spans, known), part[known]
        low = np.maximum(np.maximum(spans.near, paid.near[part]), near[spans.ray])
        high = np.minimum(np.minimum(spans.far, paid.far[part]), far[spans.ray])
        found.append(RayEnds(spans.ray, low, high))
    return join(found)


def _free_to_turn(
    space: PoseSpace, rays: Rays, ends: RayEnds, outset: Outset, last: FloatArray, how: Closely | None
) -> RayEnds:
    """Ends where nothing bars the last turn: where the disc around the base is free, or no turn is made.

    Looked at closely, also where the base itself has room to turn.
    """
    headings, tolls = outset.turns.heading, outset.turns.tolls
    reach = Round(space.base.reach)
    legs = legs_between(rays.starts, rays.places(np.arange(len(last)), rays.length), np.zeros(len(last)))
    over = stretches_over(legs, space.bars_standing, reach)
    spans = [Spans(over.path, over.begin, over.end)]
    if space.box is not None and space.whole_base_on_table:
        spans.append(_off(space, rays))
    if rays.tolls is not None:
        spans.append(rays.tolls.near(space.toll_table, legs, reach, tolls))
    turning = np.abs(last) > 0.0
    barred = joined(spans)
    barred = merged(barred.of(turning[barred.row]))
    free = _less(ends, barred)
    if how is None:
        return free
    close = _less(pick(ends, np.isin(ends.ray, barred.row)), between(barred, np.unique(barred.row)))
    close = pick(close, np.flatnonzero(turning[close.ray] & (close.far - close.near > TOUCH)))
    ray = close.ray
    stretches = rays.places(ray, close.near), rays.places(ray, close.far)
    part, low, high = room_to_turn(space, stretches, headings[ray], last[ray], how)
    long = (close.far - close.near)[part]
    room = RayEnds(ray[part], close.near[part] + low * long, close.near[part] + high * long)
    return join([free, room])


def _off(space: PoseSpace, rays: Rays) -> Spans:
    """The stretches of rays on which the disc around the base would leave the table."""
    assert space.box is not None
    reach, found = space.base.reach, [NO_SPANS]
    every = np.arange(len(rays.length))
    for axis in (0, 1):
        low, high = space.box[axis] + reach, space.box[axis + 2] - reach
        start, ahead = rays.starts[:, axis], rays.ahead[:, axis]
        with np.errstate(divide="ignore", invalid="ignore"):
            to_low, to_high = (low - start) / ahead, (high - start) / ahead
        enters = np.where(ahead == 0.0, -np.inf, np.minimum(to_low, to_high))
        leaves = np.where(ahead == 0.0, np.inf, np.maximum(to_low, to_high))
        out = (ahead == 0.0) & ((start < low) | (start > high))
        enters = np.where(out, np.inf, enters)
        found += [Spans(every, np.full(len(every), -1.0), enters), Spans(every, leaves, np.full(len(every), np.inf))]
    spans = joined(found)
    return spans.of(spans.end > spans.begin + TOUCH)


def _over(space: PoseSpace, rays: Rays, headings: FloatArray, before: TollBits) -> Spans:
    """The stretches of rays on which the base would stand on what bars ends, or where links lead it to."""
    legs = legs_between(rays.starts, rays.places(np.arange(len(headings)), rays.length), headings)
    over = [stretches_over(legs, space.no_end_standing, space.base)]
    over += [stretches_over(legs, level.bars_standing, space.base) for level in space.passes]
    found = [Spans(one.path, one.begin, one.end) for one in over]
    for level in space.passes:
        ground = level.ground.stretches(legs)
        closed = np.flatnonzero(np.isinf(ground.rate))
        found.append(Spans(ground.leg[closed], ground.begin[closed], ground.end[closed]))
        if level.box is not None and level.box != space.box:
            found.append(_off(level, rays))
        if level.tolls:
            found.append(rays.near_tolls(level, legs, before))
    return merged(joined(found))


def _less(ends: RayEnds, spans: Spans) -> RayEnds:
    """The parts of ends that are in no span of their ray; spans are merged."""
    if not len(spans.row):
        return ends
    # What is free on a ray: before its first span, between two of them, and after the last.
    row, begin, next_ = between(spans, np.unique(spans.row))
    # Each part of a ray with each free stretch of it.
    low, high = np.searchsorted(row, ends.ray, side="left"), np.searchsorted(row, ends.ray, side="right")
    count = high - low
    part = np.repeat(np.arange(len(count)), count)
    free = np.arange(len(part)) + np.repeat(low - (np.cumsum(count) - count), count)
    near, far = np.maximum(ends.near[part], begin[free]), np.minimum(ends.far[part], next_[free])
    kept = np.flatnonzero(far >= near)
    return _in_order(
        join([pick(ends, np.flatnonzero(count == 0)), RayEnds(ends.ray[part[kept]], near[kept], far[kept])])
    )


def _as_one(ends: RayEnds) -> RayEnds:
    """Parts that touch as one part."""
    return RayEnds(*merged(Spans(*ends), slack=TOUCH))


def _in_order(ends: RayEnds) -> RayEnds:
    return pick(ends, np.lexsort((ends.near, ends.ray)))
