"""Scenarios of the live table by name, and questions answered in this process."""

from pathlib import Path

import pytest

from simulator.live.moments import Moments
from simulator.live.questions import QUESTIONS, Answers

ROOT = Path(__file__).resolve().parents[2]
SCENARIOS = {file.stem: file for file in sorted((ROOT / "scenarios").rglob("*.yaml"))}


@pytest.fixture(scope="session")
def answers():
    return Answers(SCENARIOS, Moments())


@pytest.fixture
def ask(answers):
    """Ask one question of the page: `ask("reach", "the_yard", unit="ash")`."""

    def ask(question, scenario, **fields):
        model, answer = QUESTIONS[question]
        return answer(answers, model.model_validate({"scenario": scenario, **fields}))

    return ask
