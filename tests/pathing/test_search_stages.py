"""Stages: searches one after the other, against the reference asked again from every end."""

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import pytest
from movers import movers, walker
from spaces import random_space

from simulator.pathing.move_space import UNREACHED, Start
from simulator.pathing.reference import search_graph
from simulator.pathing.search import prepared
from simulator.pathing.search_stages import followed, traced
from simulator.pathing.seeds import Seeds


@dataclass(frozen=True)
class Turn:
    """A turn with a budget of its own; with `carries` what was not used in the turns before can be used in it."""

    searcher: object
    budget: int
    carries: bool = False
    number: int = 0

    def entered(self, used):
        space = self.searcher.space
        if used is None:
            yield Seeds.of(space, space.starts, self.budget), self.budget
        elif self.carries:
            yield Seeds.of_costs(used), self.budget * (self.number + 1)
        else:
            yield Seeds.of_costs(np.where(used < UNREACHED, 0, UNREACHED)), self.budget

    def left(self, searches):
        (costs,) = searches
        return costs.end_costs()

    def began_with(self, start):
        return self.searcher.space.layer_of(start.heading, start.phase), start.paid if self.carries else None

    def ended(self, searches, row, column, wanted):
        (costs,) = searches
        ends = costs.end_costs()[:, row, column]
        if wanted is None:
            return costs, int(ends.argmin())
        layer, paid = wanted
        assert ends[layer] < UNREACHED
        assert paid in (None, ends[layer])
        return costs, layer


def turns_of(space, count, **more):
    return [Turn(prepared(space), space.budget, number=number, **more) for number in range(count)]


@pytest.mark.parametrize("seed", range(20))
def test_every_end_of_a_stage_is_where_the_next_begins(seed):
    rng = np.random.default_rng(seed)
    space = random_space(rng, largest=5) if seed % 2 else movers(rng, (6, 7), 4)[seed % 3]
    stages = turns_of(space, 3)
    found = list(followed(stages))
    starts = space.starts
    for searches, left in found:
        expected = search_graph(replace(space, starts=starts))
        assert np.array_equal(searches[0].full(), expected.full())
        assert np.array_equal(left, expected.end_costs())
        starts = tuple(Start(*space.state_at(*place)) for place in np.argwhere(expected.ends).tolist())
    last = found[-1][1]
    for row, column in np.argwhere((last < UNREACHED).any(axis=0)).tolist():
        traces = traced(stages, [searches for searches, _ in found], row, column)
        assert len(traces) == 3
        assert (traces[-1].state.row, traces[-1].state.col) == (row, column)
        assert all(trace.cost <= space.budget for trace in traces)
        for before, after in pairwise(traces):
            assert after.start.state == before.state


def test_what_is_carried_over_is_used_later():
    space = walker(np.ones((1, 12), int), starts=[Start(0, 0, None, "even")], budget=3)
    stages = turns_of(space, 3, carries=True)
    found = list(followed(stages))
    assert [int((left < UNREACHED).any(axis=0).sum()) for _, left in found] == [4, 7, 10]
    traces = traced(stages, [searches for searches, _ in found], 0, 9)
    assert [trace.state.col for trace in traces][-1] == 9
    assert [trace.start.paid for trace in traces[1:]] == [trace.cost for trace in traces[:-1]]


def test_a_first_search_that_is_there_is_not_made_again():
    space = walker(np.ones((1, 9), int), starts=[Start(0, 0, None, "even")], budget=2)
    stages = turns_of(space, 2)
    first = (stages[0].searcher.search(),)
    found = list(followed(stages, first))
    assert found[0][0] is first
    assert (found[1][1] < UNREACHED).any(axis=0).tolist() == [[True] * 5 + [False] * 4]
