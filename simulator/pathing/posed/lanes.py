"""Lanes of a search: a mover on one of its levels each. Those of one kind are worked on together.

The number of its lane is in the `level` of a state, and what is asked about states is asked with those numbers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import FloatArray
from simulator.pathing.columns import pick
from simulator.pathing.posed.as_one import BinsAsOne, LowerPricesAsOne, SpacesAsOne, kind_of
from simulator.pathing.posed.bins import PoseBins
from simulator.pathing.posed.lower_prices import LowerPrices
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates


class Lane(NamedTuple):
    """A mover on one level."""

    space: PoseSpace
    lower: LowerPrices
    level: int


class Lanes:
    """Lanes of one kind, by their numbers among all lanes of a search."""

    def __init__(self, lanes: Mapping[int, Lane], count: int, mesh: float) -> None:
        """Join lanes of one kind; `count` is the number of all lanes of the search."""
        #: By the number of each lane, its level.
        self.numbers = {number: lane.level for number, lane in lanes.items()}
        self._row = np.full(count, -1)
        self._row[list(lanes)] = np.arange(len(lanes))
        spaces, rasters = [lane.space for lane in lanes.values()], [lane.lower for lane in lanes.values()]
        self._spaces = SpacesAsOne.of(spaces) if len(lanes) > 1 else None
        self._rasters = LowerPricesAsOne.of_several(rasters) if len(lanes) > 1 else None
        self._bins = (
            BinsAsOne(mesh, spaces)
            if len(lanes) > 1
            else PoseBins(mesh, spaces[0].turns, spaces[0].window, spaces[0].middle)
        )
        #: What is the same in all lanes: modes, turns, the least that an inch costs.
        self.space = self._spaces or spaces[0]
        self._lower = rasters[0]

    def has(self, lanes: IntArray) -> BoolArray:
        """Find which of some lanes are among these."""
        return np.asarray(self._row[lanes] >= 0)

    def space_by(self, lanes: IntArray) -> PoseSpace:
        """Return the space for questions about rows in lanes."""
        return self.space if self._spaces is None else self._spaces.by(self._row[lanes])

    def lower_by(self, lanes: IntArray) -> LowerPrices:
        """Return the raster for questions about legs in lanes."""
        return self._lower if self._rasters is None else self._rasters.by(self._row[lanes])

    def lots(self, states: PoseStates, most: int) -> Iterator[PoseStates]:
        """Yield states in lots of whole lanes, of no more states than that unless they are in one lane."""
        counts = np.bincount(self._row[states.level], minlength=len(self.numbers))
        lot = np.zeros(len(counts), np.intp)
        number, size = 0, 0
        for lane, count in enumerate(counts.tolist()):
            if size and size + count > most:
                number, size = number + 1, 0
            lot[lane], size = number, size + count
        if not number:
            if len(states.price):
                yield states
            return
        of = lot[self._row[states.level]]
        for one in range(number + 1):
            rows = np.flatnonzero(of == one)
            if len(rows):
                yield pick(states, rows)

    # --- bins ---

    def _spot(self, lanes: IntArray, place: FloatArray) -> FloatArray:
        return place if self._spaces is None else np.column_stack([place, self._row[lanes]])

    def worth(
        self, lanes: IntArray, place: FloatArray, sector: IntArray, free: BoolArray, price: FloatArray
    ) -> BoolArray:
        """Find which states cost less than what their bins hold, without keeping them."""
        return self._bins.worth(self._spot(lanes, place), sector, free, price)

    def holds(
        self, lanes: IntArray, place: FloatArray, sector: IntArray, free: BoolArray, price: FloatArray
    ) -> BoolArray:
        """Find which of the states that were kept nothing better came after."""
        return self._bins.holds(self._spot(lanes, place), sector, free, price)

    def take(
        self, lanes: IntArray, place: FloatArray, sector: IntArray, free: BoolArray, price: FloatArray
    ) -> IntArray:
        """Keep of some states, the cheapest first, those that nothing in their bins is as good as."""
        return self._bins.take(self._spot(lanes, place), sector, free, price)


def lanes_by_kind(lanes: Sequence[Lane], mesh: float) -> list[Lanes]:
    """Return the lanes of a search, those of one kind together; the levels of one mover take turns."""
    kinds = defaultdict[tuple[object, ...], dict[int, Lane]](dict)
    for number, lane in enumerate(lanes):
        key = (lane.level, *kind_of(lane.space, lane.lower)) if len(lanes) > 1 else ()
        kinds[key][number] = lane
    return [Lanes(some, len(lanes), mesh) for some in kinds.values()]
