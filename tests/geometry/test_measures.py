"""Lengths, gaps and first contacts: closed forms worked out by hand, and laws that hold for all shapes."""

import math
from itertools import pairwise

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import affinity

from simulator.errors import BoardError
from simulator.geometry.contacts import Contact, first_contact, first_contacts_round, swept
from simulator.geometry.footprints import Oval, Placed, PolygonBase, Rectangle, Round
from simulator.geometry.measures import (
    clearance,
    depth,
    distances_to_shape,
    gap,
    in_contact,
    intervals_inside,
    lengths_inside,
    nearest_points,
    overlap,
    points_in_shape,
    round_clear,
)
from simulator.geometry.pieces import CircleShape, LineShape, PointShape, PolygonShape, rectangle
from simulator.geometry.snapping import intersection, snap
from simulator.geometry.tolerances import TOUCH

SOLDIER = Round(0.5)
ARROW = PolygonBase([(2, 0), (-1, 1), (0, 0), (-1, -1)])
HOLED = PolygonShape([(-3, -3), (3, -3), (3, 3), (-3, 3)], [[(-1, -1), (1, -1), (1, 1), (-1, 1)]])
HORSESHOE = PolygonShape([(1, -1), (4, -1), (4, 1), (3, 1), (3, 0), (2, 0), (2, 1), (1, 1)])

# -- things to draw from ----------------------------------------------------------------------------------

lengths = st.floats(0.25, 4)
headings = st.floats(0, 360)
places = st.tuples(st.floats(-6, 6), st.floats(-6, 6))
bases = st.one_of(
    st.builds(Round, st.floats(0.1, 1.5)),
    st.just(Round(0)),
    st.builds(Oval, lengths, lengths),
    st.builds(Rectangle, lengths, lengths),
    st.sampled_from([ARROW, PolygonBase([(-1, -1), (2, 0), (-1, 1)])]),
)


@st.composite
def placed_bases(draw, around=places):
    return draw(bases).at(*draw(around), draw(headings))


@st.composite
def stars(draw):
    """A polygon that is hardly ever convex."""
    x, y = draw(places)
    radii = draw(st.lists(st.floats(0.5, 3), min_size=5, max_size=9))
    turns = np.linspace(0, 2 * math.pi, len(radii), endpoint=False)
    return PolygonShape([(x + r * math.cos(t), y + r * math.sin(t)) for r, t in zip(radii, turns, strict=True)])


@st.composite
def lines(draw, widths):
    return LineShape([draw(places), (10, -7), draw(places)], draw(widths))


things = st.one_of(
    placed_bases(),
    stars(),
    st.just(HOLED),
    st.builds(rectangle, places, st.tuples(lengths, lengths), headings),
    st.builds(lambda place, radius: CircleShape(*place, radius), places, lengths),
    lines(widths=st.sampled_from([0.0, 0.6])),
    st.builds(lambda place: PointShape(*place), places),
)


def on_grid(place):
    """Overlays stumble over coordinates such as 1e-200."""
    return tuple(snap(place).tolist())


law = settings(deadline=None, max_examples=120)


def on(thing, place):
    return distances_to_shape(thing, [place])[0] <= 1e-7


# -- points -----------------------------------------------------------------------------------------------


class TestPointsAndShapes:
    def test_the_border_is_not_inside(self):
        asked = [(0, 0), (2, 0), (3, 0), (1, 1)]
        assert points_in_shape(HOLED, asked).tolist() == [False, True, False, False]
        assert points_in_shape(CircleShape(0, 0, 3), asked).tolist() == [True, True, False, True]
        assert points_in_shape(Oval(6, 2).at(0, 0), [(2.9, 0), (3, 0), (0, 1)]).tolist() == [
            True,
            False,
            False,
        ]

    def test_lines_and_points_have_no_inside(self):
        assert not points_in_shape(LineShape([(0, 0), (2, 0)]), [(1, 0)]).any()
        assert not points_in_shape(PointShape(0, 0), [(0, 0)]).any()

    @pytest.mark.parametrize(
        ("shape", "point", "distance"),
        [
            (CircleShape(0, 0, 2), (3, 4), 3),
            (CircleShape(0, 0, 2), (1, 0), 0),
            (LineShape([(0, 0), (4, 0)]), (7, 4), 5),
            (LineShape([(0, 0), (4, 0)], width=2), (2, 3), 2),
            (HOLED, (0, 0.25), 0.75),
            (HOLED, (2, 2), 0),
            (PointShape(1, 1), (4, 5), 5),
            (Oval(4, 2).at(0, 0), (0, 3), 2),
            (Oval(4, 2).at(0, 0, 90), (0, 3), 1),
            # The ellipse x^2/4 + y^2 = 1 at (8/5, 3/5) has the normal (2/5, 3/5): go 2 of that length out.
            (Oval(4, 2).at(0, 0), (1.6 + 0.8, 0.6 + 1.2), 2 * math.hypot(0.4, 0.6)),
        ],
        ids=str,
    )
    def test_distances(self, shape, point, distance):
        assert distances_to_shape(shape, [point])[0] == pytest.approx(distance, abs=1e-12)

    def test_a_disc_is_clear_of_what_it_only_touches(self):
        shapes = [HOLED, CircleShape(6, 0, 1)]
        assert round_clear([(0, 0), (0, 0.1), (4, 0), (4, 0.1), (2, 0)], 1, shapes).tolist() == [
            True,
            False,
            True,
            True,
            False,
        ]

    def test_a_mere_point_is_clear_on_a_border_but_not_inside(self):
        assert round_clear([(3, 0), (2.9, 0), (0, 0)], 0, [HOLED]).tolist() == [True, False, True]

    @law
    @given(thing=things, radius=st.floats(0, 2), points=st.lists(places, min_size=1, max_size=8))
    def test_round_clear_says_what_clearance_says(self, thing, radius, points):
        expected = [clearance(Round(radius).at(x, y), thing) >= -TOUCH for x, y in points]
        assert round_clear(points, radius, [thing]).tolist() == expected


