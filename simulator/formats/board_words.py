"""Where in a board's file a word stands that a rulebook does not read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from simulator.engine.board_words import Unread
from simulator.formats.documents import SourceFile
from simulator.formats.faults import Path
from simulator.formats.strict_yaml import Node
from simulator.geometry.words import Word

#: Attributes of cells that can also be drawn as rows of numbers, and the key of those.
_DRAWN = {"level": "levels", "storeys": "storeys"}


def note_unread(source: SourceFile, unread: Unread) -> None:
    """Note in the faults of a board's file that a word of it is not read."""
    word = unread.word
    if len(word.path) > 1 and word.path[0] not in ("board", *source.root.value):
        return  # a part that the file leaves out is as usual, and so says nothing that could go unread
    source.fault(_place_of(word, source.root), unread.message, on_key=not word.is_value)


def _place_of(word: Word, root: Node) -> Path:
    """Return the path of a word: the first that says it, in the legend, the overrides or the edges of a drawn board."""
    if word.key == "scenery":
        return word.path[1:]
    if word.path[0] not in (word.key, "edges") or word.key in ("ground", "unit") or word.key.endswith("areas"):
        return word.path
    drawn = _DRAWN.get(word.key)
    if drawn is not None and drawn in root.value:
        return (drawn,)
    says = word.name if word.is_value else None
    for path, entry in _entries(root):
        said = entry.value.get(word.key) if isinstance(entry.value, dict) else None
        if said is not None and (said.value == says if word.is_value else bool(said.value)):
            return (*path, word.key)
    return word.path


def _entries(root: Node) -> Iterator[tuple[Path, Node]]:
    for key in ("legend", "overrides", "edges"):
        held: Any = root.value[key].value if key in root.value else ()
        parts = held.items() if isinstance(held, dict) else enumerate(held)
        yield from (((key, part), entry) for part, entry in parts)
