"""A link: a way between two places that is not a line of movement."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from simulator.geometry.pieces import XY

#: Places this near to each other are one, in inches: the grid of coordinates.
CLOSE = 1e-6


class Link(NamedTuple):
    """A climb, a jump, a traverse, a door: from where it begins to where it leads.

    An order identifies it by `over`, and by `towards` if that is ambiguous. Places are those of the base's centre;
    their levels are determined by the grounds that the link joins.

    >>> door = Link((0, 0), ("door",), (0, 0), (3, 0), price=2.0)
    >>> door.far, door.chance
    ((3, 0), Fraction(1, 1))
    """

    start: XY  #: where it is begun
    over: tuple[str, ...]  #: what it leads over or through, by the ids of things
    near: XY  #: where it first touches that, and where a mover that fails stays
    far: XY  #: where it leads
    chance: Fraction = Fraction(1)  #: of the roll for it
    towards: XY | None = None  #: the point that it is aimed at, if an order has to name it
    price: float = 0.0  #: what it costs, in the unit of the search; in the rulebook's own hands where it is in AP
