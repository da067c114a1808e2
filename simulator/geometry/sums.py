"""Where a reference point may be for a base that faces one way to touch some ground: sums of shapes.

>>> wall, base = shapely.box(0, 0, 1, 4), np.array([[1, 0.5], [-2, 0.5], [-2, -0.5], [1, -0.5]])
>>> [round(bound, 6) for bound in sum_of(wall, -base).bounds]
[-1.0, -0.5, 3.0, 4.5]
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from simulator.geometry.footprints import Base
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import GRID

#: The corners to a quarter of a circle.
_ROUND = 6


def clear_of(
    ground: BaseGeometry, things: Iterable[BaseGeometry], base: Base, heading: float, wide: float
) -> BaseGeometry:
    """Return the part of some ground in which a base with straight sides is clear of things, whichever way it faces.

    That is a heading, or any of those for so many degrees from that on: what the base covers then lies between its
    outlines, but for how far arcs lie beyond their chords.
    """
    both = [base.at(0.0, 0.0, heading + turned).parts for turned in (0.0, wide)]
    swept = [shapely.convex_hull(shapely.MultiPoint(np.concatenate(parts))) for parts in zip(*both, strict=True)]
    beyond = base.reach * (1.0 - math.cos(math.radians(wide) / 2.0)) / math.cos(math.pi / (4 * _ROUND))
    if beyond:
        swept = [shapely.buffer(one, beyond, quad_segs=_ROUND) for one in swept]
    turned_round = [-shapely.get_coordinates(one)[:-1] for one in swept]
    around = [sum_of(thing, corners) for thing in things for corners in turned_round]
    return shapely.difference(ground, shapely.union_all(around, grid_size=GRID), grid_size=GRID)


def sum_of(area: BaseGeometry, corners: FloatArray) -> BaseGeometry:
    """Return all sums of a place of an area and one of a convex shape, named by its corners; on the grid of shapes."""
    if area.is_empty:
        return shapely.Polygon()
    parts = shapely.get_parts(area)
    sides = [np.zeros((0, 2, 2))]
    for ring in shapely.get_rings(parts).tolist():
        along = shapely.get_coordinates(ring)
        sides.append(np.stack([along[:-1], along[1:]], axis=1))
    ends = np.concatenate(sides)
    summed = (ends[:, :, None] + corners).reshape(len(ends), -1, 2)
    swept = np.asarray(shapely.convex_hull(shapely.linestrings(summed)), object)
    moved = shapely.transform(parts, lambda places: places + corners[0])
    return shapely.union_all(np.concatenate([moved, swept]), grid_size=GRID)
