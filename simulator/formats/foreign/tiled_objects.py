"""The objects of a Tiled map, as they lie on it in pixels."""

from __future__ import annotations

import math
from dataclasses import dataclass

from simulator.formats.foreign.conversion import Conversion
from simulator.formats.foreign.tiled_tiles import class_of, properties_of
from simulator.formats.foreign.tree import LARGEST, Collected, Value

XY = tuple[float, float]

#: Corners of the polygon that stands for an ellipse.
_ELLIPSE_CORNERS = 64


@dataclass(frozen=True, slots=True)
class TiledObject:
    """An object in pixels, y down. `form` is polygon, line, disc, point or text."""

    at: Value
    name: str
    word: str
    form: str
    points: tuple[XY, ...]
    properties: dict[str, Value]
    radius: float = 0.0
    text: str = ""


def objects_of(layers: list[Value], conversion: Conversion) -> list[TiledObject]:
    """Read the objects of all layers; raise FileError with the faults of all of them."""
    collected = Collected()
    found: list[TiledObject] = []
    for layer in layers:
        for each in layer.list_of("objects"):
            with collected.part():
                made = _object(each, layer, conversion)
                if made is not None:
                    found.append(made)
    collected.raise_if_any()
    return found


def _object(value: Value, layer: Value, conversion: Conversion) -> TiledObject | None:
    if value.get("template") is not None:
        conversion.report.lose("object made from a template", value.where)
        return None
    x, y = (value.number_of(key, 0.0) + layer.number_of(f"offset{key}", 0.0) for key in ("x", "y"))
    width, height = (_length(value, key) for key in ("width", "height"))
    turned = math.radians(value.number_of("rotation", 0.0))
    own = class_of(value)
    name = value.text_of("name") or own or f"object {int(value.number_of('id', 0.0)) or value.where}"

    def made(form: str, points: list[XY], radius: float = 0.0, text: str = "") -> TiledObject:
        placed = tuple(_placed(point, (x, y), turned) for point in points)
        word = own or layer.text_of("class") or layer.text_of("name") or "object"
        return TiledObject(value, name, word, form, placed, properties_of(value), radius, text)

    text = value.get("text")
    if text is not None:
        return made("text", [(width / 2, height / 2)], text=text.need("text").text())
    for key, form in (("polygon", "polygon"), ("polyline", "line")):
        found = value.get(key)
        if found is not None:
            least = 3 if form == "polygon" else 2
            if len(found.items()) < least:
                raise found.fault(f"expected {least} points or more (got {len(found.items())})")
            return made(form, [(each.need("x").number(), each.need("y").number()) for each in found.items()])
    if value.truth_of("point") or not (width or height):
        return made("point", [(0.0, 0.0)])
    if value.truth_of("ellipse"):
        if width == height:
            return made("disc", [(width / 2, height / 2)], width / 2)
        conversion.report.note(f"ellipses are polygons of {_ELLIPSE_CORNERS} corners")
        steps = [2 * math.pi * step / _ELLIPSE_CORNERS for step in range(_ELLIPSE_CORNERS)]
        return made("polygon", [(width / 2 * (1 + math.cos(at)), height / 2 * (1 + math.sin(at))) for at in steps])
    if not (width and height):
        return made("line", [(0.0, 0.0), (width, height)])
    up = -height if value.get("gid") is not None else 0.0  # tiles stand on their lower left corner
    return made("polygon", [(0.0, up), (width, up), (width, up + height), (0.0, up + height)])


def _length(value: Value, key: str) -> float:
    found = value.get(key)
    return 0.0 if found is None else found.number(0.0, LARGEST)


def _placed(point: XY, about: XY, turned: float) -> XY:
    """Return a point of an object on the map: turned clockwise as seen, about the object's own place."""
    cos, sin = (math.cos(turned), math.sin(turned)) if turned else (1.0, 0.0)
    return about[0] + point[0] * cos - point[1] * sin, about[1] + point[0] * sin + point[1] * cos
