"""Every order that an answer writes is accepted, to the very limits of the headings in which a unit may end."""

import numpy as np
import pytest
from mecha_heights import game as heights
from mecha_heights import unit as climber

from simulator.geometry.poses import Pose

OPTIONS = [{}, {"free_turn_split": True}, {"free_turn_per": "turn"}]


def poses_of(reach, places):
    """Poses at the limits of the headings at places, on every level."""
    for place in places:
        for level in reach.known_levels:
            for one in reach.headings_at(Pose(place, None, level)):
                if not one.is_whole:
                    yield Pose(place, one.first, level)
                    yield Pose(place, one.last, level)
            if reach.cost_at(Pose(place, None, level)) is not None:
                yield Pose(place, None, level)


def assert_played(build, reach, pose):
    """The orders to a pose are accepted, and lead there."""
    play = build()
    for order in reach.orders_to(pose):
        assert not list(play.breaches(order)), (order, pose)
        play.do(order)
    end = play.table.unit("A1")
    assert np.hypot(*np.subtract([float(one) for one in end.place], pose.place)) < 1e-5
    if pose.heading is not None:
        assert abs((float(end.heading) - pose.heading + 180) % 360 - 180) < 1e-5


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("question", ["turn", "phase", "climb", "standard", "free_turn"])
def test_orders_to_the_limits_of_headings_are_accepted(question, seed):
    """ME-34, ME-35, ME-55: whatever the heading and the free degrees that are left."""
    dice = np.random.default_rng([seed, 7])
    mobility = ["walker", "four_legged_walker"][seed % 2]
    options = OPTIONS[seed % 3]
    heading = [float(dice.integers(0, 24)) * 15, round(float(dice.uniform(0, 360)), 2), float(dice.uniform(0, 360))]
    used = [0, 45, round(float(dice.uniform(1, 40)), 1)]
    fields = {"mobility": mobility, "free_turned": used[seed % 3], "move": [6, 2, 1][seed % 3]}
    one = climber((19.5, 24), heading[int(dice.integers(3))], **fields)
    build = lambda: heights(one, climber((40, 40), name="B1", side="blue"), **options)  # noqa: E731
    reach = build().reach("A1", question)
    far = tuple(np.round(dice.uniform((17, 22), (19.4, 26)), 2).tolist())
    for pose in poses_of(reach, [(19.5, 24), (20.5, 24), (20.5, 24.3), (22, 24), far]):
        assert_played(build, reach, pose)


@pytest.mark.parametrize(
    ("mobility", "heading", "faced", "free"),
    [("walker", 180, 0, 90), ("four_legged_walker", 30, 300, 45)],
)
def test_the_whole_of_both_free_turns(mobility, heading, faced, free):
    """ME-34, ME-35, ME-55: written as what they are."""
    one = climber((19.5, 24), heading, mobility=mobility, acted_1="standard", ap_spent=1)
    build = lambda: heights(one, climber((40, 40), name="B1", side="blue"))  # noqa: E731
    reach, pose = build().reach("A1", "turn"), Pose((20.5, 24), faced, "keep")
    assert reach.cost_at(pose) == 2
    turns = [element["angle"] for order in reach.orders_to(pose) for element in order.elements]
    assert turns == [free, free]
    assert_played(build, reach, pose)
