"""The judge of given ways: closed forms, and dense sampling that may never find an overlap the judge denies."""

import math

import numpy as np
import pytest

from simulator.geometry.path_judge import first_beyond, first_overlaps, stretches_in
from simulator.geometry.paths import Bend, Paths, Straight
from simulator.geometry.pieces import rectangle
from simulator.pathing.free import Obstacles, plan, prepare


def test_an_arc_meets_a_wall_where_geometry_says():
    # A quarter circle of radius 2 around the origin, base 0.5, and a wall x = 0.5 far up: contact at x = 1.
    way = Paths.of_pieces([[Bend((0, 0), 2.0, 0.0, math.pi / 2)]])
    found = first_overlaps(way, 0.5, edges=[(0.5, -9, 0.5, 9)], tolerance=1e-9)
    assert found.inches[0] == pytest.approx(2.0 * math.acos(0.5), abs=1e-6)


def test_an_arc_around_a_base_touches_it_all_the_way():
    way = Paths.of_pieces([[Bend((3, 0), 1.0, 0.0, -math.pi)]])
    assert np.isinf(first_overlaps(way, 0.5, discs=[(3, 0, 0.5)]).inches[0])
    assert first_overlaps(way, 0.52, discs=[(3, 0, 0.5)]).inches[0] == 0.0


def test_the_edge_of_the_table_cuts_arcs_and_lines():
    ways = Paths.of_pieces([[Bend((0, 0), 2.0, 0.0, math.pi)], [Straight((0, 0), (0, 3))]])
    assert first_beyond(ways, (-5, -5, 5, 1)) == pytest.approx([2.0 * math.asin(0.5), 1.0], abs=1e-5)


def test_an_arc_is_inside_an_area_between_its_crossings():
    way = Paths.of_pieces([[Bend((0, 0), 2.0, 0.0, math.pi)]])
    (span,) = stretches_in(way, 0, rectangle((0, 5), (2, 10)))
    assert span == pytest.approx((2 * math.acos(0.5), 2 * math.acos(-0.5)))


@pytest.mark.parametrize("seed", range(30))
def test_sampling_finds_no_overlap_that_the_judge_denies(seed):
    rng = np.random.default_rng(seed)
    arcs = [
        [Bend(tuple(rng.uniform(-3, 3, 2)), rng.uniform(0.3, 3), rng.uniform(0, 7), rng.uniform(-6.2, 6.2))]
        for _ in range(20)
    ]
    edges, discs = rng.uniform(-5, 5, (4, 4)), np.column_stack([rng.uniform(-5, 5, (3, 2)), rng.uniform(0.1, 1, 3)])
    paths = Paths.of_pieces(arcs)
    judged = first_overlaps(paths, 0.5, edges, discs)
    for number, ((arc,), at) in enumerate(zip(arcs, judged.inches, strict=True)):
        shares = np.linspace(0, 1, 4001)
        angles = arc.begin + shares * arc.sweep
        points = np.array(arc.centre) + arc.radius * np.column_stack([np.cos(angles), np.sin(angles)])
        gaps = np.hypot(*(points[:, None] - discs[:, :2]).transpose(2, 0, 1)) - discs[:, 2]
        ahead = edges[:, 2:] - edges[:, :2]
        share = np.clip(((points[:, None] - edges[:, :2]) * ahead).sum(2) / (ahead**2).sum(1), 0, 1)
        nearest = edges[:, :2] + share[..., None] * ahead
        gap = np.minimum(gaps.min(1), np.hypot(*(points[:, None] - nearest).transpose(2, 0, 1)).min(1))
        deep = np.flatnonzero(gap < 0.5 - 2e-6)
        first = shares[deep[0]] * arc.length if len(deep) else math.inf
        assert at <= first + 1e-9, number
        if math.isfinite(at):
            assert first - at < arc.length / 4000 + 0.01


def test_ten_thousand_ways_of_the_planner_in_one_call():
    obstacles = Obstacles(discs=[(3, 0, 0.5), (5, 2, 0.8)], walls=[(2, 3, 6, 3), (1, -2, 4, -4)])
    reach = plan(prepare(obstacles, 0.5), (0, 0), 9)
    rng = np.random.default_rng(1)
    places = [tuple(place) for place in rng.uniform(-8, 8, (600, 2))]
    ways = [reach.route_to(place) for place in places if place in reach]
    paths = Paths.of_pieces([way.pieces for way in ways] * (10_000 // len(ways) + 1))
    found = first_overlaps(paths, 0.5, obstacles.edges, obstacles.disc_rows, tolerance=2e-8)
    assert np.isinf(found.inches).all()
    assert paths.lengths[: len(ways)] == pytest.approx([way.length for way in ways])
