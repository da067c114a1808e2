"""The ground of an inch table: terrain pieces in the order in which they lie, heights, slopes, entry areas."""

from __future__ import annotations

import shapely
from shapely.geometry.base import BaseGeometry

from simulator.geometry.angles import unit_vector
from simulator.geometry.pieces import LineShape, Piece, PointShape
from simulator.geometry.snapping import difference, union
from simulator.geometry.table import InchTable
from simulator.views.ground import Tick, Zone, every
from simulator.views.legend import LegendEntry, stroked, terrain_entries
from simulator.views.palette import CONTOUR, INK, QUIET_INK, terrain_colours
from simulator.views.svg import Sheet, Svg, number
from simulator.wording import measure

_TREE_RADIUS = 0.45
_SHADOW = 0.09  # inches of shadow for each inch of height


class TableGround:
    """How an inch table is drawn."""

    most_pixels = 40.0
    step = ""

    def __init__(self, board: InchTable) -> None:
        self.board = board
        kinds = {piece.kind for piece in board.pieces} - {board.ground}
        self.colours = terrain_colours([board.ground, *sorted(kinds)])

    def draw(self, svg: Svg, sheet: Sheet) -> None:
        """Draw the ground, a quiet grid, and the pieces from below upwards."""
        table = self.board.bounds
        outline = sheet.path(shapely.box(*table))
        svg.add("path", d=outline, fill=self.colours[self.board.ground])
        apart = 6 if min(table.width, table.height) > 12 else 1
        lines = []
        for x in range(int(table.min_x) + apart, int(table.max_x) + 1, apart):
            left, top = sheet.at(x, table.max_y)
            lines.append(f"M{number(left)} {number(top)}v{number(table.height * sheet.pixels)}")
        for y in range(int(table.min_y) + apart, int(table.max_y) + 1, apart):
            left, top = sheet.at(table.min_x, y)
            lines.append(f"M{number(left)} {number(top)}h{number(table.width * sheet.pixels)}")
        svg.add("path", d="".join(lines), stroke="#0000000d", stroke_width=1)
        for piece in self.board.stacked:
            _draw_piece(svg, sheet, piece, self.colours[piece.kind])
        svg.add("path", d=outline, stroke=INK, stroke_width=1.5, fill="none")

    def draw_walls(self, svg: Svg, sheet: Sheet) -> None:
        """Draw the outlines of what stands up, bare walls, slopes and heights."""
        for piece in self.board.stacked:
            is_bare = isinstance(piece.shape, LineShape) and piece.shape.width == 0
            if is_bare or (piece.layer in ("obstacle", "elevated") and not isinstance(piece.shape, PointShape)):
                svg.add(
                    "path",
                    d=sheet.path(piece.shape.polygon),
                    fill="none",
                    stroke=INK if is_bare else "#3d362c",
                    stroke_width=2.6 if is_bare else 1.4,
                    stroke_linejoin="round",
                )
        stacked = self.board.stacked
        for at, piece in enumerate(stacked):
            if not _has_height(piece):
                continue
            solid = [above.shape.polygon for above in stacked[at + 1 :] if above.layer in ("obstacle", "elevated")]
            solid = [above for above in solid if above.area]  # overlays take areas only
            _write_heights(svg, sheet, piece, difference(piece.shape.polygon, union(solid)))

    def legend(self) -> list[LegendEntry]:
        """Name the kinds of pieces that occur."""
        entries = terrain_entries(self.colours)
        if any("uphill" in piece.attributes for piece in self.board.pieces):
            entries.append(LegendEntry("uphill", stroked(CONTOUR, 2)))
        return entries

    def size_in_words(self) -> str:
        """Describe how large the table is and how much lies on it."""
        size = f"{self.board.width:g} × {measure(self.board.height, self.board.unit)}"
        return f"{size}, {measure(len(self.board.pieces), 'piece')}"

    def ticks(self, pixels: float) -> list[Tick]:
        """Number the inches."""
        table, step = self.board.bounds, max(every(pixels), 6 if pixels < 30 else 1)
        first_x, first_y = -(-table.min_x // step) * step, -(-table.min_y // step) * step
        marks = [Tick("x", x, f"{x:g}") for x in _stops(first_x, table.max_x, step)]
        return marks + [Tick("y", y, f"{y:g}") for y in _stops(first_y, table.max_y, step)]

    def zones(self) -> list[Zone]:
        """Return the entry areas."""
        return [Zone(area.name, area.side, area.shape.polygon) for area in self.board.entry_areas]


def _stops(first: float, last: float, step: int) -> list[float]:
    return [first + step * i for i in range(int((last - first) // step) + 1)]


def _draw_piece(svg: Svg, sheet: Sheet, piece: Piece, colour: str) -> None:
    if isinstance(piece.shape, PointShape):
        x, y = sheet.at(piece.shape.x, piece.shape.y)
        svg.add("circle", cx=x, cy=y, r=_TREE_RADIUS * sheet.pixels, fill=colour, stroke="#00000055", stroke_width=1)
        svg.add("circle", cx=x, cy=y, r=1.4, fill=INK)
        return
    if isinstance(piece.shape, LineShape) and piece.shape.width == 0:
        return  # a wall without width is all outline
    path = sheet.path(piece.shape.polygon)
    solid = piece.layer in ("obstacle", "elevated")
    if solid and piece.height:
        down = number(_SHADOW * piece.height * sheet.pixels)
        svg.add(
            "path",
            d=path,
            transform=f"translate({down} {down})",
            fill="#3a3020",
            fill_opacity=0.22,
            fill_rule="evenodd",
        )
    svg.add(
        "path",
        d=path,
        fill=colour,
        fill_rule="evenodd",
        fill_opacity=0.62 if piece.layer == "modifier" else 0.96,
        stroke=None if solid else "#00000033",
        stroke_width=1,
        stroke_linejoin="round",
        stroke_dasharray="4 3" if piece.layer == "modifier" else None,
    )


def _has_height(piece: Piece) -> bool:
    """Return whether an arrow or a height is written on it."""
    raised = "uphill" in piece.attributes or (piece.layer == "elevated" and piece.height)
    return bool(raised) and not isinstance(piece.shape, PointShape)


def _write_heights(svg: Svg, sheet: Sheet, piece: Piece, visible: BaseGeometry) -> None:
    """Arrows up slopes, and heights where they matter, on ground that nothing stands on."""
    if visible.is_empty:
        return
    spot = shapely.point_on_surface(visible)
    x, y = sheet.at(spot.x, spot.y)
    if "uphill" in piece.attributes:
        dx, dy = unit_vector(piece.attributes["uphill"])
        reach = 13.0
        tip, tail = (x + reach * dx, y - reach * dy), (x - reach * dx, y + reach * dy)
        wings = [(tip[0] - 6 * dx + side * 4 * dy, tip[1] + 6 * dy + side * 4 * dx) for side in (1, -1)]
        arrow = f"M{number(tail[0])} {number(tail[1])}L{number(tip[0])} {number(tip[1])}" + "".join(
            f"M{number(tip[0])} {number(tip[1])}L{number(a)} {number(b)}" for a, b in wings
        )
        svg.add("path", d=arrow, stroke=CONTOUR, stroke_width=1.8, fill="none", stroke_linecap="round")
    else:
        storeys = f" ⌂{piece.attributes['floors']}" if "floors" in piece.attributes else ""
        svg.text(x, y + 3.5, f"{piece.height:g}″{storeys}", 10, text_anchor="middle", fill=QUIET_INK)
