"""`simulator sweep` as it is used: answers, exit codes, interrupts."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from simulator.errors import TooMuchAsked

ROOT = Path(__file__).resolve().parents[2]
SCENARIO = """
format: 1
ruleset: grid_runner
board: {board: squares, legend: {".": {}}, rows: ". . . . ."}
units:
  ann: {type: character, side: red, at: [0, 0]}
  bob: {type: character, side: blue, at: [4, 0]}
"""
FIELD = """
format: 1
ruleset: skirmish
board: {board: table, size: [10, 10]}
units:
  ash: {type: soldier, side: red, at: [5, 5]}
"""
AGENTS = """
import time

def slow(game, units, rng):
    time.sleep(0.05)

def faulty(game, units, rng):
    raise ValueError("nothing comes to mind")
"""


@pytest.fixture
def sweep(tmp_path, run, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "tiny.yaml").write_text(SCENARIO)
    (tmp_path / "slow_agents.py").write_text(AGENTS)

    def sweep(*words, agents="[random]", seeds=2):
        text = f"format: 1\nsweep: games\nscenarios: [tiny.yaml]\nagents: {agents}\nseeds: {seeds}\n"
        (tmp_path / "plan.yaml").write_text(text)
        return run("sweep", "plan.yaml", *words)

    return sweep


def test_the_folder_is_named_like_the_plan(sweep, tmp_path):
    answer = sweep("--workers", "1")
    assert (answer.returncode, answer.stdout) == (0, "2 games: 0 failed, 0 reached a limit\n")
    assert sorted(path.name for path in (tmp_path / "plan").iterdir()) == [
        *("chunks", "games.parquet", "report.html", "sweep.json", "units.parquet"),
    ]


def test_a_failed_game_is_listed_and_the_exit_status_is_1(sweep, tmp_path):
    answer = sweep("--workers", "1", agents="['slow_agents:faulty']", seeds=1)
    assert answer.returncode == 1
    assert "1 game: 1 failed" in answer.stdout
    assert "ValueError: nothing comes to mind (plan/stopped/0.yaml)" in answer.stdout
    assert (tmp_path / "plan" / "stopped" / "0.yaml").exists()


def test_an_existing_sweep_is_kept(sweep):
    assert sweep("--workers", "1").returncode == 0
    again = sweep("--workers", "1")
    assert (again.returncode, "continue it with --resume" in again.stderr) == (2, True)
    assert sweep("--workers", "1", "--resume").returncode == 0
    changed = sweep("--resume", seeds=3)
    assert changed.returncode == 2
    assert "its plan has changed\n  seeds: [1,2] before, [1,2,3] now" in changed.stderr


def test_the_report_needs_nothing_else(sweep, tmp_path):
    assert sweep("--workers", "1").returncode == 0
    page = (tmp_path / "plan" / "report.html").read_text(encoding="utf-8")
    assert "<script" not in page
    assert "src=" not in page
    assert "@import" not in page
    assert "prefers-color-scheme:dark" in page
    assert "How this was computed" in page


def test_an_interrupted_sweep_goes_on(sweep, tmp_path):
    whole = sweep("--workers", "1", "--out", "whole", agents="['slow_agents:slow']", seeds=30)
    assert whole.returncode == 0
    words = [sys.executable, "-m", "simulator", "sweep", "plan.yaml", "--workers", "2", "--out", "out"]
    paths = os.pathsep.join([str(ROOT), str(tmp_path)])
    with subprocess.Popen(
        words, cwd=tmp_path, env=os.environ | {"PYTHONPATH": paths}, stderr=subprocess.PIPE, text=True
    ) as told:
        until = time.monotonic() + 60
        while not list((tmp_path / "out").glob("chunks/*.json")) and time.monotonic() < until:
            time.sleep(0.02)
        told.send_signal(signal.SIGINT)
        said = told.communicate()[1]
    assert (told.returncode, said.endswith("simulator: interrupted\n")) == (130, True)
    kept = len(list((tmp_path / "out").glob("chunks/*.json")))
    assert 0 < kept < 30
    resumed = sweep("--workers", "1", "--out", "out", "--resume", agents="['slow_agents:slow']", seeds=30)
    assert resumed.returncode == 0
    for name in ("games.parquet", "units.parquet", "report.html"):
        assert (tmp_path / "out" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


class TestChecked:
    """`simulator check` knows plans, and says of them what `simulator sweep` says."""

    def test_a_sound_one(self, sweep, run):
        sweep("--dry-run")
        assert run("check", "plan.yaml").stdout == "plan.yaml: ok (a sweep of 2 games)\n"
        found = json.loads(run("check", ".", "--json").stdout)["files"]
        assert {"file": "plan.yaml", "ok": True, "sweep": "plan", "games": 2} in found
        assert len(found) == 2

    @pytest.mark.parametrize(
        "plan",
        [
            "format: 1\nsweep: games\nscenarios: [tiny.yaml, gone.yaml]\noptions: {scale: [m2, m9]}\n",
            "format: 1\nsweep: reach\nscenarios: [tiny.yaml]\n",
            "format: 1\nsweep: reach\nscenarios: [tiny.yaml]\nunits: [ann, cid, {unit: bob, action: fly}]\n",
            "format: 1\nsweep: rech\nscenarios: [tiny.yaml]\n",
            "sweep: games\nscenarios: []\nagents: [{red: nobody}]\n",
            "sweep: [games\n",
        ],
    )
    def test_the_same_faults(self, sweep, run, tmp_path, plan):
        sweep("--dry-run")
        (tmp_path / "plan.yaml").write_text(plan)
        checked, played = run("check", "plan.yaml"), run("sweep", "plan.yaml", "--dry-run")
        assert (checked.returncode, played.returncode) == (3, 3)
        assert checked.stdout == played.stderr
        assert "plan.yaml:" in checked.stdout

    def test_other_commands_say_what_it_is(self, sweep, run):
        sweep("--dry-run")
        for words in (("reach", "plan.yaml", "ann"), ("show", "plan.yaml")):
            answer = run(*words)
            assert (answer.returncode, "plan.yaml is the plan of a sweep" in answer.stderr) == (2, True)


class TestMapsByTheCommand:
    """A plan of reach maps: the same command, the files of `simulator reach-map`."""

    @pytest.fixture
    def sweep_maps(self, tmp_path, run):
        (tmp_path / "tiny.yaml").write_text(SCENARIO)
        (tmp_path / "field.yaml").write_text(FIELD)

        def sweep(*words, units="[ann, {unit: bob, action: move, with: {mode: run}}]", more="", scenario="tiny.yaml"):
            text = f"format: 1\nsweep: reach\nname: Maps\nscenarios: [{scenario}]\nunits: {units}\n{more}"
            (tmp_path / "plan.yaml").write_text(text)
            return run("sweep", "plan.yaml", *words)

        return sweep

    def test_what_is_written_and_said(self, sweep_maps, tmp_path):
        counted = "Maps: 4 maps (1 scenario x 2 units x 2 settings)\n"
        options = "options: {scale: [m2, m1]}\n"
        dry = sweep_maps("--dry-run", more=options)
        assert (dry.returncode, dry.stdout) == (0, counted)
        assert not (tmp_path / "plan").exists()
        answer = sweep_maps("--workers", "1", more=options)
        assert (answer.returncode, answer.stdout) == (0, "4 maps: 0 failed, 0 starts without an answer\n")
        assert answer.stderr == (
            f"{counted}wrote 4 maps with a picture each into plan/maps\n"
            "wrote plan/maps.parquet\nwrote plan/report.html\n"
        )
        assert sorted(path.name for path in (tmp_path / "plan").iterdir()) == [
            *("chunks", "maps", "maps.parquet", "report.html", "sweep.json"),
        ]
        again = sweep_maps("--workers", "1", more=options)
        assert (again.returncode, "continue it with --resume" in again.stderr) == (2, True)
        assert sweep_maps("--resume", more=options).returncode == 0

    @pytest.mark.parametrize(
        ("scenario", "units", "more"),
        [
            ("tiny.yaml", "[ann]", "options: {scale: [m2, m1]}\n"),
            ("tiny.yaml", "[{unit: bob, action: move, with: {mode: run}}]", "costs: false\n"),
            (
                "field.yaml",
                "[{unit: ash, action: move}]",
                "tables: {inches.standing: [3, 5/2]}\nspacing: 2\nareas: true\n",
            ),
        ],
    )
    def test_each_map_is_that_of_its_command(self, sweep_maps, run, tmp_path, scenario, units, more):
        answer = sweep_maps("--workers", "1", units=units, more=more, scenario=scenario)
        assert answer.returncode == 0
        for path in sorted((tmp_path / "plan" / "chunks").iterdir()):
            row = json.loads(path.read_text())
            words = shlex.split(row["command"])
            assert words[0] == "simulator"
            assert run(*words[1:], "--workers", "1").returncode == 0
            assert (tmp_path / words[-1]).read_bytes() == (tmp_path / "plan" / row["file"]).read_bytes()

    def test_a_failed_map_is_listed_and_the_exit_status_is_1(self, sweep_maps, tmp_path):
        (tmp_path / "off.yaml").write_text(SCENARIO.replace(", at: [4, 0]", ""))
        answer = sweep_maps("--workers", "1", more="options: {scale: [m2, m1]}\n", scenario="off.yaml")
        assert answer.returncode == 1
        said, first, *_ = answer.stdout.splitlines()
        assert said == "4 maps: 2 failed, 0 starts without an answer"
        assert first.startswith("  off, bob move mode=run, scale m2: ")

    def test_starts_beyond_a_limit_give_exit_status_4(self, sweep_maps, monkeypatch):
        def refuse(self, ready):
            return [TooMuchAsked("too far to see") for _ in ready]

        monkeypatch.setattr("simulator.engine.bulk_reach.BulkReach._answers", refuse)
        answer = sweep_maps("--workers", "1", units="[ash]", scenario="field.yaml", more="spacing: 5\n")
        assert (answer.returncode, answer.stdout) == (4, "1 map: 0 failed, 4 starts without an answer\n")

    def test_an_interrupted_one_goes_on(self, sweep_maps, tmp_path):
        more, units = "spacing: 1\ntables: {inches.standing: [3, 5/2]}\n", "[{unit: ash, action: move}]"
        how = {"units": units, "more": more, "scenario": "field.yaml"}
        whole = sweep_maps("--workers", "1", "--out", "whole", **how)
        assert whole.returncode == 0
        words = [sys.executable, "-m", "simulator", "sweep", "plan.yaml", "--workers", "2", "--out", "out"]
        with subprocess.Popen(
            words, cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT)}, stderr=subprocess.PIPE, text=True
        ) as told:
            until = time.monotonic() + 60
            while not list((tmp_path / "out").glob("maps/*.parts/*.npz")) and time.monotonic() < until:
                time.sleep(0.01)
            told.send_signal(signal.SIGINT)
            said = told.communicate()[1]
        assert (told.returncode, said.endswith("simulator: interrupted\n")) == (130, True)
        assert not (tmp_path / "out" / "maps.parquet").exists()
        resumed = sweep_maps("--workers", "1", "--out", "out", "--resume", **how)
        assert resumed.returncode == 0
        for name in ("maps.parquet", "report.html", "maps/0.npz", "maps/1.npz", "maps/1.svg"):
            assert (tmp_path / "out" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()

    def test_check_knows_it(self, sweep_maps, run):
        sweep_maps("--dry-run", more="options: {scale: [m2, m1]}\n")
        assert run("check", "plan.yaml").stdout == "plan.yaml: ok (a sweep of 4 reach maps)\n"
        found = json.loads(run("check", "plan.yaml", "--json").stdout)["files"]
        assert found == [{"file": "plan.yaml", "ok": True, "sweep": "Maps", "maps": 4}]
