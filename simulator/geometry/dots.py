"""The hex-dot map: dots (q, r) of a hex lattice, each with terrain, level and storeys, and features on the edges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, groupby
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simulator.errors import BoardError
from simulator.geometry import hex_lattice
from simulator.geometry.arrays import canonical_terrain, frozen_array, kind_numbers, shifted
from simulator.geometry.board import Area, Bounds, Label, Lattice, TerrainArray, require_distinct
from simulator.geometry.ground_words import Word, attribute_words, terrain_words
from simulator.geometry.hex_lattice import DIRECTIONS, Dot, OffsetLayout
from simulator.geometry.rows import read_rows, split_drawing
from simulator.later import Later

if TYPE_CHECKING:
    import networkx as nx
    import shapely
    from shapely.geometry import Polygon
    from shapely.geometry.base import BaseGeometry
else:
    nx, shapely = Later("networkx"), Later("shapely")

MAX_DOTS = 4_000_000
EdgeKind = Literal["wall", "window", "door", "ramp", "stairs", "ladder"]
EDGE_KINDS: tuple[EdgeKind, ...] = get_args(EdgeKind)
#: The arrays of a map with one value for each cell.
_PLANES = ("present", "terrain", "level", "storeys", "impassable", "openings")
#: The barriers across an edge, and the ways along it from level to level.
BARRIERS: tuple[EdgeKind, ...] = ("wall", "window", "door")


@dataclass(frozen=True, slots=True)
class DotKind:
    """The meaning of one glyph of a drawing. `absent` leaves a hole in the map."""

    terrain: str = "open"
    level: int = 0
    storeys: int = 0
    impassable: bool = False
    opening: bool = False
    absent: bool = False


PLAIN_LEGEND: Mapping[str, DotKind] = {
    ".": DotKind(),
    "#": DotKind(impassable=True),
    "_": DotKind(absent=True),
}


@dataclass(frozen=True, slots=True)
class Edge:
    """Something between two adjacent dots.

    A barrier (wall, window, door) stands on the storeys from `levels[0]` to `levels[1]`, or on all of them. A way up
    (ramp, stairs, ladder) joins level `levels[0]` of dot `a` to level `levels[1]` of dot `b`, or the ground levels of
    both.
    """

    kind: EdgeKind
    a: Dot
    b: Dot
    levels: tuple[int, int] | None = None

    def turned(self) -> Edge:
        """Return the same edge seen from the other dot."""
        swap = self.levels and self.kind not in BARRIERS
        return Edge(self.kind, self.b, self.a, self.levels[::-1] if swap and self.levels else self.levels)

    @property
    def sort_key(self) -> tuple[Dot, Dot, str, tuple[int, int]]:
        """A total order: by dots, kind, then levels."""
        return self.a, self.b, self.kind, self.levels or (-(10**6), 10**6)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class DotMap(Lattice):
    """A map of dots of any outline. Arrays are indexed [r - first r, q - first q] and are read-only.

    >>> board = DotMap.from_text('''
    ...     . . .
    ...      . # .
    ... ''')
    >>> board.neighbours((0, 0))
    [(1, 0), (0, 1)]
    """

    kind: ClassVar[str] = "dots"
    headings = tuple(range(0, 360, 60))

    name: str = ""
    first: Dot = (0, 0)  #: the dot of the arrays' first cell
    present: NDArray[np.bool_]
    terrain_kinds: tuple[str, ...]
    terrain: NDArray[np.uint8]
    level: NDArray[np.int16]  #: the ground
    storeys: NDArray[np.int16]  #: storeys of the building on it; the roof lies at level + storeys
    impassable: NDArray[np.bool_]
    openings: NDArray[np.bool_]  #: dots that are a door or window themselves (DT-12)
    edges: tuple[Edge, ...] = ()
    dot_spacing: float = 1.0
    unit: str = "dot"
    layout: OffsetLayout = OffsetLayout.ODD_ROWS  #: how files and pictures number columns and rows
    areas: tuple[Area[Dot], ...] = ()
    labels: tuple[Label, ...] = ()
    description: str = ""
    scenery: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        present = np.asarray(self.present)
        if present.ndim != 2 or not present.any():
            raise BoardError("expected at least one dot", "present")
        if np.count_nonzero(present) > MAX_DOTS:
            raise BoardError(f"{np.count_nonzero(present)} dots, at most {MAX_DOTS} are allowed", "present")
        if not (0 < self.dot_spacing < 1e6):
            raise BoardError(f"expected a spacing above 0 and below a million, not {self.dot_spacing}", "dot_spacing")
        put = object.__setattr__
        rows, columns = np.flatnonzero(present.any(axis=1)), np.flatnonzero(present.any(axis=0))
        box = (slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1))
        put(self, "first", (int(self.first[0] + columns[0]), int(self.first[1] + rows[0])))
        put(self, "present", frozen_array(present[box], np.bool_, present[box].shape, "present"))
        kinds, terrain = canonical_terrain(self.terrain_kinds, np.asarray(self.terrain)[box], self.present)
        put(self, "terrain_kinds", kinds)
        put(self, "terrain", terrain)
        for field, dtype in (
            ("level", np.int16),
            ("storeys", np.int16),
            ("impassable", np.bool_),
            ("openings", np.bool_),
        ):
            values = np.asarray(getattr(self, field))
            if values.shape != present.shape:
                raise BoardError(f"expected one value for each cell, shape {present.shape}, not {values.shape}", field)
            cropped = np.where(self.present, values[box], 0)
            put(self, field, frozen_array(cropped, dtype, self.present.shape, field))
        if (self.storeys < 0).any():
            raise BoardError("a building has no negative number of storeys", "storeys")
        if (self.level.astype(np.int64) + self.storeys).max() > np.iinfo(np.int16).max:
            raise BoardError("a roof lies above level 32767", "storeys")
        put(self, "edges", self._canonical_edges())
        for number, area in enumerate(self.areas):
            area.check(self, f"areas[{number}]")
        require_distinct([area.name for area in self.areas], "areas", "name")

    def _canonical_edges(self) -> tuple[Edge, ...]:
        canonical: list[Edge] = []
        for number, edge in enumerate(self.edges):
            path = f"edges[{number}]"
            if edge.kind not in EDGE_KINDS:
                raise BoardError(f"no edge is a {edge.kind!r} (known: {', '.join(EDGE_KINDS)})", path)
            if edge.a not in self or edge.b not in self:
                raise BoardError(f"{edge.a} - {edge.b} is not between two dots of the map", path)
            if hex_lattice.distance(edge.a, edge.b) != 1:
                raise BoardError(f"{edge.a} and {edge.b} are not adjacent", path)
            if edge.kind in BARRIERS and edge.levels and edge.levels[0] > edge.levels[1]:
                message = f"goes down from storey {edge.levels[0]} to {edge.levels[1]}: name the lower first"
                raise BoardError(message, path)
            canonical.append(min(edge, edge.turned(), key=lambda one: one.sort_key))
        canonical.sort(key=lambda edge: edge.sort_key)
        for (a, b), group in groupby(canonical, key=lambda edge: (edge.a, edge.b)):
            for one, other in combinations(group, 2):
                if _clash(one, other):
                    raise BoardError(f"a {one.kind} and a {other.kind} between {a} and {b}", "edges")
        return tuple(canonical)

    # -- building -------------------------------------------------------------------------------------------------

    @classmethod
    def from_kinds(
        cls,
        kinds: tuple[DotKind, ...],
        codes: ArrayLike,
        layout: OffsetLayout = OffsetLayout.ODD_ROWS,
        **fields: Any,
    ) -> DotMap:
        """Build a map from one kind of dot for each (row, column) of an offset layout."""
        codes = kind_numbers(codes, kinds)
        height, width = codes.shape
        rows, columns = np.divmod(np.arange(height * width), width)
        even = layout in (OffsetLayout.EVEN_ROWS, OffsetLayout.EVEN_COLUMNS)
        if layout in (OffsetLayout.ODD_ROWS, OffsetLayout.EVEN_ROWS):
            q, r = columns - (rows + even) // 2, rows
        else:
            q, r = columns, rows - (columns + even) // 2
        first = (int(q.min()), int(r.min()))
        shape = (int(r.max()) - first[1] + 1, int(q.max()) - first[0] + 1)
        cell = (r - first[1], q - first[0])
        code = codes.ravel()

        def spread(values: list[Any], dtype: Any, elsewhere: Any) -> NDArray[Any]:
            array = np.full(shape, elsewhere, dtype)
            array[cell] = np.array(values)[code]
            return array

        looked_up: dict[str, Any] = {
            "first": first,
            "present": spread([not kind.absent for kind in kinds], np.bool_, False),
            "terrain_kinds": tuple(kind.terrain for kind in kinds),
            "terrain": spread(list(range(len(kinds))), np.intp, 0),
            "level": spread([kind.level for kind in kinds], np.int64, 0),
            "storeys": spread([kind.storeys for kind in kinds], np.int64, 0),
            "impassable": spread([kind.impassable for kind in kinds], np.bool_, False),
            "openings": spread([kind.opening for kind in kinds], np.bool_, False),
            "layout": layout,
        }
        return cls(**(looked_up | fields))

    @classmethod
    def from_text(
        cls,
        drawing: str,
        legend: Mapping[str, DotKind] = PLAIN_LEGEND,
        layout: OffsetLayout = OffsetLayout.ODD_ROWS,
        **fields: Any,
    ) -> DotMap:
        """Build a map from a drawing; the plain legend has `.` open, `#` impassable and `_` no dot."""
        return cls.from_kinds(*read_rows(split_drawing(drawing), legend), layout=layout, **fields)

    @classmethod
    def open(cls, width: int, height: int, **fields: Any) -> DotMap:
        """Build an empty map of `width` columns and `height` rows; odd rows are shifted half a step to the right."""
        return cls.from_kinds((DotKind(),), np.zeros((height, width), np.intp), **fields)

    def part(self, rows: slice, columns: slice) -> DotMap:
        """Return some rows and columns of the arrays as a separate map; its dots keep their coordinates."""
        first = (self.first[0] + columns.start, self.first[1] + rows.start)
        planes = {name: getattr(self, name)[rows, columns] for name in _PLANES}
        q, r = columns.stop + self.first[0], rows.stop + self.first[1]
        edges = tuple(
            edge
            for edge in self.edges
            if all(first[0] <= dot[0] < q and first[1] <= dot[1] < r for dot in (edge.a, edge.b))
        )
        return replace(self, first=first, edges=edges, areas=(), labels=(), **planes)

    # -- the interface of boards ----------------------------------------------------------------------------------

    @property
    def scale(self) -> tuple[float, str]:
        """The length of one step."""
        return self.dot_spacing, self.unit

    @cached_property
    def bounds(self) -> Bounds:
        """The box around all cells."""
        # The first and the last dot of each row extend farthest.
        rows = np.flatnonzero(self.present.any(axis=1))
        first = self.present[rows].argmax(axis=1)
        last = self.present.shape[1] - 1 - self.present[rows, ::-1].argmax(axis=1)
        columns = np.concatenate([first, last])
        points = hex_lattice.corners(columns + self.first[0], np.tile(rows, 2) + self.first[1])
        (min_x, min_y), (max_x, max_y) = points.min(axis=(0, 1)), points.max(axis=(0, 1))
        return Bounds(float(min_x), float(min_y), float(max_x), float(max_y))

    def _dots(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        rows, columns = np.nonzero(self.present)
        return columns + self.first[0], rows + self.first[1]

    def __contains__(self, place: object) -> bool:
        match place:
            case (int(q), int(r)):
                first_q, first_r, width, rows = self._rows
                row, column = r - first_r, q - first_q
                return 0 <= row < len(rows) and 0 <= column < width and rows[row][column] != 0
            case _:
                return False

    @cached_property
    def _rows(self) -> tuple[int, int, int, list[bytes]]:
        """The first dot, how long rows are, and which dots there are in each: single ones are read faster from here."""
        return *self.first, self.present.shape[1], [row.tobytes() for row in self.present]

    def no_such_place(self, place: object) -> str:
        """Return a message: a place is not on the map."""
        return f"no dot {place!r} on this map"

    def places(self) -> Iterator[Dot]:
        """Yield all dots, row by row."""
        return ((int(q), int(r)) for q, r in zip(*self._dots(), strict=True))

    def surfaces_at(self, place: Dot) -> tuple[int, ...]:
        """Return the levels for standing, from the ground through the floors to the roof (DT-15: storey s, level s)."""
        at = self.index(place)
        ground = int(self.level[at])
        return tuple(range(ground, ground + int(self.storeys[at]) + 1))

    def indoors_at(self, place: Dot, level: int | None = None) -> bool:
        """Return whether a level, by default the ground, is inside a building: below its roof."""
        at = self.index(place)
        ground = int(self.level[at])
        return (ground if level is None else level) < ground + int(self.storeys[at])

    @cached_property
    def top(self) -> NDArray[np.int16]:
        """The highest surface of every cell: the roof, or the ground."""
        return np.asarray(self.level + self.storeys, np.int16)

    def centre(self, place: Dot) -> tuple[float, float]:
        """Return the centre of a dot in the plane."""
        self.index(place)
        return hex_lattice.centre(place)

    def outline(self, place: Dot) -> Polygon:
        """Return the cell around a dot: the hexagon of all points nearest to it."""
        self.index(place)
        return shapely.Polygon(hex_lattice.corners(np.array(place[0]), np.array(place[1])))

    def region_of(self, mask: NDArray[np.bool_]) -> BaseGeometry:
        """Return the ground that the cells of a mask cover together."""
        rows, columns = np.nonzero(mask)
        cells = hex_lattice.corners(columns + self.first[0], rows + self.first[1])
        return shapely.coverage_union_all(shapely.polygons(cells))

    @property
    def terrain_array(self) -> TerrainArray:
        """Terrain codes [r - first r, q - first q]; -1 where there is no dot."""
        return TerrainArray(self.terrain_kinds, np.where(self.present, self.terrain, np.int16(-1)).astype(np.int16))

    @cached_property
    def graph(self) -> nx.Graph[Dot]:
        """Passable dots, joined unless a barrier other than a door separates them; edges have their `features`."""
        graph: nx.Graph[Dot] = nx.Graph(kind=self.kind)
        for place in self.places():
            at = self.index(place)
            if not self.impassable[at]:
                graph.add_node(
                    place,
                    terrain=self.terrain_at(place),
                    level=int(self.level[at]),
                    storeys=int(self.storeys[at]),
                )
        gates = self.step_gates
        for direction in range(3):
            for row, column in np.argwhere(gates[direction]).tolist():
                dot = self.place_at(row, column)
                if dot in graph:
                    graph.add_edge(dot, hex_lattice.step(dot, direction), features=())
        for edge in self.edges:
            if graph.has_edge(edge.a, edge.b):
                graph.edges[edge.a, edge.b]["features"] += (edge.kind,)
        return graph

    def words(self) -> list[Word]:
        """Return its terrain, the kinds of its edges, and the other attributes used, from level to areas."""
        return [
            *terrain_words(*self.terrain_array),
            *attribute_words("level", self.level),
            *attribute_words("storeys", self.storeys),
            *attribute_words("impassable", self.impassable),
            *attribute_words("opening", self.openings),
            *(Word("kind", kind, ("edges",)) for kind in dict.fromkeys(edge.kind for edge in self.edges)),
            *attribute_words("areas", np.array([bool(self.areas)])),
        ]

    def content(self) -> dict[str, Any]:
        """Return the content of the board."""
        return {
            **self.content_of_any(),
            "layout": self.layout.value,
            "areas": [area.content() for area in self.areas],
            "first": list(self.first),
            "present": self.present,
            "terrain_kinds": list(self.terrain_kinds),
            "terrain": self.terrain,
            "level": self.level,
            "storeys": self.storeys,
            "impassable": self.impassable,
            "openings": self.openings,
            "edges": [[edge.kind, *edge.a, *edge.b, *(edge.levels or (None, None))] for edge in self.edges],
        }

    # -- steps and edges ------------------------------------------------------------------------------------------

    def edge_array(self, *kinds: EdgeKind) -> NDArray[np.bool_]:
        """Return a mask of the edges of these kinds on any level: [direction, row, column] of the dot left."""
        array = np.zeros((6, *self.present.shape), np.bool_)
        for edge in self.edges:
            if edge.kind in kinds:
                direction = DIRECTIONS.index((edge.b[0] - edge.a[0], edge.b[1] - edge.a[1]))
                array[direction, *self.index(edge.a)] = True
                array[(direction + 3) % 6, *self.index(edge.b)] = True
        return array

    @cached_property
    def step_gates(self) -> NDArray[np.bool_]:
        """Which steps the map leaves open: [direction, row, column] of the dot left.

        A step needs a dot that is not impassable and an edge without wall or window; levels are the rules' concern.
        """
        open_dots = self.present & ~self.impassable
        gates = ~self.edge_array("wall", "window") & self.present
        for direction, (across, down) in enumerate(DIRECTIONS):
            gates[direction] &= shifted(open_dots, down, across)
        gates.setflags(write=False)
        return gates

    def neighbours(self, place: Dot) -> list[Dot]:
        """Return the dots one open step away, counter-clockwise from east."""
        row, column = self.index(place)
        return [hex_lattice.step(place, direction) for direction in range(6) if self.step_gates[direction, row, column]]

    # -- areas ----------------------------------------------------------------------------------------------------

    def within(self, centre: Dot, radius: int) -> list[Dot]:
        """Return the dots of the map at most `radius` steps from `centre`, barriers disregarded, row by row."""
        q, r = self._dots()
        near = hex_lattice.distances(q - centre[0], r - centre[1]) <= radius
        return [(int(a), int(b)) for a, b in zip(q[near], r[near], strict=True)]

    def cone(self, apex: Dot, direction: float, half_angle: float = 30.0) -> list[Dot]:
        """Return the dots in the cone of a direction, with its borders, without its apex (DT-170), row by row."""
        q, r = self._dots()
        inside = hex_lattice.in_cone(q - apex[0], r - apex[1], direction, half_angle)
        return [(int(a), int(b)) for a, b in zip(q[inside], r[inside], strict=True)]


def _clash(one: Edge, other: Edge) -> bool:
    """Return whether two features of the same pair of dots exclude each other."""
    if one.kind in BARRIERS and other.kind in BARRIERS:
        if one.levels is None or other.levels is None:
            return True
        return max(one.levels[0], other.levels[0]) <= min(one.levels[1], other.levels[1])
    return one.kind not in BARRIERS and other.kind not in BARRIERS and one.levels == other.levels
