"""`simulator walk` on inch tables: where a round base can get to among the obstacles, at what length, by which way."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from simulator.cli.files import is_stdout, write_file
from simulator.cli.picture_files import write_pictures
from simulator.cli.terminal import echo
from simulator.cli.waiting import waiting
from simulator.engine.areas import ground_text
from simulator.engine.geojson import band, feature
from simulator.errors import NoPlace
from simulator.geometry.paths import Bend, Path
from simulator.pathing.free import plan, prepare
from simulator.pathing.free.solids import obstacles_on
from simulator.views.reach_picture import draw_way_reach, length_labels
from simulator.wording import measure

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

    from simulator.geometry.table import InchTable

Bands = Sequence[tuple[float, "BaseGeometry"]]

#: The tolerance of outlines, in inches.
_TOLERANCE = 0.002
#: Pieces farther from the start than a base can get, by more than this margin, are left out.
_ROOM = 0.01


def walk_on_table(
    board: InchTable,
    starts: Sequence[str],
    budget: float,
    radius: float,
    goal: str | None,
    *,
    as_json: bool,
    files: tuple[str | None, str | None, str | None],
    dark: bool,
) -> int:
    """Answer, print and draw; `files` are those for GeoJSON, SVG and PNG."""
    places = [_place(text) for text in starts]
    # A base touches nothing farther from every start than the length of its ways; `_ROOM` covers rounding.
    table = prepare(obstacles_on(board).near(places, budget + radius + _ROOM), radius)
    for text, place in zip(starts, places, strict=True):
        if not table.legal([place])[0]:
            raise click.UsageError(f"a base of radius {radius:g} cannot stand at {text} on {board.name}")
    with waiting("searching"):
        reach = plan(table, places, budget)
    ways, code = [], 0
    if goal is not None:
        try:
            ways.append(reach.route_to(_place(goal)))
        except NoPlace:
            code = 1
            if not as_json:
                echo(f"{goal} cannot be reached within {measure(budget, board.scale[1])}", err=True)
    with waiting("computing the area"):
        area, bands = reach.area(_TOLERANCE), reach.bands(error=_TOLERANCE)
    geojson, svg, png = files
    if geojson:
        features = [feature(area, "area"), *(band(shape, level, board.scale[1]) for level, shape in bands)]
        features += [feature(_drawn(way), "route", cost=way.length) for way in ways]
        about = {"radius": radius, "budget": budget, "unit": board.scale[1], "tolerance": _TOLERANCE}
        document = {"type": "FeatureCollection", "properties": about, "features": features}
        write_file(geojson, json.dumps(document).encode())
    if svg or png:
        picture = draw_way_reach(board, places, radius, bands, ways)
        write_pictures(picture, svg, png, dark)
    if as_json:
        echo(json.dumps(_document(board, radius, area, bands, ways), indent=2))
    elif not any(map(is_stdout, files)):
        for line in _answer_lines(board, budget, area, bands, ways):
            echo(line)
    return code


def _place(text: str) -> tuple[float, float]:
    try:
        x, y = (float(part) for part in text.split(","))
    except ValueError:
        raise click.UsageError(f"a place on a table is two numbers like 3,4.5 (got {text!r})") from None
    if not (math.isfinite(x) and math.isfinite(y)):
        raise click.UsageError(f"{text} is not on any table")
    return x, y


def _drawn(way: Path) -> dict[str, Any]:
    return {"type": "LineString", "coordinates": way.points().round(6).tolist()}


def _document(
    board: InchTable, radius: float, area: BaseGeometry, bands: Bands, ways: Sequence[Path]
) -> dict[str, Any]:
    from simulator.formats.query_data import board_data
    from simulator.wording import figure

    return {
        "format": 1,
        "board": board_data(board),
        "costs_count": board.scale[1],
        "radius": radius,
        "area": round(area.area, 6),
        "bands": [{"cost": figure(level), "area": round(shape.area, 6)} for level, shape in bands],
        "routes": [
            {"start": list(way.start), "end": list(way.end), "cost": figure(way.length), "pieces": _pieces(way)}
            for way in ways
        ],
    }


def _pieces(way: Path) -> list[dict[str, Any]]:
    return [
        {"arc": {"centre": list(piece.centre), "radius": piece.radius, "sweep": math.degrees(piece.sweep)}}
        | {"to": list(piece.end)}
        if isinstance(piece, Bend)
        else {"to": list(piece.end)}
        for piece in way.pieces
    ]


def _answer_lines(
    board: InchTable, budget: float, area: BaseGeometry, bands: Bands, ways: Sequence[Path]
) -> Iterator[str]:
    unit = board.scale[1]
    yield f"{ground_text(board, area) or 'no ground'} within {measure(budget, unit)}"
    extents = [ground_text(board, shape) for _, shape in bands]
    while extents and not extents[-1]:
        extents.pop()  # the budget goes farther than the table
    words = length_labels([level for level, _ in bands], unit)
    width = max((len(label) for label in words), default=0)
    for label, ground in zip(words, extents, strict=False):
        yield f"  {label:>{width}}: {ground or 'nothing more'}"
    for way in ways:
        yield f"{_xy(way.start)} to {_xy(way.end)}: {measure(round(way.length, 4), unit)}"
        for piece in way.pieces:
            if isinstance(piece, Bend):
                turn = "left" if piece.sweep > 0 else "right"
                around = f"round {_xy(piece.centre)} to the {turn}, at {measure(round(piece.radius, 4), unit)}"
                yield f"  {around}, to {_xy(piece.end)}"
            else:
                yield f"  straight to {_xy(piece.end)}"


def _xy(place: tuple[float, float]) -> str:
    return f"{round(place[0], 4):g},{round(place[1], 4):g}"
