"""Legs: lots that lead from one front to the next in one line, and where they end."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Generic

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from simulator.engine.clauses import clause
from simulator.errors import NoPlace
from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.paths import Path, Straight
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.snapping import union
from simulator.geometry.tolerances import CONTACT, KEPT_BACK, TOLERANCE
from simulator.pathing.free import FreeReach, PreparedTable
from simulator.pathing.free.open_ground import grown, is_open, kept_off
from simulator.pathing.outline_places import SPACING
from simulator.rulesets.skirmish.reach.before import BeforeT
from simulator.rulesets.skirmish.reach.cuts import cut
from simulator.rulesets.skirmish.reach.full_runs import begins, ends_of, lines_of_far_sides
from simulator.rulesets.skirmish.reach.seen import cheapest_open, seen_from
from simulator.rulesets.skirmish.reach.spends import Lot

#: How far the corners of an outline are from the true one, in inches.
_DRAWN = 0.002


@dataclass(eq=False)
class SpendLeg(Generic[BeforeT]):
    """Lots that lead from one front to another in one line, straight from the planner."""

    before: BeforeT
    lots: tuple[Lot, ...]
    reach: FreeReach
    #: All that bars its ways; the planner's own table may hold only a part of that.
    ground: PreparedTable
    #: Whether it leads from anchors; several lots are cut apart.
    is_whole: bool = False

    @property
    def lot(self) -> Lot:
        """The lot; of several the first."""
        return self.lots[0]

    def ends(self, places: FloatArray) -> BoolArray:
        """Return at which places it ends."""
        rows = places.reshape(-1, 2)
        ways = self.reach.ends_at(rows)
        found = np.isfinite(ways.cost)
        if self.lot.least:
            found &= ways.cost >= self.lot.least - TOLERANCE
            left = np.flatnonzero(~found)
            left = left[self.reach.may_end(rows[left])]
            found[left] = ~np.isnan(self._begins_of_least(rows[left])[:, 0])
            return found
        if self.must_be_cut:
            for row in np.flatnonzero(found).tolist():
                found[row] = cut(self.before.fronts.grounds, self.reach.path(ways, row), self.lots) is not None
        if self.is_whole and self.before.landings and not found.all():
            left = np.flatnonzero(~found)
            found[left] = [begin is not None for begin in self._begins_between(rows[left])]
        return found

    @property
    def must_be_cut(self) -> bool:
        """Whether somebody may stand where one of its lots would end."""
        return len(self.lots) > 1 and len(self.before.fronts.grounds.rims) > 0

    def paths_to(self, places: FloatArray) -> list[Path]:
        """Return the paths to places at which it ends."""
        ways = self.reach.ends_at(places)
        planned = (ways.cost >= self.lot.least - TOLERANCE) & np.isfinite(ways.cost)
        left = np.flatnonzero(~planned)
        straight = dict(zip(left.tolist(), self._straight_to(places[left]), strict=True))
        return [straight[row] if row in straight else self.reach.path(ways, row) for row in range(len(places))]

    def _straight_to(self, places: FloatArray) -> list[Path]:
        """Return the straight paths to places at which it ends, though the planner knows of no way there."""
        found: list[XY | None]
        if self.lot.least:
            found = [(x, y) for x, y in self._begins_of_least(places).tolist()]
        else:
            found = self._begins_between(places)
        paths = []
        for begin, (x, y) in zip(found, places.tolist(), strict=True):
            if begin is None:
                raise NoPlace(f"no line of these lots ends at {x:g},{y:g}")
            paths.append(Path(begin, (Straight(begin, (x, y)),)))
        return paths

    def parts_of(self, path: Path) -> list[tuple[Lot, Path]] | None:
        """Cut a path to a place at which it ends into its lots; None if one of them would have to end on a base."""
        if not self.is_whole:
            return [(self.lot, path)]
        return cut(self.before.fronts.grounds, path, self.lots)

    def _begins_between(self, places: FloatArray) -> list[XY | None]:
        """Return where on lines of far sides straight ways to places begin that sampled places along them miss."""
        inches, found = self.reach.budget, list[XY | None]([None] * len(places))
        lines = np.array([landing.line for landing, _ in self.before.landings if len(landing.links) > 1], object)
        number, row = shapely.STRtree(np.asarray(shapely.points(places))).query(
            lines, predicate="dwithin", distance=inches + CONTACT
        )
        begins = shapely.get_coordinates(shapely.shortest_line(lines[number], shapely.points(places[row])))[::2]
        far = np.hypot(*(places[row] - begins).T)
        near = np.flatnonzero((far <= inches + CONTACT) & (far > inches - SPACING))
        near = near[~self.ground.barred(np.hstack([begins[near], places[row[near]]]), from_contact=True)]
        near = near[self.reach.may_end(places[row[near]])]
        grounds = self.before.fronts.grounds
        if self.ground is not grounds.open:
            near = near[grounds.off_rough(begins[near])]
        if len(near):
            jumped = self.before.jumps_to(begins[near])
            for at, one in zip(near.tolist(), jumped, strict=True):
                if one is not None and found[row[at]] is None:
                    found[row[at]] = (float(begins[at, 0]), float(begins[at, 1]))
        return found

    # --- lines with a least length ---

    @cached_property
    @clause("SK-30", "SK-36")
    def _exact(self) -> tuple[float, ...]:
        """The greatest and the least length of a line that has to be so long; just one if they are the same."""
        most, least = min(self.lot.inches, self.reach.budget + KEPT_BACK), self.lot.least
        return (most, least) if most > least + TOLERANCE else (most,)

    def _begins_of_least(self, places: FloatArray) -> FloatArray:
        """Compute for each place where a line begins that is long enough, and not too long; nan if there is none."""
        found = np.full((len(places), 2), np.nan)
        for inches in self._exact:
            left = np.flatnonzero(np.isnan(found[:, 0]))
            found[left] = begins(self.before, self.ground, inches, places[left])
        left = np.flatnonzero(np.isnan(found[:, 0])) if len(self._exact) > 1 else np.zeros(0, np.intp)
        number = self._begins_in_band(places[left])
        found[left[number >= 0]] = self._sources[number[number >= 0]]
        return found

    def _begins_in_band(self, places: FloatArray) -> IntArray:
        """Return the nearest source from which each place is neither too near nor too far; -1 if there is none."""

        def prices(rows: FloatArray) -> FloatArray:
            away = np.hypot(rows[:, None, 0] - self._sources[:, 0], rows[:, None, 1] - self._sources[:, 1])
            fits = (away >= self.lot.least - TOLERANCE) & (away <= self.reach.budget + CONTACT)
            return np.where(fits, away, np.inf)

        return cheapest_open(places, self._sources, prices, self._do_not_count)

    def _do_not_count(self, begins: FloatArray, ends: FloatArray) -> BoolArray:
        """Return which lines are barred."""
        return np.asarray(self.ground.barred(np.hstack([begins, ends]), from_contact=True))

    @cached_property
    def _sources(self) -> FloatArray:
        """The places that its lines begin at."""
        sources, grounds = self.before.sources, self.before.fronts.grounds
        return sources if self.ground is grounds.open else sources[grounds.off_rough(sources)]

    def _seen(self) -> list[BaseGeometry]:
        """Return for each source the ground on which its lines end."""
        far = np.full(len(self._sources), self.reach.budget)
        drawn = seen_from(self.ground, self._sources, far, self.before.fronts.grounds.no_end(self.ground))
        too_near = self.lot.least + _DRAWN if self.lot.least else 0.0
        return list(shapely.difference(drawn, shapely.buffer(shapely.points(self._sources), too_near, quad_segs=64)))

    @cached_property
    def area(self) -> BaseGeometry:
        """The ends as polygons; empty where lines of an exact length begin at single places."""
        if self.lot.least:
            return kept_off(self._full, self.reach) if self._full.area else self._full
        if self.must_be_cut:
            return shapely.Polygon()
        before = self.before.area
        if not self.is_whole and before.area and is_open(self.ground, before, self.reach.budget):
            return kept_off(grown(before, self.before.sources, self.reach.budget), self.reach)
        return self.reach.area(_DRAWN, "inner")

    @cached_property
    def _full(self) -> BaseGeometry:
        """The ground on which lines that are long enough end, including places where ending is forbidden."""
        found = [ends_of(self.before, self.ground, inches) for inches in self._exact]
        return union([*found, *self._seen()]) if len(self._exact) > 1 else found[0]

    @property
    def lines(self) -> list[BaseGeometry]:
        """The ends as lines: the circle on which a run ends that has to go all its inches."""
        if not self.lot.least or len(self._exact) > 1:
            return []
        starts = self.before.outline
        if self._full.area and not len(self.before.fronts.grounds.axes):
            known = shapely.union_all([self.before.area, *lines_of_far_sides(self.before)])
            shapely.prepare(known)
            starts = starts[~shapely.dwithin(known, shapely.points(starts), _DRAWN)]
        return self._on_circles(starts, self._exact[0])

    def _on_circles(self, starts: FloatArray, inches: float) -> list[BaseGeometry]:
        """Return the ends on circles about some places."""
        angles = np.linspace(0.0, 2.0 * np.pi, 721)
        ring = np.stack([np.cos(angles), np.sin(angles)], axis=1)
        found: list[shapely.LineString] = []
        for start in starts:
            rows = start + inches * ring
            there = self.ends(rows)
            both = np.flatnonzero(there[1:] & there[:-1])
            found += [shapely.LineString(rows[at : at + 2]) for at in both.tolist()]
        return [shapely.line_merge(shapely.MultiLineString(found))] if found else []
