"""The words of a board about its ground: kinds, terrain, attributes. Their meaning is up to the rules.

Defaults (open terrain, level 0, no wall) are not words.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

#: The default terrain.
OPEN = "open"
#: The path of a part of a board: `("pieces", 3, "kind")`.
Path = tuple[str | int, ...]


class Word(NamedTuple):
    """One word of a board: `river` under `kind`, `level` under `level`."""

    key: str
    name: str
    path: Path
    #: For a piece's word: the kind and the id of the piece.
    of: str = ""
    piece: str = ""

    @property
    def is_value(self) -> bool:
        """Whether the word is chosen by the board's author, not a key of the format."""
        return self.key != self.name


def attribute_words(key: str, array: NDArray[Any]) -> list[Word]:
    """Return the word of an attribute of cells, if any cell has it."""
    return [Word(key, key, (key,))] if array.any() else []


def terrain_words(kinds: tuple[str, ...], codes: NDArray[np.int16]) -> list[Word]:
    """Return the words for the terrain of a lattice, without kinds that no cell has."""
    there = np.flatnonzero(np.bincount(codes[codes >= 0].ravel(), minlength=len(kinds)))
    return [Word("terrain", kinds[code], ("terrain",)) for code in there.tolist() if kinds[code] != OPEN]
