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
from simulator.pathing.columns import pick, sorted_once
from simulator.pathing.posed.as_one import BinsAsOne
from simulator.pathing.posed.bins import DearestAround, PoseBins, looked_up
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
        self._numbers: dict[tuple[int, ...], int] = {}  #: of sets of what is gone, what is touched, and spent over it
        self._sets = np.zeros((0, 3), np.intp)  #: by number
        #: Of each row of `_best` the set, and the next row of the same cell, 0: there is none. `_row` has the first.
        self._set_of, self._next = np.zeros(1, np.intp), np.zeros(1, np.intp)
        #: The best prices of all sets by which nothing is touched, by cell; and for each row of `_best` which of these
        #: rows are those, 0: there is none.
        self._plain, self._plain_row = np.full((1, *self._best.shape[1:]), np.inf), np.zeros_like(self._row)
        self._plain_of, self._plain_count = np.zeros(1, np.intp), 1

    def around(self, marks: int) -> DearestAround | None:
        """Return None: what is kept in a cell differs by what is gone."""
        del marks
        return None

    def _tolls_by(self, cells: IntArray) -> TollTable:
        """The tolls for questions about states in cells."""
        del cells
        return self._table

    def _known(self, cells: IntArray, layer: IntArray, sector: IntArray, tolls: TollBits) -> FloatArray:
        # For whom nothing is gone or touched, all that has touched nothing is as good: most are such.
        found = looked_up(self._plain, self._plain_row.take(cells), layer, sector)
        rest = np.flatnonzero(tolls.gone | tolls.touched)
        if len(rest):
            found[rest] = self._known_beside(cells[rest], layer[rest], sector[rest], pick(tolls, rest))
        return found

    def _known_beside(self, cells: IntArray, layer: IntArray, sector: IntArray, tolls: TollBits) -> FloatArray:
        """The best prices that are known in cells where something is gone or touched."""
        found, table = np.full(len(cells), np.inf), self._tolls_by(cells)
        row = self._row[cells].astype(np.intp)
        state = np.flatnonzero(row)
        row = row[state]
        while len(state):
            gone, touched, spent = self._sets[self._set_of[row]].T
            here = tolls.touched[state]
            more = table.by_rows(state).most_paid((tolls.gone[state] | here) & ~(gone | touched))
            more += np.where(touched != 0, np.maximum(tolls.spent_over[state] - spent / _PARTS, 0.0), 0.0)
            # What has been touched has to be crossed, so that leaves fewer ways.
            # What is paid to be rid of things is paid for legs.
            of, is_known = self.layers.with_more(layer[state], more)
            is_known &= touched & ~here == 0
            price = np.where(is_known, self._best[row, of, sector[state]] + more, np.inf)
            found[state] = np.minimum(found[state], price)
            row = self._next[row]
            left = np.flatnonzero(row)
            state, row = state[left], row[left]
        return found

    def _rows(self, cells: IntArray, tolls: TollBits) -> IntArray:
        number = self._numbers_of(tolls)
        found = np.zeros(len(cells), np.intp)
        row = self._row[cells].astype(np.intp)
        looking = np.flatnonzero(row)
        while len(looking):
            same = self._set_of[row[looking]] == number[looking]
            found[looking[same]] = row[looking[same]]
            looking = looking[~same]
            row[looking] = self._next[row[looking]]
            looking = looking[row[looking] > 0]
        missing = np.flatnonzero(found == 0)
        if len(missing):
            keys, first, which = np.unique(
                cells[missing] * _SETS + number[missing], return_index=True, return_inverse=True
            )
            rows = self._add_rows(len(keys))
            self._append(rows, cells[missing[first]], number[missing[first]])
            found[missing] = rows[which.reshape(-1)]
        return found

    def _numbers_of(self, tolls: TollBits) -> IntArray:
        """The numbers of sets; new ones follow those that are known."""
        rows = np.stack([tolls.gone, tolls.touched, np.round(tolls.spent_over * _PARTS).astype(np.intp)])
        if rows[1:].any():
            once, which = np.unique(rows, axis=1, return_inverse=True)
        else:
            gone, which = np.unique(rows[0], return_inverse=True)
            once = np.stack([gone, np.zeros_like(gone), np.zeros_like(gone)])
        known = len(self._numbers)
        numbers = [self._numbers.setdefault(tuple(one), len(self._numbers)) for one in once.T.tolist()]
        new = [column for column, number in enumerate(numbers) if number >= known]
        self._sets = np.concatenate([self._sets, once.T[new]])
        return np.array(numbers, np.intp)[which.reshape(-1)]

    def _append(self, rows: IntArray, cells: IntArray, numbers: IntArray) -> None:
        """Note new rows, ascending by cell, as the first of their cells."""
        more = len(self._best) - len(self._next)
        if more > 0:
            columns = self._set_of, self._next, self._plain_of
            self._set_of, self._next, self._plain_of = (np.r_[column, np.zeros(more, np.intp)] for column in columns)
        self._set_of[rows] = numbers
        untouched = self._sets[numbers, 1] == 0
        self._plain_of[rows[untouched]] = self._plain_rows(cells[untouched])
        opens = np.r_[True, cells[1:] != cells[:-1]]
        self._next[rows] = np.where(opens, self._row[cells], rows - 1)
        last = np.r_[opens[1:], True]
        self._row[cells[last]] = rows[last]

    def _plain_rows(self, cells: IntArray) -> IntArray:
        """The rows of what has touched nothing in cells, with room for those that are reached for the first time."""
        new = sorted_once(cells[self._plain_row[cells] == 0])
        self._plain_row[new] = np.arange(self._plain_count, self._plain_count + len(new))
        self._plain_count += len(new)
        if self._plain_count > len(self._plain):
            more = max(self._plain_count - len(self._plain), len(self._plain))
            self._plain = np.concatenate([self._plain, np.full((more, *self._plain.shape[1:]), np.inf)])
        return self._plain_row[cells].astype(np.intp)

    def _lower(self, row: IntArray, prices: FloatArray) -> None:
        super()._lower(row, prices)
        # Those of one cell are never lowered at once.
        has, plain = self._with_plain(row)
        self._plain[plain] = np.minimum(self._plain[plain], prices[has])

    def _lower_each(self, row: IntArray, prices: FloatArray) -> None:
        super()._lower_each(row, prices)
        has, plain = self._with_plain(row)
        np.minimum.at(self._plain, plain, prices[has])

    def _with_plain(self, row: IntArray) -> tuple[IntArray, IntArray]:
        """Which of some rows are among those where nothing is touched, and the rows of what is best there."""
        plain = self._plain_of[row]
        has = np.flatnonzero(plain)
        return has, plain[has]


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
