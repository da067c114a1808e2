"""Writing YAML that is read as it was meant, by us and by others."""

import pytest
import yaml

from simulator.errors import BoardError
from simulator.formats.yaml_text import drawing, entries, flow, number, text


class TestTexts:
    @pytest.mark.parametrize("plain", ["open", "Loading dock", "even-rows", "B2", "e1"])
    def test_a_plain_word_stands_as_it_is(self, plain):
        assert text(plain) == plain

    @pytest.mark.parametrize(
        "said", ["", "no", "True", "NULL", "y", "0101", "12:30", "1e3", "a: b", "a #b", "- a", "~", "[a]", "é", "a\nb"]
    )
    def test_what_might_mean_something_else_stands_in_quotes(self, said):
        assert text(said).startswith('"')
        assert yaml.safe_load(text(said)) == said

    @pytest.mark.parametrize(
        "unseen", ["\x00", "\x7f", "\x85", "\xa0", "\u200b", "\u202e", "\u2028", "\ufeff", "\U000e0041"]
    )
    def test_what_can_not_be_seen_is_escaped(self, unseen):
        assert text(f"a{unseen}b").isascii()
        assert yaml.safe_load(text(f"a{unseen}b")) == f"a{unseen}b"

    def test_half_a_character_is_refused(self):
        with pytest.raises(BoardError, match="lone surrogate"):
            text("a\udc80")


class TestNumbers:
    @pytest.mark.parametrize(
        ("value", "written"), [(2.0, "2"), (-3, "-3"), (0.1, "0.1"), (-0.0, "-0.0"), (1e300, "1e+300"), (1e-7, "1e-07")]
    )
    def test_are_read_back_exactly(self, value, written):
        assert number(value) == written
        assert float(written) == value


class TestLayout:
    def test_values_in_one_line(self):
        assert flow({"at": (1, 2.5), "wall": True, "text": "a, b"}) == '{at: [1, 2.5], wall: true, text: "a, b"}'

    def test_a_list_without_entries_is_left_out(self):
        assert entries("labels", []) == []
        assert entries("labels", [{"at": (0, 0)}]) == ["labels:", "  - {at: [0, 0]}"]

    def test_a_drawing_whose_first_row_stands_further_right_says_where_rows_begin(self):
        lines = drawing("rows", [" . .", ". ."])
        assert lines == ["rows: |2", "   . .", "  . ."]
        assert yaml.safe_load("\n".join(lines) + "\n") == {"rows": " . .\n. .\n"}
