"""What a move costs at least, as the crow flies: no more than any way that is found, and no search where it is much."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from posed_movers import FORWARD, REVERSE, flat_ground, vehicle
from posed_tables import START, mover

from simulator.geometry.footprints import Round
from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import (
    EarlierPhase,
    OffTheEdge,
    PhasedReach,
    PoseLink,
    PoseReach,
    PricedGround,
    Rotate,
    TableLevel,
    judged,
    reach,
)
from simulator.pathing.posed.crow_flies import least_to
from simulator.pathing.posed.search import search
from simulator.pathing.posed.shortfalls import least_shortfalls, shortfalls

OPEN = PricedGround((), flat_ground)
ROAD = PricedGround([rectangle((0, 0), (40, 2))], lambda under, _: Fraction(1, 2 if under else 1), least=Fraction(1, 2))
UP, DOWN = PoseLink("rise", 0, 1, Fraction(4)), PoseLink("sink", 1, 0, Fraction(4))
STAIRS = PoseLink("stairs", 0, 1, Fraction(6), places=((3.0, 4.0), (5.0, 4.0)))
LADDER = PoseLink("ladder", 1, 2, Fraction(1), places=((5.0, 16.0), (5.0, 16.0)))


def upstairs(*links, **more):
    return vehicle(24, modes=(FORWARD, REVERSE), above=(TableLevel(OPEN), TableLevel(OPEN)), links=links, **more)


class TestClosedForms:
    def test_on_one_level(self):
        assert least_to(vehicle(12), (3, 4)) == 5
        assert least_to(vehicle(12, ground=ROAD), (30, 40)) == 25

    def test_what_has_been_paid_counts(self):
        space = vehicle(12)
        assert least_to(replace(space, starts=(replace(space.starts[0], paid=Fraction(7)),)), (3, 4)) == 12

    def test_phases_before_pay_for_all_that_they_can(self):
        space = vehicle(6, earlier=(EarlierPhase(Fraction(3)), EarlierPhase(Fraction(4))))
        assert [least_to(space, (x, 0)) for x in (5, 7, 9, 20)] == [0, 0, 2, 13]

    def test_by_stairs_and_a_ladder(self):
        space = upstairs(STAIRS, LADDER)
        assert [least_to(space, (5, 10), level) for level in (0, 1, 2)] == [math.hypot(5, 10), 5 + 6 + 6, 11 + 12 + 7]

    def test_the_nearest_of_several_stairs(self):
        near = PoseLink("near stairs", 0, 1, Fraction(6), places=((1.0, 0.0), (1.0, 0.0)))
        assert least_to(upstairs(STAIRS, near), (1, 0), 1) == 7

    def test_levels_between_which_one_rises_anywhere_are_one(self):
        assert least_to(upstairs(UP, DOWN), (3, 4), 1) == 5
        assert least_to(upstairs(UP, DOWN), (3, 4), 2) == math.inf

    def test_a_link_leads_one_way(self):
        assert least_to(upstairs(DOWN), (3, 4), 1) == math.inf

    def test_of_leaps_nothing_is_said(self):
        roof = rectangle((0, 0), (8, 8))
        assert least_to(upstairs(OffTheEdge("leap", roof, Round(0), 0, 1)), (30, 40), 1) == 0


@pytest.mark.sampled
@pytest.mark.parametrize(("name", "seed"), [("disc", 0), ("tank", 1), ("point", 2), ("walker", 3), ("track", 4)])
def test_no_way_costs_less(name, seed):
    space, dice = mover(name, seed), np.random.default_rng([seed, 3])
    places = dice.uniform(-1, 1, (40, 2)) * float(space.budget) + START
    costs = PoseReach(space).costs_at(places)
    assert np.isfinite(costs).any()
    assert np.all([least_to(space, tuple(place)) for place in places.tolist()] <= costs + 1e-9)


@pytest.mark.sampled
@pytest.mark.parametrize(("name", "seed"), [("disc", 0), ("tank", 1), ("walker", 3)])
def test_no_way_costs_the_last_phase_less(name, seed):
    """What the phases before pay for is all that they may spend."""
    space, dice = mover(name, seed), np.random.default_rng([seed, 3])
    space = replace(space, budget=Fraction(6), earlier=(EarlierPhase(Fraction(3)), EarlierPhase(Fraction(2))))
    places = dice.uniform(-1, 1, (30, 2)) * 12 + START
    planner = PhasedReach(space)
    costs = planner.costs_at(places)
    assert np.isfinite(costs).any()
    assert np.isinf(costs).any()
    assert np.all([least_to(space, tuple(place)) for place in places.tolist()] <= costs + 1e-9)
    assert np.all([planner.toward(space, tuple(place)).least_to_goal() for place in places.tolist()] <= costs + 1e-9)


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(3))
def test_no_way_by_links_costs_less(seed):
    dice = np.random.default_rng(seed)
    ends = dice.uniform(-8, 8, (6, 2, 2))
    links = [
        PoseLink(f"way {number}", *dice.permutation(3)[:2].tolist(), Fraction(1 + number), tuple(map(tuple, pair)))
        for number, pair in enumerate(ends.tolist())
    ]
    space = upstairs(*links, ground=ROAD)
    places = dice.uniform(-10, 10, (30, 2))
    for level in range(3):
        costs = PoseReach(space).costs_at(places, level)
        assert np.all([least_to(space, tuple(place), level) for place in places.tolist()] <= costs + 1e-9)


class TestNoSearchInVain:
    """A search with four times the budget takes seconds on a large table."""

    @pytest.fixture
    def searched(self, monkeypatch):
        """The budgets that are searched with, for one place alone."""
        budgets = []

        def counted(space, lower, mesh, *, aim=None):
            if aim is not None:
                budgets.append(space.budget)
            return search(space, lower, mesh, aim=aim)

        monkeypatch.setattr(reach, "search", counted)
        return budgets

    def test_for_what_is_farther_than_four_budgets(self, searched):
        assert [short.what for short in shortfalls(PoseReach(vehicle(6)), (24.1, 0))[0]] == ["way"]
        space = replace(upstairs(STAIRS, LADDER), budget=Fraction(6))
        assert [short.what for short in shortfalls(PoseReach(space), (5, 4), level=2)[0]] == ["way"]
        assert searched == []

    def test_with_less_than_it_takes_at_least(self, searched):
        (short,), _ = shortfalls(PoseReach(vehicle(6)), (19, 0))
        assert short.needed == 19
        assert searched
        assert min(searched) > 18

    def test_nor_with_less_than_it_takes_round_a_wall(self, searched):
        wall = vehicle(24, bars=[rectangle((10, 0), (1, 40))], box=(-10, -25, 40, 25))
        (short,), _ = shortfalls(PoseReach(wall), (20, 0))
        assert short.needed > 44
        assert searched
        assert min(searched) > 40

    def test_nor_for_what_has_walls_all_around_it(self, searched):
        sides = [((20, 5), (10.2, 0.2)), ((20, -5), (10.2, 0.2)), ((15, 0), (0.2, 10.2)), ((25, 0), (0.2, 10.2))]
        shut = vehicle(30, base=Round(0.5), bars=[rectangle(*side) for side in sides], box=(-10, -25, 40, 25))
        assert [short.what for short in shortfalls(PoseReach(shut), (20, 0))[0]] == ["way"]
        assert searched == []

    def test_nor_for_how_much_more_is_missing_on_another_level(self, searched):
        space = replace(upstairs(STAIRS, LADDER), budget=Fraction(6))
        alone, _ = shortfalls(PoseReach(space), (8, 3))
        before = searched.copy()
        searched.clear()
        assert least_shortfalls(PoseReach(space), (8, 3), None, (0, 1)) == (0, alone, ((0.0, 360.0),))
        assert searched == before != []

    def test_the_way_is_told(self):
        space = vehicle(12)
        (short,), _ = shortfalls(PoseReach(space), (0, 11))
        verdict = judged(space, *short.way)
        assert verdict.total == short.needed == 15
        assert [one.what for one in verdict.objections] == ["budget"]
        assert isinstance(short.way.moves[0], Rotate)
