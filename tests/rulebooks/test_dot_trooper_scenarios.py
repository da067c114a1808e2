"""The scenarios of the rulebook come out as they expect, and as they were recorded."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from simulator.cli import cli

ROOT = Path(__file__).parents[2]
SCENARIOS = sorted((ROOT / "scenarios" / "dot_trooper").glob("*.yaml"))


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_scenario_comes_out_as_it_expects_and_as_recorded(path):
    answer = CliRunner().invoke(cli, ["run", str(path)])
    assert answer.exit_code == 0, answer.output
    record = CliRunner().invoke(cli, ["record", str(path)])
    assert record.stdout == (ROOT / "tests" / "records" / "dot_trooper" / f"{path.stem}.txt").read_text()


def test_together_they_use_every_kind_of_movement():
    told = "\n".join(path.read_text() for path in SCENARIOS)
    for word in ("foot_move", "activate_jet_pack", "drive", "crawl_out", "lift_vehicle", "mount", "turn_on"):
        assert word in told
