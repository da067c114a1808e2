"""Shots in combined_arms asked for directly: who may fire, at whom, by which band, and with which modifiers."""

from fractions import Fraction

import pytest
from arms_games import arms_game, piece

from simulator.geometry.paths import Path, Straight
from simulator.geometry.pieces import Piece, rectangle
from simulator.rulesets.combined_arms.fire import (
    band_of_firer,
    can_fire,
    eye_of,
    interceptors,
    roll_to_hit,
    shot_beside,
    shot_breaches,
    shot_on_a_way,
)

SO_FAR = {"own_fire_band": "so_far"}
HOUSE = Piece("house", "building", rectangle((0, 0), (9, 9)), attributes={"floors": 3, "floor_height": 2})
WALL = Piece("wall", "high_wall", rectangle((5, 0), (1, 20)))


def table_with(*units, **settings):
    return arms_game(*units, **settings).table


def enemy(at=(10, 0), mobility="on_foot", **fields):
    return piece("B", mobility, at, "blue", **fields)


class TestWhoMayFire:
    @pytest.mark.parametrize(
        ("mobility", "fields", "can"),
        [
            ("grav", {}, True),
            ("grav", {"has_fired": True}, False),
            ("crew_weapon", {}, True),
            ("crew_weapon", {"crew_required": 3, "crew_present": 1}, True),
            ("crew_weapon", {"crew_present": 0}, False),
            ("on_foot", {"at": None, "left_board": True}, False),
        ],
    )
    def test_once_a_turn_and_with_a_crew(self, mobility, fields, can):
        """CA-97, CA-98."""
        assert can_fire(piece("A", mobility, **fields)) is can

    def test_at_a_piece_that_moves(self):
        """CA-102: enemies with a range that have not fired."""
        armed = {"weapon_range": 20}
        units = [
            piece("A", "grav"),
            piece("friend", "grav", (1, 9), **armed),
            piece("unarmed", "grav", (2, 9), "blue"),
            piece("done", "grav", (3, 9), "blue", has_fired=True, **armed),
            piece("ready", "grav", (4, 9), "blue", **armed),
            piece("last", "on_foot", (5, 9), "blue", **armed),
        ]
        assert [one.id for one in interceptors(table_with(*units), units[0])] == ["ready", "last"]


class TestFromWhere:
    @pytest.mark.parametrize(
        ("mobility", "fields", "up"),
        [
            ("on_foot", {}, 0),
            ("on_foot", {"floor": 1}, 2),
            ("on_foot", {"floor": 2}, 4),
            ("jetpack", {"altitude": 7}, 7),
        ],
    )
    def test_from_its_altitude_or_its_floor(self, mobility, fields, up):
        """CA-84, CA-102."""
        unit = piece("A", mobility, (1, 2), **fields)
        eye = eye_of(table_with(unit, terrain=(HOUSE,)), unit)
        assert (eye.place.tolist(), eye.altitude.tolist()) == ([[1, 2]], [up])

    def test_beside_a_house_it_stands_on_the_ground(self):
        unit = piece("A", "on_foot", (20, 2))
        assert eye_of(table_with(unit, terrain=(HOUSE,)), unit).altitude.tolist() == [0]


def against(unit, target, **settings):
    table = table_with(unit, target, **settings)
    return [(one.clause, one.message, one.needed, one.available) for one in shot_breaches(table, unit, target)]


