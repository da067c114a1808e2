"""Which areas lie under a mover, by cells of a raster: known without a closer look where no border passes.

What is asked about many poses is looked up there, and only for those near borders computed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import FloatArray
from simulator.pathing.columns import distinct_rows, pick
from simulator.pathing.posed.ground import PricedGround
from simulator.pathing.posed.grown import GrownShapes
from simulator.pathing.posed.raster_cells import RasterCells
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates, rates_of


@dataclass(frozen=True, eq=False)
class GroundByCells:
    """The areas under a mover that stands somewhere in a cell."""

    cells: RasterCells
    #: By cell, and at last for all that is beyond them: the row of the areas under it; -1: that depends on the place.
    kinds: IntArray
    under: BoolArray  #: [kind, area]
    rates: FloatArray  #: by kind, what an inch costs there; at last nan, for kind -1

    @classmethod
    def of(cls, ground: PricedGround, cells: RasterCells, under: BoolArray, near: BoolArray) -> GroundByCells:
        """Note what is known of cells by the areas that are under a mover in any case, and those that may be."""
        plain = np.flatnonzero(np.all(under == near, axis=1))
        rows, which = distinct_rows(under[plain])
        kinds = np.full(cells.in_all + 1, -1)
        kinds[plain] = which
        rates = [ground.rate_or_inf(frozenset(np.flatnonzero(row).tolist()), frozenset()) for row in rows]
        return cls(cells, kinds, rows, np.append(np.array(rates, np.float64), np.nan))

    @classmethod
    def nothing(cls, ground: PricedGround) -> GroundByCells:
        """Return what knows nothing."""
        cells = RasterCells(np.zeros(2), 1.0, 0, 0, GrownShapes())
        return cls(cells, np.array([-1]), np.zeros((0, len(ground.areas)), np.bool_), np.array([np.nan]))

    def kinds_at(self, places: FloatArray) -> IntArray:
        """Return the rows of the areas under places, -1 where that is not known."""
        cells = self.cells
        cell = np.floor((places - cells.corner) / cells.apart)
        shape = np.array([cells.columns, cells.rows])
        beyond = np.any((cell < 0) | (cell >= shape), axis=1)
        number = np.where(beyond, cells.in_all, cell[:, 0] * cells.rows + cell[:, 1])
        return np.asarray(self.kinds[number.astype(np.intp)])

    def rates_at(self, places: FloatArray) -> FloatArray:
        """Return what an inch costs at places; nan where that is not known."""
        return np.asarray(self.rates[self.kinds_at(places)])

    def rates_of(self, space: PoseSpace, states: PoseStates) -> FloatArray:
        """Compute what turns are multiplied by at states, see `states.rates_of`."""
        if not space.turns.times_rate:
            return np.ones(len(states.price))
        found = self.rates_at(states.place)
        row = np.flatnonzero(np.isnan(found))
        found[row] = rates_of(space.by_rows(row), pick(states, row))
        return found
