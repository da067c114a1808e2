"""From where can it get there? One search backward against forward reach from every place there is."""

import numpy as np
import pytest
import shapely
from dt_games import bike, random_map, trooper
from dt_games import game as dt_game
from grid_runner_positions import opening, variants
from one_truth import table_position
from standing_elsewhere import stood_at

from simulator.engine.errors import TableError, WrongQuestion
from simulator.engine.game import Game
from simulator.errors import NoPlace, NoPose
from simulator.geometry.poses import Pose
from simulator.pathing.traces import NoRoute
from simulator.rulesets.dot_trooper.drive_states import HEADINGS


def from_everywhere(game, unit, mover, goal, action, **question):
    """The least cost of getting to a place from each place of the board, asked one by one."""
    found = {}
    for place in game.board.places():
        costs = [twin.reach(unit, action, **question).cost_at(goal) for twin in stood_at(game, mover, place)]
        if known := [cost for cost in costs if cost is not None]:
            found[place] = min(known)
    return found


def from_every_pose(game, unit, mover, goal, action, headings=(None,), **question):
    """The least cost of getting to a place or pose from each pose of the board, asked one by one."""
    return {
        Pose(place, heading, twin.state.unit(mover)["level"]): cost
        for place in game.board.places()
        for heading in headings
        for twin in stood_at(game, mover, place, heading)
        if (cost := twin.reach(unit, action, **question).cost_at(goal)) is not None
    }


def backward_by_pose(answer, headings=(None,)):
    """What the answer says of every pose; one by one, of many at once, and as areas."""
    places = list(answer.board.places())
    poses = [Pose(place, heading, level) for heading in headings for level in range(7) for place in places]
    found = dict(zip(poses, answer.costs_at(poses).tolist(), strict=True))
    assert {pose: cost for pose, cost in found.items() if np.isfinite(cost)} == {
        pose: cost for pose in poses if (cost := answer.cost_at(pose)) is not None
    }
    for heading in headings:
        able = {pose.place for pose in poses if pose.heading == heading and pose in answer}
        assert answer.area_of(heading=heading).equals(answer.board.region([one for one in places if one in able]))
    return {pose: cost for pose, cost in found.items() if np.isfinite(cost)}


def backward(answer):
    places = list(answer.board.places())
    costs = {place: cost for place in places if (cost := answer.cost_at(place)) is not None}
    several = answer.costs_at(np.array(places))
    assert {place: cost for place, cost in zip(places, several, strict=True) if np.isfinite(cost)} == costs
    assert all((place in answer) == (place in costs) for place in places)
    return costs


def some_goals(game, seed, count=3):
    places = list(game.board.places())
    dice = np.random.default_rng([seed, 5])
    return [game.state.unit(next(iter(game.state.units))).place, *(places[at] for at in dice.permutation(len(places)))][
        :count
    ]


