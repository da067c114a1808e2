"""Touches: first places within reach of an edge, beside what a fine search over the way finds."""

import numpy as np
import pytest
import shapely

from simulator.geometry.touches import touches_ahead, touches_round

WITHIN = 1.25


def edges_of(seed):
    dice = np.random.default_rng(seed)
    return dice.uniform(-8, 8, (3, 4)), dice


@pytest.mark.parametrize("seed", range(8))
def test_straight_ahead_no_place_as_near_comes_sooner(seed):
    """Of all places within reach of an edge the one nearest to the eye is among the touches."""
    edges, dice = edges_of(seed)
    eye = dice.uniform(-8, 8, (1, 2))
    lines = shapely.linestrings(edges.reshape(-1, 2, 2))
    found = touches_ahead(edges, eye, WITHIN)
    assert shapely.distance(lines, shapely.points(found)) == pytest.approx(np.full(3, WITHIN))
    far = shapely.distance(lines, shapely.Point(eye[0])) - WITHIN
    assert np.abs(np.hypot(*(found - eye).T)) == pytest.approx(np.abs(far))


@pytest.mark.parametrize("seed", range(8))
def test_round_a_circle_ways_leave_it_along_a_tangent_and_end_within_reach(seed):
    edges, dice = edges_of(seed)
    middle, radius = dice.uniform(-6, 6, 2), float(dice.uniform(0.4, 1.5))
    ways = touches_round(edges, (middle[None], np.array([radius])), middle[None] + 2, 9.0, WITHIN)
    lines = shapely.linestrings(edges.reshape(-1, 2, 2))
    assert len(ways) >= 8
    left, there = ways[:, :2], ways[:, 2:]
    assert np.hypot(*(left - middle).T) == pytest.approx(np.full(len(ways), radius))
    assert np.sum((left - middle) * (there - left), axis=1) == pytest.approx(np.zeros(len(ways)), abs=1e-9)
    # To an edge square before it, to a corner as far off: no farther than that from the nearest edge in any case.
    near = shapely.distance(lines[:, None], shapely.points(there)).min(axis=0)
    assert np.all(near <= WITHIN + 1e-9)


def test_circles_too_far_off_and_mere_points_are_left_out():
    edges, eye = np.array([[4.0, -2.0, 4.0, 2.0]]), np.array([[0.0, 0.0]])
    far = np.array([[0.0, 9.0]]), np.array([1.0])
    assert len(touches_round(edges, far, eye, 7.9, WITHIN)) == 0
    assert len(touches_round(edges, far, eye, 8.1, WITHIN)) > 0
    assert len(touches_round(edges, (np.array([[0.0, 3.0]]), np.array([0.0])), eye, 9.0, WITHIN)) == 0
