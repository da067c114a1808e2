"""Links straight across things: climbs and traverses whose conditions are a reach, a depth and a price."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from shapely.geometry.base import BaseGeometry

from simulator.geometry.convex import BoolArray
from simulator.geometry.outline_rows import rows_along
from simulator.geometry.piece_groups import PieceGroup
from simulator.geometry.pieces import XY
from simulator.geometry.rays import Across, across, all_across
from simulator.geometry.standing_room import StandingRoom
from simulator.geometry.tolerances import TOLERANCE
from simulator.pathing.links.curves import STEP, Costs, LinkCurve, RowCurve, Stands, Tries
from simulator.pathing.links.follow import link_curves
from simulator.pathing.links.link import Link


@dataclass(frozen=True, eq=False)
class StraightAcross:
    """A finder of links through the nearest point of a piece, to where the base touches its other side and fits.

    They begin with the base's edge `within` inches of the piece, and lead over `deepest` inches of it at most. From
    places with two equally near points of a piece no link leads: an order could not distinguish them.

    >>> from simulator.geometry.piece_groups import pieces_of_kinds
    >>> from simulator.geometry.pieces import LineShape, Piece
    >>> from simulator.geometry.table import InchTable
    >>> yard = InchTable("Yard", 20, 10, pieces=[Piece("wall", "wall", LineShape([(5, 0), (5, 9)]))])
    >>> walls = pieces_of_kinds(yard, ["wall"])
    >>> room = StandingRoom(0.5, yard.bounds, walls.polygons, walls.tree, np.zeros((0, 3)))
    >>> climbs = StraightAcross(walls, room, within=1.0, price=2.0)
    >>> [[(link.near, link.far) for link in links] for links in climbs.from_places([(3.6, 4.0), (3.0, 4.0)])]
    [[((4.5, 4.0), (5.5, 4.0))], []]
    """

    pieces: PieceGroup
    room: StandingRoom
    within: float = 0.0
    deepest: float = math.inf
    price: float = 0.0
    chance: Fraction = Fraction(1)

    def from_places(self, places: Sequence[XY]) -> list[list[Link]]:
        """Return the links from each of many places."""
        found: list[list[Link]] = [[] for _ in places]
        rows = np.asarray(places, np.float64).reshape(-1, 2)
        place, thing, ways = all_across(self.pieces.standing, rows, self.room.radius, self.within)
        _, pair, count = np.unique(place * len(self.pieces) + thing, return_inverse=True, return_counts=True)
        for row in np.flatnonzero(self._are_legal(ways) & (count[pair.ravel()] == 1)).tolist():
            found[place[row]].append(self._link(places[place[row]], int(thing[row]), ways, row))
        return found

    def try_out(self, tries: Tries, error: float) -> Iterator[tuple[int, Link]]:
        """Yield for places of some tries the first of them that is legal and comes down there, within an error."""
        ways = across(self.pieces.standing, tries.what, tries.starts, tries.aims, self.room.radius)
        there = np.hypot(*(ways.far - tries.places[tries.place]).T) <= error
        near = ways.reach <= self.room.radius + self.within + TOLERANCE
        rows = np.flatnonzero(there & near & self._are_legal(ways) & ~ways.is_hidden)
        numbers, first = np.unique(tries.place[rows], return_index=True)
        for number, row in zip(numbers.tolist(), rows[first].tolist(), strict=True):
            x, y = tries.starts[row].tolist()
            yield number, self._link((x, y), int(tries.what[row]), ways, row)

    def curves(
        self, stands: Stands, ground: BaseGeometry, step: float = STEP, costs: Costs | None = None
    ) -> list[LinkCurve]:
        """Return the curves of all links from where a mover stands, about some ground; see `RowCurve` for the rest."""
        radius = self.room.radius
        rows = [row for piece in self.pieces for row in rows_along(piece.shape.polygon, radius, radius + self.within)]
        return link_curves(self, [RowCurve(row, stands, ground, step, costs) for row in rows])

    def _are_legal(self, ways: Across) -> BoolArray:
        return np.asarray((ways.depth <= self.deepest + TOLERANCE) & self.room.free(ways.far))

    def _link(self, start: XY, thing: int, ways: Across, row: int) -> Link:
        (x1, y1), (x2, y2) = ways.foot[row].tolist(), ways.far[row].tolist()
        return Link(start, (self.pieces[thing].id,), (x1, y1), (x2, y2), self.chance, None, self.price)
