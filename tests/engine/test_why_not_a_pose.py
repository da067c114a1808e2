"""Why a tank cannot end in a pose: what would do, and the nearest end with any heading and with the one asked for."""

import numpy as np
import pytest
import shapely
from test_posed_reach import WALL, WOOD, plain

from simulator.geometry.pieces import Piece, rectangle
from simulator.geometry.poses import Pose

#: A lane two and a half inches wide between two walls, for a tank of three by one and a half.
LANE = [Piece(f"side {y}", "wall", rectangle((20, y), (12, 2)), "obstacle") for y in (7.75, 12.25)]


@pytest.mark.long
def test_it_could_stand_there_facing_along_the_lane():
    answer = plain(*LANE).reach("A1")
    why = answer.why_not(Pose((20, 10), 90))
    assert {reason.blocker for reason in why.reasons} <= {"side 7.75", "side 12.25"}
    assert why.reasons
    assert why.remedy.startswith("facing ")
    ranges = answer.headings_at((20, 10))
    assert why.remedy == "facing " + " or ".join(map(str, ranges))
    # What it says is so: each of these headings is an end, and no other.
    for heading in np.arange(0.0, 360.0, 3.0).tolist():
        assert (Pose((20, 10), heading) in answer) == any(heading in one for one in ranges), heading
    assert Pose((20, 10), 0) in answer


@pytest.mark.long
def test_room_without_a_way_is_said_to_be_just_that():
    box = [Piece(f"lid {x}", "wall", rectangle((x, 10), (1, 6.5)), "obstacle") for x in (13.5, 26.5)]
    why = plain(*LANE, *box).reach("A1").why_not(Pose((20, 10), 90))
    assert why.remedy.endswith(", where it would have room")


@pytest.mark.sampled("45.0-16")
@pytest.mark.parametrize(("heading", "inches"), [(45.0, 16), (200.0, 22)])
def test_the_nearest_end_is_said_as_a_place_and_as_a_pose(heading, inches):
    answer = plain(WALL, WOOD, at=(20, 10), **{"drive.inches": inches}).reach("A1")
    goal = Pose((28.2, 10), heading)
    why = answer.why_not(goal)
    assert goal not in answer
    assert why.nearest in answer
    assert why.nearest_alike in answer
    assert why.nearest_alike.heading == heading
    assert answer.cost_at(why.nearest_alike) == pytest.approx(float(why.alike_cost))
    far = shapely.Point(goal.place).distance(shapely.Point(why.nearest_alike.place))
    assert far >= shapely.Point(goal.place).distance(shapely.Point(why.nearest)) - 0.1
    # None of many ends with this heading is nearer, by more than areas may fall short.
    away, angle = np.random.default_rng(int(heading)).uniform((0, 0), (max(far - 0.1, 0.01), 2 * np.pi), (200, 2)).T
    near = goal.place + (away * np.stack([np.cos(angle), np.sin(angle)])).T
    assert np.isinf(answer.costs_at([Pose(tuple(place), heading) for place in near.tolist()])).all()
    if why.nearest_alike != why.nearest_pose:
        assert str(why).splitlines()[-1].startswith(f"  nearest legal end{goal.state_text}: ")
