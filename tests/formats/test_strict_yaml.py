"""The strict reader of YAML: scalars, places, and all that it refuses."""

import math

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from told_faults import plain

from simulator.formats import limits, strict_yaml
from simulator.formats.faults import Faults


@pytest.fixture(params=["libyaml", "python"], autouse=True)
def parser(request, monkeypatch):
    """Every test runs with both parsers of PyYAML."""
    if request.param == "libyaml" and not yaml.__with_libyaml__:
        pytest.skip("PyYAML was built without libyaml")
    monkeypatch.setattr(strict_yaml, "PARSER", yaml.CSafeLoader if request.param == "libyaml" else yaml.SafeLoader)


def read(text):
    faults = Faults("x.yaml")
    node = strict_yaml.load(text, faults)
    faults.raise_if_any()
    return node


def faults_of(text):
    faults = Faults("x.yaml")
    strict_yaml.load(text, faults)
    return [str(fault) for fault in faults.sorted()]


class TestScalars:
    """YAML 1.2, not 1.1: what looks like a word is one."""

    @pytest.mark.parametrize(
        ("written", "meant"),
        [
            ("0101", 101),
            ("-017", -17),
            ("+3", 3),
            ("0o17", 15),
            ("0xFf", 255),
            ("0b11", "0b11"),
            ("1_000", "1_000"),
            ("12:30", "12:30"),
            ("2024-01-02", "2024-01-02"),
            ("no", "no"),
            ("on", "on"),
            ("y", "y"),
            ("true", True),
            ("FALSE", False),
            ("~", None),
            ("Null", None),
            ("1e3", 1000.0),
            ("1.5", 1.5),
            (".5", 0.5),
            ("5.", 5.0),
            ("-1E-2", -0.01),
            ("e1", "e1"),
            ("1.2.3", "1.2.3"),
            ("9223372036854775807", 2**63 - 1),
            ("-9223372036854775807", -(2**63) + 1),
            ("00000000000000000000000000000000000000000001", 1),
            ('"0101"', "0101"),
            ("'no'", "no"),
            ('"\\u263a\\0"', "\u263a\0"),
        ],
    )
    def test_mean_what_stands_there(self, written, meant):
        value = read(f"key: {written}\n").value["key"].value
        assert value == meant
        assert type(value) is type(meant)

    @pytest.mark.parametrize("written", [".nan", ".NaN", ".inf", "-.INF", "+.Inf"])
    def test_no_number_without_an_end(self, written):
        assert faults_of(f"a: [1, {written}]") == [f"x.yaml:1:8: a[1]: expected a finite number (got {written})"]

    @pytest.mark.parametrize(
        "written",
        ["9223372036854775808", "-9223372036854775808", "0xFFFFFFFFFFFFFFFF", "0o7777777777777777777777", "9" * 5000],
    )
    def test_no_integer_beyond_64_bits(self, written):
        (fault,) = faults_of(f"a: {written}")
        assert fault.startswith("x.yaml:1:4: a: the number ")
        assert fault.endswith("does not fit into 64 bits")

    @pytest.mark.parametrize("written", ["1e999", "-1e400"])
    def test_no_float_that_overflows(self, written):
        assert faults_of(f"a: {written}") == [f"x.yaml:1:4: a: the number {written} is too large"]

    @given(st.floats(allow_nan=False, allow_infinity=False))
    @settings(deadline=None, max_examples=100)
    def test_floats_are_read_exactly(self, value):
        got = read(f"a: {value!r}").value["a"].value
        assert got == value
        assert math.copysign(1, got) == math.copysign(1, value)

    def test_keys_are_words_whatever_they_look_like(self):
        assert plain(read("1: a\n~: b\nno: c\n0x1: d\n1.50: e\n")) == {
            "1": "a",
            "~": "b",
            "no": "c",
            "0x1": "d",
            "1.50": "e",
        }

    def test_json_is_read_as_it_stands(self):
        assert plain(read('{"a": [1, 2.5, "x\\n", true, null], "b": {}}')) == {
            "a": [1, 2.5, "x\n", True, None],
            "b": {},
        }


