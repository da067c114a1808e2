"""The starter files: they load, they show the main features, and each key is explained."""

import re

import pytest

from simulator.errors import BoardError
from simulator.formats.boards import board_text, parse_board
from simulator.formats.dots_models import DotLook
from simulator.formats.schema import MODELS
from simulator.formats.squares_models import SquareLook
from simulator.formats.starters import STARTERS, starter


@pytest.mark.parametrize("kind", MODELS)
class TestEachStarter:
    def test_is_a_board_of_its_kind_and_comes_back_the_same(self, kind):
        board = parse_board(starter(kind))
        assert board.kind == kind
        assert parse_board(board_text(board)) == board

    def test_uses_every_key_but_those_for_rare_needs(self, kind):
        rare = {"levels", "storeys", "first"}
        said = set(re.findall(r"^(\w+):", starter(kind), re.MULTILINE))
        assert said == {field for field in MODELS[kind].model_fields if field not in rare}

    def test_explains_each_key(self, kind):
        """By a remark in its line, in a line above it, or in one of the first lines of its block."""
        lines = starter(kind).splitlines()
        for number, line in enumerate(lines):
            if re.match(r"\w+:", line) and not re.match(r"(description|unit):", line):
                assert "#" in line or lines[number - 1].startswith("#"), line


def test_the_starters_of_lattices_use_every_key_of_a_legend():
    for kind, look in (("squares", SquareLook), ("dots", DotLook)):
        for key in look.model_fields:
            assert re.search(rf"\b{key}: ", STARTERS[kind]), key


def test_a_map_has_one_edge_of_each_kind():
    kinds = {edge.kind for edge in parse_board(starter("dots")).edges}
    assert kinds == {"wall", "door", "window", "stairs", "ramp"}


def test_no_starter_of_an_unknown_kind():
    with pytest.raises(BoardError, match="no such kind of board 'square'; did you mean 'squares'"):
        starter("square")
