"""Tiled maps, `.tmx` and `.tmj`: orthogonal ones become squares, hexagonal ones dots, objects the pieces of a table.

A place takes its word from the topmost tile that has a class or a property `terrain`; other properties of tiles and of
layers say the rest. Turned and mirrored tiles are the same tiles.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulator.errors import BoardError
from simulator.formats import limits
from simulator.formats.foreign.conversion import Conversion
from simulator.formats.foreign.json_tree import load_json
from simulator.formats.foreign.mapping import Meaning
from simulator.formats.foreign.tiled_data import TURNED, Gids, tiles_of
from simulator.formats.foreign.tiled_grid import TileGrid
from simulator.formats.foreign.tiled_lattice import objects_on_lattice
from simulator.formats.foreign.tiled_tiles import TileFacts, TileSets, facts_of, properties_of
from simulator.formats.foreign.tiled_xml import load_tiled_xml
from simulator.formats.foreign.tree import Value
from simulator.geometry.board import Area, Board
from simulator.geometry.dots import DotKind, DotMap
from simulator.geometry.squares import SquareGrid, SquareKind
from simulator.wording import did_you_mean

_LAYERS = ("tilelayer", "objectgroup", "imagelayer", "group")
#: Properties of tile layers that are read here and not as facts of their tiles.
_OF_AREAS = ("area", "side")


def read(conversion: Conversion) -> Board[Any]:
    """Read a Tiled map; raise FileError with line and column of a fault."""
    path = conversion.file
    root = load_tiled_xml(path, "map") if path.suffix.lower() == ".tmx" else load_json(path)
    return _TiledMap(root, conversion).board()


class _TiledMap:
    """A map while it is read: its layers, flat, the lowest first."""

    def __init__(self, root: Value, conversion: Conversion) -> None:
        self.root = root
        self.conversion = conversion
        self.report = conversion.report
        self.grid = TileGrid.of(root)
        self.kind = conversion.kind or self.grid.usual_kind
        if self.kind not in (self.grid.usual_kind, "table"):
            orientation = root.need("orientation")
            raise orientation.fault(
                f"a map with this orientation becomes {self.grid.usual_kind} or table, not {self.kind}"
            )
        self.tile_layers: list[Value] = []
        self.object_layers: list[Value] = []
        self._sort(root.need("layers").items(), 0)
        self.fields = self._fields(properties_of(root))
        self.sets = TileSets(root.list_of("tilesets"), conversion.file, self.report)

    def _fields(self, properties: dict[str, Value]) -> dict[str, Any]:
        """Return the keys of the board that the map states; its size is that of a square or step."""
        fields: dict[str, Any] = {"name": self.conversion.name}
        for key, value in properties.items():
            if key in ("name", "description", "unit") and (self.kind != "table" or key != "unit"):
                fields[key] = value.text()
            elif key == "size" and self.kind != "table":
                fields["dot_spacing" if self.kind == "dots" else "square_size"] = value.number(1e-300, 1e6)
            else:
                self.report.lose(f"property {key!r} of the map", value.where)
        if self.conversion.scale is not None and self.kind != "table":
            fields["dot_spacing" if self.kind == "dots" else "square_size"] = self.conversion.scale
        return fields

    def _sort(self, layers: list[Value], depth: int) -> None:
        for layer in layers:
            kind = layer.need("type").text()
            if kind not in _LAYERS:
                raise layer.need("type").fault(f"no such layer {kind!r}; {did_you_mean(kind, _LAYERS)}")
            if kind == "group":
                self._sort(layer.need("layers").items(), depth + 1)
            elif kind == "imagelayer":
                self.report.lose("picture layer", layer.where)
            elif kind == "objectgroup":
                self.object_layers.append(layer)
            else:
                self.tile_layers.append(layer)
            if kind in ("tilelayer", "group") and (layer.number_of("offsetx", 0.0) or layer.number_of("offsety", 0.0)):
                self.report.lose("offset of a layer", layer.where)

    def board(self) -> Board[Any]:
        layers = [(layer, self._tiles(layer)) for layer in self.tile_layers if self.kind != "table"]
        self._shift(layers)
        if self.kind == "table":
            for layer in self.tile_layers:
                self.report.lose("tile layer: a table is made of the objects", layer.where)
            from simulator.formats.foreign.tiled_table import objects_on_table

            return objects_on_table(self.root, self.grid, self.object_layers, self.conversion, self.fields)
        return self._lattice(layers)

    # -- tiles ----------------------------------------------------------------------------------------------------

    def _tiles(self, layer: Value) -> dict[tuple[int, int], Gids]:
        """Return the tiles of a layer, in blocks by the column and row of their first tile."""
        encoding = layer.text_of("encoding", "csv")
        compression = layer.text_of("compression")
        chunks = layer.get("chunks")
        if chunks is None:
            width, height = self.grid.size_of(layer)
            return {(0, 0): tiles_of(layer.need("data"), encoding, compression, width, height)}
        blocks: dict[tuple[int, int], Gids] = {}
        for chunk in chunks.items():
            width, height = self.grid.size_of(chunk)
            most = limits.COORDINATE.most
            at = (chunk.need("x").whole(-most, most), chunk.need("y").whole(-most, most))
            blocks[at] = tiles_of(chunk.need("data"), encoding, compression, width, height)
        return blocks

    def _shift(self, layers: list[tuple[Value, dict[tuple[int, int], Gids]]]) -> None:
        """Let an infinite map begin at its first tile, a whole number of pairs of shifted rows away."""
        if not self.grid.is_infinite:
            return
        used = [
            (column + int(columns.min()), row + int(rows.min()), column + int(columns.max()), row + int(rows.max()))
            for _, blocks in layers
            for (column, row), tiles in blocks.items()
            for rows, columns in [np.nonzero(tiles)]
            if rows.size
        ]
        if used:
            left, top, right, bottom = (pick(box[at] for box in used) for at, pick in enumerate((min, min, max, max)))
            self.grid = self.grid.cut(left, top, right, bottom, self.root)
            self.report.note(f"the map has no edges of its own: column {self.grid.left}, row {self.grid.top} is 0, 0")
        elif self.kind != "table":
            raise self.root.fault("the map holds no tile")

    def _plane(self, blocks: dict[tuple[int, int], Gids]) -> Gids:
        plane = np.zeros((self.grid.height, self.grid.width), np.int64)
        for (column, row), tiles in blocks.items():
            top, left = row - self.grid.top, column - self.grid.left
            rows = slice(max(top, 0), min(top + tiles.shape[0], self.grid.height))
            columns = slice(max(left, 0), min(left + tiles.shape[1], self.grid.width))
            if rows.start < rows.stop and columns.start < columns.stop:
                plane[rows, columns] = tiles[
                    rows.start - top : rows.stop - top, columns.start - left : columns.stop - left
                ]
        turned = int(np.count_nonzero(plane & TURNED))
        if turned:
            self.report.lose("turn or mirror of a tile (only drawn)", "", turned)
        return plane & ~TURNED

    # -- boards ---------------------------------------------------------------------------------------------------

    def _lattice(self, layers: list[tuple[Value, dict[tuple[int, int], Gids]]]) -> Board[Any]:
        if not layers:
            raise self.root.need("layers").fault(
                "expected a tile layer; a map of objects alone becomes a table (--as table)"
            )
        self.root.at_most(limits.CELLS, self.grid.width * self.grid.height)
        planes, said, areas = [], [], []
        for layer, blocks in layers:
            plane = self._plane(blocks)
            properties = properties_of(layer)
            if "area" in properties and properties["area"].truth():
                areas.append((layer, plane, properties))
                continue
            rest = {name: value for name, value in properties.items() if name not in _OF_AREAS}
            planes.append(plane)
            said.append((layer, facts_of(layer.text_of("class"), rest, "a layer", self.report)))
        if not planes:
            raise self.root.need("layers").fault("expected a tile layer that is not an area")
        stacked = np.stack([plane.ravel() for plane in planes])
        combinations, codes, counts = np.unique(stacked, axis=1, return_inverse=True, return_counts=True)
        kinds = [
            self._look(column.tolist(), said, int(count)) for column, count in zip(combinations.T, counts, strict=True)
        ]
        if len({kind.terrain for kind in kinds}) > limits.TERRAINS.most:
            self.root.at_most(limits.TERRAINS, len({kind.terrain for kind in kinds}))
        board = self._built(tuple(kinds), codes.reshape(self.grid.height, self.grid.width))
        taken: dict[str, int] = {}
        board = replace(board, areas=tuple(self._area(board, taken, *area) for area in areas))
        return objects_on_lattice(board, self.grid, self.object_layers, self.conversion)

    def _built(self, kinds: tuple[Any, ...], codes: NDArray[np.intp]) -> SquareGrid | DotMap:
        try:
            if self.grid.layout is not None:
                return DotMap.from_kinds(kinds, codes, self.grid.layout, **self.fields)
            return SquareGrid.from_kinds(kinds, codes, **self.fields)
        except BoardError as error:
            raise self.root.fault(f"cannot be a board: {error}") from None

    def _look(self, gids: list[int], said: list[tuple[Value, TileFacts]], count: int) -> SquareKind | DotKind:
        """Return what stands at places with these tiles, the lowest first."""
        facts: list[TileFacts] = []
        nameless = ""
        for gid, (layer, of_layer) in zip(gids, said, strict=True):
            if not gid:
                continue
            found = self.sets.facts(gid)
            if found is None:
                raise layer.fault(f"has tile {gid}, but the first tileset begins later, or there is none")
            own, nameless = found
            names = TileFacts.__dataclass_fields__
            both = {key: getattr(of_layer, key) if getattr(own, key) is None else getattr(own, key) for key in names}
            facts.append(TileFacts(**both))
        if not facts:
            return self._empty()
        words = [fact.word for fact in facts if fact.word is not None]
        if not words:
            self.report.note("tiles without a class are named after their tileset and number")
        for hidden in words[:-1]:
            if hidden != words[-1]:
                self.report.lose(f"{hidden} under another tile", "", count)
        word = words[-1] if words else nameless
        meaning = self.conversion.words.find(word) or Meaning(word)
        if meaning.skip:
            self.report.lose(f"{word} (left out by the mapping)", "", count)
            meaning = Meaning("open")
        return self._kind(meaning, facts, count)

    def _kind(self, meaning: Meaning, facts: list[TileFacts], count: int) -> SquareKind | DotKind:
        def last(key: str, otherwise: Any) -> Any:
            values = [getattr(fact, key) for fact in facts if getattr(fact, key) is not None]
            return values[-1] if values else otherwise

        closed = last("closed", meaning.closed)
        level, storeys = last("level", 0), last("storeys", meaning.storeys)
        if self.kind == "dots":
            if last("impeded", meaning.impeded):
                self.report.lose("impeded: dots have no such property", "", count)
            return DotKind(meaning.named(level), level, storeys, impassable=closed, opening=last("opening", False))
        for key, value in (("storeys", storeys), ("opening", last("opening", False))):
            if value:
                self.report.lose(f"{key}: squares have no such property", "", count)
        return SquareKind(meaning.named(level), wall=closed, impeded=last("impeded", meaning.impeded), level=level)

    def _empty(self) -> SquareKind | DotKind:
        """Return the look of a place without a tile: no dot, or a square that nobody enters."""
        if self.kind == "dots":
            return DotKind(absent=True)
        meaning = self.conversion.words.find("") or Meaning("outside", closed=True)
        self.report.note(f"squares without a tile are {meaning.word}")
        return SquareKind(meaning.word, wall=meaning.closed)

    def _area(
        self,
        board: SquareGrid | DotMap,
        taken: dict[str, int],
        layer: Value,
        plane: Gids,
        properties: dict[str, Value],
    ) -> Area[tuple[int, int]]:
        """Return the area that a tile layer with the property `area` draws."""
        side = properties["side"].text() if "side" in properties else ""
        name = layer.text_of("name")
        if not name:
            raise layer.fault("expected a name: it draws an area")
        places = tuple(self._places(plane != 0, board))
        return Area(self.conversion.report.own_name(name, taken), places, side)

    def _places(self, mask: NDArray[np.bool_], board: SquareGrid | DotMap) -> Iterator[tuple[int, int]]:
        for row, column in np.argwhere(mask).tolist():
            place = self.grid.place(column, row)
            if place in board:
                yield place
