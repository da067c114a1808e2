"""Costs that are known in closed form: refraction, roads, pools, rims, slopes, borders, exact fits."""

import math
from fractions import Fraction

import numpy as np
import pytest
from weighted_tables import FORWARD, dear, flat, mover

from simulator.geometry.footprints import Rectangle, Round
from simulator.geometry.pieces import LineShape, PointShape, rectangle
from simulator.pathing.ends import HeadingRange
from simulator.pathing.posed import (
    Mode,
    PoseLink,
    PoseSpace,
    PoseStart,
    PricedGround,
    TableLevel,
    TurnPrices,
    Uphill,
    even_ground,
    judged,
)
from simulator.pathing.traces import NoRoute
from simulator.pathing.weighted import WeightedReach

HALF_PLANE = rectangle((50, 0), (80, 200))  # its border is the line x = 10


def least(price, low, high):
    """The least value of a function with one valley."""
    golden = (math.sqrt(5) - 1) / 2
    for _ in range(200):
        one, other = high - golden * (high - low), low + golden * (high - low)
        low, high = (low, other) if price(one) < price(other) else (one, high)
    return price((low + high) / 2)


def checked(space, place):
    """The cost of a place, with a move that the judge accepts at that cost."""
    reach = WeightedReach(space)
    (cost,) = reach.costs_at([place]).tolist()
    verdict = judged(space, *reach.way_to(place))
    assert verdict.is_legal, verdict.objections
    assert verdict.place == pytest.approx(place, abs=1e-6)
    assert float(verdict.total) == pytest.approx(cost, abs=1e-6)
    return cost


@pytest.mark.parametrize("place", [(15, 4), (12, 9), (20, -13), (10.3, 7), (11, 0)])
@pytest.mark.parametrize("price", [2, Fraction(3, 2), 3])
def test_refraction_at_one_border(place, price):
    space = mover(areas=[HALF_PLANE], rate=dear(price), budget=60)
    x, y = place
    known = least(lambda at: math.hypot(10, at) + float(price) * math.hypot(x - 10, y - at), -20, 20)
    assert checked(space, place) == pytest.approx(known, abs=1e-6)


@pytest.mark.parametrize("place", [(20, 6), (20, 0), (17, -11), (30, 9)])
def test_refraction_at_two_borders(place):
    space = mover(areas=[rectangle((12, 0), (4, 200))], rate=dear(2), budget=60)
    x, y = place

    def price(first):
        return math.hypot(10, first) + least(
            lambda second: 2 * math.hypot(4, second - first) + math.hypot(x - 14, y - second), -20, 20
        )

    assert checked(space, place) == pytest.approx(least(price, -20, 20), abs=1e-6)


def test_on_to_a_road_along_it_and_off():
    # Ground at 2 and a road at 1: a way gets onto the road at 30 degrees off the square, and off it likewise.
    road = rectangle((0, -4.5), (300, 1))
    space = mover(areas=[road], rate=lambda under, _: Fraction(1 if 0 in under else 2), budget=80)
    known = 20 + 2 * 2 * 4 * math.sqrt(3) / 2
    assert checked(space, (20, 0)) == pytest.approx(known, abs=1e-6)


def test_along_a_border_at_the_better_side():
    soft = rectangle((10, -5), (40, 10))
    space = mover((0, 0), areas=[soft], rate=dear(3), radius=0)
    assert checked(space, (20, 0)) == 20
    # From within: to the border at the critical angle, and along it.
    inner = mover((0, -1), areas=[soft], rate=dear(3), radius=0, budget=60)
    assert checked(inner, (20, 0)) == pytest.approx(20 + math.sqrt(8), abs=1e-6)


def test_along_a_border_with_bars_on_one_side():
    """Whatever an inch would cost there: on from the wall the price is that of the open side."""
    wall, soft = rectangle((10, 25), (10, 50)), rectangle((10, -25), (10, 50))
    areas = {"areas": [wall, soft], "bars": [wall], "barred": lambda under: 0 in under}
    space = mover((0, 0), 60, rate=lambda under, _: Fraction(3 if under == {1} else 1), radius=0, **areas)
    assert checked(space, (20, 0)) == pytest.approx(10 + 3 * 10, abs=1e-6)


