"""Rows of places before outlines, gone round with the thing on the left."""

import math

import numpy as np
import pytest
import shapely
from shapely import LineString, Polygon

from simulator.geometry.outline_rows import rows_along

RADIUS, WITHIN = 0.5, 1.5


def rows_of(shape, radius=RADIUS, within=WITHIN):
    return list(rows_along(shape, radius, within))


def turned(points, angle):
    away = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    return [tuple(point) for point in (np.array(points) @ away).round(3).tolist()]


SHAPES = {
    "a wall": lambda angle: LineString(turned([(-3, 0), (3, 0)], angle)),
    "a bent wall": lambda angle: LineString(turned([(-3, 0), (1, 0), (1, 4), (4, 4), (4, 1)], angle)),
    "straight on": lambda angle: LineString(turned([(-3, 0), (0, 0), (3, 0)], angle)),
    "a block": lambda angle: Polygon(turned([(0, 0), (4, 0), (4, 2), (0, 2)], angle)),
    "clockwise": lambda angle: Polygon(turned([(0, 2), (4, 2), (4, 0), (0, 0)], angle)),
    "an angle": lambda angle: Polygon(turned([(0, 0), (5, 0), (5, 1), (1, 1), (1, 5), (0, 5)], angle)),
    "a courtyard": lambda angle: Polygon(
        turned([(-4, -4), (4, -4), (4, 4), (-4, 4)], angle), [turned([(-3, -2), (3, -2), (3, 3), (-3, 3)], angle)]
    ),
}


@pytest.mark.parametrize("angle", [0, 0.4, 2.0])
@pytest.mark.parametrize("name", SHAPES)
class TestEveryPlace:
    def test_belongs_to_the_point_it_is_tried_from(self, name, angle):
        shape = SHAPES[name](angle)
        for row in rows_of(shape):
            places = row.places_before(np.linspace(0, 1, 200).tolist())
            off = np.hypot(*(places - places[:, :1]).transpose(2, 0, 1)) + RADIUS
            away = shapely.distance(shape, shapely.points(places))
            # In a corner between two faces nobody has room: none of those places can be an end.
            room = away[:, 0] >= RADIUS - 1e-6
            assert room.sum() > 50
            assert away[room] == pytest.approx(off[room], abs=2e-6)

    def test_near_enough_is_on_a_row(self, name, angle):
        shape = SHAPES[name](angle)
        spots = shapely.points(np.random.default_rng(1).uniform(-6, 8, (4000, 2)))
        away = shapely.distance(shape, spots)
        spots = spots[(away >= RADIUS) & (away <= WITHIN)]
        tried = [
            row.places_before(np.linspace(0, 1, max(int(row.length / 0.02), 2)).tolist()) for row in rows_of(shape)
        ]
        lines = shapely.linestrings(np.concatenate(tried)[:, [0, -1]])
        assert len(spots) > 100
        assert shapely.STRtree(lines).query_nearest(spots, return_distance=True)[1].max() < 0.04


def test_a_row_turns_with_the_outline_where_it_is_spread():
    (row,) = rows_of(LineString([(0, 0), (3, 0)]))
    assert row.length == pytest.approx(6 + math.pi)
    feet = row.places_before(row.spread(0.1))[:, 0]
    for corner in [(0, 0.5), (0, -0.5), (3, 0.5), (3, -0.5)]:
        assert np.hypot(*(feet - corner).T).min() == pytest.approx(0, abs=1e-9)
    assert np.hypot(*np.diff(feet, axis=0).T).max() <= 0.1 + 1e-9


def test_rows_end_where_faces_turn_towards_each_other():
    (row,) = rows_of(LineString([(0, 0), (3, 0), (3, 4)]))
    # Both ends of the wall, and its corner from without: within it the row begins and ends.
    assert row.length == pytest.approx(7 + 7 + 2.5 * math.pi * RADIUS)
    first, last = row.places_before([0.0, 1.0])[:, 0]
    assert math.dist(first, last) == pytest.approx(0.5 * math.sqrt(2), abs=1e-6)
    closed = Polygon([(0, 0), (4, 0), (4, 2), (0, 2)])
    assert len(rows_of(closed)) == 1
    assert len(rows_of(SHAPES["a courtyard"](0))) == 1 + 4


@pytest.mark.parametrize("name", SHAPES)
def test_a_place_before_a_row_is_found_at_its_share(name):
    """Places as far off as they are to be have the share that they are the last place of."""
    found = 0
    shape = SHAPES[name](0.3)
    for row in rows_of(shape):
        shares = np.random.default_rng(3).uniform(0, 1, 60).tolist()
        places = row.places_before(shares)[:, -1]
        for share, place in zip(shares, places, strict=True):
            if shape.distance(shapely.Point(place)) >= WITHIN - 1e-9:
                told = row.shares_before(place[None])
                assert min(abs(one - share) for one in told) * row.length < 1e-4
                found += 1
    assert found > 40
