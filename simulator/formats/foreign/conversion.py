"""One conversion of a foreign map: the file, what the user wants, the words, and the report as it grows."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from simulator.formats.foreign.mapping import Words
from simulator.formats.foreign.report import Report

_WORD = re.compile(r"[a-z][a-z0-9_]*")
_NOT_IN_WORDS = re.compile(r"[^a-z0-9]+")


@dataclass(slots=True)
class Conversion:
    """What every reader of maps gets. `kind` is the kind of board, `scale` the length of a place or of a unit."""

    file: Path
    words: Words
    kind: str | None = None
    scale: float | None = None
    plane: bool = False
    report: Report = field(default_factory=Report)

    @property
    def name(self) -> str:
        """The name of the board: that of the file."""
        return self.file.stem


def plain_word(text: str, otherwise: str) -> str:
    """Return a text as a word of a table: small letters, digits and underscores, a letter first.

    >>> plain_word("Town Wall (north)", "piece"), plain_word("3", "piece")
    ('town_wall_north', 'piece_3')
    """
    if _WORD.fullmatch(text):
        return text
    word = _NOT_IN_WORDS.sub("_", text.casefold()).strip("_")
    if not word:
        return otherwise
    return word if word[0].isalpha() and word[0].isascii() else f"{otherwise}_{word}"
