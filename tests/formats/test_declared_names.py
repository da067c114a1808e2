"""Kinds of events and names of questions in a scenario are those that the rulebook declares."""

import json
from pathlib import Path

import pytest
from nonsense_expectations import SCENES as SMALL_SCENES

from simulator.engine.declared import event_kinds, form_named, names_of
from simulator.engine.phrases import CLOCK_KINDS
from simulator.engine.questions import React, Roll
from simulator.errors import FileError
from simulator.formats.scenarios import load_scenario, parse_scenario
from simulator.rulesets import shelf

ROOT = Path(__file__).resolve().parents[2]
OURS = ("combined_arms", "dot_trooper", "grid_runner", "mecha", "skirmish")
SCENES = {
    **SMALL_SCENES,
    "combined_arms": {
        "board": {"board": "table", "size": [24, 24]},
        "units": {
            "a": {"type": "infantry", "side": "red", "at": [4, 4], "heading": 0},
            "b": {"type": "infantry", "side": "blue", "at": [20, 20], "heading": 180},
        },
        "order": "a move: forward 1",
    },
    "mecha": {
        "board": {"board": "table", "size": [24, 24]},
        "units": {
            "a": {"type": "mecha", "side": "red", "at": [4, 4], "heading": 0, "size_class": 3, "move": 6},
            "b": {"type": "mecha", "side": "blue", "at": [20, 20], "heading": 180, "size_class": 3, "move": 6},
        },
        "order": "a standard: forward 1",
    },
}
SCENARIOS = sorted((ROOT / "scenarios").rglob("*.yaml"))


def faults(name, **parts):
    scene = SCENES[name]
    document = {"format": 1, "ruleset": name, "board": scene["board"], "units": scene["units"], **parts}
    try:
        parse_scenario(json.dumps(document))
    except FileError as error:
        return [f"{fault.path}: {fault.message}" for fault in error.faults]
    return []


def units_of(name):
    return list(SCENES[name]["units"])


def questions_of(name):
    ruleset = shelf()[name]
    return [one for one in names_of(ruleset.questions, ruleset.tables, units_of(name)) if "{" not in one]


def misspelt(name):
    """A name with a letter in its middle typed twice."""
    middle = next(n for n in range(len(name) // 2, len(name)) if name[n].isalpha())
    return name[:middle] + name[middle] + name[middle:]


@pytest.mark.parametrize("name", OURS)
class TestOfEachRulebook:
    def test_every_kind_of_event_can_be_expected(self, name):
        kinds = [{"kind": kind, "count": 0} for kind in event_kinds(shelf()[name])]
        assert len(kinds) > len(CLOCK_KINDS)
        assert faults(name, expect={"events": kinds}) == []

    def test_every_question_can_be_expected_and_answered(self, name):
        known = questions_of(name)
        assert known
        assert faults(name, expect={"asked": [{"what": one, "count": 0} for one in known]}) == []
        assert faults(name, answers=dict.fromkeys(known, "default")) in ([], self.of_rolls(name))

    def of_rolls(self, name):
        """Rolls have no default: their words are others."""
        forms = shelf()[name].questions
        rolls = [one for one in questions_of(name) if forms[form_named(one, forms)].sort is Roll]
        message = "expected lowest, highest, likeliest or one of its answers (got 'default')"
        return [f"answers{f'.{one}' if one.isidentifier() else f'[{one!r}]'}: {message}" for one in rolls]

    @pytest.mark.parametrize("where", ["expect", "order", "look"])
    def test_a_misspelt_kind_is_reported_with_the_right_one(self, name, where):
        known = event_kinds(shelf()[name])
        wrong = {misspelt(kind): kind for kind in known if misspelt(kind) not in known}
        found = faults(name, **within(name, where, events=[{"kind": kind, "count": 0} for kind in wrong]))
        for number, (fault, (typed, kind)) in enumerate(zip(found, wrong.items(), strict=True)):
            assert f"events[{number}].kind: no such kind of event of {name} {typed!r}; did you mean {kind!r}?" in fault

    @pytest.mark.parametrize("where", ["expect", "order", "look"])
    def test_a_misspelt_question_is_reported_with_the_right_one(self, name, where):
        known = questions_of(name)
        wrong = [misspelt(what) for what in known if misspelt(what) not in known]
        found = faults(name, **within(name, where, asked=[{"what": what, "count": 0} for what in wrong]))
        for number, (fault, _) in enumerate(zip(found, wrong, strict=True)):
            assert f"asked[{number}].what: no such " in fault
            assert "did you mean" in fault

    def test_a_misspelt_question_in_a_rule_for_answers_is_reported(self, name):
        for what in questions_of(name):
            for rule in (misspelt(what), f"{units_of(name)[0]} {misspelt(what)}"):
                (fault,) = faults(name, answers={rule: "default"})
                assert fault.startswith("answers"), rule
                assert "no such " in fault, rule

    def test_a_rule_for_a_unit_that_is_not_there_is_reported(self, name):
        forms = shelf()[name].questions
        for what in (what for what in questions_of(name) if forms[form_named(what, forms)].who == "unit"):
            word = "lowest" if forms[form_named(what, forms)].sort is Roll else "default"
            assert faults(name, answers={f"{units_of(name)[0]} {what}": word}) == []
            (fault,) = faults(name, answers={f"nobody_at_all {what}": word})
            assert "no such unit 'nobody_at_all'; " in fault, what

    def test_a_word_of_another_sort_is_reported(self, name):
        forms = shelf()[name].questions
        for what in questions_of(name):
            word = "likeliest" if forms[form_named(what, forms)].sort is React else "never"
            (fault,) = faults(name, answers={what: word})
            assert f"or one of its answers (got {word!r})" in fault, what

    def test_an_event_of_nobody_is_reported(self, name):
        unit = units_of(name)[0]
        assert faults(name, expect={"events": [{"unit": unit}, {"kind": "done", "unit": "all"}]}) == []
        (fault,) = faults(name, expect={"events": [{"unit": f"{unit}x"}]})
        assert fault.startswith(f"expect.events[0].unit: no such unit '{unit}x'; ")
        (fault,) = faults(name, expect={"asked": [{"who": f"{unit}x"}]})
        assert fault.startswith("expect.asked[0].who: no such ")

    def test_every_question_is_asked_by_a_rule(self, name):
        """The text before the first blank stands in the rules."""
        folder = ROOT / "simulator" / "rulesets" / name
        rules = "".join(path.read_text() for path in folder.rglob("*.py") if path != folder / "questions.py")
        assert [one for one in shelf()[name].questions if f'"{one.partition("{")[0]}' not in rules] == []


def within(name, where, **expected):
    if where == "expect":
        return {"expect": expected}
    if where == "look":
        return {"turns": [[{"expect": expected}]]}
    return {"turns": [[{"order": SCENES[name]["order"], **expected}]]}


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_all_that_a_scenario_writes_and_asks_is_declared(path):
    """No rulebook declares half of its events: what each of these stories tells is on its lists."""
    scenario = load_scenario(path)
    ruleset = scenario.setting.ruleset
    assert ruleset.phrases_complete
    account = scenario.run()
    happened = [one.happened for one in account.played if one.happened is not None]
    assert {event.kind for one in happened for event in one.events} <= {*event_kinds(ruleset)}
    asked = {entry.question.what for one in happened for entry in one.answered}
    assert [what for what in asked if form_named(what, ruleset.questions) is None] == []
