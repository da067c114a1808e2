"""Board files of hex-dot maps: building the map from a checked document, and writing one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulator.errors import BoardError
from simulator.formats import limits
from simulator.formats.board_models import Cell
from simulator.formats.documents import BoardKind, SourceFile
from simulator.formats.dots_models import DotEdge, DotLook, DotsFile
from simulator.formats.faults import Path
from simulator.formats.lattice_text import area_entry, draw, head, label_entry
from simulator.formats.lattices import LatticeDraft, check_indentation, read_areas, read_labels
from simulator.formats.yaml_text import drawing, entries, flow
from simulator.geometry import hex_lattice
from simulator.geometry.dots import BARRIERS, DotMap, Edge
from simulator.geometry.hex_lattice import DIRECTIONS, Dot, OffsetLayout

Integers = NDArray[np.intp]

#: 1 for layouts in which the even rows or columns are shifted, among them number 0.
_SHOVED_ROWS = {OffsetLayout.ODD_ROWS: 0, OffsetLayout.EVEN_ROWS: 1}
_SHOVED_COLUMNS = {OffsetLayout.ODD_COLUMNS: 0, OffsetLayout.EVEN_COLUMNS: 1}
_USUAL: Mapping[str, Any] = {key: field.default for key, field in DotLook.model_fields.items()}


def build_dots(document: DotsFile, source: SourceFile, name: str) -> DotMap | None:
    """Build the map of a document; None if it is faulty, with the faults added to the source."""
    lattice = LatticeDraft.drawn(source, document)
    if lattice is None:
        return None
    lattice.put_numbers("storeys", "storeys", document.storeys, 0, 32_767)
    places = _Places(document, lattice)
    check_indentation(source, document.rows, document.layout, places.first[1])
    lattice.override(document.overrides, places.corner)
    lattice.check_terrains()
    edges = _Edges(places)
    for number, edge in enumerate(document.edges):
        edges.put(edge, ("edges", number))
    areas = read_areas(source, document.areas, "dots", places.corner, places.present_at)
    labels = read_labels(document.labels, lambda place: hex_lattice.centre(places.dot(place)))
    if lattice.planes["absent"].all():
        source.fault(("rows",), "expected at least one dot that is not absent")
    if source.faults:
        return None
    return DotMap(
        name=name,
        first=places.axial_first,
        present=~places.axial(lattice.planes["absent"], True),
        terrain_kinds=tuple(lattice.terrains),
        terrain=places.axial(lattice.planes["terrain"], 0),
        level=places.axial(lattice.planes["level"], 0),
        storeys=places.axial(lattice.planes["storeys"], 0),
        impassable=places.axial(lattice.planes["impassable"], False),
        openings=places.axial(lattice.planes["opening"], False),
        edges=edges.all(),
        dot_spacing=document.dot.spacing,
        unit=document.dot.unit,
        layout=places.layout,
        areas=areas,
        labels=labels,
        description=document.description,
        scenery=tuple(document.scenery),
    )


class _Places:
    """Converts positions of dots: in the file, in its drawing [row, column], and in the map's arrays [r, q]."""

    def __init__(self, document: DotsFile, lattice: LatticeDraft) -> None:
        self.lattice = lattice
        self.layout = OffsetLayout(document.layout)
        self.is_axial = document.coordinates == "axial"
        self.first = self.layout.offset(document.first) if self.is_axial else document.first
        rows, columns = np.divmod(np.arange(lattice.codes.size), lattice.width)
        q, r = _dots_at(self.layout, columns + self.first[0], rows + self.first[1])
        self.axial_first: Dot = (int(q.min()), int(r.min()))
        self._shape = (int(r.max()) - self.axial_first[1] + 1, int(q.max()) - self.axial_first[0] + 1)
        self._cells = (r - self.axial_first[1], q - self.axial_first[0])

    def axial(self, plane: NDArray[Any], elsewhere: Any) -> NDArray[Any]:
        """Convert a plane of the drawing to an array [r, q]."""
        array = np.full(self._shape, elsewhere, plane.dtype)
        array[self._cells] = plane.ravel()
        return array

    def dot(self, place: Cell) -> Dot:
        """Return the dot (q, r) of a place of the file."""
        return place if self.is_axial else self.layout.dot(*place)

    def corner(self, place: Cell, path: Path) -> Cell | None:
        """Return row and column of a place in the drawing; add a fault if it is not drawn."""
        column, row = self.layout.offset(place) if self.is_axial else place
        row, column = row - self.first[1], column - self.first[0]
        if 0 <= row < self.lattice.height and 0 <= column < self.lattice.width:
            return row, column
        (left, top), right, bottom = self.first, self.lattice.width - 1, self.lattice.height - 1
        shown = "in columns and rows, " if self.is_axial else ""
        reach = f"{shown}columns {left} to {left + right}, rows {top} to {top + bottom}"
        self.lattice.source.fault(path, f"{list(place)} is not on the map: {reach}")
        return None

    def present_at(self, row: int, column: int) -> Dot | None:
        """Return the dot drawn at a row and column; None for a hole."""
        if self.lattice.planes["absent"][row, column]:
            return None
        return self.layout.dot(column + self.first[0], row + self.first[1])

    def present(self, place: Cell, path: Path) -> tuple[Dot, Cell] | None:
        """Return a place's dot, and its row and column; add a fault if there is none."""
        at = self.corner(place, path)
        if at is None:
            return None
        dot = self.present_at(*at)
        if dot is None:
            self.lattice.source.fault(path, f"{list(place)} is a hole in the map")
            return None
        return dot, at


