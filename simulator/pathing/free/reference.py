"""The slow and obvious search on inch tables, to compare the planner with: a visibility graph of shapely and networkx.

Circles are drawn with 64 corners. With corners on the true circles the ways come out a hair too short, with sides that
touch the circles a hair too long, so the true length lies between the two.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

import networkx as nx
import numpy as np
import shapely
from numpy.typing import ArrayLike
from shapely.geometry.base import BaseGeometry

from simulator.pathing.free.obstacles import Bools, Floats, Obstacles

CORNERS = 64
#: How far inside what bars the way a line has to run to be barred: contact is legal.
_CONTACT = 1e-7
#: So many pairs are tried at once: they stay in the cache of the processor.
_PAIRS = 100_000


class VisibilityGraph:
    """Corners of what bars the way, a start and goals, and who sees whom within a budget.

    `around` draws circles too large instead of too small. Pairs that no shortest way can use are dropped before they
    are tried, unless `every_pair` is wanted.

    >>> disc = Obstacles(discs=[(3, 0, 0.5)])
    >>> for around in (False, True):
    ...     print(VisibilityGraph(disc, 0.5, (0, 0), [(6, 0)], around=around).lengths().round(3))
    [6.336]
    [6.337]
    """

    def __init__(
        self,
        obstacles: Obstacles,
        radius: float,
        start: ArrayLike,
        goals: ArrayLike,
        *,
        around: bool = False,
        budget: float = math.inf,
        every_pair: bool = False,
    ) -> None:
        self.budget = budget
        here = np.asarray(start, np.float64).reshape(1, 2)
        if math.isfinite(budget):
            # A way no longer than the budget touches nothing that is farther off, however large it is drawn.
            obstacles = obstacles.near(here, budget + 2.0 * radius + _CONTACT)
        self.barred = _grown(obstacles, radius, around)
        self._core = self.barred.buffer(-_CONTACT)
        shapely.prepare(self._core)
        self._places = np.concatenate([here, np.asarray(goals, np.float64).reshape(-1, 2)])
        corners, before, after = ring_corners(self.barred)
        kept = np.hypot(*(corners - here).T) <= budget
        if obstacles.border is not None:
            left, low, right, high = obstacles.border
            room = radius - 1e-9
            kept &= shapely.contains_xy(shapely.box(left + room, low + room, right - room, high - room), *corners.T)
        self.nodes = np.concatenate([self._places, corners[kept]])
        self.graph: nx.Graph[int] = nx.Graph()
        self.graph.add_nodes_from(range(len(self.nodes)))
        self._connect(before[kept], after[kept], every_pair)

    def _connect(self, before: Floats, after: Floats, every_pair: bool) -> None:
        """Join all pairs that see each other."""
        count, places = len(self.nodes), len(self._places)
        x, y = self.nodes.T
        # No way to a node is shorter than the straight line, so so much of the budget is left there at most.
        left = self.budget - (0.0 if every_pair else np.hypot(x - x[0], y - y[0])) + np.zeros(count)
        for some in np.array_split(np.arange(count), count * count // _PAIRS + 1):
            others = np.arange(some[0], count)
            apart = np.hypot(x[some, None] - x[others], y[some, None] - y[others])
            kept = (some[:, None] < others) & (apart <= np.maximum(left[some, None], left[others]) + _CONTACT)
            kept &= (some[:, None] == 0) | (others >= places)
            row, column = np.nonzero(kept)
            one, other, length = some[row], others[column], apart[row, column]
            kept = np.ones(len(one), np.bool_)
            for end, far in () if every_pair else ((one, other), (other, one)):
                corner = end >= places
                at = end[corner]
                here = at - places
                kept[corner] &= _bends_round(self.nodes[at], before[here], after[here], self.nodes[far[corner]])
            one, other, length = one[kept], other[kept], length[kept]
            lines = shapely.linestrings(np.stack([self.nodes[one], self.nodes[other]], axis=1))
            free = ~shapely.intersects(self._core, lines)
            edges = zip(one[free].tolist(), other[free].tolist(), length[free].tolist(), strict=True)
            self.graph.add_weighted_edges_from(edges)

    @cached_property
    def _costs(self) -> dict[int, float]:
        found: Any = nx.single_source_dijkstra_path_length(self.graph, 0, cutoff=self.budget)
        return dict(found)

    def lengths(self) -> Floats:
        """Return the length of the shortest way to each goal, inf where there is none within the budget."""
        return np.array([self._costs.get(goal, math.inf) for goal in range(1, len(self._places))])

    def area(self, rays: int = 64) -> BaseGeometry:
        """Return what all reached corners see within what is left of the budget, each along a number of rays."""
        angles = 2 * math.pi * np.arange(rays) / rays
        ahead = np.stack([np.cos(angles), np.sin(angles)], axis=1)
        seen = []
        for node, cost in self._costs.items():
            if not 0 < node < len(self._places) and cost < self.budget:
                here, left = self.nodes[node], self.budget - cost
                ends = here + left * ahead
                lines = shapely.linestrings(np.stack([np.broadcast_to(here, ends.shape), ends], axis=1))
                met = shapely.distance(shapely.Point(here), shapely.intersection(lines, self._core))
                seen.append(shapely.Polygon(here + np.where(np.isnan(met), left, met)[:, None] * ahead))
        return shapely.union_all([part.buffer(0) for part in seen]).difference(self.barred)


def ring_corners(area: BaseGeometry) -> tuple[Floats, Floats, Floats]:
    """Return all corners of an area, each with the one before and the one after."""
    corners, before, after = [np.zeros((0, 2))], [np.zeros((0, 2))], [np.zeros((0, 2))]
    for polygon in shapely.get_parts(area).tolist():
        for ring in (polygon.exterior, *polygon.interiors):
            points = shapely.get_coordinates(ring)[:-1]
            corners.append(points)
            before.append(np.roll(points, 1, axis=0))
            after.append(np.roll(points, -1, axis=0))
    return np.concatenate(corners), np.concatenate(before), np.concatenate(after)


def _grown(obstacles: Obstacles, radius: float, around: bool) -> BaseGeometry:
    """Return what bars a centre, its rounds drawn with 64 corners on the circle, or sides around it."""
    stretch = 1 / math.cos(math.pi / CORNERS) if around else 1.0
    quarter = CORNERS // 4
    parts = [
        shapely.Point(x, y).buffer((base + radius) * stretch, quad_segs=quarter)
        for x, y, base in np.asarray(obstacles.discs, np.float64).reshape(-1, 3).tolist()
    ]
    walls = np.asarray(obstacles.walls, np.float64).reshape(-1, 2, 2)
    bodies = [*obstacles.polygons, *(shapely.LineString(wall) for wall in walls)]
    parts += [body.buffer(radius * stretch, quad_segs=quarter) for body in bodies]
    return shapely.union_all(parts, grid_size=1e-9)


def _bends_round(corner: Floats, before: Floats, after: Floats, far: Floats) -> Bools:
    """Return whether a way from far off may bend at a corner: both its sides lie on one side of the line."""
    ahead = far - corner

    def aside(point: Floats) -> Floats:
        way = point - corner
        return np.asarray(ahead[:, 0] * way[:, 1] - ahead[:, 1] * way[:, 0])

    return np.asarray(aside(before) * aside(after) >= -1e-9)
