"""Generated tables of several levels with tolls on some of them: trees of several heights, and small enemies."""

import math
from fractions import Fraction

import numpy as np
from posed_movers import FORWARD, REVERSE, vehicle
from toll_tables import uphill_costs_more

from simulator.geometry.footprints import Oval, Rectangle, Round
from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import KnockDown, PoseLink, PricedGround, RunOver, TableLevel, TurnPrices

BASES = (Round(0.5), Rectangle(1.6, 0.8), Round(0.0), Oval(1.4, 0.9))
TURNS = (TurnPrices.of([(90, 1), (180, 2)], separation=1), TurnPrices.of([(60, 1), (180, 2)]), TurnPrices.flat(1))


def storeys(price, *, slanting=False, levels=3):
    """Links straight up and down between neighbouring levels, so dear each."""
    ways = [(low, low + 1) for low in range(levels - 1)]
    return tuple(
        PoseLink(f"from {begin} to {end}", begin, end, Fraction(price), slanting=slanting)
        for low, high in ways
        for begin, end in ((low, high), (high, low))
    )


def tower(seed, budget=6):
    """A mover among trees that reach up to the first, the second or the third of three levels."""
    dice = np.random.default_rng([seed, 41])
    heading = int(dice.integers(0, 360))
    ahead = math.radians(heading)
    spots = [(1.4 * math.cos(ahead), 1.4 * math.sin(ahead)), *dice.uniform(-3.5, 3.5, (4, 2)).round(2).tolist()]
    tolls = []
    for number, (x, y) in enumerate(spots):
        top = 1 + (seed + number) % 3
        thing = Round(0.2 if number % 2 or not BASES[seed % len(BASES)].reach else 0.0).at(x, y)
        rules = {level: uphill_costs_more((1, Fraction(1, 2), 1)[level]) for level in range(top)}
        tolls.append(KnockDown(thing, rules, by_links=bool(dice.uniform() < 0.7)))
    x, y = dice.uniform(-3, 3, 2).tolist()
    if np.hypot(x, y) > 1.6:
        tolls.append(RunOver(Round(0.4).at(x, y), Fraction(3), Fraction(seed % 2), levels=(seed % 2,)))
    hill = PricedGround([rectangle((2, 1), (5, 4))], lambda under, _: Fraction(2 if under else 1), slopes={0: 40.0})
    walls = [rectangle((0, 2.4), (3, 0.3), 20), rectangle((-2.5, -1), (0.3, 3), 20)]
    slanting = seed % 3 == 2
    links = storeys(Fraction(1, 2), slanting=slanting)
    if not slanting:
        links += (PoseLink("stairs", 0, 1, Fraction(1), ((1.5, 0.0), (2.5, 0.0))),)
    return vehicle(
        budget,
        base=BASES[seed % len(BASES)],
        modes=(FORWARD, REVERSE),
        turns=TURNS[seed % len(TURNS)],
        ground=hill,
        bars=walls,
        above=(TableLevel(PricedGround((), lambda *_: Fraction(1)), walls[:1]), TableLevel(hill)),
        links=links,
        tolls=tolls,
        heading=heading,
    )
