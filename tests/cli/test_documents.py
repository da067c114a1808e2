"""JSON documents of commands that ask the same say the same; their fields are checked by test_json_answers.py."""

import json
from pathlib import Path

import pytest

from simulator.formats.answers import read_answer

SCENARIOS = Path(__file__).resolve().parents[2] / "scenarios"

HALL = """\
format: 1
ruleset: grid_runner
name: Hall
board: {board: squares, legend: {".": {}, "#": {wall: true}}, rows: ". . # . . ."}
units:
  kit: {type: character, side: red, at: [0, 0], metatype: human}
  cy: {type: character, side: blue, at: [4, 0], metatype: human}
turns:
  - "kit move: e"
"""


@pytest.fixture
def hall(tmp_path):
    (tmp_path / "hall.yaml").write_text(HALL)
    return tmp_path / "hall.yaml"


@pytest.mark.sampled("reach-words0-chances_not_searched")
@pytest.mark.parametrize(
    ("name", "words", "field"),
    [
        ("reach", ("ana",), "chances_not_searched"),
        ("diff", ("ana", "--option", "traverse_ap=0"), "odds_not_compared"),
    ],
)
def test_chances_beyond_the_limit_are_left_out_and_the_answer_says_so(run, monkeypatch, name, words, field):
    monkeypatch.setattr("simulator.rulesets.skirmish.odds.bands.MOST_FOR_BANDS", 0)
    answer = run(name, SCENARIOS / "skirmish" / "over_the_wall.yaml", *words, "--json")
    assert getattr(read_answer(name, answer.stdout), field)


def test_who_asks_for_a_closed_place_gets_the_same_reasons(run, hall):
    path, exposed, explained = (
        json.loads(run(command, hall, "kit", "2,0", "--json").stdout) for command in ("path", "exposed", "explain")
    )
    assert path == exposed == explained
    assert path["to"]["reasons"]


def test_a_forbidden_order_is_told_alike_by_all_who_are_asked_about_it(run, hall):
    exposed, explained = (run(command, hall, "kit move: e 3", "--json") for command in ("exposed", "explain"))
    assert json.loads(exposed.stdout) == json.loads(explained.stdout)
    assert not json.loads(exposed.stdout)["legal"]
    assert exposed.returncode == explained.returncode == 1
    assert not exposed.stderr
