"""Tight fits: two things exactly a base's width apart, so that the base passes on one line only.

Ends on such lines and beyond them may be lines, which no area shows, so the lines are searched separately.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from simulator.geometry.pieces import FloatArray
from simulator.geometry.standing_room import Box

#: The tolerance of a fit, in inches, since bases are drawn with corners.
_NEAR_FIT = 2e-3


def lines_through_fits(outlines: NDArray[Any], discs: FloatArray, bounds: Box, width: float) -> FloatArray:
    """Return the lines straight through all gaps of exactly a width in inches: rows x, y of a place and a direction.

    Gaps are between outlines (shapely), discs (rows x, y, radius) and the sides of a table's bounds, each with each.

    >>> walls = np.array([shapely.box(0, 0, 4, 2), shapely.box(0, 3, 4, 5)])
    >>> lines_through_fits(walls, np.zeros((0, 3)), (-9, -9, 9, 9), 1.0).round(6).tolist()
    [[4.0, 2.5, -1.0, 0.0]]
    """
    corners = shapely.get_coordinates(shapely.box(*bounds))
    sides = shapely.linestrings(np.stack([corners[:-1], corners[1:]], axis=1))
    things = np.concatenate([shapely.points(discs[:, :2]), outlines, sides])
    wide = np.concatenate([discs[:, 2], np.zeros(len(things) - len(discs))])
    # Only things this near can be a fit, so not all pairs are compared.
    far = width + _NEAR_FIT + 2.0 * float(wide.max())
    one, other = shapely.STRtree(things).query(things, predicate="dwithin", distance=far)
    one, other = one[one < other], other[one < other]
    lines = shapely.shortest_line(things[one], things[other])
    apart = shapely.length(lines) - wide[one] - wide[other]
    fit = np.flatnonzero((np.abs(apart - width) <= _NEAR_FIT) & (shapely.length(lines) > 0.0))
    begin, end = shapely.get_coordinates(lines[fit]).reshape(-1, 2, 2).transpose(1, 0, 2)
    across = (end - begin) / np.hypot(*(end - begin).T)[:, None]
    begin, end = begin + wide[one[fit], None] * across, end - wide[other[fit], None] * across
    return np.hstack([(begin + end) / 2, -across[:, 1:], across[:, :1]])
