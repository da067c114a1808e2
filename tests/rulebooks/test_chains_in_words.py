"""Chains of questions in words: what a link says, what is wrong with one, and that they are the chains of the API."""

import pytest
from grid_runner_positions import opening, variants

from simulator.engine.chain import Chain, ask
from simulator.engine.chain_text import read_chain
from simulator.engine.errors import WrongQuestion


@pytest.fixture
def game():
    return opening(5, variants()[0], size=(5, 4))


def chain(game, first, *then, **values):
    return read_chain(game.ruleset, game.setting.vocabulary, first, then, game.state.units, values)


@pytest.mark.parametrize(
    ("texts", "links"),
    [
        (("move", "all done", "move"), [ask("move"), "all done", ask("move")]),
        (("", "all done", "move mode=run"), [ask(""), "all done", ask("move", mode="run")]),
        (("move to 1,2", "move"), [ask("move", to=[(1, 2)]), ask("move")]),
        (("move mode=run to 1,2 or 3,1", "A move: e", "move"), None),
    ],
)
def test_a_link_is_a_question_or_an_order(game, texts, links):
    if links is None:
        links = [ask("move", mode="run", to=[(1, 2), (3, 1)]), "A move: e", ask("move")]
    assert chain(game, *texts) == Chain(links)


def test_values_beside_the_first_link_are_its_own(game):
    assert chain(game, "move", "move", mode="run") == Chain([ask("move", mode="run"), ask("move")])
    with pytest.raises(WrongQuestion, match="'all done' is an order, but only questions take values: mode"):
        chain(game, "all done", "move", mode="run")


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (("move", "all done"), "a chain ends with a question of reach"),
        (("move", "fly"), "'fly' is neither an order, which begins with its unit, nor a question; known: move"),
        (("move", "mve"), "did you mean 'move'"),
        (("move fast", "move"), "values after the action are written as NAME=VALUE, not 'fast'"),
        (("move mode=", "move"), "values after the action are written as NAME=VALUE, not 'mode='"),
        (("move to 99", "move"), "'move to 99': place: expected a square"),
    ],
)
def test_what_is_wrong_is_reported(game, texts, message):
    with pytest.raises(WrongQuestion, match=message):
        chain(game, *texts)