# -- lengths ----------------------------------------------------------------------------------------------


class TestLengthsInside:
    def test_a_wall_crossed_at_right_angles_counts_its_width(self):
        wall = LineShape([(4, -5), (4, 5)], width=1)
        assert lengths_inside([(0, 0), (10, 0)], [wall]).tolist() == [[1.0]]

    def test_a_slanted_leg_is_longer_inside(self):
        strip = rectangle((5, 0), (1, 100))
        assert lengths_inside([(0, 0), (10, 10)], [strip])[0, 0] == pytest.approx(math.sqrt(2), abs=1e-12)

    def test_each_leg_and_each_shape_has_its_own_length(self):
        path = [(0, 0), (3, 0), (3, 4)]
        shapes = [
            rectangle((3, 0), (2, 2)),
            CircleShape(3, 4, 2),
            PointShape(1, 0),
            LineShape([(1, -1), (1, 1)]),
        ]
        assert lengths_inside(path, shapes).tolist() == [[1, 0, 0, 0], [1, 2, 0, 0]]

    def test_holes_are_left_out(self):
        assert intervals_inside((-10, 0), (10, 0), HOLED).tolist() == [[0.35, 0.45], [0.55, 0.65]]

    def test_several_stretches_of_a_shape_that_is_not_convex(self):
        assert intervals_inside((0, 0.5), (10, 0.5), HORSESHOE).tolist() == [[0.1, 0.2], [0.3, 0.4]]

    @pytest.mark.parametrize("turned", [0, 17, 30, 45, 123.4])
    def test_running_along_an_edge_is_not_inside(self, turned):
        box = rectangle((0, 0), (4, 2), turned)
        (x1, y1), (x2, y2) = box.shell[0], box.shell[1]
        beyond = [(2 * x1 - x2, 2 * y1 - y2), (2 * x2 - x1, 2 * y2 - y1)]
        assert lengths_inside(beyond, [box])[0, 0] == 0.0
        assert len(intervals_inside((x1, y1), (x2, y2), box)) == 0

    def test_running_along_an_inner_edge_and_then_in_counts_from_the_corner(self):
        # Along the foot of the notch, y = 0 from x = 2 to 3, then inside again.
        assert intervals_inside((0, 0), (10, 0), HORSESHOE).tolist() == [[0.1, 0.2], [0.3, 0.4]]

    def test_touching_a_corner_is_not_inside(self):
        assert len(intervals_inside((0, 2), (2, 0), rectangle((0.5, 0.5), (1, 1)))) == 0

    def test_a_corner_touched_from_inside_does_not_cut_the_stretch(self):
        hole_tip = PolygonShape([(0, -2), (4, -2), (4, 2), (0, 2)], [[(2, 0), (1, 1), (3, 1)]])
        assert intervals_inside((0, 0), (4, 0), hole_tip).tolist() == [[0.0, 1.0]]

    def test_in_through_a_corner_and_out_through_one(self):
        assert intervals_inside((-1, -1), (2, 2), rectangle((0.5, 0.5), (1, 1))) == pytest.approx(
            np.array([[1 / 3, 2 / 3]])
        )

    def test_starting_and_ending_inside(self):
        assert intervals_inside((-0.5, 0), (0.5, 0), CircleShape(0, 0, 2)).tolist() == [[0, 1]]
        assert intervals_inside((2, 0), (2, 1), HOLED).tolist() == [[0, 1]]

    def test_a_leg_of_no_length_is_inside_or_not(self):
        assert intervals_inside((2, 0), (2, 0), HOLED).tolist() == [[0, 1]]
        assert len(intervals_inside((0, 0), (0, 0), HOLED)) == 0
        assert lengths_inside([(2, 0), (2, 0)], [HOLED, CircleShape(2, 0, 1)]).tolist() == [[0, 0]]

    def test_no_legs_and_no_shapes(self):
        assert lengths_inside([(0, 0)], [HOLED]).shape == (0, 1)
        assert lengths_inside([(0, 0), (1, 0)], []).shape == (1, 0)

    @law
    @given(
        turned=headings,
        cuts=st.sets(st.integers(1, 99), min_size=1, max_size=4),
        path=st.lists(places, min_size=2, max_size=4),
    )
    def test_pieces_that_partition_the_ground_add_up_to_the_whole(self, turned, cuts, path):
        # A big turned square in slices, like a cake: from a hub to shares of the way round its rim.
        rim = affinity.rotate(shapely.box(-20, -20, 20, 20), turned).exterior
        shares = sorted({0, 25, 50, 75, *cuts})
        around = [rim.interpolate(share / 100, normalized=True).coords[0] for share in [*shares, 0]]
        hub = (0.123456, -0.654321)
        slices = [PolygonShape([hub, *two]) for two in pairwise(around)]
        whole = sum(math.dist(a, b) for a, b in pairwise(path))
        inside = lengths_inside(path, slices).sum()
        assert inside <= whole + 1e-9
        # What runs along a cut is in neither slice.
        legs = shapely.LineString(path)
        lost = sum(legs.intersection(shapely.LineString([hub, end]).buffer(1e-8)).length for end in around)
        assert inside >= whole - 1e-9 - (lost if lost > 1e-5 else 0.0)

    @law
    @given(thing=things, start=places.map(on_grid), end=places.map(on_grid))
    def test_agree_with_an_overlay_and_with_the_way_back(self, thing, start, end):
        leg = shapely.LineString([start, end])
        # Curves are drawn with corners, and the overlay works on a grid.
        allowed = 2e-2 if isinstance(thing, Placed | CircleShape) else 1e-4
        # An overlay takes what runs along the border for inside.
        allowed += intersection(leg, thing.polygon.boundary.buffer(1e-5)).length
        overlay = intersection(leg, thing.polygon).length if thing.polygon.area else 0.0
        there = lengths_inside([start, end], [thing])[0, 0]
        assert there == pytest.approx(overlay, abs=allowed)
        assert lengths_inside([end, start], [thing])[0, 0] == pytest.approx(there, abs=1e-9)
        stretches = intervals_inside(start, end, thing)
        assert (stretches[:, 1] - stretches[:, 0]).sum() * math.dist(start, end) == pytest.approx(there, abs=1e-9)
        assert np.all(np.diff(stretches.ravel()) > 0)


