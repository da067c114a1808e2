"""Bases of units: what they cover where they stand, and how far they reach."""

import math
import pickle

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.errors import BoardError
from simulator.geometry.angles import unit_vector
from simulator.geometry.footprints import Oval, Placed, PolygonBase, Rectangle, Round

ARROW = PolygonBase([(2, 0), (-1, 1), (0, 0), (-1, -1)])
BASES = [Round(0.5), Oval(4, 2), Rectangle(3, 1), PolygonBase([(-1, -1), (2, 0), (-1, 1)]), ARROW]
HEADINGS = st.floats(-720, 720)


class TestWhereItStands:
    def test_a_quarter_turn_is_exact(self):
        assert Rectangle(3, 1).at(5, 5, 90).polygon.bounds == (4.5, 3.5, 5.5, 6.5)
        assert set(map(tuple, ARROW.at(1, 1, 180).edges[:, :2].tolist())) == {(-1, 1), (2, 0), (1, 1), (2, 2)}

    def test_headings_are_normalised(self):
        assert Oval(4, 2).at(0, 0, -90) == Oval(4, 2).at(0, 0, 270)

    @pytest.mark.parametrize("base", BASES, ids=lambda base: type(base).__name__)
    @given(heading=HEADINGS)
    @settings(deadline=None, max_examples=20)
    def test_turning_keeps_the_area(self, base, heading):
        assert base.at(3, -4, heading).polygon.area == pytest.approx(base.at(0, 0).polygon.area)

    def test_an_oval_is_drawn_with_its_corners_on_the_ellipse(self):
        corners = shapely.get_coordinates(Oval(4, 2).at(0, 0).polygon)
        assert np.allclose((corners[:, 0] / 2) ** 2 + corners[:, 1] ** 2, 1.0)

    @pytest.mark.parametrize("heading", [0, 33.3, 180])
    def test_a_round_base_is_the_same_circle_whatever_its_heading(self, heading):
        for base in (Round(0.7), Oval(1.4, 1.4)):
            assert np.array_equal(base.at(1, 2, heading).spread, np.diag([0.7, 0.7]))

    def test_a_round_base_of_radius_0_is_a_point(self):
        point = Round(0).at(3, 4)
        assert point.polygon.equals(shapely.Point(3, 4))
        assert point.edges.tolist() == [[3, 4, 3, 4]]

    def test_the_parts_of_a_base_that_is_not_convex_cover_it_once(self):
        placed = ARROW.at(7, 8, 25)
        assert sum(shapely.Polygon(part).area for part in placed.parts) == pytest.approx(placed.polygon.area)

    def test_moves_and_turns_into_a_new_value(self):
        placed = Rectangle(3, 1).at(1, 2, 10)
        assert placed.moved(0.5, -1) == Rectangle(3, 1).at(1.5, 1, 10)
        assert placed.turned(-20) == Rectangle(3, 1).at(1, 2, 350)
        assert placed.centre == (1, 2)

    def test_survives_pickling(self):
        for base in BASES:
            assert pickle.loads(pickle.dumps(base.at(1, 2, 3))) == base.at(1, 2, 3)


class TestSupport:
    @pytest.mark.parametrize("base", BASES, ids=lambda base: type(base).__name__)
    @given(heading=HEADINGS, looking=HEADINGS)
    @settings(deadline=None, max_examples=20)
    def test_no_corner_lies_farther_and_the_point_is_on_the_border(self, base, heading, looking):
        placed = base.at(3, -4, heading)
        along = unit_vector(looking)
        farthest = np.dot(placed.support(along), along)
        drawn = (shapely.get_coordinates(placed.polygon) @ along).max()
        assert drawn <= farthest + 1e-12
        assert drawn >= farthest - 1e-3  # the drawing of an oval has 256 corners

    def test_an_ellipse_has_it_in_closed_form(self):
        x, y = Oval(4, 2).at(0, 0).support((1, 1))
        assert (x, y) == pytest.approx((4 / math.sqrt(5), 1 / math.sqrt(5)))

    @pytest.mark.parametrize("direction", [(0, 0), (math.nan, 1), (math.inf, 0)])
    def test_refuses_a_direction_that_is_none(self, direction):
        with pytest.raises(BoardError, match="a direction has a finite length above 0"):
            Round(1).at(0, 0).support(direction)


class TestReach:
    @pytest.mark.parametrize(
        ("base", "reach"),
        [(Round(0.5), 0.5), (Oval(4, 2), 2), (Oval(2, 4), 2), (Rectangle(3, 4), 2.5), (ARROW, 2)],
        ids=lambda value: type(value).__name__,
    )
    def test_is_the_distance_of_the_farthest_point(self, base, reach):
        placed = base.at(10, 10, 77)
        corners = shapely.get_coordinates(placed.polygon)
        assert placed.reach == reach
        assert np.hypot(*(corners - (10, 10)).T).max() == pytest.approx(reach)


class TestRefusals:
    @pytest.mark.parametrize(
        ("build", "complaint"),
        [
            (lambda: Round(-1), "radius: must be 0 or more and finite, but is -1"),
            (lambda: Round(math.nan), "radius: must be 0 or more and finite, but is nan"),
            (lambda: Oval(0, 1), "length: must be above 0 and finite, but is 0"),
            (lambda: Rectangle(1, math.inf), "width: must be above 0 and finite, but is inf"),
            (lambda: PolygonBase([(0, 0), (1, 1)]), "points: expected at least 3 different points, has 2"),
            (lambda: Placed(Round(1), math.nan, 0), "a base stands at finite coordinates up to a million"),
            (lambda: Round(1).at(0, 1e9), "a base stands at finite coordinates up to a million"),
            (lambda: Round(1).at(0, 0, math.inf), "a heading is a finite number of degrees, not inf"),
        ],
    )
    def test_say_what_is_wrong(self, build, complaint):
        with pytest.raises(BoardError) as refused:
            build()
        assert str(refused.value).startswith(complaint)
