"""Prices of rotations in combined_arms asked for directly: brackets, rounding, limits, and the dearest of several."""

from fractions import Fraction

import pytest
from arms_games import TYPES, arms_game, piece

from simulator.pathing.posed import Mode, Rotate, Travel
from simulator.rulesets.combined_arms.turning import brackets_of, dearest_rotation, rounded, turn_prices

INFANTRY = [mobility for mobility, kind in TYPES.items() if kind == "infantry"]
OTHERS = [mobility for mobility, kind in TYPES.items() if kind != "infantry"]
#: CA-37 as printed, and the named preset beside it.
PRINTED = [(45, Fraction(1, 6)), (90, Fraction(1, 3)), (135, Fraction(2, 3)), (180, Fraction(5, 6))]
LINEAR = [(45, Fraction(1, 6)), (90, Fraction(1, 3)), (135, Fraction(1, 2)), (180, Fraction(2, 3))]
FLAT = [(180, Fraction(1, 6))]
FREE = [(180, 0)]
FORWARD = Mode("forward")


def table_with(unit, **options):
    return arms_game(unit, options=options).table


def brackets(mobility, **options):
    unit = piece("A", mobility)
    return list(brackets_of(table_with(unit, **options), unit))


class TestBrackets:
    """CA-36, CA-37."""

    @pytest.mark.parametrize("mobility", OTHERS)
    @pytest.mark.parametrize("turning", ["sixth_any_angle", "free", "as_vehicles"])
    def test_of_vehicles_and_weapons_whatever_infantry_pays(self, mobility, turning):
        assert brackets(mobility, infantry_turning=turning) == PRINTED
        assert brackets(mobility, infantry_turning=turning, turn_table="linear") == LINEAR

    @pytest.mark.parametrize("mobility", INFANTRY)
    @pytest.mark.parametrize(
        ("turning", "default", "linear"),
        [("sixth_any_angle", FLAT, FLAT), ("free", FREE, FREE), ("as_vehicles", PRINTED, LINEAR)],
    )
    def test_of_infantry(self, mobility, turning, default, linear):
        assert brackets(mobility, infantry_turning=turning) == default
        assert brackets(mobility, infantry_turning=turning, turn_table="linear") == linear


@pytest.mark.parametrize(
    ("price", "inches"),
    [
        (Fraction(1, 2), 1),
        (Fraction(49, 100), 0),
        (Fraction(3, 2), 2),
        (Fraction(5, 2), 3),
        (Fraction(22, 6), 4),
        (Fraction(22, 3), 7),
        (Fraction(5), 5),
    ],
)
def test_to_the_nearest_inch_and_halves_up(price, inches):
    """CA-44, CA-45: turn_cost_rounding."""
    unit = piece("A", "grav")
    assert rounded(table_with(unit), price) == inches
    assert rounded(table_with(unit, turn_cost_rounding="exact"), price) == price


class TestPrices:
    def test_at_the_current_rate(self):
        """E10 (CA-41, CA-43): 90 degrees of a rate of 36 cost 12, of 12 they cost 4."""
        assert [self.prices(piece("A", "wheeled", damage_level=level))[1] for level in (0, 2)] == [(90, 12), (90, 4)]

    def test_a_rate_of_three(self):
        """CA-45: the only ties."""
        unit = piece("A", "crew_weapon", crew_required=3, crew_present=2)
        assert self.prices(unit) == [(45, 1), (90, 1), (135, 2), (180, 3)]

    @pytest.mark.parametrize(
        ("mobility", "fields", "brackets"),
        [
            ("grav", {"damage_level": 3}, [(180, 1)]),  # CA-87: more than it has
            ("crew_weapon", {"crew_present": 0}, [(180, 1)]),
            ("crew_weapon", {"wheeled_chassis": False}, [(180, 0)]),  # CA-16
        ],
    )
    def test_without_an_allowance(self, mobility, fields, brackets):
        assert self.prices(piece("A", mobility, **fields)) == brackets

    @pytest.mark.parametrize(
        ("most", "left"), [(None, 4), (30, 4), (Fraction(299, 10), 3), (24, 3), (12, 2), (6, 1), (5, 0), (0, 0)]
    )
    def test_none_that_counts_as_a_higher_band_than_it_may(self, most, left):
        """CA-97: 6, 12, 24 and 30 inches of 36."""
        found = self.prices(piece("A", "grav"), most)
        whole = [(45, 6), (90, 12), (135, 24), (180, 30)]
        assert found == [(limit, price if at < left else 10**6) for at, (limit, price) in enumerate(whole)]

    @pytest.mark.parametrize("inches", [1, 0, Fraction(5, 2)])
    def test_how_far_apart_they_are_priced_by_themselves(self, inches):
        """CA-46: turn_separation_inches."""
        unit = piece("A", "grav")
        assert turn_prices(table_with(unit, turn_separation_inches=inches), unit).separation == inches

    def prices(self, unit, most=None):
        return list(turn_prices(table_with(unit), unit, None if most is None else Fraction(most)).brackets)


@pytest.mark.parametrize(
    ("moves", "dearest"),
    [
        ([], 0),
        ([Travel(FORWARD, 5)], 0),
        ([Rotate(90)], 12),
        ([Rotate(45), Travel(FORWARD, 1), Rotate(90)], 12),
        ([Rotate(90), Travel(FORWARD, 1), Rotate(45)], 12),
        ([Rotate(90), Rotate(45)], 24),  # CA-46: as one by 135
        ([Rotate(90), Travel(FORWARD, Fraction(1, 2)), Rotate(45)], 24),
        ([Rotate(90), Rotate(-45)], 12),
        ([Rotate(45), Rotate(-135)], 24),
    ],
)
def test_the_dearest_of_several(moves, dearest):
    """CA-46, CA-97: those that are priced together count as one."""
    unit = piece("A", "grav")
    assert dearest_rotation(turn_prices(table_with(unit), unit), moves) == dearest
