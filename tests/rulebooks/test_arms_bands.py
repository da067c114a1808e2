"""Speed bands of combined_arms asked for directly: their limits, and what counts for fire by a piece and at it."""

from fractions import Fraction

import pytest
from arms_games import arms_game, piece

from simulator.engine.orders import Element, Order
from simulator.pathing.posed import judged
from simulator.rulesets.combined_arms.bands import (
    Moved,
    band_of,
    band_of_rotation,
    by_distance,
    most_of_band,
    most_of_level,
    own_amount,
    own_band,
    spent_in_all,
    target_amount,
    target_band,
)
from simulator.rulesets.combined_arms.judge import moves_for

#: CA-95 as printed: R0, slow up to, moderate up to.
LIMITS = [(6, 2, 4), (12, 4, 8), (18, 6, 12), (24, 8, 16), (30, 10, 20), (36, 12, 24), (42, 14, 28), (48, 16, 32)]
A_HAIR = Fraction(1, 1000)
DISTANCE = {"speed_band_basis": "distance_moved"}
IF_MOVED = {"target_rotation_counts": "if_moved"}


def table_with(unit, **options):
    return arms_game(unit, options=options).table


@pytest.mark.parametrize(("rate", "slow", "moderate"), LIMITS)
def test_the_upper_limit_belongs_to_its_band(rate, slow, moderate):
    """CA-94, CA-95."""
    unit = piece("A", "grav", rate_original=rate)
    table = table_with(unit)
    amounts = (0, A_HAIR, slow, slow + A_HAIR, moderate, moderate + A_HAIR, rate, 10 * rate)
    found = [band_of(table, unit, Fraction(amount)) for amount in amounts]
    assert found == ["stationary", "slow", "slow", "moderate", "moderate", "fast", "fast", "fast"]
    assert [most_of_band(table, unit, band) for band in ("stationary", "slow", "moderate", "fast")] == [
        *(0, slow, moderate),
        None,
    ]


@pytest.mark.parametrize("fields", [{"damage_level": 1}, {"damage_level": 2}, {"rate_current": 22}])
def test_damage_leaves_the_bands_as_they_are(fields):
    """CA-88: 12 and 24 of 36."""
    unit = piece("A", "grav", **fields)
    assert [most_of_band(table_with(unit), unit, band) for band in ("slow", "moderate")] == [12, 24]


def test_a_short_crew_goes_by_the_rate_of_the_full_one():
    """CA-20, E42."""
    unit = piece("A", "crew_weapon", crew_required=3, crew_present=2)
    assert [most_of_band(table_with(unit), unit, band) for band in ("slow", "moderate")] == [2, 4]


#: In inches: spent on legs, spent on rotations, covered, the dearest rotation.
SPENT = {"spent_translation": 8, "spent_rotation": 13, "inches_covered": 5, "dearest_rotation": 25}
#: For each choice of the two options: own amount and band, amount and band as a target. R0 is 36.
COUNTED = [
    ({}, SPENT, (21, "moderate"), (8, "slow")),
    (IF_MOVED, SPENT, (21, "moderate"), (21, "moderate")),
    (DISTANCE, SPENT, (5, "fast"), (5, "slow")),
    (DISTANCE | IF_MOVED, SPENT, (5, "fast"), (5, "fast")),
    # E7 (CA-100): who only rotates is a stationary target.
    ({}, {"spent_rotation": 12}, (12, "slow"), (0, "stationary")),
    (IF_MOVED, {"spent_rotation": 12}, (12, "slow"), (0, "stationary")),
    (IF_MOVED, {"spent_rotation": 12, "inches_covered": 5}, (12, "slow"), (0, "stationary")),
    (IF_MOVED, {"spent_rotation": 12, "spent_translation": 1}, (13, "moderate"), (13, "moderate")),
    (DISTANCE | IF_MOVED, {"spent_rotation": 12, "dearest_rotation": 12}, (0, "slow"), (0, "stationary")),
    (
        DISTANCE | IF_MOVED,
        {"spent_rotation": 12, "dearest_rotation": 12, "spent_translation": 3},
        (0, "slow"),
        (0, "stationary"),
    ),
    (
        DISTANCE | IF_MOVED,
        {"spent_rotation": 13, "dearest_rotation": 13, "inches_covered": 1},
        (1, "moderate"),
        (1, "moderate"),
    ),
    # A leg that leads farther than its rotation is dear.
    (DISTANCE, {"inches_covered": 25, "dearest_rotation": 12}, (25, "fast"), (25, "fast")),
    ({}, {}, (0, "stationary"), (0, "stationary")),
    (DISTANCE, {}, (0, "stationary"), (0, "stationary")),
]


