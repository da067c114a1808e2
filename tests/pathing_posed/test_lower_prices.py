"""What legs cost at least: never more than they cost, and too much only where something bars them."""

from fractions import Fraction

import numpy as np
import pytest
from posed_movers import vehicle
from posed_tables import MOVERS, START, mover

from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import PricedGround
from simulator.pathing.posed.lower_prices import LowerPrices
from simulator.pathing.posed.rays import Rays, units


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", MOVERS)
def test_no_leg_costs_less(name, seed):
    space, dice = mover(name, seed), np.random.default_rng([seed, 5])
    lower = LowerPrices.of(space)
    starts = dice.uniform(-8, 8, (400, 2)) + START
    headings, inches = dice.uniform(0, 360, 400), dice.uniform(0, 5, 400)
    modes = np.zeros(400, np.intp)
    rays = Rays.cast(space, starts, headings, modes, inches)
    free = rays.length >= inches - 1e-9
    least = lower.along(starts, units(headings), inches)
    prices = rays.prices(np.arange(400), inches)
    assert free.sum() > 40
    assert np.all(least[free] <= prices[free] + 1e-9)
    shut = least >= 4 * (float(space.budget) + 1)
    assert not np.any(shut & free)
    assert shut.sum() > 5


@pytest.mark.parametrize("name", MOVERS)
def test_marks_on_legs_cost_what_legs_of_their_length_do(name):
    space, dice = mover(name, 1), np.random.default_rng(6)
    lower = LowerPrices.of(space)
    starts, headings = dice.uniform(-6, 6, (50, 2)) + START, dice.uniform(0, 360, 50)
    marks = dice.integers(0, 6, 50)
    found = lower.at_marks(starts, units(headings), marks, 1.0)
    leg = np.repeat(np.arange(50), marks)
    number = np.concatenate([np.arange(1, count + 1) for count in marks.tolist()])
    each = lower.along(starts[leg], units(headings)[leg], number.astype(float))
    assert np.all(found <= each + 1e-9)
    plain = np.isclose(found, each)
    assert plain.mean() > 0.5


def test_ground_of_one_price():
    """In the middle of an area, and where there is none."""
    areas = [rectangle((10, 0), (8, 8))]
    ground = PricedGround(areas, lambda under, _: Fraction(3 if under else 2))
    lower = LowerPrices.of(vehicle(30, ground=ground))
    starts, ahead = np.array([(-9.0, 0.0), (8.0, 0.0), (4.0, 0.0)]), np.tile((1.0, 0.0), (3, 1))
    found = lower.along(starts, ahead, np.array([4.0, 4.0, 4.0]))
    assert found[:2].tolist() == [8, 12]
    assert 4 < found[2] < 10  # It passes the border, near which the least of all ground counts.
