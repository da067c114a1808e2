"""The inch table: a rectangle of ground with pieces of terrain on it, all in continuous coordinates.

Places are points (x, y). For pictures and planners the table also has a lattice of square cells of any size,
read row by row from the top left. Terrain and height are those of the exact point, never of a cell.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import shapely
from numpy.typing import ArrayLike, NDArray
from shapely.geometry import Point, Polygon
from shapely.geometry.base import BaseGeometry

from simulator.errors import BoardError, NoPlace
from simulator.geometry.arrays import rows_of_two
from simulator.geometry.board import MAX_CELLS, MAX_PIECES, Board, Bounds, Label, TerrainArray, require_distinct
from simulator.geometry.ground_words import OPEN, Word
from simulator.geometry.pieces import (
    LAYERS,
    MAX_VERTICES,
    XY,
    CircleShape,
    FloatArray,
    LineShape,
    Piece,
    PointShape,
    PolygonShape,
    Shape,
    hint,
)
from simulator.geometry.snapping import snap
from simulator.geometry.tolerances import GRID
from simulator.later import Later

if TYPE_CHECKING:
    import networkx as nx
else:
    nx = Later("networkx")

__all__ = [
    "MAX_CELLS",
    "MAX_PIECES",
    "MAX_SIZE",
    "MAX_STOREYS",
    "MAX_VERTICES",
    "EntryArea",
    "InchTable",
    "inch_place",
    "inch_places",
]

#: The most pieces that may stand on one another.
MAX_STOREYS = 20
#: The longest side a table may have.
MAX_SIZE = 10_000.0


@dataclass(frozen=True, slots=True)
class EntryArea:
    """An area where a side may enter the table or deploy."""

    name: str
    side: str
    points: tuple[XY, ...]
    shape: PolygonShape = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not self.name:
            raise BoardError("expected a name", "name")
        try:
            shape = PolygonShape(self.points)
        except BoardError as fault:
            raise BoardError(fault.message, fault.path.replace("shell", "points")) from None
        object.__setattr__(self, "shape", shape)
        object.__setattr__(self, "points", shape.shell)


def _words_of(piece: Piece, path: tuple[str | int, ...]) -> Iterator[Word]:
    yield Word("kind", piece.kind, (*path, "kind"), piece.kind, piece.id)
    if piece.layer == "elevated":
        yield Word("layer", "elevated", (*path, "layer"), piece.kind, piece.id)
    keys = [*(["height"] if piece.height else []), *(["on"] if piece.on else []), *piece.attributes]
    yield from (Word(key, key, (*path, key), piece.kind, piece.id) for key in keys)


@dataclass(frozen=True, eq=False, repr=False)
class InchTable(Board[XY]):
    """A table of `width` x `height` with its lower left corner at `origin`.

    Pieces may lie over one another. The later layer is on top (see `LAYERS`), within a layer the later piece;
    pieces that stand on an elevated piece are above it.

    >>> from simulator.geometry.pieces import rectangle
    >>> wood = Piece("wood", "vegetation", rectangle((10, 10), (8, 6)), "cover")
    >>> table = InchTable("Ford", 48, 36, pieces=(wood,))
    >>> table.terrain_at((10, 10)), table.terrain_at((30, 10))
    ('vegetation', 'open')
    """

    kind: ClassVar[str] = "table"

    name: str
    width: float
    height: float
    origin: XY = (0.0, 0.0)
    ground: str = "open"
    pieces: tuple[Piece, ...] = ()
    entry_areas: tuple[EntryArea, ...] = ()
    labels: tuple[Label, ...] = ()
    description: str = ""
    unit: str = "inch"
    scenery: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        put = object.__setattr__
        for side in ("width", "height"):
            size = getattr(self, side)
            if isinstance(size, bool) or not isinstance(size, int | float) or not 0 < size <= MAX_SIZE:
                raise BoardError(f"expected a size above 0 and at most {MAX_SIZE:.0f}, not {size!r}", side)
            put(self, side, snap(size))
        corner = PointShape(*self.origin)
        put(self, "origin", (corner.x, corner.y))
        if not self.ground:
            raise BoardError("expected a kind of terrain", "ground")
        for many in ("pieces", "entry_areas", "labels"):
            put(self, many, tuple(getattr(self, many)))
        if len(self.pieces) > MAX_PIECES:
            raise BoardError(f"{len(self.pieces)} pieces, at most {MAX_PIECES} fit on a table", "pieces")
        require_distinct([piece.id for piece in self.pieces], "pieces", "id")
        require_distinct([area.name for area in self.entry_areas], "entry_areas", "name")
        for k, piece in enumerate(self.pieces):
            self._require_on_table(piece.shape, piece.id, f"pieces[{k}]")
        for k, area in enumerate(self.entry_areas):
            self._require_on_table(area.shape, area.name, f"entry_areas[{k}]")
        for k, piece in enumerate(self.pieces):
            if piece.on:
                self._require_carried(piece, f"pieces[{k}].on")

    def __reduce__(self) -> tuple[Any, ...]:  # cached values are not sent
        return type(self), tuple(getattr(self, each.name) for each in fields(self))

    def _require_on_table(self, shape: Shape, name: str, path: str) -> None:
        low_x, low_y, high_x, high_y = _bounds_of(shape)
        edges = (
            ("left", self.bounds.min_x - low_x, f"x = {self.bounds.min_x:g}"),
            ("lower", self.bounds.min_y - low_y, f"y = {self.bounds.min_y:g}"),
            ("right", high_x - self.bounds.max_x, f"x = {self.bounds.max_x:g}"),
            ("upper", high_y - self.bounds.max_y, f"y = {self.bounds.max_y:g}"),
        )
        for edge, over, where in edges:
            if over > GRID:
                raise BoardError(f"{name!r} reaches {over:g} over the {edge} edge of the table, {where}", path)

    def _require_carried(self, piece: Piece, path: str) -> None:
        chain = [piece]
        while chain[-1].on:
            below = self.by_id.get(chain[-1].on)
            if below is None:
                raise BoardError(f"no piece {chain[-1].on!r} to stand on{hint(chain[-1].on, self.by_id)}", path)
            chain.append(below)
            if any(one is below for one in chain[:-1]):
                raise BoardError(f"stands on itself: {' on '.join(one.id for one in chain)}", path)
            if len(chain) > MAX_STOREYS:
                raise BoardError(f"more than {MAX_STOREYS} pieces stand on one another", path)
        below = self.by_id[piece.on]
        if below.layer != "elevated":
            raise BoardError(f"{below.id!r} lies in the layer {below.layer}, only elevated pieces carry", path)
        if not _carries(below.shape, piece.shape):
            raise BoardError(f"{piece.id!r} does not stand wholly on {below.id!r}", path)

    # -- the interface of boards -----------------------------------------------------------------------------

    @property
    def scale(self) -> tuple[float, str]:
        """The length of one unit."""
        return 1.0, self.unit

    @cached_property
    def bounds(self) -> Bounds:
        """The table's edges."""
        x, y = self.origin
        return Bounds(x, y, snap(x + self.width), snap(y + self.height))

    def __contains__(self, place: object) -> bool:
        match place:
            case (int() | float() | np.number(), int() | float() | np.number()):
                return bool(self.contains_many(np.array(place, np.float64))[0])
            case _:
                return False

    def no_such_place(self, place: object) -> str:
        """Return a message: a place is not on the table, and which places are."""
        x, y, end_x, end_y = self.bounds
        return f"no place {place!r} on this table: x {x:g} to {end_x:g}, y {y:g} to {end_y:g}"

    def contains_many(self, xy: ArrayLike) -> NDArray[np.bool_]:
        """Return a mask of the points on the table; the edges belong to it."""
        points = np.asarray(xy, np.float64).reshape(-1, 2)
        corners = np.array(self.bounds).reshape(2, 2)
        return np.asarray(((points >= corners[0]) & (points <= corners[1])).all(axis=1))

    def places(self, spacing: float = 1.0) -> Iterator[XY]:
        """Yield the middles of the lattice cells, row by row from the top left."""
        xs, ys = self.lattice(spacing)
        return ((x, y) for y in ys.tolist() for x in xs.tolist())

    def terrain_at(self, place: XY) -> str:
        """Return the kind of the topmost piece that has a point in its interior, otherwise the ground."""
        return self.terrain_kinds[int(self.terrain_at_many([self._on_table(place)])[0])]

    def height_at(self, place: XY) -> float:
        """Return the height of the highest elevated piece that has a point in its interior, otherwise 0."""
        return max(
            (self.levels[piece.id] for piece in self.pieces_at(place) if piece.layer == "elevated"),
            default=0.0,
        )

    def centre(self, place: XY) -> XY:
        """Return the point itself."""
        return self._on_table(place)

    def outline(self, place: XY, spacing: float = 1.0) -> Polygon:
        """Return the lattice cell around a point."""
        cells = self._cells_around([self._on_table(place)], spacing)
        outline: Polygon = cells[0]
        return outline

    def region(self, places: Iterable[XY], spacing: float = 1.0) -> BaseGeometry:
        """Return the ground of the lattice cells around several points."""
        return shapely.coverage_union_all(self._cells_around([self._on_table(place) for place in places], spacing))

    @cached_property
    def terrain_array(self) -> TerrainArray:
        """Terrain codes [row, column] of the lattice with cells of 1 x 1."""
        return self.terrain_raster(1.0)

    @cached_property
    def graph(self) -> nx.Graph[XY]:
        """The cells of 1 x 1, by their middles, joined to their eight neighbours; edges have a `length`."""
        xs, ys = self.lattice(1.0)
        graph: nx.Graph[XY] = nx.Graph(kind=self.kind)
        kinds = np.array(self.terrain_kinds, object)[self.terrain_array.codes].ravel()
        middles = list(self.places())
        graph.add_nodes_from((place, {"terrain": kind}) for place, kind in zip(middles, kinds, strict=True))
        number = np.arange(len(middles)).reshape(len(ys), len(xs))
        for here, there in (
            (number[:, :-1], number[:, 1:]),
            (number[:-1], number[1:]),
            (number[:-1, :-1], number[1:, 1:]),
            (number[:-1, 1:], number[1:, :-1]),
        ):
            pairs = zip(here.ravel().tolist(), there.ravel().tolist(), strict=True)
            graph.add_edges_from(
                (middles[a], middles[b], {"length": math.dist(middles[a], middles[b])}) for a, b in pairs
            )
        return graph

    def words(self) -> list[Word]:
        """Return its unit unless it is inches, its ground, the kind and attributes of each piece, and its areas."""
        return [
            *([Word("unit", self.unit, ("unit",))] if self.unit != "inch" else []),
            *([Word("ground", self.ground, ("ground",))] if self.ground != OPEN else []),
            *(word for number, piece in enumerate(self.pieces) for word in _words_of(piece, ("pieces", number))),
            *([Word("entry_areas", "entry_areas", ("entry_areas",))] if self.entry_areas else []),
        ]

    def content(self) -> dict[str, Any]:
        """Return the content of the table. The first corner and the direction of a ring do not matter."""
        return {
            **self.content_of_any(),
            "size": [self.width, self.height],
            "origin": [*self.origin],
            "ground": self.ground,
            "pieces": [_content_of(piece) for piece in self.pieces],
            "entry_areas": sorted([area.name, area.side, _ring_content(area.points)] for area in self.entry_areas),
        }

    # -- pieces ----------------------------------------------------------------------------------------------

    @cached_property
    def by_id(self) -> Mapping[str, Piece]:
        """The pieces by their ids."""
        return MappingProxyType({piece.id: piece for piece in self.pieces})

    @cached_property
    def levels(self) -> Mapping[str, float]:
        """The height of the top of each piece above the table, including the pieces it stands on."""

        def top(piece: Piece) -> float:
            return piece.height + (top(self.by_id[piece.on]) if piece.on else 0.0)

        return MappingProxyType({piece.id: top(piece) for piece in self.pieces})

    def pieces_at(self, place: XY) -> tuple[Piece, ...]:
        """Return the pieces that have a point in their interior, from the top down."""
        _, covering = self._covering(np.array([self._on_table(place)]))
        return tuple(self._areas[k] for k in sorted(covering.tolist(), reverse=True))

    # -- terrain in bulk -------------------------------------------------------------------------------------

    @cached_property
    def terrain_kinds(self) -> tuple[str, ...]:
        """The ground and the kinds of all areas, sorted: the meanings of the codes of terrain."""
        return tuple(sorted({self.ground, *(piece.kind for piece in self._areas)}))

    def terrain_at_many(self, xy: ArrayLike) -> NDArray[np.int16]:
        """Return the terrain of many points, as codes into `terrain_kinds`; -1 off the table."""
        points = np.asarray(xy, np.float64).reshape(-1, 2)
        codes = np.full(len(points), self.terrain_kinds.index(self.ground), np.int16)
        topmost = np.full(len(points), -1, np.intp)
        which, covering = self._covering(points)
        np.maximum.at(topmost, which, covering)
        code_of = np.array([self.terrain_kinds.index(piece.kind) for piece in self._areas], np.int16)
        covered = topmost >= 0
        codes[covered] = code_of[topmost[covered]]
        codes[~self.contains_many(points)] = -1
        return codes

    def terrain_raster(self, spacing: float) -> TerrainArray:
        """Return terrain codes [row, column] at the middles of the lattice cells, the top row first."""
        xs, ys = self.lattice(spacing)
        grid = np.stack(np.meshgrid(xs, ys), axis=-1)
        return TerrainArray(self.terrain_kinds, self.terrain_at_many(grid).reshape(len(ys), len(xs)))

    def lattice(self, spacing: float) -> tuple[FloatArray, FloatArray]:
        """Return the middles of the columns, from the left, and of the rows, from the top.

        Cells begin at the lower left corner; the table's edge may cut the last column and the top row.
        """
        columns, rows = self._cell_edges(spacing)
        return (columns[:-1] + columns[1:]) / 2, ((rows[:-1] + rows[1:]) / 2)[::-1]

    def _cell_edges(self, spacing: float) -> tuple[FloatArray, FloatArray]:
        """Return the borders of the columns, from the left, and of the rows, from below."""
        given: Any = spacing
        if not isinstance(given, (int, float, np.number)) or not 0 < given <= MAX_SIZE:  # also refuses nan
            raise BoardError(f"expected a size of cells above 0 and at most {MAX_SIZE:.0f}, not {spacing}", "spacing")
        counts = [max(1, math.ceil(round(side / spacing, 6))) for side in (self.width, self.height)]
        if counts[0] * counts[1] > MAX_CELLS:
            cells = counts[0] * counts[1]
            raise BoardError(f"{spacing:g} makes {cells} cells, at most {MAX_CELLS} are allowed", "spacing")
        across, up = (
            np.append(start + spacing * np.arange(count), end)
            for start, count, end in zip(self.origin, counts, self.bounds[2:], strict=True)
        )
        return across, up

    def _cells_around(self, places: list[XY], spacing: float) -> NDArray[Any]:
        """Return the distinct cells that contain some points."""
        columns, rows = self._cell_edges(spacing)
        points = np.array(places, np.float64).reshape(-1, 2)
        column = np.clip(np.searchsorted(columns, points[:, 0], "right") - 1, 0, len(columns) - 2)
        row = np.clip(np.searchsorted(rows, points[:, 1], "right") - 1, 0, len(rows) - 2)
        row, column = np.unique(np.column_stack([row, column]), axis=0).T
        return np.asarray(shapely.box(columns[column], rows[row], columns[column + 1], rows[row + 1]))

    @cached_property
    def stacked(self) -> tuple[Piece, ...]:
        """All pieces from the bottom up, as they lie on one another."""
        rank = {piece.id: (LAYERS.index(piece.layer), number) for number, piece in enumerate(self.pieces)}

        def height_in_stack(piece: Piece) -> tuple[tuple[int, int], ...]:
            below = height_in_stack(self.by_id[piece.on]) if piece.on else ()
            return (*below, rank[piece.id])

        return tuple(sorted(self.pieces, key=height_in_stack))

    @cached_property
    def _areas(self) -> tuple[Piece, ...]:
        """The pieces that cover ground, from the bottom up."""
        return tuple(piece for piece in self.stacked if piece.shape.polygon.area)

    @cached_property
    def _tree(self) -> tuple[shapely.STRtree, NDArray[Any], FloatArray]:
        """The areas in a search tree, their polygons, and x, y, radius of circles (nan for polygons)."""
        polygons = np.array([piece.shape.polygon for piece in self._areas], object)
        shapely.prepare(polygons)
        circles = [
            (shape.x, shape.y, shape.radius) if isinstance(shape, CircleShape) else (math.nan,) * 3
            for shape in (piece.shape for piece in self._areas)
        ]
        return shapely.STRtree(polygons), polygons, np.array(circles, np.float64).reshape(-1, 3)

    def _covering(self, points: FloatArray) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return the pairs of a point and an area, by their numbers, with the point in the interior of the area."""
        tree, polygons, circles = self._tree
        point, area = tree.query(shapely.points(points))  # by their boxes
        x, y = points[point].T
        centre_x, centre_y, radius = circles[area].T
        is_circle = np.isfinite(radius)
        inside = np.hypot(x - centre_x, y - centre_y) < radius
        straight = ~is_circle
        inside[straight] = shapely.contains_xy(polygons[area[straight]], x[straight], y[straight])
        return point[inside], area[inside]

    def _on_table(self, place: XY) -> XY:
        if place not in self:
            raise NoPlace(self.no_such_place(place))
        return place


def inch_place(place: Any) -> XY:
    """Return a place in inches; raise NoPlace unless it is two finite numbers.

    >>> inch_place([3, 4.5])
    (3.0, 4.5)
    """
    try:
        x, y = (float(value) for value in (place if not isinstance(place, str) else ()))
    except (TypeError, ValueError, OverflowError):
        raise NoPlace(f"{place!r} is not a place on a table: two numbers are required, in inches") from None
    if not (math.isfinite(x) and math.isfinite(y)):
        raise NoPlace(f"{x:g},{y:g} is not on any table")
    return x, y


def inch_places(places: ArrayLike) -> FloatArray:
    """For numpy: return many places in inches as rows x, y; raise NoPlace if they are invalid."""
    return rows_of_two(places, "places are rows of two finite numbers, in inches").astype(np.float64, copy=False)


def _bounds_of(shape: Shape) -> tuple[float, float, float, float]:
    if isinstance(shape, CircleShape):
        return shape.x - shape.radius, shape.y - shape.radius, shape.x + shape.radius, shape.y + shape.radius
    bounds: tuple[float, float, float, float] = shape.polygon.bounds
    return bounds


def _carries(carrier: Shape, rider: Shape) -> bool:
    """Return whether one shape lies wholly on another; edges may be shared."""
    if isinstance(carrier, CircleShape):
        is_round = isinstance(rider, CircleShape)
        corners = rider.parts[0] if is_round else shapely.get_coordinates(rider.polygon)
        far = np.hypot(*(corners - (carrier.x, carrier.y)).T).max()
        return bool(far + (rider.radius if isinstance(rider, CircleShape) else 0.0) <= carrier.radius + GRID)
    if isinstance(rider, CircleShape):
        centre = Point(rider.x, rider.y)
        border = carrier.polygon.boundary
        return bool(carrier.polygon.covers(centre) and border.distance(centre) >= rider.radius - GRID)
    return bool(carrier.polygon.buffer(GRID, join_style="mitre").covers(rider.polygon))


def _content_of(piece: Piece) -> dict[str, Any]:
    """Return a piece as plain values."""
    shape: dict[str, Any]
    match piece.shape:
        case PolygonShape(shell, holes):
            shape = {"polygon": _ring_content(shell), "holes": sorted(_ring_content(hole) for hole in holes)}
        case LineShape(points, width):
            shape = {"line": [[*point] for point in points], "width": width}
        case PointShape(x, y):
            shape = {"point": [x, y]}
        case CircleShape(x, y, radius):
            shape = {"circle": [x, y], "radius": radius}
    return {
        "id": piece.id,
        "kind": piece.kind,
        "layer": piece.layer,
        "height": piece.height,
        "on": piece.on,
        "attributes": {name: _plain(value) for name, value in piece.attributes.items()},
        **shape,
    }


def _ring_content(points: Iterable[XY]) -> list[list[float]]:
    """Return a ring counter-clockwise from its least corner, so that equal rings compare equal."""
    ring = [*points]
    if not shapely.is_ccw(shapely.LinearRing(ring)):
        ring.reverse()
    start = ring.index(min(ring))
    return [[*point] for point in ring[start:] + ring[:start]]


def _plain(value: Any) -> Any:
    return [_plain(one) for one in value] if isinstance(value, tuple) else value
