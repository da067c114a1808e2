"""Areas that hold lines as well as ground, put together and taken apart."""

import pytest
import shapely

from simulator.geometry.shapes import joined, less, lines_of, polygons_of, shrunk, together, where_wide
from simulator.geometry.tolerances import GRID

SQUARE = shapely.box(0, 0, 2, 2)
ACROSS = shapely.LineString([(-1, 1), (3, 1)])
ALONE = shapely.LineString([(5, 0), (5, 3)])
SPOT = shapely.Point(7, 7)
NOTHING = shapely.Polygon()


def measures(area):
    """The area of its ground and the length of its lines."""
    return pytest.approx((area.area, lines_of(area).length), abs=1e-4)


class TestTakenApart:
    def test_ground_and_lines_of_a_mixed_area(self):
        mixed = shapely.GeometryCollection([SQUARE, ALONE, SPOT])
        assert polygons_of(mixed).equals(SQUARE)
        assert lines_of(mixed).equals(shapely.GeometryCollection([ALONE, SPOT]))

    def test_of_several_in_one(self):
        mixed = shapely.GeometryCollection(
            [shapely.MultiPolygon([SQUARE, shapely.box(4, 4, 5, 5)]), shapely.MultiLineString([ALONE, ACROSS])]
        )
        assert polygons_of(mixed).area == 5
        assert lines_of(mixed).length == 3 + 4
        assert len(shapely.get_parts(lines_of(mixed))) == 2

    @pytest.mark.parametrize("one", [NOTHING, SQUARE])
    def test_of_ground_alone_there_are_no_lines(self, one):
        assert polygons_of(one).equals(one)
        assert lines_of(one).is_empty


class TestPutTogether:
    def test_of_lines_only_what_stands_out_is_kept(self):
        assert measures(together([SQUARE], [ACROSS])) == (4, 2)

    def test_lines_far_from_ground_are_kept_whole(self):
        whole = together([SQUARE, shapely.box(1, 0, 3, 2)], [ALONE, SPOT])
        assert measures(whole) == (6, 3)
        assert whole.distance(SPOT) == 0
        assert {part.geom_type for part in shapely.get_parts(whole)} == {"Polygon", "LineString", "Point"}

    def test_lines_that_lie_on_each_other_are_one(self):
        assert measures(together([SQUARE], [ALONE, ALONE])) == (4, 3)

    def test_ground_alone_stays_polygons(self):
        both = together([SQUARE, shapely.box(4, 4, 5, 5)], [])
        assert both.geom_type == "MultiPolygon"
        assert both.area == 5

    def test_one_line_alone_stays_a_line(self):
        whole = together([], [ALONE])
        assert (whole.geom_type, whole.length) == ("LineString", 3)

    def test_of_nothing_there_is_nothing(self):
        assert together([], []).is_empty
        assert together([SQUARE], [NOTHING]).equals(SQUARE)

    def test_whole_areas(self):
        one = shapely.GeometryCollection([SQUARE, ALONE])
        other = shapely.GeometryCollection([shapely.box(1, 0, 3, 2), ACROSS])
        assert measures(joined([one, other])) == (6, 3 + 1)


