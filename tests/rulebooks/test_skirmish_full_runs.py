"""Runs that have to go all nine inches, with a move before them: their ends are ground, held to random play (SK-30)."""

import functools
from fractions import Fraction

import numpy as np
import pytest
import shapely
from skirmish_tables import block, game_with, rough, wall
from test_skirmish_reach_play import played

from simulator.geometry.paths import Paths
from simulator.rulesets.skirmish.obstruction import barred_at, may_end
from simulator.rulesets.skirmish.reach.fronts import TOLERANCE_OF_AREAS

FULL = {"ap_per_activation": 4, "run_min_inches": 9}
TABLES = {
    "open": {"pieces": (), "others": ()},
    "a block": {"pieces": (block(4, -1, 5, 3, 9),), "others": ()},
    "a friend and a foe": {"pieces": (), "others": (("A2", "red", (7, 1)), ("B1", "blue", (-5, 2)))},
}


@functools.cache
def asked(name):
    """A game on a table, and the reach of four AP that ends with the token."""
    made = TABLES[name]
    game = game_with(*made["pieces"], others=made["others"], options=FULL, me={"threshold_left": 0})
    return game, game.reach("A1", "turn", ap=4, token=True, stance="kept")


def random_ends(reach, seed, count=1500):
    """Ends of a straight move of up to three inches and a straight run of just nine, by the judge's own measure."""
    rng = np.random.default_rng(seed)
    table, unit = reach.table, reach.mover
    here = np.tile(np.array(reach.start, np.float64), (count, 1))
    for length in (np.where(rng.random(count) < 0.3, 3.0, rng.uniform(0, 3, count)), np.full(count, 9.0)):
        angle = rng.uniform(0, 2 * np.pi, len(here))
        there = here + length[: len(here), None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
        free = np.isinf(barred_at(table, unit, Paths.of_lines(list(np.stack([here, there], axis=1)))))
        here = there[free & may_end(table, unit, there)]
    return here


@pytest.mark.sampled
@pytest.mark.parametrize("name", TABLES)
def test_ends_of_a_move_and_a_run_of_just_nine_inches_are_ground(name):
    game, reach = asked(name)
    ends = random_ends(reach, seed=1)
    assert len(ends) > 500
    assert shapely.distance(reach.area, shapely.points(ends)).max() <= TOLERANCE_OF_AREAS
    some = ends[:40]
    costs = reach.costs_at(some)
    assert np.isfinite(costs).all()
    for place, cost in list(zip(some.tolist(), costs.tolist(), strict=True))[:12]:
        unit = played(game, reach, place)
        assert unit.place == pytest.approx(tuple(place), abs=1e-5)
        assert unit["running"]
        assert 4 - unit["ap"] == cost


@pytest.mark.sampled(dear=["a block"])
@pytest.mark.parametrize("name", TABLES)
def test_whatever_the_area_holds_is_an_end(name):
    game, reach = asked(name)
    ground = shapely.union_all([front.area for front in reach.fronts.possible(4)])
    rng = np.random.default_rng(2)
    spots = rng.uniform(-12, 12, (150, 2))
    corners = shapely.get_coordinates(ground)
    spots = spots[shapely.contains_xy(ground, *spots.T)]
    assert len(spots) > 50
    assert np.isfinite(reach.costs_at(spots)).all()
    assert np.isfinite(reach.costs_at(corners[rng.integers(0, len(corners), 20)])).all()
    for place in spots[:5].tolist():
        assert played(game, reach, place).place == pytest.approx(tuple(place), abs=1e-5)


# Long: runs through narrow ground; ends of a move and a run are tried beside it.
@pytest.mark.long
def test_who_has_moved_into_rough_ground_is_not_sure_to_run_on_in_it():  # SK-8, SK-34
    game = game_with(rough(1, -23, 23, 23), options=FULL, me={"threshold_left": 0})
    reach = game.reach("A1", "turn", ap=4, token=True, stance="kept")
    assert reach.certain_area.area > 50
    assert shapely.intersection(reach.certain_area, shapely.box(1.01 + 3, -23, 23, 23)).area == 0
    assert reach.chance_at((10.5, 0.5)) == Fraction(6, 10)


# Long: runs through narrow ground; ends of a move and a run are tried beside it.
@pytest.mark.long
def test_ends_of_runs_of_just_nine_inches_after_a_traverse_are_ground():
    """SK-23, SK-30: aimed in any direction a traverse comes down anywhere along a line, and runs begin all along it."""
    options = FULL | {"traverse_direction": "any_direction"}
    game = game_with(wall((1.1, -9), (1.1, 9)), options=options, me={"threshold_left": 0})
    reach = game.reach("A1", "turn", ap=4, token=True, stance="kept")
    (line,) = {one.line for front in reach.fronts.possible(4) for leg in front.legs for one in leg.before.all_landings}
    assert line.length > 2.9
    rng = np.random.default_rng(1)
    here = shapely.get_coordinates(shapely.line_interpolate_point(line, rng.random(600), normalized=True))
    angle = rng.uniform(0, 2 * np.pi, len(here))
    there = here + 9 * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    free = np.isinf(barred_at(reach.table, reach.mover, Paths.of_lines(list(np.stack([here, there], axis=1)))))
    ends = there[free & may_end(reach.table, reach.mover, there)]
    assert len(ends) > 200
    assert shapely.distance(reach.area, shapely.points(ends)).max() <= TOLERANCE_OF_AREAS
    assert np.isfinite(reach.costs_at(ends)).all()
    ground = shapely.union_all([part for part in shapely.get_parts(reach.area) if part.area])
    corners = shapely.get_coordinates(ground)
    assert np.isfinite(reach.costs_at(corners[rng.integers(0, len(corners), 200)])).all()
    assert played(game, reach, ends[0].tolist()).place == pytest.approx(tuple(ends[0]), abs=1e-5)
