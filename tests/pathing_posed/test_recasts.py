"""Ways that are just too dear are made elsewhere: past corners of dear ground, or by another turn and leg at once."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import shapely
from judged_ends import require_judged
from posed_movers import FORWARD, REVERSE, RIGHTWARD, steps, vehicle
from test_dear_ends import RATES, patches

from simulator.geometry.footprints import Rectangle, Round
from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import PoseReach, PricedGround, Rotate, Travel, TurnPrices, judged
from simulator.pathing.posed.asked_together import ReachTogether, know_together
from simulator.pathing.posed.cheapest import CheapestWays
from simulator.pathing.posed.planner import KEPT

#: From the start of `among_patches(11)` the way there grazes a corner of dear ground; from a little to the right, none.
BEHIND_A_CORNER = (7.24, -3.027)


def among_patches(seed):
    """Dear ground among which a step aside may be cheaper than to go straight on."""
    ground = PricedGround(patches(seed), RATES["dearest"])
    return vehicle(12, ground=ground, base=Round(0.5), budget=9, turns=steps())


def by_stepping_aside(space, place):
    """What a step to the right, a turn and a leg to a place cost at least, by the judge."""
    found = []
    for inches in (Fraction(number, 200) for number in range(1, 200)):
        away = np.array(place) - (0.0, -float(inches))
        turn = Rotate(Fraction(float(np.degrees(np.arctan2(away[1], away[0])))))
        leg = Travel(FORWARD, Fraction(float(np.hypot(*away))))
        verdict = judged(space, space.starts[0], [Travel(RIGHTWARD, inches), turn, leg])
        if verdict.is_legal:
            found.append(float(verdict.total))
    return min(found, default=np.inf)


def test_a_step_aside_leads_past_a_corner_of_dear_ground(monkeypatch):
    space = among_patches(11)
    least = by_stepping_aside(space, BEHIND_A_CORNER)
    assert PoseReach(space).costs_at([BEHIND_A_CORNER])[0] == pytest.approx(least, abs=0.01)
    assert require_judged(space, PoseReach(space), np.array([BEHIND_A_CORNER])) == 1
    monkeypatch.setattr(CheapestWays, "pass_corners", lambda *_: None)
    assert not PoseReach(space).are_ends([BEHIND_A_CORNER])[0]


def among_things(seed, base=None):
    """Things close around, and a turn of 90 degrees for nothing, in portions."""
    dice, bars = np.random.default_rng([seed, 29]), []
    while len(bars) < 10:
        middle, size, turned = dice.uniform(-8, 8, 2), dice.uniform(0.5, 3, 2), float(dice.uniform(0, 90))
        thing = rectangle(tuple(middle.tolist()), tuple(size.tolist()), turned)
        if thing.polygon.distance(Round(1.0).at(0, 0).polygon) > 0:
            bars.append(thing)
    turns = TurnPrices.of([(180, 3)], free=90, free_in_portions=True)
    return vehicle(18, base=base or Round(0.5), modes=(FORWARD, REVERSE), bars=bars, turns=turns, budget=9)


def drawn_places(space, inches=0.02):
    """Places drawn, all along the outline of an area and so far inside."""
    ground = shapely.buffer(PoseReach(space).area(), -inches)
    places = shapely.get_coordinates(shapely.segmentize(ground.boundary, 0.2))
    return places[shapely.contains_xy(shapely.buffer(ground, inches / 2), *places.T)]


@pytest.mark.parametrize("seed", range(4))
def test_what_is_drawn_near_an_outline_is_an_end(seed, monkeypatch):
    space = among_things(seed)
    places = drawn_places(space)
    found = PoseReach(space).are_ends(places)
    assert np.mean(found) > 0.99
    monkeypatch.setattr(CheapestWays, "recast", lambda *_: None)
    before = PoseReach(space).are_ends(places)
    assert np.all(found | ~before)
    if seed == 0:
        assert np.sum(found) > np.sum(before)


@pytest.mark.parametrize("base", [Round(0.5), Rectangle(2, 1)])
def test_ends_that_are_found_so_cost_what_the_judge_says(base, monkeypatch):
    space = among_things(0, base)
    places = drawn_places(space)[::4]
    with monkeypatch.context() as without:
        without.setattr(CheapestWays, "recast", lambda *_: None)
        before = PoseReach(space).are_ends(places)
    reach = PoseReach(space)
    new = places[reach.are_ends(places) & ~before]
    assert require_judged(space, reach, new) == len(new) > 0
    headings = np.random.default_rng(1).uniform(0, 360, len(new))
    require_judged(space, reach, new, headings=headings)


@pytest.mark.parametrize("board", [among_things, lambda _: among_patches(11)], ids=["things", "patches"])
def test_several_movers_find_what_one_finds(board, monkeypatch):
    richer = board(0)
    spaces = [richer, replace(richer, budget=richer.budget - Fraction(1, 3))]
    drawn = drawn_places(richer)
    with monkeypatch.context() as without:
        without.setattr(CheapestWays, "recast", lambda *_: None)
        before = PoseReach(richer).are_ends(drawn)
    new = drawn[PoseReach(richer).are_ends(drawn) & ~before]
    places = np.concatenate([drawn[:: len(drawn) // (KEPT - 8)], new[:4], [BEHIND_A_CORNER]])
    assert len(places) <= KEPT, "more are not asked about together"
    together = [ReachTogether(space) for space in spaces]
    know_together(together, places)
    for space, reach in zip(spaces, together, strict=True):
        assert reach.costs_at(places) == pytest.approx(PoseReach(space).costs_at(places))
