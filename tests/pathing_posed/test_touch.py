"""Ends that have to touch things: charges, carriers to be entered, contacts to be kept; costs, areas, the judge."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import shapely
from posed_movers import FORWARD, REVERSE, flat_ground, stepper, vehicle
from posed_tables import START, mover

from simulator.geometry.footprints import Rectangle, Round
from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import (
    PoseLink,
    PoseReach,
    PricedGround,
    Rotate,
    TableLevel,
    Touch,
    Travel,
    TurnPrices,
    judged,
)
from simulator.pathing.posed.shortfalls import shortfalls
from simulator.pathing.posed.together import PoseReaches
from simulator.pathing.weighted import WeightedReach

FOE = Round(1).at(8, 0)


def charger(budget=12, *touch, **more):
    """A round mover that goes forward and turns for 1, with a foe in its way that it has to touch."""
    more = {"base": Round(1), "modes": (FORWARD,), "turns": TurnPrices.flat(1), "bars": [FOE], **more}
    return vehicle(12, budget=budget, touch=touch or (Touch(FOE),), **more)


class TestCosts:
    def test_only_places_in_touch_are_ends(self):
        reach = PoseReach(charger())
        assert reach.costs_at([(6, 0), (5.99, 0), (5.98, 0), (6.1, 0), (0, 0)]).tolist() == pytest.approx(
            [6, 5.99, math.inf, math.inf, math.inf]
        )

    def test_with_a_heading(self):
        reach = PoseReach(charger())
        assert reach.costs_in([(6, 0), (6, 0), (5, 0)], [0, 90, 0]).tolist() == pytest.approx([6, 7, math.inf])
        assert reach.costs_facing((6, 0), [0, 90]).tolist() == pytest.approx([6, 7])
        assert reach.headings_at((5, 0)) == ()

    def test_the_budget_has_to_pay_for_it(self):
        assert PoseReach(charger(Fraction("5.9"))).costs_at([(6, 0), (5.9, 0)]).tolist() == [math.inf, math.inf]

    def test_two_things_at_once(self):
        # A base of 1 touches two others of 1, 2 inches apart, between them and to the side.
        one, other = Round(1).at(6, 1.5), Round(1).at(6, -1.5)
        space = charger(12, Touch(one), Touch(other), bars=[one, other])
        near = 6 - math.sqrt(2**2 - 1.5**2)
        assert PoseReach(space).costs_at([(near, 0), (4.5, 0)]).tolist() == pytest.approx([near, math.inf])

    def test_more_has_to_be_spent_as_well(self):
        # A charge that has to use more than the move value.
        assert PoseReach(charger(more_than=Fraction(5))).costs_at([(6, 0)]).tolist() == [6]

    def test_contact_that_was_there_before(self):
        space = charger(4)
        space = replace(space, starts=(replace(space.starts[0], place=(6.0, 0.0)),))
        assert PoseReach(space).costs_at([(6, 0)]).tolist() == [0]


class TestTheJudge:
    def test_an_end_that_touches_nothing_is_objected_to(self):
        space = charger()
        found = judged(space, space.starts[0], [Travel(FORWARD, 5)])
        assert [(one.what, one.thing, one.inches) for one in found.objections] == [("touch", 0, 5)]
        assert judged(space, space.starts[0], [Travel(FORWARD, 6)]).is_legal

    def test_touching_is_a_matter_of_the_end(self):
        space = charger(modes=(FORWARD, REVERSE))
        found = judged(space, space.starts[0], [Travel(FORWARD, 6), Travel(REVERSE, 1)])
        assert [one.what for one in found.objections] == ["touch"]

    @pytest.mark.parametrize("far", [5.98, 5.991, 6.0])
    def test_judge_and_planner_agree_about_gaps(self, far):
        space = charger()
        legal = judged(space, space.starts[0], [Travel(FORWARD, far)]).is_legal
        assert legal == bool(np.isfinite(PoseReach(space).costs_at([(far, 0)])[0]))


class TestAreas:
    def test_an_arc_around_the_foe(self):
        area = PoseReach(charger(8)).area()
        assert area.length > 3
        edge = shapely.get_coordinates(shapely.segmentize(area, 0.05))
        assert np.hypot(edge[:, 0] - 8, edge[:, 1]) == pytest.approx(2.005, abs=0.0051)
        # Seven inches after a turn, straight to the touch.
        assert area.bounds[1] == pytest.approx(-area.bounds[3], abs=0.02)
        assert np.hypot(*edge[edge[:, 1].argmax()]) == pytest.approx(7.0, abs=0.02)

    def test_each_place_of_it_is_an_end(self):
        space = charger(9)
        reach = PoseReach(space)
        area = reach.area()
        along = np.linspace(0, 1, 23)
        line = max(shapely.get_parts(shapely.line_merge(area)), key=lambda part: part.length)
        places = shapely.get_coordinates(shapely.line_interpolate_point(line, along, normalized=True))
        costs = reach.costs_at(places)
        assert np.isfinite(costs).all()
        for place, cost, moves in zip(places, costs, reach.moves_to_each(places), strict=True):
            found = judged(space, space.starts[0], moves)
            assert found.is_legal, found.objections
            assert float(found.total) == pytest.approx(cost, abs=1e-6)
            assert found.place == pytest.approx(tuple(place), abs=1e-6)

    def test_a_short_part_is_found_as_well(self):
        # With six inches after a turn it gets to little more than the nearest place.
        area = PoseReach(charger(7)).area()
        assert 0.1 < area.length < 0.3
        assert area.distance(shapely.Point(6, 0)) < 0.01

    def test_with_a_heading_it_is_shorter(self):
        reach = PoseReach(charger(8))
        facing = reach.area(heading=0)
        # One turn to set out by, and one to face ahead again.
        assert 0.1 < facing.length < 0.3 < reach.area().length
        assert facing.buffer(0.02).covers(shapely.Point(6, 0))

    def test_along_a_wall(self):
        wall = rectangle((5, 0), (2, 8))
        area = PoseReach(charger(5, Touch(wall), bars=[wall])).area()
        # Three inches ahead of it, and one for the turn: 4 inches far, so 2.65 to either side.
        assert area.bounds == pytest.approx((2.995, -math.sqrt(7), 2.995, math.sqrt(7)), abs=0.02)

    def test_of_two_things_there_is_a_point_left(self):
        one, other = Round(1).at(6, 1.5), Round(1).at(6, -1.5)
        area = PoseReach(charger(12, Touch(one), Touch(other), bars=[one, other])).area()
        near = 6 - math.sqrt(2**2 - 1.5**2)
        assert 0 < area.length < 0.2
        assert area.distance(shapely.Point(near, 0)) < 0.02


class TestLevels:
    def test_what_is_touched_stands_on_its_level(self):
        even = PricedGround((), flat_ground)
        ramp = PoseLink("rise", 0, 1, Fraction(2))
        aloft = TableLevel(even, bars=[FOE])
        space = charger(12, Touch(FOE, level=1), bars=[], above=(aloft,), links=(ramp,))
        reach = PoseReach(space)
        assert reach.costs_at([(6, 0)], level=0).tolist() == [math.inf]
        assert reach.costs_at([(6, 0), (5, 0)], level=1).tolist() == [8, math.inf]
        assert reach.area(level=0).is_empty
        found = judged(space, space.starts[0], [Travel(FORWARD, 6)])
        assert [one.what for one in found.objections] == ["touch"]
        assert judged(space, space.starts[0], reach.moves_to((6, 0), level=1)).is_legal


def test_why_not():
    reach = PoseReach(charger())
    (short,), room = shortfalls(reach, (4, 0))
    assert (short.what, short.thing, room) == ("touch", 0, ((0.0, 360.0),))
    found, _ = shortfalls(reach, (7, 0))
    assert {one.what for one in found} == {"bars"}
    found, _ = shortfalls(PoseReach(charger(3)), (6, 0))
    assert [one.what for one in found] == ["budget"]


def test_movers_together_with_things_of_their_own_to_touch():
    others = [charger(), charger(12, Touch(FOE, within=0.5))]
    reaches = PoseReaches(others)
    places = [(6, 0), (5.6, 0), (5, 0)]
    assert [reach.costs_at(places).tolist() for reach in reaches] == [
        PoseReach(space).costs_at(places).tolist() for space in others
    ]
    again = reaches.after([others[0], others[0]])
    assert again.searched == ()
    assert again[1].costs_at(places).tolist() == pytest.approx([6, math.inf, math.inf])


def test_what_cannot_be_held_to_touch_is_refused():
    with pytest.raises(ValueError, match="has a round base"):
        charger(base=Rectangle(2, 1))
    with pytest.raises(ValueError, match="on levels from 0 to 0"):
        charger(12, Touch(FOE, level=1))
    with pytest.raises(ValueError, match=r"0\.001 inches or wider, not 0"):
        Touch(FOE, within=0)
    with pytest.raises(ValueError, match="ends have to touch something"):
        WeightedReach(charger(turns=TurnPrices.flat(0))).costs_at([(0, 0)])


# Long: every end in touch is written and judged; single ones are tried beside it.
@pytest.mark.long
def test_ends_in_touch_have_moves_that_the_judge_accepts():
    space = mover("disc", 2)
    near = sorted(space.bars, key=lambda bar: bar.polygon.distance(shapely.Point(START)))[:2]
    ends = 0
    for bar in near:
        wanted = replace(space, touch=(Touch(bar),))
        reach, free = PoseReach(wanted), PoseReach(space)
        area = reach.area()
        places = shapely.get_coordinates(shapely.segmentize(area, 1.0))[:12]
        costs = reach.costs_at(places)
        assert costs.tolist() == pytest.approx(free.costs_at(places).tolist(), abs=1e-9)
        for cost, moves in zip(costs, reach.moves_to_each(places), strict=True):
            if moves is not None:
                found = judged(wanted, wanted.starts[0], moves)
                assert found.is_legal, found.objections
                assert float(found.total) == pytest.approx(float(cost), abs=1e-6)
                ends += 1
    assert ends > 10


def test_a_walker_that_pays_begun_half_inches_ends_in_touch():
    space = stepper(6, free=90, bars=[Round(0.5).at(3.2, 0)], touch=(Touch(Round(0.5).at(3.2, 0)),))
    reach = PoseReach(space)
    assert reach.costs_at([(2.2, 0)]).tolist() == [2.5]
    found = judged(space, space.starts[0], [Rotate(90), Rotate(-90), *reach.moves_to((2.2, 0))])
    assert found.is_legal
