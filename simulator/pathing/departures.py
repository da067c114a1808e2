"""All departures at once: what it costs at least to end in each cell, from every state in which a unit may set out.

A rulebook whose moves are the same wherever a unit sets out compiles them once. All starts are then searched side by
side, many thousands in a second, and each answer is what a search from its start alone would find.

>>> from simulator.geometry.squares import SquareGrid
>>> from simulator.pathing.plain import plain_space
>>> board = SquareGrid.from_text(". . # .\\n. . . .")
>>> space = plain_space(board, starts=[], budget=None)
>>> every = Departures(Prepared(space), np.stack([~board.walls] + [board.walls & False] * (space.layers - 1)), budget=1)
>>> (landed,) = every.landings(every.from_cells(1, 2))
>>> (landed.on_board((2, 4)) < UNREACHED).astype(int).tolist()
[[[1, 1, 0, 0], [1, 1, 0, 0]]]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from simulator.geometry.poses import Heading, Level
from simulator.pathing.costs import costs_of
from simulator.pathing.kernel.ordered import Ordered
from simulator.pathing.kernel.prepared import Prepared
from simulator.pathing.move_space import UNREACHED, Mask, MoveSpace, MoveSpaceError, Plane
from simulator.pathing.seeds import Column, SeedTable

#: The heading and the level of a start.
Label: TypeAlias = tuple[Heading, Level]
#: The costs of starts that are searched together take about so many bytes.
_TOGETHER_BYTES = 2**25
#: Up to so many ticks each is a price of its own; of more only those that occur.
_MOST_PRICES = 2**16
#: But no more starts are searched together than this.
_MOST_TOGETHER = 4096


class Departing(NamedTuple):
    """States in which a unit sets out, cell by cell: their layers, rows and columns."""

    layer: Column
    row: Column
    col: Column

    def part(self, first: int, last: int) -> Departing:
        """Return some of them."""
        return Departing(*(column[first:last] for column in self))

    def those(self, marked: NDArray[np.bool_]) -> Departing:
        """Return those that are marked."""
        return Departing(*(column[marked] for column in self))


class Landings(NamedTuple):
    """For each of several starts a window of the board, and the least cost of ending in each of its cells.

    Costs are compact: numbers of `prices`, which ascend; the last is `UNREACHED`, where the unit cannot end. Nothing
    outside the window is reached. Windows may extend beyond the board.
    """

    tops: Column
    lefts: Column
    #: The number of the price of each cell: [start, row, column].
    ranks: NDArray[Any]
    prices: Column

    @property
    def costs(self) -> Plane:
        """The costs themselves."""
        return self.prices.take(self.ranks)

    def on_board(self, shape: tuple[int, int]) -> Plane:
        """Return the costs of whole boards: (starts, rows, columns)."""
        whole = np.full((len(self.ranks), *shape), UNREACHED)
        start, row, col = np.nonzero(self.ranks < len(self.prices) - 1)
        whole[start, row + self.tops[start], col + self.lefts[start]] = self.prices[self.ranks[start, row, col]]
        return whole


@dataclass(frozen=True, eq=False)
class Departures:
    """Moves that are compiled once for all starts, and the states in which a unit may set out."""

    #: The moves; the starts and the budget of its space are ignored.
    searcher: Prepared | Ordered
    #: Where it may set out: a mask for each layer, [layer, row, column], or in the shape of the masks of the space.
    begins: Mask
    budget: int | None = None
    #: The most that ways ending in each layer may cost, if that is less than the budget.
    most: Sequence[int] | None = None
    #: On which level each state stands, [layer, row, column], with axes of length 1 where all are equal.
    levels: NDArray[Any] | None = None
    #: The unit of the costs, and how many integers of the search make one.
    unit: str = ""
    per_unit: int = 1

    def __post_init__(self) -> None:
        states = (self.space.layers, *self.space.shape)
        if self.begins.reshape(-1, *self.begins.shape[-2:]).shape != states:
            raise MoveSpaceError(f"expected a mask for each layer, shape {states} (got {self.begins.shape})", "begins")

    @property
    def space(self) -> MoveSpace:
        """The moves."""
        return self.searcher.space

    @cached_property
    def _states(self) -> tuple[Column, Column]:
        """The cells and the layers of all starts, cell by cell."""
        cells, layers = np.nonzero(self.begins.reshape(self.space.layers, -1).T)
        return cells, layers

    def from_cells(self, first: int, last: int) -> Departing:
        """Return the starts in a range of cells, counted row by row."""
        cells, layers = self._states
        begin, end = np.searchsorted(cells, (first, last))
        rows, cols = np.divmod(cells[begin:end], self.space.shape[1])
        return Departing(layers[begin:end], rows, cols)

    def labels_of(self, starts: Departing) -> tuple[Column, list[Label]]:
        """Return the heading and the level of each start, as numbers of labels and these; None where there is none."""
        headings = [heading for heading, _ in self.space.layer_labels]
        if self.levels is None:
            return starts.layer, [(heading, None) for heading in headings]
        whole = np.broadcast_to(self.levels, (self.space.layers, *self.space.shape))
        known: dict[Label, int] = {}
        pairs = zip(starts.layer.tolist(), whole[starts].tolist(), strict=True)
        numbers = [known.setdefault((headings[layer], level), len(known)) for layer, level in pairs]
        return np.array(numbers, np.int64), list(known)

    def landings(self, starts: Departing) -> Iterator[Landings]:
        """Search from starts, some at a time, and yield what they lead to in their order."""
        searcher = self.searcher
        step = searcher.together if isinstance(searcher, Ordered) else self._together(searcher)
        for first in range(0, len(starts.layer), step):
            some = starts.part(first, first + step)
            if isinstance(searcher, Ordered):
                none = np.zeros(len(some.layer), np.int64)
                yield Landings(none, none, *searcher.ends_of_each(*some, budget=self.budget))
            else:
                yield self._searched(searcher, some)

    # --- the general search ---

    @property
    def _by_state(self) -> bool:
        end = self.space.end
        return self.most is not None or (end is not None and end.ndim == 4)

    def _together(self, searcher: Prepared) -> int:
        """Return how many starts are searched together."""
        (rows, cols), plan = self.space.shape, searcher.plan
        far_rows, far_cols = plan.reach(None if self.budget is None else self.budget // plan.tick, (rows, cols))
        cells = min(2 * far_rows + 1, rows) * min(2 * far_cols + 1, cols)
        layers = self.space.layers if self._by_state else 1
        return max(1, min(_MOST_TOGETHER, _TOGETHER_BYTES // (cells * (layers + 8))))

    def _searched(self, searcher: Prepared, starts: Departing) -> Landings:
        count = len(starts.layer)
        seeds = SeedTable(np.arange(count), *starts, np.zeros(count, np.int64))
        batch = searcher.search_each(seeds, self.budget, by_state=self._by_state)
        tops, lefts = batch.corners
        ticks = batch.ticks
        barred = self._barred(starts, tops, lefts, ticks.shape)
        if self.most is not None:
            barred |= ticks > (np.array(self.most) // batch.tick)[:, None, None]
        np.copyto(ticks, batch.unreached_tick, where=barred)
        ticks = ticks.min(axis=1) if ticks.shape[1] > 1 else ticks[:, 0]
        if batch.unreached_tick < _MOST_PRICES:
            prices = np.arange(batch.unreached_tick + 1) * batch.tick
            prices[-1] = UNREACHED
            return Landings(tops, lefts, ticks, prices)
        costs = costs_of(ticks, batch.unreached_tick, batch.tick, 0)
        prices, ranks = np.unique(np.append(costs, UNREACHED), return_inverse=True)
        return Landings(tops, lefts, ranks[:-1].reshape(costs.shape), prices)

    def _barred(self, starts: Departing, tops: Column, lefts: Column, shape: tuple[int, ...]) -> Mask:
        """Return in which states of their windows the starts may not end."""
        count, layers, height, width = shape
        end = self.space.end
        if end is None:
            barred = np.zeros(shape, np.bool_)
        else:
            around = ((0, 0), (height, height), (width, width))
            padded = np.pad(~end.reshape(-1, *self.space.shape), around, constant_values=True)
            windows = np.lib.stride_tricks.sliding_window_view(padded, (height, width), axis=(1, 2))
            cut = np.moveaxis(windows[:, tops + height, lefts + width], 0, 1)
            barred = cut if cut.shape == shape else np.broadcast_to(cut, shape).copy()
        if self.space.start_is_end:
            layer = starts.layer if layers > 1 else 0
            barred[np.arange(count), layer, starts.row - tops, starts.col - lefts] = False
        return barred
