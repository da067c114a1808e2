"""The form of a ruleset: what is missing or does not belong is reported as a whole, before anybody plays."""

import sys
from types import ModuleType

import duel_ruleset
import pytest

from simulator.engine.declared import QuestionForm
from simulator.engine.questions import Roll
from simulator.engine.ruleset import BrokenRuleset, Ruleset, Shelf, filled_in
from simulator.engine.ruleset_form import form_faults
from simulator.rulebook import FieldSpec, Options, Reads, TurnClock, UnitType, list_option, whole_value
from simulator.rulesets import OURS, shelf


def changed(**parts):
    return type("Changed", (duel_ruleset.DuelRuleset,), parts)()


class OddList(Options):
    words = list_option("DU-1", ["one", "six"], ["one", "two"])


@pytest.mark.parametrize(
    ("parts", "fault"),
    [
        ({"name": None}, "name: is missing: one word, by which scenarios call it"),
        ({"vocabulary": None}, "vocabulary: is missing: a Vocabulary of the actions and their elements"),
        ({"boards": (), "reads": {}}, "boards: is missing: one or several of squares, dots, table"),
        ({"boards": "dots", "reads": {}}, "boards: expected a tuple of kinds of board, not 'dots': write ('dots',)"),
        (
            {"boards": ("square",)},
            "boards: there is no kind of board 'square'; did you mean 'squares'? (known: squares, dots, table)",
        ),
        (
            {"reads": {"tables": []}},
            "reads: there is no kind of board 'tables'; did you mean 'table'? (known: squares, dots, table)",
        ),
        (
            {"reads": {"squares": ["impeded"]}},
            "reads['squares']: expected Reads, such as Reads('impeded', 'CO-2'), not 'impeded'",
        ),
        (
            {"reads": {"squares": [Reads("terrain", figure="names.knigt")]}},
            "reads['squares']: there is no figure 'names.knigt'; did you mean 'names.knight'? "
            "(known: ap.each_turn, names.knight)",
        ),
        ({"unit_types": {"fighter": "ap"}}, "unit_types['fighter']: expected a UnitType, not 'ap'"),
        (
            {"unit_types": {"fighter": UnitType("fighter", {"ap": 3})}},
            "unit_types['fighter'].ap: expected a FieldSpec, such as FieldSpec(3), not 3",
        ),
        (
            {"unit_types": {"fighter": UnitType("fighter", {"ap": FieldSpec(-1, wants=whole_value(0, 9))})}},
            "unit_types['fighter'].ap: its default does not fit: expected a whole number from 0 to 9, not -1",
        ),
        (
            {"options": OddList},
            "options.words: its default does not fit: 'six' is not one of its values; known: one, two",
        ),
        ({"options": {}}, "options: expected a class derived from Options, not {}"),
        ({"clock": TurnClock}, f"clock: expected an instance of TurnClock, not {TurnClock!r}: write TurnClock()"),
        ({"tables": {"ap": 3}}, "tables: expected an instance of Tables, not {'ap': 3}"),
        (
            {"phrases": {"step": "goes to {place"}},
            "phrases['step']: a blank reads like {place} or {points:point}, unlike in 'goes to {place'",
        ),
        (
            {"questions": {"fire": "whether it fires"}},
            "questions['fire']: expected a QuestionForm, such as QuestionForm(Roll, 'to hit'), not 'whether it fires'",
        ),
        (
            {"questions": {"fire": QuestionForm(int, "")}},
            f"questions['fire']: its sort is Roll, Choose or React, not {int!r}",
        ),
        (
            {"questions": {"fire": QuestionForm(Roll, "", words={"weapon": ("gun",)})}},
            "questions['fire']: its name has no blank {weapon}",
        ),
        (
            {"questions": {"fire {weapon}": QuestionForm(Roll, "", words={"weapon": "guns"})}},
            "questions['fire {weapon}']: there is no figure 'guns'; known: ap.each_turn, names.knight",
        ),
        ({"reaches": ["walk"]}, "reaches: expected a mapping of actions to what is answered, not ['walk']"),
    ],
)
def test_each_part_that_does_not_fit_is_named(parts, fault):
    assert list(form_faults(changed(**parts))) == [fault]


def test_all_faults_are_reported_at_once():
    with pytest.raises(BrokenRuleset) as error:
        filled_in(changed(boards=("hexes",), clock=None, reads={}))
    lines = str(error.value).splitlines()
    assert lines[0] == f"Changed of {__name__} is not filled in correctly"
    assert [line.partition(":")[0] for line in lines[1:]] == ["  clock", "  boards"]


def test_a_bare_form_is_told_what_it_needs():
    assert [fault.partition(":")[0] for fault in form_faults(Ruleset())] == ["name", "vocabulary", "boards"]


@pytest.mark.parametrize("name", OURS)
def test_ours_are_filled_in(name):
    assert filled_in(shelf()[name]) is shelf()[name]


class TestLoading:
    @pytest.fixture
    def module(self, monkeypatch):
        made = ModuleType("odd_rules")
        monkeypatch.setitem(sys.modules, "odd_rules", made)
        return made

    @pytest.mark.parametrize(
        ("ruleset", "message"),
        [
            (duel_ruleset.DuelRuleset, "DuelRuleset is a class: make a ruleset of it, DuelRuleset()"),
            ("duel", "'duel' is not a Ruleset"),
            (duel_ruleset.RULESET, "its name is 'duel', and its entry point needs the same one"),
            (changed(name="odd", boards=()), f"Changed of {__name__} is not filled in correctly\n  boards: is missing"),
        ],
    )
    def test_what_is_no_ruleset_of_that_name_is_refused(self, module, ruleset, message):
        module.RULESET = ruleset
        with pytest.raises(BrokenRuleset) as error:
            Shelf({"odd": "odd_rules"})["odd"]
        assert str(error.value).startswith(f"the ruleset 'odd' cannot be loaded from odd_rules: {message}")

    @pytest.mark.parametrize(
        ("source", "message"),
        [
            ("x = 1\ny = {}['clause']\n", "lying_rules.py:2: KeyError: 'clause'"),
            ("from simulator.rulebook import Phase\nPhase('p', 'al')\n", "lying_rules.py:2: ValueError: the order of"),
            ("import nowhere\n", "No module named 'nowhere'"),
            ("def breaches:\n", "SyntaxError: expected '(' (lying_rules.py, line 1)"),
            ("x = 1\n", "AttributeError: module 'lying_rules' has no attribute 'RULESET'"),
        ],
    )
    def test_what_goes_wrong_when_its_module_is_read_is_reported_with_the_line(
        self, tmp_path, monkeypatch, source, message
    ):
        (tmp_path / "lying_rules.py").write_text(source)
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.delitem(sys.modules, "lying_rules", raising=False)
        with pytest.raises(BrokenRuleset) as error:
            Shelf({"lying": "lying_rules"})["lying"]
        assert str(error.value).startswith(f"the ruleset 'lying' cannot be loaded from lying_rules: {message}")
