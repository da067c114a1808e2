"""Reverse reach of tanks: a start is one if and only if reach from there has the goal, at the same cost."""

import math

import numpy as np
import pytest
import shapely
import table_tanks
from test_posed_reach import POND, WALL, WOOD, plain

from simulator.engine.game import Game
from simulator.engine.posed_together import costs_at_each, costs_to
from simulator.engine.reading import write_order
from simulator.geometry.poses import Pose
from simulator.geometry.table import InchTable
from simulator.pathing.traces import NoRoute


def at(pose, *pieces, other=None, **more):
    """The plain with the tank put somewhere else."""
    return plain(*pieces, at=pose.place, heading=pose.heading, other=other, **more)


SHORT = {"drive.inches": 12}


@pytest.mark.sampled
@pytest.mark.parametrize("goal", [Pose((14, 12)), Pose((14, 12), 30)])
def test_each_start_and_no_other_place(goal):
    back = plain(WOOD, POND, other=(16, 16), **SHORT).reach_to("A1", goal)
    dice = np.random.default_rng(6)
    starts = [Pose(tuple(place), 0.0) for place in dice.uniform((5, 7), (16, 13), (12, 2)).round(2).tolist()]
    costs = back.costs_at(np.array([start.place for start in starts]))
    assert 1 < np.isfinite(costs).sum() < len(starts)
    for start, cost in zip(starts, costs.tolist(), strict=True):
        game = at(start, WOOD, POND, other=(16, 16), **SHORT)
        there = game.reach("A1").costs_at([goal])[0]
        assert there == cost
        assert (start.place in back) == math.isfinite(there)
        if math.isfinite(cost):
            for order in back.orders_from(start):
                game.do(order)
            assert game.state.unit("A1").place == pytest.approx(goal.place, abs=1e-6)
            assert not back.why_not(start)


def test_why_not_from_there():
    back = plain().reach_to("A1", (35, 10))
    assert [str(reason) for reason in back.why_not((8, 10)).reasons] == [
        "TT-3   the move costs 27 inches, but only 24 inches can be spent"
    ]


def test_from_its_own_place_as_in_reach():
    game = plain(WOOD)
    back = game.reach_to("A1", Pose((22, 14), 90))
    assert back.cost_at((10, 10)) == game.reach("A1").cost_at(Pose((22, 14), 90))
    assert game.reach_to("A1", (15, 10)).cost_at((10, 10)) == 5


def test_with_another_heading():
    back = plain(at=(30, 10)).reach_to("A1", Pose((20, 10), 90))
    assert [back.cost_at(Pose((20, 4), heading)) for heading in (0, 90)] == [8 + 6, 6]
    assert back.cost_at((20, 4)) == 14  # facing as it does now


@pytest.mark.long
def test_the_area_is_of_starts():
    back = plain(WALL, at=(24, 15), **SHORT).reach_to("A1", Pose((20, 15), 0))
    assert back.area.geom_type == "MultiPoint"
    points = shapely.get_coordinates(back.area)
    costs = back.costs_at(points)
    assert len(points) > 10
    assert np.isfinite(costs).all()
    assert np.array_equal(back.starts.tried[np.isfinite(back.costs_at(back.starts.tried))], points)
    assert any(np.allclose(point, (24, 15)) for point in points)
    below = 0.0
    for level, band in back.bands():
        within = back.costs_at(shapely.get_coordinates(band))
        assert np.all((within <= level + 1e-4) & ((within > below) | (below == 0.0)))
        below = level
    assert sum(len(band.geoms) for _, band in back.bands()) == len(points)
    turned = shapely.get_coordinates(back.area_of(heading=90))
    assert np.isfinite(back.costs_at([Pose((x, y), 90) for x, y in turned.tolist()])).all()


# Long: all starts are searched to find none; reasons for a single one are tried beside it.
@pytest.mark.long
def test_nowhere():
    back = plain(WALL).reach_to("A1", (30, 10))  # on the wall
    assert back.area.is_empty
    assert back.bands() == []
    with pytest.raises(NoRoute):
        back.orders_from((24, 10))


def test_levels_of_a_hover_tank():
    back = plain(WALL, at=(22, 10), kind="hover").reach_to("A1", Pose((34, 10), level="ground"))
    assert back.cost_at((22, 10)) == 4 + 12 + 4
    assert back.cost_at(Pose((22, 10), level="air")) == 12 + 4
    assert {"rise", "sink"} <= {
        element.get("link") for order in back.orders_from((22, 10)) for element in order.elements
    }


class TestManyUnits:
    def game(self):
        board = InchTable("Plain", 48, 30, pieces=(WOOD, WALL))
        spots = [(8, 8), (8, 20), (40, 8), (24, 4)]
        units = [
            table_tanks.RULESET.make_unit(f"A{number}", "hover" if number % 2 else "tank", "red", spot, heading=90.0)
            for number, spot in enumerate(spots)
        ]
        return Game.new(table_tanks.RULESET, board, units)

    # Long: each of many units is asked alone as well; the next test asks all of them once.
    @pytest.mark.long
    def test_each_answer_is_the_one_alone(self):
        game = self.game()
        places = np.random.default_rng(3).uniform((4, 4), (44, 26), (30, 2))
        for unit, answer in game.reach_many():
            assert answer.is_searched
            alone = game.reach(unit)
            assert np.array_equal(answer.costs_at(places), alone.costs_at(places))
            (order,) = answer.orders_to(Pose((answer.start[0], answer.start[1] + 4)))
            assert write_order(order, game.ruleset.vocabulary) == f"{unit}: forward 4"

    def test_who_can_get_to_a_place(self):
        game = self.game()
        answers = [game.reach(unit.id) for unit in game.state]
        costs = costs_to(answers, Pose((10, 16), 90))
        assert costs.tolist() == [game.reach(unit.id).costs_at([Pose((10, 16), 90)])[0] for unit in game.state]
        # Who is too far off has not been searched for.
        assert [answer.is_searched for answer in answers] == [True, True, False, True]

    def test_a_planner_is_of_its_own_space(self):
        one, same, other = (self.game().reach(unit) for unit in ("A0", "A0", "A1"))
        one.use(same.planner)
        assert one.planner is same.planner
        with pytest.raises(ValueError, match="for its own space"):
            one.use(other.planner)


def test_what_many_answers_say_about_places():
    games = [at(Pose((x, 10), heading), WOOD, POND, other=(16, 16)) for x, heading in ((6, 0), (9, 90), (20, 180))]
    answers = [game.reach("A1") for game in games]
    places = np.random.default_rng(2).uniform((2, 2), (30, 18), (70, 2))
    found = costs_at_each(answers, places)
    for costs, game in zip(found, games, strict=True):
        assert np.array_equal(costs, game.reach("A1").costs_at(places))
    assert np.isfinite(found).any(axis=1).all()
    assert costs_at_each([], places).shape == (0, 70)
    assert costs_at_each(answers, np.zeros((0, 2))).shape == (3, 0)
