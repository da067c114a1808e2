"""skirmish: rows of places along the faces of obstacles, gone round with the obstacle on the left."""

import math

import numpy as np
import pytest
import shapely
from skirmish_tables import block, game_with, wall

from simulator.geometry.pieces import CircleShape, Piece, PolygonShape
from simulator.rulesets.skirmish.obstruction import features_of
from simulator.rulesets.skirmish.traverse.ends import follow
from simulator.rulesets.skirmish.traverse.faces import rows_along
from simulator.rulesets.skirmish.traverse.jumps import Jumps

RADIUS, WITHIN = 0.5, 1.5
ANYWHERE = shapely.box(-20, -20, 20, 20)


def everywhere(rows):
    return np.ones(len(rows), np.bool_)


def rows_of(piece, radius=RADIUS, within=WITHIN):
    return list(rows_along(piece, radius, within, everywhere, ANYWHERE))


def turned(points, angle):
    away = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    return [tuple(point) for point in (np.array(points) @ away).round(3).tolist()]


SHAPES = {
    "a wall": lambda angle: wall(*turned([(-3, 0), (3, 0)], angle)),
    "a bent wall": lambda angle: wall(*turned([(-3, 0), (1, 0), (1, 4), (4, 4), (4, 1)], angle)),
    "straight on": lambda angle: wall(*turned([(-3, 0), (0, 0), (3, 0)], angle)),
    "a block": lambda angle: Piece("block", "obstacle", PolygonShape(turned([(0, 0), (4, 0), (4, 2), (0, 2)], angle))),
    "clockwise": lambda angle: Piece(
        "block", "obstacle", PolygonShape(turned([(0, 2), (4, 2), (4, 0), (0, 0)], angle))
    ),
    "an angle": lambda angle: Piece(
        "block", "obstacle", PolygonShape(turned([(0, 0), (5, 0), (5, 1), (1, 1), (1, 5), (0, 5)], angle))
    ),
    "a courtyard": lambda angle: Piece(
        "block",
        "obstacle",
        PolygonShape(
            turned([(-4, -4), (4, -4), (4, 4), (-4, 4)], angle), [turned([(-3, -2), (3, -2), (3, 3), (-3, 3)], angle)]
        ),
    ),
}


@pytest.mark.parametrize("angle", [0, 0.4, 2.0])
@pytest.mark.parametrize("name", SHAPES)
class TestEveryPlace:
    def test_belongs_to_the_point_it_is_tried_from(self, name, angle):
        piece = SHAPES[name](angle)
        for row in rows_of(piece):
            places = row.tried(np.linspace(0, 1, 200).tolist())
            off = np.hypot(*(places - places[:, :1]).transpose(2, 0, 1)) + RADIUS
            away = shapely.distance(piece.shape.polygon, shapely.points(places))
            # In a corner between two faces nobody has room: none of those places can be an end.
            room = away[:, 0] >= RADIUS - 1e-6
            assert room.sum() > 50
            assert away[room] == pytest.approx(off[room], abs=2e-6)

    def test_near_enough_is_on_a_row(self, name, angle):
        piece = SHAPES[name](angle)
        spots = shapely.points(np.random.default_rng(1).uniform(-6, 8, (4000, 2)))
        away = shapely.distance(piece.shape.polygon, spots)
        spots = spots[(away >= RADIUS) & (away <= WITHIN)]
        tried = [row.tried(np.linspace(0, 1, max(int(row.length / 0.02), 2)).tolist()) for row in rows_of(piece)]
        lines = shapely.linestrings(np.concatenate(tried)[:, [0, -1]])
        assert len(spots) > 100
        assert shapely.STRtree(lines).query_nearest(spots, return_distance=True)[1].max() < 0.04


def test_a_row_turns_with_the_outline_at_its_first_shares():
    (row,) = rows_of(wall((0, 0), (3, 0)))
    assert row.length == pytest.approx(6 + math.pi)
    feet = row.tried(row.first_shares)[:, 0]
    for corner in [(0, 0.5), (0, -0.5), (3, 0.5), (3, -0.5)]:
        assert np.hypot(*(feet - corner).T).min() == pytest.approx(0, abs=1e-9)
    assert np.hypot(*np.diff(feet, axis=0).T).max() <= 0.1 + 1e-9


def test_rows_end_where_faces_turn_towards_each_other():
    (row,) = rows_of(wall((0, 0), (3, 0), (3, 4)))
    # Both ends of the wall, and its corner from without: within it the row begins and ends.
    assert row.length == pytest.approx(7 + 7 + 2.5 * math.pi * RADIUS)
    first, last = row.tried([0.0, 1.0])[:, 0]
    assert math.dist(first, last) == pytest.approx(0.5 * math.sqrt(2), abs=1e-6)
    closed = Piece("block", "obstacle", PolygonShape([(0, 0), (4, 0), (4, 2), (0, 2)]))
    assert len(rows_of(closed)) == 1
    assert len(rows_of(SHAPES["a courtyard"](0))) == 1 + 4


def test_round_things_are_gone_round_once():
    """A disc has many corners: what lies behind it is one line, found without looking everywhere from each of them."""
    piece = Piece("well", "obstacle", CircleShape(3, 0, 0.75), "obstacle", 1.0)
    table = game_with(piece, me={"radius": 1.25}).ready_table("A1")
    (well,) = features_of(table).obstacles
    jumps = Jumps(table, table.unit("A1"))
    around = shapely.difference(shapely.box(-4, -4, 8, 6), well.shape.polygon.buffer(1.25))
    rows = list(rows_along(well, 1.25, 2.25, lambda rows: shapely.intersects_xy(around, *rows.T), around))
    found = follow(jumps, rows)
    assert (len(rows), len(found)) == (1, 1)
    assert sum(len(row.seen) for row in rows) < 2000
    assert shapely.hausdorff_distance(found[0].line, shapely.Point(3, 0).buffer(2.0, quad_segs=64).exterior) < 0.02


def test_beside_a_corner_there_is_one_nearest_point():
    """Many places of a row, and one name for what is traversed from them: aims are told only where there are two."""
    table = game_with(block(0, 0, 3, 2)).ready_table("A1")
    jumps = Jumps(table, table.unit("A1"))
    near = [[(x, -0.6)] for x in np.arange(-3e-3, 3e-3, 2e-4).tolist()]
    told = [jump for spots in near for there in jumps.from_places(spots) for jump in there]
    assert len(told) == len(near)
    assert {jump.towards for jump in told} == {None}
