"""The page of the rulebook says what the program does: its clauses, options, tables and counts are the same."""

import re
from pathlib import Path

import pytest
import yaml

from simulator.engine.clauses import Register
from simulator.engine.options import text_of
from simulator.rulesets.dot_trooper import RULESET
from simulator.rulesets.dot_trooper.options import DotTrooperOptions

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "rules" / "dot_trooper.md"
TEXT = PAGE.read_text(encoding="utf-8")
TABLES = RULESET.tables


def rows(heading):
    """The rows of the first table below a line that begins so, as lists of cells without their backticks."""
    below = TEXT[TEXT.index(heading) :].splitlines()
    first = next(number for number, line in enumerate(below) if line.startswith("|"))
    found = []
    for line in below[first:]:
        if not line.startswith("|"):
            break
        found.append([cell.strip() for cell in line.strip("|").split("|")])
    return [found[0], *found[2:]]


def test_every_clause_stands_there_once_and_in_order():
    assert list(Register.read(PAGE)) == [f"DT-{number}" for number in range(1, 174)]


def test_the_options_are_those_of_the_program():
    told = {
        name.strip("`"): (re.findall("`([^`]+)`", values), clause) for name, values, _, clause in rows("## Options")[1:]
    }
    known = {
        name: ([text_of(value) for value in option.values], option.clause)
        for name, option in DotTrooperOptions.declared.items()
    }
    assert told == known


def test_each_option_is_told_with_its_clause_too():
    register = Register.read(PAGE)
    for name, option in DotTrooperOptions.declared.items():
        parts = " ".join(part.text for part in register[option.clause].parts if part.kind == "Option")
        assert f"`{name}`" in parts
        assert all(f"`{text_of(value)}`" in parts for value in option.values)


def test_the_card_of_a_vehicle_is_that_of_the_tables():
    """DT-40."""
    hp, modes, modifiers = rows("- **DT-40**")
    assert hp[1:] == [str(label) for label in range(12, -1, -1)]
    assert modes[1:] == list(TABLES["vehicle_hp_table.max_mode"])
    assert [int(cell) for cell in modifiers[1:]] == list(TABLES["vehicle_hp_table.modifier"])


def test_the_card_of_a_trooper_is_that_of_the_tables():
    """DT-161."""
    hp, ap, modifiers = rows("- **DT-161**")
    assert hp[1:] == [str(label) for label in range(10, 0, -1)]
    assert [int(cell) for cell in ap[1:]] == list(TABLES["trooper_hp_table.ap"])[:-1]
    assert [int(cell) for cell in modifiers[1:]] == list(TABLES["trooper_hp_table.modifier"])[:-1]


@pytest.mark.parametrize("row", rows("- **DT-48**")[1:], ids=lambda row: row[0])
def test_the_classes_are_those_of_the_tables(row):
    """DT-48."""
    name, armor, multiplier, handling, signature, mounted = row
    figures = TABLES[f"class.{name}"]
    assert [int(armor), int(multiplier), int(handling), int(signature)] == [
        figures[field] for field in ("armor", "speed_multiplier", "handling", "signature")
    ]
    assert len(figures["mounted"]) == {"none": 0, "two, facing forward": 2}[mounted]


def test_the_control_checks_are_those_of_the_tables():
    """DT-91; no check is 0 in the tables."""
    by_cause = {row[0]: row[1:] for row in rows("- **DT-91**")[1:]}
    turn, stop = by_cause["turn outside a stop"], by_cause["stop (`cruise`, `max`)"]
    assert turn == ["-", "none", *(str(TABLES[f"check.turn.{angle}"]) for angle in (120, 180))]
    assert TABLES["check.turn.60"] == 0
    assert stop == [str(TABLES[f"check.stop.{angle}"]) for angle in (0, 60, 120, 180)]
    assert by_cause["ramming attack"][0] == str(TABLES["check.attack.ramming"])
    assert by_cause["melee attack"][0] == str(TABLES["check.attack.melee"])


def test_the_counts_of_the_page_are_those_that_are_kept():
    kept = yaml.safe_load((ROOT / "tests" / "cases" / "dot_trooper" / "perft.yml").read_text())
    told = rows("## How many ends there are")
    for what, *cells in told[1:]:
        name = "open: " + what.replace("`drive`,", "drive").replace("`", "")
        counts = {int(ap): int(cell) for ap, cell in zip(told[0][1:], cells, strict=True) if cell}
        assert {ap: count for ap, count in kept[name].items() if ap} == counts


def test_every_action_and_question_of_reach_is_shown():
    for form in RULESET.vocabulary.actions:
        assert f" {form.name}" in TEXT, form.name
    for form in RULESET.vocabulary.elements:
        assert re.search(rf"\b{form.name}\b", TEXT), form.name
