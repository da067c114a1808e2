"""What a program may rely on whatever the rulebook: arrays in and out, the names of GeoJSON, and how no way is told."""

import math
from pathlib import Path

import numpy as np
import pytest

from simulator import NoPlace, NoRoute, load_scenario, picture

SCENARIOS = Path(__file__).resolve().parents[2] / "scenarios"

QUESTIONS = {
    "squares": ("grid_runner/market_chase.yaml", "kit", {}),
    "squares, by pass": ("grid_runner/market_chase.yaml", "kit", {"passes": 2}),
    "dots, driving": ("dot_trooper/alley_turn.yaml", "ann", {"action": "drive", "mode": "cruise"}),
    "dots, on foot": ("dot_trooper/over_the_roofs.yaml", "bea", {}),
    "table": ("skirmish/over_the_wall.yaml", "ana", {"action": "move"}),
}
KEYS = {
    "area": ({"unit"}, {"places", "odds"}),
    "certain": (set(), set()),
    "band": ({"cost", "unit"}, set()),
    "chance band": ({"chance"}, set()),
    "end": ({"place", "cost", "chance"}, {"heading", "phase", "motion", "level", "posture"}),
}


@pytest.fixture(scope="module", params=QUESTIONS, ids=str)
def answer(request):
    file, unit, question = QUESTIONS[request.param]
    return load_scenario(SCENARIOS / file).start().reach(unit, **question)


def some_places(answer):
    """Places in reach and out of it, and off the board."""
    bounds = answer.board.bounds
    if answer.board.kind == "table":
        return np.random.default_rng(3).uniform(-2, [bounds.max_x + 2, bounds.max_y + 2], (25, 2))
    around = np.random.default_rng(3).integers(-3, [*answer.board.shape[::-1]], (25, 2))
    within = np.array(list(answer)[:9], np.int64).reshape(-1, 2)
    return np.concatenate([around, within])


def test_many_costs_are_those_of_one_by_one(answer):
    places = some_places(answer)
    costs = answer.costs_at(places)
    assert (costs.shape, costs.dtype) == ((len(places),), np.float64)
    for place, cost in zip(map(tuple, places.tolist()), costs.tolist(), strict=True):
        assert (place in answer) == math.isfinite(cost)
        assert not math.isfinite(cost) or answer.cost_at(place) == cost
    assert answer.costs_at(places[:0]).shape == (0,)


@pytest.mark.parametrize("places", [(1, 2), [[1, 2, 3]], [[math.nan, 1.0]], [[[1, 2]]]], ids=str)
def test_what_can_be_no_places_is_told(answer, places):
    with pytest.raises(NoPlace, match="not an array of"):
        answer.costs_at(places)


def test_no_way_is_told_alike(answer):
    table = answer.board.kind == "table"
    known = map(tuple, some_places(answer).tolist()) if table else answer.board.places()
    away = next(place for place in known if place in answer.board and place not in answer)
    with pytest.raises(NoRoute):
        answer.orders_to(away)


def test_geojson_says_what_it_says_in_the_same_words(answer):
    told = answer.to_geojson()
    assert told["properties"].keys() >= {"mover", "action", "unit"}
    assert (told["properties"]["mover"], told["properties"]["unit"]) == (answer.mover.id, answer.unit)
    kinds = set()
    for feature in told["features"]:
        said = dict(feature["properties"])
        kind = said.pop("what")
        always, sometimes = KEYS[kind]
        assert always <= said.keys() <= always | sometimes, kind
        kinds.add(kind)
    assert {"area", "band", "chance band"} <= kinds


def test_an_answer_is_drawn_among_the_units(answer):
    svg = picture(answer)
    drawn = [mark.unit for mark in answer.table.setting.ruleset.draw(answer.table)]
    assert answer.mover.id in drawn
    assert all(f">{unit}" in svg for unit in drawn)