class TestPlaces:
    def test_every_key_and_value_knows_its_own(self):
        root = read("# first\na: 1\nlist:\n  - x\n  - {k:   v}\n")
        assert (root.line, root.column) == (2, 1)
        one = root.value["a"]
        assert (one.line, one.column, one.key_line, one.key_column) == (2, 4, 2, 1)
        v = root.value["list"].value[1].value["k"]
        assert (v.line, v.column, v.key_line, v.key_column) == (5, 11, 5, 6)

    @pytest.mark.parametrize(
        ("text", "line", "column", "value"),
        [
            ("rows: |\n  ab\n  cd\n", 2, 3, "ab\ncd\n"),
            ("rows: |   # a remark\n      ab\n", 2, 7, "ab\n"),
            ("rows: |2\n   ab\n  cd\n", 2, 3, " ab\ncd\n"),
            ("rows: |-\n  ab\n", 2, 3, "ab"),
            ("rows: |\n\n\n  ab\n", 2, 3, "\n\nab\n"),
            ("rows: |\r\n  ab\r\n  cd\r\n", 2, 3, "ab\ncd\n"),
            ("rows: |\n", 2, 1, ""),
            ("a:\n  rows: |\n    ab\nb: 1\n", 3, 5, "ab\n"),
        ],
    )
    def test_a_block_stands_where_its_first_character_stands(self, text, line, column, value):
        node = read(text)
        node = node.value["a"].value["rows"] if "a" in node.value else node.value["rows"]
        assert (node.value, node.is_block, node.line, node.column) == (value, True, line, column)

    def test_folded_and_quoted_texts_are_no_blocks(self):
        root = read("a: >\n  x\n  y\nb: 'x\n  y'\n")
        assert not root.value["a"].is_block
        assert not root.value["b"].is_block
        assert root.value["a"].value == "x y\n"


