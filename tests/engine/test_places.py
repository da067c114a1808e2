"""Places are read alike wherever people write them: in orders, in files, at the command line."""

import sys
from pathlib import Path

import pytest
from click import UsageError

sys.path.insert(0, str(Path(__file__).parent))

import duel_ruleset

from simulator.cli.places import read_place as read_on_bare_board
from simulator.engine.errors import UnreadableOrder
from simulator.engine.game import Game
from simulator.engine.orders import ActionForm, Arg, Form, Vocabulary, exact_number, place
from simulator.engine.places import by_column_and_row, on_board, read_heading, read_place
from simulator.engine.reading import read_order, write_order
from simulator.engine.table import Setting
from simulator.geometry.dots import DotMap
from simulator.geometry.hex_lattice import OffsetLayout
from simulator.geometry.squares import SquareGrid

DOT = place("a dot such as 3,4", whole=True)
WORDS = Vocabulary(
    actions=[
        ActionForm("walk", [Arg("times", exact_number(), "times", True)], elements=("step", "fly"), least=1, goal=True),
        ActionForm("aim", [Arg("at", DOT)]),
    ],
    elements=[Form("step", [Arg("dot", DOT)]), Form("fly", [Arg("dots", DOT, many=True)])],
    goal_place=DOT,
)


@pytest.mark.parametrize("layout", OffsetLayout)
class TestColumnAndRow:
    def test_every_dot_has_both_names(self, layout):
        words = by_column_and_row(WORDS, layout)
        for dot in ((q, r) for q in range(-3, 4) for r in range(-3, 4)):
            column, row = layout.offset(dot)
            assert read_place(words, f"{column}:{row}") == read_place(words, f"{dot[0]},{dot[1]}") == dot

    def test_in_every_part_of_an_order(self, layout):
        words = by_column_and_row(WORDS, layout)
        dots = [layout.dot(*place) for place in ((1, 2), (3, 4), (5, 5))]
        assert [e["dot"] for e in read_order("A walk: step 1:2, step 3:4", words).elements] == dots[:2]
        assert read_order("A walk: fly 1:2 3:4 5:5, step 1:2", words).elements[0]["dots"] == tuple(dots)
        goal = read_order("A walk to 1:2 via 3:4 5:5", words).goal
        assert (goal.place, *goal.via) == tuple(dots)
        assert read_order("A aim 1:2", words)["at"] == dots[0]

    def test_what_is_written_back_is_the_one_form(self, layout):
        words = by_column_and_row(WORDS, layout)
        q, r = layout.dot(3, 4)
        assert write_order(read_order("A walk to 3:4", words), words) == f"A walk to {q},{r}"

    @pytest.mark.parametrize("text", ["3:", ":4", "3:4.5", "3:4:5", "3 : 4", "three:4", "1" * 19 + ":0"])
    def test_what_is_none_says_both_forms(self, layout, text):
        words = by_column_and_row(WORDS, layout)
        with pytest.raises(ValueError, match="expected a dot such as 3,4, or 3:4 for column 3, row 4"):
            read_place(words, text)
        with pytest.raises(UnreadableOrder, match=r"a dot such as 3,4, or 3:4|end of the order"):
            read_order(f"A walk to {text}", words)


class TestBoards:
    def test_only_on_dots_places_have_two_names(self):
        assert on_board(WORDS, SquareGrid.open(3, 3)) is WORDS
        assert read_place(on_board(WORDS, DotMap.open(9, 9)), "3:2") == (2, 2)
        with pytest.raises(ValueError, match=r"expected a dot such as 3,4 \(got '3:2'\)"):
            read_place(WORDS, "3:2")

    def test_a_game_speaks_as_its_board_does(self, monkeypatch):
        monkeypatch.setattr(duel_ruleset.DuelRuleset, "boards", ("squares", "dots"))
        board = DotMap.open(9, 3)
        setting = Setting.of(duel_ruleset.RULESET, board)
        assert setting.vocabulary is on_board(duel_ruleset.RULESET.vocabulary, board)
        game = Game.new(duel_ruleset.RULESET, board, [duel_ruleset.fighter("A1", "red", 0)])
        assert game.read("A1 walk to 3:2").goal.place == (2, 2)
        assert game.write(game.read("A1 walk to 3:2")) == "A1 walk to 2,2"

    def test_headings_are_read_beside_them(self):
        assert read_heading(WORDS, "north") == 90

    def test_a_bare_board_understands_them_too(self):
        board = DotMap.open(9, 3)
        assert [read_on_bare_board(board, "3:2", axial=axial) for axial in (True, False)] == [(2, 2), (2, 2)]
        assert read_on_bare_board(board, "3, 2") == (2, 2)
        assert read_on_bare_board(board, "2,2", axial=True) == (2, 2)
        assert read_on_bare_board(SquareGrid.open(4, 4), "3,2") == (3, 2)
        for text in ("3:2", "3", "1.5,0", "a,b", "3,2,1"):
            with pytest.raises(UsageError, match="two whole numbers like 3,4"):
                read_on_bare_board(SquareGrid.open(4, 4), text)
