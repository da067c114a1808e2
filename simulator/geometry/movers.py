"""A base as the judge of ways takes it: a disc, an ellipse, or convex polygons around its reference point."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely

from simulator.geometry.footprints import Base, Oval, Round
from simulator.geometry.pieces import FloatArray


@dataclass(frozen=True, eq=False)
class Mover:
    """A base that looks along +x, its reference point at (0, 0).

    Discs and ellipses have half `axes`, equal for a disc and 0 for a mere point; all others have convex `parts` that
    may overlap one another and together are the base.
    """

    axes: tuple[float, float]
    parts: tuple[FloatArray, ...]
    reach: float

    @property
    def is_point(self) -> bool:
        """Whether it has no size."""
        return self.reach == 0.0

    @property
    def is_round(self) -> bool:
        """Whether it is a disc or a point: then headings mean nothing."""
        return not self.parts and self.axes[0] == self.axes[1]

    @property
    def anchor(self) -> tuple[float, float]:
        """A place well inside it."""
        if not self.parts:
            return 0.0, 0.0
        x, y = self.parts[0].mean(axis=0).tolist()
        return x, y

    def extents(self, headings: FloatArray) -> FloatArray:
        """How far it reaches along +x, +y, -x, -y from its reference point, for headings in degrees; rows."""
        quarters = np.array([0.0, 90.0, 180.0, 270.0])
        angles = np.radians(quarters - np.reshape(headings, (-1, 1)))
        # Exact where a base looks along an axis: a sine of a straight angle is none in floating point.
        cos, sin = np.round(np.cos(angles), 15), np.round(np.sin(angles), 15)
        if not self.parts:
            if self.is_round:
                return np.full(cos.shape, self.axes[0])
            return np.hypot(self.axes[0] * cos, self.axes[1] * sin)
        corners = np.concatenate(self.parts)
        ahead = corners[:, 0, None, None] * cos + corners[:, 1, None, None] * sin
        return np.asarray(ahead.max(axis=0))


def mover_of(base: Base) -> Mover:
    """Take a base apart."""
    if isinstance(base, Round):
        return Mover((base.radius, base.radius), (), base.radius)
    if isinstance(base, Oval):
        return Mover((base.length / 2, base.width / 2), (), base.reach)
    placed = base.at(0.0, 0.0)
    return Mover((0.0, 0.0), (*placed.parts, *_over_seams(placed.parts)), base.reach)


def _over_seams(parts: tuple[FloatArray, ...]) -> list[FloatArray]:
    """Convex polygons across the seams of a base that has been cut into parts.

    A wall that runs in along a seam is on the border of both its parts and in neither: it is well inside these.
    """
    laid: list[FloatArray] = []
    sides = [(part, np.stack([part, np.roll(part, -1, axis=0)], axis=1)) for part in parts]
    for number, (part, ours) in enumerate(sides):
        for other, theirs in sides[number + 1 :]:
            for one, two in ours.tolist():
                if any(a == two and b == one for a, b in theirs.tolist()):
                    laid.append(_across(np.array([one, two]), part, other))
    return laid


def _across(seam: FloatArray, left: FloatArray, right: FloatArray) -> FloatArray:
    """The kite over a seam that reaches squarely from its middle as far into both parts as they go."""
    middle, step = seam.mean(axis=0), seam[1] - seam[0]
    square = np.array([-step[1], step[0]]) / np.hypot(*step)
    tips = []
    for part, side in ((left, square), (right, -square)):
        ray = shapely.LineString([middle, middle + side * 2 * np.ptp(part, axis=0).sum()])
        inside = shapely.get_coordinates(shapely.intersection(ray, shapely.Polygon(part)))
        tips.append(middle + side * np.max((inside - middle) @ side))
    kite: FloatArray = np.array([seam[0], tips[1], seam[1], tips[0]])
    return kite
