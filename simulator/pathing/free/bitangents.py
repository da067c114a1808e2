"""The free straight lines that touch two circles, computed on demand and cached.

A line is useful from a circle only up to a length, so each circle has its own reach, and a pair is tested once the gap
between its circles is within the reach of either. A later call with more reach tests new pairs only.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from simulator.pathing.columns import join
from simulator.pathing.free.barriers import Barriers
from simulator.pathing.free.exposure import Arcs
from simulator.pathing.free.obstacles import Bools, Floats, Ints
from simulator.pathing.free.tangents import TWO_PI as _TWO_PI
from simulator.pathing.free.tangents import rim_angle, tangents

_PAIRS_AT_ONCE = 1 << 21
#: The cosine of half of what is free of a narrow circle, and how many of those are worth sorting.
_NARROW = float(np.cos(0.05))
_MANY_NARROW = 256
#: How many narrow circles that look the same way are taken together.
_FLOCK = 24


class Circles(NamedTuple):
    """Circles, each with two radii: the one that lines are drawn with and the one that lengths are measured with.

    They differ only where a mover without size goes round a corner: it turns on the spot, at a distance of 0.
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

    @property
    def narrow(self) -> Bools:
        """Which circles have little free: lines leave them in hardly more than two directions."""
        return (self.cosine > _NARROW) & (self.cosine < 2.0)

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


