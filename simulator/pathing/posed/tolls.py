"""Things that give way to a mover for a price: trees that it knocks down, enemies that it overruns.

A `KnockDown` is paid for once, where the base first overlaps it on a leg or a turn, and is gone from then on. What it
costs is a rule on the ground at its middle and on the slopes that the leg leads up, as for `PricedGround`; a turn leads
up none. What stands under a base at the start of a move is paid for with the first leg.

A `RunOver` is passed by the reference point: each stretch of its way over the thing costs so many times what the ground
and the mode of travel make it cost. From the first overlap on the mover is bound to cross it: until the reference point
has left it on the far side the move cannot end, and the base may not lose touch with it. Leaving on the far side means
straight through, or after turns over the thing in a leg that leads back by no more than a right angle from the leg
before. A base that only grazes it is barred. If it has a least price, the legs over it, with what they cost in all, and
the turns that are made strictly inside it count toward that, and what is left of it is paid where the reference point
leaves it.

One that `stays` is still there afterwards: for as long as the base that has crossed it still overlaps it the mover is
rid of it, then, or where the reference point leads back over it, it is met anew. The judge prices every crossing;
searches cross it once.

A toll stands on the first level of a table, or on others that it names: a tree reaches up to several altitudes. Once it
is gone, it is gone on all of them. Where a link ends, those that are not gone bar the way, but for things that are
knocked down `by_links` as well: those are paid for there, without a slope. What stands under the base from the start is
still there where a link leads straight up or down to another level on which it stands. Prices of tolls are added to
those of legs as they are, whatever the grain, and count as travelled.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple, TypeAlias

import numpy as np
import shapely

from simulator.geometry.convex import centre_of, is_curved
from simulator.geometry.pieces import XY, Solid
from simulator.geometry.tolerances import GRID
from simulator.pathing.posed.ground import RateOf

#: No space has more: each is a bit of a number.
MOST_TOLLS = 62


@dataclass(frozen=True, eq=False)
class KnockDown:
    """A thing that is paid for once, where the base first meets it. A thing without extent is met by bases with one."""

    thing: Solid
    #: The price by the areas at its middle, and by those of them that the leg leads up; None: it bars the way. By level
    #: for one that stands on others than the first: areas are those of the level.
    price: RateOf | Mapping[int, RateOf]
    #: Whether it is knocked down where a link ends on it; if not, it bars the way there.
    by_links: bool = False

    @property
    def prices(self) -> Mapping[int, RateOf]:
        """The rules of its price by the levels that it stands on."""
        return {0: self.price} if callable(self.price) else self.price

    @property
    def levels(self) -> Collection[int]:
        """The levels that it stands on."""
        return self.prices.keys()


@dataclass(frozen=True, eq=False)
class RunOver:
    """A thing that the reference point has to cross, at so many times the price of the stretch over it."""

    thing: Solid
    factor: Fraction
    #: What has to be spent over it in all, legs and turns. A thing with a least price is convex.
    least: Fraction = Fraction(0)
    #: The levels that it stands on.
    levels: Collection[int] = (0,)
    #: Whether it is still there when it has been crossed.
    stays: bool = False

    def __post_init__(self) -> None:
        if self.factor < 1:
            raise ValueError(f"to run over a thing costs 1 or more times what the ground does, not {self.factor}")
        if self.least < 0:
            raise ValueError(f"the least price of a thing is 0 or more, not {self.least}")
        if self.stays and self.least:
            raise ValueError("what stays when it is run over has no least price")


Toll: TypeAlias = KnockDown | RunOver


def stays_when_crossed(toll: Toll) -> bool:
    """Whether a thing is still there when it has been crossed."""
    return isinstance(toll, RunOver) and toll.stays


class TollsSoFar(NamedTuple):
    """What a move has made of tolls by some moment, for moves that go on from there; tolls go by their numbers."""

    gone: frozenset[int] = frozenset()
    #: Met and neither crossed nor paid for.
    touched: frozenset[int] = frozenset()
    #: The direction of the last leg, a step of length 1; 0, 0: there was none.
    ahead: XY = (0.0, 0.0)
    #: What has been spent over the thing with a least price that the reference point is on.
    spent_over: Fraction = Fraction(0)


NO_TOLLS_SO_FAR = TollsSoFar()


def middle_of(thing: Solid) -> XY:
    """Return the place of a thing at which ground counts."""
    x, y = centre_of(thing).tolist() if is_curved(thing) else thing.polygon.centroid.coords[0]
    return float(x), float(y)


def require_tolls(tolls: Sequence[Toll]) -> None:
    """Raise ValueError if there are too many, or if those with a least price are not convex and apart."""
    if len(tolls) > MOST_TOLLS:
        raise ValueError(f"a space has {MOST_TOLLS} tolls at most, not {len(tolls)}")
    with_least = [toll for toll in tolls if isinstance(toll, RunOver) and toll.least]
    outlines = np.array([toll.thing.polygon for toll in with_least], object)
    hollow = shapely.area(shapely.convex_hull(outlines)) - shapely.area(outlines) > GRID
    if np.any(hollow):
        raise ValueError(
            "things with a least price are convex: what has been spent over one is paid for on one stretch"
        )
    pairs = combinations(range(len(outlines)), 2)
    beside = [pair for pair in pairs if not set(with_least[pair[0]].levels).isdisjoint(with_least[pair[1]].levels)]
    one, other = np.array(beside, np.intp).reshape(-1, 2).T
    if np.any(shapely.area(shapely.intersection(outlines[one], outlines[other])) > GRID):
        raise ValueError("things with a least price do not overlap: what has been spent would count for both")


def require_levels(tolls: Iterable[Toll], levels: Collection[int]) -> None:
    """Raise ValueError unless each toll stands on some levels, all of them among these."""
    for number, toll in enumerate(tolls):
        if not toll.levels or not set(toll.levels) <= set(levels):
            stands = sorted(toll.levels)
            raise ValueError(f"toll {number} stands on one or more of the levels {sorted(levels)}, not on {stands}")


def leads_back(ahead: XY, before: XY) -> bool:
    """Whether a leg leads back by more than a right angle from the one before; directions are steps of length 1."""
    return bool(np.dot(ahead, before) < -BACKWARD)


#: Of a right angle and a little less the cosine.
BACKWARD = 1e-9
