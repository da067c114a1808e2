"""What a rulebook declares of a board against what the board says, with rulebooks made up for it."""

import duel_ruleset
import pytest

from simulator.engine.board_words import Reads
from simulator.engine.table import Setting
from simulator.engine.unread import known_words, unread_words
from simulator.formats.boards import parse_board

YARD = """
format: 1
board: squares
square: {size: 1, unit: metre}
legend:
  ".": {}
  "w": {terrain: water}
  ",": {impeded: true}
rows: |
  ..w
  ,..
areas:
  - {name: gate, squares: [[0, 0]]}
"""
PLAIN = YARD.split("legend:")[0] + 'legend: {".": {}}\nrows: "..."\n'


def found(declared, board=YARD, scenery=()):
    """What is reported on a board of a rulebook that declares these words: of what, where, how, by which clause."""
    rules = type("Made", (duel_ruleset.DuelRuleset,), {"name": "made", "reads": declared})()
    setting = Setting.of(rules, parse_board(board), scenery=scenery)
    return [(one.word.path, one.message, one.clause, one.is_fault) for one in unread_words(setting)]


READ = (Reads("impeded", "MA-1", "slow ground"), Reads("areas", "MA-2", "goals"))


def test_a_rulebook_that_declares_nothing_is_reported_once_and_is_no_fault():
    told = "made does not declare what it reads of a board of squares"
    assert found({}) == [(("board",), told, "", False)]
    assert found({}, PLAIN) == []


def test_nothing_is_reported_where_all_is_read():
    assert found({"squares": [*READ, Reads("terrain", "MA-3", "floods", ("water",))]}) == []
    assert found({"squares": [*READ, Reads("terrain", "MA-3", "floods")]}) == []
    assert found({"squares": ()}, PLAIN) == []


@pytest.mark.parametrize(
    ("more", "known"),
    [
        ((), "known: open"),
        ((Reads("terrain", "MA-3", "floods", ("watr",)),), "did you mean 'watr'? (known: watr)"),
        ((Reads("terrain", "MA-3", "dries", ("sand",), idle=True),), "known: open"),
    ],
)
def test_a_word_that_is_not_read_is_a_fault_and_the_known_ones_are_named(more, known):
    told = f"no rule of made reads terrain 'water'; {known}; words that are only drawn belong under scenery"
    assert found({"squares": [*READ, *more]}) == [(("terrain",), told, "", True)]


def test_a_key_that_is_not_read_is_a_fault_and_the_keys_that_are_read_are_named():
    impeded, *_ = READ
    ((path, told, *_),) = found({"squares": [impeded, Reads("terrain")]})
    assert path == ("areas",)
    assert told.startswith("no rule of made reads 'areas'; ")
    assert "impeded, terrain" in told


@pytest.mark.parametrize(("clause", "cited"), [("MA-2", " (MA-2)"), ("", "")])
def test_what_is_known_and_changes_nothing_is_noted(clause, cited):
    idle = Reads("areas", clause, "there are no goals", idle=True)
    told = f"nothing follows from areas in made: there are no goals{cited}"
    assert found({"squares": [READ[0], Reads("terrain"), idle]}) == [(("areas",), told, clause, False)]


@pytest.mark.parametrize(("clause", "cited"), [("MA-3", " (MA-3)"), ("", "")])
def test_scenery_that_is_read_is_a_fault_where_a_scenario_lists_it(clause, cited):
    declared = {"squares": [*READ, Reads("terrain", clause, "what floods")]}
    told = f"'water' is not scenery: made reads it as what floods{cited}"
    assert found(declared, scenery=("water",)) == [(("scenery", 0), told, "", True)]
    # A board belongs to no rulebook: what it lists is only drawn where the rulebook does not read it.
    listed = YARD.replace("legend:", "scenery: [mud, water]\nlegend:")
    assert [path for path, *_ in found(declared, listed)] == [("board", "scenery", 0)]


def test_scenery_that_is_nowhere_on_the_board_is_a_fault():
    declared = {"squares": [*READ, Reads("terrain")]}
    ((path, told, *_),) = found(declared, scenery=("watr",))
    assert path == ("scenery", 0)
    assert told.startswith("nothing on this board is called 'watr'; did you mean 'water'?")


def test_the_known_words_under_a_key():
    rules = type("Made", (duel_ruleset.DuelRuleset,), {"reads": {"squares": READ}})()
    setting = Setting.of(rules, parse_board(YARD))
    for key, known in (("terrain", ["open"]), ("ground", ["open"]), ("kind", []), ("unit", []), ("layer", [])):
        assert known_words(setting, key) == known
    assert known_words(setting, "level") == ["impeded", "areas"]
