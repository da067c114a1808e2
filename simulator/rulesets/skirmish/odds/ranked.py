"""Values of places, by their ranks: chances are products of few rolls, so that few values occur among millions.

Ranks are single bytes where a value is eight, and values that are mixed or compared are looked up in a table of all
pairs of levels: a calculation about a thousand places and goals stays in the processor's cache.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulator.geometry.convex import BoolArray, IntArray

#: Chances nearer to each other than this are the same.
ALMOST = 1e-12

Values = NDArray[np.float64]
Ranks = NDArray[np.unsignedinteger[Any]]


@dataclass(frozen=True, eq=False)
class Ranked:
    """Values, places by goals: the rank of each, and the value of each rank; rank 0 is worth nothing."""

    ranks: Ranks
    levels: Values

    @classmethod
    def of(cls, values: Values) -> Ranked:
        """Rank values."""
        levels = np.unique(np.round(values[values > ALMOST], 12))
        ranks = np.searchsorted(levels, values + ALMOST, side="right")
        return cls(ranks.astype(np.min_scalar_type(len(levels))), np.concatenate([[0.0], levels]))

    @classmethod
    def where(cls, mask: BoolArray, value: float) -> Ranked:
        """Return a value where a mask allows it, elsewhere none."""
        if value <= ALMOST:
            return cls(np.zeros(mask.shape, np.uint8), np.zeros(1))
        return cls(mask.astype(np.uint8), np.array([0.0, value]))

    @classmethod
    def highest(cls, several: Sequence[Ranked]) -> Ranked:
        """Return the highest of the values at each place."""
        levels = np.unique(np.concatenate([one.levels for one in several]))
        best = several[0]._among(levels)
        for one in several[1:]:
            best = np.maximum(best, one._among(levels))
        return cls(best, levels)

    def _among(self, levels: Values) -> Ranks:
        """Return the ranks that these values have among more levels."""
        if len(levels) == len(self.levels):
            return self.ranks
        return np.searchsorted(levels, self.levels).astype(np.min_scalar_type(len(levels) - 1))[self.ranks]

    @property
    def values(self) -> Values:
        """The values themselves."""
        return self.levels[self.ranks]

    def rows(self, numbers: IntArray) -> Ranked:
        """Return the values of some places."""
        return Ranked(self.ranks[numbers], self.levels)

    def only(self, mask: BoolArray) -> Ranked:
        """Return these values where a mask allows them, elsewhere none."""
        return Ranked(self.ranks * mask, self.levels)

    def mixed(self, other: Ranked, mix: Callable[[Values, Values], Values]) -> Ranked:
        """Return what is made of each value and another."""
        mine, others = self.levels, other.levels
        if len(mine) * len(others) > self.ranks.size:
            return Ranked.of(mix(self.values, other.values))
        table = Ranked.of(mix(mine[:, None], others[None, :]))
        pair = self.ranks.astype(np.min_scalar_type(len(mine) * len(others)))
        pair *= len(others)
        pair += other.ranks
        return Ranked(table.ranks.ravel()[pair], table.levels)

    def raised(self, rows: IntArray, to: Ranked) -> Ranked:
        """Return these values with some rows raised to others, of which several may be of the same row."""
        if not len(rows):
            return self
        order = np.argsort(rows, kind="stable")
        once, first = np.unique(rows[order], return_index=True)
        levels = np.unique(np.concatenate([self.levels, to.levels]))
        ranks = self._among(levels).astype(np.min_scalar_type(len(levels) - 1))
        highest = np.maximum.reduceat(to._among(levels)[order], first, axis=0)
        ranks[once] = np.maximum(ranks[once], highest)
        return Ranked(ranks, levels)
