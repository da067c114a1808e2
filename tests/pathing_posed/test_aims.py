"""Searches for one place alone: they leave out what lies off, and find the same; and places that are shut off."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import shapely
from edges_of_roofs import walker
from posed_movers import vehicle

from simulator.geometry.footprints import Round
from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import EarlierPhase, PhasedReach, PoseLink, PoseReach, PricedGround, TurnPrices, aims
from simulator.pathing.posed.aims import aim_at
from simulator.pathing.posed.enclosed import are_apart, barred_by
from simulator.pathing.posed.search import search
from simulator.pathing.posed.shortfalls import shortfalls

BASE = Round(0.5)


def crowded(seed, budget):
    """A vehicle among walls."""
    dice = np.random.default_rng(seed)
    spots = [spot for spot in dice.uniform(-9, 9, (14, 2)).tolist() if np.hypot(*spot) > 2.5]
    sizes = dice.uniform(0.5, 3.0, (len(spots), 2)).tolist()
    walls = [rectangle(spot, size) for spot, size in zip(spots, sizes, strict=True)]
    return vehicle(budget, base=BASE, bars=walls, box=(-10, -10, 10, 10))


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(4))
def test_they_find_what_a_search_for_all_places_finds(seed):
    space = crowded(seed, 16)
    reach = PoseReach(space)
    places = np.random.default_rng(seed).uniform(-9, 9, (4, 2))
    for place, cost in zip(places.tolist(), reach.costs_at(places).tolist(), strict=True):
        aimed = reach.toward(space, tuple(place))
        assert aimed.costs_at([place])[0] == pytest.approx(cost)
        assert len(aimed.searched[0].states.price) <= len(reach.searched[0].states.price)


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(3))
def test_what_is_missed_is_no_more_than_a_search_with_twice_the_budget_finds(seed):
    space = crowded(seed, 8)
    reach, wider = PoseReach(space), PoseReach(replace(space, budget=Fraction(16)))
    places = np.random.default_rng(seed + 9).uniform(-9, 9, (4, 2))
    costs = wider.costs_at(places)
    known = 0
    for place, cost in zip(places.tolist(), costs.tolist(), strict=True):
        for short in shortfalls(reach, tuple(place))[0]:
            if short.what == "budget" and np.isfinite(cost):
                known += 1
                assert short.needed <= cost + 1e-6
                enough = PoseReach(replace(space, budget=Fraction(short.needed) + Fraction(1, 10**6)))
                assert np.isfinite(enough.costs_at([place])[0])
    assert known


def dearest(under, _):
    return max((Fraction(2 + number % 3, 2) for number in under), default=Fraction(1))


def rooms(seed):
    """Thin and thick walls, dear and cheap ground, and turns that cost next to nothing."""
    dice = np.random.default_rng(seed)
    spots = [spot for spot in dice.uniform(-14, 14, (24, 2)).tolist() if np.hypot(*spot) > 2.0]
    sizes = np.maximum(dice.uniform(0.2, 6.0, (len(spots), 2)) * dice.choice([0.1, 1.0], (len(spots), 2)), 0.2)
    walls = [rectangle(spot, size) for spot, size in zip(spots, sizes.tolist(), strict=True)]
    patches = [rectangle(spot, (4, 3)) for spot in dice.uniform(-12, 12, (8, 2)).tolist()]
    turns = TurnPrices.in_steps(Fraction(45), Fraction(1, 100))
    ground = PricedGround(patches, dearest)
    return vehicle(45, base=Round(0.3), bars=walls, box=(-15, -15, 15, 15), ground=ground, turns=turns)


@pytest.mark.sampled
@pytest.mark.parametrize("most", [1 << 15, 600])
@pytest.mark.parametrize("seed", range(6))
def test_no_way_costs_less_than_is_known_beforehand(monkeypatch, seed, most):
    """Nor by a few inches more: what is left for legs that end beside the middle of a cell is never used up."""
    monkeypatch.setattr(aims, "_MOST_CELLS", most)
    space = rooms(seed)
    reach = PoseReach(space)
    here, places = np.array([space.starts[0].place], float), np.random.default_rng(seed).uniform(-14, 14, (30, 2))
    nearly = 0
    for place, cost in zip(places.tolist(), reach.costs_at(places).tolist(), strict=True):
        aim = aim_at(space, tuple(place), reach.lower)
        assert float(aim.field.at(here)[0]) + 11 * aim.field.cell * aim.rate <= cost
        assert float(aim.least(here, 0.0)[0]) <= cost
        nearly += float(aim.field.at(here)[0]) + 13 * aim.field.cell * aim.rate > 0.9 * cost
    assert nearly > 1


def test_ways_round_a_wall_and_over_dear_ground_cost_more_than_the_crow_flies():
    start = np.zeros((1, 2))
    wall = vehicle(60, base=BASE, bars=[rectangle((10, 0), (1, 40))], box=(-10, -25, 40, 25))
    swamp = PricedGround([rectangle((10, 0), (10, 80))], lambda under, _: Fraction(3 if under else 1))
    for space, least in ((wall, 40.0), (vehicle(60, base=BASE, ground=swamp, box=(-10, -25, 40, 25)), 30.0)):
        aim = aim_at(space, (20, 0), PoseReach(space).lower)
        assert aim._replace(field=None).least(start, 0.0) == pytest.approx(20.0)
        assert least < float(aim.least(start, 0.0)[0]) <= PoseReach(space).costs_at([(20, 0)])[0]


def test_a_wall_is_as_thick_as_a_cell_and_none_is_got_through():
    space = vehicle(60, base=BASE, bars=[rectangle((10, 0), (0.2, 50))], box=(-10, -25, 40, 25))
    aim = aim_at(space, (20, 0), PoseReach(space).lower)
    assert np.isinf(aim.field.at(np.zeros((1, 2))))[0]
    assert np.isfinite(aim.field.at(np.array([(30.0, 0.0)])))[0]


def test_less_is_searched_where_the_way_leads_round_something():
    space = vehicle(60, base=BASE, bars=[rectangle((10, 0), (1, 40))], box=(-10, -25, 40, 25))
    reach = PoseReach(space)
    aimed = reach.toward(space, (20, 0))
    assert aimed.costs_at([(20, 0)])[0] == pytest.approx(reach.costs_at([(20, 0)])[0])
    straight = search(space.way, reach.lower, aim=aim_at(space, (20, 0)))
    assert len(aimed.searched[0].states.price) < 0.8 * len(straight.states.price)


class TestLinks:
    def test_none_is_left_out_where_they_lead_across_the_table_and_no_prices_are_known(self):
        space = vehicle(9)
        assert aim_at(space, (3, 3)) is not None
        assert aim_at(replace(space, links=(PoseLink("up", 0, 0, Fraction(1)),)), (3, 3)) is not None
        assert aim_at(replace(space, links=(PoseLink("door", 0, 0, Fraction(1), ((0, 0), (8, 8))),)), (3, 3)) is None

    def test_nor_where_leaps_do(self):
        roof = walker()
        assert any(link.far_ends for link in roof.links)
        assert aim_at(roof, (3, 3), PoseReach(roof).lower) is None

    @pytest.mark.parametrize("price", [0, 2, 30])
    def test_ways_through_doors_cost_no_less_than_is_known_beforehand(self, price):
        walls = [rectangle((10, 0), (1, 60))]
        doors = (
            PoseLink("in", 0, 0, Fraction(price), ((8, 3), (12, 3))),
            PoseLink("out", 0, 0, Fraction(0), ((12, -9), (8, -9))),
        )
        space = vehicle(60, base=BASE, bars=walls, links=doors, box=(-10, -25, 40, 25))
        reach, here = PoseReach(space), np.zeros((1, 2))
        places = np.random.default_rng(price).uniform((-9, -20), (30, 20), (12, 2))
        for place, cost in zip(places.tolist(), reach.costs_at(places).tolist(), strict=True):
            aim = aim_at(space, tuple(place), reach.lower)
            assert float(aim.least(here, 0.0)[0]) <= cost
            assert float(aim.least(here, 0.0)[0]) > cost / 4 or np.hypot(*place) < 12 or np.isinf(cost)
            assert reach.toward(space, tuple(place)).costs_at([place])[0] == pytest.approx(cost)
        # One way alone.
        back = aim_at(replace(space, links=doors[1:]), (20, 0), reach.lower)
        assert np.isinf(back.field.at(here)[0])


class TestOfWider:
    def test_what_ways_cost_at_least_is_computed_once_for_all_budgets(self):
        space = rooms(1)
        widest = PoseReach(space).toward(space, (9, 9))
        some = widest.toward(replace(space, budget=Fraction(20)), (9, 9), roughly=True)
        assert vars(some)["_aim"] is widest._aim
        for other, place in ((replace(space, budget=Fraction(90)), (9, 9)), (space, (9, 8)), (rooms(2), (9, 9))):
            assert "_aim" not in vars(widest.toward(other, place))

    def test_phases_before_pay_for_all_that_they_may(self):
        space = replace(vehicle(9), earlier=(EarlierPhase(Fraction(9)),))
        place, reach = (14.0, 3.0), PhasedReach(space)
        toward = reach.toward(space, place)
        assert toward.costs_at([place])[0] == pytest.approx(reach.costs_at([place])[0])
        assert np.hypot(*place) - 9 - 0.5 < toward.least_to_goal() <= reach.costs_at([place])[0] < 9

    def test_no_way_costs_less_than_the_least(self):
        space = rooms(3)
        reach = PoseReach(space)
        places = np.random.default_rng(5).uniform(-14, 14, (12, 2))
        known = 0
        for place, cost in zip(places.tolist(), reach.costs_at(places).tolist(), strict=True):
            least = reach.toward(space, tuple(place)).least_to_goal()
            assert least <= cost
            known += least > np.hypot(*place) + 1
        assert known
        assert reach.least_to_goal() == 0.0


class TestShutOff:
    def box(self, wide, gap=0.0):
        """Four walls round (20, 0), one of them with a gap."""
        side = 3.0 + wide / 2
        long = 6.0 + 2 * wide
        return [
            rectangle((20, side), (long, wide)),
            rectangle((20, -side), (long, wide)),
            rectangle((20 + side, 0), (wide, long)),
            rectangle((20 - side, (long + gap) / 4), (wide, (long - gap) / 2)),
            rectangle((20 - side, -(long + gap) / 4), (wide, (long - gap) / 2)),
        ]

    @pytest.mark.parametrize("wide", [0.5, 1.0, 2.0])
    def test_in_a_box(self, wide):
        space = vehicle(12, base=BASE, bars=self.box(wide))
        assert are_apart(replace(space, budget=Fraction(60)), (20, 0))
        assert [short.what for short in shortfalls(PoseReach(space), (20, 0))[0]] == ["way"]

    @pytest.mark.parametrize("thin", range(3))
    def test_what_parts_it_is_where_that_is_thinnest(self, thin):
        walls = self.box(2.0)
        sides = [((20, 3.5), (8, 1)), ((20, -3.5), (8, 1)), ((23.5, 0), (1, 8))]
        walls[thin] = rectangle(*sides[thin])
        space = vehicle(12, base=BASE, bars=walls)
        (short,), _ = shortfalls(PoseReach(space), (20, 0))
        assert (short.what, short.thing, short.at) == ("way", *barred_by(replace(space, budget=Fraction(48)), (20, 0)))
        assert short.thing == thin
        # The place is in it, or so near that nobody gets there.
        assert shapely.distance(walls[thin].polygon, shapely.Point(short.at)) < BASE.radius

    def test_of_two_walls_that_are_as_thick_the_first(self):
        walls = [rectangle((at, 0), (1, 40)) for at in (30, 10, 20)]
        space = vehicle(60, base=BASE, bars=walls, box=(-10, -15, 60, 15))
        assert barred_by(space, (40, 0)).thing == 1
        assert barred_by(space, (15, 0)).thing == 1
        assert barred_by(space, (5, 0)) is None

    def test_whoever_is_in_the_box_is_not(self):
        space = vehicle(12, base=BASE, bars=self.box(1.0), start=(21, 1))
        assert not are_apart(space, (20, 0))

    @pytest.mark.parametrize("gap", [1.0, 1.5])
    def test_not_where_the_base_just_fits_through(self, gap):
        space = vehicle(60, base=BASE, bars=self.box(1.0, gap))
        assert not are_apart(space, (20, 0))

    @pytest.mark.parametrize("seed", range(4))
    def test_never_where_there_is_a_way(self, seed):
        space = crowded(seed, 16)
        places = np.random.default_rng(seed).uniform(-9, 9, (20, 2))
        ends = np.isfinite(PoseReach(space).costs_at(places))
        assert not any(are_apart(space, tuple(place)) for place in places[ends].tolist())
