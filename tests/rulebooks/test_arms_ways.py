"""Floors, stairs, ladders, doors and flights of combined_arms asked for directly: who uses them, where to, for what."""

from fractions import Fraction

import pytest
from arms_games import arms_game, piece

from simulator.engine.orders import Element
from simulator.geometry.pieces import LineShape, Piece, PointShape, rectangle
from simulator.rulesets.combined_arms.heights import HowHigh, walked
from simulator.rulesets.combined_arms.matrix import Mover
from simulator.rulesets.combined_arms.movement import ways_of
from simulator.rulesets.combined_arms.storeys import (
    GROUND,
    Storey,
    building_of,
    carries,
    doors_of,
    flies_indoors,
    flights_of,
    floors_of,
    has_doors,
    height_of_floor,
    nowhere,
    stands_on,
    storey_of,
    ways_between,
)

ON_THE_GROUND = HowHigh(Fraction(0))
DOORS = {"doors": ((-6, 0), (6, 1))}


def keep(**attributes):
    """A building of 12 by 10 inches with three floors, 3 inches apart."""
    given = {"floors": 3, "floor_height": 3, **attributes}
    return Piece("keep", "building", rectangle((0, 0), (12, 10)), "elevated", height=9, attributes=given)


#: Two inches along and two aside.
ANGLED = LineShape([(0, 2), (2, 2), (2, 4)])


def stairs(shape=ANGLED, on="keep", **attributes):
    return Piece("stairs", "stairs", shape, on=on, attributes=attributes)


def ladder(at=(4, -2), height=0.0, **attributes):
    return Piece("ladder", "ladder", PointShape(*at), on="keep", height=height, attributes=attributes)


def setting(*terrain, **settings):
    return arms_game(piece("A", "on_foot", (40, 40)), terrain=terrain, **settings).table.setting


def mover(mobility):
    return Mover.of(piece("A", mobility))


def building_at(known, at, floor):
    """The building that a piece is in."""
    return building_of(known, piece("A", "on_foot", at, floor=floor))


class TestFloors:
    """CA-66, CA-68, CA-84."""

    @pytest.mark.parametrize(
        ("at", "floor", "inside"),
        [
            ((0, 0), 0, True),
            ((0, 0), 2, True),
            ((0, 0), 3, False),
            ((6, 5), 1, True),
            ((6.1, 0), 0, False),
        ],
    )
    def test_a_place_in_a_building(self, at, floor, inside):
        found = building_at(setting(keep()), at, floor)
        assert (found is not None) is inside

    def test_one_floor_unless_said(self):
        cabin = Piece("cabin", "building", rectangle((0, 0), (4, 4)))
        assert building_at(setting(cabin), (0, 0), 0) is cabin
        assert building_at(setting(cabin), (0, 0), 1) is None
        assert height_of_floor(cabin, 2) == 2

    def test_other_features_have_no_floors(self):
        wood = Piece("wood", "vegetation", rectangle((0, 0), (4, 4)))
        assert building_at(setting(wood), (0, 0), 0) is None

    @pytest.mark.parametrize(("floor", "height"), [(0, 0), (1, 3), (2, 6)])
    def test_how_high_they_are(self, floor, height):
        """CA-71."""
        assert height_of_floor(keep(), floor) == height

    @pytest.mark.parametrize(
        ("mobility", "fields", "doors", "storey", "stands"),
        [
            ("on_foot", {}, {}, None, True),
            ("on_foot", {}, DOORS, Storey("keep", 0), True),
            ("wheeled", {}, DOORS, None, True),  # vehicles do not go through doors
            ("on_foot", {"floor": 1}, {}, Storey("keep", 1), False),
            ("jetpack", {"altitude": 2}, DOORS, None, False),
            ("on_foot", {"at": (20, 0)}, DOORS, None, False),
            ("on_foot", {"floor": 3}, {}, None, False),
        ],
    )
    def test_the_storey_that_a_piece_is_on(self, mobility, fields, doors, storey, stands):
        unit = piece("A", mobility, **{"at": (1, 1), **fields})
        known = setting(keep(**doors))
        assert storey_of(known, unit) == storey
        assert stands_on(known, unit, Storey("keep", 0)) is stands
        assert stands_on(known, unit, Storey("keep", 1)) is (fields.get("floor") == 1)
        assert stands_on(known, unit, Storey("barn", 0)) is False

    @pytest.mark.parametrize(
        ("mobility", "attributes", "floors"),
        [
            ("on_foot", {}, [0, 1, 2]),
            ("wheeled", {}, []),
            ("wheeled", {"vehicle_entry": True}, [0]),
            ("wheeled", {"vehicle_entry": True, "vehicle_floors": (0, 2)}, [0, 2]),
            ("wheeled", {"vehicle_floors": (0, 2)}, []),
        ],
    )
    def test_which_carry_a_piece(self, mobility, attributes, floors):
        house = keep(**attributes)
        assert [floor for floor in range(3) if carries(house, mover(mobility), floor)] == floors


