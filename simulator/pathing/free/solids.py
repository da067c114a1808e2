"""Obstacles from things of the geometry: shapes of pieces, and bases that stand somewhere."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from simulator.geometry.table import InchTable
from simulator.pathing.free.obstacles import Box, Floats, Obstacles

_OVAL_CORNERS = 128


class ObstacleSolid(Protocol):
    """The interface of a thing: the ground it covers, its border, and the matrix of its ellipse, zeros without one."""

    @property
    def polygon(self) -> BaseGeometry:
        """The ground it covers."""

    @property
    def edges(self) -> Floats:
        """Its border as rows x1, y1, x2, y2."""

    @property
    def spread(self) -> Floats:
        """The matrix that makes the unit disc its ellipse."""

    @property
    def parts(self) -> tuple[Floats, ...]:
        """Its convex parts; of an ellipse, the one point in its middle."""


def obstacles_of(solids: Iterable[ObstacleSolid], border: Box | None = None) -> Obstacles:
    """Return things as obstacles: round ones as discs, bare lines and points as walls, all others as polygons.

    Ovals are drawn with 128 corners around them: at most a three-thousandth of their length too large.
    """
    discs: list[list[float]] = []
    walls: list[list[float]] = []
    polygons: list[shapely.Polygon] = []
    for solid in solids:
        spread = np.asarray(solid.spread, np.float64)
        if np.any(spread):
            (centre,) = solid.parts[0]
            radius = float(spread[0, 0])
            if np.array_equal(spread, radius * np.eye(2)):
                discs.append([*centre.tolist(), radius])
            else:
                polygons.append(_around_ellipse(centre, spread))
        elif solid.polygon.area > 0.0:
            polygons += [part for part in shapely.get_parts(solid.polygon) if isinstance(part, shapely.Polygon)]
        else:
            walls += solid.edges.tolist()
    return Obstacles(discs, walls, polygons, border)


def obstacles_on(board: InchTable) -> Obstacles:
    """Return the obstacles on a table: its pieces of the layer `obstacle`, and its edge.

    >>> from simulator.geometry.pieces import Piece, rectangle
    >>> shed = Piece("shed", "building", rectangle((9, 5), (2, 6)), "obstacle")
    >>> obstacles_on(InchTable("Yard", 20, 10, pieces=[shed])).things
    1
    """
    low_x, low_y, high_x, high_y = board.bounds
    solids = [piece.shape for piece in board.pieces if piece.layer == "obstacle"]
    return obstacles_of(solids, (low_x, low_y, high_x, high_y))


def _around_ellipse(centre: Floats, spread: Floats) -> shapely.Polygon:
    angles = 2.0 * np.pi * np.arange(_OVAL_CORNERS) / _OVAL_CORNERS
    ring = np.stack([np.cos(angles), np.sin(angles)], axis=1) / np.cos(np.pi / _OVAL_CORNERS)
    return shapely.Polygon(centre + ring @ spread.T)
