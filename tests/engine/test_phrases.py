"""What happens is told as players say it: every ruleset has phrases for its events, and no account shows bare data."""

import re
from pathlib import Path

import pytest

from simulator.engine.events import Event
from simulator.engine.phrases import plain_text, sentence
from simulator.rulesets import shelf

ROOT = Path(__file__).parents[2]
RECORDS = sorted((ROOT / "tests" / "records").glob("*/*.txt"))


class TestFillingIn:
    def test_who_first_and_where_last(self):
        assert sentence("rams {target}", "truck", "9,7", {"target": "gus"}) == "truck rams gus at 9,7"
        assert sentence("rams {target}", "truck", "", {"target": "gus"}) == "truck rams gus"

    def test_unless_the_phrase_says_where_they_stand(self):
        assert sentence("{unit}'s tumble fails", "vix", "", {}) == "vix's tumble fails"
        assert sentence("steps to {place}", "vix", "3,4", {}) == "vix steps to 3,4"
        assert sentence("a new turn", "", "", {}) == "a new turn"

    def test_numbers_with_their_units_names_in_words_and_lists(self):
        detail = {"points": 1, "weapon": "heavy_pistol", "line": (("g3", 2), ("g1", 1)), "who": ("a", "b")}
        phrase = "{points:point}, {weapon:words}, {weapon}, {line:each}, {who:each}"
        assert sentence(phrase, "", "", detail) == "1 point, heavy pistol, heavy_pistol, g3 2, g1 1, a, b"

    @pytest.mark.parametrize(
        ("detail", "words"),
        [({}, "A1 fires"), ({"at": "B1"}, "A1 fires at B1"), ({"at": "B1", "dice": 0}, "A1 fires at B1")],
    )
    def test_brackets_hold_what_may_be_missing(self, detail, words):
        assert sentence("fires[ at {at}][, {dice} dice]", "A1", "", detail) == words

    def test_what_is_filled_in_is_not_filled_in_again(self):
        assert sentence("says {words}", "A1", "", {"words": "{unit} [x]"}) == "A1 says {unit} [x]"

    def test_a_blank_that_nothing_fills_is_a_mistake_of_the_ruleset(self):
        with pytest.raises(KeyError, match="target"):
            sentence("rams {target}", "A1", "", {})

    def test_events_without_a_phrase_are_told_all_the_same(self):
        assert plain_text("jumps_over", "A1", "", {}) == "A1 jumps over"
        event = Event("jumps_over", "A1", clause="X-1", place=(3, 4), detail={"at_risk": True})
        assert str(event) == "A1 jumps over at 3,4: at risk yes (X-1)"

    def test_a_phrase_is_no_part_of_what_happened(self):
        event = Event("rams", "A1", detail={"target": "B1"}, phrase="rams {target}")
        assert str(event) == "A1 rams B1"
        assert Event.from_fields(event.to_fields()) == event


@pytest.mark.parametrize("name", list(shelf()))
def test_every_phrase_is_that_of_an_event(name):
    """A phrase for a kind that no rule tells would never be read."""
    folder = ROOT / "simulator" / "rulesets" / name
    rules = "".join(path.read_text() for path in sorted(folder.rglob("*.py")) if path.name != "phrases.py")
    assert [kind for kind in shelf()[name].phrases if f'"{kind}"' not in rules] == []


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_no_account_shows_bare_data(path):
    """Names with values belong into orders and settings; a player reads sentences."""
    lines = [line for line in path.read_text().splitlines() if not re.match(r"(options|figures) ", line)]
    assert [line for line in lines if re.search(r"\w=\S", line)] == []