@pytest.mark.parametrize(("price", "round_it"), [(10, True), (Fraction(21, 20), False)])
def test_round_a_dear_pool_or_through_it(price, round_it):
    pool = rectangle((10, 0), (4, 6))
    space = mover(areas=[pool], rate=dear(price))
    around = 2 * math.hypot(8, 3) + 4
    through = 16 + 4 * float(price)
    assert checked(space, (20, 0)) == pytest.approx(around if round_it else through, abs=1e-6)


def test_round_a_dear_round_pool():
    space = mover(areas=[Round(3).at(10, 0)], rate=dear(20))
    length = math.sqrt(100 - 9)
    arc = 3 * (math.pi - 2 * math.acos(3 / 10))
    assert checked(space, (20, 0)) == pytest.approx(2 * length + arc, abs=1e-6)


def test_refraction_through_a_round_pool():
    space = mover(areas=[Round(5).at(12, 0)], rate=dear(Fraction(11, 10)), budget=60)
    assert checked(space, (24, 0)) == pytest.approx(14 + 11, abs=1e-6)
    (off,) = WeightedReach(space).costs_at([(12, 2)]).tolist()
    price = least(
        lambda t: (
            math.hypot(12 - 5 * math.cos(t), 5 * math.sin(t)) + 1.1 * math.hypot(5 * math.cos(t), 2 - 5 * math.sin(t))
        ),
        -1,
        1.2,
    )
    assert off == pytest.approx(price, abs=1e-6)


@pytest.mark.parametrize("radius", [0.0, 0.5, 0.75])
def test_round_a_circular_base(radius):
    space = mover(bars=[Round(1).at(10, 0)], radius=radius, budget=30)
    off = 1 + radius
    known = 2 * math.sqrt(100 - off**2) + off * (math.pi - 2 * math.acos(off / 10))
    assert checked(space, (20, 0)) == pytest.approx(known, abs=1e-6)


def test_round_a_base_on_soft_ground():
    space = mover(areas=[rectangle((10, 0), (30, 30))], rate=dear(2), bars=[Round(1).at(10, 0)], budget=60)
    known = 2 * (2 * math.sqrt(100 - 1.5**2) + 1.5 * (math.pi - 2 * math.acos(0.15)))
    assert checked(space, (20, 0)) == pytest.approx(known, abs=1e-6)


def test_a_corridor_as_wide_as_the_base():
    walls = [rectangle((10, 2), (8, 2)), rectangle((10, -2), (8, 2))]
    assert checked(mover(bars=walls, radius=1), (20, 0)) == 20
    assert WeightedReach(mover(bars=walls, radius=1.001, budget=22)).costs_at([(20, 0)])[0] == math.inf


def test_between_two_bases_as_far_apart_as_the_base_is_wide():
    bases = [Round(1).at(10, 2), Round(1).at(10, -2)]
    assert checked(mover(bars=bases, radius=1, budget=21), (20, 0)) == pytest.approx(20, abs=1e-6)


