"""Distances of many places from many others: straight, and by the shortest ways.

The ways from all places are searched together. The last lines to places are the same for all of them: each label of
the search is combined with the lines that leave its arc between it and the next cheaper label.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from simulator.geometry.tolerances import CONTACT
from simulator.pathing.columns import pick
from simulator.pathing.free.obstacles import Bools, Floats, Ints
from simulator.pathing.free.planner import plan, straight_reach
from simulator.pathing.free.prepared import PreparedTable
from simulator.pathing.free.ranks import beginnings, ranks
from simulator.pathing.free.reach import FreeReach
from simulator.pathing.free.search import AT_ONCE, PointLines, SearchResult, lines_from_points, search, starts_of

_PAIRS_AT_ONCE = 1 << 17
_EVERY = slice(None)


def seen_between(table: PreparedTable, begins: ArrayLike, ends: ArrayLike, longest: float) -> Floats:
    """Return the straight distances between places, rows by columns; inf where the line is barred or longer.

    >>> from simulator.pathing.free import Obstacles, prepare
    >>> table = prepare(Obstacles(discs=[(3, 0, 0.5)]), radius=0.5)
    >>> seen_between(table, [(0, 0)], [(0, 2), (6, 0)], longest=7).tolist()
    [[2.0, inf]]
    """
    return Between(table, begins, ends, longest).seen()


def lengths_between(
    table: PreparedTable, begins: ArrayLike, ends: ArrayLike, longest: float, seen: Floats | None = None
) -> Floats:
    """Return the lengths of the shortest ways between places, rows by columns; inf where none is short enough.

    `seen` is the result of `seen_between`, perhaps for longer lines, if available.

    >>> from simulator.pathing.free import Obstacles, prepare
    >>> table = prepare(Obstacles(discs=[(3, 0, 0.5)]), radius=0.5)
    >>> lengths_between(table, [(0, 0)], [(0, 2), (6, 0)], longest=7).round(4).tolist()
    [[2.0, 6.3365]]
    """
    between = Between(table, begins, ends, longest)
    return between.lengths(between.seen() if seen is None else seen)


class Between:
    """Distances between places, computed some rows at a time to limit memory."""

    def __init__(
        self, table: PreparedTable, begins: ArrayLike, ends: ArrayLike, longest: float, seen: Bools | None = None
    ) -> None:
        """Prepare the computation; `seen` is the result for fewer obstacles, which is an upper bound here."""
        self.table, self.longest = table, longest
        self._one, self._other = _rows(begins), _rows(ends)
        #: Visibility is symmetric.
        self._is_mutual = begins is ends
        self._seen_at_most = seen

    def seen(self, rows: slice = _EVERY) -> Floats:
        """Compute how far places lie from others in a straight line: the answer of `seen_between`."""
        one, sight = self._one[rows], self.sight[rows]
        lengths = np.full(sight.shape, np.inf)
        row, column = np.nonzero(sight)
        lengths[row, column] = np.hypot(*(one[row] - self._other[column]).T)
        return self._with_those_inside(rows, lengths, straight_reach)

    def lengths(self, seen: Floats, rows: slice = _EVERY) -> Floats:
        """Compute how long the shortest ways are: the answer of `lengths_between`; `seen` is that of the same rows."""
        one, longest = self._one[rows], self.longest
        lengths = np.where(seen <= longest + CONTACT, seen, np.inf)
        is_bent = np.any(_squares(one, self._other) <= longest**2, axis=1, where=np.isinf(lengths))
        bent = np.flatnonzero(is_bent & self._may_begin[rows])
        if len(bent):
            starts = starts_of(one[bent], 0.0, 0)._replace(question=np.arange(len(bent)))
            found = search(self.table, starts, np.full(len(bent), longest))
            _shorten(lengths, self.table, found, bent, self._lines, longest)
        return self._with_those_inside(rows, lengths, plan)

    def _with_those_inside(self, rows: slice, lengths: Floats, planner: Callable[..., FreeReach]) -> Floats:
        """Return the lengths, corrected for places inside things, from which ways lead out but not in."""
        lengths[:, ~self._may_end] = np.inf
        for row in np.flatnonzero(~self._may_begin[rows]).tolist():
            lengths[row] = planner(self.table, self._one[rows][row], self.longest).cost_at(self._other)
        return lengths

    @cached_property
    def sight(self) -> Bools:
        """A mask of the pairs of places that see each other, up to the longest line."""
        one, other, longest = self._one, self._other, self.longest + CONTACT
        seen = np.zeros((len(one), len(other)), np.bool_)
        some = max(1, _PAIRS_AT_ONCE // max(1, len(other)))
        for first in range(0, len(one), some):
            least = first if self._is_mutual else 0
            near = _squares(one[first : first + some], other[least:]) <= longest**2 * (1.0 + 1e-12)
            if self._seen_at_most is not None:
                near &= self._seen_at_most[first : first + some, least:]
            row, column = np.nonzero(np.triu(near) if self._is_mutual else near)
            row, column = row + first, column + least
            close = np.hypot(*(one[row] - other[column]).T) <= longest
            row, column = row[close], column[close]
            free = ~self.table.barred(np.hstack([one[row], other[column]]), from_contact=True)
            seen[row[free], column[free]] = True
        return seen | seen.T if self._is_mutual else seen

    @cached_property
    def _may_begin(self) -> Bools:
        return self.table.legal(self._one)

    @cached_property
    def _may_end(self) -> Bools:
        return self._may_begin if self._is_mutual else self.table.legal(self._other)

    @cached_property
    def _lines(self) -> PointLines:
        return _lines_to(self.table, self._other, self.longest)


def _squares(one: Floats, other: Floats) -> Floats:
    """Return the squares of how far places lie from others: a fraction of the time of the distances."""
    x, y = one[:, None, 0] - other[:, 0], one[:, None, 1] - other[:, 1]
    x *= x
    y *= y
    x += y
    return np.asarray(x)


def _rows(places: ArrayLike) -> Floats:
    return np.asarray(places, np.float64).reshape(-1, 2)


def _lines_to(table: PreparedTable, places: Floats, longest: float) -> PointLines:
    """Return the free lines by which ways come from arcs to places, sorted by the arcs that they leave, and where."""
    x, y = (np.ascontiguousarray(column) for column in places.T)
    lines = lines_from_points(table, x, y, np.full(len(x), longest))
    lines = pick(lines, ~table.barred(lines.segment, from_contact=True))
    # They lead from the places to the arcs: gone the other way they leave arcs run in the other turn.
    lines = lines._replace(arc=lines.arc ^ 1, place=table.arcs.extent[lines.arc >> 1] - lines.place)
    return pick(lines, np.argsort(ranks(lines.arc, lines.place), kind="stable"))


def _shorten(
    lengths: Floats, table: PreparedTable, found: SearchResult, whose: Ints, lines: PointLines, longest: float
) -> None:
    """Merge the ways around corners and bases that a search has found."""
    labels = found.labels
    if not len(labels.key) or not len(lines.arc):
        return
    directed = 2 * len(table.arcs.circle)
    question, arc = np.divmod(labels.key, directed)
    measured = table.circles.measured[table.arcs.circle[arc >> 1]]
    following = np.append(labels.key[1:] == labels.key[:-1], False)
    until = np.where(following, ranks(arc, np.append(labels.place[1:], 0.0)), beginnings(arc + 1))
    rank = ranks(lines.arc, lines.place)
    low = np.searchsorted(rank, ranks(arc, labels.place) - AT_ONCE)
    high = np.searchsorted(rank, until + np.where(following, AT_ONCE, 0.0))
    count = np.maximum(high - low, 0)
    chunks = np.searchsorted(np.cumsum(count), np.arange(_PAIRS_AT_ONCE, count.sum(), _PAIRS_AT_ONCE))
    for some in np.split(np.arange(len(count)), chunks):
        label = np.repeat(some, count[some])
        skipped = np.cumsum(count[some]) - count[some]
        line = np.arange(len(label)) + np.repeat(low[some] - skipped, count[some])
        ran = np.maximum(lines.place[line] - labels.place[label], 0.0) * measured[label]
        cost = labels.cost[label] + ran + lines.length[line]
        kept = np.flatnonzero(cost <= longest + CONTACT)
        np.minimum.at(lengths, (whose[question[label[kept]]], lines.point[line[kept]]), cost[kept])
