"""Last legs that begin between two places of the mesh, since something bars those that begin there."""

import math
from dataclasses import replace

import numpy as np
import pytest
import shapely
from narrow_ways import along, corridor, way_of
from posed_movers import FORWARD, vehicle

from benchmarks.many_movers import mover
from benchmarks.random_moves import random_moves
from simulator.geometry.footprints import Oval, Rectangle, Round
from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import PoseReach, TurnPrices
from simulator.pathing.posed.facing_limits import FacingLimits
from simulator.pathing.posed.narrow_gaps import ROUNDS, NarrowGaps
from simulator.pathing.posed.passages import Passages
from simulator.pathing.posed.rays import has_room, units

TURNS = TurnPrices.of([(45, 3), (90, 6), (180, 12)])
BASES = [Round(0.5), Rectangle(2, 1), Oval(2, 1), Rectangle(1, 1)]


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize(("ahead", "angle"), [(2.37, 21), (0.83, -33), (3.55, 44), (1.5, 8.5)])
def test_a_corridor_that_fits_exactly_beside_the_way(base, ahead, angle):
    bend = along((0, 0), 0, ahead)
    walls = corridor(bend, angle, 4, 7, 1.0)
    space = vehicle(14, base=base, modes=(FORWARD,), turns=TURNS, bars=walls)
    assert way_of(space, along(bend, angle, 6)) == pytest.approx(ahead + 3 + 6, abs=1e-5)


@pytest.mark.parametrize("base", BASES[1:])
@pytest.mark.parametrize(("ahead", "angle"), [(1.63, 30), (2.4, -25)])
def test_a_place_with_room_for_few_headings(base, ahead, angle):
    """Walls beside the goal leave a long base little room: it has to come from just there."""
    bend = along((0, 0), 0, ahead)
    goal = along(bend, angle, 5)
    walls = corridor(goal, angle, -0.3, 0.3, 1.02 if base != Rectangle(1, 1) else 1.001)
    space = vehicle(12, base=base, modes=(FORWARD,), turns=TURNS, bars=walls)
    assert way_of(space, goal) <= ahead + 3 + 5 + 1e-6


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("seed", "place", "most"),
    [
        (0, (37.299, 27.355), 5.93),
        (4, (32.454, 20.801), 7.82),
        (16, (36.196, 22.336), 6.49),
        (19, (39.936, 21.994), 7.73),
        (9, (31.018, 24.41), 7.75),
        (10, (31.035, 23.678), 8.87),
    ],
)
def test_crowded_tables(seed, place, most):
    """Moves that were found by chance: each turns once by an odd angle, where there is room, or behind its start."""
    assert way_of(mover("tank", seed), place) <= most


@pytest.mark.sampled("scout")
@pytest.mark.parametrize("name", ["tank", "track", "gun", "scout"])
def test_more_ways_are_never_dearer_than_moves(name):
    space = mover(name, 16)
    moves = random_moves(space, np.random.default_rng(5), 400)
    costs = PoseReach(space).costs_at(moves.place)
    assert np.isfinite(costs).mean() > 0.99
    assert np.quantile(costs[np.isfinite(costs)] - moves.price[np.isfinite(costs)], 0.99) < 0.1


@pytest.mark.parametrize("base", [*BASES[1:], Oval(1, 2.2)])
def test_limits_of_headings_are_where_room_ends(base):
    space = vehicle(12, base=base, bars=mover("tank", 2).bars, box=(0, 0, 72, 48))
    places = np.random.default_rng(3).uniform((20, 10), (50, 40), (400, 2))
    limits = FacingLimits.at(space, places)
    assert len(limits.place) > 50
    beside = [has_room(space, places[limits.place], limits.heading + off) for off in (-0.02, 0.02)]
    assert np.mean(beside[0] != beside[1]) > 0.98
    # Places without limits have room for all headings or for none.
    others = np.setdiff1d(np.arange(len(places)), limits.place)
    room = [has_room(space, places[others], np.full(len(others), heading)) for heading in (0.0, 77.0, 191.0)]
    assert np.array_equal(room[0], room[1])
    assert np.array_equal(room[0], room[2])


