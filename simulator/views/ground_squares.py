"""The ground of a square grid: terrain, levels, impeded squares, walls."""

from __future__ import annotations

import numpy as np

from simulator.geometry.squares import SquareGrid
from simulator.views.ground import CellsGround, Tick, every
from simulator.views.lattice_lines import cells_path, edges_path
from simulator.views.legend import LegendEntry, filled, occurring, stroked, terrain_entries
from simulator.views.palette import CLOSED, CONTOUR, GRID_LINES, WALL, terrain_colours
from simulator.views.svg import Sheet, Svg, number
from simulator.wording import measure


class SquaresGround(CellsGround[SquareGrid]):
    """How a square grid is drawn."""

    most_pixels = 44.0
    step = "square"

    def draw(self, svg: Svg, sheet: Sheet) -> None:
        """Draw terrain, levels, grid and impeded squares."""
        board = self.board
        size, height = sheet.pixels, float(board.height)
        for code, colour in enumerate(terrain_colours(board.terrain_kinds).values()):
            svg.add("path", d=cells_path(sheet, board.terrain == code, height), fill=colour)
        _draw_levels(svg, sheet, board)
        if size >= 5:
            width, tall = board.width * size, board.height * size
            lines = [
                f"M{number(sheet.left + c * size)} {number(sheet.top)}v{number(tall)}" for c in range(board.width + 1)
            ]
            lines += [
                f"M{number(sheet.left)} {number(sheet.top + r * size)}h{number(width)}" for r in range(board.height + 1)
            ]
            svg.add("path", d="".join(lines), stroke=GRID_LINES, stroke_width=1, fill="none")
        if board.impeded.any():
            strokes: list[str] = []
            third = size / 3
            for row, column in np.argwhere(board.impeded & ~board.walls).tolist():
                x, y = sheet.at(column, height - row)
                strokes += [
                    f"M{number(x)} {number(y + start)}L{number(x + start)} {number(y)}"
                    for start in (third, 2 * third, size)
                ]
            svg.add("path", d="".join(strokes), stroke="#5c503c66", stroke_width=max(0.6, size / 30), fill="none")

    def draw_walls(self, svg: Svg, sheet: Sheet) -> None:
        """Draw walls, and the heights of squares."""
        board = self.board
        height, size = float(board.height), sheet.pixels
        if board.walls.any():
            svg.add("path", d=cells_path(sheet, board.walls, height), fill=WALL, fill_opacity=CLOSED)
        if board.walls_east.any() or board.walls_south.any():
            svg.add(
                "path",
                d=edges_path(sheet, board.walls_east, board.walls_south, height),
                stroke=WALL,
                stroke_width=max(1.5, size / 8),
                stroke_linecap="round",
                fill="none",
            )
        if size >= 15:
            for row, column in np.argwhere((board.level != 0) & ~board.walls).tolist():
                x, y = sheet.at(column + 1, height - row)
                svg.text(
                    x - 2.5,
                    y + size * 0.3,
                    f"{board.level[row, column]:+d}",
                    size * 0.25,
                    fill=CONTOUR,
                    text_anchor="end",
                )

    def legend(self) -> list[LegendEntry]:
        """Name what occurs on the board."""
        board = self.board
        entries = terrain_entries(occurring(terrain_colours(board.terrain_kinds), board.terrain[~board.walls]))
        if board.walls.any():
            entries.append(LegendEntry("wall square", filled(WALL)))
        if board.walls_east.any() or board.walls_south.any():
            entries.append(LegendEntry("wall on an edge", stroked(WALL, 4)))
        if board.impeded.any():
            entries.append(LegendEntry("impeded", _hatched))
        if board.level.any():
            entries.append(LegendEntry("level (+ up, - down)", stroked(CONTOUR, 2)))
        return entries

    def size_in_words(self) -> str:
        """Describe how many squares of what size."""
        size, unit = self.board.scale
        return f"{self.board.width} × {self.board.height} squares of {measure(size, unit)}"

    def ticks(self, pixels: float) -> list[Tick]:
        """Number columns and rows as files and orders do."""
        step, height = every(pixels), self.board.height
        columns = [Tick("x", column + 0.5, str(column)) for column in range(0, self.board.width, step)]
        return columns + [Tick("y", height - row - 0.5, str(row)) for row in range(0, height, step)]


def _draw_levels(svg: Svg, sheet: Sheet, board: SquareGrid) -> None:
    if not board.level.any():
        return
    height, size = float(board.height), sheet.pixels
    for level in np.unique(board.level[board.level != 0]).tolist():
        svg.add(
            "path",
            d=cells_path(sheet, board.level == level, height),
            fill="#6b4f1d" if level > 0 else "#12395c",
            fill_opacity=min(0.08 * abs(level), 0.4),
        )
    east, south = np.zeros(board.level.shape, np.bool_), np.zeros(board.level.shape, np.bool_)
    east[:, :-1] = board.level[:, :-1] != board.level[:, 1:]
    south[:-1] = board.level[:-1] != board.level[1:]
    svg.add(
        "path", d=edges_path(sheet, east, south, height), stroke=CONTOUR, stroke_width=max(1, size / 18), fill="none"
    )


def _hatched(svg: Svg, x: float, y: float) -> None:
    filled("#f4f1e8")(svg, x, y)
    d = "".join(f"M{x + 1:g} {y + reach:g}L{x + reach:g} {y + 1:g}" for reach in (5, 10, 15))
    svg.add("path", d=d, stroke="#5c503c99", stroke_width=1)
