"""The objects of a Tiled map: pieces, areas and labels of a table; areas, walls and labels of squares and dots."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from simulator.errors import BoardError
from simulator.formats import limits
from simulator.formats.foreign.conversion import Conversion
from simulator.formats.foreign.grid_walls import GridWalls
from simulator.formats.foreign.mapping import Meaning
from simulator.formats.foreign.piece_keys import piece_keys
from simulator.formats.foreign.tables import TableDraft, kind_word, line, place_of, polygon, spot
from simulator.formats.foreign.tiled_grid import TileGrid
from simulator.formats.foreign.tiled_tiles import class_of, properties_of
from simulator.formats.foreign.tree import LARGEST, Collected, Value
from simulator.geometry.board import Area, Bounds, Label
from simulator.geometry.dots import DotMap
from simulator.geometry.squares import SquareGrid
from simulator.geometry.table import InchTable
from simulator.later import Later

if TYPE_CHECKING:
    import shapely
else:
    shapely = Later("shapely")

XY = tuple[float, float]

#: Corners of the polygon that stands for an ellipse.
_ELLIPSE_CORNERS = 64
#: The class of objects that are ground under a name, on a table.
ENTRY_AREA = "entry_area"


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
        conversion.report.lose("object made from a template", place_of(value))
        return None
    x, y = (value.number_of(key, 0.0) + layer.number_of(f"offset{key}", 0.0) for key in ("x", "y"))
    width, height = (_length(value, key) for key in ("width", "height"))
    turned = math.radians(value.number_of("rotation", 0.0))
    own = class_of(value)
    name = value.text_of("name") or own or f"object {int(value.number_of('id', 0.0)) or place_of(value)}"

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
                raise found.fault(f"wants {least} points or more (got {len(found.items())})")
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


# -- tables -------------------------------------------------------------------------------------------------------


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
            draft.report.lose(f"property {name!r} of an area", place_of(value))
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


# -- squares and dots ---------------------------------------------------------------------------------------------


def objects_on_lattice(
    board: SquareGrid | DotMap, grid: TileGrid, layers: list[Value], conversion: Conversion
) -> SquareGrid | DotMap:
    """Return a board with the objects on it: closed polygons and lines as walls, others as areas, texts as labels."""
    put = _OnLattice(board, grid, conversion)
    for each in objects_of(layers, conversion):
        put.one(each)
    return put.board()


class _OnLattice:
    """A lattice while objects are put on it."""

    def __init__(self, board: SquareGrid | DotMap, grid: TileGrid, conversion: Conversion) -> None:
        self.plain = board
        self.grid = grid
        self.report = conversion.report
        self.words = conversion.words
        self.areas: list[Area[tuple[int, int]]] = list(board.areas)
        self.labels: list[Label] = []
        self.closed: NDArray[np.bool_] = np.zeros((grid.height, grid.width), np.bool_)
        self.walls = GridWalls(grid.width, grid.height)
        self.x, self.y = grid.centres
        self.area_places = sum(len(area.places) for area in self.areas)

    def one(self, each: TiledObject) -> None:
        meaning = self.words.find(each.word) or Meaning(each.word)
        if each.form in ("text", "point"):
            self._label(each)
        elif meaning.skip:
            self.report.lose(f"{each.word} (left out by the mapping)", place_of(each.at))
        elif each.form == "line":
            self._line(each, meaning)
        else:
            self._ground(each, meaning)

    def _label(self, each: TiledObject) -> None:
        (x, y), text = each.points[0], each.text or each.name
        each.at.at_most(limits.LABELS, len(self.labels) + 1)
        if isinstance(self.plain, SquareGrid):
            left, top = self.grid.left * self.grid.tile_width, self.grid.top * self.grid.tile_height
            across, down = (x - left) / self.grid.tile_width, (y - top) / self.grid.tile_height
            self.labels.append(Label(across, self.plain.height - down, text))
            return
        nearest = np.argmin((self.x - x) ** 2 + (self.y - y) ** 2)
        row, column = np.unravel_index(nearest, self.x.shape)
        place = self.grid.place(int(column), int(row))
        if place in self.plain:
            self.labels.append(Label(*self.plain.centre(place), text))
        else:
            self.report.lose("label where there is no dot", place_of(each.at))

    def _line(self, each: TiledObject, meaning: Meaning) -> None:
        if not meaning.closed:
            self.report.lose(f"line {each.word!r}: only walls are lines", place_of(each.at))
        elif isinstance(self.plain, DotMap):
            self.report.lose(f"line {each.word!r}: dots have no edges along lines", place_of(each.at))
        else:
            width, height = self.grid.tile_width, self.grid.tile_height
            points = [(x / width - self.grid.left, y / height - self.grid.top) for x, y in each.points]
            if not self.walls.draw(points):
                self.report.lose(f"line {each.word!r} off the grid lines", place_of(each.at))

    def _ground(self, each: TiledObject, meaning: Meaning) -> None:
        inside = self._inside(each)
        if not inside.any():
            self.report.lose(f"{each.word} that covers no centre of a place", place_of(each.at))
        elif meaning.closed:
            self.closed |= inside
        else:
            self._area(each, inside)

    def _inside(self, each: TiledObject) -> NDArray[np.bool_]:
        if each.form == "disc":
            (x, y) = each.points[0]
            return np.asarray((self.x - x) ** 2 + (self.y - y) ** 2 <= each.radius**2)
        ground = polygon(each.at, each.points).polygon
        return np.asarray(shapely.contains_xy(ground, self.x, self.y))

    def _area(self, each: TiledObject, inside: NDArray[np.bool_]) -> None:
        rest = dict(each.properties)
        side = rest.pop("side").text() if "side" in rest else ""
        for name, value in rest.items():
            self.report.lose(f"property {name!r} of an area", place_of(value))
        places = tuple(self._places(inside))
        self.area_places += len(places)
        each.at.at_most(limits.AREAS, len(self.areas) + 1)
        each.at.at_most(limits.AREA_PLACES, self.area_places)
        self.areas.append(Area(each.name, places, side))

    def _places(self, mask: NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
        for row, column in np.argwhere(mask).tolist():
            place = self.grid.place(column, row)
            if place in self.plain:
                yield place

    def board(self) -> SquareGrid | DotMap:
        fields: dict[str, Any] = {"areas": tuple(self.areas), "labels": tuple(self.labels)}
        if isinstance(self.plain, SquareGrid):
            fields |= {
                "walls": self.plain.walls | self.closed,
                "walls_east": self.walls.east,
                "walls_south": self.walls.south,
            }
        elif self.closed.any():
            impassable = self.plain.impassable.copy()
            for place in self._places(self.closed):
                impassable[self.plain.index(place)] = True
            fields["impassable"] = impassable
        try:
            return replace(self.plain, **fields)
        except BoardError as error:
            raise AssertionError(f"objects made a faulty board: {error}") from error
