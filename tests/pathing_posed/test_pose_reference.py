"""The planner beside networkx and the judge: poses cost no less than their legs, and no end of theirs is dearer."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from posed_tables import MOVERS, START, mover

from simulator.pathing.posed import PoseLink, PoseReach, TableLevel
from simulator.pathing.posed.reference import reference_costs, reference_graph, reference_prices

#: So much of their budgets keeps the poses of a search few enough to be judged one by one.
SHARES = {"disc": "1/3", "tank": "2/5", "oval": "1/3", "point": "1/4", "walker": "1/4", "track": "2/5"}


def small(name):
    """A mover with a part of its budget."""
    space = mover(name, 0)
    return replace(space, budget=space.budget * Fraction(SHARES[name]))


@pytest.mark.parametrize("name", MOVERS)
def test_each_pose_costs_what_the_judge_says_of_the_leg_to_it(name):
    space = small(name)
    states = PoseReach(space).searched[0].states
    graph = reference_graph(space, states)
    for state in np.flatnonzero(states.parent >= 0).tolist():
        before = int(states.parent[state])
        price = states.price[before] + float(graph.edges[before, state]["weight"])
        assert price == pytest.approx(states.price[state], abs=1e-9)
    assert np.all(reference_prices(space, states) <= states.price + 1e-9)


@pytest.mark.parametrize("name", MOVERS)
def test_no_end_is_dearer_than_by_a_last_leg_from_any_pose(name):
    space = small(name)
    reach, dice = PoseReach(space), np.random.default_rng(4)
    places = dice.uniform(-1, 1, (4, 2)) * float(space.budget) * 0.5 + START
    known = reference_costs(space, reach.searched[0].states, places)
    assert np.all(reach.costs_at(places) <= known + 1e-9)
    assert np.isfinite(known).any()


def test_with_a_level_above():
    links = (PoseLink("up", 0, 1, Fraction(2)), PoseLink("down", 1, 0, Fraction(2)))
    space = mover("disc", 0)
    space = replace(space, budget=Fraction(5), above=(TableLevel(space.ground, box=space.box),), links=links)
    reach = PoseReach(space)
    states = reach.searched[0].states
    assert set(states.level.tolist()) == {0, 1}
    assert np.all(reference_prices(space, states) <= states.price + 1e-9)
    places = START + np.array([(2.0, 1.0), (-1.5, 2.5), (3.0, -2.0)])
    for level in (0, 1):
        assert np.all(reach.costs_at(places, level) <= reference_costs(space, states, places, level) + 1e-9)
