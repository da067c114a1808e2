"""The headings in which a mover can end at a place: closed forms, and as costs of single poses have it."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from edges_of_roofs import walker
from posed_movers import FORWARD, REVERSE, stepper, vehicle
from posed_tables import MOVERS, START, searched
from toll_tables import toll_mover
from tolls_on_levels import tower

from simulator.geometry.footprints import Round
from simulator.geometry.pieces import rectangle
from simulator.pathing.ends import HeadingRange
from simulator.pathing.posed import EarlierPhase, PhasedReach, PoseReach, TurnPrices


class TestOnOpenGround:
    def test_what_is_left_is_turned_in_brackets(self):
        found = PoseReach(vehicle(36, modes=(FORWARD,))).headings_at((30, 0))
        assert found == (
            HeadingRange(0.0, 0.0, pytest.approx(30)),
            HeadingRange(0.0, 45.0, pytest.approx(36)),
            HeadingRange(315.0, 360.0, pytest.approx(36)),
        )

    def test_nothing_is_left(self):
        (only,) = PoseReach(vehicle(36, modes=(FORWARD,))).headings_at((36, 0))
        assert (only.first, only.last, only.cost) == (0, 0, pytest.approx(36))

    def test_nobody_gets_there(self):
        assert PoseReach(vehicle(36, modes=(FORWARD,))).headings_at((37, 0)) == ()

    def test_the_whole_circle(self):
        assert any(one.is_whole for one in PoseReach(stepper(6, free=0)).headings_at((0, 0), step=10))

    def test_half_steps(self):
        found = PoseReach(stepper(3, modes=(FORWARD, REVERSE))).headings_at((2, 0), step=0.1)
        assert found[0] == HeadingRange(0.0, 0.0, pytest.approx(2))
        assert found[1] == HeadingRange(0.0, 22.5, pytest.approx(2.5))
        assert found[2] == HeadingRange(22.5, 45.0, pytest.approx(3))
        assert max(one.last for one in found[1:3]) == 45


@pytest.mark.parametrize("name", ["disc"])
def test_ranges_are_what_single_poses_cost(name):
    reach, dice = searched(name, 0), np.random.default_rng(4)
    places = dice.uniform(-1, 1, (40, 2)) * float(reach.space.budget) * 0.5 + START
    places = places[np.isfinite(reach.costs_at(places))][:3]
    for place in places.tolist():
        ranges = reach.headings_at(tuple(place), step=1.0)
        assert ranges
        headings = dice.uniform(0, 360, 40)
        costs = reach.costs_in(np.tile(place, (40, 1)), headings)
        inside = [[one for one in ranges if heading in one] for heading in headings.tolist()]
        for heading, cost, found in zip(headings.tolist(), costs.tolist(), inside, strict=True):
            if math.isinf(cost):
                assert not found, (place, heading)
            elif found:
                assert cost <= max(one.cost for one in found) + 1e-6, (place, heading)
        assert np.mean([bool(found) == math.isfinite(cost) for found, cost in zip(inside, costs, strict=True)]) > 0.95


@pytest.mark.sampled
@pytest.mark.parametrize(("name", "seed"), [*((name, 1) for name in MOVERS), ("tank", 2), ("walker", 2)])
def test_facing_somewhere_at_a_place_costs_what_that_pose_costs(name, seed):
    reach, dice = searched(name, seed), np.random.default_rng(seed)
    places = dice.uniform(-1, 1, (60, 2)) * float(reach.space.budget) * 0.5 + START
    places = places[np.isfinite(reach.costs_at(places))][:3]
    headings = np.arange(0.0, 360.0, 20.0)
    ends = 0
    for place in places.tolist():
        together = reach.costs_facing(tuple(place), headings)
        alone = reach.costs_in(np.tile(place, (len(headings), 1)), headings)
        assert np.array_equal(np.isfinite(together), np.isfinite(alone))
        known = np.isfinite(alone)
        assert together[known] == pytest.approx(alone[known], abs=1e-6)
        ends += int(known.sum())
    assert ends > 5


class TestManyPlacesAtOnce:
    """Each place has the headings that it has alone, to the bit."""

    def assert_as_alone(self, reach, places, level=0, step=0.5):
        together, again = reach.headings_at_each(places, step, level), type(reach)(reach.space)
        assert together == [again.headings_at(tuple(place), step, level) for place in places.tolist()]
        assert sum(map(bool, together)) > 1

    def places(self, reach, count):
        dice = np.random.default_rng(3)
        (start,) = reach.space.starts
        return start.place + dice.uniform(-1, 1, (count, 2)) * float(reach.space.in_all) * 0.6

    @pytest.mark.sampled("track")
    @pytest.mark.parametrize("name", ["disc", "tank", "track"])
    def test_of_movers(self, name):
        reach = searched(name, 1)
        self.assert_as_alone(reach, self.places(reach, 4))

    # Long: each place is asked alone as well; `test_of_movers` has the same without things that give way.
    @pytest.mark.long
    @pytest.mark.parametrize("name", ["disc", "oval"])
    def test_among_things_that_give_way(self, name):
        reach = PoseReach(toll_mover(name, 1))
        self.assert_as_alone(reach, self.places(reach, 3), step=2.0)

    # Long: many places on two levels; many on one are tried beside it.
    @pytest.mark.long
    def test_on_levels(self):
        reach = PoseReach(tower(0))
        self.assert_as_alone(reach, self.places(reach, 4), level=1)

    def test_with_a_lower_limit(self):
        reach = PoseReach(replace(vehicle(12, modes=(FORWARD, REVERSE)), more_than=Fraction(6)))
        self.assert_as_alone(reach, self.places(reach, 4), step=2.0)

    def test_in_phases(self):
        space = vehicle(5, modes=(FORWARD,), turns=TurnPrices.flat(2), earlier=(EarlierPhase(Fraction(3)),))
        reach = PhasedReach(space)
        self.assert_as_alone(reach, self.places(reach, 3), step=3.0)

    def test_off_a_roof(self):
        roof = rectangle((0, 0), (8, 6))
        reach = PoseReach(walker(9, roof=roof, base=Round(0.6), start=(1, 1), heading=20, free=0))
        places = np.array([(4.6, 0.5), (0.5, 3.6), (20.0, 0.0)])
        assert reach.headings_at(tuple(places[0]))
        self.assert_as_alone(reach, places, step=2.0)

    def test_nowhere(self):
        assert PoseReach(vehicle(9)).headings_at_each([]) == []
        assert PoseReach(vehicle(9)).headings_at_each([(50, 0), (0, 60)]) == [(), ()]
