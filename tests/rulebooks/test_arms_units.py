"""What follows from the data of a piece in combined_arms: its column, its size and weight, its base, its crew."""

import pytest
from arms_games import TYPES, arms_game, piece

from simulator.engine.errors import OptionError
from simulator.rulesets.combined_arms import RULESET
from simulator.rulesets.combined_arms.movement import ends_aloft, fells_trees, least_of, meets, spending
from simulator.rulesets.combined_arms.units import (
    base_of,
    column_of,
    crew_of,
    is_enemy,
    is_vehicle,
    mobility_of,
    others,
    placed,
    size_of,
    weight_of,
)

DISTANCE = {"speed_band_basis": "distance_moved"}


def table_with(*units, **settings):
    return arms_game(*units, **settings).table


def pod(**fields):
    return RULESET.make_unit("A", "drop_pod", "red", (0, 0), 0, **{"rate_original": 36, "size_class": 4, **fields})


@pytest.mark.parametrize("mobility", TYPES)
def test_which_column_of_the_tables_is_its_own(mobility):
    """CA-37, CA-75: aircraft have one for all."""
    unit = piece("A", mobility)
    assert mobility_of(unit) == mobility
    assert column_of(unit) == ("aircraft" if TYPES[mobility] == "aircraft" else mobility)
    assert is_vehicle(unit) is (TYPES[mobility] in ("vehicle", "aircraft"))


def test_a_drop_pod_is_a_machine_like_aircraft():
    """CA-154."""
    assert (mobility_of(pod()), column_of(pod()), is_vehicle(pod())) == ("drop_pod", "aircraft", True)


class TestSizes:
    @pytest.mark.parametrize(
        ("mobility", "fields", "size"),
        [
            ("on_foot", {}, 1),
            ("on_foot", {"size_class": 2}, 2),
            ("crew_weapon", {}, 1),
            ("crew_weapon", {"size_class": 3}, 3),
            ("grav", {"size_class": 6}, 6),
            ("on_foot", {"size_class": 0}, 0),
        ],
    )
    def test_of_its_own_or_of_its_type(self, mobility, fields, size):
        """CA-104."""
        unit = piece("A", mobility, **fields)
        assert size_of(table_with(unit), unit) == size

    @pytest.mark.parametrize(
        ("fields", "weight"),
        [
            ({"size_class": 1}, "light"),
            ({"size_class": 3}, "light"),
            ({"size_class": 4}, "medium"),
            ({"size_class": 5}, "medium"),
            ({"size_class": 6}, "heavy"),
            ({"size_class": 9}, "heavy"),
            ({"size_class": 9, "weight_class": "light"}, "light"),
            ({"size_class": 1, "weight_class": "heavy"}, "heavy"),
        ],
    )
    def test_weights(self, fields, weight):
        """CA-60: and only light vehicles go round trees."""
        unit = piece("A", "wheeled", **fields)
        assert weight_of(table_with(unit), unit) == weight
        assert fells_trees(table_with(unit), unit) is (weight != "light")

    @pytest.mark.parametrize("mobility", ["on_foot", "crew_weapon", "helicopter"])
    def test_nobody_else_fells_trees(self, mobility):
        """CA-60."""
        unit = piece("A", mobility, size_class=6)
        assert fells_trees(table_with(unit), unit) is False


class TestBases:
    """CA-48."""

    def test_none_is_a_point(self):
        assert base_of(piece("A", "on_foot")).reach == 0

    def test_a_radius(self):
        unit = piece("A", "on_foot", (3, 4), base=0.5)
        assert base_of(unit).reach == 0.5
        assert placed(unit).polygon.bounds == pytest.approx((2.5, 3.5, 3.5, 4.5), abs=0.01)

    def test_corners_around_its_reference_point(self):
        unit = piece("A", "wheeled", (3, 4), base=((2, 1), (2, -1), (-1, -1), (-1, 1)), heading=90)
        assert placed(unit).polygon.bounds == pytest.approx((2, 3, 4, 6))


@pytest.mark.parametrize(
    ("fields", "crew"),
    [({}, 1), ({"crew_required": 3}, 3), ({"crew_required": 3, "crew_present": 2}, 2), ({"crew_present": 0}, 0)],
)
def test_crews(fields, crew):
    """CA-16, CA-18."""
    assert crew_of(piece("A", "crew_weapon", **fields)) == crew


def test_who_else_is_there():
    units = [
        piece("A", "grav"),
        piece("B", "on_foot", (9, 0), "blue"),
        piece("C", "on_foot", None, carrier="A"),
        piece("D", "on_foot", (0, 9)),
    ]
    assert [one.id for one in others(table_with(*units), units[0])] == ["B", "D"]
    assert is_enemy(units[0], units[1]) is True
    assert is_enemy(units[0], units[3]) is False


