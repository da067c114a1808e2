"""The nearest points of two things on the inch table, including bases with round sides.

Closed forms, and for oval bases minima found to machine precision.
"""

from __future__ import annotations

import numpy as np
import shapely

from simulator.geometry.convex import (
    border_on_line,
    centre_of,
    farthest,
    is_curved,
    least_slack,
    radius_of,
)
from simulator.geometry.pieces import XY, FloatArray, Solid


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
    """Return the nearest points of a disc or ellipse and of any other thing."""
    centre, radius = centre_of(curved), radius_of(curved)
    if radius is not None and (radius_of(other) is not None or not is_curved(other)):
        on_other = _nearest_to_point(other, centre)
        away = np.hypot(*(on_other - centre))
        return (centre + (on_other - centre) * (radius / away) if away > radius else on_other), on_other
    slack, way = out_of(curved, other)
    if slack < 0.0:  # apart: `way` points from the other thing to the curved one
        on_curve = centre - farthest(curved.spread, way)
        if is_curved(other):
            return on_curve, centre_of(other) + farthest(other.spread, way)
        return on_curve, _nearest_to_point(other, on_curve)
    common = _common_point(curved, other)
    return common, common


def out_of(curved: Solid, other: Solid) -> tuple[float, FloatArray]:
    """Compute the depth of a disc or ellipse in another thing, and the way out; minus the gap if they are apart."""
    centre = centre_of(curved)
    narrowest, widest = sorted(np.linalg.svd(curved.spread, compute_uv=False).tolist())
    # Only parts that may be the deepest, judged by their boxes, are considered.
    low, high = other.part_bounds[:, :2] - centre, other.part_bounds[:, 2:] - centre
    nearest = np.hypot(*np.maximum(np.maximum(low, -high), 0.0).T)
    farthest = np.hypot(*np.maximum(-low, high).T)
    at_stake = np.flatnonzero(nearest - widest <= np.min(farthest) - narrowest)
    spreads = [curved.spread, other.spread]
    found = [least_slack(other.parts[k], spreads, centre[None, :]) for k in at_stake]
    slack, way = max(found, key=lambda one: float(one[0][0]))
    return float(slack[0]), way[0]


def _nearest_to_point(other: Solid, point: FloatArray) -> FloatArray:
    """Return the point of a disc or straight-sided thing that is nearest to a point; the point itself inside."""
    radius = radius_of(other)
    if radius is None:
        line = shapely.shortest_line(shapely.Point(point), other.polygon)
        return np.asarray(shapely.get_coordinates(line)[1])
    away = np.hypot(*(point - centre_of(other)))
    return centre_of(other) + (point - centre_of(other)) * (radius / away) if away > radius else point


def _common_point(curved: Solid, other: Solid) -> FloatArray:
    """Return a point that an ellipse or disc and another thing have in common, given that they overlap."""
    centre = centre_of(curved)
    if not is_curved(other):
        # In the plane where the ellipse is the unit disc, the point nearest to its centre lies in it.
        back = np.linalg.inv(curved.spread)
        flat = shapely.transform(other.polygon, lambda corners: (corners - centre) @ back.T)
        nearest = shapely.get_coordinates(shapely.shortest_line(shapely.Point(0, 0), flat))[1]
        return np.asarray(centre + curved.spread @ nearest)
    # On the line between the centres, at a share determined by the border of the sum of both.
    between = centre_of(other) - centre
    distance = np.hypot(*between)
    if not distance:
        return centre
    unit = between / distance
    looking = border_on_line([curved.spread, other.spread], 0.0, unit, 0.0)
    mine, theirs = farthest(curved.spread, looking), farthest(other.spread, looking)
    return np.asarray(centre + mine * (distance / (unit @ (mine + theirs))))
