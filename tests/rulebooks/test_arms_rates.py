"""Rates and directions of combined_arms asked for directly: each type, with its damage, its crew and its options."""

from fractions import Fraction

import pytest
from arms_games import arms_game, piece

from simulator.engine.orders import Element
from simulator.rulesets.combined_arms import RULESET
from simulator.rulesets.combined_arms.rates import (
    current_rate,
    damage_level_of,
    mode_of,
    modes_of,
    original_rate,
    turns_freely,
)

HALF = Fraction(2)  # half the rate: twice the price


def table_with(unit, **settings):
    return arms_game(unit, **settings).table


def pod(place=(0, 0), **fields):
    return RULESET.make_unit("A", "drop_pod", "red", place, 0, rate_original=36, size_class=4, **fields)


class TestOfDropPods:
    """CA-154: they come down with their rate, and do not move afterwards."""

    @pytest.mark.parametrize(("altitude", "rate"), [(36, 36), (Fraction(1, 2), 36), (0, 0)])
    def test_aloft_and_on_the_ground(self, altitude, rate):
        unit = pod(altitude=altitude)
        assert (original_rate(table_with(unit), unit), current_rate(table_with(unit), unit)) == (36, rate)

    def test_before_it_comes(self):
        unit = pod(None, enters_on=2)
        assert current_rate(table_with(unit), unit) == 36


class TestDamageLevels:
    """CA-87, CA-91, CA-93."""

    @pytest.mark.parametrize(("level", "counts"), [(0, 0), (1, 1), (2, 2), (3, 3), (4, 3), (9, 3)])
    def test_no_more_than_three(self, level, counts):
        unit = piece("A", "grav", damage_level=level)
        assert damage_level_of(table_with(unit), unit) == counts

    @pytest.mark.parametrize(
        ("rate", "level"),
        [(36, 0), (Fraction(49, 2), 0), (24, 1), (Fraction(25, 2), 1), (12, 2), (1, 2), (Fraction(1, 9), 2), (0, 3)],
    )
    def test_of_a_rate_that_is_set_by_thirds_of_the_undamaged_one(self, rate, level):
        unit = piece("A", "grav", rate_current=rate)
        assert damage_level_of(table_with(unit), unit) == level

    def test_the_grade_of_the_model_counts(self):
        """CA-23: 24 of a slow grav vehicle is all it has."""
        unit = piece("A", "grav", speed_grade="slow", rate_current=24)
        assert damage_level_of(table_with(unit), unit) == 0
        assert damage_level_of(table_with(unit, options={"vehicle_rate_system": "basic"}), unit) == 1

    @pytest.mark.parametrize(("mobility", "fields"), [("on_foot", {}), ("crew_weapon", {"crew_present": 0})])
    def test_infantry_and_crewed_weapons_have_none(self, mobility, fields):
        unit = piece("A", mobility, **fields)
        assert damage_level_of(table_with(unit), unit) == 0


@pytest.mark.parametrize(
    ("mobility", "fields", "freely"),
    [
        ("crew_weapon", {"wheeled_chassis": False}, True),
        ("crew_weapon", {"wheeled_chassis": False, "crew_required": 3, "crew_present": 1}, True),
        ("crew_weapon", {"wheeled_chassis": False, "crew_present": 0}, False),
        ("crew_weapon", {}, False),
        ("on_foot", {}, False),
        ("grav", {"damage_level": 3}, False),
    ],
)
def test_who_rotates_without_an_allowance(mobility, fields, freely):
    """CA-16: a weapon without wheels, with a man to turn it."""
    assert turns_freely(piece("A", mobility, **fields)) is freely


class TestDirections:
    """CA-13 to CA-15, CA-19, CA-27 to CA-34: each way, with how many times the price of ground it costs."""

    @pytest.mark.parametrize(
        ("mobility", "fields", "options", "reverse", "sideways"),
        [
            ("on_foot", {}, {}, HALF, HALF),
            ("jetpack", {}, {}, HALF, HALF),
            ("on_foot", {"jointed_sideways": True}, {}, HALF, 1),
            ("gravpack", {"jointed_sideways": True}, {}, HALF, HALF),
            ("gravpack", {"jointed_sideways": True}, {"jointed_infantry_sideways": "all_infantry"}, HALF, 1),
            ("powered_armor", {}, {"jointed_infantry_sideways": "all_infantry"}, HALF, HALF),
            ("crew_weapon", {}, {}, HALF, None),
            ("crew_weapon", {}, {"crew_weapon_sideways": "half"}, HALF, HALF),
            ("grav", {}, {}, HALF, HALF),
            ("grav", {"dual_driver": True}, {}, 1, HALF),
            ("hover", {}, {}, HALF, HALF),
            ("thruster", {}, {}, HALF, HALF),
            ("walker", {}, {}, HALF, HALF),
            ("walker", {"jointed_sideways": True}, {}, HALF, 1),
            ("hover", {"jointed_sideways": True}, {"jointed_infantry_sideways": "all_infantry"}, HALF, HALF),
            ("tracked", {}, {}, HALF, None),
            ("tracked", {"dual_driver": True}, {}, 1, None),
            ("wheeled", {}, {}, HALF, None),
            ("helicopter", {}, {}, HALF, HALF),
        ],
    )
    def test_what_they_cost(self, mobility, fields, options, reverse, sideways):
        unit = piece("A", mobility, **fields)
        found = {mode.name: (mode.aside, mode.factor) for mode in modes_of(table_with(unit, options=options), unit)}
        wanted = {"forward": (0, 1), "reverse": (180, reverse)}
        if sideways is not None:
            wanted |= {"sideways_left": (90, sideways), "sideways_right": (-90, sideways)}
        assert found == wanted

    def test_other_factors_can_be_set(self):
        unit = piece("A", "grav")
        table = table_with(unit, tables={"travel.reverse": 3, "travel.sideways": 4})
        assert [mode.factor for mode in modes_of(table, unit)] == [1, 3, 4, 4]

    @pytest.mark.parametrize(("mobility", "factor"), [("grav", HALF), ("tracked", None)])
    def test_oblique_travel_costs_as_much_as_sideways(self, mobility, factor):
        """CA-27: direction_model."""
        unit = piece("A", mobility)
        *_, last = modes_of(table_with(unit, options={"direction_model": "oblique_half"}), unit)
        assert (last.name, last.aside, last.factor) == (("oblique", None, factor) if factor else ("reverse", 180, HALF))

    @pytest.mark.parametrize(
        ("element", "aside"),
        [
            (Element("forward", {"inches": 1}), 0),
            (Element("reverse", {"inches": 1}), 180),
            (Element("sideways_left", {"inches": 1}), 90),
            (Element("sideways_right", {"inches": 1}), -90),
            (Element("oblique_left", {"inches": 1, "aside": 30}), 30),
            (Element("oblique_right", {"inches": 1, "aside": 30}), -30),
        ],
    )
    @pytest.mark.parametrize(("mobility", "model"), [("grav", "oblique_half"), ("tracked", "four_way")])
    def test_the_direction_of_a_leg(self, element, aside, mobility, model):
        """CA-27, CA-33: also of one in which the piece does not travel, which the judge then names."""
        unit = piece("A", mobility)
        modes = modes_of(table_with(unit, options={"direction_model": model}), unit)
        found = mode_of(element, modes)
        assert found.aside % 360 == aside % 360
        assert found.bound is element.name.startswith("oblique")
        assert found.name == ("oblique" if found.bound else element.name)
        if mobility == "grav":
            assert found.factor == (1 if aside == 0 else 2)
