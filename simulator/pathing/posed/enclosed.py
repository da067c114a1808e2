"""Whether a place is shut off from where a mover begins by what bars it: then no budget is enough.

>>> from fractions import Fraction
>>> from simulator.geometry.footprints import Round
>>> from simulator.geometry.pieces import rectangle
>>> from simulator.pathing.posed import Mode, PoseSpace, PoseStart, TurnPrices, even_ground
>>> even, start = even_ground(Fraction(1)), PoseStart((0, 0), Fraction(0))
>>> walls = [rectangle((10, 4), (12, 1)), rectangle((10, -4), (12, 1)), rectangle((5, 0), (1, 9))]
>>> def room(*bars):
...     return PoseSpace(Round(1), (start,), Fraction(20), even, (Mode("forward"),), TurnPrices.flat(4), bars)
>>> are_apart(room(*walls), (10, 0)), are_apart(room(*walls, rectangle((15, 0), (1, 9))), (10, 0))
(False, True)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import XY
from simulator.pathing.posed.grown import GrownShapes
from simulator.pathing.posed.raster_cells import RasterCells
from simulator.pathing.posed.space import PoseSpace

#: How wide the cells are that are looked at, in inches, and how many there are at most.
_CELL, _MOST_CELLS = 0.25, 1 << 18


class Barred(NamedTuple):
    """What bars the shortest way across to a place."""

    thing: int  #: its number among what bars the mover
    place: XY  #: in it, near the ground that the mover gets to


def are_apart(space: PoseSpace, place: XY) -> bool:
    """Whether cells that a mover cannot be in part a place from all places that it begins at.

    Where they do not, there need not be a way either. Of several levels or phases, and of places to begin at anywhere,
    nothing is said.
    """
    return not _says_nothing(space) and not _Enclosed.of(space, place).is_reached


def barred_by(space: PoseSpace, place: XY) -> Barred | None:
    """Return what parts a place from those that a mover begins at; None: they are not apart, or nothing is said."""
    if _says_nothing(space):
        return None
    enclosed = _Enclosed.of(space, place)
    return None if enclosed.is_reached else enclosed.barred()


def _says_nothing(space: PoseSpace) -> bool:
    return bool(space.level_count > 1 or space.links or space.placings or space.earlier)


class _Enclosed(NamedTuple):
    """Cells of a table with a rim, those that are not shut to a mover, and where it begins and is to end."""

    cells: RasterCells
    shut: tuple[IntArray, IntArray]  #: pairs of a thing and a cell that it shuts
    open_: BoolArray
    starts: BoolArray
    goal: BoolArray

    @classmethod
    def of(cls, space: PoseSpace, place: XY) -> _Enclosed:
        """Lay cells over the table."""
        cells = RasterCells.of(space, _CELL, _MOST_CELLS, GrownShapes())
        shut = cells.shut_by(space)
        open_ = np.ones(cells.in_all, np.bool_)
        open_[shut[1]] = False
        open_ = np.pad(open_.reshape(cells.columns, cells.rows), 1)
        number = np.floor((np.array([place, *(start.place for start in space.starts)]) - cells.corner) / cells.apart)
        column, row = np.clip(number.astype(np.intp), 0, (cells.columns - 1, cells.rows - 1)).T + 1
        open_[column, row] = True
        starts, goal = np.zeros_like(open_), np.zeros_like(open_)
        starts[column[1:], row[1:]], goal[column[0], row[0]] = True, True
        return cls(cells, shut, open_, starts, goal)

    @property
    def is_reached(self) -> bool:
        """Whether open cells lead from where the mover begins to where it is to end."""
        return bool(_flooded(self.open_, self.goal.copy())[self.starts].any())

    def barred(self) -> Barred:
        """Return what shuts the first cell on a way that leads through as few shut cells as any."""
        here, there = (self._shut_cells_to(cells) for cells in (self.starts, self.goal))
        between = (here + there)[1:-1, 1:-1].ravel()
        thing, cell = self.shut
        # Of the ways through as few the one that is least far from where it begins to where it leads.
        few = np.flatnonzero((between[cell] == between[cell].min()) & (here[1:-1, 1:-1].ravel()[cell] == 1))
        middles = np.stack(np.divmod(cell[few], self.cells.rows), axis=1) * self.cells.apart + self.cells.first
        ends = [(np.argwhere(cells)[0] - 1) * self.cells.apart + self.cells.first for cells in (self.starts, self.goal)]
        nearest = int(np.argmin(sum(np.hypot(*(middles - end).T) for end in ends)))
        x, y = middles[nearest].tolist()
        return Barred(int(thing[few[nearest]]), (x, y))

    def _shut_cells_to(self, some: BoolArray) -> IntArray:
        """Count the shut cells on the way from some cells to each, itself included."""
        inside = np.pad(np.ones((self.cells.columns, self.cells.rows), np.bool_), 1)
        reached = _flooded(self.open_, some.copy())
        found, count = np.where(reached, 0, -1), 0
        while (left := inside & (found < 0)).any():
            count += 1
            reached |= _beside(reached) & inside
            reached |= _flooded(self.open_, reached & self.open_)
            found[reached & left] = count
        return found


def _flooded(open_: BoolArray, reached: BoolArray) -> BoolArray:
    """The open cells that are connected with some that are reached, corner to corner at least; a rim is not open."""
    along = _runs(open_), _runs(open_.T)
    count = 0
    while count != (count := int(reached.sum())):
        for turned in (0, 1):
            here = reached.T if turned else reached
            filled = np.zeros(int(along[turned].max()) + 1, np.bool_)
            filled[along[turned][here]] = True
            here |= filled[along[turned]] & (open_.T if turned else open_)
        reached |= _beside(reached) & open_
    return reached


def _beside(some: BoolArray) -> BoolArray:
    """Some cells and those around them, corner to corner at least."""
    grown = some.copy()
    grown[1:] |= some[:-1]
    grown[:-1] |= some[1:]
    wide = grown.copy()
    wide[:, 1:] |= grown[:, :-1]
    wide[:, :-1] |= grown[:, 1:]
    return wide


def _runs(open_: NDArray[np.bool_]) -> IntArray:
    """Number the runs of open cells along rows: what is shut between them has the number of the one before."""
    begins = open_.copy()
    begins[:, 1:] &= ~open_[:, :-1]
    return np.asarray(np.cumsum(begins.ravel()).reshape(open_.shape))