# -- two things that stand --------------------------------------------------------------------------------


class TestGapAndOverlap:
    @pytest.mark.parametrize(
        ("a", "b", "expected"),
        [
            (SOLDIER.at(0, 0), SOLDIER.at(3, 4), 4),
            (SOLDIER.at(0, 0), SOLDIER.at(0.6, 0), -0.4),
            (SOLDIER.at(0, 0), Rectangle(2, 2).at(3, 0), 1.5),
            (SOLDIER.at(1.5, 0), LineShape([(3, -9), (3, 9)]), 1.0),  # SK-E14
            (SOLDIER.at(0, 0), HOLED, 0.5),
            (SOLDIER.at(2, 0), HOLED, -1.5),
            (Rectangle(2, 2).at(0, 0), Rectangle(2, 2).at(1.75, 0.5), -0.25),
            (Rectangle(2, 2).at(0, 0), Rectangle(2, 2).at(5, 5), math.hypot(3, 3)),
            (Rectangle(2, 2).at(0, 0), PointShape(0.75, 0), -0.25),
            (Oval(4, 2).at(0, 0), Oval(4, 2).at(7, 0), 3),
            (Oval(4, 2).at(0, 0), Oval(4, 2).at(7, 0, 90), 4),
            (Oval(4, 2).at(0, 0), Oval(4, 2).at(3.5, 0), -0.5),
            (Oval(4, 2).at(0, 0), SOLDIER.at(0, 3), 1.5),
            (Oval(4, 2).at(0, 0), Rectangle(2, 2).at(5, 0), 2),
            (Oval(4, 2).at(0, 0), rectangle((0, 1.75), (9, 2)), -0.25),
            (Oval(4, 2).at(0, 0), LineShape([(3, -5), (3, 5)]), 1),
            (Round(0).at(0, 0), Round(0).at(3, 4), 5),
            (Round(0).at(2, 0.5), HOLED, -1),
        ],
        ids=str,
    )
    def test_closed_forms(self, a, b, expected):
        assert clearance(a, b) == pytest.approx(expected, abs=1e-12)
        assert clearance(b, a) == pytest.approx(expected, abs=1e-12)
        assert gap(a, b) == pytest.approx(max(expected, 0), abs=1e-12)
        assert depth(a, b) == pytest.approx(max(-expected, 0), abs=1e-12)
        assert overlap(a, b) == (expected < 0)

    @law
    @given(a=placed_bases(), b=things)
    def test_are_symmetric_and_the_gap_is_that_of_the_drawing(self, a, b):
        assert clearance(a, b) == pytest.approx(clearance(b, a), abs=1e-9)
        assert gap(a, b) == pytest.approx(a.polygon.distance(b.polygon), abs=2e-3)

    @law
    @given(a=placed_bases(), b=things)
    def test_nearest_points_lie_on_both_and_are_the_gap_apart(self, a, b):
        on_a, on_b = nearest_points(a, b)
        assert math.dist(on_a, on_b) == pytest.approx(gap(a, b), abs=1e-9)
        assert distances_to_shape(a, [on_a])[0] <= 1e-9
        assert distances_to_shape(b, [on_b])[0] <= 1e-9

    @law
    @given(a=bases, b=bases, place=places, shift=places, turned=headings, heads=st.tuples(headings, headings))
    def test_do_not_change_when_everything_is_turned_and_shifted(self, a, b, place, shift, turned, heads):
        cos, sin = math.cos(math.radians(turned)), math.sin(math.radians(turned))
        x, y = place[0] * cos - place[1] * sin, place[0] * sin + place[1] * cos
        before = clearance(a.at(0, 0, heads[0]), b.at(*place, heads[1]))
        after = clearance(a.at(*shift, heads[0] + turned), b.at(x + shift[0], y + shift[1], heads[1] + turned))
        assert after == pytest.approx(before, abs=1e-9)

    def test_contact_bears_the_stated_tolerance_either_way(self):
        """ME-44: a gap of at most 0.01 inch, without overlap beyond 0.01 inch."""
        for distance, touching in ((1.0, True), (1.01, True), (1.011, False), (0.99, True), (0.989, False)):
            assert in_contact(SOLDIER.at(0, 0), SOLDIER.at(distance, 0), tolerance=0.01) is touching

    def test_touching_is_contact_but_no_overlap(self):
        for a, b in (
            (SOLDIER.at(0, 0), SOLDIER.at(1, 0)),
            (SOLDIER.at(0, 0), SOLDIER.at(0.6, 0.8)),
            (Rectangle(2, 1).at(0, 0), Rectangle(2, 1).at(2, 0.3)),
            (Oval(4, 2).at(0, 0, 90), Rectangle(2, 2).at(2, 0)),
        ):
            assert in_contact(a, b)
            assert not overlap(a, b)

    def test_two_at_the_same_spot(self):
        for base in (SOLDIER, Oval(4, 2), Rectangle(2, 1)):
            (on_a, on_b) = nearest_points(base.at(1, 1), base.at(1, 1))
            assert on_a == on_b
            assert overlap(base.at(1, 1), base.at(1, 1))


