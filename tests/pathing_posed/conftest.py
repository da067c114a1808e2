"""Each test that asks for costs on a small space has them compared with networkx and the judge as well."""

import numpy as np
import pytest

from simulator.pathing.posed import PoseReach, Rotate, Travel, path_of
from simulator.pathing.posed.lane_search import angles_of
from simulator.pathing.posed.rays import has_room
from simulator.pathing.posed.reference import reference_costs

#: So many poses at most, with so many turns in so many modes, are joined, and so many places are asked of.
POSES, WAYS, PLACES = 30, 500, 3


@pytest.fixture(autouse=True)
def beside_networkx(monkeypatch):
    """Compare what `costs_at` returns, once for each reach of a test."""
    ask, seen = PoseReach.costs_at, []

    def costs_at(reach, places, level=0):
        costs = ask(reach, places, level)
        if not any(one is reach for one in seen) and is_small(reach):
            seen.append(reach)
            rows = np.reshape(np.asarray(places, float), (-1, 2))[:PLACES]
            compare(reach, rows, costs[:PLACES], level)
        return costs

    monkeypatch.setattr(PoseReach, "costs_at", costs_at)


def is_small(reach):
    """Whether the poses of a search are few enough to be judged one by one, and each start has room."""
    poses = len(reach.searched[0].states.price)
    if not all(has_room(reach.space.on(start.level), *standing(start)).all() for start in reach.space.starts):
        return False
    return poses <= POSES and poses * len(angles_of(reach.space)) * len(reach.space.modes) <= WAYS


def standing(start):
    """The place and the heading of a start, one row each."""
    return np.array([start.place], float), np.array([float(start.heading)])


def compare(reach, places, costs, level):
    """No end may be dearer than by a last turn and leg from any pose, nor cheaper if that is how its way ends."""
    states = reach.searched[0].states
    known = reference_costs(reach.space, states, places, level)
    assert np.all(costs <= known + 1e-9)
    for place, cost, reference in zip(places.tolist(), costs.tolist(), known.tolist(), strict=True):
        if np.isfinite(cost) and turns_in_a_pose(reach, tuple(place), level):
            assert cost == pytest.approx(reference, abs=1e-9)


def turns_in_a_pose(reach, place, level):
    """Whether the last turn and leg of the way to a place start from a pose of the first search."""
    states, (start, moves) = reach.searched[0].states, reach.way_to(place, None, level)
    last = 2 if len(moves) > 1 and isinstance(moves[-2], Rotate) else 1
    if not moves or not isinstance(moves[-1], Travel):
        return not moves
    before = path_of(start.place, start.heading, moves[:-last])
    heading = float(start.heading + sum(move.degrees for move in moves[:-last] if isinstance(move, Rotate)))
    away = np.hypot(*(states.place - before.end).T)
    apart = np.abs(np.mod(states.heading - heading + 180, 360) - 180)
    return bool(np.any((away < 1e-9) & (apart < 1e-9)))
