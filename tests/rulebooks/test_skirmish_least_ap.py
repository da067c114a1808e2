"""The fewest AP that a place could cost: no end costs less, and what is too far off is not computed to be explained."""

import math

import numpy as np
import pytest
import shapely
from one_truth import table_position
from skirmish_tables import block, game_with, wall

from simulator.engine.game import Game
from simulator.rulesets.skirmish.reach.least_ap import LeastAp, least_ap
from simulator.rulesets.skirmish.why import remedies
from simulator.rulesets.skirmish.why.remedies import Variation, varied

#: What changes how far an AP leads, or from where to where a traverse does.
OPTIONS = [
    {},
    {"traverse_direction": "any_direction"},
    {"measure": "front_point"},
    {"traverse_ap": 0},
    {"path_shape": "straight_per_ap"},
    {"pool_ap": True, "run_and_traverse_same_activation": True},
]
under_each_option = pytest.mark.parametrize(
    "options", OPTIONS, ids=lambda options: " ".join(f"{key}={options[key]}" for key in options)
)


def generated(seed, options):
    position, _ = table_position(seed)
    return Game.new(position.ruleset, position.board, position.state.units.values(), options=options)


def some_ends(answer, count=60):
    """Places in an area, and on its lines, each with what it costs."""
    left, bottom, right, top = answer.area.bounds
    dice = np.random.default_rng(1)
    places = dice.uniform((left, bottom), (right, top), (20 * count, 2))
    rows = [part.coords for part in getattr(answer.area, "geoms", [answer.area]) if part.geom_type == "LineString"]
    places = np.concatenate([places, *map(np.asarray, rows)])
    costs = answer.costs_at(places)
    found = np.flatnonzero(np.isfinite(costs))
    found = dice.permutation(found)[:count]
    return places[found], costs[found]


@pytest.mark.sampled
@under_each_option
@pytest.mark.parametrize("seed", range(8))
def test_no_end_costs_less(seed, options):  # SK-2, SK-3, SK-18, SK-30
    answer = generated(seed, options).reach("A1", ap=2 + seed // 7, threshold=1, stance="any" if seed % 3 else "kept")
    places, costs = some_ends(answer)
    assert len(places) > 10
    least = np.array([least_ap(answer.spending, tuple(place)) for place in places.tolist()])
    assert np.all(least <= costs)
    assert least.max() >= 0.5 * costs.max()


@pytest.mark.sampled
@under_each_option
@pytest.mark.parametrize("seed", range(6))
def test_who_asks_about_one_place_alone_gets_the_same_answer(seed, options):  # SK-2, SK-3, SK-18, SK-30
    stance = "any" if seed % 3 else "kept"
    question = generated(seed, options).reach("A1", ap=1 + seed % 2, threshold=seed % 2, stance=stance)
    more = varied(question, change=Variation(ap=1))
    places = question.start + np.random.default_rng(seed).uniform(-12, 12, (200, 2))
    costs = more.costs_at(places)
    ends, others = np.flatnonzero(np.isfinite(costs)), np.flatnonzero(np.isinf(costs))
    dearest = ends[np.argsort(costs[ends], kind="stable")[-2:]]
    assert len(dearest)
    asked = np.r_[dearest, others[:2]]
    places, costs = places[asked], costs[asked]
    for place, cost in zip(map(tuple, places.tolist()), costs.tolist(), strict=True):
        alone = varied(question, change=Variation(ap=1), aim=place)
        assert alone.cost_at(place) == (int(cost) if np.isfinite(cost) else None)
        if np.isfinite(cost):
            assert alone.orders_to(place) == more.orders_to(place)


@pytest.mark.parametrize(
    ("pieces", "place", "least"),
    [
        ((), (9, 0), 3),
        ((wall((3, -20), (3, 20)),), (3.5, 0), 2),
        # To an inch before a block, over it, however deep it is, and on from beside it: each takes whole AP.
        ((block(2, -1, 12, 1),), (15, 0), 1 + 1 + 1),
        # What is too high to be climbed leads nowhere.
        ((block(2, -1, 12, 1, height=9),), (15, 0), 5),
        # From beside the one to the other.
        ((block(2, -1, 12, 1), block(15, -1, 25, 1, name="other")), (28, 0), 1 + 1 + 1 + 1 + 1),
    ],
)
def test_by_hand(pieces, place, least):
    answer = game_with(*pieces, size=80).reach("A1")
    assert least_ap(answer.spending, place) == least


def test_without_moves_only_traverses_lead_on():
    walls = wall((1, -3), (1, 3)), wall((2.5, -3), (2.5, 3), name="next"), wall((9, -3), (9, 3), name="far")
    spending = game_with(*walls).reach("A1", "traverse").spending
    found = [least_ap(spending, place) for place in [(0, 0), (1.5, 0), (3, 0), (9.5, 0), (6, 0)]]
    assert found == [0, 1, 2, math.inf, math.inf]


@pytest.mark.parametrize(("place", "least"), [((6.2, 0), 3), ((6.4, 0), 4)])
def test_through_a_gap_by_hand(place, least):
    # E16: 1.5 inches lead to where it can be traversed, at (3.3, 0) a soldier is through.
    one, other = wall((3, -9), (3, -0.4), name="one", height=9), wall((3, 0.4), (3, 9), name="other", height=9)
    spending = game_with(one, other).reach("A1").spending
    assert LeastAp(spending, place).over_things([shapely.Point(0, 0)]).tolist() == [least]


def test_what_is_too_far_off_is_explained_without_a_search(monkeypatch):
    game = game_with(wall((3, -9), (3, 9)))
    answer = game.reach("A1", ap=1)
    assert answer.cost_at((19, 0)) is None
    monkeypatch.setattr(remedies, "varied", None)
    why = answer.why_not((19, 0))
    assert why.remedy.endswith("AP more")


def test_that_no_fewer_would_do_may_be_known():
    # Straight there it takes 7 AP, and no wall that could be climbed leads anywhere sooner.
    assert game_with(wall((3, 4), (3, 9), height=9)).reach("A1", ap=1).why_not((19, 0)).remedy == "6 AP more"
