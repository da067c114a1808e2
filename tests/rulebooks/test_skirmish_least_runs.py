"""Runs that have to go nine inches and may go farther, or are cut short to less by a failed roll (SK-30, SK-35)."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import shapely
from skirmish_tables import chosen, game_with, rough, wall

from simulator.engine.answers import Script
from simulator.geometry.paths import Paths
from simulator.rulesets.skirmish.obstruction import barred_at, may_end
from simulator.rulesets.skirmish.reach.fronts import TOLERANCE_OF_AREAS

FULL = {"run_min_inches": 9}
#: Inches of a run, and of one whose roll fails.
INCHES = [(9, 8), (9, 9), (12, 8), (12, 10), (10, 9.5), (8, 8)]
STRIP = rough(2, -20, 3, 20)


def figures(most: float, failed: float) -> dict[str, Any]:
    """The figures for runs of so many inches."""
    return {"run.inches": most, "run.failed.inches": failed}


def a_table(most, failed, psq, **options):
    """A wall and a patch of rough ground, a friend and a foe around the soldier."""
    pieces = [wall((-6, -2), (-6, 2)), rough(2, -6, 5, 7)]
    others = (("A2", "red", (0, 9)), ("B1", "blue", (4, -5)))
    me = {"psq": psq, "threshold_left": 0, "heading": 90.0}
    return game_with(*pieces, me=me, others=others, options=FULL | options, tables=figures(most, failed))


def runs(game, seed, count=60):
    """Random runs that the rules allow, all dice 10: the soldier after each."""
    rng = np.random.default_rng(seed)
    for angle in rng.uniform(0.0, 2.0 * math.pi, count).tolist():
        inches, facing = float(rng.choice([9.0, rng.uniform(8.0, 12.5)])), int(rng.integers(24)) * 15
        x, y = inches * math.cos(angle), inches * math.sin(angle)
        if game.setting.options.measure == "front_point":  # it is the front that goes so far, from where it faces north
            x -= 0.5 * math.cos(math.radians(facing))
            y += 0.5 - 0.5 * math.sin(math.radians(facing))
        order = f"A1 run: to {x!r},{y!r}, facing {facing}"
        if not list(game.breaches(order)):
            twin = game.branch(Script.dice((10,), open_ended=True))
            twin.do(order, chosen())
            yield twin.state.unit("A1")


@pytest.mark.parametrize(("most", "failed"), INCHES)
@pytest.mark.parametrize("psq", [0, 20])
def test_runs_end_where_reach_says(most, failed, psq):
    """With a Physique of 0 no Terrain roll succeeds, with one of 20 each does: play is certain."""
    game = a_table(most, failed, psq)
    reaches = {token: game.reach("A1", "run", token=token) for token in (True, False, None)}
    ends = list(runs(game, seed=2))
    assert (len(ends) > 10) == (most >= 9)
    for unit in ends:
        for reach in (reaches[unit["running"]], reaches[None]):
            assert reach.cost_at(unit.place) == 3
            assert shapely.distance(reach.area, shapely.Point(unit.place)) <= 2 * TOLERANCE_OF_AREAS
    assert {unit["running"] for unit in ends} == ({True, False} if psq == 0 else {True} if ends else set()) - (
        set() if most >= 9 else {True, False}
    )
    if ends:
        assert reaches[None].chance_at(ends[0].place) == 1


@pytest.mark.parametrize(("most", "failed"), INCHES)
@pytest.mark.parametrize("psq", [0, 20])
def test_the_orders_of_such_runs_are_played(most, failed, psq):
    game = a_table(most, failed, psq)
    rng = np.random.default_rng(3)
    for token in (True, False):
        reach = game.reach("A1", "run", token=token)
        corners = shapely.get_coordinates(reach.area)
        spots = [*corners[rng.integers(0, len(corners), 4)].tolist()] if len(corners) else []
        for place in [one for one in [*spots, *rng.uniform(-12.0, 12.0, (60, 2)).tolist()] if one in reach][:6]:
            (order,) = reach.orders_to(place)
            twin = game.branch(Script.dice((10,), open_ended=True))
            twin.do(order, chosen())
            assert twin.state.unit("A1").place == pytest.approx(tuple(place), abs=1e-5)
            assert twin.state.unit("A1")["running"] == token


def test_a_run_cut_short_ends_where_none_may_be_declared_to():
    """SK-30, SK-35: a line of nine inches through rough ground, eight if the roll fails."""
    game = game_with(STRIP, me={"threshold_left": 0}, options=FULL)
    for token, at_eight, at_nine in [(None, "0.4", "0.6"), (False, "0.4", "0"), (True, "0", "0.6")]:
        reach = game.reach("A1", "run", token=token)
        assert [reach.chance_at((x, 0)) for x in (8, 9)] == [Fraction(at_eight), Fraction(at_nine)]
        assert [reach.chance_at((x, 0)) for x in (7.9, 8.1, -8)] == [0, 0, 0]
    closed = game_with(STRIP, wall((9.2, -20), (9.2, 20)), me={"threshold_left": 0}, options=FULL)
    assert closed.reach("A1", "run").chance_at((8, 0)) == 0


@pytest.mark.parametrize("most", [9, 12])
def test_measured_from_front_to_front_such_a_run_ends_facing_any_way(most):
    """SK-3, SK-30: the front goes nine inches, so the base is as near as the facing brings it."""
    game = a_table(most, 8, 20, measure="front_point")
    reach = game.reach("A1", "run")
    ends = list(runs(game, seed=4, count=200))
    assert len(ends) > 10
    assert all(reach.cost_at(unit.place) == 3 for unit in ends)
    assert max(shapely.distance(reach.area, shapely.Point(unit.place)) for unit in ends) <= 0.05
    rng = np.random.default_rng(5)
    inside = [one for one in rng.uniform(-12.0, 12.0, (300, 2)).tolist() if one in reach]
    assert len(inside) > 8
    for place in inside[:12]:
        (order,) = reach.orders_to(place)
        assert not list(game.breaches(order))


# Runs after a move: with more inches than they have to go they end on ground.
@pytest.mark.sampled("12")
@pytest.mark.parametrize("most", [10, 12])
def test_runs_of_nine_to_more_inches_after_a_move(most):
    options = FULL | {"ap_per_activation": 4}
    others = (("A2", "red", (7, 1)), ("B1", "blue", (-5, 2)))
    game = game_with(others=others, options=options, tables=figures(most, 8), me={"threshold_left": 0})
    reach = game.reach("A1", ap=4, token=True, stance="kept")
    rng = np.random.default_rng(most)
    table, unit = reach.table, reach.mover
    here = np.zeros((800, 2))
    for low, high in ((0.0, 3.0), (9.0, most)):
        length, angle = rng.uniform(low, high, len(here)), rng.uniform(0.0, 2.0 * np.pi, len(here))
        there = here + length[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
        free = np.isinf(barred_at(table, unit, Paths.of_lines(list(np.stack([here, there], axis=1)))))
        here = there[free & may_end(table, unit, there)]
    assert len(here) > 300
    assert shapely.distance(reach.area, shapely.points(here)).max() <= TOLERANCE_OF_AREAS
    assert np.isfinite(reach.costs_at(here[:60])).all()
