"""Places that a mover has to end far from: a run that has to end more than a move away from where it began.

>>> import numpy as np
>>> far_enough([FarFrom((0, 0), 6)], np.array([(6.0, 0.0), (6.1, 0.0), (0.0, 7.0)])).tolist()
[False, True, True]
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from simulator.geometry.convex import BoolArray
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.shapes import less
from simulator.geometry.tolerances import GRID, SLACK

#: The arcs of an area round a place are drawn with so many segments to a quarter.
_ROUND = 64


@dataclass(frozen=True, slots=True)
class FarFrom:
    """A place, and how many inches in a straight line the reference point has to end beyond, on any level."""

    place: XY
    inches: Fraction | float

    def __post_init__(self) -> None:
        if not (np.isfinite([*self.place, float(self.inches)]).all() and self.inches >= 0):
            raise ValueError(f"a move ends 0 inches or more from a place, not {self.inches} from {self.place}")


def far_enough(far_from: Sequence[FarFrom], places: FloatArray) -> BoolArray:
    """Find the places that are far enough from all of some others."""
    found = np.ones(len(places), np.bool_)
    for one in far_from:
        found &= np.hypot(*(places - one.place).T) > float(one.inches) + SLACK
    return found


def too_near(far_from: Sequence[FarFrom], place: XY) -> Iterator[tuple[int, float]]:
    """Yield the numbers of the places that a place is too near to, and how far it is from them."""
    for number, one in enumerate(far_from):
        if not far_enough([one], np.array([place], np.float64))[0]:
            yield number, math.dist(one.place, place)


def beyond(far_from: Sequence[FarFrom], area: BaseGeometry) -> BaseGeometry:
    """Return the part of an area that is far enough; circles are drawn from outside, so no place is too near."""
    for one in far_from:
        around = (float(one.inches) + GRID) / math.cos(math.pi / (4 * _ROUND))
        area = less(area, shapely.Point(one.place).buffer(around, quad_segs=_ROUND))
    return area
