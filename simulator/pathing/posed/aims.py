"""What a search may leave out that is for ways to one place alone: all from where it is too far off.

That is as the crow flies, and by cells round what bars all ways and over what ground there is. A straight leg touches
the cells that it leads over, and there are steps over these, across edges and corners, that are hardly longer.

>>> from fractions import Fraction
>>> from simulator.geometry.footprints import Round
>>> from simulator.pathing.posed import Mode, PoseSpace, PoseStart, TurnPrices, even_ground
>>> even, start = even_ground(Fraction(1)), PoseStart((0, 0), Fraction(0))
>>> space = PoseSpace(Round(1), (start,), Fraction(9), even, (Mode("forward"),), TurnPrices.flat(4))
>>> aim = aim_at(space, (8, 0))
>>> aim.least(np.array([(0.0, 0.0), (7.0, 0.0), (20.0, 0.0)]), 1.0).tolist()
[6.0, 0.0, 10.0]
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from simulator.geometry.pieces import XY, FloatArray
from simulator.pathing.posed.links import PoseLink
from simulator.pathing.posed.lower_prices import LowerPrices
from simulator.pathing.posed.space import PoseSpace

#: So many meshes nearer counts a place as it is: a state may stand for others in its bin, which lie nearer.
_NEARER = 2.0
#: Ways by cells leave room for so many legs: each may begin and end up to a cell from where it is counted to.
_LEGS = 12
_DIAGONAL = math.sqrt(2)
#: From cell to cell, across edges and corners, the way beside a straight line is up to so many times as long as that.
_LONGER = math.sqrt(4 - 2 * _DIAGONAL)
#: More cells are taken together in square blocks.
_MOST_CELLS = 1 << 15
#: Steps to the cells around one.
_STEPS = [(across, up) for across in (-1, 0, 1) for up in (-1, 0, 1) if across or up]

#: A cell by its column and its row.
_Cell: TypeAlias = tuple[int, int]


class Field(NamedTuple):
    """What ways to a place cost at least, by the cell that they begin in."""

    corner: FloatArray
    cell: float
    least: FloatArray  #: rows by x, columns by y
    rate: float  #: what an inch costs at least

    def at(self, places: FloatArray, nearer: float = 0.0) -> FloatArray:
        """Return what ways from places cost at least that begin so many inches nearer."""
        cell = np.floor((places - self.corner) / self.cell).astype(np.intp)
        cell = np.clip(cell, 0, np.array(self.least.shape) - 1)
        return np.asarray(self.least[cell[:, 0], cell[:, 1]] - nearer * self.rate)


class Aim(NamedTuple):
    """A place that ways are looked for to, and what they cost at least: by inches, and by cells if those are known."""

    place: XY
    rate: float | None  #: of an inch as the crow flies; None: links lead there at other prices
    field: Field | None

    def least(self, places: FloatArray, mesh: float) -> FloatArray:
        """Compute what ways from places to it cost at least, for a search with a mesh."""
        least = np.zeros(len(places))
        if self.rate is not None:
            away = places - self.place
            least = np.hypot(away[:, 0], away[:, 1]) - _NEARER * mesh
            least *= self.rate
        if self.field is not None:
            least = np.maximum(least, self.field.at(places, _NEARER * mesh))
        return np.asarray(np.maximum(least, 0.0))


def aim_at(space: PoseSpace, place: XY, lower: Sequence[LowerPrices] = ()) -> Aim | None:
    """Return the aim at a place; None where leaps lead across the table, so that an inch may cost less.

    By the prices of all levels, if they are given, it knows about ways round what bars them, over dear ground, and by
    links from place to place.
    """
    doors = [link for link in space.links if isinstance(link, PoseLink) and link.places is not None]
    far = [link for link in space.links if link.far_ends]
    if len(far) > len(doors) or (far and not lower):
        return None
    field = _field_of(space, place, lower, doors) if lower else None
    return Aim(place, None if far else space.least_rate, field)


def _field_of(space: PoseSpace, place: XY, lower: Sequence[LowerPrices], doors: Sequence[PoseLink]) -> Field:
    """Compute what ways to a place cost at least, step by step from cell to cell, on whichever levels."""
    levels = [one.closer for one in lower]
    cells, rates = levels[0].cells, np.min([one.open_rates for one in levels], axis=0)
    times = math.ceil(math.sqrt(rates.size / _MOST_CELLS))
    rates, cell = _in_blocks(rates, times), cells.apart * times
    by_step = cell * space.least_factor / _LONGER

    def cell_of(place: XY) -> _Cell:
        here = np.floor((np.array(place) - cells.corner) / cell).astype(np.intp)
        x, y = np.clip(here, 0, np.array(rates.shape) - 1).tolist()
        return x, y

    ends = [(door.places, float(door.price) / by_step) for door in doors]
    through = [(cell_of(places[0]), cell_of(places[1]), price) for places, price in ends if places is not None]
    steps = _spread(rates, cell_of(place), through) * by_step
    return Field(cells.corner, cell, steps - _LEGS * cell * space.least_rate, space.least_rate)


def _in_blocks(rates: FloatArray, times: int) -> FloatArray:
    """Return the least rates of square blocks of so many cells across."""
    if times == 1:
        return rates
    whole = np.pad(rates, [(0, -size % times) for size in rates.shape], constant_values=np.inf)
    across, up = (size // times for size in whole.shape)
    return np.asarray(whole.reshape(across, times, up, times).min(axis=(1, 3)))


def _spread(rates: FloatArray, here: _Cell, doors: Sequence[tuple[_Cell, _Cell, float]]) -> FloatArray:
    """Compute for all cells what steps to one of them cost, each at the lower rate of the two cells that it joins.

    Doors lead from one cell to another at a price.
    """
    around, spent = (np.pad(one, 1, constant_values=np.inf) for one in (rates, np.full(rates.shape, np.inf)))
    columns, rows = rates.shape
    steps = []
    for across, up in _STEPS:
        there = slice(1 + across, 1 + across + columns), slice(1 + up, 1 + up + rows)
        price = np.where(np.isinf(rates), np.inf, np.minimum(rates, around[there])) * math.hypot(across, up)
        steps.append((there, price))
    inside = spent[1:-1, 1:-1]
    inside[here] = 0.0
    while True:
        best = inside.copy()
        for there, price in steps:
            np.minimum(best, spent[there] + price, out=best)
        for begin, end, through in doors:
            best[begin] = min(best[begin], inside[end] + through)
        if np.array_equal(best, inside):
            return best
        inside[:] = best
