"""Perft and its corpus: the counts are those kept, those of a second way of counting, and those of the command."""

import json
from collections import Counter
from pathlib import Path

import pytest

from simulator import load_scenario, parse_scenario
from simulator.errors import TooMuchAsked
from simulator.geometry.board import Lattice
from simulator.sweeps import perft as perft_module
from simulator.sweeps.corpus import counted, entry, kept_path, positions, reaches
from simulator.sweeps.perft import divide, moves, opened, perft

CORPUS = Path(__file__).resolve().parents[2] / "corpus"
PATHS = positions(CORPUS)
LATTICES = [path for path in PATHS if path.parent.name in ("grid_runner", "dot_trooper")]


def kept(path):
    return json.loads(kept_path(path).read_text(encoding="utf-8"))


def name_of(path):
    return f"{path.parent.name}/{path.stem}"


def test_every_rulebook_has_positions_and_each_its_counts():
    assert {path.parent.name for path in PATHS} == {
        *("combined_arms", "dot_trooper", "grid_runner", "mecha", "skirmish"),
    }
    for path in PATHS:
        assert kept(path)["scenario"] == path.name
        assert kept(path)["perft"][0]["lines"] > 1
        assert isinstance(load_scenario(path).setting.board, Lattice) == (path in LATTICES)


@pytest.mark.parametrize("path", [path for path in PATHS if path.parent.name != "mecha"], ids=name_of)
def test_reach_is_the_one_kept(path):
    assert reaches(load_scenario(path)) == kept(path)["reach"]


@pytest.mark.parametrize("path", [*LATTICES, CORPUS / "skirmish" / "wall.yaml"], ids=name_of)
def test_the_counts_of_depth_1_are_those_kept(path):
    assert counted(load_scenario(path), 1) == kept(path)["perft"][:1]


@pytest.mark.long
@pytest.mark.parametrize("path", PATHS, ids=name_of)
def test_everything_is_as_it_was_kept(path):
    assert entry(path) == kept_path(path).read_text(encoding="utf-8")


#: So small that every line of play can be walked through.
SMALL = """
format: 1
ruleset: grid_runner
board: {board: squares, legend: {".": {}}, rows: ". . ."}
units:
  a: {type: character, side: red, at: [0, 0]}
  b: {type: character, side: blue, at: [2, 0]}
"""


class TestCounts:
    def game(self):
        return opened(parse_scenario(SMALL))

    def test_lines_are_those_of_a_walk_through_all_of_them(self):
        """Without merging positions: every order, then every order after it."""
        first = list(moves(self.game()))
        second = [(order, text) for order, after in first for text, _ in moves(after)]
        one, two = perft(self.game(), 2)
        assert (one.lines, two.lines) == (len(first), len(second))

    def test_divide_adds_up(self):
        split = Counter(dict(divide(self.game(), 2)))
        *_, last = perft(self.game(), 2)
        assert sum(split.values()) == last.lines
        assert {order for order, _ in divide(self.game(), 1)} == set(split)

    def test_placings_are_no_more_than_positions_and_those_no_more_than_lines(self):
        for one in perft(self.game(), 2):
            assert 0 < one.placings <= one.positions <= one.lines

    def test_an_order_from_the_rulebook_by_hand(self):
        """GR-26: from the corner of three by three, past a wall that cannot be cut, and not onto the opponent."""
        corner = opened(load_scenario(CORPUS / "grid_runner" / "corner.yaml"))
        orders = [text for text, _ in moves(corner) if text.startswith("a one_square_move")]
        assert orders == ["a one_square_move to 1,0", "a one_square_move to 0,1"]

    def test_too_many_positions_are_a_limit(self, monkeypatch):
        monkeypatch.setattr(perft_module, "MOST_POSITIONS", 5)
        with pytest.raises(TooMuchAsked, match="depth 1 has more than 5 positions"):
            list(perft(self.game(), 2))
