"""Steps lead to the same table as the game they come from, wherever they begin."""

from collections.abc import Mapping

import pytest

from simulator import load_scenario
from simulator.engine.errors import IllegalOrder, TableError
from simulator.engine.questions import LET_PASS
from simulator.engine.values import show
from simulator.formats.scenarios import scenario_text
from simulator.formats.typed_answers import read_typed
from simulator.live.moments import Moments, Setup, script_of, take, written_answer
from tests.live.conftest import SCENARIOS

#: A short scenario of each rulebook, with dice and reactions.
SOME = ["market_chase", "skid_into_the_wall", "mad_dash", "main_street", "two_guards"]


@pytest.mark.parametrize("name", SOME)
def test_the_script_of_a_scenario_leads_to_its_end(name):
    scenario = load_scenario(SCENARIOS[name])
    steps = script_of(scenario)
    reached = Moments().reached(Setup(SCENARIOS[name]), steps)
    assert (reached.done, reached.error) == (len(steps), None)
    assert reached.game.state.hash == scenario.run().game.state.hash
    assert any(step.startswith("? ") for step in steps)


@pytest.mark.parametrize("name", SOME)
def test_every_moment_is_the_same_whatever_was_asked_before(name):
    steps = script_of(load_scenario(SCENARIOS[name]))
    one, other = Moments(), Moments()
    there = [one.reached(Setup(SCENARIOS[name]), steps[:count]).game.state.hash for count in range(len(steps) + 1)]
    back = [other.reached(Setup(SCENARIOS[name]), steps[:count]).game.state.hash for count in range(len(steps), -1, -1)]
    assert there == back[::-1]
    assert len(set(there)) > len(steps) / 2


def test_a_step_that_is_refused_leaves_the_moment_before_it():
    moments, path = Moments(), SCENARIOS["the_yard"]
    reached = moments.reached(Setup(path), ["ash move: to 6,9", "bay move: to 9,12", "ash done"])
    assert reached.done == 1
    assert isinstance(reached.error, IllegalOrder)
    assert reached.game.state.hash == moments.reached(Setup(path), ["ash move: to 6,9"]).game.state.hash


def test_an_answer_without_a_question_is_refused():
    reached = Moments().reached(Setup(SCENARIOS["the_yard"]), ["? 4"])
    assert reached.done == 0
    assert isinstance(reached.error, TableError)
    assert "no question is open" in str(reached.error)


@pytest.mark.parametrize("name", ["two_guards", "skid_into_the_wall", "getting_away"])
def test_answers_are_read_as_they_are_written_and_as_people_type_them(name):
    game = load_scenario(SCENARIOS[name]).start()
    game.answers = None
    read = 0
    for step in script_of(load_scenario(SCENARIOS[name])):
        question = game.question
        if question is not None:
            passing = [LET_PASS] if question.kind == "react" else []
            values = list(question.chances) if question.kind == "roll" else [*question.samples, *passing]
            for value in values:
                assert read_typed(question, written_answer(value).removeprefix("? ")) == value
                if not isinstance(value, Mapping | tuple | None):
                    assert read_typed(question, show(value)) == value
                read += 1
        take(game, step)
    assert read > 5


def test_a_file_that_changes_is_read_again(tmp_path):
    text = scenario_text(load_scenario(SCENARIOS["market_chase"]).start(), name="One name")
    path = tmp_path / "chase.yaml"
    path.write_text(text, encoding="utf-8")
    moments = Moments()
    assert moments.scenario(Setup(path)).name == "One name"
    path.write_text(text.replace("One name", "Another name"), encoding="utf-8")
    assert moments.scenario(Setup(path)).name == "Another name"
