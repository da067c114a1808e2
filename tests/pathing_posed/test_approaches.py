"""What legs to places cost at least by what lies around the places, and answers with it and without."""

import numpy as np
import pytest
import shapely
from posed_tables import MOVERS, START, mover

from simulator.pathing.posed import PoseReach, last_legs
from simulator.pathing.posed.approaches import BESIDE, Approaches
from simulator.pathing.posed.lower_prices import LowerPrices
from simulator.pathing.posed.rays import Rays


def legs(name, seed, count=600):
    """A mover on a table, places near its start, and legs to them from anywhere."""
    space, dice = mover(name, seed), np.random.default_rng([seed, 5])
    places = dice.uniform(-8, 8, (count // 6, 2)) + START
    place, bearing = dice.integers(0, len(places), count), dice.uniform(-180, 540, count)
    return space, places, place, bearing, dice.uniform(0, 9, count), dice


def prices_of(space, starts, bearing, inches):
    """What legs cost; inf where something bars them."""
    rays = Rays.cast(space, starts, bearing, np.zeros(len(inches), np.intp), inches)
    free = rays.length >= inches - 1e-9
    return np.where(free, rays.prices(np.arange(len(inches)), inches), np.inf)


def ahead(bearing):
    return np.column_stack([np.cos(np.radians(bearing)), np.sin(np.radians(bearing))])


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", MOVERS)
def test_no_leg_costs_less_nor_does_one_from_beside(name, seed):
    space, places, place, bearing, inches, dice = legs(name, seed)
    around = Approaches.to(LowerPrices.of(space).closer, places, np.arange(len(places)), float(inches.max()))
    least = around.least_of(place, bearing, inches)
    starts = places[place] - inches[:, None] * ahead(bearing)
    prices = prices_of(space, starts, bearing, inches)
    assert np.isfinite(prices).sum() > 60
    assert np.all(least <= prices + 1e-9)
    off, way = BESIDE * np.sqrt(dice.uniform(0, 1, len(inches))), dice.uniform(0, 360, len(inches))
    away = places[place] - starts - off[:, None] * ahead(way)
    bearing = np.degrees(np.arctan2(away[:, 1], away[:, 0]))
    inches = np.hypot(*away.T)
    assert np.all(least <= prices_of(space, places[place] - away, bearing, inches) + 1e-9)


@pytest.mark.parametrize("name", MOVERS)
def test_much_of_what_bars_legs_and_of_what_they_cost_is_known(name):
    space, places, place, bearing, inches, _ = legs(name, 3)
    around = Approaches.to(LowerPrices.of(space).closer, places, np.arange(len(places)), float(inches.max()))
    least = around.least_of(place, bearing, inches)
    prices = prices_of(space, places[place] - inches[:, None] * ahead(bearing), bearing, inches)
    barred = np.isinf(prices)
    assert np.mean(least[barred] > float(space.budget)) > 0.25
    long = ~barred & (inches > 3)
    assert np.mean(prices[long] - least[long]) < 0.35 * np.mean(prices[long])


def test_some_places_and_legs_longer_than_is_looked():
    space, places, place, bearing, inches, _ = legs("walker", 1)
    closer = LowerPrices.of(space).closer
    every = Approaches.to(closer, places, np.arange(len(places)), 9.0)
    some = np.unique(place[:40])
    fewer = Approaches.to(closer, places, some, 9.0)
    rows = np.flatnonzero(np.isin(place, some))
    asked = place[rows], bearing[rows], inches[rows]
    assert np.array_equal(every.least_of(*asked), fewer.least_of(*asked))
    short = Approaches.to(closer, places, some, 2.0)
    assert short.prices.size < fewer.prices.size
    starts = places[place] - inches[:, None] * ahead(bearing)
    prices = prices_of(space, starts, bearing, inches)[rows]
    assert np.isfinite(prices).sum() > 10
    assert np.all(short.least_of(*asked) <= prices + 1e-9)


@pytest.mark.sampled("disc", "oval")
@pytest.mark.parametrize("name", MOVERS)
def test_answers_are_the_same_with_it_and_without(name, monkeypatch):
    places = np.random.default_rng(7).uniform(-9, 9, (150, 2)) + START
    found = []
    for worth in (1, 10**9):
        monkeypatch.setattr(last_legs, "WORTH", worth)
        reach = PoseReach(mover(name, 2))
        found.append((reach.costs_at(places), reach.costs_in(places[:40], 30.0), reach.area()))
    (costs, facing, area), (costs_, facing_, area_) = found
    assert np.isfinite(costs).sum() > 20
    assert np.allclose(costs, costs_, atol=1e-6)
    assert np.allclose(facing, facing_, atol=1e-6)
    assert shapely.symmetric_difference(area, area_).area < 0.002 * area.area
