"""Offset outlines, on which the centre of a round base lies that touches a thing, and rays into the thing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from simulator.geometry.pieces import FloatArray

#: The corners of offset outlines in a quarter circle: accurate to a thousandth of an inch up to 3 inches.
_ROUND = 32
#: A ray turned from an edge by less than this share of both their lengths runs along it and does not cross it.
_ALONG = 1e-12
#: Ends of edges count as crossed by rays that miss them by less than this share of the edge.
_AT_END = 1e-9


def offset_rings(shape: BaseGeometry, by: float) -> Iterator[BaseGeometry]:
    """Yield the rings around a shape, and in its holes, at a distance in inches.

    >>> [round(ring.length, 2) for ring in offset_rings(shapely.box(0, 0, 4, 2), 0.5)]
    [15.14]
    """
    yield from shapely.get_rings(shapely.get_parts(shapely.buffer(shape, by, quad_segs=_ROUND)))


def places_along(line: BaseGeometry, shares: Sequence[float]) -> FloatArray:
    """Return the places at shares of the length of a line, 0 to 1, rows x, y; for a point, the point.

    >>> places_along(shapely.LineString([(0, 0), (4, 0)]), [0.0, 0.25]).tolist()
    [[0.0, 0.0], [1.0, 0.0]]
    """
    spots = shapely.line_interpolate_point([line], list(shares), normalized=True)
    return np.asarray(shapely.get_coordinates(spots))


def first_crossings(edges: FloatArray, starts: FloatArray, places: FloatArray) -> FloatArray:
    """Return the share of the line from each start to each place at which it first crosses an edge, inf if nowhere.

    Edges are rows x1, y1, x2, y2, the result an array [place, start]; all pairs are compared together, so a caller
    with many of both should split them.

    >>> wall = np.array([[2.0, -1.0, 2.0, 1.0]])
    >>> first_crossings(wall, np.array([[0.0, 0.0]]), np.array([[4.0, 0.0], [4.0, 9.0]])).tolist()
    [[0.5], [inf]]
    """
    step = places[:, None] - starts
    begin, along = edges[:, :2], edges[:, 2:] - edges[:, :2]
    away = begin - starts[:, None]
    turn = step[..., 0, None] * along[:, 1] - step[..., 1, None] * along[:, 0]
    still = np.abs(turn) < _ALONG
    turn = np.where(still, 1.0, turn)
    share = (away[..., 0] * along[:, 1] - away[..., 1] * along[:, 0]) / turn
    on_edge = (away[None, ..., 0] * step[..., 1, None] - away[None, ..., 1] * step[..., 0, None]) / turn
    met = ~still & (share > 0.0) & (share < 1.0) & (on_edge >= -_AT_END) & (on_edge <= 1.0 + _AT_END)
    return np.asarray(np.where(met, share, np.inf).min(axis=2))