class TestSquares:
    @pytest.mark.parametrize("seed", range(32))
    def test_is_forward_reach_from_every_square(self, seed):
        every = variants()
        game = opening(seed, every[seed * 7 % len(every)], size=(5, 4))
        action = ("move", "withdrawal", "one_square_move", "tumble")[seed % 4]
        question = [{}, {"mode": "run"}, {"sprint": 2}, {"sprint": True}][seed // 4 % 4]
        for goal in some_goals(game, seed):
            expected = from_everywhere(game, "A", "A", goal, action, **question)
            assert backward(game.reach_to("A", goal, action, **question)) == expected, goal

    @pytest.mark.parametrize("seed", range(6))
    def test_of_one_who_grapples(self, seed):
        """GR-79: it stays where it is, beside the other one."""
        game = next(
            game
            for number in range(seed * 40, 10**4)
            if "G1" in (game := opening(number, variants()[0], size=(4, 4))).state.units
        )
        place = game.state.unit("G1").place
        for goal in (place, *some_goals(game, seed)):
            expected = from_everywhere(game, "G1", "G1", goal, "move")
            assert backward(game.reach_to("G1", goal, "move")) == expected == ({place: 0} if goal == place else {})

    def test_what_is_not_answered(self):
        game = opening(3, variants()[0])
        goal = game.state.unit("A").place
        with pytest.raises(WrongQuestion, match="the reach of charge_attack already lists where it starts"):
            game.reach_to("A", goal, "charge_attack")
        with pytest.raises(WrongQuestion, match="covers one pass, not several"):
            game.reach_to("A", goal, "move", passes=2)
        with pytest.raises(NoPlace):
            game.reach_to("A", (99, 99), "move")
        with pytest.raises(NoPose, match="grid_runner knows no headings"):
            game.reach_to("A", Pose(goal, 90), "move")
        with pytest.raises(WrongQuestion, match="has no reach for 'fly'"):
            game.reach_to("A", goal, "fly")


def on_foot(seed):
    board = random_map(seed, 3, share=0.1, levels=seed % 3 == 1, buildings=seed % 2 == 1)
    dice = np.random.default_rng([seed, 3])
    free = [dot for dot in board.places() if not board.impassable[board.index(dot)]]
    one, other, third = (free[at] for at in dice.permutation(len(free))[:3])
    here = {dot: int(board.level[board.index(dot)]) for dot in free}
    posture = ("standing", "prone")[int(dice.random() < 0.3)]
    fields = {"jet_pack": "worn"} if dice.random() < 0.7 else {}
    fields |= {"ap_spent": int(dice.integers(0, 4)), "movement_spent": int(dice.integers(0, 3))}
    units = [
        trooper("A1", "red", one, level=here[one], posture=posture, **fields),
        trooper("A2", "red", other, level=here[other]),
        trooper("B1", "blue", third, level=here[third]),
    ]
    options = [{}, {"pass_through_units": "friends"}, {"cap_counts": "all_activities"}, {"flight_clearance": "free"}]
    tables = [{}, {"foot.posture": 2}, {"foot.prone": 1}, {}]
    return dt_game(units, board, options=options[seed % 4], tables=tables[seed // 4 % 4])


def in_the_saddle(seed):
    """A driver with a bike on a random map, and an enemy; and the question."""
    board = random_map(seed, 4, share=0.06, levels=seed % 4 == 1)
    dice = np.random.default_rng([seed, 9])
    free = [dot for dot in board.places() if not board.impassable[board.index(dot)]]
    here, other = (free[at] for at in dice.permutation(len(free))[:2])
    units = bike(place=here, heading=60 * int(dice.integers(6)), motion=("moving", "stopped")[seed % 2])
    level = {unit: int(board.level[board.index(place)]) for unit, place in (("bike", here), ("B1", other))}
    units = [unit.put(level=level["bike"]) for unit in units]
    game = dt_game([*units, trooper("B1", "blue", other, level=level["B1"])], board)
    return game, {"mode": ("cruise", "minimum")[seed % 2]}


class TestDots:
    @pytest.mark.sampled("2")
    @pytest.mark.parametrize("seed", range(8))
    def test_on_foot_and_in_the_air(self, seed):
        game, action = on_foot(seed), ("foot_move", "turn", "activate_jet_pack", "turn")[seed % 4]
        for goal in some_goals(game, seed, 2):
            expected = from_everywhere(game, "A1", "A1", goal, action)
            assert backward(game.reach_to("A1", goal, action)) == expected, goal

    @pytest.mark.sampled
    @pytest.mark.parametrize("seed", range(12))
    def test_in_the_saddle(self, seed):
        game, question = in_the_saddle(seed)
        for goal in some_goals(game, seed, 3)[1:]:
            expected = from_everywhere(game, "A1", "bike", goal, "drive", **question)
            answer = game.reach_to("A1", goal, "drive", **question)
            assert answer.mover.id == "bike"
            assert backward(answer) == expected, goal

    @pytest.mark.sampled
    @pytest.mark.parametrize("seed", range(6))
    def test_into_a_pose_from_every_pose_on_foot(self, seed):
        """DT-164: each floor is a start and an end of its own."""
        game, action = on_foot(3 * seed + 1), ("foot_move", "turn", "activate_jet_pack")[seed % 3]
        goal = game.state.unit("A1").place
        for level in range(2):
            pose = Pose(goal, level=level)
            expected = from_every_pose(game, "A1", "A1", pose, action)
            assert backward_by_pose(game.reach_to("A1", pose, action)) == expected, pose

    @pytest.mark.sampled
    @pytest.mark.parametrize("seed", range(8))
    def test_into_a_pose_from_every_pose_in_the_saddle(self, seed):
        """DT-59: a drive depends on the heading that it begins with; a place alone means the one there is now."""
        game, question = in_the_saddle(seed)
        goal = some_goals(game, seed, 2)[1]
        now = game.state.unit("bike").heading
        for heading in (None, now, (now + 60 * (seed % 5 + 1)) % 360):
            wanted = Pose(goal, heading).plain
            expected = from_every_pose(game, "A1", "bike", wanted, "drive", HEADINGS, **question)
            answer = game.reach_to("A1", wanted, "drive", **question)
            assert backward_by_pose(answer, HEADINGS) == expected, wanted
            as_now = {pose.place: cost for pose, cost in expected.items() if pose.heading == now}
            assert backward(answer) == as_now
            for pose in list(expected)[::9]:
                (twin,) = stood_at(game, "bike", pose.place, pose.heading)
                orders = answer.orders_from(pose)
                assert orders == twin.reach("A1", "drive", **question).orders_to(wanted)
            closed = [Pose(dot, 0) for dot in game.board.places() if Pose(dot, 0) not in answer]
            for pose in closed[::7]:
                assert answer.why_not(pose).reasons
                assert str(answer.why_not(pose)).startswith(f"{Pose.of(wanted)} cannot be reached from {pose}")

    def test_no_vehicle_ends_above_the_ground(self):
        game, question = in_the_saddle(0)
        goal = some_goals(game, 0, 2)[1]
        assert game.reach_to("A1", Pose(goal, level=5), "drive", **question).area.is_empty
        level = int(game.board.level[game.board.index(goal)])
        found = game.reach_to("A1", Pose(goal, level=level), "drive", **question)
        assert found.area.equals(game.reach_to("A1", goal, "drive", **question).area)
        assert not found.area.is_empty

    def test_what_is_not_answered(self):
        game = dt_game([*bike(), trooper("B1", "blue", (5, 5), jet_pack="worn")], options={"flight_path": "no_revisit"})
        with pytest.raises(WrongQuestion, match="mount_and_drive has two starting places"):
            game.reach_to("B1", (4, 4), "mount_and_drive", vehicle="bike")
        with pytest.raises(WrongQuestion, match="no reverse reach of whole flights"):
            game.reach_to("B1", (4, 4), "turn")
        with pytest.raises(TableError, match="does not drive anything"):
            game.reach_to("B1", (4, 4), "turn", mode="cruise")
        assert game.reach_to("B1", (4, 4), "foot_move").cost_at((5, 4)) == 1


class TestTables:
    @pytest.mark.sampled
    @pytest.mark.parametrize("seed", range(24))
    def test_is_forward_reach_from_places_all_around(self, seed):
        """On quarters of an inch, so that limits are met exactly too; rough ground, walls, friends and enemies."""
        game, _ = table_position(seed)
        action = ("move", "run")[seed % 2]
        dice = np.random.default_rng([seed, 7])
        goal = tuple((np.round(dice.uniform(-4, 4, 2) * 4) / 4).tolist())
        answer = game.reach_to("A1", goal, action)
        around = np.array(goal) + np.round(dice.uniform(-9, 9, (40, 2)) * 4) / 4
        costs = answer.costs_at(around)
        for place, cost in zip(map(tuple, around.tolist()), costs.tolist(), strict=True):
            expected = min(
                (found for twin in stood_at(game, "A1", place) if (found := twin.reach("A1", action).cost_at(goal))),
                default=None,
            )
            assert answer.cost_at(place) == expected, (place, goal)
            assert cost == (np.inf if expected is None else expected)
            assert bool(answer.why_not(place)) == (expected is None)

    @pytest.mark.parametrize("seed", range(6))
    def test_areas_are_those_of_the_places(self, seed):
        game, _ = table_position(seed)
        answer = game.reach_to("A1", (0.25, 3.5), "move")
        inside = shapely.get_coordinates(shapely.buffer(answer.area, -0.05))
        assert all(place in answer for place in map(tuple, inside.tolist()))

    def test_what_is_not_answered(self):
        game, _ = table_position(1)
        for action in ("turn", "traverse"):
            with pytest.raises(WrongQuestion, match="there is a reverse reach of a move or a run, not of a"):
                game.reach_to("A1", (0, 3), action)
        with pytest.raises(WrongQuestion, match="token: reverse reach ignores"):
            game.reach_to("A1", (0, 3), "run", token=True)
        front = Game.new(game.ruleset, game.board, game.state, options={"measure": "front_point"})
        with pytest.raises(WrongQuestion, match="the facing counts at both ends"):
            front.reach_to("A1", (0, 3), "move")
        assert game.reach_to("A1", (0, 3)).action == "move"


class TestFromOnePlace:
    def test_orders_and_reasons(self):
        """What is told of one start is what the game says of a unit that stands there."""
        game = opening(11, variants()[0], size=(6, 5))
        goal = game.state.unit("A").place
        answer = game.reach_to("A", goal, "move")
        starts = [place for place in game.board.places() if place in answer and place != goal]
        assert len(starts) > 3
        for place in starts:
            (twin,) = stood_at(game, "A", place)
            (order,) = answer.orders_from(place)
            assert twin.breaches(order) == []
            assert twin.foresee([order]).ledger.total("squares") == answer.cost_at(place)
            assert not answer.why_not(place)
        for place in set(game.board.places()) - {*starts, goal}:
            why = answer.why_not(place)
            assert why.reasons
            assert str(why).startswith(f"{goal[0]},{goal[1]} cannot be reached from {place[0]},{place[1]}\n")
            with pytest.raises(NoRoute):
                answer.orders_from(place)