class TestLess:
    def test_ground_less_ground(self):
        assert measures(less(SQUARE, shapely.box(1, 0, 3, 2))) == (2, 0)

    def test_slivers_are_no_ground(self):
        assert less(SQUARE, shapely.box(0, 0, 2, 2 - GRID / 4)).is_empty
        thin = less(SQUARE, shapely.box(0, 0, 2, 1.999))
        assert thin.area == pytest.approx(0.002, abs=1e-5)

    def test_lines_less_ground(self):
        mixed = shapely.GeometryCollection([shapely.box(8, 8, 9, 9), ACROSS])
        assert measures(less(mixed, SQUARE)) == (1, 2)

    def test_lines_less_lines(self):
        """As near to each other as makes no difference."""
        mixed = shapely.GeometryCollection([SQUARE, ALONE])
        beside = shapely.LineString([(5 + 9 * GRID, 0), (5 + 9 * GRID, 2)])
        assert measures(less(mixed, beside)) == (4, 1)
        farther = shapely.LineString([(5 + 12 * GRID, 0), (5 + 12 * GRID, 2)])
        assert measures(less(mixed, farther)) == (4, 3)

    def test_ground_is_not_less_by_lines(self):
        assert measures(less(SQUARE, ACROSS)) == (4, 0)

    def test_lines_less_ground_and_lines(self):
        both = shapely.GeometryCollection([shapely.box(4, 2, 6, 4), shapely.LineString([(5, 0), (5, 0.5)])])
        assert measures(less(ALONE, both)) == (0, 1.5)

    def test_all_less_itself_is_nothing(self):
        mixed = shapely.GeometryCollection([SQUARE, ALONE])
        assert less(mixed, mixed).is_empty


def test_wide_ground_beside_a_notch_as_narrow_as_a_hair():
    """Its two sides run together within a millionth of a degree or so: GEOS alone makes an outline that it refuses."""
    corners = [
        (12.97162584493888, 21.172471191063025),
        (12.944893811749349, 21.169188910105806),
        (13.000809310571789, 21.176054470076384),
        (13.021634, 21.178611420423767),
        (13.021634, 21.12248),
        (12.921634, 21.12248),
        (12.921634, 21.22248),
        (12.965485535292276, 21.22248),
    ]
    ground = shapely.Polygon(corners)
    wide = where_wide(ground, 1e-5)
    assert wide.is_valid
    assert shapely.difference(ground, wide).area < 1e-9
    assert shapely.difference(wide, shapely.buffer(ground, 2e-5)).area < 1e-9


#: Two fans of rays with narrow notches between them, as they are drawn: grown and shrunk by a twentieth they get a
#: border that crosses itself. With fewer digits they do not.
NOTCHED = shapely.MultiPolygon(
    [
        [
            [
                (25.286979688422804, 23.273802354522132),
                (25.242487674098676, 23.28606582318088),
                (25.282009478660335, 23.256934136578874),
                (25.250586540350408, 23.266796660364438),
                (25.278511278256584, 23.246213219852336),
                (25.198290213710457, 23.273393844060184),
                (25.26924342260877, 23.2210939385281),
                (25.04830574792271, 23.3094),
                (25.23868577373629, 23.3094),
            ],
            [],
        ],
        [
            [
                (25.20743263202365, 23.10999638252171),
                (25.0034, 23.260389684614534),
                (25.0034, 23.260389684614537),
            ],
            [],
        ],
    ]
)


class TestShrunk:
    def test_a_border_never_crosses_itself(self):
        grown = shapely.buffer(NOTCHED, 0.05, quad_segs=2)
        assert not shapely.buffer(grown, -0.05, quad_segs=2).is_valid
        closed = shrunk(grown, 0.05)
        assert closed.is_valid
        # A splinter without any width may be lost.
        assert shapely.difference(NOTCHED, closed).area < 1e-4
        assert 0.017 < closed.area < 0.018

    @pytest.mark.parametrize(("join_style", "away"), [("round", 0.231), ("mitre", 0.25)])
    def test_what_is_left_is_so_far_inside(self, join_style, away):
        inner = shrunk(shapely.box(0, 0, 4, 4).difference(shapely.box(1, 1, 2, 2)), 0.25, join_style=join_style)
        assert inner.bounds == (0.25, 0.25, 3.75, 3.75)
        # Round corners are drawn with few sides.
        assert inner.distance(shapely.box(1, 1, 2, 2)) == pytest.approx(away, abs=1e-4)

    def test_nothing_may_be_left(self):
        assert shrunk(shapely.box(0, 0, 4, 1), 0.6).is_empty
