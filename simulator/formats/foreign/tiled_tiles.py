"""What the tiles of a Tiled map mean: the classes and properties in its tilesets, in the map or in files beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simulator.errors import FileError, LimitReached
from simulator.formats.foreign.folder import beside
from simulator.formats.foreign.json_tree import load_json
from simulator.formats.foreign.report import Report
from simulator.formats.foreign.tiled_xml import load_tiled_xml
from simulator.formats.foreign.tree import Value

#: The properties that a board has a place for, with how their values are read.
READ: dict[str, Callable[[Value], Any]] = {
    "terrain": Value.text,
    "wall": Value.truth,
    "impassable": Value.truth,
    "closed": Value.truth,
    "impeded": Value.truth,
    "opening": Value.truth,
    "level": lambda value: value.whole(-32_768, 32_767),
    "storeys": lambda value: value.whole(0, 32_767),
}
_MOST_TILES = 2**28
_SET_FILES = (".tsx", ".tsj", ".json")


@dataclass(frozen=True, slots=True)
class TileFacts:
    """What a tile or a layer says: its word, and the properties that boards have. None is not said."""

    word: str | None = None
    closed: bool | None = None
    impeded: bool | None = None
    opening: bool | None = None
    level: int | None = None
    storeys: int | None = None


@dataclass(frozen=True, slots=True)
class _TileSet:
    first: int
    name: str
    tiles: dict[int, TileFacts]


class TileSets:
    """The tilesets of a map."""

    def __init__(self, sets: Iterable[Value], map_file: Path, report: Report) -> None:
        read = [_read_set(each, map_file, report) for each in sets]
        self._sets = sorted(read, key=lambda one: -one.first)

    def facts(self, gid: int) -> tuple[TileFacts, str] | None:
        """Return what a tile says, and the name of a tile that says nothing; None if no tileset has it."""
        found = next((one for one in self._sets if one.first <= gid), None)
        if found is None:
            return None
        number = gid - found.first
        return found.tiles.get(number, TileFacts()), f"{found.name or 'tile'}_{number}"


def properties_of(value: Value) -> dict[str, Value]:
    """Return the properties of a map, layer, tile or object by name; in old files they are keys and values."""
    found = value.get("properties")
    if found is None:
        return {}
    if isinstance(found.data, dict):
        return dict(found.keys)
    return {each.need("name").text(): each.need("value") for each in found.items()}


def class_of(value: Value) -> str:
    """Return the class of a tile or object, which some versions of Tiled call its type."""
    return value.text_of("class") or value.text_of("type")


def facts_of(word: str, properties: dict[str, Value], what: str, report: Report) -> TileFacts:
    """Return what properties say; others are counted."""
    read: dict[str, Any] = {}
    for name, value in properties.items():
        if name in READ:
            read[name] = READ[name](value)
        else:
            report.lose(f"property {name!r} of {what}", value.where)
    closings = [read.pop(key) for key in ("wall", "impassable", "closed") if key in read]
    closed = any(closings) if closings else None
    return TileFacts(word=read.pop("terrain", "") or word or None, closed=closed, **read)


def _read_set(value: Value, map_file: Path, report: Report) -> _TileSet:
    first = value.need("firstgid").whole(1, _MOST_TILES)
    source = value.get("source")
    tileset = value if source is None else _loaded(beside(map_file, source), source)
    tiles: dict[int, TileFacts] = {}
    for number, tile in _numbered(tileset.get("tiles")):
        tiles[number] = facts_of(class_of(tile), properties_of(tile), "a tile", report)
    for number, old in _numbered(tileset.get("tileproperties")):
        tiles[number] = facts_of("", dict(old.keys), "a tile", report)
    return _TileSet(first, tileset.text_of("name"), tiles)


def _numbered(tiles: Value | None) -> list[tuple[int, Value]]:
    """Return tiles with their numbers: a list whose items have an id, or in old files a mapping from ids."""
    if tiles is None:
        return []
    if isinstance(tiles.data, dict):
        numbered = []
        for key, tile in tiles.keys.items():
            if not (key.isascii() and key.isdigit() and len(key) <= 9):
                raise tile.fault(f"expected the number of a tile as the key (got {key[:20]!r})")
            numbered.append((int(key), tile))
        return numbered
    return [(tile.need("id").whole(0, _MOST_TILES), tile) for tile in tiles.items()]


def _loaded(path: Path, source: Value) -> Value:
    suffix = path.suffix.lower()
    if suffix not in _SET_FILES:
        raise source.fault(f"expected a tileset, a file that ends in .tsx or .tsj (got {source.text()!r})")
    try:
        return load_tiled_xml(path, "tileset") if suffix == ".tsx" else load_json(path)
    except FileError as error:
        if any(fault.line for fault in error.faults):
            raise
        message = f"{source.text()!r} {error.faults[0].message}"  # it is missing, no file, or too long
        raise source.fault(message, limit=isinstance(error, LimitReached)) from None
