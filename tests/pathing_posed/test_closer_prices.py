"""What last legs cost at least by narrow cells, what is known of the ground by cells, and which ways are outdone."""

from fractions import Fraction

import numpy as np
import pytest
from posed_tables import MOVERS, START, mover

from simulator.pathing.posed import PoseReach, TurnPrices
from simulator.pathing.posed.goals import Goals
from simulator.pathing.posed.lower_prices import LowerPrices
from simulator.pathing.posed.outdone import dearer_turns
from simulator.pathing.posed.rays import Rays, has_room, units
from simulator.pathing.posed.states import rates_of


def legs(name, seed, count=400):
    """A mover on a table, and legs from anywhere near its start."""
    space, dice = mover(name, seed), np.random.default_rng([seed, 9])
    starts, headings = dice.uniform(-8, 8, (count, 2)) + START, dice.uniform(0, 360, count)
    inches = dice.choice([dice.uniform(0, 5, count), np.round(dice.uniform(0, 5, count) * 2) / 2], axis=0)
    return space, starts, headings, inches, Rays.cast(space, starts, headings, np.zeros(count, np.intp), inches)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", MOVERS)
def test_no_leg_costs_less_by_narrow_cells_and_most_cost_hardly_more(name, seed):
    space, starts, headings, inches, rays = legs(name, seed)
    lower = LowerPrices.of(space)
    free = rays.length >= inches - 1e-9
    prices = rays.prices(np.arange(len(inches)), inches)
    closer = lower.closer.along(starts, units(headings), inches)
    assert free.sum() > 40
    assert np.all(closer[free] <= prices[free] + 1e-9)
    wide = lower.along(starts, units(headings), inches)
    assert np.mean(prices[free] - closer[free]) <= 0.25
    assert np.mean(closer[free]) >= np.mean(wide[free])


@pytest.mark.parametrize("name", MOVERS)
def test_ways_far_off_cheap_ground_cost_no_less(name):
    space, starts, headings, inches, rays = legs(name, 4)
    closer = LowerPrices.of(space).closer
    ends = starts + inches[:, None] * units(headings)
    free = rays.length >= inches - 1e-9
    least = closer.least(inches, closer.to_cheap(starts) + closer.to_cheap(ends))
    assert np.all(least[free] <= rays.prices(np.arange(len(inches)), inches)[free] + 1e-9)


@pytest.mark.parametrize("name", ["walker", "oval"])
def test_what_is_known_of_the_ground_by_cells_is_so(name):
    space = mover(name, 2)
    lower, reach = LowerPrices.of(space), PoseReach(space)
    states = reach.searched[0].states
    assert has_room(space, states.place, states.heading).all()
    for known in (lower.known, lower.closer.known):
        kinds = known.kinds_at(states.place)
        assert np.mean(kinds >= 0) > 0.1
        numbers = space.ground.numbers_at(states.place, np.mod(states.heading, 360.0))
        under = [frozenset(np.flatnonzero(row).tolist()) for row in known.under]
        for number, kind in zip(numbers.tolist(), kinds.tolist(), strict=True):
            assert kind < 0 or space.ground.combination(number)[0] == under[kind]
        assert np.array_equal(known.rates_of(space, states), rates_of(space, states))


def test_turns_that_follow_two_headings_cost_no_more_apart_than_stated():
    turns = TurnPrices.of([(30, 1), (50, Fraction(5, 2)), (130, 3), (180, 7)])
    more, dice = dearer_turns(turns), np.random.default_rng(3)
    one, other, goal = dice.uniform(0, 360, (3, 20000))

    def price(heading):
        return turns.prices(180.0 - np.abs(180.0 - np.mod(goal - heading, 360.0)))

    parts = (np.floor(other * 2).astype(int) - np.floor(one * 2).astype(int)) % 720
    gap = price(one) - price(other)
    assert np.all(gap <= more[parts])
    assert np.mean([more[part] - gap[parts == part].max() for part in range(720) if np.any(parts == part)]) < 2.0


def test_goals_without_any_way():
    """Nothing to try is no error."""
    space = mover("disc", 1)
    reach = PoseReach(space)
    assert np.isinf(reach.costs_at([(1.0, 1.0)])).all()
    assert np.isinf(reach.costs_facing((1.0, 1.0), [0.0, 90.0])).all()
    assert reach.headings_at((1.0, 1.0)) == ()
    assert len(Goals(np.zeros((0, 2)), None).have_room(space)) == 0
