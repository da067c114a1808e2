"""The help of every command: the page made from it is up to date, and each of its examples works."""

import shlex
import shutil
from itertools import pairwise
from pathlib import Path

import pytest

from simulator.cli.manual import PAGE, commands, examples, manual

ROOT = Path(__file__).resolve().parents[2]
FORD = (
    """\
format: 1
ruleset: grid_runner
name: The ford
board:
  board: squares
  legend: {".": {}}
  rows: |
"""
    + 12 * ("    " + 40 * ". " + "\n")
)
FORD += """\
units:
  A2: {type: character, side: red, at: [8, 8]}
  B1: {type: character, side: blue, at: [20, 8]}
dice: {seed: 7}
turns:
  - - A2 move to 12,8
"""
HELP = {name: context.get_help() for name, context in commands()}
EXAMPLES = sorted({line for text in HELP.values() for line in examples(text)})
#: Measures every documented limit for minutes; `test_bench` measures one.
LONG = {"simulator bench limits"}
#: Those that show how it looks when the rules say no.
SAY_NO = ("explain",)


def test_the_page_is_what_the_commands_say_of_themselves():
    assert PAGE.read_text(encoding="utf-8") == manual(), "run `make cli-docs`"


@pytest.mark.parametrize("name", [name for name, text in HELP.items() if f"simulator {name} [OPTIONS] " in text])
def test_each_command_that_wants_arguments_shows_an_example(name):
    assert any(line.startswith(f"simulator {name}") for line in examples(HELP[name]))


@pytest.fixture(scope="module")
def folder(tmp_path_factory, in_folder):
    """A folder with all files that examples speak of."""
    folder = tmp_path_factory.mktemp("examples")
    for name in ("boards", "scenarios"):
        shutil.copytree(ROOT / name, folder / name)
    (folder / "tests/records").mkdir(parents=True)
    (folder / "ford.yaml").write_text(FORD)
    (folder / "big.map").write_text("type octile\nheight 9\nwidth 9\nmap\n" + 9 * ".........\n")
    assert in_folder(folder, ["new-board", "squares", "hall.yaml"]).returncode == 0
    assert in_folder(folder, ["run", "ford.yaml", "--log", "ford.jsonl"]).returncode == 0
    return folder


@pytest.mark.parametrize("line", [line for line in EXAMPLES if line not in LONG])
def test_every_example_works(in_folder, folder, line):
    _, command, *words = shlex.split(line)
    target = None
    if ">" in words:
        *words, _, target = words
    if command == "new-board" and "hall.yaml" in words:
        (folder / "hall.yaml").unlink()
    answer = in_folder(folder, [command, *words])
    assert answer.returncode in ((0, 1) if command in SAY_NO else (0,)), answer.stdout + answer.stderr
    assert answer.stdout or answer.stderr
    if target:
        (folder / target).write_text(answer.stdout)
    for option, file in pairwise(words):
        if option in ("--svg", "--png", "--log"):
            assert (folder / file).exists()
