"""Pieces of a table grouped by kinds, such as those that bar a mover or are rough for it.

A rulebook names kinds, perhaps different ones for each mover, and gets their pieces in the form that judge and planner
need: as edges, as outlines in a spatial index, as areas to cross. Groups are cached: the same kinds of the same table
are the same object.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, overload

import numpy as np
import shapely
from numpy.typing import NDArray

from simulator.byte_cache import kept
from simulator.geometry.pieces import MAX_VERTICES, CircleShape, FloatArray, Piece, PointShape, PolygonShape
from simulator.geometry.snapping import union
from simulator.geometry.standing import Standing
from simulator.geometry.table import InchTable
from simulator.geometry.tolerances import GRID


@dataclass(frozen=True, eq=False)
class PieceGroup(Sequence[Piece]):
    """The pieces of some kinds, in the order of the table, without points.

    A disc is converted to the polygon that the judge uses; the original circle is in `discs`.
    """

    pieces: tuple[Piece, ...]
    #: The circles of pieces drawn as discs, by their ids: x, y, radius.
    discs: dict[str, tuple[float, float, float]]

    @overload
    def __getitem__(self, at: int) -> Piece: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Piece]: ...
    def __getitem__(self, at: int | slice) -> Piece | Sequence[Piece]:
        return self.pieces[at]

    def __len__(self) -> int:
        return len(self.pieces)

    def __iter__(self) -> Iterator[Piece]:
        return iter(self.pieces)

    @property
    def byte_count(self) -> int:
        """The approximate memory of the pieces and of everything cached about them."""
        return sum(2_000 + 500 * len(piece.shape.edges) for piece in self.pieces)

    @cached_property
    def by_id(self) -> dict[str, Piece]:
        """The pieces by their ids."""
        return {piece.id: piece for piece in self.pieces}

    @cached_property
    def edges(self) -> FloatArray:
        """The edges of all pieces, rows x1, y1, x2, y2."""
        return np.concatenate([np.zeros((0, 4)), *[np.asarray(piece.shape.edges) for piece in self.pieces]])

    @cached_property
    def standing(self) -> Standing:
        """The pieces as flat arrays, in order."""
        return Standing.of([piece.shape for piece in self.pieces])

    @cached_property
    def polygons(self) -> NDArray[Any]:
        """The outlines of the pieces, in order."""
        return np.array([piece.shape.polygon for piece in self.pieces], object)

    @cached_property
    def tree(self) -> shapely.STRtree:
        """A spatial index of the outlines."""
        return shapely.STRtree(self.polygons)

    @cached_property
    def straight_sided(self) -> list[Piece]:
        """The pieces that were not drawn as discs."""
        return [piece for piece in self.pieces if piece.id not in self.discs]

    @cached_property
    def disc_rows(self) -> FloatArray:
        """The pieces that were drawn as discs, rows x, y, radius."""
        return np.array(list(self.discs.values()), np.float64).reshape(-1, 3)

    @cached_property
    def areas(self) -> list[PolygonShape]:
        """The pieces that cover ground, including lines with a width."""
        return [
            piece.shape if isinstance(piece.shape, PolygonShape) else _as_polygon(piece.shape.polygon)
            for piece in self.pieces
            if piece.shape.polygon.area
        ]

    @cached_property
    def joined(self) -> list[PolygonShape]:
        """The areas, those that touch along a line as one: no border is left between them.

        Areas that touch only at corners, or not at all, are those of the pieces.
        """
        found: list[PolygonShape] = []
        for group in _touching(np.array([area.polygon for area in self.areas], object)):
            parts = shapely.get_parts(union([self.areas[number].polygon for number in group]))
            is_less = len(parts) < len(group) and sum(map(_corners, parts)) <= MAX_VERTICES
            found += map(_as_polygon, parts) if is_less else [self.areas[number] for number in group]
        return found

    @cached_property
    def ground(self) -> Standing:
        """The joined areas as flat arrays, for many ways across them."""
        return Standing.of(self.joined)


def pieces_of_kinds(board: InchTable, kinds: Sequence[str]) -> PieceGroup:
    """Return the pieces of some kinds on a table.

    >>> from simulator.geometry.pieces import rectangle
    >>> shed = Piece("shed", "building", rectangle((4, 4), (2, 2)))
    >>> yard = InchTable("Yard", 20, 10, pieces=[shed, Piece("well", "water", CircleShape(9, 5, 1))])
    >>> [piece.id for piece in pieces_of_kinds(yard, ["building"])]
    ['shed']
    >>> pieces_of_kinds(yard, ["water"]).disc_rows.tolist()
    [[9.0, 5.0, 1.0]]
    """
    return _pieces_of_kinds(board, tuple(kinds))


@kept(64, lambda group: group.byte_count)
def _pieces_of_kinds(board: InchTable, kinds: tuple[str, ...]) -> PieceGroup:
    found = [piece for piece in board.pieces if piece.kind in kinds and not isinstance(piece.shape, PointShape)]
    round_ones = [(piece.id, piece.shape) for piece in found if isinstance(piece.shape, CircleShape)]
    discs = {name: (one.x, one.y, one.radius) for name, one in round_ones}
    return PieceGroup(tuple(map(_straight_sided, found)), discs)


def _touching(areas: NDArray[Any]) -> list[list[int]]:
    """Return the numbers of areas in groups of those that touch or overlap, directly or by way of others, in order."""
    one, other = shapely.STRtree(areas).query(areas, predicate="dwithin", distance=GRID)
    first = np.arange(len(areas))
    while len(one):
        least = first.copy()
        np.minimum.at(least, one, first[other])
        if np.array_equal(least, first):
            break
        first = least
    return [np.flatnonzero(first == number).tolist() for number in np.unique(first)]


def _corners(area: Any) -> int:
    return int(shapely.get_num_coordinates(area))


def _as_polygon(area: Any) -> PolygonShape:
    return PolygonShape(list(area.exterior.coords), [list(ring.coords) for ring in area.interiors])


def _straight_sided(piece: Piece) -> Piece:
    """Return a piece with a disc converted to a polygon of many corners."""
    return replace(piece, shape=_as_polygon(piece.shape.polygon)) if isinstance(piece.shape, CircleShape) else piece
