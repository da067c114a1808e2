"""Which states of a search over poses are worth keeping: bins of places and headings, each with the best price so far.

A state is kept if no other in its bin is as good whatever turn comes next: headings are compared by how much more the
turns may cost that follow from one of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.tolerances import TOUCH
from simulator.pathing.columns import pick
from simulator.pathing.posed.layers import Layers
from simulator.pathing.posed.space import Extent, PoseSpace
from simulator.pathing.posed.toll_table import TollBits
from simulator.pathing.posed.turn_prices import TurnPrices

#: Into so many sectors bins divide the circle.
SECTORS = 32
#: So many cells around a place are looked at together, where there are enough places for each cell.
_AROUND, _CELLS_BY_MARKS = 2, 0.5
#: No window has more cells; a mover that gets farther than that is searched in wider cells.
_MOST_CELLS = 1 << 22


class PoseBins:
    """The best prices by cell of a window, by layer of what is left, and by sector."""

    def __init__(self, mesh: float, space: PoseSpace, window: Extent, middle: XY) -> None:
        self._mesh, self._corner, self._shape = self.grid(mesh, window, middle)
        self._row = np.zeros(int(self._shape.prod()), np.int32)  #: of `_best`, by cell; 0: not reached yet
        self.layers = Layers.of(space, mesh)
        self._best = np.full((1, self.layers.count, SECTORS), np.inf)  #: with rows to spare
        self._count = 1
        self._worse = _by_sectors(space.turns)

    @staticmethod
    def grid(mesh: float, window: Extent, middle: XY) -> tuple[float, FloatArray, IntArray]:
        """Return how wide the cells of a window are, its corner, and how many cells it has across and up."""
        across, up = window.right - window.left, window.top - window.bottom
        cell = max(mesh, math.sqrt(across * up / _MOST_CELLS))
        return cell, *window.grid(cell, middle)

    def worth(
        self, cells: IntArray, sector: IntArray, layer: IntArray, price: FloatArray, tolls: TollBits
    ) -> BoolArray:
        """Find which states cost less than what their bins hold, without keeping them."""
        return np.asarray(self._known(cells, layer, sector, tolls) > price + TOUCH)

    def holds(
        self, cells: IntArray, sector: IntArray, layer: IntArray, price: FloatArray, tolls: TollBits
    ) -> BoolArray:
        """Find which of the states that were kept nothing better came after."""
        return np.asarray(self._known(cells, layer, sector, tolls) >= price)

    def take(self, cells: IntArray, sector: IntArray, layer: IntArray, price: FloatArray, tolls: TollBits) -> IntArray:
        """Keep of some states, the cheapest first, those that nothing in their bins is as good as."""
        row = self._rows(cells, tolls)
        left = np.flatnonzero(self._known(cells, layer, sector, tolls) > price + TOUCH)
        taken = [left[:0]]
        while len(left):
            # One of each cell at a time, since it may be better than the others there.
            first = left[np.unique(cells[left], return_index=True)[1]]
            reached = price[first][:, None] + self._worse[sector[first]]
            self._lower(row[first], self._by_layer(layer[first], reached))
            taken.append(first)
            known = self._known(cells[left], layer[left], sector[left], pick(tolls, left))
            left = left[known > price[left] + TOUCH]
        return np.sort(np.concatenate(taken))

    def note(self, cells: IntArray, sector: IntArray, layer: IntArray, price: FloatArray, tolls: TollBits) -> None:
        """Keep no state from now on that costs no less than some states that are kept elsewhere."""
        row = self._rows(cells, tolls)
        reached = price[:, None] + self._worse[sector]
        self._lower_each(row, self._by_layer(layer, reached))

    def _lower(self, row: IntArray, prices: FloatArray) -> None:
        """Note prices by layer and sector in rows, each row once."""
        self._best[row] = np.minimum(self._best[row], prices)

    def _lower_each(self, row: IntArray, prices: FloatArray) -> None:
        """Note the same in rows of which some may be the same."""
        np.minimum.at(self._best, row, prices)

    def _by_layer(self, layer: IntArray, reached: FloatArray) -> FloatArray:
        """Prices by layer and sector: a state stands for those that have no more left, and not the other way round."""
        return np.where(self.layers.stands_for[layer][:, :, None], reached[:, None, :], np.inf)

    def _known(self, cells: IntArray, layer: IntArray, sector: IntArray, tolls: TollBits) -> FloatArray:
        """The best prices that are known in cells, of what is as good."""
        del tolls
        return looked_up(self._best, self._row.take(cells), layer, sector)

    def _rows(self, cells: IntArray, tolls: TollBits) -> IntArray:
        """The rows of `_best` for what is kept in cells, with room for those that are reached for the first time."""
        del tolls
        new = np.unique(cells)
        new = new[self._row[new] == 0]
        self._row[new] = self._add_rows(len(new))
        return self._row[cells].astype(np.intp)

    def around(self, marks: int) -> DearestAround | None:
        """Return the dearest that is known around each cell; None if there are more cells than a part of so many marks.

        What was not reached is dearer than anything.
        """
        if self._row.size * SECTORS * self._best.shape[1] > _CELLS_BY_MARKS * marks:
            return None
        known = self._best[self._row].reshape(*self._shape.tolist(), *self._best.shape[1:])
        for axis in (0, 1):
            whole = known
            for off in range(1, _AROUND + 1):
                whole = np.maximum(whole, _shifted(known, off, axis))
                whole = np.maximum(whole, _shifted(known, -off, axis))
            known = whole
        return DearestAround(known.reshape(-1, *self._best.shape[1:]), self._cells)

    def off_middle(self, place: FloatArray, mover: IntArray) -> FloatArray:
        """Compute how far places are from the middles of their cells, in widths of a cell."""
        del mover
        share = np.mod((place - self._corner) / self._mesh, 1.0) - 0.5
        return np.asarray(np.hypot(share[:, 0], share[:, 1]))

    def cells(self, place: FloatArray, mover: IntArray) -> IntArray:
        """Return the cells that places lie in, each of a mover by its number; of one mover all are the same."""
        del mover
        return self._cells(place)

    def _cells(self, place: FloatArray) -> IntArray:
        cell = np.clip(np.floor((place - self._corner) / self._mesh).astype(np.intp), 0, self._shape - 1)
        return np.asarray(cell[:, 0] * self._shape[1] + cell[:, 1])

    def _add_rows(self, count: int) -> IntArray:
        """Make room for more, and return the numbers of the rows."""
        first = self._count
        self._count += count
        if self._count > len(self._best):
            more = max(self._count - len(self._best), len(self._best))
            self._best = np.concatenate([self._best, np.full((more, *self._best.shape[1:]), np.inf)])
        return np.arange(first, first + count)


@dataclass(frozen=True, eq=False)
class DearestAround:
    """The dearest of the best prices within some cells of each cell, across and up."""

    dearest: FloatArray  #: by cell, layer and sector
    cells: Callable[[FloatArray], IntArray]

    @classmethod
    def joined(cls, parts: Sequence[DearestAround]) -> DearestAround:
        """Return the dearest of several bins of the same cells."""
        return cls(np.max([part.dearest for part in parts], axis=0), parts[0].cells)

    def at(self, places: FloatArray, sector: IntArray, layer: IntArray) -> FloatArray:
        """Return what no state costs more than that is kept near a place, were it to lie in one layer and sector."""
        return np.asarray(self.dearest[self.cells(places), layer, sector])


def looked_up(best: FloatArray, row: NDArray[np.integer[Any]], layer: IntArray, sector: IntArray) -> FloatArray:
    """Return prices by row, layer and sector."""
    at, layers = row.astype(np.intp), best.shape[1]
    if layers > 1:
        at *= layers
        at += layer
    at *= SECTORS
    at += sector
    return best.reshape(-1).take(at)


def _shifted(grid: FloatArray, off: int, axis: int) -> FloatArray:
    """A grid shifted by some cells along an axis; what is shifted in from beyond is cheaper than anything."""
    found = np.full_like(grid, -np.inf)
    to, of = [slice(None)] * grid.ndim, [slice(None)] * grid.ndim
    to[axis], of[axis] = (slice(off, None), slice(None, -off)) if off > 0 else (slice(None, off), slice(-off, None))
    found[tuple(to)] = grid[tuple(of)]
    return found


def sectors(headings: FloatArray) -> IntArray:
    """Return the sectors that headings lie in."""
    found = np.round(np.mod(headings, 360.0) * (SECTORS / 360.0)).astype(np.intp) % SECTORS
    return np.asarray(found)


def _by_sectors(turns: TurnPrices) -> FloatArray:
    """By how much turns may cost more that follow from a sector than from another [that one, this one].

    A group of turns that is still open counts as none.
    """
    apart = np.arange(SECTORS)
    angles = np.linspace(-180.0, 180.0, 721)

    def price(turn: FloatArray) -> FloatArray:
        return turns.prices(180.0 - np.abs(np.mod(turn, 360.0) - 180.0))

    off = np.array([float(np.max(price(angles + degrees) - price(angles))) for degrees in apart * (360.0 / SECTORS)])
    return np.asarray(off[(apart[None, :] - apart[:, None]) % SECTORS])
