"""Reach to poses in mecha to which ways lead in few directions, by half inches: it knows what the judge accepts."""

import math
from fractions import Fraction

import numpy as np
import pytest
from mecha_games import generated, mecha_game, unit

from simulator.geometry.pieces import Piece, rectangle
from simulator.geometry.poses import Pose
from simulator.pathing.posed import Rotate, Travel

#: Ground of several prices in layers, on a table of water.
LAYERS = [
    Piece("p0", "very_difficult", rectangle((-0.1855, 0.499), (1.831, 4.462))),
    Piece("p1", "woodland", rectangle((-1.049, 2.8465), (2.07, 4.939))),
    Piece("p2", "flat_ground", rectangle((-2.462, 4.626), (4.876, 2.92))),
    Piece("p3", "shallow_water", rectangle((-0.8825, 1.9465), (1.853, 3.191))),
]
RATES = {
    "move_table.hover.very_difficult": 0.25,
    "move_table.hover.rough": 3,
    "move_table.hover.on_shallow_water": 0.25,
}


def shorter(degrees):
    return (degrees + 180.0) % 360.0 - 180.0


def by_two_legs(reach, place, heading, first):
    """The moves of a way of two legs forward to a pose, after a first turn by some angle; None: none leads there."""
    mover, forward = reach.mover, reach.space.modes[0]
    begun = math.radians(float(mover.heading) + first)
    ahead, onward = ((math.cos(one), math.sin(one)) for one in (begun, math.radians(heading)))
    x, y = place[0] - float(mover.place[0]), place[1] - float(mover.place[1])
    aside = ahead[0] * onward[1] - ahead[1] * onward[0]
    if abs(aside) < 1e-6:
        return None
    inches = (x * onward[1] - y * onward[0]) / aside, (ahead[0] * y - ahead[1] * x) / aside
    if not all(0 <= one < 9 for one in inches):
        return None
    second = shorter(heading - float(mover.heading) - first)
    return [
        Rotate(Fraction(first)),
        Travel(forward, Fraction(inches[0])),
        Rotate(Fraction(second)),
        Travel(forward, Fraction(inches[1])),
    ]


def cheapest_by_two_legs(reach, place, heading, firsts):
    """What the cheapest of some such ways costs that the judge accepts; None: it accepts none."""
    ways = [by_two_legs(reach, place, heading, shorter(first)) for first in firsts]
    found = [reach.moves.judged(way) for way in ways if way is not None]
    return min((one.total for one in found if not one.objections), default=None)


@pytest.mark.parametrize("heading", [113.25, 118.75, 119.05, 122.75, 123.25, 124.25])
def test_between_headings_that_lead_there(heading):
    """ME-17, ME-18: first turns lead there that are half a degree apart at most."""
    mover = unit("A", "hover", kind="infantry", size_class=4, move=3, heading=45)
    reach = mecha_game(mover, terrain=tuple(LAYERS), ground="shallow_water", tables=RATES).reach("A", "standard")
    place = (-4.894, 3.4656)
    cost = cheapest_by_two_legs(reach, place, heading, np.arange(100, 130, 0.1))
    assert reach.cost_at(Pose(place, heading)) <= cost
    (order,) = reach.orders_to(Pose(place, heading))
    assert order.elements


@pytest.mark.parametrize(
    ("number", "mobility", "place", "heading"),
    [
        (16, "wheel", (-0.4120760567778477, -1.4032289725453257), 266.59866708178436),
        (22, "hover", (-1.3187025099811187, 0.5615603040770104), 165.86342250868236),
    ],
)
def test_on_generated_tables(number, mobility, place, heading):
    """ME-17: to these poses, one of the legs is a number of half inches long."""
    reach = generated(number, mobility).reach("A", "standard")
    assert reach.cost_at(Pose(place, heading)) <= cheapest_by_two_legs(reach, place, heading, np.arange(0, 360, 0.25))


@pytest.mark.sampled
@pytest.mark.parametrize("number", range(12))
def test_what_the_judge_accepts(number):
    """ME-10, ME-17: no way of two legs costs less than what reach says of where it ends."""
    mobility = ("track", "wheel", "hover", "infantry")[number % 4]
    reach, dice = generated(number, mobility).reach("A", "standard"), np.random.default_rng(number)
    found = 0
    for _ in range(60):
        first, heading, inches, more = dice.uniform((-180, 0, 0.3, 0.3), (180, 360, 3, 2))
        begun, onward = np.radians([float(reach.mover.heading) + first, heading])
        x, y = np.array(reach.mover.place, float) + inches * np.array([np.cos(begun), np.sin(begun)])
        place = (x + more * math.cos(onward), y + more * math.sin(onward))
        cost = cheapest_by_two_legs(reach, place, heading, [first])
        if cost is not None and found < 4:
            found += 1
            cost = min(cost, cheapest_by_two_legs(reach, place, heading, first + np.arange(-8, 8, 0.5)))
            assert reach.cost_at(Pose(place, heading)) <= cost
