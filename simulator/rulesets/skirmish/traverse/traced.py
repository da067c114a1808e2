"""Lines along which traverses are looked for: where on them has been looked, and what was found there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from simulator.geometry.convex import IntArray
from simulator.geometry.pieces import FloatArray
from simulator.rulesets.skirmish.traverse.jumps import Jump

#: How far apart the places are from which a line of far sides is followed, in inches.
STEP = 0.1
#: Far sides so near to each other may belong together.
FINE = 0.006
#: So many pairs of a start and a place are looked at together.
AT_ONCE = 20_000

Name = tuple[object, ...]
Named = dict[Name, Jump]


class Tries(NamedTuple):
    """Traverses that may come down at places: where, across what, and for each the place, its start and its aim.

    They stand in order of places, and the most direct ones first.
    """

    places: FloatArray
    what: int
    place: IntArray
    starts: FloatArray
    aims: FloatArray


class Followed:
    """A line along which traverses are looked for: at shares of its length, by name."""

    def __init__(self, length: float) -> None:
        self.length = length
        self.seen: dict[float, Named] = {}
        #: Shares that are looked at besides: where something just comes within reach.
        self.touched: list[float] = []
        #: Neighbouring shares between which a far side was found half way, too: there is no break.
        self.unbroken: set[tuple[float, float]] = set()

    @property
    def first_shares(self) -> list[float]:
        """The shares at which it is looked first."""
        count = max(math.ceil(self.length / STEP), 1) + 1
        return [float(share) for share in np.linspace(0.0, 1.0, count)]

    def alike(self, some: Named, others: Named) -> bool:
        """Whether the same things are traversed, to far sides that lie together as their near sides do."""
        if some.keys() != others.keys():
            return False
        for over, jump in some.items():
            other = others[over]
            apart, begun = math.dist(jump.far, other.far), math.dist(jump.near, other.near)
            if apart > 4.0 * begun + FINE:
                return False
        return True

    def places_at(self, shares: Sequence[float]) -> FloatArray | None:  # noqa: ARG002
        """The places at shares, where it is asked who comes down there; None where it is asked who goes from there."""
        return None

    def tries_at(self, places: FloatArray) -> Tries | None:  # noqa: ARG002
        """The traverses that may come down at places, where these can be told."""
        return None
