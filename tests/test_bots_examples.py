"""The agents of examples/bots play: legal orders to the end, and the tree search better than the greedy one."""

import sys
from pathlib import Path
from random import Random

import pytest

FOLDER = Path(__file__).parents[1] / "examples" / "bots"
sys.path[:0] = [str(FOLDER), str(Path(__file__).parent / "engine")]

import agents  # noqa: E402
import match  # noqa: E402

from simulator import load_scenario  # noqa: E402


@pytest.mark.parametrize("agent", [agents.random_agent, agents.greedy_agent, agents.TreeAgent(simulations=3, depth=1)])
def test_an_agent_plays_a_game_to_its_end(agent):
    game, rng = match.checkers().start(1), Random(1)
    for _ in range(80):
        if game.is_over:
            break
        order = agent(game, rng)
        assert game.breaches(order) == []
        game.step(order)
    assert game.is_over


def test_the_same_seed_plays_the_same_game():
    found = []
    for _ in range(2):
        game, rng = match.checkers().start(3), Random(3)
        for _ in range(6):
            game.step(agents.TreeAgent(simulations=6, depth=2)(game, rng))
        found.append([happened.order for happened in game.history])
    assert found[0] == found[1]


def test_the_greedy_one_takes_what_it_can():
    game, rng = match.checkers().start(1), Random(2)
    while not any(_takes(game, order) for order in game.legal()):
        game.step(game.legal().sample(rng))
    assert _takes(game, agents.greedy_agent(game, rng))


def _takes(game, order):
    twin = game.branch()
    twin.step(order)
    return len(twin.state.units) < len(game.state.units)


def test_the_tree_search_beats_the_greedy_one():
    tree = agents.TreeAgent(simulations=10, depth=3)
    assert [match.result_for_first(number, first=tree) for number in range(2)] == [1, 1]


def test_on_inch_tables_the_random_one_plays_too():
    game, rng = load_scenario("scenarios/skirmish/over_the_wall.yaml").start(1), Random(1)
    for _ in range(5):
        game.step(agents.random_agent(game, rng))
    assert len(game.history) >= 5
