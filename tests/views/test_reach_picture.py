"""Pictures of reach, foresight, threats and comparisons: all that is told lies on them and stands in the legend."""

import sys
import xml.etree.ElementTree as ET
from fractions import Fraction
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "engine"))

import duel_ruleset
from duel_ruleset import fighter

from simulator import picture, plain_space, reach
from simulator.engine.foresight import Interruption
from simulator.engine.game import Game
from simulator.engine.ledger import Ledger, LedgerLine
from simulator.formats.scenarios import parse_scenario
from simulator.geometry.squares import SquareGrid
from simulator.views.reach_picture import (
    certain_outline,
    chance_text,
    cost_bands,
    draw_answer,
    draw_comparison,
    draw_foreseen,
    draw_threats,
    interruption_spots,
    route_line,
    ways_of,
)
from simulator.views.state_picture import draw_state


@pytest.fixture
def game():
    """A1 stands between two enemies: whichever way it goes, it can be struck at."""
    board = SquareGrid.from_text(". . , . . . . .", name="Row")
    units = [fighter("B2", "blue", 1), fighter("A1", "red", 2), fighter("B1", "blue", 5)]
    return Game.new(duel_ruleset.RULESET, board, units, options={"lunges": False})


#: No action leads ox to fox, which is out of its reach.
TOO_FAR = """
format: 1
ruleset: mecha
board: {board: table, name: Yard, size: [30, 24], ground: flat_ground}
units:
  fox: {type: mecha, side: red, at: [6, 12], heading: 0, size_class: 3, move: 6}
  ox: {type: mecha, side: blue, at: [28, 12], heading: 180, size_class: 4, move: 5}
"""


