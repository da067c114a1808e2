"""A route that is looked for alone is the one that is found among all routes."""

import numpy as np
import pytest
from spaces import random_space

from simulator.pathing import short_cones
from simulator.pathing.cones import Cones
from simulator.pathing.move_space import UNREACHED, MoveSpace, MoveStep, Start
from simulator.pathing.search import search
from simulator.pathing.traces import NoRoute


def reached(costs):
    """The states that a search has found."""
    space = costs.space
    layers, rows, cols = np.nonzero(costs.full() < UNREACHED)
    return [space.state_at(*at) for at in zip(layers.tolist(), rows.tolist(), cols.tolist(), strict=True)]


@pytest.mark.parametrize("engine", ["numpy", "networkx"])
@pytest.mark.parametrize("seed", range(60))
def test_it_is_the_one_among_all_routes(seed, engine):
    space = random_space(np.random.default_rng(seed), long=seed % 6 == 5)
    costs = search(space, engine)
    states = reached(costs)
    among_all = {state: costs.trace(state) for state in [*states[:4], *states]}  # from the fifth on from a forest
    assert all(among_all[state] == costs.trace(state) for state in states[:4])
    dice = np.random.default_rng(seed)
    for number in dice.permutation(len(states))[:12].tolist():
        alone = search(space, engine).trace(states[number])
        assert alone == among_all[states[number]]
        assert alone.cost == costs.at(*states[number])


@pytest.mark.parametrize("seed", range(30))
def test_few_states_looked_at_one_by_one_and_as_arrays_lead_the_same_way(seed, monkeypatch):
    costs = search(random_space(np.random.default_rng(seed), long=seed % 6 == 5))
    states = reached(costs)
    for number in np.random.default_rng(seed).permutation(len(states))[:12].tolist():
        found = []
        for most in (0, 10**9):
            monkeypatch.setattr(short_cones, "MOST_STATES", most)
            found.append(search(costs.space).trace(states[number]))
        assert found[0] == found[1]


def test_each_of_many_is_looked_for_by_one_of_the_two(monkeypatch):
    costs = search(MoveSpace((1, 9), (MoveStep("east", 0, 1),), starts=(Start(0, 0),), budget=8))
    asked = []
    whole = Cones.trace
    monkeypatch.setattr(Cones, "trace", lambda self, *at: asked.append(at) or whole(self, *at))
    for col in range(9):
        assert len(costs.trace(costs.space.state_at(0, 0, col)).lines) == col
    assert asked == [(0, 0, col) for col in range(4)]


def test_a_start_is_a_route_of_no_step():
    costs = search(MoveSpace((2, 2), (MoveStep("east", 0, 1, cost=0),), starts=(Start(1, 0, paid=2),), budget=3))
    assert (costs.trace(costs.space.state_at(0, 1, 0)).start, costs.trace(costs.space.state_at(0, 1, 0)).lines) == (
        Start(1, 0, paid=2),
        (),
    )
    assert costs.trace(costs.space.state_at(0, 1, 1)).cost == 2


def test_what_is_not_reached_has_none():
    costs = search(MoveSpace((1, 3), (MoveStep("east", 0, 1),), starts=(Start(0, 0),), budget=1))
    with pytest.raises(NoRoute):
        costs.trace(costs.space.state_at(0, 0, 2))