def _dots_at(layout: OffsetLayout, columns: Integers, rows: Integers) -> tuple[Integers, Integers]:
    """Return the dots at many offset places: `OffsetLayout.dot` for arrays."""
    if layout in _SHOVED_ROWS:
        return columns - (rows + _SHOVED_ROWS[layout]) // 2, rows
    return columns, rows - (columns + _SHOVED_COLUMNS[layout]) // 2


def _offsets_of(layout: OffsetLayout, q: Integers, r: Integers) -> tuple[Integers, Integers]:
    """Return columns and rows of many dots: `OffsetLayout.offset` for arrays."""
    if layout in _SHOVED_ROWS:
        return q + (r + _SHOVED_ROWS[layout]) // 2, r
    return q, r + (q + _SHOVED_COLUMNS[layout]) // 2


class _Edges:
    """The edges of a map while the entries under `edges` are applied."""

    def __init__(self, places: _Places) -> None:
        self.places = places
        self.source = places.lattice.source
        self.count = 0
        self._edges: dict[tuple[Dot, Dot], list[Edge]] = {}

    def all(self) -> tuple[Edge, ...]:
        """Return all edges that remain in the end."""
        return tuple(edge for edges in self._edges.values() for edge in edges)

    def put(self, entry: DotEdge, path: Path) -> None:
        """Apply one entry."""
        rises = entry.kind not in (*BARRIERS, "open")
        if entry.levels is not None and not rises and entry.levels[0] > entry.levels[1]:
            self.source.fault(
                (*path, "levels"), f"goes down from storey {entry.levels[0]} to {entry.levels[1]}: name the lower first"
            )
            return
        if entry.between is not None:
            pairs = self._between(entry.between, (*path, "between"))
        else:
            pairs = self._around(entry.around or "", (*path, "around"))
        self.count += len(pairs)
        if self.count > limits.EDGES.most:
            if pairs and self.count - len(pairs) <= limits.EDGES.most:
                self.source.fault(path, limits.EDGES.reached(self.count), limit=True)
            return
        for a, b in pairs:
            self._put_one(entry, a, b)

    def _put_one(self, entry: DotEdge, a: Dot, b: Dot) -> None:
        standing = self._edges.setdefault((min(a, b), max(a, b)), [])
        if entry.kind == "open":
            standing[:] = self._less(standing, entry.levels)
            return
        edge = Edge(entry.kind, a, b, entry.levels)
        edge = edge if a < b else edge.turned()
        if edge.kind in BARRIERS:
            standing[:] = [*self._less(standing, edge.levels), edge]
        else:
            others = [old for old in standing if old.kind in BARRIERS or old.levels != edge.levels]
            standing[:] = [*others, edge]

    def _less(self, standing: list[Edge], levels: tuple[int, int] | None) -> list[Edge]:
        """Return the edges left once the barriers on some storeys are removed; a barrier on more storeys is cut."""
        left: list[Edge] = []
        for edge in standing:
            if edge.kind not in BARRIERS:
                left.append(edge)
                continue
            if levels is None:
                continue
            low, high = edge.levels or self._span(edge.a, edge.b)
            if levels[1] < low or levels[0] > high:
                left.append(edge)
                continue
            rest = ((low, levels[0] - 1), (levels[1] + 1, high))
            left += [Edge(edge.kind, edge.a, edge.b, span) for span in rest if span[0] <= span[1]]
        return left

    def _span(self, a: Dot, b: Dot) -> tuple[int, int]:
        """Return the lowest ground and the highest roof of two dots."""
        planes = self.places.lattice.planes
        column_row = [self.places.layout.offset(dot) for dot in (a, b)]
        cells = [(row - self.places.first[1], column - self.places.first[0]) for column, row in column_row]
        grounds = [int(planes["level"][cell]) for cell in cells]
        roofs = [int(planes["level"][cell]) + int(planes["storeys"][cell]) for cell in cells]
        return min(grounds), max(roofs)

    def _between(self, ends: tuple[Cell, Cell], path: Path) -> list[tuple[Dot, Dot]]:
        dots = [self.places.present(place, (*path, number)) for number, place in enumerate(ends)]
        if dots[0] is None or dots[1] is None:
            return []
        a, b = dots[0][0], dots[1][0]
        if hex_lattice.distance(a, b) != 1:
            self.source.fault(path, f"the dots {list(ends[0])} and {list(ends[1])} are not adjacent")
            return []
        return [(a, b)]

    def _around(self, glyphs: str, path: Path) -> list[tuple[Dot, Dot]]:
        drawn = self.places.lattice.drawn_with(glyphs, path)
        if drawn is None:
            return []
        present = ~self.places.axial(self.places.lattice.planes["absent"], True)
        inside = self.places.axial(drawn, False) & present
        rim = np.pad(present & ~inside, 1)
        height, width = inside.shape
        first_q, first_r = self.places.axial_first
        pairs: list[tuple[Dot, Dot]] = []
        for across, down in DIRECTIONS:
            borders = inside & rim[1 + down : 1 + down + height, 1 + across : 1 + across + width]
            if (found := int(np.count_nonzero(borders)) + len(pairs)) > limits.EDGES.most:
                self.source.fault(path, limits.EDGES.reached(found), limit=True)
                return []
            dots = ((q + first_q, r + first_r) for r, q in np.argwhere(borders).tolist())
            pairs += [((q, r), (q + across, r + down)) for q, r in dots]
        return pairs