# -- one thing that moves ---------------------------------------------------------------------------------


def stops_at(moving, delta, standing):
    """Where the reference point of a mover stops, or None."""
    contact = first_contact(moving, delta, standing, brushes=False)
    return contact and (moving.x + contact.fraction * delta[0], moving.y + contact.fraction * delta[1])


class TestFirstContact:
    def test_an_enemy_base_straight_ahead(self):
        """SK-E11: enemy base at (3, 0), straight ahead the centre gets to (2, 0)."""
        assert stops_at(SOLDIER.at(0, 0), (6, 0), SOLDIER.at(3, 0)) == pytest.approx((2, 0))

    def test_the_tangents_past_an_enemy_base_are_free(self):
        """SK-E11: tangents of length sqrt(8) to the circle of radius 1 around (3, 0)."""
        enemy, tangent = SOLDIER.at(3, 0), math.sqrt(8)
        along = (tangent * tangent / 3, tangent / 3)
        assert stops_at(SOLDIER.at(0, 0), along, enemy) is None
        assert first_contact(SOLDIER.at(0, 0), (2 * along[0], 2 * along[1]), enemy) == (
            pytest.approx(0.5),
            pytest.approx(((along[0] + 3) / 2, along[1] / 2)),
            False,
        )
        steeper = (along[0], along[1] - 1e-4)
        assert stops_at(SOLDIER.at(0, 0), steeper, enemy) is not None

    def test_directions_cut_by_an_enemy(self):
        """SK-E18: enemy at (5, 0): straight ahead stops at (4, 0); cut within asin(1/5) of the axis."""
        enemy, limit = SOLDIER.at(5, 0), math.asin(1 / 5)
        assert stops_at(SOLDIER.at(0, 0), (9, 0), enemy) == pytest.approx((4, 0))
        for angle, cut in ((limit - 1e-6, True), (limit + 1e-6, False), (-limit + 1e-6, True)):
            delta = (9 * math.cos(angle), 9 * math.sin(angle))
            assert (stops_at(SOLDIER.at(0, 0), delta, enemy) is not None) is cut

    def test_a_wall_and_its_ends(self):
        """SK-E12: wall from (2, -1) to (2, 1); the tangent to its upper end is sqrt(5 - 0.25) long."""
        wall = LineShape([(2, -1), (2, 1)])
        assert stops_at(SOLDIER.at(0, 0), (4, 0), wall) == pytest.approx((1.5, 0))
        length = math.sqrt(4.75)
        angle = math.atan2(1, 2) + math.asin(0.5 / math.sqrt(5))
        for turn, free in ((1e-7, True), (0.0, True), (-1e-5, False)):
            delta = (length * math.cos(angle + turn), length * math.sin(angle + turn))
            assert (stops_at(SOLDIER.at(0, 0), delta, wall) is None) is free

    def test_an_opening_too_narrow_and_one_that_fits_exactly(self):
        """SK-E16: opening 0.8 wide: s = 0.3 before the wall; an opening of exactly 1.0 is walked through."""
        narrow = [LineShape([(3, -9), (3, -0.4)]), LineShape([(3, 0.4), (3, 9)])]
        for wall in narrow:
            assert stops_at(SOLDIER.at(1.7, 0), (4, 0), wall) == pytest.approx((2.7, 0))
        for wall in (LineShape([(3, -9), (3, -0.5)]), LineShape([(3, 0.5), (3, 9)])):
            assert stops_at(SOLDIER.at(1.7, 0), (4, 0), wall) is None
            (end,) = (place for place in wall.points if abs(place[1]) == 0.5)
            brush = first_contact(SOLDIER.at(1.7, 0), (4, 0), wall)
            assert brush == (pytest.approx(0.325), pytest.approx(end), False)

    @pytest.mark.parametrize(
        ("moving", "delta", "standing", "fraction", "place"),
        [
            (Rectangle(2, 1).at(0, 0), (10, 0), Rectangle(2, 1).at(6, 0.5), 0.4, None),
            (Rectangle(2, 2).at(0, 0), (10, 0), PointShape(6, 0.25), 0.5, (6, 0.25)),
            (Rectangle(2, 2).at(0, 0), (10, 0), CircleShape(6, 0, 1), 0.4, (5, 0)),
            (Rectangle(2, 2).at(0, 0), (10, 0), LineShape([(6, 0), (8, 3)]), 0.5, (6, 0)),
            (Rectangle(2, 2).at(0, 0), (10, 0), rectangle((6, 0), (2, 2), 45), (5 - 1.414214) / 10, None),
            (Oval(4, 2).at(0, 0), (10, 0), Rectangle(2, 2).at(6, 0), 0.3, (5, 0)),
            (Oval(4, 2).at(0, 0, 90), (10, 0), Oval(4, 2).at(6, 0), 0.3, (4, 0)),
            (Oval(4, 2).at(0, 0), (10, 0), SOLDIER.at(6, 0), 0.35, (5.5, 0)),
            # An ellipse passing a point 0.6 beside its axis: x/2 = sqrt(1 - 0.36) = 0.8 there.
            (Oval(4, 2).at(0, 0), (10, 0), PointShape(6, 0.6), 0.44, (6, 0.6)),
            (SOLDIER.at(0, 0), (10, 0), PointShape(6, 0.4), 0.57, (6, 0.4)),
            (SOLDIER.at(0, 0), (-10, 0), HOLED, 0.05, (-1, 0)),
            (SOLDIER.at(0, 0), (10, 0), LineShape([(6, -5), (6, 5)], width=1), 0.5, (5.5, 0)),
            (Round(0).at(0, 0), (10, 0), HOLED, 0.1, (1, 0)),
            (Round(0).at(0, 0), (10, 0), LineShape([(4, -1), (4, 1)]), 0.4, (4, 0)),
            (Round(0).at(0, 0), (10, 0), CircleShape(5, 0, 1), 0.4, (4, 0)),
            (ARROW.at(0, 0), (10, 0), LineShape([(6, -5), (6, 5)]), 0.4, (6, 0)),
            # Into the notch between two flanks at 45 degrees.
            (ARROW.at(0, 0), (-10, 0), SOLDIER.at(-5, 0), (5 - math.sqrt(0.5)) / 10, None),
        ],
        ids=str,
    )
    def test_closed_forms(self, moving, delta, standing, fraction, place):
        contact = first_contact(moving, delta, standing)
        assert contact.blocks
        assert contact.fraction == pytest.approx(fraction, abs=1e-12)
        if place is not None:
            assert contact.place == pytest.approx(place, abs=1e-7)

    @pytest.mark.parametrize(
        ("moving", "delta", "standing"),
        [
            (SOLDIER.at(0, 0), (3, 0), SOLDIER.at(5, 0)),
            (SOLDIER.at(0, 0), (-9, 0), SOLDIER.at(5, 0)),
            (SOLDIER.at(0, 0), (9, 0), SOLDIER.at(5, 1.001)),
            (Rectangle(2, 2).at(0, 0), (9, 0), rectangle((5, 2.001), (2, 2))),
            (Oval(4, 2).at(0, 0), (9, 0), Oval(4, 2).at(6, 2.001)),
            (Round(0).at(0, 0), (9, 0), LineShape([(4, 0.001), (4, 2)])),
            (SOLDIER.at(0, 0), (0.4, 0), HOLED),
        ],
        ids=str,
    )
    def test_none_where_nothing_is_met(self, moving, delta, standing):
        assert first_contact(moving, delta, standing) is None

    def test_a_base_that_starts_overlapping_is_in_contact_at_once(self):
        for moving, standing in (
            (SOLDIER.at(0, 0), SOLDIER.at(0.5, 0)),
            (SOLDIER.at(2, 0), HOLED),
            (Round(0.01).at(2, 0), HOLED),
            (Rectangle(0.2, 0.1).at(2, 0), HOLED),
            (Oval(0.2, 0.1).at(2, 0), HOLED),
            (Round(0).at(2, 0), HOLED),
            (Rectangle(9, 9).at(0, 0), Round(0.1).at(0, 0)),
            (Rectangle(9, 9).at(0, 0), PointShape(0, 0)),
            (Oval(9, 8).at(0, 0), Oval(2, 1).at(0, 0)),
        ):
            for delta in ((1, 0), (-8, 3), (0, 0)):
                contact = first_contact(moving, delta, standing)
                assert (contact.fraction, contact.blocks) == (0.0, True)
                assert on(moving, contact.place)
                assert on(standing, contact.place)


