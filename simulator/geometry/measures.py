"""Measures on the inch table: lengths inside shapes, gaps and overlaps, first contacts of moving bases.

Everything is exact: closed forms, and for oval bases roots and minima found to machine precision. Nothing is
sampled along a path, so nothing slips through a thin wall.

One reading goes through all of it: what is nearer than `TOUCH` touches. Touching is neither overlapping nor
being inside, and a leg that runs along a border is not inside.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import ArrayLike, NDArray
from shapely.geometry.base import BaseGeometry

from simulator.errors import BoardError
from simulator.geometry.footprints import Placed
from simulator.geometry.pieces import XY, FloatArray, Solid
from simulator.geometry.snapping import MAX_COORDINATE, union

#: Two things this near touch; overlaps this shallow are none. Far above rounding, far below the grid.
TOUCH = 1e-9

#: Room for rounding where a caller's own tolerance is inclusive.
_ROUNDING = 1e-12
#: The longest step there is room for.
_FARTHEST = 2 * MAX_COORDINATE
#: How many pairs of a leg and an obstacle are worked on at once.
_PAIRS_AT_ONCE = 500_000

BoolArray = NDArray[np.bool_]
IntArray = NDArray[np.intp]


# -- points and shapes ------------------------------------------------------------------------------------


def points_in_shape(shape: Solid, xy: ArrayLike) -> BoolArray:
    """Tell for each point whether it lies in the interior of a shape; its border does not count.

    >>> from simulator.geometry.pieces import CircleShape
    >>> points_in_shape(CircleShape(0, 0, 1), [(0, 0), (1, 0), (2, 0)])
    array([ True, False, False])
    """
    points = _as_points(xy)
    if _is_curved(shape):
        return np.asarray(np.hypot(*_as_unit_disc(shape, points).T) < 1.0)
    if not shape.polygon.area:
        return np.zeros(len(points), np.bool_)
    return np.asarray(shapely.contains_xy(shape.polygon, points[:, 0], points[:, 1]))


def distances_to_shape(shape: Solid, xy: ArrayLike) -> FloatArray:
    """Give the distance of each point from a shape, 0 for points on it.

    >>> from simulator.geometry.pieces import LineShape
    >>> distances_to_shape(LineShape([(0, 0), (4, 0)]), [(2, 1), (7, 4), (1, 0)])
    array([1., 5., 0.])
    """
    return np.maximum(_clearances(shape, _as_points(xy)), 0.0)


def round_clear(xy: ArrayLike, radius: float, shapes: Iterable[Solid], tolerance: float = TOUCH) -> BoolArray:
    """Tell for each point whether a disc around it overlaps none of the shapes; touching them is allowed.

    >>> from simulator.geometry.pieces import rectangle
    >>> round_clear([(0, 0), (0.5, 0), (0.6, 0)], 0.5, [rectangle((2, 0), (2, 2))])
    array([ True,  True, False])
    """
    _want_radius(radius)
    points = _as_points(xy)
    clear = np.ones(len(points), np.bool_)
    for shape in shapes:
        low, high = _box_of(shape)
        within = (points >= low - radius).all(axis=1) & (points <= high + radius).all(axis=1)
        near = np.flatnonzero(clear & within)
        clear[near] = _clearances(shape, points[near]) >= radius - tolerance
    return clear


def _clearances(shape: Solid, points: FloatArray) -> FloatArray:
    """Distances of points from a shape; inside it, the distance from its border with a minus sign."""
    radius = _radius_of(shape)
    if radius is not None:
        return np.asarray(np.hypot(*(points - _centre_of(shape)).T) - radius)
    if _is_curved(shape):
        return -_least_slack(_centre_of(shape)[None, :], [shape.spread], points)[0]
    marks = shapely.points(points)
    if not shape.polygon.area:
        return np.asarray(shapely.distance(shape.polygon, marks))
    inside = shapely.contains_xy(shape.polygon, points[:, 0], points[:, 1])
    return np.where(inside, -shapely.distance(shape.polygon.boundary, marks), shapely.distance(shape.polygon, marks))


# -- lengths ----------------------------------------------------------------------------------------------


def lengths_inside(path: ArrayLike, shapes: Sequence[Solid]) -> FloatArray:
    """Measure how much of each leg of a path lies inside each shape: an array [leg, shape] of lengths.

    Running along a border is not inside. Bare lines and points have no inside.

    >>> from simulator.geometry.pieces import CircleShape, rectangle
    >>> lengths_inside([(0, 0), (3, 0), (3, 4)], [rectangle((3, 0), (2, 2)), CircleShape(3, 4, 2)])
    array([[1., 0.],
           [1., 2.]])
    """
    corners = _as_points(path)
    starts, ends = corners[:-1], corners[1:]
    lengths = np.zeros((len(starts), len(shapes)))
    areas = [k for k, shape in enumerate(shapes) if not _is_curved(shape) and shape.polygon.area]
    if areas:
        legs, which, low, high = _spans_inside(starts, ends, [shapes[k] for k in areas], TOUCH)
        np.add.at(lengths, (legs, np.array(areas)[which]), high - low)
    for k, shape in enumerate(shapes):
        if _is_curved(shape):
            low, high = _spans_in_ellipse(starts, ends, shape)
            lengths[:, k] = (high - low) * np.hypot(*(ends - starts).T)
    return lengths


def intervals_inside(start: XY, end: XY, shape: Solid) -> FloatArray:
    """Give the stretches of a leg that lie inside a shape, as rows of fractions (from, to) of the leg.

    >>> from simulator.geometry.pieces import PolygonShape
    >>> horseshoe = PolygonShape([(1, -1), (4, -1), (4, 1), (3, 1), (3, 0), (2, 0), (2, 1), (1, 1)])
    >>> intervals_inside((0, 0.5), (10, 0.5), horseshoe)
    array([[0.1, 0.2],
           [0.3, 0.4]])
    """
    leg = _as_points([start, end])
    return _stretches_inside(leg[:1], leg[1:], shape, TOUCH)


def _stretches_inside(starts: FloatArray, ends: FloatArray, shape: Solid, tolerance: float) -> FloatArray:
    """The stretches of a single leg, as fractions."""
    length = float(np.hypot(*(ends - starts)[0]))
    if length <= _ROUNDING:
        inside = _clearances(shape, starts)[0] < -tolerance
        return np.array([[0.0, 1.0]] if inside else []).reshape(-1, 2)
    if _is_curved(shape):
        low, high = _spans_in_ellipse(starts, ends, shape)
        return np.column_stack([low, high])[high > low]
    if not shape.polygon.area:
        return np.empty((0, 2))
    _, _, low, high = _spans_inside(starts, ends, [shape], tolerance)
    begins = np.concatenate([[True], low[1:] > high[:-1]])[: len(low)]
    stops = np.concatenate([begins[1:], [True]])[: len(low)]
    stretches: FloatArray = np.column_stack([low[begins], high[stops]]) / length
    return np.minimum(stretches, 1.0)


def _spans_inside(
    starts: FloatArray, ends: FloatArray, areas: Sequence[Solid], tolerance: float
) -> tuple[IntArray, IntArray, FloatArray, FloatArray]:
    """Cut legs where they cross the borders of areas; give what is inside: leg, area, from and to in inches.

    One flat array holds every edge of every area that a leg may meet, so there is no loop over legs or areas.
    """
    polygons = np.array([area.polygon for area in areas], object)
    bounds = shapely.bounds(polygons)
    low, high = np.minimum(starts, ends), np.maximum(starts, ends)
    near = (low[:, None] <= bounds[None, :, 2:]) & (high[:, None] >= bounds[None, :, :2])
    leg, area = np.nonzero(near.all(axis=2))  # the pairs that may meet

    counts = np.array([len(one.edges) for one in areas])
    edges = np.concatenate([one.edges for one in areas])
    row_counts = counts[area]
    pair = np.repeat(np.arange(len(leg)), row_counts)
    within = np.arange(len(pair)) - np.repeat(np.cumsum(row_counts) - row_counts, row_counts)
    edge = edges[(np.cumsum(counts) - counts)[area[pair]] + within]

    steps = ends - starts
    length = np.hypot(*steps.T)
    along = np.divide(steps, length[:, None], out=np.zeros_like(steps), where=length[:, None] > 0.0)
    ux, uy = along[leg[pair]].T
    sx, sy = starts[leg[pair]].T
    x1, y1, x2, y2 = edge.T
    off1, off2 = ux * (y1 - sy) - uy * (x1 - sx), ux * (y2 - sy) - uy * (x2 - sx)
    at1, at2 = ux * (x1 - sx) + uy * (y1 - sy), ux * (x2 - sx) + uy * (y2 - sy)
    crossed = off1 * off2 < 0.0
    corner = np.abs(off1) <= tolerance  # where a leg runs onto an edge and off it again
    crossing = at1[crossed] + (at2 - at1)[crossed] * (off1[crossed] / (off1 - off2)[crossed])

    whole = length[leg]
    cut_pair = np.concatenate([pair[crossed], pair[corner], *[np.arange(len(leg))] * 2])
    cut_at = np.concatenate([crossing, at1[corner], np.zeros(len(leg)), whole])
    cut_at = np.clip(cut_at, 0.0, whole[cut_pair])
    order = np.lexsort((cut_at, cut_pair))
    cut_pair, cut_at = cut_pair[order], cut_at[order]
    kept = (cut_pair[1:] == cut_pair[:-1]) & (cut_at[1:] - cut_at[:-1] > _ROUNDING)
    span, low_at, high_at = cut_pair[:-1][kept], cut_at[:-1][kept], cut_at[1:][kept]

    # No border is crossed within a span, so its middle speaks for all of it.
    middle = starts[leg[span]] + along[leg[span]] * ((low_at + high_at) / 2)[:, None]
    inside = shapely.contains_xy(polygons[area[span]], middle[:, 0], middle[:, 1])
    span, low_at, high_at, middle = span[inside], low_at[inside], high_at[inside], middle[inside]
    borders = shapely.boundary(polygons)
    clear = shapely.distance(borders[area[span]], shapely.points(middle)) > tolerance
    return leg[span][clear], area[span][clear], low_at[clear], high_at[clear]


def _spans_in_ellipse(starts: FloatArray, ends: FloatArray, shape: Solid) -> tuple[FloatArray, FloatArray]:
    """From where to where, as fractions, each leg is inside a disc or ellipse; from = to if it is not."""
    begins = _as_unit_disc(shape, starts)
    steps = _as_unit_disc(shape, ends) - begins
    length = np.hypot(*steps.T)
    along = np.divide(steps, length[:, None], out=np.zeros_like(steps), where=length[:, None] > 0.0)
    first, last = _disc_interval(begins[:, 0], begins[:, 1], along[:, 0], along[:, 1], 1.0)
    first, last = np.clip(first, 0.0, length), np.clip(last, 0.0, length)
    met = (first < last) & (length > 0.0)
    scale = np.where(met, length, 1.0)
    return np.where(met, first, 0.0) / scale, np.where(met, last, 0.0) / scale


# -- two things that stand --------------------------------------------------------------------------------


def clearance(a: Solid, b: Solid) -> float:
    """Give the gap between two things; if they overlap, minus the depth of the overlap.

    The depth is how far one would have to be shifted to come free. Of things that are not convex it is the
    depth of the deepest pair of their convex parts; of a disc, how far it reaches beyond the other's border.
    """
    for one, other in ((a, b), (b, a)):
        radius = _radius_of(one)
        if radius is not None:
            return float(_clearances(other, _centre_of(one)[None, :])[0]) - radius
    for one, other in ((a, b), (b, a)):
        if _is_curved(one):
            return -_out_of(one, other)[0]
    apart = float(shapely.distance(a.polygon, b.polygon))
    if apart:
        return apart
    pairs = _near_parts(a, b, np.zeros(2), 0.0)
    return -max([0.0, *(float(_slacks(part, other)[1].min()) for part, other in pairs)])


def gap(a: Solid, b: Solid) -> float:
    """Give the distance between two things, 0 if they touch or overlap.

    >>> from simulator.geometry.footprints import Rectangle, Round
    >>> gap(Round(0.5).at(0, 0), Rectangle(2, 2).at(3, 0))
    1.5
    """
    return max(0.0, clearance(a, b))


def depth(a: Solid, b: Solid) -> float:
    """Give how deep two things overlap, 0 if they do not; see `clearance`.

    >>> from simulator.geometry.footprints import Rectangle
    >>> depth(Rectangle(2, 2).at(0, 0), Rectangle(2, 2).at(1.75, 0.5))
    0.25
    """
    return max(0.0, -clearance(a, b))


def overlap(a: Solid, b: Solid, tolerance: float = TOUCH) -> bool:
    """Tell whether two things overlap deeper than a tolerance; touching is not overlapping."""
    return clearance(a, b) < -tolerance - _ROUNDING


def in_contact(a: Solid, b: Solid, tolerance: float = TOUCH) -> bool:
    """Tell whether two things touch: a gap of at most `tolerance`, and no overlap deeper than it.

    >>> from simulator.geometry.footprints import Round
    >>> in_contact(Round(0.5).at(0, 0), Round(0.5).at(1.01, 0), tolerance=0.01)
    True
    """
    return abs(clearance(a, b)) <= tolerance + _ROUNDING


def nearest_points(a: Solid, b: Solid) -> tuple[XY, XY]:
    """Give the point of each thing that is nearest to the other; one common point, twice, if they overlap.

    >>> from simulator.geometry.footprints import Rectangle, Round
    >>> nearest_points(Round(0.5).at(0, 0), Rectangle(2, 2).at(3, 0))
    ((0.5, 0.0), (2.0, 0.0))
    """
    if _is_curved(a):
        on_a, on_b = _nearest_to_curved(a, b)
    elif _is_curved(b):
        on_b, on_a = _nearest_to_curved(b, a)
    else:
        on_a, on_b = shapely.get_coordinates(shapely.shortest_line(a.polygon, b.polygon))
    return (float(on_a[0]), float(on_a[1])), (float(on_b[0]), float(on_b[1]))


def _nearest_to_curved(curved: Solid, other: Solid) -> tuple[FloatArray, FloatArray]:
    """The nearest points of a disc or ellipse and of any other thing."""
    centre, radius = _centre_of(curved), _radius_of(curved)
    if radius is not None and (_radius_of(other) is not None or not _is_curved(other)):
        on_other = _nearest_to_point(other, centre)
        away = np.hypot(*(on_other - centre))
        return (centre + (on_other - centre) * (radius / away) if away > radius else on_other), on_other
    slack, way = _out_of(curved, other)
    if slack < 0.0:  # apart: `way` looks from the other thing to the curved one
        on_curve = centre - _farthest(curved.spread, way)
        if _is_curved(other):
            return on_curve, _centre_of(other) + _farthest(other.spread, way)
        return on_curve, _nearest_to_point(other, on_curve)
    common = _common_point(curved, other)
    return common, common


def _out_of(curved: Solid, other: Solid) -> tuple[float, FloatArray]:
    """How deep a disc or ellipse lies in another thing, and the way out; minus the gap if they are apart."""
    centre = _centre_of(curved)
    narrowest, widest = sorted(np.linalg.svd(curved.spread, compute_uv=False).tolist())
    # Only parts that may be the deepest are looked at; their boxes tell.
    low, high = other.part_bounds[:, :2] - centre, other.part_bounds[:, 2:] - centre
    nearest = np.hypot(*np.maximum(np.maximum(low, -high), 0.0).T)
    farthest = np.hypot(*np.maximum(-low, high).T)
    at_stake = np.flatnonzero(nearest - widest <= np.min(farthest) - narrowest)
    spreads = [curved.spread, other.spread]
    found = [_least_slack(other.parts[k], spreads, centre[None, :]) for k in at_stake]
    slack, way = max(found, key=lambda one: float(one[0][0]))
    return float(slack[0]), way[0]


def _nearest_to_point(other: Solid, point: FloatArray) -> FloatArray:
    """The point of a disc or straight-sided thing that is nearest to a point; the point itself inside."""
    radius = _radius_of(other)
    if radius is None:
        line = shapely.shortest_line(shapely.Point(point), other.polygon)
        return np.asarray(shapely.get_coordinates(line)[1])
    away = np.hypot(*(point - _centre_of(other)))
    return _centre_of(other) + (point - _centre_of(other)) * (radius / away) if away > radius else point


def _common_point(curved: Solid, other: Solid) -> FloatArray:
    """A point that an ellipse or disc and another thing have in common, given that they overlap."""
    centre = _centre_of(curved)
    if not _is_curved(other):
        # In the plane where the ellipse is the unit disc, the point nearest to its centre lies in it.
        back = np.linalg.inv(curved.spread)
        flat = shapely.transform(other.polygon, lambda corners: (corners - centre) @ back.T)
        nearest = shapely.get_coordinates(shapely.shortest_line(shapely.Point(0, 0), flat))[1]
        return np.asarray(centre + curved.spread @ nearest)
    # On the line between the centres; how far along, the border of the sum of both tells.
    between = _centre_of(other) - centre
    distance = np.hypot(*between)
    if not distance:
        return centre
    unit = between / distance
    looking = _border_on_line([curved.spread, other.spread], 0.0, unit, 0.0)
    mine, theirs = _farthest(curved.spread, looking), _farthest(other.spread, looking)
    return np.asarray(centre + mine * (distance / (unit @ (mine + theirs))))


# -- one thing that moves ---------------------------------------------------------------------------------


class Contact(NamedTuple):
    """The first contact of a moving base: at which fraction of the way, where, and whether it ends the way.

    `blocks` is False for a mere brush: going on, the two touch but never overlap.
    """

    fraction: float
    place: XY
    blocks: bool


def first_contact(
    moving: Placed, delta: XY, standing: Solid, *, brushes: bool = True, tolerance: float = TOUCH
) -> Contact | None:
    """Find where a base, shifted by `delta` without turning, first touches another thing; None if nowhere.

    What counts as a first contact:

    - a base that starts overlapping is in contact at once, at fraction 0;
    - a base that starts touching has no first contact as long as it moves away or along, however long the two
      keep touching; if it presses in, or comes to overlap while it slides on, the contact counts and blocks;
    - a base that starts apart is in contact as soon as the gap is 0, even if it only brushes past a corner or
      along a wall, or ends just in touch; with `brushes=False` only contacts that block are reported.

    Overlaps up to `tolerance` are none, and gaps up to it are closed; for an oval against straight sides it
    holds along the longer axis and shrinks with the oval across. A mere point against a bare line is blocked
    if it gets from one side to the other; the ends of the line belong to it.

    >>> from simulator.geometry.footprints import Round
    >>> first_contact(Round(0.5).at(0, 0), (4, 0), Round(0.5).at(3, 0))
    Contact(fraction=0.5, place=(2.5, 0.0), blocks=True)
    >>> first_contact(Round(0.5).at(0, 1), (4, 0), Round(0.5).at(3, 0))
    Contact(fraction=0.75, place=(3.0, 0.5), blocks=False)
    >>> first_contact(Round(0.5).at(0, 1), (4, 0), Round(0.5).at(3, 0), brushes=False) is None
    True
    """
    step = _as_points([delta])[0]
    found = _first_of(_meetings(moving, step, standing, tolerance), brushes)
    if found is None:
        return None
    fraction, blocks = found
    there = moving.moved(fraction * step[0], fraction * step[1])
    (ax, ay), (bx, by) = nearest_points(there, standing)
    return Contact(fraction, ((ax + bx) / 2, (ay + by) / 2), blocks)


def first_contacts_round(
    starts: ArrayLike,
    deltas: ArrayLike,
    radius: float,
    segments: ArrayLike = (),
    discs: ArrayLike = (),
    *,
    brushes: bool = False,
    tolerance: float = TOUCH,
) -> tuple[FloatArray, IntArray]:
    """Find the first contact of each of many legs of a round base with many segments and discs at once.

    `segments` has rows x1, y1, x2, y2, `discs` rows x, y, radius. Gives the fraction of each leg (inf: none)
    and the number of the obstacle met (-1: none), segments first, then discs. Each obstacle stands alone.
    Otherwise as `first_contact`, but brushes are left out unless asked for.

    >>> first_contacts_round([(0, 0), (0, 3)], [(9, 0), (9, 0)], 0.5, [(2, -1, 2, 1)], [(7, 3, 1)])
    (array([0.16666667, 0.61111111]), array([0, 1]))
    """
    _want_radius(radius)
    begins, steps = _as_points(starts), _as_points(deltas)
    walls = _as_points(np.reshape(segments, (-1, 2))).reshape(-1, 4)
    rounds = np.asarray(discs, np.float64).reshape(-1, 3)
    if len(begins) != len(steps):
        raise BoardError(f"wants one delta for each start, not {len(steps)} for {len(begins)}")
    if not np.all((np.abs(rounds) <= _FARTHEST) & (rounds[:, 2:] >= 0.0)):
        raise BoardError("wants discs with finite places and radii of 0 or more", "discs")
    fractions = np.full(len(begins), np.inf)
    which = np.full(len(begins), -1, np.intp)
    # Most pairs are far apart: circles around the obstacles tell, before anything is worked out.
    middles = np.concatenate([(walls[:, :2] + walls[:, 2:]) / 2, rounds[:, :2]])
    halves = np.concatenate([np.hypot(*(walls[:, 2:] - walls[:, :2]).T) / 2, rounds[:, 2]])
    rays = _rays_of(begins, steps)
    for legs in np.array_split(np.arange(len(begins)), len(begins) * len(middles) // _PAIRS_AT_ONCE + 1):
        leg, obstacle = _pairs_in_reach(rays.of(legs), middles, halves + radius + 2 * tolerance)
        is_wall = obstacle < len(walls)
        first = np.full(len(leg), np.inf)
        for kind, meet, rows in (
            (is_wall, _disc_meets_edges, walls[obstacle[is_wall]]),
            (~is_wall, _disc_meets_discs, rounds[obstacle[~is_wall] - len(walls)]),
        ):
            met = meet(rays.of(legs[leg[kind]]), radius, rows, tolerance)
            first[kind] = np.where(met.blocks | (brushes & (met.near > 0.0)), met.first, np.inf)
        order = np.lexsort((obstacle, first, leg))
        order = order[np.isfinite(first[order])]
        met_leg, where = np.unique(leg[order], return_index=True)
        fractions[legs[met_leg]] = first[order][where]
        which[legs[met_leg]] = obstacle[order][where]
    return fractions, which


def _pairs_in_reach(rays: _Rays, middles: FloatArray, reaches: FloatArray) -> tuple[IntArray, IntArray]:
    """The pairs of a ray and a circle, around a middle, that it comes near."""
    x, y, ux, uy, length = (column[:, None] for column in rays)
    dx, dy = middles[:, 0] - x, middles[:, 1] - y
    along = np.clip(dx * ux + dy * uy, 0.0, length)
    leg, obstacle = np.nonzero(np.hypot(dx - along * ux, dy - along * uy) <= reaches)
    return leg, obstacle


def swept(placed: Placed, path: ArrayLike) -> BaseGeometry:
    """Draw the ground that a base covers while it is shifted along a path, without turning. For display only.

    >>> from simulator.geometry.footprints import Rectangle
    >>> swept(Rectangle(2, 2).at(0, 0), [(0, 0), (4, 0), (4, 3)]).area
    18.0
    """
    corners = _as_points(path) - placed.centre
    hulls = []
    outlines = [shapely.get_coordinates(placed.polygon)] if _is_curved(placed) else placed.parts
    for here, there in pairwise(corners):
        for outline in outlines:
            both = np.concatenate([outline + here, outline + there])
            hulls.append(shapely.convex_hull(shapely.MultiPoint(both)))
    return union(hulls or [placed.polygon])


class _Meetings(NamedTuple):
    """How a mover meets each of several obstacles, in fractions of its way; inf where it does not."""

    near: FloatArray  #: where the gap first is within the tolerance
    past: FloatArray  #: where it last is
    first: FloatArray  #: the contact itself, at gap 0
    blocks: BoolArray  #: whether it goes on into the obstacle


class _Rays(NamedTuple):
    """Legs as starts, unit directions and lengths."""

    x: FloatArray
    y: FloatArray
    ux: FloatArray
    uy: FloatArray
    length: FloatArray

    def of(self, legs: IntArray) -> _Rays:
        """The rays of some of the legs."""
        return _Rays(*(column[legs] for column in self))


def _rays_of(starts: FloatArray, steps: FloatArray) -> _Rays:
    length = np.hypot(*steps.T)
    length[length <= _ROUNDING] = 0.0
    unit = np.divide(steps, length[:, None], out=np.zeros_like(steps), where=length[:, None] > 0.0)
    unit[length == 0.0] = (1.0, 0.0)  # a leg of no length looks somewhere, but gets nowhere
    return _Rays(starts[:, 0], starts[:, 1], unit[:, 0], unit[:, 1], length)


Interval = tuple[FloatArray, FloatArray]


def _meet(near: Interval, contact: FloatArray, deep: BoolArray, length: FloatArray) -> _Meetings:
    """Put meetings together, from inches along the way to fractions of it.

    `contact` is not finite where the gap comes within the tolerance of 0 but does not close.
    """
    begin, end = near
    met = (begin <= length) & (end >= 0.0)
    first = np.clip(np.where(np.isfinite(contact), contact, begin), begin, end)
    scale = np.where(length > 0.0, length, 1.0)
    return _Meetings(
        np.where(met, np.maximum(begin, 0.0), np.inf) / scale,
        np.where(met, np.minimum(end, length), -np.inf) / scale,
        np.where(met, np.clip(first, 0.0, length) + 0.0, np.inf) / scale,  # + 0.0: never -0.0
        met & deep,
    )


def _first_of(meetings: Sequence[_Meetings], brushes: bool) -> tuple[float, bool] | None:
    """The first meeting with one obstacle that is made of several features, such as edges."""
    near, past, first, blocks = (np.concatenate(columns) for columns in zip(*meetings, strict=True))
    blocked_at = float(np.min(first[blocks], initial=np.inf))
    at = blocked_at
    if brushes:
        # A mover that starts in touch and slides from edge to edge never leaves the obstacle: only a feature
        # that comes near after all those before it are past is a new contact.
        order = np.argsort(near, kind="stable")
        left_behind = np.maximum.accumulate(np.concatenate([[0.0], past[order][:-1]])[: len(order)])
        fresh = near[order] > left_behind
        at = min(at, float(np.min(first[order][fresh], initial=np.inf)))
    if math.isinf(at):
        return None
    return at, blocked_at <= at + TOUCH


def _meetings(moving: Placed, step: FloatArray, standing: Solid, tolerance: float) -> list[_Meetings]:
    """All the ways in which a mover meets a thing; there is a closed form for each pair of kinds."""
    radii = _radius_of(moving), _radius_of(standing)
    if radii[0] is not None and radii[1] is not None:
        disc = np.array([[*_centre_of(standing), radii[1]]])
        return [_disc_meets_discs(_ray_of(_centre_of(moving), step), radii[0], disc, tolerance)]
    if _is_curved(moving) and _is_curved(standing):
        return [_ellipses_meet(moving, step, standing, tolerance)]
    if _is_curved(moving):
        return _ellipse_meets_straight(moving, step, standing, tolerance)
    if _is_curved(standing):
        return _ellipse_meets_straight(standing, -step, moving, tolerance)
    if radii[0] is not None:
        return _point_meets(_centre_of(moving), step, standing, tolerance)
    if radii[1] is not None:
        return _point_meets(_centre_of(standing), -step, moving, tolerance)
    pairs = _near_parts(moving, standing, step, tolerance)
    return [_parts_meet(part, step, other, tolerance) for part, other in pairs] or [_NO_MEETING]


def _ellipse_meets_straight(oval: Solid, step: FloatArray, obstacle: Solid, tolerance: float) -> list[_Meetings]:
    """A moving disc or ellipse and the edges of a straight-sided thing.

    An ellipse is the unit disc in a stretched plane, where edges stay straight and fractions stay the same.
    """
    radius = _radius_of(oval)
    centre, edges = _centre_of(oval), obstacle.edges
    start, way = centre, step
    if radius is None:
        back = np.linalg.inv(oval.spread)
        edges = ((edges.reshape(-1, 2) - centre) @ back.T).reshape(-1, 4)
        start, way, radius = np.zeros(2), back @ step, 1.0
        tolerance /= np.hypot(*oval.spread).max()
    met = [_disc_meets_edges(_ray_of(start, way), radius, edges, tolerance)]
    if points_in_shape(obstacle, centre[None, :])[0]:
        met.append(_Meetings(np.zeros(1), np.ones(1), np.zeros(1), np.ones(1, np.bool_)))
    return met


def _point_meets(start: FloatArray, step: FloatArray, obstacle: Solid, tolerance: float) -> list[_Meetings]:
    """A moving point and a straight-sided thing: into an area, or across a line."""
    met = _disc_meets_edges(_ray_of(start, step), 0.0, obstacle.edges, tolerance)
    if not obstacle.polygon.area:
        return [met]
    low, high = _stretches_inside(start[None, :], (start + step)[None, :], obstacle, tolerance).T
    return [
        met._replace(blocks=np.zeros_like(met.blocks)),
        _Meetings(low, high, low, np.ones(len(low), np.bool_)),
    ]


def _disc_meets_edges(rays: _Rays, radius: float, edges: FloatArray, tolerance: float) -> _Meetings:
    """Moving discs and segments, one to one: rays, and segments with the disc laid round them."""
    px, py, ux, uy, length = rays
    x1, y1, x2, y2 = edges.T
    reach = np.hypot(x2 - x1, y2 - y1)
    is_spot = reach == 0.0
    scale = np.where(is_spot, 1.0, reach)
    ex, ey = np.where(is_spot, 1.0, (x2 - x1) / scale), (y2 - y1) / scale
    off, off_rate = ex * (py - y1) - ey * (px - x1), ex * uy - ey * ux
    along, along_rate = ex * (px - x1) + ey * (py - y1), ex * ux + ey * uy
    beside = _band(along, along_rate, 0.0, reach)

    def interval(rho: float, slack: float = 0.0) -> Interval:
        first, last = _both(_band(off, off_rate, -rho, rho), beside)
        for x, y in ((x1, y1), (x2, y2)):
            begin, end = _disc_interval(px - x, py - y, ux, uy, rho, slack)
            first, last = np.minimum(first, begin), np.maximum(last, end)
        return first, last

    contact = interval(radius, tolerance)[0]
    if radius > tolerance:
        begin, end = interval(radius - tolerance)
        deep = (begin <= length) & (end >= 0.0)
    else:  # a point: it has to get from one side to the other
        after = off + off_rate * length
        across = (np.minimum(off, after) < -tolerance) & (np.maximum(off, after) > tolerance)
        deep = across & ~is_spot & (contact >= 0.0) & (contact <= length)
    return _meet(interval(radius + tolerance), contact, deep, length)


def _disc_meets_discs(rays: _Rays, radius: float, discs: FloatArray, tolerance: float) -> _Meetings:
    """Moving discs and discs, one to one."""
    px, py, ux, uy, length = rays
    x, y, radii = discs.T
    ray = (px - x, py - y, ux, uy)
    contact = _disc_interval(*ray, radius + radii, tolerance)[0]
    begin, end = _disc_interval(*ray, radius + radii - tolerance)
    deep = (begin <= length) & (end >= 0.0)
    return _meet(_disc_interval(*ray, radius + radii + tolerance), contact, deep, length)


def _parts_meet(part: FloatArray, step: FloatArray, other: FloatArray, tolerance: float) -> _Meetings:
    """Two convex polygons: a ray and the half-planes around the polygon of all overlapping shifts."""
    _, _, *unit, (length,) = _ray_of(np.zeros(2), step)
    along = np.concatenate(unit)
    normals, slacks = _slacks(part, other)
    rates = normals @ along

    def interval(margin: float) -> tuple[float, float]:
        # A side that the mover keeps its distance from, but for rounding, is no side it crosses.
        level = np.abs(rates) * length <= tolerance
        held = np.where(level, slacks + margin >= -tolerance * (margin == 0.0), True)
        if not held.all():
            return math.inf, -math.inf
        times = (slacks + margin)[~level] / rates[~level]
        rising = rates[~level] > 0.0
        return float(np.max(times[~rising], initial=-np.inf)), float(np.min(times[rising], initial=np.inf))

    first, last = interval(0.0)
    contact = first if first <= last else (first + last) / 2
    begin, end = interval(-tolerance)
    deep = begin <= min(end, length) and end >= 0.0
    near_begin, near_end = interval(tolerance)
    if near_begin > near_end:
        near_begin, near_end = math.inf, -math.inf
    near = np.array([near_begin]), np.array([near_end])
    return _meet(near, np.array([contact]), np.array([deep]), np.array([length]))


def _ellipses_meet(moving: Solid, step: FloatArray, standing: Solid, tolerance: float) -> _Meetings:
    """Two ellipses: a ray and the border of their sum, found by bisection on its direction."""
    _, _, *unit, (length,) = _ray_of(np.zeros(2), step)
    along = np.concatenate(unit)
    between = _centre_of(standing) - _centre_of(moving)
    spreads = [moving.spread, standing.spread]
    ahead, aside = float(along @ between), float(between[0] * along[1] - between[1] * along[0])

    def interval(margin: float) -> tuple[float, float]:
        widest = sum(float(np.hypot(*(spread.T @ [-along[1], along[0]]))) for spread in spreads) + margin
        if abs(aside) > widest:
            return math.inf, -math.inf
        halves = []
        for level in (-aside, aside):
            looking = _border_on_line(spreads, margin, along, level)
            border = sum((_farthest(spread, looking) for spread in spreads), margin * looking)
            halves.append(float(along @ border))
        return ahead - halves[0], ahead + halves[1]

    begin, end = interval(-tolerance)
    deep = begin <= length and end >= 0.0
    near_begin, near_end = interval(tolerance)
    contact = interval(0.0)[0]
    if math.isinf(contact) and near_begin <= near_end:
        contact = (near_begin + near_end) / 2  # a brush, a hair away
    near = np.array([near_begin]), np.array([near_end])
    return _meet(near, np.array([contact]), np.array([deep]), np.array([length]))


def _ray_of(start: FloatArray, step: FloatArray) -> _Rays:
    return _rays_of(start[None, :], step[None, :])


_NO_MEETING = _Meetings(np.empty(0), np.empty(0), np.empty(0), np.empty(0, np.bool_))


# -- small geometry ---------------------------------------------------------------------------------------


def _as_points(values: ArrayLike) -> FloatArray:
    points = np.asarray(values, np.float64)
    if points.size == 0:
        points = points.reshape(0, 2)
    if points.ndim != 2 or points.shape[1] != 2:
        raise BoardError(f"wants points as rows (x, y), not an array of shape {points.shape}")
    good = np.abs(points) <= _FARTHEST  # false for nan
    if not good.all():
        raise BoardError(f"wants finite numbers up to {_FARTHEST:.0f}, not {points[~good.all(axis=1)][0].tolist()}")
    return points


def _want_radius(radius: float) -> None:
    if not 0.0 <= radius <= _FARTHEST:
        raise BoardError(f"wants a radius of 0 or more and finite, not {radius}")


def _is_curved(solid: Solid) -> bool:
    return bool(solid.spread.any())


def _centre_of(solid: Solid) -> FloatArray:
    """The one point that a disc, an ellipse or a point lies around."""
    centre: FloatArray = solid.parts[0][0]
    return centre


def _box_of(solid: Solid) -> tuple[FloatArray, FloatArray]:
    """The lower left and upper right corner of the box around a thing; a little more for a turned ellipse."""
    boxes, reach = solid.part_bounds, np.hypot(*solid.spread).max()
    return boxes[:, :2].min(axis=0) - reach, boxes[:, 2:].max(axis=0) + reach


def _radius_of(solid: Solid) -> float | None:
    """The radius of a disc, 0 of a point; None of all else."""
    spread = solid.spread
    if len(solid.parts) > 1 or len(solid.parts[0]) > 1:
        return None
    if spread[0, 0] != spread[1, 1] or spread[0, 1] or spread[1, 0]:
        return None
    return float(spread[0, 0])


def _as_unit_disc(oval: Solid, points: FloatArray) -> FloatArray:
    """Points as seen in the plane where a disc or ellipse is the unit disc."""
    radius = _radius_of(oval)
    away = points - _centre_of(oval)
    return away / radius if radius is not None else away @ np.linalg.inv(oval.spread).T


def _disc_interval(
    dx: FloatArray,
    dy: FloatArray,
    ux: FloatArray,
    uy: FloatArray,
    rho: FloatArray | float,
    slack: float = 0.0,
) -> Interval:
    """From where to where along a ray its points lie within `rho` of a centre; (inf, -inf) if nowhere.

    A ray that misses by at most `slack` is taken to touch.
    """
    middle = -(dx * ux + dy * uy)
    off = np.abs(ux * dy - uy * dx)
    half = np.sqrt(np.maximum(np.square(rho) - np.square(off), 0.0))
    hit = off <= rho + slack
    return np.where(hit, middle - half, np.inf), np.where(hit, middle + half, -np.inf)


def _band(start: FloatArray, rate: FloatArray, low: FloatArray | float, high: FloatArray | float) -> Interval:
    """From where to where along a ray a quantity that changes at a rate lies between two values."""
    still = np.abs(rate) < 1e-200  # dividing by less could overflow
    pace = np.where(still, 1.0, rate)
    one, other = (low - start) / pace, (high - start) / pace
    within = (low <= start) & (start <= high)
    first = np.where(still, np.where(within, -np.inf, np.inf), np.minimum(one, other))
    last = np.where(still, np.where(within, np.inf, -np.inf), np.maximum(one, other))
    return first, last


def _both(one: Interval, other: Interval) -> Interval:
    """Where two intervals agree; (inf, -inf) where they do not."""
    first, last = np.maximum(one[0], other[0]), np.minimum(one[1], other[1])
    met = first <= last
    return np.where(met, first, np.inf), np.where(met, last, -np.inf)


def _slacks(part: FloatArray, other: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The polygon of all shifts of `part` that meet `other`, both convex.

    Gives the outward normals of its sides and their distances from the origin.
    """
    (mine, my_levels), (theirs, their_levels) = _sides(part), _sides(other)
    toward = their_levels - (part @ theirs.T).min(axis=0)
    away = my_levels - (other @ mine.T).min(axis=0)
    return np.concatenate([theirs, -mine]), np.concatenate([toward, away])


