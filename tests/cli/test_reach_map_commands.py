"""`simulator reach-map` and `simulator heat-map` as they are used: answers, exit codes, interrupts, nonsense."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from simulator.formats.limits import Limit

ROOT = Path(__file__).resolve().parents[2]
YARD = """
format: 1
ruleset: grid_runner
name: Yard
board:
  board: squares
  name: Yard
  legend: {".": {}, "#": {wall: true}}
  rows: |
    . . . . .
    . # . # .
    . . . . .
units:
  ann: {type: character, side: red, at: [0, 0]}
  bob: {type: character, side: blue, at: [4, 2]}
"""
FIELD = """
format: 1
ruleset: skirmish
name: Field
board: {board: table, size: [30, 30]}
units:
  ash: {type: soldier, side: red, at: [5, 5]}
"""


@pytest.fixture
def here(tmp_path):
    (tmp_path / "yard.yaml").write_text(YARD)
    (tmp_path / "field.yaml").write_text(FIELD)
    return tmp_path


@pytest.fixture
def mapped(here, run):
    def mapped(*words, unit="ann", scenario="yard.yaml", out="yard.npz"):
        return run("reach-map", scenario, unit, "-o", out, "--workers", "1", *words)

    return mapped


class TestReachMap:
    def test_the_file_and_what_is_said(self, mapped, here):
        answer = mapped("--action", "move")
        assert answer.returncode == 0
        assert answer.stdout.splitlines()[:2] == ["ann (red), move; turn 1, pass 1 of 1", "12 starts at 12 places"]
        assert answer.stderr == "ann, move: 5 x 3 places\nwrote yard.npz\n"
        assert [path.name for path in here.glob("yard.npz*")] == ["yard.npz"]

    def test_what_is_asked_changes_the_answer(self, mapped, here):
        for name, words in {
            "plain": (),
            "run": ("--with", "mode=run"),
            "corners": ("--option", "diagonal_corners=free"),
            "later": ("--turn", "2"),
        }.items():
            assert mapped("--action", "move", *words, out=f"{name}.npz").returncode == 0
        costs = {}
        for name in ("plain", "corners"):
            with np.load(here / f"{name}.npz") as data:
                costs[name] = data["prices"][data["costs/000000"]]
        assert (costs["corners"] <= costs["plain"]).all()
        assert (costs["corners"] < costs["plain"]).any()
        with np.load(here / "corners.npz") as data:
            assert json.loads(str(data["about"]))["options"] == {"diagonal_corners": "free"}

    def test_a_dry_run_computes_nothing(self, mapped, here):
        answer = mapped("--dry-run")
        assert (answer.returncode, answer.stdout) == (0, "ann, move: 5 x 3 places\n")
        assert not list(here.glob("yard.npz*"))

    def test_places_of_a_table(self, mapped):
        answer = mapped("--spacing", "10", "--dry-run", unit="ash", scenario="field.yaml")
        assert answer.stdout == "ash, turn: 3 x 3 places\n"

    def test_it_goes_on_after_an_interrupt(self, here, run):
        ask = ("field.yaml", "ash", "--action", "move", "--spacing", "1")
        words = [sys.executable, "-m", "simulator", "reach-map", *ask, "-o", "field.npz", "--workers", "2"]
        with subprocess.Popen(
            words, cwd=here, env=os.environ | {"PYTHONPATH": str(ROOT)}, stderr=subprocess.PIPE, text=True
        ) as told:
            until = time.monotonic() + 60
            while not list(here.glob("field.npz.parts/*.npz")) and time.monotonic() < until:
                time.sleep(0.02)
            told.send_signal(signal.SIGINT)
            said = told.communicate()[1]
        assert (told.returncode, said.endswith("simulator: interrupted\n")) == (130, True)
        parts = sorted(here.glob("field.npz.parts/*.npz"))
        assert 0 < len(parts) < 200
        kept = {path.name: path.stat().st_mtime_ns for path in parts[:2]}
        again = run("reach-map", *ask, "-o", "field.npz")
        assert again.returncode == 2
        assert "field.npz.parts holds a reach map: continue it with --resume" in again.stderr
        assert {name: (here / "field.npz.parts" / name).stat().st_mtime_ns for name in kept} == kept
        other = run("reach-map", *ask, "-o", "field.npz", "--resume", "--summary")
        assert other.returncode == 2
        assert "its plan has changed\n  with_costs: true before, false now" in other.stderr


class TestNonsense:
    @pytest.mark.parametrize(
        ("words", "code", "message"),
        [
            (("--action", "fly"), 2, "has no reach for 'fly'"),
            (("--with", "mode=hop"), 2, "mode: expected"),
            (("--heading", "90"), 2, "ann has no heading: leave it out"),
            (("--spacing", "0"), 2, "0 is not in the range"),
            (("--spacing", "nan"), 2, "nan is not a number"),
            (("--scheduler", "tcp://127.0.0.1:9"), 2, "use one of them"),
            (("--resume",), 2, "yard.npz.parts holds no reach map to resume"),
            (("--option", "scale=m9"), 2, "'m9' is not one of its values"),
            (("--after", "9"), 2, "the scenario has 0 orders"),
        ],
    )
    def test_wrong_usage(self, mapped, here, words, code, message):
        answer = mapped(*words)
        assert (answer.returncode, message in answer.stderr) == (code, True), answer.stderr
        assert not list(here.glob("yard.npz*"))

    def test_no_such_unit_and_no_file_to_write(self, mapped, run):
        assert "there is no unit 'an'; did you mean 'ann'?" in mapped(unit="an").stderr
        assert "Missing option '--out' / '-o'" in run("reach-map", "yard.yaml", "ann").stderr
        answer = mapped(out="yard.yaml/map.npz")
        assert (answer.returncode, "cannot write" in answer.stderr) == (2, True)

    def test_a_map_that_would_be_too_large(self, mapped, here, monkeypatch):
        monkeypatch.setattr("simulator.sweeps.reach_map.MATRIX", Limit("matrix", 9, "costs"))
        answer = mapped()
        assert (answer.returncode, "--summary keeps what each start" in answer.stderr) == (4, True)
        assert mapped("--summary").returncode == 0


class TestHeatMap:
    def test_the_same_lines_and_the_same_data(self, mapped, run):
        words, data = mapped("--action", "move").stdout, json.loads(mapped("--action", "move", "--json").stdout)
        assert run("heat-map", "yard.npz").stdout == words
        assert json.loads(run("heat-map", "yard.npz", "--json").stdout) == data

    @pytest.mark.parametrize("show", ["reached-from", "ground", "median"])
    def test_pictures(self, mapped, run, here, show):
        assert mapped("--action", "move").returncode == 0
        pictures = {}
        for name, words in {"light": (), "dark": ("--dark",)}.items():
            answer = run("heat-map", "yard.npz", "--show", show, "--svg", f"{name}.svg", *words)
            assert (answer.returncode, answer.stderr) == (0, f"wrote {name}.svg\n")
            pictures[name] = (here / f"{name}.svg").read_text(encoding="utf-8")
            assert "ann: move from everywhere" in pictures[name]
        assert pictures["light"] != pictures["dark"]

    def test_from_one_start(self, mapped, run, here):
        mapped("--action", "move")
        assert run("heat-map", "yard.npz", "--from", "2,1", "--svg", "from.svg").returncode == 0
        assert "ann: move from 2,1" in (here / "from.svg").read_text(encoding="utf-8")
        for place, message in {
            "1,1": "there is no start 1,1: it may not stand there",
            "9,9": "there is no start 9,9: it may not stand there",
            "2,1 facing 60": "there is no start 2,1 facing 60",
            "-1,2": "there is no start -1,2",
        }.items():
            answer = run("heat-map", "yard.npz", "--from", place)
            assert (answer.returncode, message in answer.stderr) == (2, True), answer.stderr
        mapped("--action", "move", "--summary")
        assert "the map was made with --summary" in run("heat-map", "yard.npz", "--from", "2,1").stderr

    def test_what_is_no_map(self, run, here):
        answer = run("heat-map", "yard.yaml")
        assert (answer.returncode, "yard.yaml: is no reach map" in answer.stderr) == (3, True)
        answer = run("heat-map", "yard.npy")
        assert (answer.returncode, "cannot be read: No such file" in answer.stderr) == (3, True)
