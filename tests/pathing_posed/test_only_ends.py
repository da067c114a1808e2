"""Moves, and phases of moves, that may end in some poses alone."""

import math
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import pytest
import shapely
from judged_ends import require_judged
from posed_movers import FORWARD, vehicle

from simulator.geometry.footprints import Round
from simulator.pathing.posed import EndPhase, PhasedReach, PoseReach, Rotate, Travel, TurnPrices, judged
from simulator.pathing.posed.phases import EarlierPhase
from simulator.pathing.posed.shortfalls import shortfalls
from simulator.pathing.weighted import WeightedReach


@dataclass(frozen=True)
class Facing:
    """The poses in a box that face within some degrees of a heading."""

    bounds: tuple[float, float, float, float]
    heading: float = 0.0
    within: float = 180.0

    def near(self, places):
        low, high = np.array(self.bounds[:2]), np.array(self.bounds[2:])
        return ((places >= low - 1e-9) & (places <= high + 1e-9)).all(axis=1)

    def has(self, places, headings):
        off = np.abs((headings - self.heading + 180.0) % 360.0 - 180.0)
        return self.near(places) & (off <= self.within + 1e-9)


BAY = Facing((4, -1, 6, 1))
LEFT = replace(BAY, heading=90.0, within=30.0)


def space(ends, **more):
    return vehicle(12, modes=(FORWARD,), base=Round(0.5), turns=TurnPrices.flat(2), ends=ends, **more)


class TestCosts:
    def test_inside_and_outside(self):
        costs = PoseReach(space(BAY)).costs_at([(5, 0), (4, 0), (3.9, 0), (6.1, 0)])
        assert costs.tolist() == [5, 4, math.inf, math.inf]

    def test_with_headings(self):
        costs = PoseReach(space(LEFT)).costs_in([(5, 0), (5, 0), (5, 0)], [90, 60, 0])
        assert costs.tolist() == [7, 7, math.inf]

    def test_headings_at_a_place(self):
        (found,) = PoseReach(space(LEFT)).headings_at((5, 0))
        assert (found.first, found.last) == pytest.approx((60, 120), abs=1e-6)

    def test_each_end_is_judged(self):
        places = np.random.default_rng(1).uniform((3.5, -1.5), (6.5, 1.5), (40, 2))
        headings = np.random.default_rng(2).uniform(40, 140, 40)
        for ends in (BAY, LEFT):
            reach = PoseReach(space(ends))
            assert require_judged(reach.space, reach, places, 0, headings) > 2


def test_areas_are_cut():
    area = PoseReach(space(BAY)).area()
    assert shapely.hausdorff_distance(area, shapely.box(*BAY.bounds)) < 0.1
    assert PoseReach(space(LEFT)).area(heading=0).is_empty
    assert PoseReach(space(LEFT)).area(heading=100).area == pytest.approx(4, abs=0.2)


class TestTheJudge:
    def test_what_is_wrong(self):
        there = space(LEFT)
        assert judged(there, there.starts[0], [Travel(FORWARD, 5), Rotate(90)]).is_legal
        for moves in ([Travel(FORWARD, 5)], [Travel(FORWARD, 7), Rotate(90)]):
            assert [one.what for one in judged(there, there.starts[0], moves).objections] == ["only"]

    def test_why_not(self):
        reach = PoseReach(space(LEFT))
        assert [one.what for one in shortfalls(reach, (8, 0))[0]] == ["only"]
        assert [one.what for one in shortfalls(reach, (5, 0), 0.0)[0]] == ["only"]


class TestPhases:
    """The first phase ends in the bay, the second anywhere."""

    space = replace(space(None), earlier=(EarlierPhase(Fraction(6), ends=BAY),), budget=Fraction(3))

    def test_costs(self):
        # 3 inches on from 6, and as many back from 4, where 2 were left for the turn.
        costs = PhasedReach(self.space).costs_at([(9, 0), (1, 0), (0.9, 0), (9.1, 0)])
        assert costs.tolist() == [3, 3, math.inf, math.inf]

    def test_the_judge_names_the_phase(self):
        start = self.space.starts[0]
        found = judged(self.space, start, [Travel(FORWARD, 3), EndPhase(), Travel(FORWARD, 3)])
        assert [(one.what, one.phase) for one in found.objections] == [("only", 0)]
        assert judged(self.space, start, [Travel(FORWARD, 5), EndPhase(), Travel(FORWARD, 3)]).is_legal


def test_free_directions_are_planned_for_with_headings():
    with pytest.raises(ValueError, match="some poses alone"):
        WeightedReach(replace(space(BAY), turns=TurnPrices.flat(0)))
