"""A space as this planner takes it: the room for the reference point, and the regions of prices.

Obstacles are grown by the base, as in the planner for one price; regions are those of the ground under the reference
point.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.paths import Paths
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import CONTACT, ON_WALL, TOLERANCE, TOUCH
from simulator.pathing.free.barriers import Barriers
from simulator.pathing.free.obstacles import Box, Obstacles
from simulator.pathing.free.prepared import PreparedTable, prepare
from simulator.pathing.free.solids import obstacles_of
from simulator.pathing.posed.moves import Mode
from simulator.pathing.posed.space import Extent, PoseSpace
from simulator.pathing.weighted.borders import BorderPieces, borders_in
from simulator.pathing.weighted.openings import open_stretches
from simulator.pathing.weighted.regions import Regions

#: Staircases along a cone of a gauge have one, two, four ... steps, and begin with either edge.
_MOST_STEPS = 6


@dataclass(frozen=True, eq=False)
class WeightedSetting:
    """What the queries about one space share."""

    space: PoseSpace

    @cached_property
    def mode(self) -> Mode:
        """The cheapest direction of travel: turning to it costs nothing."""
        return min(self.space.directions.directed, key=lambda mode: mode.factor)

    @cached_property
    def radius(self) -> float:
        """The radius of the base; 0 is a point."""
        return float(self.space.base.reach)

    @cached_property
    def obstacles(self) -> Obstacles:
        """What bars the way near enough to matter, and the edge of the table."""
        found = obstacles_of(self.space.bars, self._border)
        left, bottom, right, top = self.space.window
        corners = [(left, bottom), (right, bottom), (right, top), (left, top)]
        middle = ((left + right) / 2, (bottom + top) / 2)
        far = max(float(np.hypot(x - middle[0], y - middle[1])) for x, y in corners)
        return found.near([middle], far + 2 * self.radius + 1.0)

    @cached_property
    def _border(self) -> Box | None:
        if self.space.box is None:
            return None
        # Where only the reference point has to be on the table, the base may hang over its edge.
        off = 0.0 if self.space.whole_base_on_table else self.radius
        left, bottom, right, top = (float(side) for side in self.space.box)
        return left - off, bottom - off, right + off, top + off

    @cached_property
    def table(self) -> PreparedTable:
        """The table prepared for the base."""
        return prepare(self.obstacles, self.radius)

    @cached_property
    def regions(self) -> Regions:
        """The regions of one price, the factor of the cheapest mode counted in."""
        return Regions(self.space.ground, float(self.mode.factor))

    @cached_property
    def borders(self) -> BorderPieces:
        """The borders between them, as far as the reference point can get to them."""
        return open_stretches(self._whole_borders, self.table)

    @cached_property
    def _whole_borders(self) -> BorderPieces:
        return borders_in(self.regions, Extent(*self.space.window))

    @cached_property
    def limits(self) -> FloatArray:
        """By start, what may have been paid in all when the move ends."""
        starts = self.space.starts
        paid = np.array([float(start.paid) for start in starts])
        return paid + self.space.left_for_legs(paid, np.array([float(start.travelled) for start in starts]))

    def fits(self, places: FloatArray) -> BoolArray:
        """Find the places where the base overlaps nothing that bars it, and is on the table."""
        return np.asarray(self.table.depths(places) <= TOLERANCE / 2)

    # --- sight ---

    @cached_property
    def _walls(self) -> Barriers:
        # Whole ones: a way along the side of what stands there meets a border just where the open part of it ends.
        return Barriers(np.zeros((0, 3)), self._whole_borders.segments, 0.0, 0.0, ON_WALL)

    @cached_property
    def _corners(self) -> FloatArray:
        return np.unique(self._walls.walls.reshape(-1, 2), axis=0)

    @cached_property
    def _rounds(self) -> FloatArray:
        return np.unique(self._round_rows[self.borders.radius > 0.0], axis=0)

    @cached_property
    def _round_rows(self) -> FloatArray:
        return np.column_stack([self.borders.origin, self.borders.radius])

    @cached_property
    def round_of_piece(self) -> IntArray:
        """By border piece the number of its circle among those of round areas; -1: it is straight."""
        same = np.all(self._round_rows[:, None] == self._rounds, axis=2)
        return np.where(same.any(axis=1), same.argmax(axis=1) if same.shape[1] else 0, -1)

    @cached_property
    def circles(self) -> FloatArray:
        """The rims that ways may bend round, rows x, y, radius: of what stands there, and then of round areas."""
        return np.concatenate([self.table.circles.rows, self._rounds])

    def barred(self, segments: FloatArray) -> BoolArray:
        """Find the legs, rows x1, y1, x2, y2, that something bars."""
        if not len(self.table.circles.x):
            return np.zeros(len(segments), np.bool_)
        return self.table.barred(segments, from_contact=True)

    def crossing(self, segments: FloatArray) -> BoolArray:
        """Find the legs that cross a border between regions; to end on one is not to cross it."""
        if len(self._walls.walls):
            found = self._walls.barred(segments, from_contact=True)
        else:
            found = np.zeros(len(segments), np.bool_)
        start, step = segments[:, :2], segments[:, 2:] - segments[:, :2]
        square = np.maximum(np.sum(step**2, axis=1), TOUCH**2)
        for x, y, radius in self._rounds.tolist():
            away = (x, y) - start
            share = np.clip(np.sum(away * step, axis=1) / square, 0.0, 1.0)
            nearest = np.hypot(*(away - share[:, None] * step).T)
            ends = np.maximum(np.hypot(*away.T), np.hypot(*(away - step).T))
            found |= (nearest < radius - CONTACT) & (ends > radius + CONTACT)
        return found

    def through_corners(self, segments: FloatArray) -> BoolArray:
        """Find the legs that lead right through where a border begins or ends, at neither end of their own."""
        corners = self._corners
        step = segments[:, 2:] - segments[:, :2]
        square = np.maximum(np.sum(step**2, axis=1), TOUCH**2)[:, None]
        x, y = np.moveaxis(corners - segments[:, None, :2], 2, 0)
        share = (x * step[:, :1] + y * step[:, 1:]) / square
        off = np.abs(x * step[:, 1:] - y * step[:, :1])
        within = (off <= 4.0 * CONTACT * np.sqrt(square)) & (share > TOUCH) & (share < 1.0 - TOUCH)
        return np.asarray(within.any(axis=1))

    def shut(self, segments: FloatArray) -> BoolArray:
        """Find the legs that are barred or leave their region."""
        found = self.crossing(segments)
        left = np.flatnonzero(~found)
        found[left] = self.barred(segments[left])
        return found

    def prices(self, segments: FloatArray) -> FloatArray:
        """Compute what straight legs cost by the ground itself; inf where it is closed."""
        # Many ways begin with the same legs.
        order = np.lexsort(segments.T)
        new = np.any(segments[order[1:]] != segments[order[:-1]], axis=1)
        same = np.empty(len(order), np.intp)
        same[order] = np.cumsum(np.r_[False, new][: len(order)])
        once = segments[order[np.r_[True, new][: len(order)]]]
        count = len(once)
        if not count:
            return np.zeros(0)
        none, zeros = np.zeros(count), np.zeros((count, 2))
        legs = Paths(np.arange(count), once[:, :2], once[:, 2:], zeros, none, none, none, none, none, count)
        found = self.space.ground.stretches(legs)
        inches, shut = found.end - found.begin, np.isinf(found.rate)
        price = np.where(shut, np.where(inches > TOUCH, np.inf, 0.0), inches * np.where(shut, 0.0, found.rate))
        total = np.zeros(count)
        np.add.at(total, found.leg, price)
        total[legs.lengths <= TOUCH] = 0.0
        return np.asarray(total * float(self.mode.factor))[same]

    # --- legs in a region ---

    def stairs(self, segments: FloatArray, region: IntArray) -> tuple[IntArray, FloatArray]:
        """Find how displacements that are free within a region are travelled, and what they cost.

        The first answer is 0 for one straight leg; other numbers are staircases, see `bends`.
        """
        step = segments[:, 2:] - segments[:, :2]
        gauges = self.regions.gauges
        how, price = np.zeros(len(segments), np.intp), gauges.straight_prices(region, *step.T)
        if gauges.is_plain.all():
            return how, price
        cheapest = gauges.prices(region, *step.T)
        split, _, _ = gauges.two_legs(region, *step.T)
        left = np.flatnonzero(split & (cheapest < price * (1.0 - 1e-12)))
        for code in range(1, 2 * _MOST_STEPS + 1):
            if not len(left):
                break
            corners = self.bends(segments[left], region[left], code)
            legs = np.concatenate([corners[:, :-1], corners[:, 1:]], axis=2)
            free = ~np.asarray(self.shut(legs.reshape(-1, 4)).reshape(len(left), -1).any(axis=1))
            # Beside a border one order of the edges leads off to its other side, beside a rim into it.
            rows = np.flatnonzero(free)
            inner, turns = corners[rows, 1:-1], corners[rows, 1::2]
            stands = self.fits(inner.reshape(-1, 2)).reshape(inner.shape[:2]).all(axis=1)
            there = self.regions.at(turns.reshape(-1, 2)).reshape(turns.shape[:2])
            free[rows] = stands & (there == region[left[rows], None]).all(axis=1)
            how[left[free]], price[left[free]] = code, cheapest[left[free]]
            left = left[~free]
        return how, price

    def bends(self, segments: FloatArray, region: IntArray, code: int) -> FloatArray:
        """Return the corners of staircases of one number, the ends included: an array [row, corner, x and y]."""
        steps, order = 2 ** ((code - 1) // 2), (code - 1) % 2
        step = segments[:, 2:] - segments[:, :2]
        _, *both = self.regions.gauges.two_legs(region, *step.T)
        begins = segments[:, None, :2] + (np.arange(steps) / steps)[:, None] * step[:, None]
        turns = begins + both[order][:, None] / steps
        corners = np.stack([begins, turns], axis=2).reshape(len(segments), -1, 2)
        return np.concatenate([corners, segments[:, None, 2:]], axis=1)
