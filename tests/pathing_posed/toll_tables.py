"""Generated tables with tolls: trees to knock down and small enemies to run over, for movers of several kinds.

And what networkx and the judge say of the poses of a search there.
"""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from posed_tables import START, mover

from simulator.geometry.footprints import Rectangle, Round
from simulator.pathing.posed import KnockDown, RunOver
from simulator.pathing.posed.reference import leg_prices, reference_prices

#: Movers and tables that a search over poses with tolls is tried with.
MOVERS_WITH_TOLLS = (("disc", 0), ("tank", 1), ("oval", 1), ("walker", 1), ("track", 1))


def uphill_costs_more(price):
    """A tree costs so much, twice as much for each slope that the leg leads up."""

    def rule(under, climbed):
        del under
        return Fraction(price) * (2 if climbed else 1)

    return rule


def tolls(seed, trees, enemies, ahead):
    """Trees and enemies round the start, clear of it and of one another; the first tree stands straight ahead."""
    dice, spots = np.random.default_rng([seed, 77]), [np.array(START)]
    found = []
    while len(found) < trees + enemies:
        spot = START + (3.0 * ahead if not found else dice.uniform(-8.0, 8.0, 2))
        apart = np.hypot(*(np.array(spots) - spot).T)
        if apart[0] < 2.8 or apart.min() < 1.4:
            continue
        spots.append(spot)
        x, y = spot.tolist()
        if len(found) < trees:
            found.append(KnockDown(Round(float(dice.choice([0.0, 0.2]))).at(x, y), uphill_costs_more(1)))
        else:
            base = Round(0.5) if dice.uniform() < 0.5 else Rectangle(1.2, 0.8)
            least = Fraction(4) if len(found) % 2 else Fraction(0)
            found.append(RunOver(base.at(x, y, float(dice.uniform(0, 360))), Fraction(3), least))
    return found


def ahead_of(space):
    """The direction that the mover faces at its start, a step of length 1."""
    heading = math.radians(space.starts[0].heading)
    return np.array([math.cos(heading), math.sin(heading)])


def crowded_start(name, seed, share):
    """A mover with a part of its budget, and tolls close around it."""
    space = mover(name, seed)
    x, y = ahead_of(space)
    spots = [
        START + np.array([a * x - b * y, a * y + b * x]) for a, b in ((1.7, 0.3), (3.2, -0.2), (0.3, 1.8), (-1.7, 0))
    ]
    things = [Round(0.2).at(*spot.tolist()) for spot in spots]
    found = [
        RunOver(thing, Fraction(3), Fraction(2)) if number == 1 else KnockDown(thing, uphill_costs_more(1))
        for number, thing in enumerate(things)
    ]
    return replace(space, budget=space.budget * Fraction(share), tolls=found)


def toll_mover(name, seed, share="2/3", trees=6, enemies=4):
    """A mover on a generated table with tolls, which has a part of its budget."""
    space = mover(name, seed)
    return replace(space, budget=space.budget * Fraction(share), tolls=tolls(seed, trees, enemies, ahead_of(space)))


def barred_instead(space):
    """The same table with bars in the place of tolls."""
    return replace(space, bars=[*space.bars, *(toll.thing for toll in space.tolls)], tolls=())


def prices_by_networkx(space, states):
    """The least prices of poses by networkx and the judge, which is to price each leg, and to find none dearer."""
    after = np.flatnonzero(states.parent >= 0)
    found = states.price[states.parent[after]] + leg_prices(space, states)[after]
    assert found == pytest.approx(states.price[after], abs=1e-9)
    prices = reference_prices(space, states)
    assert np.all(prices <= states.price + 1e-9)
    return prices
