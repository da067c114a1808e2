"""Boards drawn as text: rows of glyphs and a legend of their meanings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from simulator.errors import BoardError, text_given

Cell = TypeVar("Cell")


class RowsError(BoardError):
    """An invalid drawing. `row` and `column` count the glyphs from 0."""

    def __init__(self, message: str, row: int, column: int) -> None:
        super().__init__(message, f"rows[{row}]")
        self.row = row
        self.column = column


def split_drawing(text: str) -> list[str]:
    """Split a drawing in Python source into rows, without blank first and last lines and common indentation.

    >>> split_drawing('''
    ...     . . #
    ...     . . .
    ... ''')
    ['. . #', '. . .']
    """
    rows = [row.rstrip() for row in text_given("a drawing", text).split("\n")]
    while rows and not rows[0]:
        rows.pop(0)
    while rows and not rows[-1]:
        rows.pop()
    margin = min((len(row) - len(row.lstrip()) for row in rows if row), default=0)
    return [row[margin:] for row in rows]


def read_rows(rows: Sequence[str], legend: Mapping[str, Cell]) -> tuple[tuple[Cell, ...], NDArray[np.intp]]:
    """Convert drawn rows to an index into the legend's cells for each glyph.

    White space between glyphs is ignored. Faults of shape and glyph name the first faulty place.

    >>> read_rows(["..#", ". . ."], {".": "open", "#": "wall"})[1]
    array([[0, 0, 1],
           [0, 0, 0]])
    """
    glyph_rows = ["".join(row.split()) for row in rows]
    if not glyph_rows or not glyph_rows[0]:
        raise RowsError("the drawing is empty", 0, 0)
    width = len(glyph_rows[0])
    for number, row in enumerate(glyph_rows):
        if len(row) != width:
            raise RowsError(f"{len(row)} glyphs, but the first row has {width}", number, min(len(row), width))
    points = np.frombuffer("".join(glyph_rows).encode("utf-32-le"), np.uint32).reshape(len(glyph_rows), width)
    glyphs = np.array([ord(glyph) for glyph in legend], np.uint32)
    order = np.argsort(glyphs)
    slot = np.searchsorted(glyphs, points, sorter=order) if len(glyphs) else np.zeros(points.shape, np.intp)
    codes = order[np.minimum(slot, len(glyphs) - 1)] if len(glyphs) else slot
    unknown = glyphs[codes] != points if len(glyphs) else np.ones(points.shape, np.bool_)
    if unknown.any():
        at_row, at_column = (int(index) for index in np.argwhere(unknown)[0])
        known = " ".join(legend) or "none"
        raise RowsError(f"the legend has no {glyph_rows[at_row][at_column]!r} (it has: {known})", at_row, at_column)
    return tuple(legend.values()), codes.astype(np.intp)
