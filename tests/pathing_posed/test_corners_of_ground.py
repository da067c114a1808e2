"""Corners of the ground: where a road, a bridge or a patch begins, what a leg costs changes, so ways turn to pass them.

First turns lead past them, and last turns are made where last legs pass them. Moves of two legs that were made by
chance, and bettered, cost no less than what reach finds.
"""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import shapely
from posed_movers import FORWARD, vehicle
from two_legs import least_by_two_legs

from simulator.geometry.footprints import Round
from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import PoseReach, PricedGround, TurnPrices
from simulator.pathing.posed.first_turns import turns_past_things
from simulator.pathing.posed.states import starting

WIDE = TurnPrices.of([(45, 4), (90, 8), (135, 12), (180, 16)])
#: Ways of two legs are cheaper than what is found by no more than so much.
NEARLY = 0.02


def river_with_bridge(bridge):
    """A river across the way, at twice the price, and a bridge over it at its own."""
    areas = [rectangle((8, 0), (4, 40)), rectangle((8, 3.25), (6, 2.5))]

    def rate(under, climbed):
        del climbed
        return Fraction(bridge) if 1 in under else Fraction(2 if 0 in under else 1)

    return PricedGround(areas, rate, least=Fraction(1, 2))


def angles_to(*places):
    return [math.degrees(math.atan2(y, x)) for x, y in places]


class TestFirstTurns:
    """The bridge leads from x = 5 to 11, y from 2 to 4.5, over a river from 6 to 10."""

    def turns(self, bridge, **more):
        space = vehicle(24, base=Round(0.75), modes=(FORWARD,), turns=WIDE, ground=river_with_bridge(bridge), **more)
        return np.sort(turns_past_things(space, starting(space)).angle).tolist()

    def test_a_bridge_is_entered_where_the_river_begins_and_left_where_it_ends(self):
        """Beyond either a leg crosses some of the river. Other corners do not matter: there it begins to cross less."""
        assert self.turns(1) == pytest.approx(angles_to((6, 2), (10, 4.5)))

    def test_a_road_over_the_river_is_entered_and_left_at_its_ends_as_well(self):
        assert self.turns(Fraction(1, 2)) == pytest.approx(angles_to((6, 2), (5, 2), (11, 4.5), (10, 4.5)))

    def test_a_bridge_that_costs_as_much_as_the_river_and_ends_with_it_is_none(self):
        ground = river_with_bridge(2)
        level = replace(ground, areas=[ground.areas[0], rectangle((8, 3.25), (4, 2.5))])
        space = vehicle(24, base=Round(0.75), modes=(FORWARD,), turns=WIDE, ground=level)
        assert turns_past_things(space, starting(space)).angle.tolist() == []

    def test_what_stands_behind_the_corner_does_not_matter(self):
        """The leg past it is stopped there, and so are those beside."""
        beyond = Round(1.5).at(16, 6.5)
        passing = self.turns(1, bars=[beyond])
        for angle in angles_to((6, 2), (10, 4.5)):
            assert any(one == pytest.approx(angle) for one in passing)


class TestCrossings:
    def test_borders_of_areas_that_cross(self):
        ground = river_with_bridge(1)
        assert sorted(map(tuple, ground.crossings.tolist())) == [(6, 2), (6, 4.5), (10, 2), (10, 4.5)]

    def test_areas_apart_and_one_in_the_other_have_none(self):
        ground = replace(river_with_bridge(1), areas=[rectangle((0, 0), (9, 9)), Round(2).at(1, 1), Round(2).at(20, 0)])
        assert len(ground.crossings) == 0

    def test_where_all_under_a_base_counts_they_do_not_matter(self):
        assert len(replace(river_with_bridge(1), base=Round(0.5)).crossings) == 0


def patched(seed):
    """A river with two bridges, patches of mud and of road, and posts, in front of a vehicle with wide brackets."""
    dice = np.random.default_rng(seed)
    near, wide = dice.uniform(6, 10), dice.uniform(3, 6)
    areas, kinds = [rectangle((near + wide / 2, 0), (wide, 60))], [2]
    for y in dice.uniform(-12, 12, 2).tolist():
        areas.append(rectangle((near + wide / 2, y), (wide + 2, float(dice.uniform(1, 3)))))
        kinds.append("bridge")
    for _ in range(6):
        middle, size = dice.uniform((-4, -14), (24, 14)).tolist(), dice.uniform(2, 7, 2).tolist()
        areas.append(rectangle(tuple(middle), tuple(size), float(dice.uniform(0, 90))))
        kinds.append(int(dice.choice([2, 3])) if dice.uniform() < 0.6 else "road")

    def rate(under, climbed):
        del climbed
        there = [kinds[area] for area in under]
        if "bridge" in there or "road" in there:
            return Fraction(1) if "bridge" in there else Fraction(1, 2)
        return Fraction(max(there, default=1))

    posts = [Round(float(dice.uniform(0.3, 1.2))).at(*dice.uniform((4, -12), (22, 12))) for _ in range(6)]
    ground = PricedGround(areas, rate, least=Fraction(1, 2))
    return vehicle(24, base=Round(0.75), modes=(FORWARD,), turns=WIDE, bars=posts, ground=ground)


def places_on(seed, count):
    """Places ahead of it, and what moves of two legs to each cost that were made by chance; those that any leads to."""
    dice, space = np.random.default_rng(seed + 1000), patched(seed)
    places = dice.uniform((4, -12), (26, 12), (count, 2))
    costs = np.array([least_by_two_legs(space, place, dice) for place in places])
    return places[np.isfinite(costs)], costs[np.isfinite(costs)]


@pytest.mark.sampled("2", "15")
@pytest.mark.parametrize("seed", range(20))
def test_moves_of_two_legs_are_no_cheaper(seed):
    places, costs = places_on(seed, 25)
    assert len(places) > 2
    assert (PoseReach(patched(seed)).costs_at(places) <= costs + NEARLY).all()


@pytest.mark.sampled("0")
@pytest.mark.parametrize("seed", range(6))
def test_areas_hold_where_moves_of_two_legs_end(seed):
    places, costs = places_on(seed, 60)
    places = places[costs <= float(patched(seed).budget)]
    area = PoseReach(patched(seed)).area()
    assert shapely.distance(area, shapely.points(places)).max() <= 0.1
