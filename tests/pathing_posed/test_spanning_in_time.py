"""Last legs from one phase into the next that are ruled out by what they lead over: none of them led anywhere."""

import math
from fractions import Fraction

import numpy as np
import pytest
from posed_movers import FORWARD, REVERSE, vehicle

from simulator.geometry.footprints import Rectangle, Round
from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import EarlierPhase, PhasedReach, PricedGround, TurnPrices, spanning_legs

BASES = (Round(0.5), Rectangle(1.6, 0.8))


def rate(under, _):
    """The dearest patch counts; beside all of them an inch costs 1."""
    return max((Fraction(3 - number % 3, 1) for number in under), default=Fraction(1))


def strewn(seed, grain):
    """A mover of two phases among walls, on patches of dear ground."""
    dice = np.random.default_rng([seed, 77])
    middles = dice.uniform(-7, 7, (14, 2))
    far = middles[np.hypot(*middles.T) > 2]
    things = [rectangle(tuple(at), tuple(dice.uniform(0.3, 2.5, 2)), float(dice.uniform(0, 90))) for at in far]
    base = BASES[seed % 2]
    ground = PricedGround(things[5:], rate, base=base, grain=grain)
    # Where the first phase may not end on somebody, it ends within a piece, and the next one begins there.
    others = tuple(Round(0.6).at(*at) for at in dice.uniform(-5, 5, (4 * (seed > 2), 2)))
    return vehicle(
        3,
        base=base,
        modes=(FORWARD, REVERSE),
        turns=TurnPrices.of([(45, Fraction(1, 2)), (180, 1)], free=45, times_rate=seed % 3 == 0),
        ground=ground,
        bars=things[:5],
        earlier=(EarlierPhase(Fraction(7, 2), refreshes=seed % 2 == 0, no_end=others),),
    )


def made(reach, places, few, monkeypatch):
    """What places cost, and how many last legs were gone on with into the last phase."""
    count, spanned = 0, spanning_legs.SpanningLegs._spanned

    def counted(self, some, *others):
        nonlocal count
        count += len(some.goal)
        return spanned(self, some, *others)

    with monkeypatch.context() as patched:
        patched.setattr(spanning_legs, "MANY", few)
        patched.setattr(spanning_legs.SpanningLegs, "_spanned", counted)
        return reach.costs_at(places), count


@pytest.mark.sampled("0-None", "1-1/2", "2-1/2")
@pytest.mark.parametrize("grain", [None, Fraction(1, 2)], ids=str)
@pytest.mark.parametrize("seed", range(6))
def test_costs_are_the_same_and_fewer_legs_are_gone_on_with(seed, grain, monkeypatch):
    space, places = strewn(seed, grain), np.random.default_rng(seed).uniform(-6, 6, (120, 2))
    all_of_them, in_all = made(PhasedReach(space), places, math.inf, monkeypatch)
    in_time, fewer = made(PhasedReach(space), places, 0, monkeypatch)
    assert np.array_equal(in_time.round(9), all_of_them.round(9))
    assert np.isfinite(in_time).sum() > 20
    # Between the walls of the second table all of them may cost less than is known.
    assert fewer < in_all or (seed == 1 and fewer == in_all)
