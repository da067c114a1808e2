"""The steps of a move space laid out for the compiled queue of buckets: what each state can do, side by side."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulator.pathing.costs import Window
from simulator.pathing.kernel.fast import compiled
from simulator.pathing.kernel.waves import WaveBoard
from simulator.pathing.move_space import MoveSpace

#: No more buckets than this: where prices differ by more, each bucket holds more costs than the cheapest step.
_MOST_BUCKETS = 1024
#: The most ticks of a step: how far one leads into the queue is counted in 32 bits.
DEAREST = 2**30


class BucketBoard:
    """The prices of the steps of each state, in ticks.

    A bucket is as wide as the cheapest step, so no state is looked at again after it left its bucket, free steps apart.
    """

    def __init__(self, space: MoveSpace, tick: int, unreached: int) -> None:
        waves = WaveBoard(space, tick, unreached)
        legal = waves.prices < unreached
        dearest = int(waves.prices.max(initial=0, where=legal))
        dtype = np.uint16 if dearest < np.iinfo(np.uint16).max else np.int32
        self.unreached = unreached
        self.prices: NDArray[Any] = np.ascontiguousarray(
            np.where(legal, waves.prices, np.iinfo(dtype).max).astype(dtype).T
        )
        self.shape, self.steps = space.shape, waves.leads
        self.width = max(min(waves.least, unreached), dearest // _MOST_BUCKETS + 1)
        self.ring = dearest // self.width + 2

    def flood(self, costs: NDArray[Any], begun: NDArray[Any], unreached: int, window: Window) -> None:
        """Lower the costs of all states of a window until no step makes one cheaper; `begun` cost something already."""
        if len(begun) > 1:
            begun = begun[np.argsort(costs[begun], kind="stable")]
        compiled.code.buckets(
            self.prices, self.steps, self.shape, tuple(window), costs, begun, unreached, self.width, self.ring
        )
