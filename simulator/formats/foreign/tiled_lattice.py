"""The objects of a Tiled map on squares or dots: areas, walls and labels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from simulator.errors import BoardError
from simulator.formats import limits
from simulator.formats.foreign.conversion import Conversion
from simulator.formats.foreign.grid_walls import GridWalls
from simulator.formats.foreign.mapping import Meaning
from simulator.formats.foreign.tiled_grid import TileGrid
from simulator.formats.foreign.tiled_objects import TiledObject, objects_of
from simulator.formats.foreign.tree import Value
from simulator.geometry.board import Area, Label
from simulator.geometry.dots import DotMap
from simulator.geometry.squares import SquareGrid
from simulator.later import Later

if TYPE_CHECKING:
    import shapely
else:
    shapely = Later("shapely")


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
        self._area_names = {area.name: 1 for area in self.areas}
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
            self.report.lose(f"{each.word} (left out by the mapping)", each.at.where)
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
            self.report.lose("label where there is no dot", each.at.where)

    def _line(self, each: TiledObject, meaning: Meaning) -> None:
        if not meaning.closed:
            self.report.lose(f"line {each.word!r}: only walls are lines", each.at.where)
        elif isinstance(self.plain, DotMap):
            self.report.lose(f"line {each.word!r}: dots have no edges along lines", each.at.where)
        else:
            width, height = self.grid.tile_width, self.grid.tile_height
            points = [(x / width - self.grid.left, y / height - self.grid.top) for x, y in each.points]
            if left_out := self.walls.draw(points):
                self.report.lose(f"stretch of a {each.word!r} off the grid lines", each.at.where, left_out)

    def _ground(self, each: TiledObject, meaning: Meaning) -> None:
        inside = self._inside(each)
        if not inside.any():
            self.report.lose(f"{each.word} that covers no centre of a place", each.at.where)
        elif meaning.closed:
            self.closed |= inside
        else:
            self._area(each, inside)

    def _inside(self, each: TiledObject) -> NDArray[np.bool_]:
        if each.form == "disc":
            (x, y) = each.points[0]
            return np.asarray((self.x - x) ** 2 + (self.y - y) ** 2 <= each.radius**2)
        from simulator.formats.foreign.tables import polygon

        ground = polygon(each.at, each.points).polygon
        return np.asarray(shapely.contains_xy(ground, self.x, self.y))

    def _area(self, each: TiledObject, inside: NDArray[np.bool_]) -> None:
        rest = dict(each.properties)
        side = rest.pop("side").text() if "side" in rest else ""
        for name, value in rest.items():
            self.report.lose(f"property {name!r} of an area", value.where)
        places = tuple(self._places(inside))
        self.area_places += len(places)
        each.at.at_most(limits.AREAS, len(self.areas) + 1)
        each.at.at_most(limits.AREA_PLACES, self.area_places)
        self.areas.append(Area(self.report.own_name(each.name, self._area_names), places, side))

    def _places(self, mask: NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
        for row, column in np.argwhere(mask).tolist():
            place = self.grid.place(column, row)
            if place in self.plain:
                yield place

    def board(self) -> SquareGrid | DotMap:
        fields: dict[str, Any] = {"areas": tuple(self.areas), "labels": tuple(self.labels)}
        if isinstance(self.plain, SquareGrid):
            east, south = self.walls.finished(self.report)
            fields |= {"walls": self.plain.walls | self.closed, "walls_east": east, "walls_south": south}
        elif self.closed.any():
            impassable = self.plain.impassable.copy()
            for place in self._places(self.closed):
                impassable[self.plain.index(place)] = True
            fields["impassable"] = impassable
        try:
            return replace(self.plain, **fields)
        except BoardError as error:
            raise AssertionError(f"objects made a faulty board: {error}") from error
