"""The worked examples of mecha, and its stories: each comes out as it says, and as recorded."""

from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner
from mecha_games import scenario_of

from simulator.cli.record import command as record
from simulator.formats.scenario import FaultyPosition
from simulator.formats.scenarios import load_scenario
from simulator.rulesets.mecha import RULESET

HERE = Path(__file__).parents[2]
FOLDER = HERE / "tests" / "cases" / "mecha"
CASES = [case for file in sorted(FOLDER.glob("*.yaml")) for case in yaml.safe_load(file.read_text(encoding="utf-8"))]
STORIES = sorted((HERE / "scenarios" / "mecha").glob("*.yaml"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["says"])
def test_comes_out_as_it_says(case):
    assert [str(check) for check in scenario_of(case).run().failures] == []


@pytest.mark.sampled(dear=["battle_of_the_quarry", "over_the_bank"])
@pytest.mark.parametrize("path", STORIES, ids=lambda path: path.stem)
def test_a_story_comes_out_as_it_says_and_as_on_record(path, tmp_path):
    """`simulator record scenarios/mecha --out tests/records/mecha` renews the records."""
    result = CliRunner().invoke(record, [str(path), "--out", str(tmp_path)])
    assert result.exit_code == 0, result.output
    kept = HERE / "tests" / "records" / "mecha" / f"{path.stem}.txt"
    told = (tmp_path / kept.name).read_text(encoding="utf-8")
    assert told == kept.read_text(encoding="utf-8")
    assert "FAIL" not in told


def test_stories_use_every_action_and_element():
    """Of the vocabulary, in orders that are carried out, by units of every mobility type, on boards of their own."""
    actions, elements, mobilities = set(), set(), set()
    for scenario in map(load_scenario, STORIES):
        game = scenario.set_up()
        mobilities |= {unit["mobility"] for unit in game.state}
        for step in (step for turn in scenario.turns for step in turn if step.order and step.refused is None):
            order = game.read(step.order)
            actions.add(order.action)
            elements |= {element.name for element in order.elements}
    assert {form.name for form in RULESET.vocabulary.actions} <= actions
    assert {form.name for form in RULESET.vocabulary.elements} <= elements
    assert set(RULESET.tables["jump"]) <= mobilities
    assert len({load_scenario(path).setting.board.name for path in STORIES}) >= 3


def test_stories_try_options():
    """That differ from their defaults."""
    changed = {name for path in STORIES for name in load_scenario(path).setting.options.changed}
    assert len(changed) >= 15


@pytest.mark.parametrize("said", [{}, {"height": 3}, {"size_class": 0}])
def test_elevated_terrain_tells_how_high_it_is(said):
    block = {"id": "block", "kind": "building", "layer": "elevated", "rectangle": {"centre": [9, 0], "size": [4, 4]}}
    walker = {"type": "mecha", "size_class": 1, "move": 4, "side": "red", "at": [0, 0], "heading": 0}
    entry = {"pieces": [block | said], "units": {"A": walker}, "turns": []}
    if said:
        assert scenario_of(entry).run().ok
        return
    with pytest.raises(FaultyPosition, match="block is elevated terrain: it needs a height or a size class"):
        scenario_of(entry)
