"""The cheapest ways along arcs and lines, for many queries.

A label means: this directed arc is reached at this place, at this cost. From a label a way may run on along the arc
and leave by any line that leaves it farther on. Each round processes all new labels of all queries together: where
they leave, where that arrives, and whether that is cheaper than known. On one arc a label counts from its place to the
next cheaper one; and no way runs on past the point where coming the other way round is cheaper.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from simulator.errors import BoardError
from simulator.geometry.tolerances import CONTACT
from simulator.pathing.columns import join, pick
from simulator.pathing.free.obstacles import Bools, Floats, Ints
from simulator.pathing.free.prepared import Graph, PreparedTable
from simulator.pathing.free.ranks import beginnings, ranks
from simulator.pathing.free.tangents import TWO_PI, rim_angle, tangents

#: Smaller differences of cost are rounding.
_EQUAL = 1e-12
#: Angles count from one place to the next with this much room, since both are rounded.
AT_ONCE = 1e-9


class Starts(NamedTuple):
    """The starts of queries: the query, the place, and the cost paid so far."""

    question: Ints
    x: Floats
    y: Floats
    paid: Floats


class Labels(NamedTuple):
    """All labels, sorted by question and directed arc, then by place; they get cheaper along each arc."""

    key: Ints  #: question * number of directed arcs + directed arc
    place: Floats
    cost: Floats
    #: The number of the event in the history that set the label.
    event: Ints


class History(NamedTuple):
    """The origin of each label: the event before, or the start; where it left its arc, and where it arrived."""

    before: Ints  #: an event; or -1 - s for start s
    left_at: Floats
    arc: Ints
    place: Floats
    express: Bools  #: whether it came along several edges at once


class SearchResult(NamedTuple):
    """The result of a search: labels, their history, and the free lines from the starts to arcs."""

    labels: Labels
    history: History
    starts: Starts
    #: The free lines from the starts.
    start_lines: PointLines
    #: The lines that the search looked at; those of the table may have become more since.
    graph: Graph


def starts_of(points: ArrayLike, paid: ArrayLike, question: int) -> Starts:
    """Check and pack the starts of one question."""
    rows = np.asarray(points, np.float64).reshape(-1, 2)
    costs = np.broadcast_to(np.asarray(paid, np.float64), (len(rows),)).copy()
    if not len(rows):
        raise BoardError("expected at least one place to start from", "starts")
    if not (np.all(np.abs(rows) <= 1e6) and np.all(costs >= 0.0) and np.all(np.isfinite(costs))):
        raise BoardError("expected finite places, and costs already paid of 0 or more", "starts")
    return Starts(np.full(len(rows), question, np.intp), rows[:, 0].copy(), rows[:, 1].copy(), costs)


def search(table: PreparedTable, starts: Starts, budgets: Floats) -> SearchResult:
    """Find all cheapest labels of all questions, each within its budget."""
    left = budgets[starts.question] - starts.paid
    return _Search(table, _graph_for(table, starts, left), starts, budgets).run()


def _graph_for(table: PreparedTable, starts: Starts, left: Floats) -> Graph:
    """Return lines from each circle as long as the nearest start leaves budget there."""
    circles = table.circles
    reach = np.full(len(circles.x), -np.inf)
    for x, y, budget in zip(starts.x.tolist(), starts.y.tolist(), left.tolist(), strict=True):
        reach = np.maximum(reach, budget - np.maximum(np.hypot(circles.x - x, circles.y - y) - circles.radius, 0.0))
    return table.graph_for(np.where(reach >= 0.0, reach, -np.inf))


class _Search:
    def __init__(self, table: PreparedTable, graph: Graph, starts: Starts, budgets: Floats) -> None:
        self.table, self.graph, self.starts = table, graph, starts
        self.budgets = budgets
        self.directed = 2 * len(table.arcs.circle)
        self.extent = np.repeat(table.arcs.extent, 2)
        self.measured = np.repeat(table.circles.measured[table.arcs.circle], 2)
        self.whole = self.extent >= TWO_PI
        self.labels = Labels(np.zeros(0, np.intp), np.zeros(0), np.zeros(0), np.zeros(0, np.intp))
        self.events: list[History] = []
        self.event_count = 0

    def run(self) -> SearchResult:
        lines = self._from_starts()
        while True:
            fresh = self._improved()
            if not np.any(fresh):
                break
            self._follow(np.flatnonzero(fresh))
        if self.events:
            history = join(self.events)
        else:
            history = History(
                np.zeros(0, np.intp), np.zeros(0), np.zeros(0, np.intp), np.zeros(0), np.zeros(0, np.bool_)
            )
        if np.any(history.express):
            self.labels = pick(self.labels, self._followed(history))
        return SearchResult(self.labels, history, self.starts, lines, self.graph)

    def _followed(self, history: History) -> Bools:
        """Return which labels a way along the outline, edge by edge, comes by, too.

        Express lines may lead past the point where coming the other way round is cheaper. Beyond it the labels are
        true and of no use; the chain of labels that leads there is broken.
        """
        labels = self.labels
        before = self.graph.before[labels.key % self.directed]
        key = labels.key - labels.key % self.directed + before
        there = np.searchsorted(labels.key, key, side="right") - 1
        known = (before >= 0) & (labels.key[np.maximum(there, 0)] == key)
        own, event = np.arange(len(labels.key)), history.before[labels.event]
        along = history.express[labels.event] | ((event >= 0) & (history.arc[np.maximum(event, 0)] == before))
        leads = np.where(along & (before >= 0), np.where(known, there, -1), own)
        while True:
            farther = np.where(leads >= 0, leads[np.maximum(leads, 0)], -1)
            if np.array_equal(farther, leads):
                return np.asarray(leads >= 0)
            leads = farther

    # -- the first labels ----------------------------------------------------------------------------------

    def _from_starts(self) -> PointLines:
        starts = self.starts
        left = self.budgets[starts.question] - starts.paid
        lines = lines_from_points(self.table, starts.x, starts.y, left)
        lines = pick(lines, ~self.table.barred(lines.segment, from_contact=True))
        key = starts.question[lines.point] * self.directed + lines.arc
        cost = starts.paid[lines.point] + lines.length
        none = np.zeros(len(cost))
        self._offer(key, lines.place, cost, -1 - lines.point, none, none.astype(np.bool_))
        return lines

    # -- rounds --------------------------------------------------------------------------------------------

    def _offer(self, key: Ints, place: Floats, cost: Floats, before: Ints, left_at: Floats, express: Bools) -> None:
        """Put new labels on the list for the next round; those on whole circles count a turn earlier, too."""
        arc = key % self.directed
        event = np.arange(len(key)) + self.event_count
        self.events.append(History(before, left_at, arc, place, express))
        self.event_count += len(key)
        round_ = np.flatnonzero(self.whole[arc])
        self.offered = Labels(
            np.concatenate([key, key[round_]]),
            np.concatenate([place, place[round_] - TWO_PI]),
            np.concatenate([cost, cost[round_]]),
            np.concatenate([event, event[round_]]),
        )

    def _improved(self) -> Bools:
        """Merge the offered labels into the list and return which of the list are new."""
        offered = self.offered
        if not len(offered.key):
            return np.zeros(0, np.bool_)
        first_new = offered.event.min()
        merged = join([self.labels, offered])
        order = np.lexsort((merged.cost, merged.place, merged.key))
        merged = pick(merged, order)
        base = merged.cost - self.measured[merged.key % self.directed] * merged.place
        # A label counts if it is cheaper than all before it on its arc. Whole numbers keep the comparison exact.
        rank = np.empty(len(base), np.int64)
        rank[np.argsort(base, kind="stable")] = np.arange(len(base))
        group = np.cumsum(np.diff(merged.key, prepend=merged.key[0]) != 0)
        rank -= group * np.int64(len(base))
        merged = pick(merged, rank == np.minimum.accumulate(rank))
        self.labels = merged
        keys = merged.key ^ 1
        other = self.cost_at(keys, self._opposite(merged))
        merged = pick(merged, other >= merged.cost - _EQUAL)
        self.labels = merged
        fresh: Bools = merged.event >= first_new
        return fresh

    def _opposite(self, labels: Labels) -> Floats:
        """Return the places of labels as the arcs run the other way have them."""
        there: Floats = self.extent[labels.key % self.directed] - labels.place
        return there

    def cost_at(self, key: Ints, place: Floats) -> Floats:
        """Return what it costs to be at places of arcs, inf where the labels do not reach."""
        return label_costs(self.labels, key, place, self.measured[key % self.directed])[0]

    def _follow(self, fresh: Ints) -> None:
        """Leave the arcs of new labels by all lines between them and the next cheaper label."""
        graph, labels = self.graph, self.labels
        arc = labels.key[fresh] % self.directed
        following = np.minimum(fresh + 1, len(labels.key) - 1)
        last = (labels.key[following] != labels.key[fresh]) | (following == fresh)
        until = np.where(last, beginnings(arc + 1), ranks(arc, labels.place[following]) + AT_ONCE)
        low = np.searchsorted(graph.rank, ranks(arc, labels.place[fresh]) - AT_ONCE)
        high = np.searchsorted(graph.rank, until)
        count = np.maximum(high - low, 0)
        label = np.repeat(fresh, count)
        line = np.arange(len(label)) + np.repeat(low - (np.cumsum(count) - count), count)
        question = labels.key[label] // self.directed
        source = labels.key[label] % self.directed
        ran = np.maximum(graph.leaves[line] - labels.place[label], 0.0) * self.measured[source]
        leaving = labels.cost[label] + ran
        cost = leaving + graph.length[line]
        kept = np.flatnonzero(cost <= self.budgets[question] + CONTACT)
        label, line, question, leaving, cost = (a[kept] for a in (label, line, question, leaving, cost))
        key = question * self.directed + graph.target[line]
        place = graph.arrives[line]
        better = cost < self.cost_at(key, place) - _EQUAL
        better &= cost <= self.cost_at(key ^ 1, self.extent[graph.target[line]] - place) + _EQUAL
        source_key = labels.key[label] ^ 1
        other_way = self.extent[graph.source[line]] - graph.leaves[line]
        better &= leaving <= self.cost_at(source_key, other_way) + _EQUAL
        kept = np.flatnonzero(better)
        # Of lines that arrive at one place, the cheapest is enough.
        order = kept[np.lexsort((cost[kept], place[kept], key[kept]))]
        same = (np.diff(key[order], prepend=-1) == 0) & (np.diff(place[order], prepend=-99.0) == 0.0)
        kept = order[~same]
        before, line = labels.event[label[kept]], line[kept]
        self._offer(key[kept], place[kept], cost[kept], before, graph.leaves[line], graph.express[line])


def label_costs(labels: Labels, key: Ints, place: Floats, measured: Floats) -> tuple[Floats, Ints]:
    """Return what it costs to be at places of arcs, and by which label; inf and -1 where no label reaches."""
    if not len(labels.key):
        return np.full(len(key), np.inf), np.full(len(key), -1)
    starts = np.flatnonzero(np.diff(labels.key, prepend=-1))
    keys = labels.key[starts]
    group = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(labels.key)))
    slot = np.minimum(np.searchsorted(keys, key), len(keys) - 1)
    found = np.searchsorted(ranks(group, labels.place), ranks(slot, place) + AT_ONCE, side="right") - 1
    found = np.maximum(found, 0)
    reached = labels.key[found] == key
    reached &= labels.place[found] <= place + 2 * AT_ONCE
    cost = labels.cost[found] + measured * np.maximum(place - labels.place[found], 0.0)
    return np.where(reached, cost, np.inf), np.where(reached, found, -1)


class PointLines(NamedTuple):
    """Lines from points to directed arcs, which they reach tangentially; reversed they lead from arcs to points."""

    point: Ints
    arc: Ints
    place: Floats
    length: Floats
    #: Both ends: the point's x and y, then those on the rim.
    segment: Floats


def lines_from_points(
    table: PreparedTable, x: Floats, y: Floats, limit: Floats, circles: Ints | None = None
) -> PointLines:
    """Return all lines from points to arcs up to a limit, perhaps to some circles only. They may yet be barred."""
    some = np.arange(len(table.circles.x)) if circles is None else circles
    radius = table.circles.radius[some]
    dx, dy = table.circles.x[some] - x[:, None], table.circles.y[some] - y[:, None]
    distance = np.hypot(dx, dy)
    at, which = np.nonzero(distance <= limit[:, None] + radius + CONTACT)
    dx, dy, distance, radius, circle = dx[at, which], dy[at, which], distance[at, which], radius[which], some[which]
    measured = table.circles.measured[circle]
    # At the corner itself, give or take a hair, a mover without size may set off along any side of it.
    corner = (measured == 0.0) & (distance <= 2 * CONTACT)
    parts = [_from_corners(table, at[corner], circle[corner], distance[corner], x, y)]
    if np.any(corner):
        at, circle, dx, dy, radius, measured = (a[~corner] for a in (at, circle, dx, dy, radius, measured))
    nothing = np.zeros(len(at))
    for turn in (1.0, -1.0):
        ux, uy, length = tangents(dx, dy, nothing, turn * measured, slack=CONTACT)
        turns = np.full(len(at), turn)
        arc, place = table.locate(circle, turns, rim_angle(ux, uy, turns))
        kept = np.flatnonzero((arc >= 0) & (length <= limit[at] + CONTACT))
        there = length[kept]
        if table.terrain.room != table.terrain.measured:
            ux, uy, length = tangents(dx, dy, nothing, turn * radius, slack=2 * CONTACT)
        begin = np.stack([x[at[kept]], y[at[kept]]], axis=1)
        end = begin + length[kept, None] * np.stack([ux[kept], uy[kept]], axis=1)
        parts.append(PointLines(at[kept], arc[kept], place[kept], there, np.hstack([begin, end])))
    return join(parts)


def _from_corners(
    table: PreparedTable, point: Ints, circle: Ints, distance: Floats, x: Floats, y: Floats
) -> PointLines:
    """Return lines of no length from points at corners to the beginnings of all arcs there."""
    first = np.searchsorted(table.arcs.circle, circle)
    count = np.searchsorted(table.arcs.circle, circle, side="right") - first
    whose = np.repeat(np.arange(len(circle)), count)
    arc = np.arange(len(whose)) + np.repeat(first - (np.cumsum(count) - count), count)
    both = np.concatenate([2 * arc, 2 * arc + 1])
    whose = np.concatenate([whose, whose])
    here = np.stack([x[point[whose]], y[point[whose]]], axis=1)
    return PointLines(point[whose], both, np.zeros(len(both)), distance[whose], np.hstack([here, here]))
