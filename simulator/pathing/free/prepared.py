"""A table prepared for movers of one radius, shared by all queries about it.

Two layers. The terrain (walls, polygons, border) keeps the free lines between its corners; on top of it stand the
bases. Moving a base creates a new upper layer on the same terrain. Both are cached by the hash of their content, and
both find lines only as far as queries reach.
"""

from __future__ import annotations

import math
import threading
from functools import cached_property
from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import ArrayLike, NDArray

from simulator.byte_cache import ByteCache
from simulator.errors import BoardError
from simulator.geometry.tolerances import CONTACT, HAIR, NO_FIT, ON_WALL, SLACK
from simulator.pathing.columns import join, pick, sorted_once
from simulator.pathing.free.barriers import Barriers, Cast
from simulator.pathing.free.bitangents import Bitangents, Circles, Leaning, TangentLines
from simulator.pathing.free.exposure import (
    Covers,
    Pairs,
    covered_by_border,
    covered_by_discs,
    covered_by_walls,
    free_arcs,
    near_arcs,
    near_discs,
    unique_pairs,
)
from simulator.pathing.free.obstacles import Bools, Box, Floats, Ints, Obstacles
from simulator.pathing.free.ranks import ranks
from simulator.pathing.free.tangents import TWO_PI

#: The most bytes of prepared tables in the cache, and of the terrain that they share.
_KEPT_BYTES = 192 * 2**20
#: The most edges or polygons whose boxes are compared with each point: points are not created sooner.
_FEW = 50
#: Fewer points are made as soon as they are compared.
_FEW_POINTS = 16
#: So many bytes of pictures of where a terrain bars a centre.
_DRAWN_BYTES = 16 * 2**20


class Arrivals(NamedTuple):
    """Places on directed arcs."""

    arc: Ints
    place: Floats