# One mover of each kind on top of a long block whose upper edge, y = 0, has a needless corner at x = 4.
BLOCK = PolygonShape([(0, -3), (10, -3), (10, 0), (4, 0), (0, 0)])
ON_THE_BLOCK = [
    SOLDIER.at(1, 0.5),
    Rectangle(1, 1).at(1, 0.5),
    Oval(2, 1).at(1, 0.5),
    Round(0).at(1, 0),
    PolygonBase([(-1, 0), (1, 0), (0, 1)]).at(1, 0),
]


@pytest.mark.parametrize("moving", ON_THE_BLOCK, ids=lambda moving: type(moving.base).__name__)
@pytest.mark.parametrize("turned", [0, 90, 30, 217.3])
class TestStartingInTouch:
    """Whoever starts in touch has no first contact unless it presses in."""

    @staticmethod
    def contact(moving, delta, turned, shift=(0, 0), **options):
        cos, sin = math.cos(math.radians(turned)), math.sin(math.radians(turned))
        x, y = moving.x + shift[0], moving.y + shift[1]
        block = PolygonShape([(px * cos - py * sin, px * sin + py * cos) for px, py in BLOCK.shell])
        placed = moving.base.at(x * cos - y * sin, x * sin + y * cos, turned)
        step = (delta[0] * cos - delta[1] * sin, delta[0] * sin + delta[1] * cos)
        return first_contact(placed, step, block, tolerance=2e-6, **options)  # corners are on the grid

    @pytest.mark.parametrize("delta", [(0, 2), (5, 3), (-5, 0.1), (0, 0)])
    def test_moving_away_is_no_contact(self, moving, turned, delta):
        assert self.contact(moving, delta, turned) is None

    @pytest.mark.parametrize("delta", [(5, 0), (20, 0), (-20, 0)])
    def test_sliding_along_is_no_contact(self, moving, turned, delta):
        assert self.contact(moving, delta, turned) is None

    @pytest.mark.parametrize("delta", [(0, -1), (5, -1), (-0.5, -0.01)])
    def test_pressing_in_is(self, moving, turned, delta):
        contact = self.contact(moving, delta, turned)
        assert contact.blocks
        assert contact.fraction == pytest.approx(0.0, abs=1e-3)

    def test_coming_along_from_afar_is_a_brush(self, moving, turned):
        contact = self.contact(moving, (10, 0), turned, shift=(-6, 0))
        assert not contact.blocks
        assert self.contact(moving, (10, 0), turned, shift=(-6, 0), brushes=False) is None

    def test_ending_just_in_touch_is_a_brush(self, moving, turned):
        contact = self.contact(moving, (0, -1), turned, shift=(0, 1))
        assert contact.fraction == pytest.approx(1.0, abs=1e-5)
        assert not contact.blocks


