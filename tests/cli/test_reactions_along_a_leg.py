"""Numbers and spots as answers at the command line: in files, at the terminal, in logs, and what could come of them."""

import json
from fractions import Fraction

import pytest

from simulator.engine.events import Event
from simulator.engine.plays import Ending
from simulator.engine.state import State
from simulator.formats.foreseen_text import ending_text

YARD = """
format: 1
ruleset: gun_courier
name: Under the guns
board: {board: table, size: [40, 20]}
units:
  A1: {type: courier, side: red, at: [0, 2]}
  G1: {type: gun, side: blue, at: [10, 5]}
dice: {seed: 3}
turns:
  - - {order: "A1 drive 16,2"ANSWER}
    - G1 turn
  - - {order: A1 drop, answers: ["1.5,2"]}
"""


@pytest.fixture
def yard(tmp_path):
    def written(answer=""):
        (tmp_path / "yard.yaml").write_text(YARD.replace("ANSWER", answer))
        return "yard.yaml"

    return written


class TestExposed:
    def test_who_can_fire_where_on_the_leg_and_what_comes_of_it(self, run, yard):
        answer = run("exposed", yard(), "A1 drive 16,2")
        assert answer.returncode == 0, answer.stderr
        assert "1  G1: fire (from 6 to 14 inches along the leg) at 6,2 (FC-2), at the start\n" in answer.stdout
        assert "       from 6 to below 8.75 or above 11.25 and below 12, such as at 6:\n" in answer.stdout
        assert "            50%  A1 goes to 8.75,2; G1 fires at A1" in answer.stdout

    def test_as_json(self, run, yard):
        (found,) = json.loads(run("exposed", yard(), "A1 drive 16,2", "--json").stdout)["interruptions"]
        assert found["options"][0]["spans"] == [{"from": 6, "to": 14}]
        assert [outcome["spans"] for outcome in found["outcomes"]] == [
            [{"from": 6, "open": ["high"], "to": 8.75}, {"from": 11.25, "open": ["low", "high"], "to": 12}],
            [{"from": 8.75, "to": 11.25}],
            [{"from": 12, "to": 14}],
        ]
        assert [outcome["sample"] for outcome in found["outcomes"]] == [6, 8.75, 12]
        assert [end["chance"] for end in found["outcomes"][1]["endings"]] == ["1/2", "1/2"]


class TestRun:
    def test_with_answers_in_the_file_log_and_replay(self, run, yard):
        file = yard(", answers: [8.5, 6]")
        answer = run("run", file, "--log", "yard.jsonl")
        assert answer.returncode == 0, answer.stdout + answer.stderr
        assert "from 6 to 14 inches along the leg? 8.5  -- scenario" in answer.stdout
        assert run("replay", "yard.jsonl", "--verify").returncode == 0
        assert run("run", file, "--log", "yard.jsonl", "--resume").returncode == 0

    def test_a_person_types_a_length_and_a_bearing(self, run, yard):
        on = "\n"  # the enter key goes on from line to line
        said = 3 * on + "5\n8.5 inches\n" + 5 * on + "-22.5\n" + 9 * on
        answer = run("run", yard(), "--step", said=said)
        assert answer.returncode == 0, answer.stdout + answer.stderr
        assert (
            "5 is not a valid answer; possible: from 6 to 14 inches along the leg, or to let it pass" in answer.stderr
        )
        assert "along the leg? 8.5  -- person" in answer.stdout
        assert "in steps of 45? 337.5  -- person" in answer.stdout

    def test_an_answer_off_the_leg_changes_nothing(self, run, yard):
        answer = run("run", yard(", answers: [5]"))
        assert answer.returncode == 1
        assert (
            "5 is not a valid answer; possible: from 6 to 14 inches along the leg, or to let it pass" in answer.stdout
        )


def test_what_happens_is_listed_though_it_ends_where_planned():
    stopped = Event("is stopped", "A1", (), "CO-5", (5.0, 5.0))
    ends = [Ending(Fraction(1, 3), (), events, State(), True) for events in ((stopped,), ())]
    assert [ending_text(end) for end in ends] == ["A1 is stopped at 5,5; still ends as planned", "as planned"]
