"""Square grids and hex-dot maps as Tiled `.tmj` files: a tile for each look, walls and areas as layers."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulator.errors import BoardError
from simulator.formats.foreign.report import Report
from simulator.formats.foreign.tiled_grid import TileGrid
from simulator.geometry import hex_lattice
from simulator.geometry.board import Area, Board
from simulator.geometry.dots import DotMap
from simulator.geometry.squares import SquareGrid

#: The size of tiles in pixels, and the side of hexes.
_TILE, _SIDE = 32, 16
_TYPES = {bool: "bool", int: "int", float: "float", str: "string"}


def tmj_text(board: Board[Any], report: Report) -> str:
    """Return a board as the text of a `.tmj` file; count in the report what it cannot hold."""
    for word in board.scenery:
        report.lose(f"scenery {word!r}")
    if isinstance(board, SquareGrid):
        document = _squares(board)
    elif isinstance(board, DotMap):
        document = _dots(board, report)
    else:
        raise BoardError(f"only squares and dots become a .tmj file, not a {board.kind}: write it as .geojson")
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def _document(
    board: SquareGrid | DotMap,
    size: tuple[int, int],
    layers: list[dict[str, Any]],
    tiles: list[dict[str, Any]],
    **orientation: Any,
) -> dict[str, Any]:
    width, height = size
    tileset = {"firstgid": 1, "name": "ground", "tilewidth": _TILE, "tileheight": _TILE, "tilecount": len(tiles)}
    tileset |= {"columns": len(tiles), "tiles": tiles}
    numbered = [{"id": number, **layer} for number, layer in enumerate(layers, 1)]
    document: dict[str, Any] = {"type": "map", "version": "1.10", **orientation}
    document |= {"width": width, "height": height, "tilewidth": _TILE, "tileheight": _TILE, "infinite": False}
    document |= {
        "nextlayerid": len(layers) + 1,
        "nextobjectid": 1 + sum(len(layer.get("objects", ())) for layer in layers),
    }
    said: dict[str, Any] = {"name": board.name, "size": float(board.scale[0]), "unit": board.scale[1]}
    said |= {"description": board.description} if board.description else {}
    document["properties"] = [_property(key, value) for key, value in said.items()]
    return document | {"tilesets": [tileset], "layers": numbered}


def _property(name: str, value: Any) -> dict[str, Any]:
    return {"name": name, "type": _TYPES[type(value)], "value": value}


def _tiles(planes: dict[str, NDArray[Any]], terrains: Iterable[str]) -> tuple[list[dict[str, Any]], NDArray[np.intp]]:
    """Return a tile for each combination of values, and the number of the tile of each cell, from 1."""
    names = list(terrains)
    stacked = np.stack([plane.ravel().astype(np.int64) for plane in planes.values()])
    looks, codes = np.unique(stacked, axis=1, return_inverse=True)
    tiles = []
    for number, look in enumerate(looks.T.tolist()):
        values = dict(zip(planes, look, strict=True))
        word = names[values.pop("terrain")]
        # Whether it is closed is always stated, as a word alone may close a place.
        said = [
            _property(key, bool(value) if planes[key].dtype == np.bool_ else value)
            for key, value in values.items()
            if value or key in ("wall", "impassable")
        ]
        tiles.append({"id": number, "type": word} | ({"properties": said} if said else {}))
    return tiles, codes.reshape(next(iter(planes.values())).shape) + 1


def _tile_layer(name: str, numbers: NDArray[np.intp], properties: list[dict[str, Any]]) -> dict[str, Any]:
    height, width = numbers.shape
    layer: dict[str, Any] = {"type": "tilelayer", "name": name, "width": width, "height": height, "x": 0, "y": 0}
    layer |= {"opacity": 1, "visible": True, "data": numbers.ravel().tolist()}
    return layer | ({"properties": properties} if properties else {})


def _area_layer(area: Area[tuple[int, int]], cells: list[tuple[int, int]], shape: tuple[int, ...]) -> dict[str, Any]:
    numbers = np.zeros(shape, np.intp)
    for row, column in cells:
        numbers[row, column] = 1
    said = [_property("area", True)] + ([_property("side", area.side)] if area.side else [])
    return _tile_layer(area.name, numbers, said)


def _object_layer(name: str, objects: list[dict[str, Any]]) -> dict[str, Any]:
    placed = [{"id": number, "rotation": 0, "visible": True, **each} for number, each in enumerate(objects, 1)]
    return {"type": "objectgroup", "name": name, "draworder": "index", "x": 0, "y": 0, "objects": placed}


def _point(text: str, x: float, y: float) -> dict[str, Any]:
    return {"name": text, "type": "label", "point": True, "x": x, "y": y, "width": 0, "height": 0}


def _squares(board: SquareGrid) -> dict[str, Any]:
    planes = {"terrain": board.terrain, "wall": board.walls, "impeded": board.impeded, "level": board.level}
    tiles, numbers = _tiles(planes, board.terrain_kinds)
    layers = [_tile_layer("ground", numbers, [])]
    layers += [_area_layer(area, [board.index(place) for place in area.places], board.shape) for area in board.areas]
    walls = [
        *((column + 1, row, 0, 1) for row, column in np.argwhere(board.walls_east).tolist()),
        *((column, row + 1, 1, 0) for row, column in np.argwhere(board.walls_south).tolist()),
    ]
    objects = [
        {
            "type": "wall",
            "x": column * _TILE,
            "y": row * _TILE,
            "polyline": [{"x": 0, "y": 0}, {"x": across * _TILE, "y": down * _TILE}],
        }
        for column, row, across, down in walls
    ]
    if objects:
        layers.append(_object_layer("walls", objects))
    if board.labels:
        labels = [_point(label.text, label.x * _TILE, (board.height - label.y) * _TILE) for label in board.labels]
        layers.append(_object_layer("labels", labels))
    return _document(board, (board.width, board.height), layers, tiles, orientation="orthogonal")


def _dots(board: DotMap, report: Report) -> dict[str, Any]:
    for edge in board.edges:
        report.lose(f"{edge.kind} on an edge of dots")
    index, axis = board.layout.value.split("_")
    in_columns = axis == "columns"
    places = {dot: board.layout.offset(dot) for dot in board.places()}
    columns, rows = zip(*places.values(), strict=True)
    # Shifted rows or columns stay shifted if the map begins at an even one.
    left = min(columns) - (min(columns) % 2 if in_columns else 0)
    top = min(rows) - (0 if in_columns else min(rows) % 2)
    if left or top:
        report.note(f"column {left}, row {top} of the map is the first")
    shape = (max(rows) - top + 1, max(columns) - left + 1)
    cells = {dot: (row - top, column - left) for dot, (column, row) in places.items()}
    planes = {
        "terrain": board.terrain,
        "impassable": board.impassable,
        "level": board.level,
        "storeys": board.storeys,
        "opening": board.openings,
    }
    at = tuple(np.array([board.index(dot) for dot in cells]).T)
    tiles, codes = _tiles({key: plane[at] for key, plane in planes.items()}, board.terrain_kinds)
    numbers = np.zeros(shape, np.intp)
    numbers[tuple(np.array(list(cells.values())).T)] = codes
    layers = [_tile_layer("ground", numbers, [])]
    layers += [_area_layer(area, [cells[place] for place in area.places], shape) for area in board.areas]
    grid = TileGrid(shape[1], shape[0], _TILE, _TILE, _SIDE, board.layout, False, left, top)
    labels = []
    for label in board.labels:
        dot = hex_lattice.nearest_dot(label.x, label.y)
        if dot not in cells:
            report.lose("label off the dots")
            continue
        x, y = grid.centre(*cells[dot])
        labels.append(_point(label.text, x, y))
    if labels:
        layers.append(_object_layer("labels", labels))
    way = {"orientation": "hexagonal", "staggeraxis": "x" if in_columns else "y", "staggerindex": index}
    return _document(board, (shape[1], shape[0]), layers, tiles, **way, hexsidelength=_SIDE)
