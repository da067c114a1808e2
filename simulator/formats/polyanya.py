"""The Polyanya benchmark format: `.mesh` files become tables, `.scen` files lists of any-angle queries.

A mesh of version 2 consists of the words `mesh` and `2`, the numbers of vertices and polygons, then the vertices and
polygons: for each vertex x, y, the number of polygons that meet there, and their indexes; for each polygon its number
of corners, their indexes, counter-clockwise, and its neighbours, the first across the edge from the last corner to the
first. -1 stands for no polygon. Blanks and line breaks are alike. The polygons are the open ground; the ground between
and around them is closed. The mover has no size.

A mesh of version 3 counts from 1. A vertex is x and y only; a polygon begins with 1 if it is open ground and 0 if it is
closed, and its neighbours are negative where the neighbour is closed and 0 where there is none. The closed polygons are
dropped when it is read: the ground they cover is that outside the open ones.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import shapely
from numpy.typing import NDArray

from simulator.errors import BoardError, Fault, FileError, LimitReached
from simulator.geometry.pieces import Piece, PolygonShape
from simulator.geometry.table import InchTable
from simulator.reading import read_ascii

XY = tuple[float, float]

_MOST_BYTES = 64 * 2**20
_MOST_VERTICES = 1_000_000
_LARGEST = 1e6
#: The length in files that stands for no way.
_NO_WAY = -1.0


@dataclass(frozen=True, slots=True)
class Mesh:
    """Open ground in convex polygons: corners by number, and the neighbour across the edge before each corner."""

    vertices: tuple[XY, ...]
    polygons: tuple[tuple[int, ...], ...]
    neighbours: tuple[tuple[int, ...], ...]
    is_open: tuple[bool, ...] = ()  #: while a mesh of version 3 is read: which polygons are open ground

    def scaled(self, scale: float) -> Mesh:
        """Return the same mesh with all lengths multiplied."""
        return replace(self, vertices=tuple((x * scale, y * scale) for x, y in self.vertices))

    def closed(self) -> NDArray[np.object_]:
        """Return the closed ground within the bounds of the mesh, as shapely polygons."""
        places = np.array(self.vertices)
        border = [
            (corners[at - 1], corners[at])
            for corners, across in zip(self.polygons, self.neighbours, strict=True)
            for at, other in enumerate(across)
            if other < 0
        ]
        lines = np.asarray(shapely.linestrings(places[np.array(border, np.intp)]))
        frame = shapely.box(*shapely.total_bounds(lines)).exterior
        # Edges along the frame would be drawn twice, so lines are joined before they are cut into faces.
        faces = shapely.get_parts(shapely.polygonize([shapely.unary_union([*lines.tolist(), frame])]))
        return self._without_ground(faces)

    def _without_ground(self, faces: NDArray[np.object_]) -> NDArray[np.object_]:
        opened = shapely.STRtree(self.ground()).query(shapely.point_on_surface(faces), predicate="intersects")[0]
        return np.delete(faces, np.unique(opened))

    def table(self, name: str = "") -> InchTable:
        """Return the mesh as a table with closed ground as pieces of layer `obstacle`; raise BoardError if invalid."""
        low_x, low_y, high_x, high_y = shapely.total_bounds(self.ground()).tolist()
        pieces = [
            Piece(f"closed_{number}", "closed", _shape(face), "obstacle")
            for number, face in enumerate(self.closed().tolist(), 1)
        ]
        return InchTable(name, high_x - low_x, high_y - low_y, origin=(low_x, low_y), pieces=tuple(pieces))

    def ground(self) -> NDArray[np.object_]:
        """Return the polygons as shapely polygons."""
        return np.array([shapely.Polygon([self.vertices[at] for at in corners]) for corners in self.polygons], object)


@dataclass(frozen=True, slots=True)
class AnyAngleQuery:
    """One line of a scenario file: start, goal, and the published length, inf if there is no way."""

    bucket: int
    map_name: str
    start: XY
    goal: XY
    length: float


def _shape(face: shapely.Polygon) -> PolygonShape:
    shell, *holes = ([(x, y) for x, y in ring.coords[:-1]] for ring in (face.exterior, *face.interiors))
    return PolygonShape(shell, holes)


def load_table(path: Path, scale: float = 1.0) -> InchTable:
    """Read a `.mesh` file as a table; raise FileError with line and column of a fault."""
    return parse_table(read_ascii(path, _MOST_BYTES), str(path), path.stem, scale)


def parse_table(text: str, file: str = "<text>", name: str = "", scale: float = 1.0) -> InchTable:
    """Read the text of a mesh as a table. `scale` is the length of a unit of the mesh in inches.

    >>> square = "mesh 2  4 1   0 0 1 0   2 0 1 0   2 2 1 0   0 2 1 0   4 0 1 2 3 -1 -1 -1 -1"
    >>> parse_table(square).bounds
    Bounds(min_x=0.0, min_y=0.0, max_x=2.0, max_y=2.0)
    """
    mesh = parse_mesh(text, file)
    if not mesh.polygons:
        raise FileError([Fault(file, 1, 1, "", "the mesh has no polygon: there is nowhere to stand")])
    try:
        return mesh.scaled(scale).table(name) if scale != 1.0 else mesh.table(name)
    except BoardError as error:
        raise FileError([Fault(file, 1, 1, "", f"the mesh is not a valid table: {error}")]) from None


def parse_mesh(text: str, file: str = "<text>") -> Mesh:
    """Read the text of a mesh.

    >>> square = "mesh 2  4 1   0 0 1 0   2 0 1 0   2 2 1 0   0 2 1 0   4 0 1 2 3 -1 -1 -1 -1"
    >>> parse_mesh(square).polygons
    ((0, 1, 2, 3),)
    """
    words = _Words(text, file)
    words.expect("mesh", "the file has to begin with the word 'mesh'")
    version = words.one_of(("2", "3"), "only meshes of versions 2 and 3 can be read")
    vertex_count = words.whole("the number of vertices", 0, _LARGEST)
    polygon_count = words.whole("the number of polygons", 0, _LARGEST)
    if vertex_count > _MOST_VERTICES or polygon_count > _MOST_VERTICES:
        message = f"{vertex_count} vertices and {polygon_count} polygons, at most {_MOST_VERTICES} each are allowed"
        raise LimitReached([words.fault(message)])
    read = _read_version_2 if version == "2" else _read_version_3
    mesh, places = read(words, vertex_count, polygon_count)
    words.end()
    first = int(version == "3")
    wrong = _wrong_polygons(mesh, first)
    faults = [Fault(file, *places[at], f"polygon {at + first}", message) for at, message in wrong]
    if faults:
        raise FileError(faults)
    return mesh if version == "2" else _only_open(mesh)


def _read_version_2(words: _Words, vertex_count: int, polygon_count: int) -> tuple[Mesh, list[tuple[int, int]]]:
    """Read vertices and polygons, and the place of each polygon in the text."""
    vertices = []
    for _ in range(vertex_count):
        vertices.append((words.number("x"), words.number("y")))
        for _ in range(words.whole("how many polygons meet here", 0, polygon_count + vertex_count)):
            words.whole("a polygon", -1, polygon_count - 1)
    polygons, neighbours, places = [], [], []
    for _ in range(polygon_count):
        count = words.whole("how many corners the polygon has", 3, max(vertex_count, 3))
        places.append(words.place)
        polygons.append(tuple(words.whole("a vertex", 0, vertex_count - 1) for _ in range(count)))
        neighbours.append(tuple(words.whole("a neighbour", -1, polygon_count - 1) for _ in range(count)))
    return Mesh(tuple(vertices), tuple(polygons), tuple(neighbours)), places


def _read_version_3(words: _Words, vertex_count: int, polygon_count: int) -> tuple[Mesh, list[tuple[int, int]]]:
    """Read the same of a mesh that counts from 1 and has closed polygons too."""
    vertices = [(words.number("x"), words.number("y")) for _ in range(vertex_count)]
    polygons, neighbours, places, is_open = [], [], [], []
    for _ in range(polygon_count):
        is_open.append(bool(words.whole("whether the polygon is open ground", 0, 1)))
        count = words.whole("how many corners the polygon has", 3, max(vertex_count, 3))
        places.append(words.place)
        polygons.append(tuple(words.whole("a vertex", 1, vertex_count) - 1 for _ in range(count)))
        beside = [words.whole("a neighbour", -polygon_count, polygon_count) for _ in range(count)]
        neighbours.append(tuple(abs(number) - 1 for number in beside))
    return Mesh(tuple(vertices), tuple(polygons), tuple(neighbours), tuple(is_open)), places


def _only_open(mesh: Mesh) -> Mesh:
    """Return the open polygons of a mesh, renumbered."""
    numbers = {old: new for new, old in enumerate(old for old, is_open in enumerate(mesh.is_open) if is_open)}
    neighbours = (tuple(numbers.get(other, -1) for other in mesh.neighbours[old]) for old in numbers)
    return Mesh(mesh.vertices, tuple(mesh.polygons[old] for old in numbers), tuple(neighbours))


def _wrong_polygons(mesh: Mesh, first: int) -> Iterator[tuple[int, str]]:
    """Yield the faulty polygons, each with what is wrong; `first` is the number of the first in the file."""
    across = {
        (corners[at - 1], corners[at]): number
        for number, corners in enumerate(mesh.polygons)
        for at in range(len(corners))
    }
    for number, corners in enumerate(mesh.polygons):
        if len(set(corners)) < len(corners):
            yield number, "has one vertex twice"
            continue
        points = np.array([mesh.vertices[at] for at in corners])
        steps = np.roll(points, -1, axis=0) - points
        following = np.roll(steps, -1, axis=0)
        turns = steps[:, 0] * following[:, 1] - steps[:, 1] * following[:, 0]
        scale = 1e-9 * float(np.max(np.abs(steps))) ** 2
        if np.any(turns < -scale) or not np.any(turns > scale):
            yield number, "is not convex with its corners counter-clockwise"
        for at, other in enumerate(mesh.neighbours[number]):
            edge = corners[at], corners[at - 1]
            found = across.get(edge, -1)
            if found != other:
                shown = f"{edge[1] + first}-{edge[0] + first}, but there is {found + first}"
                yield number, f"names {other + first} as neighbour across the edge {shown}"


def load_queries(path: Path) -> list[AnyAngleQuery]:
    """Read a `.scen` file; raise FileError with the line of a fault."""
    return parse_queries(read_ascii(path, _MOST_BYTES), str(path))


def parse_queries(text: str, file: str = "<text>") -> list[AnyAngleQuery]:
    """Read the text of a scenario file.

    >>> parse_queries("version 1\\n0 yard.mesh 8 8 1.5 1 4.5 5 5")[0].goal
    (4.5, 5.0)
    """
    lines = text.splitlines()
    if not lines or lines[0].split() not in (["version", "1"], ["version", "1.0"]):
        raise FileError([Fault(file, 1, 1, "", "the first line has to be 'version 1'")])
    queries, faults = [], []
    for number, line in enumerate(lines[1:], 2):
        if line.strip():
            try:
                queries.append(_query(line))
            except ValueError as error:
                faults.append(Fault(file, number, 1, "", str(error)))
    if faults:
        raise FileError(faults)
    return queries


def _query(line: str) -> AnyAngleQuery:
    fields = line.split("\t") if "\t" in line else line.split()
    if len(fields) != 9:
        raise ValueError(f"{len(fields)} fields, a query has 9: bucket, map, width, height, start, goal, length")
    if not (fields[0].isascii() and fields[0].isdigit() and len(fields[0]) <= 9):
        raise ValueError(f"the bucket has to be a whole number from 0 (got {fields[0][:40]!r})")
    numbers = [_finite(field) for field in fields[2:]]
    for field, value in zip(fields[2:], numbers, strict=True):
        if value is None:
            raise ValueError(f"expected a finite number up to {_LARGEST:.0f} (got {field[:40]!r})")
    _, _, start_x, start_y, goal_x, goal_y, length = (value for value in numbers if value is not None)
    if length < 0.0 and length != _NO_WAY:
        raise ValueError(f"the length has to be a number from 0, or -1 for no way (got {fields[8][:40]!r})")
    length = math.inf if length == _NO_WAY else length
    return AnyAngleQuery(int(fields[0]), fields[1], (start_x, start_y), (goal_x, goal_y), length)


def _finite(word: str) -> float | None:
    try:
        value = float(word) if "_" not in word else math.nan
    except ValueError:
        return None
    return value + 0.0 if abs(value) <= _LARGEST else None


class _Words:
    """Reads the words of a text in order, each with its line and column."""

    def __init__(self, text: str, file: str) -> None:
        self._file = file
        self._words = self._split(text)
        self.place = (1, 1)

    def _split(self, text: str) -> Iterator[tuple[str, int, int]]:
        number = 1
        for number, line in enumerate(text.splitlines(), 1):
            column = 0
            for word in line.split():
                column = line.index(word, column)
                yield word, number, column + 1
                column += len(word)
        self.place = (number, 1)

    def _next(self, what: str) -> str:
        found = next(self._words, None)
        if found is None:
            raise FileError([self.fault(f"the file ends where {what} was expected")])
        word, line, column = found
        self.place = (line, column)
        return word

    def fault(self, message: str) -> Fault:
        """Return a fault at the last word read."""
        return Fault(self._file, *self.place, "", message)

    def expect(self, expected: str, message: str) -> None:
        """Read a word and require it to be the expected one."""
        word = self._next(repr(expected))
        if word != expected:
            raise FileError([self.fault(f"{message} (got {word[:40]!r})")])

    def one_of(self, expected: tuple[str, ...], message: str) -> str:
        """Read a word and require it to be one of those expected."""
        word = self._next(" or ".join(map(repr, expected)))
        if word not in expected:
            raise FileError([self.fault(f"{message} (got {word[:40]!r})")])
        return word

    def whole(self, what: str, least: int, most: float) -> int:
        """Read a whole number within limits."""
        word = self._next(what)
        digits = word.removeprefix("-")
        value = int(word) if digits.isascii() and digits.isdigit() and len(digits) <= 9 else None
        if value is None or not least <= value <= most:
            requirement = f"{what} has to be a whole number from {least} to {most:.0f}"
            raise FileError([self.fault(f"{requirement} (got {word[:40]!r})")])
        return value

    def number(self, what: str) -> float:
        """Read a coordinate."""
        word = self._next(what)
        value = _finite(word)
        if value is None:
            raise FileError([self.fault(f"{what} has to be a finite number up to {_LARGEST:.0f} (got {word[:40]!r})")])
        return value

    def end(self) -> None:
        """Require the end of the text."""
        found = next(self._words, None)
        if found is not None:
            self.place = found[1:]
            raise FileError([self.fault(f"the mesh is complete, but {found[0][:40]!r} follows")])
