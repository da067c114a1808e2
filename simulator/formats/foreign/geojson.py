"""GeoJSON becomes a table: features are pieces, entry areas and labels, in a plane of inches or scaled to it.

A table that this package wrote comes back as it was. Of an answer that it wrote, areas become entry areas and places
labels. Other maps are named by their properties, see `mapping.toml`. Degrees of the globe are refused.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from simulator.formats.foreign.conversion import Conversion, plain_word
from simulator.formats.foreign.json_tree import load_json
from simulator.formats.foreign.mapping import Meaning
from simulator.formats.foreign.piece_keys import piece_keys
from simulator.formats.foreign.tables import TableDraft, kind_word, line, polygon, spot
from simulator.formats.foreign.tree import LARGEST, Collected, Value
from simulator.geometry.board import Bounds
from simulator.geometry.pieces import PolygonShape, Shape
from simulator.geometry.table import InchTable
from simulator.wording import did_you_mean

XY = tuple[float, float]

#: The values of `what` of the features that are no pieces, as `geojson_text` writes them.
ENTRY_AREA, LABEL = "entry area", "label"
_SIMPLE = ("Point", "LineString", "Polygon")
_MULTIPLE = {"MultiPoint": "Point", "MultiLineString": "LineString", "MultiPolygon": "Polygon"}
_GEOMETRIES = (*_SIMPLE, *_MULTIPLE, "GeometryCollection")
_TYPES = ("FeatureCollection", "Feature", *_GEOMETRIES)
#: The properties of a collection that stand for keys of a table.
_OF_TABLES = ("name", "description", "unit", "ground", "scenery")
#: Properties of features that are no keys of a piece, but read.
_OF_FEATURES = ("what", "id", "name", "kind", "width", "radius", "side", "text")


@dataclass(frozen=True, slots=True)
class _Feature:
    """A simple geometry with the properties of its feature."""

    at: Value
    form: str
    rings: tuple[tuple[XY, ...], ...]
    properties: Mapping[str, Value]
    id: str


def read(conversion: Conversion) -> InchTable:
    """Read a GeoJSON file; raise FileError with line and column of a fault."""
    return _Collection(load_json(conversion.file), conversion).table()


class _Collection:
    """The features of a file while it is read."""

    def __init__(self, root: Value, conversion: Conversion) -> None:
        self.root = root
        self.conversion = conversion
        self.report = conversion.report
        about = root.get("properties") if root.text_of("type") == "FeatureCollection" else None
        self.about: Mapping[str, Value] = {} if about is None else about.keys
        self.scale = conversion.scale or 1.0
        collected = Collected()
        self.features: list[_Feature] = []
        for feature in self._features(root):
            with collected.part():
                self.features += self._simple(feature)
        collected.raise_if_any()

    # -- features -------------------------------------------------------------------------------------------------

    def _features(self, root: Value) -> list[Value]:
        kind = root.need("type")
        if kind.text() not in _TYPES:
            raise kind.fault(f"no such type {kind.text()[:40]!r}; {did_you_mean(kind.text(), _TYPES)}")
        return root.need("features").items() if kind.text() == "FeatureCollection" else [root]

    def _simple(self, value: Value) -> Iterator[_Feature]:
        """Yield the simple geometries of a feature or a bare geometry."""
        kind = value.need("type").text()
        if kind != "Feature":
            yield from self._parts(value, value, {}, value.text_of("id"))
            return
        properties = value.get("properties")
        keys = {} if properties is None else properties.keys
        own = value.get("id")
        name = "" if own is None else str(own.data) if isinstance(own.data, str | int) else ""
        geometry = value.get("geometry")
        if geometry is None:
            self.report.lose("feature without a geometry", value.where)
        else:
            yield from self._parts(value, geometry, keys, name)

    def _parts(self, at: Value, geometry: Value, properties: Mapping[str, Value], name: str) -> Iterator[_Feature]:
        kind = geometry.need("type")
        word = kind.text()
        if word == "GeometryCollection":
            for part in geometry.need("geometries").items():
                yield from self._parts(at, part, properties, name)
        elif word in _MULTIPLE:
            for part in geometry.need("coordinates").items():
                yield _Feature(at, _MULTIPLE[word], self._rings(_MULTIPLE[word], part), properties, name)
        elif word in _SIMPLE:
            yield _Feature(at, word, self._rings(word, geometry.need("coordinates")), properties, name)
        else:
            raise kind.fault(f"no such geometry {word[:40]!r}; {did_you_mean(word, _GEOMETRIES)}")

    # -- coordinates ----------------------------------------------------------------------------------------------

    def _rings(self, form: str, coordinates: Value) -> tuple[tuple[XY, ...], ...]:
        """Return the positions of a simple geometry, scaled: of a polygon ring by ring, of others as a single list."""
        if form == "Point":
            return ((self._point(coordinates),),)
        if form == "LineString":
            return (self._points(coordinates, 2),)
        rings = tuple(self._points(ring, 3) for ring in coordinates.items())
        if not rings:
            raise coordinates.fault("expected the outer ring of the polygon")
        if any(ring[0] != ring[-1] for ring in rings):
            self.report.note("rings that were not closed are closed")
        return rings

    def _points(self, value: Value, least: int) -> tuple[XY, ...]:
        points = tuple(self._point(each) for each in value.items())
        if len(points) < least:
            raise value.fault(f"expected {least} positions or more (got {len(points)})")
        return points

    def _point(self, value: Value) -> XY:
        numbers = value.items()
        if len(numbers) < 2:
            raise value.fault(f"expected a position: two numbers, like [3, 4.5] (got {len(numbers)})")
        if len(numbers) > 2 and numbers[2].number():
            self.report.lose("third coordinate (heights are a property)", value.where)
        most = LARGEST / max(self.scale, 1.0)
        return numbers[0].number(-most, most) * self.scale, numbers[1].number(-most, most) * self.scale

    def _shape(self, feature: _Feature, width: float = 0.0, radius: float = 0.0) -> Shape:
        if feature.form == "Point":
            return spot(feature.at, *feature.rings[0][0], radius)
        if feature.form == "LineString":
            return line(feature.at, feature.rings[0], width)
        return polygon(feature.at, feature.rings[0], feature.rings[1:])

    def _extents(self) -> Iterator[XY]:
        """Yield points that bound everything on the table: corners, and those of boxes around discs and lines."""
        for feature in self.features:
            key, share = {"Point": ("radius", 1.0), "LineString": ("width", 0.5)}.get(feature.form, ("", 0.0))
            beyond = (
                feature.properties[key].number(0.0, LARGEST) * share * self.scale if key in feature.properties else 0.0
            )
            for ring in feature.rings:
                for x, y in ring:
                    yield x - beyond, y - beyond
                    yield x + beyond, y + beyond

    def _bounds(self) -> Bounds:
        box = self.root.get("bbox")
        if box is not None:
            numbers = [number.number() * self.scale for number in box.items()]
            if len(numbers) not in (4, 6):
                raise box.fault(f"expected four numbers, the smallest x and y and the largest (got {len(numbers)})")
            half = len(numbers) // 2
            bounds = Bounds(numbers[0], numbers[1], numbers[half], numbers[half + 1])
            if bounds.width <= 0 or bounds.height <= 0:
                raise box.fault("expected a box with an area, the smallest x and y first")
            return bounds
        points = list(self._extents())
        if not points:
            raise self.root.fault("holds nothing to put on a table, and no bbox for its size")
        xs, ys = zip(*points, strict=True)
        left, low, right, high = math.floor(min(xs)), math.floor(min(ys)), math.ceil(max(xs)), math.ceil(max(ys))
        bounds = Bounds(left, low, max(right, left + 1), max(high, low + 1))
        self.report.note(f"the table is as large as what is on it: {bounds.width:g} × {bounds.height:g}")
        return bounds

    def _refuse_degrees(self) -> None:
        """Refuse longitudes and latitudes, which are what GeoJSON stands for unless something says otherwise."""
        if self.conversion.plane or "unit" in self.about or self.root.get("crs") is not None:
            return
        points = [(x / self.scale, y / self.scale) for each in self.features for ring in each.rings for x, y in ring]
        fits = all(abs(x) <= 180 and abs(y) <= 90 for x, y in points)
        if points and fits and any(x % 1 or y % 1 for x, y in points):
            raise self.root.fault(
                "these coordinates may be degrees of longitude and latitude, which are not a plane: project them to "
                "metres first, or confirm with --plane that they are lengths"
            )

    # -- the table ------------------------------------------------------------------------------------------------

    def table(self) -> InchTable:
        self._refuse_degrees()
        draft = TableDraft(self.conversion, self._bounds(), self.root)
        collected = Collected()
        for feature in self.features:
            with collected.part():
                self._put(feature, draft)
        collected.raise_if_any()
        for key in self.root.keys:
            if key not in ("type", "features", "properties", "bbox", "geometry", "coordinates", "geometries", "id"):
                self.report.lose(f"member {key!r} of the file", self.root.keys[key].where)
        return draft.table(**self._fields())

    def _fields(self) -> dict[str, Any]:
        """Return the keys of the table that the collection states."""
        fields: dict[str, Any] = {}
        of_table = self.about.get("board") is not None and self.about["board"].data == "table"
        for key, value in self.about.items():
            if key == "scenery" and of_table:
                fields[key] = tuple(word.text() for word in value.items())
            elif key in _OF_TABLES and of_table:
                fields[key] = value.text()
            elif not (key in ("board", "format") and of_table):
                self.report.lose(f"property {key!r} of the collection", value.where)
        return fields

    def _put(self, feature: _Feature, draft: TableDraft) -> None:
        what = feature.properties.get("what")
        if what is None:
            self._piece(feature, draft)
        elif feature.form == "Polygon":
            self._area(feature, what.text(), draft)
        elif feature.form == "Point":
            text = feature.properties.get("text") or feature.properties.get("cost") or what
            x, y = feature.rings[0][0]
            draft.label(feature.at, x, y, text.text() if isinstance(text.data, str) else str(text.data))
        else:
            self.report.lose(f"line of a feature {what.text()!r}", feature.at.where)

    def _area(self, feature: _Feature, what: str, draft: TableDraft) -> None:
        rest = {key: value for key, value in feature.properties.items() if key not in ("what", "name", "side")}
        name = feature.properties["name"].text() if "name" in feature.properties else what
        side = feature.properties["side"].text() if "side" in feature.properties else ""
        for key, value in rest.items():
            self.report.lose(f"property {key!r} of an area", value.where)
        shape = self._shape(feature)
        if isinstance(shape, PolygonShape):
            draft.area(feature.at, name, side, shape)

    def _piece(self, feature: _Feature, draft: TableDraft) -> None:
        properties = feature.properties
        word, meaning, naming = self._word(feature)
        width, radius = (
            properties[key].number(0.0, LARGEST) * self.scale if key in properties else default
            for key, default in (("width", meaning.width), ("radius", 0.0))
        )
        if "width" in properties and feature.form != "LineString":
            self.report.lose("width of a piece that is not a line", properties["width"].where)
        if "radius" in properties and feature.form != "Point":
            self.report.lose("radius of a piece that is not a point", properties["radius"].where)
        rest = {key: value for key, value in properties.items() if key not in (*_OF_FEATURES, naming)}
        for key in ("side", "text"):
            if key in properties:
                self.report.lose(f"property {key!r}", properties[key].where)
        kind = kind_word(self.conversion, word, meaning)
        given = [_told(properties[key]) for key in ("id", "name") if key in properties] + [feature.id]
        name = next((one.strip() for one in given if one.strip()), kind)
        keys = piece_keys(rest, self.report)
        draft.piece(feature.at, name, kind, self._shape(feature, width, radius), meaning, keys)

    def _word(self, feature: _Feature) -> tuple[str, Meaning, str]:
        """Return the word of a piece, its meaning, and the property that named it."""
        words, properties = self.conversion.words, feature.properties
        if "kind" in properties:
            word = properties["kind"].text()
            spellings = (f"kind={word}", *([word] if word in words.own else []))  # a kind is no key of other maps
            return word, words.find(*spellings) or Meaning(word), "kind"
        spelled = {f"{key}={_told(value)}": key for key, value in properties.items()} | {key: key for key in properties}
        for word in words:
            if word in spelled:
                return word, words.meanings[word], spelled[word]
        word = plain_word(feature.id, "feature")
        self.report.note("a feature without a kind is named after its id, or 'feature'")
        return word, words.find(feature.id, word) or Meaning(word), ""


def _told(value: Value) -> str:
    """Return a property as a text, to name something by it; empty if it is neither text nor number."""
    return str(value.data) if isinstance(value.data, str | int | float) and not isinstance(value.data, bool) else ""
