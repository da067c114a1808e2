"""The other way round where a rulebook has no answer to it."""

import pytest
import tiny_ruleset

from simulator.engine.errors import TableError, WrongQuestion
from simulator.engine.game import Game
from simulator.errors import NoPlace
from simulator.geometry.squares import SquareGrid


def game(**place):
    ruleset = tiny_ruleset.RULESET
    return Game.new(ruleset, SquareGrid.open(4, 4), [ruleset.make_unit("A1", "man", "red", **place)])


def test_a_rulebook_that_answers_none_says_so():
    with pytest.raises(WrongQuestion, match="tiny does not compute from where a place can be reached with move"):
        game(place=(0, 0)).reach_to("A1", (1, 1))


def test_of_nobody_and_to_nowhere():
    with pytest.raises(NoPlace):
        game(place=(0, 0)).reach_to("A1", (9, 9))
    with pytest.raises(TableError, match="A1 is not on the table"):
        game().reach_to("A1", (1, 1))
