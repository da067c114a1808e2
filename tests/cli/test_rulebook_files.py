"""`--rulebook FILE.py`: a rulebook without a package."""

import shutil
from pathlib import Path

import pytest

from simulator.engine.ruleset import BrokenRuleset, Shelf
from simulator.rulesets import OURS

DUEL = Path(__file__).resolve().parents[1] / "engine" / "duel_ruleset.py"
ROW = """\
format: 1
ruleset: brawl
board: {board: squares, legend: {".": {}}, rows: "........"}
units:
  A1: {type: fighter, side: red, at: [0, 0]}
  B1: {type: fighter, side: blue, at: [3, 0]}
turns:
  - ["A1 walk: right 2"]
"""


@pytest.fixture
def brawl(tmp_path):
    """The rulebook of duels under another name, in two files, and a scenario of it."""
    shutil.copy(DUEL, tmp_path / "beside_it.py")
    (tmp_path / "brawl.py").write_text(
        "from beside_it import DuelRuleset\n\n\nclass Brawl(DuelRuleset):\n    name = 'brawl'\n\n\nRULESET = Brawl()\n"
    )
    (tmp_path / "row.yaml").write_text(ROW)
    return "brawl.py"


@pytest.mark.parametrize(
    "words",
    [
        ("run", "row.yaml"),
        ("check", "row.yaml"),
        ("show", "row.yaml"),
        ("record", "row.yaml"),
        ("reach", "row.yaml", "A1"),
        ("explain", "row.yaml", "A1 walk: right 2"),
        ("exposed", "row.yaml", "A1 walk: right 2"),
        ("rules", "brawl", "--orders"),
    ],
)
def test_a_command_with_a_rulebook_of_a_file(run, brawl, words):
    assert run(*words).returncode != 0
    assert run(*words, "--rulebook", brawl).returncode == 0
    assert run(words[0], "--rulebook", brawl, *words[1:]).returncode == 0


def test_workers_load_it_too(run, brawl, tmp_path):
    (tmp_path / "second.yaml").write_text(ROW)
    answer = run("run", "row.yaml", "second.yaml", "--jobs", "2", "--rulebook", brawl)
    assert answer.stdout.endswith("2 of 2 scenarios met all expectations\n")


# Long: a reach map by several processes; a shorter job of workers is tried beside it.
@pytest.mark.long
def test_workers_of_a_reach_map_load_it_too(run, brawl, tmp_path):
    words = ("reach-map", "row.yaml", "A1", "--rulebook", brawl)
    assert run(*words, "--workers", "1", "-o", "one.npz").returncode == 0
    assert run(*words, "--workers", "2", "-o", "two.npz", apart=True).returncode == 0
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "there is no such file"),
        ("x = 1\n", "it defines no RULESET"),
        ("x = 1\n\ny = 1 / 0\n", "bad.py:3: ZeroDivisionError: division by zero"),
        ("def f(:\n", "SyntaxError"),
        ("RULESET = 5\n", "5 is not a Ruleset"),
        ("from simulator.rulesets.skirmish import RULESET\n", "'skirmish' is the name of a rulebook that comes along"),
    ],
)
def test_what_is_wrong_with_the_file_is_said(run, tmp_path, text, message):
    if text is not None:
        (tmp_path / "bad.py").write_text(text)
    answer = run("rules", "--rulebook", "bad.py")
    assert answer.returncode == 3
    assert answer.stderr.startswith("the rulebook bad.py cannot be loaded: ")
    assert message in answer.stderr


def test_the_later_of_two_files_counts(tmp_path, brawl, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    own = Shelf(OURS)
    first = own.add(tmp_path / brawl)
    assert own["brawl"] is first
    second = own.add(tmp_path / brawl)
    assert own["brawl"] is second
    assert sorted(own) == sorted([*OURS, "brawl"])
    with pytest.raises(BrokenRuleset):
        own.add(tmp_path / "nothing.py")
