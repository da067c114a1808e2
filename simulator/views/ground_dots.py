"""The ground of a hex-dot map: cells, dots, levels, buildings, and what lies on the edges."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulator.geometry import hex_lattice
from simulator.geometry.arrays import shifted
from simulator.geometry.dots import DotMap, Edge, EdgeKind
from simulator.geometry.hex_lattice import OffsetLayout
from simulator.views.ground import CellsGround, Tick, every
from simulator.views.legend import LegendEntry, filled, occurring, stroked, terrain_entries
from simulator.views.palette import CLOSED, CONTOUR, GRID_LINES, INK, PAPER, WALL, terrain_colours
from simulator.views.svg import Sheet, Svg, number
from simulator.wording import measure

#: Below this size in pixels the corners of a cell are not seen, and maps with more cells than this omit them.
_SEEN, _MANY = 2.0, 100_000
#: The least height of letters in names of dots, their width for that, and how many dots apart names may be.
_LEAST_LETTER, _LETTER_WIDTH, _STEPS = 9.5, 0.6, (1, 2, 5, 10)
#: Below this size in pixels the dots have no names.
_NAMED = 12.0
_WOOD = "#a86f3d"
_ON_CLOSED = "#d8d2c4"


class DotsGround(CellsGround[DotMap]):
    """How a hex-dot map is drawn."""

    most_pixels = 46.0
    step = "dot"

    def draw(self, svg: Svg, sheet: Sheet) -> None:
        """Draw cells and their levels."""
        board = self.board
        size = sheet.pixels
        for code, colour in enumerate(terrain_colours(board.terrain_kinds).values()):
            svg.add("path", d=_covered(sheet, board, board.terrain == code), fill=colour)
        for step in np.unique(board.level[board.present & (board.level != 0)]).tolist():
            svg.add(
                "path",
                d=_covered(sheet, board, board.level == step),
                fill="#6b4f1d" if step > 0 else "#12395c",
                fill_opacity=min(0.08 * abs(step), 0.4),
            )
        if size >= 9:
            svg.add("path", d=_grid(sheet, board), stroke=GRID_LINES, stroke_width=1, fill="none")

    def draw_walls(self, svg: Svg, sheet: Sheet) -> None:
        """Draw dots, closed cells, heights, buildings and edges."""
        board = self.board
        size = sheet.pixels
        rows, columns = np.nonzero(board.present)
        x, y = _centres(sheet, columns + board.first[0], rows + board.first[1])
        level, blocked = board.level[rows, columns], board.impassable[rows, columns]
        if blocked.any():
            svg.add("path", d=_covered(sheet, board, board.impassable), fill=WALL, fill_opacity=CLOSED)
        _draw_borders(svg, sheet, board)
        if size >= 4:
            _draw_points(svg, x, y, size, ~blocked, board.openings[rows, columns])
        for kind, mark in _EDGE_MARKS.items():  # a door on the ground floor shows over the wall above it
            for edge in board.edges:
                if edge.kind == kind:
                    mark(svg, sheet, edge)
        if size >= 20:
            _draw_heights(svg, x, y, size, level, board.storeys[rows, columns], blocked)
        crossed = np.zeros(board.shape, np.bool_)
        for edge in board.edges:
            if edge.kind in _WAYS and edge.a[1] != edge.b[1]:
                crossed[board.index(min(edge.a, edge.b, key=lambda dot: dot[1]))] = True
        q, r = columns + board.first[0], rows + board.first[1]
        _draw_names(svg, x, y, size, q, r, blocked, crossed[rows, columns])

    def legend(self) -> list[LegendEntry]:
        """Name what occurs on the map."""
        board = self.board
        open_ground = board.terrain[board.present & ~board.impassable]
        entries = terrain_entries(occurring(terrain_colours(board.terrain_kinds), open_ground))
        if board.impassable.any():
            entries.append(LegendEntry("impassable", filled(WALL)))
        if board.level.any():
            entries.append(LegendEntry("level (+ up, - down)", stroked(CONTOUR, 2)))
        if board.storeys.any():
            entries.append(LegendEntry("building, ⌂ storeys", filled("#f4f1e8", "#7a6a58")))
        if board.openings.any():
            entries.append(LegendEntry("opening (dot)", _ringed))
        kinds = {edge.kind for edge in board.edges}
        entries += [LegendEntry(kind, _edge_swatch(kind)) for kind in _EDGE_MARKS if kind in kinds]
        return entries

    def size_in_words(self) -> str:
        """Describe how many dots, and how far apart."""
        size, unit = self.board.scale
        apart = "" if unit == "dot" else f", {measure(size, unit)} apart"
        return f"{np.count_nonzero(self.board.present)} dots{apart}"

    def ticks(self, pixels: float) -> list[Tick]:
        """Number columns along the first row, and rows, in the offsets of the file."""
        layout, board = self.board.layout, self.board
        if layout not in (OffsetLayout.ODD_ROWS, OffsetLayout.EVEN_ROWS):
            return []  # columns run askew there: numbers along the rim would mislead
        top, height = board.first[1], board.present.shape[0]
        rows = [row for row in range(top, top + height) if row % every(pixels * hex_lattice.ROW_HEIGHT) == 0]
        offsets = (np.flatnonzero(board.present[0]) + board.first[0] + layout.offset((0, top))[0]).tolist()
        columns = [column for column in offsets if column % every(pixels) == 0]
        marks = [Tick("x", hex_lattice.centre(layout.dot(column, top))[0], str(column)) for column in columns]
        return marks + [Tick("y", hex_lattice.centre((0, row))[1], str(row)) for row in rows]


def _centres(sheet: Sheet, q: NDArray[np.intp], r: NDArray[np.intp]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    x = sheet.left + (q + r / 2 - sheet.min_x) * sheet.pixels
    y = sheet.top + (sheet.max_y + r * hex_lattice.ROW_HEIGHT) * sheet.pixels
    return np.asarray(x, np.float64), np.asarray(y, np.float64)


def _covered(sheet: Sheet, board: DotMap, mask: NDArray[np.bool_]) -> str:
    """Return all cells of a mask as one path: the outlines of what they cover together.

    Where cells are so small that nobody sees their corners, and so many that outlines would take gigabytes, each run
    of cells along a row is a strip.
    """
    if sheet.pixels < _SEEN and mask.size > _MANY:
        return _strips(sheet, board, mask & board.present)
    return sheet.path(board.region_of(mask & board.present))


def _strips(sheet: Sheet, board: DotMap, mask: NDArray[np.bool_]) -> str:
    """Return the cells of a mask as strips, one for each run of them along a row."""
    edges = np.diff(np.pad(mask, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    rows, begin = np.nonzero(edges == 1)
    _, end = np.nonzero(edges == -1)
    x, y = _centres(sheet, begin + board.first[0], rows + board.first[1])
    high = number(sheet.pixels * hex_lattice.ROW_HEIGHT)
    columns = x - sheet.pixels / 2, y - sheet.pixels * hex_lattice.ROW_HEIGHT / 2, (end - begin) * sheet.pixels
    strips = zip(*map(_numbers, columns), strict=True)
    return "".join([f"M{a} {b}h{wide}v{high}h-{wide}z" for a, b, wide in strips])


def _numbers(values: NDArray[np.floating[Any]]) -> list[str]:
    """Write many numbers, each that comes again only once."""
    different, which = np.unique(values, return_inverse=True)
    found: list[str] = np.array([number(value) for value in different.tolist()], object)[which].tolist()
    return found


def _grid(sheet: Sheet, board: DotMap) -> str:
    """Return the borders of all cells, each once: the three on the right of every cell, and the outline of them all."""
    rows, columns = np.nonzero(board.present)
    x, y = _centres(sheet, columns + board.first[0], rows + board.first[1])
    across, up, side = (number(sheet.pixels * length) for length in (1 / 2, 1 / math.sqrt(12), 1 / math.sqrt(3)))
    right = f"l{across} {up}v{side}l-{across} {up}"
    tops = zip(x.tolist(), (y - sheet.pixels / math.sqrt(3)).tolist(), strict=True)
    return "".join([f"M{number(a)} {number(b)}{right}" for a, b in tops]) + _covered(sheet, board, board.present)


def _draw_points(
    svg: Svg,
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    size: float,
    which: NDArray[np.bool_],
    openings: NDArray[np.bool_],
) -> None:
    radius = max(0.8, size / 15)
    starts = zip(x[which].tolist(), y[which].tolist(), strict=True)
    # Lines without length and with round ends are the shortest way to write many discs.
    svg.add(
        "path",
        d="".join([f"M{number(a)} {number(b)}h0" for a, b in starts]),
        stroke="#3f3a33",
        stroke_opacity=0.6,
        stroke_width=2 * radius,
        stroke_linecap="round",
    )
    for a, b in zip(x[openings].tolist(), y[openings].tolist(), strict=True):
        svg.add("circle", cx=a, cy=b, r=size / 5, fill="none", stroke=_WOOD, stroke_width=max(1, size / 14))


def _draw_heights(
    svg: Svg,
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    size: float,
    level: NDArray[np.int16],
    storeys: NDArray[np.int16],
    blocked: NDArray[np.bool_],
) -> None:
    for i in np.flatnonzero((level != 0) | (storeys != 0)).tolist():
        words = f"{level[i]:+d}" if level[i] else ""
        words += f"⌂{storeys[i]}" if storeys[i] else ""
        colour = _ON_CLOSED if blocked[i] else CONTOUR
        svg.text(float(x[i]), float(y[i]) - size * 0.18, words, size * 0.22, fill=colour, text_anchor="middle")


def _draw_names(
    svg: Svg,
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    size: float,
    q: NDArray[np.intp],
    r: NDArray[np.intp],
    blocked: NDArray[np.bool_],
    crossed: NDArray[np.bool_],
) -> None:
    """Write what orders call a dot below it: below every one, or where there is less room, where q and r are multiples.

    They are large enough to be read where a page shows the picture at three quarters of its size.
    Names that a ramp, stairs or a ladder to a row below may run under are set off from it.
    """
    letter = max(_LEAST_LETTER, size * 0.19)
    longest = max((len(f"{a},{b}") for a, b in zip(q.tolist(), r.tolist(), strict=True)), default=0)
    step = next((step for step in _STEPS if step * size >= (longest + 1) * letter * _LETTER_WIDTH), 0)
    if not step or size < _NAMED:
        return
    named = (q % step == 0) & (r % step == 0)
    # Dark enough to be read through every band of a reach: this is what is typed to ask about the dot.
    letters: dict[str, str | float] = {"font_size": letter, "text_anchor": "middle"}
    halo: dict[str, str | float] = {"fill": "none", "stroke": PAPER, "stroke_width": 2.4, "stroke_opacity": 0.75}
    written = (
        (letters | halo, named & ~blocked & crossed),
        (letters | {"fill": INK, "fill_opacity": 0.7}, named & ~blocked),
        (letters | {"fill": _ON_CLOSED, "fill_opacity": 0.7}, named & blocked),
    )
    for look, which in written:
        if not which.any():
            continue
        svg.open("g", **look)
        for i in np.flatnonzero(which).tolist():
            svg.add("text", f"{q[i]},{r[i]}", x=float(x[i]), y=float(y[i]) + size * 0.36)
        svg.close("g")


def _draw_borders(svg: Svg, sheet: Sheet, board: DotMap) -> None:
    """Return lines where the ground changes its level, and round buildings."""
    cliffs: list[str] = []
    eaves: list[str] = []
    for across, down in hex_lattice.DIRECTIONS[:3]:
        pairs = board.present & shifted(board.present, down, across)
        eave = pairs & (board.storeys != shifted(board.storeys, down, across))
        cliff = pairs & ~eave & (board.level != shifted(board.level, down, across))
        for mask, strokes in ((cliff, cliffs), (eave, eaves)):
            for row, column in np.argwhere(mask).tolist():
                dot = board.place_at(row, column)
                strokes.append(_border(sheet, dot, (dot[0] + across, dot[1] + down)))
    if cliffs:
        svg.add("path", d="".join(cliffs), stroke=CONTOUR, stroke_width=max(1, sheet.pixels / 18))
    if eaves:
        svg.add("path", d="".join(eaves), stroke="#7a6a58", stroke_width=max(1, sheet.pixels / 20))


def _ends(sheet: Sheet, a: hex_lattice.Dot, b: hex_lattice.Dot) -> tuple[float, float, float, float]:
    """Return the ends of the border between two cells: across the line between their dots, at its middle."""
    (ax, ay), (bx, by) = sheet.at(*hex_lattice.centre(a)), sheet.at(*hex_lattice.centre(b))
    mx, my = (ax + bx) / 2, (ay + by) / 2
    half = 0.5 / math.sqrt(3)
    return mx - (by - ay) * half, my + (bx - ax) * half, mx + (by - ay) * half, my - (bx - ax) * half


def _border(sheet: Sheet, a: hex_lattice.Dot, b: hex_lattice.Dot) -> str:
    x1, y1, x2, y2 = _ends(sheet, a, b)
    return f"M{number(x1)} {number(y1)}L{number(x2)} {number(y2)}"


def _mark_wall(svg: Svg, sheet: Sheet, edge: Edge) -> None:
    svg.add(
        "path",
        d=_border(sheet, edge.a, edge.b),
        stroke=WALL,
        stroke_width=max(1.5, sheet.pixels / 9),
        stroke_linecap="round",
    )


def _mark_window(svg: Svg, sheet: Sheet, edge: Edge) -> None:
    path, width = _border(sheet, edge.a, edge.b), max(2.0, sheet.pixels / 8)
    svg.add("path", d=path, stroke=WALL, stroke_width=width)
    svg.add("path", d=path, stroke="#d6ecf7", stroke_width=width * 0.55)


def _mark_door(svg: Svg, sheet: Sheet, edge: Edge) -> None:
    path, width = _border(sheet, edge.a, edge.b), max(2.0, sheet.pixels / 7)
    svg.add("path", d=path, stroke=_WOOD, stroke_width=width)
    svg.add("path", d=path, stroke="#f1e3d0", stroke_width=width * 0.35)


def _rungs(svg: Svg, sheet: Sheet, edge: Edge, count: int, rails: bool) -> None:
    (ax, ay), (bx, by) = sheet.at(*hex_lattice.centre(edge.a)), sheet.at(*hex_lattice.centre(edge.b))
    dx, dy = bx - ax, by - ay
    wide = 0.11
    path = []
    for rung in range(count):
        along = 0.3 + 0.4 * rung / (count - 1)
        x, y = ax + dx * along, ay + dy * along
        path.append(f"M{number(x - dy * wide)} {number(y + dx * wide)}L{number(x + dy * wide)} {number(y - dx * wide)}")
    if rails:
        for side in (-wide, wide):
            x, y = ax + dx * 0.25 - dy * side, ay + dy * 0.25 + dx * side
            path.append(f"M{number(x)} {number(y)}l{number(dx * 0.5)} {number(dy * 0.5)}")
    svg.add("path", d="".join(path), stroke=INK, stroke_width=max(0.8, sheet.pixels / 26))


def _mark_stairs(svg: Svg, sheet: Sheet, edge: Edge) -> None:
    _rungs(svg, sheet, edge, 5, rails=False)


def _mark_ladder(svg: Svg, sheet: Sheet, edge: Edge) -> None:
    _rungs(svg, sheet, edge, 4, rails=True)


def _mark_ramp(svg: Svg, sheet: Sheet, edge: Edge) -> None:
    (ax, ay), (bx, by) = sheet.at(*hex_lattice.centre(edge.a)), sheet.at(*hex_lattice.centre(edge.b))
    dx, dy = bx - ax, by - ay
    tip, left, right = (
        (ax + dx * 0.75, ay + dy * 0.75),
        (ax + dx * 0.25 - dy * 0.14, ay + dy * 0.25 + dx * 0.14),
        (ax + dx * 0.25 + dy * 0.14, ay + dy * 0.25 - dx * 0.14),
    )
    path = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in (tip, left, right)) + "Z"
    svg.add("path", d=path, fill=CONTOUR, fill_opacity=0.75)


#: What leads from a dot to another, and is drawn as far as to their names.
_WAYS = ("ramp", "stairs", "ladder")

_EDGE_MARKS: dict[EdgeKind, Callable[[Svg, Sheet, Edge], None]] = {
    "wall": _mark_wall,
    "window": _mark_window,
    "door": _mark_door,
    "ramp": _mark_ramp,
    "stairs": _mark_stairs,
    "ladder": _mark_ladder,
}


def _ringed(svg: Svg, x: float, y: float) -> None:
    svg.add("circle", cx=x + 8, cy=y + 8, r=5, fill="none", stroke=_WOOD, stroke_width=2)


def _edge_swatch(kind: EdgeKind) -> Callable[[Svg, float, float], None]:
    def draw(svg: Svg, x: float, y: float) -> None:
        # Two dots 26 pixels apart with their middle in the box; barriers stand upright, ways lie level.
        sheet = Sheet(x + 8, y + 8, 0.5, 0.0, 26.0)
        _EDGE_MARKS[kind](svg, sheet, Edge(kind, (0, 0), (1, 0)))

    return draw
