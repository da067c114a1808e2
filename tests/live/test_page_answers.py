"""Every answer to the page is what its model says, and what it shares with other answers is the same."""

import json
from pathlib import Path

import pytest

from simulator import load_scenario
from simulator.formats.answers import read_answer
from simulator.live.answering import Answering
from simulator.live.moments import script_of
from tests.live.conftest import SCENARIOS

#: For each rulebook a scenario, a unit that can move in it at once and how, a place in its reach, one that is not.
ASKED = {
    "market_chase": ("kit", "move", "9,8", "20,8"),
    "alley_turn": ("ann", "drive", "7,7", "5,5"),
    "over_the_wall": ("ana", "move", "7,12", "19,19"),
    "main_street": ("alpha", "move", "18.5,24", ""),
    "over_the_bank": ("lynx", "standard", "15.3,29.4", "40,40"),
}
#: Where the whole area takes seconds; it is drawn for the others.
SLOW = "main_street"
#: The model of each question; `save` and `picture` share one.
MODELS = {"save": "page_text", "picture": "page_text", "geojson": "geojson", "edit": "page_draft", "new": "page_draft"}


@pytest.fixture(scope="module")
def reply():
    answering = Answering(SCENARIOS)

    def reply(question, scenario=None, **fields):
        """The answer as it is sent, checked by its model."""
        named = {} if scenario is None else {"scenario": scenario}
        status, body = answering.reply(question, json.dumps({**named, **fields}).encode())
        assert status == 200
        found = json.loads(body)
        read_answer("page_refused" if "refused" in found else MODELS.get(question, f"page_{question}"), body)
        return found

    return reply


@pytest.mark.parametrize("name", ASKED)
class TestAnswersToThePage:
    @pytest.mark.sampled(dear=["over_the_bank"])
    def test_about_the_table(self, reply, name):
        reply("open", name)
        steps = reply("script", name)["steps"]
        for count in {0, 1, len(steps) // 2}:
            assert reply("moment", name, steps=steps[:count])["done"] == count
        refused = reply("moment", name, steps=["all begin"])
        assert refused["error"]["reasons"] or refused["error"]["message"]
        reply("save", name, steps=steps[:1])
        reply("picture", name, unit="")

    @pytest.mark.sampled(dear=["main_street", "over_the_bank"])
    def test_about_reach(self, reply, name):
        unit, action, near, far = ASKED[name]
        asked = {"unit": unit, "action": action}
        if name != SLOW:
            assert reply("reach", name, **asked)["action"] == action
            reply("geojson", name, **asked)
        assert reply("known", name, within=0, **asked)["action"] == action
        assert reply("place", name, place=near, **asked)["reachable"]
        way = reply("way", name, place=near, **asked)
        if load_scenario(SCENARIOS[name]).setting.ruleset.reach_headings:
            assert reply("headings", name, place=near, **asked)["headings"]
        assert len(way["words"]["price"]) == len(way["price"])
        if far:
            why = reply("why_not", name, place=far, **asked)
            assert why["reasons"]
            assert (why["nearest"] is None) == (why["words"]["nearest"] is None)

    def test_about_a_draft(self, reply, name):
        draft = reply("draft", name)["draft"]
        assert reply("check", draft=draft)["shows"]["tools"]["types"]
        unit = ASKED[name][0]
        changed = reply("edit", draft=draft, changes=[{"do": "remove", "path": ["units", unit]}])["draft"]
        assert reply("check", draft=changed)["faults"] or changed != draft
        assert reply("check", draft="")["shows"] is None

    def test_what_cannot_be_answered(self, reply, name):
        assert "nobody" in reply("reach", name, unit="nobody")["refused"]["message"]


def test_about_new_scenarios(reply):
    names = [one["name"] for one in reply("rulebooks")["rulebooks"]]
    assert reply("new", ruleset=names[0])["draft"]


def test_options_compared(reply):
    told = reply("compare", "market_chase", unit="kit", other_options={"diagonal_corners": "free"})
    assert [one["name"] for one in told["changes"]] == ["diagonal_corners"]


def test_figures_compared(reply):
    told = reply("compare", "the_yard", unit="ash", other_tables={"inches.standing": "4"})
    assert [(one["name"], one["before"], one["after"]) for one in told["changes"]] == [("inches.standing", "3", "4")]
    assert any(band["label"].startswith("gained") for band in told["bands"])


@pytest.mark.parametrize("name", ["skid_into_the_wall", "two_guards", "over_the_wall"])
def test_every_open_question(reply, name):
    steps = script_of(load_scenario(SCENARIOS[name]))
    asked = [reply("moment", name, steps=steps[:count])["question"] for count in range(len(steps))]
    assert any(asked)


def test_a_scenario_that_is_gone(reply, tmp_path):
    answering = Answering({"gone": Path(tmp_path / "gone.yaml")})
    found = answering.reply("open", b'{"scenario": "gone"}')
    assert found.status == 200
    assert "cannot be read" in read_answer("page_refused", found.body).refused.message
