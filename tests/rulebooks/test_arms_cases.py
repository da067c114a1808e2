"""The worked examples of combined_arms that are played, and its stories: each comes out as it says, and as recorded."""

from pathlib import Path

import pytest
import yaml
from arms_games import scenario_of
from click.testing import CliRunner

from simulator.cli.record import command as record
from simulator.formats.scenarios import load_scenario
from simulator.rulesets.combined_arms import RULESET

HERE = Path(__file__).parents[2]
FOLDER = HERE / "tests" / "cases" / "combined_arms"
CASES = [case for file in sorted(FOLDER.glob("*.yaml")) for case in yaml.safe_load(file.read_text(encoding="utf-8"))]
STORIES = sorted((HERE / "scenarios" / "combined_arms").glob("*.yaml"))


@pytest.mark.sampled(
    dear=[
        "The bridge at Hollow farm: a tank rolls over the road block, the guns behind the wall pop up",
    ]
)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["says"])
def test_comes_out_as_it_says(case):
    assert [str(check) for check in scenario_of(case).run().failures] == []


@pytest.mark.sampled(dear=["bridge_at_alder", "east_bank"])
@pytest.mark.parametrize("path", STORIES, ids=lambda path: path.stem)
def test_a_story_comes_out_as_it_says_and_as_on_record(path, tmp_path):
    """`simulator record scenarios/combined_arms --out tests/records/combined_arms` renews the records."""
    result = CliRunner().invoke(record, [str(path), "--out", str(tmp_path)])
    assert result.exit_code == 0, result.output
    kept = HERE / "tests" / "records" / "combined_arms" / f"{path.stem}.txt"
    told = (tmp_path / kept.name).read_text(encoding="utf-8")
    assert told == kept.read_text(encoding="utf-8")
    assert "FAIL" not in told


def test_stories_use_every_action_and_element():
    """Of the vocabulary, in orders that are carried out, on boards of their own."""
    actions, elements = set(), set()
    for scenario in map(load_scenario, STORIES):
        game = scenario.set_up()
        for step in (step for turn in scenario.turns for step in turn if step.order and step.refused is None):
            order = game.read(step.order)
            actions.add(order.action)
            elements |= {element.name for element in order.elements}
    assert {form.name for form in RULESET.vocabulary.actions} <= actions
    assert {form.name for form in RULESET.vocabulary.elements} <= elements
    assert len({load_scenario(path).setting.board.name for path in STORIES}) >= 3


def test_stories_try_options():
    """That differ from their defaults."""
    changed = {name for path in STORIES for name in load_scenario(path).setting.options.changed}
    assert len(changed) >= 10
