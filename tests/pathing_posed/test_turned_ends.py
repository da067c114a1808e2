"""Ends that depend on how a long base faces: beside what it may pass and not end on, and where links take it down."""

import math
from fractions import Fraction

import numpy as np
import pytest
import shapely
from judged_ends import require_judged
from posed_movers import FORWARD, REVERSE, SIDEWAYS, sixths, vehicle

from simulator.geometry.footprints import Oval, Rectangle
from simulator.geometry.pieces import rectangle
from simulator.geometry.shapes import polygons_of
from simulator.pathing.posed import (
    PoseLink,
    PoseReach,
    PoseSpace,
    PoseStart,
    Rotate,
    TableLevel,
    TurnPrices,
    even_ground,
)
from simulator.pathing.posed.turned_ends import headings_with_room

LONG = Rectangle(4, 1)
#: It lies across the way of a mover that starts at 0, 0, from 5 inches on.
CRATE = rectangle((6, 0), (2, 20))
#: At 4, 0 the base just has room beside it, turned by this angle: 2 cos + 1/2 sin = 1.
JUST = math.degrees(math.atan2(0.5, 2.0) + math.acos(1.0 / math.hypot(0.5, 2.0)))


def beside_crate(budget, **more):
    more.setdefault("turns", TurnPrices.flat(2))
    return vehicle(budget, modes=(FORWARD,), base=LONG, no_end=[CRATE], **more)


class TestOneTurnAtTheEnd:
    """There is room at 4, 0 across the way alone: with one turn it is made there."""

    def test_cost(self):
        reach = PoseReach(beside_crate(7))
        assert reach.costs_at([(4, 0), (2.9, 0)]).tolist() == [6.0, 2.9]
        assert require_judged(reach.space, reach, [(4, 0), (2.9, 0), (3.5, 0)]) == 3

    def test_the_move_ends_with_the_turn(self):
        *_, last = PoseReach(beside_crate(7)).moves_to((4, 0))
        assert isinstance(last, Rotate)
        assert abs(float(last.degrees)) == pytest.approx(JUST, abs=1e-4)

    def test_not_where_the_turn_cannot_be_paid(self):
        assert np.isinf(PoseReach(beside_crate(5.9)).costs_at([(4, 0)])).all()

    def test_not_nearer_than_half_its_width(self):
        """Facing along the crate it stands half an inch from it."""
        costs = PoseReach(beside_crate(8)).costs_at([(4.5, 0), (4.51, 0)])
        assert costs.round(6).tolist() == [6.5, math.inf]

    def test_the_cheapest_heading(self):
        """Brackets: to 90 degrees the turn costs 2, beyond 4; the room begins at less than 90."""
        turns = TurnPrices.of([(60, 1), (90, 2), (180, 4)], separation=1)
        assert PoseReach(beside_crate(9, turns=turns)).costs_at([(4, 0)]).tolist() == [6.0]

    def test_a_bar_that_leaves_no_room_for_the_turn(self):
        beside = [rectangle((3, 1.6), (2, 2)), rectangle((3, -1.6), (2, 2))]
        assert np.isinf(PoseReach(beside_crate(7, bars=beside)).costs_at([(4, 0)])).all()


def test_headings_with_room():
    row, heading = headings_with_room(beside_crate(7), np.array([(0.0, 0.0), (4.0, 0.0), (6.0, 0.0)]))
    assert row.tolist() == [1, 1, 1, 1]
    expected = [JUST, 180 - JUST, 180 + JUST, 360 - JUST]
    assert sorted(heading.tolist()) == pytest.approx(expected, abs=1e-4)


def test_down_between_walls():
    """A lift leads down into a lane as wide as the base: above it, the mover turns along the lane first."""
    walls = [rectangle((6, side), (30, 9.0)) for side in (5.0, -5.0)]
    flat = even_ground(Fraction(1))
    space = PoseSpace(
        LONG,
        (PoseStart((6, -3), Fraction(90), level=1),),
        Fraction(9),
        flat,
        (FORWARD,),
        TurnPrices.flat(2),
        bars=walls,
        above=(TableLevel(flat),),
        links=(PoseLink("down", 1, 0, Fraction(1)),),
    )
    reach = PoseReach(space)
    assert reach.costs_at([(6, 0), (6, 0.1)]).tolist() == [6.0, math.inf]
    assert require_judged(space, reach, [(6, 0)]) == 1
    assert reach.area().distance(shapely.Point(6, 0)) < 1e-6


# --- laws over generated tables ---

BASES = (Rectangle(3, 1), Oval(3, 1.5), Rectangle(2, 1.2))
TURNS = (TurnPrices.flat(2), sixths(12), TurnPrices.in_steps(Fraction(45), Fraction(1, 2)))


def among_things(seed):
    """A long base among things that it may pass and not end on, one of which bars its way."""
    dice = np.random.default_rng([seed, 61])
    things = []
    while len(things) < 4:
        middle, (length, width) = dice.uniform(-8, 8, 2), dice.uniform(1, 3, 2)
        if np.hypot(*middle) > 3.5:
            things.append(rectangle(tuple(middle.tolist()), (length, width), float(dice.uniform(0, 90))))
    modes = (FORWARD, REVERSE, *SIDEWAYS) if seed % 2 else (FORWARD,)
    return vehicle(
        float(dice.uniform(6, 12)),
        modes=modes,
        base=BASES[seed % 3],
        turns=TURNS[seed // 3 % 3],
        no_end=things[:3],
        bars=things[3:],
    )


@pytest.mark.sampled
@pytest.mark.parametrize("seed", [1, 2, 4, 5])
def test_an_area_holds_its_ends_and_nothing_else(seed):
    space = among_things(seed)
    reach, places = PoseReach(space), np.random.default_rng(seed).uniform(-9, 9, (700, 2))
    area, ends = reach.area(), np.isfinite(reach.costs_at(places))
    points = shapely.points(places)
    assert 30 < ends.sum() < 690
    assert shapely.distance(area, points[ends]).max() <= 0.1
    well_inside = shapely.contains_xy(shapely.buffer(polygons_of(area), -0.02), *places.T)
    assert np.all(ends[well_inside])
    require_judged(space, reach, places[:25])


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(6))
def test_a_place_costs_no_more_than_with_any_heading(seed):
    """But for hundredths of an inch, by which ways with one of two headings may be found a little shorter."""
    space = among_things(seed)
    dice = np.random.default_rng([seed, 7])
    reach, places = PoseReach(space), dice.uniform(-7, 7, (60, 2))
    headings = np.arange(0, 360, 30.0)
    posed = reach.costs_in(np.repeat(places, len(headings), axis=0), np.tile(headings, len(places)))
    best = posed.reshape(len(places), -1).min(axis=1)
    costs = reach.costs_at(places)
    known = np.isfinite(best)
    assert known.sum() > 5
    assert np.max(costs[known] - best[known]) < 0.05
