"""The worked examples of combined_arms that are played, and stories, case by case, through scenarios."""

from pathlib import Path

import pytest
import yaml
from arms_games import scenario_of

from simulator.rulesets.combined_arms import RULESET

FOLDER = Path(__file__).parents[1] / "cases" / "combined_arms"
STORIES = yaml.safe_load((FOLDER / "stories_of_three_boards.yaml").read_text(encoding="utf-8"))
CASES = [case for file in sorted(FOLDER.glob("*.yaml")) for case in yaml.safe_load(file.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["says"])
def test_comes_out_as_it_says(case):
    assert [str(check) for check in scenario_of(case).run().failures] == []


def test_stories_use_every_action_and_element():
    """Of the vocabulary, in orders that are carried out."""
    actions, elements = set(), set()
    for story in STORIES:
        scenario = scenario_of(story)
        game = scenario.set_up()
        for step in (step for turn in scenario.turns for step in turn if step.order and step.refused is None):
            order = game.read(step.order)
            actions.add(order.action)
            elements |= {element.name for element in order.elements}
    assert {form.name for form in RULESET.vocabulary.actions} <= actions
    assert {form.name for form in RULESET.vocabulary.elements} <= elements


def test_stories_try_options():
    """That differ from their defaults."""
    changed = {name for story in STORIES for name in scenario_of(story).setting.options.changed}
    assert len(changed) >= 10
