"""Areas with lines and places that have no ground, with a heading, beside what bars ends; and what changes no area."""

import math
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
import shapely
from posed_movers import FORWARD, REVERSE, SIDEWAYS, stepper, vehicle
from posed_tables import START, legal_ends, mover

from simulator.geometry.footprints import Rectangle, Round
from simulator.geometry.pieces import rectangle
from simulator.geometry.shapes import lines_of, polygons_of
from simulator.pathing.posed import PoseReach, TurnPrices

DEAR = TurnPrices.flat(99)
QUARTERS = TurnPrices.of([(45, 5), (90, 8), (180, 20)])


def ahead(inches, **more):
    """A mover that cannot pay for any turn."""
    return vehicle(inches, **{"modes": (FORWARD,), "turns": DEAR, **more})


def lines(area):
    """The lines of an area, as their ends."""
    found = [np.round(shapely.get_coordinates(part), 5)[[0, -1]] for part in shapely.get_parts(lines_of(area))]
    return sorted(sorted(map(tuple, ends.tolist())) for ends in found)


class TestWithoutGround:
    def test_straight_on_is_a_line(self):
        area = PoseReach(ahead(10)).area()
        assert area.geom_type == "LineString"
        assert lines(area) == [[(0, 0), (10, 0)]]

    def test_straight_on_and_back_is_one_line(self):
        assert lines(PoseReach(ahead(10, modes=(FORWARD, REVERSE))).area()) == [[(-5, 0), (10, 0)]]

    def test_what_bars_ends_cuts_a_line(self):
        space = ahead(10, base=Round(1), no_end=[Round(1).at(5, 0)])
        assert lines(PoseReach(space).area()) == [[(0, 0), (3, 0)], [(7, 0), (10, 0)]]

    def test_a_corridor_of_just_the_width_of_the_base(self):
        walls = [rectangle((9, 3), (8, 4)), rectangle((9, -3), (8, 4))]
        area = PoseReach(ahead(20, base=Round(1), bars=walls)).area()
        assert lines(area) == [[(0, 0), (20, 0)]]

    def test_farther_straight_on_than_with_the_least_turn(self):
        area = PoseReach(vehicle(36, modes=(FORWARD, REVERSE))).area()
        assert lines(area) == [[(-18, 0), (-15, 0)], [(30, 0), (36, 0)]]

    def test_no_move_at_all_is_a_point(self):
        area = PoseReach(vehicle(0, modes=(FORWARD,), turns=DEAR)).area()
        assert shapely.get_coordinates(area).tolist() == [[0, 0]]

    def test_a_turn_alone_is_a_point(self):
        space = vehicle(8, modes=(FORWARD,), turns=QUARTERS)
        area = PoseReach(space).area(heading=90)
        assert shapely.get_coordinates(area).tolist() == [[0, 0]]
        assert PoseReach(space).area(heading=91).is_empty

    def test_with_the_heading_it_has_it_goes_on_straight(self):
        assert lines(PoseReach(ahead(10)).area(heading=0)) == [[(0, 0), (10, 0)]]
        assert PoseReach(ahead(10)).area(heading=1).is_empty


def test_sideways_without_a_turn_is_ground():
    """Inches forward and twice those sideways make 10, or twice those back."""
    area = PoseReach(ahead(10, modes=(FORWARD, REVERSE, *SIDEWAYS))).area()
    assert area.area == pytest.approx(2 * 10 * 5 / 2 + 2 * 5 * 5 / 2, abs=1e-6)


class TestWithAHeading:
    def test_a_turn_on_the_way_or_at_the_end(self):
        """Ahead and then to the left, with one turn of 90 degrees: a triangle."""
        space = vehicle(18, modes=(FORWARD,), turns=TurnPrices.of([(89, 15), (180, 10)]))
        area = PoseReach(space).area(heading=90)
        assert area.area == pytest.approx(8 * 8 / 2, abs=1e-3)
        assert shapely.hausdorff_distance(area, shapely.Polygon([(0, 0), (8, 0), (0, 8)])) < 0.01

    @pytest.mark.sampled
    @pytest.mark.parametrize(("name", "turn"), [("disc", 0), ("disc", 90), ("track", 45)])
    def test_as_single_poses_have_it(self, name, turn):
        space = mover(name, 2)
        reach, heading = PoseReach(space), float(space.starts[0].heading) + turn
        area = reach.area(heading=heading)
        far = float(space.budget) / space.least_rate * 0.7
        places = np.random.default_rng(5).uniform(-far, far, (500, 2)) + START
        known = np.isfinite(reach.costs_in(places, heading))
        inside = shapely.contains_xy(polygons_of(area), places[:, 0], places[:, 1])
        assert known.sum() > 40
        assert np.mean(known[inside]) > 0.98
        away = shapely.distance(area, shapely.points(places[known]))
        assert np.mean(away > 0.1) < 0.01
        assert np.max(away) < 0.2


