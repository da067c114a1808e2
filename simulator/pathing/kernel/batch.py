"""Many answers of one search: an array of windows, one for each query, and each answer by itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from simulator.pathing.costs import NO_WINDOW, Costs, Window, costs_of
from simulator.pathing.move_space import UNREACHED, MoveSpace, Plane
from simulator.pathing.seeds import Seeds, SeedTable


class KernelAnswer(NamedTuple):
    """The answer of an executor to many queries."""

    #: The first row and column of the window of each query; all have one size.
    tops: NDArray[np.int64]
    lefts: NDArray[np.int64]
    #: Costs in ticks: (queries, layers or 1, height, width).
    ticks: NDArray[Any]
    #: The number of ticks that means "not reached".
    unreached: int

    def window(self, query: int) -> Window:
        """Return the window of a query in the coordinates of the board."""
        height, width = self.ticks.shape[2:]
        return Window(int(self.tops[query]), int(self.lefts[query]), height, width)


class Searching(Protocol):
    """What made a batch: it can search again."""

    @property
    def space(self) -> MoveSpace:
        """The move space."""

    def search_seeds(self, seeds: Seeds, budget: int | None) -> Costs:
        """Find the cheapest cost of every state from starts in columns."""


class Batch(Sequence[Costs]):
    """The answers to many queries: `batch[3]` is that to the fourth, `batch.cells(3)` its costs by cell."""

    def __init__(
        self,
        prepared: Searching,
        budgets: Sequence[int | None],
        seeds: SeedTable,
        searched: list[int],
        found: KernelAnswer,
        tick: int = 1,
        least: NDArray[np.int64] | None = None,
        method: str = "",
    ) -> None:
        self.prepared, self.budgets = prepared, budgets
        self._seeds, self._found, self._least = seeds, found, least
        self._place = {query: place for place, query in enumerate(searched)}
        #: Costs in ticks of the queries that have a start: (queries, layers or 1, height, width).
        self.ticks = found.ticks
        self.unreached_tick, self.tick = found.unreached, tick
        self.method = method

    def __len__(self) -> int:
        return len(self.budgets)

    @property
    def corners(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The first row and the first column of each window of `ticks`; windows may extend beyond the board."""
        return self._found.tops, self._found.lefts

    def cells(self, query: int) -> tuple[Window, Plane]:
        """Return the answer to one query by cell: its window, and the least costs over all layers."""
        place = self._place.get(query)
        if place is None or self._least is None:
            return NO_WINDOW, np.full((1, 1), UNREACHED)
        ticks = self.ticks[place].min(axis=0)
        costs = costs_of(ticks, self.unreached_tick, self.tick, int(self._least[place]))
        return self._found.window(place), costs

    def __getitem__(self, query: Any) -> Any:
        """Return the answer to one query. Where only cells were kept, its states are searched once more."""
        if isinstance(query, slice):
            return [self[number] for number in range(*query.indices(len(self)))]
        query = range(len(self))[query]
        space, seeds, place = self.prepared.space, self._seeds.of_query(query), self._place.get(query)
        if place is None or self._least is None or self.ticks.shape[1] != space.layers:
            return self.prepared.search_seeds(seeds, self.budgets[query])
        window, least = self._found.window(place), int(self._least[place])
        return Costs(space, seeds, window, self.ticks[place], self.unreached_tick, self.tick, least, self.method)