@pytest.mark.parametrize(("options", "fields", "own", "as_target"), COUNTED)
def test_what_counts_for_its_own_fire_and_for_fire_at_it(options, fields, own, as_target):
    """CA-96, CA-97, CA-98, CA-100, CA-102: speed_band_basis and target_rotation_counts."""
    unit = piece("A", "grav", **fields)
    table, moved = table_with(unit, **options), Moved.of(unit)
    assert (own_amount(table, moved), own_band(table, unit, moved)) == own
    assert (target_amount(table, moved), target_band(table, unit)) == as_target


def test_what_a_piece_has_done_so_far():
    """CA-98: rotations count for what it has spent."""
    unit = piece("A", "grav", **SPENT)
    assert Moved.of(unit) == (8, 13, 5, 25, 0)
    assert Moved.of(unit).spent == spent_in_all(unit) == 21


@pytest.mark.parametrize(("dearest", "kept"), [(12, 25), (30, 30)])
def test_what_a_piece_will_have_done_after_a_move(dearest, kept):
    """CA-96, CA-97, CA-98: 3 inches of reverse for 6, a rotation by 90 degrees for 12."""
    unit = piece("A", "grav", **SPENT)
    table = table_with(unit)
    order = Order("A", "move", [Element("reverse", {"inches": 3}), Element("turn_left", {"angle": 90})])
    space, moves = moves_for(table, unit, order)
    verdict = judged(space.space, space.space.starts[0], moves)
    assert Moved.after(unit, verdict, Fraction(dearest), Fraction(0)) == (8 + 6, 13 + 12, 5 + 3, kept, 0)


def test_what_bands_measure_is_an_option():
    """CA-96."""
    unit = piece("A", "grav")
    assert by_distance(table_with(unit)) is False
    assert by_distance(table_with(unit, **DISTANCE)) is True


@pytest.mark.parametrize(
    ("angle", "band"),
    [
        (0, "stationary"),
        (A_HAIR, "slow"),
        (45, "slow"),
        (90, "slow"),
        (90 + A_HAIR, "moderate"),
        (135, "moderate"),
        (135 + A_HAIR, "fast"),
        (180, "fast"),
    ],
)
def test_a_rotation_without_allowance_counts_by_its_angle(angle, band):
    """CA-97."""
    unit = piece("A", "crew_weapon", wheeled_chassis=False)
    assert band_of_rotation(table_with(unit), Fraction(angle)) == band


@pytest.mark.parametrize(("level", "most"), [(0, None), (1, 24), (2, 12), (3, 0), (7, 0)])
def test_how_far_a_damaged_piece_may_go_where_bands_measure_the_distance(level, most):
    """CA-89, CA-90, CA-96: not fast, then not moderate; where they measure what is spent, its rate says it all."""
    unit = piece("A", "grav", damage_level=level)
    assert most_of_level(table_with(unit, **DISTANCE), unit) == most
    assert most_of_level(table_with(unit), unit) is None


@pytest.mark.parametrize(("rate", "most"), [(30, None), (22, 24), (12, 12), (0, 0)])
def test_and_one_whose_rate_is_set(rate, most):
    """CA-91, CA-96."""
    unit = piece("A", "grav", rate_current=rate)
    assert most_of_level(table_with(unit, **DISTANCE), unit) == most
