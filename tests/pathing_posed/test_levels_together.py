"""Areas of several levels at once: what ends on any of them, each part once, and hardly ever those after links."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import shapely
from posed_flyers import LINKS, OPEN, flyer

from simulator.geometry.footprints import Rectangle, Round
from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import PoseLink, PoseReach, TableLevel
from simulator.pathing.posed.drawn_reach import DrawnReach

LEVELS = range(3)
BASES = {"disc": Round(0.6), "hull": Rectangle(2, 1)}


@pytest.fixture
def drawn(monkeypatch):
    """The last links of what is drawn."""
    asked = []
    drawing = DrawnReach._areas_in_parts

    def areas_in_parts(reach, last, *others, **more):
        asked.append(last)
        return drawing(reach, last, *others, **more)

    monkeypatch.setattr(DrawnReach, "_areas_in_parts", areas_in_parts)
    return asked


@pytest.mark.sampled("0-disc-None-0", "1-disc-None-3", "0-hull-30.0-3")
@pytest.mark.parametrize("others", [0, 3])
@pytest.mark.parametrize("heading", [None, 30.0])
@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("seed", range(3))
def test_an_area_of_all_levels_has_the_ends_on_each_and_nothing_else(seed, base, heading, others):
    reach, dice = PoseReach(flyer(seed, BASES[base], others=others)), np.random.default_rng(seed)
    area = reach.area(heading=heading, level=LEVELS)
    places = dice.uniform(-7, 7, (150, 2))
    facing = None if heading is None else np.full(len(places), heading)
    ends = np.any([reach.are_ends(places, facing, level) for level in LEVELS], axis=0)
    far = shapely.distance(area, shapely.points(places))
    assert not np.any(ends & (far > 0.1))
    inside = shapely.contains_xy(shapely.buffer(area, -1e-3), places)
    assert ends[inside].all()
    assert inside.sum() > 8


@pytest.mark.parametrize("base", BASES)
def test_where_a_mover_may_end_it_need_not_go_on_by_links(base, drawn):
    reach = PoseReach(flyer(0, BASES[base]))
    reach.area(level=LEVELS)
    assert [last.level for last in drawn] == [0, 1, 2]
    assert not any(last.links for last in drawn)
    drawn.clear()
    reach.area(level=1)
    # On one level alone, it sinks or rises to it at the end as well.
    assert sorted(len(last.links) for last in drawn) == [0, 1, 1]


def test_what_it_may_not_end_on_it_may_rise_above(drawn):
    someone, shaft = Round(0.5).at(4, 0), [rectangle((x, 0), (6, 14)) for x in (0.3, 7.7)]
    above = (TableLevel(OPEN, bars=shaft),)
    reach = PoseReach(flyer(0, Round(0.6), bars=(), no_end=[someone], above=above, links=LINKS[:2]))
    area = reach.area(level=[0, 1])
    assert any(last.links for last in drawn)
    # Above that one there is room between two walls, and nowhere else.
    assert area.contains(shapely.Point(4, 0))
    assert not reach.area(level=0).intersects(shapely.Point(4, 0))
    assert reach.costs_at([(4, 0)], 1).tolist() == [4.5]


def test_the_level_where_it_begins_is_drawn_first(drawn):
    space = flyer(1, Round(0.6))
    aloft = replace(space.starts[0], level=2)
    PoseReach(replace(space, starts=(aloft,))).area(level=LEVELS)
    assert [last.level for last in drawn] == [2, 0, 1]


@pytest.mark.sampled("0-disc")
@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("seed", range(2))
def test_for_several_budgets_and_in_parts(seed, base):
    space = flyer(seed, BASES[base], others=2)
    reach = PoseReach(space)
    whole = reach.area(level=LEVELS)
    smaller, same = reach.areas_within([Fraction(4), Fraction(6)], level=LEVELS)
    *_, last = PoseReach(space).area_in_parts(level=LEVELS)
    for other in (last(), same):
        assert other.symmetric_difference(whole).area < 0.02 * whole.area
    places = np.random.default_rng(seed).uniform(-6, 6, (120, 2))
    least = np.min([reach.costs_at(places, level) for level in LEVELS], axis=0)
    inside = shapely.contains_xy(shapely.buffer(smaller, -1e-3), places)
    assert np.all(least[inside] <= 4 + 1e-6)
    assert not np.any((least <= 4) & (shapely.distance(smaller, shapely.points(places)) > 0.1))
    assert inside.any()


def test_places_that_are_too_far_off_are_not_looked_at():
    space = flyer(0, Round(0.6))
    places = np.array([(6.0, 0.0), (6.01, 0.0), (4.2, 4.2), (4.3, 4.3)])
    assert space.may_get_to(places).tolist() == [True, False, True, False]
    assert replace(space, budget=Fraction(5)).may_get_to(places[:1] - (1.0, 0.0)).all()
    doors = (*space.links, PoseLink("door", 0, 0, Fraction(1), ((0.0, 1.0), (0.0, 9.0))))
    # A door leads to where nobody gets to otherwise, and on from there.
    through = replace(space, links=doors).may_get_to(np.array([(0.0, 14.9), (0.0, 15.1), (6.0, 0.0)]))
    assert through.tolist() == [True, False, True]


def test_levels_there_are_not():
    reach, words = PoseReach(flyer(0, Round(0.6))), "from 0 to 2, not 3"
    for asked in (reach.area, lambda level: reach.areas_within([Fraction(1)], level=level)):
        with pytest.raises(ValueError, match=words):
            asked(level=(0, 3))
    with pytest.raises(ValueError, match=words):
        next(reach.area_in_parts(level=(0, 3)))


def test_nothing_is_ended_on_on_no_level():
    reach = PoseReach(flyer(0, Round(0.6)))
    *_, last = reach.area_in_parts(level=())
    for area in (reach.area(level=()), *reach.areas_within([Fraction(1)], level=()), last()):
        assert area.is_empty