class TestUphill:
    """Ground that costs double uphill; up is north."""

    HILL = rectangle((0, 0), (60, 60))

    @pytest.mark.parametrize("place", [(6, 3), (-6, 3), (5, 5), (1, 8), (9, 0.5)])
    def test_any_gain(self, place):
        space = mover(areas=[self.HILL], slopes={0: 90}, budget=60)
        x, y = abs(place[0]), place[1]
        # Along the contour, and from 60 degrees off it straight: half the way up costs sqrt(3) for an inch of height.
        known = x + y * math.sqrt(3) if y < x * math.sqrt(3) else 2 * math.hypot(x, y)
        assert checked(space, place) == pytest.approx(known, abs=1e-6)

    @pytest.mark.parametrize("place", [(6, -3), (-8, 0), (0, -7)])
    def test_down_and_along_cost_nothing_more(self, place):
        assert checked(mover(areas=[self.HILL], slopes={0: 90}), place) == pytest.approx(math.hypot(*place), abs=1e-6)

    @pytest.mark.parametrize("place", [(0, 8), (2, 7), (-1, 6)])
    def test_uphill_within_45_degrees_is_climbed_in_zigzags(self, place):
        space = mover(areas=[self.HILL], slopes={0: 90}, uphill=Uphill(45), budget=60)
        # Just 45 degrees off both ways: every inch of height costs the root of two.
        assert checked(space, place) == pytest.approx(place[1] * math.sqrt(2), abs=1e-6)

    def test_straight_up_or_round_the_hill(self):
        hill = rectangle((10, 0), (6, 4))
        up = mover(areas=[hill], slopes={0: 0}, rate=lambda _, climbed: Fraction(3 if climbed else 1))
        around = 2 * math.hypot(7, 2) + 6
        straight = 14 + 6 * 3
        assert checked(up, (20, 0)) == pytest.approx(min(around, straight), abs=1e-6)
        low = mover(areas=[hill], slopes={0: 0}, rate=lambda _, climbed: Fraction(21 if climbed else 20) / 20)
        assert checked(low, (20, 0)) == pytest.approx(14 + 6 * 1.05, abs=1e-6)

    def test_a_stair_past_what_stands_there(self):
        # The bend of either two legs would lie in a base; smaller steps keep clear of both.
        bars = [Round(0.6).at(0, 3), Round(0.6).at(6, 0)]
        space = mover(areas=[self.HILL], slopes={0: 90}, bars=bars, radius=0.1)
        assert checked(space, (6, 3)) == pytest.approx(6 + 3 * math.sqrt(3), abs=1e-6)


class TestStarts:
    def test_the_cheapest_start_counts_with_what_was_paid(self):
        starts = (PoseStart((0, 0), Fraction(0), Fraction(3)), PoseStart((6, 0), Fraction(90), Fraction(1)))
        reach = WeightedReach(mover(starts=starts, budget=10))
        assert reach.costs_at([(0, 0), (5, 0), (-7, 0), (15, 0), (-7.1, 0)]).tolist() == [3, 2, 10, 10, math.inf]
        assert [reach.way_to(place).start for place in ((-6, 0), (7, 0))] == [*starts]

    def test_what_may_be_spent_on_legs(self):
        starts = (
            PoseStart((0, 0), Fraction(0), Fraction(2), Fraction(2)),
            PoseStart((0, 30), Fraction(0), Fraction(5)),
        )
        reach = WeightedReach(mover(starts=starts, budget=12, most_travelled=Fraction(6)))
        assert reach.costs_at([(4, 0), (4.1, 0), (6, 30), (6.1, 30)]).tolist() == [6, math.inf, 11, math.inf]

    def test_a_lower_limit(self):
        reach = WeightedReach(mover(budget=10, more_than=Fraction(4)))
        assert reach.costs_at([(0, 0), (4, 0), (4.1, 0), (10, 0)]).tolist() == [math.inf, math.inf, 4.1, 10]
        area = reach.area(error=0.02)
        assert area.area == pytest.approx(math.pi * (100 - 16), rel=0.01)

    def test_a_start_that_overlaps_what_stands_there_leads_nowhere(self):
        reach = WeightedReach(mover(bars=[Round(1).at(1, 0)], radius=1))
        assert reach.costs_at([(0, 0), (-3, 0)]).tolist() == [0, math.inf]

    def test_nothing_is_spent_on_staying(self):
        reach = WeightedReach(mover((3, 4)))
        assert reach.moves_to((3, 4)) == ()
        assert [str(move) for move in reach.moves_to((3, 4), 90)] == ["90 degrees to the left"]


