"""A move of combined_arms under way, element by element: what is made, what can still be paid, where it may rest."""

from fractions import Fraction

import pytest
from arms_games import arms_game, piece

from simulator.engine.orders import Element
from simulator.geometry.pieces import LineShape, Piece, rectangle
from simulator.rulesets.combined_arms.bands import Moved
from simulator.rulesets.combined_arms.movement import compiled
from simulator.rulesets.combined_arms.under_way import MoveUnderWay

DISTANCE = {"speed_band_basis": "distance_moved"}
SLANTING = {"vertical_geometry": "euclid"}
ROAD = Piece("road", "road", LineShape([(-48, 0), (48, 0)], 3.0))


def element(name, amount=1):
    return Element(name, {"angle" if name.startswith("turn") else "inches": amount})


def begun(unit, *others, terrain=(), **options):
    table = arms_game(unit, *others, terrain=terrain, options=options).table
    space = compiled(table, unit)
    return MoveUnderWay(table, unit.id, (), space, space.space.starts[0], unit, Moved.of(unit))


def make(move, one, amount):
    """Make an element, or a part of it, and put the piece there, as the played move does."""
    found = move.go(one, Fraction(amount))
    start, unit = move.start, move.space.unit_after(move.table.unit(move.name), found)
    spent = {"spent_translation": start.travelled, "spent_rotation": start.paid - start.travelled}
    move.table.state = move.table.state.with_unit(unit.put(**spent, inches_covered=start.covered))


def made(move, *elements):
    for name, amount in elements:
        make(move, element(name, amount), amount)
    return move.start


@pytest.mark.parametrize(
    ("one", "whole"),
    [
        (element("forward", 5), 5),
        (element("turn_left", 45), 45),
        (element("climb", 2), 2),
        (Element("take", {"way": "x"}), 1),
    ],
)
def test_all_of_an_element(one, whole):
    assert MoveUnderWay.whole(one) == whole


class TestMaking:
    def test_one_after_the_other(self):
        """CA-3, CA-28: 4 forward, 2 in reverse for 4, a rotation for 12."""
        start = made(begun(piece("A", "grav")), ("forward", 4), ("reverse", 2), ("turn_left", 90))
        assert (start.place, start.heading) == ((2, 0), 90)
        assert (start.paid, start.travelled, start.covered) == (20, 8, 6)

    def test_there_is_no_gap_between_groups_of_rotations(self):
        """CA-46: 90 degrees and 45 half an inch on cost as much as 135."""
        start = made(begun(piece("A", "grav")), ("turn_left", 90), ("forward", Fraction(1, 2)), ("turn_left", 45))
        assert start.paid == 24 + Fraction(1, 2)

    def test_climbs_and_the_level_after_them(self):
        """CA-85."""
        move = begun(piece("A", "grav"))
        start = made(move, ("climb", 3), ("forward", 2), ("descend", 1))
        assert (move.level.altitude, start.paid, start.covered) == (2, 6, 6)

    def test_a_climb_in_parts_slants_like_one_made_at_once(self):
        """CA-85: vertical_geometry; 3 inches on and 4 up are 5 in space."""
        for parts in ([4], [1, 3], [2, 1, 1]):
            move = begun(piece("A", "grav"), **SLANTING)
            made(move, ("forward", 3))
            for part in parts:
                make(move, element("climb", 4), part)
            assert float(move.start.paid) == pytest.approx(5), parts
            assert move.level.altitude == 4


class TestWhatCanStillBePaid:
    """CA-92."""

    @pytest.mark.parametrize(
        ("spent", "name", "amount", "left"),
        [
            (30, "forward", 10, 6),
            (30, "forward", 6, 6),
            (30, "forward", 5, 5),
            (30, "reverse", 10, 3),
            (30, "turn_left", 45, 45),
            (31, "turn_left", 45, 0),
            (34, "climb", 4, 2),
            (36, "forward", 1, 0),
        ],
    )
    def test_so_much_of_a_leg_and_all_of_a_rotation_or_nothing(self, spent, name, amount, left):
        move = begun(piece("A", "grav", spent_translation=spent))
        assert move.affordable(element(name, amount), Fraction(amount)) == left

    def test_where_the_ground_changes(self):
        """CA-50: 5 inches of firm ground, and 2 of bog with the other 4."""
        bog = Piece("bog", "soft_ground", rectangle((15, 0), (20, 20)))
        move = begun(piece("A", "tracked", spent_translation=21), terrain=(bog,))
        assert move.affordable(element("forward", 12), Fraction(12)) == 7

    @pytest.mark.parametrize(
        ("covered", "name", "amount", "left"),
        [
            (0, "forward", 30, 24),
            (20, "forward", 30, 4),
            (20, "forward", 3, 3),
            (24, "forward", 3, 0),
            (24, "turn_left", 45, 45),  # which covers nothing
        ],
    )
    def test_within_the_band_that_it_is_left(self, covered, name, amount, left):
        """CA-89, CA-96: on a road, where 24 inches of ground cost 12."""
        unit = piece("A", "wheeled", damage_level=1, inches_covered=covered)
        move = begun(unit, terrain=(ROAD,), **DISTANCE)
        assert move.affordable(element(name, amount), Fraction(amount)) == left

    def test_what_was_covered_on_the_way_counts(self):
        move = begun(piece("A", "wheeled", damage_level=1), terrain=(ROAD,), **DISTANCE)
        made(move, ("forward", 12), ("reverse", 6))
        assert move.affordable(element("forward", 20), Fraction(20)) == 6

    def test_a_climb_that_slants(self):
        """CA-85, CA-92: after 3 inches with 2 left it climbs 4, for 5 in space."""
        move = begun(piece("A", "jetpack", spent_translation=19), **SLANTING)
        made(move, ("forward", 3))
        assert float(move.affordable(element("climb", 6), Fraction(6))) == pytest.approx(4)

    def test_who_is_overrun_or_not(self):
        """CA-92, CA-106."""
        move = begun(piece("A", "grav"))
        assert move.stopped_by(element("forward", 3), Fraction(3)) == "CA-92"


class TestResting:
    """CA-92: the last place on the way at which it may stand."""

    FRIEND = piece("B", "on_foot", (10, 0), base=0.5)

    @pytest.mark.parametrize(("amount", "rests"), [(9, 9), (10, Fraction(19, 2)), (12, 12)])
    def test_short_of_a_friend(self, amount, rests):
        move = begun(piece("A", "grav"), self.FRIEND)
        assert float(move.resting(element("forward", 20), Fraction(amount))) == pytest.approx(float(rests), abs=1e-5)

    def test_rotations_end_where_they_are_made(self):
        move = begun(piece("A", "grav", (10, 0)), self.FRIEND)
        assert move.resting(element("turn_left", 90), Fraction(90)) == 90

    def test_where_there_is_no_such_place_it_is_as_far_as_it_gets(self):
        """All the way lies over the friend."""
        move = begun(piece("A", "grav", (9.8, 0)), self.FRIEND)
        assert move.resting(element("forward", 0.4), Fraction(2, 5)) == Fraction(2, 5)
