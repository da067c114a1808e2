"""Units that share a place: each is drawn as its part of the base, so that all can be seen and named."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import shapely
from shapely.geometry import Point
from shapely.geometry.base import BaseGeometry

from simulator.engine.table import Depiction
from simulator.geometry.board import Board

#: The most that are stacked in one column, as names are wide and low; more are set in two columns.
_ONE_COLUMN = 3


class BaseShare(NamedTuple):
    """Which part of a base is a unit's, of how many: (0, 1) is all of it."""

    number: int
    of: int


WHOLE = BaseShare(0, 1)


def parts_of(drawn: Iterable[Depiction]) -> Mapping[str, BaseShare]:
    """Return the part of each unit that stands where another one is drawn too, in the order in which they are drawn."""
    sharing: dict[Any, list[str]] = {}
    for one in drawn:
        if one.base is None:
            sharing.setdefault((one.place[:2], one.covers, one.radius), []).append(one.unit)
    groups = [names for names in sharing.values() if len(names) > 1]
    return {name: BaseShare(number, len(names)) for names in groups for number, name in enumerate(names)}


def part_of_base(board: Board[Any], drawn: Depiction, radius: float, part: BaseShare) -> BaseGeometry:
    """Cut a unit's part out of the ground that it is drawn on."""
    covers = [place for place in drawn.covers if place in board]
    base = board.region(covers) if covers else Point(board.centre(drawn.place[:2])).buffer(radius)
    columns = 1 if part.of <= _ONE_COLUMN else 2
    rows = math.ceil(part.of / columns)
    row, column = divmod(part.number, columns)
    low_x, low_y, high_x, high_y = base.bounds
    wide, tall = (high_x - low_x) / columns, (high_y - low_y) / rows
    left, top = low_x + column * wide, high_y - row * tall
    return shapely.intersection(base, shapely.box(left, top - tall, left + wide, top))
