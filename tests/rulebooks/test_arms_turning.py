"""Rotations in combined_arms: the table of reduced rates, brackets, groups, and who may not turn."""

from fractions import Fraction

import pytest
from arms_games import arms_game, piece

from simulator.geometry.poses import Pose

#: CA-44, as printed: by rate, what 45, 90, 135 and 180 degrees cost.
PRINTED = {
    4: (1, 1, 3, 3),
    6: (1, 2, 4, 5),
    8: (1, 3, 5, 7),
    10: (2, 3, 7, 8),
    12: (2, 4, 8, 10),
    14: (2, 5, 9, 12),
    16: (3, 5, 11, 13),
    18: (3, 6, 12, 15),
    20: (3, 7, 13, 17),
    22: (4, 7, 15, 18),
    24: (4, 8, 16, 20),
    # By the formula, CA-45.
    28: (5, 9, 19, 23),
    32: (5, 11, 21, 27),
}
CELLS = [
    (rate, angle, price) for rate, row in PRINTED.items() for angle, price in zip((45, 90, 135, 180), row, strict=True)
]


def cost(unit, *elements, **settings):
    return arms_game(unit, **settings).do(f"A move: {', '.join(elements)}").ledger.total("inches")


@pytest.mark.parametrize(("rate", "angle", "price"), CELLS)
def test_the_table_of_reduced_rates(rate, angle, price):
    """E11 (CA-44, CA-45)."""
    assert cost(piece("A", "grav", rate_current=rate), f"turn_left {angle}") == price


@pytest.mark.parametrize(("level", "prices"), [(1, (5, 11, 21, 27)), (2, (3, 5, 11, 13))])
def test_a_damaged_thruster(level, prices):
    """E25 (CA-45, CA-87)."""
    unit = piece("A", "thruster", damage_level=level)
    assert tuple(cost(unit, f"turn_right {angle}") for angle in (45, 90, 135, 180)) == prices


@pytest.mark.parametrize(("angle", "price"), [(0, 0), (0.5, 6), (45, 6), (45.5, 12), (90, 12), (90.5, 24), (180, 30)])
def test_limits_belong_to_their_bracket(angle, price):
    """CA-38."""
    assert cost(piece("A", "wheeled"), f"turn_left {angle}") == price


@pytest.mark.parametrize("mobility", ["grav", "hover", "thruster", "tracked", "walker", "wheeled", "helicopter"])
def test_all_vehicles_turn_by_the_same_shares(mobility):
    """CA-36, CA-37."""
    unit = piece("A", mobility)
    rate = {"grav": 36, "hover": 30, "thruster": 48, "tracked": 30, "walker": 24, "wheeled": 36}.get(mobility, 36)
    shares = (Fraction(1, 6), Fraction(1, 3), Fraction(2, 3), Fraction(5, 6))
    assert [cost(unit, f"turn_left {angle}") for angle in (45, 90, 135, 180)] == [rate * one for one in shares]


@pytest.mark.parametrize(("mobility", "price"), [("on_foot", 1), ("gravpack", 2), ("powered_armor", 2), ("jetpack", 4)])
@pytest.mark.parametrize("angle", [1, 90, 180])
def test_infantry_pays_a_sixth_for_any_angle(mobility, price, angle):
    """CA-37."""
    assert cost(piece("A", mobility), f"turn_left {angle}") == price


def test_how_infantry_turns_is_an_option():
    """CA-37: infantry_turning."""
    foot = piece("A", "on_foot")
    assert cost(foot, "turn_left 180", options={"infantry_turning": "as_vehicles"}) == 5
    assert cost(foot, "turn_left 180", "forward 6", options={"infantry_turning": "free"}) == 6
    free = arms_game(foot, options={"infantry_turning": "free"}).reach("A")
    assert free.cost_at((0, 6)) == 6
    assert free.cost_at(Pose((-4, 4), 180)) == pytest.approx(4 * 2**0.5, abs=1e-3)


def test_rounding_is_an_option():
    """CA-45: turn_cost_rounding."""
    unit = piece("A", "grav", rate_current=22)
    assert cost(unit, "turn_left 45", options={"turn_cost_rounding": "exact"}) == Fraction(11, 3)


@pytest.mark.parametrize(
    ("elements", "price"),
    [
        (("turn_left 90", "turn_left 45"), 24),  # as 135
        (("turn_left 90", "forward 0.9", "turn_left 45"), 24.9),
        (("turn_left 90", "forward 0.5", "reverse 0.5", "turn_left 45"), 12 + 1.5 + 6),  # there and back is an inch
        (("turn_left 90", "turn_left 0", "turn_left 45"), 24),
        (("turn_left 90", "turn_right 45", "turn_left 45"), 24),  # the other sense ends the group
        (("turn_left 90", "climb 4", "turn_left 45"), 28),  # altitude is no travel
        (("turn_left 135", "turn_left 45"), 24 + 6),  # as 180
    ],
)
def test_rotations_of_one_sense_are_grouped(elements, price):
    """CA-46."""
    assert cost(piece("A", "grav"), *elements) == Fraction(str(price))


