"""Rulebooks of other packages: one that cannot be loaded, and one that goes wrong, are named; ours are not blamed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

ROVERS = """
from simulator.rulebook import *

class RoverRuleset(Ruleset):
    name, title, boards = "rover", "Rovers", ("squares",)
    unit_types = {"rover": UnitType("rover")}
    vocabulary = Vocabulary(actions=[ActionForm("drive")], default="drive", goal_place=place("a square", whole=True))
    reaches = {"drive": "where a drive ends"}
    def breaches(self, table, order):
        return ()
    def reach(self, table, unit, action):
        return unit["ap"]

RULESET = RoverRuleset()
"""
FIELD = """
format: 1
ruleset: rover
board: {board: squares, legend: {".": {}}, rows: ". ."}
units:
  R1: {type: rover, side: red, at: [0, 0]}
"""


@pytest.fixture(scope="session")
def rulebooks(tmp_path_factory):
    """A folder with the metadata of installed packages: one that is not there, one with a fault."""
    folder = tmp_path_factory.mktemp("installed")
    info = folder / "rovers-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: rovers\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[simulator.rulesets]\nrover = rovers\nghost = nobody.here:RULESET\n")
    (folder / "rovers.py").write_text(ROVERS)
    return os.pathsep.join(map(str, (ROOT, folder)))


def test_one_that_can_not_be_loaded_is_named_and_the_others_are_listed(run):
    answer = run("rules")
    assert answer.returncode == 0
    assert "the ruleset 'ghost' cannot be loaded from nobody.here:RULESET: No module named 'nobody'" in answer.stderr
    assert "grid_runner  Grid runner: " in answer.stdout
    alone = run("rules", "ghost")
    assert alone.returncode == 3
    assert alone.stderr.startswith("the ruleset 'ghost' cannot be loaded from nobody.here:RULESET")


def test_a_fault_of_a_rulebook_names_its_line(run, tmp_path):
    (tmp_path / "field.yaml").write_text(FIELD)
    answer = run("reach", "field.yaml", "R1")
    line = ROVERS.splitlines().index('        return unit["ap"]') + 1
    assert answer.returncode == 70
    assert answer.stderr.startswith(
        f"simulator: a fault of the rulebook rover, rovers.py:{line} in reach: KeyError: 'ap'"
    )


def test_an_event_that_cites_no_clause_names_the_line_that_tells_it(tmp_path):
    told = "        yield Event('drives', order.unit, [], 'RO-7')"
    source = ROVERS.replace(
        "\nclass RoverRuleset",
        f"\n@clause('RO-1')\ndef drive(table, order):\n    if True:\n{told}\n\nclass RoverRuleset",
    ).replace('    reaches = {"drive"', '    actions = {"drive": drive}\n    reaches = {"drive"')
    folder = tmp_path / "installed"
    info = folder / "rovers-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: rovers\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[simulator.rulesets]\nrover = rovers\n")
    (folder / "rovers.py").write_text(source)
    (tmp_path / "field.yaml").write_text(FIELD + "turns: [[R1 drive]]\n")
    paths = os.pathsep.join(map(str, (ROOT, folder)))

    def ran():
        command = [sys.executable, "-m", "simulator", "run", "field.yaml"]
        # The rulebook is written twice, to the same size: compiled code of the first would pass for that of the second.
        env = {**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)

    answer = ran()
    line = source.splitlines().index(told) + 1
    assert answer.returncode == 70
    assert answer.stderr.startswith(f"simulator: a fault of the rulebook rover, rovers.py:{line} in drive: rover: ")
    assert "cites no clause of it: no rule is tied to RO-7 by @clause, and it is not marked" in answer.stderr
    (folder / "rovers.py").write_text(source.replace("'RO-7'", "'RO-1'"))
    assert ran().returncode == 0


def test_a_rulebook_without_a_judge_is_told_to_define_one(tmp_path):
    folder = tmp_path / "installed"
    info = folder / "rovers-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: rovers\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[simulator.rulesets]\nrover = rovers\n")
    (folder / "rovers.py").write_text(
        ROVERS.replace("breaches", "breachs").replace('"squares",)', '"squares",); page = "/no/rovers_of_mars.md"')
    )
    (tmp_path / "field.yaml").write_text(FIELD + "turns: [[R1 drive]]\n")

    def ran(*words):
        command = [sys.executable, "-m", "simulator", *words]
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (ROOT, folder)))}
        return subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)

    answer = ran("run", "field.yaml")
    assert (answer.returncode, answer.stderr) == (
        70,
        "simulator: a rulebook leaves out what is needed here: rover has no judge: "
        "define `breaches`, which returns the reasons against an order\n",
    )
    assert "its page /no/rovers_of_mars.md does not exist" in ran("rules").stderr
