"""Straight lines of an exact length that begin anywhere in an area: their ends and their starts.

From one start such lines end on a circle, from an area on ground: where nothing is in the way, on all that has places
of the area both as near and as far as the line is long. A place is an end where the circle about it meets the area on a
line that is free. Which lines are free changes only where the circle crosses the area's outline, or a line touches
something: so those directions are looked at, and one between each two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import affinity
from shapely.geometry.base import BaseGeometry

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.snapping import difference, union
from simulator.geometry.tolerances import GRID
from simulator.pathing.free.prepared import PreparedTable

#: Starts this near to a drawn area, in inches, may be places that it falls short of, and are checked exactly.
_NEAR = 0.01
#: How many corners a quarter of a circle is drawn with: within a thousandth of an inch up to 30 inches.
_ROUND = 96
#: How far apart the ends of one start are, where things are in the way, in inches: the ground drawn between two of them
#: falls short by half of that at most.
_STEP = 0.012
#: How many corners a quarter of what bars the way is drawn with, outside it: nothing that it bars is drawn as an end.
_CORNERS = 16
_MANY_CORNERS = 64
#: What bars a centre is taken so much slimmer where lines of far sides touch it, in inches.
_TOUCH = 1e-5
#: Lines of far sides that turn by less than this are straight; others may be off the true curve by so much, in inches.
_BENT = 1e-3
_OFF_LINE = 0.005
#: So many pairs of a place and a line or circle are looked at together.
_AT_ONCE = 1 << 20


class Origins(Protocol):
    """Where lines may begin: an area, perhaps lines besides, and the exact answer place by place."""

    @property
    def area(self) -> BaseGeometry:
        """The places as polygons, which may fall short by up to a hundredth of an inch."""

    @property
    def lines(self) -> Sequence[BaseGeometry]:
        """Those that are lines or single places."""

    def ends(self, places: FloatArray) -> BoolArray:
        """Find at which places (rows x, y) a line may begin."""


def starts_for(
    origins: Origins,
    ground: PreparedTable,
    inches: float,
    places: FloatArray,
    hub: XY,
    may_begin: Callable[[FloatArray], BoolArray] | None = None,
) -> FloatArray:
    """Compute for each place a start among the origins from which it is just so far on a free line; nan if none.

    `hub` is a place that lines often begin near, such as where the mover stands: it is looked at besides. `may_begin`
    finds starts that are no good for this ground, at less cost than `ends`.
    """
    found = np.full((len(places), 2), np.nan)
    shapes = [origins.area, *origins.lines]
    edges = np.concatenate([np.zeros((0, 4)), *(_edges(shape) for shape in shapes)])
    whole = shapely.GeometryCollection(shapes)
    shapely.prepare(whole)
    some = np.flatnonzero(shapely.dwithin(whole, shapely.points(places), inches + _NEAR))
    count = len(some) * (len(edges) + len(ground.circles.x)) // _AT_ONCE + 1
    for rows in np.array_split(some, count):
        row, angle = _turning_points(ground, inches, places[rows], edges, hub)
        starts = places[rows][row] + inches * np.stack([np.cos(angle), np.sin(angle)], axis=1)
        kept = np.flatnonzero(shapely.dwithin(whole, shapely.points(starts), _NEAR))
        kept = kept[~ground.barred(np.hstack([starts[kept], places[rows][row[kept]]]), from_contact=True)]
        if may_begin is not None:
            kept = kept[may_begin(starts[kept])]
        inside = shapely.intersects(whole, shapely.points(starts[kept]))
        kept = kept[np.lexsort((~inside, row[kept]))]
        found[rows] = _first_ends(origins, starts[kept], row[kept], len(rows))
    return found


def _first_ends(origins: Origins, starts: FloatArray, row: IntArray, count: int) -> FloatArray:
    """Return the first valid start of each row, nan if there is none; all rows are checked together."""
    found = np.full((count, 2), np.nan)
    rank = np.arange(len(row)) - np.searchsorted(row, row)
    for turn in range(int(rank.max(initial=-1)) + 1):
        ends = np.flatnonzero(rank == turn)
        ends = ends[np.isnan(found[row[ends], 0])]
        ends = ends[origins.ends(starts[ends])] if len(ends) else ends
        found[row[ends]] = starts[ends]
    return found


def _turning_points(
    ground: PreparedTable, inches: float, places: FloatArray, edges: FloatArray, hub: XY
) -> tuple[IntArray, FloatArray]:
    """Directions from places at which lines become free or barred, and one between each two: rows, and angles."""
    step = edges[:, 2:] - edges[:, :2]
    length = np.hypot(*step.T)
    along = step / length[:, None]
    off = places[:, None] - edges[:, :2]
    foot = np.sum(off * along, axis=2)
    aside = np.abs(off[..., 0] * along[:, 1] - off[..., 1] * along[:, 0])
    half = np.sqrt(np.maximum(inches**2 - aside**2, 0.0))
    rows, angles = [], []
    for at in (foot - half, foot + half):
        row, edge = np.nonzero((aside <= inches) & (at >= 0.0) & (at <= length))
        onward = edges[edge, :2] + at[row, edge][:, None] * along[edge] - places[row]
        rows.append(row)
        angles.append(np.arctan2(onward[:, 1], onward[:, 0]))
    circles = ground.circles
    onward = np.stack([circles.x, circles.y], axis=1) - places[:, None]
    far = np.hypot(onward[..., 0], onward[..., 1])
    row, circle = np.nonzero((far >= circles.measured) & (far <= inches + circles.measured) & (far > 0.0))
    middle = np.arctan2(onward[row, circle, 1], onward[row, circle, 0])
    turn = np.arcsin(circles.measured[circle] / far[row, circle])
    onward = hub - places
    rows += [row, row, np.arange(len(places))]
    angles += [middle - turn, middle + turn, np.arctan2(onward[:, 1], onward[:, 0])]
    row, angle = np.concatenate(rows), np.mod(np.concatenate(angles), 2.0 * np.pi)
    order = np.lexsort((angle, row))
    row, angle = row[order], angle[order]
    last = np.append(row[1:] != row[:-1], True)
    first = np.searchsorted(row, row)
    following = np.where(last, angle[first] + 2.0 * np.pi, np.roll(angle, -1))
    return np.concatenate([row, row]), np.concatenate([(angle + following) / 2.0, angle])


def _edges(shape: BaseGeometry) -> FloatArray:
    """Return the edges of a shape with any length, rows x1, y1, x2, y2."""
    corners, part = shapely.get_coordinates(_lines(shape), return_index=True)
    rows = np.hstack([corners[:-1], corners[1:]])[part[:-1] == part[1:]]
    return np.asarray(rows[np.hypot(*(rows[:, 2:] - rows[:, :2]).T) > 0.0])


def _lines(shape: BaseGeometry) -> list[BaseGeometry]:
    parts = shapely.get_parts(shapely.get_parts(shape))
    rings = shapely.get_rings(parts[shapely.get_dimensions(parts) == 2])
    return [*rings, *parts[shapely.get_dimensions(parts) == 1]]


def ends_from_area(area: BaseGeometry, ground: PreparedTable, inches: float) -> BaseGeometry:
    """Return the ground on which lines of an exact length from an area end; what may not be ended on, too.

    >>> from simulator.pathing.free import Obstacles, prepare
    >>> ring = ends_from_area(shapely.box(0, 0, 1, 1), prepare(Obstacles(), 0.5), 4.0)
    >>> ring.contains(shapely.Point(4.9, 0.5)), ring.contains(shapely.Point(0.5, 0.5))
    (True, False)
    """
    # A start inside closed ground, such as rough ground may be, need not cross an edge of it.
    closed = [part for part in ground.terrain.polygons if shapely.intersects(part, area)]
    area = difference(area, union(closed)) if closed else area
    bodies = _bodies(ground)
    bodies = bodies[shapely.distance(bodies, area) <= inches] if len(bodies) else bodies
    if not len(bodies):
        return union([_around(part, inches) for part in shapely.get_parts(area)])
    return _past(area, bodies, inches)


def ends_from_lines(lines: Sequence[BaseGeometry], ground: PreparedTable, inches: float) -> BaseGeometry:
    """Return the ground on which lines of an exact length end that begin on lines, such as far sides of links.

    >>> from simulator.pathing.free import Obstacles, prepare
    >>> wall = shapely.LineString([(0, 0), (0, 3)])
    >>> ground = ends_from_lines([wall], prepare(Obstacles(), 0.5), 4.0)
    >>> ground.contains(shapely.Point(3.9, 1.5)), ground.contains(shapely.Point(2, 1.5))
    (True, False)
    """
    closed = union([shapely.Polygon(), *ground.terrain.polygons])
    bodies, slim = _bodies(ground), _bodies(ground, is_slim=True)
    found: list[BaseGeometry] = [shapely.Polygon()]
    for whole in lines:
        line = shapely.simplify(whole, GRID)
        free = shapely.difference(line, closed) if shapely.intersects(line, closed) else line
        # A base that comes down behind something touches it, which does not bar it from leaving.
        barring = np.where(shapely.distance(bodies, free) > 0.0, bodies, slim) if len(bodies) else bodies
        near = barring[shapely.distance(barring, free) <= inches] if len(bodies) else bodies
        parts = [part for part in shapely.get_parts(free) if part.length]
        drawn = _strips(free, near, inches) if len(near) else union([_around(part, inches) for part in parts])
        # Round corners lines are drawn straight between far sides: what lies that far out may be no end.
        is_straight = len(shapely.get_coordinates(shapely.simplify(line, _BENT))) == 2
        found.append(drawn.buffer(-_BENT if is_straight else -_OFF_LINE))
    return union(found)


def _strips(line: BaseGeometry, bodies: NDArray[np.object_], inches: float) -> BaseGeometry:
    """Return the ground that a line covers when moved in each direction and to the next, without barred starts."""
    left, moves = [], []
    for move, swept in _directions(line, bodies, inches):
        left.append(shapely.difference(line, shapely.union_all(swept)) if len(swept) else line)
        moves.append(move)
    rest = np.array(left, object)
    # What was cut off is a hair off the line: the next is taken that wide.
    both = shapely.intersection(rest, shapely.buffer(np.roll(rest, -1), GRID / 10, cap_style="flat"))
    parts, number = shapely.get_parts(both, return_index=True)
    number = number[shapely.length(parts) > 0.0]
    corners, part = shapely.get_coordinates(parts[shapely.length(parts) > 0.0], return_index=True)
    same = part[1:] == part[:-1]
    one, other, number = corners[:-1][same], corners[1:][same], number[part[:-1][same]]
    here, there = np.array(moves)[number], np.roll(np.array(moves), -1, axis=0)[number]
    strips = np.asarray(shapely.polygons(np.stack([one + here, other + here, other + there, one + there], axis=1)))
    strips = strips[shapely.is_valid(strips) & (shapely.area(strips) > 0.0)]
    return shapely.union_all(strips, grid_size=GRID)


def _around(part: BaseGeometry, inches: float) -> BaseGeometry:
    """Return the places with points of a connected area both nearer and farther than the length of a line."""
    corners = shapely.get_coordinates(shapely.convex_hull(part))
    wide = inches / np.cos(np.pi / (4 * _ROUND)) + 1e-6
    inner = shapely.intersection_all(shapely.buffer(shapely.points(corners), wide, quad_segs=_ROUND))
    return shapely.difference(part.buffer(inches - 1e-6, quad_segs=_ROUND), inner)


def _bodies(ground: PreparedTable, *, is_slim: bool = False) -> NDArray[np.object_]:
    """Return the obstacles of a centre as convex bodies, grown by the base; slightly slimmer if `is_slim`."""
    discs = ground.obstacles.disc_rows.reshape(-1, 3)
    corners = _MANY_CORNERS if is_slim else _CORNERS
    wide, off = (1.0, _TOUCH) if is_slim else (1.0 / np.cos(np.pi / (4 * corners)), 0.0)
    edges = shapely.buffer(ground.terrain.edge_lines, ground.radius * wide - off, quad_segs=corners)
    bases = shapely.buffer(shapely.points(discs[:, :2]), (discs[:, 2] + ground.radius) * wide - off, quad_segs=corners)
    return np.concatenate([edges if ground.radius else ground.terrain.edge_lines, bases])


def _past(area: BaseGeometry, bodies: NDArray[np.object_], inches: float) -> BaseGeometry:
    """Return the area moved in each direction, without the starts from which something is in the way."""
    found = []
    for move, swept in _directions(area, bodies, inches):
        left = shapely.difference(area, shapely.union_all(swept)) if len(swept) else area
        found.append(affinity.translate(left, *move.tolist()))
    return shapely.union_all(found)


def _directions(
    starts: BaseGeometry, bodies: NDArray[np.object_], inches: float
) -> Iterator[tuple[FloatArray, NDArray[np.object_]]]:
    """Yield all directions in turn: the way of a line, and the starts from which each body is in its way."""
    count = int(np.ceil(2.0 * np.pi * inches / _STEP))
    corners, body = shapely.get_coordinates(bodies, return_index=True)
    twice = np.append(body, body)
    order = np.argsort(twice, kind="stable")
    for angle in (2.0 * np.pi * np.arange(count) / count).tolist():
        move = inches * np.array([np.cos(angle), np.sin(angle)])
        rows = np.concatenate([corners, corners - move])[order]
        swept = np.asarray(shapely.convex_hull(np.asarray(shapely.multipoints(rows, indices=twice[order]))))
        yield move, swept[shapely.intersects(swept, starts)]
