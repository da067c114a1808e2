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

import numpy as np
from numpy.typing import NDArray

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import XY
from simulator.pathing.posed.grown import GrownShapes
from simulator.pathing.posed.raster_cells import RasterCells
from simulator.pathing.posed.space import PoseSpace

#: How wide the cells are that are looked at, in inches, and how many there are at most.
_CELL, _MOST_CELLS = 0.25, 1 << 18


def are_apart(space: PoseSpace, place: XY) -> bool:
    """Whether cells that a mover cannot be in part a place from all places that it begins at.

    Where they do not, there need not be a way either. Of several levels or phases, and of places to begin at anywhere,
    nothing is said.
    """
    if space.level_count > 1 or space.links or space.placings or space.earlier:
        return False
    cells = RasterCells.of(space, _CELL, _MOST_CELLS, GrownShapes())
    open_ = np.ones(cells.in_all, np.bool_)
    open_[cells.shut(space)] = False
    open_ = np.pad(open_.reshape(cells.columns, cells.rows), 1)
    number = np.floor((np.array([place, *(start.place for start in space.starts)]) - cells.corner) / cells.apart)
    column, row = np.clip(number.astype(np.intp), 0, (cells.columns - 1, cells.rows - 1)).T + 1
    open_[column, row] = True
    reached = np.zeros_like(open_)
    reached[column[0], row[0]] = True
    return not _flooded(open_, reached)[column[1:], row[1:]].any()


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
        grown = reached.copy()
        grown[1:] |= reached[:-1]
        grown[:-1] |= reached[1:]
        wide = grown.copy()
        wide[:, 1:] |= grown[:, :-1]
        wide[:, :-1] |= grown[:, 1:]
        reached |= wide & open_
    return reached


def _runs(open_: NDArray[np.bool_]) -> IntArray:
    """Number the runs of open cells along rows: what is shut between them has the number of the one before."""
    begins = open_.copy()
    begins[:, 1:] &= ~open_[:, :-1]
    return np.asarray(np.cumsum(begins.ravel()).reshape(open_.shape))
