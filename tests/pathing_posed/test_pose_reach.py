"""Ends at places and in poses: closed forms, moves that the judge accepts at the reported cost, and what is missed."""

import math
from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from posed_movers import FORWARD, REVERSE, SIDEWAYS, stepper, vehicle
from posed_tables import MOVERS, START, legal_ends, mover, searched

from simulator.geometry.footprints import Round
from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import PoseReach, TurnPrices, judged
from simulator.pathing.traces import NoRoute


def cost(space, place, heading=None):
    reach = PoseReach(space)
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
        reach = PoseReach(vehicle(24))
        assert reach.costs_at([(10, 0), (0, 0)]).tolist() == [10, 0]
        assert reach.costs_in([(10, 0), (10, 0), (10, 0), (0, 0)], [0, 45, 45.1, 90]).tolist() == [10, 14, 18, 8]


class TestRoundThings:
    def test_one_turn_that_exactly_clears_a_corner(self):
        # Straight on to beside the corner, then 90 degrees: the way needs just one place to turn at.
        corner, once = [rectangle((0, 10), (18, 18))], TurnPrices.flat(12)
        tank = vehicle(36, base=Round(1), modes=(FORWARD,), bars=corner, budget=40, turns=once)
        assert PoseReach(tank).costs_at([(10, 15)])[0] == pytest.approx(10 + 12 + 15)

    def test_two_turns_cut_a_corner_where_they_cost_no_more_than_one(self):
        corner = [rectangle((0, 10), (18, 18))]
        tank = vehicle(36, base=Round(1), modes=(FORWARD,), bars=corner, budget=40)
        # Two of 45 degrees for 6 each, and between them a leg that just clears the corner.
        aside = 2 - math.sqrt(2)
        legs = (10 - aside) + math.sqrt(2) * aside + (15 - aside)
        assert PoseReach(tank).costs_at([(10, 15)])[0] == pytest.approx(legs + 12)

    def test_a_corridor_as_wide_as_the_base(self):
        walls = [rectangle((10, 2), (8, 2)), rectangle((10, -2), (8, 2))]
        tank = vehicle(36, base=Round(1), bars=walls)
        assert cost(tank, (20, 0)) == 20
        assert cost(vehicle(36, base=Round(1.001), bars=walls, budget=22), (20, 0)) == math.inf


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", MOVERS)
class TestGeneratedTables:
    @pytest.mark.sampled
    def test_each_end_has_a_move_that_the_judge_accepts_at_that_cost(self, name, seed):
        reach, dice = searched(name, seed), np.random.default_rng([seed, 1])
        space = reach.space
        places = dice.uniform(-1, 1, (40, 2)) * float(space.budget) * 0.7 + START
        headings = dice.uniform(0, 360, len(places))
        ends = [(None, reach.costs_at(places)), (headings, reach.costs_in(places, headings))]
        assert np.all(ends[0][1] <= ends[1][1])
        assert np.isfinite(ends[0][1]).sum() > 5
        for facing, costs in ends:
            rows = np.flatnonzero(np.isfinite(costs))[:10]
            ways = reach.moves_to_each(places[rows], None if facing is None else facing[rows])
            for row, moves in zip(rows.tolist(), ways, strict=True):
                verdict = judged(space, space.starts[0], moves)
                assert verdict.is_legal, verdict.objections
                assert float(verdict.total) == pytest.approx(float(costs[row]), abs=1e-6)
                assert verdict.place == pytest.approx(tuple(places[row].tolist()), abs=1e-6)
                if facing is not None:
                    assert math.cos(math.radians(float(verdict.heading) - facing[row])) == pytest.approx(1)

    @pytest.mark.sampled
    def test_random_legal_moves_end_where_the_reach_says_for_no_less(self, name, seed):
        reach, dice = searched(name, seed), np.random.default_rng([seed, 2])
        space = reach.space
        ends = legal_ends(space, dice, 60)
        assert len(ends) > 20
        costs = reach.costs_at([end.place for end in ends])
        paid = np.array([float(end.total) for end in ends])
        assert np.mean(costs > paid + 0.1) < 0.05


def test_no_places_have_no_costs():
    reach = PoseReach(vehicle(6))
    assert reach.costs_at([]).shape == reach.costs_in([], []).shape == (0,)
    assert reach.moves_to_each([]) == []


def test_what_can_not_be_reached_has_no_moves():
    with pytest.raises(NoRoute):
        PoseReach(vehicle(6)).moves_to((0, 30))


WALLS = [((8, 2), (3, 2), 20), ((5, -4), (2, 5), 70), ((12, -1), (2, 2), 0)]


@cache
def costs_beside_walls():
    """Places beside walls, and what they cost."""
    places = np.random.default_rng(5).uniform((-6, -8), (18, 8), (50, 2))
    tank = vehicle(18, base=Round(0.7), bars=[rectangle(*wall) for wall in WALLS])
    return places, PoseReach(tank).costs_at(places)


