"""Drawing a lattice as text: a glyph for each look, and areas as rectangles."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulator.formats.yaml_text import drawing, flow, quoted
from simulator.geometry.board import Area, Board, Label

Cell = tuple[int, int]

#: The most looks that the eye can distinguish by glyph; beyond, levels and storeys are written as numbers.
_FOR_THE_EYE = 60


def _glyph_pool() -> Iterator[str]:
    """Yield glyphs for looks whose first choice is taken: letters, digits, signs, then letters of other alphabets."""
    spans = ((0x61, 0x7A), (0x41, 0x5A), (0x30, 0x39), (0x21, 0x2F), (0x3A, 0x40), (0x5B, 0x60), (0x7B, 0x7E))
    further = ((0xC0, 0x24F), (0x400, 0x481), (0x48A, 0x52F), (0x1400, 0x167F))
    return (chr(point) for first, last in chain(spans, further) for point in range(first, last + 1))


class LatticeText(NamedTuple):
    """A lattice as text: the lines of the legend, the glyph rows, and the planes written as rows of numbers."""

    legend: list[str]
    glyph_rows: list[str]
    numbers: list[str]


def draw(planes: Mapping[str, NDArray[Any]], terrains: Sequence[str], usual: Mapping[str, Any]) -> LatticeText:
    """Choose a glyph for each look that occurs. `planes` as when reading; `usual` holds the defaults of a legend."""
    apart: dict[str, NDArray[Any]] = {}
    drawn = dict(planes)
    for key, of_numbers in (("level", "levels"), ("storeys", "storeys")):
        if key in drawn and drawn[key].any() and len(_looks(drawn)[0]) > _FOR_THE_EYE:
            apart[of_numbers] = drawn.pop(key)
    looks, codes = _looks(drawn)
    entries = [_legend_entry(look, terrains, usual) for look in looks]
    glyphs = _choose(entries)
    legend = [f"  {quoted(glyph)}: {flow(look)}" for glyph, look in zip(glyphs, entries, strict=True)]
    points = np.array([ord(glyph) for glyph in glyphs], "<u4")[codes]
    glyph_rows = [row.tobytes().decode("utf-32-le") for row in points]
    numbers = [drawing(key, [" ".join(map(str, row)) for row in plane.tolist()]) for key, plane in apart.items()]
    return LatticeText(legend, glyph_rows, list(chain.from_iterable(numbers)))


def _legend_entry(look: Mapping[str, Any], terrains: Sequence[str], usual: Mapping[str, Any]) -> dict[str, Any]:
    """Return the legend entry of a look: its terrain, and the values that differ from the defaults."""
    if look.get("absent"):
        return {"absent": True}
    unusual = {key: value for key, value in look.items() if key != "terrain" and value != usual[key]}
    return {"terrain": terrains[look["terrain"]]} | unusual


def _looks(planes: Mapping[str, NDArray[Any]]) -> tuple[list[dict[str, Any]], NDArray[np.intp]]:
    """Return the looks that occur, in a fixed order, and the index of each cell's look."""
    packed = np.zeros(next(iter(planes.values())).shape, np.int64)
    for plane in planes.values():  # at most 8 + 16 + 16 + 3 bits
        lowest, highest = int(plane.min()), int(plane.max())
        packed = packed * (highest - lowest + 1) + (plane.astype(np.int64) - lowest)
    _, first, codes = np.unique(packed, return_index=True, return_inverse=True)
    looks = [{key: plane.ravel()[at].item() for key, plane in planes.items()} for at in first]
    return looks, codes.reshape(packed.shape)


def _choose(looks: Sequence[Mapping[str, Any]]) -> list[str]:
    """Assign each look a glyph, a suggestive one if still free: the same looks, the same glyphs."""
    pool = [glyph for glyph in _glyph_pool() if glyph not in "\"'\\"]
    taken: dict[str, None] = {}
    for look in looks:
        glyph = next(glyph for glyph in chain(_wishes(look), pool) if glyph not in taken)
        taken[glyph] = None
    return list(taken)


def _wishes(look: Mapping[str, Any]) -> Iterator[str]:
    """Yield the glyphs that suit a look, best first."""
    terrain = look.get("terrain", "")
    if look.get("absent"):
        yield "_"
    elif look.get("wall") or look.get("impassable"):
        yield "#"
    elif terrain == "open":
        yield "," if look.get("impeded") else "."
    if terrain[:1].isascii() and terrain[:1].isalpha():
        yield from (terrain[0].lower(), terrain[0].upper())


def _itself(cell: Cell) -> Cell:
    return cell


def area_entry(
    area: Area[Cell],
    key: str,
    to_cell: Callable[[Cell], Cell] = _itself,
) -> dict[str, Any]:
    """Return an area as rectangles and single places. `to_cell` returns column and row of a place of the board.

    The file holds columns and rows. An area that names a place twice is listed place by place.
    """
    entry: dict[str, Any] = {"name": area.name} | ({"side": area.side} if area.side else {})
    cells = [to_cell(place) for place in area.places]
    known = set(cells)
    if len(known) < len(cells) or not cells:
        return entry | {key: sorted(cells)}
    boxes = _boxes(known)
    if singles := [one for one, other in boxes if one == other]:
        entry[key] = singles
    if rectangles := [(one, other) for one, other in boxes if one != other]:
        entry["rectangles"] = rectangles
    return entry


def _boxes(cells: set[Cell]) -> list[tuple[Cell, Cell]]:
    """Cover cells (column, row) by rectangles: the runs of each row, joined with equal runs of the row above."""
    runs: list[list[int]] = []  # first column, last column, row
    for row, column in sorted((row, column) for column, row in cells):
        if runs and runs[-1][1:] == [column - 1, row]:
            runs[-1][1] = column
        else:
            runs.append([column, column, row])
    bottoms: dict[tuple[int, int, int], int] = {}  # first column, last column, top -> bottom
    latest: dict[tuple[int, int], tuple[int, int, int]] = {}
    for first, last, row in runs:
        box = latest.get((first, last))
        if box is None or bottoms[box] != row - 1:
            box = latest[first, last] = (first, last, row)
        bottoms[box] = row
    return [((first, top), (last, bottom)) for (first, last, top), bottom in bottoms.items()]


def label_entry(label: Label, at: Cell | None) -> dict[str, Any]:
    """Return a label with its place, or with its point if that is not the centre of a place."""
    where: dict[str, Any] = {"point": (label.x, label.y)} if at is None else {"at": at}
    return where | {"text": label.text}


def head(board: Board[Any], kind: str) -> list[str]:
    """Return the first lines of every board file."""
    lines = ["format: 1", f"board: {kind}", f"name: {flow(board.name)}"]
    lines += [f"description: {flow(board.description)}"] if board.description else []
    return [*lines, f"scenery: {flow(list(board.scenery))}"] if board.scenery else lines
