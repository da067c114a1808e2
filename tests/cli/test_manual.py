"""The help of every command: the page made from it is up to date, and each of its examples works."""

import re
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
#: What `simulator demo` shows here: of each rulebook a scenario in which little can be reached.
SHOWN = ("dot_trooper/skid_into_the_wall.yaml", "grid_runner/back_room.yaml", "skirmish/mad_dash.yaml")
SMALL = """\
format: 1
ruleset: {ruleset}
name: A small field
board: {{board: table, size: [24, 16]{ground}}}
units:
  A: {{type: vehicle, side: red, at: [6, 8], heading: 0, size_class: 2, {mover}}}
  B: {{type: vehicle, side: blue, at: [18, 8], heading: 180, size_class: 2, {mover}}}
turns:
  - - "A {order}: forward 2"
"""
FIELDS = {
    "combined_arms": {"ground": "", "mover": "mobility: wheeled, rate_original: 6", "order": "move"},
    "mecha": {"ground": ", ground: flat_ground", "mover": "mobility: track, move: 3", "order": "standard"},
}
HELP = {name: context.get_help() for name, context in commands()}
EXAMPLES = sorted({line for text in HELP.values() for line in examples(text)})
#: Measures every documented limit for minutes; `test_bench` measures one.
LONG = {"simulator bench limits"}
#: What others try for less: a demo without reach (test_cli), one limit (test_bench), perft of fewer steps, reach of
#: other actions, and records of the games that are in the report.
DEAR = (
    "simulator demo",
    "simulator bench limits labels terrains",
    "simulator perft corpus/grid_runner/corner.yaml 2 --divide",
    "simulator perft corpus/grid_runner/corner.yaml 3",
    "simulator reach scenarios/mecha/at_the_crossing.yaml lance --action charge --with target=brute",
    "simulator run scenarios/ --junit report.xml",
)
# `simulator serve` goes on until it is interrupted: the tests in a browser start it.
RULEBOOKS = sorted([*FIELDS, *(name.partition("/")[0] for name in SHOWN)])
#: Those that show how it looks when the rules say no.
SAY_NO = ("explain",)


def test_the_page_is_what_the_commands_say_of_themselves():
    assert PAGE.read_text(encoding="utf-8") == manual(), "run `make cli-docs`"


@pytest.mark.parametrize("name", [name for name, text in HELP.items() if f"simulator {name} [OPTIONS] " in text])
def test_each_command_that_wants_arguments_shows_an_example(name):
    assert any(line.startswith(f"simulator {name}") for line in examples(HELP[name]))


@pytest.fixture(scope="module")
def folder(tmp_path_factory, in_folder):
    """A folder with all files that examples speak of; of the scenarios those that are named or shown."""
    folder = tmp_path_factory.mktemp("examples")
    shutil.copytree(ROOT / "boards", folder / "boards")
    named = {name for line in EXAMPLES for name in re.findall(r"scenarios/(\w+/\w+\.yaml)", line)}
    for name in {*named, *SHOWN}:
        (folder / "scenarios" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "scenarios" / name, folder / "scenarios" / name)
    for name, words in FIELDS.items():
        (folder / f"scenarios/{name}.yaml").write_text(SMALL.format(ruleset=name, **words))
    (folder / "scenarios/demo.txt").write_text("\n".join(SHOWN))
    (folder / "tests/records").mkdir(parents=True)
    (folder / "ford.yaml").write_text(FORD)
    for path in (ROOT / "tests/foreign/samples").iterdir():
        shutil.copy(path, folder / path.name)
    assert in_folder(folder, ["import", "keep.tmx", "-o", "keep.yaml"]).returncode == 0
    (folder / "big.map").write_text("type octile\nheight 9\nwidth 9\nmap\n" + 9 * ".........\n")
    shutil.copytree(ROOT / "corpus", folder / "corpus")
    (folder / "corners.yaml").write_text(
        "format: 1\nsweep: games\nscenarios: [ford.yaml]\nagents: [script]\nseeds: 2\nlimits: {orders: 20}\n"
    )
    (folder / "doors.yaml").write_text(
        "format: 1\nsweep: reach\nscenarios: [ford.yaml]\nunits: [A2]\noptions: {scale: [m2, m1]}\n"
    )
    assert in_folder(folder, ["new-board", "squares", "hall.yaml"]).returncode == 0
    assert in_folder(folder, ["run", "ford.yaml", "--log", "ford.jsonl"]).returncode == 0
    kit = ["scenarios/grid_runner/market_chase.yaml", "kit", "--action", "move", "-o", "kit.npz", "--workers", "1"]
    assert in_folder(folder, ["reach-map", *kit]).returncode == 0
    return folder


#: They wait for others: tests/live and tests/protocol start them.
_SERVERS = ("simulator serve", "simulator engine")
#: It needs the scheduler of a cluster: tests/sweeps starts one.
_CLUSTER = "--scheduler"


@pytest.mark.sampled(dear=DEAR)
@pytest.mark.parametrize(
    "line", [one for one in EXAMPLES if one not in LONG and not one.startswith(_SERVERS) and _CLUSTER not in one]
)
def test_every_example_works(in_folder, folder, monkeypatch, line):
    _, command, *words = shlex.split(line)
    target = None
    if ">" in words:
        *words, _, target = words
    if command == "new-board" and "hall.yaml" in words:
        (folder / "hall.yaml").unlink()
    if command == "sweep" and "--out" in words:
        shutil.rmtree(folder / "out", ignore_errors=True)
        if "--resume" in words:
            assert in_folder(folder, ["sweep", "corners.yaml", "--out", "out/corners"]).returncode == 0
    if command == "demo":
        shown = {"scenarios": folder / "scenarios"}
        monkeypatch.setattr("simulator.formats.examples.examples", lambda name: shown.get(name, ROOT / name))
    answer = in_folder(folder, [command, *words])
    assert command != "demo" or all(f"demo/{ruleset}.html" in answer.stdout for ruleset in RULEBOOKS)
    assert answer.returncode in ((0, 1) if command in SAY_NO else (0,)), answer.stdout + answer.stderr
    assert answer.stdout or answer.stderr
    if target:
        (folder / target).write_text(answer.stdout)
    for option, file in pairwise(words):
        if option in ("--svg", "--png", "--log"):
            assert (folder / file).exists()
