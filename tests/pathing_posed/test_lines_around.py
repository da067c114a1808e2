"""The lines on which bases touch things."""

import math

import numpy as np
import pytest
import shapely

from simulator.geometry.footprints import PolygonBase, Round
from simulator.geometry.nearest import nearest_points
from simulator.geometry.pieces import CircleShape, LineShape, PointShape, PolygonShape, rectangle
from simulator.pathing.posed.lines_around import lines_around, marks_of, part_of, parts_where

THINGS = [
    rectangle((1, 2), (3, 1), 30),
    PolygonShape([(0, 0), (4, 0), (4, 1), (1, 1), (1, 4), (0, 4)]),
    PolygonShape([(-3, -3), (3, -3), (3, 3), (-3, 3)], [[(-1, -1), (1, -1), (1, 1), (-1, 1)]]),
    CircleShape(1, 1, 1.5),
    LineShape([(0, 0), (3, 1), (3, 4)]),
    PointShape(2, 3),
]
BASES = [Round(0.0), Round(0.5), PolygonBase([(1, 0.5), (-0.5, 0.5), (-0.5, -0.5), (1, -0.5)])]


@pytest.mark.parametrize("thing", THINGS)
@pytest.mark.parametrize("base", BASES)
def test_where_it_is_clear_it_touches(thing, base):
    """On some of each line a base is on the thing; wherever else, it touches."""
    lines = list(lines_around(thing, base, 40.0))
    touches = 0
    for line in lines:
        for share in (0.0, 0.3, 0.7):
            x, y = line.place(share * line.length)
            apart = math.dist(*nearest_points(base.at(x, y, 40.0), thing))
            assert apart <= 3e-6
            touches += apart <= 3e-6
    assert touches


@pytest.mark.parametrize("base", BASES[:2])
def test_they_are_all_around(base):
    """Every way off a thing leads over a line."""
    for thing in THINGS[:5]:
        lines = list(lines_around(thing, base))
        drawn = [shapely.LineString([one.place(s * one.length) for s in np.linspace(0, 1, 40)]) for one in lines]
        hull = shapely.buffer(thing.polygon, base.radius, quad_segs=64) if base.radius else thing.polygon
        border = hull.boundary if hull.area else hull
        gaps = shapely.distance(shapely.union_all(drawn), shapely.points(shapely.get_coordinates(border)))
        assert gaps.max() <= 0.02


def test_a_place_where_two_circles_touch():
    """It is as wide as the gap between two discs: there is one place for it."""
    discs = CircleShape(0, 0, 1), CircleShape(3, 4, 3)
    lines = [line for disc in discs for line in lines_around(disc, Round(0.5))]

    def touches_both(places):
        return np.all([np.hypot(*(places - (one.x, one.y)).T) <= one.radius + 0.5 + 1e-9 for one in discs], axis=0)

    found = list(parts_where(lines, touches_both, marks_of(lines)))
    assert {tuple(np.round(one.place(0.0), 3).tolist()) for one in found} == {(0.9, 1.2)}


def test_parts_of_an_arc_and_of_a_side():
    (circle,) = lines_around(CircleShape(0, 0, 1), Round(1.0))
    quarter = part_of(circle, 0.25, 0.5)
    assert quarter.place(0.0) == pytest.approx((0, 2))
    assert quarter.place(quarter.length) == pytest.approx((-2, 0))
    side = next(iter(lines_around(rectangle((0, 0), (2, 2)), Round(1.0))))
    assert part_of(side, 0.5, 0.5).length == 0
