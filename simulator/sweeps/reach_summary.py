"""What the answers from some starts have in common, as a few numbers for each start and for each place."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulator.engine.bulk_reach import FromStarts
from simulator.engine.raster import Raster
from simulator.pathing.departures import Label

#: The shares of the ends whose costs are kept for each start: a quarter, half, three quarters, all.
SHARES = (0.25, 0.5, 0.75, 1.0)
#: Up to so many different costs are counted; more are sorted.
_COUNTED = 256
#: So many starts are counted together: what they need stays in the cache, and numbers in 16 bits.
_ROWS = 128


@dataclass
class Summary:
    """A summary of starts, in their order."""

    raster: Raster
    cells: list[NDArray[np.int64]] = field(default_factory=list)
    #: The heading and the level of each start, as numbers of `labels`.
    states: list[NDArray[np.int64]] = field(default_factory=list)
    labels: dict[Label, int] = field(default_factory=dict)
    counts: list[NDArray[np.int64]] = field(default_factory=list)
    grounds: list[NDArray[np.float64]] = field(default_factory=list)
    areas: list[NDArray[np.float64]] = field(default_factory=list)
    quantiles: list[NDArray[np.float32]] = field(default_factory=list)
    #: The number of each start without an answer, why, and whether that is a limit.
    unanswered: list[tuple[int, str, bool]] = field(default_factory=list)

    def __post_init__(self) -> None:
        #: From how many starts each place can be reached, [row, column].
        self.reached_from = np.zeros(self.raster.shape, np.int64)

    def add(self, found: FromStarts) -> None:
        """Add the answers from some starts."""
        reached = found.reached.view(np.uint8)
        counts = reached.reshape(len(reached), -1).sum(axis=1, dtype=np.int64)
        self._add_to_places(found, reached)
        before = sum(map(len, self.cells))
        self.cells.append(found.cells)
        known = [self.labels.setdefault(label, len(self.labels)) for label in found.labels]
        self.states.append(np.array(known, np.int64)[found.states] if known else found.states)
        self.counts.append(counts)
        self.grounds.append(self._ground(reached, counts))
        self.areas.append(found.areas)
        self.quantiles.append(_quantiles(found.ranks, found.prices, counts))
        self.unanswered += [(before + number, *why) for number, why in found.unanswered.items()]

    def _add_to_places(self, found: FromStarts, reached: NDArray[np.uint8]) -> None:
        """Add the ends to `reached_from`; starts side by side often have one window, and are added up first."""
        (rows, columns), (height, width) = self.raster.shape, reached.shape[1:]
        corners = np.column_stack([found.tops, found.lefts])
        changes = 1 + np.flatnonzero((corners[1:] != corners[:-1]).any(axis=1))
        firsts = [0, *changes.tolist()] if len(corners) else []
        for first, last in pairwise([*firsts, len(corners)]):
            top, left = corners[first].tolist()
            ends = reached[first:last].sum(axis=0, dtype=np.int64)
            inside = slice(max(-top, 0), min(height, rows - top)), slice(max(-left, 0), min(width, columns - left))
            self.reached_from[max(top, 0) : top + height, max(left, 0) : left + width] += ends[inside]

    def _ground(self, reached: NDArray[np.uint8], counts: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return how much ground each start gets to; only places of tables differ in size, and they have no windows."""
        sizes = self.raster.sizes[self.raster.present]
        if sizes.size and (sizes == sizes[0]).all():
            return np.asarray(counts * sizes[0], np.float64)
        return np.asarray(reached.reshape(len(reached), -1) @ self.raster.sizes.ravel(), np.float64)

    def arrays(self, measured: bool) -> dict[str, NDArray[Any]]:
        """Return the numbers as arrays, one entry for each start; areas if they were measured."""
        none = np.zeros((0, len(SHARES)), np.float32)
        return {
            "cell": _joined(self.cells, np.int32),
            "state": _joined(self.states, np.int32),
            "ends": _joined(self.counts, np.int32),
            "ground": _joined(self.grounds, np.float64),
            **({"area": _joined(self.areas, np.float64)} if measured else {}),
            "cost_quantiles": np.concatenate([none, *self.quantiles]),
        }


def _joined(parts: list[NDArray[Any]], kind: type[Any]) -> NDArray[Any]:
    return np.concatenate([np.zeros(0, kind), *parts]).astype(kind)


def _quantiles(ranks: NDArray[Any], prices: NDArray[np.float32], counts: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return the least cost that covers each share of the ends, [start, share]; nan without ends.

    >>> ranks, prices = np.array([[[2, 0, 1, 3]], [[3] * 4]], np.uint8), np.array([1, 2, 3, np.inf], np.float32)
    >>> _quantiles(ranks, prices, np.array([3, 0])).tolist()
    [[1.0, 2.0, 3.0, 3.0], [nan, nan, nan, nan]]
    """
    needed = np.maximum(np.ceil(np.outer(counts, SHARES)), 1)
    flat = ranks.reshape(len(ranks), -1)
    if len(prices) > _COUNTED:
        found = np.take_along_axis(np.sort(flat, axis=1), needed.astype(np.int64) - 1, axis=1)
    else:
        covered = _histograms(flat, len(prices)).cumsum(axis=1)
        found = np.stack([(covered < share[:, None]).sum(axis=1) for share in needed.T], axis=1)
    costs: NDArray[np.float32] = prices.take(found)
    costs[counts == 0] = np.nan
    return costs


def _histograms(ranks: NDArray[Any], count: int) -> NDArray[np.int64]:
    """Count each number in each row."""
    found = np.empty((len(ranks), count), np.int64)
    for first in range(0, len(ranks), _ROWS):
        some = ranks[first : first + _ROWS]
        # Each row counts numbers of its own.
        apart = np.arange(len(some), dtype=np.uint16)[:, None] * np.uint16(count)
        found[first : first + _ROWS] = np.bincount((some + apart).ravel(), minlength=some.shape[0] * count).reshape(
            -1, count
        )
    return found
