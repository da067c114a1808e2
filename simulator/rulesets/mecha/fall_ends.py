"""Where units lie that fall where they have no room: beside the line on which they come down.

That line is known side by side and arc by arc. Each place at which a unit may lie is either straight away from what
kept it from lying where it came down, and so leads back to that; or it is where the borders of two things meet, to
which a stretch of the line leads. So the line is looked at place by place for the latter, and for drawing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from simulator.engine.clauses import clause
from simulator.geometry.convex import IntArray
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.poses import Heading, Level
from simulator.geometry.shapes import together
from simulator.geometry.tolerances import TOUCH
from simulator.pathing.ends import HeadingRange
from simulator.pathing.posed.planner import PosePlanner
from simulator.pathing.weighted import planner_for
from simulator.rulesets.mecha.falling import Fall, FallPlaces
from simulator.rulesets.mecha.jumping import JumpMoves

#: The spacing in inches of places on the line where a unit comes down.
_APART = 0.1
#: Places that are nearer to each other are one.
_SAME = 4e-6
#: The number of the level on which the planner lets falls end anywhere.
_DOWN = 1


class Source(NamedTuple):
    """Where a unit came down that lies elsewhere, and the least cost of that."""

    place: XY
    cost: float


class _Sample(NamedTuple):
    """A place of the line at which a unit comes down, and where it may lie then."""

    place: XY
    falls: tuple[Fall, ...]


@dataclass(frozen=True, eq=False)
class BesideFalls:
    """Where a unit lies that has no room where it comes down."""

    moves: JumpMoves  #: of falls that may come down anywhere
    places: FallPlaces

    @cached_property
    def planner(self) -> PosePlanner:
        """What determines where the unit can come down, and at what cost."""
        return planner_for(self.moves.space)

    # --- the line on which it comes down ---

    @cached_property
    def _reach(self) -> float:
        return float(self.places.below.unit["base"])

    @cached_property
    def _strips(self) -> list[FloatArray]:
        """Places along the line, side by side and arc by arc."""
        top, reach = self.places.below.top.polygon, self._reach
        strips = []
        for ring in (top.exterior, *top.interiors):
            around = shapely.buffer(shapely.Polygon(ring), 0).exterior
            corners = shapely.get_coordinates(around)
            sign = 1.0 if around.is_ccw else -1.0
            sign = sign if ring.equals(top.exterior) else -sign
            along = np.diff(corners, axis=0)
            length = np.hypot(*along.T)
            out = sign * np.column_stack([along[:, 1], -along[:, 0]]) / length[:, None]
            for number in range(len(along)):
                at = np.linspace(0.0, 1.0, max(math.ceil(length[number] / _APART), 2) + 1)[:, None]
                strips.append(corners[number] + at * along[number] + reach * out[number])
                strips.append(corners[number] + reach * _arc(out[number - 1], out[number]))
        return [strip[self._on_line(strip)] for strip in strips]

    def _on_line(self, places: FloatArray) -> FloatArray:
        away = shapely.distance(self.places.below.top.polygon, shapely.points(places))
        return np.asarray(away >= self._reach - _SAME)

    @cached_property
    def _samples(self) -> list[list[_Sample]]:
        """The places at which the unit may come down and has no room, in order, parted where there are none."""
        found: list[list[_Sample]] = []
        for strip in self._strips:
            run: list[_Sample] = []
            ends = self.planner.are_ends(strip, None, _DOWN) if len(strip) else np.zeros(0, np.bool_)
            ends &= ~self.places.has_room(strip)
            for place, comes_down in zip(strip.tolist(), ends.tolist(), strict=True):
                here = (place[0], place[1])
                falls = tuple(self.places.of(here)) if comes_down else ()
                if falls:
                    run.append(_Sample(here, falls))
                elif run:
                    found.append(run)
                    run = []
            if run:
                found.append(run)
        return found

    # --- what leads to a place ---

    @clause("ME-97", role="search")
    def sources(self, place: XY, level: Level) -> list[XY]:
        """Return where a unit may come down that lies at a place on a level then, and not where it came down."""
        names = self.levels if level is None else [level]
        candidates = [
            back
            for name in names
            for ahead in self.places.borders_near(str(name), place)
            for back in self._along(place, ahead)
        ]
        candidates += [
            one.place for run in self._samples for one in run if any(_is(fall, place, level) for fall in one.falls)
        ]
        kept: list[XY] = []
        for one in candidates:
            if any(math.dist(one, other) <= TOUCH for other in kept):
                continue
            if math.dist(one, place) > _SAME and any(_is(fall, place, level) for fall in self.places.of(one)):
                kept.append(one)
        return kept

    @property
    def levels(self) -> list[str]:
        """The names of the levels below."""
        return list(dict.fromkeys(fall.level for run in self._samples for one in run for fall in one.falls))

    def _along(self, place: XY, ahead: XY) -> Iterator[XY]:
        """Yield the places of the line that lie straight ahead of a place."""
        polygon, reach = self.places.below.top.polygon, self._reach
        far = 4 * reach + math.dist(place, polygon.exterior.interpolate(0).coords[0]) + polygon.length
        ray = shapely.LineString([place, (place[0] + far * ahead[0], place[1] + far * ahead[1])])
        for ring in (polygon.exterior, *polygon.interiors):
            corners = shapely.get_coordinates(ring)
            for start, end in pairwise(corners):
                along = (end - start) / np.hypot(*(end - start))
                aside = reach * np.array([along[1], -along[0]])
                for off in (aside, -aside):
                    met = shapely.intersection(ray, shapely.LineString([start + off, end + off]))
                    yield from ((x, y) for x, y in shapely.get_coordinates(met).tolist())
                yield from _on_circle(place, ahead, (float(start[0]), float(start[1])), reach)

    def costs_in(self, places: FloatArray, heading: Heading, level: Level) -> FloatArray:
        """Compute the least costs of falls after which the unit lies at places, rows x, y; inf where none does."""
        costs = np.full(len(places), np.inf)
        near = self._near(places)
        for number in near:
            x, y = places[number].tolist()
            costs[number] = min((one.cost for one in self.ways_to((x, y), heading, level)), default=np.inf)
        return costs

    def ways_to(self, place: XY, heading: Heading, level: Level) -> list[Source]:
        """Return where it may come down to lie at a place, with costs, the cheapest first."""
        sources = self.sources(place, level)
        if not sources:
            return []
        rows = np.array(sources)
        if heading is None:
            costs = self.planner.costs_at(rows, _DOWN)
        else:
            costs = self.planner.costs_in(rows, float(heading), _DOWN)
        found = [Source(one, cost) for one, cost in zip(sources, costs.tolist(), strict=True) if math.isfinite(cost)]
        return sorted(found, key=lambda one: one.cost)

    def _near(self, places: FloatArray) -> IntArray:
        """The places that lie near one of where the unit may lie."""
        lines = self.lines(None)
        if lines.is_empty:
            return np.zeros(0, np.intp)
        return np.flatnonzero(shapely.distance(lines, shapely.points(places)) <= _APART)

    def headings_at(self, place: XY, level: Level) -> list[HeadingRange]:
        """Return the headings in which it may lie at a place; who falls does not turn."""
        return [
            one
            for source in self.ways_to(place, None, level)
            for one in self.planner.headings_at_each(np.array([source.place]), level=_DOWN)[0]
        ]

    # --- drawing ---

    def lines(self, level: Level) -> BaseGeometry:
        """Draw where it may lie on a level, or on any: lines beside what kept it off, and points."""
        if level not in self._drawn:
            self._drawn[level] = together([], list(self._parts(level)))
        return self._drawn[level]

    @cached_property
    def _drawn(self) -> dict[Level, BaseGeometry]:
        return {}

    def _parts(self, level: Level) -> Iterator[BaseGeometry]:
        for run in self._samples:
            for one, after in zip(run, [*run[1:], None], strict=True):
                for fall in one.falls:
                    if level not in (None, fall.level):
                        continue
                    spot = shapely.Point(fall.place)
                    near = min(
                        (other for other in (after.falls if after else ()) if other.level == fall.level),
                        key=lambda other: math.dist(other.place, fall.place),
                        default=None,
                    )
                    if near is not None and _SAME < math.dist(near.place, fall.place) <= 2 * _APART:
                        yield shapely.LineString([fall.place, near.place])
                    else:
                        yield spot


def _is(fall: Fall, place: XY, level: Level) -> bool:
    return level in (None, fall.level) and math.dist(fall.place, place) <= _SAME


def _arc(before: FloatArray, after: FloatArray) -> FloatArray:
    """Directions from one to another, around a corner."""
    first = math.atan2(before[1], before[0])
    turn = (math.atan2(after[1], after[0]) - first + math.pi) % (2 * math.pi) - math.pi
    angles = first + np.linspace(0.0, 1.0, max(math.ceil(abs(turn) / _APART), 2) + 1) * turn
    return np.column_stack([np.cos(angles), np.sin(angles)])


def _on_circle(place: XY, ahead: XY, centre: XY, radius: float) -> Iterator[XY]:
    """Yield where a ray meets a circle."""
    to_x, to_y = centre[0] - place[0], centre[1] - place[1]
    along, off = to_x * ahead[0] + to_y * ahead[1], to_x * ahead[1] - to_y * ahead[0]
    square = radius**2 - off**2
    if square < 0:
        return
    for sign in (1, -1):
        at = along + sign * math.sqrt(square)
        if at > 0:
            yield place[0] + at * ahead[0], place[1] + at * ahead[1]
