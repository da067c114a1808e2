"""Lots measured from front to front: where the base's front begins and ends counts, and the facing after it is free.

A line is then as long as the way of the front from where it is to the first bend, from bend to bend, and from the last
one to where the front comes to be. So from each bend, or *pivot*, ends lie within a ring: as far as the inches last,
and a radius more for a soldier that faces back the way it came.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from simulator.engine.clauses import clause
from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.courses import Courses
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.snapping import union
from simulator.pathing.continuous import PreparedTable, Question, Segment, areas_of, plan_many
from simulator.rulesets.skirmish.ground import barred_at, may_end
from simulator.rulesets.skirmish.grounds import Grounds
from simulator.rulesets.skirmish.soldiers import TOLERANCE
from simulator.rulesets.skirmish.spends import Lot

if TYPE_CHECKING:
    from simulator.rulesets.skirmish.fronts import Front

#: Bends round a corner lie so many to a full turn; each makes a line a four-hundredth of its arc longer.
_BENDS = 36
#: Bends lie no deeper in what bars the base; that leaves room for what the planner's ground is shaved by.
_DEEPEST = 0.7 * TOLERANCE
_DRAWN = 0.005
_FRONTS = 48
#: The sides on which the base can lie of its front, as angles from the way it goes.
_SIDES = np.array([0.0, np.pi, np.pi / 2, -np.pi / 2])
#: Fronts that others get past by more than this are not gone on from.
_PAST = 0.05
_KEPT_APART = 0.1


@dataclass(frozen=True, eq=False)
class States:
    """Places with headings, in degrees."""

    places: FloatArray
    headings: FloatArray

    @classmethod
    def of(cls, places: Sequence[XY], heading: float) -> States:
        """Take places that share a heading."""
        rows = np.array(places, np.float64).reshape(-1, 2)
        return cls(rows, np.full(len(rows), heading))

    @classmethod
    def joined(cls, several: Sequence[States]) -> States:
        """Take the states of several."""
        places = np.concatenate([np.zeros((0, 2)), *[one.places for one in several]])
        return cls(places, np.concatenate([np.zeros(0), *[one.headings for one in several]]))

    def only(self, kept: BoolArray | IntArray) -> States:
        """Take some of them."""
        return States(self.places[kept], self.headings[kept])

    def at(self, place: XY) -> States:
        """Take those at one place."""
        return self.only(np.hypot(*(self.places - place).T) <= TOLERANCE)

    def moved_to(self, place: XY) -> States:
        """Take them somewhere else, headings kept."""
        return States(np.tile(np.asarray(place, np.float64), (len(self.places), 1)), self.headings)


@dataclass(eq=False)
class FacingLeg:
    """One lot from many states, measured from front to front."""

    before: Front
    lot: Lot
    ground: PreparedTable
    grounds: Grounds
    states_before: States
    inches: float
    may_bend: bool

    @cached_property
    def _begun(self) -> FloatArray:
        """Where the fronts are at the start."""
        turned = np.radians(self.states_before.headings)
        return self.states_before.places + self.grounds.radius * np.stack([np.cos(turned), np.sin(turned)], axis=1)

    @cached_property
    def _bends(self) -> FloatArray:
        """Places to bend at: round every disc and corner in reach, a little outside."""
        if not self.may_bend:
            return np.zeros((0, 2))
        circles = self.ground.circles
        outside = circles.measured / math.cos(math.pi / _BENDS) + 5e-6
        far = self.inches + 2.0 * self.grounds.radius
        starts = shapely.MultiPoint(self.states_before.places)
        near = np.flatnonzero(shapely.distance(shapely.points(circles.x, circles.y), starts) <= far + outside)
        angles = 2.0 * np.pi * np.arange(_BENDS) / _BENDS
        ring = np.stack([np.cos(angles), np.sin(angles)], axis=1)
        middles = np.stack([circles.x[near], circles.y[near]], axis=1)[:, None]
        rows = (middles + outside[near, None, None] * ring).reshape(-1, 2)
        legal = self._are_free(rows)
        # Where the base just fits past something there is no room a little outside: it goes straight through.
        tight = (middles + circles.measured[near, None, None] * ring).reshape(-1, 2)[~legal]
        through = np.tile(np.stack([-ring[:, 1], ring[:, 0]], axis=1), (len(near), 1))[~legal]
        tight, through = (
            np.concatenate(both) for both in zip((tight, through), self.grounds.tight_places, strict=True)
        )
        aside = self.grounds.radius * math.tan(math.pi / _BENDS) * through
        tight = np.concatenate([tight, tight - aside, tight + aside])
        return np.unique(np.concatenate([rows[legal], tight[self._are_free(tight)]]), axis=0)

    def _are_free(self, places: FloatArray) -> BoolArray:
        """Whether the judge lets the base pass there: the planner's own contact reaches deeper."""
        return np.asarray(self.ground.depths(places) <= _DEEPEST)

    @cached_property
    def _pivots(self) -> tuple[FloatArray, IntArray]:
        """What it costs to come to each bend, and from which state (-1 - state) or bend; inf where it is too far."""
        bends = self._bends
        cost, via = np.full(len(bends), np.inf), np.full(len(bends), -1, np.intp)
        if not len(bends):
            return cost, via
        for number, (eye, front) in enumerate(zip(self.states_before.places, self._begun, strict=True)):
            paid = np.hypot(*(bends - front).T)
            nearer = np.flatnonzero((paid <= self.inches) & (paid < cost))
            free = ~self._barred(np.tile(eye, (len(nearer), 1)), bends[nearer])
            cost[nearer[free]], via[nearer[free]] = paid[nearer[free]], -1 - number
        apart = np.hypot(bends[:, None, 0] - bends[:, 0], bends[:, None, 1] - bends[:, 1])
        one, other = np.nonzero((apart <= self.inches) & (apart > 0.0))
        free = ~self._barred(bends[one], bends[other])
        one, other = one[free], other[free]
        length = apart[one, other]
        while True:
            through = cost[one] + length
            better = np.flatnonzero((through < cost[other] - 1e-12) & (through <= self.inches))
            if not len(better):
                return cost, via
            order = better[np.lexsort((through[better], other[better]))]
            first = order[np.flatnonzero(np.diff(other[order], prepend=-1))]
            cost[other[first]], via[other[first]] = through[first], one[first]

    def _barred(self, starts: FloatArray, ends: FloatArray) -> BoolArray:
        return np.asarray(self.ground.barred(np.hstack([starts, ends]), from_contact=True))

    def _is_barred(self, eye: FloatArray, places: FloatArray) -> BoolArray:
        """Whether last legs are barred, within the limits of the judge."""
        starts = np.tile(eye, (len(places), 1))
        if self.ground is not self.grounds.open:
            return self._barred(starts, places)
        lines = Courses.of_lines(list(np.stack([starts, places], axis=1)))
        return np.asarray(np.isfinite(barred_at(self.grounds.table, self.grounds.unit, lines)))

    @cached_property
    def _rings(self) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray, IntArray]:
        """All pivots: what they are seen from, where the front is there, the least and most distance of ends."""
        cost, _ = self._pivots
        used = np.flatnonzero(cost <= self.inches)
        radius, count = self.grounds.radius, len(self.states_before.places)
        eyes = np.concatenate([self.states_before.places, self._bends[used]])
        fronts = np.concatenate([self._begun, self._bends[used]])
        paid = np.concatenate([np.zeros(count), cost[used]])
        left = self.inches - paid
        return (
            eyes,
            fronts,
            np.maximum(radius - left, 0.0),
            left + radius,
            np.concatenate([-1 - np.arange(count), used]),
        )

    def _best(self, places: FloatArray) -> IntArray:
        """For each place the first pivot that it is reached from; -1 where there is none."""
        eyes, fronts, least, most, _ = self._rings
        found = np.full(len(places), -1, np.intp)
        legal = may_end(self.grounds.table, self.grounds.unit, places)
        for pivot in range(len(eyes)):
            open_ = np.flatnonzero(legal & (found < 0))
            away = np.hypot(*(places[open_] - fronts[pivot]).T)
            fits = (away >= least[pivot] - TOLERANCE / 2) & (away <= most[pivot] + TOLERANCE / 2)
            if self.lot.least:
                fits &= np.abs(away - self.grounds.radius) >= self.lot.least - TOLERANCE / 2
            near = open_[fits]
            found[near[~self._is_barred(eyes[pivot], places[near])]] = pivot
        return found

    def ends(self, places: FloatArray) -> BoolArray:
        """Tell at which places it ends, with some facing."""
        return np.asarray(self._best(places) >= 0)

    @cached_property
    def area(self) -> BaseGeometry:
        """Where it ends, as polygons."""
        if self.lot.least:
            return shapely.Polygon()
        eyes, fronts, least, most, _ = self._rings
        asked = [
            Question(eye, float(math.dist(eye, front) + reach), 0.0, self.grounds.no_end(self.ground))
            for eye, front, reach in zip(eyes.tolist(), fronts.tolist(), most.tolist(), strict=True)
        ]
        seen = [replace(reach, straight_only=True) for reach in plan_many(self.ground, asked)]
        parts = []
        for drawn, front, low, high in zip(areas_of(seen, _DRAWN, "inner"), fronts, least, most, strict=True):
            middle = shapely.Point(front)
            part = shapely.intersection(drawn, middle.buffer(high, quad_segs=32))
            parts.append(part if low <= 0.0 else shapely.difference(part, middle.buffer(low + _DRAWN, quad_segs=32)))
        found = [part for part in parts if part.area]
        return union(found) if found else shapely.Polygon()

    @property
    def lines(self) -> list[BaseGeometry]:
        """Where it ends, as lines: runs that have to go all their inches."""
        if not self.lot.least:
            return []
        angles = np.linspace(0.0, 2.0 * np.pi, 721)
        found: list[shapely.LineString] = []
        for front in self._begun:
            rows = front + (self.inches + self.grounds.radius) * np.stack([np.cos(angles), np.sin(angles)], axis=1)
            there = self.ends(rows)
            both = np.flatnonzero(there[1:] & there[:-1])
            found += [shapely.LineString(rows[at : at + 2]) for at in both.tolist()]
        return [shapely.line_merge(shapely.MultiLineString(found))] if found else []

    @cached_property
    @clause("SK-3")
    def states(self) -> States:
        """The states to go on from: fronts as far as they get, with the base on each side of them."""
        eyes, fronts, _, most, _ = self._rings
        radius = self.grounds.radius
        angles = 2.0 * np.pi * np.arange(_FRONTS) / _FRONTS
        ways = np.stack([np.cos(angles), np.sin(angles)], axis=1)
        far = most - radius
        ahead = (fronts[:, None] + far[:, None, None] * ways).reshape(-1, 2)
        slack = np.full(len(ahead), -np.inf)
        for front, reach in zip(fronts, far, strict=True):
            slack = np.maximum(slack, reach - np.hypot(*(ahead - front).T))
        turned = (np.tile(angles, len(fronts))[:, None] + _SIDES).ravel()
        places = np.repeat(ahead, len(_SIDES), axis=0)
        places = places - radius * np.stack([np.cos(turned), np.sin(turned)], axis=1)
        seen_from = np.repeat(eyes, _FRONTS * len(_SIDES), axis=0)
        kept = np.flatnonzero(np.repeat(slack <= _PAST, len(_SIDES)))
        kept = kept[may_end(self.grounds.table, self.grounds.unit, places[kept])]
        kept = kept[~self._barred(seen_from[kept], places[kept])]
        cells = np.column_stack([np.rint(places[kept] / _KEPT_APART), np.rint(turned[kept] * 8.0 / np.pi) % 16])
        _, first = np.unique(cells, axis=0, return_index=True)
        kept = kept[np.sort(first)]
        return States(places[kept], np.degrees(turned[kept]))

    def line_to(self, place: XY, heading: float | None = None) -> tuple[XY, float, list[Segment], float] | None:
        """Give a line that ends at a place: the state it begins in, its legs, and the facing after it."""
        eyes, fronts, _, most, which = self._rings
        radius, spot = self.grounds.radius, np.array([place])
        if heading is None:
            pivot = int(self._best(spot)[0])
        else:
            turn = math.radians(heading)
            tip = spot[0] + radius * np.array([math.cos(turn), math.sin(turn)])
            fits = np.flatnonzero(np.hypot(*(fronts - tip).T) <= most - radius + TOLERANCE / 2)
            free = fits[~self._barred(eyes[fits], np.tile(spot, (len(fits), 1)))]
            pivot = int(free[0]) if len(free) else -1
        if pivot < 0:
            return None
        back = math.atan2(fronts[pivot][1] - place[1], fronts[pivot][0] - place[0])
        facing = math.degrees(back) % 360.0 if heading is None else heading
        legs, here, at = [], place, int(which[pivot])
        while at >= 0:
            bend = (float(self._bends[at][0]), float(self._bends[at][1]))
            legs.append(Segment(bend, here))
            here, at = bend, int(self._pivots[1][at])
        x, y = self.states_before.places[-1 - at].tolist()
        legs.append(Segment((x, y), here))
        return (x, y), float(self.states_before.headings[-1 - at]), legs[::-1], facing