class TestBesideWhatBarsEnds:
    crate = rectangle((8, 0), (2, 2))

    def test_a_long_base_ends_beside_it_where_it_fits(self):
        """The base is half as wide as it is long: beside the crate there is room for it lengthwise."""
        space = vehicle(24, base=Rectangle(4, 2), no_end=[self.crate], turns=QUARTERS, modes=(FORWARD,))
        reach = PoseReach(space)
        area = reach.area()
        assert shapely.contains_xy(area, 8.0, 2.05)
        assert not shapely.contains_xy(area, 8.0, 1.95)
        places = np.random.default_rng(2).uniform((3, -4), (14, 4), (400, 2))
        ends = np.isfinite(reach.costs_at(places))
        inside = shapely.contains_xy(area, places[:, 0], places[:, 1])
        assert np.mean(ends[inside]) > 0.99
        assert np.max(shapely.distance(area, shapely.points(places[ends]))) < 0.1

    def test_passing_over_it(self):
        area = PoseReach(ahead(16, base=Rectangle(4, 2), no_end=[self.crate])).area()
        assert lines(area) == [[(0, 0), (5, 0)], [(11, 0), (16, 0)]]


@pytest.mark.long
def test_most_legal_ends_are_in_the_area():
    space, dice = mover("tank", 1), np.random.default_rng(1)
    area = PoseReach(space).area()
    ends = shapely.points([end.place for end in legal_ends(space, dice, 60)])
    assert np.mean(shapely.distance(area, ends) > 0.1) < 0.02


def test_what_has_to_be_spent_leaves_a_hole_for_who_cannot_go_back():
    reach = PoseReach(stepper(6, more_than=Fraction(4), modes=(FORWARD,)))
    area = reach.area()
    places = np.random.default_rng(4).uniform(-6, 6, (300, 2))
    ends = np.isfinite(reach.costs_at(places))
    inside = shapely.contains_xy(area, places[:, 0], places[:, 1])
    assert 20 < ends.sum() < 280
    assert np.all(ends[inside])
    assert np.max(shapely.distance(area, shapely.points(places[ends]))) < 0.1


THINGS = [((9, 3), (4, 2), 20), ((6, -5), (2, 5), 70), ((-5, 6), (6, 1), 130), ((14, -2), (1, 5), 10)]


def table(turned=0, mirrored=False, **more):
    """A table of a few things, mirrored at the x axis and turned round the origin."""
    sign = -1 if mirrored else 1

    def moved(x, y):
        cos, sin = round(math.cos(math.radians(turned)), 15), round(math.sin(math.radians(turned)), 15)
        return x * cos - sign * y * sin, x * sin + sign * y * cos

    bars = [rectangle(moved(*middle), size, sign * angle + turned) for middle, size, angle in THINGS]
    more = {"turns": QUARTERS, "base": Round(0.8), "modes": (FORWARD, REVERSE), "budget": 20, **more}
    return vehicle(20, bars=bars + more.pop("bars", []), heading=turned, **more)


@cache
def area_of_table():
    """The polygons of what is reached there."""
    return polygons_of(PoseReach(table()).area())


@pytest.mark.sampled
@pytest.mark.parametrize(("turned", "mirrored"), [(0, True), (90, False), (237, False), (37, True)])
def test_a_table_turned_or_mirrored_has_the_same_area(turned, mirrored):
    area, error = area_of_table(), 0.05
    other = polygons_of(PoseReach(table(turned, mirrored)).area())
    back = shapely.affinity.rotate(other, -turned, (0, 0))
    back = shapely.affinity.scale(back, 1, -1 if mirrored else 1, origin=(0, 0))
    assert area.area > 250
    assert shapely.symmetric_difference(area, back).area < error * area.length


def test_more_to_spend_loses_nothing():
    less, more = polygons_of(PoseReach(table(budget=17)).area()), area_of_table()
    assert shapely.difference(less, more.buffer(0.1)).is_empty
    assert more.area > less.area + 50


def test_another_obstacle_adds_nothing():
    plain = area_of_table()
    barred = polygons_of(PoseReach(table(bars=[rectangle((4, 4), (2, 2), 10)])).area())
    assert shapely.difference(barred, plain.buffer(0.1)).is_empty
    assert barred.area < plain.area - 5


def test_the_same_question_has_the_same_answer():
    one, other = area_of_table(), polygons_of(PoseReach(table()).area())
    assert shapely.to_wkb(one) == shapely.to_wkb(other)