def dots_text(board: DotMap) -> str:
    """Return a map as the text of a file, its places as columns and rows of its layout."""
    r, q = np.nonzero(board.present)
    columns, rows = _offsets_of(board.layout, q + board.first[0], r + board.first[1])
    first = (int(columns.min()), int(rows.min()))
    shape = (int(rows.max()) - first[1] + 1, int(columns.max()) - first[0] + 1)
    if shape[0] * shape[1] > limits.CELLS.most:
        raise BoardError(f"cannot be drawn: {limits.CELLS.reached(shape[0] * shape[1])}")
    cells = (rows - first[1], columns - first[0])

    def spread(array: NDArray[Any], elsewhere: Any) -> NDArray[Any]:
        plane = np.full(shape, elsewhere, array.dtype)
        plane[cells] = array[r, q]
        return plane

    planes = {
        "terrain": spread(board.terrain, 0),
        "level": spread(board.level, 0),
        "storeys": spread(board.storeys, 0),
        "impassable": spread(board.impassable, False),
        "opening": spread(board.openings, False),
        "absent": ~spread(board.present, False),
    }
    drawn = draw(planes, board.terrain_kinds, _USUAL)
    unshoved = _SHOVED_ROWS.get(board.layout)
    glyph_rows = [
        (" " if unshoved is not None and (row + unshoved) % 2 else "") + " ".join(glyphs)
        for row, glyphs in enumerate(drawn.glyph_rows, first[1])
    ]
    lines = [
        *head(board, "dots"),
        f"dot: {flow({'spacing': board.dot_spacing, 'unit': board.unit})}",
        f"layout: {board.layout.value}",
        *([f"first: {flow(first)}"] if first != (0, 0) else []),
        "legend:",
        *drawn.legend,
        *drawing("rows", glyph_rows),
        *drawn.numbers,
        *entries("edges", [_edge_entry(edge, board.layout) for edge in board.edges]),
        *entries("areas", [area_entry(area, "dots", board.layout.offset) for area in board.areas]),
        *entries("labels", [label_entry(label, _place_of(label.x, label.y, board)) for label in board.labels]),
    ]
    return "\n".join(lines) + "\n"


def _edge_entry(edge: Edge, layout: OffsetLayout) -> dict[str, Any]:
    entry: dict[str, Any] = {"kind": edge.kind, "between": (layout.offset(edge.a), layout.offset(edge.b))}
    return entry if edge.levels is None else entry | {"levels": edge.levels}


def _place_of(x: float, y: float, board: DotMap) -> Cell | None:
    """Return the place whose centre a point is, if reading that place returns exactly this point."""
    if not (abs(x) < limits.COORDINATE.most / 2 and abs(y) < limits.COORDINATE.most / 2):
        return None
    dot = hex_lattice.nearest_dot(x, y)
    return board.layout.offset(dot) if hex_lattice.centre(dot) == (x, y) else None


KIND = BoardKind(DotsFile, build_dots, dots_text)