class TangentLines(NamedTuple):
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

    def reversed(self) -> TangentLines:
        """Return the same lines, gone the other way."""
        return TangentLines(
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
NO_LINES = TangentLines(_NUMBERS, _NONE, _NONE, _NUMBERS, _NONE, _NONE, _NONE, np.zeros((0, 4)))


class Bitangents:
    """The free lines between circles found so far, each in one direction.

    Only pairs with one circle numbered `first` or above are tested; the others are kept elsewhere. Safe between
    threads: existing lines never change, new ones are only appended.
    """

    def __init__(self, circles: Circles, leaning: Leaning, barriers: Sequence[Barriers], first: int = 0) -> None:
        self.circles = circles
        self.lines = NO_LINES
        self._leaning, self._barriers, self._first = leaning, barriers, first
        self._reach = np.full(len(circles.x), -np.inf)
        self._growing = threading.Lock()

    @property
    def byte_count(self) -> int:
        """The memory of the lines."""
        return sum(column.nbytes for column in self.lines)

    def ensure(self, reach: Floats) -> TangentLines:
        """Return all lines found so far, those whose length is within the reach of either circle among them."""
        with self._growing:
            needed = np.maximum(self._reach, reach)
            if np.any(needed > self._reach):
                self._grow(needed)
            return self.lines

    def _grow(self, needed: Floats) -> None:
        changed = needed > self._reach
        free = self._leaning.cosine < 2.0
        narrow = self._leaning.narrow
        if np.count_nonzero(narrow & free) < _MANY_NARROW:
            narrow = np.zeros_like(narrow)
        rows, others = np.flatnonzero(free & ~narrow), np.flatnonzero(free)
        found = []
        for some in np.array_split(rows, len(rows) * len(others) // _PAIRS_AT_ONCE + 1):
            pairs = [self._new_pairs(*block, needed, narrow) for block in self._blocks(some, others, changed)]
            one, other = np.concatenate(pairs, axis=1)
            # In the order of a search through all pairs, which decides between two lines of equal length.
            order = np.lexsort((other, one))
            found.append(self._free_lines(one[order], other[order]))
        one, other = likely_pairs(self.circles, self._leaning, needed, np.flatnonzero(narrow), changed)
        for some in np.array_split(np.arange(len(one)), len(one) // _PAIRS_AT_ONCE + 1):
            new = some[self._are_new(one[some], other[some], needed)]
            found.append(self._free_lines(one[new], other[new]))
        self.lines = join([self.lines, *found])
        self._reach = needed

    def _blocks(self, rows: Ints, others: Ints, changed: Bools) -> list[tuple[Ints, Ints]]:
        """Return rows with their candidates for new lines: one of both reaches farther, and one is to be tested."""
        found = []
        for is_fresh in (True, False):
            for is_ours in (True, False):
                some = rows[(changed[rows] == is_fresh) & ((rows >= self._first) == is_ours)]
                columns = others[(changed[others] | is_fresh) & ((others >= self._first) | is_ours)]
                found.append((some, columns))
        return found

    def _new_pairs(self, rows: Ints, others: Ints, needed: Floats, narrow: Bools) -> Ints:
        """Return the new pairs of a row and another circle, as two lines of numbers; each pair of two rows once."""
        once = np.less(rows[:, None], others) | narrow[others]
        at, which = np.nonzero(self._are_new(rows[:, None], others, needed) & once)
        return np.stack([rows[at], others[which]])

    def _are_new(self, one: Ints, other: Ints, needed: Floats) -> Bools:
        """Return which pairs are within reach now and have not been before."""
        x, y, radius, _ = self.circles
        gap = np.hypot(x[one] - x[other], y[one] - y[other]) - radius[one] - radius[other]
        new = gap <= np.maximum(needed[one], needed[other])
        new &= gap > np.maximum(self._reach[one], self._reach[other])
        if self._first:
            new &= (one >= self._first) | (other >= self._first)
        found: Bools = new
        return found

    def _free_lines(self, one: Ints, other: Ints) -> TangentLines:
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
                parts.append(TangentLines(i, turns[0], angles[0], j, turns[1], angles[1], length, segment[free]))
        return join(parts)


def likely_pairs(circles: Circles, leaning: Leaning, reach: Floats, narrow: Ints, changed: Bools) -> tuple[Ints, Ints]:
    """Return the pairs of narrow circles that a line may touch: each pair once, and all that do among them.

    Corners of a finely drawn outline are many, and each looks one way only. They are sorted into flocks that lie
    together and look alike. A line that touches two of them runs squarely to where both look, the same way or opposite
    ways, and from one flock to the other; most pairs of flocks are ruled out by that.
    """
    if not len(narrow):
        return narrow, narrow
    angle = np.arctan2(leaning.y[narrow], leaning.x[narrow])
    sector = np.floor(angle / _TWO_PI * 128.0)
    # Along the tangent: neighbours on an outline follow one another.
    along = circles.y[narrow] * leaning.x[narrow] - circles.x[narrow] * leaning.y[narrow]
    order = np.lexsort((along, sector))
    members = np.full((-(-len(narrow) // _FLOCK), _FLOCK), -1, np.intp)
    members.ravel()[: len(narrow)] = narrow[order]
    there = members >= 0
    members = np.where(there, members, members[:, :1])
    x, y = circles.x[members], circles.y[members]
    middle = np.stack([(x.min(axis=1) + x.max(axis=1)) / 2, (y.min(axis=1) + y.max(axis=1)) / 2], axis=1)
    size = (np.hypot(x - middle[:, :1], y - middle[:, 1:]) + circles.radius[members]).max(axis=1)
    looks = np.stack([leaning.x[members].mean(axis=1), leaning.y[members].mean(axis=1)], axis=1)
    looks /= np.maximum(np.hypot(*looks.T), 1e-9)[:, None]
    cosine = looks[:, :1] * leaning.x[members] + looks[:, 1:] * leaning.y[members]
    half = np.arccos(np.clip(leaning.cosine[members], -1.0, 1.0))
    spread = (np.arccos(np.clip(cosine, -1.0, 1.0)) + half).max(axis=1) + 1e-6
    furthest, fresh = reach[members].max(axis=1), np.any(changed[members], axis=1)
    one, other = np.triu_indices(len(members))
    kept = fresh[one] | fresh[other]
    one, other = one[kept], other[kept]
    step = middle[other] - middle[one]
    apart, both = np.hypot(*step.T), size[one] + size[other]
    kept = apart - both <= np.maximum(furthest[one], furthest[other])
    # The line leaves the way from middle to middle by at most this angle.
    aside = np.where(apart > both, np.arcsin(np.minimum(both / np.maximum(apart, 1e-12), 1.0)), np.pi)
    ahead = step / np.maximum(apart, 1e-12)[:, None]
    for flock in (one, other):
        off = np.arcsin(np.minimum(np.abs(np.sum(ahead * looks[flock], axis=1)), 1.0))
        kept &= off <= spread[flock] + aside
    alike = np.arccos(np.clip(np.abs(np.sum(looks[one] * looks[other], axis=1)), 0.0, 1.0))
    kept &= alike <= spread[one] + spread[other]
    one, other = one[kept], other[kept]
    first = np.repeat(members[one], _FLOCK, axis=1).ravel()
    second = np.tile(members[other], (1, _FLOCK)).ravel()
    real = np.repeat(there[one], _FLOCK, axis=1).ravel() & np.tile(there[other], (1, _FLOCK)).ravel()
    real &= (np.repeat(one != other, _FLOCK * _FLOCK)) | (first < second)
    return first[real], second[real]
