"""Measures on the inch table: what lies inside shapes, and gaps and overlaps of things that stand.

Everything is exact: closed forms, and for oval bases roots and minima found to machine precision. Nothing is
sampled along a path, so nothing slips through a thin wall.

One reading goes through all of it: what is nearer than `TOUCH` touches. Touching is neither overlapping nor
being inside, and a leg that runs along a border is not inside. For things that move see `contacts`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import shapely
from numpy.typing import ArrayLike

from simulator.geometry.convex import (
    BoolArray,
    IntArray,
    as_points,
    as_unit_disc,
    border_on_line,
    box_of,
    centre_of,
    disc_interval,
    farthest,
    is_curved,
    least_slack,
    near_parts,
    radius_of,
    slacks,
    want_radius,
)
from simulator.geometry.pieces import XY, FloatArray, Solid
from simulator.geometry.tolerances import ROUNDING, TOUCH

# -- points and shapes ------------------------------------------------------------------------------------


def points_in_shape(shape: Solid, xy: ArrayLike) -> BoolArray:
    """Compute for each point whether it lies in the interior of a shape; its border does not count.

    >>> from simulator.geometry.pieces import CircleShape
    >>> points_in_shape(CircleShape(0, 0, 1), [(0, 0), (1, 0), (2, 0)])
    array([ True, False, False])
    """
    points = as_points(xy)
    if is_curved(shape):
        return np.asarray(np.hypot(*as_unit_disc(shape, points).T) < 1.0)
    if not shape.polygon.area:
        return np.zeros(len(points), np.bool_)
    return np.asarray(shapely.contains_xy(shape.polygon, points[:, 0], points[:, 1]))


def distances_to_shape(shape: Solid, xy: ArrayLike) -> FloatArray:
    """Return the distance of each point from a shape, 0 for points on it.

    >>> from simulator.geometry.pieces import LineShape
    >>> distances_to_shape(LineShape([(0, 0), (4, 0)]), [(2, 1), (7, 4), (1, 0)])
    array([1., 5., 0.])
    """
    return np.maximum(_clearances(shape, as_points(xy)), 0.0)


def round_clear(xy: ArrayLike, radius: float, shapes: Iterable[Solid], tolerance: float = TOUCH) -> BoolArray:
    """Compute for each point whether a disc around it overlaps none of the shapes; touching them is allowed.

    >>> from simulator.geometry.pieces import rectangle
    >>> round_clear([(0, 0), (0.5, 0), (0.6, 0)], 0.5, [rectangle((2, 0), (2, 2))])
    array([ True,  True, False])
    """
    want_radius(radius)
    points = as_points(xy)
    clear = np.ones(len(points), np.bool_)
    for shape in shapes:
        low, high = box_of(shape)
        within = (points >= low - radius).all(axis=1) & (points <= high + radius).all(axis=1)
        near = np.flatnonzero(clear & within)
        clear[near] = _clearances(shape, points[near]) >= radius - tolerance
    return clear


def _clearances(shape: Solid, points: FloatArray) -> FloatArray:
    """Distances of points from a shape; inside it, the distance from its border with a minus sign."""
    radius = radius_of(shape)
    if radius is not None:
        return np.asarray(np.hypot(*(points - centre_of(shape)).T) - radius)
    if is_curved(shape):
        return -least_slack(centre_of(shape)[None, :], [shape.spread], points)[0]
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
    corners = as_points(path)
    starts, ends = corners[:-1], corners[1:]
    lengths = np.zeros((len(starts), len(shapes)))
    areas = [k for k, shape in enumerate(shapes) if not is_curved(shape) and shape.polygon.area]
    if areas:
        legs, which, low, high = _spans_inside(starts, ends, [shapes[k] for k in areas], TOUCH)
        np.add.at(lengths, (legs, np.array(areas)[which]), high - low)
    for k, shape in enumerate(shapes):
        if is_curved(shape):
            low, high = _spans_in_ellipse(starts, ends, shape)
            lengths[:, k] = (high - low) * np.hypot(*(ends - starts).T)
    return lengths


def intervals_inside(start: XY, end: XY, shape: Solid) -> FloatArray:
    """Return the stretches of a leg that lie inside a shape, as rows of fractions (from, to) of the leg.

    >>> from simulator.geometry.pieces import PolygonShape
    >>> horseshoe = PolygonShape([(1, -1), (4, -1), (4, 1), (3, 1), (3, 0), (2, 0), (2, 1), (1, 1)])
    >>> intervals_inside((0, 0.5), (10, 0.5), horseshoe)
    array([[0.1, 0.2],
           [0.3, 0.4]])
    """
    leg = as_points([start, end])
    return stretches_inside(leg[:1], leg[1:], shape, TOUCH)


def stretches_inside(starts: FloatArray, ends: FloatArray, shape: Solid, tolerance: float) -> FloatArray:
    """The stretches of a single leg, as fractions."""
    length = float(np.hypot(*(ends - starts)[0]))
    if length <= ROUNDING:
        inside = _clearances(shape, starts)[0] < -tolerance
        return np.array([[0.0, 1.0]] if inside else []).reshape(-1, 2)
    if is_curved(shape):
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
    kept = (cut_pair[1:] == cut_pair[:-1]) & (cut_at[1:] - cut_at[:-1] > ROUNDING)
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
    begins = as_unit_disc(shape, starts)
    steps = as_unit_disc(shape, ends) - begins
    length = np.hypot(*steps.T)
    along = np.divide(steps, length[:, None], out=np.zeros_like(steps), where=length[:, None] > 0.0)
    first, last = disc_interval(begins[:, 0], begins[:, 1], along[:, 0], along[:, 1], 1.0)
    first, last = np.clip(first, 0.0, length), np.clip(last, 0.0, length)
    met = (first < last) & (length > 0.0)
    scale = np.where(met, length, 1.0)
    return np.where(met, first, 0.0) / scale, np.where(met, last, 0.0) / scale


# -- two things that stand --------------------------------------------------------------------------------


def clearance(a: Solid, b: Solid) -> float:
    """Return the gap between two things; if they overlap, minus the depth of the overlap.

    The depth is how far one would have to be shifted to come free. Of things that are not convex it is the
    depth of the deepest pair of their convex parts; of a disc, how far it reaches beyond the other's border.
    """
    for one, other in ((a, b), (b, a)):
        radius = radius_of(one)
        if radius is not None:
            return float(_clearances(other, centre_of(one)[None, :])[0]) - radius
    for one, other in ((a, b), (b, a)):
        if is_curved(one):
            return -_out_of(one, other)[0]
    apart = float(shapely.distance(a.polygon, b.polygon))
    if apart:
        return apart
    pairs = near_parts(a, b, np.zeros(2), 0.0)
    return -max([0.0, *(float(slacks(part, other)[1].min()) for part, other in pairs)])


def gap(a: Solid, b: Solid) -> float:
    """Return the distance between two things, 0 if they touch or overlap.

    >>> from simulator.geometry.footprints import Rectangle, Round
    >>> gap(Round(0.5).at(0, 0), Rectangle(2, 2).at(3, 0))
    1.5
    """
    return max(0.0, clearance(a, b))


def depth(a: Solid, b: Solid) -> float:
    """Compute how deep two things overlap, 0 if they do not; see `clearance`.

    >>> from simulator.geometry.footprints import Rectangle
    >>> depth(Rectangle(2, 2).at(0, 0), Rectangle(2, 2).at(1.75, 0.5))
    0.25
    """
    return max(0.0, -clearance(a, b))


def overlap(a: Solid, b: Solid, tolerance: float = TOUCH) -> bool:
    """Return whether two things overlap deeper than a tolerance; touching is not overlapping."""
    return clearance(a, b) < -tolerance - ROUNDING


def in_contact(a: Solid, b: Solid, tolerance: float = TOUCH) -> bool:
    """Return whether two things touch: a gap of at most `tolerance`, and no overlap deeper than it.

    >>> from simulator.geometry.footprints import Round
    >>> in_contact(Round(0.5).at(0, 0), Round(0.5).at(1.01, 0), tolerance=0.01)
    True
    """
    return abs(clearance(a, b)) <= tolerance + ROUNDING


def nearest_points(a: Solid, b: Solid) -> tuple[XY, XY]:
    """Return the point of each thing that is nearest to the other; one common point, twice, if they overlap.

    >>> from simulator.geometry.footprints import Rectangle, Round
    >>> nearest_points(Round(0.5).at(0, 0), Rectangle(2, 2).at(3, 0))
    ((0.5, 0.0), (2.0, 0.0))
    """
    if is_curved(a):
        on_a, on_b = _nearest_to_curved(a, b)
    elif is_curved(b):
        on_b, on_a = _nearest_to_curved(b, a)
    else:
        on_a, on_b = shapely.get_coordinates(shapely.shortest_line(a.polygon, b.polygon))
    return (float(on_a[0]), float(on_a[1])), (float(on_b[0]), float(on_b[1]))


def _nearest_to_curved(curved: Solid, other: Solid) -> tuple[FloatArray, FloatArray]:
    """The nearest points of a disc or ellipse and of any other thing."""
    centre, radius = centre_of(curved), radius_of(curved)
    if radius is not None and (radius_of(other) is not None or not is_curved(other)):
        on_other = _nearest_to_point(other, centre)
        away = np.hypot(*(on_other - centre))
        return (centre + (on_other - centre) * (radius / away) if away > radius else on_other), on_other
    slack, way = _out_of(curved, other)
    if slack < 0.0:  # apart: `way` looks from the other thing to the curved one
        on_curve = centre - farthest(curved.spread, way)
        if is_curved(other):
            return on_curve, centre_of(other) + farthest(other.spread, way)
        return on_curve, _nearest_to_point(other, on_curve)
    common = _common_point(curved, other)
    return common, common


def _out_of(curved: Solid, other: Solid) -> tuple[float, FloatArray]:
    """How deep a disc or ellipse lies in another thing, and the way out; minus the gap if they are apart."""
    centre = centre_of(curved)
    narrowest, widest = sorted(np.linalg.svd(curved.spread, compute_uv=False).tolist())
    # Only parts that may be the deepest are looked at; their boxes tell.
    low, high = other.part_bounds[:, :2] - centre, other.part_bounds[:, 2:] - centre
    nearest = np.hypot(*np.maximum(np.maximum(low, -high), 0.0).T)
    farthest = np.hypot(*np.maximum(-low, high).T)
    at_stake = np.flatnonzero(nearest - widest <= np.min(farthest) - narrowest)
    spreads = [curved.spread, other.spread]
    found = [least_slack(other.parts[k], spreads, centre[None, :]) for k in at_stake]
    slack, way = max(found, key=lambda one: float(one[0][0]))
    return float(slack[0]), way[0]


def _nearest_to_point(other: Solid, point: FloatArray) -> FloatArray:
    """The point of a disc or straight-sided thing that is nearest to a point; the point itself inside."""
    radius = radius_of(other)
    if radius is None:
        line = shapely.shortest_line(shapely.Point(point), other.polygon)
        return np.asarray(shapely.get_coordinates(line)[1])
    away = np.hypot(*(point - centre_of(other)))
    return centre_of(other) + (point - centre_of(other)) * (radius / away) if away > radius else point


def _common_point(curved: Solid, other: Solid) -> FloatArray:
    """A point that an ellipse or disc and another thing have in common, given that they overlap."""
    centre = centre_of(curved)
    if not is_curved(other):
        # In the plane where the ellipse is the unit disc, the point nearest to its centre lies in it.
        back = np.linalg.inv(curved.spread)
        flat = shapely.transform(other.polygon, lambda corners: (corners - centre) @ back.T)
        nearest = shapely.get_coordinates(shapely.shortest_line(shapely.Point(0, 0), flat))[1]
        return np.asarray(centre + curved.spread @ nearest)
    # On the line between the centres; how far along, the border of the sum of both tells.
    between = centre_of(other) - centre
    distance = np.hypot(*between)
    if not distance:
        return centre
    unit = between / distance
    looking = border_on_line([curved.spread, other.spread], 0.0, unit, 0.0)
    mine, theirs = farthest(curved.spread, looking), farthest(other.spread, looking)
    return np.asarray(centre + mine * (distance / (unit @ (mine + theirs))))
