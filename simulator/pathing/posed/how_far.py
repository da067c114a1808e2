"""How far a mover gets at most, whatever bars its way, and which things it may come near to.

An inch of cheap ground may cost half of any other. Who comes to a place over cheap ground has to get there first, and
to leave it again: so much at least is gone over dearer ground. Of the two posts below just as far off, the one beside
the road may be reached.

>>> from simulator.geometry.footprints import Round
>>> from simulator.geometry.pieces import rectangle
>>> road = rectangle((0, 4), (80, 2))
>>> far = HowFar(np.zeros((1, 4)), budget=9.0, rate=0.5, off_cheap=1.0, cheap=(road,))
>>> far.inches, far.may_come_near([Round(0.5).at(14, 4), Round(0.5).at(14, -4)], within=1.0).tolist()
(15.1, [True, False])
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import FloatArray, Solid
from simulator.geometry.standing import Solids
from simulator.geometry.tolerances import TOLERANCE

#: Round areas are drawn with straight sides: cheap ground may be nearer by so many inches.
_ROUNDING = 0.1


@dataclass(frozen=True, eq=False)
class HowFar:
    """What a mover may spend, and what an inch costs at least: on cheap ground, and off it."""

    begun: FloatArray  #: boxes in which moves begin, rows min x, min y, max x, max y
    budget: float
    rate: float
    off_cheap: float
    cheap: Sequence[Solid] = ()
    #: What counts may be so far from the reference point that is over cheap ground.
    beside: float = 0.0
    most: float = math.inf  #: no move covers more inches

    @cached_property
    def inches(self) -> float:
        """How far from where it begins a move may lead at most."""
        there = self._to_cheap
        if there * self.off_cheap >= self.budget:
            return min(self.budget / self.off_cheap, self.most)
        return min(there + (self.budget - there * self.off_cheap) / self.rate, self.most)

    def may_come_near(self, things: Sequence[Solid], within: float) -> BoolArray:
        """Find the things that a mover may come to stand no farther from than so many inches."""
        found = np.zeros(len(things), np.bool_)
        if len(things):
            boxes, whose = _boxes_around(things)
            away = np.maximum(_apart(boxes, self.begun).min(axis=1) - within, 0.0)
            spent = self.off_cheap * away
            if self.cheap:
                off = self._to_cheap + np.maximum(self._from_cheap(boxes) - within, 0.0)
                spent = np.minimum(spent, self.rate * away + (self.off_cheap - self.rate) * off)
            # Who has nothing left to spend stays where it is.
            near = (spent <= max(self.budget, 0.0) + TOLERANCE) & (away <= max(self.most, 0.0) + TOLERANCE)
            found[whose[near]] = True
        return found

    def near(self, things: Sequence[Solid], within: float) -> Solids:
        """Return those things."""
        near = self.may_come_near(things, within)
        if isinstance(things, Solids) and near.all():
            return things  # with what is known of them
        return Solids(thing for thing, is_near in zip(things, near, strict=True) if is_near)

    @cached_property
    def _to_cheap(self) -> float:
        """How far cheap ground is at least from where moves begin."""
        return float(self._from_cheap(self.begun).min())

    def _from_cheap(self, boxes: FloatArray) -> FloatArray:
        """How far cheap ground is at least from boxes: from all of each."""
        if not self.cheap:
            return np.full(len(boxes), np.inf)
        ground = shapely.union_all([area.polygon for area in self.cheap])
        off = np.asarray(shapely.distance(shapely.box(*boxes.T), ground))
        return np.asarray(np.maximum(off - self.beside - _ROUNDING, 0.0))


def _boxes_around(things: Sequence[Solid]) -> tuple[FloatArray, IntArray]:
    """Return boxes around the parts of things, and the numbers of the things."""
    bounds = np.concatenate([thing.part_bounds for thing in things])
    whose = np.repeat(np.arange(len(things)), [len(thing.part_bounds) for thing in things])
    # The box of a curved part is that of its centre.
    wide = np.hypot(*np.moveaxis(np.array([thing.spread for thing in things]), 2, 0))[whose]
    return np.hstack([bounds[:, :2] - wide, bounds[:, 2:] + wide]), whose


def _apart(boxes: FloatArray, others: FloatArray) -> FloatArray:
    """How far boxes are from others, an array [box, other]."""
    gaps = np.maximum(boxes[:, None, :2] - others[:, 2:], others[:, :2] - boxes[:, None, 2:])
    gaps = np.maximum(gaps, 0.0)
    return np.asarray(np.hypot(gaps[..., 0], gaps[..., 1]))
