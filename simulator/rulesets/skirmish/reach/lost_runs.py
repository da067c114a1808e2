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
from simulator.geometry.tolerances import CONTACT
from simulator.rulesets.skirmish.reach.before import BeforeT
from simulator.rulesets.skirmish.reach.legs import SpendLeg
from simulator.rulesets.skirmish.reach.seen import cheapest_open, seen_from, seen_off_rough


@dataclass(eq=False)
class LostRun(SpendLeg[BeforeT]):
    """A run of which only the lines count that cross rough ground."""

    @cached_property
    def _starts(self) -> FloatArray:
        return self.before.sources

    def ends(self, places: FloatArray) -> BoolArray:
        """Return at which places it ends."""
        return np.asarray(self._begins(places.reshape(-1, 2)) >= 0)

    @clause("SK-8", "SK-35")
    def _begins(self, places: FloatArray) -> IntArray:
        """Return for each place the nearest start from which the line there crosses rough ground; -1: there is none."""
        grounds, found = self.before.fronts.grounds, np.full(len(places), -1, np.intp)
        open_ = np.flatnonzero(np.isfinite(self.reach.ends_at(places).cost))

        def prices(rows: FloatArray) -> FloatArray:
            away = np.hypot(rows[:, None, 0] - self._starts[:, 0], rows[:, None, 1] - self._starts[:, 1])
            return np.where(away <= self.reach.budget + CONTACT, away, np.inf)

        def do_not_count(begins: FloatArray, ends: FloatArray) -> BoolArray:
            barred = self.ground.barred(np.hstack([begins, ends]), from_contact=True)
            return np.asarray(barred | ~grounds.cross_rough(begins, ends))

        found[open_] = cheapest_open(places[open_], self._starts, prices, do_not_count)
        return found

    def paths_to(self, places: FloatArray) -> list[Path]:
        """Return the paths to places at which it ends."""
        paths = []
        for begin, (x, y) in zip(self._begins(places).tolist(), places.tolist(), strict=True):
            if begin < 0:
                raise NoPlace(f"no run through rough ground ends at {x:g},{y:g}")
            start = (float(self._starts[begin, 0]), float(self._starts[begin, 1]))
            paths.append(Path(start, (Straight(start, (x, y)),)))
        return paths

    @cached_property
    def area(self) -> BaseGeometry:
        """The ends as polygons."""
        grounds = self.before.fronts.grounds
        far = np.full(len(self._starts), self.reach.budget)
        drawn = seen_from(self.ground, self._starts, far, grounds.no_end(self.ground))
        return union(list(shapely.difference(drawn, seen_off_rough(grounds, self._starts, far))))
