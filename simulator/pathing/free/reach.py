"""The answer: the places that a base can reach within a budget, their costs, and the ways there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import shapely
from numpy.typing import ArrayLike
from shapely.geometry.base import BaseGeometry

from simulator.errors import NoPlace
from simulator.geometry.paths import Bend, Path, Straight
from simulator.geometry.pieces import XY
from simulator.geometry.tolerances import CONTACT, GRID
from simulator.pathing.columns import join, pick
from simulator.pathing.free.contact import Rim, cheaper, contacts, offset_lines, rim_of
from simulator.pathing.free.fans import Fans, cast_rays, draw_fans, fans_of, middles_of
from simulator.pathing.free.forbidden import Forbidden, Side
from simulator.pathing.free.goals import Ends, FoundWays, cheapest_ends
from simulator.pathing.free.obstacles import Bools, Floats
from simulator.pathing.free.prepared import PreparedTable
from simulator.pathing.free.search import SearchResult
from simulator.threads import side_by_side

_LEAST_ERROR = 1e-4
#: More bands than this are not distinguished.
_MOST_BANDS = 8


@dataclass(frozen=True, eq=False)
class FreeReach:
    """The answer to one query: for one unit, from its starts, within its budget.

    Costs are exact lengths plus the cost paid by a start; inf where no legal way ends. Limits are inclusive, to within
    a millionth. `no_end` are discs (rows x, y, radius: bases of friends) that may be passed but not ended on.
    """

    table: PreparedTable  #: the obstacles of ways
    standing: PreparedTable  #: the obstacles of ends; differs if a start overlaps things
    found: SearchResult
    question: int
    budget: float
    no_end: Floats
    straight_only: bool = False

    # -- places --------------------------------------------------------------------------------------------

    def cost_at(self, places: ArrayLike) -> float | Floats:
        """Return the cost of the cheapest way to a place, or to each of many (rows x, y); inf where none ends."""
        points = np.asarray(places, np.float64)
        costs = self.ends_at(points).cost
        return float(costs[0]) if points.ndim == 1 else costs

    def __contains__(self, place: XY) -> bool:
        """Return whether a legal way within the budget ends at a place."""
        return bool(np.isfinite(self.ends_at(np.asarray([place], np.float64)).cost[0]))

    def ends(self, places: ArrayLike) -> Bools:
        """Find at which of many places a legal way within the budget ends."""
        return np.isfinite(self.ends_at(np.asarray(places, np.float64)).cost)

    def may_end(self, places: ArrayLike) -> Bools:
        """Find at which places the base may stand at all, in reach or not."""
        points = np.asarray(places, np.float64).reshape(-1, 2)
        legal = self.standing.legal(points)
        if len(self.no_end):
            gaps = np.hypot(points[:, :1] - self.no_end[:, 0], points[:, 1:] - self.no_end[:, 1])
            legal &= np.all(gaps >= self.no_end[:, 2] + self.table.radius - CONTACT, axis=1)
        return legal

    def ends_at(self, places: Floats) -> Ends:
        """Return the cheapest way to each place in short form; places where the base may not stand have none."""
        points = places.reshape(-1, 2)
        legal = np.flatnonzero(self.may_end(points))
        ends = cheapest_ends(self.source, points[legal])
        count = len(points)
        every = Ends(
            np.full(count, np.inf), points[:, 0].copy(), points[:, 1].copy(), np.full(count, -1), np.zeros(count)
        )
        for column, some in zip(every, ends, strict=True):
            column[legal] = some
        return every

    @cached_property
    def source(self) -> FoundWays:
        """The ways found, for the search of last lines."""
        found = self.found
        if self.straight_only:
            found = found._replace(labels=pick(found.labels, slice(0, 0)))
        return FoundWays(self.table, found, self.question, self.budget)

    def route_to(self, place: XY) -> Path:
        """Return the cheapest way to a place; raise NoPlace where none ends."""
        ends = self.ends_at(np.asarray([place], np.float64))
        if not np.isfinite(ends.cost[0]):
            raise NoPlace(f"no path of at most {self.budget:g} ends at ({place[0]:g}, {place[1]:g})")
        return self.path(ends)

    def path(self, ends: Ends, which: int = 0) -> Path:
        """Return one way, from its short form, in full."""
        end = (float(ends.x[which]), float(ends.y[which]))
        label, place = int(ends.label[which]), float(ends.place[which])
        found = self.found
        if label < 0:
            origin = self._start(-1 - label)
            return _path(origin, [Straight(origin, end)])
        event = int(found.labels.event[label])
        arrival = float(found.labels.place[label])
        pieces: list[Straight | Bend] = [Straight(self._on_rim(int(found.history.arc[event]), place), end)]
        while True:
            arc, before = int(found.history.arc[event]), int(found.history.before[event])
            here = self._on_rim(arc, arrival)
            pieces.append(self._along_rim(arc, arrival, place))
            if before < 0:
                origin = self._start(-1 - before)
                pieces.append(Straight(origin, here))
                return _path(origin, pieces[::-1])
            place, arrival = float(found.history.left_at[event]), float(found.history.place[before])
            if place < arrival - 1e-8:  # on a whole circle a label counts a turn earlier, too
                arrival -= 2.0 * np.pi
            source = int(found.history.arc[before])
            if found.history.express[event]:
                pieces += self._along_edges(source, arc)[::-1]
            else:
                pieces.append(Straight(self._on_rim(source, place), here))
            event = before

    def _along_edges(self, arc: int, last: int) -> list[Straight | Bend]:
        """Return the pieces of a way along an outline, from where it leaves one arc to where it reaches another."""
        pieces: list[Straight | Bend] = []
        leaves, following, arrives = self.found.graph.onward(arc)
        while True:
            pieces.append(Straight(self._on_rim(arc, leaves), self._on_rim(following, arrives)))
            arc, place = following, arrives
            if arc == last:
                return pieces
            leaves, following, arrives = self.found.graph.onward(arc)
            pieces.append(self._along_rim(arc, place, leaves))

    def _start(self, start: int) -> XY:
        return float(self.found.starts.x[start]), float(self.found.starts.y[start])

    def _on_rim(self, arc: int, place: float) -> XY:
        circles = self.table.circles
        circle = int(self.table.arcs.circle[arc >> 1])
        angle = float(self.table.angle_at(np.array([arc]), np.array([place]))[0])
        radius = float(circles.measured[circle])
        return float(circles.x[circle] + radius * np.cos(angle)), float(circles.y[circle] + radius * np.sin(angle))

    def _along_rim(self, arc: int, begin: float, end: float) -> Bend:
        circles = self.table.circles
        circle = int(self.table.arcs.circle[arc >> 1])
        turn = -1.0 if arc & 1 else 1.0
        angle = float(self.table.angle_at(np.array([arc]), np.array([begin]))[0])
        centre = float(circles.x[circle]), float(circles.y[circle])
        return Bend(centre, float(circles.measured[circle]), angle, turn * max(end - begin, 0.0))

    # -- contact -------------------------------------------------------------------------------------------

    def touching(self, goal: ArrayLike | BaseGeometry) -> Path:
        """Return the cheapest way into base contact with a goal; raise NoPlace where there is none.

        A goal is a disc (x, y, radius), or a shapely polygon or line; it may be an obstacle or not.
        """
        rim = rim_of(goal, self.table.radius)
        candidates, places = contacts(self.source, rim, self._stops())
        candidates = pick(candidates, np.flatnonzero(self.may_end(candidates.segment[:, :2])))
        ends = cheaper(self.source, candidates, places[self.may_end(places)])
        if not np.isfinite(ends.cost[0]):
            raise NoPlace(f"no path of at most {self.budget:g} ends in contact with the goal")
        return self.path(ends)

    def _stops(self) -> Rim:
        """Return the circles and lines at which the ground that may be ended on ends."""
        radius = self.table.radius
        discs = np.concatenate([self.standing.obstacles.disc_rows, self.no_end]) + np.array([0.0, 0.0, radius])
        terrain = self.standing.terrain
        corners = np.column_stack([terrain.circles.x, terrain.circles.y, np.full(len(terrain.circles.x), radius)])
        lines = [offset_lines(terrain.edges, radius)]
        if terrain.border is not None:
            lines.append(shapely.get_coordinates(shapely.box(*terrain.border)).repeat(2, axis=0)[1:-1].reshape(-1, 4))
        return Rim(np.concatenate([discs, corners]), np.concatenate(lines), shapely.Point(), radius)

    # -- areas ---------------------------------------------------------------------------------------------

    def area(self, error: float = 0.01, side: Side = "nearest", budget: float | None = None) -> BaseGeometry:
        """Return the reach area as polygons whose outline is within an error of the true one.

        With `side` "inner" it is inside the true area, with "outer" it contains it (both to within a
        hundred-thousandth). `budget` selects the area for less than the whole budget.
        """
        return areas([self], error=error, side=side, budgets=[budget])[0]

    def contours(self, budgets: Sequence[float], error: float = 0.01, side: Side = "nearest") -> list[BaseGeometry]:
        """Return the reach areas for several budgets, none above the reach's own."""
        return areas([self] * len(budgets), error=error, side=side, budgets=budgets)

    def bands(self, levels: Sequence[float] | None = None, error: float = 0.01) -> list[tuple[float, BaseGeometry]]:
        """Return the area by budget, each band without the one before.

        By default levels are whole inches, or multiples that make at most eight bands.
        """
        limits = self._usual_levels(error) if levels is None else sorted(levels)
        areas = self.contours(limits, error)
        return [
            (level, area if before is None else shapely.difference(area, before, grid_size=GRID))
            for level, area, before in zip(limits, areas, [None, *areas[:-1]], strict=True)
        ]

    def _usual_levels(self, error: float) -> list[float]:
        dearest = self.budget
        if dearest > self.table.longest_line:
            # More than the table takes: what counts is how far its farthest places are.
            costs = self.ends_at(shapely.get_coordinates(self.area(error))).cost
            dearest = min(dearest, float(np.max(costs, where=np.isfinite(costs), initial=0.0)))
        step = max(math.ceil(dearest / _MOST_BANDS), 1)
        return [*(float(level) for level in range(step, math.ceil(dearest), step)), self.budget]

    def covered(self, error: float = 0.01) -> BaseGeometry:
        """Return the ground that the base can come to cover when it ends: the area grown by its radius."""
        return self.area(error / 2).buffer(self.table.radius, quad_segs=32)

    def to_geojson(self, error: float = 0.01, side: Side = "nearest") -> dict[str, Any]:
        """Return the area as a GeoJSON feature, coordinates in inches to six places."""
        area = shapely.set_precision(self.area(error, side), 1e-6)
        return {
            "type": "Feature",
            "geometry": shapely.geometry.mapping(area),
            "properties": {"budget": self.budget, "radius": self.table.radius, "error": error, "side": side},
        }


