"""What is left out because another plan leads there does lead there: plans one by one, and all of them together."""

from dataclasses import replace

import numpy as np
import pytest
import shapely
from mecha_games import generated, mecha_game, unit

from simulator.engine.amounts import plain
from simulator.geometry.pieces import Piece, rectangle
from simulator.geometry.shapes import joined

#: Each with the seed of its table.
MOVERS = {"walker": 41, "wheel": 44, "infantry": 45}


@pytest.fixture(scope="module", params=MOVERS)
def reach(request):
    """The turn of a unit on a generated table."""
    return generated(MOVERS[request.param], request.param).reach("A", "turn")


def places_in(area, count=40):
    """Places in the polygons of an area."""
    dice, (left, bottom, right, top) = np.random.default_rng(5), area.bounds
    some = dice.uniform((left, bottom), (right, top), (20 * count, 2)).round(3)
    return some[shapely.contains_xy(area, *some.T)][:count]


def least(ranges, heading):
    """The least cost of a heading in some ranges; None in none."""
    return min((one.cost for one in ranges if heading in one), default=None)


@pytest.mark.sampled
def test_a_covered_plan_adds_no_places(reach):
    by_name = {plan.name: plan for plan in reach.plans}
    covered = [plan for plan in reach.plans if plan.covered_by]
    assert covered
    for plan in covered:
        places = places_in(plan.answer.area)
        ends = np.isfinite(plan.answer.costs_of(places))
        assert ends.mean() > 0.99
        assert np.isfinite(by_name[plan.covered_by].answer.costs_of(places[ends])).all(), plan.name


@pytest.mark.sampled
def test_the_area_of_all_is_that_of_each(reach):
    for price in reach.levels:
        each = joined([plan.answer.area for plan in reach.plans if plan.price <= price])
        together = reach.within(price)
        # Ends that a way just so leads to may be found or missed, but not many.
        assert shapely.difference(together, each.buffer(reach.tolerance)).area < 0.05
        assert shapely.difference(each, together.buffer(reach.tolerance)).area < 1e-3


@pytest.mark.long
def test_the_headings_of_all_are_those_of_each(reach):
    places = places_in(reach.area, 2)
    for row, found in enumerate(reach.headings_in_each(places, None)):
        each = [
            replace(one, cost=plain(plan.price))
            for plan in reach.plans
            for one in plan.answer.headings_in_each(places[row : row + 1], None)[0]
        ]
        for heading in np.arange(0.123, 360.0, 1.5).tolist():
            assert least(found, heading) == least(each, heading), (places[row], heading)


class TestClimbs:
    """Climbs after a move: looked for along all sides together, round terrain by the sides it is drawn with."""

    def turn(self, **fields):
        terrain = (
            Piece("keep", "building", rectangle((6, 0), (4, 5), 20), "elevated", 3),
            Piece("shed", "building", rectangle((-4, 5), (3, 3)), "elevated", 2),
        )
        return mecha_game(unit("A", "walker", size_class=2, move=5, **fields), terrain=terrain).reach("A", "turn")

    @pytest.mark.long
    def test_the_lines_on_top_are_what_costs_say(self):
        name = "keep"
        (plan,) = (plan for plan in self.turn().plans if plan.name == "standard, then climb")
        drawn = plan.answer.area_of(level=name)
        assert drawn.length > 1.0
        sides = plan.answer._sides
        for share in np.linspace(0.02, 0.98, 25).tolist():
            places = sides.on_top(share)[[one == name for one in sides.names]]
            ends = np.isfinite(plan.answer.costs_in(places, None, name))
            assert (shapely.distance(shapely.points(places), drawn) < 1e-4).tolist() == ends.tolist()
