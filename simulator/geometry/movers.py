"""A base in the form used by the judge of ways: a disc, an ellipse, or convex polygons around its reference point."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely

from simulator.geometry.footprints import Base, Oval, Round
from simulator.geometry.pieces import NO_EDGES, FloatArray
from simulator.geometry.tolerances import GRID, ROUNDING


@dataclass(frozen=True, eq=False)
class MovingBase:
    """A base that faces along +x, its reference point at (0, 0).

    Discs and ellipses have half `axes`, equal for a disc and 0 for a point; all others have convex `parts` that may
    overlap one another and together make up the base, and `sides`, rows x1, y1, x2, y2.
    """

    axes: tuple[float, float]
    parts: tuple[FloatArray, ...]
    sides: FloatArray
    reach: float

    @classmethod
    def round(cls, radius: float) -> MovingBase:
        """Return a disc, or a point with a radius of 0."""
        return cls((radius, radius), (), NO_EDGES, radius)

    @property
    def is_point(self) -> bool:
        """Whether it has no size."""
        return self.reach == 0.0

    @property
    def is_round(self) -> bool:
        """Whether it is a disc or a point, for which headings are irrelevant."""
        return not self.parts and self.axes[0] == self.axes[1]

    @property
    def anchor(self) -> tuple[float, float]:
        """A place well inside it."""
        if not self.parts:
            return 0.0, 0.0
        x, y = self.parts[0].mean(axis=0).tolist()
        return x, y

    def extents(self, headings: FloatArray) -> FloatArray:
        """Return its extents along +x, +y, -x, -y from its reference point, one row for each heading in degrees."""
        quarters = np.array([0.0, 90.0, 180.0, 270.0])
        angles = np.radians(quarters - np.reshape(headings, (-1, 1)))
        # Exact for headings along an axis: in floating point the sine of a straight angle is not 0.
        cos, sin = np.round(np.cos(angles), 15), np.round(np.sin(angles), 15)
        if not self.parts:
            if self.is_round:
                return np.full(cos.shape, self.axes[0])
            return np.asarray(np.hypot(self.axes[0] * cos, self.axes[1] * sin))
        corners = np.concatenate(self.parts)
        ahead = corners[:, 0, None, None] * cos + corners[:, 1, None, None] * sin
        return np.asarray(ahead.max(axis=0))


def mover_of(base: Base) -> MovingBase:
    """Convert a base."""
    if isinstance(base, Round):
        return MovingBase.round(base.radius)
    if isinstance(base, Oval):
        return MovingBase((base.length / 2, base.width / 2), (), NO_EDGES, base.reach)
    placed = base.at(0.0, 0.0)
    parts = _grown_together([*placed.parts])
    return MovingBase((0.0, 0.0), (*parts, *_over_seams(parts)), np.asarray(placed.edges), base.reach)


def _grown_together(parts: list[FloatArray]) -> list[FloatArray]:
    """Merge neighbours as long as the result is convex: fewer parts are judged faster."""
    for one, part in enumerate(parts):
        for other in range(one + 1, len(parts)):
            for seam in _seams(part, parts[other]):
                both = shapely.union(shapely.Polygon(part), shapely.Polygon(parts[other]), grid_size=GRID)
                if both.area >= shapely.convex_hull(both).area * (1.0 - ROUNDING):
                    rest = [keep for k, keep in enumerate(parts) if k not in (one, other)]
                    return _grown_together([_joined(part, parts[other], seam), *rest])
    return parts


def _joined(part: FloatArray, other: FloatArray, seam: FloatArray) -> FloatArray:
    """Return two convex polygons merged along a seam, counter-clockwise, without redundant corners."""
    first = int(np.flatnonzero((part == seam[1]).all(axis=1))[0])
    after = int(np.flatnonzero((other == seam[0]).all(axis=1))[0])
    ring = np.concatenate([np.roll(part, -first, axis=0), np.roll(other, -after, axis=0)[1:-1]])
    step, before = np.roll(ring, -1, axis=0) - ring, ring - np.roll(ring, 1, axis=0)
    bend = before[:, 0] * step[:, 1] - before[:, 1] * step[:, 0]
    kept: FloatArray = ring[np.abs(bend) > ROUNDING]
    return kept


def _seams(part: FloatArray, other: FloatArray) -> list[FloatArray]:
    """Return the sides that two polygons share, in the direction of the first."""
    ours = zip(part.tolist(), np.roll(part, -1, axis=0).tolist(), strict=True)
    theirs = [*zip(np.roll(other, -1, axis=0).tolist(), other.tolist(), strict=True)]
    return [np.array(side) for side in ours if side in theirs]


def _over_seams(parts: list[FloatArray]) -> list[FloatArray]:
    """Return convex polygons across the seams of a base that has been cut into parts.

    A wall that enters along a seam is on the border of both parts and inside neither; it is well inside these.
    """
    pairs = [(part, other) for number, part in enumerate(parts) for other in parts[number + 1 :]]
    return [_across(seam, part, other) for part, other in pairs for seam in _seams(part, other)]


def _across(seam: FloatArray, left: FloatArray, right: FloatArray) -> FloatArray:
    """Return the kite over a seam that extends perpendicularly from its middle into both parts as far as they go."""
    middle, step = seam.mean(axis=0), seam[1] - seam[0]
    square = np.array([-step[1], step[0]]) / np.hypot(*step)
    tips = []
    for part, side in ((left, square), (right, -square)):
        ray = shapely.LineString([middle, middle + side * 2 * np.ptp(part, axis=0).sum()])
        inside = shapely.get_coordinates(shapely.intersection(ray, shapely.Polygon(part)))
        tips.append(middle + side * np.max((inside - middle) @ side))
    kite: FloatArray = np.array([seam[0], tips[1], seam[1], tips[0]])
    return kite