@pytest.mark.parametrize("moving", ON_THE_BLOCK, ids=lambda moving: type(moving.base).__name__)
def test_gaps_and_overlaps_up_to_a_tolerance_of_ones_own_are_none(moving):
    for beside in (0.004, -0.004):
        scene = moving.moved(-6, beside), (6, 0), BLOCK
        assert not first_contact(*scene, tolerance=0.01).blocks
        assert first_contact(*scene, tolerance=0.01, brushes=False) is None
        plain = first_contact(*scene)
        assert plain is None if beside > 0 else plain.blocks


class TestCorners:
    """Obstacles that meet in a corner leave no gap between them."""

    PAIR = (rectangle((0.5, 0.5), (1, 1)), rectangle((1.5, 1.5), (1, 1)))

    @pytest.mark.parametrize("moving", [Round(1e-3), SOLDIER, Rectangle(0.2, 0.1), Oval(0.4, 0.2)], ids=repr)
    @pytest.mark.parametrize(("start", "delta"), [((0, 2), (2, -2)), ((2, 0), (-2, 2)), ((0.5, 1.5), (1, -1))])
    def test_nothing_with_a_size_slips_through(self, moving, start, delta):
        for square in self.PAIR:
            assert first_contact(moving.at(*start, 45), delta, square, brushes=False) is not None

    @pytest.mark.parametrize(("start", "delta"), [((0, 2), (2, -2)), ((2, 0), (-2, 2)), ((0.5, 1.5), (1, -1))])
    def test_a_point_moved_through_the_corner_touches_both(self, start, delta):
        for square in self.PAIR:
            contact = first_contact(Round(0).at(*start), delta, square)
            assert contact.fraction == pytest.approx(0.5)
            assert contact.place == pytest.approx((1, 1))

    def test_a_point_is_stopped_where_two_bare_walls_meet(self):
        for wall in (LineShape([(1, -5), (1, 0)]), LineShape([(1, 0), (1, 5)])):
            assert stops_at(Round(0).at(0, 0), (2, 0), wall) == pytest.approx((1, 0))

    def test_a_point_may_run_along_a_wall_and_round_its_end(self):
        wall = LineShape([(0, 0), (4, 0)])
        assert first_contact(Round(0).at(0, 0), (4, 0), wall) is None
        assert first_contact(Round(0).at(-2, 0), (8, 0), wall) == Contact(0.25, (0, 0), False)
        assert stops_at(Round(0).at(-2, 0), (8, 0), wall) is None


