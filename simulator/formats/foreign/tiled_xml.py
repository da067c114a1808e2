"""Tiled's XML in the form of its JSON: both are then read alike."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from simulator.formats.faults import Path as KeyPath
from simulator.formats.foreign.tree import LARGEST, Numbers, Value
from simulator.formats.foreign.xml_tree import XmlElement, load_xml

_NUMERIC = frozenset(
    (
        *("width", "height", "tilewidth", "tileheight", "hexsidelength", "x", "y", "id", "gid", "firstgid", "rotation"),
        *("offsetx", "offsety", "tilecount", "parallaxx", "parallaxy"),
    )
)
_NUMBER = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?")
_TRUTHS = {"1": True, "true": True, "0": False, "false": False}
_LAYERS = {"layer": "tilelayer", "objectgroup": "objectgroup", "imagelayer": "imagelayer", "group": "group"}
_SHAPES = ("polygon", "polyline")


def load_tiled_xml(path: Path, root: str) -> Value:
    """Read a `.tmx` or `.tsx` file whose outermost element is `root`; raise FileError for anything else."""
    element = load_xml(path)
    translation = _Translation(str(path))
    if element.name != root:
        raise translation.value(None, element, ()).fault(
            f"expected <{root}> as the outermost element, not <{element.name}>"
        )
    return translation.tileset(element, ()) if root == "tileset" else translation.map(element, ())


class _Translation:
    """Translates the elements of one file."""

    def __init__(self, file: str) -> None:
        self.file = file

    def value(self, data: Any, at: XmlElement, path: KeyPath) -> Value:
        return Value(data, self.file, at.line, at.column, path)

    def attributes(self, at: XmlElement, path: KeyPath) -> dict[str, Value]:
        """Return the attributes of an element: numbers where Tiled has numbers, and its properties."""
        found = {key: self.value(_typed(key, text), at, (*path, key)) for key, text in at.attributes.items()}
        properties = at.first("properties")
        if properties is not None:
            inside = (*path, "properties")
            items = [self.property(each, (*inside, number)) for number, each in enumerate(properties.named("property"))]
            found["properties"] = self.value(items, properties, inside)
        return found

    def property(self, at: XmlElement, path: KeyPath) -> Value:
        kind = at.attributes.get("type", "string")
        text = at.attributes.get("value", at.text)
        data: Any = text
        if kind in ("int", "float", "object"):
            data = _number(text)
        elif kind == "bool":
            data = _TRUTHS.get(text, text)
        elif kind == "class":
            data = {}
        keys = {"name": at.attributes.get("name"), "type": kind, "value": data}
        return self.value({key: self.value(one, at, (*path, key)) for key, one in keys.items()}, at, path)

    def map(self, at: XmlElement, path: KeyPath) -> Value:
        found = self.attributes(at, path)
        found["layers"] = self.layers(at, (*path, "layers"))
        sets = at.named("tileset")
        inside = (*path, "tilesets")
        found["tilesets"] = self.value(
            [self.tileset(each, (*inside, number)) for number, each in enumerate(sets)], at, inside
        )
        return self.value(found, at, path)

    def layers(self, at: XmlElement, path: KeyPath) -> Value:
        layers = [child for child in at.children if child.name in _LAYERS]
        return self.value([self.layer(each, (*path, number)) for number, each in enumerate(layers)], at, path)

    def layer(self, at: XmlElement, path: KeyPath) -> Value:
        found = self.attributes(at, path)
        found["type"] = self.value(_LAYERS[at.name], at, (*path, "type"))
        if at.name == "group":
            found["layers"] = self.layers(at, (*path, "layers"))
        elif at.name == "objectgroup":
            inside = (*path, "objects")
            objects = [self.object(each, (*inside, number)) for number, each in enumerate(at.named("object"))]
            found["objects"] = self.value(objects, at, inside)
        elif at.name == "layer" and (data := at.first("data")) is not None:
            for key in ("encoding", "compression"):
                if key in data.attributes:
                    found[key] = self.value(data.attributes[key], data, (*path, key))
            if chunks := data.named("chunk"):
                inside = (*path, "chunks")
                made = [self.chunk(each, (*inside, number)) for number, each in enumerate(chunks)]
                found["chunks"] = self.value(made, data, inside)
            else:
                found["data"] = self.tiles(data, (*path, "data"))
        return self.value(found, at, path)

    def chunk(self, at: XmlElement, path: KeyPath) -> Value:
        return self.value(self.attributes(at, path) | {"data": self.tiles(at, (*path, "data"))}, at, path)

    def tiles(self, at: XmlElement, path: KeyPath) -> Value:
        """Return the tiles of a layer: a text, or the numbers of its <tile> elements."""
        tiles = at.named("tile")
        if not tiles:
            return self.value(at.text, at, path)
        numbers = []
        for number, tile in enumerate(tiles):
            gid = self.value(_number(tile.attributes.get("gid", "0")), tile, (*path, number))
            numbers.append(gid.whole(0, 2**32 - 1))
        return self.value(Numbers(numbers), at, path)

    def object(self, at: XmlElement, path: KeyPath) -> Value:
        found = self.attributes(at, path)
        for child in at.children:
            inside = (*path, child.name)
            if child.name in _SHAPES:
                found[child.name] = self.points(child, inside)
            elif child.name in ("ellipse", "point"):
                found[child.name] = self.value(True, child, inside)
            elif child.name == "text":
                text = self.value(child.text, child, (*inside, "text"))
                found["text"] = self.value({"text": text}, child, inside)
        return self.value(found, at, path)

    def points(self, at: XmlElement, path: KeyPath) -> Value:
        points = []
        for number, pair in enumerate(at.attributes.get("points", "").split()):
            x, _, y = pair.partition(",")
            keys = {"x": _number(x), "y": _number(y)}
            inside = (*path, number)
            points.append(
                self.value({key: self.value(one, at, (*inside, key)) for key, one in keys.items()}, at, inside)
            )
        return self.value(points, at, path)

    def tileset(self, at: XmlElement, path: KeyPath) -> Value:
        found = self.attributes(at, path)
        inside = (*path, "tiles")
        tiles = [
            self.value(self.attributes(each, (*inside, number)), each, (*inside, number))
            for number, each in enumerate(at.named("tile"))
        ]
        found["tiles"] = self.value(tiles, at, inside)
        return self.value(found, at, path)


def _typed(key: str, text: str) -> Any:
    if key == "infinite":
        return _TRUTHS.get(text, text)
    return _number(text) if key in _NUMERIC else text


def _number(text: str) -> Any:
    """Return a text as the number that it is; as the text if it is none, for the reader to refuse."""
    bare = text.strip()
    if len(bare) > 40 or not _NUMBER.fullmatch(bare):
        return text
    number = float(bare)
    if abs(number) > max(LARGEST, 2.0**32):
        return text
    return int(number) if number.is_integer() else number
