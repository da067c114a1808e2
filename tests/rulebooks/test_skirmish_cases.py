"""Every case and scenario of skirmish comes out as it says, and no worked example is without a case."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from simulator.cli.record import command as record
from simulator.formats.scenarios import load_scenario

HERE = Path(__file__).parents[2]
CASES = sorted((HERE / "tests" / "cases" / "skirmish").glob("*.yaml"))
STORIES = sorted((HERE / "scenarios" / "skirmish").glob("*.yaml"))


@pytest.mark.parametrize("path", [*CASES, *STORIES], ids=lambda path: path.stem)
def test_comes_out_as_it_says(path):
    assert [str(check) for check in load_scenario(path).run().failures] == []


def test_every_worked_example_is_a_case():
    text = (HERE / "docs" / "rules" / "skirmish.md").read_text(encoding="utf-8")
    examples = set(re.findall(r"\*\*(E\d+)\*\*", text))
    told = {found for path in CASES for found in re.findall(r"\bE\d+\b", path.read_text(encoding="utf-8"))}
    assert examples - told == set()


@pytest.mark.parametrize("path", STORIES, ids=lambda path: path.stem)
def test_the_account_is_as_on_record(path, tmp_path):
    """`simulator record scenarios/skirmish --out tests/records/skirmish` renews the records."""
    result = CliRunner().invoke(record, [str(path), "--out", str(tmp_path)])
    assert result.exit_code == 0, result.output
    kept = HERE / "tests" / "records" / "skirmish" / f"{path.stem}.txt"
    assert (tmp_path / kept.name).read_text(encoding="utf-8") == kept.read_text(encoding="utf-8")
