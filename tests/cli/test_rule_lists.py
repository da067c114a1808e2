"""What can be ordered and set under a rulebook is listed whole."""

import json
import re
import subprocess
import sys
from fractions import Fraction
from importlib import import_module
from pathlib import Path

import pytest
from click.testing import CliRunner

from simulator import load_scenario
from simulator.cli import cli
from simulator.engine.clauses import ROLES
from simulator.engine.declared import event_kinds
from simulator.engine.options import text_of
from simulator.engine.unit_types import REQUIRED
from simulator.rulesets import shelf

ROOT = Path(__file__).resolve().parents[2]


def told(*words):
    answer = CliRunner().invoke(cli, ["rules", *words], standalone_mode=False)
    assert answer.exception is None, answer.output
    return answer.output


@pytest.mark.parametrize("word", ["gr-26", "26", "GR-26"])
def test_a_clause_is_found_as_people_type_it(word):
    assert told("grid_runner", word).startswith("GR-26  (")


@pytest.mark.parametrize("name", sorted(shelf()))
class TestLists:
    def test_every_option_with_its_values_and_clause(self, name):
        lines = told(name, "--options").splitlines()
        declared = shelf()[name].options.declared
        assert [line.split()[0] for line in lines] == list(declared)
        for line, option in zip(lines, declared.values(), strict=True):
            assert f"({option.clause})" in line
            assert all(text_of(value) in line for value in option.values)

    def test_every_figure_with_its_clause(self, name):
        lines = told(name, "--figures").splitlines()
        tables = shelf()[name].tables
        assert [line.split()[0] for line in lines] == list(tables)
        assert all(line.endswith(f"({tables.clause(line.split()[0])})") for line in lines)

    def test_every_field_of_every_type_of_unit(self, name):
        lines = told(name, "--units").splitlines()
        types = shelf()[name].unit_types
        assert [line.split()[0] for line in lines if not line.startswith(" ")] == list(types)
        fields = [(field, spec) for kind in types.values() for field, spec in kind.fields.items()]
        listed = [line for line in lines if line.startswith(" ")]
        assert [line.split()[0] for line in listed] == [field for field, _ in fields]
        for line, (_, spec) in zip(listed, fields, strict=True):
            assert spec.about in line
            assert spec.wants is None or spec.wants.about in line
            assert line.endswith(f"({spec.clause})")
            shown = "required" if spec.default is REQUIRED else text_of(spec.default)
            assert line.split()[1].split("|")[0].rstrip(":") in ('""', "[]", shown)

    def test_every_kind_of_event(self, name):
        lines = told(name, "--events").splitlines()
        kinds = event_kinds(shelf()[name])
        assert [line.split("  ")[0] for line in lines] == list(kinds)
        assert not any(line.split("  ", 1)[1].isspace() for line in lines)

    def test_every_question_with_its_sort_and_clause(self, name):
        lines = [line for line in told(name, "--questions").splitlines() if not line.startswith(" ")]
        forms = shelf()[name].questions
        assert [line.split("  ")[0] for line in lines] == list(forms)
        for line, form in zip(lines, forms.values(), strict=True):
            assert f" {form.sort_name} " in line
            assert form.about in line
            assert line.endswith(f"({form.clause})")

    def test_every_action_and_element(self, name):
        text = told(name, "--orders")
        vocabulary = shelf()[name].vocabulary
        for form in (*vocabulary.actions, *vocabulary.elements):
            assert f"\n  {form.name}" in f"\n{text}"
            assert f"{form.about} ({form.clause})" in text or not form.clause


def test_orders_to_a_place_name_all_that_they_need():
    assert "\n  charge TARGET: ... | charge TARGET to PLACE\n" in told("mecha", "--orders")
    assert load_scenario(ROOT / "scenarios/mecha/at_the_crossing.yaml").start().read("lance charge brute to 5,5").goal


def test_a_list_is_that_of_one_rulebook():
    answer = CliRunner().invoke(cli, ["rules", "--options"])
    assert (answer.exit_code, "--options requires a ruleset" in answer.output) == (2, True)


