"""Ways that go on by links where they end: found once for each level, as if each were looked for by itself."""

import numpy as np
import pytest
import shapely
from judged_ends import require_judged
from posed_flyers import flyer, over_patches
from tolls_on_levels import tower

from simulator.geometry.footprints import Rectangle, Round
from simulator.pathing.posed import PoseReach
from simulator.pathing.posed.asked_together import know_together
from simulator.pathing.posed.flown import GOALS_KEPT
from simulator.pathing.posed.together import reach_many

LEVELS = range(3)


def spaces(seed):
    """A flyer among others, and one among trees of several heights."""
    return {"others": flyer(seed, Round(0.6), others=3), "trees": tower(4 * seed)}


@pytest.fixture
def searches(monkeypatch):
    """On which levels last turns and legs are looked for, and by how many links the ways go on."""
    asked = []
    cheapest = PoseReach._cheapest

    def noted(reach, last, goals):
        asked.append((last.level, len(last.links)))
        return cheapest(reach, last, goals)

    monkeypatch.setattr(PoseReach, "_cheapest", noted)
    return asked


@pytest.mark.sampled("0-others-None", "1-trees-40.0")
@pytest.mark.parametrize("heading", [None, 40.0])
@pytest.mark.parametrize("kind", ["others", "trees"])
@pytest.mark.parametrize("seed", range(4))
def test_costs_are_those_of_ways_that_are_looked_for_one_by_one(seed, kind, heading, monkeypatch):
    space, places = spaces(seed)[kind], np.random.default_rng(seed).uniform(-5, 5, (40, 2))
    facing = None if heading is None else np.full(len(places), heading)

    def costs():
        reach = PoseReach(space)
        if facing is None:
            found = [reach.costs_at(places, level) for level in LEVELS]
        else:
            found = [reach.costs_in(places, facing, level) for level in LEVELS]
        assert sum(require_judged(space, reach, places, level, facing) for level in LEVELS)
        return np.array(found)

    once = costs()
    monkeypatch.setattr(PoseReach, "_goes_on_by", lambda *_: [])
    assert np.array_equal(costs().round(9), once.round(9))


def along_the_outline(reach, level, count):
    """Places just inside of an outline: what ends there mostly uses up all that may be spent."""
    outline = shapely.buffer(reach.area(level=level), -0.004).boundary
    return shapely.get_coordinates(shapely.segmentize(outline, 0.3))[:count]


# On the last two tables some ends are found only if the leg before the last one is made anew for what is left to spend.
@pytest.mark.sampled("10", "13")
@pytest.mark.parametrize("seed", [0, 1, 10, 13])
def test_ends_that_use_up_the_budget_are_found_as_well(seed, monkeypatch):
    space = over_patches(seed)
    reach = PoseReach(space)
    places = np.concatenate([along_the_outline(reach, level, 120) for level in LEVELS])
    once = np.array([PoseReach(space).costs_at(places, level) for level in LEVELS])
    monkeypatch.setattr(PoseReach, "_goes_on_by", lambda *_: [])
    alone = np.array([PoseReach(space).costs_at(places, level) for level in LEVELS])
    assert np.isfinite(alone).sum() > 100
    assert np.array_equal(once.round(9), alone.round(9))


def test_each_level_is_looked_at_once(searches):
    reach, places = PoseReach(flyer(0, Round(0.6), others=3)), np.random.default_rng(1).uniform(-5, 5, (30, 2))
    for level in LEVELS:
        reach.costs_at(places, level)
    assert searches == [(0, 0), (1, 0), (2, 0)]
    searches.clear()
    reach.costs_at(places[:5], 0)
    assert searches == [(0, 0), (1, 0), (2, 0)]


def test_what_was_found_for_several_movers_together_is_not_looked_for_again(searches):
    spaces = [flyer(seed, Round(0.6)) for seed in (0, 1)]
    reaches, places = reach_many(spaces), np.random.default_rng(1).uniform(-5, 5, (20, 2))
    know_together(reaches, places)
    assert searches == 2 * [(1, 0), (2, 0)]
    for space, reach in zip(spaces, reaches, strict=True):
        assert np.array_equal(reach.costs_at(places), PoseReach(space).costs_at(places))


def test_near_what_is_knocked_down_ways_are_looked_for_by_themselves(searches):
    space = tower(0)
    reach, tree = PoseReach(space), np.array([space.tolls[0].thing.polygon.centroid.coords[0]])
    reach.costs_at(np.vstack([tree, tree + 3.0]), 0)
    assert any(links for _, links in searches)


@pytest.mark.parametrize("case", ["long base", "many places"])
def test_what_is_not_found_once_for_all(case, searches):
    base = Rectangle(2, 1) if case == "long base" else Round(0.6)
    count = 5 if case == "long base" else GOALS_KEPT + 1
    reach = PoseReach(flyer(0, base))
    reach.costs_at(np.random.default_rng(2).uniform(-5, 5, (count, 2)), 0)
    assert {links for _, links in searches} == {0, 1, 2}
