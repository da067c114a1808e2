"""The nearest points of standing things and the gaps between them: closed forms worked out by hand, and laws."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from measured import clearance, distances_to_shape, gap

from simulator.geometry.footprints import Oval, PolygonBase, Rectangle, Round
from simulator.geometry.nearest import nearest_points
from simulator.geometry.pieces import CircleShape, LineShape, PointShape, PolygonShape, rectangle

SOLDIER = Round(0.5)
ARROW = PolygonBase([(2, 0), (-1, 1), (0, 0), (-1, -1)])
HOLED = PolygonShape([(-3, -3), (3, -3), (3, 3), (-3, 3)], [[(-1, -1), (1, -1), (1, 1), (-1, 1)]])

# -- things to draw from ---

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

law = settings(deadline=None, max_examples=120)


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
def test_distances(shape, point, distance):
    assert distances_to_shape(shape, [point])[0] == pytest.approx(distance, abs=1e-12)


# --- two things that stand ---


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

    def test_two_at_the_same_spot(self):
        for base in (SOLDIER, Oval(4, 2), Rectangle(2, 1)):
            (on_a, on_b) = nearest_points(base.at(1, 1), base.at(1, 1))
            assert on_a == on_b
            assert clearance(base.at(1, 1), base.at(1, 1)) < 0