class TestStairsAndLadders:
    """CA-69, CA-70, CA-71, CA-76."""

    def ways(self, mobility, *terrain, **settings):
        known = setting(*terrain, **settings)
        return [
            (one.name, one.places, str(one.origin), str(one.target), one.price, one.inches)
            for one in ways_between(known, mover(mobility))
        ]

    def test_up_and_down(self):
        places = ((0, 2), (2, 4))
        found = self.ways("on_foot", keep(), stairs(joins=(0, 1), run=5))
        assert found == [
            ("stairs", places, "/0", "keep/1", 10, 5),
            ("stairs", places[::-1], "keep/1", "/0", 10, 5),
        ]
        assert [one[4] for one in self.ways("gravpack", keep(), stairs(joins=(0, 1), run=5))] == [5, 5]

    @pytest.mark.parametrize("joins", [(1, 2), (2, 1)])
    def test_between_upper_floors_from_the_lower_end_first(self, joins):
        found = self.ways("on_foot", keep(), stairs(joins=joins, run=1))
        assert [(one[2], one[3]) for one in found] == [("keep/1", "keep/2"), ("keep/2", "keep/1")]

    def test_as_long_as_they_are_drawn_or_an_inch(self):
        """The run goes first, then the line; from the middle of an area it is an inch, to the same place above."""
        assert {one[5] for one in self.ways("on_foot", keep(), stairs())} == {4}
        area = stairs(rectangle((1, 2), (2, 2)))
        assert {(one[1], one[5]) for one in self.ways("on_foot", keep(), area)} == {(((1, 2), (1, 2)), 1)}
        assert {one[5] for one in self.ways("on_foot", keep(), stairs(rectangle((1, 2), (2, 2)), run=3))} == {3}

    def test_from_the_ground_floor_to_the_first_unless_said(self):
        assert floors_of(stairs()) == (0, 1)
        assert floors_of(stairs(joins=(1, 2))) == (1, 2)

    @pytest.mark.parametrize(
        ("height", "joins", "inches"), [(0.0, (0, 1), 3), (0.0, (0, 2), 6), (0.0, (2, 0), 6), (2.0, (0, 2), 2)]
    )
    def test_ladders_are_as_high_as_they_reach_unless_said(self, height, joins, inches):
        """E31 (CA-71)."""
        found = self.ways("on_foot", keep(), ladder(height=height, joins=joins))
        assert [(one[4], one[5]) for one in found] == [(3 * inches, inches)] * 2
        assert [one[4] for one in self.ways("gravpack", keep(), ladder(height=height, joins=joins))] == [inches] * 2

    @pytest.mark.parametrize("mobility", ["crew_weapon", "walker", "grav"])
    def test_ladders_are_for_infantry(self, mobility):
        house = keep(vehicle_entry=True, vehicle_floors=(0, 1, 2))
        assert self.ways(mobility, house, ladder(joins=(0, 1))) == []

    @pytest.mark.parametrize(
        ("house", "how", "used"),
        [
            ({"vehicle_entry": True, "vehicle_floors": (0, 1)}, {"vehicle_ok": True}, True),
            ({"vehicle_entry": True, "vehicle_floors": (0, 1)}, {}, False),
            ({"vehicle_entry": True, "vehicle_floors": (0,)}, {"vehicle_ok": True}, False),
            ({"vehicle_entry": True, "vehicle_floors": (1,)}, {"vehicle_ok": True}, False),
            ({}, {"vehicle_ok": True}, False),
        ],
    )
    def test_vehicles_where_all_carries_them(self, house, how, used):
        """CA-70, CA-76."""
        found = self.ways("wheeled", keep(**house), stairs(joins=(0, 1), run=1, **how))
        assert [one[4] for one in found] == ([2, 2] if used else [])

    def test_to_a_ground_floor_behind_doors(self):
        """CA-68: for those who get in by doors it is a storey."""
        found = self.ways("on_foot", keep(**DOORS), stairs(joins=(0, 1), run=1))
        assert [(one[2], one[3]) for one in found] == [("keep/0", "keep/1"), ("keep/1", "keep/0")]

    @pytest.mark.parametrize(
        ("terrain", "lost"),
        [
            ((keep(), stairs(joins=(1, 2))), []),
            ((keep(), stairs(joins=(2, 3))), ["stairs"]),
            ((keep(), stairs(on="", joins=(0, 1))), []),  # around them
            ((keep(), stairs(LineShape([(20, 0), (21, 0)]), on="")), ["stairs"]),
            ((stairs(on=""),), ["stairs"]),
        ],
    )
    def test_those_in_no_building(self, terrain, lost):
        assert list(nowhere(setting(*terrain))) == lost
        assert (self.ways("on_foot", *terrain) == []) is bool(lost)