class TestPassages:
    """Legs through narrow passages that are not the last ones, and the ground that is reached through them."""

    # Long: ways are searched far beyond each gap; that no move is cheaper is tried beside it.
    @pytest.mark.long
    @pytest.mark.parametrize("base", BASES[:3])
    @pytest.mark.parametrize("wide", [1.0, 1.03])
    @pytest.mark.parametrize(("ahead", "angle"), [(2.37, 21), (1.5, -33)])
    def test_ways_go_on_beyond_them(self, base, wide, ahead, angle):
        bend = along((0, 0), 0, ahead)
        walls = corridor(bend, angle, 3, 5, wide)
        # Nothing leads past the corridor.
        post = along(bend, angle, 4)
        walls += [rectangle(along(post, angle + side, 10 + wide / 2), (0.5, 20), angle) for side in (90, -90)]
        space = vehicle(22, base=base, modes=(FORWARD,), turns=TURNS, bars=walls)
        behind = along(bend, angle, 7)
        place = along(behind, angle + 45, 2)
        cost, out = way_of(space, place), along(bend, angle, 4)
        assert cost <= ahead + 3 + 7 + 3 + 2 + 1e-5
        # Once it is out it may turn sooner than after 7 inches, by less.
        assert cost >= ahead + 3 + 4 + 3 + math.dist(out, place) - 0.05
        assert PoseReach(space).area().distance(shapely.Point(place)) <= 1e-6

    @pytest.mark.sampled
    @pytest.mark.parametrize("base", BASES[:3])
    @pytest.mark.parametrize("wide", [1.0, 1.03])
    @pytest.mark.parametrize("heading", [None, 21])
    def test_areas_reach_into_them(self, base, wide, heading):
        """Where the base just fits there is a line."""
        bend = along((0, 0), 0, 2.37)
        space = vehicle(14, base=base, modes=(FORWARD,), turns=TURNS, bars=corridor(bend, 21, 4, 7, wide))
        area = PoseReach(space).area(heading=heading)
        for far in (4.5, 6, 8.4):
            assert area.distance(shapely.Point(along(bend, 21, far))) <= 1e-5
        if wide == 1.0:
            lines = [part for part in shapely.get_parts(area) if shapely.get_dimensions(part) == 1]
            assert shapely.union_all(lines).distance(shapely.Point(along(bend, 21, 6))) <= 1e-5

    @pytest.mark.parametrize("base", BASES[:3])
    def test_lines_just_pass_what_is_beside_them(self, base):
        """Along each line there is room where the passage is, and the limits have none a little to one side."""
        space = vehicle(14, base=base, bars=corridor((0, 0), 33, 3, 5, 1.04))
        found = Passages.of(space)
        assert np.all(has_room(space, found.place, found.heading))
        ahead = units(found.heading + space.asides[found.mode])
        away = along((0, 0), 33, 4) - found.place
        assert np.all(np.abs(ahead[:, 0] * away[:, 1] - ahead[:, 1] * away[:, 0]) < 1e-6)
        off = np.abs(np.mod(found.heading + space.asides[found.mode] - 33 + 90, 180) - 90)
        assert sorted(set(off.round(3).tolist())) == [0.0, pytest.approx(np.degrees(0.04 / 2), abs=0.05)]

    def test_wide_openings_are_no_narrow_passages(self):
        assert not len(Passages.of(vehicle(14, base=Round(0.5), bars=corridor((0, 0), 33, 3, 5, 2.1))).mode)

    def test_edges_of_the_table(self):
        """Between a wall and the edge there is a passage as well, unless bases may extend beyond the edge."""
        wall = rectangle((0, 1.3), (4, 0.6))
        space = vehicle(14, base=Round(0.5), modes=(FORWARD,), bars=[wall], box=(-20, 0, 20, 20))
        assert set(np.mod(Passages.of(space).heading, 180).round(6).tolist()) == {0.0}
        assert not len(Passages.of(replace(space, whole_base_on_table=False)).mode)


@pytest.mark.parametrize("base", BASES[1:3])
def test_no_way_is_tried_twice_from_one_place(base, monkeypatch):
    """Windows of one way mostly end at the same few places; tried again in each round, they were severalfold more."""
    asked: dict[NarrowGaps, list[np.ndarray]] = {}
    find = NarrowGaps.candidates

    def candidates(gaps):
        some = find(gaps)
        asked.setdefault(gaps, []).append(np.column_stack([some.source, np.round(some.at, 9)]))
        return some

    monkeypatch.setattr(NarrowGaps, "candidates", candidates)
    posts = [rectangle((x, y), (0.4, 0.4)) for x in (3, 5.3, 7.6) for y in (-3.2, -0.9, 1.4, 3.7)]
    space = vehicle(12, base=base, modes=(FORWARD,), turns=TURNS, bars=posts)
    goals = np.random.default_rng(3).uniform((3, -4), (9, 4), (60, 2))
    assert np.isfinite(PoseReach(space).costs_at(goals)).any()
    rounds = max(len(tries) for tries in asked.values())
    assert 1 < rounds <= ROUNDS
    for tries in asked.values():
        every = np.concatenate(tries)
        assert len(np.unique(every, axis=0)) == len(every)
