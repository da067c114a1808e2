"""Board files: reading one, checking one, writing one.

>>> board = parse_board('''
... format: 1
... board: squares
... legend: {".": {}, "#": {wall: true}}
... rows: |
...   ..#
...   ...
... ''')
>>> board.neighbours((1, 1))
[(1, 0), (0, 0), (0, 1), (2, 1)]
>>> parse_board(board_text(board)) == board
True
"""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path
from typing import Any

from simulator.errors import BoardError, Fault, FileError, LimitReached, text_given
from simulator.formats import limits, strict_yaml
from simulator.formats.documents import BoardKind, SourceFile, validate
from simulator.formats.faults import Faults, got, no_such
from simulator.formats.lattices import check_drawing_alone
from simulator.geometry.board import Board
from simulator.reading import read_whole
from simulator.writing import write_whole

FORMAT = 1


#: The modules of the kinds of boards. Each is loaded with its first board: what one kind needs, others do without.
KINDS: dict[str, str] = {
    "squares": "simulator.formats.squares_file",
    "dots": "simulator.formats.dots_file",
    "table": "simulator.formats.table_file",
}


def load_board(path: str | os.PathLike[str]) -> Board[Any]:
    """Read a board file; raise FileError with all its faults. A board without a name takes that of the file."""
    return load_board_with_source(path)[0]


def load_board_with_source(path: str | os.PathLike[str]) -> tuple[Board[Any], SourceFile]:
    """Read a board file; return the board and its tree, which has the line of every value."""
    return _board_of(read_whole(path, limits.FILE_BYTES.most), str(path), Path(path).stem)


def parse_board(text: str, file: str = "<text>") -> Board[Any]:
    """Read a board from a text. Faults refer to it as `file`; a board without a name keeps none."""
    return _board_of(text_given("a board", text).encode("utf-8", "surrogatepass"), file, "")[0]


def check_board(path: str | os.PathLike[str]) -> list[Fault]:
    """List all faults of a board file; empty if it can be played on."""
    try:
        load_board(path)
    except FileError as error:
        return list(error.faults)
    return []


def board_text(board: Board[Any]) -> str:
    """Return a board as the text of a file, after checking that reading it returns an equal board."""
    if board.kind not in KINDS:
        raise BoardError(f"no file format for a {type(board).__name__}")
    text = _kind_named(board.kind).text(board)
    try:
        again = parse_board(text, "the board as it would be written")
    except LimitReached:
        raise
    except FileError as error:
        raise BoardError(f"cannot be written: {error.faults[0].path}: {error.faults[0].message}") from error
    if again != board:
        raise BoardError("cannot be written: read back, it would be another board")
    return text


def save_board(board: Board[Any], path: str | os.PathLike[str]) -> None:
    """Write a board file. An existing file is replaced atomically, or stays as it was."""
    write_whole(Path(path), board_text(board).encode())


def _board_of(data: bytes, file: str, name: str) -> tuple[Board[Any], SourceFile]:
    faults = Faults(file)
    text = strict_yaml.decode(data, faults)
    root = None if text is None else strict_yaml.load(text, faults)
    source = None if root is None else SourceFile(root, faults)
    board = None if source is None else build_board(source, name)
    faults.raise_if_any()
    if board is None or source is None:
        raise AssertionError("no board, but no faults either")
    return board, source


def build_board(source: SourceFile, name: str) -> Board[Any] | None:
    """Build the board that a tree describes; None if it is faulty, with the faults added to the source."""
    kind = _kind_of(source)
    document = None if kind is None else validate(source, kind.model)
    if kind is None:
        return None
    if document is None:
        check_drawing_alone(source)
        return None
    try:
        return kind.build(document, source, document.name if "name" in document.model_fields_set else name)
    except BoardError as error:
        source.fault_of_board(error)
        return None


def describes_board(source: SourceFile) -> bool:
    """Return whether a tree is that of a board's file: it names a kind of board and no ruleset."""
    keys = source.root.value
    return isinstance(keys, dict) and "ruleset" not in keys and "board" in keys and keys["board"].value in tuple(KINDS)


def _kind_named(word: str) -> BoardKind:
    kind: BoardKind = import_module(KINDS[word]).KIND
    return kind


def _kind_of(source: SourceFile) -> BoardKind | None:
    """Return the kind of board: nothing else can be checked before it is known."""
    root = source.root
    if not isinstance(root.value, dict):
        what = "a list" if isinstance(root.value, list) else "a single value"
        source.fault((), f"expected keys and values, first `format: {FORMAT}` (got {what})")
        return None
    if "ruleset" in root.value:
        source.fault((), "a scenario, not a board; pass the board that it names under `board`")
        return None
    keys = {key: root.value[key].value if key in root.value else None for key in ("format", "board")}
    if "format" not in root.value:
        source.fault(("format",), f"is missing: a board file begins with `format: {FORMAT}`")
    elif type(keys["format"]) is not int or keys["format"] != FORMAT:
        source.fault(("format",), f"this version reads format {FORMAT} {got(keys['format'])}")
        return None
    if "board" not in root.value:
        source.fault(("board",), f"is missing: one of {', '.join(KINDS)}")
        return None
    word = keys["board"]
    if isinstance(word, str) and word in KINDS:
        return _kind_named(word)
    source.fault(
        ("board",), no_such(word, KINDS, "kind of board") if isinstance(word, str) else f"expected a word {got(word)}"
    )
    return None
