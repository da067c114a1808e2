"""A board in characters: in colour for a terminal, or plain for pipes. The same board and width produce the same lines.

Lattices have two characters for each place; inch tables are sampled, in colour two points for each character, one above
the other. What does not fit into the width is cut off, and the last line says so.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from simulator.engine.areas import extent, extent_text
from simulator.geometry.board import Board, Lattice
from simulator.geometry.dots import DotMap
from simulator.geometry.hex_lattice import ROW_HEIGHT
from simulator.geometry.squares import SquareGrid
from simulator.geometry.table import InchTable
from simulator.views.overlays import Overlays, UnitMark
from simulator.views.palette import INK, UNKNOWN, WALL, band_colour, side_colour, terrain_colours

#: The glyphs of kinds of ground where there is no colour; the first is that of the most frequent kind.
_GROUND = ".:,;'\"-=+%&?"
_CLOSED, _ROUTE, _GOAL, _UNKNOWN = "#", "*", "X", "~"
#: The glyphs of bands, the cheapest first.
_BANDS = "123456789abcdefghijklmnopqrstuvwxyz"
#: The most columns of a table, however wide the terminal is.
_WIDEST = 120
_PALE = "#ffffff"


@dataclass(frozen=True, slots=True)
class Glyphs:
    """Some characters of one look: their colour and that behind them; "" for those of the terminal."""

    text: str
    ink: str = ""
    paper: str = ""


Line = list[Glyphs]


@dataclass(slots=True)
class _Sheet:
    """The characters of a map, and how places of the plane become rows and columns of them."""

    cells: list[list[Glyphs]]
    left: float
    top: float
    step_x: float
    step_y: float

    def at(self, x: float, y: float) -> tuple[int, int]:
        """Return the row and column of a point of the plane."""
        return math.floor((self.top - y) / self.step_y), math.floor((x - self.left) / self.step_x)

    def write(self, x: float, y: float, glyph: str, ink: str, paper: str = "") -> None:
        """Write a glyph over what is drawn at a point; points beside the map are left out."""
        row, column = self.at(x, y)
        if 0 <= row < len(self.cells) and 0 <= column < len(self.cells[row]):
            under = self.cells[row][column]
            self.cells[row][column] = Glyphs(glyph, ink, paper or under.paper)


def terminal_map(board: Board[Any], overlays: Overlays, *, width: int = 80, coloured: bool = False) -> list[Line]:
    """Return the lines of a map, at most `width` characters wide, and its legend."""
    points, codes, kinds = _ground(board, width, coloured)
    bands = _bands(overlays, points)
    looks = _Looks(board, kinds, codes, overlays, coloured)
    sheet = looks.table(points, codes, bands) if isinstance(board, InchTable) else looks.lattice(board, bands)
    marks = _marks(overlays.units)
    for route in overlays.routes:
        for x, y in _along(route.points):
            sheet.write(x, y, "•" if coloured else _ROUTE, INK if coloured else "")
        if route.points:
            sheet.write(*route.points[-1], _GOAL, INK if coloured else "")
    for unit, mark in zip(overlays.units, marks, strict=True):
        ink, paper = (_PALE, side_colour(unit.side, overlays.sides)) if coloured else ("", "")
        sheet.write(unit.x, unit.y, mark, ink, paper)
    widest = max((len(row) for row in sheet.cells), default=0)
    lines = [_joined(row[:width]) for row in sheet.cells]
    if widest > width:
        lines.append([Glyphs(f"cut off on the right: the map is {widest} characters wide")])
    return [*lines, *looks.legend(overlays, marks)]


# --- what there is at each point ---


def _ground(board: Board[Any], width: int, coloured: bool) -> tuple[NDArray[Any], NDArray[np.int16], tuple[str, ...]]:
    """Return points of the plane as [row, column, xy], the kind of ground at each, and the kinds; -1 is no ground."""
    if isinstance(board, InchTable):
        bounds = board.bounds
        columns = max(1, min(width, _WIDEST))
        step = bounds.width / columns
        rows = max(1, math.ceil(bounds.height / (step * (1 if coloured else 2))))
        rows += rows % 2 if coloured else 0
        x = bounds.min_x + (np.arange(columns) + 0.5) * step
        y = bounds.max_y - (np.arange(rows) + 0.5) * (step if coloured else 2 * step)
        points = np.stack(np.meshgrid(x, y), axis=-1)
        codes = board.terrain_at_many(points.reshape(-1, 2)).reshape(rows, columns)
        return points, codes, tuple(board.terrain_kinds)
    assert isinstance(board, Lattice)
    found = board.terrain_array
    points = np.full((*board.shape, 2), np.nan)
    for place in board.places():
        points[board.index(place)] = board.centre(place)
    return points, found.codes, found.kinds


def _bands(overlays: Overlays, points: NDArray[Any]) -> NDArray[np.int16]:
    """Return the number of the band at each point, -1 for none."""
    found = np.full(points.shape[:2], -1, np.int16)
    for number, band in enumerate(overlays.bands):
        found[shapely.contains_xy(band.region, points[..., 0], points[..., 1])] = number
    return found


def _along(points: Sequence[tuple[float, float]]) -> Iterator[tuple[float, float]]:
    """Yield points along a way, close enough to leave no gap on the map."""
    for (x, y), (to_x, to_y) in pairwise(points):
        count = max(1, math.ceil(math.hypot(to_x - x, to_y - y) / 0.25))
        yield from ((x + (to_x - x) * part / count, y + (to_y - y) * part / count) for part in range(count))


def _marks(units: Iterable[UnitMark]) -> list[str]:
    """Return a letter for each unit: the first of its name that is free, or of the alphabet."""
    taken: list[str] = []
    for unit in units:
        letters = [letter.upper() for letter in unit.label if letter.isascii() and letter.isalpha()]
        taken.append(next((one for one in [*letters, *"ABCDEFGHIJKLMNOPQRSTUVWYZ"] if one not in (*taken, _GOAL)), "@"))
    return taken


# --- how it looks ---


class _Looks:
    """The glyphs and colours of one map."""

    def __init__(
        self,
        board: Board[Any],
        kinds: Sequence[str],
        codes: NDArray[np.int16],
        overlays: Overlays,
        coloured: bool,
    ) -> None:
        self.board, self.kinds, self.coloured = board, kinds, coloured
        counts = np.bincount(codes[codes >= 0], minlength=len(kinds))
        self.seen = [code for code in np.argsort(-counts, kind="stable").tolist() if counts[code]]
        self.colours = terrain_colours(kinds)
        self.glyphs = {code: _GROUND[min(place, len(_GROUND) - 1)] for place, code in enumerate(self.seen)}
        self.shades = [
            (band.colour or band_colour(band.share)) if band.is_known else UNKNOWN for band in overlays.bands
        ]
        self.marks = [
            _BANDS[min(number, len(_BANDS) - 1)] if band.is_known else _UNKNOWN
            for number, band in enumerate(overlays.bands)
        ]

    def colour(self, code: int, band: int) -> str:
        """Return the colour behind a point; "" off the board."""
        if band >= 0:
            return self.shades[band]
        return "" if code < 0 else self.colours[self.kinds[code]]

    def glyph(self, code: int, band: int) -> str:
        """Return the plain glyph of a point."""
        if band >= 0:
            return self.marks[band]
        return " " if code < 0 else self.glyphs[code]

    def table(self, points: NDArray[Any], codes: NDArray[np.int16], bands: NDArray[np.int16]) -> _Sheet:
        """Draw an inch table: half blocks in colour, a glyph for each point without."""
        assert isinstance(self.board, InchTable)
        bounds, step = self.board.bounds, self.board.bounds.width / points.shape[1]
        pairs = list(zip(codes.tolist(), bands.tolist(), strict=True))
        cells = [[Glyphs(self.glyph(code, band)) for code, band in zip(*row, strict=True)] for row in pairs]
        if self.coloured:
            shades = [[self.colour(code, band) for code, band in zip(*row, strict=True)] for row in pairs]
            cells = [
                [Glyphs("▀", upper, lower) for upper, lower in zip(above, below, strict=True)]
                for above, below in zip(shades[::2], shades[1::2], strict=True)
            ]
        sheet = _Sheet(cells, bounds.min_x, bounds.max_y, step, 2 * step)
        for piece in self.board.stacked:
            if piece.layer == "obstacle":
                for x, y in _along(shapely.get_coordinates(piece.shape.polygon).tolist()):
                    sheet.write(x, y, _CLOSED, WALL if self.coloured else "")
        return sheet

    def lattice(self, board: Board[Any], bands: NDArray[np.int16]) -> _Sheet:
        """Draw a lattice: two characters for each place, and on dots every other row shifted by one."""
        assert isinstance(board, Lattice)
        places = [(place, board.index(place), board.centre(place)) for place in board.places()]
        row_height = ROW_HEIGHT if isinstance(board, DotMap) else 1.0
        left, top = min(at[0] for *_, at in places), max(at[1] for *_, at in places)
        spots = [(index, round((top - y) / row_height), round((x - left) * 2)) for _, index, (x, y) in places]
        wide, high = max(column for *_, column in spots) + 2, max(row for _, row, _ in spots) + 1
        cells = [[Glyphs(" ") for _ in range(wide)] for _ in range(high)]
        codes, closed = board.terrain_array.codes, _closed(board)
        for index, row, column in spots:
            code, band = int(codes[index]), int(bands[index])
            paper = (WALL if closed[index] else self.colour(code, band)) if self.coloured else ""
            glyph = _CLOSED if closed[index] else self.glyph(code, band)
            shown = " " if self.coloured and (closed[index] or band < 0) else glyph
            cells[row][column] = Glyphs(shown, INK if self.coloured else "", paper)
            cells[row][column + 1] = Glyphs(_edge(board, index), INK if self.coloured else "", paper)
        return _Sheet(cells, left - 0.25, top + row_height / 2, 0.5, row_height)

    def legend(self, overlays: Overlays, marks: Sequence[str]) -> Iterator[Line]:
        """Yield what the glyphs and colours mean: units, bands with the ground that they hold, kinds of ground."""
        if overlays.units:
            yield [Glyphs("")]
        for unit, mark in zip(overlays.units, marks, strict=True):
            paper = side_colour(unit.side, overlays.sides) if self.coloured else ""
            side = f" ({unit.side})" if unit.side else ""
            yield [Glyphs(f"{mark}", _PALE if self.coloured else "", paper), Glyphs(f"  {unit.label}{side}")]
        if overlays.bands and overlays.heading:
            yield [Glyphs(overlays.heading)]
        for number, band in enumerate(overlays.bands):
            ground = extent_text(self.board, extent(self.board, band.region))
            swatch = Glyphs(self.glyph(-1, number), INK if self.coloured else "", self.colour(-1, number))
            yield [swatch if self.coloured else replace(swatch, paper=""), Glyphs(f"  {band.label}: {ground}")]
        for code in self.seen:
            plain, paper = (" ", self.colour(code, -1)) if self.coloured else (self.glyph(code, -1), "")
            yield [Glyphs(plain, "", paper), Glyphs(f"  {self.kinds[code].replace('_', ' ')}")]


def _closed(board: Lattice) -> NDArray[np.bool_]:
    """Return the places of a lattice that nobody can enter."""
    if isinstance(board, SquareGrid):
        return board.walls
    return board.impassable if isinstance(board, DotMap) else np.zeros(board.shape, np.bool_)


def _edge(board: Lattice, index: tuple[int, int]) -> str:
    """Return the walls on the east and south edges of a square as a character."""
    if not isinstance(board, SquareGrid):
        return " "
    return " │_┘"[int(board.walls_east[index]) + 2 * int(board.walls_south[index])]


def _joined(spans: Sequence[Glyphs]) -> Line:
    """Return a line with neighbours of one look put together, without blanks of no colour at its end."""
    line: Line = []
    for span in spans:
        if line and (line[-1].ink, line[-1].paper) == (span.ink, span.paper):
            line[-1] = replace(line[-1], text=line[-1].text + span.text)
        else:
            line.append(span)
    if line and not line[-1].paper:
        line[-1] = replace(line[-1], text=line[-1].text.rstrip())
    return line
