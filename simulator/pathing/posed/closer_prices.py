"""What straight last legs cost at least, by a raster so fine that it is nearly what they do cost.

Where the border of an area passes, a cell costs the least of what it costs on either side; which slopes a leg climbs
is known from its direction; and pieces of a grain that are begun are paid whole, by the dearest cell in each. It takes
longer to fill than the raster of a search, and pays where thousands of last legs would have to be cast otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, combinations
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import HAIR, TOUCH
from simulator.pathing.columns import distinct_rows, nth_rows
from simulator.pathing.posed.ground import PricedGround, Under
from simulator.pathing.posed.ground_by_cells import GroundByCells
from simulator.pathing.posed.grown import GrownShapes
from simulator.pathing.posed.raster_cells import RasterCells, rate_of_shut
from simulator.pathing.posed.rays import legs_between
from simulator.pathing.posed.space import PoseSpace

#: Inches across a cell, and no more cells than this.
_CELL, _MOST_CELLS = 0.125, 1 << 16
#: Of more areas whose borders pass a cell not every combination is priced.
_MOST_AREAS = 3
#: Cheap ground that is farther off, in inches, counts as being so far off.
_FARTHEST = 12.0
#: Of so many stretches of legs the cells are looked up in one go.
_STRETCHES = 1 << 15
#: So much farther a polygon is cut back than it has to be: arcs that keep off its corners are drawn with sides.
_ROUGHLY = 1.02


@dataclass(frozen=True, eq=False)
class CloserPrices:
    """The least prices of an inch by cells of a window, for each row of slopes that a leg may climb."""

    space: PoseSpace
    cells: RasterCells
    kinds: IntArray  #: by cell, the row of the areas under it
    areas: tuple[BoolArray, BoolArray]  #: by kind those that are under the mover, and those that may be: [kind, area]
    shut: IntArray  #: the cells that something bars
    known: GroundByCells
    in_pieces: bool = True  #: whether legs are priced by whole pieces of the ground, if it is

    @classmethod
    def of(cls, space: PoseSpace, grown: GrownShapes) -> CloserPrices:
        """Fill the raster of a space; movers of one table may share what is `grown` for them."""
        cells = RasterCells.of(space, _CELL, _MOST_CELLS, grown)
        under, near = cells.with_areas(space.ground, closely=True)
        rows, kinds = distinct_rows(np.hstack([under, near]))
        areas = rows[:, : under.shape[1]], rows[:, under.shape[1] :]
        known = GroundByCells.of(space.ground, cells, under, near)
        return cls(space, cells, kinds, areas, cells.shut(space), known)

    def along(
        self, starts: FloatArray, ahead: FloatArray, inches: FloatArray, dearer: FloatArray | None = None
    ) -> FloatArray:
        """Compute for many legs what they cost at least; more than the budget where something bars them.

        Their last pieces may be known to be dearer by so much than on the cheapest ground.
        """
        ground, grain = self.space.ground, self._grain
        at_ends = None if dearer is None or grain is None else float(ground.least) + dearer / grain
        # Just as rays are cast, so that they climb the same slopes.
        climbed = ground.climbed(legs_between(starts, starts + inches[:, None] * ahead, np.zeros(len(inches))))
        kinds, which = distinct_rows(climbed)
        found = np.zeros(len(inches))
        for number, kind in enumerate(kinds):
            rows = np.flatnonzero(which == number)
            rates = self._rates(frozenset(np.flatnonzero(kind).tolist()))
            for some in self._lots(rows, inches):
                last = None if at_ends is None else at_ends[some]
                found[some] = self._prices(rates, starts[some], ahead[some], inches[some], last)
        return found

    def _lots(self, rows: IntArray, inches: FloatArray) -> Iterator[IntArray]:
        stretches = np.cumsum(inches[rows] / self.cells.apart + 1.0)
        cuts = np.searchsorted(stretches, np.arange(1, int(stretches[-1]) // _STRETCHES + 1) * float(_STRETCHES))
        yield from np.split(rows, cuts)

    def _prices(
        self, rates: FloatArray, starts: FloatArray, ahead: FloatArray, inches: FloatArray, at_ends: FloatArray | None
    ) -> FloatArray:
        """Compute what legs cost by the rates of the cells that they pass, and at least some rates at their ends."""
        grain = self._grain
        whole = self.cells.apart if grain is None else grain
        parts = max(math.ceil(whole / self.cells.apart - TOUCH), 1)
        pieces = np.maximum(np.ceil((inches - HAIR) / whole), 0.0).astype(np.intp)
        leg, piece = nth_rows(pieces)
        first = [np.repeat(self._counted(starts, axis), pieces) for axis in (0, 1)]
        step = [np.repeat(ahead[:, axis] / self.cells.apart, pieces) for axis in (0, 1)]
        every, dearest = np.repeat(inches, pieces), np.zeros(len(leg))
        for part in range(parts):
            # In the middle of each part, but not beyond the end of the leg.
            at = np.minimum((piece + (part + 0.5) / parts) * whole, every)
            cells = self._numbers(*(begin + by * at for begin, by in zip(first, step, strict=True)))
            np.maximum(dearest, rates[cells], out=dearest)
        if at_ends is not None:
            moves = np.flatnonzero(pieces)
            last = np.cumsum(pieces)[moves] - 1
            dearest[last] = np.maximum(dearest[last], at_ends[moves])
        long = whole if grain is not None else np.minimum(every - piece * whole, whole)
        return np.asarray(np.bincount(leg, dearest * long, minlength=len(inches)))

    def _counted(self, places: FloatArray, axis: int) -> FloatArray:
        """Where places lie along an axis of the window, in cells."""
        return np.asarray((places[:, axis] - self.cells.corner[axis]) / self.cells.apart)

    def _numbers_at(self, places: FloatArray) -> IntArray:
        """The numbers of the cells of places, with the rim."""
        return self._numbers(*(self._counted(places, axis) for axis in (0, 1)))

    def _numbers(self, across: FloatArray, up: FloatArray) -> IntArray:
        """The same of places counted in cells along both axes. What lies beyond the window is in its rim."""
        column, row = (
            (np.clip(along, -1, count) + 1).astype(np.intp)
            for along, count in zip((across, up), self.cells.shape, strict=True)
        )
        column *= self.cells.rows + 2
        column += row
        return column

    def _with_rim(self, values: FloatArray, beyond: float) -> FloatArray:
        """The values of all cells with a rim of one cell around the window."""
        return np.pad(values.reshape(self.cells.shape), 1, constant_values=beyond).ravel()

    # --- how far off cheap ground is ---

    def to_cheap(self, places: FloatArray) -> FloatArray:
        """Compute how far from places ground is, at least, that is cheaper than what most of the ground costs."""
        return self._to_cheap[self._numbers_at(places)]

    def least(self, inches: FloatArray, dear: FloatArray) -> FloatArray:
        """Compute what ways of some lengths cost at least of which so many inches lead over no cheap ground."""
        least = float(self.space.ground.least)
        return np.asarray(inches * least + np.minimum(inches, dear) * (self._usual - least))

    @property
    def open_rates(self) -> FloatArray:
        """The least rates of cells, rows by x and columns by y; inf where something bars the mover."""
        rates = self._least_rates.copy()
        rates[self.shut] = np.inf
        return rates.reshape(self.cells.shape)

    @property
    def dearer_by_piece(self) -> float:
        """By how much `least` counts a piece for dearer, at most, than on the cheapest ground."""
        return float(self.space.ground.grain or 0) * (self._usual - float(self.space.ground.least))

    @cached_property
    def of_ground(self) -> CloserPrices:
        """The same as if nothing barred the way: what the ground alone costs."""
        return replace(self, shut=self.shut[:0])

    @cached_property
    def by_inch(self) -> CloserPrices:
        """The same for legs of two phases: where the later one begins, from which its pieces count, is not known."""
        return replace(self, in_pieces=False)

    @property
    def _grain(self) -> float | None:
        grain = self.space.ground.grain
        return float(grain) if grain is not None and self.in_pieces else None

    @cached_property
    def _least_rates(self) -> FloatArray:
        """The least rates by cell, whichever slopes a leg climbs."""
        slopes = sorted(self.space.ground.slopes)
        if len(slopes) > _MOST_AREAS:
            return np.full(self.cells.in_all, float(self.space.ground.least))
        climbed = chain.from_iterable(combinations(slopes, count) for count in range(len(slopes) + 1))
        columns, rows = self.cells.shape
        rates = np.min([self._rates(frozenset(some)) for some in climbed], axis=0)
        return np.asarray(rates.reshape(columns + 2, rows + 2)[1:-1, 1:-1].ravel())

    def rates_around(self, places: FloatArray, away: FloatArray) -> NDArray[np.float32]:
        """Return the least rates of cells, and of those beside them, so far away from places: [far, place, direction].

        `away` is an array [far, direction, axis]. Nothing is known of what lies beyond the window.
        """
        return self._around(self._least_around, places, away)

    def inside_around(
        self, polygon: shapely.Polygon, by: float, places: FloatArray, away: FloatArray
    ) -> NDArray[np.bool_]:
        """Find which cells, and those beside them, lie in a polygon by so many inches; see `rates_around`."""
        key = polygon.wkb, by
        if key not in self._inside:
            cells = self.cells
            # A corner of a cell is farther in; where the polygon is cut back around one of its own, it is so roughly.
            inner = shapely.buffer(polygon, -(by + cells.apart) * _ROUGHLY)
            x, y = (cells.first[axis] + cells.apart * np.arange(count) for axis, count in enumerate(cells.shape))
            shapely.prepare(inner)
            inside = np.pad(shapely.contains_xy(inner, x[:, None], y), 2)
            self._inside[key] = _of_three(_of_three(inside, np.logical_and).T, np.logical_and).T
        return self._around(self._inside[key], places, away)

    @cached_property
    def _inside(self) -> dict[tuple[bytes, float], NDArray[np.bool_]]:
        return {}

    def _around(self, grid: NDArray[Any], places: FloatArray, away: FloatArray) -> NDArray[Any]:
        """What a grid with a rim of one cell has so far away from places."""
        cells = self.cells
        found = np.zeros((len(away), len(places), away.shape[1]), np.int32)
        for axis, count in enumerate(grid.shape):
            here = ((places[:, axis] - cells.corner[axis]) / cells.apart + 1.0).astype(np.float32)
            along = here[:, None] + (away[:, None, :, axis] / cells.apart).astype(np.float32)
            np.clip(along, 0, count - 1, out=along)
            found *= count
            found += along.astype(np.int32)
        return grid.ravel().take(found)

    @cached_property
    def _least_around(self) -> NDArray[np.float32]:
        """The least rates of cells and of those beside them, with a rim of one cell: rows by x, columns by y."""
        cells, least = self.cells, float(self.space.ground.least)
        rates = np.pad(self._least_rates.reshape(cells.columns, cells.rows), 2, constant_values=least)
        return _of_three(_of_three(rates, np.minimum).T, np.minimum).T.astype(np.float32)

    @cached_property
    def _usual(self) -> float:
        """What an inch costs in most cells."""
        rates, count = np.unique(self._least_rates, return_counts=True)
        return float(min(rates[np.argmax(count)], 4.0 * float(self.space.ground.least)))

    @cached_property
    def _to_cheap(self) -> FloatArray:
        """By cell, how far cheap cells are at least from anywhere in it; 0 beyond the window."""
        cells = self.cells
        cheap = (self._least_rates < self._usual).reshape(cells.columns, cells.rows)
        far = float(max(cells.columns, cells.rows))
        # Along columns from the nearest cheap cell on either side, then across them.
        place = np.arange(cells.rows)
        before = np.maximum.accumulate(np.where(cheap, place, -far), axis=1)
        after = np.minimum.accumulate(np.where(cheap, place, 2.0 * far)[:, ::-1], axis=1)[:, ::-1]
        square = np.minimum(np.minimum(place - before, after - place), far) ** 2
        found = square.copy()
        for step in range(1, min(cells.columns, math.ceil(_FARTHEST / cells.apart))):
            np.minimum(found[step:], square[:-step] + step**2, out=found[step:])
            np.minimum(found[:-step], square[step:] + step**2, out=found[:-step])
        inches = np.minimum(np.sqrt(found) * cells.apart, _FARTHEST) - math.sqrt(2.0) * cells.apart
        return self._with_rim(np.maximum(inches, 0.0), 0.0)

    # --- rates ---

    def rates_at(self, places: FloatArray) -> FloatArray:
        """Return the least rates at places."""
        return self._rates(frozenset())[self._numbers_at(places)]

    @cached_property
    def _known(self) -> dict[Under, FloatArray]:
        return {}

    def _rates(self, climbed: Under) -> FloatArray:
        """The least rates by cell of legs that climb some slopes, with those beyond the window in the rim."""
        if climbed not in self._known:
            ground = self.space.ground
            pairs = zip(*map(_as_sets, self.areas), strict=True)
            by_kind = np.array([_least_rate(ground, under, near, climbed) for under, near in pairs])
            dear = rate_of_shut(self.space, self.cells.apart)
            rates = np.minimum(by_kind[self.kinds], dear)
            rates[self.shut] = dear
            self._known[climbed] = self._with_rim(rates, float(ground.least))
        return self._known[climbed]


def _of_three(grid: NDArray[Any], both: np.ufunc) -> NDArray[Any]:
    """Put together of each row and those on either side of it what both of two have."""
    return np.asarray(both(both(grid[:-2], grid[1:-1]), grid[2:]))


def _as_sets(rows: BoolArray) -> list[Under]:
    return [frozenset(np.flatnonzero(row).tolist()) for row in rows]


def _least_rate(ground: PricedGround, under: Under, near: Under, climbed: Under) -> float:
    """The least of what an inch costs over some areas, and any of those that are near."""
    open_ = sorted(near - under)
    if len(open_) > _MOST_AREAS:
        return float(ground.least)
    more = chain.from_iterable(combinations(open_, count) for count in range(len(open_) + 1))
    combined = (under.union(some) for some in more)
    return min(ground.rate_or_inf(areas, areas & climbed) for areas in combined)
