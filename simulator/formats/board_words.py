"""The position in a board's file of a word that a rulebook does not read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from simulator.engine.board_words import Unread
from simulator.formats.documents import SourceFile
from simulator.formats.faults import Path
from simulator.formats.strict_yaml import Node
from simulator.geometry.ground_words import Word

#: Attributes of cells that can also be drawn as rows of numbers, and the key of those.
_DRAWN = {"level": "levels", "storeys": "storeys"}


def note_unread(source: SourceFile, unread: Unread) -> None:
    """Add a fault to a board's file: one of its words is not read."""
    word = unread.word
    if len(word.path) > 1 and word.path[0] not in ("board", *source.root.value):
        return  # a key that the file leaves out has its default, which is no word of the file
    source.fault(_place_of(word, source.root), unread.message, on_key=not word.is_value)


def _place_of(word: Word, root: Node) -> Path:
    """Return the path of a word: its first use in the legend, the overrides or the edges of a drawn board."""
    if word.key == "scenery":
        return word.path[1:]
    if word.path[0] not in (word.key, "edges") or word.key in ("ground", "unit") or word.key.endswith("areas"):
        return word.path
    drawn = _DRAWN.get(word.key)
    if drawn is not None and drawn in root.value:
        return (drawn,)
    expected = word.name if word.is_value else None
    for path, entry in _entries(root):
        node = entry.value.get(word.key) if isinstance(entry.value, dict) else None
        if node is not None and (node.value == expected if word.is_value else bool(node.value)):
            return (*path, word.key)
    return word.path


def _entries(root: Node) -> Iterator[tuple[Path, Node]]:
    for key in ("legend", "overrides", "edges"):
        value: Any = root.value[key].value if key in root.value else ()
        parts = value.items() if isinstance(value, dict) else enumerate(value)
        yield from (((key, part), entry) for part, entry in parts)
