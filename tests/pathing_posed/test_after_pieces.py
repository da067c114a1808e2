"""Legs that are paid for by begun pieces: who turns where a piece ends gets farther for the same price."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import shapely
from posed_movers import FORWARD, REVERSE, SIDEWAYS, stepper

from simulator.formats.scenarios import load_scenario
from simulator.geometry.footprints import Round
from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import PoseReach, PricedGround, Rotate, Travel, judged

MECHA = Path(__file__).resolve().parents[2] / "scenarios" / "mecha"


def mud(under, climbed):
    """Twice the price on the areas."""
    del climbed
    return Fraction(2) if under else Fraction(1)


def among_dear_ground(number):
    """A stepper on a few patches of dear ground, which is priced by begun half inches."""
    random = np.random.default_rng(number)
    spots, turned = random.uniform(-4, 4, (6, 2)), random.uniform(0, 90, 6)
    areas = [rectangle((x, y), (2.0, 1.2), float(angle)) for (x, y), angle in zip(spots, turned, strict=True)]
    ground = PricedGround(areas, mud, base=Round(0.5), grain=Fraction(1, 2))
    return stepper(4, free=90, modes=(FORWARD, REVERSE, *SIDEWAYS), ground=ground)


def test_a_turn_in_the_middle_of_a_piece_would_not_do():
    # Half an inch ahead and one to the side, at 45 degrees: four half inches and two turns, from the end of the first.
    space = stepper(Fraction(3), free=0, ground=PricedGround((), mud, base=Round(0.5), grain=Fraction(1, 2)))
    goal = (0.5 + 0.7, 0.7)
    moves = [Travel(FORWARD, Fraction(1, 2)), Rotate(45), Travel(FORWARD, float(np.hypot(0.7, 0.7)))]
    verdict = judged(space, space.starts[0], moves)
    assert verdict.is_legal
    assert PoseReach(space).costs_at([goal])[0] <= float(verdict.total)


def places_in(area, number):
    """Places in an area."""
    random = np.random.default_rng(number)
    left, bottom, right, top = area.bounds
    places = random.uniform((left, bottom), (right, top), (900, 2)).round(3)
    return places[shapely.contains_xy(area, *places.T)]


def places_beside(area, number, count=600):
    """Places beside an area, no nearer than it may fall short by."""
    ring = shapely.difference(shapely.buffer(area, 0.4), shapely.buffer(area, 0.1))
    left, bottom, right, top = ring.bounds
    places = np.random.default_rng(number).uniform((left, bottom), (right, top), (20 * count, 2)).round(3)
    return places[shapely.contains_xy(ring, *places.T)][:count]


@pytest.mark.sampled
@pytest.mark.parametrize("number", range(8))
def test_what_is_not_drawn_has_none(number):
    reach = PoseReach(among_dear_ground(number))
    places = places_beside(reach.area(), number)
    assert len(places) > 300
    assert not np.isfinite(reach.costs_at(places)).any()


@pytest.mark.sampled("edge_of_the_copse-mule")
@pytest.mark.parametrize(("story", "unit"), [("edge_of_the_copse", "mule"), ("ferry_at_the_ford", "ox")])
def test_nor_in_a_story(story, unit):
    answer = load_scenario(MECHA / f"{story}.yaml").start().reach(unit)
    places = places_beside(answer.area, 2, 1500)
    assert not np.isfinite(answer.costs_at(places)).any()


@pytest.mark.long
def test_what_is_drawn_has_a_price():
    missing, asked = 0, 0
    for number in range(6):
        space = among_dear_ground(number)
        reach = PoseReach(space)
        places = places_in(reach.area(), number)
        costs = reach.costs_at(places)
        missing, asked = missing + int(np.isinf(costs).sum()), asked + len(costs)
        some = np.flatnonzero(np.isfinite(costs))[::40]
        for place, cost in zip(places[some].tolist(), costs[some].tolist(), strict=True):
            verdict = judged(space, space.starts[0], reach.moves_to(tuple(place)))
            assert verdict.is_legal
            assert float(verdict.total) == pytest.approx(cost)
    # Two turns that have to be just so, one after the other, are hardly ever needed.
    assert missing <= 0.004 * asked
