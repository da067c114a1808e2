"""Runs that cost the Running token: they cross rough ground, and the Terrain roll never succeeds (SK-35, SK-36)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from simulator.engine.clauses import clause
from simulator.errors import NoPlace
from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.paths import Path, Straight
from simulator.geometry.pieces import FloatArray
from simulator.geometry.snapping import union
from simulator.geometry.tolerances import TOLERANCE
from simulator.rulesets.skirmish.obstruction import may_end
from simulator.rulesets.skirmish.reach.before import BeforeT
from simulator.rulesets.skirmish.reach.legs import SpendLeg
from simulator.rulesets.skirmish.reach.seen import cheapest_open, seen_off_rough


@dataclass(eq=False)
class LostRun(SpendLeg[BeforeT]):
    """A run of which only the lines count that cross rough ground."""

    def ends(self, places: FloatArray) -> BoolArray:
        """Return at which places it ends."""
        return np.asarray(self._begins(places.reshape(-1, 2)) >= 0)

    @clause("SK-30", "SK-35")
    def _begins(self, places: FloatArray) -> IntArray:
        """Return for each place the nearest start from which the line there crosses rough ground; -1: there is none."""
        found = np.full(len(places), -1, np.intp)
        open_ = np.flatnonzero(np.isfinite(self.reach.ends_at(places).cost))
        found[open_] = self._begins_in_band(places[open_])
        return found

    @clause("SK-8", "SK-35")
    def _do_not_count(self, begins: FloatArray, ends: FloatArray) -> BoolArray:
        """Return which lines are barred, or cross no rough ground."""
        return np.asarray(super()._do_not_count(begins, ends) | ~self.before.fronts.grounds.cross_rough(begins, ends))

    def paths_to(self, places: FloatArray) -> list[Path]:
        """Return the paths to places at which it ends."""
        paths = []
        for begin, (x, y) in zip(self._begins(places).tolist(), places.tolist(), strict=True):
            if begin < 0:
                raise NoPlace(f"no run through rough ground ends at {x:g},{y:g}")
            start = (float(self._sources[begin, 0]), float(self._sources[begin, 1]))
            paths.append(Path(start, (Straight(start, (x, y)),)))
        return paths

    @cached_property
    def area(self) -> BaseGeometry:
        """The ends as polygons."""
        far = np.full(len(self._sources), self.reach.budget)
        return union(
            list(shapely.difference(self._seen(), seen_off_rough(self.before.fronts.grounds, self._sources, far)))
        )


@dataclass(eq=False)
class ShortenedRun(LostRun[BeforeT]):
    """A run that has to go farther than it gets: a line that is long enough, ended where the failure ends it."""

    @clause("SK-13", "SK-30", "SK-35")
    def _begins(self, places: FloatArray) -> IntArray:
        """Return for each place a source from which a line that is long enough ends there; -1: there is none."""
        return cheapest_open(places, self._sources, self._prices, self._do_not_count)

    def _prices(self, places: FloatArray) -> FloatArray:
        away = np.hypot(places[:, None, 0] - self._sources[:, 0], places[:, None, 1] - self._sources[:, 1])
        grounds = self.before.fronts.grounds
        fits = (np.abs(away - self.lot.failed) <= TOLERANCE) & may_end(grounds.table, grounds.unit, places)[:, None]
        return np.where(fits, away, np.inf)

    def _do_not_count(self, begins: FloatArray, ends: FloatArray) -> BoolArray:
        """Return which lines are no runs, made as long as they have to be."""
        grounds, far = self.before.fronts.grounds, self._lengthened(begins, ends)
        return np.asarray(super()._do_not_count(begins, far) | ~may_end(grounds.table, grounds.unit, far))

    def _lengthened(self, begins: FloatArray, ends: FloatArray) -> FloatArray:
        """Return where lines end that go on as far as they have to."""
        onward = ends - begins
        return np.asarray(begins + self.lot.least / np.hypot(*onward.T)[:, None] * onward)

    def paths_to(self, places: FloatArray) -> list[Path]:
        """Return the lines that are cut short at places."""
        paths = super().paths_to(places)
        begins = np.array([path.start for path in paths], np.float64).reshape(-1, 2)
        ends = self._lengthened(begins, places).tolist()
        return [Path(path.start, (Straight(path.start, (x, y)),)) for path, (x, y) in zip(paths, ends, strict=True)]

    @cached_property
    def area(self) -> BaseGeometry:
        """No ground: its ends are lines."""
        return shapely.Polygon()

    @property
    def lines(self) -> list[BaseGeometry]:
        """The ends as lines: circles about its sources."""
        return self._on_circles(self._sources, self.lot.failed)
