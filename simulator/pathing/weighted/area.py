"""The ground that a mover with free turns can end on: the fans of the last bends of its cheapest ways, all together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from simulator.geometry.convex import IntArray
from simulator.geometry.pieces import FloatArray
from simulator.pathing.posed.area import DrawnArea, sample_places
from simulator.pathing.posed.pockets import Pockets
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates, starting
from simulator.pathing.posed.toll_table import no_tolls
from simulator.pathing.posed.turn_prices import TurnGroups
from simulator.pathing.weighted.setting import WeightedSetting

#: Fans are drawn so much finer: the tip of a dear area between two rays goes unnoticed where it is narrow.
_OF_FANS = 0.5
#: So many fans are added at once.
_AT_ONCE = 64
#: An area is grown so often at most where ends lie beside its outline.
_ROUNDS = 4
#: Its outline is looked at by places so far apart, just outside of it.
_APART = 0.2


class LastBends(NamedTuple):
    """Where the ways to ends bend at last."""

    end: FloatArray  #: rows x, y
    place: FloatArray
    price: FloatArray  #: paid by then
    start: IntArray  #: the number of the start


#: Finds the ends among places, and where the ways to them bend at last.
BendsOf = Callable[[FloatArray], LastBends]


def drawn_area(setting: WeightedSetting, known: FloatArray, bends_of: BendsOf, error: float) -> BaseGeometry:
    """Draw the ground of all ends; `known` are places that may be some, besides those of a mesh."""
    space = replace(setting.space, modes=(setting.mode,), more_than=None)
    area = DrawnArea(space, starting(space), error * _OF_FANS)
    places = area.missing(np.concatenate([sample_places(space), known]))
    seen = np.zeros(0, np.intp)
    for _ in range(_ROUNDS):
        found = bends_of(places)
        if not len(found.end):
            break
        states, none = _states(space, found), np.zeros(len(found.end))
        row = np.arange(len(none))
        area.cover_with_fans(Pockets(row, found.end, states, states, none, np.zeros_like(row)), _AT_ONCE)
        places, seen = _beside(area.ground, error, seen)
    return area.drawn()


def _beside(area: BaseGeometry, error: float, seen: IntArray) -> tuple[FloatArray, IntArray]:
    """Places just outside an area, all along its outlines, one in each cell of a grid that was not seen before."""
    lines = shapely.get_parts(shapely.boundary(shapely.get_parts(shapely.buffer(area, error, quad_segs=2))))
    lengths = shapely.length(lines)
    count = np.ceil(lengths / _APART).astype(np.intp)
    line = np.repeat(np.arange(len(lines)), count)
    number = np.arange(len(line)) - np.repeat(np.cumsum(count) - count, count)
    places = shapely.get_coordinates(shapely.line_interpolate_point(lines[line], number * (lengths / count)[line]))
    cells = np.round(places / (_APART / 2)).astype(np.intp) @ np.array([1 << 24, 1])
    cells, first = np.unique(cells, return_index=True)
    new = ~np.isin(cells, seen)
    return places[first[new]], np.concatenate([seen, cells[new]])


def _states(space: PoseSpace, bends: LastBends) -> PoseStates:
    """The bends as states to turn at."""
    count = len(bends.price)
    paid = np.array([float(start.paid) for start in space.starts])[bends.start]
    before = np.array([float(start.travelled) for start in space.starts])[bends.start]
    none, numbers = np.zeros(count), np.full(count, -1)
    groups = TurnGroups(none, none, none, none)
    travelled = before + bends.price - paid
    return PoseStates(
        place=bends.place,
        heading=none,
        price=bends.price,
        travelled=travelled,
        free=none,
        group=groups,
        level=np.zeros(count, np.intp),
        parent=numbers,
        mode=numbers,
        inches=none,
        since=none,
        used=none,
        link=numbers,
        tolls=no_tolls(count),
        covered=none,
    )
