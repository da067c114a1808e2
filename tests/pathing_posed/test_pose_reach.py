"""Ends at places and in poses: closed forms, moves that the judge accepts at the reported cost, and what is missed."""

import math
from fractions import Fraction

import numpy as np
import pytest
from posed_movers import FORWARD, REVERSE, SIDEWAYS, stepper, vehicle
from posed_tables import MOVERS, START, legal_ends, mover

from simulator.geometry.footprints import Round
from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import PoseReach, judged
from simulator.pathing.traces import NoRoute


def cost(space, place, heading=None):
    reach = PoseReach(space, mesh=1.0)
    return float((reach.costs_at([place]) if heading is None else reach.costs_in([place], heading))[0])


class TestOnOpenGround:
    """Example E43 of combined_arms, E8 and E12 of mecha."""

    @pytest.mark.parametrize(
        ("rate", "place", "paid"),
        [
            (36, (36, 0), 36),
            (36, (30 / math.sqrt(2), 30 / math.sqrt(2)), 36),
            (36, (0, 24), 36),
            (36, (-18, 0), 36),
            (36, (-18.1, 0), math.inf),
            (30, (0, 20), 30),
            (30, (-15, 0), 30),
            (30, (-15.1, 0), math.inf),
        ],
    )
    def test_brackets(self, rate, place, paid):
        modes = (FORWARD, REVERSE) if rate == 30 else (FORWARD, REVERSE, *SIDEWAYS)
        assert cost(vehicle(rate, modes=modes), place) == pytest.approx(paid, abs=1e-6)

    @pytest.mark.parametrize(
        ("free", "modes", "place", "paid"),
        [
            (0, (FORWARD, REVERSE), (-3, 0), 6),
            (0, (FORWARD, REVERSE), (-3.1, 0), math.inf),
            (90, (FORWARD, REVERSE, *SIDEWAYS), (-4, 0), 6),
            (90, (FORWARD, REVERSE, *SIDEWAYS), (-4.1, 0), math.inf),
            (45, (FORWARD, REVERSE, *SIDEWAYS), (-3, 0), 6),
            (90, (FORWARD, REVERSE, *SIDEWAYS), (0, 6), 6),
            (90, (FORWARD, REVERSE, *SIDEWAYS), (2, 2), 3.0),
        ],
    )
    def test_half_inches(self, free, modes, place, paid):
        assert cost(stepper(6, free=free, modes=modes), place) == pytest.approx(paid, abs=1e-6)

    def test_two_turns_an_inch_apart_are_cheaper_than_one_big_turn(self):
        # 180 degrees on the spot cost 30 and leave 6; 90, an inch, 90 cost 25, and end an inch aside.
        assert cost(vehicle(36, modes=(FORWARD,)), (-6, 0)) == pytest.approx(36)
        assert cost(vehicle(36, modes=(FORWARD,)), (-11, 1)) == pytest.approx(36)

    def test_the_last_turn_is_paid_where_a_heading_is_asked_for(self):
        reach = PoseReach(vehicle(24), mesh=1.0)
        assert reach.costs_at([(10, 0), (0, 0)]).tolist() == [10, 0]
        assert reach.costs_in([(10, 0), (10, 0), (10, 0), (0, 0)], [0, 45, 45.1, 90]).tolist() == [10, 14, 18, 8]


class TestRoundThings:
    def test_one_turn_that_exactly_clears_a_corner(self):
        # Straight on to beside the corner, then 90 degrees: the way needs just one place to turn at.
        tank = vehicle(36, base=Round(1), modes=(FORWARD,), bars=[rectangle((0, 10), (18, 18))], budget=40)
        reach = PoseReach(tank, mesh=1.0)
        assert reach.costs_at([(10, 15)])[0] == pytest.approx(10 + 12 + 15)

    def test_a_corridor_as_wide_as_the_base(self):
        walls = [rectangle((10, 2), (8, 2)), rectangle((10, -2), (8, 2))]
        tank = vehicle(36, base=Round(1), bars=walls)
        assert cost(tank, (20, 0)) == 20
        assert cost(vehicle(36, base=Round(1.001), bars=walls, budget=22), (20, 0)) == math.inf


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", MOVERS)
class TestGeneratedTables:
    def test_each_end_has_a_move_that_the_judge_accepts_at_that_cost(self, name, seed):
        space = mover(name, seed)
        reach, dice = PoseReach(space, mesh=1.0), np.random.default_rng([seed, 1])
        places = dice.uniform(-1, 1, (40, 2)) * float(space.budget) * 0.7 + START
        headings = dice.uniform(0, 360, len(places))
        ends = [(None, reach.costs_at(places)), (headings, reach.costs_in(places, headings))]
        assert np.all(ends[0][1] <= ends[1][1])
        assert np.isfinite(ends[0][1]).sum() > 5
        for facing, costs in ends:
            for row in np.flatnonzero(np.isfinite(costs))[:15].tolist():
                place = tuple(places[row].tolist())
                heading = None if facing is None else float(facing[row])
                verdict = judged(space, space.starts[0], reach.moves_to(place, heading))
                assert verdict.is_legal, verdict.objections
                assert float(verdict.total) == pytest.approx(float(costs[row]), abs=1e-6)
                assert verdict.place == pytest.approx(place, abs=1e-6)
                if heading is not None:
                    assert math.cos(math.radians(float(verdict.heading) - heading)) == pytest.approx(1)

    def test_random_legal_moves_end_where_the_reach_says_for_no_less(self, name, seed):
        space = mover(name, seed)
        reach, dice = PoseReach(space, mesh=1.0), np.random.default_rng([seed, 2])
        ends = legal_ends(space, dice, 60)
        assert len(ends) > 20
        costs = reach.costs_at([end.place for end in ends])
        paid = np.array([float(end.total) for end in ends])
        assert np.mean(costs > paid + 0.1) < 0.05


def test_what_can_not_be_reached_has_no_moves():
    with pytest.raises(NoRoute):
        PoseReach(vehicle(6)).moves_to((0, 30))


@pytest.mark.parametrize("shift", [(0.0, 0.0), (7.0, -3.0)])
@pytest.mark.parametrize("turn", [0, 90, 180])
def test_shifted_and_turned_tables_answer_alike(shift, turn):
    angle = math.radians(turn)
    cos, sin = math.cos(angle), math.sin(angle)

    def moved(x, y):
        return cos * x - sin * y + shift[0], sin * x + cos * y + shift[1]

    walls = [((8, 2), (3, 2), 20), ((5, -4), (2, 5), 70), ((12, -1), (2, 2), 0)]
    bars = [rectangle(moved(*middle), size, turned + turn) for middle, size, turned in walls]
    tank = vehicle(18, base=Round(0.7), bars=bars, start=moved(0, 0), heading=Fraction(turn))
    places = np.random.default_rng(5).uniform((-6, -8), (18, 8), (50, 2))
    plain = PoseReach(vehicle(18, base=Round(0.7), bars=[rectangle(*wall) for wall in walls]), 1.0).costs_at(places)
    there = PoseReach(tank, 1.0).costs_at([moved(*place) for place in places.tolist()])
    both = np.isfinite(plain) & np.isfinite(there)
    assert both.sum() > 20
    assert np.abs(plain[both] - there[both]).max() < 0.5
