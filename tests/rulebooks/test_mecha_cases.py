"""The worked examples of mecha: each comes out as it says."""

from pathlib import Path

import pytest
import yaml
from mecha_games import scenario_of

FOLDER = Path(__file__).parents[1] / "cases" / "mecha"
CASES = [case for file in sorted(FOLDER.glob("*.yaml")) for case in yaml.safe_load(file.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["says"])
def test_comes_out_as_it_says(case):
    assert [str(check) for check in scenario_of(case).run().failures] == []