def test_rotations_beyond_180_degrees_cost_those_and_the_rest():
    """CA-46."""
    assert cost(piece("A", "thruster"), "turn_left 135", "turn_left 90") == 48  # 225 are 40 and 8
    assert arms_game(piece("A", "thruster")).breaches("A move: turn_left 180, turn_left 90")[0].clause == "CA-40"


@pytest.mark.parametrize(("separation", "price"), [(0, 18), (2, 25)])
def test_how_far_apart_groups_are_is_an_option(separation, price):
    """CA-46: turn_separation_inches."""
    orders = (
        ("turn_left 90", "forward 1", "turn_left 45") if separation else ("turn_left 90", "forward 0.5", "turn_left 45")
    )
    wanted = price if separation else Fraction(37, 2)
    assert cost(piece("A", "grav"), *orders, options={"turn_separation_inches": separation}) == wanted


def test_one_rotation_sweeps_half_a_turn_at_most():
    """CA-47."""
    (breach,) = arms_game(piece("A", "thruster", rate_original=96)).breaches("A move: turn_left 181")
    assert (breach.clause, breach.needed, breach.available) == ("CA-47", 181, 180)


def test_other_shares_can_be_set():
    """CA-37: turn_table is data."""
    tables = {"turn.default.grav.up_to": [90, 180], "turn.default.grav.share": ["1/6", "1/2"]}
    assert cost(piece("A", "grav"), "turn_left 90", tables=tables) == 6
    assert cost(piece("A", "grav"), "turn_left 91", tables=tables) == 18
    # Each type has shares of its own.
    assert cost(piece("A", "hover"), "turn_left 91", tables=tables) == 20


class TestCrews:
    """CA-16: who can turn a crewed weapon, and who cannot."""

    def test_without_wheels_it_turns_at_no_price_and_does_not_move(self):
        gun = piece("A", "crew_weapon", wheeled_chassis=False)
        assert cost(gun, "turn_left 170") == 0
        assert [one.clause for one in arms_game(gun).breaches("A move: turn_left 90, forward 1")] == ["CA-16"]
        reach = arms_game(gun).reach("A")
        assert reach.cost_at(Pose((0, 0), 200)) == 0
        assert reach.cost_at((0.5, 0)) is None
        assert next(reason.clause for reason in reach.why_not((3, 0)).reasons) == "CA-16"

    @pytest.mark.parametrize("wheels", [True, False])
    def test_without_crew_it_does_neither(self, wheels):
        gun = piece("A", "crew_weapon", wheeled_chassis=wheels, crew_present=0)
        assert [one.clause for one in arms_game(gun).breaches("A move: turn_left 90")] == ["CA-16"]
        reach = arms_game(gun).reach("A")
        assert reach.cost_at((0, 0)) == 0
        assert reach.cost_at(Pose((0, 0), 90)) is None

    @pytest.mark.parametrize(("angle", "band"), [(30, "slow"), (90, "slow"), (120, "moderate"), (180, "fast")])
    def test_its_rotation_counts_for_its_fire(self, angle, band):
        """E6 (CA-97, CA-99)."""
        gun = piece("A", "crew_weapon", wheeled_chassis=False)
        game = arms_game(gun, piece("B", "on_foot", (20, 0), "blue"))
        (shot,) = [event for event in game.do(f"A move: turn_left {angle}, fire at B").events if event.kind == "fires"]
        factors = {"slow": -1, "moderate": -2, "fast": -3}
        assert (shot.detail["band"], shot.detail["factor"]) == (band, factors[band])

    def test_a_short_crew_pushes_at_half_the_rate(self):
        """CA-17, CA-18."""
        assert cost(piece("A", "crew_weapon", crew_required=3), "turn_left 180", "forward 1") == 6
        assert cost(piece("A", "crew_weapon", crew_required=3, crew_present=1), "turn_left 180") == 3


def test_a_rotation_that_takes_the_last_of_an_allowance_is_made():
    """CA-40: what the judge lets pass by a hair is played as well."""
    for inches in ("9.99999999", "10.00000001"):
        game = arms_game(piece("A1", "wheeled", rate_original=12))
        assert not list(game.breaches(f"A1 move: forward {inches}, turn_left 45"))
        game.do(f"A1 move: forward {inches}, turn_left 45")
        assert game.state.unit("A1").heading == 45
