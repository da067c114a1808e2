"""Ten movers on generated tables: what a `PoseSpace` can say about bases, ground, turns, modes and limits, in turn.

They differ in their bases (discs, ovals, rectangles, a point), in what ground counts (under the whole base, or under
the reference point), in how legs are priced (exactly, or by begun half inches), in how turns are (brackets that are
grouped with those an inch before, or on the same spot alone; begun steps, some with degrees that are free once; alike;
for nothing), and in what may be spent.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from benchmarks.crowded import HEIGHT, START, WIDTH, boxes
from simulator.geometry.footprints import Base, Oval, Rectangle, Round
from simulator.geometry.pieces import Solid, rectangle
from simulator.pathing.posed import ANY_GAIN, Mode, PoseSpace, PoseStart, PricedGround, TurnPrices, Uphill

FORWARD, REVERSE = Mode("forward"), Mode("reverse", 180, Fraction(2))
SIDEWAYS = (Mode("left", 90, Fraction(2)), Mode("right", 270, Fraction(2)))
#: Sideways for less than in reverse.
OBLIQUE = Mode("oblique", None, Fraction(2))
NIMBLE = (FORWARD, REVERSE, Mode("left", 90, Fraction(3, 2)), Mode("right", 270, Fraction(3, 2)))
HALF = Fraction(1, 2)
#: Things that bar the way keep so far from the start, more than any base reaches.
_CLEAR = 5.0
#: Pieces of a table: what bars, dear ground, bases of others.
_WALLS, _PATCHES, _BASES = 30, 40, 24


class Kind(NamedTuple):
    """What is special about a mover."""

    base: Base
    budget: int
    modes: tuple[Mode, ...]
    turns: TurnPrices
    grain: Fraction | None = None
    whole_base: bool = False  #: whether the ground under the whole base counts
    uphill: Uphill = ANY_GAIN
    more_than: Fraction | None = None
    most_travelled: Fraction | None = None
    passes_bases: bool = False  #: whether the bases of others bar ends alone


def _sixths(rate: int, separation: int) -> TurnPrices:
    """Brackets of 45 degrees at a sixth, a third, two thirds and five sixths of a rate."""
    prices = [Fraction(rate * share, 6) for share in (1, 2, 4, 5)]
    return TurnPrices.of([(45 * (place + 1), price) for place, price in enumerate(prices)], separation=separation)


def _steps(step: float, free: int = 0) -> TurnPrices:
    """Half an inch for each step of so many degrees that is begun, at the price of the ground."""
    return TurnPrices.in_steps(step, HALF, times_rate=True, free=free)


KINDS = {
    "disc": Kind(Round(0.63), 18, (FORWARD, REVERSE, *SIDEWAYS), _sixths(18, 1)),
    "tank": Kind(Rectangle(2.5, 1.5), 18, (FORWARD, REVERSE), _sixths(18, 1)),
    "oval": Kind(Oval(2.0, 1.0), 15, NIMBLE, _sixths(12, 0), whole_base=True),
    "point": Kind(Round(0.0), 20, (FORWARD,), _sixths(18, 0), uphill=Uphill(45)),
    "walker": Kind(Round(0.5), 8, (FORWARD, REVERSE, *SIDEWAYS), _steps(22.5, free=90), HALF, whole_base=True),
    "crab": Kind(Oval(1.6, 1.2), 8, NIMBLE, _steps(45, free=90), HALF, whole_base=True),
    "track": Kind(Rectangle(1.8, 1.2), 9, (FORWARD, REVERSE), _steps(22.5), HALF, passes_bases=True),
    "runner": Kind(Round(0.8), 14, (FORWARD, REVERSE), TurnPrices.flat(3), more_than=Fraction(6)),
    "scout": Kind(Round(0.4), 10, (FORWARD,), TurnPrices.flat(0), passes_bases=True),
    "gun": Kind(Rectangle(1.4, 1.0), 16, NIMBLE, _sixths(12, 1), HALF, most_travelled=Fraction(9)),
}


#: Movers that travel obliquely besides, at half rate or at the full one.
OBLIQUE_KINDS = {
    "skimmer": Kind(Round(0.63), 18, (FORWARD, REVERSE, *SIDEWAYS, OBLIQUE), _sixths(18, 1)),
    "hull": Kind(Rectangle(2.5, 1.5), 18, (FORWARD, REVERSE, *SIDEWAYS, OBLIQUE), _sixths(18, 1)),
    "alien": Kind(
        Round(0.5),
        9,
        (FORWARD, REVERSE, Mode("left", 90), Mode("right", 270), Mode("oblique", None)),
        TurnPrices.of([(180, Fraction(3, 2))], separation=1),
    ),
}


def mover(name: str, seed: int) -> PoseSpace:
    """A mover by name in the middle of the table of a seed."""
    kind, dice = {**KINDS, **OBLIQUE_KINDS}[name], np.random.default_rng([seed, 11])
    bars: list[Solid] = [*boxes(dice, _WALLS, (1, 5), _CLEAR)]
    patches = boxes(dice, _PATCHES, (2, 7), 0.0)
    hill, road = rectangle((START[0] + 9, START[1]), (11, 13)), rectangle((START[0], START[1] + 1), (60, 1.2), 8.0)
    spots = dice.uniform((2, 2), (WIDTH - 2, HEIGHT - 2), (4 * _BASES, 2)).tolist()
    spots = [spot for spot in spots if np.hypot(spot[0] - START[0], spot[1] - START[1]) > _CLEAR / 2][:_BASES]
    heading = Fraction(int(dice.integers(0, 360)))
    bases = [Round(0.5).at(*spot) for spot in spots]
    return PoseSpace(
        kind.base,
        (PoseStart(START, heading),),
        Fraction(kind.budget),
        _ground([*patches, road, hill], kind),
        kind.modes,
        kind.turns,
        bars=bars if kind.passes_bases else [*bars, *bases],
        no_end=bases if kind.passes_bases else (),
        box=(0, 0, WIDTH, HEIGHT),
        more_than=kind.more_than,
        most_travelled=kind.most_travelled,
    )


def _ground(areas: list[Solid], kind: Kind) -> PricedGround:
    """Patches that cost twice as much, a road at half the price, and a hill that costs twice as much upward."""
    road, hill = len(areas) - 2, len(areas) - 1

    def rate(under: frozenset[int], climbed: frozenset[int]) -> Fraction:
        times = 2 if climbed else 1
        return HALF * times if road in under else Fraction(2 if under - {hill} else 1) * times

    base = kind.base if kind.whole_base else None
    return PricedGround(areas, rate, slopes={hill: 30.0}, uphill=kind.uphill, base=base, grain=kind.grain, least=HALF)
