"""The square grid: squares (column, row), counted from 0 at the top left, rows growing down the page.

In the plane each square is 1 x 1, the board's lower left corner is (0, 0) and y grows up, as on every board.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simulator.errors import BoardError
from simulator.geometry.arrays import canonical_terrain, frozen_array, kind_numbers, shifted
from simulator.geometry.board import MAX_CELLS, Area, Bounds, Label, Lattice, TerrainArray, require_distinct
from simulator.geometry.diagonals import DiagonalCount, distances
from simulator.geometry.ground_words import Word, attribute_words, terrain_words
from simulator.geometry.rows import read_rows, split_drawing
from simulator.later import Later

if TYPE_CHECKING:
    import networkx as nx
    import shapely
    from shapely.geometry import Polygon
    from shapely.geometry.base import BaseGeometry
else:
    nx, shapely = Later("networkx"), Later("shapely")

Square = tuple[int, int]

#: The eight steps as (columns, rows), counter-clockwise from east: the heading of step i is 45 * i degrees.
STEPS: tuple[Square, ...] = ((1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1))
STEP_NAMES = ("E", "NE", "N", "NW", "W", "SW", "S", "SE")


class Corners(Enum):
    """Which diagonal steps past walls are open. The two squares beside the diagonal are its sides."""

    NO_CUT = "no_cut"  #: both sides must be open
    ONLY_BETWEEN_TWO = "only_between_two"  #: one open side is enough
    FREE = "free"  #: wall squares never matter; a wall line through the corner still does


@dataclass(frozen=True, slots=True)
class SquareKind:
    """The meaning of one glyph of a drawing."""

    terrain: str = "open"
    wall: bool = False
    impeded: bool = False
    level: int = 0


PLAIN_LEGEND: Mapping[str, SquareKind] = {
    ".": SquareKind(),
    "#": SquareKind(wall=True),
    ",": SquareKind(impeded=True),
}


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class SquareGrid(Lattice):
    """A rectangle of squares. Arrays are indexed [row, column] and are read-only.

    >>> board = SquareGrid.from_text('''
    ...     . . #
    ...     . . .
    ... ''')
    >>> board.neighbours((1, 1))
    [(1, 0), (0, 0), (0, 1), (2, 1)]
    """

    kind: ClassVar[str] = "squares"
    headings = tuple(range(0, 360, 45))

    name: str = ""
    terrain_kinds: tuple[str, ...]
    terrain: NDArray[np.uint8]
    walls: NDArray[np.bool_]  #: squares nobody can enter
    walls_east: NDArray[np.bool_]  #: walls on the edge between a square and its eastern neighbour
    walls_south: NDArray[np.bool_]  #: walls on the edge between a square and its southern neighbour
    impeded: NDArray[np.bool_]
    level: NDArray[np.int16]
    square_size: float = 1.0
    unit: str = "metre"
    areas: tuple[Area[Square], ...] = ()
    labels: tuple[Label, ...] = ()
    description: str = ""
    scenery: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        shape = np.shape(self.terrain)
        if len(shape) != 2 or 0 in shape:
            raise BoardError(f"expected rows and columns of squares, not the shape {shape}", "terrain")
        if shape[0] * shape[1] > MAX_CELLS:
            raise BoardError(f"{shape[0] * shape[1]} squares, at most {MAX_CELLS} are allowed", "terrain")
        if not (0 < self.square_size < 1e6):
            raise BoardError(f"expected a size above 0 and below a million, not {self.square_size}", "square_size")
        kinds, terrain = canonical_terrain(self.terrain_kinds, np.asarray(self.terrain))
        put = object.__setattr__
        put(self, "terrain_kinds", kinds)
        put(self, "terrain", terrain)
        for field in ("walls", "walls_east", "walls_south", "impeded"):
            put(self, field, frozen_array(getattr(self, field), np.bool_, shape, field))
        put(self, "level", frozen_array(self.level, np.int16, shape, "level"))
        for field, rim in (("walls_east", self.walls_east[:, -1]), ("walls_south", self.walls_south[-1])):
            if rim.any():
                raise BoardError("has a wall beyond the rim: the edge needs a square on both sides", field)
        for number, area in enumerate(self.areas):
            area.check(self, f"areas[{number}]")
        require_distinct([area.name for area in self.areas], "areas", "name")

    # -- building -------------------------------------------------------------------------------------------------

    @classmethod
    def from_kinds(cls, kinds: tuple[SquareKind, ...], codes: ArrayLike, **fields: Any) -> SquareGrid:
        """Build a board from one kind of square for each cell; `fields` add or override whole arrays."""
        codes = kind_numbers(codes, kinds)
        nothing = np.zeros(codes.shape, np.bool_)
        looked_up: dict[str, Any] = {
            "terrain_kinds": tuple(kind.terrain for kind in kinds),
            "terrain": codes,
            "walls": np.array([kind.wall for kind in kinds])[codes],
            "walls_east": nothing,
            "walls_south": nothing,
            "impeded": np.array([kind.impeded for kind in kinds])[codes],
            "level": np.array([kind.level for kind in kinds])[codes],
        }
        return cls(**(looked_up | fields))

    @classmethod
    def from_text(cls, drawing: str, legend: Mapping[str, SquareKind] = PLAIN_LEGEND, **fields: Any) -> SquareGrid:
        """Build a board from a drawing; the plain legend has `.` open, `#` wall and `,` impeded."""
        return cls.from_kinds(*read_rows(split_drawing(drawing), legend), **fields)

    @classmethod
    def open(cls, width: int, height: int, **fields: Any) -> SquareGrid:
        """Build an empty board."""
        return cls.from_kinds((SquareKind(),), np.zeros((height, width), np.intp), **fields)

    # -- the interface of boards ----------------------------------------------------------------------------------

    @property
    def width(self) -> int:
        """Number of columns."""
        return int(self.terrain.shape[1])

    @property
    def height(self) -> int:
        """Number of rows."""
        return int(self.terrain.shape[0])

    @property
    def scale(self) -> tuple[float, str]:
        """The length of the side of a square."""
        return self.square_size, self.unit

    @property
    def bounds(self) -> Bounds:
        """The box from (0, 0) to (columns, rows)."""
        return Bounds(0.0, 0.0, float(self.width), float(self.height))

    def __contains__(self, place: object) -> bool:
        match place:
            case (int(column), int(row)):
                return 0 <= column < self.width and 0 <= row < self.height
            case _:
                return False

    def no_such_place(self, place: object) -> str:
        """Return a message: a place is not on the board, and which places are."""
        return f"no square {place!r} on this board: columns 0..{self.width - 1}, rows 0..{self.height - 1}"

    def places(self) -> Iterator[Square]:
        """Yield all squares, row by row."""
        return ((column, row) for row in range(self.height) for column in range(self.width))

    def square_at(self, x: float, y: float) -> Square:
        """Return the square around a point of the plane; the right and lower one on a border."""
        place = (int(np.floor(x)), self.height - 1 - int(np.ceil(y) - 1))
        self.index(place)
        return place

    def centre(self, place: Square) -> tuple[float, float]:
        """Return the middle of a square."""
        row, column = self.index(place)
        return column + 0.5, self.height - row - 0.5

    def outline(self, place: Square) -> Polygon:
        """Return the square itself, in the plane."""
        row, column = self.index(place)
        top = self.height - row
        return shapely.box(column, top - 1, column + 1, top)

    def region_of(self, mask: NDArray[np.bool_]) -> BaseGeometry:
        """Return the ground that the squares of a mask cover together."""
        rows, left = np.nonzero(mask)
        top = self.height - rows
        return shapely.coverage_union_all(shapely.box(left, top - 1, left + 1, top))

    @property
    def terrain_array(self) -> TerrainArray:
        """Terrain codes [row, column]."""
        return TerrainArray(self.terrain_kinds, self.terrain.astype(np.int16))

    @cached_property
    def graph(self) -> nx.Graph[Square]:
        """Squares without walls, joined where a step is open (corners not cut); `diagonal` marks the edges."""
        graph: nx.Graph[Square] = nx.Graph(kind=self.kind)
        names = np.array(self.terrain_kinds, object)[self.terrain]
        for row, column in np.argwhere(~self.walls).tolist():
            graph.add_node((column, row), terrain=names[row, column], level=int(self.level[row, column]))
        gates = self.step_gates(Corners.NO_CUT) & ~self.walls
        for step in (0, 5, 6, 7):  # east, south-west, south, south-east: each pair once
            across, down = STEPS[step]
            graph.add_edges_from(
                (((column, row), (column + across, row + down)) for row, column in np.argwhere(gates[step]).tolist()),
                diagonal=step % 2 == 1,
            )
        return graph

    def words(self) -> list[Word]:
        """Return its terrain, and those of wall, impeded, level, edges and areas that it uses."""
        return [
            *terrain_words(*self.terrain_array),
            *attribute_words("wall", self.walls),
            *attribute_words("impeded", self.impeded),
            *attribute_words("level", self.level),
            *attribute_words("edges", np.array([self.walls_east.any(), self.walls_south.any()])),
            *attribute_words("areas", np.array([bool(self.areas)])),
        ]

    def content(self) -> dict[str, Any]:
        """Return the content of the board."""
        return {
            **self.content_of_any(),
            "areas": [area.content() for area in self.areas],
            "terrain_kinds": list(self.terrain_kinds),
            "terrain": self.terrain,
            "walls": self.walls,
            "walls_east": self.walls_east,
            "walls_south": self.walls_south,
            "impeded": self.impeded,
            "level": self.level,
        }

    # -- steps ----------------------------------------------------------------------------------------------------

    def step_gates(self, corners: Corners = Corners.NO_CUT) -> NDArray[np.bool_]:
        """Return a mask of the steps open between walls: [step, row, column] of the square left, steps as in STEPS.

        A wall square cannot be entered; steps out of one are open as if it were empty.
        """
        if corners not in self._gates:
            self._gates[corners] = _step_gates(self, corners)
        return self._gates[corners]

    @cached_property
    def _gates(self) -> dict[Corners, NDArray[np.bool_]]:
        return {}

    def neighbours(self, place: Square, *, diagonals: bool = True, corners: Corners = Corners.NO_CUT) -> list[Square]:
        """Return the squares one open step away, counter-clockwise from north."""
        row, column = self.index(place)
        gates = self.step_gates(corners)[:, row, column]
        order = (2, 3, 4, 5, 6, 7, 0, 1) if diagonals else (2, 4, 6, 0)
        return [(column + STEPS[step][0], row + STEPS[step][1]) for step in order if gates[step]]

    # -- areas and lines ------------------------------------------------------------------------------------------

    def within(self, centre: Square, radius: float, count: DiagonalCount = DiagonalCount.ONE) -> list[Square]:
        """Return the squares of the board at most `radius` from `centre`, walls disregarded, row by row."""
        row, column = self.index(centre)
        across = np.arange(self.width) - column
        down = np.arange(self.height) - row
        near = distances(across[None, :], down[:, None], count) <= radius
        return [(column, row) for row, column in np.argwhere(near).tolist()]

    def rectangle(self, corner: Square, opposite: Square) -> list[Square]:
        """Return the squares between two corners, both included, row by row."""
        (top, left), (bottom, right) = self.index(corner), self.index(opposite)
        columns = range(min(left, right), max(left, right) + 1)
        return [(c, r) for r in range(min(top, bottom), max(top, bottom) + 1) for c in columns]


def line(a: Square, b: Square, *, corners: bool = True) -> list[Square]:
    """Return every square that the straight line between two centres touches, from `a` to `b` (the supercover).

    With `corners=False`, squares that it touches in a single corner are left out. Exact: integers only.

    >>> line((0, 0), (2, 1))
    [(0, 0), (1, 0), (1, 1), (2, 1)]
    >>> line((0, 0), (1, 1)), line((0, 0), (1, 1), corners=False)
    ([(0, 0), (0, 1), (1, 0), (1, 1)], [(0, 0), (1, 1)])
    """
    across, down = abs(b[0] - a[0]), abs(b[1] - a[1])
    right, below = (1 if b[0] >= a[0] else -1), (1 if b[1] >= a[1] else -1)
    if across == 0:
        return [(a[0], a[1] + below * j) for j in range(down + 1)]
    touched = []
    slack = 0 if corners else 1  # a corner is touched where the division below has no remainder
    for i in range(across + 1):
        # Within column i the line rises from down * (2i - 1) to down * (2i + 1), in units of 1 / (2 * across).
        lowest = -((across - max(down * (2 * i - 1), 0) - slack) // (2 * across))
        highest = (min(down * (2 * i + 1), 2 * down * across) + across - slack) // (2 * across)
        touched += [(a[0] + right * i, a[1] + below * j) for j in range(lowest, highest + 1)]
    return touched


def _step_gates(board: SquareGrid, corners: Corners) -> NDArray[np.bool_]:
    free = ~board.walls
    unwalled = [_unwalled(board, side) for side in (0, 2, 4, 6)]  # east, north, west, south
    straight = [unwalled[i] & _look(free, STEPS[2 * i]) for i in range(4)]
    gates = np.empty((8, *free.shape), np.bool_)
    for quarter in range(4):
        gates[2 * quarter] = straight[quarter]
        first, second = quarter, (quarter + 1) % 4  # the two straight directions beside the diagonal
        diagonal = STEPS[2 * quarter + 1]
        ways = [
            unwalled[one] & _look(unwalled[other], STEPS[2 * one]) for one, other in ((first, second), (second, first))
        ]
        sides = [_look(free, STEPS[2 * one]) for one in (first, second)]
        if corners is Corners.NO_CUT:
            passable = ways[0] & ways[1] & sides[0] & sides[1]
        elif corners is Corners.ONLY_BETWEEN_TWO:
            passable = (ways[0] & sides[0]) | (ways[1] & sides[1])
        else:
            passable = ways[0] | ways[1]
        gates[2 * quarter + 1] = passable & _look(free, diagonal)
    gates.setflags(write=False)
    return gates


def _unwalled(board: SquareGrid, step: int) -> NDArray[np.bool_]:
    """Return a mask of the squares with an edge without a wall in the direction of a straight step."""
    walls = board.walls_east if step in (0, 4) else board.walls_south
    on_board = _look(np.ones(walls.shape, np.bool_), STEPS[step])
    if step in (0, 6):
        return on_board & ~walls
    return on_board & ~_look(walls, STEPS[step])


def _look(array: NDArray[np.bool_], step: Square) -> NDArray[np.bool_]:
    """Return for every square the value one step away; False off the board."""
    return shifted(array, step[1], step[0])
