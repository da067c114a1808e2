"""Outlines of areas against single places beside them: what can be ended on there is in the area, or hardly beyond."""

import numpy as np
import pytest
import shapely
from posed_tables import mover

from benchmarks.many_movers import mover as crowded_mover
from simulator.geometry.footprints import Oval, PolygonBase, Rectangle, Round
from simulator.geometry.shapes import polygons_of
from simulator.pathing.posed import PoseReach
from simulator.pathing.posed.last_room import larger


def ends_beside(reach, area, heading=None, width=1.2, count=300):
    """How far the ends of some places beside an area are away from it."""
    ring = shapely.difference(polygons_of(area).buffer(width), polygons_of(area).buffer(0.02))
    left, bottom, right, top = ring.bounds
    places = np.random.default_rng(1).uniform((left, bottom), (right, top), (60 * count, 2))
    places = places[shapely.contains_xy(ring, places[:, 0], places[:, 1])][:count]
    costs = reach.costs_at(places) if heading is None else reach.costs_in(places, heading)
    assert len(places) == count
    return shapely.distance(area, shapely.points(places[np.isfinite(costs)]))


@pytest.mark.long
@pytest.mark.parametrize(("name", "seed", "turn"), [("oval", 2, 0), ("tank", 2, 90)])
def test_a_long_base_turns_at_the_end_wherever_it_has_room(name, seed, turn):
    space = mover(name, seed)
    reach, heading = PoseReach(space), float(space.starts[0].heading) + turn
    area = reach.area(heading=heading)
    assert polygons_of(area).area > 80
    assert np.all(ends_beside(reach, area, heading) < 0.1)
    core = shapely.buffer(polygons_of(area), -0.01)
    places = np.random.default_rng(2).uniform((0, 0), (48, 36), (4000, 2))
    places = places[shapely.contains_xy(core, places[:, 0], places[:, 1])]
    assert len(places) > 100
    unknown = places[~np.isfinite(reach.costs_in(places, heading))]
    # Some are ends by turns between the places of the mesh.
    assert len(unknown) < 0.02 * len(places)
    assert np.all(np.isfinite(PoseReach(space, finer=1).costs_in(unknown, heading)))


# Long: many places beside an outline are asked; test_area_parts asks fewer.
@pytest.mark.long
@pytest.mark.parametrize(("name", "seed"), [("point", 0), ("point", 1), ("tank", 0), ("disc", 2), ("runner", 1)])
def test_hardly_anything_beside_an_outline_is_an_end(name, seed):
    """Strips beside what just lets a leg pass, and the tips of what turns to limits lead to, are in the area."""
    reach = PoseReach(crowded_mover(name, seed))
    beside = ends_beside(reach, reach.area(), width=0.3, count=600)
    assert np.all(beside < 0.1)
    assert np.sum(beside > 0.05) <= 3


@pytest.mark.parametrize("base", [Rectangle(3, 1), Oval(4, 2), PolygonBase([(-1, -1), (2, 0), (-1, 1)])])
def test_a_larger_base_holds_all_places_near_the_base(base):
    outline = base.at(0, 0).polygon
    grown, shrunk = larger(base, 0.2), larger(base, -0.2)
    assert grown.at(0, 0).polygon.buffer(1e-2).contains(shapely.buffer(outline, 0.2))
    assert outline.contains(shapely.buffer(shrunk.at(0, 0).polygon, 0.199))
    assert larger(base, -base.inner_radius) is None
    assert larger(Round(1), -2) is None


@pytest.mark.parametrize(("name", "seed"), [("point", 0), ("disc", 1), ("runner", 1), ("tank", 1)])
def test_hardly_a_crack_in_an_area_holds_an_end(name, seed):
    """Between two fans a crack may be left that is too narrow for what looks beside outlines."""
    reach = PoseReach(crowded_mover(name, seed))
    area = polygons_of(reach.area(0.01))
    cracks = shapely.difference(area.buffer(0.05).buffer(-0.05), area).buffer(-0.01)
    places = shapely.get_coordinates(shapely.point_on_surface(shapely.get_parts(cracks)))
    assert np.sum(np.isfinite(reach.costs_at(places))) <= 8