class Terrain:
    """The fixed part of a table for one radius: corners as circles, their free arcs, the lines between them."""

    def __init__(self, obstacles: Obstacles, radius: float, exact_fit: bool) -> None:
        self.room = max(radius, HAIR) + (0.0 if exact_fit else NO_FIT)
        self.measured = radius + (0.0 if exact_fit else NO_FIT)
        self.slack = min(SLACK, 1e-3 * self.room)
        border = obstacles.border
        self.border = None if border is None else _inset(border, radius)
        self.polygons = obstacles.polygons
        self.edges = obstacles.edges
        self.walls_alone = len(obstacles.wall_rows)
        corners = np.unique(self.edges.reshape(-1, 2), axis=0)
        count = len(corners)
        x, y = (np.ascontiguousarray(column) for column in corners.T)
        self.circles = Circles(x, y, np.full(count, self.room), np.full(count, self.measured))
        #: The circles at both ends of each edge.
        order = {tuple(corner): at for at, corner in enumerate(corners.tolist())}
        self.edge_circles = np.array(
            [[order[x1, y1], order[x2, y2]] for x1, y1, x2, y2 in self.edges.tolist()], np.intp
        ).reshape(-1, 2)
        #: The most corners that one outline has.
        self.longest_ring = int(np.bincount(obstacles.edge_things, minlength=1).max(initial=0))
        # Where a mover without size crosses the border of a polygon, what lies within is looked at, too; see `barred`.
        is_border = (np.arange(len(self.edges)) >= self.walls_alone) & (radius == 0.0)
        on_wall = np.where(is_border, CONTACT, ON_WALL)
        self.barriers = Barriers(self.circles.rows, self.edges, self.room, self.slack, on_wall)
        own = join([self._covers_inside(corners), self._covers_at_corners()])
        self.covers = join([own, self.covers_of(self.circles.rows, own)])
        arcs = free_arcs(count, self.covers)
        if self.longest_ring >= _LONG_RING:
            self.barriers.list_rims(arcs.circle, arcs.begin, arcs.extent)
        leaning = Leaning.of(arcs, count)
        self.bitangents = Bitangents(self.circles, leaning, [self.barriers])
        #: Pictures of where the terrain bars a centre, by radius, error and side; see `forbidden`.
        self.drawings: ByteCache[NDArray[np.object_]] = ByteCache(_DRAWN_BYTES, _drawn_bytes)

    @property
    def byte_count(self) -> int:
        """How much memory it takes by now: it grows with what is asked."""
        kept = (*self.circles, *self.covers, self.edges, self.edge_circles)
        # The grids of barriers list each edge some ten times; trees and polygons are kept outside of numpy.
        listed = 400 * len(self.edges) + 100 * len(self.barriers.x)
        return sum(array.nbytes for array in kept) + listed + self.bitangents.byte_count + self.drawings.byte_count

    def covers_of(self, circles: Floats, known: Covers) -> Covers:
        """Return the arcs of any circles (rows x, y, radius) that the terrain covers, where nothing covers them yet."""
        parts = [known]
        if self.border is not None:
            parts.append(covered_by_border(circles, self.border, self.slack))
        near = near_arcs(circles, free_arcs(len(circles), join(parts)), self._edge_tree, self.room)
        return join([*parts[1:], *self._covers_by_edges(circles, near)])

    def are_joined(self, one: Ints, other: Ints) -> Bools:
        """Return which pairs of circles are the two ends of an edge."""
        low, high = np.minimum(one, other), np.maximum(one, other)
        count = np.intp(len(self.circles.x))
        known = sorted_once(self.edge_circles.min(axis=1) * count + self.edge_circles.max(axis=1))
        found: Bools = (high < count) & np.isin(low * count + high, known, kind="sort")
        return found

    def _covers_at_corners(self) -> Covers:
        """Return what covers corners most: the edges that begin and end there."""
        edge = np.arange(len(self.edges))
        ends = self.edge_circles
        at = np.concatenate([ends[:, 0], ends[:, 1]])
        return join(self._covers_by_edges(self.circles.rows, unique_pairs(at, np.concatenate([edge, edge]))))

    def _covers_by_edges(self, circles: Floats, near: Pairs) -> list[Covers]:
        at, edge = near
        ends = unique_pairs(np.concatenate([at, at]), self.edge_circles[edge].T.ravel())
        return [
            covered_by_walls(circles, self.edges, self.room, self.slack, near),
            covered_by_discs(circles, self.circles.rows, self.slack, ends),
        ]

    @cached_property
    def edge_lines(self) -> NDArray[np.object_]:
        """The edges as shapely lines."""
        return np.asarray(shapely.linestrings(self.edges.reshape(-1, 2, 2)))

    @cached_property
    def _edge_tree(self) -> shapely.STRtree:
        return shapely.STRtree(self.edge_lines)

    @cached_property
    def _polygon_tree(self) -> shapely.STRtree:
        return shapely.STRtree(self.polygons)

    @cached_property
    def polygon_borders(self) -> NDArray[np.object_]:
        """The border of each polygon."""
        return np.asarray(shapely.boundary(np.array(self.polygons, object)))

    def nearest_edge(self, points: Floats, within: float = np.inf) -> Floats:
        """Return the distance from each point to the nearest edge; inf where it is a limit or more."""
        found = np.full(len(points), np.inf)
        if within <= 0.0 or not len(self.edges):
            return found
        near = self._maybe_within(points, within)
        limit = within if np.isfinite(within) else None
        (at, _), distance = self._edge_tree.query_nearest(
            shapely.points(points[near]), max_distance=limit, all_matches=False, return_distance=True
        )
        found[near[at]] = distance
        return found

    def _maybe_within(self, points: Floats, limit: float) -> Ints:
        """Return the points that edges may be nearer to than a limit: of many edges all."""
        return np.arange(len(points)) if np.isinf(limit) else _in_boxes(points, self._edge_boxes, limit)

    def holding(self, points: Floats) -> tuple[Ints, Ints]:
        """Return the pairs of a point and a polygon that has it inside."""
        near = _in_boxes(points, self._polygon_boxes)
        at, polygon = self._polygon_tree.query(shapely.points(points[near]), predicate="within")
        return near[at], polygon

    @cached_property
    def _edge_boxes(self) -> Floats:
        ends = self.edges.reshape(-1, 2, 2)
        return np.hstack([ends.min(axis=1), ends.max(axis=1)])

    @cached_property
    def _polygon_boxes(self) -> Floats:
        return np.asarray(shapely.bounds(np.array(self.polygons, object)))

    def depth_inside(self, points: Floats) -> Floats:
        """Compute how far each point is from the border of the polygon that has it inside; -inf outside all."""
        depth = np.full(len(points), -np.inf)
        at, polygon = self.holding(points)
        np.maximum.at(depth, at, shapely.distance(shapely.points(points[at]), self.polygon_borders[polygon]))
        return depth

    def _covers_inside(self, corners: Floats) -> Covers:
        """Return corners buried in a polygon: nobody comes near them."""
        if not self.polygons or not len(corners):
            return Covers(np.zeros(0, np.intp), np.zeros(0), np.zeros(0))
        buried = np.flatnonzero(self.depth_inside(corners) > 2 * self.room)
        return Covers(buried, np.zeros(len(buried)), np.full(len(buried), TWO_PI))


