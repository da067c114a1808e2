"""Coordinates on the grid, and overlays that lose nothing."""

import math

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from shapely import affinity

from simulator.errors import BoardError
from simulator.geometry.snapping import MAX_COORDINATE, difference, intersection, snap, union
from simulator.geometry.tolerances import GRID

COORDINATES = st.floats(-MAX_COORDINATE, MAX_COORDINATE)

# Two turned rectangles side by side. One shared corner differs in the last bit, and a plain union
# on GEOS 3.14 answers with one rectangle instead of two.
LEFT = shapely.Polygon(
    [
        (-295.25030351249666, 4.236074061427525),
        (-295.08711234218333, -2.301948231163383),
        (-314.64218025800653, -2.7900491087570383),
        (-314.80537142831986, 3.7479731838338695),
    ]
)
RIGHT = shapely.Polygon(
    [
        (-275.69523559667346, 4.7241749390211805),
        (-275.53204442636013, -1.8138473535697273),
        (-295.08711234218333, math.nextafter(-2.301948231163383, 0.0)),
        (-295.25030351249666, 4.236074061427525),
    ]
)


class TestSnap:
    def test_rounds_to_the_nearest_millionth(self):
        assert snap(1.23456749) == 1.234567
        assert snap(1.23456751) == 1.234568

    @given(COORDINATES)
    def test_snapping_twice_changes_nothing(self, value):
        assert snap(snap(value)) == snap(value)

    @given(COORDINATES)
    def test_moves_a_number_by_half_the_grid_at_most(self, value):
        assert abs(snap(value) - value) <= GRID / 2 * (1 + 1e-3)

    def test_never_gives_a_negative_zero(self):
        assert math.copysign(1.0, snap(-1e-12)) == 1.0
        assert not np.signbit(snap([-0.0, -1e-9])).any()

    def test_an_array_keeps_its_shape(self):
        assert snap(np.full((3, 2), 0.1 + 0.2)).tolist() == [[0.3, 0.3]] * 3

    @pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, 1.1e6, -1e300])
    def test_refuses_what_is_not_finite_or_too_large(self, bad):
        with pytest.raises(BoardError, match="expected finite numbers"):
            snap(bad)
        with pytest.raises(BoardError, match="expected finite numbers"):
            snap([0.0, bad])


class TestOverlays:
    def test_union_keeps_a_pair_that_a_plain_union_loses(self):
        assert union([LEFT, RIGHT]).area == pytest.approx(LEFT.area + RIGHT.area, abs=1e-4)
        assert union([LEFT, RIGHT]).area == pytest.approx(255.8622, abs=1e-4)

    def test_intersection_and_difference_of_that_pair_are_right_too(self):
        assert intersection(LEFT, RIGHT).area == pytest.approx(0.0, abs=1e-4)
        assert difference(LEFT, RIGHT).area == pytest.approx(LEFT.area, abs=1e-4)

    @pytest.mark.parametrize("far_out", [0.0, 300.0, 10_000.0])
    def test_union_keeps_the_area_of_neighbours_turned_anyhow(self, far_out):
        for turned in np.arange(0.0, 360.0, 1.7):
            pair = [
                affinity.rotate(box, turned, origin=(far_out, -far_out / 3))
                for box in (shapely.box(0, 0, 16, 8), shapely.box(16, 0, 32, 8))
            ]
            together = union(pair)
            assert together.area == pytest.approx(256.0, abs=1e-3), turned
            assert together.geom_type == "Polygon", turned

    def test_union_of_nothing_is_empty(self):
        assert union([]).is_empty


class TestShapesOfSeveralDimensions:
    """GEOS overlays shapes of one dimension only; a reach may be ground and, behind a wall, a line."""

    reach = shapely.GeometryCollection(
        [shapely.box(0, 0, 2, 2), shapely.LineString([(1, 1), (5, 1)]), shapely.Point(9, 9)]
    )

    def test_a_line_on_ground_is_ground(self):
        found = union([self.reach, shapely.box(4, 0, 6, 2)])
        assert (found.area, found.length) == (8.0, 8.0 + 8.0 + 2.0)
        assert found.contains(shapely.Point(9, 9))

    def test_ground_is_taken_from_lines_and_lines_not_from_ground(self):
        assert difference(self.reach, shapely.box(0, 0, 3, 2)).equals(
            shapely.GeometryCollection([shapely.Point(9, 9), shapely.LineString([(3, 1), (5, 1)])])
        )
        assert difference(shapely.box(0, 0, 2, 2), self.reach).is_empty
        assert difference(shapely.box(0, 0, 3, 2), self.reach).area == 2.0
        assert difference(self.reach, self.reach).is_empty

    def test_what_both_cover(self):
        found = intersection(self.reach, shapely.box(0, 0, 3, 2))
        assert (found.area, found.length) == (4.0, 8.0 + 1.0)
        assert intersection(self.reach, shapely.box(20, 20, 21, 21)).is_empty

    def test_nothing(self):
        assert union([]).is_empty
        assert union([shapely.GeometryCollection(), shapely.Polygon()]).is_empty
