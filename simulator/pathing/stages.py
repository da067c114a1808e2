"""Stages: where a mover can be after one spend, grown from where it could be before.

A budget of inches may be interrupted by links: walk to a wall, climb it for 2 inches, walk on (`across`). Or a new
budget begins wherever the last one ended: a second movement phase, a ride after a walk (`onward`). A stage keeps the
places from which it begins, so that the way to a place can be traced through all stages, link by link.

    walked = Stage.first(ground, start, inches)
    climbed = walked.across(link_curves(finder, rows))
    answer = Stages([walked, climbed])
    answer.costs_at(places), answer.area(5.0), answer.steps_to(place)

Exactness: ways of a first stage are exact. A later stage begins at sampled places, `outline_places.SPACING` apart along
outlines, and spaced like the rows of links along theirs. So areas fall short by `TOLERANCE_OF_STAGES` for each stage
that begins on an outline; costs exceed the true ones by at most half the distance between neighbours just beyond it,
and by the square of that farther on; and no end is outside the true reach.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely
from numpy.typing import ArrayLike
from shapely.geometry.base import BaseGeometry

from simulator.geometry.convex import BoolArray
from simulator.geometry.paths import Path
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.snapping import union
from simulator.geometry.tolerances import CONTACT, TOLERANCE
from simulator.pathing.free import FreeReach, PreparedTable, plan
from simulator.pathing.free.open_ground import grown, is_open, kept_off
from simulator.pathing.links import Link, LinkCurve
from simulator.pathing.outline_places import AS_DRAWN, ends_on_circles, open_corners, rings_of
from simulator.pathing.traces import NoRoute

#: The most that an area falls short of the true one for each stage that begins on an outline, in inches: the sagitta of
#: arcs of an inch or more, and the tolerance of drawn outlines.
TOLERANCE_OF_STAGES = 0.01
#: The tolerance of the corners of an outline, inside the true one, in inches.
_DRAWN = 0.002


@dataclass(frozen=True, eq=False)
class Stage:
    """The places of a mover after one spend; made by `first`, `across` and `onward`."""

    reach: FreeReach
    starts: FloatArray  #: the places it begins from, rows x, y
    before: Stage | None = None
    links: tuple[Link, ...] = ()  #: the links that lead to the starts, one each; none if it begins where it stood

    @classmethod
    def first(cls, ground: PreparedTable, start: XY, inches: float, *, no_end: ArrayLike = ()) -> Stage:
        """Begin at one place with a budget of inches; `no_end` are bases (x, y, radius) to pass but not to end on.

        >>> from simulator.pathing.free import Obstacles, prepare
        >>> walked = Stage.first(prepare(Obstacles(), 0.5), (0, 0), 3.0)
        >>> ridden = walked.onward(4.0)
        >>> ridden.ends([(6.99, 0), (7.01, 0)]).tolist(), [way.end for way in ridden.steps_to((0, 5))]
        ([True, False], [(0.0, 3.0), (0.0, 5.0)])
        """
        return cls(plan(ground, start, inches, no_end=no_end), np.array([start], np.float64))

    def across(self, curves: Iterable[LinkCurve], *, ground: PreparedTable | None = None) -> Stage | None:
        """Continue behind links that begin in this stage, with its remaining inches; None if none can be paid for.

        `ground` holds the obstacles behind them if that is another level; by default the same ground.
        """
        links = [link for curve in curves for link in curve.links]
        if not links:
            return None
        paid = self.costs_at([link.start for link in links]) + np.array([link.price for link in links])
        kept = np.flatnonzero(paid <= self.reach.budget + TOLERANCE).tolist()
        if not kept:
            return None
        starts, most = np.array([links[at].far for at in kept]), self.reach.budget
        reach = plan(ground or self._ground, starts, most, paid=np.minimum(paid[kept], most), no_end=self.reach.no_end)
        return Stage(reach, starts, self, tuple(links[at] for at in kept))

    def onward(self, inches: float, *, ground: PreparedTable | None = None) -> Stage:
        """Begin a new spend of inches from wherever this stage ends; all costs are those of the new spend."""
        starts = self.outline
        return Stage(plan(ground or self._ground, starts, inches, no_end=self.reach.no_end), starts, self)

    @property
    def _ground(self) -> PreparedTable:
        return self.reach.standing

    @property
    def _is_new_purse(self) -> bool:
        return self.before is not None and not self.links

    # --- places and costs ---

    def costs_at(self, places: ArrayLike) -> FloatArray:
        """Compute for each of many places (rows x, y) the least cost of ending there; inf where it cannot.

        In a new spend, staying costs nothing.
        """
        rows = np.asarray(places, np.float64).reshape(-1, 2)
        costs = np.asarray(self.reach.cost_at(rows), np.float64).reshape(-1)
        if self.before is not None and self._is_new_purse:
            costs = np.where(self.before.ends(rows), 0.0, costs)
        return costs

    def ends(self, places: ArrayLike) -> BoolArray:
        """Return a mask of the places (rows x, y) at which a mover can end."""
        return np.isfinite(self.costs_at(places))

    def area(self, budget: float | None = None) -> BaseGeometry:
        """Return the ends within a budget of inches as polygons that nowhere exceed the true reach.

        A larger budget than that of this stage, such as that of another one beside it, is not used up.
        """
        inches = self.reach.budget if budget is None else min(budget, self.reach.budget)
        if self.before is None or not self._is_new_purse:
            return self.reach.area(_DRAWN, "inner", budget=inches)
        stayed = self.before.area()
        if stayed.area and is_open(self._ground, stayed, inches):
            return kept_off(grown(stayed, self.starts, inches), self.reach)
        return union([self.reach.area(_DRAWN, "inner", budget=inches), stayed])

    @cached_property
    def outline(self) -> FloatArray:
        """The starts of the next spend: along the outline, on the rims of bases, and where this one began.

        No way leaves an area where something bars it, so those places are left out.
        """
        area, rims = self.area(), self.reach.no_end + np.array([0.0, 0.0, self._ground.radius])
        rings = rings_of(area) if area.area else []
        rows = [ring[open_corners(ring, self._is_barred)] for ring in rings]
        rows = [*(ring[self.ends(ring)] for ring in rows), self.starts[self.ends(self.starts)]]
        if area.area:
            rows.append(ends_on_circles(rims, area, self.ends, CONTACT))
        return np.unique(np.concatenate(rows), axis=0)

    def _is_barred(self, places: FloatArray) -> BoolArray:
        return np.asarray(self._ground.depths(places) >= -AS_DRAWN)

    # --- ways ---

    def steps_to(self, place: XY) -> list[Path | Link]:
        """Return the ways and links that lead to a place through all stages, in order; raise NoRoute if none do.

        There is one way for each stage, without pieces if the mover stays.
        """
        if not self.ends([place])[0]:
            raise NoRoute(f"no path of at most {self.reach.budget:g} ends at {place[0]:g},{place[1]:g}")
        if self.before is not None and self._is_new_purse and self.before.ends([place])[0]:
            return [*self.before.steps_to(place), Path(place)]
        way = self.reach.route_to(place)
        if self.before is None:
            return [way]
        start = int(np.argmin(np.hypot(*(self.starts - way.start).T)))
        if not self.links:
            return [*self.before.steps_to(way.start), way]
        link = self.links[start]
        return [*self.before.steps_to(link.start), link, way]


@dataclass(frozen=True, eq=False)
class Stages:
    """Several stages merged into one answer, such as without a climb and with one; costs are the least of all.

    >>> from simulator.pathing.free import Obstacles, prepare
    >>> walked = Stage.first(prepare(Obstacles(), 0.5), (0, 0), 3.0)
    >>> both = Stages([walked, None])
    >>> both.costs_at([(2, 0), (9, 9)]).tolist(), round(both.area(1.0).area, 1)
    ([2.0, inf], 3.1)
    """

    several: Sequence[Stage | None]

    @property
    def _there(self) -> list[Stage]:
        return [stage for stage in self.several if stage is not None]

    def costs_at(self, places: ArrayLike) -> FloatArray:
        """Compute for each of many places (rows x, y) the least cost of ending there; inf where none can."""
        return np.asarray(np.min([stage.costs_at(places) for stage in self._there], axis=0))

    def area(self, budget: float | None = None) -> BaseGeometry:
        """Return the ends within a budget of inches, as polygons."""
        return shapely.union_all([stage.area(budget) for stage in self._there])

    def steps_to(self, place: XY) -> list[Path | Link]:
        """Return the ways and links that lead to a place at the least cost; raise NoRoute if none do."""
        costs = [float(stage.costs_at([place])[0]) for stage in self._there]
        return self._there[int(np.argmin(costs))].steps_to(place)