class PreparedTable:
    """A table with bases on it, made ready for movers of one radius.

    >>> table = PreparedTable(Obstacles(discs=[(3, 0, 0.5)], border=(-9, -9, 9, 9)), radius=0.5)
    >>> table.legal([(0, 0), (2, 0), (2.5, 0), (8.5, 0), (8.6, 0)])
    array([ True,  True, False,  True, False])
    """

    def __init__(self, obstacles: Obstacles, radius: float, *, exact_fit: bool = True) -> None:
        if not 0.0 <= radius <= 1e6:
            raise BoardError(f"must be 0 or more and finite, but is {radius}", "radius")
        self.obstacles, self.radius, self.exact_fit = obstacles, float(radius), exact_fit
        key = (obstacles.terrain_hash, self.radius, exact_fit)
        self.terrain = _terrains.get(key, lambda: Terrain(obstacles, self.radius, exact_fit))
        terrain = self.terrain
        discs = np.unique(obstacles.disc_rows, axis=0)
        x, y, base = discs.T
        bases = Circles(x.copy(), y.copy(), base + terrain.room, base + terrain.measured)
        self.circles = join([terrain.circles, bases])
        self.base_barriers = Barriers(bases.rows, np.zeros((0, 4)), terrain.room, terrain.slack)
        self.arcs = free_arcs(len(self.circles.x), self._covers(bases.rows))
        leaning = Leaning.of(self.arcs, len(self.circles.x))
        corners = len(terrain.circles.x)
        self._own = Bitangents(self.circles, leaning, [terrain.barriers, self.base_barriers], first=corners)
        self._build_lookup()
        self._grown = _Grown(Graph(self), np.full(len(self.circles.x), -np.inf), 0, 0)
        self._growing = threading.Lock()

    @property
    def byte_count(self) -> int:
        """How much memory it takes by now, without its terrain."""
        kept = (*self.circles, *self.arcs, self._lookup_rank, self._lookup_arc, self._lookup_begin)
        return sum(array.nbytes for array in kept) + self._own.byte_count + self._grown.graph.byte_count

    @cached_property
    def content_hash(self) -> str:
        """A fingerprint of the obstacles, the radius and the reading of an exact fit."""
        return f"{self.obstacles.content_hash}-{self.radius!r}-{'fit' if self.exact_fit else 'nofit'}"

    @cached_property
    def longest_line(self) -> float:
        """How long a straight line on the table can be; inf where it has no border."""
        border = self.obstacles.border
        return math.inf if border is None else math.hypot(border[2] - border[0], border[3] - border[1])

    def with_discs(self, discs: ArrayLike) -> PreparedTable:
        """Return the same terrain with other bases; what the terrain has found stays found."""
        return prepare(self.obstacles.with_discs(discs), self.radius, exact_fit=self.exact_fit)

    def _covers(self, bases: Floats) -> Covers:
        corners = len(self.terrain.circles.x)
        slack = self.terrain.slack
        among = covered_by_discs(bases, bases, slack, near_discs(bases, bases))
        on_bases = join([among, self.terrain.covers_of(bases, among)])
        ground = self.terrain.circles.rows
        return join(
            [
                self.terrain.covers,
                covered_by_discs(ground, bases, slack, near_discs(ground, bases)),
                Covers(on_bases.circle + corners, on_bases.begin, on_bases.extent),
            ]
        )

    # -- arcs ----------------------------------------------------------------------------------------------

    def _build_lookup(self) -> None:
        """Arcs by angle. One that goes over the angle 0 stands there twice, the second time a turn earlier."""
        over = np.flatnonzero(self.arcs.begin + self.arcs.extent > TWO_PI)
        arc = np.concatenate([np.arange(len(self.arcs.circle)), over])
        begin = np.concatenate([self.arcs.begin, self.arcs.begin[over] - TWO_PI])
        rank = ranks(self.arcs.circle[arc], begin)
        order = np.argsort(rank, kind="stable")
        self._lookup_rank, self._lookup_arc, self._lookup_begin = rank[order], arc[order], begin[order]

    def locate(self, circle: Ints, turn: Floats, angle: Floats) -> Arrivals:
        """Find the directed arcs at angles of circles run in a turn; -1 where the circle is not free.

        Directed arc 2 * k runs along arc k counter-clockwise, 2 * k + 1 clockwise; places on it are angles counted
        from where it begins.
        """
        found = np.searchsorted(self._lookup_rank, ranks(circle, angle) + 1e-9, side="right") - 1
        if not len(self._lookup_rank):
            return Arrivals(np.full(len(circle), -1), np.zeros(len(circle)))
        found = np.maximum(found, 0)
        arc = self._lookup_arc[found]
        forward = angle - self._lookup_begin[found]
        extent = self.arcs.extent[arc]
        free = (self.arcs.circle[arc] == circle) & (forward >= -1e-9) & (forward <= extent + 1e-9)
        forward = np.clip(forward, 0.0, extent)
        clockwise = turn < 0.0
        place = np.where(clockwise, extent - forward, forward)
        return Arrivals(np.where(free, 2 * arc + clockwise, -1), place)

    def angle_at(self, directed: Ints, place: Floats) -> Floats:
        """Return the angle, seen from the centre, of places on directed arcs."""
        arc = directed >> 1
        forward = np.where(directed & 1, self.arcs.extent[arc] - place, place)
        angle: Floats = self.arcs.begin[arc] + forward
        return angle

    # -- lines ---------------------------------------------------------------------------------------------

    def barred(self, segments: Floats, *, from_contact: bool = False) -> Bools:
        """Return which segments of the centre are barred; see `Barriers.barred`."""
        barred = self.terrain.barriers.barred(segments, from_contact=from_contact)
        if len(self.base_barriers.x):
            left = np.flatnonzero(~barred)
            barred[left] = self.base_barriers.barred(segments[left], from_contact=from_contact)
        if from_contact and self.radius == 0.0 and self.terrain.polygons:
            # Between two places on its border a mover without size crosses a polygon without crossing an edge.
            left = np.flatnonzero(~barred)
            middle = (segments[left, :2] + segments[left, 2:]) / 2
            barred[left] = self.terrain.depth_inside(middle) > CONTACT
        return barred

    def cast(self, x: Floats, y: Floats, ux: Floats, uy: Floats, limit: Floats, from_rim: Bools) -> Cast:
        """Follow rays until they would enter an obstacle; circles stop them by their numbers, then come edges.

        `from_rim` marks the rays that begin on the free rim of a circle, not at the place of a unit.
        """
        length, stopper = self.terrain.barriers.cast(x, y, ux, uy, limit, from_rim)
        corners, bases = len(self.terrain.circles.x), len(self.base_barriers.x)
        stopper = np.where(stopper >= corners, stopper + bases, stopper)
        if bases:
            nearer = self.base_barriers.cast(x, y, ux, uy, length, from_rim)
            stopper = np.where(nearer.stopper >= 0, nearer.stopper + corners, stopper)
            length = nearer.length
        return Cast(length, stopper)

    def on_border(self, places: Floats) -> Floats:
        """Return places, those of a mover without size a hair inside a polygon moved onto its border; rows x, y.

        A mover with a size begins outside the polygons that it touches, however deep.
        """
        if self.radius or not self.terrain.polygons:
            return places
        at, polygon = self.terrain.holding(places)
        lines = shapely.shortest_line(self.terrain.polygon_borders[polygon], shapely.points(places[at]))
        near = np.flatnonzero(shapely.length(lines) <= CONTACT)
        moved = places.copy()
        moved[at[near]] = shapely.get_coordinates(lines[near])[::2]
        return moved

    def graph_for(self, reach: Floats) -> Graph:
        """Return a graph that holds all lines from circles up to their reach. It never changes; a search keeps it."""
        grown = self._grown
        if np.all(reach <= grown.reach):
            return grown.graph
        with self._growing:
            grown = self._grown
            corners = len(self.terrain.circles.x)
            ground, own = self.terrain.bitangents.ensure(reach[:corners]), self._own.ensure(reach)
            new_ground = pick(ground, slice(grown.ground, None))
            new_own = pick(own, slice(grown.own, None))
            graph = grown.graph
            if len(new_ground.source) or len(new_own.source):
                if len(self.base_barriers.x):
                    new_ground = pick(new_ground, np.flatnonzero(~self.base_barriers.barred(new_ground.segment)))
                graph = graph.with_lines(join([new_ground, new_own]))
            self._grown = _Grown(graph, np.maximum(grown.reach, reach), len(ground.source), len(own.source))
            return graph

    # -- places --------------------------------------------------------------------------------------------

    def depths(self, places: ArrayLike) -> Floats:
        """Compute how deep a base at each place would lie in what bars it; 0 or below where it may stand.

        Inside a closed polygon the depth is counted from its border.
        """
        return self._depths(np.asarray(places, np.float64).reshape(-1, 2))

    def _depths(self, points: Floats, above: float = -np.inf) -> Floats:
        """Compute the same where it is more than a limit; elsewhere it may be -inf, which takes less time."""
        x, y = points.T
        depths = [np.full(len(points), -np.inf)]
        discs = self.obstacles.disc_rows
        if len(discs):
            gaps = np.hypot(x[:, None] - discs[:, 0], y[:, None] - discs[:, 1]) - discs[:, 2]
            depths.append(self.radius - gaps.min(axis=1))
        if len(self.terrain.edges):
            depths.append(self.radius - self.terrain.nearest_edge(points, self.radius - above))
        if self.terrain.polygons:
            depths.append(self.radius + self.terrain.depth_inside(points))
        if self.terrain.border is not None:
            min_x, min_y, max_x, max_y = self.terrain.border
            depths += [min_x - x, x - max_x, min_y - y, y - max_y]
        deepest: Floats = np.max(depths, axis=0)
        return deepest

    def legal(self, places: ArrayLike) -> Bools:
        """Find at which places the base may stand: contact is legal, overlap is not."""
        return self._depths(np.asarray(places, np.float64).reshape(-1, 2), above=0.0) <= CONTACT

    def overlapped(self, place: tuple[float, float]) -> list[int]:
        """Return the numbers of the things that a base at a place overlaps deeper than contact."""
        point, spot = np.array([place], np.float64), shapely.Point(place)
        x, y, base = self.obstacles.disc_rows.T
        discs = np.flatnonzero(base + self.radius - np.hypot(x - place[0], y - place[1]) > CONTACT)
        near = shapely.distance(spot, self.terrain.edge_lines) < self.radius - CONTACT
        _, whose = self.terrain.holding(point)
        whose = whose[self.radius + shapely.distance(spot, self.terrain.polygon_borders[whose]) > CONTACT]
        polygons = whose + self.obstacles.things - len(self.obstacles.polygons)
        found = np.concatenate([discs, self.obstacles.edge_things[near], polygons])
        return [int(number) for number in np.unique(found)]


