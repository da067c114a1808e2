"""The page of mecha says what the program does: its clauses, options and figures are the same."""

import re
from fractions import Fraction
from pathlib import Path

import pytest

from simulator.engine.clauses import Register
from simulator.engine.options import text_of
from simulator.rulesets.mecha import RULESET
from simulator.rulesets.mecha.options import MechaOptions

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "rules" / "mecha.md"
TEXT = PAGE.read_text(encoding="utf-8")
TABLES = RULESET.tables
#: Words of the page for those of the tables.
TERRAIN = {"standard_ground": "flat_ground", "deep water (ME-14)": "deep_water"}
#: Options that are tables: any figure of them can be replaced.
AS_TABLES = {"feature_table": "ME-101", "height_table": "ME-107", "move_table": "ME-12"}


def rows(heading):
    """The rows of the first table below a line that begins so, as lists of cells without their backticks."""
    below = TEXT[TEXT.index(heading) :].splitlines()
    first = next(number for number, line in enumerate(below) if line.strip().startswith("|"))
    found = []
    for line in below[first:]:
        if not line.strip().startswith("|"):
            break
        found.append([cell.strip() for cell in line.strip().strip("|").split("|")])
    return [found[0], *found[2:]]


def written(value):
    """A value of an option as the page writes it: a fraction as a decimal, a list without quotation marks."""
    if isinstance(value, tuple):
        return f"[{', '.join(value)}]"
    return f"{float(value):g}" if isinstance(value, Fraction) else text_of(value)


def choices(option):
    """The values of an option of which one is chosen, the default first; of others the default alone."""
    return [written(value) for value in (option.values if option.default in option.values else [option.default])]


def figure(path):
    value = TABLES[path]
    return value if isinstance(value, str) else f"{float(value):g}"


def test_every_clause_and_example_stands_there_once_and_in_order():
    assert list(Register.read(PAGE)) == [f"ME-{number}" for number in range(1, 109)]
    assert re.findall(r"^- \*\*(E\d+)\*\*", TEXT, re.M) == [f"E{number}" for number in range(1, 31)]


def test_the_options_are_those_of_the_program():
    told = {name.strip("`"): (values, clause) for name, values, clause in rows("## Options (index)")[1:]}
    assert len(told) == 29
    assert {name: clause for name, (_, clause) in told.items()} == AS_TABLES | {
        name: option.clause for name, option in MechaOptions.declared.items()
    }
    for name, option in MechaOptions.declared.items():
        assert re.findall("`([^`]+)`", told[name][0]) == choices(option), name


def test_each_option_is_told_with_its_clause_too():
    register = Register.read(PAGE)
    told = {id: " ".join(part.text for part in one.parts if part.kind == "Option") for id, one in register.items()}
    for name, option in MechaOptions.declared.items():
        assert name in register[option.clause].options
        assert all(f"`{value}`" in told[option.clause] for value in choices(option)), name
    assert all(f"`{name}`" in told[clause] for name, clause in AS_TABLES.items())


@pytest.mark.parametrize("row", rows("- **ME-6**")[1:], ids=lambda row: row[0].strip("`"))
def test_move_actions_cost_what_the_page_says(row):
    name, ap, budget = row[0].strip("`"), row[1], row[2].split(",")[0].removesuffix(" (ME-67)")
    assert figure(f"action.{name}.ap") == ap
    moves = {"M": "1", "2M": "2", "M/2": "0.5"}.get(budget, "0")
    assert figure(f"action.{name}.moves") == moves


@pytest.mark.parametrize("heading", ["- **ME-11**", "- **ME-12**"])
def test_an_inch_costs_what_the_page_says(heading):
    head, *prices = rows(heading)
    assert len(prices) == 7
    for terrain, *cells in prices:
        for mobility, cell in zip(head[1:], cells, strict=True):
            path = f"move_table.{mobility.removesuffix(' (assumed)')}.{terrain.strip('`')}"
            assert figure(path) == cell, path


def test_features_are_what_the_page_says():
    assert rows("- **ME-101**")[0][1:] == ["class 0", "1 to 3", "4 and more"]
    assert list(TABLES["feature_bands.up_to"]) == [0, 3]
    for feature, *cells in rows("- **ME-101**")[1:]:
        name = feature.split("`")[1]
        assert list(TABLES[f"feature_table.{name}"]) == [TERRAIN.get(cell, cell) for cell in cells], name


def test_jumps_are_as_high_as_the_page_says():
    told = {}
    for mobilities, most in rows("- **ME-65**")[1:]:
        limit = "never" if most == "it never jumps" else most.removeprefix("U").replace(" ", "") or "0"
        told |= dict.fromkeys(re.findall("`([^`]+)`", mobilities), limit)
    assert told == {name: figure(f"jump.{name}") for name in told}
    assert len(told) == 7


def test_size_classes_are_as_high_as_the_page_says():
    heights = [float(height) for _, height in rows("- **ME-107**")[1:]]
    assert heights == [float(height) for height in TABLES["height_table.up_to"]]
    assert float(TABLES["height_table.further"]) == 1.5


def test_every_figure_has_a_row():
    told = " ".join(row[0] for row in rows("## Tables")[1:])
    for path in TABLES:
        parts = path.split(".")
        names = (f"`{path}`", f"`.{parts[-1]}`", f"`{parts[0]}`")
        assert any(name in told for name in names), path


def test_every_action_and_element_of_orders_is_shown():
    for form in RULESET.vocabulary.actions:
        assert f" {form.name}" in TEXT, form.name
    for form in RULESET.vocabulary.elements:
        assert re.search(rf"\b{form.name}\b", TEXT), form.name
