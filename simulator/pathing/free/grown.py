"""Things grown by a base's radius, for a planner that takes the base as a point."""

from __future__ import annotations

import numpy as np
from shapely.geometry import Polygon

from simulator.pathing.free.obstacles import Floats


def grown_edges(edges: Floats, radius: float) -> tuple[list[Polygon], Floats]:
    """Return edges (rows x1, y1, x2, y2) grown by a radius: a rectangle along each, and discs (rows x, y, radius).

    The discs stand at all ends of edges, each once. Edges have some length.

    >>> along, ends = grown_edges(np.array([[0.0, 0.0, 4.0, 0.0]]), 0.5)
    >>> [part.bounds for part in along], ends.tolist()
    ([(0.0, -0.5, 4.0, 0.5)], [[0.0, 0.0, 0.5], [4.0, 0.0, 0.5]])
    """
    along = (edges[:, 2:] - edges[:, :2]) / np.hypot(*(edges[:, 2:] - edges[:, :2]).T)[:, None]
    across = radius * np.column_stack([-along[:, 1], along[:, 0]])
    rectangles = [
        Polygon([edge[:2] - off, edge[2:] - off, edge[2:] + off, edge[:2] + off])
        for edge, off in zip(edges, across, strict=True)
    ]
    corners = np.unique(edges.reshape(-1, 2), axis=0)
    return rectangles, np.column_stack([corners, np.full(len(corners), radius)])
