"""Ends that have to be far from a place: runs that have to lead away from where they began (ME-50)."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import shapely
from posed_movers import FORWARD, REVERSE, flat_ground, vehicle
from posed_tables import START, legal_ends, mover

from simulator.geometry.footprints import Round
from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import (
    FarFrom,
    PhasedReach,
    PoseLink,
    PoseReach,
    PricedGround,
    TableLevel,
    Touch,
    Travel,
    TurnPrices,
    judged,
)
from simulator.pathing.posed.phases import EarlierPhase
from simulator.pathing.posed.shortfalls import shortfalls
from simulator.pathing.posed.together import PoseReaches
from simulator.pathing.weighted import WeightedReach


def runner(budget=12, inches=6, **more):
    """A round mover that has to end farther than some inches from where it starts."""
    more = {"base": Round(0.5), "modes": (FORWARD, REVERSE), "turns": TurnPrices.flat(2), **more}
    return vehicle(12, budget=budget, far_from=(FarFrom((0, 0), inches),), **more)


class TestCosts:
    def test_an_end_is_farther_than_so_much(self):
        costs = PoseReach(runner()).costs_at([(0, 0), (5, 0), (6, 0), (6.001, 0), (0, 7), (0, 5)])
        assert costs.tolist() == pytest.approx([math.inf, math.inf, math.inf, 6.001, 9, math.inf])

    def test_with_a_heading(self):
        reach = PoseReach(runner())
        assert reach.costs_in([(6, 0), (7, 0)], [0, 0]).tolist() == pytest.approx([math.inf, 7])
        assert reach.costs_facing((5, 0), [0, 90]).tolist() == [math.inf, math.inf]
        assert reach.headings_at((5, 0)) == ()
        assert reach.headings_at((7, 0))

    def test_the_length_of_the_way_does_not_matter(self):
        # Around a wall it goes farther than it gets.
        wall = rectangle((5, 0), (1, 3))
        reach = PoseReach(runner(20, bars=[wall], modes=(FORWARD,)))
        assert reach.costs_at([(5.9, 2)])[0] < math.inf
        assert reach.costs_at([(6, 0)])[0] == math.inf

    def test_on_each_level(self):
        ground = PricedGround((), flat_ground)
        stairs = PoseLink("stairs", 0, 1, Fraction(1), ((5.0, 0.0), (5.0, 0.0)))
        space = runner(12, above=(TableLevel(ground),), links=(stairs,))
        costs = PoseReach(space).costs_at([(5.5, 0), (6.5, 0)], level=1)
        assert costs.tolist() == pytest.approx([math.inf, 7.5])

    def test_after_earlier_phases(self):
        space = runner(4, inches=6, turns=TurnPrices.flat(1))
        space = replace(space, earlier=(EarlierPhase(Fraction(4)),))
        assert np.isfinite(PhasedReach(space).costs_at([(5, 0), (7, 0)])).tolist() == [False, True]

    def test_with_less_to_spend_than_it_has_to(self):
        space = runner(12, inches=3, more_than=Fraction(6))
        costs = PoseReach(space).costs_at([(2, 0), (4, 0), (7, 0)])
        assert costs[0] == math.inf
        assert 6 < costs[1] < 12
        assert costs[2] == pytest.approx(7)

    def test_figures_make_sense(self):
        with pytest.raises(ValueError, match="not -1 from"):
            FarFrom((0, 0), -1)
        with pytest.raises(ValueError, match="from"):
            FarFrom((math.nan, 0), 1)


class TestTheJudge:
    def test_an_end_that_is_too_near_is_objected_to(self):
        space = runner()
        found = judged(space, space.starts[0], [Travel(FORWARD, 6)])
        assert [(one.what, one.thing, one.needed, one.available) for one in found.objections] == [("near", 0, 6, 6)]
        assert judged(space, space.starts[0], [Travel(FORWARD, Fraction("6.01"))]).is_legal

    def test_it_is_a_matter_of_the_end(self):
        space = runner()
        found = judged(space, space.starts[0], [Travel(FORWARD, 8), Travel(REVERSE, 2)])
        assert "near" in [one.what for one in found.objections]

    def test_of_several_places_each_counts(self):
        space = replace(runner(), far_from=(FarFrom((0, 0), 2), FarFrom((8, 0), 3)))
        found = judged(space, space.starts[0], [Travel(FORWARD, 6)])
        assert [(one.what, one.thing) for one in found.objections] == [("near", 1)]

    @pytest.mark.parametrize("beyond", [-1e-6, 0.0, 1e-12, 1e-6])
    def test_judge_and_planner_agree_at_the_limit(self, beyond):
        space = runner()
        legal = judged(space, space.starts[0], [Travel(FORWARD, 6 + beyond)]).is_legal
        assert legal == bool(np.isfinite(PoseReach(space).costs_at([(6 + beyond, 0)])[0]))


class TestAreas:
    def test_the_middle_is_cut_out(self):
        whole = PoseReach(replace(runner(), far_from=())).area()
        area = PoseReach(runner()).area()
        inside = shapely.Point(0, 0).buffer(6, quad_segs=256)
        assert area.intersection(shapely.Point(0, 0).buffer(6, quad_segs=16)).area == 0
        assert shapely.difference(whole, inside).symmetric_difference(area).area < 0.02

    def test_of_ends_in_touch_too(self):
        foe = Round(1).at(8, 0)
        space = runner(14, inches=8, bars=[foe], touch=(Touch(foe),))
        area = PoseReach(space).area()
        assert area.length > 0.1
        assert shapely.Point(0, 0).distance(area) >= 8
        assert PoseReach(replace(space, far_from=())).area().length > area.length

    def test_with_a_heading(self):
        area = PoseReach(runner()).area(heading=90)
        assert area.contains(shapely.Point(0, 7))
        assert not area.intersects(shapely.Point(0, 5))


class TestWhyNot:
    def test_too_near(self):
        found, headings = shortfalls(PoseReach(runner()), (4, 0))
        assert [(one.what, one.thing, one.needed) for one in found] == [("near", 0, 6)]
        assert found[0].available == pytest.approx(4)
        assert headings

    def test_nothing_is_missing_where_it_can_end(self):
        assert shortfalls(PoseReach(runner()), (7, 0))[0] == []


class TestFreeDirections:
    def test_weighted_ways_end_far_too(self):
        swamp = rectangle((4, 0), (2, 4))
        ground = PricedGround([swamp], lambda under, _: Fraction(2 if under else 1))
        space = runner(9, turns=TurnPrices.flat(0), ground=ground, modes=(FORWARD,), base=Round(0))
        reach = WeightedReach(space)
        costs = reach.costs_at([(2, 0), (6.5, 0), (0, 6.5), (0, 5.5)])
        assert np.isfinite(costs).tolist() == [False, True, True, False]
        assert reach.area().intersection(shapely.Point(0, 0).buffer(6, quad_segs=16)).area == 0


class TestManyMovers:
    def test_each_by_itself_and_all_together(self):
        spaces = [runner(12, inches) for inches in (3, 6, 9)]
        places = [(2, 0), (5, 0), (8, 0), (10, 0)]
        together = PoseReaches(spaces)
        for space, reach in zip(spaces, together, strict=True):
            assert reach.costs_at(places).tolist() == PoseReach(space).costs_at(places).tolist()


@pytest.mark.sampled
@pytest.mark.parametrize("name", ["disc", "tank", "walker"])
def test_moves_played_at_random(name):
    """Costs are those of the space without it where the end is far, inf elsewhere; written moves are legal."""
    space = mover(name, 0)
    limited = replace(space, far_from=(FarFrom(START, float(space.budget) / 3),))
    whole, reach = PoseReach(space), PoseReach(limited)
    dice = np.random.default_rng(0)
    places = np.array([verdict.place for verdict in legal_ends(space, dice, 12)])
    far = np.hypot(*(places - START).T) > float(space.budget) / 3
    found = reach.costs_at(places)
    assert found.tolist() == np.where(far, whole.costs_at(places), np.inf).tolist()
    for place, moves, ends in zip(places, reach.moves_to_each(places), far.tolist(), strict=True):
        assert (moves is not None) == ends
        if moves is not None:
            assert judged(limited, limited.starts[0], moves).is_legal, place
