"""The words that a board says of its ground: kinds, terrain, attributes. What they mean is for the rules.

What is as usual (open terrain, level 0, no wall) says nothing and is no word.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

#: The terrain of ground of which nothing is said.
OPEN = "open"
#: The way to a part of a board: `("pieces", 3, "kind")`.
Path = tuple[str | int, ...]


class Word(NamedTuple):
    """One word of a board: `river` under `kind`, `level` under `level`."""

    key: str
    name: str
    path: Path
    #: Of a piece's word: the kind of the piece, and what the piece is called.
    of: str = ""
    piece: str = ""

    @property
    def is_value(self) -> bool:
        """Whether the word is chosen by the board's author, not a key of the format."""
        return self.key != self.name


def said_by(key: str, array: NDArray[Any]) -> list[Word]:
    """Return the word of an attribute of cells, if any cell has it."""
    return [Word(key, key, (key,))] if array.any() else []


def terrain_words(kinds: tuple[str, ...], codes: NDArray[np.int16]) -> list[Word]:
    """Return the words for the terrain of a lattice; what lies in no cell is not said."""
    there = np.flatnonzero(np.bincount(codes[codes >= 0].ravel(), minlength=len(kinds)))
    return [Word("terrain", kinds[code], ("terrain",)) for code in there.tolist() if kinds[code] != OPEN]
