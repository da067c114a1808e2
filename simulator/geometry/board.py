"""The interface of boards of every kind.

A board is a frozen value. Its plane has x to the right and y up, so headings are the same on all boards.
"""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simulator import pictures
from simulator.errors import BoardError, NoPlace
from simulator.geometry.arrays import array_text, rows_of_two
from simulator.geometry.ground_words import Word

if TYPE_CHECKING:
    import networkx as nx
    from shapely.geometry import Polygon
    from shapely.geometry.base import BaseGeometry

Place = TypeVar("Place", bound=tuple[Any, ...])
#: The most cells that a lattice, or a lattice over a table, may have.
MAX_CELLS = 4_000_000
#: A column or row that is on no board.
_FAR_OFF = 2**40
#: The most pieces that a table may have.
MAX_PIECES = 5_000
#: The keys without effect on play: two boards that differ only in these have the same content hash.
COSMETIC = ("name", "description", "labels", "layout", "scenery")


class Bounds(NamedTuple):
    """The box around a board in its plane."""

    min_x: float
    min_y: float
    max_x: float
    max_y: float

    @property
    def width(self) -> float:
        """The size of the board along x."""
        return self.max_x - self.min_x

    @property
    def height(self) -> float:
        """The size of the board along y."""
        return self.max_y - self.min_y


class TerrainArray(NamedTuple):
    """Terrain as integers: `kinds[codes[i]]` is the kind in cell i; -1 marks a cell that is not on the board."""

    kinds: tuple[str, ...]
    codes: NDArray[np.int16]


@dataclass(frozen=True, slots=True)
class Label:
    """A word written on the picture, in plane coordinates, ignored by the rules."""

    x: float
    y: float
    text: str


@dataclass(frozen=True, slots=True)
class Area(Generic[Place]):
    """Places of a lattice under one name: a deployment zone, an entry edge, an objective."""

    name: str
    places: tuple[Place, ...]
    side: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "places", tuple(sorted(set(self.places))))

    def check(self, board: Board[Place], path: str) -> None:
        """Refuse an area without a name or with places off the board."""
        if not self.name:
            raise BoardError("expected a name", path)
        for place in self.places:
            if place not in board:
                raise BoardError(f"{place!r} is not on the board", path)

    def content(self) -> list[Any]:
        """Return the area as plain values."""
        return [self.name, self.side, [list(place) for place in self.places]]


def require_distinct(names: Sequence[str], path: str, what: str) -> None:
    """Raise BoardError for a name that occurs twice in a list of the board; `what` is the key that holds it."""
    first: dict[str, int] = {}
    for k, name in enumerate(names):
        if name in first:
            raise BoardError(f"{name!r} is already used by {path}[{first[name]}]", f"{path}[{k}].{what}")
        first[name] = k


class Board(ABC, Generic[Place]):
    """A board of any kind; `Lattice` adds what those with cells share.

    `Place` is (column, row) on squares, (q, r) on dots, (x, y) on tables.
    """

    kind: ClassVar[str]
    #: The headings that there are on a board of this kind, in degrees; empty where any will do.
    headings: ClassVar[tuple[int, ...]] = ()
    name: str
    description: str
    labels: tuple[Label, ...]
    scenery: tuple[str, ...]  #: words for the picture only, which no rulebook has to read

    @property
    @abstractmethod
    def scale(self) -> tuple[float, str]:
        """The length of one step of the lattice, or one unit of a table: (1, "inch"), (2, "metre")."""

    @property
    @abstractmethod
    def bounds(self) -> Bounds:
        """The box around the board in its plane."""

    @abstractmethod
    def __contains__(self, place: object) -> bool:
        """Return whether `place` is on the board."""

    def own_place(self, place: Any) -> Any:
        """Return a place in the board's own numbers, and anything else unchanged."""
        return place

    @abstractmethod
    def no_such_place(self, place: object) -> str:
        """Return a message: a place is not on the board, and which places are."""

    @abstractmethod
    def places(self) -> Iterator[Place]:
        """Yield all places, in reading order; on a table, the cells of its display lattice."""

    @abstractmethod
    def terrain_at(self, place: Place) -> str:
        """Return the kind of terrain at a place."""

    @abstractmethod
    def height_at(self, place: Place) -> float:
        """Return the height of the surface at a place: levels on lattices, inches on tables."""

    @abstractmethod
    def centre(self, place: Place) -> tuple[float, float]:
        """Return the centre of a place in the plane."""

    @abstractmethod
    def outline(self, place: Place) -> Polygon:
        """Return the ground of a place, in the plane."""

    @abstractmethod
    def region(self, places: Any) -> BaseGeometry:
        """Return the ground that several places cover together: one area, inner borders dissolved."""

    @property
    @abstractmethod
    def terrain_array(self) -> TerrainArray:
        """The terrain of every cell as integers, ready for the pathfinder."""

    @property
    @abstractmethod
    def graph(self) -> nx.Graph[Any] | nx.DiGraph[Any]:
        """The neighbouring places, as a networkx graph with the terrain on its nodes. Built once, on demand."""

    @abstractmethod
    def words(self) -> list[Word]:
        """Return the words of the board about its ground, whether or not a rulebook reads them."""

    @abstractmethod
    def content(self) -> dict[str, Any]:
        """Return the content of the board as plain values in a canonical order: numbers, strings, lists, arrays."""

    def content_of_any(self) -> dict[str, Any]:
        """Return the part of `content` that boards of every kind share."""
        return {
            "name": self.name,
            "description": self.description,
            "labels": [[label.x, label.y, label.text] for label in self.labels],
            "scale": [float(self.scale[0]), self.scale[1]],
            "scenery": list(self.scenery),
        }

    @cached_property
    def content_hash(self) -> str:
        """A fingerprint of everything that affects play, without names and labels; the same on every machine.

        Sixteen hexadecimal digits of SHA-256 over the canonical content.
        """
        digest = hashlib.sha256(self.kind.encode())
        for key, value in sorted(self.content().items()):
            if key in COSMETIC:
                continue
            digest.update(b"\0" + key.encode() + b"\0")
            if isinstance(value, np.ndarray):
                digest.update(f"{value.dtype.newbyteorder('<').str}{value.shape}".encode())
                digest.update(np.ascontiguousarray(value, dtype=value.dtype.newbyteorder("<")).tobytes())
            else:
                digest.update(json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False).encode())
        return digest.hexdigest()[:16]

    @cached_property
    def _cosmetics(self) -> tuple[Any, ...]:
        """The content left out of the fingerprint, cached because caches compare boards at each look-up."""
        content = self.content()
        return tuple(content.get(key) for key in COSMETIC)

    def __eq__(self, other: object) -> bool:
        """Return whether all content is equal, names and labels included."""
        if type(other) is not type(self):
            return NotImplemented
        if self.content_hash != other.content_hash:
            return False
        return self is other or self._cosmetics == other._cosmetics

    def __hash__(self) -> int:
        return hash(self.content_hash)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r} {self.content_hash}>"

    def _repr_svg_(self) -> str | None:
        return pictures.picture_of(self)


