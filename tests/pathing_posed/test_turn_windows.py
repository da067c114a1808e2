"""Turns that a long base has room for at a short stretch of a leg alone, wherever that lies beside the mesh."""

from dataclasses import replace

import numpy as np
import pytest
import shapely
from posed_movers import FORWARD, REVERSE, vehicle

from benchmarks.many_movers import mover
from simulator.geometry.footprints import Oval, PolygonBase, Rectangle
from simulator.geometry.pieces import PolygonShape, rectangle
from simulator.pathing.posed import PoseReach, TurnPrices, judged
from simulator.pathing.posed.rays import Rays, may_turn, units
from simulator.pathing.posed.reference import leg_prices, reference_costs, reference_prices
from simulator.pathing.posed.turn_windows import turn_windows

TANK = Rectangle(2.5, 1.5)
#: The table of the corridors.
BOX = (-3, -20, 30, 20)


def corridors(bends, width, spot, offset):
    """Corridors as wide as said that bend by angles, and triangles around them; at each bend a wider spot.

    Return the triangles, and places in the corridor behind the last bend.
    """
    place, heading, lines, spots = np.zeros(2), 0.0, [], []
    for length, bend in zip(offset, [*bends, 0.0], strict=True):
        ahead = units(np.array([heading]))[0]
        lines.append(shapely.LineString([place - 1.4 * ahead, place + (length + 1.4) * ahead]))
        begin, place = place, place + length * ahead
        spots.append(shapely.affinity.rotate(shapely.box(*(place - spot / 2), *(place + spot / 2)), heading))
        heading += bend
    free = shapely.union_all([*(line.buffer(width / 2, cap_style="flat") for line in lines), *spots[:-1]])
    whole = shapely.box(*BOX).buffer(1, join_style="mitre")
    triangles = shapely.constrained_delaunay_triangles(shapely.difference(whole, free)).geoms
    bars = [PolygonShape(list(one.exterior.coords)) for one in triangles]
    return bars, [begin + share * (place - begin) for share in (0.75, 0.9)]


CORRIDORS = [
    (bends, width, spot, seed)
    for bends in ((90,), (-45,), (90, -90), (45, 45))
    for width, spot, seed in ((1.7, 2.95, 1), (1.6, 3.02, 2), (2.0, 2.93, 3))
]


@pytest.mark.sampled("bends4-1.6-3.02-2")
@pytest.mark.parametrize(("bends", "width", "spot", "seed"), CORRIDORS)
def test_corners_of_corridors_are_turned_wherever_they_lie(bends, width, spot, seed):
    offset = np.random.default_rng(seed).uniform(3, 4, len(bends) + 1)
    bars, goals = corridors(bends, width, spot, offset)
    space = vehicle(24, budget=36, base=TANK, modes=(FORWARD, REVERSE), bars=bars, box=BOX)
    reach = PoseReach(space)
    costs = reach.costs_at(goals)
    assert np.all(np.isfinite(costs))
    # The turn before the last two is made on the mesh, or in a window: after it a leg may just not pass a corner.
    assert np.all(costs <= PoseReach(space, finer=2).costs_at(goals) + (0.05 if len(bends) == 1 else 0.2))
    for goal, cost in zip(goals, costs.tolist(), strict=True):
        start, moves = reach.way_to(tuple(goal.tolist()))
        verdict = judged(space, start, moves)
        assert verdict.is_legal
        assert float(verdict.total) == pytest.approx(cost, abs=1e-6)


def test_a_turn_between_two_poses_of_the_mesh_is_found():
    # The tank may turn by 90 degrees after 3.02 to 3.46 inches alone; then it is a small way.
    space, place = mover("tank", 0), (37.4084296273282, 27.354772489859975)
    reach = PoseReach(space)
    assert reach.costs_at([place])[0] == pytest.approx(5.9608, abs=1e-3)
    start, moves = reach.way_to(place)
    assert judged(space, start, moves).is_legal


