"""Ground outside of which no move ends: known before anything is searched.

>>> from fractions import Fraction
>>> from simulator.geometry.footprints import Round
>>> from simulator.geometry.pieces import rectangle
>>> from simulator.pathing.posed import Mode, PoseSpace, PoseStart, TurnPrices, even_ground
>>> even, start, walls = even_ground(Fraction(1)), PoseStart((0, 0), Fraction(0)), (rectangle((3, 0), (1, 2)),)
>>> space = PoseSpace(Round(1), (start,), Fraction(5), even, (Mode("forward"),), TurnPrices.flat(1), bars=walls)
>>> room_of(space).bounds, room_of(space).covers(rectangle((3, 0), (1, 1)).polygon)
((-5.0, -5.0, 5.0, 5.0), False)
"""

from __future__ import annotations

import math

import shapely
from shapely.geometry.base import BaseGeometry

from simulator.geometry.shapes import less, together
from simulator.pathing.posed.area import grown
from simulator.pathing.posed.space import PoseSpace

#: Circles are drawn with straight sides: ends keep off what bars them by so many inches less than they have to.
_CLEAR = 0.02
#: Circles are drawn from outside, with so many sides to a quarter.
_ROUND = 16


def room_of(space: PoseSpace, level: int = 0) -> BaseGeometry:
    """Return ground on a level outside of which no move ends.

    It is as far as the budget would pay for on the cheapest ground, less where the base overlaps what bars its way.
    """
    here = space.barred_for_good.on(level)
    around = max(space.farthest, 0.0) / math.cos(math.pi / (4 * _ROUND))
    begun = shapely.buffer(shapely.box(*space.begun_in.T), around, quad_segs=_ROUND)
    ground = shapely.intersection(shapely.union_all(begun), shapely.box(*space.window))
    core = here.base.inner_radius - _CLEAR
    if core > 0.0:
        ground = less(ground, grown(here.bars, core))
    # Where it starts a mover may stay, whatever stands there.
    return together([ground], [shapely.Point(start.place) for start in space.starts if start.level == level])
