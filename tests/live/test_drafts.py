"""Drafts: a scenario as one text, what is wrong with it, and changes by hand."""

from __future__ import annotations

import re

import pytest

from simulator import load_scenario
from simulator.errors import SimulatorError
from simulator.formats.editing import plain
from simulator.formats.scenarios import parse_scenario

STORIES = ["market_chase", "the_yard", "alley_turn", "main_street", "two_guards"]


@pytest.fixture
def draft(ask):
    return ask("draft", scenario="market_chase")["draft"]


@pytest.mark.parametrize("name", STORIES)
def test_a_draft_plays_like_its_file(ask, name):
    draft = ask("draft", scenario=name)["draft"]
    assert ask("draft", scenario=name, draft=draft)["draft"] == draft
    assert isinstance(plain(draft)["board"], dict)
    steps = ask("script", scenario=name)["steps"][:3]
    as_file, as_draft = (ask("moment", scenario=name, steps=steps, draft=text) for text in ("", draft))
    assert as_draft == as_file


@pytest.mark.parametrize("name", STORIES)
def test_what_a_draft_holds(ask, name):
    draft = ask("draft", scenario=name)["draft"]
    found = ask("check", draft=draft)
    assert found["faults"] == []
    shows, setting = found["shows"], parse_scenario(draft).setting
    assert [unit["id"] for unit in shows["moment"]["units"]] == list(plain(draft)["units"])
    assert [one["name"] for one in shows["tools"]["types"]] == list(setting.ruleset.unit_types)
    if "cells" in shows["opened"]:
        assert [one["glyph"] for one in shows["tools"]["glyphs"]] == list(plain(draft)["board"]["legend"])
    else:
        assert [one["id"] for one in shows["tools"]["pieces"]] == [piece.id for piece in setting.board.pieces]
        assert shows["tools"]["kinds"]


def test_a_new_scenario_of_each_rulebook_can_be_played(ask):
    for book in ask("rulebooks")["rulebooks"]:
        found = ask("check", draft=ask("new", ruleset=book["name"])["draft"])
        assert (found["faults"], found["shows"] is None) == ([], False), book


def test_there_is_no_new_scenario_of_an_unknown_rulebook(ask):
    with pytest.raises(SimulatorError, match="mecha"):
        ask("new", ruleset="mech")


def test_faults_have_their_lines(ask, draft):
    number = next(n for n, line in enumerate(draft.splitlines(), 1) if "kit:" in line)
    found = ask("check", draft=draft.replace("kit: {type: character", "kit: {type: dragon"))
    assert [(fault["line"], fault["path"]) for fault in found["faults"]] == [(number, "units.kit.type")]
    assert found["shows"] is None


def test_a_faulty_position_is_shown(ask, draft):
    taken = str(plain(draft)["units"]["lou"]["at"])
    crowd = {"do": "put", "path": ["units", "kit", "at"], "value": taken}
    found = ask("check", draft=ask("edit", draft=draft, changes=[crowd])["draft"])
    assert found["faults"]
    assert found["shows"]["moment"]["units"]


@pytest.mark.parametrize("text", ["", "a: [", "format: 1\nruleset: chess\nboard: {}\n", "\x00", "- 1", "board: x.yaml"])
def test_nonsense_has_faults(ask, text):
    assert ask("check", draft=text)["faults"]


def test_a_draft_leads_to_no_file(ask, draft):
    named = draft[: draft.index("board:")] + "board: ../../boards/market_square.yaml\nunits: {}\n"
    (fault,) = ask("check", draft=named)["faults"]
    assert "cannot name a board's file" in fault["message"]


