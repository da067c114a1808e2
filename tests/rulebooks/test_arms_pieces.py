"""Pieces of combined_arms made of the register's data: rates, directions, crews, and faults of a file."""

from fractions import Fraction

import pytest
from arms_games import arms_game, piece, scenario_of

from simulator.engine.errors import OptionError
from simulator.errors import FileError
from simulator.formats.scenarios import parse_scenario
from simulator.rulesets.combined_arms import RULESET
from simulator.rulesets.combined_arms.rates import current_rate, original_rate

#: CA-10, CA-22 and CA-23 as printed.
INFANTRY = {"on_foot": 6, "gravpack": 12, "jetpack": 24, "powered_armor": 12}
VEHICLES = {
    "grav": (36, 30, 24),
    "hover": (30, 24, 18),
    "thruster": (48, 42, 36),
    "tracked": (30, 24, 18),
    "walker": (24, 18, 12),
    "wheeled": (36, 30, 24),
}


def rates(unit, **settings):
    table = arms_game(unit, **settings).table
    return original_rate(table, unit), current_rate(table, unit)


def farthest(unit, mode="forward", **settings):
    """The longest leg in a direction, by orders: to a tenth of an inch."""
    game, low, high = arms_game(unit, **settings), 0, 600
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if not game.breaches(f"A move: {mode} {middle / 10}") else (low, middle)
    return low / 10


