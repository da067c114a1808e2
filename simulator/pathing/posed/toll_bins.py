"""Bins of a search on a table with tolls: what is gone for one state may still have to be paid for by another.

In each cell the best prices are kept for every set of tolls that are gone. A state is as good as another if it costs no
more with all that it may have to pay to be rid of what is gone for the other. For what is run over nobody can say how
much that is, since not every way crosses it. Over a thing with a least price it may have to spend what the other has
spent there already.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from simulator.geometry.convex import IntArray
from simulator.geometry.pieces import XY, FloatArray
from simulator.pathing.posed.as_one import BinsAsOne
from simulator.pathing.posed.bins import DearestAround, PoseBins
from simulator.pathing.posed.space import Extent, PoseSpace
from simulator.pathing.posed.toll_table import TollBits, TollTable
from simulator.pathing.posed.tolls_as_one import TollsAsOne

#: More than there are different sets of tolls in one search.
_SETS = 1 << 32
#: What is spent over a thing is kept in so many parts of an inch.
_PARTS = 1e12


class TollBins(PoseBins):
    """The best prices by cell and what is gone, by layer of what is left, and by sector."""

    def __init__(self, mesh: float, space: PoseSpace, window: Extent, middle: XY) -> None:
        super().__init__(mesh, space, window, middle)
        self._begin(space.toll_table)

    def _begin(self, table: TollTable) -> None:
        self._table = table
        self._sets = np.zeros((0, 3), np.intp)  #: what is gone, what is touched, and spent over it, each row once
        self._keys = np.zeros(0, np.intp)  #: ascending: of a cell and a set
        self._row_of = np.zeros(0, np.intp)  #: of `_best`, by key

    def around(self, marks: int) -> DearestAround | None:
        """Return None: what is kept in a cell differs by what is gone."""
        del marks
        return None

    def _tolls_by(self, cells: IntArray) -> TollTable:
        """The tolls for questions about rows in cells."""
        del cells
        return self._table

    def _known(self, cells: IntArray, layer: IntArray, sector: IntArray, tolls: TollBits) -> FloatArray:
        low, high = np.searchsorted(self._keys, cells * _SETS), np.searchsorted(self._keys, (cells + 1) * _SETS)
        count = high - low
        state = np.repeat(np.arange(len(cells)), count)
        key = np.arange(len(state)) + np.repeat(low - (np.cumsum(count) - count), count)
        gone, touched, spent = self._sets[self._keys[key] % _SETS].T
        here = tolls.touched[state]
        more = self._tolls_by(cells[state]).most_paid((tolls.gone[state] | here) & ~(gone | touched))
        more += np.where(touched != 0, np.maximum(tolls.spent_over[state] - spent / _PARTS, 0.0), 0.0)
        # What has been touched has to be crossed, so that leaves fewer ways.
        # What is paid to be rid of things is paid for legs.
        of, is_known = self.layers.with_more(layer[state], more)
        is_known &= touched & ~here == 0
        price = np.where(is_known, self._best[self._row_of[key], of, sector[state]] + more, np.inf)
        found = np.full(len(cells), np.inf)
        np.minimum.at(found, state, price)
        return found

    def _rows(self, cells: IntArray, tolls: TollBits) -> IntArray:
        new_sets = np.stack([tolls.gone, tolls.touched, np.round(tolls.spent_over * _PARTS).astype(np.intp)], axis=1)
        sets, which = np.unique(np.concatenate([self._sets, new_sets]), axis=0, return_inverse=True)
        # Sets keep the numbers they have: new ones follow.
        which = which.reshape(-1)
        number = np.full(len(sets), -1)
        number[which[: len(self._sets)]] = np.arange(len(self._sets))
        new = np.flatnonzero(number < 0)
        number[new] = len(self._sets) + np.arange(len(new))
        self._sets = np.concatenate([self._sets, sets[new]])
        key = cells * _SETS + number[which[len(which) - len(cells) :]]
        missing = np.setdiff1d(key, self._keys)
        at = np.searchsorted(self._keys, missing)
        self._keys = np.insert(self._keys, at, missing)
        self._row_of = np.insert(self._row_of, at, self._add_rows(len(missing)))
        return np.asarray(self._row_of[np.searchsorted(self._keys, key)])


class TollBinsAsOne(TollBins, BinsAsOne):
    """The same of several movers, for places with the number of the mover."""

    def __init__(self, mesh: float, spaces: Sequence[PoseSpace]) -> None:
        BinsAsOne.__init__(self, mesh, spaces)
        self._tolls = TollsAsOne.of([space.toll_table for space in spaces])
        self._begin(self._tolls)

    def _tolls_by(self, cells: IntArray) -> TollTable:
        return self._tolls.by(self.movers_of(cells))


def bins_of(mesh: float, space: PoseSpace, window: Extent, middle: XY) -> PoseBins:
    """Return empty bins for a search on one level of a space."""
    if space.tolls:
        return TollBins(mesh, space, window, middle)
    return PoseBins(mesh, space, window, middle)


def bins_of_several(mesh: float, spaces: Sequence[PoseSpace]) -> PoseBins:
    """Return empty bins for a search in spaces of one kind."""
    return TollBinsAsOne(mesh, spaces) if spaces[0].tolls else BinsAsOne(mesh, spaces)
