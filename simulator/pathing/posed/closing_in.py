"""Numbers closed in on from both sides, one a row: the best that is known of each, between others no better."""

from __future__ import annotations

import numpy as np

from simulator.geometry.convex import IntArray
from simulator.geometry.pieces import FloatArray
from simulator.pathing.columns import join

#: What lies between two numbers is cut into so many parts.
_PARTS = 8


class ClosingIn:
    """Numbers between `low` and `high`, of which 0 is known to begin with; below `least` two are the same."""

    def __init__(self, low: FloatArray, high: FloatArray, least: float) -> None:
        self.low, self.high, self._least = low.copy(), high.copy(), least
        self._known = np.zeros(len(low))

    def between(self) -> tuple[IntArray, FloatArray]:
        """Return numbers between what is known and what was tried, on either side, with their rows."""
        share = np.arange(1, _PARTS) / _PARTS
        found = []
        for limit in (self.low, self.high):
            row = np.flatnonzero(np.abs(limit - self._known) > self._least)
            away = (limit - self._known)[row, None] * share
            found.append((np.repeat(row, len(share)), (self._known[row, None] + away).ravel()))
        return join(found)

    def go_on(self, row: IntArray, tried: FloatArray, better: IntArray, best: FloatArray) -> None:
        """Go on around the best numbers, of the rows that have better ones, as far as the next ones of those tried."""
        known = self._known.copy()
        self._known[better] = best
        for side, limit in ((-1.0, self.low), (1.0, self.high)):
            away = np.where((tried - self._known[row]) * side > 0.0, np.abs(tried - self._known[row]), np.inf)
            nearest = np.full(len(limit), np.inf)
            np.minimum.at(nearest, row, away)
            before = np.where((known - self._known) * side > 0.0, np.abs(known - self._known), np.inf)
            far = np.minimum(np.abs(limit - self._known), np.minimum(nearest, before))
            limit[:] = self._known + side * far
