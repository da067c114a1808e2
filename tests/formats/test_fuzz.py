"""Whatever stands in a file: it is a board, or a FileError with a place for each fault. Nothing else, ever."""

import copy
import json
import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from told_faults import plain

from simulator.errors import FileError
from simulator.formats import strict_yaml
from simulator.formats.boards import board_text, load_board, parse_board
from simulator.formats.faults import Faults
from simulator.formats.starters import STARTERS

fuzz = settings(
    deadline=None,
    max_examples=150,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
ODD_TEXTS = (
    "",
    " ",
    "~",
    "&a",
    "*a",
    "!!x",
    "<<",
    "---",
    "\t",
    "|",
    "|2",
    "{",
    "]",
    "#",
    ":",
    ".nan",
    "1e999",
    "9" * 30,
    "é",
    "\0",
)
ODD_VALUES = (
    None,
    True,
    0,
    -1,
    1.5,
    2**62,
    -(2**62),
    1e300,
    "",
    "x",
    "N",
    "B",
    ".",
    [],
    {},
    [0, 0],
    [-1, 99],
    [[0, 0], [1, 0]],
    [[0, 0], [4, 0], [4, 3]],
    [[[0, 0], [1, 1]]],
    "....\n.##.",
)


def reads_or_refuses(text):
    try:
        parse_board(text)
    except FileError as error:
        assert error.faults
        for fault in error.faults:
            assert fault.message
            assert fault.line >= 0
            assert fault.column >= (fault.line > 0)


def mutate(value, dice, depth=0):
    """Change a tree somewhere: swap a value for an odd one, drop it, say it twice, or go deeper."""
    if isinstance(value, dict) and value and (depth == 0 or dice.random() < 0.7):
        key = dice.choice(list(value))
        change = dice.random()
        if change < 0.1:
            del value[key]
        elif change < 0.2:
            value[key + dice.choice("sx_")] = value.pop(key)
        else:
            value[key] = mutate(value[key], dice, depth + 1)
        return value
    if isinstance(value, list) and value and dice.random() < 0.8:
        number = dice.randrange(len(value))
        change = dice.random()
        if change < 0.1:
            del value[number]
        elif change < 0.2:
            value.append(copy.deepcopy(value[number]))
        else:
            value[number] = mutate(value[number], dice, depth + 1)
        return value
    return copy.deepcopy(dice.choice(ODD_VALUES))


@pytest.mark.parametrize("kind", STARTERS)
class TestEachKind:
    def test_with_odd_values(self, kind):
        """The tree is changed, the text stays sound YAML: this goes deep into the models and the builders."""

        @fuzz
        @given(st.integers(0, 2**32), st.integers(1, 6))
        def law(seed, changes):
            tree = plain(strict_yaml.load(STARTERS[kind], Faults("")))
            dice = random.Random(seed)
            for _ in range(changes):
                tree = mutate(tree, dice)
            reads_or_refuses(json.dumps(tree, ensure_ascii=False))

        law()

    def test_with_odd_texts_strewn_in(self, kind):
        @fuzz
        @given(st.integers(0, 2**32), st.integers(1, 4))
        def law(seed, changes):
            text, dice = STARTERS[kind], random.Random(seed)
            for _ in range(changes):
                start = dice.randrange(len(text))
                text = text[:start] + dice.choice(ODD_TEXTS) + text[start + dice.choice((0, 0, 1, 5)) :]
            reads_or_refuses(text)

        law()

    def test_with_lines_moved_about(self, kind):
        @fuzz
        @given(st.integers(0, 2**32))
        def law(seed):
            lines, dice = STARTERS[kind].split("\n"), random.Random(seed)
            for _ in range(dice.randrange(1, 4)):
                line = lines.pop(dice.randrange(len(lines)))
                lines.insert(dice.randrange(len(lines)), " " * dice.randrange(3) + line)
            reads_or_refuses("\n".join(lines))

        law()

    def test_cut_off_anywhere(self, kind):
        for end in range(0, len(STARTERS[kind]), 7):
            reads_or_refuses(STARTERS[kind][:end])


class TestNoBoardAtAll:
    @fuzz
    @given(st.text())
    def test_random_text(self, text):
        reads_or_refuses(text)

    @fuzz
    @given(st.binary())
    def test_random_bytes(self, tmp_path, data):
        path = tmp_path / "x.yaml"
        path.write_bytes(data)
        try:
            board = load_board(path)
        except FileError:
            return
        # Whoever draws the bytes knows the words of this program and may come upon a whole board.
        assert board_text(board)

    @fuzz
    @given(st.text(alphabet="[]{}:,-?!&*|>#%@`'\"\n \tab1.", max_size=40))
    def test_random_yaml(self, text):
        reads_or_refuses(text)
        reads_or_refuses(f"format: 1\nboard: table\nsize: {text}\n")

    @fuzz
    @given(
        st.recursive(
            st.sampled_from(ODD_VALUES),
            lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
            max_leaves=8,
        ),
        st.sampled_from(sorted(STARTERS)),
    )
    def test_random_trees(self, tree, kind):
        said = tree if isinstance(tree, dict) else {"rows": tree}
        reads_or_refuses(json.dumps({"format": 1, "board": kind, **said}))
