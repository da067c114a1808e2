"""The reach of many at once: the answers that each unit is given alone, on shipped scenarios of lattices and tables."""

from pathlib import Path

import pytest
from duel_ruleset import fighter

from simulator import load_scenario
from simulator.engine.errors import TableError, WrongQuestion
from simulator.engine.game import Game
from simulator.geometry.squares import SquareGrid

ROOT = Path(__file__).resolve().parents[2]
LATTICES = sorted(ROOT.glob("scenarios/grid_runner/*.yaml")) + sorted(ROOT.glob("scenarios/dot_trooper/*.yaml"))


def alone(game, name, action=""):
    """What one unit is answered alone, or why it is not."""
    try:
        return game.reach(name, action)
    except TableError as error:
        return error


def same(one, other):
    """Whether two answers, or errors, say the same of ends and costs."""
    if isinstance(one, TableError) or isinstance(other, TableError):
        return type(one) is type(other) and str(one) == str(other)
    if (one.mover, one.action) != (other.mover, other.action):
        return False
    return list(one.bands()) == list(other.bands()) and one.area.equals(other.area)


@pytest.mark.parametrize("path", LATTICES, ids=lambda path: path.stem)
def test_each_answer_is_the_one_the_unit_is_given_alone(path):
    game = load_scenario(path).start()
    found = dict(game.reach_many())
    assert list(found) == [unit.id for unit in game.state if unit.place is not None]
    assert all(same(answer, alone(game, name)) for name, answer in found.items())


@pytest.mark.parametrize("stem", ["mad_dash", "over_the_wall"])
def test_on_a_table_too(stem):
    game = load_scenario(ROOT / f"scenarios/skirmish/{stem}.yaml").start()
    for name, answer in game.reach_many(action="move"):
        assert answer.area.equals(game.reach(name, "move").area)


class TestWhoCanNotBeAsked:
    """The error stands for the answer; the others are answered."""

    def game(self, ruleset):
        units = [fighter("A1", "red", 0), fighter("A2", "red", 3), fighter("B1", "blue", 6)]
        return Game.new(ruleset, SquareGrid.open(12, 1), units)

    def test_who_is_not_on_the_table(self, ruleset):
        game = self.game(ruleset)
        game.state = game.state.put_unit("A2", place=None)
        assert list(dict(game.reach_many())) == ["A1", "B1"]
        found = dict(game.reach_many(["B1", "A2"]))
        assert list(found) == ["B1", "A2"]
        assert same(found["B1"], game.reach("B1"))
        with pytest.raises(TableError, match="A2 is not on the table"):
            raise found["A2"]

    def test_before_the_beginning_nobody(self, ruleset):
        units = [fighter("A1", "red", 0)]
        game = Game.new(ruleset, SquareGrid.open(12, 1), units, begin=False)
        assert "has not begun" in str(dict(game.reach_many())["A1"])

    def test_a_wrong_question_is_refused_as_a_whole(self, ruleset):
        with pytest.raises(WrongQuestion):
            dict(self.game(ruleset).reach_many(action="fly"))

    def test_nobody_by_that_name(self, ruleset):
        with pytest.raises(TableError, match="A9"):
            dict(self.game(ruleset).reach_many(["A1", "A9"]))

    def test_nobody_asked_nobody_answered(self, ruleset):
        assert dict(self.game(ruleset).reach_many([])) == {}


@pytest.fixture
def ruleset():
    """The duel of the engine's tests."""
    import duel_ruleset

    return duel_ruleset.RULESET
