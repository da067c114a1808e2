"""Tight fits: where two things stand just a base's width apart, so that the base passes on one line and not beside it.

Ends on such lines and beyond them may be lines, which no area shows; so the lines are found, to be looked at as such.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from simulator.geometry.pieces import FloatArray
from simulator.geometry.standing_room import Box

#: Two things so nearly a base's width apart count as a fit, in inches, as bases are drawn with corners.
_NEAR_FIT = 2e-3


def lines_through_fits(outlines: NDArray[Any], discs: FloatArray, bounds: Box, width: float) -> FloatArray:
    """Return the lines straight through all that is just so wide, in inches: rows x, y of a place and a direction.

    Looked at are outlines (shapely), discs (rows x, y, radius) and the sides of a table's bounds, each with each.

    >>> walls = np.array([shapely.box(0, 0, 4, 2), shapely.box(0, 3, 4, 5)])
    >>> lines_through_fits(walls, np.zeros((0, 3)), (-9, -9, 9, 9), 1.0).round(6).tolist()
    [[4.0, 2.5, -1.0, 0.0]]
    """
    corners = shapely.get_coordinates(shapely.box(*bounds))
    sides = shapely.linestrings(np.stack([corners[:-1], corners[1:]], axis=1))
    things = np.concatenate([shapely.points(discs[:, :2]), outlines, sides])
    wide = np.concatenate([discs[:, 2], np.zeros(len(things) - len(discs))])
    # Only what is that near can be a fit: things are not compared each with all others.
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
