"""Standing room: where a round base fits on a table, beside all obstacles.

Contact is legal, and so is an overlap up to `TOLERANCE`: places are kept on a grid of a millionth of an inch, so two of
them may be off by that much together.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
import shapely
from numpy.typing import ArrayLike, NDArray

from simulator.geometry.convex import BoolArray
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.tolerances import TOLERANCE

#: Min x, min y, max x, max y.
Box = tuple[float, float, float, float]


def room_within(bounds: Box, radius: float) -> Box:
    """Return the box of centres for which a base is wholly within bounds.

    >>> room_within((0.0, 0.0, 30.0, 20.0), 0.5)
    (0.5, 0.5, 29.5, 19.5)
    """
    low_x, low_y, high_x, high_y = bounds
    return low_x + radius, low_y + radius, high_x - radius, high_y - radius


class Shortfall(NamedTuple):
    """The reason why a base does not fit: over the edge, on an outline or on another base, in inches."""

    what: Literal["edge", "outline", "base"]
    number: int  #: of the outline or the base
    needed: float  #: the distance that the centre needs; for the edge, the overhang of the base
    available: float


@dataclass(frozen=True, eq=False)
class StandingRoom:
    """The places where the centre of one base may be: within bounds, off outlines, beside other bases.

    `outlines` are shapely polygons and lines, also in `tree`, so that many movers share it; `bases` rows x, y, radius.

    >>> shed = np.array([shapely.box(4, 4, 6, 6)])
    >>> room = StandingRoom(0.5, (0, 0, 10, 10), shed, shapely.STRtree(shed), np.array([[1.0, 8.0, 1.0]]))
    >>> room.free([(3.5, 5), (3.6, 5), (2.5, 8), (2.4, 8), (9.6, 1)]).tolist()
    [True, False, True, False, False]
    >>> [(one.what, one.needed, round(one.available, 6)) for one in room.shortfalls((3.75, 5))]
    [('outline', 0.5, 0.25)]
    """

    radius: float
    bounds: Box
    outlines: NDArray[Any]
    tree: shapely.STRtree
    bases: FloatArray

    @property
    def box(self) -> Box:
        """The box of centres for which the base is wholly within the bounds."""
        return room_within(self.bounds, self.radius)

    def free(self, places: ArrayLike) -> BoolArray:
        """Return a mask of the places (rows x, y) at which the base fits."""
        points = np.asarray(places, np.float64).reshape(-1, 2)
        low_x, low_y, high_x, high_y = self.box
        x, y = points.T
        free = (x >= low_x - TOLERANCE) & (x <= high_x + TOLERANCE)
        free &= (y >= low_y - TOLERANCE) & (y <= high_y + TOLERANCE)
        spot, outline = self.tree.query(shapely.points(points), predicate="dwithin", distance=self.radius)
        near = shapely.distance(self.outlines[outline], shapely.points(points[spot]))
        free[spot[near < self.radius - TOLERANCE]] = False
        gaps = np.hypot(x[:, None] - self.bases[:, 0], y[:, None] - self.bases[:, 1])
        return np.asarray(free & np.all(gaps >= self.bases[:, 2] + self.radius - TOLERANCE, axis=1))

    def touched(self, places: FloatArray, slack: float) -> BoolArray:
        """Return a mask of the places (rows x, y) at which the base is in contact with something, up to a slack."""
        radius, touched = self.radius + slack, np.zeros(len(places), np.bool_)
        touched[self.tree.query(shapely.points(places), predicate="dwithin", distance=radius)[0]] = True
        if len(self.bases):
            apart = np.hypot(places[:, None, 0] - self.bases[:, 0], places[:, None, 1] - self.bases[:, 1])
            touched |= np.any(apart <= self.bases[:, 2] + radius, axis=1)
        low_x, low_y, high_x, high_y = self.box
        x, y = places.T
        touched |= (x <= low_x + slack) | (x >= high_x - slack) | (y <= low_y + slack) | (y >= high_y - slack)
        return touched

    def shortfalls(self, place: XY) -> Iterator[Shortfall]:
        """Yield every reason why the base does not fit at a place; none if it fits."""
        low_x, low_y, high_x, high_y = self.box
        over = max(low_x - place[0], place[0] - high_x, low_y - place[1], place[1] - high_y)
        if over > TOLERANCE:
            yield Shortfall("edge", 0, over, 0.0)
        spot = shapely.Point(place)
        for number, outline in enumerate(self.outlines):
            gap = float(shapely.distance(outline, spot))
            if gap < self.radius - TOLERANCE:
                yield Shortfall("outline", number, self.radius, gap)
        for number, (x, y, radius) in enumerate(self.bases.tolist()):
            gap, needed = math.dist(place, (x, y)), self.radius + radius
            if gap < needed - TOLERANCE:
                yield Shortfall("base", number, needed, gap)
