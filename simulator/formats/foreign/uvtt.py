"""Universal VTT maps, `.dd2vtt`, `.uvtt` and `.df2vtt`: walls and doors become pieces of a table, or edges of squares.

Coordinates are squares of the map's grid on the whole canvas, y down. The picture inside is passed over unread. Walls
leave a gap where a portal is: a closed one is a piece there, an open one nothing.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from simulator.formats import limits
from simulator.formats.foreign.conversion import Conversion
from simulator.formats.foreign.grid_walls import GridWalls
from simulator.formats.foreign.json_tree import load_json
from simulator.formats.foreign.mapping import Meaning
from simulator.formats.foreign.tables import TableDraft, kind_word, line, polygon
from simulator.formats.foreign.tree import Collected, Value
from simulator.geometry.board import Board, Bounds
from simulator.geometry.squares import SquareGrid, SquareKind
from simulator.geometry.table import MAX_SIZE
from simulator.later import Later

if TYPE_CHECKING:
    import shapely
else:
    shapely = Later("shapely")

XY = tuple[float, float]

_READ = ("format", "resolution", "line_of_sight", "objects_line_of_sight", "portals")
_OF_PORTALS = ("position", "bounds", "closed", "rotation", "freestanding")
_LATEST = 1.0


def read(conversion: Conversion) -> Board[Any]:
    """Read a Universal VTT map; raise FileError with line and column of a fault."""
    return _VttMap(load_json(conversion.file, pictures=("image",)), conversion).board()


class _VttMap:
    """A map while it is read."""

    def __init__(self, root: Value, conversion: Conversion) -> None:
        self.root = root
        self.conversion = conversion
        self.report = conversion.report
        form = root.need("format")
        if not 0 < form.number() < _LATEST:
            raise form.fault(f"expected version 0.2 or 0.3 of the format (got {form.data})")
        resolution = root.need("resolution")
        self.left, self.top = self._pair(resolution.get("map_origin"))
        size = resolution.need("map_size")
        self.width, self.height = (size.need(key).number(0.01, MAX_SIZE) for key in ("x", "y"))
        for key, value in root.keys.items():
            if key == "image":
                self.report.lose("picture", value.where)
            elif key == "lights":
                for light in value.items() if value.data is not None else ():
                    self.report.lose("light", light.where)
            elif key not in _READ and value.data is not None:
                self.report.lose(key, value.where)
        self.walls = self._lines("line_of_sight")
        self.objects = self._lines("objects_line_of_sight")
        self.doors = self._doors()

    def _pair(self, point: Value | None) -> XY:
        return (0.0, 0.0) if point is None else (point.need("x").number(), point.need("y").number())

    def _point(self, point: Value) -> XY:
        """Return a point in squares from the upper left corner of the map, y down."""
        x, y = self._pair(point)
        return x - self.left, y - self.top

    def _lines(self, key: str) -> list[tuple[Value, list[XY]]]:
        found: list[tuple[Value, list[XY]]] = []
        collected = Collected()
        for each in self.root.list_of(key):
            with collected.part():
                points = [self._point(point) for point in each.items()]
                if len(points) < 2:
                    raise each.fault(f"expected two points or more (got {len(points)})")
                found.append((each, points))
        collected.raise_if_any()
        return found

    def _doors(self) -> list[tuple[Value, list[XY]]]:
        """Return the closed portals; an open one is a gap in the walls already."""
        closed: list[tuple[Value, list[XY]]] = []
        collected = Collected()
        for each in self.root.list_of("portals"):
            with collected.part():
                bounds = each.need("bounds")
                points = [self._point(point) for point in bounds.items()]
                if len(points) != 2:
                    raise bounds.fault(f"expected the two ends of the portal (got {len(points)})")
                is_closed = each.get("closed")
                if is_closed is None or is_closed.truth():
                    closed.append((each, points))
                else:
                    self.report.note("open portals are gaps in the walls")
                for key in each.keys:
                    if key not in _OF_PORTALS:
                        self.report.lose(f"{key} of a portal", each.where)
        collected.raise_if_any()
        return closed

    def board(self) -> Board[Any]:
        return self._squares() if self.conversion.kind == "squares" else self._table()

    def _meaning(self, word: str) -> Meaning:
        return self.conversion.words.find(word) or Meaning(word, closed=True)

    # -- tables ---------------------------------------------------------------------------------------------------

    def _table(self) -> Board[Any]:
        scale = self.conversion.scale or 1.0
        bounds = Bounds(0.0, 0.0, self.width * scale, self.height * scale)
        draft = TableDraft(self.conversion, bounds, self.root)
        collected = Collected()
        for word, things in (("wall", self.walls), ("object", self.objects), ("door", self.doors)):
            meaning = self._meaning(word)
            kind = kind_word(self.conversion, word, meaning)
            for number, (at, points) in enumerate(things, 1):
                inches = [(x * scale, (self.height - y) * scale) for x, y in points]
                with collected.part():
                    solid = word == "object" and len(set(inches)) > 2
                    shape = polygon(at, inches) if solid else line(at, inches, meaning.width)
                    draft.piece(at, f"{word}_{number}", kind, shape, meaning, {})
        collected.raise_if_any()
        return draft.table()

    # -- squares --------------------------------------------------------------------------------------------------

    def _squares(self) -> Board[Any]:
        width, height = math.ceil(self.width - 1e-9), math.ceil(self.height - 1e-9)
        self.root.need("resolution").at_most(limits.CELLS, width * height)
        walls = GridWalls(width, height)
        for word, things in (("wall", self.walls), ("door", self.doors)):
            if self._meaning(word).skip:
                self.report.lose(f"{word} (left out by the mapping)", "", len(things))
                continue
            for number, (at, points) in enumerate(things):
                if left_out := walls.draw(points):
                    self.report.lose(
                        f"stretch of a {word} off the grid lines", f"{word} {number}, {at.where}", left_out
                    )
        if self.doors:
            self.report.note("closed portals are walls: squares have no doors")
        solid = np.zeros((height, width), np.bool_)
        x, y = np.meshgrid(np.arange(width) + 0.5, np.arange(height) + 0.5)
        for at, points in self.objects:
            ground = polygon(at, points).polygon
            inside = np.asarray(shapely.contains_xy(ground, x, y))
            solid |= inside
            if not inside.any():
                self.report.lose("object that covers no centre of a square", at.where)
        east, south = walls.finished(self.report)
        meaning = self._meaning("object")
        kinds = (SquareKind(), SquareKind(meaning.word or "obstacle", wall=True))
        return SquareGrid.from_kinds(
            kinds,
            solid.astype(np.intp),
            name=self.conversion.name,
            walls_east=east,
            walls_south=south,
            square_size=self.conversion.scale or 1.0,
        )
