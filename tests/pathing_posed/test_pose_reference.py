"""The planner beside networkx and the judge: poses cost no less than their legs, and no end of theirs is dearer."""

from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from posed_tables import MOVERS, START, mover

from simulator.pathing.posed import PoseLink, PoseReach, TableLevel
from simulator.pathing.posed.reference import leg_prices, reference_costs, reference_prices

#: So much of their budgets keeps the poses of a search few enough to be judged one by one.
SHARES = {"disc": "1/3", "tank": "2/5", "oval": "1/3", "point": "1/4", "walker": "1/5", "track": "2/5"}


def small(name):
    """A mover with a part of its budget."""
    space = mover(name, 0)
    return replace(space, budget=space.budget * Fraction(SHARES[name]))


@cache
def searched(name):
    """A mover with little to spend, what it reaches, its poses, and their prices by networkx."""
    reach = PoseReach(small(name))
    states = reach.searched[0].states
    return reach, states, reference_prices(reach.space, states)


@pytest.mark.sampled
@pytest.mark.parametrize("name", MOVERS)
def test_each_pose_costs_what_the_judge_says_of_the_leg_to_it(name):
    reach, states, prices = searched(name)
    after = np.flatnonzero(states.parent >= 0)
    found = states.price[states.parent[after]] + leg_prices(reach.space, states)[after]
    assert found == pytest.approx(states.price[after], abs=1e-9)
    assert np.all(prices <= states.price + 1e-9)


@pytest.mark.sampled
@pytest.mark.parametrize("name", MOVERS)
def test_no_end_is_dearer_than_by_a_last_leg_from_any_pose(name):
    reach, states, prices = searched(name)
    dice = np.random.default_rng(4)
    places = dice.uniform(-1, 1, (4, 2)) * float(reach.space.budget) * 0.5 + START
    known = reference_costs(reach.space, states, prices, places)
    assert np.all(reach.costs_at(places) <= known + 1e-9)
    assert np.isfinite(known).any()


@pytest.mark.sampled
@pytest.mark.parametrize("name", MOVERS)
def test_no_end_with_a_heading_is_dearer_than_by_a_last_leg_and_turn_from_any_pose(name):
    reach, states, prices = searched(name)
    dice = np.random.default_rng(5)
    places = dice.uniform(-1, 1, (2, 2)) * float(reach.space.budget) * 0.3 + START
    # A pose as it is, where nothing is left to pay, and with a turn.
    pose = int(np.flatnonzero(states.parent >= 0)[0])
    places = np.r_[places, states.place[[pose, pose]]]
    headings = states.heading[pose] + np.array([45.0, -22.5, 0.0, 30.0])
    known = reference_costs(reach.space, states, prices, places, headings=headings)
    assert np.isfinite(known[2])
    assert np.all(reach.costs_in(places, headings) <= known + 1e-9)
    assert reach.costs_in(places[2:3], headings[2:3]).round(8)[0] == known[2].round(8)


def test_with_a_level_above():
    links = (PoseLink("up", 0, 1, Fraction(2)), PoseLink("down", 1, 0, Fraction(2)))
    space = mover("disc", 0)
    space = replace(space, budget=Fraction(5), above=(TableLevel(space.ground, box=space.box),), links=links)
    reach = PoseReach(space)
    states = reach.searched[0].states
    assert set(states.level.tolist()) == {0, 1}
    prices = reference_prices(space, states)
    assert np.all(prices <= states.price + 1e-9)
    places = START + np.array([(2.0, 1.0), (-1.5, 2.5), (3.0, -2.0)])
    for level in (0, 1):
        assert np.all(reach.costs_at(places, level) <= reference_costs(space, states, prices, places, level) + 1e-9)
