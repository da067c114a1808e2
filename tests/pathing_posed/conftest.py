"""Each test that asks for costs on a small space has them compared with networkx and the judge as well."""

from dataclasses import replace

import numpy as np
import pytest

from simulator.pathing.posed import EndPhase, PoseReach, Rotate, Travel, path_of
from simulator.pathing.posed.lane_search import angles_of
from simulator.pathing.posed.rays import has_room
from simulator.pathing.posed.reference import reference_costs, reference_prices

#: So many poses at most, with so many turns in so many modes, are joined, and so many places are asked of.
POSES, WAYS, PLACES = 30, 500, 3
#: Sums of floats and of fractions are equal after rounding to so many digits.
DIGITS = 8


@pytest.fixture(autouse=True)
def beside_networkx(monkeypatch):
    """Compare what `costs_at` and `costs_in` return, once for each reach of a test."""
    at, facing, seen = PoseReach.costs_at, PoseReach.costs_in, {"at": [], "in": []}
    known = []  #: reaches with the prices of their poses

    def is_new(reach, asked):
        if any(one is reach for one in seen[asked]) or not is_small(reach):
            return False
        seen[asked].append(reach)
        return True

    def prices_of(reach):
        for one, prices in known:
            if one is reach:
                return prices
        known.append((reach, reference_prices(last_phase(reach), reach.searched[0].states)))
        return known[-1][1]

    def costs_at(reach, places, level=0):
        costs = at(reach, places, level)
        if is_new(reach, "at"):
            compare(reach, prices_of(reach), rows(places), costs[:PLACES], level)
        return costs

    def costs_in(reach, places, headings, level=0):
        costs = facing(reach, places, headings, level)
        if is_new(reach, "in"):
            ends = np.broadcast_to(np.asarray(headings, float), len(costs))[:PLACES]
            compare(reach, prices_of(reach), rows(places), costs[:PLACES], level, ends)
        return costs

    monkeypatch.setattr(PoseReach, "costs_at", costs_at)
    monkeypatch.setattr(PoseReach, "costs_in", costs_in)


def last_phase(reach):
    """The space of its last phase, which begins in poses that the search of it began with."""
    return replace(reach.space, earlier=())


def rows(places):
    """The places that are compared."""
    return np.reshape(np.asarray(places, float), (-1, 2))[:PLACES]


def is_small(reach):
    """Whether the poses of a search are few enough to be judged one by one, and all begin at starts with room."""
    poses = len(reach.searched[0].states.price)
    if reach.space.placings or not all(
        has_room(reach.space.on(start.level), *standing(start)).all() for start in reach.space.starts
    ):
        return False
    return poses <= POSES and poses * len(angles_of(reach.space)) * len(reach.space.modes) <= WAYS


def standing(start):
    """The place and the heading of a start, one row each."""
    return np.array([start.place], float), np.array([float(start.heading)])


def compare(reach, prices, places, costs, level, headings=None):
    """No end may be dearer than by a last turn and leg from any pose, nor cheaper if that is how its way ends."""
    states = reach.searched[0].states
    known = reference_costs(last_phase(reach), states, prices, places, level, headings)
    assert np.all(costs <= known + 1e-9)
    facing = [None] * len(places) if headings is None else headings.tolist()
    for place, heading, cost, reference in zip(places.tolist(), facing, costs.tolist(), known.tolist(), strict=True):
        if np.isfinite(cost) and turns_in_a_pose(reach, tuple(place), heading, level):
            assert round(cost, DIGITS) == round(reference, DIGITS)


def turns_in_a_pose(reach, place, heading, level):
    """Whether the last turn and leg of the way to a place start from a pose of the first search."""
    states, (start, moves) = reach.searched[0].states, reach.way_to(place, heading, level)
    if moves.count(EndPhase()) < len(reach.space.earlier):
        return False
    if heading is not None and moves and isinstance(moves[-1], Rotate):
        moves = moves[:-1]
    last = 2 if len(moves) > 1 and isinstance(moves[-2], Rotate) else 1
    if not moves or not isinstance(moves[-1], Travel):
        return not moves
    before = path_of(start.place, start.heading, moves[:-last])
    facing = float(start.heading + sum(move.degrees for move in moves[:-last] if isinstance(move, Rotate)))
    away = np.hypot(*(states.place - before.end).T)
    apart = np.abs(np.mod(states.heading - facing + 180, 360) - 180)
    return bool(np.any((away < 1e-9) & (apart < 1e-9)))
