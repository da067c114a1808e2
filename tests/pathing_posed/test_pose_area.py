"""Areas of movers with headings: what lies in them are ends, and ends lie in them."""

import numpy as np
import pytest
import shapely
from posed_movers import FORWARD, REVERSE, vehicle
from posed_tables import legal_ends, mover

from simulator.geometry.footprints import Rectangle, Round
from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import PoseReach, TurnPrices


def inside(area, dice, count):
    """Places well inside an area."""
    core = shapely.buffer(area, -0.1)
    left, bottom, right, top = core.bounds
    places = dice.uniform((left, bottom), (right, top), (50 * count, 2))
    return places[shapely.contains_xy(core, places[:, 0], places[:, 1])][:count]


@pytest.mark.sampled
@pytest.mark.parametrize("name", ["disc", "oval", "track"])
def test_what_lies_in_an_area_is_an_end_and_ends_lie_in_it(name):
    space, dice = mover(name, 2), np.random.default_rng([2, 9])
    reach = PoseReach(space)
    area = reach.area()
    places = inside(area, dice, 60)
    assert len(places) > 30
    assert np.isfinite(reach.costs_at(places)).mean() > 0.98
    ends = shapely.points([end.place for end in legal_ends(space, dice, 60)])
    assert np.mean(shapely.distance(area, ends) > 0.1) < 0.02


def test_straight_on_and_back():
    """Turns that cannot be paid leave two lines; E43 of combined_arms."""
    space = vehicle(6, modes=(FORWARD, REVERSE), turns=TurnPrices.flat(7))
    area = PoseReach(space).area()
    assert area.area < 1e-6
    assert shapely.hausdorff_distance(area, shapely.LineString([(-3, 0), (6, 0)])) < 1e-6


def test_a_quarter_of_a_circle():
    """A turn up to a limit at no price, and none beyond."""
    space = vehicle(8, modes=(FORWARD,), turns=TurnPrices.of([(45, 0), (180, 20)]), budget=8, base=Round(0.5))
    area = PoseReach(space).area(error=0.01)
    quarter = shapely.Point(0, 0).buffer(8, quad_segs=200).intersection(shapely.Polygon([(0, 0), (20, 20), (20, -20)]))
    assert shapely.difference(quarter, shapely.buffer(area, 0.02)).is_empty


def test_no_part_of_what_stands_there():
    wall = rectangle((5, 1), (1, 4), 20)
    area = PoseReach(vehicle(12, base=Round(0.5), bars=[wall])).area()
    assert shapely.intersection(area, wall.polygon).area < 1e-9
    assert shapely.distance(area, wall.polygon) == pytest.approx(0.5, abs=1e-3)


# Long: a long base turns over many things; areas among fewer are tried beside it.
@pytest.mark.long
def test_no_end_beside_things_to_pass_over_that_a_long_base_would_overlap():
    crate = rectangle((6, 1), (2, 2), 30)
    space = vehicle(12, base=Rectangle(3, 1), no_end=[crate], turns=TurnPrices.flat(2))
    reach = PoseReach(space)
    area = reach.area()
    near = shapely.intersection(area, shapely.buffer(crate.polygon, 3))
    beside = np.random.default_rng(3).uniform((3, -2), (9, 4), (400, 2))
    places = beside[shapely.contains_xy(shapely.buffer(near, -0.02), beside[:, 0], beside[:, 1])]
    assert len(places) > 40
    assert np.all(np.isfinite(reach.costs_at(places)))
    ends = shapely.points(beside[np.isfinite(reach.costs_at(beside))])
    assert len(ends) > 250
    assert shapely.distance(area, ends).max() <= 0.1
    # The way across it goes on behind, where the base has left it.
    assert shapely.contains_xy(area, 9.5, 2.5)
