"""The ground that a mover can end on: the fans of poses to turn at, all together."""

from __future__ import annotations

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from simulator.geometry.convex import BoolArray
from simulator.geometry.footprints import Round
from simulator.geometry.pieces import FloatArray
from simulator.pathing.posed.fans import fans
from simulator.pathing.posed.search import MESH
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates

#: So many fans are added at once: the next are those of ends that are still missing.
AT_ONCE = 24
#: How many corners a quarter of a circle is drawn with.
_ROUND = 32


def sample_places(space: PoseSpace, apart: float = MESH) -> FloatArray:
    """Return places all over the part of the table that a mover may get to."""
    left, bottom, right, top = space.window
    x, y = np.meshgrid(np.arange(left, right + apart, apart), np.arange(bottom, top + apart, apart))
    return np.stack([np.minimum(x, right).ravel(), np.minimum(y, top).ravel()], axis=1)


class DrawnArea:
    """The area of the fans that were added so far."""

    def __init__(self, space: PoseSpace, states: PoseStates, error: float) -> None:
        self._space, self._error = space, error
        self._area: BaseGeometry = shapely.union_all(fans(space, states, error))

    def add(self, states: PoseStates) -> None:
        """Add the fans of some states."""
        self._area = shapely.union_all([self._area, *fans(self._space, states, self._error)])

    def is_missing(self, places: FloatArray) -> BoolArray:
        """Find the places that are not in the area."""
        near = shapely.buffer(self._area, self._error / 2, quad_segs=2)
        shapely.prepare(near)
        return ~np.asarray(shapely.intersects_xy(near, places[:, 0], places[:, 1]))

    def missing(self, places: FloatArray) -> FloatArray:
        """Return the places that are not in the area."""
        return places[self.is_missing(places)]

    def drawn(self) -> BaseGeometry:
        """Return the area less the places where the mover surely may not stand.

        Between two rays a fan is straight, and may cut off a corner of what stands there.
        """
        space = self._space
        radius = space.base.radius if isinstance(space.base, Round) else 0.0
        barred = np.array([thing.polygon for thing in (*space.bars, *space.no_end)], object)
        return shapely.difference(self._area, shapely.union_all(shapely.buffer(barred, radius, quad_segs=_ROUND)))
