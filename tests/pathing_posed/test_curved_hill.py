"""A round hill as several slopes: each part leads up to the middle, and whatever leads higher costs double."""

import math
from fractions import Fraction

import numpy as np
import pytest
import shapely
from posed_movers import FORWARD, vehicle
from test_posed_closed_forms import checked

from simulator.geometry.pieces import PolygonShape
from simulator.pathing.posed import PoseReach, PricedGround, Travel, TurnPrices, judged

RADIUS, PARTS = 5.0, 12


def part(number):
    """A slice of the hill, its rim as two chords."""
    bearings = np.radians(360 / PARTS * (number + np.array([0.0, 0.5, 1.0])))
    return PolygonShape([(0.0, 0.0), *(RADIUS * np.stack([np.cos(bearings), np.sin(bearings)], axis=1)).tolist()])


SLICES = [part(number) for number in range(PARTS)]
HILL = PricedGround(
    SLICES,
    lambda _, climbed: Fraction(2 if climbed else 1),
    slopes={number: 360 / PARTS * (number + 0.5) + 180 for number in range(PARTS)},
)
ROUND = shapely.union_all([piece.polygon for piece in SLICES]).buffer(1e-9)


def around(inches, degrees):
    return inches * math.cos(math.radians(degrees)), inches * math.sin(math.radians(degrees))


def from_afar(degrees, turn, aside=0.0, budget=60):
    """A mover ten inches from the middle, and so far to its left, that faces past the middle."""
    x, y = around(10, degrees)
    left = around(aside, degrees + 90)
    start = (x - left[0], y - left[1])
    return vehicle(budget, modes=(FORWARD,), start=start, heading=degrees + 180, turns=turn, ground=HILL)


@pytest.mark.parametrize("aside", [0.0, 1.0, 2.5, 4.0, 4.9, 5.5])
@pytest.mark.parametrize("degrees", [0, 90, 210])
def test_straight_over_it_half_the_way_is_uphill(degrees, aside):
    space = from_afar(degrees, TurnPrices.flat(99), aside)
    x, y = space.starts[0].place
    ahead = around(20, degrees + 180)
    chord = ROUND.intersection(shapely.LineString([(x, y), (x + ahead[0], y + ahead[1])])).length
    # Whoever moves along a line climbs until it is nearest to the middle.
    assert checked(space, (x + ahead[0], y + ahead[1])) == pytest.approx(20 + chord / 2, abs=1e-6)
    assert (chord > 0) == (aside < RADIUS)


def test_it_looks_the_same_from_each_of_its_sides():
    costs = []
    for degrees in range(0, 360, 60):
        reach = PoseReach(from_afar(degrees, TurnPrices.flat(1), budget=26))
        goals = [around(10, degrees + 180), around(7, degrees + 90), around(7, degrees + 270), around(3, degrees + 45)]
        costs.append(reach.costs_at(goals).tolist())
    assert np.isfinite(costs).all()
    assert np.ptp(costs, axis=0).max() < 0.05


def test_climbing_straight_up_and_along_the_contour():
    """On a slope of the hill any gain is uphill: across it, square to the way up, is not."""
    number = 3
    middle = 360 / PARTS * (number + 0.5)
    place = around(4, middle)
    for heading, rate in ((middle + 180, 2), (middle + 90, 1), (middle - 90, 1), (middle, 1), (middle + 91, 2)):
        space = vehicle(9, modes=(FORWARD,), start=place, heading=heading, ground=HILL)
        (leg,) = judged(space, space.starts[0], [Travel(FORWARD, 0.5)]).charges
        assert float(leg.price) == 0.5 * rate
