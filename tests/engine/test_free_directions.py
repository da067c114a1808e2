"""`PosedReach` for movers that turn for nothing: planned in free directions, and asked as any other mover is."""

import math

import numpy as np
import pytest
import shapely
import table_scouts
from played_answers import require_played
from test_posed_reach import POND, WALL, WOOD

from simulator.engine.chain import Chain, ask
from simulator.engine.errors import IllegalOrder
from simulator.engine.game import Game
from simulator.engine.orders import Goal, Order
from simulator.geometry.poses import Pose
from simulator.geometry.table import InchTable
from simulator.pathing.posed import PoseReach
from simulator.pathing.traces import NoRoute
from simulator.pathing.weighted import WeightedReach


def plain(*pieces, at=(14, 10), heading=0.0, other=None, **tables):
    """A scout on a plain, and another if it has a place."""
    board = InchTable("Plain", 48, 30, pieces=pieces)
    units = [table_scouts.RULESET.make_unit("A1", "scout", "red", at, heading=heading)]
    if other is not None:
        units.append(table_scouts.RULESET.make_unit("B1", "scout", "blue", other, heading=90.0))
    return Game.new(table_scouts.RULESET, board, units, tables=tables)


class TestOneScout:
    def test_it_is_planned_for_in_free_directions(self):
        answer = plain(WOOD).reach("A1")
        assert not answer.is_searched
        assert isinstance(answer.planner, WeightedReach)

    def test_costs(self):
        answer = plain(WOOD).reach("A1")  # the wood begins at x = 17
        assert answer.cost_at((10, 13)) == 5
        assert answer.cost_at((20, 10)) == 9
        assert answer.cost_at(Pose((10, 13), 77)) == 5
        assert answer.costs_at([(14, 20), (26, 10)]).tolist() == [10, math.inf]
        # Refraction: the sine before the wood is twice the sine within.
        bent = min(math.hypot(3, 4 * t) + 2 * math.hypot(2, 4 * (1 - t)) for t in np.linspace(0, 1, 200001))
        assert answer.cost_at((19, 14)) == pytest.approx(bent, abs=1e-4)
        assert (26, 10) not in answer

    def test_it_never_costs_more_than_by_the_planner_over_poses(self):
        answer = plain(WOOD, WALL, POND, other=(15, 12)).reach("A1")
        places = np.random.default_rng(8).uniform((4, 2), (28, 26), (60, 2))
        ours, theirs = answer.costs_at(places), PoseReach(answer.space).costs_at(places)
        assert np.isfinite(theirs).sum() > 20
        assert np.all(ours[np.isfinite(theirs)] <= theirs[np.isfinite(theirs)] + 1e-6)

    def test_what_is_answered_can_be_played(self):
        assert require_played(lambda: plain(WOOD, WALL, other=(16, 14)), ((5, 2), (23, 22))) > 6

    def test_goals_and_headings(self):
        game = plain(WOOD)
        (ends,) = game.reach("A1").headings_at((14, 15))
        assert (str(ends), ends.cost) == ("any heading", 5)
        unit = game.do(Order("A1", "run", goal=Goal((14, 15), 200))).state.unit("A1")
        assert unit.place == pytest.approx((14, 15), abs=1e-6)
        assert unit.heading == pytest.approx(200)

    def test_the_way_there_and_on(self):
        answer = plain(WOOD).reach("A1", Chain([ask("run", to=[(14, 16)]), "all done", ask("run")]))
        assert answer.cost_at((6, 16)) == 6 + 8

    def test_areas_and_bands(self):
        answer = plain(WOOD).reach("A1")
        assert answer.area.area == pytest.approx(answer.within(12).area)
        assert answer.within(6).area < answer.area.area
        assert [level for level, _ in answer.bands()] == [2, 4, 6, 8, 10, 12]
        (inner, *_) = (band for _, band in answer.bands())
        assert inner.area == pytest.approx(math.pi * 4, rel=0.01)
        assert answer.area_of(heading=123.0).area == pytest.approx(answer.area.area)
        places = np.random.default_rng(4).uniform((2, 1), (26, 22), (200, 2))
        costs = answer.costs_at(places)
        inside = [answer.area.buffer(-0.05).covers(point) for point in shapely.points(places)]
        around = [answer.area.buffer(0.05).covers(point) for point in shapely.points(places)]
        assert np.isfinite(costs[inside]).all()
        assert np.isinf(costs[~np.array(around)]).all()


class TestRefusals:
    def test_orders(self):
        for text, message in (
            ("A1 run: forward 13", "the move costs 13 inches, but only 12 inches can be spent"),
            ("A1 run: reverse 7", "the move costs 14 inches"),
            ("A1 run: turn_right 90, forward 10", "the base would leave the table"),
        ):
            with pytest.raises(IllegalOrder) as refused:
                plain(WALL).do(text)
            assert message in str(refused.value)

    def test_too_far(self):
        why = plain().reach("A1").why_not((28, 10))
        assert [str(reason) for reason in why.reasons] == [
            "TS-1   the move costs 14 inches, but only 12 inches can be spent"
        ]
        assert why.remedy == "2 more inches"
        assert why.nearest == pytest.approx((26, 10), abs=0.15)

    def test_what_stands_there(self):
        assert [one.blocker for one in plain(WALL, at=(24, 10)).reach("A1").why_not((30, 10)).reasons] == ["wall"]
        assert [one.blocker for one in plain(other=(20, 10)).reach("A1").why_not(Pose((20, 10), 5)).reasons] == ["B1"]
        assert [one.blocker for one in plain(POND, at=(20, 20)).reach("A1").why_not((20, 24)).reasons] == ["pond"]

    def test_no_way(self):
        with pytest.raises(NoRoute):
            plain().reach("A1").orders_to((40, 10))
        assert plain().reach("A1").orders_to((14, 10)) == []


class TestManyScouts:
    def test_each_answer_is_the_one_alone(self):
        game = plain(WOOD, other=(20, 20))
        places = np.random.default_rng(5).uniform((2, 2), (40, 28), (40, 2))
        for unit, answer in game.reach_many(["A1", "B1"]):
            assert isinstance(answer.planner, WeightedReach)
            assert np.array_equal(answer.costs_at(places), game.reach(unit).costs_at(places))

    def test_from_where(self):
        goal, short = Pose((18, 12)), {"run.inches": 5}
        back = plain(WOOD, other=(16, 14), **short).reach_to("A1", goal)
        starts = np.random.default_rng(6).uniform((12, 7), (23, 17), (12, 2)).round(2).tolist()
        costs = back.costs_at(starts)
        assert 1 < np.isfinite(costs).sum() < len(starts)
        for start, cost in zip(starts, costs.tolist(), strict=True):
            game = plain(WOOD, at=tuple(start), other=(16, 14), **short)
            assert game.reach("A1").costs_at([goal])[0] == cost
            if math.isfinite(cost):
                for order in back.orders_from(tuple(start)):
                    game.do(order)
                assert game.state.unit("A1").place == pytest.approx(goal.place, abs=1e-6)
        why = back.why_not((12, 12))
        assert [str(reason) for reason in why.reasons] == [
            "TS-1   the move costs 7 inches, but only 5 inches can be spent"
        ]

    def test_the_area_is_of_starts(self):
        back = plain(at=(20, 12), **{"run.inches": 2}).reach_to("A1", (20, 12))
        assert back.area.geom_type == "MultiPoint"
        assert all(math.hypot(point.x - 20, point.y - 12) <= 2 + 1e-6 for point in back.area.geoms)
        assert len(back.area.geoms) > 10
