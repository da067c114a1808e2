"""Areas for several budgets, drawn together: each holds the ends that cost no more, and no others."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import shapely
from any_spaces import START, any_space
from placed_tables import placed
from posed_movers import FORWARD, REVERSE, SIDEWAYS, vehicle
from posed_tables import legal_ends, mover

from simulator.geometry.shapes import polygons_of
from simulator.pathing.posed import PoseReach, TurnPrices
from simulator.pathing.posed.phased_reach import reach_of

SHARES = (Fraction(1, 3), Fraction(1, 2), Fraction(5, 6))
#: Outlines are drawn to this error; ends farther outside are few, and not much farther.
ERROR, BESIDE = 0.05, 0.1


def budgets_of(space):
    return [space.budget * share for share in SHARES]


def inside(area, dice, count):
    """Places well inside an area."""
    core = shapely.buffer(polygons_of(area), -0.1)
    left, bottom, right, top = core.bounds
    places = dice.uniform((left, bottom), (right, top), (50 * count, 2))
    return places[shapely.contains_xy(core, places[:, 0], places[:, 1])][:count]


@pytest.mark.sampled("track")
@pytest.mark.parametrize("name", ["disc", "point", "walker", "track"])
def test_what_lies_in_an_area_costs_no_more_and_what_does_lies_in_it(name):
    space, dice = mover(name, 2), np.random.default_rng([2, 29])
    reach = PoseReach(space)
    for budget, area in zip(budgets_of(space), reach.areas_within(budgets_of(space), ERROR), strict=True):
        places = inside(area, dice, 40)
        assert len(places) > 10
        assert np.mean(reach.costs_at(places) <= float(budget) + ERROR) > 0.95
        ends = shapely.points([end.place for end in legal_ends(replace(space, budget=budget), dice, 40)])
        assert np.mean(shapely.distance(area, ends) > BESIDE) < 0.05


@pytest.mark.sampled
@pytest.mark.parametrize("seed", [3, 5, 7, 8])
def test_all_that_costs_no_more_lies_in_the_area_or_hardly_beyond(seed):
    space, dice = any_space(seed), np.random.default_rng(seed)
    reach, far = reach_of(space), float(space.budget)
    for level in range(space.level_count):
        places = np.array(START) + dice.uniform(-far, far, (300, 2))
        costs = reach.costs_at(places, level)
        areas = reach.areas_within(budgets_of(space), ERROR, level)
        for budget, area in zip(budgets_of(space), areas, strict=True):
            ends = places[costs <= float(budget)]
            assert np.all(shapely.distance(area, shapely.points(ends)) < BESIDE), (seed, level, budget)


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", ["disc", "walker"])
def test_together_they_are_as_one_by_one(name, seed):
    """With a search for each budget by itself hardly any ground is found besides."""
    space = mover(name, seed)
    together = PoseReach(space).areas_within(budgets_of(space), ERROR)
    for budget, area in zip(budgets_of(space), together, strict=True):
        (again,) = PoseReach(space).areas_within([budget], ERROR)
        assert shapely.buffer(area, ERROR).covers(polygons_of(again).buffer(-ERROR))
        assert shapely.buffer(again, ERROR).covers(polygons_of(area).buffer(-ERROR))


@pytest.mark.parametrize("space", [mover("disc", 1), mover("walker", 1), placed("disc", 1, "arc", "1/4")])
def test_in_parts_they_are_as_at_once(space):
    reach = PoseReach(space)
    steps = sum(1 for _ in reach.areas_within_in_parts(budgets_of(space), ERROR))
    assert steps > len(SHARES)
    assert sum(1 for _ in reach.areas_within_in_parts(budgets_of(space), ERROR)) == 0
    known = reach.areas_within(budgets_of(space), ERROR)
    for area, again in zip(known, PoseReach(space).areas_within(budgets_of(space), ERROR), strict=True):
        assert area.equals_exact(again, 1e-9)


class TestBudgets:
    def test_as_many_areas_as_budgets_in_their_order(self):
        space = vehicle(12, modes=(FORWARD,), turns=TurnPrices.flat(99))
        areas = PoseReach(space).areas_within([Fraction(6), Fraction(0), Fraction(12)])
        assert [area.length for area in areas] == [6.0, 0.0, 12.0]
        assert PoseReach(space).areas_within([]) == []

    def test_no_more_than_there_is(self):
        with pytest.raises(ValueError, match="no more can be spent than 12"):
            PoseReach(vehicle(12)).areas_within([Fraction(13)])

    def test_sideways_and_ahead_for_an_inch_is_ground(self):
        """Half an inch ahead, and what is left of one sideways at twice the price, before any turn can be paid."""
        space = vehicle(6, modes=(FORWARD, REVERSE, *SIDEWAYS), turns=TurnPrices.flat(1))
        (area,) = PoseReach(space).areas_within([Fraction(1)])
        assert area.area == pytest.approx(2 * 1 * 0.5 / 2 + 2 * 0.5 * 0.5 / 2, abs=2e-3)