class TestRefusals:
    @pytest.mark.parametrize(
        ("text", "fault"),
        [
            ("", "x.yaml: the file is empty"),
            ("# nothing but a remark\n", "x.yaml: the file is empty"),
            ("---\n", "x.yaml: the file is empty"),
            ("a: &x 1\nb: *x\n", "x.yaml:1:4: anchors like &x are not allowed: write the value out"),
            ("a: *x\n", "x.yaml:1:4: aliases like *x are not allowed: write the value out"),
            (
                "a: !!str 1\n",
                "x.yaml:1:4: tags like tag:yaml.org,2002:str are not allowed: the format defines all types",
            ),
            (
                "a: !python/object:os.system {}\n",
                "x.yaml:1:4: tags like !python/object:os.system are not allowed: the format defines all types",
            ),
            ("a: ! x\n", "x.yaml:1:4: tags like ! are not allowed: the format defines all types"),
            ("a: 1\n<<: {b: 2}\n", "x.yaml:2:1: merge keys are not allowed: write the values out"),
            ("a: 1\n---\nb: 2\n", "x.yaml:2:1: a second document begins here: one file holds one"),
            ("%YAML 1.1\n---\na: 1\n", "x.yaml:1:1: no directive but %YAML 1.2 is allowed"),
            ("%TAG !e! tag:example.com,2000:\n---\na: 1\n", "x.yaml:1:1: no directive but %YAML 1.2 is allowed"),
            ("? [a]\n: 1\n", "x.yaml:1:3: a key is a single word, not a list, a mapping or a block of text"),
            ("{{a: 1}: 2}\n", "x.yaml:1:2: a key is a single word, not a list, a mapping or a block of text"),
            ("? |\n  a\n: 1\n", "x.yaml:1:3: a key is a single word, not a list, a mapping or a block of text"),
            ("a: x\0y\n", "x.yaml:1:5: the character U+0000 is not allowed: write it as an escape"),
            ("a: 1\nb: x\x1b[0m\n", "x.yaml:2:5: the character U+001B is not allowed: write it as an escape"),
            ("a: x\u2028y\n", "x.yaml:1:5: the character U+2028 is not allowed: write it as an escape"),
            ("a: x\x85y\n", "x.yaml:1:5: the character U+0085 is not allowed: write it as an escape"),
            ("a: x\ud800y\n", "x.yaml:1:5: the character U+D800 is not allowed: write it as an escape"),
            ("a:\n\t- 1\n", "x.yaml:2:1: a tab cannot indent YAML, use spaces"),
            ("a:\n  b: 1\n\tc: 2\n", "x.yaml:3:1: a tab cannot indent YAML, use spaces"),
            ("a: b: c\n", "x.yaml:1:5: unexpected colon: quote a text that contains one, or correct the indentation"),
            ("a: @x\n", "x.yaml:1:4: a text cannot begin with this character unless it is quoted"),
            ("a: - 1\n", "x.yaml:1:4: unexpected list item: begin it on a line of its own"),
            ("a:\n  - 1\n b: 2\n", "x.yaml:3:2: this line does not fit the indentation of the lines above"),
            ("- 1\nb: 2\n", None),
            ("a: 'x\n", None),
            ("a: [1, 2\n", None),
            ("a: {b: 1\n", None),
        ],
    )
    def test_each_says_why_and_where(self, text, fault):
        found = faults_of(text)
        assert len(found) == 1
        if fault is not None:
            assert found == [fault]

    def test_a_key_said_twice_keeps_its_first_value_and_the_rest_is_read(self):
        faults = Faults("x.yaml")
        root = strict_yaml.load("a: 1\nb: {c: 1, c: [2, {d: 3}]}\na: 2\nz: 4\n", faults)
        assert plain(root) == {"a": 1, "b": {"c": 1}, "z": 4}
        assert [str(fault) for fault in faults.sorted()] == [
            "x.yaml:2:11: b.c: duplicate key, first used in line 2",
            "x.yaml:3:1: a: duplicate key, first used in line 1",
        ]

    def test_a_drawing_that_begins_further_right_is_told_about_the_indicator(self):
        text = "rows: |\n     . .\n    . .\n"
        assert faults_of(text) == [
            "x.yaml:3:5: this line does not fit the indentation of the lines above; "
            "if the first row of a drawing is indented further, begin it with `|4`"
        ]
        assert plain(read(text.replace("|", "|4"))) == {"rows": " . .\n. .\n"}

    def test_a_billion_laughs_end_at_the_first(self):
        bomb = "a: &a [x, x]\n" + "".join(
            f"{chr(98 + n)}: &{chr(98 + n)} [*{chr(97 + n)}, *{chr(97 + n)}]\n" for n in range(20)
        )
        assert faults_of(bomb) == ["x.yaml:1:4: anchors like &a are not allowed: write the value out"]

    @pytest.mark.parametrize(("begin", "end"), [("[", "]"), ("{a: ", "}"), ("- ", "")])
    def test_nesting_ends_at_its_limit_and_never_at_the_stack(self, begin, end):
        most = limits.NESTING.most
        assert read(begin * (most - 1) + "[]" + end * (most - 1))
        (fault,) = faults_of(begin * most + "[]" + end * most)
        assert "33 is beyond the limit: at most 32 (lists and mappings inside one another)" in fault
        assert len(faults_of(begin * 10_000)) == 1

    def test_bytes_that_are_no_text(self):
        faults = Faults("x.yaml")
        assert strict_yaml.decode(b"a: 1\nb: \xc3\xa9\xff", faults) is None
        assert [str(fault) for fault in faults.sorted()] == [
            "x.yaml:2:5: not a text in UTF-8 (byte 0xff): save it as such"
        ]

    def test_a_byte_order_mark_is_no_fault(self):
        assert strict_yaml.decode(b"\xef\xbb\xbfa: 1", Faults("x.yaml")) == "a: 1"

    @given(st.text(max_size=60))
    @settings(deadline=None, max_examples=150)
    def test_no_text_is_too_odd_to_be_refused_politely(self, text):
        faults = Faults("x.yaml")
        assert (strict_yaml.load(text, faults) is not None) or faults
