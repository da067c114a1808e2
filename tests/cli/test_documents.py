"""The keys of the JSON documents are those that docs/file_formats.md lists: programs rely on them."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "file_formats.md").read_text(encoding="utf-8")

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
#: The same, side by side with the enemy.
CLOSE = HALL.replace('". . # . . ."', '"...\\n..."').replace("at: [4, 0]", "at: [0, 1]")
TABLE = """\
format: 1
ruleset: skirmish
name: Table
board: {board: table, size: [9, 9]}
units: {kit: {type: soldier, side: red, at: [4, 4]}}
turns: [kit done]
"""

ASKED = {
    "reach": [("hall.yaml", "kit"), ("hall.yaml", "kit", "--to", "2,0"), ("table.yaml", "kit")],
    "path": [("hall.yaml", "kit", "1,0"), ("hall.yaml", "kit", "2,0")],
    "explain` an order": [("hall.yaml", "kit move: e"), ("hall.yaml", "kit move: e 3")],
    "explain` a place": [("hall.yaml", "kit", "1,0"), ("hall.yaml", "kit", "2,0", "--try-options")],
    "exposed": [("hall.yaml", "kit", "1,0"), ("hall.yaml", "kit", "2,0"), ("hall.yaml", "kit move: e 3")],
    "threats": [("hall.yaml", "red"), ("table.yaml", "red")],
    "diff": [("hall.yaml", "kit", "--option", "scale=m2")],
    "run": [("hall.yaml",)],
    "check": [("hall.yaml",)],
    "walk": [("open.yaml", "--from", "0,0", "--budget", "1", "--to", "1,0")],
    "walk` on a table": [("bare.yaml", "--from", "3,3", "--budget", "2", "--to", "4,4.5")],
}

#: Asked when no place at all is searched for chances.
BEYOND = {
    "reach": (ROOT / "scenarios/skirmish/over_the_wall.yaml", "ana"),
    "diff": (ROOT / "scenarios/skirmish/over_the_wall.yaml", "ana", "--option", "traverse_ap=0"),
}


def row(name):
    """The keys of a row: those that are always there, and those in brackets; words in italics are rows of their own."""
    (cell,) = re.findall(rf"^\| (?:one of )?[`*]{re.escape(name)}[`*]? \| (.*) \|$", PAGE, re.MULTILINE)
    always, sometimes = set(), set()
    for bracket, mark, word in re.findall(r"(\(?)([`*])([^`*]+)[`*]\)?", cell):
        found = {word} if mark == "`" else row(word)[0]
        (sometimes if bracket else always).update(found)
    return always, sometimes


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "hall.yaml").write_text(HALL)
    (tmp_path / "table.yaml").write_text(TABLE)
    (tmp_path / "bare.yaml").write_text("format: 1\nboard: table\nsize: [9, 9]\n")
    (tmp_path / "open.yaml").write_text('format: 1\nboard: squares\nlegend: {".": {}}\nrows: "..."\n')


@pytest.mark.parametrize("command", ASKED, ids=lambda command: command.replace("` ", " "))
def test_keys_are_those_that_are_listed(run, folder, monkeypatch, command):
    always, sometimes = row(command)
    seen = set()
    for words in (*ASKED[command], *([BEYOND[command]] if command in BEYOND else [])):
        if words is BEYOND.get(command):
            monkeypatch.setattr("simulator.rulesets.skirmish.odds.chances.MOST_FOR_BANDS", 0)
        answer = run(command.partition("`")[0], *words, "--json")
        found = json.loads(answer.stdout)
        assert found.pop("format") == 1
        assert always <= found.keys() <= always | sometimes, words
        seen |= found.keys()
    assert seen == always | sometimes


@pytest.mark.parametrize("part", ["to", "price", "interruptions"])
def test_parts_are_as_they_are_listed(run, tmp_path, part):
    (tmp_path / "close.yaml").write_text(CLOSE)
    always, sometimes = row(part)
    found = json.loads(run("path", "close.yaml", "kit", "1,0", "--json").stdout)[part]
    entries = found if isinstance(found, list) else [found]
    assert entries
    for entry in entries:
        assert always <= entry.keys() <= always | sometimes


def test_a_forbidden_order_is_told_alike_by_all_who_are_asked_about_it(run, folder):
    exposed, explained = (run(command, "hall.yaml", "kit move: e 3", "--json") for command in ("exposed", "explain"))
    assert json.loads(exposed.stdout) == json.loads(explained.stdout)
    assert not json.loads(exposed.stdout)["legal"]
    assert exposed.returncode == explained.returncode == 1
    assert not exposed.stderr
