"""Turning places that are just so: where a leg passes a corner, a road begins, a slope is not climbed."""

from fractions import Fraction

import numpy as np
import pytest
from posed_movers import FORWARD, SIDEWAYS, vehicle

from simulator.geometry.footprints import Oval, Rectangle, Round
from simulator.geometry.pieces import PolygonShape, rectangle
from simulator.pathing.posed import PoseReach, PricedGround, TurnPrices, judged
from simulator.pathing.posed.clearings import Passing

#: Far out, so that a way has to turn at just one place, whatever the mesh is laid from.
GAP = 0.02


@pytest.mark.sampled
@pytest.mark.parametrize("base", [Round(0.5), Rectangle(2, 1), Oval(2, 1)])
@pytest.mark.parametrize("offset", [0.0, 0.31, 0.55, 0.83])
def test_a_lane_between_two_walls_is_found_from_any_place_on_the_leg_before(base, offset):
    # North along a lane two hundredths of an inch wider than the base, then on to either side.
    middle = 6.0 + offset
    walls = [rectangle((middle + side * (0.5 + GAP / 2 + 2), 6.0), (4.0, 4.0)) for side in (-1, 1)]
    space = vehicle(40, base=base, modes=(FORWARD,), bars=walls, turns=TurnPrices.of([(90, 4), (180, 8)]))
    goal = (middle + 5.0, 12.0)
    reach = PoseReach(space)
    cost = reach.costs_at([goal])[0]
    # East to below the lane, north through it, and east at its end or beyond.
    assert cost <= middle + 4 + 12 + 4 + 5 + 1e-6
    start, moves = reach.way_to(goal)
    verdict = judged(space, start, moves)
    assert verdict.is_legal
    assert float(verdict.total) == pytest.approx(cost, abs=1e-6)


@pytest.mark.parametrize("turned", [8.0, 21.0, 33.0])
def test_a_narrow_road_is_followed_whichever_way_it_leads(turned):
    road = rectangle((0, 0), (60, 0.8), turned)

    def rate(under, climbed):
        del climbed
        return Fraction(1, 2) if 0 in under else Fraction(1)

    ground = PricedGround([road], rate, least=Fraction(1, 2))
    ahead = np.array([np.cos(np.radians(turned)), np.sin(np.radians(turned))])
    across = np.array([-ahead[1], ahead[0]])
    turns = TurnPrices.of([(90, 2), (180, 4)])
    space = vehicle(36, modes=(FORWARD,), ground=ground, turns=turns, start=(0.0, -3.0), heading=90)
    goal = 24 * ahead + 4 * across
    cost = PoseReach(space).costs_at([goal])[0]
    # Straight north onto the road, along its middle, and off it: two turns of at most 90 degrees.
    onto = 3.0 - 0.4 / np.cos(np.radians(turned))
    at = np.array([0.0, -3.0 + onto])
    along = float((goal - at) @ ahead)
    assert cost <= onto + 2 + along / 2 + 2 + 4.4 + 1e-6
    assert cost < np.hypot(*(goal - (0.0, -3.0)))


def test_a_step_aside_ends_where_the_road_begins():
    # A road beside the start, a third of an inch off: aside onto its border, and along it.
    def rate(under, climbed):
        del climbed
        return Fraction(1, 2) if 0 in under else Fraction(1)

    ground = PricedGround([rectangle((15, 1.33), (60, 2))], rate, least=Fraction(1, 2))
    space = vehicle(20, modes=(FORWARD, *SIDEWAYS), ground=ground)
    cost = PoseReach(space).costs_at([(20.0, 0.33)])[0]
    assert cost == pytest.approx(0.33 * 2 + 20 / 2, abs=1e-6)


def test_a_slope_is_crossed_along_the_contour():
    def rate(under, climbed):
        del under
        return Fraction(2 if climbed else 1)

    hill = rectangle((10, 0), (12, 30))
    ground = PricedGround([hill], rate, slopes={0: 70.0})
    space = vehicle(36, modes=(FORWARD,), ground=ground, heading=0)
    contour = np.array([np.cos(np.radians(-20.0)), np.sin(np.radians(-20.0))])
    goal = np.array([4.0, 0.0]) + 10 * contour
    # Straight on to the foot of the hill, and 10 inches along it after a turn of 20 degrees.
    assert PoseReach(space).costs_at([goal])[0] <= 4 + 6 + 10 + 1e-6


@pytest.mark.parametrize("base", [Round(0.5), Rectangle(2, 1)])
def test_a_place_may_lie_on_the_corner_of_what_legs_pass(base):
    wedge = PolygonShape([(3, 0), (6, -1), (6, 1)])
    passing = Passing(vehicle(20, base=base, modes=(FORWARD,), bars=[wedge], start=(-9.0, 0.0)))
    places = np.array([(3.0, 0.0), (-2.0, 0.0)])
    found = [pair for pair in passing.past_things(places) if 1 in pair[0]]
    assert len(found) == 2
    # From before its point it is passed on either side of the line through its middle.
    low, high = sorted(float(toward[place == 1][0, 1]) for place, toward in found)
    assert -1.0 < low < 0.0 < high < 1.0
    assert low == pytest.approx(-high)