def texts(svg):
    return [element.text for element in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


class TestReach:
    def test_bands_of_cost_with_units_and_what_is_certain(self, game):
        shown = texts(draw_answer(game.table, game.reach("A1")))
        for words in ("A1: walk", "least cost to end there", "0 AP", "2 AP", "certain", "A1", "B1", "red", "blue"):
            assert words in shown

    def test_bands_of_whole_costs_are_named_by_the_costs_they_hold(self):
        board = SquareGrid.open(10, 1)
        walk = reach(board, plain_space(board, starts=[(0, 0)], budget=9))
        told = [band.label for band in cost_bands(walk)]
        assert told == ["0 steps", "1 to 2 steps", "3 to 4 steps", "5 steps", "6 to 7 steps", "8 to 9 steps"]

    def test_bands_of_halves_too(self):
        board = SquareGrid.open(10, 1)
        halves = reach(board, plain_space(board, starts=[(0, 0)], budget=9), per_unit=2)
        told = [band.label for band in cost_bands(halves)]
        assert told == ["0 steps", "0.5 to 1 step", "1.5 to 2 steps", "2.5 steps", "3 to 3.5 steps", "4 to 4.5 steps"]

    def test_bands_of_chance(self, game):
        shown = texts(draw_answer(game.table, game.reach("A1"), shade="chance"))
        assert "best chance to end there" in shown
        assert "41.7% or more" in shown

    @pytest.mark.parametrize("shade", ["cost", "chance"])
    @pytest.mark.parametrize("action", ["charge", "manoeuvre", "jump"])
    def test_on_a_table_where_it_can_end_nowhere(self, action, shade):
        answer = parse_scenario(TOO_FAR).start().reach("ox", action)
        assert answer.area.is_empty
        assert f"ox: {action.replace('_', ' ')}" in texts(draw_answer(answer.table, answer, shade=shade))

    def test_where_everything_is_certain_there_is_no_rim(self, game):
        alone = Game.new(duel_ruleset.RULESET, game.board, [fighter("A1", "red", 2)])
        assert certain_outline(game.board, alone.reach("A1")) == []
        assert len(certain_outline(game.board, game.reach("A1"))) == 1

    def test_the_way_and_who_can_interrupt_it(self, game):
        answer = game.reach("A1")
        (line,) = route_line(answer, (4, 0), "2 AP")
        assert line.points == [(2.5, 0.5), (3.5, 0.5), (4.5, 0.5)]
        shown = texts(draw_answer(game.table, answer, routes=[line], foreseen=game.foresee(answer.orders_to((4, 0)))))
        assert "2 AP" in shown
        assert shown.count("1") == 3  # the mark on the board, that in the legend, and the tick of the column
        assert "DU-3 B2: strike" in shown


class TestForesight:
    def test_ways_are_those_of_the_events(self, game):
        (line,) = ways_of(game.foresee("A1 walk: right 2"))
        assert list(line.points) == [(2.5, 0.5), (3.5, 0.5), (4.5, 0.5)]
        assert "DU-3 B2: strike" in texts(draw_foreseen(game.foresee("A1 walk: right 2"), title="A walk"))

    def test_or_those_that_the_ruleset_tells(self, game, monkeypatch):
        bent = [(2.5, 0.5), (3.0, 0.9), (4.5, 0.5)]
        monkeypatch.setattr(duel_ruleset.DuelRuleset, "course", lambda *_: bent)
        (line,) = ways_of(game.foresee("A1 walk: right 2"))
        assert (line.points, line.side) == (bent, "red")

    def test_two_at_one_place_stand_side_by_side_and_one_asked_twice_is_one(self, game):
        asked = [Interruption(who, "blue", "strike", ("strike",), "DU-3", (2, 0)) for who in ("B1", "B2", "B1")]
        first, second = interruption_spots(game.board, asked)
        assert (first.number, second.number) == (1, 2)
        assert (first.behind, second.behind, (first.x, first.y)) == (0, 1, (second.x, second.y))


def test_threats_are_shaded_by_the_number_of_units(game):
    shown = texts(draw_threats(game.threats("blue", ap=4)))
    for words in ("Where blue can end", "units that can end there", "1 unit"):
        assert words in shown


def test_a_comparison_shows_what_is_gained_and_the_rim_of_before(game):
    shown = texts(draw_comparison(game.compare("A1", {"impeded_cost": 1}, ap=1)))
    assert "A1 with impeded_cost=1" in shown
    assert {"what changes", "as before", "reach before"} <= set(shown)
    far = Game.new(duel_ruleset.RULESET, game.board, [fighter("A1", "red", 0)])
    assert "gained: 1 place" in texts(draw_comparison(far.compare("A1", {"impeded_cost": 1})))
    assert "cheaper: 1 place" in texts(draw_comparison(far.compare("A1", {"impeded_cost": 1})))


@pytest.mark.parametrize(
    ("chance", "told"), [(Fraction(1), "certain"), (Fraction(1, 2), "50%"), (Fraction(1, 3), "33.3%"), (0, "0%")]
)
def test_chances_in_words(chance, told):
    assert chance_text(Fraction(chance)) == told


class TestNotebooks:
    def test_everything_shows_itself(self, game):
        answer = game.reach("A1")
        for thing in (answer, game, game.table, game.foresee("A1 walk: right 1"), game.threats("red")):
            assert thing._repr_svg_() == picture(thing)
            ET.fromstring(picture(thing))
        assert game._repr_svg_() == draw_state(game.table)
        assert answer._repr_svg_() == draw_answer(game.table, answer)
        assert game.compare("A1", {"impeded_cost": 1})._repr_svg_()

    def test_a_scenario_shows_its_opening(self):
        scenario = parse_scenario(
            "format: 1\nruleset: duel\nboard: {board: squares, legend: {'.': {}}, rows: '. . .'}\n"
            "units: {A1: {type: fighter, side: red, at: [0, 0]}}\n",
            rulesets={"duel": duel_ruleset.RULESET},
        )
        assert "A1" in texts(scenario._repr_svg_())

    def test_why_not_as_markdown(self, game):
        shown = game.reach("A1", ap=1).why_not((4, 0))._repr_markdown_()
        assert shown.splitlines() == [
            "**4,0 cannot be reached**",
            "",
            "- **DU-1** 4,0 costs 2 AP, there are 1",
            "- it would take: 1 AP more",
            "- nearest legal end: 3,0, for 1 AP",
        ]

    def test_a_ledger_as_a_table_whatever_its_words(self):
        shown = Ledger([LedgerLine("a <step>", 2, 3, "AP", "DU-2")])._repr_html_()
        table = ET.fromstring(shown)
        assert [cell.text for cell in table.iter("td")] == ["6", "AP", "a <step>", "DU-2", "6", "AP", "in all", None]
