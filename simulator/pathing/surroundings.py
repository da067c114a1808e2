"""The obstacles around a round mover, shared by judge and planner: what bars its way, and where it fits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from simulator.geometry.footprints import Round
from simulator.geometry.path_judge import Standing, first_beyond, first_contacts
from simulator.geometry.paths import PathPiece, Paths
from simulator.geometry.piece_groups import PieceGroup
from simulator.geometry.pieces import FloatArray
from simulator.geometry.standing_room import Box, StandingRoom
from simulator.pathing.free import PreparedTable, prepare
from simulator.pathing.free.solids import obstacles_of


class Met(NamedTuple):
    """An obstacle on a path: the number of the path, the inches up to it, and the number of a piece or a base."""

    path: int
    inches: float
    what: Literal["piece", "base", "edge"]
    number: int


@dataclass(frozen=True, eq=False)
class Surroundings:
    """The pieces and bases (rows x, y, radius) that bar a base of a radius, on a table with bounds.

    The rulebook decides which these are: it passes the pieces of the kinds that bar this mover, and the bases.

    >>> from simulator.geometry.piece_groups import pieces_of_kinds
    >>> from simulator.geometry.paths import Straight
    >>> from simulator.geometry.pieces import LineShape, Piece
    >>> from simulator.geometry.table import InchTable
    >>> yard = InchTable("Yard", 20, 10, pieces=[Piece("wall", "wall", LineShape([(5, 0), (5, 9)]))])
    >>> around = Surroundings(0.5, yard.bounds, pieces_of_kinds(yard, ["wall"]), np.array([[2.0, 8.0, 1.0]]))
    >>> paths = [[Straight((1, 1), (6, 1))], [Straight((2, 3), (2, 7))], [Straight((2, 3), (2, 6.5))]]
    >>> [(one.path, one.inches, one.what) for one in around.met(paths)]
    [(0, 3.5, 'piece'), (1, 3.5, 'base')]
    >>> around.room.free([(4.5, 1), (4.6, 1)]).tolist()
    [True, False]
    """

    radius: float
    bounds: Box
    pieces: PieceGroup
    bases: FloatArray

    @cached_property
    def room(self) -> StandingRoom:
        """Where the base fits."""
        return StandingRoom(self.radius, self.bounds, self.pieces.polygons, self.pieces.tree, self.bases)

    @cached_property
    def ground(self) -> PreparedTable:
        """The obstacles of the base, for the planner."""
        obstacles = obstacles_of([piece.shape for piece in self.pieces], self.bounds)
        return prepare(obstacles, self.radius).with_discs(self.bases)

    @cached_property
    def _standing(self) -> Standing:
        bases = [Round(radius).at(x, y) for x, y, radius in self.bases.tolist()]
        return Standing.of([*(piece.shape for piece in self.pieces), *bases])

    def met(self, paths: Iterable[Sequence[PathPiece]]) -> Iterator[Met]:
        """Yield the first obstacle that each of many paths enters, and where it first leaves the table, in order."""
        every = Paths.of_pieces(list(paths))
        found, off = first_contacts(every, Round(self.radius), self._standing), first_beyond(every, self.room.box)
        rows = zip(found.inches.tolist(), found.which.tolist(), off.tolist(), strict=True)
        for path, (inches, which, beyond) in enumerate(rows):
            if which >= len(self.pieces):
                yield Met(path, inches, "base", which - len(self.pieces))
            elif which >= 0:
                yield Met(path, inches, "piece", which)
            if np.isfinite(beyond):
                yield Met(path, beyond, "edge", 0)
