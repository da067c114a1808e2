"""Touches: places where a mover just comes within reach of an edge, by a shortest way.

A mover often comes just near enough to a thing: three inches to go, and the wall four and a half away. Then only one
place will do to begin at. A shortest way into reach of an edge ends perpendicular to it, one to a corner points at that
corner; and it comes straight from its start, or leaves a circle (round a corner or a base) that it followed. So there
are few such places, and they are exact.
"""

from __future__ import annotations

import numpy as np
import shapely

from simulator.geometry.pieces import FloatArray
from simulator.geometry.rays import nearest_on
from simulator.geometry.tolerances import TOLERANCE

#: The number of pairs of an edge and a circle processed together.
_AT_ONCE = 1 << 18


def touches_ahead(edges: FloatArray, eyes: FloatArray, within: float) -> FloatArray:
    """Return the places, `within` inches before the nearest points of edges, on the straight ways there from eyes.

    Edges are rows x1, y1, x2, y2, eyes rows x, y. An eye that is nearer already gets the place on the way back.

    >>> touches_ahead(np.array([[4.0, -2.0, 4.0, 2.0]]), np.array([[0.0, 1.0]]), 1.5).tolist()
    [[2.5, 1.0]]
    """
    found = [np.zeros((0, 2))]
    for some in np.array_split(eyes, len(eyes) * len(edges) // _AT_ONCE + 1):
        spots = np.repeat(some, len(edges), axis=0)
        points = nearest_on(np.tile(edges, (len(some), 1)), spots)
        away = np.hypot(*(spots - points).T)
        kept = away > 0.0
        found.append(points[kept] + within * (spots - points)[kept] / away[kept, None])
    return np.concatenate(found)


def touches_round(
    edges: FloatArray, circles: tuple[FloatArray, FloatArray], eyes: FloatArray, far: float, within: float
) -> FloatArray:
    """Return the last lines of ways that come round a circle to within reach of an edge or a corner.

    Circles are their middles, rows x, y, and their radii; those count that lie no farther than `far` inches from an
    eye. The answer has rows x1, y1, x2, y2: where the circle is left, and the touch.

    >>> circle = np.array([[0.0, 0.0]]), np.array([1.0])
    >>> lines = touches_round(np.array([[4.0, -2.0, 4.0, 2.0]]), circle, np.array([[0.0, 3.0]]), 3.0, 1.5)
    >>> [0.0, 1.0, 2.5, 1.0] in lines.round(6).tolist()
    True
    """
    middles, radius = circles
    near = shapely.distance(shapely.points(middles), shapely.MultiPoint(eyes)) <= far + radius + TOLERANCE
    middles, radius = middles[near & (radius > 0.0)], radius[near & (radius > 0.0)]
    found = [np.zeros((0, 4))]
    step = edges[:, 2:] - edges[:, :2]
    length = np.hypot(*step.T)
    along = step / length[:, None]
    across = np.stack([-along[:, 1], along[:, 0]], axis=1)
    foot = np.sum((middles[:, None] - edges[:, :2]) * along, axis=2)
    for side in (radius[:, None], -radius[:, None]):
        circle, edge = np.nonzero((foot + side >= 0.0) & (foot + side <= length))
        at = edges[edge, :2] + (foot + side)[circle, edge][:, None] * along[edge]
        left = middles[circle] + side[circle] * along[edge]
        found += [np.hstack([left, at + off * across[edge]]) for off in (within, -within)]
    corners = np.unique(edges.reshape(-1, 2), axis=0)
    onward = middles[:, None] - corners
    away = np.hypot(*onward.transpose(2, 0, 1))
    circle, corner = np.nonzero(away > radius[:, None])
    away, wide = away[circle, corner], radius[circle]
    angle = np.arctan2(onward[circle, corner, 1], onward[circle, corner, 0])
    turn, length = np.arcsin(wide / away), np.sqrt(away**2 - wide**2)
    for side in (turn, -turn):
        there = np.stack([np.cos(angle + side), np.sin(angle + side)], axis=1)
        left = corners[corner] + length[:, None] * there
        found.append(np.hstack([left, corners[corner] + within * there]))
    return np.concatenate(found)
