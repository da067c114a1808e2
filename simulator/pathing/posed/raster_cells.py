"""The cells of a raster of a table: in which of them a mover is over areas, may be over them, or is barred.

Each is decided for all places in a cell at once, and for what lies half a cell farther along a leg from any of them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import shapely

from simulator.geometry.convex import BoolArray, IntArray, is_curved
from simulator.geometry.pieces import FloatArray, Solid
from simulator.geometry.tolerances import TOUCH
from simulator.pathing.posed.ground import PricedGround
from simulator.pathing.posed.grown import GrownShapes
from simulator.pathing.posed.space import PoseSpace

#: Round outlines are drawn as polygons: the share of its size by which the true outline is larger at most.
_ROUNDING = 0.01


def shut_over(space: PoseSpace) -> float:
    """A price that what leads through a shut cell costs more than, in every mode that costs half or more."""
    return 2.0 * (float(space.budget) + 1.0)


def rate_of_shut(space: PoseSpace, apart: float) -> float:
    """The rate of a shut cell of such a width: more than can be paid."""
    return 2.0 * shut_over(space) / apart


class RasterCells(NamedTuple):
    """The middles of the cells of a raster, numbered by columns, and the things that are looked for in them."""

    corner: FloatArray  #: of the first one
    apart: float
    columns: int
    rows: int
    grown: GrownShapes

    @classmethod
    def of(cls, space: PoseSpace, finest: float, most: int, grown: GrownShapes) -> RasterCells:
        """Lay cells over the window of a space, no finer than `finest` inches and no more than `most`."""
        window = space.window
        across, up = window.right - window.left, window.top - window.bottom
        cell = max(finest, math.sqrt(across * up / most))
        corner, (columns, rows) = window.grid(cell, space.middle)
        return cls(corner, cell, int(columns), int(rows), grown)

    @property
    def first(self) -> FloatArray:
        """The middle of the first one."""
        return self.corner + self.apart / 2

    @property
    def off(self) -> float:
        """How far from the middle of a cell anything is on a stretch as long as a cell with its middle in it."""
        return self.apart * (0.5 + math.sqrt(0.5)) + TOUCH

    @property
    def shape(self) -> tuple[int, int]:
        """How many columns and rows of them there are."""
        return self.columns, self.rows

    @property
    def in_all(self) -> int:
        """How many there are."""
        return self.columns * self.rows

    def inside(self, things: Sequence[Solid], by: FloatArray, *, border: bool) -> tuple[IntArray, IntArray]:
        """Return the pairs of a thing and a middle that the thing, grown by so much, has in it, or on its border."""
        shapes = self.grown.of(things, by)
        known = np.flatnonzero(~shapely.is_empty(shapes)) if len(shapes) else np.zeros(0, np.intp)
        boxes = shapely.bounds(shapes[known]).reshape(-1, 2, 2)
        first = self.first
        low = np.maximum(np.ceil((boxes[:, 0] - first) / self.apart - TOUCH), 0.0).astype(np.intp)
        most = (self.columns - 1, self.rows - 1)
        high = np.minimum(np.floor((boxes[:, 1] - first) / self.apart + TOUCH), most).astype(np.intp)
        across, up = np.maximum(high - low + 1, 0).T
        thing = np.repeat(np.arange(len(known)), across * up)
        number = np.arange(len(thing)) - np.repeat(np.cumsum(across * up) - across * up, across * up)
        column, row = low[thing, 0] + number // up[thing], low[thing, 1] + number % up[thing]
        x, y = first[0] + column * self.apart, first[1] + row * self.apart
        has = (shapely.intersects_xy if border else shapely.contains_xy)(shapes[known[thing]], x, y)
        return known[thing[has]], (column * self.rows + row)[has]

    def with_areas(self, ground: PricedGround, *, closely: bool = False) -> tuple[BoolArray, BoolArray]:
        """Find the areas that are under a mover wherever it is in a cell, and those that may be: [cell, area].

        Areas that may be under it are looked for a little too far off if not `closely`, or if their outlines are round.
        """
        outer, inner = (0.0, 0.0) if ground.base is None else (ground.base.reach, ground.base.inner_radius)
        things = ground.areas
        under, near = (np.zeros((self.in_all, len(things)), np.bool_) for _ in range(2))
        area, cell = self.inside(things, np.full(len(things), inner - self.off), border=False)
        under[cell, area] = True
        bounds = shapely.bounds([area.polygon for area in things]).reshape(-1, 2, 2)
        sizes = np.ptp(bounds, axis=1).max(axis=1, initial=0.0)
        if closely:
            sizes *= np.array([is_curved(area) for area in things], np.float64)
        farthest = outer + self.off
        area, cell = self.inside(things, farthest + (farthest + sizes) * _ROUNDING, border=True)
        near[cell, area] = True
        return under, near

    def shut(self, space: PoseSpace) -> IntArray:
        """Return the cells with something that bars a mover wherever it is in them."""
        return np.unique(self.shut_by(space)[1])

    def shut_by(self, space: PoseSpace) -> tuple[IntArray, IntArray]:
        """Return the pairs of the number of a thing and a cell in which it bars a mover wherever that is."""
        inner = space.base.inner_radius
        solid = [number for number, bar in enumerate(space.bars) if bar.polygon.area]
        off = np.full(len(solid), inner - self.off)
        thing, cell = self.inside([space.bars[number] for number in solid], off, border=False)
        return np.array(solid, np.intp)[thing], cell