class TestDoors:
    """CA-68."""

    @pytest.mark.parametrize(
        ("mobility", "attributes", "by_doors"),
        [("on_foot", DOORS, True), ("crew_weapon", DOORS, True), ("wheeled", DOORS, False), ("on_foot", {}, False)],
    )
    def test_who_gets_in_by_them_alone(self, mobility, attributes, by_doors):
        assert has_doors(keep(**attributes), mover(mobility)) is by_doors

    def test_nothing_else_has_doors(self):
        assert (
            has_doors(Piece("wood", "vegetation", rectangle((0, 0), (4, 4)), attributes=DOORS), mover("on_foot"))
            is False
        )

    def doors(self, mobility, *terrain, price=2, reach=0.5):
        asked = []

        def priced(beyond, hall, outside, door, inside):
            assert beyond == GROUND
            asked.append((str(hall), outside, door, inside))
            return None if price is None else Fraction(price)

        return list(doors_of(setting(*terrain), mover(mobility), reach, priced)), asked

    def test_in_and_out_from_clear_of_the_wall_to_clear_of_it(self):
        found, asked = self.doors("on_foot", keep(doors=((-6, 0), (1, 5))))
        assert [one.name for one in found] == ["keep door 1", "keep door 1 out", "keep door 2", "keep door 2 out"]
        assert asked == [
            ("keep/0", pytest.approx((-6.501, 0)), (-6, 0), pytest.approx((-5.499, 0))),
            ("keep/0", pytest.approx((1, 5.501)), (1, 5), pytest.approx((1, 4.499))),
        ]
        assert [(one.origin, one.target) for one in found[:2]] == [(GROUND, ("keep", 0)), (("keep", 0), GROUND)]
        assert found[0].places == (pytest.approx((-6.501, 0)), pytest.approx((-5.499, 0)))
        assert found[1].places == found[0].places[::-1]
        assert {one.price for one in found} == {2}
        assert [float(one.inches) for one in found] == pytest.approx([1.002] * 4)

    @pytest.mark.parametrize(
        ("at", "is_one"), [((-6.05, 0), True), ((-5.95, 0), True), ((-6.2, 0), False), ((0, 0), False)]
    )
    def test_only_in_a_wall(self, at, is_one):
        assert bool(self.doors("on_foot", keep(doors=(at,)))[0]) is is_one

    def test_not_where_the_way_is_impassable_nor_for_vehicles(self):
        assert self.doors("on_foot", keep(**DOORS), price=None)[0] == []
        assert self.doors("wheeled", keep(**DOORS))[0] == []