def _sides(part: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The sides of a convex polygon as outward normals and levels; of the box around a segment."""
    steps = np.roll(part, -1, axis=0) - part
    along = steps / np.hypot(*steps.T)[:, None]
    normals = np.column_stack([along[:, 1], -along[:, 0]])
    if len(part) == 2:
        normals = np.concatenate([normals, along])
        return normals, (part @ normals.T).max(axis=0)
    return normals, (part * normals).sum(axis=1)


def _near_parts(a: Solid, b: Solid, step: FloatArray, margin: float) -> list[tuple[FloatArray, FloatArray]]:
    """The pairs of convex parts whose boxes come within a margin while `a` is shifted by a step."""
    low_a = a.part_bounds[:, :2] + np.minimum(step, 0.0) - margin
    high_a = a.part_bounds[:, 2:] + np.maximum(step, 0.0) + margin
    low_b, high_b = b.part_bounds[:, :2], b.part_bounds[:, 2:]
    near = (low_a[:, None] <= high_b[None, :]) & (high_a[:, None] >= low_b[None, :])
    return [(a.parts[i], b.parts[j]) for i, j in np.argwhere(near.all(axis=2)).tolist()]


def _farthest(spread: FloatArray, looking: FloatArray) -> FloatArray:
    """The point of an ellipse around (0, 0) that lies farthest in a direction."""
    pull = spread.T @ looking
    length = np.hypot(*pull)
    return spread @ (pull / length) if length else np.zeros(2)


def _border_on_line(spreads: Sequence[FloatArray], margin: float, along: FloatArray, level: float) -> FloatArray:
    """Find which way the border of a sum of ellipses looks where a line leaves it.

    The line runs along `along`, `level` to the left of the centre. Going round the border from its right to
    its left extreme, it lies ever farther to the left, so bisection finds the place.
    """
    ax, ay = along.tolist()
    entries = [spread.ravel().tolist() for spread in spreads]
    low, high = -math.pi / 2, math.pi / 2
    while True:
        middle = (low + high) / 2
        x = math.cos(middle) * ax - math.sin(middle) * ay
        y = math.cos(middle) * ay + math.sin(middle) * ax
        if not low < middle < high:
            return np.array([x, y])
        left = margin * (ax * y - ay * x)
        for a, b, c, d in entries:
            pull_a, pull_b = a * x + c * y, b * x + d * y
            left += ((c * ax - a * ay) * pull_a + (d * ax - b * ay) * pull_b) / math.hypot(pull_a, pull_b)
        if left < level:
            low = middle
        else:
            high = middle


def _least_slack(
    corners: FloatArray, spreads: Sequence[FloatArray], points: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """How deep each point lies in the sum of a convex polygon and ellipses, and which way is the nearest out.

    The depth is the least of (support of the sum - point along the direction) over all directions; outside,
    it is minus the distance. Each dip that shows at steps of one degree is followed to machine precision.
    """

    def slack(angles: FloatArray, which: IntArray) -> FloatArray:
        looking = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
        support = (looking @ corners.T).max(axis=-1)
        for spread in spreads:
            support = support + np.hypot(*np.moveaxis(looking @ spread, -1, 0))
        return np.asarray(support - (looking * points[which][:, None, :]).sum(axis=-1))

    degrees = np.linspace(0.0, 2 * math.pi, 361)[:-1]
    everyone = np.arange(len(points))
    around = slack(np.broadcast_to(degrees, (len(points), 360)), everyone)
    which, dip = np.nonzero((around <= np.roll(around, 1, axis=1)) & (around <= np.roll(around, -1, axis=1)))
    angle, width = degrees[dip], math.radians(1.0)
    zoom = np.linspace(-1.0, 1.0, 33)
    while width > 1e-17:
        angles = angle[:, None] + width * zoom
        angle = angles[np.arange(len(angle)), slack(angles, which).argmin(axis=1)]
        width /= 16
    values = slack(angle[:, None], which)[:, 0]
    order = np.lexsort((values, which))
    best = order[np.searchsorted(which[order], everyone)]
    return values[best], np.column_stack([np.cos(angle[best]), np.sin(angle[best])])
