"""Basic geometry of solids: their parts, intersections with lines, and depths of points."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simulator.errors import BoardError
from simulator.geometry.pieces import FloatArray, Solid
from simulator.geometry.snapping import MAX_COORDINATE

#: The longest possible step.
FARTHEST = 2 * MAX_COORDINATE

BoolArray = NDArray[np.bool_]
IntArray = NDArray[np.intp]
Interval = tuple[FloatArray, FloatArray]


def as_points(values: ArrayLike) -> FloatArray:
    """Convert points to rows (x, y); raise BoardError if they are invalid."""
    points = np.asarray(values, np.float64)
    if points.size == 0:
        points = points.reshape(0, 2)
    if points.ndim != 2 or points.shape[1] != 2:
        raise BoardError(f"expected points as rows (x, y), not an array of shape {points.shape}")
    good = np.abs(points) <= FARTHEST  # false for nan
    if not good.all():
        raise BoardError(f"expected finite numbers up to {FARTHEST:.0f}, not {points[~good.all(axis=1)][0].tolist()}")
    return points


def require_radius(radius: float) -> None:
    """Raise BoardError for an invalid radius."""
    if not 0.0 <= radius <= FARTHEST:
        raise BoardError(f"expected a radius of 0 or more and finite, not {radius}")


def is_curved(solid: Solid) -> bool:
    """Return whether a solid has round sides."""
    return bool(solid.spread.any())


def centre_of(solid: Solid) -> FloatArray:
    """Return the one point that a disc, an ellipse or a point lies around."""
    centre: FloatArray = solid.parts[0][0]
    return centre


def radius_of(solid: Solid) -> float | None:
    """Return the radius of a disc, 0 for a point, None for anything else."""
    spread = solid.spread
    if len(solid.parts) > 1 or len(solid.parts[0]) > 1:
        return None
    if spread[0, 0] != spread[1, 1] or spread[0, 1] or spread[1, 0]:
        return None
    return float(spread[0, 0])


def disc_interval(
    dx: FloatArray,
    dy: FloatArray,
    ux: FloatArray,
    uy: FloatArray,
    rho: FloatArray | float,
    slack: float = 0.0,
) -> Interval:
    """Return the interval along a ray in which its points lie within `rho` of a centre; (inf, -inf) if nowhere.

    A ray that misses by at most `slack` is taken to touch.
    """
    middle = -(dx * ux + dy * uy)
    off = np.abs(ux * dy - uy * dx)
    half = np.sqrt(np.maximum(np.square(rho) - np.square(off), 0.0))
    hit = off <= rho + slack
    return np.where(hit, middle - half, np.inf), np.where(hit, middle + half, -np.inf)


def band(start: FloatArray, rate: FloatArray, low: FloatArray | float, high: FloatArray | float) -> Interval:
    """Return the interval along a ray in which a linearly changing quantity lies between two values."""
    still = np.abs(rate) < 1e-200  # dividing by less could overflow
    pace = np.where(still, 1.0, rate)
    one, other = (low - start) / pace, (high - start) / pace
    within = (low <= start) & (start <= high)
    first = np.where(still, np.where(within, -np.inf, np.inf), np.minimum(one, other))
    last = np.where(still, np.where(within, np.inf, -np.inf), np.maximum(one, other))
    return first, last


def both(one: Interval, other: Interval) -> Interval:
    """Return the intersection of two intervals; (inf, -inf) if it is empty."""
    first, last = np.maximum(one[0], other[0]), np.minimum(one[1], other[1])
    met = first <= last
    return np.where(met, first, np.inf), np.where(met, last, -np.inf)


def farthest(spread: FloatArray, looking: FloatArray) -> FloatArray:
    """Return the point of an ellipse around (0, 0) that lies farthest in a direction."""
    pull = spread.T @ looking
    length = np.hypot(*pull)
    return spread @ (pull / length) if length else np.zeros(2)


def border_on_line(spreads: Sequence[FloatArray], margin: float, along: FloatArray, level: float) -> FloatArray:
    """Find the normal of the border of a sum of ellipses where a line leaves it.

    The line runs along `along`, `level` to the left of the centre. From its right to its left extreme the border lies
    ever farther to the left, so bisection finds the point.
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


def least_slack(
    corners: FloatArray, spreads: Sequence[FloatArray], points: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Compute each point's depth in the sum of a convex polygon and ellipses, and the direction of the nearest exit.

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