class TestChanges:
    @pytest.mark.parametrize("text", ["aaa", "- 1", "units: {}", "board: x.yaml", "board: {rows: x}"])
    def test_without_a_board_nobody_is_moved(self, ask, text):
        with pytest.raises(SimulatorError):
            ask("edit", draft=text, changes=[{"do": "move", "unit": "kit", "cell": [0, 0]}])

    def test_one_after_the_other(self, ask, draft):
        changed = ask(
            "edit",
            draft=draft,
            changes=[
                {"do": "put", "path": ["units", "zoe"], "value": '{"type": "character", "side": "couriers"}'},
                {"do": "move", "unit": "zoe", "cell": [2, 9]},
                {"do": "remove", "path": ["units", "lou"]},
                {"do": "paint", "cells": [[0, 0], [0, 2]], "glyph": "~"},
            ],
        )["draft"]
        data = plain(changed)
        assert data["units"]["zoe"] == {"type": "character", "side": "couriers", "at": [9, 2]}
        assert "lou" not in data["units"]
        assert data["board"]["rows"].startswith("~.~.")
        comments = [line.partition("#")[2] for line in draft.splitlines() if "  # " in line and "lou" not in line]
        assert all(comment in changed for comment in comments)

    def test_dots_count_as_their_file_does(self, ask):
        draft = ask("draft", scenario="skid_into_the_wall")["draft"]
        board = load_scenario("scenarios/dot_trooper/skid_into_the_wall.yaml").setting.board
        unit = next(iter(plain(draft)["units"]))
        changed = ask("edit", draft=draft, changes=[{"do": "move", "unit": unit, "cell": [1, 2]}])["draft"]
        assert plain(changed)["units"][unit]["at"] == list(board.place_at(1, 2))

    def test_a_point_of_a_table(self, ask):
        draft = ask("draft", scenario="the_yard")["draft"]
        changed = ask("edit", draft=draft, changes=[{"do": "move", "unit": "ash", "point": [7.5, 9.0]}])["draft"]
        assert plain(changed)["units"]["ash"]["at"] == [7.5, 9]

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"do": "remove", "path": ["units", "nobody"]}, "there is no units.nobody"),
            ({"do": "move", "unit": "kit", "cell": [99, 0]}, "no row 99, column 0"),
            ({"do": "move", "unit": "kit", "cell": [-1, 0]}, "no row -1, column 0"),
            ({"do": "move", "unit": "kit"}, "a row and a column"),
            ({"do": "paint", "cells": [[99, 0]], "glyph": "~"}, "no glyph in row 99, column 0"),
            ({"do": "paint", "cells": [[0, 0]], "glyph": "~~"}, "one visible character"),
            ({"do": "put", "path": ["units", "kit", "at"], "value": "[1, 2"}, "bracket"),
        ],
    )
    def test_what_cannot_be_changed_says_why(self, ask, draft, change, message):
        with pytest.raises(SimulatorError, match=re.escape(message)):
            ask("edit", draft=draft, changes=[change])


class TestFigures:
    def test_a_figure_counts(self, ask):
        near, far = (
            ask("place", scenario="the_yard", unit="ash", place="6,12", tables=tables)
            for tables in ({}, {"inches.standing": "2"})
        )
        assert near["cost"] != far["cost"]

    def test_all_are_listed_as_they_are_written(self, ask):
        for figure in ask("open", scenario="alley_turn")["figures"]:
            same = ask("open", scenario="alley_turn", tables={figure["path"]: figure["value"]})
            assert figure in same["figures"]

    def test_a_wrong_one_is_refused_with_its_path(self, ask):
        with pytest.raises(SimulatorError, match=r"inches\.standing: expected a number .*SK-2"):
            ask("moment", scenario="the_yard", tables={"inches.standing": "many"})


class TestStandingElsewhere:
    def test_reach_begins_there(self, ask):
        there = ask("place", scenario="the_yard", unit="ash", place="6,12", stood="6,11.5")
        assert there["cost"] == "1 AP"

    def test_the_game_goes_on_as_it_was(self, ask):
        before = ask("moment", scenario="the_yard")
        ask("reach", scenario="the_yard", unit="ash", stood="6,12")
        assert ask("moment", scenario="the_yard") == before

    @pytest.mark.parametrize(("stood", "message"), [("8,8", "GR-"), ("99,0", "99"), ("here", "place")])
    def test_where_it_may_not_stand(self, ask, stood, message):
        with pytest.raises(SimulatorError, match=message):
            ask("reach", scenario="market_chase", unit="kit", stood=stood)
