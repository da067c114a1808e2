"""Options and figures: declared once, typed, checked, replaceable."""

import pickle
from fractions import Fraction
from typing import ClassVar

import pytest

from simulator.engine.constraints import WORDS, whole_value
from simulator.engine.errors import OptionError
from simulator.engine.options import Options, list_option, number_option, option
from simulator.engine.tables import Tables


class House(Options):
    parity: str = option("GR-26", "pass", "turn", "never")
    carry_over: bool = option("GR-20", False, True)
    run_min: int = option("SK-30", 0, 9)
    endurance_min: object = option("ME-96", None, 1)
    tree_cost: object = number_option("CA-62", 1, "free", least=0, most=10)
    popup: object = list_option("CA-114", ["grav", "jetpack"], ["grav", "jetpack", "helicopter"])


class TestOptions:
    def test_the_defaults_are_those_of_the_register(self):
        house = House()
        assert (house.parity, house.carry_over, house.run_min, house.endurance_min) == ("pass", False, 0, None)
        assert (house.tree_cost, house.popup) == (1, ("grav", "jetpack"))
        assert house.changed == {}

    @pytest.mark.parametrize(
        ("name", "given", "value"),
        [
            ("parity", "never", "never"),
            ("parity", " Turn ", "turn"),
            ("carry_over", "true", True),
            ("carry_over", True, True),
            ("run_min", "9", 9),
            ("run_min", 9, 9),
            ("endurance_min", "null", None),
            ("endurance_min", "1", 1),
            ("tree_cost", "1/2", Fraction(1, 2)),
            ("tree_cost", 2.5, 2.5),
            ("tree_cost", "free", "free"),
            ("popup", "helicopter, grav", ("helicopter", "grav")),
            ("popup", [], ()),
        ],
    )
    def test_values_are_read_from_text_or_as_they_are(self, name, given, value):
        read = House(**{name: given})
        assert getattr(read, name) == value
        assert type(getattr(read, name)) is type(value)
        assert House(**read.changed) == read

    @pytest.mark.parametrize(
        ("given", "told"),
        [
            ({"partiy": "pass"}, "partiy: no such option; did you mean 'parity'?"),
            ({"parity": "nevr"}, "parity: 'nevr' is not one of its values; did you mean 'never'? (known: pass, "),
            ({"carry_over": "yes"}, "carry_over: 'yes' is not one of its values; known: false, true"),
            ({"carry_over": 1}, "carry_over: '1' is not one of its values"),
            ({"tree_cost": "much"}, "tree_cost: expected a number, not 'much'"),
            ({"tree_cost": -1}, "tree_cost: expected at least 0 and at most 10, not -1"),
            ({"tree_cost": "1/0"}, "tree_cost: expected a number"),
            ({"tree_cost": True}, "tree_cost: expected a number"),
            ({"popup": ["gravv"]}, "popup: 'gravv' is not one of its values; did you mean 'grav'?"),
            ({"popup": 3}, "popup: expected a list, not 3"),
            ({"popup": [3]}, "popup: expected a list of words, not 3"),
            ({"popup": ["grav", ["jetpack"]]}, 'popup: expected a list of words, not ["jetpack"]'),
        ],
    )
    def test_faults_say_what_would_be_right(self, given, told):
        with pytest.raises(OptionError) as caught:
            House(**given)
        assert told in str(caught.value)

    def test_all_faults_are_told_at_once(self):
        with pytest.raises(OptionError, match=r"(?s)parity.*carry_over"):
            House(parity="x", carry_over="x")

    def test_they_are_values(self):
        house = House(parity="turn")
        with pytest.raises(AttributeError, match="cannot be changed"):
            house.parity = "pass"
        assert house.put(parity="pass") == House()
        assert hash(house) == hash(House(parity="turn"))
        assert pickle.loads(pickle.dumps(house)) == house
        assert house != House()
        assert repr(house) == "House(parity='turn')"

    def test_a_ruleset_may_build_on_the_options_of_another(self):
        class More(House):
            extra: bool = option("GR-1", True, False)

        assert set(More.declared) == {*House.declared, "extra"}
        assert "extra" not in House.declared


