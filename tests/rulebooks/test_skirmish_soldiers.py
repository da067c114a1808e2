"""skirmish: what a soldier may be, what it has, who is whose enemy."""

from fractions import Fraction

import numpy as np
import pytest
from skirmish_tables import game_with

from simulator.engine.errors import OptionError
from simulator.engine.table import Table
from simulator.rulesets.skirmish import make_soldier
from simulator.rulesets.skirmish.units import (
    SOLDIER,
    allotment,
    ap_of_activation,
    bases_of,
    can_suffer,
    enemies,
    friends,
    is_enemy,
    radius_of,
    standing,
)

COUNTED = ("psq", "ins", "attack", "incoming_fire", "health", "ap", "ap_owed", "threshold_left")


def faults(**given):
    """The faults of the fields of a soldier, line by line."""
    try:
        SOLDIER.filled(given, "units.A1")
    except OptionError as error:
        assert error.path == "units.A1"
        return error.message.splitlines()
    return []


class TestFigures:
    """SK-58 to SK-63: figures that make no sense are refused, all at once."""

    @pytest.mark.parametrize("name", COUNTED)
    def test_what_is_counted_is_a_whole_number(self, name):
        for value in (0, 1, 1000):
            assert faults(**{name: value}) == []
        for value, told in ((-1, "-1"), (1001, "1001"), (1.5, "1.5"), (True, "yes"), ("six", "six")):
            (fault,) = faults(**{name: value})
            assert fault.startswith(f"{name}: expected a whole number from 0 to 1000, not {told} (SK-")

    def test_the_ap_of_an_activation_may_be_left_to_the_option(self):
        """SK-61."""
        assert faults(ap_per_activation=None) == []
        assert faults(ap_per_activation=4) == []
        assert faults(ap_per_activation=-2) == [
            "ap_per_activation: expected a whole number from 0 to 1000, not -2 (SK-61)"
        ]
        assert faults(psq=None) == ["psq: expected a whole number from 0 to 1000, not none (SK-58)"]

    @pytest.mark.parametrize("radius", [0.5, 1, 100, 1e-3, Fraction(1, 3)])
    def test_a_base_has_a_radius(self, radius):
        """SK-63."""
        assert faults(radius=radius) == []

    @pytest.mark.parametrize(
        ("radius", "told"),
        [(0, "0"), (-0.5, "-0.5"), (100.5, "100.5"), (True, "yes"), ("wide", "wide"), (None, "none")],
    )
    def test_what_is_no_radius(self, radius, told):
        """SK-63."""
        wants = "radius: expected a number of inches above 0 and up to 100"
        assert faults(radius=radius) == [f"{wants}, not {told} (SK-63)"]

    def test_all_faults_are_told_each_once(self):
        """Of a figure that is no value at all nothing more."""
        told = faults(stance="flying", colour="red", psq=-1, radius=-2)
        assert [line.partition(":")[0] for line in told] == ["colour", "radius", "psq", "stance"]
        told = faults(psq={1, 2}, ins={3})
        assert [line.partition(":")[0] for line in told] == ["psq", "ins"]

    def test_what_can_not_be_written_down_is_told_all_the_same(self):
        class Odd:
            def __repr__(self):
                return "something odd"

        (told,) = faults(radius=Odd())
        assert told.startswith("radius: ")
        assert "something odd" in told

    def test_what_is_not_given_is_as_the_register_has_it(self):
        """SK-58, SK-62, SK-63, SK-65."""
        found = SOLDIER.filled({"psq": 7})
        assert {name: found[name] for name in ("radius", "psq", "ins", "threshold_left", "stance", "status")} == {
            "radius": 0.5,
            "psq": 7,
            "ins": 6,
            "threshold_left": 3,
            "stance": "standing",
            "status": "not_activated",
        }


class TestSides:
    """SK-53 to SK-56: who blocks, and who is passed through."""

    def test_who_is_whose_enemy(self):
        others = (("A2", "red", (1, 2)), ("B1", "blue", (3, 4)), ("C1", "green", (5, 6)))
        table = game_with(others=others).table
        unit = table.unit("A1")
        assert [other.id for other in standing(table, unit)] == ["A2", "B1", "C1"]
        assert [other.id for other in enemies(table, unit)] == ["B1", "C1"]
        assert [other.id for other in friends(table, unit)] == ["A2"]
        assert is_enemy(unit, table.unit("B1"))
        assert not is_enemy(unit, table.unit("A2"))

    def test_who_is_off_the_table_is_in_nobodys_way(self):
        table = game_with(others=(("B1", "blue", (3, 4)), ("A2", "red", (1, 2)))).table
        gone = Table(table.setting, table.state.put_unit("B1", place=None).put_unit("A2", place=None))
        assert list(standing(gone, gone.unit("A1"))) == []

    def test_bases(self):
        units = [make_soldier("A1", "red", (1, 2)), make_soldier("B1", "blue", (3, 4), radius=1.25)]
        assert bases_of(units).tolist() == [[1, 2, 0.5], [3, 4, 1.25]]
        assert bases_of([]).shape == (0, 3)
        assert bases_of([make_soldier("A1", "red", (1, 2), radius=1)]).dtype == np.float64
        assert isinstance(radius_of(make_soldier("A1", "red", (1, 2), radius=1)), float)


class TestWhatIsLeft:
    """SK-39, SK-61, SK-62."""

    @pytest.mark.parametrize(("own", "option", "ap"), [(None, 3, 3), (None, 2, 2), (5, 3, 5), (0, 4, 0)])
    def test_the_ap_of_an_activation(self, own, option, ap):
        """Option ap_per_activation, unless the soldier has its own."""
        table = game_with(options={"ap_per_activation": option}, me={"ap_per_activation": own}).table
        assert allotment(table, table.unit("A1")) == ap

    @pytest.mark.parametrize(("owed", "left"), [(0, 3), (1, 2), (3, 0), (5, 0)])
    def test_dodges_are_paid_in_advance(self, owed, left):
        table = game_with().table
        assert ap_of_activation(table, table.unit("A1").put(ap_owed=owed)) == left

    @pytest.mark.parametrize(("left", "can"), [(0, False), (1, True), (3, True)])
    def test_threshold(self, left, can):
        assert can_suffer(make_soldier("A1", "red", (0, 0), threshold_left=left)) is can
