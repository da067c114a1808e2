"""The parts that board files of squares and dots share: drawings, planes of values, overrides, areas, labels."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulator.formats import limits
from simulator.formats.board_models import Cell, FileModel, LatticeLabel, Override
from simulator.formats.documents import SourceFile
from simulator.formats.faults import MOST_SHOWN, Path, got
from simulator.geometry.board import Area, Label
from simulator.geometry.rows import read_rows

if TYPE_CHECKING:
    from simulator.formats.dots_models import DotsFile
    from simulator.formats.squares_models import SquaresFile

#: Each plane holds one value for every glyph of the drawing, indexed [row, column], under its key in the legend.
Planes = dict[str, NDArray[Any]]

_GLYPH = re.compile(r"\S")
_NOT_A_LEVEL = re.compile(r"(?<!\S)(?![-+]?[0-9]{1,5}(?!\S))\S+")


class LatticeDraft:
    """The cells of a board while its file is being read.

    `codes` holds the index in the legend of each glyph drawn; `planes` the values, overrides included. Terrain is its
    index in `terrains`.
    """

    def __init__(
        self, source: SourceFile, codes: NDArray[np.intp], glyphs: Sequence[str], looks: Sequence[FileModel]
    ) -> None:
        self.source = source
        self.codes = codes
        self.glyphs = tuple(glyphs)
        self.terrains: list[str] = []
        self.planes: Planes = {}
        self._redrawn = 0
        for key in type(looks[0]).model_fields:
            values = [self.value(key, getattr(look, key)) for look in looks]
            self.planes[key] = np.array(values)[codes]

    @classmethod
    def drawn(cls, source: SourceFile, document: SquaresFile | DotsFile) -> LatticeDraft | None:
        """Read the drawing of a document with its legend and levels; None if it is faulty."""
        codes = read_drawing(source, document.rows, document.legend)
        if codes is None:
            return None
        lattice = cls(source, codes, tuple(document.legend), tuple(document.legend.values()))
        lattice.put_numbers("level", "levels", document.levels, -32_768, 32_767)
        return lattice

    @property
    def width(self) -> int:
        """Number of columns drawn."""
        return int(self.codes.shape[1])

    @property
    def height(self) -> int:
        """Number of rows drawn."""
        return int(self.codes.shape[0])

    def value(self, key: str, value: Any) -> Any:
        """Return the number in a plane for a value of the file; for terrain, its index."""
        if key != "terrain":
            return value
        if value not in self.terrains:
            self.terrains.append(value)
        return self.terrains.index(value)

    def put_numbers(self, plane: str, key: str, text: str | None, low: int, high: int) -> None:
        """Take a plane from the rows of numbers under `key`, if any, instead of from the legend."""
        if text is None:
            return
        numbers = read_numbers(self.source, (key,), text, self.codes.shape)
        if numbers is None:
            return
        if numbers.min() < low or numbers.max() > high:
            self.source.fault((key,), f"expected numbers from {low} to {high}, not {numbers.min()} to {numbers.max()}")
            return
        self.planes[plane] = numbers

    def drawn_with(self, glyphs: str, path: Path) -> NDArray[np.bool_] | None:
        """Return a mask of the cells drawn with one of these glyphs; None, and a fault, if one is unknown."""
        unknown = [glyph for glyph in glyphs if glyph not in self.glyphs]
        for glyph in unknown[:1]:
            self.source.fault(path, f"the legend has no {glyph!r} (it has: {_listed(self.glyphs)})")
        if unknown or not self.may_go_over(self.codes.size, path):
            return None
        return np.isin(self.codes, [self.glyphs.index(glyph) for glyph in glyphs])

    def override(self, changes: Sequence[Override], corner: Callable[[Cell, Path], Cell | None]) -> None:
        """Apply the overrides in order. `corner` returns row and column of a place, or adds a fault."""
        for number, change in enumerate(changes):
            ends = [(getattr(change, key), ("overrides", number, key.rstrip("_"))) for key in ("at", "from_", "to")]
            found = [corner(place, path) for place, path in ends if place is not None]
            corners = [at for at in found if at is not None]
            if len(corners) < len(found):
                continue
            box = box_of(corners)
            if not self.may_go_over(self.codes[box].size, ("overrides", number)):
                return
            for key in type(change).model_fields:
                if key in self.planes and key in change.model_fields_set:
                    self.planes[key][box] = self.value(key, getattr(change, key))

    def may_go_over(self, cells: int, path: Path) -> bool:
        """Count the cells that an entry covers; add a fault if all entries together cover too many."""
        self._redrawn += cells
        if self._redrawn > limits.REDRAWN.most:
            self.source.fault(path, limits.REDRAWN.reached(self._redrawn), limit=True)
        return self._redrawn <= limits.REDRAWN.most

    def check_terrains(self) -> None:
        """Add a fault for more kinds of terrain than a board can hold."""
        if len(self.terrains) > limits.TERRAINS.most:
            self.source.fault(("legend",), limits.TERRAINS.reached(len(self.terrains)), limit=True, on_key=True)


def box_of(corners: Sequence[tuple[int, int]]) -> tuple[slice, slice]:
    """Return the rows and columns between corners (row, column), all included."""
    rows, columns = zip(*corners, strict=True)
    return slice(min(rows), max(rows) + 1), slice(min(columns), max(columns) + 1)


class _Rows(NamedTuple):
    """The rows of a drawing, and the line of the text with the first of them."""

    first_line: int
    texts: list[str]

    @property
    def margins(self) -> list[int]:
        """The indentation of each row."""
        return [len(text) - len(text.lstrip()) for text in self.texts]


def _rows(text: str) -> _Rows:
    """Cut a drawing into its rows; blank lines before and after it do not count."""
    lines = text.split("\n")
    first, end = 0, len(lines)
    while first < end and not lines[first].strip():
        first += 1
    while end > first and not lines[end - 1].strip():
        end -= 1
    return _Rows(first, lines[first:end])


def read_drawing(source: SourceFile, text: str, legend: Mapping[str, Any]) -> NDArray[np.intp] | None:
    """Return the index in the legend of each glyph drawn under `rows`; add a fault for everything wrong."""
    rows = _rows(text)
    packed = ["".join(row.split()) for row in rows.texts]
    total = sum(map(len, packed))
    if not legend:
        source.fault(("legend",), "the legend is empty")
    elif not packed:
        source.fault(("rows",), "the drawing is empty")
    elif total > limits.CELLS.most:
        source.fault(("rows",), limits.CELLS.reached(total), limit=True)
    elif _is_rectangle(source, rows, packed) & _is_known(source, rows, packed, legend):
        return read_rows(packed, legend)[1]
    return None


def _is_rectangle(source: SourceFile, rows: _Rows, packed: list[str]) -> bool:
    """Return whether all rows are as long as the first; add a fault for each that is not."""
    width = len(packed[0])
    ragged = [number for number, glyphs in enumerate(packed) if len(glyphs) != width]
    for number in ragged[: MOST_SHOWN + 1]:
        row = rows.texts[number]
        places = [match.start() for match in _GLYPH.finditer(row)]
        column = places[width] if len(places) > width else len(row.rstrip()) if places else None
        message = f"row {number} has {len(places)} instead of {width} glyphs"
        source.fault_in_text(("rows",), rows.first_line + number, column, message)
    source.faults.count_more(len(ragged) - MOST_SHOWN - 1)
    return not ragged


def _is_known(source: SourceFile, rows: _Rows, packed: list[str], legend: Mapping[str, Any]) -> bool:
    """Return whether the legend has all glyphs; add a fault at the first use of each that is missing."""
    unknown = sorted(set().union(*packed) - legend.keys())
    for glyph in unknown[: MOST_SHOWN + 1]:
        number = next(number for number, glyphs in enumerate(packed) if glyph in glyphs)
        shown = repr(glyph) if glyph.isprintable() else f"U+{ord(glyph):04X}"
        hint = "; in the legend it needs quotes: '#'" if glyph == "#" else ""
        message = f"the legend has no {shown} (it has: {_listed(legend)}){hint}"
        source.fault_in_text(("rows",), rows.first_line + number, rows.texts[number].index(glyph), message)
    source.faults.count_more(len(unknown) - MOST_SHOWN - 1)
    return not unknown


def _listed(glyphs: Iterable[str]) -> str:
    """Return glyphs as shown in messages, the first few dozen."""
    shown = list(islice(glyphs, 41))
    return " ".join(shown[:40]) + (" ..." if len(shown) > 40 else "")


def check_drawing_alone(source: SourceFile) -> None:
    """Add the faults of a drawing in a file that is otherwise unreadable: its glyphs and the length of rows."""
    parts = source.root.value
    rows, legend = (parts[key].value if key in parts else None for key in ("rows", "legend"))
    if isinstance(rows, str) and isinstance(legend, dict) and all(len(glyph) == 1 for glyph in legend):
        read_drawing(source, rows, legend)


def check_indentation(source: SourceFile, text: str, layout: str, first_row: int) -> None:
    """Add a fault to a drawing of dots whose indented rows are not those that the layout shifts to the right."""
    rows = _rows(text)
    margins = rows.margins
    if len(set(margins)) == 1:
        return
    if layout.endswith("columns"):
        number = next(number for number, margin in enumerate(margins) if margin != margins[0])
        message = f"row {first_row + number} is not indented like the first, but under {layout} no row is shifted"
        source.fault_in_text(("rows",), rows.first_line + number, margins[number], message)
        return
    word = layout.removesuffix("_rows")
    is_shoved = [(first_row + number) % 2 == (word == "odd") for number in range(len(margins))]
    plain, shoved = margins[is_shoved.index(False)], margins[is_shoved.index(True)]
    for number, margin in enumerate(margins):
        if plain >= shoved or margin != (shoved if is_shoved[number] else plain):
            message = (
                f"row {first_row + number} is drawn at an indentation of {margin}, but under layout {layout} "
                f"the {word} rows, and only they, are indented"
            )
            source.fault_in_text(("rows",), rows.first_line + number, margin, message)
            return


def read_numbers(source: SourceFile, path: Path, text: str, shape: tuple[int, ...]) -> NDArray[np.int64] | None:
    """Read rows of whole numbers, one for each glyph of the drawing."""
    rows = _rows(text)
    if len(rows.texts) != shape[0]:
        source.fault(path, f"expected {shape[0]} rows, as the drawing has (got {len(rows.texts)})")
        return None
    words = [row.split() for row in rows.texts]
    for line, (row, numbers_in_row) in enumerate(zip(rows.texts, words, strict=True), rows.first_line):
        if bad := _NOT_A_LEVEL.search(row):
            source.fault_in_text(path, line, bad.start(), f"expected whole numbers {got(bad[0])}")
            return None
        if len(numbers_in_row) != shape[1]:
            message = f"expected {shape[1]} numbers in each row, as the drawing has (got {len(numbers_in_row)})"
            source.fault_in_text(path, line, len(row) - len(row.lstrip()) if numbers_in_row else None, message)
            return None
    return np.array(list(map(int, chain.from_iterable(words))), np.int64).reshape(shape)


def read_areas(
    source: SourceFile,
    areas: Sequence[Any],
    key: str,
    corner: Callable[[Cell, Path], Cell | None],
    place_at: Callable[[int, int], Cell | None],
) -> tuple[Area[Cell], ...]:
    """Collect each area: the places listed under `key`, then those of its rectangles not yet listed.

    `corner` returns row and column of a place, or adds a fault; `place_at` returns the place at row and column, or None
    for a hole. A listed hole is a fault; a hole in a rectangle is left out.
    """
    source.names_once((area.name for area in areas), ("areas",), "name")
    gathered: list[Area[Cell]] = []
    total = 0
    for number, area in enumerate(areas):
        path: Path = ("areas", number)
        if not area.model_fields_set & {key, "rectangles"}:
            source.fault(path, f"expected {key} or rectangles, or both")
        listed: list[Cell] = []
        for index, place in enumerate(getattr(area, key)):
            if (at := corner(place, (*path, key, index))) is not None:
                if (there := place_at(*at)) is None:
                    source.fault((*path, key, index), f"{list(place)} is a hole in the map")
                else:
                    listed.append(there)
        total += len(listed)
        known = dict.fromkeys(listed)
        for index, ends in enumerate(area.rectangles):
            here = (*path, "rectangles", index)
            corners = [at for end, place in enumerate(ends) if (at := corner(place, (*here, end))) is not None]
            if len(corners) < 2:
                continue
            rows, columns = box_of(corners)
            total += (rows.stop - rows.start) * (columns.stop - columns.start)
            if total > limits.AREA_PLACES.most:
                source.fault(here, limits.AREA_PLACES.reached(total), limit=True)
                return ()
            for row in range(rows.start, rows.stop):
                for column in range(columns.start, columns.stop):
                    if (there := place_at(row, column)) is not None and there not in known:
                        known[there] = None
                        listed.append(there)
        gathered.append(Area(area.name, tuple(listed), area.side))
    return tuple(gathered)


def read_labels(labels: Sequence[LatticeLabel], centre: Callable[[Cell], tuple[float, float]]) -> tuple[Label, ...]:
    """Return the labels, each at the centre of its place or at its point of the plane."""
    points = [label.point if label.at is None else centre(label.at) for label in labels]
    return tuple(Label(*point, label.text) for point, label in zip(points, labels, strict=True) if point is not None)
