"""What a straight leg costs at least, by a raster of the table: which legs a search need not look at closely.

In each cell of the raster an inch costs at least so much wherever the mover is, or the cell is shut: something bars it
from every place in it. Where the border of an area passes, the cell costs the least of all ground. So no leg costs
less than the cells it passes, and a leg that passes a shut one is none.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from typing import NamedTuple

import numpy as np
import shapely

from simulator.geometry.convex import IntArray
from simulator.geometry.pieces import FloatArray, Solid
from simulator.geometry.tolerances import TOUCH
from simulator.pathing.columns import distinct_rows
from simulator.pathing.posed.ground import PricedGround, Under
from simulator.pathing.posed.grown import GrownShapes
from simulator.pathing.posed.space import PoseSpace

#: About as wide as a base: narrower cells take longer to fill, wider ones are rarely shut.
CELL = 0.5
#: No raster has more cells; that of a mover that gets farther has wider ones.
_MOST_CELLS = 1 << 18
#: Round outlines are drawn as polygons: the share of its size by which the true outline is larger at most.
_ROUNDING = 0.01
#: Of more slopes under a mover not every way to climb some of them is priced.
_MOST_SLOPES = 3


class Grids(NamedTuple):
    """The rasters of legs, one row each, and the rates of all their cells."""

    corner: FloatArray
    most: IntArray  #: the numbers of the last cell across and up, rows
    first: IntArray  #: the number of the first cell
    rates: FloatArray


@dataclass(frozen=True, eq=False)
class LowerPrices:
    """The least prices of an inch by cells of a window."""

    space: PoseSpace
    corner: FloatArray
    cell: float
    rates: FloatArray  #: rows by x, columns by y, with a rim of one cell
    shut: float  #: the rate of a cell that is shut: more than can be paid

    @classmethod
    def of(cls, space: PoseSpace, grown: GrownShapes | None = None) -> LowerPrices:
        """Fill the raster of a space; movers of one table may share what is `grown` for them."""
        window = space.window
        across, up = window.right - window.left, window.top - window.bottom
        cell = max(CELL, math.sqrt(across * up / _MOST_CELLS))
        corner, (columns, rows) = window.grid(cell, space.middle)
        cells = RasterCells(corner + cell / 2, cell, int(columns), int(rows), grown or GrownShapes())
        # A stretch of a leg as long as a cell is wide counts as where its middle is, anywhere in a cell.
        off = cell * (0.5 + math.sqrt(0.5)) + TOUCH
        shut = 4.0 * (float(space.budget) + 1.0) / cell
        rates = np.minimum(_rates(space.ground, cells, off), shut)
        rates[_shut(space, cells, off)] = shut
        # Nothing is known of what lies beyond the window.
        rates = np.pad(rates.reshape(columns, rows), 1, constant_values=float(space.ground.least))
        return cls(space, corner, cell, rates, shut)

    def along(self, starts: FloatArray, ahead: FloatArray, inches: FloatArray) -> FloatArray:
        """Compute for many legs what they cost at least; more than the budget where something bars them."""
        count = np.floor(inches / self.cell).astype(np.intp)
        spent = np.r_[0.0, np.cumsum(self._rates_on(starts, ahead, count) * self.cell)]
        last = np.cumsum(count)
        found = spent[last] - spent[last - count]
        found += np.maximum(inches - count * self.cell, 0.0) * float(self.space.ground.least)
        return np.asarray(np.maximum(found, self.space.ground.least_prices(inches)))

    def at_marks(self, starts: FloatArray, ahead: FloatArray, marks: IntArray, apart: float) -> FloatArray:
        """Compute the same for legs of 1, 2, 3 ... marks so far apart: a row for each, legs one after the other."""
        steps = max(math.ceil(apart / self.cell - TOUCH), 1)
        count = marks * steps
        spent = np.cumsum(self._rates_on(starts, ahead, count, apart / steps) * (apart / steps))
        spent = np.r_[0.0, spent[steps - 1 :: steps]]
        first = np.cumsum(marks) - marks
        return np.asarray(spent[1:] - np.repeat(spent[first], marks))

    def rates_at(self, places: FloatArray) -> FloatArray:
        """Return the rates of the cells that places lie in."""
        cell = np.floor((places - self.corner) / self.cell).astype(np.intp) + 1
        cell = np.clip(cell, 0, np.array(self.rates.shape) - 1)
        return np.asarray(self.rates[cell[:, 0], cell[:, 1]])

    def _rates_on(
        self, starts: FloatArray, ahead: FloatArray, count: IntArray, apart: float | None = None
    ) -> FloatArray:
        """The rates in the middle of so many stretches of each leg, one after the other."""
        grids = self._grids(len(count))
        after = np.arange(int(count.sum())) - np.repeat(np.cumsum(count) - count, count) + 0.5
        # Counted in cells, with the rim: what is truncated is not below 0 but where it is cut off anyway.
        first, step = (starts - grids.corner) / self.cell + 1.0, ahead * ((apart or self.cell) / self.cell)
        found = np.repeat(grids.first, count)
        for axis in (0, 1):
            along = np.repeat(first[:, axis], count) + after * np.repeat(step[:, axis], count)
            cell = np.minimum(np.maximum(along, 0.0).astype(np.intp), np.repeat(grids.most[:, axis], count))
            found += cell if axis else cell * np.repeat(grids.most[:, 1] + 1, count)
        return np.asarray(grids.rates[found])

    def _grids(self, legs: int) -> Grids:
        """The rasters of so many legs."""
        corner, most = np.tile(self.corner, (legs, 1)), np.tile(np.array(self.rates.shape) - 1, (legs, 1))
        return Grids(corner, most, np.zeros(legs, np.intp), self.rates.ravel())


class RasterCells(NamedTuple):
    """The middles of the cells of a raster, numbered by columns, and the things that are looked for in them."""

    first: FloatArray  #: the middle of the first one
    apart: float
    columns: int
    rows: int
    grown: GrownShapes

    @property
    def in_all(self) -> int:
        """How many there are."""
        return self.columns * self.rows

    def inside(self, things: Sequence[Solid], by: FloatArray, *, border: bool) -> tuple[IntArray, IntArray]:
        """Return the pairs of a thing and a middle that the thing, grown by so much, has in it, or on its border."""
        shapes = self.grown.of(things, by)
        known = np.flatnonzero(~shapely.is_empty(shapes)) if len(shapes) else np.zeros(0, np.intp)
        boxes = shapely.bounds(shapes[known]).reshape(-1, 2, 2)
        low = np.maximum(np.ceil((boxes[:, 0] - self.first) / self.apart - TOUCH), 0.0).astype(np.intp)
        most = (self.columns - 1, self.rows - 1)
        high = np.minimum(np.floor((boxes[:, 1] - self.first) / self.apart + TOUCH), most).astype(np.intp)
        across, up = np.maximum(high - low + 1, 0).T
        thing = np.repeat(np.arange(len(known)), across * up)
        number = np.arange(len(thing)) - np.repeat(np.cumsum(across * up) - across * up, across * up)
        column, row = low[thing, 0] + number // up[thing], low[thing, 1] + number % up[thing]
        x, y = self.first[0] + column * self.apart, self.first[1] + row * self.apart
        has = (shapely.intersects_xy if border else shapely.contains_xy)(shapes[known[thing]], x, y)
        return known[thing[has]], (column * self.rows + row)[has]


def _shut(space: PoseSpace, cells: RasterCells, off: float) -> IntArray:
    """The cells with something that bars a mover wherever it is in them."""
    inner = space.base.inner_radius
    solid = [bar for bar in space.bars if bar.polygon.area]
    return np.unique(cells.inside(solid, np.full(len(solid), inner - off), border=False)[1])


def _rates(ground: PricedGround, cells: RasterCells, off: float) -> FloatArray:
    """The least rates of cells: of their one combination of areas, or of all ground where a border passes."""
    outer, inner = (0.0, 0.0) if ground.base is None else (ground.base.reach, ground.base.inner_radius)
    things = ground.areas
    under, near = (np.zeros((cells.in_all, len(things)), np.bool_) for _ in range(2))
    area, cell = cells.inside(things, np.full(len(things), inner - off), border=False)
    under[cell, area] = True
    bounds = shapely.bounds([area.polygon for area in things]).reshape(-1, 2, 2)
    sizes = np.ptp(bounds, axis=1).max(axis=1, initial=0.0)
    area, cell = cells.inside(things, outer + off + (outer + off + sizes) * _ROUNDING, border=True)
    near[cell, area] = True
    rates = np.full(cells.in_all, float(ground.least))
    plain = np.flatnonzero(np.all(under == near, axis=1))
    rows, which = distinct_rows(under[plain])
    found = [_least_rate(ground, frozenset(np.flatnonzero(row).tolist())) for row in rows]
    rates[plain] = np.array(found, np.float64)[which]
    return rates


def _least_rate(ground: PricedGround, under: Under) -> float:
    """The least of what an inch costs over some areas, whichever way it leads."""
    slopes = sorted(under & set(ground.slopes))
    if len(slopes) > _MOST_SLOPES:
        return float(ground.least)
    climbed = chain.from_iterable(combinations(slopes, count) for count in range(len(slopes) + 1))
    return min(_as_float(ground, under, frozenset(some)) for some in climbed)


def _as_float(ground: PricedGround, under: Under, climbed: Under) -> float:
    rate = ground.rate(under, climbed)
    return math.inf if rate is None else float(rate)
