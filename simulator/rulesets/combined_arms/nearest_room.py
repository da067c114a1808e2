"""The nearest place to which a piece comes down that has no room where it is."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from simulator.geometry.footprints import Base, Round
from simulator.geometry.pieces import XY, FloatArray, Solid
from simulator.geometry.snapping import difference, union
from simulator.rulesets.combined_arms.movement import ArmsMoves

#: The corners with which round things are drawn, around them: nearest places are exact to a ten-thousandth of a base.
_CORNERS = 256


def nearest_room(moves: ArmsMoves) -> XY | None:
    """Return the nearest place where a piece has room on its level, facing as it does; None: there is none.

    Gaps that fit exactly are not looked for.
    """
    start, space = moves.space.starts[0], moves.space
    level = moves.levels[start.level]
    assert space.box is not None
    corners = list(_corners_of(space.base, float(start.heading)))
    shut = [grown for one in (*level.bars, *level.no_end) for grown in _grown(one.solid, corners)]
    room = difference(shapely.box(*space.box), union(shut)) if shut else shapely.box(*space.box)
    if room.is_empty:
        return None
    x, y = shapely.get_coordinates(shapely.shortest_line(room, shapely.Point(start.place)))[0].tolist()
    return x, y


def _corners_of(base: Base, heading: float) -> Iterator[FloatArray]:
    """Yield the convex parts of a base around its reference point; of a round one, a polygon around it."""
    yield from map(_around, [base.at(0.0, 0.0, heading)]) if isinstance(base, Round) else base.at(0, 0, heading).parts


def _around(solid: Solid) -> FloatArray:
    """A polygon around a curved solid."""
    turns = 2 * np.pi * np.arange(_CORNERS) / _CORNERS
    corners = np.stack([np.cos(turns), np.sin(turns)], axis=1) / np.cos(np.pi / _CORNERS)
    return np.asarray(solid.parts[0] + corners @ solid.spread.T)


def _grown(solid: Solid, corners: list[FloatArray]) -> Iterator[BaseGeometry]:
    """Yield what the reference point may not be in, so that no part of the base overlaps a solid."""
    for part in [_around(solid)] if np.any(solid.spread) else solid.parts:
        for around in corners:
            places = (part[:, None] - around).reshape(-1, 2)
            yield shapely.MultiPoint(places).convex_hull
