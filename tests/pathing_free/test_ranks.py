"""Ranks order places as their numbers and places do, to the resolution that the module states."""

import numpy as np
import pytest

from simulator.pathing.free.ranks import beginnings, ranks
from simulator.pathing.free.search import AT_ONCE

LEAST, MOST = -2 * np.pi, 4 * np.pi


@pytest.mark.parametrize("arcs", [1, 3, 1000, 100_000])
def test_ranks_order_as_number_and_place_do(arcs):
    dice = np.random.default_rng(arcs)
    number, place = dice.integers(0, arcs, 5000), dice.uniform(LEAST, MOST, 5000)
    order = np.argsort(ranks(number, place), kind="stable")
    assert np.array_equal(order, np.lexsort((place, number)))


@pytest.mark.parametrize("number", [0, 1, 12_345, 99_999])
def test_every_place_lies_between_the_beginnings_of_its_number_and_the_next(number):
    row = ranks(np.array([number]), np.array([LEAST, 0.0, MOST]))
    assert beginnings(np.array([number]))[0] < row.min()
    assert row.max() < beginnings(np.array([number + 1]))[0]


def test_among_100_000_arcs_places_are_told_apart_as_finely_as_the_search_does():
    place = np.random.default_rng(7).uniform(LEAST, MOST, 5000)
    number = np.full(5000, 99_999)
    assert np.all(ranks(number, place + AT_ONCE) > ranks(number, place))
