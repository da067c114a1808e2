"""The ground that families of rays end on: rays as close together as their ends need it, and what lies between them.

First come the rays where prices of turns change, then those that just pass something, as far as nothing nearer hides
it. Between two of them one and the same thing ends the legs, or the budget does, so a few rays in between settle
whether a straight line is true enough. What lies between rays that stay unlike is left out, however thin.
"""

from __future__ import annotations

from copy import copy
from typing import NamedTuple

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.footprints import Round
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import SLACK
from simulator.pathing.columns import join, pick
from simulator.pathing.posed.between_rays import Shapes, lines_beyond, neighbours, polygons_between
from simulator.pathing.posed.last_room import Closely
from simulator.pathing.posed.ray_ends import RayEnds, SweptRays, cast
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.sweeps_of_rays import RaySweep
from simulator.pathing.posed.tangents import PassingRays, Touching

#: More than the parameters of the rays of a family differ by.
_FAMILY = 4096.0
#: The share of the error by which a straight line between two ends may lead beyond true ends.
_BEYOND = 0.02
#: Parameters of rays that differ by less are not told apart any further.
_FINEST = 1e-7
#: A gap is cut into so many parts at least. Two steps of a price look like an even slope if only its middle is known.
_PARTS = 4
#: Rays are cast between others so often: what is not settled by then is left out.
_ROUNDS = 9


class KnownGround:
    """The ground that is known to be ends already, and so need not be drawn again; and samples of what it lacks."""

    def __init__(
        self, area: BaseGeometry, error: float, samples: FloatArray, besides: BaseGeometry | None = None
    ) -> None:
        self._near, self._besides = shapely.buffer(area, error / 8, quad_segs=2), besides
        shapely.prepare(self._near)
        shapely.prepare(besides)
        self.lacking = samples[self.lacks(samples)]

    def without(self, places: FloatArray) -> KnownGround:
        """Return the same ground, with some more places that it lacks."""
        found = copy(self)
        found.lacking = np.concatenate([self.lacking, places])
        return found

    def lacks(self, places: FloatArray) -> BoolArray:
        """Find the places that are not in it."""
        lacks = ~np.asarray(shapely.intersects_xy(self._near, places[:, 0], places[:, 1]))
        if self._besides is not None:
            some = np.flatnonzero(lacks)
            lacks[some] = ~shapely.intersects_xy(self._besides, places[some, 0], places[some, 1])
        return lacks


