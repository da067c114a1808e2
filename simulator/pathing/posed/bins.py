"""Which states of a search over poses are worth keeping: bins of places and headings, each with the best price so far.

A state is kept if no other in its bin is as good whatever turn comes next: headings are compared by how much more the
turns may cost that follow from one of them.
"""

from __future__ import annotations

import math

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.tolerances import TOUCH
from simulator.pathing.posed.space import Extent
from simulator.pathing.posed.turn_prices import TurnPrices

#: Into so many sectors bins divide the circle.
SECTORS = 32
#: No window has more cells; a mover that gets farther than that is searched in wider cells.
_MOST_CELLS = 1 << 22


class PoseBins:
    """The best prices by cell of a window, by whether degrees are still free, and by sector."""

    def __init__(self, mesh: float, turns: TurnPrices, window: Extent, middle: XY) -> None:
        self._mesh, self._corner, self._shape = self.grid(mesh, window, middle)
        self._row = np.zeros(int(self._shape.prod()), np.int32)  #: of `_best`, by cell; 0: not reached yet
        self._best = np.full((1, 2, SECTORS), np.inf)  #: with rows to spare
        self._open_cells = 1
        self._worse = _by_sectors(turns)

    @staticmethod
    def grid(mesh: float, window: Extent, middle: XY) -> tuple[float, FloatArray, IntArray]:
        """Return how wide the cells of a window are, its corner, and how many cells it has across and up."""
        across, up = window.right - window.left, window.top - window.bottom
        cell = max(mesh, math.sqrt(across * up / _MOST_CELLS))
        return cell, *window.grid(cell, middle)

    def worth(self, place: FloatArray, sector: IntArray, free: BoolArray, price: FloatArray) -> BoolArray:
        """Find which states cost less than what their bins hold, without keeping them."""
        return np.asarray(self._best[self._row[self._cells(place)], free.astype(np.intp), sector] > price + TOUCH)

    def holds(self, place: FloatArray, sector: IntArray, free: BoolArray, price: FloatArray) -> BoolArray:
        """Find which of the states that were kept nothing better came after."""
        return np.asarray(self._best[self._row[self._cells(place)], free.astype(np.intp), sector] >= price)

    def take(self, place: FloatArray, sector: IntArray, free: BoolArray, price: FloatArray) -> IntArray:
        """Keep of some states, the cheapest first, those that nothing in their bins is as good as."""
        cells = self._cells(place)
        self._open(np.unique(cells))
        row, layer = self._row[cells], free.astype(np.intp)
        left = np.flatnonzero(self._best[row, layer, sector] > price + TOUCH)
        taken = [left[:0]]
        while len(left):
            # One of each cell at a time, since it may be better than the others there.
            first = left[np.unique(row[left], return_index=True)[1]]
            reached = price[first][:, None] + self._worse[sector[first]]
            self._best[row[first], 0] = np.minimum(self._best[row[first], 0], reached)
            # With degrees still free a state stands for those without, and not the other way round.
            some = free[first]
            self._best[row[first[some]], 1] = np.minimum(self._best[row[first[some]], 1], reached[some])
            taken.append(first)
            left = left[self._best[row[left], layer[left], sector[left]] > price[left] + TOUCH]
        return np.sort(np.concatenate(taken))

    def note(self, place: FloatArray, sector: IntArray, free: BoolArray, price: FloatArray) -> None:
        """Keep no state from now on that costs no less than some states that are kept elsewhere."""
        cells = self._cells(place)
        self._open(np.unique(cells))
        reached = price[:, None] + self._worse[sector]
        np.minimum.at(self._best[:, 0], self._row[cells], reached)
        np.minimum.at(self._best[:, 1], self._row[cells[free]], reached[free])

    def _cells(self, place: FloatArray) -> IntArray:
        cell = np.clip(np.floor((place - self._corner) / self._mesh).astype(np.intp), 0, self._shape - 1)
        return np.asarray(cell[:, 0] * self._shape[1] + cell[:, 1])

    def _open(self, cells: IntArray) -> None:
        """Make room for cells that are reached for the first time."""
        new = cells[self._row[cells] == 0]
        self._row[new] = self._open_cells + np.arange(len(new))
        self._open_cells += len(new)
        if self._open_cells > len(self._best):
            more = max(self._open_cells - len(self._best), len(self._best))
            self._best = np.concatenate([self._best, np.full((more, 2, SECTORS), np.inf)])


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
