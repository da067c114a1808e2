"""Polyanya meshes where Moving AI maps are taken: a court of 4 by 3 with a block in its middle and a corner missing."""

import json
import math
from pathlib import Path

import pytest

COURT = Path(__file__).parents[1] / "formats" / "polyanya" / "court.mesh"


def test_walk(run):
    """Round the block: to its corner, along its side, and down again."""
    words = ("walk", COURT, "--from", "0.5,1.5", "--budget", "6", "--radius", "0", "--to", "3.5,1.5")
    (route,) = json.loads(run(*words, "--json").stdout)["routes"]
    assert float(route["cost"]) == pytest.approx(2 + 2 * math.hypot(0.5, 0.5))
    assert run(*words).stdout.startswith("9 square inches within 6 inches\n")


def test_show_and_check(run):
    assert run("show", COURT).stdout.startswith("court: 4 × 3 inches, 2 pieces\n")
    assert "court.mesh: ok (table, " in run("check", COURT).stdout


def test_bench(run):
    told = run("bench", COURT, "--queries", "2", "--radius", "0.1", "--budget", "2").stdout
    assert told.startswith("court: 2 queries of 2 inches")


def test_a_broken_mesh(run, tmp_path):
    (tmp_path / "odd.mesh").write_text(COURT.read_text().replace("mesh", "grid", 1))
    found = run("check", "odd.mesh")
    assert found.returncode == 3
    assert "odd.mesh:1:1: the file has to begin with the word 'mesh' (got 'grid')" in found.stdout
