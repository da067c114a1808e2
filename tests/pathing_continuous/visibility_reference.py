"""The plain way to shortest paths: shapely and networkx, rounds with 64 corners, all pairs that see each other.

With corners on the true circles the ways come out a little too short, with sides that touch them a little too long.
"""

import math

import networkx as nx
import numpy as np
import shapely

CORNERS = 64


def grown(obstacles, radius, *, around):
    """What bars a centre, its rounds drawn with 64 corners on the circle, or sides around it."""
    stretch = 1 / math.cos(math.pi / CORNERS) if around else 1.0
    parts = [
        shapely.Point(x, y).buffer((base + radius) * stretch, quad_segs=CORNERS // 4) for x, y, base in obstacles.discs
    ]
    lines = [shapely.LineString([(x1, y1), (x2, y2)]) for x1, y1, x2, y2 in obstacles.walls]
    parts += [body.buffer(radius * stretch, quad_segs=CORNERS // 4) for body in (*obstacles.polygons, *lines)]
    return shapely.union_all(parts, grid_size=1e-9)


class VisibilityGraph:
    """Corners of what bars the way, places, and who sees whom.

    Pairs that no shortest way can use are dropped before they are tried, unless `every_pair` is wanted.
    """

    def __init__(self, obstacles, radius, start, goals, *, around=False, budget=math.inf, every_pair=False):
        self.barred = grown(obstacles, radius, around=around)
        core = self.core = self.barred.buffer(-1e-7)
        shapely.prepare(core)
        corners, before, after = ring_corners(self.barred)
        if obstacles.border is not None:
            left, low, right, high = obstacles.border
            box = shapely.box(left + radius - 1e-9, low + radius - 1e-9, right - radius + 1e-9, high - radius + 1e-9)
            inside = shapely.contains_xy(box, *corners.T)
            corners, before, after = corners[inside], before[inside], after[inside]
        near = np.hypot(*(corners - start).T) <= budget
        corners, before, after = corners[near], before[near], after[near]
        places = np.concatenate([[start], goals])
        self.nodes = np.concatenate([places, corners])
        count = len(self.nodes)
        self.graph = nx.Graph()
        self.graph.add_nodes_from(range(count))
        # All pairs at once are too many for the memory: one chunk of nodes after the other.
        for some in np.array_split(np.arange(count), count * count // 2_000_000 + 1):
            one, other = (side.ravel() for side in np.meshgrid(some, np.arange(count), indexing="ij"))
            length = np.hypot(*(self.nodes[one] - self.nodes[other]).T)
            kept = (one < other) & (length <= budget) & ~((one > 0) & (other < len(places)))
            one, other, length = one[kept], other[kept], length[kept]
            kept = np.ones(len(one), bool)
            for end, far in () if every_pair else ((one, other), (other, one)):
                at = end - len(places)
                corner = at >= 0
                here = at[corner]
                kept[corner] &= bends_round(corners[here], before[here], after[here], self.nodes[far[corner]])
            one, other, length = one[kept], other[kept], length[kept]
            lines = shapely.linestrings(np.stack([self.nodes[one], self.nodes[other]], axis=1))
            free = ~shapely.intersects(core, lines)
            edges = zip(one[free].tolist(), other[free].tolist(), length[free].tolist(), strict=True)
            self.graph.add_weighted_edges_from(edges)
        self.goals = range(1, len(places))
        self.budget = budget

    def lengths(self):
        """The length of the shortest way to each goal, inf where there is none."""
        found = nx.single_source_dijkstra_path_length(self.graph, 0, cutoff=self.budget)
        return np.array([found.get(goal, math.inf) for goal in self.goals])

    def area(self, rays=64):
        """What all reached corners see within what is left of the budget, each along so many rays."""
        costs = nx.single_source_dijkstra_path_length(self.graph, 0, cutoff=self.budget)
        goals = set(self.goals)
        angles = 2 * math.pi * np.arange(rays) / rays
        ahead = np.stack([np.cos(angles), np.sin(angles)], axis=1)
        seen = []
        for node, cost in costs.items():
            if node not in goals and cost < self.budget:
                here, left = self.nodes[node], self.budget - cost
                ends = here + left * ahead
                lines = shapely.linestrings(np.stack([np.broadcast_to(here, ends.shape), ends], axis=1))
                met = shapely.distance(shapely.Point(here), shapely.intersection(lines, self.core))
                seen.append(shapely.Polygon(here + np.where(np.isnan(met), left, met)[:, None] * ahead))
        return shapely.union_all([part.buffer(0) for part in seen]).difference(self.barred)


def ring_corners(area):
    """All corners of an area, each with the one before and the one after."""
    corners, before, after = [np.zeros((0, 2))], [np.zeros((0, 2))], [np.zeros((0, 2))]
    for polygon in shapely.get_parts(area):
        for ring in (polygon.exterior, *polygon.interiors):
            points = shapely.get_coordinates(ring)[:-1]
            corners.append(points)
            before.append(np.roll(points, 1, axis=0))
            after.append(np.roll(points, -1, axis=0))
    return tuple(np.concatenate(parts) for parts in (corners, before, after))


def bends_round(corner, before, after, far):
    """Whether a way from far off may bend at a corner: both its sides lie on one side of the line."""
    ahead = far - corner

    def aside(point):
        way = point - corner
        return ahead[:, 0] * way[:, 1] - ahead[:, 1] * way[:, 0]

    return aside(before) * aside(after) >= -1e-9
