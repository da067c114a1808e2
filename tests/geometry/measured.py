"""Gaps, depths and distances of standing things, worked out apart from the judge of ways and from `gaps`."""

import numpy as np
import shapely

from simulator.geometry.convex import as_points, centre_of, is_curved, least_slack, radius_of
from simulator.geometry.nearest import out_of


def distances_to_shape(shape, xy):
    """Return the distance of each point from a shape, 0 for points on it."""
    return np.maximum(_clearances(shape, as_points(xy)), 0.0)


def _clearances(shape, points):
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


def clearance(a, b):
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
            return -out_of(one, other)[0]
    apart = float(shapely.distance(a.polygon, b.polygon))
    if apart:
        return apart
    pairs = near_parts(a, b)
    return -max([0.0, *(float(slacks(part, other)[1].min()) for part, other in pairs)])


def gap(a, b):
    """Return the distance between two things, 0 if they touch or overlap."""
    return max(0.0, clearance(a, b))


def near_parts(a, b):
    """The pairs of convex parts whose boxes touch."""
    low = a.part_bounds[:, None, :2] <= b.part_bounds[None, :, 2:]
    high = a.part_bounds[:, None, 2:] >= b.part_bounds[None, :, :2]
    return [(a.parts[i], b.parts[j]) for i, j in np.argwhere((low & high).all(axis=2)).tolist()]


def slacks(part, other):
    """The polygon of all shifts of `part` that meet `other`, both convex.

    Gives the outward normals of its sides and their distances from the origin.
    """
    (mine, my_levels), (theirs, their_levels) = _sides(part), _sides(other)
    toward = their_levels - (part @ theirs.T).min(axis=0)
    away = my_levels - (other @ mine.T).min(axis=0)
    return np.concatenate([theirs, -mine]), np.concatenate([toward, away])


def _sides(part):
    """The sides of a convex polygon as outward normals and levels; of the box around a segment."""
    steps = np.roll(part, -1, axis=0) - part
    along = steps / np.hypot(*steps.T)[:, None]
    normals = np.column_stack([along[:, 1], -along[:, 0]])
    if len(part) == 2:
        normals = np.concatenate([normals, along])
        return normals, (part @ normals.T).max(axis=0)
    return normals, (part * normals).sum(axis=1)