TABLES = Tables.from_toml(
    """
[action.run]
clause = "ME-47"
ap = 2
[mp_per_inch]
clause = "ME-11"
open = true
[mp_per_inch.difficult]
wheel = 4
track = 0.1
[mp_per_inch.very_difficult]
wheel = "cant"
[bands]
clause = "GR-83"
taser = [5, 10, 15]
"""
)


class TestTables:
    def test_figures_are_exact_and_found_by_path(self):
        assert TABLES["mp_per_inch.difficult.track"] == Fraction(1, 10)
        assert TABLES["bands.taser"] == (5, 10, 15)
        assert TABLES["mp_per_inch.very_difficult"] == {"wheel": "cant"}
        assert list(TABLES) == [
            "action.run.ap",
            "bands.taser",
            "mp_per_inch.difficult.track",
            "mp_per_inch.difficult.wheel",
            "mp_per_inch.very_difficult.wheel",
        ]
        with pytest.raises(KeyError):
            TABLES["action.walk.ap"]

    def test_every_figure_has_the_clause_of_the_table_around_it(self):
        assert TABLES.clause("mp_per_inch.difficult.wheel") == "ME-11"
        assert TABLES.clause("action.run.ap") == "ME-47"
        assert TABLES.clause("nowhere") == ""

    def test_overrides_give_new_tables_and_are_remembered(self):
        mine = TABLES.override({"action.run.ap": 3}).override({"mp_per_inch.difficult.wheel": "cant"})
        assert (mine["action.run.ap"], mine["mp_per_inch.difficult.wheel"]) == (3, "cant")
        assert mine.overrides == {"action.run.ap": 3, "mp_per_inch.difficult.wheel": "cant"}
        assert TABLES["action.run.ap"] == 2

    def test_an_open_table_takes_new_rows_and_columns(self):
        mine = TABLES.override({"mp_per_inch.lava.hover": 1, "mp_per_inch.difficult.hover": 2})
        assert (mine["mp_per_inch.lava.hover"], mine["mp_per_inch.difficult.hover"]) == (1, 2)

    @pytest.mark.parametrize(
        ("path", "value", "told"),
        [
            ("action.run.app", 3, "action.run.app: no such figure; did you mean 'action.run.ap'?"),
            ("action.walk.ap", 3, "action.walk.ap: no such figure"),
            ("action.run.ap.more", 3, "no such figure"),
            ("action.run.ap", [3], "expected a number as in 2, not 3"),
            ("action.run.ap", True, "expected a number"),
            ("action.run", 3, "expected a table"),
            ("bands.taser", 5, "expected a list"),
            ("action.run.ap", {1, 2}, "plain data only"),
        ],
    )
    def test_faults_say_what_would_be_right(self, path, value, told):
        with pytest.raises(OptionError) as caught:
            TABLES.override({path: value})
        assert told in str(caught.value)

    def test_what_is_wanted_in_the_place_of_a_figure_is_told_with_its_clause(self):
        class Strict(Tables):
            wants: ClassVar = {"action": whole_value(0, 9), "action.run": whole_value(1, 9), "bands": WORDS}

        strict = Strict(TABLES.figures, TABLES.clauses, TABLES.open)
        mine = strict.override({"action.run.ap": 3})
        assert (type(mine), mine["action.run.ap"]) == (Strict, 3)
        with pytest.raises(OptionError) as caught:
            strict.override({"action.run.ap": 0, "bands.taser": [1, 2]})
        assert caught.value.message.splitlines() == [
            "action.run.ap: expected a whole number from 1 to 9, not 0 (ME-47)",
            "bands.taser: expected a list of words, not 1,2 (GR-83)",
        ]
        with pytest.raises(OptionError, match=r"action\.run\.ap: expected a whole number from 1 to 9, not 1\.5"):
            strict.override({"action": {"run": {"ap": 1.5}}})
