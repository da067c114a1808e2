"""The objects of a Tiled map as a table: pieces, entry areas and labels."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from simulator.formats.foreign.conversion import Conversion
from simulator.formats.foreign.mapping import Meaning
from simulator.formats.foreign.piece_keys import piece_keys
from simulator.formats.foreign.tables import TableDraft, kind_word, line, polygon, spot
from simulator.formats.foreign.tiled_grid import TileGrid
from simulator.formats.foreign.tiled_objects import XY, TiledObject, objects_of
from simulator.formats.foreign.tree import LARGEST, Collected, Value
from simulator.geometry.board import Bounds
from simulator.geometry.table import InchTable

#: The class of objects that are ground under a name.
ENTRY_AREA = "entry_area"


def objects_on_table(
    root: Value, grid: TileGrid, layers: list[Value], conversion: Conversion, fields: Mapping[str, Any]
) -> InchTable:
    """Return a table of the objects. A tile is as wide as `--scale` says, an inch without it."""
    objects = objects_of(layers, conversion)
    scale = conversion.scale or 1.0
    across, down = scale / grid.tile_width, scale / grid.tile_height
    if grid.layout is not None:
        down = across  # hexes are not as high as they are wide, but the plane has one scale
    box = _extent(grid, objects)
    bounds = Bounds(0.0, 0.0, max(box[2] - box[0], 1.0) * across, max(box[3] - box[1], 1.0) * down)
    draft = TableDraft(conversion, bounds, root)

    def inches(point: XY) -> XY:
        return (point[0] - box[0]) * across, (box[3] - point[1]) * down

    collected = Collected()
    for each in objects:
        with collected.part():
            _put(each, [inches(point) for point in each.points], each.radius * across, draft)
    collected.raise_if_any()
    return draft.table(**fields)


def _extent(grid: TileGrid, objects: list[TiledObject]) -> tuple[float, float, float, float]:
    """Return the box of the map in pixels; of an infinite map, that of its objects."""
    points = [point for each in objects for point in each.points]
    if grid.is_infinite and points:
        xs, ys = zip(*points, strict=True)
        return math.floor(min(xs)), math.floor(min(ys)), math.ceil(max(xs)), math.ceil(max(ys))
    x, y = grid.centres
    right = float(x.max(initial=0.0)) + grid.tile_width / 2
    return 0.0, 0.0, right, float(y.max(initial=0.0)) + grid.tile_height / 2


def _put(one: TiledObject, points: list[XY], radius: float, draft: TableDraft) -> None:
    conversion = draft.conversion
    if one.form == "text":
        draft.label(one.at, *points[0], one.text)
        return
    if one.word in (ENTRY_AREA, f"{ENTRY_AREA}s") and one.form == "polygon":
        rest = dict(one.properties)
        side = rest.pop("side").text() if "side" in rest else ""
        for name, value in rest.items():
            draft.report.lose(f"property {name!r} of an area", value.where)
        draft.area(one.at, one.name, side, polygon(one.at, points))
        return
    properties = dict(one.properties)
    word = properties.pop("kind").text() if "kind" in properties else one.word
    meaning = conversion.words.find(word) or Meaning(word)
    width = properties.pop("width").number(0.0, LARGEST) if "width" in properties else meaning.width
    match one.form:
        case "polygon":
            shape: Any = polygon(one.at, points)
        case "line":
            shape = line(one.at, points, width)
        case _:
            shape = spot(one.at, *points[0], radius)
    keys = piece_keys(properties, draft.report)
    draft.piece(one.at, one.name, kind_word(conversion, word, meaning), shape, meaning, keys)