def _in_boxes(points: Floats, boxes: Floats, around: float = 0.0) -> Ints:
    """Return the points that lie in some box, rows min x, min y, max x, max y, or near it; of few points all."""
    if len(boxes) > _FEW or len(points) < _FEW_POINTS:
        return np.arange(len(points))
    x, y = points.T[:, :, None]
    x1, y1, x2, y2 = boxes.T
    inside = (x >= x1 - around) & (x <= x2 + around) & (y >= y1 - around) & (y <= y2 + around)
    return np.flatnonzero(np.any(inside, axis=1))


class _Grown(NamedTuple):
    """The extent of the graph of a table: its reach, and its numbers of lines of terrain and bases."""

    graph: Graph
    reach: Floats
    ground: int
    own: int


class Graph:
    """Where lines leave directed arcs and where they arrive, sorted by where they leave.

    Round a finely drawn outline a way runs from corner to corner, a hair at a time. So that it need not be followed
    hair by hair there are `express` lines, too: 8, 64, 512 edges of one outline at once, with the arcs between them.
    """

    def __init__(self, table: PreparedTable, plain: _GraphLines | None = None) -> None:
        self._table = table
        none, numbers = np.zeros(0), np.zeros(0, np.intp)
        #: The line along the edge after each directed arc: its row in `_plain`, -1 where there is none.
        self._onward = numbers
        #: The directed arc whose edge leads to each; -1 where there is none, or more than one.
        self.before = numbers
        self._plain = plain or _GraphLines(numbers, none, numbers, none, none, np.zeros(0, np.bool_))
        lines = join([self._plain, *self._express_lines()]) if plain else self._plain
        rank = ranks(lines.source, lines.leaves)
        order = np.argsort(rank, kind="stable")
        self.rank = rank[order]
        self.source, self.leaves, self.target, self.arrives, self.length, self.express = pick(lines, order)

    @property
    def byte_count(self) -> int:
        """How much memory the lines take."""
        columns = (self.rank, self.source, self.leaves, self.target, self.arrives, self.length, self.express)
        return sum(column.nbytes for column in (*columns, *self._plain, self._onward, self.before))

    def with_lines(self, lines: TangentLines) -> Graph:
        """Return a graph with more lines, in both directions, where both their ends lie on free arcs."""
        both = join([lines, lines.reversed()])
        leaving = self._table.locate(both.source, both.source_turn, both.source_angle)
        reaching = self._table.locate(both.target, both.target_turn, both.target_angle)
        kept = np.flatnonzero((leaving.arc >= 0) & (reaching.arc >= 0))
        new = _GraphLines(
            leaving.arc[kept],
            leaving.place[kept],
            reaching.arc[kept],
            reaching.place[kept],
            both.length[kept],
            np.zeros(len(kept), np.bool_),
        )
        return Graph(self._table, join([self._plain, new]))

    def _express_lines(self) -> list[_GraphLines]:
        table, plain = self._table, self._plain
        if table.terrain.longest_ring < _LONG_RING:
            return []
        arcs = table.arcs.circle
        same_turn = (plain.source & 1) == (plain.target & 1)
        edges = np.flatnonzero(same_turn & table.terrain.are_joined(arcs[plain.source >> 1], arcs[plain.target >> 1]))
        self._onward = np.full(2 * len(arcs), -1)
        self._onward[plain.source[edges[::-1]]] = edges[::-1]
        have = np.flatnonzero(self._onward >= 0)
        first = pick(plain, self._onward[have])
        self.before = np.full(2 * len(arcs), -1)
        self.before[first.target] = have
        self.before[np.bincount(first.target, minlength=2 * len(arcs)) > 1] = -1
        hop = _Hops(have, first.target, first.arrives, first.length, np.zeros(len(have)))
        measured = np.repeat(table.circles.measured[arcs], 2)
        found = []
        for doubling in range(3 * _EXPRESS_SIZES):
            hop = self._doubled(hop, measured)
            if doubling % 3 == 2 and len(hop.source):
                leaves = plain.leaves[self._onward[hop.source]]
                flags = np.ones(len(leaves), np.bool_)
                found.append(_GraphLines(hop.source, leaves, hop.target, hop.arrives, hop.length, flags))
        return found

    def _doubled(self, hop: _Hops, measured: Floats) -> _Hops:
        """Return the hops that are two of some hops, one after the other, and go no farther than once round."""
        row = np.full(len(self._onward), -1)
        row[hop.source] = np.arange(len(hop.source))
        on = row[hop.target]
        leaves = np.where(on >= 0, self._plain.leaves[self._onward[hop.target]], 0.0)
        ran = leaves - hop.arrives
        angle = hop.angle + ran + np.where(on >= 0, hop.angle[on], 0.0)
        kept = np.flatnonzero((on >= 0) & (ran >= 0.0) & (angle < TWO_PI))
        on = on[kept]
        length = hop.length[kept] + measured[hop.target[kept]] * ran[kept] + hop.length[on]
        return _Hops(hop.source[kept], hop.target[on], hop.arrives[on], length, angle[kept])

    def onward(self, arc: int) -> tuple[float, int, float]:
        """Return where the line along the edge after a directed arc leaves it, which arc it reaches, and where."""
        row = self._onward[arc]
        return float(self._plain.leaves[row]), int(self._plain.target[row]), float(self._plain.arrives[row])


