"""What a straight leg costs at least, by a raster of the table: which legs a search need not look at closely.

In each cell of the raster an inch costs at least so much wherever the mover is, or the cell is shut: something bars it
from every place in it. Where the border of an area passes, the cell costs the least of all ground. So no leg costs
less than the cells it passes, and a leg that passes a shut one is none.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, combinations
from typing import NamedTuple

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import TOUCH
from simulator.pathing.columns import distinct_rows
from simulator.pathing.posed.closer_prices import CloserPrices
from simulator.pathing.posed.goals import WITHIN, Goals
from simulator.pathing.posed.ground import PricedGround, Under
from simulator.pathing.posed.ground_by_cells import GroundByCells
from simulator.pathing.posed.grown import GrownShapes
from simulator.pathing.posed.raster_cells import RasterCells, rate_of_shut
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates

#: About as wide as a base: narrower cells take longer to fill, wider ones are rarely shut.
CELL = 0.5
#: No raster has more cells; that of a mover that gets farther has wider ones.
_MOST_CELLS = 1 << 18
#: For so many pairs of a place and a goal it is worth finding out how far off cheap ground is.
_MANY_PAIRS = 1 << 15
#: Of so many stretches of legs the cells are looked up in one go.
_STRETCHES = 1 << 15
#: Of more slopes under a mover not every way to climb some of them is priced.
_MOST_SLOPES = 3


class Grids(NamedTuple):
    """The rasters of legs, one row each or one for all, and the rates of all their cells."""

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
    known: GroundByCells

    @classmethod
    def of(cls, space: PoseSpace, grown: GrownShapes | None = None) -> LowerPrices:
        """Fill the raster of a space; movers of one table may share what is `grown` for them."""
        cells = RasterCells.of(space, CELL, _MOST_CELLS, grown or GrownShapes())
        shut = rate_of_shut(space, cells.apart)
        under, near = cells.with_areas(space.ground)
        rates = np.minimum(_rates(space.ground, cells, under, near), shut)
        rates[cells.shut(space)] = shut
        # Nothing is known of what lies beyond the window.
        rates = np.pad(rates.reshape(cells.columns, cells.rows), 1, constant_values=float(space.ground.least))
        return cls(space, cells.corner, cells.apart, rates, shut, GroundByCells.of(space.ground, cells, under, near))

    @cached_property
    def closer(self) -> CloserPrices:
        """The prices by narrower cells."""
        return CloserPrices.of(self.space, self.known.cells.grown)

    def rates_of(self, space: PoseSpace, states: PoseStates) -> FloatArray:
        """Compute what turns are multiplied by at states on this ground, see `states.rates_of`."""
        known = self.closer.known if "closer" in vars(self) else self.known
        return known.rates_of(space, states)

    def by_rows(self, rows: IntArray) -> LowerPrices:
        """Return the raster for questions about some of the rows that are asked about; for one mover it is the same."""
        del rows
        return self

    @cached_property
    def has_cheap(self) -> bool:
        """Whether in most cells an inch costs more than the least of all ground."""
        return bool(np.median(self.rates) > float(self.space.ground.least))

    def along(
        self, starts: FloatArray, ahead: FloatArray, inches: FloatArray, dearer: FloatArray | None = None
    ) -> FloatArray:
        """Compute for many legs what they cost at least; more than the budget where something bars them.

        Their last pieces may be known to be dearer by so much than on the cheapest ground.
        """
        count = np.floor(inches / self.cell).astype(np.intp)
        # There are millions of stretches: they are priced and summed up in place.
        spent = self._rates_on(starts, ahead, count)
        spent *= self.cell
        np.cumsum(spent, out=spent)
        last = np.cumsum(count)
        found = _up_to(spent, last) - _up_to(spent, last - count)
        found += np.maximum(inches - count * self.cell, 0.0) * float(self.space.ground.least)
        least = self.space.ground.least_prices(inches)
        return np.asarray(np.maximum(found, least if dearer is None else least + dearer))

    def at_marks(self, starts: FloatArray, ahead: FloatArray, marks: IntArray, apart: float) -> FloatArray:
        """Compute the same for legs of 1, 2, 3 ... marks so far apart: a row for each, legs one after the other."""
        steps = max(math.ceil(apart / self.cell - TOUCH), 1)
        count = marks * steps
        spent = self._rates_on(starts, ahead, count, apart / steps)
        spent *= apart / steps
        spent = np.cumsum(spent, out=spent)[steps - 1 :: steps]
        first = np.cumsum(marks) - marks
        return np.asarray(spent - np.repeat(_up_to(spent, first), marks))

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
        # Counted in cells, with the rim: what is truncated is not below 0 but where it is cut off anyway.
        first, step = (starts - grids.corner) / self.cell + 1.0, ahead * ((apart or self.cell) / self.cell)
        last = np.cumsum(count)
        found = np.empty(int(last[-1]) if len(last) else 0)
        begin = 0
        while begin < len(count):
            before = int(last[begin] - count[begin])
            end = max(int(np.searchsorted(last, before + _STRETCHES, side="right")), begin + 1)
            many, until = count[begin:end], int(last[end - 1])
            middle = np.arange(before, until) + 0.5
            middle -= np.repeat(last[begin:end] - many, many)
            cells = np.zeros(len(middle), np.intp)
            for axis in (0, 1):
                along = np.repeat(step[begin:end, axis], many)
                along *= middle
                along += np.repeat(first[begin:end, axis], many)
                cell = np.maximum(along, 0.0, out=along).astype(np.intp)
                cells += np.minimum(cell, _of_each(grids.most[:, axis], begin, many), out=cell)
                if axis == 0:
                    cells *= _of_each(grids.most[:, 1] + 1, begin, many)
            cells += _of_each(grids.first, begin, many)
            found[before:until] = grids.rates[cells]
            begin = end
        return found

    def _grids(self, legs: int) -> Grids:
        """The rasters of so many legs."""
        del legs
        return Grids(self.corner, np.array([self.rates.shape]) - 1, np.zeros(1, np.intp), self.rates.ravel())


def _of_each(numbers: IntArray, begin: int, many: IntArray) -> IntArray:
    """A number for each of so many stretches of each leg from one leg on, or the one number of all legs."""
    return numbers if len(numbers) == 1 else np.repeat(numbers[begin : begin + len(many)], many)


def _up_to(sums: FloatArray, count: IntArray) -> FloatArray:
    """The sums of the first so many of what was summed up; of none it is 0."""
    found = np.zeros(len(count))
    some = np.flatnonzero(count)
    found[some] = sums[count[some] - 1]
    return found


def _rates(ground: PricedGround, cells: RasterCells, under: BoolArray, near: BoolArray) -> FloatArray:
    """The least rates of cells: of their one combination of areas, or of all ground where a border passes."""
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
    return min(ground.rate_or_inf(under, frozenset(some)) for some in climbed)


@dataclass(frozen=True, eq=False)
class Leasts:
    """What straight ways from places to goals cost at least, by how far off cheap ground is from both of them."""

    least: float  #: no inch costs less
    closer: CloserPrices | None  #: None: cheap ground may be anywhere
    goals: FloatArray
    places: FloatArray
    dearer: FloatArray | None  #: by how much the last pieces of ways to goals cost more than is counted otherwise

    @classmethod
    def of(cls, space: PoseSpace, lower: LowerPrices | None, pairs: int, goals: Goals, places: FloatArray) -> Leasts:
        """Prepare for so many pairs of a goal and a place."""
        least, dearer = float(space.ground.least), goals.dearer
        if lower is None or pairs < _MANY_PAIRS or not lower.has_cheap:
            return cls(least, None, goals.places, places, dearer)
        closer = lower.closer
        if dearer is not None:
            dearer = np.maximum(dearer - closer.dearer_by_piece, 0.0)
        return cls(least, closer, closer.to_cheap(goals.places), closer.to_cheap(places), dearer)

    def by_group(self, first: IntArray) -> Leasts:
        """Return what ways cost at least from any place of a group of rows, which begin with these."""
        return self if self.closer is None else replace(self, places=np.minimum.reduceat(self.places, first))

    def of_legs(self, goal: IntArray, place: IntArray, inches: FloatArray) -> FloatArray:
        """Compute what ways from places to goals cost at least that are so long or longer; pairs by their numbers."""
        if self.closer is None:
            return self._with_last(goal, inches, inches * self.least)
        return self._with_last(goal, inches, self.closer.least(inches, self.goals[goal] + self.places[place]))

    def from_places(self, places: FloatArray, goal: IntArray, inches: FloatArray) -> FloatArray:
        """Compute the same from other places, rows x, y."""
        if self.closer is None:
            return self._with_last(goal, inches, inches * self.least)
        return self._with_last(goal, inches, self.closer.least(inches, self.goals[goal] + self.closer.to_cheap(places)))

    def _with_last(self, goal: IntArray, inches: FloatArray, least: FloatArray) -> FloatArray:
        """Add what the last pieces of ways cost more than was counted."""
        return least if self.dearer is None else least + np.where(inches > WITHIN, self.dearer[goal], 0.0)

    def rates_at(self, places: FloatArray) -> FloatArray:
        """Return what an inch costs at places at least."""
        return np.full(len(places), self.least) if self.closer is None else self.closer.rates_at(places)
