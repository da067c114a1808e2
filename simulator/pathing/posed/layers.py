"""What states in one bin are told apart by besides their headings: who has more left of it stands for the others.

Those are the degrees that are still free and, where a limit besides the budget may end a move, what is left of that:
inches that may still be covered, or what legs may still cost. A state that is dearer may have come by a shorter way, or
have turned more and travelled less, and lead farther. No more is left of a limit than the rest of the budget pays for:
where that ends a move before, the cheaper state is as good.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import TOUCH
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.turn_prices import TurnPrices

#: There are no more layers by limits; two limits together tell states apart less closely than one.
_MOST = 256


@dataclass(frozen=True)
class LimitSteps:
    """What is left of a limit, counted in steps."""

    most: float
    width: float

    @property
    def count(self) -> int:
        """How many layers there are."""
        return int(self.numbers(np.array([self.most]))[0]) + 1

    def numbers(self, left: FloatArray) -> IntArray:
        """Return the layers by what is left."""
        return np.floor(np.clip(left, 0.0, self.most) / self.width + TOUCH).astype(np.intp)


@dataclass(frozen=True, eq=False)
class Layers:
    """The layers of states by what they have left."""

    turns: TurnPrices
    legs: LimitSteps | None = None  #: by what legs may still cost; None: it makes no difference
    inches: LimitSteps | None = None  #: by the inches that may still be covered

    @classmethod
    def of(cls, space: PoseSpace, mesh: float) -> Layers:
        """Return the layers for a search of a space on one level: what is left is told apart by a mesh."""
        most = {"legs": space.binding.legs, "inches": space.binding.inches}
        limited = {name: one for name, one in most.items() if one is not None and one > 0.0}
        wider = max(math.prod(one / mesh + 1.0 for one in limited.values()) / _MOST, 1.0) ** 0.5
        return cls(space.turns, **{name: LimitSteps(one, mesh * wider) for name, one in limited.items()})

    @property
    def by_limits(self) -> bool:
        """Whether it matters what is left of a limit."""
        return self.legs is not None or self.inches is not None

    @cached_property
    def _counts(self) -> tuple[int, int, int]:
        """How many layers there are by what legs may cost, for each by inches, and for each by free degrees."""
        legs, inches = (1 if steps is None else steps.count for steps in (self.legs, self.inches))
        return legs, inches, self.turns.layer_count if self.turns.free or not self.by_limits else 1

    @property
    def count(self) -> int:
        """How many layers there are."""
        return math.prod(self._counts)

    def numbers(
        self, space: PoseSpace, free: FloatArray, price: FloatArray, travelled: FloatArray, covered: FloatArray
    ) -> IntArray:
        """Return the layers of states by the degrees that are free, what was paid, also for legs, and inches so far.

        The space is asked by rows.
        """
        layer = self.turns.layers(free)
        if not self.by_limits:
            return layer
        _, by_inches, by_free = self._counts
        number, left = np.zeros(len(free), np.intp), space.left_for_legs(price, travelled)
        if self.legs is not None:
            number = self.legs.numbers(left)
        if self.inches is not None:
            least, most = space.binding.per_inch, space.inches_left(covered)
            paid_for = most if least <= 0.0 else np.minimum(most, left / least)
            number = number * by_inches + self.inches.numbers(paid_for)
        return np.asarray(number * by_free + np.minimum(layer, by_free - 1))

    def with_more(self, layer: IntArray, price: FloatArray) -> tuple[IntArray, BoolArray]:
        """Return the layers in which legs may cost so much more than in some, and which of them there are."""
        if self.legs is None:
            return layer, np.ones(len(layer), np.bool_)
        # Whatever is more than all there is.
        steps = np.ceil(np.minimum(price, 2.0 * self.legs.most) / self.legs.width - TOUCH).astype(np.intp)
        above = layer + steps * math.prod(self._counts[1:])
        return np.minimum(above, self.count - 1), above < self.count

    @cached_property
    def stands_for(self) -> BoolArray:
        """Which layers are as good as which, an array [that one, for this one]: no less is left of anything."""
        left = np.stack(np.unravel_index(np.arange(self.count), self._counts))
        return np.asarray(np.all(left[:, :, None] >= left[:, None, :], axis=0))
