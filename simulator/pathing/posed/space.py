"""What a unit can do on an inch table where ground has prices and turning costs: `PoseSpace`.

A ruleset compiles a unit, the table and what stands around it into this form, which names no rules: the planner
searches it, and `judge` prices a written move by it. States are poses; ends are poses that are legal to end in.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np

from simulator.geometry.footprints import Base
from simulator.geometry.pieces import XY, FloatArray, Solid
from simulator.geometry.standing import Standing
from simulator.geometry.standing_room import Box
from simulator.pathing.posed.ground import PricedGround
from simulator.pathing.posed.moves import Mode
from simulator.pathing.posed.turn_prices import NO_GROUP, TurnGroup, TurnPrices


class Extent(NamedTuple):
    """A part of a table: the least x and y, and the greatest."""

    left: float
    bottom: float
    right: float
    top: float


@dataclass(frozen=True, slots=True)
class PoseStart:
    """A pose to start from, and what has been paid by then."""

    place: XY
    heading: Fraction
    paid: Fraction = Fraction(0)
    travelled: Fraction = Fraction(0)  #: the part of it that was paid for legs
    group: TurnGroup = NO_GROUP
    free: Fraction | None = None  #: the degrees still free; None: as many as the prices of turns say


@dataclass(frozen=True, eq=False)
class PoseSpace:
    """A mover, from where it starts, what it may spend, and what stands in its way."""

    base: Base
    starts: tuple[PoseStart, ...]
    budget: Fraction
    ground: PricedGround
    modes: tuple[Mode, ...]
    turns: TurnPrices
    #: What no part of the base may enter, moving or turning.
    bars: Sequence[Solid] = ()
    #: What the base may pass over, and not end on.
    no_end: Sequence[Solid] = ()
    #: The table; None: there is no edge.
    box: Box | None = None
    #: Whether all of the base has to be on the table, or its reference point alone.
    whole_base_on_table: bool = True
    #: The move has to spend more than this; None: it need not spend anything.
    more_than: Fraction | None = None
    #: The most that may be spent on legs; None: as much as on everything.
    most_travelled: Fraction | None = None

    @cached_property
    def factors(self) -> FloatArray:
        """By mode, how many times the price of the ground its legs cost."""
        return np.array([float(mode.factor) for mode in self.modes])

    @cached_property
    def asides(self) -> FloatArray:
        """By mode, how far left of the heading its legs lead."""
        return np.array([mode.aside for mode in self.modes])

    @cached_property
    def least_rate(self) -> float:
        """No inch of a leg costs less, on any ground in any mode."""
        return float(self.ground.least) * min((float(factor) for factor in self.factors), default=1.0)

    def left_for_legs(self, paid: FloatArray, travelled: FloatArray) -> FloatArray:
        """Compute what may still be spent on a leg; `travelled` is the part of what was paid that legs cost."""
        left = float(self.budget) - paid
        if self.most_travelled is not None:
            left = np.minimum(left, float(self.most_travelled) - travelled)
        return np.asarray(np.maximum(left, 0.0))

    @cached_property
    def window(self) -> Extent:
        """The part of the table that the mover may get to."""
        far = max(float(self.budget - start.paid) for start in self.starts) / self.least_rate
        places = np.array([start.place for start in self.starts])
        (left, bottom), (right, top) = places.min(axis=0) - far, places.max(axis=0) + far
        if self.box is None:
            return Extent(left, bottom, right, top)
        return Extent(*np.maximum((left, bottom), self.box[:2]), *np.minimum((right, top), self.box[2:]))

    @cached_property
    def bars_standing(self) -> Standing:
        """What bars the way, as the judge of paths takes it."""
        return Standing.of(self.bars)

    @cached_property
    def no_end_standing(self) -> Standing:
        """What bars ends alone."""
        return Standing.of(self.no_end)
