"""Poses at the command line: `--to "5,2 facing 180"`, in words, JSON and pictures."""

import json
import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ALLEY = str(ROOT / "scenarios" / "dot_trooper" / "alley_turn.yaml")
CHASE = str(ROOT / "scenarios" / "grid_runner" / "market_chase.yaml")
SADDLE = str(ROOT / "scenarios" / "dot_trooper" / "empty_saddle.yaml")
ROOFS = """
format: 1
ruleset: roof_courier
board:
  board: table
  size: [20, 15]
  pieces:
    - {id: hut, kind: hut, layer: ground, rectangle: {centre: [8, 5], size: [2, 2]}}
units:
  A1: {type: courier, side: red, at: [5, 5], heading: 0}
"""


@pytest.fixture(scope="session")
def rulebooks(tmp_path_factory):
    """A folder with the metadata of an installed package that offers couriers on roofs."""
    info = tmp_path_factory.mktemp("installed") / "roof_couriers-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: roof-couriers\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[simulator.rulesets]\nroof_courier = roof_couriers\n")
    return os.pathsep.join(map(str, (ROOT, info.parent, ROOT / "tests" / "engine")))


@pytest.fixture
def roofs(tmp_path):
    (tmp_path / "roofs.yaml").write_text(ROOFS)
    return "roofs.yaml"


class TestOnATable:
    def test_a_pose_in_reach(self, run, roofs):
        answer = run("reach", roofs, "A1", "--to", "8,5 facing 90 level roof")
        assert answer.returncode == 0, answer.stderr
        assert answer.stdout.splitlines()[-2:] == [
            "8,5 facing 90 level roof can be reached, for 6 inches",
            "at 6 inches, certain at best",
        ]

    def test_a_pose_out_of_reach(self, run, roofs):
        answer = run("explain", roofs, "A1", "8.9,5", "facing", "west", "level", "roof")
        assert answer.returncode == 1
        assert answer.stdout.splitlines() == [
            "8.9,5 facing 180 level roof cannot be reached",
            "  RO-2   no inch is left to end facing 180 level roof",
            "  nearest legal end: 8.9,5 facing 0 level ground, for 3.9 inches",
            "  nearest legal end facing 180 level roof: 8,5, for 6 inches",
        ]

    def test_the_way(self, run, roofs):
        answer = run("path", roofs, "A1", "8,5 level roof facing north")
        assert answer.returncode == 0, answer.stderr
        assert answer.stdout.splitlines()[0].startswith("A1 to 8,5 facing 90 level roof: 6 inches; best chance")
        assert answer.stdout.splitlines()[2] == "  A1: to 8,5, face 90, climb"

    def test_in_json(self, run, roofs):
        told = json.loads(run("reach", roofs, "A1", "--to", "8,5 facing 90 level roof", "--json").stdout)["to"]
        assert told == {
            "place": [8.0, 5.0],
            "heading": 90.0,
            "level": "roof",
            "reachable": True,
            "reasons": [],
            "nearest": [8.0, 5.0],
            "nearest_heading": 90.0,
            "nearest_level": "roof",
            "nearest_cost": 6.0,
            "remedy": "",
            "cost": 6.0,
            "chance": 1,
        }
        plain = json.loads(run("reach", roofs, "A1", "--to", "8,5", "--json").stdout)["to"]
        assert not {"heading", "level", "nearest_heading", "nearest_level"} & set(plain)

    def test_a_picture_shows_the_heading(self, run, roofs, tmp_path):
        run("reach", roofs, "A1", "--to", "8,6 facing 90", "--svg", "faced.svg")
        run("reach", roofs, "A1", "--to", "8,6", "--svg", "plain.svg")
        faced, plain = ((tmp_path / name).read_text() for name in ("faced.svg", "plain.svg"))
        assert ">facing 90<" in faced
        assert "facing" not in plain

    def test_on_the_map_a_level_is_a_feature(self, run, roofs, tmp_path):
        assert run("reach", roofs, "A1", "--geojson", "reach.json").returncode == 0
        told = json.loads((tmp_path / "reach.json").read_text())
        levels = [one["properties"]["level"] for one in told["features"] if one["properties"]["what"] == "level"]
        assert levels == ["ground", "roof"]


class TestOnDots:
    def test_headings_and_levels(self, run):
        for said in ("5,2 facing 180", "5,2 facing 180 level 0"):
            answer = run("reach", ALLEY, "ann", "--action", "drive", "--to", said)
            assert answer.returncode == 0, answer.stderr
            assert f"{said} can be reached, for 3 AP" in answer.stdout.splitlines()
        above = run("explain", ALLEY, "ann", "5,2 level 1")
        assert above.returncode == 1
        assert "  DT-166 a vehicle keeps to the ground, and that of 5,2 is on level 0" in above.stdout.splitlines()

    def test_every_end_names_its_level(self, run):
        ends = json.loads(run("reach", ALLEY, "ann", "--action", "drive", "--json").stdout)["ends"]
        assert {(end["level"], end["heading"] % 60) for end in ends} == {(0, 0)}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ("reach", SADDLE, "dan", "--action", "foot_move", "--to", "8,3 facing 60"),
            "foot move of dot_trooper knows no headings",
        ),
        (("reach", CHASE, "kit", "--to", "8,9 facing 90"), "grid_runner knows no headings: ask about 8,9, not about"),
        (("path", CHASE, "kit", "8,9 level 1"), "grid_runner knows no levels: ask about 8,9, not about 8,9 level 1"),
        (("explain", CHASE, "kit", "8,9 facing up"), "place: expected a heading: degrees, or a compass word"),
        (("explain", CHASE, "8,9 facing 90"), "which unit to 8,9 facing 90? name it first"),
        (("path", ALLEY, "ann", "5,2 facing 0 facing 60"), "place: expected one heading and one level at most"),
        (("path", ALLEY, "ann", "99,2 facing 0"), "99,2 is not on the board"),
    ],
    ids=str,
)
def test_what_is_no_pose_here_is_wrong_usage(run, words, told):
    answer = run(*words)
    assert answer.returncode == 2
    assert told in answer.stderr
