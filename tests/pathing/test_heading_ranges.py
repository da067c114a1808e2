"""Ranges of headings: what lies over one another becomes ranges of one least cost, degree by degree."""

import numpy as np
import pytest

from simulator.pathing.ends import HeadingRange, cheapest_ranges

EVERY_HALF_DEGREE = [half / 2 for half in range(720)]


def cost_of(ranges, heading):
    return min((one.cost for one in ranges if heading in one), default=None)


@pytest.mark.parametrize("seed", range(40))
def test_every_heading_costs_the_least_of_what_lies_over_it(seed):
    dice = np.random.default_rng(seed)
    given = [
        HeadingRange(int(first), int(first + width) % 360, int(cost))
        for first, width, cost in dice.integers((0, 0, 0), (360, 300, 4), (int(dice.integers(1, 7)), 3))
    ]
    if dice.random() < 0.3:
        given.append(HeadingRange.whole(int(dice.integers(0, 4))))
    found = cheapest_ranges(given)
    for heading in EVERY_HALF_DEGREE:
        assert cost_of(found, heading) == cost_of(given, heading)
    # They meet at their ends at most, and what goes on at the same cost is one range.
    insides = [sum(heading in one for one in found) for heading in np.arange(0.25, 360, 0.5)]
    assert max(insides) <= 1
    for one in found:
        assert not any(one.last == other.first and one.cost == other.cost for other in found if other is not one)


def test_names_stand_for_themselves():
    north, south = HeadingRange("north", "north", 2), HeadingRange("south", "south", 1)
    assert set(cheapest_ranges([north, south, HeadingRange("north", "north", 3)])) == {north, south}


def test_of_nothing_there_is_nothing_and_a_circle_is_whole():
    assert cheapest_ranges([]) == ()
    assert [str(one) for one in cheapest_ranges([HeadingRange(0, 180, 1), HeadingRange(180, 0, 1)])] == ["any heading"]
