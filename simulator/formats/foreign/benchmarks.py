"""The maps of path-finding benchmarks, Moving AI `.map` and Polyanya `.mesh`, by the words of the mapping.

Each letter of a `.map` is a word; of a `.mesh` the closed ground is one, `closed`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from simulator.formats.foreign.conversion import Conversion
from simulator.formats.foreign.mapping import Meaning
from simulator.reading import read_ascii

if TYPE_CHECKING:
    from simulator.geometry.squares import SquareGrid
    from simulator.geometry.table import InchTable

_CLOSED = "closed"


def read(conversion: Conversion) -> SquareGrid | InchTable:
    """Read a `.map` or a `.mesh` file; raise FileError with line and column of a fault."""
    return _squares(conversion) if conversion.file.suffix.lower() == ".map" else _table(conversion)


def _squares(conversion: Conversion) -> SquareGrid:
    from simulator.formats.movingai import LETTERS, MOST_BYTES, parse_map
    from simulator.geometry.squares import SquareKind

    left_out, kinds = [], dict(LETTERS)
    for letter in LETTERS:
        meaning = conversion.words.find(letter)
        if meaning is not None and meaning.skip:
            left_out.append(letter)
            kinds[letter] = SquareKind()
        elif meaning is not None:
            kinds[letter] = SquareKind(meaning.named(0), meaning.closed, meaning.impeded)
    text = read_ascii(conversion.file, MOST_BYTES)
    grid = parse_map(text, str(conversion.file), conversion.name, kinds)
    _, _, drawing = text.partition("map")
    for letter in filter(drawing.count, left_out):
        conversion.report.lose(f"{letter} (left out by the mapping)", "", drawing.count(letter))
    return grid if conversion.scale is None else replace(grid, square_size=conversion.scale)


def _table(conversion: Conversion) -> InchTable:
    from simulator.formats.foreign.tables import kind_word
    from simulator.formats.polyanya import load_table

    table = load_table(conversion.file, conversion.scale or 1.0)
    meaning = conversion.words.find(_CLOSED) or Meaning("obstacle", closed=True)
    if meaning.skip:
        conversion.report.lose(f"{_CLOSED} ground (left out by the mapping)", "", len(table.pieces))
        return replace(table, pieces=())
    kind = kind_word(conversion, _CLOSED, meaning)
    layer = meaning.layer or ("obstacle" if meaning.closed else "ground")
    pieces = (replace(piece, kind=kind, layer=layer, height=meaning.height) for piece in table.pieces)
    return replace(table, pieces=tuple(pieces))
