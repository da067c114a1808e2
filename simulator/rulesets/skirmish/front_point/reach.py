"""Lots measured from front to front: the front of the base counts at both ends, and the facing after it is free.

A line is then as long as the way of the front from where it is to the first bend, from bend to bend, and from the last
one to where the front ends. So from each bend, or *pivot*, ends lie within a ring: as far as the inches allow, plus a
radius for a soldier that faces back the way it came.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from simulator.engine.clauses import clause
from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.paths import Path, Paths, Straight
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.snapping import union
from simulator.geometry.tolerances import TOLERANCE
from simulator.pathing.free import PreparedTable
from simulator.rulesets.skirmish.obstruction import barred_at, may_end
from simulator.rulesets.skirmish.planner_tables import Grounds
from simulator.rulesets.skirmish.reach.before import BeforeT
from simulator.rulesets.skirmish.reach.seen import DRAWN, cheapest_open, seen_from, seen_off_rough
from simulator.rulesets.skirmish.reach.spends import Lot

#: The number of bends in a full turn round a corner; each makes a line a four-hundredth of its arc longer.
_BENDS = 36
_FRONTS = 48
#: Before an obstacle it stops at the last of this many parts, and then nearer, by this many halvings.
_PARTS = 16
_HALVINGS = 10
#: The number of facings tried at one place before a traverse.
_HEADINGS = 16
#: The sides of its front on which the base can lie, as angles from the direction of movement.
_SIDES = np.array([0.0, np.pi, np.pi / 2, -np.pi / 2])
#: Fronts that others pass by more than this are not continued.
_PAST = 0.05
_KEPT_APART = 0.1


@dataclass(frozen=True, eq=False)
class States:
    """Places with headings, in degrees."""

    places: FloatArray
    headings: FloatArray

    @classmethod
    def of(cls, places: Sequence[XY], heading: float) -> States:
        """Return places that share a heading."""
        rows = np.array(places, np.float64).reshape(-1, 2)
        return cls(rows, np.full(len(rows), heading))

    @classmethod
    def joined(cls, several: Sequence[States]) -> States:
        """Return several groups of states as one."""
        places = np.concatenate([np.zeros((0, 2)), *[one.places for one in several]])
        return cls(places, np.concatenate([np.zeros(0), *[one.headings for one in several]]))

    def only(self, kept: BoolArray | IntArray) -> States:
        """Return some of the states."""
        return States(self.places[kept], self.headings[kept])


def _past(ahead: FloatArray, fronts: FloatArray, far: FloatArray) -> FloatArray:
    """Compute by how much others, with their remaining inches from their fronts, get past places."""
    past = np.full(len(ahead), -np.inf)
    lasts, which, count = np.unique(far, return_inverse=True, return_counts=True)
    alone = count[which.ravel()] == 1
    for front, inches in zip(fronts[alone], far[alone], strict=True):
        past = np.maximum(past, inches - np.hypot(*(ahead - front).T))
    for inches in lasts[count > 1]:
        # Of those with equally many inches left the nearest gets farthest.
        tree = shapely.STRtree(shapely.points(fronts[far == inches]))
        row, apart = tree.query_nearest(shapely.points(ahead), return_distance=True, all_matches=False)
        past[row[0]] = np.maximum(past[row[0]], inches - apart)
    return past


@dataclass(eq=False)
class FacingLeg(Generic[BeforeT]):
    """One lot from many states, measured from front to front."""

    before: BeforeT
    lot: Lot
    ground: PreparedTable
    grounds: Grounds
    states_before: States
    inches: float
    may_bend: bool
    #: Whether it takes the Running token away: only lines that cross rough ground do.
    loses: bool = False

    @cached_property
    def _begun(self) -> FloatArray:
        """The positions of the fronts at the start."""
        turned = np.radians(self.states_before.headings)
        return self.states_before.places + self.grounds.radius * np.stack([np.cos(turned), np.sin(turned)], axis=1)

    @cached_property
    def _bends(self) -> FloatArray:
        """The places to bend at: round every disc and corner in reach, slightly outside."""
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
        # Where the base just fits past something there is no room outside: it goes straight through.
        tight = (middles + circles.measured[near, None, None] * ring).reshape(-1, 2)[~legal]
        through = np.tile(np.stack([-ring[:, 1], ring[:, 0]], axis=1), (len(near), 1))[~legal]
        tight, through = (
            np.concatenate(both) for both in zip((tight, through), self.grounds.tight_places, strict=True)
        )
        aside = self.grounds.radius * math.tan(math.pi / _BENDS) * through
        tight = np.concatenate([tight, tight - aside, tight + aside])
        return np.unique(np.concatenate([rows[legal], tight[self._are_free(tight)]]), axis=0)

    def _are_free(self, places: FloatArray) -> BoolArray:
        return self.grounds.are_clear(places, self.ground)

    @cached_property
    def _pivots(self) -> tuple[FloatArray, IntArray]:
        """Return the cost of each bend, and the state (-1 - state) or bend it comes from; inf where it is too far."""
        bends = self._bends
        cost, via = np.full(len(bends), np.inf), np.full(len(bends), -1, np.intp)
        if not len(bends):
            return cost, via

        def prices(rows: FloatArray) -> FloatArray:
            paid = np.hypot(rows[:, None, 0] - self._begun[:, 0], rows[:, None, 1] - self._begun[:, 1])
            return np.where(paid <= self.inches, paid, np.inf)

        state = cheapest_open(bends, self.states_before.places, prices, self._barred)
        there = np.flatnonzero(state >= 0)
        cost[there] = np.hypot(*(bends[there] - self._begun[state[there]]).T)
        via[there] = -1 - state[there]
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

    def _is_barred(self, eyes: FloatArray, places: FloatArray) -> BoolArray:
        """Return which last legs are barred, within the limits of the judge."""
        if self.ground is not self.grounds.open:
            return self._barred(eyes, places)
        lines = Paths.of_lines(np.stack([eyes, places], axis=1))
        barred = np.asarray(np.isfinite(barred_at(self.grounds.table, self.grounds.unit, lines)))
        return barred | ~self.grounds.cross_rough(eyes, places) if self.loses else barred

    @cached_property
    def _rings(self) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray, IntArray]:
        """Return all pivots: their eye, the front there, the least and greatest distance of ends."""
        cost, _ = self._pivots
        used = np.flatnonzero(cost <= self.inches)
        radius, count = self.grounds.radius, len(self.states_before.places)
        eyes = np.concatenate([self.states_before.places, self._bends[used]])
        fronts = np.concatenate([self._begun, self._bends[used]])
        paid = np.concatenate([np.zeros(count), cost[used]])
        left = self.inches - paid
        # A run that has to go all its inches may end facing any way, so its base may be nearer than its front.
        return (
            eyes,
            fronts,
            np.maximum(radius - left, max(self.lot.least - radius, 0.0)),
            left + radius,
            np.concatenate([-1 - np.arange(count), used]),
        )

    def _best(self, places: FloatArray) -> IntArray:
        """Return for each place the first pivot from which it is reached; -1 if there is none."""
        _, fronts, least, most, _ = self._rings

        def prices(rows: FloatArray) -> FloatArray:
            away = np.hypot(rows[:, None, 0] - fronts[:, 0], rows[:, None, 1] - fronts[:, 1])
            fits = (away >= least - TOLERANCE / 2) & (away <= most + TOLERANCE / 2)
            return np.where(fits, np.arange(len(fronts), dtype=np.float64), np.inf)

        return self._from_pivots(places, prices)

    def _from_pivots(self, places: FloatArray, prices: Callable[[FloatArray], FloatArray]) -> IntArray:
        legal = np.flatnonzero(may_end(self.grounds.table, self.grounds.unit, places[:, :2]))
        found = np.full(len(places), -1, np.intp)
        found[legal] = cheapest_open(places[legal], self._rings[0], prices, self._is_barred)
        return found

    def ends(self, places: FloatArray) -> BoolArray:
        """Return at which places it ends, with some facing."""
        return np.asarray(self._best(places) >= 0)

    @cached_property
    def area(self) -> BaseGeometry:
        """The ends as polygons."""
        eyes, fronts, least, most, _ = self._rings
        spots, which = np.unique(eyes, axis=0, return_inverse=True)
        far = np.zeros(len(spots))
        np.maximum.at(far, which.ravel(), np.hypot(*(eyes - fronts).T) + most)
        no_end = self.grounds.no_end(self.ground)
        drawn = seen_from(self.ground, spots, far, no_end)
        if self.loses:
            drawn = shapely.difference(drawn, seen_off_rough(self.grounds, spots, far))
        rings = shapely.buffer(shapely.points(fronts), most, quad_segs=32)
        holed = np.flatnonzero(least > 0.0)
        holes = shapely.buffer(shapely.points(fronts[holed]), least[holed] + DRAWN, quad_segs=32)
        rings[holed] = shapely.difference(rings[holed], holes)
        parts = [
            shapely.intersection(part, shapely.union_all(rings[which.ravel() == number]))
            for number, part in enumerate(drawn)
        ]
        found = [part for part in parts if part.area]
        return union(found) if found else shapely.Polygon()

    @clause("SK-3")
    def turned_at(self, places: FloatArray) -> tuple[IntArray, FloatArray]:
        """Compute with which facings it ends at places: rows of places, and headings in degrees.

        All round, in even steps, and the exact bounds of what the inches of the first pivot allow.
        """
        _, fronts, _, most, _ = self._rings
        best = self._best(places)
        there = np.flatnonzero(best >= 0)
        pivot, radius = best[there], self.grounds.radius
        back = np.arctan2(*(fronts[pivot] - places[there]).T[::-1])
        away = np.hypot(*(fronts[pivot] - places[there]).T)
        around = np.tile(2.0 * np.pi * np.arange(_HEADINGS) / _HEADINGS, (len(there), 1))
        bounds = [self._turned_from_back(away, most[pivot] - radius)]
        bounds += [self._turned_from_back(away, np.full(len(away), self.lot.least))] if self.lot.least else []
        turns = np.column_stack([around, back, *(back + side * bound for bound in bounds for side in (-1.0, 1.0))])
        row, turned = np.repeat(there, turns.shape[1]), turns.ravel()
        kept = self._pivots_of(places[row], turned) >= 0
        return row[kept], np.degrees(turned[kept]) % 360.0

    def _turned_from_back(self, away: FloatArray, inches: FloatArray) -> FloatArray:
        """Compute how far from facing back a base so far away is turned whose front has gone so many inches."""
        radius = self.grounds.radius
        with np.errstate(divide="ignore", invalid="ignore"):
            cosine = (away**2 + radius**2 - inches**2) / (2.0 * away * radius)
        return np.where(away > 0.0, np.arccos(np.clip(cosine, -1.0, 1.0)), np.pi)

    def _pivots_of(self, places: FloatArray, turned: FloatArray) -> IntArray:
        """Return for each place and facing, in radians, the first pivot that reaches it; -1 if there is none."""
        _, fronts, _, most, _ = self._rings
        radius, least = self.grounds.radius, self.lot.least
        tips = radius * np.stack([np.cos(turned), np.sin(turned)], axis=1)

        def prices(rows: FloatArray) -> FloatArray:
            ends = rows[:, :2] + rows[:, 2:]
            gone = np.hypot(ends[:, None, 0] - fronts[:, 0], ends[:, None, 1] - fronts[:, 1])
            fits = (gone <= most - radius + TOLERANCE / 2) & (gone >= least - TOLERANCE / 2)
            return np.where(fits, np.arange(len(fronts), dtype=np.float64), np.inf)

        return self._from_pivots(np.hstack([places, tips]), prices)

    @cached_property
    @clause("SK-3")
    def states(self) -> States:
        """The states for the next spend: fronts as far as they get, with the base on each side of them."""
        eyes, fronts, _, most, _ = self._rings
        radius = self.grounds.radius
        angles = 2.0 * np.pi * np.arange(_FRONTS) / _FRONTS
        far = most - radius
        pivot, angle = (rows.ravel() for rows in np.indices((len(fronts), _FRONTS)))
        ahead = fronts[pivot] + far[pivot, None] * np.stack([np.cos(angles), np.sin(angles)], axis=1)[angle]
        last = np.flatnonzero(_past(ahead, fronts, far) <= _PAST)
        pivot, angle = np.repeat(pivot[last], len(_SIDES)), np.repeat(angles[angle[last]], len(_SIDES))
        turned = angle + np.tile(_SIDES, len(last))
        ways = np.stack([np.cos(angle), np.sin(angle)], axis=1)
        beside = fronts[pivot] - radius * np.stack([np.cos(turned), np.sin(turned)], axis=1)
        inches = self._as_far_as_open(eyes[pivot], beside, ways, far[pivot])
        kept = np.flatnonzero((inches >= 0.0) & (inches >= self.lot.least - TOLERANCE / 2))
        places = beside[kept] + inches[kept, None] * ways[kept]
        # What the planner lets pass by a hair the judge does not.
        open_ = ~self._is_barred(eyes[pivot[kept]], places)
        kept, places = kept[open_], places[open_]
        cells = np.column_stack([np.rint(places / _KEPT_APART), np.rint(turned[kept] * 8.0 / np.pi) % 16])
        _, first = np.unique(cells, axis=0, return_index=True)
        first = np.sort(first)
        return States(places[first], np.degrees(turned[kept[first]]))

    def _as_far_as_open(self, eyes: FloatArray, begins: FloatArray, ways: FloatArray, far: FloatArray) -> FloatArray:
        """Compute how far along ways, at most `far`, an end has an open line from eyes; -1 if there is none.

        Bends lead round whatever only bars the way, so all of the way or nothing counts. Before ground in which a roll
        is due, and before bases that may be passed but not ended on, it may stop.
        """

        def are_open(some: IntArray, inches: FloatArray) -> BoolArray:
            places = begins[some] + inches[:, None] * ways[some]
            free = may_end(self.grounds.table, self.grounds.unit, places) & self.grounds.are_clear(places)
            free[free] = ~self._barred(eyes[some[free]], places[free])
            return free

        every = np.arange(len(far))
        found = np.where(are_open(every, far), far, -1.0)
        if self.may_bend and self.ground is self.grounds.open and not len(self.grounds.rims):
            return found
        for part in np.arange(_PARTS)[::-1] / _PARTS:
            left = np.flatnonzero(found < 0.0)
            there = left[are_open(left, part * far[left])]
            found[there] = part * far[there]
        short = np.flatnonzero((found >= 0.0) & (found < far))
        high = found[short] + far[short] / _PARTS
        for _ in range(_HALVINGS):
            middle = (found[short] + high) / 2
            free = are_open(short, middle)
            found[short], high = np.where(free, middle, found[short]), np.where(free, high, middle)
        return found

    def line_to(self, place: XY, heading: float | None = None) -> tuple[float, Path, float] | None:
        """Return a line that ends at a place: the heading it begins with, its path, and the facing after it."""
        _, fronts, _, _, which = self._rings
        spot = np.array([place])
        if heading is None:
            pivot = int(self._best(spot)[0])
        else:
            pivot = int(self._pivots_of(spot, np.array([math.radians(heading)]))[0])
        if pivot < 0:
            return None
        facing = self._facing_at(place, fronts[pivot]) if heading is None else heading
        legs, here, at = [], place, int(which[pivot])
        while at >= 0:
            bend = (float(self._bends[at][0]), float(self._bends[at][1]))
            legs.append(Straight(bend, here))
            here, at = bend, int(self._pivots[1][at])
        x, y = self.states_before.places[-1 - at].tolist()
        legs.append(Straight((x, y), here))
        return float(self.states_before.headings[-1 - at]), Path((x, y), tuple(legs[::-1])), facing

    def _facing_at(self, place: XY, front: FloatArray) -> float:
        """Return the facing at a place with which the front has gone fewest inches, or as many as it has to."""
        away, back = math.dist(front, place), math.atan2(front[1] - place[1], front[0] - place[0])
        if self.lot.least and abs(away - self.grounds.radius) < self.lot.least:
            back += float(self._turned_from_back(np.array([away]), np.array([self.lot.least]))[0])
        return math.degrees(back) % 360.0
