"""`simulator reach --reverse`: text, JSON, GeoJSON, pictures, and what is wrong usage."""

import json
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CHASE = "scenarios/grid_runner/market_chase.yaml"
YARD = "scenarios/skirmish/the_yard.yaml"
ALLEY = "scenarios/dot_trooper/alley_turn.yaml"


@pytest.fixture
def reverse(run):
    def reverse(scenario, *words):
        return run("reach", "--reverse", ROOT / scenario, *words)

    return reverse


def test_text(reverse):
    found = reverse(CHASE, "kit", "--to", "11,10")
    assert found.returncode == 0
    first, second, *bands = found.stdout.splitlines()
    assert first.startswith("kit (")
    assert " to 11,10, move; turn 1" in first
    assert second.startswith("could get there from ")
    assert bands


def test_json_agrees_with_reach(reverse, run):
    """What reach says of the unit where it stands, reverse says of that place."""
    told = json.loads(reverse(CHASE, "kit", "--to", "11,10", "--json").stdout)
    forward = json.loads(run("reach", ROOT / CHASE, "kit", "--to", "11,10", "--json").stdout)
    (here,) = [start for start in told["starts"] if start["place"] == [6, 8]]
    assert here["cost"] == forward["to"]["cost"] == 6
    assert told["goal"] == {"place": [11, 10]}
    assert told["extent"] == len({tuple(start["place"]) for start in told["starts"]})


def test_from_one_place(reverse, run):
    found = reverse(CHASE, "kit", "--to", "11,10", "--from", "6,8")
    assert found.returncode == 0
    assert "11,10 can be reached from 6,8\nfor 6 squares\n  kit: " in found.stdout
    found = reverse(CHASE, "kit", "--to", "8,8", "--from", "6,8")
    assert found.returncode == 1
    assert "8,8 cannot be reached from 6,8\n  GR-39  " in found.stdout
    found = json.loads(reverse(CHASE, "kit", "--to", "8,8", "--from", "6,8", "--json").stdout)
    assert [reason["clause"] for reason in found["from"]["reasons"]] == ["GR-39"]


def test_areas_and_pictures(reverse, tmp_path):
    words = ("--to", "16,5", "--action", "move", "--geojson", "areas.json", "--svg", "areas.svg")
    found = reverse(YARD, "ash", *words)
    assert found.returncode == 0
    areas = json.loads((tmp_path / "areas.json").read_text())
    assert [feature["properties"]["what"] for feature in areas["features"]][:2] == ["area", "band"]
    assert areas["features"][-1]["properties"] == {"what": "goal", "place": [16.0, 5.0]}
    assert "to 16,5" in (tmp_path / "areas.svg").read_text()


def test_what_moves_is_told(reverse):
    found = reverse(ALLEY, "ann", "--to", "4,7", "--action", "drive")
    assert found.stdout.startswith("ann on bike (")


def test_poses(reverse):
    """A heading of the goal, and one to set out with; without any it is the one that the vehicle has."""
    facing = reverse(ALLEY, "ann", "--to", "4,7 facing 180", "--action", "drive")
    first, second = facing.stdout.splitlines()[:2]
    assert " to 4,7 facing 180, drive; " in first
    assert " facing 0 as now, by least cost:" in second
    anyhow = json.loads(reverse(ALLEY, "ann", "--to", "4,7", "--action", "drive", "--json").stdout)
    told = json.loads(reverse(ALLEY, "ann", "--to", "4,7 facing 180", "--action", "drive", "--json").stdout)
    assert (told["goal"], anyhow["goal"]) == ({"place": [4, 7], "heading": 180}, {"place": [4, 7]})
    assert 0 < told["extent"] <= anyhow["extent"]
    assert reverse(ALLEY, "ann", "--to", "4,7 facing 60", "--action", "drive").returncode == 1
    assert {(start["heading"], start["level"]) for start in told["starts"]} == {(0, 0)}


def test_from_a_pose(reverse):
    words = ("--action", "drive", "--to", "4,7 facing 180")
    now = json.loads(reverse(ALLEY, "ann", *words, "--json").stdout)["starts"][0]
    place = ",".join(map(str, now["place"]))
    same = reverse(ALLEY, "ann", *words, "--from", f"{place} facing 0")
    assert f"4,7 facing 180 can be reached from {place} facing 0\nfor {now['cost']} AP\n" in same.stdout
    turned = reverse(ALLEY, "ann", *words, "--from", f"{place} facing 180")
    assert turned.returncode == 1
    assert f"4,7 facing 180 cannot be reached from {place} facing 180\n" in turned.stdout
    refused = reverse(CHASE, "kit", "--to", "11,10 facing 90")
    assert (refused.returncode, "knows no headings" in refused.stderr) == (2, True)


def test_nowhere(reverse):
    found = reverse(CHASE, "kit", "--to", "8,8")
    assert (found.returncode, found.stdout.splitlines()[1]) == (1, "it could get to 8,8 from nowhere")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("kit",), "--reverse requires --to PLACE"),
        (("kit", "--to", "99,99"), "99,99 is not on the board"),
        (("nobody", "--to", "1,1"), "there is no unit 'nobody'"),
        (
            ("kit", "--to", "1,1", "--action", "charge_attack"),
            "the reach of charge_attack already lists where it starts",
        ),
    ],
)
def test_wrong_usage(reverse, words, told):
    found = reverse(CHASE, *words)
    assert found.returncode == 2
    assert told in found.stderr


def test_from_wants_reverse(run):
    found = run("reach", ROOT / CHASE, "kit", "--from", "6,8", "--to", "8,8")
    assert found.returncode == 2
    assert "--from requires --reverse" in found.stderr
