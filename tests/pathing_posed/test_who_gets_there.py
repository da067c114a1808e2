"""Which movers can end somewhere, and from where a mover can: what each of them can alone, and no more."""

from dataclasses import replace
from fractions import Fraction
from itertools import cycle

import numpy as np
import pytest
from crowds_of_movers import crowd
from posed_movers import FORWARD, SIDEWAYS, steps, vehicle
from posed_tables import MOVERS, START, legal_ends, mover

from simulator.geometry.footprints import Round
from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import PoseLink, PoseReach, TableLevel, TurnPrices, even_ground, judged
from simulator.pathing.posed.who_gets_there import cheapest_turns, costs_of_many, least_cost, may_end, started_from


def alone(space, place, heading):
    """What one mover pays to end there."""
    reach = PoseReach(space)
    return reach.costs_at([place])[0] if heading is None else reach.costs_in([place], [heading])[0]


@pytest.mark.parametrize(("name", "heading"), list(zip(MOVERS, cycle([None, 75.0]), strict=False)))
class TestGeneratedTables:
    @pytest.mark.sampled
    def test_who_can_end_there(self, name, heading):
        spaces = crowd(name, 1, 5, budgets=("1", "3/2"))
        place = (float(START[0] + 2.5), float(START[1] - 2.0))
        costs = costs_of_many(spaces, place, heading)
        assert np.array_equal(costs, [alone(space, place, heading) for space in spaces])

    @pytest.mark.sampled("track-75.0")
    def test_from_where_it_can(self, name, heading):
        # A start is found if and only if reach from there has the end, at that cost, and the judge accepts its moves.
        space, dice = mover(name, 2), np.random.default_rng([2, 5])
        goal = (float(START[0]), float(START[1]))
        space = replace(space, budget=space.budget * Fraction(2, 3))
        starts = goal + dice.uniform(-1, 1, (8, 2)) * float(space.budget) * 0.6
        spaces = list(started_from(space, map(tuple, starts.tolist())))
        costs = costs_of_many(spaces, goal, heading)
        for here, cost in zip(spaces, costs.tolist(), strict=True):
            assert alone(here, goal, heading) == cost
            if np.isfinite(cost):
                verdict = judged(here, here.starts[0], PoseReach(here).moves_to(goal, heading))
                assert verdict.is_legal
                assert float(verdict.total) == pytest.approx(cost, abs=1e-6)
                assert verdict.place == pytest.approx(goal, abs=1e-6)


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", MOVERS)
def test_no_legal_move_is_ruled_out(name, seed):
    space, dice = mover(name, seed), np.random.default_rng([seed, 12])
    ends = legal_ends(space, dice, 40)
    assert len(ends) > 15
    for end in ends:
        heading = float(end.heading) % 360
        assert least_cost(space, end.place, heading) <= float(end.total) + 1e-9
        assert may_end(space, end.place, heading)


class TestWhoIsRuledOut:
    def test_by_the_straight_line(self):
        space = vehicle(12, modes=(FORWARD,))
        assert may_end(space, (12, 0))
        assert not may_end(space, (12, 0.1))

    def test_by_the_turns_to_a_heading(self):
        space = vehicle(12, turns=TurnPrices.of([(45, 2), (90, 6), (180, 8)]))
        assert least_cost(space, (3, 4), 90) == 5 + 4  # two turns of 45 degrees
        assert least_cost(space, (3, 4), 180) == 5 + 8
        assert least_cost(space, (3, 4)) == 5

    def test_by_turns_at_the_price_of_ground_beyond_what_is_free(self):
        cheap = even_ground(Fraction(1, 2))
        space = vehicle(12, modes=(FORWARD, *SIDEWAYS), ground=cheap, turns=steps(free=90))
        assert least_cost(space, (0, 0), 90) == 0
        assert least_cost(space, (0, 0), 180) == 4 * 0.5 * 0.5

    def test_by_the_room_there(self):
        space = vehicle(12, base=Round(1), bars=[rectangle((6, 0), (1, 4))], no_end=[rectangle((0, 6), (1, 1))])
        assert not may_end(space, (5, 0))
        assert not may_end(space, (0, 5))
        assert may_end(space, (0, 4))

    def test_links_with_places_are_shorter_than_lines(self):
        lift = PoseLink("lift", 0, 0, Fraction(1), places=((2.0, 0.0), (40.0, 0.0)))
        space = replace(vehicle(12), links=(lift,))
        assert may_end(space, (42, 0))
        assert costs_of_many([space, vehicle(12)], (42, 0)).tolist() == [5, np.inf]

    def test_on_a_level(self):
        above = TableLevel(even_ground(Fraction(1)), bars=[rectangle((6, 0), (2, 2))])
        space = replace(vehicle(12, base=Round(0.5)), above=(above,), links=(PoseLink("rise", 0, 1, Fraction(2)),))
        assert not may_end(space, (6, 0), level=1)
        assert costs_of_many([space], (8, 0), level=1).tolist() == [10]


def test_many_small_turns_may_be_cheaper_than_a_big_one():
    brackets = [(Fraction(30), Fraction(1)), (Fraction(180), Fraction(9))]
    assert [cheapest_turns(brackets, degrees) for degrees in (0, 30, 31, 90, 180)] == [0, 1, 2, 3, 6]


def test_nobody():
    assert costs_of_many([], (0, 0)).shape == (0,)