class TestRoles:
    """What implements a clause is listed by what it is for."""

    def test_a_clause_in_text(self):
        lines = told("grid_runner", "GR-62").splitlines()
        roles = [line.split()[0] for line in lines if "simulator.rulesets.grid_runner." in line]
        assert roles == sorted(roles, key=ROLES.index)
        assert {"judge", "play"} <= set(roles)

    def test_a_clause_as_json(self):
        document = json.loads(told("grid_runner", "62", "--json"))
        (found,) = document["clauses"]
        assert (document["ruleset"], found["clause"]) == ("grid_runner", "GR-62")
        assert "simulator.rulesets.grid_runner.judge.leaving_breaches" in found["roles"]["judge"]
        assert all(name in told("grid_runner", "GR-62") for names in found["roles"].values() for name in names)

    @pytest.mark.parametrize("name", sorted(shelf()))
    def test_all_clauses(self, name):
        clauses = json.loads(told(name, "--json"))["clauses"]
        counted = told(name).splitlines()[-2]
        functions = {role: {one for found in clauses for one in found["roles"].get(role, ())} for role in ROLES}
        parts = ", ".join(f"{role} {len(ones)}" for role, ones in functions.items() if ones)
        assert counted == f"{sum(map(len, functions.values()))} functions by role: {parts}"

    def test_json_of_everything_is_not_asked_for(self):
        answer = CliRunner().invoke(cli, ["rules", "--json"])
        assert answer.exit_code == 2
        assert "--json requires a ruleset or --uncovered" in answer.output


class TestListsAsJson:
    """The documents hold what the lines do."""

    @pytest.mark.parametrize("name", sorted(shelf()))
    def test_every_option_figure_type_and_order_is_there(self, name):
        ruleset = shelf()[name]
        found = {what: json.loads(told(name, f"--{what}", "--json"))[what] for what in ("options", "units", "figures")}
        assert [one["name"] for one in found["options"]] == list(ruleset.options.declared)
        assert [one["path"] for one in found["figures"]] == list(ruleset.tables)
        fields = {one["name"]: [field["name"] for field in one["fields"]] for one in found["units"]}
        assert fields == {kind.name: list(kind.fields) for kind in ruleset.unit_types.values()}
        orders = json.loads(told(name, "--orders", "--json"))
        for part in ("actions", "elements"):
            assert [one["name"] for one in orders[part]] == [form.name for form in getattr(ruleset.vocabulary, part)]

    @pytest.mark.parametrize("name", sorted(shelf()))
    def test_defaults_are_those_that_are_set(self, name):
        ruleset = shelf()[name]
        for option in json.loads(told(name, "--options", "--json"))["options"]:
            assert ruleset.options.declared[option["name"]].read(_fraction(option["default"])) == getattr(
                ruleset.options(), option["name"]
            )

    def test_what_no_test_names(self, tmp_path):
        tests = tmp_path / "test_one.py"
        tests.write_text('"""GR-26"""\n')
        words = ["rules", "grid_runner", "--uncovered", "--tests", str(tmp_path)]
        lines, document = (CliRunner().invoke(cli, [*words, *more], standalone_mode=False) for more in ([], ["--json"]))
        listed = [line.split()[1] for line in lines.stdout.splitlines()]
        assert [one["clause"] for one in json.loads(document.stdout)["uncovered"]["grid_runner"]] == listed
        assert listed
        assert lines.return_value == document.return_value == 1


def _fraction(plain):
    return Fraction(plain) if isinstance(plain, str) and re.fullmatch(r"-?\d+/\d+", plain) else plain


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("grid_runner", "--units", "--figures"), "--units and --figures are two lists"),
        (("grid_runner", "GR-26", "--options"), "--options lists those of all clauses: leave out GR-26"),
        (("grid_runner", "GR-26", "--uncovered"), "--uncovered lists those of all clauses: leave out GR-26"),
        (("grid_runner", "--uncovered", "--orders"), "--uncovered is about clauses: it does not go with --orders"),
        (("grid_runner", "--tests", "tests", "--orders"), "--tests is about clauses"),
        (("grid_runner", "--docs", "docs", "--terrain"), "--docs is about clauses"),
    ],
)
def test_one_thing_is_listed_at_a_time(words, message):
    answer = CliRunner().invoke(cli, ["rules", *words])
    assert answer.exit_code == 2
    assert message in answer.output


@pytest.mark.parametrize("name", ["skirmish", "mecha"])
def test_functions_of_modules_that_are_imported_only_when_they_are_needed_are_listed_too(name):
    """In a process of its own: here, other tests have imported them."""
    counted = [sys.executable, "-m", "simulator", "rules", name]
    listed = subprocess.run(counted, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()[-2]
    room = ROOT / "simulator" / "rulesets" / name
    for path in room.rglob("*.py"):
        import_module(".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"))
    assert {"odds", "why"} <= set(re.findall(r"\w+(?= \d)", listed))
    assert told(name).splitlines()[-2] == listed