class TestFlights:
    """CA-71, CA-84: jetpacks alone fly from floor to floor."""

    @pytest.mark.parametrize("mobility", ["jetpack", "gravpack", "on_foot", "grav", "helicopter"])
    def test_who(self, mobility):
        flies = mobility == "jetpack"
        assert flies_indoors(mover(mobility)) is flies
        assert bool(list(flights_of(setting(keep()), mover(mobility)))) is flies

    def flights(self, **attributes):
        found = flights_of(setting(keep(**attributes)), mover("jetpack"))
        return [(one.name, str(one.origin), str(one.target), one.price, one.inches, one.altitude) for one in found]

    def test_from_the_air_as_high_as_a_floor(self):
        assert self.flights() == [
            ("keep floor 1", "/0", "keep/1", 0, 0, 3),
            ("keep floor 1 out", "keep/1", "/0", 0, 0, 3),
            ("keep floor 2", "/0", "keep/2", 0, 0, 6),
            ("keep floor 2 out", "keep/2", "/0", 0, 0, 6),
        ]

    def test_inside_from_each_floor_to_the_next(self):
        assert self.flights(**DOORS) == [
            ("keep floor 1", "keep/0", "keep/1", 3, 3, 0),
            ("keep floor 0", "keep/1", "keep/0", 3, 3, 0),
            ("keep floor 2", "keep/1", "keep/2", 3, 3, 0),
            ("keep floor 1", "keep/2", "keep/1", 3, 3, 0),
        ]

    @pytest.mark.parametrize(
        ("mobility", "way", "start", "after"),
        [
            ("jetpack", "keep floor 1", HowHigh(Fraction(3)), HowHigh(Fraction(0), Storey("keep", 1))),
            ("jetpack", "keep floor 1", HowHigh(Fraction(2)), None),
            ("jetpack", "keep floor 1", HowHigh(Fraction(0), Storey("keep", 2)), None),
            ("jetpack", "keep floor 1 out", HowHigh(Fraction(0), Storey("keep", 1)), HowHigh(Fraction(3))),
            ("jetpack", "keep floor 2 out", HowHigh(Fraction(0), Storey("keep", 2)), HowHigh(Fraction(6))),
            ("jetpack", "keep floor 2 out", HowHigh(Fraction(0)), None),
            ("jetpack", "stairs", HowHigh(Fraction(0)), HowHigh(Fraction(0), Storey("keep", 1))),
            ("jetpack", "stairs", HowHigh(Fraction(3)), None),
            ("gravpack", "keep floor 1", HowHigh(Fraction(3)), None),
            ("gravpack", "nothing of the kind", HowHigh(Fraction(0)), None),
        ],
    )
    def test_how_high_one_is_after_it(self, mobility, way, start, after):
        """CA-84: what is not taken from there leads nowhere."""
        ways = ways_of(setting(keep(), stairs()), mover(mobility), 0.0)
        (stage,) = walked([Element("take", {"way": way})], start, ways)
        assert (stage.before, stage.after) == (start, after or start)
        assert stage.meant == stage.after.altitude


class TestClimbs:
    """CA-84, CA-85."""

    @staticmethod
    def walk(*inches, start=ON_THE_GROUND):
        """What each climb begins and ends at, is meant to end at, and how long it is."""
        elements = [Element("climb" if one > 0 else "descend", {"inches": Fraction(abs(one))}) for one in inches]
        return [
            (stage.before.altitude, stage.after.altitude, stage.meant, stage.element["inches"])
            for stage in walked(elements, start, ())
        ]

    def test_up_and_down(self):
        assert self.walk(2, -1, -1) == [(0, 2, 2, 2), (2, 1, 1, 1), (1, 0, 0, 1)]

    def test_who_would_descend_below_the_ground_is_on_it(self):
        assert self.walk(-2, 1) == [(0, 0, -2, 0), (0, 1, 1, 1)]
        assert self.walk(1, -3, -1) == [(0, 1, 1, 1), (1, 0, -2, 1), (0, 0, -1, 0)]

    def test_on_a_floor_nobody_climbs(self):
        assert self.walk(2, start=HowHigh(Fraction(0), Storey("keep", 1))) == [(0, 0, 0, 2)]