@pytest.mark.sampled("1-base0")
@pytest.mark.parametrize("base", [TANK, Oval(2, 1), Oval(1, 2.2), PolygonBase([(-1, -0.5), (2, -0.3), (1.5, 0.7)])])
@pytest.mark.parametrize("seed", [1, 2])
def test_windows_are_where_turns_are_free(base, seed):
    dice = np.random.default_rng(seed)
    space = mover("tank", seed)
    space = replace(space, base=base, bars=[*space.bars, Oval(2, 1).at(20, 20, 30)])
    count, long = 400, 2.0
    starts, headings = dice.uniform((1, 1), (47, 35), (count, 2)), dice.uniform(0, 360, count)
    angles = dice.choice([45.0, -45, 90, -90, 180, -180, 30, -7], count)
    free = Rays.cast(space, starts, headings, np.zeros(count, np.intp), np.full(count, long)).length
    some = np.flatnonzero(free > 0.5)
    starts, headings, angles, long = starts[some], headings[some], angles[some], free[some, None]
    steps = long * units(headings)
    windows = turn_windows(space, starts, starts + steps, headings, angles)
    found, wrong = 0, 0
    for share in np.linspace(0.003, 0.997, 57).tolist():
        inside = np.zeros(len(starts), np.bool_)
        inside[windows.row[(windows.begin < share) & (share < windows.end)]] = True
        free_there = may_turn(space, starts + share * steps, headings, angles)
        # Around an oval a window may be too short by a hair, never too long.
        assert np.all(free_there[inside])
        found, wrong = found + int(inside.sum()), wrong + int((free_there & ~inside).sum())
    assert found > 5000
    assert wrong <= found / 1000


def test_the_windows_of_a_gap_are_known_by_hand():
    # A square of 2 by 2 turns by 90 degrees between two walls 3 inches apart, the upper one with a pocket from x = 2 to
    # x = 8: what its corners reach, the root of 2, fits everywhere in the middle, and nearer to the upper wall in the
    # pocket alone.
    walls = [rectangle((10, -3), (40, 4)), rectangle((-6, 4), (16, 4)), rectangle((18, 4), (20, 4))]
    space = vehicle(24, base=Rectangle(2, 2), bars=walls)
    windows = turn_windows(space, np.array([[-2.0, 0.5]]), np.array([[12.0, 0.5]]), np.zeros(1), np.array([90.0]))
    assert windows.begin.tolist() == [0.0]
    assert windows.end.tolist() == [1.0]
    windows = turn_windows(space, np.array([[-2.0, 0.8]]), np.array([[12.0, 0.8]]), np.zeros(1), np.array([90.0]))
    # The upper wall is 1.2 inches above the way.
    reach = np.sqrt(2 - 1.2**2)
    first, last = (2 + reach + 2) / 14, (8 - reach + 2) / 14
    assert windows.begin.tolist() == pytest.approx([first])
    assert windows.end.tolist() == pytest.approx([last])


def test_poses_in_windows_cost_what_the_judge_says():
    bars, _ = corridors((90,), 1.7, 2.95, (2.31, 3.0))
    turns = TurnPrices.of([(90, 4), (180, 8)])
    space = vehicle(24, budget=11, base=TANK, modes=(FORWARD,), bars=bars, box=BOX, turns=turns)
    reach = PoseReach(space)
    states = reach.searched[0].states
    after = np.flatnonzero(states.parent >= 0)
    found = states.price[states.parent[after]] + leg_prices(space, states)[after]
    assert found == pytest.approx(states.price[after], abs=1e-9)
    # Round the corner, which the base can turn in a window alone.
    round_it = states.place[states.place[:, 1] > 1.0]
    assert len(round_it)
    known = reference_costs(space, states, reference_prices(space, states), round_it)
    assert np.isfinite(known).all()
    assert np.all(reach.costs_at(round_it) <= known + 1e-9)
