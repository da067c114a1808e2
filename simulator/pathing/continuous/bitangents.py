"""The free straight lines that touch two circles, found as far as they are asked for and kept.

A line is of use from a circle only up to a length, so each circle is given its own reach, and a pair is looked at
once the gap between its circles is within the reach of either. Asking again with more reach looks only at new pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from simulator.pathing.continuous.barriers import Barriers
from simulator.pathing.continuous.columns import join
from simulator.pathing.continuous.exposure import Arcs
from simulator.pathing.continuous.obstacles import Floats, Ints
from simulator.pathing.continuous.tangents import rim_angle, tangents

_PAIRS_AT_ONCE = 1 << 21


class Circles(NamedTuple):
    """Circles, each with two radii: the one that lines are drawn with and the one that lengths are measured with.

    They differ only where a mover without size goes round a corner: it turns on the spot, at a distance of nothing.
    """

    x: Floats
    y: Floats
    radius: Floats
    measured: Floats

    @property
    def rows(self) -> Floats:
        """Rows x, y, radius."""
        return np.stack([self.x, self.y, self.radius], axis=1)


class Leaning(NamedTuple):
    """A quick test whether a point of a rim may lie on a free arc: near enough to a middle direction."""

    x: Floats
    y: Floats
    cosine: Floats

    @staticmethod
    def of(arcs: Arcs, circles: int) -> Leaning:
        """Exact for circles with one free arc, never met by those without, always by those with several."""
        count = np.bincount(arcs.circle, minlength=circles)
        cosine = np.where(count == 0, 2.0, -2.0)
        middle = np.zeros(circles)
        single = np.flatnonzero(count[arcs.circle] == 1)
        at = arcs.circle[single]
        middle[at] = arcs.begin[single] + arcs.extent[single] / 2
        cosine[at] = np.cos(np.minimum(arcs.extent[single] / 2, np.pi)) - 1e-9
        return Leaning(np.cos(middle), np.sin(middle), cosine)


class Lines(NamedTuple):
    """Lines from one circle to another: the circles, the turns, the angles on their rims, and the measured length."""

    source: Ints
    source_turn: Floats
    source_angle: Floats
    target: Ints
    target_turn: Floats
    target_angle: Floats
    length: Floats
    #: Both ends, rows x1, y1, x2, y2.
    segment: Floats

    def reversed(self) -> Lines:
        """The same lines, gone the other way."""
        return Lines(
            self.target,
            -self.target_turn,
            self.target_angle,
            self.source,
            -self.source_turn,
            self.source_angle,
            self.length,
            self.segment[:, [2, 3, 0, 1]],
        )


_NUMBERS, _NONE = np.zeros(0, np.intp), np.zeros(0)
NO_LINES = Lines(_NUMBERS, _NONE, _NONE, _NUMBERS, _NONE, _NONE, _NONE, np.zeros((0, 4)))


class Bitangents:
    """All free lines between circles, as far as they have been asked for; each stands there in one direction.

    Only pairs with one circle numbered `first` or above are looked at: what is known of the others stands elsewhere.
    """

    def __init__(self, circles: Circles, leaning: Leaning, barriers: Sequence[Barriers], first: int = 0) -> None:
        self.circles = circles
        self.lines = NO_LINES
        self._leaning, self._barriers, self._first = leaning, barriers, first
        self._reach = np.full(len(circles.x), -np.inf)

    def ensure(self, reach: Floats) -> None:
        """See to it that all lines are there whose length is within the reach of either circle."""
        wanted = np.maximum(self._reach, reach)
        rows = np.flatnonzero(wanted > self._reach)
        if not len(rows):
            return
        chunks = np.array_split(rows, len(rows) * len(wanted) // _PAIRS_AT_ONCE + 1)
        self.lines = join([self.lines, *(self._free_lines(*self._new_pairs(some, wanted)) for some in chunks)])
        self._reach = wanted

    def _new_pairs(self, rows: Ints, wanted: Floats) -> tuple[Ints, Ints]:
        x, y, radius, _ = self.circles
        others = np.arange(len(x))
        gap = np.hypot(x[rows, None] - x, y[rows, None] - y) - radius[rows, None] - radius
        needed = gap <= np.maximum(wanted[rows, None], wanted)
        needed &= gap > np.maximum(self._reach[rows, None], self._reach)
        # A pair of two rows comes up twice, and is taken where the lower number leads.
        leads = (wanted > self._reach) & (others < rows[:, None])
        needed &= ~leads & (others != rows[:, None])
        if self._first:
            needed &= (rows[:, None] >= self._first) | (others >= self._first)
        needed &= (self._leaning.cosine < 2.0) & (self._leaning.cosine[rows, None] < 2.0)
        at, other = np.nonzero(needed)
        return rows[at], other

    def _free_lines(self, one: Ints, other: Ints) -> Lines:
        x, y, radius, measured = self.circles
        lean = self._leaning
        dx, dy = x[other] - x[one], y[other] - y[one]
        parts = []
        for turn in (1.0, -1.0):
            for next_turn in (1.0, -1.0):
                ux, uy, length = tangents(dx, dy, turn * radius[one], next_turn * radius[other])
                # The point on a rim that looks along (ux, uy) lies at turn * (uy, -ux) from the centre.
                fits = turn * (uy * lean.x[one] - ux * lean.y[one]) >= lean.cosine[one]
                fits &= next_turn * (uy * lean.x[other] - ux * lean.y[other]) >= lean.cosine[other]
                kept = np.flatnonzero(fits)
                ux, uy, length, i, j = ux[kept], uy[kept], length[kept], one[kept], other[kept]
                segment = np.stack(
                    [
                        x[i] + turn * radius[i] * uy,
                        y[i] - turn * radius[i] * ux,
                        x[j] + next_turn * radius[j] * uy,
                        y[j] - next_turn * radius[j] * ux,
                    ],
                    axis=1,
                )
                free = np.arange(len(i))
                for barriers in self._barriers:
                    free = free[~barriers.barred(segment[free])]
                ux, uy, i, j = ux[free], uy[free], i[free], j[free]
                ux, uy, length = tangents(x[j] - x[i], y[j] - y[i], turn * measured[i], next_turn * measured[j])
                turns = np.full(len(i), turn), np.full(len(i), next_turn)
                angles = rim_angle(ux, uy, turns[0]), rim_angle(ux, uy, turns[1])
                parts.append(Lines(i, turns[0], angles[0], j, turns[1], angles[1], length, segment[free]))
        return join(parts)