class TestAtWhom:
    """CA-8, CA-97."""

    def test_at_enemies_on_the_table(self):
        shooter = piece("A", "grav", weapon_range=20)
        assert against(shooter, enemy()) == []
        assert against(shooter, piece("B", "on_foot", (10, 0))) == [("CA-97", "B is not an enemy", None, None)]
        gone = enemy(None, left_board=True)
        assert against(shooter, gone) == [("CA-97", "B is not on the table", None, None)]

    @pytest.mark.parametrize(
        ("far", "fields", "off"), [(10, {}, None), (10.5, {}, 10.5), (8, {"altitude": 8}, 128**0.5)]
    )
    def test_within_range_measured_in_space(self, far, fields, off):
        found = against(piece("A", "grav", weapon_range=10), enemy((far, 0), "jetpack", **fields))
        assert [(one[0], one[2], one[3]) for one in found] == (
            [] if off is None else [("CA-97", pytest.approx(off), 10)]
        )

    def test_in_sight(self):
        shooter = piece("A", "grav", weapon_range=20)
        assert against(shooter, enemy(), terrain=(WALL,)) == [("CA-97", "A does not see B", None, None)]
        # Over 6 inches of wall that begins after 4.5 of 10.
        for altitude, seen in ((13, False), (13.5, True)):
            assert (against(shooter, enemy(mobility="jetpack", altitude=altitude), terrain=(WALL,)) == []) is seen

    def test_what_others_hit_is_left_to_the_players(self):
        """CA-97: a piece without a range."""
        assert against(piece("A", "grav"), enemy((40, 0)), terrain=(WALL,)) == []

    @pytest.mark.parametrize(
        ("before", "after", "options"),
        [((10, 0), (11, 0), ("before", "after")), ((10, 0), (31, 0), ("before",)), ((31, 0), (10, 0), ("after",))],
    )
    def test_before_and_after_what_is_done_at_one_go(self, before, after, options):
        """CA-102."""
        gun = piece("A", "grav", weapon_range=20)
        asked = shot_beside(table_with(gun, enemy(before)), gun, enemy(before), enemy(after))
        assert tuple(asked.options) == options
        assert (asked.who, asked.clause, asked.place, dict(asked.detail)) == ("A", "CA-102", before, {"at": "B"})

    @pytest.mark.parametrize(("start", "spans"), [((10, -5), [(0, 9)]), ((19, -9), [(9 - 39**0.5, 9)])])
    def test_where_on_its_way(self, start, spans):
        """CA-102, CA-116: while it is in range and in sight; what else changes on the way is marked there."""
        gun, target = piece("A", "grav", weapon_range=20), enemy(start)
        way = Path(start, (Straight(start, (start[0], start[1] + 9)),))
        marks = [Fraction(1, 10), Fraction(5), Fraction(12)]
        asked = shot_on_a_way(table_with(gun, target), gun, target, way, (0.0, 0.0), marks)
        (along,) = asked.options
        assert [(float(one.low), float(one.high)) for one in along.spans] == [pytest.approx(span) for span in spans]
        assert list(along.marks) == [mark for mark in marks if spans[0][0] < mark < 9]
        assert along.path is way
        assert (asked.who, asked.clause, asked.place) == ("A", "CA-102", start)
        far = enemy((30, 0))
        away = Path((30, 0), (Straight((30, 0), (39, 0)),))
        assert shot_on_a_way(table_with(gun, far), gun, far, away, (0.0, 0.0), []) is None

    def test_on_a_climb_there_is_no_path(self):
        gun, target = piece("A", "grav", weapon_range=20), enemy(mobility="jetpack")
        asked = shot_on_a_way(table_with(gun, target), gun, target, Path((10, 0)), (0.0, 6.0), [Fraction(3)])
        (along,) = asked.options
        assert (along.path, list(along.marks)) == (None, [3])

    def test_nor_asked_where_it_sees_neither(self):
        gun = piece("A", "grav", weapon_range=20)
        assert shot_beside(table_with(gun, enemy((31, 0))), gun, enemy((31, 0)), enemy((32, 0))) is None


class TestBandOfTheFirer:
    """CA-97, CA-98: R0 is 36."""

    @pytest.mark.parametrize(
        ("fields", "options", "band"),
        [
            ({}, {}, ""),
            ({"spent_translation": 20}, {}, ""),
            ({"declared_band": "slow", "spent_translation": 20}, {}, "slow"),
            ({"has_moved": True, "spent_translation": 20}, {}, "moderate"),
            ({"has_moved": True, "declared_band": "fast", "spent_translation": 12}, {}, "slow"),
            ({"spent_translation": 20}, SO_FAR, "moderate"),
            ({}, SO_FAR, "stationary"),
        ],
    )
    def test_what_it_has_done_or_what_it_declared(self, fields, options, band):
        unit = piece("A", "grav", **fields)
        assert band_of_firer(table_with(unit, options=options), unit) == band

    @pytest.mark.parametrize(
        ("fields", "options", "band"),
        [
            ({}, {}, ""),
            ({"declared_band": "moderate"}, {}, "moderate"),
            ({"has_moved": True, "widest_rotation": 180}, {}, "fast"),
            ({"has_moved": True}, {}, "stationary"),
            ({"widest_rotation": 90}, SO_FAR, "slow"),
        ],
    )
    def test_of_a_weapon_without_wheels_its_widest_rotation(self, fields, options, band):
        unit = piece("A", "crew_weapon", wheeled_chassis=False, **fields)
        assert band_of_firer(table_with(unit, options=options), unit) == band


class TestRolls:
    """CA-97, CA-99, CA-101, CA-116: 2D6 for 7 or more."""

    @pytest.mark.parametrize(
        ("band", "fields", "modifiers"),
        [
            ("stationary", {}, []),
            ("slow", {}, [("it is slow", 1)]),
            ("moderate", {"cover": 2}, [("it is moderate", 2), ("cover", 2)]),
            ("fast", {"spent_translation": 5}, [("it is fast", 3), ("B is fast", 3)]),
            ("stationary", {"spent_translation": 1}, [("B is slow", 1)]),
            ("stationary", {"spent_translation": 4}, [("B is moderate", 2)]),
            ("stationary", {"spent_rotation": 4}, []),  # CA-100
        ],
    )
    def test_what_makes_it_harder(self, band, fields, modifiers):
        shooter, target = piece("A", "grav"), enemy(**fields)
        roll = roll_to_hit(table_with(shooter, target), shooter, target, band)
        assert (roll.dice, roll.target, roll.who, roll.clause) == ("2D6", 7, "A", "CA-97")
        assert [(why, by) for why, by in roll.modifiers] == modifiers
        assert (roll.place, dict(roll.detail)) == ((10, 0), {"at": "B"})

    def test_the_figures_can_be_set(self):
        shooter, target = piece("A", "grav"), enemy()
        tables = {"hit.dice": "1D6", "hit.needed": 4, "firer_factor.slow": -5}
        roll = roll_to_hit(table_with(shooter, target, tables=tables), shooter, target, "slow")
        assert (roll.dice, roll.target, list(roll.modifiers)) == ("D6", 4, [("it is slow", 5)])
