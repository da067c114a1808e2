"""The latest verdicts on moves of one space: prices, places and reasons of an order are asked of the same ones."""

from __future__ import annotations

from collections.abc import Sequence

from simulator.pathing.posed.judge import judged
from simulator.pathing.posed.moves import Move
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.verdicts import JudgedMove

#: How many verdicts are remembered.
_MOST = 8


class VerdictMemory:
    """Judges moves from the first start of a space, and remembers the latest verdicts."""

    #: About what it takes in memory.
    byte_count = _MOST * 4_000

    def __init__(self, space: PoseSpace) -> None:
        self._space = space
        self._verdicts: dict[tuple[Move, ...], JudgedMove] = {}

    def judged(self, moves: Sequence[Move]) -> JudgedMove:
        """Return the verdict on moves."""
        key = tuple(moves)
        found = self._verdicts.get(key)
        if found is None:
            if len(self._verdicts) >= _MOST:
                self._verdicts.clear()
            found = self._verdicts[key] = judged(self._space, self._space.starts[0], key)
        return found
