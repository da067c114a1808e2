"""Things of the geometry as obstacles: round ones stay round, lines stay lines."""

from dataclasses import dataclass, field

import numpy as np
import pytest
import shapely

from simulator.pathing.free import plan, prepare
from simulator.pathing.free.solids import obstacles_of

FLAT = np.zeros((2, 2))


@dataclass
class Thing:
    """As much of a thing as is asked for."""

    polygon: object
    edges: np.ndarray = field(default_factory=lambda: np.zeros((0, 4)))
    spread: np.ndarray = field(default_factory=lambda: FLAT)
    parts: tuple = ()


def ellipse(x, y, spread):
    return Thing(shapely.Point(x, y).buffer(1), spread=np.array(spread, float), parts=(np.array([[x, y]]),))


def test_each_thing_becomes_what_it_is():
    line = Thing(shapely.LineString([(0, 0), (3, 0), (3, 2)]), np.array([[0, 0, 3, 0], [3, 0, 3, 2]], float))
    post = Thing(shapely.Point(9, 9), np.array([[9, 9, 9, 9]], float))
    halves = Thing(shapely.MultiPolygon([shapely.box(0, 5, 1, 6), shapely.box(3, 5, 4, 6)]))
    table = obstacles_of([ellipse(5, 5, [[0.5, 0], [0, 0.5]]), line, post, halves], border=(0, 0, 20, 20))
    assert table.disc_rows.tolist() == [[5, 5, 0.5]]
    assert table.wall_rows.tolist() == [[0, 0, 3, 0], [3, 0, 3, 2], [9, 9, 9, 9]]
    assert [polygon.area for polygon in table.polygons] == [1, 1]
    assert (table.things, table.border) == (6, (0, 0, 20, 20))


def test_an_oval_is_drawn_around_itself():
    oval = ellipse(3, 0, [[2, 0], [0, 1]])
    (drawn,) = obstacles_of([oval]).polygons
    angles = np.linspace(0, 2 * np.pi, 1000)
    assert np.all(shapely.contains_xy(drawn.buffer(1e-9), 3 + 2 * np.cos(angles), np.sin(angles)))
    assert drawn.area == pytest.approx(2 * np.pi, rel=1e-3)


def test_ways_go_round_them():
    table = prepare(obstacles_of([ellipse(3, 0, [[0.5, 0], [0, 0.5]])]), 0.5)
    assert plan(table, (0, 0), 7).cost_at((6, 0)) == pytest.approx(6.3365, abs=5e-5)
