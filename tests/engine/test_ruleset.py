"""The form of a ruleset: units, the shelf, what is drawn; and that the engine knows no ruleset by name."""

import re
from pathlib import Path

import duel_ruleset
import pytest
import tiny_ruleset

import simulator.engine
from simulator.engine.constraints import WORD, WORDS, number_value, or_nothing, whole_value
from simulator.engine.errors import FaultyRule, OptionError, TableError
from simulator.engine.events import Event, change_unit
from simulator.engine.game import Game
from simulator.engine.orders import Goal, Order
from simulator.engine.questions import Roll
from simulator.engine.ruleset import Ruleset, Shelf, UnknownRuleset
from simulator.engine.state import State
from simulator.engine.table import Setting, Table
from simulator.engine.unit_types import REQUIRED, FieldSpec, UnitType
from simulator.geometry.squares import SquareGrid


class TestUnits:
    def test_fields_have_their_defaults(self):
        assert duel_ruleset.fighter("A1", "red", 2, shield=2).fields == {"ap": 0, "health": 3, "nerve": 1, "shield": 2}

    @pytest.mark.parametrize(
        ("fields", "told"),
        [
            ({"helth": 3}, "A1: helth: no such field of a fighter; did you mean 'health'?"),
            ({"shield": 3}, "A1: shield: no such value; known: 0, 1, 2"),
            ({"shield": True}, "A1: shield: no such value; known: 0, 1, 2"),
            ({"health": {1}}, "A1: health: the table holds plain data only"),
        ],
    )
    def test_faults_say_what_would_be_right(self, fields, told):
        with pytest.raises(OptionError) as caught:
            duel_ruleset.fighter("A1", "red", 2, **fields)
        assert told in str(caught.value)

    def test_what_is_required_has_to_be_given(self):
        kind = UnitType("tank", {"move": FieldSpec(REQUIRED, clause="ME-9")})
        with pytest.raises(OptionError, match="move: is required for a tank"):
            kind.filled({})
        assert kind.filled({"move": 6}) == {"move": 6}

    def test_a_value_is_the_listed_one_and_true_is_not_1(self):
        kind = UnitType("tank", {"moved": FieldSpec(False, (False, True)), "level": FieldSpec(0, (0, 1))})
        filled = kind.filled({"moved": True, "level": 1.0})
        assert (filled["moved"], type(filled["level"])) == (True, int)
        with pytest.raises(OptionError) as caught:
            kind.filled({"moved": 1, "level": True})
        assert caught.value.message.splitlines() == [
            "moved: no such value; known: false, true",
            "level: no such value; known: 0, 1",
        ]

    def test_what_is_wanted_is_told_with_the_clause(self):
        kind = UnitType(
            "tank",
            {
                "move": FieldSpec(6, clause="ME-9", wants=whole_value(0, 99)),
                "size": FieldSpec(1, wants=number_value("a number of inches", above=0)),
                "crew": FieldSpec(None, wants=or_nothing(WORD)),
                "skills": FieldSpec((), wants=WORDS),
            },
        )
        assert kind.filled({"move": 0, "size": 0.5, "crew": "bo", "skills": ["drive"]})["skills"] == ("drive",)
        assert kind.filled({"crew": None})["crew"] is None
        with pytest.raises(OptionError) as caught:
            kind.filled({"move": 2.5, "size": 0, "crew": 7, "skills": "drive"})
        assert caught.value.message.splitlines() == [
            "move: expected a whole number from 0 to 99, not 2.5 (ME-9)",
            "size: expected a number of inches above 0, not 0",
            "crew: expected a word, not 7",
            "skills: expected a list of words, not drive",
        ]

    def test_a_ruleset_need_not_have_options(self):
        class Plain(Ruleset):
            name = "plain"

        assert Setting.of(Plain(), SquareGrid.open(2, 2)).options.fields == {}
        with pytest.raises(OptionError, match="no such option; none is known"):
            Setting.of(Plain(), SquareGrid.open(2, 2), {"pace": "quick"})

    def test_an_unknown_type_is_told_so(self):
        with pytest.raises(OptionError, match=r"A1.type: no such type of unit; did you mean 'fighter'\?"):
            duel_ruleset.RULESET.make_unit("A1", "figther", "red", (0, 0))