class _GraphLines(NamedTuple):
    """Lines from place to place of directed arcs."""

    source: Ints
    leaves: Floats
    target: Ints
    arrives: Floats
    length: Floats
    express: Bools


class _Hops(NamedTuple):
    """Ways along several edges: from which arc, to which and where, how long, and how far they turn."""

    source: Ints
    target: Ints
    arrives: Floats
    length: Floats
    angle: Floats


#: Outlines with fewer corners are followed edge by edge.
_LONG_RING = 24
_EXPRESS_SIZES = 3


_terrains: ByteCache[Terrain] = ByteCache(_KEPT_BYTES, lambda terrain: terrain.byte_count, grows=True)
_tables: ByteCache[PreparedTable] = ByteCache(_KEPT_BYTES, lambda table: table.byte_count, grows=True)


def prepare(obstacles: Obstacles, radius: float, *, exact_fit: bool = True) -> PreparedTable:
    """Prepare a table for movers of a radius, or return the one cached for the same content.

    With `exact_fit` a gap of exactly the mover's width is open, otherwise it has to be wider by two millionths.

    >>> one = prepare(Obstacles(discs=[(3, 0, 0.5)]), 0.5)
    >>> prepare(Obstacles(discs=[(3, 0, 0.5)]), 0.5) is one
    True
    >>> one.with_discs([(4, 0, 0.5)]).terrain is one.terrain
    True
    """
    key = (obstacles.content_hash, float(radius), exact_fit)
    return _tables.get(key, lambda: PreparedTable(obstacles, radius, exact_fit=exact_fit))


def forget() -> None:
    """Clear the cache of prepared tables, for measurements that start from scratch."""
    _tables.clear()
    _terrains.clear()


def _drawn_bytes(bodies: NDArray[np.object_]) -> int:
    return 200 * len(bodies) + 32 * int(shapely.get_num_coordinates(bodies).sum())


def _inset(border: Box, radius: float) -> Box:
    return border[0] + radius, border[1] + radius, border[2] - radius, border[3] - radius