@pytest.mark.parametrize(("turn", "shift"), [(0, (7.0, -3.0)), (90, (0.0, 0.0)), (180, (0.0, 0.0)), (90, (7.0, -3.0))])
def test_shifted_and_turned_tables_answer_alike(shift, turn):
    angle = math.radians(turn)
    cos, sin = math.cos(angle), math.sin(angle)

    def moved(x, y):
        return cos * x - sin * y + shift[0], sin * x + cos * y + shift[1]

    bars = [rectangle(moved(*middle), size, turned + turn) for middle, size, turned in WALLS]
    tank = vehicle(18, base=Round(0.7), bars=bars, start=moved(0, 0), heading=Fraction(turn))
    places, plain = costs_beside_walls()
    there = PoseReach(tank).costs_at([moved(*place) for place in places.tolist()])
    both = np.isfinite(plain) & np.isfinite(there)
    assert both.sum() > 20
    assert np.abs(plain[both] - there[both]).max() < 0.5


class TestTurnsAtJustOnePlace:
    """The last turn is made where it has to be, not on a mesh."""

    @pytest.mark.parametrize("goal", [(14.0, 9.0), (13.0, 14.0), (11.5, 6.0), (19.0, 8.0)])
    def test_slid_back_until_the_last_leg_just_clears_the_corner(self, goal):
        wall = rectangle((0, 6), (20, 10))  # Its corner at 10,1 is just beside the way straight on.
        space = vehicle(40, base=Round(1), modes=(FORWARD,), bars=[wall], turns=TurnPrices.flat(5))
        low, high = 9.0, 12.0
        for _ in range(60):
            turn = (low + high) / 2
            ahead = np.array(goal) - (turn, 0)
            off = ahead[0] * 1 - ahead[1] * (10 - turn)  # of the corner, left of the last leg
            low, high = (low, turn) if off / np.hypot(*ahead) >= 1 else (turn, high)
        assert cost(space, goal) == pytest.approx(high + 5 + math.dist((high, 0), goal), abs=1e-5)

    @pytest.mark.parametrize("at", [3.37, 5.501, 7.25])
    @pytest.mark.parametrize("heading", [None, 90])
    def test_into_a_passage_that_only_a_turn_to_the_limit_leads_to(self, at, heading):
        # Between two walls there is as much room as the base needs: the turn has to be made at one place.
        walls = [rectangle((at - 6, 6), (10, 8)), rectangle((at + 6, 6), (10, 8))]
        turns = TurnPrices.of([(90, 5), (180, 10)])
        space = vehicle(36, base=Round(1), modes=(FORWARD,), bars=walls, turns=turns)
        assert cost(space, (at, 9), heading) == pytest.approx(at + 5 + 9)

    @pytest.mark.parametrize("heading", [30.0, 52.5, 131.0])
    def test_arriving_with_a_heading_needs_no_turn_at_the_end(self, heading):
        space = vehicle(36, modes=(FORWARD,), turns=TurnPrices.flat(9))
        ahead = np.array([math.cos(math.radians(heading)), math.sin(math.radians(heading))])
        goal = np.array([4.3, 0.0]) + 5 * ahead
        assert cost(space, goal, heading) == pytest.approx(4.3 + 9 + 5)


@pytest.mark.sampled("disc")
@pytest.mark.parametrize("name", ["disc", "tank", "walker"])
def test_a_finer_search_loses_no_end(name):
    space, dice = mover(name, 1), np.random.default_rng(8)
    places = dice.uniform(-1, 1, (30, 2)) * float(space.budget) * 0.7 + START
    coarse, fine = searched(name, 1).costs_at(places), PoseReach(space, finer=1).costs_at(places)
    assert np.all(fine <= coarse)
    assert np.isfinite(coarse).sum() > 5


@pytest.mark.sampled
@pytest.mark.parametrize(("name", "seed"), [("disc", 0), ("tank", 1), ("walker", 0)])
def test_more_budget_loses_no_end(name, seed):
    space, dice = mover(name, seed), np.random.default_rng([seed, 10])
    places = dice.uniform(-1, 1, (40, 2)) * float(space.budget) * 0.7 + START
    more = PoseReach(replace(space, budget=space.budget * Fraction(5, 4))).costs_at(places)
    costs = searched(name, seed).costs_at(places)
    assert np.isfinite(costs).sum() > 5
    assert np.all(more <= costs + 1e-6)
    # What costs no more than the smaller budget is found with it, but for ways that are slid far.
    assert np.mean(np.isinf(costs) & (more < float(space.budget) - 0.1)) <= 0.05


def test_the_end_that_was_asked_about_last_is_known(monkeypatch):
    """Its cost and its moves are asked one after the other."""
    asked, ways_to = [], PoseReach._ways_to
    monkeypatch.setattr(
        PoseReach, "_ways_to", lambda reach, goals, level: asked.append(goals) or ways_to(reach, goals, level)
    )
    reach = PoseReach(vehicle(36))
    costs = reach.costs_at([(5, 0)])
    costs[0] = 0.0
    assert reach.costs_at([(5, 0)]).tolist() == [5.0]
    assert len(reach.moves_to((5, 0))) == 1
    assert len(asked) == 1
    assert reach.costs_in([(5, 0)], 90)[0] > 5
    assert len(reach.moves_to((5, 0), 90)) == 2
    assert len(asked) == 2
    assert reach.costs_at([(5, 0), (6, 0)]).tolist() == [5.0, 6.0]
    assert reach.costs_at([(6, 0)]).tolist() == [6.0]
    assert len(asked) == 4