def _path(start: XY, pieces: Sequence[Straight | Bend]) -> Path:
    return Path(start, tuple(piece for piece in pieces if piece.length > 1e-12))


def areas(
    reaches: Sequence[FreeReach], *, error: float, side: Side, budgets: Sequence[float | None]
) -> list[BaseGeometry]:
    """Return the areas of several reaches of one search together: all their rays are cast in one go."""
    if not _LEAST_ERROR <= error <= 1.0:
        raise ValueError(f"the error of an outline is from {_LEAST_ERROR} to 1 inch, not {error}")
    first = reaches[0]
    fans: list[Fans] = []
    for number, (reach, most) in enumerate(zip(reaches, budgets, strict=True)):
        budget = reach.budget if most is None else most
        if not 0.0 <= budget <= reach.budget:
            raise ValueError(f"this reach covers budgets up to {reach.budget:g}, not {budget}")
        # A budget below 0 opens no fans: only the reach's own query gets one.
        own_alone = np.full(int(reach.found.starts.question.max()) + 1, -1.0)
        own_alone[reach.question] = budget
        own = fans_of(reach.table, reach.found, own_alone)
        if reach.straight_only:
            own = pick(own, own.arc < 0)
        fans.append(own._replace(question=np.full(len(own.x), number)))
    together = join(fans)
    rays = cast_rays(first.table, first.found, together, error)
    drawn = draw_fans(together, rays, side)
    drawn_by = together.question[np.unique(rays.fan)]
    box = shapely.box(*shapely.total_bounds(drawn)) if len(drawn) else shapely.Point()
    forbidden = Forbidden(first.standing, box, error, side)

    def one(number: int) -> BaseGeometry:
        middles = middles_of(pick(rays, together.question[rays.fan] == number))
        return forbidden.taken_from(drawn[drawn_by == number], middles, reaches[number].no_end)

    # GEOS works without the interpreter's lock: areas are united side by side.
    return side_by_side(one, range(len(reaches)))
