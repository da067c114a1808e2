"""Areas of levels that links lead straight up and down to: what the ways with each of them end on, each part once."""

from fractions import Fraction

import numpy as np
import pytest
import shapely
from judged_ends import require_judged
from posed_flyers import LINKS, flyer

from simulator.geometry.footprints import Rectangle, Round
from simulator.pathing.posed import PoseReach, drawn_reach
from simulator.pathing.posed.goals import Goals
from simulator.pathing.posed.pockets import pockets

BASES = {"disc": Round(0.6), "hull": Rectangle(2, 1)}


@pytest.mark.sampled("0-disc-None", "1-disc-None", "0-disc-30.0")
@pytest.mark.parametrize("heading", [None, 30.0])
@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("seed", range(3))
def test_an_area_has_all_ends_and_nothing_else(seed, base, heading):
    space = flyer(seed, BASES[base])
    reach, dice, drawn = PoseReach(space), np.random.default_rng(seed), 0
    for level in range(3):
        area = reach.area(heading=heading, level=level)
        places = dice.uniform(-7, 7, (80, 2))
        facing = None if heading is None else np.full(len(places), heading)
        costs = reach.costs_at(places, level) if facing is None else reach.costs_in(places, facing, level)
        ends = shapely.points(places[np.isfinite(costs)])
        # A turn slid along a leg to just one place may lead to a place alone.
        assert np.count_nonzero(shapely.distance(area, ends) > 0.1) == 0
        inside = places[shapely.contains_xy(shapely.buffer(area, -1e-3), places)]
        drawn += len(inside)
        headings = None if facing is None else facing[: len(inside)]
        assert require_judged(space, reach, inside, level=level, headings=headings) == len(inside)
    assert drawn > 8


@pytest.mark.sampled("1")
@pytest.mark.parametrize("level", range(3))
def test_the_same_in_parts_and_within_a_budget(level):
    reach = PoseReach(flyer(0, BASES["disc"]))
    area = reach.area(level=level)
    *_, last = reach.area_in_parts(level=level)
    smaller, whole = reach.areas_within([Fraction(4), Fraction(6)], level=level)
    for other in (last(), whole):
        assert other.symmetric_difference(area).area < 0.02 * area.area
    assert smaller.difference(shapely.buffer(whole, 0.05)).area < 1e-3 < whole.difference(smaller).area


@pytest.mark.parametrize("base", BASES)
def test_below_a_link_there_has_to_be_room(base):
    space = flyer(0, BASES[base])
    by_the_roof = space.followed_by([LINKS[1]])
    under = np.array([space.bars[0].polygon.centroid.coords[0], (0.0, 0.0)])
    assert Goals(under, None).have_room(by_the_roof).tolist() == [False, True]
    assert Goals(under, np.zeros(2)).have_room(by_the_roof).tolist() == [False, True]


@pytest.mark.sampled("0")
@pytest.mark.parametrize("seed", range(3))
def test_places_beside_an_area_are_looked_at_in_lots_of_bounded_size(seed, monkeypatch):
    lots = []

    def looked_at(space, lower, found, places, *others, **more):
        lots.append(len(places))
        return pockets(space, lower, found, places, *others, **more)

    monkeypatch.setattr(drawn_reach, "pockets", looked_at)
    whole = PoseReach(flyer(seed, BASES["hull"])).area()
    at_once, lots[:] = max(lots), []
    monkeypatch.setattr(drawn_reach, "_PAIRS_AT_ONCE", 1 << 14)
    area = PoseReach(flyer(seed, BASES["hull"])).area()
    assert max(lots) < at_once / 2 < sum(lots) / 2
    assert area.symmetric_difference(whole).area < 0.002 * whole.area
