"""Poses in the answers of the standing rulebooks, on generated boards: one law for all of them."""

from itertools import product

import pytest
from dot_trooper_positions import Position
from grid_runner_boards import generated

from simulator import load_scenario
from simulator.engine.reach import ReachAnswer
from simulator.errors import NoPose
from simulator.geometry.poses import Pose
from simulator.pathing.ends import HeadingRange
from simulator.rulesets.dot_trooper.drive_states import HEADINGS


def holds(answer, places, headings=(None,), levels=(None,)):
    """Assert what every answer holds of poses; return how many of them are ends."""
    assert isinstance(answer, ReachAnswer)
    found = number = 0
    for place, level in product(places, levels):
        ends = answer.ends_at(Pose(place, level=level))
        assert answer.cost_at(Pose(place, level=level)) == min((end.cost for end in ends), default=None)
        ranges = answer.headings_at(Pose(place, level=level))
        for heading in headings:
            pose = Pose(place, heading, level)
            costs = [one.cost for one in ranges if heading is None or heading in one]
            assert (pose in answer) == (answer.cost_at(pose) is not None) == bool(costs)
            assert answer.cost_at(pose) == min(costs, default=None)
            assert pose in answer or not answer.chance_at(pose)
            assert number % 13 or (pose in answer) == (not answer.why_not(pose))
            found, number = found + (pose in answer), number + 1
        for end in ends:
            assert answer.cost_at(end.pose) <= end.cost
            assert end.level is None or end.pose in answer
    return found


def masked(answer, headings=(None,), levels=(None,)):
    """Assert that areas and costs of many poses are those of single ones."""
    board = answer.board
    for heading, level in product(headings, levels):
        ends = [place for place in board.places() if Pose(place, heading, level) in answer]
        assert answer.area_of(heading=heading, level=level).equals(board.region(ends))
        costs = answer.costs_at([Pose(place, heading, level) for place in board.places()])
        one_by_one = [answer.cost_at(Pose(place, heading, level)) for place in board.places()]
        assert costs.tolist() == [float("inf") if cost is None else float(cost) for cost in one_by_one]


@pytest.mark.parametrize("seed", range(4))
class TestDotTrooper:
    def test_drives(self, seed):
        """DT-59, DT-166: a heading of six, on the level of the dot's ground."""
        game, _ = Position(seed).drive(2)
        answer, dots = game.reach("A1", "drive"), list(game.board.places())
        levels = (None, 0, 1)
        assert holds(answer, dots, (None, *HEADINGS), levels) >= len(answer)
        masked(answer, (None, 0, 180), levels)
        assert (answer.ends_at((99, 99)), answer.headings_at((99, 99)), answer.cost_at(Pose((99, 99), 0))) == (
            (),
            (),
            None,
        )
        for end in (end for place in answer.places[:8] for end in answer.ends_at(place)):
            assert end.level == game.board.level[game.board.index(end.place)]
            assert end.heading in HEADINGS

    def test_on_foot(self, seed):
        """DT-164: no facing, and each floor is an end of its own."""
        game, _, _ = Position(seed).foot(2)
        for action in ("foot_move", "turn"):
            answer, dots = game.reach("A1", action), list(game.board.places())
            assert holds(answer, dots, levels=(None, 0, 1, 2)) >= len(answer)
            masked(answer, levels=(None, 0, 1))
            ends = [end for place in answer.places for end in answer.ends_at(place)]
            assert {(end.place, end.level) for end in ends} == set(answer.levels)
            for pose in {end.pose: None for end in ends[::5]}:
                twin, spent = game.branch(), 0
                for order in answer.orders_to(pose):
                    spent += twin.do(order).ledger.total("AP")
                assert twin.ruleset.pose_of(twin.table, twin.state.unit("A1")) == pose
                assert spent == answer.cost_at(pose)
            with pytest.raises(NoPose, match="knows no headings: ask about"):
                answer.cost_at(Pose(dots[0], 60))


@pytest.mark.parametrize("seed", range(4))
def test_grid_runner_knows_places_alone(seed):
    """Who ends somewhere faces where it likes."""
    game = generated(seed, "m2", budget=4)
    name = next(iter(game.state)).id
    for asking in ({}, {"passes": 2}):
        answer = game.reach(name, "move", **asking)
        squares = list(game.board.places())
        assert holds(answer, squares) == len(answer)
        assert answer.area_of().equals(answer.area)
        for square in list(answer)[:5]:
            assert answer.headings_at(square) == (HeadingRange(0, 360, answer.cost_at(square)),)
            assert answer.orders_to(Pose(square)) == answer.orders_to(square)
        for pose in (Pose(squares[0], 90), Pose(squares[0], level=1)):
            for question in (answer.cost_at, answer.chance_at, answer.why_not, answer.orders_to, answer.ends_at):
                with pytest.raises(NoPose, match=r"knows no (headings|levels): ask about 0,0, not about 0,0 "):
                    question(pose)
            with pytest.raises(NoPose):
                _ = pose in answer


def test_skirmish_knows_places_alone():
    """Whatever a soldier does, it may face any way at the end."""
    walk = load_scenario("scenarios/skirmish/the_yard.yaml").start().reach("bay", ap=1)
    x, y = walk.start
    places = [(x + away, y) for away in (0.5, 2.0, 2.9, 9.0)]
    assert holds(walk, places) == 3
    assert walk.headings_at(places[0]) == (HeadingRange(0, 360, 1),)
    assert walk.costs_at([Pose(place) for place in places]).tolist() == walk.costs_at(places).tolist()
    assert walk.area_of() is walk.area
    for question in (walk.cost_at, walk.chance_at, walk.chance_bounds, walk.is_certain, walk.why_not, walk.orders_to):
        with pytest.raises(NoPose, match="turn of skirmish knows no headings: ask about"):
            question(Pose(places[0], 90))
