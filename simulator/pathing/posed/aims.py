"""What a search may leave out that is for ways to one place alone: all from where it is too far off.

>>> from fractions import Fraction
>>> from simulator.geometry.footprints import Round
>>> from simulator.pathing.posed import Mode, PoseSpace, PoseStart, TurnPrices, even_ground
>>> even, start = even_ground(Fraction(1)), PoseStart((0, 0), Fraction(0))
>>> space = PoseSpace(Round(1), (start,), Fraction(9), even, (Mode("forward"),), TurnPrices.flat(4))
>>> aim = aim_at(space, (8, 0))
>>> aim.least(np.array([(0.0, 0.0), (7.0, 0.0), (20.0, 0.0)]), 1.0).tolist()
[6.0, 0.0, 10.0]
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simulator.geometry.pieces import XY, FloatArray
from simulator.pathing.posed.space import PoseSpace

#: So many meshes nearer counts a place as it is: a state may stand for others in its bin, which lie nearer.
_NEARER = 2.0


class Aim(NamedTuple):
    """A place that ways are looked for to, and what an inch on the way there costs at least."""

    place: XY
    rate: float

    def least(self, places: FloatArray, mesh: float) -> FloatArray:
        """Compute what ways from places to it cost at least, for a search with a mesh."""
        away = places - self.place
        inches = np.hypot(away[:, 0], away[:, 1]) - _NEARER * mesh
        return np.asarray(np.maximum(inches, 0.0) * self.rate)


def aim_at(space: PoseSpace, place: XY) -> Aim | None:
    """Return the aim at a place; None where links lead across the table, so that an inch may cost less."""
    if any(link.far_ends for link in space.links):
        return None
    return Aim(place, space.least_rate)