class Swept:
    """Rays of a sweep, in order, with the parts of them that are ends; rays that end on known ground matter less.

    Looked at closely, a long base turns at the end of its way wherever it has room, with the error as a margin.
    """

    def __init__(
        self,
        space: PoseSpace,
        sweep: RaySweep,
        error: float,
        known: KnownGround | None = None,
        facing: float | None = None,
        closely: bool = False,
    ) -> None:
        self._space, self._sweep, self._error, self._known, self._facing = space, sweep, error, known, facing
        self._closely = closely
        self._round = isinstance(space.base, Round)
        self.rays: SweptRays
        self.ends: RayEnds
        self._notes: _Notes
        self._add(*sweep.first())
        self._first = np.unique(self.rays.family, return_index=True)[1]
        self._lacking = self._places_lacking()

    def _add(self, family: IntArray, at: FloatArray) -> IntArray:
        """Cast more rays, and return where they are now."""
        how = Closely(self._error, self._known.lacks) if self._closely and self._known is not None else None
        rays, ends = cast(self._space, self._sweep, family, at, self._facing, how)
        far = rays.start + rays.inches[:, None] * rays.ahead
        lacks = np.ones(len(at), np.bool_) if self._known is None else self._known.lacks(far)
        notes, before = _Notes(np.zeros(len(at), np.bool_), lacks), 0
        if hasattr(self, "rays"):
            before = len(self.rays.at)
            ends = join([self.ends, ends._replace(ray=ends.ray + before)])
            rays, notes = join([self.rays, rays]), join([self._notes, notes])
        order = np.lexsort((rays.at, rays.family))
        where = np.empty(len(order), np.intp)
        where[order] = np.arange(len(order))
        self.rays, self._notes = pick(rays, order), pick(notes, order)
        ends = ends._replace(ray=where[ends.ray])
        self.ends = pick(ends, np.lexsort((ends.near, ends.ray)))
        return where[before:]

    # --- rays as close together as need be ---

    def refine(self, touching: Touching) -> None:
        """Cast rays until what lies between two of them is settled; what is known need not be."""
        tangents: PassingRays | None = None
        for _ in range(_ROUNDS):
            gaps = self._open()
            if not len(gaps):
                return
            if tangents is None:
                tangents = self._tangents(touching, gaps)
            now, has = self._in_gaps(tangents, gaps)
            some, tangents = pick(tangents, now), pick(tangents, ~now)
            self._cut(some, gaps[~has[gaps]])

    def _open(self) -> IntArray:
        rays = self.rays
        longest = np.maximum(rays.inches[1:], rays.inches[:-1])
        apart = np.diff(rays.at)
        wide = self._sweep.gaps(rays.family[:-1], apart, longest) > self._error
        same = rays.family[1:] == rays.family[:-1]
        settled = self._notes.settled[:-1]
        return np.flatnonzero(same & ~settled & wide & (apart > _FINEST) & self._adds()[:-1])

    def _adds(self) -> BoolArray:
        """Find the gaps, by the ray before them, beside which a ray ends on ground not yet known, or that have some."""
        rays, lacks = self.rays, self._notes.lacks
        found: BoolArray = lacks | np.r_[lacks[1:], False]
        family, at, place = self._lacking
        before = self._before(family, at)
        far = np.hypot(*(place - rays.start[before]).T)
        gap = self._sweep.gaps(rays.family[before], rays.at[before + 1] - rays.at[before], far)
        found[before[far <= np.maximum(rays.inches[before], rays.inches[before + 1]) + gap]] = True
        return found

    def _places_lacking(self) -> tuple[IntArray, FloatArray, FloatArray]:
        """The places that are not known and that the rays of families might lead to: family, which ray, place."""
        if self._known is None:
            return np.zeros(0, np.intp), np.zeros(0), np.zeros((0, 2))
        rays, first = self.rays, self._first
        reach = np.maximum.reduceat(rays.longest, first) + self._along()
        away = self._known.lacking - rays.start[first][:, None]
        row, number = np.nonzero(np.square(away).sum(axis=2) <= np.square(reach)[:, None])
        family, place = rays.family[first][row], self._known.lacking[number]
        at = self._sweep.meeting(family, place, np.zeros(len(row)))
        return pick((family, at, place), ~np.isnan(at))

    def _before(self, family: IntArray, at: FloatArray) -> IntArray:
        """Find the last ray before each of some places in families."""
        rays = self.rays
        after = np.searchsorted(rays.family * _FAMILY + rays.at, family * _FAMILY + at, side="right")
        return np.clip(after - 1, 0, len(rays.at) - 2)

    def _along(self) -> FloatArray:
        """How far the rays of each family start from where its first one does, at most."""
        start, first = self.rays.start, self._first
        count = np.diff(np.r_[first, len(start)])
        return np.asarray(np.maximum.reduceat(np.hypot(*(start - np.repeat(start[first], count, axis=0)).T), first))

    def _tangents(self, touching: Touching, gaps: IntArray) -> PassingRays:
        """All rays that just pass something in the families of some gaps."""
        rays = self.rays
        family, first = np.unique(rays.family, return_index=True)
        along = self._along()
        longest = np.maximum.reduceat(rays.longest, first) + along
        needed = np.isin(family, rays.family[gaps])
        return touching.tangents(self._sweep, family[needed], rays.start[first[needed]], longest[needed], along[needed])

    def _in_gaps(self, tangents: PassingRays, gaps: IntArray) -> tuple[BoolArray, BoolArray]:
        """Find the tangents that lie in gaps, and that nothing nearer hides; and the gaps, by ray, that have some."""
        rays = self.rays
        before = self._before(tangents.family, tangents.at)
        is_open = np.zeros(len(rays.at), np.bool_)
        is_open[gaps] = True
        longest = np.maximum(rays.inches[before], rays.inches[before + 1])
        inside = (tangents.at > rays.at[before]) & (tangents.at < rays.at[before + 1])
        same = (rays.family[before] == tangents.family) & (rays.family[before + 1] == tangents.family)
        found = is_open[before] & inside & same & (tangents.near <= longest + SLACK)
        has = np.zeros(len(rays.at), np.bool_)
        has[before[found]] = True
        return found, has

    def _cut(self, tangents: PassingRays, gaps: IntArray) -> None:
        """Cast rays within gaps, and settle those in which they end near the straight line between their neighbours."""
        rays = self.rays
        left, right = rays.inches[gaps], rays.inches[gaps + 1]
        step = self._sweep.step(np.maximum(left, right), self._error)
        apart = rays.at[gaps + 1] - rays.at[gaps]
        # Ends of one length are those of an arc, most often: it is cut as it has to be at once.
        parts = np.where(np.abs(left - right) < SLACK, np.ceil(apart / step), 0.0).astype(np.intp)
        parts = np.maximum(parts, _PARTS)
        gap = np.repeat(np.arange(len(gaps)), parts - 1)
        number = np.arange(len(gap)) - np.repeat(np.cumsum(parts - 1) - parts + 1, parts - 1) + 1
        at = rays.at[gaps][gap] + apart[gap] * number / parts[gap]
        family = np.concatenate([rays.family[gaps][gap], tangents.family, tangents.family])
        added = self._add(family, np.concatenate([at, tangents.at, tangents.beside]))[: len(gap)]
        if len(gap):
            self._settle(added[np.r_[True, gap[1:] != gap[:-1]]], added[np.r_[gap[1:] != gap[:-1], True]])

    def _settle(self, first: IntArray, last: IntArray) -> None:
        """Settle runs of new rays between two old ones, if all of them are as their neighbours lead one to expect."""
        run = np.repeat(np.arange(len(first)), last - first + 1)
        ray = np.arange(len(run)) + np.repeat(first - np.cumsum(last - first + 1) + last - first + 1, last - first + 1)
        fine = self._is_as_expected(ray)
        bad = np.bincount(run, ~fine, minlength=len(first)) > 0
        if self._closely:
            # What a long base has room for between two rays is not known, unless they are close together.
            bad[:] = True
        for_all = np.repeat(~bad, last - first + 1)
        self._notes.settled[ray[for_all]] = True
        self._notes.settled[first[~bad] - 1] = True

    def _is_as_expected(self, ray: IntArray) -> BoolArray:
        """Find the rays of which the ends lie near straight lines between those of both neighbours."""
        count = np.bincount(self.ends.ray, minlength=len(self.rays.at))
        first = np.cumsum(count) - count
        alike = (count[ray - 1] == count[ray]) & (count[ray + 1] == count[ray])
        some = ray[alike]
        number = count[some]
        of = np.repeat(np.arange(len(some)), number)
        nth = np.arange(len(of)) - np.repeat(np.cumsum(number) - number, number)
        here, low, high = (first[some + by][of] + nth for by in (0, -1, 1))
        off = np.zeros(len(some), np.bool_)
        stopped = self.rays.stopped
        # No part of what stands there is an end: it is taken away from the whole area where bases are round.
        bent = self._round & stopped[some - 1] & stopped[some] & stopped[some + 1]
        less = np.where(bent, self._error, self._error * _BEYOND)
        for ends, outward in ((self.ends.far, 1.0), (self.ends.near, -1.0)):
            ahead = self.rays.ahead[some][of]
            start = self.rays.start[some][of]
            one, other = self.rays.places(some[of] - 1, ends[low]), self.rays.places(some[of] + 1, ends[high])
            along = other - one
            with np.errstate(divide="ignore", invalid="ignore"):
                expected = _cross(one - start, along) / _cross(ahead, along)
            expected = np.where(np.hypot(*along.T) <= SLACK, ends[here], expected)
            more = (ends[here] - expected) * outward
            wrong = ~((more <= self._error) & (more >= -less[of]))
            np.logical_or.at(off, of[wrong], True)
        fine: BoolArray = alike.copy()
        fine[alike] = ~off
        return fine

    # --- what lies between ---

    def drawn(self) -> tuple[Shapes, Shapes]:
        """Draw polygons between neighbouring rays, and lines where a ray goes farther than both its neighbours."""
        rays, ends = self.rays, self.ends
        pairs = neighbours(rays, ends, self._sweep.gaps, self._notes.settled, self._error)
        adds = self._adds()[ends.ray[pairs.one]]
        return polygons_between(rays, ends, pick(pairs, adds)), lines_beyond(rays, ends, pairs)


class _Notes(NamedTuple):
    """What is known about rays: whether the gap behind each is settled, whether it ends on ground not yet known."""

    settled: BoolArray
    lacks: BoolArray


def _cross(one: FloatArray, other: FloatArray) -> FloatArray:
    return np.asarray(one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0])
