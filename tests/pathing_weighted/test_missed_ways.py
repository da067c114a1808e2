"""Cheapest ways that go on: they end where the planner knows it, for no less, and hardly outside of its area.

The long run on more tables is `python -m benchmarks.missed_ways`.
"""

import numpy as np
import pytest

from benchmarks.missed_ways import BUDGETS, free_mover, longer_ways, missed_by, unknown_inside
from simulator.pathing.posed import judged
from simulator.pathing.weighted import WeightedReach


@pytest.mark.long
@pytest.mark.parametrize("name", BUDGETS)
def test_few_ways_end_outside_of_what_is_known(name):
    reach, dice = WeightedReach(free_mover(name, 1)), np.random.default_rng(5)
    ends = list(longer_ways(reach, dice, 80))
    budget = float(reach.space.budget)
    assert len(ends) > 40
    assert sum(float(end.total) > budget - 1e-6 for end in ends) > 15
    found = missed_by(reach, ends)
    # Ends that spend the whole budget are unknown if their way is dearer by a hair.
    assert np.mean(np.isinf(found.cheaper)) < 0.1
    assert found.cheaper[np.isfinite(found.cheaper)].max() < 0.05
    assert found.outside.max() < 0.1
    inside = unknown_inside(reach, dice, 200)
    assert len(inside.depth) > 60
    assert np.mean(inside.depth > 0) < 0.05


def test_staircases_keep_out_of_rims():
    # On the way to these places a staircase up the hill once had a bend inside of a base.
    reach = WeightedReach(free_mover("point", 2))
    places = [(41.84063056071387, 30.782453548117434), (42.338271674038076, 31.678135206482573), (40.9946, 28.7002)]
    for place, cost in zip(places, reach.costs_at(places).tolist(), strict=True):
        verdict = judged(reach.space, *reach.way_to(place))
        assert verdict.is_legal
        assert float(verdict.total) == pytest.approx(cost, abs=1e-6)
