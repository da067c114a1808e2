"""Spaces and questions that make no sense are refused with what would be right; odd ones that do are answered."""

import math
from dataclasses import replace
from fractions import Fraction

import pytest
from posed_movers import vehicle

from simulator.errors import NoPlace
from simulator.geometry.footprints import Rectangle, Round
from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import Mode, PoseReach, PoseStart, PricedGround, Rotate, TurnPrices, even_ground, judged
from simulator.pathing.posed.shortfalls import shortfalls
from simulator.pathing.posed.who_gets_there import costs_of_many

SPACE = vehicle(12, base=Round(1))


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: replace(SPACE, starts=()), "a mover has at least one start"),
        (lambda: Mode("crawl", 0, Fraction(0)), "the factor of a mode is above 0, that of 'crawl' is 0"),
        (lambda: PricedGround((), SPACE.ground.rate, least=Fraction(0)), "the least price of an inch"),
        (lambda: TurnPrices.of([(180, 4)], separation=1, free=90), "free degrees or are priced together"),
        (lambda: replace(SPACE, starts=(PoseStart((0, 0), 0, free=Fraction(90)),)), "no free degrees at a start"),
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


@pytest.mark.parametrize("base", [Round(1), Rectangle(2, 1)])
@pytest.mark.parametrize(
    "around",
    [
        {"bars": [rectangle((0, 0), (4, 4))]},
        {"box": (5, 5, 9, 9)},
        {"ground": PricedGround([rectangle((0, 0), (4, 4))], lambda under, _: None if under else Fraction(1))},
    ],
)
class TestStandingWhereNobodyCan:
    """A mover may stay where it starts, whatever stands there, and do nothing else."""

    def test_it_may_stay(self, base, around):
        space = replace(SPACE, base=base, **around)
        reach = PoseReach(space)
        assert reach.costs_at([(0, 0), (0.1, 0), (7, 7)]).tolist() == [0, math.inf, math.inf]
        assert reach.moves_to((0, 0)) == reach.moves_to((0, 0), 360) == ()
        assert judged(space, space.starts[0], []).is_legal
        assert str(reach.area()) == str(reach.area(heading=0)) == "POINT (0 0)"
        assert shortfalls(reach, (0, 0))[0] == shortfalls(reach, (0, 0), 0)[0] == []
        assert costs_of_many([space], (0, 0)).tolist() == [0]

    def test_it_may_not_turn(self, base, around):
        space = replace(SPACE, base=base, **around)
        reach = PoseReach(space)
        assert reach.costs_in([(0, 0)] * 3, [0, 30, 180]).tolist() == [0, math.inf, math.inf]
        assert [(one.first, one.last) for one in reach.headings_at((0, 0))] == [(0, 0)]
        assert reach.area(heading=30).is_empty
        assert not judged(space, space.starts[0], [Rotate(30)]).is_legal
        assert shortfalls(reach, (0, 0), 30)[0]

    def test_it_may_not_stay_on_what_bars_ends(self, base, around):
        reach = PoseReach(replace(SPACE, base=base, no_end=[Round(1).at(0.5, 0)], **around))
        assert reach.costs_at([(0, 0)]).tolist() == [math.inf]
        assert not judged(reach.space, reach.space.starts[0], []).is_legal


def test_a_budget_for_more_than_the_table_holds():
    space = replace(SPACE, budget=Fraction(10**6), box=(-9, -9, 9, 9), ground=even_ground(Fraction(1)))
    assert PoseReach(space).costs_at([(6, 0), (0, 6)]).tolist() == [6, 10]


@pytest.mark.parametrize(("degrees", "kinds"), [(30, []), (90, ["ground"]), (-90, ["ground"])])
def test_no_turn_ends_on_closed_ground(degrees, kinds):
    """Nor does a leg; but where the ground under all of a long base counts, a turn may lead onto it by itself."""
    base, pond = Rectangle(4, 1), rectangle((0, 2), (1, 1))
    ground = PricedGround([pond], lambda under, _: None if under else Fraction(1), base=base)
    space = replace(SPACE, base=base, ground=ground)
    verdict = judged(space, space.starts[0], [Rotate(degrees)])
    assert [one.what for one in verdict.objections] == kinds
    assert math.isfinite(PoseReach(space).costs_in([(0, 0)], [degrees])[0]) == verdict.is_legal