class TestTable:
    def test_units_are_found_by_side_and_place(self, duel):
        table = duel.table
        assert [unit.id for unit in table.units("red")] == ["A1", "A2"]
        assert [unit.id for unit in table.units(other_than="red")] == ["B1", "B2"]
        assert [unit.id for unit in table.at((3, 0))] == ["B1"]
        assert (table.data["dead"], table.options.lunges, table.tables["ap.each_turn"]) == ((), True, 3)

    def test_a_rule_that_asks_nothing_can_be_played_on_it(self, duel):
        table, before = duel.table, duel.state
        table.play([Event("hurt", "A1", [change_unit("A1", health=1)], "DU-4")])
        assert (table.unit("A1")["health"], before.unit("A1")["health"]) == (1, 3)
        with pytest.raises(FaultyRule, match="here no question is allowed: A1: flinch"):
            table.play([Roll("flinch", who="A1", dice="D6")])

    def test_what_is_drawn(self, duel):
        duel.state = duel.state.put_unit("A1", heading=90).put_unit("A2", place=None)
        drawn = list(duel.ruleset.draw(duel.table))
        assert [(one.unit, one.side, one.place, one.heading) for one in drawn] == [
            ("A1", "red", (0, 0), 90),
            ("B1", "blue", (3, 0), None),
            ("B2", "blue", (7, 0), None),
        ]


class TestForm:
    def test_what_a_ruleset_does_not_fill_in_says_so(self, row):
        class Bare(Ruleset):
            name = "bare"
            options = tiny_ruleset.TinyOptions
            vocabulary = tiny_ruleset.RULESET.vocabulary

        bare = Bare()
        table = Table(Setting.of(bare, row), State())
        order = Game(table.setting, State()).ruleset.vocabulary
        assert list(bare.faults(table)) == []
        assert bare.data(table.setting) == {}
        with pytest.raises(NotImplementedError, match="bare has no judge"):
            bare.breaches(table, order)
        with pytest.raises(TableError, match="bare has no planner: list the elements of move one by one"):
            bare.plan(table, Order("w1", "move", goal=Goal((0, 0))))

    def test_options_and_figures_of_a_game_are_checked(self, row):
        with pytest.raises(OptionError, match="no such option"):
            Setting.of(duel_ruleset.RULESET, row, {"lunge": True})
        with pytest.raises(OptionError, match="no such figure"):
            Setting.of(duel_ruleset.RULESET, row, None, {"ap.each_go": 1})
        ready_made = duel_ruleset.DuelOptions(lunges=False)
        assert Setting.of(duel_ruleset.RULESET, row, ready_made).options is ready_made


class TestShelf:
    def test_a_ruleset_is_loaded_when_it_is_taken_down(self):
        shelf = Shelf({"tiny": "tiny_ruleset:RULESET", "duel": "duel_ruleset", "ghost": "no_such_module"})
        assert shelf["tiny"] is tiny_ruleset.RULESET
        assert shelf["duel"] is duel_ruleset.RULESET
        assert (list(shelf), len(shelf)) == (["tiny", "duel", "ghost"], 3)
        with pytest.raises(UnknownRuleset, match=r"^there is no ruleset 'dual'; did you mean 'duel'\?"):
            shelf["dual"]

    def test_installed_packages_may_add_to_it(self):
        assert list(Shelf({"tiny": "tiny_ruleset"}, group="simulator.no_such_group")) == ["tiny"]


def test_the_engine_knows_no_ruleset_by_name():
    """The rulebooks stand above the engine; one more, in tiny_ruleset.py, needs nothing but its form."""
    names = re.compile(r"combined_arms|mecha\b|skirmish|dot_trooper|grid_runner|rulesets\b(?! )")
    for path in sorted(Path(simulator.engine.__file__).parent.glob("*.py")):
        code = re.sub(r'""".*?"""|#.*', "", path.read_text(), flags=re.DOTALL)
        assert not names.search(code), path.name