@pytest.mark.parametrize(("apart", "met"), [(0, True), (0.9, True), (1, False), (1.1, False)])
def test_how_far_above_one_another_pieces_pass(apart, met):
    """CA-81: an inch, either way."""
    table = table_with(piece("A", "grav"))
    assert meets(table, 3, 3 + apart) is meets(table, 3 + apart, 3) is met
    assert meets(table_with(piece("A", "grav"), tables={"clearance.inches": 0.5}), 3, 3 + apart) is (apart == 0)


class TestEndingAloft:
    """CA-86."""

    FLY = ("gravpack", "jetpack", "grav", "hover", "thruster", "helicopter", "hoverjet", "hoverprop")

    @pytest.mark.parametrize("mobility", TYPES)
    def test_who_may(self, mobility):
        unit = piece("A", mobility)
        assert ends_aloft(table_with(unit), unit) is (mobility in self.FLY)
        only = table_with(unit, options={"end_aloft": ("grav",)})
        assert ends_aloft(only, unit) is (mobility == "grav")

    def test_what_its_data_say_goes_first(self):
        lands, hovers = piece("A", "grav", can_hover=False), piece("A", "grav", can_hover=True)
        assert ends_aloft(table_with(lands), lands) is False
        assert ends_aloft(table_with(hovers, options={"end_aloft": ("jetpack",)}), hovers) is True


class TestSpending:
    """CA-2, CA-98: its allowance, and no more than the band that it declared with a shot."""

    @pytest.mark.parametrize(
        ("fields", "most"),
        [
            ({}, 36),
            ({"declared_band": "fast"}, 36),
            ({"declared_band": "moderate"}, 24),
            ({"declared_band": "slow"}, 12),
            ({"declared_band": "stationary"}, 0),
            ({"declared_band": "moderate", "damage_level": 2}, 12),
            ({"declared_band": "moderate", "busy_until": 1}, 24),
            ({"declared_band": "moderate", "busy_until": 2}, 12),
        ],
    )
    def test_in_inches_of_allowance(self, fields, most):
        unit = piece("A", "grav", **fields)
        found = spending(table_with(unit), unit)
        assert (found.budget, found.covered, found.travelled, found.rotation) == (most, None, None, None)

    @pytest.mark.parametrize(
        ("fields", "most", "covered"),
        [
            ({}, 36, None),
            ({"declared_band": "slow"}, 36, 12),
            ({"declared_band": "fast", "damage_level": 1}, 24, 24),
            ({"declared_band": "slow", "damage_level": 1}, 24, 12),
            ({"declared_band": "moderate", "damage_level": 2}, 12, 12),
        ],
    )
    def test_in_inches_covered(self, fields, most, covered):
        """CA-89, CA-90, CA-96."""
        unit = piece("A", "grav", **fields)
        found = spending(table_with(unit, options=DISTANCE), unit)
        assert (found.budget, found.covered) == (most, covered)

    def test_the_least_of_limits(self):
        assert [least_of(), least_of(None), least_of(3, None, 2), least_of(None, 0)] == [None, None, 2, 0]


class TestData:
    """CA-48, CA-119: what a base is, and where doors are, to 100 inches from the reference point."""

    @pytest.mark.parametrize("base", [None, 0.1, 1, 100, ((100, 0), (0, 1), (-1, 0)), ((1, 1), (-1, 0), (1, -1))])
    def test_bases(self, base):
        assert piece("A", "on_foot", base=base)["base"] == base
        assert not list(arms_game(piece("A", "on_foot", base=base)).faults)

    @pytest.mark.parametrize(
        "base",
        [
            0,
            -1,
            100.5,
            "x",
            "round",
            True,
            ((101, 0), (0, 1), (-1, 0)),
            ((0, 0), (1, 1)),
            ((0, 0), (1, "x"), (1, 0)),
            (1, 2),
        ],
    )
    def test_no_bases(self, base):
        with pytest.raises(OptionError, match="base: expected a radius in inches, or a list of corners"):
            arms_game(piece("A", "on_foot", base=base))

    @pytest.mark.parametrize("doors", [(), ((0, 0),), ((100, -100),), ((-100, 100), (1, 2))])
    def test_doors(self, doors):
        assert not list(arms_game(piece("A", "wheeled", doors=doors)).faults)

    @pytest.mark.parametrize(
        "doors",
        [
            3,
            (3,),
            ((0,),),
            ((0, 0, 0),),
            ((101, 0),),
            ((-101, 0),),
            ((0, 101),),
            ((0, "x"),),
            (("x", 0),),
            ("xy",),
            ((0, 0), (0, 101)),
        ],
    )
    def test_no_doors(self, doors):
        with pytest.raises(OptionError, match="doors: expected a list of places x, y in inches"):
            arms_game(piece("A", "wheeled", doors=doors))
