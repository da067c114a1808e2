"""Small changes to the text of a file, which leave all else as it is written."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from simulator.formats.editing import CannotEdit, plain, with_glyphs, with_part_inside, with_value, without

HERE = Path(__file__).resolve().parents[2]
SCENARIOS = sorted(HERE.glob("scenarios/*/*.yaml"))

TEXT = """\
# A yard.
format: 1
board:
  board: squares
  legend:
    ".": {terrain: mud}   # the ground
    "#": {wall: true}
  rows: |
    ..#.
    .#..

    ....   # no comment, but more glyphs
  labels: []
units:      # two of them
  rex: {type: scout, at: [1, 2]}  # the leader

  ada:
    type: scout
    at: [0, 0]
turns:
  - - rex move: e
    - done
"""


class TestValues:
    def test_a_value_is_replaced_where_it_stands(self):
        assert with_value(TEXT, ("units", "rex", "at"), [3, 4]) == TEXT.replace("[1, 2]", "[3, 4]")

    def test_a_key_is_added_to_a_mapping_on_one_line(self):
        assert with_value(TEXT, ("units", "rex", "heading"), 90) == TEXT.replace("[1, 2]}", "[1, 2], heading: 90}")

    def test_a_key_is_added_below_the_others(self):
        changed = with_value(TEXT, ("units", "bo"), {"type": "scout", "at": [5, 5]})
        assert changed == TEXT.replace("at: [0, 0]\n", "at: [0, 0]\n  bo: {type: scout, at: [5, 5]}\n")

    def test_a_list_grows(self):
        assert "labels: [{at: [1, 1], text: Gate}]" in with_value(
            TEXT, ("board", "labels", 0), {"at": [1, 1], "text": "Gate"}
        )

    def test_what_is_missing_on_the_way_is_made(self):
        assert plain(with_value(TEXT, ("options", "scale"), "m2"))["options"] == {"scale": "m2"}

    def test_a_key_without_a_value_is_filled(self):
        assert (
            with_value("units:\nturns: []\n", ("units", "rex"), {"type": "x"}) == "units: {rex: {type: x}}\nturns: []\n"
        )

    def test_the_last_line_may_lack_its_end(self):
        assert with_value("a: 1", ("b",), 2) == "a: 1\nb: 2"

    def test_words_that_could_be_read_otherwise_are_quoted(self):
        assert with_value("a: 1\n", ("no", "x: y"), "007") == 'a: 1\n"no": {"x: y": "007"}\n'

    @pytest.mark.parametrize(
        "path",
        [
            ("format", "x"),
            ("board", "legend", 0),
            ("board", "labels", "x"),
            ("board", "labels", 1),
            ("board", "new", 1),
        ],
    )
    def test_where_there_is_no_room_nothing_is_put(self, path):
        with pytest.raises(CannotEdit, match="there is no room for"):
            with_value(TEXT, path, 1)

    @pytest.mark.parametrize("text", ["aaa", "[1, 2]", "- 1", '"x"'])
    def test_a_text_without_keys_takes_none(self, text):
        with pytest.raises(CannotEdit):
            with_value(text, ("units", "kit"), 1)


class TestRemoving:
    @pytest.mark.parametrize(
        ("path", "old", "new"),
        [
            (("units", "rex"), "  rex: {type: scout, at: [1, 2]}  # the leader\n", ""),
            (("units", "ada"), "  ada:\n    type: scout\n    at: [0, 0]\n", ""),
            (("units", "rex", "at"), ", at: [1, 2]", ""),
            (("units", "rex", "type"), "type: scout, at: [1", "at: [1"),
            (("board", "legend", "#"), '    "#": {wall: true}\n', ""),
            (("board", "labels"), "  labels: []\n", ""),
        ],
    )
    def test_only_that_goes(self, path, old, new):
        assert without(TEXT, path) == TEXT.replace(old, new)

    def test_the_last_of_a_mapping_leaves_it_empty(self):
        assert without("units:\n  rex: {type: x}\n", ("units", "rex")) == "units:\n  {}\n"

    def test_what_is_not_there_cannot_go(self):
        with pytest.raises(CannotEdit, match=r"there is no units\.max"):
            without(TEXT, ("units", "max"))


class TestDrawings:
    def test_glyphs_are_painted_by_row_and_column(self):
        changed = with_glyphs(TEXT, ("board", "rows"), [(0, 0), (1, 3), (0, 2)], "~")
        assert changed == TEXT.replace("    ..#.\n    .#..\n", "    ~.~.\n    .#.~\n")

    def test_blanks_between_glyphs_stay(self):
        text = "rows: |\n  . . .\n   . . .\n"
        assert with_glyphs(text, ("rows",), [(1, 1)], "x") == "rows: |\n  . . .\n   . x .\n"

    @pytest.mark.parametrize("cell", [(-1, 0), (0, 4), (3, 0), (0, -1)])
    def test_outside_nothing_is_painted(self, cell):
        with pytest.raises(CannotEdit, match=f"row {cell[0]}, column {cell[1]}"):
            with_glyphs(TEXT, ("board", "rows"), [cell], "~")

    @pytest.mark.parametrize("glyph", ["", "ab", " ", "\n"])
    def test_a_glyph_is_one_visible_character(self, glyph):
        with pytest.raises(CannotEdit, match="one visible character"):
            with_glyphs(TEXT, ("board", "rows"), [(0, 0)], glyph)

    def test_only_drawings_are_painted(self):
        with pytest.raises(CannotEdit, match="no drawing"):
            with_glyphs(TEXT, ("format",), [(0, 0)], "~")


def test_a_file_is_taken_in_with_its_comments():
    text = "format: 1\nboard: ../yard.yaml   # ours\nunits: {}\n"
    board = '# A yard.\nformat: 1\nboard: squares\nlegend: {".": {}}   # open\nrows: |\n  ..\n  ..\n'
    assert with_part_inside(text, "board", board, ["format"]) == (
        "format: 1\nboard:\n  # A yard.\n  board: squares\n"
        '  legend: {".": {}}   # open\n  rows: |\n    ..\n    ..\n   # ours\nunits: {}\n'
    )


class TestEveryFile:
    @pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: f"{path.parent.name}-{path.stem}")
    def test_each_unit_moves_and_goes_and_comes_back(self, path):
        text = path.read_text("utf-8")
        units = plain(text)["units"]
        for name, unit in units.items():
            moved = with_value(text, ("units", name, "at"), [1, 2])
            assert plain(moved)["units"][name] == {**unit, "at": [1, 2]}
            assert comments(moved) == comments(text)
            gone = without(text, ("units", name))
            assert name not in plain(gone)["units"]
            assert plain(with_value(gone, ("units", name), unit)) == plain(text)

    @pytest.mark.parametrize("seed", range(40))
    def test_values_anywhere_are_changed_or_left_to_people(self, seed):
        chance = random.Random(seed)
        text = chance.choice(SCENARIOS).read_text("utf-8")
        done = 0
        for _ in range(12):
            path = any_path(plain(text), chance)
            act = chance.choice(["put", "remove"])
            try:
                text = (
                    with_value(text, path, chance.choice([7, "a: b", [1, "x"], {"k": True}]))
                    if act == "put"
                    else without(text, path)
                )
                done += 1
            except CannotEdit:
                continue
        assert done


def comments(text: str) -> list[str]:
    return [line.partition(" # ")[2] for line in text.splitlines() if " # " in line]


def any_path(data: object, chance: random.Random) -> tuple[str | int, ...]:
    path: list[str | int] = []
    while isinstance(data, dict | list) and data and (not path or chance.random() < 0.8):
        key = chance.choice(list(data)) if isinstance(data, dict) else chance.randrange(len(data))
        path.append(key)
        data = data[key]
    return tuple(path)
