"""The cheapest last lines of ways, from starts and arcs to places."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simulator.geometry.tolerances import CONTACT
from simulator.pathing.columns import join, pick
from simulator.pathing.free.obstacles import Floats, Ints
from simulator.pathing.free.prepared import PreparedTable
from simulator.pathing.free.search import SearchResult, label_costs, lines_from_points

_PAIRS_AT_ONCE = 1 << 20


class Ends(NamedTuple):
    """The cheapest way to each place: its cost (inf: none), its end, and the origin of its last line.

    `label` is the label of the arc that it leaves at `place`, or -1 - s for a straight line from start s.
    """

    cost: Floats
    x: Floats
    y: Floats
    label: Ints
    place: Floats


class Candidates(NamedTuple):
    """Last lines of ways that may still be barred: their goals, the costs of the ways, their origins."""

    goal: Ints
    cost: Floats
    segment: Floats  #: from the end of the way to the beginning of its last line
    label: Ints
    place: Floats


class FoundWays(NamedTuple):
    """The result of the search for one question, from which last lines are drawn."""

    table: PreparedTable
    found: SearchResult
    question: int
    budget: float

    @property
    def directed(self) -> int:
        """The number of directed arcs."""
        return 2 * len(self.table.arcs.circle)

    @property
    def starts(self) -> Ints:
        """The numbers of the question's starts."""
        return np.flatnonzero(self.found.starts.question == self.question)

    def circles(self) -> Ints:
        """Return the circles with labels."""
        directed = max(self.directed, 1)
        own = self.found.labels.key[self.found.labels.key // directed == self.question]
        return np.unique(self.table.arcs.circle[(own % directed) >> 1])

    def leaving(self, arc: Ints, place: Floats) -> tuple[Floats, Ints]:
        """Return the costs of places on directed arcs, and their labels."""
        measured = self.table.circles.measured[self.table.arcs.circle[arc >> 1]]
        return label_costs(self.found.labels, self.question * self.directed + arc, place, measured)


def cheapest_ends(source: FoundWays, goals: Floats) -> Ends:
    """Find the cheapest way to each goal, rows x, y."""
    goals = goals.reshape(-1, 2)
    circles = source.circles()
    chunks = np.array_split(np.arange(len(goals)), len(goals) * (len(circles) + 1) // _PAIRS_AT_ONCE + 1)
    parts = []
    for some in chunks:
        candidates = lines_to(source, goals[some], np.zeros(len(some)), circles)
        parts.append(cheapest_free(source.table, candidates, len(some)))
    return join(parts)


def cheapest_free(table: PreparedTable, candidates: Candidates, goals: int) -> Ends:
    """Choose for each goal the cheapest candidate that is not barred."""
    best = Ends(
        np.full(goals, np.inf), np.full(goals, np.nan), np.full(goals, np.nan), np.full(goals, -1), np.zeros(goals)
    )
    candidates = pick(candidates, np.lexsort((candidates.cost, candidates.goal)))
    first = np.flatnonzero(np.diff(candidates.goal, prepend=-1))
    last = np.append(first[1:], len(candidates.goal))
    # All goals try their cheapest candidate together, then barred goals their next two, and so on.
    ahead = 1
    while len(first):
        count = np.minimum(last - first, ahead)
        tried = np.repeat(first, count) + np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
        free = tried[~table.barred(candidates.segment[tried], from_contact=True)]
        won = free[np.flatnonzero(np.diff(candidates.goal[free], prepend=-1))]
        goal = candidates.goal[won]
        best.cost[goal] = candidates.cost[won]
        best.x[goal], best.y[goal] = candidates.segment[won, 0], candidates.segment[won, 1]
        best.label[goal], best.place[goal] = candidates.label[won], candidates.place[won]
        still = np.isinf(best.cost[candidates.goal[first]]) & (first + count < last)
        first, last = (first + count)[still], last[still]
        ahead = min(2 * ahead, 16)
    return best


def lines_to(source: FoundWays, goals: Floats, short: Floats, circles: Ints) -> Candidates:
    """Return all lines from starts and labelled arcs towards goals, each ending short of its goal by a distance."""
    table, found, budget = source.table, source.found, source.budget
    starts = source.starts
    goal, nth = (a.ravel() for a in np.indices((len(goals), len(starts))))
    start = starts[nth]
    begin = np.stack([found.starts.x[start], found.starts.y[start]], axis=1)
    length = np.hypot(*(begin - goals[goal]).T) - short[goal]
    cost = found.starts.paid[start] + length
    near = np.flatnonzero((cost <= budget + CONTACT) & (length >= -CONTACT))
    segment = np.hstack([goals[goal], begin])
    parts = [pick(Candidates(goal, cost, segment, -1 - start, np.zeros(len(goal))), near)]
    if len(circles):
        limit = budget - found.starts.paid[starts].min() + short
        lines = lines_from_points(table, goals[:, 0].copy(), goals[:, 1].copy(), limit, circles)
        # The lines lead from the goals to the arcs: reversed, they leave arcs of the opposite turn.
        arc = lines.arc ^ 1
        place = table.arcs.extent[arc >> 1] - lines.place
        reached, label = source.leaving(arc, place)
        length = lines.length - short[lines.point]
        cost = reached + length
        near = np.flatnonzero((cost <= budget + CONTACT) & (length >= -CONTACT))
        parts.append(pick(Candidates(lines.point, cost, lines.segment, label, place), near))
    return _stopped_short(join(parts), short)


def _stopped_short(candidates: Candidates, short: Floats) -> Candidates:
    """Return the candidates with their lines cut short of their goals."""
    if not np.any(short):
        return candidates
    ahead = candidates.segment[:, 2:] - candidates.segment[:, :2]
    length = np.hypot(*ahead.T)
    share = np.divide(short[candidates.goal], length, out=np.zeros_like(length), where=length > 0.0)
    segment = candidates.segment.copy()
    segment[:, :2] += np.minimum(share, 1.0)[:, None] * ahead
    return candidates._replace(segment=segment)
