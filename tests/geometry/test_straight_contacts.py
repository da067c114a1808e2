"""Straight shifts of every kind of base against every kind of thing, judged: closed forms worked out by hand."""

import math

import pytest

from simulator.geometry.footprints import Oval, PolygonBase, Rectangle, Round
from simulator.geometry.path_judge import Standing, first_contacts
from simulator.geometry.paths import Paths, Straight
from simulator.geometry.pieces import CircleShape, LineShape, PointShape, PolygonShape, rectangle

SOLDIER = Round(0.5)
ARROW = PolygonBase([(2, 0), (-1, 1), (0, 0), (-1, -1)])
HOLED = PolygonShape([(-3, -3), (3, -3), (3, 3), (-3, 3)], [[(-1, -1), (1, -1), (1, 1), (-1, 1)]])


def met(moving, delta, standing):
    """The share of a shift after which a base overlaps, and where the two touch; None where it never does."""
    piece = Straight((moving.x, moving.y), (moving.x + delta[0], moving.y + delta[1]), moving.heading)
    found = first_contacts(Paths.of_pieces([[piece]]), moving.base, Standing.of([standing]))
    return None if found.which[0] < 0 else (float(found.share[0]), tuple(found.place[0].tolist()))


def stops_at(moving, delta, standing):
    """Where the middle of a base stops, None where it does not."""
    found = met(moving, delta, standing)
    return found and (moving.x + found[0] * delta[0], moving.y + found[0] * delta[1])


class TestShifts:
    def test_an_enemy_base_straight_ahead(self):
        """SK-E11: enemy base at (3, 0), straight ahead the centre gets to (2, 0)."""
        assert stops_at(SOLDIER.at(0, 0), (6, 0), SOLDIER.at(3, 0)) == pytest.approx((2, 0))

    def test_the_tangents_past_an_enemy_base_are_free(self):
        """SK-E11: tangents of length sqrt(8) to the circle of radius 1 around (3, 0)."""
        enemy, tangent = SOLDIER.at(3, 0), math.sqrt(8)
        along = (tangent * tangent / 3, tangent / 3)
        assert stops_at(SOLDIER.at(0, 0), along, enemy) is None
        assert stops_at(SOLDIER.at(0, 0), (2 * along[0], 2 * along[1]), enemy) is None
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
        share, touched = met(moving, delta, standing)
        assert share == pytest.approx(fraction, abs=2e-7)
        if place is not None:
            assert touched == pytest.approx(place, abs=1e-5)

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
        assert met(moving, delta, standing) is None
