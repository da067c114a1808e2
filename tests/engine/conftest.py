"""Boards, games and rulesets that the tests of the engine share."""

import duel_ruleset
import pytest
import tiny_ruleset

from simulator.engine.answers import DiceBag
from simulator.engine.game import Game
from simulator.geometry.squares import SquareGrid


@pytest.fixture
def row():
    """A row of squares, one of them impeded."""
    return SquareGrid.from_text(". . , . . . . .")


@pytest.fixture
def fighters():
    make = duel_ruleset.fighter
    return [make("A1", "red", 0, nerve=2), make("B1", "blue", 3, shield=1), make("A2", "red", 6), make("B2", "blue", 7)]


@pytest.fixture
def duel(row, fighters):
    """A duel in which dice are rolled and nobody else answers."""
    return Game.new(duel_ruleset.RULESET, row, fighters, answers=DiceBag.of(1))


@pytest.fixture
def checkers():
    men = [("w1", "white", (2, 5)), ("w2", "white", (4, 5)), ("b1", "black", (3, 2)), ("b2", "black", (5, 2))]
    units = [tiny_ruleset.RULESET.make_unit(name, "man", side, square) for name, side, square in men]
    return Game.new(tiny_ruleset.RULESET, SquareGrid.open(8, 8), units)