def _is_whole(number: Any) -> bool:
    return isinstance(number, int) or float(number).is_integer()


def as_lattice(board: object, what: str) -> Lattice:
    """Return a board of cells as one; raise BoardError for anything else, with `what` needs cells."""
    if isinstance(board, Lattice):
        return board
    found = board.kind if isinstance(board, Board) else board
    raise BoardError(f"{what} is for squares and dots (got {found!r})")


class Lattice(Board[tuple[int, int]]):
    """A board made of cells, with arrays indexed [row, column]."""

    terrain_kinds: tuple[str, ...]
    terrain: NDArray[np.uint8]  #: the index of the kind in each cell
    level: NDArray[np.int16]
    first: tuple[int, int] = (0, 0)  #: the place of the arrays' first cell

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the arrays."""
        rows, columns = self.terrain.shape
        return int(rows), int(columns)

    def own_place(self, place: Any) -> Any:
        """Return a pair of whole numbers of any type as two ints, and anything else unchanged."""
        match place:
            case (int() | float() | np.number() as first, int() | float() | np.number() as second):
                return (int(first), int(second)) if _is_whole(first) and _is_whole(second) else place
            case _:
                return place

    def index(self, place: tuple[int, int]) -> tuple[int, int]:
        """Return the index of a place in the arrays; raise NoPlace off the board."""
        if place not in self:
            raise NoPlace(self.no_such_place(place))
        return place[1] - self.first[1], place[0] - self.first[0]

    def cells(self, places: ArrayLike) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
        """For numpy: the rows and columns of many places (an array of pairs), and which of them are on the board.

        Places off the board have row and column 0; raise NoPlace for invalid values.
        """
        what = "places are pairs of whole numbers such as [[3, 4], [5, 6]]"
        pairs = rows_of_two(places, what)
        if pairs.dtype.kind == "f":
            if np.any(pairs != np.floor(pairs)):
                raise NoPlace(f"{what}; not {array_text(pairs)}")
            pairs = np.clip(pairs, -_FAR_OFF, _FAR_OFF)  # what no integer of numpy holds is off every board
        columns, rows = (pairs.astype(np.int64) - self.first).T
        here = (rows >= 0) & (rows < self.shape[0]) & (columns >= 0) & (columns < self.shape[1])
        rows, columns = np.where(here, rows, 0), np.where(here, columns, 0)
        return rows, columns, here & (self.terrain_array.codes[rows, columns] >= 0)

    def place_at(self, row: int, column: int) -> tuple[int, int]:
        """Return the place of an array cell: the inverse of `index`."""
        return column + self.first[0], row + self.first[1]

    def terrain_at(self, place: tuple[int, int]) -> str:
        """Return the kind of terrain at a place."""
        return self.terrain_kinds[int(self.terrain[self.index(place)])]

    def height_at(self, place: tuple[int, int]) -> float:
        """Return the level of the ground at a place."""
        return int(self.level[self.index(place)])

    @abstractmethod
    def neighbours(self, place: tuple[int, int]) -> list[tuple[int, int]]:
        """Return the places one open step away."""

    @abstractmethod
    def region_of(self, mask: NDArray[np.bool_]) -> BaseGeometry:
        """Return the ground that the cells of a mask cover together."""

    def region(self, places: Iterable[tuple[int, int]]) -> BaseGeometry:
        """Return the ground that several places cover together."""
        mask = np.zeros(self.shape, np.bool_)
        for place in places:
            mask[self.index(place)] = True
        return self.region_of(mask)