class TestWhatBars:
    def test_what_may_be_passed_and_not_ended_on(self):
        reach = WeightedReach(mover(no_end=[Round(1).at(5, 0)], radius=0.5))
        assert reach.costs_at([(10, 0), (5, 0), (3.5, 0)]).tolist() == [10, math.inf, 3.5]

    def test_the_edge_of_the_table(self):
        within = WeightedReach(mover((5, 5), box=(0, 0, 30, 20), radius=1))
        assert within.costs_at([(1, 5), (0.9, 5)]).tolist() == [4, math.inf]
        over = WeightedReach(mover((5, 5), box=(0, 0, 30, 20), radius=1, whole_base_on_table=False))
        assert over.costs_at([(1, 5), (0, 5), (-0.1, 5)]).tolist() == [4, 5, math.inf]

    def test_closed_ground(self):
        shut = rectangle((10, 0), (4, 6))
        space = mover(areas=[shut], rate=lambda under, _: None if under else Fraction(1), radius=0.5)
        assert checked(space, (20, 0)) == pytest.approx(2 * math.hypot(8, 3) + 4, abs=1e-6)
        assert WeightedReach(space).costs_at([(10, 0)])[0] == math.inf

    def test_a_point_passes_no_wall(self):
        space = mover(bars=[LineShape([(5, -3), (5, 3)])], radius=0)
        assert checked(space, (10, 0)) == pytest.approx(2 * math.hypot(5, 3), abs=1e-6)


def test_the_cheapest_mode_counts():
    modes = (FORWARD, Mode("astride", 90, Fraction(1, 2)))
    reach = WeightedReach(mover(modes=modes, least=1))
    assert reach.costs_at([(10, 0)])[0] == 5
    assert [str(move) for move in reach.moves_to((10, 0))] == ["90 degrees to the right", "10 inches astride"]


def test_headings_are_free():
    reach = WeightedReach(mover(budget=10))
    assert reach.costs_in([(3, 4), (30, 0)], [10, 20]).tolist() == [5, math.inf]
    assert reach.headings_at((3, 4)) == (HeadingRange.whole(5.0),)
    assert reach.headings_at((30, 0)) == ()
    moves = reach.moves_to((5, 0), 45)
    assert [str(move) for move in moves] == ["5 inches forward", "45 degrees to the left"]
    with pytest.raises(NoRoute):
        reach.moves_to((30, 0))
    assert reach.costs_at([]).shape == (0,)
    assert reach.moves_to_each([(30, 0)]) == [None]


def test_other_movers_are_turned_away():
    def fails(match, base=None, ground=None, turns=None, modes=(FORWARD,), **more):
        ground = ground or PricedGround((), flat)
        starts = (PoseStart((0, 0), Fraction(0)),)
        space = PoseSpace(base or Round(1), starts, Fraction(9), ground, modes, turns or TurnPrices.flat(0), **more)
        with pytest.raises(ValueError, match=match):
            WeightedReach(space)

    fails("PoseReach plans for movers that pay for turns", turns=TurnPrices.of([(90, 0), (180, 1)]))
    fails("PoseReach plans for movers that change levels", above=(TableLevel(even_ground(Fraction(1))),))
    fails(
        "PoseReach plans for movers that change levels", links=(PoseLink("door", 0, 0, Fraction(1), ((0, 0), (1, 0))),)
    )
    fails("the base is not round", base=Rectangle(2, 1))
    fails("under the whole base", ground=PricedGround((), flat, base=Round(1)))
    fails("grain", ground=PricedGround((), flat, grain=Fraction(1, 2)))
    fails("no mode", modes=())


def test_the_area_of_open_ground():
    area = WeightedReach(mover(budget=10)).area(error=0.01)
    assert area.area == pytest.approx(math.pi * 100, rel=2e-3)


def test_the_area_along_a_road():
    road = rectangle((15, 0), (30, 0.4))
    rule = {"areas": [road], "rate": lambda under, _: Fraction(1, 2) if under else Fraction(1), "least": "1/2"}
    space = mover(budget=6, **rule)
    area = WeightedReach(space).area()
    assert area.covers(rectangle((5.5, 0), (11, 0.3)).polygon)
    assert area.bounds[2] == pytest.approx(12, abs=0.05)
    assert np.hypot(area.bounds[0], 0) == pytest.approx(6, abs=0.05)


def test_a_post_has_no_sides():
    """It bars a point nowhere but where it stands; beside dear ground its sides were divided by their length, 0."""
    space = mover(budget=15, areas=[HALF_PLANE], rate=dear(2), radius=0, bars=[PointShape(4, 0)])
    assert WeightedReach(space).costs_at([(8, 1), (12, 0)]).tolist() == pytest.approx([math.hypot(8, 1), 14], abs=1e-6)