class TestRates:
    @pytest.mark.parametrize(("mobility", "rate"), INFANTRY.items())
    def test_infantry(self, mobility, rate):
        """CA-1, CA-9, CA-10, CA-11."""
        assert rates(piece("A", mobility)) == (rate, rate)

    @pytest.mark.parametrize("mobility", VEHICLES)
    def test_vehicles_have_a_grade_or_not(self, mobility):
        """CA-21, CA-22, CA-23, CA-24: vehicle_rate_system."""
        fast, average, slow = VEHICLES[mobility]
        assert rates(piece("A", mobility)) == (fast, fast)
        assert rates(piece("A", mobility, speed_grade="average")) == (average, average)
        assert rates(piece("A", mobility, speed_grade="slow")) == (slow, slow)
        basic = {"options": {"vehicle_rate_system": "basic"}}
        assert rates(piece("A", mobility, speed_grade="slow"), **basic) == (fast, fast)

    def test_a_rate_of_its_own(self):
        """CA-25, CA-26."""
        assert rates(piece("A", "grav", rate_original=54)) == (54, 54)
        assert rates(piece("A", "hoverjet", rate_original=60)) == (60, 60)

    @pytest.mark.parametrize("rate", [12, 18, 24, 30, 36, 42, 48])
    def test_damage_takes_thirds(self, rate):
        """CA-87."""
        found = [rates(piece("A", "grav", rate_original=rate, damage_level=level))[1] for level in range(5)]
        assert found == [rate, rate * 2 // 3, rate // 3, 0, 0]

    def test_what_each_level_leaves_is_an_option(self):
        """CA-87: damage_level_rates."""
        options = {"damage_level_rates": "1, 1/2, 1/4, 0"}
        assert [rates(piece("A", "grav", damage_level=level), options=options)[1] for level in range(4)] == [
            36,
            18,
            9,
            0,
        ]
        assert RULESET.options(damage_level_rates=[1, "2/3", 0.25, 0]).damage_level_rates[2] == Fraction(1, 4)
        for wrong in ("1, 2, 3", "0, 1, 1, 1", "one, 2/3, 1/3, 0", 3):
            with pytest.raises(OptionError, match="expected four shares"):
                RULESET.options(damage_level_rates=wrong)

    def test_a_rate_set_by_a_damage_system_holds(self):
        """CA-91."""
        assert rates(piece("A", "grav", rate_current=22)) == (36, 22)

    def test_crews(self):
        """CA-16, CA-17, CA-18, CA-20."""
        assert rates(piece("A", "crew_weapon", crew_required=3)) == (6, 6)
        assert rates(piece("A", "crew_weapon", crew_required=3, crew_present=1)) == (6, 3)
        assert rates(piece("A", "crew_weapon", crew_required=3, crew_present=0)) == (6, 0)
        assert rates(piece("A", "crew_weapon", wheeled_chassis=False)) == (0, 0)


class TestDirections:
    """CA-27 to CA-35: how far each goes each way with its rate."""

    @pytest.mark.parametrize(
        ("mobility", "fields", "reverse", "sideways"),
        [
            ("on_foot", {}, 3, 3),  # CA-13, CA-14
            ("gravpack", {}, 6, 6),
            ("on_foot", {"jointed_sideways": True}, 3, 6),  # CA-15
            ("gravpack", {"jointed_sideways": True}, 6, 6),
            ("crew_weapon", {}, 3, 0),  # CA-19
            ("grav", {}, 18, 18),  # CA-29, CA-31
            ("grav", {"dual_driver": True}, 36, 18),  # CA-30
            ("hover", {}, 15, 15),
            ("thruster", {}, 24, 24),
            ("walker", {}, 12, 12),
            ("walker", {"jointed_sideways": True}, 12, 24),  # CA-32
            ("tracked", {}, 15, 0),  # CA-33
            ("wheeled", {}, 18, 0),
            ("helicopter", {}, 18, 18),  # CA-34
        ],
    )
    def test_each_way(self, mobility, fields, reverse, sideways):
        """CA-13, CA-14, CA-15, CA-19, CA-29 to CA-34: and CA-32 for walkers that are jointed."""
        unit = piece("A", mobility, **fields)
        assert farthest(unit, "reverse") == reverse
        assert farthest(unit, "sideways_left") == farthest(unit, "sideways_right") == sideways

    @pytest.mark.parametrize(
        ("mobility", "clause"), [("tracked", "CA-33"), ("wheeled", "CA-33"), ("crew_weapon", "CA-19")]
    )
    def test_who_has_no_sideways_is_told_so(self, mobility, clause):
        (breach,) = arms_game(piece("A", mobility)).breaches("A move: sideways_left 1")
        assert breach.clause == clause

    def test_jointed_infantry_is_an_option(self):
        """CA-15: jointed_infantry_sideways."""
        unit = piece("A", "gravpack", jointed_sideways=True)
        assert farthest(unit, "sideways_left", options={"jointed_infantry_sideways": "all_infantry"}) == 12

    def test_crewed_weapons_sideways_are_an_option(self):
        """CA-19: crew_weapon_sideways."""
        assert farthest(piece("A", "crew_weapon"), "sideways_left", options={"crew_weapon_sideways": "half"}) == 3

    def test_directions_may_change_at_no_price(self):
        """CA-28."""
        orders = "A move: forward 2, sideways_left 2, reverse 2, forward 2"
        assert arms_game(piece("A", "grav")).do(orders).ledger.total("inches") == 2 + 4 + 4 + 2

    def test_mode_and_terrain_multiply(self):
        """CA-35, CA-4."""
        bog = {"id": "bog", "kind": "soft_ground", "rectangle": {"centre": [0, 0], "size": [40, 40]}}
        unit = {"type": "vehicle", "mobility": "walker", "size_class": 4, "side": "red", "at": [0, 0], "heading": 0}
        order = {"order": "A move: sideways_left 3", "cost": {"inches": 12}}
        assert scenario_of({"pieces": [bog], "units": {"A": unit}, "turns": [[order]]}).run().ok


class TestFiles:
    """What is wrong with a piece is a fault of the file, at its line."""

    def faults(self, line):
        text = f"""format: 1
ruleset: combined_arms
board: {{board: table, size: [40, 40]}}
units:
  {line}
"""
        with pytest.raises(FileError) as error:
            parse_scenario(text, "pieces.yaml", rulesets={"combined_arms": RULESET})
        return str(error.value)

    @pytest.mark.parametrize(
        ("fields", "message"),
        [
            (
                "type: vehicle, mobility: grav, size_class: 5, rate_original: 20",
                "expected a multiple of 6 inches above 0",
            ),
            ("type: aircraft, mobility: hoverjet, size_class: 5", "rate_original: is required"),  # CA-26
            ("type: aircraft, mobility: hoverjet, size_class: 5, rate_original: 40", "expected a multiple of 6"),
            ("type: vehicle, mobility: grav", "size_class: is required"),
            ("type: vehicle, mobility: on_foot, size_class: 5", "no such value"),
            ("type: infantry, mobility: grav", "no such value"),
            ("type: infantry, damage_level: 1", "no such field of an infantry"),  # CA-93
            ("type: infantry, base: 0", "expected a radius in inches, or a list of corners"),
            ("type: infantry, base: [[0, 0], [1, 1]]", "expected a radius in inches, or a list of corners"),
            (
                "type: infantry, base: [[0, 0], [2, 2], [2, 0], [0, 2]]",
                "expected a radius in inches, or a list of corners",
            ),
            ("type: infantry, altitude: -1", "expected a number of inches from 0 to 1000"),
        ],
    )
    def test_a_faulty_piece(self, fields, message):
        """CA-25."""
        found = self.faults(f"A: {{side: red, at: [4, 4], heading: 0, {fields}}}")
        assert found.startswith("pieces.yaml:5:")
        assert message in found

    def test_a_table_with_a_rate_that_is_no_multiple_of_six(self):
        """CA-25."""
        with pytest.raises(
            OptionError, match=r"vehicle_rate\.fast\.grav: expected a multiple of 6 inches above 0, not 20"
        ):
            RULESET.tables.override({"vehicle_rate.fast.grav": 20})

    @pytest.mark.parametrize(
        ("path", "value"),
        [
            ("turn.default.grav.up_to", [90, 180]),
            ("turn.default.grav.share", ["1/3", "1/6", "2/3", "5/6"]),
            ("turn.default.grav.share", ["1/6", "x", "2/3", "5/6"]),
            ("turn.default.grav.up_to", [45, 90, 135, 170]),
            ("rotation_band.band", ["slow"]),
            ("rotation_band.band", ["slow", "slow", "quick", "fast"]),
            ("terrain.road.tracked", 0),
            ("terrain.road.tracked", "impassable"),
            ("altitude_limit.grav", "high"),
            ("altitude_limit.grav", -1),
            ("overrun.factor", "1/2"),
        ],
    )
    def test_other_figures_that_make_no_sense(self, path, value):
        with pytest.raises(OptionError, match="expected"):
            RULESET.tables.override({path: value})


def test_every_option_of_the_register_is_declared():
    assert len(RULESET.options.declared) == 34
