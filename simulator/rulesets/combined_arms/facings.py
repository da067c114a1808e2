"""Where a passenger may be set down whose base is not round (CA-119): that depends on which way it faces.

For single headings it is known exactly. All headings between two of them share the ground that will do for each.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from simulator.geometry.footprints import Base
from simulator.geometry.pieces import FloatArray
from simulator.geometry.shapes import shrunk
from simulator.geometry.sums import clear_of, sum_of
from simulator.geometry.tolerances import GRID
from simulator.pathing.posed import Headings

#: Headings lie so many degrees apart.
_APART = 15.0
#: The corners to a quarter of a circle.
_ROUND = 6


class FacedWays(NamedTuple):
    """A heading from which on, for so many degrees, the base covers about the same."""

    first: float
    wide: float = 0.0

    @property
    def headings(self) -> Headings:
        """Its headings."""
        return Headings(self.first, self.first + self.wide)

    def parts(self, base: Base) -> list[FloatArray]:
        """Return the corners of the convex parts of a base that faces half the way."""
        return list(base.at(0.0, 0.0, self.first + self.wide / 2.0).parts)


def facings(heading: float) -> Iterator[FacedWays]:
    """Yield all headings, single ones and those between; of the single ones one is as named."""
    for first in np.arange(heading, heading + 360.0, _APART).tolist():
        yield FacedWays(first)
        yield FacedWays(first, _APART)


def near_facing(beside: BaseGeometry, base: Base, facing: FacedWays) -> BaseGeometry:
    """Return where the reference point of a base is that touches some ground, whichever of some ways it faces."""
    # So far no point of the base is from where it would be, facing the middle way.
    off = base.reach * 2.0 * math.sin(math.radians(facing.wide) / 4.0)
    ground = shrunk(beside, off, quad_segs=_ROUND) if off else beside
    return shapely.union_all([sum_of(ground, -part) for part in facing.parts(base)], grid_size=GRID)


def clear_facing(near: BaseGeometry, closed: BaseGeometry, base: Base, facing: FacedWays) -> BaseGeometry:
    """Return the part of an area in which a base is clear of what is closed, whichever of some ways it faces."""
    return clear_of(near, [closed], base, facing.first, facing.wide)
