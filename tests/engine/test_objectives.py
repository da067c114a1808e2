"""Objectives: points for places held and units left, and when a game is over."""

from fractions import Fraction

import pytest

from simulator.engine.clock import Clock
from simulator.engine.objectives import HeldPlace, Objective, Score, scored
from simulator.engine.state import State, Unit
from simulator.geometry.dots import DotMap
from simulator.geometry.squares import SquareGrid
from simulator.geometry.table import InchTable

GRID = SquareGrid.open(9, 9)
SIDES = ("red", "blue")


def table_of(*units, **clock):
    return State.of([Unit(*unit) for unit in units]).put(clock=Clock(**{"turn": 1, **clock}))


class TestPlaces:
    gate = HeldPlace("gate", (4, 4), within=2, points=3)

    def test_it_is_held_by_whoever_has_more_units_there(self):
        state = table_of(("A1", "man", "red", (4, 5)), ("A2", "man", "red", (6, 4)), ("B1", "man", "blue", (4, 3)))
        assert self.gate.holder(GRID, state) == "red"
        assert Objective(hold=(self.gate,), sides=SIDES).points(GRID, state) == {"red": 3, "blue": 0}

    def test_by_nobody_where_several_have_as_many(self):
        state = table_of(("A1", "man", "red", (4, 5)), ("B1", "man", "blue", (4, 3)))
        assert self.gate.holder(GRID, state) == ""
        assert self.gate.holder(GRID, table_of(("A1", "man", "red", (0, 0)))) == ""

    @pytest.mark.parametrize(("place", "counts"), [((4, 4), True), ((6, 4), True), ((5, 5), True), ((6, 6), False)])
    def test_distances_are_straight_from_centre_to_centre(self, place, counts):
        assert self.gate.is_near(GRID, Unit("A1", "man", "red", place)) is counts

    def test_on_dots_and_tables_too(self):
        yard, plain = DotMap.open(9, 9), InchTable("Plain", 20, 20)
        assert HeldPlace("well", (3, 3), 1).is_near(yard, Unit("A1", "man", "red", (4, 3)))
        assert not HeldPlace("well", (3, 3), 1).is_near(yard, Unit("A1", "man", "red", (5, 3)))
        assert HeldPlace("well", (3.0, 3.0), Fraction(3, 2)).is_near(plain, Unit("A1", "man", "red", (4.5, 3.0)))
        assert not HeldPlace("well", (3.0, 3.0), 1.5).is_near(plain, Unit("A1", "man", "red", (4.6, 3.0)))

    def test_a_unit_beyond_the_edge_holds_nothing(self):
        assert not self.gate.is_near(GRID, Unit("A1", "man", "red", (9, 4)))


class TestUnits:
    def test_points_for_each_that_is_left_by_type(self):
        state = table_of(("A1", "man", "red", (1, 1)), ("A2", "king", "red"), ("B1", "king", "blue", (2, 2)))
        assert Objective(units={"man": 1, "king": 5}, sides=SIDES).points(GRID, state) == {"red": 1, "blue": 5}

    def test_those_aboard_count_as_left(self):
        rider = Unit("A1", "man", "red", None, None, {"carrier": "A2"})
        state = State.of([rider, Unit("A2", "man", "red", (1, 1))])
        assert Objective(units={"man": 2}).points(GRID, state) == {"red": 4}


class TestTheEnd:
    both = (("A1", "man", "red", (1, 1)), ("B1", "man", "blue", (2, 2)))

    def test_it_goes_on_without_a_reason_to_end(self):
        score = scored(Objective(turns=3, last_side=True, sides=SIDES), GRID, table_of(*self.both, turn=3))
        assert (score.is_over, score.winner, str(score)) == (False, "", "red 0, blue 0")
        assert score.result_of("red") == 0

    def test_after_the_last_turn_the_most_points_win(self):
        objective = Objective(hold=(HeldPlace("gate", (1, 1), points=2),), turns=3, sides=SIDES)
        score = scored(objective, GRID, table_of(*self.both, turn=4))
        assert (score.is_over, score.why, score.winner) == (True, "turn 3 is over", "red")
        assert (score.result_of("red"), score.result_of("blue")) == (1, -1)
        assert (score.lead_of("red"), score.lead_of("blue")) == (2, -2)
        assert str(score) == "turn 3 is over: red wins (red 2, blue 0)"

    def test_equal_points_are_a_draw(self):
        score = scored(Objective(turns=1, sides=SIDES), GRID, table_of(*self.both, turn=2))
        assert (score.is_over, score.winner, score.result_of("red")) == (True, "", 0)
        assert str(score) == "turn 1 is over: a draw (red 0, blue 0)"

    def test_the_last_side_wins_whatever_the_points(self):
        objective = Objective(hold=(HeldPlace("gate", (1, 1)),), last_side=True, sides=SIDES)
        score = scored(objective, GRID, table_of(self.both[1]))
        assert (score.why, score.winner) == ("only blue is left", "blue")
        assert scored(objective, GRID, table_of()).winner == ""

    def test_not_before_the_game_has_begun(self):
        assert not scored(Objective(last_side=True, sides=SIDES), GRID, table_of(self.both[0], turn=0)).is_over

    def test_when_the_clock_is_over(self):
        score = scored(Objective(), GRID, table_of(*self.both, over=True))
        assert (score.is_over, score.why) == (True, "nobody can act any more")


def test_a_score_without_points_is_in_progress():
    assert str(Score()) == "in progress"
