"""The picture of a board: title, ground, grid, walls, labels, scale bar and legend, and what lies on it.

>>> from simulator.geometry.squares import SquareGrid
>>> board = SquareGrid.from_text(". . #", name="A corner")
>>> draw(board).startswith("<svg xmlns=")
True
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from simulator.errors import WrongValue, shortened
from simulator.geometry.board import Board
from simulator.geometry.dots import DotMap
from simulator.geometry.shapes import lines_of, polygons_of
from simulator.geometry.squares import SquareGrid
from simulator.geometry.table import InchTable
from simulator.views.ground import GroundStyle, Tick, Zone
from simulator.views.ground_dots import DotsGround
from simulator.views.ground_squares import SquaresGround
from simulator.views.ground_table import TableGround
from simulator.views.legend import LINE, LegendEntry, draw_legend, filled, height_of, stroked
from simulator.views.overlays import Band, Looks, Outline, Overlays, RouteLine, Spot, UnitMark
from simulator.views.palette import INK, PAPER, QUIET_INK, UNKNOWN, band_colour, side_colour
from simulator.views.svg import Sheet, Svg, number, points
from simulator.wording import measure

_LEGEND_WIDTH = 224.0
_MARGIN = 34.0
_HEAD = 70.0
_FOOT = 52.0
_TALLEST = 1000.0
_NARROWEST = 460.0
#: About how wide a letter of the title is.
_TITLE_LETTER = 10.0
#: How much of the ground a band of reach covers, and a unit.
_BAND_COVERS, _UNIT_COVERS = 0.62, 0.85
#: How far apart, in pixels, the lines are that hatch ground of which nothing is known yet.
_HATCH = 8.0
#: How large the numbers on the rim are: readable where a page shows the picture at three quarters.
_TICK = 13.0
#: How wide the mark of a spot is.
_SPOT = 20.0
#: About how wide a letter of a unit's name is, and how far apart two lines of names are.
_NAME_LETTER, _NAME_LINE = 7.5, 12.0
#: Where the wedge of a heading begins and ends, and half its width, in units of the plane.
_WEDGE_FOOT, _WEDGE_TIP, _WEDGE_SIDE = 0.2, 0.44, 0.09

#: How large the parts of a picture are by which what is written is looked up.
_PART = 64.0
#: What something covers on the picture: left, top, right, bottom.
_Box = tuple[float, float, float, float]


def draw(
    board: Board[Any], overlays: Overlays | None = None, *, width_px: float = 1000, title: str | None = None
) -> str:
    """Return a board with `overlays` drawn on it, as the text of an SVG file."""
    overlays = Overlays() if overlays is None else overlays
    if not isinstance(overlays, Overlays):
        raise WrongValue(f"what is drawn on a board are Overlays, not {shortened(overlays)}")
    ground, bounds = ground_style_of(board), board.bounds
    zones = ground.zones()
    sides = tuple(dict.fromkeys([zone.side for zone in zones if zone.side] + list(overlays.sides)))
    room = width_px - _LEGEND_WIDTH - 2 * _MARGIN
    pixels = min(room / bounds.width, _TALLEST / bounds.height, ground.most_pixels)
    wide, tall = bounds.width * pixels, bounds.height * pixels
    # What was asked comes first, then what it lies on.
    entries, below = _overlay_legend(overlays, sides), ground.legend() + [_zone_entry(zone, sides) for zone in zones]
    entries += [LegendEntry("board")] * bool(entries and below) + below
    heading = title or board.name or "A board"
    width = max(wide + 2 * _MARGIN + _LEGEND_WIDTH, _NARROWEST)
    # A small board is drawn on a sheet that its title fits on, as far as it may be so wide.
    width = max(width, min(len(heading) * _TITLE_LETTER + 2 * _MARGIN, width_px))
    letters = int((width - 2 * _MARGIN) / _TITLE_LETTER)
    svg = Svg(round(width), round(_HEAD + max(tall + _FOOT, height_of(entries) + LINE)))
    sheet = Sheet(_MARGIN, _HEAD, bounds.min_x, bounds.max_y, pixels)
    svg.add("rect", width=svg.width, height=svg.height, fill=PAPER)
    shown = heading if len(heading) <= letters else f"{heading[: letters - 1]}…"
    svg.text(_MARGIN, 26, shown, 18, font_weight="bold")
    about = [board.name] * bool(board.name and title and board.name != title) + [ground.size_in_words()]
    svg.text(_MARGIN, 43, " · ".join(about), 12.5, fill=QUIET_INK)
    _draw_ticks(svg, sheet, ground.ticks(pixels))
    ground.draw(svg, sheet)
    _draw_zones(svg, sheet, zones, sides)
    _draw_bands(svg, sheet, overlays.bands)
    _draw_outlines(svg, sheet, overlays.outlines, sides)
    ground.draw_walls(svg, sheet)
    _draw_looks(svg, sheet, overlays.looks)
    for route in overlays.routes:
        _draw_route(svg, sheet, route, sides)
    for unit in overlays.units:
        _draw_unit(svg, sheet, unit, sides)
    taken = _Written()
    for spot in overlays.spots:
        taken.append(_around(*sheet.at(spot.x, spot.y), _SPOT, _SPOT))
    # Names that have room inside first: they have no other place.
    named = [unit for unit in overlays.units if unit.label]
    for unit in sorted(named, key=lambda unit: not _fits_inside(sheet, unit)):
        _name_unit(svg, sheet, unit, taken)
    for spot in overlays.spots:
        x, y = sheet.at(spot.x, spot.y)
        _draw_spot(svg, x + _SPOT * spot.behind, y, spot, sides)
    for label in board.labels:
        _write_label(svg, *sheet.at(label.x, label.y), label.text, taken)
    _draw_scale(svg, sheet, board.scale, ground.step, _HEAD + tall + 26)
    draw_legend(svg, _MARGIN + wide + 26, _HEAD, entries)
    return svg.document(heading)


def ground_style_of(board: Board[Any]) -> GroundStyle:
    """Return the class that knows how this kind of board is drawn."""
    if isinstance(board, SquareGrid):
        return SquaresGround(board)
    if isinstance(board, DotMap):
        return DotsGround(board)
    if isinstance(board, InchTable):
        return TableGround(board)
    raise TypeError(f"no picture of a {type(board).__name__}")


def _draw_ticks(svg: Svg, sheet: Sheet, ticks: Sequence[Tick]) -> None:
    for tick in ticks:
        x, y = sheet.at(tick.at, tick.at)
        if tick.axis == "x":
            svg.text(x, sheet.top - 5, tick.text, _TICK, text_anchor="middle", fill=QUIET_INK)
        else:
            svg.text(sheet.left - 6, y + 4.5, tick.text, _TICK, text_anchor="end", fill=QUIET_INK)


def _draw_zones(svg: Svg, sheet: Sheet, zones: Sequence[Zone], sides: tuple[str, ...]) -> None:
    for zone in zones:
        colour = side_colour(zone.side, sides)
        svg.add(
            "path",
            d=sheet.path(zone.region),
            fill=colour,
            fill_opacity=0.07,
            stroke=colour,
            stroke_width=1.6,
            stroke_dasharray="6 4",
        )


def _zone_entry(zone: Zone, sides: tuple[str, ...]) -> LegendEntry:
    name = f"{zone.name} ({zone.side})" if zone.side else zone.name
    return LegendEntry(name, stroked(side_colour(zone.side, sides), 2, "5 3"))


def _draw_unknown(svg: Svg, sheet: Sheet, region: BaseGeometry) -> None:
    """Hatch ground of which nothing is known yet, so that whatever lies there still shows."""
    ground = polygons_of(region)
    if ground.is_empty:
        return
    left, low, right, high = ground.bounds
    # Rising lines, as far apart on each picture, whichever part of a board is hatched.
    step = _HATCH * math.sqrt(2.0) / sheet.pixels
    shifts = np.arange(math.ceil((low - right) / step), math.floor((high - left) / step) + 1) * step
    lines = shapely.MultiLineString([[(left, left + shift), (right, right + shift)] for shift in shifts.tolist()])
    look: dict[str, Any] = {"fill": "none", "stroke": UNKNOWN, "stroke_width": 1.2}
    svg.add("path", d=sheet.path(lines.intersection(ground)), stroke_opacity=0.6, **look)
    svg.add("path", d=sheet.path(ground), stroke_dasharray="5 4", **look)


def _draw_bands(svg: Svg, sheet: Sheet, bands: Sequence[Band]) -> None:
    for band in bands:
        if not band.is_known:
            _draw_unknown(svg, sheet, band.region)
    for band in bands:
        if not band.is_known:
            continue
        colour, lines = band.colour or band_colour(band.share), lines_of(band.region)
        if not lines.is_empty:
            # What has no width, such as the far side of a wall, is drawn so that it can be seen.
            for stroke, width in ((INK, 6.5), (colour, 4.5)):
                path = sheet.path(lines)
                svg.add("path", d=path, fill="none", stroke=stroke, stroke_width=width, stroke_linecap="round")
        if not band.region.area:
            continue
        svg.add(
            "path",
            d=sheet.path(band.region if lines.is_empty else polygons_of(band.region)),
            fill=colour,
            fill_opacity=_BAND_COVERS,
            fill_rule="evenodd",
            stroke=band.colour or band_colour(min(1.0, band.share + 0.25)),
            stroke_width=1,
        )


def _draw_outlines(svg: Svg, sheet: Sheet, outlines: Sequence[Outline], sides: tuple[str, ...]) -> None:
    for outline in outlines:
        rim = sheet.path(outline.region)
        svg.add("path", d=rim, fill="none", stroke=PAPER, stroke_width=4.5, stroke_opacity=0.8)
        svg.add(
            "path",
            d=rim,
            fill="none",
            stroke=_colour_of(outline, sides),
            stroke_width=2.2,
            stroke_dasharray=outline.dashes or None,
        )


def _colour_of(outline: Outline, sides: tuple[str, ...]) -> str:
    return side_colour(outline.side, sides) if outline.side else outline.colour


def _draw_spot(svg: Svg, x: float, y: float, spot: Spot, sides: tuple[str, ...]) -> None:
    colour = side_colour(spot.side, sides) if spot.side else INK
    svg.add("path", d=f"M{points([(x, y - 10), (x + 10, y), (x, y + 10), (x - 10, y)])}Z", fill=PAPER, stroke=colour)
    svg.text(x, y + 4, str(spot.number), 11, text_anchor="middle", fill=colour, font_weight="bold")


def _draw_looks(svg: Svg, sheet: Sheet, looks: Sequence[Looks]) -> None:
    """Return a slim wedge for each heading, its tip outwards, so that six of them have room around one place."""
    wedges = []
    for look in looks:
        x, y = sheet.at(look.x, look.y)
        for heading in look.headings:
            turn = np.radians(heading)
            ux, uy = float(np.cos(turn)) * sheet.pixels, -float(np.sin(turn)) * sheet.pixels
            foot, side = (x + _WEDGE_FOOT * ux, y + _WEDGE_FOOT * uy), (_WEDGE_SIDE * uy, _WEDGE_SIDE * ux)
            tip = (x + _WEDGE_TIP * ux, y + _WEDGE_TIP * uy)
            corners = [tip, (foot[0] - side[0], foot[1] + side[1]), (foot[0] + side[0], foot[1] - side[1])]
            wedges.append(f"M{points(corners)}Z")
    if wedges:
        svg.add("path", d="".join(wedges), fill=INK, fill_opacity=0.8)


def _draw_route(svg: Svg, sheet: Sheet, route: RouteLine, sides: tuple[str, ...]) -> None:
    colour = side_colour(route.side, sides) if route.side else INK
    stops = [sheet.at(x, y) for x, y in route.points]
    if len(stops) < 2:
        return
    svg.add("path", d=f"M{points(stops)}", stroke=PAPER, stroke_width=5, fill="none", stroke_linejoin="round")
    svg.add(
        "path",
        d=f"M{points(stops)}",
        stroke=colour,
        stroke_width=2.4,
        fill="none",
        stroke_linejoin="round",
        stroke_dasharray="2 4" if route.fails else None,
    )
    for x, y in () if route.fails else stops[1:-1]:
        svg.add("circle", cx=x, cy=y, r=2.2, fill=colour)
    (ax, ay), (bx, by) = next(
        (pair for pair in zip(stops[-2::-1], [stops[-1]] * len(stops), strict=False) if pair[0] != pair[1]),
        (stops[-2], stops[-1]),
    )
    length = float(np.hypot(bx - ax, by - ay)) or 1.0
    ux, uy = (bx - ax) / length, (by - ay) / length
    head = [(bx + 3 * ux, by + 3 * uy), (bx - 7 * ux - 4.5 * uy, by - 7 * uy + 4.5 * ux)]
    head.append((bx - 7 * ux + 4.5 * uy, by - 7 * uy - 4.5 * ux))
    svg.add("path", d=f"M{points(head)}Z", fill=colour)
    if route.label:
        # Ahead of the tip, where one could stand: half-way there may be a wall, and words across it are hard to read.
        _haloed(svg, bx, by - 10 if uy <= 0 else by + 18, route.label, 11)


#: So many radii ahead of its middle the arrow head of a unit ends.
TIP = 1.25


def _draw_unit(svg: Svg, sheet: Sheet, unit: UnitMark, sides: tuple[str, ...]) -> None:
    colour = side_colour(unit.side, sides) if unit.side else "#6b655c"
    x, y = sheet.at(unit.x, unit.y)
    radius = unit.radius * sheet.pixels
    rim: dict[str, Any] = {
        "fill": colour,
        "fill_opacity": _UNIT_COVERS,
        "stroke": INK,
        "stroke_width": 3 if unit.chosen else 1,
    }
    if unit.base is not None:
        svg.add("path", d=sheet.path(unit.base), **rim)
    else:
        svg.add("circle", cx=x, cy=y, r=radius, **rim)
    if unit.heading is not None:
        turn = np.radians(unit.heading)
        ux, uy = float(np.cos(turn)), -float(np.sin(turn))
        tip = [(x + TIP * radius * ux, y + TIP * radius * uy)]
        tip += [
            (x + radius * (0.55 * ux - side * 0.5 * uy), y + radius * (0.55 * uy + side * 0.5 * ux)) for side in (1, -1)
        ]
        svg.add("path", d=f"M{points(tip)}Z", fill=PAPER, stroke=INK, stroke_width=0.8)


def _extent(sheet: Sheet, unit: UnitMark) -> tuple[float, float]:
    """Compute how wide and how tall a unit is drawn."""
    if unit.base is None:
        return 2 * unit.radius * sheet.pixels, 2 * unit.radius * sheet.pixels
    left, low, right, high = unit.base.bounds
    return (right - left) * sheet.pixels, (high - low) * sheet.pixels


def _fits_inside(sheet: Sheet, unit: UnitMark) -> bool:
    wide, tall = _extent(sheet, unit)
    return unit.heading is None and len(unit.label) * _NAME_LETTER < wide and tall >= _NAME_LINE


class _Written:
    """What is written on the picture already, by its parts: boards may have thousands of words."""

    def __init__(self) -> None:
        self._boxes: dict[tuple[int, int], list[_Box]] = {}

    def append(self, box: _Box) -> None:
        """Add a box."""
        for part in self._parts(box):
            self._boxes.setdefault(part, []).append(box)

    def is_free(self, box: _Box) -> bool:
        """Whether nothing lies in a box."""
        return not any(_meet(box, other) for part in self._parts(box) for other in self._boxes.get(part, ()))

    @staticmethod
    def _parts(box: _Box) -> Iterator[tuple[int, int]]:
        left, top, right, bottom = (int(side // _PART) for side in box)
        return ((column, row) for column in range(left, right + 1) for row in range(top, bottom + 1))


def _name_unit(svg: Svg, sheet: Sheet, unit: UnitMark, taken: _Written) -> None:
    """Write the name into the base where there is room, else under it, above it or beside it, over no other name.

    `taken` holds the boxes of what is written already, and this one afterwards.
    """
    x, y = sheet.at(unit.x, unit.y)
    wide, length = _extent(sheet, unit)[0], len(unit.label) * _NAME_LETTER
    if _fits_inside(sheet, unit):
        middle = x if unit.base is None else sheet.at(unit.base.centroid.x, 0)[0]
        taken.append(_around(middle, y, length, _NAME_LINE))
        svg.text(middle, y + 4, unit.label, 11, text_anchor="middle", fill=PAPER)
        return
    low, high = unit.y - unit.radius, unit.y + unit.radius
    if unit.base is not None:
        _, low, _, high = unit.base.bounds
    head, foot = min(sheet.at(0, high)[1], y - 6), max(sheet.at(0, low)[1], y + 6)
    beside = (wide + length) / 2 + 4
    places = [(x, foot + 11), (x, head - 4), (x + beside, y + 4), (x - beside, y + 4)]
    # Where a crowd stands close together, ever farther away.
    away = [(at, top + shift) for shift in np.arange(1, 13) * _NAME_LINE for at, top in places]
    away += [(at, top - shift) for shift in np.arange(1, 13) * _NAME_LINE for at, top in places]
    places += sorted(away, key=lambda place: math.dist(place, (x, y)))
    boxes = [_around(at, foot - 4, length, _NAME_LINE) for at, foot in places]
    free = (number for number, box in enumerate(boxes) if taken.is_free(box))
    chosen = next(free, 0)
    taken.append(boxes[chosen])
    _haloed(svg, *places[chosen], unit.label, 11)


def _write_label(svg: Svg, x: float, y: float, text: str, taken: _Written) -> None:
    """Write a word of the board where it belongs, or as near as it is free of names."""
    wide = len(text) * _NAME_LETTER
    shifts = sorted((side * line * _NAME_LINE for line in range(7) for side in (1, -1)), key=abs)
    free = (shift for shift in shifts if taken.is_free(_around(x, y + shift, wide, _NAME_LINE)))
    shift = next(free, 0.0)
    taken.append(_around(x, y + shift, wide, _NAME_LINE))
    _haloed(svg, x, y + shift + 4, text, 12)


def _around(x: float, y: float, wide: float, tall: float) -> _Box:
    return x - wide / 2, y - tall / 2, x + wide / 2, y + tall / 2


def _meet(one: _Box, other: _Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _overlay_legend(overlays: Overlays, sides: tuple[str, ...]) -> list[LegendEntry]:
    entries = [LegendEntry(overlays.heading)] if overlays.heading else []
    entries += [_band_entry(band) for band in overlays.bands]
    entries += [
        LegendEntry(rim.label, stroked(_colour_of(rim, sides), 2.2, rim.dashes or None)) for rim in overlays.outlines
    ]
    if overlays.looks:
        entries.append(LegendEntry(overlays.looks_label, _wedge))
    entries += [LegendEntry(side, filled(side_colour(side, sides), INK, _UNIT_COVERS)) for side in overlays.sides]
    return entries + [LegendEntry(spot.label, _spot_swatch(spot, sides)) for spot in overlays.spots]


def _band_entry(band: Band) -> LegendEntry:
    if not band.is_known:
        return LegendEntry(band.label, _hatched)
    covers = _BAND_COVERS if band.region.area else 1.0  # what has no width is drawn as a stroke that covers all
    return LegendEntry(band.label, filled(band.colour or band_colour(band.share), opacity=covers))


def _spot_swatch(spot: Spot, sides: tuple[str, ...]) -> Callable[[Svg, float, float], None]:
    return lambda svg, x, y: _draw_spot(svg, x + 8, y + 8, spot, sides)


def _hatched(svg: Svg, x: float, y: float) -> None:
    filled("none", UNKNOWN)(svg, x, y)
    d = "".join(f"M{x + 1:g} {y + reach:g}L{x + reach:g} {y + 1:g}" for reach in (5, 10, 15))
    svg.add("path", d=d, stroke=UNKNOWN, stroke_width=1.3)


def _wedge(svg: Svg, x: float, y: float) -> None:
    svg.add("path", d=f"M{x + 14:g} {y + 8:g}l-11 -4v8Z", fill=INK, fill_opacity=0.8)


def _haloed(svg: Svg, x: float, y: float, words: str, size: float) -> None:
    """Text that stays readable on any ground."""
    halo: dict[str, str | float | None] = {"stroke": PAPER, "stroke_width": 3, "stroke_linejoin": "round"}
    svg.text(x, y, words, size, text_anchor="middle", fill="none", stroke_opacity=0.85, **halo)
    svg.text(x, y, words, size, text_anchor="middle")


def _draw_scale(svg: Svg, sheet: Sheet, scale: tuple[float, str], step: str, y: float) -> None:
    """Return a bar of a round number of steps, about 100 pixels long."""
    size, unit = scale
    length = next((n for n in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000) if n * sheet.pixels >= 80), 2000)
    x, end = sheet.left, sheet.left + length * sheet.pixels
    bar = f"M{number(x)} {number(y - 4)}v8m0 -4H{number(end)}m0 -4v8"
    svg.add("path", d=bar, stroke=INK, stroke_width=1.4, fill="none")
    measured = measure(length * size, unit)
    if step and step != unit:
        measured = f"{measure(length, step)} = {measured}"
    svg.text(end + 8, y + 4, measured, 11, fill=QUIET_INK)
