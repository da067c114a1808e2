"""What keeps a mover from ending somewhere: each reason named, and what it says tried out."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from posed_movers import FORWARD, flat_ground, vehicle
from posed_tables import START, mover

from simulator.geometry.footprints import Rectangle, Round
from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import PoseLink, PoseReach, PricedGround, TableLevel
from simulator.pathing.posed.shortfalls import least_shortfalls, missing, room_at, shortfalls

WALL = rectangle((10, 0), (2, 12))


def against(space, place, heading=None, level=0):
    return shortfalls(PoseReach(space), place, heading, level)[0]


def kinds(space, place, heading=None):
    return [short.what for short in against(space, place, heading)]


def test_an_end_has_none():
    assert against(vehicle(12), (12, 0)) == against(vehicle(12), (6, 0), 90) == []


def test_what_stands_there():
    shed = rectangle((0, 9), (1, 1))
    space = vehicle(36, base=Round(1), bars=[shed, WALL])
    (short,) = against(space, (9.5, 0))
    assert (short.what, short.thing) == ("bars", 1)
    assert kinds(vehicle(36, base=Round(1), no_end=[WALL]), (9.5, 0)) == ["end"]


def test_the_table_and_closed_ground():
    pond = PricedGround([rectangle((5, 0), (4, 4))], lambda under, _: None if under else Fraction(1))
    space = vehicle(12, base=Round(1), box=(-9, -9, 9, 9), ground=pond)
    assert kinds(space, (8.5, 0)) == ["edge"]
    assert kinds(space, (5, 1)) == ["ground"]


@pytest.mark.sampled(dear=["place0-None-13.5"])
@pytest.mark.parametrize(
    ("place", "heading", "needed"), [((13.5, 0), None, 13.5), ((0, 11), None, 15), ((9, 0), 90, 13)]
)
def test_the_budget(place, heading, needed):
    space = vehicle(12)
    (short,) = against(space, place, heading)
    assert (short.what, short.available) == ("budget", 12)
    assert short.needed == pytest.approx(needed)
    # So much is enough, and less is not.
    for budget, count in ((short.needed, 0), (short.needed - 0.01, 1)):
        assert len(against(replace(space, budget=Fraction(budget)), place, heading)) == count


def test_limits_of_legs_and_of_what_has_to_be_spent():
    (short,) = against(vehicle(12, most_travelled=Fraction(4)), (6, 0))
    assert (short.what, short.needed, short.available) == ("legs", 6, 4)
    (short,) = against(vehicle(12, more_than=Fraction(6), modes=(FORWARD,), budget=6), (0, 0))
    assert (short.what, short.needed, short.available) == ("least", 6, 0)


def test_no_way_at_all():
    box = [
        rectangle((0, 5), (12, 1)),
        rectangle((0, -5), (12, 1)),
        rectangle((6, 0), (1, 12)),
        rectangle((-6, 0), (1, 12)),
    ]
    assert kinds(vehicle(12, base=Round(0.5), bars=box), (9, 0)) == ["way"]


def test_on_another_level():
    lift = PoseLink("lift", 0, 1, Fraction(5))
    space = vehicle(12, above=(TableLevel(PricedGround((), flat_ground), bars=[WALL]),), links=(lift,))
    assert against(space, (7, 0), level=1) == []
    assert against(space, (8, 0), level=1)[0].needed == 13
    assert against(space, (10, 0), level=1)[0].what == "bars"


def test_on_a_level_that_no_link_leads_to_no_budget_is_tried(monkeypatch):
    monkeypatch.setattr("simulator.pathing.posed.shortfalls._budgets", lambda *_: pytest.fail("a search in vain"))
    back = PoseLink("down", 1, 0, Fraction(5))
    space = vehicle(12, above=(TableLevel(PricedGround((), flat_ground)),), links=(back,))
    assert [short.what for short in against(space, (7, 0), level=1)] == ["way"]


class TestRoom:
    def test_round_bases_have_all_or_none(self):
        space = vehicle(12, base=Round(1), bars=[WALL])
        assert room_at(space, (8, 0)) == ((0.0, 360.0),)
        assert room_at(space, (8.5, 0)) == ()

    def test_headings_beside_a_wall(self):
        # A base of 4 by 2 whose centre is 1.5 from a wall: its corners must not get farther than that.
        space = vehicle(12, base=Rectangle(4, 2), bars=[WALL])
        limit = math.degrees(math.acos(1.5 / math.hypot(2, 1))) + math.degrees(math.atan2(1, 2))
        (first, second) = room_at(space, (7.5, 0))
        assert first == pytest.approx((limit, 180 - limit), abs=0.01)
        assert second == pytest.approx((180 + limit, 360 - limit), abs=0.01)

    def test_a_range_through_0_degrees(self):
        space = vehicle(12, base=Rectangle(4, 2), bars=[rectangle((0, 2.5), (20, 2))])
        ranges = room_at(space, (0, 0))
        assert [last < first for first, last in ranges] == [False, True]
        inside = [(first + ((last - first) % 360) / 2) % 360 for first, last in ranges]
        assert sorted(round(middle) % 180 for middle in inside) == [0, 0]

    def test_the_heading_is_the_reason(self):
        space = vehicle(24, base=Rectangle(4, 2), bars=[WALL], modes=(FORWARD,))
        found, room = shortfalls(PoseReach(space), (7.5, 0), 0)
        assert [short.what for short in found] == ["bars"]
        assert all(first > 1 for first, _ in room)


# Long: every place that is no end is asked why; single reasons are tried beside it.
@pytest.mark.long
@pytest.mark.parametrize(("name", "seed"), [("disc", 0), ("tank", 1)])
def test_all_that_is_no_end_has_a_reason_that_holds(name, seed):
    space, dice = mover(name, seed), np.random.default_rng([seed, 9])
    places = dice.uniform(-1, 1, (6, 2)) * float(space.budget) * 0.8 + START
    reach, seen = PoseReach(space), set()
    for place, cost in zip(places.tolist(), reach.costs_at(places).tolist(), strict=True):
        found, room = shortfalls(reach, place)
        assert (found == []) == math.isfinite(cost)
        seen |= {short.what for short in found}
        assert bool(room) == (not {short.what for short in found} & {"bars", "edge", "ground", "end"})
        for short in found:
            if short.what == "budget":
                enough = replace(space, budget=Fraction(short.needed) + Fraction(1, 10**6))
                assert math.isfinite(PoseReach(enough).costs_at([place])[0])
    assert seen


@pytest.mark.sampled("first")
@pytest.mark.parametrize("levels", [(0, 1), (1, 0), (1,)], ids=["first", "last", "alone"])
def test_on_the_level_where_the_least_is_missing_as_on_it_alone(levels):
    """Searches that levels share, and what is not looked for as more than elsewhere is missing, change no answer."""
    climb = PoseLink("climb", 0, 1, Fraction(1), ((4, 0), (6, 0)))
    top = TableLevel(PricedGround((), flat_ground), bars=[rectangle((4, 8), (3, 3))])
    space = replace(vehicle(6), above=(top,), links=(climb,))
    seen = set()
    for place in ((7, 1), (9, -2), (3, 8), (4, 8.5), (14, 3), (40, 0)):
        alone = {level: shortfalls(PoseReach(space), place, level=level) for level in levels}
        level = min(levels, key=lambda level: missing(alone[level][0]))
        assert least_shortfalls(PoseReach(space), place, None, levels) == (level, *alone[level])
        seen.add(level)
    assert seen == set(levels)
