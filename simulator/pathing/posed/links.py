"""Ways between the levels of a table, or between places far apart: lifts, stairs, ladders, doors.

A level is an altitude or a floor: what stands there, what its ground costs. A link leads from one to another at a
price, the heading kept; its name is the order it is followed by. One without places leads straight up or down from
wherever the mover is.

>>> PoseLink("rise 2 inches", 0, 1, Fraction(2)).end_from((3.0, 4.0))
(3.0, 4.0)
>>> PoseLink("take the stairs", 0, 1, Fraction(6), places=((3.0, 4.0), (5.0, 4.0))).end_from((3.0, 4.0))
(5.0, 4.0)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from simulator.geometry.angles import Degrees
from simulator.geometry.convex import BoolArray
from simulator.geometry.footprints import Base
from simulator.geometry.path_judge import first_lengths
from simulator.geometry.paths import Paths
from simulator.geometry.pieces import XY, FloatArray, Solid
from simulator.geometry.standing import Standing
from simulator.geometry.tolerances import TOLERANCE


@dataclass(frozen=True, slots=True)
class PoseLink:
    """A way from a level to another; both may be the same."""

    name: str
    origin: int
    target: int
    price: Fraction
    #: Where it begins and ends; None: anywhere, straight up or down.
    places: tuple[XY, XY] | None = None
    #: That it succeeds; see `records`.
    chance: Fraction = Fraction(1)
    #: What questions about ends tell moves apart by that follow it: "door", "jump".
    flags: frozenset[str] = frozenset()
    #: Whether the price is a height for which the legs since the last link were slanted: then the link costs by how
    #: much the slanted way is longer than those legs.
    slanting: bool = False
    #: How many inches of ground and altitude it covers, where those are limited; of a slanting one just those it costs.
    inches: Fraction = Fraction(0)
    #: How many inches of path it leads along, which part turns that are priced together.
    walked: Fraction = Fraction(0)
    #: What no part of the base may enter on the straight way from where it begins to where it ends, heading kept.
    bars: tuple[Solid, ...] = ()

    ends: ClassVar[bool] = False  #: the move may go on
    turn_after: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not 0 < self.chance <= 1:
            raise ValueError(f"the chance of a link is above 0 and at most 1, that of {self.name!r} is {self.chance}")
        if self.chance < 1 and self.places is None:
            raise ValueError(f"a link that may fail leads from one place to another: {self.name!r} leads from anywhere")
        if self.slanting and self.places is not None:
            raise ValueError(f"a slanting link leads straight up or down: {self.name!r} leads from place to place")
        if self.bars and self.places is None:
            raise ValueError(f"what bars a link stands between two places: {self.name!r} leads straight up or down")

    @property
    def far_ends(self) -> tuple[XY, ...]:
        """Corners of the part of the table that it may lead to from afar."""
        return self.places or ()

    def price_after(self, inches: Fraction) -> Fraction:
        """Return what it costs after so many inches of legs since the last link.

        >>> str(PoseLink("rise", 0, 1, Fraction(3), slanting=True).price_after(Fraction(4)))
        '1'
        """
        return Fraction(math.hypot(inches, self.price)) - inches if self.slanting else self.price

    def prices_after(self, inches: FloatArray) -> FloatArray:
        """Compute the same for many movers."""
        rise = float(self.price)
        return np.hypot(inches, rise) - inches if self.slanting else np.full(len(inches), rise)

    def length_after(self, inches: Fraction) -> Fraction:
        """Return how many inches it covers after so many of legs since the last link."""
        return self.price_after(inches) if self.slanting else self.inches

    def lengths_after(self, inches: FloatArray) -> FloatArray:
        """Compute the same for many movers."""
        return self.prices_after(inches) if self.slanting else np.full(len(inches), float(self.inches))

    def end_from(self, place: XY, heading: Degrees = 0.0, course: Degrees | None = None) -> XY:
        """Return where it ends for a mover that follows it from a place, whatever the course of the leg before."""
        del heading, course
        return place if self.places is None else self.places[1]

    def begins_at(self, place: XY, heading: Degrees = 0.0, course: Degrees | None = None) -> bool:
        """Whether a mover at a place can follow it."""
        del heading, course
        return self.places is None or math.dist(self.places[0], place) <= TOLERANCE

    def leads_freely(self, base: Base, headings: FloatArray) -> BoolArray:
        """Find the headings with which nothing bars the way of a base from one place to the other."""
        if self.places is None or not self.bars:
            return np.ones(len(headings), np.bool_)
        begin, end = (np.tile(np.array(place, np.float64), (len(headings), 1)) for place in self.places)
        ways = Paths.of_legs(begin, end, np.mod(headings, 360.0))
        return np.isinf(first_lengths(ways, base, Standing.of(self.bars)))