class TestLawsOfContact:
    @settings(deadline=None, max_examples=250)
    @given(moving=placed_bases(), delta=places, standing=things)
    def test_sampling_finds_no_overlap_before_it_and_the_gap_is_closed_there(self, moving, delta, standing):
        contact = first_contact(moving, delta, standing)
        blocked = first_contact(moving, delta, standing, brushes=False)
        shares = np.linspace(0, 1, 25)
        clear = np.array([clearance(moving.moved(t * delta[0], t * delta[1]), standing) for t in shares])
        stop = contact.fraction if contact else 1.0
        assert np.all(clear[shares < stop - 1e-9] >= -2 * TOUCH)
        if blocked is None:
            assert clear.min() >= -2 * TOUCH
        else:
            assert contact.fraction <= blocked.fraction
        if contact:
            there = moving.moved(stop * delta[0], stop * delta[1])
            assert stop == 0.0 or gap(there, standing) <= 2 * TOUCH
            assert on(there, contact.place)
            assert on(standing, contact.place)

    @law
    @given(moving=bases, delta=places, standing=bases, place=places, heads=st.tuples(headings, headings))
    def test_it_does_not_matter_which_of_the_two_moves(self, moving, delta, standing, place, heads):
        one = moving.at(0, 0, heads[0]), standing.at(*place, heads[1])
        there = first_contact(one[0], delta, one[1])
        back = first_contact(one[1], (-delta[0], -delta[1]), one[0])
        assert (there is None) == (back is None)
        if there:
            assert there.fraction == pytest.approx(back.fraction, abs=1e-6)
            assert there.blocks == back.blocks

    @law
    @given(length=lengths, width=lengths, delta=places, place=places, heads=st.tuples(headings, headings))
    def test_a_mirrored_scene_has_a_mirrored_contact(self, length, width, delta, place, heads):
        for kind in (Oval, Rectangle):
            base = kind(length, width)
            plain = first_contact(base.at(0, 0, heads[0]), delta, base.at(*place, heads[1]))
            mirrored = first_contact(
                base.at(0, 0, -heads[0]), (delta[0], -delta[1]), base.at(place[0], -place[1], -heads[1])
            )
            assert (plain is None) == (mirrored is None)
            if plain:
                assert plain.fraction == pytest.approx(mirrored.fraction, abs=1e-6)  # a scrape is soft

    @law
    @given(moving=bases, delta=places, standing=bases, place=places, turned=headings)
    def test_a_turned_scene_has_the_same_fraction(self, moving, delta, standing, place, turned):
        cos, sin = math.cos(math.radians(turned)), math.sin(math.radians(turned))

        def turn(point):
            return (point[0] * cos - point[1] * sin, point[0] * sin + point[1] * cos)

        plain = first_contact(moving.at(0, 0), delta, standing.at(*place), brushes=False)
        other = first_contact(
            moving.at(0, 0, turned),
            turn(delta),
            standing.at(*turn(place), turned),
            brushes=False,
            tolerance=1e-8,
        )
        if plain and other:
            assert plain.fraction == pytest.approx(other.fraction, abs=1e-6)
        else:  # only a scrape may be seen differently
            found = plain or other
            assert found is None or scrapes(moving.at(0, 0), delta, standing.at(*place))


def scrapes(moving, delta, standing):
    """Whether the deepest overlap on the way is a mere scrape."""
    shares = np.linspace(0, 1, 200)
    return min(clearance(moving.moved(t * delta[0], t * delta[1]), standing) for t in shares) > -1e-2


