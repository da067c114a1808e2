"""Areas that are asked for with a deadline: what is known by then, what may still come, and all of it in the end."""

import contextlib
import zlib
from pathlib import Path

import numpy as np
import pytest
import shapely

from simulator.engine.areas import ground_text
from simulator.engine.errors import TableError
from simulator.formats.scenarios import load_scenario
from simulator.geometry.poses import Pose

SCENARIOS = Path(__file__).resolve().parents[2] / "scenarios"
#: On squares, on dots, on a table in free directions, and on two with headings, one of them with storeys.
ASKED = [
    ("grid_runner/market_chase", "kit"),
    ("dot_trooper/alley_turn", "ann"),
    ("skirmish/the_yard", "ash"),
    ("mecha/at_the_crossing", "lance"),
    ("combined_arms/town_hall", "rifle"),
]


def game(name):
    return load_scenario(SCENARIOS / f"{name}.yaml").start()


@pytest.mark.sampled(dear=["combined_arms/town_hall-rifle", "mecha/at_the_crossing-lance"])
@pytest.mark.parametrize(("name", "unit"), ASKED)
def test_in_the_end_it_is_the_area(name, unit):
    so_far = game(name).reach_within(600, unit)
    assert so_far.is_whole
    assert so_far.inner.equals(game(name).reach(unit).area)
    assert so_far.outer.buffer(1e-9).covers(so_far.inner)


@pytest.mark.sampled(dear=["combined_arms/town_hall-rifle", "mecha/at_the_crossing-lance"])
@pytest.mark.parametrize(("name", "unit"), [one for one in ASKED if not one[0].startswith(("grid", "dot"))])
def test_all_that_is_known_lies_in_the_area_and_no_end_lies_outside_of_what_may_come(name, unit):
    so_far, whole = game(name).reach_within(0, unit), game(name).reach(unit).area
    sizes, gaps = [], []
    for _ in range(500):
        assert whole.buffer(1e-6).covers(so_far.inner)
        assert so_far.outer.buffer(1e-6).covers(whole)
        sizes.append(so_far.inner.area)
        gaps.append(so_far.gap)
        if so_far.is_whole:
            break
        so_far.refine(0)
    assert so_far.is_whole
    assert np.all(np.diff(sizes) >= -1e-6)
    assert np.all(np.diff(gaps) <= 1e-6)


STORIES = [
    path for book in ("combined_arms", "mecha", "skirmish") for path in sorted((SCENARIOS / book).glob("*.yaml"))
]


def some_answers(path):
    """Two answers about units of a story, drawn by its name."""
    table = load_scenario(path).start()
    questions = [(unit, action) for unit in table.state.units for action in table.ruleset.reaches]
    found = []
    for number in np.random.default_rng(zlib.crc32(path.stem.encode())).permutation(len(questions)):
        with contextlib.suppress(TableError):  # it is not on the table, or cannot be asked that now
            found.append(table.reach(*questions[number]))
        if len(found) == 2:
            break
    return found


@pytest.mark.sampled
@pytest.mark.parametrize("path", STORIES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_no_answer_has_ends_outside_of_what_may_come(path):
    answers = some_answers(path)
    assert answers
    for answer in answers:
        may_come = [answer.room()]
        box = answer.box_within(answer.most)
        may_come += [] if box is None else [shapely.box(*box)]
        assert shapely.is_empty(answer.area) or shapely.covers(shapely.buffer(may_come, 1e-6), answer.area).all()


def test_it_comes_in_parts():
    so_far = game("mecha/at_the_crossing").reach_within(0, "lance")
    assert not so_far.is_whole
    first = so_far.inner.area
    assert 0 < first < so_far.refine(600).inner.area
    assert str(so_far) == "<Area of lance so far: all>"


def test_each_end_costs_what_it_may_before_all_is_known():
    so_far = game("mecha/at_the_crossing").reach_within(0, "lance")
    ground = shapely.buffer(so_far.inner, -0.05)
    left, bottom, right, top = ground.bounds
    places = np.random.default_rng(4).uniform((left, bottom), (right, top), (200, 2))
    places = places[shapely.contains_xy(ground, places[:, 0], places[:, 1])]
    assert len(places) > 20
    assert np.all(so_far.answer.costs_at(places) <= float(so_far.answer.most))


@pytest.mark.parametrize("seconds", [-1, float("nan"), "0.5s", None])
def test_no_less_than_no_time(seconds):
    with pytest.raises(ValueError, match="0 seconds or more"):
        game("mecha/at_the_crossing").reach_within(seconds, "lance")


@pytest.mark.sampled(dear=["combined_arms/town_hall-rifle", "mecha/at_the_crossing-lance"])
@pytest.mark.parametrize(("name", "unit"), ASKED)
def test_the_whole_area_lies_in_what_is_known_and_what_is_not_known_yet(name, unit):
    so_far, whole = game(name).reach_within(0, unit), game(name).reach(unit).area
    assert shapely.union_all([so_far.inner, so_far.unknown]).buffer(1e-6).covers(whole)
    # Outlines are snapped to a millionth of an inch.
    assert so_far.unknown.intersection(so_far.inner).area < 1e-3
    assert so_far.refine(600).unknown.is_empty


def test_of_places_it_is_known_before_all_is():
    so_far = game("mecha/at_the_crossing").reach_within(0, "lance")
    inside, between = so_far.inner.representative_point(), so_far.unknown.representative_point()
    assert so_far.has((inside.x, inside.y))
    assert so_far.has((between.x, between.y)) is None
    assert so_far.has((0.0, 0.0)) is False
    assert so_far.has(Pose((0.0, 0.0), 90)) is False
    assert so_far.has(Pose((inside.x, inside.y), 90)) is None


def test_on_a_lattice_all_places_are_known():
    so_far = game("dot_trooper/alley_turn").reach_within(0, "ann", "drive")
    assert so_far.has((5, 2))
    assert so_far.has(Pose((5, 2), 180))
    assert so_far.has((3, 0)) is False


def test_what_stays_where_it_is_has_no_unknown_ground():
    so_far = game("mecha/at_the_crossing").reach_within(0, "mortar")
    assert not so_far.is_whole
    assert ground_text(so_far.answer.board, so_far.inner) == "1 point"
    assert ground_text(so_far.answer.board, so_far.unknown) == ""
    assert so_far.has(so_far.answer.start)
