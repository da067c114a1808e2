"""What states in one bin are told apart by besides their headings: who has more left of it stands for the others.

Those are the degrees that are still free and, where a limit of inches may end a move that the budget pays for, the
inches that may still be covered: a state that is dearer may have come by a shorter way, and lead farther.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import TOUCH
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.turn_prices import TurnPrices


@dataclass(frozen=True, eq=False)
class Layers:
    """The layers of states by what they have left."""

    turns: TurnPrices
    most_inches: float | None  #: None: it makes no difference how many are left
    width: float  #: inches left are told apart so closely

    @classmethod
    def of(cls, space: PoseSpace, mesh: float) -> Layers:
        """Return the layers for a search of a space on one level."""
        most = float(space.most_inches or 0) if space.inches_bind else 0.0
        return cls(space.turns, most if most > 0.0 else None, mesh)

    @cached_property
    def _by_free(self) -> int:
        """How many layers there are by free degrees, for each by inches."""
        return self.turns.layer_count if self.most_inches is None or self.turns.free else 1

    @cached_property
    def _by_inches(self) -> int:
        return 1 if self.most_inches is None else self._number_of(np.array([self.most_inches])).item() + 1

    @property
    def count(self) -> int:
        """How many layers there are."""
        return self._by_free * self._by_inches

    def numbers(self, free: FloatArray, covered: FloatArray) -> IntArray:
        """Return the layers of states by the degrees that are free and the inches covered so far."""
        layer = self.turns.layers(free)
        if self.most_inches is None:
            return layer
        left = np.clip(self.most_inches - covered, 0.0, self.most_inches)
        return np.asarray(self._number_of(left) * self._by_free + np.minimum(layer, self._by_free - 1))

    def _number_of(self, left: FloatArray) -> IntArray:
        return np.floor(left / self.width + TOUCH).astype(np.intp)

    @cached_property
    def stands_for(self) -> BoolArray:
        """Which layers are as good as which, an array [that one, for this one]: no less is left of anything."""
        inches, free = np.divmod(np.arange(self.count), self._by_free)
        return np.asarray((inches[:, None] >= inches) & (free[:, None] >= free))
