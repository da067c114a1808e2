"""How far decision places lie apart: for each place only the others that a spend may lead to.

Of thousands of places a move leads from each to some hundreds, so the rest is not stored. The distances of the places
that all goals share stay as they are: those of a single goal's own places are added as blocks beside and below.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import FloatArray
from simulator.rulesets.skirmish.odds.ranked import Ranked, Ranks

#: Which pairs count, by the length of the way and by that of the one on which no roll is due.
Kept = Callable[[FloatArray, FloatArray], BoolArray]


class LinkedPairs(NamedTuple):
    """Pairs of places, row by row: how far apart, and how far without a roll due, inf if there is no such way."""

    row: IntArray
    other: IntArray
    length: FloatArray
    clean: FloatArray


@dataclass(frozen=True, eq=False)
class Block:
    """Lengths of ways between two rows of places, row by row, for those pairs that have one."""

    #: The numbers of the first place that ways lead from, and of the first that they lead to.
    row: int
    column: int
    #: Where in the columns below each row begins, and where the last one ends.
    first: IntArray
    #: The places that ways lead to, counted from `column`.
    other: NDArray[np.int32]
    length: FloatArray
    #: The same where no roll is due, else inf; the same array object where there is no rough ground.
    clean: FloatArray

    @property
    def transposed(self) -> Block:
        """The same ways backwards, which are as long."""
        order = np.argsort(self.other, kind="stable")
        rows = np.repeat(np.arange(len(self.first) - 1, dtype=np.int32), np.diff(self.first))
        count = int(self.other.max()) + 1 if len(self.other) else 0
        first = np.searchsorted(self.other[order], np.arange(count + 1))
        length = self.length[order]
        clean = length if self.clean is self.length else self.clean[order]
        return Block(self.column, self.row, first, rows[order], length, clean)

    def best(self, kept: Kept, ranks: Ranks, best: Ranks) -> None:
        """Raise each row of `best` to the highest rank among the places that it leads to by pairs that count."""
        here = ranks[self.column :]
        useful: BoolArray = np.asarray(here.any(axis=1))
        found = np.flatnonzero(kept(self.length, self.clean) & useful[self.other])
        others = self.other[found]
        first = np.searchsorted(found, self.first)
        rows = np.flatnonzero(np.diff(first))
        # Ranks are few bytes and stay in the processor's cache: thirty times as fast as a product for each level.
        if here.shape[1] == 1 and len(rows):
            highest = np.maximum.reduceat(here[others, 0], first[rows])[:, None]
            best[self.row + rows] = np.maximum(best[self.row + rows], highest)
            return
        count = first[rows + 1] - first[rows]
        most = int(count.max(initial=0))
        if len(rows) <= most:
            for row, begin, end in zip(rows.tolist(), first[rows].tolist(), first[rows + 1].tolist(), strict=True):
                highest = here.take(others[begin:end], axis=0).max(axis=0)
                np.maximum(best[self.row + row], highest, out=best[self.row + row])
            return
        # All rows at once by the first place that each leads to, by the second, and so on: those with most come first.
        rows, begin = (column[np.argsort(-count, kind="stable")] for column in (rows, first[rows]))
        long_enough = len(rows) - np.searchsorted(np.sort(count), np.arange(most), side="right")
        highest = np.zeros((len(rows), here.shape[1]), ranks.dtype)
        for nth, many in enumerate(long_enough.tolist()):
            np.maximum(highest[:many], here.take(others[begin[:many] + nth], axis=0), out=highest[:many])
        best[self.row + rows] = np.maximum(best[self.row + rows], highest)


class Rows:
    """Collects rows of lengths for a block: infinite ones are dropped on arrival."""

    def __init__(self) -> None:
        self._counts, self._others = [np.zeros(1, np.intp)], [np.zeros(0, np.int32)]
        self._lengths, self._cleans = [np.zeros(0)], [np.zeros(0)]
        self._is_clean = True

    def add(self, length: FloatArray, clean: FloatArray) -> None:
        """Add the next rows: of all ways, and of those without a roll due; the same array object if all are such."""
        kept: BoolArray = np.isfinite(length)
        if clean is not length:
            kept |= np.isfinite(clean)
        self._counts.append(np.count_nonzero(kept, axis=1))
        self._others.append(np.nonzero(kept)[1].astype(np.int32))
        self._lengths.append(length[kept])
        if clean is not length:
            self._cleans.append(clean[kept])
            self._is_clean = False

    def block(self, row: int, column: int) -> Block:
        """Return the block."""
        first, other = np.cumsum(np.concatenate(self._counts)), np.concatenate(self._others)
        length = np.concatenate(self._lengths)
        return Block(row, column, first, other, length, length if self._is_clean else np.concatenate(self._cleans))


@dataclass(frozen=True, eq=False)
class Apart:
    """How far places lie apart, all from all."""

    count: int
    blocks: tuple[Block, ...]

    def bordered(self, below: Block, corner: Block) -> Apart:
        """Return this with places added: `below` leads from them to the old ones, `corner` to each other."""
        added = len(corner.first) - 1
        return Apart(self.count + added, (*self.blocks, below.transposed, below, corner))

    def best(self, kept: Kept, values: Ranked) -> Ranked:
        """Return for each place the best value among those it leads to by pairs that count, for each goal."""
        best = np.zeros((self.count, values.ranks.shape[1]), values.ranks.dtype)
        for block in self.blocks:
            block.best(kept, values.ranks, best)
        return Ranked(best, values.levels)

    def from_places(self, numbers: IntArray) -> LinkedPairs:
        """Return all pairs that lead from some places; `row` counts these."""
        at = np.full(self.count, -1, np.intp)
        at[numbers] = np.arange(len(numbers))
        parts = []
        for block in self.blocks:
            rows = np.flatnonzero(at[block.row : block.row + len(block.first) - 1] >= 0)
            count = block.first[rows + 1] - block.first[rows]
            pair = np.repeat(block.first[rows] - np.cumsum(count) + count, count) + np.arange(count.sum())
            row = np.repeat(at[block.row + rows], count)
            parts.append((row, block.other[pair] + block.column, block.length[pair], block.clean[pair]))
        return LinkedPairs(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))

    def to_places(self, numbers: IntArray) -> LinkedPairs:
        """Return all pairs that lead to some places: `row` says from where, `other` counts these."""
        at = np.full(self.count, -1, np.intp)
        at[numbers] = np.arange(len(numbers))
        parts = []
        for block in self.blocks:
            other = at[block.column :][block.other]
            pair = np.flatnonzero(other >= 0)
            row = np.searchsorted(block.first, pair, side="right") - 1 + block.row
            parts.append((row, other[pair], block.length[pair], block.clean[pair]))
        return LinkedPairs(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def best_where(mask: BoolArray, values: Ranked) -> Ranked:
    """Return for each row of a mask the best value among those that it allows, for each goal."""
    rows, ways = Rows(), np.where(mask, 0.0, np.inf)
    rows.add(ways, ways)
    return Apart(len(mask), (rows.block(0, 0),)).best(lambda length, _: length <= 0.0, values)
