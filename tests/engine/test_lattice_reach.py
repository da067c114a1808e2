"""The answer of reach that rulesets on squares and dots derive from: what it knows, and what it asks of them."""

from fractions import Fraction

import numpy as np
import pytest

from simulator.engine.errors import Breach
from simulator.engine.lattice_reach import LatticeReach, bands_of_chance, nearest_end
from simulator.engine.reach import ReachAnswer
from simulator.engine.ruleset import Ruleset
from simulator.engine.state import State, Unit
from simulator.engine.table import Setting, Table
from simulator.errors import NoPlace
from simulator.geometry.squares import SquareGrid
from simulator.pathing.plain import plain_space
from simulator.pathing.search import search
from simulator.pathing.traces import NoRoute

#: A lane with a wall behind which nobody gets.
LANE = SquareGrid.from_text(". . . . . # .")


class Walking(Ruleset):
    name = "walking"


class Walk(LatticeReach):
    """What the smallest ruleset says of an answer: why not there."""

    def against(self, place):
        return [Breach("WA-1", "too far", place=place)], "more steps"


class Dice(Walk):
    """Each step may fail with a chance of a half."""

    def chance_at(self, place):
        cost = self.cost_at(place)
        return Fraction(0) if cost is None else Fraction(1, 2 ** int(cost))

    @property
    def known_chances(self):
        return [Fraction(1, 2**steps) for steps in range(4)]

    def surely(self, chance):
        return np.array([[Fraction(1, 2**column) >= chance for column in range(7)]])


def walked(kind=Walk, budget=3, **told):
    costs = search(plain_space(LANE, starts=[(0, 0)], budget=budget))
    walker = Unit("A1", "walker", "red", (0, 0))
    table = Table(Setting.of(Walking(), LANE), State.of([walker]))
    return kind(table, costs, walker, "walk", unit="square", **told)


def test_it_is_an_answer_of_reach():
    assert isinstance(walked(), ReachAnswer)
    assert (walked().mover.id, walked().action, walked().unit) == ("A1", "walk", "square")


def test_it_shows_itself_among_the_units():
    assert ">A1<" in walked()._repr_svg_()


def test_where_no_dice_are_rolled_what_can_be_reached_is_certain():
    answer = walked()
    assert [answer.chance_at((column, 0)) for column in (0, 3, 4)] == [1, 1, 0]
    assert [(level, area.area) for level, area in answer.chance_bands()] == [(1, 4)]
    assert [(level, area.area) for level, area in answer.bands([1, 3])] == [(1, 2), (3, 2)]


def test_with_dice_the_bands_go_from_the_surest_down():
    answer = walked(Dice)
    assert [(level, area.bounds) for level, area in answer.chance_bands()] == [
        (Fraction(1, 2**steps), (steps, 0, steps + 1, 1)) for steps in range(4)
    ]
    assert [(level, area.area) for level, area in answer.chance_bands([Fraction(1, 4)])] == [(Fraction(1, 4), 3)]
    ends = [feature["properties"] for feature in answer.to_geojson()["features"]]
    told = {tuple(end["place"]): end["chance"] for end in ends if end["what"] == "end"}
    assert told == {(0, 0): 1, (1, 0): "1/2", (2, 0): "1/4", (3, 0): "1/8"}


def test_of_many_chances_six_bands_are_told():
    known = [Fraction(number, 20) for number in range(20, 0, -1)]
    surely = np.array([[chance >= Fraction(1, 20) for chance in known]])
    board = SquareGrid.open(20, 1)
    found = bands_of_chance(board, surely, known, lambda least: np.array([[chance >= least for chance in known]]))
    assert [level for level, _ in found] == [Fraction(number, 20) for number in (20, 16, 12, 9, 5, 1)]
    assert sum(area.area for _, area in found) == 20


def test_a_place_out_of_reach_is_told_with_the_nearest_end():
    why = walked().why_not((6, 0))
    assert [reason.clause for reason in why.reasons] == ["WA-1"]
    assert (why.nearest, why.nearest_cost, why.remedy) == ((3, 0), 3, "more steps")
    with pytest.raises(NoRoute, match="A1 cannot end at"):
        walked().orders_to((6, 0))


def test_a_place_in_reach_has_no_reason_against_it():
    why = walked().why_not((2, 0))
    assert (why.reasons, why.nearest, why.nearest_cost) == ((), (2, 0), 2)


def test_who_can_not_move_at_all_is_told_so_everywhere():
    refused = Breach("WA-2", "A1 is stunned")
    assert walked(budget=0, refused=[refused]).why_not((2, 0)).reasons == (refused,)


def test_a_ruleset_has_to_say_why():
    with pytest.raises(NotImplementedError, match="does not explain why"):
        walked(LatticeReach).why_not((6, 0))
    with pytest.raises(NoPlace):
        walked().why_not((9, 0))


def test_the_nearest_end_is_the_cheapest_of_those_as_near():
    board = SquareGrid.open(3, 1)
    costs = np.array([[2, 9, 1]])

    def from_the_middle(columns, rows):
        return abs(columns - 1) + 0 * rows

    assert nearest_end(board, np.array([[True, False, True]]), costs, from_the_middle) == (2, 0)
    assert nearest_end(board, np.zeros((1, 3), bool), costs, from_the_middle) is None
