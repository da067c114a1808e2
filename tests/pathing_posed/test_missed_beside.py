"""Places just outside of areas: no move of two legs ends there, of the many that are tried.

The long run on all units of stories is `python -m benchmarks.missed_beside`.
"""

from fractions import Fraction

import numpy as np
import pytest
import shapely
from posed_movers import FORWARD, stepper, vehicle

from benchmarks.missed_beside import beside, on_first_legs, units_of_stories
from simulator.geometry.footprints import Round
from simulator.pathing.posed import PoseReach, Rotate, Travel, TurnPrices, judged


def post(*place):
    return Round(0.8).at(*place)


@pytest.mark.parametrize(
    "space",
    [
        vehicle(8, base=Round(0.5), modes=(FORWARD,), turns=TurnPrices.of([(45, 2), (180, 5)]), bars=[post(3, 0.4)]),
        stepper(4, free=90, modes=(FORWARD,), bars=[post(2.5, 0.5)]),
    ],
    ids=["wide brackets", "free turns"],
)
def test_beside_an_area_nothing_is_ended_at_and_inside_of_it_everything(space):
    area = PoseReach(space).area()
    assert len(beside(space, area).ended_at) == 0
    smaller = shapely.buffer(area, -0.5)
    inside = beside(space, smaller)
    assert len(inside.ended_at) > 0.9 * len(inside.places) > 10


def test_states_are_on_legs_that_the_judge_accepts():
    space = vehicle(6, base=Round(0.5), modes=(FORWARD,), turns=TurnPrices.flat(1), bars=[post(3, 0.4)])
    states = on_first_legs(space)
    some = np.random.default_rng(3).choice(np.arange(1, len(states.price)), 40, replace=False)
    for row in some.tolist():
        turn = Rotate(Fraction(float(states.heading[row])))
        leg = Travel(FORWARD, Fraction(float(states.inches[row])))
        verdict = judged(space, space.starts[0], [*([turn] if turn.degrees else []), leg])
        assert verdict.is_legal
        assert float(verdict.total) == pytest.approx(states.price[row], abs=1e-6)


@pytest.mark.sampled("mecha/at_the_crossing/lance")
@pytest.mark.parametrize(
    "unit", ["mecha/at_the_crossing/giant", "mecha/at_the_crossing/lance", "mecha/battle_of_the_quarry/lion"]
)
def test_nothing_is_ended_at_beside_areas_of_stories(unit):
    reach = dict(units_of_stories(frozenset({unit.split("/")[1]})))[unit]
    found = beside(reach.space.on(0), reach.planner.area(), 0.15)
    assert len(found.places) > 100
    assert len(found.ended_at) == 0