class TestManyAtOnce:
    @pytest.mark.parametrize("radius", [0.0, 0.5, 2.0])
    @pytest.mark.parametrize("brushes", [False, True])
    def test_agrees_with_one_at_a_time(self, radius, brushes):
        rng = np.random.default_rng(5)
        starts, deltas = rng.uniform(0, 20, (60, 2)), rng.uniform(-9, 9, (60, 2))
        deltas[:3] = 0
        ends = rng.uniform(0, 20, (25, 2))
        segments = np.hstack([ends, ends + rng.uniform(-4, 4, (25, 2))])
        discs = np.column_stack([rng.uniform(0, 20, (10, 2)), rng.uniform(0.2, 2, 10)])
        fractions, which = first_contacts_round(starts, deltas, radius, segments, discs, brushes=brushes)
        shapes = [LineShape([row[:2], row[2:]]) for row in segments] + [CircleShape(*row) for row in discs]
        for k, (start, delta) in enumerate(zip(starts, deltas, strict=True)):
            met = [first_contact(Round(radius).at(*start), delta, shape, brushes=brushes) for shape in shapes]
            singly = [contact.fraction if contact else math.inf for contact in met]
            assert fractions[k] == pytest.approx(min(singly), abs=1e-6)  # the shapes are on the grid
            assert which[k] == (np.argmin(singly) if math.isfinite(min(singly)) else -1)

    def test_many_legs_are_worked_on_in_parts(self):
        starts = np.column_stack([np.zeros(30_000), np.linspace(-30, 30, 30_000)])
        deltas = np.tile((10.0, 0.0), (30_000, 1))
        walls = [(4, y, 4, y + 1) for y in range(-10, 10)]
        fractions, which = first_contacts_round(starts, deltas, 0.5, walls)
        straight = np.abs(starts[:, 1]) < 10
        assert np.allclose(fractions[straight], 0.35)
        assert np.all(np.isinf(fractions[np.abs(starts[:, 1]) > 10.5]))
        assert np.array_equal(which >= 0, np.isfinite(fractions))

    def test_starting_in_touch_and_exact_fits(self):
        walls = [(3, -9, 3, -0.5), (3, 0.5, 3, 9)]
        starts = [(0, 0), (2.5, 2), (2.5, 2), (2.5, 2)]
        deltas = [(9, 0), (-1, 0), (0, 5), (1, 0)]
        fractions, which = first_contacts_round(starts, deltas, 0.5, walls)
        assert fractions.tolist() == [math.inf, math.inf, math.inf, 0.0]
        assert which.tolist() == [-1, -1, -1, 1]

    def test_nothing_to_meet_and_nobody_to_move(self):
        assert first_contacts_round([(0, 0)], [(1, 0)], 0.5)[1].tolist() == [-1]
        assert len(first_contacts_round([], [], 0.5, [(0, 0, 1, 1)])[0]) == 0


class TestSwept:
    def test_a_rectangle_round_a_corner(self):
        assert swept(Rectangle(2, 2).at(0, 0), [(0, 0), (4, 0), (4, 3)]).area == pytest.approx(18)

    def test_a_disc_leaves_a_capsule(self):
        assert swept(SOLDIER.at(0, 0), [(0, 0), (4, 0)]).area == pytest.approx(4 + math.pi / 4, abs=1e-3)

    def test_starts_where_the_path_starts_and_may_stand_still(self):
        assert swept(Rectangle(2, 2).at(9, 9), [(0, 0), (4, 0)]).bounds == (-1, -1, 5, 1)
        assert swept(Rectangle(2, 2).at(9, 9), [(9, 9)]).bounds == (8, 8, 10, 10)

    def test_a_base_that_is_not_convex_keeps_its_notch(self):
        assert not swept(ARROW.at(0, 0), [(0, 0), (5, 0)]).contains(shapely.Point(-0.5, 0))


class TestHostileNumbers:
    @pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, 1e300])
    def test_are_refused_everywhere(self, bad):
        for ask in (
            lambda: first_contact(SOLDIER.at(0, 0), (bad, 0), HOLED),
            lambda: first_contacts_round([(0, bad)], [(1, 0)], 0.5),
            lambda: first_contacts_round([(0, 0)], [(1, 0)], 0.5, [(0, 0, bad, 1)]),
            lambda: first_contacts_round([(0, 0)], [(1, 0)], 0.5, discs=[(0, bad, 1)]),
            lambda: first_contacts_round([(0, 0)], [(1, 0)], bad),
            lambda: lengths_inside([(0, 0), (bad, 1)], [HOLED]),
            lambda: intervals_inside((0, 0), (1, bad), HOLED),
            lambda: points_in_shape(HOLED, [(bad, 0)]),
            lambda: round_clear([(0, 0)], bad, [HOLED]),
        ):
            with pytest.raises(BoardError, match="wants"):
                ask()

    def test_so_are_arrays_of_the_wrong_shape(self):
        with pytest.raises(BoardError, match=r"rows \(x, y\)"):
            points_in_shape(HOLED, [(1, 2, 3)])
        with pytest.raises(BoardError, match="one delta for each start"):
            first_contacts_round([(0, 0)], [(1, 0), (2, 0)], 0.5)
        with pytest.raises(BoardError, match="radii of 0 or more"):
            first_contacts_round([(0, 0)], [(1, 0)], 0.5, discs=[(0, 0, -1)])

    @pytest.mark.parametrize("delta", [(1e-300, 0), (5e-324, -5e-324), (1e6, 1e6), (1e-9, 1e6)])
    @pytest.mark.parametrize("base", [SOLDIER, Round(0), Oval(2, 1), Rectangle(2, 1), ARROW], ids=repr)
    def test_tiny_and_huge_steps_are_taken(self, base, delta):
        for standing in (
            HOLED,
            CircleShape(50, 50, 10),
            LineShape([(40, 60), (60, 40)]),
            Oval(9, 8).at(50, 50),
        ):
            contact = first_contact(base.at(-20, -20), delta, standing)
            assert contact is None or 0.0 <= contact.fraction <= 1.0
