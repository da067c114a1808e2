"""Scenarios of the live table by name, and questions answered in this process."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from simulator.live.catalogue import QUESTIONS
from simulator.live.moments import Moments
from simulator.live.questions import Answers

ROOT = Path(__file__).resolve().parents[2]
SCENARIOS = {file.stem: file for file in sorted((ROOT / "scenarios").rglob("*.yaml"))}


def run_to_end(coroutine):
    """Run a coroutine in a thread of its own: the browser of other tests keeps a loop running in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()


@pytest.fixture(scope="session")
def answers():
    return Answers(SCENARIOS, Moments())


@pytest.fixture
def ask(answers):
    """Ask one question of the page: `ask("reach", "the_yard", unit="ash")`; of a draft alone without a scenario."""

    def ask(question, scenario=None, **fields):
        model, answer = QUESTIONS[question]
        named = {} if scenario is None else {"scenario": scenario}
        return answer(answers, model.model_validate_json(json.dumps({**named, **fields})))

    return ask
