"""Where leaps off an edge land: on the line of places at which the base touches the outline from outside.

A curved base is made a circle: the table is turned and stretched so that it is one, and the outline with it. The line
is drawn with corners that touch, on arcs so near each other that its sides are true to an error; places are asked about
where they touch, not on the sides between.

>>> from simulator.geometry.footprints import Round
>>> from simulator.geometry.pieces import rectangle
>>> line = LandingLine(OffTheEdge("leap", rectangle((0, 0), (8, 8)), Round(1), 1, 0), 0.0, 0.05)
>>> drawn = line.drawn(lambda places: places[:, 0] > 4.0, np.zeros((0, 2)))
>>> drawn.bounds[2], round(drawn.length, 1)  # 8 inches along a side, and two quarters of a circle
(5.0, 11.1)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from copy import copy

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from simulator.geometry.convex import BoolArray, IntArray, is_curved
from simulator.geometry.pieces import FloatArray
from simulator.geometry.shapes import lines_of, together
from simulator.geometry.tolerances import GRID
from simulator.pathing.columns import pick
from simulator.pathing.posed.contact_lines import parts_that_end
from simulator.pathing.posed.edges import OffTheEdge
from simulator.pathing.posed.legs import CastLegs
from simulator.pathing.posed.rays import has_room, passes_freely
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates

#: Landings so many inches from each other are near.
_APART = 0.1


class LandingLine:
    """The line of places at which a base with a heading touches an outline from outside."""

    def __init__(self, edge: OffTheEdge, heading: float, error: float) -> None:
        placed = edge.base.at(0.0, 0.0, heading)
        outline = edge.outline.polygon
        self._stretched: BaseGeometry | None = None
        if is_curved(placed):
            self._round = np.asarray(placed.spread)
            self._stretched = _mapped(outline, _inverse(self._round))
            share = min(error / edge.base.reach, 1.0)
            grown = shapely.buffer(
                self._stretched, 1.0, quad_segs=max(math.ceil(math.pi / 4 / math.acos(1 - share)), 4)
            )
            self._line = lines_of(_mapped(grown, self._round).boundary)
        else:
            sums: list[BaseGeometry] = [
                shapely.MultiPoint((one[:, None] - part).reshape(-1, 2)).convex_hull
                for one in edge.outline.parts
                for part in placed.parts
            ]
            self._line = lines_of(shapely.union_all(sums).boundary)

    def beyond(self, besides: BaseGeometry) -> LandingLine | None:
        """Return the part of it outside of some ground; None: all of it lies there."""
        found = copy(self)
        found._line = lines_of(shapely.difference(self._line, besides))
        return None if found._line.is_empty else found

    def drawn(self, ends: Callable[[FloatArray], BoolArray], near: FloatArray) -> BaseGeometry:
        """Draw the parts on which places are ends; near some places, rows x, y, it is looked at besides."""
        lines = [line for line in shapely.get_parts(self._line) if line.length > GRID]
        parts = parts_that_end(lines, lambda _, places: ends(self._touching(places)), near)
        return together([], [shapely.transform(part, self._touching) for part in parts])

    def places(self, apart: float) -> FloatArray:
        """Return places along it that touch, one after the other, no farther apart than so."""
        return self._touching(shapely.get_coordinates(shapely.segmentize(self._line, apart)))

    def _touching(self, places: FloatArray) -> FloatArray:
        """Return for places on the line, or on a side of it that cuts off an arc, those nearby that touch."""
        if self._stretched is None:
            return places
        here = places @ _inverse(self._round).T
        points = shapely.points(here)
        nearest = shapely.get_coordinates(shapely.shortest_line(self._stretched, points))[::2]
        away = here - nearest
        away /= np.hypot(away[:, 0], away[:, 1])[:, None]
        return np.asarray((nearest + away) @ self._round.T)


def _mapped(shape: BaseGeometry, matrix: FloatArray) -> BaseGeometry:
    return shapely.transform(shape, lambda corners: corners @ matrix.T)


def _inverse(matrix: FloatArray) -> FloatArray:
    return np.asarray(np.linalg.inv(matrix), np.float64)


def landings(edge: OffTheEdge, legs: Sequence[CastLegs]) -> FloatArray:
    """Return where leaps land straight after legs; of those that are near each other, one."""
    places = np.concatenate([np.zeros((0, 2)), *(_landed(edge, some)[2] for some in legs)])
    _, first = np.unique(np.round(places / _APART), axis=0, return_index=True)
    return places[first]


def landed(space: PoseSpace, legs: CastLegs) -> PoseStates:
    """Return the states of who leaps off the edge of a space straight after some legs, and has just landed."""
    edge, ending = space.leap, space.at_the_end
    assert edge is not None
    row, after, places = _landed(edge, legs)
    states = legs.states(row, after)
    kept = np.flatnonzero(space.can_pay(states.price) & has_room(ending, places, states.heading))
    states, places = pick((states, places), kept)
    free = np.flatnonzero(passes_freely(space, ending, states.place, places, states.heading))
    states, places = pick((states, places), free)
    return states._replace(place=places)


def _landed(edge: OffTheEdge, legs: CastLegs) -> tuple[IntArray, FloatArray, FloatArray]:
    """The legs after which leaps land, straight on: which, after how many inches of each, and where."""
    rays, heading = legs.rays, legs.turns.heading
    after = edge.exits(rays.starts, heading, rays.ahead, legs.inches)
    row = np.flatnonzero(np.isfinite(after))
    touching = rays.places(row, after[row])
    inches = edge.lengths(touching, heading[row], rays.ahead[row])
    lands = np.flatnonzero(~np.isnan(inches))
    row = row[lands]
    return row, after[row], touching[lands] + inches[lands, None] * rays.ahead[row]
