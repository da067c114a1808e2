"""The planner beside networkx and the judge: poses cost no less than their legs, and no end of theirs is dearer."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from posed_tables import MOVERS, START, mover

from simulator.pathing.posed import PoseLink, PoseReach, TableLevel
from simulator.pathing.posed.reference import reference_costs, reference_graph, reference_prices


def small(name, seed, share):
    """A mover with a part of its budget."""
    space = mover(name, seed)
    return replace(space, budget=space.budget * Fraction(share))


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", MOVERS)
def test_each_pose_costs_what_the_judge_says_of_the_leg_to_it(name, seed):
    space = small(name, seed, "3/5")
    states = PoseReach(space).searched[0].states
    graph = reference_graph(space, states)
    for state in np.flatnonzero(states.parent >= 0).tolist():
        before = int(states.parent[state])
        price = states.price[before] + float(graph.edges[before, state]["weight"])
        assert price == pytest.approx(states.price[state], abs=1e-9)
    assert np.all(reference_prices(space, states) <= states.price + 1e-9)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", MOVERS)
def test_no_end_is_dearer_than_by_a_last_leg_from_any_pose(name, seed):
    space = small(name, seed, "2/5")
    reach, dice = PoseReach(space), np.random.default_rng([seed, 4])
    places = dice.uniform(-1, 1, (6, 2)) * float(space.budget) * 0.7 + START
    known = reference_costs(space, reach.searched[0].states, places)
    assert np.all(reach.costs_at(places) <= known + 1e-9)
    assert np.isfinite(known).any()


def test_with_a_level_above():
    links = (PoseLink("up", 0, 1, Fraction(2)), PoseLink("down", 1, 0, Fraction(2)))
    space = mover("disc", 0)
    space = replace(space, budget=Fraction(8), above=(TableLevel(space.ground, box=space.box),), links=links)
    reach = PoseReach(space)
    states = reach.searched[0].states
    assert set(states.level.tolist()) == {0, 1}
    assert np.all(reference_prices(space, states) <= states.price + 1e-9)
    places = START + np.array([(2.0, 1.0), (-1.5, 2.5), (3.0, -2.0)])
    for level in (0, 1):
        assert np.all(reach.costs_at(places, level) <= reference_costs(space, states, places, level) + 1e-9)
