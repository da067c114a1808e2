"""Lines of exactly so many inches from areas and lines, beside distances that shapely measures."""

import numpy as np
import pytest
import shapely

from simulator.geometry.snapping import union
from simulator.pathing.free import Obstacles, prepare
from simulator.pathing.free.exact_lines import ends_from_area, ends_from_lines, starts_for


class Origins:
    """An area and lines to begin on."""

    def __init__(self, area, *lines):
        self.area, self.lines = area, lines
        self.whole = union([area, *lines]) if lines else area

    def ends(self, places):
        return shapely.distance(self.whole, shapely.points(places)) <= 1e-6


def generated(seed):
    dice = np.random.default_rng(seed)
    area = shapely.MultiPoint(dice.uniform(-2, 2, (8, 2))).convex_hull
    return area, float(dice.uniform(3, 6)), dice


def on_free_line(ground, places, area, inches):
    """Whether a free line just so long from an area ends at each place, by trying a thousand directions."""
    angles = np.linspace(0, 2 * np.pi, 1000, endpoint=False)
    around = inches * np.column_stack([np.cos(angles), np.sin(angles)])
    found = np.zeros(len(places), np.bool_)
    for row, place in enumerate(places):
        starts = place + around
        starts = starts[shapely.contains_xy(area, *starts.T)]
        lines = np.hstack([starts, np.broadcast_to(place, starts.shape)])
        found[row] = len(starts) and not np.all(ground.barred(lines, from_contact=True))
    return found


@pytest.mark.parametrize("seed", range(6))
def test_on_an_open_table_they_end_where_the_area_is_both_as_near_and_as_far(seed):
    area, inches, dice = generated(seed)
    ground = prepare(Obstacles(), 0.5)
    drawn = ends_from_area(area, ground, inches)
    places = dice.uniform(-9, 9, (400, 2))
    near = shapely.distance(area, shapely.points(places))
    far = shapely.hausdorff_distance(area, shapely.points(places))
    wanted = (near <= inches) & (far >= inches)
    sure = (np.abs(near - inches) > 0.01) & (np.abs(far - inches) > 0.01)
    assert shapely.contains_xy(drawn, *places.T)[sure].tolist() == wanted[sure].tolist()
    starts = starts_for(Origins(area), ground, inches, places, (0.0, 0.0))
    assert (~np.isnan(starts[:, 0]))[sure].tolist() == wanted[sure].tolist()
    found = ~np.isnan(starts[:, 0])
    assert np.hypot(*(starts - places)[found].T) == pytest.approx(np.full(found.sum(), inches))


@pytest.mark.sampled("1")
@pytest.mark.parametrize("seed", range(4))
def test_past_obstacles_they_end_where_some_direction_is_free(seed):
    area, inches, dice = generated(seed)
    discs = [(*row, 0.6) for row in dice.uniform(-5, 5, (5, 2)).tolist() if area.distance(shapely.Point(row)) > 1.2]
    ground = prepare(Obstacles(discs, (), [shapely.box(3, -1, 4, 2)]), 0.5)
    places = dice.uniform(-8, 8, (150, 2))
    places = places[ground.legal(places)]
    starts = starts_for(Origins(area), ground, inches, places, (0.0, 0.0))
    wanted = on_free_line(ground, places, area, inches)
    found = ~np.isnan(starts[:, 0])
    assert np.all(found[wanted])
    lines = np.hstack([starts[found], places[found]])
    assert not ground.barred(lines, from_contact=True).any()
    drawn = ends_from_area(area, ground, inches)
    assert np.all(found[shapely.contains_xy(drawn, *places.T)])
    assert np.all(shapely.distance(drawn.buffer(0.02), shapely.points(places[wanted])) == 0)
    assert 5 < found.sum() < len(places)


def test_starts_that_are_no_good_are_left_out():
    area, ground = shapely.box(-1, -1, 1, 1), prepare(Obstacles(), 0.5)
    places = np.array([[4.0, 0.0]])
    assert not np.isnan(starts_for(Origins(area), ground, 4.0, places, (0.0, 0.0))).any()
    (start,) = starts_for(Origins(area), ground, 4.0, places, (0.0, 0.0), lambda rows: rows[:, 1] < -0.2)
    assert start[1] < -0.2
    assert np.isnan(starts_for(Origins(area), ground, 4.0, places, (0.0, 0.0), lambda rows: rows[:, 0] < -0.9)).all()


def test_from_lines_they_end_on_both_sides_and_none_outside_what_is_true():
    line, post = shapely.LineString([(0, 0), (0, 4)]), shapely.Point(2, 2).buffer(1.0, quad_segs=64)
    ground = prepare(Obstacles([(2, 2, 0.5)]), 0.5)
    drawn = ends_from_lines([line], ground, 3.0)
    places = np.random.default_rng(1).uniform((-4, -4), (4, 8), (500, 2))
    inside = shapely.contains_xy(drawn, *places.T)
    near, far = (measure(line, shapely.points(places)) for measure in (shapely.distance, shapely.hausdorff_distance))
    assert np.all((near <= 3)[inside] & (far >= 3)[inside])
    left = places[:, 0] < -0.05  # on that side nothing is in the way
    assert np.all(inside[left & (near < 2.95) & (far > 3.05)])
    assert not shapely.contains_xy(post, *places[inside].T).any()
    assert not drawn.contains(shapely.Point(2.99, 2.0))  # right behind the post
