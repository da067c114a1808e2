"""Legs: lots that lead from one front to the next in one line, and where they end."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Generic

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from simulator.errors import NoPlace
from simulator.geometry.convex import BoolArray
from simulator.geometry.paths import Path, Straight
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.tolerances import CONTACT, TOLERANCE
from simulator.pathing.free import FreeReach, PreparedTable
from simulator.pathing.free.open_ground import grown, is_open, kept_off
from simulator.pathing.outline_places import SPACING
from simulator.rulesets.skirmish.reach.before import BeforeT
from simulator.rulesets.skirmish.reach.cuts import cut
from simulator.rulesets.skirmish.reach.full_runs import begins, ends_of, lines_of_far_sides
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
            found[left] = ~np.isnan(begins(self.before, self.ground, self.lot.inches, rows[left])[:, 0])
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
            found = [(x, y) for x, y in begins(self.before, self.ground, self.lot.inches, places).tolist()]
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
        """The ground on which lines of an exact length end, including places where ending is forbidden."""
        return ends_of(self.before, self.ground, self.lot.inches)

    @property
    def lines(self) -> list[BaseGeometry]:
        """The ends as lines: the circle on which a run ends that has to go all its inches."""
        if not self.lot.least:
            return []
        angles = np.linspace(0.0, 2.0 * np.pi, 721)
        ring = np.stack([np.cos(angles), np.sin(angles)], axis=1)
        found: list[shapely.LineString] = []
        starts = self.before.outline
        if self._full.area and not len(self.before.fronts.grounds.axes):
            known = shapely.union_all([self.before.area, *lines_of_far_sides(self.before)])
            shapely.prepare(known)
            starts = starts[~shapely.dwithin(known, shapely.points(starts), _DRAWN)]
        for start in starts:
            rows = start + self.lot.inches * ring
            there = self.ends(rows)
            both = np.flatnonzero(there[1:] & there[:-1])
            found += [shapely.LineString(rows[at : at + 2]) for at in both.tolist()]
        return [shapely.line_merge(shapely.MultiLineString(found))] if found else []
