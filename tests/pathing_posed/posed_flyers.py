"""Generated tables of three levels that a mover rises to and sinks from wherever it has room."""

from fractions import Fraction

import numpy as np
from posed_movers import FORWARD, REVERSE, flat_ground, vehicle

from simulator.geometry.footprints import Round
from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import PoseLink, PricedGround, TableLevel, TurnPrices

OPEN = PricedGround((), flat_ground)
LINKS = [
    PoseLink(f"{name} to {target}", origin, target, Fraction(1, 2))
    for name, origin, target in [("up", 0, 1), ("down", 1, 0), ("up", 1, 2), ("down", 2, 1)]
]


def blocks(dice, count):
    """Blocks that may overlap, none near the middle."""
    places = dice.uniform(-7, 7, (4 * count, 2))
    far = places[np.hypot(*places.T) > 3][:count]
    sizes = dice.uniform(1, 4, (len(far), 2))
    return [rectangle(place, size, float(dice.uniform(0, 90))) for place, size in zip(far, sizes, strict=True)]


def flyer(seed, base, *, others=0, **more):
    """A mover on the lowest of three levels, the more open the higher; on each it may not end on so many others."""
    dice = np.random.default_rng(seed)
    bars, *above = (blocks(dice, count) for count in (9, 5, 2))
    below, *stand = ([Round(0.7).at(*place) for place in dice.uniform(-5, 5, (others, 2))] for _ in range(3))
    levels = tuple(TableLevel(OPEN, bars=tuple(some), no_end=tuple(on)) for some, on in zip(above, stand, strict=True))
    more = {"turns": TurnPrices.flat(1), "bars": bars, "above": levels, "links": LINKS, "no_end": below, **more}
    return vehicle(6, base=base, modes=(FORWARD, REVERSE), **more)


def over_patches(seed):
    """A mover on the lowest of three levels, over patches of dear ground there and on the one above."""
    dice = np.random.default_rng([seed, 5])
    bars, *patches = (blocks(dice, count) for count in (5, 8, 6))

    def rate(under, _):
        return max((Fraction(2 + number % 3) for number in under), default=Fraction(1))

    low, middle = (PricedGround(some, rate) for some in patches)
    levels = (TableLevel(middle, bars=tuple(blocks(dice, 3))), TableLevel(OPEN, bars=tuple(blocks(dice, 2))))
    brackets = TurnPrices.of([(45, Fraction(1, 2)), (180, 2)], times_rate=bool(seed % 2))
    more = {"turns": brackets if seed % 3 else TurnPrices.flat(1), "ground": low, "bars": bars, "above": levels}
    return vehicle(6, base=Round(0.6), modes=(FORWARD, REVERSE), links=LINKS, **more)
