"""Spaces and questions that make no sense are refused with what would be right; odd ones that do are answered."""

import math
from dataclasses import replace
from fractions import Fraction

import pytest
from posed_movers import vehicle

from simulator.errors import NoPlace
from simulator.geometry.footprints import Round
from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import Mode, PoseReach, PricedGround, even_ground
from simulator.pathing.posed.shortfalls import shortfalls

SPACE = vehicle(12, base=Round(1))


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: replace(SPACE, starts=()), "a mover has at least one start"),
        (lambda: Mode("crawl", 0, Fraction(0)), "the factor of a mode is above 0, that of 'crawl' is 0"),
        (lambda: PricedGround((), SPACE.ground.rate, least=Fraction(0)), "the least price of an inch"),
        (lambda: PoseReach(SPACE).costs_at([(math.nan, 0)]), "places are rows of two finite numbers"),
        (lambda: PoseReach(SPACE).costs_at([1, 2, 3]), "places are rows of two finite numbers"),
        (lambda: PoseReach(SPACE).costs_at([(1, 0)], level=1), "levels are numbered from 0 to 0, not 1"),
        (lambda: PoseReach(SPACE).headings_at((1, 0), level=-1), "levels are numbered from 0 to 0, not -1"),
        (lambda: PoseReach(SPACE).headings_at((math.nan, 0)), "places are rows of two finite numbers"),
        (lambda: PoseReach(SPACE).area(level=-1), "levels are numbered from 0 to 0, not -1"),
        (lambda: PoseReach(SPACE).area(error=0.0), "an outline is true to an error above 0"),
        (lambda: PoseReach(SPACE).costs_in([(1, 0)], [math.nan]), "headings are finite numbers of degrees"),
        (lambda: PoseReach(SPACE, finer=-1), "a mesh is halved 0 times or more"),
        (lambda: shortfalls(PoseReach(SPACE), (math.inf, 0)), "a place is two finite numbers"),
    ],
)
def test_refused(ask, message):
    with pytest.raises((ValueError, NoPlace), match=message):
        ask()


@pytest.mark.parametrize(("budget", "cost"), [(0, 0), (-1, math.inf)])
def test_nothing_to_spend(budget, cost):
    reach = PoseReach(replace(SPACE, budget=Fraction(budget)))
    assert reach.costs_at([(0, 0), (1, 0)]).tolist() == [cost, math.inf]
    assert reach.area().is_empty == (budget < 0)


def test_who_only_turns():
    reach = PoseReach(replace(SPACE, modes=()))
    assert reach.costs_at([(0, 0), (1, 0)]).tolist() == [0, math.inf]
    assert reach.costs_in([(0, 0)], [60]).tolist() == [4]
    assert str(reach.area()) == "POINT (0 0)"
    assert {(str(one), one.cost) for one in reach.headings_at((0, 0))} >= {("0", 0), ("0 to 45", 2)}
    assert [str(move) for move in reach.moves_to((0, 0), 60)] == ["60 degrees to the left"]


def test_where_nobody_can_stand_nobody_sets_out():
    for space in (replace(SPACE, bars=[rectangle((0, 0), (4, 4))]), replace(SPACE, box=(5, 5, 9, 9))):
        reach = PoseReach(space)
        assert reach.costs_at([(0, 0), (7, 7)]).tolist() == [math.inf, math.inf]
        assert reach.area().is_empty


def test_a_budget_for_more_than_the_table_holds():
    space = replace(SPACE, budget=Fraction(10**6), box=(-9, -9, 9, 9), ground=even_ground(Fraction(1)))
    assert PoseReach(space).costs_at([(6, 0), (0, 6)]).tolist() == [6, 10]
